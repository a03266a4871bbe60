/* table.c -- the commands, sorted by name: a new one is a word in the list below */
#include "commands/table.h"

/* clang-format off */
#define TABLE_COMMANDS \
    X(bracket) \
    X(apropos) X(arch) X(awk) \
    X(base32) X(base64) X(basename) X(bash) X(bc) X(bunzip2) X(bzcat) X(bzip2) \
    X(cat) X(chgrp) X(chmod) X(chown) X(cksum) X(clear) X(cmp) X(column) X(comm) X(cp) \
    X(curl) X(cut) \
    X(date) X(dd) X(diff) X(diff3) X(dirname) X(du) \
    X(echo) X(egrep) X(env) X(envsubst) X(expand) X(expr) \
    X(factor) X(false) X(fgrep) X(file) X(find) X(flock) X(fold) X(free) \
    X(gawk) X(getconf) X(getopt) X(grep) X(groups) X(gunzip) X(gzip) \
    X(head) X(hostname) X(html_to_markdown) \
    X(iconv) X(id) \
    X(join) X(jq) \
    X(kill) \
    X(less) X(ln) X(locale) X(logname) X(ls) \
    X(man) X(md5sum) X(mkdir) X(mkfifo) X(mktemp) X(more) X(mv) \
    X(nice) X(nl) X(nohup) X(nproc) X(numfmt) \
    X(od) \
    X(paste) X(patch) X(pgrep) X(pkill) X(printenv) X(printf) X(ps) X(pwd) \
    X(readlink) X(realpath) X(rev) X(rg) X(rm) X(rmdir) \
    X(sdiff) X(sed) X(seq) X(sh) X(sha1sum) X(sha224sum) X(sha256sum) X(sha384sum) X(sha512sum) \
    X(shuf) X(sleep) \
    X(sort) X(split) X(sqlite3) X(stat) X(strings) X(stty) X(sum) X(sync) \
    X(tac) X(tail) X(tar) X(tee) X(test) X(time) X(timeout) X(touch) X(tput) X(tr) X(tree) \
    X(true) X(truncate) X(tsort) X(tty) \
    X(uname) X(unexpand) X(uniq) X(unxz) X(unzip) X(unzstd) X(uptime) X(users) \
    X(watch) X(wc) X(wget) X(whatis) X(which) X(who) X(whoami) \
    X(xargs) X(xxd) X(xz) X(xzcat) \
    X(yes) \
    X(zcat) X(zip) X(zipinfo) X(zstd) X(zstdcat)
/* clang-format on */

#define X(name) extern const struct command cmd_##name;
TABLE_COMMANDS
#undef X

#define X(name) &cmd_##name,
const struct command *const commands_table[] = {TABLE_COMMANDS NULL};
#undef X
#undef TABLE_COMMANDS
