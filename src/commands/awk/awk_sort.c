/* awk_sort.c -- asort, asorti and PROCINFO["sorted_in"]
 *
 * An order is one of gawk's names (@ind_str_asc ...) or a function of the program, which is called
 * with two indices and two values. What compares as equal keeps the order of traversal.
 */
#include "commands/awk/awk.h"

#include "base/error.h"

enum awk_sort_kind {
    AWK_SORT_NONE,
    AWK_SORT_IND_STR,
    AWK_SORT_IND_NUM,
    AWK_SORT_VAL_STR,
    AWK_SORT_VAL_NUM,
    AWK_SORT_VAL_TYPE,
    AWK_SORT_FUNC
};

struct awk_sort_item {
    struct awk_val key, value; /* holders */
    double num;                /* of the key, for @ind_num */
    bool text;                 /* the key is kept as a string */
};

struct awk_sort {
    struct awk *a;
    enum awk_sort_kind kind;
    bool down;
    int func;
    struct awk_sort_item *item;
    size_t n;
};

/* ---- orders ---------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    enum awk_sort_kind kind;
    bool down;
} awk_sort_names[] = {
    {"@unsorted", AWK_SORT_NONE, false},         {"@ind_str_asc", AWK_SORT_IND_STR, false},
    {"@ind_num_asc", AWK_SORT_IND_NUM, false},   {"@val_str_asc", AWK_SORT_VAL_STR, false},
    {"@val_num_asc", AWK_SORT_VAL_NUM, false},   {"@val_type_asc", AWK_SORT_VAL_TYPE, false},
    {"@ind_str_desc", AWK_SORT_IND_STR, true},   {"@ind_num_desc", AWK_SORT_IND_NUM, true},
    {"@val_str_desc", AWK_SORT_VAL_STR, true},   {"@val_num_desc", AWK_SORT_VAL_NUM, true},
    {"@val_type_desc", AWK_SORT_VAL_TYPE, true},
};

static bool awk_sort_how(struct awk_sort *s, struct str how)
{
    for (size_t i = 0; i < COUNT(awk_sort_names); i++) {
        if (!str_eqz(how, awk_sort_names[i].name))
            continue;
        s->kind = awk_sort_names[i].kind;
        s->down = awk_sort_names[i].down;
        return true;
    }
    s->func = awk_function_named(s->a, how);
    if (s->func < 0) {
        awk_fatal(s->a, "sort comparison function `%.*s' is not defined", STR_ARG(how));
        return false;
    }
    s->kind = AWK_SORT_FUNC;
    return true;
}

/* Elements without a value before numbers before strings before arrays. */
static int awk_sort_rank(struct awk_val *v)
{
    if (v->kind == AWK_UNSET && !v->n)
        return -1;
    return v->kind == AWK_ARRAY ? 2 : awk_is_number(v) ? 0 : 1;
}

static int awk_sort_text(struct awk *a, struct awk_val *x, struct awk_val *y)
{
    char tx[AWK_TMP], ty[AWK_TMP];
    struct str s = awk_text(a, x, tx);
    return awk_compare_str(a, s, awk_text(a, y, ty));
}

static int awk_sort_number(double x, double y) { return x < y ? -1 : x > y; }

static int awk_sort_call(struct awk_sort *s, struct awk_sort_item *x, struct awk_sort_item *y)
{
    struct awk *a = s->a;
    struct awk_val argv[4] = {awk_copy(a, &x->key), awk_copy(a, &x->value), awk_copy(a, &y->key),
                              awk_copy(a, &y->value)};

    if (a->funcs.p[s->func].nparams < 4) {
        for (int i = 0; i < 4; i++)
            awk_drop(a, &argv[i]);
        awk_fatal(a, "function `%.*s' called with more arguments than declared",
                  STR_ARG(a->funcs.p[s->func].name));
        return 0;
    }
    struct awk_val r = awk_call(a, s->func, argv, 4);
    double d = awk_to_num(a, &r);
    awk_drop(a, &r);
    return d < 0 ? -1 : d > 0;
}

static int awk_sort_values(struct awk_sort *s, struct awk_val *x, struct awk_val *y)
{
    struct awk *a = s->a;
    int rx = awk_sort_rank(x), ry = awk_sort_rank(y);

    if (rx == 2 || ry == 2)
        return rx - ry;
    if (s->kind == AWK_SORT_VAL_STR)
        return awk_sort_text(a, x, y);
    if (rx < 0 || ry < 0)
        return rx - ry;
    if (s->kind == AWK_SORT_VAL_NUM) {
        int c = awk_sort_number(awk_to_num(a, x), awk_to_num(a, y));
        return c ? c : awk_sort_text(a, x, y);
    }
    if (rx != ry)
        return rx - ry;
    return rx ? awk_sort_text(a, x, y) : awk_sort_number(awk_to_num(a, x), awk_to_num(a, y));
}

static int awk_sort_compare(const void *x, const void *y, void *ud)
{
    struct awk_sort *s = ud;
    struct awk_sort_item *i = (struct awk_sort_item *)(uintptr_t)x;
    struct awk_sort_item *k = (struct awk_sort_item *)(uintptr_t)y;
    int c;

    if (s->a->err || s->a->exiting)
        return 0;
    switch (s->kind) {
    case AWK_SORT_IND_STR: c = awk_sort_text(s->a, &i->key, &k->key); break;
    case AWK_SORT_IND_NUM:
        c = awk_sort_number(i->num, k->num);
        if (!c)
            c = awk_sort_text(s->a, &i->key, &k->key);
        break;
    case AWK_SORT_FUNC: c = awk_sort_call(s, i, k); break;
    default:
        c = awk_sort_values(s, &i->value, &k->value);
        /* Equal values go by their indices, but those that are kept as numbers have no text. */
        if (!c && i->text && k->text)
            c = awk_sort_text(s->a, &i->key, &k->key);
        else if (!c)
            c = i->text - k->text;
        break;
    }
    return s->down ? -c : c;
}

