/* jq.c -- run a program over JSON values */
#include "commands/jq/jq.h"

#include "base/error.h"
#include "base/utf8.h"

enum {
    JQ_USAGE = 2,
    JQ_COMPILE = 3,
    JQ_FAILED = 5
};

struct jq_options {
    bool null_input, raw_input, slurp, compact, raw, join, raw0, ascii, sort, color, mono, tab;
    bool seq, stream, stream_errors, exit_status, from_file, unbuffered, help, version, config;
    int64_t indent;
    struct str arg; /* what the rows with an argument have in common: jq_argument() reads it */
};

/* The rows give the flags and the help; options with two arguments are read by hand, because the
 * common parser knows one. */
static const struct opt jq_opts[] = {
    OPT_FLAG('n', "null-input", struct jq_options, null_input, "the input is null, once"),
    OPT_FLAG('R', "raw-input", struct jq_options, raw_input, "each line is a string, not JSON"),
    OPT_FLAG('s', "slurp", struct jq_options, slurp, "all inputs as one array (or string)"),
    OPT_FLAG('c', "compact-output", struct jq_options, compact, "each output on one line"),
    OPT_FLAG('r', "raw-output", struct jq_options, raw, "strings as they are, without quotes"),
    OPT_FLAG(0, "raw-output0", struct jq_options, raw0, "the same, with NUL behind each output"),
    OPT_FLAG('j', "join-output", struct jq_options, join, "as -r, with nothing behind each output"),
    OPT_FLAG('a', "ascii-output", struct jq_options, ascii, "escape what is not ASCII"),
    OPT_FLAG('S', "sort-keys", struct jq_options, sort, "sort the keys of objects"),
    OPT_FLAG('C', "color-output", struct jq_options, color, "write in colours ($JQ_COLORS)"),
    OPT_FLAG('M', "monochrome-output", struct jq_options, mono, "write without colours"),
    OPT_FLAG(0, "tab", struct jq_options, tab, "indent by tabs"),
    OPT_INTEGER(0, "indent", struct jq_options, indent, "N", "indent by N blanks, at most 7"),
    OPT_FLAG(0, "unbuffered", struct jq_options, unbuffered, "write each output at once"),
    OPT_FLAG(0, "stream", struct jq_options, stream, "read values as a stream of paths and leaves"),
    OPT_FLAG(0, "stream-errors", struct jq_options, stream_errors,
             "the same, with mistakes in the input as values"),
    OPT_FLAG(0, "seq", struct jq_options, seq, "texts are parted by the record separator"),
    OPT_FLAG('f', "from-file", struct jq_options, from_file, "the filter is the name of a file"),
    OPT_STRING('L', "library-path", struct jq_options, arg, "DIR", "look for modules in DIR"),
    OPT_FLAG('e', "exit-status", struct jq_options, exit_status,
             "exit with 1 if the last output is false or null, 4 if there is none"),
    OPT_STRING(0, "arg", struct jq_options, arg, "NAME VALUE", "set $NAME to the string VALUE"),
    OPT_STRING(0, "argjson", struct jq_options, arg, "NAME TEXT", "set $NAME to JSON"),
    OPT_STRING(0, "slurpfile", struct jq_options, arg, "NAME FILE",
               "set $NAME to an array of the values in FILE"),
    OPT_STRING(0, "rawfile", struct jq_options, arg, "NAME FILE",
               "set $NAME to the contents of FILE"),
    OPT_STRING(0, "args", struct jq_options, arg, "",
               "what follows are strings for $ARGS.positional"),
    OPT_STRING(0, "jsonargs", struct jq_options, arg, "",
               "what follows is JSON for $ARGS.positional"),
    OPT_FLAG(0, "build-configuration", struct jq_options, config, "say how jq was built"),
    OPT_FLAG('h', NULL, struct jq_options, help, "same as --help"),
    OPT_FLAG('V', NULL, struct jq_options, version, "same as --version"),
    OPT_END,
};

