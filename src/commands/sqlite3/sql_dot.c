/* sql_dot.c -- the commands that begin with a dot */
#include "commands/sqlite3/sql.h"

#ifdef HAVE_SQLITE3

#include "base/error.h"
#include "base/utf8.h"

static const char *const sql_dot_modes[] = {
    "line", "column",  "list",  "semi", "html", "insert",   "quote", "tcl",
    "csv",  "explain", "ascii", "eqp",  "json", "markdown", "table", "box"};

/* ---- words ----------------------------------------------------------------------------------- */

/* \n, \t, \ooo and so on, in place. */
static void sql_dot_backslashes(char *z)
{
    static const char names[] = "abtnvfr\"'\\", values[] = "\a\b\t\n\v\f\r\"'\\";
    char *to = z;
    for (; *z; z++) {
        if (*z != '\\' || !z[1]) {
            *to++ = *z;
            continue;
        }
        z++;
        const char *at = strchr(names, *z);
        if (at)
            *to++ = values[at - names];
        else if (*z >= '0' && *z <= '7') {
            int c = *z - '0';
            for (int i = 0; i < 2 && z[1] >= '0' && z[1] <= '7'; i++)
                c = (c << 3) + *++z - '0';
            *to++ = (char)c;
        } else
            *to++ = *z;
    }
    *to = '\0';
}

static int sql_dot_split(char *z, char **arg)
{
    int n = 0;
    while (*z && n < SQL_ARGS - 1) {
        while (ascii_space((unsigned char)*z))
            z++;
        if (!*z)
            break;
        if (*z == '\'' || *z == '"') {
            char quote = *z++;
            arg[n++] = z;
            while (*z && *z != quote) {
                if (*z == '\\' && quote == '"' && z[1])
                    z++;
                z++;
            }
            if (*z)
                *z++ = '\0';
            if (quote == '"')
                sql_dot_backslashes(arg[n - 1]);
        } else {
            arg[n++] = z;
            while (*z && !ascii_space((unsigned char)*z))
                z++;
            if (*z)
                *z++ = '\0';
            sql_dot_backslashes(arg[n - 1]);
        }
    }
    arg[n] = NULL;
    return n;
}

static bool sql_dot_boolean(struct sql *s, const char *z)
{
    int64_t n;
    if (str_int(str_z(z), &n) == 0)
        return n != 0;
    if (sqlite3_stricmp(z, "on") == 0 || sqlite3_stricmp(z, "yes") == 0)
        return true;
    if (sqlite3_stricmp(z, "off") != 0 && sqlite3_stricmp(z, "no") != 0)
        sql_complain(s, "ERROR: Not a boolean value: \"%s\". Assuming \"no\".\n", z);
    return false;
}

static struct str sql_dot_keep(struct sql *s, const char *z)
{
    return arena_str(s->p->arena, str_z(z));
}

/* -name or --name. */
static bool sql_dot_option(const char *z, const char *name)
{
    if (*z != '-')
        return false;
    z += z[1] == '-' ? 2 : 1;
    return strcmp(z, name) == 0;
}

/* ---- switches -------------------------------------------------------------------------------- */

/* The commands that turn something on or off. */
static int sql_dot_switch(struct sql *s, char **arg, int n, bool *to)
{
    if (n != 2)
        return sql_complain(s, "Usage: .%s on|off\n", arg[0]);
    *to = sql_dot_boolean(s, arg[1]);
    return 0;
}

static int sql_dot_bail(struct sql *s, char **arg, int n)
{
    arg[0] = "bail";
    return sql_dot_switch(s, arg, n, &s->bail);
}

static int sql_dot_changes(struct sql *s, char **arg, int n)
{
    arg[0] = "changes";
    return sql_dot_switch(s, arg, n, &s->changes);
}

static int sql_dot_echo(struct sql *s, char **arg, int n)
{
    arg[0] = "echo";
    return sql_dot_switch(s, arg, n, &s->echo);
}

static int sql_dot_headers(struct sql *s, char **arg, int n)
{
    arg[0] = "headers";
    s->headers_set = s->headers_set || n == 2;
    return sql_dot_switch(s, arg, n, &s->headers);
}

