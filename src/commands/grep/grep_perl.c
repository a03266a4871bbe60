/* grep_perl.c -- Perl's regular expressions in grep (-P), line by line */
#include "commands/grep/grep.h"
#include "text/pcre.h"

/* The pattern with what -w and -x ask for around it. */
static void grep_perl_wrap(const struct grep *o, struct str text, struct buf *b)
{
    buf_addz(b, o->whole ? "^(?:" : o->word ? "(?<!\\w)(?:" : "");
    buf_str(b, text);
    buf_addz(b, o->whole ? ")$" : o->word ? ")(?!\\w)" : "");
}

int grep_perl_compile(struct grep_run *r)
{
    const struct grep *o = r->o;
    struct hob_error err = {0};
    struct buf b;

    if (!o->first)
        return 0;
    if (o->first->next) {
        proc_warn(r->p, "the -P option only supports a single pattern");
        return 3;
    }
    buf_init(&b, &r->p->kernel->heap);
    grep_perl_wrap(o, o->first->text, &b);
    unsigned flags = (o->icase ? PCRE_ICASE : 0u) | (r->bytes ? 0u : PCRE_UTF) |
                     (o->nul_data ? PCRE_MULTILINE : 0u);
    int e = pcre_compile(&r->perl, b.heap, buf_get(&b), flags, NULL, &err);
    buf_fini(&b);
    if (e == HOB_ENOMEM)
        return e;
    if (e == HOB_ENOSYS)
        proc_warn(r->p, "-P: %s; use -E", err.msg);
    else if (e < 0)
        proc_warn(r->p, "%s", err.msg);
    return e < 0 ? 3 : 0;
}

int grep_perl_exec(struct grep_run *r, struct str text, size_t from, struct regex_match *m)
{
    size_t spans[2];
    if (!r->perl)
        return 0;
    int e = pcre_match(r->perl, text, from, false, false, spans, 1);
    if (e == 1) {
        m->start = (ptrdiff_t)spans[0];
        m->end = (ptrdiff_t)spans[1];
    } else if (e == HOB_ELIMIT) {
        proc_warn(r->p, "%.*s: exceeded PCRE's backtracking limit", STR_ARG(r->f.name));
        r->failed = true;
        return 0;
    }
    return e;
}

int grep_perl_find(struct grep_run *r, struct str text, size_t from, size_t *start, size_t *end)
{
    struct regex_match m;

    while (from < text.n) {
        const char *nl = memchr(text.p + from, r->eol, text.n - from);
        size_t stop = nl ? (size_t)(nl - text.p) : text.n;
        int e = grep_perl_exec(r, str_sub(text, from, stop - from), 0, &m);
        if (e == 0)
            e = proc_tick(r->p, (int64_t)((stop - from) >> 10) + 1) < 0 ? HOB_EKILLED : 0;
        if (e != 0) {
            *start = from;
            *end = stop;
            return e;
        }
        from = stop + 1;
    }
    return 0;
}
