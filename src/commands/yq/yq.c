/* yq.c -- jq's language over YAML, TOML, XML, CSV and more, in and out */
#include "commands/yq/yq.h"

#include "base/error.h"
#include "base/random.h"
#include "base/utf8.h"

enum {
    YQ_USAGE = 2, /* wrong options, and files that cannot be read */
    YQ_COMPILE = 3,
    YQ_FAILED = 5
};

/* Other names of an option, which the help does not list. */
#define YQ_ALSO_FLAG(n, f)                                                                         \
    {                                                                                              \
        OPT_KIND_FLAG, OPT_HIDDEN, 0, n, offsetof(struct yq_options, f), 0, NULL, NULL, NULL       \
    }

/* The rows give the options and the help. They are read by hand, because some have two arguments,
 * some are written -o=json, and some are given = false. */
static const struct opt yq_opts[] = {
    OPT_STRING('p', "input-format", struct yq_options, in, "FORMAT",
               "read auto, yaml, json, toml, xml, csv, tsv, props or ini"),
    OPT_STRING('o', "output-format", struct yq_options, out, "FORMAT",
               "write one of these; auto: as a file was read by its name, else yaml"),
    OPT_FLAG('i', "inplace", struct yq_options, in_place, "write each FILE back to its place"),
    YQ_ALSO_FLAG("in-place", in_place),
    OPT_FLAG('n', "null-input", struct yq_options, null_input, "the input is null, once"),
    OPT_FLAG('s', "slurp", struct yq_options, slurp, "all documents as one array"),
    OPT_FLAG('R', "raw-input", struct yq_options, raw_input, "each line is a string"),
    OPT_FLAG('e', "exit-status", struct yq_options, exit_status,
             "exit with 1 if the last output is false or null, 4 if there is none"),
    OPT_FLAG('P', "prettyPrint", struct yq_options, pretty,
             "forget how the input was quoted and laid out"),
    OPT_STRING('I', "indent", struct yq_options, indent, "N",
               "indent by N blanks (2); JSON on one line with 0"),
    OPT_FLAG('r', "unwrapScalar", struct yq_options, raw,
             "strings as they are; on for all but json, -r=false puts quotes"),
    YQ_ALSO_FLAG("raw-output", raw),
    OPT_FLAG('j', "join-output", struct yq_options, join, "as -r, with nothing behind each output"),
    OPT_FLAG('c', "compact-output", struct yq_options, compact,
             "JSON, each output on one line, unless -o says otherwise"),
    OPT_FLAG(0, "tab", struct yq_options, tab, "indent JSON by tabs"),
    OPT_FLAG('a', "ascii-output", struct yq_options, ascii, "escape what is not ASCII in JSON"),
    OPT_FLAG('S', "sort-keys", struct yq_options, sort, "sort the keys of mappings"),
    OPT_FLAG('N', "no-doc", struct yq_options, no_doc, "no --- between documents"),
    OPT_FLAG('C', "colors", struct yq_options, color, "write in colours"),
    YQ_ALSO_FLAG("color-output", color),
    OPT_FLAG('M', "no-colors", struct yq_options, mono, "write without colours"),
    YQ_ALSO_FLAG("monochrome-output", mono),
    OPT_STRING('f', "front-matter", struct yq_options, front_matter, "HOW",
               "extract: work on the YAML in front of a text; process: and copy the text"),
    OPT_STRING(0, "from-file", struct yq_options, from_file, "FILE",
               "the filter is in FILE (-f too, if it is not one of these words)"),
    OPT_STRING(0, "expression", struct yq_options, expression, "FILTER",
               "the filter, so that all operands are files"),
    OPT_STRING('L', "library-path", struct yq_options, library, "DIR", "look for modules in DIR"),
    OPT_STRING(0, "xml-attribute-prefix", struct yq_options, attribute, "TEXT",
               "what the keys of attributes begin with (+@)"),
    OPT_STRING(0, "xml-content-name", struct yq_options, content, "TEXT",
               "the key of the text of an element that has attributes (+content)"),
    OPT_STRING(0, "csv-separator", struct yq_options, separator, "C", "instead of the comma"),
    OPT_FLAG(0, "csv-auto-parse", struct yq_options, ignored,
             "numbers and booleans in CSV are read as such; =false: as strings"),
    OPT_FLAG(0, "header-preprocess", struct yq_options, ignored,
             "accepted: comments at the head of YAML are kept in any case"),
    OPT_STRING(0, "arg", struct yq_options, ignored, "NAME VALUE", "set $NAME to the string VALUE"),
    OPT_STRING(0, "argjson", struct yq_options, ignored, "NAME TEXT", "set $NAME to JSON"),
    OPT_STRING(0, "slurpfile", struct yq_options, ignored, "NAME FILE",
               "set $NAME to an array of the values in FILE, in the format of its name"),
    OPT_STRING(0, "rawfile", struct yq_options, ignored, "NAME FILE",
               "set $NAME to the contents of FILE"),
    OPT_STRING(0, "args", struct yq_options, ignored, "",
               "what follows are strings for $ARGS.positional"),
    OPT_STRING(0, "jsonargs", struct yq_options, ignored, "",
               "what follows is JSON for $ARGS.positional"),
    {OPT_KIND_FLAG, OPT_HIDDEN, 'y', "yaml-output", offsetof(struct yq_options, yaml_output), 0,
     NULL, NULL, NULL},
    OPT_FLAG('h', NULL, struct yq_options, help, "same as --help"),
    OPT_FLAG('V', NULL, struct yq_options, version, "same as --version"),
    OPT_END,
};

