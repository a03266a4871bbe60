/* jq_lex.c -- the words of a jq program */
#include "base/utf8.h"
#include "commands/jq/jq.h"

/* In the order of the tokens from JQT_KEYWORD_FIRST on. */
static const char *const jq_keywords[] = {
    "and", "as",     "break",   "catch", "def",    "elif", "else",   "end",  "foreach",
    "if",  "import", "include", "label", "module", "or",   "reduce", "then", "try",
};

bool jq_is_keyword(int tok) { return tok >= JQT_KEYWORD_FIRST && tok < JQT_KEYWORD_END; }

struct str jq_keyword_text(int tok) { return str_z(jq_keywords[tok - JQT_KEYWORD_FIRST]); }

const char *jq_token_name(const struct jq_lexer *l, int tok)
{
    static const char *const names[] = {
        "end of file", "INVALID_CHARACTER",
        "LITERAL",     "FIELD",
        "IDENT",       "BINDING",
        "FORMAT",      "QQSTRING_START",
        "==",          "!=",
        "<=",          ">=",
        "//",          "..",
        "?//",         "|=",
        "+=",          "-=",
        "*=",          "/=",
        "%=",          "//=",
        "$__loc__",
    };
    (void)l;
    if (jq_is_keyword(tok))
        return jq_keywords[tok - JQT_KEYWORD_FIRST];
    return tok >= JQT_EOF ? names[tok - JQT_EOF] : NULL;
}

/* A comment ends with its line, unless an odd number of backslashes stands before the newline. */
static void jq_lex_comment(struct jq_lexer *l)
{
    while (l->at < l->text.n && l->text.p[l->at] != '\n') {
        if (l->text.p[l->at] == '\\' && l->at + 1 < l->text.n) {
            l->at++;
            if (l->text.p[l->at] == '\r' && l->at + 1 < l->text.n && l->text.p[l->at + 1] == '\n')
                l->at++;
        }
        l->at++;
    }
}

static void jq_lex_blanks(struct jq_lexer *l)
{
    while (l->at < l->text.n) {
        char c = l->text.p[l->at];
        if (c == '#')
            jq_lex_comment(l);
        else if (c == ' ' || c == '\t' || c == '\n' || c == '\r')
            l->at++;
        else
            return;
    }
}

static int jq_lex_peek(const struct jq_lexer *l, uint32_t more)
{
    return l->at + more < l->text.n ? (unsigned char)l->text.p[l->at + more] : -1;
}

static bool jq_name_start(int c) { return c == '_' || (c >= 0 && ascii_alpha(c)); }
static bool jq_name_char(int c) { return c == '_' || (c >= 0 && ascii_alnum(c)); }

/* A name from l->at on, with modules before it (a::b). */
static struct str jq_lex_name(struct jq_lexer *l, bool modules)
{
    uint32_t start = l->at;
    while (jq_name_start(jq_lex_peek(l, 0))) {
        while (jq_name_char(jq_lex_peek(l, 0)))
            l->at++;
        if (!modules || jq_lex_peek(l, 0) != ':' || jq_lex_peek(l, 1) != ':' ||
            !jq_name_start(jq_lex_peek(l, 2)))
            break;
        l->at += 2;
    }
    return str_of(l->text.p + start, l->at - start);
}

static int jq_lex_number(struct jq_lexer *l)
{
    uint32_t start = l->at;
    while (ascii_digit(jq_lex_peek(l, 0)))
        l->at++;
    if (jq_lex_peek(l, 0) == '.')
        l->at++;
    while (ascii_digit(jq_lex_peek(l, 0)))
        l->at++;
    int e = jq_lex_peek(l, 0), sign = jq_lex_peek(l, 1) == '+' || jq_lex_peek(l, 1) == '-';
    if ((e == 'e' || e == 'E') && ascii_digit(jq_lex_peek(l, 1 + (uint32_t)sign))) {
        l->at += 1 + (uint32_t)sign;
        while (ascii_digit(jq_lex_peek(l, 0)))
            l->at++;
    }
    l->str = str_of(l->text.p + start, l->at - start);
    jq_drop(l->j, l->number);
    l->number = jq_number_literal(l->j, l->str);
    return JQT_NUMBER;
}

static int jq_lex_word(struct jq_lexer *l)
{
    l->str = jq_lex_name(l, true);
    for (size_t i = 0; i < COUNT(jq_keywords); i++)
        if (str_eqz(l->str, jq_keywords[i]))
            return JQT_KEYWORD_FIRST + (int)i;
    return JQT_IDENT;
}

/* Signs of more than one character. */
static int jq_lex_sign(struct jq_lexer *l)
{
    static const struct {
        char text[4];
        int tok;
    } signs[] = {
        {"?//", JQT_ALTERNATION}, {"//=", JQT_SETDEFINEDOR}, {"//", JQT_DEFINEDOR},
        {"==", JQT_EQ},           {"!=", JQT_NEQ},           {"<=", JQT_LE},
        {">=", JQT_GE},           {"|=", JQT_SETPIPE},       {"+=", JQT_SETPLUS},
        {"-=", JQT_SETMINUS},     {"*=", JQT_SETMULT},       {"/=", JQT_SETDIV},
        {"%=", JQT_SETMOD},       {"..", JQT_RECURSE},
    };
    struct str rest = str_from(l->text, l->at);
    for (size_t i = 0; i < COUNT(signs); i++)
        if (str_starts(rest, str_z(signs[i].text))) {
            l->at += (uint32_t)strlen(signs[i].text);
            return signs[i].tok;
        }
    char c = l->text.p[l->at++];
    return c && strchr(".?=;,:|+-*/%<>()[]{}", c) ? c : JQT_INVALID;
}

static int jq_lex_dollar(struct jq_lexer *l)
{
    l->at++;
    jq_lex_blanks(l);
    if (!jq_name_start(jq_lex_peek(l, 0)))
        return JQT_INVALID;
    l->str = jq_lex_name(l, true);
    return str_eqz(l->str, "__loc__") ? JQT_LOC : JQT_BINDING;
}

int jq_lex(struct jq_lexer *l)
{
    uint32_t before = l->at;
    jq_lex_blanks(l);
    if (l->at >= l->text.n) {
        if (l->at > before)
            l->start = before;
        return l->tok = JQT_EOF;
    }
    l->start = l->at;
    int c = jq_lex_peek(l, 0), next = jq_lex_peek(l, 1);
    if (c == '"') {
        l->at++;
        l->tok = JQT_STRING;
    } else if (c == '.' && jq_name_start(next)) {
        l->at++;
        l->str = jq_lex_name(l, false);
        l->tok = JQT_FIELD;
    } else if (ascii_digit(c) || (c == '.' && ascii_digit(next))) {
        l->tok = jq_lex_number(l);
    } else if (jq_name_start(c)) {
        l->tok = jq_lex_word(l);
    } else if (c == '@' && jq_name_char(next)) {
        l->at++;
        uint32_t start = l->at;
        while (jq_name_char(jq_lex_peek(l, 0)))
            l->at++;
        l->str = str_of(l->text.p + start, l->at - start);
        l->tok = JQT_FORMAT;
    } else if (c == '$') {
        l->tok = jq_lex_dollar(l);
    } else {
        l->tok = jq_lex_sign(l);
    }
    return l->tok;
}
