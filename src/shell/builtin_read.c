/* builtin_read.c -- read, mapfile and readarray
 *
 * Both take exactly the bytes of their lines from the file and leave the rest for whoever reads
 * next. They look at windows of the input instead of single bytes: a seekable file is looked into
 * at its offset, which is moved behind the line; a pipe is peeked at and skipped. Only what can do
 * neither is read byte by byte.
 */
#include "base/error.h"
#include "base/utf8.h"
#include "shell/builtin_impl.h"
#include "shell/expand_impl.h"
#include "shell/parse.h"

/* ---- the input ------------------------------------------------------------------------------- */

struct readin {
    struct shell *sh;
    struct file *file;
    int64_t deadline; /* INT64_MAX: none */
    struct slice held;
    const char *p, *end; /* the window */
    const char *start;   /* where it began */
    bool peeked;         /* it has to be skipped */
    char one[512];
};

static void readin_init(struct readin *in, struct shell *sh, struct file *f)
{
    in->sh = sh;
    in->file = file_ref(f);
    in->deadline = INT64_MAX;
    in->held = (struct slice){0};
    in->p = in->end = in->start = NULL;
    in->peeked = false;
}

/* Lets go of the window: what was not used goes back. */
static void readin_release(struct readin *in)
{
    size_t used = (size_t)(in->p - in->start);
    if (in->peeked)
        in->file->ops->skip(in->file, used);
    else if (in->start && (in->file->flags & FILE_SEEKABLE))
        in->file->off += used;
    if (in->held.blob)
        slice_drop(&in->held);
    in->p = in->end = in->start = NULL;
    in->peeked = false;
}

static void readin_fini(struct readin *in)
{
    readin_release(in);
    file_unref(in->file);
}

static ptrdiff_t readin_window(struct readin *in)
{
    struct file *f = in->file;
    struct proc *p = in->sh->proc;
    struct str s = STR_NONE;
    ptrdiff_t n;

    if (!(f->flags & FILE_READ) || !f->ops->read)
        return HOB_EBADF;
    if (f->flags & FILE_SEEKABLE) {
        if (f->ops->take) {
            n = f->ops->take(f, p, f->off, &in->held);
            s = str_of(in->held.p, n > 0 ? (size_t)n : 0);
        } else {
            n = f->ops->read(f, p, f->off, in->one, sizeof in->one);
            s = str_of(in->one, n > 0 ? (size_t)n : 0);
        }
    } else if (f->ops->peek) {
        n = f->ops->peek(f, p, &s);
        if (n >= 0) {
            n = (ptrdiff_t)s.n;
            in->peeked = n > 0;
        }
    } else {
        n = f->ops->read(f, p, 0, in->one, 1);
        s = str_of(in->one, n > 0 ? (size_t)n : 0);
    }
    if (n > 0) {
        in->start = in->p = s.p;
        in->end = s.p + s.n;
    }
    return n;
}

/* Makes the window non-empty: 1, 0 at the end, or an error. Traps run while it waits. */
static int readin_fill(struct readin *in)
{
    struct shell *sh = in->sh;
    size_t used = (size_t)(in->p - in->start);
    readin_release(in);
    int r = proc_tick(sh->proc, 1 + (int64_t)(used >> 10));
    while (r == 0) {
        if (in->deadline != INT64_MAX)
            r = file_wait_readable(in->file, sh->proc, in->deadline);
        ptrdiff_t n = r < 0 ? r : readin_window(in);
        if (n >= 0)
            return n > 0;
        if (n != HOB_EINTR)
            return (int)n;
        traps_run_pending(sh);
        r = shell_unwinding(sh) ? HOB_EINTR : 0;
    }
    return r;
}

static inline int readin_getc(struct readin *in)
{
    if (UNLIKELY(in->p == in->end)) {
        int r = readin_fill(in);
        if (r <= 0)
            return r < 0 ? r : HOB_ENODATA;
    }
    return (unsigned char)*in->p++;
}

/* The file of a descriptor, or NULL after a message. */
static struct file *readin_fd(struct shell *sh, int fd)
{
    struct file *f = proc_file(sh->proc, fd);
    if (!f)
        shell_builtin_error(sh, "%d: invalid file descriptor: %s", fd, error_text(HOB_EBADF));
    return f;
}

