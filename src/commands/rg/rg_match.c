/* rg_match.c -- ripgrep's patterns on our engine
 *
 * The syntax is that of Perl without look-around and back-references. It is rewritten as an
 * extended expression: lines that match are the same. Where a match begins and ends can differ
 * (Perl takes the first alternative, POSIX the longest match), so places come from PCRE2 when the
 * pattern has alternatives or lazy repetitions, and PCRE2 is built in.
 */
#include "commands/rg/rg.h"

#include "base/utf8.h"
#include "text/pcre.h"

struct rg_syntax {
    struct rg_run *r;
    struct str in;
    size_t at;
    struct buf *out;
    int depth;
    size_t groups; /* of the rewritten pattern */
    bool ordered;  /* which alternative comes first matters */
    bool icase;
    bool dotall;
    bool beyond; /* needs PCRE2 */
    const char *error;
    size_t error_at;
};

static void rg_syntax_fail(struct rg_syntax *s, size_t at, const char *what)
{
    if (!s->error) {
        s->error = what;
        s->error_at = at;
    }
}

static void rg_syntax_char(struct rg_syntax *s, uint32_t c, bool in_set)
{
    char text[4];
    size_t n = (size_t)utf8_encode(text, c);
    if (in_set) {
        /* A set is written as its members; those with a meaning go through a class of their own. */
        if (c == ']' || c == '[' || c == '^' || c == '-' || c == '\\')
            buf_printf(s->out, "[.%c.]", (char)c);
        else
            buf_add(s->out, text, n);
        return;
    }
    if (n == 1 && strchr("\\.[]{}()*+?|^$", (int)c))
        buf_putc(s->out, '\\');
    buf_add(s->out, text, n);
}

