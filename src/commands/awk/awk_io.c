/* awk_io.c -- redirections: files and commands that awk writes to or reads from */
#include "commands/awk/awk.h"

#include "base/error.h"
#include "base/fmt.h"
#include "commands/lib/launch.h"

/* ---- the table of streams -------------------------------------------------------------------- */

static struct awk_stream *awk_stream_find(struct awk *a, struct str name, char mode)
{
    bool reading = mode == '<' || mode == 'p';

    for (struct awk_stream *s = a->streams; s; s = s->next) {
        bool read = s->mode == '<' || s->mode == 'p';
        bool pipe = s->mode == '|' || s->mode == 'p';
        if (read == reading && pipe == (mode == '|' || mode == 'p') && str_eq(s->name, name))
            return s;
    }
    return NULL;
}

static struct awk_stream *awk_stream_new(struct awk *a, struct str name, char mode)
{
    struct awk_stream *s = heap_new(a->heap, struct awk_stream);
    char *copy = s ? heap_alloc(a->heap, name.n + 1) : NULL;

    if (!copy) {
        if (s)
            heap_drop(a->heap, s);
        awk_nomem(a);
        return NULL;
    }
    if (name.n)
        memcpy(copy, name.p, name.n);
    copy[name.n] = '\0';
    s->name = str_of(copy, name.n);
    s->mode = mode;
    s->next = a->streams;
    a->streams = s;
    return s;
}

static void awk_stream_unlink(struct awk *a, struct awk_stream *s)
{
    struct awk_stream **at = &a->streams;

    while (*at && *at != s)
        at = &(*at)->next;
    if (*at)
        *at = s->next;
    heap_free(a->heap, (void *)(uintptr_t)s->name.p, s->name.n + 1);
    heap_drop(a->heap, s);
}

/* ---- other processes ------------------------------------------------------------------------- */

/* The environment of commands is ENVIRON, as the program has left it. */
static bool awk_env_get(void *ctx, struct str name, struct str *value)
{
    struct awk *a = ctx;
    struct awk_val *t = awk_special(a, AWK_V_ENVIRON);
    struct awk_val *v = t->kind == AWK_ARRAY ? awk_array_find_str(a, t->u.a, name) : NULL;

    if (!v || v->kind == AWK_ARRAY)
        return false;
    *value = awk_str_get(awk_to_str(a, v));
    return true;
}

static int awk_env_each(void *ctx, int (*fn)(void *ud, struct str name, struct str value), void *ud)
{
    struct awk *a = ctx;
    struct awk_val *t = awk_special(a, AWK_V_ENVIRON);
    char tmp[24];
    int r = 0;

    for (uint32_t i = 0; t->kind == AWK_ARRAY && i < t->u.a->used && r == 0; i++) {
        struct awk_elem *e = &t->u.a->e[i];
        if (!e->type || e->v.kind == AWK_ARRAY)
            continue;
        struct str name =
            e->type == AWK_KEY_STR ? awk_str_get(e->key.s) : str_of(tmp, fmt_int(tmp, e->key.i));
        r = fn(ud, name, awk_str_get(awk_to_str(a, &e->v)));
    }
    return r;
}

static const struct env_ops awk_env_ops = {awk_env_get, awk_env_each};

/* Starts the sandbox's shell with a command. Its pid, or an error. */
static int awk_spawn(struct awk *a, struct str cmd, struct file *in, struct file *out)
{
    struct str text = arena_str(a->p->arena, cmd);
    struct str argv[] = {STR("sh"), STR("-c"), text};
    struct exec_opts o = {.spawn = true, .fd0 = in, .fd1 = out, .env = &awk_env_ops, .env_ctx = a};

    if (!text.p)
        return HOB_ENOMEM;
    return launch_run(a->p, argv, 3, &o);
}

/* The end of a process as awk tells it: its status, or 256 + the signal. POSIX has what wait()
 * gives, the old awks divide that by 256. */
static double awk_wait(struct awk *a, int pid)
{
    int status = 0, sig = 0, r;

    do
        r = proc_wait(a->p, pid, INT64_MAX, &status, &sig);
    while (r == HOB_EINTR);
    if (r < 0) {
        if (r == HOB_EKILLED && !a->err)
            a->err = r;
        return -1;
    }
    if (a->traditional)
        return (sig ? sig : status * 256) / (a->posix ? 1.0 : 256.0);
    return sig ? 256 + sig : status;
}

