/* sql_db.c -- a connection to SQLite within the limits of the sandbox
 *
 * What must not happen: a file of the host (a URI may name another VFS), memory beside the heap,
 * settings that count for the whole program, code from a library, endless work. An authorizer sees
 * every statement before it is compiled, and a handler is called while one runs.
 */
#include "commands/sqlite3/sql.h"

#include "base/utf8.h"

#ifdef HAVE_SQLITE3

enum {
    SQL_DB_STEPS = 500, /* of SQLite's machine between two looks at the limits */
    SQL_DB_FUEL = 100,  /* what they cost */
    SQL_DB_FRAME = 3072 /* bytes of stack for one level of an expression or of a compound */
};

static int sql_db_progress(void *ud)
{
    struct sql *s = ud;
    sql_leave(s);
    int e = proc_tick(s->p, SQL_DB_FUEL);
    sql_enter(s);
    return e < 0 || s->heap->oom;
}

/* TM-SQL-1: a name may say `file:x?vfs=unix` or `cache=shared`; both lead out of the sandbox. */
static bool sql_db_name_ok(struct str name)
{
    static const char *const known[] = {"mode", "immutable", "nolock", "psow"};
    if (!str_starts(name, STR("file:")))
        return true;
    ptrdiff_t end = str_chr(name, '#'), at = str_chr(name, '?');
    if (end >= 0)
        name.n = (size_t)end;
    if (at < 0 || (size_t)at >= name.n)
        return true;
    struct str rest = str_from(name, (size_t)at + 1);
    while (rest.n) {
        ptrdiff_t amp = str_chr(rest, '&');
        struct str one = amp < 0 ? rest : str_of(rest.p, (size_t)amp);
        ptrdiff_t eq = str_chr(one, '=');
        struct str key = eq < 0 ? one : str_of(one.p, (size_t)eq);
        bool ok = key.n == 0;
        for (size_t i = 0; i < COUNT(known); i++)
            ok = ok || str_eqz(key, known[i]);
        if (!ok)
            return false;
        rest = amp < 0 ? STR_NONE : str_from(rest, (size_t)amp + 1);
    }
    return true;
}

/* Settings that would count for the whole program. */
static bool sql_db_pragma_ok(const char *name)
{
    static const char *const refused[] = {"temp_store_directory",
                                          "data_store_directory",
                                          "soft_heap_limit",
                                          "hard_heap_limit",
                                          "mmap_size",
                                          "threads",
                                          "lock_proxy_file"};
    for (size_t i = 0; i < COUNT(refused); i++)
        if (sqlite3_stricmp(name, refused[i]) == 0)
            return false;
    return true;
}

static int sql_db_authorize(void *ud, int action, const char *a, const char *b, const char *c,
                            const char *d)
{
    (void)ud;
    (void)c;
    (void)d;
    if (action == SQLITE_ATTACH) /* without a name: an expression, which nobody can check */
        return a && sql_db_name_ok(str_z(a)) ? SQLITE_OK : SQLITE_DENY;
    if (action == SQLITE_PRAGMA && a && b && !sql_db_pragma_ok(a))
        return SQLITE_IGNORE;
    if (action == SQLITE_FUNCTION && b && sqlite3_stricmp(b, "load_extension") == 0)
        return SQLITE_DENY;
    return SQLITE_OK;
}

static void sql_db_limits(struct sql *s, sqlite3 *db, bool metered)
{
    const char *here = __builtin_frame_address(0), *low = s->p->task->stack_limit;
    int deep = here > low ? (int)MIN((size_t)(here - low) / SQL_DB_FRAME, (size_t)1000) : 1;
    sqlite3_limit(db, SQLITE_LIMIT_EXPR_DEPTH, MAX(deep, 1));
    sqlite3_limit(db, SQLITE_LIMIT_COMPOUND_SELECT, MIN(MAX(deep, 1), 500));
    sqlite3_limit(db, SQLITE_LIMIT_WORKER_THREADS, 0);
    sqlite3_limit(db, SQLITE_LIMIT_LENGTH, (int)MIN(s->p->kernel->limits.memory, 1000000000u));
    if (!metered) { /* the program's own SQLite was set up first: keep what it may take small */
        sqlite3_limit(db, SQLITE_LIMIT_LENGTH, 1 << 20);
        sqlite3_limit(db, SQLITE_LIMIT_COLUMN, 100);
    }
    sqlite3_progress_handler(db, SQL_DB_STEPS, sql_db_progress, s);
    sqlite3_set_authorizer(db, sql_db_authorize, s);
}

