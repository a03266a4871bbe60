/* sql_series.c -- generate_series(START, STOP, STEP), a table that counts */
#include "commands/sqlite3/sql.h"

#ifdef HAVE_SQLITE3

enum {
    SQL_SERIES_VALUE,
    SQL_SERIES_START,
    SQL_SERIES_STOP,
    SQL_SERIES_STEP
};

struct sql_cursor {
    sqlite3_vtab_cursor base;
    sqlite3_int64 start, stop, step, value; /* as asked for */
    uint64_t by, at, last;                  /* steps from the start, and of the last value */
    bool done, down;
};

static struct sql_cursor *sql_cursor_of(sqlite3_vtab_cursor *c)
{
    return CONTAINER(c, struct sql_cursor, base);
}

static int sql_series_connect(sqlite3 *db, void *ud, int argc, const char *const *argv,
                              sqlite3_vtab **out, char **err)
{
    (void)ud;
    (void)argc;
    (void)argv;
    (void)err;
    int rc = sqlite3_declare_vtab(db, "CREATE TABLE x(value,start hidden,stop hidden,step hidden)");
    if (rc != SQLITE_OK)
        return rc;
    *out = sqlite3_malloc(sizeof **out);
    if (!*out)
        return SQLITE_NOMEM;
    memset(*out, 0, sizeof **out);
    sqlite3_vtab_config(db, SQLITE_VTAB_INNOCUOUS);
    return SQLITE_OK;
}

static int sql_series_disconnect(sqlite3_vtab *t)
{
    sqlite3_free(t);
    return SQLITE_OK;
}

static int sql_series_open(sqlite3_vtab *t, sqlite3_vtab_cursor **out)
{
    (void)t;
    struct sql_cursor *c = sqlite3_malloc(sizeof *c);
    if (!c)
        return SQLITE_NOMEM;
    memset(c, 0, sizeof *c);
    *out = &c->base;
    return SQLITE_OK;
}

static int sql_series_close(sqlite3_vtab_cursor *c)
{
    sqlite3_free(sql_cursor_of(c));
    return SQLITE_OK;
}

static void sql_series_set(struct sql_cursor *c)
{
    uint64_t by = c->down ? c->last - c->at : c->at;
    c->value = (sqlite3_int64)((uint64_t)c->start + by * c->by);
}

static int sql_series_next(sqlite3_vtab_cursor *cursor)
{
    struct sql_cursor *c = sql_cursor_of(cursor);
    if (c->at == c->last)
        c->done = true;
    else
        c->at++;
    sql_series_set(c);
    return SQLITE_OK;
}

static int sql_series_eof(sqlite3_vtab_cursor *c) { return sql_cursor_of(c)->done; }

static int sql_series_column(sqlite3_vtab_cursor *cursor, sqlite3_context *x, int i)
{
    struct sql_cursor *c = sql_cursor_of(cursor);
    sqlite3_result_int64(x, i == SQL_SERIES_START  ? c->start
                            : i == SQL_SERIES_STOP ? c->stop
                            : i == SQL_SERIES_STEP ? c->step
                                                   : c->value);
    return SQLITE_OK;
}

static int sql_series_rowid(sqlite3_vtab_cursor *c, sqlite3_int64 *out)
{
    *out = (sqlite3_int64)(sql_cursor_of(c)->at + 1);
    return SQLITE_OK;
}

static int sql_series_filter(sqlite3_vtab_cursor *cursor, int plan, const char *text, int argc,
                             sqlite3_value **v)
{
    struct sql_cursor *c = sql_cursor_of(cursor);
    int i = 0;
    (void)text;
    c->start = plan & 1 ? sqlite3_value_int64(v[i++]) : 0;
    c->stop = plan & 2 ? sqlite3_value_int64(v[i++]) : 0xffffffff;
    c->step = plan & 4 ? sqlite3_value_int64(v[i++]) : 1;
    if (c->step == 0)
        c->step = 1;
    /* A negative step counts down from the stop; the first value is the one that START leads to. */
    uint64_t by = c->step > 0 ? (uint64_t)c->step : 0 - (uint64_t)c->step;
    c->done = c->start > c->stop;
    for (i = 0; i < argc; i++)
        c->done = c->done || sqlite3_value_type(v[i]) == SQLITE_NULL;
    uint64_t span = (uint64_t)c->stop - (uint64_t)c->start;
    c->at = 0;
    c->last = c->done ? 0 : span / by;
    c->by = by;
    c->down = c->step < 0;
    sql_series_set(c);
    return SQLITE_OK;
}

/* Only equalities with the hidden columns help; those are the arguments. */
static int sql_series_plan(sqlite3_vtab *t, sqlite3_index_info *info)
{
    int found[3] = {-1, -1, -1}, args = 0, unusable = 0;
    (void)t;
    info->idxNum = 0;
    for (int i = 0; i < info->nConstraint; i++) {
        int column = info->aConstraint[i].iColumn - SQL_SERIES_START;
        if (column < 0 || column > 2 || info->aConstraint[i].op != SQLITE_INDEX_CONSTRAINT_EQ)
            continue;
        if (!info->aConstraint[i].usable)
            unusable |= 1 << column;
        else {
            info->idxNum |= 1 << column;
            found[column] = i;
        }
    }
    for (int i = 0; i < 3; i++)
        if (found[i] >= 0) {
            info->aConstraintUsage[found[i]].argvIndex = ++args;
            info->aConstraintUsage[found[i]].omit = 1;
        }
    if (!(info->idxNum & 1)) {
        sqlite3_free(t->zErrMsg);
        t->zErrMsg = sqlite3_mprintf("first argument to \"generate_series()\" missing or unusable");
        return SQLITE_ERROR;
    }
    if (unusable & ~info->idxNum)
        return SQLITE_CONSTRAINT;
    info->estimatedCost = (info->idxNum & 3) == 3 ? 2 - ((info->idxNum & 4) != 0) : 2147483647;
    info->estimatedRows = (info->idxNum & 3) == 3 ? 1000 : 2147483647;
    return SQLITE_OK;
}

int sql_series(struct sql *s, sqlite3 *db)
{
    static const sqlite3_module module = {
        .xConnect = sql_series_connect,
        .xBestIndex = sql_series_plan,
        .xDisconnect = sql_series_disconnect,
        .xOpen = sql_series_open,
        .xClose = sql_series_close,
        .xFilter = sql_series_filter,
        .xNext = sql_series_next,
        .xEof = sql_series_eof,
        .xColumn = sql_series_column,
        .xRowid = sql_series_rowid,
    };
    return sqlite3_create_module(db, "generate_series", &module, s);
}

#endif
