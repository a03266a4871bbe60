/* rev.c -- the characters of each line in reverse order */
#include "shell/command.h"

#include "base/error.h"
#include "base/utf8.h"

struct rev {
    struct proc *p;
    struct out out;
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

/* How many lines were valid UTF-8 before one was not; -1 if all are. */
static int64_t rev_lines(struct rev *r, struct in *in)
{
    struct str line;
    bool had;
    for (int64_t n = 0; in_line(in, '\n', &line, &had) && !r->out.err; n++) {
        if (!utf8_valid(line))
            return n;
        rev_line(&r->out, line);
        if (had)
            out_putc(&r->out, '\n');
    }
    return -1;
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
        int64_t bad = rev_lines(r, &in);
        if (bad >= 0) {
            proc_warn(p, "%.*s: %lld: %s", STR_ARG(p->argc ? name : STR("stdin")), (long long)bad,
                      error_text(HOB_EILSEQ));
            status = 1;
        }
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
    .args_size = sizeof(struct rev),
    .usage_status = 1,
    .run = rev_run,
};
