/* tar_header.c -- headers of members: ustar, GNU's long names, pax */
#include "commands/tar/tar.h"

#include "base/fmt.h"
#include "base/utf8.h"
#include "text/glob.h"

/* Offsets and lengths in a header block. */
enum {
    TAR_NAME = 0,
    TAR_MODE = 100,
    TAR_UID = 108,
    TAR_GID = 116,
    TAR_SIZE = 124,
    TAR_MTIME = 136,
    TAR_SUM = 148,
    TAR_TYPE = 156,
    TAR_LINK = 157,
    TAR_MAGIC = 257,
    TAR_UNAME = 265,
    TAR_GNAME = 297,
    TAR_MAJOR = 329,
    TAR_MINOR = 337,
    TAR_PREFIX = 345,
    TAR_TEXT_MAX = 1 << 20 /* of a long name or a pax header */
};

/* ---- reading --------------------------------------------------------------------------------- */

/* Octal digits, or GNU's binary form. */
static uint64_t tar_number(const char *p, size_t n)
{
    uint64_t v = 0;
    if ((unsigned char)p[0] & 0x80) {
        v = (unsigned char)p[0] & 0x3f;
        for (size_t i = 1; i < n; i++)
            v = v << 8 | (unsigned char)p[i];
        return v;
    }
    for (size_t i = 0; i < n; i++)
        if (p[i] >= '0' && p[i] <= '7')
            v = v << 3 | (uint64_t)(p[i] - '0');
        else if (p[i] != ' ' || v)
            break;
    return v;
}

static struct str tar_text(struct tar_run *r, const char *p, size_t n)
{
    const char *nul = memchr(p, '\0', n);
    return arena_str(r->p->arena, str_of(p, nul ? (size_t)(nul - p) : n));
}

static uint64_t tar_sum(const char *block)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < TAR_BLOCK; i++)
        sum += i >= TAR_SUM && i < TAR_SUM + 8 ? ' ' : (unsigned char)block[i];
    return sum;
}

/* The contents of a member that describes the next one. */
static int tar_slurp(struct tar_stream *s, uint64_t size, struct str *out)
{
    size_t got;
    if (size > TAR_TEXT_MAX)
        return HOB_EPROTO;
    char *p = arena_alloc(s->r->p->arena, (size_t)size + 1);
    if (!p)
        return HOB_ENOMEM;
    int e = tar_stream_read(s, p, (size_t)size, &got);
    p[size] = '\0';
    *out = str_of(p, (size_t)size);
    size_t rest = (TAR_BLOCK - (size_t)(size % TAR_BLOCK)) % TAR_BLOCK;
    return e < 0 ? e : tar_stream_read(s, NULL, rest, &got);
}

struct tar_extra {
    struct str name, link, user, group;
    bool have_size, have_mtime, have_uid, have_gid;
    uint64_t size, uid, gid;
    int64_t mtime;
};

static int64_t tar_pax_time(struct str v)
{
    int64_t sec = 0, ns = 0, unit = 100000000;
    size_t i = 0;
    bool minus = v.n && v.p[0] == '-';
    for (i = minus; i < v.n && ascii_digit(v.p[i]); i++)
        sec = MIN(sec * 10 + (v.p[i] - '0'), INT64_MAX / 2000000000);
    if (i < v.n && v.p[i] == '.')
        for (i++; i < v.n && ascii_digit(v.p[i]) && unit; i++, unit /= 10)
            ns += (v.p[i] - '0') * unit;
    return (minus ? -1 : 1) * (sec * 1000000000 + ns);
}

/* "27 path=some/name\n" ... */
static void tar_pax(struct str text, struct tar_extra *x)
{
    while (text.n) {
        size_t n = 0, digits = 0;
        while (digits < text.n && ascii_digit(text.p[digits]) && n < TAR_TEXT_MAX)
            n = n * 10 + (size_t)(text.p[digits++] - '0');
        if (n <= digits + 1 || n > text.n || text.p[n - 1] != '\n')
            return;
        struct str row = str_sub(text, digits + 1, n - digits - 2);
        ptrdiff_t eq = str_chr(row, '=');
        text = str_from(text, n);
        if (eq < 0)
            continue;
        struct str key = str_sub(row, 0, (size_t)eq), v = str_from(row, (size_t)eq + 1);
        if (str_eqz(key, "path"))
            x->name = v;
        else if (str_eqz(key, "linkpath"))
            x->link = v;
        else if (str_eqz(key, "uname"))
            x->user = v;
        else if (str_eqz(key, "gname"))
            x->group = v;
        else if (str_eqz(key, "size"))
            x->have_size = str_uint(v, &x->size) == 0;
        else if (str_eqz(key, "uid"))
            x->have_uid = str_uint(v, &x->uid) == 0;
        else if (str_eqz(key, "gid"))
            x->have_gid = str_uint(v, &x->gid) == 0;
        else if (str_eqz(key, "mtime"))
            x->have_mtime = true, x->mtime = tar_pax_time(v);
    }
}

