/* yq_input.c -- the files of yq, each in its own format, as a row of values */
#include "base/error.h"
#include "commands/yq/yq.h"

static const struct word_row yq_format_words[] = {
    {"auto", YQ_AUTO},   {"a", YQ_AUTO},    {"yaml", YQ_YAML},        {"yml", YQ_YAML},
    {"y", YQ_YAML},      {"json", YQ_JSON}, {"j", YQ_JSON},           {"jsonl", YQ_JSON},
    {"ndjson", YQ_JSON}, {"toml", YQ_TOML}, {"xml", YQ_XML},          {"x", YQ_XML},
    {"csv", YQ_CSV},     {"c", YQ_CSV},     {"tsv", YQ_TSV},          {"t", YQ_TSV},
    {"props", YQ_PROPS}, {"p", YQ_PROPS},   {"properties", YQ_PROPS}, {"ini", YQ_INI},
    {"i", YQ_INI},       {NULL, 0}};

enum yq_format yq_format_of(struct str name)
{
    for (const struct word_row *r = yq_format_words; r->name; r++)
        if (str_eqz(name, r->name))
            return (enum yq_format)r->value;
    return YQ_AUTO;
}

enum yq_format yq_format_of_path(struct str path)
{
    ptrdiff_t dot = str_rchr(path, '.');
    struct str ext = dot < 0 ? STR("") : str_from(path, (size_t)dot + 1);

    /* One letter is a short name of a format, but no extension. */
    enum yq_format f = ext.n > 1 ? yq_format_of(ext) : YQ_AUTO;
    return f == YQ_AUTO ? YQ_YAML : f;
}

struct jq_val yq_wrong(struct yq *m, struct str text, const char *at, const char *what)
{
    size_t line = 1;

    for (const char *q = text.p; q < at; q++)
        line += *q == '\n';
    if (!m->wrong.p)
        m->wrong = arena_printf(m->j.p->arena, "line %zu: %s", line, what);
    return jq_none();
}

struct jq_val yq_guess(struct yq *m, struct str s)
{
    bool string;
    struct jq_val v = jq_none();

    if (s.n == 0 || str_eqz(s, "~"))
        return jq_string(&m->j, s);
    v = yaml_resolve(&m->j, s, &string);
    return string ? jq_string_checked(&m->j, s) : v;
}

/* The contents of a file, with \n at the ends of lines. *crlf, unless NULL: they had \r\n. */
bool yq_load(struct yq *m, struct str path, struct buf *text, bool *crlf, int *error)
{
    struct in in;
    bool found = false;

    buf_clear(text);
    *error = in_open_quiet(&in, m->j.p, path);
    if (*error < 0)
        return false;
    while (in_fill(&in) && !m->j.heap->oom && proc_tick(m->j.p, 16) == 0) {
        buf_add(text, in.p, (size_t)(in.end - in.p));
        in.p = in.end;
    }
    *error = m->j.heap->oom ? HOB_ENOMEM : in.err;
    in_fini(&in);
    if (text->n && memchr(text->p, '\r', text->n)) {
        size_t n = 0;
        for (size_t i = 0; i < text->n; i++) {
            if (text->p[i] == '\r' && i + 1 < text->n && text->p[i + 1] == '\n') {
                found = true;
                continue;
            }
            text->p[n++] = text->p[i] == '\r' ? '\n' : text->p[i];
        }
        buf_cut(text, n);
    }
    if (crlf)
        *crlf = found;
    return *error == 0;
}

/* The YAML between two lines of --- at the start; what follows it is kept or dropped. */
static struct str yq_front_matter(struct yq *m, struct str text)
{
    size_t at = 0;

    m->tail = STR_NONE;
    if (!str_starts(text, STR("---\n")))
        return text;
    for (at = 4; at < text.n;) {
        struct str line = str_from(text, at);
        ptrdiff_t nl = str_chr(line, '\n');
        struct str word = str_sub(line, 0, nl < 0 ? line.n : (size_t)nl);
        if (str_eqz(word, "---") || str_eqz(word, "...")) {
            if (str_eqz(m->o.front_matter, "process"))
                m->tail = line;
            return str_sub(text, 0, at);
        }
        at += nl < 0 ? line.n : (size_t)nl + 1;
    }
    return text;
}

/* Ends the text that is being read. The document that came of it stays. */
static void yq_close(struct yq *m)
{
    if (m->json_open)
        jq_reader_fini(&m->json);
    m->open = m->json_open = m->done = false;
}

void yq_input_reset(struct yq *m)
{
    yq_close(m);
    yaml_doc_fini(&m->doc);
    m->tail = STR_NONE;
    m->input.at = 0;
    m->input.slurped = false;
}

