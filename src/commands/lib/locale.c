/* locale.c -- which characters a command sees */
#include "commands/lib/locale.h"

bool locale_bytes(struct proc *p)
{
    static const struct str names[] = {STR_INIT("LC_ALL"), STR_INIT("LC_CTYPE"), STR_INIT("LANG")};
    struct str v;

    for (size_t i = 0; i < COUNT(names); i++) {
        if (proc_getenv(p, names[i], &v) && v.n)
            return str_eqz(v, "C") || str_eqz(v, "POSIX");
    }
    return false;
}