static int rg_syntax_digit(int c)
{
    if (ascii_digit(c))
        return c - '0';
    c = ascii_to_lower(c);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* \x41 \x{1F600} \u0041 \U0001F600: behind the letter. */
static bool rg_syntax_hex(struct rg_syntax *s, char letter, uint32_t *out)
{
    size_t want = letter == 'x' ? 2 : letter == 'u' ? 4 : 8;
    bool braces = s->at < s->in.n && s->in.p[s->at] == '{';
    uint32_t c = 0;
    size_t n = 0;

    s->at += braces;
    for (; s->at < s->in.n && n < (braces ? 8 : want); n++, s->at++) {
        int d = rg_syntax_digit(s->in.p[s->at]);
        if (d < 0)
            break;
        c = c * 16 + (uint32_t)d;
    }
    if (braces && s->at < s->in.n && s->in.p[s->at] == '}')
        s->at++;
    else if (braces)
        return false;
    *out = c;
    return n > 0 && (braces || n == want) && c < 0x110000;
}

/* What \c stands for as one character; false: it is something else. */
static bool rg_syntax_simple(char c, uint32_t *out)
{
    static const char from[] = "ntrfva", to[] = "\n\t\r\f\v\a";
    const char *at = c ? strchr(from, c) : NULL;
    if (at)
        *out = (unsigned char)to[at - from];
    else if (ascii_print(c) && !ascii_alnum(c))
        *out = (unsigned char)c;
    else
        return false;
    return true;
}

static const char *rg_syntax_class(char c)
{
    switch (c) {
    case 'd': return "0-9";
    case 'w': return "[:alnum:]_";
    case 's': return "[:space:]";
    default: return NULL;
    }
}

static void rg_syntax_escape(struct rg_syntax *s)
{
    size_t start = s->at++;
    uint32_t c;

    if (s->at >= s->in.n) {
        rg_syntax_fail(s, start, "incomplete escape sequence, reached end of pattern prematurely");
        return;
    }
    char e = s->in.p[s->at++];
    if (rg_syntax_class(e))
        buf_printf(s->out, "[%s]", rg_syntax_class(e));
    else if (rg_syntax_class((char)ascii_to_lower(e)))
        buf_printf(s->out, "[^%s]", rg_syntax_class((char)ascii_to_lower(e)));
    else if (e == 'b' || e == 'B')
        buf_printf(s->out, "\\%c", e);
    else if (e == 'A')
        buf_addz(s->out, "\\`");
    else if (e == 'z')
        buf_addz(s->out, "\\'");
    else if (e == 'x' || e == 'u' || e == 'U') {
        if (!rg_syntax_hex(s, e, &c))
            rg_syntax_fail(s, start, "invalid hexadecimal digit");
        else
            rg_syntax_char(s, c, false);
    } else if (e == 'p' || e == 'P')
        s->beyond = true;
    else if (rg_syntax_simple(e, &c))
        rg_syntax_char(s, c, false);
    else if (ascii_digit(e))
        rg_syntax_fail(s, start, "backreferences are not supported");
    else
        rg_syntax_fail(s, start, "unrecognized escape sequence");
}

/* One member of a set: the character, for ranges, or -1 for a class. */
static int64_t rg_syntax_member(struct rg_syntax *s)
{
    uint32_t c;
    if (s->in.p[s->at] != '\\') {
        int n;
        c = utf8_decode(s->in.p + s->at, s->in.n - s->at, &n);
        s->at += (size_t)n;
        return c == UTF8_BAD ? (unsigned char)s->in.p[s->at - 1] : c;
    }
    size_t start = s->at++;
    char e = s->at < s->in.n ? s->in.p[s->at++] : 0;
    if (rg_syntax_class(e)) {
        buf_addz(s->out, rg_syntax_class(e));
        return -1;
    }
    if ((e == 'x' || e == 'u' || e == 'U') && rg_syntax_hex(s, e, &c))
        return c;
    if (rg_syntax_simple(e, &c))
        return c;
    s->beyond |= e == 'D' || e == 'W' || e == 'S' || e == 'p' || e == 'P';
    if (!s->beyond)
        rg_syntax_fail(s, start, "unrecognized escape sequence");
    return -1;
}

static void rg_syntax_set(struct rg_syntax *s)
{
    size_t start = s->at++;
    buf_putc(s->out, '[');
    if (s->at < s->in.n && s->in.p[s->at] == '^') {
        buf_putc(s->out, '^');
        s->at++;
    }
    for (bool first = true;; first = false) {
        if (s->at >= s->in.n) {
            rg_syntax_fail(s, start, "unclosed character class");
            return;
        }
        struct str rest = str_from(s->in, s->at);
        if (rest.p[0] == ']' && !first)
            break;
        if (str_starts(rest, STR("[:"))) {
            ptrdiff_t end = str_find(rest, STR(":]"));
            if (end > 0) {
                buf_add(s->out, rest.p, (size_t)end + 2);
                s->at += (size_t)end + 2;
                continue;
            }
        }
        if (rest.p[0] == '[' || str_starts(rest, STR("&&")) || str_starts(rest, STR("--")) ||
            str_starts(rest, STR("~~")))
            s->beyond = true; /* sets in sets */
        int64_t c = rg_syntax_member(s);
        if (c >= 0)
            rg_syntax_char(s, (uint32_t)c, true);
        rest = str_from(s->in, s->at);
        if (c >= 0 && rest.n > 1 && rest.p[0] == '-' && rest.p[1] != ']') {
            s->at++;
            buf_putc(s->out, '-');
            int64_t to = rg_syntax_member(s);
            if (to >= 0 && to < c)
                rg_syntax_fail(s, start,
                               "invalid character class range, the start must be <= the end");
            if (to >= 0)
                rg_syntax_char(s, (uint32_t)to, true);
        }
    }
    s->at++;
    buf_putc(s->out, ']');
}

/* A group that can be named in a replacement. */
static void rg_syntax_capture(struct rg_syntax *s, struct str name)
{
    struct rg_matcher *m = &s->r->match;
    struct arena *a = s->r->p->arena;
    if (m->ngroups % 16 == 0) {
        struct rg_group *more = arena_array(a, struct rg_group, m->ngroups + 16);
        if (!more)
            return;
        if (m->ngroups)
            memcpy(more, m->group, m->ngroups * sizeof *more);
        m->group = more;
    }
    m->group[m->ngroups++] = (struct rg_group){s->groups, name};
}

/* (?:  (?P<name>  (?<name>  (?i)  : behind the bracket. */
static void rg_syntax_group(struct rg_syntax *s)
{
    size_t start = s->at++;
    struct str rest = str_from(s->in, s->at), name = STR("");
    if (str_starts(rest, STR("?:"))) {
        s->at += 2;
    } else if (str_starts(rest, STR("?i)")) && s->out->n == 0) {
        s->icase = true;
        s->at += 3;
        return;
    } else if (str_starts(rest, STR("?s)")) && s->out->n == 0) {
        s->dotall = true;
        s->at += 3;
        return;
    } else if (str_starts(rest, STR("?P<")) || str_starts(rest, STR("?<"))) {
        ptrdiff_t end = str_chr(rest, '>');
        if (end < 0 || (rest.p[1] == '<' && (rest.p[2] == '=' || rest.p[2] == '!'))) {
            rg_syntax_fail(s, start,
                           end < 0 ? "unclosed group name"
                                   : "look-around, including "
                                     "look-ahead and look-behind, is not supported");
            return;
        }
        s->at += (size_t)end + 1;
        size_t from = rest.p[1] == 'P' ? 3 : 2;
        name = str_sub(rest, from, (size_t)end - from);
    } else if (rest.n > 1 && rest.p[0] == '?' && (rest.p[1] == '=' || rest.p[1] == '!')) {
        rg_syntax_fail(s, start,
                       "look-around, including look-ahead and look-behind, is not supported");
        return;
    } else if (rest.n && rest.p[0] == '?') {
        s->beyond = true; /* flags for a part of the pattern */
        s->at = s->in.n;
        return;
    }
    s->groups++;
    s->depth++;
    buf_putc(s->out, '(');
    if (!str_starts(rest, STR("?:")))
        rg_syntax_capture(s, name);
}

/* Behind * + ? or {n,m}: a ? that makes it lazy. */
static void rg_syntax_lazy(struct rg_syntax *s)
{
    if (s->at < s->in.n && s->in.p[s->at] == '?') {
        s->ordered = true;
        s->at++;
    }
}

static bool rg_syntax_repeat(struct rg_syntax *s, bool atom)
{
    char c = s->in.p[s->at];
    if (c != '*' && c != '+' && c != '?' && c != '{')
        return false;
    if (!atom) {
        rg_syntax_fail(s, s->at, "repetition operator missing expression");
        return true;
    }
    if (c == '{') {
        ptrdiff_t end = str_chr(str_from(s->in, s->at), '}');
        if (end < 0) {
            rg_syntax_fail(s, s->at, "unclosed counted repetition");
            return true;
        }
        buf_add(s->out, s->in.p + s->at, (size_t)end + 1);
        s->at += (size_t)end + 1;
    } else {
        buf_putc(s->out, c);
        s->at++;
    }
    rg_syntax_lazy(s);
    return true;
}

static void rg_syntax_run(struct rg_syntax *s)
{
    size_t open[256];
    bool atom = false;

    while (s->at < s->in.n && !s->error && !s->beyond) {
        char c = s->in.p[s->at];
        if (rg_syntax_repeat(s, atom)) {
            atom = true;
            continue;
        }
        atom = true;
        switch (c) {
        case '\\': rg_syntax_escape(s); break;
        case '[': rg_syntax_set(s); break;
        case '(': {
            size_t at = s->at, depth = (size_t)s->depth;
            rg_syntax_group(s);
            if (depth < COUNT(open))
                open[depth] = at;
            if (s->depth > 250)
                rg_syntax_fail(s, at, "exceeded the maximum number of nested parentheses/brackets");
            atom = false;
            break;
        }
        case ')':
            if (s->depth == 0)
                rg_syntax_fail(s, s->at, "unopened group");
            s->depth--;
            buf_putc(s->out, ')');
            s->at++;
            break;
        case '|':
            s->ordered = true;
            atom = false;
            buf_putc(s->out, '|');
            s->at++;
            break;
        case '.':
            buf_addz(s->out, s->dotall ? "(.|\n)" : ".");
            s->groups += s->dotall;
            s->at++;
            break;
        case '^':
        case '$':
            buf_putc(s->out, c);
            s->at++;
            atom = false;
            break;
        case ']':
        case '}':
            buf_printf(s->out, "\\%c", c);
            s->at++;
            break;
        default: buf_putc(s->out, c); s->at++;
        }
    }
    if (s->depth > 0 && !s->error && !s->beyond)
        rg_syntax_fail(s, open[s->depth - 1], "unclosed group");
}

static int rg_match_error(struct rg_run *r, struct str pattern, size_t at, const char *what)
{
    struct buf b;
    buf_init(&b, &r->p->kernel->heap);
    buf_printf(&b, "regex parse error:\n    %.*s\n    ", STR_ARG(pattern));
    buf_fill(&b, ' ', at);
    buf_printf(&b, "^\nerror: %s\n", what);
    proc_printf_err(r->p, "%s", buf_get(&b).p);
    buf_fini(&b);
    return 2;
}

/* ---- compiling ------------------------------------------------------------------------------- */

static bool rg_match_has_upper(struct str s)
{
    for (size_t i = 0; i < s.n; i++) {
        int n;
        if (s.p[i] == '\\') {
            i++;
            continue;
        }
        uint32_t c = utf8_decode(s.p + i, s.n - i, &n);
        if (c != UTF8_BAD && utf8_is_upper(c))
            return true;
        i += (size_t)n - 1;
    }
    return false;
}

/* Adds one pattern to the rewritten ones. 0, or 2 after a message. */
static int rg_match_rewrite(struct rg_syntax *s, struct str pattern)
{
    struct rg_run *r = s->r;
    s->in = pattern;
    s->at = 0;
    s->depth = 0;
    if (!r->o->multiline && memchr(pattern.p, '\n', pattern.n) && !r->o->null_data) {
        proc_printf_err(r->p,
                        "the literal '\"\\n\"' is not allowed in a regex\n\nConsider enabling "
                        "multiline mode with the --multiline flag (or -U for short).\n"
                        "When multiline mode is enabled, new line characters can be "
                        "matched.\n");
        return 2;
    }
    if (r->o->fixed) {
        for (size_t i = 0; i < pattern.n; i++) {
            if (strchr("\\.[]{}()*+?|^$", pattern.p[i]) && pattern.p[i])
                buf_putc(s->out, '\\');
            buf_putc(s->out, pattern.p[i]);
        }
        return 0;
    }
    rg_syntax_run(s);
    return s->error ? rg_match_error(r, pattern, s->error_at, s->error) : 0;
}

static unsigned rg_match_flags(struct rg_run *r, bool icase)
{
    const struct rg *o = r->o;
    unsigned flags = REGEX_ERE | (o->multiline ? REGEX_NEWLINE : REGEX_LINES);
    if (o->null_data && !o->multiline)
        flags |= REGEX_NUL;
    if (icase)
        flags |= REGEX_ICASE;
    if (o->whole)
        flags |= REGEX_WHOLE;
    else if (o->word)
        flags |= REGEX_WORD;
    return flags;
}

static int rg_match_tick(void *ud, uint64_t steps)
{
    return proc_tick(ud, (int64_t)(steps >> 10) + 1);
}

/* The patterns as PCRE2 takes them: alternatives, with what -w, -x and -F mean around them. */
static void rg_match_perl_text(const struct rg *o, struct buf *b)
{
    buf_addz(b, o->whole ? "^(?:" : o->word ? "(?<!\\w)(?:" : "");
    for (size_t i = 0; i < o->patterns.n; i++) {
        struct str one = o->patterns.p[i];
        buf_addz(b, i ? "|" : "");
        buf_addz(b, o->patterns.n > 1 ? "(?:" : "");
        for (size_t k = 0; k < one.n; k++) {
            if (o->fixed && ascii_print(one.p[k]) && !ascii_alnum(one.p[k]))
                buf_putc(b, '\\');
            buf_putc(b, one.p[k]);
        }
        buf_addz(b, o->patterns.n > 1 ? ")" : "");
    }
    buf_addz(b, o->whole ? ")$" : o->word ? ")(?!\\w)" : "");
}

/* `must`: nothing else can match. */
static int rg_match_perl(struct rg_run *r, bool icase, bool must)
{
    const struct rg *o = r->o;
    struct rg_matcher *m = &r->match;
    struct hob_error err = {0};
    struct buf b;
    unsigned flags = PCRE_UTF | PCRE_MULTILINE | (icase ? PCRE_ICASE : 0) |
                     (o->dotall && o->multiline ? PCRE_DOTALL : 0);
    buf_init(&b, &r->p->kernel->heap);
    rg_match_perl_text(o, &b);
    int e = pcre_compile(&m->perl, &r->p->kernel->heap, buf_get(&b), flags, NULL, &err);
    buf_fini(&b);
    if (e == HOB_ENOMEM || (e < 0 && !must))
        return e == HOB_ENOMEM ? e : 0;
    if (e < 0) {
        proc_printf_err(r->p,
                        e == HOB_ENOSYS ? "PCRE2 is not available in this build of ripgrep\n"
                                        : "PCRE2: error compiling pattern: %s\n",
                        err.msg);
        return 2;
    }
    /* Groups are numbered as they are written. */
    m->ngroups = pcre_groups(m->perl);
    m->group = arena_array(r->p->arena, struct rg_group, m->ngroups + 1);
    m->spans = arena_array(r->p->arena, size_t, 2 * (m->ngroups + 1));
    for (size_t i = 0; m->group && i < m->ngroups; i++) {
        struct str name = pcre_name(m->perl, i + 1);
        m->group[i] = (struct rg_group){i + 1, name.p ? name : STR("")};
    }
    m->nm = m->ngroups + 1;
    return m->group && m->spans ? 0 : HOB_ENOMEM;
}

int rg_match_compile(struct rg_run *r)
{
    const struct rg *o = r->o;
    struct heap *h = &r->p->kernel->heap;
    struct hob_error err = {0};
    struct buf text;
    buf_init(&text, h);
    struct rg_syntax s = {.r = r, .out = &text, .dotall = o->dotall && o->multiline};
    bool upper = false;
    int status = 0;

    for (size_t i = 0; i < o->patterns.n && status == 0; i++) {
        upper |= rg_match_has_upper(o->patterns.p[i]);
        if (o->patterns.n > 1) {
            buf_addz(&text, i ? "|(" : "(");
            s.groups++;
        }
        if (!o->perl)
            status = rg_match_rewrite(&s, o->patterns.p[i]);
        if (o->patterns.n > 1)
            buf_putc(&text, ')');
    }
    bool icase = o->cased == RG_CASE_IGNORE || (o->cased == RG_CASE_SMART && !upper) || s.icase;
    bool must = s.beyond || o->perl;
    if (status == 0 && !must) {
        int e = regex_compile(h, buf_get(&text), rg_match_flags(r, icase), &r->match.re, &err);
        if (e == HOB_ENOMEM)
            status = e;
        else if (e < 0)
            status = rg_match_error(r, o->patterns.p[0], 0, err.msg);
        if (r->match.re) {
            regex_set_tick(r->match.re, rg_match_tick, r->p);
            r->match.nm = regex_groups(r->match.re) + 1;
        }
    }
    buf_fini(&text);
    if (status == 0 && (must || s.ordered || o->multiline))
        status = rg_match_perl(r, icase, must);
    if (status)
        return status;
    r->match.m = arena_array(r->p->arena, struct regex_match, r->match.nm);
    return r->match.m ? 0 : HOB_ENOMEM;
}

void rg_match_fini(struct rg_run *r)
{
    regex_free(r->match.re);
    pcre_free(r->match.perl);
}

/* ---- matching -------------------------------------------------------------------------------- */

int rg_match_at(struct rg_run *r, struct str text, size_t at, size_t nm)
{
    struct rg_matcher *m = &r->match;
    nm = MIN(nm, m->nm);
    if (!m->perl)
        return regex_exec(m->re, text, at, 0, m->m, nm);
    int e = proc_tick(r->p, (int64_t)((text.n - at) >> 10) + 1);
    e = e < 0 ? e : pcre_match(m->perl, text, at, false, false, m->spans, nm);
    for (size_t i = 0; e > 0 && i < nm; i++) {
        bool unset = m->spans[2 * i] == PCRE_UNSET;
        m->m[i].start = unset ? -1 : (ptrdiff_t)m->spans[2 * i];
        m->m[i].end = unset ? -1 : (ptrdiff_t)m->spans[2 * i + 1];
    }
    return e;
}

/* Line by line, for what our engine cannot do. */
static int rg_match_each_line(struct rg_run *r, struct str text, size_t from, size_t *start,
                              size_t *end)
{
    while (from < text.n) {
        const char *nl = memchr(text.p + from, r->eol, text.n - from);
        size_t lim = nl ? (size_t)(nl - text.p) : text.n;
        int e = rg_match_at(r, str_sub(text, from, lim - from), 0, 1);
        if (e != 0) {
            *start = from;
            *end = lim;
            return e;
        }
        from = lim + 1;
    }
    return 0;
}

int rg_match_line(struct rg_run *r, struct str text, size_t from, size_t *start, size_t *end)
{
    if (!r->o->multiline)
        return r->match.re ? regex_find_line(r->match.re, text, from, start, end)
                           : rg_match_each_line(r, text, from, start, end);
    int e = rg_match_at(r, text, from, 1);
    if (e <= 0)
        return e;
    size_t s = (size_t)r->match.m[0].start, t = (size_t)r->match.m[0].end;
    if (s == t && s == text.n && s > 0 && text.p[s - 1] == r->eol)
        return 0; /* nothing, behind the last line */
    while (s > 0 && text.p[s - 1] != r->eol)
        s--;
    if (t > s && text.p[t - 1] == r->eol)
        t--;
    const char *nl = memchr(text.p + t, r->eol, text.n - t);
    *start = s;
    *end = nl ? (size_t)(nl - text.p) : text.n;
    return 1;
}