struct jq_main {
    struct jq j;
    struct jq_options o;
    struct jq_input input;
    struct strs files;
    struct str program;
    struct out out;
    struct jq_writer writer;
    int positional; /* 0: files, 1: --args, 2: --jsonargs */
    bool has_program, done;
    int last; /* -1: no output yet, 0: false or null, 1: something else */
};

/* ---- options --------------------------------------------------------------------------------- */

static int jq_complain(struct jq_main *m, const char *text, struct str what)
{
    proc_printf_err(m->j.p,
                    "jq: %s%.*s\nUse jq --help for help with command-line options,\n"
                    "or see the jq manpage, or online docs  at https://jqlang.github.io/jq\n",
                    text, STR_ARG(what));
    return JQ_USAGE;
}

/* One of several values under a name; the first one counts. */
static void jq_name(struct jq_main *m, struct str name, struct jq_val v)
{
    struct jq_string *key = jq_intern(&m->j, name);
    if (key && !jq_object_get(m->j.named.obj, key)) {
        jq_put(&m->j, &m->j.named, key, v);
        return;
    }
    jq_drop(&m->j, v);
    jq_drop(&m->j, jq_of_string(key));
}

/* All values of a text as an array; JQ_NONE with what is wrong in *message. */
static struct jq_val jq_values(struct jq *j, struct str text, struct jq_val *message)
{
    struct jq_reader r;
    struct jq_val out = jq_array(j, 1), v;
    int n;

    *message = jq_none();
    jq_reader_init(&r, j, NULL, text);
    while ((n = jq_reader_next(&r, &v)) == 1)
        jq_push(j, &out, v);
    if (n < 0) {
        *message = v;
        jq_drop(j, out);
        out = jq_none();
    }
    jq_reader_fini(&r);
    return out;
}

static int jq_file_argument(struct jq_main *m, struct str option, struct str name, struct str path,
                            bool raw)
{
    struct in in;
    struct str text;
    struct jq_val v = jq_none(), message = jq_none();
    int e = in_open_quiet(&in, m->j.p, path);

    if (e == 0) {
        e = in_all(&in, &text);
        in_fini(&in);
    }
    if (e < 0) {
        proc_printf_err(m->j.p, "jq: Bad JSON in --%.*s %.*s %.*s: Could not open %.*s: %s\n",
                        STR_ARG(option), STR_ARG(name), STR_ARG(path), STR_ARG(path),
                        error_text(e));
        return JQ_USAGE;
    }
    v = raw ? jq_string_checked(&m->j, text) : jq_values(&m->j, text, &message);
    if (message.kind) {
        proc_printf_err(m->j.p, "jq: Bad JSON in --%.*s %.*s %.*s: %s\n", STR_ARG(option),
                        STR_ARG(name), STR_ARG(path), jq_text(message).p);
        jq_drop(&m->j, message);
        return JQ_USAGE;
    }
    jq_name(m, name, v);
    return 0;
}

/* --arg and its like: *i stands on the option. 0, or an exit status. */
static int jq_argument(struct jq_main *m, struct str option, int *i)
{
    struct proc *p = m->j.p;
    bool json = str_eqz(option, "argjson");
    static const char *const samples[] = {"varname value", "varname text", "varname filename"};
    const char *sample = samples[str_eqz(option, "arg") ? 0 : json ? 1 : 2];

    if (*i + 2 >= p->argc)
        return jq_complain(m, "",
                           arena_printf(p->arena,
                                        "--%.*s takes two parameters (e.g. --%.*s "
                                        "%s)",
                                        STR_ARG(option), STR_ARG(option), sample));
    struct str name = p->argv[*i + 1], value = p->argv[*i + 2];
    *i += 2;
    if (str_eqz(option, "arg")) {
        jq_name(m, name, jq_string_checked(&m->j, value));
        return 0;
    }
    if (!json)
        return jq_file_argument(m, option, name, value, option.p[0] == 'r');
    struct jq_val message, v = jq_parse_text(&m->j, value, &message);
    bool bad = v.kind == JQ_NONE;
    jq_drop(&m->j, message);
    if (bad)
        return jq_complain(m, "invalid JSON text passed to --argjson", STR(""));
    jq_name(m, name, v);
    return 0;
}

