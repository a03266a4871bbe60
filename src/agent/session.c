/* session.c -- conversations: entries read from and added to the store, and what a model sees
 *
 * A session is a chain of entries. In memory it begins with the first entry that the last
 * compaction kept; the store has all of it. What the store refuses to add did not happen.
 */
#include "agent/agent.h"
#include "base/utf8.h"

enum {
    SESSION_DEPTH = 200, /* nesting of the JSON of an entry */
    SESSION_NAME = 512   /* bytes of a name */
};

/* ---- entries as JSON ------------------------------------------------------------------------- */

static const char *const session_sources[] = {"prompt", "skill", "shell", "task", "retry", "mend"};

/* The source as static text. */
static const char *session_source(struct str s)
{
    for (size_t i = 0; i < COUNT(session_sources); i++)
        if (str_eqz(s, session_sources[i]))
            return session_sources[i];
    return "prompt";
}

static void session_write_lines(struct buf *b, struct str lines)
{
    buf_putc(b, '[');
    for (bool first = true; lines.n; first = false) {
        ptrdiff_t nl = str_chr(lines, '\n');
        struct str line = nl < 0 ? lines : str_sub(lines, 0, (size_t)nl);
        if (!first)
            buf_putc(b, ',');
        json_quote(b, line);
        lines = str_from(lines, line.n + 1);
    }
    buf_putc(b, ']');
}

static void session_write(struct buf *b, const struct entry *e)
{
    buf_printf(b, "{\"type\":\"%s\",\"id\":\"%s\",\"parentId\":",
               e->kind == ENTRY_MESSAGE ? "message" : "compaction", e->id);
    if (e->parent[0])
        buf_printf(b, "\"%s\"", e->parent);
    else
        buf_addz(b, "null");
    buf_addz(b, ",\"timestamp\":\"");
    event_time(b, e->time_ms);
    buf_putc(b, '"');
    if (e->kind == ENTRY_MESSAGE) {
        buf_printf(b, ",\"source\":\"%s\",\"message\":", e->source);
        message_write(b, e->msg);
    } else {
        buf_addz(b, ",\"summary\":");
        json_quote(b, e->summary);
        buf_printf(b, ",\"firstKeptEntryId\":\"%s\",\"tokensBefore\":%lld", e->first_kept,
                   (long long)e->tokens_before);
        buf_addz(b, ",\"details\":{\"readFiles\":");
        session_write_lines(b, e->read_files);
        buf_addz(b, ",\"modifiedFiles\":");
        session_write_lines(b, e->modified_files);
        buf_addz(b, "},\"usage\":");
        message_write_usage(b, &e->usage);
    }
    buf_putc(b, '}');
}

static struct str session_read_lines(struct arena *a, const struct json *v)
{
    struct buf b;
    buf_init(&b, a->heap);
    for (const struct json *x = v ? v->first : NULL; x; x = x->next) {
        if (b.n)
            buf_putc(&b, '\n');
        buf_str(&b, x->text);
    }
    struct str s = arena_str(a, buf_get(&b));
    buf_fini(&b);
    return s;
}

static void session_read_id(const struct json *v, char dst[9])
{
    struct str s;
    dst[0] = '\0';
    if (json_string(v, &s) && s.n < 9)
        memcpy(dst, s.p, s.n + 1);
}

static int session_read(struct arena *a, const struct json *v, struct entry *e)
{
    struct str text = STR("");
    session_read_id(json_get(v, "id"), e->id);
    session_read_id(json_get(v, "parentId"), e->parent);
    if (!e->id[0] || !json_string(json_get(v, "type"), &text))
        return HOB_ESYNTAX;
    if (str_eqz(text, "message")) {
        e->kind = ENTRY_MESSAGE;
        text = STR("");
        json_string(json_get(v, "source"), &text);
        e->source = session_source(text);
        return message_read(a, json_get(v, "message"), &e->msg);
    }
    if (!str_eqz(text, "compaction") || !json_string(json_get(v, "summary"), &text))
        return HOB_ESYNTAX;
    const struct json *details = json_get(v, "details");
    e->kind = ENTRY_COMPACTION;
    e->summary = arena_str(a, text);
    session_read_id(json_get(v, "firstKeptEntryId"), e->first_kept);
    json_int(json_get(v, "tokensBefore"), &e->tokens_before);
    e->read_files = session_read_lines(a, json_get(details, "readFiles"));
    e->modified_files = session_read_lines(a, json_get(details, "modifiedFiles"));
    message_read_usage(json_get(v, "usage"), &e->usage);
    return a->heap->oom ? HOB_ENOMEM : 0;
}

