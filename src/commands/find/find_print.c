/* find_print.c -- -printf and -ls */
#include "base/fmt.h"
#include "commands/find/find.h"
#include "commands/lib/files.h"

/* One field, padded to the width that was asked for. */
static void find_field(struct out *o, struct str s, int width, bool left)
{
    for (int i = (int)s.n; !left && i < width; i++)
        out_putc(o, ' ');
    out_str(o, s);
    for (int i = (int)s.n; left && i < width; i++)
        out_putc(o, ' ');
}

static char find_letter(uint32_t mode)
{
    static const char letters[] = "?pc?d?b?f?l?s???";
    return letters[(mode & MODE_TYPE) >> 12];
}

/* A time: the letter behind %A, %C, %T, or 0 for the ctime form. */
static void find_put_time(struct find *f, struct buf *b, int64_t t, char how)
{
    int64_t sec = t / 1000000000, ns = t % 1000000000;
    struct date d;
    char fmt[3] = {'%', how, 0};

    if (ns < 0) {
        ns += 1000000000;
        sec--;
    }
    if (date_from_epoch(sec, (int)ns, &f->zone, &d) < 0)
        return;
    switch (how) {
    case '@': buf_printf(b, "%lld.%09lld0", (long long)sec, (long long)ns); break;
    case '+':
        date_format(b, STR("%Y-%m-%d+%H:%M:%S"), &d, sec, true);
        buf_printf(b, ".%09lld0", (long long)ns);
        break;
    case 'S':
    case 'T':
    case 'X':
        date_format(b, str_of(fmt, 2), &d, sec, true);
        buf_printf(b, ".%09lld0", (long long)ns);
        break;
    case 0:
        date_format(b, STR("%a %b %e %H:%M:%S"), &d, sec, true);
        buf_printf(b, ".%09lld0 ", (long long)ns);
        date_format(b, STR("%Y"), &d, sec, true);
        break;
    default: date_format(b, str_of(fmt, 2), &d, sec, true);
    }
}

static void find_put_dir(struct find *f, struct buf *b)
{
    struct str path = files_strip(buf_get(&f->path));
    ptrdiff_t slash = str_rchr(path, '/');
    if (slash < 0)
        buf_putc(b, '.');
    else
        buf_add(b, path.p, (size_t)slash);
}

static void find_put_target_type(struct find *f, struct buf *b)
{
    struct stat_info st;
    if (find_type(f) != MODE_LINK) {
        buf_putc(b, find_letter(f->type));
        return;
    }
    int r = vfs_stat(f->p, buf_get(&f->path), 0, &st);
    buf_putc(b, r == 0 ? find_letter(st.mode) : r == HOB_ENOENT ? 'N' : r == HOB_ELOOP ? 'L' : '?');
}

static void find_put_number(struct buf *b, uint64_t v)
{
    buf_printf(b, "%llu", (unsigned long long)v);
}

static void find_put_owner(struct find *f, struct buf *b, bool group)
{
    struct str name = group ? users_group(&f->users, f->st.gid) : users_name(&f->users, f->st.uid);
    if (name.p)
        buf_str(b, name);
    else
        find_put_number(b, group ? f->st.gid : f->st.uid);
}

/* What %c prints. False: there is no such directive. */
static bool find_directive(struct find *f, struct buf *b, char c, char how)
{
    char mode[11];
    struct fs_info info;

    switch (c) {
    case 'p': buf_str(b, buf_get(&f->path)); return true;
    case 'f': buf_str(b, files_base(str_from(buf_get(&f->path), f->base))); return true;
    case 'h': find_put_dir(f, b); return true;
    case 'H': buf_add(b, f->path.p, f->start_len); return true;
    case 'P': {
        struct str rest = str_from(buf_get(&f->path), f->start_len);
        buf_str(b, rest.n && rest.p[0] == '/' ? str_from(rest, 1) : rest);
        return true;
    }
    case 'd': buf_printf(b, "%d", f->level); return true;
    case 'y': buf_putc(b, find_letter(find_type(f))); return true;
    case 'Y': find_put_target_type(f, b); return true;
    case 'l':
        if (find_type(f) == MODE_LINK)
            vfs_readlink(f->p, buf_get(&f->path), b);
        return true;
    case 'F':
        if (vfs_statfs(f->p, buf_get(&f->path), &info) == 0)
            buf_addz(b, info.type);
        return true;
    default: break;
    }
    if (!strchr("smMnuUgGkbiDStacATCB", c))
        return false;
    if (!find_stat(f))
        return true;
    switch (c) {
    case 's': find_put_number(b, f->st.size); break;
    case 'm': buf_printf(b, "%o", f->st.mode & 07777); break;
    case 'M':
        mode_string(f->st.mode, mode);
        buf_addz(b, mode);
        break;
    case 'n': find_put_number(b, f->st.nlink); break;
    case 'u':
    case 'g': find_put_owner(f, b, c == 'g'); break;
    case 'U': find_put_number(b, f->st.uid); break;
    case 'G': find_put_number(b, f->st.gid); break;
    case 'k': find_put_number(b, (f->st.blocks + 1) / 2); break;
    case 'b': find_put_number(b, f->st.blocks); break;
    case 'i': find_put_number(b, f->st.ino); break;
    case 'D': find_put_number(b, f->st.dev); break;
    case 'S': {
        double sparse = f->st.size ? 512.0 * (double)f->st.blocks / (double)f->st.size : 1.0;
        fmt_double(b, 'g', "", -1, -1, sparse);
        break;
    }
    case 't':
    case 'T': find_put_time(f, b, f->st.mtime, c == 'T' ? how : '\0'); break;
    case 'a':
    case 'A': find_put_time(f, b, f->st.atime, c == 'A' ? how : '\0'); break;
    case 'c':
    case 'C': find_put_time(f, b, f->st.ctime, c == 'C' ? how : '\0'); break;
    default: find_put_time(f, b, f->st.btime, how); break;
    }
    return true;
}

