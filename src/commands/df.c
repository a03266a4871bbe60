/* df.c -- how much room the file systems of the sandbox have
 *
 * The mounts are asked for their figures: what a tree in memory may hold is the memory limit, what
 * a folder of the host has is what the host says, a quota counts where there is one.
 */
#include "shell/command.h"

#include "base/utf8.h"
#include "commands/lib/human.h"

enum df_field {
    DF_SOURCE,
    DF_FSTYPE,
    DF_ITOTAL,
    DF_IUSED,
    DF_IAVAIL,
    DF_IPCENT,
    DF_SIZE,
    DF_USED,
    DF_AVAIL,
    DF_PCENT,
    DF_FILE,
    DF_TARGET,
    DF_FIELDS
};

struct df_row {
    struct str source, type, file, target;
    uint64_t size, used, files, files_used;
};

struct df {
    bool all, inodes, local, portable, show_type, total, sync, no_sync, ignored, output;
    struct human unit;
    bool unit_given;
    struct strs only, without; /* -t, -x */
    int fields[DF_FIELDS];
    int nfields;
    struct proc *p;
    struct strs cells; /* of all rows, the heading first, on the arena */
    struct df_row sum;
    size_t rows;
};

static int df_block_size(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct df *d = args;
    bool brief = true; /* the message names the option as it was typed */
    int err = 0;

    if (o->letter == 'B') {
        err = human_parse(arg, &d->unit);
        for (int i = 1; i < p->nwords; i++)
            brief = brief && !str_starts(p->words[i], STR("--b"));
    } else {
        d->unit = (struct human){.unit = 1024, .scale = o->letter != 'k', .si = o->letter == 'H'};
    }
    d->unit_given = true;
    if (err == 0)
        return 0;
    const char *name = brief ? "-B" : "--block-size", *quoted = proc_quoteaf(p, arg);
    if (err == HOB_ERANGE)
        proc_warn(p, "%s argument %s too large", name, quoted);
    else if (arg.n && ascii_digit(arg.p[0]) && arg.n > 1)
        proc_warn(p, "invalid suffix in %s argument %s", name, quoted);
    else
        proc_warn(p, "invalid %s argument %s", name, quoted);
    return 2;
}

static int df_type(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct df *d = args;
    return proc_push(p, o->letter == 't' ? &d->only : &d->without, arg) ? 0 : 2;
}

static const char *const df_names[DF_FIELDS] = {"source", "fstype", "itotal", "iused",
                                                "iavail", "ipcent", "size",   "used",
                                                "avail",  "pcent",  "file",   "target"};

static int df_output(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct df *d = args;
    (void)o;
    d->output = true;
    for (bool more = arg.p != NULL; more;) {
        ptrdiff_t comma = str_chr(arg, ',');
        struct str name = str_sub(arg, 0, comma < 0 ? arg.n : (size_t)comma);
        int field = 0;
        const char *wrong = NULL;
        while (field < DF_FIELDS && !str_eqz(name, df_names[field]))
            field++;
        if (field == DF_FIELDS)
            wrong = "unknown";
        for (int i = 0; i < d->nfields; i++)
            wrong = d->fields[i] == field ? "used more than once" : wrong;
        if (wrong) {
            proc_warn(p, "option --output: field %s %s", proc_quote(p, name), wrong);
            return proc_usage(p) + 1;
        }
        d->fields[d->nfields++] = field;
        more = comma >= 0;
        arg = str_from(arg, name.n + 1);
    }
    return 0;
}

