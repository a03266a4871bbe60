/* shell.c -- the life of a shell: made, forked, ended; its messages */
#include "shell/shell.h"

#include "base/fmt.h"
#include "shell/inner.h"
#include "shell/parse.h"
#include "vfs/vfs.h"

/* ---- positional parameters ------------------------------------------------------------------- */

struct params *params_new(struct shell *sh, const struct str *p, size_t n)
{
    size_t text = 0;
    for (size_t i = 0; i < n; i++)
        text += p[i].n + 1;
    size_t head = sizeof(struct params) + n * sizeof(struct str);
    struct params *out = heap_alloc(sh->heap, head + text);
    if (!out)
        return NULL;
    out->refs = 1;
    out->n = n;
    out->size = head + text;
    char *at = (char *)out + head;
    for (size_t i = 0; i < n; i++) {
        if (p[i].n)
            memcpy(at, p[i].p, p[i].n);
        at[p[i].n] = '\0';
        out->p[i] = str_of(at, p[i].n);
        at += p[i].n + 1;
    }
    return out;
}

void params_unref(struct shell *sh, struct params *p)
{
    if (p && --p->refs == 0)
        heap_free(sh->heap, p, p->size);
}

int params_set(struct shell *sh, const struct str *p, size_t n)
{
    struct params *now = params_new(sh, p, n);
    if (!now)
        return HOB_ENOMEM;
    params_unref(sh, sh->params);
    sh->params = now;
    sh->from = 0;
    return 0;
}

/* ---- messages -------------------------------------------------------------------------------- */

/* What stands in front of a message: the file of the code that runs, or $0. */
static struct str shell_source_name(const struct shell *sh)
{
    if (!sh->interactive && sh->frame && sh->frame->file.n)
        return sh->frame->file;
    return sh->name0.n ? sh->name0 : STR("bash");
}

static void shell_prefix(struct shell *sh, struct buf *b, int line, bool builtin)
{
    if (sh->lone)
        return;
    buf_str(b, shell_source_name(sh));
    /* The first line of a function that came in the environment is 0, told by builtins alone. */
    bool imported = line <= 0 && sh->frame && str_eq(sh->frame->file, STR("environment"));
    if (sh->interactive || (imported && !builtin))
        buf_addz(b, ": ");
    else
        buf_printf(b, ": line %d: ", sh->starting ? 0 : line > 0 || imported ? line : 1);
}

static void shell_say(struct shell *sh, struct buf *b)
{
    buf_putc(b, '\n');
    proc_puts(sh->proc, 2, buf_get(b));
    buf_fini(b);
}

void shell_error(struct shell *sh, const char *fmt, ...)
{
    struct buf b;
    va_list ap;
    buf_init(&b, sh->heap);
    if (UNLIKELY(SH_SHOPT(sh, SHOPT_GNU_ERRFMT)) && !sh->interactive)
        buf_printf(&b, "%.*s:%d: ", STR_ARG(shell_source_name(sh)), MAX(sh->line, 1));
    else
        shell_prefix(sh, &b, sh->line, false);
    va_start(ap, fmt);
    buf_vprintf(&b, fmt, ap);
    va_end(ap);
    shell_say(sh, &b);
}

void shell_builtin_error(struct shell *sh, const char *fmt, ...)
{
    struct buf b;
    va_list ap;
    buf_init(&b, sh->heap);
    shell_prefix(sh, &b, sh->line, true);
    if (sh->builtin)
        buf_printf(&b, "%s: ", sh->builtin->name);
    va_start(ap, fmt);
    buf_vprintf(&b, fmt, ap);
    va_end(ap);
    shell_say(sh, &b);
}

void shell_syntax_error(struct shell *sh, struct str context, int line, struct str msg)
{
    struct buf b;
    buf_init(&b, sh->heap);
    while (msg.n) {
        bool quoted = msg.p[0] == '`'; /* the text of a script, which may be of several lines */
        ptrdiff_t end = quoted ? str_find(msg, STR("'\n")) : str_chr(msg, '\n');
        end += quoted && end >= 0;
        struct str one = end < 0 ? msg : str_sub(msg, 0, (size_t)end);
        buf_str(&b, shell_source_name(sh));
        if (context.n)
            buf_printf(&b, ": %.*s", STR_ARG(context));
        if (sh->interactive && !context.n && sh->sourcing && sh->frame)
            buf_printf(&b, ": %.*s: line %d: ", STR_ARG(sh->frame->file), line);
        else if (sh->interactive && !context.n)
            buf_addz(&b, ": ");
        else
            buf_printf(&b, SH_SHOPT(sh, SHOPT_GNU_ERRFMT) ? ":%d: " : ": line %d: ", line);
        buf_str(&b, one);
        if (end >= 0)
            buf_putc(&b, '\n');
        msg = str_from(msg, one.n + (end >= 0));
    }
    shell_say(sh, &b);
}

