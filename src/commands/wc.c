/* wc.c -- count lines, words, characters and bytes
 *
 * Blocks of plain ASCII text are counted with loops of a fixed length, which compilers turn into
 * vector instructions; everything else goes character by character.
 */
#include "shell/command.h"

#include "base/utf8.h"
#include "commands/lib/queue.h"

enum {
    WC_BLOCK = 64
};

struct wc {
    bool bytes, chars, lines, longest, words;
    struct str files0;
};

static const struct opt wc_opts[] = {
    OPT_FLAG('c', "bytes", struct wc, bytes, "show how many bytes there are"),
    OPT_FLAG('m', "chars", struct wc, chars, "show how many characters there are"),
    OPT_FLAG('l', "lines", struct wc, lines, "show how many newlines there are"),
    OPT_STRING(0, "files0-from", struct wc, files0, "F",
               "read the NUL-terminated names of the input files from F; - is standard input"),
    OPT_FLAG('L', "max-line-length", struct wc, longest, "show the width of the widest line"),
    OPT_FLAG('w', "words", struct wc, words, "show how many words there are"),
    OPT_END,
};

struct wc_counts {
    uint64_t lines, words, chars, bytes, longest;
};

struct wc_state {
    struct wc_counts n;
    uint64_t column;
    bool in_word;
    char part[4]; /* a character that a window has cut */
    int nparts;
};

/* Counts 64 bytes if all are printable ASCII or white space; false: they are not. */
static bool wc_block(struct wc_state *s, const char *p)
{
    unsigned char space[WC_BLOCK], odd = 0, lines = 0, starts = 0;

    for (int i = 0; i < WC_BLOCK; i++) {
        unsigned char c = (unsigned char)p[i];
        space[i] = (unsigned char)((c == ' ') | ((unsigned char)(c - 9) < 5));
        odd |= (unsigned char)(!space[i] & ((unsigned char)(c - 32) >= 95));
        lines = (unsigned char)(lines + (c == '\n'));
    }
    if (odd)
        return false;
    for (int i = 1; i < WC_BLOCK; i++)
        starts = (unsigned char)(starts + (space[i] & !space[i - 1]));
    /* A word is counted where it ends. */
    s->n.words += starts + (uint64_t)(space[0] & s->in_word);
    s->in_word = !space[WC_BLOCK - 1];
    s->n.lines += lines;
    s->n.chars += WC_BLOCK;
    return true;
}

static void wc_line_end(struct wc_state *s)
{
    s->n.longest = MAX(s->n.longest, s->column);
    s->column = 0;
}

static bool wc_nbspace(uint32_t c)
{
    return c == 0xA0 || c == 0x2007 || c == 0x202F || c == 0x2060;
}

static void wc_char(struct wc_state *s, uint32_t c)
{
    bool separates = true;

    s->n.chars++;
    switch (c) {
    case '\n': s->n.lines++; FALLTHROUGH;
    case '\r':
    case '\f': wc_line_end(s); break;
    case '\t': s->column += 8 - s->column % 8; break;
    case ' ': s->column++; break;
    case '\v': break;
    default:
        if (!utf8_is_print(c))
            return;
        s->column += (uint64_t)MAX(utf8_width(c), 0);
        separates = utf8_is_space(c) || wc_nbspace(c);
    }
    if (separates)
        s->n.words += s->in_word;
    s->in_word = !separates;
}

/* Whether n bytes may be the begin of a character that goes on behind them. */
static bool wc_partial(const char *p, size_t n)
{
    unsigned char c = (unsigned char)p[0];
    size_t want = c >= 0xF0 && c < 0xF5 ? 4 : c >= 0xE0 ? 3 : c >= 0xC2 ? 2 : 1;
    char probe[4] = {0};

    if (n >= want || c >= 0xF5)
        return false;
    memcpy(probe, p, n);
    if (n == 1 && (c == 0xE0 || c == 0xF0))
        probe[1] = (char)0xA0;
    for (size_t i = MAX(n, (size_t)1); i < want; i++)
        probe[i] = probe[i] ? probe[i] : (char)0x80;
    int len;
    return utf8_decode(probe, want, &len) != UTF8_BAD;
}

