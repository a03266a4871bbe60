/* histexp.c -- history expansion: !!, !n, !text, !?text?, ^old^new^, words and modifiers
 *
 * It works on a line as it is read, before the parser sees it. What it does not expand it copies as
 * it stands, so quotes are looked at only to find out where a ! means nothing.
 */
#include "base/utf8.h"
#include "shell/builtin_impl.h"
#include "shell/expand_impl.h"
#include "shell/histexp.h"

struct histexp {
    struct shell *sh;
    struct str s;      /* the line, with a NUL behind */
    struct buf *out;   /* the line so far, for !# too */
    struct buf *error; /* what is wrong */
    bool dquote;       /* inside "..": also where the line before ended there */
    bool print_only;   /* :p was met */
    bool changed;
};

static char histexp_at(const struct histexp *x, size_t i) { return i < x->s.n ? x->s.p[i] : '\0'; }

static bool histexp_member(char c, const char *set) { return c && strchr(set, c); }

static int histexp_fail(struct histexp *x, size_t from, size_t to, const char *why)
{
    buf_clear(x->error);
    buf_str(x->error, str_sub(x->s, from, MIN(to, x->s.n) - from));
    buf_printf(x->error, ": %s", why);
    return HOB_EINVAL;
}

/* ---- words ----------------------------------------------------------------------------------- */

/* The place behind an operator at i, or i itself when there is none. */
static size_t histexp_operator(struct str s, size_t i)
{
    char c = s.p[i], next = i + 1 < s.n ? s.p[i + 1] : '\0';
    if (!histexp_member(c, "<>;&|"))
        return i;
    if (next == c) {
        bool more = c == '<' && i + 2 < s.n && (s.p[i + 2] == '-' || s.p[i + 2] == '<');
        return i + 2 + more;
    }
    if (next == '&' && (c == '<' || c == '>')) {
        for (i += 2; i < s.n && ascii_digit(s.p[i]); i++)
            ;
        return i + (i < s.n && s.p[i] == '-');
    }
    if ((c == '&' && next == '>') || (c == '>' && next == '|'))
        return i + 2;
    return next == '(' && c != ';' && c != '&' && c != '|' ? i : i + 1;
}

/* The end of the word that begins at i: as the shell would cut it, quotes and ( ) taken care of. */
static size_t histexp_word_end(struct str s, size_t i)
{
    size_t start = i;
    char quote = '\0';
    int depth = 0;
    if (histexp_member(s.p[i], "()\n"))
        return i + 1;
    while (i < s.n && ascii_digit(s.p[i]))
        i++;
    if (i > start && (i == s.n || !histexp_member(s.p[i], "<>")))
        ; /* a word that begins with digits */
    else if (i < s.n && histexp_operator(s, i) > i)
        return histexp_operator(s, i);
    for (; i < s.n; i++) {
        char c = s.p[i];
        if (c == '\\' && quote != '\'') {
            i += i + 1 < s.n;
        } else if (quote) {
            quote = c == quote ? '\0' : quote;
        } else if (depth && (c == '(' || c == ')')) {
            depth += c == '(' ? 1 : -1;
        } else if (i + 1 < s.n && s.p[i + 1] == '(' && histexp_member(c, "<>$!@?+*")) {
            depth++;
            i++;
        } else if (c == '\'' || c == '"' || c == '`') {
            quote = c;
        } else if (!depth && histexp_member(c, " \t\n;&()|<>")) {
            break;
        }
    }
    return i;
}

/* Calls for each word: true with the next one, from *at on. */
static bool histexp_next_word(struct str s, size_t *at, struct str *out)
{
    while (*at < s.n && (s.p[*at] == ' ' || s.p[*at] == '\t'))
        ++*at;
    if (*at >= s.n)
        return false;
    size_t end = MAX(histexp_word_end(s, *at), *at + 1);
    *out = str_sub(s, *at, end - *at);
    *at = end;
    return true;
}