void shell_fatal(struct shell *sh, int status)
{
    sh->status = status;
    sh->ctl = (sh->interactive || sh->stays) && !sh->forked ? CTL_ABORT : CTL_EXIT;
}

void shell_oom(struct shell *sh)
{
    if (!heap_gate(sh->heap) && sh->ctl != CTL_NONE)
        return;
    sh->proc->run->soft = HOB_LIMIT_MEMORY;
    shell_error(sh, "cannot allocate memory: the memory limit is reached");
    heap_gate(sh->heap);
    sh->status = 2;
    sh->ctl = CTL_EXIT;
}

/* ---- life ------------------------------------------------------------------------------------ */

void shell_shared_unref(struct shell_shared *s)
{
    if (!s || --s->refs)
        return;
    text_cache_free(s);
    symtab_free(s);
    heap_drop(s->heap, s);
}

static struct shell_shared *shell_shared_for(struct proc *p)
{
    struct shell_shared *s = p->shell ? p->shell->shared : NULL;
    if (s) {
        s->refs++;
        return s;
    }
    s = heap_new(&p->kernel->heap, struct shell_shared);
    if (s) {
        s->refs = 1;
        s->heap = &p->kernel->heap;
    }
    return s;
}

int shell_set_name0(struct shell *sh, struct str name)
{
    struct str both[2] = {name, sh->exec_string};
    struct params *box = params_new(sh, both, sh->exec_string.p ? 2 : 1);
    if (!box)
        return HOB_ENOMEM;
    params_unref(sh, sh->name0_box);
    sh->name0_box = box;
    sh->name0 = box->p[0];
    if (box->n > 1)
        sh->exec_string = box->p[1];
    return 0;
}

void shell_keep_args(struct shell *sh)
{
    if (sh->args)
        return;
    sh->args = sh->params ? sh->params : params_new(sh, NULL, 0);
    sh->args_from = sh->params ? sh->from : 0;
    if (sh->params)
        sh->params->refs++;
}

int shell_set_cwd(struct shell *sh, struct str logical, struct str physical)
{
    struct buf l, p;
    buf_init(&l, sh->heap);
    buf_init(&p, sh->heap);
    buf_str(&l, logical);
    buf_str(&p, physical);
    if (sh->heap->oom) {
        buf_fini(&l);
        buf_fini(&p);
        return HOB_ENOMEM;
    }
    buf_fini(&sh->pwd_buf);
    buf_fini(&sh->cwd_buf);
    sh->pwd_buf = l;
    sh->cwd_buf = p;
    sh->cwd_logical = buf_get(&sh->pwd_buf);
    sh->proc->cwd = buf_get(&sh->cwd_buf);
    return 0;
}

static int shell_import(void *ud, struct str name, struct str value)
{
    struct shell *sh = ud;
    if (str_starts(name, STR("BASH_FUNC_")) && str_ends(name, STR("%%"))) {
        function_import(sh, str_sub(name, 10, name.n - 12), value);
        return 0;
    }
    if (!parse_is_name(name))
        return 0;
    return vars_import(sh, name, value);
}

/* $PWD of the environment is kept when it names the folder we are in, so that cd through symlinks
 * survives from shell to shell. */
static int shell_import_cwd(struct shell *sh)
{
    struct str pwd = STR_NONE, cwd = sh->proc->cwd;
    struct stat_info a, b;
    if (!var_strz(sh, "PWD", &pwd) || !pwd.n || pwd.p[0] != '/' ||
        vfs_stat(sh->proc, pwd, 0, &a) < 0 || vfs_stat(sh->proc, cwd, 0, &b) < 0 ||
        a.ino != b.ino || a.dev != b.dev)
        pwd = cwd;
    int r = shell_set_cwd(sh, pwd, cwd);
    if (r >= 0)
        r = vars_import(sh, STR("PWD"), sh->cwd_logical);
    return r;
}

static int shell_import_level(struct shell *sh)
{
    struct str old = STR_NONE;
    int64_t level = 0;
    char digits[24];
    if (!var_strz(sh, "SHLVL", &old) || str_int(str_trim(old), &level) < 0)
        level = 0;
    level = level < -1 ? 0 : level + 1;
    if (level >= 1000) {
        shell_error(sh, "warning: shell level (%lld) too high, resetting to 1", (long long)level);
        level = 1;
    }
    return vars_import(sh, STR("SHLVL"), str_of(digits, fmt_int(digits, level)));
}

