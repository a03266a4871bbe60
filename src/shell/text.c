/* text.c -- running a text command by command, and keeping what was parsed
 *
 * bash reads one complete command, runs it, reads the next. Texts that come again (eval in a loop,
 * traps, bash -c) are found in a small cache by their bytes, their first line and the options that
 * the parser looks at; if an option has changed in the middle, parsing goes on from there.
 */
#include "shell/histexp.h"
#include "shell/inner.h"

enum {
    TEXT_SLOTS = 64,
    TEXT_CACHED_MAX = 32768
};

struct text_cmd {
    struct program *program;
    uint64_t key; /* of the options it was parsed with */
    size_t end;   /* offset behind it */
    int line;     /* the line read next */
};

struct text_entry {
    unsigned refs;
    uint32_t hash;
    int line;
    struct str text;    /* owned */
    struct text_cmd *p; /* its commands */
    size_t n, cap;
};

struct text_cache {
    struct text_entry *slots[TEXT_SLOTS];
};

/* A text while it runs. */
struct text_run {
    struct shell *sh;
    struct str text;
    enum shell_text kind;
    int line;
    struct text_entry *known; /* replayed */
    size_t at;                /* next of its commands */
    size_t offset;            /* how far the replay came */
    struct parser *parser;    /* made when something must be parsed */
    size_t base;              /* offset of the parser's text in ours */
    struct text_entry *made;  /* being filled; NULL: not worth it */
    bool dirty;               /* an error or a warning: not to be kept */
    bool list;                /* the last error was in a name=(..) */
    char *owned;              /* the text, once history expansion has changed it */
    size_t owned_size;
};

/* ---- options of the parser ------------------------------------------------------------------- */

static struct str text_alias(void *ud, struct str name) { return alias_get(ud, name); }

static bool text_stack_low(void *ud)
{
    struct shell *sh = ud;
    bool low = task_stack_low(sh->proc->task);
    if (low)
        sh->proc->run->soft = HOB_LIMIT_STACK;
    return low;
}

struct parse_options text_options(struct shell *sh)
{
    return (struct parse_options){.extglob = SH_SHOPT(sh, SHOPT_EXTGLOB),
                                  .no_brace = !SH_OPT(sh, OPT_BRACEEXPAND),
                                  .posix = SH_OPT(sh, OPT_POSIX),
                                  .interactive = sh->interactive,
                                  .compat42 = SH_COMPAT(sh, 42),
                                  .aliases = SH_SHOPT(sh, SHOPT_EXPAND_ALIASES) && sh->aliases,
                                  .alias = text_alias,
                                  .stack_low = text_stack_low,
                                  .ud = sh};
}

static uint64_t text_key(struct shell *sh)
{
    uint64_t key = SH_SHOPT(sh, SHOPT_EXTGLOB) | (uint64_t)SH_OPT(sh, OPT_BRACEEXPAND) << 1 |
                   (uint64_t)SH_OPT(sh, OPT_POSIX) << 2 | (uint64_t)SH_COMPAT(sh, 42) << 3;
    if (SH_SHOPT(sh, SHOPT_EXPAND_ALIASES) && sh->aliases)
        key |= sh->aliases_gen << 4;
    return key;
}

/* ---- the cache ------------------------------------------------------------------------------- */

static void text_entry_unref(struct heap *h, struct text_entry *e)
{
    if (!e || --e->refs)
        return;
    for (size_t i = 0; i < e->n; i++)
        program_unref(e->p[i].program);
    heap_free(h, e->p, e->cap * sizeof *e->p);
    heap_free(h, (char *)e->text.p, e->text.n + 1);
    heap_drop(h, e);
}

void text_cache_free(struct shell_shared *s)
{
    if (!s->texts)
        return;
    for (int i = 0; i < TEXT_SLOTS; i++)
        text_entry_unref(s->heap, s->texts->slots[i]);
    heap_drop(s->heap, s->texts);
    s->texts = NULL;
}

static struct text_entry *text_entry_new(struct heap *h, struct str text, int line, uint32_t hash)
{
    struct text_entry *e = heap_new(h, struct text_entry);
    char *copy = e ? heap_alloc(h, text.n + 1) : NULL;
    if (!copy) {
        if (e)
            heap_drop(h, e);
        return NULL;
    }
    if (text.n)
        memcpy(copy, text.p, text.n);
    copy[text.n] = '\0';
    *e = (struct text_entry){.refs = 1, .hash = hash, .line = line, .text = str_of(copy, text.n)};
    return e;
}

