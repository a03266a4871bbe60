/* awk_field.c -- the record and its fields
 *
 * Fields are found when somebody asks, and only as many as are asked for. A field is a view of the
 * record until something is assigned to it; then the record is stale, and is put together again
 * when somebody asks for $0.
 */
#include "commands/awk/awk.h"

#include <math.h>

#include "base/utf8.h"

/* The bytes of a field that is not there, or that nobody has filled. */
const char awk_nothing[1] = "";

/* ---- the record ------------------------------------------------------------------------------ */

void awk_settle(struct awk *a)
{
    for (struct awk_val *v = a->stack; v < a->sp; v++) {
        if (v->kind == AWK_SLICE)
            awk_own(a, v);
    }
}

static void awk_fields_reset(struct awk *a)
{
    if (UNLIKELY(a->owned)) {
        for (size_t i = 1; i <= a->nparsed; i++)
            awk_drop(a, &a->field[i].own);
        a->owned = false;
    }
    a->nparsed = 0;
    a->parse_at = 0;
    a->split_done = false;
    a->stale = false;
    a->rec_kind = 0;
    a->field[0] = (struct awk_field){.p = a->rec, .n = a->rec_n};
}

void awk_record_lend(struct awk *a, const char *p, size_t n)
{
    if (a->sp != a->stack)
        awk_settle(a);
    if (a->rec_s)
        awk_str_unref(a, a->rec_s);
    a->rec_s = NULL;
    a->rec = n ? p : "";
    a->rec_n = n;
    awk_fields_reset(a);
}

void awk_record_set(struct awk *a, struct awk_str *s)
{
    awk_record_lend(a, s->p, s->n);
    a->rec = s->p;
    a->field[0].p = s->p;
    a->rec_s = s;
}

/* The same bytes elsewhere: fields that are views follow. */
static void awk_record_move(struct awk *a, struct awk_str *s)
{
    for (size_t i = 0; i <= a->nparsed; i++) {
        struct awk_field *f = &a->field[i];
        if (f->own.kind == AWK_UNSET && f->n)
            f->p = s->p + (f->p - a->rec);
    }
    a->field[0].p = s->p;
    if (a->rec_s)
        awk_str_unref(a, a->rec_s);
    a->rec = s->p;
    a->rec_s = s;
}

bool awk_record_own(struct awk *a)
{
    if (a->rec_s)
        return true;
    if (a->sp != a->stack) {
        for (struct awk_val *v = a->stack; v < a->sp; v++) {
            if (v->kind != AWK_SLICE)
                continue;
            v->u.s = awk_str_new(a, v->u.p, v->n);
            v->kind = AWK_INPUT;
        }
    }
    struct awk_str *s = awk_str_new(a, a->rec, a->rec_n);
    if (s->n != a->rec_n) { /* out of memory: an empty record is a safe one */
        awk_str_unref(a, s);
        awk_record_lend(a, "", 0);
        return false;
    }
    awk_record_move(a, s);
    return true;
}

/* What was assigned to $0 keeps its type: only what was read may turn out to be a number. */
static void awk_record_kind(struct awk *a, int kind)
{
    a->rec_kind = (uint8_t)kind;
    a->field[0].own.kind = kind ? AWK_REF : AWK_UNSET; /* reading $0 goes the long way */
}

/* Puts $0 together from its fields. The fields become views of it. */
static void awk_record_build(struct awk *a)
{
    char tmp[AWK_TMP];
    struct buf *b = &a->scratch;
    size_t nf = a->nparsed;

    awk_settle(a);
    buf_clear(b);
    for (size_t i = 1; i <= nf; i++) {
        struct awk_field *f = &a->field[i];
        struct str s = f->own.kind ? awk_text(a, &f->own, tmp) : str_of(f->p, f->n);
        if (i > 1)
            buf_str(b, awk_str_get(a->ofs));
        f->n = b->n; /* for now: where it begins */
        buf_str(b, s);
    }
    size_t total = b->n;
    struct awk_str *s = awk_str_new(a, b->p, b->n);
    if (s->n != total)
        a->err = HOB_ENOMEM;
    for (size_t i = 1; i <= nf; i++) {
        struct awk_field *f = &a->field[i];
        size_t at = MIN(f->n, s->n);
        size_t end = i < nf ? MIN(a->field[i + 1].n - a->ofs->n, s->n) : s->n;
        if (f->p != awk_nothing || f->own.kind)
            f->p = s->p + at;
        f->n = end >= at ? end - at : 0;
    }
    if (a->rec_s)
        awk_str_unref(a, a->rec_s);
    a->rec_s = s;
    a->rec = s->p;
    a->rec_n = s->n;
    a->field[0] = (struct awk_field){.p = s->p, .n = s->n};
    a->stale = false;
    awk_record_kind(a, AWK_STR);
}

