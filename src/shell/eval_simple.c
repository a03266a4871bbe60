/* eval_simple.c -- simple commands: assignments, functions, builtins, programs
 *
 * The hot path of every script. A command whose name is constant text keeps in its node which
 * builtin or function it is, checked against a counter; everything else lives in the shell's arena
 * between one mark and its release.
 */
#include "base/error.h"
#include "base/utf8.h"
#include "shell/inner.h"

/* What is known about a simple command with a constant name. */
struct simple_cache {
    const struct builtin *builtin; /* by its name, disabled or not; NULL: none */
    struct function *function;     /* valid for ... */
    struct functab *functions;     /* ... this table ... */
    uint64_t gen;                  /* ... at this count of changes */
    bool decl;                     /* arguments may be assignments */
};

/* ---- words ----------------------------------------------------------------------------------- */

/* declare, export, local ... take name=value words as assignments: not split, ~ after = and :. */
static bool simple_decl(const struct node *n)
{
    const struct word *w = n->u.simple.nwords ? n->u.simple.words[0] : NULL;
    if (!w || !(w->flags & WORD_STATIC) || w->flags & WORD_QUOTED)
        return false;
    const struct builtin *b = builtin_find(w->lit);
    bool behind = str_eqz(w->lit, "command"); /* in posix mode the parser marks its words */
    for (int i = 1; behind && i < n->u.simple.nwords; i++)
        if (n->u.simple.words[i]->flags & WORD_ASSIGN)
            return true;
    return b && (b->flags & BUILTIN_ASSIGN);
}

static struct simple_cache *simple_cache_of(struct shell *sh, struct node *n)
{
    struct simple_cache *c = n->u.simple.cache;
    if (LIKELY(c != NULL))
        return c;
    c = arena_zalloc(&sh->program->arena, sizeof *c);
    if (!c)
        return NULL;
    if (n->u.simple.nwords && n->u.simple.words[0]->flags & WORD_STATIC)
        c->builtin = builtin_find(n->u.simple.words[0]->lit);
    c->gen = UINT64_MAX;
    c->decl = simple_decl(n);
    n->u.simple.cache = c;
    return c;
}

static int simple_push(struct shell *sh, struct strs *v, struct str s)
{
    if (v->n == v->cap) {
        size_t cap = MAX(v->cap * 2, (size_t)8);
        struct str *p = arena_grow(&sh->arena, v->p, v->cap * sizeof *p, cap * sizeof *p);
        if (!p)
            return HOB_ENOMEM;
        v->p = p;
        v->cap = cap;
    }
    v->p[v->n++] = s;
    return 0;
}

static int simple_expand_decl(struct shell *sh, struct node *n, const struct simple_cache *c,
                              struct strs *argv)
{
    struct word **w = n->u.simple.words;
    int r = 0;
    for (int i = 0; i < n->u.simple.nwords && r >= 0; i++) {
        struct str s = STR_NONE;
        if (i == 0 || !(w[i]->flags & WORD_ASSIGN)) {
            struct strs more = {0};
            r = expand_words(sh, &w[i], 1, &more);
            for (size_t k = 0; r >= 0 && k < more.n; k++)
                r = simple_push(sh, argv, more.p[k]);
            continue;
        }
        if (w[i]->flags & WORD_ARRAY) { /* is assigned before the builtin runs */
            s = w[i]->assign->name;
            r = declare_list(sh, c->builtin, w, i);
        } else {
            r = expand_word(sh, w[i], EXPAND_TILDE_EQ, &s);
        }
        if (r >= 0)
            r = simple_push(sh, argv, s);
    }
    return r;
}

/* ---- assignments ----------------------------------------------------------------------------- */

/* Redirections without a command. bash forks for those of the {var}> form, so that the variable is
 * set for nobody. */
static int simple_redirs_only(struct shell *sh, struct node *n)
{
    struct redir_save *save = NULL;
    bool var = false;
    for (int i = 0; i < n->nredirs; i++)
        var = var || n->redirs[i].var.p;
    if (!var) {
        int r = redir_apply(sh, n->redirs, n->nredirs, &save);
        redir_restore(sh, save);
        bool input = sh->forked && !sh->dispatched; /* < nope | ...: bash takes it for done */
        for (int i = 0; i < n->nredirs; i++)
            input = input && n->redirs[i].op == REDIR_IN;
        return r < 0 && !(input && sh->ctl == CTL_NONE && sh->alone == n);
    }
    struct subshell s;
    struct shell *c = subshell_enter(sh, &s);
    if (!c)
        return 1;
    c->status = redir_apply(c, n->redirs, n->nredirs, &save) < 0;
    redir_keep(c, save);
    return subshell_leave(sh, &s);
}

