/* tar_edit.c -- archives changed in their place (-A, --delete), labels, commands, checkpoints */
#include "commands/tar/tar.h"

#include "base/fmt.h"
#include "commands/lib/launch.h"

enum {
    TAR_COPY = 64 << 10
};

/* Bytes [from, to) of the archive behind each other at `at`, which is not behind from. */
static int tar_move(struct tar_run *r, struct file *rd, struct file *wr, uint64_t from, uint64_t to,
                    uint64_t at)
{
    struct heap *h = &r->p->kernel->heap;
    char *piece = heap_alloc(h, TAR_COPY);
    int e = piece ? 0 : HOB_ENOMEM;
    while (e == 0 && from < to) {
        rd->off = from;
        ptrdiff_t n = file_read(rd, r->p, piece, (size_t)MIN(to - from, (uint64_t)TAR_COPY));
        if (n <= 0) {
            e = n < 0 ? (int)n : HOB_ENODATA;
            break;
        }
        wr->off = at;
        e = file_write(wr, r->p, piece, (size_t)n);
        e = e < 0 ? e : 0;
        from += (uint64_t)n;
        at += (uint64_t)n;
        if (e == 0)
            e = proc_tick(r->p, (int64_t)(n >> 10) + 1);
    }
    heap_free(h, piece, piece ? TAR_COPY : 0);
    return e;
}

/* Moves what stays to the front. *end is then where that ends. */
static int tar_delete_members(struct tar_run *r, struct tar_stream *s, struct file *wr,
                              uint64_t *end)
{
    struct tar_member m;
    struct file *rd;
    int e = vfs_open(r->p, r->o->file, FILE_READ, 0, &rd);
    if (e < 0)
        return tar_fatal(r, "%s: Cannot open: %s", tar_shown(r, r->o->file), error_text(e));
    while (e == 0) {
        struct arena_mark mark = arena_mark(r->p->arena);
        uint64_t from = s->total;
        int found = tar_header_read(s, &m);
        if (found <= 0) {
            e = found;
            break;
        }
        bool goes = tar_wanted(r, m.name);
        e = tar_skip(s, m.size);
        if (e == 0 && !goes && *end != from)
            e = tar_move(r, rd, wr, from, s->total, *end);
        if (!goes)
            *end += s->total - from;
        arena_release(r->p->arena, mark);
    }
    file_unref(rd);
    return e;
}

int tar_delete(struct tar_run *r)
{
    struct tar_stream s, w;
    struct file *wr = NULL;
    uint64_t end = 0;
    if (!r->o->file.p || str_eqz(r->o->file, "-"))
        return tar_fatal(r, "--delete works on files alone, not on '-f -'");
    r->found = arena_array(r->p->arena, bool, r->p->argc + 1);
    r->counts = arena_array(r->p->arena, int64_t, r->p->argc + 1);
    if (!r->found || !r->counts)
        return HOB_ENOMEM;
    int e = tar_stream_open(&s, r, false);
    if (e == 0 && s.codec)
        e = tar_fatal(r, "Cannot update compressed archives");
    if (e == 0 && (e = vfs_open(r->p, r->o->file, FILE_WRITE, 0, &wr)) < 0)
        e = tar_fatal(r, "%s: Cannot open: %s", tar_shown(r, r->o->file), error_text(e));
    if (e == 0 && r->p->argc)
        e = tar_delete_members(r, &s, wr, &end);
    tar_stream_close(&s);
    if (wr)
        file_unref(wr);
    if (e < 0 || !r->p->argc)
        return e;
    tar_not_found(r);
    e = tar_reopen(r, &w, end);
    return e < 0 ? e : tar_stream_close(&w);
}

/* The members of one archive behind those of another. */
int tar_concatenate(struct tar_run *r)
{
    struct str target = r->o->file;
    uint64_t end = 0, more = 0;
    int e = 0;
    struct stat_info st;
    if (vfs_stat(r->p, target, 0, &st) == 0)
        e = tar_scan_end(r, &end, NULL);
    for (int i = 0; i < r->p->argc && e == 0; i++) {
        struct file *rd;
        struct tar_stream w;
        r->o->file = r->p->argv[i];
        e = tar_scan_end(r, &more, NULL);
        if (e == 0 && (e = vfs_open(r->p, r->p->argv[i], FILE_READ, 0, &rd)) < 0)
            e = tar_fatal(r, "%s: Cannot open: %s", tar_shown(r, r->p->argv[i]), error_text(e));
        r->o->file = target;
        if (e < 0)
            break;
        e = tar_reopen(r, &w, end);
        if (e == 0) {
            e = tar_move(r, rd, w.file, 0, more, end);
            end += e == 0 ? more : 0;
            w.total = w.file->off = end;
            int c = tar_stream_close(&w);
            e = e < 0 ? e : c;
        }
        file_unref(rd);
    }
    return e;
}

