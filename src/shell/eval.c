/* eval.c -- walks the syntax tree: lists, conditions, groups, errors
 *
 * Each kind of command has its own function; all set sh->status and look at sh->ctl, which carries
 * break, return, exit and death upwards.
 */
#include "base/error.h"
#include "base/fmt.h"
#include "shell/inner.h"

/* ---- ends ------------------------------------------------------------------------------------ */

int eval_killed(struct shell *sh)
{
    int sig = sh->proc->killed ? sh->proc->killed : sh->proc->run->dead_signal;
    sh->ctl = CTL_KILLED;
    return sh->status = 128 + (sig ? sig : SIG_TERM);
}

/* TM-STK-1: the end of a recursion. */
int eval_too_deep(struct shell *sh)
{
    struct frame *f = sh->frame;
    sh->proc->run->soft = HOB_LIMIT_STACK;
    if (f && f->fn)
        shell_error(sh, "%.*s: maximum function nesting level exceeded (%d)", STR_ARG(f->name),
                    sh->depth);
    else
        shell_error(sh, "maximum nesting level of commands exceeded");
    eval_set_status(sh, 1);
    sh->ctl = CTL_ABORT;
    return 1;
}

void eval_check_error(struct shell *sh)
{
    if (sh->status == 0 || sh->noerr > sh->noerr_not || sh->ctl != CTL_NONE)
        return; /* in ! { .. } only errexit is off, not the trap */
    if (sh->trap_special & TRAP_BIT_ERR)
        trap_run(sh, TRAP_ERR);
    if (sh->ctl == CTL_NONE && SH_OPT(sh, OPT_ERREXIT) && sh->noerr == 0)
        sh->ctl = CTL_EXIT;
}

void eval_check_node(struct shell *sh, const struct node *n)
{
    if (n != sh->inverted)
        eval_check_error(sh);
}

int eval_debug(struct shell *sh, struct node *n)
{
    int status = sh->status;
    if (sh->trap_running & TRAP_BIT_DEBUG)
        return 0;
    if (!sh->in_trap)
        sh->command = n;
    sh->debug_status = 0;
    trap_run(sh, TRAP_DEBUG);
    if (sh->ctl != CTL_NONE)
        return 1;
    int got = sh->debug_status;
    sh->status = status;
    if (!SH_SHOPT(sh, SHOPT_EXTDEBUG) || !got)
        return 0;
    if (got == 2 && (sh->depth || sh->sourcing)) {
        sh->status = 0;
        sh->ctl = CTL_RETURN;
    }
    return 1;
}

/* ---- conditions ------------------------------------------------------------------------------ */

static int eval_quiet(struct shell *sh, struct node *n)
{
    sh->noerr++;
    int status = eval_node(sh, n, EVAL_NOERR);
    sh->noerr--;
    return status;
}

static int eval_if(struct shell *sh, struct node *n, int flags)
{
    for (int i = 0; i < n->u.cond_if.n; i++) {
        int status = eval_quiet(sh, n->u.cond_if.conds[i]);
        if (sh->ctl != CTL_NONE)
            return sh->status;
        if (status == 0)
            return eval_node(sh, n->u.cond_if.bodies[i], flags);
    }
    if (n->u.cond_if.other)
        return eval_node(sh, n->u.cond_if.other, flags);
    return sh->status = 0;
}

static int eval_and_or(struct shell *sh, struct node *n, int flags)
{
    int status = eval_quiet(sh, n->u.bin.left);
    if (sh->ctl != CTL_NONE || (status == 0) != (n->kind == NODE_AND))
        return sh->status;
    return eval_node(sh, n->u.bin.right, flags);
}

/* `!` hides the failure of its own command from errexit and ERR; under errexit also of what runs
 * inside. */
