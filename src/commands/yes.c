/* yes.c -- output a line until somebody stops reading
 *
 * One blob is filled with the line and handed over again and again: no byte is copied twice.
 */
#include "shell/command.h"

#include "base/error.h"

/* The words as one line. */
static int yes_line(struct proc *p, struct buf *b)
{
    if (p->argc == 0)
        buf_putc(b, 'y');
    for (int i = 0; i < p->argc; i++) {
        if (i)
            buf_putc(b, ' ');
        buf_str(b, p->argv[i]);
    }
    buf_putc(b, '\n');
    return p->kernel->heap.oom ? HOB_ENOMEM : 0;
}

static int yes_repeat(struct proc *p, struct str line)
{
    struct file *f = proc_file(p, 1);
    size_t times = MAX((size_t)1, PIPE_SIZE / line.n);
    struct blob *b = blob_new(&p->kernel->heap, times * line.n);
    int r = f ? 0 : HOB_EBADF;

    if (!b)
        return HOB_ENOMEM;
    size_t size = times * line.n, n = line.n;
    memcpy(b->data, line.p, n);
    for (; n < size; n = MIN(n * 2, size)) /* what is there, once more */
        memcpy(b->data + n, b->data, MIN(n, size - n));
    while (r == 0) {
        struct slice s = {blob_ref(b), b->data, size};
        r = file_give(f, p, &s);
    }
    blob_unref(b);
    return r;
}

static int yes_run(struct proc *p, void *args)
{
    struct buf line;

    (void)args;
    buf_init(&line, &p->kernel->heap);
    int r = yes_line(p, &line);
    if (r == 0)
        r = yes_repeat(p, buf_get(&line));
    buf_fini(&line);
    if (r == HOB_EKILLED || r == HOB_ENOMEM || proc_check(p) < 0)
        return r;
    proc_warn(p, "standard output: %s", error_text(r));
    return 1;
}

const struct command cmd_yes = {
    .name = "yes",
    .usage = "[STRING]...\nOPTION",
    .summary = "Repeatedly output a line with all specified STRING(s), or 'y'.",
    .usage_status = 1,
    .run = yes_run,
};
