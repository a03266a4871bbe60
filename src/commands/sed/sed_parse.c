/* sed_parse.c -- reading a sed script
 *
 * Places in messages are GNU's: a message tells how many characters of the script were read when
 * the mistake was found.
 */
#include "commands/sed/sed.h"

#include "base/error.h"
#include "base/utf8.h"

struct sed_block { /* a { whose } is to come, and where it stood */
    size_t cmd;
    struct str file;
    size_t expr, line;
};

struct sed_label {
    struct str name;
    size_t cmd;
};

struct sed_parse {
    struct sed_source s;
    VEC(struct sed_block) blocks;
    VEC(struct sed_label) labels;
    struct buf text; /* of a, i, c */
    size_t text_cmd; /* whose it is */
    bool text_open;  /* it goes on in the next piece of the script */
    bool text_begun; /* some line of it is read */
    bool first;      /* nothing was read before: #n */
};

static int sed_nonblank(struct sed_source *s)
{
    int c;
    while ((c = sed_next(s)) == ' ' || c == '\t')
        ;
    return c;
}

static uint64_t sed_integer(struct sed_source *s, int c)
{
    uint64_t n = 0;
    for (; c >= '0' && c <= '9'; c = sed_next(s)) {
        if (__builtin_mul_overflow(n, 10, &n) || __builtin_add_overflow(n, (uint64_t)(c - '0'), &n))
            n = UINT64_MAX;
    }
    sed_back(s, c);
    return n;
}

static bool sed_end_of_command(struct sed_source *s)
{
    int c = sed_nonblank(s);
    if (c == '}' || c == '#')
        sed_back(s, c);
    else if (c >= 0 && c != '\n' && c != ';')
        return sed_bad(s, "extra characters after command");
    return true;
}

/* ---- addresses ------------------------------------------------------------------------------- */

static bool sed_regex_address(struct sed_source *s, int delim, struct sed_address *a)
{
    struct buf b;
    unsigned flags = 0;
    int c;

    buf_init(&b, s->r->heap);
    if (!sed_delimited(s, delim, true, &b)) {
        buf_fini(&b);
        return sed_bad(s, "unterminated address regex");
    }
    while (((c = sed_nonblank(s)) == 'I' || c == 'M') && !s->r->o->posix)
        flags |= c == 'I' ? REGEX_ICASE : REGEX_NEWLINE;
    sed_back(s, c);
    a->kind = SED_REGEX;
    a->regex = sed_regex_new(s, buf_get(&b), flags);
    if (a->regex)
        a->regex->address = true;
    buf_fini(&b);
    return s->status == 0;
}

/* An address that begins with c. False when there is none, or after a complaint. */
static bool sed_address(struct sed_source *s, int c, struct sed_address *a)
{
    bool gnu = !s->r->o->posix;

    if (c == '/' || c == '\\')
        return sed_regex_address(s, c == '\\' ? sed_next(s) : c, a);
    if (ascii_digit(c)) {
        a->kind = SED_LINE;
        a->n = sed_integer(s, c);
        c = sed_nonblank(s);
        if (c != '~' || !gnu) {
            sed_back(s, c);
            return true;
        }
        a->step = sed_integer(s, sed_nonblank(s));
        if (a->step)
            a->kind = SED_STEP;
        return true;
    }
    if ((c == '+' || c == '~') && gnu) {
        a->kind = c == '+' ? SED_PLUS : SED_MULTIPLE;
        a->n = sed_integer(s, sed_nonblank(s));
        return true;
    }
    if (c == '$')
        a->kind = SED_LAST;
    return c == '$';
}

