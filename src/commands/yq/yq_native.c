/* yq_native.c -- functions that yq adds to those of jq */
#include "base/error.h"
#include "commands/yq/yq.h"

static struct yq *yq_of(struct jq *j) { return (struct yq *)j; }

/* ---- formats as strings ---------------------------------------------------------------------- */

static struct jq_val yq_encode(struct jq *j, struct jq_val v, enum yq_format format)
{
    struct buf b;

    buf_init(&b, j->heap);
    bool ok = yq_format_value(yq_of(j), &b, v, format);
    jq_drop(j, v);
    if (!ok) {
        buf_fini(&b);
        return jq_none();
    }
    return jq_string_buf(j, &b);
}

static struct jq_val yq_decode(struct jq *j, struct jq_val v, enum yq_format format)
{
    struct yq *m = yq_of(j);

    if (v.kind != JQ_STRING)
        return jq_fail1(j, v, "cannot be parsed: it is not a string");
    struct jq_val out = yq_parse(m, format, jq_text(v));
    if (out.kind == JQ_NONE && m->wrong.p)
        jq_fail(j, "%.*s", STR_ARG(m->wrong));
    jq_drop(j, v);
    return out;
}

#define YQ_CODEC(name, format)                                                                     \
    static struct jq_val yq_n_to_##name(struct jq *j, struct jq_val *in)                           \
    {                                                                                              \
        return yq_encode(j, in[0], format);                                                        \
    }                                                                                              \
    static struct jq_val yq_n_from_##name(struct jq *j, struct jq_val *in)                         \
    {                                                                                              \
        return yq_decode(j, in[0], format);                                                        \
    }
YQ_CODEC(yaml, YQ_YAML)
YQ_CODEC(toml, YQ_TOML)
YQ_CODEC(xml, YQ_XML)
YQ_CODEC(csv, YQ_CSV)
YQ_CODEC(tsv, YQ_TSV)
YQ_CODEC(props, YQ_PROPS)
YQ_CODEC(ini, YQ_INI)
#undef YQ_CODEC

static struct jq_val yq_n_from_json(struct jq *j, struct jq_val *in)
{
    return yq_decode(j, in[0], YQ_JSON);
}

/* to_json(indent): 0 is one line; a newline is at the end in any case. */
static struct jq_val yq_n_to_json(struct jq *j, struct jq_val *in)
{
    struct jq_style style = {.indent = 2};
    struct jq_writer w = {.j = j, .style = &style};

    if (in[1].kind != JQ_NUMBER || jq_double(in[1]) < 0 || jq_double(in[1]) > 16) {
        jq_drop(j, in[0]);
        return jq_fail1(j, in[1], "is no indentation");
    }
    style.indent = (int)jq_double(in[1]);
    style.compact = style.indent == 0;
    buf_init(&w.b, j->heap);
    jq_write(&w, in[0]);
    buf_putc(&w.b, '\n');
    jq_drop(j, in[0]);
    jq_drop(j, in[1]);
    return jq_string_buf(j, &w.b);
}

/* ---- files ----------------------------------------------------------------------------------- */

static struct jq_val yq_read_file(struct jq *j, struct jq_val *in, bool raw)
{
    struct yq *m = yq_of(j);
    struct jq_val out = jq_none();
    struct buf text;
    int error;

    jq_drop(j, in[0]);
    if (in[1].kind != JQ_STRING)
        return jq_fail1(j, in[1], "is not the name of a file");
    buf_init(&text, j->heap);
    m->wrong = STR_NONE;
    struct str path = jq_text(in[1]);
    if (!yq_load(m, path, &text, NULL, &error))
        jq_fail(j, "cannot load %.*s: %s", STR_ARG(path), error_text(error));
    else if (raw)
        out = jq_string_checked(j, buf_get(&text));
    else
        out = yq_parse(m, yq_format_of_path(path), buf_get(&text));
    if (out.kind == JQ_NONE && m->wrong.p)
        jq_fail(j, "cannot load %.*s: %.*s", STR_ARG(path), STR_ARG(m->wrong));
    buf_fini(&text);
    jq_drop(j, in[1]);
    return out;
}

static struct jq_val yq_n_load(struct jq *j, struct jq_val *in)
{
    return yq_read_file(j, in, false);
}

static struct jq_val yq_n_load_str(struct jq *j, struct jq_val *in)
{
    return yq_read_file(j, in, true);
}

static struct jq_val yq_n_file_index(struct jq *j, struct jq_val *in)
{
    jq_drop(j, in[0]);
    return jq_number(j->input->at ? (double)j->input->at - 1 : 0);
}

static struct jq_val yq_n_document_index(struct jq *j, struct jq_val *in)
{
    struct yq *m = yq_of(j);

    jq_drop(j, in[0]);
    return jq_number(m->doc_index ? (double)m->doc_index - 1 : 0);
}

/* ---- the rest -------------------------------------------------------------------------------- */

static struct jq_val yq_n_explode(struct jq *j, struct jq_val *in)
{
    yq_of(j)->expand = true;
    jq_drop(j, in[1]);
    return in[0];
}

static struct jq_val yq_n_tag(struct jq *j, struct jq_val *in)
{
    static const char *const tags[] = {"",        "!!null", "!!bool", "!!bool",
                                       "!!float", "!!str",  "!!seq",  "!!map"};
    const char *tag = tags[in[0].kind];
    double d = in[0].kind == JQ_NUMBER ? jq_double(in[0]) : 0.5;

    if (d >= -9007199254740992.0 && d <= 9007199254740992.0 && d == (double)(int64_t)d)
        tag = "!!int";
    jq_drop(j, in[0]);
    return jq_string(j, str_z(tag));
}

