/* builtin_echo.c -- echo, true, false, and the backslash escapes of echo and printf
 *
 * echo is what scripts run most: what it prints is gathered on the stack and written at once.
 */
#include "base/error.h"
#include "base/utf8.h"
#include "shell/builtin_impl.h"

/* ---- the end of a builtin that prints -------------------------------------------------------- */

int builtin_close(struct shell *sh, struct out *o, int status)
{
    int err = out_fini(o);
    if (LIKELY(err == 0))
        return status;
    if (err != HOB_EKILLED && !proc_check(sh->proc))
        shell_builtin_error(sh, "write error: %s", error_text(err));
    return 1;
}

int builtin_print(struct shell *sh, struct buf *b, int status)
{
    struct out o;
    if (!b->n) { /* nothing to print cannot fail */
        buf_fini(b);
        return status;
    }
    out_init(&o, sh->proc, 1);
    out_str(&o, buf_get(b));
    buf_fini(b);
    return builtin_close(sh, &o, status);
}

/* ---- escapes --------------------------------------------------------------------------------- */

static int escape_digit(int c)
{
    if (ascii_digit(c))
        return c - '0';
    c = ascii_to_lower(c);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : 99;
}

/* At most `max` digits of a base at s[*i]. */
static uint32_t escape_number(struct str s, size_t *i, int base, int max)
{
    uint32_t v = 0;
    for (; max > 0 && *i < s.n && escape_digit(s.p[*i]) < base; max--)
        v = v * (uint32_t)base + (uint32_t)escape_digit(s.p[(*i)++]);
    return v;
}

/* Octal: echo wants \0 and up to three digits; the format of printf up to three with or without a
 * leading 0; an argument of %b three, and a leading 0 does not count as one of them. */
static int escape_octal(struct str s, enum escape_mode mode, char *dst, size_t *used)
{
    bool zero = s.p[0] == '0';
    *used = 0;
    if (mode == ESCAPE_ECHO && !zero)
        return ESCAPE_NONE;
    if (zero && mode != ESCAPE_FORMAT)
        *used = 1;
    dst[0] = (char)escape_number(s, used, 8, 3);
    return 1;
}

static int escape_hex(struct str s, enum escape_mode mode, char *dst, size_t *used)
{
    char c = s.p[0];
    *used = 1;
    uint32_t v = escape_number(s, used, 16, c == 'x' ? 2 : c == 'u' ? 4 : 8);
    if (*used == 1) {
        *used = 0;
        return mode == ESCAPE_ECHO ? ESCAPE_NONE : c == 'x' ? ESCAPE_HEX : ESCAPE_UNICODE;
    }
    if (c != 'x' && v > 0x7f)
        return utf8_encode(dst, v);
    dst[0] = (char)v;
    return 1;
}

int escape_decode(struct str s, enum escape_mode mode, char *dst, size_t *used)
{
    static const char from[] = "abeEfnrtv\\", to[] = "\a\b\033\033\f\n\r\t\v\\";
    char c = s.n ? s.p[0] : '\0';
    const char *at = c ? strchr(from, c) : NULL;

    *used = 1;
    if (at) {
        dst[0] = to[at - from];
        return 1;
    }
    switch (c) {
    case '0':
    case '1':
    case '2':
    case '3':
    case '4':
    case '5':
    case '6':
    case '7': return escape_octal(s, mode, dst, used);
    case 'x':
    case 'u':
    case 'U': return escape_hex(s, mode, dst, used);
    case 'c':
        if (mode != ESCAPE_FORMAT)
            return ESCAPE_STOP;
        break;
    case '\'':
    case '"':
    case '?':
        dst[0] = c;
        if (mode == ESCAPE_FORMAT)
            return 1;
        break;
    default: break;
    }
    *used = 0;
    return ESCAPE_NONE;
}

/* ---- echo ------------------------------------------------------------------------------------ */

/* False: \c was met, nothing more is printed. */
static bool builtin_echo_escaped(struct out *o, struct str s)
{
    char dst[8];
    size_t used;
    while (s.n) {
        ptrdiff_t plain = str_chr(s, '\\');
        if (plain != 0) {
            size_t n = plain < 0 ? s.n : (size_t)plain;
            out_write(o, s.p, n);
            s = str_from(s, n);
            continue;
        }
        s = str_from(s, 1);
        int n = escape_decode(s, ESCAPE_ECHO, dst, &used);
        if (n == ESCAPE_STOP)
            return false;
        if (n < 0)
            out_putc(o, '\\');
        else
            out_write(o, dst, (size_t)n);
        s = str_from(s, used);
    }
    return true;
}

/* An option is a word of nothing but n, e and E. */
static bool builtin_echo_option(struct str w, bool *newline, bool *escapes)
{
    if (w.n < 2 || w.p[0] != '-')
        return false;
    for (size_t i = 1; i < w.n; i++)
        if (w.p[i] != 'n' && w.p[i] != 'e' && w.p[i] != 'E')
            return false;
    for (size_t i = 1; i < w.n; i++) {
        if (w.p[i] == 'n')
            *newline = false;
        else
            *escapes = w.p[i] == 'e';
    }
    return true;
}

static int builtin_echo_run(struct shell *sh, struct str *argv, int argc)
{
    bool newline = true, escapes = SH_SHOPT(sh, SHOPT_XPG_ECHO);
    bool options = !escapes || !SH_OPT(sh, OPT_POSIX);
    struct out o;
    int i = 1;

    while (options && i < argc && builtin_echo_option(argv[i], &newline, &escapes))
        i++;
    if (i == argc && !newline)
        return 0;
    out_init(&o, sh->proc, 1);
    o.line = false;
    for (int first = i; i < argc; i++) {
        if (i > first)
            out_putc(&o, ' ');
        if (!escapes) {
            out_str(&o, argv[i]);
        } else if (!builtin_echo_escaped(&o, argv[i])) {
            newline = false;
            break;
        }
    }
    if (newline)
        out_putc(&o, '\n');
    return builtin_close(sh, &o, 0);
}

const struct builtin builtin_echo = {
    .name = "echo",
    .run = builtin_echo_run,
    .usage = "echo [-neE] [arg ...]",
    .summary = "Print the arguments.\n"
               "\n"
               "The ARGs go to standard output with one blank between two of them and a\n"
               "newline behind the last.\n"
               "\n"
               "Options:\n"
               "  -n\tno newline at the end\n"
               "  -e\tbackslash escapes count: \\a \\b \\c \\e \\f \\n \\r \\t \\v \\\\ \\0NNN\n"
               "    \t\\xHH \\uHHHH \\UHHHHHHHH; \\c ends the output\n"
               "  -E\tthey do not, whatever xpg_echo says\n"
               "\n"
               "Exit Status:\n"
               "Zero unless writing fails.",
};

/* ---- true and false -------------------------------------------------------------------------- */

static int builtin_true_run(struct shell *sh, struct str *argv, int argc)
{
    (void)sh, (void)argv, (void)argc;
    return 0;
}

static int builtin_false_run(struct shell *sh, struct str *argv, int argc)
{
    (void)sh, (void)argv, (void)argc;
    return 1;
}

const struct builtin builtin_true = {
    .name = "true",
    .run = builtin_true_run,
    .usage = "true",
    .summary = "Do nothing, with success.\n\nExit Status:\nAlways zero.",
};

const struct builtin builtin_false = {
    .name = "false",
    .run = builtin_false_run,
    .usage = "false",
    .summary = "Do nothing, without success.\n\nExit Status:\nAlways one.",
};