/* Both addresses and the !. Returns the command's letter. */
static int sed_addresses(struct sed_source *s, int c, struct sed_cmd *cmd)
{
    if (sed_address(s, c, &cmd->a1)) {
        if (cmd->a1.kind == SED_PLUS || cmd->a1.kind == SED_MULTIPLE)
            sed_bad(s, "invalid usage of +N or ~N as first address");
        c = sed_nonblank(s);
        if (c == ',' && !s->status) {
            if (!sed_address(s, sed_nonblank(s), &cmd->a2))
                sed_bad(s, "unexpected `,'");
            c = sed_nonblank(s);
        }
        if (cmd->a1.kind == SED_LINE && cmd->a1.n == 0 &&
            (cmd->a2.kind != SED_REGEX || s->r->o->posix))
            sed_bad(s, "invalid usage of line address 0");
    }
    if (c == '!' && !s->status) {
        cmd->bang = true;
        c = sed_nonblank(s);
        if (c == '!')
            sed_bad(s, "multiple `!'s");
    }
    return c;
}

/* ---- text of a, i, c ------------------------------------------------------------------------- */

static void sed_text_close(struct sed_parse *x)
{
    x->s.r->cmds.p[x->text_cmd].text = sed_keep(&x->s, buf_get(&x->text));
    x->text_open = false;
}

/* Reads text up to a newline without a backslash. */
static void sed_text_read(struct sed_parse *x)
{
    struct sed_source *s = &x->s;
    int c;

    if (x->text_begun)
        buf_putc(&x->text, '\n');
    while ((c = sed_next(s)) >= 0 && c != '\n') {
        unsigned char e;
        x->text_begun = true;
        if (c == '\\') {
            if (s->cur == s->end)
                return; /* the next piece of the script goes on */
            int used = sed_escape(s, s->cur, (size_t)(s->end - s->cur), &e);
            if (used < 0)
                return;
            if (used > 0) {
                s->cur += used;
                c = e;
            } else {
                c = sed_next(s);
            }
        }
        buf_putc(&x->text, (char)c);
    }
    buf_putc(&x->text, '\n');
    sed_text_close(x);
}

static bool sed_text(struct sed_parse *x)
{
    struct sed_source *s = &x->s;
    int c = sed_nonblank(s);

    if (c < 0)
        return sed_bad(s, "expected \\ after `a', `c' or `i'");
    buf_clear(&x->text);
    x->text_cmd = s->r->cmds.n - 1;
    x->text_open = true;
    x->text_begun = false;
    if (c == '\\') {
        c = sed_next(s);
        if (c < 0)
            return true;
        if (c != '\n')
            sed_back(s, c);
    } else {
        if (s->r->o->posix)
            return sed_bad(s, "expected \\ after `a', `c' or `i'");
        sed_back(s, c);
    }
    sed_text_read(x);
    return true;
}

/* ---- s and y --------------------------------------------------------------------------------- */

static bool sed_file_name(struct sed_source *s, struct str *name)
{
    if (s->r->o->sandbox)
        return sed_bad(s, "e/r/w commands disabled in sandbox mode");
    int c = sed_nonblank(s);
    sed_back(s, c);
    const char *start = s->cur;
    while ((c = sed_next(s)) >= 0 && c != '\n')
        ;
    *name = sed_keep(s, str_of(start, (size_t)(s->cur - start) - (c == '\n')));
    if (name->n == 0) {
        sed_back(s, c);
        return sed_bad(s, "missing filename in r/R/w/W commands");
    }
    return s->status == 0;
}

static bool sed_not_run(struct sed_source *s, const char *what)
{
    if (s->r->o->sandbox)
        return sed_bad(s, "e/r/w commands disabled in sandbox mode");
    return sed_bad(s, "%s is not supported: sed runs no commands here", what);
}

/* The number among the flags of s. */
static bool sed_subst_number(struct sed_source *s, struct sed_subst *sub, int c)
{
    if (sub->number)
        return sed_bad(s, "multiple number options to `s' command");
    sub->number = sed_integer(s, c);
    return sub->number || sed_bad(s, "number option to `s' command may not be zero");
}