struct str awk_record(struct awk *a)
{
    if (UNLIKELY(a->stale))
        awk_record_build(a);
    return str_of(a->rec, a->rec_n);
}

struct awk_str *awk_record_str(struct awk *a)
{
    awk_record(a);
    awk_record_own(a);
    return a->rec_s ? a->rec_s : a->empty;
}

/* ---- finding fields -------------------------------------------------------------------------- */

static bool awk_field_room(struct awk *a, size_t i)
{
    if (LIKELY(i < a->field_cap))
        return true;
    size_t cap = MAX(MAX(a->field_cap * 2, i + 1), (size_t)64);
    if (i > (size_t)INT32_MAX || cap > SIZE_MAX / sizeof *a->field) {
        awk_nomem(a);
        return false;
    }
    struct awk_field *f =
        heap_realloc(a->heap, a->field, a->field_cap * sizeof *f, cap * sizeof *f);
    if (!f) {
        awk_nomem(a);
        return false;
    }
    a->field = f;
    a->field_cap = cap;
    return true;
}

static bool awk_field_add(struct awk *a, const char *p, size_t n)
{
    if (!awk_field_room(a, a->nparsed + 1))
        return false;
    a->field[++a->nparsed] = (struct awk_field){.p = p, .n = n};
    return true;
}

static bool awk_blank(char c)
{
    return (unsigned char)c <= ' ' && (c == ' ' || c == '\t' || c == '\n');
}

/* The first blank at or behind p; end if there is none. Few bytes below a space are none. */
const char *awk_find_blank(const char *p, const char *end)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    const uint64_t ones = UINT64_C(0x0101010101010101), high = ones << 7;

    while (end - p >= 8) {
        uint64_t w, hit;
        memcpy(&w, p, 8);
        hit = (w - ones * (' ' + 1)) & ~w & high;
        if (!hit) {
            p += 8;
            continue;
        }
        p += __builtin_ctzll(hit) >> 3;
        if (LIKELY(awk_blank(*p)))
            return p;
        p++;
    }
#endif
    while (p < end && !awk_blank(*p))
        p++;
    return p;
}

static void awk_parse_blank(struct awk *a, size_t upto)
{
    const char *p = a->rec + a->parse_at, *end = a->rec + a->rec_n;

    while (a->nparsed < upto) {
        while (p < end && awk_blank(*p))
            p++;
        if (p == end) {
            a->split_done = true;
            break;
        }
        const char *from = p;
        p = awk_find_blank(p, end);
        if (!awk_field_add(a, from, (size_t)(p - from)))
            return;
    }
    a->parse_at = (size_t)(p - a->rec);
}

/* The first byte c at or behind p; end if there is none. Fields are short: words of eight bytes
 * beat a call of memchr(). */
static const char *awk_find_byte(const char *p, const char *end, char c)
{
    const uint64_t ones = UINT64_C(0x0101010101010101), high = ones << 7;
    uint64_t pattern = ones * (unsigned char)c;

    while (end - p >= 8) {
        uint64_t w;
        memcpy(&w, p, 8);
        w ^= pattern;
        uint64_t hit = (w - ones) & ~w & high;
        if (hit) {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
            return p + (__builtin_ctzll(hit) >> 3);
#else
            break;
#endif
        }
        p += 8;
    }
    while (p < end && *p != c)
        p++;
    return p;
}

static void awk_parse_char(struct awk *a, size_t upto)
{
    const char *p = a->rec + a->parse_at, *end = a->rec + a->rec_n;
    char c = a->fs_char;
    bool lines = a->rs == AWK_RS_PARAGRAPH && c != '\n';

    if (a->rec_n == 0) {
        a->split_done = true;
        return;
    }
    while (a->nparsed < upto) {
        const char *stop = awk_find_byte(p, end, c);
        if (UNLIKELY(lines))
            stop = awk_find_byte(p, stop, '\n');
        if (!awk_field_add(a, p, (size_t)(stop - p)))
            return;
        if (stop == end) {
            a->split_done = true;
            break;
        }
        p = stop + 1;
    }
    a->parse_at = (size_t)(p - a->rec);
}

