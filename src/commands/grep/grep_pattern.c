/* grep_pattern.c -- the patterns of grep: where they come from, how they are compiled */
#include "commands/grep/grep.h"

#include "base/utf8.h"
#include "base/vec.h"
#include "commands/lib/brackets.h"

const struct grep_matcher grep_matchers[] = {
    {"grep", REGEX_GREP},   {"egrep", REGEX_EGREP},  {"fgrep", REGEX_FIXED},        {"perl", 0},
    {"awk", REGEX_AWK_OLD}, {"gawk", REGEX_AWK_GNU}, {"posixawk", REGEX_AWK_POSIX}, {NULL, 0},
};

int grep_pattern_add(struct proc *p, struct grep *o, struct str text, struct str file)
{
    size_t line = 1;

    o->have_patterns = true;
    if (!o->last)
        o->last = &o->first;
    for (;; line++) {
        ptrdiff_t nl = str_chr(text, '\n');
        struct grep_pattern *g = arena_new(p->arena, struct grep_pattern);
        if (!g)
            return HOB_ENOMEM;
        g->text = nl < 0 ? text : str_sub(text, 0, (size_t)nl);
        g->file = file;
        g->line = line;
        *o->last = g;
        o->last = &g->next;
        if (nl < 0)
            return 0;
        text = str_from(text, (size_t)nl + 1);
    }
}

/* Whether a pattern means itself in every syntax. */
static bool grep_pattern_plain(struct str s)
{
    for (size_t i = 0; i < s.n; i++) {
        if (s.p[i] && strchr("\\.[]*^$+?{}()|", s.p[i]))
            return false;
    }
    return true;
}

/* The length of an interval {2,3} that stands at s, 0 if it is none. */
static size_t grep_pattern_interval(struct str s)
{
    size_t i = 1, digits = 0;
    for (; i < s.n && (ascii_digit(s.p[i]) || s.p[i] == ','); i++)
        digits += s.p[i] != ',';
    return i < s.n && s.p[i] == '}' && (digits || i == 2) ? i + 1 : 0;
}

/* In extended syntax an operator at the start of an expression stands for nothing, and GNU says
 * so. */
static void grep_pattern_warn(struct proc *p, struct str s)
{
    bool start = true;

    for (size_t i = 0; i < s.n; i++) {
        char c = s.p[i];
        size_t interval;
        switch (c) {
        case '\\':
            c = ++i < s.n ? s.p[i] : '\0';
            start = start && c && strchr("bB<>`'", c);
            break;
        case '[':
            i += brackets_length(s, i) - 1;
            start = false;
            break;
        case '^':
        case '$': break;
        case '(':
        case '|': start = true; break;
        case '*':
        case '+':
        case '?':
            if (start)
                proc_warn(p, "warning: %c at start of expression", c);
            break;
        case '{':
            interval = grep_pattern_interval(str_from(s, i));
            if (interval && start)
                proc_warn(p, "warning: {...} at start of expression");
            i += interval ? interval - 1 : 0;
            start = false;
            break;
        default: start = false;
        }
    }
}

/* Whether the pattern was given before: what is wrong with it is told once. */
static bool grep_pattern_again(const struct grep *o, const struct grep_pattern *g)
{
    const struct grep_pattern *twin = o->first;
    while (twin != g && !str_eq(twin->text, g->text))
        twin = twin->next;
    return twin != g;
}

/* Whether GNU's automaton alone selects lines, without its matcher: it leaves characters by class
 * or range, words and back-references to the matcher. The two differ where an operator has nothing
 * to repeat, or an anchor. */