static void tar_fields(struct tar_run *r, const char *b, struct tar_member *m)
{
    bool ustar = memcmp(b + TAR_MAGIC, "ustar", 5) == 0;
    m->name = tar_text(r, b + TAR_NAME, 100);
    if (ustar && b[TAR_MAGIC + 5] == '\0' && b[TAR_PREFIX]) {
        struct buf t;
        buf_init(&t, &r->p->kernel->heap);
        buf_str(&t, tar_text(r, b + TAR_PREFIX, 155));
        buf_putc(&t, '/');
        buf_str(&t, m->name);
        m->name = arena_str(r->p->arena, buf_get(&t));
        buf_fini(&t);
    }
    m->link = tar_text(r, b + TAR_LINK, 100);
    m->mode = (uint32_t)tar_number(b + TAR_MODE, 8) & 07777;
    m->uid = (uint32_t)tar_number(b + TAR_UID, 8);
    m->gid = (uint32_t)tar_number(b + TAR_GID, 8);
    m->size = tar_number(b + TAR_SIZE, 12);
    int64_t sec = (int64_t)tar_number(b + TAR_MTIME, 12);
    m->mtime = MIN(sec, INT64_MAX / 2000000000) * 1000000000;
    m->type = b[TAR_TYPE] ? b[TAR_TYPE] : '0';
    m->user = ustar ? tar_text(r, b + TAR_UNAME, 32) : STR("");
    m->group = ustar ? tar_text(r, b + TAR_GNAME, 32) : STR("");
    m->major = (uint32_t)tar_number(b + TAR_MAJOR, 8);
    m->minor = (uint32_t)tar_number(b + TAR_MINOR, 8);
}

static void tar_apply(struct tar_member *m, const struct tar_extra *x)
{
    m->name = x->name.p ? x->name : m->name;
    m->link = x->link.p ? x->link : m->link;
    m->user = x->user.p ? x->user : m->user;
    m->group = x->group.p ? x->group : m->group;
    m->size = x->have_size ? x->size : m->size;
    m->uid = x->have_uid ? (uint32_t)x->uid : m->uid;
    m->gid = x->have_gid ? (uint32_t)x->gid : m->gid;
    m->mtime = x->have_mtime ? x->mtime : m->mtime;
    if (m->type == '7' || m->type == 'S')
        m->type = '0';
    if (m->type == '0' && m->name.n && m->name.p[m->name.n - 1] == '/')
        m->type = '5';
    if (m->type != '0')
        m->size = m->type == 'D' ? m->size : 0;
}

static bool tar_is_empty(const char *b)
{
    for (size_t i = 0; i < TAR_BLOCK; i++)
        if (b[i])
            return false;
    return true;
}

/* A block that is no header: the messages of GNU tar. */
static int tar_no_header(struct tar_run *r, bool first, bool *skipping)
{
    if (first)
        tar_warn(r, "This does not look like a tar archive");
    if (!*skipping)
        tar_warn(r, "Skipping to next header");
    *skipping = true;
    r->status = 2;
    return 0;
}

/* -V when an archive is read: its label has to match the pattern. */
static bool tar_label_differs(struct tar_run *r, const struct tar_member *m)
{
    struct glob_prog *g = glob_compile(r->p->arena, r->o->label, 0);
    if (m->type != 'V')
        tar_fatal(r, "Archive not labeled to match %s", proc_quote(r->p, r->o->label));
    else if (!g || !glob_match(g, m->name))
        tar_fatal(r, "Volume %s does not match %s", proc_quote(r->p, m->name),
                  proc_quote(r->p, r->o->label));
    else
        return false;
    return true;
}

