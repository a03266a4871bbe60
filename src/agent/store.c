/* store.c -- sessions that last: what both kinds share, the one in memory, and hob_store_*() */
#include "agent/store.h"

#include <time.h>

#include "base/vec.h"
#include "agent/loop.h"
#include "host/alloc.h"
#include "text/json.h"

int64_t store_now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* A task's session is "task:" + its parent's name + ":" + an id without a colon. */
bool store_belongs(struct str name, struct str of)
{
    while (!str_eq(name, of)) {
        ptrdiff_t colon = str_rchr(name, ':');
        if (colon < 5 || !str_starts(name, STR("task:")))
            return false;
        name = str_sub(name, 5, (size_t)colon - 5);
    }
    return true;
}

/* ---- what both kinds share ------------------------------------------------------------------- */

int store_open(struct heap *h, struct store **list, const char *path, bool create,
               struct store **out, struct hob_error *err)
{
    *out = NULL;
    for (struct store *s = list && path ? *list : NULL; s; s = s->next)
        if (str_eqz(s->path, path)) {
            s->refs++;
            *out = s;
            return 0;
        }
    int r = path ? store_sqlite_new(h, path, create, out, err) : store_memory_new(h, out);
    if (r < 0)
        return err && err->code ? r : error_set(err, r, "store: %s", error_text(r));
    struct store *s = *out;
    s->refs = 1;
    if (list && path) {
        s->list = list;
        s->next = *list;
        *list = s;
    }
    return 0;
}

void store_close(struct store *s)
{
    if (!s || --s->refs > 0)
        return;
    for (struct store **at = s->list; at && *at; at = &(*at)->next)
        if (*at == s) {
            *at = s->next;
            break;
        }
    s->ops->close(s);
}

int store_session_open(struct store *s, struct str instance, struct str session, bool create,
                       store_entry_fn each, void *ud, bool *made, struct store_session **out,
                       struct hob_error *err)
{
    bool ignored;
    *out = NULL;
    return s->ops->session_open(s, instance, session, create, each, ud, made ? made : &ignored, out,
                                err);
}

void store_session_close(struct store_session *x)
{
    if (x)
        x->store->ops->session_close(x);
}

/* Writes the whole list. When that fails each one is tried alone, so that none fails for another's
 * sake. */
static void store_write_all(struct store *s, struct store_write *list)
{
    struct hob_error err = {0};
    int r = s->ops->append(s, list, &err);
    for (struct store_write *w = list, *next; w; w = next) {
        next = w->next;
        if (r < 0 && (w != list || next)) {
            w->next = NULL;
            w->code = s->ops->append(s, w, &w->error);
        } else {
            w->code = r;
            w->error = err;
        }
        w->done = true;
        task_wake(w->task);
    }
}

int store_append(struct hob_loop *l, struct store_session *x, const struct str *entries, size_t n,
                 struct hob_error *err)
{
    struct store *s = x->store;
    struct store_write w = {.session = x, .entries = entries, .n = n}, **at;
    if (n == 0)
        return 0;
    w.task = l && s->ops->slow ? loop_task(l) : NULL;
    if (!w.task)
        return s->ops->append(s, &w, err);
    for (at = &s->queue; *at; at = &(*at)->next)
        ;
    *at = &w;
    if (!s->writing) {
        s->writing = true;
        loop_yield(l);
        struct store_write *list = s->queue;
        s->queue = NULL;
        s->writing = false;
        store_write_all(s, list);
    }
    while (!w.done)
        loop_wait(l, NULL, INT64_MAX, NULL);
    if (w.code < 0 && err)
        *err = w.error;
    return w.code;
}

int store_read(struct store *s, struct str instance, struct str session, store_entry_fn each,
               void *ud, struct hob_error *err)
{
    return s->ops->read(s, instance, session, each, ud, err);
}

int store_delete(struct store *s, struct str instance, struct str session, struct hob_error *err)
{
    return s->ops->remove(s, instance, session, err);
}

int store_each(struct store *s, store_info_fn fn, void *ud, struct hob_error *err)
{
    return s->ops->each(s, fn, ud, err);
}

/* ---- in memory ------------------------------------------------------------------------------- */

struct store_memory_row {
    struct store_memory_row *next;
    struct str instance, session; /* owned */
    struct strs entries;          /* owned */
    int64_t created_ms, updated_ms;
    bool held;
};

struct store_memory {
    struct store store;
    struct store_memory_row *rows;
};

struct store_memory_session {
    struct store_session session;
    struct store_memory_row *row;
};

