/* var_dynamic.c -- variables that are computed when they are looked at */
#include "shell/expand_impl.h"
#include "base/fmt.h"
#include "shell/inner.h"

/* ---- RANDOM ---------------------------------------------------------------------------------- */

/* Each process seeds for itself, as bash does after a fork. */
static void var_dynamic_seed(struct shell *sh)
{
    if (sh->random_pid == sh->proc->pid && sh->random_pid)
        return;
    sh->random_state = (uint32_t)random_next(&sh->kernel->random);
    sh->random_pid = sh->proc->pid;
}

/* The minimal standard generator, and the fold of its two halves: bash's numbers from a seed. */
static int64_t var_dynamic_random(struct shell *sh)
{
    var_dynamic_seed(sh);
    uint32_t value;
    do {
        uint32_t x = sh->random_state ? sh->random_state : 123459876;
        uint32_t h = x / 127773, l = x - 127773 * h;
        int32_t t = (int32_t)(16807 * l - 2836 * h);
        sh->random_state = t < 0 ? (uint32_t)t + 0x7fffffff : (uint32_t)t;
        value = sh->random_state;
        if (!SH_COMPAT(sh, 50))
            value = (value >> 16) ^ (value & 65535);
        value &= 32767;
    } while (value == sh->random_last);
    sh->random_last = value;
    return value;
}

/* ---- scalars --------------------------------------------------------------------------------- */

static int64_t var_dynamic_now(struct shell *sh) { return sched_now(&sh->kernel->sched); }

/* Of the first shell, in its subshells too. */
static int var_dynamic_ppid(struct shell *sh)
{
    struct proc *p = proc_find(sh->kernel, sh->pid);
    return p && p->parent ? p->parent->pid : 1;
}

bool var_dynamic_int(struct shell *sh, const struct sym *s, int64_t *out)
{
    switch (s->id) {
    case SYM_RANDOM: *out = var_dynamic_random(sh); return true;
    case SYM_SRANDOM: *out = (int64_t)(uint32_t)random_next(&sh->kernel->random); return true;
    case SYM_SECONDS:
        *out = (var_dynamic_now(sh) - sh->start_ns) / 1000000000 + sh->seconds_base;
        return true;
    case SYM_EPOCHSECONDS: *out = var_dynamic_now(sh) / 1000000000; return true;
    case SYM_LINENO: *out = sh->line; return true;
    case SYM_BASHPID: *out = sh->proc->pid; return true;
    case SYM_BASH_SUBSHELL: *out = sh->subshell; return true;
    case SYM_UID:
    case SYM_EUID: *out = sh->proc->uid; return true;
    case SYM_PPID: *out = var_dynamic_ppid(sh); return true;
    case SYM_HISTCMD: *out = history_number(sh); return true;
    default: return false;
    }
}

static struct str var_dynamic_opts(struct shell *sh, uint64_t set, const char *const *names, int n)
{
    struct buf b;
    buf_init(&b, sh->heap);
    for (int i = 0; i < n; i++) {
        if (!((set >> i) & 1) || !names[i])
            continue;
        if (b.n)
            buf_putc(&b, ':');
        buf_addz(&b, names[i]);
    }
    struct str s = arena_str(&sh->arena, buf_get(&b));
    buf_fini(&b);
    return s;
}

static struct str var_dynamic_command(struct shell *sh)
{
    struct buf b;
    buf_init(&b, sh->heap);
    if (sh->command)
        trace_head(&b, sh->command);
    struct str s = arena_str(&sh->arena, buf_get(&b));
    if (s.p && (memchr(s.p, '\001', s.n) || memchr(s.p, '\177', s.n))) {
        buf_clear(&b); /* bash shows these two as it keeps them */
        for (size_t i = 0; i < s.n; i++) {
            if (s.p[i] == '\001' || s.p[i] == '\177')
                buf_putc(&b, '\001');
            buf_putc(&b, s.p[i]);
        }
        s = arena_str(&sh->arena, buf_get(&b));
    }
    buf_fini(&b);
    return s;
}

static struct str var_dynamic_time(struct shell *sh)
{
    int64_t now = var_dynamic_now(sh);
    return arena_printf(&sh->arena, "%lld.%06lld", (long long)(now / 1000000000),
                        (long long)(now / 1000 % 1000000));
}

