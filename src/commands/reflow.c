/* reflow.c -- fmt: fill paragraphs
 *
 * A paragraph is lines of the same indentation. All ways to break it are weighed from its end to
 * its start, and the cheapest is taken: lines want to be near the goal, near the length of the one
 * behind them, and to end where a sentence or a clause ends. The prices are GNU's, so that lines
 * break where GNU breaks them; so is the size of the store, at which a long paragraph is parted.
 */
#include "shell/command.h"

#include "base/utf8.h"
#include "commands/lib/count.h"

enum {
    REFLOW_BYTES = 5000, /* of a paragraph that are looked at together */
    REFLOW_WORDS = 1000,
    REFLOW_TAB = 8
};

/* Prices are squares, so that they compare with the squares of missing columns. */
#define REFLOW_SQUARE(n) ((int64_t)(n) * (n))
#define REFLOW_SHORT(n) (REFLOW_SQUARE((int64_t)(n)*10)) /* n columns away from the goal */
#define REFLOW_RAGGED(n) (REFLOW_SHORT(n) / 2)           /* n columns off the next line */
#define REFLOW_SHARE(price, n) (REFLOW_SQUARE(price) / ((n) + 2))
enum {
    REFLOW_LINE = 70 * 70,
    REFLOW_SENTENCE = 50 * 50,
    REFLOW_NO_BREAK = 600 * 600,
    REFLOW_PAREN = 40 * 40,
    REFLOW_PUNCT = 40 * 40,
    REFLOW_CREDIT = 3 * 3,
    REFLOW_WIDOW = 200,
    REFLOW_ORPHAN = 150
};

struct reflow_word {
    size_t text;       /* where it begins in the store */
    int length, space; /* columns, and blanks behind it */
    bool paren, period, punct, final;
    int line;     /* length of the line that would begin here */
    int64_t cost; /* of all that follows, when a line begins here */
    size_t next;  /* where the line after that begins */
};

struct reflow {
    bool crown, split, tagged, uniform;
    struct str prefix_given, width_given, goal_given;
    struct proc *p;
    struct out out;
    struct in *in;
    int max, goal;
    struct str prefix; /* without the blanks around it */
    int prefix_lead, prefix_full;
    bool tabs; /* the input has some: the output may, too */
    int in_col, out_col, last_line;
    int prefix_indent, next_indent; /* columns before the prefix: of the paragraph, of the line */
    int first_indent, other_indent;
    int next_char; /* the first of the next line behind its indentation */
    size_t nbytes, nwords;
    struct reflow_word *words;
    char *bytes;
};

static int reflow_digit(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    (void)args;
    (void)arg;
    proc_warn(p,
              "invalid option -- %c; -WIDTH is recognized only when it is the first\n"
              "option; use -w N instead",
              o->letter);
    return proc_usage(p) + 1;
}

#define REFLOW_DIGIT(c)                                                                            \
    {                                                                                              \
        OPT_KIND_CALL, OPT_HIDDEN, c, NULL, 0, 0, NULL, NULL, reflow_digit                         \
    }
static const struct opt reflow_opts[] = {
    OPT_FLAG('c', "crown-margin", struct reflow, crown, "keep the indentation of two lines"),
    OPT_STRING('p', "prefix", struct reflow, prefix_given, "STRING",
               "only lines that begin with STRING, which is put back in front"),
    OPT_FLAG('s', "split-only", struct reflow, split, "split long lines, do not fill short ones"),
    OPT_FLAG('t', "tagged-paragraph", struct reflow, tagged,
             "the first line is indented differently from the second"),
    OPT_FLAG('u', "uniform-spacing", struct reflow, uniform,
             "one blank between words, two behind sentences"),
    OPT_STRING('w', "width", struct reflow, width_given, "WIDTH",
               "lines are this long at the most (75)"),
    OPT_STRING('g', "goal", struct reflow, goal_given, "WIDTH",
               "lines should be this long (93% of the width)"),
    REFLOW_DIGIT('0'),
    REFLOW_DIGIT('1'),
    REFLOW_DIGIT('2'),
    REFLOW_DIGIT('3'),
    REFLOW_DIGIT('4'),
    REFLOW_DIGIT('5'),
    REFLOW_DIGIT('6'),
    REFLOW_DIGIT('7'),
    REFLOW_DIGIT('8'),
    REFLOW_DIGIT('9'),
    OPT_END,
};
#undef REFLOW_DIGIT

/* -60 counts as the first word only. */
static int reflow_number(struct proc *p, void *args, struct str digits)
{
    if (digits.p != p->words[1].p + 1)
        return NUMBER_OPTIONS;
    ((struct reflow *)args)->width_given = digits;
    return NUMBER_TAKEN;
}

