/* date.c -- print a time in any form */
#include "shell/command.h"

#include "commands/lib/getdate.h"

struct date_cmd {
    struct str date, file, iso, reference, rfc3339, set;
    bool debug, utc;
    int formats;
    const char *format;
};

static int date_iso(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    static const struct word_row words[] = {{"hours", 1},   {"minutes", 2}, {"date", 0},
                                            {"seconds", 3}, {"ns", 4},      {NULL, 0}};
    static const struct word_row rfc[] = {{"date", 0}, {"seconds", 3}, {"ns", 4}, {NULL, 0}};
    static const char *const iso_forms[] = {"%Y-%m-%d", "%Y-%m-%dT%H%:z", "%Y-%m-%dT%H:%M%:z",
                                            "%Y-%m-%dT%H:%M:%S%:z", "%Y-%m-%dT%H:%M:%S,%N%:z"};
    static const char *const rfc_forms[] = {"%Y-%m-%d", "", "", "%Y-%m-%d %H:%M:%S%:z",
                                            "%Y-%m-%d %H:%M:%S.%N%:z"};
    struct date_cmd *d = args;
    bool is_rfc = o->letter != 'I';
    int form = 0;
    int r =
        arg.p ? proc_word(p, is_rfc ? "--rfc-3339" : "--iso-8601", arg, is_rfc ? rfc : words, &form)
              : 0;
    d->format = is_rfc ? rfc_forms[form] : iso_forms[form];
    d->formats++;
    return r;
}

static int date_email(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct date_cmd *d = args;
    (void)p;
    (void)o;
    (void)arg;
    d->format = "%a, %d %b %Y %H:%M:%S %z";
    d->formats++;
    return 0;
}

static const struct opt date_opts[] = {
    OPT_STRING('d', "date", struct date_cmd, date, "STRING",
               "show the time that STRING describes, not now"),
    OPT_FLAG(0, "debug", struct date_cmd, debug,
             "tell on standard error how STRING was understood"),
    OPT_STRING('f', "file", struct date_cmd, file, "DATEFILE",
               "like --date for each line of DATEFILE"),
    OPT_CALL_OPTIONAL('I', "iso-8601", date_iso, "FMT",
                      "ISO 8601: date (default), hours, minutes, seconds or ns"),
    OPT_CALL('R', "rfc-email", date_email, NULL, "as in mails: Mon, 14 Aug 2006 02:34:56 -0600"),
    OPT_CALL('R', "rfc-822", date_email, NULL, "same as --rfc-email"),
    OPT_CALL('R', "rfc-2822", date_email, NULL, "same as --rfc-email"),
    OPT_CALL(0, "rfc-3339", date_iso, "FMT", "RFC 3339: date, seconds or ns"),
    OPT_STRING('r', "reference", struct date_cmd, reference, "FILE",
               "show when FILE was last modified"),
    OPT_STRING('s', "set", struct date_cmd, set, "STRING",
               "set the time; not allowed in a sandbox"),
    OPT_FLAG('u', "utc", struct date_cmd, utc, "Coordinated Universal Time"),
    OPT_FLAG('u', "universal", struct date_cmd, utc, "same as --utc"),
    OPT_FLAG('u', "uct", struct date_cmd, utc, "same as --utc"),
    OPT_END,
};

static int date_parse(struct proc *p, const struct date_cmd *c, struct str text,
                      const struct date_zone *zone, int64_t *t)
{
    int64_t now = sched_now(&p->kernel->sched);
    return c->debug ? getdate_parse_telling(p, c->utc, text, now, zone, t)
                    : getdate_parse(text, now, zone, t);
}

static int date_show(struct proc *p, struct out *o, struct str format, int64_t ns,
                     const struct date_zone *zone, bool debug)
{
    int64_t sec = ns / 1000000000, rest = ns % 1000000000;
    struct date d;
    struct buf b;

    if (rest < 0) {
        rest += 1000000000;
        sec--;
    }
    if (date_from_epoch(sec, (int)rest, zone, &d) < 0) {
        proc_warn(p, "time %lld is out of range", (long long)sec);
        return 1;
    }
    if (debug)
        proc_warn(p, "output format: %s", proc_quote(p, format));
    buf_init(&b, &p->kernel->heap);
    date_format(&b, format, &d, sec, true);
    buf_putc(&b, '\n');
    out_str(o, buf_get(&b));
    buf_fini(&b);
    return 0;
}

