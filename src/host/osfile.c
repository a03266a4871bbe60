/* osfile.c -- files of the host by plain system calls, for the local sandbox */
#include "host/osfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/types.h"
#include "host/process.h"

enum {
    OSFILE_MOST = 1 << 30
};

static int osfile_result(int r) { return r < 0 ? process_error(errno) : 0; }

/* A growing block for the caller. */
static bool osfile_room(hob_bytes *b, size_t *cap, size_t more)
{
    if (b->len + more + 1 <= *cap)
        return true;
    size_t want = MAX(*cap * 2, b->len + more + 1);
    char *p = realloc(b->data, want);
    if (!p)
        return false;
    b->data = p;
    *cap = want;
    return true;
}

static int osfile_read_all(int fd, size_t hint, hob_bytes *out)
{
    size_t cap = 0, next = hint + 1;
    for (;;) {
        if (!osfile_room(out, &cap, next))
            return HOB_ENOMEM;
        ssize_t n = read(fd, out->data + out->len, cap - out->len - 1);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return process_error(errno);
        out->len += (size_t)n;
        if (n == 0)
            break;
        if (out->len > OSFILE_MOST)
            return HOB_EFBIG;
        next = 4096;
    }
    out->data[out->len] = '\0';
    return 0;
}

/* A fifo without a writer is empty, and never a wait. */
int osfile_read(const char *path, hob_bytes *out)
{
    struct stat st;
    *out = (hob_bytes){0};
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (fd < 0)
        return process_error(errno);
    int r = osfile_result(fstat(fd, &st));
    if (r == 0 && S_ISDIR(st.st_mode))
        r = HOB_EISDIR;
    if (r == 0 && S_ISREG(st.st_mode) && st.st_size > OSFILE_MOST)
        r = HOB_EFBIG;
    if (r == 0)
        r = osfile_read_all(fd, S_ISREG(st.st_mode) ? (size_t)st.st_size : 4096, out);
    close(fd);
    if (r < 0) {
        free(out->data);
        *out = (hob_bytes){0};
    }
    return r;
}

int osfile_write(const char *path, const void *data, size_t len, int flags)
{
    int how = flags & HOB_APPEND ? O_APPEND : O_TRUNC, r = 0;
    int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NONBLOCK | how, 0666);
    if (fd < 0)
        return process_error(errno);
    struct stat st;
    bool plain = fstat(fd, &st) == 0 && S_ISREG(st.st_mode);
    for (const char *at = data; len > 0 && r == 0;) {
        ptrdiff_t n = plain ? write(fd, at, len) : process_write(fd, at, len);
        if (plain && n < 0)
            n = process_error(errno);
        if (n == HOB_EINTR)
            continue;
        if (n < 0) {
            r = (int)n;
        } else {
            at += n;
            len -= (size_t)n;
        }
    }
    int e = osfile_result(close(fd));
    return r < 0 ? r : e;
}

static int64_t osfile_time(struct timespec t) { return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec; }

int osfile_stat(const char *path, int follow, hob_stat_t *out)
{
    struct stat st;
    if ((follow ? stat(path, &st) : lstat(path, &st)) < 0)
        return process_error(errno);
    *out = (hob_stat_t){
        .mode = st.st_mode,
        .uid = st.st_uid,
        .gid = st.st_gid,
        .nlink = (uint32_t)st.st_nlink,
        .ino = st.st_ino,
        .bytes = (uint64_t)st.st_size,
        .atime_ns = osfile_time(st.st_atim),
        .mtime_ns = osfile_time(st.st_mtim),
        .ctime_ns = osfile_time(st.st_ctim),
    };
    return 0;
}

/* ---- folders --------------------------------------------------------------------------------- */

/* What getdents64() gives. */
struct osfile_entry {
    uint64_t ino;
    int64_t off;
    unsigned short len;
    unsigned char type; /* 4 folder, 8 file, 10 link, 0 unknown */
    char name[];
};

