/* table.c -- the commands, sorted by name */
#include "commands/table.h"

/* clang-format off */
extern const struct command cmd_basename, cmd_cat, cmd_chgrp, cmd_chmod, cmd_chown, cmd_cp,
    cmd_cut, cmd_date, cmd_dirname, cmd_echo, cmd_egrep, cmd_env, cmd_false, cmd_fgrep, cmd_grep,
    cmd_head, cmd_ln, cmd_ls, cmd_mkdir, cmd_mktemp, cmd_mv, cmd_pwd, cmd_readlink, cmd_realpath,
    cmd_rev, cmd_rm, cmd_rmdir, cmd_seq, cmd_sleep, cmd_sort, cmd_tac, cmd_tail, cmd_tee,
    cmd_touch, cmd_true, cmd_uniq, cmd_wc, cmd_yes;

const struct command *const commands_table[] = {
    &cmd_basename, &cmd_cat, &cmd_chgrp, &cmd_chmod, &cmd_chown, &cmd_cp, &cmd_cut, &cmd_date,
    &cmd_dirname, &cmd_echo, &cmd_egrep, &cmd_env, &cmd_false, &cmd_fgrep, &cmd_grep, &cmd_head,
    &cmd_ln, &cmd_ls, &cmd_mkdir, &cmd_mktemp, &cmd_mv, &cmd_pwd, &cmd_readlink, &cmd_realpath,
    &cmd_rev, &cmd_rm, &cmd_rmdir, &cmd_seq, &cmd_sleep, &cmd_sort, &cmd_tac, &cmd_tail, &cmd_tee,
    &cmd_touch, &cmd_true, &cmd_uniq, &cmd_wc, &cmd_yes,
    NULL,
};
/* clang-format on */
