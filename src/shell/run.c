/* run.c -- programs: commands of ours, scripts with and without #!, and what starts them
 *
 * A program runs on a process: an inline child of the shell (it costs no task), or the shell's own
 * one when nothing is left to do in it, as after exec().
 */
#include "base/error.h"
#include "shell/inner.h"

enum {
    RUN_INTERPRETERS = 4 /* #! files that may name one another */
};

/* ---- messages -------------------------------------------------------------------------------- */

static void run_not_found(struct shell *sh, struct str name)
{
    struct buf b;
    bool odd = false;
    for (size_t i = 0; i < name.n; i++)
        odd = odd || (unsigned char)name.p[i] < ' ' || name.p[i] == 127;
    buf_init(&b, sh->heap);
    if (odd)
        expand_quote(&b, name);
    else
        buf_str(&b, name);
    shell_error(sh, "%s: command not found", buf_get(&b).p);
    buf_fini(&b);
}

int run_complain(struct shell *sh, struct str name, int err)
{
    switch (err) {
    case HOB_ENOENT:
        if (!memchr(name.p ? name.p : "", '/', name.n)) {
            struct str path = STR_NONE;
            if (var_strz(sh, "PATH", &path) && path.n) {
                run_not_found(sh, name);
                return 127;
            }
        }
        shell_error(sh, "%.*s: %s", STR_ARG(name), error_text(err));
        return 127;
    case HOB_ENOTDIR: shell_error(sh, "%.*s: %s", STR_ARG(name), error_text(err)); return 126;
    case HOB_ENOEXEC:
        shell_error(sh, "%.*s: cannot execute binary file: %s", STR_ARG(name), error_text(err));
        return 126;
    case HOB_ENODEV: /* the interpreter of a script is missing */
        shell_error(sh, "%.*s: cannot execute: required file not found", STR_ARG(name));
        return 127;
    default: shell_error(sh, "%.*s: %s", STR_ARG(name), error_text(err)); return 126;
    }
}

/* ---- scripts --------------------------------------------------------------------------------- */

static int run_read(struct proc *p, struct str path, struct buf *out)
{
    struct file *f = NULL;
    int r = vfs_open(p, path, FILE_READ, 0, &f);
    while (r >= 0) {
        struct slice s;
        ptrdiff_t n = file_take(f, p, &s);
        if (n <= 0) {
            r = (int)n;
            break;
        }
        if (out->n + s.n > p->kernel->limits.script)
            r = HOB_EFBIG;
        else
            buf_add(out, s.p, s.n);
        slice_drop(&s);
        if (r >= 0 && p->kernel->heap.oom)
            r = HOB_ENOMEM;
    }
    file_unref(f);
    return r;
}

int text_read_file(struct shell *sh, struct str path, struct buf *out)
{
    return run_read(sh->proc, path, out);
}

/* As bash: a NUL in the first line (of the first 80 bytes) means that it is no text. */
static bool run_is_binary(struct str text)
{
    struct str head = str_sub(text, 0, 80);
    for (size_t i = 0; i < head.n && head.p[i] != '\n'; i++)
        if (!head.p[i])
            return true;
    return false;
}

static int run_program(struct proc *p, struct found *f, struct str *argv, int argc, int depth,
                       int *err);

/* "#! interpreter [one argument]" */
static int run_interpreter(struct proc *p, struct str path, struct str text, struct str *argv,
                           int argc, int depth, int *err)
{
    ptrdiff_t eol = str_chr(text, '\n');
    struct str line = str_trim(str_sub(text, 2, (eol < 0 ? text.n : (size_t)eol) - 2));
    size_t n = 0;
    while (n < line.n && line.p[n] != ' ' && line.p[n] != '\t')
        n++;
    struct str name = arena_str(p->arena, str_sub(line, 0, n));
    struct str arg = arena_str(p->arena, str_trim(str_from(line, n)));
    struct str *words = arena_array(p->arena, struct str, argc + 3);
    if (!words || !name.p || !arg.p) {
        *err = HOB_ENOMEM;
        return 126;
    }
    int m = 0;
    words[m++] = name;
    if (arg.n)
        words[m++] = arg;
    words[m++] = path;
    for (int i = 1; i < argc; i++)
        words[m++] = argv[i];
    struct found f = {0};
    find_file(p, name, &f);
    *err = f.err;
    if (f.err >= 0 && depth >= RUN_INTERPRETERS)
        *err = HOB_ELOOP;
    if (*err < 0) {
        if (*err == HOB_ENOENT)
            *err = HOB_ENODEV;
        return 126;
    }
    return run_program(p, &f, words, m, depth + 1, err);
}

