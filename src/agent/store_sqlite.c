/* store_sqlite.c -- sessions in an SQLite file
 *
 * Two tables: the sessions, and their entries in order. Every append is one transaction that is on
 * the disk when it returns (a write-ahead log with synchronous=FULL), and (session, seq) is the
 * key, so no entry can be there twice. Who holds a session has a lock on a range of the file
 * PATH-lock, by its number; the kernel drops the lock when the process ends, however it ends.
 */
#include "agent/store.h"

#ifdef HAVE_SQLITE3
#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fmt.h"
#include "base/vec.h"

enum {
    STORE_SQLITE_APP = 0x486f6273, /* "Hobs", the application_id of the file */
    STORE_SQLITE_VERSION = 1,      /* its user_version */
    STORE_SQLITE_BUSY_MS = 5000,   /* commits of other processes are waited for so long */
    STORE_SQLITE_SLOT = 16         /* bytes of PATH-lock for one session: who holds it, as text */
};

enum store_sqlite_query {
    STORE_SQLITE_BEGIN,
    STORE_SQLITE_COMMIT,
    STORE_SQLITE_ROLLBACK,
    STORE_SQLITE_NORMAL,
    STORE_SQLITE_FULL_SYNC,
    STORE_SQLITE_FIND,
    STORE_SQLITE_MAKE,
    STORE_SQLITE_ENTRIES,
    STORE_SQLITE_INSERT,
    STORE_SQLITE_TOUCH,
    STORE_SQLITE_LIST,
    STORE_SQLITE_NAMES,
    STORE_SQLITE_REMOVE_ENTRIES,
    STORE_SQLITE_REMOVE,
    STORE_SQLITE_QUERIES
};

static const char *const store_sqlite_sql[STORE_SQLITE_QUERIES] = {
    [STORE_SQLITE_BEGIN] = "BEGIN IMMEDIATE",
    [STORE_SQLITE_COMMIT] = "COMMIT",
    [STORE_SQLITE_ROLLBACK] = "ROLLBACK",
    [STORE_SQLITE_NORMAL] = "PRAGMA synchronous = NORMAL",
    [STORE_SQLITE_FULL_SYNC] = "PRAGMA synchronous = FULL",
    [STORE_SQLITE_FIND] = "SELECT id FROM session WHERE instance = ?1 AND name = ?2",
    [STORE_SQLITE_MAKE] = "INSERT INTO session(instance, name, created, updated) "
                          "VALUES(?1, ?2, ?3, ?3)",
    [STORE_SQLITE_ENTRIES] = "SELECT json FROM entry WHERE session = ?1 ORDER BY seq",
    [STORE_SQLITE_INSERT] = "INSERT INTO entry(session, seq, json) VALUES(?1, ?2, ?3)",
    [STORE_SQLITE_TOUCH] = "UPDATE session SET updated = ?2 WHERE id = ?1",
    [STORE_SQLITE_LIST] = "SELECT s.instance, s.name, (SELECT count(*) FROM entry "
                          "WHERE session = s.id), s.created, s.updated FROM session s "
                          "ORDER BY s.instance, s.name",
    [STORE_SQLITE_NAMES] = "SELECT id, name FROM session WHERE instance = ?1",
    [STORE_SQLITE_REMOVE_ENTRIES] = "DELETE FROM entry WHERE session = ?1",
    [STORE_SQLITE_REMOVE] = "DELETE FROM session WHERE id = ?1",
};

static const char store_sqlite_schema[] =
    "CREATE TABLE session(id INTEGER PRIMARY KEY AUTOINCREMENT, instance TEXT NOT NULL,"
    " name TEXT NOT NULL, created INTEGER NOT NULL, updated INTEGER NOT NULL,"
    " UNIQUE(instance, name));"
    "CREATE TABLE entry(session INTEGER NOT NULL, seq INTEGER NOT NULL, json TEXT NOT NULL,"
    " PRIMARY KEY(session, seq)) WITHOUT ROWID;";