static int simple_assign_only(struct shell *sh, struct node *n)
{
    int r = 0, status = 0;
    for (int i = 0; i < n->u.simple.nassigns && r >= 0; i++)
        r = expand_assign(sh, &n->u.simple.assigns[i], 0);
    if (r < 0) {
        if (sh->ctl == CTL_NONE) {
            /* The rest of the line is discarded; in posix mode and with -e the shell ends. */
            sh->ctl = SH_OPT(sh, OPT_ERREXIT) ? CTL_EXIT : CTL_ABORT;
            if (SH_OPT(sh, OPT_POSIX))
                shell_fatal(sh, 127);
            else
                sh->status = 1;
        }
        return sh->status;
    }
    if (n->nredirs)
        status = simple_redirs_only(sh, n);
    if (!status && sh->cmdsub_status >= 0)
        status = sh->cmdsub_status;
    return status;
}

/* x=1 cmd. A readonly name is reported and otherwise has no effect. */
static int simple_assign_temp(struct shell *sh, struct node *n)
{
    for (int i = 0; i < n->u.simple.nassigns; i++) {
        if (expand_assign(sh, &n->u.simple.assigns[i], ASSIGN_TEMP) < 0 &&
            (SH_OPT(sh, OPT_POSIX) || SH_OPT(sh, OPT_ERREXIT)) && sh->ctl == CTL_NONE)
            shell_fatal(sh, 1);
        if (sh->ctl != CTL_NONE)
            return -1;
    }
    return 0;
}

/* ---- running --------------------------------------------------------------------------------- */

static int simple_builtin(struct shell *sh, const struct builtin *b, struct strs *argv)
{
    const struct builtin *outer = sh->builtin;
    sh->builtin = (struct builtin *)b;
    bool special = (b->flags & BUILTIN_SPECIAL) && !sh->behind_command;
    sh->misused = sh->behind_command = false;
    int status = b->run(sh, argv->p, (int)argv->n);
    sh->builtin = (struct builtin *)outer;
    if (UNLIKELY(sh->misused) && special && SH_OPT(sh, OPT_POSIX) && sh->ctl == CTL_NONE &&
        !sh->interactive)
        shell_fatal(sh, 2);
    sh->misused = false;
    if (UNLIKELY(status < 0)) {
        if (proc_check(sh->proc) < 0)
            return eval_killed(sh);
        status = 1;
    }
    return sh->ctl == CTL_NONE ? status : sh->status;
}

static int simple_not_found(struct shell *sh, struct strs *argv)
{
    struct function *f = function_find(sh, STR("command_not_found_handle"));
    if (!f)
        return run_complain(sh, argv->p[0], HOB_ENOENT);
    struct str *words = arena_array(&sh->arena, struct str, argv->n + 1);
    if (!words)
        return 127;
    words[0] = f->name;
    memcpy(words + 1, argv->p, argv->n * sizeof *words);
    struct subshell s;
    struct shell *c = subshell_enter(sh, &s);
    if (!c)
        return 127;
    c->subshell--;
    eval_function(c, f, words, (int)argv->n + 1);
    return subshell_leave(sh, &s);
}

/* Runs the words, with the redirections in effect. */
static int simple_dispatch(struct shell *sh, struct found *f, struct strs *argv, int flags)
{
    sh->dispatched = true;
    if (UNLIKELY(sh->subshell_late)) {
        sh->subshell_late = false;
        sh->subshell++;
    }
    if (f->function)
        return eval_function(sh, f->function, argv->p, (int)argv->n);
    if (f->builtin)
        return simple_builtin(sh, f->builtin, argv);
    if (UNLIKELY(sh->restricted) && str_chr(argv->p[0], '/') >= 0) {
        shell_error(sh, "%.*s: restricted: cannot specify `/' in command names",
                    STR_ARG(argv->p[0]));
        return 1;
    }
    if (f->err == HOB_ENOENT && !memchr(argv->p[0].p ? argv->p[0].p : "", '/', argv->p[0].n))
        return simple_not_found(sh, argv);
    if (f->err < 0)
        return run_complain(sh, f->path.p ? f->path : argv->p[0], f->err);
    bool self = (flags & EVAL_LAST) && sh->forked && !sh->trap_signals && !sh->trap_special;
    return run_found(sh, f, argv->p, (int)argv->n, self);
}

