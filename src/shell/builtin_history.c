/* builtin_history.c -- the list of commands: history and fc
 *
 * Lines get here through history_add(), which the reader of commands calls while `set -o history`
 * is on. The number of an entry counts from the first one ever kept: entries that HISTSIZE pushes
 * out leave the numbers of the others as they are.
 */
#include "base/error.h"
#include "base/fmt.h"
#include "base/utf8.h"
#include "shell/builtin_impl.h"
#include "shell/histexp.h"
#include "shell/inner.h"
#include "shell/zone.h"
#include "text/glob.h"
#include "vfs/vfs.h"

struct history_entry {
    struct str text; /* owned, with a NUL */
    int64_t time;    /* seconds */
};

struct history {
    unsigned refs;
    struct history_entry *p;
    size_t n, cap;
    int64_t base;     /* number of p[0] */
    size_t added;     /* lines of this session, not yet appended to the file */
    size_t from_file; /* lines of the file read so far */
    bool last_added;  /* the command that runs is the last entry */
    struct histexp_memory memory;
};

/* ---- life ------------------------------------------------------------------------------------ */

void history_fork(struct shell *child)
{
    if (child->history)
        child->history->refs++;
}

static void history_drop(struct shell *sh, struct history *h, size_t i)
{
    heap_free(sh->heap, (char *)h->p[i].text.p, h->p[i].text.n + 1);
    memmove(h->p + i, h->p + i + 1, (h->n - i - 1) * sizeof *h->p);
    h->n--;
}

void history_fini(struct shell *sh)
{
    struct history *h = sh->history;
    sh->history = NULL;
    if (!h || --h->refs)
        return;
    for (size_t i = 0; i < h->n; i++)
        heap_free(sh->heap, (char *)h->p[i].text.p, h->p[i].text.n + 1);
    vec_fini(sh->heap, h);
    buf_fini(&h->memory.search);
    buf_fini(&h->memory.match);
    buf_fini(&h->memory.lhs);
    buf_fini(&h->memory.rhs);
    heap_drop(sh->heap, h);
}

static bool history_push(struct shell *sh, struct history *h, struct str text, int64_t time)
{
    char *p = heap_alloc(sh->heap, text.n + 1);
    if (!p)
        return false;
    if (text.n)
        memcpy(p, text.p, text.n);
    p[text.n] = '\0';
    struct history_entry e = {str_of(p, text.n), time};
    if (vec_push(sh->heap, h, e))
        return true;
    heap_free(sh->heap, p, text.n + 1);
    return false;
}

/* The list, this shell's alone. NULL: out of memory. */
static struct history *history_own(struct shell *sh)
{
    struct history *old = sh->history;
    if (old && old->refs == 1)
        return old;
    struct history *h = heap_new(sh->heap, struct history);
    if (!h)
        return NULL;
    h->refs = 1;
    h->base = 1;
    buf_init(&h->memory.search, sh->heap);
    buf_init(&h->memory.match, sh->heap);
    buf_init(&h->memory.lhs, sh->heap);
    buf_init(&h->memory.rhs, sh->heap);
    sh->history = h;
    if (!old)
        return h;
    for (size_t i = 0; i < old->n; i++)
        if (!history_push(sh, h, old->p[i].text, old->p[i].time)) {
            history_fini(sh);
            sh->history = old;
            return NULL;
        }
    h->base = old->base;
    h->added = old->added;
    h->from_file = old->from_file;
    h->last_added = old->last_added;
    old->refs--;
    return h;
}

int64_t history_number(struct shell *sh)
{
    struct history *h = sh->history;
    bool running = h && sh->program && h->last_added; /* its own entry is there already */
    return h ? h->base + (int64_t)h->n - running : 1;
}

size_t history_count(struct shell *sh) { return sh->history ? sh->history->n : 0; }

struct str history_text(struct shell *sh, size_t i) { return sh->history->p[i].text; }

int64_t history_first(struct shell *sh) { return sh->history ? sh->history->base : 1; }

struct histexp_memory *history_memory(struct shell *sh)
{
    struct history *h = history_own(sh);
    return h ? &h->memory : NULL;
}

bool history_hold(struct shell *sh, struct str text)
{
    struct history *h = history_own(sh);
    return h && history_push(sh, h, text, 0);
}

void history_unhold(struct shell *sh) { history_drop(sh, sh->history, sh->history->n - 1); }