static void awk_parse_widths(struct awk *a)
{
    struct str s = str_of(a->rec, a->rec_n);
    size_t at = 0;

    for (size_t i = 0; i < a->widths.n && at < s.n; i++) {
        struct awk_width *w = &a->widths.p[i];
        at += a->bytes ? MIN(w->skip, s.n - at) : utf8_offset(str_from(s, at), w->skip);
        if (at >= s.n)
            break;
        struct str rest = str_from(s, at);
        size_t n = w->width == SIZE_MAX ? rest.n
                   : a->bytes           ? MIN(w->width, rest.n)
                                        : utf8_offset(rest, w->width);
        if (!awk_field_add(a, rest.p, n))
            return;
        at += n;
    }
    a->split_done = true;
}

bool awk_parse_fields(struct awk *a, size_t upto)
{
    if (a->split_done)
        return upto <= a->nparsed;
    if (a->fs == AWK_FS_SPACE) {
        awk_parse_blank(a, upto);
    } else if (a->fs == AWK_FS_CHAR) {
        awk_parse_char(a, upto);
    } else if (a->fs == AWK_FS_WIDTHS) {
        awk_parse_widths(a);
    } else {
        struct awk_splitter sp = awk_splitter_record(a);
        struct str field, sep;
        while (awk_splitter_next(a, &sp, &field, &sep)) {
            if (!awk_field_add(a, field.p, field.n))
                return false;
        }
        a->split_done = true;
    }
    return upto <= a->nparsed;
}

size_t awk_nf(struct awk *a)
{
    if (!a->split_done)
        awk_parse_fields(a, SIZE_MAX);
    return a->nparsed;
}

/* ---- values ---------------------------------------------------------------------------------- */

struct awk_val awk_field_get(struct awk *a, double d)
{
    if (!(d >= 0) || d > INT32_MAX) {
        char tmp[AWK_TMP];
        size_t n = awk_format_num(a, trunc(d), NULL, true, tmp);
        awk_fatal(a, "attempt to access field %.*s", (int)n, tmp);
        return (struct awk_val){0};
    }
    size_t i = (size_t)d;
    if (i == 0 && a->stale)
        awk_record_build(a);
    if (i > a->nparsed && (a->split_done || !awk_parse_fields(a, i)))
        return awk_no_field();
    struct awk_field *f = &a->field[i];
    if (i == 0 && a->rec_kind == AWK_NUM)
        return awk_number(a->rec_num);
    if (i == 0 && a->rec_kind == AWK_REF)
        return awk_no_field();
    if (i == 0 && a->rec_kind && awk_record_own(a))
        return awk_text_val(awk_str_ref(a->rec_s));
    if (i && f->own.kind)
        return awk_copy(a, &f->own);
    struct awk_val v = {.u.p = f->p, .n = (uint32_t)f->n, .kind = AWK_SLICE};
    if (f->n > UINT32_MAX)
        v = awk_input_val(a, str_of(f->p, f->n));
    return v;
}

static void awk_field_stale(struct awk *a)
{
    a->stale = true;
    a->field[0].own.kind = AWK_REF; /* a mark: reading $0 goes the long way */
}

void awk_set_nf(struct awk *a, double d)
{
    if (d < 0) {
        awk_fatal(a, "NF set to negative value");
        return;
    }
    size_t n = d < INT32_MAX ? (size_t)d : (size_t)INT32_MAX, old = awk_nf(a);

    for (size_t i = n + 1; i <= old; i++)
        awk_drop(a, &a->field[i].own);
    if (n < old)
        a->nparsed = n;
    while (a->nparsed < n && awk_field_add(a, awk_nothing, 0)) {
        if ((a->nparsed & 1023) == 0 && proc_tick(a->p, 1) < 0) {
            a->err = HOB_EKILLED;
            break;
        }
    }
    awk_field_stale(a);
}

void awk_field_reach(struct awk *a, double n)
{
    size_t nf = awk_nf(a);

    if (n >= 0 && n <= INT32_MAX && n > (double)nf) {
        while (a->nparsed < (size_t)n && awk_field_add(a, awk_nothing, 0))
            continue;
    }
}

