/* exec.c -- running scripts in a virtual sandbox: jobs, captured output, steps */

#include "base/error.h"
#include "base/fmt.h"
#include "sandbox/sandbox.h"

enum {
    EXEC_SLICE = 200000,
    EXEC_BACKGROUND_MAX = 1 << 20,
    EXEC_POLL_NS = 5000000
};

static const hob_exec_options exec_defaults = {.size = sizeof(hob_exec_options)};

/* ---- output ---------------------------------------------------------------------------------- */

/* What a process of the job writes to its stdout or stderr. */
static int exec_sink(void *ud, const void *p, size_t n)
{
    struct job_sink *s = ud;
    struct virtual_job *j = s->job;
    if (j->merge)
        s = &j->sinks[0];
    if (n > j->output_left) {
        /* TM-DOS-2: endless output ends the run, with what came before kept. */
        n = (size_t)j->output_left;
        j->truncated = true;
    }
    j->output_left -= n;
    if (j->output && n) {
        int r = j->output(j->output_ud, s->stream, p, n);
        if (r < 0) {
            j->output_err = r;
            run_kill(j->run, SIG_PIPE, HOB_LIMIT_NONE);
            return HOB_EKILLED;
        }
    } else if (n) {
        size_t had = s->buf.n;
        buf_add(&s->buf, p, n);
        if (s->buf.n != had + n)
            return HOB_ENOMEM;
    }
    if (j->truncated) {
        run_kill(j->run, SIG_KILL, HOB_LIMIT_OUTPUT);
        return HOB_EKILLED;
    }
    return 0;
}

/* Output of processes that outlived their call: kept up to a bound, then dropped. */
static int exec_background_sink(void *ud, const void *p, size_t n)
{
    struct buf *b = ud;
    if (b->n < EXEC_BACKGROUND_MAX)
        buf_add(b, p, MIN(n, EXEC_BACKGROUND_MAX - b->n));
    return heap_gate(b->heap);
}

/* ---- making a job ---------------------------------------------------------------------------- */

static int exec_copy_words(struct virtual_job *j, const char *const *from, struct strs *to)
{
    for (; from && *from; from++) {
        struct str s = arena_str(&j->arena, str_z(*from));
        if (!s.p || !vec_push(&j->box->kernel.heap, to, s))
            return HOB_ENOMEM;
    }
    return 0;
}

static int exec_environment(struct virtual_job *j, const hob_exec_options *o)
{
    struct heap *h = &j->box->kernel.heap;
    if (!o->env && !o->replace_env) {
        return 0;
    }
    j->env_own = true;
    int r = o->replace_env ? 0 : envlist_copy(h, &j->env, &j->box->env);
    for (const char *const *e = o->env; e && *e && r == 0; e++)
        r = envlist_set(h, &j->env, str_z(*e));
    return r;
}

static int exec_input(struct virtual_job *j, const hob_exec_options *o)
{
    struct kernel *k = &j->box->kernel;
    if (o->read)
        j->files[0] = memfile_input(k, o->read, o->read_ud, o->tty != 0);
    else if (o->input)
        j->files[0] = memfile_reader(k, str_of(o->input, o->input_len));
    else
        j->files[0] = memfile_null(k);
    if (j->files[0] && o->tty)
        j->files[0]->flags |= FILE_TTY;
    return j->files[0] ? 0 : HOB_ENOMEM;
}

static int exec_files(struct virtual_job *j, const hob_exec_options *o)
{
    struct kernel *k = &j->box->kernel;
    int r = exec_input(j, o);
    for (int i = 0; i < 2 && r == 0; i++) {
        j->sinks[i].job = j;
        j->sinks[i].stream = i == 0 ? HOB_STDOUT : HOB_STDERR;
        buf_init(&j->sinks[i].buf, &k->heap);
        j->files[i + 1] = memfile_writer(k, NULL, UINT64_MAX, exec_sink, &j->sinks[i]);
        if (!j->files[i + 1])
            r = HOB_ENOMEM;
        else if (o->tty)
            j->files[i + 1]->flags |= FILE_TTY;
    }
    return r;
}

static struct run *exec_run(struct virtual_job *j, const hob_exec_options *o)
{
    struct kernel *k = &j->box->kernel;
    struct run *r = heap_new(&k->heap, struct run);
    if (!r)
        return NULL;
    r->kernel = k;
    r->refs = 1;
    r->fuel_left = o->fuel ? o->fuel : k->limits.fuel;
    r->deadline = INT64_MAX;
    if (o->timeout_ns > 0 && __builtin_add_overflow(j->started, o->timeout_ns, &r->deadline))
        r->deadline = INT64_MAX;
    return r;
}

