/* sql_table.c -- rows as a table: column, table, box and markdown, which need all rows first */
#include "commands/sqlite3/sql.h"

#ifdef HAVE_SQLITE3

#include "base/utf8.h"

struct sql_grid {
    struct sql *s;
    sqlite3_stmt *stmt;
    int n;                   /* columns */
    int *width;              /* of each, as it turned out */
    VEC(const char *) cells; /* on the arena; the first n are the names */
    VEC(char) ends;          /* of each line: whether it is the last of its row */
    const char **rest;       /* what of a cell goes to the next line */
    bool multi;              /* some row has several lines */
};

static int sql_table_chars(const char *z)
{
    int n = 0;
    for (; *z; z++)
        n += ((unsigned char)*z & 0xc0) != 0x80;
    return n;
}

/* How many bytes of z fit into `width` characters before a newline or the end; tabs count to the
 * next multiple of eight. *room is the bytes it takes, *cols the characters. */
static size_t sql_table_fit(const char *z, int width, size_t *room, int *cols)
{
    size_t i = 0, j = 0;
    int n = 0;
    while (n < width) {
        if ((unsigned char)z[i] >= ' ') {
            n++;
            do {
                i++;
                j++;
            } while (((unsigned char)z[i] & 0xc0) == 0x80);
        } else if (z[i] == '\t') {
            do {
                n++;
                j++;
            } while ((n & 7) != 0 && n < width);
            i++;
        } else
            break;
    }
    *room = j;
    *cols = n;
    return i;
}

/* Where to break a line of words that is i bytes long: at most i. */
static size_t sql_table_break(const char *z, size_t i)
{
    size_t k;
    for (k = i; k > i / 2; k--)
        if (ascii_space((unsigned char)z[k - 1]))
            return k;
    for (k = i; k > i / 2; k--)
        if (ascii_alnum((unsigned char)z[k - 1]) != ascii_alnum((unsigned char)z[k]) &&
            ((unsigned char)z[k] & 0xc0) != 0x80)
            return k;
    return 0;
}

/* The first line of a cell, on the arena; what is left goes to *rest, or NULL. */
static const char *sql_table_line(struct sql *s, const char *z, int width, const char **rest)
{
    size_t room, i, k;
    int cols;
    width = width < 0 ? -width : width == 0 ? 1000000 : width;
    i = k = sql_table_fit(z, width, &room, &cols);
    if (cols >= width && s->wrap.words) {
        k = sql_table_break(z, i);
        if (k == 0)
            k = i;
        else
            for (i = k; z[i] == ' ';)
                i++;
    }
    if (cols >= width && (unsigned char)z[i] >= ' ')
        *rest = &z[i];
    else if (z[i] == '\r' && z[i + 1] == '\n')
        *rest = z[i + 2] ? &z[i + 2] : NULL;
    else
        *rest = z[i] == '\0' || z[i + 1] == '\0' ? NULL : &z[i + 1];
    char *out = arena_alloc(s->p->arena, room + 1);
    if (!out)
        return NULL;
    size_t j = 0;
    int n = 0;
    for (i = 0; i < k;) {
        if (z[i] == '\t') {
            do {
                n++;
                out[j++] = ' ';
            } while ((n & 7) != 0 && n < width);
            i++;
            continue;
        }
        n++;
        do
            out[j++] = z[i++];
        while (((unsigned char)z[i] & 0xc0) == 0x80);
    }
    out[j] = '\0';
    return out;
}

/* A value between quotes, for --quote. */
static const char *sql_table_quoted(struct sql *s, sqlite3_stmt *stmt, int i)
{
    char real[64];
    struct buf b;
    buf_init(&b, s->heap);
    switch (sqlite3_column_type(stmt, i)) {
    case SQLITE_NULL: buf_addz(&b, "NULL"); break;
    case SQLITE_INTEGER: buf_addz(&b, sql_text(s, stmt, i)); break;
    case SQLITE_FLOAT:
        sql_real(real, sqlite3_column_double(stmt, i));
        buf_addz(&b, real);
        break;
    case SQLITE_BLOB: {
        const unsigned char *p = sqlite3_column_blob(stmt, i);
        buf_addz(&b, "x'");
        for (int k = 0, n = sqlite3_column_bytes(stmt, i); k < n; k++)
            buf_printf(&b, "%02x", p[k]);
        buf_putc(&b, '\'');
        break;
    }
    default: sql_quote(&b, sql_text(s, stmt, i), '\'');
    }
    struct str out = arena_str(s->p->arena, buf_get(&b));
    buf_fini(&b);
    return out.p ? out.p : "";
}

static int sql_table_wrap(struct sql *s, int i)
{
    int w = i < s->nwidths ? s->widths[i] : 0;
    return w ? w : s->wrap.width;
}

static bool sql_table_put(struct sql_grid *g, int i, const char *z)
{
    const char *line = sql_table_line(g->s, z, sql_table_wrap(g->s, i), &g->rest[i]);
    if (!line || !vec_push(g->s->heap, &g->cells, line))
        return false;
    g->width[i] = MAX(g->width[i], sql_table_chars(line));
    return true;
}

/* One row of the statement, which may be several lines. */
static bool sql_table_row(struct sql_grid *g)
{
    struct sql *s = g->s;
    bool more = false;
    for (int i = 0; i < g->n; i++) {
        const char *z = s->null;
        if (s->wrap.quote)
            z = sql_table_quoted(s, g->stmt, i);
        else if (sqlite3_column_type(g->stmt, i) != SQLITE_NULL)
            z = arena_str(s->p->arena, str_z(sql_text(s, g->stmt, i))).p;
        if (!z || !sql_table_put(g, i, z))
            return false;
        more = more || g->rest[i];
    }
    while (more) {
        g->multi = true;
        if (!vec_push(s->heap, &g->ends, 0))
            return false;
        more = false;
        for (int i = 0; i < g->n; i++) {
            if (!sql_table_put(g, i, g->rest[i] ? g->rest[i] : ""))
                return false;
            more = more || g->rest[i];
        }
    }
    return vec_push(s->heap, &g->ends, 1);
}