static int eval_not(struct shell *sh, struct node *n)
{
    const struct node *inverted = sh->inverted;
    const struct node *body = n->u.body.body;
    if (body && body->kind == NODE_NOT && body->u.body.body)
        return eval_node(sh, body->u.body.body, 0); /* ! ! is nothing at all */
    if (!body && UNLIKELY(sh->trap_special & TRAP_BIT_DEBUG))
        eval_debug(sh, sh->command);
    sh->inverted = n->u.body.body;
    sh->noerr++;
    sh->noerr_not++;
    sh->unopened = NULL;
    int status = n->u.body.body ? eval_node(sh, n->u.body.body, EVAL_NOERR) : 0;
    sh->noerr_not--;
    sh->noerr--;
    sh->inverted = inverted;
    if (sh->ctl != CTL_NONE && sh->ctl != CTL_BREAK && sh->ctl != CTL_CONTINUE)
        return sh->status;
    if (n->u.body.body && sh->unopened == n->u.body.body)
        return sh->status = 1; /* its redirections failed: bash does not look at the ! */
    return sh->status = !status;
}

static int eval_list(struct shell *sh, struct node *n, int flags)
{
    struct list_item *it = n->u.list.items;
    int last = n->u.list.n - 1;
    for (int i = 0; i <= last; i++) {
        if (UNLIKELY(it[i].sep == '&'))
            eval_background(sh, it[i].node);
        else
            eval_node(sh, it[i].node, i == last ? flags : flags & ~EVAL_LAST);
        if (UNLIKELY(sh->ctl != CTL_NONE))
            break;
    }
    return sh->status;
}

/* ---- [[ ]], (( )), functions ----------------------------------------------------------------- */

static int eval_cond(struct shell *sh, struct node *n)
{
    int result = 1;
    sh->line = n->line + sh->line_base;
    if (UNLIKELY(proc_tick(sh->proc, 1) < 0))
        return eval_killed(sh);
    if (UNLIKELY(sh->trap_special & TRAP_BIT_DEBUG) && eval_debug(sh, n))
        return sh->status;
    if (!sh->in_trap)
        sh->command = n;
    struct arena_mark m = arena_mark(&sh->arena);
    struct procsub *ps = sh->procsubs;
    int r = expand_cond(sh, n->u.cond, &result);
    sh->this_name = "[[";
    if (UNLIKELY(sh->procsubs != ps))
        eval_close_procsubs(sh, ps);
    arena_release(&sh->arena, m);
    if (r < 0 && sh->ctl != CTL_NONE)
        return sh->status;
    eval_set_status(sh, r < 0 && result == 0 ? 1 : result);
    if (UNLIKELY(sh->status))
        eval_check_node(sh, n);
    return sh->status;
}

static int eval_arith(struct shell *sh, struct node *n)
{
    int64_t value = 0;
    sh->line = n->line + sh->line_base;
    if (UNLIKELY(proc_tick(sh->proc, 1) < 0))
        return eval_killed(sh);
    if (UNLIKELY(sh->trap_special & TRAP_BIT_DEBUG) && eval_debug(sh, n))
        return sh->status;
    if (!sh->in_trap)
        sh->command = n;
    struct arena_mark m = arena_mark(&sh->arena);
    if (UNLIKELY(SH_OPT(sh, OPT_XTRACE)))
        trace_arith(sh, n->u.arith.expr);
    int r = arith_command(sh, &n->u.arith, &value);
    sh->this_name = "((";
    arena_release(&sh->arena, m);
    /* An error in (( )) is only a failure of that command. */
    if (r < 0 && sh->ctl == CTL_ABORT)
        sh->ctl = CTL_NONE;
    if (sh->ctl != CTL_NONE)
        return sh->status;
    eval_set_status(sh, r < 0 || value == 0);
    if (UNLIKELY(sh->status))
        eval_check_node(sh, n);
    return sh->status;
}