static bool readin_number(struct str s, int64_t *out) { return str_int(str_trim(s), out) >= 0; }

static bool readin_fd_number(struct shell *sh, struct str s, int *fd)
{
    int64_t n;
    if (!readin_number(s, &n) || n < 0 || n > INT_MAX) {
        shell_builtin_error(sh, "%.*s: invalid file descriptor specification", STR_ARG(s));
        return false;
    }
    *fd = (int)n;
    return true;
}

/* ---- assigning ------------------------------------------------------------------------------- */

bool builtin_is_ref(struct str ref)
{
    struct str name, index;
    return parse_is_name(ref) || (var_split_ref(ref, &name, &index) && parse_is_name(name));
}

static bool builtin_ref_written(const struct shell *sh, struct str name)
{
    const struct node *n = sh->command;
    for (int i = 1; n && n->kind == NODE_SIMPLE && i < n->u.simple.nwords; i++) {
        struct str src = n->u.simple.words[i]->src;
        if (src.n > name.n && src.p[name.n] == '[' && str_starts(src, name))
            return true;
    }
    return false;
}

int builtin_subscript(struct shell *sh, struct sym *s, struct str *index, bool written)
{
    struct str ignored, name = s->name;
    struct var *v = var_get(sh, &s, &ignored);
    if (v && v->flags & VAR_ASSOC &&
        (SH_SHOPT(sh, SHOPT_ASSOC_EXPAND_ONCE) || (written && builtin_ref_written(sh, name))))
        return 0;
    return expand_subscript(sh, *index, index);
}

int builtin_assign(struct shell *sh, struct str ref, struct str value, int bad)
{
    struct str name = ref, index = STR_NONE;
    if (!parse_is_name(ref) && (!var_split_ref(ref, &name, &index) || !parse_is_name(name))) {
        shell_builtin_error(sh, "`%.*s': not a valid identifier", STR_ARG(ref));
        return bad;
    }
    struct sym *s = sym_intern(sh, name);
    if (!s || (index.p && builtin_subscript(sh, s, &index, false) < 0))
        return 1;
    int r = index.p ? var_set_elem(sh, s, index, value, 0) : var_set(sh, s, value, 0);
    return r < 0;
}

/* ---- fields ---------------------------------------------------------------------------------- */

/* A line as it was read. Bytes behind a backslash are marked in `quoted`, which has the length of
 * the text or is empty when there are none. */
struct readline {
    struct str text;
    const char *quoted; /* NULL: none */
};

struct readifs {
    bool any;
    bool sep[256], space[256];
    bool wide; /* has characters of more than one byte */
    struct str ifs;
};

static void readifs_init(struct readifs *ifs, struct shell *sh)
{
    memset(ifs, 0, sizeof *ifs);
    if (!var_str(sh, sym_of(SYM_IFS), &ifs->ifs))
        ifs->ifs = STR(" \t\n");
    for (size_t i = 0; i < ifs->ifs.n; i++) {
        unsigned char c = (unsigned char)ifs->ifs.p[i];
        ifs->any = true;
        if (c >= 128) {
            ifs->wide = true;
            continue;
        }
        ifs->sep[c] = true;
        ifs->space[c] = c == ' ' || c == '\t' || c == '\n';
    }
}

/* The length of the separator at text[i], 0 if there is none. */
static size_t readifs_at(const struct readifs *ifs, const struct readline *l, size_t i)
{
    unsigned char c = (unsigned char)l->text.p[i];
    int len;
    if (l->quoted && l->quoted[i])
        return 0;
    if (LIKELY(c < 128))
        return ifs->sep[c];
    if (!ifs->wide)
        return 0;
    utf8_decode(l->text.p + i, l->text.n - i, &len);
    return str_find(ifs->ifs, str_of(l->text.p + i, (size_t)len)) >= 0 ? (size_t)len : 0;
}

static bool readifs_space(const struct readifs *ifs, const struct readline *l, size_t i)
{
    return ifs->space[(unsigned char)l->text.p[i]] && !(l->quoted && l->quoted[i]);
}

static size_t readifs_skip(const struct readifs *ifs, const struct readline *l, size_t i)
{
    while (i < l->text.n && readifs_space(ifs, l, i))
        i++;
    return i;
}

