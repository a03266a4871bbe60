/* awk_subst.c -- sub, gsub, gensub and match */
#include "commands/awk/awk_run.h"

#include "base/error.h"
#include "base/utf8.h"

enum {
    AWK_GROUPS = 10
};

/* The replacement of sub and gsub: & is the match, \& is a &, \\ before & a backslash. */
static void awk_replace_plain(struct buf *b, struct str to, struct str match)
{
    for (size_t i = 0; i < to.n; i++) {
        char c = to.p[i];
        if (c == '\\' && i + 1 < to.n && to.p[i + 1] == '&') {
            buf_putc(b, '&');
            i++;
        } else if (c == '\\' && i + 2 < to.n && to.p[i + 1] == '\\' && to.p[i + 2] == '&') {
            buf_putc(b, '\\');
            buf_str(b, match);
            i += 2;
        } else if (c == '\\' && i + 3 < to.n && to.p[i + 1] == '\\' && to.p[i + 2] == '\\' &&
                   to.p[i + 3] == '&') {
            buf_add(b, "\\&", 2);
            i += 3;
        } else if (c == '&') {
            buf_str(b, match);
        } else {
            buf_putc(b, c);
        }
    }
}

/* That of gensub: \1 to \9 are groups, \0 and & the match, \\ a backslash. */
static void awk_replace_groups(struct buf *b, struct str to, struct str text,
                               const struct regex_match *m, size_t nm)
{
    for (size_t i = 0; i < to.n; i++) {
        char c = to.p[i];
        int group = -1;
        if (c == '\\' && i + 1 < to.n) {
            char d = to.p[++i];
            if (ascii_digit(d))
                group = d - '0';
            else if (d == '&' || d == '\\')
                c = d;
            else {
                buf_putc(b, '\\');
                c = d;
            }
            if (group < 0) {
                buf_putc(b, c);
                continue;
            }
        } else if (c == '&') {
            group = 0;
        }
        if (group < 0)
            buf_putc(b, c);
        else if ((size_t)group < nm && m[group].start >= 0)
            buf_str(b,
                    str_sub(text, (size_t)m[group].start, (size_t)(m[group].end - m[group].start)));
    }
}

struct awk_replace {
    struct awk_re *re;
    struct str text, to;
    uint64_t which; /* 0: all of them */
    bool groups;
};

/* gsub of one byte by plain text: no need to ask the regular expression each time. */
static size_t awk_replace_byte(struct awk *a, const struct awk_replace *r, struct buf *b)
{
    const char *p = r->text.p, *end = r->text.n ? p + r->text.n : p, *hit;
    size_t count = 0;

    while (p < end && (hit = memchr(p, r->re->lit.p[0], (size_t)(end - p)))) {
        buf_add(b, p, (size_t)(hit - p));
        buf_str(b, r->to);
        p = hit + 1;
        count++;
    }
    if (count)
        buf_add(b, p, (size_t)(end - p));
    if (a->heap->oom)
        awk_nomem(a);
    return count;
}

/* Replaces in `text`, to b. How many were replaced. */
static size_t awk_replace_all(struct awk *a, const struct awk_replace *r, struct buf *b)
{
    struct regex_match m[AWK_GROUPS];
    size_t nm = r->groups ? MIN(awk_re_groups(r->re) + 1, (size_t)AWK_GROUPS) : 1;
    size_t at = 0, from = 0, count = 0, last = SIZE_MAX;
    uint64_t seen = 0;
    bool plain =
        !r->groups &&
        (r->to.n == 0 || (!memchr(r->to.p, '&', r->to.n) && !memchr(r->to.p, '\\', r->to.n)));

    if (plain && !r->which && r->re->literal && r->re->lit.n == 1 && !a->icase)
        return awk_replace_byte(a, r, b);
    while (from <= r->text.n && awk_re_match(a, r->re, r->text, from, 0, m, nm) > 0) {
        size_t start = (size_t)m[0].start, end = (size_t)m[0].end;
        bool empty = end == start;
        /* Right behind a match an empty one is none, except where gawk's gensub() counts them. */
        if (r->which ? ++seen == r->which : !(empty && start == last)) {
            buf_str(b, str_sub(r->text, at, start - at));
            if (plain)
                buf_str(b, r->to);
            else if (r->groups)
                awk_replace_groups(b, r->to, r->text, m, nm);
            else
                awk_replace_plain(b, r->to, str_sub(r->text, start, end - start));
            at = end;
            count++;
        }
        if (r->which && seen >= r->which)
            break;
        last = from = end;
        if (empty) {
            int len = 1;
            if (end >= r->text.n)
                break;
            if (!a->bytes)
                utf8_decode(r->text.p + end, r->text.n - end, &len);
            from += (size_t)len;
        }
        if ((count & 255) == 255 && !a->err)
            a->err = proc_tick(a->p, 1);
    }
    if (count)
        buf_str(b, str_from(r->text, at));
    if (a->heap->oom)
        awk_nomem(a);
    return count;
}

