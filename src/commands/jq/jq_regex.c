/* jq_regex.c -- test, match and what is built on them */
#include "base/utf8.h"
#include "commands/jq/jq.h"
#include "text/pcre.h"

enum {
    JQ_CACHED = 8 /* patterns kept */
};

struct jq_cache {
    struct jq_cached {
        struct jq_val pattern;
        unsigned flags;
        struct pcre *re;
    } rows[JQ_CACHED];
    unsigned next;
};

void jq_regex_fini(struct jq *j)
{
    if (!j->regexes)
        return;
    for (int i = 0; i < JQ_CACHED; i++) {
        jq_drop(j, j->regexes->rows[i].pattern);
        pcre_free(j->regexes->rows[i].re);
    }
    heap_drop(j->heap, j->regexes);
    j->regexes = NULL;
}

/* jq's own words for the mistakes that are made most. */
static const char *jq_regex_words(int code, const char *other)
{
    switch (code) {
    case 101: return "end pattern at escape";
    case 106: return "premature end of char-class";
    case 108: return "empty range in char class";
    case 109: return "target of repeat operator is not specified";
    case 114: return "end pattern with unmatched parenthesis";
    case 122: return "unmatched close parenthesis";
    default: return other;
    }
}

/* The compiled pattern, from the cache or new; NULL after an error. */
static struct pcre *jq_regex(struct jq *j, struct jq_val pattern, unsigned flags)
{
    struct hob_error err = {0};
    int code = 0;

    if (!j->regexes && !(j->regexes = heap_new(j->heap, struct jq_cache)))
        return NULL;
    for (int i = 0; i < JQ_CACHED; i++) {
        struct jq_cached *c = &j->regexes->rows[i];
        if (c->re && c->flags == flags && str_eq(jq_text(c->pattern), jq_text(pattern)))
            return c->re;
    }
    struct jq_cached *c = &j->regexes->rows[j->regexes->next++ % JQ_CACHED];
    jq_drop(j, c->pattern);
    pcre_free(c->re);
    *c = (struct jq_cached){.pattern = jq_none()};
    int e = pcre_compile(&c->re, j->heap, jq_text(pattern),
                         flags | PCRE_UTF | PCRE_UCP | PCRE_DUPNAMES, &code, &err);
    if (e < 0) {
        if (e != HOB_ENOMEM)
            jq_fail(j, "%.*s%s", e == HOB_ENOSYS ? 0 : 15,
                    "Regex failure: ", jq_regex_words(code, err.msg));
        return NULL;
    }
    c->pattern = jq_copy(pattern);
    c->flags = flags;
    return c->re;
}

/* The letters of the modifiers. False after an error. */
static bool jq_regex_flags(struct jq *j, struct jq_val mode, unsigned *flags, bool *global,
                           bool *no_empty)
{
    *flags = 0;
    *global = *no_empty = false;
    if (mode.kind == JQ_NULL)
        return true;
    if (mode.kind != JQ_STRING) {
        jq_fail1(j, jq_copy(mode), "is not a string");
        return false;
    }
    for (uint32_t i = 0; i < mode.str->n; i++) {
        switch (mode.str->data[i]) {
        case 'g': *global = true; break;
        case 'i': *flags |= PCRE_ICASE; break;
        case 'x': *flags |= PCRE_EXTENDED; break;
        case 'n': *no_empty = true; break;
        case 'p': *flags |= PCRE_DOTALL; break;
        case 's':
        case 'l': break;
        default: jq_fail(j, "%s is not a valid modifier string", mode.str->data); return false;
        }
    }
    return true;
}

/* Characters before a byte of the text, counted on from where the last one was. */
struct jq_counter {
    struct str text;
    size_t byte, chars;
};

static double jq_count_to(struct jq_counter *c, size_t byte)
{
    if (byte < c->byte)
        c->byte = c->chars = 0;
    c->chars += utf8_count(str_sub(c->text, c->byte, byte - c->byte));
    c->byte = byte;
    return (double)c->chars;
}

