/* csplit.c -- split a file where lines match, or at line numbers
 *
 * Lines go to the present piece as they are read; only those that an offset such as /x/-3 may still
 * give to another piece are held back.
 */
#include "shell/command.h"

#include "base/error.h"
#include "base/fmt.h"
#include "base/utf8.h"
#include "commands/lib/count.h"
#include "text/regex.h"

struct csplit_pattern {
    struct str text;  /* as it was written */
    struct regex *re; /* NULL: a line number */
    uint64_t line;    /* the line number, */
    int64_t offset;   /* or lines behind the match */
    bool skip;        /* %re%: what stands before is not written */
    bool forever;     /* {*} */
    uint64_t repeat;  /* {N} */
};

struct csplit {
    bool keep, quiet, elide, suppress;
    struct str prefix, suffix;
    int64_t digits;
    struct proc *p;
    struct out counts;
    VEC(struct csplit_pattern) patterns;
    struct in in;
    /* lines that were read but not used: their bytes, and where each ends */
    struct buf held;
    VEC(size_t) ends;
    size_t next_end;  /* of the first of them */
    uint64_t first;   /* its number */
    uint64_t current; /* the last line that was looked at */
    /* the present piece */
    struct file *file;
    struct out out;
    uint64_t written, files;
};

static int csplit_digits(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    (void)o;
    return 2 *
           count_parse(p, arg, 0, INT32_MAX, "invalid number", &((struct csplit *)args)->digits);
}

static const struct opt csplit_opts[] = {
    OPT_STRING('b', "suffix-format", struct csplit, suffix, "FORMAT",
               "name pieces by this printf FORMAT, not %02d"),
    OPT_STRING('f', "prefix", struct csplit, prefix, "PREFIX", "begin names with PREFIX, not xx"),
    OPT_FLAG('k', "keep-files", struct csplit, keep, "keep the pieces after an error"),
    OPT_FLAG(0, "suppress-matched", struct csplit, suppress, "leave out the lines that match"),
    OPT_CALL('n', "digits", csplit_digits, "DIGITS", "this many digits in names, not 2"),
    OPT_FLAG('s', "quiet", struct csplit, quiet, "do not print the sizes of the pieces"),
    OPT_FLAG('q', NULL, struct csplit, quiet, "same as -s"),
    OPT_FLAG(0, "silent", struct csplit, quiet, "same as --quiet"),
    OPT_FLAG('z', "elide-empty-files", struct csplit, elide, "do not keep empty pieces"),
    OPT_END,
};

static void csplit_defaults(struct proc *p, void *args)
{
    struct csplit *c = args;
    (void)p;
    c->prefix = STR("xx");
    c->digits = 2;
}

/* ---- names of pieces ------------------------------------------------------------------------ */

struct csplit_format {
    struct str before, after; /* with %% in them */
    bool left, zero, sharp;
    size_t width;
    ptrdiff_t precision; /* -1: none */
    char conv;
};

static size_t csplit_number(struct str s, size_t *at)
{
    size_t v = 0;
    for (; *at < s.n && ascii_digit(s.p[*at]); ++*at)
        v = MIN(v * 10 + (size_t)(s.p[*at] - '0'), (size_t)VFS_PATH_MAX); /* longer than any name */
    return v;
}

static int csplit_bad_conversion(struct proc *p, struct str s, size_t i)
{
    if (i >= s.n)
        proc_warn(p, "missing conversion specifier in suffix");
    else if (ascii_print((unsigned char)s.p[i]))
        proc_warn(p, "invalid conversion specifier in suffix: %c", s.p[i]);
    else
        proc_warn(p, "invalid conversion specifier in suffix: \\%.3o", (unsigned char)s.p[i]);
    return 1;
}