/* Finds the text, or prepares to keep it. */
static void text_look(struct text_run *t)
{
    struct shell *sh = t->sh;
    if (t->kind == TEXT_FILE || t->kind == TEXT_STDIN || t->text.n > TEXT_CACHED_MAX ||
        (t->kind == TEXT_C && !sh->proc->inl))
        return;
    if (!sh->shared->texts)
        sh->shared->texts = heap_new(sh->heap, struct text_cache);
    if (!sh->shared->texts)
        return;
    uint32_t hash = str_hash(t->text) + (uint32_t)t->line;
    struct text_entry *e = sh->shared->texts->slots[hash % TEXT_SLOTS];
    if (e && e->hash == hash && e->line == t->line && str_eq(e->text, t->text)) {
        e->refs++;
        t->known = e;
    } else {
        t->made = text_entry_new(sh->heap, t->text, t->line, hash);
    }
}

/* The whole text was parsed without a complaint: keep it. */
static void text_keep(struct text_run *t)
{
    struct shell *sh = t->sh;
    if (!t->made || t->dirty || !t->parser)
        return;
    struct str rest = str_from(t->text, t->base + parser_offset(t->parser));
    if (str_trim(rest).n)
        return;
    struct text_entry **slot = &sh->shared->texts->slots[t->made->hash % TEXT_SLOTS];
    text_entry_unref(sh->heap, *slot);
    *slot = t->made;
    t->made = NULL;
}

/* ---- reading --------------------------------------------------------------------------------- */

static int text_parser(struct text_run *t)
{
    if (!t->parser) {
        /* What was replayed so far ended before a change of options. */
        int line = t->known && t->at ? t->known->p[t->at - 1].line : t->line;
        t->base = t->offset;
        t->parser = parser_new(t->sh->heap, str_from(t->text, t->offset), line);
        if (!t->parser)
            return HOB_ENOMEM;
    }
    struct parse_options o = text_options(t->sh);
    parser_set_options(t->parser, &o);
    return 0;
}

static void text_warn(struct text_run *t)
{
    struct str w = parser_warnings(t->parser);
    int line = t->sh->line;
    while (w.n) {
        ptrdiff_t eol = str_chr(w, '\n');
        struct str one = eol < 0 ? w : str_sub(w, 0, (size_t)eol);
        ptrdiff_t colon = str_chr(one, ':');
        int64_t at = 1;
        if (colon > 0 && str_int(str_sub(one, 0, (size_t)colon), &at) == 0)
            one = str_from(one, (size_t)colon + 1);
        t->sh->line = (int)at;
        shell_error(t->sh, "warning: %.*s", STR_ARG(one));
        w = str_from(w, eol < 0 ? w.n : (size_t)eol + 1);
        t->dirty = true;
    }
    t->sh->line = line;
}

static void text_echo(struct text_run *t, struct str source)
{
    proc_puts(t->sh->proc, 2, source);
    if (source.n && source.p[source.n - 1] != '\n')
        proc_puts(t->sh->proc, 2, STR("\n"));
}

/* What is done with the source of a command before it runs: set -v and the history. */
static void text_seen(struct text_run *t, struct str source)
{
    bool typed = t->kind == TEXT_C || t->kind == TEXT_FILE || t->kind == TEXT_STDIN;
    if (SH_OPT(t->sh, OPT_VERBOSE))
        text_echo(t, source);
    if (SH_OPT(t->sh, OPT_HISTORY) && typed && !t->sh->forked)
        history_add(t->sh, source);
}

