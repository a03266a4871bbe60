/* rev.c -- the characters of each line in reverse order */
#include "shell/command.h"

#include "base/error.h"
#include "base/utf8.h"
#include "commands/lib/each.h"

struct rev {
    bool zero;
    struct proc *p;
    struct out out;
};

static const struct opt rev_opts[] = {
    OPT_FLAG('0', "zero", struct rev, zero, "lines end with NUL, not newline"),
    OPT_END,
};

static void rev_line(struct out *o, struct str s)
{
    size_t at = s.n;
    while (at > 0) {
        size_t start = at - 1;
        int len;
        /* Back to where a character may begin. */
        while (start > 0 && at - start < 4 && ((unsigned char)s.p[start] & 0xC0) == 0x80)
            start--;
        if (utf8_decode(s.p + start, at - start, &len) == UTF8_BAD || (size_t)len != at - start)
            start = at - 1;
        out_write(o, s.p + start, at - start);
        at = start;
    }
}

static int rev_one(struct in *in, void *ud)
{
    struct rev *r = ud;
    struct str line;
    bool had;
    while (in_line(in, r->zero ? '\0' : '\n', &line, &had) && !r->out.err) {
        rev_line(&r->out, line);
        if (had)
            out_putc(&r->out, r->zero ? '\0' : '\n');
    }
    return r->out.err ? 1 : 0;
}

static int rev_run(struct proc *p, void *args)
{
    struct rev *r = args;
    static const struct str only = STR_INIT("-");
    int status = 0, n = p->argc ? p->argc : 1;

    r->p = p;
    out_init(&r->out, p, 1);
    for (int i = 0; i < n; i++) {
        struct in in;
        struct str name = p->argc ? p->argv[i] : only;
        int err = in_open_quiet(&in, p, name);
        if (err < 0) {
            proc_warn(p, "cannot open %.*s: %s", STR_ARG(name), error_text(err));
            status = 1;
            continue;
        }
        rev_one(&in, r);
        if (in.err < 0) {
            proc_warn(p, "%.*s: %s", STR_ARG(name), error_text(in.err));
            status = 1;
        }
        in_fini(&in);
    }
    return command_close(p, &r->out, status);
}

const struct command cmd_rev = {
    .name = "rev",
    .usage = "[options] [file ...]",
    .summary = "Write the lines of each file with their characters in reverse order.",
    .opts = rev_opts,
    .args_size = sizeof(struct rev),
    .usage_status = 1,
    .run = rev_run,
};