/* ---- opening and closing --------------------------------------------------------------------- */

/* One line of the store, in order. */
static int session_take(void *ud, struct str line)
{
    struct hob_session *s = ud;
    struct heap *h = s->harness->heap;
    struct json *v;
    struct arena scratch;
    arena_init(&scratch, h);
    struct entry *e = arena_new(&s->arena, struct entry);
    int r = e ? json_parse(&scratch, line, SESSION_DEPTH, &v, NULL) : HOB_ENOMEM;
    if (r == 0)
        r = session_read(&s->arena, v, e);
    if (r == 0 && !vec_push(h, &s->entries, e))
        r = HOB_ENOMEM;
    arena_fini(&scratch);
    s->count += r == 0;
    return r;
}

static struct entry *session_entry_copy(struct arena *a, const struct entry *e)
{
    struct entry *n = arena_new(a, struct entry);
    if (!n)
        return NULL;
    *n = *e;
    if (e->kind == ENTRY_MESSAGE)
        n->msg = message_copy(a, e->msg);
    n->summary = arena_str(a, e->summary);
    n->read_files = arena_str(a, e->read_files);
    n->modified_files = arena_str(a, e->modified_files);
    return a->heap->oom ? NULL : n;
}

/* Lets go of what stands before the first entry that the last compaction keeps. It only saves
 * memory, so a failure leaves everything as it is. */
static void session_trim(struct hob_session *s)
{
    const struct entry *c = session_compaction(s);
    struct heap *h = s->harness->heap;
    struct arena fresh;
    size_t first = 0, n = 0;
    while (c && first < s->entries.n && strcmp(s->entries.p[first]->id, c->first_kept) != 0)
        first++;
    if (!c || first == 0 || first == s->entries.n || h->oom)
        return;
    arena_init(&fresh, h);
    struct entry **kept = heap_alloc(h, (s->entries.n - first) * sizeof *kept);
    for (size_t i = first; kept && i < s->entries.n; i++) {
        struct entry *e = s->entries.p[i];
        if (e->kind == ENTRY_COMPACTION && e != c)
            continue;
        kept[n] = session_entry_copy(&fresh, e);
        if (!kept[n++])
            break;
    }
    if (kept && !h->oom) {
        memcpy(s->entries.p, kept, n * sizeof *kept);
        heap_free(h, kept, (s->entries.n - first) * sizeof *kept);
        s->entries.n = n;
        arena_fini(&s->arena);
        s->arena = fresh;
        return;
    }
    heap_free(h, kept, (s->entries.n - first) * sizeof *kept);
    arena_fini(&fresh);
    h->oom = false;
}

int session_open(struct hob_harness *h, struct str name, bool create, bool *made,
                 struct hob_session **out, struct hob_error *err)
{
    struct hob_session *s = heap_new(h->heap, struct hob_session);
    char *copy = heap_alloc(h->heap, name.n + 1);
    void **slot = s && copy ? map_put(&h->sessions, name) : NULL;
    *out = NULL;
    if (!slot) {
        heap_free(h->heap, s, sizeof *s);
        heap_free(h->heap, copy, name.n + 1);
        return error_set(err, HOB_ENOMEM, "%s", error_text(HOB_ENOMEM));
    }
    memcpy(copy, name.p, name.n);
    copy[name.n] = '\0';
    s->harness = h;
    s->name = str_of(copy, name.n);
    s->agent = &h->agent.o;
    s->box = h->box;
    s->workspace = &h->workspace;
    arena_init(&s->arena, h->heap);
    *slot = s;
    int r =
        store_session_open(h->store, h->id, name, create, session_take, s, made, &s->stored, err);
    if (r < 0) {
        if (r == HOB_ESYNTAX)
            r = error_set(err, HOB_EILSEQ, "session \"%.*s\": entry %llu in the store is damaged",
                          STR_ARG(name), (unsigned long long)s->count + 1);
        session_close(s);
        return r;
    }
    session_trim(s);
    *out = s;
    return 0;
}