/* ---- adding ---------------------------------------------------------------------------------- */

/* Whether a line ends with something behind which no `;` may stand. */
static bool history_open_end(struct str line)
{
    static const char *const words[] = {"do", "then", "else", "in", "{", "(", "|", "&", ";", "!"};
    line = str_trim(line);
    for (size_t i = 0; i < COUNT(words); i++) {
        struct str w = str_z(words[i]);
        if (!str_ends(line, w))
            continue;
        if (!ascii_alpha(w.p[0]) || line.n == w.n || ascii_space(line.p[line.n - w.n - 1]) ||
            line.p[line.n - w.n - 1] == ';')
            return true;
    }
    return line.n == 0;
}

/* cmdhist: a command of several lines becomes one, unless newlines count in it. */
static void history_join(struct shell *sh, struct buf *b, struct str text)
{
    char quote = 0;
    size_t line = 0;
    bool keep = str_find(text, STR("<<")) >= 0 || SH_SHOPT(sh, SHOPT_LITHIST);
    while (text.n && text.p[text.n - 1] == '\n')
        text.n--;
    while (text.n && text.p[0] == '\n')
        text = str_from(text, 1);
    for (size_t i = 0; i < text.n; i++) {
        char c = text.p[i];
        if (c == '\\' && quote != '\'' && i + 1 < text.n) {
            buf_putc(b, c);
            buf_putc(b, text.p[++i]);
            continue;
        }
        if (quote ? c == quote : c == '\'' || c == '"')
            quote = quote ? 0 : c;
        if (c != '\n' || quote || keep) {
            buf_putc(b, c);
            continue;
        }
        buf_addz(b, history_open_end(str_sub(text, line, i - line)) ? " " : "; ");
        line = i + 1;
    }
}

/* Calls fn with each part of a:b:c until it says true. */
static bool history_listed(struct str list, struct str word)
{
    for (size_t i = 0; i <= list.n;) {
        size_t end = i;
        while (end < list.n && list.p[end] != ':')
            end++;
        if (str_eq(str_of(list.p + i, end - i), word))
            return true;
        i = end + 1;
    }
    return false;
}

static bool history_ignored(struct shell *sh, struct str line)
{
    struct str list;
    struct arena_mark m = arena_mark(&sh->arena);
    bool ignored = false;
    if (!var_str(sh, sym_of(SYM_HISTIGNORE), &list))
        return false;
    for (size_t i = 0; i < list.n && !ignored;) {
        size_t end = i;
        while (end < list.n && list.p[end] != ':')
            end += list.p[end] == '\\' && end + 1 < list.n ? 2 : 1;
        struct glob_prog *g =
            glob_compile(&sh->arena, str_of(list.p + i, MIN(end, list.n) - i), GLOB_EXT);
        ignored = g && end > i && glob_match(g, line);
        i = end + 1;
    }
    arena_release(&sh->arena, m);
    return ignored;
}

/* Makes room for `more` entries within HISTSIZE. When the size was lowered, bash counts anew from
 * the number of entries that were dropped. */
static void history_stifle(struct shell *sh, struct history *h, size_t more)
{
    struct str v;
    int64_t max = 500;
    if (var_str(sh, sym_of(SYM_HISTSIZE), &v) && (str_int(str_trim(v), &max) < 0 || max < 0))
        return;
    if ((int64_t)h->n > max)
        h->base = (int64_t)h->n - max;
    while ((int64_t)h->n > max)
        history_drop(sh, h, 0);
    while (h->n && (int64_t)(h->n + more) > max) {
        history_drop(sh, h, 0);
        h->base++;
    }
}

/* By HISTCONTROL and HISTIGNORE; false: the line is not kept. */
static bool history_wanted(struct shell *sh, struct history *h, struct str line)
{
    struct str control;
    if (!var_str(sh, sym_of(SYM_HISTCONTROL), &control))
        control = STR("");
    bool both = history_listed(control, STR("ignoreboth"));
    if ((both || history_listed(control, STR("ignorespace"))) && line.n &&
        (line.p[0] == ' ' || line.p[0] == '\t'))
        return false;
    if ((both || history_listed(control, STR("ignoredups"))) && h->n &&
        str_eq(h->p[h->n - 1].text, line))
        return false;
    if (history_ignored(sh, line))
        return false;
    if (history_listed(control, STR("erasedups")))
        for (size_t i = h->n; i-- > 0;)
            if (str_eq(h->p[i].text, line))
                history_drop(sh, h, i);
    return true;
}

