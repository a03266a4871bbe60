/* awk_regex.c -- regular expressions: those of the program, and those made of strings */
#include "commands/awk/awk.h"

#include "base/error.h"
#include "base/utf8.h"

static int awk_re_tick(void *ud, uint64_t steps) { return proc_tick(ud, (int64_t)(steps >> 10)); }

/* Without the operators of GNU, \y and its like are plain letters. */
static struct str awk_re_plain(struct str s, struct buf *b)
{
    for (size_t i = 0; i < s.n; i++) {
        if (s.p[i] == '\\' && i + 1 < s.n && s.p[i + 1] && strchr("yBwWsS<>`'", s.p[i + 1]))
            i++;
        else if (s.p[i] == '\\' && i + 1 < s.n)
            buf_putc(b, s.p[i++]);
        buf_putc(b, s.p[i]);
    }
    return buf_get(b);
}

static int awk_re_make(struct awk *a, struct awk_re *re, bool icase, struct hob_error *err)
{
    unsigned flags = REGEX_AWK | (icase ? REGEX_ICASE : 0) | (a->bytes ? REGEX_BYTES : 0);
    struct buf plain;

    buf_init(&plain, a->heap);
    struct str text =
        a->traditional ? awk_re_plain(awk_str_get(re->text), &plain) : awk_str_get(re->text);
    int r = regex_compile(a->heap, text, flags, &re->re[icase], err);
    buf_fini(&plain);
    if (r == 0)
        regex_set_tick(re->re[icase], awk_re_tick, a->p);
    return r;
}

size_t awk_re_hexless(struct str text)
{
    size_t n = 0;

    for (size_t i = 0; i + 1 < text.n; i++) {
        if (text.p[i] != '\\' || text.p[++i] != 'x')
            continue;
        int d = i + 1 < text.n ? ascii_to_lower((unsigned char)text.p[i + 1]) : 0;
        n += !ascii_digit(d) && (d < 'a' || d > 'f');
    }
    return n;
}

const char *awk_re_odd(struct awk *a, struct str text, size_t *at)
{
    const char *known = a->posix         ? "abfnrtvx01234567/-][}{()|?*+.^$\\"
                        : a->traditional ? "abfnrtvx01234567/-][()|?*+.^$\\"
                                         : "abfnrtvxywWsSB01234567`'/-][}{<>()|?*+.^$\\";

    for (size_t i = *at; i + 1 < text.n; i++) {
        if (text.p[i] != '\\')
            continue;
        unsigned char c = (unsigned char)text.p[++i];
        *at = i;
        if ((c && strchr(known, c)) || (a->warned[c / 64] >> c % 64 & 1))
            continue;
        a->warned[c / 64] |= (uint64_t)1 << c % 64;
        return c == '8' || c == '9' ? "treated as plain `" : "is not a known regexp operator";
    }
    return NULL;
}

struct str awk_re_shown(struct str text)
{
    size_t less = 0;
    for (size_t i = 0; i + 1 < text.n; i++) {
        if (text.p[i] != '\\')
            continue;
        char c = text.p[++i];
        less += c && strchr("abfnrtv0123456789", c) != NULL;
        for (int k = 0; k < 2 && c >= '0' && c <= '7' && i + 1 < text.n; k++) {
            if (text.p[i + 1] < '0' || text.p[i + 1] > '7')
                break;
            less++;
            i++;
        }
    }
    return str_sub(text, 0, text.n - less);
}

struct awk_re *awk_re_new(struct awk *a, struct str text, struct hob_error *err)
{
    struct awk_re *re = heap_new(a->heap, struct awk_re);

    if (!re) {
        awk_nomem(a);
        return NULL;
    }
    re->text = awk_str_new(a, text.p, text.n);
    int r = a->err ? a->err : awk_re_make(a, re, a->icase, err);
    if (r != 0) { /* above 0: the run has ended already */
        if (r == HOB_ENOMEM)
            awk_nomem(a);
        awk_str_unref(a, re->text);
        heap_drop(a->heap, re);
        return NULL;
    }
    re->literal = re->re[0] && regex_literal(re->re[0], &re->lit);
    re->next = a->res;
    a->res = re;
    return re;
}

struct awk_re *awk_re_text(struct awk *a, struct str text)
{
    struct awk_re **slot = &a->dynamic[str_hash(text) % COUNT(a->dynamic)];
    struct hob_error err;

    if (*slot && str_eq(awk_str_get((*slot)->text), text))
        return *slot;
    if (a->fresh_res > 500) { /* strings that are new each time: the old ones are let go */
        awk_re_forget(a);
        slot = &a->dynamic[str_hash(text) % COUNT(a->dynamic)];
    }
    const char *odd;
    for (size_t n = awk_re_hexless(text); n > 0; n--)
        awk_warn(a, AWK_HEXLESS);
    for (size_t at = 0; (odd = awk_re_odd(a, text, &at));)
        awk_warn(a, AWK_ODD_ESCAPE(text.p[at], odd));
    struct awk_re *re = awk_re_new(a, text, &err);
    if (!re) {
        if (!a->err)
            awk_fatal(a, "invalid regexp: %s: /%.*s/", err.msg, STR_ARG(awk_re_shown(text)));
        return NULL;
    }
    a->fresh_res++;
    *slot = re;
    return re;
}

struct awk_re *awk_re_of(struct awk *a, struct awk_val *v)
{
    char tmp[AWK_TMP];
    return v->kind == AWK_REGEX ? v->u.re : awk_re_text(a, awk_text(a, v, tmp));
}

size_t awk_re_groups(const struct awk_re *re)
{
    return regex_groups(re->re[0] ? re->re[0] : re->re[1]);
}

int awk_re_match(struct awk *a, struct awk_re *re, struct str s, size_t from, unsigned flags,
                 struct regex_match *m, size_t nm)
{
    struct hob_error err;

    if (UNLIKELY(!re->re[a->icase])) {
        int r = awk_re_make(a, re, a->icase, &err);
        if (r < 0) {
            if (r == HOB_ENOMEM)
                awk_nomem(a);
            else if (!a->err)
                awk_fatal(a, "invalid regexp: %s: /%.*s/", err.msg,
                          STR_ARG(awk_re_shown(awk_str_get(re->text))));
            return r;
        }
    }
    if (!s.p)
        s.p = "";
    int r = regex_exec(re->re[a->icase], s, from, flags, m, nm);
    if (UNLIKELY(r < 0) && !a->err)
        a->err = r;
    return r;
}

static void awk_re_free(struct awk *a, struct awk_re *re)
{
    regex_free(re->re[0]);
    regex_free(re->re[1]);
    awk_str_unref(a, re->text);
    heap_drop(a->heap, re);
}

/* Frees the dynamic ones that nothing but the cache knows. FS and its kin are made again. */
void awk_re_forget(struct awk *a)
{
    struct awk_re **at = &a->res;

    memset(a->dynamic, 0, sizeof a->dynamic);
    while (*at != a->static_res) {
        struct awk_re *re = *at;
        if (re == a->fs_re || re == a->fpat_re || re == a->rs_re || re == a->split_re) {
            at = &re->next;
            continue;
        }
        *at = re->next;
        awk_re_free(a, re);
    }
    a->fresh_res = 0;
}

void awk_re_free_all(struct awk *a)
{
    while (a->res) {
        struct awk_re *re = a->res;
        a->res = re->next;
        awk_re_free(a, re);
    }
}