/* Writing to a command that has ended is an error, not a signal. */
static int awk_stream_flush(struct awk *a, struct awk_stream *s)
{
    uint64_t ignored = a->p->sig_ignored;

    if (s->mode == '|')
        a->p->sig_ignored |= SIG_BIT(SIG_PIPE);
    int r = out_flush(s->to);
    a->p->sig_ignored = ignored;
    return r;
}

/* ---- closing --------------------------------------------------------------------------------- */

static double awk_stream_close(struct awk *a, struct awk_stream *s)
{
    double result = 0;

    if (s->mode == '<' || s->mode == 'p') {
        awk_input_fini(&s->in);
    } else if (s->to == &s->out) {
        uint64_t ignored = a->p->sig_ignored;
        if (s->mode == '|')
            a->p->sig_ignored |= SIG_BIT(SIG_PIPE);
        int e = out_fini(&s->out);
        a->p->sig_ignored = ignored;
        if (e == HOB_EKILLED && !a->err)
            a->err = e;
        result = e < 0 ? -1 : 0;
        file_unref(s->file);
    } else {
        out_flush(s->to);
    }
    if (s->pid)
        result = awk_wait(a, s->pid);
    awk_stream_unlink(a, s);
    return result;
}

double awk_close(struct awk *a, struct str name, struct str how)
{
    struct awk_stream *s = a->streams;

    (void)how;
    while (s && !str_eq(s->name, name))
        s = s->next;
    if (!s) {
        static const char never[] = "close of redirection that was never opened";
        struct awk_val *v = awk_special(a, AWK_V_ERRNO);
        if (!a->traditional) {
            awk_drop(a, v);
            *v = awk_text_val(awk_str_new(a, never, sizeof never - 1));
        }
        return -1;
    }
    if (s->pid) /* what was printed before comes before what the command still prints */
        awk_flush_all(a);
    return awk_stream_close(a, s);
}

void awk_close_all(struct awk *a)
{
    while (a->streams)
        awk_stream_close(a, a->streams);
}

void awk_flush_all(struct awk *a)
{
    out_flush(&a->out);
    out_flush(&a->errors);
    for (struct awk_stream *s = a->streams; s; s = s->next) {
        if (s->to)
            awk_stream_flush(a, s);
    }
}

double awk_fflush(struct awk *a, const struct str *name)
{
    bool found = false;

    if (!name || name->n == 0) {
        awk_flush_all(a);
        return 0;
    }
    if (str_eqz(*name, "/dev/stdout")) {
        out_flush(&a->out);
        return 0;
    }
    if (str_eqz(*name, "/dev/stderr"))
        return 0;
    for (struct awk_stream *s = a->streams; s; s = s->next) {
        if (!str_eq(s->name, *name) || !s->to)
            continue;
        awk_stream_flush(a, s);
        found = true;
    }
    if (!found)
        awk_warn(a, "fflush: `%.*s' is not an open file, pipe or co-process", STR_ARG(*name));
    return found ? 0 : -1;
}

/* ---- writing --------------------------------------------------------------------------------- */

static void awk_stream_to_pipe(struct awk *a, struct awk_stream *s)
{
    struct file *rd, *wr;

    awk_flush_all(a);
    int e = pipe_new(a->p->kernel, &rd, &wr);
    if (e == 0) {
        e = awk_spawn(a, s->name, rd, NULL);
        file_unref(rd);
        if (e < 0)
            file_unref(wr);
    }
    if (e < 0) {
        if (e == HOB_ENOMEM || e == HOB_EKILLED)
            a->err = e;
        else
            awk_fatal(a, "cannot open pipe `%.*s' for output: %s", STR_ARG(s->name), error_text(e));
        awk_stream_unlink(a, s);
        return;
    }
    s->pid = e;
    s->file = wr;
    out_init_file(&s->out, a->p, wr);
    s->to = &s->out;
}

static void awk_stream_to_file(struct awk *a, struct awk_stream *s)
{
    unsigned flags = FILE_WRITE | FILE_CREATE | (s->mode == 'a' ? FILE_APPEND : FILE_TRUNC);
    int e;

    if (str_eqz(s->name, "/dev/stdout") || str_eqz(s->name, "-")) {
        s->to = &a->out;
        return;
    }
    if (str_eqz(s->name, "/dev/stderr")) {
        s->to = &a->errors;
        return;
    }
    e = vfs_open(a->p, s->name, flags, 0666, &s->file);
    if (e < 0) {
        if (e == HOB_ENOMEM || e == HOB_EKILLED)
            a->err = e;
        else
            awk_fatal(a, "cannot redirect to `%.*s': %s", STR_ARG(s->name), error_text(e));
        awk_stream_unlink(a, s);
        return;
    }
    out_init_file(&s->out, a->p, s->file);
    s->to = &s->out;
}

