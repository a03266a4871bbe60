/* calljob.c -- scripts run by a driver: started, printed, answered */
#include "base/error.h"
#include "base/fmt.h"
#include "sandbox/driven.h"

enum {
    CALLJOB_POLL_NS = 5000000,   /* how often a read callback without a descriptor is asked */
    CALLJOB_LINGER_NS = 50000000 /* after an interrupt: what ends by itself is seen to its end */
};

static const hob_exec_options calljob_defaults = {.size = sizeof(hob_exec_options)};

/* ---- starting -------------------------------------------------------------------------------- */

static bool calljob_copy_text(struct hob_call *c, const char **at, const char *text)
{
    *at = text ? arena_str(&c->arena, str_z(text)).p : NULL;
    return *at || !text;
}

static bool calljob_copy_list(struct hob_call *c, const char *const **at, const char *const *list)
{
    size_t n = 0;
    if (!list)
        return true;
    while (list[n])
        n++;
    const char **copy = arena_array(&c->arena, const char *, n + 1);
    *at = copy;
    for (size_t i = 0; copy && i < n; i++)
        if (!calljob_copy_text(c, &copy[i], list[i]))
            return false;
    return copy != NULL;
}

/* The words of a command, or the arguments before a script, written as a shell reads them. A driver
 * sees nothing but a script. */
static int calljob_script(struct hob_call *c, const char *script, const hob_exec_options *o)
{
    struct buf b;
    buf_init(&b, &c->d->heap);
    for (const char *const *w = o->argv; w && *w; w++) {
        if (w != o->argv)
            buf_putc(&b, ' ');
        execfs_quote(&b, str_z(*w));
    }
    if (!o->argv && o->args && o->args[0]) {
        buf_addz(&b, "set --");
        for (const char *const *w = o->args; *w; w++) {
            buf_putc(&b, ' ');
            execfs_quote(&b, str_z(*w));
        }
        buf_addz(&b, "; ");
    }
    if (!o->argv) {
        bool all = o->script_len == 0 || o->script_len == HOB_Z;
        buf_add(&b, script, all ? strlen(script) : o->script_len);
    }
    struct str s = arena_str(&c->arena, buf_get(&b));
    buf_fini(&b);
    c->script = s.p;
    c->opt.script_len = s.n;
    if (!s.p)
        return HOB_ENOMEM;
    return memchr(s.p, '\0', s.n) ? HOB_EINVAL : 0;
}

/* What the driver gets: everything copied, for it may outlive the caller's call. */
static int calljob_options(struct hob_call *c, const hob_sandbox *box, const hob_exec_options *o)
{
    hob_exec_options *to = &c->opt;
    *to = (hob_exec_options){.size = sizeof *to,
                             .replace_env = o->replace_env,
                             .read = o->read,
                             .read_ud = o->read_ud,
                             .timeout_ns = o->timeout_ns,
                             .merge = o->merge,
                             .script_len = 0};
    struct buf b;
    buf_init(&b, &c->d->heap);
    path_normalise(&b, box->cwd, str_z(o->cwd ? o->cwd : ""));
    bool ok = calljob_copy_text(c, &to->cwd, buf_get(&b).p);
    buf_fini(&b);
    ok = ok && calljob_copy_list(c, &to->env, o->env) && calljob_copy_text(c, &to->name, o->name);
    if (ok && o->input_len && !o->read) {
        to->input = arena_str(&c->arena, str_of(o->input, o->input_len)).p;
        to->input_len = o->input_len;
        ok = to->input != NULL;
    }
    if (o->timeout_ns > 0 && __builtin_add_overflow(c->begun, o->timeout_ns, &c->deadline))
        c->deadline = INT64_MAX;
    return ok ? 0 : HOB_ENOMEM;
}

static struct driven_job *calljob_new(struct driven *d, const hob_exec_options *o)
{
    struct driven_job *j = heap_new(&d->heap, struct driven_job);
    if (!j)
        return NULL;
    j->head.driven = true;
    j->d = d;
    buf_init(&j->buf[0], &d->heap);
    buf_init(&j->buf[1], &d->heap);
    j->output = o->output;
    j->output_ud = o->output_ud;
    j->merge = o->merge != 0;
    j->output_left = d->output;
    j->timeout_ns = o->timeout_ns;
    j->started = sched_now(&d->sched);
    j->next = d->jobs;
    d->jobs = j;
    return j;
}

