/* zip_dir.c -- the directory at the end of a zip archive, zip64 included */
#include "base/error.h"
#include "commands/lib/getdate.h"
#include "commands/zip/zip.h"
#include "text/date.h"
#include "text/glob.h"

uint32_t zip_crc(uint32_t crc, const void *p, size_t n)
{
    /* Half a byte at a time: small, and fast enough beside the unpacking. */
    static const uint32_t table[16] = {0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac,
                                       0x76dc4190, 0x6b6b51f4, 0x4db26158, 0x5005713c,
                                       0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
                                       0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c};
    const unsigned char *u = p;
    crc = ~crc;
    for (size_t i = 0; i < n; i++) {
        crc ^= u[i];
        crc = crc >> 4 ^ table[crc & 15];
        crc = crc >> 4 ^ table[crc & 15];
    }
    return ~crc;
}

int zip_read_at(struct zip_archive *a, uint64_t at, void *dst, size_t n)
{
    char *to = dst;
    int64_t s = file_seek(a->file, a->p, (int64_t)MIN(at, (uint64_t)INT64_MAX), 0);
    if (s < 0)
        return (int)s;
    while (n) {
        ptrdiff_t got = file_read(a->file, a->p, to, n);
        if (got < 0)
            return (int)got;
        if (got == 0)
            return HOB_ENODATA;
        to += got;
        n -= (size_t)got;
    }
    return 0;
}

/* Where the end record is: it may have a comment of up to 64 KiB behind it. */
static int zip_find_end(struct zip_archive *a, uint64_t *at)
{
    size_t want = (size_t)MIN(a->size, (uint64_t)(65535 + 22));
    struct buf b;
    if (a->size < 22)
        return HOB_EPROTO;
    buf_init(&b, &a->p->kernel->heap);
    int e = buf_reserve(&b, want) ? zip_read_at(a, a->size - want, b.p, want) : HOB_ENOMEM;
    if (e == 0) {
        size_t i = want - 22 + 1;
        e = HOB_EPROTO;
        while (i-- > 0)
            if (memcmp(b.p + i, "PK\5\6", 4) == 0) {
                struct str rest = str_of(b.p + i + 22, want - i - 22);
                *at = a->size - want + i;
                a->comment = arena_str(a->p->arena, str_sub(rest, 0, zip_u16(b.p + i + 20)));
                e = a->comment.p ? 0 : HOB_ENOMEM;
                break;
            }
    }
    buf_fini(&b);
    return e;
}

struct zip_end {
    uint64_t entries, bytes, offset;
};

static int zip_read_end(struct zip_archive *a, struct zip_end *end)
{
    char r[56];
    uint64_t at = 0;
    int e = zip_find_end(a, &at);
    if (e == 0)
        e = zip_read_at(a, at, r, 22);
    if (e < 0)
        return e;
    *end = (struct zip_end){zip_u16(r + 10), zip_u32(r + 12), zip_u32(r + 16)};
    if (end->entries != 0xffff && end->bytes != 0xffffffff && end->offset != 0xffffffff) {
        /* Bytes in front of the archive (a self-extractor) move everything. */
        if (end->offset + end->bytes > at)
            return HOB_EPROTO;
        return 0;
    }
    if (at < 20 || zip_read_at(a, at - 20, r, 20) < 0 || memcmp(r, "PK\6\7", 4) != 0)
        return 0;
    at = zip_u64(r + 8);
    if (zip_read_at(a, at, r, 56) < 0 || memcmp(r, "PK\6\6", 4) != 0)
        return HOB_EPROTO;
    *end = (struct zip_end){zip_u64(r + 32), zip_u64(r + 40), zip_u64(r + 48)};
    return 0;
}

/* What the extra fields say better: 64-bit sizes, the time in seconds. */
static void zip_entry_extra(struct zip_entry *e)
{
    for (struct str x = e->extra; x.n >= 4;) {
        uint32_t id = zip_u16(x.p), n = zip_u16(x.p + 2);
        struct str v = str_sub(str_from(x, 4), 0, n);
        if (id == 1) {
            if (e->size == 0xffffffff && v.n >= 8) {
                e->size = zip_u64(v.p);
                v = str_from(v, 8);
            }
            if (e->packed == 0xffffffff && v.n >= 8) {
                e->packed = zip_u64(v.p);
                v = str_from(v, 8);
            }
            if (e->offset == 0xffffffff && v.n >= 8)
                e->offset = zip_u64(v.p);
        } else if (id == 0x5455 && v.n >= 5 && (v.p[0] & 1)) {
            e->mtime = (int32_t)zip_u32(v.p + 1);
        }
        x = str_from(x, (size_t)4 + n);
    }
}

static void zip_entry_time(struct zip_archive *a, struct zip_entry *e)
{
    struct date d = {.year = 1980 + (e->dos_date >> 9),
                     .month = e->dos_date >> 5 & 15,
                     .day = e->dos_date & 31,
                     .hour = e->dos_time >> 11,
                     .minute = e->dos_time >> 5 & 63,
                     .second = (e->dos_time & 31) * 2};
    struct date_zone zone = getdate_zone(a->p);
    if (date_to_epoch(&d, &zone, &e->mtime) < 0)
        e->mtime = 0;
}

