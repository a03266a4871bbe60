/* man.c -- man, whatis and apropos: pages made from the option tables of our own commands */
#include "shell/command.h"

struct man {
    bool apropos, whatis, where, all;
    struct str section, pager;
};

static const struct opt man_opts[] = {
    OPT_FLAG('a', "all", struct man, all, "(accepted) all pages of that name"),
    OPT_FLAG('f', "whatis", struct man, whatis, "one line for each name"),
    OPT_FLAG('k', "apropos", struct man, apropos, "look for words in names and descriptions"),
    OPT_STRING('P', "pager", struct man, pager, "PROGRAM", "(accepted)"),
    OPT_STRING('s', "sections", struct man, section, "LIST", "(accepted) all pages are in 1"),
    OPT_END,
};

static void man_upper(struct buf *b, const char *name)
{
    for (; *name; name++)
        buf_putc(b, *name >= 'a' && *name <= 'z' ? (char)(*name - 32) : *name);
}

/* The first sentence, small at the begin and without a period, as such lines are written. */
static void man_line(struct buf *b, const struct command *c)
{
    struct str s = str_z(c->summary ? c->summary : "");
    ptrdiff_t end = str_find(s, STR(". "));
    s = end < 0 ? s : str_sub(s, 0, (size_t)end);
    if (s.n && s.p[s.n - 1] == '.')
        s.n--;
    for (size_t i = 0; i < s.n; i++) {
        char ch = s.p[i] == '\n' ? ' ' : s.p[i];
        bool small =
            i == 0 && ch >= 'A' && ch <= 'Z' && s.n > 1 && !(s.p[1] >= 'A' && s.p[1] <= 'Z');
        buf_putc(b, small ? (char)(ch + 32) : ch);
    }
}

static void man_page(struct proc *p, struct out *o, const struct command *c)
{
    struct buf b, help;
    struct heap *h = &p->kernel->heap;
    buf_init(&b, h);
    man_upper(&b, c->name);
    buf_addz(&b, "(1)");
    struct str title = buf_get(&b);
    size_t wide = title.n * 2 + 13, gap = wide < 78 ? (78 - wide) / 2 : 1;
    out_printf(o, "%.*s%*sUser Commands%*s%.*s\n\nNAME\n       %s - ", STR_ARG(title), (int)gap, "",
               (int)(wide + gap < 78 ? 78 - wide - gap : 1), "", STR_ARG(title), c->name);
    buf_clear(&b);
    man_line(&b, c);
    out_str(o, buf_get(&b));
    out_puts(o, "\n\nDESCRIPTION\n");
    buf_init(&help, h);
    command_help(&help, c);
    for (struct str s = buf_get(&help); s.n;) {
        ptrdiff_t end = str_chr(s, '\n');
        struct str line = end < 0 ? s : str_sub(s, 0, (size_t)end);
        if (line.n)
            out_puts(o, "       ");
        out_str(o, line);
        out_putc(o, '\n');
        s = str_from(s, line.n + 1);
    }
    buf_fini(&help);
    buf_fini(&b);
}

static void man_short(struct proc *p, struct out *o, const struct command *c)
{
    struct buf b;
    buf_init(&b, &p->kernel->heap);
    buf_printf(&b, "%s (1)", c->name);
    buf_fill(&b, ' ', b.n < 20 ? 20 - b.n : 0);
    buf_addz(&b, " - ");
    man_line(&b, c);
    out_str(o, buf_get(&b));
    out_putc(o, '\n');
    buf_fini(&b);
}

static bool man_mentions(const char *text, struct str word)
{
    struct str s = str_z(text ? text : "");
    for (size_t i = 0; i + word.n <= s.n; i++) {
        size_t k = 0;
        while (k < word.n && (s.p[i + k] | 32) == (word.p[k] | 32))
            k++;
        if (k == word.n)
            return true;
    }
    return false;
}

static int man_search(struct proc *p, struct out *o, struct str word)
{
    bool any = false;
    for (size_t i = 0; p->kernel->commands_table[i]; i++) {
        const struct command *c = p->kernel->commands_table[i];
        if (!man_mentions(c->name, word) && !man_mentions(c->summary, word))
            continue;
        man_short(p, o, c);
        any = true;
    }
    if (!any) {
        out_flush(o);
        proc_printf_err(p, "%.*s: nothing appropriate.\n", STR_ARG(word));
    }
    return any ? 0 : 16;
}

static int man_go(struct proc *p, const struct man *m)
{
    struct out o;
    int status = 0, first = 0;
    uint64_t n;
    if (p->argc > 1 && str_uint(p->argv[0], &n) == 0 && n < 10)
        first = 1; /* the section */
    out_init(&o, p, 1);
    for (int i = first; i < p->argc && !o.err; i++) {
        struct str name = p->argv[i];
        if (m->apropos) {
            int e = man_search(p, &o, name);
            status = e ? e : status;
            continue;
        }
        const struct command *c = command_find(p->kernel, name);
        if (c && m->whatis) {
            man_short(p, &o, c);
        } else if (c) {
            man_page(p, &o, c);
        } else {
            out_flush(&o);
            if (m->whatis)
                proc_printf_err(p, "%.*s: nothing appropriate.\n", STR_ARG(name));
            else
                proc_printf_err(p, "No manual entry for %.*s\n", STR_ARG(name));
            status = 16;
        }
    }
    return command_close(p, &o, status);
}

static int man_run(struct proc *p, void *args)
{
    struct man *m = args;
    const struct command *c = p->command;
    m->whatis |= strcmp(c->name, "whatis") == 0;
    m->apropos |= strcmp(c->name, "apropos") == 0;
    if (p->argc)
        return man_go(p, m);
    if (m->apropos || m->whatis)
        proc_printf_err(p, "%s what?\n", m->apropos ? "apropos" : "whatis");
    else
        proc_printf_err(p, "What manual page do you want?\nFor example, try 'man man'.\n");
    return 1;
}

const struct command cmd_man = {
    .name = "man",
    .usage = "[OPTION]... [SECTION] NAME...",
    .summary = "Show the page of a command, or look for one with -k.",
    .opts = man_opts,
    .args_size = sizeof(struct man),
    .usage_status = 1,
    .run = man_run,
};

const struct command cmd_whatis = {
    .name = "whatis",
    .usage = "NAME...",
    .summary = "Tell in one line what a command does.",
    .args_size = sizeof(struct man),
    .usage_status = 1,
    .run = man_run,
};

const struct command cmd_apropos = {
    .name = "apropos",
    .usage = "WORD...",
    .summary = "List the commands that have WORD in their names or descriptions.",
    .args_size = sizeof(struct man),
    .usage_status = 1,
    .run = man_run,
};