/* An interrupt that came while nothing ran is not for the next call. */
void exec_forget_interrupt(struct kernel *k)
{
    if (k->nprocs == 0)
        atomic_store_explicit(&k->sched.interrupt, 0, memory_order_relaxed);
}

/* Everything of a job but its process. */
int exec_prepare(struct virtual_job *j, const char *script, const hob_exec_options *o,
                 struct hob_error *err)
{
    struct kernel *k = &j->box->kernel;
    j->started = sched_now(&k->sched);
    j->output = o->output;
    j->output_ud = o->output_ud;
    j->merge = o->merge != 0;
    j->output_left = k->limits.output;
    j->run = exec_run(j, o);
    int r = j->run ? exec_files(j, o) : HOB_ENOMEM;
    if (r == 0)
        r = exec_copy_words(j, o->argv, &j->argv);
    if (r == 0)
        r = exec_copy_words(j, o->args, &j->args);
    if (r == 0 && !o->argv) {
        size_t n = o->script_len == 0 || o->script_len == HOB_Z ? strlen(script) : o->script_len;
        if (n > k->limits.script)
            return error_set(err, HOB_E2BIG, "script: limit of %llu bytes reached",
                             (unsigned long long)k->limits.script); /* TM-INP-2 */
        j->script = arena_str(&j->arena, str_of(script, n));
        if (!j->script.p)
            r = HOB_ENOMEM;
    }
    j->name = arena_str(&j->arena, str_z(o->name ? o->name : "bash"));
    return r < 0 ? r : j->name.p ? 0 : HOB_ENOMEM;
}

void exec_free(struct virtual_job *j)
{
    struct heap *h = &j->box->kernel.heap;
    for (struct virtual_job **at = &j->box->jobs; *at; at = &(*at)->next)
        if (*at == j) {
            *at = j->next;
            break;
        }
    for (int i = 0; i < 3; i++) {
        struct file *f = j->files[i];
        if (f && i > 0 && f->refs > 1) /* a background process still writes there */
            memfile_redirect(f, exec_background_sink, &j->box->background[i - 1]);
        if (f && i == 0 && f->refs > 1)
            memfile_end(f); /* the embedder's input is gone */
        file_unref(f);
    }
    buf_fini(&j->sinks[0].buf);
    buf_fini(&j->sinks[1].buf);
    if (j->env_own)
        envlist_fini(h, &j->env);
    vec_fini(h, &j->argv);
    vec_fini(h, &j->args);
    arena_fini(&j->arena);
    if (j->run)
        run_unref(j->run);
    heap_drop(h, j);
}

/* ---- running it ------------------------------------------------------------------------------ */

static void exec_on_exit(struct proc *p)
{
    struct virtual_job *j = p->owner;
    j->done = true;
    j->status = p->status;
    j->killed = p->killed;
    j->proc = NULL;
    j->ended = sched_now(&p->kernel->sched);
    /* The caller wants to know: what runs in the background may go on for ever. */
    p->kernel->sched.budget = 0;
}

/* The first process of a call: a shell with the script, or with one command. */
enum {
    EXEC_TURNS = 64
};

static int exec_main(struct proc *p)
{
    struct virtual_job *j = p->owner;
    struct shell *sh = shell_new(p, j->name, j->args.p, j->args.n);
    if (!sh)
        return 1;
    int status;
    if (j->argv.n) {
        sh->status = eval_words(sh, j->argv.p, (int)j->argv.n, 0);
        status = shell_exit(sh);
    } else {
        status = shell_main(sh, j->script, TEXT_C);
    }
    shell_free(sh);
    p->env = NULL; /* it was the shell's */
    /* What was left in the background and is ready has its turn before the call ends. */
    for (int i = 0; i < EXEC_TURNS && p->kernel->sched.head && proc_check(p) >= 0; i++)
        task_yield(p->task);
    return status;
}