/* ---- output --------------------------------------------------------------------------------- */

static void reflow_space(struct reflow *f, int n)
{
    int to = f->out_col + n, tab = to / REFLOW_TAB * REFLOW_TAB;

    if (f->tabs && f->out_col + 1 < tab) {
        while (f->out_col < tab) {
            out_putc(&f->out, '\t');
            f->out_col = (f->out_col / REFLOW_TAB + 1) * REFLOW_TAB;
        }
    }
    for (; f->out_col < to; f->out_col++)
        out_putc(&f->out, ' ');
}

/* The line that begins at word w. */
static void reflow_put_line(struct reflow *f, size_t w, int indent)
{
    size_t end = f->words[w].next;

    f->out_col = 0;
    reflow_space(f, f->prefix_indent);
    out_str(&f->out, f->prefix);
    f->out_col += (int)f->prefix.n;
    reflow_space(f, indent - f->out_col);
    for (; w < end; w++) {
        out_write(&f->out, f->bytes + f->words[w].text, (size_t)f->words[w].length);
        f->out_col += f->words[w].length;
        if (w + 1 < end)
            reflow_space(f, f->words[w].space);
    }
    f->last_line = f->out_col;
    out_putc(&f->out, '\n');
}

static void reflow_put(struct reflow *f, size_t end)
{
    reflow_put_line(f, 0, f->first_indent);
    for (size_t w = f->words[0].next; w != end; w = f->words[w].next)
        reflow_put_line(f, w, f->other_indent);
}

/* ---- prices --------------------------------------------------------------------------------- */

/* Of beginning a line at word w. */
static int64_t reflow_start_cost(const struct reflow *f, size_t at)
{
    const struct reflow_word *w = f->words + at;
    int64_t cost = REFLOW_LINE;

    if (at > 0) {
        if (w[-1].period)
            cost += w[-1].final ? -REFLOW_SENTENCE : REFLOW_NO_BREAK;
        else if (w[-1].punct)
            cost -= REFLOW_PUNCT;
        else if (at > 1 && w[-2].final)
            cost += REFLOW_SHARE(REFLOW_WIDOW, w[-1].length);
    }
    if (w->paren)
        cost -= REFLOW_PAREN;
    else if (w->final)
        cost += REFLOW_SHARE(REFLOW_ORPHAN, w->length);
    return cost;
}

/* Of a line of `len` columns after which `next` begins another. */
static int64_t reflow_line_cost(const struct reflow *f, size_t next, int len)
{
    if (next == f->nwords)
        return 0;
    int64_t cost = REFLOW_SHORT(f->goal - len);
    if (f->words[next].next != f->nwords)
        cost += REFLOW_RAGGED(len - f->words[next].line);
    return cost;
}

/* Finds the cheapest line from each word on, the last word first. */
static void reflow_weigh(struct reflow *f)
{
    f->words[f->nwords].cost = 0;
    for (size_t start = f->nwords; start-- > 0;) {
        struct reflow_word *from = f->words + start;
        int64_t best = INT64_MAX;
        int len = (start == 0 ? f->first_indent : f->other_indent) + from->length;
        for (size_t w = start + 1;; w++) {
            int64_t cost = reflow_line_cost(f, w, len) + f->words[w].cost;
            if (start == 0 && f->last_line > 0)
                cost += REFLOW_RAGGED(len - f->last_line);
            if (cost < best) {
                best = cost;
                from->next = w;
                from->line = len;
            }
            if (w == f->nwords)
                break;
            len += f->words[w - 1].space + f->words[w].length;
            if (len >= f->max)
                break;
        }
        from->cost = best + reflow_start_cost(f, start);
    }
}

/* The store is full: what can be broken off cheaply goes out. */
static void reflow_flush(struct reflow *f)
{
    int64_t best = INT64_MAX;
    size_t split = f->nwords;

    if (f->nwords == 0) { /* a part of one long word */
        out_write(&f->out, f->bytes, f->nbytes);
        f->nbytes = 0;
        return;
    }
    reflow_weigh(f);
    for (size_t w = f->words[0].next; w != f->nwords; w = f->words[w].next) {
        int64_t cost = f->words[w].cost - f->words[f->words[w].next].cost;
        if (cost < best) {
            split = w;
            best = cost;
        }
        if (best <= INT64_MAX - REFLOW_CREDIT)
            best += REFLOW_CREDIT;
    }
    reflow_put(f, split);
    size_t shift = f->words[split].text;
    memmove(f->bytes, f->bytes + shift, f->nbytes - shift);
    f->nbytes -= shift;
    for (size_t w = split; w <= f->nwords; w++)
        f->words[w].text -= shift;
    memmove(f->words, f->words + split, (f->nwords - split + 1) * sizeof *f->words);
    f->nwords -= split;
}

