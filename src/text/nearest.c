/* nearest.c -- which known word was meant by a misspelt one */
#include "text/nearest.h"

#include "base/utf8.h"

enum {
    NEAREST_MAX = 64 /* letters that are looked at */
};

static bool nearest_same(char a, char b) { return ascii_to_lower(a) == ascii_to_lower(b); }

size_t nearest_distance(struct str a, struct str b)
{
    /* Three rows of the table are enough: this one, the one before, and the one before that. */
    size_t rows[3][NEAREST_MAX + 1];
    size_t *before = rows[0], *last = rows[1], *row = rows[2];

    if (a.n > NEAREST_MAX || b.n > NEAREST_MAX)
        return SIZE_MAX;
    for (size_t j = 0; j <= b.n; j++)
        last[j] = j;
    for (size_t i = 1; i <= a.n; i++) {
        row[0] = i;
        for (size_t j = 1; j <= b.n; j++) {
            size_t change = last[j - 1] + !nearest_same(a.p[i - 1], b.p[j - 1]);
            size_t least = MIN(MIN(last[j], row[j - 1]) + 1, change);
            if (i > 1 && j > 1 && nearest_same(a.p[i - 1], b.p[j - 2]) &&
                nearest_same(a.p[i - 2], b.p[j - 1]))
                least = MIN(least, before[j - 2] + 1);
            row[j] = least;
        }
        size_t *free_row = before;
        before = last;
        last = row;
        row = free_row;
    }
    return last[b.n];
}

bool nearest_close(struct str a, struct str b)
{
    size_t d = nearest_distance(a, b);
    return d != SIZE_MAX && d <= MAX(MAX(a.n, b.n) / 3, (size_t)1) && d < MAX(a.n, b.n);
}

bool nearest_find(struct str word, const struct str *names, size_t n, struct str *out)
{
    size_t best = SIZE_MAX;

    for (size_t i = 0; i < n; i++) {
        size_t d = nearest_distance(word, names[i]);
        if (d < best && nearest_close(word, names[i])) {
            best = d;
            *out = names[i];
        }
    }
    return best != SIZE_MAX;
}
