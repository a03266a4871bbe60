/* du.c -- how much room files take */
#include "shell/command.h"

#include "base/error.h"
#include "base/fmt.h"
#include "base/map.h"
#include "commands/lib/files.h"
#include "commands/lib/getdate.h"
#include "commands/lib/human.h"
#include "text/glob.h"

struct du {
    bool all, apparent, total, count_links, separate, summarize, zero, inodes, one_fs;
    int follow; /* 'L', 'D' or 0 */
    int64_t max_depth;
    bool has_depth, has_time, has_threshold;
    bool once; /* nothing is counted twice */
    struct human unit;
    bool unit_given;
    int64_t threshold;
    struct str files0, time_style;
    struct strs exclude;
    char time; /* a c m */
    struct proc *p;
    struct out out;
    struct map seen; /* files with several links that were counted */
    struct date_zone zone;
    uint64_t dev;
    int status;
};

static int du_unit(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct du *d = args;
    d->unit_given = true;
    switch (o->letter) {
    case 'b':
        d->apparent = true;
        d->unit = (struct human){.unit = 1};
        return 0;
    case 'h': d->unit = (struct human){.scale = true}; return 0;
    case 'k': d->unit = (struct human){.unit = 1024}; return 0;
    case 'm': d->unit = (struct human){.unit = 1048576}; return 0;
    case 'B':
        if (human_parse(arg, &d->unit) == 0)
            return 0;
        proc_warn(p, "invalid -B argument %s", proc_quoteaf(p, arg));
        return 2;
    default: d->unit = (struct human){.scale = true, .si = true}; return 0;
    }
}

static int du_depth(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct du *d = args;
    uint64_t v;
    (void)o;
    if (size_parse(arg, "", &v) < 0 || v > INT64_MAX) {
        proc_warn(p, "invalid maximum depth %s", proc_quote(p, arg));
        return proc_usage(p) + 1;
    }
    d->max_depth = (int64_t)v;
    d->has_depth = true;
    return 0;
}

static int du_threshold(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct du *d = args;
    uint64_t v;
    bool minus = arg.n && arg.p[0] == '-';
    (void)o;
    if (size_parse(minus ? str_from(arg, 1) : arg, "kKmMGTPEZY0", &v) < 0 || v > INT64_MAX ||
        (minus && v == 0)) {
        proc_warn(p, "invalid -t argument %s", proc_quoteaf(p, arg));
        return 2;
    }
    d->threshold = minus ? -(int64_t)v : (int64_t)v;
    d->has_threshold = true;
    return 0;
}

static int du_time(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    static const struct word_row words[] = {{"atime", 'a'}, {"access", 'a'}, {"use", 'a'},
                                            {"ctime", 'c'}, {"status", 'c'}, {NULL, 0}};
    struct du *d = args;
    int which = 'm', r = arg.p ? proc_word(p, "--time", arg, words, &which) : 0;
    (void)o;
    d->has_time = true;
    d->time = (char)which;
    return r;
}

static int du_time_style(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    static const struct word_row words[] = {
        {"full-iso", 0}, {"long-iso", 1}, {"iso", 2}, {NULL, 0}};
    struct du *d = args;
    int which = 1;
    (void)o;
    if (arg.n && arg.p[0] == '+') {
        d->time_style = arg;
        return 0;
    }
    int r = proc_word(p, "time style", arg, words, &which);
    d->time_style = str_z(words[which].name);
    return r;
}

static int du_exclude(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct du *d = args;
    struct in in;
    struct str line;
    bool had;
    if (o->letter != 'X')
        return proc_push(p, &d->exclude, arg) ? 0 : 2;
    if (in_open(&in, p, arg) < 0)
        return 2;
    while (in_line(&in, '\n', &line, &had)) {
        struct str copy = arena_str(p->arena, line);
        if (line.n && (!copy.p || !proc_push(p, &d->exclude, copy)))
            break;
    }
    in_fini(&in);
    return 0;
}

