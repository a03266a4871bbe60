/* text.c -- running a text command by command, and keeping what was parsed
 *
 * bash reads one complete command, runs it, reads the next. Texts that come again (eval in a loop,
 * traps, bash -c) are found in a small cache by their bytes, their first line and the options that
 * the parser looks at; if an option has changed in the middle, parsing goes on from there.
 */
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
                                  .aliases = SH_SHOPT(sh, SHOPT_EXPAND_ALIASES) && sh->aliases,
                                  .alias = text_alias,
                                  .stack_low = text_stack_low,
                                  .ud = sh};
}

static uint64_t text_key(struct shell *sh)
{
    uint64_t key = SH_SHOPT(sh, SHOPT_EXTGLOB) | (uint64_t)SH_OPT(sh, OPT_BRACEEXPAND) << 1 |
                   (uint64_t)SH_OPT(sh, OPT_POSIX) << 2;
    if (SH_SHOPT(sh, SHOPT_EXPAND_ALIASES) && sh->aliases)
        key |= sh->aliases_gen << 3;
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
    shell_syntax_error(sh, context, err->line, buf_get(&err->msg));
    eval_set_status(sh, err->status);
}

/* The next command: 1 with one reference, 0 at the end, or an error (reported). */
static int text_next(struct text_run *t, struct program **out)
{
    struct shell *sh = t->sh;
    uint64_t key = text_key(sh);
    if (t->known && !t->parser) {
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
    r = parser_next(t->parser, out, &err);
    if (r != 0)
        text_seen(t, parser_source(t->parser));
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

/* After a command: true when the text must not go on. */
static bool text_stop(struct text_run *t)
{
    struct shell *sh = t->sh;
    if (sh->ctl == CTL_ABORT) {
        /* Discards the rest of the line, and with it a subshell. */
        if (sh->status == 0)
            sh->status = 1;
        eval_set_status(sh, sh->status);
        sh->ctl = sh->forked ? CTL_EXIT : CTL_NONE;
        if (!sh->forked && t->kind != TEXT_EVAL && t->kind != TEXT_SOURCE && t->kind != TEXT_TRAP)
            sh->noerr = 0;
    }
    if (sh->ctl == CTL_NONE && SH_OPT(sh, OPT_ONECMD)) {
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
    int r;
    if (task_stack_low(sh->proc->task))
        return eval_too_deep(sh);
    text_look(&t);
    while ((r = text_next(&t, &prog)) != 0) {
        if (r < 0) {
            ran = true;
            /* A broken name=(..) is no more than a failed command. */
            if (r == HOB_ESYNTAX && sh->status == 1 && !sh->forked)
                continue;
            if (r == HOB_ENOMEM)
                shell_oom(sh);
            else
                text_syntax_end(&t);
            break;
        }
        sh->program = prog;
        if (prog->root && !(SH_OPT(sh, OPT_NOEXEC) && !sh->interactive)) {
            ran = true;
            eval_node(sh, prog->root, 0);
        }
        sh->program = outer;
        if (sh->kept)
            program_unref(sh->kept);
        sh->kept = prog;
        if (UNLIKELY(sh->heap->oom))
            shell_oom(sh);
        if (text_stop(&t))
            break;
    }
    if (!ran && kind != TEXT_TRAP)
        sh->status = 0;
    if (kind == TEXT_EVAL || kind == TEXT_SOURCE)
        sh->command = command; /* the builtin is what runs again */
    text_keep(&t);
    if (t.parser)
        parser_free(t.parser);
    text_entry_unref(sh->heap, t.known);
    text_entry_unref(sh->heap, t.made);
    return sh->status;
}