/* ---- options --------------------------------------------------------------------------------- */

static int yq_complain(struct yq *m, const char *text, struct str what)
{
    proc_warn(m->j.p, "%s%.*s", text, STR_ARG(what));
    return proc_usage(m->j.p);
}

/* One of several values under a name; the first one counts. Takes over v. */
static void yq_name(struct yq *m, struct str name, struct jq_val v)
{
    struct jq_string *key = jq_intern(&m->j, name);

    if (key && v.kind && !jq_object_get(m->j.named.obj, key)) {
        jq_put(&m->j, &m->j.named, key, v);
        return;
    }
    jq_drop(&m->j, v);
    jq_drop(&m->j, jq_of_string(key));
}

static int yq_bad_text(struct yq *m, struct str name)
{
    if (m->j.heap->oom)
        return HOB_ENOMEM;
    proc_warn(m->j.p, "%.*s: %.*s", STR_ARG(name), STR_ARG(m->wrong.p ? m->wrong : STR("")));
    return YQ_USAGE;
}

/* All documents of a file as an array, or its text. */
static int yq_file_argument(struct yq *m, struct str name, struct str path, bool raw)
{
    struct jq_val all = jq_none(), v;
    struct buf text;
    int e = 0, error;

    buf_init(&text, m->j.heap);
    if (!yq_load(m, path, &text, NULL, &error)) {
        buf_fini(&text);
        if (error == HOB_ENOMEM || error == HOB_EKILLED)
            return error;
        proc_warn_file(m->j.p, path, error);
        return YQ_USAGE;
    }
    if (raw) {
        all = jq_string_checked(&m->j, buf_get(&text));
    } else {
        all = jq_array(&m->j, 1);
        v = yq_parse(m, yq_format_of_path(path), buf_get(&text));
        if (!jq_push(&m->j, &all, v))
            e = yq_bad_text(m, path);
    }
    buf_fini(&text);
    yq_name(m, name, all);
    return e;
}

/* --arg and its like: *i stands on the option. 0, or an exit status. */
static int yq_argument(struct yq *m, struct str option, int *i)
{
    struct proc *p = m->j.p;

    if (*i + 2 >= p->argc)
        return yq_complain(m, "two words are expected behind --", option);
    struct str name = p->argv[*i + 1], value = p->argv[*i + 2];
    *i += 2;
    if (str_eqz(option, "arg")) {
        yq_name(m, name, jq_string_checked(&m->j, value));
        return 0;
    }
    if (!str_eqz(option, "argjson"))
        return yq_file_argument(m, name, value, option.p[0] == 'r');
    struct jq_val v = yq_parse(m, YQ_JSON, value);
    if (v.kind == JQ_NONE)
        return yq_bad_text(m, STR("--argjson"));
    yq_name(m, name, v);
    return 0;
}

