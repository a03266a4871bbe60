/* main.c -- hob: the table of subcommands, messages, help */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "cli/agentcli.h"
#include "cli/cli.h"
#include "text/base64.h"
#include "text/json.h"

const struct cli_command *const cli_commands[] = {
    &cli_run,     &cli_chat,   &cli_session, &cli_init,    &cli_tools,
    &cli_models,  &cli_exec,   &cli_shell,   &cli_batch,   &cli_check,
    &cli_listing, &cli_doctor, &cli_help,    &cli_version, NULL,
};

/* Names and paths in messages may come from anywhere: nothing reaches the terminal raw. TM-INP-5 */
static void cli_message(const char *fmt, va_list ap)
{
    char text[2000];
    vsnprintf(text, sizeof text, fmt, ap);
    fputs("hob: ", stderr);
    for (const unsigned char *p = (const unsigned char *)text; *p; p++) {
        if (*p == '\n' && !p[1])
            continue;
        if (*p < 32 || *p == 127)
            fprintf(stderr, "\\x%02x", *p);
        else
            fputc(*p, stderr);
    }
    fputc('\n', stderr);
}

int cli_error(const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    cli_message(fmt, ap);
    va_end(ap);
    return CLI_FAILED;
}

int cli_usage(const char *command, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    cli_message(fmt, ap);
    va_end(ap);
    fprintf(stderr, "Try 'hob %s%s--help' for more information.\n", command, *command ? " " : "");
    return CLI_USAGE;
}

void cli_print_help(const struct cli_command *c)
{
    printf("Usage: hob %s\n%s\n", c->usage, c->summary);
    if (c->help)
        printf("\n%s", c->help);
}

static void *cli_alloc(void *ud, void *p, size_t osize, size_t n)
{
    (void)ud;
    (void)osize;
    if (n == 0) {
        free(p);
        return NULL;
    }
    return realloc(p, n);
}

void cli_heap(struct heap *h) { heap_init(h, cli_alloc, NULL, SIZE_MAX); }

void cli_json_string(struct buf *b, const char *p, size_t n)
{
    size_t at = b->n;
    if (json_quote(b, str_of(p, n)))
        return;
    buf_cut(b, at);
    buf_addz(b, "{\"base64\":\"");
    base64_encode(b, str_of(p, n), false);
    buf_addz(b, "\"}");
}

char *cli_read_file(const char *path, size_t *n)
{
    FILE *f = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
    if (!f)
        return NULL;
    size_t cap = 65536;
    char *p = malloc(cap);
    *n = 0;
    while (p) {
        size_t got = fread(p + *n, 1, cap - *n - 1, f);
        *n += got;
        if (got == 0)
            break;
        if (cap - *n < 4096) {
            char *q = realloc(p, cap *= 2);
            if (!q)
                free(p);
            p = q;
        }
    }
    bool bad = ferror(f) != 0;
    if (f != stdin)
        fclose(f);
    if (bad) {
        free(p);
        return NULL;
    }
    if (p)
        p[*n] = '\0';
    return p;
}

/* ---- help and version ------------------------------------------------------------------------ */

static const struct cli_command *cli_find(const char *name)
{
    for (const struct cli_command *const *c = cli_commands; *c; c++)
        if (strcmp((*c)->name, name) == 0)
            return *c;
    return NULL;
}

static void cli_overview(void)
{
    puts("Usage: hob COMMAND [OPTION]...\n"
         "Agents and their sandboxes: bash and the unix commands over files in memory.\n");
    for (const struct cli_command *const *c = cli_commands; *c; c++)
        printf("  %-10s %.*s\n", (*c)->name, (int)strcspn((*c)->summary, "\n"), (*c)->summary);
    puts("\n'hob COMMAND --help' tells more; so does 'man hob'.");
}

static int cli_help_run(int argc, char **argv)
{
    if (argc < 2 || strcmp(argv[1], "--help") == 0) {
        cli_overview();
        return 0;
    }
    const struct cli_command *c = cli_find(argv[1]);
    if (!c)
        return cli_usage("", "%s: there is no such command", argv[1]);
    cli_print_help(c);
    return 0;
}

const struct cli_command cli_help = {
    .name = "help",
    .usage = "help [COMMAND]",
    .summary = "Show how a command is used.",
    .run = cli_help_run,
};

static int cli_version_run(int argc, char **argv)
{
    bool json = argc > 1 && strcmp(argv[1], "--json") == 0;
    if (argc > 1 && strcmp(argv[1], "--help") == 0) {
        cli_print_help(&cli_version);
        return 0;
    }
    if (argc > 1 && !json)
        return cli_usage("version", "%s: unknown option", argv[1]);
    printf(json ? "{\"version\":\"%s\"}\n" : "hob %s\n", hob_version());
    return 0;
}

const struct cli_command cli_version = {
    .name = "version",
    .usage = "version [--json]",
    .summary = "Print the version.",
    .run = cli_version_run,
};

int main(int argc, char **argv)
{
    if (argc < 2) {
        cli_overview();
        fputs("hob: a command is missing\n", stderr);
        return CLI_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
        return cli_help_run(1, argv);
    if (strcmp(argv[1], "--version") == 0)
        return cli_version_run(1, argv);
    const struct cli_command *c = cli_find(argv[1]);
    if (!c)
        return cli_usage("", "%s: there is no such command", argv[1]);
    int status = c->run(argc - 1, argv + 1);
    if (fflush(stdout) != 0 && status == 0)
        status = cli_error("stdout: cannot write");
    return status;
}
