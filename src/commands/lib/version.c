/* version.c -- comparing names by the numbers in them: file9 before file10 */
#include "commands/lib/version.h"

#include "base/utf8.h"

/* Where c stands: the end first after ~, then digits, letters, all others. */
static int version_order(struct str s, size_t i)
{
    if (i >= s.n)
        return -1;
    int c = (unsigned char)s.p[i];
    if (ascii_digit(c))
        return 0;
    if (ascii_alpha(c))
        return c;
    return c == '~' ? -2 : c + 256;
}

static bool version_digit(struct str s, size_t i) { return i < s.n && ascii_digit(s.p[i]); }

static int version_parts(struct str a, struct str b)
{
    size_t i = 0, k = 0;
    while (i < a.n || k < b.n) {
        while ((i < a.n && !version_digit(a, i)) || (k < b.n && !version_digit(b, k))) {
            int x = version_order(a, i), y = version_order(b, k);
            if (x != y)
                return x - y;
            i++;
            k++;
        }
        int first = 0;
        while (i < a.n && a.p[i] == '0')
            i++;
        while (k < b.n && b.p[k] == '0')
            k++;
        while (version_digit(a, i) && version_digit(b, k)) {
            if (!first)
                first = a.p[i] - b.p[k];
            i++;
            k++;
        }
        if (version_digit(a, i))
            return 1;
        if (version_digit(b, k))
            return -1;
        if (first)
            return first;
    }
    return 0;
}

/* The length without suffixes like .tar.gz: a period, a letter or ~, then letters, digits, ~. */
static size_t version_prefix(struct str s)
{
    size_t prefix = 0;
    for (size_t i = 0; i < s.n;) {
        i++;
        prefix = i;
        while (i + 1 < s.n && s.p[i] == '.' && (ascii_alpha(s.p[i + 1]) || s.p[i + 1] == '~')) {
            for (i += 2; i < s.n && (ascii_alnum(s.p[i]) || s.p[i] == '~');)
                i++;
        }
    }
    return prefix;
}

int version_compare(struct str a, struct str b)
{
    if (a.n == 0 || b.n == 0)
        return (a.n != 0) - (b.n != 0);
    bool hidden = a.p[0] == '.';
    if (hidden != (b.p[0] == '.'))
        return hidden ? -1 : 1;
    if (hidden) {
        /* "." comes first, then "..", then the others. */
        int x = a.n == 1           ? 0
                : str_eqz(a, "..") ? 1
                                   : 2,
            y = b.n == 1           ? 0
                : str_eqz(b, "..") ? 1
                                   : 2;
        if (x != y || x < 2)
            return x - y;
    }
    struct str pa = str_sub(a, 0, version_prefix(a)), pb = str_sub(b, 0, version_prefix(b));
    int r = pa.n == a.n && pb.n == b.n ? 0 : version_parts(pa, pb);
    return r ? r : version_parts(a, b);
}