static struct str store_memory_copy(struct heap *h, struct str s)
{
    char *p = heap_alloc(h, s.n + 1);
    if (!p)
        return STR_NONE;
    if (s.n)
        memcpy(p, s.p, s.n);
    p[s.n] = '\0';
    return str_of(p, s.n);
}

static void store_memory_drop(struct heap *h, struct str s) { heap_free(h, (char *)s.p, s.n + 1); }

static void store_memory_row_free(struct heap *h, struct store_memory_row *row)
{
    for (size_t i = 0; i < row->entries.n; i++)
        store_memory_drop(h, row->entries.p[i]);
    vec_fini(h, &row->entries);
    store_memory_drop(h, row->instance);
    store_memory_drop(h, row->session);
    heap_drop(h, row);
}

static void store_memory_close(struct store *s)
{
    struct store_memory *m = (struct store_memory *)s;
    for (struct store_memory_row *row = m->rows, *next; row; row = next) {
        next = row->next;
        store_memory_row_free(s->heap, row);
    }
    heap_drop(s->heap, m);
}

static struct store_memory_row *store_memory_find(struct store *s, struct str instance,
                                                  struct str session)
{
    struct store_memory_row *row = ((struct store_memory *)s)->rows;
    while (row && !(str_eq(row->session, session) && str_eq(row->instance, instance)))
        row = row->next;
    return row;
}

static struct store_memory_row *store_memory_add(struct store *s, struct str instance,
                                                 struct str session)
{
    struct store_memory *m = (struct store_memory *)s;
    struct store_memory_row *row = heap_new(s->heap, struct store_memory_row);
    if (!row)
        return NULL;
    row->instance = store_memory_copy(s->heap, instance);
    row->session = store_memory_copy(s->heap, session);
    if (!row->instance.p || !row->session.p) {
        store_memory_row_free(s->heap, row);
        return NULL;
    }
    row->created_ms = row->updated_ms = store_now_ms();
    row->next = m->rows;
    m->rows = row;
    return row;
}

static int store_memory_entries(struct store_memory_row *row, store_entry_fn each, void *ud)
{
    int r = 0;
    for (size_t i = 0; i < row->entries.n && r >= 0; i++)
        r = each(ud, row->entries.p[i]);
    return MIN(r, 0);
}

static int store_memory_session_open(struct store *s, struct str instance, struct str session,
                                     bool create, store_entry_fn each, void *ud, bool *made,
                                     struct store_session **out, struct hob_error *err)
{
    struct store_memory_row *row = store_memory_find(s, instance, session);
    *made = !row;
    if (!row && !create)
        return error_set(err, HOB_ENOENT, "there is no session \"%.*s\"", STR_ARG(session));
    if (row && row->held)
        return error_set(err, HOB_EBUSY, "session \"%.*s\" is open already", STR_ARG(session));
    struct store_memory_session *x = heap_new(s->heap, struct store_memory_session);
    if (x && !row)
        row = store_memory_add(s, instance, session);
    int r = x && row ? store_memory_entries(row, each, ud) : HOB_ENOMEM;
    if (r < 0) {
        if (x)
            heap_drop(s->heap, x);
        return err && err->code ? r : error_set(err, r, "%s", error_text(r));
    }
    row->held = true;
    x->session.store = s;
    x->row = row;
    *out = &x->session;
    return 0;
}

static void store_memory_session_close(struct store_session *session)
{
    struct store_memory_session *x = (struct store_memory_session *)session;
    x->row->held = false;
    heap_drop(session->store->heap, x);
}

static int store_memory_append(struct store *s, struct store_write *w, struct hob_error *err)
{
    struct store_memory_row *row = ((struct store_memory_session *)w->session)->row;
    struct heap *h = s->heap;
    size_t had = row->entries.n;
    bool ok = vec_reserve(h, &row->entries, w->n);
    for (size_t i = 0; i < w->n && ok; i++) {
        struct str copy = store_memory_copy(h, w->entries[i]);
        ok = copy.p && vec_push(h, &row->entries, copy);
    }
    while (!ok && row->entries.n > had)
        store_memory_drop(h, row->entries.p[--row->entries.n]);
    if (!ok)
        return error_set(err, HOB_ENOMEM, "%s", error_text(HOB_ENOMEM));
    row->updated_ms = store_now_ms();
    return 0;
}

static int store_memory_read(struct store *s, struct str instance, struct str session,
                             store_entry_fn each, void *ud, struct hob_error *err)
{
    struct store_memory_row *row = store_memory_find(s, instance, session);
    if (!row)
        return error_set(err, HOB_ENOENT, "there is no session \"%.*s\"", STR_ARG(session));
    return store_memory_entries(row, each, ud);
}

