/* sort.c -- sort lines of text
 *
 * Everything is read first; lines are an index into it. Each carries the rank of its first key, so
 * that most comparisons are of two numbers. The sort is a stable merge.
 */
#include "commands/lib/locale.h"
#include "commands/sort/sort.h"

#include "base/error.h"
#include "base/utf8.h"

enum {
    SORT_FAILED = 2,
    SORT_RUN = 12
};

/* ---- options -------------------------------------------------------------------------------- */

static int sort_letter(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct sorter *s = args;
    (void)p;
    (void)arg;
    sort_key_letter(&s->all, o->letter, true, true);
    return 0;
}

static int sort_add_key(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct sorter *s = args;
    (void)o;
    s->p = p;
    struct sort_key *keys =
        arena_grow(p->arena, s->keys, s->nkeys * sizeof *keys, (s->nkeys + 1) * sizeof *keys);
    if (!keys)
        return SORT_FAILED + 1;
    s->keys = keys;
    return sort_key_parse(s, arg, &keys[s->nkeys++]);
}

static int sort_word(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    static const struct word_row words[] = {
        {"general-numeric", 'g'}, {"human-numeric", 'h'}, {"month", 'M'}, {"numeric", 'n'},
        {"random", 'R'},          {"version", 'V'},       {NULL, 0}};
    struct sorter *s = args;
    int letter = 0, r = proc_word(p, "--sort", arg, words, &letter);
    (void)o;
    if (r == 0)
        sort_key_letter(&s->all, (char)letter, true, true);
    return r;
}

static int sort_check(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    static const struct word_row words[] = {
        {"quiet", 'C'}, {"silent", 'C'}, {"diagnose-first", 'c'}, {NULL, 0}};
    struct sorter *s = args;
    int kind = o->letter == 'C' ? 'C' : 'c';
    int r = arg.p ? proc_word(p, "--check", arg, words, &kind) : 0;
    if (r == 0 && s->check && s->check != kind) {
        proc_warn(p, "options '-cC' are incompatible");
        return SORT_FAILED + 1;
    }
    s->check = (char)kind;
    return r;
}

static int sort_tab(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct sorter *s = args;
    (void)o;
    if (arg.n == 0) {
        proc_warn(p, "empty tab");
        return SORT_FAILED + 1;
    }
    char tab = arg.p[0];
    if (str_eqz(arg, "\\0")) {
        tab = '\0';
    } else if (arg.n > 1) {
        proc_warn(p, "multi-character tab %s", proc_quote(p, arg));
        return SORT_FAILED + 1;
    }
    if (s->tab_set && s->tab != tab) {
        proc_warn(p, "incompatible tabs");
        return SORT_FAILED + 1;
    }
    s->tab = tab;
    s->tab_set = true;
    return 0;
}

static int sort_output(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct sorter *s = args;
    (void)o;
    if (s->output.p && !str_eq(s->output, arg)) {
        proc_warn(p, "multiple output files specified");
        return SORT_FAILED + 1;
    }
    s->output = arg;
    return 0;
}

/* Sizes and counts that change nothing here, but must be right. */
static int sort_amount(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    uint64_t v;
    struct str num = arg;
    (void)args;
    bool size = o->letter == 'S';
    if (size && num.n && num.p[num.n - 1] == '%')
        num.n--;
    int r = size_parse(num, size ? "bEgGkKmMPtTYZ" : "", &v);
    if (r == HOB_EINVAL) {
        const char *name = size ? "-S" : o->name[0] == 'p' ? "--parallel" : "--batch-size";
        if (size && num.n && ascii_digit(num.p[0]))
            proc_warn(p, "invalid suffix in -S argument %s", proc_quoteaf(p, arg));
        else
            proc_warn(p, "invalid %s argument %s", name, proc_quoteaf(p, arg));
        return SORT_FAILED + 1;
    }
    if (!size && o->name[0] == 'p' && v == 0) {
        proc_warn(p, "number in parallel must be nonzero");
        return SORT_FAILED + 1;
    }
    if (!size && o->name[0] == 'b' && v < 2) {
        proc_warn(p, "invalid --batch-size argument %s", proc_quote(p, arg));
        proc_warn(p, "minimum --batch-size argument is %s", proc_quote(p, STR("2")));
        return SORT_FAILED + 1;
    }
    return 0;
}

