/* result.c -- structured results: the tools `finish` and `give_up`
 *
 * A result that must fit a schema is asked for as the arguments of a tool, because every provider
 * knows tools. What does not fit comes back to the model as the tool's error, and it tries again.
 */
#include "agent/tool.h"

/* The schema as a tool can have it: an object whose one member is the result. What the schema
 * defines for itself moves out with it, so that $ref finds it where it was. */
static void result_wrap(struct buf *b, const struct json *v)
{
    const struct json *defs = json_get(v, "$defs"), *old = json_get(v, "definitions");

    buf_addz(b, "{\"type\":\"object\",\"properties\":{\"result\":");
    json_write(b, v);
    buf_addz(b, "},\"required\":[\"result\"],\"additionalProperties\":false");
    if (defs) {
        buf_addz(b, ",\"$defs\":");
        json_write(b, defs);
    }
    if (old) {
        buf_addz(b, ",\"definitions\":");
        json_write(b, old);
    }
    buf_putc(b, '}');
}

int result_init(struct result *r, struct arena *a, const char *schema, struct hob_error *err)
{
    struct json *v;
    struct str type = STR("");
    struct buf b;
    int code;

    *r = (struct result){0};
    code = json_parse(a, str_z(schema), 64, &v, err);
    code = code < 0 ? code : schema_compile(a, v, &r->compiled, err);
    if (code < 0) {
        if (err)
            error_prefix(err, "the schema of the result");
        return code == HOB_ENOMEM ? code : HOB_EINVAL;
    }
    json_string(json_get(v, "type"), &type);
    r->wrapped = !str_eqz(type, "object");
    buf_init(&b, a->heap);
    if (r->wrapped)
        result_wrap(&b, v);
    else
        json_write(&b, v);
    r->schema = arena_str(a, buf_get(&b));
    buf_fini(&b);
    return r->schema.p && !a->heap->oom ? 0
                                        : error_set(err, HOB_ENOMEM, "%s", error_text(HOB_ENOMEM));
}

void result_footer(const struct result *r, struct buf *prompt)
{
    (void)r;
    buf_addz(prompt,
             "\n\nWhen the work is done, call the tool `finish` with the result as its "
             "arguments; that ends the work, and nothing else does. If you cannot do what is "
             "asked, call `give_up` with the reason.");
}

void result_reminder(const struct result *r, struct buf *prompt)
{
    (void)r;
    buf_addz(prompt,
             "There is no result yet. Call `finish` with it, or `give_up` with the reason why "
             "there can be none. A plain text is not seen by anyone.");
}

static int result_again(struct call *c, struct hob_error *err)
{
    (void)c;
    return error_set(err, HOB_EEXIST, "the work was already ended; this call changes nothing");
}

static int result_finish_run(struct call *c, struct hob_error *err)
{
    struct result *r = c->turn->result;
    const struct json *v = c->args;
    struct buf b;

    if (!r || r->given || r->gave_up)
        return result_again(c, err);
    if (r->wrapped)
        v = json_get(v, "result");
    buf_init(&b, c->arena.heap);
    json_write(&b, v);
    r->data = arena_str(&c->turn->op->arena, buf_get(&b));
    buf_fini(&b);
    if (!r->data.p || c->arena.heap->oom)
        return error_set(err, HOB_ENOMEM, "%s", error_text(HOB_ENOMEM));
    r->given = c->ends = true;
    buf_addz(&c->out, "The result was taken.");
    return 0;
}

const struct tool tool_finish = {
    .name = STR_INIT("finish"),
    .description = STR_INIT("End the work with its result."),
    .schema = STR_INIT("{\"type\":\"object\"}"), /* each prompt has its own */
    .run = result_finish_run,
};

static int result_give_up_run(struct call *c, struct hob_error *err)
{
    struct result *r = c->turn->result;

    if (!r || r->given || r->gave_up)
        return result_again(c, err);
    r->reason = arena_str(&c->turn->op->arena, tool_text(c, "reason"));
    if (!r->reason.p)
        return error_set(err, HOB_ENOMEM, "%s", error_text(HOB_ENOMEM));
    r->gave_up = c->ends = true;
    buf_addz(&c->out, "The work was ended without a result.");
    return 0;
}

const struct tool tool_give_up = {
    .name = STR_INIT("give_up"),
    .description = STR_INIT("End the work without a result, when it cannot be done."),
    .schema = STR_INIT("{\"type\":\"object\",\"properties\":{\"reason\":{\"type\":\"string\","
                       "\"minLength\":1}},\"required\":[\"reason\"],"
                       "\"additionalProperties\":false}"),
    .run = result_give_up_run,
};