/* A backslash escape at s[*i]. False: \c, nothing more is printed. */
static bool find_escape(struct out *o, struct str s, size_t *i)
{
    static const char from[] = "abfnrtv\\", to[] = "\a\b\f\n\r\t\v\\";
    if (*i == s.n) {
        out_putc(o, '\\');
        return true;
    }
    char c = s.p[(*i)++];
    const char *at = c ? strchr(from, c) : NULL;
    if (c == 'c')
        return false;
    if (at) {
        out_putc(o, to[at - from]);
    } else if (c >= '0' && c <= '7') {
        int v = c - '0';
        for (int n = 1; n < 3 && *i < s.n && s.p[*i] >= '0' && s.p[*i] <= '7'; n++)
            v = v * 8 + s.p[(*i)++] - '0';
        out_putc(o, (char)v);
    } else {
        out_putc(o, '\\');
        out_putc(o, c);
    }
    return true;
}

void find_printf(struct find *f, struct find_node *n)
{
    struct out *o = &n->sink->out;
    struct str s = n->text;
    struct buf b;

    buf_init(&b, &f->p->kernel->heap);
    for (size_t i = 0; i < s.n;) {
        char c = s.p[i++];
        if (c == '\\') {
            if (!find_escape(o, s, &i)) {
                out_flush(o);
                break;
            }
            continue;
        }
        if (c != '%' || i == s.n) {
            out_putc(o, c);
            continue;
        }
        size_t start = i - 1;
        bool left = false, zero = false;
        int width = 0;
        for (; i < s.n && strchr("-0 +#", s.p[i]); i++) {
            left |= s.p[i] == '-';
            zero |= s.p[i] == '0';
        }
        for (; i < s.n && s.p[i] >= '0' && s.p[i] <= '9'; i++)
            width = MIN(width * 10 + s.p[i] - '0', 4096);
        int prec = -1;
        if (i < s.n && s.p[i] == '.') {
            prec = 0;
            for (i++; i < s.n && s.p[i] >= '0' && s.p[i] <= '9'; i++)
                prec = MIN(prec * 10 + s.p[i] - '0', 4096);
        }
        c = i < s.n ? s.p[i++] : '\0';
        if (c == '%') {
            out_putc(o, '%');
            continue;
        }
        char how = c && strchr("ATCB", c) && i < s.n ? s.p[i++] : '\0';
        buf_clear(&b);
        if (!c || !find_directive(f, &b, c, how)) {
            out_str(o, str_sub(s, start, i - start));
            continue;
        }
        if (prec >= 0 && (size_t)prec < b.n)
            buf_cut(&b, (size_t)prec);
        if (zero && !left && strchr("mskbidnUG", c)) {
            for (int k = (int)b.n; k < width; k++)
                out_putc(o, '0');
            width = 0;
        }
        find_field(o, buf_get(&b), width, left);
    }
    buf_fini(&b);
}

void find_list(struct find *f, struct find_sink *s)
{
    char mode[11];
    struct buf b;
    struct date d;

    if (!find_stat(f))
        return;
    mode_string(f->st.mode, mode);
    out_printf(&s->out, "%9llu %6llu %s %3u ", (unsigned long long)f->st.ino,
               (unsigned long long)(f->st.blocks + 1) / 2, mode, f->st.nlink);
    buf_init(&b, &f->p->kernel->heap);
    find_put_owner(f, &b, false);
    find_field(&s->out, buf_get(&b), 8, true);
    out_putc(&s->out, ' ');
    buf_clear(&b);
    find_put_owner(f, &b, true);
    find_field(&s->out, buf_get(&b), 8, true);
    out_printf(&s->out, " %8llu ", (unsigned long long)f->st.size);
    buf_clear(&b);
    bool recent = f->st.mtime <= f->now + INT64_C(3600000000000) &&
                  f->st.mtime > f->now - INT64_C(15778800000000000);
    date_from_epoch(f->st.mtime / 1000000000, 0, &f->zone, &d);
    date_format(&b, recent ? STR("%b %e %H:%M ") : STR("%b %e  %Y "), &d, 0, true);
    out_str(&s->out, buf_get(&b));
    out_str(&s->out, buf_get(&f->path));
    buf_clear(&b);
    if (MODE_IS_LINK(f->st.mode) && vfs_readlink(f->p, buf_get(&f->path), &b) == 0) {
        out_puts(&s->out, " -> ");
        out_str(&s->out, buf_get(&b));
    }
    out_putc(&s->out, '\n');
    buf_fini(&b);
}
