/* local.c -- the local sandbox: the host's own shell and files
 *
 * It isolates nothing: a script has the rights of the program. What it gives is the contract: an
 * environment of 14 names and what was added (TM-LOC-1), an end for every call, output that is
 * capped, no process left as a zombie and no descriptor left open. The shell of each call leads a
 * process group; a call ends when the shell does. What the shell left in the background goes on, as
 * in a terminal, and is told to hang up when the sandbox is freed.
 */
#include "sandbox/local.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "host/osfile.h"
#include "host/process.h"
#include "sandbox/driven.h"

enum {
    LOCAL_BLOCK = 64 << 10,
    LOCAL_SCRIPT = 100 << 10, /* a longer one cannot be an argument: it becomes a file */
    LOCAL_BACKGROUND = 128,   /* calls whose background output is still read */
    LOCAL_PATH = 4096
};

/* Nanoseconds. */
#define LOCAL_KILL INT64_C(2000000000) /* from SIGTERM to SIGKILL */
#define LOCAL_DEAD INT64_C(1000000000) /* for a killed shell to vanish */
#define LOCAL_QUIET INT64_C(100000000) /* of a pipe that the ended shell left open */
#define LOCAL_DRAIN INT64_C(500000000) /* the most for such a pipe that is not quiet */
#define LOCAL_TICK INT64_C(10000000)   /* where there is no descriptor for a process */

static const char *const local_names[] = {"PATH",  "HOME",   "USER",   "LOGNAME",  "HOSTNAME",
                                          "SHELL", "LANG",   "LC_ALL", "LC_CTYPE", "TZ",
                                          "TERM",  "TMPDIR", "TMP",    "TEMP"};

struct local {
    struct heap heap;
    struct envlist env;
    const char **envp; /* the same for exec(), of env.n + 1 */
    size_t envp_cap;
    char cwd[LOCAL_PATH], shell[LOCAL_PATH];
    bool bash;
    struct local_run *runs; /* on the stacks of their calls */
    int background;
    VEC(int) strays; /* killed, and not gone yet */
};

/* Why a call is being ended. */
enum local_end {
    LOCAL_GOES_ON,
    LOCAL_LATE,
    LOCAL_CANCELLED,
    LOCAL_OVERFLOW /* the output limit, or nobody takes the output */
};

struct local_run {
    struct local *l;
    hob_call *call;
    struct local_run *next;
    int pid, watch;
    int in, out[2]; /* -1: closed */
    bool exited, killed, quit;
    enum local_end end;
    int status, signal;
    int64_t kill_at, drain_until, quiet_until;
    char *input; /* read, and not yet taken by the shell */
    size_t input_at, input_n;
};

/* ---- environment ----------------------------------------------------------------------------- */

static bool local_is(const char *entry, const char *name)
{
    size_t n = strlen(name);
    return strncmp(entry, name, n) == 0 && entry[n] == '=';
}

/* TM-LOC-1: 14 names of the host's, then what the caller said. A snapshot: later changes of the
 * host's environment are not seen. */
static int local_environment(struct local *l, const hob_sandbox_options *o)
{
    int r = 0;
    for (const char *const *e = o->host_env; e && *e && r == 0; e++)
        for (size_t i = 0; i < COUNT(local_names) && r == 0; i++)
            if (local_is(*e, local_names[i]))
                r = envlist_set(&l->heap, &l->env, str_z(*e));
    for (const char *const *e = o->env; e && *e && r == 0; e++)
        r = envlist_set(&l->heap, &l->env, str_z(*e));
    return r;
}

/* The list as exec() wants it. *cap is what to free. */
static const char **local_envp(struct heap *h, const struct envlist *e, size_t *cap)
{
    const char **p = heap_alloc(h, (e->n + 1) * sizeof *p);
    if (!p)
        return NULL;
    for (size_t i = 0; i < e->n; i++)
        p[i] = e->p[i].p;
    p[e->n] = NULL;
    *cap = e->n + 1;
    return p;
}

/* bash where the host has it, looked for once. */
static void local_find_shell(struct local *l, const hob_sandbox_options *o)
{
    const char *path = "/usr/local/bin:/usr/bin:/bin";
    for (const char *const *e = o->host_env; e && *e; e++)
        if (local_is(*e, "PATH"))
            path = *e + 5;
    l->bash = process_find(path, "bash", l->shell, sizeof l->shell);
    if (!l->bash)
        memcpy(l->shell, "/bin/sh", 8);
}