/* The bytes that -R begins with: of a file, or of the sandbox's own. */
static int sort_salt(struct sorter *s)
{
    uint64_t bytes[2];
    struct in in;
    bool random = s->all.random;

    for (size_t i = 0; i < s->nkeys; i++)
        random |= s->keys[i].random;
    if (!random)
        return 0;
    for (size_t i = 0; i < COUNT(bytes); i++)
        bytes[i] = random_next(&s->p->kernel->random);
    hash_init(&s->salt, HASH_MD5);
    if (s->random_source.p) {
        int r = in_open_quiet(&in, s->p, s->random_source);
        if (r < 0) {
            proc_warn(s->p, "open failed: %s: %s", proc_quotef(s->p, s->random_source),
                      error_text(r));
            return SORT_FAILED;
        }
        for (size_t i = 0; i < sizeof bytes; i++) {
            int c = in_getc(&in);
            if (c < 0) {
                if (in.err)
                    proc_warn(s->p, "%s: read error: %s", proc_quote(s->p, s->random_source),
                              error_text(in.err));
                else
                    proc_warn(s->p, "%s: end of file", proc_quote(s->p, s->random_source));
                in_fini(&in);
                return SORT_FAILED;
            }
            ((unsigned char *)bytes)[i] = (unsigned char)c;
        }
        in_fini(&in);
    }
    hash_add(&s->salt, bytes, sizeof bytes);
    return 0;
}

#define SORT_LETTER(c, n, h) OPT_CALL(c, n, sort_letter, NULL, h)
static const struct opt sort_opts[] = {
    SORT_LETTER('b', "ignore-leading-blanks", "skip blanks at the start of keys"),
    SORT_LETTER('d', "dictionary-order", "only blanks, letters and digits count"),
    SORT_LETTER('f', "ignore-case", "lower case letters count as upper case"),
    SORT_LETTER('g', "general-numeric-sort", "by floating-point numbers"),
    SORT_LETTER('i', "ignore-nonprinting", "only printable characters count"),
    SORT_LETTER('M', "month-sort", "by names of months: unknown < JAN < ... < DEC"),
    SORT_LETTER('h', "human-numeric-sort", "by sizes like 2K 1G"),
    SORT_LETTER('n', "numeric-sort", "by decimal numbers"),
    SORT_LETTER('R', "random-sort", "in random order, equal keys together"),
    OPT_STRING(0, "random-source", struct sorter, random_source, "FILE",
               "take random bytes from FILE"),
    SORT_LETTER('r', "reverse", "the other way round"),
    OPT_CALL(0, "sort", sort_word, "WORD",
             "general-numeric (-g), human-numeric (-h), month (-M), numeric (-n), random (-R), "
             "version (-V)"),
    SORT_LETTER('V', "version-sort", "by the numbers in names and versions"),
    OPT_CALL(0, "batch-size", sort_amount, "NMERGE", "accepted: everything is merged at once"),
    {OPT_KIND_CALL, OPT_ARG_OPTIONAL | OPT_LONG_ONLY_ARG, 'c', "check", 0, 0, "WORD",
     "only look whether the input is sorted: diagnose-first, quiet or silent (-C)", sort_check},
    OPT_CALL('C', NULL, sort_check, NULL, "the same without a message"),
    OPT_STRING(0, "compress-program", struct sorter, compress, "PROG",
               "accepted: there are no temporary files"),
#ifndef HOB_CORE
    OPT_FLAG(0, "debug", struct sorter, debug,
             "underline what is compared, and tell about keys that are easily mistaken"),
#endif
    OPT_STRING(0, "files0-from", struct sorter, files0, "F",
               "read the NUL-terminated names of the input files from F"),
    OPT_CALL('k', "key", sort_add_key, "KEYDEF", "sort by a key; see below"),
    OPT_FLAG('m', "merge", struct sorter, merge, "merge files that are sorted already"),
    OPT_CALL('o', "output", sort_output, "FILE", "write to FILE, not to standard output"),
    OPT_FLAG('s', "stable", struct sorter, stable, "lines with equal keys stay in order"),
    OPT_CALL('S', "buffer-size", sort_amount, "SIZE",
             "accepted: the memory of the sandbox is used"),
    OPT_CALL('t', "field-separator", sort_tab, "SEP",
             "fields are parted by SEP, not by the change from non-blank to blank"),
    OPT_STRING('T', "temporary-directory", struct sorter, temp, "DIR",
               "accepted: there are no temporary files"),
    OPT_CALL(0, "parallel", sort_amount, "N", "accepted: one thread does it all"),
    OPT_FLAG('u', "unique", struct sorter, unique,
             "one of several equal lines; with -c, look for strict order"),
    OPT_FLAG('z', "zero-terminated", struct sorter, zero, "lines end with NUL, not newline"),
    OPT_END,
};
#undef SORT_LETTER