static int sql_dot_timer(struct sql *s, char **arg, int n)
{
    arg[0] = "timer";
    return sql_dot_switch(s, arg, n, &s->timer);
}

static int sql_dot_stats(struct sql *s, char **arg, int n)
{
    if (n > 1)
        s->stats = sql_dot_boolean(s, arg[1]);
    return 0;
}

static int sql_dot_nothing(struct sql *s, char **arg, int n)
{
    (void)s;
    (void)arg;
    (void)n;
    return 0;
}

static int sql_dot_eqp(struct sql *s, char **arg, int n)
{
    if (n != 2)
        return sql_complain(s, "Usage: .eqp off|on|trace|trigger|full\n");
    s->eqp = strcmp(arg[1], "full") == 0 ? 3 : sql_dot_boolean(s, arg[1]);
    return 0;
}

static int sql_dot_explain(struct sql *s, char **arg, int n)
{
    if (n < 2 || strcmp(arg[1], "auto") == 0)
        s->explain = 2;
    else if (sql_dot_boolean(s, arg[1])) {
        s->mode = SQL_EXPLAIN;
        s->explain = 0;
    } else {
        if (s->mode == SQL_EXPLAIN)
            s->mode = SQL_LIST;
        s->explain = 0;
    }
    return 0;
}

static int sql_dot_nullvalue(struct sql *s, char **arg, int n)
{
    if (n != 2)
        return sql_complain(s, "Usage: .nullvalue STRING\n");
    sqlite3_snprintf(SQL_SEP, s->null, "%.*s", SQL_SEP - 1, arg[1]);
    return 0;
}

static int sql_dot_separator(struct sql *s, char **arg, int n)
{
    if (n < 2 || n > 3)
        return sql_complain(s, "Usage: .separator COL ?ROW?\n");
    sqlite3_snprintf(SQL_SEP, s->colsep, "%.*s", SQL_SEP - 1, arg[1]);
    if (n == 3)
        sqlite3_snprintf(SQL_SEP, s->rowsep, "%.*s", SQL_SEP - 1, arg[2]);
    return 0;
}

static int sql_dot_width(struct sql *s, char **arg, int n)
{
    s->widths = n > 1 ? arena_array(s->p->arena, int, n - 1) : NULL;
    s->nwidths = s->widths ? n - 1 : 0;
    for (int i = 0; i < s->nwidths; i++) {
        int64_t w = 0;
        str_int(str_z(arg[i + 1]), &w);
        s->widths[i] = (int)MIN(MAX(w, -1000000), 1000000);
    }
    return 0;
}

static int sql_dot_timeout(struct sql *s, char **arg, int n)
{
    int64_t ms = 0;
    if (n >= 2)
        str_int(str_z(arg[1]), &ms);
    if (!sql_open(s))
        return 1;
    sqlite3_busy_timeout(s->db, (int)MIN(MAX(ms, 0), INT_MAX));
    return 0;
}

/* ---- .mode and .show ------------------------------------------------------------------------- */

static void sql_dot_mode_text(struct sql *s)
{
    out_puts(s->out, sql_dot_modes[s->mode]);
    if (s->mode == SQL_COLUMN || s->mode == SQL_TABLE || s->mode == SQL_BOX ||
        s->mode == SQL_MARKDOWN)
        out_printf(s->out, " --wrap %d --wordwrap %s --%squote", s->wrap.width,
                   s->wrap.words ? "on" : "off", s->wrap.quote ? "" : "no");
}

static void sql_dot_seps(struct sql *s, const char *col, const char *row)
{
    if (col)
        sqlite3_snprintf(SQL_SEP, s->colsep, "%s", col);
    if (row)
        sqlite3_snprintf(SQL_SEP, s->rowsep, "%s", row);
}

