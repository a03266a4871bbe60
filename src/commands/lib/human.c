/* human.c -- sizes for people: 1.5K, 20M, and block sizes as GNU's tools take them */
#include "commands/lib/human.h"

#include "base/fmt.h"
#include "base/utf8.h"

static const char human_letters[] = "KMGTPEZY";

int human_parse(struct str s, struct human *out)
{
    *out = (struct human){.unit = 1024};
    if (s.n && s.p[0] == '\'') {
        out->group = true;
        s = str_from(s, 1);
    }
    if (str_eqz(s, "human-readable") || str_eqz(s, "si")) {
        out->scale = true;
        out->si = s.p[0] == 's';
        return 0;
    }
    int r = size_parse(s, "eEgGkKmMpPtTyYzZ0", &out->unit);
    if (r == 0 && out->unit == 0)
        return HOB_EINVAL;
    /* A unit without a number is shown behind each size. */
    if (r == 0 && s.n && !ascii_digit(s.p[0])) {
        size_t n = MIN(s.n, sizeof out->suffix - 1);
        memcpy(out->suffix, s.p, n);
        out->si = n == 2;
        out->suffix[0] = (char)ascii_to_upper(out->suffix[0]);
        if (out->si && out->suffix[0] == 'K')
            out->suffix[0] = 'k';
    }
    return r;
}

size_t human_print(char out[HUMAN_SIZE], uint64_t bytes, const struct human *h)
{
    uint64_t base = h->si ? 1000 : 1024, unit = 1;
    int power = 0;

    if (!h->scale) {
        uint64_t v = bytes / h->unit + (bytes % h->unit != 0);
        return fmt_print(out, HUMAN_SIZE, "%llu%s", (unsigned long long)v, h->suffix);
    }
    while (power < 8 && bytes / unit >= base && unit <= UINT64_MAX / base) {
        unit *= base;
        power++;
    }
    if (power == 0)
        return fmt_print(out, HUMAN_SIZE, "%llu", (unsigned long long)bytes);
    uint64_t whole = bytes / unit, rest = bytes % unit;
    /* Below ten one digit is shown behind the point; everything is rounded up. */
    uint64_t tenths = (uint64_t)(((__uint128_t)rest * 10 + unit - 1) / unit);
    if (whole < 10 && tenths == 10) {
        whole++;
        tenths = 0;
    }
    char letter = power == 1 && h->si ? 'k' : human_letters[power - 1];
    if (whole < 10)
        return fmt_print(out, HUMAN_SIZE, "%llu.%llu%c", (unsigned long long)whole,
                         (unsigned long long)tenths, letter);
    if (bytes / unit < 10)
        return fmt_print(out, HUMAN_SIZE, "%llu%c", (unsigned long long)whole, letter);
    whole += rest != 0;
    if (whole == base && power < 8) {
        letter = human_letters[power];
        return fmt_print(out, HUMAN_SIZE, "1.0%c", letter);
    }
    return fmt_print(out, HUMAN_SIZE, "%llu%c", (unsigned long long)whole, letter);
}