struct store_sqlite_session;

struct store_sqlite {
    struct store store;
    sqlite3 *db;
    sqlite3_stmt *query[STORE_SQLITE_QUERIES];
    int locks; /* the file PATH-lock */
    bool wal;  /* it has a write-ahead log */
    struct store_sqlite_session *held;
};

struct store_sqlite_session {
    struct store_session session;
    struct store_sqlite_session *next;
    int64_t id;
    int64_t seq; /* of the next entry */
};

/* ---- errors and statements ------------------------------------------------------------------- */

static int store_sqlite_code(int rc)
{
    switch (rc & 0xff) {
    case SQLITE_OK:
    case SQLITE_ROW:
    case SQLITE_DONE: return 0;
    case SQLITE_NOMEM: return HOB_ENOMEM;
    case SQLITE_FULL: return HOB_ENOSPC;
    case SQLITE_BUSY:
    case SQLITE_LOCKED: return HOB_EBUSY;
    case SQLITE_READONLY: return HOB_EROFS;
    case SQLITE_PERM:
    case SQLITE_AUTH: return HOB_EACCES;
    case SQLITE_CANTOPEN: return HOB_ENOENT;
    case SQLITE_NOTADB:
    case SQLITE_CORRUPT: return HOB_EILSEQ;
    case SQLITE_TOOBIG: return HOB_EFBIG;
    default: return HOB_EIO;
    }
}

static int store_sqlite_error(struct store_sqlite *q, int rc, struct hob_error *err)
{
    int code = store_sqlite_code(rc);
    return error_set(err, code ? code : HOB_EIO, "%s: %s", q->store.path.p,
                     q->db ? sqlite3_errmsg(q->db) : sqlite3_errstr(rc));
}

/* The statement, ready to be bound; made when first asked for. NULL: *rc says why. */
static sqlite3_stmt *store_sqlite_query(struct store_sqlite *q, enum store_sqlite_query which,
                                        int *rc)
{
    sqlite3_stmt **s = &q->query[which];
    *rc = SQLITE_OK;
    if (!*s)
        *rc = sqlite3_prepare_v3(q->db, store_sqlite_sql[which], -1, SQLITE_PREPARE_PERSISTENT, s,
                                 NULL);
    else
        sqlite3_reset(*s);
    return *rc == SQLITE_OK ? *s : NULL;
}

static int store_sqlite_run(struct store_sqlite *q, enum store_sqlite_query which)
{
    int rc;
    sqlite3_stmt *s = store_sqlite_query(q, which, &rc);
    if (!s)
        return rc;
    sqlite3_step(s);
    return sqlite3_reset(s);
}

static void store_sqlite_bind(sqlite3_stmt *s, int at, struct str text)
{
    sqlite3_bind_text64(s, at, text.p ? text.p : "", text.n, SQLITE_STATIC, SQLITE_UTF8);
}

static struct str store_sqlite_text(sqlite3_stmt *s, int column)
{
    const char *p = (const char *)sqlite3_column_text(s, column);
    return str_of(p ? p : "", p ? (size_t)sqlite3_column_bytes(s, column) : 0);
}

/* Ends the transaction: by COMMIT when rc says that all went well, else by ROLLBACK. A COMMIT that
 * failed is rolled back too, so nothing of it can appear later. */
static int store_sqlite_end(struct store_sqlite *q, int rc)
{
    if (rc == SQLITE_OK)
        rc = store_sqlite_run(q, STORE_SQLITE_COMMIT);
    if (rc != SQLITE_OK && !sqlite3_get_autocommit(q->db))
        store_sqlite_run(q, STORE_SQLITE_ROLLBACK);
    return rc;
}

/* ---- who holds a session --------------------------------------------------------------------- */

static int store_sqlite_lock(struct store_sqlite *q, int64_t id, short kind)
{
    struct flock l = {.l_type = kind,
                      .l_whence = SEEK_SET,
                      .l_start = id * STORE_SQLITE_SLOT,
                      .l_len = STORE_SQLITE_SLOT};
    if (fcntl(q->locks, F_OFD_SETLK, &l) == 0)
        return 0;
    return errno == EAGAIN || errno == EACCES ? HOB_EBUSY : -errno;
}

