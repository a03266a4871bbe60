/* tool_search.c -- the tools `grep` and `glob`
 *
 * Both run a command in the sandbox, so that they see what bash there sees, and read its output
 * as it comes: whatever it prints, only what is shown is kept. grep runs rg where there is one.
 */
#include "agent/tool.h"

#include "base/utf8.h"
#include "text/glob.h"
#include "vfs/vfs.h"

enum {
    TOOL_SEEK_ERROR = 1000,     /* bytes of stderr that are kept */
    TOOL_SEEK_NAMES = 16 << 20, /* bytes of the names of files that glob sorts */
    TOOL_SEEK_PROBE_S = 10      /* seconds for asking whether there is rg */
};

/* The output of a command in pieces: cut at `end` into lines or names. */
struct tool_seek {
    struct call *call;
    char end;
    struct buf piece, errors;
    size_t pieces; /* seen in all */
    size_t limit;  /* bytes of one piece that are kept */
    bool cut;      /* the present piece is longer */
    void (*fn)(struct tool_seek *s, struct str piece, bool cut);
    /* glob */
    const struct glob_prog *pattern;
    bool whole;       /* the pattern is for the path below base, not for the name alone */
    struct str base;  /* as it was given to find */
    struct buf names; /* those that fit, each with a NUL behind */
    size_t found;
};

static void tool_seek_init(struct tool_seek *s, struct call *c, char end, size_t limit,
                           void (*fn)(struct tool_seek *s, struct str piece, bool cut))
{
    *s = (struct tool_seek){.call = c, .end = end, .limit = limit, .fn = fn};
    buf_init(&s->piece, c->arena.heap);
    buf_init(&s->errors, c->arena.heap);
    buf_init(&s->names, c->arena.heap);
}

static void tool_seek_fini(struct tool_seek *s)
{
    buf_fini(&s->piece);
    buf_fini(&s->errors);
    buf_fini(&s->names);
}

static void tool_seek_flush(struct tool_seek *s)
{
    s->fn(s, buf_get(&s->piece), s->cut);
    s->pieces++;
    s->cut = false;
    buf_clear(&s->piece);
}

static int tool_seek_output(void *ud, int stream, const void *data, size_t len)
{
    struct tool_seek *s = ud;
    struct str in = str_of(data, len);

    if (stream == HOB_STDERR) {
        if (s->errors.n < TOOL_SEEK_ERROR)
            buf_str(&s->errors, str_sub(in, 0, TOOL_SEEK_ERROR - s->errors.n));
        return 0;
    }
    while (in.n > 0) {
        ptrdiff_t at = str_chr(in, s->end);
        struct str part = at < 0 ? in : str_sub(in, 0, (size_t)at);
        size_t room = s->limit - MIN(s->limit, s->piece.n);
        s->cut = s->cut || part.n > room;
        buf_str(&s->piece, str_sub(part, 0, room));
        if (at >= 0)
            tool_seek_flush(s);
        in = at < 0 ? STR_NONE : str_from(in, (size_t)at + 1);
    }
    return 0;
}

/* Runs the command. Its status, or an error. */
static int tool_seek_exec(struct tool_seek *s, struct str script, struct hob_error *err)
{
    struct call *c = s->call;
    hob_exec_options o = HOB_EXEC_OPTIONS_INIT;
    hob_result res;

    if (c->arena.heap->oom)
        return error_set(err, HOB_ENOMEM, "%s", error_text(HOB_ENOMEM));
    o.script_len = script.n;
    o.output = tool_seek_output;
    o.output_ud = s;
    int r = loop_exec(c->harness->loop, c->turn->box, script.p, &o, &c->cancel, &res, err);
    int status = res.status;
    hob_result_free(&res);
    if (r == 0 && s->piece.n)
        tool_seek_flush(s);
    return r < 0 ? r : status;
}

/* ---- grep
 * -------------------------------------------------------------------------------------- */

static bool tool_seek_has_rg(struct call *c)
{
    struct hob_harness *h = c->harness;
    hob_exec_options o = HOB_EXEC_OPTIONS_INIT;
    hob_result res;

    if (h->rg)
        return h->rg > 0;
    o.timeout_ns = (int64_t)TOOL_SEEK_PROBE_S * 1000000000;
    int r = loop_exec(h->loop, c->turn->box, "command -v rg >/dev/null && rg --version", &o,
                      &c->cancel, &res, NULL);
    bool has = r == 0 && res.status == 0 && res.out_len > 0;
    hob_result_free(&res);
    if (r == 0)
        h->rg = has ? 1 : -1;
    return has;
}

