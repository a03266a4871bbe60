/* config.h -- agents as files: a project folder, agents/NAME.md, skills/, .env
 *
 * A project is a folder. What belongs to Hob stands in its .hob/ if there is one, else in the
 * folder itself: agents/, workflows/, skills/. An agent is a Markdown file: settings at its
 * head, its body are the instructions. Every error names the file, the line and the key.
 */
#ifndef HOB_AGENT_CONFIG_H
#define HOB_AGENT_CONFIG_H

#include "base/arena.h"
#include "base/error.h"
#include "base/vec.h"
#include "text/frontmatter.h"

struct config {
    struct heap *heap;
    struct arena arena;
    struct str root;          /* the project, absolute */
    struct str source;        /* where agents/ is: root, or root/.hob */
    const char *const *env;   /* the process's, and what the .env files add to it */
    const char *const *given; /* the process's alone */
};

struct config_mount {
    const char *host, *path; /* host: absolute */
    int kind;                /* HOB_MOUNT_... */
    int line;
};

/* A file that the sandbox starts with. Exactly one of the three is set. */
struct config_file {
    const char *path; /* in the sandbox */
    const char *text, *link;
    const char *from; /* a file or folder of the host, absolute */
    int64_t mode;
};

/* A skill of the project. */
struct config_skill {
    const char *name, *folder; /* folder: on the host, absolute */
};

/* An agent that was read. Everything lives as long as the config. */
struct config_agent {
    hob_agent o;
    hob_sandbox_options sandbox;
    hob_options box; /* of a virtual sandbox */
    struct config_mount *mounts;
    size_t nmounts;
    struct config_file *files;
    size_t nfiles;
    struct config_skill *skills;
    size_t nskills;
    const char *result; /* JSON Schema of its result, or NULL */
    const char *file;   /* as messages name it */
};

/* process is the environment of the process. env_files (ended by NULL, may be NULL) are read in
 * order, a later one overrides an earlier, the process overrides all; without any it is .env of
 * the project, if there. */
int config_open(struct config *c, struct heap *h, const char *root, const char *const *process,
                const char *const *env_files, struct hob_error *err);
void config_close(struct config *c);

/* HOB_ENOENT: there is none; the text names a near one. */
int config_agent_read(struct config *c, struct str name, struct config_agent **out,
                      struct hob_error *err);
/* Opens the sandbox that the agent describes, mounts and all. kind != NULL: of this kind
 * instead. */
int config_sandbox_open(struct config *c, struct config_agent *a, const char *kind,
                        hob_sandbox **out, struct hob_error *err);

/* The path of source/folder/NAME.suffix, in the arena, and its text, which is the caller's
 * (config_text_free). HOB_ENOENT when it is not there. */
int config_text(struct config *c, const char *folder, struct str name, const char *suffix,
                struct str *path, struct buf *text, struct hob_error *err);
/* The names of source/folder/NAME.suffix, sorted, in the arena. */
int config_names(struct config *c, const char *folder, const char *suffix, struct strs *out);
/* "there is no agent NAME", with the nearest of the names. */
int config_missing(struct config *c, const char *what, const char *folder, const char *suffix,
                   struct str name, struct hob_error *err);
/* A path of the project as the host has it; absolute ones stay. In the arena. */
struct str config_path(struct config *c, struct str path);
/* A whole file of the host, appended. An error without a text. */
int config_slurp(const char *path, struct buf *out);

/* ---- for those who read settings ---- */

struct config_reader {
    struct config *config;
    const char *file;
    struct hob_error *err;
    void *out;
};

struct config_key {
    const char *name;
    int (*set)(struct config_reader *r, const struct json *v);
};

/* Calls the setter of every member; an unknown one is an error that suggests a known one. */
int config_each(struct config_reader *r, const struct json *map, const struct config_key *keys,
                size_t n);
/* "file:line: key: text". Returns HOB_EINVAL. */
int config_bad(struct config_reader *r, const struct json *v, const char *fmt, ...)
    PRINTF_LIKE(3, 4);
int config_string(struct config_reader *r, const struct json *v, const char **out);
int config_bool(struct config_reader *r, const struct json *v, int *out);
int config_count(struct config_reader *r, const struct json *v, int64_t *out);
int config_real(struct config_reader *r, const struct json *v, double *out);
int config_bytes(struct config_reader *r, const struct json *v, uint64_t *out); /* 64M, 1.5G */
int config_list(struct config_reader *r, const struct json *v, const char *const **out);
/* A number among names; the error lists them. */
int config_choice(struct config_reader *r, const struct json *v, const char *const *names, size_t n,
                  int *out);
int config_json(struct config_reader *r, const struct json *v, const char **out); /* its text */

/* The text with values of the environment for ${NAME}. */
int config_expand(struct config_reader *r, const struct json *v, const char **out);
/* config_net.c: the key `network`. */
int config_network(struct config_reader *r, const struct json *v, hob_network *out);
/* config_box.c: the key `sandbox`, and the skills of the project. v NULL: all of them. */
int config_sandbox(struct config_reader *r, const struct json *v);
int config_skills(struct config_reader *r, const struct json *v);

#endif