static int local_folder(struct local *l, const char *cwd, struct hob_error *err)
{
    char here[LOCAL_PATH];
    struct buf b;
    here[0] = '/', here[1] = '\0';
    if ((!cwd || cwd[0] != '/') && !getcwd(here, sizeof here))
        return error_set(err, process_error(errno), "the working folder cannot be told");
    buf_init(&b, &l->heap);
    path_normalise(&b, str_z(here), str_z(cwd ? cwd : ""));
    int r = heap_gate(&l->heap);
    if (r == 0 && b.n >= sizeof l->cwd)
        r = HOB_ENAMETOOLONG;
    if (r == 0)
        memcpy(l->cwd, b.p, b.n + 1);
    buf_fini(&b);
    return r;
}

static void local_close(void *state)
{
    struct local *l = state;
    hob_alloc_fn alloc = l->heap.fn;
    void *ud = l->heap.ud;
    int status, sig;
    for (size_t i = 0; i < l->strays.n; i++)
        process_reap(l->strays.p[i], &status, &sig);
    vec_fini(&l->heap, &l->strays);
    heap_free(&l->heap, l->envp, l->envp_cap * sizeof *l->envp);
    envlist_fini(&l->heap, &l->env);
    alloc(ud, l, sizeof *l, 0);
}

static int local_open(const hob_sandbox_options *o, void **state, hob_error *err)
{
    struct host host;
    host_init(&host, o->alloc, o->alloc_ud);
    struct local *l = host.alloc(host.alloc_ud, NULL, 0, sizeof *l);
    if (!l)
        return HOB_ENOMEM;
    memset(l, 0, sizeof *l);
    heap_init(&l->heap, host.alloc, host.alloc_ud, SIZE_MAX);
    int r = local_folder(l, o->cwd, err);
    if (r == 0)
        r = local_environment(l, o);
    if (r == 0) {
        l->envp = local_envp(&l->heap, &l->env, &l->envp_cap);
        r = l->envp ? 0 : HOB_ENOMEM;
    }
    local_find_shell(l, o);
    if (r < 0) {
        local_close(l);
        return r;
    }
    *state = l;
    return 0;
}

static const char *local_cwd(void *state) { return ((struct local *)state)->cwd; }

int local_become_shell(const hob_sandbox_options *opt, hob_error *err)
{
    void *state;
    int r = local_open(opt, &state, err);
    if (r < 0)
        return r;
    struct local *l = state;
    const char *argv[] = {l->bash ? "bash" : "sh", NULL};
    if (chdir(l->cwd) < 0)
        r = error_set(err, process_error(errno), "%s: %s", l->cwd,
                      error_text(process_error(errno)));
    if (r == 0) {
        execve(l->shell, (char *const *)argv, (char *const *)l->envp);
        r = error_set(err, process_error(errno), "%s: %s", l->shell,
                      error_text(process_error(errno)));
    }
    local_close(l);
    return r;
}

/* ---- starting a shell ------------------------------------------------------------------------ */

