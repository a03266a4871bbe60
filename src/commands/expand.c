/* expand.c -- tabs to blanks */
#include "shell/command.h"

#include "commands/lib/each.h"
#include "commands/lib/tabs.h"

struct detab {
    bool initial;
    struct tabs tabs;
    struct out out;
    uint64_t col;
    bool text; /* something other than blanks was seen in this line */
};

static int detab_tabs(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    (void)o;
    return tabs_parse(p, &((struct detab *)args)->tabs, arg);
}

static const struct opt detab_opts[] = {
    OPT_FLAG('i', "initial", struct detab, initial, "only tabs before other characters"),
    OPT_CALL('t', "tabs", detab_tabs, "LIST",
             "tab stops every N columns, or at the columns of LIST; /N every N, +N every N from "
             "the last one on"),
    OPT_END,
};

static int detab_number(struct proc *p, void *args, struct str digits)
{
    return tabs_parse(p, &((struct detab *)args)->tabs, digits);
}

static int detab_one(struct in *in, void *ud)
{
    struct detab *e = ud;
    while (in_fill(in) && !e->out.err) {
        char c = *in->p++;
        uint64_t next;
        bool active = !e->initial || !e->text;
        if (c == '\t' && active) {
            if (!tabs_next(&e->tabs, e->col, &next))
                next = e->col + 1;
            for (; e->col < next; e->col++)
                out_putc(&e->out, ' ');
            continue;
        }
        if (c == '\n') {
            e->col = 0;
            e->text = false;
        } else if (c == '\b') {
            e->col -= e->col > 0;
        } else {
            e->col++;
            e->text |= c != ' ' && c != '\t';
        }
        out_putc(&e->out, c);
    }
    return e->out.err ? 1 : 0;
}

static int detab_run(struct proc *p, void *args)
{
    struct detab *e = args;
    int r = tabs_settle(p, &e->tabs);
    if (r)
        return r;
    out_init(&e->out, p, 1);
    r = each_file(p, detab_one, e);
    return command_close(p, &e->out, r);
}

const struct command cmd_expand = {
    .name = "expand",
    .usage = "[OPTION]... [FILE]...",
    .summary = "Write each FILE with tabs turned into blanks.",
    .notes = "Without FILE, or when FILE is -, standard input is read.",
    .opts = detab_opts,
    .args_size = sizeof(struct detab),
    .flags = CMD_NUMERIC,
    .usage_status = 1,
    .run = detab_run,
    .number = detab_number,
};
