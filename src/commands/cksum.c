/* cksum.c -- checksums and sizes of files: cksum, sum */
#include "commands/digest.h"

#include "base/error.h"

enum {
    CKSUM_BSD,
    CKSUM_SYSV,
    CKSUM_CRC,
    CKSUM_HASH /* and from here on a hash */
};

struct cksum {
    struct digest digest; /* first: digest_length gets it */
    int kind, style;      /* style: 't' tagged, 'u' untagged */
    bool chosen, debug;
    struct proc *p;
    struct out out;
    uint32_t table[8][256];
};

static const struct word_row cksum_words[] = {
    {"bsd", CKSUM_BSD},
    {"sysv", CKSUM_SYSV},
    {"crc", CKSUM_CRC},
    {"md5", CKSUM_HASH + HASH_MD5},
    {"sha1", CKSUM_HASH + HASH_SHA1},
    {"sha224", CKSUM_HASH + HASH_SHA224},
    {"sha256", CKSUM_HASH + HASH_SHA256},
    {"sha384", CKSUM_HASH + HASH_SHA384},
    {"sha512", CKSUM_HASH + HASH_SHA512},
    {"blake2b", CKSUM_HASH + HASH_BLAKE2B},
    {"sm3", CKSUM_HASH + HASH_SM3},
    {NULL, 0},
};

static int cksum_algorithm(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct cksum *c = args;
    (void)o;
    c->chosen = true;
    return proc_word(p, "--algorithm", arg, cksum_words, &c->kind);
}

#define CKSUM_FLAG(l, n, f, h) OPT_FLAG(l, n, struct cksum, digest.f, h)

static const struct opt cksum_opts[] = {
    OPT_CALL('a', "algorithm", cksum_algorithm, "TYPE",
             "crc (default), bsd, sysv, md5, sha1, sha224, sha256, sha384, sha512, blake2b, sm3"),
    CKSUM_FLAG('c', "check", check, "read checksums from the FILEs and check them"),
    OPT_FLAG(0, "debug", struct cksum, debug, "tell how the sum is computed"),
    OPT_CALL('l', "length", digest_length, "BITS",
             "length of the sum with blake2b, a multiple of 8 up to 512 (default)"),
    OPT_SET(0, "tag", struct cksum, style, 't', "MD5 (FILE) = SUM (default)"),
    OPT_SET(0, "untagged", struct cksum, style, 'u', "SUM and FILE alone"),
    CKSUM_FLAG('z', "zero", zero, "end each line with NUL, and do not escape names"),
    OPT_GROUP("Only with -c:"),
    CKSUM_FLAG(0, "ignore-missing", ignore_missing, "no failure for files that are missing"),
    OPT_CALL(0, "quiet", digest_loudness, NULL, "do not print OK for each file"),
    OPT_CALL(0, "status", digest_loudness, NULL, "print nothing, the status tells"),
    CKSUM_FLAG(0, "strict", strict, "fail on lines of a wrong form"),
    OPT_CALL('w', "warn", digest_loudness, NULL, "warn about lines of a wrong form"),
    OPT_END,
};
#undef CKSUM_FLAG

static const struct opt cksum_sum_opts[] = {
    OPT_SET('r', NULL, struct cksum, kind, CKSUM_BSD, "BSD's sum, in blocks of 1K (default)"),
    OPT_SET('s', "sysv", struct cksum, kind, CKSUM_SYSV, "System V's sum, in blocks of 512 bytes"),
    OPT_END,
};

static void cksum_defaults(struct proc *p, void *args)
{
    (void)p;
    ((struct cksum *)args)->kind = CKSUM_CRC;
}

/* Eight tables, so that eight bytes go at a time. */
static void cksum_tables(struct cksum *c)
{
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t v = i << 24;
        for (int k = 0; k < 8; k++)
            v = v << 1 ^ (v & 0x80000000 ? 0x04c11db7 : 0);
        c->table[0][i] = v;
    }
    for (uint32_t i = 0; i < 256; i++)
        for (int k = 1; k < 8; k++)
            c->table[k][i] = c->table[k - 1][i] << 8 ^ c->table[0][c->table[k - 1][i] >> 24];
}

