/* tr.c -- translate, squeeze and delete bytes
 *
 * Sets are lists of bytes; [c*] of the second set is as long as it must be. A map that shifts one
 * range of bytes (a-z to A-Z) is applied with a loop that compilers turn into vector instructions.
 */
#include "shell/command.h"

#include "base/error.h"
#include "base/utf8.h"

enum {
    TR_BLOCK = 64,
    TR_MAX = 1 << 20
};

struct tr {
    bool complement, del, squeeze, truncate;
};

static const struct opt tr_opts[] = {
    OPT_FLAG('c', "complement", struct tr, complement, "use what is not in SET1"),
    OPT_FLAG('C', NULL, struct tr, complement, "same as -c"),
    OPT_FLAG('d', "delete", struct tr, del, "delete what is in SET1"),
    OPT_FLAG('s', "squeeze-repeats", struct tr, squeeze,
             "one of each run of a character that is in the last SET"),
    OPT_FLAG('t', "truncate-set1", struct tr, truncate, "cut SET1 to the length of SET2"),
    OPT_END,
};

struct tr_set {
    struct proc *p;
    struct str text;
    size_t i;
    struct buf bytes;
    bool second;
    ptrdiff_t fill; /* where a [c*] without a number stands, -1: none */
    char fill_char;
    bool equivalence; /* [=c=] */
    bool other_class; /* one besides upper and lower */
    bool classes;
    VEC(size_t) cases; /* where [:upper:] and [:lower:] stand */
};

static int tr_fail(struct proc *p, const char *text)
{
    proc_warn(p, "%s", text);
    return 1;
}

static bool tr_in_class(struct str name, int c, bool *known)
{
    static const char *const names[] = {"alnum", "alpha", "blank", "cntrl", "digit", "graph",
                                        "lower", "print", "punct", "space", "upper", "xdigit"};
    size_t k = 0;
    while (k < COUNT(names) && !str_eqz(name, names[k]))
        k++;
    *known = k < COUNT(names);
    switch (k) {
    case 0: return ascii_alnum(c);
    case 1: return ascii_alpha(c);
    case 2: return c == ' ' || c == '\t';
    case 3: return c < 32 || c == 127;
    case 4: return ascii_digit(c);
    case 5: return c > 32 && c < 127;
    case 6: return ascii_lower(c);
    case 7: return c >= 32 && c < 127;
    case 8: return c > 32 && c < 127 && !ascii_alnum(c);
    case 9: return ascii_space(c);
    case 10: return ascii_upper(c);
    case 11: return ascii_digit(c) || (ascii_to_lower(c) >= 'a' && ascii_to_lower(c) <= 'f');
    default: return false;
    }
}

/* One byte, escapes understood. *escaped tells whether it was one. */
static unsigned char tr_byte(struct tr_set *s, bool *escaped)
{
    static const char from[] = "abfnrtv\\", to[] = "\a\b\f\n\r\t\v\\";
    char c = s->text.p[s->i++];
    *escaped = false;
    if (c != '\\')
        return (unsigned char)c;
    if (s->i == s->text.n) {
        proc_warn(s->p, "warning: an unescaped backslash at end of string is not portable");
        return '\\';
    }
    *escaped = true;
    c = s->text.p[s->i];
    const char *at = c ? strchr(from, c) : NULL;
    if (at) {
        s->i++;
        return (unsigned char)to[at - from];
    }
    if (c < '0' || c > '7') {
        s->i++;
        return (unsigned char)c;
    }
    int v = 0, n = 0;
    while (n < 3 && s->i < s->text.n && s->text.p[s->i] >= '0' && s->text.p[s->i] <= '7') {
        int next = v * 8 + s->text.p[s->i] - '0';
        if (next > 255) {
            proc_warn(s->p,
                      "warning: the ambiguous octal escape \\%.3s is being\n"
                      "\tinterpreted as the 2-byte sequence \\0%.2s, %c",
                      s->text.p + s->i - n, s->text.p + s->i - n, s->text.p[s->i]);
            break;
        }
        v = next;
        n++;
        s->i++;
    }
    return (unsigned char)v;
}