/* ---- drawing --------------------------------------------------------------------------------- */

static void sql_table_fill(struct sql *s, const char *what, int n)
{
    while (n-- > 0)
        out_puts(s->out, what);
}

static void sql_table_rule(struct sql_grid *g, const char *left, const char *mid, const char *right,
                           const char *dash)
{
    struct sql *s = g->s;
    out_puts(s->out, left);
    for (int i = 0; i < g->n; i++) {
        sql_table_fill(s, dash, g->width[i] + 2);
        out_puts(s->out, i == g->n - 1 ? right : mid);
    }
    out_putc(s->out, '\n');
}

/* The lines around a table: 0 above it, 1 under the head and between rows, 2 at the end. */
static void sql_table_frame(struct sql_grid *g, int where)
{
    static const char *const box[3][3] = {{"┌", "┬", "┐"}, {"├", "┼", "┤"}, {"└", "┴", "┘"}};
    if (g->s->cmode == SQL_BOX)
        sql_table_rule(g, box[where][0], box[where][1], box[where][2], "─");
    else if (g->s->cmode == SQL_TABLE)
        sql_table_rule(g, "+", "+", "+", "-");
    else if (g->s->cmode == SQL_MARKDOWN && where == 1)
        sql_table_rule(g, "|", "|", "|", "-");
}

static void sql_table_cell(struct sql_grid *g, int i, const char *z, bool center)
{
    struct sql *s = g->s;
    int pad = g->width[i] - sql_table_chars(z);
    bool right = i < s->nwidths && s->widths[i] < 0;
    int before = center ? pad / 2 : right ? pad : 0;
    sql_table_fill(s, " ", before);
    out_puts(s->out, z);
    sql_table_fill(s, " ", pad - before);
}

static void sql_table_draw_line(struct sql_grid *g, const char *const *cells, bool head)
{
    struct sql *s = g->s;
    const char *bar = s->cmode == SQL_BOX ? "│" : s->cmode == SQL_COLUMN ? "" : "|";
    if (bar[0])
        out_printf(s->out, "%s ", bar);
    for (int i = 0; i < g->n; i++) {
        sql_table_cell(g, i, cells[i], head && bar[0]);
        if (!bar[0])
            out_puts(s->out, i == g->n - 1 ? "\n" : "  ");
        else
            out_printf(s->out, " %s%s", bar, i == g->n - 1 ? "\n" : " ");
    }
}

static void sql_table_draw(struct sql_grid *g)
{
    struct sql *s = g->s;
    sql_table_frame(g, 0);
    if (s->cmode != SQL_COLUMN || s->headers)
        sql_table_draw_line(g, g->cells.p, true);
    for (int i = 0; s->cmode == SQL_COLUMN && s->headers && i < g->n; i++) {
        sql_table_fill(s, "-", g->width[i]);
        out_puts(s->out, i == g->n - 1 ? "\n" : "  ");
    }
    sql_table_frame(g, 1);
    for (size_t row = 0; row < g->ends.n; row++) {
        sql_table_draw_line(g, g->cells.p + (row + 1) * (size_t)g->n, false);
        if (!g->multi || !g->ends.p[row] || row + 1 == g->ends.n || s->cmode == SQL_MARKDOWN)
            continue;
        if (s->cmode == SQL_COLUMN)
            out_putc(s->out, '\n');
        else
            sql_table_frame(g, 1);
    }
    sql_table_frame(g, 2);
}

/* Each column that was ever shown has a width, as .show tells: 0 unless .width said more. */
static bool sql_table_widths(struct sql *s, int n)
{
    if (n <= s->nwidths)
        return true;
    int *more = arena_array(s->p->arena, int, n);
    if (!more)
        return false;
    if (s->nwidths)
        memcpy(more, s->widths, (size_t)s->nwidths * sizeof *more);
    s->widths = more;
    s->nwidths = n;
    return true;
}

void sql_print_table(struct sql *s, sqlite3_stmt *stmt)
{
    struct sql_grid g = {.s = s, .stmt = stmt, .n = sqlite3_column_count(stmt)};
    if (sql_step(s, stmt) != SQLITE_ROW || g.n == 0)
        return;
    bool known = sql_table_widths(s, g.n);
    struct arena_mark mark = arena_mark(s->p->arena);
    g.width = arena_array(s->p->arena, int, g.n);
    g.rest = arena_array(s->p->arena, const char *, g.n);
    bool ok = g.width && g.rest && known;
    for (int i = 0; ok && i < g.n; i++) {
        g.width[i] = i < s->nwidths ? s->widths[i] < 0 ? -s->widths[i] : s->widths[i] : 0;
        sql_enter(s);
        const char *name = sqlite3_column_name(stmt, i);
        sql_leave(s);
        ok = sql_table_put(&g, i, name ? name : "");
    }
    while (ok && !sql_over(s)) {
        ok = sql_table_row(&g);
        if (ok && sql_step(s, stmt) != SQLITE_ROW)
            break;
    }
    if (ok && !sql_over(s))
        sql_table_draw(&g);
    vec_fini(s->heap, &g.cells);
    vec_fini(s->heap, &g.ends);
    arena_release(s->p->arena, mark);
}

#endif