/* The mode by (the begin of) its name: false after a message. */
static bool sql_dot_mode_set(struct sql *s, const char *name, const char *table,
                             struct sql_wrap wrap)
{
    static const struct {
        const char *name;
        int mode;
        const char *col, *row;
    } rows[] = {
        {"lines", SQL_LINE, NULL, "\n"},
        {"columns", SQL_COLUMN, NULL, "\n"},
        {"list", SQL_LIST, "|", "\n"},
        {"html", SQL_HTML, NULL, NULL},
        {"tcl", SQL_TCL, " ", "\n"},
        {"csv", SQL_CSV, ",", "\r\n"},
        {"tabs", SQL_LIST, "\t", NULL},
        {"insert", SQL_INSERT, NULL, NULL},
        {"quote", SQL_QUOTE, ",", "\n"},
        {"ascii", SQL_ASCII, "\x1f", "\x1e"},
        {"markdown", SQL_MARKDOWN, NULL, NULL},
        {"table", SQL_TABLE, NULL, NULL},
        {"box", SQL_BOX, NULL, NULL},
        {"json", SQL_JSON, NULL, NULL},
    };
    size_t n = strlen(name);
    if (strcmp(name, "qbox") == 0) {
        s->mode = SQL_BOX;
        s->wrap = (struct sql_wrap){60, false, true};
        return true;
    }
    for (size_t i = 0; i < COUNT(rows); i++) {
        bool begins = rows[i].mode <= SQL_LIST || rows[i].mode == SQL_HTML ||
                      (rows[i].mode >= SQL_INSERT && rows[i].mode <= SQL_CSV) ||
                      rows[i].mode == SQL_ASCII || rows[i].mode == SQL_MARKDOWN;
        if (begins ? n < 1 || strncmp(name, rows[i].name, n) : strcmp(name, rows[i].name))
            continue;
        s->mode = rows[i].mode;
        sql_dot_seps(s, rows[i].col, rows[i].row);
        if (s->mode == SQL_COLUMN && !s->headers_set)
            s->headers = true;
        if (s->mode == SQL_COLUMN || s->mode == SQL_TABLE || s->mode == SQL_BOX ||
            s->mode == SQL_MARKDOWN)
            s->wrap = wrap;
        if (s->mode == SQL_INSERT) {
            struct buf b;
            buf_init(&b, s->heap);
            table = table ? table : "table";
            sql_quote(&b, table, sql_quote_char(table));
            s->table = arena_str(s->p->arena, buf_get(&b));
            buf_fini(&b);
        }
        return true;
    }
    return false;
}

static int sql_dot_mode(struct sql *s, char **arg, int n)
{
    const char *name = NULL, *table = NULL;
    struct sql_wrap wrap = {60, false, false};
    for (int i = 1; i < n; i++) {
        int64_t w = 0;
        if (sql_dot_option(arg[i], "wrap") && i + 1 < n) {
            str_int(str_z(arg[++i]), &w);
            wrap.width = (int)MIN(MAX(w, 0), 1000000);
        } else if (sql_dot_option(arg[i], "ww"))
            wrap.words = true;
        else if (sql_dot_option(arg[i], "wordwrap") && i + 1 < n)
            wrap.words = sql_dot_boolean(s, arg[++i]);
        else if (sql_dot_option(arg[i], "quote"))
            wrap.quote = true;
        else if (sql_dot_option(arg[i], "noquote"))
            wrap.quote = false;
        else if (!name)
            name = arg[i];
        else if (!table)
            table = arg[i];
        else
            return sql_complain(s, "extra argument: \"%s\"\n", arg[i]);
    }
    if (!name) {
        out_puts(s->out, "current output mode: ");
        sql_dot_mode_text(s);
        out_putc(s->out, '\n');
        return 0;
    }
    if (!sql_dot_mode_set(s, name, table, wrap))
        return sql_complain(s,
                            "Error: mode should be one of: ascii box column csv html insert json "
                            "line list markdown qbox quote table tabs tcl\n");
    return 0;
}