static int exec_cwd(const hob_sandbox *handle, struct proc *p, const char *cwd,
                    struct hob_error *err)
{
    struct virtual_box *box = handle->v;
    struct buf b;
    buf_init(&b, &box->kernel.heap);
    path_normalise(&b, handle->cwd, str_z(cwd ? cwd : ""));
    p->cwd = arena_str(p->arena, buf_get(&b));
    buf_fini(&b);
    if (!p->cwd.p)
        return HOB_ENOMEM;
    if (!cwd && handle == &box->head)
        return 0; /* it was made with the sandbox */
    struct stat_info st;
    int r = vfs_stat(p, p->cwd, 0, &st);
    if (r == 0 && !MODE_IS_DIR(st.mode))
        r = HOB_ENOTDIR;
    return r < 0 ? error_set(err, r, "%s: %s", cwd ? cwd : handle->cwd.p, error_text(r)) : 0;
}

static int exec_launch(struct virtual_job *j, const hob_sandbox *handle, const hob_exec_options *o,
                       struct hob_error *err)
{
    int r = exec_environment(j, o);
    if (r < 0)
        return r;
    struct proc *p = proc_first(&j->box->kernel, j->run, exec_main, j, &r);
    if (!p)
        return r;
    j->proc = p;
    p->on_exit = exec_on_exit;
    p->env = &envlist_ops;
    p->env_ctx = j->env_own ? &j->env : &j->box->env;
    p->name = j->name;
    p->cmdline = j->name;
    for (int i = 0; i < 3 && r >= 0; i++)
        r = fdtab_set(p->fds, i, file_ref(j->files[i]), false);
    if (r >= 0)
        r = exec_cwd(handle, p, o->cwd, err);
    if (r < 0) { /* it never ran: let it end without its script */
        j->script = STR("");
        j->argv.n = 0;
        run_kill(j->run, SIG_KILL, HOB_LIMIT_NONE);
        while (!j->done)
            sched_run(&j->box->kernel.sched, EXEC_SLICE);
    }
    return r;
}

int exec_start(hob_sandbox *handle, const char *script, const hob_exec_options *opt,
               struct virtual_job **out, struct hob_error *err)
{
    const hob_exec_options *o = opt ? opt : &exec_defaults;
    struct virtual_box *box = handle->v;
    struct heap *h = &box->kernel.heap;
    *out = NULL;
    if (err)
        *err = (hob_error){0};
    if (o->size != sizeof *o || (!script && !o->argv) || (o->argv && !o->argv[0]))
        return error_set(err, HOB_EINVAL, "hob_exec: wrong options, or nothing to run");
    exec_forget_interrupt(&box->kernel);
    struct virtual_job *j = heap_new(h, struct virtual_job);
    if (!j)
        return error_set(err, heap_gate(h), "%s", error_text(HOB_ENOMEM));
    j->box = box;
    arena_init(&j->arena, h);
    j->next = box->jobs;
    box->jobs = j;
    int r = exec_prepare(j, script, o, err);
    if (r == 0)
        r = exec_launch(j, handle, o, err);
    if (r < 0) {
        exec_free(j);
        heap_gate(h);
        if (err && !err->code)
            error_set(err, r, "%s", error_text(r));
        return r;
    }
    *out = j;
    return 0;
}

/* ---- steps ----------------------------------------------------------------------------------- */

/* Moves the exchanges of the network on. While one is awaited a virtual clock goes as the real one
 * does, so that deadlines count. */
static void exec_network(struct virtual_box *box)
{
    struct kernel *k = &box->kernel;
    if (!k->net_waits) {
        box->outside_since = 0;
        return;
    }
    int64_t now = k->host->monotonic(k->host->ud);
    if (box->outside_since && k->sched.virtual_clock)
        k->sched.clock += now - box->outside_since;
    box->outside_since = now;
    k->host->http->step(k->host->http_ud);
    waitq_wake_all(&k->net);
}

int exec_step(struct virtual_box *box, uint64_t fuel)
{
    struct kernel *k = &box->kernel;
    if (k->sched.current)
        return HOB_EMISUSE;
    if (k->input_waits)
        waitq_wake_all(&k->input);
    exec_network(box);
    if (atomic_load_explicit(&k->sched.interrupt, memory_order_relaxed))
        kernel_interrupt(k);
    int r = sched_run(&k->sched, fuel && fuel < INT64_MAX ? (int64_t)fuel : EXEC_SLICE);
    if (k->sched.ntasks == 0) {
        blob_unref(k->spare);
        k->spare = NULL;
        if (box->exchanges.client)
            k->host->http->rest(k->host->http_ud);
    }
    heap_gate(&k->heap);
    return r;
}

