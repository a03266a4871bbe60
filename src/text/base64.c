/* base64.c -- base64 written and read, whole or piece by piece */
#include "text/base64.h"

#include "base/utf8.h"

static const char base64_plain[] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
static const char base64_url[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

void base64_encode(struct buf *b, struct str data, bool url)
{
    const char *letters = url ? base64_url : base64_plain;
    const unsigned char *p = (const unsigned char *)data.p;
    size_t n = data.n;

    if (n == 0 || n > SIZE_MAX / 2 || !buf_reserve(b, n / 3 * 4 + 4))
        return;
    char *to = b->p + b->n;
    for (; n >= 3; p += 3, n -= 3) {
        uint32_t v = (uint32_t)p[0] << 16 | (uint32_t)p[1] << 8 | p[2];
        *to++ = letters[v >> 18];
        *to++ = letters[v >> 12 & 63];
        *to++ = letters[v >> 6 & 63];
        *to++ = letters[v & 63];
    }
    if (n > 0) {
        uint32_t v = (uint32_t)p[0] << 16 | (n > 1 ? (uint32_t)p[1] << 8 : 0);
        *to++ = letters[v >> 18];
        *to++ = letters[v >> 12 & 63];
        *to++ = n > 1 ? letters[v >> 6 & 63] : '=';
        *to++ = '=';
    }
    *to = '\0';
    b->n = (size_t)(to - b->p);
}

static int base64_value(const struct base64_decoder *d, char c)
{
    if (ascii_upper(c))
        return c - 'A';
    if (ascii_lower(c))
        return c - 'a' + 26;
    if (ascii_digit(c))
        return c - '0' + 52;
    return c == (d->url ? '-' : '+') ? 62 : c == (d->url ? '_' : '/') ? 63 : -1;
}

/* Appends the bytes of a group that has `have` letters. */
static void base64_flush(struct base64_decoder *d, struct buf *out)
{
    uint32_t v = d->bits << 6 * (4 - d->have);
    for (int i = 0; i + 1 < d->have; i++)
        buf_putc(out, (char)(v >> (16 - 8 * i)));
    d->bits = 0;
    d->have = d->pads = 0;
}

int base64_decode(struct base64_decoder *d, struct str text, struct buf *out)
{
    for (size_t i = 0; i < text.n; i++) {
        char c = text.p[i];
        int v = base64_value(d, c);
        if (v >= 0 && d->pads == 0) {
            d->bits = d->bits << 6 | (uint32_t)v;
            if (++d->have == 4)
                base64_flush(d, out);
        } else if (c == '=' && d->have >= 2) {
            if (++d->pads + d->have == 4)
                base64_flush(d, out);
        } else if (c != '\n' && !(d->lenient && v < 0 && c != '=')) {
            if (d->have >= 2)
                base64_flush(d, out); /* the whole bytes before the mistake */
            return HOB_EINVAL;
        }
    }
    return 0;
}

int base64_finish(struct base64_decoder *d, struct buf *out)
{
    int r = d->have ? HOB_EINVAL : 0;
    base64_flush(d, out);
    return r;
}
