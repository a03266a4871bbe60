/* sdiff.c -- two files side by side, and merged by what standard input answers
 *
 * diff does the comparing: diff -y gives the rows to show, and for -o a plain diff tells where the
 * hunks are.
 */
#include "base/error.h"
#include "commands/lib/launch.h"
#include "shell/command.h"

struct sdiff {
    struct strs pass; /* options for diff */
    bool suppress;
    struct str program, output;
};

/* Goes to diff as it is, by the long name of its own. */
static int sdiff_opt_pass(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct sdiff *s = args;
    const char *name = o->name;
    struct str word = arg.p ? arena_printf(p->arena, "--%s=%.*s", name, STR_ARG(arg))
                            : arena_printf(p->arena, "--%s", name);
    return word.p && proc_push(p, &s->pass, word) ? 0 : 3;
}

#define SDIFF_PASS(l, n, a, h) OPT_CALL(l, n, sdiff_opt_pass, a, h)
static const struct opt sdiff_opts[] = {
    SDIFF_PASS('i', "ignore-case", NULL, "ignore case"),
    SDIFF_PASS('E', "ignore-tab-expansion", NULL, "ignore changes by tabs"),
    SDIFF_PASS('Z', "ignore-trailing-space", NULL, "ignore blanks at the ends of lines"),
    SDIFF_PASS('b', "ignore-space-change", NULL, "ignore changes in the amount of blanks"),
    SDIFF_PASS('W', "ignore-all-space", NULL, "ignore all blanks"),
    SDIFF_PASS('B', "ignore-blank-lines", NULL, "ignore empty lines"),
    SDIFF_PASS('I', "ignore-matching-lines", "RE", "ignore lines that match RE"),
    SDIFF_PASS(0, "strip-trailing-cr", NULL, "without carriage returns at the ends of lines"),
    SDIFF_PASS('a', "text", NULL, "take all files for text"),
    SDIFF_PASS('w', "width", "NUM", "at most NUM columns"),
    SDIFF_PASS('l', "left-column", NULL, "the left column alone where lines are equal"),
    OPT_FLAG('s', "suppress-common-lines", struct sdiff, suppress, "no lines that are equal"),
    SDIFF_PASS('t', "expand-tabs", NULL, "blanks, no tabs"),
    SDIFF_PASS(0, "tabsize", "NUM", "tab stops every NUM columns"),
    SDIFF_PASS('d', "minimal", NULL, "look for the fewest changes"),
    SDIFF_PASS('H', "speed-large-files", NULL, "the files are large, with few changes"),
    OPT_STRING(0, "diff-program", struct sdiff, program, "PROGRAM", "compare by this, not by diff"),
    OPT_STRING('o', "output", struct sdiff, output, "FILE",
               "merge into FILE: for each change standard input says which side"),
    OPT_END,
};
#undef SDIFF_PASS

/* Runs diff on the two files. Its output goes to `to`, if that is not NULL. */
static int sdiff_launch(struct proc *p, struct sdiff *s, const struct str *files, bool rows,
                        struct buf *to)
{
    struct strs words = {0};
    struct str program = s->program.p ? s->program : STR("diff");
    bool ok = proc_push(p, &words, program);
    if (rows)
        ok = ok && proc_push(p, &words, STR("-y"));
    if (rows && s->suppress && !to)
        ok = ok && proc_push(p, &words, STR("--suppress-common-lines"));
    for (size_t i = 0; i < s->pass.n; i++)
        ok = ok && proc_push(p, &words, s->pass.p[i]);
    ok = ok && proc_push(p, &words, STR("--")) && proc_push(p, &words, files[0]) &&
         proc_push(p, &words, files[1]);
    struct file *out = to && ok ? memfile_writer(p->kernel, to, UINT64_MAX, NULL, NULL) : NULL;
    if (!ok || (to && !out))
        return HOB_ENOMEM;
    struct exec_opts o = {.fd1 = out};
    int e = launch_run(p, words.p, (int)words.n, &o);
    file_unref(out);
    if (e == HOB_ENOENT || e == HOB_EACCES) {
        if (s->program.p)
            proc_warn(p, "%.*s: %s", STR_ARG(program), error_text(e));
        else
            proc_warn(p, "subsidiary program 'diff' not found");
        return 2;
    }
    return e;
}

