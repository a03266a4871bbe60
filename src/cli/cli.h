/* cli.h -- the program: what its subcommands share */
#ifndef HOB_CLI_CLI_H
#define HOB_CLI_CLI_H

#include <stdbool.h>
#include <stdio.h>

#include "base/str.h"
#include "hob.h"

enum {
    CLI_FAILED = 125,
    CLI_USAGE = 2
}; /* exit statuses that are hob's own */

struct cli_mount {
    char *host;
    const char *guest;
    int kind;
};

/* What `hob exec` and `hob shell` are told. */
struct cli_options {
    const char *cwd;
    struct cli_mount *mounts;
    size_t nmounts;
    const char **env; /* ended by NULL */
    size_t nenv;
    int64_t timeout_ns;
    uint64_t memory;
    bool json, diff, apply, help;
    bool allow_net, allow_private;
    hob_net_rule *rules;
    size_t nrules;
    hob_net_secret *secrets;
    size_t nsecrets;
    const char *ca_file;
    char **kept; /* what rules and secrets point into */
    size_t nkept;
    const char *sandbox; /* a kind other than virtual, else NULL */
    const char *file;
    const char *script;
    char **argv; /* after --, ended by NULL */
};

struct cli_command {
    const char *name;
    const char *usage;
    const char *summary;
    const char *help;                  /* the options, line by line */
    int (*run)(int argc, char **argv); /* argv[0] is the name of the subcommand */
};
extern const struct cli_command *const cli_commands[]; /* ended by NULL */
extern const struct cli_command cli_exec, cli_shell, cli_batch, cli_check, cli_doctor, cli_help,
    cli_listing, cli_version;

/* "hob: what: why" on stderr, control characters escaped. Returns CLI_FAILED. */
int cli_error(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* The same with a hint at --help. Returns CLI_USAGE. */
int cli_usage(const char *command, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void cli_print_help(const struct cli_command *c);

/* Fills o: 0, or an exit status after a message. `shell`: no script is wanted. */
int cli_parse(struct cli_options *o, const struct cli_command *c, int argc, char **argv);
void cli_options_fini(struct cli_options *o);
/* A sandbox with the mounts. 0, or an exit status after a message. */
int cli_sandbox(const struct cli_options *o, hob_sandbox **out);
/* What a sandbox of another kind is opened with. */
hob_sandbox_options cli_sandbox_options(const struct cli_options *o);
char *cli_read_file(const char *path, size_t *n); /* malloc'ed, NUL behind; NULL: see errno */
/* Sizes as 64M, 1.5G, 4096: 0 if it is none. */
uint64_t cli_size(const char *s);

/* An allocator for struct buf and arenas in the program. */
void cli_heap(struct heap *h);
void cli_json_string(struct buf *b, const char *p, size_t n); /* text, or {"base64": ...} */

/* network.c: --allow-url and --secret; the policy that was asked for; the first of its options that
 * was given, or NULL. */
int cli_parse_url(struct cli_options *o, const char *name, const char *arg);
int cli_parse_secret(struct cli_options *o, const char *name, const char *arg);
hob_network cli_network(const struct cli_options *o);
const char *cli_network_given(const struct cli_options *o);
void cli_network_fini(struct cli_options *o);

/* diff.c: what changed from `before` to `box`, as unified diff or JSON array. */
int cli_diff(struct buf *b, hob_sandbox *before, hob_sandbox *box, const hob_change *c, size_t n,
             bool json);
/* apply.c: writes the changes below overlay mounts to the host, all or nothing. 0, or an exit
 * status after a message. `started` is when the run began, by the coarse clock of the files. */
int cli_apply(const struct cli_options *o, hob_sandbox *box, const hob_change *c, size_t n,
              int64_t started);

#endif
