/* awk_lex.c -- the words of an awk program */
#include "commands/awk/awk_parse.h"

#include "base/error.h"
#include "base/fmt.h"
#include "base/utf8.h"

/* ---- messages -------------------------------------------------------------------------------- */

void awk_source_name(struct buf *b, struct str name, int line)
{
    if (name.p)
        buf_printf(b, "%.*s:%d", STR_ARG(name), line);
    else
        buf_printf(b, "cmd. line:%d", line);
}

static void awk_lex_prefix(struct awk_parser *p, struct buf *b, int line)
{
    buf_printf(b, "%.*s: ", STR_ARG(p->a->p->name));
    awk_source_name(b, p->source->name, line);
    buf_addz(b, ": ");
}

/* The line of the token, and a mark below the place where it begins. */
void awk_syntax(struct awk_parser *p, const char *fmt, ...)
{
    struct buf b;
    va_list ap;
    const char *from = p->at, *to;

    int line = p->at_line + (p->tok == AWK_T_NEWLINE);

    if (p->failed)
        return;
    bool newline = p->tok == AWK_T_END && p->at > p->start && p->at[-1] == '\n';
    if (newline) { /* the last line is shown */
        from = --p->at;
        line--;
    }
    p->failed = true;
    p->errors++;
    while (from > p->start && from[-1] != '\n')
        from--;
    for (to = p->at; to < p->end && *to != '\n'; to++)
        continue;
    bool file_end = p->tok == AWK_T_END && p->source->name.p;
    if (file_end)
        from = newline ? p->at : from + (p->at > from);
    buf_init(&b, p->a->heap);
    awk_lex_prefix(p, &b, line);
    if (file_end)
        buf_addz(&b, "(END OF FILE)");
    else
        buf_add(&b, from, (size_t)(to - from));
    buf_putc(&b, '\n');
    awk_lex_prefix(p, &b, line);
    for (; from < p->at; from++)
        buf_putc(&b, *from == '\t' ? '\t' : ' ');
    buf_addz(&b, "^ ");
    va_start(ap, fmt);
    if (file_end)
        buf_addz(&b,
                 "source files / command-line arguments must contain complete functions or rules");
    else
        buf_vprintf(&b, fmt, ap);
    va_end(ap);
    buf_putc(&b, '\n');
    proc_puts(p->a->p, 2, buf_get(&b));
    buf_fini(&b);
}

void awk_mistake(struct awk_parser *p, int line, const char *fmt, ...)
{
    struct buf b;
    va_list ap;

    p->errors++;
    buf_init(&b, p->a->heap);
    awk_lex_prefix(p, &b, line);
    buf_addz(&b, "error: ");
    va_start(ap, fmt);
    buf_vprintf(&b, fmt, ap);
    va_end(ap);
    buf_putc(&b, '\n');
    proc_puts(p->a->p, 2, buf_get(&b));
    buf_fini(&b);
}

void awk_lex_warn(struct awk_parser *p, const char *fmt, ...)
{
    struct buf b;
    va_list ap;

    buf_init(&b, p->a->heap);
    awk_lex_prefix(p, &b, p->line);
    buf_addz(&b, "warning: ");
    va_start(ap, fmt);
    buf_vprintf(&b, fmt, ap);
    va_end(ap);
    buf_putc(&b, '\n');
    proc_puts(p->a->p, 2, buf_get(&b));
    buf_fini(&b);
}

