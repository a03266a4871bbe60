/* json.c -- fuzz target: any bytes as JSON
 *
 * Nothing may crash, leak or take long. What was written is read again, and written the same from
 * then on: the first time, bytes that are no UTF-8 are replaced, and halves of a pair may meet.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "text/json.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void *fuzz_alloc(void *ud, void *p, size_t old, size_t n)
{
    (void)ud, (void)old;
    if (n == 0) {
        free(p);
        return NULL;
    }
    return realloc(p, n);
}

static void fuzz_demand(int x)
{
    if (!x)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct heap h;
    struct arena a;
    struct buf first, again, third;
    struct json *v, *w;
    struct hob_error e = {0};

    heap_init(&h, fuzz_alloc, NULL, (size_t)64 << 20);
    arena_init(&a, &h);
    buf_init(&first, &h);
    buf_init(&again, &h);
    buf_init(&third, &h);
    if (json_parse(&a, str_of((const char *)data, size), 100, &v, &e) == 0) {
        json_write(&first, v);
        fuzz_demand(h.oom || json_parse(&a, buf_get(&first), 100, &w, &e) == 0);
        if (!h.oom)
            json_write(&again, w);
        fuzz_demand(h.oom || json_parse(&a, buf_get(&again), 100, &w, &e) == 0);
        if (!h.oom)
            json_write(&third, w);
        fuzz_demand(h.oom || str_eq(buf_get(&again), buf_get(&third)));
    } else {
        fuzz_demand(h.oom || e.msg[0] != '\0');
    }
    buf_fini(&third);
    buf_fini(&again);
    buf_fini(&first);
    arena_fini(&a);
    fuzz_demand(h.used == 0);
    return 0;
}
