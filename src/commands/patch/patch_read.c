/* patch_read.c -- reading patches: unified, context, normal, ed; with the headers of git */
#include "commands/patch/patch.h"

#include "base/utf8.h"
#include "commands/lib/mode.h"

/* ---- lines ----------------------------------------------------------------------------------- */

/* The next line without taking it; false at the end. */
static bool patch_peek(const struct patch_run *r, struct str *line)
{
    if (r->at >= r->text.n)
        return false;
    struct str rest = str_from(r->text, r->at);
    ptrdiff_t nl = str_chr(rest, '\n');
    *line = nl < 0 ? rest : str_sub(rest, 0, (size_t)nl + 1);
    return true;
}

static void patch_take(struct patch_run *r, struct str line)
{
    r->at += line.n;
    r->line++;
}

static struct str patch_chop(struct str line)
{
    if (line.n && line.p[line.n - 1] == '\n')
        line.n--;
    if (line.n && line.p[line.n - 1] == '\r')
        line.n--;
    return line;
}

/* A number at the begin of s, which moves behind it. */
static bool patch_digits(struct str *s, size_t *out)
{
    size_t n = 0, v = 0;
    while (n < s->n && ascii_digit(s->p[n])) {
        if (v > SIZE_MAX / 20)
            return false;
        v = v * 10 + (size_t)(s->p[n++] - '0');
    }
    *s = str_from(*s, n);
    *out = v;
    return n > 0;
}

static bool patch_skip(struct str *s, const char *text)
{
    if (!str_starts(*s, str_z(text)))
        return false;
    *s = str_from(*s, strlen(text));
    return true;
}

/* "3,5" or "3": the first line and the number of lines. */
static bool patch_range(struct str *s, size_t *first, size_t *n)
{
    *n = 1;
    return patch_digits(s, first) && (!patch_skip(s, ",") || patch_digits(s, n));
}

/* ---- headers --------------------------------------------------------------------------------- */

/* A name behind "--- ": up to a tab, or to a date; quoted as C strings by git. */
static struct str patch_name(struct patch_run *r, struct str s)
{
    while (s.n && ascii_space(s.p[0]))
        s = str_from(s, 1);
    if (s.n && s.p[0] == '"') {
        struct buf b;
        buf_init(&b, &r->p->kernel->heap);
        for (size_t i = 1; i < s.n && s.p[i] != '"'; i++) {
            static const char from[] = "abtnvfr", to[] = "\a\b\t\n\v\f\r";
            const char *at;
            unsigned v = 0;
            int k = 0;
            if (s.p[i] != '\\' || i + 1 >= s.n) {
                buf_putc(&b, s.p[i]);
                continue;
            }
            for (i++; k < 3 && i < s.n && s.p[i] >= '0' && s.p[i] <= '7'; k++)
                v = v * 8 + (unsigned)(s.p[i++] - '0');
            if (k)
                buf_putc(&b, (char)v), i--;
            else
                buf_putc(&b, (at = strchr(from, s.p[i])) && s.p[i] ? to[at - from] : s.p[i]);
        }
        struct str name = arena_str(r->p->arena, buf_get(&b));
        buf_fini(&b);
        return name;
    }
    size_t n = 0;
    while (n < s.n && s.p[n] != '\t')
        n++;
    if (n == s.n) /* no tab: a date may follow a blank */
        for (n = 0; n < s.n && !(s.p[n] == ' ' && n + 5 < s.n && ascii_digit(s.p[n + 1]) &&
                                 ascii_digit(s.p[n + 4]) && s.p[n + 5] == '-');)
            n++;
    s = str_sub(s, 0, n);
    while (s.n && ascii_space(s.p[s.n - 1]))
        s.n--;
    return arena_str(r->p->arena, s);
}

static bool patch_git_header(struct patch_run *r, struct patch_file *f, struct str line)
{
    struct str s = line;
    uint32_t mode = 0;
    const char *const names[] = {"rename from ", "rename to ", "copy from ", "copy to "};
    for (size_t i = 0; i < COUNT(names); i++)
        if (patch_skip(&s, names[i])) {
            *(i & 1 ? &f->new_name : &f->old_name) = patch_name(r, s);
            f->renames |= i < 2;
            f->copies |= i >= 2;
            return true;
        }
    f->creates |= str_starts(s, STR("new file mode "));
    f->deletes |= str_starts(s, STR("deleted file mode "));
    if (patch_skip(&s, "new file mode ") || patch_skip(&s, "new mode ")) {
        for (size_t i = 0; i < s.n && s.p[i] >= '0' && s.p[i] <= '7'; i++)
            mode = mode * 8 + (uint32_t)(s.p[i] - '0');
        f->new_mode = mode & 0777;
        return true;
    }
    return false;
}

