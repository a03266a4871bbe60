/* sql_format.c -- rows as text: the modes that write one row after the other */
#include "commands/sqlite3/sql.h"

#ifdef HAVE_SQLITE3

/* ---- values ---------------------------------------------------------------------------------- */

void sql_real(char out[64], double v)
{
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    if (bits == UINT64_C(0x7ff0000000000000))
        memcpy(out, "1e999", 6);
    else if (bits == UINT64_C(0xfff0000000000000))
        memcpy(out, "-1e999", 7);
    else
        sqlite3_snprintf(64, out, "%!.20g", v);
}

void sql_write_quoted(struct sql *s, const char *text)
{
    out_putc(s->out, '\'');
    for (; *text; text++) {
        if (*text == '\'')
            out_putc(s->out, '\'');
        out_putc(s->out, *text);
    }
    out_putc(s->out, '\'');
}

/* Something that does not occur in the text, to stand for a newline in it. */
static void sql_format_unused(const char *text, const char *a, const char *b, char out[32])
{
    sqlite3_snprintf(32, out, "%s", strstr(text, a) ? b : a);
    for (unsigned i = 0; strstr(text, out); i++)
        sqlite3_snprintf(32, out, "(%s%u)", a, i);
}

/* As sql_write_quoted(), on one line. */
static void sql_format_escaped(struct sql *s, const char *text)
{
    char nl[32] = "", cr[32] = "";
    if (strchr(text, '\n')) {
        out_puts(s->out, "replace(");
        sql_format_unused(text, "\\n", "\\012", nl);
    }
    if (strchr(text, '\r')) {
        out_puts(s->out, "replace(");
        sql_format_unused(text, "\\r", "\\015", cr);
    }
    out_putc(s->out, '\'');
    for (; *text; text++) {
        if (*text == '\n')
            out_puts(s->out, nl);
        else if (*text == '\r')
            out_puts(s->out, cr);
        else {
            if (*text == '\'')
                out_putc(s->out, '\'');
            out_putc(s->out, *text);
        }
    }
    out_putc(s->out, '\'');
    if (cr[0])
        out_printf(s->out, ",'%s',char(13))", cr);
    if (nl[0])
        out_printf(s->out, ",'%s',char(10))", nl);
}

static void sql_format_blob(struct sql *s, const struct sql_cell *c)
{
    static const char digits[] = "0123456789abcdef";
    out_puts(s->out, "X'");
    for (int i = 0; i < c->n; i++) {
        out_putc(s->out, digits[(unsigned char)c->text[i] >> 4]);
        out_putc(s->out, digits[(unsigned char)c->text[i] & 15]);
    }
    out_putc(s->out, '\'');
}

void sql_write_c(struct sql *s, const char *text)
{
    out_putc(s->out, '"');
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        switch (c) {
        case '\\': out_puts(s->out, "\\\\"); break;
        case '"': out_puts(s->out, "\\\""); break;
        case '\t': out_puts(s->out, "\\t"); break;
        case '\n': out_puts(s->out, "\\n"); break;
        case '\r': out_puts(s->out, "\\r"); break;
        default:
            if (c < 32 || c == 127)
                out_printf(s->out, "\\%03o", c);
            else
                out_putc(s->out, (char)c);
        }
    }
    out_putc(s->out, '"');
}

static void sql_format_json(struct sql *s, const char *text, size_t n)
{
    out_putc(s->out, '"');
    for (size_t i = 0; i < n; i++) {
        unsigned char c = (unsigned char)text[i];
        const char *short_form = c < 32 ? strchr("\bb\ff\nn\rr\tt", c) : NULL;
        if (c == '\\' || c == '"')
            out_putc(s->out, '\\');
        if (c >= 32)
            out_putc(s->out, (char)c);
        else if (c && short_form)
            out_printf(s->out, "\\%c", short_form[1]);
        else
            out_printf(s->out, "\\u%04x", c);
    }
    out_putc(s->out, '"');
}