int eval_words(struct shell *sh, struct str *argv, int argc, int flags)
{
    struct strs v = {argv, (size_t)argc, (size_t)argc};
    struct found f;
    find_command(sh, argv[0], flags, &f);
    sh->behind_command = f.builtin && (flags & RUN_NO_FUNC);
    return simple_dispatch(sh, &f, &v, 0);
}

/* From the cache in the node if the name is constant, else by looking everywhere. */
static void simple_find(struct shell *sh, struct node *n, struct simple_cache *c, struct str name,
                        struct found *f)
{
    if (!(n->u.simple.words[0]->flags & WORD_STATIC) || SH_OPT(sh, OPT_POSIX)) {
        find_command(sh, name, 0, f);
        return;
    }
    *f = (struct found){0};
    if (sh->functions) {
        if (c->gen != sh->shared->functions_gen || c->functions != sh->functions) {
            c->function = function_find(sh, name);
            c->functions = sh->functions;
            c->gen = sh->shared->functions_gen;
        }
        f->function = c->function;
        if (f->function)
            return;
    }
    if (c->builtin && LIKELY(!(sh->disabled[0] | sh->disabled[1]) || builtin_active(sh, name)))
        f->builtin = c->builtin;
    else
        find_command(sh, name, RUN_NO_FUNC, f);
}

static void simple_last_arg(struct shell *sh, struct str s)
{
    buf_clear(&sh->last_buf);
    buf_str(&sh->last_buf, s);
    sh->last_arg = buf_get(&sh->last_buf);
}

/* A failed redirection, or a special builtin that failed, ends a shell in posix mode. */
static void simple_posix_exit(struct shell *sh, const struct found *f)
{
    if (SH_OPT(sh, OPT_POSIX) && f->builtin && f->builtin->flags & BUILTIN_SPECIAL &&
        sh->ctl == CTL_NONE)
        shell_fatal(sh, 1);
}

/* Whether expanding the parts may assign something. */
static bool simple_parts_assign(const struct part *p, int n)
{
    for (int i = 0; i < n; i++, p++) {
        if (p->kind == PART_ARITH || (p->kind == PART_PARAM && p->u.param->op != PARAM_PLAIN) ||
            (p->kind == PART_PARAM && p->u.param->index) ||
            (p->kind == PART_DQUOTE && simple_parts_assign(p->u.sub.p, p->u.sub.n)))
            return true;
    }
    return false;
}

static bool simple_redirs_assign(const struct node *n)
{
    for (int i = 0; i < n->nredirs; i++) {
        const struct word *w = n->redirs[i].word;
        if (n->redirs[i].var.p ||
            (w && !(w->flags & WORD_STATIC) && simple_parts_assign(w->parts, w->n)))
            return true;
    }
    return false;
}

/* A program opens its redirections in its own process: what they assign is lost with it. */
static int simple_apart(struct shell *sh, struct node *n, struct found *f, struct strs *argv)
{
    struct subshell s;
    struct redir_save *save = NULL;
    struct shell *c = subshell_enter(sh, &s);
    if (!c)
        return 1;
    c->subshell--;
    c->forked = sh->forked; /* for the status of a fatal error */
    if (n->u.simple.nassigns)
        scope_flip(c);
    int r = redir_apply(c, n->redirs, n->nredirs, &save);
    if (n->u.simple.nassigns)
        scope_flip(c);
    c->forked = true;
    if (r < 0)
        c->status = c->ctl == CTL_NONE ? 1 : c->status;
    else
        c->status = simple_dispatch(c, f, argv, 0);
    redir_keep(c, save);
    sh->killed_sig = c->killed_sig;
    sh->killed_pid = c->killed_pid;
    return subshell_leave(sh, &s);
}

/* The redirections, which do not see the assignments in front of the command. */
static int simple_redirect(struct shell *sh, struct node *n, bool scoped, struct redir_save **save)
{
    if (scoped)
        scope_flip(sh);
    int r = redir_apply(sh, n->redirs, n->nredirs, save);
    if (scoped)
        scope_flip(sh);
    return r;
}

/* %1 as a command: fg %1. */
static int simple_job(struct shell *sh, struct strs *argv)
{
    const struct builtin *fg = builtin_find(STR("fg"));
    struct strs v = {arena_array(&sh->arena, struct str, argv->n + 1), argv->n + 1, argv->n + 1};
    if (!v.p || !fg)
        return 1;
    v.p[0] = STR("fg");
    memcpy(v.p + 1, argv->p, argv->n * sizeof *v.p);
    return simple_builtin(sh, fg, &v);
}

