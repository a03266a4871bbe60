/* tail.c -- output the last part of files, and follow them as they grow
 *
 * A file that can be searched is read backwards from its end. Following looks at the size of each
 * file now and then; there is nothing in a sandbox that could tell sooner.
 */
#include "shell/command.h"

#include "base/error.h"
#include "commands/lib/queue.h"
#include "text/number.h"

enum {
    TAIL_BLOCK = 32768,
    TAIL_BY_DESCRIPTOR = 1,
    TAIL_BY_NAME = 2
};

struct tail {
    uint64_t count;
    bool bytes, from_start, retry, zero;
    int follow, titles;
    bool asked; /* an option said how much, or to follow */
    int64_t interval;
    struct strs pids;
    char delim;
};

static int tail_count(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct tail *t = args;
    struct str num = arg;

    t->asked = true;
    t->bytes = o->letter == 'c';
    t->from_start |= arg.n > 0 && arg.p[0] == '+'; /* a later option does not take it back */
    if (arg.n > 0 && (arg.p[0] == '+' || arg.p[0] == '-'))
        num = str_from(arg, 1);
    int r = size_parse(num, "bkKmMGTPEZYRQ0", &t->count);
    if (r == 0)
        return 0;
    proc_warn(p, "invalid number of %s: %s%s", t->bytes ? "bytes" : "lines",
              proc_quote(p, t->from_start ? arg : num),
              r == HOB_ERANGE ? ": Value too large for defined data type" : "");
    return 2;
}

static int tail_follow(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    static const struct word_row words[] = {
        {"descriptor", TAIL_BY_DESCRIPTOR}, {"name", TAIL_BY_NAME}, {NULL, 0}};
    struct tail *t = args;
    t->asked = true;
    if (o->letter == 'F')
        t->retry = true;
    t->follow = o->letter == 'F' ? TAIL_BY_NAME : TAIL_BY_DESCRIPTOR;
    return arg.p ? proc_word(p, "--follow", arg, words, &t->follow) : 0;
}

static int tail_interval(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    size_t used;
    long double v = number_parse(arg, &used);
    (void)o;
    if (used != arg.n || used == 0 || !(v >= 0)) {
        proc_warn(p, "invalid number of seconds: %s", proc_quote(p, arg));
        return 2;
    }
    ((struct tail *)args)->interval = v > 9e9L ? INT64_MAX : (int64_t)(v * 1e9L);
    return 0;
}

static int tail_pid(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    uint64_t v;
    (void)o;
    if (size_parse(arg, "", &v) < 0 || v > INT_MAX) {
        proc_warn(p, "invalid PID: %s", proc_quote(p, arg));
        return 2;
    }
    return proc_push(p, &((struct tail *)args)->pids, arg) ? 0 : 2;
}

static int tail_unchanged(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    uint64_t n;
    (void)args;
    (void)o;
    if (size_parse(arg, "", &n) == 0)
        return 0;
    proc_warn(p, "invalid maximum number of unchanged stats between opens: %s", proc_quote(p, arg));
    return 2;
}

static const struct opt tail_opts[] = {
    OPT_CALL('c', "bytes", tail_count, "[+]NUM",
             "show the last NUM bytes; with a '+' all from byte NUM on"),
    {OPT_KIND_CALL, OPT_ARG_OPTIONAL | OPT_LONG_ONLY_ARG, 'f', "follow", 0, 0, "name|descriptor",
     "go on with what is added to the file; by descriptor if nothing is said", tail_follow},
    OPT_CALL('F', NULL, tail_follow, NULL, "same as --follow=name --retry"),
    OPT_CALL('n', "lines", tail_count, "[+]NUM",
             "show the last NUM lines instead of 10; with a '+' all from line NUM on"),
    OPT_CALL(0, "max-unchanged-stats", tail_unchanged, "N",
             "accepted; names are looked at every time"),
    OPT_CALL(0, "pid", tail_pid, "PID", "with -f, end when process PID is gone"),
    OPT_SET('q', "quiet", struct tail, titles, -1, "never write headers with file names"),
    OPT_FLAG(0, "retry", struct tail, retry, "keep trying to open a file that cannot be opened"),
    OPT_SET('q', "silent", struct tail, titles, -1, "same as --quiet"),
    OPT_CALL('s', "sleep-interval", tail_interval, "N",
             "with -f, look every N seconds (default 1.0)"),
    OPT_SET('v', "verbose", struct tail, titles, 1, "always write headers with file names"),
    OPT_FLAG('z', "zero-terminated", struct tail, zero, "lines end with NUL, not newline"),
    OPT_END,
};

