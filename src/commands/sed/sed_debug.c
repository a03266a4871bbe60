/* sed_debug.c -- sed --debug: the program in its plain form, and a trace of what it does */
#include "commands/sed/sed.h"

static void sed_debug_regex(struct out *o, const struct sed_regex *x)
{
    out_putc(o, '/');
    for (size_t i = 0; i < x->text.n; i++) {
        char c = x->text.p[i];
        if (c == '/')
            out_puts(o, "\\/");
        else if (c == '\n')
            out_puts(o, "\\n");
        else if (c == '\\')
            out_puts(o, "\\\\");
        else
            out_putc(o, c);
    }
    out_putc(o, '/');
}

static void sed_debug_address(struct out *o, const struct sed_address *a)
{
    switch (a->kind) {
    case SED_LINE: out_printf(o, "%llu", (unsigned long long)a->n); break;
    case SED_STEP:
        out_printf(o, "%llu~%llu", (unsigned long long)a->n, (unsigned long long)a->step);
        break;
    case SED_LAST: out_putc(o, '$'); break;
    case SED_PLUS: out_printf(o, "+%llu", (unsigned long long)a->n); break;
    case SED_MULTIPLE: out_printf(o, "~%llu", (unsigned long long)a->n); break;
    case SED_REGEX:
        sed_debug_regex(o, a->regex);
        if (a->regex->flags & REGEX_ICASE)
            out_putc(o, 'I');
        if (a->regex->flags & REGEX_NEWLINE)
            out_putc(o, 'M');
        break;
    default: break;
    }
}

static void sed_debug_subst(struct out *o, const struct sed_subst *sub)
{
    static const char *const modes[] = {"\\E", "\\U", "\\L"}, *const firsts[] = {"", "\\u", "\\l"};
    enum sed_case was = SED_ASIS;
    bool first = false;

    sed_debug_regex(o, sub->regex);
    for (size_t i = 0; i < sub->parts.n; i++) {
        const struct sed_part *p = &sub->parts.p[i];
        if (p->mode != was || (first && !p->first))
            out_puts(o, modes[p->mode]);
        out_puts(o, firsts[p->first]);
        was = p->mode;
        first = p->first != SED_ASIS;
        out_str(o, p->text);
        if (p->group == 0)
            out_putc(o, '&');
        else if (p->group > 0)
            out_printf(o, "\\%d", p->group);
    }
    out_putc(o, '/');
    if (sub->regex->flags & REGEX_ICASE)
        out_putc(o, 'i');
    if (sub->regex->flags & REGEX_NEWLINE)
        out_putc(o, 'm');
    if (sub->global)
        out_putc(o, 'g');
    if (sub->print)
        out_putc(o, 'p');
    if (sub->number)
        out_printf(o, "%llu", (unsigned long long)sub->number);
    if (sub->file)
        out_printf(o, "w%.*s", STR_ARG(sub->file->name));
}

/* One command, without its newline. */
static void sed_debug_write(struct out *o, const struct sed_cmd *c)
{
    sed_debug_address(o, &c->a1);
    if (c->a2.kind) {
        out_putc(o, ',');
        sed_debug_address(o, &c->a2);
    }
    if (c->bang)
        out_putc(o, '!');
    if (c->a1.kind || c->bang)
        out_putc(o, ' ');
    out_putc(o, c->name);
    if (c->subst)
        sed_debug_subst(o, c->subst);
    else if (c->map)
        out_printf(o, "/%.*s/%.*s/", STR_ARG(c->map->from), STR_ARG(c->map->to));
    else if (strchr("aic", c->name))
        out_printf(o, "\\%.*s", STR_ARG(c->text));
    else if (c->name == ':')
        out_str(o, c->text);
    else if (c->text.n)
        out_printf(o, " %.*s", STR_ARG(c->text));
    else if (strchr("qQl", c->name) && c->number >= 0)
        out_printf(o, " %lld", (long long)c->number);
}

/* How deep a command stands in blocks. */
static int sed_debug_depth(const struct sed_run *r, const struct sed_cmd *c)
{
    int depth = 0;
    for (const struct sed_cmd *x = r->cmds.p; x < c; x++)
        depth += x->name == '{' ? 1 : x->name == '}' ? -1 : 0;
    return depth - (c->name == '}');
}

static void sed_debug_indent(struct sed_run *r, const struct sed_cmd *c)
{
    struct out *o = &r->standard.out;
    for (int i = sed_debug_depth(r, c); i > 0; i--)
        out_puts(o, "  ");
    sed_debug_write(o, c);
    out_putc(o, '\n');
}

void sed_debug_program(struct sed_run *r)
{
    out_puts(&r->standard.out, "SED PROGRAM:\n");
    for (size_t i = 0; i < r->cmds.n; i++) {
        out_puts(&r->standard.out, "  ");
        sed_debug_indent(r, &r->cmds.p[i]);
    }
}

void sed_debug_command(struct sed_run *r, const struct sed_cmd *c)
{
    out_puts(&r->standard.out, "COMMAND: ");
    sed_debug_indent(r, c);
}

void sed_debug_space(struct sed_run *r)
{
    struct out *o = &r->standard.out;
    out_puts(o, "PATTERN: ");
    for (size_t i = 0; i < r->line.n; i++) {
        if (r->line.p[i] == '\n')
            out_puts(o, "\\n");
        else
            out_putc(o, r->line.p[i]);
    }
    out_putc(o, '\n');
}

void sed_debug_input(struct sed_run *r)
{
    struct str name = str_eqz(r->name, "-") ? STR("STDIN") : r->name;
    out_printf(&r->standard.out, "INPUT:   '%.*s' line %llu\n", STR_ARG(name),
               (unsigned long long)r->number);
    sed_debug_space(r);
}

void sed_debug_match(struct sed_run *r, const struct regex_match *m, size_t n)
{
    struct out *o = &r->standard.out;
    out_puts(o, "MATCHED REGEX REGISTERS\n");
    for (size_t i = 0; i < n; i++) {
        if (m[i].start < 0)
            continue;
        out_printf(o, "  regex[%zu] = %lld-%lld '", i, (long long)m[i].start, (long long)m[i].end);
        out_write(o, r->line.p + m[i].start, (size_t)(m[i].end - m[i].start));
        out_puts(o, "'\n");
    }
}
