/* curl_glob.c -- URLs with {one,two} and [1-9:2], one after the other
 *
 * The sets are counted through as an odometer is, the last one fastest, so that any number of URLs
 * takes no room.
 */
#include "commands/curl/curl.h"

struct curl_glob_parse {
    struct curl *c;
    struct curl_glob *g;
    struct str url;
    size_t at;
};

static int curl_glob_bad(struct curl_glob_parse *g, const char *text, size_t at)
{
    struct curl *c = g->c;
    if (c->silent && !c->show_error)
        return CURL_URL_MALFORMAT;
    struct buf b;
    buf_init(&b, &c->p->kernel->heap);
    buf_printf(&b, "curl: (3) %s in URL position %zu:\n%.*s\n", text, at + 1, STR_ARG(g->url));
    buf_fill(&b, ' ', at);
    buf_addz(&b, "^\n");
    proc_puts(c->p, 2, buf_get(&b));
    buf_fini(&b);
    return CURL_URL_MALFORMAT;
}

static int curl_glob_push(struct curl_glob_parse *g, struct curl_glob_set s)
{
    return vec_push(&g->c->p->kernel->heap, &g->g->sets, s) ? 0 : CURL_OUT_OF_MEMORY;
}

static int curl_glob_words(struct curl_glob_parse *g)
{
    struct strs list = {0};
    size_t open = g->at++;
    struct buf b;
    int r = 0;
    buf_init(&b, &g->c->p->kernel->heap);
    for (;; g->at++) {
        char ch = g->at < g->url.n ? g->url.p[g->at] : '\0';
        if (!ch)
            r = curl_glob_bad(g, "unmatched brace", open);
        else if (ch == '{' || ch == '[')
            r = curl_glob_bad(g, "nested brace", g->at);
        else if (ch == ']')
            r = curl_glob_bad(g, "unexpected close bracket", g->at);
        if (r)
            break;
        if (ch == ',' || ch == '}') {
            if (g->at == open + 1 && ch == '}') {
                r = curl_glob_bad(g, "empty string within braces", g->at);
                break;
            }
            struct str s = arena_str(g->c->p->arena, buf_get(&b));
            buf_clear(&b);
            if (!s.p || !proc_push(g->c->p, &list, s))
                r = CURL_OUT_OF_MEMORY;
            if (r || ch == '}')
                break;
            continue;
        }
        if (ch == '\\' && g->at + 1 < g->url.n)
            ch = g->url.p[++g->at];
        buf_putc(&b, ch);
    }
    buf_fini(&b);
    g->at++;
    return r ? r : curl_glob_push(g, (struct curl_glob_set){.words = list.p, .n = list.n});
}

/* Digits from g->at on. */
static bool curl_glob_number(struct curl_glob_parse *g, uint64_t *v, int *width)
{
    size_t from = g->at;
    *v = 0;
    while (g->at < g->url.n && g->url.p[g->at] >= '0' && g->url.p[g->at] <= '9')
        if (__builtin_mul_overflow(*v, 10, v) ||
            __builtin_add_overflow(*v, (uint64_t)(g->url.p[g->at++] - '0'), v))
            return false;
    *width = (int)MIN(g->at - from, (size_t)20);
    return g->at > from;
}

static char curl_glob_char(const struct curl_glob_parse *g, size_t at)
{
    return at < g->url.n ? g->url.p[at] : '\0';
}

static bool curl_glob_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

static int curl_glob_range(struct curl_glob_parse *g)
{
    struct curl_glob_set s = {.step = 1};
    size_t open = g->at++;
    int width;
    bool ok = false;
    char a = curl_glob_char(g, g->at), b = curl_glob_char(g, g->at + 2);
    if (curl_glob_letter(a)) {
        s.letters = true;
        s.from = (unsigned char)a;
        s.to = (unsigned char)b;
        ok = curl_glob_char(g, g->at + 1) == '-' && curl_glob_letter(b);
        g->at += 3;
    } else if (curl_glob_number(g, &s.from, &width)) {
        /* Zeros in front are kept. */
        s.width = g->url.p[open + 1] == '0' ? width : 0;
        if (curl_glob_char(g, g->at) == '-') {
            g->at++;
            ok = curl_glob_number(g, &s.to, &width);
        }
    }
    if (ok && curl_glob_char(g, g->at) == ':') {
        g->at++;
        ok = curl_glob_number(g, &s.step, &width) && s.step > 0;
    }
    if (!ok || curl_glob_char(g, g->at) != ']')
        return curl_glob_bad(g, "bad range", MIN(g->at, g->url.n));
    g->at++;
    if (s.to < s.from)
        return curl_glob_bad(g, "bad range", g->at);
    s.at = s.from;
    return curl_glob_push(g, s);
}

