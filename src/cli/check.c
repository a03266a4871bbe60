/* check.c -- hob check: what a script would do, as far as its text tells
 *
 * The script is parsed and never run. Commands, files and network hosts count where the text names
 * them; where a name comes out of an expansion, from eval or from another file, it is `dynamic`:
 * nobody can know it before the script runs, and the report says so.
 */
#include <string.h>

#include "base/map.h"
#include "cli/check.h"
#include "cli/cli.h"
#include "text/json.h"

static const char *const check_kinds[CHECK_KINDS] = {
    [CHECK_COMMAND] = "command", [CHECK_BUILTIN] = "builtin", [CHECK_FUNCTION] = "function",
    [CHECK_READ] = "read",       [CHECK_WRITE] = "write",     [CHECK_HOST] = "host",
    [CHECK_DYNAMIC] = "dynamic", [CHECK_ERROR] = "error",
};

/* Notes a name; the first place where it stands counts. */
void check_note(struct check *c, int kind, struct str text, int line)
{
    struct buf key;
    buf_init(&key, c->heap);
    buf_printf(&key, "%d ", kind);
    buf_str(&key, text);
    void **seen = map_put(&c->seen, buf_get(&key));
    buf_fini(&key);
    if (!seen || *seen)
        return;
    *seen = c;
    struct check_item item = {kind, line, arena_str(&c->arena, text)};
    if (!vec_push(c->heap, &c->items, item))
        c->failed = true;
}

static bool check_stack_low(void *ud)
{
    const struct check *c = ud;
    const char *here = __builtin_frame_address(0);
    return (size_t)(c->floor > here ? c->floor - here : here - c->floor) > CHECK_STACK;
}

bool check_deep(struct check *c, int line)
{
    if (!check_stack_low(c))
        return false;
    check_note(c, CHECK_DYNAMIC, STR("commands nested too deep"), line);
    return true;
}

/* bash reads on after a broken name=(..); after any other error it stops. */
void check_text(struct check *c, struct str text, int line)
{
    struct parser *p = parser_new(c->heap, text, line);
    struct program *prog = NULL;
    int r = p ? 1 : HOB_ENOMEM;
    while (r == 1) {
        struct parse_error err;
        struct parse_options o = {.extglob = c->extglob, .stack_low = check_stack_low, .ud = c};
        parse_error_init(&err, c->heap);
        parser_set_options(p, &o);
        r = parser_next(p, &prog, &err);
        if (r == 1) {
            check_node(c, prog->root);
            program_unref(prog);
        } else if (r == HOB_ESYNTAX || r == HOB_ELIMIT) {
            struct str rest = buf_get(&err.msg);
            for (ptrdiff_t at; (at = str_chr(rest, '\n')) >= 0; rest = str_from(rest, at + 1))
                check_note(c, CHECK_ERROR, str_sub(rest, 0, (size_t)at), err.line);
            check_note(c, CHECK_ERROR, rest.n ? rest : STR("syntax error"), err.line);
            r = r == HOB_ESYNTAX && err.status == 1 ? 1 : 0;
        }
        parse_error_fini(&err);
    }
    c->failed = c->failed || r < 0;
    if (p)
        parser_free(p);
}

/* ---- the report ------------------------------------------------------------------------------ */

/* A name that the script defines itself is no command of the outside. */
static int check_kind(struct check *c, const struct check_item *item)
{
    if (item->kind == CHECK_COMMAND || item->kind == CHECK_BUILTIN) {
        for (size_t i = 0; i < c->items.n; i++)
            if (c->items.p[i].kind == CHECK_FUNCTION && str_eq(c->items.p[i].text, item->text))
                return CHECK_KINDS;
    }
    return item->kind;
}

/* Text for a terminal: control characters never get there raw. TM-INP-5 */
static void check_plain(struct buf *b, struct str s)
{
    for (size_t i = 0; i < s.n; i++) {
        unsigned char ch = (unsigned char)s.p[i];
        if (ch < 32 || ch == 127)
            buf_printf(b, "\\x%02x", ch);
        else
            buf_putc(b, s.p[i]);
    }
}

static void check_print_text(struct check *c, const char *file)
{
    struct buf out, err;
    buf_init(&out, c->heap);
    buf_init(&err, c->heap);
    for (size_t i = 0; i < c->items.n; i++) {
        const struct check_item *item = &c->items.p[i];
        int kind = check_kind(c, item);
        struct buf *b = kind == CHECK_ERROR ? &err : &out;
        if (kind == CHECK_KINDS)
            continue;
        check_plain(b, str_z(file));
        if (kind == CHECK_ERROR)
            buf_printf(b, ": line %d: ", item->line);
        else
            buf_printf(b, ":%d: %-8s ", item->line, check_kinds[kind]);
        check_plain(b, item->text);
        buf_putc(b, '\n');
    }
    fwrite(out.p ? out.p : "", 1, out.n, stdout);
    fflush(stdout);
    fwrite(err.p ? err.p : "", 1, err.n, stderr);
    buf_fini(&out);
    buf_fini(&err);
}