/* ---- collecting ------------------------------------------------------------------------------ */

static void awk_sort_free(struct awk_sort *s)
{
    for (size_t i = 0; i < s->n; i++) {
        awk_drop(s->a, &s->item[i].key);
        awk_drop(s->a, &s->item[i].value);
    }
    heap_free(s->a->heap, s->item, (s->n + 1) * sizeof *s->item);
    s->item = NULL;
}

/* The elements of t, in their order. */
static bool awk_sort_collect(struct awk_sort *s, struct awk_array *t)
{
    struct awk *a = s->a;
    uint32_t *order, texts;

    if (!awk_order(a, t, &order, &texts))
        return false;
    s->n = t->live;
    s->item = heap_alloc(a->heap, (s->n + 1) * sizeof *s->item);
    if (s->item) {
        for (size_t i = 0; i < s->n; i++) {
            struct awk_elem *e = &t->e[order[i]];
            struct awk_sort_item *it = &s->item[i];
            it->key = awk_elem_key(a, e);
            it->text = i < texts;
            awk_is_number(&e->v);
            it->value = awk_copy(a, &e->v);
            it->num = e->type == AWK_KEY_INT ? (double)e->key.i : awk_to_num(a, &it->key);
        }
    } else {
        awk_nomem(a);
        s->n = 0;
    }
    heap_free(a->heap, order, (t->live + 1) * sizeof *order);
    if (!s->item || a->err) {
        awk_sort_free(s);
        return false;
    }
    if (s->kind != AWK_SORT_NONE &&
        sort_stable(a->heap, s->item, s->n, sizeof *s->item, awk_sort_compare, s) < 0)
        awk_nomem(a);
    if (!a->err)
        a->err = proc_tick(a->p, (int64_t)(s->n >> 6));
    if (a->err || a->exiting) {
        awk_sort_free(s);
        return false;
    }
    return true;
}

bool awk_sorted_keys(struct awk *a, struct awk_array *t, struct awk_val **out, size_t *n)
{
    struct awk_sort s = {.a = a};
    struct awk_val *info = awk_special(a, AWK_V_PROCINFO), *how;
    char tmp[AWK_TMP];

    how = info->kind == AWK_ARRAY ? awk_array_find_str(a, info->u.a, STR("sorted_in")) : NULL;
    if (how && how->kind != AWK_ARRAY && how->kind != AWK_UNSET) {
        struct str text = awk_text(a, how, tmp);
        if (text.n && !awk_sort_how(&s, text))
            return false;
    }
    t->refs++; /* a function may let go of it */
    bool ok = false;
    struct awk_val *keys = NULL;
    if (s.kind == AWK_SORT_NONE) {
        uint32_t *order, texts;
        if (awk_order(a, t, &order, &texts)) {
            *n = t->live;
            keys = heap_alloc(a->heap, (*n + 1) * sizeof *keys);
            for (size_t i = 0; keys && i < *n; i++)
                keys[i] = awk_elem_key(a, &t->e[order[i]]);
            heap_free(a->heap, order, (t->live + 1) * sizeof *order);
            ok = keys != NULL;
        }
    } else if (awk_sort_collect(&s, t)) {
        *n = s.n;
        keys = heap_alloc(a->heap, (*n + 1) * sizeof *keys);
        for (size_t i = 0; keys && i < *n; i++)
            keys[i] = awk_copy(a, &s.item[i].key);
        awk_sort_free(&s);
        ok = keys != NULL;
    }
    if (!ok && !a->err && !a->exiting)
        awk_nomem(a);
    *out = keys;
    awk_array_unref(a, t);
    return ok;
}

/* ---- asort and asorti ------------------------------------------------------------------------ */

void awk_builtin_asort(struct awk *a, int argc, struct awk_val *argv, bool keys)
{
    struct awk_sort s = {.a = a, .kind = keys ? AWK_SORT_IND_STR : AWK_SORT_VAL_TYPE};
    const char *name = keys ? "asorti" : "asort";
    char tmp[AWK_TMP];

    if (argv[0].kind != AWK_ARRAY || (argc > 1 && argv[1].kind != AWK_ARRAY)) {
        awk_fatal(a, "%s: %s argument is not an array", name,
                  argc > 1 && argv[1].kind != AWK_ARRAY ? "second" : "first");
        return;
    }
    if (argc > 2) {
        struct str how = awk_text(a, &argv[2], tmp);
        if (how.n && !awk_sort_how(&s, how))
            return;
    }
    struct awk_array *from = argv[0].u.a, *to = argc > 1 ? argv[1].u.a : from;
    if (argc == 2 && from == to && !a->told_silly) {
        a->told_silly = true;
        awk_warn(a, "asort/asorti: using the same array as source and destination without a third "
                    "argument is silly.");
    }
    if (!awk_sort_collect(&s, from))
        return;
    awk_array_clear(a, to);
    for (size_t i = 0; i < s.n && !a->err; i++) {
        struct awk_val *e = awk_array_at_int(a, to, (int64_t)i + 1);
        if (e)
            *e = awk_copy(a, keys ? &s.item[i].key : &s.item[i].value);
    }
    awk_sort_free(&s);
}
