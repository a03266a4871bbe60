/* store.h -- sessions that last: an append-only log of entries, in memory or in SQLite
 *
 * An entry is a line of JSON with an id; what a session is follows from its entries alone. The
 * store never changes an entry, so a process that dies loses at most the entry it was writing. One
 * process at a time may hold a session: a second one gets HOB_EBUSY at once. What a process that
 * died held is free again.
 */
#ifndef HOB_AGENT_STORE_H
#define HOB_AGENT_STORE_H

#include "base/error.h"
#include "base/str.h"

struct hob_loop;
struct store;
struct store_session;

/* A session of the store, borrowed for the call that gets it. */
struct store_info {
    struct str instance, session;
    uint64_t entries;
    int64_t created_ms, updated_ms;
};

typedef int (*store_entry_fn)(void *ud, struct str json);
typedef int (*store_info_fn)(void *ud, const struct store_info *info);

/* path NULL: in memory, of its own. A file that `list` (the loop's) holds already is shared. The
 * file is made if it is not there, unless `create` is false: HOB_ENOENT then. */
int store_open(struct heap *h, struct store **list, const char *path, bool create,
               struct store **out, struct hob_error *err);
void store_close(struct store *s); /* once for each store_open(); NULL is allowed */

/* Takes hold of a session. HOB_ENOENT without `create`; HOB_EBUSY: someone holds it. each() gets
 * every entry in order, borrowed for the call; a result < 0 ends the opening with it. *made (may be
 * NULL) says whether it is new. */
int store_session_open(struct store *s, struct str instance, struct str session, bool create,
                       store_entry_fn each, void *ud, bool *made, struct store_session **out,
                       struct hob_error *err);
void store_session_close(struct store_session *x); /* NULL is allowed */
/* All of them or none, on the disk when it returns. On a task of the loop (l may be NULL) it waits
 * for the other tasks that can run, and what they append meanwhile reaches the disk with it: a
 * thousand sessions cost few writes. */
int store_append(struct hob_loop *l, struct store_session *x, const struct str *entries, size_t n,
                 struct hob_error *err);

/* The entries of a session that anyone may hold. HOB_ENOENT. */
int store_read(struct store *s, struct str instance, struct str session, store_entry_fn each,
               void *ud, struct hob_error *err);
/* Removes the session and those of its tasks. The caller has closed them; HOB_EBUSY if another
 * process holds one. No error if there is none. */
int store_delete(struct store *s, struct str instance, struct str session, struct hob_error *err);
int store_each(struct store *s, store_info_fn fn, void *ud, struct hob_error *err);

/* Whether `name` is the session `of`, or that of a task of it at any depth ("task:of:id"). */
bool store_belongs(struct str name, struct str of);

/* ---- for the kinds of store ---- */

/* Entries that wait to be written; it lives on the stack of who waits. */
struct store_write {
    struct store_write *next;
    struct store_session *session;
    const struct str *entries;
    size_t n;
    bool done;
    int code;
    struct hob_error error;
    struct task *task; /* to wake */
};

struct store_ops {
    void (*close)(struct store *s); /* frees it */
    int (*session_open)(struct store *s, struct str instance, struct str session, bool create,
                        store_entry_fn each, void *ud, bool *made, struct store_session **out,
                        struct hob_error *err);
    void (*session_close)(struct store_session *x);
    /* All of the list in one transaction, or none. */
    int (*append)(struct store *s, struct store_write *list, struct hob_error *err);
    bool slow; /* a transaction takes time, so it is worth to share it */
    int (*read)(struct store *s, struct str instance, struct str session, store_entry_fn each,
                void *ud, struct hob_error *err);
    int (*remove)(struct store *s, struct str instance, struct str session, struct hob_error *err);
    int (*each)(struct store *s, store_info_fn fn, void *ud, struct hob_error *err);
};

/* What both kinds begin with. */
struct store {
    const struct store_ops *ops;
    struct heap *heap;
    struct store *next, **list;
    struct str path; /* owned; empty: in memory */
    int refs;
    struct store_write *queue; /* for the next transaction */
    bool writing;              /* a task has taken it on */
};
struct store_session {
    struct store *store;
};

int store_memory_new(struct heap *h, struct store **out);
int store_sqlite_new(struct heap *h, const char *path, bool create, struct store **out,
                     struct hob_error *err);
int64_t store_now_ms(void);

#endif
