/* digest.c -- checksums of files: md5sum, sha1sum, sha224sum ... sha512sum, b2sum */
#include "commands/digest.h"

#include "base/error.h"
#include "base/utf8.h"

const char *const digest_names[] = {"MD5",    "SHA1",   "SHA224",  "SHA256",
                                    "SHA384", "SHA512", "BLAKE2b", "SM3"};

int digest_length(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct digest *d = args;
    (void)o;
    if (size_parse(arg, "", &d->length) != 0) {
        proc_warn(p, "invalid length: %s", proc_quote(p, arg));
        return 2;
    }
    if (d->length % 8 == 0 && d->length <= 8 * HASH_MAX)
        return 0;
    proc_warn(p, "invalid length: %s", proc_quote(p, arg));
    if (d->length % 8)
        proc_warn(p, "length is not a multiple of 8");
    else
        proc_warn(p, "maximum digest length for %s is %d bits", proc_quote(p, STR("BLAKE2b")),
                  8 * HASH_MAX);
    return 2;
}

/* -b, -t and --tag: the last one decides about the mode. */
static int digest_mode(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct digest *d = args;
    (void)p;
    (void)arg;
    d->tag |= !o->letter;
    d->mode = o->letter == 't' ? 't' : 'b';
    return 0;
}

int digest_loudness(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct digest *d = args;
    (void)p;
    (void)arg;
    d->quiet = o->name[0] == 'q';
    d->status_only = o->name[0] == 's';
    d->warn = o->name[0] == 'w';
    return 0;
}

#define DIGEST_MARKS                                                                               \
    OPT_CALL('b', "binary", digest_mode, NULL, "mark as read in binary mode"),                     \
        OPT_FLAG('c', "check", struct digest, check,                                               \
                 "read checksums from the FILEs and check them")
#define DIGEST_REST                                                                                \
    OPT_CALL(0, "tag", digest_mode, NULL, "in the style of BSD"),                                  \
        OPT_CALL('t', "text", digest_mode, NULL, "mark as read in text mode (default)"),           \
        OPT_FLAG('z', "zero", struct digest, zero,                                                 \
                 "end each line with NUL, and do not escape names"),                               \
        OPT_GROUP("Only with -c:"),                                                                \
        OPT_FLAG(0, "ignore-missing", struct digest, ignore_missing,                               \
                 "no failure for files that are missing"),                                         \
        OPT_CALL(0, "quiet", digest_loudness, NULL, "do not print OK for each file"),              \
        OPT_CALL(0, "status", digest_loudness, NULL, "print nothing, the status tells"),           \
        OPT_FLAG(0, "strict", struct digest, strict, "fail on lines of a wrong form"),             \
        OPT_CALL('w', "warn", digest_loudness, NULL, "warn about lines of a wrong form"), OPT_END

static const struct opt digest_opts[] = {DIGEST_MARKS, DIGEST_REST};
static const struct opt digest_b2_opts[] = {
    DIGEST_MARKS,
    OPT_CALL('l', "length", digest_length, "BITS",
             "length of the sum, a multiple of 8 up to 512 (default)"),
    DIGEST_REST,
};
#undef DIGEST_MARKS
#undef DIGEST_REST

/* The checksum in hexadecimal digits. */
static int digest_file(struct digest *d, struct str name, char hex[2 * HASH_MAX + 1])
{
    struct hash h;
    unsigned char sum[HASH_MAX];
    struct in in;
    int err = in_open_quiet(&in, d->p, name);

    if (err < 0)
        return err;
    hash_init(&h, d->kind);
    if (d->kind == HASH_BLAKE2B)
        hash_init_blake2b(&h, d->size);
    while (in_fill(&in)) {
        hash_add(&h, in.p, (size_t)(in.end - in.p));
        in.p = in.end;
    }
    err = in.err;
    in_fini(&in);
    if (err < 0)
        return err;
    size_t n = hash_end(&h, sum);
    for (size_t i = 0; i < n; i++) {
        hex[2 * i] = "0123456789abcdef"[sum[i] >> 4];
        hex[2 * i + 1] = "0123456789abcdef"[sum[i] & 15];
    }
    hex[2 * n] = '\0';
    return 0;
}

/* Newlines, carriage returns and backslashes in names are escaped, and the line says so. */
static void digest_name(struct out *o, struct str name, bool escape)
{
    for (size_t i = 0; i < name.n; i++) {
        char c = name.p[i];
        if (escape && (c == '\n' || c == '\\' || c == '\r')) {
            out_putc(o, '\\');
            c = c == '\n' ? 'n' : c == '\r' ? 'r' : c;
        }
        out_putc(o, c);
    }
}

