/* uptime.c -- uptime and free: how long the sandbox runs, and its memory */
#include "base/fmt.h"
#include "commands/lib/getdate.h"
#include "shell/command.h"
#include "text/date.h"
#include "text/number.h"

struct uptime {
    bool pretty, since;
};

static const struct opt uptime_opts[] = {
    OPT_FLAG('p', "pretty", struct uptime, pretty, "in words"),
    OPT_FLAG('s', "since", struct uptime, since, "since when"),
    OPT_END,
};

static void uptime_unit(struct buf *b, int64_t n, const char *unit)
{
    if (n)
        buf_printf(b, "%s%lld %s%s", b->n > 3 ? ", " : "", (long long)n, unit, n == 1 ? "" : "s");
}

static void uptime_clock(struct proc *p, struct buf *b, int64_t ns, const char *format)
{
    struct date d;
    struct date_zone zone = getdate_zone(p);
    if (date_from_epoch(ns / 1000000000, 0, &zone, &d) == 0)
        date_format(b, str_z(format), &d, ns / 1000000000, false);
}

static int uptime_run(struct proc *p, void *args)
{
    struct uptime *u = args;
    struct kernel *k = p->kernel;
    int64_t now = sched_now(&k->sched), up = MAX(now - k->boot, 0) / 1000000000;
    int64_t days = up / 86400, hours = up % 86400 / 3600, minutes = up % 3600 / 60;
    struct buf b;
    if (p->argc)
        return proc_usage(p);
    buf_init(&b, &k->heap);
    if (u->since) {
        uptime_clock(p, &b, k->boot, "%Y-%m-%d %H:%M:%S");
    } else if (u->pretty) {
        buf_addz(&b, "up ");
        uptime_unit(&b, days / 7, "week");
        uptime_unit(&b, days % 7, "day");
        uptime_unit(&b, hours, "hour");
        if (minutes || up < 60)
            buf_printf(&b, "%s%lld minute%s", b.n > 3 ? ", " : "", (long long)minutes,
                       minutes == 1 ? "" : "s");
    } else {
        buf_putc(&b, ' ');
        uptime_clock(p, &b, now, "%H:%M:%S up ");
        if (days)
            buf_printf(&b, "%lld day%s, ", (long long)days, days == 1 ? "" : "s");
        if (hours)
            buf_printf(&b, "%2lld:%02lld, ", (long long)hours, (long long)minutes);
        else
            buf_printf(&b, "%lld min, ", (long long)minutes);
        buf_addz(&b, " 0 user,  load average: 0.00, 0.00, 0.00");
    }
    buf_putc(&b, '\n');
    int e = proc_puts(p, 1, buf_get(&b));
    buf_fini(&b);
    return e < 0;
}

const struct command cmd_uptime = {
    .name = "uptime",
    .usage = "[OPTION]",
    .summary = "Tell for how long the sandbox has been there.",
    .opts = uptime_opts,
    .args_size = sizeof(struct uptime),
    .usage_status = 1,
    .run = uptime_run,
};

struct uptime_free {
    bool human, si, wide, total, lohi, line;
    int power; /* of 1024 or 1000: 0 bytes, 1 kilo ... */
    int base;
    int64_t count;
    struct str seconds;
};

static int uptime_free_unit(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct uptime_free *f = args;
    (void)p;
    (void)arg;
    f->power = o->value % 10;
    f->base = o->value >= 10 ? 1000 : 1024;
    return 0;
}

/* clang-format off */
#define UPTIME_UNIT(l, n, v, h) {OPT_KIND_CALL, 0, l, n, 0, v, NULL, h, uptime_free_unit}
/* clang-format on */
static const struct opt uptime_free_opts[] = {
    UPTIME_UNIT('b', "bytes", 0, "in bytes"),
    UPTIME_UNIT(0, "kilo", 11, "in 1000 bytes"),
    UPTIME_UNIT(0, "mega", 12, "in 1000 kilobytes"),
    UPTIME_UNIT(0, "giga", 13, "in 1000 megabytes"),
    UPTIME_UNIT('k', "kibi", 1, "in 1024 bytes (the default)"),
    UPTIME_UNIT('m', "mebi", 2, "in 1024 kibibytes"),
    UPTIME_UNIT('g', "gibi", 3, "in 1024 mebibytes"),
    OPT_FLAG('h', "human", struct uptime_free, human, "with the unit that fits"),
    OPT_FLAG(0, "si", struct uptime_free, si, "units of 1000, not of 1024"),
    OPT_FLAG('l', "lohi", struct uptime_free, lohi, "low and high memory, too"),
    OPT_FLAG('t', "total", struct uptime_free, total, "a line with the sums"),
    OPT_STRING('s', "seconds", struct uptime_free, seconds, "N", "again every N seconds"),
    OPT_INTEGER('c', "count", struct uptime_free, count, "N", "N times"),
    OPT_FLAG('w', "wide", struct uptime_free, wide, "buffers and cache in columns of their own"),
    OPT_END,
};
#undef UPTIME_UNIT