/* ---- merging --------------------------------------------------------------------------------- */

/* The lines that are still to come: of the left and the right file, and of the rows shown. */
struct sdiff_text {
    struct str left;
    size_t line; /* of the first of them, from 1 */
};

struct sdiff_merge {
    struct proc *p;
    struct sdiff *s;
    const struct str *files;
    struct sdiff_text side[2], rows;
    struct out shown, merged;
    struct in in;
    int status; /* != 0: it ends here */
};

/* Takes n lines, and hands them to `to` if that is not NULL. */
static void sdiff_take(struct sdiff_text *t, size_t n, struct out *to)
{
    for (; n && t->left.n; n--, t->line++) {
        ptrdiff_t end = str_chr(t->left, '\n');
        struct str line = end < 0 ? t->left : str_sub(t->left, 0, (size_t)end + 1);
        if (to)
            out_str(to, line);
        t->left = str_from(t->left, line.n);
    }
}

/* ed: what heads a side in the file to edit. */
static void sdiff_header(struct sdiff_merge *m, struct out *o, int side, size_t n)
{
    size_t first = m->side[side].line;
    out_printf(o, side ? "+++ %.*s %zu" : "--- %.*s %zu", STR_ARG(m->files[side]), first);
    if (n > 1)
        out_printf(o, ",%zu", first + n - 1);
    out_putc(o, '\n');
}

static struct str sdiff_editor(struct proc *p)
{
    struct str v;
    return (proc_getenv(p, STR("EDITOR"), &v) || proc_getenv(p, STR("VISUAL"), &v)) && v.n
               ? v
               : STR("ed");
}

/* Puts both, one or no side into a file, lets the editor work on it, and takes the result. */
static int sdiff_edit(struct sdiff_merge *m, char how, const size_t n[2])
{
    struct proc *p = m->p;
    struct str dir, path;
    struct file *f;
    struct out o;
    struct in in;

    if (!proc_getenv(p, STR("TMPDIR"), &dir) || dir.n == 0)
        dir = STR("/tmp");
    path = arena_printf(p->arena, "%.*s/sdiff%08x", STR_ARG(dir),
                        (unsigned)random_next(&p->kernel->random));
    int r = path.p ? vfs_open(p, path, FILE_WRITE | FILE_CREATE | FILE_EXCL, 0600, &f) : HOB_ENOMEM;
    if (r < 0)
        return r;
    out_init_file(&o, p, f);
    for (int side = 0; side < 2; side++) {
        bool wanted = how == 'b' || how == 'd' || how == (side ? 'r' : 'l');
        if (how == 'd' && n[side])
            sdiff_header(m, &o, side, n[side]);
        sdiff_take(&m->side[side], n[side], wanted ? &o : NULL);
    }
    r = out_fini(&o);
    file_unref(f);
    struct str argv[] = {sdiff_editor(p), path};
    out_flush(&m->shown);
    if (r == 0)
        r = launch_run(p, argv, 2, NULL);
    if (r == HOB_ENOENT || r == HOB_EACCES) {
        proc_warn(p, "subsidiary program '%.*s' not found", STR_ARG(argv[0]));
        m->status = 2;
    } else if (r >= 0 && in_open(&in, p, path) == 0) {
        while (in_fill(&in)) {
            out_write(&m->merged, in.p, (size_t)(in.end - in.p));
            in.p = in.end;
        }
        in_fini(&in);
    }
    vfs_unlink(p, path);
    return r < 0 && !m->status ? r : 0;
}

/* The next character that is no blank; -1 at the end. */
static int sdiff_char(struct sdiff_merge *m)
{
    int c = in_getc(&m->in);
    while (c == ' ' || c == '\t')
        c = in_getc(&m->in);
    return c;
}

static void sdiff_help(struct sdiff_merge *m)
{
    proc_puts(m->p, 2,
              STR("l or 1:\tthe left side\nr or 2:\tthe right side\n"
                  "eb:\tboth sides, edited\ned:\tthe same, each with its name above\n"
                  "el or e1:\tthe left side, edited\ner or e2:\tthe right side, edited\n"
                  "e:\tsomething new, edited\ns:\tequal lines are not shown any more\n"
                  "v:\tequal lines are shown again\nq:\tend here\n"));
}