static void text_error(struct text_run *t, struct parse_error *err)
{
    struct shell *sh = t->sh;
    struct str context = STR_NONE;
    if (t->kind == TEXT_C && sh->interactive && !sh->stays) {
        /* Only the first line of the message, as at a prompt. */
        ptrdiff_t eol = str_chr(buf_get(&err->msg), '\n');
        if (eol > 0)
            buf_cut(&err->msg, (size_t)eol);
    } else if (t->kind == TEXT_C)
        context = STR("-c");
    else if (t->kind == TEXT_EVAL)
        context = STR("eval");
    else if (t->kind == TEXT_TRAP)
        context = sh->text_name;
    t->dirty = true;
    ptrdiff_t eol = str_chr(buf_get(&err->msg), '\n');
    if (SH_OPT(sh, OPT_ERREXIT) && eol > 0)
        buf_cut(&err->msg, (size_t)eol); /* bash leaves between the two lines */
    struct str msg = buf_get(&err->msg);
    for (int i = 0; i < err->nlines && msg.n; i++) {
        int line = i && err->lines[i - 1] ? err->lines[i - 1] : err->line;
        bool last = i + 1 == err->nlines || (eol = str_chr(msg, '\n')) < 0;
        shell_syntax_error(sh, context, line, last ? msg : str_sub(msg, 0, (size_t)eol));
        msg = last ? STR("") : str_from(msg, (size_t)eol + 1);
    }
    int status = err->status;
    t->list = status == 1 && !SH_OPT(sh, OPT_ERREXIT);
    if ((status == 1 || status == 127) && SH_OPT(sh, OPT_ERREXIT))
        status = 2;
    if (err->keep && t->kind == TEXT_EVAL)
        status = status ? status : 2;
    else if (err->keep && sh->status)
        status = sh->status;
    eval_set_status(sh, status);
}

/* ---- history expansion ----------------------------------------------------------------------- */

/* Whether a line may hold something to expand. */
static bool text_special_line(struct str line)
{
    if (line.n && line.p[0] == '^')
        return true;
    for (size_t i = 0; i + 1 < line.n; i++)
        if (line.p[i] == '!' && !memchr(" \t\n\r=", line.p[i + 1], 5))
            return true;
    return false;
}

static struct str text_line(struct str s, size_t at)
{
    const char *nl = at < s.n ? memchr(s.p + at, '\n', s.n - at) : NULL;
    return str_sub(s, at, nl ? (size_t)(nl - s.p) - at : s.n - at);
}

/* The quote that a text ends in, 0 if none. */
static char text_open_quote(struct str s)
{
    char quote = '\0';
    for (size_t i = 0; i < s.n; i++) {
        if (s.p[i] == '\\' && quote != '\'')
            i++;
        else if (quote)
            quote = s.p[i] == quote ? '\0' : quote;
        else if (s.p[i] == '"' || s.p[i] == '\'')
            quote = s.p[i];
    }
    return quote;
}

/* Whether a text begins with a whole command. *document: it ends inside a here-document. */
static bool text_complete(struct text_run *t, struct str s, bool *document)
{
    struct parse_options o = text_options(t->sh);
    struct parser *p = parser_new(t->sh->heap, s, 1);
    struct parse_error err;
    struct program *prog;
    int r;
    *document = false;
    if (!p)
        return true;
    parse_error_init(&err, t->sh->heap);
    parser_set_options(p, &o);
    r = parser_next(p, &prog, &err);
    if (r == 1) {
        *document = parser_warnings(p).n > 0;
        program_unref(prog);
    }
    bool whole = r != 0 && !(r == HOB_ESYNTAX && err.incomplete) && !*document;
    parse_error_fini(&err);
    parser_free(p);
    return whole;
}

/* Expands one line of the command that is collected in cmd. False: it is dropped. */
static bool text_histexp_line(struct text_run *t, struct str line, int number, struct buf *cmd)
{
    struct shell *sh = t->sh;
    struct buf out, why;
    buf_init(&out, sh->heap);
    buf_init(&why, sh->heap);
    struct str before = buf_get(cmd);
    char quote = text_open_quote(before);
    bool held = str_trim(before).n && history_hold(sh, str_sub(before, 0, before.n - 1));
    int r = histexp_line(sh, line, quote, &out, &why);
    if (held)
        history_unhold(sh);
    if (r == HOB_EINVAL) {
        int at = sh->line;
        sh->line = number;
        shell_error(sh, "%.*s", (int)why.n, why.p);
        sh->line = at;
    }
    if (r > 0)
        text_echo(t, buf_get(&out));
    if (r == 2)
        history_add(sh, buf_get(&out));
    if (r == 0 || r == 1) {
        buf_str(cmd, buf_get(&out));
        buf_putc(cmd, '\n');
    }
    buf_fini(&out);
    buf_fini(&why);
    return r == 0 || r == 1;
}

/* The command at `from` holds lines to be expanded: each is, until the command is whole. Then the
 * text goes on with what came out, in a parser of its own. 1: so it is, 0: nothing has changed. */
