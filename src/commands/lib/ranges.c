/* ranges.c -- lists like 1,3-5,7-: cut and numfmt */
#include "commands/lib/ranges.h"

#include "base/utf8.h"

static int ranges_fail(struct proc *p, const char *text)
{
    proc_warn(p, "%s", text);
    return proc_usage(p);
}

static int ranges_compare(const void *a, const void *b, void *ud)
{
    const struct range *x = a, *y = b;
    (void)ud;
    return (x->from > y->from) - (x->from < y->from);
}

/* Sorts, joins what touches, and turns it round if asked to. */
static int ranges_settle(struct proc *p, struct ranges *r, bool complement)
{
    int e = sort_stable(&p->kernel->heap, r->p, r->n, sizeof *r->p, ranges_compare, NULL);
    size_t n = 0;

    if (e < 0)
        return e;
    for (size_t i = 0; i < r->n; i++) {
        if (n && r->p[i].from <= r->p[n - 1].to)
            r->p[n - 1].to = MAX(r->p[n - 1].to, r->p[i].to);
        else
            r->p[n++] = r->p[i];
    }
    r->n = n;
    if (!complement)
        return 0;
    struct range *c = arena_array(p->arena, struct range, n + 1);
    size_t k = 0;
    uint64_t at = 1;
    if (!c)
        return HOB_ENOMEM;
    for (size_t i = 0; i < n; i++) {
        if (r->p[i].from > at)
            c[k++] = (struct range){at, r->p[i].from - 1};
        at = r->p[i].to == UINT64_MAX ? UINT64_MAX : r->p[i].to + 1;
    }
    if (at != UINT64_MAX)
        c[k++] = (struct range){at, UINT64_MAX};
    *r = (struct ranges){c, k};
    return 0;
}

/* A number at s[*i]; 0 if it is too large. */
static bool ranges_number(struct proc *p, struct str s, size_t *i, bool bytes, uint64_t *out,
                          int *status)
{
    size_t start = *i;
    uint64_t v = 0;
    bool over = false;
    for (; *i < s.n && ascii_digit(s.p[*i]); ++*i)
        over |= __builtin_mul_overflow(v, 10, &v) ||
                __builtin_add_overflow(v, (uint64_t)(s.p[*i] - '0'), &v);
    *out = v;
    if (over || v == UINT64_MAX) {
        proc_warn(p,
                  bytes ? "byte/character offset %s is too large" : "field number %s is too large",
                  proc_quote(p, str_sub(s, start, *i - start)));
        *status = proc_usage(p);
        return false;
    }
    return true;
}

/* One part between commas or blanks. 0, or a status. */
static int ranges_one(struct proc *p, struct str s, bool bytes, struct range *out)
{
    size_t i = 0;
    int status = 0;
    const char *from_one =
        bytes ? "byte/character positions are numbered from 1" : "fields are numbered from 1";
    bool left = s.n && ascii_digit(s.p[0]), dash = false, right = false;

    *out = (struct range){1, UINT64_MAX};
    if (left && !ranges_number(p, s, &i, bytes, &out->from, &status))
        return status;
    if (i < s.n && s.p[i] == '-') {
        dash = true;
        i++;
        right = i < s.n && ascii_digit(s.p[i]);
        if (right && !ranges_number(p, s, &i, bytes, &out->to, &status))
            return status;
    }
    if (i < s.n && s.p[i] == '-')
        return ranges_fail(p, bytes ? "invalid byte or character range" : "invalid field range");
    if (i < s.n) {
        proc_warn(p, bytes ? "invalid byte/character position %s" : "invalid field value %s",
                  proc_quote(p, str_from(s, i)));
        return proc_usage(p);
    }
    if (dash && !left && !right)
        return ranges_fail(p, "invalid range with no endpoint: -");
    if ((left && out->from == 0) || (!left && !dash) || (right && !left && out->to == 0))
        return ranges_fail(p, from_one);
    if (!dash)
        out->to = out->from;
    if (out->to < out->from)
        return ranges_fail(p, "invalid decreasing range");
    return 0;
}

int ranges_parse(struct proc *p, struct str list, int flags, struct ranges *out)
{
    bool bytes = flags & RANGES_BYTES;
    size_t cap = 1;

    for (size_t i = 0; i < list.n; i++)
        cap += list.p[i] == ',' || list.p[i] == ' ' || list.p[i] == '\t';
    out->n = 0;
    out->p = arena_array(p->arena, struct range, cap);
    if (!out->p)
        return HOB_ENOMEM;
    for (bool more = true; more;) {
        size_t n = 0;
        while (n < list.n && list.p[n] != ',' && list.p[n] != ' ' && list.p[n] != '\t')
            n++;
        more = n < list.n;
        int r = ranges_one(p, str_sub(list, 0, n), bytes, &out->p[out->n]);
        if (r)
            return r;
        out->n++;
        list = str_from(list, n + 1);
    }
    return ranges_settle(p, out, flags & RANGES_COMPLEMENT);
}
