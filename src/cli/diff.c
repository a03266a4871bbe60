/* diff.c -- what a script changed, for people and for programs */
#include <string.h>

#include "cli/cli.h"
#include "text/diff.h"
#include "text/json.h"

enum {
    DIFF_CONTEXT = 3,
    DIFF_TYPE = 0170000,
    DIFF_DIR = 0040000,
    DIFF_LINK = 0120000
};

static bool diff_is(uint32_t mode, uint32_t type) { return (mode & DIFF_TYPE) == type; }

/* The contents of one side: a file's bytes, a link's target; nothing for a folder. */
static hob_bytes diff_side(hob_sandbox *box, const char *path, uint32_t mode)
{
    hob_bytes b = {0};
    if (mode && diff_is(mode, DIFF_LINK))
        hob_readlink(box, path, &b);
    else if (mode && !diff_is(mode, DIFF_DIR))
        hob_read(box, path, &b);
    return b;
}

static bool diff_binary(hob_bytes b)
{
    return b.len && memchr(b.data, 0, b.len < 8000 ? b.len : 8000);
}

/* The lines that say what the hunks cannot: modes, links, folders. */
static void diff_modes(struct buf *out, const hob_change *c)
{
    if (c->what == HOB_ADDED)
        buf_printf(out, "new file mode %06o\n", (unsigned)c->new_mode);
    else if (c->what == HOB_REMOVED)
        buf_printf(out, "deleted file mode %06o\n", (unsigned)c->old_mode);
    else if (c->old_mode != c->new_mode)
        buf_printf(out, "old mode %06o\nnew mode %06o\n", (unsigned)c->old_mode,
                   (unsigned)c->new_mode);
}

static int diff_text(struct buf *out, const hob_change *c, hob_bytes a, hob_bytes b)
{
    struct arena arena;
    struct diff d;
    arena_init(&arena, out->heap);
    struct str old = arena_printf(&arena, c->what == HOB_ADDED ? "/dev/null" : "a%s", c->path);
    struct str new = arena_printf(&arena, c->what == HOB_REMOVED ? "/dev/null" : "b%s", c->path);
    int r = diff_lines(&arena, str_of(a.data ? a.data : "", a.len),
                       str_of(b.data ? b.data : "", b.len), DIFF_CONTEXT, &d);
    bool plain = c->what == HOB_MODIFIED && c->old_mode == c->new_mode;
    if (r == 0 && !plain)
        buf_printf(out, "diff a%s b%s\n", c->path, c->path), diff_modes(out, c);
    if (r == 0 && d.n)
        diff_unified(out, &d, old.p, new.p, DIFF_CONTEXT);
    arena_fini(&arena);
    return r;
}

static int diff_one(struct buf *out, const hob_change *c, hob_bytes a, hob_bytes b, bool json)
{
    bool binary = diff_binary(a) || diff_binary(b);
    if (!json && binary) {
        buf_printf(out, "diff a%s b%s\n", c->path, c->path);
        diff_modes(out, c);
        buf_printf(out, "Binary files a%s and b%s differ\n", c->path, c->path);
        return 0;
    }
    if (!json)
        return diff_text(out, c, a, b);
    buf_addz(out, "{\"path\":");
    json_quote(out, str_z(c->path));
    buf_printf(out, ",\"change\":\"%s\"",
               c->what == HOB_ADDED     ? "added"
               : c->what == HOB_REMOVED ? "removed"
                                        : "modified");
    if (c->old_mode)
        buf_printf(out, ",\"old_mode\":\"%06o\"", (unsigned)c->old_mode);
    if (c->new_mode)
        buf_printf(out, ",\"new_mode\":\"%06o\"", (unsigned)c->new_mode);
    buf_printf(out, ",\"binary\":%s", binary ? "true" : "false");
    int r = 0;
    if (!binary) {
        struct buf text;
        buf_init(&text, out->heap);
        r = diff_text(&text, c, a, b);
        buf_addz(out, ",\"diff\":");
        json_quote(out, buf_get(&text));
        buf_fini(&text);
    }
    buf_addz(out, "}");
    return r;
}

int cli_diff(struct buf *out, hob_sandbox *before, hob_sandbox *box, const hob_change *c, size_t n,
             bool json)
{
    int r = 0;
    if (json)
        buf_putc(out, '[');
    for (size_t i = 0; i < n && r == 0; i++) {
        hob_bytes a = diff_side(before, c[i].path, c[i].old_mode);
        hob_bytes b = diff_side(box, c[i].path, c[i].new_mode);
        if (json && i)
            buf_putc(out, ',');
        r = diff_one(out, &c[i], a, b, json);
        hob_free(a.data);
        hob_free(b.data);
    }
    if (json)
        buf_putc(out, ']');
    return r < 0 ? cli_error("diff: %s", hob_error_text(r)) : 0;
}