/* "[:class:]" or "[=c=]" at s->i. 1 taken, 0 not one, -1 reported. */
static int tr_class(struct tr_set *s)
{
    char kind = s->text.p[s->i + 1];
    struct str rest = str_from(s->text, s->i + 2);
    char close[3] = {kind, ']', 0};
    ptrdiff_t end = str_find(rest, str_of(close, 2));
    bool known;

    if (end < 0)
        return 0;
    struct str name = str_sub(rest, 0, (size_t)end);
    if (kind == '=') {
        if (name.n == 0) {
            tr_fail(s->p, "missing equivalence class character '[==]'");
            return -1;
        }
        if (name.n > 1 && !(name.n == 2 && name.p[0] == '\\')) {
            proc_warn(s->p, "%.*s: equivalence class operand must be a single character",
                      STR_ARG(name));
            return -1;
        }
        buf_putc(&s->bytes, name.p[name.n - 1]);
        s->equivalence = true;
        s->i += name.n + 4;
        return 1;
    }
    if (name.n == 0) {
        tr_fail(s->p, "missing character class name '[::]'");
        return -1;
    }
    tr_in_class(name, 0, &known);
    if (!known) {
        /* "[:*]" may be a repeat instead. */
        if (str_chr(name, '*') == 0)
            return 0;
        proc_warn(s->p, "invalid character class %s", proc_quote(s->p, name));
        return -1;
    }
    bool is_case = str_eqz(name, "upper") || str_eqz(name, "lower");
    if (is_case && !vec_push(&s->p->kernel->heap, &s->cases, s->bytes.n))
        return -1;
    s->other_class |= !is_case;
    s->classes = true;
    for (int c = 0; c < 256; c++) {
        if (tr_in_class(name, c, &known))
            buf_putc(&s->bytes, (char)c);
    }
    s->i += name.n + 4;
    return 1;
}

/* "[c*]" or "[c*n]". 1 taken, 0 not one, -1 reported. */
static int tr_repeat(struct tr_set *s)
{
    size_t start = s->i;
    bool escaped;
    s->i++;
    if (s->i >= s->text.n)
        goto no;
    unsigned char c = tr_byte(s, &escaped);
    if (s->i >= s->text.n || s->text.p[s->i] != '*')
        goto no;
    struct str rest = str_from(s->text, s->i + 1);
    ptrdiff_t end = str_chr(rest, ']');
    if (end < 0)
        goto no;
    struct str num = str_sub(rest, 0, (size_t)end);
    uint64_t n = 0;
    int base = num.n && num.p[0] == '0' ? 8 : 10;
    for (size_t i = 0; i < num.n; i++) {
        if (num.p[i] < '0' || num.p[i] >= '0' + base) {
            proc_warn(s->p, "invalid repeat count %s in [c*n] construct", proc_quote(s->p, num));
            return -1;
        }
        n = MIN(n * (uint64_t)base + (uint64_t)(num.p[i] - '0'), (uint64_t)TR_MAX);
    }
    s->i += num.n + 2;
    if (!s->second && n == 0) {
        tr_fail(s->p, "the [c*] repeat construct may not appear in string1");
        return -1;
    }
    if (n == 0) {
        if (s->fill >= 0) {
            tr_fail(s->p, "only one [c*] repeat construct may appear in string2");
            return -1;
        }
        s->fill = (ptrdiff_t)s->bytes.n;
        s->fill_char = (char)c;
    } else {
        buf_fill(&s->bytes, (char)c, n);
    }
    return 1;
no:
    s->i = start;
    return 0;
}