/* "diff --git a/x b/x": the names, when no --- and +++ follow. */
static void patch_git_names(struct patch_run *r, struct patch_file *f, struct str s)
{
    f->git = true;
    ptrdiff_t mid = str_find(s, STR(" b/"));
    if (mid > 0) {
        f->old_name = arena_str(r->p->arena, str_sub(s, 0, (size_t)mid));
        f->new_name = patch_name(r, str_from(s, (size_t)mid + 1));
    }
}

/* Whether a hunk of some form begins at the line. `next` is the line behind it. */
static int patch_form_of(struct patch_run *r, struct str line, int wanted)
{
    struct str s = line;
    size_t n;
    if (str_starts(line, STR("@@ -")) && (!wanted || wanted == PATCH_UNIFIED))
        return PATCH_UNIFIED;
    if (str_starts(line, STR("***************")) && (!wanted || wanted == PATCH_CONTEXT))
        return PATCH_CONTEXT;
    if (!patch_digits(&s, &n))
        return PATCH_UNKNOWN;
    if (patch_skip(&s, ",") && !patch_digits(&s, &n))
        return PATCH_UNKNOWN;
    if (!s.n || !strchr("acd", s.p[0]))
        return PATCH_UNKNOWN;
    struct str rest = patch_chop(str_from(s, 1));
    if (rest.n == 0 && (!wanted || wanted == PATCH_ED))
        return PATCH_ED;
    if (!rest.n || !ascii_digit(rest.p[0]) || (wanted && wanted != PATCH_NORMAL))
        return PATCH_UNKNOWN;
    /* "3c3" must be followed by lines that begin with < or >. */
    struct str after = str_from(r->text, r->at + line.n);
    return after.n && (after.p[0] == '<' || after.p[0] == '>') ? PATCH_NORMAL : PATCH_UNKNOWN;
}

/* Reads up to the first hunk. 1, or 0 when there is none. */
static int patch_headers(struct patch_run *r, struct patch_file *f)
{
    size_t began = r->at;
    struct str line;
    bool stars = false;

    while (patch_peek(r, &line)) {
        struct str s = patch_chop(line);
        f->form = patch_form_of(r, line, r->o->form);
        if (f->form) {
            f->at_line = r->line + 1;
            f->leading = str_sub(r->text, began, r->at - began);
            return 1;
        }
        if (str_starts(s, STR("diff --git "))) {
            if (f->git && (f->renames || f->copies || f->new_mode || f->creates || f->deletes))
                return f->leading = str_sub(r->text, began, r->at - began), 1;
            patch_git_names(r, f, str_from(s, 11));
        } else if (f->git && patch_git_header(r, f, s)) {
            /* nothing further */
        } else if (patch_skip(&s, "Index: ")) {
            f->index_name = patch_name(r, s);
        } else if (patch_skip(&s, "*** ")) {
            stars = true;
            f->old_header = patch_chop(line);
            f->old_name = patch_name(r, s);
        } else if (patch_skip(&s, "--- ")) {
            *(stars ? &f->new_header : &f->old_header) = patch_chop(line);
            *(stars ? &f->new_name : &f->old_name) = patch_name(r, s);
        } else if (patch_skip(&s, "+++ ")) {
            f->new_header = patch_chop(line);
            f->new_name = patch_name(r, s);
        }
        patch_take(r, line);
    }
    f->leading = str_sub(r->text, began, r->at - began);
    r->rest = f->leading.n > 0;
    return f->git && (f->renames || f->copies || f->new_mode || f->creates || f->deletes);
}

/* ---- hunks ----------------------------------------------------------------------------------- */

static bool patch_push(struct patch_run *r, struct patch_hunk *h, char mark, struct str text)
{
    if ((h->n & (h->n - 1)) == 0) { /* full, or empty */
        size_t cap = h->n ? h->n * 2 : 1;
        struct patch_line *more = arena_array(r->p->arena, struct patch_line, cap);
        if (!more)
            return false;
        if (h->n)
            memcpy(more, h->line, h->n * sizeof *more);
        h->line = more;
    }
    h->line[h->n++] = (struct patch_line){mark, text};
    return true;
}

/* "\ No newline at end of file" belongs to the line before it. */
static bool patch_no_newline(struct patch_run *r, struct patch_hunk *h)
{
    struct str line;
    if (!patch_peek(r, &line) || line.p[0] != '\\')
        return false;
    patch_take(r, line);
    if (h->n) {
        struct str *t = &h->line[h->n - 1].text;
        if (t->n && t->p[t->n - 1] == '\n')
            t->n--;
    }
    return true;
}