static void sql_format_html(struct sql *s, const char *text)
{
    for (; *text; text++)
        switch (*text) {
        case '<': out_puts(s->out, "&lt;"); break;
        case '>': out_puts(s->out, "&gt;"); break;
        case '&': out_puts(s->out, "&amp;"); break;
        case '"': out_puts(s->out, "&quot;"); break;
        case '\'': out_puts(s->out, "&#39;"); break;
        default: out_putc(s->out, *text);
        }
}

static void sql_format_csv(struct sql *s, const char *text)
{
    bool quote = !*text || (s->colsep[0] && strstr(text, s->colsep));
    for (const char *z = text; *z && !quote; z++)
        quote = (unsigned char)*z <= ' ' || *z == '"' || *z == '\'' || (unsigned char)*z >= 127;
    if (!quote) {
        out_puts(s->out, text);
        return;
    }
    out_putc(s->out, '"');
    for (; *text; text++) {
        if (*text == '"')
            out_putc(s->out, '"');
        out_putc(s->out, *text);
    }
    out_putc(s->out, '"');
}

void sql_write_schema(struct sql *s, const char *sql, const char *tail)
{
    static const char *const ends[] = {"", "*/", "\n"};
    const char *end = "";
    /* A comment at the end must not swallow the semicolon. */
    if (tail[0] == ';' && (strstr(sql, "/*") || strstr(sql, "--")))
        for (size_t i = 0; i < COUNT(ends); i++) {
            struct buf b;
            buf_init(&b, s->heap);
            buf_addz(&b, sql);
            buf_addz(&b, ends[i]);
            buf_putc(&b, ';');
            bool complete = sqlite3_complete(buf_get(&b).p);
            buf_fini(&b);
            if (complete) {
                end = ends[i];
                break;
            }
        }
    if (sqlite3_strglob("CREATE TABLE ['\"]*", sql) == 0)
        out_printf(s->out, "CREATE TABLE IF NOT EXISTS %s%s%s", sql + 13, end, tail);
    else {
        out_puts(s->out, sql);
        out_puts(s->out, end);
        out_puts(s->out, tail);
    }
}

/* ---- rows ------------------------------------------------------------------------------------ */

static const char *sql_format_text(struct sql *s, const struct sql_row *r, int i)
{
    return r->cells[i].text ? r->cells[i].text : s->null;
}

static void sql_format_line(struct sql *s, const struct sql_row *r)
{
    int width = 5;
    for (int i = 0; i < r->n; i++)
        width = MAX(width, (int)strlen(r->names[i]));
    if (s->rows)
        out_puts(s->out, s->rowsep);
    for (int i = 0; i < r->n; i++) {
        out_printf(s->out, "%*s = ", width, r->names[i]);
        out_puts(s->out, sql_format_text(s, r, i));
        out_puts(s->out, s->rowsep);
    }
}

/* list, tabs, ascii, csv, tcl: a separator between cells, another behind the row. */
static void sql_format_cells(struct sql *s, const struct sql_row *r, bool head)
{
    for (int i = 0; i < r->n; i++) {
        const char *text = head ? r->names[i] : sql_format_text(s, r, i);
        if (i)
            out_puts(s->out, s->colsep);
        if (s->cmode == SQL_TCL)
            sql_write_c(s, text);
        else if (s->cmode == SQL_CSV && (head || r->cells[i].text))
            sql_format_csv(s, text);
        else
            out_puts(s->out, text);
    }
    out_puts(s->out, s->rowsep);
}

static void sql_format_html_row(struct sql *s, const struct sql_row *r, const char *tag, bool head)
{
    out_puts(s->out, "<TR>");
    for (int i = 0; i < r->n; i++) {
        out_printf(s->out, "<%s>", tag);
        sql_format_html(s, head ? r->names[i] : sql_format_text(s, r, i));
        out_printf(s->out, "</%s>\n", tag);
    }
    out_puts(s->out, "</TR>\n");
}