/* ---- sorting -------------------------------------------------------------------------------- */

static inline bool sort_after(const struct sorter *s, const struct sort_line *a,
                              const struct sort_line *b)
{
    if (a->rank != b->rank)
        return a->rank > b->rank;
    return sort_compare(s, str_of(a->p, a->n), str_of(b->p, b->n), true) > 0;
}

static void sort_insertion(const struct sorter *s, struct sort_line *v, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        struct sort_line x = v[i];
        size_t k = i;
        for (; k > 0 && sort_after(s, &v[k - 1], &x); k--)
            v[k] = v[k - 1];
        v[k] = x;
    }
}

static void sort_merge_runs(const struct sorter *s, const struct sort_line *a, size_t an,
                            const struct sort_line *b, size_t bn, struct sort_line *to)
{
    while (an && bn) {
        if (sort_after(s, a, b)) {
            *to++ = *b++;
            bn--;
        } else {
            *to++ = *a++;
            an--;
        }
    }
    memcpy(to, an ? a : b, (an + bn) * sizeof *to);
}

/* Sorts v; the result stands in v. Deep as the logarithm of n. */
static int sort_lines(struct sorter *s, struct sort_line *v, size_t n, struct sort_line *tmp)
{
    if (n <= SORT_RUN) {
        sort_insertion(s, v, n);
        return 0;
    }
    size_t half = n / 2;
    int r = sort_lines(s, v, half, tmp);
    if (r == 0)
        r = sort_lines(s, v + half, n - half, tmp);
    if (r < 0 || (n > 4096 && (r = proc_tick(s->p, (int64_t)(n / 64))) < 0))
        return r;
    if (!sort_after(s, &v[half - 1], &v[half]))
        return 0;
    memcpy(tmp, v, half * sizeof *v);
    sort_merge_runs(s, tmp, half, v + half, n - half, v);
    return 0;
}

/* ---- input ---------------------------------------------------------------------------------- */

static int sort_open(struct sorter *s, struct in *in, struct str name)
{
    int r = in_open_quiet(in, s->p, name);
    if (r < 0)
        proc_warn(s->p, "cannot read: %s: %s", proc_quotef(s->p, name), error_text(r));
    return r < 0 ? SORT_FAILED : 0;
}

static int sort_read_failed(struct sorter *s, struct str name, int err)
{
    if (err == HOB_ENOMEM || err == HOB_EKILLED)
        return err;
    proc_warn(s->p, "read failed: %s: %s", proc_quotef(s->p, name), error_text(err));
    return SORT_FAILED;
}

/* All of the inputs in one piece, each line with its end. */
static int sort_read(struct sorter *s, const struct str *names, size_t n, struct buf *b)
{
    for (size_t i = 0; i < n; i++) {
        struct in in;
        int r = sort_open(s, &in, names[i]);
        if (r)
            return r;
        struct stat_info st;
        if (in.file && file_stat(in.file, &st) == 0 && MODE_IS_FILE(st.mode))
            buf_reserve(b, (size_t)st.size + 2);
        while (in_fill(&in)) {
            size_t before = b->n, len = (size_t)(in.end - in.p);
            buf_add(b, in.p, len);
            in.p = in.end;
            if (b->n != before + len)
                in.err = HOB_ENOMEM;
        }
        r = in.err;
        in_fini(&in);
        if (r < 0)
            return sort_read_failed(s, names[i], r);
        if (b->n && b->p[b->n - 1] != s->delim)
            buf_putc(b, s->delim);
    }
    return s->p->kernel->heap.oom ? HOB_ENOMEM : 0;
}

