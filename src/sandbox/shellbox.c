/* shellbox.c -- a shell that stays between calls
 *
 * Its process has no task while nothing runs. Each call gives it one, and a run of its own with the
 * call's deadline and fuel.
 */
#include "base/error.h"
#include "sandbox/sandbox.h"
#include "shell/parse.h"

static struct run *shellbox_run(struct kernel *k)
{
    struct run *r = heap_new(&k->heap, struct run);
    if (r)
        *r = (struct run){.kernel = k, .refs = 1, .deadline = INT64_MAX, .fuel_left = UINT64_MAX};
    return r;
}

static int shellbox_setup(struct hob_shell *s, const hob_sandbox *handle, const hob_exec_options *o,
                          struct hob_error *err)
{
    struct virtual_box *box = s->box;
    struct kernel *k = &box->kernel;
    struct outside out;
    s->proc = *outside_init(&out, box);
    s->run = shellbox_run(k);
    int r = s->run ? 0 : HOB_ENOMEM;
    if (r == 0 && !(o && o->replace_env))
        r = envlist_copy(&k->heap, &s->env, &box->env);
    for (const char *const *e = o ? o->env : NULL; e && *e && r == 0; e++)
        r = envlist_set(&k->heap, &s->env, str_z(*e));
    if (r < 0)
        return r;
    struct buf b;
    buf_init(&b, &k->heap);
    path_normalise(&b, handle->cwd, str_z(o && o->cwd ? o->cwd : ""));
    s->proc.cwd = arena_str(&s->arena, buf_get(&b));
    buf_fini(&b);
    struct stat_info st;
    if (!s->proc.cwd.p)
        return HOB_ENOMEM;
    r = vfs_stat(&s->proc, s->proc.cwd, 0, &st);
    if (r < 0)
        return error_set(err, r, "%.*s: %s", STR_ARG(s->proc.cwd), error_text(r));
    s->proc.run = s->run;
    s->proc.fds = &s->fds;
    s->proc.arena = &s->arena;
    s->proc.env_ctx = &s->env;
    s->proc.started = sched_now(&k->sched);
    s->proc.name = s->proc.cmdline = STR("bash");
    /* Setting up a shell runs no command: the task of the outside process is good enough. */
    s->proc.task = &out.task;
    s->proc.pid = ++k->next_pid;
    s->proc.pgid = s->proc.sid = s->proc.pid;
    struct str name = arena_str(&s->arena, str_z(o && o->name ? o->name : "bash"));
    s->shell = name.p ? shell_new(&s->proc, name, NULL, 0) : NULL;
    s->proc.task = NULL;
    if (s->shell && o && o->tty)
        shell_interactive(s->shell);
    return s->shell ? 0 : HOB_ENOMEM;
}

int hob_shell_open(hob_sandbox *handle, const hob_exec_options *opt, hob_shell **out,
                   hob_error *err)
{
    struct virtual_box *box = handle->v;
    *out = NULL;
    if (err)
        *err = (hob_error){0};
    if (!box)
        return error_set(err, HOB_ENOTSUP, "a shell that stays: only a virtual sandbox has one");
    struct heap *h = &box->kernel.heap;
    if (opt && opt->size != sizeof *opt)
        return error_set(err, HOB_EINVAL, "hob_exec_options: size is not set");
    struct hob_shell *s = heap_new(h, struct hob_shell);
    if (!s)
        return error_set(err, heap_gate(h), "%s", error_text(HOB_ENOMEM));
    s->box = box;
    s->next = box->shells;
    box->shells = s;
    arena_init(&s->arena, h);
    fdtab_init(&s->fds, h);
    int r = shellbox_setup(s, handle, opt, err);
    if (r < 0) {
        hob_shell_close(s);
        heap_gate(h);
        if (err && !err->code)
            error_set(err, r, "%s", error_text(r));
        return r;
    }
    *out = s;
    return 0;
}

void hob_shell_close(hob_shell *s)
{
    struct kernel *k = &s->box->kernel;
    for (struct virtual_job *j = s->box->jobs, *next; j; j = next) {
        next = j->next;
        if (j->shell == s)
            exec_finish(j, NULL);
    }
    struct outside out;
    outside_init(&out, s->box);
    s->proc.task = &out.task;
    if (s->shell)
        shell_free(s->shell);
    for (struct hob_shell **at = &s->box->shells; *at; at = &(*at)->next)
        if (*at == s) {
            *at = s->next;
            break;
        }
    while (s->proc.child) { /* background processes of the shell's live on, orphaned */
        struct proc *c = s->proc.child;
        s->proc.child = c->sibling;
        c->parent = NULL;
        if (c->state == PROC_ZOMBIE)
            proc_free(c);
    }
    fdtab_fini(&s->fds);
    envlist_fini(&k->heap, &s->env);
    arena_fini(&s->arena);
    if (s->run)
        run_unref(s->run);
    heap_drop(&k->heap, s);
}

