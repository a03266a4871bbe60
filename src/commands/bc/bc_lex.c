/* bc_lex.c -- the words of bc */
#include "commands/bc/bc.h"

#include "base/utf8.h"

/* In the order of enum bc_word. */
static const char *const bc_words[] = {
    "auto",   "break", "continue", "define", "else",   "for",   "halt",     "history",
    "ibase",  "if",    "last",     "length", "limits", "obase", "print",    "quit",
    "random", "read",  "return",   "scale",  "sqrt",   "void",  "warranty", "while"};

void bc_complain(struct bc *b, const char *fmt, ...)
{
    char text[512];
    va_list ap;

    out_flush(&b->out);
    va_start(ap, fmt);
    struct buf s;
    buf_init(&s, &b->p->kernel->heap);
    buf_vprintf(&s, fmt, ap);
    va_end(ap);
    size_t n = MIN(s.n, sizeof text - 1);
    memcpy(text, buf_get(&s).p, n);
    text[n] = '\0';
    buf_fini(&s);
    proc_printf_err(b->p, "%.*s %llu: %s\n", STR_ARG(b->file), (unsigned long long)b->line, text);
}

/* The files of the command line come first, then standard input. */
static bool bc_open_next(struct bc *b)
{
    if (b->source)
        return false;
    while (b->next_operand < b->p->argc) {
        struct str name = b->p->argv[b->next_operand++];
        in_fini(b->in);
        if (in_open_quiet(b->in, b->p, name) < 0) {
            out_flush(&b->out);
            proc_printf_err(b->p, "File %.*s is unavailable.\n", STR_ARG(name));
            in_init(b->in, b->p, -1);
            b->halted = true;
            b->err = 1;
            return false;
        }
        b->file = name;
        b->line = 1;
        return true;
    }
    if (b->stdin_read)
        return false;
    b->stdin_read = true;
    in_fini(b->in);
    in_init(b->in, b->p, 0);
    b->file = STR("(standard_in)");
    b->line = 1;
    return true;
}

int bc_getc(struct bc *b)
{
    int c = b->ahead;
    if (c != -2) {
        b->ahead = -2;
    } else if (b->source) {
        c = *b->source ? (unsigned char)*b->source++ : -1;
    } else {
        while ((c = b->eof ? -1 : in_getc(b->in)) < 0 && !b->eof && !b->err)
            if (!bc_open_next(b)) {
                b->eof = true;
                b->line = 1;
            }
    }
    if (c == '\n')
        b->line++;
    return c;
}

static void bc_unget(struct bc *b, int c)
{
    if (c == '\n')
        b->line--;
    b->ahead = c;
}

/* White space, comments and broken lines; the first character of a token. */
static int bc_skip(struct bc *b)
{
    for (;;) {
        int c = bc_getc(b);
        if (c == ' ' || c == '\t')
            continue;
        if (c == '#') {
            while ((c = bc_getc(b)) >= 0 && c != '\n')
                ;
            return c;
        }
        if (c == '\\') {
            int d = bc_getc(b);
            if (d == '\n')
                continue;
            bc_unget(b, d);
            return c;
        }
        if (c != '/')
            return c;
        int d = bc_getc(b);
        if (d != '*') {
            bc_unget(b, d);
            return c;
        }
        for (c = 0; c >= 0 && !(d == '*' && c == '/');) {
            d = c;
            c = bc_getc(b);
        }
        if (c < 0) {
            out_flush(&b->out);
            proc_printf_err(b->p, "EOF encountered in a comment.\n");
            return -1;
        }
    }
}

static void bc_lex_number(struct bc *b, int c)
{
    bool point = false;
    for (;; c = bc_getc(b)) {
        if (c == '\\') {
            int d = bc_getc(b);
            if (d == '\n')
                continue;
            bc_unget(b, d);
            break;
        }
        if (!ascii_digit(c) && !ascii_upper(c) && (c != '.' || point))
            break;
        point = point || c == '.';
        buf_putc(&b->text, (char)c);
    }
    bc_unget(b, c);
    /* Zeros in front count for nothing, one of them stays when there is nothing else. */
    size_t zeros = 0;
    while (zeros + 1 < b->text.n && b->text.p[zeros] == '0')
        zeros++;
    buf_del(&b->text, 0, zeros);
    b->token.kind = BC_T_NUMBER;
    if (b->text.n && b->text.p[b->text.n - 1] == '.')
        buf_cut(&b->text, b->text.n - 1);
    if (b->text.n == 0 && zeros)
        buf_putc(&b->text, '0');
    else if (b->text.n == 0) /* a lone point */
        b->token.kind = BC_W_LAST;
}

static void bc_lex_name(struct bc *b, int c)
{
    for (; ascii_lower(c) || ascii_digit(c) || c == '_'; c = bc_getc(b))
        buf_putc(&b->text, (char)c);
    bc_unget(b, c);
    b->token.kind = BC_T_NAME;
    for (size_t i = 0; i < COUNT(bc_words); i++)
        if (str_eqz(buf_get(&b->text), bc_words[i]))
            b->token.kind = BC_T_WORDS + (int)i;
}

static void bc_lex_string(struct bc *b)
{
    int c;
    while ((c = bc_getc(b)) >= 0 && c != '"')
        buf_putc(&b->text, (char)c);
    b->token.kind = c < 0 ? BC_T_EOF : BC_T_STRING;
}

/* Operators of one or two characters. */
static void bc_lex_operator(struct bc *b, int c)
{
    int d = bc_getc(b);
    b->token.kind = c;
    b->token.op = (char)c;
    if (d == '=' && strchr("+-*/%^", c)) {
        b->token.kind = BC_T_ASSIGN;
        return;
    }
    if (d == c && strchr("+-=&|", c)) {
        b->token.kind = c == '+'   ? BC_T_INCR
                        : c == '-' ? BC_T_DECR
                        : c == '&' ? BC_T_AND
                        : c == '|' ? BC_T_OR
                                   : BC_T_RELATION;
        return;
    }
    if (d == '=' && strchr("<>!", c)) {
        b->token.kind = BC_T_RELATION;
        b->token.op = c == '<' ? '{' : c == '>' ? '}' : '#';
        return;
    }
    bc_unget(b, d);
    if (c == '=')
        b->token.kind = BC_T_ASSIGN;
    else if (c == '<' || c == '>')
        b->token.kind = BC_T_RELATION;
}

void bc_next(struct bc *b)
{
    for (;;) {
        int c = bc_skip(b);
        buf_clear(&b->text);
        b->token = (struct bc_token){.kind = c};
        if (c < 0 || b->err)
            b->token.kind = BC_T_EOF;
        else if (ascii_digit(c) || ascii_upper(c) || c == '.')
            bc_lex_number(b, c);
        else if (ascii_lower(c))
            bc_lex_name(b, c);
        else if (c == '"')
            bc_lex_string(b);
        else if (c && strchr("+-*/%^=<>!&|", c))
            bc_lex_operator(b, c);
        else if (c && !strchr("\n;,()[]{}", c))
            b->token.kind = 0;
        if (b->token.kind == '&' || b->token.kind == '|')
            c = b->token.kind, b->token.kind = 0;
        b->token.text = buf_get(&b->text);
        if (b->token.kind)
            return;
        if (c < 32 || c > 126)
            bc_complain(b, "illegal character: \\%03o", (unsigned)c);
        else
            bc_complain(b, "illegal character: %c", c);
    }
}
