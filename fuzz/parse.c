/* parse.c -- fuzz the parser: any bytes are commands or a syntax error, within a small heap
 *
 * TM-INP-1, TM-MEM-1. Every command that comes out is freed again, and nothing is left.
 */
#include <stdint.h>
#include <stdlib.h>

#include "shell/parse.h"

static void *parse_alloc(void *ud, void *p, size_t old, size_t n)
{
    (void)ud, (void)old;
    if (n > 0)
        return realloc(p, n);
    free(p);
    return NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct heap heap;
    heap_init(&heap, parse_alloc, NULL, 32 << 20);
    struct parse_options options = {.extglob = size > 0 && (data[0] & 1)};
    struct parse_error error;
    parse_error_init(&error, &heap);

    struct parser *parser = parser_new(&heap, str_of((const char *)data, size), 1);
    if (parser) {
        parser_set_options(parser, &options);
        struct program *program;
        while (parser_next(parser, &program, &error) == 1)
            program_unref(program);
        parser_free(parser);
    }
    parse_error_fini(&error);
    if (heap.used != 0)
        abort();
    return 0;
}
