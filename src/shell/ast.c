/* ast.c -- programs: a syntax tree with the arena it lives in */
#include "shell/ast.h"

struct program *program_new(struct heap *h)
{
    struct program *p = heap_alloc(h, sizeof *p);
    if (!p)
        return NULL;
    p->refs = 1;
    p->heap = h;
    p->root = NULL;
    arena_init(&p->arena, h);
    return p;
}

void program_unref(struct program *p)
{
    if (!p || --p->refs > 0)
        return;
    struct heap *h = p->heap;
    arena_fini(&p->arena);
    heap_drop(h, p);
}