/* Sets a flag; value is what stood behind =, or .p == NULL. */
static int yq_set_flag(struct yq *m, const struct opt *o, struct str value)
{
    bool on = !value.p || str_eqz(value, "true") || str_eqz(value, "1");

    if (value.p && !on && !str_eqz(value, "false") && !str_eqz(value, "0"))
        return yq_complain(m, "true or false is expected, and not ", value);
    if (o->name && str_eqz(str_z(o->name), "csv-auto-parse")) {
        m->o.text_off = !on;
        return 0;
    }
    if (o->name && str_eqz(str_z(o->name), "header-preprocess"))
        return 0;
    *(bool *)((char *)&m->o + o->offset) = on;
    if (o->offset == offsetof(struct yq_options, raw))
        m->o.unwrap_off = !on;
    return 0;
}

/* Sets an option that has an argument. */
static int yq_set_string(struct yq *m, const struct opt *o, struct str value)
{
    if (o->offset == offsetof(struct yq_options, library))
        return proc_push(m->j.p, &m->j.search, value) ? 0 : HOB_ENOMEM;
    if (o->letter == 'f' && !str_eqz(value, "extract") && !str_eqz(value, "process")) {
        m->o.from_file = value;
        return 0;
    }
    if ((o->letter == 'p' || o->letter == 'o') && yq_format_of(value) == YQ_AUTO &&
        !str_eqz(value, "auto") && !str_eqz(value, "a"))
        return yq_complain(m, "unknown format ", value);
    *(struct str *)((char *)&m->o + o->offset) = value;
    return 0;
}

static int yq_long_option(struct yq *m, struct str word, int *i)
{
    static const char *const doubles[] = {"arg", "argjson", "slurpfile", "rawfile"};
    struct proc *p = m->j.p;
    ptrdiff_t eq = str_chr(word, '=');
    struct str name = eq < 0 ? word : str_sub(word, 0, (size_t)eq);
    struct str value = eq < 0 ? STR_NONE : str_from(word, (size_t)eq + 1);

    for (size_t k = 0; k < COUNT(doubles); k++)
        if (str_eqz(name, doubles[k]))
            return yq_argument(m, name, i);
    if (str_eqz(name, "args") || str_eqz(name, "jsonargs")) {
        m->positional = name.p[0] == 'a' ? 1 : 2;
        return 0;
    }
    if (str_eqz(name, "help") || str_eqz(name, "version")) {
        *(name.p[0] == 'h' ? &m->o.help : &m->o.version) = true;
        return 0;
    }
    for (const struct opt *o = yq_opts; o->kind != OPT_KIND_END; o++) {
        if (!o->name || !str_eqz(name, o->name))
            continue;
        if (o->kind == OPT_KIND_FLAG)
            return yq_set_flag(m, o, value);
        if (!value.p && *i + 1 >= p->argc)
            return yq_complain(m, "a word is expected behind --", name);
        return yq_set_string(m, o, value.p ? value : p->argv[++*i]);
    }
    return yq_complain(m, "unknown option --", name);
}

/* A cluster: -Pi, -o json, -ojson, -o=json, -r=false. */
static int yq_short_options(struct yq *m, struct str letters, int *i)
{
    struct proc *p = m->j.p;

    for (size_t k = 0; k < letters.n; k++) {
        const struct opt *o = yq_opts;
        struct str rest = str_from(letters, k + 1);
        while (o->kind != OPT_KIND_END && o->letter != letters.p[k])
            o++;
        if (o->kind == OPT_KIND_END)
            return yq_complain(m, "unknown option -", str_sub(letters, k, 1));
        bool assigned = rest.n && rest.p[0] == '=';
        if (assigned)
            rest = str_from(rest, 1);
        if (o->kind != OPT_KIND_FLAG) {
            if (!rest.n && !assigned) {
                if (*i + 1 >= p->argc)
                    return yq_complain(m, "a word is expected behind -", str_sub(letters, k, 1));
                rest = p->argv[++*i];
            }
            return yq_set_string(m, o, rest);
        }
        int e = yq_set_flag(m, o, assigned ? rest : STR_NONE);
        if (e || assigned)
            return e;
    }
    return 0;
}

