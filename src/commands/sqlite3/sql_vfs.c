/* sql_vfs.c -- files, locks, time and chance for SQLite, all of the sandbox
 *
 * Each run of the command registers a VFS of its own, named after its address, whose methods find
 * the process in pAppData. Files that have no name are buffers on the sandbox's heap. Locks are
 * kept in a list of the sandbox's open databases: processes take turns, so a look at the list is
 * all it needs. There is no shared memory, hence no WAL but in exclusive mode.
 */
#include "commands/sqlite3/sql.h"

#ifdef HAVE_SQLITE3

static struct sql_file *sql_file_of(sqlite3_file *f) { return CONTAINER(f, struct sql_file, base); }

/* ---- reading and writing --------------------------------------------------------------------- */

static int sql_file_get(struct sql_file *f, char *dst, size_t n, uint64_t at)
{
    size_t got = 0;
    if (!f->file) {
        if (at < f->mem.n) {
            got = MIN(n, f->mem.n - (size_t)at);
            memcpy(dst, f->mem.p + at, got);
        }
    } else {
        f->file->off = at;
        while (got < n) {
            ptrdiff_t r = file_read(f->file, f->sql->p, dst + got, n - got);
            if (r < 0)
                return SQLITE_IOERR_READ;
            if (r == 0)
                break;
            got += (size_t)r;
        }
    }
    if (got == n)
        return SQLITE_OK;
    memset(dst + got, 0, n - got);
    return SQLITE_IOERR_SHORT_READ;
}

static int sql_file_read(sqlite3_file *file, void *dst, int n, sqlite3_int64 at)
{
    struct sql_file *f = sql_file_of(file);
    sql_leave(f->sql);
    int rc = sql_file_get(f, dst, (size_t)n, (uint64_t)at);
    sql_enter(f->sql);
    return rc;
}

static int sql_file_put(struct sql_file *f, const void *src, size_t n, uint64_t at)
{
    if (f->file) {
        f->file->off = at;
        int e = file_write(f->file, f->sql->p, src, n);
        return e == 0                                                 ? SQLITE_OK
               : e == HOB_ENOSPC || e == HOB_EFBIG || e == HOB_ENOMEM ? SQLITE_FULL
                                                                      : SQLITE_IOERR_WRITE;
    }
    if (at > SIZE_MAX / 2)
        return SQLITE_FULL;
    if (at + n > f->mem.n) {
        buf_fill(&f->mem, '\0', (size_t)at + n - f->mem.n);
        if (f->mem.n < at + n)
            return SQLITE_FULL;
    }
    memcpy(f->mem.p + at, src, n);
    return SQLITE_OK;
}

static int sql_file_write(sqlite3_file *file, const void *src, int n, sqlite3_int64 at)
{
    struct sql_file *f = sql_file_of(file);
    sql_leave(f->sql);
    int rc = n > 0 ? sql_file_put(f, src, (size_t)n, (uint64_t)at) : SQLITE_OK;
    sql_enter(f->sql);
    return rc;
}

static int sql_file_truncate(sqlite3_file *file, sqlite3_int64 size)
{
    struct sql_file *f = sql_file_of(file);
    int e = 0;
    sql_leave(f->sql);
    if (f->file)
        e = file_truncate(f->file, f->sql->p, (uint64_t)size);
    else if ((uint64_t)size < f->mem.n)
        buf_cut(&f->mem, (size_t)size);
    sql_enter(f->sql);
    return e < 0 ? SQLITE_IOERR_TRUNCATE : SQLITE_OK;
}

static int sql_file_sync(sqlite3_file *file, int flags)
{
    (void)file;
    (void)flags;
    return SQLITE_OK; /* memory is as lasting as it gets */
}

static int sql_file_size(sqlite3_file *file, sqlite3_int64 *size)
{
    struct sql_file *f = sql_file_of(file);
    struct stat_info st = {.size = f->mem.n};
    sql_leave(f->sql);
    int e = f->file ? file_stat(f->file, &st) : 0;
    sql_enter(f->sql);
    *size = (sqlite3_int64)st.size;
    return e < 0 ? SQLITE_IOERR_FSTAT : SQLITE_OK;
}

static int sql_file_close(sqlite3_file *file)
{
    struct sql_file *f = sql_file_of(file);
    struct kernel *k = f->sql->p->kernel;
    sql_leave(f->sql);
    for (struct sql_file **at = &k->sql_files; *at; at = &(*at)->next)
        if (*at == f) {
            *at = f->next;
            break;
        }
    file_unref(f->file);
    buf_fini(&f->mem);
    if (f->remove && f->name)
        vfs_unlink(f->sql->p, str_z(f->name));
    sql_enter(f->sql);
    return SQLITE_OK;
}

/* ---- locks ----------------------------------------------------------------------------------- */

