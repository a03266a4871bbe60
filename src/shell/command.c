/* command.c -- the gate through which every command runs, and its messages
 *
 * Options are parsed as getopt_long() does it, in one pass over argv: operands are collected, so
 * that options may stand behind them.
 */
#include "shell/command.h"

#include "base/error.h"
#include "base/fmt.h"
#include "base/map.h"
#include "shell/quote.h"
#include "shell/zone.h"

enum {
    COMMAND_HELP_COLUMN = 26,
    COMMAND_WIDTH = 79
};

/* ---- messages ------------------------------------------------------------------------------- */

static const struct command *command_of(struct proc *p) { return p->command; }

/* Messages are built on the stack: they must come through when memory has run out. */
struct command_msg {
    char text[4096];
    size_t n;
};

static void command_msg_add(struct command_msg *m, const char *fmt, ...) PRINTF_LIKE(2, 3);

static void command_msg_vadd(struct command_msg *m, const char *fmt, va_list ap)
{
    size_t room = sizeof m->text - m->n;
    m->n += MIN(fmt_vprint(m->text + m->n, room, fmt, ap), room - 1);
}

static void command_msg_add(struct command_msg *m, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    command_msg_vadd(m, fmt, ap);
    va_end(ap);
}

/* Sends the line, with its newline also when it had to be cut. */
static void command_msg_send(struct proc *p, struct command_msg *m)
{
    m->n = MIN(m->n, sizeof m->text - 2);
    m->text[m->n++] = '\n';
    proc_write(p, 2, m->text, m->n);
}

void proc_printf_err(struct proc *p, const char *fmt, ...)
{
    struct command_msg m;
    va_list ap;

    m.n = 0;
    va_start(ap, fmt);
    command_msg_vadd(&m, fmt, ap);
    va_end(ap);
    proc_write(p, 2, m.text, m.n);
}

void proc_warn(struct proc *p, const char *fmt, ...)
{
    struct command_msg m;
    va_list ap;

    m.n = 0;
    command_msg_add(&m, "%.*s: ", STR_ARG(p->name));
    va_start(ap, fmt);
    command_msg_vadd(&m, fmt, ap);
    va_end(ap);
    command_msg_send(p, &m);
}

static const char *command_quote(struct proc *p, struct str s, enum quote_style style,
                                 const char *also)
{
    struct buf b;
    buf_init(&b, &p->kernel->heap);
    quote_add(&b, s, style, also);
    struct str copy = arena_str(p->arena, buf_get(&b));
    buf_fini(&b);
    return copy.p ? copy.p : "?";
}

const char *proc_quote(struct proc *p, struct str s)
{
    return command_quote(p, s, QUOTE_LOCALE, NULL);
}

const char *proc_quoteaf(struct proc *p, struct str s)
{
    return command_quote(p, s, QUOTE_SHELL_ESCAPE_ALWAYS, NULL);
}

const char *proc_quotef(struct proc *p, struct str s)
{
    return command_quote(p, s, QUOTE_SHELL_ESCAPE, ":");
}

void proc_warn_file(struct proc *p, struct str what, int err)
{
    if (err != HOB_EKILLED)
        proc_warn(p, "%s: %s", proc_quotef(p, what), error_text(err));
}

void proc_warn_quoted(struct proc *p, const char *fmt, struct str what, int err)
{
    struct str f = str_z(fmt);
    ptrdiff_t at = str_find(f, STR("%s"));
    size_t cut = at < 0 ? f.n : (size_t)at;

    if (err == HOB_EKILLED)
        return;
    proc_warn(p, "%.*s%s%s%s%s", (int)cut, fmt, at < 0 ? "" : proc_quoteaf(p, what),
              at < 0 ? "" : fmt + cut + 2, err ? ": " : "", err ? error_text(err) : "");
}

