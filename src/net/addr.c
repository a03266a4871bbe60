/* addr.c -- numeric IP addresses: read, written, and told apart by where they lead */
#include "net/addr.h"

#include "base/utf8.h"

/* A number of an IPv4 address in C's notation: 10, 0x0a, 012. False if it is none. */
static bool addr_number(struct str s, uint64_t *out)
{
    uint64_t base = 10, v = 0;
    if (s.n > 1 && s.p[0] == '0') {
        base = s.p[1] == 'x' || s.p[1] == 'X' ? 16 : 8;
        s = str_from(s, base == 16 ? 2 : 1);
    }
    if (s.n > 12 || (s.n == 0 && base == 10))
        return false;
    for (size_t i = 0; i < s.n; i++) {
        int c = ascii_to_lower((unsigned char)s.p[i]);
        uint64_t d = ascii_digit(c)         ? (uint64_t)(c - '0')
                     : c >= 'a' && c <= 'f' ? (uint64_t)(c - 'a' + 10)
                                            : 99;
        if (d >= base)
            return false;
        v = v * base + d;
    }
    *out = v;
    return true;
}

/* One to four numbers; the last one fills the bytes that are left, as inet_aton() has it. */
static bool addr_parse_v4(struct str s, uint8_t *out)
{
    uint64_t part[4];
    size_t n = 0;
    for (;;) {
        ptrdiff_t dot = str_chr(s, '.');
        if (n == 4 || !addr_number(dot < 0 ? s : str_sub(s, 0, (size_t)dot), &part[n++]))
            return false;
        if (dot < 0)
            break;
        s = str_from(s, (size_t)dot + 1);
    }
    uint64_t v = part[n - 1];
    if (v >> (8 * (5 - n)) != 0)
        return false;
    for (size_t i = 0; i + 1 < n; i++) {
        if (part[i] > 255)
            return false;
        v |= part[i] << (8 * (3 - i));
    }
    for (int i = 0; i < 4; i++)
        out[i] = (uint8_t)(v >> (8 * (3 - i)));
    return true;
}

/* Up to four hexadecimal digits. */
static bool addr_group(struct str s, uint8_t *out)
{
    unsigned v = 0;
    if (s.n == 0 || s.n > 4)
        return false;
    for (size_t i = 0; i < s.n; i++) {
        int c = ascii_to_lower((unsigned char)s.p[i]);
        if (!ascii_digit(c) && (c < 'a' || c > 'f'))
            return false;
        v = v << 4 | (unsigned)(ascii_digit(c) ? c - '0' : c - 'a' + 10);
    }
    out[0] = (uint8_t)(v >> 8);
    out[1] = (uint8_t)v;
    return true;
}

/* Groups parted by colons, into bytes; an IPv4 address may be the last one. -1, or how many
 * bytes. */
static int addr_groups(struct str s, uint8_t *out)
{
    int n = 0;
    while (s.n > 0) {
        ptrdiff_t colon = str_chr(s, ':');
        struct str group = colon < 0 ? s : str_sub(s, 0, (size_t)colon);
        bool v4 = colon < 0 && str_chr(group, '.') >= 0;
        if (n + (v4 ? 4 : 2) > 16 ||
            !(v4 ? addr_parse_v4(group, out + n) : addr_group(group, out + n)))
            return -1;
        n += v4 ? 4 : 2;
        if (colon < 0)
            break;
        s = str_from(s, (size_t)colon + 1);
        if (s.n == 0)
            return -1; /* it ends with a colon */
    }
    return n;
}

static bool addr_parse_v6(struct str s, uint8_t *out)
{
    uint8_t head[16], tail[16];
    ptrdiff_t gap = str_find(s, STR("::"));
    memset(out, 0, 16);
    if (gap < 0)
        return addr_groups(s, out) == 16;
    struct str rest = str_from(s, (size_t)gap + 2);
    int a = addr_groups(str_sub(s, 0, (size_t)gap), head);
    int b = addr_groups(rest, tail);
    if (a < 0 || b < 0 || a + b > 14 || str_find(rest, STR("::")) >= 0)
        return false;
    memcpy(out, head, (size_t)a);
    memcpy(out + 16 - b, tail, (size_t)b);
    return true;
}