static uint32_t cksum_crc(const struct cksum *c, uint32_t v, const unsigned char *p, size_t n)
{
    for (; n >= 8; n -= 8, p += 8) {
        v ^= (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
        v = c->table[7][v >> 24] ^ c->table[6][v >> 16 & 255] ^ c->table[5][v >> 8 & 255] ^
            c->table[4][v & 255] ^ c->table[3][p[4]] ^ c->table[2][p[5]] ^ c->table[1][p[6]] ^
            c->table[0][p[7]];
    }
    for (; n; n--, p++)
        v = v << 8 ^ c->table[0][v >> 24 ^ *p];
    return v;
}

/* The sum and the bytes of a file. */
static uint64_t cksum_add(struct cksum *c, struct in *in, uint32_t *sum)
{
    uint64_t total = 0;
    uint32_t v = 0;
    while (in_fill(in)) {
        const unsigned char *p = (const unsigned char *)in->p;
        size_t n = (size_t)(in->end - in->p);
        total += n;
        in->p = in->end;
        if (c->kind == CKSUM_CRC)
            v = cksum_crc(c, v, p, n);
        else if (c->kind == CKSUM_SYSV)
            for (size_t i = 0; i < n; i++)
                v += p[i];
        else
            for (size_t i = 0; i < n; i++)
                v = ((v >> 1 | (v & 1) << 15) + p[i]) & 0xffff;
        if (proc_tick(c->p, (int64_t)(n / 1024)) < 0)
            break;
    }
    if (c->kind == CKSUM_CRC) {
        for (uint64_t n = total; n; n >>= 8)
            v = v << 8 ^ c->table[0][v >> 24 ^ (n & 255)];
        v = ~v;
    } else if (c->kind == CKSUM_SYSV) {
        v = (v & 0xffff) + (v >> 16);
        v = (v & 0xffff) + (v >> 16);
    }
    *sum = v;
    return total;
}

static int cksum_file(struct cksum *c, struct str name, bool named)
{
    struct in in;
    uint32_t sum;
    int err = in_open_quiet(&in, c->p, name);
    if (err == 0) {
        uint64_t n = cksum_add(c, &in, &sum);
        err = in.err;
        in_fini(&in);
        if (err == 0) {
            if (c->kind == CKSUM_CRC)
                out_printf(&c->out, "%u %llu", (unsigned)sum, (unsigned long long)n);
            else if (c->kind == CKSUM_SYSV)
                out_printf(&c->out, "%u %llu", (unsigned)sum, (unsigned long long)(n + 511) / 512);
            else
                out_printf(&c->out, "%05u %5llu", (unsigned)sum,
                           (unsigned long long)(n + 1023) / 1024);
            if (named) {
                out_putc(&c->out, ' ');
                out_str(&c->out, name);
            }
            out_putc(&c->out, c->digest.zero ? '\0' : '\n');
        }
    }
    if (err < 0 && err != HOB_EKILLED)
        proc_warn_file(c->p, name, err);
    return err == HOB_EKILLED ? err : err < 0 ? 1 : proc_check(c->p);
}

/* Hashes, and all that is checked, are digest.c's. */
static int cksum_hash(struct cksum *c)
{
    struct digest *d = &c->digest;
    int kind = MAX(c->kind - CKSUM_HASH, 0);

    d->any = !c->chosen;
    d->kind = (enum hash_kind)kind;
    d->name = d->any ? "CRC" : digest_names[kind];
    d->size = d->length ? (size_t)d->length / 8 : hash_size(d->kind);
    d->tag = c->style != 'u';
    return digest_files(c->p, d);
}

static int cksum_run(struct proc *p, void *args)
{
    struct cksum *c = args;
    int status = 0;

    c->p = p;
    if (c->digest.length && c->kind != CKSUM_HASH + HASH_BLAKE2B) {
        proc_warn(p, "--length is only supported with --algorithm=blake2b");
        return 1;
    }
    if (c->digest.check && c->chosen && c->kind < CKSUM_HASH) {
        proc_warn(p, "--check is not supported with --algorithm={bsd,sysv,crc}");
        return 1;
    }
    if ((status = digest_conflicts(p, &c->digest)) != 0)
        return status;
    if (c->kind >= CKSUM_HASH || c->digest.check)
        return cksum_hash(c);
    if (c->kind == CKSUM_CRC) {
        cksum_tables(c);
        if (c->debug)
            proc_warn(p, "using tables, no hardware support");
    }
    out_init(&c->out, p, 1);
    for (int i = 0; i < MAX(p->argc, 1) && status >= 0; i++) {
        int r = cksum_file(c, p->argc ? p->argv[i] : STR("-"), p->argc > 0);
        status = r ? r : status;
    }
    return command_close(p, &c->out, status);
}

const struct command cmd_cksum = {
    .name = "cksum",
    .usage = "[OPTION]... [FILE]...",
    .summary = "Print the checksum and the bytes of each FILE, or another digest of it.",
    .notes = "Without FILE, or when FILE is -, standard input is read.",
    .opts = cksum_opts,
    .args_size = sizeof(struct cksum),
    .usage_status = 1,
    .run = cksum_run,
    .defaults = cksum_defaults,
};

const struct command cmd_sum = {
    .name = "sum",
    .usage = "[OPTION]... [FILE]...",
    .summary = "Print the checksum and the blocks of each FILE.",
    .notes = "Without FILE, or when FILE is -, standard input is read.",
    .opts = cksum_sum_opts,
    .args_size = sizeof(struct cksum),
    .usage_status = 1,
    .run = cksum_run,
};
