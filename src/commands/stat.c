/* stat.c -- what is known about files */
#include "shell/command.h"

#include "base/error.h"
#include "base/fmt.h"
#include "base/utf8.h"
#include "commands/lib/files.h"
#include "commands/lib/getdate.h"
#include "commands/lib/mode.h"
#include "commands/lib/users.h"
#include "shell/quote.h"

struct stat_cmd {
    bool follow, fs, terse;
    struct str format, printf, cached;
    struct proc *p;
    struct users users;
    struct date_zone zone;
    struct out out;
};

static int stat_cached(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    static const struct word_row words[] = {{"default", 0}, {"never", 1}, {"always", 2}, {NULL, 0}};
    int mode;
    (void)args;
    (void)o;
    return proc_word(p, "--cached", arg, words, &mode);
}

/* Of -c and --printf the last one counts. */
static int stat_set_format(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct stat_cmd *s = args;
    (void)p;
    s->format = o->letter ? arg : STR_NONE;
    s->printf = o->letter ? STR_NONE : arg;
    return 0;
}

static const struct opt stat_opts[] = {
    OPT_FLAG('L', "dereference", struct stat_cmd, follow, "follow links"),
    OPT_FLAG('f', "file-system", struct stat_cmd, fs, "show the file system, not the file"),
    OPT_CALL(0, "cached", stat_cached, "MODE", "accepted: always, never or default"),
    OPT_CALL('c', "format", stat_set_format, "FORMAT", "use this FORMAT, with a newline behind it"),
    OPT_CALL(0, "printf", stat_set_format, "FORMAT",
             "the same without the newline, and with backslash escapes"),
    OPT_FLAG('t', "terse", struct stat_cmd, terse, "on one line"),
    OPT_END,
};

static void stat_time(struct stat_cmd *s, struct buf *b, int64_t t)
{
    int64_t sec = t / 1000000000, ns = t % 1000000000;
    struct date d;
    if (ns < 0) {
        ns += 1000000000;
        sec--;
    }
    if (date_from_epoch(sec, (int)ns, &s->zone, &d) == 0)
        date_format(b, STR("%Y-%m-%d %H:%M:%S.%N %z"), &d, sec, true);
}

/* Seconds, with as many digits of the fraction as the precision asks for. */
static void stat_seconds(struct buf *b, int64_t t, int prec)
{
    int64_t sec = t / 1000000000, ns = t % 1000000000;
    if (ns < 0) {
        ns += 1000000000;
        sec--;
    }
    buf_printf(b, "%lld", (long long)sec);
    if (prec > 0) {
        char digits[10];
        fmt_print(digits, sizeof digits, "%09lld", (long long)ns);
        buf_putc(b, '.');
        for (int i = 0; i < prec; i++)
            buf_putc(b, i < 9 ? digits[i] : '0');
    }
}

static void stat_quoted(struct stat_cmd *s, struct buf *b, struct str path,
                        const struct stat_info *st)
{
    bool always = s->format.p || s->printf.p; /* by themselves names are quoted only if needed */
    quote_add(b, path, always ? QUOTE_SHELL_ESCAPE_ALWAYS : QUOTE_SHELL_ESCAPE, NULL);
    if (MODE_IS_LINK(st->mode)) {
        struct buf target;
        buf_init(&target, &s->p->kernel->heap);
        if (vfs_readlink(s->p, path, &target) == 0) {
            buf_addz(b, " -> ");
            quote_add(b, buf_get(&target), always ? QUOTE_SHELL_ESCAPE_ALWAYS : QUOTE_SHELL_ESCAPE,
                      NULL);
        }
        buf_fini(&target);
    }
}

static void stat_owner(struct stat_cmd *s, struct buf *b, uint32_t id, bool group)
{
    struct str name = group ? users_group(&s->users, id) : users_name(&s->users, id);
    if (name.p)
        buf_str(b, name);
    else
        buf_addz(b, "UNKNOWN");
}

/* The folder that the file's file system is mounted on. */
static void stat_mount(struct stat_cmd *s, struct buf *b, struct str path)
{
    struct stat_info st, up;
    struct buf real;
    buf_init(&real, &s->p->kernel->heap);
    if (vfs_realpath(s->p, path, false, &real) == 0 &&
        vfs_stat(s->p, buf_get(&real), 0, &st) == 0) {
        while (real.n > 1) {
            struct str dir = path_dir(buf_get(&real));
            if (vfs_stat(s->p, dir, 0, &up) < 0 || up.dev != st.dev)
                break;
            buf_cut(&real, MAX(dir.n, (size_t)1));
        }
        buf_str(b, buf_get(&real));
    }
    buf_fini(&real);
}

