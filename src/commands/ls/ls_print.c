/* ls_print.c -- the lines and columns of a listing */
#include "commands/ls/ls.h"

#include "base/fmt.h"
#include "base/utf8.h"
#include "commands/lib/mode.h"

enum {
    LS_HALF_YEAR = 31556952 / 2,
    LS_MIN_COLUMN = 3
};

void ls_put(struct ls *l, struct str text)
{
    l->written += text.n;
    out_str(&l->out, text);
}

static void ls_putc(struct ls *l, char c)
{
    l->written++;
    out_putc(&l->out, c);
}

/* ---- names ---------------------------------------------------------------------------------- */

/* Characters that cannot be shown become ? (-q). */
static void ls_mask(struct buf *b, size_t from)
{
    size_t to = from;
    for (size_t i = from; i < b->n;) {
        int len;
        uint32_t c = utf8_decode(b->p + i, b->n - i, &len);
        if (c == UTF8_BAD || !utf8_is_print(c)) {
            b->p[to++] = '?';
        } else {
            memmove(b->p + to, b->p + i, (size_t)len);
            to += (size_t)len;
        }
        i += (size_t)len;
    }
    buf_cut(b, to);
}

/* The name as it is printed, in l->line. */
static struct str ls_quoted(struct ls *l, struct str name)
{
    buf_clear(&l->line);
    quote_add(&l->line, name, (enum quote_style)l->quoting,
              l->quoting == QUOTE_ESCAPE ? " " : NULL);
    if (l->hide_control && (l->quoting == QUOTE_LITERAL || l->quoting == QUOTE_SHELL ||
                            l->quoting == QUOTE_SHELL_ALWAYS))
        ls_mask(&l->line, 0);
    return buf_get(&l->line);
}

void ls_put_plain(struct ls *l, struct str name) { ls_put(l, ls_quoted(l, name)); }

static char ls_indicator(const struct ls *l, uint32_t mode)
{
    if (MODE_IS_DIR(mode))
        return l->indicator >= LS_SLASH ? '/' : '\0';
    if (l->indicator < LS_FILE_TYPE)
        return '\0';
    switch (mode & MODE_TYPE) {
    case MODE_FILE: return l->indicator == LS_CLASSIFY && (mode & 0111) ? '*' : '\0';
    case MODE_LINK: return '@';
    case MODE_FIFO: return '|';
    case MODE_SOCK: return '=';
    default: return '\0';
    }
}

static bool ls_aligns(const struct ls *l) { return l->align && l->some_quoted; }

void ls_measure(struct ls *l, struct ls_file *f)
{
    struct str q = ls_quoted(l, f->name);
    f->quoted = l->align && !str_eq(q, f->name);
    f->width = (uint32_t)utf8_columns(q);
    l->some_quoted |= f->quoted;
}

static void ls_put_uri(struct ls *l, struct str dir, struct str name)
{
    struct buf b;
    struct str path = STR_NONE;
    buf_init(&b, &l->p->kernel->heap);
    buf_str(&b, dir);
    if (b.n)
        buf_putc(&b, '/');
    buf_str(&b, name);
    struct buf real;
    buf_init(&real, &l->p->kernel->heap);
    path = vfs_realpath(l->p, buf_get(&b), true, &real) == 0 ? buf_get(&real) : buf_get(&b);
    out_printf(&l->out, "\033]8;;file://%.*s", STR_ARG(l->p->kernel->hostname));
    for (size_t i = 0; i < path.n; i++) {
        char c = path.p[i];
        if (ascii_alnum(c) || (c && strchr("/-._~", c)))
            out_putc(&l->out, c);
        else
            out_printf(&l->out, "%%%02x", (unsigned char)c);
    }
    out_putc(&l->out, '\a');
    buf_fini(&real);
    buf_fini(&b);
}

/* A name, coloured and linked; returns how many columns it takes. */
static size_t ls_put_name(struct ls *l, const struct ls_file *f, struct str name, bool target,
                          struct str dir)
{
    struct str code = ls_color_of(l, f, name, target);
    struct str q = ls_quoted(l, name);
    size_t width = utf8_columns(q);

    if (!target && ls_aligns(l) && !f->quoted) {
        ls_putc(l, ' ');
        width++;
    }
    if (code.p) {
        if (!l->color_used)
            out_puts(&l->out, "\033[0m");
        l->color_used = true;
        out_printf(&l->out, "\033[%.*sm", STR_ARG(code));
    }
    if (l->hyperlink && !target)
        ls_put_uri(l, dir, name);
    uint64_t start = l->written;
    ls_put(l, q);
    if (l->dired && !target && l->format == LS_LONG)
        buf_printf(&l->dired1, " %llu %llu", (unsigned long long)start,
                   (unsigned long long)l->written);
    if (l->hyperlink && !target)
        out_puts(&l->out, "\033]8;;\a");
    if (code.p)
        out_puts(&l->out, "\033[0m");
    return width;
}