/* Whether the first operand is the name of a file rather than a filter. */
static bool yq_is_file(struct yq *m, struct str word)
{
    struct stat_info st;

    return word.n && vfs_stat(m->j.p, word, 0, &st) == 0 && !MODE_IS_DIR(st.mode);
}

static int yq_operand(struct yq *m, struct str word)
{
    static const char *const verbs[] = {"eval", "e", "eval-all", "ea"};

    for (size_t k = 0; k < COUNT(verbs); k++)
        if (!m->has_program && !m->files.n && str_eqz(word, verbs[k])) {
            m->o.slurp |= k >= 2;
            return 0;
        }
    if (!m->o.expression.p && !m->o.from_file.p && !m->files.n && !str_eqz(word, "-") &&
        !yq_is_file(m, word)) {
        m->has_program = true;
        m->o.expression = word;
        return 0;
    }
    if (m->positional == 0)
        return proc_push(m->j.p, &m->files, word) ? 0 : HOB_ENOMEM;
    struct jq_val v =
        m->positional == 1 ? jq_string_checked(&m->j, word) : yq_parse(m, YQ_JSON, word);
    if (v.kind == JQ_NONE)
        return yq_bad_text(m, STR("--jsonargs"));
    jq_push(&m->j, &m->j.positional, v);
    return 0;
}

/* All words. 0, an exit status, or an error. Operands are looked at when the options are known. */
static int yq_words(struct yq *m)
{
    struct proc *p = m->j.p;
    struct strs operands = {0};
    bool ended = false;
    int e = 0;

    for (int i = 0; i < p->argc && e == 0; i++) {
        struct str w = p->argv[i];
        if (ended || w.n < 2 || w.p[0] != '-' ||
            (w.p[1] != '-' && !ascii_alpha((unsigned char)w.p[1])))
            e = m->positional ? yq_operand(m, w) : proc_push(p, &operands, w) ? 0 : HOB_ENOMEM;
        else if (str_eqz(w, "--"))
            ended = true;
        else if (w.p[1] == '-')
            e = yq_long_option(m, str_from(w, 2), &i);
        else
            e = yq_short_options(m, str_from(w, 1), &i);
        if (e == 0 && m->positional && operands.n && !m->has_program) {
            /* --args: what came before it is the filter and the files. */
            int positional = m->positional;
            m->positional = 0;
            for (size_t k = 0; k < operands.n && e == 0; k++)
                e = yq_operand(m, operands.p[k]);
            operands.n = 0;
            m->positional = positional;
        }
    }
    for (size_t k = 0; k < operands.n && e == 0; k++)
        e = yq_operand(m, operands.p[k]);
    return e;
}

/* ---- running --------------------------------------------------------------------------------- */

static void yq_report(struct yq *m)
{
    struct jq *j = &m->j;
    struct jq_val error = j->error;
    struct buf b;

    j->raised = false;
    j->error = jq_none();
    buf_init(&b, j->heap);
    buf_addz(&b, "yq: error");
    if (m->input.name.p)
        buf_printf(&b, " (at %.*s)", STR_ARG(m->input.name));
    buf_addz(&b, error.kind == JQ_STRING ? ": " : " (not a string): ");
    if (error.kind == JQ_STRING)
        buf_str(&b, jq_text(error));
    else
        jq_dump(j, &b, error);
    buf_putc(&b, '\n');
    out_flush(&m->out);
    proc_puts(j->p, 2, buf_get(&b));
    buf_fini(&b);
    jq_drop(j, error);
}

static void yq_hand_on(struct yq *m)
{
    if (m->o.in_place)
        return;
    out_str(&m->out, buf_get(&m->b));
    buf_clear(&m->b);
}

