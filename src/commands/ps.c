/* ps.c -- ps, pgrep and pkill: the virtual processes of the sandbox */
#include "base/error.h"
#include "base/fmt.h"
#include "commands/lib/getdate.h"
#include "commands/lib/users.h"
#include "shell/command.h"
#include "text/date.h"
#include "text/regex.h"

/* ---- what is known of a process -------------------------------------------------------------- */

/* The command line, words parted by blanks. */
static void ps_args(const struct proc *p, struct buf *b)
{
    int n;
    const struct str *words = proc_words(p, &n);
    for (int i = 0; i < n; i++) {
        if (i)
            buf_putc(b, ' ');
        buf_str(b, words[i]);
    }
}

/* ---- columns --------------------------------------------------------------------------------- */

enum ps_field {
    PS_PID,
    PS_PPID,
    PS_PGID,
    PS_SID,
    PS_UID,
    PS_GID,
    PS_USER,
    PS_GROUP,
    PS_COMM,
    PS_ARGS,
    PS_STATE,
    PS_STAT,
    PS_TTY,
    PS_TIME,
    PS_BSDTIME,
    PS_ETIME,
    PS_ETIMES,
    PS_PCPU,
    PS_PMEM,
    PS_VSZ,
    PS_RSS,
    PS_NI,
    PS_PRI,
    PS_C,
    PS_F,
    PS_START,
    PS_STIME,
    PS_LSTART,
    PS_NLWP,
    PS_PSR,
    PS_CLS,
    PS_WCHAN,
    PS_ADDR,
    PS_SZ,
    PS_TPGID
};

/* width < 0: to the left. */
static const struct ps_column {
    const char *name, *title;
    int field, width;
} ps_columns[] = {
    {"pid", "PID", PS_PID, 7},
    {"tgid", "TGID", PS_PID, 7},
    {"ppid", "PPID", PS_PPID, 7},
    {"pgid", "PGID", PS_PGID, 7},
    {"pgrp", "PGRP", PS_PGID, 7},
    {"sid", "SID", PS_SID, 7},
    {"sess", "SESS", PS_SID, 7},
    {"uid", "UID", PS_UID, 5},
    {"euid", "EUID", PS_UID, 5},
    {"gid", "GID", PS_GID, 5},
    {"user", "USER", PS_USER, -8},
    {"euser", "EUSER", PS_USER, -8},
    {"ruser", "RUSER", PS_USER, -8},
    {"uname", "USER", PS_USER, -8},
    {"group", "GROUP", PS_GROUP, -8},
    {"comm", "COMMAND", PS_COMM, -15},
    {"ucmd", "CMD", PS_COMM, -15},
    {"ucomm", "COMMAND", PS_COMM, -15},
    {"args", "COMMAND", PS_ARGS, -27},
    {"cmd", "CMD", PS_ARGS, -27},
    {"command", "COMMAND", PS_ARGS, -27},
    {"state", "S", PS_STATE, -1},
    {"s", "S", PS_STATE, -1},
    {"stat", "STAT", PS_STAT, -4},
    {"tty", "TT", PS_TTY, -8},
    {"tt", "TT", PS_TTY, -8},
    {"tname", "TTY", PS_TTY, -8},
    {"time", "TIME", PS_TIME, 8},
    {"cputime", "TIME", PS_TIME, 8},
    {"bsdtime", "TIME", PS_BSDTIME, 6},
    {"etime", "ELAPSED", PS_ETIME, 11},
    {"etimes", "ELAPSED", PS_ETIMES, 7},
    {"pcpu", "%CPU", PS_PCPU, 4},
    {"%cpu", "%CPU", PS_PCPU, 4},
    {"pmem", "%MEM", PS_PMEM, 4},
    {"%mem", "%MEM", PS_PMEM, 4},
    {"vsz", "VSZ", PS_VSZ, 6},
    {"vsize", "VSZ", PS_VSZ, 6},
    {"rss", "RSS", PS_RSS, 5},
    {"rssize", "RSS", PS_RSS, 5},
    {"ni", "NI", PS_NI, 3},
    {"nice", "NI", PS_NI, 3},
    {"pri", "PRI", PS_PRI, 3},
    {"c", "C", PS_C, 2},
    {"f", "F", PS_F, 1},
    {"start", "STARTED", PS_START, 8},
    {"stime", "STIME", PS_STIME, 5},
    {"start_time", "START", PS_STIME, 5},
    {"lstart", "STARTED", PS_LSTART, 24},
    {"nlwp", "NLWP", PS_NLWP, 4},
    {"psr", "PSR", PS_PSR, 3},
    {"cls", "CLS", PS_CLS, 3},
    {"wchan", "WCHAN", PS_WCHAN, -6},
    {"addr", "ADDR", PS_ADDR, -1},
    {"sz", "SZ", PS_SZ, 5},
    {"tpgid", "TPGID", PS_TPGID, 7},
};

