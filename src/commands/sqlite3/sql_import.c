/* sql_import.c -- .import FILE TABLE: rows from a file, CSV or parted by the separators */
#include "commands/sqlite3/sql.h"

#ifdef HAVE_SQLITE3

struct sql_source {
    struct sql *s;
    struct in in;
    const char *file;
    int col, row; /* the separators */
    bool ascii;   /* no quotes */
    bool first;   /* nothing was read yet: a byte order mark may stand here */
    int64_t line, rows, errors;
    int end; /* what ended the field: a separator, or -1 */
    struct buf field;
};

struct sql_import {
    struct sql_source src;
    const char *file, *table, *schema;
    bool csv, ascii;
    int64_t skip;
    int verbose;
};

/* The rest of a field whose quote has been read. */
static void sql_import_quoted(struct sql_source *r)
{
    int before = 0, last = 0;
    int64_t start = r->line;
    for (;;) {
        int c = in_getc(&r->in);
        if (c == r->row)
            r->line++;
        if (c == '"' && last == '"') {
            last = 0;
            continue;
        }
        if ((last == '"' && (c == r->col || c == r->row || c < 0)) ||
            (c == r->row && last == '\r' && before == '"')) {
            while (r->field.n && r->field.p[r->field.n - 1] != '"')
                buf_cut(&r->field, r->field.n - 1);
            buf_cut(&r->field, r->field.n ? r->field.n - 1 : 0);
            r->end = c;
            return;
        }
        if (last == '"' && c != '\r')
            sql_complain(r->s, "%s:%lld: unescaped \" character\n", r->file, (long long)r->line);
        if (c < 0) {
            sql_complain(r->s, "%s:%lld: unterminated \"-quoted field\n", r->file,
                         (long long)start);
            r->end = c;
            return;
        }
        buf_putc(&r->field, (char)c);
        before = last;
        last = c;
    }
}

/* The next field; false at the end of the file. r->end says what came behind it. */
static bool sql_import_field(struct sql_source *r)
{
    buf_clear(&r->field);
    if (r->first && !r->ascii && in_fill(&r->in) && r->in.end - r->in.p >= 3 &&
        memcmp(r->in.p, "\xef\xbb\xbf", 3) == 0)
        r->in.p += 3;
    r->first = false;
    int c = in_getc(&r->in);
    if (c < 0 || sql_over(r->s)) {
        r->end = -1;
        return false;
    }
    if (c == '"' && !r->ascii) {
        sql_import_quoted(r);
        return true;
    }
    for (; c >= 0 && c != r->col && c != r->row; c = in_getc(&r->in))
        buf_putc(&r->field, (char)c);
    if (c == r->row) {
        r->line++;
        if (!r->ascii && r->field.n && r->field.p[r->field.n - 1] == '\r')
            buf_cut(&r->field, r->field.n - 1);
    }
    r->end = c;
    return true;
}

static int sql_import_options(struct sql *s, struct sql_import *m, char **arg, int n)
{
    static const char usage[] = "  Usage:\n.import ?OPTIONS? FILE TABLE\n"
                                "   --ascii      records parted by 0x1e, fields by 0x1f\n"
                                "   --csv        comma separated values\n"
                                "   --skip N     leave out the first N rows\n"
                                "   --schema S   the table is S.TABLE\n"
                                "   -v           say what was done\n";
    for (int i = 1; i < n; i++) {
        const char *z = arg[i] + (arg[i][0] == '-' && arg[i][1] == '-');
        if (z[0] != '-') {
            if (!m->file)
                m->file = z;
            else if (!m->table)
                m->table = z;
            else {
                out_printf(s->out, "ERROR: extra argument: \"%s\".%s", z, usage);
                return 1;
            }
        } else if (strcmp(z, "-v") == 0)
            m->verbose++;
        else if (strcmp(z, "-schema") == 0 && i + 1 < n)
            m->schema = arg[++i];
        else if (strcmp(z, "-skip") == 0 && i + 1 < n)
            str_int(str_z(arg[++i]), &m->skip);
        else if (strcmp(z, "-ascii") == 0)
            m->ascii = true;
        else if (strcmp(z, "-csv") == 0)
            m->csv = true;
        else {
            out_printf(s->out, "ERROR: unknown option: \"%s\".%s", z, usage);
            return 1;
        }
    }
    if (m->table)
        return 0;
    out_printf(s->out, "ERROR: missing %s argument.%s", m->file ? "TABLE" : "FILE", usage + 1);
    return 1;
}

