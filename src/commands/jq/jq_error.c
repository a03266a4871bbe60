/* jq_error.c -- errors: values that can be caught, and messages about the program itself */
#include "base/error.h"
#include "commands/jq/jq.h"

enum {
    JQ_BRIEF = 15 /* room for a value within a message, as jq has it */
};

const char *jq_kind_name(struct jq_val v)
{
    static const char *const names[] = {"<invalid>", "null",  "boolean", "boolean",  "number",
                                        "string",    "array", "object",  "<closure>"};
    return names[v.kind];
}

struct jq_val jq_raise(struct jq *j, struct jq_val error)
{
    if (j->raised || error.kind == JQ_NONE) {
        jq_drop(j, error);
        return jq_none();
    }
    j->raised = true;
    j->error = error;
    return jq_none();
}

struct jq_val jq_fail(struct jq *j, const char *fmt, ...)
{
    struct buf b;
    va_list ap;

    buf_init(&b, j->heap);
    va_start(ap, fmt);
    buf_vprintf(&b, fmt, ap);
    va_end(ap);
    struct jq_val text = jq_string_checked(j, buf_get(&b));
    buf_fini(&b);
    return jq_raise(j, text);
}

const char *jq_brief(struct jq *j, struct jq_val v, char *dst, size_t cap)
{
    struct buf b;

    buf_init(&b, j->heap);
    jq_dump(j, &b, v);
    size_t n = MIN(b.n, cap - 1);
    if (n)
        memcpy(dst, b.p, n);
    if (b.n > cap - 1 && cap > 4) {
        n = cap - 4; /* within a character too: messages are repaired */
        memcpy(dst + n, "...", 3);
        n += 3;
    }
    dst[n] = '\0';
    buf_fini(&b);
    return dst;
}

struct jq_val jq_fail1(struct jq *j, struct jq_val v, const char *text)
{
    char brief[JQ_BRIEF];
    jq_brief(j, v, brief, sizeof brief);
    jq_fail(j, "%s (%s) %s", jq_kind_name(v), brief, text);
    jq_drop(j, v);
    return jq_none();
}

struct jq_val jq_fail2(struct jq *j, struct jq_val a, struct jq_val b, const char *text)
{
    char one[JQ_BRIEF], two[JQ_BRIEF];
    jq_brief(j, a, one, sizeof one);
    jq_brief(j, b, two, sizeof two);
    jq_fail(j, "%s (%s) and %s (%s) %s", jq_kind_name(a), one, jq_kind_name(b), two, text);
    jq_drop(j, a);
    jq_drop(j, b);
    return jq_none();
}

int jq_end(struct jq *j)
{
    if (!j->fatal && j->heap->oom)
        j->fatal = HOB_ENOMEM;
    return j->fatal;
}

/* ---- of the program itself ------------------------------------------------------------------- */

void jq_locate(struct jq *j, const struct jq_unit *u, uint32_t at, uint32_t end, const char *fmt,
               ...)
{
    struct buf b;
    va_list ap;
    uint32_t start = (uint32_t)MIN(at, u->text.n), line = 1, stop;

    (void)end;
    buf_init(&b, j->heap);
    buf_printf(&b, "%s: error: ", j->name);
    va_start(ap, fmt);
    buf_vprintf(&b, fmt, ap);
    va_end(ap);
    for (uint32_t i = 0; i < start; i++)
        line += u->text.p[i] == '\n';
    while (start > 0 && u->text.p[start - 1] != '\n')
        start--;
    for (stop = start; stop < u->text.n && u->text.p[stop] != '\n'; stop++)
        ;
    buf_printf(&b, " at %s, line %u:\n%.*s%*s\n", u->name, line, (int)(stop - start),
               u->text.p + start, (int)(MIN(at, u->text.n) - start), "");
    proc_puts(j->p, 2, buf_get(&b));
    buf_fini(&b);
    j->errors++;
}

struct jq_val jq_keep(struct jq *j, struct jq_val v)
{
    if (!v.counted)
        return v;
    if (j->nconsts == j->capconsts) {
        size_t cap = j->capconsts ? j->capconsts * 2 : 16;
        struct jq_val *p =
            heap_realloc(j->heap, j->consts, j->capconsts * sizeof *p, cap * sizeof *p);
        if (!p) {
            jq_drop(j, v);
            return jq_none();
        }
        j->consts = p;
        j->capconsts = cap;
    }
    return j->consts[j->nconsts++] = v;
}

bool jq_constant(struct jq *j, const struct jq_ast *a, struct jq_val *out)
{
    if (!a)
        return false;
    if (a->op == JQA_CONST) {
        *out = a->k;
        return a->k.kind != JQ_NONE;
    }
    if (a->op == JQA_CALL && a->list.n == 0 &&
        (str_eqz(a->str, "true") || str_eqz(a->str, "false") || str_eqz(a->str, "null"))) {
        *out = a->str.n == 5 ? jq_bool(false) : a->str.p[0] == 't' ? jq_bool(true) : jq_null();
        return true;
    }
    struct jq_val v;
    if (a->op == JQA_ARRAY && !a->a) {
        *out = jq_keep(j, jq_array(j, 0));
        return true;
    }
    if (a->op != JQA_OBJECT || task_stack_low(j->p->task))
        return false;
    v = jq_object(j, a->list.n);
    for (uint32_t i = 0; i < a->list.n; i++) {
        struct jq_val key, value;
        if (!a->list.p[i]->b || !jq_constant(j, a->list.p[i]->a, &key) || key.kind != JQ_STRING ||
            !jq_constant(j, a->list.p[i]->b, &value)) {
            jq_drop(j, v);
            return false;
        }
        jq_put(j, &v, jq_intern(j, jq_text(key)), jq_copy(value));
    }
    *out = jq_keep(j, v);
    return true;
}