static int64_t histexp_count(struct str s)
{
    struct str w;
    int64_t n = 0;
    for (size_t at = 0; histexp_next_word(s, &at, &w);)
        n++;
    return n;
}

/* Words first to last, joined. False: there are not so many. */
static bool histexp_words(struct str s, int64_t first, int64_t last, struct buf *out)
{
    struct str w;
    int64_t n = histexp_count(s), i = 0;
    if (first > last + 1 || last >= n || first >= n)
        return false;
    for (size_t at = 0; histexp_next_word(s, &at, &w); i++) {
        if (i < first || i > last)
            continue;
        if (i > first)
            buf_putc(out, ' ');
        buf_str(out, w);
    }
    return true;
}

/* ---- events ---------------------------------------------------------------------------------- */

static int64_t histexp_number(const struct histexp *x, size_t *i)
{
    int64_t n = 0;
    for (; ascii_digit(histexp_at(x, *i)); ++*i)
        n = MIN(n * 10 + (histexp_at(x, *i) - '0'), (int64_t)1 << 40);
    return n;
}

/* The newest entry that begins with the text, or holds it anywhere. */
static bool histexp_search(struct histexp *x, struct str text, bool anywhere, struct str *out)
{
    struct histexp_memory *m = history_memory(x->sh);
    for (size_t k = history_count(x->sh); k-- > 0;) {
        struct str line = history_text(x->sh, k);
        ptrdiff_t hit = anywhere ? str_find(line, text) : str_starts(line, text) ? 0 : -1;
        if (hit < 0)
            continue;
        *out = line;
        if (anywhere && m) {
            struct str w;
            buf_clear(&m->search);
            buf_str(&m->search, text);
            buf_clear(&m->match);
            for (size_t at = 0; histexp_next_word(line, &at, &w) && (size_t)hit >= at;)
                ;
            if (line.n)
                buf_str(&m->match, w);
        }
        return true;
    }
    return false;
}

static bool histexp_event_text(struct histexp *x, size_t *i, struct str *out)
{
    struct histexp_memory *m = history_memory(x->sh);
    bool anywhere = histexp_at(x, *i) == '?';
    size_t from = *i += anywhere;
    for (; *i < x->s.n; ++*i) {
        char c = x->s.p[*i];
        if (c == '\n' || (anywhere && c == '?'))
            break;
        if (!anywhere && (histexp_member(c, " \t:;&()|<>") || (x->dquote && c == '"') ||
                          (*i > from && histexp_member(c, "^$*%-"))))
            break;
    }
    struct str text = str_sub(x->s, from, *i - from);
    *i += anywhere && histexp_at(x, *i) == '?';
    if (anywhere && !text.n && m)
        text = arena_str(&x->sh->arena, buf_get(&m->search));
    return text.n && histexp_search(x, text, anywhere, out);
}

/* At the ! at *i: the line it stands for. */
static bool histexp_event(struct histexp *x, size_t *i, struct str *out)
{
    size_t n = history_count(x->sh);
    char c = histexp_at(x, *i + 1);
    if (histexp_member(c, ":$*%^") || c == '!') {
        *i += 1 + (c == '!');
        *out = n ? history_text(x->sh, n - 1) : STR("");
        return n > 0;
    }
    if (c == '#') {
        *i += 2;
        *out = arena_str(&x->sh->arena, buf_get(x->out));
        return out->p != NULL;
    }
    bool back = c == '-' && ascii_digit(histexp_at(x, *i + 2));
    *i += 1 + back;
    if (!ascii_digit(histexp_at(x, *i)))
        return histexp_event_text(x, i, out);
    int64_t k = histexp_number(x, i);
    k = back ? (int64_t)n - k : k - history_first(x->sh);
    if (k < 0 || k >= (int64_t)n)
        return false;
    *out = history_text(x->sh, (size_t)k);
    return true;
}

