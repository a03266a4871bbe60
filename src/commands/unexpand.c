/* unexpand.c -- blanks to tabs */
#include "shell/command.h"

#include "commands/lib/each.h"
#include "commands/lib/tabs.h"

struct unexpand {
    bool all, first_only;
    struct tabs tabs;
    struct out out;
    uint64_t col;
    struct buf blanks; /* held back: blanks that may become a tab */
    bool converting, prev_blank, one_before_stop;
};

static int unexpand_tabs(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct unexpand *u = args;
    (void)o;
    u->all = true;
    return tabs_parse(p, &u->tabs, arg);
}

static const struct opt unexpand_opts[] = {
    OPT_FLAG('a', "all", struct unexpand, all, "all blanks, not only those in front"),
    OPT_FLAG(0, "first-only", struct unexpand, first_only, "only blanks in front (overrides -a)"),
    OPT_CALL('t', "tabs", unexpand_tabs, "LIST",
             "tab stops every N columns, or at the columns of LIST; implies -a"),
    OPT_END,
};

static int unexpand_number(struct proc *p, void *args, struct str digits)
{
    struct unexpand *u = args;
    return tabs_parse(p, &u->tabs, digits);
}

/* A blank or tab while blanks are being turned. True when it has been dealt with. */
static bool unexpand_blank(struct unexpand *u, char *c)
{
    uint64_t next;
    if (!tabs_next(&u->tabs, u->col, &next)) {
        u->converting = false;
        return false;
    }
    if (*c == '\t') {
        u->col = next;
        if (u->blanks.n)
            u->blanks.p[0] = '\t';
    } else {
        u->col++;
        if (!(u->prev_blank && u->col == next)) {
            /* One blank before a stop is kept unless more follow. */
            if (u->col == next)
                u->one_before_stop = true;
            buf_putc(&u->blanks, *c);
            u->prev_blank = true;
            return true;
        }
        if (u->blanks.n)
            u->blanks.p[0] = '\t';
        *c = '\t';
    }
    /* Everything held back is now part of the tab. */
    buf_cut(&u->blanks, u->one_before_stop ? 1 : 0);
    return false;
}

static int unexpand_one(struct in *in, void *ud)
{
    struct unexpand *u = ud;
    while (in_fill(in) && !u->out.err) {
        char c = *in->p++;
        bool blank = c == ' ' || c == '\t';
        if (u->converting) {
            if (blank) {
                if (unexpand_blank(u, &c))
                    continue;
            } else if (c == '\b') {
                u->col -= u->col > 0;
            } else {
                u->col++;
            }
            if (u->blanks.n) {
                if (u->blanks.n > 1 && u->one_before_stop)
                    u->blanks.p[0] = '\t';
                out_str(&u->out, buf_get(&u->blanks));
                buf_clear(&u->blanks);
                u->one_before_stop = false;
            }
            u->prev_blank = blank;
            u->converting = u->converting && (u->all || blank);
        }
        out_putc(&u->out, c);
        if (c == '\n') {
            u->converting = true;
            u->col = 0;
            u->prev_blank = true;
            u->one_before_stop = false;
        }
    }
    return u->out.err ? 1 : 0;
}

static int unexpand_run(struct proc *p, void *args)
{
    struct unexpand *u = args;
    int r = tabs_settle(p, &u->tabs);
    if (r)
        return r;
    if (u->first_only)
        u->all = false;
    u->converting = u->prev_blank = true;
    out_init(&u->out, p, 1);
    buf_init(&u->blanks, &p->kernel->heap);
    r = each_file(p, unexpand_one, u);
    out_str(&u->out, buf_get(&u->blanks));
    buf_fini(&u->blanks);
    return command_close(p, &u->out, r);
}

const struct command cmd_unexpand = {
    .name = "unexpand",
    .usage = "[OPTION]... [FILE]...",
    .summary = "Write each FILE with blanks turned into tabs.",
    .notes = "Without FILE, or when FILE is -, standard input is read.",
    .opts = unexpand_opts,
    .args_size = sizeof(struct unexpand),
    .flags = CMD_NUMERIC,
    .usage_status = 1,
    .run = unexpand_run,
    .number = unexpand_number,
};
