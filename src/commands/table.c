/* table.c -- the commands, sorted by name: a new one is a word in the list below */
#include "commands/table.h"

/* clang-format off */
#define TABLE_COMMANDS \
    X(arch) \
    X(base32) X(base64) X(basename) X(bash) X(bunzip2) X(bzcat) X(bzip2) \
    X(cat) X(chgrp) X(chmod) X(chown) X(cmp) X(comm) X(cp) X(cut) \
    X(date) X(diff) X(dirname) X(du) \
    X(echo) X(egrep) X(env) X(expand) \
    X(false) X(fgrep) X(find) X(fold) \
    X(grep) X(groups) X(gunzip) X(gzip) \
    X(head) X(hostname) \
    X(id) \
    X(join) \
    X(ln) X(logname) X(ls) \
    X(md5sum) X(mkdir) X(mkfifo) X(mktemp) X(mv) \
    X(nice) X(nl) X(nohup) X(nproc) \
    X(od) \
    X(paste) X(patch) X(printenv) X(pwd) \
    X(readlink) X(realpath) X(rev) X(rg) X(rm) X(rmdir) \
    X(sed) X(seq) X(sh) X(sha1sum) X(sha224sum) X(sha256sum) X(sha384sum) X(sha512sum) X(sleep) \
    X(sort) X(split) X(stat) X(strings) \
    X(tac) X(tail) X(tar) X(tee) X(timeout) X(touch) X(tr) X(tree) X(true) X(truncate) X(tty) \
    X(uname) X(unexpand) X(uniq) X(unxz) X(unzstd) \
    X(wc) X(which) X(whoami) \
    X(xargs) X(xz) X(xzcat) \
    X(yes) \
    X(zcat) X(zstd) X(zstdcat)
/* clang-format on */

#define X(name) extern const struct command cmd_##name;
TABLE_COMMANDS
#undef X

#define X(name) &cmd_##name,
const struct command *const commands_table[] = {TABLE_COMMANDS NULL};
#undef X
#undef TABLE_COMMANDS
