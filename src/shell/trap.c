/* trap.c -- commands that run at signals, at the end, before commands and after errors */
#include "shell/inner.h"

#include "base/utf8.h"

struct traptab {
    unsigned refs;
    struct params *cmd[TRAP_COUNT]; /* the command as one string; NULL: none */
};

static uint8_t trap_bit(int which)
{
    switch (which) {
    case TRAP_EXIT: return TRAP_BIT_EXIT;
    case TRAP_DEBUG: return TRAP_BIT_DEBUG;
    case TRAP_ERR: return TRAP_BIT_ERR;
    case TRAP_RETURN: return TRAP_BIT_RETURN;
    default: return 0;
    }
}

bool trap_is_set(struct shell *sh, int which)
{
    uint8_t bit = trap_bit(which);
    return bit ? (sh->trap_special & bit) != 0 : (sh->trap_signals & SIG_BIT(which)) != 0;
}

const char *trap_name(int which)
{
    static const char *const names[] = {
        "EXIT",      "SIGHUP",  "SIGINT",    "SIGQUIT", "SIGILL",   "SIGTRAP", "SIGABRT", "SIGBUS",
        "SIGFPE",    "SIGKILL", "SIGUSR1",   "SIGSEGV", "SIGUSR2",  "SIGPIPE", "SIGALRM", "SIGTERM",
        "SIGSTKFLT", "SIGCHLD", "SIGCONT",   "SIGSTOP", "SIGTSTP",  "SIGTTIN", "SIGTTOU", "SIGURG",
        "SIGXCPU",   "SIGXFSZ", "SIGVTALRM", "SIGPROF", "SIGWINCH", "SIGIO",   "SIGPWR",  "SIGSYS"};
    static const char *const real_time[] = {
        "SIGRTMIN",    "SIGRTMIN+1",  "SIGRTMIN+2",  "SIGRTMIN+3",  "SIGRTMIN+4",  "SIGRTMIN+5",
        "SIGRTMIN+6",  "SIGRTMIN+7",  "SIGRTMIN+8",  "SIGRTMIN+9",  "SIGRTMIN+10", "SIGRTMIN+11",
        "SIGRTMIN+12", "SIGRTMIN+13", "SIGRTMIN+14", "SIGRTMIN+15", "SIGRTMAX-14", "SIGRTMAX-13",
        "SIGRTMAX-12", "SIGRTMAX-11", "SIGRTMAX-10", "SIGRTMAX-9",  "SIGRTMAX-8",  "SIGRTMAX-7",
        "SIGRTMAX-6",  "SIGRTMAX-5",  "SIGRTMAX-4",  "SIGRTMAX-3",  "SIGRTMAX-2",  "SIGRTMAX-1",
        "SIGRTMAX"};
    switch (which) {
    case TRAP_DEBUG: return "DEBUG";
    case TRAP_ERR: return "ERR";
    case TRAP_RETURN: return "RETURN";
    default: break;
    }
    if (which >= 0 && which < (int)COUNT(names))
        return names[which];
    return which >= SIG_RTMIN && which <= SIG_RTMAX ? real_time[which - SIG_RTMIN] : NULL;
}

static bool trap_same(struct str s, const char *z)
{
    size_t n = strlen(z);
    for (size_t i = 0; i < n && s.n == n; i++)
        if (ascii_to_upper((unsigned char)s.p[i]) != z[i])
            return false;
    return s.n == n;
}

int trap_number(struct str name)
{
    uint64_t n;
    if (name.n && ascii_digit((unsigned char)name.p[0]))
        return str_uint(name, &n) == 0 && n <= SIG_RTMAX && trap_name((int)n) ? (int)n : -1;
    if (trap_same(name, "EXIT"))
        return TRAP_EXIT;
    if (trap_same(name, "DEBUG"))
        return TRAP_DEBUG;
    if (trap_same(name, "ERR"))
        return TRAP_ERR;
    if (trap_same(name, "RETURN"))
        return TRAP_RETURN;
    return signal_number(name);
}

/* ---- the table ------------------------------------------------------------------------------- */