struct ps_shown {
    const struct ps_column *column;
    struct str title;
    int width;
};

struct ps {
    bool all, no_header, deselect, running, names;
    char forest;   /* 'f': drawn, 'H': by blanks */
    bool selected; /* by -p, -C, -u ... */
    struct strs pids, ppids, comms, users, groups;
    struct strs format; /* of -o, one element a column */
    char style;         /* 0, f, F, l, j; u, v, x, L, J of BSD */
    bool bsd, mine;
    struct strs sort;
};

struct ps_run {
    struct proc *p;
    struct ps *o;
    struct out out;
    struct users users;
    struct date_zone zone;
    struct ps_shown shown[64];
    size_t n;
    struct buf branch; /* of a tree, before the command */
};

static void ps_clock(struct buf *b, struct ps_run *r, int64_t ns, const char *format)
{
    struct date d;
    if (date_from_epoch(ns / 1000000000, 0, &r->zone, &d) == 0)
        date_format(b, str_z(format), &d, ns / 1000000000, false);
}

static void ps_elapsed(struct buf *b, int64_t s)
{
    if (s >= 86400)
        buf_printf(b, "%lld-", (long long)(s / 86400));
    if (s >= 3600)
        buf_printf(b, "%02d:", (int)(s % 86400 / 3600));
    buf_printf(b, "%02d:%02d", (int)(s % 3600 / 60), (int)(s % 60));
}

static void ps_value(struct ps_run *r, const struct proc *q, enum ps_field f, struct buf *b)
{
    struct kernel *k = r->p->kernel;
    int64_t cpu = q->cpu / PROC_CPU, age = (sched_now(&k->sched) - q->started) / 1000000000;
    uint64_t kb = k->heap.used / 1024, total = MAX(k->limits.memory / 1024, 1);
    struct str name;
    switch (f) {
    case PS_PID: buf_printf(b, "%d", q->pid); break;
    case PS_PPID: buf_printf(b, "%d", proc_ppid(q)); break;
    case PS_PGID: buf_printf(b, "%d", q->pgid); break;
    case PS_SID: buf_printf(b, "%d", q->sid); break;
    case PS_UID: buf_printf(b, "%u", q->uid); break;
    case PS_GID: buf_printf(b, "%u", q->gid); break;
    case PS_USER:
    case PS_GROUP:
        name = f == PS_USER ? users_name(&r->users, q->uid) : users_group(&r->users, q->gid);
        if (name.p)
            buf_str(b, name);
        else
            buf_printf(b, "%u", f == PS_USER ? q->uid : q->gid);
        break;
    case PS_COMM: buf_str(b, proc_comm(q)); break;
    case PS_ARGS: ps_args(q, b); break;
    case PS_STATE:
    case PS_STAT: buf_putc(b, proc_letter(q)); break;
    case PS_TTY: buf_putc(b, '?'); break;
    case PS_TIME:
        buf_printf(b, "%02d:%02d:%02d", (int)(cpu / 3600), (int)(cpu % 3600 / 60), (int)(cpu % 60));
        break;
    case PS_BSDTIME: buf_printf(b, "%d:%02d", (int)(cpu / 60), (int)(cpu % 60)); break;
    case PS_ETIME: ps_elapsed(b, MAX(age, 0)); break;
    case PS_ETIMES: buf_printf(b, "%lld", (long long)MAX(age, 0)); break;
    case PS_PCPU: buf_addz(b, "0.0"); break;
    case PS_PMEM:
        buf_printf(b, "%u.%u", (unsigned)(kb * 100 / total), (unsigned)(kb * 1000 / total % 10));
        break;
    case PS_VSZ:
    case PS_RSS: buf_printf(b, "%llu", (unsigned long long)kb); break;
    case PS_SZ: buf_printf(b, "%llu", (unsigned long long)kb / 4); break;
    case PS_NI:
    case PS_C:
    case PS_F:
    case PS_PSR: buf_putc(b, '0'); break;
    case PS_PRI: buf_addz(b, r->o->style == 'l' ? "80" : r->o->style == 'L' ? "20" : "19"); break;
    case PS_START: ps_clock(b, r, q->started, "%H:%M:%S"); break;
    case PS_STIME: ps_clock(b, r, q->started, "%H:%M"); break;
    case PS_LSTART: ps_clock(b, r, q->started, "%a %b %e %H:%M:%S %Y"); break;
    case PS_NLWP: buf_putc(b, '1'); break;
    case PS_CLS: buf_addz(b, "TS"); break;
    case PS_WCHAN:
    case PS_ADDR: buf_putc(b, '-'); break;
    case PS_TPGID: buf_addz(b, "-1"); break;
    }
}