static size_t ls_put_mark(struct ls *l, uint32_t mode)
{
    char mark = ls_indicator(l, mode);
    if (mark)
        ls_putc(l, mark);
    return mark != '\0';
}

/* ---- columns in front of a name ------------------------------------------------------------- */

struct ls_widths {
    int inode, blocks, nlink, owner, group, author, size, major, minor;
};

static size_t ls_number(char out[HUMAN_SIZE], uint64_t v)
{
    size_t n = fmt_uint(out, v);
    out[n] = '\0';
    return n;
}

static void ls_widen(int *w, size_t n) { *w = MAX(*w, (int)n); }

static struct str ls_owner(struct ls *l, uint32_t id, bool group, char out[HUMAN_SIZE])
{
    struct str name = l->numeric ? STR_NONE
                      : group    ? users_group(&l->users, id)
                                 : users_name(&l->users, id);
    return name.p ? name : str_of(out, ls_number(out, id));
}

static bool ls_device(const struct ls_file *f)
{
    uint32_t t = f->st.mode & MODE_TYPE;
    return t == MODE_CHR || t == MODE_BLK;
}

static uint32_t ls_major(uint64_t rdev) { return (uint32_t)((rdev >> 8) & 0xfff); }
static uint32_t ls_minor(uint64_t rdev)
{
    return (uint32_t)((rdev & 0xff) | ((rdev >> 12) & 0xffffff00));
}

static void ls_widths_of(struct ls *l, struct ls_widths *w)
{
    char num[HUMAN_SIZE];
    *w = (struct ls_widths){0};
    for (size_t i = 0; i < MAX(l->nfiles, l->nall); i++) {
        const struct ls_file *f = &l->files[i];
        if (l->inode)
            ls_widen(&w->inode, f->bad ? 1 : ls_number(num, f->st.ino));
        if (l->blocks)
            ls_widen(&w->blocks, f->bad ? 1 : human_print(num, f->st.blocks * 512, &l->block_unit));
        if (l->format != LS_LONG)
            continue;
        ls_widen(&w->nlink, f->bad ? 1 : ls_number(num, f->st.nlink));
        if (!l->no_owner)
            ls_widen(&w->owner, f->bad ? 1 : ls_owner(l, f->st.uid, false, num).n);
        if (!l->no_group)
            ls_widen(&w->group, f->bad ? 1 : ls_owner(l, f->st.gid, true, num).n);
        if (l->author)
            ls_widen(&w->author, f->bad ? 1 : ls_owner(l, f->st.uid, false, num).n);
        if (f->bad) {
            ls_widen(&w->size, 1);
        } else if (ls_device(f)) {
            ls_widen(&w->major, ls_number(num, ls_major(f->st.rdev)));
            ls_widen(&w->minor, ls_number(num, ls_minor(f->st.rdev)));
        } else {
            ls_widen(&w->size, human_print(num, f->st.size, &l->size_unit));
        }
    }
    if (w->major)
        ls_widen(&w->size, (size_t)(w->major + 2 + w->minor));
}

static void ls_put_padded(struct ls *l, struct str s, int width, bool right)
{
    int pad = width - (int)s.n;
    for (int i = 0; right && i < pad; i++)
        ls_putc(l, ' ');
    ls_put(l, s);
    for (int i = 0; !right && i < pad; i++)
        ls_putc(l, ' ');
}

/* Inode and blocks; the columns they take. */
static size_t ls_put_front(struct ls *l, const struct ls_file *f, const struct ls_widths *w)
{
    char num[HUMAN_SIZE];
    size_t cols = 0;
    if (l->inode) {
        struct str s = f->bad ? STR("?") : str_of(num, ls_number(num, f->st.ino));
        ls_put_padded(l, s, w->inode, true);
        ls_putc(l, ' ');
        cols += (size_t)MAX(w->inode, (int)s.n) + 1;
    }
    if (l->blocks) {
        struct str s =
            f->bad ? STR("?") : str_of(num, human_print(num, f->st.blocks * 512, &l->block_unit));
        ls_put_padded(l, s, w->blocks, true);
        ls_putc(l, ' ');
        cols += (size_t)MAX(w->blocks, (int)s.n) + 1;
    }
    return cols;
}