void trap_fork(struct shell *child)
{
    if (child->traps)
        child->traps->refs++;
    uint8_t keep = 0;
    if (SH_OPT(child, OPT_ERRTRACE))
        keep |= TRAP_BIT_ERR;
    if (SH_OPT(child, OPT_FUNCTRACE))
        keep |= TRAP_BIT_DEBUG | TRAP_BIT_RETURN;
    child->trap_special &= keep;
    child->trap_signals = 0;
    child->traps_busy = 0;
    child->traps_reset = child->traps != NULL;
    child->trap_running &= keep;
}

static void trap_unref(struct shell *sh, struct traptab *t)
{
    if (!t || --t->refs)
        return;
    for (int i = 0; i < TRAP_COUNT; i++)
        params_unref(sh, t->cmd[i]);
    heap_drop(sh->heap, t);
}

void trap_fini(struct shell *sh)
{
    trap_unref(sh, sh->traps);
    sh->traps = NULL;
}

/* The table, this shell's alone. A subshell that changes its traps forgets those that it has only
 * to show, but signals ignored before stay listed as ignored. */
static struct traptab *trap_own(struct shell *sh)
{
    struct traptab *old = sh->traps;
    if (old && old->refs == 1 && !sh->traps_reset)
        return old;
    struct traptab *t = heap_new(sh->heap, struct traptab);
    if (!t)
        return NULL;
    t->refs = 1;
    for (int i = 0; old && i < TRAP_COUNT; i++) {
        struct params *c = old->cmd[i];
        bool signal = !trap_bit(i);
        if (!c || (sh->traps_reset && !(signal ? c->p[0].n == 0 : trap_is_set(sh, i))))
            continue;
        c->refs++;
        t->cmd[i] = c;
    }
    trap_unref(sh, old);
    sh->traps = t;
    sh->traps_reset = false;
    return t;
}

int trap_set(struct shell *sh, int which, struct str cmd)
{
    if (!trap_bit(which) && sh->hard_ignored & SIG_BIT(which) && !sh->interactive)
        return 0;
    struct traptab *t = trap_own(sh);
    struct params *text = t && cmd.p ? params_new(sh, &cmd, 1) : NULL;
    if (!t || (cmd.p && !text))
        return HOB_ENOMEM;
    params_unref(sh, t->cmd[which]);
    t->cmd[which] = text;
    uint8_t bit = trap_bit(which);
    if (bit) {
        sh->trap_special = text ? sh->trap_special | bit : sh->trap_special & ~bit;
        return 0;
    }
    uint64_t sig = SIG_BIT(which);
    struct proc *p = sh->proc;
    sh->trap_signals = text ? sh->trap_signals | sig : sh->trap_signals & ~sig;
    p->sig_ignored = text && !cmd.n ? p->sig_ignored | sig : p->sig_ignored & ~sig;
    bool quit = which == SIG_QUIT && !sh->forked; /* never ends bash itself */
    p->sig_caught = (text && cmd.n) || quit ? p->sig_caught | sig : p->sig_caught & ~sig;
    return 0;
}

struct str trap_get(struct shell *sh, int which)
{
    struct params *c = sh->traps ? sh->traps->cmd[which] : NULL;
    if (c && trap_bit(which) && !sh->traps_reset && !trap_is_set(sh, which))
        return STR_NONE;
    if (!c && which > 0 && which <= SIG_RTMAX && (sh->proc->sig_ignored & SIG_BIT(which)))
        return STR("");
    return c ? c->p[0] : STR_NONE;
}

void trap_hide(struct shell *sh, uint8_t bits, struct trap_saved *s)
{
    static const int which[] = {TRAP_DEBUG, TRAP_ERR, TRAP_RETURN};
    s->bits = sh->trap_special & bits;
    for (int i = 0; i < 3; i++) {
        s->cmd[i] = s->bits & trap_bit(which[i]) ? sh->traps->cmd[which[i]] : NULL;
        if (s->cmd[i])
            s->cmd[i]->refs++;
    }
    sh->trap_special &= ~s->bits;
}