static void shell_defaults(struct shell *sh)
{
    sh->opts = UINT64_C(1) << OPT_BRACEEXPAND | UINT64_C(1) << OPT_HASHALL |
               UINT64_C(1) << OPT_INTERACTIVE_COMMENTS;
    static const uint8_t on[] = {
        SHOPT_CHECKWINSIZE,       SHOPT_CMDHIST,       SHOPT_COMPLETE_FULLQUOTE,
        SHOPT_EXTQUOTE,           SHOPT_FORCE_FIGNORE, SHOPT_GLOBASCIIRANGES,
        SHOPT_GLOBSKIPDOTS,       SHOPT_HOSTCOMPLETE,  SHOPT_INTERACTIVE_COMMENTS,
        SHOPT_PATSUB_REPLACEMENT, SHOPT_PROGCOMP,      SHOPT_PROMPTVARS,
        SHOPT_SOURCEPATH};
    for (size_t i = 0; i < COUNT(on); i++)
        sh->shopts |= UINT64_C(1) << on[i];
    sh->cmdsub_status = -1;
    sh->xtrace_fd = -1;
    sh->pid = sh->proc->pid;
    sh->hard_ignored = sh->proc->sig_ignored;
    sh->start_ns = sched_now(&sh->kernel->sched);
    sh->getopts_ind = 1;
    sh->pipestatus = sh->pipe_small;
    sh->cappipestatus = COUNT(sh->pipe_small);
    sh->npipestatus = 0; /* nothing has run */
}

struct shell *shell_new(struct proc *p, struct str name0, const struct str *args, size_t nargs)
{
    struct heap *h = &p->kernel->heap;
    struct shell *sh = heap_new(h, struct shell);
    if (!sh)
        return NULL;
    sh->kernel = p->kernel;
    sh->kernel->exec = run_exec_hook;
    sh->proc = p;
    sh->heap = h;
    arena_init(&sh->arena, h);
    buf_init(&sh->cwd_buf, h);
    buf_init(&sh->pwd_buf, h);
    buf_init(&sh->last_buf, h);
    sh->last_arg = STR("");
    shell_defaults(sh);
    sh->shared = shell_shared_for(p);
    const struct env_ops *env = p->env;
    void *env_ctx = p->env_ctx;
    bool ok = sh->shared && vars_init(sh) >= 0 && shell_set_name0(sh, name0) >= 0 &&
              params_set(sh, args, nargs) >= 0;
    if (ok && session_start_take(sh)) {
        ok = shell_set_cwd(sh, p->cwd, p->cwd) >= 0;
    } else if (ok) {
        ok = (!env || env->each(env_ctx, shell_import, sh) >= 0) && shell_import_cwd(sh) >= 0 &&
             shell_import_level(sh) >= 0;
        if (ok && !h->oom)
            session_start_keep(sh, env_ctx);
    }
    if (!ok || h->oom) {
        shell_free(sh);
        return NULL;
    }
    if (p->shell) { /* the shell that started it */
        memcpy(sh->ulimits, p->shell->ulimits, sizeof sh->ulimits);
        memcpy(sh->ulimits_set, p->shell->ulimits_set, sizeof sh->ulimits_set);
    }
    p->env = &var_env_ops;
    p->env_ctx = sh;
    p->shell = sh;
    p->sig_caught |= SIG_BIT(SIG_QUIT); /* bash never dies of it */
    return sh;
}

/* Function calls and sourced files live on the stack of the task that runs them; a shell on another
 * task needs its own record of them. */
static int shell_copy_frames(struct shell *sh)
{
    struct frame **to = &sh->frame;
    for (struct frame *f = sh->frame; f; f = f->up) {
        struct frame *c = arena_alloc(&sh->arena, sizeof *c);
        if (!c) {
            *to = NULL;
            return HOB_ENOMEM;
        }
        *c = *f;
        c->params = NULL;
        c->name = arena_str(&sh->arena, f->name);
        c->file = arena_str(&sh->arena, f->file);
        c->fn = NULL;
        *to = c;
        to = &c->up;
    }
    *to = NULL;
    return 0;
}

/* The tables that both now share: one more reference each. */
static int shell_fork_tables(struct shell *c, struct shell *parent)
{
    c->shared->refs++;
    if (c->params)
        c->params->refs++;
    if (c->args)
        c->args->refs++;
    c->name0_box->refs++;
    if (c->kept)
        program_ref(c->kept);
    function_fork(c);
    alias_fork(c);
    find_fork(c);
    trap_fork(c);
    dirs_fork(c);
    history_fork(c);
    complete_fork(c);
    if (parent->npipestatus > (int)COUNT(c->pipe_small))
        c->npipestatus = (int)COUNT(c->pipe_small);
    memcpy(c->pipe_small, parent->pipestatus, (size_t)c->npipestatus * sizeof *c->pipestatus);
    c->pipestatus = c->pipe_small;
    c->cappipestatus = COUNT(c->pipe_small);
    int r = vars_fork(c, parent);
    c->jobs = NULL;
    c->done = NULL;
    c->procsubs = NULL;
    return r;
}

