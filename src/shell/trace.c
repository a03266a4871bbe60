/* trace.c -- set -x: what a command looks like when it is run */
#include "base/utf8.h"
#include "shell/builtin_impl.h"
#include "shell/inner.h"

/* Characters that make bash quote a word in a trace, wherever they stand. */
static bool trace_has_meta(struct str s)
{
    for (size_t i = 0; i < s.n; i++) {
        switch (s.p[i]) {
        case ' ':
        case '\t':
        case '\n':
        case '\'':
        case '"':
        case '\\':
        case '|':
        case '&':
        case ';':
        case '(':
        case ')':
        case '<':
        case '>':
        case '!':
        case '{':
        case '}':
        case '*':
        case '[':
        case ']':
        case '?':
        case '^':
        case '$':
        case '`': return true;
        case '~':
            if (i == 0 || s.p[i - 1] == '=' || s.p[i - 1] == ':')
                return true;
            break;
        case '#':
            if (i == 0)
                return true;
            break;
        default: break;
        }
    }
    return false;
}

static void trace_single(struct buf *b, struct str s)
{
    if (s.n == 1 && s.p[0] == '\'') {
        buf_addz(b, "\\'");
        return;
    }
    buf_putc(b, '\'');
    for (size_t i = 0; i < s.n; i++) {
        if (s.p[i] == '\'')
            buf_addz(b, "'\\''");
        else
            buf_putc(b, s.p[i]);
    }
    buf_putc(b, '\'');
}

static bool trace_unprintable(struct str s)
{
    for (size_t i = 0; i < s.n;) {
        int len;
        uint32_t c = utf8_decode(s.p + i, s.n - i, &len);
        if (c == UTF8_BAD || !utf8_is_print(c))
            return true;
        i += (size_t)len;
    }
    return false;
}

static void trace_word(struct buf *b, struct str s)
{
    if (!s.n)
        buf_addz(b, "''");
    else if (trace_has_meta(s))
        trace_single(b, s);
    else if (trace_unprintable(s))
        expand_quote(b, s);
    else
        buf_str(b, s);
}

/* PS4 with its first character repeated for each level of nesting. */
static bool trace_begin(struct shell *sh, struct buf *b)
{
    struct str ps4 = STR_NONE, out = STR_NONE;
    if (sh->in_trace)
        return false;
    buf_init(b, sh->heap);
    if (!var_strz(sh, "PS4", &ps4) || !ps4.n)
        return true;
    uint64_t opts = sh->opts;
    int status = sh->status;
    sh->in_trace = true;
    sh->opts &= ~(UINT64_C(1) << OPT_XTRACE);
    int r = expand_prompt(sh, ps4, &out);
    sh->opts = opts;
    sh->in_trace = false;
    sh->status = status;
    if (r < 0 || !out.n)
        return true;
    int len;
    utf8_decode(out.p, out.n, &len);
    for (int i = 0; i < sh->trace_level; i++)
        buf_add(b, out.p, (size_t)len);
    buf_str(b, out);
    return true;
}

static void trace_end(struct shell *sh, struct buf *b)
{
    int fd = sh->xtrace_fd >= 0 ? sh->xtrace_fd : 2;
    buf_putc(b, '\n');
    proc_puts(sh->proc, fd, buf_get(b));
    buf_fini(b);
}

void trace_words(struct shell *sh, const struct str *w, int n)
{
    struct buf b;
    if (!trace_begin(sh, &b))
        return;
    for (int i = 0; i < n; i++) {
        if (i)
            buf_putc(&b, ' ');
        trace_word(&b, w[i]);
    }
    trace_end(sh, &b);
}

void trace_assign(struct shell *sh, struct str name, struct str index, bool append,
                  struct str value, bool raw)
{
    struct buf b;
    if (!trace_begin(sh, &b))
        return;
    buf_str(&b, name);
    if (index.p)
        buf_printf(&b, "[%.*s]", STR_ARG(index));
    buf_addz(&b, append ? "+=" : "=");
    if (raw)
        buf_str(&b, value);
    else if (value.n)
        trace_word(&b, value);
    trace_end(sh, &b);
}

void trace_quoted(struct buf *b, struct str s)
{
    buf_putc(b, '\'');
    for (size_t i = 0; i < s.n; i++) {
        if (s.p[i] == '\'')
            buf_addz(b, "'\\''");
        else
            buf_putc(b, s.p[i]);
    }
    buf_putc(b, '\'');
}

void trace_list(struct shell *sh, struct str name, bool append, const struct compound *c)
{
    struct buf b;
    if (!trace_begin(sh, &b))
        return;
    buf_printf(&b, "%.*s%s(", STR_ARG(name), append ? "+=" : "=");
    for (size_t i = 0; i < c->n; i++) {
        if (i)
            buf_putc(&b, ' ');
        if (c->items[i].key.p) {
            buf_putc(&b, '[');
            trace_quoted(&b, c->items[i].key);
            buf_addz(&b, c->items[i].append ? "]+=" : "]=");
        }
        trace_quoted(&b, c->items[i].value);
    }
    buf_putc(&b, ')');
    trace_end(sh, &b);
}

void trace_text(struct shell *sh, struct str text)
{
    struct buf b;
    if (!trace_begin(sh, &b))
        return;
    buf_str(&b, text);
    trace_end(sh, &b);
}

void trace_arith(struct shell *sh, struct word *expr)
{
    struct buf b;
    struct str text = STR("");
    if (expr && expand_word(sh, expr, 0, &text) < 0)
        return;
    if (!trace_begin(sh, &b))
        return;
    buf_printf(&b, "(( %.*s ))", STR_ARG(text));
    trace_end(sh, &b);
}

void trace_head(struct buf *b, const struct node *n)
{
    switch (n->kind) {
    case NODE_CASE:
        buf_addz(b, "case ");
        print_word(b, n->u.match.word);
        buf_addz(b, " in ");
        return;
    case NODE_FOR:
    case NODE_SELECT: break;
    default: print_node(b, n); return;
    }
    buf_printf(b, "%s %.*s in", n->kind == NODE_FOR ? "for" : "select", STR_ARG(n->u.loop.name));
    for (int i = 0; i < n->u.loop.nwords; i++) {
        buf_putc(b, ' ');
        print_word(b, n->u.loop.words[i]);
    }
    if (!n->flag)
        buf_addz(b, " \"$@\"");
    else if (!n->u.loop.nwords)
        buf_putc(b, ' ');
}

void trace_node(struct shell *sh, struct node *n)
{
    struct buf b;
    if (!trace_begin(sh, &b))
        return;
    trace_head(&b, n);
    if (n->kind == NODE_CASE) /* only BASH_COMMAND has a blank behind `in` */
        buf_cut(&b, b.n - 1);
    trace_end(sh, &b);
}