/* ---- words ----------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    uint8_t tok;
    bool gnu;
} awk_words[] = {
    {"BEGIN", AWK_T_BEGIN, false},
    {"BEGINFILE", AWK_T_BEGINFILE, true},
    {"END", AWK_T_END_RULE, false},
    {"ENDFILE", AWK_T_ENDFILE, true},
    {"break", AWK_T_BREAK, false},
    {"case", AWK_T_CASE, true},
    {"continue", AWK_T_CONTINUE, false},
    {"default", AWK_T_DEFAULT, true},
    {"delete", AWK_T_DELETE, false},
    {"do", AWK_T_DO, false},
    {"else", AWK_T_ELSE, false},
    {"exit", AWK_T_EXIT, false},
    {"for", AWK_T_FOR, false},
    {"func", AWK_T_FUNCTION, false},
    {"function", AWK_T_FUNCTION, false},
    {"getline", AWK_T_GETLINE, false},
    {"if", AWK_T_IF, false},
    {"in", AWK_T_IN, false},
    {"next", AWK_T_NEXT, false},
    {"nextfile", AWK_T_NEXTFILE, false},
    {"print", AWK_T_PRINT, false},
    {"printf", AWK_T_PRINTF, false},
    {"return", AWK_T_RETURN, false},
    {"switch", AWK_T_SWITCH, true},
    {"while", AWK_T_WHILE, false},
};

static int awk_word(struct awk *a, struct str name)
{
    for (size_t i = 0; i < COUNT(awk_words); i++) {
        if (a->posix && str_eqz(name, "func"))
            continue;
        if (str_eqz(name, awk_words[i].name) && !(awk_words[i].gnu && a->traditional))
            return awk_words[i].tok;
    }
    return 0;
}

bool awk_is_reserved(struct awk *a, struct str name)
{
    return awk_word(a, name) || awk_builtin_find(name);
}

bool awk_is_name(struct str s)
{
    if (s.n == 0 || !(ascii_alpha(s.p[0]) || s.p[0] == '_'))
        return false;
    for (size_t i = 1; i < s.n; i++) {
        if (!ascii_alnum(s.p[i]) && s.p[i] != '_')
            return false;
    }
    return true;
}

static bool awk_letter(int c) { return ascii_alnum(c) || c == '_'; }

static void awk_lex_name(struct awk_parser *p)
{
    const char *from = p->cur;
    while (p->cur < p->end && (awk_letter(*p->cur) || (p->cur + 2 < p->end && p->cur[0] == ':' &&
                                                       p->cur[1] == ':' && awk_letter(p->cur[2]))))
        p->cur += *p->cur == ':' ? 2 : 1;
    p->text = str_of(from, (size_t)(p->cur - from));
    if (str_starts(p->text, STR("awk::")))
        p->text = str_from(p->text, 5);
    int word = awk_word(p->a, p->text);
    if (word) {
        p->tok = word;
        return;
    }
    p->builtin = awk_builtin_find(p->text);
    if (p->builtin && p->builtin->gnu && p->a->traditional)
        p->builtin = NULL;
    if (p->builtin) {
        p->tok = str_eqz(p->text, "length") ? AWK_T_LENGTH : AWK_T_BUILTIN;
        return;
    }
    p->tok = p->cur < p->end && *p->cur == '(' ? AWK_T_FUNC_NAME : AWK_T_NAME;
}

/* ---- numbers --------------------------------------------------------------------------------- */