int tar_header_read(struct tar_stream *s, struct tar_member *m)
{
    struct tar_run *r = s->r;
    struct tar_extra x = {0};
    char b[TAR_BLOCK];
    size_t got;
    bool skipping = false;

    for (;;) {
        bool first = s->total == 0;
        int e = tar_stream_read(s, b, sizeof b, &got);
        if (e == HOB_ENODATA && got == 0 && !first)
            return 0; /* without the empty blocks at the end: well */
        if (e == HOB_ENODATA) {
            if (first && got) {
                tar_warn(r, "This does not look like a tar archive");
                r->status = 2;
            }
            return 0;
        }
        if (e < 0)
            return e;
        if (tar_is_empty(b)) {
            if (r->o->ignore_zeros)
                continue;
            if (r->o->block_numbers && r->o->mode == TAR_LIST)
                out_printf(&r->out, "block %llu: ** Block of NULs **\n",
                           (unsigned long long)(s->total / TAR_BLOCK - 1));
            return 0;
        }
        if (tar_number(b + TAR_SUM, 8) != tar_sum(b)) {
            e = tar_no_header(r, first, &skipping);
            if (e < 0)
                return e;
            continue;
        }
        skipping = false;
        if (!x.name.p && !x.link.p)
            r->block = s->total / TAR_BLOCK - 1;
        *m = (struct tar_member){0};
        tar_fields(r, b, m);
        struct str text;
        if (m->type == 'L' || m->type == 'K' || m->type == 'x' || m->type == 'g') {
            if ((e = tar_slurp(s, m->size, &text)) < 0)
                return e;
            if (m->type == 'L')
                x.name = str_z(text.p);
            else if (m->type == 'K')
                x.link = str_z(text.p);
            else if (m->type == 'x')
                tar_pax(text, &x);
            continue;
        }
        tar_apply(m, &x);
        if (!r->any_member && r->o->label.p && tar_label_differs(r, m))
            return HOB_ESYNTAX;
        r->any_member = true;
        return heap_gate(&r->p->kernel->heap) < 0 ? HOB_ENOMEM : 1;
    }
}

int tar_skip(struct tar_stream *s, uint64_t size)
{
    uint64_t left = (size + TAR_BLOCK - 1) / TAR_BLOCK * TAR_BLOCK;
    while (left) {
        size_t part = (size_t)MIN(left, (uint64_t)1 << 20), got;
        int e = tar_stream_read(s, NULL, part, &got);
        if (e == HOB_ENODATA)
            return tar_fatal(s->r, "Unexpected EOF in archive");
        if (e < 0)
            return e;
        left -= part;
    }
    return 0;
}

/* ---- writing --------------------------------------------------------------------------------- */

/* Octal with zeros in front and a NUL behind; numbers that do not fit in GNU's binary form. */
static void tar_put_number(char *dst, size_t n, uint64_t v)
{
    if (n < 22 && v >> (3 * (n - 1))) {
        for (size_t i = n; i-- > 0; v >>= 8)
            dst[i] = (char)v;
        dst[0] = (char)(dst[0] | 0x80);
        return;
    }
    dst[n - 1] = '\0';
    for (size_t i = n - 1; i-- > 0; v >>= 3)
        dst[i] = (char)('0' + (v & 7));
}

static void tar_put_text(char *dst, size_t n, struct str s)
{
    if (s.n)
        memcpy(dst, s.p, MIN(n, s.n));
}

static int tar_put_block(struct tar_stream *s, char *b)
{
    char sum[9];
    memset(b + TAR_SUM, ' ', 8);
    fmt_print(sum, sizeof sum, "%06llo", (unsigned long long)tar_sum(b));
    memcpy(b + TAR_SUM, sum, 7); /* the NUL with it, a blank behind */
    return tar_stream_write(s, b, TAR_BLOCK);
}

static void tar_base_block(char *b, const struct tar_member *m, int format)
{
    memset(b, 0, TAR_BLOCK);
    tar_put_text(b + TAR_NAME, 100, m->name);
    tar_put_number(b + TAR_MODE, 8, m->mode);
    tar_put_number(b + TAR_UID, 8, m->uid);
    tar_put_number(b + TAR_GID, 8, m->gid);
    tar_put_number(b + TAR_SIZE, 12, m->size);
    tar_put_number(b + TAR_MTIME, 12, m->mtime < 0 ? 0 : (uint64_t)(m->mtime / 1000000000));
    b[TAR_TYPE] = m->type;
    tar_put_text(b + TAR_LINK, 100, m->link);
    if (format == TAR_V7)
        return;
    memcpy(b + TAR_MAGIC, format == TAR_GNU ? "ustar  " : "ustar\00000", 8);
    tar_put_text(b + TAR_UNAME, 31, m->user);
    tar_put_text(b + TAR_GNAME, 31, m->group);
    if (format != TAR_GNU || m->type == '3' || m->type == '4') {
        tar_put_number(b + TAR_MAJOR, 8, m->major);
        tar_put_number(b + TAR_MINOR, 8, m->minor);
    }
}

