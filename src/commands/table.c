/* table.c -- the commands, sorted by name */
#include "commands/table.h"

/* clang-format off */
extern const struct command cmd_cat, cmd_cp, cmd_date, cmd_echo, cmd_env, cmd_false, cmd_head,
    cmd_ls, cmd_mkdir, cmd_mv, cmd_pwd, cmd_rm, cmd_rmdir, cmd_seq, cmd_sleep, cmd_tail, cmd_tee,
    cmd_touch, cmd_true, cmd_wc, cmd_yes;

const struct command *const commands_table[] = {
    &cmd_cat, &cmd_cp, &cmd_date, &cmd_echo, &cmd_env, &cmd_false, &cmd_head, &cmd_ls, &cmd_mkdir,
    &cmd_mv, &cmd_pwd, &cmd_rm, &cmd_rmdir, &cmd_seq, &cmd_sleep, &cmd_tail, &cmd_tee, &cmd_touch,
    &cmd_true, &cmd_wc, &cmd_yes,
    NULL,
};
/* clang-format on */