/* Runs on the task of one call. */
static void shellbox_main(void *arg)
{
    struct virtual_job *j = arg;
    struct hob_shell *s = j->shell;
    struct shell *sh = s->shell;
    struct proc *p = &s->proc;
    struct kernel *k = p->kernel;
    if (!j->args.n || params_set(sh, j->args.p, j->args.n) >= 0)
        j->status = shell_run_line(sh, j->script) & 255;
    else
        j->status = 1;
    s->exited = sh->ctl == CTL_EXIT;
    if (s->exited)
        j->status = shell_exit(sh) & 255;
    else
        sh->ctl = CTL_NONE;
    j->killed = p->killed ? p->killed : j->run->dead_signal;
    if (j->killed)
        j->status = 128 + j->killed;
    if (p->killed && j->run->dead_signal == 0)
        s->exited = true;
    p->killed = 0;
    p->sig_pending = 0;
    for (int fd = 0; fd < 3; fd++)
        if (fdtab_get(p->fds, fd) == j->files[fd])
            fdtab_close(p->fds, fd);
    p->task = NULL;
    p->run = s->run;
    proc_detach(p);
    j->done = true;
    j->proc = NULL;
    j->ended = sched_now(&k->sched);
    k->sched.budget = 0; /* as in exec.c: the step ends with the job */
    s->busy = false;
}

static int shellbox_start(hob_shell *s, const char *script, const hob_exec_options *opt,
                          struct virtual_job **out, hob_error *err)
{
    static const hob_exec_options defaults = {.size = sizeof(hob_exec_options)};
    const hob_exec_options *o = opt ? opt : &defaults;
    struct kernel *k = &s->box->kernel;
    *out = NULL;
    if (err)
        *err = (hob_error){0};
    if (o->size != sizeof *o || !script)
        return error_set(err, HOB_EINVAL, "hob_shell_exec: wrong options, or nothing to run");
    if (s->busy || s->exited)
        return error_set(err, HOB_EBUSY, s->busy ? "the shell runs a command" : "it has exited");
    exec_forget_interrupt(k);
    struct virtual_job *j = heap_new(&k->heap, struct virtual_job);
    if (!j)
        return error_set(err, heap_gate(&k->heap), "%s", error_text(HOB_ENOMEM));
    j->box = s->box;
    j->shell = s;
    arena_init(&j->arena, &k->heap);
    j->next = s->box->jobs;
    s->box->jobs = j;
    int r = exec_prepare(j, script, o, err);
    for (int fd = 0; fd < 3 && r >= 0; fd++)
        if (!fdtab_get(&s->fds, fd))
            r = fdtab_set(&s->fds, fd, file_ref(j->files[fd]), false);
    struct task *t = r >= 0 ? task_new(&k->sched, shellbox_main, j, &s->proc) : NULL;
    if (!t) {
        exec_free(j);
        heap_gate(&k->heap);
        r = r < 0 ? r : HOB_ENOMEM;
        return err && err->code ? r : error_set(err, r, "%s", error_text(r));
    }
    s->proc.task = t;
    s->proc.run = j->run;
    s->busy = true;
    proc_attach(&s->proc);
    j->proc = &s->proc;
    *out = j;
    return 0;
}

int hob_shell_exec_start(hob_shell *s, const char *script, const hob_exec_options *opt,
                         hob_job **out, hob_error *err)
{
    struct virtual_job *job;
    int r = shellbox_start(s, script, opt, &job, err);
    *out = r < 0 ? NULL : &job->head;
    return r;
}

int hob_shell_exec(hob_shell *s, const char *script, const hob_exec_options *opt, hob_result *res)
{
    struct virtual_job *job;
    int r = s->box->kernel.sched.current ? HOB_EMISUSE : shellbox_start(s, script, opt, &job, NULL);
    if (res)
        *res = (hob_result){0};
    if (r < 0)
        return r;
    r = exec_to_end(job);
    return r < 0 ? r : exec_finish(job, res);
}

int hob_shell_exited(const hob_shell *s) { return s->exited; }

const char *hob_shell_cwd(hob_shell *s) { return s->proc.cwd.p; }

/* ---- what a prompt needs --------------------------------------------------------------------- */

