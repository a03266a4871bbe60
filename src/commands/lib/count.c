/* count.c -- numbers within bounds, with the messages of GNU's tools */
#include "commands/lib/count.h"

#include "base/utf8.h"

int count_parse(struct proc *p, struct str s, int64_t min, int64_t max, const char *what,
                int64_t *out)
{
    struct str digits = s;
    while (digits.n && ascii_space((unsigned char)digits.p[0]))
        digits = str_from(digits, 1);
    int err = str_int(digits, out);
    if (err == 0 && *out >= min && *out <= max)
        return 0;
    /* What is far off is told apart from what is just not allowed. */
    bool far = err == HOB_ERANGE || *out > INT32_MAX / 2 || *out < INT32_MIN / 2;
    proc_warn(p, "%s: %s%s", what, proc_quote(p, s),
              err == HOB_EINVAL ? ""
              : far             ? ": Value too large for defined data type"
                                : ": Numerical result out of range");
    return 1;
}
