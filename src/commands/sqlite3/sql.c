/* sql.c -- the sqlite3 command: its command line, its input, and running statements */
#include "commands/sqlite3/sql.h"

#ifdef HAVE_SQLITE3

#include "base/error.h"
#include "base/utf8.h"
#include "commands/lib/getdate.h"

/* ---- statements ------------------------------------------------------------------------------ */

/* The statement with a mark below the place of the error, as far as SQLite knows it. */
static void sql_run_context(struct sql *s, struct buf *b, const char *text)
{
    int at = sqlite3_error_offset(s->db);
    if (!text || at < 0 || (size_t)at >= strlen(text))
        return;
    while (at > 50) {
        at--;
        text++;
        while (((unsigned char)*text & 0xc0) == 0x80) {
            text++;
            at--;
        }
    }
    size_t n = strlen(text);
    if (n > 78)
        for (n = 78; ((unsigned char)text[n] & 0xc0) == 0x80;)
            n--;
    buf_addz(b, "\n  ");
    for (size_t i = 0; i < n; i++)
        buf_putc(b, ascii_space((unsigned char)text[i]) ? ' ' : text[i]);
    if (at < 25)
        buf_printf(b, "\n  %*s^--- error here", at, "");
    else
        buf_printf(b, "\n  %*serror here ---^", at - 14, "");
}

static void sql_run_error(struct sql *s, const char *phase, int rc, const char *text,
                          struct str *err)
{
    struct buf b;
    buf_init(&b, s->heap);
    buf_printf(&b, "%s, %s", phase, sqlite3_errmsg(s->db));
    if (rc > 1)
        buf_printf(&b, " (%d)", rc);
    sql_run_context(s, &b, text);
    *err = arena_str(s->p->arena, buf_get(&b));
    buf_fini(&b);
}

/* The plan in front of the statement, when .eqp is on. */
static void sql_run_plan(struct sql *s, sqlite3_stmt *stmt)
{
    struct buf b;
    sqlite3_stmt *plan = NULL;
    if (!s->eqp || sqlite3_stmt_isexplain(stmt) != 0)
        return;
    buf_init(&b, s->heap);
    buf_printf(&b, "EXPLAIN QUERY PLAN ");
    buf_addz(&b, sqlite3_sql(stmt));
    if (sql_prepare(s, buf_get(&b).p, &plan, NULL) == SQLITE_OK) {
        s->cmode = SQL_EQP;
        sql_print(s, plan);
        sql_plan_render(s);
    }
    sql_finalize(s, plan);
    if (s->eqp >= 3) {
        buf_clear(&b);
        buf_printf(&b, "EXPLAIN ");
        buf_addz(&b, sqlite3_sql(stmt));
        if (sql_prepare(s, buf_get(&b).p, &plan, NULL) == SQLITE_OK) {
            s->cmode = SQL_EXPLAIN;
            sql_print(s, plan);
            sql_finalize(s, plan);
        }
    }
    buf_fini(&b);
}

/* Values for ?1, :name and so on, from the table that .parameter keeps. */
static void sql_run_bind(struct sql *s, sqlite3_stmt *stmt)
{
    sqlite3_stmt *q = NULL;
    int n = sqlite3_bind_parameter_count(stmt);
    if (n == 0)
        return;
    int rc = sql_prepare(s, "SELECT value FROM temp.sqlite_parameters WHERE key=?1", &q, NULL);
    sql_enter(s);
    for (int i = 1; i <= n; i++) {
        char number[32];
        const char *name = sqlite3_bind_parameter_name(stmt, i);
        if (!name) {
            sqlite3_snprintf(sizeof number, number, "?%d", i);
            name = number;
        }
        if (rc == SQLITE_OK) {
            sqlite3_bind_text(q, 1, name, -1, SQLITE_TRANSIENT);
            if (sqlite3_step(q) == SQLITE_ROW)
                sqlite3_bind_value(stmt, i, sqlite3_column_value(q, 0));
            else
                sqlite3_bind_null(stmt, i);
            sqlite3_reset(q);
        }
    }
    sql_leave(s);
    sql_finalize(s, q);
}