static int tr_range(struct tr_set *s, unsigned char from, size_t start)
{
    bool escaped;
    s->i++; /* the dash */
    unsigned char to = tr_byte(s, &escaped);
    if (to < from) {
        struct str shown = str_sub(s->text, start, s->i - start);
        proc_warn(s->p, "range-endpoints of '%.*s' are in reverse collating sequence order",
                  STR_ARG(shown));
        return -1;
    }
    for (int c = from; c <= to; c++)
        buf_putc(&s->bytes, (char)c);
    return 0;
}

static int tr_parse(struct tr_set *s)
{
    while (s->i < s->text.n) {
        char c = s->text.p[s->i];
        size_t start = s->i;
        int r = 0;
        bool escaped;
        if (c == '[' && s->i + 1 < s->text.n) {
            char next = s->text.p[s->i + 1];
            if (next == ':' || next == '=')
                r = tr_class(s);
            if (r == 0)
                r = tr_repeat(s);
        }
        if (r < 0)
            return -1;
        if (r > 0)
            continue;
        unsigned char b = tr_byte(s, &escaped);
        if (s->i + 1 < s->text.n && s->text.p[s->i] == '-') {
            if (tr_range(s, b, start) < 0)
                return -1;
        } else {
            buf_putc(&s->bytes, (char)b);
        }
        if (s->bytes.n > TR_MAX)
            return -1;
    }
    return s->p->kernel->heap.oom ? -1 : 0;
}

/* ---- the tables ----------------------------------------------------------------------------- */

struct tr_tables {
    unsigned char map[256];
    bool del[256], squeeze[256];
    bool maps, deletes, squeezes;
    unsigned char low, high, shift; /* the map adds shift to low..high and nothing else */
    bool simple;
};

static void tr_complement(struct tr_set *s)
{
    bool in[256] = {false};
    for (size_t i = 0; i < s->bytes.n; i++)
        in[(unsigned char)s->bytes.p[i]] = true;
    buf_clear(&s->bytes);
    for (int c = 0; c < 256; c++) {
        if (!in[c])
            buf_putc(&s->bytes, (char)c);
    }
}

/* What a complemented class becomes is one character, as often as there are members. */
static int tr_check_complement(const struct tr *t, const struct tr_set *a, const struct tr_set *b)
{
    if (!t->complement || !a->classes)
        return 0;
    bool one = a->bytes.n == b->bytes.n;
    for (size_t i = 1; one && i < b->bytes.n; i++)
        one = b->bytes.p[i] == b->bytes.p[0];
    return one ? 0
               : tr_fail(b->p, "when translating with complemented character classes,\n"
                               "string2 must map all characters in the domain to one");
}

/* Lengthens the second set to that of the first. 0, or 1 after a message. */
static int tr_match(const struct tr *t, struct tr_set *a, struct tr_set *b)
{
    size_t want = a->bytes.n;
    if (b->fill >= 0) {
        size_t more = want > b->bytes.n ? want - b->bytes.n : 0;
        struct buf joined;
        buf_init(&joined, &b->p->kernel->heap);
        buf_add(&joined, b->bytes.p, (size_t)b->fill);
        buf_fill(&joined, b->fill_char, more);
        buf_str(&joined, str_from(buf_get(&b->bytes), (size_t)b->fill));
        buf_fini(&b->bytes);
        b->bytes = joined;
    }
    if (b->bytes.n >= want)
        return tr_check_complement(t, a, b);
    if (t->truncate) {
        if (t->complement && a->classes)
            return tr_check_complement(t, a, b);
        buf_cut(&a->bytes, b->bytes.n);
        return 0;
    }
    if (b->bytes.n == 0)
        return tr_fail(b->p, "when not truncating set1, string2 must be non-empty");
    if (b->cases.n && b->cases.p[b->cases.n - 1] + 26 == b->bytes.n)
        return tr_fail(b->p, "when translating with string1 longer than string2,\n"
                             "the latter string must not end with a character class");
    buf_fill(&b->bytes, b->bytes.p[b->bytes.n - 1], want - b->bytes.n);
    return tr_check_complement(t, a, b);
}