static int sql_import_separators(struct sql *s, struct sql_import *m)
{
    struct sql_source *r = &m->src;
    r->ascii = m->ascii || (!m->csv && s->mode == SQL_ASCII);
    if (m->ascii || m->csv) {
        r->col = m->ascii ? 0x1f : ',';
        r->row = m->ascii ? 0x1e : '\n';
        return 0;
    }
    size_t col = strlen(s->colsep), row = strlen(s->rowsep);
    if (col == 0)
        return sql_complain(s, "Error: non-null column separator required for import\n");
    if (col > 1)
        return sql_complain(s, "Error: multi-character column separators not allowed for import\n");
    if (row == 0)
        return sql_complain(s, "Error: non-null row separator required for import\n");
    bool crlf = s->mode == SQL_CSV && strcmp(s->rowsep, "\r\n") == 0;
    if (row > 1 && !crlf)
        return sql_complain(s, "Error: multi-character row separators not allowed for import\n");
    r->col = (unsigned char)s->colsep[0];
    if (crlf)
        memcpy(s->rowsep, "\n", 2); /* for the output that follows, too */
    r->row = crlf ? '\n' : (unsigned char)s->rowsep[0];
    return 0;
}

static void sql_import_name(struct buf *b, const struct sql_import *m)
{
    if (m->schema) {
        sql_quote(b, m->schema, '"');
        buf_putc(b, '.');
    }
    sql_quote(b, m->table, '"');
}

/* Whether the name of column i is that of another one, letters counting as one case. */
static bool sql_import_twice(const struct strs *names, size_t i, const char *z)
{
    for (size_t j = 0; j < names->n; j++)
        if (j != i && sqlite3_stricmp(names->p[j].p, z) == 0)
            return true;
    return false;
}

/* Names that occur several times get the number of the column, with as many digits as it takes to
 * be new. */
static bool sql_import_rename(struct sql *s, struct sql_import *m, struct strs *names)
{
    struct buf told;
    struct str *new = arena_array(s->p->arena, struct str, names->n);
    bool clash = new != NULL;
    for (int digits = 1; clash && digits < 10; digits++) {
        clash = false;
        for (size_t i = 0; i < names->n && !clash; i++) {
            new[i] = names->p[i];
            if (!sql_import_twice(names, i, names->p[i].p))
                continue;
            new[i] = arena_printf(s->p->arena, "%s_%0*d", names->p[i].p, digits, (int)i + 1);
            if (!new[i].p)
                return false;
            clash = sql_import_twice(names, i, new[i].p);
        }
    }
    buf_init(&told, s->heap);
    for (size_t i = 0; new &&i < names->n; i++)
        if (new[i].n != names->p[i].n)
            buf_printf(&told, "%s\"%s\" to \"%s\"", told.n ? ",\n" : "", names->p[i].p, new[i].p);
    if (told.n)
        sql_complain(s, "Columns renamed during .import %s due to duplicates:\n%s\n", m->file,
                     buf_get(&told).p);
    buf_fini(&told);
    if (new)
        names->p = new;
    return new != NULL;
}

/* The first row names the columns of a new table. */
static int sql_import_create(struct sql *s, struct sql_import *m)
{
    struct strs names = {0};
    struct buf b;
    while (sql_import_field(&m->src)) {
        struct str name = m->src.field.n ? buf_get(&m->src.field) : STR("?");
        name = arena_str(s->p->arena, name);
        if (!name.p || !proc_push(s->p, &names, name) || m->src.end != m->src.col)
            break;
    }
    if (names.n == 0)
        return sql_complain(s, "%s: empty file\n", m->file);
    /* Too many columns fail below, and are not worth the comparing. */
    if (names.n <= 2000 && !sql_import_rename(s, m, &names))
        return 1;
    buf_init(&b, s->heap);
    buf_addz(&b, "CREATE TABLE ");
    sql_import_name(&b, m);
    for (size_t i = 0; i < names.n; i++) {
        buf_addz(&b, i == 0 ? "(\n" : i % 4 ? ", " : ",\n ");
        sql_quote(&b, names.p[i].p, '"');
        buf_addz(&b, " TEXT");
    }
    buf_putc(&b, ')');
    if (m->verbose)
        out_printf(s->out, "%s\n\n", buf_get(&b).p);
    int rc = sql_execute(s, buf_get(&b).p);
    if (rc != SQLITE_OK)
        sql_complain(s, "%s failed:\n%s\n", buf_get(&b).p, sqlite3_errmsg(s->db));
    buf_fini(&b);
    return rc != SQLITE_OK;
}

/* How many columns the table has; -1: there is none. */
static int sql_import_columns(struct sql *s, struct sql_import *m)
{
    sqlite3_stmt *q = NULL;
    struct buf b;
    int n = -1;
    buf_init(&b, s->heap);
    buf_addz(&b, "SELECT * FROM ");
    sql_import_name(&b, m);
    if (sql_prepare(s, buf_get(&b).p, &q, NULL) == SQLITE_OK)
        n = sqlite3_column_count(q);
    sql_finalize(s, q);
    buf_fini(&b);
    return n;
}

