/* sql_func.c -- the functions that the shell adds to SQL, and those that must ask the sandbox */
#include "commands/sqlite3/sql.h"

#ifdef HAVE_SQLITE3

#include "base/error.h"
#include "base/utf8.h"
#include "text/regex.h"

static void sql_func_random(sqlite3_context *c, int n, sqlite3_value **v)
{
    struct sql *s = sqlite3_user_data(c);
    (void)n;
    (void)v;
    sqlite3_result_int64(c, (sqlite3_int64)random_next(&s->p->kernel->random));
}

static void sql_func_randomblob(sqlite3_context *c, int argc, sqlite3_value **v)
{
    struct sql *s = sqlite3_user_data(c);
    sqlite3_int64 n = MAX(sqlite3_value_int64(v[0]), 1);
    (void)argc;
    if (n > sqlite3_limit(sqlite3_context_db_handle(c), SQLITE_LIMIT_LENGTH, -1)) {
        sqlite3_result_error_toobig(c);
        return;
    }
    void *p = sqlite3_malloc64((sqlite3_uint64)n);
    if (!p) {
        sqlite3_result_error_nomem(c);
        return;
    }
    random_bytes(&s->p->kernel->random, p, (size_t)n);
    sqlite3_result_blob64(c, p, (sqlite3_uint64)n, sqlite3_free);
}

/* readfile(NAME): its bytes, or NULL. */
static void sql_func_readfile(sqlite3_context *c, int n, sqlite3_value **v)
{
    struct sql *s = sqlite3_user_data(c);
    const char *name = (const char *)sqlite3_value_text(v[0]);
    struct in in;
    struct str text = STR_NONE;
    (void)n;
    if (!name)
        return;
    sql_leave(s);
    struct arena_mark mark = arena_mark(s->p->arena);
    int e = in_open_quiet(&in, s->p, str_z(name));
    if (e == 0) {
        e = in_all(&in, &text);
        in_fini(&in);
    }
    sql_enter(s);
    if (e == 0)
        sqlite3_result_blob64(c, text.n ? text.p : "", text.n, SQLITE_TRANSIENT);
    arena_release(s->p->arena, mark);
}

/* writefile(NAME, DATA [, MODE [, MTIME]]): the bytes written, or NULL. */
static void sql_func_writefile(sqlite3_context *c, int n, sqlite3_value **v)
{
    struct sql *s = sqlite3_user_data(c);
    if (n < 2 || n > 4) {
        sqlite3_result_error(c, "wrong number of arguments to function writefile()", -1);
        return;
    }
    const char *name = (const char *)sqlite3_value_text(v[0]);
    const void *data = sqlite3_value_blob(v[1]);
    size_t size = (size_t)sqlite3_value_bytes(v[1]);
    uint32_t mode = n >= 3 ? (uint32_t)sqlite3_value_int(v[2]) : 0;
    struct file *f = NULL;
    if (!name)
        return;
    sql_leave(s);
    int e;
    if (MODE_IS_DIR(mode))
        e = vfs_mkdir(s->p, str_z(name), mode & 0777);
    else
        e = vfs_open(s->p, str_z(name), FILE_WRITE | FILE_CREATE | FILE_TRUNC, 0666 & ~s->p->umask,
                     &f);
    if (f && size)
        e = file_write(f, s->p, data, size);
    file_unref(f);
    if (e == 0 && (mode & 0777))
        vfs_chmod(s->p, str_z(name), mode & 07777);
    if (e == 0 && n == 4)
        vfs_utimes(s->p, str_z(name), VFS_NOW, sqlite3_value_int64(v[3]) * 1000000000, 0);
    sql_enter(s);
    if (e == 0)
        sqlite3_result_int64(c, (sqlite3_int64)size);
    else if (n >= 3)
        sqlite3_result_error(c, "failed to write file", -1);
}

static void sql_func_regex_free(void *re) { regex_free(re); }