static const struct opt du_opts[] = {
    OPT_FLAG('0', "null", struct du, zero, "end each line with NUL, not newline"),
    OPT_FLAG('a', "all", struct du, all, "all files, not only folders"),
    OPT_FLAG(0, "apparent-size", struct du, apparent, "the sizes of files, not the room they take"),
    OPT_CALL('B', "block-size", du_unit, "SIZE", "in units of SIZE"),
    OPT_CALL('b', "bytes", du_unit, NULL, "same as --apparent-size --block-size=1"),
    OPT_FLAG('c', "total", struct du, total, "the sum of all operands too"),
    OPT_SET('D', "dereference-args", struct du, follow, 'D', "follow operands that are links"),
    OPT_SET('H', NULL, struct du, follow, 'D', "same as -D"),
    OPT_CALL('d', "max-depth", du_depth, "N", "only what is at most N levels below an operand"),
    OPT_STRING(0, "files0-from", struct du, files0, "F",
               "read the NUL-terminated names of operands from F"),
    OPT_CALL('h', "human-readable", du_unit, NULL, "sizes like 1K 234M 2G"),
    OPT_FLAG(0, "inodes", struct du, inodes, "count files, not their size"),
    OPT_CALL('k', NULL, du_unit, NULL, "same as --block-size=1K"),
    OPT_SET('L', "dereference", struct du, follow, 'L', "follow all links"),
    OPT_FLAG('l', "count-links", struct du, count_links, "count files as often as they are linked"),
    OPT_CALL('m', NULL, du_unit, NULL, "same as --block-size=1M"),
    OPT_SET('P', "no-dereference", struct du, follow, 0, "follow no links (default)"),
    OPT_FLAG('S', "separate-dirs", struct du, separate, "do not count folders in folders"),
    OPT_CALL(0, "si", du_unit, NULL, "like -h with powers of 1000"),
    OPT_FLAG('s', "summarize", struct du, summarize, "only one line per operand"),
    OPT_CALL('t', "threshold", du_threshold, "SIZE",
             "only what is at least SIZE; when it is negative, at most"),
    OPT_CALL_OPTIONAL(0, "time", du_time, "WORD",
                      "show the time of the last change: atime, access, use, ctime, status"),
    OPT_CALL(0, "time-style", du_time_style, "STYLE",
             "full-iso, long-iso, iso or +FORMAT as for date"),
    OPT_CALL('X', "exclude-from", du_exclude, "FILE", "leave out what matches a pattern in FILE"),
    OPT_CALL(0, "exclude", du_exclude, "PATTERN", "leave out what matches PATTERN"),
    OPT_FLAG('x', "one-file-system", struct du, one_fs, "stay on this file system"),
    OPT_END,
};

struct du_sum {
    uint64_t bytes, files;
    int64_t time;
};

static void du_add(struct du_sum *to, const struct du_sum *s)
{
    to->bytes += s->bytes;
    to->files += s->files;
    to->time = MAX(to->time, s->time);
}

static void du_put_time(struct du *d, int64_t t)
{
    static const struct {
        const char *name, *format;
    } styles[] = {{"full-iso", "%Y-%m-%d %H:%M:%S.%N %z"},
                  {"long-iso", "%Y-%m-%d %H:%M"},
                  {"iso", "%Y-%m-%d"}};
    struct str format = STR("%Y-%m-%d %H:%M");
    struct date date;
    struct buf b;

    if (d->time_style.n && d->time_style.p[0] == '+')
        format = str_from(d->time_style, 1);
    for (size_t i = 0; i < COUNT(styles); i++) {
        if (str_eqz(d->time_style, styles[i].name))
            format = str_z(styles[i].format);
    }
    int64_t sec = t / 1000000000 - (t % 1000000000 < 0), ns = t - sec * 1000000000;
    buf_init(&b, &d->p->kernel->heap);
    if (date_from_epoch(sec, (int)ns, &d->zone, &date) == 0)
        date_format(&b, format, &date, sec, true);
    out_str(&d->out, buf_get(&b));
    out_putc(&d->out, '\t');
    buf_fini(&b);
}