static int store_sqlite_hold(struct store_sqlite *q, int64_t id, struct str session,
                             struct hob_error *err)
{
    char pid[STORE_SQLITE_SLOT + 1] = {0};
    for (struct store_sqlite_session *x = q->held; x; x = x->next)
        if (x->id == id)
            return error_set(err, HOB_EBUSY, "session \"%.*s\" is open already in this process",
                             STR_ARG(session));
    int r = store_sqlite_lock(q, id, F_WRLCK);
    if (r == HOB_EBUSY) {
        ssize_t n = pread(q->locks, pid, STORE_SQLITE_SLOT, id * STORE_SQLITE_SLOT);
        return error_set(err, r, "session \"%.*s\" is in use by process %s", STR_ARG(session),
                         n > 0 && pid[0] ? pid : "(unknown)");
    }
    if (r < 0)
        return error_set(err, r, "%s-lock: %s", q->store.path.p, error_text(r));
    fmt_print(pid, sizeof pid, "%ld", (long)getpid());
    /* It serves the message above alone, so it may fail. */
    ssize_t n = pwrite(q->locks, pid, STORE_SQLITE_SLOT, id * STORE_SQLITE_SLOT);
    (void)n;
    return 0;
}

/* ---- sessions -------------------------------------------------------------------------------- */

/* The number of the session, 0 if there is none. */
static int store_sqlite_find(struct store_sqlite *q, struct str instance, struct str session,
                             int64_t *id)
{
    int rc;
    sqlite3_stmt *s = store_sqlite_query(q, STORE_SQLITE_FIND, &rc);
    *id = 0;
    if (!s)
        return rc;
    store_sqlite_bind(s, 1, instance);
    store_sqlite_bind(s, 2, session);
    if (sqlite3_step(s) == SQLITE_ROW)
        *id = sqlite3_column_int64(s, 0);
    return sqlite3_reset(s);
}

/* An empty session may be lost when the machine fails; its first entry brings it to the disk. */
static int store_sqlite_make(struct store_sqlite *q, struct str instance, struct str session,
                             int64_t *id, bool *made)
{
    if (q->wal)
        store_sqlite_run(q, STORE_SQLITE_NORMAL);
    int rc = store_sqlite_run(q, STORE_SQLITE_BEGIN);
    if (rc == SQLITE_OK)
        rc = store_sqlite_find(q, instance, session, id);
    if (rc == SQLITE_OK && *id == 0) {
        sqlite3_stmt *s = store_sqlite_query(q, STORE_SQLITE_MAKE, &rc);
        if (s) {
            store_sqlite_bind(s, 1, instance);
            store_sqlite_bind(s, 2, session);
            sqlite3_bind_int64(s, 3, store_now_ms());
            sqlite3_step(s);
            rc = sqlite3_reset(s);
            *id = sqlite3_last_insert_rowid(q->db);
            *made = true;
        }
    }
    rc = store_sqlite_end(q, rc);
    int full = q->wal ? store_sqlite_run(q, STORE_SQLITE_FULL_SYNC) : SQLITE_OK;
    return rc == SQLITE_OK ? full : rc;
}

/* Hands every entry to each(); *n counts them. An error of each() is returned as it is. */
static int store_sqlite_entries(struct store_sqlite *q, int64_t id, store_entry_fn each, void *ud,
                                int64_t *n, struct hob_error *err)
{
    int rc, r = 0;
    sqlite3_stmt *s = store_sqlite_query(q, STORE_SQLITE_ENTRIES, &rc);
    if (!s)
        return store_sqlite_error(q, rc, err);
    sqlite3_bind_int64(s, 1, id);
    while (r >= 0 && (rc = sqlite3_step(s)) == SQLITE_ROW) {
        r = each(ud, store_sqlite_text(s, 0));
        ++*n;
    }
    if (r >= 0 && rc != SQLITE_DONE)
        r = store_sqlite_error(q, rc, err);
    sqlite3_reset(s);
    return MIN(r, 0);
}