/* Shows the label, or tells by the status whether an operand matches it. */
int tar_test_label(struct tar_run *r)
{
    struct tar_stream s;
    struct tar_member m = {0};
    int e = tar_stream_open(&s, r, false);
    int found = e == 0 ? tar_header_read(&s, &m) : e;
    bool labelled = found > 0 && m.type == 'V', same = r->p->argc == 0;
    for (int i = 0; i < r->p->argc && labelled; i++)
        same |= str_eq(r->p->argv[i], m.name);
    if (labelled && r->p->argc == 0)
        out_printf(&r->out, "%.*s\n", STR_ARG(m.name));
    tar_stream_close(&s);
    if (found >= 0 && !same)
        r->status = 1;
    return found < 0 ? found : 0;
}

/* ---- --to-command ---------------------------------------------------------------------------- */

int tar_to_command(struct tar_stream *s, const struct tar_member *m, struct str name)
{
    static const char *const formats[] = {"gnu", "ustar", "posix", "v7"};
    struct tar_run *r = s->r;
    struct proc *p = r->p;
    struct buf b;
    struct str argv[16];
    int n = 0;

    buf_init(&b, &p->kernel->heap);
    struct file *to = memfile_writer(p->kernel, &b, UINT64_MAX, NULL, NULL);
    if (!to)
        return HOB_ENOMEM;
    struct out out;
    out_init_file(&out, p, to);
    int e = tar_take_contents(s, m->size, &out);
    int w = out_fini(&out);
    file_unref(to);
    e = e < 0 ? e : w;
    struct file *in = e < 0 ? NULL : memfile_reader(p->kernel, buf_get(&b));
    if (!in) {
        buf_fini(&b);
        return e < 0 ? e : HOB_ENOMEM;
    }
    argv[n++] = STR("env");
    argv[n++] = arena_printf(p->arena, "TAR_FILENAME=%.*s", STR_ARG(name));
    argv[n++] = arena_printf(p->arena, "TAR_REALNAME=%.*s", STR_ARG(m->name));
    argv[n++] = STR("TAR_FILETYPE=f");
    argv[n++] = arena_printf(p->arena, "TAR_MODE=%04o", m->mode);
    argv[n++] = arena_printf(p->arena, "TAR_SIZE=%llu", (unsigned long long)m->size);
    argv[n++] = arena_printf(p->arena, "TAR_UNAME=%.*s", STR_ARG(m->user));
    argv[n++] = arena_printf(p->arena, "TAR_GNAME=%.*s", STR_ARG(m->group));
    argv[n++] = arena_printf(p->arena, "TAR_UID=%u", m->uid);
    argv[n++] = arena_printf(p->arena, "TAR_GID=%u", m->gid);
    argv[n++] =
        arena_printf(p->arena, "TAR_ARCHIVE=%.*s", STR_ARG(r->o->file.p ? r->o->file : STR("-")));
    argv[n++] = arena_printf(p->arena, "TAR_FORMAT=%s", formats[r->o->format]);
    argv[n++] = STR("sh");
    argv[n++] = STR("-c");
    argv[n++] = r->o->to_command;
    for (int i = 0; i < n && e == 0; i++)
        e = argv[i].p ? 0 : HOB_ENOMEM;
    out_flush(&r->out);
    struct exec_opts o = {.fd0 = in};
    if (e == 0)
        e = launch_run(p, argv, n, &o);
    file_unref(in);
    buf_fini(&b);
    if (e > 0 && !r->o->ignore_command) {
        tar_warn(r, "%d: Child returned status %d", (int)p->pid, e);
        r->status = 2;
    }
    return e < 0 ? e : 0;
}

/* ---- --checkpoint ---------------------------------------------------------------------------- */

static void tar_checkpoint_echo(struct tar_run *r, struct str text, bool writing, uint64_t number)
{
    struct buf b;
    buf_init(&b, &r->p->kernel->heap);
    for (size_t i = 0; i < text.n; i++) {
        char next = i + 1 < text.n ? text.p[i + 1] : '\0';
        if (text.p[i] != '%' || !strchr("usd", next) || !next) {
            buf_putc(&b, text.p[i]);
            continue;
        }
        i++;
        if (next == 'u')
            buf_printf(&b, "%llu", (unsigned long long)number);
        else if (next == 's')
            buf_str(&b, writing ? STR("write") : STR("read"));
        else
            buf_printf(&b, "%lld",
                       (long long)((sched_now(&r->p->kernel->sched) - r->started) / 1000000000));
    }
    tar_warn(r, "%.*s", STR_ARG(buf_get(&b)));
    buf_fini(&b);
}

void tar_checkpoint(struct tar_run *r, bool writing, uint64_t number)
{
    const struct strs *actions = &r->o->actions;
    for (size_t i = 0; i < MAX(actions->n, (size_t)1); i++) {
        struct str a = actions->n ? actions->p[i] : STR("echo");
        if (str_eqz(a, "dot") || str_eqz(a, "."))
            out_putc(&r->out, '.');
        else if (str_eqz(a, "bell"))
            out_putc(&r->out, '\a');
        else if (str_starts(a, STR("echo=")))
            tar_checkpoint_echo(r, str_from(a, 5), writing, number);
        else if (str_eqz(a, "echo"))
            tar_warn(r, "%s checkpoint %llu", writing ? "Write" : "Read",
                     (unsigned long long)number);
    }
}