/* The field at *i (behind blanks), and *i moves behind the separator that ends it. */
static struct str readifs_field(const struct readifs *ifs, const struct readline *l, size_t *i)
{
    size_t n = l->text.n, from = readifs_skip(ifs, l, *i), at = from, len = 0;
    while (at < n && (len = readifs_at(ifs, l, at)) == 0)
        at++;
    size_t next = at;
    if (at < n) {
        bool space = readifs_space(ifs, l, at);
        next = readifs_skip(ifs, l, at + len);
        if (space && next < n && (len = readifs_at(ifs, l, next)) > 0)
            next = readifs_skip(ifs, l, next + len);
    }
    *i = next;
    return str_of(l->text.p + from, at - from);
}

/* What the last name gets: one field when nothing follows it, else all that is left. */
static struct str readifs_rest(const struct readifs *ifs, const struct readline *l, size_t at)
{
    size_t from = readifs_skip(ifs, l, at), end = l->text.n, next = at;
    struct str one = readifs_field(ifs, l, &next);
    if (next >= end)
        return one;
    while (end > from && readifs_space(ifs, l, end - 1))
        end--;
    return str_of(l->text.p + from, end - from);
}

/* ---- read ------------------------------------------------------------------------------------ */

struct readopt {
    bool raw, has_n, exact, silent, edit;
    char delim;
    int fd;
    int64_t chars;   /* -n, -N */
    int64_t timeout; /* nanoseconds, -1: none */
    struct str array, prompt;
};

/* "1.5": nanoseconds, -1 if it is not a number of seconds. */
static int64_t read_timeout(struct str s)
{
    int64_t v = 0, unit = 1000000000;
    size_t i = 0;
    if (i < s.n && s.p[i] == '+')
        i++;
    for (; i < s.n && ascii_digit(s.p[i]); i++) {
        v = v * 10 + (s.p[i] - '0');
        if (v > INT64_MAX / 4000000000)
            v = INT64_MAX / 4000000000;
    }
    v *= unit;
    if (i < s.n && s.p[i] == '.') {
        for (i++; i < s.n && ascii_digit(s.p[i]); i++) {
            unit /= 10;
            v += (s.p[i] - '0') * unit;
        }
    }
    return i < s.n ? -1 : v;
}

/* 0, or the status to end with. */
static int read_options(struct shell *sh, struct readopt *o, struct getopt_state *g,
                        struct str *argv, int argc)
{
    int c;
    while ((c = builtin_getopt(sh, g, argv, argc, "ersa:d:i:n:p:t:u:N:")) != -1) {
        switch (c) {
        case 'a': o->array = g->arg; break;
        case 'd': o->delim = g->arg.n ? g->arg.p[0] : '\0'; break;
        case 'e': o->edit = true; break;
        case 'i': break;
        case 'p': o->prompt = g->arg; break;
        case 'r': o->raw = true; break;
        case 's': o->silent = true; break;
        case 't':
            o->timeout = read_timeout(g->arg);
            if (o->timeout < 0) {
                shell_builtin_error(sh, "%.*s: invalid timeout specification", STR_ARG(g->arg));
                return 1;
            }
            break;
        case 'n':
        case 'N':
            if (!readin_number(g->arg, &o->chars) || o->chars < 0) {
                shell_builtin_error(sh, "%.*s: invalid number", STR_ARG(g->arg));
                return 1;
            }
            o->has_n = true;
            o->exact = c == 'N';
            break;
        case 'u':
            if (!readin_fd_number(sh, g->arg, &o->fd))
                return 1;
            if (!readin_fd(sh, o->fd))
                return 1;
            break;
        default: return builtin_usage(sh);
        }
    }
    return 0;
}

/* The slow way to a line: backslashes, NULs, counted characters, or more than one window. */
struct readacc {
    struct buf text, quoted;
    bool marks;
};

static void readacc_add(struct readacc *a, char c, bool quoted)
{
    if (quoted && !a->marks) {
        a->marks = true;
        buf_fill(&a->quoted, '\0', a->text.n);
    }
    buf_putc(&a->text, c);
    if (a->marks)
        buf_putc(&a->quoted, quoted);
}