static int64_t local_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static void local_shut(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

/* The environment of one call; *own is to be freed if it is set. */
static const char **local_call_env(struct local *l, const hob_exec_options *o, struct envlist *own,
                                   size_t *cap)
{
    if (!o->env && !o->replace_env)
        return l->envp;
    int r = o->replace_env ? 0 : envlist_copy(&l->heap, own, &l->env);
    for (const char *const *e = o->env; e && *e && r == 0; e++)
        r = envlist_set(&l->heap, own, str_z(*e));
    return r < 0 ? NULL : local_envp(&l->heap, own, cap);
}

/* The shell's end of stdin; r->in is ours when there is something to feed. */
static int local_stdin(struct local_run *r, const hob_exec_options *o)
{
    int p[2];
    if (!o->read && !o->input_len)
        return process_null(O_RDONLY);
    int e = process_pipe(p, 1);
    if (e < 0)
        return e;
    r->in = p[1];
    return p[0];
}

static int local_pipes(struct local_run *r, const hob_exec_options *o, int child[3])
{
    int p[2];
    child[0] = local_stdin(r, o);
    int e = child[0];
    for (int i = 0; i < 2 && e >= 0; i++) {
        if (i == 1 && o->merge) {
            child[2] = child[1];
            break;
        }
        e = process_pipe(p, 0);
        if (e == 0) {
            r->out[i] = p[0];
            child[i + 1] = p[1];
        }
    }
    return MIN(e, 0);
}

static int local_spawn(struct local_run *r, const char *script, const hob_exec_options *o,
                       const char *const *envp)
{
    struct local *l = r->l;
    int child[3] = {-1, -1, -1}, text = -1;
    int e = local_pipes(r, o, child);
    /* A file in memory, which the script closes before anything else runs. */
    const char *argv[6], **a = argv, *source = script;
    struct buf b;
    buf_init(&b, &l->heap);
    if (e == 0 && o->script_len > LOCAL_SCRIPT) {
        buf_addz(&b, "exec 3<&-; ");
        buf_add(&b, script, o->script_len);
        e = heap_gate(&l->heap);
        text = e < 0 ? e : process_text(b.p, b.n);
        e = MIN(text, 0);
        source = ". /dev/fd/3";
    }
    buf_fini(&b);
    *a++ = l->bash ? "bash" : "sh";
    *a++ = "-c";
    if (source[0] == '-' || source[0] == '+')
        *a++ = "--"; /* it is no option */
    *a++ = source;
    if (o->name)
        *a++ = o->name;
    *a = NULL;
    struct process_spec s = {.file = l->shell,
                             .argv = argv,
                             .envp = envp,
                             .cwd = o->cwd,
                             .fds = {child[0], child[1], child[2]},
                             .extra = text};
    if (e == 0)
        e = process_spawn(&s, &r->pid);
    if (child[2] != child[1])
        local_shut(&child[2]);
    local_shut(&child[0]);
    local_shut(&child[1]);
    local_shut(&text);
    return e;
}

/* ---- ending it ------------------------------------------------------------------------------- */

/* To the group. Its number cannot be another's while a process of ours is in it; once the shell is
 * reaped, a process with that very number is a stranger. */
static int local_signal_group(const struct local_run *r, int sig)
{
    if (r->exited && process_signal(r->pid, 0) != HOB_ESRCH)
        return HOB_ESRCH;
    return process_signal(-r->pid, sig);
}

static void local_kill(struct local_run *r)
{
    local_signal_group(r, SIGKILL);
    r->killed = true;
    r->kill_at = local_now() + LOCAL_DEAD;
}

static void local_stop(struct local_run *r, enum local_end why)
{
    if (r->end != LOCAL_GOES_ON)
        return;
    r->end = why;
    local_signal_group(r, SIGTERM);
    r->kill_at = local_now() + LOCAL_KILL;
    local_shut(&r->in);
}

static void local_look(struct local_run *r)
{
    int e = r->exited ? 0 : process_reap(r->pid, &r->status, &r->signal);
    if (e == 0)
        return;
    if (e < 0)
        r->status =
            HOB_ECHILD; /* the program took it: it ignores SIGCHLD, or waits for any child */
    r->exited = true;
    local_shut(&r->watch);
    local_shut(&r->in);
    r->drain_until = local_now() + LOCAL_DRAIN;
    r->quiet_until = local_now() + LOCAL_QUIET;
}

/* Killed, and still there: a process that the kernel holds. It is reaped when it goes. */
static void local_leave(struct local_run *r)
{
    struct local *l = r->l;
    if (!r->exited && vec_push(&l->heap, &l->strays, r->pid))
        heap_gate(&l->heap);
    r->exited = true;
}

static void local_reap_strays(struct local *l)
{
    int status, sig;
    for (size_t i = l->strays.n; i-- > 0;)
        if (process_reap(l->strays.p[i], &status, &sig) != 0)
            l->strays.p[i] = l->strays.p[--l->strays.n];
}

/* The sandbox is being freed: no time is left. */
static void local_end_now(struct local_run *r)
{
    struct timespec tick = {0, 1000000};
    local_kill(r);
    for (int i = 0; i < 1000 && !r->exited; i++) {
        local_look(r);
        if (!r->exited)
            nanosleep(&tick, NULL);
    }
    local_leave(r);
}

/* ---- moving bytes ---------------------------------------------------------------------------- */

/* What is there, at most `rounds` blocks of it. */
static void local_take(struct local_run *r, int i, int rounds)
{
    char block[LOCAL_BLOCK];
    while (r->out[i] >= 0 && rounds-- > 0) {
        ssize_t n = read(r->out[i], block, sizeof block);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0 && errno == EAGAIN)
            return;
        if (n <= 0) {
            local_shut(&r->out[i]);
            return;
        }
        if (r->exited)
            r->quiet_until = local_now() + LOCAL_QUIET;
        if (r->end == LOCAL_OVERFLOW)
            continue;
        int e = hob_call_output(r->call, i == 0 ? HOB_STDOUT : HOB_STDERR, block, (size_t)n);
        if (e < 0 && r->end == LOCAL_GOES_ON) {
            local_stop(r, LOCAL_OVERFLOW);
            local_kill(r);
        }
    }
}

