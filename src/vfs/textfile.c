/* textfile.c -- an open file over bytes that were made for it: /proc, /usr/bin, lazy files */
#include "vfs/textfile.h"

struct textfile {
    struct file f;
    struct fs *fs;
    struct stat_info st;
    struct blob *blob;
    size_t n;      /* bytes of it */
    size_t charge; /* counted for it */
    size_t size;   /* of this block */
};

static ptrdiff_t textfile_take(struct file *file, struct proc *p, uint64_t off, struct slice *out)
{
    struct textfile *f = (struct textfile *)file;

    (void)p;
    *out = (struct slice){0};
    if (MODE_IS_DIR(f->st.mode))
        return HOB_EISDIR;
    if (off >= f->n)
        return 0;
    *out = (struct slice){blob_ref(f->blob), f->blob->data + off, f->n - (size_t)off};
    return (ptrdiff_t)out->n;
}

static ptrdiff_t textfile_read(struct file *file, struct proc *p, uint64_t off, void *dst, size_t n)
{
    struct slice s;
    ptrdiff_t r = textfile_take(file, p, off, &s);

    if (r > 0) {
        r = (ptrdiff_t)MIN(n, s.n);
        memcpy(dst, s.p, (size_t)r);
    }
    slice_drop(&s);
    return r;
}

static int textfile_stat(struct file *file, struct stat_info *st)
{
    *st = ((struct textfile *)file)->st;
    return 0;
}

static void textfile_close(struct file *file)
{
    struct textfile *f = (struct textfile *)file;
    struct fs *fs = f->fs;

    blob_unref(f->blob);
    heap_uncharge(&fs->kernel->heap, f->charge);
    heap_free(&fs->kernel->heap, f, f->size);
    fs->open_files--;
    fs_unref(fs);
}

static const struct file_ops textfile_ops = {
    .name = "text",
    .read = textfile_read,
    .take = textfile_take,
    .stat = textfile_stat,
    .close = textfile_close,
};

int textfile_open(struct fs *fs, struct str rel, const struct stat_info *st, struct blob *blob,
                  size_t n, struct file **out)
{
    struct heap *h = &fs->kernel->heap;
    size_t size = sizeof(struct textfile) + fs_path_size(fs, rel);
    size_t charge = blob ? sizeof *blob + blob->cap : 0;
    bool paid = heap_charge(h, charge);
    struct textfile *f = paid ? heap_alloc(h, size) : NULL;

    if (!f) {
        if (paid)
            heap_uncharge(h, charge);
        blob_unref(blob);
        return HOB_ENOMEM;
    }
    *f = (struct textfile){.fs = fs_ref(fs), .st = *st, .blob = blob, .n = n};
    f->charge = charge;
    f->size = size;
    f->f = (struct file){.ops = &textfile_ops,
                         .kernel = fs->kernel,
                         .refs = 1,
                         .flags = FILE_READ | FILE_SEEKABLE,
                         .path = fs_path_fill(fs, rel, (char *)(f + 1))};
    f->st.dev = fs->dev;
    fs->open_files++;
    *out = &f->f;
    return 0;
}

int textfile_copy(struct fs *fs, struct str rel, const struct stat_info *st, struct str text,
                  struct file **out)
{
    struct blob *b = NULL;

    if (text.n > 0) {
        b = blob_new(&fs->kernel->heap, text.n);
        if (!b)
            return HOB_ENOMEM;
        memcpy(b->data, text.p, text.n);
    }
    return textfile_open(fs, rel, st, b, text.n, out);
}
