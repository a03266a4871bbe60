/* session.c -- a shell that stays: what a prompt, or an embedder's shell handle, needs
 *
 * Errors that end a script (a bad substitution, an unset variable under -u) end only the text that
 * was handed in; `exit`, errexit and signals end the shell.
 */
#include "shell/inner.h"

void shell_attach(struct kernel *k)
{
    k->exec = run_exec_hook;
}

void shell_detach(struct kernel *k)
{
    k->exec = NULL;
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