static void sql_run_one(struct sql *s, sqlite3_stmt *stmt)
{
    sql_run_plan(s, stmt);
    s->cmode = s->mode;
    if (s->explain == 2 && sqlite3_stmt_isexplain(stmt) == 1)
        s->cmode = SQL_EXPLAIN;
    if (s->explain == 2 && sqlite3_stmt_isexplain(stmt) == 2)
        s->cmode = SQL_EQP;
    sql_run_bind(s, stmt);
    sql_print(s, stmt);
    sql_plan_render(s);
}

int sql_run(struct sql *s, const char *text, struct str *err)
{
    *err = STR_NONE;
    while (*text && !sql_over(s)) {
        sqlite3_stmt *stmt = NULL;
        const char *tail = text;
        int rc = sql_prepare(s, text, &stmt, &tail);
        if (rc != SQLITE_OK) {
            sql_run_error(s, "in prepare", rc, text, err);
            return rc;
        }
        if (stmt) {
            sql_run_one(s, stmt);
            rc = sql_finalize(s, stmt);
            if (rc != SQLITE_OK) {
                sql_run_error(s, "stepping", rc, NULL, err);
                return rc;
            }
        }
        for (text = tail; ascii_space((unsigned char)*text);)
            text++;
    }
    return sql_over(s) ? SQLITE_NOMEM : SQLITE_OK;
}

/* ---- input ----------------------------------------------------------------------------------- */

void sql_output_reset(struct sql *s)
{
    if (s->out == &s->other) {
        out_fini(&s->other);
        file_unref(s->other_file);
        s->other_file = NULL;
    }
    s->out = &s->std;
    s->output_name = STR("stdout");
    s->once = false;
}

/* One statement, or several that end on the same line: whether something went wrong. */
static int sql_read_run(struct sql *s, const char *text, int64_t line)
{
    struct str err;
    const char *kind = "Error";
    if (s->echo)
        out_printf(s->out, "%s\n", text);
    if (!sql_open(s))
        return 1;
    int64_t began = sched_now(&s->p->kernel->sched);
    int rc = sql_run(s, text, &err);
    if (s->timer)
        out_printf(s->out, "Run Time: real %.3f user 0.000000 sys 0.000000\n",
                   (double)(sched_now(&s->p->kernel->sched) - began) / 1e9);
    if (rc != SQLITE_OK) {
        if (str_starts(err, STR("in prepare, "))) {
            kind = "Parse error";
            err = str_from(err, 12);
        } else if (str_starts(err, STR("stepping, "))) {
            kind = "Runtime error";
            err = str_from(err, 10);
        }
        return sql_complain(s, "%s near line %lld: %.*s\n", kind, (long long)line, STR_ARG(err));
    }
    if (s->changes)
        out_printf(s->out, "changes: %lld   total_changes: %lld\n",
                   (long long)sqlite3_changes64(s->db), (long long)sqlite3_total_changes64(s->db));
    return 0;
}

enum {                 /* where a line ends, for the lines that follow */
    SQL_SCAN_DARK = 1, /* something other than blanks and comments was there */
    SQL_SCAN_SEMI = 2  /* the last of it was a semicolon */
};

struct sql_scan {
    char wait; /* the quote, bracket or comment we are in: ' " ` ] * or 0 */
    int state;
};

/* Looks over one more line. */
static void sql_scan_line(struct sql_scan *c, const char *z)
{
    while (*z) {
        if (!c->wait) {
            if (ascii_space((unsigned char)*z)) {
                z++;
                continue;
            }
            if (z[0] == '-' && z[1] == '-')
                return;
            if (z[0] == '/' && z[1] == '*') {
                c->wait = '*';
                z += 2;
                continue;
            }
            if (*z == ';')
                c->state |= SQL_SCAN_SEMI;
            else
                c->state = SQL_SCAN_DARK;
            if (*z == '[')
                c->wait = ']';
            else if (*z == '\'' || *z == '"' || *z == '`')
                c->wait = *z;
            z++;
            continue;
        }
        if (*z++ != c->wait)
            continue;
        if (c->wait == '*') {
            if (*z != '/')
                continue;
            z++;
        }
        c->wait = 0;
    }
}