static void tail_defaults(struct proc *p, void *args)
{
    struct tail *t = args;
    (void)p;
    t->count = 10;
    t->interval = 1000000000;
}

/* The old form: 5, 5c, 5lf, behind a + or -. */
static bool tail_old(struct tail *t, struct str s, bool from_start)
{
    size_t n = 0;
    uint64_t v;

    while (n < s.n && s.p[n] >= '0' && s.p[n] <= '9')
        n++;
    struct str digits = str_sub(s, 0, n), unit = str_from(s, n);
    if (size_parse(digits, "", &v) < 0)
        return false;
    bool bytes = unit.n && (unit.p[0] == 'c' || unit.p[0] == 'b');
    if (unit.n && (bytes || unit.p[0] == 'l')) {
        if (unit.p[0] == 'b')
            v *= 512;
        unit = str_from(unit, 1);
    }
    bool follow = unit.n && unit.p[0] == 'f';
    unit = str_from(unit, follow);
    if (unit.n)
        return false;
    t->count = v;
    t->bytes = bytes;
    t->from_start = from_start;
    if (follow)
        t->follow = TAIL_BY_DESCRIPTOR;
    return true;
}

static int tail_number(struct proc *p, void *args, struct str s)
{
    if (tail_old(args, s, false))
        return NUMBER_TAKEN;
    proc_warn(p, "option used in invalid context -- %c", s.p[0]);
    return 2;
}

/* ---- one file ------------------------------------------------------------------------------- */

struct tail_file {
    struct str name, shown;
    struct file *file; /* NULL: cannot be opened now */
    bool std, ignore;
    int err; /* why it is not open */
    uint64_t size, dev, ino;
};

struct tail_state {
    struct proc *p;
    const struct tail *t;
    struct out out;
    struct tail_file *files;
    int n, status;
    bool titles, first;
    struct tail_file *last; /* whose bytes were written last */
};

static void tail_title(struct tail_state *s, struct tail_file *f)
{
    if (s->titles) {
        out_printf(&s->out, "%s==> ", s->first ? "" : "\n");
        out_str(&s->out, f->shown);
        out_puts(&s->out, " <==\n");
    }
    s->first = false;
    s->last = f;
}

/* Everything from here to the end. */
static int tail_rest(struct tail_state *s, struct in *in)
{
    while (in_fill(in) && !s->out.err) {
        struct slice piece = {blob_ref(in->held.blob), in->p, (size_t)(in->end - in->p)};
        in->p = in->end;
        out_give(&s->out, &piece);
    }
    return in->err;
}

/* Skips to line or byte `count`, counted from 1. */
static int tail_from_start(struct tail_state *s, struct in *in)
{
    uint64_t skip = s->t->count ? s->t->count - 1 : 0;
    while (skip && in_fill(in)) {
        size_t n = (size_t)(in->end - in->p);
        if (s->t->bytes) {
            n = (size_t)MIN((uint64_t)n, skip);
            in->p += n;
            skip -= n;
        } else {
            const char *nl = memchr(in->p, s->t->delim, n);
            in->p = nl ? nl + 1 : in->end;
            skip -= nl != NULL;
        }
    }
    return tail_rest(s, in);
}

