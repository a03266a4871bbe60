/* basenc.c -- encode and decode in one of several alphabets
 *
 * base64.c has the common ones; here are hexadecimal digits, bits, and Z85 (ZeroMQ's RFC 32), which
 * takes four bytes for a number of five digits to the base 85.
 */
#include "commands/base64.h"

enum {
    BASENC_NONE,
    BASENC_64,
    BASENC_64URL,
    BASENC_32,
    BASENC_32HEX,
    BASENC_16,
    BASENC_2MSBF,
    BASENC_2LSBF,
    BASENC_Z85
};

static const struct opt basenc_opts[] = {
    OPT_SET(0, "base64", struct base64, kind, BASENC_64, "as the command base64 does"),
    OPT_SET(0, "base64url", struct base64, kind, BASENC_64URL,
            "base64 with letters that may stand in names and URLs"),
    OPT_SET(0, "base32", struct base64, kind, BASENC_32, "as the command base32 does"),
    OPT_SET(0, "base32hex", struct base64, kind, BASENC_32HEX,
            "base32 whose letters begin with the digits"),
    OPT_SET(0, "base16", struct base64, kind, BASENC_16, "hexadecimal digits"),
    OPT_SET(0, "base2msbf", struct base64, kind, BASENC_2MSBF, "bits, the highest first"),
    OPT_SET(0, "base2lsbf", struct base64, kind, BASENC_2LSBF, "bits, the lowest first"),
    OPT_FLAG('d', "decode", struct base64, decode, "decode"),
    OPT_FLAG('i', "ignore-garbage", struct base64, ignore,
             "when decoding, skip what is no letter of the alphabet"),
    OPT_CALL('w', "wrap", base64_wrap, "COLS",
             "break lines after COLS characters (default 76); 0 is never"),
    OPT_SET(0, "z85", struct base64, kind, BASENC_Z85,
            "Z85: four bytes are five letters, nothing is filled up"),
    OPT_END,
};

static const char basenc_z85[] = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                 ".-:+=^!/*?&<>()[]{}@%$#";

static int basenc_encode(struct base64 *b, struct in *in)
{
    char letters[8];

    for (int c; (c = in_getc(in)) >= 0 && !b->out.err;) {
        if (b->kind == BASENC_16) {
            letters[0] = "0123456789ABCDEF"[c >> 4];
            letters[1] = "0123456789ABCDEF"[c & 15];
            base64_put(b, letters, 2);
            continue;
        }
        for (int i = 0; i < 8; i++)
            letters[i] = (char)('0' + (c >> (b->kind == BASENC_2LSBF ? i : 7 - i) & 1));
        base64_put(b, letters, 8);
    }
    base64_put_end(b);
    return 0;
}

/* As GNU has it nothing is written of the last 30,720 bytes when they cannot be encoded. */
static int basenc_encode_z85(struct base64 *b, struct in *in)
{
    struct buf ready;
    uint32_t v = 0;
    int have = 0;

    buf_init(&ready, &b->p->kernel->heap);
    for (int c; (c = in_getc(in)) >= 0 && !b->out.err;) {
        v = v << 8 | (uint32_t)c;
        if (++have < 4)
            continue;
        char letters[5];
        for (int i = 4; i >= 0; i--, v /= 85)
            letters[i] = basenc_z85[v % 85];
        buf_add(&ready, letters, 5);
        have = 0;
        v = 0;
        if (ready.n >= 30720 / 4 * 5) {
            base64_put(b, ready.p, ready.n);
            buf_clear(&ready);
        }
    }
    bool bad = have && in->err == 0;
    if (!bad && ready.n)
        base64_put(b, ready.p, ready.n);
    buf_fini(&ready);
    if (bad) {
        out_flush(&b->out);
        proc_warn(b->p, "invalid input (length must be multiple of 4 characters)");
        return 1;
    }
    base64_put_end(b);
    return 0;
}

/* What a letter is worth; -1: nothing. */
static int basenc_value(const struct base64 *b, char c)
{
    const char *at;
    switch (b->kind) {
    case BASENC_2MSBF:
    case BASENC_2LSBF: return c == '0' || c == '1' ? c - '0' : -1;
    case BASENC_16: at = c ? strchr("0123456789ABCDEF", c) : NULL; break;
    default: at = c ? strchr(basenc_z85, c) : NULL; return at ? (int)(at - basenc_z85) : -1;
    }
    return !at ? -1 : c <= '9' ? c - '0' : c - 'A' + 10;
}

/* One group of letters: its bytes to the output. False: the number is too big. */
static bool basenc_emit(struct base64 *b, uint64_t v)
{
    if (b->kind != BASENC_Z85) {
        out_putc(&b->out, (char)v);
        return true;
    }
    if (v > UINT32_MAX)
        return false;
    for (int i = 3; i >= 0; i--)
        out_putc(&b->out, (char)(v >> 8 * i));
    return true;
}

static int basenc_decode(struct base64 *b, struct in *in)
{
    const int group = b->kind == BASENC_16 ? 2 : b->kind == BASENC_Z85 ? 5 : 8;
    const unsigned base = b->kind == BASENC_16 ? 16 : b->kind == BASENC_Z85 ? 85 : 2;
    uint64_t v = 0;
    int have = 0;

    for (int c; (c = in_getc(in)) >= 0 && !b->out.err;) {
        int value = basenc_value(b, (char)c);
        if (c == '\n' || (value < 0 && b->ignore && c != '='))
            continue;
        if (value < 0)
            return HOB_EINVAL;
        v = b->kind == BASENC_2LSBF ? v | (uint64_t)value << have : v * base + (uint64_t)value;
        if (++have < group)
            continue;
        if (!basenc_emit(b, v))
            return HOB_EINVAL;
        v = 0;
        have = 0;
    }
    return have ? HOB_EINVAL : 0;
}

static int basenc_run(struct proc *p, void *args)
{
    struct base64 *b = args;

    if (b->kind == BASENC_NONE) {
        proc_warn(p, "missing encoding type");
        return proc_usage(p);
    }
    b->b32 = b->kind == BASENC_32 || b->kind == BASENC_32HEX;
    b->variant = b->kind == BASENC_64URL || b->kind == BASENC_32HEX;
    if (b->kind >= BASENC_16) {
        b->encode_other = b->kind == BASENC_Z85 ? basenc_encode_z85 : basenc_encode;
        b->decode_other = basenc_decode;
    }
    return base64_stream(p, b);
}

const struct command cmd_basenc = {
    .name = "basenc",
    .usage = "[OPTION]... [FILE]",
    .summary = "Encode or decode FILE in one of several alphabets, to standard output.",
    .notes = "Without FILE, or when FILE is -, standard input is read. The encoding must be named.",
    .opts = basenc_opts,
    .args_size = sizeof(struct base64),
    .usage_status = 1,
    .run = basenc_run,
    .defaults = base64_defaults,
};