/* The name of a folder as a command, under autocd: cd -- folder, which is shown. */
static int simple_autocd(struct shell *sh, struct strs *argv)
{
    const struct builtin *cd = builtin_find(STR("cd"));
    struct str words[3] = {STR("cd"), STR("--"), argv->p[0]};
    struct strs v = {words, 3, 3};
    struct buf b;
    buf_init(&b, sh->heap);
    buf_printf(&b, "cd -- %.*s\n", STR_ARG(argv->p[0]));
    proc_puts(sh->proc, 2, buf_get(&b));
    buf_fini(&b);
    return simple_builtin(sh, cd, &v);
}

static bool simple_is_dir(struct shell *sh, struct str path)
{
    struct stat_info st;
    return vfs_stat(sh->proc, path, 0, &st) >= 0 && MODE_IS_DIR(st.mode);
}

static int simple_command(struct shell *sh, struct node *n, struct simple_cache *c,
                          struct strs *argv, int flags)
{
    struct found f;
    struct redir_save *save = NULL;
    bool scoped = false;
    int status = 1;
    if (n->u.simple.nassigns) {
        if (scope_push(sh, false) < 0)
            return 1;
        scoped = true;
        if (simple_assign_temp(sh, n) < 0) {
            scope_pop(sh);
            return sh->status;
        }
    }
    if (UNLIKELY(SH_OPT(sh, OPT_XTRACE)))
        trace_words(sh, argv->p, (int)argv->n);
    if (UNLIKELY(argv->p[0].n && *argv->p[0].p == '%' && n != sh->stage)) {
        status = simple_job(sh, argv);
        if (scoped)
            scope_pop(sh);
        return status;
    }
    simple_find(sh, n, c, argv->p[0], &f);
    bool program = !f.builtin && !f.function;
    if (UNLIKELY(SH_SHOPT(sh, SHOPT_AUTOCD)) && sh->interactive && program && f.err &&
        argv->n == 1 && simple_is_dir(sh, argv->p[0])) {
        status = simple_autocd(sh, argv);
    } else if (UNLIKELY(n->nredirs && program && simple_redirs_assign(n))) {
        status = simple_apart(sh, n, &f, argv);
    } else if (n->nredirs && simple_redirect(sh, n, scoped, &save) < 0) {
        simple_posix_exit(sh, &f);
        status = sh->ctl == CTL_NONE ? 1 : sh->status;
        if (program && (sh->ctl == CTL_ABORT || sh->ctl == CTL_EXIT))
            sh->ctl = CTL_NONE; /* it would have ended the program's process */
    } else {
        status = simple_dispatch(sh, &f, argv, flags);
    }
    if (UNLIKELY(sh->keep_redirs)) {
        sh->keep_redirs = false;
        redir_keep(sh, save);
    } else if (save) {
        redir_restore(sh, save);
    }
    if (UNLIKELY(sh->killed_sig)) {
        int sig = sh->killed_sig;
        sh->killed_sig = 0;
        int line = sh->line;
        sh->line = sh->line_around;
        if (proc_check(sh->proc) >= 0)
            job_tell_signal(sh, sh->killed_pid, sig, n);
        sh->line = line;
    }
    if (scoped) {
        bool keep = SH_OPT(sh, OPT_POSIX) && f.builtin && f.builtin->flags & BUILTIN_SPECIAL;
        if (keep)
            scope_keep(sh);
        else
            scope_pop(sh);
    }
    if (!f.function || argv->n)
        simple_last_arg(sh, argv->p[argv->n - 1]);
    return status;
}

/* ---- set -k ---------------------------------------------------------------------------------- */

/* The word name=value as the assignment it is under set -k, parsed into prog; false: it is none. */
static bool simple_keyword(struct shell *sh, const struct word *w, struct program **prog,
                           struct assign *out)
{
    struct parse_options o = text_options(sh);
    struct parse_error err;
    struct buf text;
    bool found = false;
    size_t i = 0;
    while (i < w->src.n && (ascii_alnum(w->src.p[i]) || w->src.p[i] == '_'))
        i++;
    if (i == 0 || i >= w->src.n || w->src.p[i] != '=' || ascii_digit(w->src.p[0]))
        return false;
    buf_init(&text, sh->heap);
    print_word(&text, w);
    struct parser *p = parser_new(sh->heap, buf_get(&text), sh->line);
    parse_error_init(&err, sh->heap);
    o.aliases = false;
    if (p) {
        parser_set_options(p, &o);
        if (parser_next(p, prog, &err) == 1) {
            struct node *n = (*prog)->root;
            while (n && n->kind == NODE_LIST && n->u.list.n == 1)
                n = n->u.list.items[0].node;
            found = n && n->kind == NODE_SIMPLE && n->u.simple.nassigns == 1;
            if (found)
                *out = n->u.simple.assigns[0];
            else
                program_unref(*prog);
        }
        parser_free(p);
    }
    parse_error_fini(&err);
    buf_fini(&text);
    return found;
}