enum {
    STAT_TEXT,
    STAT_NUMBER,
    STAT_OCTAL,
    STAT_HEX,
    STAT_UNKNOWN
};

/* What %c stands for: text goes to b, numbers to *v. */
static int stat_value(struct stat_cmd *s, struct buf *b, char c, char pre, struct str path,
                      const struct stat_info *st, int prec, uint64_t *v)
{
    char mode[11];
    uint64_t dev = c == 't' || c == 'T' || c == 'r' || c == 'R' ? st->rdev : st->dev;
    uint64_t major = (dev >> 8) & 0xfff, minor = (dev & 0xff) | ((dev >> 12) & 0xffffff00);

    if (pre) {
        *v = pre == 'L' ? minor : major;
        return STAT_NUMBER;
    }
    switch (c) {
    case 'a': *v = st->mode & 07777; return STAT_OCTAL;
    case 'A':
        mode_string(st->mode, mode);
        buf_addz(b, mode);
        return STAT_TEXT;
    case 'b': *v = st->blocks; return STAT_NUMBER;
    case 'B': *v = 512; return STAT_NUMBER;
    case 'C': buf_putc(b, '?'); return STAT_TEXT;
    case 'd': *v = st->dev; return STAT_NUMBER;
    case 'D': *v = st->dev; return STAT_HEX;
    case 'f': *v = st->mode; return STAT_HEX;
    case 'F': buf_addz(b, files_kind(st)); return STAT_TEXT;
    case 'g': *v = st->gid; return STAT_NUMBER;
    case 'G': stat_owner(s, b, st->gid, true); return STAT_TEXT;
    case 'h': *v = st->nlink; return STAT_NUMBER;
    case 'i': *v = st->ino; return STAT_NUMBER;
    case 'm': stat_mount(s, b, path); return STAT_TEXT;
    case 'n': buf_str(b, path); return STAT_TEXT;
    case 'N': stat_quoted(s, b, path, st); return STAT_TEXT;
    case 'o': *v = 4096; return STAT_NUMBER;
    case 'r': *v = st->rdev; return STAT_NUMBER;
    case 'R': *v = st->rdev; return STAT_HEX;
    case 's': *v = st->size; return STAT_NUMBER;
    case 't': *v = major; return STAT_HEX;
    case 'T': *v = minor; return STAT_HEX;
    case 'u': *v = st->uid; return STAT_NUMBER;
    case 'U': stat_owner(s, b, st->uid, false); return STAT_TEXT;
    case 'w': stat_time(s, b, st->btime); return STAT_TEXT;
    case 'W': stat_seconds(b, st->btime, prec); return STAT_TEXT;
    case 'x': stat_time(s, b, st->atime); return STAT_TEXT;
    case 'X': stat_seconds(b, st->atime, prec); return STAT_TEXT;
    case 'y': stat_time(s, b, st->mtime); return STAT_TEXT;
    case 'Y': stat_seconds(b, st->mtime, prec); return STAT_TEXT;
    case 'z': stat_time(s, b, st->ctime); return STAT_TEXT;
    case 'Z': stat_seconds(b, st->ctime, prec); return STAT_TEXT;
    default: return STAT_UNKNOWN;
    }
}

static int stat_fs_value(struct buf *b, char c, struct str path, const struct fs_info *fs,
                         uint64_t *v)
{
    uint64_t free = (fs->bytes_total - MIN(fs->bytes_used, fs->bytes_total)) / 4096;
    switch (c) {
    case 'a':
    case 'f': *v = free; return STAT_NUMBER;
    case 'b': *v = fs->bytes_total / 4096; return STAT_NUMBER;
    case 'c': *v = fs->files_total; return STAT_NUMBER;
    case 'd': *v = fs->files_total - MIN(fs->files_used, fs->files_total); return STAT_NUMBER;
    case 'i': *v = 0; return STAT_HEX;
    case 'l': *v = 255; return STAT_NUMBER;
    case 'n': buf_str(b, path); return STAT_TEXT;
    case 's':
    case 'S': *v = 4096; return STAT_NUMBER;
    case 't': *v = 0x01021994; return STAT_HEX;
    case 'T': buf_addz(b, fs->type); return STAT_TEXT;
    default: return STAT_UNKNOWN;
    }
}