/* {offset, length, string} of a group; `name` is added for those that are no whole match. */
static struct jq_val jq_group_value(struct jq *j, struct jq_counter *c, const size_t *span,
                                    bool whole, struct str name)
{
    struct jq_val o = jq_object(j, 4);
    if (span[0] == PCRE_UNSET) {
        jq_putz(j, &o, "offset", jq_number(-1));
        jq_putz(j, &o, "string", jq_null());
        jq_putz(j, &o, "length", jq_number(0));
    } else {
        struct str s = str_sub(c->text, span[0], span[1] - span[0]);
        jq_putz(j, &o, "offset", jq_number(jq_count_to(c, span[0])));
        jq_putz(j, &o, "length", jq_number((double)utf8_count(s)));
        jq_putz(j, &o, "string", jq_string(j, s));
    }
    if (!whole)
        jq_putz(j, &o, "name", name.p ? jq_string(j, name) : jq_null());
    return o;
}

static struct jq_val jq_match_value(struct jq *j, struct jq_counter *c, struct pcre *re,
                                    const size_t *spans)
{
    struct jq_val o = jq_group_value(j, c, spans, true, STR_NONE);
    struct jq_val captures = jq_array(j, pcre_groups(re));
    for (size_t i = 1; i <= pcre_groups(re); i++)
        jq_push(j, &captures, jq_group_value(j, c, spans + 2 * i, false, pcre_name(re, i)));
    jq_putz(j, &o, "captures", captures);
    return o;
}

/* All matches of re in text, or the first one; with `test` only whether there is one. */
static struct jq_val jq_matches(struct jq *j, struct pcre *re, struct str text, bool global,
                                bool no_empty, bool test)
{
    size_t n = pcre_groups(re) + 1, from = 0;
    size_t *spans = heap_alloc(j->heap, 2 * n * sizeof *spans);
    struct jq_counter c = {.text = text};
    struct jq_val out = test ? jq_bool(false) : jq_array(j, 0);

    while (spans && out.kind && from <= text.n) {
        int r = pcre_match(re, text, from, false, false, spans, n);
        if (r < 0 && r != HOB_ENOMEM)
            jq_fail(j, "Regex failure: %s", r == HOB_ELIMIT ? "match takes too long" : "bad text");
        if (r <= 0)
            break;
        bool empty = spans[0] == spans[1];
        if (!(empty && no_empty)) {
            if (test) {
                out = jq_bool(true);
                break;
            }
            jq_push(j, &out, jq_match_value(j, &c, re, spans));
        }
        if (!global)
            break;
        from = spans[1];
        if (empty) {
            int len = 1;
            if (from < text.n)
                utf8_decode(text.p + from, text.n - from, &len);
            from += (size_t)len;
        }
        if (proc_tick(j->p, 1) < 0)
            j->fatal = HOB_EKILLED;
        if (j->fatal)
            break;
    }
    if (!spans || j->raised) {
        jq_drop(j, out);
        out = jq_none();
    }
    heap_free(j->heap, spans, spans ? 2 * n * sizeof *spans : 0);
    return out;
}

struct jq_val jq_match(struct jq *j, struct jq_val *in)
{
    unsigned flags;
    bool global, no_empty, test = in[3].kind == JQ_TRUE;
    struct jq_val out = jq_none();

    if (in[0].kind != JQ_STRING)
        jq_fail1(j, jq_copy(in[0]), "cannot be matched, as it is not a string");
    else if (in[1].kind != JQ_STRING)
        jq_fail1(j, jq_copy(in[1]), "cannot be matched, as it is not a string");
    else if (jq_regex_flags(j, in[2], &flags, &global, &no_empty)) {
        struct pcre *re = jq_regex(j, in[1], flags);
        if (re)
            out = jq_matches(j, re, jq_text(in[0]), global, no_empty, test);
    }
    for (int i = 0; i < 4; i++)
        jq_drop(j, in[i]);
    return out;
}