/* ---- the long format ------------------------------------------------------------------------ */

static void ls_put_time(struct ls *l, const struct ls_file *f)
{
    int64_t t = ls_time_of(l, &f->st), sec = t / 1000000000, ns = t % 1000000000;
    struct date d;

    if (ns < 0) {
        ns += 1000000000;
        sec--;
    }
    bool recent = t <= l->now && t > l->now - (int64_t)LS_HALF_YEAR * 1000000000;
    buf_clear(&l->line);
    if (date_from_epoch(sec, (int)ns, &l->zone, &d) == 0)
        date_format(&l->line, recent ? l->recent : l->old, &d, sec, true);
    ls_put(l, buf_get(&l->line));
}

static void ls_put_size(struct ls *l, const struct ls_file *f, const struct ls_widths *w)
{
    char num[HUMAN_SIZE];
    if (f->bad) {
        ls_put_padded(l, STR("?"), w->size, true);
    } else if (ls_device(f)) {
        int pad = w->size - w->major - 2 - w->minor;
        for (int i = 0; i < pad; i++)
            ls_putc(l, ' ');
        ls_put_padded(l, str_of(num, ls_number(num, ls_major(f->st.rdev))), w->major, true);
        ls_put(l, STR(", "));
        ls_put_padded(l, str_of(num, ls_number(num, ls_minor(f->st.rdev))), w->minor, true);
    } else {
        ls_put_padded(l, str_of(num, human_print(num, f->st.size, &l->size_unit)), w->size, true);
    }
}

static void ls_put_long(struct ls *l, const struct ls_file *f, const struct ls_widths *w,
                        struct str dir)
{
    char mode[12] = "?????????? ", num[HUMAN_SIZE];

    if (l->dired)
        ls_put(l, STR("  "));
    ls_put_front(l, f, w);
    if (f->bad)
        mode[0] = MODE_IS_LINK(f->st.mode)   ? 'l'
                  : MODE_IS_DIR(f->st.mode)  ? 'd'
                  : MODE_IS_FILE(f->st.mode) ? '-'
                                             : '?';
    else
        mode_string(f->st.mode, mode);
    ls_put(l, str_of(mode, 10));
    ls_putc(l, ' ');
    ls_put_padded(l, f->bad ? STR("?") : str_of(num, ls_number(num, f->st.nlink)), w->nlink, true);
    ls_putc(l, ' ');
    const bool shown[] = {!l->no_owner, !l->no_group, l->author};
    const int widths[] = {w->owner, w->group, w->author};
    for (int i = 0; i < 3; i++) {
        if (!shown[i])
            continue;
        struct str id =
            f->bad ? STR("?") : ls_owner(l, i == 1 ? f->st.gid : f->st.uid, i == 1, num);
        ls_put_padded(l, id, widths[i], l->numeric);
        ls_putc(l, ' ');
    }
    if (l->context)
        ls_put(l, STR("? "));
    ls_put_size(l, f, w);
    ls_putc(l, ' ');
    if (f->bad)
        ls_put(l, STR("           ?"));
    else
        ls_put_time(l, f);
    ls_putc(l, ' ');
    ls_put_name(l, f, f->name, false, dir);
    if (f->target.p) {
        ls_put(l, STR(" -> "));
        ls_put_name(l, f, f->target, true, dir);
        if (f->target_mode)
            ls_put_mark(l, f->target_mode);
    } else if (!f->bad) {
        ls_put_mark(l, f->st.mode);
    }
    ls_putc(l, l->zero ? '\0' : '\n');
}

/* ---- several to a line ---------------------------------------------------------------------- */

static size_t ls_columns_of(const struct ls *l, const struct ls_file *f, const struct ls_widths *w)
{
    size_t n = f->width + (ls_aligns(l) && !f->quoted);
    n += l->inode ? (size_t)w->inode + 1 : 0;
    n += l->blocks ? (size_t)w->blocks + 1 : 0;
    return n + (ls_indicator(l, f->st.mode) != '\0');
}

static size_t ls_put_short(struct ls *l, const struct ls_file *f, const struct ls_widths *w,
                           struct str dir)
{
    size_t cols = ls_put_front(l, f, w);
    cols += ls_put_name(l, f, f->name, false, dir);
    return cols + ls_put_mark(l, f->st.mode);
}

/* From column `from` to column `to`, with tabs where they reach. */
static void ls_indent(struct ls *l, size_t from, size_t to)
{
    size_t tab = (size_t)l->tab;
    while (from < to) {
        if (tab && to / tab > (from + 1) / tab) {
            ls_putc(l, '\t');
            from += tab - from % tab;
        } else {
            ls_putc(l, ' ');
            from++;
        }
    }
}

