/* shell_opts.c -- the names of options, and what happens when one is switched */
#include "shell/shell.h"

const char *const shell_opt_names[OPT_COUNT] = {"allexport",
                                                "braceexpand",
                                                "emacs",
                                                "errexit",
                                                "errtrace",
                                                "functrace",
                                                "hashall",
                                                "histexpand",
                                                "history",
                                                "ignoreeof",
                                                "interactive-comments",
                                                "keyword",
                                                "monitor",
                                                "noclobber",
                                                "noexec",
                                                "noglob",
                                                "nolog",
                                                "notify",
                                                "nounset",
                                                "onecmd",
                                                "physical",
                                                "pipefail",
                                                "posix",
                                                "privileged",
                                                "verbose",
                                                "vi",
                                                "xtrace"};

const char shell_opt_letters[OPT_COUNT] = {'a', 'B', 0,   'e', 'E', 'T', 'h', 'H', 0,
                                           0,   0,   'k', 'm', 'C', 'n', 'f', 0,   'b',
                                           'u', 't', 'P', 0,   0,   'p', 'v', 0,   'x'};

const char *const shell_shopt_names[SHOPT_COUNT] = {"assoc_expand_once",
                                                    "autocd",
                                                    "cdable_vars",
                                                    "cdspell",
                                                    "checkhash",
                                                    "checkjobs",
                                                    "checkwinsize",
                                                    "cmdhist",
                                                    "compat31",
                                                    "compat32",
                                                    "compat40",
                                                    "compat41",
                                                    "compat42",
                                                    "compat43",
                                                    "compat44",
                                                    "complete_fullquote",
                                                    "direxpand",
                                                    "dirspell",
                                                    "dotglob",
                                                    "execfail",
                                                    "expand_aliases",
                                                    "extdebug",
                                                    "extglob",
                                                    "extquote",
                                                    "failglob",
                                                    "force_fignore",
                                                    "globasciiranges",
                                                    "globskipdots",
                                                    "globstar",
                                                    "gnu_errfmt",
                                                    "histappend",
                                                    "histreedit",
                                                    "histverify",
                                                    "hostcomplete",
                                                    "huponexit",
                                                    "inherit_errexit",
                                                    "interactive_comments",
                                                    "lastpipe",
                                                    "lithist",
                                                    "localvar_inherit",
                                                    "localvar_unset",
                                                    "login_shell",
                                                    "mailwarn",
                                                    "no_empty_cmd_completion",
                                                    "nocaseglob",
                                                    "nocasematch",
                                                    "noexpand_translation",
                                                    "nullglob",
                                                    "patsub_replacement",
                                                    "progcomp",
                                                    "progcomp_alias",
                                                    "promptvars",
                                                    "restricted_shell",
                                                    "shift_verbose",
                                                    "sourcepath",
                                                    "varredir_close",
                                                    "xpg_echo"};

static void shell_opts_put(uint64_t *bits, int which, bool on)
{
    uint64_t bit = UINT64_C(1) << which;
    *bits = on ? *bits | bit : *bits & ~bit;
}

/* Posix mode brings some other settings with it, and takes them back. */
static void shell_opts_posix(struct shell *sh, bool on)
{
    if (on) {
        shell_opts_put(&sh->shopts, SHOPT_EXPAND_ALIASES, true);
        shell_opts_put(&sh->shopts, SHOPT_INHERIT_ERREXIT, true);
        shell_opts_put(&sh->shopts, SHOPT_SHIFT_VERBOSE, true);
        shell_opts_put(&sh->shopts, SHOPT_SOURCEPATH, true);
        shell_opts_put(&sh->opts, OPT_INTERACTIVE_COMMENTS, true);
        shell_opts_put(&sh->shopts, SHOPT_INTERACTIVE_COMMENTS, true);
        var_setz(sh, "POSIXLY_CORRECT", STR("y"));
        return;
    }
    shell_opts_put(&sh->shopts, SHOPT_EXPAND_ALIASES, sh->interactive);
    shell_opts_put(&sh->shopts, SHOPT_INHERIT_ERREXIT, false);
    shell_opts_put(&sh->shopts, SHOPT_SHIFT_VERBOSE, false);
    struct sym *s = sym_find(sh, STR("POSIXLY_CORRECT"));
    if (s)
        var_unset(sh, s, 0);
}

bool shell_set_opt(struct shell *sh, int opt, bool on)
{
    bool was = SH_OPT(sh, opt);
    shell_opts_put(&sh->opts, opt, on);
    switch (opt) {
    case OPT_POSIX:
        if (was != on)
            shell_opts_posix(sh, on);
        break;
    case OPT_INTERACTIVE_COMMENTS:
        shell_opts_put(&sh->shopts, SHOPT_INTERACTIVE_COMMENTS, on);
        break;
    case OPT_VI:
        if (on)
            shell_opts_put(&sh->opts, OPT_EMACS, false);
        break;
    case OPT_EMACS:
        if (on)
            shell_opts_put(&sh->opts, OPT_VI, false);
        break;
    case OPT_HISTORY:
        if (on && !was)
            history_load(sh);
        break;
    case OPT_NOEXEC:
        /* An interactive shell would not be left any more. */
        if (sh->interactive)
            shell_opts_put(&sh->opts, OPT_NOEXEC, false);
        else if (on && sh->program && sh->ctl == CTL_NONE) {
            sh->ctl = CTL_ABORT; /* nothing of the line runs any more */
            sh->status = 0;
        }
        break;
    case OPT_IGNOREEOF: {
        struct sym *s = sym_find(sh, STR("IGNOREEOF"));
        if (on)
            var_setz(sh, "IGNOREEOF", STR("10"));
        else if (s)
            var_unset(sh, s, 0);
        break;
    }
    default: break;
    }
    return true;
}

void shell_flags(struct shell *sh, struct buf *b)
{
    static const char order[] = "abefhikmnprtuvxBCEHPT";
    for (const char *c = order; *c; c++) {
        bool on = *c == 'i' && sh->interactive;
        if (*c == 'r')
            on = sh->restricted;
        for (int i = 0; i < OPT_COUNT; i++)
            on = on || (shell_opt_letters[i] == *c && SH_OPT(sh, i));
        if (on)
            buf_putc(b, *c);
    }
    if (sh->from_c)
        buf_putc(b, 'c');
    if (sh->from_stdin)
        buf_putc(b, 's');
}