/* How many bytes the character that begins with c has. */
static int readacc_length(int c)
{
    return c < 0xc2 ? 1 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : c < 0xf5 ? 4 : 1;
}

/* 0: the line is whole; else an error, HOB_ENODATA at the end. */
static int read_slow(struct readin *in, const struct readopt *o, struct readacc *a)
{
    int64_t left = o->has_n ? o->chars : INT64_MAX;
    bool escaped = false;
    int more = 0; /* bytes that are missing of the character at hand */

    while (left > 0) {
        int c = readin_getc(in);
        if (c < 0)
            return c;
        if (c == '\0' && (o->delim != '\0' || o->exact) && !escaped)
            continue;
        if (escaped) {
            escaped = false;
            if (c == '\n')
                continue;
            readacc_add(a, (char)c, true);
        } else if (c == '\\' && !o->raw) {
            escaped = true;
            continue;
        } else if (!o->exact && (char)c == o->delim) {
            return 0;
        } else {
            readacc_add(a, (char)c, false);
        }
        if (in->sh->heap->oom)
            return HOB_ENOMEM;
        if (more > 0 && (c & 0xc0) == 0x80)
            more--;
        else
            more = o->has_n ? readacc_length(c) - 1 : 0;
        left -= more == 0;
    }
    return 0;
}

/* A line that lies in the window as it is: copied to the arena. False: take the slow way. */
static bool read_fast(struct readin *in, const struct readopt *o, struct str *line)
{
    if (o->has_n || (in->p == in->end && in->deadline != INT64_MAX))
        return false;
    if (in->p == in->end && readin_fill(in) <= 0)
        return false;
    const char *at = memchr(in->p, o->delim, (size_t)(in->end - in->p));
    if (!at)
        return false;
    size_t n = (size_t)(at - in->p);
    if ((!o->raw && memchr(in->p, '\\', n)) || (o->delim && memchr(in->p, '\0', n)))
        return false;
    *line = arena_str(&in->sh->arena, str_of(in->p, n));
    in->p = at + 1;
    return line->p != NULL;
}

static int read_array(struct shell *sh, struct str name, const struct readline *l)
{
    struct readifs ifs;
    struct strs w = {0};
    struct sym *s = sym_intern(sh, name);
    int r = s ? 0 : HOB_ENOMEM;
    size_t i;

    readifs_init(&ifs, sh);
    for (i = readifs_skip(&ifs, l, 0); r == 0 && i < l->text.n;)
        if (!vec_push(sh->heap, &w, readifs_field(&ifs, l, &i)))
            r = HOB_ENOMEM;
    if (r == 0)
        r = var_set_words(sh, s, w.p, w.n);
    vec_fini(sh->heap, &w);
    return r < 0;
}

static int read_assign(struct shell *sh, const struct readopt *o, struct str *names, int n,
                       const struct readline *l)
{
    struct readifs ifs;
    size_t at = 0;

    if (o->array.p)
        return read_array(sh, o->array, l);
    if (n == 0)
        return builtin_assign(sh, STR("REPLY"), l->text, 1);
    if (o->exact) {
        int r = builtin_assign(sh, names[0], l->text, 1);
        for (int i = 1; r == 0 && i < n; i++)
            r = builtin_assign(sh, names[i], STR(""), 1);
        return r;
    }
    readifs_init(&ifs, sh);
    at = readifs_skip(&ifs, l, 0);
    for (int i = 0; i < n; i++) {
        struct str value = i + 1 < n ? readifs_field(&ifs, l, &at) : readifs_rest(&ifs, l, at);
        if (builtin_assign(sh, names[i], value, 1))
            return 1;
    }
    return 0;
}

/* -a wants an indexed array, or something that can become one. */
static bool read_array_ok(struct shell *sh, struct str name)
{
    if (!parse_is_name(name)) {
        shell_builtin_error(sh, "`%.*s': not a valid identifier", STR_ARG(name));
        return false;
    }
    struct sym *s = sym_find(sh, name);
    struct str index = STR_NONE;
    struct var *v = s ? var_get(sh, &s, &index) : NULL;
    if (v && (v->flags & VAR_ASSOC)) {
        shell_builtin_error(sh, "%.*s: not an indexed array", STR_ARG(name));
        return false;
    }
    return true;
}

