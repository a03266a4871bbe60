/* expand.c -- words to fields: quoting, splitting, joining */
#include "shell/expand_impl.h"
#include "base/fmt.h"
#include "base/utf8.h"
#include "shell/arith.h"
#include "shell/inner.h"

/* ---- building a field ------------------------------------------------------------------------ */

void expand_begin(struct expand *x, struct shell *sh, int flags, struct strs *out)
{
    x->sh = sh;
    x->flags = flags;
    x->out = out;
    x->p = NULL;
    x->n = x->cap = 0;
    x->some = x->magic = x->operand = x->nothing = x->after_space = x->bracket = x->ifs_ok = false;
    x->missed = STR_NONE;
    x->esc = NULL;
    x->nesc = x->capesc = 0;
}

bool expand_push(struct shell *sh, struct strs *v, struct str s)
{
    if (v->n == v->cap) {
        size_t cap = v->cap ? v->cap * 2 : 8;
        void *p = arena_grow(&sh->arena, v->p, v->cap * sizeof *v->p, cap * sizeof *v->p);
        if (!p)
            return false;
        v->p = p;
        v->cap = cap;
    }
    v->p[v->n++] = s;
    return true;
}

static bool expand_room(struct expand *x, size_t more)
{
    if (LIKELY(x->n + more < x->cap))
        return true;
    size_t cap = MAX(x->n + more + 1, x->cap ? x->cap * 2 : 32);
    void *p = arena_grow(&x->sh->arena, x->p, x->cap, cap);
    if (!p)
        return false;
    x->p = p;
    x->cap = cap;
    return true;
}

bool expand_add(struct expand *x, struct str s)
{
    if (!expand_room(x, s.n))
        return false;
    if (s.n)
        memcpy(x->p + x->n, s.p, s.n);
    x->n += s.n;
    return true;
}

static bool expand_putc(struct expand *x, char c)
{
    if (!expand_room(x, 1))
        return false;
    x->p[x->n++] = c;
    return true;
}

int expand_abort(struct shell *sh)
{
    if (SH_OPT(sh, OPT_POSIX) && !sh->interactive && !SH_COMPAT(sh, 43) && !shell_unwinding(sh)) {
        expand_fatal(sh);
        return HOB_EINVAL;
    }
    return expand_discard(sh);
}

int expand_discard(struct shell *sh)
{
    if (!shell_unwinding(sh)) {
        sh->ctl = SH_OPT(sh, OPT_ERREXIT) ? CTL_EXIT : CTL_ABORT;
        sh->status = 1;
    }
    return HOB_EINVAL;
}

void expand_fatal(struct shell *sh)
{
    bool top = sh->from_c && (!sh->forked || sh->subshell_late) && !SH_OPT(sh, OPT_ERREXIT);
    shell_fatal(sh, top ? 127 : 1);
}

/* Remembers that the byte to be added next is quoted. */
static bool expand_escape(struct expand *x)
{
    if (x->nesc == x->capesc) {
        size_t cap = x->capesc ? x->capesc * 2 : 8;
        void *p =
            arena_grow(&x->sh->arena, x->esc, x->capesc * sizeof *x->esc, cap * sizeof *x->esc);
        if (!p)
            return false;
        x->esc = p;
        x->capesc = cap;
    }
    x->esc[x->nesc++] = x->n;
    return true;
}

/* Bytes with a meaning somewhere in a pattern. */
static bool expand_special(char c)
{
    switch (c) {
    case '*':
    case '?':
    case '[':
    case ']':
    case '\\':
    case '^':
    case '!':
    case '-':
    case '(':
    case ')':
    case '|':
    case '+':
    case '@':
    case ':':
    case '=':
    case '.': return true;
    default: return false;
    }
}

static bool expand_regex_special(char c) { return c && strchr("[]\\.^$*+?(){}|", c) != NULL; }

/* Follows the brackets of a regular expression through unquoted text. */
static void expand_regex_state(struct expand *x, struct str s)
{
    for (size_t i = 0; i < s.n; i++) {
        if (!x->bracket && s.p[i] == '\\')
            i++;
        else if (!x->bracket && s.p[i] == '[') {
            x->bracket = true;
            i += i + 1 < s.n && s.p[i + 1] == '^';
            i += i + 1 < s.n && s.p[i + 1] == ']';
        } else if (x->bracket && s.p[i] == '[' && i + 1 < s.n && strchr(":.=", s.p[i + 1])) {
            i++;
        } else if (x->bracket && s.p[i] == ']' && !(i && strchr(":.=", s.p[i - 1]))) {
            x->bracket = false;
        } else if (x->bracket && s.p[i] == ']') {
            /* The end of a class: its own bracket goes on when another ] follows. */
            x->bracket = i + 1 < s.n;
        }
    }
}