/* The flags of s, up to the end of the command. */
static bool sed_subst_flags(struct sed_source *s, struct sed_subst *sub, unsigned *flags)
{
    struct str name;

    for (;;) {
        int c = sed_next(s);
        bool gnu = !s->r->o->posix;
        switch (c) {
        case 'i':
        case 'I':
        case 'm':
        case 'M':
            if (!gnu)
                return sed_bad(s, "unknown option to `s'");
            *flags |= c == 'i' || c == 'I' ? REGEX_ICASE : REGEX_NEWLINE;
            break;
        case 'e': return sed_not_run(s, "the `e' option of `s'");
        case 'p':
            if (sub->print)
                return sed_bad(s, "multiple `p' options to `s' command");
            sub->print = true;
            break;
        case 'g':
            if (sub->global)
                return sed_bad(s, "multiple `g' options to `s' command");
            sub->global = true;
            break;
        case 'w':
            if (!sed_file_name(s, &name))
                return false;
            sub->file = sed_output_open(s, name);
            return s->status == 0;
        case '}':
        case '#': sed_back(s, c); return true;
        case '\n':
        case ';':
        case -1: return true;
        case ' ':
        case '\t': break;
        case '\r':
            if (s->cur < s->end && *s->cur == '\n')
                break;
            return sed_bad(s, "unknown option to `s'");
        default:
            if (!ascii_digit(c))
                return sed_bad(s, "unknown option to `s'");
            if (!sed_subst_number(s, sub, c))
                return false;
        }
    }
}

/* The two parts of s and y, between delimiters. */
static bool sed_two_parts(struct sed_source *s, bool regex, struct buf *a, struct buf *b)
{
    int delim = sed_next(s);
    return sed_delimited(s, delim, regex, a) && sed_delimited(s, delim, false, b);
}

static bool sed_subst(struct sed_source *s, struct sed_cmd *cmd)
{
    struct sed_subst *sub = arena_new(s->r->p->arena, struct sed_subst);
    struct buf a, b;
    unsigned flags = 0;

    if (!sub) {
        s->status = HOB_ENOMEM;
        return false;
    }
    cmd->subst = sub;
    sub->groups = -1;
    buf_init(&a, s->r->heap);
    buf_init(&b, s->r->heap);
    if (!sed_two_parts(s, true, &a, &b))
        sed_bad(s, "unterminated `s' command");
    else if (sed_replacement(s, buf_get(&b), sub) && sed_subst_flags(s, sub, &flags))
        sub->regex = sed_regex_new(s, buf_get(&a), flags);
    buf_fini(&a);
    buf_fini(&b);
    if (!s->status && !s->r->o->posix && sub->regex->re &&
        sub->groups > (int)regex_groups(sub->regex->re))
        sed_bad(s, "invalid reference \\%d on `s' command's RHS", sub->groups);
    return s->status == 0;
}

static bool sed_transliterate(struct sed_source *s, struct sed_cmd *cmd)
{
    struct buf a, b;

    buf_init(&a, s->r->heap);
    buf_init(&b, s->r->heap);
    if (!sed_two_parts(s, false, &a, &b))
        sed_bad(s, "unterminated `y' command");
    else
        cmd->map = sed_map_new(s, buf_get(&a), buf_get(&b));
    buf_fini(&a);
    buf_fini(&b);
    return s->status == 0 && sed_end_of_command(s);
}

/* ---- commands -------------------------------------------------------------------------------- */

/* A label: up to white space, ; or }. */
static struct str sed_label_name(struct sed_source *s)
{
    int c = sed_nonblank(s);
    sed_back(s, c);
    const char *start = s->cur;
    while ((c = sed_next(s)) >= 0 && !ascii_space(c) && c != ';' && c != '}')
        ;
    sed_back(s, c);
    return sed_keep(s, str_of(start, (size_t)(s->cur - start)));
}

static bool sed_block_end(struct sed_parse *x, const struct sed_cmd *cmd)
{
    struct sed_source *s = &x->s;

    if (x->blocks.n == 0)
        return sed_bad(s, "unexpected `}'");
    if (cmd->a1.kind)
        return sed_bad(s, "} doesn't want any addresses");
    if (!sed_end_of_command(s))
        return false;
    s->r->cmds.p[x->blocks.p[--x->blocks.n].cmd].jump = s->r->cmds.n;
    return true;
}

