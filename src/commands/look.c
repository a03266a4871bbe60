/* look.c -- the lines of a sorted file that begin with a string
 *
 * A binary search by bytes, so that a long file is hardly read. As in util-linux, what is found in
 * a file that is not sorted depends on where the search looks; the steps are the same as there.
 */
#include "shell/command.h"

#include "base/utf8.h"
#include "commands/lib/each.h"

struct look {
    bool other, alphanum, fold;
    struct str end; /* -t */
    struct proc *p;
    struct file *file;
    struct str what; /* looked for */
    int err;
    uint64_t size, start; /* of the file; of the window */
    size_t n;
    char window[4096];
};

static const struct opt look_opts[] = {
    OPT_FLAG('a', "alternative", struct look, other, "use the other list of words"),
    OPT_FLAG('d', "alphanum", struct look, alphanum, "compare blanks, letters and digits only"),
    OPT_FLAG('f', "ignore-case", struct look, fold, "ignore case"),
    OPT_STRING('t', "terminate", struct look, end, "CHAR",
               "compare up to the first CHAR of the string"),
    OPT_CALL('h', NULL, each_about, NULL, "same as --help"),
    OPT_CALL('V', NULL, each_about, NULL, "same as --version"),
    OPT_END,
};

/* The byte at an offset below the size. After an error: a newline. */
static int look_byte(struct look *l, uint64_t at)
{
    if (at < l->start || at - l->start >= l->n) {
        ptrdiff_t n = l->err;
        if (n == 0 && file_seek(l->file, l->p, (int64_t)at, 0) >= 0)
            n = file_read(l->file, l->p, l->window, sizeof l->window);
        if (n <= 0) {
            l->err = n < 0 ? (int)n : HOB_EIO;
            return '\n';
        }
        l->start = at;
        l->n = (size_t)n;
    }
    return (unsigned char)l->window[at - l->start];
}

static uint64_t look_past_line(struct look *l, uint64_t at, uint64_t end)
{
    while (at < end && look_byte(l, at++) != '\n')
        ;
    return at;
}

static bool look_counts(const struct look *l, int c)
{
    return !l->alphanum || ascii_alnum(c) || c == ' ' || c == '\t';
}

/* The line at `at` against the string: < 0 when it stands before it. */
static int look_compare(struct look *l, uint64_t at, uint64_t end)
{
    for (size_t i = 0; i < l->what.n;) {
        int a = at < end ? look_byte(l, at++) : '\n', b = (unsigned char)l->what.p[i];
        if (a != '\n' && !look_counts(l, a))
            continue;
        if (a == '\n')
            return -1;
        if (l->fold) {
            a = ascii_to_lower(a);
            b = ascii_to_lower(b);
        }
        if (a != b)
            return a - b;
        i++;
    }
    return 0;
}

static uint64_t look_search(struct look *l)
{
    uint64_t front = 0, back = l->size, at = look_past_line(l, back / 2, back);

    while (at < back && back > front && l->err == 0) {
        if (look_compare(l, at, back) < 0)
            front = at;
        else
            back = at;
        at = look_past_line(l, front + (back - front) / 2, back);
    }
    /* From here line by line. */
    for (; front < l->size; front = look_past_line(l, front, l->size)) {
        int order = look_compare(l, front, l->size);
        if (order >= 0)
            return order == 0 ? front : l->size;
    }
    return front;
}

static int look_print(struct look *l)
{
    struct out out;
    uint64_t at = look_search(l);
    bool any = false;

    out_init(&out, l->p, 1);
    while (at < l->size && look_compare(l, at, l->size) == 0 && !out.err && l->err == 0) {
        for (int c = 0; at < l->size && c != '\n'; at++) {
            c = look_byte(l, at);
            if (l->err == 0)
                out_putc(&out, (char)c);
        }
        any = true;
    }
    return command_close(l->p, &out, l->err == HOB_EKILLED ? l->err : l->err || !any);
}

/* The string as it is compared, on the arena. */
static bool look_prepare(struct look *l, struct str string)
{
    ptrdiff_t stop = l->end.n ? str_chr(string, l->end.p[0]) : -1;
    char *to = arena_alloc(l->p->arena, string.n + 1);
    size_t n = 0;

    if (!to)
        return false;
    if (stop >= 0)
        string.n = (size_t)stop + 1;
    for (size_t i = 0; i < string.n; i++) {
        if (look_counts(l, (unsigned char)string.p[i]))
            to[n++] = string.p[i];
    }
    l->what = str_of(to, n);
    return true;
}

static int look_run(struct proc *p, void *args)
{
    struct look *l = args;
    struct str name = STR("/usr/share/dict/words"), list;
    struct stat_info st;

    if (p->argc < 1 || p->argc > 2) {
        proc_warn(p, "bad usage");
        return proc_usage(p);
    }
    if (proc_getenv(p, STR("WORDLIST"), &list) && vfs_access(p, list, 4) == 0)
        name = list;
    if (l->other)
        name = STR("/usr/share/dict/web2");
    if (p->argc == 1)
        l->alphanum = l->fold = true;
    else
        name = p->argv[1];
    l->p = p;
    if (!look_prepare(l, p->argv[0]))
        return HOB_ENOMEM;
    int err = vfs_open(p, name, FILE_READ, 0, &l->file), status = 1;
    if (err == HOB_EISDIR)
        err = HOB_ENODEV; /* what mapping one into memory gives */
    if (err == 0) {
        err = file_stat(l->file, &st);
        l->size = st.size;
        if (err == 0)
            err = MODE_IS_DIR(st.mode) ? HOB_ENODEV : st.size == 0 ? HOB_EINVAL : 0;
        if (err == 0)
            status = look_print(l);
        file_unref(l->file);
    }
    if (err < 0 || (l->err < 0 && l->err != HOB_EKILLED))
        proc_warn_file(p, name, err < 0 ? err : l->err);
    return status;
}

const struct command cmd_look = {
    .name = "look",
    .usage = "[OPTION]... STRING [FILE]",
    .summary = "Print the lines of a sorted FILE that begin with STRING.",
    .notes = "Without FILE: $WORDLIST or /usr/share/dict/words, as -d and -f do.",
    .opts = look_opts,
    .args_size = sizeof(struct look),
    .usage_status = 1,
    .run = look_run,
};