static int patch_malformed(struct patch_run *r, struct str line)
{
    return patch_fatal(r, "malformed patch at line %zu: %.*s\n\n", r->line + 1,
                       STR_ARG(patch_chop(line)));
}

static int patch_unified(struct patch_run *r, struct patch_hunk *h)
{
    struct str line, s;
    size_t old = 0, new = 0;

    patch_peek(r, &line);
    s = line;
    if (str_starts(s, STR("@@ -")) && (s.n == 4 || !ascii_digit(s.p[4])))
        return patch_fatal(r, "missing line number at line %zu: %.*s\n\n", r->line + 1,
                           STR_ARG(patch_chop(line)));
    if (!patch_skip(&s, "@@ -") || !patch_range(&s, &h->old_first, &h->old_n) ||
        !patch_skip(&s, " +") || !patch_range(&s, &h->new_first, &h->new_n) ||
        !patch_skip(&s, " @@"))
        return patch_malformed(r, line);
    h->function = patch_chop(s);
    patch_take(r, line);
    while (old < h->old_n || new < h->new_n) {
        if (!patch_peek(r, &line)) {
            /* Blank lines at the end of a patch are lost easily. */
            if (old < h->old_n && new < h->new_n && h->old_n - old == h->new_n - new &&
                h->old_n - old <= 3 && patch_push(r, h, ' ', STR("\n"))) {
                old++, new ++;
                continue;
            }
            return patch_fatal(r, "unexpected end of file in patch\n");
        }
        char mark = line.p[0];
        struct str text = str_from(line, 1);
        if (mark == '\n' || mark == '\t')
            mark = ' ', text = line;
        if (!strchr(" -+", mark) || (mark != '+' && old >= h->old_n) ||
            (mark != '-' && new >= h->new_n))
            return patch_malformed(r, line);
        old += mark != '+';
        new += mark != '-';
        patch_take(r, line);
        if (!patch_push(r, h, mark, text))
            return HOB_ENOMEM;
        patch_no_newline(r, h);
    }
    patch_no_newline(r, h);
    return 0;
}

static int patch_normal(struct patch_run *r, struct patch_hunk *h)
{
    struct str line, s;
    size_t last;
    char letter;

    patch_peek(r, &line);
    s = line;
    patch_digits(&s, &h->old_first);
    last = h->old_first;
    if (patch_skip(&s, ","))
        patch_digits(&s, &last);
    letter = s.p[0];
    s = str_from(s, 1);
    h->old_n = letter == 'a' ? 0 : last - h->old_first + 1;
    if (!patch_digits(&s, &h->new_first))
        return patch_malformed(r, line);
    last = h->new_first;
    if (patch_skip(&s, ","))
        patch_digits(&s, &last);
    h->new_n = letter == 'd' ? 0 : last - h->new_first + 1;
    patch_take(r, line);
    for (size_t i = 0; i < h->old_n + h->new_n; i++) {
        if (i == h->old_n && h->old_n && h->new_n && patch_peek(r, &line) &&
            str_starts(line, STR("---")))
            patch_take(r, line);
        if (!patch_peek(r, &line))
            return patch_fatal(r, "unexpected end of file in patch at line %zu\n", r->line + 1);
        if (line.n < 2 || line.p[0] != (i < h->old_n ? '<' : '>'))
            return patch_fatal(r, "'%c' followed by space or tab expected at line %zu of patch\n",
                               i < h->old_n ? '<' : '>', r->line + 1);
        patch_take(r, line);
        if (!patch_push(r, h, i < h->old_n ? '-' : '+', str_from(line, 2)))
            return HOB_ENOMEM;
        patch_no_newline(r, h);
    }
    return 0;
}

/* One half of a context hunk: its lines with '!' as they are. */
static int patch_half(struct patch_run *r, struct patch_hunk *h, size_t want)
{
    struct str line;
    while (h->n < want && patch_peek(r, &line)) {
        char mark = line.p[0];
        if (!strchr(" -+!\n", mark) || str_starts(line, STR("--- ")) ||
            str_starts(line, STR("***")))
            break;
        patch_take(r, line);
        struct str text = mark == '\n' ? line : str_from(line, MIN(line.n - 1, 2));
        if (!patch_push(r, h, mark == '\n' ? ' ' : mark, text))
            return HOB_ENOMEM;
        patch_no_newline(r, h);
    }
    return 0;
}