static void history_add_one(struct shell *sh, struct str text)
{
    struct history *h = history_own(sh);
    struct buf b;
    if (!h)
        return;
    buf_init(&b, sh->heap);
    history_join(sh, &b, text);
    h->last_added = false;
    if (str_trim(buf_get(&b)).n && history_wanted(sh, h, buf_get(&b))) {
        history_stifle(sh, h, 1);
        h->last_added =
            history_push(sh, h, buf_get(&b), sched_now(&sh->kernel->sched) / 1000000000);
        h->added += h->last_added;
    }
    buf_fini(&b);
}

/* Without cmdhist each line of a command is an entry. */
void history_add(struct shell *sh, struct str text)
{
    while (!SH_SHOPT(sh, SHOPT_CMDHIST) && text.n) {
        ptrdiff_t nl = str_chr(text, '\n');
        history_add_one(sh, nl < 0 ? text : str_sub(text, 0, (size_t)nl));
        text = str_from(text, nl < 0 ? text.n : (size_t)nl + 1);
    }
    if (text.n)
        history_add_one(sh, text);
}

/* ---- files ----------------------------------------------------------------------------------- */

static int history_file(struct shell *sh, struct str *path)
{
    if (path->p)
        return 0;
    return var_str(sh, sym_of(SYM_HISTFILE), path) && path->n ? 0 : HOB_ENOENT;
}

/* -r reads all lines, -n those that came since the last time. */
static int history_read(struct shell *sh, struct str path, bool fresh)
{
    struct buf b;
    struct history *h = history_own(sh);
    struct str form;
    int64_t time = 0;
    size_t line_no = 0;
    /* #123 is a time if the file begins with one, or if times are kept. */
    bool times = var_str(sh, sym_of(SYM_HISTTIMEFORMAT), &form);
    if (!h || history_file(sh, &path) < 0)
        return 1;
    buf_init(&b, sh->heap);
    int r = text_read_file(sh, path, &b);
    struct str s = buf_get(&b);
    for (size_t i = 0; r >= 0 && i < s.n;) {
        size_t end = i;
        while (end < s.n && s.p[end] != '\n')
            end++;
        struct str line = str_of(s.p + i, end - i);
        int64_t stamp;
        i = end + 1;
        line_no++;
        bool number = line.n > 1 && line.p[0] == '#' && str_int(str_from(line, 1), &stamp) >= 0;
        times = times || (number && line_no == 1);
        if (number && times) {
            time = stamp;
            continue;
        }
        if ((!fresh || line_no > h->from_file) && line.n)
            history_push(sh, h, line, time);
        time = 0;
    }
    if (r >= 0)
        h->from_file = line_no;
    history_stifle(sh, h, 0);
    buf_fini(&b);
    return r < 0;
}

/* -w writes everything, -a appends what this session added. */
static int history_write(struct shell *sh, struct str path, bool append)
{
    struct history *h = history_own(sh);
    struct file *f;
    struct str stamp;
    if (!h || history_file(sh, &path) < 0)
        return 1;
    unsigned flags = FILE_WRITE | FILE_CREATE | (append ? FILE_APPEND : FILE_TRUNC);
    int r = vfs_open(sh->proc, path, flags, 0600 & ~sh->proc->umask, &f);
    if (r < 0)
        return 1;
    struct out o;
    out_init_file(&o, sh->proc, f);
    bool times = var_str(sh, sym_of(SYM_HISTTIMEFORMAT), &stamp);
    size_t from = append && h->added < h->n ? h->n - h->added : 0;
    for (size_t i = from; i < h->n; i++) {
        if (times && h->p[i].time)
            out_printf(&o, "#%lld\n", (long long)h->p[i].time);
        out_str(&o, h->p[i].text);
        out_putc(&o, '\n');
    }
    if (append)
        h->from_file += h->n - from;
    h->added = 0;
    r = out_fini(&o);
    file_unref(f);
    return r < 0;
}