static int jq_indent(struct jq_main *m, int *i)
{
    struct proc *p = m->j.p;
    int64_t n = 0;

    if (*i + 1 >= p->argc)
        return jq_complain(m, "--indent takes one parameter", STR(""));
    struct str s = p->argv[++*i];
    bool minus = s.n && s.p[0] == '-';
    for (size_t k = minus; k < s.n && ascii_digit((unsigned char)s.p[k]) && n < 1000; k++)
        n = n * 10 + (s.p[k] - '0');
    n = minus ? -n : n;
    if (n < -1 || n > 7)
        return jq_complain(m,
                           n < -1 ? "--indent takes a number between -1 and 7"
                                  : "--indent takes a number between -1 and 7",
                           STR(""));
    m->o.tab = n == -1;
    m->o.indent = n;
    m->o.compact = n == 0;
    return 0;
}

static bool *jq_flag(struct jq_main *m, const struct opt *o)
{
    return (bool *)((char *)&m->o + o->offset);
}

static int jq_short_options(struct jq_main *m, struct str letters, int *i);

static int jq_long_option(struct jq_main *m, struct str name, int *i)
{
    static const char *const doubles[] = {"arg", "argjson", "slurpfile", "rawfile"};

    for (size_t k = 0; k < COUNT(doubles); k++)
        if (str_eqz(name, doubles[k]))
            return jq_argument(m, name, i);
    if (str_eqz(name, "args") || str_eqz(name, "jsonargs")) {
        m->positional = name.p[0] == 'a' ? 1 : 2;
        return 0;
    }
    if (str_eqz(name, "indent"))
        return jq_indent(m, i);
    if (str_eqz(name, "help") || str_eqz(name, "version"))
        return jq_short_options(m, str_sub(name.p[0] == 'h' ? name : STR("V"), 0, 1), i);
    if (str_eqz(name, "library-path")) {
        if (*i + 1 >= m->j.p->argc)
            return jq_complain(m, "-L takes a parameter: (e.g. -L /search/path or -L/search/path)",
                               STR(""));
        proc_push(m->j.p, &m->j.search, m->j.p->argv[++*i]);
        return 0;
    }
    for (const struct opt *o = jq_opts; o->kind != OPT_KIND_END; o++)
        if (o->kind == OPT_KIND_FLAG && o->name && str_eqz(name, o->name)) {
            *jq_flag(m, o) = true;
            if (str_eqz(name, "tab"))
                m->o.indent = -1;
            return 0;
        }
    return jq_complain(m, "Unknown option --", name);
}

static int jq_short_options(struct jq_main *m, struct str letters, int *i)
{
    for (size_t k = 0; k < letters.n; k++) {
        const struct opt *o = jq_opts;
        if (letters.p[k] == 'L') {
            if (k + 1 < letters.n)
                proc_push(m->j.p, &m->j.search, str_from(letters, k + 1));
            else
                return jq_long_option(m, STR("library-path"), i);
            return 0;
        }
        while (o->kind != OPT_KIND_END && (o->kind != OPT_KIND_FLAG || o->letter != letters.p[k]))
            o++;
        if (o->kind == OPT_KIND_END)
            return jq_complain(m, "Unknown option -", letters);
        *jq_flag(m, o) = true;
    }
    return 0;
}

static int jq_positional(struct jq_main *m, struct str word)
{
    if (!m->has_program) {
        m->has_program = true;
        m->program = word;
        return 0;
    }
    if (m->positional == 0)
        return proc_push(m->j.p, &m->files, word) ? 0 : HOB_ENOMEM;
    if (m->positional == 1) {
        jq_push(&m->j, &m->j.positional, jq_string_checked(&m->j, word));
        return 0;
    }
    struct jq_val message, v = jq_parse_text(&m->j, word, &message);
    jq_drop(&m->j, message);
    if (v.kind == JQ_NONE)
        return jq_complain(m, "invalid JSON text passed to --jsonargs", STR(""));
    jq_push(&m->j, &m->j.positional, v);
    return 0;
}

