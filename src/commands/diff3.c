/* diff3.c -- three files compared line by line, and merged
 *
 * Two comparisons with a common file are laid over each other: changes that touch the same lines of
 * it become one block. The common file is the second one for merging and for ed scripts, the third
 * one else, as in GNU diff3.
 */
#include "base/error.h"
#include "shell/command.h"
#include "text/diff.h"

struct diff3 {
    bool merge, ed, show_all, overlap, easy, flag_overlap, only_overlap, only_flag, tab, finish;
    bool text, strip_cr;
    struct str program;
    struct strs labels;
};

static int diff3_opt_label(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct diff3 *d = args;
    (void)o;
    if (d->labels.n == 3) {
        proc_warn(p, "too many file label options");
        return proc_usage(p) + 1;
    }
    return proc_push(p, &d->labels, arg) ? 0 : 3;
}

#define DIFF3_FLAG(l, n, f, h) OPT_FLAG(l, n, struct diff3, f, h)
static const struct opt diff3_opts[] = {
    DIFF3_FLAG('A', "show-all", show_all, "all changes, conflicts in brackets"),
    DIFF3_FLAG('e', "ed", ed, "a script for ed with what changed from OLDFILE to YOURFILE"),
    DIFF3_FLAG('E', "show-overlap", flag_overlap, "as -e, with brackets around conflicts"),
    DIFF3_FLAG('3', "easy-only", easy, "as -e, without what overlaps"),
    DIFF3_FLAG('x', "overlap-only", only_overlap, "as -e, only what overlaps"),
    DIFF3_FLAG('X', NULL, only_flag, "the same as -x"),
    DIFF3_FLAG('i', NULL, finish, "put w and q at the end of a script"),
    DIFF3_FLAG('m', "merge", merge, "print the merged file (with -A unless told otherwise)"),
    DIFF3_FLAG('a', "text", text, "take all files for text"),
    DIFF3_FLAG(0, "strip-trailing-cr", strip_cr, "without carriage returns at the ends of lines"),
    DIFF3_FLAG('T', "initial-tab", tab, "a tab in front of lines"),
    OPT_STRING(0, "diff-program", struct diff3, program, "PROGRAM", "(accepted)"),
    OPT_CALL('L', "label", diff3_opt_label, "LABEL", "call the files so (up to three times)"),
    OPT_END,
};
#undef DIFF3_FLAG

enum diff3_kind {
    DIFF3_ALL,
    DIFF3_FIRST,
    DIFF3_SECOND,
    DIFF3_THIRD
};

struct diff3_range {
    size_t from, to; /* lines, counted from 0, without `to` */
};

struct diff3_block {
    enum diff3_kind kind;     /* which file is the odd one */
    struct diff3_range at[3]; /* in each file */
};

struct diff3_run {
    struct proc *p;
    struct diff3 *o;
    struct diff_text file[3];
    struct str name[3];
    struct diff3_block *block;
    size_t n;
    struct out out;
    bool flagging, simple_only, overlap_only, show_second;
};

/* ---- the blocks ------------------------------------------------------------------------------ */

static bool diff3_same(const struct diff_text *a, struct diff3_range ra, const struct diff_text *b,
                       struct diff3_range rb)
{
    if (ra.to - ra.from != rb.to - rb.from)
        return false;
    for (size_t i = 0; i < ra.to - ra.from; i++)
        if (!str_eq(a->line[ra.from + i], b->line[rb.from + i]))
            return false;
    return true;
}

/* Where lines lo .. hi of the common file (the b of d) are in the other one, given the edits
 * first .. end that lie within. */
static struct diff3_range diff3_other(const struct diff *d, size_t first, size_t end, size_t lo,
                                      size_t hi)
{
    size_t a = 0, b = 0; /* where the equal lines in front of the block begin */
    if (first > 0) {
        const struct diff_edit *e = &d->edit[first - 1];
        a = e->a + e->an;
        b = e->b + e->bn;
    }
    struct diff3_range r = {a + (lo - b), 0};
    if (end > first) {
        const struct diff_edit *e = &d->edit[end - 1];
        a = e->a + e->an;
        b = e->b + e->bn;
    }
    r.to = a + (hi - b);
    return r;
}