static bool osfile_dots(const char *name)
{
    return name[0] == '.' && (!name[1] || (name[1] == '.' && !name[2]));
}

static char osfile_letter(int dir, const struct osfile_entry *e)
{
    struct stat st;
    unsigned type = e->type;
    if (type == 0 && fstatat(dir, e->name, &st, AT_SYMLINK_NOFOLLOW) == 0)
        type = (st.st_mode >> 12) & 15;
    return type == 4 ? 'd' : type == 8 ? 'f' : type == 10 ? 'l' : '?';
}

/* Calls fn for each entry but . and .. ; a result != 0 ends it. */
static int osfile_each(int dir, int (*fn)(void *ud, int dir, const struct osfile_entry *e),
                       void *ud)
{
    _Alignas(struct osfile_entry) char block[16384];
    ssize_t got;
    while ((got = syscall(SYS_getdents64, dir, block, sizeof block)) > 0)
        for (ssize_t i = 0; i < got;) {
            const struct osfile_entry *e = (const void *)(block + i);
            int r = osfile_dots(e->name) ? 0 : fn(ud, dir, e);
            if (r)
                return r;
            i += e->len;
        }
    return osfile_result((int)got);
}

struct osfile_listing {
    hob_bytes *out;
    size_t cap;
};

static int osfile_add(void *ud, int dir, const struct osfile_entry *e)
{
    struct osfile_listing *l = ud;
    size_t n = strlen(e->name) + 1;
    if (!osfile_room(l->out, &l->cap, n + 1))
        return HOB_ENOMEM;
    l->out->data[l->out->len] = osfile_letter(dir, e);
    memcpy(l->out->data + l->out->len + 1, e->name, n);
    l->out->len += n + 1;
    return 0;
}

int osfile_readdir(const char *path, hob_bytes *out)
{
    struct osfile_listing l = {out, 0};
    *out = (hob_bytes){0};
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return process_error(errno);
    int r = osfile_each(fd, osfile_add, &l);
    close(fd);
    if (r < 0) {
        free(out->data);
        *out = (hob_bytes){0};
    }
    return r;
}

static int osfile_mkdir_one(const char *path)
{
    struct stat st;
    if (mkdir(path, 0777) == 0)
        return 0;
    int e = errno;
    if ((e == EEXIST || e == EROFS || e == EACCES) && stat(path, &st) == 0)
        return S_ISDIR(st.st_mode) ? 0 : e == EEXIST ? HOB_EEXIST : HOB_ENOTDIR;
    return process_error(e);
}

int osfile_mkdir(const char *path, int flags)
{
    if (!(flags & HOB_RECURSIVE))
        return osfile_result(mkdir(path, 0777));
    char *p = strdup(path);
    int r = p ? 0 : HOB_ENOMEM;
    for (char *at = p ? p + 1 : NULL; r == 0 && at && *at;) {
        char *slash = strchr(at, '/');
        if (slash)
            *slash = '\0';
        r = osfile_mkdir_one(p);
        if (r == HOB_EEXIST && slash)
            r = HOB_ENOTDIR; /* a file stands where a parent should be */
        if (!slash)
            break;
        *slash = '/';
        at = slash + 1;
    }
    free(p);
    return r;
}

/* ---- removing -------------------------------------------------------------------------------- */

/* The way down, name by name. One descriptor is open at a time, so any depth is fine; going up is
 * checked, so that a folder moved meanwhile leads nowhere else. */
struct osfile_level {
    char *name;
    dev_t dev;
    ino_t ino; /* of the folder that the name is in */
};

struct osfile_removal {
    int dir;
    struct osfile_level *p;
    size_t n, cap;
    char *found; /* a folder that was met */
};