/* The text of a place, without taking its parts off the stack. The value is a holder. */
static struct awk_val awk_subst_load(struct awk *a, int kind, int32_t operand)
{
    struct awk_val *v = NULL;

    switch (kind) {
    case AWK_LV_GLOBAL:
        if (operand <= AWK_V_FNR)
            return awk_number(operand == AWK_V_NF   ? (double)awk_nf(a)
                              : operand == AWK_V_NR ? a->nr
                                                    : a->fnr);
        v = &a->globals.p[operand];
        break;
    case AWK_LV_LOCAL: v = &a->stack[a->base + (size_t)operand]; break;
    case AWK_LV_FIELD: return awk_field_get(a, awk_to_num(a, &a->sp[-1]));
    case AWK_LV_ELEM:
        v = awk_element(a, operand, true);
        if (v && v->kind == AWK_UNSET && !v->n) /* that it was looked at makes it a string */
            *v = awk_text_val(awk_str_ref(a->empty));
        break;
    default: v = &a->sp[-1]; break;
    }
    if (v && awk_is_unset(v))
        awk_resolve(a, v, true);
    if (v && v->kind == AWK_ARRAY) {
        awk_fatal(a, "attempt to use array `%s' in a scalar context",
                  awk_name_of(a, kind == AWK_LV_LOCAL ? ~operand : operand));
        v = NULL;
    }
    return v ? awk_copy(a, v) : (struct awk_val){0};
}

void awk_subst(struct awk *a, bool global, int kind, int32_t operand)
{
    char tmp[AWK_TMP], tmp2[AWK_TMP];
    int parts = kind == AWK_LV_ELEM ? (operand == AWK_ON_STACK ? 2 : 1)
                                    : kind == AWK_LV_FIELD || kind == AWK_LV_VALUE;
    struct awk_val *argv = a->sp - parts - 2;
    struct awk_val old = awk_subst_load(a, kind, operand);
    struct awk_replace r = {.re = awk_re_of(a, &argv[0]), .which = global ? 0 : 1};
    size_t count = 0;

    r.text = awk_text(a, &old, tmp);
    r.to = awk_text(a, &argv[1], tmp2);
    buf_clear(&a->scratch);
    if (r.re && !a->err)
        count = awk_replace_all(a, &r, &a->scratch);
    if (count && !a->err) {
        struct str s = buf_get(&a->scratch);
        struct awk_str *made = awk_str_new(a, s.p, s.n);
        awk_store(a, kind, operand, awk_text_val(made));
    } else {
        if (kind == AWK_LV_FIELD && !a->err)
            awk_field_reach(a, awk_to_num(a, &a->sp[-1]));
        for (int i = 0; i < parts; i++)
            awk_drop(a, --a->sp);
    }
    awk_drop(a, &old);
    awk_drop(a, --a->sp);
    awk_drop(a, --a->sp);
    *a->sp++ = awk_number((double)count);
}

struct awk_val awk_gensub(struct awk *a, int argc, struct awk_val *argv)
{
    char tmp[AWK_TMP], tmp2[AWK_TMP], tmp3[AWK_TMP];
    struct str how = awk_text(a, &argv[2], tmp);
    struct awk_replace r = {.re = awk_re_of(a, &argv[0]), .groups = true, .which = 1};