struct out *awk_output(struct awk *a, int how, struct awk_val *name)
{
    static const char modes[] = {0, '>', 'a', '|'};
    char tmp[AWK_TMP], mode = modes[how];
    struct str text = awk_text(a, name, tmp);

    if (a->err)
        return NULL;
    if (a->sandbox) {
        awk_fatal(a, "redirection not allowed in sandbox mode");
        return NULL;
    }
    struct awk_stream *s = awk_stream_find(a, text, mode);
    if (s)
        return s->to;
    if (text.n == 0) {
        awk_fatal(a, "expression for `%s' redirection has null string value",
                  mode == '|'   ? "|"
                  : mode == 'a' ? ">>"
                                : ">");
        return NULL;
    }
    s = awk_stream_new(a, text, mode);
    if (!s)
        return NULL;
    if (mode == '|')
        awk_stream_to_pipe(a, s);
    else
        awk_stream_to_file(a, s);
    return a->err ? NULL : s->to;
}

/* After a print: an error of the stream ends the run. Standard output is looked at in the end. */
void awk_output_check(struct awk *a, struct out *o, const char *what)
{
    if (!o->err || a->err)
        return;
    if (o->err == HOB_EKILLED || o->err == HOB_ENOMEM || o == &a->out) {
        a->err = o->err;
        return;
    }
    struct str name = STR("");
    for (struct awk_stream *s = a->streams; s; s = s->next) {
        if (s->to == o)
            name = s->name;
    }
    awk_fatal(a, "%s to \"%.*s\" failed: %s", what, STR_ARG(name), error_text(o->err));
}

/* ---- reading --------------------------------------------------------------------------------- */

static int awk_stream_from(struct awk *a, struct awk_stream *s)
{
    struct file *rd = NULL, *wr;
    int e;

    if (s->mode == '<') {
        bool standard = str_eqz(s->name, "-") || str_eqz(s->name, "/dev/stdin");
        struct stat_info st;
        e = in_open_quiet(&s->in.in, a->p, standard ? STR("-") : s->name);
        if (e == 0 && s->in.in.file && file_stat(s->in.in.file, &st) == 0 && MODE_IS_DIR(st.mode)) {
            in_fini(&s->in.in);
            e = HOB_EISDIR;
        }
    } else {
        awk_flush_all(a);
        e = pipe_new(a->p->kernel, &rd, &wr);
        if (e == 0) {
            e = awk_spawn(a, s->name, NULL, wr);
            file_unref(wr);
            if (e < 0)
                file_unref(rd);
        }
        if (e >= 0) {
            s->pid = e;
            in_init_file(&s->in.in, a->p, rd, true);
            e = 0;
        }
    }
    if (e == 0)
        awk_input_init(a, &s->in);
    return e;
}

int awk_getline(struct awk *a, int form, struct awk_val *name, struct str *rec, struct str *rt)
{
    char tmp[AWK_TMP], mode = form == AWK_GET_FILE ? '<' : 'p';
    struct str text = awk_text(a, name, tmp);
    int e = 0;

    if (a->err)
        return -1;
    if (a->sandbox) {
        awk_fatal(a, "redirection not allowed in sandbox mode");
        return -1;
    }
    struct awk_stream *s = awk_stream_find(a, text, mode);
    if (!s) {
        if (text.n == 0) {
            awk_fatal(a, "expression for `%s' redirection has null string value",
                      mode == '<' ? "<" : "|");
            return -1;
        }
        s = awk_stream_new(a, text, mode);
        e = s ? awk_stream_from(a, s) : HOB_ENOMEM;
        if (e < 0 && s)
            awk_stream_unlink(a, s);
    }
    if (e == 0) {
        e = s->eof ? 0 : awk_read(a, &s->in, rec, rt);
        if (e == 0)
            s->eof = true;
    }
    if (e == HOB_EKILLED || e == HOB_ENOMEM)
        a->err = e;
    else if (e < 0)
        awk_set_errno(a, e);
    return e < 0 ? -1 : e;
}

double awk_system(struct awk *a, struct str cmd)
{
    if (a->sandbox) {
        awk_fatal(a, "'system' function not allowed in sandbox mode");
        return 0;
    }
    awk_flush_all(a);
    int pid = awk_spawn(a, cmd, NULL, NULL);
    if (pid < 0) {
        if (pid == HOB_ENOMEM || pid == HOB_EKILLED)
            a->err = pid;
        return -1;
    }
    return awk_wait(a, pid);
}