/* A member before the member: GNU's long name ('L', 'K') or a pax header ('x'). */
static int tar_put_extra(struct tar_stream *s, char type, struct str name, struct str text,
                         bool nul)
{
    char b[TAR_BLOCK];
    static const char zeros[TAR_BLOCK];
    struct tar_member m = {.name = name, .type = type, .mode = 0644, .size = text.n + nul};
    if (type != 'x')
        m.user = STR("root"), m.group = STR("root");
    tar_base_block(b, &m, type == 'x' ? TAR_PAX : TAR_GNU);
    int e = tar_put_block(s, b);
    if (e == 0)
        e = tar_stream_write(s, text.p, text.n);
    size_t rest = (TAR_BLOCK - text.n % TAR_BLOCK) % TAR_BLOCK;
    if (nul && rest == 0)
        rest = TAR_BLOCK;
    return e < 0 ? e : tar_stream_write(s, zeros, rest);
}

/* "27 path=value\n": the number counts its own digits. */
static void tar_pax_row(struct buf *b, const char *key, struct str value)
{
    size_t n = strlen(key) + value.n + 3, digits = 1, ten = 10;
    for (; n + digits >= ten; ten *= 10)
        digits++;
    buf_printf(b, "%zu %s=%.*s\n", n + digits, key, STR_ARG(value));
}

static int tar_put_pax(struct tar_stream *s, const struct tar_member *m)
{
    struct buf b;
    char text[40];
    buf_init(&b, &s->r->p->kernel->heap);
    if (m->name.n > 100 || !utf8_valid(m->name))
        tar_pax_row(&b, "path", m->name);
    if (m->link.n > 100)
        tar_pax_row(&b, "linkpath", m->link);
    if (m->size >> 33) {
        fmt_print(text, sizeof text, "%llu", (unsigned long long)m->size);
        tar_pax_row(&b, "size", str_z(text));
    }
    if (m->mtime % 1000000000) {
        fmt_print(text, sizeof text, "%lld.%09lld", (long long)(m->mtime / 1000000000),
                  (long long)(m->mtime % 1000000000));
        struct str t = str_z(text);
        while (t.p[t.n - 1] == '0')
            t.n--;
        tar_pax_row(&b, "mtime", t);
    }
    int e = 0;
    if (b.n) {
        struct buf n;
        struct str base = files_base(m->name), dir = path_dir(files_strip(m->name));
        buf_init(&n, &s->r->p->kernel->heap);
        buf_printf(&n, "%.*s/PaxHeaders/%.*s", STR_ARG(dir.n ? dir : STR(".")), STR_ARG(base));
        e = tar_put_extra(s, 'x', buf_get(&n), buf_get(&b), false);
        buf_fini(&n);
    }
    buf_fini(&b);
    return e;
}

/* A name of up to 255 bytes in two parts, as ustar has it. */
static bool tar_split(char *b, struct str name)
{
    for (size_t i = MIN(name.n - 1, 155); i > 0; i--)
        if (name.p[i] == '/' && name.n - i - 1 <= 100 && name.n - i - 1 > 0) {
            memset(b + TAR_NAME, 0, 100);
            tar_put_text(b + TAR_NAME, 100, str_from(name, i + 1));
            tar_put_text(b + TAR_PREFIX, 155, str_sub(name, 0, i));
            return true;
        }
    return false;
}

int tar_header_write(struct tar_stream *s, const struct tar_member *m)
{
    int format = s->r->o->format, e = 0;
    char b[TAR_BLOCK];

    if (format == TAR_PAX)
        e = tar_put_pax(s, m);
    if (format == TAR_GNU && m->link.n > 100)
        e = tar_put_extra(s, 'K', STR("././@LongLink"), m->link, true);
    if (e == 0 && format == TAR_GNU && m->name.n > 100)
        e = tar_put_extra(s, 'L', STR("././@LongLink"), m->name, true);
    if (e < 0)
        return e;
    if (m->link.n > 100 && (format == TAR_USTAR || format == TAR_V7)) {
        tar_warn(s->r, "%s: link name is too long; not dumped", tar_shown(s->r, m->link));
        s->r->status = 2;
        return HOB_ENAMETOOLONG;
    }
    tar_base_block(b, m, format);
    if (m->name.n > 100 && format == TAR_USTAR && !tar_split(b, m->name)) {
        tar_warn(s->r, "%s: file name is too long (cannot be split); not dumped",
                 tar_shown(s->r, m->name));
        s->r->status = 2;
        return HOB_ENAMETOOLONG;
    }
    return tar_put_block(s, b);
}