static void check_json_list(struct check *c, struct buf *b, const char *name, int first, int last)
{
    const char *comma = "";
    buf_printf(b, ",\"%s\":[", name);
    for (size_t i = 0; i < c->items.n; i++) {
        const struct check_item *item = &c->items.p[i];
        int kind = check_kind(c, item);
        if (kind < first || kind > last)
            continue;
        buf_printf(b, "%s{\"line\":%d,\"%s\":", comma, item->line,
                   first == CHECK_READ    ? "path"
                   : first == CHECK_ERROR ? "message"
                                          : "name");
        cli_json_string(b, item->text.p, item->text.n);
        if (first != last)
            buf_printf(b, ",\"kind\":\"%s\"", check_kinds[kind]);
        buf_putc(b, '}');
        comma = ",";
    }
    buf_putc(b, ']');
}

static void check_print_json(struct check *c, const char *file, bool ok)
{
    struct buf b;
    buf_init(&b, c->heap);
    buf_addz(&b, "{\"file\":");
    cli_json_string(&b, file, strlen(file));
    buf_printf(&b, ",\"ok\":%s", ok ? "true" : "false");
    check_json_list(c, &b, "errors", CHECK_ERROR, CHECK_ERROR);
    check_json_list(c, &b, "commands", CHECK_COMMAND, CHECK_BUILTIN);
    check_json_list(c, &b, "functions", CHECK_FUNCTION, CHECK_FUNCTION);
    check_json_list(c, &b, "files", CHECK_READ, CHECK_WRITE);
    check_json_list(c, &b, "hosts", CHECK_HOST, CHECK_HOST);
    check_json_list(c, &b, "dynamic", CHECK_DYNAMIC, CHECK_DYNAMIC);
    buf_addz(&b, "}\n");
    fwrite(b.p ? b.p : "", 1, b.n, stdout);
    buf_fini(&b);
}

/* One script: 0, 1 for a syntax error, or another exit status after a message. */
static int check_file(struct heap *heap, const char *file, bool json)
{
    size_t n = 0;
    char *text = cli_read_file(file, &n);
    if (!text)
        return cli_error("%s: cannot read", file);
    struct check c = {.heap = heap, .floor = __builtin_frame_address(0)};
    arena_init(&c.arena, heap);
    map_init(&c.seen, heap);
    check_text(&c, str_of(text, n), 1);
    bool ok = true;
    for (size_t i = 0; i < c.items.n; i++)
        ok = ok && c.items.p[i].kind != CHECK_ERROR;
    if (!c.failed && json)
        check_print_json(&c, file, ok);
    else if (!c.failed)
        check_print_text(&c, file);
    int status = c.failed ? cli_error("%s: out of memory", file) : !ok;
    vec_fini(heap, &c.items);
    map_fini(&c.seen);
    arena_fini(&c.arena);
    free(text);
    return status;
}

static int check_main(int argc, char **argv)
{
    bool json = false;
    int at = 1, status = 0;
    struct heap heap;
    for (; at < argc && argv[at][0] == '-' && argv[at][1]; at++) {
        if (strcmp(argv[at], "--help") == 0) {
            cli_print_help(&cli_check);
            return 0;
        }
        if (strcmp(argv[at], "--") == 0) {
            at++;
            break;
        }
        if (strcmp(argv[at], "--json") != 0)
            return cli_usage("check", "%s: unknown option", argv[at]);
        json = true;
    }
    if (at == argc)
        return cli_usage("check", "a script is missing");
    cli_heap(&heap);
    for (; at < argc; at++) {
        int r = check_file(&heap, argv[at], json);
        status = r > status ? r : status;
    }
    return status;
}

const struct cli_command cli_check = {
    .name = "check",
    .usage = "check [--json] FILE...",
    .summary = "Report syntax errors, and the commands, files and hosts that scripts name.",
    .help = "Nothing is run. - is standard input. Each line tells where a name stands first:\n"
            "\n"
            "  command   a command that is looked for in PATH\n"
            "  builtin   a command of the shell itself\n"
            "  function  a function that the script defines\n"
            "  read      a file that a redirection or a well-known command reads\n"
            "  write     a file that is written, made or removed\n"
            "  host      a host of the network\n"
            "  dynamic   what only a run can tell: a name made by an expansion, eval, source\n"
            "\n"
            "      --json  one object a line for each script\n"
            "\n"
            "The status is 0, or 1 for a syntax error; bash's text for it goes to stderr.\n",
    .run = check_main,
};
