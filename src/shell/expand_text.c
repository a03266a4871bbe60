/* expand_text.c -- text that is read and expanded at run time: prompts, subscripts */
#include "shell/expand_impl.h"
#include "shell/inner.h"

static bool expand_text_plain(struct str s)
{
    return !s.n || (!memchr(s.p, '$', s.n) && !memchr(s.p, '`', s.n) && !memchr(s.p, '\\', s.n));
}

int expand_text(struct shell *sh, struct str text, struct str *out)
{
    struct parse_options o = text_options(sh);
    struct parse_error err;
    struct word *w;
    if (expand_text_plain(text)) {
        *out = arena_str(&sh->arena, text);
        return out->p ? 0 : HOB_ENOMEM;
    }
    struct program *prog = program_new(sh->heap), *outer = sh->program;
    if (!prog)
        return HOB_ENOMEM;
    parse_error_init(&err, sh->heap);
    int r = parse_dquoted(prog, text, true, &o, &w, &err);
    if (r == HOB_ESYNTAX) {
        shell_error(sh, "%.*s", (int)err.msg.n, err.msg.p ? err.msg.p : "");
        r = expand_abort(sh);
    }
    parse_error_fini(&err);
    sh->program = prog;
    if (r >= 0)
        r = expand_word(sh, w, 0, out);
    if (r >= 0) {
        *out = arena_str(&sh->arena, *out);
        r = out->p ? 0 : HOB_ENOMEM;
    }
    sh->program = outer;
    program_unref(prog);
    return r;
}

/* Adds s[from..to) to b, expanded. */
static int expand_text_piece(struct shell *sh, struct buf *b, struct str s, size_t from, size_t to)
{
    struct str out;
    if (from >= to)
        return 0;
    int r = expand_text(sh, str_sub(s, from, to - from), &out);
    if (r >= 0)
        buf_str(b, out);
    return r;
}

int expand_subscript(struct shell *sh, struct str s, struct str *out)
{
    struct buf b;
    size_t from = 0, i = 0;
    int r = 0;
    bool odd = s.n && (memchr(s.p, '"', s.n) || memchr(s.p, '\'', s.n) || !expand_text_plain(s));
    *out = s;
    if (!odd)
        return 0;
    buf_init(&b, sh->heap);
    while (i < s.n && r >= 0) {
        char c = s.p[i];
        if (c == '\'' || c == '"') {
            const char *e = memchr(s.p + i + 1, c, s.n - i - 1);
            size_t end = e ? (size_t)(e - s.p) : s.n;
            r = expand_text_piece(sh, &b, s, from, i);
            if (r >= 0 && c == '"')
                r = expand_text_piece(sh, &b, s, i + 1, end);
            else if (r >= 0)
                buf_str(&b, str_sub(s, i + 1, end - i - 1));
            i = from = MIN(end + 1, s.n);
        } else if (c == '\\' && i + 1 < s.n) {
            r = expand_text_piece(sh, &b, s, from, i);
            buf_putc(&b, s.p[i + 1]);
            i = from = i + 2;
        } else {
            i++;
        }
    }
    if (r >= 0)
        r = expand_text_piece(sh, &b, s, from, s.n);
    if (r >= 0) {
        *out = arena_str(&sh->arena, buf_get(&b));
        r = out->p ? 0 : HOB_ENOMEM;
    }
    buf_fini(&b);
    return r < 0 ? r : 0;
}