/* Finds or makes the row and takes the lock. A row that was removed in between is looked for again,
 * since its lock says nothing any more. */
static int store_sqlite_take(struct store_sqlite *q, struct str instance, struct str session,
                             bool create, int64_t *id, bool *made, struct hob_error *err)
{
    for (;;) {
        int64_t still;
        int rc = store_sqlite_find(q, instance, session, id);
        if (rc == SQLITE_OK && *id == 0 && create)
            rc = store_sqlite_make(q, instance, session, id, made);
        if (rc != SQLITE_OK)
            return store_sqlite_error(q, rc, err);
        if (*id == 0)
            return error_set(err, HOB_ENOENT, "there is no session \"%.*s\"", STR_ARG(session));
        int r = store_sqlite_hold(q, *id, session, err);
        if (r < 0)
            return r;
        rc = store_sqlite_find(q, instance, session, &still);
        if (rc == SQLITE_OK && still == *id)
            return 0;
        store_sqlite_lock(q, *id, F_UNLCK);
        if (rc != SQLITE_OK)
            return store_sqlite_error(q, rc, err);
    }
}

static int store_sqlite_session_open(struct store *store, struct str instance, struct str session,
                                     bool create, store_entry_fn each, void *ud, bool *made,
                                     struct store_session **out, struct hob_error *err)
{
    struct store_sqlite *q = (struct store_sqlite *)store;
    struct store_sqlite_session *x = heap_new(store->heap, struct store_sqlite_session);
    *made = false;
    if (!x)
        return error_set(err, HOB_ENOMEM, "%s", error_text(HOB_ENOMEM));
    int r = store_sqlite_take(q, instance, session, create, &x->id, made, err);
    if (r == 0) {
        r = store_sqlite_entries(q, x->id, each, ud, &x->seq, err);
        if (r < 0)
            store_sqlite_lock(q, x->id, F_UNLCK);
    }
    if (r < 0) {
        heap_drop(store->heap, x);
        return err && err->code ? r : error_set(err, r, "%s", error_text(r));
    }
    x->session.store = store;
    x->next = q->held;
    q->held = x;
    *out = &x->session;
    return 0;
}

static void store_sqlite_session_close(struct store_session *session)
{
    struct store_sqlite *q = (struct store_sqlite *)session->store;
    struct store_sqlite_session *x = (struct store_sqlite_session *)session;
    for (struct store_sqlite_session **at = &q->held; *at; at = &(*at)->next)
        if (*at == x) {
            *at = x->next;
            break;
        }
    store_sqlite_lock(q, x->id, F_UNLCK);
    heap_drop(q->store.heap, x);
}

static int store_sqlite_insert(struct store_sqlite *q, int64_t id, int64_t seq, struct str json)
{
    int rc;
    sqlite3_stmt *s = store_sqlite_query(q, STORE_SQLITE_INSERT, &rc);
    if (!s)
        return rc;
    sqlite3_bind_int64(s, 1, id);
    sqlite3_bind_int64(s, 2, seq);
    store_sqlite_bind(s, 3, json);
    sqlite3_step(s);
    rc = sqlite3_reset(s);
    sqlite3_clear_bindings(s);
    return rc;
}

/* Inside of a transaction. */
static int store_sqlite_put(struct store_sqlite *q, const struct store_write *w)
{
    struct store_sqlite_session *x = (struct store_sqlite_session *)w->session;
    int rc = SQLITE_OK;
    for (size_t i = 0; i < w->n && rc == SQLITE_OK; i++)
        rc = store_sqlite_insert(q, x->id, x->seq + (int64_t)i, w->entries[i]);
    sqlite3_stmt *s = rc == SQLITE_OK ? store_sqlite_query(q, STORE_SQLITE_TOUCH, &rc) : NULL;
    if (s) {
        sqlite3_bind_int64(s, 1, x->id);
        sqlite3_bind_int64(s, 2, store_now_ms());
        sqlite3_step(s);
        rc = sqlite3_reset(s);
    }
    return rc;
}