/* \d is known to rg but not to grep -E. */
static void tool_seek_digits(struct buf *b, struct str pattern)
{
    bool bracket = false;
    for (size_t i = 0; i < pattern.n; i++) {
        char c = pattern.p[i], next = i + 1 < pattern.n ? pattern.p[i + 1] : '\0';
        if (c == '\\' && next == 'd') {
            buf_addz(b, bracket ? "0-9" : "[0-9]");
            i++;
        } else if (c == '\\' && next && !bracket) {
            buf_putc(b, c);
            buf_putc(b, next);
            i++;
        } else {
            if (c == '[' && !bracket) {
                bracket = true;
                /* A ] that comes first belongs to the set. */
                buf_putc(b, c);
                if (next == '^')
                    buf_putc(b, pattern.p[++i]);
                if (i + 1 < pattern.n && pattern.p[i + 1] == ']')
                    buf_putc(b, pattern.p[++i]);
                continue;
            }
            bracket = bracket && c != ']';
            buf_putc(b, c);
        }
    }
}

static void tool_seek_grep_command(struct call *c, struct buf *b)
{
    struct str pattern = tool_text(c, "pattern"), include = tool_text(c, "include"),
               path = tool_text(c, "path");
    bool literal = tool_flag(c, "literal");
    struct buf text;

    buf_init(&text, b->heap);
    if (tool_seek_has_rg(c)) {
        buf_addz(b, "rg --line-number --with-filename --no-heading --color=never --no-config "
                    "--no-ignore --hidden --sort=path");
        buf_addz(b, literal ? " --fixed-strings" : "");
        if (include.n)
            buf_addz(b, " --glob="), tool_quote(b, include);
        buf_str(&text, pattern);
    } else {
        buf_addz(b, literal ? "grep -rnHI -F" : "grep -rnHI -E");
        if (include.n)
            buf_addz(b, " --include="), tool_quote(b, include);
        if (literal)
            buf_str(&text, pattern);
        else
            tool_seek_digits(&text, pattern);
    }
    buf_addz(b, " -- ");
    tool_quote(b, buf_get(&text));
    buf_putc(b, ' ');
    tool_quote(b, path.n ? path : STR("."));
    buf_fini(&text);
}

static void tool_seek_grep_line(struct tool_seek *s, struct str line, bool cut)
{
    if (s->pieces >= TOOL_MATCHES)
        return;
    size_t n = utf8_offset(line, TOOL_COLUMNS);
    if (str_starts(line, STR("./"))) {
        line = str_from(line, 2);
        n = utf8_offset(line, TOOL_COLUMNS);
    }
    if (s->pieces)
        buf_putc(&s->call->out, '\n');
    buf_str(&s->call->out, str_sub(line, 0, n));
    if (cut || n < line.n)
        buf_addz(&s->call->out, "...");
}

static int tool_seek_grep_run(struct call *c, struct hob_error *err)
{
    struct tool_seek s;
    struct buf script;

    if (tool_text(c, "pattern").n == 0)
        return error_set(err, HOB_EINVAL, "the pattern is empty");
    buf_init(&script, c->arena.heap);
    tool_seek_grep_command(c, &script);
    tool_seek_init(&s, c, '\n', 4 * TOOL_COLUMNS + 8, tool_seek_grep_line);
    int r = tool_seek_exec(&s, buf_get(&script), err);
    struct str errors = str_trim(buf_get(&s.errors));
    if (r > 1 && s.pieces == 0)
        r = error_set(err, HOB_EINVAL, "grep failed: %.*s",
                      STR_ARG(errors.n ? str_sub(errors, 0, 200) : STR("no reason was given")));
    else if (r >= 0 && s.pieces == 0)
        buf_addz(&c->out, "No matches");
    if (r >= 0 && s.pieces > TOOL_MATCHES)
        buf_printf(&c->out, "\n\n[The first %d of %zu matching lines. Narrow the search.]",
                   TOOL_MATCHES, s.pieces);
    if (r > 1 && errors.n)
        buf_printf(&c->out, "\n\n[%.*s]", STR_ARG(str_sub(errors, 0, 300)));
    buf_printf(&c->details, "\"matches\":%zu", s.pieces);
    tool_seek_fini(&s);
    buf_fini(&script);
    return r < 0 ? r : 0;
}

