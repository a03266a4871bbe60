/* sql_dump.c -- .tables, .indexes, .schema, .fullschema and .dump: what a database holds */
#include "commands/sqlite3/sql.h"

#ifdef HAVE_SQLITE3

#include "base/utf8.h"

static int sql_dump_error(struct sql *s)
{
    return sql_complain(s, "Error: %s\n", sqlite3_errmsg(s->db));
}

/* The names of the attached databases, on the arena: main first. */
static bool sql_dump_databases(struct sql *s, struct strs *out)
{
    sqlite3_stmt *q = NULL;
    bool ok = sql_prepare(s, "PRAGMA database_list", &q, NULL) == SQLITE_OK;
    while (ok && sql_step(s, q) == SQLITE_ROW) {
        struct str name = arena_str(s->p->arena, str_z(sql_text(s, q, 1)));
        ok = name.p && proc_push(s->p, out, name);
    }
    sql_finalize(s, q);
    return ok || sql_dump_error(s) < 0;
}

/* ---- .tables --------------------------------------------------------------------------------- */

static void sql_tables_print(struct sql *s, const struct strs *names)
{
    size_t widest = 0;
    for (size_t i = 0; i < names->n; i++)
        widest = MAX(widest, names->p[i].n);
    size_t columns = MAX(80 / (widest + 2), (size_t)1);
    size_t rows = (names->n + columns - 1) / columns;
    for (size_t i = 0; i < rows; i++) {
        for (size_t j = i; j < names->n; j += rows)
            out_printf(s->out, "%s%-*s", j < rows ? "" : "  ", (int)widest, names->p[j].p);
        out_putc(s->out, '\n');
    }
}

int sql_tables(struct sql *s, char **arg, int n)
{
    struct strs dbs = {0}, names = {0};
    sqlite3_stmt *q = NULL;
    struct buf b;
    if (!sql_open(s) || !sql_dump_databases(s, &dbs))
        return 1;
    buf_init(&b, s->heap);
    for (size_t i = 0; i < dbs.n; i++) {
        buf_addz(&b, i ? " UNION ALL SELECT " : "SELECT ");
        if (!str_eqz(dbs.p[i], "main")) {
            sql_quote(&b, dbs.p[i].p, '\'');
            buf_addz(&b, "||'.'||");
        }
        buf_addz(&b, "name FROM ");
        sql_quote(&b, dbs.p[i].p, '"');
        buf_addz(&b, arg[0][0] == 'i' ? ".sqlite_schema WHERE type='index' AND tbl_name LIKE ?1"
                                      : ".sqlite_schema WHERE type IN ('table','view') AND name "
                                        "NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name LIKE ?1");
    }
    buf_addz(&b, " ORDER BY 1");
    bool ok = sql_prepare(s, buf_get(&b).p, &q, NULL) == SQLITE_OK;
    buf_fini(&b);
    if (!ok)
        return sql_dump_error(s);
    sql_enter(s);
    sqlite3_bind_text(q, 1, n > 1 ? arg[1] : "%", -1, SQLITE_TRANSIENT);
    sql_leave(s);
    while (ok && sql_step(s, q) == SQLITE_ROW) {
        struct str name = arena_str(s->p->arena, str_z(sql_text(s, q, 0)));
        ok = name.p && proc_push(s->p, &names, name);
    }
    ok = sql_finalize(s, q) == SQLITE_OK && ok;
    if (!ok)
        return sql_dump_error(s);
    sql_tables_print(s, &names);
    return 0;
}

/* ---- .schema --------------------------------------------------------------------------------- */

/* What is left of the line is blank. */
static bool sql_schema_blank(const char *z)
{
    for (; *z; z++) {
        if (*z == '\n')
            return true;
        if (z[0] == '-' && z[1] == '-')
            return true;
        if (!ascii_space((unsigned char)*z))
            return false;
    }
    return true;
}

/* The text with single blanks, none beside parentheses. */
static void sql_schema_squeeze(struct buf *b, const char *z)
{
    while (ascii_space((unsigned char)*z))
        z++;
    for (; *z; z++) {
        char last = b->n ? b->p[b->n - 1] : '\0';
        if (ascii_space((unsigned char)*z)) {
            if (last == '\r')
                b->p[b->n - 1] = '\n';
            if (ascii_space((unsigned char)last) || last == '(')
                continue;
        } else if ((*z == '(' || *z == ')') && ascii_space((unsigned char)last) && b->n)
            buf_cut(b, b->n - 1);
        buf_putc(b, *z);
    }
    while (b->n && ascii_space((unsigned char)b->p[b->n - 1]))
        buf_cut(b, b->n - 1);
}