/* Weaves the two halves together. A half without changes is left out in the patch. */
static int patch_weave(struct patch_run *r, struct patch_hunk *h, struct patch_hunk *a,
                       struct patch_hunk *b)
{
    size_t i = 0, k = 0;
    bool ok = true;
    while (ok && (i < a->n || k < b->n)) {
        if (i < a->n && a->line[i].mark != ' ')
            ok = patch_push(r, h, '-', a->line[i++].text);
        else if (k < b->n && b->line[k].mark != ' ')
            ok = patch_push(r, h, '+', b->line[k++].text);
        else {
            ok = patch_push(r, h, ' ', i < a->n ? a->line[i].text : b->line[k].text);
            i += i < a->n;
            k += k < b->n;
        }
    }
    return ok ? 0 : HOB_ENOMEM;
}

static bool patch_context_range(struct str line, const char *lead, size_t *first, size_t *n)
{
    struct str s = line;
    size_t last;
    if (!patch_skip(&s, lead) || !patch_digits(&s, first))
        return false;
    last = *first;
    if (patch_skip(&s, ","))
        patch_digits(&s, &last);
    *n = *first == 0 && last == 0 ? 0 : last - *first + 1;
    return true;
}

static int patch_context(struct patch_run *r, struct patch_hunk *h)
{
    struct str line;
    struct patch_hunk a = {0}, b = {0};

    patch_peek(r, &line);
    h->function = patch_chop(str_from(line, 15));
    patch_take(r, line);
    if (!patch_peek(r, &line) || !patch_context_range(line, "*** ", &h->old_first, &h->old_n))
        return patch_malformed(r, line);
    patch_take(r, line);
    int e = patch_half(r, &a, h->old_n);
    if (e < 0)
        return e;
    if (!patch_peek(r, &line) || !patch_context_range(line, "--- ", &h->new_first, &h->new_n))
        return patch_malformed(r, line);
    patch_take(r, line);
    e = patch_half(r, &b, h->new_n);
    return e < 0 ? e : patch_weave(r, h, &a, &b);
}

/* An ed script reaches to the first line that is no command. */
static int patch_ed(struct patch_run *r, struct patch_hunk *h)
{
    size_t began = r->at;
    struct str line;
    while (patch_peek(r, &line)) {
        struct str s = line;
        size_t n;
        bool text;
        if (str_starts(line, STR("s/.//"))) {
            patch_take(r, line);
            continue;
        }
        if (patch_digits(&s, &n) && patch_skip(&s, ","))
            patch_digits(&s, &n);
        if (!s.n || !strchr("acdis", s.p[0]) || patch_chop(s).n > 8)
            break;
        text = s.p[0] == 'a' || s.p[0] == 'c' || s.p[0] == 'i';
        patch_take(r, line);
        while (text && patch_peek(r, &line)) {
            patch_take(r, line);
            text = !str_eqz(patch_chop(line), ".");
        }
    }
    h->script = str_sub(r->text, began, r->at - began);
    return 0;
}

static void patch_measure(struct patch_hunk *h)
{
    while (h->prefix < h->n && h->line[h->prefix].mark == ' ')
        h->prefix++;
    while (h->suffix < h->n && h->line[h->n - 1 - h->suffix].mark == ' ')
        h->suffix++;
}

static struct patch_hunk *patch_new_hunk(struct patch_run *r, struct patch_file *f)
{
    if ((f->n & (f->n - 1)) == 0) { /* full, or empty */
        size_t cap = f->n ? f->n * 2 : 1;
        struct patch_hunk *more = arena_array(r->p->arena, struct patch_hunk, cap);
        if (!more)
            return NULL;
        if (f->n)
            memcpy(more, f->hunk, f->n * sizeof *more);
        f->hunk = more;
    }
    return &f->hunk[f->n++];
}

int patch_read(struct patch_run *r, struct patch_file *f)
{
    struct str line;
    *f = (struct patch_file){0};
    int e = patch_headers(r, f);
    if (e <= 0)
        return e;
    while (f->form && patch_peek(r, &line) && patch_form_of(r, line, f->form) == f->form) {
        struct patch_hunk *h = patch_new_hunk(r, f);
        if (!h)
            return HOB_ENOMEM;
        e = f->form == PATCH_UNIFIED   ? patch_unified(r, h)
            : f->form == PATCH_CONTEXT ? patch_context(r, h)
            : f->form == PATCH_NORMAL  ? patch_normal(r, h)
                                       : patch_ed(r, h);
        if (e < 0)
            return e;
        patch_measure(h);
        if ((e = proc_tick(r->p, 1)) < 0)
            return e;
    }
    f->creates |= f->n == 1 && f->hunk[0].old_n == 0 && f->hunk[0].old_first == 0;
    f->deletes |=
        f->n == 1 && f->hunk[0].new_n == 0 && f->hunk[0].new_first == 0 && f->form != PATCH_ED;
    return 1;
}