void session_close(struct hob_session *s)
{
    if (!s)
        return;
    struct hob_harness *h = s->harness;
    store_session_close(s->stored);
    if (s->own_workspace) {
        struct workspace *w = s->own_workspace;
        s->own_workspace = NULL;
        w->users = 1;
        workspace_drop(h, &s->own_workspace, w);
    }
    if (s->own_box)
        hob_sandbox_free(s->box);
    vec_fini(h->heap, &s->entries);
    arena_fini(&s->arena);
    map_del(&h->sessions, s->name);
    heap_free(h->heap, (char *)s->name.p, s->name.n + 1);
    heap_drop(h->heap, s);
}

/* ---- adding ---------------------------------------------------------------------------------- */

static void session_number(struct hob_session *s, struct entry *e, uint64_t n)
{
    ids_entry(n, e->id);
    e->parent[0] = '\0';
    if (n > 0)
        ids_entry(n - 1, e->parent);
    e->time_ms = loop_wall_ms(s->harness->loop);
}

/* Stores the entries behind index `had` of the vector; on failure they are gone again. */
static int session_commit(struct hob_session *s, size_t had, struct arena_mark mark,
                          struct hob_error *err)
{
    struct heap *h = s->harness->heap;
    size_t n = s->entries.n - had;
    struct buf *b = heap_zalloc(h, n * sizeof *b);
    struct str *lines = heap_alloc(h, n * sizeof *lines);
    for (size_t i = 0; b && lines && i < n; i++) {
        buf_init(&b[i], h);
        session_write(&b[i], s->entries.p[had + i]);
        catalog_redact(s->harness->catalog, &b[i]);
        lines[i] = buf_get(&b[i]);
    }
    int r = b && lines && !h->oom ? store_append(s->harness->loop, s->stored, lines, n, err)
                                  : error_set(err, HOB_ENOMEM, "%s", error_text(HOB_ENOMEM));
    for (size_t i = 0; b && lines && i < n; i++)
        buf_fini(&b[i]);
    heap_free(h, b, n * sizeof *b);
    heap_free(h, lines, n * sizeof *lines);
    if (r < 0) {
        s->entries.n = had;
        arena_release(&s->arena, mark);
        return r;
    }
    s->count += n;
    return 0;
}

int session_append(struct hob_session *s, const char *source, struct message *const *msgs, size_t n,
                   struct hob_error *err)
{
    struct heap *h = s->harness->heap;
    struct arena_mark mark = arena_mark(&s->arena);
    size_t had = s->entries.n;
    bool ok = vec_reserve(h, &s->entries, n);
    for (size_t i = 0; i < n && ok; i++) {
        struct entry *e = arena_new(&s->arena, struct entry);
        struct message *m = message_copy(&s->arena, msgs[i]);
        ok = e && m;
        if (!ok)
            break;
        session_number(s, e, s->count + i);
        if (m->time_ms == 0)
            m->time_ms = e->time_ms;
        e->kind = ENTRY_MESSAGE;
        e->source = source;
        e->msg = m;
        s->entries.p[s->entries.n++] = e;
    }
    if (!ok) {
        s->entries.n = had;
        arena_release(&s->arena, mark);
        return error_set(err, HOB_ENOMEM, "%s", error_text(HOB_ENOMEM));
    }
    return n ? session_commit(s, had, mark, err) : 0;
}