const struct tool tool_grep = {
    .name = STR_INIT("grep"),
    .description = STR_INIT("Search the contents of files for a regular expression, through all "
                            "folders below path. Gives "
                            "file:line:text, at most 100 lines of 500 characters."),
    .schema = STR_INIT(
        "{\"type\":\"object\",\"properties\":{"
        "\"pattern\":{\"type\":\"string\",\"description\":\"An extended regular expression\"},"
        "\"path\":{\"type\":\"string\",\"description\":\"A file or folder; default is the working "
        "directory\"},"
        "\"include\":{\"type\":\"string\",\"description\":\"Only files whose name matches, such as "
        "*.c\"},"
        "\"literal\":{\"type\":\"boolean\",\"description\":\"The pattern is plain text\"}},"
        "\"required\":[\"pattern\"],\"additionalProperties\":false}"),
    .run = tool_seek_grep_run,
};

/* ---- glob
 * -------------------------------------------------------------------------------------- */

/* Whether the brace at p is closed again, with a comma between. */
static bool tool_seek_brace(struct str s, size_t p)
{
    int depth = 0;
    bool comma = false;
    for (; p < s.n; p++) {
        if (s.p[p] == '\\')
            p++;
        else if (s.p[p] == '{')
            depth++;
        else if (s.p[p] == ',')
            comma = comma || depth == 1;
        else if (s.p[p] == '}' && --depth == 0)
            return comma;
    }
    return false;
}

/* The pattern as bash's extended ones: ** becomes any number of folders, {a,b} a choice. */
static void tool_seek_translate(struct buf *b, struct str s)
{
    size_t braces = 0;
    for (size_t i = 0; i < s.n; i++) {
        char c = s.p[i];
        struct str rest = str_from(s, i);
        if (c == '\\' && i + 1 < s.n) {
            buf_putc(b, c);
            buf_putc(b, s.p[++i]);
        } else if (str_starts(rest, STR("**/"))) {
            buf_addz(b, "*(*/)");
            i += 2;
        } else if (str_starts(rest, STR("**"))) {
            buf_addz(b, "*(*/)*");
            i += 1;
        } else if (c == '{' && tool_seek_brace(s, i)) {
            buf_addz(b, "@(");
            braces++;
        } else if (braces && (c == '}' || c == ',')) {
            buf_putc(b, c == ',' ? '|' : ')');
            braces -= c == '}';
        } else if (c == '(' || c == ')' || c == '|') {
            buf_putc(b, '\\');
            buf_putc(b, c);
        } else {
            buf_putc(b, c);
        }
    }
}

static void tool_seek_glob_name(struct tool_seek *s, struct str name, bool cut)
{
    struct str below = name;

    if (cut)
        return;
    if (str_starts(below, s->base))
        below = str_from(below, s->base.n);
    while (below.n && below.p[0] == '/')
        below = str_from(below, 1);
    if (!glob_match(s->pattern, s->whole ? below : path_base(name)))
        return;
    s->found++;
    if (str_starts(name, STR("./")))
        name = str_from(name, 2);
    if (s->names.n + name.n < TOOL_SEEK_NAMES) {
        buf_str(&s->names, name);
        buf_putc(&s->names, '\0');
    }
}

static int tool_seek_by_name(const void *a, const void *b, void *ud)
{
    (void)ud;
    return str_cmp(*(const struct str *)a, *(const struct str *)b);
}