static int store_sqlite_append(struct store *store, struct store_write *list, struct hob_error *err)
{
    struct store_sqlite *q = (struct store_sqlite *)store;
    int rc = store_sqlite_run(q, STORE_SQLITE_BEGIN);
    if (rc != SQLITE_OK)
        return store_sqlite_error(q, rc, err);
    for (struct store_write *w = list; w && rc == SQLITE_OK; w = w->next)
        rc = store_sqlite_put(q, w);
    int r = rc == SQLITE_OK ? 0 : store_sqlite_error(q, rc, err);
    rc = store_sqlite_end(q, rc);
    if (r == 0 && rc != SQLITE_OK)
        r = error_set(err, store_sqlite_code(rc), "%s: %s", q->store.path.p, sqlite3_errstr(rc));
    for (struct store_write *w = list; w && r == 0; w = w->next)
        ((struct store_sqlite_session *)w->session)->seq += (int64_t)w->n;
    return r;
}

static int store_sqlite_read(struct store *store, struct str instance, struct str session,
                             store_entry_fn each, void *ud, struct hob_error *err)
{
    struct store_sqlite *q = (struct store_sqlite *)store;
    int64_t id, n = 0;
    int rc = store_sqlite_find(q, instance, session, &id);
    if (rc != SQLITE_OK)
        return store_sqlite_error(q, rc, err);
    if (id == 0)
        return error_set(err, HOB_ENOENT, "there is no session \"%.*s\"", STR_ARG(session));
    return store_sqlite_entries(q, id, each, ud, &n, err);
}

/* ---- listing and removing -------------------------------------------------------------------- */

static int store_sqlite_each(struct store *store, store_info_fn fn, void *ud, struct hob_error *err)
{
    struct store_sqlite *q = (struct store_sqlite *)store;
    int rc, r = 0;
    sqlite3_stmt *s = store_sqlite_query(q, STORE_SQLITE_LIST, &rc);
    if (!s)
        return store_sqlite_error(q, rc, err);
    while (r >= 0 && (rc = sqlite3_step(s)) == SQLITE_ROW) {
        struct store_info info = {store_sqlite_text(s, 0), store_sqlite_text(s, 1),
                                  (uint64_t)sqlite3_column_int64(s, 2), sqlite3_column_int64(s, 3),
                                  sqlite3_column_int64(s, 4)};
        r = fn(ud, &info);
    }
    if (r >= 0 && rc != SQLITE_DONE)
        r = store_sqlite_error(q, rc, err);
    sqlite3_reset(s);
    return MIN(r, 0);
}

struct store_sqlite_ids {
    int64_t *p;
    size_t n, cap;
};

/* The numbers of the session and of its tasks' sessions. */
static int store_sqlite_family(struct store_sqlite *q, struct str instance, struct str session,
                               struct store_sqlite_ids *ids)
{
    int rc;
    sqlite3_stmt *s = store_sqlite_query(q, STORE_SQLITE_NAMES, &rc);
    if (!s)
        return rc;
    store_sqlite_bind(s, 1, instance);
    while ((rc = sqlite3_step(s)) == SQLITE_ROW)
        if (store_belongs(store_sqlite_text(s, 1), session) &&
            !vec_push(q->store.heap, ids, sqlite3_column_int64(s, 0))) {
            rc = SQLITE_NOMEM;
            break;
        }
    sqlite3_reset(s);
    return rc == SQLITE_DONE ? SQLITE_OK : rc;
}

