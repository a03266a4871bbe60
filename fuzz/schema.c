/* schema.c -- fuzz target: a schema and a value, parted by a line of its own
 *
 * Nothing may crash, leak or take long. A value that has a fault has a line that says so, and what
 * was checked once gives the same when it is checked again.
 */
#include "fuzz.h"
#include "text/schema.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0 || size > 16384)
        return 0;
    const char *p = (const char *)data, *nl = memchr(p, '\n', size);
    struct str text = str_of(p, nl ? (size_t)(nl - p) : size);
    struct str value = nl ? str_of(nl + 1, size - text.n - 1) : str_of("{}", 2);
    struct heap h;
    struct arena a;
    struct buf first, again;
    struct json *s, *v;
    struct schema *compiled;
    struct hob_error e = {0};
    heap_init(&h, fuzz_alloc, NULL, (size_t)64 << 20);
    arena_init(&a, &h);
    buf_init(&first, &h);
    buf_init(&again, &h);
    if (json_parse(&a, text, 100, &s, &e) == 0 && json_parse(&a, value, 100, &v, &e) == 0) {
        if (schema_compile(&a, s, &compiled, &e) == 0) {
            int n = schema_check(compiled, &a, v, &first, 8);
            fuzz_demand(n < 0 || (n == 0) == (first.n == 0));
            fuzz_demand(h.oom || schema_check(compiled, &a, v, &again, 8) == n);
            fuzz_demand(h.oom || str_eq(buf_get(&first), buf_get(&again)));
        } else {
            fuzz_demand(e.msg[0] != '\0');
        }
    }
    buf_fini(&again);
    buf_fini(&first);
    arena_fini(&a);
    fuzz_demand(h.used == 0);
    return 0;
}
