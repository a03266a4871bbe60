/* awk_regex.c -- regular expressions: those of the program, and those made of strings */
#include "commands/awk/awk.h"

#include "base/error.h"

static int awk_re_tick(void *ud, uint64_t steps) { return proc_tick(ud, (int64_t)(steps >> 10)); }

static int awk_re_make(struct awk *a, struct awk_re *re, bool icase, struct hob_error *err)
{
    unsigned flags = REGEX_AWK | (icase ? REGEX_ICASE : 0) | (a->bytes ? REGEX_BYTES : 0);
    int r = regex_compile(a->heap, awk_str_get(re->text), flags, &re->re[icase], err);

    if (r == 0)
        regex_set_tick(re->re[icase], awk_re_tick, a->p);
    return r;
}

struct awk_re *awk_re_new(struct awk *a, struct str text, struct hob_error *err)
{
    struct awk_re *re = heap_new(a->heap, struct awk_re);

    if (!re) {
        awk_nomem(a);
        return NULL;
    }
    re->text = awk_str_new(a, text.p, text.n);
    int r = a->err ? a->err : awk_re_make(a, re, false, err);
    if (r < 0) {
        if (r == HOB_ENOMEM)
            awk_nomem(a);
        awk_str_unref(a, re->text);
        heap_drop(a->heap, re);
        return NULL;
    }
    re->literal = regex_literal(re->re[0], &re->lit);
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
    struct awk_re *re = awk_re_new(a, text, &err);
    if (!re) {
        if (!a->err)
            awk_fatal(a, "invalid regexp: %s: /%.*s/", err.msg, STR_ARG(text));
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

int awk_re_match(struct awk *a, struct awk_re *re, struct str s, size_t from, unsigned flags,
                 struct regex_match *m, size_t nm)
{
    struct hob_error err;

    if (UNLIKELY(a->icase) && !re->re[1]) {
        int r = awk_re_make(a, re, true, &err);
        if (r < 0) {
            if (!a->err)
                a->err = r;
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