/* The names that were found, in order. */
static int tool_seek_glob_show(struct tool_seek *s)
{
    struct call *c = s->call;
    struct strs all = {0};
    struct str rest = buf_get(&s->names);
    int r = 0;

    while (rest.n > 0 && r == 0) {
        ptrdiff_t end = str_chr(rest, '\0');
        if (end < 0)
            break; /* memory ran out within the last name */
        r = vec_push(c->arena.heap, &all, str_sub(rest, 0, (size_t)end)) ? 0 : HOB_ENOMEM;
        rest = str_from(rest, (size_t)end + 1);
    }
    if (r == 0 && all.n)
        r = sort_stable(c->arena.heap, all.p, all.n, sizeof *all.p, tool_seek_by_name, NULL);
    for (size_t i = 0; r == 0 && i < MIN(all.n, (size_t)TOOL_FILES); i++) {
        if (i)
            buf_putc(&c->out, '\n');
        buf_str(&c->out, all.p[i]);
    }
    if (s->found > TOOL_FILES)
        buf_printf(&c->out, "\n\n[The first %d of %zu files. Narrow the pattern.]", TOOL_FILES,
                   s->found);
    if (all.p)
        vec_fini(c->arena.heap, &all);
    if (s->found == 0)
        buf_addz(&c->out, "No files found");
    return r;
}

/* Folders at the head of the pattern that are plain names need not be searched for: they join the
 * path. What is left of the pattern. */
static struct str tool_seek_glob_base(struct call *c, struct str pattern, struct str *base)
{
    struct buf b;
    size_t at = 0;

    for (size_t i = 0; i < pattern.n && !strchr("*?[{\\", pattern.p[i] ? pattern.p[i] : 'x'); i++)
        at = pattern.p[i] == '/' ? i + 1 : at;
    buf_init(&b, c->arena.heap);
    if (at == 0 || pattern.p[0] != '/') {
        buf_str(&b, *base);
        if (at && b.n && b.p[b.n - 1] != '/')
            buf_putc(&b, '/');
    }
    buf_str(&b, str_sub(pattern, 0, at > 1 ? at - 1 : at));
    *base = arena_str(&c->arena, buf_get(&b));
    buf_fini(&b);
    return str_from(pattern, at);
}

static int tool_seek_glob_run(struct call *c, struct hob_error *err)
{
    struct str pattern = tool_text(c, "pattern"), base = tool_text(c, "path");
    struct tool_seek s;
    struct buf script, text;

    if (pattern.n == 0)
        return error_set(err, HOB_EINVAL, "the pattern is empty");
    if (str_starts(pattern, STR("./")))
        pattern = str_from(pattern, 2);
    base = base.n ? base : STR(".");
    bool whole = str_chr(pattern, '/') >= 0 || str_find(pattern, STR("**")) >= 0;
    pattern = tool_seek_glob_base(c, pattern, &base);
    buf_init(&text, c->arena.heap);
    buf_init(&script, c->arena.heap);
    tool_seek_init(&s, c, '\0', 8192, tool_seek_glob_name);
    tool_seek_translate(&text, pattern);
    s.pattern = glob_compile(&c->arena, buf_get(&text), GLOB_EXT | GLOB_PATH);
    s.whole = whole;
    s.base = base;
    buf_addz(&script, "find ");
    if (base.n && base.p[0] == '-')
        buf_addz(&script, "./");
    tool_quote(&script, base);
    buf_addz(&script, " -type f -print0");
    int r = s.pattern && base.p ? tool_seek_exec(&s, buf_get(&script), err)
                                : error_set(err, HOB_ENOMEM, "%s", error_text(HOB_ENOMEM));
    struct str errors = str_trim(buf_get(&s.errors));
    if (r > 0 && s.pieces == 0 && errors.n)
        r = error_set(err, HOB_ENOENT, "%.*s", STR_ARG(str_sub(errors, 0, 200)));
    if (r >= 0)
        r = tool_seek_glob_show(&s);
    buf_printf(&c->details, "\"files\":%zu", s.found);
    tool_seek_fini(&s);
    buf_fini(&script);
    buf_fini(&text);
    return r < 0 ? r : 0;
}

const struct tool tool_glob = {
    .name = STR_INIT("glob"),
    .description = STR_INIT(
        "Find files by name, through all folders below path: *.c, src/**/*.{ts,tsx}. A pattern "
        "without a slash is for the name alone. At most 1000 paths, sorted."),
    .schema = STR_INIT(
        "{\"type\":\"object\",\"properties\":{"
        "\"pattern\":{\"type\":\"string\",\"description\":\"* and ? stop at a slash, ** does not; "
        "[a-z] and {a,b} are choices\"},"
        "\"path\":{\"type\":\"string\",\"description\":\"The folder; default is the working "
        "directory\"}},"
        "\"required\":[\"pattern\"],\"additionalProperties\":false}"),
    .run = tool_seek_glob_run,
};