void history_load(struct shell *sh)
{
    struct str home, v;
    struct stat_info st;
    if (history_count(sh))
        return;
    if (sh->interactive && !var_str(sh, sym_of(SYM_HISTFILE), &v) &&
        var_str(sh, sym_of(SYM_HOME), &home)) {
        struct str path = arena_printf(&sh->arena, "%.*s/.bash_history", STR_ARG(home));
        if (path.p)
            var_set(sh, sym_of(SYM_HISTFILE), path, 0);
    }
    if (!var_str(sh, sym_of(SYM_HISTSIZE), &v))
        var_set(sh, sym_of(SYM_HISTSIZE), STR("500"), 0);
    if (!var_str(sh, sym_of(SYM_HISTFILESIZE), &v))
        var_set(sh, sym_of(SYM_HISTFILESIZE), STR("500"), 0);
    if (var_str(sh, sym_of(SYM_HISTFILE), &v) && v.n && vfs_stat(sh->proc, v, 0, &st) >= 0)
        history_read(sh, STR_NONE, false);
}

/* Cuts the file to its last HISTFILESIZE lines. */
static void history_cut_file(struct shell *sh)
{
    struct str path = STR_NONE, size;
    int64_t max;
    struct file *f;
    struct buf b;
    if (history_file(sh, &path) < 0 || !var_str(sh, sym_of(SYM_HISTFILESIZE), &size) ||
        str_int(str_trim(size), &max) < 0 || max < 0)
        return;
    buf_init(&b, sh->heap);
    int r = text_read_file(sh, path, &b);
    size_t from = b.n;
    for (int64_t lines = 0; r >= 0 && from > 0; from--)
        if (b.p[from - 1] == '\n' && lines++ == max)
            break;
    if (r >= 0 && from > 0 && vfs_open(sh->proc, path, FILE_WRITE | FILE_TRUNC, 0600, &f) >= 0) {
        file_write(f, sh->proc, b.p + from, b.n - from);
        file_unref(f);
    }
    buf_fini(&b);
}

/* What this session added goes to the file, or the whole list when some of that is gone already. */
void history_save(struct shell *sh)
{
    struct history *h = sh->history;
    if (!SH_OPT(sh, OPT_HISTORY) || !h || !h->added)
        return;
    bool append = SH_SHOPT(sh, SHOPT_HISTAPPEND) || h->added <= h->n;
    if (history_write(sh, STR_NONE, append) == 0)
        history_cut_file(sh);
}

/* ---- history --------------------------------------------------------------------------------- */

static void history_stamp(struct shell *sh, struct buf *b, int64_t t)
{
    struct str form, tz;
    struct date_zone zone = date_utc;
    struct date d;
    struct buf bytes;
    if (!var_str(sh, sym_of(SYM_HISTTIMEFORMAT), &form) || !form.n)
        return;
    if (t == 0) {
        buf_addz(b, "??");
        return;
    }
    buf_init(&bytes, sh->heap);
    zone_find(sh->proc, var_str(sh, sym_of(SYM_TZ), &tz) ? tz : STR_NONE, &bytes, &zone);
    if (date_from_epoch(t, 0, &zone, &d) >= 0)
        date_format(b, form, &d, t, false);
    buf_fini(&bytes);
}

static int history_show(struct shell *sh, struct str *words, int n)
{
    struct history *h = sh->history;
    struct buf b;
    int64_t limit = h ? (int64_t)h->n : 0;
    if (n > 0) {
        int64_t want;
        if (str_int(str_trim(words[0]), &want) < 0) {
            shell_builtin_error(sh, "%.*s: numeric argument required", STR_ARG(words[0]));
            return 1;
        }
        if (n > 1) {
            shell_builtin_error(sh, "too many arguments");
            sh->status = 1;
            sh->ctl = CTL_ABORT;
            return 1;
        }
        want = want < 0 ? -want : want;
        limit = MIN(limit, want);
    }
    buf_init(&b, sh->heap);
    for (size_t i = h ? h->n - (size_t)limit : 0; h && i < h->n; i++) {
        buf_printf(&b, "%5lld  ", (long long)(h->base + (int64_t)i));
        history_stamp(sh, &b, h->p[i].time);
        buf_str(&b, h->p[i].text);
        buf_putc(&b, '\n');
    }
    return builtin_print(sh, &b, 0);
}

static int history_range_error(struct shell *sh, struct str word)
{
    shell_builtin_error(sh, "%.*s: history position out of range", STR_ARG(word));
    return 1;
}

/* The index of an entry: its number, or counted from the end if negative. */
static bool history_position(struct history *h, struct str s, size_t *out)
{
    int64_t n;
    if (!h || str_int(s, &n) < 0)
        return false;
    n = n < 0 ? n + (int64_t)h->n : n - h->base;
    if (n < 0 || n >= (int64_t)h->n)
        return false;
    *out = (size_t)n;
    return true;
}