static const struct ps_column *ps_column_find(struct str name)
{
    for (size_t i = 0; i < COUNT(ps_columns); i++)
        if (str_eqz(name, ps_columns[i].name))
            return &ps_columns[i];
    return NULL;
}

/* ---- the options ----------------------------------------------------------------------------- */

static int ps_fail(struct proc *p, const char *fmt, struct str what)
{
    struct buf b;
    buf_init(&b, &p->kernel->heap);
    buf_addz(&b, "error: ");
    buf_addz(&b, fmt);
    if (what.p)
        buf_printf(&b, " \"%.*s\"", STR_ARG(what));
    buf_addz(&b, "\n\nUsage:\n ps [options]\n\n Try 'ps --help <simple|list|output|threads|misc|"
                 "all>'\n  or 'ps --help <s|l|o|t|m|a>'\n for additional help text.\n\n"
                 "For more details see ps(1).\n");
    proc_puts(p, 2, buf_get(&b));
    buf_fini(&b);
    return 1;
}

/* A list parted by commas or blanks. */
static bool ps_split(struct proc *p, struct strs *to, struct str s)
{
    while (s.n) {
        size_t n = 0;
        while (n < s.n && s.p[n] != ',' && s.p[n] != ' ')
            n++;
        if (n && !proc_push(p, to, str_sub(s, 0, n)))
            return false;
        s = str_from(s, n + 1);
    }
    return true;
}

/* -o a,b=TITLE: the title goes to the end of the word. */
static bool ps_format(struct proc *p, struct ps *o, struct str s)
{
    while (s.n) {
        size_t n = 0;
        while (n < s.n && s.p[n] != ',' && s.p[n] != ' ' && s.p[n] != '=')
            n++;
        if (n < s.n && s.p[n] == '=') {
            struct str rest = str_from(s, n + 1);
            ptrdiff_t comma = str_chr(rest, ',');
            n = comma < 0 ? s.n : n + 1 + (size_t)comma;
        }
        if (n && !proc_push(p, &o->format, str_sub(s, 0, n)))
            return false;
        s = str_from(s, n + 1);
    }
    return true;
}

/* One option with an argument; false when it is none of these. */
static bool ps_takes(struct proc *p, struct ps *o, char c, struct str arg)
{
    struct strs *to = c == 'p' || c == 'q'   ? &o->pids
                      : c == 'P'             ? &o->ppids
                      : c == 'C'             ? &o->comms
                      : c == 'u' || c == 'U' ? &o->users
                      : c == 'g' || c == 'G' ? &o->groups
                      : c == 'k'             ? &o->sort
                                             : NULL;
    if (c == 'o' || c == 'O')
        return ps_format(p, o, arg);
    if (!to)
        return false;
    if (c != 'k')
        o->selected = true;
    return ps_split(p, to, arg);
}