static int date_lines(struct proc *p, const struct date_cmd *c, struct out *o, struct str format,
                      const struct date_zone *zone)
{
    int64_t t;
    struct str line;
    struct in in;
    bool had;
    int status = 0, r = in_open(&in, p, c->file);

    if (r < 0)
        return 1;
    while (in_line(&in, '\n', &line, &had)) {
        if (date_parse(p, c, line, zone, &t) < 0) {
            proc_warn(p, "invalid date %s", proc_quote(p, line));
            status = 1;
        } else {
            status |= date_show(p, o, format, t, zone, c->debug);
        }
    }
    if (in.err < 0) {
        proc_warn_file(p, c->file, in.err);
        status = 1;
    }
    in_fini(&in);
    return status;
}

/* The one time that the options ask for. */
static int date_when(struct proc *p, const struct date_cmd *c, const struct date_zone *zone,
                     int64_t *t)
{
    *t = sched_now(&p->kernel->sched);
    if (c->reference.p) {
        struct stat_info st;
        int r = vfs_stat(p, c->reference, 0, &st);
        if (r < 0) {
            proc_warn_file(p, c->reference, r);
            return 1;
        }
        *t = st.mtime;
    } else if (c->date.p && date_parse(p, c, c->date, zone, t) < 0) {
        proc_warn(p, "invalid date %s", proc_quote(p, c->date));
        return 1;
    }
    return 0;
}

/* The operand: +FORMAT. 0, or a status. */
static int date_operands(struct proc *p, struct date_cmd *c, struct str *format)
{
    *format = STR_NONE;
    if (p->argc == 0)
        return 0;
    if (p->argc > 1) {
        proc_warn(p, "extra operand %s", proc_quote(p, p->argv[1]));
        return proc_usage(p);
    }
    if (p->argv[0].n && p->argv[0].p[0] == '+') {
        *format = str_from(p->argv[0], 1);
        if (!format->p)
            *format = STR("");
        c->formats++;
    } else if (c->date.p || c->file.p || c->reference.p || c->set.p) {
        proc_warn(p,
                  "the argument %s lacks a leading '+';\n"
                  "when using an option to specify date(s), any non-option\n"
                  "argument must be a format string beginning with '+'",
                  proc_quote(p, p->argv[0]));
        return proc_usage(p);
    } else {
        proc_warn(p, "invalid date %s", proc_quote(p, p->argv[0]));
        return 1;
    }
    return 0;
}

static int date_run(struct proc *p, void *args)
{
    struct date_cmd *c = args;
    struct date_zone zone = c->utc ? date_utc : getdate_zone(p);
    struct str format;
    int64_t t;
    struct out o;

    if ((c->date.p != NULL) + (c->file.p != NULL) + (c->reference.p != NULL) > 1) {
        proc_warn(p, "the options to specify dates for printing are mutually exclusive");
        return proc_usage(p);
    }
    int status = date_operands(p, c, &format);
    if (status)
        return status;
    if (c->formats > 1) {
        proc_warn(p, "multiple output formats specified");
        return 1;
    }
    if (!format.p)
        format = c->format ? str_z(c->format) : STR("%a %b %e %H:%M:%S %Z %Y");
    if (c->set.p) {
        if (date_parse(p, c, c->set, &zone, &t) < 0) {
            proc_warn(p, "invalid date %s", proc_quote(p, c->set));
            return 1;
        }
        proc_warn(p, "cannot set date: Operation not permitted");
        status = 1;
    }
    out_init(&o, p, 1);
    if (c->file.p)
        status = date_lines(p, c, &o, format, &zone);
    else if (c->set.p)
        status |= date_show(p, &o, format, t, &zone, c->debug);
    else if ((status = date_when(p, c, &zone, &t)) == 0)
        status = date_show(p, &o, format, t, &zone, c->debug);
    return command_close(p, &o, status);
}

const struct command cmd_date = {
    .name = "date",
    .usage = "[OPTION]... [+FORMAT]",
    .summary = "Show the date and time, or any other one, in the given FORMAT.",
    .notes =
        "FORMAT knows %a %A %b %B %c %C %d %D %e %F %g %G %h %H %I %j %k %l %m %M %n %N %p %P %q\n"
        "%r %R %s %S %t %T %u %U %V %w %W %x %X %y %Y %z %:z %::z %:::z %Z %%. Between % and the\n"
        "letter may stand - (no padding), _ (blanks), 0 (zeros), + , ^ (upper case), # (opposite\n"
        "case) and a width.",
    .opts = date_opts,
    .args_size = sizeof(struct date_cmd),
    .usage_status = 1,
    .run = date_run,
};