    if (how.n && (how.p[0] == 'g' || how.p[0] == 'G')) {
        r.which = 0;
    } else {
        double d = awk_to_num(a, &argv[2]);
        r.which = d >= 1 && d < 1e18 ? (uint64_t)d : 1;
        if (d < 1)
            awk_warn(a, "gensub: third argument `%.*s' treated as 1", STR_ARG(how));
    }
    r.to = awk_text(a, &argv[1], tmp2);
    if (argc > 3)
        r.text = awk_text(a, &argv[3], tmp3);
    else
        r.text = awk_record(a);
    buf_clear(&a->scratch);
    if (r.re && !a->err && awk_replace_all(a, &r, &a->scratch)) {
        struct str s = buf_get(&a->scratch);
        return awk_text_val(awk_str_new(a, s.p, s.n));
    }
    struct awk_val same = argc > 3 ? awk_copy(a, &argv[3]) : awk_field_quick(a, 0);
    if (same.kind == AWK_UNSET)
        same.n = 1;
    else if (same.kind == AWK_SLICE)
        awk_own(a, &same);
    else if (!awk_counted(&same))
        awk_to_str(a, &same);
    return same;
}

/* ---- match ----------------------------------------------------------------------------------- */

static void awk_match_put(struct awk *a, struct awk_array *t, const char *suffix, size_t group,
                          struct awk_val v)
{
    struct buf *b = &a->scratch2;

    buf_clear(b);
    buf_printf(b, "%zu", group);
    if (suffix) {
        buf_str(b, awk_str_get(a->subsep));
        buf_addz(b, suffix);
    }
    awk_array_put(a, t, buf_get(b), v);
}

static void awk_match_array(struct awk *a, struct awk_array *t, struct str s,
                            const struct regex_match *m, size_t nm)
{
    for (size_t i = 0; i < nm && !a->err; i++) {
        if (m[i].start < 0)
            continue;
        struct str part = str_sub(s, (size_t)m[i].start, (size_t)(m[i].end - m[i].start));
        /* The place of an empty one counts bytes, as in gawk. */
        size_t start = (size_t)m[i].start + 1;
        if (part.n > 0)
            start = awk_count(a, str_sub(s, 0, (size_t)m[i].start)) + 1;
        awk_match_put(a, t, NULL, i, awk_input_val(a, part));
        awk_match_put(a, t, "start", i, awk_number((double)start));
        awk_match_put(a, t, "length", i, awk_number((double)awk_count(a, part)));
    }
}

double awk_match(struct awk *a, int argc, struct awk_val *argv)
{
    char tmp[AWK_TMP];
    struct str s = awk_text(a, &argv[0], tmp);
    struct awk_re *re = awk_re_of(a, &argv[1]);
    double start = 0, length = -1;
    struct regex_match few[AWK_GROUPS], *m = few;
    size_t nm = 1;

    if (!re)
        return 0;
    if (argc > 2 && argv[2].kind != AWK_ARRAY) {
        awk_fatal(a, "match: third argument is not an array");
        return 0;
    }
    if (argc > 2)
        nm = awk_re_groups(re) + 1;
    if (nm > AWK_GROUPS)
        m = heap_alloc(a->heap, nm * sizeof *m);
    if (!m) {
        awk_nomem(a);
        return 0;
    }
    if (argc > 2)
        awk_array_clear(a, argv[2].u.a);
    if (awk_re_match(a, re, s, 0, 0, m, nm) > 0) {
        size_t from = (size_t)m[0].start;
        bool empty = m[0].end == m[0].start;
        start = (double)(empty ? from : awk_count(a, str_sub(s, 0, from))) + 1; /* as above */
        length = (double)awk_count(a, str_sub(s, from, (size_t)m[0].end - from));
        if (argc > 2)
            awk_match_array(a, argv[2].u.a, s, m, nm);
    }
    if (m != few)
        heap_free(a->heap, m, nm * sizeof *m);
    awk_store(a, AWK_LV_GLOBAL, AWK_V_RSTART, awk_number(start));
    awk_store(a, AWK_LV_GLOBAL, AWK_V_RLENGTH, awk_number(length));
    return start;
}