static bool grep_pattern_loose(struct str s)
{
    bool odd = false, start = true;
    for (size_t i = 0; i < s.n; i++) {
        char c = s.p[i];
        if (c == '\\' && i + 1 < s.n) {
            c = s.p[++i];
            if (c && strchr("wWsSbB<>123456789", c))
                return false;
            start = c == '`' || c == '\'';
        } else if (c == '[') {
            size_t n = brackets_length(s, i);
            for (size_t k = i + 1; k < i + n; k++)
                if (s.p[k] == '[' || s.p[k] == '-')
                    return false;
            i += n - 1;
            start = false;
        } else {
            odd |= start && c && strchr("*+?{", c);
            start = c && strchr(start ? "^$(|*+?" : "^$(|", c);
        }
    }
    return odd;
}

/* Tells what is wrong with each pattern. */
static void grep_pattern_errors(struct grep_run *r, unsigned flags, const struct hob_error *first)
{
    bool told = false;

    for (struct grep_pattern *g = r->o->first; g; g = g->next) {
        struct regex *re;
        struct hob_error err;
        if (grep_pattern_again(r->o, g))
            continue;
        if (regex_compile(&r->p->kernel->heap, g->text, flags, &re, &err) == 0) {
            regex_free(re);
            continue;
        }
        if (g->file.p)
            proc_warn(r->p, "%.*s:%zu: %s", STR_ARG(g->file), g->line, err.msg);
        else
            proc_warn(r->p, "%s", err.msg);
        told = true;
    }
    if (!told) /* only all of them together are too much */
        proc_warn(r->p, "%s", first->msg);
}

static int grep_pattern_tick(void *ud, uint64_t steps)
{
    return proc_tick(ud, (int64_t)(steps >> 10) + 1);
}

int grep_pattern_compile(struct grep_run *r)
{
    const struct grep *o = r->o;
    struct heap *h = &r->p->kernel->heap;
    struct strs list = {0};
    struct hob_error err = {0};
    struct str lit;
    bool plain = true, loose = false;
    size_t count = 0;
    unsigned flags = grep_matchers[o->matcher ? o->matcher - 1 : 0].flavour | REGEX_LINES;

    for (struct grep_pattern *g = o->first; g; g = g->next) {
        plain = plain && grep_pattern_plain(g->text);
        loose = loose || grep_pattern_loose(g->text);
        count++;
        if (!vec_push(h, &list, g->text)) {
            vec_fini(h, &list);
            return HOB_ENOMEM;
        }
    }
    if (plain && (flags & REGEX_FLAVOUR) <= REGEX_EGREP)
        flags = (flags & ~(unsigned)REGEX_FLAVOUR) | REGEX_FIXED;
    flags |= (o->icase ? REGEX_ICASE : 0u) | (o->nul_data ? REGEX_NUL : 0u) |
             (o->word ? REGEX_WORD : 0u) | (o->whole ? REGEX_WHOLE : 0u) |
             (r->bytes ? REGEX_BYTES : 0u);
    int e = regex_compile_set(h, list.p, list.n, flags, &r->re, &err);
    if (e == 0 && loose && !o->word && (flags & REGEX_FLAVOUR) == REGEX_EGREP) {
        r->show = r->re;
        r->re = NULL;
        e = regex_compile_set(h, list.p, list.n, flags | REGEX_LOOSE, &r->re, &err);
        regex_set_tick(r->show, grep_pattern_tick, r->p);
    }
    vec_fini(h, &list);
    if (e == HOB_ENOMEM)
        return e;
    if (e < 0) {
        grep_pattern_errors(r, flags, &err);
        return 3;
    }
    for (struct grep_pattern *g = o->first; g && (flags & REGEX_FLAVOUR) != REGEX_FIXED;
         g = g->next) {
        if (brackets_mistaken(g->text)) {
            proc_warn(r->p, BRACKETS_MISTAKE);
            return 3;
        }
    }
    if ((flags & REGEX_FLAVOUR) == REGEX_EGREP) {
        for (struct grep_pattern *g = o->first; g; g = g->next)
            if (count > 1000 || !grep_pattern_again(o, g))
                grep_pattern_warn(r->p, g->text);
    }
    regex_set_tick(r->re, grep_pattern_tick, r->p);
    r->literal = regex_literal(r->re, &lit);
    return 0;
}
