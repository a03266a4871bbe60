/* parse.c -- fuzz target: what is parsed and printed must parse again and print the same */
#include "fuzz.h"
#include "shell/parse.h"

/* Two aliases, so that their paths are walked too. */
static struct str parse_alias(void *ud, struct str name)
{
    (void)ud;
    if (str_eqz(name, "a"))
        return STR("b ");
    if (str_eqz(name, "b"))
        return STR("echo 'x");
    return STR_NONE;
}

/* Prints each command as the body of a function; false if the text has a syntax error. */
static bool parse_print(struct heap *h, struct str text, const struct parse_options *o,
                        struct buf *out)
{
    struct parser *p = parser_new(h, text, 1);
    struct parse_error err;
    struct program *prog;
    int r;
    if (!p)
        return false;
    parse_error_init(&err, h);
    parser_set_options(p, o);
    while ((r = parser_next(p, &prog, &err)) == 1) {
        print_function(out, STR("f"), prog->root);
        buf_putc(out, '\n');
        program_unref(prog);
        /* A here-document that only the end of the text ended would go on in the print. */
        if (parser_warnings(p).n)
            r = HOB_ESYNTAX;
        if (r < 0)
            break;
    }
    parse_error_fini(&err);
    parser_free(p);
    return r == 0;
}

/* The root of a printed function is the function: its body is what to print. */
static bool parse_reprint(struct heap *h, struct str text, const struct parse_options *o,
                          struct buf *out)
{
    struct parser *p = parser_new(h, text, 1);
    struct parse_error err;
    struct program *prog;
    int r;
    if (!p)
        return false;
    parse_error_init(&err, h);
    parser_set_options(p, o);
    while ((r = parser_next(p, &prog, &err)) == 1) {
        if (prog->root->kind != NODE_FUNC)
            __builtin_trap();
        print_function(out, prog->root->u.func.name, prog->root->u.func.body);
        buf_putc(out, '\n');
        program_unref(prog);
    }
    parse_error_fini(&err);
    parser_free(p);
    return r == 0;
}

/* What bash, and so we, print in a way that does not read back: `!` or `time` alone before the end
 * of a compound command, what stands on the line of a here-document behind it, and a coprocess
 * without a name. */
static bool parse_lossy(struct str s)
{
    static const char *const signs[] = {
        "coproc COPROC ", "! ;",    "!  ",     "! \n",   "! |",    "! &",    "! )",
        "time ;",         "time  ", "time \n", "time |", "time &", "time )", "-p ;",
        "-p  ",           "-p \n",  "-p |",    "-p &",   "-p )"};
    for (size_t i = 0; i + 2 < s.n; i++)
        if (s.p[i] == '\n' && s.p[i + 1] == ' ' && s.p[i + 2] != ' ')
            return true;
    for (size_t i = 0; i < COUNT(signs); i++)
        if (str_find(s, str_z(signs[i])) >= 0)
            return true;
    return false;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct heap h;
    struct buf first, second;
    struct parse_options o = {0};
    heap_init(&h, fuzz_alloc, NULL, (size_t)256 << 20);
    if (size) { /* the first byte chooses the options */
        o.extglob = data[0] & 1;
        o.aliases = data[0] & 2;
        o.posix = data[0] & 4;
        o.no_brace = data[0] & 8;
        o.alias = parse_alias;
        data++;
        size--;
    }
    buf_init(&first, &h);
    buf_init(&second, &h);
    bool ok = parse_print(&h, str_of((const char *)data, size), &o, &first);
    o.aliases = false;
    if (ok && !h.oom) {
        bool again = parse_reprint(&h, buf_get(&first), &o, &second);
        if (!h.oom && !(again && str_eq(buf_get(&first), buf_get(&second))) &&
            !parse_lossy(buf_get(&first)))
            __builtin_trap();
    }
    buf_fini(&first);
    buf_fini(&second);
    if (h.used)
        __builtin_trap();
    return 0;
}