static int sql_dot_show(struct sql *s, char **arg, int n)
{
    static const char *const explain[] = {"off", "on", "auto"};
    static const char *const eqp[] = {"off", "on", "trigger", "full"};
    (void)arg;
    if (n != 1)
        return sql_complain(s, "Usage: .show\n");
    out_printf(s->out, "%12.12s: %s\n", "echo", s->echo ? "on" : "off");
    out_printf(s->out, "%12.12s: %s\n", "eqp", eqp[s->eqp]);
    out_printf(s->out, "%12.12s: %s\n", "explain",
               s->mode == SQL_EXPLAIN ? "on" : explain[s->explain]);
    out_printf(s->out, "%12.12s: %s\n", "headers", s->headers ? "on" : "off");
    out_printf(s->out, "%12.12s: ", "mode");
    sql_dot_mode_text(s);
    out_printf(s->out, "\n%12.12s: ", "nullvalue");
    sql_write_c(s, s->null);
    out_printf(s->out, "\n%12.12s: %s\n", "output", s->output_name.p);
    out_printf(s->out, "%12.12s: ", "colseparator");
    sql_write_c(s, s->colsep);
    out_printf(s->out, "\n%12.12s: ", "rowseparator");
    sql_write_c(s, s->rowsep);
    out_printf(s->out, "\n%12.12s: %s\n", "stats", s->stats ? "on" : "off");
    out_printf(s->out, "%12.12s: ", "width");
    for (int i = 0; i < s->nwidths; i++)
        out_printf(s->out, "%d ", s->widths[i]);
    out_printf(s->out, "\n%12.12s: %s\n", "filename", s->filename.p ? s->filename.p : "");
    return 0;
}

/* ---- input and output ------------------------------------------------------------------------ */

static int sql_dot_output(struct sql *s, char **arg, int n)
{
    bool once = arg[0][1] == 'n', bom = false;
    const char *name = NULL;
    for (int i = 1; i < n; i++) {
        if (sql_dot_option(arg[i], "bom"))
            bom = true;
        else if (arg[i][0] == '-' && arg[i][1])
            return sql_complain(s, "ERROR: unknown option: \"%s\".\n", arg[i]);
        else if (name)
            return sql_complain(s, "ERROR: extra parameter: \"%s\".\n", arg[i]);
        else
            name = arg[i];
    }
    sql_output_reset(s);
    if (!name || strcmp(name, "stdout") == 0)
        return 0;
    if (name[0] == '|')
        return sql_complain(s, "Error: cannot open pipe \"%s\"\n", name + 1);
    if (strcmp(name, "off") == 0)
        name = "/dev/null";
    if (vfs_open(s->p, str_z(name), FILE_WRITE | FILE_CREATE | FILE_TRUNC, 0666 & ~s->p->umask,
                 &s->other_file) < 0) {
        s->other_file = NULL;
        return sql_complain(s, "Error: cannot open \"%s\"\nError: cannot write to \"%s\"\n", name,
                            name);
    }
    out_init_file(&s->other, s->p, s->other_file);
    s->out = &s->other;
    s->output_name = sql_dot_keep(s, name);
    s->once = once;
    if (bom)
        out_puts(s->out, "\xef\xbb\xbf");
    return 0;
}

static int sql_dot_print(struct sql *s, char **arg, int n)
{
    for (int i = 1; i < n; i++)
        out_printf(s->out, "%s%s", i > 1 ? " " : "", arg[i]);
    out_putc(s->out, '\n');
    return 0;
}

static int sql_dot_read(struct sql *s, char **arg, int n)
{
    if (n != 2)
        return sql_complain(s, "Usage: .read FILE\n");
    struct str name = sql_dot_keep(s, arg[1]);
    int r = name.p ? sql_source(s, name) : 1;
    return r < 0 ? sql_complain(s, "Error: cannot open \"%s\"\n", arg[1]) : r;
}

static int sql_dot_quit(struct sql *s, char **arg, int n)
{
    int64_t code = 0;
    if (arg[0][0] == 'e' && n > 1)
        str_int(str_z(arg[1]), &code);
    s->status = (int)(code & 255);
    return SQL_QUIT;
}

static int sql_dot_refused(struct sql *s, char **arg, int n)
{
    (void)n;
    return sql_complain(s, "Error: .%s is not available in a sandbox\n", arg[0]);
}

