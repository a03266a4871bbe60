/* paste.c -- lines of files side by side */
#include "shell/command.h"

#include "base/error.h"

struct paste {
    struct str delims;
    bool serial, zero;
    char end;
    struct str list; /* delimiters; an empty one is in `empty` */
    bool *empty;
    size_t nlist;
    struct out out;
};

static const struct opt paste_opts[] = {
    OPT_STRING('d', "delimiters", struct paste, delims, "LIST",
               "take characters of LIST in turn, not tabs"),
    OPT_FLAG('s', "serial", struct paste, serial, "one file after the other, not side by side"),
    OPT_FLAG('z', "zero-terminated", struct paste, zero, "lines end with NUL, not newline"),
    OPT_END,
};

static int paste_delims(struct proc *p, struct paste *o, struct str s)
{
    static const char from[] = "bfnrtv\\", to[] = "\b\f\n\r\t\v\\";
    char *list = arena_alloc(p->arena, s.n + 1);
    o->empty = arena_array(p->arena, bool, s.n + 1);
    if (!list || !o->empty)
        return HOB_ENOMEM;
    for (size_t i = 0; i < s.n; i++) {
        char c = s.p[i];
        if (c == '\\') {
            if (++i == s.n) {
                proc_warn(p, "delimiter list ends with an unescaped backslash: %.*s", STR_ARG(s));
                return 1;
            }
            c = s.p[i];
            const char *at = c ? strchr(from, c) : NULL;
            o->empty[o->nlist] = c == '0';
            c = at ? to[at - from] : c;
        }
        list[o->nlist++] = c;
    }
    if (o->nlist == 0)
        o->empty[o->nlist++] = true;
    o->list = str_of(list, o->nlist);
    return 0;
}

static void paste_delim(struct paste *o, size_t i)
{
    i %= o->nlist;
    if (!o->empty[i])
        out_write(&o->out, &o->list.p[i], 1);
}

static int paste_serial(struct proc *p, struct paste *o, struct in *in, const struct str *names,
                        int n)
{
    int status = 0;
    for (int i = 0; i < n && !o->out.err; i++) {
        struct str line;
        bool had, any = false;
        if (in_open(in, p, names[i]) < 0) {
            status = 1;
            continue;
        }
        for (size_t k = 0; in_line(in, o->end, &line, &had); k++) {
            if (any)
                paste_delim(o, k - 1);
            out_str(&o->out, line);
            any = true;
        }
        if (in->err < 0) {
            proc_warn_file(p, names[i], in->err);
            status = 1;
        }
        out_write(&o->out, &o->end, 1);
        in_fini(in);
    }
    return status;
}

/* One line of each. False at the end of all. */
static bool paste_row(struct paste *o, struct in **in, int n, struct buf *b)
{
    struct str line;
    bool had, any = false;

    buf_clear(b);
    for (int i = 0; i < n; i++) {
        if (i)
            if (!o->empty[(size_t)(i - 1) % o->nlist])
                buf_putc(b, o->list.p[(size_t)(i - 1) % o->nlist]);
        if (in_line(in[i], o->end, &line, &had)) {
            buf_str(b, line);
            any = true;
        }
    }
    return any;
}

static int paste_parallel(struct proc *p, struct paste *o, struct in *in, const struct str *names,
                          int n)
{
    struct in **use = arena_array(p->arena, struct in *, n);
    struct buf b;
    int status = 0, opened = 0;
    struct in *std = NULL;

    if (!use)
        return HOB_ENOMEM;
    for (; opened < n; opened++) {
        bool is_std = str_eqz(names[opened], "-");
        if (is_std && std) {
            use[opened] = std; /* one stream, line by line in turn */
            in_init_file(&in[opened], p, NULL, false);
            continue;
        }
        if (in_open(&in[opened], p, names[opened]) < 0) {
            status = 1;
            break;
        }
        use[opened] = &in[opened];
        if (is_std)
            std = use[opened];
    }
    buf_init(&b, &p->kernel->heap);
    while (status == 0 && !o->out.err && paste_row(o, use, n, &b)) {
        out_str(&o->out, buf_get(&b));
        out_write(&o->out, &o->end, 1);
    }
    buf_fini(&b);
    for (int i = 0; i < opened; i++) {
        if (use[i] == &in[i] && in[i].err < 0) {
            proc_warn_file(p, names[i], in[i].err);
            status = 1;
        }
        in_fini(&in[i]);
    }
    return status;
}

static int paste_run(struct proc *p, void *args)
{
    struct paste *o = args;
    static const struct str only = STR_INIT("-");
    const struct str *names = p->argc ? p->argv : &only;
    int n = p->argc ? p->argc : 1;
    struct in *in = arena_array(p->arena, struct in, n);

    if (!in)
        return HOB_ENOMEM;
    o->end = o->zero ? '\0' : '\n';
    int r = paste_delims(p, o, o->delims.p ? o->delims : STR("\t"));
    if (r)
        return r;
    out_init(&o->out, p, 1);
    r = o->serial ? paste_serial(p, o, in, names, n) : paste_parallel(p, o, in, names, n);
    return command_close(p, &o->out, r);
}

const struct command cmd_paste = {
    .name = "paste",
    .usage = "[OPTION]... [FILE]...",
    .summary = "Write lines made of the corresponding lines of each FILE, parted by tabs.",
    .notes = "Without FILE, or when FILE is -, standard input is read.",
    .opts = paste_opts,
    .args_size = sizeof(struct paste),
    .usage_status = 1,
    .run = paste_run,
};