/* --indent: a long statement gets a line for each part between the outer parentheses. */
static void sql_schema_pretty(struct sql *s, const char *sql)
{
    struct buf all, line;
    int depth = 0, lines = 0;
    char end = 0;
    if (sqlite3_strlike("CREATE VIEW%", sql, 0) == 0 ||
        sqlite3_strlike("CREATE TRIG%", sql, 0) == 0) {
        out_printf(s->out, "%s;\n", sql);
        return;
    }
    buf_init(&all, s->heap);
    buf_init(&line, s->heap);
    sql_schema_squeeze(&all, sql);
    const char *z = buf_get(&all).p;
    for (; all.n >= 79 && *z; z++) {
        char c = *z;
        if (c == end)
            end = 0;
        else if (c == '"' || c == '\'' || c == '`')
            end = c;
        else if (c == '[')
            end = ']';
        else if (c == '-' && z[1] == '-')
            end = '\n';
        else if (c == '(')
            depth++;
        else if (c == ')' && --depth == 0 && lines > 0 && line.n) {
            sql_write_schema(s, buf_get(&line).p, "\n");
            buf_clear(&line);
        }
        buf_putc(&line, c);
        if (depth != 1 || end || !(c == '(' || c == '\n' || (c == ',' && !sql_schema_blank(z + 1))))
            continue;
        if (c == '\n')
            buf_cut(&line, line.n - 1);
        sql_write_schema(s, buf_get(&line).p, "\n  ");
        buf_clear(&line);
        lines++;
        while (ascii_space((unsigned char)z[1]))
            z++;
    }
    sql_write_schema(s, all.n >= 79 ? buf_get(&line).p : buf_get(&all).p, ";\n");
    buf_fini(&all);
    buf_fini(&line);
}

/* A view or virtual table has no list of columns in its text: it comes as a comment. */
static void sql_schema_columns(struct sql *s, struct buf *b, struct str db, const char *name)
{
    sqlite3_stmt *q = NULL;
    struct buf t;
    bool main = str_eqz(db, "main"), first = true;
    buf_init(&t, s->heap);
    buf_addz(&t, "PRAGMA ");
    sql_quote(&t, db.p, '"');
    buf_addz(&t, ".table_info=");
    sql_quote(&t, name, '\'');
    if (sql_prepare(s, buf_get(&t).p, &q, NULL) == SQLITE_OK)
        while (sql_step(s, q) == SQLITE_ROW) {
            const char *column = sql_text(s, q, 1);
            if (first) {
                buf_addz(b, "\n/* ");
                if (!main) {
                    sql_quote(b, db.p, str_eqz(db, "temp") ? 0 : sql_quote_char(db.p));
                    buf_putc(b, '.');
                }
                sql_quote(b, name, sql_quote_char(name));
            }
            buf_putc(b, first ? '(' : ',');
            sql_quote(b, column, sql_quote_char(column));
            first = false;
        }
    sql_finalize(s, q);
    if (!first)
        buf_addz(b, ") */");
    buf_fini(&t);
}

/* The statement as .schema shows it: with the database in front of the name, if it is not main. */
static void sql_schema_text(struct sql *s, struct buf *b, struct str db, const char *name,
                            const char *sql)
{
    static const char *const kinds[] = {"TABLE", "INDEX",   "UNIQUE INDEX",
                                        "VIEW",  "TRIGGER", "VIRTUAL TABLE"};
    for (size_t i = 0; i < COUNT(kinds); i++) {
        size_t n = strlen(kinds[i]);
        if (strncmp(sql, "CREATE ", 7) || strncmp(sql + 7, kinds[i], n) || sql[7 + n] != ' ')
            continue;
        if (str_eqz(db, "main"))
            buf_addz(b, sql);
        else {
            buf_add(b, sql, 7 + n);
            buf_putc(b, ' ');
            sql_quote(b, db.p, str_eqz(db, "temp") ? 0 : sql_quote_char(db.p));
            buf_putc(b, '.');
            buf_addz(b, sql + 8 + n);
        }
        if (kinds[i][0] == 'V')
            sql_schema_columns(s, b, db, name);
        return;
    }
    buf_addz(b, sql);
}

struct sql_schema {
    const char *pattern;
    bool indent, nosys, comments;
};

