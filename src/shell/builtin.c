/* builtin.c -- the table of builtins, and what they have in common */
#include "base/error.h"
#include "shell/builtin_control.h"
#include "shell/inner.h"

/* clang-format off */
const struct builtin *const builtin_table[] = {
    &builtin_dot, &builtin_colon, &builtin_bracket, &builtin_alias, &builtin_bg, &builtin_bind,
    &builtin_break, &builtin_builtin, &builtin_caller, &builtin_cd, &builtin_command,
    &builtin_compgen, &builtin_complete, &builtin_compopt, &builtin_continue, &builtin_declare,
    &builtin_dirs, &builtin_disown, &builtin_echo, &builtin_enable, &builtin_eval, &builtin_exec,
    &builtin_exit, &builtin_export, &builtin_false, &builtin_fc, &builtin_fg, &builtin_getopts,
    &builtin_hash, &builtin_help, &builtin_history, &builtin_jobs, &builtin_kill, &builtin_let,
    &builtin_local, &builtin_logout, &builtin_mapfile, &builtin_popd, &builtin_printf,
    &builtin_pushd, &builtin_pwd, &builtin_read, &builtin_readarray, &builtin_readonly,
    &builtin_return, &builtin_set, &builtin_shift, &builtin_shopt, &builtin_source,
    &builtin_suspend, &builtin_test, &builtin_times, &builtin_trap, &builtin_true, &builtin_type,
    &builtin_typeset, &builtin_ulimit, &builtin_umask, &builtin_unalias, &builtin_unset,
    &builtin_wait, NULL};
/* clang-format on */

int builtin_index(struct str name)
{
    int low = 0, high = (int)COUNT(builtin_table) - 1;
    while (low < high) {
        int mid = low + (high - low) / 2, d = str_cmp(name, str_z(builtin_table[mid]->name));
        if (d == 0)
            return mid;
        if (d < 0)
            high = mid;
        else
            low = mid + 1;
    }
    return -1;
}

const struct builtin *builtin_find(struct str name)
{
    int i = builtin_index(name);
    return i < 0 ? NULL : builtin_table[i];
}

const struct builtin *builtin_active(struct shell *sh, struct str name)
{
    int i = builtin_index(name);
    if (i < 0 || (sh->disabled[i / 64] >> (i % 64) & 1))
        return NULL;
    return builtin_table[i];
}

/* ---- options --------------------------------------------------------------------------------- */

/* The place of a letter in the spec, NULL if it is none. */
static const char *builtin_spec(const char *spec, char c)
{
    if (c == ':' || c == '+' || c == '\0')
        return NULL;
    return strchr(spec, c);
}

/* Moves to the next word with options in it: false when there is none. */
static bool builtin_getopt_word(struct shell *sh, struct getopt_state *g, struct str *argv,
                                int argc, const char *spec)
{
    if (!g->at)
        g->at = 1;
    if (g->at >= argc)
        return false;
    struct str w = argv[g->at];
    if (str_eq(w, STR("--"))) {
        g->at++;
        return false;
    }
    if (str_eq(w, STR("--help"))) {
        struct str words[] = {STR("help"), str_z(sh->builtin->name)};
        sh->help_shown = true;
        const struct builtin *outer = sh->builtin;
        sh->builtin = (struct builtin *)&builtin_help;
        builtin_help.run(sh, words, 2);
        sh->builtin = (struct builtin *)outer;
        g->pos = -1;
        return true;
    }
    g->plus = w.n > 1 && w.p[0] == '+' && spec[0] == '+';
    if (w.n < 2 || (w.p[0] != '-' && !g->plus))
        return false;
    g->pos = 1;
    return true;
}

int builtin_getopt(struct shell *sh, struct getopt_state *g, struct str *argv, int argc,
                   const char *spec)
{
    if (!g->pos && !builtin_getopt_word(sh, g, argv, argc, spec))
        return -1;
    if (g->pos < 0)
        return '?';
    struct str w = argv[g->at];
    char c = w.p[g->pos++];
    bool end = (size_t)g->pos >= w.n;
    const char *s = builtin_spec(spec, c);
    if (!s) {
        shell_builtin_error(sh, "%c%c: invalid option", g->plus ? '+' : '-', c);
        return '?';
    }
    g->arg = STR_NONE;
    if (s[1] == ':') {
        if (!end) {
            g->arg = str_from(w, (size_t)g->pos);
        } else if (g->at + 1 < argc) {
            g->arg = argv[++g->at];
        } else {
            shell_builtin_error(sh, "-%c: option requires an argument", c);
            return '?';
        }
        end = true;
    }
    if (end) {
        g->at++;
        g->pos = 0;
    }
    return c;
}

int builtin_usage(struct shell *sh)
{
    struct buf b;
    if (sh->help_shown) {
        sh->help_shown = false;
        return 2;
    }
    buf_init(&b, sh->heap);
    buf_printf(&b, "%s: usage: %s\n", sh->builtin->name, sh->builtin->usage);
    proc_puts(sh->proc, 2, buf_get(&b));
    buf_fini(&b);
    sh->misused = true;
    return 2;
}

bool builtin_no_options(struct shell *sh, struct str *argv, int argc, int *at)
{
    struct getopt_state g = {0};
    if (builtin_getopt(sh, &g, argv, argc, "") != -1) {
        builtin_usage(sh);
        return false;
    }
    *at = g.at;
    return true;
}

void builtin_out(struct shell *sh, struct buf *b)
{
    if (!b->n)
        return;
    int r = proc_puts(sh->proc, 1, buf_get(b));
    if (r < 0 && r != HOB_EKILLED && r != HOB_EPIPE)
        shell_builtin_error(sh, "write error: %s", error_text(r));
}