static int sql_dot_cd(struct sql *s, char **arg, int n)
{
    struct buf b;
    struct stat_info st;
    if (n != 2)
        return sql_complain(s, "Usage: .cd DIRECTORY\n");
    buf_init(&b, s->heap);
    int e = vfs_realpath(s->p, str_z(arg[1]), false, &b);
    if (e == 0)
        e = vfs_stat(s->p, buf_get(&b), 0, &st);
    if (e == 0 && !MODE_IS_DIR(st.mode))
        e = HOB_ENOTDIR;
    if (e == 0)
        s->p->cwd = arena_str(s->p->arena, buf_get(&b));
    buf_fini(&b);
    return e < 0 ? sql_complain(s, "Cannot change to directory \"%s\"\n", arg[1]) : 0;
}

/* ---- databases ------------------------------------------------------------------------------- */

static int sql_dot_databases(struct sql *s, char **arg, int n)
{
    sqlite3_stmt *q = NULL;
    (void)arg;
    (void)n;
    if (!sql_open(s) || sql_prepare(s, "PRAGMA database_list", &q, NULL) != SQLITE_OK)
        return s->db ? sql_complain(s, "Error: %s\n", sqlite3_errmsg(s->db)) : 1;
    while (sql_step(s, q) == SQLITE_ROW) {
        struct str name = arena_str(s->p->arena, str_z(sql_text(s, q, 1)));
        const char *file = sql_text(s, q, 2);
        int state = name.p ? sqlite3_txn_state(s->db, name.p) : 0;
        out_printf(s->out, "%s: %s %s%s\n", name.p ? name.p : "", *file ? file : "\"\"",
                   sqlite3_db_readonly(s->db, name.p) ? "r/o" : "r/w",
                   state == SQLITE_TXN_NONE   ? ""
                   : state == SQLITE_TXN_READ ? " read-txn"
                                              : " write-txn");
    }
    sql_finalize(s, q);
    return 0;
}

static int sql_dot_open(struct sql *s, char **arg, int n)
{
    const char *name = NULL;
    bool fresh = false, readonly = false;
    for (int i = 1; i < n; i++) {
        if (sql_dot_option(arg[i], "new"))
            fresh = true;
        else if (sql_dot_option(arg[i], "readonly"))
            readonly = true;
        else if (sql_dot_option(arg[i], "nofollow"))
            s->nofollow = true;
        else if (arg[i][0] == '-')
            return sql_complain(s, "unknown option: %s\n", arg[i]);
        else if (name)
            return sql_complain(s, "extra argument: \"%s\"\n", arg[i]);
        else
            name = arg[i];
    }
    sql_close(s);
    s->readonly = readonly;
    if (fresh && name)
        vfs_unlink(s->p, str_z(name));
    s->filename = name ? sql_dot_keep(s, name) : STR("");
    if (name && !sql_open(s)) {
        s->filename = STR(":memory:");
        return 1;
    }
    if (!name)
        s->filename = STR(":memory:");
    return 0;
}

/* Copies a database page by page, `to` being the name of the file or of the database in it. */
static int sql_dot_copy(struct sql *s, const char *file, const char *db, bool restore)
{
    sqlite3 *other = NULL;
    int rc =
        sql_connect(s, sql_dot_keep(s, file), SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, &other);
    if (rc != SQLITE_OK) {
        sql_complain(s, "Error: cannot open \"%s\"\n", file);
        if (other)
            sql_disconnect(s, other);
        return 1;
    }
    if (!sql_open(s)) {
        sql_disconnect(s, other);
        return 1;
    }
    int tries = 0;
    sql_enter(s);
    sqlite3_backup *b = restore ? sqlite3_backup_init(s->db, db, other, "main")
                                : sqlite3_backup_init(other, "main", s->db, db);
    do {
        rc = b ? sqlite3_backup_step(b, 100) : SQLITE_ERROR;
        if (rc == SQLITE_BUSY && restore)
            sqlite3_sleep(0);
        sql_leave(s);
        if (proc_tick(s->p, 100) < 0)
            rc = SQLITE_INTERRUPT;
        sql_enter(s);
    } while (rc == SQLITE_OK || (rc == SQLITE_BUSY && restore && tries++ < 3));
    if (b)
        sqlite3_backup_finish(b);
    sql_leave(s);
    if (rc != SQLITE_DONE) {
        if (restore && (rc == SQLITE_BUSY || rc == SQLITE_LOCKED))
            sql_complain(s, "Error: source database is busy\n");
        else
            sql_complain(s, "Error: %s\n", sqlite3_errmsg(restore ? s->db : other));
    }
    sql_disconnect(s, other);
    return rc != SQLITE_DONE;
}

