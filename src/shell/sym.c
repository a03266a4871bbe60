/* sym.c -- names of variables, each kept once: what the syntax tree and the slots refer to */
#include "shell/var_impl.h"
#include "base/utf8.h"

struct symtab {
    struct heap *heap;
    struct arena arena; /* the syms with their names */
    struct sym **table; /* open addressing by hash */
    uint32_t mask;
    uint32_t n; /* without the well-known ones */
    VEC(struct sym *) ids;
};

const struct sym sym_known[SYM_KNOWN] = {
#define VAR_X(id, name, flags, text) {STR_INIT(name), SYM_##id},
    VAR_KNOWN(VAR_X)
#undef VAR_X
};

static struct sym *sym_find_known(struct str name)
{
    size_t lo = 0, hi = SYM_KNOWN;
    while (lo < hi) {
        size_t mid = (lo + hi) / 2;
        int c = str_cmp(name, sym_known[mid].name);
        if (c == 0)
            return sym_of((enum sym_known)mid);
        if (c < 0)
            hi = mid;
        else
            lo = mid + 1;
    }
    return NULL;
}

static struct symtab *sym_table(struct shell *sh)
{
    struct symtab *t = sh->shared->syms;
    if (!t && (t = heap_new(sh->heap, struct symtab))) {
        t->heap = sh->heap;
        arena_init(&t->arena, sh->heap);
        sh->shared->syms = t;
    }
    return t;
}

void symtab_free(struct shell_shared *s)
{
    struct symtab *t = s->syms;
    if (!t)
        return;
    arena_fini(&t->arena);
    if (t->table)
        heap_free(t->heap, t->table, (t->mask + (size_t)1) * sizeof *t->table);
    vec_fini(t->heap, &t->ids);
    heap_drop(t->heap, t);
    s->syms = NULL;
}

/* The place of the name in the table: holds its sym, or NULL where it would go. */
static struct sym **sym_place(struct symtab *t, struct str name)
{
    uint32_t i = str_hash(name) & t->mask;
    while (t->table[i] && !str_eq(t->table[i]->name, name))
        i = (i + 1) & t->mask;
    return &t->table[i];
}

struct sym *sym_find(struct shell *sh, struct str name)
{
    struct sym *s = name.n && !ascii_lower(name.p[0]) ? sym_find_known(name) : NULL;
    if (s)
        return s;
    struct symtab *t = sh->shared->syms;
    return t && t->table ? *sym_place(t, name) : NULL;
}

static bool sym_grow(struct symtab *t)
{
    uint32_t was = t->table ? t->mask + 1 : 0, size = was ? was * 2 : 64;
    struct sym **old = t->table;
    struct sym **table = heap_zalloc(t->heap, size * sizeof *table);
    if (!table)
        return false;
    t->table = table;
    t->mask = size - 1;
    for (uint32_t i = 0; i < was; i++)
        if (old[i])
            *sym_place(t, old[i]->name) = old[i];
    if (old)
        heap_free(t->heap, old, was * sizeof *old);
    return true;
}

struct sym *sym_intern(struct shell *sh, struct str name)
{
    struct sym *s = sym_find(sh, name);
    struct symtab *t = s ? NULL : sym_table(sh);
    if (s || !t)
        return s;
    if ((!t->table || t->n >= t->mask / 4 * 3) && !sym_grow(t))
        return NULL;
    if (!vec_reserve(t->heap, &t->ids, 1))
        return NULL;
    s = arena_alloc(&t->arena, sizeof *s + name.n + 1);
    if (!s)
        return NULL;
    char *text = (char *)(s + 1);
    if (name.n)
        memcpy(text, name.p, name.n);
    text[name.n] = '\0';
    s->name = str_of(text, name.n);
    s->id = SYM_KNOWN + t->n++;
    t->ids.p[t->ids.n++] = s;
    *sym_place(t, name) = s;
    return s;
}

struct sym *sym_by_id(struct shell *sh, uint32_t id)
{
    return id < SYM_KNOWN ? sym_of((enum sym_known)id) : sh->shared->syms->ids.p[id - SYM_KNOWN];
}