static int text_histexp(struct text_run *t, size_t from, int line)
{
    struct str rest = str_from(t->text, from);
    struct buf cmd;
    size_t at = 0;
    int number = line;
    bool document = false, some = false;
    buf_init(&cmd, t->sh->heap);
    while (at < rest.n) {
        struct str l = text_line(rest, at);
        bool special = text_special_line(l);
        if (special && cmd.n && text_complete(t, buf_get(&cmd), &document))
            break;
        if (proc_tick(t->sh->proc, special ? (int64_t)(cmd.n >> 10) + 1 : 1) < 0)
            break;
        at = MIN(at + l.n + 1, rest.n);
        if (special && !document) {
            number += text_histexp_line(t, l, number, &cmd);
            some = true;
            if (text_complete(t, buf_get(&cmd), &document))
                break;
            continue;
        }
        buf_str(&cmd, l);
        buf_putc(&cmd, '\n');
        number++;
    }
    if (some) {
        buf_str(&cmd, str_from(rest, at));
        buf_putc(&cmd, '\0');
    }
    if (!some || t->sh->heap->oom) {
        buf_fini(&cmd);
        return t->sh->heap->oom ? HOB_ENOMEM : 0;
    }
    parser_free(t->parser);
    if (t->owned)
        heap_free(t->sh->heap, t->owned, t->owned_size);
    t->owned = cmd.p;
    t->owned_size = cmd.cap;
    t->text = str_of(cmd.p, cmd.n - 1);
    t->base = 0;
    t->dirty = true;
    t->parser = parser_new(t->sh->heap, t->text, line);
    return t->parser ? 1 : HOB_ENOMEM;
}

/* parser_next() with history expansion: a command is read as it stands, and read again if lines of
 * it turn out to have something to expand. */
static int text_parse(struct text_run *t, struct program **out, struct parse_error *err)
{
    struct shell *sh = t->sh;
    bool typed = t->kind == TEXT_C || t->kind == TEXT_FILE || t->kind == TEXT_STDIN;
    bool on = typed && !sh->forked && SH_OPT(sh, OPT_HISTORY) && SH_OPT(sh, OPT_HISTEXPAND);
    size_t from = parser_offset(t->parser);
    int line = parser_line(t->parser);
    int r = parser_next(t->parser, out, err);
    if (LIKELY(!on) || r == 0)
        return r;
    struct str source = str_sub(t->text, t->base + from, parser_offset(t->parser) - from);
    bool special = false;
    for (size_t at = 0; at < source.n && !special; at += text_line(source, at).n + 1)
        special = text_special_line(text_line(source, at));
    if (!special)
        return r;
    if (r == 1)
        program_unref(*out);
    int e = text_histexp(t, t->base + from, line);
    if (e < 0)
        return e;
    if (e == 0) {
        parser_free(t->parser);
        t->base += from;
        t->parser = parser_new(sh->heap, str_from(t->text, t->base), line);
        if (!t->parser)
            return HOB_ENOMEM;
    }
    struct parse_options o = text_options(sh);
    parser_set_options(t->parser, &o);
    return parser_next(t->parser, out, err);
}

/* The next command: 1 with one reference, 0 at the end, or an error (reported). */
static int text_next(struct text_run *t, struct program **out)
{
    struct shell *sh = t->sh;
    uint64_t key = text_key(sh);
    if (t->known && !t->parser && !(SH_OPT(sh, OPT_HISTEXPAND) && SH_OPT(sh, OPT_HISTORY))) {
        struct text_entry *e = t->known;
        if (t->at == e->n)
            return 0;
        struct text_cmd *c = &e->p[t->at];
        if (c->key == key) {
            text_seen(t, str_sub(t->text, t->offset, c->end - t->offset));
            t->at++;
            t->offset = c->end;
            *out = program_ref(c->program);
            return 1;
        }
    }
    int r = text_parser(t);
    if (r < 0)
        return r;
    struct parse_error err;
    parse_error_init(&err, sh->heap);
    r = text_parse(t, out, &err);
    if (r != 0 && t->parser)
        text_seen(t, parser_source(t->parser));
    if (t->parser)
        text_warn(t);
    if (r == HOB_ELIMIT && (sh->depth || sh->sourcing || sh->in_trap))
        eval_too_deep(sh); /* by the calls around it, not by what it says */
    else if (r == HOB_ESYNTAX || r == HOB_ELIMIT)
        text_error(t, &err);
    parse_error_fini(&err);
    if (r == 1 && t->made) {
        struct text_cmd c = {*out, key, t->base + parser_offset(t->parser), parser_line(t->parser)};
        if (vec_push(sh->heap, t->made, c))
            program_ref(*out);
    }
    return r;
}