/* ---- word designators ------------------------------------------------------------------------ */

/* At :2-3 and the like. 1: *word was filled, 0: there is none, or an error. */
static int histexp_designator(struct histexp *x, struct str event, size_t *at, struct buf *word)
{
    struct histexp_memory *m = history_memory(x->sh);
    size_t i = *at, start = *at;
    bool colon = histexp_at(x, i) == ':';
    int64_t first = 0, last, n = histexp_count(event);
    char c = histexp_at(x, i += colon);
    if (c == '%' || c == '*' || c == '$') {
        *at = i + 1;
        if (c == '%' && m)
            buf_str(word, buf_get(&m->match));
        if (c == '*' && n > 1)
            histexp_words(event, 1, n - 1, word);
        if (c == '$')
            histexp_words(event, n - 1, n - 1, word);
        return 1;
    }
    if (c == '^') {
        first = 1;
        i++;
    } else if (ascii_digit(c) && colon) {
        first = histexp_number(x, &i);
    } else if (c != '-') {
        return 0;
    }
    c = histexp_at(x, i);
    last = first;
    if (c == '*' || c == '^') {
        i++;
        last = c == '*' ? n - 1 : 1;
    } else if (c == '-') {
        c = histexp_at(x, ++i);
        if (ascii_digit(c)) {
            last = histexp_number(x, &i);
        } else {
            i += c == '$' || c == '^';
            last = c == '$' ? n - 1 : c == '^' ? 1 : n - 2;
        }
    }
    *at = i;
    return histexp_words(event, first, last, word)
               ? 1
               : histexp_fail(x, start, i, "bad word specifier");
}

/* ---- modifiers ------------------------------------------------------------------------------- */

/* One side of s/old/new/; the delimiter behind it is taken. False: it is empty. */
static bool histexp_side(struct histexp *x, size_t *i, char delimiter, struct buf *out)
{
    buf_clear(out);
    while (*i < x->s.n && x->s.p[*i] != delimiter) {
        if (x->s.p[*i] == '\\' && histexp_at(x, *i + 1) == delimiter)
            ++*i;
        buf_putc(out, x->s.p[(*i)++]);
    }
    *i += *i < x->s.n;
    return out->n > 0;
}

/* & in the new text is the old one, \& is an &. */
static void histexp_rhs(struct histexp_memory *m, struct buf *raw)
{
    buf_clear(&m->rhs);
    for (size_t i = 0; i < raw->n; i++) {
        char c = raw->p[i];
        if (c == '&') {
            buf_str(&m->rhs, buf_get(&m->lhs));
        } else {
            if (c == '\\' && i + 1 < raw->n && raw->p[i + 1] == '&')
                c = raw->p[++i];
            buf_putc(&m->rhs, c);
        }
    }
}

enum {
    HISTEXP_ONCE,
    HISTEXP_ALL,
    HISTEXP_WORDS
};

/* Puts `new` for `old` in the text: the first time, each time, or once in each word. */
static bool histexp_replace(struct buf *text, struct str old, struct str new, int how)
{
    struct buf b;
    struct str s = buf_get(text), w;
    size_t at = 0, copied = 0;
    bool some = false;
    buf_init(&b, text->heap);
    if (how == HISTEXP_WORDS) {
        while (histexp_next_word(s, &at, &w)) {
            ptrdiff_t hit = str_find(w, old);
            if (hit < 0)
                continue;
            size_t place = at - w.n + (size_t)hit;
            buf_str(&b, str_sub(s, copied, place - copied));
            buf_str(&b, new);
            copied = place + old.n;
            some = true;
        }
    } else {
        for (ptrdiff_t hit; (hit = str_find(str_from(s, copied), old)) >= 0;) {
            buf_str(&b, str_sub(s, copied, (size_t)hit));
            buf_str(&b, new);
            copied += (size_t)hit + old.n;
            some = true;
            if (how == HISTEXP_ONCE)
                break;
        }
    }
    buf_str(&b, str_from(s, copied));
    if (some) {
        buf_clear(text);
        buf_str(text, buf_get(&b));
    }
    buf_fini(&b);
    return some;
}