static int store_sqlite_remove_rows(struct store_sqlite *q, const struct store_sqlite_ids *ids)
{
    int rc = store_sqlite_run(q, STORE_SQLITE_BEGIN);
    if (rc != SQLITE_OK)
        return rc;
    for (size_t i = 0; i < ids->n; i++)
        for (int which = STORE_SQLITE_REMOVE_ENTRIES; which <= STORE_SQLITE_REMOVE; which++) {
            sqlite3_stmt *s = rc == SQLITE_OK ? store_sqlite_query(q, which, &rc) : NULL;
            if (!s)
                break;
            sqlite3_bind_int64(s, 1, ids->p[i]);
            sqlite3_step(s);
            rc = sqlite3_reset(s);
        }
    return store_sqlite_end(q, rc);
}

static int store_sqlite_remove(struct store *store, struct str instance, struct str session,
                               struct hob_error *err)
{
    struct store_sqlite *q = (struct store_sqlite *)store;
    struct store_sqlite_ids ids = {0};
    size_t locked = 0;
    int rc = store_sqlite_family(q, instance, session, &ids);
    int r = rc == SQLITE_OK ? 0 : store_sqlite_error(q, rc, err);
    while (r == 0 && locked < ids.n) {
        r = store_sqlite_hold(q, ids.p[locked], session, err);
        locked += r == 0;
    }
    if (r == 0 && ids.n) {
        rc = store_sqlite_remove_rows(q, &ids);
        r = rc == SQLITE_OK ? 0 : store_sqlite_error(q, rc, err);
    }
    for (size_t i = 0; i < locked; i++)
        store_sqlite_lock(q, ids.p[i], F_UNLCK);
    vec_fini(store->heap, &ids);
    return r;
}

/* ---- opening and closing the file ------------------------------------------------------------ */

static void store_sqlite_close(struct store *store)
{
    struct store_sqlite *q = (struct store_sqlite *)store;
    for (size_t i = 0; i < COUNT(q->query); i++)
        sqlite3_finalize(q->query[i]);
    sqlite3_close(q->db);
    if (q->locks >= 0)
        close(q->locks);
    heap_free(store->heap, (char *)store->path.p, store->path.n + 1);
    heap_drop(store->heap, q);
}

static int store_sqlite_int(struct store_sqlite *q, const char *sql, int *value)
{
    sqlite3_stmt *s = NULL;
    int rc = sqlite3_prepare_v2(q->db, sql, -1, &s, NULL);
    if (rc == SQLITE_OK && (rc = sqlite3_step(s)) == SQLITE_ROW) {
        *value = sqlite3_column_int(s, 0);
        rc = SQLITE_OK;
    }
    sqlite3_finalize(s);
    return rc;
}

/* Makes the tables in a new file, and refuses a file that is not ours or is of a later version. */
static int store_sqlite_check(struct store_sqlite *q, struct hob_error *err)
{
    int app = 0, version = 0, tables = 0;
    char sql[80];
    int rc = store_sqlite_run(q, STORE_SQLITE_BEGIN);
    if (rc == SQLITE_OK)
        rc = store_sqlite_int(q, "PRAGMA application_id", &app);
    if (rc == SQLITE_OK)
        rc = store_sqlite_int(q, "PRAGMA user_version", &version);
    if (rc == SQLITE_OK)
        rc = store_sqlite_int(q, "SELECT count(*) FROM sqlite_schema", &tables);
    int r = 0;
    if (rc == SQLITE_OK && app == 0 && version == 0 && tables == 0) {
        fmt_print(sql, sizeof sql, "PRAGMA application_id = %d; PRAGMA user_version = %d",
                  STORE_SQLITE_APP, STORE_SQLITE_VERSION);
        rc = sqlite3_exec(q->db, store_sqlite_schema, NULL, NULL, NULL);
        if (rc == SQLITE_OK)
            rc = sqlite3_exec(q->db, sql, NULL, NULL, NULL);
    } else if (rc == SQLITE_OK && app != STORE_SQLITE_APP) {
        r = error_set(err, HOB_EINVAL, "%s: this SQLite file holds something else than sessions",
                      q->store.path.p);
    } else if (rc == SQLITE_OK && version != STORE_SQLITE_VERSION) {
        r = error_set(err, HOB_ENOTSUP, "%s: sessions of version %d; this program knows version %d",
                      q->store.path.p, version, STORE_SQLITE_VERSION);
    }
    if (rc != SQLITE_OK)
        r = store_sqlite_error(q, rc, err);
    rc = store_sqlite_end(q, r == 0 ? rc : SQLITE_ABORT);
    return r == 0 && rc != SQLITE_OK ? store_sqlite_error(q, rc, err) : r;
}