static int sql_dot_backup(struct sql *s, char **arg, int n)
{
    const char *file = NULL, *db = NULL;
    for (int i = 1; i < n; i++) {
        if (arg[i][0] == '-' && !sql_dot_option(arg[i], "append") &&
            !sql_dot_option(arg[i], "async"))
            return sql_complain(s, "unknown option: %s\n", arg[i]);
        if (arg[i][0] == '-')
            continue;
        if (!file)
            file = arg[i];
        else if (!db) {
            db = file;
            file = arg[i];
        } else
            return sql_complain(s, "Usage: .backup ?DB? ?OPTIONS? FILENAME\n");
    }
    if (!file)
        return sql_complain(s, "missing FILENAME argument on .%s\n", arg[0]);
    return sql_dot_copy(s, file, db ? db : "main", false);
}

static int sql_dot_restore(struct sql *s, char **arg, int n)
{
    if (n != 2 && n != 3)
        return sql_complain(s, "Usage: .restore ?DB? FILE\n");
    return sql_dot_copy(s, arg[n - 1], n == 3 ? arg[1] : "main", true);
}

/* ---- parameters ------------------------------------------------------------------------------ */

static const char sql_dot_parameters[] =
    "PRAGMA writable_schema=ON;"
    "CREATE TABLE IF NOT EXISTS temp.sqlite_parameters(key TEXT PRIMARY KEY,value)WITHOUT ROWID;"
    "PRAGMA writable_schema=OFF;";

static int sql_dot_parameter_set(struct sql *s, const char *key, const char *value)
{
    struct buf b;
    int rc = SQLITE_ERROR;
    sqlite3_db_config(s->db, SQLITE_DBCONFIG_DEFENSIVE, 0, NULL);
    sql_execute(s, sql_dot_parameters);
    /* As an expression if it is one, else as a text. */
    for (int plain = 1; plain >= 0 && rc != SQLITE_OK; plain--) {
        buf_init(&b, s->heap);
        buf_addz(&b, "REPLACE INTO temp.sqlite_parameters(key,value)VALUES(");
        sql_quote(&b, key, '\'');
        buf_putc(&b, ',');
        sql_quote(&b, value, plain ? 0 : '\'');
        buf_addz(&b, ");");
        rc = sql_execute(s, buf_get(&b).p);
        buf_fini(&b);
    }
    return rc == SQLITE_OK ? 0 : sql_complain(s, "Error: %s\n", sqlite3_errmsg(s->db));
}

static int sql_dot_parameter(struct sql *s, char **arg, int n)
{
    struct buf b;
    sqlite3_stmt *q = NULL;
    if (!sql_open(s))
        return 1;
    if (n == 2 && strcmp(arg[1], "clear") == 0) {
        sql_execute(s, "DROP TABLE IF EXISTS temp.sqlite_parameters;");
        return 0;
    }
    if (n == 2 && strcmp(arg[1], "init") == 0) {
        sql_execute(s, sql_dot_parameters);
        return 0;
    }
    if (n == 4 && strcmp(arg[1], "set") == 0)
        return sql_dot_parameter_set(s, arg[2], arg[3]);
    buf_init(&b, s->heap);
    int rc = 1;
    if (n == 3 && strcmp(arg[1], "unset") == 0) {
        buf_addz(&b, "DELETE FROM temp.sqlite_parameters WHERE key=");
        sql_quote(&b, arg[2], '\'');
        sql_execute(s, buf_get(&b).p);
        rc = 0;
    } else if (n == 2 && strcmp(arg[1], "list") == 0) {
        size_t width = 0;
        if (sql_prepare(s, "SELECT max(length(key)) FROM temp.sqlite_parameters", &q, NULL) ==
                SQLITE_OK &&
            sql_step(s, q) == SQLITE_ROW)
            width = (size_t)MIN(sqlite3_column_int(q, 0), 40);
        sql_finalize(s, q);
        q = NULL;
        if (sql_prepare(s, "SELECT key, quote(value) FROM temp.sqlite_parameters", &q, NULL) ==
            SQLITE_OK)
            while (sql_step(s, q) == SQLITE_ROW) {
                out_printf(s->out, "%-*s ", (int)width, sql_text(s, q, 0));
                out_printf(s->out, "%s\n", sql_text(s, q, 1));
            }
        sql_finalize(s, q);
        rc = 0;
    } else
        sql_complain(s, "Usage: .parameter clear|init|list|set NAME VALUE|unset NAME\n");
    buf_fini(&b);
    return rc;
}

