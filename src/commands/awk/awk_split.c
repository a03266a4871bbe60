/* awk_split.c -- splitting text: split(), patsplit(), and records with more than a plain FS */
#include "commands/awk/awk.h"

#include "base/utf8.h"

static bool awk_split_blank(char c)
{
    return (unsigned char)c <= ' ' && (c == ' ' || c == '\t' || c == '\n');
}

void awk_fs_mode(struct awk *a, struct str s, enum awk_fs *mode, char *c, struct awk_re **re)
{
    if (s.n == 0) {
        *mode = AWK_FS_EACH;
    } else if (s.n == 1 && s.p[0] == ' ') {
        *mode = AWK_FS_SPACE;
    } else if (s.n == 1) {
        *mode = AWK_FS_CHAR;
        *c = s.p[0];
    } else if (s.n == 2 && s.p[0] == '\\' && s.p[1] == '\\') {
        *mode = AWK_FS_CHAR;
        *c = '\\';
    } else {
        *mode = AWK_FS_REGEX;
        *re = awk_re_text(a, s);
    }
}

/* An empty FS of the time before gawk parts nothing: a NUL is in no text. */
void awk_fs_none(enum awk_fs *mode, char *c)
{
    *mode = AWK_FS_CHAR;
    *c = '\0';
}

struct awk_splitter awk_splitter_record(struct awk *a)
{
    return (struct awk_splitter){.text = str_of(a->rec, a->rec_n),
                                 .mode = a->fs,
                                 .re = a->fs == AWK_FS_FPAT ? a->fpat_re : a->fs_re,
                                 .c = a->fs_char,
                                 .ended = a->rec_n == 0};
}

/* A separator is a match that is not empty. As in gawk each search begins a text of its own, for
 * \< and \B; when there were empty matches and then none, what was passed over is lost; and when RS
 * and FS mean paragraphs of words, blanks in front and a separator at the end make no field. */
static bool awk_split_regex(struct awk *a, struct awk_splitter *s, struct str *field,
                            struct str *sep)
{
    struct regex_match m;
    bool words = a->rs == AWK_RS_PARAGRAPH && a->fs == AWK_FS_SPACE;
    int len = 1;

    while (words && !s->any && s->at < s->text.n && awk_split_blank(s->text.p[s->at]))
        s->at++;
    s->any = true;
    size_t from = s->at, start = s->at;
    while (s->re && from < s->text.n) {
        struct str rest = str_from(s->text, from);
        if (awk_re_match(a, s->re, rest, 0, from ? REGEX_NOTBOL : 0, &m, 1) <= 0)
            break;
        if (m.end > m.start) {
            from += (size_t)m.start;
            *field = str_sub(s->text, start, from - start);
            *sep = str_sub(s->text, from, (size_t)(m.end - m.start));
            s->at = from + sep->n;
            s->ended = words && s->at == s->text.n;
            return true;
        }
        if (m.start == 0)
            utf8_decode(rest.p, rest.n, &len);
        from += m.start ? (size_t)m.start : (size_t)len;
    }
    if (from < s->text.n)
        start = from;
    *field = str_from(s->text, start);
    *sep = STR("");
    s->at = s->text.n;
    s->ended = true;
    return true;
}

/* Fields are what the pattern matches. An empty match counts only where something parts it from
 * the field before. As in gawk the place of each search is a beginning, for ^ and \< too. */
static bool awk_split_fpat(struct awk *a, struct awk_splitter *s, struct str *field,
                           struct str *sep)
{
    struct regex_match m;
    size_t from = s->at;

    if (!s->re || awk_re_match(a, s->re, str_from(s->text, from), 0, 0, &m, 1) <= 0)
        goto none;
    if (s->any && m.end == 0) {
        if (from >= s->text.n)
            goto none;
        int len;
        utf8_decode(s->text.p + from, s->text.n - from, &len);
        from += (size_t)len;
        if (awk_re_match(a, s->re, str_from(s->text, from), 0, 0, &m, 1) <= 0)
            goto none;
    }
    from += (size_t)m.start;
    *sep = str_sub(s->text, s->at, from - s->at);
    *field = str_sub(s->text, from, (size_t)(m.end - m.start));
    s->at = from + field->n;
    s->any = true;
    return true;
none:
    *sep = str_from(s->text, s->at);
    s->ended = true;
    return false;
}

static bool awk_split_char(struct awk_splitter *s, struct str *field, struct str *sep)
{
    struct str rest = str_from(s->text, s->at);
    const char *hit = rest.n ? memchr(rest.p, s->c, rest.n) : NULL;

    *field = hit ? str_of(rest.p, (size_t)(hit - rest.p)) : rest;
    *sep = hit ? str_of(hit, 1) : STR("");
    s->at += field->n + (hit != NULL);
    s->ended = !hit;
    return true;
}