struct shell *shell_fork(struct shell *parent, struct proc *p, struct shell *place)
{
    struct shell *c = place ? place : heap_alloc(parent->heap, sizeof *c);
    if (!c)
        return NULL;
    *c = *parent;
    c->proc = p;
    c->parent = place ? parent : NULL;
    c->forked = true;
    c->interactive = false;
    c->keep_redirs = false;
    c->exiting = false;
    c->subshell_late = false;
    c->killed_sig = 0;
    c->subshell++;
    c->traps_pending = 0;
    buf_init(&c->last_buf, c->heap);
    buf_init(&c->cwd_buf, c->heap);
    buf_init(&c->pwd_buf, c->heap);
    int r = shell_fork_tables(c, parent);
    if (place) {
        c->mark = arena_mark(&c->arena);
        fdtab_init(&c->fdtab, c->heap);
        if (fdtab_copy(&c->fdtab, p->fds) < 0)
            r = HOB_ENOMEM;
        c->outer_fds = p->fds;
        p->fds = &c->fdtab;
    } else {
        arena_init(&c->arena, c->heap);
        c->last_arg = arena_str(&c->arena, c->last_arg);
        if (shell_copy_frames(c) < 0 || shell_set_cwd(c, parent->cwd_logical, p->cwd) < 0)
            r = HOB_ENOMEM;
        if (c->program)
            program_ref(c->program);
    }
    p->env = &var_env_ops;
    p->env_ctx = c;
    p->shell = c;
    if (r < 0 || c->heap->oom) {
        shell_free(c);
        return NULL;
    }
    return c;
}

void shell_free(struct shell *sh)
{
    struct shell *parent = sh->parent;
    struct heap *h = sh->heap;
    job_fini(sh);
    eval_close_procsubs(sh, NULL);
    if (sh->shared)
        vars_fini(sh);
    function_fini(sh);
    alias_fini(sh);
    find_fini(sh);
    trap_fini(sh);
    dirs_fini(sh);
    history_fini(sh);
    complete_fini(sh);
    params_unref(sh, sh->params);
    params_unref(sh, sh->args);
    params_unref(sh, sh->name0_box);
    if (sh->kept)
        program_unref(sh->kept);
    if (sh->pipestatus != sh->pipe_small)
        heap_free(h, sh->pipestatus, (size_t)sh->cappipestatus * sizeof *sh->pipestatus);
    buf_fini(&sh->last_buf);
    buf_fini(&sh->cwd_buf);
    buf_fini(&sh->pwd_buf);
    struct shell_shared *shared = sh->shared;
    sh->proc->shell = parent;
    if (parent) {
        fdtab_fini(&sh->fdtab);
        sh->proc->fds = sh->outer_fds;
        arena_release(&sh->arena, sh->mark);
        parent->arena = sh->arena;
    } else {
        arena_fini(&sh->arena);
        if (sh->forked && sh->program)
            program_unref(sh->program);
        heap_drop(h, sh);
    }
    shell_shared_unref(shared);
}

/* ---- the end --------------------------------------------------------------------------------- */

/* bash runs the EXIT trap when a signal ends it, too, and then dies of it. */
static void shell_exit_killed(struct shell *sh)
{
    int sig = sh->proc->killed;
    if (!sig || sig == SIG_KILL || sh->proc->run->dead_signal || !trap_is_set(sh, TRAP_EXIT))
        return;
    sh->proc->killed = 0;
    sh->ctl = CTL_NONE;
    sh->loops = 0;
    trap_run_exit(sh);
    sh->ctl = CTL_KILLED;
    sh->status = 128 + sig;
    if (!sh->proc->killed)
        sh->proc->killed = sig;
}

int shell_exit(struct shell *sh)
{
    if (!sh->exiting) {
        sh->exiting = true;
        if (sh->ctl == CTL_KILLED) {
            shell_exit_killed(sh);
        } else if (trap_is_set(sh, TRAP_EXIT)) {
            sh->ctl = CTL_NONE;
            sh->loops = 0;
            trap_run_exit(sh);
        }
    }
    int status = sh->status & 255;
    if (sh->proc->killed)
        status = 128 + sh->proc->killed;
    return status;
}

int shell_main(struct shell *sh, struct str text, enum shell_text kind)
{
    sh->from_c = kind == TEXT_C;
    if (kind == TEXT_C)
        sh->exec_string = text;
    shell_run_text(sh, text, kind, 1);
    return shell_exit(sh);
}