static int64_t read_deadline(struct shell *sh, const struct readopt *o, struct file *f)
{
    struct stat_info st;
    struct str t;
    int64_t ns = o->timeout;
    if (ns < 0 && var_str(sh, sym_of(SYM_TMOUT), &t))
        ns = read_timeout(t);
    if (ns <= 0 || (file_stat(f, &st) >= 0 && MODE_IS_FILE(st.mode)))
        return INT64_MAX;
    return sched_now(&sh->kernel->sched) + ns;
}

static int read_line(struct shell *sh, const struct readopt *o, struct readin *in,
                     struct str *names, int n)
{
    struct readline l = {STR(""), NULL};
    struct readacc a = {.marks = false};
    int r = 0;

    buf_init(&a.text, sh->heap);
    buf_init(&a.quoted, sh->heap);
    if (!read_fast(in, o, &l.text)) {
        r = read_slow(in, o, &a);
        l.text = buf_get(&a.text);
        l.quoted = a.marks ? a.quoted.p : NULL;
    }
    size_t used = (size_t)(in->p - in->start);
    readin_release(in);
    proc_tick(sh->proc, 1 + (int64_t)(used >> 10));
    if (r != 0 && r != HOB_ENODATA && r != HOB_ETIMEDOUT && r != HOB_EKILLED && r != HOB_EINTR)
        shell_builtin_error(sh, "read error: %d: %s", o->fd, error_text(r));
    int status = r == HOB_ETIMEDOUT ? 128 + SIG_ALRM : r != 0;
    if (r == 0 || r == HOB_ENODATA || r == HOB_ETIMEDOUT) {
        if (read_assign(sh, o, names, n, &l))
            status = 1;
    }
    buf_fini(&a.text);
    buf_fini(&a.quoted);
    return status;
}

static int read_run(struct shell *sh, struct str *argv, int argc)
{
    struct readopt o = {.delim = '\n', .timeout = -1};
    struct getopt_state g = {.at = 1};
    struct readin in;
    int status = read_options(sh, &o, &g, argv, argc);

    if (status)
        return status;
    struct file *f = proc_file(sh->proc, o.fd);
    if (o.timeout == 0)
        return !f || (f->ops->ready && !(f->ops->ready(f) & FILE_READABLE));
    if (g.at < argc && !o.array.p && !builtin_is_ref(argv[g.at])) {
        shell_builtin_error(sh, "`%.*s': not a valid identifier", STR_ARG(argv[g.at]));
        return 1;
    }
    if (o.array.p && !read_array_ok(sh, o.array))
        return 1;
    if (!f) {
        shell_builtin_error(sh, "read error: %d: %s", o.fd, error_text(HOB_EBADF));
        return 1;
    }
    if (o.prompt.n && (f->flags & FILE_TTY))
        proc_puts(sh->proc, 2, o.prompt);
    struct arena_mark m = arena_mark(&sh->arena);
    readin_init(&in, sh, f);
    in.deadline = read_deadline(sh, &o, f);
    status = read_line(sh, &o, &in, argv + g.at, argc - g.at);
    readin_fini(&in);
    arena_release(&sh->arena, m);
    return status;
}

const struct builtin builtin_read = {
    .name = "read",
    .run = read_run,
    .usage = "read [-ers] [-a array] [-d delim] [-i text] [-n nchars] [-N nchars] [-p prompt] "
             "[-t timeout] [-u fd] [name ...]",
    .summary =
        "Read a line and split it into fields.\n"
        "\n"
        "Each NAME gets one field of the line, the last all that is left of it. Fields are\n"
        "separated by the characters of IFS. Without a NAME the line goes to REPLY as it\n"
        "is. A backslash quotes the next character and joins lines.\n"
        "\n"
        "Options:\n"
        "  -a array\tthe fields become the elements of ARRAY\n"
        "  -d delim\tthe line ends at the first character of DELIM, or at a NUL if it is\n"
        "    \tempty, instead of a newline\n"
        "  -e\tedit the line, on a terminal\n"
        "  -i text\tthe text that editing starts with\n"
        "  -n nchars\tstop after NCHARS characters\n"
        "  -N nchars\tread NCHARS characters, whatever they are, and do not split\n"
        "  -p prompt\tprint PROMPT first, on a terminal\n"
        "  -r\tbackslashes are characters like any other\n"
        "  -s\tdo not show what is typed\n"
        "  -t timeout\tfail after so many seconds; 0 tells whether there is input\n"
        "  -u fd\tread from descriptor FD\n"
        "\n"
        "Exit Status:\n"
        "Zero unless the input ends, time runs out (more than 128), a name or descriptor is\n"
        "wrong, or a variable cannot be assigned.",
};

