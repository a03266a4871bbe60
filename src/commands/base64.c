/* base64.c -- encode and decode: base64, base32
 *
 * Base64 takes three bytes to four letters at a time from whole windows of input.
 */
#include "commands/base64.h"

#include "base/error.h"
#include "text/base64.h"

int base64_wrap(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct base64 *b = args;
    (void)o;
    if (size_parse(arg, "", &b->wrap) != HOB_EINVAL)
        return 0;
    proc_warn(p, "invalid wrap size: %s", proc_quote(p, arg));
    return 2;
}

static const struct opt base64_opts[] = {
    OPT_FLAG('d', "decode", struct base64, decode, "decode"),
    OPT_FLAG('i', "ignore-garbage", struct base64, ignore,
             "when decoding, skip what is no letter of the alphabet"),
    OPT_CALL('w', "wrap", base64_wrap, "COLS",
             "break lines after COLS characters (default 76); 0 is never"),
    OPT_END,
};

void base64_defaults(struct proc *p, void *args)
{
    (void)p;
    ((struct base64 *)args)->wrap = 76;
}

/* For URLs the last two letters are others, and base32hex begins with the digits. */
static const char base64_letters64[2][65] = {
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"};
static const char base64_letters32[2][33] = {"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567",
                                             "0123456789ABCDEFGHIJKLMNOPQRSTUV"};

void base64_put(struct base64 *b, const char *p, size_t n)
{
    if (b->wrap == 0) {
        out_write(&b->out, p, n);
        return;
    }
    while (n) {
        size_t k = (size_t)MIN((uint64_t)n, b->wrap - b->col);
        out_write(&b->out, p, k);
        b->col += k;
        p += k;
        n -= k;
        if (b->col == b->wrap) {
            out_putc(&b->out, '\n');
            b->col = 0;
        }
    }
}

void base64_put_end(struct base64 *b)
{
    if (b->wrap && b->col)
        out_putc(&b->out, '\n');
}

/* n bytes, a multiple of the group unless it is the end. */
static void base64_cmd_group(struct base64 *b, const unsigned char *p, size_t n)
{
    const char *letters64 = base64_letters64[b->variant];
    const char *letters32 = base64_letters32[b->variant];
    char buf[4 * 1024];
    while (n) {
        size_t k = 0;
        if (!b->b32) {
            for (; n >= 3 && k + 4 <= sizeof buf; n -= 3, p += 3) {
                uint32_t v = (uint32_t)p[0] << 16 | (uint32_t)p[1] << 8 | p[2];
                buf[k++] = letters64[v >> 18];
                buf[k++] = letters64[v >> 12 & 63];
                buf[k++] = letters64[v >> 6 & 63];
                buf[k++] = letters64[v & 63];
            }
            if (n && n < 3 && k + 4 <= sizeof buf) {
                uint32_t v = (uint32_t)p[0] << 16 | (n > 1 ? (uint32_t)p[1] << 8 : 0);
                buf[k++] = letters64[v >> 18];
                buf[k++] = letters64[v >> 12 & 63];
                buf[k++] = n > 1 ? letters64[v >> 6 & 63] : '=';
                buf[k++] = '=';
                n = 0;
            }
        } else {
            for (; n && k + 8 <= sizeof buf;) {
                size_t m = MIN(n, (size_t)5), letters = (m * 8 + 4) / 5;
                uint64_t v = 0;
                for (size_t i = 0; i < 5; i++)
                    v = v << 8 | (i < m ? p[i] : 0);
                for (size_t i = 0; i < 8; i++)
                    buf[k++] = i < letters ? letters32[v >> (35 - 5 * i) & 31] : '=';
                p += m;
                n -= m;
            }
        }
        base64_put(b, buf, k);
    }
}

static int base64_cmd_encode(struct base64 *b, struct in *in)
{
    unsigned char part[5];
    size_t have = 0, group = b->b32 ? 5 : 3;

    while (in_fill(in) && !b->out.err) {
        /* First what is left of a group of the window before. */
        while (have && have < group && in->p < in->end)
            part[have++] = (unsigned char)*in->p++;
        if (have == group) {
            base64_cmd_group(b, part, group);
            have = 0;
        }
        size_t n = (size_t)(in->end - in->p), whole = n / group * group;
        if (have == 0 && whole) {
            base64_cmd_group(b, (const unsigned char *)in->p, whole);
            in->p += whole;
        }
        while (have < group && in->p < in->end)
            part[have++] = (unsigned char)*in->p++;
    }
    if (have)
        base64_cmd_group(b, part, have);
    base64_put_end(b);
    return 0;
}

/* The value of a letter of base32, -1: none. */
static int base64_value32(const struct base64 *b, char c)
{
    const char *letters = base64_letters32[b->variant], *at = c ? strchr(letters, c) : NULL;
    return at ? (int)(at - letters) : -1;
}

static int base64_cmd_decode32(struct base64 *b, struct in *in)
{
    uint64_t v = 0;
    int have = 0, pads = 0;
    static const int bytes_of[] = {0, -1, 1, -1, 2, 3, -1, 4, 5};

    for (int c; (c = in_getc(in)) >= 0;) {
        if (c == '\n')
            continue;
        int value = base64_value32(b, (char)c);
        if (c == '=') {
            pads++;
        } else if (value < 0) {
            if (b->ignore)
                continue;
            return HOB_EINVAL;
        } else if (pads) {
            return HOB_EINVAL;
        }
        v = v << 5 | (uint64_t)(value < 0 ? 0 : value);
        if (++have < 8)
            continue;
        int n = bytes_of[8 - pads];
        for (int i = 0; i < (n < 0 ? 0 : n); i++)
            out_putc(&b->out, (char)(v >> (32 - 8 * i)));
        if (n <= 0)
            return HOB_EINVAL;
        v = 0;
        have = pads = 0;
    }
    return have ? HOB_EINVAL : 0;
}

/* Whole groups of four letters, and newlines between them. Returns how much of s was used. */
static size_t base64_groups(const signed char *value, struct str s, struct buf *out)
{
    const unsigned char *p = (const unsigned char *)s.p, *end = p + s.n;
    if (!buf_reserve(out, s.n / 4 * 3 + 4))
        return 0;
    char *to = out->p + out->n;
    while (end - p >= 4) {
        int v = value[p[0]] * (1 << 18) | value[p[1]] * (1 << 12) | value[p[2]] * 64 | value[p[3]];
        if (v < 0) {
            if (*p != '\n')
                break;
            p++;
            continue;
        }
        *to++ = (char)(v >> 16);
        *to++ = (char)(v >> 8);
        *to++ = (char)v;
        p += 4;
    }
    out->n = (size_t)(to - out->p);
    *to = '\0';
    return (size_t)(p - (const unsigned char *)s.p);
}

static int base64_cmd_decode(struct base64 *b, struct in *in)
{
    struct base64_decoder d = {.lenient = b->ignore, .url = b->variant};
    signed char value[256];
    struct buf buf;
    int r = 0;

    memset(value, -1, sizeof value);
    for (int i = 0; i < 64; i++)
        value[(unsigned char)base64_letters64[b->variant][i]] = (signed char)i;

    if (b->b32)
        return base64_cmd_decode32(b, in);
    buf_init(&buf, &b->p->kernel->heap);
    while (r == 0 && in_fill(in) && !b->out.err) {
        size_t n = MIN((size_t)(in->end - in->p), (size_t)PIPE_SIZE);
        buf_clear(&buf);
        /* GNU looks for letters of the plain alphabet before it decodes anything. */
        if (b->variant && !b->ignore && (memchr(in->p, '+', n) || memchr(in->p, '/', n))) {
            r = HOB_EINVAL;
            break;
        }
        if (d.have == 0) { /* what is regular goes fast; the decoder sees the rest */
            size_t used = base64_groups(value, str_of(in->p, n), &buf);
            in->p += used;
            n = MIN(n - used, (size_t)8);
        }
        r = base64_decode(&d, str_of(in->p, n), &buf);
        out_str(&b->out, buf_get(&buf));
        in->p += n;
    }
    if (r == 0) {
        buf_clear(&buf);
        r = base64_finish(&d, &buf);
        out_str(&b->out, buf_get(&buf));
    }
    buf_fini(&buf);
    return r;
}

int base64_stream(struct proc *p, struct base64 *b)
{
    struct in in;
    int status = 0;

    if (p->argc > 1)
        return proc_extra_operand(p, p->argv[1]);
    b->p = p;
    struct str name = p->argc ? p->argv[0] : STR("-");
    if (in_open(&in, p, name) < 0)
        return 1;
    out_init(&b->out, p, 1);
    if (!b->decode) {
        status = b->encode_other ? b->encode_other(b, &in) : base64_cmd_encode(b, &in);
    } else if ((b->decode_other ? b->decode_other(b, &in) : base64_cmd_decode(b, &in)) < 0 &&
               in.err == 0) {
        out_flush(&b->out);
        proc_warn(p, "invalid input");
        status = 1;
    }
    if (in.err < 0) {
        if (in.err != HOB_EKILLED)
            proc_warn(p, "read error: %s", error_text(in.err));
        status = in.err == HOB_EKILLED ? in.err : 1;
    }
    in_fini(&in);
    return command_close(p, &b->out, status);
}

static int base64_run(struct proc *p, void *args)
{
    struct base64 *b = args;
    b->b32 = strcmp(((const struct command *)p->command)->name, "base32") == 0;
    return base64_stream(p, b);
}

const struct command cmd_base64 = {
    .name = "base64",
    .usage = "[OPTION]... [FILE]",
    .summary = "Encode or decode FILE as Base64, to standard output.",
    .notes = "Without FILE, or when FILE is -, standard input is read.",
    .opts = base64_opts,
    .args_size = sizeof(struct base64),
    .usage_status = 1,
    .run = base64_run,
    .defaults = base64_defaults,
};

const struct command cmd_base32 = {
    .name = "base32",
    .usage = "[OPTION]... [FILE]",
    .summary = "Encode or decode FILE as Base32, to standard output.",
    .notes = "Without FILE, or when FILE is -, standard input is read.",
    .opts = base64_opts,
    .args_size = sizeof(struct base64),
    .usage_status = 1,
    .run = base64_run,
    .defaults = base64_defaults,
};
