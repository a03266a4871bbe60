/* tac.c -- lines in reverse order */
#include "shell/command.h"

#include "base/error.h"
#include "commands/lib/each.h"
#include "text/regex.h"

struct tac {
    bool before, regex;
    struct str separator;
    struct regex *re;
    struct out out;
    struct proc *p;
};

static const struct opt tac_opts[] = {
    OPT_FLAG('b', "before", struct tac, before,
             "the separator stands before each record, not behind"),
    OPT_FLAG('r', "regex", struct tac, regex, "the separator is a regular expression"),
    OPT_STRING('s', "separator", struct tac, separator, "STRING",
               "part records by STRING, not by newlines"),
    OPT_END,
};

/* The last separator that ends at or before `end`. False: there is none. */
static bool tac_find(struct tac *t, struct str text, size_t end, size_t *from, size_t *to)
{
    if (!t->re) {
        struct str sep = t->separator;
        if (sep.n == 1) {
            ptrdiff_t at = str_rchr(str_sub(text, 0, end), sep.p[0]);
            *from = (size_t)at;
            *to = (size_t)at + 1;
            return at >= 0;
        }
        for (size_t i = end; i >= sep.n; i--) {
            if (memcmp(text.p + i - sep.n, sep.p, sep.n) == 0) {
                *from = i - sep.n;
                *to = i;
                return true;
            }
            if (i == 0)
                break;
        }
        return false;
    }
    /* As GNU's search backwards: the latest place where a match begins. */
    struct regex_match m;
    for (size_t i = end; i-- > 0;) {
        if (regex_exec(t->re, str_sub(text, 0, end), i, REGEX_HERE, &m, 1) == 1 &&
            m.end > m.start) {
            *from = (size_t)m.start;
            *to = (size_t)m.end;
            return true;
        }
    }
    return false;
}

static int tac_one(struct in *in, void *ud)
{
    struct tac *t = ud;
    struct arena_mark mark = arena_mark(t->p->arena);
    struct str text;
    size_t end, stop, from, to;

    if (in_all(in, &text) < 0)
        return 0;
    end = stop = text.n; /* the record that is being cut off ends at `end` */
    bool first = true;
    while (stop > 0 && !t->out.err && tac_find(t, text, stop, &from, &to)) {
        if (t->before) {
            out_str(&t->out, str_sub(text, from, end - from));
            end = from;
        } else {
            if (!(first && to == text.n))
                out_str(&t->out, str_sub(text, to, end - to));
            end = first && to == text.n ? end : to;
        }
        first = false;
        stop = from;
        if (proc_tick(t->p, 1) < 0)
            return HOB_EKILLED;
    }
    out_str(&t->out, str_sub(text, 0, end));
    arena_release(t->p->arena, mark);
    return t->out.err ? 1 : 0;
}

static int tac_run(struct proc *p, void *args)
{
    struct tac *t = args;
    struct hob_error err;

    t->p = p;
    if (!t->separator.p)
        t->separator = STR("\n");
    else if (t->separator.n == 0 && t->regex) {
        proc_warn(p, "separator cannot be empty");
        return 1;
    } else if (t->separator.n == 0) {
        t->separator = str_of("\0", 1);
    }
    if (t->regex && regex_compile(&p->kernel->heap, t->separator, REGEX_BRE, &t->re, &err) < 0) {
        proc_warn(p, "%s", err.msg);
        return 1;
    }
    out_init(&t->out, p, 1);
    static const struct str only = STR_INIT("-");
    int status = 0, n = p->argc ? p->argc : 1;
    for (int i = 0; i < n && status >= 0; i++) {
        struct str name = p->argc ? p->argv[i] : only;
        struct in in;
        int r = in_open_quiet(&in, p, name);
        if (r < 0) {
            proc_warn_quoted(p, "failed to open %s for reading", name, r);
            status = 1;
            continue;
        }
        r = tac_one(&in, t);
        int e = in.err;
        in_fini(&in);
        if (e < 0) {
            proc_warn(p, "%s: read error: %s", proc_quotef(p, name), error_text(e));
            status = 1;
        }
        if (r < 0)
            status = r;
    }
    regex_free(t->re);
    return command_close(p, &t->out, status);
}

const struct command cmd_tac = {
    .name = "tac",
    .usage = "[OPTION]... [FILE]...",
    .summary = "Write each FILE to standard output, last line first.",
    .notes = "Without FILE, or when FILE is -, standard input is read.",
    .opts = tac_opts,
    .args_size = sizeof(struct tac),
    .usage_status = 1,
    .run = tac_run,
};
