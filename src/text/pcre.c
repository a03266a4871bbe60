/* pcre.c -- Perl's regular expressions, by the PCRE2 library where it is built in */
#include "text/pcre.h"

#ifdef HAVE_PCRE2

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

enum {
    PCRE_STEPS = 10 * 1000 * 1000, /* of one match */
    PCRE_DEPTH = 1000 * 1000,
    PCRE_HEAP = 64 * 1024, /* KiB */
    PCRE_HEAD = 16         /* room for the size of a block, which freeing needs */
};

struct pcre {
    struct heap *heap;
    pcre2_general_context *general;
    pcre2_match_context *context;
    pcre2_code *code;
    pcre2_match_data *data;
    uint32_t groups;
};

static void *pcre_memory(size_t n, void *heap)
{
    char *p = n > SIZE_MAX - PCRE_HEAD ? NULL : heap_alloc(heap, n + PCRE_HEAD);
    if (!p)
        return NULL;
    n += PCRE_HEAD;
    memcpy(p, &n, sizeof n);
    return p + PCRE_HEAD;
}

static void pcre_release(void *p, void *heap)
{
    size_t n;
    if (!p)
        return;
    memcpy(&n, (char *)p - PCRE_HEAD, sizeof n);
    heap_free(heap, (char *)p - PCRE_HEAD, n);
}

void pcre_free(struct pcre *p)
{
    if (!p)
        return;
    if (p->data)
        pcre2_match_data_free(p->data);
    if (p->code)
        pcre2_code_free(p->code);
    if (p->context)
        pcre2_match_context_free(p->context);
    if (p->general)
        pcre2_general_context_free(p->general);
    heap_drop(p->heap, p);
}

static uint32_t pcre_options(unsigned flags)
{
    static const struct {
        unsigned flag;
        uint32_t option;
    } rows[] = {{PCRE_ICASE, PCRE2_CASELESS},
                {PCRE_EXTENDED, PCRE2_EXTENDED},
                {PCRE_DOTALL, PCRE2_DOTALL},
                {PCRE_MULTILINE, PCRE2_MULTILINE},
                {PCRE_UTF, PCRE2_UTF | PCRE2_MATCH_INVALID_UTF},
                {PCRE_UCP, PCRE2_UCP},
                {PCRE_DUPNAMES, PCRE2_DUPNAMES}};
    uint32_t options = PCRE2_NEVER_BACKSLASH_C;
    for (size_t i = 0; i < COUNT(rows); i++)
        if (flags & rows[i].flag)
            options |= rows[i].option;
    return options;
}

int pcre_compile(struct pcre **out, struct heap *h, struct str pattern, unsigned flags, int *code,
                 struct hob_error *err)
{
    struct pcre *p = heap_new(h, struct pcre);
    int number = 0;
    size_t at = 0;

    *out = NULL;
    if (!p)
        return HOB_ENOMEM;
    p->heap = h;
    p->general = pcre2_general_context_create(pcre_memory, pcre_release, h);
    pcre2_compile_context *compile = p->general ? pcre2_compile_context_create(p->general) : NULL;
    p->context = p->general ? pcre2_match_context_create(p->general) : NULL;
    if (compile && p->context) {
        pcre2_set_max_pattern_length(compile, 1024 * 1024);
        p->code = pcre2_compile((PCRE2_SPTR)(pattern.p ? pattern.p : ""), pattern.n,
                                pcre_options(flags), &number, &at, compile);
    }
    if (compile)
        pcre2_compile_context_free(compile);
    if (p->code)
        p->data = pcre2_match_data_create_from_pattern(p->code, p->general);
    if (p->data) {
        pcre2_set_match_limit(p->context, PCRE_STEPS);
        pcre2_set_depth_limit(p->context, PCRE_DEPTH);
        pcre2_set_heap_limit(p->context, PCRE_HEAP);
        pcre2_pattern_info(p->code, PCRE2_INFO_CAPTURECOUNT, &p->groups);
        *out = p;
        return 0;
    }
    pcre_free(p);
    if (h->oom || number == 0 || number == PCRE2_ERROR_HEAP_FAILED)
        return HOB_ENOMEM;
    char text[160];
    pcre2_get_error_message(number, (PCRE2_UCHAR *)text, sizeof text);
    if (code)
        *code = number;
    return error_set(err, HOB_EINVAL, "%s", text);
}

int pcre_match(struct pcre *p, struct str text, size_t from, bool not_empty, bool anchored,
               size_t *spans, size_t n)
{
    uint32_t options = (not_empty ? PCRE2_NOTEMPTY_ATSTART : 0) | (anchored ? PCRE2_ANCHORED : 0);
    int r = pcre2_match(p->code, (PCRE2_SPTR)(text.p ? text.p : ""), text.n, from, options, p->data,
                        p->context);
    if (r == PCRE2_ERROR_NOMATCH || r == PCRE2_ERROR_PARTIAL)
        return 0;
    if (r == PCRE2_ERROR_NOMEMORY || r == PCRE2_ERROR_HEAPLIMIT)
        return p->heap->oom ? HOB_ENOMEM : HOB_ELIMIT;
    if (r == PCRE2_ERROR_MATCHLIMIT || r == PCRE2_ERROR_DEPTHLIMIT)
        return HOB_ELIMIT;
    if (r < 0)
        return HOB_EINVAL;
    const PCRE2_SIZE *found = pcre2_get_ovector_pointer(p->data);
    uint32_t count = pcre2_get_ovector_count(p->data);
    for (size_t i = 0; i < n; i++) {
        bool set = i < count && i < (size_t)r && found[2 * i] != PCRE2_UNSET;
        spans[2 * i] = set ? found[2 * i] : PCRE_UNSET;
        spans[2 * i + 1] = set ? MAX(found[2 * i + 1], found[2 * i]) : PCRE_UNSET;
    }
    return 1;
}

size_t pcre_groups(const struct pcre *p) { return p->groups; }

struct str pcre_name(const struct pcre *p, size_t group)
{
    uint32_t count = 0, size = 0;
    PCRE2_SPTR table = NULL;

    pcre2_pattern_info(p->code, PCRE2_INFO_NAMECOUNT, &count);
    pcre2_pattern_info(p->code, PCRE2_INFO_NAMEENTRYSIZE, &size);
    pcre2_pattern_info(p->code, PCRE2_INFO_NAMETABLE, &table);
    for (uint32_t i = 0; i < count; i++) {
        const unsigned char *row = table + i * size;
        if (((size_t)row[0] << 8 | row[1]) == group)
            return str_z((const char *)row + 2);
    }
    return STR_NONE;
}

#else

int pcre_compile(struct pcre **out, struct heap *h, struct str pattern, unsigned flags, int *code,
                 struct hob_error *err)
{
    (void)h;
    (void)pattern;
    (void)flags;
    (void)code;
    *out = NULL;
    return error_set(err, HOB_ENOSYS, "Perl's regular expressions are not part of this build");
}

void pcre_free(struct pcre *p) { (void)p; }

int pcre_match(struct pcre *p, struct str text, size_t from, bool not_empty, bool anchored,
               size_t *spans, size_t n)
{
    (void)p;
    (void)text;
    (void)from;
    (void)not_empty;
    (void)anchored;
    (void)spans;
    (void)n;
    return HOB_ENOSYS;
}

size_t pcre_groups(const struct pcre *p)
{
    (void)p;
    return 0;
}

struct str pcre_name(const struct pcre *p, size_t group)
{
    (void)p;
    (void)group;
    return STR_NONE;
}

#endif