/* The most columns that fit into the line; *widths gets the width of each. */
static size_t ls_fit(struct ls *l, const size_t *len, size_t **widths)
{
    size_t n = l->nfiles, max = MIN(MAX((size_t)l->width / LS_MIN_COLUMN, (size_t)1), n);
    size_t *w = arena_array(l->p->arena, size_t, max + 1);
    if (!w)
        return 0;
    *widths = w;
    for (size_t cols = max; cols > 1; cols--) {
        size_t rows = n / cols + (n % cols != 0), total = 0;
        bool fits = true;
        for (size_t i = 0; i < cols; i++)
            w[i] = LS_MIN_COLUMN;
        total = cols * LS_MIN_COLUMN;
        for (size_t i = 0; fits && i < n; i++) {
            size_t c = l->format == LS_COLUMNS ? i / rows : i % cols;
            size_t real = len[i] + (c == cols - 1 ? 0 : 2);
            if (real > w[c]) {
                total += real - w[c];
                w[c] = real;
            }
            fits = total < (size_t)l->width;
        }
        if (fits)
            return cols;
    }
    w[0] = 0;
    return 1;
}

static void ls_print_table(struct ls *l, const struct ls_widths *w, struct str dir)
{
    struct arena_mark mark = arena_mark(l->p->arena);
    size_t *len = arena_array(l->p->arena, size_t, l->nfiles), *widths = NULL;

    for (size_t i = 0; len && i < l->nfiles; i++)
        len[i] = ls_columns_of(l, &l->files[i], w);
    size_t cols = len ? ls_fit(l, len, &widths) : 0;
    if (cols == 0)
        return;
    size_t rows = l->nfiles / cols + (l->nfiles % cols != 0);
    for (size_t row = 0; row < rows && !l->out.err; row++) {
        size_t pos = 0, col = 0;
        size_t i = l->format == LS_COLUMNS ? row : row * cols;
        for (;;) {
            ls_put_short(l, &l->files[i], w, dir);
            size_t next = l->format == LS_COLUMNS ? i + rows : i + 1;
            if (next >= l->nfiles || col + 1 >= cols)
                break;
            ls_indent(l, pos + len[i], pos + widths[col]);
            pos += widths[col++];
            i = next;
        }
        ls_putc(l, l->zero ? '\0' : '\n');
    }
    arena_release(l->p->arena, mark);
}

/* All in one line, with a separator: commas, or columns of a line without end. */
static void ls_print_row(struct ls *l, const struct ls_widths *w, struct str dir, const char *sep)
{
    size_t pos = 0;
    for (size_t i = 0; i < l->nfiles; i++) {
        size_t len = l->width ? ls_columns_of(l, &l->files[i], w) : 0;
        if (i) {
            if (l->width == 0 || pos + len + 2 < (size_t)l->width) {
                ls_put(l, str_z(sep));
                pos += 2;
            } else {
                ls_put(l, STR(",\n"));
                pos = 0;
            }
        }
        ls_put_short(l, &l->files[i], w, dir);
        pos += len;
    }
    ls_putc(l, l->zero ? '\0' : '\n');
}

void ls_print_total(struct ls *l)
{
    uint64_t blocks = 0;
    char num[HUMAN_SIZE];
    for (size_t i = 0; i < l->nfiles; i++)
        blocks += l->files[i].st.blocks;
    size_t n = human_print(num, blocks * 512, &l->block_unit);
    if (l->dired)
        ls_put(l, STR("  "));
    ls_put(l, STR("total "));
    ls_put(l, str_of(num, n));
    ls_putc(l, l->zero ? '\0' : '\n');
}

void ls_print_all(struct ls *l, struct str dir)
{
    struct ls_widths w;

    ls_widths_of(l, &w);
    if (l->nfiles == 0)
        return;
    switch (l->format) {
    case LS_LONG:
        for (size_t i = 0; i < l->nfiles && !l->out.err; i++)
            ls_put_long(l, &l->files[i], &w, dir);
        break;
    case LS_COLUMNS:
    case LS_ACROSS:
        if (l->width)
            ls_print_table(l, &w, dir);
        else
            ls_print_row(l, &w, dir, "  ");
        break;
    case LS_COMMAS: ls_print_row(l, &w, dir, ", "); break;
    default:
        for (size_t i = 0; i < l->nfiles && !l->out.err; i++) {
            ls_put_short(l, &l->files[i], &w, dir);
            ls_putc(l, l->zero ? '\0' : '\n');
        }
    }
}