/* Flags, width and precision of one directive, and its value, to the output. */
static void stat_put(struct stat_cmd *s, const char *flags, int width, int prec, int kind,
                     struct str text, uint64_t v)
{
    char digits[32];
    struct buf padded;
    buf_init(&padded, &s->p->kernel->heap);
    if (kind != STAT_TEXT) {
        char conv = kind == STAT_OCTAL ? 'o' : kind == STAT_HEX ? 'x' : 'u';
        size_t n = 0;
        if (conv == 'o')
            n = fmt_print(digits, sizeof digits, strchr(flags, '#') ? "%#.*llo" : "%.*llo",
                          prec < 0 ? 1 : MIN(prec, 20), (unsigned long long)v);
        else if (conv == 'x')
            n = fmt_print(digits, sizeof digits, strchr(flags, '#') ? "%#.*llx" : "%.*llx",
                          prec < 0 ? 1 : MIN(prec, 20), (unsigned long long)v);
        else
            n = fmt_print(digits, sizeof digits, "%.*llu", prec < 0 ? 1 : MIN(prec, 20),
                          (unsigned long long)v);
        text = str_of(digits, n);
    } else if (prec >= 0 && (size_t)prec < text.n) {
        text.n = (size_t)prec;
    }
    size_t pad = width > 0 && (size_t)width > text.n ? (size_t)width - text.n : 0;
    bool left = strchr(flags, '-') != NULL,
         zero = strchr(flags, '0') && kind != STAT_TEXT && prec < 0;
    if (!left)
        buf_fill(&padded, zero ? '0' : ' ', pad);
    buf_str(&padded, text);
    if (left)
        buf_fill(&padded, ' ', pad);
    out_str(&s->out, buf_get(&padded));
    buf_fini(&padded);
}

/* A backslash escape of --printf. */
static void stat_escape(struct stat_cmd *s, struct str f, size_t *i)
{
    static const char from[] = "abefnrtv\"\\", to[] = "\a\b\033\f\n\r\t\v\"\\";
    if (*i == f.n) {
        proc_warn(s->p, "warning: backslash at end of format");
        out_putc(&s->out, '\\');
        return;
    }
    char c = f.p[(*i)++];
    const char *at = c ? strchr(from, c) : NULL;
    if (at) {
        out_putc(&s->out, to[at - from]);
    } else if (c >= '0' && c <= '7') {
        int v = c - '0';
        for (int n = 1; n < 3 && *i < f.n && f.p[*i] >= '0' && f.p[*i] <= '7'; n++)
            v = v * 8 + f.p[(*i)++] - '0';
        out_putc(&s->out, (char)v);
    } else if (c == 'x' && *i < f.n) {
        int v = 0, n = 0;
        for (; n < 2 && *i < f.n; n++, ++*i) {
            char h = (char)ascii_to_lower(f.p[*i]);
            int d = ascii_digit(h) ? h - '0' : h >= 'a' && h <= 'f' ? h - 'a' + 10 : -1;
            if (d < 0)
                break;
            v = v * 16 + d;
        }
        out_putc(&s->out, (char)v);
    } else {
        proc_warn(s->p, "warning: unrecognized escape '\\%c'", c);
        out_putc(&s->out, c);
    }
}

static int stat_format(struct stat_cmd *s, struct str f, struct str path,
                       const struct stat_info *st, const struct fs_info *fs, bool escapes)
{
    struct buf text;
    int bad = 0;

    buf_init(&text, &s->p->kernel->heap);
    for (size_t i = 0; i < f.n && !bad;) {
        char c = f.p[i++], flags[8] = "", pre = '\0';
        int width = 0, prec = -1, k = 0;
        uint64_t v = 0;
        if (c == '\\' && escapes) {
            stat_escape(s, f, &i);
            continue;
        }
        if (c != '%') {
            out_putc(&s->out, c);
            continue;
        }
        size_t start = i - 1;
        for (; i < f.n && strchr("'-+ #0I", f.p[i]) && f.p[i]; i++) {
            if (k < 7)
                flags[k++] = f.p[i];
        }
        for (; i < f.n && ascii_digit(f.p[i]); i++)
            width = MIN(width * 10 + f.p[i] - '0', 100000);
        if (i < f.n && f.p[i] == '.') {
            prec = 0;
            size_t digits = ++i;
            for (; i < f.n && ascii_digit(f.p[i]); i++)
                prec = MIN(prec * 10 + f.p[i] - '0', 1000);
            if (i == digits && i < f.n && strchr("WXYZ", f.p[i]))
                prec = 9;
        }
        if (i + 1 < f.n && (f.p[i] == 'H' || f.p[i] == 'L') &&
            (f.p[i + 1] == 'd' || f.p[i + 1] == 'r'))
            pre = f.p[i++];
        c = i < f.n ? f.p[i++] : '\0';
        if (c == '%' && i - start == 2) {
            out_putc(&s->out, '%');
            continue;
        }
        if (!c && i - start == 1) {
            out_putc(&s->out, '%');
            continue;
        }
        buf_clear(&text);
        bool seconds = c && strchr("WXYZ", c) && !fs;
        int kind = !c   ? STAT_UNKNOWN
                   : fs ? stat_fs_value(&text, c, path, fs, &v)
                        : stat_value(s, &text, c, pre, path, st, prec, &v);
        if (kind == STAT_UNKNOWN) {
            if (!c || c == '%') {
                proc_warn(s->p, "%s: invalid directive",
                          proc_quote(s->p, str_sub(f, start, i - start)));
                bad = 1;
                break;
            }
            out_putc(&s->out, '?');
            continue;
        }
        stat_put(s, flags, width, seconds ? -1 : prec, kind, buf_get(&text), v);
    }
    buf_fini(&text);
    return bad;
}

