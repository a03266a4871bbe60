/* tabs.c -- lists of tab stops: expand and unexpand */
#include "commands/lib/tabs.h"

#include "base/utf8.h"

static int tabs_add(struct proc *p, struct tabs *t, uint64_t v)
{
    if (t->n == t->cap) {
        size_t cap = t->cap ? t->cap * 2 : 8;
        uint64_t *more = arena_grow(p->arena, t->p, t->cap * sizeof *more, cap * sizeof *more);
        if (!more)
            return 2;
        t->p = more;
        t->cap = cap;
    }
    t->p[t->n++] = v;
    return 0;
}

static int tabs_fail(struct proc *p, const char *text)
{
    proc_warn(p, "%s", text);
    return 2;
}

/* A number is whole: behind / or + it is a distance. */
static int tabs_store(struct proc *p, struct tabs *t, char mark, uint64_t v)
{
    uint64_t *to = mark == '/' ? &t->extend : &t->increment;
    if (!mark)
        return tabs_add(p, t, v);
    if (*to)
        return tabs_fail(p, mark == '/' ? "'/' specifier only allowed with the last value"
                                        : "'+' specifier only allowed with the last value");
    *to = v;
    return 0;
}

int tabs_parse(struct proc *p, struct tabs *t, struct str s)
{
    char mark = '\0';
    uint64_t v = 0;
    bool have = false;
    size_t start = 0;

    t->given = true;
    for (size_t i = 0; i <= s.n; i++) {
        char c = i < s.n ? s.p[i] : ',';
        if (c == ',' || c == ' ' || c == '\t') {
            int r = have ? tabs_store(p, t, mark, v) : 0;
            if (r)
                return r;
            have = false;
        } else if (c == '/' || c == '+') {
            if (have) {
                proc_warn(p, "'%c' specifier not at start of number: %s", c,
                          proc_quote(p, str_from(s, i)));
                return 2;
            }
            mark = c;
        } else if (ascii_digit(c)) {
            start = have ? start : i;
            v = have ? v : 0;
            have = true;
            if (__builtin_mul_overflow(v, 10, &v) ||
                __builtin_add_overflow(v, (uint64_t)(c - '0'), &v)) {
                while (i < s.n && ascii_digit(s.p[i]))
                    i++;
                proc_warn(p, "tab stop is too large %s",
                          proc_quote(p, str_sub(s, start, i - start)));
                return 2;
            }
        } else {
            proc_warn(p, "tab size contains invalid character(s): %s",
                      proc_quote(p, str_from(s, i)));
            return 2;
        }
    }
    return 0;
}

int tabs_settle(struct proc *p, struct tabs *t)
{
    for (size_t i = 0; i < t->n; i++) {
        if (t->p[i] == 0)
            return tabs_fail(p, "tab size cannot be 0") - 1;
        if (i && t->p[i] <= t->p[i - 1])
            return tabs_fail(p, "tab sizes must be ascending") - 1;
    }
    if (t->extend && t->increment)
        return tabs_fail(p, "'/' specifier is mutually exclusive with '+'") - 1;
    t->every = t->extend ? t->extend : t->increment;
    if (t->n == 0 && !t->every) {
        t->every = 8;
    } else if (t->n == 1 && !t->every) {
        t->every = t->p[0];
        t->n = 0;
    }
    return 0;
}

bool tabs_next(const struct tabs *t, uint64_t col, uint64_t *next)
{
    for (size_t i = 0; i < t->n; i++) {
        if (t->p[i] > col) {
            *next = t->p[i];
            return true;
        }
    }
    if (t->every == 0)
        return false;
    uint64_t from = t->increment && t->n ? t->p[t->n - 1] : 0;
    *next = from + ((col - from) / t->every + 1) * t->every;
    return true;
}
