/* execfs.c -- files by shell commands, for drivers that have nothing but exec
 *
 * What travels is text: contents and names go through base64, so every byte arrives as it left,
 * whatever a provider does to output. Only what a POSIX shell with the GNU or the busybox tools has
 * is used. An error is read from what a tool says in the C locale: the texts are the same in both.
 * Shells have texts of their own, so `stat` is asked before they could fail. No script is longer
 * than one argument of a program may be.
 */
#include "base/error.h"
#include "sandbox/driven.h"
#include "text/base64.h"

enum {
    EXECFS_WRITE = 60 << 10, /* bytes of contents in one script */
    EXECFS_READ = 3 << 20    /* bytes of contents in one answer; a multiple of three */
};

/* TM-LOC-4: nothing in single quotes means anything to a shell. */
void execfs_quote(struct buf *b, struct str s)
{
    buf_putc(b, '\'');
    for (size_t i = 0; i < s.n; i++) {
        if (s.p[i] == '\'')
            buf_addz(b, "'\\''");
        else
            buf_putc(b, s.p[i]);
    }
    buf_putc(b, '\'');
}

/* The error that a command names, for example "rm: cannot remove 'x': Is a directory". */
static int execfs_error(struct str said, int status)
{
    static const int codes[] = {
        HOB_ENOENT, HOB_ENOTDIR, HOB_EISDIR, HOB_EEXIST, HOB_ENOTEMPTY,    HOB_EACCES,
        HOB_EPERM,  HOB_EROFS,   HOB_ENOSPC, HOB_ELOOP,  HOB_ENAMETOOLONG, HOB_EXDEV,
        HOB_EBUSY,  HOB_EINVAL,  HOB_EFBIG,  HOB_ENXIO,  HOB_ENOMEM,       HOB_EIO};
    for (size_t i = 0; i < COUNT(codes); i++)
        if (str_find(said, str_z(error_text(codes[i]))) >= 0)
            return codes[i];
    if (str_find(said, STR("nonexistent")) >= 0) /* dash, of a redirection */
        return HOB_ENOENT;
    return status == 127 ? HOB_ENOTSUP : HOB_EIO; /* 127: the tool is missing */
}

/* Runs the script; what it prints is appended to out (may be NULL). 0 or an error. */
static int execfs_run(struct hob_call *c, struct buf *script, struct buf *out)
{
    struct driven *d = c->d;
    struct buf said[2];
    hob_exec_options o = {.size = sizeof o, .cwd = "/", .script_len = script->n};
    buf_init(&said[0], &d->heap);
    buf_init(&said[1], &d->heap);
    int r = d->heap.oom ? HOB_ENOMEM : 0;
    if (r == 0) {
        c->capture = said;
        r = d->driver->exec(d->state, c, buf_get(script).p, &o);
        c->capture = NULL;
    }
    if (r > 0)
        r = execfs_error(buf_get(&said[1]), r);
    if (r == 0 && out)
        buf_str(out, buf_get(&said[0]));
    buf_fini(&said[0]);
    buf_fini(&said[1]);
    return r < 0 ? r : heap_gate(&d->heap);
}

/* A script that begins with p set to the path. */
static void execfs_begin(struct hob_call *c, struct buf *b, const char *path)
{
    buf_init(b, &c->d->heap);
    buf_addz(b, "LC_ALL=C; export LC_ALL; p=");
    execfs_quote(b, str_z(path));
    buf_addz(b, "; ");
}

static int execfs_end(struct hob_call *c, struct buf *script, struct buf *out)
{
    int r = execfs_run(c, script, out);
    buf_fini(script);
    return r;
}

/* What was encoded, appended to `to`. */
static int execfs_decode(struct buf *to, struct str text)
{
    struct base64_decoder d = {.lenient = true};
    int r = base64_decode(&d, text, to);
    return r < 0 || base64_finish(&d, to) < 0 ? HOB_EPROTO : 0;
}

/* Runs the script and hands out what it encoded. */
static int execfs_bytes(struct hob_call *c, struct buf *script, struct buf *to)
{
    struct buf text;
    buf_init(&text, &c->d->heap);
    int r = execfs_end(c, script, &text);
    if (r == 0)
        r = execfs_decode(to, buf_get(&text));
    buf_fini(&text);
    return r;
}

static int execfs_give(struct hob_call *c, int r, struct buf *b, hob_bytes *out)
{
    int oom = heap_gate(&c->d->heap);
    r = r < 0 ? r : oom;
    if (r == 0)
        r = sandbox_bytes(buf_get(b), out);
    buf_fini(b);
    return r;
}