int proc_usage(struct proc *p)
{
    const struct command *c = command_of(p);
    struct command_msg m;
    m.n = 0;
    if (c && (c->flags & CMD_USAGE_HELP)) {
        struct buf b;
        buf_init(&b, &p->kernel->heap);
        command_help(&b, c);
        proc_puts(p, 2, buf_get(&b));
        buf_fini(&b);
        return c->usage_status;
    }
    if (c && (c->flags & CMD_USAGE_LINE))
        command_msg_add(&m, "Usage: %.*s %s\n", STR_ARG(p->name), c->usage);
    if (c && (c->flags & CMD_USAGE_NAME))
        command_msg_add(&m, "%.*s: ", STR_ARG(p->name));
    command_msg_add(&m, "Try '%.*s --help' for more information.", STR_ARG(p->name));
    command_msg_send(p, &m);
    return c ? c->usage_status : 1;
}

int proc_extra_operand(struct proc *p, struct str s)
{
    proc_warn(p, "extra operand %s", proc_quote(p, s));
    return proc_usage(p);
}

int proc_missing_operand(struct proc *p)
{
    proc_warn(p, "missing operand");
    return proc_usage(p);
}

bool proc_push(struct proc *p, struct strs *list, struct str s)
{
    if (list->n == list->cap) {
        size_t cap = list->cap ? list->cap * 2 : 8;
        struct str *more =
            arena_grow(p->arena, list->p, list->cap * sizeof *more, cap * sizeof *more);
        if (!more)
            return false;
        list->p = more;
        list->cap = cap;
    }
    list->p[list->n++] = s;
    return true;
}

/* ---- words and numbers ---------------------------------------------------------------------- */

static void command_list_words(struct proc *p, const struct word_row *rows)
{
    struct buf b;
    buf_init(&b, &p->kernel->heap);
    buf_addz(&b, "Valid arguments are:");
    for (size_t i = 0; rows[i].name; i++) {
        bool same = i && rows[i].value == rows[i - 1].value;
        buf_printf(&b, "%s\xe2\x80\x98%s\xe2\x80\x99", same ? ", " : "\n  - ", rows[i].name);
    }
    buf_putc(&b, '\n');
    proc_puts(p, 2, buf_get(&b));
    buf_fini(&b);
}

int proc_word(struct proc *p, const char *option, struct str arg, const struct word_row *rows,
              int *value)
{
    const struct word_row *found = NULL;
    bool ambiguous = false;

    for (const struct word_row *r = rows; r->name; r++) {
        struct str name = str_z(r->name);
        if (!str_starts(name, arg))
            continue;
        if (name.n == arg.n) {
            *value = r->value;
            return 0;
        }
        if (found && found->value != r->value)
            ambiguous = true;
        if (!found)
            found = r;
    }
    if (found && !ambiguous) {
        *value = found->value;
        return 0;
    }
    proc_warn(p, "%s argument %s for %s", ambiguous ? "ambiguous" : "invalid", proc_quote(p, arg),
              proc_quote(p, str_z(option)));
    command_list_words(p, rows);
    proc_usage(p);
    return 2; /* status 1 also where other mistakes give 2 or 125 */
}

/* The power of a multiplier letter: K is 1, M is 2 ...; 0 if it is none. */
static int command_power(char c)
{
    const char *letters = "KMGTPEZYRQ";
    if (c == 'k' || c == 'm' || c == 'g' || c == 't')
        c = (char)(c - 32);
    const char *at = c ? strchr(letters, c) : NULL;
    return at ? (int)(at - letters) + 1 : 0;
}

static bool command_scale(uint64_t *v, uint64_t by, int times)
{
    for (int i = 0; i < times; i++) {
        if (__builtin_mul_overflow(*v, by, v))
            return false;
    }
    return true;
}

int size_parse(struct str s, const char *suffixes, uint64_t *out)
{
    size_t i = 0;
    uint64_t v = 0, digit;
    bool over = false;

    while (i < s.n && (s.p[i] == ' ' || (s.p[i] >= '\t' && s.p[i] <= '\r')))
        i++;
    if (i < s.n && s.p[i] == '+')
        i++;
    size_t start = i;
    for (; i < s.n && (digit = (uint64_t)(unsigned char)s.p[i] - '0') < 10; i++)
        over |= __builtin_mul_overflow(v, 10, &v) || __builtin_add_overflow(v, digit, &v);
    if (i == s.n) {
        *out = over ? UINT64_MAX : v;
        return i == start ? HOB_EINVAL : over ? HOB_ERANGE : 0;
    }
    char c = s.p[i];
    if (!c || !strchr(suffixes, c) || c == '0')
        return HOB_EINVAL;
    if (i == start)
        v = 1;
    i++;
    uint64_t base = 1024;
    int power = command_power(c);
    if (strchr(suffixes, '0') && power) {
        if (i + 1 < s.n && s.p[i] == 'i' && s.p[i + 1] == 'B')
            i += 2;
        else if (i < s.n && s.p[i] == 'B')
            base = 1000, i++;
    }
    if (i != s.n)
        return HOB_EINVAL;
    if (power)
        over |= !command_scale(&v, base, power);
    else if (c == 'b')
        over |= !command_scale(&v, 512, 1);
    else if (c == 'w')
        over |= !command_scale(&v, 2, 1);
    else if (c == 'B')
        over |= !command_scale(&v, 1024, 1);
    *out = over ? UINT64_MAX : v;
    return over ? HOB_ERANGE : 0;
}