static void calljob_free(struct driven_job *j)
{
    struct driven *d = j->d;
    for (struct driven_job **at = &d->jobs; *at; at = &(*at)->next)
        if (*at == j) {
            *at = j->next;
            break;
        }
    buf_fini(&j->buf[0]);
    buf_fini(&j->buf[1]);
    heap_drop(&d->heap, j);
}

int calljob_start(hob_sandbox *box, const char *script, const hob_exec_options *opt,
                  struct driven_job **out, struct hob_error *err)
{
    const hob_exec_options *o = opt ? opt : &calljob_defaults;
    struct driven *d = box->d;
    *out = NULL;
    if (err)
        *err = (hob_error){0};
    if (o->size != sizeof *o || (!script && !o->argv) || (o->argv && !o->argv[0]))
        return error_set(err, HOB_EINVAL, "hob_exec: wrong options, or nothing to run");
    if (!d->calls)
        driven_forget_interrupt(d);
    struct driven_job *j = calljob_new(d, o);
    struct hob_call *c = j ? call_new(d, CALL_EXEC) : NULL;
    int r = c ? calljob_options(c, box, o) : HOB_ENOMEM;
    r = r < 0 ? r : calljob_script(c, script, o);
    if (r < 0 && c)
        call_drop(c);
    else if (r == 0)
        r = call_begin(c);
    heap_gate(&d->heap);
    if (r < 0) {
        if (j)
            calljob_free(j);
        return error_set(err, r, r == HOB_EINVAL ? "a script with a NUL in it" : "%s",
                         error_text(r));
    }
    j->call = c;
    c->job = j;
    d->commands++;
    *out = j;
    return 0;
}

/* ---- output ---------------------------------------------------------------------------------- */

static int calljob_put(struct driven_job *j, int stream, const void *data, size_t len)
{
    if (j->output) {
        int r = len ? j->output(j->output_ud, stream, data, len) : 0;
        j->output_err = MIN(r, 0);
        return j->output_err;
    }
    buf_add(&j->buf[stream - 1], data, len);
    int r = heap_gate(&j->d->heap);
    if (r < 0)
        j->error = r; /* whatever the driver makes of it */
    return r;
}

int calljob_output(struct driven_job *j, int stream, const void *data, size_t len)
{
    if (j->output_err < 0)
        return j->output_err;
    if (j->truncated)
        return HOB_ELIMIT;
    if (j->merge)
        stream = HOB_STDOUT;
    size_t n = len > j->output_left ? (size_t)j->output_left : len;
    j->output_left -= n;
    int r = calljob_put(j, stream, data, n);
    if (r < 0 || n == len)
        return r;
    /* TM-DOS-2: endless output ends the run, with what came before kept. */
    char note[120];
    j->truncated = true;
    fmt_print(j->message, sizeof j->message, "output limit of %llu bytes reached",
              (unsigned long long)j->d->output);
    fmt_print(note, sizeof note, "hob: %s\n", j->message);
    r = calljob_put(j, HOB_STDERR, note, strlen(note));
    return r < 0 ? r : HOB_ELIMIT;
}

/* ---- answers --------------------------------------------------------------------------------- */

/* The job is done; its call, if it goes on, is nobody's any more. */
static void calljob_detach(struct driven_job *j)
{
    struct driven *d = j->d;
    if (j->call) {
        j->signal = j->call->signal;
        j->call->job = NULL;
    }
    j->call = NULL;
    j->done = true;
    j->ended = sched_now(&d->sched);
    d->sched.budget = 0; /* the step ends: the caller wants to know */
}

static void calljob_late(struct driven_job *j)
{
    j->limit = HOB_LIMIT_TIME;
    fmt_print(j->message, sizeof j->message, "time limit of %.3g s reached",
              (double)j->timeout_ns / 1e9);
}

