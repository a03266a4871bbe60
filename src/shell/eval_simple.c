/* eval_simple.c -- simple commands: assignments, functions, builtins, programs
 *
 * The hot path of every script. A command whose name is constant text keeps in its node which
 * builtin or function it is, checked against a counter; everything else lives in the shell's arena
 * between one mark and its release.
 */
#include "base/error.h"
#include "shell/inner.h"

/* What is known about a simple command with a constant name. */
struct simple_cache {
    const struct builtin *builtin; /* by its name, disabled or not; NULL: none */
    struct function *function;     /* valid for ... */
    struct functab *functions;     /* ... this table ... */
    uint64_t gen;                  /* ... at this count of changes */
    int decl;                      /* != 0: arguments from here on may be assignments; < 0: only
                                      name=(..) */
};

/* ---- words ----------------------------------------------------------------------------------- */

/* declare, export, local ... take name=value words as assignments: not split, and ~ after = and :.
 * Behind `command` and `builtin` only name=(..) is one. */
static int simple_decl(struct node *n)
{
    for (int i = 0; i < n->u.simple.nwords; i++) {
        struct word *w = n->u.simple.words[i];
        if (!(w->flags & WORD_STATIC) || w->flags & WORD_QUOTED)
            return 0;
        const struct builtin *b = builtin_find(w->lit);
        if (!b)
            return 0;
        if (b->flags & BUILTIN_ASSIGN)
            return i ? -(i + 1) : 1;
        if (strcmp(b->name, "command") != 0 && strcmp(b->name, "builtin") != 0)
            return 0;
    }
    return 0;
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

static int simple_expand_decl(struct shell *sh, struct node *n, int from, struct strs *argv,
                              struct assign ***assigns)
{
    struct word **w = n->u.simple.words;
    int count = n->u.simple.nwords, r = 0, kinds = WORD_ASSIGN | WORD_ARRAY;
    if (from < 0) {
        from = -from;
        kinds = WORD_ARRAY;
    }
    for (int i = 0; i < count && r >= 0; i++) {
        struct str s = STR_NONE;
        if (i < from || !(w[i]->flags & kinds)) {
            struct strs more = {0};
            r = expand_words(sh, &w[i], 1, &more);
            for (size_t k = 0; r >= 0 && k < more.n; k++)
                r = simple_push(sh, argv, more.p[k]);
            continue;
        }
        if (w[i]->flags & WORD_ARRAY) {
            if (!*assigns)
                *assigns = arena_array(&sh->arena, struct assign *, 64 + count);
            s = w[i]->assign->name;
            if (*assigns && argv->n < 64 + (size_t)count)
                (*assigns)[argv->n] = w[i]->assign;
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
        return r < 0;
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
            /* The rest of the line is discarded; in posix mode the shell ends. */
            sh->ctl = CTL_ABORT;
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
        if (expand_assign(sh, &n->u.simple.assigns[i], ASSIGN_TEMP) < 0 && SH_OPT(sh, OPT_POSIX) &&
            sh->ctl == CTL_NONE)
            shell_fatal(sh, 1);
        if (sh->ctl != CTL_NONE)
            return -1;
    }
    return 0;
}

/* ---- running --------------------------------------------------------------------------------- */

static int simple_builtin(struct shell *sh, const struct builtin *b, struct strs *argv,
                          struct assign **assigns)
{
    const struct builtin *outer = sh->builtin;
    struct assign **outer_assigns = sh->arg_assigns;
    sh->builtin = (struct builtin *)b;
    sh->arg_assigns = assigns;
    int status = b->run(sh, argv->p, (int)argv->n);
    sh->arg_assigns = outer_assigns;
    sh->builtin = (struct builtin *)outer;
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
static int simple_dispatch(struct shell *sh, struct found *f, struct strs *argv,
                           struct assign **assigns, int flags)
{
    if (UNLIKELY(sh->subshell_late)) {
        sh->subshell_late = false;
        sh->subshell++;
    }
    if (f->function)
        return eval_function(sh, f->function, argv->p, (int)argv->n);
    if (f->builtin)
        return simple_builtin(sh, f->builtin, argv, assigns);
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
    struct assign **assigns = sh->pass_assigns;
    struct found f;
    sh->pass_assigns = NULL;
    find_command(sh, argv[0], flags, &f);
    return simple_dispatch(sh, &f, &v, assigns, 0);
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

static int simple_command(struct shell *sh, struct node *n, struct simple_cache *c,
                          struct strs *argv, struct assign **assigns, int flags)
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
    simple_find(sh, n, c, argv->p[0], &f);
    if (n->nredirs && redir_apply(sh, n->redirs, n->nredirs, &save) < 0) {
        simple_posix_exit(sh, &f);
        status = sh->ctl == CTL_NONE ? 1 : sh->status;
    } else {
        status = simple_dispatch(sh, &f, argv, assigns, flags);
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
        if (proc_check(sh->proc) >= 0)
            job_tell_signal(sh, sh->killed_pid, sig, n);
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

static int simple_run(struct shell *sh, struct node *n, int flags)
{
    struct simple_cache *c = simple_cache_of(sh, n);
    struct strs argv = {0};
    struct assign **assigns = NULL;
    int r = 0;
    if (!c)
        return 1;
    if (UNLIKELY(c->decl))
        r = simple_expand_decl(sh, n, c->decl, &argv, &assigns);
    else if (n->u.simple.nwords)
        r = expand_words(sh, n->u.simple.words, n->u.simple.nwords, &argv);
    if (r < 0)
        return sh->ctl == CTL_NONE ? 1 : sh->status;
    if (!argv.n) {
        int status = simple_assign_only(sh, n);
        simple_last_arg(sh, STR(""));
        return status;
    }
    return simple_command(sh, n, c, &argv, assigns, flags);
}

int eval_simple(struct shell *sh, struct node *n, int flags)
{
    sh->line = n->line;
    if (UNLIKELY(proc_tick(sh->proc, 1) < 0))
        return eval_killed(sh);
    if (UNLIKELY(sh->trap_special & TRAP_BIT_DEBUG) && eval_debug(sh, n))
        return sh->status;
    if (LIKELY(!sh->in_trap))
        sh->command = n;
    struct arena_mark m = arena_mark(&sh->arena);
    struct procsub *ps = sh->procsubs;
    sh->cmdsub_status = -1;
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
    if (UNLIKELY(sh->status))
        eval_check_error(sh);
    return sh->status;
}