int exec_wait_for(struct virtual_box *box, hob_pending *out)
{
    struct kernel *k = &box->kernel;
    out->fd = -1;
    int64_t next = sched_next_timer(&k->sched);
    out->input = k->input_waits > 0;
    out->until_ns = -1;
    if (k->sched.head)
        out->until_ns = 0;
    else if (next != INT64_MAX)
        out->until_ns = MAX(next - sched_now(&k->sched), 0);
    if (k->net_waits) {
        int64_t due = k->host->http->timeout(k->host->http_ud);
        out->fd = k->host->http->fd(k->host->http_ud);
        if (due >= 0 && (out->until_ns < 0 || due < out->until_ns))
            out->until_ns = due;
    }
    return 0;
}

/* Sleeps in short pieces, so that hob_interrupt() is seen. */
int exec_wait(struct virtual_box *box, int64_t max_ns)
{
    hob_pending w = {.size = sizeof w};
    int64_t slept = 0;
    for (;;) {
        exec_wait_for(box, &w);
        if (w.until_ns > 0 && box->kernel.sched.virtual_clock)
            w.until_ns = MAX(w.until_ns - slept, 0); /* its clock moves with the next step */
        int64_t left = w.until_ns < 0 ? max_ns - slept : MIN(w.until_ns, max_ns - slept);
        if (left <= 0 || atomic_load(&box->kernel.sched.interrupt))
            return 0;
        left = MIN(left, EXEC_POLL_NS);
        if (w.fd >= 0 && host_wait(w.fd, left))
            return 0;
        if (w.fd < 0)
            host_sleep(left);
        slept += left;
    }
}

void exec_interrupt(struct virtual_box *box) { atomic_store(&box->kernel.sched.interrupt, 1); }

/* ---- results --------------------------------------------------------------------------------- */

int exec_pid(const struct virtual_job *job) { return job->proc ? job->proc->pid : 0; }

int exec_signal(struct virtual_job *job, int sig)
{
    if (!job->proc)
        return HOB_ESRCH;
    struct kernel *k = &job->box->kernel;
    for (struct proc *p = k->procs; p; p = p->next)
        if (p->run == job->run)
            proc_signal(p, sig);
    return 0;
}

int exec_read(struct virtual_job *job, int stream, hob_bytes *out)
{
    struct job_sink *s = &job->sinks[stream - 1];
    int r = sandbox_bytes(str_from(buf_get(&s->buf), s->read), out);
    if (r == 0)
        s->read = s->buf.n;
    return r;
}

/* The name and the size of the limit that was met. */
static void exec_limit_message(const struct virtual_job *j, int limit, char *dst, size_t cap)
{
    const struct limits *l = &j->box->kernel.limits;
    uint64_t mib = l->memory >> 20;
    switch (limit) {
    case HOB_LIMIT_TIME:
        fmt_print(dst, cap, "time limit of %.3g s reached",
                  (double)(j->run->deadline - j->started) / 1e9);
        break;
    case HOB_LIMIT_FUEL: fmt_print(dst, cap, "fuel limit reached"); break;
    case HOB_LIMIT_MEMORY:
        if (mib)
            fmt_print(dst, cap, "memory limit of %llu MiB reached", (unsigned long long)mib);
        else
            fmt_print(dst, cap, "memory limit of %llu bytes reached",
                      (unsigned long long)l->memory);
        break;
    case HOB_LIMIT_OUTPUT:
        fmt_print(dst, cap, "output limit of %llu bytes reached", (unsigned long long)l->output);
        break;
    case HOB_LIMIT_INTERRUPT: fmt_print(dst, cap, "interrupted"); break;
    case HOB_LIMIT_STACK:
        fmt_print(dst, cap, "stack limit of %llu KiB reached", (unsigned long long)l->stack >> 10);
        break;
    case HOB_LIMIT_PROCESSES:
        fmt_print(dst, cap, "process limit of %llu reached", (unsigned long long)l->processes);
        break;
    case HOB_LIMIT_DEADLOCK:
        fmt_print(dst, cap, "deadlock: every process waits and nothing can wake it");
        break;
    default: break;
    }
}

