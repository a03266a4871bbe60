/* zones.c -- time zones by name, and what their offsets were
 *
 * A zone that has a history is one of zonedata.c, made at development time, or a compiled file of
 * the sandbox (RFC 9636), whose bytes are looked at where they are. Its future is a rule, as in
 * date.c. The embedded core has no zonedata.c: there a name is known by its file alone.
 */
#include "text/zones.h"

/* ---- the table ------------------------------------------------------------------------------- */

#ifdef HOB_CORE
static bool zones_known(struct str name, struct date_zone *out)
{
    (void)name, (void)out;
    return false;
}

static bool zones_moved(const struct date_zone *z, int64_t t, struct date_kind *out)
{
    (void)z, (void)t, (void)out;
    return false;
}
#else
static bool zones_known(struct str name, struct date_zone *out)
{
    size_t from = 0, to = zonedata_count;

    while (from < to) {
        size_t mid = (from + to) / 2;
        int c = str_cmp(name, str_z(zonedata_names[mid].name));
        if (c == 0) {
            const struct zone_row *row = &zonedata_rows[zonedata_names[mid].row];
            date_zone_parse(str_z(row->rule), out);
            out->row = row;
            return true;
        }
        if (c < 0)
            to = mid;
        else
            from = mid + 1;
    }
    return false;
}

static unsigned zones_digit(char c)
{
    if (c >= 'a')
        return (unsigned)(c - 'a' + 26);
    if (c >= 'A')
        return (unsigned)(c - 'A');
    return c >= '0' ? (unsigned)(c - '0' + 52) : c == '+' ? 62 : 63;
}

/* Five bits a letter, lowest first; the sixth says that more follow. */
static int64_t zones_number(const char **p)
{
    int64_t v = 0;
    for (int shift = 0;; shift += 5) {
        unsigned d = zones_digit(*(*p)++);
        v |= (int64_t)(d & 31) << shift;
        if (d < 32)
            return v;
    }
}

/*
 * The kind that holds at t, or false behind the last move. A move is the distance from the one
 * before (an even number counts quarters of an hour, an odd one seconds) and the kind that begins;
 * a distance of 0 has a number instead that says how often the last two moves come once more.
 */
static bool zones_moved(const struct date_zone *z, int64_t t, struct date_kind *out)
{
    const char *p = z->row->moves;
    int64_t at = -INT64_C(10000000000), step[2] = {0}, kind[2] = {0};
    unsigned now = 0;

    while (*p) {
        int64_t v = zones_number(&p), times = 1;
        if (v == 0) {
            times = zones_number(&p) * 2;
        } else {
            step[0] = step[1], kind[0] = kind[1];
            step[1] = v & 1 ? v >> 1 : (v >> 1) * 900;
            kind[1] = zones_number(&p);
        }
        for (int64_t i = 0; i < times; i++) {
            bool odd = v || i & 1;
            at += step[odd];
            if (t < at) {
                const char *code = z->row->kinds + 2 * now;
                *out = zonedata_kinds[zones_digit(code[0]) | zones_digit(code[1]) << 6];
                return true;
            }
            now = (unsigned)kind[odd];
        }
    }
    return false;
}
#endif

/* ---- compiled files -------------------------------------------------------------------------- */

static int64_t zones_be(const unsigned char *p, int bytes)
{
    uint64_t v = p[0] & 0x80 ? UINT64_MAX : 0;
    for (int i = 0; i < bytes; i++)
        v = v << 8 | p[i];
    return (int64_t)v;
}

/* The counts of a header and the bytes of the block behind it, whose times have `width` bytes. */
static bool zones_header(struct str file, int width, int64_t n[6], size_t *size)
{
    if (file.n < 44 || memcmp(file.p, "TZif", 4) != 0)
        return false;
    for (int i = 0; i < 6; i++) {
        n[i] = zones_be((const unsigned char *)file.p + 20 + 4 * i, 4);
        if (n[i] < 0 || n[i] > 10000)
            return false;
    }
    *size = (size_t)(n[3] * (width + 1) + n[4] * 6 + n[5] + n[2] * (width + 4) + n[1] + n[0]);
    return n[4] > 0 && n[4] < 256 && file.n - 44 >= *size;
}

static void zones_file_kind(const struct zone_file *f, unsigned k, struct date_kind *out)
{
    const unsigned char *kinds = f->times + (size_t)f->moves * 9;
    const char *names = (const char *)kinds + (size_t)f->kinds * 6;

    kinds += 6 * (size_t)MIN(k, f->kinds - 1);
    out->offset = (int32_t)MAX(MIN(zones_be(kinds, 4), 200000), -200000);
    out->summer = kinds[4] != 0;
    size_t n = 0;
    for (size_t i = kinds[5]; i < f->letters && names[i] && n + 1 < sizeof out->name; i++)
        out->name[n++] = names[i];
    out->name[n] = '\0';
}

static bool zones_file_moved(const struct zone_file *f, int64_t t, struct date_kind *out)
{
    size_t from = 0, to = f->moves;

    while (from < to) { /* the first move after t */
        size_t mid = (from + to) / 2;
        if (zones_be(f->times + 8 * mid, 8) <= t)
            from = mid + 1;
        else
            to = mid;
    }
    if (from == f->moves)
        return false;
    zones_file_kind(f, from ? f->times[(size_t)f->moves * 8 + from - 1] : 0, out);
    return true;
}

int zones_read(struct str file, struct date_zone *out)
{
    int64_t n[6];
    size_t size;

    *out = date_utc;
    if (!zones_header(file, 4, n, &size) || file.p[4] < '2')
        return HOB_EINVAL;
    file = str_from(file, 44 + size);
    if (!zones_header(file, 8, n, &size))
        return HOB_EINVAL;
    struct zone_file f = {(const unsigned char *)file.p + 44, (uint32_t)n[3], (uint32_t)n[4],
                          (uint32_t)n[5]};
    struct str rule = str_from(file, 44 + size);
    ptrdiff_t end = rule.n ? str_chr(str_from(rule, 1), '\n') : -1;
    if (end <= 0 || date_zone_parse(str_sub(rule, 1, (size_t)end), out) < 0) {
        /* Without a rule the last kind stays. */
        struct date_kind k;
        zones_file_kind(&f, f.moves ? f.times[(size_t)f.moves * 9 - 1] : 0, &k);
        *out = date_utc;
        out->offset[0] = k.offset;
        memcpy(out->name[0], k.name, sizeof k.name);
    }
    out->file = f;
    return 0;
}

/* ---- both ------------------------------------------------------------------------------------ */

bool zones_past(const struct date_zone *z, int64_t t, struct date_kind *out)
{
    if (z->file.times)
        return zones_file_moved(&z->file, t, out);
    return z->row && zones_moved(z, t, out);
}

int zones_find(struct str tz, struct date_zone *out)
{
    struct str name = tz.n && tz.p[0] == ':' ? str_from(tz, 1) : tz;

    if (str_starts(name, STR("posix/")))
        name = str_from(name, 6);
    if (name.n == 0) {
        *out = date_utc;
        return 0;
    }
    return zones_known(name, out) ? 0 : date_zone_parse(tz, out);
}
