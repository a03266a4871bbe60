/* uniq.c -- report or leave out repeated lines */
#include "shell/command.h"

#include "base/error.h"
#include "base/utf8.h"
#include "commands/lib/each.h"

enum {
    UNIQ_NONE,
    UNIQ_PREPEND,
    UNIQ_SEPARATE,
    UNIQ_APPEND,
    UNIQ_BOTH
};

struct uniq {
    bool count, repeated, all_repeated, unique, icase, zero;
    int group, delimit; /* UNIQ_... */
    uint64_t fields, chars, width;
    bool has_width;
    char delim;
    struct out out;
};

static int uniq_word(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    static const struct word_row repeats[] = {
        {"none", UNIQ_NONE}, {"prepend", UNIQ_PREPEND}, {"separate", UNIQ_SEPARATE}, {NULL, 0}};
    static const struct word_row groups[] = {{"prepend", UNIQ_PREPEND},
                                             {"append", UNIQ_APPEND},
                                             {"separate", UNIQ_SEPARATE},
                                             {"both", UNIQ_BOTH},
                                             {NULL, 0}};
    struct uniq *u = args;
    if (o->letter == 'D') {
        u->all_repeated = u->repeated = true;
        u->delimit = UNIQ_NONE;
        return arg.p ? proc_word(p, "--all-repeated", arg, repeats, &u->delimit) : 0;
    }
    u->group = UNIQ_SEPARATE;
    return arg.p ? proc_word(p, "--group", arg, groups, &u->group) : 0;
}

static int uniq_amount(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct uniq *u = args;
    uint64_t *to = o->letter == 'f' ? &u->fields : o->letter == 's' ? &u->chars : &u->width;
    const char *what = o->letter == 'f'   ? "invalid number of fields to skip"
                       : o->letter == 's' ? "invalid number of bytes to skip"
                                          : "invalid number of bytes to compare";
    if (size_parse(arg, "", to) == HOB_EINVAL) {
        proc_warn(p, "%.*s: %s", STR_ARG(arg), what);
        return 2;
    }
    u->has_width |= o->letter == 'w';
    return 0;
}

static const struct opt uniq_opts[] = {
    OPT_FLAG('c', "count", struct uniq, count, "put in front of lines how often they occur"),
    OPT_FLAG('d', "repeated", struct uniq, repeated, "only lines that are repeated, once each"),
    {OPT_KIND_CALL, OPT_ARG_OPTIONAL | OPT_LONG_ONLY_ARG, 'D', "all-repeated", 0, 0, "METHOD",
     "all lines that are repeated; METHOD parts groups: none, prepend or separate", uniq_word},
    OPT_CALL('f', "skip-fields", uniq_amount, "N", "do not compare the first N fields"),
    OPT_CALL_OPTIONAL(
        0, "group", uniq_word, "METHOD",
        "all lines, with empty lines between groups: separate, prepend, append or both"),
    OPT_FLAG('i', "ignore-case", struct uniq, icase, "case does not matter"),
    OPT_CALL('s', "skip-chars", uniq_amount, "N", "do not compare the first N characters"),
    OPT_FLAG('u', "unique", struct uniq, unique, "only lines that are not repeated"),
    OPT_FLAG('z', "zero-terminated", struct uniq, zero, "lines end with NUL, not newline"),
    OPT_CALL('w', "check-chars", uniq_amount, "N", "compare no more than N characters"),
    OPT_END,
};

/* uniq -1: the old way to say -f 1. */
static int uniq_number(struct proc *p, void *args, struct str digits)
{
    struct uniq *u = args;
    (void)p;
    return size_parse(digits, "", &u->fields) == 0 ? NUMBER_TAKEN : NUMBER_OPTIONS;
}

/* The part of a line that counts. */
static struct str uniq_key(const struct uniq *u, struct str line)
{
    size_t i = 0;
    for (uint64_t n = 0; n < u->fields && i < line.n; n++) {
        while (i < line.n && (line.p[i] == ' ' || line.p[i] == '\t' || line.p[i] == '\n'))
            i++;
        while (i < line.n && !(line.p[i] == ' ' || line.p[i] == '\t' || line.p[i] == '\n'))
            i++;
    }
    i += (size_t)MIN(u->chars, (uint64_t)(line.n - i));
    struct str key = str_from(line, i);
    if (u->has_width && key.n > u->width)
        key.n = (size_t)u->width;
    return key;
}

static bool uniq_same(const struct uniq *u, struct str a, struct str b)
{
    if (!u->icase)
        return str_eq(a, b);
    if (a.n != b.n)
        return false;
    for (size_t i = 0; i < a.n; i++) {
        if (ascii_to_lower((unsigned char)a.p[i]) != ascii_to_lower((unsigned char)b.p[i]))
            return false;
    }
    return true;
}