/* Lays d[0] and d[1] over each other; both lead to the file `common`, from `others`. */
static int diff3_blocks(struct diff3_run *r, const struct diff d[2], const int others[2],
                        int common)
{
    size_t at[2] = {0, 0};
    r->block = arena_array(r->p->arena, struct diff3_block, d[0].n + d[1].n + 1);
    if (!r->block)
        return HOB_ENOMEM;
    while (at[0] < d[0].n || at[1] < d[1].n) {
        size_t first[2] = {at[0], at[1]};
        int t =
            at[1] == d[1].n || (at[0] < d[0].n && d[0].edit[at[0]].b <= d[1].edit[at[1]].b) ? 0 : 1;
        size_t lo = d[t].edit[at[t]].b, hi = lo + d[t].edit[at[t]].bn;
        at[t]++;
        for (bool more = true; more;) {
            more = false;
            for (int k = 0; k < 2; k++)
                while (at[k] < d[k].n && d[k].edit[at[k]].b <= hi) {
                    hi = MAX(hi, d[k].edit[at[k]].b + d[k].edit[at[k]].bn);
                    at[k]++;
                    more = true;
                }
        }
        struct diff3_block *b = &r->block[r->n++];
        b->at[common] = (struct diff3_range){lo, hi};
        for (int k = 0; k < 2; k++)
            b->at[others[k]] = diff3_other(&d[k], first[k], at[k], lo, hi);
        int odd = at[1] == first[1]   ? others[0]
                  : at[0] == first[0] ? others[1]
                  : diff3_same(&r->file[others[0]], b->at[others[0]], &r->file[others[1]],
                               b->at[others[1]])
                      ? common
                      : -1;
        b->kind = (enum diff3_kind)(odd + 1);
        int e = proc_tick(r->p, 1);
        if (e < 0)
            return e;
    }
    return 0;
}

/* ---- the ways to print ----------------------------------------------------------------------- */

static void diff3_lines(struct diff3_run *r, int f, struct diff3_range at, const char *lead)
{
    for (size_t i = at.from; i < at.to; i++) {
        struct str line = r->file[f].line[i];
        out_puts(&r->out, lead);
        out_str(&r->out, line);
        if (*lead && (line.n == 0 || line.p[line.n - 1] != '\n'))
            out_puts(&r->out, "\n\\ No newline at end of file\n");
    }
}

static void diff3_plain(struct diff3_run *r)
{
    static const int straight[] = {0, 1, 2}, skewed[] = {0, 2, 1};
    for (size_t k = 0; k < r->n; k++) {
        const struct diff3_block *b = &r->block[k];
        int hidden = b->kind == DIFF3_ALL ? -1 : b->kind == DIFF3_FIRST ? 1 : 0;
        const int *order = b->kind == DIFF3_SECOND ? skewed : straight;
        out_puts(&r->out, "====");
        if (b->kind != DIFF3_ALL)
            out_printf(&r->out, "%d", (int)b->kind);
        out_putc(&r->out, '\n');
        for (int i = 0; i < 3; i++) {
            int f = order[i];
            struct diff3_range at = b->at[f];
            if (at.to == at.from)
                out_printf(&r->out, "%d:%zua\n", f + 1, at.from);
            else if (at.to == at.from + 1)
                out_printf(&r->out, "%d:%zuc\n", f + 1, at.to);
            else
                out_printf(&r->out, "%d:%zu,%zuc\n", f + 1, at.from + 1, at.to);
            if (f != hidden)
                diff3_lines(r, f, at, r->o->tab ? "\t" : "  ");
        }
    }
}

/* Whether a block is printed in a merge or a script; *conflict: in brackets. */
static bool diff3_takes(const struct diff3_run *r, const struct diff3_block *b, bool *conflict)
{
    switch (b->kind) {
    case DIFF3_SECOND: *conflict = true; return r->show_second;
    case DIFF3_THIRD: *conflict = false; return !r->overlap_only;
    case DIFF3_ALL: *conflict = r->flagging; return !r->simple_only;
    default: return false;
    }
}