static int sql_schema_database(struct sql *s, struct str db, const struct sql_schema *o)
{
    sqlite3_stmt *q = NULL;
    struct buf b;
    bool glob = o->pattern && o->pattern[strcspn(o->pattern, "*?[")];
    buf_init(&b, s->heap);
    buf_addz(&b, "SELECT sql, name FROM ");
    sql_quote(&b, db.p, '"');
    buf_addz(&b, ".sqlite_schema WHERE sql IS NOT NULL");
    if (o->nosys)
        buf_addz(&b, " AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'");
    if (o->pattern) {
        buf_addz(&b, strchr(o->pattern, '.') ? " AND lower(?2||'.'||tbl_name) "
                                             : " AND lower(tbl_name) ");
        buf_addz(&b, glob ? "GLOB lower(?1)" : "LIKE lower(?1) ESCAPE '\\'");
    }
    buf_addz(&b, " ORDER BY rowid");
    int rc = sql_prepare(s, buf_get(&b).p, &q, NULL);
    if (rc == SQLITE_OK && o->pattern) {
        sql_enter(s);
        sqlite3_bind_text(q, 1, o->pattern, -1, SQLITE_TRANSIENT);
        sqlite3_bind_text(q, 2, db.p, -1, SQLITE_TRANSIENT);
        sql_leave(s);
    }
    while (rc == SQLITE_OK && sql_step(s, q) == SQLITE_ROW) {
        struct str sql = arena_str(s->p->arena, str_z(sql_text(s, q, 0)));
        buf_clear(&b);
        if (!sql.p)
            break;
        if (o->comments)
            sql_schema_text(s, &b, db, sql_text(s, q, 1), sql.p);
        else
            buf_str(&b, sql);
        if (o->indent)
            sql_schema_pretty(s, buf_get(&b).p);
        else
            sql_write_schema(s, buf_get(&b).p, ";\n");
    }
    buf_fini(&b);
    int done = sql_finalize(s, q);
    return rc == SQLITE_OK && done == SQLITE_OK ? 0 : sql_dump_error(s);
}

int sql_schema(struct sql *s, char **arg, int n)
{
    struct sql_schema o = {.comments = true};
    struct strs dbs = {0};
    int rc = 0;
    for (int i = 1; i < n; i++) {
        const char *z = arg[i] + (arg[i][0] == '-' && arg[i][1] == '-');
        if (strcmp(z, "-indent") == 0)
            o.indent = true;
        else if (strcmp(z, "-nosys") == 0)
            o.nosys = true;
        else if (z[0] == '-')
            return sql_complain(s, "Unknown option: \"%s\"\n", arg[i]);
        else if (o.pattern)
            return sql_complain(s, "Usage: .schema ?--indent? ?--nosys? ?LIKE-PATTERN?\n");
        else
            o.pattern = arg[i];
    }
    if (!sql_open(s) || !sql_dump_databases(s, &dbs))
        return 1;
    if (o.pattern &&
        (sqlite3_strlike(o.pattern, "sqlite_schema", '\\') == 0 ||
         sqlite3_strlike(o.pattern, "sqlite_master", '\\') == 0) &&
        o.pattern[0] != '%')
        out_printf(s->out,
                   "CREATE TABLE %s (\n  type text,\n  name text,\n  tbl_name text,\n"
                   "  rootpage integer,\n  sql text\n);\n",
                   o.pattern);
    for (size_t i = 0; i < dbs.n && rc == 0; i++)
        rc = sql_schema_database(s, dbs.p[i], &o);
    return rc;
}

/* Runs a query whose rows are written as INSERT statements. */
static int sql_dump_rows(struct sql *s, const char *query, struct str table)
{
    struct str err, was = s->table;
    int mode = s->mode, rc;
    bool headers = s->headers;
    s->mode = SQL_INSERT;
    s->headers = false;
    s->table = table;
    rc = sql_run(s, query, &err);
    s->mode = mode;
    s->headers = headers;
    s->table = was;
    return rc;
}

int sql_fullschema(struct sql *s, char **arg, int n)
{
    struct sql_schema o = {.nosys = true};
    sqlite3_stmt *q = NULL;
    if (n == 2 && strcmp(arg[1] + (arg[1][0] == '-' && arg[1][1] == '-'), "-indent") == 0)
        o.indent = true;
    else if (n != 1)
        return sql_complain(s, "Usage: .fullschema ?--indent?\n");
    if (!sql_open(s) || sql_schema_database(s, STR("main"), &o))
        return 1;
    bool stats = sql_prepare(s, "SELECT 1 FROM sqlite_schema WHERE name GLOB 'sqlite_stat[134]'",
                             &q, NULL) == SQLITE_OK &&
                 sql_step(s, q) == SQLITE_ROW;
    sql_finalize(s, q);
    if (!stats) {
        out_puts(s->out, "/* No STAT tables available */\n");
        return 0;
    }
    out_puts(s->out, "ANALYZE sqlite_schema;\n");
    sql_dump_rows(s, "SELECT * FROM sqlite_stat1", STR("sqlite_stat1"));
    sql_dump_rows(s, "SELECT * FROM sqlite_stat4", STR("sqlite_stat4"));
    out_puts(s->out, "ANALYZE sqlite_schema;\n");
    return 0;
}