/* At the s or & of a modifier. `start` is where the modifiers begin, for messages. */
static int histexp_subst(struct histexp *x, size_t *i, size_t start, int how, struct buf *text)
{
    struct histexp_memory *m = history_memory(x->sh);
    if (!m)
        return HOB_ENOMEM;
    if (histexp_at(x, *i) == 's') {
        char delimiter = histexp_at(x, *i + 1);
        struct buf side;
        if (!delimiter) {
            ++*i;
            return 0;
        }
        *i += 2;
        buf_init(&side, x->sh->heap);
        if (histexp_side(x, i, delimiter, &side)) {
            buf_clear(&m->lhs);
            buf_str(&m->lhs, buf_get(&side));
        } else if (!m->lhs.n) {
            buf_str(&m->lhs, buf_get(&m->search));
        }
        histexp_side(x, i, delimiter, &side);
        histexp_rhs(m, &side);
        buf_fini(&side);
    } else {
        ++*i;
    }
    if (!m->lhs.n)
        return histexp_fail(x, start, *i, "no previous substitution");
    if (!histexp_replace(text, buf_get(&m->lhs), buf_get(&m->rhs), how))
        return histexp_fail(x, start, *i, "substitution failed");
    return 0;
}

/* :h :t :r :e */
static void histexp_path(struct buf *text, char c)
{
    struct str s = buf_get(text);
    ptrdiff_t at = str_rchr(s, c == 'h' || c == 't' ? '/' : '.');
    if (at < 0)
        return;
    if (c == 'h' || c == 'r') {
        buf_cut(text, (size_t)at);
        return;
    }
    size_t from = (size_t)at + (c == 't');
    memmove(text->p, text->p + from, text->n - from);
    buf_cut(text, text->n - from);
}

/* :q quotes the whole, :x each word. */
static void histexp_quote(struct buf *text, char how)
{
    struct buf b;
    buf_init(&b, text->heap);
    if (how == 'q') {
        expand_quote_single(&b, buf_get(text));
    } else {
        buf_putc(&b, '\'');
        for (size_t i = 0; i < text->n; i++) {
            char c = text->p[i];
            if (c == '\'')
                buf_addz(&b, "'\\''");
            else if (ascii_space(c))
                buf_printf(&b, "'%c'", c);
            else
                buf_putc(&b, c);
        }
        buf_putc(&b, '\'');
    }
    buf_clear(text);
    buf_str(text, buf_get(&b));
    buf_fini(&b);
}

static int histexp_modifiers(struct histexp *x, size_t *at, struct buf *text)
{
    size_t i = *at, start = *at;
    char quote = '\0';
    int r = 0;
    while (r == 0 && histexp_at(x, i) == ':') {
        int how = HISTEXP_ONCE;
        char c = histexp_at(x, ++i);
        if (c == 'g' || c == 'a' || c == 'G') {
            how = c == 'G' ? HISTEXP_WORDS : HISTEXP_ALL;
            c = histexp_at(x, ++i);
        }
        switch (c) {
        case 'q':
        case 'x': quote = c; break;
        case 'p': x->print_only = true; break;
        case 'h':
        case 't':
        case 'r':
        case 'e': histexp_path(text, c); break;
        case 's':
        case '&':
            r = histexp_subst(x, &i, start, how, text);
            i -= r == 0; /* taken whole */
            break;
        default: return histexp_fail(x, i, i + 1, "unrecognized history modifier");
        }
        i++;
    }
    if (r == 0 && quote)
        histexp_quote(text, quote);
    *at = i;
    return r;
}

/* ---- a line ---------------------------------------------------------------------------------- */