int session_compacted(struct hob_session *s, const struct entry *e, struct hob_error *err)
{
    struct heap *h = s->harness->heap;
    struct arena_mark mark = arena_mark(&s->arena);
    size_t had = s->entries.n;
    struct entry *n = vec_reserve(h, &s->entries, 1) ? session_entry_copy(&s->arena, e) : NULL;
    if (!n) {
        arena_release(&s->arena, mark);
        return error_set(err, HOB_ENOMEM, "%s", error_text(HOB_ENOMEM));
    }
    session_number(s, n, s->count);
    n->kind = ENTRY_COMPACTION;
    s->entries.p[s->entries.n++] = n;
    int r = session_commit(s, had, mark, err);
    if (r == 0)
        session_trim(s);
    return r;
}

/* ---- what a model sees ----------------------------------------------------------------------- */

const struct entry *session_compaction(const struct hob_session *s)
{
    for (size_t i = s->entries.n; i-- > 0;)
        if (s->entries.p[i]->kind == ENTRY_COMPACTION)
            return s->entries.p[i];
    return NULL;
}

/* The summary of what was compacted, as the user's first message. */
static struct message *session_summary(struct arena *a, const struct entry *c)
{
    struct str text = arena_printf(a,
                                   "What was said before this point has been summarised to save "
                                   "room. The summary:\n\n<summary>\n%.*s\n</summary>",
                                   STR_ARG(c->summary));
    struct message *m = text.p ? message_text(a, ROLE_USER, text) : NULL;
    if (m)
        m->time_ms = c->time_ms;
    return m;
}

int session_context(struct hob_session *s, struct arena *a, struct message ***out, size_t *n)
{
    const struct entry *c = session_compaction(s);
    struct message **list = arena_array(a, struct message *, s->entries.n + 1);
    size_t count = 0, first = 0;
    if (!list)
        return HOB_ENOMEM;
    if (c) {
        list[count] = session_summary(a, c);
        if (!list[count++])
            return HOB_ENOMEM;
        while (first < s->entries.n && strcmp(s->entries.p[first]->id, c->first_kept) != 0)
            first++;
    }
    for (size_t i = first; i < s->entries.n; i++)
        if (s->entries.p[i]->kind == ENTRY_MESSAGE)
            list[count++] = s->entries.p[i]->msg;
    *out = list;
    *n = count;
    return 0;
}

/* ---- mending --------------------------------------------------------------------------------- */

static bool session_answered(const struct hob_session *s, size_t from, struct str call_id)
{
    for (size_t i = from; i < s->entries.n; i++) {
        const struct entry *e = s->entries.p[i];
        if (e->kind == ENTRY_MESSAGE && e->msg->role == ROLE_TOOL &&
            str_eq(e->msg->call_id, call_id))
            return true;
    }
    return false;
}

int session_mend(struct hob_session *s, struct hob_error *err)
{
    size_t at = s->entries.n;
    /* Behind the last assistant message there are only results, if anything is to be mended. */
    while (at > 0 && s->entries.p[at - 1]->kind == ENTRY_MESSAGE &&
           s->entries.p[at - 1]->msg->role == ROLE_TOOL)
        at--;
    const struct entry *e = at > 0 ? s->entries.p[at - 1] : NULL;
    if (!e || e->kind != ENTRY_MESSAGE || e->msg->role != ROLE_ASSISTANT)
        return 0;
    struct heap *h = s->harness->heap;
    struct arena scratch;
    VEC(struct message *) list = {0};
    bool ok = true;
    arena_init(&scratch, h);
    for (const struct block *b = e->msg->blocks; b && ok; b = b->next) {
        if (b->kind != BLOCK_CALL || session_answered(s, at, b->id))
            continue;
        struct message *m = message_text(
            &scratch, ROLE_TOOL,
            STR("This call was cut off before its result was recorded. Whether it took effect is "
                "not known: look before you do it again."));
        ok = m != NULL;
        if (ok) {
            m->call_id = b->id;
            m->tool = b->name;
            m->is_error = true;
            ok = vec_push(h, &list, m);
        }
    }
    int r = ok ? session_append(s, "mend", list.p, list.n, err)
               : error_set(err, HOB_ENOMEM, "%s", error_text(HOB_ENOMEM));
    vec_fini(h, &list);
    arena_fini(&scratch);
    return r;
}