static sqlite3_stmt *sql_import_insert(struct sql *s, struct sql_import *m, int n)
{
    sqlite3_stmt *q = NULL;
    struct buf b;
    buf_init(&b, s->heap);
    buf_addz(&b, "INSERT INTO ");
    sql_import_name(&b, m);
    for (int i = 0; i < n; i++)
        buf_addz(&b, i ? ",?" : " VALUES(?");
    buf_putc(&b, ')');
    if (m->verbose > 1)
        out_printf(s->out, "Insert using: %s\n", buf_get(&b).p);
    if (sql_prepare(s, buf_get(&b).p, &q, NULL) != SQLITE_OK) {
        sql_complain(s, "Error: %s\n", sqlite3_errmsg(s->db));
        q = NULL;
    }
    buf_fini(&b);
    return q;
}

static void sql_import_bind(struct sql *s, sqlite3_stmt *q, int i, struct str v)
{
    sql_enter(s);
    if (v.p)
        sqlite3_bind_text64(q, i, v.p, v.n, SQLITE_TRANSIENT, SQLITE_UTF8);
    else
        sqlite3_bind_null(q, i);
    sql_leave(s);
}

/* One row into the statement: false when there is none. */
static bool sql_import_row(struct sql *s, struct sql_import *m, sqlite3_stmt *q, int n)
{
    struct sql_source *r = &m->src;
    int64_t start = r->line;
    int i;
    for (i = 0; i < n; i++) {
        bool there = sql_import_field(r);
        if (!there && i == 0)
            return false;
        if (r->ascii && i == 0 && r->field.n == 0)
            return false;
        sql_import_bind(s, q, i + 1, there ? buf_get(&r->field) : STR_NONE);
        if (i < n - 1 && r->end != r->col) {
            sql_complain(s,
                         "%s:%lld: expected %d columns but found %d - filling the rest with NULL\n",
                         r->file, (long long)start, n, i + 1);
            for (i += 2; i <= n; i++)
                sql_import_bind(s, q, i, STR_NONE);
            break;
        }
    }
    if (r->end == r->col) {
        do {
            sql_import_field(r);
            i++;
        } while (r->end == r->col);
        sql_complain(s, "%s:%lld: expected %d columns but found %d - extras ignored\n", r->file,
                     (long long)start, n, i);
    }
    if (i < n)
        return true;
    int rc = sql_step(s, q);
    sql_enter(s);
    sqlite3_reset(q);
    sql_leave(s);
    if (rc != SQLITE_DONE && !sql_over(s)) {
        sql_complain(s, "%s:%lld: INSERT failed: %s\n", r->file, (long long)start,
                     sqlite3_errmsg(s->db));
        r->errors++;
    } else
        r->rows++;
    return !sql_over(s) && proc_tick(s->p, 1) == 0;
}

static int sql_import_all(struct sql *s, struct sql_import *m)
{
    struct sql_source *r = &m->src;
    while (m->skip-- > 0)
        while (sql_import_field(r) && r->end == r->col)
            continue;
    int n = sql_import_columns(s, m);
    if (n < 0) {
        if (sql_import_create(s, m))
            return 1;
        n = sql_import_columns(s, m);
    }
    if (n < 0)
        return sql_complain(s, "Error: %s\n", sqlite3_errmsg(s->db));
    if (n == 0)
        return 0;
    sqlite3_stmt *q = sql_import_insert(s, m, n);
    if (!q)
        return 1;
    bool commit = sqlite3_get_autocommit(s->db);
    if (commit)
        sql_execute(s, "BEGIN");
    do {
        if (!sql_import_row(s, m, q, n))
            break;
    } while (r->end >= 0);
    sql_finalize(s, q);
    if (commit)
        sql_execute(s, "COMMIT");
    if (m->verbose)
        out_printf(s->out, "Added %lld rows with %lld errors using %lld lines of input\n",
                   (long long)r->rows, (long long)r->errors, (long long)r->line - 1);
    return 0;
}

int sql_import(struct sql *s, char **arg, int n)
{
    struct sql_import m = {.src = {.s = s, .first = true, .line = 1}};
    if (sql_import_options(s, &m, arg, n) || sql_import_separators(s, &m) || !sql_open(s))
        return 1;
    if (m.file[0] == '|')
        return sql_complain(s, "Error: pipes are not supported: \"%s\"\n", m.file);
    m.src.file = m.file;
    if (in_open_quiet(&m.src.in, s->p, str_z(m.file)) < 0)
        return sql_complain(s, "Error: cannot open \"%s\"\n", m.file);
    buf_init(&m.src.field, s->heap);
    int rc = sql_import_all(s, &m);
    buf_fini(&m.src.field);
    in_fini(&m.src.in);
    return rc;
}

#endif