static struct str stat_default(const struct stat_cmd *s, const struct stat_info *st)
{
    if (s->fs)
        return s->terse ? STR("%n %i %l %t %s %S %b %f %a %c %d\n")
                        : STR("  File: \"%n\"\n    ID: %-8i Namelen: %-7l Type: %T\n"
                              "Block size: %-10s Fundamental block size: %S\n"
                              "Blocks: Total: %-10b Free: %-10f Available: %a\n"
                              "Inodes: Total: %-10c Free: %d\n");
    if (s->terse)
        return STR("%n %s %b %f %u %g %D %i %h %t %T %X %Y %Z %W %o\n");
    uint32_t type = st->mode & MODE_TYPE;
    if (type == MODE_CHR || type == MODE_BLK)
        return STR("  File: %N\n  Size: %-10s\tBlocks: %-10b IO Block: %-6o %F\n"
                   "Device: %Hd,%Ld\tInode: %-10i  Links: %-5h Device type: %Hr,%Lr\n"
                   "Access: (%04a/%10.10A)  Uid: (%5u/%8U)   Gid: (%5g/%8G)\n"
                   "Access: %x\nModify: %y\nChange: %z\n Birth: %w\n");
    return STR("  File: %N\n  Size: %-10s\tBlocks: %-10b IO Block: %-6o %F\n"
               "Device: %Hd,%Ld\tInode: %-10i  Links: %h\n"
               "Access: (%04a/%10.10A)  Uid: (%5u/%8U)   Gid: (%5g/%8G)\n"
               "Access: %x\nModify: %y\nChange: %z\n Birth: %w\n");
}

static int stat_one(struct stat_cmd *s, struct str path)
{
    struct stat_info st = {0};
    struct fs_info fs;
    int err;

    if (s->fs) {
        err = vfs_statfs(s->p, path, &fs);
        if (err < 0) {
            proc_warn(s->p, "cannot read file system information for %s: %s",
                      proc_quoteaf(s->p, path), error_text(err));
            return 1;
        }
    } else {
        if (str_eqz(path, "-"))
            err = proc_file(s->p, 0) ? file_stat(proc_file(s->p, 0), &st) : HOB_EBADF;
        else
            err = vfs_stat(s->p, path, s->follow ? 0 : VFS_NOFOLLOW, &st);
        if (err < 0) {
            if (str_eqz(path, "-"))
                proc_warn(s->p, "cannot stat standard input: %s", error_text(err));
            else
                proc_warn_quoted(s->p, "cannot statx %s", path, err);
            return 1;
        }
    }
    struct str f = s->printf.p ? s->printf : s->format.p ? s->format : stat_default(s, &st);
    int r = stat_format(s, f, path, &st, s->fs ? &fs : NULL, s->printf.p != NULL);
    if (s->format.p && !s->printf.p && r == 0)
        out_putc(&s->out, '\n');
    return r;
}

static int stat_run(struct proc *p, void *args)
{
    struct stat_cmd *s = args;
    int status = 0;

    s->p = p;
    if (p->argc == 0)
        return proc_missing_operand(p);
    users_init(&s->users, p);
    s->zone = getdate_zone(p);
    out_init(&s->out, p, 1);
    for (int i = 0; i < p->argc; i++)
        status |= stat_one(s, p->argv[i]);
    return command_close(p, &s->out, status);
}

const struct command cmd_stat = {
    .name = "stat",
    .usage = "[OPTION]... FILE...",
    .summary = "Show what is known about each FILE, or about its file system.",
    .notes =
        "Files: %a %A mode, %b blocks, %B their size, %d %D %Hd %Ld device, %f raw mode, %F type,\n"
        "%g %G group, %h links, %i inode, %m mount, %n %N name, %o I/O size, %s size, %t %T %r %R\n"
        "device type, %u %U user, %w %W birth, %x %X access, %y %Y change of data, %z %Z of "
        "status.\n"
        "File systems: %a %b %c %d %f %i %l %n %s %S %t %T.",
    .opts = stat_opts,
    .args_size = sizeof(struct stat_cmd),
    .usage_status = 1,
    .run = stat_run,
};