/* A value as SQL. */
static void sql_format_literal(struct sql *s, const struct sql_row *r, int i)
{
    const struct sql_cell *c = &r->cells[i];
    char real[64];
    switch (c->type) {
    case SQLITE_NULL: out_puts(s->out, "NULL"); break;
    case SQLITE_INTEGER: out_puts(s->out, c->text); break;
    case SQLITE_BLOB: sql_format_blob(s, c); break;
    case SQLITE_FLOAT: {
        double v = sqlite3_column_double(r->stmt, i);
        bool whole =
            s->cmode == SQL_INSERT && v > -9.2e18 && v < 9.2e18 && v == (double)(sqlite3_int64)v;
        if (whole)
            sqlite3_snprintf(sizeof real, real, "%lld.0", (sqlite3_int64)v);
        else
            sql_real(real, v);
        out_puts(s->out, real);
        break;
    }
    default:
        if (s->cmode == SQL_INSERT && !s->newlines)
            sql_format_escaped(s, c->text);
        else
            sql_write_quoted(s, c->text);
    }
}

static void sql_format_insert(struct sql *s, const struct sql_row *r)
{
    out_printf(s->out, "INSERT INTO %s", s->table.p ? s->table.p : "table");
    for (int i = 0; s->headers && i < r->n; i++) {
        struct buf b;
        buf_init(&b, s->heap);
        sql_quote(&b, r->names[i], sql_quote_char(r->names[i]));
        out_putc(s->out, i ? ',' : '(');
        out_str(s->out, buf_get(&b));
        buf_fini(&b);
    }
    if (s->headers)
        out_putc(s->out, ')');
    for (int i = 0; i < r->n; i++) {
        out_puts(s->out, i ? "," : " VALUES(");
        sql_format_literal(s, r, i);
    }
    out_puts(s->out, ");\n");
}

static void sql_format_quote(struct sql *s, const struct sql_row *r)
{
    for (int i = 0; s->rows == 0 && s->headers && i < r->n; i++) {
        if (i)
            out_puts(s->out, s->colsep);
        sql_write_quoted(s, r->names[i]);
    }
    if (s->rows == 0 && s->headers)
        out_puts(s->out, s->rowsep);
    for (int i = 0; i < r->n; i++) {
        if (i)
            out_puts(s->out, s->colsep);
        sql_format_literal(s, r, i);
    }
    out_puts(s->out, s->rowsep);
}

static void sql_format_json_row(struct sql *s, const struct sql_row *r)
{
    char real[64];
    out_puts(s->out, s->rows ? ",\n{" : "[{");
    for (int i = 0; i < r->n; i++) {
        const struct sql_cell *c = &r->cells[i];
        if (i)
            out_putc(s->out, ',');
        sql_format_json(s, r->names[i], strlen(r->names[i]));
        out_putc(s->out, ':');
        if (c->type == SQLITE_NULL)
            out_puts(s->out, "null");
        else if (c->type == SQLITE_FLOAT) {
            sql_real(real, sqlite3_column_double(r->stmt, i));
            out_puts(s->out, real);
        } else if (c->type == SQLITE_INTEGER)
            out_puts(s->out, c->text);
        else
            sql_format_json(s, c->text, c->type == SQLITE_BLOB ? (size_t)c->n : strlen(c->text));
    }
    out_putc(s->out, '}');
}

static bool sql_explain_among(const char *z, const char *const *list)
{
    for (; *list; list++)
        if (strcmp(z, *list) == 0)
            return true;
    return false;
}

/* How far to indent the steps of a program, on the arena: what is between the ends of a loop. The
 * statement is run once for this. */