/* A command: its letter, and with e what is to be edited. 0: it was none, and help was given. */
static char sdiff_command(struct sdiff_merge *m, char *how)
{
    out_putc(&m->shown, '%');
    out_flush(&m->shown);
    int c = sdiff_char(m);
    if (c < 0)
        return 'q';
    int d = c == '\n' ? '\n' : sdiff_char(m);
    *how = 0;
    if (c == 'e' && d > 0 && strchr("bdlr12", d)) {
        *how = d == '1' ? 'l' : d == '2' ? 'r' : (char)d;
        d = sdiff_char(m);
    }
    bool known = c != '\n' && strchr("lr12svqe", c);
    if (known && d == '\n')
        return c == '1' ? 'l' : c == '2' ? 'r' : (char)c;
    while (d != '\n' && d >= 0)
        d = in_getc(&m->in);
    sdiff_help(m);
    return 0;
}

/* Asks about a change of n[0] and n[1] lines until something is chosen. */
static int sdiff_choose(struct sdiff_merge *m, const size_t n[2])
{
    for (;;) {
        char how = 0, c = sdiff_command(m, &how);
        int t = proc_tick(m->p, 1);
        if (t < 0)
            return t;
        switch (c) {
        case 'l':
        case 'r':
            sdiff_take(&m->side[0], n[0], c == 'l' ? &m->merged : NULL);
            sdiff_take(&m->side[1], n[1], c == 'r' ? &m->merged : NULL);
            return 0;
        case 's': m->s->suppress = true; break;
        case 'v': m->s->suppress = false; break;
        case 'q': m->status = 2; return 0;
        case 'e': return sdiff_edit(m, how, n);
        default: break;
        }
    }
}

/* Lines that are equal: the left ones are taken. */
static void sdiff_equal(struct sdiff_merge *m, size_t left, size_t right)
{
    sdiff_take(&m->rows, MAX(left, right), m->s->suppress ? NULL : &m->shown);
    sdiff_take(&m->side[0], left, &m->merged);
    sdiff_take(&m->side[1], right, NULL);
}

/* "3,4": two numbers, the second as the first when there is but one. */
static void sdiff_range(struct str *s, size_t v[2])
{
    for (int k = 0; k < 2; k++) {
        for (v[k] = 0; s->n && s->p[0] >= '0' && s->p[0] <= '9'; *s = str_from(*s, 1))
            v[k] = v[k] * 10 + (size_t)(s->p[0] - '0');
        if (k == 0 && (s->n == 0 || s->p[0] != ',')) {
            v[1] = v[0];
            return;
        }
        if (k == 0)
            *s = str_from(*s, 1);
    }
}

/* "3,4c5" in what diff says: the first line and the number of lines of each side. */
static bool sdiff_hunk(struct str line, size_t first[2], size_t n[2])
{
    size_t left[2], right[2];

    sdiff_range(&line, left);
    char kind = line.n ? line.p[0] : '?';
    line = str_from(line, 1);
    sdiff_range(&line, right);
    n[0] = kind == 'a' ? 0 : left[1] - left[0] + 1;
    n[1] = kind == 'd' ? 0 : right[1] - right[0] + 1;
    first[0] = left[0] + (kind == 'a');
    first[1] = right[0] + (kind == 'd');
    return kind == 'a' || kind == 'c' || kind == 'd';
}

static int sdiff_hunks(struct sdiff_merge *m, struct str hunks)
{
    size_t first[2], n[2];

    while (hunks.n && !m->status) {
        ptrdiff_t end = str_chr(hunks, '\n');
        struct str line = end < 0 ? hunks : str_sub(hunks, 0, (size_t)end);
        hunks = str_from(hunks, line.n + 1);
        if (line.n == 0 || line.p[0] < '0' || line.p[0] > '9' || !sdiff_hunk(line, first, n))
            continue;
        sdiff_equal(m, first[0] - m->side[0].line, first[1] - m->side[1].line);
        sdiff_take(&m->rows, MAX(n[0], n[1]), &m->shown);
        int r = sdiff_choose(m, n);
        if (r < 0)
            return r;
    }
    if (!m->status)
        sdiff_equal(m, SIZE_MAX, SIZE_MAX);
    return 0;
}