bool var_dynamic_str(struct shell *sh, struct sym *s, struct str *out)
{
    int64_t n;
    if (var_dynamic_int(sh, s, &n)) {
        char *p = arena_alloc(&sh->arena, 24);
        if (!p)
            return false;
        *out = str_of(p, fmt_int(p, n));
        p[out->n] = '\0';
        return true;
    }
    switch (s->id) {
    case SYM_UNDERSCORE: *out = sh->last_arg.p ? sh->last_arg : STR(""); return true;
    case SYM_HOSTNAME: *out = sh->kernel->hostname; return out->p != NULL;
    case SYM_EPOCHREALTIME: *out = var_dynamic_time(sh); return out->p != NULL;
    case SYM_BASH_ARGV0: *out = sh->name0; return true;
    case SYM_BASH_COMMAND: *out = var_dynamic_command(sh); return out->p != NULL;
    case SYM_BASH_EXECUTION_STRING: *out = sh->exec_string; return out->p != NULL;
    case SYM_COMP_WORDBREAKS: *out = STR(" \t\n\"'><=;|&(:"); return true;
    case SYM_SHELLOPTS:
        *out = var_dynamic_opts(sh, sh->opts, shell_opt_names, OPT_COUNT);
        return out->p != NULL;
    case SYM_BASHOPTS:
        *out = var_dynamic_opts(sh, sh->shopts, shell_shopt_names, SHOPT_COUNT);
        return out->p != NULL;
    default: return false;
    }
}

bool var_dynamic_absent(const struct shell *sh, const struct sym *s)
{
    return (s->id == SYM_PIPESTATUS && sh->npipestatus == 0) ||
           (s->id == SYM_BASH_EXECUTION_STRING && !sh->exec_string.p);
}

/* Whether a listing shows the value: bash shows only those that were computed at the start. */
bool var_dynamic_shown(struct shell *sh, struct sym *s, struct str *out)
{
    switch (s->id) {
    case SYM_BASHPID:
    case SYM_BASH_ARGV0:
    case SYM_BASH_COMMAND:
    case SYM_BASH_SUBSHELL:
    case SYM_COMP_WORDBREAKS:
    case SYM_EPOCHREALTIME:
    case SYM_EPOCHSECONDS:
    case SYM_HISTCMD:
    case SYM_LINENO:
    case SYM_RANDOM:
    case SYM_SECONDS:
    case SYM_SRANDOM: return false;
    default: return var_dynamic_str(sh, s, out);
    }
}

int var_dynamic_set(struct shell *sh, struct sym *s, struct str value)
{
    int64_t n = 0;
    switch (s->id) {
    case SYM_RANDOM:
        str_int(value, &n);
        sh->random_state = (uint32_t)n;
        sh->random_last = 0;
        sh->random_pid = sh->proc->pid;
        return 1;
    case SYM_SECONDS:
        if (str_int(str_trim(value), &n) < 0)
            n = 0;
        sh->seconds_base = n;
        sh->start_ns = var_dynamic_now(sh);
        return 1;
    case SYM_LINENO:
        if (str_int(value, &n) == 0)
            sh->line = (int)n;
        return 1;
    case SYM_BASH_ARGV0: shell_set_name0(sh, value); return 1;
    case SYM_HOSTNAME:
    case SYM_BASH_EXECUTION_STRING:
    case SYM_HISTCMD:
    case SYM_COMP_WORDBREAKS: return 0;
    default: return 1; /* assignments have no effect */
    }
}

/* ---- arrays ---------------------------------------------------------------------------------- */

static int var_dynamic_add(struct shell *sh, struct array *a, struct str s)
{
    return array_set(sh->heap, a, array_max(a) + 1, s);
}

static int var_dynamic_add_int(struct shell *sh, struct array *a, int64_t n)
{
    char text[24];
    return var_dynamic_add(sh, a, str_of(text, fmt_int(text, n)));
}

/* FUNCNAME, BASH_SOURCE and BASH_LINENO: one element a frame, newest first. */
static void var_dynamic_frames(struct shell *sh, uint32_t id, struct array *a)
{
    bool function = false;
    for (struct frame *f = sh->frame; f; f = f->up)
        function = function || f->fn;
    for (struct frame *f = sh->frame; f; f = f->up) {
        if (id == SYM_BASH_SOURCE)
            var_dynamic_add(sh, a, f->file);
        else if (id == SYM_BASH_LINENO)
            var_dynamic_add_int(sh, a, f->line);
        else if (function)
            var_dynamic_add(sh, a, f->name);
    }
}