static int osfile_remove_entry(void *ud, int dir, const struct osfile_entry *e)
{
    struct osfile_removal *m = ud;
    if (e->type != 4 && (unlinkat(dir, e->name, 0) == 0 || errno == ENOENT))
        return 0;
    if (e->type != 4 && errno != EISDIR && errno != EPERM)
        return process_error(errno);
    if (unlinkat(dir, e->name, AT_REMOVEDIR) == 0 || errno == ENOENT)
        return 0;
    if (errno != ENOTEMPTY && errno != EEXIST)
        return process_error(errno);
    m->found = strdup(e->name);
    return m->found ? 1 : HOB_ENOMEM;
}

static int osfile_down(struct osfile_removal *m)
{
    struct stat st;
    char *name = m->found;
    m->found = NULL;
    if (m->n == m->cap) {
        size_t cap = m->cap ? m->cap * 2 : 16;
        struct osfile_level *p = realloc(m->p, cap * sizeof *p);
        if (!p) {
            free(name);
            return HOB_ENOMEM;
        }
        m->p = p;
        m->cap = cap;
    }
    int fd = fstat(m->dir, &st) < 0
                 ? -1
                 : openat(m->dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0) {
        int e = errno;
        free(name);
        return process_error(e);
    }
    m->p[m->n++] = (struct osfile_level){name, st.st_dev, st.st_ino};
    close(m->dir);
    m->dir = fd;
    return 0;
}

static int osfile_up(struct osfile_removal *m)
{
    struct stat st;
    struct osfile_level *l = &m->p[--m->n];
    int fd = openat(m->dir, "..", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int r = fd < 0 || fstat(fd, &st) < 0 ? process_error(errno) : 0;
    if (r == 0 && (st.st_dev != l->dev || st.st_ino != l->ino))
        r = HOB_EBUSY;
    if (r == 0 && unlinkat(fd, l->name, AT_REMOVEDIR) < 0 && errno != ENOENT)
        r = process_error(errno);
    free(l->name);
    if (fd >= 0) {
        close(m->dir);
        m->dir = fd;
    }
    return r;
}

static int osfile_rm_tree(const char *path)
{
    struct osfile_removal m = {.dir = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)};
    if (m.dir < 0)
        return process_error(errno);
    int r;
    for (;;) {
        lseek(m.dir, 0, SEEK_SET);
        r = osfile_each(m.dir, osfile_remove_entry, &m);
        if (r == 1)
            r = osfile_down(&m);
        else if (r == 0 && m.n)
            r = osfile_up(&m);
        else
            break;
        if (r < 0)
            break;
    }
    while (m.n)
        free(m.p[--m.n].name);
    free(m.p);
    close(m.dir);
    return r < 0 ? r : osfile_result(rmdir(path));
}

int osfile_rm(const char *path, int flags)
{
    struct stat st;
    int r = osfile_result(lstat(path, &st));
    if (r == 0 && S_ISDIR(st.st_mode))
        r = flags & HOB_RECURSIVE ? osfile_rm_tree(path) : HOB_EISDIR;
    else if (r == 0)
        r = osfile_result(unlink(path));
    return r == HOB_ENOENT && (flags & HOB_FORCE) ? 0 : r;
}

/* ---- the rest -------------------------------------------------------------------------------- */

int osfile_rename(const char *from, const char *to) { return osfile_result(rename(from, to)); }

int osfile_symlink(const char *target, const char *path)
{
    return osfile_result(symlink(target, path));
}

int osfile_readlink(const char *path, hob_bytes *out)
{
    char text[4096];
    ssize_t n = readlink(path, text, sizeof text);
    if (n < 0)
        return process_error(errno);
    out->data = malloc((size_t)n + 1);
    if (!out->data)
        return HOB_ENOMEM;
    memcpy(out->data, text, (size_t)n);
    out->data[n] = '\0';
    out->len = (size_t)n;
    return 0;
}

int osfile_chmod(const char *path, uint32_t mode) { return osfile_result(chmod(path, mode)); }