/* ---- the rest -------------------------------------------------------------------------------- */

static int sql_dot_indexes(struct sql *s, char **arg, int n)
{
    if (n > 2)
        return sql_complain(s, "Usage: .indexes ?LIKE-PATTERN?\n");
    arg[0] = "indexes";
    return sql_tables(s, arg, n);
}

static int sql_dot_version(struct sql *s, char **arg, int n)
{
    (void)arg;
    (void)n;
    out_printf(s->out, "SQLite %s %s\n", sqlite3_libversion(), sqlite3_sourceid());
    return 0;
}

static int sql_dot_limit(struct sql *s, char **arg, int n)
{
    static const struct {
        const char *name;
        int code;
    } rows[] = {{"length", SQLITE_LIMIT_LENGTH},
                {"sql_length", SQLITE_LIMIT_SQL_LENGTH},
                {"column", SQLITE_LIMIT_COLUMN},
                {"expr_depth", SQLITE_LIMIT_EXPR_DEPTH},
                {"compound_select", SQLITE_LIMIT_COMPOUND_SELECT},
                {"vdbe_op", SQLITE_LIMIT_VDBE_OP},
                {"function_arg", SQLITE_LIMIT_FUNCTION_ARG},
                {"attached", SQLITE_LIMIT_ATTACHED},
                {"like_pattern_length", SQLITE_LIMIT_LIKE_PATTERN_LENGTH},
                {"variable_number", SQLITE_LIMIT_VARIABLE_NUMBER},
                {"trigger_depth", SQLITE_LIMIT_TRIGGER_DEPTH},
                {"worker_threads", SQLITE_LIMIT_WORKER_THREADS}};
    (void)arg;
    if (!sql_open(s))
        return 1;
    for (size_t i = 0; n == 1 && i < COUNT(rows); i++)
        out_printf(s->out, "%20s %d\n", rows[i].name, sqlite3_limit(s->db, rows[i].code, -1));
    return n > 1 ? sql_complain(s, "Error: the limits are those of the sandbox\n") : 0;
}

static int sql_dot_help(struct sql *s, char **arg, int n);