bool addr_parse(struct str text, struct addr *out)
{
    memset(out, 0, sizeof *out);
    out->v6 = str_chr(text, ':') >= 0;
    if (text.n == 0 || text.n > 64)
        return false;
    return out->v6 ? addr_parse_v6(text, out->b) : addr_parse_v4(text, out->b);
}

void addr_write(struct buf *b, const struct addr *addr)
{
    if (!addr->v6) {
        buf_printf(b, "%d.%d.%d.%d", addr->b[0], addr->b[1], addr->b[2], addr->b[3]);
        return;
    }
    /* The longest run of zeros is left out, the first one of several. */
    int best = -1, length = 1;
    for (int i = 0; i < 8; i++) {
        int n = 0;
        while (i + n < 8 && addr->b[2 * (i + n)] == 0 && addr->b[2 * (i + n) + 1] == 0)
            n++;
        if (n > length) {
            best = i;
            length = n;
        }
    }
    for (int i = 0; i < 8; i++) {
        if (i == best) {
            buf_addz(b, "::");
            i += length - 1;
            continue;
        }
        if (i > 0 && i != best + length)
            buf_putc(b, ':');
        buf_printf(b, "%x", (unsigned)addr->b[2 * i] << 8 | addr->b[2 * i + 1]);
    }
}

struct addr_net {
    uint8_t b[6];
    int bits;
};

static bool addr_in(const uint8_t *addr, const struct addr_net *nets, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        int left = nets[i].bits, at = 0;
        while (left >= 8 && addr[at] == nets[i].b[at]) {
            left -= 8;
            at++;
        }
        if (left < 8 && (addr[at] ^ nets[i].b[at]) >> (8 - left) == 0)
            return true;
    }
    return false;
}

static bool addr_public_v4(const uint8_t *b)
{
    static const struct addr_net nets[] = {
        {{0}, 8},
        {{10}, 8},
        {{100, 64}, 10},
        {{127}, 8},
        {{169, 254}, 16},
        {{172, 16}, 12},
        {{192, 0, 0}, 24},
        {{192, 0, 2}, 24},
        {{192, 88, 99}, 24},
        {{192, 168}, 16},
        {{198, 18}, 15},
        {{198, 51, 100}, 24},
        {{203, 0, 113}, 24},
        {{224}, 4},
        {{240}, 4},
    };
    return !addr_in(b, nets, COUNT(nets));
}

bool addr_public(const struct addr *addr)
{
    static const struct addr_net nets[] = {
        {{0x01, 0x00}, 16},             /* discard, and what is near it */
        {{0x20, 0x01, 0x00, 0x00}, 32}, /* Teredo */
        {{0x20, 0x01, 0x0d, 0xb8}, 32}, /* documentation */
        {{0xfc}, 7},                    /* private */
        {{0xfe, 0x80}, 10},             /* link-local */
        {{0xfe, 0xc0}, 10},             /* site-local */
        {{0xff}, 8},                    /* multicast */
    };
    static const uint8_t zero[12], mapped[12] = {[10] = 0xff, [11] = 0xff};
    static const uint8_t nat64[12] = {0x00, 0x64, 0xff, 0x9b};
    const uint8_t *b = addr->b;
    if (!addr->v6)
        return addr_public_v4(b);
    /* Addresses that hold an IPv4 address lead where that one leads. */
    if (memcmp(b, mapped, 12) == 0 || memcmp(b, nat64, 12) == 0 || memcmp(b, zero, 12) == 0)
        return addr_public_v4(b + 12);
    if (b[0] == 0x20 && b[1] == 0x02)
        return addr_public_v4(b + 2);
    return !addr_in(b, nets, COUNT(nets));
}
