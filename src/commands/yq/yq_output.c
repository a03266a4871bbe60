/* yq_output.c -- what a program gives, in the format that was asked for */
#include "commands/yq/yq.h"

void yq_put_scalar(struct yq *m, struct buf *b, struct jq_val v)
{
    struct yaml_writer w = {.j = &m->j, .b = b, .indent = m->indent};
    size_t at = b->n;

    if (v.kind == JQ_STRING) {
        buf_str(b, jq_text(v));
    } else {
        yaml_write(&w, v, false);
        if (b->n > at)
            buf_cut(b, b->n - 1);
    }
}

static bool yq_is_scalar(struct jq_val v) { return v.kind != JQ_ARRAY && v.kind != JQ_OBJECT; }

static bool yq_write_yaml(struct yq *m, struct buf *b, struct jq_val v, bool output)
{
    struct yaml_writer w = {.j = &m->j, .b = b, .indent = m->indent, .serial = m->serial};
    struct yaml_doc *doc = output && m->doc.root ? &m->doc : NULL;
    bool whole = false;

    if (doc) {
        struct yaml_node *known = yaml_find(doc, v);
        struct jq_val root = doc->value;
        whole = known ? known == doc->root
                      : !yq_is_scalar(v) && v.kind == root.kind && m->printed != m->docs;
        w.doc = doc;
        w.plain = m->o.pretty;
        w.blanks = m->o.in_place;
        w.expand = m->expand;
        if (w.blanks && !m->o.indent.p && doc->indent >= 2 && doc->indent <= 8)
            w.indent = doc->indent;
    }
    w.sort = m->o.sort;
    w.color = output && m->j.style.color;
    if (whole && m->printed == 0 && doc->marked && !m->o.no_doc) {
        buf_str(b, doc->before);
        buf_addz(b, "---\n");
    }
    yaml_write(&w, v, whole);
    m->serial = w.serial;
    if (w.deep) {
        jq_fail(&m->j, "the value is nested too deep to be written");
        return false;
    }
    return true;
}

bool yq_format_value(struct yq *m, struct buf *b, struct jq_val v, enum yq_format format)
{
    switch (format) {
    case YQ_TOML: return yq_write_toml(m, b, v);
    case YQ_XML: return yq_write_xml(m, b, v);
    case YQ_CSV: return yq_write_csv(m, b, v, m->o.separator.n ? m->o.separator.p[0] : ',');
    case YQ_TSV: return yq_write_csv(m, b, v, '\t');
    case YQ_PROPS: return yq_write_props(m, b, v);
    case YQ_INI: return yq_write_ini(m, b, v);
    case YQ_JSON: {
        struct jq_writer w = {.j = &m->j, .style = &m->j.style, .b = *b};
        jq_write(&w, v);
        *b = w.b;
        buf_putc(b, '\n');
        return true;
    }
    default: return yq_write_yaml(m, b, v, b == &m->b);
    }
}

bool yq_output(struct yq *m, struct jq_val v)
{
    bool json = m->format == YQ_JSON, scalar = yq_is_scalar(v), ok = true;
    /* A file that is a scalar keeps its quotes. */
    bool raw = m->o.join || (json || m->o.in_place ? m->o.raw : !m->o.unwrap_off);

    size_t mark = m->b.n;

    m->last = jq_truth(v);
    if (m->format == YQ_YAML && m->printed && m->printed != m->docs && !m->o.no_doc && !m->o.join)
        buf_addz(&m->b, "---\n");
    if (m->doc.blank && v.kind == JQ_NULL && !m->printed && m->format == YQ_YAML) {
        /* Nothing came in and nothing was made of it: only its comments go out. */
        buf_str(&m->b, m->doc.head);
    } else if (scalar && raw && (!json || v.kind == JQ_STRING)) {
        yq_put_scalar(m, &m->b, v);
        if (!m->o.join)
            buf_putc(&m->b, '\n');
    } else {
        ok = yq_format_value(m, &m->b, v, scalar && !json ? YQ_YAML : m->format);
        if (m->o.join && m->b.n && m->b.p[m->b.n - 1] == '\n')
            buf_cut(&m->b, m->b.n - 1);
    }
    if (!ok)
        buf_cut(&m->b, mark); /* no half of a value goes out */
    m->printed = m->docs;
    if (!m->o.in_place && (m->b.n > 8192 || m->out.line)) {
        out_str(&m->out, buf_get(&m->b));
        buf_clear(&m->b);
    }
    return ok && !m->j.heap->oom;
}