/* An IPv6 address is no range: [::1]. */
static bool curl_glob_address(const struct curl_glob_parse *g)
{
    size_t i = g->at + 1, colons = 0;
    for (; i < g->url.n && g->url.p[i] != ']'; i++) {
        char c = g->url.p[i];
        colons += c == ':';
        if (!(c == ':' || c == '.' || c == '%' || (c >= '0' && c <= '9') ||
              (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F')))
            return false;
    }
    return i < g->url.n && colons > 1;
}

static int curl_glob_literal(struct curl_glob_parse *g)
{
    struct buf b;
    int r = 0;
    buf_init(&b, &g->c->p->kernel->heap);
    while (g->at < g->url.n && !r) {
        char ch = g->url.p[g->at];
        if (ch == '{')
            break;
        if (ch == '[') {
            if (curl_glob_char(g, g->at + 1) != ']' && !curl_glob_address(g))
                break;
            while (g->at < g->url.n && g->url.p[g->at] != ']')
                buf_putc(&b, g->url.p[g->at++]);
            buf_putc(&b, ']');
            g->at++;
            continue;
        }
        if (ch == '}' || ch == ']') {
            r = curl_glob_bad(g, "unmatched close brace/bracket", g->at);
            break;
        }
        if (ch == '\\' && strchr("{[}]", curl_glob_char(g, g->at + 1)) &&
            curl_glob_char(g, g->at + 1))
            ch = g->url.p[++g->at];
        buf_putc(&b, ch);
        g->at++;
    }
    struct str *word = arena_new(g->c->p->arena, struct str);
    if (word)
        *word = arena_str(g->c->p->arena, buf_get(&b));
    buf_fini(&b);
    if (!word || !word->p)
        return CURL_OUT_OF_MEMORY;
    return r ? r
             : curl_glob_push(g, (struct curl_glob_set){.words = word, .n = 1, .literal = true});
}

int curl_glob_open(struct curl *c, struct str url, struct curl_glob *g)
{
    struct curl_glob_parse parse = {.c = c, .g = g, .url = url};
    int r = 0;
    *g = (struct curl_glob){0};
    if (c->no_glob) {
        struct str *word = arena_new(c->p->arena, struct str);
        if (!word)
            return CURL_OUT_OF_MEMORY;
        *word = url;
        return curl_glob_push(&parse,
                              (struct curl_glob_set){.words = word, .n = 1, .literal = true});
    }
    while (parse.at < url.n && !r) {
        char ch = url.p[parse.at];
        if (ch == '{')
            r = curl_glob_words(&parse);
        else if (ch == '[' && curl_glob_char(&parse, parse.at + 1) != ']' &&
                 !curl_glob_address(&parse))
            r = curl_glob_range(&parse);
        else
            r = curl_glob_literal(&parse);
    }
    if (r)
        curl_glob_close(c, g);
    return r;
}

static void curl_glob_text(struct buf *b, const struct curl_glob_set *s)
{
    if (s->n)
        buf_str(b, s->words[s->at]);
    else if (s->letters)
        buf_putc(b, (char)s->at);
    else
        buf_printf(b, "%0*llu", s->width, (unsigned long long)s->at);
}

bool curl_glob_next(struct curl *c, struct curl_glob *g, struct str *out)
{
    struct buf b;
    if (g->done)
        return false;
    buf_init(&b, &c->p->kernel->heap);
    for (size_t i = 0; i < g->sets.n; i++)
        curl_glob_text(&b, &g->sets.p[i]);
    *out = arena_str(c->p->arena, buf_get(&b));
    buf_fini(&b);
    return out->p != NULL;
}

void curl_glob_move(struct curl_glob *g)
{
    for (size_t i = g->sets.n; i-- > 0;) {
        struct curl_glob_set *s = &g->sets.p[i];
        uint64_t last = s->n ? s->n - 1 : s->to, step = s->n ? 1 : s->step;
        if (last - s->at >= step) {
            s->at += step;
            return;
        }
        s->at = s->n ? 0 : s->from;
    }
    g->done = true;
}

struct str curl_glob_name(struct curl *c, const struct curl_glob *g, struct str pattern)
{
    struct buf b;
    buf_init(&b, &c->p->kernel->heap);
    for (size_t i = 0; i < pattern.n; i++) {
        const struct curl_glob_set *found = NULL;
        uint64_t want = 0;
        size_t end = i + 1;
        if (pattern.p[i] == '#')
            while (end < pattern.n && pattern.p[end] >= '0' && pattern.p[end] <= '9' && want < 1000)
                want = want * 10 + (uint64_t)(pattern.p[end++] - '0');
        for (size_t k = 0; want && k < g->sets.n && !found; k++)
            if (!g->sets.p[k].literal && --want == 0)
                found = &g->sets.p[k];
        if (found) {
            curl_glob_text(&b, found);
            i = end - 1;
        } else {
            buf_putc(&b, pattern.p[i]);
        }
    }
    struct str out = arena_str(c->p->arena, buf_get(&b));
    buf_fini(&b);
    return out;
}

void curl_glob_close(struct curl *c, struct curl_glob *g)
{
    vec_fini(&c->p->kernel->heap, &g->sets);
}