static int ps_long(struct proc *p, struct ps *o, struct str w, int *at)
{
    static const struct {
        const char *name;
        char letter;
    } names[] = {{"pid", 'p'},   {"ppid", 'P'},  {"quick-pid", 'q'}, {"user", 'u'}, {"User", 'u'},
                 {"group", 'g'}, {"Group", 'g'}, {"format", 'o'},    {"sort", 'k'}};
    struct str name = str_from(w, 2), arg = STR_NONE;
    ptrdiff_t eq = str_chr(name, '=');
    if (eq >= 0) {
        arg = str_from(name, (size_t)eq + 1);
        name = str_sub(name, 0, (size_t)eq);
    }
    if (str_eqz(name, "no-headers") || str_eqz(name, "no-heading") || str_eqz(name, "noheader")) {
        o->no_header = true;
        return 0;
    }
    if (str_eqz(name, "forest") || str_eqz(name, "headers")) {
        o->forest = name.p[0] == 'f' ? 'f' : o->forest;
        return 0;
    }
    if (str_eqz(name, "deselect")) {
        o->deselect = true;
        return 0;
    }
    for (size_t i = 0; i < COUNT(names); i++)
        if (str_eqz(name, names[i].name)) {
            if (!arg.p && *at + 1 < p->argc)
                arg = p->argv[++*at];
            return arg.p && ps_takes(p, o, names[i].letter, arg) ? 0 : HOB_EINVAL;
        }
    return HOB_EINVAL;
}

/* A cluster of letters, with or without a dash. */
static int ps_letters(struct proc *p, struct ps *o, struct str w, bool dash, int *at)
{
    for (size_t i = dash; i < w.n; i++) {
        char c = w.p[i];
        const char *known = dash ? "eAadNfFljHwLTcMyZ" : "axruvlfjhewcTSnZHmX";
        if (strchr(dash ? "pqCuUgGoOks" : "opkUO", c) && !(c == 'u' && !dash)) {
            struct str arg = str_from(w, i + 1);
            if (arg.n == 0 && *at + 1 < p->argc)
                arg = p->argv[++*at];
            return arg.n && ps_takes(p, o, c, arg) ? 0 : HOB_EINVAL;
        }
        if (!c || !strchr(known, c))
            return HOB_EINVAL;
        if (dash) {
            o->all |= c == 'e' || c == 'A' || c == 'a' || c == 'd';
            o->deselect |= c == 'N';
            o->forest = c == 'H' ? 'H' : o->forest;
            if (c == 'f' || c == 'F' || c == 'l' || c == 'j')
                o->style = c;
        } else {
            o->bsd = true;
            o->all |= c == 'a';
            o->mine |= c == 'x';
            o->no_header |= c == 'h';
            o->forest = c == 'f' ? 'f' : o->forest;
            o->running |= c == 'r';
            o->names |= c == 'c';
            if (c == 'u' || c == 'l' || c == 'j')
                o->style = c == 'u' ? 'u' : c == 'l' ? 'L' : 'J';
        }
    }
    return 0;
}

static int ps_parse(struct proc *p, struct ps *o)
{
    for (int i = 0; i < p->argc; i++) {
        struct str w = p->argv[i];
        int64_t pid;
        int e = 0;
        if (str_starts(w, STR("--")))
            e = ps_long(p, o, w, &i);
        else if (str_int(w, &pid) == 0) {
            o->bsd = o->selected = true;
            e = ps_split(p, &o->pids, w) ? 0 : HOB_ENOMEM;
        } else if (w.n) {
            e = ps_letters(p, o, w, w.p[0] == '-', &i);
        }
        if (e == HOB_EINVAL)
            return ps_fail(p,
                           str_starts(w, STR("--")) ? "unknown gnu long option"
                           : w.p[0] == '-'          ? "unsupported SysV option"
                                                    : "unsupported option (BSD syntax)",
                           STR_NONE);
        if (e)
            return e;
    }
    return 0;
}

/* ---- the columns that are shown -------------------------------------------------------------- */

static bool ps_show(struct ps_run *r, const char *name, const char *title, int width)
{
    const struct ps_column *c = ps_column_find(str_z(name));
    if (!c || r->n == COUNT(r->shown))
        return false;
    r->shown[r->n++] =
        (struct ps_shown){c, str_z(title ? title : c->title), width ? width : c->width};
    return true;
}