static bool digest_odd(struct str name)
{
    return str_chr(name, '\n') >= 0 || str_chr(name, '\\') >= 0 || str_chr(name, '\r') >= 0;
}

static int digest_print(struct digest *d, struct str name)
{
    char hex[2 * HASH_MAX + 1];
    int err = digest_file(d, name, hex);
    if (err < 0) {
        proc_warn_file(d->p, name, err);
        return err == HOB_EKILLED ? err : 1;
    }
    bool odd = !d->zero && digest_odd(name);
    if (odd)
        out_putc(&d->out, '\\');
    if (d->tag) {
        out_puts(&d->out, d->name);
        if (d->kind == HASH_BLAKE2B && d->size < HASH_MAX)
            out_printf(&d->out, "-%d", (int)d->size * 8);
        out_puts(&d->out, " (");
        digest_name(&d->out, name, odd);
        out_printf(&d->out, ") = %s", hex);
    } else {
        out_printf(&d->out, "%s %c", hex, d->mode == 'b' ? '*' : ' ');
        digest_name(&d->out, name, odd);
    }
    out_putc(&d->out, d->zero ? '\0' : '\n');
    return 0;
}

/* ---- -c ------------------------------------------------------------------------------------- */

static bool digest_is_hex(char c)
{
    return ascii_digit(c) || (ascii_to_lower(c) >= 'a' && ascii_to_lower(c) <= 'f');
}

static bool digest_hex(struct digest *d, struct str s)
{
    if (s.n != 2 * d->size)
        return false;
    for (size_t i = 0; i < s.n; i++) {
        if (!digest_is_hex(s.p[i]))
            return false;
    }
    return true;
}

/* BLAKE2b: how long the sum is, the line tells: by its digits, or "BLAKE2b-256 (". */
static bool digest_measure(struct digest *d, struct str *rest, bool tagged)
{
    size_t n = 0;

    d->size = HASH_MAX;
    if (!tagged) {
        while (n < rest->n && digest_is_hex(rest->p[n]))
            n++;
        d->size = n / 2;
        return n >= 2 && n % 2 == 0 && n <= (size_t)2 * HASH_MAX;
    }
    if (rest->n == 0 || rest->p[0] != '-')
        return true;
    uint64_t bits;
    *rest = str_from(*rest, 1);
    while (n < rest->n && ascii_digit(rest->p[n]))
        n++;
    if (str_uint(str_sub(*rest, 0, n), &bits) < 0 || bits == 0 || bits % 8 || bits > 8 * HASH_MAX)
        return false;
    d->size = (size_t)bits / 8;
    *rest = str_from(*rest, n);
    return true;
}

/* Which sum the tag of a line names. */
static bool digest_tagged(struct digest *d, struct str line)
{
    for (int i = HASH_MD5; i <= HASH_SM3; i++) {
        struct str name = str_z(digest_names[i]), rest = str_from(line, name.n);
        if (!str_starts(line, name) || rest.n == 0 || !strchr(" -(", rest.p[0]))
            continue;
        d->kind = (enum hash_kind)i;
        d->name = digest_names[i];
        d->size = hash_size(d->kind);
        return true;
    }
    return false;
}

static bool digest_unescape(struct digest *d, struct str *name)
{
    char *to = arena_alloc(d->p->arena, name->n + 1);
    size_t n = 0;
    for (size_t i = 0; to && i < name->n; i++) {
        char c = name->p[i];
        if (c == '\\' && ++i < name->n)
            c = name->p[i] == 'n' ? '\n' : name->p[i] == 'r' ? '\r' : name->p[i];
        to[n++] = c;
    }
    *name = str_of(to, n);
    return to != NULL;
}