/* A database in WAL mode needs memory shared by its users, unless it has only one. */
static void sql_db_wal(struct sql *s, sqlite3 *db, struct str name)
{
    char head[20];
    struct file *f;
    if (vfs_open(s->p, name, FILE_READ, 0, &f) < 0)
        return;
    ptrdiff_t n = f->flags & FILE_SEEKABLE ? file_read(f, s->p, head, sizeof head) : 0;
    file_unref(f);
    if (n != (ptrdiff_t)sizeof head || head[18] != 2)
        return;
    sql_enter(s);
    sqlite3_exec(db, "PRAGMA main.locking_mode=EXCLUSIVE", NULL, NULL, NULL);
    sql_leave(s);
}

int sql_connect(struct sql *s, struct str name, int flags, sqlite3 **db)
{
    *db = NULL;
    if (!sql_db_name_ok(name))
        return SQLITE_AUTH;
    size_t before = s->heap->used;
    sql_enter(s);
    int rc = sqlite3_open_v2(name.p ? name.p : "", db,
                             flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE, s->vfs_name);
    sql_leave(s);
    if (!*db)
        return SQLITE_NOMEM;
    sql_db_limits(s, *db, s->heap->used > before);
    sql_enter(s);
    if (rc == SQLITE_OK)
        rc = sql_functions(s, *db);
    if (rc == SQLITE_OK)
        rc = sql_series(s, *db);
    sql_leave(s);
    if (rc == SQLITE_OK && name.n)
        sql_db_wal(s, *db, name);
    return s->heap->oom ? SQLITE_NOMEM : rc;
}

/* What was begun is rolled back here, which needs some memory: there is room again for it. */
void sql_disconnect(struct sql *s, sqlite3 *db)
{
    bool oom = s->heap->oom;
    s->heap->oom = false;
    sql_enter(s);
    sqlite3_close(db);
    sql_leave(s);
    s->heap->oom = oom || s->heap->oom;
}

int sql_complain(struct sql *s, const char *fmt, ...)
{
    struct buf b;
    va_list ap;
    buf_init(&b, s->heap);
    va_start(ap, fmt);
    buf_vprintf(&b, fmt, ap);
    va_end(ap);
    if (!sql_over(s))
        proc_write(s->p, 2, buf_get(&b).p, b.n);
    buf_fini(&b);
    return 1;
}

bool sql_open(struct sql *s)
{
    if (s->db)
        return true;
    int flags = s->readonly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
    if (s->nofollow)
        flags |= SQLITE_OPEN_NOFOLLOW;
    int rc = sql_connect(s, s->filename, flags, &s->db);
    if (rc == SQLITE_OK)
        return true;
    sql_complain(s, "Error: unable to open database \"%s\": %s\n",
                 s->filename.p ? s->filename.p : "",
                 s->db && rc != SQLITE_AUTH ? sqlite3_errmsg(s->db) : sqlite3_errstr(rc));
    sql_close(s);
    return false;
}

void sql_close(struct sql *s)
{
    if (s->db)
        sql_disconnect(s, s->db);
    s->db = NULL;
}

int sql_prepare(struct sql *s, const char *text, sqlite3_stmt **stmt, const char **tail)
{
    sql_enter(s);
    int rc = sqlite3_prepare_v2(s->db, text, -1, stmt, tail);
    sql_leave(s);
    return rc;
}

int sql_step(struct sql *s, sqlite3_stmt *stmt)
{
    sql_enter(s);
    int rc = sqlite3_step(stmt);
    sql_leave(s);
    return s->heap->oom ? SQLITE_NOMEM : rc;
}

int sql_finalize(struct sql *s, sqlite3_stmt *stmt)
{
    sql_enter(s);
    int rc = sqlite3_finalize(stmt);
    sql_leave(s);
    return rc;
}

const char *sql_text(struct sql *s, sqlite3_stmt *stmt, int i)
{
    sql_enter(s);
    const char *z = (const char *)sqlite3_column_text(stmt, i);
    sql_leave(s);
    return z ? z : "";
}

int sql_execute(struct sql *s, const char *text)
{
    sql_enter(s);
    int rc = sqlite3_exec(s->db, text, NULL, NULL, NULL);
    sql_leave(s);
    return rc;
}

void sql_quote(struct buf *b, const char *text, char q)
{
    if (q)
        buf_putc(b, q);
    for (; *text; text++) {
        if (q && *text == q)
            buf_putc(b, q);
        buf_putc(b, *text);
    }
    if (q)
        buf_putc(b, q);
}

char sql_quote_char(const char *name)
{
    size_t i = 0;
    if (!ascii_alpha(name[0]) && name[0] != '_')
        return '"';
    for (; name[i]; i++)
        if (!ascii_alnum(name[i]) && name[i] != '_')
            return '"';
    return sqlite3_keyword_check(name, (int)i) ? '"' : 0;
}

#endif