static int tr_check_classes(const struct tr *t, struct tr_set *a, struct tr_set *b)
{
    if (b->equivalence)
        return tr_fail(b->p, "[=c=] expressions may not appear in string2 when translating");
    if (b->other_class)
        return tr_fail(b->p, "when translating, the only character classes that may appear in\n"
                             "string2 are 'upper' and 'lower'");
    for (size_t i = 0; i < b->cases.n && !t->complement; i++) {
        size_t k = 0;
        while (k < a->cases.n && a->cases.p[k] != b->cases.p[i])
            k++;
        if (k == a->cases.n)
            return tr_fail(b->p, "misaligned [:upper:] and/or [:lower:] construct");
    }
    return 0;
}

/* Whether the map only shifts one range. */
static void tr_simplify(struct tr_tables *k)
{
    int low = 0, high = 255;
    while (low < 256 && k->map[low] == low)
        low++;
    while (high >= 0 && k->map[high] == high)
        high--;
    if (low > high)
        return;
    unsigned char shift = (unsigned char)(k->map[low] - low);
    for (int c = low; c <= high; c++) {
        if ((unsigned char)(k->map[c] - c) != shift)
            return;
    }
    k->low = (unsigned char)low;
    k->high = (unsigned char)high;
    k->shift = shift;
    k->simple = true;
}

static int tr_tables_of(const struct tr *t, struct tr_set *a, struct tr_set *b, struct tr_tables *k)
{
    bool two = b->text.p != NULL;

    for (int c = 0; c < 256; c++)
        k->map[c] = (unsigned char)c;
    k->maps = two && !t->del;
    k->deletes = t->del;
    k->squeezes = t->squeeze;
    if (k->maps && tr_check_classes(t, a, b))
        return 1;
    if (t->complement)
        tr_complement(a);
    if (k->maps) {
        if (tr_match(t, a, b))
            return 1;
        if (b->bytes.n < a->bytes.n) /* only when memory ran out while it was filled */
            return HOB_ENOMEM;
        for (size_t i = 0; i < a->bytes.n; i++)
            k->map[(unsigned char)a->bytes.p[i]] = (unsigned char)b->bytes.p[i];
        tr_simplify(k);
    }
    for (size_t i = 0; k->deletes && i < a->bytes.n; i++)
        k->del[(unsigned char)a->bytes.p[i]] = true;
    struct buf *last = two ? &b->bytes : &a->bytes;
    for (size_t i = 0; k->squeezes && i < last->n; i++)
        k->squeeze[(unsigned char)last->p[i]] = true;
    return 0;
}

/* ---- the work ------------------------------------------------------------------------------- */

static void tr_shift(const struct tr_tables *k, char *to, const char *from, size_t n)
{
    unsigned char low = k->low, span = (unsigned char)(k->high - k->low), shift = k->shift;
    for (; n >= TR_BLOCK; n -= TR_BLOCK, to += TR_BLOCK, from += TR_BLOCK) {
        for (int i = 0; i < TR_BLOCK; i++) {
            unsigned char c = (unsigned char)from[i];
            to[i] = (char)(c + ((unsigned char)(c - low) <= span ? shift : 0));
        }
    }
    for (; n; n--, to++, from++)
        *to = (char)k->map[(unsigned char)*from];
}

static size_t tr_some(const struct tr_tables *k, char *to, const char *from, size_t n, int *last)
{
    char *start = to;
    if (!k->deletes && !k->squeezes) {
        if (k->simple) {
            tr_shift(k, to, from, n);
        } else {
            for (size_t i = 0; i < n; i++)
                to[i] = (char)k->map[(unsigned char)from[i]];
        }
        return n;
    }
    for (size_t i = 0; i < n; i++) {
        unsigned char c = (unsigned char)from[i];
        if (k->del[c])
            continue;
        c = k->map[c];
        if (k->squeeze[c] && *last == c)
            continue;
        *last = c;
        *to++ = (char)c;
    }
    return (size_t)(to - start);
}