/* The next file. 1, 0 when there is none, < -1. */
static int yq_open(struct yq *m)
{
    struct jq_input *i = &m->input;

    while (i->at < MAX(i->nfiles, (size_t)1)) {
        struct str path = i->nfiles ? i->files[i->at] : STR("-");
        bool crlf;
        int error;
        i->at++;
        yaml_doc_fini(&m->doc); /* it borrows from the text */
        if (!yq_load(m, path, &m->text, &crlf, &error)) {
            if (error == HOB_ENOMEM || error == HOB_EKILLED || m->j.heap->oom)
                return -2;
            out_flush(&m->out);
            proc_warn_file(m->j.p, path, error);
            i->failed++;
            continue;
        }
        m->crlf = crlf;
        i->name = str_eqz(path, "-") ? STR("-") : path;
        m->in = m->o.in.p ? yq_format_of(m->o.in) : YQ_AUTO;
        if (m->in == YQ_AUTO)
            m->in = m->o.front_matter.p ? YQ_YAML : yq_format_of_path(path);
        struct str text = buf_get(&m->text);
        if (m->o.front_matter.p)
            text = yq_front_matter(m, text);
        m->doc_index = 0;
        m->open = true;
        if (m->in == YQ_YAML) {
            yaml_reader_init(&m->yaml, &m->j, text);
        } else if (m->in == YQ_JSON) {
            jq_reader_init(&m->json, &m->j, NULL, text);
            m->json_open = true;
        }
        return 1;
    }
    return 0;
}

struct jq_val yq_parse(struct yq *m, enum yq_format format, struct str text)
{
    struct jq_val v, message;
    struct yaml_doc doc;
    struct yaml_reader *y;
    int n;

    m->wrong = STR_NONE;
    switch (format) {
    case YQ_JSON:
        v = jq_parse_text(&m->j, text, &message);
        if (message.kind)
            m->wrong = arena_str(m->j.p->arena, jq_text(message));
        jq_drop(&m->j, message);
        return v;
    case YQ_TOML: return yq_read_toml(m, text);
    case YQ_XML: return yq_read_xml(m, text);
    case YQ_CSV: return yq_read_csv(m, text, m->o.separator.n ? m->o.separator.p[0] : ',');
    case YQ_TSV: return yq_read_csv(m, text, '\t');
    case YQ_PROPS: return yq_read_props(m, text);
    case YQ_INI: return yq_read_ini(m, text);
    default: break;
    }
    y = arena_new(m->j.p->arena, struct yaml_reader);
    if (!y)
        return jq_none();
    yaml_reader_init(y, &m->j, text);
    n = yaml_reader_next(y, &doc);
    if (n == -1)
        m->wrong = yaml_reader_message(y);
    v = n == 1 ? jq_copy(doc.value) : jq_none();
    yaml_doc_fini(&doc);
    return v;
}

/* One more value of the open text: 1, 0, -1 with m->wrong, -2. */
static int yq_read(struct yq *m, struct jq_val *out)
{
    int n;

    m->wrong = STR_NONE;
    if (m->in == YQ_YAML) {
        yaml_doc_fini(&m->doc);
        n = yaml_reader_next(&m->yaml, &m->doc);
        if (n == -1)
            m->wrong = yaml_reader_message(&m->yaml);
        if (n == 1)
            *out = jq_copy(m->doc.value);
        return n;
    }
    if (m->in == YQ_JSON) {
        n = jq_reader_next(&m->json, out);
        if (n == -1) {
            m->wrong = arena_str(m->j.p->arena, jq_text(*out));
            jq_drop(&m->j, *out);
            *out = jq_none();
        }
        return n;
    }
    if (m->done)
        return 0;
    m->done = true;
    *out = yq_parse(m, m->in, buf_get(&m->text));
    return out->kind ? 1 : m->wrong.p ? -1 : -2;
}

int yq_source(struct jq_input *i, struct jq_val *out)
{
    struct yq *m = (struct yq *)i->j;
    int n = 0;

    *out = jq_none();
    for (;;) {
        if (!m->open && (n = yq_open(m)) != 1)
            return n;
        n = yq_read(m, out);
        if (m->j.heap->oom || n < -1) {
            jq_drop(&m->j, *out);
            *out = jq_none();
            return -2;
        }
        if (n == 1) {
            m->docs++;
            m->doc_index++;
            return 1;
        }
        yq_close(m);
        if (n == -1) {
            struct str s = arena_printf(m->j.p->arena, "%.*s: %.*s", STR_ARG(i->name),
                                        STR_ARG(m->wrong.p ? m->wrong : STR("")));
            *out = s.p ? jq_string_checked(&m->j, s) : jq_none();
            i->at = MAX(i->nfiles, (size_t)1); /* what follows is not read */
            return out->kind ? -1 : -2;
        }
    }
}