static bool sql_scan_white(const struct sql_scan *c)
{
    return !c->wait && !(c->state & SQL_SCAN_DARK) && !(c->state & SQL_SCAN_SEMI);
}

/* A line that holds "go" or "/" alone ends a statement as a semicolon does. */
static bool sql_read_terminator(const char *z)
{
    while (ascii_space((unsigned char)*z))
        z++;
    size_t n = *z == '/' ? 1 : ascii_to_lower(z[0]) == 'g' && ascii_to_lower(z[1]) == 'o' ? 2 : 0;
    for (z += n; ascii_space((unsigned char)*z);)
        z++;
    return n && !*z;
}

struct sql_reader {
    struct buf sql, line;
    struct sql_scan scan;
    int64_t start;
    int errors;
};

/* One line: false when the input ends here. */
static bool sql_read_line(struct sql *s, struct sql_reader *r)
{
    char *z = r->line.p;
    if (!r->scan.wait && r->sql.n && sql_read_terminator(z)) {
        struct buf b;
        buf_init(&b, s->heap);
        buf_str(&b, buf_get(&r->sql));
        buf_putc(&b, ';');
        if (sqlite3_complete(buf_get(&b).p)) {
            buf_clear(&r->line);
            buf_putc(&r->line, ';');
            z = r->line.p;
        }
        buf_fini(&b);
        if (!z)
            return false;
    }
    sql_scan_line(&r->scan, z);
    if (r->sql.n == 0 && (sql_scan_white(&r->scan) || *z == '.' || *z == '#')) {
        r->scan = (struct sql_scan){0};
        if (s->echo)
            out_printf(s->out, "%s\n", z);
        int rc = *z == '.' ? sql_dot(s, z) : 0;
        r->errors += rc == 1;
        return rc != SQL_QUIT;
    }
    if (r->sql.n == 0) {
        while (ascii_space((unsigned char)*z))
            z++;
        r->start = s->line;
    } else
        buf_putc(&r->sql, '\n');
    buf_addz(&r->sql, z);
    bool ended = !r->scan.wait && (r->scan.state & SQL_SCAN_SEMI);
    if (r->sql.n && ended && sqlite3_complete(buf_get(&r->sql).p)) {
        r->errors += sql_read_run(s, buf_get(&r->sql).p, r->start);
        buf_clear(&r->sql);
        r->scan = (struct sql_scan){0};
        if (s->once)
            sql_output_reset(s);
    } else if (r->sql.n && sql_scan_white(&r->scan)) {
        if (s->echo)
            out_printf(s->out, "%s\n", buf_get(&r->sql).p);
        buf_clear(&r->sql);
        r->scan = (struct sql_scan){0};
    }
    return true;
}

int sql_read(struct sql *s, struct in *in)
{
    struct sql_reader r = {0};
    struct in *was = s->in;
    int64_t was_line = s->line;
    struct str line;
    bool had, quit = false;

    if (s->depth >= SQL_DEPTH)
        return sql_complain(s, "Input nesting limit (%d) reached at line %lld. Check recursion.\n",
                            SQL_DEPTH, (long long)s->line);
    s->depth++;
    s->in = in;
    s->line = 0;
    buf_init(&r.sql, s->heap);
    buf_init(&r.line, s->heap);
    while (!quit && !(r.errors && s->bail) && !sql_over(s)) {
        if (r.sql.n == 0 && s->out->n)
            out_flush(s->out);
        if (!in_line(in, '\n', &line, &had))
            break;
        s->line++;
        if (line.n && line.p[line.n - 1] == '\r')
            line.n--;
        buf_clear(&r.line);
        buf_str(&r.line, line);
        buf_putc(&r.line, '\0');
        if (r.line.p)
            quit = !sql_read_line(s, &r);
    }
    if (r.sql.n && !quit && !(r.errors && s->bail) && !sql_over(s))
        r.errors += sql_read_run(s, buf_get(&r.sql).p, r.start);
    buf_fini(&r.sql);
    buf_fini(&r.line);
    s->in = was;
    s->line = was_line;
    s->depth--;
    return r.errors > 0;
}