/* The program over one input. The exit status that it asks for: 0, or YQ_FAILED. */
static int yq_process(struct yq *m, struct jq_val input)
{
    struct jq *j = &m->j;
    struct jq_val v;
    int n;

    jq_start(j, input);
    while ((n = jq_next(j, &v)) == 1) {
        bool ok = yq_output(m, v);
        jq_drop(j, v);
        if (!ok || m->out.err || jq_end(j) < 0)
            break;
    }
    yq_hand_on(m);
    if (j->raised) {
        yq_report(m);
        return YQ_FAILED;
    }
    return 0;
}

/* All inputs of the files at hand. */
static int yq_loop(struct yq *m)
{
    struct jq *j = &m->j;
    int status = 0, n = 0;
    struct jq_val v;

    if (m->o.null_input)
        return yq_process(m, jq_null());
    while (!j->halted && !j->fatal && !m->out.err && status == 0 &&
           (n = jq_input_next(&m->input, &v)) != 0) {
        if (m->o.slurp)
            yaml_doc_fini(&m->doc);
        if (n == 1) {
            status = yq_process(m, v);
            continue;
        }
        if (n < -1) {
            j->fatal = j->heap->oom ? HOB_ENOMEM : j->fatal ? j->fatal : HOB_EKILLED;
            break;
        }
        out_flush(&m->out);
        proc_warn(j->p, "%s", jq_text(v).p);
        jq_drop(j, v);
        return YQ_USAGE;
    }
    if (m->tail.p && status == 0) {
        buf_str(&m->b, m->tail);
        yq_hand_on(m);
    }
    return status;
}

/* ---- in place -------------------------------------------------------------------------------- */

static struct str yq_temp_name(struct yq *m, struct str target)
{
    struct str dir = path_dir(target);

    return arena_printf(m->j.p->arena, "%.*s%s.yq%08x", STR_ARG(dir),
                        dir.n && dir.p[dir.n - 1] != '/' ? "/" : "",
                        (unsigned)random_below(&m->j.p->kernel->random, 0xffffffffu));
}

/* Writes the output to a file beside the target, which then takes its place at once. */
static int yq_replace(struct yq *m, struct str target, uint32_t mode)
{
    struct proc *p = m->j.p;
    struct file *file = NULL;
    struct str temp = STR_NONE;
    struct out out;
    int e = HOB_ENOMEM;

    for (int tries = 0; tries < 100 && (e == HOB_EEXIST || tries == 0); tries++) {
        temp = yq_temp_name(m, target);
        e = temp.p ? vfs_open(p, temp, FILE_WRITE | FILE_CREATE | FILE_EXCL, 0600, &file)
                   : HOB_ENOMEM;
    }
    if (e < 0)
        return e;
    out_init_file(&out, p, file);
    for (struct str rest = buf_get(&m->b); rest.n;) {
        ptrdiff_t nl = m->crlf ? str_chr(rest, '\n') : -1;
        out_str(&out, str_sub(rest, 0, nl < 0 ? rest.n : (size_t)nl));
        if (nl >= 0)
            out_puts(&out, "\r\n");
        rest = str_from(rest, nl < 0 ? rest.n : (size_t)nl + 1);
    }
    e = out_fini(&out);
    file_unref(file);
    if (e == 0)
        e = vfs_chmod(p, temp, mode & 07777);
    if (e == 0)
        e = vfs_rename(p, temp, target);
    if (e < 0)
        vfs_unlink(p, temp);
    return e;
}

