/* curl_cond.c -- what a request depends on: -z, --etag-compare and --etag-save, --digest */
#include "base/utf8.h"
#include "commands/curl/curl.h"
#include "commands/lib/getdate.h"
#include "text/hash.h"

/* ---- dates and tags -------------------------------------------------------------------------- */

/* -z DATE: a date, or the time of a file. With - in front what is older is wanted, with = what has
 * that very date. */
int curl_time_condition(struct curl *c)
{
    struct str s = c->time_cond;
    struct stat_info st;
    int64_t t, now = sched_now(&c->p->kernel->sched);
    struct date d;
    struct buf b;

    if (!s.p)
        return 0;
    c->cond_name = STR("If-Modified-Since");
    if (s.n && (s.p[0] == '-' || s.p[0] == '=' || s.p[0] == '+')) {
        c->cond_name = s.p[0] == '-'   ? STR("If-Unmodified-Since")
                       : s.p[0] == '=' ? STR("Last-Modified")
                                       : c->cond_name;
        s = str_from(s, 1);
    }
    /* Years come first only without dashes there. */
    bool dashes = s.n > 4 && ascii_digit(s.p[3]) && s.p[4] == '-';
    if (dashes || getdate_parse(s, now, &date_utc, &t) < 0) {
        if (vfs_stat(c->p, s, 0, &st) < 0) {
            curl_warn(c, "Illegal date format for -z, --time-cond (and not a file name).");
            curl_warn(c, "Disabling time condition. See curl_getdate(3) for valid date syntax.");
            c->cond_name = STR_NONE;
            return 0;
        }
        t = st.mtime;
    }
    c->cond_time = t / 1000000000;
    if (date_from_epoch(c->cond_time, 0, &date_utc, &d) < 0)
        return CURL_BAD_OPTION;
    buf_init(&b, &c->p->kernel->heap);
    date_format(&b, STR("%a, %d %b %Y %H:%M:%S GMT"), &d, c->cond_time, false);
    c->cond_value = arena_str(c->p->arena, buf_get(&b));
    buf_fini(&b);
    return c->cond_value.p ? 0 : CURL_OUT_OF_MEMORY;
}

/* Whether the answer is not what -z asks for, by its own date: then its body is left alone. */
bool curl_time_unmet(const struct curl_transfer *t)
{
    const struct curl *c = t->c;
    struct str date;
    int64_t at;

    if (!c->cond_name.p || t->status != 200 || !curl_header(t->head, STR("Last-Modified"), &date) ||
        getdate_parse(date, 0, &date_utc, &at) < 0)
        return false;
    at /= 1000000000;
    if (str_eqz(c->cond_name, "If-Modified-Since"))
        return at <= c->cond_time;
    return str_eqz(c->cond_name, "If-Unmodified-Since") && at >= c->cond_time;
}

/* --etag-compare: the tag that the file has, "" when it has none. 0, or an exit status. */
int curl_etag_load(struct curl *c)
{
    struct buf b;

    if (!c->etag_compare.p)
        return 0;
    buf_init(&b, &c->p->kernel->heap);
    int r = curl_slurp(c, c->etag_compare, &b);
    struct str text = buf_get(&b);
    ptrdiff_t end = str_chr(text, '\n');
    text = str_trim(end < 0 ? text : str_sub(text, 0, (size_t)end));
    c->etag = text.n ? arena_str(c->p->arena, text) : STR("\"\"");
    buf_fini(&b);
    if (r < 0)
        curl_warn(c, "Failed to open %.*s", STR_ARG(c->etag_compare));
    return r < 0 ? CURL_READ_ERROR : c->etag.p ? 0 : CURL_OUT_OF_MEMORY;
}

/* --etag-save: the tag of the answer, in a line. */
int curl_etag_keep(struct curl_transfer *t)
{
    struct curl *c = t->c;
    struct str tag;
    struct file *f;

    if (!c->etag_save.p)
        return 0;
    tag = curl_header(t->head, STR("ETag"), &tag) ? curl_join(c, tag, STR("\n")) : STR("");
    if (!tag.p)
        return CURL_OUT_OF_MEMORY;
    if (str_eqz(c->etag_save, "-")) {
        out_str(&c->out, tag);
        return 0;
    }
    if (vfs_open(c->p, c->etag_save, FILE_WRITE | FILE_CREATE | FILE_TRUNC, 0666, &f) < 0)
        return CURL_WRITE_ERROR;
    int r = file_write(f, c->p, tag.p, tag.n);
    file_unref(f);
    return r < 0 ? CURL_WRITE_ERROR : 0;
}

/* ---- digest authentication (RFC 7616) -------------------------------------------------------- */