static void uniq_put(struct uniq *u, struct str line, uint64_t times)
{
    if (u->count)
        out_printf(&u->out, "%7llu ", (unsigned long long)times);
    out_str(&u->out, line);
    out_write(&u->out, &u->delim, 1);
}

/* One of each run of equal lines. */
static void uniq_plain(struct uniq *u, struct in *in, struct buf *held)
{
    struct str line;
    bool had;
    uint64_t times = 0;

    while (in_line(in, u->delim, &line, &had) && !u->out.err) {
        if (times && uniq_same(u, uniq_key(u, buf_get(held)), uniq_key(u, line))) {
            times++;
            continue;
        }
        if (times && (times > 1 ? !u->unique : !u->repeated))
            uniq_put(u, buf_get(held), times);
        buf_clear(held);
        buf_str(held, line);
        times = 1;
    }
    if (times && (times > 1 ? !u->unique : !u->repeated))
        uniq_put(u, buf_get(held), times);
}

/* -D and --group: every line, groups kept apart. */
static void uniq_groups(struct uniq *u, struct in *in, struct buf *held)
{
    struct str line;
    bool had, any = false, in_group = false, printed = false;
    int method = u->group ? u->group : u->delimit;

    while (in_line(in, u->delim, &line, &had) && !u->out.err) {
        bool same = any && uniq_same(u, uniq_key(u, buf_get(held)), uniq_key(u, line));
        if (u->group) {
            if (!same && ((any && method != UNIQ_NONE) ||
                          (!any && (method == UNIQ_PREPEND || method == UNIQ_BOTH))))
                out_write(&u->out, &u->delim, 1);
            uniq_put(u, line, 1);
        } else if (same) {
            if (!in_group) {
                if (method == UNIQ_PREPEND || (method == UNIQ_SEPARATE && printed))
                    out_write(&u->out, &u->delim, 1);
                if (!u->unique)
                    uniq_put(u, buf_get(held), 1);
                printed = true;
            }
            /* -D -u: all but the last of them */
            uniq_put(u, u->unique ? buf_get(held) : line, 1);
        }
        in_group = same;
        any = true;
        buf_clear(held);
        buf_str(held, line);
    }
    if (u->group && any && (method == UNIQ_APPEND || method == UNIQ_BOTH))
        out_write(&u->out, &u->delim, 1);
}

static int uniq_check(struct proc *p, const struct uniq *u)
{
    if (p->argc > 2)
        return proc_extra_operand(p, p->argv[2]);
    if (u->group && (u->count || u->repeated || u->unique)) {
        proc_warn(p, "--group is mutually exclusive with -c/-d/-D/-u");
        return proc_usage(p);
    }
    if (u->all_repeated && u->count) {
        proc_warn(p, "printing all duplicated lines and repeat counts is meaningless");
        return proc_usage(p);
    }
    return 0;
}

static int uniq_run(struct proc *p, void *args)
{
    struct uniq *u = args;
    struct str name = p->argc ? p->argv[0] : STR("-");
    struct in in;
    struct file *own;
    struct buf held;
    int r = uniq_check(p, u);

    if (r)
        return r;
    u->delim = u->zero ? '\0' : '\n';
    if (in_open(&in, p, name) < 0)
        return 1;
    if (each_output(p, p->argc > 1 ? p->argv[1] : STR_NONE, &u->out, &own) < 0) {
        in_fini(&in);
        return 1;
    }
    buf_init(&held, &p->kernel->heap);
    if (u->group || u->all_repeated)
        uniq_groups(u, &in, &held);
    else
        uniq_plain(u, &in, &held);
    if (in.err < 0 && in.err != HOB_EKILLED)
        proc_warn(p, "error reading %s", proc_quoteaf(p, name));
    r = in.err == HOB_EKILLED ? in.err : in.err < 0;
    buf_fini(&held);
    in_fini(&in);
    r = command_close(p, &u->out, r);
    file_unref(own);
    return r;
}

const struct command cmd_uniq = {
    .name = "uniq",
    .usage = "[OPTION]... [INPUT [OUTPUT]]",
    .summary = "Copy INPUT to OUTPUT, leaving out lines equal to the one before.",
    .notes = "Equal lines that do not follow each other are not found: sort the input first.\n"
             "A field is a run of blanks and then of other characters; fields are skipped first.",
    .opts = uniq_opts,
    .args_size = sizeof(struct uniq),
    .flags = CMD_NUMERIC,
    .usage_status = 1,
    .run = uniq_run,
    .number = uniq_number,
};