static bool awk_split_space(struct awk_splitter *s, struct str *field, struct str *sep)
{
    const char *p = s->text.p + s->at, *end = s->text.p + s->text.n, *from;

    while (p < end && awk_split_blank(*p))
        p++;
    if (p == end)
        return false;
    from = p;
    p = awk_find_blank(p, end);
    *field = str_of(from, (size_t)(p - from));
    from = p;
    while (p < end && awk_split_blank(*p))
        p++;
    *sep = str_of(from, (size_t)(p - from));
    s->at = (size_t)(p - s->text.p);
    return true;
}

bool awk_splitter_next(struct awk *a, struct awk_splitter *s, struct str *field, struct str *sep)
{
    int len = 1;

    if (s->ended || a->err)
        return false;
    switch (s->mode) {
    case AWK_FS_EACH:
        if (s->at >= s->text.n)
            return false;
        if (!a->bytes)
            utf8_decode(s->text.p + s->at, s->text.n - s->at, &len);
        *field = str_sub(s->text, s->at, (size_t)len);
        *sep = STR("");
        s->at += (size_t)len;
        return true;
    case AWK_FS_CHAR: return awk_split_char(s, field, sep);
    case AWK_FS_SPACE: return awk_split_space(s, field, sep);
    case AWK_FS_FPAT: return awk_split_fpat(a, s, field, sep);
    default: return awk_split_regex(a, s, field, sep);
    }
}

/* ---- split() and patsplit() ------------------------------------------------------------------ */

static void awk_split_put(struct awk *a, struct awk_array *t, size_t i, struct str s)
{
    struct awk_val *e = awk_array_at_int(a, t, (int64_t)i);
    if (e)
        *e = awk_input_val(a, s);
}

static size_t awk_split_run(struct awk *a, struct awk_splitter *s, struct awk_array *to,
                            struct awk_array *seps)
{
    struct str field, sep = STR("");
    size_t n = 0, old = awk_array_refill(a, to);
    bool fpat = s->mode == AWK_FS_FPAT;

    if (seps && s->mode == AWK_FS_SPACE) {
        size_t i = 0;
        while (i < s->text.n && awk_split_blank(s->text.p[i]))
            i++;
        if (i)
            awk_split_put(a, seps, 0, str_sub(s->text, 0, i));
    }
    while (awk_splitter_next(a, s, &field, &sep)) {
        awk_array_append(a, to, old, field);
        n++;
        if (seps && fpat && (sep.n || n > 1))
            awk_split_put(a, seps, n - 1, sep);
        else if (seps && !fpat && sep.n)
            awk_split_put(a, seps, n, sep);
        if ((n & 255) == 0 && !a->err)
            a->err = proc_tick(a->p, 1);
    }
    awk_array_refilled(a, to, old);
    if (seps && fpat && sep.n)
        awk_split_put(a, seps, n, sep);
    /* Between characters there is nothing, but it is there. */
    if (seps && s->mode == AWK_FS_EACH) {
        for (size_t i = 1; i < n; i++)
            awk_split_put(a, seps, i, STR(""));
    }
    return n;
}

size_t awk_split(struct awk *a, struct str s, struct awk_array *to, struct awk_val *fs,
                 struct awk_array *seps)
{
    struct awk_splitter sp = awk_splitter_record(a);
    char tmp[AWK_TMP];

    if (s.n == 0) { /* the separator is not even looked at */
        awk_array_clear(a, to);
        return 0;
    }
    sp.text = s;
    sp.ended = false;
    if (fs && fs->kind == AWK_REGEX) {
        sp.mode = AWK_FS_REGEX;
        sp.re = fs->u.re;
        if (sp.re->text->n == 0)
            sp.mode = AWK_FS_EACH;
    } else {
        struct str text = awk_text(a, fs ? fs : awk_special(a, AWK_V_FS), tmp);
        awk_fs_mode(a, text, &sp.mode, &sp.c, &sp.re);
        if (!fs && sp.mode == AWK_FS_EACH && a->traditional)
            awk_fs_none(&sp.mode, &sp.c);
    }
    a->split_re = sp.re;
    size_t n = awk_split_run(a, &sp, to, seps);
    a->split_re = NULL;
    return n;
}

size_t awk_patsplit(struct awk *a, struct str s, struct awk_array *to, struct awk_re *re,
                    struct awk_array *seps)
{
    struct awk_splitter sp = {.text = s, .mode = AWK_FS_FPAT, .re = re, .ended = s.n == 0};

    a->split_re = re;
    size_t n = awk_split_run(a, &sp, to, seps);
    a->split_re = NULL;
    return n;
}
