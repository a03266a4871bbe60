/* frontmatter.c -- fuzz target: any bytes as the settings at the head of a file
 *
 * What is read can be written as JSON, which is YAML too: read again it is the same tree, as
 * long as it has no bytes that JSON cannot hold.
 */
#include "base/utf8.h"
#include "fuzz.h"
#include "text/frontmatter.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size > 16384)
        return 0;
    struct str text = str_of((const char *)data, size);
    struct heap h;
    struct arena a;
    struct buf first, again;
    struct frontmatter f;
    struct json *v;
    struct hob_error e = {0};
    heap_init(&h, fuzz_alloc, NULL, (size_t)64 << 20);
    arena_init(&a, &h);
    buf_init(&first, &h);
    buf_init(&again, &h);
    if (frontmatter_read(&a, text, "f", &f, &e) < 0)
        fuzz_demand(e.msg[0] != '\0');
    int r = frontmatter_parse(&a, text, "f", 1, &v, &e);
    fuzz_demand((r < 0) == (v == NULL) && (r == 0 || e.msg[0] != '\0'));
    if (v)
        json_write(&first, v);
    struct json *w;
    /* A tree of JSON nests as deep as it did, and one deeper line may be one too many. */
    if (v && utf8_valid(text) && !memchr(data, '\\', size) &&
        frontmatter_parse(&a, buf_get(&first), "g", 1, &w, &e) == 0) {
        json_write(&again, w);
        fuzz_demand(h.oom || str_eq(buf_get(&first), buf_get(&again)));
    }
    buf_fini(&again);
    buf_fini(&first);
    arena_fini(&a);
    fuzz_demand(h.used == 0);
    return 0;
}