static int exec_result(struct virtual_job *j, hob_result *res)
{
    struct run *run = j->run;
    *res = (hob_result){0};
    res->limit = run->limit ? run->limit : run->soft;
    res->status = j->status;
    res->signal = j->killed;
    if (run->limit == HOB_LIMIT_TIME)
        res->status = 124;
    res->truncated = j->truncated;
    res->time_ns = j->ended - j->started;
    res->fuel = run->fuel_used;
    exec_limit_message(j, res->limit, res->message, sizeof res->message);
    hob_bytes out = {0}, err = {0};
    int r = sandbox_bytes(buf_get(&j->sinks[0].buf), &out);
    if (r == 0)
        r = sandbox_bytes(buf_get(&j->sinks[1].buf), &err);
    res->out = out.data, res->out_len = out.len;
    res->err = err.data, res->err_len = err.len;
    if (r < 0)
        hob_result_free(res);
    return r < 0 ? r : j->output_err;
}

int exec_finish(struct virtual_job *job, hob_result *res)
{
    struct kernel *k = &job->box->kernel;
    if (k->sched.current)
        return HOB_EMISUSE;
    if (!job->done)
        run_kill(job->run, SIG_KILL, HOB_LIMIT_INTERRUPT);
    while (!job->done)
        sched_run(&k->sched, EXEC_SLICE);
    int r = res ? exec_result(job, res) : 0;
    job->run->deadline = INT64_MAX; /* what still runs in the background may go on */
    exec_free(job);
    heap_gate(&k->heap);
    return r;
}

/* To the end of the job. When nothing can ever wake what waits, the run ends with a name for it. */
int exec_to_end(struct virtual_job *job)
{
    struct virtual_box *box = job->box;
    while (!job->done) {
        int r = exec_step(box, INT64_MAX / 4);
        if (r < 0)
            return r;
        if (job->done || r == HOB_STEP_MORE)
            continue;
        hob_pending w = {.size = sizeof w};
        exec_wait_for(box, &w);
        if (w.until_ns < 0 && !w.input && w.fd < 0)
            run_kill(job->run, SIG_KILL, HOB_LIMIT_DEADLOCK);
        else
            exec_wait(box, w.input ? EXEC_POLL_NS : INT64_MAX);
    }
    return 0;
}

int exec_run_script(hob_sandbox *box, const char *script, const hob_exec_options *opt,
                    hob_result *res)
{
    struct virtual_job *job;
    hob_result none;
    /* A command of the embedder's cannot wait for another call: it runs inside of one. */
    int r = box->v->kernel.sched.current ? HOB_EMISUSE : exec_start(box, script, opt, &job, NULL);
    if (r < 0) {
        if (res)
            *res = (hob_result){0};
        return r;
    }
    r = exec_to_end(job);
    if (r < 0) {
        exec_finish(job, NULL);
        return r;
    }
    r = exec_finish(job, res ? res : &none);
    if (!res && r == 0)
        hob_result_free(&none);
    return r;
}

/* ---- processes ------------------------------------------------------------------------------- */

static char exec_state(const struct proc *p)
{
    if (p->state == PROC_ZOMBIE)
        return 'Z';
    if (p->state == PROC_STOPPED)
        return 'T';
    return p->task && p->task->proc == p && p->task->state != TASK_WAITING ? 'R' : 'S';
}

int exec_processes(struct virtual_box *box, hob_process **out, size_t *n)
{
    struct kernel *k = &box->kernel;
    hob_process *list = hob_alloc((k->nprocs + 1) * sizeof *list);
    if (!list)
        return HOB_ENOMEM;
    size_t i = 0;
    for (struct proc *p = k->procs; p; p = p->next, i++) {
        list[i] = (hob_process){.pid = p->pid,
                                .ppid = p->parent ? p->parent->pid : 1,
                                .pgid = p->pgid,
                                .state = exec_state(p),
                                .start_ns = p->started};
        struct str c = p->cmdline.n ? p->cmdline : p->name;
        size_t m = MIN(c.n, sizeof list[i].command - 1);
        if (m)
            memcpy(list[i].command, c.p, m);
    }
    *out = list;
    *n = i;
    return 0;
}

int exec_kill(struct virtual_box *box, int pid, int sig)
{
    struct outside o;
    return pid == 0 || pid == -1 ? HOB_EINVAL : proc_kill(outside_init(&o, box), pid, sig);
}

int exec_background(struct virtual_box *box, int stream, hob_bytes *out)
{
    struct buf *b = &box->background[stream - 1];
    int r = sandbox_bytes(buf_get(b), out);
    if (r == 0)
        buf_fini(b);
    return r;
}