int run_script_text(struct proc *p, struct str path, struct str text, struct str *argv, int argc)
{
    struct fdtab fds, *outer = p->fds;
    struct shell *was = p->shell;
    const struct env_ops *env = p->env;
    void *env_ctx = p->env_ctx;
    fdtab_init(&fds, &p->kernel->heap);
    if (fdtab_copy(&fds, p->fds) < 0) {
        fdtab_fini(&fds);
        return HOB_ENOMEM;
    }
    p->fds = &fds;
    int status = HOB_ENOMEM;
    struct shell *sh = shell_new(p, path, argv + 1, (size_t)(argc - 1));
    if (sh) {
        struct frame main = {.name = STR("main"), .file = path};
        sh->frame = &main;
        status = shell_main(sh, text, TEXT_FILE);
        sh->frame = NULL;
        shell_free(sh);
    }
    p->fds = outer;
    p->shell = was;
    p->env = env;
    p->env_ctx = env_ctx;
    fdtab_fini(&fds);
    return status;
}

static void run_set_comm(struct proc *p, struct str path)
{
    size_t n = 0;
    for (size_t i = path.n; i > 0 && path.p[i - 1] != '/'; i--)
        n++;
    struct str name = str_sub(path, path.n - n, sizeof p->comm - 1);
    memcpy(p->comm, name.n ? name.p : "", name.n);
    p->comm[name.n] = '\0';
}

static int run_file(struct proc *p, struct str path, struct str *argv, int argc, int depth,
                    int *err)
{
    struct buf text;
    int status = 126;
    buf_init(&text, &p->kernel->heap);
    *err = run_read(p, path, &text);
    if (*err >= 0) {
        struct str t = buf_get(&text);
        if (str_starts(t, STR("#!")))
            status = run_interpreter(p, path, t, argv, argc, depth, err);
        else if (run_is_binary(t))
            *err = HOB_ENOEXEC;
        else {
            run_set_comm(p, STR("bash"));
            status = run_script_text(p, path, t, argv, argc);
        }
    }
    buf_fini(&text);
    return status;
}

/* ---- programs -------------------------------------------------------------------------------- */

/* Runs on p, whose descriptors are ready. The exit status, or *err if it could not be started. */
static int run_program(struct proc *p, struct found *f, struct str *argv, int argc, int depth,
                       int *err)
{
    p->name = argv[0];
    p->argv = argv;
    p->argc = argc;
    *err = 0;
    if (depth == 0)
        run_set_comm(p, f->path);
    if (!f->command)
        return run_file(p, f->path, argv, argc, depth, err);
    p->command = f->command;
    int status = command_run(p, f->command);
    if (p->killed)
        return 128 + p->killed;
    return status < 0 ? 1 : status & 255;
}

/* After exec() the descriptors that are marked so are closed. */
static void run_close_on_exec(struct fdtab *t)
{
    for (int fd = 3; fd < t->n; fd++)
        if (t->p[fd].file && t->p[fd].cloexec)
            fdtab_close(t, fd);
}

int run_found(struct shell *sh, struct found *f, struct str *argv, int argc, bool self)
{
    int err, status;
    sh->env_command = f->path; /* $_ of the command */
    if (self) {
        struct proc *p = sh->proc;
        struct arena *arena = p->arena;
        run_close_on_exec(p->fds);
        p->arena = &sh->arena;
        status = run_program(p, f, argv, argc, 0, &err);
        p->arena = arena;
        p->command = NULL;
    } else {
        struct proc child;
        proc_enter(&child, sh->proc);
        child.arena = &sh->arena;
        status = run_program(&child, f, argv, argc, 0, &err);
        proc_leave(&child);
        if (UNLIKELY(child.killed) && err >= 0) {
            sh->killed_pid = child.pid;
            sh->killed_sig = child.killed;
        }
        if (UNLIKELY(sh->trap_signals & SIG_BIT(SIG_CHLD)))
            sh->traps_pending |= SIG_BIT(SIG_CHLD);
        job_reap(sh);
    }
    sh->env_command = STR_NONE;
    if (err < 0)
        status = run_complain(sh, f->path, err);
    return status;
}