static bool diff3_merge(struct diff3_run *r)
{
    size_t line = 0;
    bool conflicts = false, conflict;
    for (size_t k = 0; k < r->n; k++) {
        const struct diff3_block *b = &r->block[k];
        if (!diff3_takes(r, b, &conflict))
            continue;
        diff3_lines(r, 0, (struct diff3_range){line, b->at[0].from}, "");
        if (conflict) {
            conflicts = true;
            if (b->kind == DIFF3_ALL) {
                out_printf(&r->out, "<<<<<<< %.*s\n", STR_ARG(r->name[0]));
                diff3_lines(r, 0, b->at[0], "");
            }
            if (r->show_second) {
                out_printf(&r->out, "%s %.*s\n", b->kind == DIFF3_ALL ? "|||||||" : "<<<<<<<",
                           STR_ARG(r->name[1]));
                diff3_lines(r, 1, b->at[1], "");
            }
            out_puts(&r->out, "=======\n");
        }
        diff3_lines(r, 2, b->at[2], "");
        if (conflict)
            out_printf(&r->out, ">>>>>>> %.*s\n", STR_ARG(r->name[2]));
        line = b->at[0].to;
    }
    diff3_lines(r, 0, (struct diff3_range){line, r->file[0].n}, "");
    return conflicts;
}

/* Lines for ed: a period at the begin is doubled. True when there was one. */
static bool diff3_dotted(struct diff3_run *r, int f, struct diff3_range at)
{
    bool dots = false;
    for (size_t i = at.from; i < at.to; i++) {
        struct str line = r->file[f].line[i];
        if (line.n && line.p[0] == '.') {
            dots = true;
            out_putc(&r->out, '.');
        }
        out_str(&r->out, line);
    }
    return dots;
}

static void diff3_undot(struct diff3_run *r, bool dots, size_t start, size_t n)
{
    out_puts(&r->out, ".\n");
    if (dots && n == 1)
        out_printf(&r->out, "%zus/^\\.//\n", start);
    else if (dots)
        out_printf(&r->out, "%zu,%zus/^\\.//\n", start, start + n - 1);
}

static void diff3_ed_conflict(struct diff3_run *r, const struct diff3_block *b)
{
    size_t low = b->at[0].from + 1, high = b->at[0].to;
    size_t n1 = b->at[1].to - b->at[1].from, n2 = b->at[2].to - b->at[2].from;
    bool all = b->kind == DIFF3_ALL, dots = false;
    out_printf(&r->out, "%zua\n", high);
    if (all) {
        if (r->show_second) {
            out_printf(&r->out, "||||||| %.*s\n", STR_ARG(r->name[1]));
            dots = diff3_dotted(r, 1, b->at[1]);
        }
        out_puts(&r->out, "=======\n");
        dots |= diff3_dotted(r, 2, b->at[2]);
    }
    out_printf(&r->out, ">>>>>>> %.*s\n", STR_ARG(r->name[2]));
    diff3_undot(r, dots, high + 2, n1 + n2 + 1);
    out_printf(&r->out, "%zua\n<<<<<<< %.*s\n", low - 1, STR_ARG(r->name[all ? 0 : 1]));
    dots = false;
    if (!all) {
        dots = diff3_dotted(r, 1, b->at[1]);
        out_puts(&r->out, "=======\n");
    }
    diff3_undot(r, dots, low + 1, n1);
}

static bool diff3_ed(struct diff3_run *r)
{
    bool conflicts = false, conflict;
    for (size_t k = r->n; k-- > 0;) {
        const struct diff3_block *b = &r->block[k];
        size_t low = b->at[0].from + 1, high = b->at[0].to;
        size_t n = b->at[2].to - b->at[2].from;
        if (!diff3_takes(r, b, &conflict))
            continue;
        if (conflict) {
            conflicts = true;
            diff3_ed_conflict(r, b);
            continue;
        }
        if (low < high)
            out_printf(&r->out, "%zu,", low);
        out_printf(&r->out, "%zu%c\n", high, n == 0 ? 'd' : low > high ? 'a' : 'c');
        if (n) {
            bool dots = diff3_dotted(r, 2, b->at[2]);
            diff3_undot(r, dots, low, n);
        }
    }
    if (r->o->finish)
        out_puts(&r->out, "w\nq\n");
    return conflicts;
}