/* Takes -b apart: 0 or the exit status. */
static int csplit_parse_suffix(struct proc *p, struct str s, struct csplit_format *f)
{
    bool found = false, quote = false;

    *f = (struct csplit_format){.precision = -1};
    for (size_t i = 0; i < s.n; i++) {
        if (s.p[i] != '%')
            continue;
        if (i + 1 < s.n && s.p[i + 1] == '%') {
            i++;
            continue;
        }
        if (found) {
            proc_warn(p, "too many %% conversion specifications in suffix");
            return 1;
        }
        found = true;
        f->before = str_sub(s, 0, i++);
        for (; i < s.n && strchr("-0'#", s.p[i]) && s.p[i]; i++) {
            f->left |= s.p[i] == '-';
            f->zero |= s.p[i] == '0';
            f->sharp |= s.p[i] == '#';
            quote |= s.p[i] == '\'';
        }
        f->width = csplit_number(s, &i);
        if (i < s.n && s.p[i] == '.') {
            i++;
            f->precision = (ptrdiff_t)csplit_number(s, &i);
        }
        if (i >= s.n || !s.p[i] || !strchr("diuoxX", s.p[i]))
            return csplit_bad_conversion(p, s, i);
        f->conv = s.p[i];
        bool decimal = strchr("diu", f->conv) != NULL;
        if (decimal ? f->sharp : quote) {
            proc_warn(p, "invalid flags in conversion specification: %%%c%c", decimal ? '#' : '\'',
                      f->conv);
            return 1;
        }
        f->after = str_from(s, i + 1);
    }
    if (!found)
        proc_warn(p, "missing %% conversion specification in suffix");
    return !found;
}

static void csplit_literal(struct buf *b, struct str s)
{
    for (size_t i = 0; i < s.n; i++) {
        buf_putc(b, s.p[i]);
        i += s.p[i] == '%';
    }
}

/* The name of piece n, on the arena. */
static struct str csplit_name(struct csplit *c, uint64_t n)
{
    struct csplit_format f;
    char digits[32];
    struct buf b;

    if (c->suffix.p) {
        csplit_parse_suffix(c->p, c->suffix, &f);
    } else {
        f = (struct csplit_format){.conv = 'd', .zero = true, .precision = -1};
        f.width = (size_t)MIN(c->digits, (int64_t)VFS_PATH_MAX);
    }
    const char *prefix = f.sharp && n && (f.conv | 32) == 'x' ? (f.conv == 'x' ? "0x" : "0X") : "";
    size_t len = fmt_print(digits, sizeof digits,
                           f.conv == 'o'   ? "%llo"
                           : f.conv == 'x' ? "%llx"
                           : f.conv == 'X' ? "%llX"
                                           : "%llu",
                           (unsigned long long)n);
    if (f.precision == 0 && n == 0)
        len = 0;
    size_t zeros = f.precision > (ptrdiff_t)len ? (size_t)f.precision - len : 0;
    if (f.sharp && f.conv == 'o' && zeros == 0 && (n || len == 0))
        zeros = 1;
    size_t all = strlen(prefix) + zeros + len, blanks = f.width > all ? f.width - all : 0;
    if (f.zero && !f.left && f.precision < 0) {
        zeros += blanks;
        blanks = 0;
    }
    buf_init(&b, &c->p->kernel->heap);
    buf_str(&b, c->prefix);
    csplit_literal(&b, f.before);
    buf_fill(&b, ' ', f.left ? 0 : blanks);
    buf_addz(&b, prefix);
    buf_fill(&b, '0', zeros);
    buf_add(&b, digits, len);
    buf_fill(&b, ' ', f.left ? blanks : 0);
    csplit_literal(&b, f.after);
    struct str name = arena_str(c->p->arena, buf_get(&b));
    buf_fini(&b);
    return name;
}

/* ---- patterns ------------------------------------------------------------------------------- */

static int csplit_parse_regex(struct csplit *c, struct str arg, struct csplit_pattern *pat)
{
    struct proc *p = c->p;
    struct hob_error err;
    ptrdiff_t close = str_rchr(arg, arg.p[0]);

    if (close == 0) {
        proc_warn(p, "%.*s: closing delimiter '%c' missing", STR_ARG(arg), arg.p[0]);
        return 1;
    }
    pat->skip = arg.p[0] == '%';
    int r = regex_compile(&p->kernel->heap, str_sub(arg, 1, (size_t)close - 1), REGEX_BRE, &pat->re,
                          &err);
    if (r == HOB_ENOMEM)
        return r;
    if (r < 0) {
        proc_warn(p, "%s: invalid regular expression: %s", proc_quote(p, arg), err.msg);
        return 1;
    }
    struct str rest = str_from(arg, (size_t)close + 1);
    while (rest.n && ascii_space(rest.p[0]))
        rest = str_from(rest, 1);
    if ((size_t)close + 1 < arg.n && str_int(rest, &pat->offset) == HOB_EINVAL) {
        proc_warn(p, "%s: integer expected after delimiter", proc_quote(p, arg));
        return 1;
    }
    return 0;
}