/* -d 5, -d -2, -d 3-7. */
static int history_delete(struct shell *sh, struct str word)
{
    struct history *h = history_own(sh);
    size_t from, to;
    ptrdiff_t dash = str_chr(str_from(word, 1), '-');
    if (dash >= 0) {
        if (!history_position(h, str_sub(word, 0, (size_t)dash + 1), &from) ||
            !history_position(h, str_from(word, (size_t)dash + 2), &to) || to < from)
            return history_range_error(sh, word);
    } else {
        if (!history_position(h, word, &from))
            return history_range_error(sh, word);
        to = from;
    }
    for (size_t n = to - from + 1; n > 0; n--)
        history_drop(sh, h, from);
    return 0;
}

static int history_expand(struct shell *sh, struct str *words, int n)
{
    struct buf b, why;
    int status = 0;
    buf_init(&b, sh->heap);
    buf_init(&why, sh->heap);
    for (int i = 0; i < n; i++) {
        size_t before = b.n;
        if (histexp_line(sh, words[i], '\0', &b, &why) < 0) {
            buf_cut(&b, before);
            shell_builtin_error(sh, "%.*s: history expansion failed", STR_ARG(words[i]));
            status = 1;
            continue;
        }
        buf_putc(&b, '\n');
    }
    buf_fini(&why);
    return builtin_print(sh, &b, status);
}

/* -s puts its arguments in place of the command itself. */
static int history_store(struct shell *sh, struct str *words, int n)
{
    struct history *h = history_own(sh);
    struct buf b;
    if (!h || n == 0)
        return 0;
    buf_init(&b, sh->heap);
    for (int i = 0; i < n; i++) {
        if (i)
            buf_putc(&b, ' ');
        buf_str(&b, words[i]);
    }
    if (h->last_added && h->n)
        history_drop(sh, h, h->n - 1);
    h->last_added = false;
    history_push(sh, h, buf_get(&b), sched_now(&sh->kernel->sched) / 1000000000);
    buf_fini(&b);
    return 0;
}

static void history_forget_command(struct shell *sh)
{
    struct history *h = history_own(sh);
    if (h && h->last_added && h->n) {
        history_drop(sh, h, h->n - 1);
        h->last_added = false;
    }
}

static int history_run(struct shell *sh, struct str *argv, int argc)
{
    struct getopt_state g = {.at = 1};
    struct str del = STR_NONE, file = STR_NONE;
    char how = 0;
    int files = 0, c;
    bool clear = false, store = false, expand = false;
    while ((c = builtin_getopt(sh, &g, argv, argc, "acd:npsrw")) != -1) {
        switch (c) {
        case 'c': clear = true; break;
        case 'd': del = g.arg; break;
        case 's': store = true; break;
        case 'p': expand = true; break;
        case 'a':
        case 'n':
        case 'r':
        case 'w':
            files += how != c;
            how = (char)c;
            break;
        default: return builtin_usage(sh);
        }
    }
    if (files > 1) {
        shell_builtin_error(sh, "cannot use more than one of -anrw");
        return 1;
    }
    if (clear) {
        history_fini(sh);
        if (!how && !del.p && !store && !expand)
            return 0;
    }
    if (store)
        return history_store(sh, argv + g.at, argc - g.at);
    if (expand) {
        history_forget_command(sh);
        return history_expand(sh, argv + g.at, argc - g.at);
    }
    if (del.p)
        return history_delete(sh, del);
    if (!how)
        return history_show(sh, argv + g.at, argc - g.at);
    if (g.at < argc)
        file = argv[g.at];
    if (file.p && sh->restricted && str_chr(file, '/') >= 0) {
        shell_builtin_error(sh, "%.*s: restricted", STR_ARG(file));
        return 1;
    }
    return how == 'r' || how == 'n' ? history_read(sh, file, how == 'n')
                                    : history_write(sh, file, how == 'a');
}