/* ---- the whole ------------------------------------------------------------------------------- */

static struct str diff3_without_cr(struct proc *p, struct str s)
{
    char *to = arena_alloc(p->arena, s.n + 1);
    size_t n = 0;
    for (size_t i = 0; to && i < s.n; i++)
        if (s.p[i] != '\r' || i + 1 == s.n || s.p[i + 1] != '\n')
            to[n++] = s.p[i];
    return str_of(to, n);
}

static int diff3_read(struct diff3_run *r, struct str text[3])
{
    for (int i = 0; i < 3; i++) {
        struct in in;
        struct stat_info st;
        struct str path = r->p->argv[i];
        int e = vfs_stat(r->p, path, 0, &st);
        if (e == 0 && MODE_IS_DIR(st.mode) && !str_eqz(path, "-"))
            e = HOB_EISDIR;
        else
            e = in_open_quiet(&in, r->p, path);
        if (e == 0) {
            e = in_all(&in, &text[i]);
            in_fini(&in);
        }
        if (e == HOB_EKILLED || e == HOB_ENOMEM)
            return e;
        if (e < 0) {
            proc_warn(r->p, "%s: %s", proc_quotef(r->p, path), error_text(e));
            return 2;
        }
        if (r->o->strip_cr)
            text[i] = diff3_without_cr(r->p, text[i]);
        e = text[i].p || text[i].n == 0 ? diff_split(r->p->arena, text[i], &r->file[i])
                                        : HOB_ENOMEM;
        if (e < 0)
            return e;
        r->name[i] = (size_t)i < r->o->labels.n ? r->o->labels.p[i] : path;
    }
    return 0;
}

static int diff3_run(struct proc *p, void *args)
{
    struct diff3 *o = args;
    struct diff3_run r = {.p = p, .o = o};
    struct str text[3];
    struct diff d[2];
    int modes = o->show_all + o->ed + o->flag_overlap + o->easy + o->only_overlap + o->only_flag;
    bool flags = o->show_all || o->flag_overlap || (o->merge && modes == 0);
    if (modes > 1 || (o->merge && o->finish) || (o->labels.n && !flags)) {
        proc_warn(p, "incompatible options");
        return proc_usage(p);
    }
    if (p->argc < 3) {
        struct str last = p->argc ? p->argv[p->argc - 1] : p->name;
        proc_warn(p, "missing operand after '%.*s'", STR_ARG(last));
        return proc_usage(p);
    }
    if (p->argc > 3) {
        proc_warn(p, "extra operand '%.*s'", STR_ARG(p->argv[3]));
        return proc_usage(p);
    }
    r.show_second = o->show_all || (o->merge && modes == 0);
    r.flagging = r.show_second || o->flag_overlap;
    r.simple_only = o->easy;
    r.overlap_only = o->only_overlap || o->only_flag;
    bool script = modes > 0 || o->merge;
    int common = script ? 1 : 2, others[2] = {0, script ? 2 : 1};
    int e = diff3_read(&r, text);
    for (int k = 0; k < 2 && e == 0; k++)
        e = diff_lines(p->arena, text[others[k]], text[common], 0, &d[k]);
    if (e == 0)
        e = diff3_blocks(&r, d, others, common);
    if (e)
        return e;
    out_init(&r.out, p, 1);
    bool conflicts = false;
    if (o->merge)
        conflicts = diff3_merge(&r);
    else if (script)
        conflicts = diff3_ed(&r);
    else
        diff3_plain(&r);
    return command_close(p, &r.out, conflicts);
}

const struct command cmd_diff3 = {
    .name = "diff3",
    .usage = "[OPTION]... MYFILE OLDFILE YOURFILE",
    .summary = "Compare three files line by line, or merge what two of them changed with -m.",
    .notes = "The status is 0 when all went well, 1 when there are conflicts, 2 for trouble.",
    .opts = diff3_opts,
    .args_size = sizeof(struct diff3),
    .flags = CMD_USAGE_NAME,
    .usage_status = 2,
    .run = diff3_run,
};
