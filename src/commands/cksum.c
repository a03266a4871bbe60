/* cksum.c -- checksums and sizes of files: cksum, sum */
#include "shell/command.h"

#include "base/error.h"
#include "text/hash.h"

enum {
    CKSUM_BSD,
    CKSUM_SYSV,
    CKSUM_CRC,
    CKSUM_HASH /* and from here on a hash */
};

struct cksum {
    int kind, bits;
    bool untagged, zero, tag, debug, sysv, bsd;
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
    {NULL, 0},
};
static const char *const cksum_tags[] = {"MD5", "SHA1", "SHA224", "SHA256", "SHA384", "SHA512"};

static int cksum_algorithm(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    (void)o;
    return proc_word(p, "--algorithm", arg, cksum_words, &((struct cksum *)args)->kind);
}

static const struct opt cksum_opts[] = {
    OPT_CALL('a', "algorithm", cksum_algorithm, "TYPE",
             "crc (default), bsd, sysv, md5, sha1, sha224, sha256, sha384, sha512"),
    OPT_FLAG(0, "debug", struct cksum, debug, "(accepted)"),
    OPT_FLAG(0, "tag", struct cksum, tag, "MD5 (FILE) = SUM (default)"),
    OPT_FLAG(0, "untagged", struct cksum, untagged, "SUM and FILE alone"),
    OPT_FLAG('z', "zero", struct cksum, zero, "end each line with NUL, and do not escape names"),
    OPT_END,
};

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

/* The sum and the bytes of a file; a hash goes to h. */
static uint64_t cksum_add(struct cksum *c, struct in *in, struct hash *h, uint32_t *sum)
{
    uint64_t total = 0;
    uint32_t v = 0;
    while (in_fill(in)) {
        const unsigned char *p = (const unsigned char *)in->p;
        size_t n = (size_t)(in->end - in->p);
        total += n;
        in->p = in->end;
        if (c->kind >= CKSUM_HASH)
            hash_add(h, p, n);
        else if (c->kind == CKSUM_CRC)
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

static void cksum_name(struct out *o, struct str name, bool escape)
{
    for (size_t i = 0; i < name.n; i++) {
        char ch = name.p[i];
        if (escape && (ch == '\n' || ch == '\\' || ch == '\r')) {
            out_putc(o, '\\');
            ch = ch == '\n' ? 'n' : ch == '\r' ? 'r' : ch;
        }
        out_putc(o, ch);
    }
}

static void cksum_put_hash(struct cksum *c, struct hash *h, struct str name)
{
    unsigned char sum[HASH_MAX];
    size_t n = hash_end(h, sum);
    bool odd = !c->zero &&
               (str_chr(name, '\n') >= 0 || str_chr(name, '\\') >= 0 || str_chr(name, '\r') >= 0);
    if (odd)
        out_putc(&c->out, '\\');
    if (!c->untagged) {
        out_printf(&c->out, "%s (", cksum_tags[c->kind - CKSUM_HASH]);
        cksum_name(&c->out, name, odd);
        out_puts(&c->out, ") = ");
    }
    for (size_t i = 0; i < n; i++)
        out_printf(&c->out, "%02x", sum[i]);
    if (c->untagged) {
        out_puts(&c->out, "  ");
        cksum_name(&c->out, name, odd);
    }
}

static int cksum_file(struct cksum *c, struct str name, bool named)
{
    struct in in;
    struct hash h;
    uint32_t sum;
    int err = in_open_quiet(&in, c->p, name);
    if (err == 0) {
        if (c->kind >= CKSUM_HASH)
            hash_init(&h, (enum hash_kind)(c->kind - CKSUM_HASH));
        uint64_t n = cksum_add(c, &in, &h, &sum);
        err = in.err;
        in_fini(&in);
        if (err == 0) {
            if (c->kind >= CKSUM_HASH)
                cksum_put_hash(c, &h, name);
            else if (c->kind == CKSUM_CRC)
                out_printf(&c->out, "%u %llu", (unsigned)sum, (unsigned long long)n);
            else if (c->kind == CKSUM_SYSV)
                out_printf(&c->out, "%u %llu", (unsigned)sum, (unsigned long long)(n + 511) / 512);
            else
                out_printf(&c->out, "%05u %5llu", (unsigned)sum,
                           (unsigned long long)(n + 1023) / 1024);
            if (c->kind < CKSUM_HASH && named) {
                out_putc(&c->out, ' ');
                out_str(&c->out, name);
            }
            out_putc(&c->out, c->zero ? '\0' : '\n');
        }
    }
    if (err < 0 && err != HOB_EKILLED)
        proc_warn_file(c->p, name, err);
    return err == HOB_EKILLED ? err : err < 0 ? 1 : proc_check(c->p);
}

static int cksum_run(struct proc *p, void *args)
{
    struct cksum *c = args;
    int status = 0;
    c->p = p;
    if (c->kind == CKSUM_CRC)
        cksum_tables(c);
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
