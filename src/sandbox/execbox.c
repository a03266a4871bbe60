/* execbox.c -- the kind "exec": a driver that has nothing but exec, over a local sandbox
 *
 * It stands for a provider that can run a command and nothing else: every file operation becomes
 * shell commands (execfs.c). It uses hob.h alone, and is the shortest example of a driver: an inner
 * sandbox is stepped, and between two steps the call waits for what the inner one waits for.
 */
#include <poll.h>

#include "sandbox/driven.h"

enum {
    EXECBOX_TURN = 25000000 /* nanoseconds between two looks at what is being ended */
};

static int execbox_open(const hob_sandbox_options *o, void **state, hob_error *err)
{
    hob_sandbox_options inner = *o;
    inner.output = HOB_UNLIMITED; /* the outer one counts */
    inner.orphan = NULL;
    return hob_sandbox_open("local", &inner, (hob_sandbox **)state, err);
}

static void execbox_close(void *state) { hob_sandbox_free(state); }

static const char *execbox_cwd(void *state) { return hob_sandbox_cwd(state); }

static int execbox_output(void *ud, int stream, const void *data, size_t len)
{
    return hob_call_output(ud, stream, data, len);
}

static ptrdiff_t execbox_input(void *ud, void *dst, size_t cap)
{
    return hob_call_input(ud, dst, cap);
}

/* Until the inner job is done. HOB_ECANCELED goes on to whoever finishes it. */
static int execbox_drive(hob_sandbox *inner, hob_call *call, hob_job *job)
{
    for (;;) {
        int r = hob_step(inner, 0);
        if (r < 0 || hob_job_done(job))
            return MIN(r, 0);
        hob_call_pid(call, hob_job_pid(job));
        hob_pending w = {.size = sizeof w};
        r = hob_wait_for(inner, &w);
        if (r == 0)
            r = hob_call_wait(call, w.fd, POLLIN, w.until_ns);
        if (r < 0)
            return r;
    }
}

/* After an abort the inner shell is ended as a local one is: it gets its two seconds. Other calls
 * may keep the inner sandbox busy for longer. */
static void execbox_settle(hob_sandbox *inner, hob_call *call)
{
    for (int turns = 0; turns < 100 && hob_step(inner, 0) != HOB_STEP_IDLE; turns++)
        if (hob_call_wait(call, -1, 0, EXECBOX_TURN) < 0)
            return;
}

static int execbox_exec(void *state, hob_call *call, const char *script, const hob_exec_options *o)
{
    hob_sandbox *inner = state;
    hob_exec_options opt = *o;
    hob_job *job;
    hob_result res;
    int64_t left = hob_call_deadline(call);
    opt.timeout_ns = left < 0 ? 0 : MAX(left, 1);
    opt.output = execbox_output;
    opt.output_ud = call;
    if (o->read || o->input_len) {
        opt.input = NULL;
        opt.input_len = 0;
        opt.read = execbox_input;
        opt.read_ud = call;
    }
    int r = hob_exec_start(inner, script, &opt, &job, NULL);
    if (r < 0)
        return r;
    int stopped = execbox_drive(inner, call, job);
    r = hob_job_finish(job, &res);
    int status = res.status;
    hob_result_free(&res);
    hob_call_pid(call, 0);
    if (stopped == HOB_ECANCELED)
        execbox_settle(inner, call);
    return stopped < 0 ? stopped : r < 0 ? r : status;
}

static int execbox_signal(void *state, int pid, int sig) { return hob_kill(state, pid, sig); }

const hob_driver execbox_driver = {
    .size = sizeof(hob_driver),
    .name = "exec",
    .open = execbox_open,
    .close = execbox_close,
    .cwd = execbox_cwd,
    .exec = execbox_exec,
    .signal = execbox_signal,
};
