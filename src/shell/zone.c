/* zone.c -- the time zone of a process */
#include "shell/zone.h"

enum {
    ZONE_FILE_MOST = 1 << 17 /* bytes of a compiled zone; real ones have up to 4 KiB */
};

static int zone_load(struct proc *p, struct str path, struct buf *bytes, struct date_zone *out)
{
    struct stat_info st;
    struct file *f;
    ptrdiff_t n;
    char part[4096];

    if (vfs_stat(p, path, 0, &st) < 0 || !MODE_IS_FILE(st.mode) || st.size > ZONE_FILE_MOST ||
        vfs_open(p, path, FILE_READ, 0, &f) < 0)
        return HOB_ENOENT;
    while ((n = file_read(f, p, part, sizeof part)) > 0 && bytes->n < ZONE_FILE_MOST)
        buf_add(bytes, part, (size_t)n);
    file_unref(f);
    if (n < 0)
        return HOB_EIO;
    return zones_read(buf_get(bytes), out);
}

void zone_find(struct proc *p, struct str tz, struct buf *bytes, struct date_zone *out)
{
    struct str dir, name = tz.n && tz.p[0] == ':' ? str_from(tz, 1) : tz;
    struct buf path;

    *out = date_utc;
    if (!tz.p) {
        if (zone_load(p, STR("/etc/localtime"), bytes, out) < 0)
            *out = date_utc;
        return;
    }
    buf_init(&path, &p->kernel->heap);
    if (name.n && name.p[0] != '/') {
        if (!proc_getenv(p, STR("TZDIR"), &dir) || dir.n == 0)
            dir = STR("/usr/share/zoneinfo");
        buf_str(&path, dir);
        buf_putc(&path, '/');
    }
    buf_str(&path, name);
    if (name.n == 0 || zone_load(p, buf_get(&path), bytes, out) < 0)
        zones_find(tz, out);
    buf_fini(&path);
}

struct zone_held {
    struct date_zone zone;
    struct buf bytes;
};

struct date_zone zone_of(struct proc *p)
{
    struct heap *heap = &p->kernel->heap;
    struct str tz;

    if (!p->zone) {
        struct zone_held *z = heap_new(heap, struct zone_held);
        if (!z)
            return date_utc;
        buf_init(&z->bytes, heap);
        zone_find(p, proc_getenv(p, STR("TZ"), &tz) ? tz : STR_NONE, &z->bytes, &z->zone);
        p->zone = z;
    }
    return p->zone->zone;
}

void zone_drop(struct proc *p)
{
    if (!p->zone)
        return;
    buf_fini(&p->zone->bytes);
    heap_drop(&p->kernel->heap, p->zone);
    p->zone = NULL;
}