int expand_add_quoted(struct expand *x, struct str s)
{
    if (x->flags & EXPAND_PATTERN) {
        bool all = x->flags & EXPAND_ESCAPE_ALL;
        for (size_t i = 0; i < s.n; i++)
            if (((all || expand_special(s.p[i])) && !expand_putc(x, '\\')) ||
                !expand_putc(x, s.p[i]))
                return HOB_ENOMEM;
        return 0;
    }
    if (x->flags & EXPAND_REGEX) {
        for (size_t i = 0; i < s.n; i++)
            if ((expand_regex_special(s.p[i]) && !x->bracket && !expand_putc(x, '\\')) ||
                !expand_putc(x, s.p[i]))
                return HOB_ENOMEM;
        return 0;
    }
    if (x->flags & EXPAND_REPLACE) {
        for (size_t i = 0; i < s.n; i++)
            if (((s.p[i] == '&' || s.p[i] == '\\') && !expand_putc(x, '\\')) ||
                !expand_putc(x, s.p[i]))
                return HOB_ENOMEM;
        return 0;
    }
    if (x->flags & EXPAND_GLOB) {
        for (size_t i = 0; i < s.n; i++)
            if ((expand_special(s.p[i]) && !expand_escape(x)) || !expand_putc(x, s.p[i]))
                return HOB_ENOMEM;
        return 0;
    }
    return expand_add(x, s) ? 0 : HOB_ENOMEM;
}

/* Unquoted text that is not split. */
static int expand_add_plain(struct expand *x, struct str s)
{
    if (x->flags & EXPAND_REGEX)
        expand_regex_state(x, s);
    if ((x->flags & EXPAND_GLOB) && !x->magic)
        for (size_t i = 0; i < s.n; i++)
            if (s.p[i] == '*' || s.p[i] == '?' || s.p[i] == '[' || s.p[i] == '(') {
                x->magic = true;
                break;
            }
    return expand_add(x, s) ? 0 : HOB_ENOMEM;
}

/* ---- the end of a field ---------------------------------------------------------------------- */

/* The field as a pattern: quoted bytes get a backslash. */
static struct str expand_field_pattern(struct expand *x)
{
    if (!x->nesc)
        return str_of(x->p, x->n);
    char *p = arena_alloc(&x->sh->arena, x->n + x->nesc + 1);
    size_t n = 0, k = 0;
    if (!p)
        return STR_NONE;
    for (size_t i = 0; i < x->n; i++) {
        if (k < x->nesc && x->esc[k] == i) {
            p[n++] = '\\';
            k++;
        }
        p[n++] = x->p[i];
    }
    p[n] = '\0';
    return str_of(p, n);
}

/* Pathnames in place of the field. 1: there are none, the field stays. */
/* +( and its like are patterns to bash even while extglob is off: they match nothing but a file of
 * that name. */
static bool expand_ext_like(struct str s)
{
    for (size_t i = 0; i + 1 < s.n; i++) {
        if (s.p[i] == '\\')
            i++;
        else if (s.p[i + 1] == '(' && memchr("+@!", s.p[i], 3))
            return true;
    }
    return false;
}

static int expand_field_glob(struct expand *x)
{
    struct shell *sh = x->sh;
    int flags = SH_SHOPT(sh, SHOPT_EXTGLOB) ? GLOB_EXT : 0;
    struct str pattern = expand_field_pattern(x);
    if (!pattern.p)
        return HOB_ENOMEM;
    if (!glob_magic(pattern, flags) && !expand_ext_like(pattern))
        return 1;
    size_t before = x->out->n;
    int r = expand_pathnames(sh, pattern, x->out);
    if (r < 0)
        return r;
    if (x->out->n > before)
        return 0;
    if (SH_SHOPT(sh, SHOPT_FAILGLOB)) { /* told when all words have been expanded */
        if (!x->missed.p)
            x->missed = str_of(x->p, x->n);
        return 0;
    }
    return SH_SHOPT(sh, SHOPT_NULLGLOB) ? 0 : 1;
}