/* The offset at which the last `count` lines start. */
static int64_t tail_find_lines(struct tail_state *s, struct file *f, uint64_t start, uint64_t end)
{
    char *block = arena_alloc(s->p->arena, TAIL_BLOCK);
    uint64_t left = s->t->count;
    bool at_end = true;

    if (!block)
        return HOB_ENOMEM;
    if (left == 0)
        return (int64_t)end;
    for (uint64_t pos = end; pos > start;) {
        size_t want = (size_t)MIN(pos - start, (uint64_t)TAIL_BLOCK), got = 0;
        pos -= want;
        if (file_seek(f, s->p, (int64_t)pos, 0) < 0)
            return HOB_ESPIPE;
        while (got < want) {
            ptrdiff_t r = file_read(f, s->p, block + got, want - got);
            if (r < 0)
                return r;
            if (r == 0)
                return (int64_t)start; /* it has become shorter meanwhile */
            got += (size_t)r;
        }
        for (size_t i = want; i > 0; i--) {
            if (block[i - 1] == s->t->delim && !at_end && --left == 0)
                return (int64_t)(pos + i);
            at_end = false;
        }
    }
    return (int64_t)start;
}

static int tail_seekable(struct tail_state *s, struct in *in, struct file *f)
{
    struct stat_info st;
    uint64_t start = f->off;
    int r = file_stat(f, &st);

    if (r < 0)
        return r;
    if (s->t->bytes) {
        uint64_t size = st.size > start ? st.size - start : 0;
        file_seek(f, s->p, (int64_t)(start + (size > s->t->count ? size - s->t->count : 0)), 0);
    } else {
        int64_t at = tail_find_lines(s, f, start, MAX(st.size, start));
        if (at < 0)
            return (int)at;
        file_seek(f, s->p, at, 0);
    }
    return tail_rest(s, in);
}

/* The last lines of what is queued. */
static void tail_queue_lines(struct tail_state *s, struct queue *q, char last)
{
    uint64_t lines = q->lines + (last != s->t->delim);
    uint64_t skip = lines > s->t->count ? lines - s->t->count : 0;
    struct queue_item *front;

    while ((front = queue_front(q))) {
        uint64_t has = front->lines;
        struct slice piece = queue_pop(q);
        if (skip > has) {
            skip -= has;
            slice_drop(&piece);
            continue;
        }
        for (; skip; skip--) {
            const char *nl = memchr(piece.p, s->t->delim, piece.n);
            piece.n -= (size_t)(nl + 1 - piece.p);
            piece.p = nl + 1;
        }
        if (piece.n)
            out_give(&s->out, &piece);
        else
            slice_drop(&piece);
    }
}

static void tail_queue_bytes(struct tail_state *s, struct queue *q)
{
    uint64_t skip = q->bytes > s->t->count ? q->bytes - s->t->count : 0;
    while (queue_front(q)) {
        struct slice piece = queue_pop(q);
        size_t cut = (size_t)MIN(skip, (uint64_t)piece.n);
        skip -= cut;
        piece.p += cut;
        piece.n -= cut;
        if (piece.n)
            out_give(&s->out, &piece);
        else
            slice_drop(&piece);
    }
}

static int tail_stream(struct tail_state *s, struct in *in)
{
    struct queue q;
    struct queue_item *front;
    char last = s->t->delim;
    int r = 0;

    queue_init(&q, &s->p->kernel->heap);
    while (r == 0 && in_fill(in)) {
        last = in->end[-1];
        r = queue_take(&q, in, s->t->delim);
        while (r == 0 && (front = queue_front(&q)) &&
               (s->t->bytes ? q.bytes - front->s.n >= s->t->count
                            : q.lines - front->lines > s->t->count)) {
            struct slice old = queue_pop(&q);
            slice_drop(&old);
        }
    }
    if (r == 0 && in->err == 0) {
        if (s->t->bytes)
            tail_queue_bytes(s, &q);
        else if (s->t->count)
            tail_queue_lines(s, &q, last);
    }
    queue_fini(&q);
    return r < 0 ? r : in->err;
}

static int tail_open(struct tail_state *s, struct tail_file *f)
{
    if (f->std) {
        f->file = proc_file(s->p, 0);
        return f->file ? 0 : HOB_EBADF;
    }
    return vfs_open(s->p, f->name, FILE_READ, 0, &f->file);
}

/* Remembers where the file stands, for following. */
static void tail_note(struct tail_file *f)
{
    struct stat_info st;
    if (f->file && file_stat(f->file, &st) == 0) {
        f->size = f->file->off;
        f->dev = st.dev;
        f->ino = st.ino;
        if (f->std && (st.mode & MODE_TYPE) == MODE_FIFO)
            f->ignore = true;
    }
}

