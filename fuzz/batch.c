/* batch.c -- fuzz target: any bytes as a line of `hob batch` (TM-INP-3)
 *
 * The line must get exactly one line as its reply, valid JSON with an error or a result, and a good
 * request must be answered afterwards. The two files of the program stand here whole, since what
 * answers a line is private to them.
 */
#define main batch_program_main
#include "cli/main.c"
#undef main
#include "cli/batch.c"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void batch_demand(int x)
{
    if (!x)
        abort();
}

/* The reply is one line, an object with `error`, or with `stdout`, `stderr` and `exit`. */
static void batch_check_reply(struct batch *b)
{
    struct json *v = NULL;
    struct hob_error err;
    batch_demand(b->out.n > 0 && b->out.p[b->out.n - 1] == '\n');
    struct str line = str_of(b->out.p, b->out.n - 1);
    batch_demand(str_chr(line, '\n') < 0);
    batch_demand(json_parse(&b->arena, line, 2 * BATCH_DEPTH, &v, &err) == 0);
    batch_demand(v->kind == JSON_OBJECT && json_get(v, "id"));
    batch_demand(json_get(v, "error") || (json_get(v, "stdout") && json_get(v, "exit")));
    arena_fini(&b->arena);
    buf_clear(&b->out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct batch b = {.timeout_ns = 200000000, .memory = 16 << 20};
    cli_heap(&b.heap);
    arena_init(&b.arena, &b.heap);
    buf_init(&b.out, &b.heap);
    batch_line(&b, str_of((const char *)data, size));
    batch_check_reply(&b);
    batch_line(&b, STR("{\"id\":1,\"script\":\"echo alive\"}"));
    batch_demand(str_find(buf_get(&b.out), STR("\"alive\\n\"")) >= 0);
    buf_fini(&b.out);
    batch_demand(b.heap.used == 0);
    return 0;
}