const struct builtin builtin_history = {
    .name = "history",
    .run = history_run,
    .usage = "history [-c] [-d offset] [n] or history -anrw [filename] or history -ps arg [arg...]",
    .summary = "Print or change the list of commands.\n"
               "\n"
               "With N the last N of them are printed.\n"
               "\n"
               "Options:\n"
               "  -c\tempty the list\n"
               "  -d offset\tdelete the entry of that number, from the end if negative; also a\n"
               "    \trange START-END\n"
               "  -a\tappend the lines of this session to the file\n"
               "  -n\tread the lines of the file that are new\n"
               "  -r\tread the file\n"
               "  -w\twrite the file\n"
               "  -p\tprint the ARGs with history expansion done\n"
               "  -s\tadd the ARGs as one entry\n"
               "\n"
               "The file is FILENAME or $HISTFILE. HISTTIMEFORMAT is put in front of each entry.\n"
               "\n"
               "Exit Status:\n"
               "Zero unless an option is wrong or the file cannot be used.",
};

/* ---- fc -------------------------------------------------------------------------------------- */

struct fc {
    struct shell *sh;
    struct history *h;
    size_t last; /* index of the newest entry before fc itself */
};

/* The entry that a word stands for: a number, or the newest that begins with the text. */
static bool fc_find(struct fc *f, struct str word, size_t *out)
{
    int64_t n;
    if (str_int(word, &n) >= 0) {
        int64_t i = n < 0 ? (int64_t)f->last + 1 + n : n == 0 ? (int64_t)f->last : n - f->h->base;
        i = MAX(i, 0);
        *out = (size_t)MIN(i, (int64_t)f->last);
        return true;
    }
    for (size_t i = f->last + 1; i-- > 0;)
        if (str_starts(f->h->p[i].text, word)) {
            *out = i;
            return true;
        }
    return false;
}

static int fc_not_found(struct shell *sh)
{
    shell_builtin_error(sh, "no command found");
    return 1;
}

static int fc_list(struct fc *f, size_t from, size_t to, bool numbers, bool reverse)
{
    struct buf b;
    if (to < from) {
        size_t t = from;
        from = to;
        to = t;
        reverse = true;
    }
    buf_init(&b, f->sh->heap);
    for (size_t i = 0; i <= to - from; i++) {
        size_t k = reverse ? to - i : from + i;
        if (numbers)
            buf_printf(&b, "%lld", (long long)(f->h->base + (int64_t)k));
        buf_addz(&b, "\t ");
        buf_str(&b, f->h->p[k].text);
        buf_putc(&b, '\n');
    }
    return builtin_print(f->sh, &b, 0);
}

/* Runs a text in place of the command that is in the list now. */
static int fc_execute(struct shell *sh, struct str text)
{
    history_forget_command(sh);
    history_add(sh, text);
    struct history *h = sh->history;
    if (h)
        h->last_added = false;
    return shell_run_text(sh, text, TEXT_EVAL, sh->line);
}

/* fc -s [old=new ...] [command] */
static int fc_again(struct fc *f, struct str *words, int n)
{
    struct shell *sh = f->sh;
    struct buf text, next;
    size_t at = f->last;
    int i = 0;
    while (i < n && str_chr(words[i], '=') > 0)
        i++;
    if (i < n && !fc_find(f, words[i], &at))
        return fc_not_found(sh);
    buf_init(&text, sh->heap);
    buf_str(&text, f->h->p[at].text);
    for (int k = 0; k < i; k++) {
        ptrdiff_t eq = str_chr(words[k], '=');
        struct str old = str_sub(words[k], 0, (size_t)eq), s = buf_get(&text);
        ptrdiff_t hit;
        buf_init(&next, sh->heap);
        while ((hit = str_find(s, old)) >= 0) {
            buf_add(&next, s.p, (size_t)hit);
            buf_str(&next, str_from(words[k], (size_t)eq + 1));
            s = str_from(s, (size_t)hit + old.n);
        }
        buf_str(&next, s);
        buf_fini(&text);
        text = next;
    }
    struct str line = arena_str(&sh->arena, buf_get(&text));
    buf_fini(&text);
    if (!line.p)
        return 1;
    proc_puts(sh->proc, 2, line);
    proc_puts(sh->proc, 2, STR("\n"));
    return fc_execute(sh, line);
}