static void tail_one(struct tail_state *s, struct tail_file *f)
{
    struct in in;
    struct stat_info st;
    int r = tail_open(s, f);

    if (r < 0 && r != HOB_EISDIR) {
        f->err = r;
        f->file = NULL;
        f->ignore = !s->t->retry;
        s->status = 1;
        proc_warn_quoted(s->p, "cannot open %s for reading", f->name, r);
        return;
    }
    tail_title(s, f);
    in_init_file(&in, s->p, r < 0 ? NULL : f->file, false);
    in.err = r < 0 ? r : in.err;
    bool regular = f->file && (f->file->flags & FILE_SEEKABLE) && file_stat(f->file, &st) == 0 &&
                   MODE_IS_FILE(st.mode);
    if (s->t->from_start)
        r = tail_from_start(s, &in);
    else if (in.err == 0 && regular)
        r = tail_seekable(s, &in, f->file);
    else
        r = tail_stream(s, &in);
    in_fini(&in);
    if (r < 0 && r != HOB_EKILLED) {
        proc_warn_quoted(s->p, "error reading %s", f->shown, r);
        s->status = 1;
        f->ignore = true;
        if (s->t->follow && r == HOB_EISDIR)
            proc_warn(s->p, "%s: cannot follow end of this type of file%s",
                      proc_quotef(s->p, f->shown), s->t->retry ? "" : "; giving up on this name");
    }
    if (r == HOB_EKILLED)
        s->out.err = r;
    tail_note(f);
}

/* ---- following ------------------------------------------------------------------------------ */

static void tail_close(struct tail_file *f)
{
    if (!f->std)
        file_unref(f->file);
    f->file = NULL;
}

/* What has been added since the last look. */
static void tail_added(struct tail_state *s, struct tail_file *f)
{
    struct stat_info st;
    if (file_stat(f->file, &st) < 0)
        return;
    if (MODE_IS_FILE(st.mode) && st.size < f->size) {
        proc_warn(s->p, "%s: file truncated", proc_quotef(s->p, f->shown));
        f->size = 0;
    }
    if (MODE_IS_FILE(st.mode) && st.size == f->size)
        return;
    struct in in;
    if (MODE_IS_FILE(st.mode))
        file_seek(f->file, s->p, (int64_t)f->size, 0);
    in_init_file(&in, s->p, f->file, false);
    if (in_fill(&in) && s->last != f)
        tail_title(s, f);
    tail_rest(s, &in);
    in_fini(&in);
    f->size = f->file->off;
}

/* By name: the name may have come to mean another file. */
static void tail_recheck(struct tail_state *s, struct tail_file *f)
{
    struct stat_info st;
    const char *name = proc_quoteaf(s->p, f->shown);
    int err = vfs_stat(s->p, f->name, 0, &st);

    if (err < 0) {
        if (f->file && s->t->retry)
            proc_warn(s->p, "%s has become inaccessible: %s", name, error_text(err));
        else if (f->file)
            proc_warn_file(s->p, f->shown, err);
        tail_close(f);
        f->err = err;
        return;
    }
    if (f->file && st.dev == f->dev && st.ino == f->ino)
        return;
    struct file *fresh;
    bool missing = !f->file;
    err = vfs_open(s->p, f->name, FILE_READ, 0, &fresh);
    if (err < 0)
        return;
    tail_close(f);
    f->file = fresh;
    f->err = 0;
    f->dev = st.dev;
    f->ino = st.ino;
    f->size = 0;
    proc_warn(s->p,
              missing ? "%s has appeared;  following new file"
                      : "%s has been replaced;  following new file",
              name);
}

static bool tail_pids_gone(struct tail_state *s)
{
    for (size_t i = 0; i < s->t->pids.n; i++) {
        int64_t pid = 0;
        str_int(s->t->pids.p[i], &pid);
        struct proc *q = proc_find(s->p->kernel, (int)pid);
        /* One that ended counts as gone, awaited or not. */
        if (pid > 0 &&
            ((q && q->state == PROC_ZOMBIE) || proc_kill(s->p, (int)pid, 0) == HOB_ESRCH))
            return true;
    }
    return false;
}