/* "sum  name", "sum *name" or "MD5 (name) = sum". */
static bool digest_split(struct digest *d, struct str line, struct str *sum, struct str *name)
{
    bool escaped = line.n && line.p[0] == '\\';
    while (line.n && (line.p[0] == ' ' || line.p[0] == '\t'))
        line = str_from(line, 1);
    if (escaped)
        line = str_from(line, 1);
    if (d->any && !digest_tagged(d, line))
        return false;
    bool blake = d->kind == HASH_BLAKE2B;
    size_t tag = strlen(d->name);
    if (str_starts(line, str_z(d->name)) && line.n > tag + 2) {
        struct str rest = str_from(line, tag);
        if (blake && !digest_measure(d, &rest, true))
            return false;
        if (rest.n && rest.p[0] == ' ')
            rest = str_from(rest, 1);
        ptrdiff_t close = str_rchr(rest, ')');
        if (rest.n && rest.p[0] == '(' && close > 0) {
            *name = str_sub(rest, 1, (size_t)close - 1);
            struct str tail = str_trim(str_from(rest, (size_t)close + 1));
            if (tail.n == 0 || tail.p[0] != '=')
                return false;
            *sum = str_trim(str_from(tail, 1));
            return digest_hex(d, *sum) && (!escaped || digest_unescape(d, name));
        }
    }
    if (blake && !digest_measure(d, &line, false))
        return false;
    size_t want = 2 * d->size;
    if (line.n < want + 2)
        return false;
    *sum = str_sub(line, 0, want);
    *name = str_from(line, want);
    if (!digest_hex(d, *sum) || (name->p[0] != ' ' && name->p[0] != '\t'))
        return false;
    *name = str_from(*name, 1);
    if (name->n > 1 && (name->p[0] == ' ' || name->p[0] == '*'))
        *name = str_from(*name, 1);
    return (!escaped || digest_unescape(d, name)) && name->n > 0;
}

struct digest_tally {
    uint64_t good, bad_form, unread, failed, lines;
    bool any;
};

/* Here a name is escaped only when it goes over several lines. */
static void digest_told(struct digest *d, struct str name, const char *verdict)
{
    bool lines = str_chr(name, '\n') >= 0;
    if (lines)
        out_putc(&d->out, '\\');
    digest_name(&d->out, name, lines);
    out_printf(&d->out, ": %s\n", verdict);
}

static void digest_check_line(struct digest *d, struct str file, struct str line, uint64_t number,
                              struct digest_tally *t)
{
    struct str sum, name;
    char hex[2 * HASH_MAX + 1];

    if (!digest_split(d, line, &sum, &name)) {
        t->bad_form++;
        if (d->warn)
            proc_warn(d->p, "%s: %llu: improperly formatted %s checksum line",
                      proc_quotef(d->p, file), (unsigned long long)number, d->name);
        return;
    }
    t->lines++;
    int err = digest_file(d, name, hex);
    if (err < 0) {
        if (d->ignore_missing && err == HOB_ENOENT)
            return;
        t->unread++;
        proc_warn_file(d->p, name, err);
        if (!d->status_only)
            digest_told(d, name, "FAILED open or read");
        return;
    }
    bool same = true;
    for (size_t i = 0; i < sum.n; i++)
        same &= ascii_to_lower(sum.p[i]) == hex[i];
    t->good += same;
    t->failed += !same;
    t->any = true;
    if (!d->status_only && (!same || !d->quiet))
        digest_told(d, name, same ? "OK" : "FAILED");
}

static int digest_verdict(struct digest *d, struct str file, const struct digest_tally *t)
{
    struct proc *p = d->p;
    if (t->lines == 0) {
        proc_warn(p, "%s: no properly formatted checksum lines found", proc_quotef(p, file));
        return 1;
    }
    out_flush(&d->out);
    if (!d->status_only) {
        const uint64_t n[] = {t->bad_form, t->unread, t->failed};
        static const char *const one[] = {"line is improperly formatted",
                                          "listed file could not be read",
                                          "computed checksum did NOT match"};
        static const char *const many[] = {"lines are improperly formatted",
                                           "listed files could not be read",
                                           "computed checksums did NOT match"};
        for (int i = 0; i < 3; i++) {
            if (n[i])
                proc_warn(p, "WARNING: %llu %s", (unsigned long long)n[i],
                          n[i] == 1 ? one[i] : many[i]);
        }
        if (d->ignore_missing && !t->any)
            proc_warn(p, "%s: no file was verified", proc_quotef(p, file));
    }
    bool ok = t->unread == 0 && t->failed == 0 && (t->any || !d->ignore_missing) &&
              !(d->strict && t->bad_form);
    return !ok;
}