static int var_dynamic_alias(void *ud, struct str name, struct str value)
{
    void **p = ud;
    return assoc_set(((struct shell *)p[0])->heap, p[1], name, value);
}

static int var_dynamic_cmd(void *ud, struct str name, struct str path, int hits)
{
    (void)hits;
    return var_dynamic_alias(ud, name, path);
}

static void var_dynamic_version(struct shell *sh, struct array *a)
{
    static const struct str list[] = {STR_INIT("5"),       STR_INIT("2"),
                                      STR_INIT("15"),      STR_INIT("1"),
                                      STR_INIT("release"), STR_INIT("x86_64-pc-linux-gnu")};
    for (size_t i = 0; i < COUNT(list); i++)
        var_dynamic_add(sh, a, list[i]);
}

static int var_dynamic_dir(void *ud, struct str dir)
{
    void **p = ud;
    return var_dynamic_add(p[0], p[1], dir);
}

/* The arguments of one call, the last one first, or how many there are. */
static void var_dynamic_call(struct shell *sh, uint32_t id, struct array *a, const struct str *p,
                             size_t n)
{
    if (id == SYM_BASH_ARGC)
        var_dynamic_add_int(sh, a, (int64_t)n);
    else
        while (n-- > 0)
            var_dynamic_add(sh, a, p[n]);
}

/* BASH_ARGV and BASH_ARGC: of all calls under extdebug, and of the script itself if they were
 * looked at outside of functions, or extdebug was switched on. A file that is sourced without
 * arguments counts with its name. */
static void var_dynamic_args(struct shell *sh, uint32_t id, struct array *a)
{
    const struct params *p = sh->params;
    if (!sh->level && !SH_SHOPT(sh, SHOPT_EXTDEBUG))
        shell_keep_args(sh);
    for (struct frame *f = sh->frame; f; f = f->up) {
        if (f->args && f->source && p == f->params)
            var_dynamic_call(sh, id, a, &f->file, 1);
        else if (f->args && p)
            var_dynamic_call(sh, id, a, p->p, p->n);
        if (f->params)
            p = f->params;
    }
    if (sh->args)
        var_dynamic_call(sh, id, a, sh->args->p + sh->args_from, sh->args->n - sh->args_from);
}

static void var_dynamic_array(struct shell *sh, uint32_t id, struct array *a)
{
    void *ud[2] = {sh, a};
    array_clear(sh->heap, a);
    switch (id) {
    case SYM_PIPESTATUS:
        for (int i = 0; i < sh->npipestatus; i++)
            var_dynamic_add_int(sh, a, sh->pipestatus[i]);
        break;
    case SYM_FUNCNAME:
    case SYM_BASH_SOURCE:
    case SYM_BASH_LINENO: var_dynamic_frames(sh, id, a); break;
    case SYM_BASH_ARGC:
    case SYM_BASH_ARGV: var_dynamic_args(sh, id, a); break;
    case SYM_GROUPS: var_dynamic_add_int(sh, a, sh->proc->gid); break;
    case SYM_DIRSTACK: dirs_each(sh, var_dynamic_dir, ud); break;
    case SYM_BASH_VERSINFO: var_dynamic_version(sh, a); break;
    default: break;
    }
}

struct var *var_dynamic_fill(struct shell *sh, struct sym *s, struct var *v)
{
    v = var_own(sh, s);
    if (!v)
        return NULL;
    if (v->flags & VAR_ARRAY) {
        if (!v->u.array && !(v->u.array = array_new(sh->heap)))
            return NULL;
        var_dynamic_array(sh, s->id, v->u.array);
    } else {
        if (!v->u.assoc && !(v->u.assoc = assoc_new(sh->heap)))
            return NULL;
        void *ud[2] = {sh, v->u.assoc};
        assoc_clear(sh->heap, v->u.assoc);
        if (s->id == SYM_BASH_ALIASES)
            alias_each(sh, var_dynamic_alias, ud);
        else
            find_each(sh, var_dynamic_cmd, ud);
    }
    return v;
}