/* Writes the entries to a file, lets the editor at it, and runs what it left. */
static int fc_edit(struct fc *f, size_t from, size_t to, struct str editor)
{
    struct shell *sh = f->sh;
    struct str path = arena_printf(&sh->arena, "/tmp/bash-fc.%d", sh->proc->pid);
    struct buf text;
    struct file *file;
    struct out o;
    if (!path.p ||
        vfs_open(sh->proc, path, FILE_WRITE | FILE_CREATE | FILE_TRUNC, 0600, &file) < 0) {
        shell_builtin_error(sh, "%.*s: cannot open temp file: %s", STR_ARG(path),
                            error_text(HOB_EACCES));
        return 1;
    }
    out_init_file(&o, sh->proc, file);
    for (size_t i = MIN(from, to); i <= MAX(from, to); i++) {
        out_str(&o, f->h->p[from <= to ? i : from + to - i].text);
        out_putc(&o, '\n');
    }
    out_fini(&o);
    file_unref(file);
    struct str command = arena_printf(&sh->arena, "%.*s %.*s", STR_ARG(editor), STR_ARG(path));
    int status = command.p ? shell_run_text(sh, command, TEXT_EVAL, sh->line) : 1;
    buf_init(&text, sh->heap);
    if (status == 0 && text_read_file(sh, path, &text) >= 0) {
        struct str lines = arena_str(&sh->arena, buf_get(&text));
        proc_puts(sh->proc, 2, lines);
        status = lines.p ? fc_execute(sh, lines) : 1;
    }
    buf_fini(&text);
    vfs_unlink(sh->proc, path);
    return status;
}

static struct str fc_editor(struct shell *sh, struct str given)
{
    struct str e;
    if (given.p)
        return given;
    if (var_strz(sh, "FCEDIT", &e) && e.n)
        return arena_str(&sh->arena, e);
    if (var_strz(sh, "EDITOR", &e) && e.n)
        return arena_str(&sh->arena, e);
    return STR("ed");
}

static int fc_range(struct fc *f, struct str *words, int n, bool list, size_t *from, size_t *to)
{
    *to = f->last;
    *from = list ? (f->last > 15 ? f->last - 15 : 0) : f->last;
    if (n > 0 && !fc_find(f, words[0], from))
        return fc_not_found(f->sh);
    if (n > 0 && !list)
        *to = *from;
    if (n > 1 && !fc_find(f, words[1], to))
        return fc_not_found(f->sh);
    return 0;
}

static int fc_run(struct shell *sh, struct str *argv, int argc)
{
    struct getopt_state g = {.at = 1};
    bool list = false, numbers = true, reverse = false, again = false;
    struct str editor = STR_NONE;
    size_t from, to;
    int c;
    /* -5 is an entry, not an option. */
    while (g.at < argc &&
           !(g.pos == 0 && argv[g.at].n > 1 && argv[g.at].p[0] == '-' &&
             ascii_digit(argv[g.at].p[1])) &&
           (c = builtin_getopt(sh, &g, argv, argc, "e:lnrs")) != -1) {
        switch (c) {
        case 'e': editor = g.arg; break;
        case 'l': list = true; break;
        case 'n': numbers = false; break;
        case 'r': reverse = true; break;
        case 's': again = true; break;
        default: return builtin_usage(sh);
        }
    }
    struct fc f = {.sh = sh, .h = history_own(sh)};
    if (!f.h || f.h->n <= f.h->last_added)
        return again || (editor.p && str_eqz(editor, "-")) ? fc_not_found(sh) : 0;
    f.last = f.h->n - 1 - f.h->last_added;
    if (again || (editor.p && str_eqz(editor, "-")))
        return fc_again(&f, argv + g.at, argc - g.at);
    int status = fc_range(&f, argv + g.at, argc - g.at, list, &from, &to);
    if (status)
        return status;
    if (list)
        return fc_list(&f, from, to, numbers, reverse);
    return reverse ? fc_edit(&f, to, from, fc_editor(sh, editor))
                   : fc_edit(&f, from, to, fc_editor(sh, editor));
}

const struct builtin builtin_fc = {
    .name = "fc",
    .run = fc_run,
    .usage = "fc [-e ename] [-lnr] [first] [last] or fc -s [pat=rep] [command]",
    .summary = "List, edit and run commands of the history again.\n"
               "\n"
               "FIRST and LAST are numbers, from the end if negative, or the beginning of a\n"
               "command.\n"
               "\n"
               "Options:\n"
               "  -e ename\tthe editor; FCEDIT or EDITOR if not given\n"
               "  -l\tlist them\n"
               "  -n\twithout numbers\n"
               "  -r\tnewest first\n"
               "  -s\trun COMMAND again at once, each PAT in it replaced by REP\n"
               "\n"
               "Exit Status:\n"
               "That of what was run; one if there is no such command.",
};