/* All words. 0, an exit status, or an error. */
static int jq_words(struct jq_main *m)
{
    struct proc *p = m->j.p;
    bool ended = false;

    for (int i = 0; i < p->argc; i++) {
        struct str w = p->argv[i];
        int e;
        if (ended || w.n < 2 || w.p[0] != '-' ||
            (w.p[1] != '-' && !ascii_alpha((unsigned char)w.p[1]))) {
            e = jq_positional(m, w);
        } else if (str_eqz(w, "--")) {
            ended = true;
            e = 0;
        } else if (w.p[1] == '-') {
            e = jq_long_option(m, str_from(w, 2), &i);
        } else {
            e = jq_short_options(m, str_from(w, 1), &i);
        }
        if (e != 0)
            return e;
    }
    return 0;
}

/* ---- colours --------------------------------------------------------------------------------- */

void jq_colors(struct jq *j)
{
    static const char *const standard[] = {"\x1b[0;90m", "\x1b[0;39m", "\x1b[0;39m", "\x1b[0;39m",
                                           "\x1b[0;32m", "\x1b[1;39m", "\x1b[1;39m", "\x1b[1;34m"};
    struct jq_style *s = &j->style;
    struct str env;

    for (int i = 0; i < 8; i++)
        s->colors[i] = standard[i];
    if (!proc_getenv(j->p, STR("JQ_COLORS"), &env))
        return;
    for (size_t i = 0; i < env.n; i++)
        if (!ascii_digit((unsigned char)env.p[i]) && env.p[i] != ';' && env.p[i] != ':') {
            proc_printf_err(j->p, "Failed to set $JQ_COLORS\n");
            return;
        }
    for (int i = 0; i < 8 && env.p; i++) {
        ptrdiff_t colon = str_chr(env, ':');
        struct str one = str_sub(env, 0, colon < 0 ? env.n : (size_t)colon);
        if (one.n > 12)
            break;
        s->custom[i][0] = '\x1b';
        s->custom[i][1] = '[';
        memcpy(s->custom[i] + 2, one.p, one.n);
        memcpy(s->custom[i] + 2 + one.n, "m", 2);
        s->colors[i] = s->custom[i];
        if (colon < 0)
            break;
        env = str_from(env, (size_t)colon + 1);
    }
}

/* ---- the environment of the program ---------------------------------------------------------- */

static int jq_env_add(void *ud, struct str name, struct str value)
{
    struct jq *j = ud;
    jq_put(j, &j->env, jq_intern_string(j, jq_string_checked(j, name)),
           jq_string_checked(j, value));
    return 0;
}

struct jq_val jq_environment(struct jq *j)
{
    if (j->env.kind == JQ_NONE) {
        j->env = jq_object(j, 32);
        if (j->p->env && j->env.kind)
            j->p->env->each(j->p->env_ctx, jq_env_add, j);
    }
    return j->env;
}

/* ---- running --------------------------------------------------------------------------------- */

static void jq_report(struct jq_main *m, struct jq_val error)
{
    struct jq *j = &m->j;
    struct buf b;

    buf_init(&b, j->heap);
    buf_addz(&b, "jq: error (at ");
    if (m->input.name.p)
        buf_printf(&b, "%.*s:%zu)", STR_ARG(m->input.name), jq_input_line(&m->input));
    else
        buf_addz(&b, "<unknown>)");
    if (error.kind == JQ_STRING) {
        buf_addz(&b, ": ");
        buf_str(&b, jq_text(error));
    } else {
        buf_addz(&b, " (not a string): ");
        jq_dump(j, &b, error);
    }
    buf_putc(&b, '\n');
    out_flush(&m->out);
    proc_puts(j->p, 2, buf_get(&b));
    buf_fini(&b);
    jq_drop(j, error);
}

