/* var.c -- variables: reading, writing, attributes, sharing */
#include "shell/var_impl.h"
#include "base/fmt.h"
#include "base/utf8.h"
#include "shell/arith.h"
#include "shell/parse.h"

/* ---- the constant beginning ------------------------------------------------------------------- */

#define VAR_TEXT(text) {.s = {(text) ? (text) : "", (text) ? sizeof(text "") - 1 : 0}}
#define VAR_LEN(text) (sizeof(text) == sizeof(void *) ? 0 : sizeof(text) - 1)

static const struct var var_initial[SYM_KNOWN] = {
#define VAR_X(id, name, attr, text)                                                                \
    {.flags = (uint32_t)(attr) | VAR_STATIC, .u = {.s = {text, 0}}},
    VAR_KNOWN(VAR_X)
#undef VAR_X
};

static const struct vartab var_table = {0, SYM_KNOWN, SYM_KNOWN, NULL};