static int awk_hex(int c)
{
    if (ascii_digit(c))
        return c - '0';
    c = ascii_to_lower(c);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* In program text 0x11 and 011 are what they are in C. */
static bool awk_lex_based(struct awk_parser *p)
{
    const char *s = p->cur + 1;
    double v = 0;

    if (p->a->posix || p->a->traditional || *p->cur != '0' || s >= p->end)
        return false;
    if (*s == 'x' || *s == 'X') {
        if (s + 1 >= p->end || awk_hex(s[1]) < 0)
            return false;
        for (s++; s < p->end && awk_hex(*s) >= 0; s++)
            v = v * 16 + awk_hex(*s);
    } else {
        if (!ascii_digit(*s))
            return false;
        for (; s < p->end && *s >= '0' && *s <= '7'; s++)
            v = v * 8 + (*s - '0');
        if (s < p->end && (ascii_digit(*s) || *s == '.' || *s == 'e' || *s == 'E'))
            return false;
    }
    p->num = v;
    p->cur = s;
    return true;
}

static void awk_lex_number(struct awk_parser *p)
{
    size_t used;

    p->tok = AWK_T_NUMBER;
    if (awk_lex_based(p))
        return;
    p->num = awk_parse_num(str_of(p->cur, (size_t)(p->end - p->cur)), &used);
    p->cur += MAX(used, (size_t)1);
}

/* ---- strings --------------------------------------------------------------------------------- */

/* One escape, s[0] is behind the backslash: what it stands for goes to b. The bytes used. */
static size_t awk_escape(struct buf *b, const char *s, size_t n, bool posix, bool *unknown)
{
    static const char names[] = "abfnrtv\\\"", values[] = "\a\b\f\n\r\t\v\\\"";
    const char *name = s[0] ? strchr(names, s[0]) : NULL;
    size_t i = 0;
    unsigned v = 0;

    *unknown = false;
    if (name) {
        buf_putc(b, values[name - names]);
        return 1;
    }
    for (; i < 3 && i < n && s[i] >= '0' && s[i] <= '7'; i++)
        v = v * 8 + (unsigned)(s[i] - '0');
    if (i == 0 && s[0] == 'x' && !posix) {
        for (i = 1; i < 3 && i < n && awk_hex(s[i]) >= 0; i++)
            v = v * 16 + (unsigned)awk_hex(s[i]);
        if (i == 1) {
            buf_putc(b, 'x');
            return 1;
        }
    }
    if (i) {
        buf_putc(b, (char)(v & 255));
        return i;
    }
    *unknown = s[0] != 'x';
    buf_putc(b, s[0]);
    return 1;
}

void awk_unescape(struct awk *a, struct str s, struct buf *to, bool warn)
{
    bool unknown;

    for (size_t i = 0; i < s.n;) {
        if (s.p[i] != '\\' || i + 1 == s.n) {
            buf_putc(to, s.p[i++]);
            continue;
        }
        i++;
        if (s.p[i] == '\n') {
            i++;
            continue;
        }
        char c = s.p[i];
        i += awk_escape(to, s.p + i, s.n - i, a->posix, &unknown);
        if (unknown && warn && !a->escaped[(unsigned char)c])
            proc_warn(a->p, "warning: escape sequence `\\%c' treated as plain `%c'", c, c);
        a->escaped[(unsigned char)c] |= unknown;
    }
}

static void awk_lex_string(struct awk_parser *p)
{
    buf_clear(&p->buf);
    p->tok = AWK_T_STRING;
    for (p->cur++; p->cur < p->end && *p->cur != '"';) {
        bool unknown;
        if (*p->cur == '\n')
            break;
        if (*p->cur != '\\' || p->cur + 1 == p->end) {
            buf_putc(&p->buf, *p->cur++);
            continue;
        }
        char c = *++p->cur;
        if (c == '\r' && p->cur + 1 < p->end && p->cur[1] == '\n')
            c = *++p->cur;
        if (c == '\n') {
            p->cur++;
            p->line++;
            continue;
        }
        p->cur += awk_escape(&p->buf, p->cur, (size_t)(p->end - p->cur), p->a->posix, &unknown);
        if (unknown && !p->a->escaped[(unsigned char)c])
            awk_lex_warn(p, "escape sequence `\\%c' treated as plain `%c'", c, c);
        p->a->escaped[(unsigned char)c] |= unknown;
    }
    if (p->cur >= p->end || *p->cur != '"') {
        awk_syntax(p, "unterminated string");
        p->tok = AWK_T_BAD;
        return;
    }
    p->cur++;
    p->text = buf_get(&p->buf);
}

void awk_lex_regex(struct awk_parser *p)
{
    int brackets = 0;

    p->cur = p->at + 1;
    buf_clear(&p->buf);
    p->tok = AWK_T_REGEX;
    p->at = p->cur;
    while (p->cur < p->end && *p->cur != '\n' && (*p->cur != '/' || brackets)) {
        char c = *p->cur++;
        if (c == '\\' && p->cur < p->end) {
            if (*p->cur == '\n') {
                p->cur++;
                p->line++;
                continue;
            }
            if (*p->cur != '/')
                buf_putc(&p->buf, c);
            buf_putc(&p->buf, *p->cur++);
            continue;
        }
        if (c == '[' && !brackets) {
            brackets = 1;
            buf_putc(&p->buf, c);
            if (p->cur < p->end && *p->cur == '^')
                buf_putc(&p->buf, *p->cur++);
            if (p->cur < p->end && *p->cur == ']')
                buf_putc(&p->buf, *p->cur++);
            continue;
        }
        if (c == '[' && brackets && p->cur < p->end && strchr(":.=", *p->cur) && *p->cur) {
            const char *stop = p->cur + 1;
            while (stop + 1 < p->end && *stop != '\n' && !(*stop == *p->cur && stop[1] == ']'))
                stop++;
            if (stop + 1 < p->end && *stop == *p->cur) {
                buf_putc(&p->buf, c);
                buf_add(&p->buf, p->cur, (size_t)(stop + 2 - p->cur));
                p->cur = stop + 2;
                continue;
            }
        }
        if (c == ']')
            brackets = 0;
        buf_putc(&p->buf, c);
    }
    if (p->cur >= p->end || *p->cur != '/') {
        bool nothing = p->cur == p->at && p->cur < p->end;
        awk_syntax(p, nothing ? "unexpected newline or end of string" : "unterminated regexp");
        p->tok = AWK_T_BAD;
        return;
    }
    p->cur++;
    p->text = buf_get(&p->buf);
}

/* ---- operators ------------------------------------------------------------------------------- */

struct awk_operator {
    const char *text;
    uint8_t tok;
    char op;
};

/* Longer ones first. */
static const struct awk_operator awk_operators[] = {
    {"**=", AWK_T_ASSIGN_OP, '^'}, {"**", AWK_T_POW, 0},         {"^=", AWK_T_ASSIGN_OP, '^'},
    {"^", AWK_T_POW, 0},           {"++", AWK_T_INCR, 0},        {"--", AWK_T_DECR, 0},
    {"+=", AWK_T_ASSIGN_OP, '+'},  {"-=", AWK_T_ASSIGN_OP, '-'}, {"*=", AWK_T_ASSIGN_OP, '*'},
    {"/=", AWK_T_ASSIGN_OP, '/'},  {"%=", AWK_T_ASSIGN_OP, '%'}, {"==", AWK_T_EQ, 0},
    {"!=", AWK_T_NE, 0},           {"<=", AWK_T_LE, 0},          {">=", AWK_T_GE, 0},
    {"!~", AWK_T_NOMATCH, 0},      {"&&", AWK_T_AND, 0},         {"||", AWK_T_OR, 0},
    {"|&", AWK_T_PIPE_AMP, 0},     {">>", AWK_T_APPEND, 0},      {"=", AWK_T_ASSIGN_OP, 0},
};

static bool awk_lex_operator(struct awk_parser *p)
{
    for (size_t i = 0; i < COUNT(awk_operators); i++) {
        const struct awk_operator *o = &awk_operators[i];
        size_t n = strlen(o->text);
        if ((size_t)(p->end - p->cur) < n || memcmp(p->cur, o->text, n) != 0)
            continue;
        if (p->a->posix && o->text[0] == '*' && o->text[1] == '*')
            continue;
        p->tok = o->tok;
        p->op = o->op;
        p->cur += n;
        return true;
    }
    return false;
}

/* @include, @load, @namespace, @/re/ and @name(...): the last two are left as the character. */
static void awk_lex_at(struct awk_parser *p)
{
    static const struct {
        const char *name;
        int tok;
    } words[] = {{"include", AWK_T_INCLUDE}, {"load", AWK_T_LOAD}, {"namespace", AWK_T_NAMESPACE}};
    const char *s = p->cur + 1, *e;

    for (e = s; e < p->end && awk_letter(*e); e++)
        continue;
    struct str word = str_of(s, (size_t)(e - s));
    for (size_t i = 0; i < COUNT(words); i++) {
        if (!str_eqz(word, words[i].name))
            continue;
        p->tok = words[i].tok;
        p->cur = e;
        return;
    }
    p->tok = AWK_T_CHAR + '@';
    p->cur++;
}

static void awk_lex_blanks(struct awk_parser *p)
{
    while (p->cur < p->end) {
        char c = *p->cur;
        if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') {
            p->cur++;
        } else if (c == '\\' && p->cur + 1 < p->end && p->cur[1] == '\n') {
            p->cur += 2;
            p->line++;
        } else if (c == '\\' && p->cur + 2 < p->end && p->cur[1] == '\r' && p->cur[2] == '\n') {
            p->cur += 3;
            p->line++;
        } else if (c == '#') {
            while (p->cur < p->end && *p->cur != '\n')
                p->cur++;
        } else {
            break;
        }
    }
}