int hob_shell_prompt(hob_shell *s, int more, hob_bytes *out)
{
    struct outside o;
    struct shell *sh = s->shell;
    struct str ps, text;
    outside_init(&o, s->box);
    if (s->busy)
        return HOB_EBUSY;
    s->proc.task = &o.task;
    if (!var_strz(sh, more ? "PS2" : "PS1", &ps))
        ps = more ? STR("> ") : STR("\\u@\\h:\\w\\$ ");
    struct arena_mark m = arena_mark(&sh->arena);
    /* Command substitutions cannot run here: nothing is scheduled. The rest of the prompt can. */
    int r = expand_prompt(sh, ps, &text);
    r = r < 0 ? r : sandbox_bytes(text, out);
    arena_release(&sh->arena, m);
    s->proc.task = NULL;
    heap_gate(&s->box->kernel.heap);
    return r;
}

int hob_shell_complete_text(hob_shell *s, const char *text, size_t len)
{
    struct heap *h = &s->box->kernel.heap;
    struct parser *p = parser_new(h, str_of(text, len), 1);
    if (!p)
        return heap_gate(h);
    struct parse_options o = {.extglob = SH_SHOPT(s->shell, SHOPT_EXTGLOB)};
    struct parse_error err;
    struct program *prog;
    parser_set_options(p, &o);
    parse_error_init(&err, h);
    int r;
    size_t slashes = 0; /* an odd number of them before the last line end continues the line */
    while (len > slashes + 1 && text[len - 1] == '\n' && text[len - 2 - slashes] == '\\')
        slashes++;
    bool open = slashes % 2 == 1;
    while ((r = parser_next(p, &prog, &err)) > 0) {
        open = open || parser_warnings(p).n > 0; /* a here-document without its end */
        program_unref(prog);
    }
    open = open || parser_warnings(p).n > 0 || (r == HOB_ESYNTAX && err.incomplete);
    parse_error_fini(&err);
    parser_free(p);
    heap_gate(h);
    return open ? 0 : r < 0 ? r : 1;
}

/* Candidates for one word. */
struct shellbox_words {
    struct buf out;
    struct str prefix, dir; /* dir: what stands before the last slash of the word */
    struct proc *p;
};

static int shellbox_add_file(void *ud, const struct dir_entry *e)
{
    struct shellbox_words *w = ud;
    if (!str_starts(e->name, w->prefix) || (e->name.p[0] == '.' && !w->prefix.n))
        return 0;
    size_t at = w->out.n;
    buf_str(&w->out, w->dir);
    buf_str(&w->out, e->name);
    struct stat_info st;
    struct str path = str_from(buf_get(&w->out), at);
    if (vfs_stat(w->p, path, 0, &st) == 0 && MODE_IS_DIR(st.mode))
        buf_putc(&w->out, '/');
    buf_putc(&w->out, '\n');
    return 0;
}

static void shellbox_add_name(struct shellbox_words *w, struct str name)
{
    if (str_starts(name, w->prefix))
        buf_str(&w->out, name), buf_putc(&w->out, '\n');
}

static int shellbox_add_function(void *ud, struct function *f)
{
    shellbox_add_name(ud, f->name);
    return 0;
}

static void shellbox_add_commands(struct hob_shell *s, struct shellbox_words *w)
{
    struct kernel *k = &s->box->kernel;
    for (const struct builtin *const *b = builtin_table; *b; b++)
        shellbox_add_name(w, str_z((*b)->name));
    for (const struct command *const *c = k->commands_table; *c; c++)
        if (!builtin_find(str_z((*c)->name)))
            shellbox_add_name(w, str_z((*c)->name));
    for (struct map_entry *e = NULL; (e = map_next(&s->box->custom, e));)
        shellbox_add_name(w, e->key);
    function_each(s->shell, shellbox_add_function, w);
}

int hob_shell_completions(hob_shell *s, const char *line, size_t at, hob_bytes *out)
{
    struct outside o;
    struct heap *h = &s->box->kernel.heap;
    struct shellbox_words w = {.p = outside_init(&o, s->box)};
    size_t from = at;
    while (from > 0 && !strchr(" \t;|&<>(", line[from - 1]))
        from--;
    size_t before = from;
    while (before > 0 && (line[before - 1] == ' ' || line[before - 1] == '\t'))
        before--;
    bool command = before == 0 || strchr(";|&(", line[before - 1]);
    struct str word = str_of(line + from, at - from);
    ptrdiff_t slash = str_rchr(word, '/');
    w.p->cwd = s->proc.cwd;
    w.dir = str_sub(word, 0, (size_t)(slash + 1));
    w.prefix = str_from(word, (size_t)(slash + 1));
    buf_init(&w.out, h);
    if (command && slash < 0)
        shellbox_add_commands(s, &w);
    else
        vfs_list(w.p, w.dir.n ? w.dir : STR("."), shellbox_add_file, &w);
    int r = heap_gate(h);
    r = r < 0 ? r : sandbox_bytes(buf_get(&w.out), out);
    buf_fini(&w.out);
    return r;
}