/* Input goes on until the shell has taken as much as it will. */
static void local_feed(struct local_run *r)
{
    while (r->in >= 0) {
        if (r->input_at == r->input_n) {
            ptrdiff_t n = hob_call_input(r->call, r->input, LOCAL_BLOCK);
            if (n == HOB_EAGAIN)
                return;
            if (n <= 0) {
                local_shut(&r->in);
                return;
            }
            r->input_at = 0;
            r->input_n = (size_t)n;
        }
        ptrdiff_t put = process_write(r->in, r->input + r->input_at, r->input_n - r->input_at);
        if (put == HOB_EAGAIN)
            return;
        if (put < 0 && put != HOB_EINTR)
            local_shut(&r->in); /* it reads no more */
        else if (put > 0)
            r->input_at += (size_t)put;
    }
}

/* ---- one call -------------------------------------------------------------------------------- */

/* Nanoseconds until something is due. */
static int64_t local_time(const struct local_run *r)
{
    int64_t now = local_now(), due = INT64_MAX;
    if (r->end == LOCAL_GOES_ON && !r->exited) {
        int64_t left = hob_call_deadline(r->call);
        due = left < 0 ? INT64_MAX : now + left;
    }
    if (r->end != LOCAL_GOES_ON)
        due = MIN(due, r->kill_at);
    else if (r->exited)
        due = MIN(due, MIN(r->drain_until, r->quiet_until));
    if (r->watch < 0 && !r->exited)
        due = MIN(due, now + LOCAL_TICK);
    if (r->end != LOCAL_GOES_ON && r->exited)
        due = MIN(due, now + LOCAL_TICK / 5); /* the rest of the group has no descriptor */
    return due == INT64_MAX ? -1 : MAX(due - now, 0);
}

/* Whether the call is over. TM-LOC-2: nobody but the shell itself is waited for without end. */
static bool local_over(struct local_run *r)
{
    int64_t now = local_now();
    if (r->end == LOCAL_GOES_ON && !r->exited && hob_call_deadline(r->call) == 0)
        local_stop(r, LOCAL_LATE);
    bool closed = r->out[0] < 0 && r->out[1] < 0;
    if (r->end != LOCAL_GOES_ON) {
        /* Whoever still holds a pipe has its two seconds; the rest of the group, which may be
         * nothing but zombies that nobody reaps, only a moment. */
        int64_t due = r->exited && closed ? MIN(r->kill_at, r->quiet_until) : r->kill_at;
        bool gone = r->exited && local_signal_group(r, 0) < 0;
        if (!gone && !r->killed && now >= due)
            local_kill(r);
        return gone || (r->killed && (r->exited || now >= r->kill_at));
    }
    if (!r->exited)
        return false;
    return closed || now >= r->quiet_until || now >= r->drain_until;
}

static void local_pump(struct local_run *r)
{
    do {
        hob_poll p[4] = {{.fd = r->out[0], .events = POLLIN},
                         {.fd = r->out[1], .events = POLLIN},
                         {.fd = r->watch, .events = POLLIN},
                         {.fd = r->input_at < r->input_n ? r->in : -1, .events = POLLOUT}};
        int e = hob_call_poll(r->call, p, COUNT(p), local_time(r));
        if (e < 0 && (r->end == LOCAL_CANCELLED || e != HOB_ECANCELED)) {
            local_end_now(r);
            r->status = e;
            return;
        }
        if (e == HOB_ECANCELED)
            local_stop(r, LOCAL_CANCELLED);
        for (int i = 0; i < 2; i++)
            if (p[i].revents)
                local_take(r, i, 4);
        if (p[2].revents || r->watch < 0)
            local_look(r);
        local_feed(r);
    } while (!local_over(r));
}

/* Reads what the background prints, so that it never waits for us, until it ends too. */
static void local_linger(struct local_run *r)
{
    if (r->l->background >= LOCAL_BACKGROUND)
        return;
    r->l->background++;
    while (r->out[0] >= 0 || r->out[1] >= 0) {
        hob_poll p[2] = {{.fd = r->out[0], .events = POLLIN}, {.fd = r->out[1], .events = POLLIN}};
        if (hob_call_poll(r->call, p, COUNT(p), -1) < 0) {
            local_signal_group(r, SIGHUP); /* as when a terminal is closed */
            break;
        }
        for (int i = 0; i < 2; i++)
            if (p[i].revents)
                local_take(r, i, 4);
    }
    r->l->background--;
}

static int local_status(const struct local_run *r)
{
    return r->end == LOCAL_LATE ? 124 : r->end == LOCAL_OVERFLOW ? 1 : r->status;
}