int sql_source(struct sql *s, struct str path)
{
    struct in in;
    if (in_open_quiet(&in, s->p, path) < 0)
        return -1;
    int r = sql_read(s, &in);
    in_fini(&in);
    return r;
}

/* ---- the command line ------------------------------------------------------------------------ */

struct sql_line {
    struct str db, init;
    struct strs sql, first; /* statements to run, and those of -cmd */
    bool has_db, batch;
};

static void sql_separator(char out[SQL_SEP], const char *z)
{
    sqlite3_snprintf(SQL_SEP, out, "%.*s", SQL_SEP - 1, z);
}

/* Options that choose a mode. False: it is none of them. */
static bool sql_line_mode(struct sql *s, const char *z)
{
    static const struct {
        const char *name;
        int mode;
        const char *col, *row;
    } rows[] = {
        {"ascii", SQL_ASCII, "\x1f", "\x1e"},   {"box", SQL_BOX, NULL, NULL},
        {"column", SQL_COLUMN, NULL, NULL},     {"csv", SQL_CSV, ",", NULL},
        {"html", SQL_HTML, NULL, NULL},         {"json", SQL_JSON, NULL, NULL},
        {"line", SQL_LINE, NULL, NULL},         {"list", SQL_LIST, NULL, NULL},
        {"markdown", SQL_MARKDOWN, NULL, NULL}, {"quote", SQL_QUOTE, ",", "\n"},
        {"table", SQL_TABLE, NULL, NULL},       {"tabs", SQL_LIST, "\t", "\n"},
    };
    for (size_t i = 0; i < COUNT(rows); i++)
        if (strcmp(z, rows[i].name) == 0) {
            s->mode = rows[i].mode;
            if (rows[i].col)
                sql_separator(s->colsep, rows[i].col);
            if (rows[i].row)
                sql_separator(s->rowsep, rows[i].row);
            return true;
        }
    return false;
}

/* Options without an argument. False: unknown. */
static bool sql_line_flag(struct sql *s, struct sql_line *l, const char *z)
{
    const struct {
        const char *name;
        bool *to, value;
    } rows[] = {
        {"bail", &s->bail, true},         {"batch", &l->batch, true},
        {"echo", &s->echo, true},         {"header", &s->headers, true},
        {"noheader", &s->headers, false}, {"readonly", &s->readonly, true},
        {"nofollow", &s->nofollow, true}, {"stats", &s->stats, true},
        {"interactive", &l->batch, true}, {"safe", &l->batch, true},
    };
    for (size_t i = 0; i < COUNT(rows); i++)
        if (strcmp(z, rows[i].name) == 0) {
            *rows[i].to = rows[i].value;
            if (rows[i].to == &s->headers)
                s->headers_set = true;
            return true;
        }
    return sql_line_mode(s, z);
}

/* Options with arguments: how many words they take, 0: it is none of them. */
static int sql_line_words(const char *z)
{
    static const char *const one[] = {"separator", "newline", "nullvalue", "cmd",     "init",
                                      "mmap",      "nonce",   "vfs",       "maxsize", "heap"};
    static const char *const two[] = {"lookaside", "pagecache"};
    for (size_t i = 0; i < COUNT(one); i++)
        if (strcmp(z, one[i]) == 0)
            return 1;
    for (size_t i = 0; i < COUNT(two); i++)
        if (strcmp(z, two[i]) == 0)
            return 2;
    return 0;
}

static bool sql_line_value(struct sql *s, struct sql_line *l, const char *z, struct str value)
{
    if (strcmp(z, "separator") == 0)
        sql_separator(s->colsep, value.p);
    else if (strcmp(z, "newline") == 0)
        sql_separator(s->rowsep, value.p);
    else if (strcmp(z, "nullvalue") == 0)
        sql_separator(s->null, value.p);
    else if (strcmp(z, "init") == 0)
        l->init = value;
    else if (strcmp(z, "cmd") == 0)
        return proc_push(s->p, &l->first, value);
    return true;
}