/* One output. False: it could not be written as it was asked for. */
static bool jq_output(struct jq_main *m, struct jq_val v)
{
    struct jq_writer *w = &m->writer;
    bool raw = (m->o.raw || m->o.join || m->o.raw0) && v.kind == JQ_STRING;

    m->last = jq_truth(v);
    if (m->o.seq)
        buf_putc(&w->b, '\036');
    if (raw && m->o.raw0 && memchr(v.str->data, '\0', v.str->n)) {
        jq_report(m, jq_string(&m->j, STR("Cannot dump a string containing NUL with --raw-output0 "
                                          "option")));
        return false;
    }
    if (raw && m->o.ascii)
        jq_write_string(&w->b, jq_text(v), true);
    else if (raw)
        buf_str(&w->b, jq_text(v));
    else
        jq_write(w, v);
    if (m->o.raw0)
        buf_putc(&w->b, '\0');
    else if (!m->o.join)
        buf_putc(&w->b, '\n');
    if (w->b.n > 8192 || m->out.line) {
        out_str(&m->out, buf_get(&w->b));
        buf_clear(&w->b);
    }
    return true;
}

/* The program over one input. The exit status that it asks for: 0, or JQ_FAILED. */
static int jq_process(struct jq_main *m, struct jq_val input)
{
    struct jq *j = &m->j;
    struct jq_val v;
    int n, status = 0;

    jq_start(j, input);
    while ((n = jq_next(j, &v)) == 1 && status == 0) {
        if (!jq_output(m, v))
            status = JQ_FAILED;
        jq_drop(j, v);
        if (m->out.err || jq_end(j) < 0)
            return status;
    }
    out_str(&m->out, buf_get(&m->writer.b));
    buf_clear(&m->writer.b);
    if (n < 0 && j->raised) {
        struct jq_val error = j->error;
        j->raised = false;
        j->error = jq_none();
        jq_report(m, error);
        status = JQ_FAILED;
    }
    return status;
}

static int jq_loop(struct jq_main *m)
{
    struct jq *j = &m->j;
    int status = 0, n = 0;
    struct jq_val v;

    if (m->o.null_input)
        return jq_process(m, jq_null());
    while (!j->halted && !j->fatal && !m->out.err && (n = jq_input_next(&m->input, &v)) != 0) {
        if (n == 1) {
            status = jq_process(m, v);
            continue;
        }
        if (n < -1) {
            j->fatal = j->heap->oom ? HOB_ENOMEM : j->fatal ? j->fatal : HOB_EKILLED;
            break;
        }
        out_flush(&m->out);
        proc_printf_err(j->p, "jq: %s: %s\n", m->o.seq ? "ignoring parse error" : "parse error",
                        jq_text(v).p);
        jq_drop(j, v);
        if (!m->o.seq)
            return JQ_FAILED;
    }
    return status;
}

/* What $ARGS and the names of options stand for. */
void jq_give_arguments(struct jq *j)
{
    struct jq_val args = jq_object(j, 2);

    jq_putz(j, &args, "positional", jq_copy(j->positional));
    jq_putz(j, &args, "named", jq_copy(j->named));
    jq_putz(j, &j->named, "ARGS", args);
}

static int jq_prepare(struct jq_main *m)
{
    struct jq *j = &m->j;
    struct str text = m->has_program ? m->program : STR(".");

    if (m->o.from_file) {
        struct in in;
        int e = in_open_quiet(&in, j->p, text);
        struct str path = text;
        if (e == 0) {
            e = in_all(&in, &text);
            in_fini(&in);
        }
        if (e < 0) {
            proc_printf_err(j->p, "jq: error: Could not open %.*s: %s\n", STR_ARG(path),
                            error_text(e));
            return JQ_USAGE;
        }
    }
    jq_give_arguments(j);
    j->unit = jq_parse(j, text, "<top-level>", false);
    int e = j->unit ? jq_compile(j, j->unit) : -1;
    if (jq_end(j) < 0)
        return HOB_ENOMEM;
    if (e < 0) {
        proc_printf_err(j->p, "jq: %d compile error%s\n", MAX(j->errors, 1),
                        j->errors > 1 ? "s" : "");
        return JQ_COMPILE;
    }
    m->input.files = m->files.p;
    m->input.nfiles = m->files.n;
    m->input.raw = m->o.raw_input;
    m->input.slurp = m->o.slurp;
    m->input.stream = m->o.stream || m->o.stream_errors;
    m->input.stream_errors = m->o.stream_errors;
    m->input.seq = m->o.seq;
    j->style.indent = m->o.tab ? -1 : (int)m->o.indent;
    j->style.compact = m->o.compact;
    j->style.sort = m->o.sort;
    j->style.ascii = m->o.ascii;
    j->style.color = m->o.color && !m->o.mono;
    if (j->style.color)
        jq_colors(j);
    m->writer.style = &j->style;
    m->writer.out = &m->out;
    m->out.line |= m->o.unbuffered;
    return 0;
}