struct sort_index {
    struct sort_line *p;
    size_t n, cap;
};

static int sort_split(struct sorter *s, struct str text, struct sort_index *v)
{
    const char *p = text.p, *end = text.p + text.n;
    size_t total = 0;
    for (const char *at = p; at < end && (at = memchr(at, s->delim, (size_t)(end - at))); at++)
        total++;
    if (total && !vec_reserve(&s->p->kernel->heap, v, total))
        return HOB_ENOMEM;
    while (p < end) {
        const char *nl = memchr(p, s->delim, (size_t)(end - p));
        struct str line = str_of(p, (size_t)(nl - p));
        v->p[v->n++] = (struct sort_line){sort_rank(s, line), line.p, line.n};
        p = nl + 1;
        if ((v->n & 8191) == 0 && proc_tick(s->p, 64) < 0)
            return HOB_EKILLED;
    }
    return 0;
}

/* ---- output --------------------------------------------------------------------------------- */

struct sort_sink {
    struct out out;
    struct file *file; /* of -o */
};

static int sort_sink_open(struct sorter *s, struct sort_sink *k)
{
    k->file = NULL;
    if (!s->output.p) {
        out_init(&k->out, s->p, 1);
        return 0;
    }
    int r = vfs_open(s->p, s->output, FILE_WRITE | FILE_CREATE | FILE_TRUNC, 0666, &k->file);
    if (r < 0) {
        proc_warn(s->p, "open failed: %s: %s", proc_quotef(s->p, s->output), error_text(r));
        return SORT_FAILED;
    }
    out_init_file(&k->out, s->p, k->file);
    return 0;
}

static int sort_sink_close(struct sorter *s, struct sort_sink *k, int status)
{
    int err = out_fini(&k->out);
    file_unref(k->file);
    if (err == 0 || status < 0)
        return status;
    if (proc_check(s->p) < 0 || err == HOB_EKILLED)
        return HOB_EKILLED;
    /* What fits a buffer of stdio fails only when that is flushed. */
    proc_warn(s->p, "%s failed: %s: %s", s->written < 4096 ? "fflush" : "write",
              s->output.p ? proc_quotef(s->p, s->output) : "'standard output'", error_text(err));
    if (!s->output.p)
        proc_warn(s->p, "write error");
    return SORT_FAILED;
}

static void sort_write(struct sorter *s, struct out *o, struct str line)
{
#ifndef HOB_CORE
    if (s->debug) {
        sort_debug_line(s, o, line);
        return;
    }
#endif
    char *to = line.n < 4096 ? out_reserve(o, line.n + 1) : NULL;
    s->written += line.n + 1;
    if (to) {
        memcpy(to, line.p, line.n);
        to[line.n] = s->delim;
        out_commit(o, line.n + 1);
    } else {
        out_str(o, line);
        out_write(o, &s->delim, 1);
    }
}

static int sort_all(struct sorter *s, const struct str *names, size_t n)
{
    struct heap *h = &s->p->kernel->heap;
    struct sort_index v = {0}, tmp = {0};
    struct sort_sink sink;
    struct buf text;

    buf_init(&text, h);
    int r = sort_read(s, names, n, &text);
    if (r == 0)
        r = sort_split(s, buf_get(&text), &v);
    if (r == 0 && v.n > SORT_RUN && !vec_reserve(h, &tmp, v.n / 2 + 1))
        r = HOB_ENOMEM;
    if (r == 0)
        r = sort_lines(s, v.p, v.n, tmp.p);
    vec_fini(h, &tmp);
    if (r == 0 && (r = sort_sink_open(s, &sink)) == 0) {
        struct str last = STR_NONE;
        for (size_t i = 0; i < v.n && !sink.out.err; i++) {
            struct str line = str_of(v.p[i].p, v.p[i].n);
            if (s->unique && last.p && sort_compare(s, last, line, false) == 0)
                continue;
            sort_write(s, &sink.out, line);
            last = line;
        }
        r = sort_sink_close(s, &sink, 0);
    }
    vec_fini(h, &v);
    buf_fini(&text);
    return r;
}