/* The value of a variable that must be there; in[1] is its name, in[2] whether it is a string. */
static struct jq_val yq_n_variable(struct jq *j, struct jq_val *in)
{
    struct jq_val env = jq_environment(j), *v = NULL;
    struct jq_string *key = jq_intern_string(j, in[1]);
    bool text = in[2].kind == JQ_TRUE;

    jq_drop(j, in[0]);
    if (!key || env.kind != JQ_OBJECT) {
        jq_drop(j, jq_of_string(key));
        return jq_none();
    }
    v = jq_object_get(env.obj, key);
    struct jq_val out =
        v ? jq_copy(*v) : jq_fail(j, "the variable %s of env() or strenv() is not set", key->data);
    jq_drop(j, jq_of_string(key));
    return out.kind && !text ? yq_decode(j, out, YQ_YAML) : out;
}

const struct jq_native yq_natives[] = {
    {"to_yaml", 0, yq_n_to_yaml},
    {"from_yaml", 0, yq_n_from_yaml},
    {"to_toml", 0, yq_n_to_toml},
    {"from_toml", 0, yq_n_from_toml},
    {"to_xml", 0, yq_n_to_xml},
    {"from_xml", 0, yq_n_from_xml},
    {"to_csv", 0, yq_n_to_csv},
    {"from_csv", 0, yq_n_from_csv},
    {"to_tsv", 0, yq_n_to_tsv},
    {"from_tsv", 0, yq_n_from_tsv},
    {"to_props", 0, yq_n_to_props},
    {"from_props", 0, yq_n_from_props},
    {"to_ini", 0, yq_n_to_ini},
    {"from_ini", 0, yq_n_from_ini},
    {"to_json", 1, yq_n_to_json},
    {"from_json", 0, yq_n_from_json},
    {"load", 1, yq_n_load},
    {"load_str", 1, yq_n_load_str},
    {"file_index", 0, yq_n_file_index},
    {"document_index", 0, yq_n_document_index},
    {"explode", 1, yq_n_explode},
    {"tag", 0, yq_n_tag},
    {"_variable", 2, yq_n_variable},
    {NULL, 0, NULL},
};

const char yq_defs[] =
    "def to_json: to_json(2); def filename: input_filename; def fileIndex: file_index;"
    "def fi: file_index; def documentIndex: document_index; def di: document_index;"
    "def upcase: ascii_upcase; def downcase: ascii_downcase; def with(p; f): p |= f;"
    "def filter(f): map(select(f));"
    "def _sort_one: if type == \"object\" then to_entries | sort_by(.key) | from_entries else . "
    "end;"
    "def sort_keys(p): reduce ([path(p)] | reverse)[] as $p (.;"
    " setpath($p; getpath($p) | _sort_one));";

/* ---- env(NAME) ------------------------------------------------------------------------------- */

static struct jq_ast *yq_constant(struct jq *j, struct jq_val v)
{
    struct jq_ast *a = arena_new(&j->arena, struct jq_ast);

    v = jq_keep(j, v);
    if (!a || v.kind == JQ_NONE)
        return NULL;
    a->op = JQA_CONST;
    a->k = v;
    return a;
}

/* env(NAME) has a word where jq has a filter: it becomes _variable("NAME"; false). */
static void yq_rewrite_call(struct jq *j, struct jq_ast *a)
{
    bool text = str_eqz(a->str, "strenv");
    struct jq_ast *name = a->list.n == 1 ? a->list.p[0] : NULL;

    if ((!text && !str_eqz(a->str, "env")) || !name || name->op != JQA_CALL || name->list.n)
        return;
    struct jq_ast **list = arena_array(&j->arena, struct jq_ast *, 2);
    struct jq_ast *one = yq_constant(j, jq_string_checked(j, name->str));
    struct jq_ast *two = yq_constant(j, jq_bool(text));
    if (!list || !one || !two)
        return;
    list[0] = one;
    list[1] = two;
    a->str = STR("_variable");
    a->list = (struct jq_list){list, 2, 2};
}

static void yq_rewrite_ast(struct jq *j, struct jq_ast *a);

static void yq_rewrite_pattern(struct jq *j, struct jq_pattern *p)
{
    for (uint32_t i = 0; p && i < p->n && !task_stack_low(j->p->task); i++) {
        if (p->keys)
            yq_rewrite_ast(j, p->keys[i]);
        if (p->sub)
            yq_rewrite_pattern(j, p->sub[i]);
    }
}

static void yq_rewrite_ast(struct jq *j, struct jq_ast *a)
{
    if (!a || task_stack_low(j->p->task))
        return; /* what is too deep is refused when it is compiled */
    if (a->op == JQA_CALL)
        yq_rewrite_call(j, a);
    yq_rewrite_ast(j, a->a);
    yq_rewrite_ast(j, a->b);
    yq_rewrite_ast(j, a->c);
    yq_rewrite_ast(j, a->d);
    for (uint32_t i = 0; i < a->list.n; i++)
        yq_rewrite_ast(j, a->list.p[i]);
    for (uint32_t i = 0; i < a->npats; i++)
        yq_rewrite_pattern(j, a->pats[i]);
    if (a->def)
        yq_rewrite_ast(j, a->def->body);
}

void yq_rewrite(struct jq *j, struct jq_unit *u)
{
    for (uint32_t i = 0; i < u->defs.n; i++)
        yq_rewrite_ast(j, u->defs.p[i]);
    yq_rewrite_ast(j, u->main);
}