static bool sed_label(struct sed_parse *x, struct sed_cmd *cmd)
{
    struct sed_source *s = &x->s;

    if (cmd->a1.kind)
        return sed_bad(s, ": doesn't want any addresses");
    cmd->text = sed_label_name(s);
    if (cmd->text.n == 0)
        return sed_bad(s, "\":\" lacks a label");
    struct sed_label l = {cmd->text, s->r->cmds.n - 1};
    if (!vec_push(s->r->heap, &x->labels, l))
        s->status = HOB_ENOMEM;
    return s->status == 0;
}

/* q5, l 20. */
static bool sed_numbered(struct sed_source *s, struct sed_cmd *cmd)
{
    int c;
    if ((cmd->name == 'q' || cmd->name == 'Q') && cmd->a2.kind)
        return sed_bad(s, "command only uses one address");
    c = sed_nonblank(s);
    cmd->number = -1;
    if (ascii_digit(c) && !s->r->o->posix) {
        uint64_t n = sed_integer(s, c);
        cmd->number = (int64_t)MIN(n, (uint64_t)INT32_MAX);
    } else {
        sed_back(s, c);
    }
    return sed_end_of_command(s);
}

/* v: nothing newer than 4.9 is there. */
static bool sed_version(struct sed_source *s)
{
    struct str v = sed_label_name(s);
    uint64_t part[3] = {0};
    size_t k = 0;

    for (size_t i = 0; i < v.n; i++) {
        if (v.p[i] == '.' && k < 2)
            k++;
        else if (ascii_digit(v.p[i]))
            part[k] = MIN(part[k] * 10 + (uint64_t)(v.p[i] - '0'), 99999);
    }
    if (part[0] > 4 || (part[0] == 4 && (part[1] > 9 || (part[1] == 9 && part[2] > 0))))
        return sed_bad(s, "expected newer version of sed");
    return true;
}

static bool sed_open_block(struct sed_parse *x)
{
    struct sed_source *s = &x->s;
    struct sed_block b = {s->r->cmds.n - 1, s->file, s->expr, s->line};
    if (!vec_push(s->r->heap, &x->blocks, b))
        s->status = HOB_ENOMEM;
    return s->status == 0;
}

/* What --posix does not know. */
static bool sed_is_posix(struct sed_source *s, const struct sed_cmd *cmd)
{
    if (strchr("eFvzLQTRW", cmd->name))
        return sed_bad(s, "unknown command: `%c'", cmd->name);
    if (strchr("aiqr=", cmd->name) && cmd->a2.kind)
        return sed_bad(s, "command only uses one address");
    return true;
}

/* The rest of a command whose letter is read. */
static bool sed_command(struct sed_parse *x, struct sed_cmd *cmd)
{
    struct sed_source *s = &x->s;

    if (s->r->o->posix && !sed_is_posix(s, cmd))
        return false;
    switch (cmd->name) {
    case '{': return sed_open_block(x);
    case '}': return sed_block_end(x, cmd);
    case 'e': return sed_not_run(s, "the `e' command");
    case 'a':
    case 'i':
    case 'c': return sed_text(x);
    case ':': return sed_label(x, cmd);
    case 'b':
    case 't':
    case 'T': cmd->text = sed_label_name(s); return s->status == 0;
    case 'q':
    case 'Q':
    case 'l': return sed_numbered(s, cmd);
    case 'r': return sed_file_name(s, &cmd->text);
    case 'R':
        if (sed_file_name(s, &cmd->text))
            cmd->lines = sed_lines_open(s, cmd->text);
        return s->status == 0;
    case 'w':
    case 'W':
        if (sed_file_name(s, &cmd->text))
            cmd->output = sed_output_open(s, cmd->text);
        return s->status == 0;
    case 's': return sed_subst(s, cmd);
    case 'y': return sed_transliterate(s, cmd);
    case '=':
    case 'd':
    case 'D':
    case 'F':
    case 'g':
    case 'G':
    case 'h':
    case 'H':
    case 'n':
    case 'N':
    case 'p':
    case 'P':
    case 'x':
    case 'z': return sed_end_of_command(s);
    default: return sed_bad(s, "unknown command: `%c'", cmd->name);
    }
}