static int csplit_parse_line(struct csplit *c, struct str arg, struct csplit_pattern *pat,
                             uint64_t *last)
{
    struct proc *p = c->p;

    if (size_parse(arg, "", &pat->line) < 0) {
        proc_warn(p, "%s: invalid pattern", proc_quote(p, arg));
        return 1;
    }
    if (pat->line == 0) {
        proc_warn(p, "%.*s: line number must be greater than zero", STR_ARG(arg));
        return 1;
    }
    if (pat->line < *last) {
        proc_warn(p, "line number %s is smaller than preceding line number, %llu",
                  proc_quote(p, arg), (unsigned long long)*last);
        return 1;
    }
    if (pat->line == *last)
        proc_warn(p, "warning: line number %s is the same as preceding line number",
                  proc_quote(p, arg));
    *last = pat->line;
    return 0;
}

static int csplit_parse_repeat(struct csplit *c, struct str arg, struct csplit_pattern *pat)
{
    if (arg.p[arg.n - 1] != '}') {
        proc_warn(c->p, "%s: '}' is required in repeat count", proc_quote(c->p, arg));
        return 1;
    }
    struct str inner = str_sub(arg, 1, arg.n > 1 ? arg.n - 2 : 0);
    if (str_eqz(inner, "*")) {
        pat->forever = true;
    } else if (size_parse(inner, "", &pat->repeat) < 0) {
        proc_warn(c->p, "%s}: integer required between '{' and '}'",
                  proc_quote(c->p, str_sub(arg, 0, arg.n - 1)));
        return 1;
    }
    return 0;
}

static int csplit_parse(struct csplit *c)
{
    struct proc *p = c->p;
    uint64_t last = 0;

    for (int i = 1; i < p->argc; i++) {
        struct str arg = p->argv[i];
        if (!vec_push(&p->kernel->heap, &c->patterns, (struct csplit_pattern){.text = arg}))
            return HOB_ENOMEM;
        struct csplit_pattern *pat = &c->patterns.p[c->patterns.n - 1];
        int r = arg.n && (arg.p[0] == '/' || arg.p[0] == '%')
                    ? csplit_parse_regex(c, arg, pat)
                    : csplit_parse_line(c, arg, pat, &last);
        if (r == 0 && i + 1 < p->argc && p->argv[i + 1].n && p->argv[i + 1].p[0] == '{')
            r = csplit_parse_repeat(c, p->argv[++i], pat);
        if (r)
            return r;
    }
    return 0;
}

/* ---- lines ---------------------------------------------------------------------------------- */

/* Forgets lines that were used, now and then. */
static void csplit_forget(struct csplit *c)
{
    size_t n = c->next_end, bytes = n ? c->ends.p[n - 1] : 0;

    if (n < c->ends.n && (n < 1024 || n < c->ends.n / 2))
        return;
    buf_del(&c->held, 0, bytes);
    for (size_t i = n; i < c->ends.n; i++)
        c->ends.p[i - n] = c->ends.p[i] - bytes;
    c->ends.n -= n;
    c->next_end = 0;
}

/* Line number n, with its newline; lines before it are held. False: there is none. */
static bool csplit_find(struct csplit *c, uint64_t n, struct str *line)
{
    struct str text;
    bool had;

    if (n < c->first)
        return false;
    csplit_forget(c);
    while (n - c->first >= c->ends.n - c->next_end) {
        if (!in_line(&c->in, '\n', &text, &had))
            return false;
        buf_str(&c->held, text);
        if (had)
            buf_putc(&c->held, '\n');
        if (c->in.proc->kernel->heap.oom || !vec_push(c->held.heap, &c->ends, c->held.n))
            return false;
    }
    size_t i = c->next_end + (size_t)(n - c->first), from = i ? c->ends.p[i - 1] : 0;
    *line = str_sub(buf_get(&c->held), from, c->ends.p[i] - from);
    return true;
}

/* The first line, which is used up then. It stays where it is until another is asked for. */
static bool csplit_take(struct csplit *c, struct str *line)
{
    if (!csplit_find(c, c->first, line))
        return false;
    c->current = MAX(c->current, c->first);
    c->first++;
    c->next_end++;
    return true;
}

/* ---- pieces --------------------------------------------------------------------------------- */