/* ---- contents -------------------------------------------------------------------------------- */

int execfs_read(struct hob_call *c, const char *path, hob_bytes *out)
{
    struct buf all, s;
    size_t had;
    int r;
    buf_init(&all, &c->d->heap);
    do { /* one piece after the other: an answer has its limits */
        had = all.n;
        execfs_begin(c, &s, path);
        buf_addz(&s, "if [ -d \"$p\" ]; then echo \"$p: Is a directory\" >&2; exit 1; fi; "
                     "[ -e \"$p\" ] || { stat -L \"$p\"; exit 1; }; exec < \"$p\" || exit 1; ");
        if (had)
            buf_printf(&s, "tail -c +%zu | ", had + 1);
        buf_printf(&s, "head -c %d | base64", EXECFS_READ);
        r = execfs_bytes(c, &s, &all);
    } while (r == 0 && all.n - had == EXECFS_READ);
    return execfs_give(c, r, &all, out);
}

int execfs_write(struct hob_call *c, const char *path, const void *data, size_t len, int flags)
{
    size_t at = 0;
    int r;
    do {
        struct buf s;
        size_t n = MIN(len - at, (size_t)EXECFS_WRITE);
        execfs_begin(c, &s, path);
        buf_addz(&s, "d=${p%/*}; [ -d \"$d/\" ] || { stat -L \"$d/.\"; exit 1; }; ");
        buf_addz(&s, at || flags & HOB_APPEND ? "exec >> \"$p\"" : "exec > \"$p\"");
        buf_addz(&s, " || exit 1");
        if (n) {
            buf_addz(&s, "; printf %s '");
            base64_encode(&s, str_of((const char *)data + at, n), false);
            buf_addz(&s, "' | base64 -d");
        }
        r = execfs_end(c, &s, NULL);
        at += n;
    } while (r == 0 && at < len);
    return r;
}

/* ---- what is known of a file ----------------------------------------------------------------- */

int execfs_stat(struct hob_call *c, const char *path, int follow, hob_stat_t *out)
{
    struct buf s, text;
    uint64_t v[9] = {0};
    buf_init(&text, &c->d->heap);
    execfs_begin(c, &s, path);
    buf_printf(&s, "stat %s-c '%%f %%h %%u %%g %%i %%s %%X %%Y %%Z' \"$p\"", follow ? "-L " : "");
    int r = execfs_end(c, &s, &text);
    const char *at = buf_get(&text).p;
    for (size_t i = 0; r == 0 && i < COUNT(v); i++) {
        size_t digits = 0;
        for (int base = i == 0 ? 16 : 10;; at++, digits++) { /* the mode is in base 16 */
            int x = *at >= '0' && *at <= '9'                 ? *at - '0'
                    : base == 16 && *at >= 'a' && *at <= 'f' ? *at - 'a' + 10
                                                             : -1;
            if (x < 0)
                break;
            v[i] = v[i] * (uint64_t)base + (uint64_t)x;
        }
        r = digits ? 0 : HOB_EPROTO;
        at += *at == ' ';
    }
    buf_fini(&text);
    if (r == 0)
        *out = (hob_stat_t){.mode = (uint32_t)v[0],
                            .nlink = (uint32_t)v[1],
                            .uid = (uint32_t)v[2],
                            .gid = (uint32_t)v[3],
                            .ino = v[4],
                            .bytes = v[5],
                            .atime_ns = (int64_t)v[6] * 1000000000,
                            .mtime_ns = (int64_t)v[7] * 1000000000,
                            .ctime_ns = (int64_t)v[8] * 1000000000};
    return r;
}