/* What `PRAGMA journal_mode` answers. */
static int store_sqlite_mode(void *ud, int n, char **values, char **names)
{
    (void)names;
    *(bool *)ud = n == 1 && values[0] && strcmp(values[0], "wal") == 0;
    return 0;
}

static int store_sqlite_connect(struct store_sqlite *q, bool create, struct hob_error *err)
{
    const char *path = q->store.path.p;
    /* Conversations are private: the file is made for its owner alone, and SQLite gives its own
     * files the same mode. */
    int fd = open(path, O_RDWR | O_CLOEXEC | (create ? O_CREAT : 0), 0600);
    if (fd < 0)
        return error_set(err, -errno, "%s: %s", path, error_text(-errno));
    close(fd);
    int rc = sqlite3_open_v2(path, &q->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL);
    if (rc != SQLITE_OK)
        return store_sqlite_error(q, rc, err);
    sqlite3_extended_result_codes(q->db, 1);
    sqlite3_busy_timeout(q->db, STORE_SQLITE_BUSY_MS);
    sqlite3_db_config(q->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    /* Without the write-ahead log (a file system that cannot share memory) SQLite keeps its older
     * journal, which is as safe. */
    sqlite3_exec(q->db, "PRAGMA journal_mode = WAL", store_sqlite_mode, &q->wal, NULL);
    rc = sqlite3_exec(q->db, "PRAGMA synchronous = FULL; PRAGMA trusted_schema = OFF", NULL, NULL,
                      NULL);
    if (rc != SQLITE_OK)
        return store_sqlite_error(q, rc, err);
    return store_sqlite_check(q, err);
}

static const struct store_ops store_sqlite_ops = {
    .close = store_sqlite_close,
    .session_open = store_sqlite_session_open,
    .session_close = store_sqlite_session_close,
    .append = store_sqlite_append,
    .slow = true,
    .read = store_sqlite_read,
    .remove = store_sqlite_remove,
    .each = store_sqlite_each,
};

int store_sqlite_new(struct heap *h, const char *path, bool create, struct store **out,
                     struct hob_error *err)
{
    char name[4200];
    if (!*path || strlen(path) > 4096)
        return error_set(err, HOB_EINVAL, "store: the path is empty or too long");
    struct store_sqlite *q = heap_new(h, struct store_sqlite);
    char *copy = heap_alloc(h, strlen(path) + 1);
    if (!q || !copy) {
        heap_free(h, copy, strlen(path) + 1);
        heap_free(h, q, sizeof *q);
        return HOB_ENOMEM;
    }
    memcpy(copy, path, strlen(path) + 1);
    q->store = (struct store){.ops = &store_sqlite_ops, .heap = h, .path = str_z(copy)};
    q->locks = -1;
    int r = store_sqlite_connect(q, create, err);
    if (r == 0) {
        fmt_print(name, sizeof name, "%s-lock", path);
        q->locks = open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
        if (q->locks < 0)
            r = error_set(err, -errno, "%s: %s", name, error_text(-errno));
    }
    if (r < 0) {
        store_sqlite_close(&q->store);
        return r;
    }
    *out = &q->store;
    return 0;
}

#else

int store_sqlite_new(struct heap *h, const char *path, bool create, struct store **out,
                     struct hob_error *err)
{
    (void)h;
    (void)create;
    (void)out;
    return error_set(err, HOB_ENOTSUP, "%s: this Hob was built without SQLite", path);
}
#endif