static void wc_text(struct wc_state *s, const char *p, size_t n, bool blocks)
{
    const char *end = p + n;
    int len;

    while (s->nparts && p < end) {
        /* The rest of a character whose begin was in the window before. */
        s->part[s->nparts++] = *p++;
        uint32_t c = utf8_decode(s->part, (size_t)s->nparts, &len);
        if (c != UTF8_BAD) {
            wc_char(s, c);
            s->nparts = 0;
        } else if (!wc_partial(s->part, (size_t)s->nparts)) {
            p -= s->nparts > 1;
            s->nparts = 0;
        }
    }
    while (p < end) {
        if (blocks && end - p >= WC_BLOCK && wc_block(s, p)) {
            p += WC_BLOCK;
            continue;
        }
        const char *stop = end - p >= WC_BLOCK ? p + WC_BLOCK : end;
        while (p < stop) {
            uint32_t c = utf8_decode(p, (size_t)(end - p), &len);
            if (c != UTF8_BAD) {
                wc_char(s, c);
            } else if (wc_partial(p, (size_t)(end - p))) {
                s->nparts = (int)(end - p);
                memcpy(s->part, p, (size_t)(end - p));
                return;
            }
            p += len;
        }
    }
}

/* The size of a regular file tells its bytes. False: it must be read. */
static bool wc_size(struct in *in, uint64_t *n)
{
    struct stat_info st;
    if (!in->file || file_stat(in->file, &st) < 0 || !MODE_IS_FILE(st.mode) || st.size == 0 ||
        !(in->file->flags & FILE_SEEKABLE))
        return false;
    *n = st.size > in->file->off ? st.size - in->file->off : 0;
    in->file->off = MAX(in->file->off, st.size);
    return true;
}

static int wc_read(const struct wc *o, struct in *in, struct wc_counts *n)
{
    struct wc_state s = {0};
    bool text = o->words || o->longest || o->chars;

    if (!text && !o->lines && wc_size(in, &n->bytes))
        return 0;
    while (in_fill(in)) {
        size_t len = (size_t)(in->end - in->p);
        s.n.bytes += len;
        if (text)
            wc_text(&s, in->p, len, !o->longest);
        else if (o->lines)
            s.n.lines += count_byte(in->p, len, '\n');
        in->p = in->end;
    }
    s.n.words += s.in_word;
    wc_line_end(&s);
    *n = s.n;
    return in->err;
}

static void wc_print(struct out *out, const struct wc *o, const struct wc_counts *n, int width,
                     struct str name)
{
    const uint64_t values[] = {n->lines, n->words, n->chars, n->bytes, n->longest};
    const bool shown[] = {o->lines, o->words, o->chars, o->bytes, o->longest};
    const char *gap = "";

    for (size_t i = 0; i < COUNT(values); i++) {
        if (!shown[i])
            continue;
        out_printf(out, "%s%*llu", gap, width, (unsigned long long)values[i]);
        gap = " ";
    }
    if (name.p) {
        out_putc(out, ' ');
        out_str(out, name);
    }
    out_putc(out, '\n');
}

/* Wide enough for the sum of the sizes; 7 when a size is not known before reading. */
static int wc_width(struct proc *p, const struct wc *o, const struct str *names, size_t n)
{
    int shown = o->lines + o->words + o->chars + o->bytes + o->longest, width = 1, least = 1;
    uint64_t total = 0;

    if (n == 1 && shown == 1)
        return 1;
    for (size_t i = 0; i < n; i++) {
        struct stat_info st;
        bool std = str_eqz(names[i], "-");
        struct file *f = std ? proc_file(p, 0) : NULL;
        if ((std ? f ? file_stat(f, &st) : HOB_EBADF : vfs_stat(p, names[i], 0, &st)) < 0)
            continue;
        if (MODE_IS_FILE(st.mode))
            total += st.size;
        else
            least = 7;
    }
    for (; total >= 10; total /= 10)
        width++;
    return MAX(width, least);
}

struct wc_run {
    struct proc *p;
    const struct wc *o;
    struct out out;
    struct wc_counts total;
    int width, status;
};