static int ps_show_asked(struct ps_run *r)
{
    for (size_t i = 0; i < r->o->format.n && r->n < COUNT(r->shown); i++) {
        struct str w = r->o->format.p[i], title = STR_NONE;
        int64_t width = 0;
        ptrdiff_t eq = str_chr(w, '=');
        if (eq >= 0) {
            title = str_from(w, (size_t)eq + 1);
            w = str_sub(w, 0, (size_t)eq);
        }
        ptrdiff_t colon = str_chr(w, ':');
        if (colon >= 0) {
            str_int(str_from(w, (size_t)colon + 1), &width);
            w = str_sub(w, 0, (size_t)colon);
        }
        const struct ps_column *c = ps_column_find(w);
        if (!c)
            return ps_fail(r->p, "unknown user-defined format specifier", w);
        width = MIN(MAX(width, 0), 1000);
        struct ps_shown s = {c, title.p ? title : str_z(c->title),
                             width ? (c->width < 0 ? -(int)width : (int)width) : c->width};
        int least = (int)MIN(s.title.n, 1000);
        if (least > (s.width < 0 ? -s.width : s.width))
            s.width = s.width < 0 ? -least : least;
        r->shown[r->n++] = s;
    }
    return 0;
}

static int ps_columns_choose(struct ps_run *r)
{
    char style = r->o->style;
    if (r->o->format.n)
        return ps_show_asked(r);
    if (style == 'f' || style == 'F') {
        ps_show(r, "user", "UID", 0), ps_show(r, "pid", NULL, 0), ps_show(r, "ppid", NULL, 0);
        ps_show(r, "c", NULL, 0);
        if (style == 'F')
            ps_show(r, "sz", NULL, 0), ps_show(r, "rss", NULL, 0), ps_show(r, "psr", NULL, 0);
        ps_show(r, "stime", NULL, 0), ps_show(r, "tname", NULL, 0), ps_show(r, "time", NULL, 0);
        ps_show(r, "cmd", NULL, 0);
    } else if (style == 'u') {
        ps_show(r, "user", NULL, 0), ps_show(r, "pid", NULL, 0), ps_show(r, "pcpu", NULL, 0);
        ps_show(r, "pmem", NULL, 0), ps_show(r, "vsz", NULL, 0), ps_show(r, "rss", NULL, 0);
        ps_show(r, "tname", NULL, 0), ps_show(r, "stat", NULL, 0);
        ps_show(r, "start_time", NULL, 0), ps_show(r, "bsdtime", NULL, 0);
        ps_show(r, "args", NULL, 0);
    } else if (style == 'l') {
        ps_show(r, "f", NULL, 0), ps_show(r, "s", NULL, 0), ps_show(r, "uid", NULL, 0);
        ps_show(r, "pid", NULL, 0), ps_show(r, "ppid", NULL, 0), ps_show(r, "c", NULL, 0);
        ps_show(r, "pri", NULL, 0), ps_show(r, "ni", NULL, 0), ps_show(r, "addr", NULL, 0);
        ps_show(r, "sz", NULL, 0), ps_show(r, "wchan", NULL, 0), ps_show(r, "tname", NULL, 0);
        ps_show(r, "time", NULL, 0), ps_show(r, "ucmd", NULL, 0);
    } else if (style == 'L') {
        ps_show(r, "f", NULL, 0), ps_show(r, "uid", NULL, 0), ps_show(r, "pid", NULL, 0);
        ps_show(r, "ppid", NULL, 0), ps_show(r, "pri", NULL, 0), ps_show(r, "ni", NULL, 0);
        ps_show(r, "vsz", NULL, 0), ps_show(r, "rss", NULL, 0), ps_show(r, "wchan", NULL, 0);
        ps_show(r, "stat", NULL, 0), ps_show(r, "tname", NULL, 0), ps_show(r, "bsdtime", NULL, 0);
        ps_show(r, "args", NULL, 0);
    } else if (style == 'J') {
        ps_show(r, "ppid", NULL, 0), ps_show(r, "pid", NULL, 0), ps_show(r, "pgid", NULL, 0);
        ps_show(r, "sid", NULL, 0), ps_show(r, "tname", NULL, 0), ps_show(r, "tpgid", NULL, 0);
        ps_show(r, "stat", NULL, 0), ps_show(r, "uid", NULL, 0), ps_show(r, "bsdtime", NULL, 0);
        ps_show(r, "args", NULL, 0);
    } else if (r->o->bsd) {
        ps_show(r, "pid", NULL, 0), ps_show(r, "tname", NULL, 0), ps_show(r, "stat", NULL, 0);
        ps_show(r, "bsdtime", NULL, 0), ps_show(r, "args", NULL, 0);
    } else {
        ps_show(r, "pid", NULL, 0);
        if (style == 'j')
            ps_show(r, "pgid", NULL, 0), ps_show(r, "sid", NULL, 0);
        ps_show(r, "tname", NULL, 0), ps_show(r, "time", NULL, 0), ps_show(r, "ucmd", NULL, 0);
    }
    return 0;
}

