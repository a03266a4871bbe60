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

int tabs_parse(struct proc *p, struct tabs *t, struct str s)
{
    size_t i = 0;
    t->given = true;
    while (i < s.n) {
        char mark = '\0';
        uint64_t v = 0;
        if (s.p[i] == ',' || s.p[i] == ' ' || s.p[i] == '\t') {
            i++;
            continue;
        }
        if (s.p[i] == '/' || s.p[i] == '+')
            mark = s.p[i++];
        size_t start = i;
        for (; i < s.n && ascii_digit(s.p[i]); i++) {
            if (__builtin_mul_overflow(v, 10, &v) ||
                __builtin_add_overflow(v, (uint64_t)(s.p[i] - '0'), &v)) {
                while (i < s.n && ascii_digit(s.p[i]))
                    i++;
                proc_warn(p, "tab stop is too large %s",
                          proc_quote(p, str_sub(s, start, i - start)));
                return 2;
            }
        }
        if (i == start) {
            proc_warn(p, "tab size contains invalid character(s): %s",
                      proc_quote(p, str_from(s, start)));
            return 2;
        }
        if (mark && (t->slash || t->plus))
            return tabs_fail(p, mark == '/' ? "'/' specifier only allowed with the last value"
                                            : "'+' specifier only allowed with the last value");
        if (mark) {
            t->slash = mark == '/';
            t->plus = mark == '+';
            t->every = v;
            if (i < s.n && s.p[i] != ',' && s.p[i] != ' ')
                return tabs_fail(p, "'/' specifier not at start of number: ");
        } else {
            if (t->slash || t->plus)
                return tabs_fail(p, t->slash ? "'/' specifier only allowed with the last value"
                                             : "'+' specifier only allowed with the last value");
            int r = tabs_add(p, t, v);
            if (r)
                return r;
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
    if (t->n == 0 && !t->slash && !t->plus)
        t->every = 8;
    else if (t->n == 1 && !t->slash && !t->plus) {
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
    uint64_t from = t->plus && t->n ? t->p[t->n - 1] : 0;
    *next = from + ((col - from) / t->every + 1) * t->every;
    return true;
}