static int zip_parse(struct zip_archive *a, struct str s, uint64_t entries)
{
    for (uint64_t i = 0; i < entries; i++) {
        if (s.n < 46 || memcmp(s.p, "PK\1\2", 4) != 0)
            return HOB_EPROTO;
        struct zip_entry *e = &a->entries[a->n];
        size_t name = zip_u16(s.p + 28), extra = zip_u16(s.p + 30), comment = zip_u16(s.p + 32);
        if (s.n < 46 + name + extra + comment)
            return HOB_EPROTO;
        *e = (struct zip_entry){.made = (uint16_t)zip_u16(s.p + 4),
                                .need = (uint16_t)zip_u16(s.p + 6),
                                .flags = (uint16_t)zip_u16(s.p + 8),
                                .method = (uint16_t)zip_u16(s.p + 10),
                                .dos_time = (uint16_t)zip_u16(s.p + 12),
                                .dos_date = (uint16_t)zip_u16(s.p + 14),
                                .crc = zip_u32(s.p + 16),
                                .packed = zip_u32(s.p + 20),
                                .size = zip_u32(s.p + 24),
                                .internal = (uint16_t)zip_u16(s.p + 36),
                                .attrs = zip_u32(s.p + 38),
                                .offset = zip_u32(s.p + 42)};
        e->name = str_sub(str_from(s, 46), 0, name);
        e->extra = str_sub(str_from(s, 46 + name), 0, extra);
        e->comment = str_sub(str_from(s, 46 + name + extra), 0, comment);
        zip_entry_time(a, e);
        zip_entry_extra(e);
        a->n++;
        s = str_from(s, 46 + name + extra + comment);
        int t = proc_tick(a->p, 1);
        if (t < 0)
            return t;
    }
    return 0;
}

int zip_read(struct zip_archive *a, struct proc *p, struct file *f)
{
    struct stat_info st;
    struct zip_end end;
    *a = (struct zip_archive){.p = p, .file = f};
    buf_init(&a->directory, &p->kernel->heap);
    int e = file_stat(f, &st);
    if (e < 0)
        return e;
    a->size = st.size;
    e = zip_read_end(a, &end);
    if (e < 0)
        return e;
    /* Nothing is believed that the file has no room for. */
    if (end.bytes > a->size || end.offset > a->size - end.bytes || end.entries > end.bytes / 46)
        return HOB_EPROTO;
    if (end.entries == 0)
        return 0;
    a->entries = arena_array(p->arena, struct zip_entry, end.entries);
    if (!a->entries || !buf_reserve(&a->directory, (size_t)end.bytes))
        return HOB_ENOMEM;
    e = zip_read_at(a, end.offset, a->directory.p, (size_t)end.bytes);
    a->directory.n = e == 0 ? (size_t)end.bytes : 0;
    return e < 0 ? e : zip_parse(a, buf_get(&a->directory), end.entries);
}

void zip_free(struct zip_archive *a)
{
    buf_fini(&a->directory);
    a->entries = NULL;
    a->n = 0;
}

int zip_data_at(struct zip_archive *a, const struct zip_entry *e, uint64_t *at)
{
    char h[30];
    int r = zip_read_at(a, e->offset, h, sizeof h);
    if (r < 0)
        return r == HOB_ENODATA ? HOB_EPROTO : r;
    if (memcmp(h, "PK\3\4", 4) != 0)
        return HOB_EPROTO;
    *at = e->offset + 30 + zip_u16(h + 26) + zip_u16(h + 28);
    return *at > a->size || e->packed > a->size - *at ? HOB_EPROTO : 0;
}

uint32_t zip_mode(const struct zip_entry *e) { return e->made >> 8 == 3 ? e->attrs >> 16 : 0; }

/* Whether a word opens a list of patterns; *which tells whether to leave out or to take in. */
static bool zip_opens_list(struct str w, char *which)
{
    if (w.n < 2 || w.p[0] != '-')
        return false;
    if (w.p[1] == '-') {
        *which = str_eqz(w, "--exclude") ? 'x' : str_eqz(w, "--include") ? 'i' : 0;
        return *which != 0;
    }
    *which = w.p[w.n - 1];
    return *which == 'x' || *which == 'i';
}

int zip_lists(struct proc *p, struct zip_lists *l)
{
    char which = 0;
    int k = 0;
    for (int i = 1; i < p->nwords; i++) {
        struct str w = p->words[i];
        struct strs *to = which == 'x' ? &l->exclude : which == 'i' ? &l->include : &l->operands;
        bool operand = k < p->argc && w.p == p->argv[k].p;
        if (operand) {
            k++;
            if (!proc_push(p, to, w))
                return HOB_ENOMEM;
        } else if (w.n > 1 && w.p[0] == '-') {
            which = 0;
            zip_opens_list(w, &which);
        } else if (str_eqz(w, "@")) {
            which = 0;
        }
    }
    return 0;
}

bool zip_matches(struct proc *p, const struct strs *patterns, struct str name, bool icase)
{
    for (size_t i = 0; i < patterns->n; i++) {
        struct glob_prog *g = glob_compile(p->arena, patterns->p[i], icase ? GLOB_NOCASE : 0);
        if (g && glob_match(g, name))
            return true;
    }
    return false;
}
