/* tsort.c -- an order that agrees with pairs: topological sorting
 *
 * Names that nothing stands before are printed in the order of their names at first, then those
 * that become free, in the order in which they do. When none is left but names are, there is a
 * loop: it is told, one of its pairs is taken away, and it goes on.
 */
#include "shell/command.h"

#include "base/error.h"
#include "base/map.h"
#include "base/utf8.h"

struct tsort_node;
struct tsort_edge {
    struct tsort_node *to;
    struct tsort_edge *next; /* the newest first */
};
struct tsort_node {
    struct str name;
    struct tsort_edge *after;
    size_t before; /* how many stand before it */
    bool done;
    struct tsort_node *queue, *walk;
};

struct tsort {
    struct proc *p;
    struct map map;
    struct tsort_node **nodes; /* by name */
    struct tsort_node *head, *tail;
    struct out out;
    struct str file;
    bool loop;
};

static struct tsort_node *tsort_node(struct tsort *t, struct str name)
{
    void **v = map_put(&t->map, name);
    if (v && !*v) {
        struct tsort_node *n = arena_new(t->p->arena, struct tsort_node);
        if (n)
            n->name = arena_str(t->p->arena, name);
        *v = n;
    }
    return v ? *v : NULL;
}

static bool tsort_pair(struct tsort *t, struct tsort_node *a, struct tsort_node *b)
{
    if (a == b)
        return true;
    struct tsort_edge *e = arena_new(t->p->arena, struct tsort_edge);
    if (!e)
        return false;
    e->to = b;
    e->next = a->after;
    a->after = e;
    b->before++;
    return true;
}

static int tsort_read(struct tsort *t, struct in *in)
{
    struct buf word;
    struct tsort_node *first = NULL;
    int r = 0, c;
    buf_init(&word, &t->p->kernel->heap);
    do {
        c = in_getc(in);
        if (c >= 0 && c != ' ' && c != '\t' && c != '\n') {
            buf_putc(&word, (char)c);
            continue;
        }
        if (word.n) {
            struct tsort_node *n = tsort_node(t, buf_get(&word));
            if (!n || (first && !tsort_pair(t, first, n)))
                r = HOB_ENOMEM;
            first = first ? NULL : n;
            buf_clear(&word);
        }
        if (r == 0)
            r = proc_tick(t->p, c == '\n');
    } while (c >= 0 && r == 0);
    buf_fini(&word);
    if (r == 0 && first && in->err == 0) {
        proc_warn(t->p, "%s: input contains an odd number of tokens", proc_quotef(t->p, t->file));
        r = 1;
    }
    return r;
}

static void tsort_push(struct tsort *t, struct tsort_node *n)
{
    n->queue = NULL;
    if (t->tail)
        t->tail->queue = n;
    else
        t->head = n;
    t->tail = n;
}

/* Follows a chain backwards until a name comes again; tells it and cuts it there. */
static void tsort_break(struct tsort *t, size_t count)
{
    struct tsort_node *at = NULL, *chain = NULL;
    proc_warn(t->p, "%s: input contains a loop:", proc_quotef(t->p, t->file));
    t->loop = true;
    for (size_t i = 0; i < count; i++)
        t->nodes[i]->walk = NULL;
    for (;;) {
        for (size_t i = 0; i < count; i++) {
            struct tsort_node *n = t->nodes[i];
            if (n->before == 0 || n->done)
                continue;
            if (!chain) {
                chain = n;
                continue;
            }
            struct tsort_edge **e = &n->after;
            while (*e && (*e)->to != chain)
                e = &(*e)->next;
            if (!*e)
                continue;
            if (!n->walk) { /* one step further back */
                n->walk = chain;
                chain = n;
                continue;
            }
            for (at = chain; at;) {
                struct tsort_node *next = at->walk;
                proc_warn(t->p, "%.*s", STR_ARG(at->name));
                if (at == n) {
                    (*e)->to->before--;
                    *e = (*e)->next;
                    return;
                }
                at = next;
            }
        }
        if (proc_tick(t->p, (int64_t)count / 16 + 1) < 0)
            return;
    }
}

static int tsort_compare(const void *a, const void *b, void *ud)
{
    struct tsort_node *const *x = a, *const *y = b;
    (void)ud;
    return str_cmp((*x)->name, (*y)->name);
}

static int tsort_write(struct tsort *t)
{
    size_t count = 0, left;
    t->nodes = arena_array(t->p->arena, struct tsort_node *, t->map.n + 1);
    if (!t->nodes)
        return HOB_ENOMEM;
    for (struct map_entry *e = NULL; (e = map_next(&t->map, e));)
        t->nodes[count++] = e->value;
    int r =
        sort_stable(&t->p->kernel->heap, t->nodes, count, sizeof *t->nodes, tsort_compare, NULL);
    for (left = count; left && r == 0;) {
        for (size_t i = 0; i < count; i++)
            if (t->nodes[i]->before == 0 && !t->nodes[i]->done)
                tsort_push(t, t->nodes[i]);
        while (t->head && !t->out.err) {
            struct tsort_node *n = t->head;
            out_str(&t->out, n->name);
            out_putc(&t->out, '\n');
            n->done = true;
            left--;
            for (struct tsort_edge *e = n->after; e; e = e->next)
                if (--e->to->before == 0)
                    tsort_push(t, e->to);
            t->head = n->queue;
            t->tail = t->head ? t->tail : NULL;
        }
        if (t->out.err)
            break;
        if (left)
            tsort_break(t, count);
        r = proc_tick(t->p, 1);
    }
    return r ? r : t->loop;
}

static int tsort_run(struct proc *p, void *args)
{
    struct tsort t = {.p = p};
    struct in in;
    (void)args;
    if (p->argc > 1)
        return proc_extra_operand(p, p->argv[1]);
    t.file = p->argc ? p->argv[0] : STR("-");
    if (in_open(&in, p, t.file) < 0)
        return 1;
    map_init(&t.map, &p->kernel->heap);
    out_init(&t.out, p, 1);
    int r = tsort_read(&t, &in);
    if (in.err < 0) {
        if (in.err != HOB_EKILLED)
            proc_warn(p, "%s: read error: %s", proc_quotef(p, t.file), error_text(in.err));
        r = in.err == HOB_EKILLED ? in.err : 1;
    }
    in_fini(&in);
    if (r == 0)
        r = tsort_write(&t);
    map_fini(&t.map);
    return command_close(p, &t.out, r);
}

static const struct opt tsort_opts[] = {OPT_END};

const struct command cmd_tsort = {
    .name = "tsort",
    .usage = "[OPTION] [FILE]",
    .summary = "Write the names of FILE in an order in which the first of each pair comes first.",
    .notes = "Without FILE, or when FILE is -, standard input is read.",
    .opts = tsort_opts,
    .usage_status = 1,
    .run = tsort_run,
};