/* A value of "Digest realm="x", nonce=y": without its quotes. */
static struct str curl_digest_value(struct str list, const char *name)
{
    while (list.n) {
        while (list.n && (list.p[0] == ' ' || list.p[0] == ','))
            list = str_from(list, 1);
        ptrdiff_t eq = str_chr(list, '=');
        if (eq < 0)
            break;
        struct str key = str_sub(list, 0, (size_t)eq), value;
        list = str_from(list, (size_t)eq + 1);
        if (list.n && list.p[0] == '"') {
            ptrdiff_t end = str_chr(str_from(list, 1), '"');
            value = str_sub(list, 1, end < 0 ? list.n : (size_t)end);
            list = str_from(list, value.n + 2);
        } else {
            ptrdiff_t end = str_chr(list, ',');
            value = end < 0 ? list : str_sub(list, 0, (size_t)end);
            list = str_from(list, value.n);
        }
        if (curl_same(str_trim(key), str_z(name)))
            return value;
    }
    return STR("");
}

/* The sum of texts with colons between them, in hexadecimal digits. */
static void curl_digest_sum(enum hash_kind kind, const struct str *parts, size_t n,
                            char out[2 * HASH_MAX + 1])
{
    unsigned char sum[HASH_MAX];
    struct hash h;

    hash_init(&h, kind);
    for (size_t i = 0; i < n; i++) {
        if (i)
            hash_add(&h, ":", 1);
        hash_add(&h, parts[i].p, parts[i].n);
    }
    size_t len = hash_end(&h, sum);
    for (size_t i = 0; i < len; i++) {
        out[2 * i] = "0123456789abcdef"[sum[i] >> 4];
        out[2 * i + 1] = "0123456789abcdef"[sum[i] & 15];
    }
    out[2 * len] = '\0';
}

bool curl_digest_answer(struct curl_transfer *t, const struct url *u, struct str method)
{
    struct curl *c = t->c;
    struct str ask, kind_name;
    char one[2 * HASH_MAX + 1], two[2 * HASH_MAX + 1], all[2 * HASH_MAX + 1];

    if (!curl_header(t->head, STR("WWW-Authenticate"), &ask) || ask.n < 7 ||
        !curl_same(str_sub(ask, 0, 7), STR("Digest ")))
        return false;
    ask = str_from(ask, 7);
    struct str realm = curl_digest_value(ask, "realm"), nonce = curl_digest_value(ask, "nonce");
    struct str opaque = curl_digest_value(ask, "opaque"), qop = curl_digest_value(ask, "qop");
    kind_name = curl_digest_value(ask, "algorithm");
    bool session = kind_name.n > 5 && curl_same(str_from(kind_name, kind_name.n - 5), STR("-sess"));
    struct str base = str_sub(kind_name, 0, kind_name.n - (session ? 5 : 0));
    enum hash_kind kind = curl_same(base, STR("SHA-256")) ? HASH_SHA256 : HASH_MD5;
    if (base.n && kind == HASH_MD5 && !curl_same(base, STR("MD5")))
        return false;
    ptrdiff_t colon = str_chr(c->user, ':');
    struct str user = colon < 0 ? c->user : str_sub(c->user, 0, (size_t)colon);
    struct str password = colon < 0 ? STR("") : str_from(c->user, (size_t)colon + 1);
    struct str uri =
        u->has_query ? arena_printf(c->p->arena, "%.*s?%.*s", STR_ARG(u->path), STR_ARG(u->query))
                     : u->path;
    struct str cnonce = arena_printf(c->p->arena, "%016llx%016llx",
                                     (unsigned long long)random_next(&c->p->kernel->random),
                                     (unsigned long long)random_next(&c->p->kernel->random));
    if (!uri.p || !cnonce.p)
        return false;
    curl_digest_sum(kind, (struct str[]){user, realm, password}, 3, one);
    if (session)
        curl_digest_sum(kind, (struct str[]){str_z(one), nonce, cnonce}, 3, two),
            memcpy(one, two, sizeof one);
    curl_digest_sum(kind, (struct str[]){method, uri}, 2, two);
    if (qop.n)
        curl_digest_sum(
            kind,
            (struct str[]){str_z(one), nonce, STR("00000001"), cnonce, STR("auth"), str_z(two)}, 6,
            all);
    else
        curl_digest_sum(kind, (struct str[]){str_z(one), nonce, str_z(two)}, 3, all);
    struct buf b;
    buf_init(&b, &c->p->kernel->heap);
    buf_printf(&b, "Digest username=\"%.*s\", realm=\"%.*s\", nonce=\"%.*s\", uri=\"%.*s\"",
               STR_ARG(user), STR_ARG(realm), STR_ARG(nonce), STR_ARG(uri));
    if (qop.n)
        buf_printf(&b, ", cnonce=\"%.*s\", nc=00000001, qop=auth", STR_ARG(cnonce));
    buf_printf(&b, ", response=\"%s\"", all);
    if (opaque.n)
        buf_printf(&b, ", opaque=\"%.*s\"", STR_ARG(opaque));
    if (kind_name.n)
        buf_printf(&b, ", algorithm=%.*s", STR_ARG(kind_name));
    t->digest = arena_str(c->p->arena, buf_get(&b));
    buf_fini(&b);
    return t->digest.p != NULL;
}