static void du_print(struct du *d, const struct du_sum *s, struct str name)
{
    char text[HUMAN_SIZE];
    if (d->inodes) {
        struct human plain = d->unit_given && d->unit.scale ? d->unit : (struct human){.unit = 1};
        human_print(text, s->files, &plain);
    } else {
        human_print(text, s->bytes, &d->unit);
    }
    out_printf(&d->out, "%s\t", text);
    if (d->has_time)
        du_put_time(d, s->time);
    out_str(&d->out, name);
    out_putc(&d->out, d->zero ? '\0' : '\n');
}

static bool du_excluded(struct du *d, struct str path)
{
    for (size_t i = 0; i < d->exclude.n; i++) {
        struct arena_mark mark = arena_mark(d->p->arena);
        struct glob_prog *g = glob_compile(d->p->arena, d->exclude.p[i], 0);
        /* A pattern may match from the start or behind any slash. */
        bool yes = g && glob_match(g, path);
        for (size_t k = 0; g && !yes && k < path.n; k++)
            yes = path.p[k] == '/' && glob_match(g, str_from(path, k + 1));
        arena_release(d->p->arena, mark);
        if (yes)
            return true;
    }
    return false;
}

/* A file with several names counts once; with several operands, so does everything. */
static bool du_counted(struct du *d, const struct stat_info *st)
{
    char key[48];
    if (d->count_links || (!d->once && (MODE_IS_DIR(st->mode) || st->nlink < 2)))
        return false;
    size_t n = fmt_print(key, sizeof key, "%llu:%llu", (unsigned long long)st->dev,
                         (unsigned long long)st->ino);
    if (map_get(&d->seen, str_of(key, n)))
        return true;
    map_put(&d->seen, str_of(key, n));
    return false;
}

static bool du_shown(const struct du *d, const struct du_sum *s, bool dir, int64_t level)
{
    if (level > 0 && ((!dir && !d->all) || level > d->max_depth))
        return false;
    if (!d->has_threshold)
        return true;
    int64_t v = (int64_t)(d->inodes ? s->files : s->bytes);
    return d->threshold < 0 ? v <= -d->threshold : v >= d->threshold;
}

/* The sum of a file or a tree; *all is what the folder above counts of it. */
static void du_walk(struct du *d, struct str path, int64_t level, struct du_sum *all)
{
    struct arena_mark mark = arena_mark(d->p->arena);
    bool follow = d->follow == 'L' || (d->follow == 'D' && level == 0);
    struct stat_info st;
    struct strs names = {0};
    int err = vfs_stat(d->p, path, follow ? 0 : VFS_NOFOLLOW, &st);

    if (err < 0) {
        proc_warn_quoted(d->p, "cannot access %s", path, err);
        d->status = 1;
        return;
    }
    if (level == 0)
        d->dev = st.dev;
    if ((d->one_fs && st.dev != d->dev) || du_counted(d, &st))
        return;
    struct du_sum own = {.files = 1,
                         .time = d->time == 'a'   ? st.atime
                                 : d->time == 'c' ? st.ctime
                                                  : st.mtime};
    bool dir = MODE_IS_DIR(st.mode);
    own.bytes = d->apparent ? (MODE_IS_FILE(st.mode) || dir || MODE_IS_LINK(st.mode) ? st.size : 0)
                            : st.blocks * 512;
    struct du_sum sum = own;
    if (dir) {
        err = task_stack_low(d->p->task) ? HOB_ENAMETOOLONG : files_list(d->p, path, &names);
        if (err < 0) {
            proc_warn_quoted(d->p, "cannot read directory %s", path, err);
            d->status = 1;
        }
        for (size_t i = 0; err == 0 && i < names.n && proc_tick(d->p, 1) == 0; i++) {
            struct arena_mark inner = arena_mark(d->p->arena);
            struct str sub = files_join(d->p, path, names.p[i]);
            struct stat_info sst;
            if (sub.p && !du_excluded(d, sub)) {
                struct du_sum part = {.time = INT64_MIN};
                du_walk(d, sub, level + 1, &part);
                bool subdir = d->separate && vfs_stat(d->p, sub, VFS_NOFOLLOW, &sst) == 0 &&
                              MODE_IS_DIR(sst.mode);
                if (!subdir)
                    du_add(&sum, &part);
                du_add(all, subdir ? &part : &(struct du_sum){.time = INT64_MIN});
            }
            arena_release(d->p->arena, inner);
        }
    }
    if (du_shown(d, &sum, dir, level))
        du_print(d, &sum, path);
    du_add(all, &sum);
    arena_release(d->p->arena, mark);
}

