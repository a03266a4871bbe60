/* jq_lower.h -- what the two parts of the resolver share */
#ifndef HOB_COMMANDS_JQ_JQ_LOWER_H
#define HOB_COMMANDS_JQ_JQ_LOWER_H

#include "commands/jq/jq.h"

enum jq_env_kind {
    JQ_ENV_VAR,
    JQ_ENV_DEF,
    JQ_ENV_PARAM, /* a closure in a slot of its owner */
    JQ_ENV_ARG,   /* a parameter that stands for an argument: syntax and its scope */
    JQ_ENV_LABEL,
    JQ_ENV_IMPORT, /* names of a library, under a name or (name.p == NULL) as they are */
    JQ_ENV_DATA    /* $name of a data file */
};

/* The functions whose bodies surround the present place because their calls were replaced. */
struct jq_inline {
    const struct jq_def *def;
    struct jq_inline *parent;
};

/* One name in scope. */
struct jq_env {
    struct jq_env *parent;
    int kind, slot;
    struct str name;
    struct jq_func *owner; /* whose frame it lives in */
    struct jq_def *def;
    struct jq_func *made; /* of a definition, once it has a frame */
    const struct jq_ast *arg;
    struct jq_env *arg_env;
    struct jq_inline *inl;
    struct jq_unit *unit; /* for messages */
    struct jq_lib *lib;
    struct jq_val value;
};

struct jq_lowering {
    struct jq *j;
    struct jq_func *func; /* whose frame is being filled */
    struct jq_env *env;
    struct jq_inline *inl;
    struct jq_unit *unit;
    size_t nodes;
    bool failed;
    struct jq_env scratch; /* what a scope is when memory ran out */
};

struct jq_expr *jq_lower(struct jq_lowering *c, const struct jq_ast *a);
struct jq_expr *jq_lower_call(struct jq_lowering *c, const struct jq_ast *a);
struct jq_expr *jq_undefined(struct jq_lowering *c, const struct jq_ast *a);
struct jq_expr *jq_expr(struct jq_lowering *c, int op, struct jq_expr *a, struct jq_expr *b);
struct jq_expr *jq_const(struct jq_lowering *c, struct jq_val v);
struct jq_expr *jq_variable(struct jq_lowering *c, int slot, const struct jq_func *owner);
struct jq_expr *jq_bind_slot(struct jq_lowering *c, struct jq_expr *value, int slot,
                             struct jq_expr *body);
struct jq_expr *jq_reserve(struct jq_lowering *c, struct jq_expr *e, int n);
int jq_new_slot(struct jq_lowering *c);
int jq_hops(const struct jq_lowering *c, const struct jq_func *owner);
struct jq_env *jq_scope(struct jq_lowering *c, int kind, struct str name, struct jq_env *parent);
struct jq_env *jq_define(struct jq_lowering *c, struct jq_def *def, struct jq_env *parent);

#endif