static int csplit_create(struct csplit *c)
{
    struct str name = csplit_name(c, c->files);
    int err = !name.p ? HOB_ENOMEM
                      : vfs_open(c->p, name, FILE_WRITE | FILE_CREATE | FILE_TRUNC, 0666, &c->file);
    if (err == HOB_ENOMEM)
        return err;
    if (err < 0) {
        proc_warn_file(c->p, name, err);
        return 1;
    }
    c->files++;
    c->written = 0;
    out_init_file(&c->out, c->p, c->file);
    return 0;
}

static void csplit_save(struct csplit *c, struct str line)
{
    out_str(&c->out, line);
    c->written += line.n;
}

static int csplit_close(struct csplit *c)
{
    if (!c->file)
        return 0;
    int err = out_fini(&c->out);
    file_unref(c->file);
    c->file = NULL;
    if (err < 0) {
        if (err != HOB_EKILLED)
            proc_warn_quoted(c->p, "write error for %s", csplit_name(c, c->files - 1), err);
        return err == HOB_EKILLED ? err : 1;
    }
    if (c->written == 0 && c->elide) {
        vfs_unlink(c->p, csplit_name(c, --c->files));
    } else if (!c->quiet) {
        out_printf(&c->counts, "%llu\n", (unsigned long long)c->written);
    }
    return 0;
}

static int csplit_rest(struct csplit *c)
{
    struct str line;
    while (!c->out.err && csplit_take(c, &line))
        csplit_save(c, line);
    return csplit_close(c);
}

/* "‘/x/’: match not found on repetition 2" */
static int csplit_missing(struct csplit *c, const char *what, const char *why, uint64_t times)
{
    if (c->in.err)
        return 1; /* reported at the end */
    if (times)
        proc_warn(c->p, "%s: %s on repetition %llu", what, why, (unsigned long long)times);
    else
        proc_warn(c->p, "%s: %s", what, why);
    return 1;
}

static int csplit_bad_line(struct csplit *c, const struct csplit_pattern *pat, uint64_t times)
{
    struct str number = arena_printf(c->p->arena, "%llu", (unsigned long long)pat->line);
    return csplit_missing(c, proc_quote(c->p, number), "line number out of range", times);
}

static bool csplit_no_more(struct csplit *c)
{
    struct str line;
    return !csplit_find(c, c->current + 1, &line);
}

static int csplit_at_line(struct csplit *c, const struct csplit_pattern *pat, uint64_t times)
{
    uint64_t last = pat->line > UINT64_MAX / (times + 1) ? UINT64_MAX : pat->line * (times + 1);
    struct str line;
    int r = csplit_create(c);

    if (r)
        return r;
    if (c->suppress && csplit_no_more(c))
        return csplit_bad_line(c, pat, times);
    if (!csplit_find(c, c->first, &line) && c->in.err == 0) {
        /* As GNU has it: there is nothing at all, and what was made stays. */
        proc_warn(c->p, "input disappeared");
        c->keep = c->quiet = true;
        return 1;
    }
    while (c->first < last) {
        if (c->out.err || !csplit_take(c, &line))
            return csplit_bad_line(c, pat, times);
        csplit_save(c, line);
    }
    r = csplit_close(c);
    if (c->suppress)
        csplit_take(c, &line);
    if (r == 0 && !c->suppress && csplit_no_more(c))
        r = csplit_bad_line(c, pat, times);
    return r;
}

/* Up to `last`, which is not used up. */
static int csplit_up_to(struct csplit *c, const struct csplit_pattern *pat, int64_t last)
{
    struct str line;
    bool ok = last >= 0 && c->first <= (uint64_t)last;

    while (ok && c->first < (uint64_t)last) {
        ok = csplit_take(c, &line);
        if (ok && !pat->skip)
            csplit_save(c, line);
    }
    if (ok)
        return 0;
    out_flush(&c->counts);
    return csplit_missing(c, proc_quote(c->p, pat->text), "line number out of range", 0);
}

static int csplit_no_match(struct csplit *c, const struct csplit_pattern *pat, uint64_t times)
{
    int r = 0;
    if (!pat->forever)
        r = csplit_missing(c, proc_quote(c->p, pat->text), "match not found", times);
    int closed = pat->skip ? 0 : csplit_rest(c);
    return r ? r : closed ? closed : -1;
}