/* Where bash's own words with a ! stand: [!a], ${!x}, $!, !(pattern). */
static bool histexp_inhibited(const struct histexp *x, size_t i)
{
    struct str rest = str_from(x->s, i + 1);
    char before = i ? x->s.p[i - 1] : '\0', two = i > 1 ? x->s.p[i - 2] : '\0';
    if (before == '[' && str_chr(rest, ']') >= 0)
        return true;
    if (before == '{' && two == '$' && str_chr(rest, '}') >= 0)
        return true;
    if (before == '$')
        return true;
    return SH_SHOPT(x->sh, SHOPT_EXTGLOB) && i > 1 && rest.n && rest.p[0] == '(' &&
           str_chr(rest, ')') >= 0;
}

static bool histexp_means(const struct histexp *x, size_t i)
{
    char c = histexp_at(x, i + 1);
    return c && !histexp_member(c, " \t\n\r=") && !(x->dquote && c == '"') &&
           !histexp_inhibited(x, i);
}

/* Behind an opening ': the place behind the closing one. */
static size_t histexp_single(const struct histexp *x, size_t i, bool ansi)
{
    for (; i < x->s.n && x->s.p[i] != '\''; i++)
        i += ansi && x->s.p[i] == '\\' && i + 1 < x->s.n;
    return MIN(i + 1, x->s.n);
}

/* At a ! that means something. */
static int histexp_one(struct histexp *x, size_t *i)
{
    size_t start = *i;
    struct str event = STR("");
    struct buf text;
    if (!histexp_event(x, i, &event))
        return histexp_fail(x, start, *i, "event not found");
    buf_init(&text, x->sh->heap);
    int r = histexp_designator(x, event, i, &text);
    if (r == 0)
        buf_str(&text, event);
    if (r >= 0)
        r = histexp_modifiers(x, i, &text);
    if (r >= 0)
        buf_str(x->out, buf_get(&text));
    buf_fini(&text);
    x->changed = true;
    return r;
}

static int histexp_run(struct histexp *x, size_t i)
{
    int r = 0;
    while (i < x->s.n && r >= 0) {
        char c = x->s.p[i];
        size_t from = i++;
        if (c == '!' && histexp_means(x, from)) {
            i = from;
            r = histexp_one(x, &i);
            continue;
        }
        if (c == '\\') {
            i += i < x->s.n;
        } else if (c == '"') {
            x->dquote = !x->dquote;
        } else if (c == '\'' && !x->dquote) {
            i = histexp_single(x, i, from && x->s.p[from - 1] == '$');
        } else if (c == '#' && !x->dquote &&
                   (from == 0 || histexp_member(x->s.p[from - 1], " \t\n;&()|<>"))) {
            i = x->s.n; /* a comment */
        }
        buf_str(x->out, str_sub(x->s, from, i - from));
    }
    return r;
}

int histexp_line(struct shell *sh, struct str line, char quote, struct buf *out, struct buf *error)
{
    struct histexp x = {.sh = sh, .s = line, .out = out, .error = error, .dquote = quote == '"'};
    struct arena_mark m = arena_mark(&sh->arena);
    size_t i = 0;
    int r;
    if (!history_memory(sh)) /* makes the list this shell's own, so that its texts stay */
        return HOB_ENOMEM;
    if (line.n && line.p[0] == '^' && !quote) {
        x.s = arena_printf(&sh->arena, "!!:s%.*s", STR_ARG(line));
        if (!x.s.p)
            return HOB_ENOMEM;
    }
    if (quote == '\'') {
        i = histexp_single(&x, 0, false);
        buf_str(out, str_sub(line, 0, i));
    }
    r = histexp_run(&x, i);
    arena_release(&sh->arena, m);
    if (sh->heap->oom)
        return HOB_ENOMEM;
    return r < 0 ? r : x.print_only ? 2 : x.changed;
}