static int local_run(struct local_run *r, const char *script, const hob_exec_options *o)
{
    struct local *l = r->l;
    struct envlist own = {0};
    size_t cap = 0;
    const char **envp = local_call_env(l, o, &own, &cap);
    int e = envp ? local_spawn(r, script, o, envp) : HOB_ENOMEM;
    if (cap)
        heap_free(&l->heap, envp, cap * sizeof *envp);
    envlist_fini(&l->heap, &own);
    heap_gate(&l->heap);
    if (e < 0)
        return e;
    r->watch = process_watch(r->pid);
    hob_call_pid(r->call, r->pid);
    local_feed(r);
    local_pump(r);
    for (int i = 0; i < 2; i++) /* what is there already */
        local_take(r, i, LOCAL_BLOCK);
    r->call->signal = r->end == LOCAL_GOES_ON ? r->signal : 0;
    if (r->end == LOCAL_GOES_ON && (r->out[0] >= 0 || r->out[1] >= 0)) {
        hob_call_answer(r->call, local_status(r));
        local_linger(r);
    }
    return local_status(r);
}

/* TM-LOC-3: whatever way it ends, the shell is reaped and every descriptor closed. */
static int local_exec(void *state, hob_call *call, const char *script, const hob_exec_options *o)
{
    struct local *l = state;
    char input[LOCAL_BLOCK];
    struct local_run r = {.l = l,
                          .call = call,
                          .next = l->runs,
                          .watch = -1,
                          .in = -1,
                          .out = {-1, -1},
                          .input = input};
    local_reap_strays(l);
    l->runs = &r;
    int e = local_run(&r, script, o);
    hob_call_pid(call, 0);
    for (struct local_run **at = &l->runs; *at; at = &(*at)->next)
        if (*at == &r) {
            *at = r.next;
            break;
        }
    local_shut(&r.in);
    local_shut(&r.watch);
    local_shut(&r.out[0]);
    local_shut(&r.out[1]);
    return e;
}

static int local_signal(void *state, int pid, int sig)
{
    struct local *l = state;
    for (struct local_run *r = l->runs; r; r = r->next)
        if (r->pid == (pid < 0 ? -pid : pid)) {
            if (pid < 0)
                return local_signal_group(r, sig);
            return r->exited ? HOB_ESRCH : process_signal(pid, sig);
        }
    return HOB_ESRCH;
}

/* ---- files ----------------------------------------------------------------------------------- */

static int local_read(void *state, hob_call *call, const char *path, hob_bytes *out)
{
    (void)state, (void)call;
    return osfile_read(path, out);
}

static int local_write(void *state, hob_call *call, const char *path, const void *data, size_t len,
                       int flags)
{
    (void)state, (void)call;
    return osfile_write(path, data, len, flags);
}

static int local_stat(void *state, hob_call *call, const char *path, int follow, hob_stat_t *out)
{
    (void)state, (void)call;
    return osfile_stat(path, follow, out);
}

static int local_readdir(void *state, hob_call *call, const char *path, hob_bytes *out)
{
    (void)state, (void)call;
    return osfile_readdir(path, out);
}

static int local_mkdir(void *state, hob_call *call, const char *path, int flags)
{
    (void)state, (void)call;
    return osfile_mkdir(path, flags);
}

static int local_rm(void *state, hob_call *call, const char *path, int flags)
{
    (void)state, (void)call;
    return osfile_rm(path, flags);
}

static int local_rename(void *state, hob_call *call, const char *from, const char *to)
{
    (void)state, (void)call;
    return osfile_rename(from, to);
}

static int local_symlink(void *state, hob_call *call, const char *target, const char *path)
{
    (void)state, (void)call;
    return osfile_symlink(target, path);
}

static int local_readlink(void *state, hob_call *call, const char *path, hob_bytes *out)
{
    (void)state, (void)call;
    return osfile_readlink(path, out);
}

static int local_chmod(void *state, hob_call *call, const char *path, uint32_t mode)
{
    (void)state, (void)call;
    return osfile_chmod(path, mode);
}

const hob_driver local_driver = {
    .size = sizeof(hob_driver),
    .name = "local",
    .open = local_open,
    .close = local_close,
    .cwd = local_cwd,
    .exec = local_exec,
    .read = local_read,
    .write = local_write,
    .stat = local_stat,
    .readdir = local_readdir,
    .mkdir = local_mkdir,
    .rm = local_rm,
    .rename = local_rename,
    .symlink = local_symlink,
    .readlink = local_readlink,
    .chmod = local_chmod,
    .signal = local_signal,
};