static void uptime_free_defaults(struct proc *p, void *args)
{
    struct uptime_free *f = args;
    (void)p;
    f->power = 1;
    f->base = 1024;
}

static void uptime_free_put(struct out *o, const struct uptime_free *f, uint64_t bytes)
{
    uint64_t v = bytes, base = f->si ? 1000 : (uint64_t)f->base;
    char text[32];
    if (!f->human) {
        for (int i = 0; i < f->power; i++)
            v /= base;
        out_printf(o, "%12llu", (unsigned long long)v);
        return;
    }
    static const char units[] = "BKMGTPE";
    int k = 0;
    double d = (double)bytes;
    while (d >= (double)base && units[k + 1]) {
        d /= (double)base;
        k++;
    }
    const char *iec = k && base == 1024 ? "i" : "";
    if (k == 0)
        fmt_print(text, sizeof text, "%lluB", (unsigned long long)bytes);
    else if (d < 9.95)
        fmt_print(text, sizeof text, "%.1f%c%s", d, units[k], iec);
    else
        fmt_print(text, sizeof text, "%u%c%s", (unsigned)d, units[k], iec);
    out_printf(o, "%12s", text);
}

static void uptime_free_line(struct out *o, const struct uptime_free *f, const char *name,
                             const uint64_t *v, size_t n)
{
    out_printf(o, "%-8s", name);
    for (size_t i = 0; i < n; i++)
        uptime_free_put(o, f, v[i]);
    out_putc(o, '\n');
}

static void uptime_free_once(struct proc *p, struct out *o, const struct uptime_free *f)
{
    uint64_t total = MIN(p->kernel->limits.memory, UINT64_C(1) << 54) / 1024 * 1024;
    uint64_t used = MIN(p->kernel->heap.used / 1024 * 1024, total), left = total - used;
    uint64_t mem[7] = {total, used, left, 0, 0, left, 0}, none[3] = {0, 0, 0};
    uint64_t wide[7] = {total, used, left, 0, 0, 0, left}, low[3] = {total, used, left};
    out_printf(o, "%20s%12s%12s%12s", "total", "used", "free", "shared");
    out_puts(o, f->wide ? "     buffers       cache   available\n" : "  buff/cache   available\n");
    uptime_free_line(o, f, "Mem:", f->wide ? wide : mem, f->wide ? 7 : 6);
    if (f->lohi) {
        uptime_free_line(o, f, "Low:", low, 3);
        uptime_free_line(o, f, "High:", none, 3);
    }
    uptime_free_line(o, f, "Swap:", none, 3);
    if (f->total)
        uptime_free_line(o, f, "Total:", low, 3);
}

static int uptime_free_run(struct proc *p, void *args)
{
    struct uptime_free *f = args;
    struct out o;
    int64_t ns = 1000000000;
    int e = 0;
    if (f->seconds.p && (number_interval(f->seconds, &ns) < 0 || ns <= 0)) {
        proc_warn(p, "seconds argument failed: '%.*s': Invalid argument", STR_ARG(f->seconds));
        return 1;
    }
    int64_t turns = f->count > 0 ? f->count : f->seconds.p ? INT64_MAX : 1;
    out_init(&o, p, 1);
    for (int64_t i = 0; i < turns && e == 0 && !o.err; i++) {
        uptime_free_once(p, &o, f);
        if (i + 1 < turns) {
            out_putc(&o, '\n');
            out_flush(&o);
            e = proc_sleep(p, ns);
        }
    }
    return command_close(p, &o, e == HOB_EINTR ? 0 : e);
}

const struct command cmd_free = {
    .name = "free",
    .usage = "[OPTION]...",
    .summary = "Tell how much memory the sandbox has and uses.",
    .opts = uptime_free_opts,
    .args_size = sizeof(struct uptime_free),
    .usage_status = 1,
    .run = uptime_free_run,
    .defaults = uptime_free_defaults,
};