static int eval_define(struct shell *sh, struct node *n)
{
    struct program *prog = n->u.func.program ? n->u.func.program : sh->program;
    struct str name = n->u.func.name;
    bool posix = SH_OPT(sh, OPT_POSIX);
    if (UNLIKELY(n->u.func.bad || (posix && !parse_is_name(name)))) {
        shell_error(sh, "`%.*s': not a valid identifier", STR_ARG(name));
        if (posix)
            shell_fatal(sh, 2);
        return eval_set_status(sh, posix ? 2 : 1), eval_check_node(sh, n), sh->status;
    }
    if (posix) {
        sh->line = (n->line_end ? n->line_end : n->line) + sh->line_base;
        const struct builtin *b = builtin_find(name);
        if (b && b->flags & BUILTIN_SPECIAL) {
            shell_error(sh, "`%.*s': is a special builtin", STR_ARG(name));
            shell_fatal(sh, 2);
            return 2;
        }
    }
    int r = function_define(sh, n, prog);
    return sh->status = r < 0; /* PIPESTATUS stays */
}

/* ---- a call ---------------------------------------------------------------------------------- */

/* Traps that the body must not see, unless it or the options say so. */
static uint8_t eval_hidden_traps(struct shell *sh, const struct function *f)
{
    uint8_t hide = 0;
    if (!SH_OPT(sh, OPT_FUNCTRACE) && !(f->flags & VAR_TRACE))
        hide |= TRAP_BIT_DEBUG | TRAP_BIT_RETURN;
    if (!SH_OPT(sh, OPT_ERRTRACE))
        hide |= TRAP_BIT_ERR;
    return hide & sh->trap_special;
}

static int eval_funcnest(struct shell *sh, struct function *f)
{
    struct str v = STR_NONE;
    int64_t max = 0;
    if (UNLIKELY(!sh->funcnest_sym))
        sh->funcnest_sym = sym_intern(sh, STR("FUNCNEST"));
    if (!sh->funcnest_sym || !var_str(sh, sh->funcnest_sym, &v) || str_int(v, &max) < 0 ||
        max <= 0 || sh->depth < max)
        return 0;
    shell_error(sh, "%.*s: maximum function nesting level exceeded (%lld)", STR_ARG(f->name),
                (long long)max);
    eval_set_status(sh, 1);
    sh->ctl = CTL_ABORT;
    return -1;
}

static void eval_body(struct shell *sh, struct function *f)
{
    sh->line = f->line;
    if (UNLIKELY(sh->trap_special & TRAP_BIT_DEBUG) && eval_debug(sh, sh->command))
        return;
    eval_node(sh, f->body, 0);
    if (sh->ctl == CTL_RETURN)
        sh->ctl = CTL_NONE;
    if (UNLIKELY(sh->trap_special & TRAP_BIT_RETURN) && sh->ctl == CTL_NONE) {
        sh->line = f->line;
        trap_run(sh, TRAP_RETURN);
    }
}

int eval_function(struct shell *sh, struct function *f, struct str *argv, int argc)
{
    struct trap_saved traps = {0};
    struct program *program = sh->program;
    if (UNLIKELY(task_stack_low(sh->proc->task)))
        return eval_too_deep(sh);
    if (eval_funcnest(sh, f) < 0)
        return sh->status;
    struct params *args = params_new(sh, argv + 1, (size_t)(argc - 1));
    if (!args || scope_push(sh, true) < 0) {
        params_unref(sh, args);
        shell_oom(sh);
        return sh->status;
    }
    struct frame frame = {.up = sh->frame,
                          .fn = function_ref(f),
                          .name = f->name,
                          .file = f->file,
                          .line = sh->line,
                          .params = sh->params,
                          .from = sh->from,
                          .loops = sh->loops,
                          .args = SH_SHOPT(sh, SHOPT_EXTDEBUG)};
    int line = sh->line, base = sh->line_base;
    uint8_t hide = sh->trap_special ? eval_hidden_traps(sh, f) : 0;
    if (UNLIKELY(hide))
        trap_hide(sh, hide, &traps);
    sh->frame = &frame;
    sh->params = args;
    sh->from = 0;
    if (!SH_COMPAT(sh, 43))
        sh->loops = 0;
    sh->depth++;
    sh->program = f->program;
    sh->line_base = 0;
    sh->this_name = f->name.p;
    eval_body(sh, f);
    sh->line_base = base;
    sh->program = program;
    sh->depth--;
    sh->loops = frame.loops;
    params_unref(sh, sh->params);
    sh->params = frame.params;
    sh->from = frame.from;
    sh->frame = frame.up;
    if (UNLIKELY(frame.keep_opts))
        declare_restore_options(sh, frame.opts);
    if (UNLIKELY(hide))
        trap_unhide(sh, &traps);
    scope_pop(sh);
    sh->line = line;
    if (f->refs == 1)
        sh->command = NULL; /* it may be in what goes now */
    function_release(sh, f);
    return sh->status;
}

