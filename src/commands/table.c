/* table.c -- the commands, sorted by name: a new one is a word in the list below
 *
 * Those in Y( ) are left out of the embedded core; the Makefile leaves out their sources.
 */
#include "commands/table.h"

/* clang-format off */
#define TABLE_COMMANDS \
    X(bracket) \
    Y(apropos) X(arch) Y(awk) \
    X(b2sum) X(base32) X(base64) X(basename) Y(basenc) X(bash) Y(bc) Y(bunzip2) Y(bzcat) Y(bzip2) \
    X(cat) X(chgrp) X(chmod) X(chown) X(cksum) Y(clear) X(cmp) Y(column) X(comm) X(cp) \
    Y(csplit) Y(curl) X(cut) \
    X(date) Y(dc) Y(dd) Y(df) Y(diff) Y(diff3) X(dirname) X(du) \
    X(echo) X(egrep) X(env) X(envsubst) X(expand) Y(expr) \
    Y(factor) X(false) X(fgrep) Y(file) X(find) Y(flock) Y(fmt) X(fold) Y(free) \
    Y(gawk) Y(getconf) X(getopt) X(grep) X(groups) Y(gunzip) Y(gzip) \
    Y(hd) X(head) Y(hexdump) X(hostname) Y(html_to_markdown) \
    Y(iconv) X(id) Y(install) \
    X(join) Y(jq) \
    X(kill) \
    X(less) X(ln) X(locale) X(logname) Y(look) X(ls) \
    Y(man) X(md5sum) X(mkdir) X(mkfifo) X(mktemp) X(more) X(mv) \
    X(nice) X(nl) X(nohup) X(nproc) Y(numfmt) \
    X(od) \
    X(paste) Y(patch) Y(pathchk) Y(pgrep) Y(pkill) Y(pr) X(printenv) X(printf) Y(ps) X(pwd) \
    X(readlink) X(realpath) X(rev) Y(rg) X(rm) X(rmdir) \
    Y(sdiff) X(sed) X(seq) X(sh) X(sha1sum) X(sha224sum) X(sha256sum) X(sha384sum) X(sha512sum) \
    X(shuf) X(sleep) \
    X(sort) X(split) Y(sqlite3) X(stat) X(strings) Y(stty) X(sum) X(sync) \
    X(tac) X(tail) Y(tar) X(tee) X(test) X(time) X(timeout) X(touch) Y(tput) X(tr) Y(tree) \
    X(true) X(truncate) X(tsort) X(tty) \
    X(uname) X(unexpand) X(uniq) Y(unxz) Y(unzip) Y(unzstd) Y(uptime) X(users) \
    Y(watch) X(wc) Y(wget) Y(whatis) X(which) X(who) X(whoami) \
    X(xargs) Y(xxd) Y(xz) Y(xzcat) \
    X(yes) Y(yq) \
    Y(zcat) Y(zip) Y(zipinfo) Y(zstd) Y(zstdcat)
/* clang-format on */

#ifdef HOB_CORE
#define Y(name)
#else
#define Y(name) X(name)
#endif

#define X(name) extern const struct command cmd_##name;
TABLE_COMMANDS
#undef X

#define X(name) &cmd_##name,
const struct command *const commands_table[] = {TABLE_COMMANDS NULL};
const size_t commands_count = COUNT(commands_table) - 1;
#undef X
#undef Y
#undef TABLE_COMMANDS