/* ---- .dump ----------------------------------------------------------------------------------- */

/* A name for the rowid of a table, or NULL: when it has none, when a column is the rowid, and when
 * all names of it are taken. */
static const char *sql_dump_rowid(struct sql *s, const char *table)
{
    static const char *const names[] = {"rowid", "_rowid_", "oid"};
    static const char taken[] =
        "SELECT count(*) FILTER (WHERE lower(name)=?2), count(*) FILTER (WHERE pk), "
        "count(*) FILTER (WHERE pk AND upper(type)='INTEGER' AND NOT EXISTS (SELECT 1 FROM "
        "pragma_index_list(?1) WHERE origin='pk')) FROM pragma_table_xinfo(?1)";
    for (size_t i = 0; i < COUNT(names); i++) {
        sqlite3_stmt *q = NULL;
        bool ok = sql_prepare(s, taken, &q, NULL) == SQLITE_OK;
        sql_enter(s);
        if (ok) {
            sqlite3_bind_text(q, 1, table, -1, SQLITE_TRANSIENT);
            sqlite3_bind_text(q, 2, names[i], -1, SQLITE_TRANSIENT);
        }
        sql_leave(s);
        ok = ok && sql_step(s, q) == SQLITE_ROW && sqlite3_column_int(q, 0) == 0 &&
             !(sqlite3_column_int(q, 1) == 1 && sqlite3_column_int(q, 2) == 1);
        sql_finalize(s, q);
        sql_enter(s);
        ok = ok && sqlite3_table_column_metadata(s->db, NULL, table, names[i], NULL, NULL, NULL,
                                                 NULL, NULL) == SQLITE_OK;
        sql_leave(s);
        if (ok)
            return names[i];
    }
    return NULL;
}

/* Only the columns that can be written are read; generated ones cannot. */
static int sql_dump_contents(struct sql *s, const char *name)
{
    sqlite3_stmt *q = NULL;
    struct buf pragma, select, into, list;
    const char *rowid = s->rowids ? sql_dump_rowid(s, name) : NULL;
    buf_init(&pragma, s->heap);
    buf_init(&select, s->heap);
    buf_init(&into, s->heap);
    buf_init(&list, s->heap);
    if (rowid)
        buf_addz(&list, rowid);
    buf_addz(&pragma, "PRAGMA table_xinfo=");
    sql_quote(&pragma, name, '\'');
    int rc = sql_prepare(s, buf_get(&pragma).p, &q, NULL);
    while (rc == SQLITE_OK && sql_step(s, q) == SQLITE_ROW) {
        const char *column = sql_text(s, q, 1);
        if (sqlite3_column_int(q, 6) != 0)
            continue;
        if (list.n)
            buf_putc(&list, ',');
        sql_quote(&list, column, sql_quote_char(column));
    }
    sql_finalize(s, q);
    sql_quote(&into, name, sql_quote_char(name));
    if (rowid)
        buf_printf(&into, "(%s)", buf_get(&list).p);
    buf_printf(&select, "SELECT %s FROM ", buf_get(&list).p);
    sql_quote(&select, name, '"');
    if (rc == SQLITE_OK && list.n && !s->heap->oom)
        rc = sql_dump_rows(s, buf_get(&select).p, buf_get(&into));
    buf_fini(&pragma);
    buf_fini(&select);
    buf_fini(&into);
    buf_fini(&list);
    return rc;
}

static int sql_dump_table(struct sql *s, const char *name, const char *sql)
{
    if (strcmp(name, "sqlite_sequence") == 0) {
        if (!s->data_only)
            out_puts(s->out, "DELETE FROM sqlite_sequence;\n");
    } else if (sqlite3_strglob("sqlite_stat?", name) == 0) {
        if (!s->data_only)
            out_puts(s->out, "ANALYZE sqlite_schema;\n");
    } else if (strncmp(name, "sqlite_", 7) == 0) {
        return SQLITE_OK;
    } else if (!s->data_only && strncmp(sql, "CREATE VIRTUAL TABLE", 20) == 0) {
        if (!s->writable)
            out_puts(s->out, "PRAGMA writable_schema=ON;\n");
        s->writable = true;
        out_puts(s->out,
                 "INSERT INTO sqlite_schema(type,name,tbl_name,rootpage,sql)VALUES('table',");
        sql_write_quoted(s, name);
        out_putc(s->out, ',');
        sql_write_quoted(s, name);
        out_puts(s->out, ",0,");
        sql_write_quoted(s, sql);
        out_puts(s->out, ");\n");
        return SQLITE_OK;
    } else if (!s->data_only)
        sql_write_schema(s, sql, ";\n");
    return sql_dump_contents(s, name);
}