int expand_end_field(struct expand *x)
{
    if (!x->n && !x->some)
        return 0;
    int r = 1;
    if (!expand_room(x, 0))
        return HOB_ENOMEM;
    x->p[x->n] = '\0';
    if (x->magic && !SH_OPT(x->sh, OPT_NOGLOB))
        r = expand_field_glob(x);
    if (r == 1)
        r = expand_push(x->sh, x->out, str_of(x->p, x->n)) ? 0 : HOB_ENOMEM;
    x->p = NULL;
    x->n = x->cap = x->nesc = 0;
    x->some = x->magic = false;
    return r;
}

int expand_finish(struct expand *x, struct str *out)
{
    if (!expand_room(x, 0))
        return HOB_ENOMEM;
    x->p[x->n] = '\0';
    *out = str_of(x->p, x->n);
    return 0;
}

/* ---- splitting ------------------------------------------------------------------------------- */

static bool expand_is_space(char c) { return c == ' ' || c == '\t' || c == '\n'; }

const struct expand_ifs *expand_ifs(struct expand *x)
{
    struct expand_ifs *f = &x->ifs;
    if (x->ifs_ok)
        return f;
    x->ifs_ok = true;
    f->s = STR(" \t\n");
    var_str(x->sh, sym_of(SYM_IFS), &f->s);
    f->standard = f->s.n == 3 && memcmp(f->s.p, " \t\n", 3) == 0;
    f->wide = false;
    f->space_first = f->s.n && expand_is_space(f->s.p[0]);
    if (!f->standard) {
        memset(f->set, 0, sizeof f->set);
        for (size_t i = 0; i < f->s.n; i++) {
            unsigned char c = (unsigned char)f->s.p[i];
            f->set[c >> 5] |= UINT32_C(1) << (c & 31);
            f->wide = f->wide || c >= 0x80;
        }
    }
    return f;
}

/* Bytes from s[i] on that are one separator: 0 if none, and whether it is white space. */
static size_t expand_separator(const struct expand_ifs *f, struct str s, size_t i, bool *space)
{
    unsigned char c = (unsigned char)s.p[i];
    *space = expand_is_space((char)c);
    if (f->standard)
        return *space;
    if (!(f->set[c >> 5] >> (c & 31) & 1))
        return 0;
    if (c < 0x80 || !f->wide)
        return 1;
    /* A character beyond ASCII counts as a whole. */
    int len;
    uint32_t u = utf8_decode(s.p + i, s.n - i, &len);
    for (size_t k = 0; k < f->s.n;) {
        int flen;
        uint32_t v = utf8_decode(f->s.p + k, f->s.n - k, &flen);
        if (u == v && (u != UTF8_BAD || s.p[i] == f->s.p[k]))
            return (size_t)len;
        k += (size_t)flen;
    }
    return 0;
}

int expand_add_split(struct expand *x, struct str s)
{
    if (!(x->flags & EXPAND_SPLIT))
        return expand_add_plain(x, s);
    const struct expand_ifs *f = expand_ifs(x);
    size_t from = 0, i = 0;
    while (i < s.n) {
        bool space;
        size_t len = expand_separator(f, s, i, &space);
        if (!len) {
            i++;
            continue;
        }
        int r = i > from ? expand_add_plain(x, str_sub(s, from, i - from)) : 0;
        bool field = x->n || x->some;
        if (r == 0 && !field && !space && !x->after_space)
            field = x->some = true; /* nothing between two separators */
        if (r == 0 && field)
            r = expand_end_field(x);
        if (r < 0)
            return r;
        if (space)
            x->after_space = x->after_space || field;
        else
            x->after_space = false;
        i += len;
        from = i;
    }
    if (i == from)
        return 0;
    x->after_space = false;
    return expand_add_plain(x, str_sub(s, from, i - from));
}

/* Between two elements of an unquoted $@ or $*: as if the first character of IFS stood there. */
static int expand_boundary(struct expand *x)
{
    const struct expand_ifs *f = expand_ifs(x);
    bool field = x->n || x->some;
    if (f->s.n && !f->space_first) {
        if (!field && !x->after_space)
            x->some = true;
        x->after_space = false;
    } else {
        x->after_space = x->after_space || (field && f->space_first);
    }
    return expand_end_field(x);
}