static int sql_line_parse(struct sql *s, struct sql_line *l)
{
    struct proc *p = s->p;
    for (int i = 0; i < p->argc; i++) {
        const char *z = p->argv[i].p;
        if (z[0] != '-' || !z[1]) {
            if (!l->has_db)
                l->db = p->argv[i];
            else if (!proc_push(p, &l->sql, p->argv[i]))
                return HOB_ENOMEM;
            l->has_db = true;
            continue;
        }
        const char *name = z + 1 + (z[1] == '-');
        int words = sql_line_words(name);
        if (strcmp(name, "version") == 0) {
            out_printf(&s->std, "%s %s\n", sqlite3_libversion(), sqlite3_sourceid());
            return SQL_QUIT;
        }
        if (strcmp(name, "help") == 0) {
            struct buf b;
            buf_init(&b, s->heap);
            command_help(&b, p->command);
            proc_write(p, 2, buf_get(&b).p, b.n);
            buf_fini(&b);
            return 1;
        }
        if (words) {
            if (i + words >= p->argc)
                return sql_complain(s, "%s: Error: missing argument to %s\n", p->name.p,
                                    p->argv[p->argc - 1].p);
            if (!sql_line_value(s, l, name, p->argv[i + 1]))
                return HOB_ENOMEM;
            i += words;
        } else if (!sql_line_flag(s, l, name)) {
            return sql_complain(s,
                                "%s: Error: unknown option: -%s\n"
                                "Use -help for a list of options.\n",
                                p->name.p, name);
        }
    }
    return 0;
}

/* What stands on the command line, in front of any input. An exit status, or -1: go on. */
static int sql_line_run(struct sql *s, const struct strs *list, bool first)
{
    for (size_t i = 0; i < list->n && !sql_over(s); i++) {
        struct str err;
        char *copy = (char *)arena_str(s->p->arena, list->p[i]).p;
        if (!copy)
            return 1;
        if (copy[0] == '.') {
            int rc = sql_dot(s, copy);
            if (rc && (!first || s->bail || rc == SQL_QUIT))
                return rc == SQL_QUIT ? s->status : rc;
            continue;
        }
        if (!sql_open(s))
            return 1;
        int rc = sql_run(s, copy, &err);
        if (rc == SQLITE_OK && !err.p)
            continue;
        if (err.p)
            sql_complain(s, "Error: %.*s\n", STR_ARG(err));
        else
            sql_complain(s, "Error: unable to process SQL: %s\n", copy);
        if (!first || s->bail)
            return rc ? rc : 1;
    }
    return -1;
}

static int sql_main(struct sql *s)
{
    struct sql_line l = {0};
    struct stat_info st;
    struct in in;
    int rc = sql_line_parse(s, &l);
    if (rc)
        return rc == SQL_QUIT ? 0 : rc;
    s->filename = l.has_db ? l.db : STR(":memory:");
    if (l.has_db && l.db.n && vfs_stat(s->p, l.db, 0, &st) == 0 && !sql_open(s))
        return 1;
    if (l.init.p) {
        if (sql_source(s, l.init) < 0)
            sql_complain(s, "cannot open: \"%s\"\n", l.init.p);
    }
    rc = sql_line_run(s, &l.first, true);
    if (rc < 0)
        rc = sql_line_run(s, &l.sql, false);
    if (rc >= 0)
        return rc;
    if (l.sql.n)
        return 0;
    s->status = 0;
    in_init(&in, s->p, 0);
    rc = sql_read(s, &in);
    in_fini(&in);
    return s->status ? s->status : rc;
}