static int yq_edit(struct yq *m, struct str name)
{
    struct proc *p = m->j.p;
    struct stat_info st;
    struct buf real;
    int e = vfs_stat(p, name, 0, &st);

    if (e == 0 && !MODE_IS_FILE(st.mode))
        e = MODE_IS_DIR(st.mode) ? HOB_EISDIR : HOB_EINVAL;
    if (e < 0) {
        proc_warn_file(p, name, e);
        return YQ_USAGE;
    }
    yq_input_reset(m);
    m->input.files = &name;
    m->input.nfiles = 1;
    m->docs = m->printed = 0;
    m->expand = false;
    buf_clear(&m->b);
    if (!m->o.out.p)
        m->format =
            m->o.in.p && yq_format_of(m->o.in) ? yq_format_of(m->o.in) : yq_format_of_path(name);
    int status = yq_loop(m);
    if (status || m->j.fatal || m->j.halted || m->input.failed || m->j.heap->oom)
        return status ? status : m->input.failed ? YQ_USAGE : 0;
    buf_init(&real, m->j.heap);
    e = vfs_realpath(p, name, false, &real);
    if (e == 0)
        e = yq_replace(m, buf_get(&real), st.mode);
    buf_fini(&real);
    if (e == HOB_ENOMEM || e == HOB_EKILLED)
        return e;
    if (e < 0) {
        proc_warn_file(p, name, e);
        return YQ_USAGE;
    }
    return 0;
}

/* ---- the start and the end ------------------------------------------------------------------- */

/* The format of the output, when all files have one. */
static void yq_choose_format(struct yq *m)
{
    m->format = m->o.out.p ? yq_format_of(m->o.out) : YQ_AUTO;
    if (m->format == YQ_AUTO && m->o.compact)
        m->format = YQ_JSON;
    if (m->format == YQ_AUTO && !m->o.in.p && !m->o.yaml_output && !m->o.front_matter.p &&
        m->files.n)
        m->format = yq_format_of_path(m->files.p[0]);
    if (m->format == YQ_AUTO)
        m->format = YQ_YAML;
}

static int yq_prepare_style(struct yq *m)
{
    struct jq_style *s = &m->j.style;
    int64_t n = 2;

    if (m->o.indent.p && (str_int(m->o.indent, &n) < 0 || n < 0 || n > 16))
        return yq_complain(m, "the indentation is a number from 0 to 16, and not ", m->o.indent);
    if (m->o.separator.p && m->o.separator.n != 1)
        return yq_complain(m, "the separator is one character, and not ", m->o.separator);
    if (!m->o.attribute.p)
        m->o.attribute = STR("+@");
    if (!m->o.content.p)
        m->o.content = STR("+content");
    m->indent = n < 2 ? 2 : (int)n;
    s->indent = m->o.tab ? -1 : (int)n;
    s->compact = m->o.compact || n == 0;
    s->sort = m->o.sort;
    s->ascii = m->o.ascii;
    s->color = m->o.color && !m->o.mono && !m->o.in_place;
    if (s->color)
        jq_colors(&m->j);
    return 0;
}

static int yq_prepare(struct yq *m)
{
    struct jq *j = &m->j;
    struct str text = m->o.expression.p ? m->o.expression : STR(".");
    int e = yq_prepare_style(m);

    if (e)
        return e;
    if (m->o.from_file.p) {
        if (!yq_load(m, m->o.from_file, &m->text, NULL, &e)) {
            proc_warn_file(j->p, m->o.from_file, e);
            return e == HOB_ENOMEM || e == HOB_EKILLED ? e : YQ_USAGE;
        }
        text = arena_str(&j->arena, buf_get(&m->text));
        if (!text.p)
            return HOB_ENOMEM;
    }
    if (m->o.in_place && (m->files.n == 0 || m->o.null_input))
        return yq_complain(m, "-i needs the names of files", STR(""));
    jq_give_arguments(&m->j);
    yq_choose_format(m);
    j->unit = jq_parse(j, text, "<top-level>", false);
    if (j->unit)
        yq_rewrite(j, j->unit);
    e = j->unit ? jq_compile(j, j->unit) : -1;
    if (jq_end(j) < 0)
        return j->fatal;
    if (e < 0) {
        proc_printf_err(j->p, "yq: %d compile error%s\n", MAX(j->errors, 1),
                        j->errors > 1 ? "s" : "");
        return YQ_COMPILE;
    }
    m->input.files = m->files.p;
    m->input.nfiles = m->files.n;
    m->input.raw = m->o.raw_input;
    m->input.slurp = m->o.slurp;
    return 0;
}