void jq_fini(struct jq *j)
{
    jq_reset(j);
    jq_regex_fini(j);
    jq_drop(j, j->error);
    jq_drop(j, j->named);
    jq_drop(j, j->env);
    jq_drop(j, j->positional);
    while (j->nconsts)
        jq_drop(j, j->consts[--j->nconsts]);
    heap_free(j->heap, j->consts, j->capconsts * sizeof *j->consts);
    vec_fini(j->heap, &j->code);
    vec_fini(j->heap, &j->data);
    vec_fini(j->heap, &j->frames);
    vec_fini(j->heap, &j->forks);
    if (j->interned)
        heap_free(j->heap, j->interned, (j->interned_mask + 1) * sizeof *j->interned);
    buf_fini(&j->last_words);
    arena_fini(&j->arena);
}

/* The exit status, from that of the last input. */
static int jq_status(struct jq_main *m, int status)
{
    struct jq *j = &m->j;

    if (jq_end(j) < 0)
        return j->fatal;
    if (j->halted) {
        out_flush(&m->out);
        proc_puts(j->p, 2, buf_get(&j->last_words));
        return j->status;
    }
    if (m->input.failed)
        return JQ_USAGE;
    if (status == 0 && m->o.exit_status)
        return m->last < 0 ? 4 : m->last == 0 ? 1 : 0;
    return status;
}

static int jq_run(struct proc *p, void *args)
{
    struct jq_main *m = arena_new(p->arena, struct jq_main);
    int status;

    (void)args;
    if (!m)
        return HOB_ENOMEM;
    m->j.p = p;
    m->j.heap = &p->kernel->heap;
    m->j.name = "jq";
    m->j.input = &m->input;
    m->input.j = m->writer.j = &m->j;
    m->o.indent = 2;
    m->last = -1;
    arena_init(&m->j.arena, m->j.heap);
    buf_init(&m->writer.b, m->j.heap);
    buf_init(&m->input.line, m->j.heap);
    buf_init(&m->j.last_words, m->j.heap);
    out_init(&m->out, p, 1);
    m->j.named = jq_object(&m->j, 4);
    m->j.positional = jq_array(&m->j, 0);
    status = m->j.heap->oom ? HOB_ENOMEM : jq_words(m);
    if (status == 0 && (m->o.help || m->o.version || m->o.config)) {
        struct buf b;
        buf_init(&b, m->j.heap);
        if (m->o.help)
            command_help(&b, p->command);
        else
            buf_addz(&b, m->o.version ? "jq-1.7.1\n" : "hob\n");
        out_str(&m->out, buf_get(&b));
        buf_fini(&b);
    } else if (status == 0) {
        status = jq_prepare(m);
        if (status == 0)
            status = jq_status(m, jq_loop(m));
    }
    jq_input_fini(&m->input);
    buf_fini(&m->writer.b);
    jq_fini(&m->j);
    return command_close(p, &m->out, status);
}

const struct command cmd_jq = {
    .name = "jq",
    .usage = "[OPTION]... FILTER [FILE]...\n[OPTION]... --args FILTER [STRING]...\n"
             "[OPTION]... --jsonargs FILTER [JSON]...",
    .summary = "Run FILTER on each JSON value of the FILEs, and write what it gives.",
    .notes = "With no FILE, or when FILE is -, read standard input. The filter . writes its input\n"
             "as it is.",
    .opts = jq_opts,
    .args_size = sizeof(struct jq_options),
    .flags = CMD_NO_OPTIONS | CMD_NO_HELP,
    .usage_status = JQ_USAGE,
    .run = jq_run,
};