static int sql_func_tick(void *ud, uint64_t steps)
{
    struct sql *s = ud;
    return proc_tick(s->p, (int64_t)(steps / 1024));
}

/* TEXT REGEXP PATTERN is regexp(PATTERN, TEXT). The compiled pattern is kept by SQLite. */
static void sql_func_match(sqlite3_context *c, sqlite3_value **v, unsigned flags)
{
    struct sql *s = sqlite3_user_data(c);
    struct regex *re = sqlite3_get_auxdata(c, 0), *made = NULL;
    const char *pattern = (const char *)sqlite3_value_text(v[0]);
    const char *text = (const char *)sqlite3_value_text(v[1]);
    struct hob_error err = {0};
    int r = 0;
    if (!pattern || !text)
        return;
    struct str t = str_of(text, (size_t)sqlite3_value_bytes(v[1]));
    sql_leave(s);
    if (!re) {
        r = regex_compile(s->heap, str_z(pattern), REGEX_AWK | flags, &made, &err);
        re = made;
    }
    if (re) {
        regex_set_tick(re, sql_func_tick, s);
        r = regex_is_match(re, t);
    }
    sql_enter(s);
    if (made)
        sqlite3_set_auxdata(c, 0, made, sql_func_regex_free);
    if (r >= 0)
        sqlite3_result_int(c, r);
    else if (r == HOB_ENOMEM || r == HOB_EKILLED)
        sqlite3_result_error_nomem(c);
    else
        sqlite3_result_error(c, err.msg[0] ? err.msg : error_text(r), -1);
}

static void sql_func_regexp(sqlite3_context *c, int n, sqlite3_value **v)
{
    (void)n;
    sql_func_match(c, v, 0);
}

static void sql_func_regexpi(sqlite3_context *c, int n, sqlite3_value **v)
{
    (void)n;
    sql_func_match(c, v, REGEX_ICASE);
}

static void sql_func_usleep(sqlite3_context *c, int n, sqlite3_value **v)
{
    struct sql *s = sqlite3_user_data(c);
    int us = sqlite3_value_int(v[0]);
    (void)n;
    s->vfs.xSleep(&s->vfs, MAX(us, 0));
    sqlite3_result_int(c, us);
}

/* A name as it must stand in SQL. */
static void sql_func_idquote(sqlite3_context *c, int n, sqlite3_value **v)
{
    struct sql *s = sqlite3_user_data(c);
    const char *name = (const char *)sqlite3_value_text(v[0]);
    struct buf b;
    (void)n;
    if (!name)
        return;
    buf_init(&b, s->heap);
    sql_quote(&b, name, sql_quote_char(name));
    sqlite3_result_text(c, buf_get(&b).p, (int)b.n, SQLITE_TRANSIENT);
    buf_fini(&b);
}

int sql_functions(struct sql *s, sqlite3 *db)
{
    static const struct {
        const char *name;
        int n, flags;
        void (*fn)(sqlite3_context *, int, sqlite3_value **);
    } rows[] = {
        {"random", 0, 0, sql_func_random},
        {"randomblob", 1, 0, sql_func_randomblob},
        {"readfile", 1, SQLITE_DIRECTONLY, sql_func_readfile},
        {"writefile", -1, SQLITE_DIRECTONLY, sql_func_writefile},
        {"regexp", 2, SQLITE_INNOCUOUS | SQLITE_DETERMINISTIC, sql_func_regexp},
        {"regexpi", 2, SQLITE_INNOCUOUS | SQLITE_DETERMINISTIC, sql_func_regexpi},
        {"usleep", 1, 0, sql_func_usleep},
        {"shell_idquote", 1, 0, sql_func_idquote},
    };
    int rc = SQLITE_OK;
    for (size_t i = 0; i < COUNT(rows) && rc == SQLITE_OK; i++)
        rc = sqlite3_create_function(db, rows[i].name, rows[i].n, SQLITE_UTF8 | rows[i].flags, s,
                                     rows[i].fn, NULL, NULL);
    return rc;
}

#endif