/* The highest lock anybody else has on the same file. */
static int sql_file_others(struct sql_file *f)
{
    int most = SQLITE_LOCK_NONE;
    for (struct sql_file *o = f->sql->p->kernel->sql_files; o; o = o->next)
        if (o != f && o->dev == f->dev && o->ino == f->ino)
            most = MAX(most, o->lock);
    return most;
}

static int sql_file_lock(sqlite3_file *file, int level)
{
    struct sql_file *f = sql_file_of(file);
    if (f->lock >= level || !f->file)
        return SQLITE_OK;
    int others = sql_file_others(f);
    if (level == SQLITE_LOCK_SHARED ? others >= SQLITE_LOCK_PENDING
                                    : others >= SQLITE_LOCK_RESERVED)
        return SQLITE_BUSY;
    if (level == SQLITE_LOCK_EXCLUSIVE && others >= SQLITE_LOCK_SHARED) {
        f->lock = SQLITE_LOCK_PENDING; /* nobody new may read, so the readers come to an end */
        return SQLITE_BUSY;
    }
    f->lock = level;
    return SQLITE_OK;
}

static int sql_file_unlock(sqlite3_file *file, int level)
{
    struct sql_file *f = sql_file_of(file);
    f->lock = MIN(f->lock, level);
    return SQLITE_OK;
}

static int sql_file_reserved(sqlite3_file *file, int *out)
{
    struct sql_file *f = sql_file_of(file);
    *out = f->lock >= SQLITE_LOCK_RESERVED || sql_file_others(f) >= SQLITE_LOCK_RESERVED;
    return SQLITE_OK;
}

static int sql_file_control(sqlite3_file *file, int op, void *arg)
{
    struct sql_file *f = sql_file_of(file);
    if (op == SQLITE_FCNTL_LOCKSTATE) {
        *(int *)arg = f->lock;
        return SQLITE_OK;
    }
    return SQLITE_NOTFOUND;
}

static int sql_file_sector(sqlite3_file *file)
{
    (void)file;
    return 4096;
}

static int sql_file_traits(sqlite3_file *file)
{
    (void)file;
    return SQLITE_IOCAP_POWERSAFE_OVERWRITE | SQLITE_IOCAP_SAFE_APPEND | SQLITE_IOCAP_SEQUENTIAL;
}

static const sqlite3_io_methods sql_file_methods = {
    .iVersion = 1,
    .xClose = sql_file_close,
    .xRead = sql_file_read,
    .xWrite = sql_file_write,
    .xTruncate = sql_file_truncate,
    .xSync = sql_file_sync,
    .xFileSize = sql_file_size,
    .xLock = sql_file_lock,
    .xUnlock = sql_file_unlock,
    .xCheckReservedLock = sql_file_reserved,
    .xFileControl = sql_file_control,
    .xSectorSize = sql_file_sector,
    .xDeviceCharacteristics = sql_file_traits,
};

/* ---- names ----------------------------------------------------------------------------------- */

static int sql_vfs_open_named(struct sql *s, struct sql_file *f, int *flags)
{
    unsigned how = FILE_READ;
    if (*flags & SQLITE_OPEN_READWRITE)
        how |= FILE_WRITE;
    if (*flags & SQLITE_OPEN_CREATE)
        how |= FILE_CREATE;
    if (*flags & SQLITE_OPEN_EXCLUSIVE)
        how |= FILE_EXCL;
    uint32_t mode = 0666 & ~s->p->umask;
    int e = vfs_open(s->p, str_z(f->name), how, mode, &f->file);
    if (e < 0 && e != HOB_EISDIR && (how & FILE_WRITE) && !(how & FILE_EXCL) && !sql_over(s)) {
        *flags = (*flags & ~(SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)) | SQLITE_OPEN_READONLY;
        e = vfs_open(s->p, str_z(f->name), FILE_READ, 0, &f->file);
    }
    struct stat_info st;
    if (e < 0 || file_stat(f->file, &st) < 0)
        return SQLITE_CANTOPEN;
    if (MODE_IS_DIR(st.mode) || !(f->file->flags & FILE_SEEKABLE))
        return SQLITE_CANTOPEN;
    f->dev = st.dev;
    f->ino = st.ino;
    return SQLITE_OK;
}

static int sql_vfs_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *out)
{
    struct sql *s = vfs->pAppData;
    struct sql_file *f = sql_file_of(file);
    struct kernel *k = s->p->kernel;
    int rc = SQLITE_OK;

    memset(f, 0, sizeof *f);
    f->sql = s;
    f->name = name;
    sql_leave(s);
    buf_init(&f->mem, s->heap);
    if (name)
        rc = sql_vfs_open_named(s, f, &flags);
    if (rc == SQLITE_OK) {
        f->base.pMethods = &sql_file_methods;
        f->remove = name && (flags & SQLITE_OPEN_DELETEONCLOSE);
        f->next = k->sql_files;
        k->sql_files = f;
        if (out)
            *out = flags;
    } else {
        file_unref(f->file);
        f->file = NULL;
    }
    sql_enter(s);
    return rc;
}