/* ---- values ---------------------------------------------------------------------------------- */

struct str expand_star_sep(struct shell *sh)
{
    struct str ifs;
    int len;
    if (!var_str(sh, sym_of(SYM_IFS), &ifs))
        return STR(" ");
    if (ifs.n == 0)
        return STR("");
    utf8_decode(ifs.p, ifs.n, &len);
    return str_sub(ifs, 0, (size_t)len);
}

struct str expand_join(struct shell *sh, const struct str *s, size_t n, struct str sep)
{
    size_t size = 0, at = 0;
    for (size_t i = 0; i < n; i++)
        size += s[i].n + (i ? sep.n : 0);
    char *p = arena_alloc(&sh->arena, size + 1);
    if (!p)
        return STR_NONE;
    for (size_t i = 0; i < n; i++) {
        if (i && sep.n) {
            memcpy(p + at, sep.p, sep.n);
            at += sep.n;
        }
        if (s[i].n)
            memcpy(p + at, s[i].p, s[i].n);
        at += s[i].n;
    }
    p[at] = '\0';
    return str_of(p, at);
}

/* What stands between the elements of a list that becomes one string. bash joins what some
 * operators made as if it were $*. */
static struct str expand_list_sep(struct expand *x, const struct expand_value *v, bool quoted)
{
    bool blanks = (x->flags & EXPAND_DOC) && v->op != PARAM_REPLACE &&
                  (v->op < PARAM_UPPER || v->op > PARAM_TOGGLE) &&
                  !(v->sym && v->op == PARAM_PLAIN);
    if (v->star)
        return blanks ? STR(" ") : expand_star_sep(x->sh);
    struct str sep = expand_star_sep(x->sh);
    if (x->flags & EXPAND_STARS)
        return sep.n ? sep : STR(" ");
    bool always = v->op == PARAM_PREFIX || v->op == PARAM_SUFFIX || v->op == PARAM_AT;
    if (x->out || (x->flags & EXPAND_BLANKS) || !(always || (quoted && v->op != PARAM_PLAIN)))
        return STR(" ");
    return sep.n ? sep : STR(" ");
}

/* ${!a[*]} with an empty IFS is one field in bash. */
static int expand_keys_joined(struct expand *x, const struct expand_value *v)
{
    struct str all = expand_join(x->sh, v->items, v->n, STR(" "));
    return all.p ? expand_add_split(x, all) : HOB_ENOMEM;
}

static int expand_add_list(struct expand *x, const struct expand_value *v, bool quoted)
{
    int r = 0;
    bool fields = x->out && (quoted ? !v->star : (x->flags & EXPAND_SPLIT) != 0);
    if (fields && !quoted && x->operand && !v->star && expand_ifs(x)->s.n)
        fields = false;
    if (UNLIKELY(v->op == PARAM_KEYS) && v->star && fields && !quoted && !expand_ifs(x)->s.n)
        return expand_keys_joined(x, v);
    if (!fields) {
        struct str sep = expand_list_sep(x, v, quoted);
        struct str all = expand_join(x->sh, v->items, v->n, sep);
        if (!all.p)
            return HOB_ENOMEM;
        x->some = x->some || quoted;
        return quoted ? expand_add_quoted(x, all) : expand_add_split(x, all);
    }
    x->nothing = x->nothing || v->n == 0;
    for (size_t i = 0; r == 0 && i < v->n; i++) {
        if (i)
            r = quoted ? expand_end_field(x) : expand_boundary(x);
        if (r == 0)
            r = quoted ? expand_add_quoted(x, v->items[i]) : expand_add_split(x, v->items[i]);
        if (quoted) {
            x->some = true;
            x->after_space = false;
        }
    }
    return r;
}

int expand_add_value(struct expand *x, const struct expand_value *v, bool quoted)
{
    if (v->list)
        return expand_add_list(x, v, quoted);
    if (!quoted)
        return expand_add_split(x, v->s);
    x->after_space = false;
    return expand_add_quoted(x, v->s);
}

/* ---- parts ----------------------------------------------------------------------------------- */

