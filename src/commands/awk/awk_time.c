/* awk_time.c -- strftime and mktime */
#include "base/error.h"
#include "base/utf8.h"
#include "commands/awk/awk.h"
#include "commands/lib/getdate.h"
#include "text/date.h"

struct awk_val awk_strftime(struct awk *a, int argc, struct awk_val *argv)
{
    char tmp[AWK_TMP];
    struct str fmt = STR("%a %b %e %H:%M:%S %Z %Y");
    struct awk_val *info = awk_special(a, AWK_V_PROCINFO), *own;
    int64_t t = sched_now(&a->p->kernel->sched) / 1000000000;
    struct date_zone zone = getdate_zone(a->p);
    struct date d;
    struct buf b;

    if (argc > 0) {
        fmt = awk_text(a, &argv[0], tmp);
    } else if (info->kind == AWK_ARRAY &&
               (own = awk_array_find_str(a, info->u.a, STR("strftime"))) && own->kind == AWK_STR) {
        fmt = awk_str_get(own->u.s);
    }
    if (argc > 1) {
        double v = awk_to_num(a, &argv[1]);
        if (!(v > -6.7e16 && v < 6.7e16)) {
            awk_fatal(a, "strftime: second argument out of range for time_t");
            return awk_text_val(awk_str_ref(a->empty));
        }
        t = (int64_t)(v < 0 && v != (double)(int64_t)v ? v - 1 : v);
    }
    if (argc > 2 && awk_truth(a, &argv[2])) {
        zone = date_utc;
        memcpy(zone.name[0], "GMT", 4);
    }
    if (fmt.n == 0 || date_from_epoch(t, 0, &zone, &d) < 0)
        return awk_text_val(awk_str_ref(a->empty));
    buf_init(&b, a->heap);
    date_format(&b, fmt, &d, t, false);
    struct str s = buf_get(&b);
    struct awk_val v = awk_text_val(awk_str_new(a, s.p, s.n));
    buf_fini(&b);
    return v;
}

/* "YYYY MM DD HH MM SS [DST]"; values out of range carry over. -1 when it is not that. */
struct awk_val awk_mktime(struct awk *a, int argc, struct awk_val *argv)
{
    char tmp[AWK_TMP];
    struct str s = awk_text(a, &argv[0], tmp);
    int64_t v[7] = {0}, t;
    int n = 0;
    struct date_zone zone = getdate_zone(a->p);

    for (size_t i = 0; i < s.n && n < 7;) {
        if (ascii_space(s.p[i])) {
            i++;
            continue;
        }
        bool minus = s.p[i] == '-';
        size_t from = i += s.p[i] == '-' || s.p[i] == '+';
        for (; i < s.n && ascii_digit(s.p[i]); i++)
            v[n] = MIN(v[n] * 10 + (s.p[i] - '0'), 1000000000);
        if (i == from)
            break;
        v[n] = minus ? -v[n] : v[n];
        n++;
    }
    if (n < 6)
        return awk_number(-1);
    if (argc > 1 && awk_truth(a, &argv[1]))
        zone = date_utc;
    struct date d = {.year = v[0],
                     .month = (int)v[1],
                     .day = (int)v[2],
                     .hour = (int)v[3],
                     .minute = (int)v[4],
                     .second = (int)v[5]};
    int summer = n < 7 || v[6] < 0 ? -1 : v[6] > 0;
    return awk_number(date_to_epoch_as(&d, &zone, summer, &t) < 0 ? -1 : (double)t);
}
