/* session.c -- a shell that stays: what a prompt, or an embedder's shell handle, needs
 *
 * Errors that end a script (a bad substitution, an unset variable under -u) end only the text that
 * was handed in; `exit`, errexit and signals end the shell.
 */
#include "shell/inner.h"

/* The variables that a shell of the sandbox's own environment starts with. Every call begins with
 * the same ones, so they are imported once and shared, copied by whoever assigns. */
struct session_start {
    struct vartab *vars;
    struct str cwd; /* PWD is among them: they count for this folder alone. Owned */
};

void shell_attach(struct kernel *k) { k->exec = run_exec_hook; }

void shell_detach(struct kernel *k)
{
    struct session_start *s = k->shell_cache;
    k->exec = NULL;
    k->shell_cache = NULL;
    if (!s)
        return;
    struct shell sh = {.kernel = k, .heap = &k->heap, .vars = s->vars};
    vars_fini(&sh);
    heap_free(&k->heap, (void *)s->cwd.p, s->cwd.n + 1);
    heap_drop(&k->heap, s);
}

bool session_start_take(struct shell *sh)
{
    struct session_start *s = sh->kernel->shell_cache;
    struct proc *p = sh->proc;
    if (!s || p->env_ctx != sh->kernel->default_env || !str_eq(s->cwd, p->cwd))
        return false;
    sh->vars = s->vars;
    sh->vars->refs++;
    return true;
}

void session_start_keep(struct shell *sh, const void *env_ctx)
{
    struct kernel *k = sh->kernel;
    if (k->shell_cache || env_ctx != k->default_env || !env_ctx || sh->shared->syms ||
        sh->vars->refs != 1)
        return;
    struct session_start *s = heap_new(sh->heap, struct session_start);
    char *cwd = s ? heap_alloc(sh->heap, sh->proc->cwd.n + 1) : NULL;
    if (!cwd) {
        if (s)
            heap_drop(sh->heap, s);
        return;
    }
    memcpy(cwd, sh->proc->cwd.p, sh->proc->cwd.n);
    cwd[sh->proc->cwd.n] = '\0';
    *s = (struct session_start){sh->vars, str_of(cwd, sh->proc->cwd.n)};
    sh->vars->refs++;
    k->shell_cache = s;
}

int shell_run_line(struct shell *sh, struct str text)
{
    sh->stays = true;
    sh->ctl = CTL_NONE;
    shell_run_text(sh, text, TEXT_C, 1);
    if (sh->ctl != CTL_EXIT)
        sh->ctl = CTL_NONE;
    sh->loops = 0;
    sh->noerr = 0;
    return sh->status;
}

void shell_interactive(struct shell *sh)
{
    sh->interactive = true;
    sh->shopts |= UINT64_C(1) << SHOPT_EXPAND_ALIASES;
    struct str v;
    if (!var_strz(sh, "PS1", &v))
        var_setz(sh, "PS1", STR("\\u@\\h:\\w\\$ "));
    if (!var_strz(sh, "PS2", &v))
        var_setz(sh, "PS2", STR("> "));
}