/* A trap that the function has set itself stays. */
void trap_unhide(struct shell *sh, struct trap_saved *s)
{
    static const int which[] = {TRAP_DEBUG, TRAP_ERR, TRAP_RETURN};
    for (int i = 0; i < 3; i++) {
        struct params *c = s->cmd[i];
        if (!c)
            continue;
        if (!trap_is_set(sh, which[i])) {
            if (sh->traps && sh->traps->cmd[which[i]] == c)
                sh->trap_special |= trap_bit(which[i]);
            else
                trap_set(sh, which[i], c->p[0]);
        }
        params_unref(sh, c);
    }
}

/* ---- running --------------------------------------------------------------------------------- */

/* Runs the command of a trap and puts $? back, unless the trap leaves the shell. */
static void trap_text(struct shell *sh, struct params *cmd, struct str context, int line)
{
    int status = sh->status, old_line = sh->line, n = sh->npipestatus, first = sh->pipestatus[0];
    struct str old_name = sh->text_name;
    bool in_trap = sh->in_trap;
    struct node *command = sh->command;
    struct program *kept = sh->kept ? program_ref(sh->kept) : NULL;
    int old_status = sh->trap_status;
    cmd->refs++;
    sh->in_trap = true;
    sh->trap_status = status;
    sh->text_name = context;
    sh->trace_level++;
    shell_run_text(sh, cmd->p[0], TEXT_TRAP, line);
    sh->trace_level--;
    sh->text_name = old_name;
    sh->in_trap = in_trap;
    sh->trap_status = old_status;
    sh->command = command;
    if (sh->kept)
        program_unref(sh->kept);
    sh->kept = kept;
    sh->line = old_line;
    sh->debug_status = sh->status;
    if (sh->ctl == CTL_NONE) {
        sh->status = status;
        sh->npipestatus = n;
        sh->pipestatus[0] = first;
    }
    params_unref(sh, cmd);
}

void trap_run(struct shell *sh, int which)
{
    struct params *c = sh->traps ? sh->traps->cmd[which] : NULL;
    uint8_t bit = trap_bit(which);
    if (!c || !c->p[0].n || (sh->trap_running & bit))
        return;
    sh->trap_running |= bit;
    struct str name = which == TRAP_DEBUG    ? STR("debug trap")
                      : which == TRAP_ERR    ? STR("error trap")
                      : which == TRAP_RETURN ? STR("return trap")
                                             : STR("trap");
    trap_text(sh, c, name, bit ? sh->line : 1);
    sh->trap_running &= ~bit;
}

void trap_run_exit(struct shell *sh)
{
    struct params *c = sh->traps->cmd[TRAP_EXIT];
    int status = sh->status;
    if (!c || !c->p[0].n)
        return;
    c->refs++;
    sh->trap_special &= ~TRAP_BIT_EXIT;
    sh->text_name = STR("exit trap");
    bool in_trap = sh->in_trap;
    int old_status = sh->trap_status;
    sh->in_trap = true;
    sh->trap_status = status;
    sh->noerr = 0;
    struct program *kept = sh->kept ? program_ref(sh->kept) : NULL;
    bool deeper = sh->forked && !sh->in_cmdsub;
    sh->trace_level += deeper;
    shell_run_text(sh, c->p[0], TEXT_TRAP, 1);
    sh->trace_level -= deeper;
    if (kept)
        program_unref(kept);
    if (sh->ctl != CTL_EXIT && sh->ctl != CTL_KILLED)
        sh->status = status;
    sh->in_trap = in_trap;
    sh->trap_status = old_status;
    params_unref(sh, c);
}

int traps_run_pending(struct shell *sh)
{
    trap_collect(sh);
    for (int sig = 1; sig <= SIG_RTMAX && sh->traps_pending; sig++) {
        uint64_t bit = SIG_BIT(sig);
        if (!(sh->traps_pending & bit) || sh->traps_busy & bit)
            continue;
        sh->traps_pending &= ~bit;
        sh->traps_busy |= bit; /* the same signal waits until its command is done */
        struct params *c = sh->traps && !sh->traps_reset ? sh->traps->cmd[sig] : NULL;
        if (c && c->p[0].n)
            trap_text(sh, c, STR("trap"), 1);
        sh->traps_busy &= ~bit;
        if (sh->ctl != CTL_NONE)
            break;
    }
    return sh->status;
}