/* ---- mapfile --------------------------------------------------------------------------------- */

struct mapopt {
    char delim;
    bool strip, keep; /* -t; -O: what is in the array stays */
    int fd;
    int64_t count, skip, origin, quantum; /* count 0: all */
    struct str callback;
};

static int mapfile_number(struct shell *sh, struct str s, int64_t min, const char *what,
                          int64_t *out)
{
    if (readin_number(s, out) && *out >= min)
        return 0;
    shell_builtin_error(sh, "%.*s: invalid %s", STR_ARG(s), what);
    return 1;
}

static int mapfile_options(struct shell *sh, struct mapopt *o, struct getopt_state *g,
                           struct str *argv, int argc)
{
    int c, r = 0;
    while (r == 0 && (c = builtin_getopt(sh, g, argv, argc, "d:u:n:O:tC:c:s:")) != -1) {
        switch (c) {
        case 'd': o->delim = g->arg.n ? g->arg.p[0] : '\0'; break;
        case 'u': r = !readin_fd_number(sh, g->arg, &o->fd) || !readin_fd(sh, o->fd); break;
        case 'n': r = mapfile_number(sh, g->arg, 0, "line count", &o->count); break;
        case 'O':
            r = mapfile_number(sh, g->arg, 0, "array origin", &o->origin);
            o->keep = true;
            break;
        case 't': o->strip = true; break;
        case 'C': o->callback = g->arg; break;
        case 'c': r = mapfile_number(sh, g->arg, 1, "callback quantum", &o->quantum); break;
        case 's': r = mapfile_number(sh, g->arg, 0, "line count", &o->skip); break;
        default: return builtin_usage(sh);
        }
    }
    return r;
}

/* The next line with its delimiter, in the window or in `spill`. 1, 0 at the end, or an error. */
static int mapfile_line(struct readin *in, char delim, struct buf *spill, struct str *line)
{
    buf_clear(spill);
    for (;;) {
        if (in->p == in->end) {
            int r = readin_fill(in);
            if (r <= 0) {
                *line = buf_get(spill);
                return r < 0 ? r : spill->n > 0;
            }
        }
        const char *at = memchr(in->p, delim, (size_t)(in->end - in->p));
        size_t n = (size_t)((at ? at + 1 : in->end) - in->p);
        struct str part = str_of(in->p, n);
        in->p += n;
        if (at && spill->n == 0) {
            *line = part;
            return 1;
        }
        buf_str(spill, part);
        if (in->sh->heap->oom)
            return HOB_ENOMEM;
        if (at) {
            *line = buf_get(spill);
            return 1;
        }
    }
}

/* Runs `callback index line`. The line is copied first: the callback may read the same file. */
static struct str mapfile_call(struct readin *in, const struct mapopt *o, int64_t index,
                               struct str line, struct buf *text)
{
    struct shell *sh = in->sh;
    buf_clear(text);
    buf_str(text, line);
    size_t n = text->n;
    buf_putc(text, '\0');
    buf_printf(text, "%.*s %lld '", STR_ARG(o->callback), (long long)index);
    for (size_t i = 0; i < n; i++) {
        if (text->p && text->p[i] == '\'')
            buf_addz(text, "'\\''");
        else if (text->p)
            buf_putc(text, text->p[i]);
    }
    buf_putc(text, '\'');
    readin_release(in);
    if (sh->heap->oom)
        return STR("");
    shell_run_text(sh, str_from(buf_get(text), n + 1), TEXT_EVAL, sh->line);
    return str_of(text->p, n);
}