static int tail_watch(struct tail_state *s)
{
    for (;;) {
        int live = 0;
        bool gone = tail_pids_gone(s);
        for (int i = 0; i < s->n; i++) {
            struct tail_file *f = &s->files[i];
            if (f->ignore)
                continue;
            if (!f->std && (s->t->follow == TAIL_BY_NAME || !f->file))
                tail_recheck(s, f);
            if (f->file)
                tail_added(s, f);
            live += !f->ignore;
        }
        if (out_flush(&s->out) < 0 || gone)
            return 0;
        if (!live) {
            proc_warn(s->p, "no files remaining");
            return 1;
        }
        int r = proc_sleep(s->p, MAX(s->t->interval, (int64_t)1000000));
        if (r < 0 && r != HOB_EINTR)
            return r;
    }
}

static int tail_run(struct proc *p, void *args)
{
    struct tail *t = args;
    static const struct str only = STR_INIT("-");
    struct tail_state s = {.p = p, .t = t, .first = true};
    bool live = false;

    t->delim = t->zero ? '\0' : '\n';
    if (!t->asked && (p->argc == 1 || p->argc == 2) && p->argv[0].n > 1 && p->argv[0].p[0] == '+' &&
        tail_old(t, str_from(p->argv[0], 1), true)) {
        p->argv++;
        p->argc--;
    }
    if (t->retry && !t->follow)
        proc_warn(p, "warning: --retry ignored; --retry is useful only when following");
    else if (t->retry && t->follow == TAIL_BY_DESCRIPTOR)
        proc_warn(p, "warning: --retry only effective for the initial open");
    if (t->pids.n && !t->follow)
        proc_warn(p, "warning: PID ignored; --pid=PID is useful only when following");
    if (t->count == 0 && !t->from_start && !t->follow) /* not even titles, nor missing files */
        return 0;
    s.n = p->argc ? p->argc : 1;
    s.files = arena_array(p->arena, struct tail_file, s.n);
    if (!s.files)
        return HOB_ENOMEM;
    s.titles = t->titles > 0 || (t->titles == 0 && s.n > 1);
    out_init(&s.out, p, 1);
    for (int i = 0; i < s.n; i++) {
        struct tail_file *f = &s.files[i];
        f->name = p->argc ? p->argv[i] : only;
        f->std = str_eqz(f->name, "-");
        f->shown = f->std ? STR("standard input") : f->name;
        if (f->std && t->follow == TAIL_BY_NAME) {
            proc_warn(p, "cannot follow %s by name", proc_quoteaf(p, f->name));
            return 1;
        }
    }
    for (int i = 0; i < s.n && !s.out.err; i++) {
        tail_one(&s, &s.files[i]);
        live |= !s.files[i].ignore;
    }
    if (t->follow && !s.out.err && out_flush(&s.out) == 0) {
        int r = live ? tail_watch(&s) : 0;
        bool piped = s.n == 1 && s.files[0].std;
        if (!live && !piped)
            proc_warn(p, "no files remaining");
        s.status = r ? r : live || piped ? s.status : 1;
    }
    for (int i = 0; i < s.n; i++)
        tail_close(&s.files[i]);
    return command_close(p, &s.out, s.status);
}

const struct command cmd_tail = {
    .name = "tail",
    .usage = "[OPTION]... [FILE]...",
    .summary = "Write the last 10 lines of each FILE to standard output.",
    .notes =
        "With more than one FILE, each is headed by its name. Without FILE, or when FILE is -,\n"
        "standard input is read. NUM may have a multiplier: b 512, kB 1000, K 1024, MB 1000*1000,\n"
        "M 1024*1024, and so on for G, T, P, E.",
    .opts = tail_opts,
    .args_size = sizeof(struct tail),
    .flags = CMD_NUMERIC,
    .usage_status = 1,
    .run = tail_run,
    .defaults = tail_defaults,
    .number = tail_number,
};