/* Folders, then links, files, the rest, each with "./" before it; "/" parts them: it is no name. */
int execfs_readdir(struct hob_call *c, const char *path, hob_bytes *out)
{
    static const char *const types[] = {"-type d", "-type l", "-type f",
                                        "! -type d ! -type l ! -type f"};
    static const char letters[] = "dlf?";
    struct buf s, raw, list;
    buf_init(&raw, &c->d->heap);
    buf_init(&list, &c->d->heap);
    execfs_begin(c, &s, path);
    buf_addz(&s, "[ -d \"$p\" ] || { stat -L \"$p/.\"; exit 1; }; cd \"$p\" || exit 1; if ! [ -r . "
                 "]; then echo \"$p: Permission denied\" >&2; "
                 "exit 1; fi; { ");
    for (size_t i = 0; i < COUNT(types); i++)
        buf_printf(&s, "%sfind . ! -name . -prune %s -print0", i ? "; printf '/\\0'; " : "",
                   types[i]);
    buf_addz(&s, "; } | base64");
    int r = execfs_bytes(c, &s, &raw);
    struct str at = buf_get(&raw);
    for (size_t kind = 0; r == 0 && at.n;) {
        ptrdiff_t n = str_chr(at, '\0');
        if (n < 1)
            break;
        struct str name = str_sub(at, 0, (size_t)n);
        at = str_from(at, (size_t)n + 1);
        if (str_eqz(name, "/")) {
            kind = MIN(kind + 1, COUNT(types) - 1);
            continue;
        }
        buf_putc(&list, letters[kind]);
        buf_str(&list, str_starts(name, STR("./")) ? str_from(name, 2) : name);
        buf_putc(&list, '\0');
    }
    buf_fini(&raw);
    return execfs_give(c, r, &list, out);
}

int execfs_readlink(struct hob_call *c, const char *path, hob_bytes *out)
{
    struct buf s, target;
    buf_init(&target, &c->d->heap);
    execfs_begin(c, &s, path);
    buf_addz(&s, "if ! [ -L \"$p\" ]; then stat \"$p\" > /dev/null || exit 1; "
                 "echo \"$p: Invalid argument\" >&2; exit 1; fi; readlink \"$p\" | base64");
    int r = execfs_bytes(c, &s, &target);
    if (target.n && target.p[target.n - 1] == '\n')
        buf_cut(&target, target.n - 1);
    return execfs_give(c, r, &target, out);
}

/* ---- changes --------------------------------------------------------------------------------- */

int execfs_mkdir(struct hob_call *c, const char *path, int flags)
{
    struct buf s;
    execfs_begin(c, &s, path);
    buf_addz(&s, flags & HOB_RECURSIVE ? "mkdir -p \"$p\"" : "mkdir \"$p\"");
    return execfs_end(c, &s, NULL);
}

int execfs_rm(struct hob_call *c, const char *path, int flags)
{
    struct buf s;
    execfs_begin(c, &s, path);
    if (!(flags & HOB_RECURSIVE))
        buf_addz(&s, "if [ -d \"$p\" ] && ! [ -L \"$p\" ]; then echo \"$p: Is a directory\" >&2; "
                     "exit 1; fi; ");
    buf_printf(&s, "rm %s%s\"$p\"", flags & HOB_RECURSIVE ? "-r " : "",
               flags & HOB_FORCE ? "-f " : "");
    return execfs_end(c, &s, NULL);
}

/* As rename(2): a folder may only take the place of an empty folder, a file of a file. */
int execfs_rename(struct hob_call *c, const char *from, const char *to)
{
    struct buf s;
    execfs_begin(c, &s, from);
    buf_addz(&s, "q=");
    execfs_quote(&s, str_z(to));
    buf_addz(&s,
             "; d() { [ -d \"$1\" ] && ! [ -L \"$1\" ]; }; "
             "e() { echo \"$q: $1\" >&2; exit 1; }; "
             "[ -e \"$p\" ] || [ -L \"$p\" ] || e 'No such file or directory'; "
             "if d \"$q\"; then d \"$p\" || e 'Is a directory'; "
             "[ \"$p\" = \"$q\" ] && exit 0; rmdir \"$q\" || exit 1; "
             "elif d \"$p\"; then if [ -e \"$q\" ] || [ -L \"$q\" ]; then e 'Not a directory'; fi; "
             "elif [ -L \"$q\" ]; then rm -f \"$q\" || exit 1; fi; "
             "mv -f \"$p\" \"$q\"");
    return execfs_end(c, &s, NULL);
}

int execfs_symlink(struct hob_call *c, const char *target, const char *path)
{
    struct buf s;
    execfs_begin(c, &s, path);
    buf_addz(&s, "if [ -e \"$p\" ] || [ -L \"$p\" ]; then echo \"$p: File exists\" >&2; exit 1; "
                 "fi; ln -s -- ");
    execfs_quote(&s, str_z(target));
    buf_addz(&s, " \"$p\"");
    return execfs_end(c, &s, NULL);
}

int execfs_chmod(struct hob_call *c, const char *path, uint32_t mode)
{
    struct buf s;
    execfs_begin(c, &s, path);
    buf_printf(&s, "chmod %04o \"$p\"", (unsigned)mode);
    return execfs_end(c, &s, NULL);
}