/* ---- options -------------------------------------------------------------------------------- */

static const struct opt command_no_opts[] = {OPT_END};
/* Every command answers these; they stand behind the rows of the table. */
static const struct opt command_common[] = {
    OPT_FLAG(0, "help", struct command, name, "display this help and exit"),
    OPT_FLAG(0, "version", struct command, name, "output version information and exit"),
    OPT_END,
};

struct command_parse {
    struct proc *p;
    const struct command *c;
    const struct opt *rows;
    void *args;
    struct str *argv; /* with the name in front */
    int argc, at;
    struct str *operands;
    int nops;
    const struct opt *asked; /* --help or --version */
    bool ended;              /* no more options */
};

static bool command_takes(const struct opt *o)
{
    return o->kind == OPT_KIND_STR || o->kind == OPT_KIND_INT || o->kind == OPT_KIND_SIZE ||
           (o->kind == OPT_KIND_CALL && o->arg);
}

static bool command_is_row(const struct opt *o)
{
    return o->kind != OPT_KIND_END && o->kind != OPT_KIND_GROUP;
}

/* A row that was met, with its argument. 0, or a status + 1. */
static int command_store(struct command_parse *c, const struct opt *o, struct str arg)
{
    char *field = (char *)c->args + o->offset;
    int err = 0;

    c->ended |= (o->flags & OPT_LAST) != 0;
    switch (o->kind) {
    case OPT_KIND_FLAG: *(bool *)(void *)field = true; break;
    case OPT_KIND_SET: *(int *)(void *)field = o->value; break;
    case OPT_KIND_COUNT: ++*(int *)(void *)field; break;
    case OPT_KIND_STR: *(struct str *)(void *)field = arg; break;
    case OPT_KIND_INT: err = str_int(arg, (int64_t *)(void *)field); break;
    case OPT_KIND_SIZE: err = size_parse(arg, "bkKMGTPEZYRQ0", (uint64_t *)(void *)field); break;
    case OPT_KIND_CALL: return o->fn(c->p, c->args, o, arg);
    default: break;
    }
    if (err == 0)
        return 0;
    proc_warn(c->p, "invalid number: %s", proc_quote(c->p, arg));
    return c->c->usage_status + 1;
}

static bool command_same(const struct opt *a, const struct opt *b)
{
    return a->kind == b->kind && a->letter == b->letter && a->offset == b->offset &&
           a->value == b->value && a->fn == b->fn && a->flags == b->flags && a->letter;
}

struct command_long {
    const struct opt *exact, *first;
    bool ambiguous;
};

static void command_look(struct command_long *l, const struct opt *rows, struct str name)
{
    for (const struct opt *o = rows; o->kind != OPT_KIND_END; o++) {
        if (!o->name || !str_starts(str_z(o->name), name))
            continue;
        if (strlen(o->name) == name.n)
            l->exact = o;
        else if (!l->first)
            l->first = o;
        else if (!command_same(l->first, o))
            l->ambiguous = true;
    }
}

static void command_ambiguous(struct command_parse *c, struct str word, struct str name)
{
    struct command_msg m;
    const struct opt *const tables[] = {c->rows, command_common};

    m.n = 0;
    command_msg_add(&m, "%.*s: option '%.*s' is ambiguous; possibilities:", STR_ARG(c->p->name),
                    STR_ARG(word));
    for (size_t t = 0; t < COUNT(tables); t++) {
        for (const struct opt *o = tables[t]; o->kind != OPT_KIND_END; o++) {
            if (o->name && str_starts(str_z(o->name), name))
                command_msg_add(&m, " '--%s'", o->name);
        }
    }
    command_msg_send(c->p, &m);
}