static int digest_check(struct digest *d, struct str file)
{
    struct digest_tally t = {0};
    struct in in;
    struct str line;
    bool had;
    int err = in_open(&in, d->p, file);

    if (err < 0)
        return 1;
    for (uint64_t number = 1; in_line(&in, '\n', &line, &had); number++) {
        struct arena_mark mark = arena_mark(d->p->arena);
        if (line.n && line.p[line.n - 1] == '\r')
            line.n--;
        if (line.n && line.p[0] != '#')
            digest_check_line(d, str_eqz(file, "-") ? STR("standard input") : file, line, number,
                              &t);
        arena_release(d->p->arena, mark);
    }
    err = in.err;
    in_fini(&in);
    if (err < 0) {
        proc_warn(d->p, "%s: read error: %s", proc_quotef(d->p, file), error_text(err));
        return 1;
    }
    return digest_verdict(d, str_eqz(file, "-") ? STR("standard input") : file, &t);
}

/* ---- run ------------------------------------------------------------------------------------ */

static int digest_misuse(struct proc *p, const char *text)
{
    proc_warn(p, "%s", text);
    return proc_usage(p);
}

int digest_conflicts(struct proc *p, const struct digest *d)
{
    if (d->tag && d->mode == 't')
        return digest_misuse(p, "--tag does not support --text mode");
    if (d->zero && d->check)
        return digest_misuse(p, "the --zero option is not supported when verifying checksums");
    if (d->tag && d->check)
        return digest_misuse(p, "the --tag option is meaningless when verifying checksums");
    if (d->check && d->mode)
        return digest_misuse(p, "the --binary and --text options are meaningless when verifying "
                                "checksums");
    if (d->check)
        return 0;
    const bool set[] = {d->ignore_missing, d->status_only, d->warn, d->quiet, d->strict};
    static const char *const names[] = {"ignore-missing", "status", "warn", "quiet", "strict"};
    for (size_t i = 0; i < COUNT(set); i++) {
        if (set[i]) {
            proc_warn(p, "the --%s option is meaningful only when verifying checksums", names[i]);
            return proc_usage(p);
        }
    }
    return 0;
}

int digest_files(struct proc *p, struct digest *d)
{
    static const struct str only = STR_INIT("-");
    int status = 0, n = p->argc ? p->argc : 1;

    d->p = p;
    out_init(&d->out, p, 1);
    for (int i = 0; i < n && status >= 0; i++) {
        struct str name = p->argc ? p->argv[i] : only;
        int r = d->check ? digest_check(d, name) : digest_print(d, name);
        status = r < 0 ? r : status | r;
    }
    return command_close(p, &d->out, status);
}

static int digest_run(struct proc *p, void *args)
{
    static const char *const tools[] = {"md5sum",    "sha1sum",   "sha224sum", "sha256sum",
                                        "sha384sum", "sha512sum", "b2sum"};
    struct digest *d = args;
    const char *me = ((const struct command *)p->command)->name;
    int status = digest_conflicts(p, d);

    if (status)
        return status;
    for (size_t i = 0; i < COUNT(tools); i++) {
        if (strcmp(me, tools[i]) == 0) {
            d->kind = (enum hash_kind)i;
            d->name = digest_names[i];
            d->size = d->length ? (size_t)d->length / 8 : hash_size(d->kind);
        }
    }
    return digest_files(p, d);
}

#define DIGEST_COMMAND(n, what, table)                                                             \
    {                                                                                              \
        .name = n, .usage = "[OPTION]... [FILE]...",                                               \
        .summary = "Print or check " what " checksums.",                                           \
        .notes = "Without FILE, or when FILE is -, standard input is read.", .opts = table,        \
        .args_size = sizeof(struct digest), .usage_status = 1, .run = digest_run,                  \
    }
const struct command cmd_md5sum = DIGEST_COMMAND("md5sum", "MD5 (128-bit)", digest_opts);
const struct command cmd_sha1sum = DIGEST_COMMAND("sha1sum", "SHA1 (160-bit)", digest_opts);
const struct command cmd_sha224sum = DIGEST_COMMAND("sha224sum", "SHA224 (224-bit)", digest_opts);
const struct command cmd_sha256sum = DIGEST_COMMAND("sha256sum", "SHA256 (256-bit)", digest_opts);
const struct command cmd_sha384sum = DIGEST_COMMAND("sha384sum", "SHA384 (384-bit)", digest_opts);
const struct command cmd_sha512sum = DIGEST_COMMAND("sha512sum", "SHA512 (512-bit)", digest_opts);
const struct command cmd_b2sum = DIGEST_COMMAND("b2sum", "BLAKE2b (512-bit)", digest_b2_opts);
#undef DIGEST_COMMAND