/* ---- the public functions -------------------------------------------------------------------- */

static int session_check_name(struct str name, struct hob_error *err)
{
    bool ok = name.n > 0 && name.n <= SESSION_NAME && utf8_valid(name);
    for (size_t i = 0; i < name.n && ok; i++)
        ok = (unsigned char)name.p[i] >= ' ' && name.p[i] != 0x7f;
    return ok ? 0
              : error_set(err, HOB_EINVAL,
                          "session: a name is 1 to %d bytes of text without control characters",
                          SESSION_NAME);
}

static int session_get(hob_harness *h, struct str name, int mode, hob_session **out, hob_error *err)
{
    struct hob_session *s = map_value(&h->sessions, name);
    bool task = str_starts(name, STR("task:")), made;
    int r = session_check_name(name, err);
    if (r < 0)
        return r;
    if (task && mode == HOB_SESSION_CREATE)
        return error_set(err, HOB_EINVAL, "session: names that begin with \"task:\" are tasks'");
    if (s && mode == HOB_SESSION_CREATE)
        return error_set(err, HOB_EEXIST, "session \"%s\" exists", s->name.p);
    if (s && s->parent)
        return error_set(err, HOB_EBUSY, "session \"%s\" is that of a task that runs", s->name.p);
    if (!s) {
        r = session_open(h, name, mode != HOB_SESSION_GET && !task, &made, &s, err);
        if (r == 0 && mode == HOB_SESSION_CREATE && !made)
            r = error_set(err, HOB_EEXIST, "session \"%s\" exists", s->name.p);
        if (r == 0)
            r = session_mend(s, err);
        if (r < 0) {
            session_close(s);
            return r;
        }
    }
    *out = s;
    return 0;
}

int hob_harness_session(hob_harness *h, const char *name, int mode, hob_session **out,
                        hob_error *err)
{
    hob_error local;
    err = err ? err : &local;
    *err = (hob_error){0};
    *out = NULL;
    int r = session_get(h, str_z(name ? name : "default"), mode, out, err);
    if (heap_gate(h->heap) < 0 && r == 0)
        r = error_set(err, HOB_ENOMEM, "%s", error_text(HOB_ENOMEM));
    catalog_redact_error(h->catalog, err);
    return r;
}

int hob_harness_delete(hob_harness *h, const char *name, hob_error *err)
{
    hob_error local;
    err = err ? err : &local;
    *err = (hob_error){0};
    struct str which = str_z(name ? name : "default");
    int r = session_check_name(which, err);
    for (struct map_entry *e = NULL; r == 0 && (e = map_next(&h->sessions, e));) {
        struct hob_session *s = e->value;
        if (store_belongs(s->name, which) && s->op)
            r = error_set(err, HOB_EBUSY, "session \"%s\" is running a %s", s->name.p, s->op->kind);
    }
    for (struct map_entry *e = NULL; r == 0 && (e = map_next(&h->sessions, e));) {
        struct hob_session *s = e->value;
        if (store_belongs(s->name, which))
            session_close(s);
    }
    if (r == 0)
        r = store_delete(h->store, h->id, which, err);
    heap_gate(h->heap);
    return r;
}

const char *hob_session_name(const hob_session *s) { return s->name.p; }

static int session_export_line(void *ud, struct str json)
{
    buf_str(ud, json);
    buf_putc(ud, '\n');
    return 0;
}

int hob_session_export(hob_session *s, hob_bytes *out)
{
    struct hob_harness *h = s->harness;
    struct buf b;
    *out = (hob_bytes){0};
    buf_init(&b, h->heap);
    int r = store_read(h->store, h->id, s->name, session_export_line, &b, NULL);
    if (heap_gate(h->heap) < 0 && r == 0)
        r = HOB_ENOMEM;
    if (r == 0) {
        out->data = hob_alloc(b.n + 1);
        out->len = b.n;
        r = out->data ? 0 : HOB_ENOMEM;
        if (r == 0)
            memcpy(out->data, buf_get(&b).p, b.n + 1);
    }
    buf_fini(&b);
    return r;
}