/* "--name" or "--name=value". */
static int command_parse_long(struct command_parse *c, struct str word)
{
    struct str name = str_from(word, 2), value = STR_NONE;
    ptrdiff_t eq = str_chr(name, '=');
    struct command_long l = {0};

    if (eq >= 0) {
        value = str_from(name, (size_t)eq + 1);
        if (!value.p)
            value = STR("");
        name.n = (size_t)eq;
    }
    command_look(&l, c->rows, name);
    command_look(&l, command_common, name);
    const struct opt *o = l.exact ? l.exact : l.first;
    if (!l.exact && l.ambiguous) {
        command_ambiguous(c, word, name);
        return proc_usage(c->p) + 1;
    }
    if (!o) {
        proc_warn(c->p, "unrecognized option '--%.*s'", STR_ARG(str_from(word, 2)));
        return proc_usage(c->p) + 1;
    }
    if (eq >= 0 && !command_takes(o)) {
        proc_warn(c->p, "option '--%s' doesn't allow an argument", o->name);
        return proc_usage(c->p) + 1;
    }
    if (eq < 0 && command_takes(o) && !(o->flags & OPT_ARG_OPTIONAL)) {
        if (c->at == c->argc) {
            proc_warn(c->p, "option '--%s' requires an argument", o->name);
            return proc_usage(c->p) + 1;
        }
        value = c->argv[c->at++];
    }
    if (o >= command_common && o < command_common + COUNT(command_common)) {
        c->asked = o;
        return 0;
    }
    return command_store(c, o, value);
}

static const struct opt *command_letter(const struct opt *rows, char letter)
{
    for (const struct opt *o = rows; o->kind != OPT_KIND_END; o++) {
        if (o->letter == letter && command_is_row(o))
            return o;
    }
    return NULL;
}

/* "-abc" */
static int command_parse_cluster(struct command_parse *c, struct str word)
{
    for (size_t i = 1; i < word.n; i++) {
        const struct opt *o = word.p[i] ? command_letter(c->rows, word.p[i]) : NULL;
        struct str arg = STR_NONE;
        bool last = false;
        if (!o) {
            proc_warn(c->p, "invalid option -- '%c'", word.p[i]);
            return proc_usage(c->p) + 1;
        }
        if (command_takes(o) && !(o->flags & OPT_LONG_ONLY_ARG)) {
            last = true;
            if (i + 1 < word.n) {
                arg = str_from(word, i + 1);
            } else if (!(o->flags & OPT_ARG_OPTIONAL)) {
                if (c->at == c->argc) {
                    proc_warn(c->p, "option requires an argument -- '%c'", o->letter);
                    return proc_usage(c->p) + 1;
                }
                arg = c->argv[c->at++];
            }
        }
        int r = command_store(c, o, arg);
        if (r || last)
            return r;
    }
    return 0;
}

static bool command_is_number(struct str w)
{
    char c = w.n > 1 ? w.p[1] : '\0';
    if (c == '.' && w.n > 2)
        c = w.p[2];
    return c >= '0' && c <= '9';
}

/* One word of argv. 0, or a status + 1; c->at goes on. */
static int command_parse_word(struct command_parse *c, bool posixly)
{
    struct str w = c->argv[c->at++];
    bool option = w.n > 1 && w.p[0] == '-';
    int r = NUMBER_OPTIONS;

    if (option && (c->c->flags & CMD_NUMERIC) && command_is_number(w)) {
        r = c->c->number(c->p, c->args, str_from(w, 1));
        if (r >= 0)
            return r;
        option = r != NUMBER_OPERAND;
    }
    if (option && str_eqz(w, "--")) {
        while (c->at < c->argc)
            c->operands[c->nops++] = c->argv[c->at++];
        return 0;
    }
    if (option) {
        r = w.p[1] == '-' ? command_parse_long(c, w) : command_parse_cluster(c, w);
        while (c->ended && c->at < c->argc)
            c->operands[c->nops++] = c->argv[c->at++];
        return r;
    }
    c->operands[c->nops++] = w;
    while (posixly && c->at < c->argc)
        c->operands[c->nops++] = c->argv[c->at++];
    return 0;
}