/* The whole of a file, on the heap. */
static int sdiff_load(struct proc *p, struct str name, struct buf *b)
{
    struct in in;
    if (in_open(&in, p, name) < 0)
        return 2;
    while (in_fill(&in)) {
        buf_add(b, in.p, (size_t)(in.end - in.p));
        in.p = in.end;
    }
    int r = in.err;
    in_fini(&in);
    return r;
}

static int sdiff_merge(struct proc *p, struct sdiff *s, const struct str *files)
{
    struct sdiff_merge m = {.p = p, .s = s, .files = files};
    struct buf text[4];
    struct file *to = NULL;
    int r = 0, status = 0;

    for (size_t i = 0; i < COUNT(text); i++)
        buf_init(&text[i], &p->kernel->heap);
    for (int i = 0; i < 2 && r == 0; i++) {
        r = sdiff_load(p, files[i], &text[i]);
        m.side[i] = (struct sdiff_text){buf_get(&text[i]), 1};
    }
    if (r == 0 &&
        (r = vfs_open(p, s->output, FILE_WRITE | FILE_CREATE | FILE_TRUNC, 0666, &to)) < 0) {
        proc_warn_file(p, s->output, r);
        r = 2;
    }
    if (r == 0)
        status = r = sdiff_launch(p, s, files, false, &text[2]);
    if (r == 0 || r == 1)
        r = sdiff_launch(p, s, files, true, &text[3]);
    if (to && (r == 0 || r == 1)) {
        m.rows.left = buf_get(&text[3]);
        out_init(&m.shown, p, 1);
        out_init_file(&m.merged, p, to);
        in_init(&m.in, p, 0);
        r = sdiff_hunks(&m, buf_get(&text[2]));
        r = r < 0 ? r : m.status ? m.status : status;
        in_fini(&m.in);
        int wrote = out_fini(&m.merged);
        if (wrote < 0 && r >= 0) {
            proc_warn_file(p, s->output, wrote);
            r = 2;
        }
        r = command_close(p, &m.shown, r);
    }
    file_unref(to);
    for (size_t i = 0; i < COUNT(text); i++)
        buf_fini(&text[i]);
    return r;
}

/* One of the two may be a folder: then the file in it of the other's name is meant. */
static int sdiff_files(struct proc *p, struct str files[2])
{
    struct stat_info st[2];
    bool dir[2];

    for (int i = 0; i < 2; i++) {
        if (str_eqz(p->argv[i], "-")) {
            proc_warn(p, "cannot interactively merge standard input");
            return 2;
        }
        dir[i] = vfs_stat(p, p->argv[i], 0, &st[i]) == 0 && MODE_IS_DIR(st[i].mode);
        files[i] = p->argv[i];
    }
    if (dir[0] && dir[1]) {
        proc_warn(p, "both files to be compared are directories");
        return 2;
    }
    for (int i = 0; i < 2; i++)
        if (dir[i])
            files[i] = arena_printf(p->arena, "%.*s/%.*s", STR_ARG(p->argv[i]),
                                    STR_ARG(path_base(p->argv[!i])));
    return files[0].p && files[1].p ? 0 : HOB_ENOMEM;
}

static int sdiff_run(struct proc *p, void *args)
{
    struct sdiff *s = args;
    struct str files[2];
    if (p->argc < 2) {
        proc_warn(p, "missing operand after '%.*s'", STR_ARG(p->argc ? p->argv[0] : p->name));
        return proc_usage(p);
    }
    if (p->argc > 2) {
        proc_warn(p, "extra operand '%.*s'", STR_ARG(p->argv[2]));
        return proc_usage(p);
    }
    if (!s->output.p)
        return sdiff_launch(p, s, p->argv, true, NULL);
    int r = sdiff_files(p, files);
    return r ? r : sdiff_merge(p, s, files);
}

const struct command cmd_sdiff = {
    .name = "sdiff",
    .usage = "[OPTION]... FILE1 FILE2",
    .summary = "Show two files side by side, with what differs between them.",
    .notes = "With -o each change is answered by a line of standard input: l or r for a side, eb,\n"
             "ed, el, er or e to edit it with $EDITOR, s and v about equal lines, q to end.",
    .opts = sdiff_opts,
    .args_size = sizeof(struct sdiff),
    .flags = CMD_USAGE_NAME,
    .usage_status = 2,
    .run = sdiff_run,
};