/* 0, a status after an error, or -1: {*} found no more, everything is done. */
static int csplit_at_match(struct csplit *c, struct csplit_pattern *pat, uint64_t times)
{
    struct str line;
    int r = pat->skip ? 0 : csplit_create(c);

    if (r)
        return r;
    for (;;) {
        if (c->out.err || proc_tick(c->p, 1) < 0 || !csplit_find(c, ++c->current, &line))
            return csplit_no_match(c, pat, times);
        if (line.n && line.p[line.n - 1] == '\n')
            line.n--;
        r = regex_is_match(pat->re, line);
        if (r < 0)
            return r == HOB_ENOMEM || r == HOB_EKILLED ? r : 1;
        if (r)
            break;
        if (pat->offset >= 0 && csplit_take(c, &line) && !pat->skip)
            csplit_save(c, line);
    }
    int64_t last = pat->offset > INT64_MAX - (int64_t)c->current
                       ? INT64_MAX
                       : (int64_t)c->current + pat->offset;
    r = csplit_up_to(c, pat, last);
    if (r == 0 && !pat->skip)
        r = csplit_close(c);
    if (pat->offset > 0)
        c->current = (uint64_t)last;
    if (r == 0 && c->suppress)
        csplit_take(c, &line);
    return r;
}

static int csplit_all(struct csplit *c)
{
    for (size_t i = 0; i < c->patterns.n; i++) {
        struct csplit_pattern *pat = &c->patterns.p[i];
        for (uint64_t times = 0; pat->forever || times <= pat->repeat; times++) {
            int r = pat->re ? csplit_at_match(c, pat, times) : csplit_at_line(c, pat, times);
            if (r == -1)
                return 0;
            if (r)
                return r;
        }
    }
    int r = csplit_create(c);
    return r ? r : csplit_rest(c);
}

/* After an error the pieces go, unless -k was given. */
static int csplit_finish(struct csplit *c, int r)
{
    if (c->in.err < 0 && c->in.err != HOB_EKILLED) {
        proc_warn(c->p, "read error: %s", error_text(c->in.err));
        r = r < 0 ? r : 1;
    }
    csplit_close(c);
    while (r && !c->keep && c->files > 0) {
        struct arena_mark mark = arena_mark(c->p->arena);
        vfs_unlink(c->p, csplit_name(c, --c->files));
        arena_release(c->p->arena, mark);
    }
    return c->in.err == HOB_EKILLED ? c->in.err : r;
}

static int csplit_run(struct proc *p, void *args)
{
    struct csplit *c = args;
    struct heap *h = &p->kernel->heap;
    struct csplit_format format;

    if (p->argc < 2) {
        if (p->argc == 0)
            return proc_missing_operand(p);
        proc_warn(p, "missing operand after %s", proc_quote(p, p->argv[0]));
        return proc_usage(p);
    }
    c->p = p;
    c->first = 1;
    if (c->suffix.p && csplit_parse_suffix(p, c->suffix, &format))
        return 1;
    int r = in_open_quiet(&c->in, p, p->argv[0]);
    if (r < 0) {
        proc_warn_quoted(p, "cannot open %s for reading", p->argv[0], r);
        return 1;
    }
    out_init(&c->counts, p, 1);
    buf_init(&c->held, h);
    r = csplit_parse(c);
    if (r == 0)
        r = csplit_finish(c, csplit_all(c));
    for (size_t i = 0; i < c->patterns.n; i++)
        regex_free(c->patterns.p[i].re);
    vec_fini(h, &c->patterns);
    vec_fini(h, &c->ends);
    buf_fini(&c->held);
    in_fini(&c->in);
    return command_close(p, &c->counts, r);
}

const struct command cmd_csplit = {
    .name = "csplit",
    .usage = "[OPTION]... FILE PATTERN...",
    .summary = "Write pieces of FILE, parted by the PATTERNs, to xx00, xx01 ... and print their\n"
               "sizes.",
    .notes = "A PATTERN is one of\n"
             "  NUMBER          up to this line, which begins the next piece\n"
             "  /REGEXP/[+-N]   up to a line that matches, or N lines from there\n"
             "  %REGEXP%[+-N]   the same, but what stands before is left out\n"
             "  {N}             the pattern before N times more\n"
             "  {*}             the pattern before as often as possible\n"
             "When FILE is -, standard input is read.",
    .opts = csplit_opts,
    .args_size = sizeof(struct csplit),
    .usage_status = 1,
    .run = csplit_run,
    .defaults = csplit_defaults,
};