void awk_lex_open(struct awk_parser *p, struct awk_source *s)
{
    p->source = s;
    p->start = p->cur = s->text.p;
    p->end = s->text.p + s->text.n;
    p->line = 1;
    p->ended = false;
}

void awk_next_token(struct awk_parser *p)
{
    awk_lex_blanks(p);
    p->at = p->cur;
    p->at_line = p->line;
    if (p->failed) {
        p->tok = AWK_T_BAD;
        return;
    }
    if (p->cur >= p->end) {
        bool newline = !p->ended && p->end > p->start && p->end[-1] != '\n';
        p->ended = true;
        p->tok = newline ? AWK_T_NEWLINE : AWK_T_END;
        return;
    }
    char c = *p->cur;
    if (c == '\n') {
        p->cur++;
        p->line++;
        p->tok = AWK_T_NEWLINE;
    } else if (ascii_alpha(c) || c == '_') {
        awk_lex_name(p);
    } else if (ascii_digit(c) || (c == '.' && p->cur + 1 < p->end && ascii_digit(p->cur[1]))) {
        awk_lex_number(p);
    } else if (c == '"') {
        awk_lex_string(p);
    } else if (c == '@') {
        awk_lex_at(p);
    } else if (!awk_lex_operator(p)) {
        if (!c || !strchr("{}()[];,+-*/%!<>|?:~$.", c)) {
            if (c == '\\')
                awk_syntax(p, "backslash not last character on line");
            else if (c == '&')
                awk_syntax(p, "syntax error");
            else
                awk_syntax(p, "invalid char '%c' in expression", c);
            p->tok = AWK_T_BAD;
            return;
        }
        p->tok = AWK_T_CHAR + (unsigned char)c;
        p->cur++;
    }
}