static int sql_vfs_delete(sqlite3_vfs *vfs, const char *name, int sync)
{
    struct sql *s = vfs->pAppData;
    (void)sync;
    sql_leave(s);
    int e = vfs_unlink(s->p, str_z(name));
    sql_enter(s);
    return e == HOB_ENOENT ? SQLITE_IOERR_DELETE_NOENT : e < 0 ? SQLITE_IOERR_DELETE : SQLITE_OK;
}

static int sql_vfs_access(sqlite3_vfs *vfs, const char *name, int flags, int *out)
{
    struct sql *s = vfs->pAppData;
    struct stat_info st;
    sql_leave(s);
    if (flags == SQLITE_ACCESS_EXISTS)
        *out = vfs_stat(s->p, str_z(name), 0, &st) == 0 && (!MODE_IS_FILE(st.mode) || st.size > 0);
    else
        *out = vfs_access(s->p, str_z(name), flags == SQLITE_ACCESS_READWRITE ? 6 : 4) == 0;
    sql_enter(s);
    return SQLITE_OK;
}

static int sql_vfs_full(sqlite3_vfs *vfs, const char *name, int room, char *out)
{
    struct sql *s = vfs->pAppData;
    struct buf b;
    int rc = SQLITE_CANTOPEN;
    sql_leave(s);
    buf_init(&b, s->heap);
    if (vfs_realpath(s->p, str_z(name), true, &b) < 0) {
        buf_clear(&b);
        path_normalise(&b, s->p->cwd, str_z(name));
    }
    if (b.p && b.n < (size_t)room) {
        struct stat_info st;
        bool link = vfs_stat(s->p, str_z(name), VFS_NOFOLLOW, &st) == 0 && MODE_IS_LINK(st.mode);
        memcpy(out, b.p, b.n + 1);
        rc = link ? SQLITE_OK_SYMLINK : SQLITE_OK;
    }
    buf_fini(&b);
    sql_enter(s);
    return rc;
}

/* ---- chance and time ------------------------------------------------------------------------- */

static int sql_vfs_random(sqlite3_vfs *vfs, int n, char *out)
{
    struct sql *s = vfs->pAppData;
    random_bytes(&s->p->kernel->random, out, (size_t)n);
    return n;
}

static int sql_vfs_sleep(sqlite3_vfs *vfs, int us)
{
    struct sql *s = vfs->pAppData;
    sql_leave(s);
    proc_sleep(s->p, (int64_t)us * 1000);
    sql_enter(s);
    return us;
}

/* Milliseconds since noon of the first day of the Julian count. */
static int sql_vfs_now(sqlite3_vfs *vfs, sqlite3_int64 *out)
{
    struct sql *s = vfs->pAppData;
    *out = sched_now(&s->p->kernel->sched) / 1000000 + INT64_C(210866760000000);
    return SQLITE_OK;
}

static int sql_vfs_now_days(sqlite3_vfs *vfs, double *out)
{
    sqlite3_int64 ms;
    sql_vfs_now(vfs, &ms);
    *out = (double)ms / 86400000.0;
    return SQLITE_OK;
}

static int sql_vfs_error(sqlite3_vfs *vfs, int n, char *out)
{
    (void)vfs;
    (void)n;
    (void)out;
    return 0;
}

int sql_vfs_register(struct sql *s)
{
    static const char digits[] = "0123456789abcdef";
    uintptr_t at = (uintptr_t)s;
    char *z = s->vfs_name;
    memcpy(z, "hob-", 4);
    for (z += 4; at; at >>= 4)
        *z++ = digits[at & 15];
    *z = '\0';
    s->vfs = (sqlite3_vfs){
        .iVersion = 2,
        .szOsFile = sizeof(struct sql_file),
        .mxPathname = VFS_PATH_MAX,
        .zName = s->vfs_name,
        .pAppData = s,
        .xOpen = sql_vfs_open,
        .xDelete = sql_vfs_delete,
        .xAccess = sql_vfs_access,
        .xFullPathname = sql_vfs_full,
        .xRandomness = sql_vfs_random,
        .xSleep = sql_vfs_sleep,
        .xCurrentTime = sql_vfs_now_days,
        .xGetLastError = sql_vfs_error,
        .xCurrentTimeInt64 = sql_vfs_now,
    };
    return sqlite3_vfs_register(&s->vfs, 0);
}

void sql_vfs_unregister(struct sql *s) { sqlite3_vfs_unregister(&s->vfs); }

#endif
