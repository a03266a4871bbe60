/* custom.c -- commands of the embedder: C callbacks that read stdin and write stdout */
#include "sandbox/sandbox.h"

/* What the callback holds; lives on the stack of the task that runs it. */
struct hob_cmd {
    struct proc *proc;
};

static int custom_run(struct proc *p, void *args)
{
    (void)args;
    const struct command *c = p->command;
    struct hob_cmd cmd = {p};
    int status = c->custom(&cmd, c->custom_ud);
    return status < 0 ? status : status & 255;
}

void custom_free(struct heap *h, struct command *c)
{
    heap_free(h, (void *)c->name, strlen(c->name) + 1);
    heap_free(h, (void *)c->summary, strlen(c->summary) + 1);
    heap_drop(h, c);
}

static struct command *custom_new(struct heap *h, const char *name, const char *summary)
{
    struct command *c = heap_new(h, struct command);
    if (!c)
        return NULL;
    struct str n = heap_str(h, str_z(name));
    struct str s = heap_str(h, str_z(summary ? summary : "A command of the embedding program."));
    if (!n.p || !s.p) {
        heap_free(h, (void *)n.p, n.n + 1);
        heap_free(h, (void *)s.p, s.n + 1);
        heap_drop(h, c);
        return NULL;
    }
    c->name = n.p;
    c->summary = s.p;
    c->usage = "[ARG]...";
    c->flags = CMD_NO_OPTIONS;
    c->usage_status = 2;
    c->run = custom_run;
    return c;
}

void custom_free_retired(struct virtual_box *box)
{
    for (size_t i = 0; i < box->retired.n; i++)
        custom_free(&box->kernel.heap, box->retired.p[i]);
    vec_fini(&box->kernel.heap, &box->retired);
}

/* One that is replaced may be running at this moment: it is kept until nothing runs. */
static void custom_retire(struct virtual_box *box, struct command *c)
{
    if (!c)
        return;
    box->retired.p[box->retired.n++] = c; /* there is room */
    if (box->kernel.nprocs == 0)
        custom_free_retired(box);
}

int hob_command_add(hob_sandbox *handle, const char *name, const char *summary, hob_command_fn fn,
                    void *ud)
{
    struct virtual_box *box = handle->v;
    if (!box)
        return HOB_ENOTSUP;
    struct heap *h = &box->kernel.heap;
    struct str key = str_z(name);
    if (!key.n || key.n > VFS_NAME_MAX || strchr(name, '/'))
        return HOB_EINVAL;
    struct command *old = map_value(&box->custom, key);
    if (old && !vec_reserve(h, &box->retired, 1)) /* so that it can retire */
        return heap_gate(h);
    if (!fn) {
        if (!old)
            return HOB_ENOENT;
        map_del(&box->custom, key);
        custom_retire(box, old);
        return 0;
    }
    struct command *c = custom_new(h, name, summary);
    void **at = c ? map_put(&box->custom, key) : NULL;
    if (!at) {
        if (c)
            custom_free(h, c);
        heap_gate(h);
        return HOB_ENOMEM;
    }
    c->custom = fn;
    c->custom_ud = ud;
    *at = c;
    custom_retire(box, old);
    return 0;
}

/* Waits as a read of input that has nothing yet does: until the next step. */
int hob_cmd_yield(hob_cmd *cmd)
{
    struct kernel *k = cmd->proc->kernel;
    k->input_waits++;
    int r = proc_wait_on(cmd->proc, &k->input, INT64_MAX);
    k->input_waits--;
    return r;
}

int hob_cmd_argc(const hob_cmd *cmd) { return cmd->proc->argc; }

const char *hob_cmd_arg(const hob_cmd *cmd, int i)
{
    return i < 0 || i >= cmd->proc->argc ? NULL : cmd->proc->argv[i].p;
}

const char *hob_cmd_getenv(hob_cmd *cmd, const char *name)
{
    struct str v;
    if (!proc_getenv(cmd->proc, str_z(name), &v))
        return NULL;
    return arena_str(cmd->proc->arena, v).p;
}

const char *hob_cmd_cwd(const hob_cmd *cmd) { return cmd->proc->cwd.p; }

hob_sandbox *hob_cmd_sandbox(hob_cmd *cmd) { return cmd->proc->kernel->owner; }

ptrdiff_t hob_cmd_read(hob_cmd *cmd, void *dst, size_t cap)
{
    struct file *f = proc_file(cmd->proc, 0);
    return f ? file_read(f, cmd->proc, dst, cap) : HOB_EBADF;
}

int hob_cmd_write(hob_cmd *cmd, const void *data, size_t len)
{
    return proc_write(cmd->proc, 1, data, len == HOB_Z ? strlen(data) : len);
}

int hob_cmd_print(hob_cmd *cmd, const char *text) { return proc_puts(cmd->proc, 1, str_z(text)); }

int hob_cmd_error(hob_cmd *cmd, const void *data, size_t len)
{
    return proc_write(cmd->proc, 2, data, len == HOB_Z ? strlen(data) : len);
}

int hob_cmd_exec(hob_cmd *cmd, const char *script)
{
    struct proc *p = cmd->proc;
    struct str argv[] = {STR("bash"), STR("-c"), str_z(script)};
    struct exec_opts o = {0};
    return p->kernel->exec(p, argv, 3, &o);
}