static const struct opt df_opts[] = {
    OPT_FLAG('a', "all", struct df, all, "also those that have no room: /proc, /dev"),
    OPT_CALL('B', "block-size", df_block_size, "SIZE", "sizes in units of SIZE"),
    OPT_CALL('h', "human-readable", df_block_size, NULL, "sizes as 1.5K, 20M (powers of 1024)"),
    OPT_CALL('H', "si", df_block_size, NULL, "sizes as 1.5k, 20M (powers of 1000)"),
    OPT_FLAG('i', "inodes", struct df, inodes, "count files, not bytes"),
    OPT_CALL('k', NULL, df_block_size, NULL, "same as --block-size=1K"),
    OPT_FLAG('l', "local", struct df, local, "local file systems only: all are"),
    OPT_FLAG(0, "no-sync", struct df, no_sync, "accepted: there is nothing to wait for"),
    OPT_CALL_OPTIONAL(0, "output", df_output, "FIELD_LIST", "these columns, or all there are"),
    OPT_FLAG('P', "portability", struct df, portable, "in the form that POSIX wants"),
    OPT_FLAG(0, "sync", struct df, sync, "accepted: there is nothing to wait for"),
    OPT_FLAG(0, "total", struct df, total, "end with a sum"),
    OPT_CALL('t', "type", df_type, "TYPE", "only file systems of this type"),
    OPT_FLAG('T', "print-type", struct df, show_type, "show the type, too"),
    OPT_CALL('x', "exclude-type", df_type, "TYPE", "no file systems of this type"),
    OPT_FLAG('v', NULL, struct df, ignored, "(ignored)"),
    OPT_END,
};

/* ---- the table ------------------------------------------------------------------------------ */

/* "1K-blocks": the unit in the base in which it is a round number. */
static struct str df_unit_title(struct df *d)
{
    uint64_t unit = d->unit.unit, a = unit, b = unit;
    bool thousands, powers;
    char text[HUMAN_SIZE];

    if (d->portable)
        return arena_printf(d->p->arena, "%llu-blocks", (unsigned long long)unit);
    do {
        thousands = a % 1000 == 0;
        powers = b % 1024 == 0;
        a /= 1000;
        b /= 1024;
    } while (thousands && powers);
    bool binary = powers || (!thousands && d->unit.suffix[0] && !d->unit.si);
    struct human h = {.scale = true, .si = !binary};
    size_t n = human_print(text, unit, &h);
    char letter = n > 1 && !ascii_digit(text[n - 1]) ? text[--n] : '\0';
    if (n > 2 && text[n - 2] == '.' && text[n - 1] == '0')
        n -= 2;
    struct str full =
        arena_printf(d->p->arena, "%.*s%.*s%s%s-blocks", (int)n, text, letter != 0, &letter,
                     strlen(d->unit.suffix) == 3 ? "iB" : "", binary ? "" : "B");
    return full;
}

static struct str df_title(struct df *d, int field)
{
    static const char *const titles[DF_FIELDS] = {"Filesystem", "Type",  "Inodes",    "IUsed",
                                                  "IFree",      "IUse%", "1K-blocks", "Used",
                                                  "Available",  "Use%",  "File",      "Mounted on"};
    if (field == DF_SIZE)
        return d->unit.scale ? STR("Size") : df_unit_title(d);
    if (field == DF_AVAIL && (d->unit.scale || d->output))
        return STR("Avail");
    if (field == DF_PCENT && d->portable && !d->unit.scale)
        return STR("Capacity");
    return str_z(titles[field]);
}

static struct str df_number(struct df *d, uint64_t v, bool bytes)
{
    static const struct human plain = {.unit = 1};
    char text[HUMAN_SIZE];
    size_t n = human_print(text, v, bytes || d->unit.scale ? &d->unit : &plain);
    return arena_str(d->p->arena, str_of(text, n));
}

/* Rounded up, as GNU does. */
static struct str df_percent(struct df *d, uint64_t used, uint64_t all)
{
    if (all == 0)
        return STR("-");
    unsigned v = (unsigned)(((__uint128_t)used * 100 + all - 1) / all);
    return arena_printf(d->p->arena, "%u%%", v);
}