/* ---- any command ----------------------------------------------------------------------------- */

static int eval_compound_kind(struct shell *sh, struct node *n, int flags)
{
    switch (n->kind) {
    case NODE_IF: return eval_if(sh, n, flags);
    case NODE_FOR: return eval_for(sh, n);
    case NODE_FORARITH: return eval_forarith(sh, n);
    case NODE_WHILE: return eval_while(sh, n);
    case NODE_CASE: return eval_case(sh, n);
    case NODE_SELECT: return eval_select(sh, n);
    case NODE_GROUP: return n->u.body.body ? eval_node(sh, n->u.body.body, flags) : sh->status;
    case NODE_COND: return eval_cond(sh, n);
    case NODE_ARITH: return eval_arith(sh, n);
    default: return sh->status;
    }
}

static int eval_compound(struct shell *sh, struct node *n, int flags)
{
    int line = sh->line;
    eval_compound_kind(sh, n, flags);
    if (LIKELY(sh->ctl <= CTL_CONTINUE))
        sh->line = line;
    return sh->status;
}

bool eval_redirects_stdin(const struct node *n)
{
    for (int i = 0; i < n->nredirs; i++) {
        const struct redir *r = &n->redirs[i];
        bool input = r->op == REDIR_IN || r->op == REDIR_RDWR || r->op == REDIR_DUPIN ||
                     r->op == REDIR_HEREDOC || r->op == REDIR_HERESTR;
        if (input && !r->var.p && r->fd <= 0)
            return true;
    }
    return false;
}

static int eval_redirected(struct shell *sh, struct node *n, int flags)
{
    struct redir_save *save = NULL;
    struct arena_mark m = arena_mark(&sh->arena);
    struct procsub *ps = sh->procsubs;
    int r = redir_apply(sh, n->redirs, n->nredirs, &save);
    if (r >= 0) {
        bool stdin_redir = sh->stdin_redir;
        sh->stdin_redir = stdin_redir || eval_redirects_stdin(n);
        eval_compound(sh, n, flags & ~EVAL_LAST);
        sh->stdin_redir = stdin_redir;
    } else if (sh->ctl == CTL_NONE) {
        eval_set_status(sh, 1);
        sh->unopened = n;
    }
    redir_restore(sh, save);
    if (sh->procsubs != ps)
        eval_close_procsubs(sh, ps);
    arena_release(&sh->arena, m);
    if (r < 0)
        eval_check_node(sh, n);
    return sh->status;
}

int eval_node(struct shell *sh, struct node *n, int flags)
{
    if (UNLIKELY(trap_pending(sh)) && sh->ctl == CTL_NONE) {
        traps_run_pending(sh);
        if (sh->ctl != CTL_NONE)
            return sh->status;
    }
    switch (n->kind) {
    case NODE_SIMPLE: return eval_simple(sh, n, flags);
    case NODE_LIST: return eval_list(sh, n, flags);
    default: break;
    }
    if (UNLIKELY(task_stack_low(sh->proc->task)))
        return eval_too_deep(sh);
    switch (n->kind) {
    case NODE_AND:
    case NODE_OR: return eval_and_or(sh, n, flags);
    case NODE_PIPE: return eval_pipe(sh, n, flags);
    case NODE_NOT: return eval_not(sh, n);
    case NODE_TIME: return eval_time(sh, n, flags);
    case NODE_SUBSHELL: return eval_subshell(sh, n, flags);
    case NODE_FUNC: return eval_define(sh, n);
    case NODE_COPROC: return eval_coproc(sh, n);
    default: break;
    }
    return UNLIKELY(n->nredirs) ? eval_redirected(sh, n, flags) : eval_compound(sh, n, flags);
}