static int sql_command(struct proc *p, void *args)
{
    (void)args;
    struct sql *s = arena_new(p->arena, struct sql);
    if (!s)
        return HOB_ENOMEM;
    s->p = p;
    s->heap = &p->kernel->heap;
    s->zone = getdate_zone(p);
    s->mode = SQL_LIST;
    s->explain = 2;
    sql_separator(s->colsep, "|");
    sql_separator(s->rowsep, "\n");
    out_init(&s->std, p, 1);
    sql_output_reset(s);
    int rc = sql_vfs_register(s) == SQLITE_OK ? sql_main(s) : HOB_ENOMEM;
    sql_output_reset(s);
    sql_plan_clear(s);
    sql_close(s);
    sql_vfs_unregister(s);
    int e = out_fini(&s->std);
    if (s->heap->oom)
        return HOB_ENOMEM;
    if (proc_check(p) < 0)
        return HOB_EKILLED;
    return e < 0 && rc == 0 ? 1 : rc;
}

#else

static int sql_command(struct proc *p, void *args)
{
    (void)args;
    proc_warn(p, "SQLite is not built in");
    return 1;
}

#endif

/* For the help; sql_line_parse() reads them by hand, since -csv is a word and no letters. */
struct sql_options {
    bool flag;
    struct str arg;
};

static const struct opt sql_opts[] = {
    OPT_FLAG(0, "ascii", struct sql_options, flag, "fields and records parted by 0x1f and 0x1e"),
    OPT_FLAG(0, "bail", struct sql_options, flag, "stop at the first error"),
    OPT_FLAG(0, "batch", struct sql_options, flag, "ignored: there is no terminal"),
    OPT_FLAG(0, "box", struct sql_options, flag, "a table with drawn lines"),
    OPT_STRING(0, "cmd", struct sql_options, arg, "COMMAND", "run COMMAND before the input"),
    OPT_FLAG(0, "column", struct sql_options, flag, "columns of even width"),
    OPT_FLAG(0, "csv", struct sql_options, flag, "comma separated values"),
    OPT_FLAG(0, "echo", struct sql_options, flag, "write statements before they run"),
    OPT_FLAG(0, "header", struct sql_options, flag, "names above the columns"),
    OPT_FLAG(0, "html", struct sql_options, flag, "rows of an HTML table"),
    OPT_STRING(0, "init", struct sql_options, arg, "FILE", "run what is in FILE first"),
    OPT_FLAG(0, "json", struct sql_options, flag, "an array of objects"),
    OPT_FLAG(0, "line", struct sql_options, flag, "one value on each line"),
    OPT_FLAG(0, "list", struct sql_options, flag, "values parted by |"),
    OPT_FLAG(0, "markdown", struct sql_options, flag, "a table in Markdown"),
    OPT_STRING(0, "newline", struct sql_options, arg, "SEP", "what parts rows"),
    OPT_FLAG(0, "nofollow", struct sql_options, flag, "refuse symbolic links to databases"),
    OPT_FLAG(0, "noheader", struct sql_options, flag, "no names above the columns"),
    OPT_STRING(0, "nullvalue", struct sql_options, arg, "TEXT", "what stands for NULL"),
    OPT_FLAG(0, "quote", struct sql_options, flag, "values as SQL literals"),
    OPT_FLAG(0, "readonly", struct sql_options, flag, "open the database for reading alone"),
    OPT_STRING(0, "separator", struct sql_options, arg, "SEP", "what parts columns"),
    OPT_FLAG(0, "table", struct sql_options, flag, "a table drawn in ASCII"),
    OPT_FLAG(0, "tabs", struct sql_options, flag, "values parted by tabs"),
    OPT_END,
};

const struct command cmd_sqlite3 = {
    .name = "sqlite3",
    .usage = "[OPTIONS] [FILENAME [SQL]...]",
    .summary = "Run SQL on a database: the file FILENAME, or one in memory.",
    .notes = "Options may have one dash or two. Without SQL, statements are read from standard "
             "input;\na line `.help` there lists the commands that begin with a dot.",
    .opts = sql_opts,
    .flags = CMD_NO_OPTIONS | CMD_NO_HELP,
    .usage_status = 1,
    .run = sql_command,
};