static int yq_status(struct yq *m, int status)
{
    struct jq *j = &m->j;

    if (status < 0)
        return status;
    if (jq_end(j) < 0)
        return j->fatal;
    if (j->halted) {
        out_flush(&m->out);
        proc_puts(j->p, 2, buf_get(&j->last_words));
        return j->status;
    }
    if (m->input.failed)
        return YQ_USAGE;
    if (status == 0 && m->o.exit_status)
        return m->last < 0 ? 4 : m->last == 0 ? 1 : 0;
    return status;
}

static int yq_work(struct yq *m)
{
    int status = yq_prepare(m);

    if (status)
        return status;
    if (!m->o.in_place)
        return yq_status(m, yq_loop(m));
    for (size_t i = 0; i < m->files.n && status == 0 && !m->j.halted && !m->j.fatal; i++)
        status = yq_edit(m, m->files.p[i]);
    return yq_status(m, status);
}

static int yq_run(struct proc *p, void *args)
{
    struct yq *m = arena_new(p->arena, struct yq);
    int status;

    (void)args;
    if (!m)
        return HOB_ENOMEM;
    m->j.p = p;
    m->j.heap = &p->kernel->heap;
    m->j.name = "yq";
    m->j.extra = yq_natives;
    m->j.extra_defs = yq_defs;
    m->j.input = &m->input;
    m->input.j = &m->j;
    m->input.source = yq_source;
    m->last = -1;
    arena_init(&m->j.arena, m->j.heap);
    buf_init(&m->b, m->j.heap);
    buf_init(&m->text, m->j.heap);
    buf_init(&m->input.line, m->j.heap);
    buf_init(&m->j.last_words, m->j.heap);
    out_init(&m->out, p, 1);
    m->j.named = jq_object(&m->j, 4);
    m->j.positional = jq_array(&m->j, 0);
    status = m->j.heap->oom ? HOB_ENOMEM : yq_words(m);
    if (status == 0 && (m->o.help || m->o.version)) {
        if (m->o.help)
            command_help(&m->b, p->command);
        else
            buf_addz(&m->b, "yq (hob) with the language of jq 1.7.1\n");
        out_str(&m->out, buf_get(&m->b));
    } else if (status == 0) {
        status = yq_work(m);
    }
    yq_input_reset(m);
    jq_input_fini(&m->input);
    buf_fini(&m->b);
    buf_fini(&m->text);
    jq_fini(&m->j);
    return command_close(p, &m->out, status);
}

const struct command cmd_yq = {
    .name = "yq",
    .usage = "[OPTION]... [FILTER] [FILE]...\n[OPTION]... eval-all FILTER [FILE]...",
    .summary = "Run FILTER, in jq's language, on each document of the FILEs, and write what it "
               "gives.",
    .notes =
        "With no FILE, or when FILE is -, read standard input. The filter is . when the first\n"
        "operand is a file. Formats go by -p and -o, else by the ends of names, else they are "
        "YAML.\n"
        "eval-all gives the filter all documents as one array.\n"
        "\n"
        "YAML keeps the order of keys, comments, styles, tags, anchors and aliases of what the\n"
        "filter did not change; with -i empty lines and the indentation too. Comments within [ ]\n"
        "and { } are lost, and those of the other formats. A key that is a sequence or a mapping\n"
        "is refused.\n"
        "\n"
        "Besides the functions of jq 1.7.1: to_yaml from_yaml to_json from_json to_toml from_toml\n"
        "to_xml from_xml to_csv from_csv to_tsv from_tsv to_props from_props to_ini from_ini,\n"
        "load(FILE) load_str(FILE), env(NAME) strenv(NAME), filename file_index document_index,\n"
        "explode(f) sort_keys(f) with(path; f) filter(f) tag upcase downcase.",
    .opts = yq_opts,
    .args_size = sizeof(struct yq_options),
    .flags = CMD_NO_OPTIONS | CMD_NO_HELP,
    .usage_status = YQ_USAGE,
    .run = yq_run,
};

#undef YQ_ALSO_FLAG