static void sql_dump_where(struct buf *b, char **arg, int n)
{
    bool first = true;
    for (int i = 1; i < n; i++) {
        if (arg[i][0] == '-')
            continue;
        buf_addz(b, first ? " AND (" : " OR ");
        buf_addz(b, "name LIKE ");
        sql_quote(b, arg[i], '\'');
        buf_addz(b, " ESCAPE '\\'");
        first = false;
    }
    if (!first)
        buf_putc(b, ')');
}

static int sql_dump_options(struct sql *s, char **arg, int n)
{
    s->rowids = s->newlines = s->data_only = s->nosys = s->writable = false;
    for (int i = 1; i < n; i++) {
        const char *z = arg[i];
        if (*z != '-')
            continue;
        z += z[1] == '-' ? 2 : 1;
        if (strcmp(z, "preserve-rowids") == 0)
            s->rowids = true;
        else if (strcmp(z, "newlines") == 0)
            s->newlines = true;
        else if (strcmp(z, "data-only") == 0)
            s->data_only = true;
        else if (strcmp(z, "nosys") == 0)
            s->nosys = true;
        else
            return sql_complain(s, "Unknown option \"%s\" on \".dump\"\n", arg[i]);
    }
    return 0;
}

/* All tables with their rows, then (rows == false) what hangs on them. */
static int sql_dump_part(struct sql *s, char **arg, int n, bool rows)
{
    sqlite3_stmt *q = NULL;
    struct buf b;
    buf_init(&b, s->heap);
    buf_addz(&b, "SELECT name, sql FROM sqlite_schema WHERE sql NOT NULL AND type ");
    buf_addz(&b, rows ? "=='table'" : "IN ('index','trigger','view')");
    if (s->nosys)
        buf_addz(&b, " AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'");
    sql_dump_where(&b, arg, n);
    buf_addz(&b, rows ? " ORDER BY tbl_name='sqlite_sequence', rowid" : "");
    int rc = sql_prepare(s, buf_get(&b).p, &q, NULL);
    buf_fini(&b);
    while (rc == SQLITE_OK && sql_step(s, q) == SQLITE_ROW) {
        struct arena_mark mark = arena_mark(s->p->arena);
        struct str name = arena_str(s->p->arena, str_z(sql_text(s, q, 0)));
        struct str sql = arena_str(s->p->arena, str_z(sql_text(s, q, 1)));
        if (!name.p || !sql.p)
            rc = SQLITE_NOMEM;
        else if (rows)
            rc = sql_dump_table(s, name.p, sql.p);
        else
            sql_write_schema(s, sql.p, ";\n");
        arena_release(s->p->arena, mark);
    }
    int done = sql_finalize(s, q);
    return rc ? rc : done;
}

int sql_dump(struct sql *s, char **arg, int n)
{
    if (sql_dump_options(s, arg, n) || !sql_open(s))
        return 1;
    bool echo = s->echo;
    int rc;
    s->echo = false;
    if (!s->data_only)
        out_puts(s->out, "PRAGMA foreign_keys=OFF;\nBEGIN TRANSACTION;\n");
    sql_execute(s, "SAVEPOINT dump; PRAGMA writable_schema=ON");
    rc = sql_dump_part(s, arg, n, true);
    if (rc == SQLITE_OK && !s->data_only)
        rc = sql_dump_part(s, arg, n, false);
    if (rc != SQLITE_OK)
        out_printf(s->out, "/****** ERROR: %s ******/\n", sqlite3_errmsg(s->db));
    if (s->writable)
        out_puts(s->out, "PRAGMA writable_schema=OFF;\n");
    sql_execute(s, "PRAGMA writable_schema=OFF;");
    sql_execute(s, "RELEASE dump;");
    if (!s->data_only)
        out_puts(s->out, rc ? "ROLLBACK; -- due to errors\n" : "COMMIT;\n");
    s->newlines = s->rowids = s->data_only = s->nosys = false;
    s->echo = echo;
    return rc != SQLITE_OK;
}

#endif