static int tr_copy(struct proc *p, const struct tr_tables *k)
{
    struct in in;
    struct out o;
    int last = -1;

    in_init(&in, p, 0);
    out_init(&o, p, 1);
    while (in_fill(&in) && !o.err) {
        size_t n = MIN((size_t)(in.end - in.p), (size_t)PIPE_SIZE);
        char *to = out_reserve(&o, n);
        if (!to)
            break;
        out_commit(&o, tr_some(k, to, in.p, n, &last));
        in.p += n;
    }
    int err = in.err;
    in_fini(&in);
    if (err < 0 && err != HOB_EKILLED) {
        out_flush(&o);
        proc_warn(p, "read error: %s", error_text(err));
    }
    return command_close(p, &o, err < 0 ? (err == HOB_EKILLED ? err : 1) : 0);
}

static int tr_operands(struct proc *p, const struct tr *t)
{
    int least = 1 + (t->del == t->squeeze), most = 1 + (t->del <= t->squeeze);
    if (p->argc < least) {
        if (p->argc == 0) {
            proc_warn(p, "missing operand");
        } else {
            proc_warn(p, "missing operand after %s", proc_quote(p, p->argv[p->argc - 1]));
            proc_puts(
                p, 2,
                t->squeeze
                    ? STR("Two strings must be given when both deleting and squeezing repeats.\n")
                    : STR("Two strings must be given when translating.\n"));
        }
        return proc_usage(p);
    }
    if (p->argc > most) {
        proc_warn(p, "extra operand %s", proc_quote(p, p->argv[most]));
        if (p->argc == 2)
            proc_puts(
                p, 2,
                STR("Only one string may be given when deleting without squeezing repeats.\n"));
        return proc_usage(p);
    }
    return 0;
}

static int tr_run(struct proc *p, void *args)
{
    struct tr *t = args;
    struct tr_set a = {.p = p, .fill = -1}, b = {.p = p, .fill = -1, .second = true};
    struct tr_tables k = {0};
    int r = tr_operands(p, t);

    if (r)
        return r;
    a.text = p->argv[0];
    buf_init(&a.bytes, &p->kernel->heap);
    buf_init(&b.bytes, &p->kernel->heap);
    if (p->argc > 1)
        b.text = p->argv[1];
    r = tr_parse(&a) < 0 || (b.text.p && tr_parse(&b) < 0) ? 1 : 0;
    if (r == 0)
        r = tr_tables_of(t, &a, &b, &k);
    buf_fini(&a.bytes);
    buf_fini(&b.bytes);
    vec_fini(&p->kernel->heap, &a.cases);
    vec_fini(&p->kernel->heap, &b.cases);
    return r ? r : tr_copy(p, &k);
}

const struct command cmd_tr = {
    .name = "tr",
    .usage = "[OPTION]... SET1 [SET2]",
    .summary =
        "Copy standard input to standard output, translating, squeezing or deleting characters.",
    .notes = "SETs are strings of characters. Besides \\NNN \\\\ \\a \\b \\f \\n \\r \\t \\v they "
             "may hold\n"
             "CHAR1-CHAR2, [CHAR*] and [CHAR*REPEAT] (in SET2), [:alnum:] [:alpha:] [:blank:] "
             "[:cntrl:]\n"
             "[:digit:] [:graph:] [:lower:] [:print:] [:punct:] [:space:] [:upper:] [:xdigit:] "
             "[=CHAR=].\n"
             "SET2 is lengthened by repeating its last character.",
    .opts = tr_opts,
    .args_size = sizeof(struct tr),
    .flags = CMD_POSIXLY,
    .usage_status = 1,
    .run = tr_run,
};