static int expand_cmdsub(struct expand *x, const struct part *p, bool quoted)
{
    struct shell *sh = x->sh;
    struct buf b;
    if (x->flags & EXPAND_NOCMD)
        return 0;
    buf_init(&b, sh->heap);
    int base = sh->line_base;
    sh->line_base = sh->line - p->u.cmd.line;
    int r = eval_cmdsub(sh, p->u.cmd.body, &b);
    sh->line_base = base;
    if (p->text.p && r >= 0) {
        shell_syntax_error(sh, STR("command substitution"), p->u.cmd.error_line, p->text);
        sh->cmdsub_status = 2;
    }
    struct expand_value v = {.set = true, .s = buf_get(&b)};
    if (r >= 0)
        r = expand_add_value(x, &v, quoted);
    buf_fini(&b);
    return r < 0 ? r : 0;
}

static int expand_arith(struct expand *x, const struct part *p, bool quoted)
{
    char text[24];
    int64_t n;
    struct arith_text t = {p->u.arith.expr, p->u.arith.prog};
    int r = arith_eval(x->sh, &t, &n);
    ((struct part *)p)->u.arith.prog = t.prog;
    if (r < 0)
        return r;
    struct expand_value v = {.set = true, .s = {text, fmt_int(text, n)}};
    return expand_add_value(x, &v, quoted);
}

static int expand_procsub(struct expand *x, const struct part *p)
{
    struct str path;
    int base = x->sh->line_base;
    x->sh->line_base = x->sh->line - p->u.cmd.line;
    int r = eval_procsub(x->sh, p->u.cmd.body, p->out, &path);
    x->sh->line_base = base;
    return r < 0 ? r : expand_add_quoted(x, path);
}

static int expand_dquote(struct expand *x, const struct part *p)
{
    /* "$@" without parameters is no field; anything else between quotes is one. */
    size_t fields = x->out ? x->out->n : 0, n = x->n;
    bool nothing = x->nothing;
    x->nothing = false;
    x->after_space = false;
    int r = expand_parts(x, p->u.sub.p, p->u.sub.n, EXPAND_IN_DQUOTE);
    if (!x->nothing || x->n != n || (x->out && x->out->n != fields))
        x->some = true;
    x->nothing = nothing;
    return r;
}

static int expand_tilde_part(struct expand *x, const struct part *p)
{
    struct str dir;
    x->after_space = false;
    if (!(x->flags & EXPAND_NO_TILDE) && expand_tilde(x->sh, p->text, &dir)) {
        x->some = x->some || dir.n == 0;
        return expand_add_quoted(x, dir);
    }
    int r = expand_add_plain(x, STR("~"));
    return r < 0 ? r : expand_add_plain(x, p->text);
}

/* Adds parts to the field that is being built; mode: EXPAND_IN_DQUOTE, EXPAND_SPLIT_LIT. */
int expand_parts(struct expand *x, const struct part *p, int n, int mode)
{
    bool quoted = mode & EXPAND_IN_DQUOTE;
    int r = 0;
    for (int i = 0; r >= 0 && i < n; i++, p++) {
        switch (p->kind) {
        case PART_LIT:
            if (quoted) {
                r = expand_add_quoted(x, p->text);
            } else if (mode & EXPAND_SPLIT_LIT) {
                r = expand_add_split(x, p->text);
            } else {
                x->after_space = false;
                r = expand_add_plain(x, p->text);
            }
            break;
        case PART_QUOTED:
            if (!quoted) {
                x->some = true;
                x->after_space = false;
            }
            r = expand_add_quoted(x, p->text);
            break;
        case PART_DQUOTE: r = expand_dquote(x, p); break;
        case PART_PARAM: r = expand_param(x, p, quoted); break;
        case PART_CMDSUB: r = expand_cmdsub(x, p, quoted); break;
        case PART_ARITH: r = expand_arith(x, p, quoted); break;
        case PART_PROCSUB: r = expand_procsub(x, p); break;
        case PART_TILDE: r = expand_tilde_part(x, p); break;
        default: break;
        }
    }
    return r < 0 ? r : 0;
}

/* ---- words ----------------------------------------------------------------------------------- */

int expand_one(struct expand *x, struct word *w)
{
    if (w->flags & WORD_STATIC)
        return expand_push(x->sh, x->out, w->lit) ? 0 : HOB_ENOMEM;
    x->after_space = false;
    int r = expand_parts(x, w->parts, w->n, 0);
    return r < 0 ? r : expand_end_field(x);
}