void awk_field_set(struct awk *a, double d, struct awk_val v)
{
    if (!(d >= 0) || d > INT32_MAX) {
        char tmp[AWK_TMP];
        size_t n = awk_format_num(a, trunc(d), NULL, true, tmp);
        awk_fatal(a, "attempt to access field %.*s", (int)n, tmp);
        awk_drop(a, &v);
        return;
    }
    size_t i = (size_t)d;
    if (i == 0) {
        awk_own(a, &v);
        double num = v.kind == AWK_NUM ? v.num : 0;
        int kind = v.kind == AWK_NUM                             ? AWK_NUM
                   : v.kind == AWK_INPUT || v.kind == AWK_STRNUM ? 0
                   : awk_is_unset(&v)                            ? AWK_REF
                                                                 : AWK_STR;
        struct awk_str *s = awk_str_ref(awk_to_str(a, &v));
        awk_record_set(a, s);
        awk_record_kind(a, kind);
        a->rec_num = num;
        awk_drop(a, &v);
        return;
    }
    awk_own(a, &v);
    if (i > awk_nf(a))
        awk_set_nf(a, (double)i);
    if (i > a->nparsed) { /* out of memory */
        awk_drop(a, &v);
        return;
    }
    awk_drop(a, &a->field[i].own);
    if (awk_is_unset(&v))
        v = (struct awk_val){.u.s = awk_str_ref(a->absent), .kind = AWK_STRNUM};
    a->field[i].own = v;
    a->owned = true;
    awk_field_stale(a);
}

void awk_fields_free(struct awk *a)
{
    if (a->owned) {
        for (size_t i = 1; i <= a->nparsed; i++)
            awk_drop(a, &a->field[i].own);
    }
    heap_free(a->heap, a->field, a->field_cap * sizeof *a->field);
    a->field = NULL;
    if (a->rec_s)
        awk_str_unref(a, a->rec_s);
    a->rec_s = NULL;
    vec_fini(a->heap, &a->widths);
}

/* ---- how to split ---------------------------------------------------------------------------- */

/* The record that is there now was read under the old FS. */
static void awk_field_finish(struct awk *a)
{
    if (!a->split_done)
        awk_parse_fields(a, SIZE_MAX);
}

/* PROCINFO["FS"] tells which of the three is in force. */
static void awk_field_told(struct awk *a, const char *name)
{
    struct awk_val *t = awk_special(a, AWK_V_PROCINFO);
    if (t->kind == AWK_ARRAY && a->running)
        awk_array_put(a, t->u.a, STR("FS"), awk_text_val(awk_str_new(a, name, strlen(name))));
}

void awk_field_fs(struct awk *a)
{
    struct str s = awk_str_get(awk_to_str(a, awk_special(a, AWK_V_FS)));

    awk_field_finish(a);
    awk_fs_mode(a, s, &a->fs, &a->fs_char, &a->fs_re);
    if (a->fs == AWK_FS_EACH && a->traditional)
        awk_fs_none(&a->fs, &a->fs_char);
    awk_field_told(a, "FS");
}

static bool awk_width_add(struct awk *a, size_t skip, size_t width)
{
    struct awk_width w = {skip, width};
    if (!vec_push(a->heap, &a->widths, w)) {
        awk_nomem(a);
        return false;
    }
    return true;
}

void awk_field_widths(struct awk *a)
{
    struct str s = awk_str_get(awk_to_str(a, awk_special(a, AWK_V_FIELDWIDTHS)));
    int count = 0;

    awk_field_finish(a);
    a->fs = AWK_FS_WIDTHS;
    awk_field_told(a, "FIELDWIDTHS");
    a->widths.n = 0;
    for (size_t i = 0; i < s.n && !a->err;) {
        size_t v[2] = {0, 0}, n = 0, digits = 0;
        if (awk_blank(s.p[i])) {
            i++;
            continue;
        }
        count++;
        size_t from = i;
        if (s.p[i] == '*' && (i + 1 == s.n || awk_blank(s.p[i + 1]))) {
            awk_width_add(a, 0, SIZE_MAX);
            i++;
            continue;
        }
        for (; i < s.n && !awk_blank(s.p[i]); i++) {
            if (s.p[i] == ':' && n == 0 && digits) {
                n = 1;
                digits = 0;
            } else if (s.p[i] == '*' && n == 1 && !digits) {
                v[1] = SIZE_MAX;
                digits = 1;
            } else if (ascii_digit(s.p[i]) && v[n] < 100000000) {
                v[n] = v[n] * 10 + (size_t)(s.p[i] - '0');
                digits++;
            } else {
                digits = 0;
                break;
            }
        }
        if (!digits || (n == 0 && v[0] == 0)) {
            awk_fatal(a, "invalid FIELDWIDTHS value, for field %d, near `%.*s'", count,
                      (int)(s.n - from), s.p + from);
            return;
        }
        awk_width_add(a, n ? v[0] : 0, n ? v[1] : v[0]);
    }
}

void awk_field_fpat(struct awk *a)
{
    struct str s = awk_str_get(awk_to_str(a, awk_special(a, AWK_V_FPAT)));

    awk_field_finish(a);
    a->fs = AWK_FS_FPAT;
    a->fpat_re = awk_re_text(a, s);
    awk_field_told(a, "FPAT");
}
