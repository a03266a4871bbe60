/* zip.h -- zip archives: their directory, shared by zip, unzip and zipinfo */
#ifndef HOB_COMMANDS_ZIP_H
#define HOB_COMMANDS_ZIP_H

#include "shell/command.h"

enum {
    ZIP_PIECE = 32 << 10,
    ZIP_STORED = 0,
    ZIP_DEFLATED = 8
};

/* One entry, as the central directory tells it. */
struct zip_entry {
    struct str name;
    uint32_t crc, attrs; /* attrs: the mode of unix in the upper half */
    uint64_t size, packed, offset;
    int64_t mtime; /* seconds since 1970 */
    uint16_t made, need, flags, method, internal;
    uint16_t dos_time, dos_date;
    struct str extra, comment;
    bool gone, synced; /* zip: is left out of the new archive */
};

struct zip_archive {
    struct proc *p;
    struct file *file;
    uint64_t size;
    struct buf directory; /* the entries borrow from it */
    struct zip_entry *entries;
    size_t n;
    struct str comment;
};

/* Reads the directory. HOB_EPROTO: this is no zip archive, HOB_ENODATA: it ends too early. The file
 * stays the caller's. */
int zip_read(struct zip_archive *a, struct proc *p, struct file *f);
void zip_free(struct zip_archive *a);
/* Bytes at an offset: HOB_ENODATA when they are not all there. */
int zip_read_at(struct zip_archive *a, uint64_t at, void *dst, size_t n);
/* Where the bytes of an entry begin. HOB_EPROTO. */
int zip_data_at(struct zip_archive *a, const struct zip_entry *e, uint64_t *at);

uint32_t zip_crc(uint32_t crc, const void *p, size_t n);
uint32_t zip_mode(const struct zip_entry *e); /* of unix, with the type; 0: not known */
static inline bool zip_is_dir(const struct zip_entry *e)
{
    return e->name.n && e->name.p[e->name.n - 1] == '/';
}

/* Parts the operands from the patterns that stand behind -x and -i. */
struct zip_lists {
    struct strs operands, exclude, include;
};
int zip_lists(struct proc *p, struct zip_lists *l);
bool zip_matches(struct proc *p, const struct strs *patterns, struct str name, bool icase);

static inline uint32_t zip_u16(const char *s)
{
    const unsigned char *u = (const unsigned char *)s;
    return (uint32_t)u[0] | (uint32_t)u[1] << 8;
}
static inline uint32_t zip_u32(const char *s) { return zip_u16(s) | zip_u16(s + 2) << 16; }
static inline uint64_t zip_u64(const char *s)
{
    return zip_u32(s) | (uint64_t)zip_u32(s + 4) << 32;
}
/* How much smaller, in percent, rounded. */
static inline int zip_percent(uint64_t size, uint64_t packed)
{
    if (size == 0 || packed >= size)
        return size == 0 || packed == size ? 0 : -(int)((200 * (packed - size) / size + 1) / 2);
    return (int)((200 * (size - packed) / size + 1) / 2);
}

#endif