static void wc_file(struct wc_run *w, struct str name, bool named)
{
    struct wc_counts n = {0};
    struct in in;
    int err = in_open(&in, w->p, name);

    if (err < 0) {
        w->status = 1;
        return;
    }
    err = wc_read(w->o, &in, &n);
    in_fini(&in);
    if (err < 0) {
        proc_warn_file(w->p, name, err);
        w->status = 1;
        if (err == HOB_EKILLED)
            w->out.err = err;
    }
    wc_print(&w->out, w->o, &n, w->width, named ? name : STR_NONE);
    w->total.lines += n.lines;
    w->total.words += n.words;
    w->total.chars += n.chars;
    w->total.bytes += n.bytes;
    w->total.longest = MAX(w->total.longest, n.longest);
}

/* --files0-from: the names, checked as GNU does. */
static int wc_files0(struct wc_run *w, struct strs *names)
{
    struct proc *p = w->p;
    struct in in;
    struct str text;

    if (p->argc > 0) {
        proc_warn(p, "extra operand %s", proc_quoteaf(p, p->argv[0]));
        proc_puts(p, 2, STR("file operands cannot be combined with --files0-from\n"));
        return proc_usage(p);
    }
    int r = in_open_quiet(&in, p, w->o->files0);
    if (r < 0) {
        proc_warn_quoted(p, "cannot open %s for reading", w->o->files0, r);
        return 1;
    }
    r = in_all(&in, &text);
    in_fini(&in);
    if (r < 0) {
        proc_warn(p, "%s: read error", proc_quotef(p, w->o->files0));
        return 1;
    }
    while (text.n) {
        ptrdiff_t nul = str_chr(text, '\0');
        struct str name = str_sub(text, 0, nul < 0 ? text.n : (size_t)nul);
        text = str_from(text, name.n + 1);
        if (!proc_push(p, names, name))
            return HOB_ENOMEM;
    }
    return 0;
}

static void wc_files(struct wc_run *w, const struct str *names, size_t n)
{
    bool listed = w->o->files0.p != NULL, std_list = listed && str_eqz(w->o->files0, "-");
    for (size_t i = 0; i < n && !w->out.err; i++) {
        if (listed && names[i].n == 0) {
            proc_warn(w->p, "%s:%zu: invalid zero-length file name",
                      proc_quotef(w->p, w->o->files0), i + 1);
            w->status = 1;
        } else if (std_list && str_eqz(names[i], "-")) {
            proc_warn(w->p, "when reading file names from stdin, no file name of %s allowed",
                      proc_quoteaf(w->p, names[i]));
            w->status = 1;
        } else {
            wc_file(w, names[i], true);
        }
    }
    if (n > 1)
        wc_print(&w->out, w->o, &w->total, w->width, STR("total"));
}

static int wc_run(struct proc *p, void *args)
{
    struct wc *o = args;
    struct wc_run w = {.p = p, .o = o};
    struct strs names = {0};
    static const struct str only = STR_INIT("-");

    if (!(o->lines || o->words || o->chars || o->bytes || o->longest))
        o->lines = o->words = o->bytes = true;
    out_init(&w.out, p, 1);
    if (o->files0.p) {
        int r = wc_files0(&w, &names);
        if (r == 0) {
            w.width = str_eqz(o->files0, "-") ? 1 : wc_width(p, o, names.p, names.n);
            wc_files(&w, names.p, names.n);
        }
        return command_close(p, &w.out, r ? r : w.status);
    }
    w.width = wc_width(p, o, p->argc ? p->argv : &only, p->argc ? (size_t)p->argc : 1);
    if (p->argc == 0)
        wc_file(&w, only, false);
    else
        wc_files(&w, p->argv, (size_t)p->argc);
    return command_close(p, &w.out, w.status);
}

const struct command cmd_wc = {
    .name = "wc",
    .usage = "[OPTION]... [FILE]...\n[OPTION]... --files0-from=F",
    .summary =
        "Count lines, words and bytes of each FILE, and of all of them when there are several.",
    .notes = "Without FILE, or when FILE is -, standard input is read. A word is a sequence of\n"
             "printable characters between white space. The order of the counts is always: lines,\n"
             "words, characters, bytes, width of the widest line.",
    .opts = wc_opts,
    .args_size = sizeof(struct wc),
    .usage_status = 1,
    .run = wc_run,
};