static int du_settle(struct du *d)
{
    struct proc *p = d->p;
    struct str env;

    if (d->all && d->summarize) {
        proc_warn(p, "cannot both summarize and show all entries");
        return proc_usage(p);
    }
    if (d->summarize && d->has_depth && d->max_depth != 0) {
        proc_warn(p, "warning: summarizing conflicts with --max-depth=%lld",
                  (long long)d->max_depth);
        return proc_usage(p);
    }
    if (d->summarize && d->has_depth)
        proc_warn(p, "warning: summarizing is the same as using --max-depth=0");
    if (!d->has_depth)
        d->max_depth = d->summarize ? 0 : INT64_MAX;
    if (!d->unit_given &&
        !((proc_getenv(p, STR("DU_BLOCK_SIZE"), &env) || proc_getenv(p, STR("BLOCK_SIZE"), &env)) &&
          human_parse(env, &d->unit) == 0))
        d->unit = (struct human){.unit = proc_getenv(p, STR("POSIXLY_CORRECT"), &env) ? 512 : 1024};
    return 0;
}

static int du_names0(struct du *d, struct strs *names)
{
    struct proc *p = d->p;
    struct in in;
    struct str text;

    if (p->argc) {
        proc_warn(p, "extra operand %s", proc_quote(p, p->argv[0]));
        proc_puts(p, 2, STR("file operands cannot be combined with --files0-from\n"));
        return proc_usage(p);
    }
    int r = in_open_quiet(&in, p, d->files0);
    if (r < 0) {
        proc_warn_quoted(p, "cannot open %s for reading", d->files0, r);
        return 1;
    }
    r = in_all(&in, &text);
    in_fini(&in);
    for (size_t i = 1; r == 0 && text.n; i++) {
        ptrdiff_t nul = str_chr(text, '\0');
        struct str name = str_sub(text, 0, nul < 0 ? text.n : (size_t)nul);
        text = str_from(text, name.n + 1);
        if (name.n == 0) {
            proc_warn(p, "%s:%zu: invalid zero-length file name", proc_quotef(p, d->files0), i);
            d->status = 1;
        } else if (!proc_push(p, names, arena_str(p->arena, name))) {
            return HOB_ENOMEM;
        }
    }
    return r;
}

static int du_run(struct proc *p, void *args)
{
    struct du *d = args;
    struct strs names = {0};
    struct du_sum total = {.time = INT64_MIN};
    int r;

    d->p = p;
    if ((r = du_settle(d)) != 0 || (d->files0.p && (r = du_names0(d, &names)) != 0))
        return r;
    if (!d->files0.p && p->argc)
        names = (struct strs){p->argv, (size_t)p->argc, 0};
    struct str here = STR(".");
    if (!d->files0.p && !p->argc)
        names = (struct strs){&here, 1, 0};
    d->once = names.n > 1 || d->follow == 'L';
    d->zone = getdate_zone(p);
    map_init(&d->seen, &p->kernel->heap);
    out_init(&d->out, p, 1);
    for (size_t i = 0; i < names.n && !d->out.err && proc_check(p) == 0; i++) {
        if (!du_excluded(d, names.p[i]))
            du_walk(d, names.p[i], 0, &total);
    }
    if (d->total)
        du_print(d, &total, STR("total"));
    map_fini(&d->seen);
    return command_close(p, &d->out, d->status);
}

const struct command cmd_du = {
    .name = "du",
    .usage = "[OPTION]... [FILE]...\n[OPTION]... --files0-from=F",
    .summary = "Show how much room each FILE takes, with all that is in it if it is a folder.",
    .notes =
        "Sizes are in units of 1024 bytes unless --block-size or one of DU_BLOCK_SIZE, BLOCK_SIZE\n"
        "says otherwise. SIZE is a number with a unit: K, M, G ... or KB, MB ...",
    .opts = du_opts,
    .args_size = sizeof(struct du),
    .usage_status = 1,
    .run = du_run,
};