/* ---- input ---------------------------------------------------------------------------------- */

/* Past blanks and tabs, of which c is the first. */
static int reflow_skip(struct reflow *f, int c)
{
    for (; c == ' ' || c == '\t'; c = in_getc(f->in)) {
        if (c == ' ') {
            f->in_col++;
        } else {
            f->tabs = true;
            f->in_col = (f->in_col / REFLOW_TAB + 1) * REFLOW_TAB;
        }
    }
    return c;
}

/* The indentation and the prefix of a line: the first character behind them. */
static int reflow_margin(struct reflow *f)
{
    f->in_col = 0;
    int c = reflow_skip(f, in_getc(f->in));
    if (f->prefix.n == 0) {
        f->next_indent = MIN(f->prefix_lead, f->in_col);
        return c;
    }
    f->next_indent = f->in_col;
    for (size_t i = 0; i < f->prefix.n; i++) {
        if (c != (unsigned char)f->prefix.p[i])
            return c;
        f->in_col++;
        c = in_getc(f->in);
    }
    return reflow_skip(f, c);
}

static bool reflow_goes_on(const struct reflow *f, int c)
{
    return f->next_indent == f->prefix_indent && f->in_col >= f->next_indent + f->prefix_full &&
           c != '\n' && c != -1;
}

static void reflow_judge(const struct reflow *f, struct reflow_word *w)
{
    const char *first = f->bytes + w->text, *last = first + w->length - 1;

    w->paren = *first && strchr("(['`\"", *first);
    w->punct = ascii_print((unsigned char)*last) && *last != ' ' && !ascii_alnum(*last);
    while (last > first && *last && strchr(")]'\"", *last))
        last--;
    w->period = *last && strchr(".?!", *last);
}

static void reflow_second_indent(struct reflow *f, bool same)
{
    if (!f->split && f->crown) {
        f->other_indent = same ? f->in_col : f->first_indent;
    } else if (!f->split && f->tagged) {
        if (same && f->in_col != f->first_indent)
            f->other_indent = f->in_col;
        /* One line alone: as the paragraph before, but not the same as the first. */
        else if (f->other_indent == f->first_indent)
            f->other_indent = f->first_indent == 0 ? 3 : 0;
    } else {
        f->other_indent = f->first_indent;
    }
}

static void reflow_full(struct reflow *f)
{
    reflow_second_indent(f, true);
    reflow_flush(f);
}

/* The words of a line, of which c begins the first. The first character of the next line. */
static int reflow_read_line(struct reflow *f, int c)
{
    do {
        f->words[f->nwords].text = f->nbytes;
        do {
            if (f->nbytes == REFLOW_BYTES)
                reflow_full(f);
            f->bytes[f->nbytes++] = (char)c;
            c = in_getc(f->in);
        } while (c != -1 && !ascii_space(c));
        struct reflow_word *w = f->words + f->nwords;
        w->length = (int)(f->nbytes - w->text);
        f->in_col += w->length;
        reflow_judge(f, w);
        int start = f->in_col;
        c = reflow_skip(f, c);
        w->space = f->in_col - start;
        w->final = c == -1 || (w->period && (c == '\n' || w->space > 1));
        if (c == '\n' || c == -1 || f->uniform)
            w->space = w->final ? 2 : 1;
        if (f->nwords == REFLOW_WORDS - 2)
            reflow_full(f);
        f->nwords++;
    } while (c != '\n' && c != -1 && !f->out.err);
    return reflow_margin(f);
}

/* A line that is in no paragraph goes out as it is. */
static int reflow_copy_line(struct reflow *f, int c)
{
    f->out_col = 0;
    if (f->in_col > f->next_indent || (c != '\n' && c != -1)) {
        reflow_space(f, f->next_indent);
        for (size_t i = 0; f->out_col != f->in_col && i < f->prefix.n; i++, f->out_col++)
            out_putc(&f->out, f->prefix.p[i]);
        if (c != -1 && c != '\n')
            reflow_space(f, f->in_col - f->out_col);
        if (c == -1 && f->in_col >= f->next_indent + (int)f->prefix.n)
            out_putc(&f->out, '\n');
    }
    for (; c != '\n' && c != -1; c = in_getc(f->in))
        out_putc(&f->out, (char)c);
    return c;
}