static void sql_explain_indent(struct sql *s, sqlite3_stmt *stmt, struct sql_row *r)
{
    static const char *const next[] = {"Next",       "Prev",   "VPrev", "VNext",
                                       "SorterNext", "Return", NULL};
    static const char *const yield[] = {"Yield", "SeekLT", "SeekGT", "RowSetRead", "Rewind", NULL};
    VEC(int) indent = {0};
    VEC(char) loops = {0};
    while (sql_step(s, stmt) == SQLITE_ROW) {
        const char *op = sql_text(s, stmt, 1);
        int at = (int)indent.n;
        int to = sqlite3_column_int(stmt, 3) + at - sqlite3_column_int(stmt, 0);
        if (!vec_push(s->heap, &loops, sql_explain_among(op, yield)) ||
            !vec_push(s->heap, &indent, 0))
            break;
        bool back = sql_explain_among(op, next) && to > 0;
        if (strcmp(op, "Goto") == 0 && to >= 0 && to <= at)
            back = back || loops.p[to] || sqlite3_column_int(stmt, 2);
        for (int i = to; back && i >= 0 && i < at; i++)
            indent.p[i] += 2;
    }
    r->indent = arena_array(s->p->arena, int, indent.n + 1);
    r->nindent = r->indent ? indent.n : 0;
    if (r->nindent)
        memcpy(r->indent, indent.p, indent.n * sizeof *indent.p);
    vec_fini(s->heap, &indent);
    vec_fini(s->heap, &loops);
    sql_enter(s);
    sqlite3_reset(stmt);
    sql_leave(s);
}

static void sql_format_explain(struct sql *s, const struct sql_row *r)
{
    static const int widths[] = {4, 13, 4, 4, 4, 13, 2, 13};
    int n = MIN(r->n, (int)COUNT(widths));
    for (int i = 0; s->rows == 0 && i < n; i++)
        out_printf(s->out, "%-*s%s", widths[i], r->names[i], i == n - 1 ? "\n" : "  ");
    for (int i = 0; s->rows == 0 && i < n; i++)
        out_printf(s->out, "%.*s%s", widths[i], "-------------", i == n - 1 ? "\n" : "  ");
    for (int i = 0; i < n; i++) {
        if (i == 1 && s->rows < r->nindent)
            out_printf(s->out, "%*s", r->indent[s->rows], "");
        out_printf(s->out, "%-*s%s", i == n - 1 ? 0 : widths[i], sql_format_text(s, r, i),
                   i == n - 1 ? "\n" : "  ");
    }
}

/* ---- the tree of EXPLAIN QUERY PLAN ---------------------------------------------------------- */

static void sql_plan_add(struct sql *s, int id, int parent, const char *text)
{
    struct sql_plan one = {id, parent, arena_str(s->p->arena, str_z(text))};
    if (one.text.p)
        (void)vec_push(s->heap, &s->plan, one);
}

static bool sql_plan_more(const struct sql *s, size_t from, int parent)
{
    for (; from < s->plan.n; from++)
        if (s->plan.p[from].parent == parent)
            return true;
    return false;
}

static void sql_plan_level(struct sql *s, int parent, char *prefix, size_t n)
{
    for (size_t i = 0; i < s->plan.n; i++) {
        struct sql_plan *one = &s->plan.p[i];
        if (one->parent != parent)
            continue;
        bool more = sql_plan_more(s, i + 1, parent);
        out_printf(s->out, "%s%s%s\n", prefix, more ? "|--" : "`--", one->text.p);
        if (n < 96) {
            memcpy(prefix + n, more ? "|  " : "   ", 4);
            sql_plan_level(s, one->id, prefix, n + 3);
            prefix[n] = '\0';
        }
    }
}

void sql_plan_clear(struct sql *s) { vec_fini(s->heap, &s->plan); }

void sql_plan_render(struct sql *s)
{
    char prefix[104] = "";
    if (s->plan.n == 0)
        return;
    if (s->plan.p[0].text.p[0] == '-' && s->plan.n > 1) {
        out_printf(s->out, "%s\n", s->plan.p[0].text.p + 3);
    } else
        out_puts(s->out, "QUERY PLAN\n");
    sql_plan_level(s, 0, prefix, 0);
    sql_plan_clear(s);
}

/* ---- all of it ------------------------------------------------------------------------------- */