/* ---- which processes ------------------------------------------------------------------------- */

static bool ps_has_number(const struct strs *list, int64_t n)
{
    int64_t v;
    for (size_t i = 0; i < list->n; i++)
        if (str_int(list->p[i], &v) == 0 && v == n)
            return true;
    return false;
}

static bool ps_has_user(struct users *u, const struct strs *list, uint32_t uid, bool group)
{
    struct str name = group ? users_group(u, uid) : users_name(u, uid);
    if (ps_has_number(list, uid))
        return true;
    for (size_t i = 0; i < list->n; i++)
        if (name.p && str_eq(list->p[i], name))
            return true;
    return false;
}

static bool ps_listed(struct ps_run *r, const struct proc *q)
{
    struct ps *o = r->o;
    if (!o->selected)
        return true; /* no process has a terminal, so all are of the same one */
    if (ps_has_number(&o->pids, q->pid) || ps_has_number(&o->ppids, proc_ppid(q)))
        return true;
    for (size_t i = 0; i < o->comms.n; i++)
        if (str_eq(str_sub(o->comms.p[i], 0, 15), proc_comm(q)))
            return true;
    return (o->users.n && ps_has_user(&r->users, &o->users, q->uid, false)) ||
           (o->groups.n && ps_has_user(&r->users, &o->groups, q->gid, true)) || o->all;
}

static bool ps_selects(struct ps_run *r, const struct proc *q)
{
    if (r->o->running && proc_letter(q) != 'R')
        return false;
    return ps_listed(r, q) != r->o->deselect;
}

static void ps_row(struct ps_run *r, const struct proc *q)
{
    struct buf b;
    size_t over = 0; /* a title that is too wide takes from the blanks behind it */
    buf_init(&b, &r->p->kernel->heap);
    for (size_t i = 0; i < r->n; i++) {
        const struct ps_shown *s = &r->shown[i];
        bool last = i + 1 == r->n;
        buf_clear(&b);
        bool command = s->column->field == PS_COMM || s->column->field == PS_ARGS;
        if (q && command)
            buf_str(&b, buf_get(&r->branch));
        if (q)
            ps_value(r, q, command && r->o->names ? PS_COMM : (enum ps_field)s->column->field, &b);
        else
            buf_str(&b, s->title);
        struct str v = buf_get(&b);
        size_t width = (size_t)(s->width < 0 ? -s->width : s->width);
        size_t pad = v.n < width ? width - v.n : 0;
        pad = pad > over ? pad - over : 0;
        over = v.n > width ? v.n - width : 0;
        if (i)
            out_putc(&r->out, ' ');
        for (size_t k = 0; s->width > 0 && k < pad; k++)
            out_putc(&r->out, ' ');
        out_str(&r->out, q && s->width < 0 && !last ? str_sub(v, 0, width) : v);
        for (size_t k = 0; s->width < 0 && !last && k < pad; k++)
            out_putc(&r->out, ' ');
    }
    buf_fini(&b);
    out_putc(&r->out, '\n');
}

/* By the keys of --sort: numbers for pid, ppid, time; names for the rest. */
static int ps_compare(struct ps_run *r, const struct proc *a, const struct proc *b)
{
    for (size_t i = 0; i < r->o->sort.n; i++) {
        struct str key = r->o->sort.p[i];
        bool down = key.n && key.p[0] == '-';
        if (key.n && (key.p[0] == '-' || key.p[0] == '+'))
            key = str_from(key, 1);
        const struct ps_column *c = ps_column_find(key);
        int v = 0;
        if (!c)
            continue;
        if (c->field == PS_COMM || c->field == PS_ARGS)
            v = str_cmp(proc_comm(a), proc_comm(b));
        else if (c->field == PS_PID)
            v = a->pid < b->pid ? -1 : a->pid > b->pid;
        else if (c->field == PS_PPID)
            v = proc_ppid(a) < proc_ppid(b) ? -1 : proc_ppid(a) > proc_ppid(b);
        else if (c->field == PS_TIME || c->field == PS_PCPU)
            v = a->cpu < b->cpu ? -1 : a->cpu > b->cpu;
        if (v)
            return down ? -v : v;
    }
    return 0;
}