static int command_parse_all(struct command_parse *c)
{
    struct str env;
    bool posixly = (c->c->flags & CMD_POSIXLY) || proc_getenv(c->p, STR("POSIXLY_CORRECT"), &env);

    if (c->c->flags & CMD_NO_OPTIONS) {
        if (c->argc == 2 && !(c->c->flags & CMD_NO_HELP)) {
            if (str_eqz(c->argv[1], "--help"))
                c->asked = &command_common[0];
            else if (str_eqz(c->argv[1], "--version"))
                c->asked = &command_common[1];
        }
        while (c->at < c->argc)
            c->operands[c->nops++] = c->argv[c->at++];
        return 0;
    }
    while (c->at < c->argc && !c->asked) {
        int r = command_parse_word(c, posixly);
        if (r)
            return r;
    }
    return 0;
}

/* ---- help ----------------------------------------------------------------------------------- */

/* Text that begins at column `at`, wrapped between the help column and the right margin. */
static void command_help_text(struct buf *b, size_t at, const char *text)
{
    size_t col = at;
    for (const char *w = text; *w;) {
        size_t n = strcspn(w, " \n");
        if (col > COMMAND_HELP_COLUMN && col + 1 + n > COMMAND_WIDTH) {
            buf_putc(b, '\n');
            buf_fill(b, ' ', COMMAND_HELP_COLUMN);
            col = COMMAND_HELP_COLUMN;
        }
        if (col > COMMAND_HELP_COLUMN) {
            buf_putc(b, ' ');
            col++;
        }
        buf_add(b, w, n);
        col += n;
        w += n;
        if (*w == '\n') {
            buf_putc(b, '\n');
            buf_fill(b, ' ', COMMAND_HELP_COLUMN);
            col = COMMAND_HELP_COLUMN;
        }
        w += *w != '\0';
    }
    buf_putc(b, '\n');
}

static void command_help_row(struct buf *b, const struct opt *o)
{
    size_t start = b->n;
    const char *arg = command_takes(o) ? o->arg : NULL;
    bool maybe = o->flags & OPT_ARG_OPTIONAL;

    if (o->letter)
        buf_printf(b, "  -%c", o->letter);
    if (o->letter && o->name)
        buf_addz(b, ", ");
    if (o->name)
        buf_printf(b, "%s--%s", o->letter ? "" : "      ", o->name);
    if (arg && o->name)
        buf_printf(b, maybe ? "[=%s]" : "=%s", arg);
    else if (arg)
        buf_printf(b, maybe ? "[%s]" : " %s", arg);
    size_t width = b->n - start;
    if (width + 2 > COMMAND_HELP_COLUMN) {
        buf_putc(b, '\n');
        width = 0;
    }
    buf_fill(b, ' ', COMMAND_HELP_COLUMN - width);
    command_help_text(b, COMMAND_HELP_COLUMN, o->help ? o->help : "");
}

static void command_help_rows(struct buf *b, const struct opt *rows)
{
    for (const struct opt *o = rows; o->kind != OPT_KIND_END; o++) {
        if (o->kind == OPT_KIND_GROUP)
            buf_printf(b, "\n%s\n", o->help);
        else if (!(o->flags & OPT_HIDDEN) && (o->letter || o->name))
            command_help_row(b, o);
    }
}

void command_help(struct buf *b, const struct command *c)
{
    const char *use = c->usage ? c->usage : "";
    for (bool first = true; first || *use; first = false) {
        size_t n = strcspn(use, "\n");
        buf_printf(b, "%s %s%s%.*s\n", first ? "Usage:" : "  or: ", c->name, n ? " " : "", (int)n,
                   use);
        use += n;
        use += *use == '\n';
    }
    if (c->summary)
        buf_printf(b, "%s\n", c->summary);
    buf_putc(b, '\n');
    if (c->opts)
        command_help_rows(b, c->opts);
    command_help_rows(b, command_common);
    if (c->notes)
        buf_printf(b, "\n%s\n", c->notes);
}