static struct str df_cell(struct df *d, const struct df_row *r, int field)
{
    switch (field) {
    case DF_SOURCE: return r->source;
    case DF_FSTYPE: return r->type;
    case DF_ITOTAL: return df_number(d, r->files, false);
    case DF_IUSED: return df_number(d, r->files_used, false);
    case DF_IAVAIL: return df_number(d, r->files - r->files_used, false);
    case DF_IPCENT: return df_percent(d, r->files_used, r->files);
    case DF_SIZE: return df_number(d, r->size, true);
    case DF_USED: return df_number(d, r->used, true);
    case DF_AVAIL: return df_number(d, r->size - r->used, true);
    case DF_PCENT: return df_percent(d, r->used, r->size);
    case DF_FILE: return r->file;
    default: return r->target;
    }
}

static void df_add_row(struct df *d, const struct df_row *r)
{
    for (int i = 0; i < d->nfields; i++)
        proc_push(d->p, &d->cells, r ? df_cell(d, r, d->fields[i]) : df_title(d, d->fields[i]));
    d->rows++;
}

static void df_print(struct df *d, struct out *o)
{
    static const unsigned char least[DF_FIELDS] = {14, 4, 5, 5, 5, 4, 5, 5, 5, 4, 0, 0};
    static const char left[DF_FIELDS] = {
        [DF_SOURCE] = 1, [DF_FSTYPE] = 1, [DF_FILE] = 1, [DF_TARGET] = 1};
    size_t n = (size_t)d->nfields, widths[DF_FIELDS] = {0};

    if (d->cells.n < d->rows * n)
        return; /* out of memory */
    for (size_t i = 0; i < d->rows * n; i++)
        widths[i % n] =
            MAX(MAX(widths[i % n], (size_t)least[d->fields[i % n]]), utf8_columns(d->cells.p[i]));
    for (size_t i = 0; i < d->rows * n; i++) {
        struct str cell = d->cells.p[i];
        bool is_left = left[d->fields[i % n]], last = i % n == n - 1;
        size_t blanks = widths[i % n] - MIN(widths[i % n], utf8_columns(cell));
        if (i % n)
            out_putc(o, ' ');
        for (size_t k = 0; !is_left && k < blanks; k++)
            out_putc(o, ' ');
        for (size_t k = 0; k < cell.n; k++) /* a table is a line a row, whatever names have */
            out_putc(o, (unsigned char)cell.p[k] < ' ' || cell.p[k] == 127 ? '?' : cell.p[k]);
        for (size_t k = 0; is_left && !last && k < blanks; k++)
            out_putc(o, ' ');
        if (last)
            out_putc(o, '\n');
    }
}

/* ---- file systems --------------------------------------------------------------------------- */

static bool df_listed(const struct strs *list, const char *type)
{
    for (size_t i = 0; i < list->n; i++) {
        if (str_eqz(list->p[i], type))
            return true;
    }
    return false;
}

/* Adds a mount, unless the options leave it out. `file` is what was named, if anything. */
static void df_add_mount(struct df *d, const struct mount *m, struct str file)
{
    struct fs_info info;
    struct proc *p = d->p;

    if (vfs_statfs(p, m->path, &info) < 0)
        info = (struct fs_info){0};
    if (info.type[0] == '\0')
        memcpy(info.type, m->fs->ops->name, MIN(strlen(m->fs->ops->name), sizeof info.type - 1));
    if ((d->only.n && !df_listed(&d->only, info.type)) || df_listed(&d->without, info.type) ||
        (info.bytes_total == 0 && !d->all && !file.p))
        return;
    struct df_row r = {.size = info.bytes_total,
                       .used = MIN(info.bytes_used, info.bytes_total),
                       .files = info.files_total,
                       .files_used = MIN(info.files_used, info.files_total)};
    r.source = r.type = arena_str(p->arena, str_z(info.type));
    r.target = m->path;
    r.file = file.p ? file : STR("-");
    df_add_row(d, &r);
    d->sum.size += r.size;
    d->sum.used += r.used;
    d->sum.files += r.files;
    d->sum.files_used += r.files_used;
}

static int df_add_file(struct df *d, struct str path)
{
    const struct vfs *v = d->p->kernel->vfs;
    struct stat_info st;
    int err = vfs_stat(d->p, path, 0, &st);

    if (err < 0) {
        proc_warn_file(d->p, path, err);
        return 1;
    }
    for (size_t i = 0; i < v->n; i++) {
        if (v->mounts[i].fs->dev == st.dev) {
            df_add_mount(d, &v->mounts[i], path);
            break;
        }
    }
    return 0;
}