/* Whether q is shown right below `up`; the first process has no children in a drawn tree. */
static bool ps_is_below(struct ps_run *r, const struct proc *q, const struct proc *up)
{
    int ppid = proc_ppid(q);
    return up != q && up->pid == ppid && !(r->o->forest == 'f' && ppid == 1);
}

/* The row of list[i], then those below it. A process that was shown is taken off the list. */
static void ps_tree(struct ps_run *r, struct proc **list, size_t n, size_t i, size_t level,
                    bool more)
{
    struct proc *q = list[i];
    size_t start = r->branch.n;

    if (task_stack_low(r->p->task))
        return;
    if (level)
        buf_addz(&r->branch, r->o->forest == 'H' ? "  " : " \\_ ");
    ps_row(r, q);
    list[i] = NULL;
    buf_cut(&r->branch, start);
    if (level)
        buf_addz(&r->branch, r->o->forest == 'H' ? "  " : more ? " |  " : "    ");
    for (size_t k = 0; k < n; k++) {
        bool again = false;
        if (!list[k] || !ps_is_below(r, list[k], q))
            continue;
        for (size_t m = k + 1; m < n && !again; m++)
            again = list[m] && ps_is_below(r, list[m], q);
        ps_tree(r, list, n, k, level + 1, again);
    }
    buf_cut(&r->branch, start);
}

static void ps_forest(struct ps_run *r, struct proc **list, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        bool below = !list[i];
        for (size_t k = 0; k < n && !below; k++)
            below = list[k] && ps_is_below(r, list[i], list[k]);
        if (!below)
            ps_tree(r, list, n, i, 0, false);
    }
}

static int ps_print(struct ps_run *r)
{
    struct kernel *k = r->p->kernel;
    struct proc **list = arena_array(r->p->arena, struct proc *, k->nprocs + 1);
    size_t n = 0;
    bool titles = false;
    if (!list)
        return HOB_ENOMEM;
    for (struct proc *q = k->procs; q && n < k->nprocs; q = q->next)
        if (ps_selects(r, q))
            list[n++] = q;
    for (size_t i = 1; i < n && r->o->sort.n; i++) /* few, and nearly in order */
        for (size_t j = i; j > 0 && ps_compare(r, list[j - 1], list[j]) > 0; j--) {
            struct proc *t = list[j];
            list[j] = list[j - 1];
            list[j - 1] = t;
        }
    for (size_t i = 0; i < r->n; i++)
        titles |= r->shown[i].title.n > 0;
    if (titles && !r->o->no_header)
        ps_row(r, NULL);
    if (r->o->forest)
        ps_forest(r, list, n);
    for (size_t i = 0; i < n && !r->o->forest; i++)
        ps_row(r, list[i]);
    int e = proc_tick(r->p, (int64_t)n + 1);
    return e < 0 ? e : n == 0;
}

static int ps_run(struct proc *p, void *args)
{
    struct ps *o = arena_new(p->arena, struct ps);
    struct ps_run *r = arena_new(p->arena, struct ps_run);
    (void)args;
    if (!o || !r)
        return HOB_ENOMEM;
    *r = (struct ps_run){.p = p, .o = o, .zone = getdate_zone(p)};
    users_init(&r->users, p);
    buf_init(&r->branch, &p->kernel->heap);
    int e = ps_parse(p, o);
    if (e == 0)
        e = ps_columns_choose(r);
    if (e)
        return e;
    out_init(&r->out, p, 1);
    e = ps_print(r);
    buf_fini(&r->branch);
    return command_close(p, &r->out, e);
}

const struct command cmd_ps = {
    .name = "ps",
    .usage = "[-eAfFlj] [-o FORMAT] [-p PIDS] [-C NAMES] [-u USERS] [--ppid PIDS] [--sort KEYS]\n"
             "ps [axulfjh] [o FORMAT] [p PIDS]",
    .summary = "List the processes of the sandbox.",
    .notes = "A FORMAT names columns, parted by commas, each with =TITLE or :WIDTH behind it: pid, "
             "ppid,\npgid, sid, user, uid, group, comm, args, stat, tty, time, etime, pcpu, pmem, "
             "vsz, rss,\nstart, lstart and others. No process has a terminal.",
    .usage_status = 1,
    .flags = CMD_NO_OPTIONS,
    .run = ps_run,
};
