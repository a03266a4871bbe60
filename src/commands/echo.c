/* echo.c -- display a line of text
 *
 * The program, not the builtin of bash: escapes are those of coreutils (no \u), and -n, -e, -E are
 * options only while every letter of the word is one of them.
 */
#include "shell/command.h"

static bool echo_option(struct str w, bool *newline, bool *escapes)
{
    if (w.n < 2 || w.p[0] != '-')
        return false;
    for (size_t i = 1; i < w.n; i++) {
        if (!w.p[i] || !strchr("neE", w.p[i]))
            return false;
    }
    for (size_t i = 1; i < w.n; i++) {
        if (w.p[i] == 'n')
            *newline = false;
        else
            *escapes = w.p[i] == 'e';
    }
    return true;
}

static int echo_hex(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c = (char)(c | 32);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* A number of at most `max` digits at s[*i]. */
static int echo_number(struct str s, size_t *i, int base, int max, int value)
{
    for (int n = 0; n < max && *i < s.n; n++, ++*i) {
        int d = echo_hex(s.p[*i]);
        if (d < 0 || d >= base)
            break;
        value = value * base + d;
    }
    return value & 255;
}

/* False: \c was met, nothing more is printed. */
static bool echo_escaped(struct out *o, struct str s)
{
    static const char from[] = "abefnrtv\\", to[] = "\a\b\033\f\n\r\t\v\\";
    for (size_t i = 0; i < s.n;) {
        char c = s.p[i++];
        if (c != '\\' || i == s.n) {
            out_putc(o, c);
            continue;
        }
        c = s.p[i++];
        const char *at = c ? strchr(from, c) : NULL;
        if (at) {
            out_putc(o, to[at - from]);
        } else if (c == 'c') {
            return false;
        } else if (c == 'x' && i < s.n && echo_hex(s.p[i]) >= 0) {
            out_putc(o, (char)echo_number(s, &i, 16, 2, 0));
        } else if (c == '0') {
            out_putc(o, (char)echo_number(s, &i, 8, 3, 0));
        } else if (c >= '1' && c <= '7') {
            out_putc(o, (char)echo_number(s, &i, 8, 2, c - '0'));
        } else {
            out_putc(o, '\\');
            out_putc(o, c);
        }
    }
    return true;
}

static int echo_run(struct proc *p, void *args)
{
    bool newline = true, escapes = false;
    struct out o;
    int i = 0;

    (void)args;
    while (i < p->argc && echo_option(p->argv[i], &newline, &escapes))
        i++;
    out_init(&o, p, 1);
    for (int first = i; i < p->argc; i++) {
        if (i > first)
            out_putc(&o, ' ');
        if (!escapes)
            out_str(&o, p->argv[i]);
        else if (!echo_escaped(&o, p->argv[i]))
            return command_close(p, &o, 0);
    }
    if (newline)
        out_putc(&o, '\n');
    return command_close(p, &o, 0);
}

static const struct opt echo_opts[] = {
    OPT_SET('n', NULL, struct command, flags, 0, "do not output the trailing newline"),
    OPT_SET('e', NULL, struct command, flags, 0, "enable interpretation of backslash escapes"),
    OPT_SET('E', NULL, struct command, flags, 0, "leave backslashes as they are (default)"),
    OPT_END,
};

const struct command cmd_echo = {
    .name = "echo",
    .usage = "[SHORT-OPTION]... [STRING]...\nLONG-OPTION",
    .summary = "Echo the STRING(s) to standard output.",
    .notes = "Escapes that -e understands:\n"
             "  \\\\ \\a \\b \\c (no further output) \\e \\f \\n \\r \\t \\v\n"
             "  \\0NNN (octal, 1 to 3 digits) \\xHH (hexadecimal, 1 to 2 digits)",
    .opts = echo_opts,
    .flags = CMD_NO_OPTIONS,
    .usage_status = 1,
    .run = echo_run,
};
