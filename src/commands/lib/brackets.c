/* brackets.c -- bracket expressions in patterns, looked at from outside */
#include "commands/lib/brackets.h"

size_t brackets_length(struct str s, size_t i)
{
    size_t start = i++;
    if (i < s.n && s.p[i] == '^')
        i++;
    if (i < s.n && s.p[i] == ']')
        i++;
    while (i < s.n && s.p[i] != ']') {
        char kind = s.p[i] == '[' && i + 1 < s.n ? s.p[i + 1] : '\0';
        i++;
        if (kind != ':' && kind != '.' && kind != '=')
            continue;
        for (i++; i + 1 < s.n && !(s.p[i] == kind && s.p[i + 1] == ']'); i++)
            ;
        i += 2;
    }
    return MIN(i + 1, s.n) - start;
}

/* One bracket expression: colons at both ends, something else between, no ranges or classes. */
static bool brackets_is_class(struct str s)
{
    s = str_from(s, s.n > 1 && s.p[1] == '^' ? 2 : 1);
    if (s.n < 4 || s.p[0] != ':' || s.p[s.n - 2] != ':' || s.p[s.n - 1] != ']')
        return false;
    bool other = false;
    for (size_t i = 1; i + 2 < s.n; i++) {
        if (s.p[i] == '-' || s.p[i] == '[')
            return false;
        other |= s.p[i] != ':';
    }
    return other;
}

bool brackets_mistaken(struct str pattern)
{
    for (size_t i = 0; i < pattern.n; i++) {
        if (pattern.p[i] == '\\') {
            i++;
        } else if (pattern.p[i] == '[') {
            size_t n = brackets_length(pattern, i);
            if (brackets_is_class(str_sub(pattern, i, n)))
                return true;
            i += n - 1;
        }
    }
    return false;
}