static int store_memory_remove(struct store *s, struct str instance, struct str session,
                               struct hob_error *err)
{
    (void)err;
    for (struct store_memory_row **at = &((struct store_memory *)s)->rows; *at;) {
        struct store_memory_row *row = *at;
        if (str_eq(row->instance, instance) && store_belongs(row->session, session)) {
            *at = row->next;
            store_memory_row_free(s->heap, row);
        } else {
            at = &row->next;
        }
    }
    return 0;
}

static int store_memory_each(struct store *s, store_info_fn fn, void *ud, struct hob_error *err)
{
    int r = 0;
    (void)err;
    for (struct store_memory_row *row = ((struct store_memory *)s)->rows; row && r >= 0;
         row = row->next) {
        struct store_info info = {row->instance, row->session, row->entries.n, row->created_ms,
                                  row->updated_ms};
        r = fn(ud, &info);
    }
    return MIN(r, 0);
}

static const struct store_ops store_memory_ops = {
    .close = store_memory_close,
    .session_open = store_memory_session_open,
    .session_close = store_memory_session_close,
    .append = store_memory_append,
    .read = store_memory_read,
    .remove = store_memory_remove,
    .each = store_memory_each,
};

int store_memory_new(struct heap *h, struct store **out)
{
    struct store_memory *m = heap_new(h, struct store_memory);
    if (!m)
        return HOB_ENOMEM;
    m->store.ops = &store_memory_ops;
    m->store.heap = h;
    *out = &m->store;
    return 0;
}

/* ---- the public functions -------------------------------------------------------------------- */

/* A file opened for one call, with a heap of its own. */
struct store_visit {
    struct heap heap;
    struct store *store;
    struct buf out;
};

static int store_visit_open(struct store_visit *v, const char *path, hob_error *err)
{
    if (err)
        *err = (hob_error){0};
    if (!path)
        return error_set(err, HOB_EINVAL, "store: no path");
    heap_init(&v->heap, alloc_default, NULL, SIZE_MAX);
    buf_init(&v->out, &v->heap);
    return store_open(&v->heap, NULL, path, false, &v->store, err);
}

static int store_visit_close(struct store_visit *v, int r, hob_bytes *out, hob_error *err)
{
    store_close(v->store);
    if (r == 0 && v->heap.oom)
        r = error_set(err, HOB_ENOMEM, "%s", error_text(HOB_ENOMEM));
    if (r == 0 && out) {
        struct str s = buf_get(&v->out);
        out->data = hob_alloc(s.n + 1);
        out->len = s.n;
        if (out->data)
            memcpy(out->data, s.p, s.n + 1);
        else
            r = error_set(err, HOB_ENOMEM, "%s", error_text(HOB_ENOMEM));
    }
    buf_fini(&v->out);
    return r;
}

static int store_list_one(void *ud, const struct store_info *info)
{
    struct buf *b = ud;
    buf_addz(b, "{\"id\":");
    json_quote(b, info->instance);
    buf_addz(b, ",\"session\":");
    json_quote(b, info->session);
    buf_printf(b, ",\"entries\":%llu,\"created\":%lld,\"updated\":%lld}\n",
               (unsigned long long)info->entries, (long long)info->created_ms,
               (long long)info->updated_ms);
    return 0;
}

int hob_store_list(const char *path, hob_bytes *out, hob_error *err)
{
    struct store_visit v;
    *out = (hob_bytes){0};
    int r = store_visit_open(&v, path, err);
    if (r < 0)
        return r;
    return store_visit_close(&v, store_each(v.store, store_list_one, &v.out, err), out, err);
}

static int store_export_one(void *ud, struct str json)
{
    buf_str(ud, json);
    buf_putc(ud, '\n');
    return 0;
}

int hob_store_export(const char *path, const char *id, const char *session, hob_bytes *out,
                     hob_error *err)
{
    struct store_visit v;
    *out = (hob_bytes){0};
    int r = store_visit_open(&v, path, err);
    if (r < 0)
        return r;
    r = store_read(v.store, str_z(id ? id : "default"), str_z(session ? session : "default"),
                   store_export_one, &v.out, err);
    return store_visit_close(&v, r, out, err);
}

int hob_store_delete(const char *path, const char *id, const char *session, hob_error *err)
{
    struct store_visit v;
    int r = store_visit_open(&v, path, err);
    if (r < 0)
        return r;
    r = store_delete(v.store, str_z(id ? id : "default"), str_z(session ? session : "default"),
                     err);
    return store_visit_close(&v, r, NULL, err);
}