/* ---- time ------------------------------------------------------------------------------------ */

struct eval_times {
    int64_t real, user, sys;
};

static struct eval_times eval_clock(struct shell *sh)
{
    const struct host *h = sh->kernel->host;
    struct eval_times t = {.real = sched_now(&sh->kernel->sched)};
    if (h->cpu && !sh->kernel->sched.virtual_clock)
        t.user = h->cpu(h->ud);
    return t;
}

/* One of %R %U %S with precision and `l`. */
static void eval_time_value(struct buf *b, int64_t ns, int prec, bool longer)
{
    int64_t ms = ns / 1000000, s = ms / 1000;
    int frac = (int)(ms % 1000);
    if (longer) {
        buf_printf(b, "%lldm", (long long)(s / 60));
        s %= 60;
    }
    buf_printf(b, "%lld", (long long)s);
    if (prec == 1)
        frac /= 100;
    else if (prec == 2)
        frac /= 10;
    if (prec)
        buf_printf(b, ".%0*d", prec, frac);
    if (longer)
        buf_putc(b, 's');
}

static void eval_time_format(struct shell *sh, struct buf *b, struct str f, struct eval_times t)
{
    for (size_t i = 0; i < f.n; i++) {
        if (f.p[i] != '%' || i + 1 == f.n) {
            buf_putc(b, f.p[i]);
            continue;
        }
        i++;
        int prec = 3;
        bool longer = false;
        if (f.p[i] == '%') {
            buf_putc(b, '%');
            continue;
        }
        if (f.p[i] == 'P') {
            int64_t cpu = t.user + t.sys, pct = t.real > 0 ? cpu * 10000 / t.real : 0;
            buf_printf(b, "%lld.%02lld", (long long)(pct / 100), (long long)(pct % 100));
            continue;
        }
        if (i < f.n && f.p[i] >= '0' && f.p[i] <= '9') {
            prec = MIN(f.p[i] - '0', 3);
            i++;
        }
        if (i < f.n && f.p[i] == 'l') {
            longer = true;
            i++;
        }
        char c = i < f.n ? f.p[i] : '\0';
        if (c != 'R' && c != 'U' && c != 'S') {
            shell_error(sh, "TIMEFORMAT: `%c': invalid format character", c);
            return;
        }
        eval_time_value(b, c == 'R' ? t.real : c == 'U' ? t.user : t.sys, prec, longer);
    }
    if (f.n)
        buf_putc(b, '\n');
}

int eval_time(struct shell *sh, struct node *n, int flags)
{
    struct eval_times from = eval_clock(sh), to;
    struct str format = STR("\nreal\t%3lR\nuser\t%3lU\nsys\t%3lS");
    struct buf b;
    if (n->u.body.body)
        eval_node(sh, n->u.body.body, flags & ~EVAL_LAST);
    else
        sh->status = 0;
    if (sh->ctl == CTL_KILLED)
        return sh->status;
    to = eval_clock(sh);
    to.real = MAX(to.real - from.real, 0);
    to.user = MAX(to.user - from.user, 0);
    var_strz(sh, "TIMEFORMAT", &format);
    if (n->flag)
        format = STR("real %2R\nuser %2U\nsys %2S");
    buf_init(&b, sh->heap);
    eval_time_format(sh, &b, format, to);
    if (b.n)
        proc_puts(sh->proc, 2, buf_get(&b));
    buf_fini(&b);
    return sh->status;
}
