/* patch_ed.c -- patches that are scripts for ed: the commands that diff -e writes */
#include "commands/patch/patch.h"

#include "base/utf8.h"
#include "base/vec.h"
#include "text/diff.h"

struct patch_ed {
    struct heap *heap;
    VEC(struct str) lines;
    size_t at; /* the current line, counted from 1 */
};

static bool patch_ed_insert(struct patch_ed *e, size_t at, struct str line)
{
    if (!vec_reserve(e->heap, &e->lines, 1))
        return false;
    memmove(e->lines.p + at + 1, e->lines.p + at, (e->lines.n - at) * sizeof *e->lines.p);
    e->lines.p[at] = line;
    e->lines.n++;
    return true;
}

static void patch_ed_delete(struct patch_ed *e, size_t from, size_t to)
{
    memmove(e->lines.p + from, e->lines.p + to, (e->lines.n - to) * sizeof *e->lines.p);
    e->lines.n -= to - from;
}

static struct str patch_ed_line(struct str *s)
{
    ptrdiff_t nl = str_chr(*s, '\n');
    struct str line = nl < 0 ? *s : str_sub(*s, 0, (size_t)nl + 1);
    *s = str_from(*s, line.n);
    return line;
}

static size_t patch_ed_number(struct str *s, size_t other)
{
    size_t n = 0, v = 0;
    while (n < s->n && ascii_digit(s->p[n]) && v < SIZE_MAX / 20)
        v = v * 10 + (size_t)(s->p[n++] - '0');
    *s = str_from(*s, n);
    return n ? v : other;
}

/* One command and its text. False: it cannot be. */
static bool patch_ed_command(struct patch_ed *e, struct str *script)
{
    struct str line = patch_ed_line(script);
    size_t from = patch_ed_number(&line, e->at), to = from;

    if (line.n && line.p[0] == ',') {
        line = str_from(line, 1);
        to = patch_ed_number(&line, from);
    }
    char c = line.n ? line.p[0] : 0;
    if (to < from || to > e->lines.n || (from == 0 && c != 'a' && c != 'i'))
        return false;
    if (c == 's') { /* s/.//: the dot that stood for a dot */
        struct str *l = &e->lines.p[to - 1];
        *l = str_from(*l, 1);
        e->at = to;
        return true;
    }
    if (c == 'd' || c == 'c') {
        patch_ed_delete(e, from - 1, to);
        to = from - 1;
    } else if (c == 'i') {
        to = from ? from - 1 : 0;
    } else if (c != 'a') {
        return false;
    }
    e->at = MIN(to + (c == 'd'), e->lines.n);
    if (c == 'd')
        return true;
    while (script->n) {
        struct str text = patch_ed_line(script);
        if (str_eqz(text, ".\n") || str_eqz(text, "."))
            break;
        if (!patch_ed_insert(e, to, text))
            return false;
        e->at = ++to;
    }
    return true;
}

int patch_apply_ed(struct patch_run *r, struct str script, struct str text, struct str *out)
{
    struct heap *h = &r->p->kernel->heap;
    struct patch_ed e = {.heap = h};
    struct diff_text lines;
    struct buf b;
    bool ok = true;
    int err = diff_split(r->p->arena, text, &lines);

    for (size_t i = 0; err == 0 && i < lines.n; i++)
        if (!vec_push(h, &e.lines, lines.line[i]))
            err = HOB_ENOMEM;
    e.at = e.lines.n;
    while (err == 0 && script.n && ok) {
        ok = patch_ed_command(&e, &script);
        err = proc_tick(r->p, 1);
    }
    buf_init(&b, h);
    for (size_t i = 0; i < e.lines.n; i++)
        buf_str(&b, e.lines.p[i]);
    *out = arena_str(r->p->arena, buf_get(&b));
    buf_fini(&b);
    vec_fini(h, &e.lines);
    if (err == 0)
        err = heap_gate(h);
    if (err == 0 && !ok)
        return patch_fatal(r, "ed FAILED\n");
    return err;
}