/* ---- -m ------------------------------------------------------------------------------------- */

struct sort_stream {
    struct in in;
    struct buf line; /* the line at its head */
    bool open, has;
};

static int sort_stream_next(struct sorter *s, struct sort_stream *f, struct str name)
{
    struct str line;
    bool had;
    f->has = in_line(&f->in, s->delim, &line, &had);
    buf_clear(&f->line);
    if (f->has)
        buf_str(&f->line, line);
    return f->in.err < 0 ? sort_read_failed(s, name, f->in.err) : 0;
}

static int sort_merge_streams(struct sorter *s, struct sort_stream *f, const struct str *names,
                              size_t n, struct out *o)
{
    struct buf last;
    bool any = false;
    int r = 0;

    buf_init(&last, &s->p->kernel->heap);
    while (r == 0 && !o->err) {
        size_t best = n;
        for (size_t i = 0; i < n; i++) {
            if (f[i].has && (best == n || sort_compare(s, buf_get(&f[best].line),
                                                       buf_get(&f[i].line), true) > 0))
                best = i;
        }
        if (best == n)
            break;
        struct str line = buf_get(&f[best].line);
        if (!(s->unique && any && sort_compare(s, buf_get(&last), line, false) == 0)) {
            sort_write(s, o, line);
            if (s->unique) {
                buf_clear(&last);
                buf_str(&last, line);
            }
            any = true;
        }
        r = sort_stream_next(s, &f[best], names[best]);
    }
    buf_fini(&last);
    return r;
}

static int sorter_merge(struct sorter *s, const struct str *names, size_t n)
{
    struct sort_stream *f = arena_array(s->p->arena, struct sort_stream, n);
    struct sort_sink sink;
    int r = f ? 0 : HOB_ENOMEM;

    for (size_t i = 0; r == 0 && i < n; i++) {
        r = sort_open(s, &f[i].in, names[i]);
        if (r == 0) {
            f[i].open = true;
            buf_init(&f[i].line, &s->p->kernel->heap);
            r = sort_stream_next(s, &f[i], names[i]);
        }
        /* The output may be one of the inputs: then that one is read to its end first. */
        if (r == 0 && s->output.p && str_eq(s->output, names[i])) {
            struct str text;
            r = in_all(&f[i].in, &text);
            if (r == 0) {
                f[i].in.p = text.p;
                f[i].in.end = text.p + text.n;
                f[i].in.eof = true;
                if (f[i].in.own)
                    file_unref(f[i].in.file);
                f[i].in.own = false;
                f[i].in.file = NULL;
            }
        }
    }
    if (r == 0 && (r = sort_sink_open(s, &sink)) == 0)
        r = sort_sink_close(s, &sink, sort_merge_streams(s, f, names, n, &sink.out));
    for (size_t i = 0; f && i < n; i++) {
        if (f[i].open) {
            in_fini(&f[i].in);
            buf_fini(&f[i].line);
        }
    }
    return r;
}

/* ---- -c ------------------------------------------------------------------------------------- */

static int sort_is_sorted(struct sorter *s, struct str name)
{
    struct in in;
    struct str line;
    struct buf last;
    bool had, first = true;
    uint64_t number = 0;
    int r = sort_open(s, &in, name);

    if (r)
        return r;
    buf_init(&last, &s->p->kernel->heap);
    while (r == 0 && in_line(&in, s->delim, &line, &had)) {
        number++;
        int d = first ? -1 : sort_compare(s, buf_get(&last), line, !s->unique);
        if (d > 0 || (s->unique && d == 0)) {
            if (s->check == 'c')
                proc_warn(s->p, "%s:%llu: disorder: %.*s", proc_quotef(s->p, name),
                          (unsigned long long)number, STR_ARG(line));
            r = 1;
        }
        buf_clear(&last);
        buf_str(&last, line);
        first = false;
    }
    if (in.err < 0)
        r = sort_read_failed(s, name, in.err);
    in_fini(&in);
    buf_fini(&last);
    return r;
}