/* Reads a paragraph; what stands before it is copied. False at the end. */
static bool reflow_read(struct reflow *f)
{
    int c = f->next_char;

    f->last_line = 0;
    while (c == '\n' || c == -1 || f->next_indent < f->prefix_lead ||
           f->in_col < f->next_indent + f->prefix_full) {
        if (reflow_copy_line(f, c) == -1 || f->out.err)
            return false;
        out_putc(&f->out, '\n');
        c = reflow_margin(f);
    }
    f->prefix_indent = f->next_indent;
    f->first_indent = f->in_col;
    f->nbytes = f->nwords = 0;
    c = reflow_read_line(f, c);
    reflow_second_indent(f, reflow_goes_on(f, c));
    bool more = !f->split && reflow_goes_on(f, c);
    if (!f->crown && f->tagged)
        more = more && f->in_col != f->first_indent;
    else if (!f->crown)
        more = more && f->in_col == f->other_indent;
    while (more) {
        c = reflow_read_line(f, c);
        more = reflow_goes_on(f, c) && f->in_col == f->other_indent && !f->out.err;
    }
    f->words[f->nwords - 1].period = f->words[f->nwords - 1].final = true;
    f->next_char = c;
    return true;
}

static int reflow_file(struct reflow *f, struct str name)
{
    struct in in;
    int status = 0, err = in_open_quiet(&in, f->p, name);

    if (err < 0) {
        proc_warn_quoted(f->p, "cannot open %s for reading", name, err);
        return 1;
    }
    f->in = &in;
    f->tabs = false;
    f->other_indent = 0;
    f->next_char = reflow_margin(f);
    while (reflow_read(f) && !f->out.err) {
        reflow_weigh(f);
        reflow_put(f, f->nwords);
    }
    if (in.err < 0) {
        status = in.err == HOB_EKILLED ? in.err : 1;
        if (in.err != HOB_EKILLED)
            proc_warn(f->p, "read error");
    }
    in_fini(&in);
    return status;
}

/* ---- run ------------------------------------------------------------------------------------ */

static bool reflow_width(struct proc *p, struct str s, int most, int *out)
{
    int64_t v;
    if (s.n && s.p[0] == '-') { /* no sign is taken here */
        proc_warn(p, "invalid width: %s", proc_quote(p, s));
        return false;
    }
    if (count_parse(p, s, 0, most, "invalid width", &v))
        return false;
    *out = (int)v;
    return true;
}

static void reflow_set_prefix(struct reflow *f)
{
    f->prefix = f->prefix_given;
    while (f->prefix.n && f->prefix.p[0] == ' ') {
        f->prefix = str_from(f->prefix, 1);
        f->prefix_lead++;
    }
    f->prefix_full = (int)f->prefix.n;
    while (f->prefix.n && f->prefix.p[f->prefix.n - 1] == ' ')
        f->prefix.n--;
}

static int reflow_run(struct proc *p, void *args)
{
    struct reflow *f = args;
    static const struct str only = STR_INIT("-");
    int status = 0, n = p->argc ? p->argc : 1;

    f->p = p;
    f->max = 75;
    if (f->width_given.p && !reflow_width(p, f->width_given, REFLOW_BYTES / 2, &f->max))
        return 1;
    f->goal = f->max * 187 / 200;
    if (f->goal_given.p) {
        if (!reflow_width(p, f->goal_given, f->max, &f->goal))
            return 1;
        if (!f->width_given.p)
            f->max = f->goal + 10;
    }
    reflow_set_prefix(f);
    f->words = arena_array(p->arena, struct reflow_word, REFLOW_WORDS);
    f->bytes = arena_alloc(p->arena, REFLOW_BYTES);
    if (!f->words || !f->bytes)
        return HOB_ENOMEM;
    out_init(&f->out, p, 1);
    for (int i = 0; i < n && status >= 0 && !f->out.err; i++) {
        int r = reflow_file(f, p->argc ? p->argv[i] : only);
        status = r < 0 ? r : status | r;
    }
    return command_close(p, &f->out, status);
}

const struct command cmd_fmt = {
    .name = "fmt",
    .usage = "[-WIDTH] [OPTION]... [FILE]...",
    .summary = "Fill the paragraphs of the FILEs, so that their lines have about the same length.",
    .notes = "-WIDTH, as the first word, is short for --width=WIDTH. Without FILE, or when FILE is "
             "-,\nstandard input is read.",
    .opts = reflow_opts,
    .args_size = sizeof(struct reflow),
    .flags = CMD_NUMERIC,
    .usage_status = 1,
    .run = reflow_run,
    .number = reflow_number,
};

#undef REFLOW_SQUARE
#undef REFLOW_SHORT
#undef REFLOW_RAGGED
#undef REFLOW_SHARE