/* ---- run ------------------------------------------------------------------------------------ */

static void df_columns(struct df *d)
{
    static const int bytes[] = {DF_SIZE, DF_USED, DF_AVAIL, DF_PCENT};
    static const int files[] = {DF_ITOTAL, DF_IUSED, DF_IAVAIL, DF_IPCENT};

    if (d->nfields)
        return;
    if (d->output) {
        for (int i = 0; i < DF_FIELDS; i++)
            d->fields[d->nfields++] = i;
        return;
    }
    d->fields[d->nfields++] = DF_SOURCE;
    if (d->show_type)
        d->fields[d->nfields++] = DF_FSTYPE;
    for (int i = 0; i < 4; i++)
        d->fields[d->nfields++] = d->inodes ? files[i] : bytes[i];
    d->fields[d->nfields++] = DF_TARGET;
}

static int df_settle(struct df *d)
{
    struct proc *p = d->p;
    struct str env;
    const char *other = d->inodes ? "-i" : d->portable ? "-P" : d->show_type ? "-T" : NULL;

    if (d->output && other) {
        proc_warn(p, "options %s and --output are mutually exclusive", other);
        return proc_usage(p);
    }
    bool wrong = false;
    for (size_t i = 0; i < d->only.n; i++) {
        if (df_listed(&d->without, d->only.p[i].p)) {
            proc_warn(p, "file system type %s both selected and excluded",
                      proc_quote(p, d->only.p[i]));
            wrong = true;
        }
    }
    if (wrong)
        return 1;
    if (!d->unit_given && (d->portable || !((proc_getenv(p, STR("DF_BLOCK_SIZE"), &env) ||
                                             proc_getenv(p, STR("BLOCK_SIZE"), &env) ||
                                             proc_getenv(p, STR("BLOCKSIZE"), &env)) &&
                                            human_parse(env, &d->unit) == 0)))
        d->unit = (struct human){.unit = proc_getenv(p, STR("POSIXLY_CORRECT"), &env) ? 512 : 1024};
    df_columns(d);
    return 0;
}

static int df_run(struct proc *p, void *args)
{
    struct df *d = args;
    const struct vfs *v = p->kernel->vfs;
    struct out out;

    d->p = p;
    int status = df_settle(d);
    if (status)
        return status;
    df_add_row(d, NULL);
    for (int i = 0; i < p->argc; i++)
        status |= df_add_file(d, p->argv[i]);
    for (size_t i = v->n; p->argc == 0 && i-- > 0;)
        df_add_mount(d, &v->mounts[i], STR_NONE);
    if (d->rows == 1) {
        if (status == 0)
            proc_warn(p, "no file systems processed");
        return 1;
    }
    if (d->total) {
        bool source = false;
        for (int i = 0; i < d->nfields; i++)
            source |= d->fields[i] == DF_SOURCE;
        d->sum.source = STR("total");
        d->sum.type = d->sum.file = STR("-");
        d->sum.target = source ? STR("-") : STR("total");
        df_add_row(d, &d->sum);
    }
    out_init(&out, p, 1);
    df_print(d, &out);
    return command_close(p, &out, status);
}

const struct command cmd_df = {
    .name = "df",
    .usage = "[OPTION]... [FILE]...",
    .summary = "Show the room on the file systems that hold the FILEs, or on all.",
    .notes = "Sizes are in units of 1024 bytes unless --block-size or one of DF_BLOCK_SIZE, "
             "BLOCK_SIZE\nand BLOCKSIZE says otherwise. SIZE is a number with a unit: K, M, G ... "
             "or KB, MB ...\nFIELD_LIST is made of source, fstype, itotal, iused, iavail, ipcent, "
             "size, used, avail,\npcent, file and target, parted by commas.",
    .opts = df_opts,
    .args_size = sizeof(struct df),
    .usage_status = 1,
    .run = df_run,
};