/* ---- for commands that run commands ---------------------------------------------------------- */

struct run_spawn {
    struct str *argv;
    int argc;
    struct found found;
};

static int run_spawned(struct proc *p)
{
    struct run_spawn *s = p->owner;
    int err;
    int status = run_program(p, &s->found, s->argv, s->argc, 0, &err);
    if (err < 0) {
        proc_warn(p, "%s", error_text(err));
        status = err == HOB_ENOENT ? 127 : 126;
    }
    return status;
}

static void run_apply_opts(struct proc *p, const struct exec_opts *o)
{
    struct file *fds[] = {o->fd0, o->fd1, o->fd2};
    for (int i = 0; i < 3; i++)
        if (fds[i])
            fdtab_set(p->fds, i, file_ref(fds[i]), false);
    if (o->env) {
        p->env = o->env;
        p->env_ctx = o->env_ctx;
    }
    if (o->cwd.p)
        p->cwd = o->cwd;
    if (o->new_group)
        p->pgid = p->pid;
}

/* PATH comes from the environment that the command will get. */
static void run_search(struct proc *p, struct str name, const struct exec_opts *o,
                       struct found *out)
{
    struct str path = STR("/usr/bin:/bin");
    const struct env_ops *env = o->env ? o->env : p->env;
    if (memchr(name.p, '/', name.n)) {
        find_file(p, name, out);
        return;
    }
    if (env)
        env->get(o->env ? o->env_ctx : p->env_ctx, STR("PATH"), &path);
    int denied = HOB_ENOENT;
    out->err = HOB_ENOENT;
    for (size_t at = 0; name.n && at <= path.n;) {
        struct str rest = str_from(path, at);
        ptrdiff_t end = str_chr(rest, ':');
        struct str dir = end < 0 ? rest : str_sub(rest, 0, (size_t)end);
        at += dir.n + 1;
        struct str full =
            arena_printf(p->arena, "%.*s/%.*s", STR_ARG(dir.n ? dir : STR(".")), STR_ARG(name));
        if (!full.p)
            return;
        find_file(p, full, out);
        if (out->err >= 0)
            return;
        if (out->err == HOB_EACCES)
            denied = HOB_EACCES;
    }
    out->path = name;
    out->err = denied;
}

static int run_spawn(struct proc *p, struct str *argv, int argc, const struct exec_opts *o,
                     struct found *f)
{
    int err;
    struct proc *c = proc_spawn(p, run_spawned, NULL, &err);
    if (!c)
        return err;
    struct run_spawn *s = arena_new(c->arena, struct run_spawn);
    struct str *words = arena_array(c->arena, struct str, argc + 1);
    bool ok = s && words;
    for (int i = 0; ok && i < argc; i++) {
        words[i] = arena_str(c->arena, argv[i]);
        ok = words[i].p != NULL;
    }
    if (!ok) {
        proc_signal(c, SIG_KILL);
        return HOB_ENOMEM;
    }
    *s = (struct run_spawn){.argv = words, .argc = argc, .found = *f};
    s->found.path = arena_str(c->arena, f->path);
    c->owner = s;
    run_apply_opts(c, o);
    return c->pid;
}

int run_exec_hook(struct proc *p, struct str *argv, int argc, const struct exec_opts *o)
{
    static const struct exec_opts none;
    struct found f = {0};
    struct fdtab fds;
    if (!o)
        o = &none;
    if (task_stack_low(p->task))
        return HOB_ELIMIT;
    run_search(p, argv[0], o, &f);
    if (f.err < 0)
        return f.err == HOB_ENOENT ? 127 : 126;
    if (o->spawn)
        return run_spawn(p, argv, argc, o, &f);
    struct proc child;
    int err = 0, status = HOB_ENOMEM;
    proc_enter(&child, p);
    fdtab_init(&fds, &p->kernel->heap);
    if (fdtab_copy(&fds, p->fds) >= 0) {
        struct arena_mark m = arena_mark(p->arena);
        child.fds = &fds;
        run_apply_opts(&child, o);
        status = run_program(&child, &f, argv, argc, 0, &err);
        arena_release(p->arena, m);
    }
    fdtab_fini(&fds);
    proc_leave(&child);
    if (err < 0)
        status = err == HOB_ENOENT || err == HOB_ENODEV ? 127 : 126;
    return proc_check(p) < 0 ? HOB_EKILLED : status;
}