static int command_answer(struct proc *p, const struct command *c, bool help)
{
    struct out o;
    struct buf b;

    out_init(&o, p, 1);
    buf_init(&b, &p->kernel->heap);
    if (help)
        command_help(&b, c);
    else
        buf_printf(&b, "%s (Hob) %s\n", c->name, HOB_VERSION);
    out_str(&o, buf_get(&b));
    buf_fini(&b);
    return command_close(p, &o, 0);
}

/* ---- the gate ------------------------------------------------------------------------------- */

int command_close(struct proc *p, struct out *o, int status)
{
    int err = out_fini(o);
    if (err == 0)
        return status;
    if (proc_check(p) < 0 || err == HOB_EKILLED)
        return HOB_EKILLED;
    if (err == HOB_ENOMEM)
        return err;
    proc_warn(p, "write error: %s", error_text(err));
    return command_of(p)->usage_status ? command_of(p)->usage_status : 1;
}

/* Turns what a command came back with into an exit status. */
static int command_status(struct proc *p, const struct command *c, int r)
{
    int failure = c->usage_status ? c->usage_status : 1;
    int oom = heap_gate(&p->kernel->heap);

    if (proc_check(p) < 0 || r == HOB_EKILLED)
        return 128 + (p->killed ? p->killed : p->run->dead_signal ? p->run->dead_signal : SIG_TERM);
    if (oom < 0 || r == HOB_ENOMEM) {
        p->run->soft = HOB_LIMIT_MEMORY;
        proc_warn(p, "memory exhausted");
        return r > 0 ? r : failure;
    }
    if (r >= 0)
        return r & 255;
    proc_warn(p, "%s", error_text(r));
    return failure;
}

int command_run(struct proc *p, const struct command *c)
{
    struct command_parse parse = {.p = p, .c = c, .argv = p->argv, .argc = p->argc, .at = 1};
    int r = 0;

    p->command = c;
    p->zone = NULL;
    p->kernel->commands++;
    if (c->custom)
        return command_status(p, c, c->run(p, NULL));
    parse.rows = c->opts ? c->opts : command_no_opts;
    parse.args = arena_zalloc(p->arena, MAX(c->args_size, (size_t)1));
    if (parse.args && c->defaults)
        c->defaults(p, parse.args); /* which may put other words in their place */
    p->words = parse.argv = p->argv;
    p->nwords = parse.argc = p->argc;
    parse.operands = arena_array(p->arena, struct str, p->argc + 1);
    if (!parse.args || !parse.operands)
        return command_status(p, c, HOB_ENOMEM);
    r = command_parse_all(&parse);
    if (r > 0)
        return command_status(p, c, r - 1);
    if (r == 0 && parse.asked)
        r = command_answer(p, c, parse.asked == &command_common[0]);
    else if (r == 0) {
        p->argv = parse.operands;
        p->argc = parse.nops;
        r = c->run(p, parse.args);
        zone_drop(p);
    }
    return command_status(p, c, r);
}

const struct command *command_find(struct kernel *k, struct str name)
{
    const struct command *const *t = k->commands_table;
    size_t low = 0, high = k->ncommands;

    if (k->custom) {
        const struct command *custom = map_value(k->custom, name);
        if (custom)
            return custom;
    }
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        int d = str_cmp(name, str_z(t[mid]->name));
        if (d == 0)
            return t[mid];
        if (d < 0)
            high = mid;
        else
            low = mid + 1;
    }
    return NULL;
}

/* ---- files ---------------------------------------------------------------------------------- */

int in_open_quiet(struct in *i, struct proc *p, struct str path)
{
    struct file *f;

    if (str_eqz(path, "-")) {
        in_init(i, p, 0);
        return 0;
    }
    int r = vfs_open(p, path, FILE_READ, 0, &f);
    if (r < 0 && r != HOB_EISDIR)
        return r;
    in_init_file(i, p, r < 0 ? NULL : f, r == 0);
    if (r < 0)
        i->err = r; /* a folder opens, and cannot be read */
    return 0;
}

int in_open(struct in *i, struct proc *p, struct str path)
{
    int r = in_open_quiet(i, p, path);
    if (r < 0)
        proc_warn_file(p, path, r);
    return r;
}