/* A comment; #n alone on the first line is the option -n. */
static void sed_comment(struct sed_parse *x)
{
    struct sed_source *s = &x->s;
    const char *start = s->cur;
    int c = sed_next(s);

    if (c == 'n' && x->first && start == s->base + 1) {
        c = sed_next(s);
        if (c < 0 || c == '\n')
            s->r->quiet = true;
    }
    while (c >= 0 && c != '\n')
        c = sed_next(s);
}

/* One piece of the script. */
static void sed_chunk(struct sed_parse *x)
{
    struct sed_source *s = &x->s;
    int c;

    if (x->text_open)
        sed_text_read(x);
    while (!s->status) {
        while ((c = sed_next(s)) == ';' || ascii_space(c))
            ;
        if (c < 0)
            break;
        struct sed_cmd cmd = {0};
        c = sed_addresses(s, c, &cmd);
        if (s->status)
            break;
        if (c == '#') {
            if (cmd.a1.kind)
                sed_bad(s, "comments don't accept any addresses");
            sed_comment(x);
            continue;
        }
        if (c < 0) {
            sed_bad(s, "missing command");
            break;
        }
        cmd.name = (char)c;
        if (c == 'v') {
            sed_version(s);
            continue;
        }
        if (!vec_push(s->r->heap, &s->r->cmds, cmd)) {
            s->status = HOB_ENOMEM;
            break;
        }
        sed_command(x, &s->r->cmds.p[s->r->cmds.n - 1]);
        if (s->r->heap->oom && !s->status)
            s->status = HOB_ENOMEM;
    }
    x->first = false;
}

/* Finds the targets of jumps; without a label they go to the end. */
static void sed_jumps(struct sed_parse *x)
{
    struct sed_run *r = x->s.r;

    for (size_t i = 0; i < r->cmds.n && !x->s.status; i++) {
        struct sed_cmd *c = &r->cmds.p[i];
        if (c->name != 'b' && c->name != 't' && c->name != 'T')
            continue;
        c->jump = r->cmds.n;
        size_t k = c->text.n ? x->labels.n : 0;
        while (k > 0 && !str_eq(x->labels.p[k - 1].name, c->text))
            k--;
        if (k > 0) {
            c->jump = x->labels.p[k - 1].cmd;
        } else if (c->text.n) {
            proc_warn(r->p, "can't find label for jump to `%.*s'", STR_ARG(c->text));
            x->s.status = SED_PANIC + 1;
        }
    }
}

int sed_parse(struct sed_run *r)
{
    struct sed_parse x = {.s = {.r = r}, .first = true};
    struct sed_source *s = &x.s;

    buf_init(&x.text, r->heap);
    for (const struct sed_chunk *c = r->o->first; c && !s->status; c = c->next) {
        s->base = s->cur = c->text.p;
        s->end = c->text.p + c->text.n;
        s->file = c->file;
        s->expr = c->expr;
        s->line = 1;
        sed_chunk(&x);
    }
    if (x.blocks.n && !s->status) {
        const struct sed_block *b = &x.blocks.p[x.blocks.n - 1];
        s->cur = s->base;
        s->file = b->file;
        s->expr = b->expr;
        s->line = b->line;
        sed_bad(s, "unmatched `{'");
    }
    if (x.text_open && !s->status) {
        if (x.text_begun)
            buf_putc(&x.text, '\n');
        sed_text_close(&x);
    }
    if (!s->status)
        sed_jumps(&x);
    buf_fini(&x.text);
    vec_fini(r->heap, &x.blocks);
    vec_fini(r->heap, &x.labels);
    return s->status;
}
