/* jq_input.c -- what a program reads: values, lines or events of its files, one after the other */
#include "base/error.h"
#include "commands/jq/jq.h"

/* The next file that can be opened. False when there is none left. */
static bool jq_input_open(struct jq_input *i)
{
    if (i->open)
        in_fini(&i->in);
    i->open = false;
    while (i->at < MAX(i->nfiles, (size_t)1)) {
        struct str path = i->nfiles ? i->files[i->at] : STR("-");
        i->at++;
        int e = in_open_quiet(&i->in, i->j->p, path);
        if (e < 0) {
            proc_printf_err(i->j->p, "%s: error: Could not open file %.*s: %s\n", i->j->name,
                            STR_ARG(path), error_text(e));
            i->failed++;
            continue;
        }
        i->open = true;
        i->name = str_eqz(path, "-") ? STR("<stdin>") : path;
        i->lines = 0;
        return true;
    }
    return false;
}

bool jq_input_fill(struct jq_input *i, bool *fresh)
{
    *fresh = false;
    for (;;) {
        if (i->open && in_fill(&i->in))
            return true;
        if (i->open && i->in.err) {
            proc_printf_err(i->j->p, "%s: error: Input error: %s\n", i->j->name,
                            error_text(i->in.err));
            if (i->in.err == HOB_EKILLED)
                return false;
            i->failed++;
        }
        if (!jq_input_open(i))
            return false;
        *fresh = true;
    }
}

/* The next line, without its end; a file that ends within a line goes on with the next file. */
static int jq_input_line_next(struct jq_input *i, struct jq_val *out)
{
    struct str line;
    bool had, fresh;

    for (;;) {
        if (!i->open || (i->in.p == i->in.end && !in_fill(&i->in))) {
            if (jq_input_fill(i, &fresh))
                continue;
            if (i->line.n == 0)
                return 0;
            *out = jq_string_checked(i->j, buf_get(&i->line));
            buf_clear(&i->line);
            return out->kind ? 1 : -2;
        }
        if (!in_line(&i->in, '\n', &line, &had))
            continue;
        i->lines += had;
        if (had && i->line.n == 0) {
            *out = jq_string_checked(i->j, line);
            return out->kind ? 1 : -2;
        }
        buf_str(&i->line, line);
        if (!had)
            continue;
        *out = jq_string_checked(i->j, buf_get(&i->line));
        buf_clear(&i->line);
        return out->kind ? 1 : -2;
    }
}

/* Everything as one string. */
static int jq_input_text(struct jq_input *i, struct jq_val *out)
{
    bool fresh;

    while (jq_input_fill(i, &fresh)) {
        buf_add(&i->line, i->in.p, (size_t)(i->in.end - i->in.p));
        i->in.p = i->in.end;
        if (i->j->heap->oom || proc_tick(i->j->p, 16) < 0)
            return -2;
    }
    *out = jq_string_checked(i->j, buf_get(&i->line));
    buf_clear(&i->line);
    return out->kind ? 1 : -2;
}

static int jq_input_value(struct jq_input *i, struct jq_val *out)
{
    if (i->raw)
        return jq_input_line_next(i, out);
    if (i->source)
        return i->source(i, out);
    if (!i->started) {
        i->started = true;
        jq_reader_init(&i->reader, i->j, i, STR_NONE);
        i->reader.seq = i->reader.skipping = i->seq;
    }
    return i->stream ? jq_reader_stream(&i->reader, out) : jq_reader_next(&i->reader, out);
}

int jq_input_next(struct jq_input *i, struct jq_val *out)
{
    struct jq_val all, v;
    int n;

    *out = jq_none();
    if (!i->slurp) {
        n = jq_input_value(i, out);
        if (n == 0)
            i->name = STR_NONE; /* there is none any more */
        return n;
    }
    if (i->slurped)
        return 0;
    i->slurped = true;
    if (i->raw)
        return jq_input_text(i, out);
    all = jq_array(i->j, 4);
    while ((n = jq_input_value(i, &v)) == 1)
        jq_push(i->j, &all, v);
    if (n < 0) {
        jq_drop(i->j, all);
        *out = v;
        return n;
    }
    *out = all;
    return all.kind ? 1 : -2;
}

size_t jq_input_line(struct jq_input *i)
{
    return i->started ? jq_reader_line(&i->reader) : i->lines;
}

void jq_input_fini(struct jq_input *i)
{
    if (i->started)
        jq_reader_fini(&i->reader);
    if (i->open)
        in_fini(&i->in);
    i->open = false;
    buf_fini(&i->line);
}