/* ---- running --------------------------------------------------------------------------------- */

/* The line that is read next. */
static int text_line_read(const struct text_run *t)
{
    return t->parser ? parser_line(t->parser) : t->known && t->at ? t->known->p[t->at - 1].line : 1;
}

/* When an error leaves a command of several lines, bash counts on from the line of the error. */
static void text_recount(struct text_run *t)
{
    if (text_parser(t) < 0 || parser_line(t->parser) == t->sh->line + 1)
        return;
    parser_set_line(t->parser, t->sh->line + 1);
    t->dirty = true;
}

/* After a command: true when the text must not go on. */
static bool text_stop(struct text_run *t)
{
    struct shell *sh = t->sh;
    if (sh->ctl == CTL_ABORT) {
        /* Discards the rest of the line, and with it a subshell. */
        if (sh->status == 0 && !SH_OPT(sh, OPT_NOEXEC))
            sh->status = 1;
        eval_set_status(sh, sh->status);
        sh->ctl = sh->forked ? CTL_EXIT : CTL_NONE;
        if (t->kind == TEXT_C || t->kind == TEXT_FILE || t->kind == TEXT_STDIN)
            text_recount(t);
        if (!sh->forked && t->kind != TEXT_EVAL && t->kind != TEXT_SOURCE && t->kind != TEXT_TRAP)
            sh->noerr = 0;
    }
    if (sh->ctl == CTL_NONE && SH_OPT(sh, OPT_ONECMD) &&
        (t->kind == TEXT_FILE || t->kind == TEXT_STDIN)) {
        sh->ctl = CTL_EXIT;
        return true;
    }
    return sh->ctl != CTL_NONE;
}

static void text_syntax_end(struct text_run *t)
{
    struct shell *sh = t->sh;
    bool whole = t->kind == TEXT_C || t->kind == TEXT_FILE || t->kind == TEXT_STDIN;
    if (!sh->interactive && !sh->stays && (whole || SH_OPT(sh, OPT_POSIX)))
        sh->ctl = CTL_EXIT;
}

int shell_run_text(struct shell *sh, struct str text, enum shell_text kind, int first_line)
{
    struct text_run t = {.sh = sh, .text = text, .kind = kind, .line = first_line};
    struct program *outer = sh->program, *prog;
    struct node *command = sh->command;
    bool ran = false;
    int r, base = sh->line_base, loops = sh->loops;
    if (task_stack_low(sh->proc->task))
        return eval_too_deep(sh);
    sh->line_base = 0;
    text_look(&t);
    while ((r = text_next(&t, &prog)) != 0) {
        if (r < 0) {
            ran = true;
            /* A broken name=(..) is no more than a failed command. */
            if (r == HOB_ESYNTAX && t.list && !sh->forked)
                continue;
            if (r == HOB_ENOMEM)
                shell_oom(sh);
            else
                text_syntax_end(&t);
            break;
        }
        sh->program = prog;
        struct node *last = sh->command;
        if (prog->root && !(SH_OPT(sh, OPT_NOEXEC) && !sh->interactive)) {
            ran = true;
            sh->line = MAX(text_line_read(&t) - 1, 1); /* what a compound command reports */
            eval_node(sh, prog->root, 0);
        }
        sh->program = outer;
        if (sh->command != last) { /* it is in this text now */
            if (sh->kept)
                program_unref(sh->kept);
            sh->kept = prog;
        } else {
            program_unref(prog);
        }
        if (UNLIKELY(sh->heap->oom))
            shell_oom(sh);
        if (text_stop(&t))
            break;
    }
    if (!ran && kind != TEXT_TRAP)
        sh->status = 0;
    if (kind == TEXT_EVAL || kind == TEXT_SOURCE)
        sh->command = command; /* the builtin is what runs again */
    sh->line_base = base;
    if (sh->interactive || (kind != TEXT_C && kind != TEXT_FILE && kind != TEXT_STDIN))
        sh->loops = loops;
    text_keep(&t);
    if (t.parser)
        parser_free(t.parser);
    text_entry_unref(sh->heap, t.known);
    text_entry_unref(sh->heap, t.made);
    if (t.owned)
        heap_free(sh->heap, t.owned, t.owned_size);
    return sh->status;
}