static int mapfile_fill(struct readin *in, const struct mapopt *o, struct sym *s)
{
    struct shell *sh = in->sh;
    struct buf spill, text;
    struct str line;
    int r = 1;
    int64_t done = 0;

    buf_init(&spill, sh->heap);
    buf_init(&text, sh->heap);
    for (int64_t i = 0; r > 0 && i < o->skip; i++)
        r = mapfile_line(in, o->delim, &spill, &line);
    while (r > 0 && (o->count == 0 || done < o->count)) {
        r = mapfile_line(in, o->delim, &spill, &line);
        if (r <= 0)
            break;
        if (o->strip && line.p[line.n - 1] == o->delim)
            line.n--;
        const char *nul = line.n ? memchr(line.p, '\0', line.n) : NULL;
        if (nul)
            line.n = (size_t)(nul - line.p);
        done++;
        if (o->callback.p && done % o->quantum == 0)
            line = mapfile_call(in, o, o->origin + done - 1, line, &text);
        if (shell_unwinding(sh) || sh->heap->oom)
            break;
        r = var_set_index(sh, s, o->origin + done - 1, line, 0) < 0 ? HOB_EINVAL : 1;
    }
    buf_fini(&spill);
    buf_fini(&text);
    return r;
}

/* A readonly variable is refused before anything is read. */
static bool mapfile_may(struct shell *sh, struct sym *s)
{
    struct str index;
    struct var *v = var_get(sh, &s, &index);
    if (!v || !(v->flags & VAR_READONLY))
        return true;
    shell_error(sh, "%.*s: readonly variable", STR_ARG(s->name));
    return false;
}

static int mapfile_run(struct shell *sh, struct str *argv, int argc)
{
    struct mapopt o = {.delim = '\n', .quantum = 5000};
    struct getopt_state g = {.at = 1};
    struct readin in;
    int status = mapfile_options(sh, &o, &g, argv, argc);

    if (status)
        return status;
    struct str name = g.at < argc ? argv[g.at] : STR("MAPFILE");
    if (name.n == 0) {
        shell_builtin_error(sh, "empty array variable name");
        return 2;
    }
    struct file *f = readin_fd(sh, o.fd);
    struct sym *s = f ? sym_intern(sh, name) : NULL;
    if (!s || !mapfile_may(sh, s) || !read_array_ok(sh, name) ||
        var_make_array(sh, s, false, !o.keep) < 0)
        return 1;
    readin_init(&in, sh, f);
    int r = mapfile_fill(&in, &o, s);
    readin_fini(&in);
    return r == HOB_EINVAL || r == HOB_ENOMEM; /* what cannot be read counts as the end */
}

#define MAPFILE_USAGE                                                                              \
    " [-d delim] [-n count] [-O origin] [-s count] [-t] [-u fd] [-C callback] [-c quantum] "       \
    "[array]"
#define MAPFILE_SUMMARY                                                                            \
    "Read lines into an array.\n"                                                                  \
    "\n"                                                                                           \
    "Each line of standard input becomes an element of ARRAY, or of MAPFILE.\n"                    \
    "\n"                                                                                           \
    "Options:\n"                                                                                   \
    "  -d delim\tlines end at the first character of DELIM, or at a NUL if it is empty\n"          \
    "  -n count\tat most COUNT lines; 0 means all\n"                                               \
    "  -O origin\tthe first line goes to index ORIGIN, and the array is not emptied\n"             \
    "  -s count\tskip the first COUNT lines\n"                                                     \
    "  -t\tleave the delimiters out\n"                                                             \
    "  -u fd\tread from descriptor FD\n"                                                           \
    "  -C callback\trun CALLBACK with the index and the line, before it is assigned\n"             \
    "  -c quantum\tevery QUANTUM lines, 5000 if not given\n"                                       \
    "\n"                                                                                           \
    "Exit Status:\n"                                                                               \
    "Zero unless an option is wrong or ARRAY cannot be assigned."

const struct builtin builtin_mapfile = {
    .name = "mapfile",
    .run = mapfile_run,
    .usage = "mapfile" MAPFILE_USAGE,
    .summary = MAPFILE_SUMMARY,
};

const struct builtin builtin_readarray = {
    .name = "readarray",
    .run = mapfile_run,
    .usage = "readarray" MAPFILE_USAGE,
    .summary = MAPFILE_SUMMARY,
};
#undef MAPFILE_USAGE
#undef MAPFILE_SUMMARY