/* "$x" and $x where nothing is to be split: no field has to be built. 1: done. */
static int expand_quick(struct expand *x, const struct word *w)
{
    const struct part *p = w->parts;
    bool quoted = p->kind == PART_DQUOTE && p->u.sub.n == 1;
    if (w->n != 1)
        return 0;
    if (quoted)
        p = p->u.sub.p;
    if (p->kind != PART_PARAM)
        return 0;
    struct param *v = p->u.param;
    struct str s;
    if (v->op != PARAM_PLAIN || v->what != PARAM_VAR || v->index || v->index_all || v->indirect ||
        !v->sym || !var_str(x->sh, v->sym, &s))
        return 0;
    if (!quoted) {
        if (!expand_ifs(x)->standard || s.n == 0)
            return 0;
        for (size_t i = 0; i < s.n; i++)
            if (expand_is_space(s.p[i]) || s.p[i] == '*' || s.p[i] == '?' || s.p[i] == '[' ||
                s.p[i] == '(' || s.p[i] == '\\')
                return 0;
    }
    s = arena_str(&x->sh->arena, s);
    return s.p && expand_push(x->sh, x->out, s) ? 1 : HOB_ENOMEM;
}

int expand_words(struct shell *sh, struct word **w, int n, struct strs *out)
{
    struct expand x;
    int r = 0;
    expand_begin(&x, sh, EXPAND_WORDS, out);
    for (int i = 0; i < n && r >= 0; i++) {
        if (w[i]->flags & WORD_STATIC) {
            r = expand_push(sh, out, w[i]->lit) ? 0 : HOB_ENOMEM;
            continue;
        }
        r = w[i]->n ? expand_quick(&x, w[i]) : 0;
        if (r == 0)
            r = w[i]->flags & WORD_BRACE ? expand_brace(&x, w[i]) : expand_one(&x, w[i]);
        x.ifs_ok = false; /* ${IFS:=x} and the like may change it between words */
    }
    if (UNLIKELY(x.missed.p != NULL) && r >= 0) {
        shell_error(sh, "no match: %.*s", STR_ARG(x.missed));
        return expand_abort(sh);
    }
    return r < 0 ? r : 0;
}

bool expand_constant(const struct word *w)
{
    for (int i = 0; i < w->n; i++) {
        const struct part *p = &w->parts[i];
        if (p->kind == PART_DQUOTE) {
            for (int k = 0; k < p->u.sub.n; k++)
                if (p->u.sub.p[k].kind != PART_QUOTED)
                    return false;
        } else if (p->kind != PART_LIT && p->kind != PART_QUOTED) {
            return false;
        }
    }
    return true;
}

int expand_word_borrow(struct shell *sh, struct word *w, int flags, struct str *out)
{
    const int forms = EXPAND_PATTERN | EXPAND_REGEX | EXPAND_REPLACE;
    *out = STR("");
    if (!w || w->n == 0)
        return 0;
    if ((w->flags & WORD_STATIC) && !(flags & forms)) {
        *out = w->lit;
        return 0;
    }
    const struct part *p = w->parts;
    if (w->n == 1 && !(flags & (EXPAND_REGEX | EXPAND_REPLACE))) {
        bool quoted = p->kind == PART_DQUOTE && p->u.sub.n == 1;
        if (quoted)
            p = p->u.sub.p;
        if (p->kind == PART_PARAM && !(quoted && (flags & EXPAND_PATTERN))) {
            struct param *v = p->u.param;
            if (v->op == PARAM_PLAIN && v->what == PARAM_VAR && !v->index && !v->index_all &&
                !v->indirect && v->sym && var_str(sh, v->sym, out))
                return 0;
        }
    }
    struct expand x;
    expand_begin(&x, sh, flags & ~(EXPAND_SPLIT | EXPAND_GLOB | EXPAND_BRACE), NULL);
    int r = expand_parts(&x, w->parts, w->n, 0);
    return r < 0 ? r : expand_finish(&x, out);
}

int expand_word(struct shell *sh, struct word *w, int flags, struct str *out)
{
    int r = expand_word_borrow(sh, w, flags, out);
    if (r < 0 || !w || (w->flags & WORD_STATIC) || w->n != 1)
        return r;
    const struct part *p = w->parts;
    if (p->kind == PART_PARAM || (p->kind == PART_DQUOTE && p->u.sub.n == 1)) {
        *out = arena_str(&sh->arena, *out);
        return out->p ? 0 : HOB_ENOMEM;
    }
    return 0;
}