static void sql_format_row(struct sql *s, const struct sql_row *r)
{
    switch (s->cmode) {
    case SQL_LINE: sql_format_line(s, r); break;
    case SQL_SEMI: sql_write_schema(s, sql_format_text(s, r, 0), ";\n"); break;
    case SQL_HTML:
        if (s->rows == 0 && s->headers)
            sql_format_html_row(s, r, "TH", true);
        sql_format_html_row(s, r, "TD", false);
        break;
    case SQL_INSERT: sql_format_insert(s, r); break;
    case SQL_QUOTE: sql_format_quote(s, r); break;
    case SQL_JSON: sql_format_json_row(s, r); break;
    case SQL_EXPLAIN: sql_format_explain(s, r); break;
    case SQL_EQP:
        sql_plan_add(s, r->n > 3 ? sqlite3_column_int(r->stmt, 0) : 0,
                     r->n > 3 ? sqlite3_column_int(r->stmt, 1) : 0,
                     sql_format_text(s, r, r->n > 3 ? 3 : 0));
        break;
    default:
        if (s->rows == 0 && s->headers)
            sql_format_cells(s, r, true);
        sql_format_cells(s, r, false);
    }
    s->rows++;
}

/* The values of the row: texts as C strings, blobs whole where the mode shows them so. */
static bool sql_format_fetch(struct sql *s, struct sql_row *r)
{
    bool raw = s->cmode == SQL_INSERT || s->cmode == SQL_QUOTE || s->cmode == SQL_JSON;
    bool ok = true;
    sql_enter(s);
    for (int i = 0; i < r->n; i++) {
        struct sql_cell *c = &r->cells[i];
        c->type = sqlite3_column_type(r->stmt, i);
        c->n = 0;
        c->text = NULL;
        if (c->type == SQLITE_BLOB && raw) {
            c->text = sqlite3_column_blob(r->stmt, i);
            c->n = sqlite3_column_bytes(r->stmt, i);
            c->text = c->n ? c->text : "";
        } else if (c->type == SQLITE_FLOAT && raw)
            c->text = "";
        else if (c->type != SQLITE_NULL)
            c->text = (const char *)sqlite3_column_text(r->stmt, i);
        ok = ok && (c->text || c->type == SQLITE_NULL);
    }
    sql_leave(s);
    return ok;
}

void sql_print(struct sql *s, sqlite3_stmt *stmt)
{
    s->rows = 0;
    if (s->cmode == SQL_COLUMN || s->cmode == SQL_TABLE || s->cmode == SQL_BOX ||
        s->cmode == SQL_MARKDOWN) {
        sql_print_table(s, stmt);
        return;
    }
    struct arena_mark mark = arena_mark(s->p->arena);
    struct sql_row r = {.stmt = stmt, .n = sqlite3_column_count(stmt)};
    if (s->cmode == SQL_EXPLAIN && sqlite3_stmt_isexplain(stmt) == 1)
        sql_explain_indent(s, stmt, &r);
    if (sql_step(s, stmt) != SQLITE_ROW) {
        arena_release(s->p->arena, mark);
        return;
    }
    size_t n = (size_t)MAX(r.n, 1);
    r.cells = arena_array(s->p->arena, struct sql_cell, n);
    r.names = arena_array(s->p->arena, const char *, n);
    sql_enter(s);
    for (int i = 0; r.names && i < r.n; i++) {
        r.names[i] = sqlite3_column_name(stmt, i);
        r.names[i] = r.names[i] ? r.names[i] : "";
    }
    sql_leave(s);
    while (r.cells && r.names && !sql_over(s) && !s->out->err) {
        if (!sql_format_fetch(s, &r))
            break;
        if (r.n) /* PRAGMA incremental_vacuum gives rows without columns */
            sql_format_row(s, &r);
        if (sql_step(s, stmt) != SQLITE_ROW)
            break;
    }
    if (s->cmode == SQL_JSON && s->rows)
        out_puts(s->out, "]\n");
    if (s->cmode != SQL_EQP) /* its lines outlive the statement */
        arena_release(s->p->arena, mark);
}

#endif