static const struct sql_dot_row {
    const char *name;
    size_t least; /* letters that must be there */
    int (*fn)(struct sql *s, char **arg, int n);
    const char *help; /* NULL: not shown */
} sql_dot_rows[] = {
    {"backup", 3, sql_dot_backup, "?DB? FILE\tcopy the database to FILE"},
    {"bail", 3, sql_dot_bail, "on|off\tstop at the first error"},
    {"binary", 3, sql_dot_nothing, NULL},
    {"cd", 2, sql_dot_cd, "DIRECTORY\tchange the working directory"},
    {"changes", 3, sql_dot_changes, "on|off\tsay how many rows a statement changed"},
    {"databases", 2, sql_dot_databases, "\tlist the attached databases"},
    {"dump", 2, sql_dump, "?TABLES?\tthe contents as SQL"},
    {"echo", 1, sql_dot_echo, "on|off\twrite statements before they run"},
    {"eqp", 1, sql_dot_eqp, "on|off|full\tshow the plan of each query"},
    {"exit", 1, sql_dot_quit, "?CODE?\tend with status CODE"},
    {"explain", 3, sql_dot_explain, "on|off|auto\tthe layout of EXPLAIN"},
    {"fullschema", 1, sql_fullschema, "\tthe schema, with statistics"},
    {"headers", 1, sql_dot_headers, "on|off\tnames above the columns"},
    {"help", 1, sql_dot_help, "?PATTERN?\tthis list"},
    {"import", 1, sql_import, "FILE TABLE\tread FILE into TABLE"},
    {"indices", 3, sql_dot_indexes, NULL},
    {"indexes", 3, sql_dot_indexes, "?TABLE?\tnames of indexes"},
    {"limit", 2, sql_dot_limit, "\tthe limits that hold"},
    {"load", 2, sql_dot_refused, NULL},
    {"log", 2, sql_dot_nothing, NULL},
    {"mode", 1, sql_dot_mode, "MODE ?OPTIONS?\thow rows are written"},
    {"nullvalue", 1, sql_dot_nullvalue, "STRING\twhat stands for NULL"},
    {"once", 2, sql_dot_output, "?FILE?\tthe next output goes to FILE"},
    {"open", 1, sql_dot_open, "?OPTIONS? ?FILE?\topen another database"},
    {"output", 1, sql_dot_output, "?FILE?\toutput goes to FILE"},
    {"parameter", 2, sql_dot_parameter, "CMD ...\tvalues for ?1, :name, @name, $name"},
    {"print", 3, sql_dot_print, "STRING...\twrite words"},
    {"progress", 3, sql_dot_nothing, NULL},
    {"prompt", 3, sql_dot_nothing, NULL},
    {"quit", 1, sql_dot_quit, "\tend"},
    {"read", 3, sql_dot_read, "FILE\trun what is in FILE"},
    {"restore", 3, sql_dot_restore, "?DB? FILE\tcopy FILE over the database"},
    {"save", 2, sql_dot_backup, "FILE\tcopy the database to FILE"},
    {"schema", 2, sql_schema, "?PATTERN?\tthe CREATE statements"},
    {"separator", 2, sql_dot_separator, "COL ?ROW?\twhat parts columns and rows"},
    {"shell", 3, sql_dot_refused, NULL},
    {"show", 2, sql_dot_show, "\tthe settings"},
    {"stats", 2, sql_dot_stats, NULL},
    {"system", 2, sql_dot_refused, NULL},
    {"tables", 2, sql_tables, "?PATTERN?\tnames of tables and views"},
    {"timeout", 5, sql_dot_timeout, "MS\thow long to wait for a lock"},
    {"timer", 5, sql_dot_timer, "on|off\tsay how long statements take"},
    {"version", 1, sql_dot_version, "\tthe version of SQLite"},
    {"width", 1, sql_dot_width, "NUM1 NUM2 ...\tleast widths of columns"},
};

static int sql_dot_help(struct sql *s, char **arg, int n)
{
    for (size_t i = 0; i < COUNT(sql_dot_rows); i++) {
        const struct sql_dot_row *r = &sql_dot_rows[i];
        const char *tab = r->help ? strchr(r->help, '\t') : NULL;
        char left[64];
        if (!tab || (n > 1 && !strstr(r->name, arg[1] + (arg[1][0] == '.'))))
            continue;
        sqlite3_snprintf(sizeof left, left, ".%s %.*s", r->name, (int)(tab - r->help), r->help);
        out_printf(s->out, "%-26s %s\n", left, tab + 1);
    }
    return 0;
}

int sql_dot(struct sql *s, char *line)
{
    char *arg[SQL_ARGS];
    int n = sql_dot_split(line + 1, arg);
    bool once = s->once;
    int rc = -1;
    if (n == 0)
        return 0;
    size_t len = strlen(arg[0]);
    for (size_t i = 0; i < COUNT(sql_dot_rows) && rc < 0; i++)
        if (len >= sql_dot_rows[i].least && strncmp(arg[0], sql_dot_rows[i].name, len) == 0) {
            if (len < strlen(sql_dot_rows[i].name))
                arg[0] = (char *)sql_dot_rows[i].name;
            rc = sql_dot_rows[i].fn(s, arg, n);
        }
    if (rc < 0)
        rc = sql_complain(s,
                          "Error: unknown command or invalid arguments:  \"%s\". Enter \".help\" "
                          "for help\n",
                          arg[0]);
    if (once && s->once) /* .once ends with what came after it */
        sql_output_reset(s);
    return rc;
}

#endif