void calljob_answer(struct driven_job *j, int result)
{
    struct hob_call *c = j->call;
    bool late = c->deadline != INT64_MAX && sched_now(&j->d->sched) >= c->deadline;
    calljob_detach(j);
    if (j->error < 0)
        return;
    if (result < 0 && j->output_err == 0 && !j->truncated) {
        j->error = result;
    } else if (j->truncated) {
        j->status = 1;
        j->limit = HOB_LIMIT_OUTPUT;
    } else {
        j->status = result < 0 ? 1 : result & 255;
    }
    if (result == 124 && late && !j->truncated) {
        j->signal = 0;
        calljob_late(j);
    }
}

void calljob_end(struct driven_job *j, int status, int limit)
{
    j->error = 0;
    j->status = status;
    j->limit = limit;
    j->signal = status == 137 ? 9 : 0;
    if (limit == HOB_LIMIT_TIME)
        calljob_late(j);
    else
        fmt_print(j->message, sizeof j->message, "interrupted");
}

static int calljob_result(struct driven_job *j, hob_result *res)
{
    hob_bytes out = {0}, err = {0};
    int r = sandbox_bytes(buf_get(&j->buf[0]), &out);
    if (r == 0)
        r = sandbox_bytes(buf_get(&j->buf[1]), &err);
    *res = (hob_result){
        .status = j->status,
        .signal = j->signal,
        .limit = j->limit,
        .truncated = j->truncated,
        .time_ns = j->ended - j->started,
        .out = out.data,
        .out_len = out.len,
        .err = err.data,
        .err_len = err.len,
    };
    memcpy(res->message, j->message, sizeof res->message);
    if (r < 0)
        hob_result_free(res);
    return r < 0 ? r : j->output_err ? j->output_err : j->error;
}

int calljob_finish(struct driven_job *j, hob_result *res)
{
    struct driven *d = j->d;
    if (d->sched.current && !d->closing)
        return HOB_EMISUSE;
    if (!j->done) {
        call_give_up(j->call, HOB_ECANCELED, NULL);
        calljob_end(j, 137, HOB_LIMIT_INTERRUPT);
        sched_run(&d->sched, 1000); /* so that the driver hears of it */
    }
    int r = res ? calljob_result(j, res) : 0;
    calljob_free(j);
    heap_gate(&d->heap);
    return r;
}

int calljob_exec(hob_sandbox *box, const char *script, const hob_exec_options *opt, hob_result *res)
{
    struct driven *d = box->d;
    struct driven_job *j;
    hob_result none;
    int r = d->sched.current ? HOB_EMISUSE : calljob_start(box, script, opt, &j, NULL);
    if (res)
        *res = (hob_result){0};
    if (r < 0)
        return r;
    while (!j->done)
        if (driven_step(d, 0) != HOB_STEP_MORE && !j->done)
            driven_wait(d, d->input_waits ? CALLJOB_POLL_NS : -1);
    if (j->limit == HOB_LIMIT_INTERRUPT) {
        /* Nobody may step it again for a while: what a signal ends is gone by now. */
        int64_t until = sched_now(&d->sched) + CALLJOB_LINGER_NS;
        while (driven_step(d, 0) != HOB_STEP_IDLE && sched_now(&d->sched) < until)
            driven_wait(d, CALLJOB_POLL_NS);
    }
    r = calljob_finish(j, res ? res : &none);
    if (!res)
        hob_result_free(&none);
    return r;
}

int calljob_read(struct driven_job *j, int stream, hob_bytes *out)
{
    struct buf *b = &j->buf[stream - 1];
    size_t *at = &j->read[stream - 1];
    int r = sandbox_bytes(str_from(buf_get(b), *at), out);
    if (r == 0)
        *at = b->n;
    return r;
}

int calljob_signal(struct driven_job *j, int sig)
{
    if (!j->call || j->call->pid <= 0)
        return HOB_ESRCH;
    const hob_driver *driver = j->d->driver;
    return driver->signal ? driver->signal(j->d->state, -j->call->pid, sig) : HOB_ENOTSUP;
}
