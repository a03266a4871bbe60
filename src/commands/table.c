/* table.c -- the commands, sorted by name */
#include "commands/table.h"

/* clang-format off */
extern const struct command cmd_arch, cmd_base32, cmd_base64, cmd_basename, cmd_bash, cmd_cat,
    cmd_chgrp, cmd_chmod, cmd_chown, cmd_cmp, cmd_comm, cmd_cp, cmd_cut, cmd_date, cmd_dirname,
    cmd_du, cmd_echo, cmd_egrep, cmd_env, cmd_expand, cmd_false, cmd_fgrep, cmd_find, cmd_fold,
    cmd_grep, cmd_groups, cmd_head, cmd_hostname, cmd_id, cmd_join, cmd_ln, cmd_logname, cmd_ls,
    cmd_md5sum, cmd_mkdir, cmd_mkfifo, cmd_mktemp, cmd_mv, cmd_nice, cmd_nl, cmd_nohup, cmd_nproc,
    cmd_od, cmd_paste, cmd_printenv, cmd_pwd, cmd_readlink, cmd_realpath, cmd_rev, cmd_rm,
    cmd_rmdir, cmd_sed, cmd_seq, cmd_sh, cmd_sha1sum, cmd_sha224sum, cmd_sha256sum, cmd_sha384sum,
    cmd_sha512sum, cmd_sleep, cmd_sort, cmd_split, cmd_stat, cmd_strings, cmd_tac, cmd_tail,
    cmd_tee, cmd_timeout, cmd_touch, cmd_tr, cmd_true, cmd_truncate, cmd_tty, cmd_uname,
    cmd_unexpand, cmd_uniq, cmd_wc, cmd_which, cmd_whoami, cmd_xargs, cmd_yes;

const struct command *const commands_table[] = {
    &cmd_arch, &cmd_base32, &cmd_base64, &cmd_basename, &cmd_bash, &cmd_cat, &cmd_chgrp,
    &cmd_chmod, &cmd_chown, &cmd_cmp, &cmd_comm, &cmd_cp, &cmd_cut, &cmd_date, &cmd_dirname,
    &cmd_du, &cmd_echo, &cmd_egrep, &cmd_env, &cmd_expand, &cmd_false, &cmd_fgrep, &cmd_find,
    &cmd_fold, &cmd_grep, &cmd_groups, &cmd_head, &cmd_hostname, &cmd_id, &cmd_join, &cmd_ln,
    &cmd_logname, &cmd_ls, &cmd_md5sum, &cmd_mkdir, &cmd_mkfifo, &cmd_mktemp, &cmd_mv, &cmd_nice,
    &cmd_nl, &cmd_nohup, &cmd_nproc, &cmd_od, &cmd_paste, &cmd_printenv, &cmd_pwd, &cmd_readlink,
    &cmd_realpath, &cmd_rev, &cmd_rm, &cmd_rmdir, &cmd_sed, &cmd_seq, &cmd_sh, &cmd_sha1sum,
    &cmd_sha224sum, &cmd_sha256sum, &cmd_sha384sum, &cmd_sha512sum, &cmd_sleep, &cmd_sort,
    &cmd_split, &cmd_stat, &cmd_strings, &cmd_tac, &cmd_tail, &cmd_tee, &cmd_timeout, &cmd_touch,
    &cmd_tr, &cmd_true, &cmd_truncate, &cmd_tty, &cmd_uname, &cmd_unexpand, &cmd_uniq, &cmd_wc,
    &cmd_which, &cmd_whoami, &cmd_xargs, &cmd_yes,
    NULL,
};
/* clang-format on */