static int simple_run(struct shell *sh, struct node *n, int flags);

/* Runs a copy of the command in which every name=value stands in front. */
static int simple_keywords(struct shell *sh, struct node *n, int flags)
{
    int count = n->u.simple.nwords, na = n->u.simple.nassigns, words = 0, progs = 0;
    struct node *copy = arena_new(&sh->arena, struct node);
    struct assign *assigns = arena_array(&sh->arena, struct assign, na + count + 1);
    struct word **w = arena_array(&sh->arena, struct word *, count + 1);
    struct program **prog = arena_array(&sh->arena, struct program *, count + 1);
    if (!copy || !assigns || !w || !prog)
        return 1;
    if (na)
        memcpy(assigns, n->u.simple.assigns, (size_t)na * sizeof *assigns);
    for (int i = 0; i < count; i++) {
        if (i && simple_keyword(sh, n->u.simple.words[i], &prog[progs], &assigns[na]))
            progs++, na++;
        else
            w[words++] = n->u.simple.words[i];
    }
    *copy = *n;
    copy->u.simple.assigns = assigns;
    copy->u.simple.nassigns = na;
    copy->u.simple.words = w;
    copy->u.simple.nwords = words;
    copy->u.simple.cache = NULL;
    bool kept = !progs; /* no word is left that is one: the copy ends here */
    int status = kept ? 0 : simple_run(sh, copy, flags);
    while (progs)
        program_unref(prog[--progs]);
    return kept ? -1 : status;
}

static int simple_run(struct shell *sh, struct node *n, int flags)
{
    struct simple_cache *c = simple_cache_of(sh, n);
    struct strs argv = {0};
    int r = 0;
    if (!c)
        return 1;
    if (UNLIKELY(SH_OPT(sh, OPT_KEYWORD)) && n->u.simple.nwords > 1) {
        r = simple_keywords(sh, n, flags);
        if (r >= 0)
            return r;
        r = 0;
    }
    if (UNLIKELY(c->decl))
        r = simple_expand_decl(sh, n, c, &argv);
    else if (n->u.simple.nwords)
        r = expand_words(sh, n->u.simple.words, n->u.simple.nwords, &argv);
    if (r < 0)
        return sh->ctl == CTL_NONE ? 1 : sh->status;
    if (!argv.n) {
        int status = simple_assign_only(sh, n);
        simple_last_arg(sh, STR(""));
        return status;
    }
    return simple_command(sh, n, c, &argv, flags);
}

int eval_simple(struct shell *sh, struct node *n, int flags)
{
    int line = sh->line, around = sh->line_around;
    sh->line_around = line;
    sh->line = n->line + sh->line_base;
    if (UNLIKELY(proc_tick(sh->proc, 1) < 0))
        return eval_killed(sh);
    if (UNLIKELY(sh->trap_special & TRAP_BIT_DEBUG) && eval_debug(sh, n))
        return sh->status;
    if (LIKELY(!sh->in_trap))
        sh->command = n;
    struct arena_mark m = arena_mark(&sh->arena);
    struct procsub *ps = sh->procsubs;
    sh->cmdsub_status = -1;
    uint8_t err = sh->trap_special & TRAP_BIT_ERR;
    int status = simple_run(sh, n, flags);
    if (UNLIKELY(sh->procsubs != ps))
        eval_close_procsubs(sh, ps);
    arena_release(&sh->arena, m);
    eval_set_status(sh, status);
    if (UNLIKELY(sh->heap->oom))
        shell_oom(sh);
    if (UNLIKELY(proc_check(sh->proc) < 0))
        return eval_killed(sh);
    if (UNLIKELY(trap_pending(sh)) && sh->ctl == CTL_NONE)
        traps_run_pending(sh);
    if (UNLIKELY(sh->jobs != NULL))
        job_poll(sh);
    if (UNLIKELY(sh->status) && n != sh->stage) {
        uint8_t fresh = sh->trap_special & ~err & TRAP_BIT_ERR; /* the command itself has set it */
        sh->trap_special &= (uint8_t)~fresh;
        eval_check_node(sh, n);
        sh->trap_special |= fresh;
    }
    sh->line_around = around;
    sh->this_name = NULL;
    if (LIKELY(sh->ctl <= CTL_CONTINUE))
        sh->line = line; /* of the command around it */
    return sh->status;
}