/* ---- run ------------------------------------------------------------------------------------ */

static int sort_names0(struct sorter *s, struct strs *names)
{
    struct proc *p = s->p;
    struct in in;
    struct str text;

    if (p->argc) {
        proc_warn(p, "extra operand %s", proc_quoteaf(p, p->argv[0]));
        proc_puts(p, 2, STR("file operands cannot be combined with --files0-from\n"));
        return proc_usage(p);
    }
    int r = in_open_quiet(&in, p, s->files0);
    if (r < 0) {
        proc_warn(p, "open failed: %s: %s", proc_quotef(p, s->files0), error_text(r));
        return SORT_FAILED;
    }
    r = in_all(&in, &text);
    in_fini(&in);
    if (r < 0)
        return sort_read_failed(s, s->files0, r);
    for (size_t i = 1; text.n; i++) {
        ptrdiff_t nul = str_chr(text, '\0');
        struct str name = str_sub(text, 0, nul < 0 ? text.n : (size_t)nul);
        text = str_from(text, name.n + 1);
        if (name.n == 0) {
            proc_warn(p, "%s:%zu: invalid zero-length file name", proc_quotef(p, s->files0), i);
            return SORT_FAILED;
        }
        if (!proc_push(p, names, arena_str(p->arena, name)))
            return HOB_ENOMEM;
    }
    if (names->n == 0) {
        proc_warn(p, "no input from %s", proc_quoteaf(p, s->files0));
        return SORT_FAILED;
    }
    return 0;
}

static int sort_prepare(struct sorter *s)
{
#ifndef HOB_CORE
    if (s->debug && (s->check || s->output.p)) {
        proc_warn(s->p, "options '-%c --debug' are incompatible", s->check ? s->check : 'o');
        return SORT_FAILED;
    }
    if (s->debug)
        sort_debug_start(s);
#endif
    return sort_salt(s);
}

static int sort_run(struct proc *p, void *args)
{
    struct sorter *s = args;
    static const struct str only = STR_INIT("-");
    struct strs listed = {0};
    const struct str *names = p->argc ? p->argv : &only;
    size_t n = p->argc ? (size_t)p->argc : 1;

    s->p = p;
    s->delim = s->zero ? '\0' : '\n';
    s->bytes = locale_bytes(p);
    int r = sort_keys_settle(s);
    if (r == 0)
        r = sort_prepare(s);
    if (r)
        return r;
    if (s->files0.p) {
        if ((r = sort_names0(s, &listed)) != 0)
            return r;
        names = listed.p;
        n = listed.n;
    }
    if (s->check) {
        if (n > 1) {
            proc_warn(p, "extra operand %s not allowed with -%c", proc_quoteaf(p, names[1]),
                      s->check);
            return SORT_FAILED;
        }
        if (s->output.p) {
            proc_warn(p, "options '-%co' are incompatible", s->check);
            return SORT_FAILED;
        }
        return sort_is_sorted(s, names[0]);
    }
    return s->merge ? sorter_merge(s, names, n) : sort_all(s, names, n);
}

const struct command cmd_sort = {
    .name = "sort",
    .usage = "[OPTION]... [FILE]...\n[OPTION]... --files0-from=F",
    .summary = "Write the lines of all FILEs, sorted.",
    .notes =
        "Without FILE, or when FILE is -, standard input is read. KEYDEF is "
        "F[.C][OPTS][,F[.C][OPTS]]:\n"
        "the field and character where the key starts and ends, counted from 1; it ends with the\n"
        "line when the end is left out. OPTS are letters of [bdfgiMhnRrV] and take the place of\n"
        "the options that hold for all keys. Lines are compared by bytes.",
    .opts = sort_opts,
    .args_size = sizeof(struct sorter),
    .usage_status = SORT_FAILED,
    .run = sort_run,
};
