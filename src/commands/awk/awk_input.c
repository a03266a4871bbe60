/* awk_input.c -- records: out of a window, or gathered from several; the files of the command line
 */
#include "commands/awk/awk.h"

#include "base/error.h"
#include "base/utf8.h"

/* ---- records --------------------------------------------------------------------------------- */

void awk_input_init(struct awk *a, struct awk_input *in)
{
    buf_init(&in->data, a->heap);
    in->at = 0;
    in->gathered = in->ended = in->any = false;
    in->open = true;
}

void awk_input_fini(struct awk_input *in)
{
    if (!in->open)
        return;
    in_fini(&in->in);
    buf_fini(&in->data);
    in->open = false;
}

/* Looks for the end of a record in s. 1: it has n bytes, and rt behind them; 0: more is needed, or
 * (at the end) s is all there is. */
static int awk_record_end(struct awk *a, struct str s, bool ended, size_t *n, size_t *rt)
{
    struct regex_match m;
    const char *p = s.n ? memchr(s.p, a->rs_char, s.n) : NULL;

    switch (a->rs) {
    case AWK_RS_CHAR:
        if (!p)
            return 0;
        *n = (size_t)(p - s.p);
        *rt = 1;
        return 1;
    case AWK_RS_PARAGRAPH:
        while (p && !(p + 1 < s.p + s.n && p[1] == '\n')) {
            p++;
            p = p < s.p + s.n ? memchr(p, '\n', (size_t)(s.p + s.n - p)) : NULL;
        }
        if (!p)
            return 0;
        *n = (size_t)(p - s.p);
        while (p < s.p + s.n && *p == '\n')
            p++;
        *rt = (size_t)(p - s.p) - *n;
        return ended || p < s.p + s.n;
    default: break;
    }
    for (size_t from = 0; a->rs_re && from <= s.n; from = (size_t)m.end + 1) {
        int r = awk_re_match(a, a->rs_re, s, from, 0, &m, 1);
        if (r <= 0)
            return r;
        if (m.end == m.start)
            continue;
        if ((size_t)m.end == s.n && !ended)
            return 0;
        *n = (size_t)m.start;
        *rt = (size_t)(m.end - m.start);
        return 1;
    }
    return 0;
}

/* Adds what there is to read to the data. False at the end. */
static bool awk_gather(struct awk *a, struct awk_input *in)
{
    if (!in->gathered) {
        buf_clear(&in->data);
        in->at = 0;
        in->gathered = true;
    } else if (in->at && in->at > in->data.n / 2) {
        buf_del(&in->data, 0, in->at);
        in->at = 0;
    }
    if (in->in.p == in->in.end && !in_fill(&in->in)) {
        in->ended = true;
        return false;
    }
    size_t n = (size_t)(in->in.end - in->in.p), before = in->data.n;
    buf_add(&in->data, in->in.p, n);
    in->in.p = in->in.end;
    if (in->data.n != before + n) {
        awk_nomem(a);
        return false;
    }
    return true;
}

static struct str awk_view(const struct awk_input *in)
{
    if (in->gathered)
        return str_from(buf_get(&in->data), in->at);
    return str_of(in->in.p, (size_t)(in->in.end - in->in.p));
}

static void awk_consume(struct awk_input *in, size_t n)
{
    if (in->gathered)
        in->at += n;
    else if (n)
        in->in.p += n;
}

/* RS="": newlines before the first record count for nothing. */
static void awk_skip_newlines(struct awk *a, struct awk_input *in)
{
    while (!a->err) {
        struct str s = awk_view(in);
        size_t n = 0;
        while (n < s.n && s.p[n] == '\n')
            n++;
        awk_consume(in, n);
        if (n < s.n || (in->gathered ? !awk_gather(a, in) : !in_fill(&in->in)))
            return;
    }
}

/* The last record, which nothing ends. */
static int awk_read_rest(struct awk *a, struct awk_input *in, struct str *rec, struct str *rt)
{
    struct str s = awk_view(in);

    if (in->in.err)
        return in->in.err;
    awk_consume(in, s.n);
    *rt = STR("");
    if (a->rs == AWK_RS_PARAGRAPH && s.n && s.p[s.n - 1] == '\n')
        *rt = str_of(s.p + --s.n, 1);
    *rec = s;
    return s.n || rt->n ? 1 : 0;
}

int awk_read(struct awk *a, struct awk_input *in, struct str *rec, struct str *rt)
{
    if (LIKELY(a->rs == AWK_RS_CHAR && !in->gathered)) {
        bool had;
        if (!in_line(&in->in, a->rs_char, rec, &had))
            return in->in.err;
        *rt = had ? str_of(&a->rs_char, 1) : STR("");
        return 1;
    }
    if (a->rs == AWK_RS_PARAGRAPH && !in->any)
        awk_skip_newlines(a, in);
    size_t n = 0, m = 0, tried = 0;
    if (!in->gathered && in->in.p == in->in.end && !in_fill(&in->in))
        return in->in.err;
    for (;;) {
        struct str s = awk_view(in);
        /* A long record is looked at again only when it has grown by half. */
        if (s.n >= tried + tried / 2 || in->ended) {
            int r = awk_record_end(a, s, in->ended, &n, &m);
            if (a->err)
                return a->err;
            tried = s.n;
            if (r) {
                in->any = true;
                *rec = str_sub(s, 0, n);
                *rt = str_sub(s, n, m);
                awk_consume(in, n + m);
                return 1;
            }
        }
        if (in->ended)
            return awk_read_rest(a, in, rec, rt);
        awk_gather(a, in);
        if (a->err)
            return a->err;
    }
}

void awk_set_rs(struct awk *a)
{
    struct str s = awk_str_get(awk_to_str(a, awk_special(a, AWK_V_RS)));

    if (s.n == 0) {
        a->rs = AWK_RS_PARAGRAPH;
        a->rs_char = '\n';
    } else if (s.n == 1 || a->traditional) {
        a->rs = AWK_RS_CHAR;
        a->rs_char = s.p[0];
    } else {
        a->rs_re = awk_re_text(a, s);
        a->rs = AWK_RS_REGEX;
    }
}

void awk_set_rt(struct awk *a, struct str rt)
{
    struct awk_val *v = &a->globals.p[AWK_V_RT];

    if (UNLIKELY(a->traditional))
        return; /* there it is a variable like others */
    if (LIKELY(v->kind == AWK_STR && v->u.s->n == rt.n && rt.n == 1 && v->u.s->p[0] == rt.p[0]))
        return;
    awk_drop(a, v);
    *v = awk_text_val(awk_str_new(a, rt.p, rt.n));
}

void awk_set_errno(struct awk *a, int err)
{
    struct awk_val *v = awk_special(a, AWK_V_ERRNO);
    struct str text = err ? str_z(error_text(err)) : STR("");

    awk_drop(a, v);
    *v = awk_text_val(awk_str_new(a, text.p, text.n));
}

/* ---- the command line ------------------------------------------------------------------------ */

bool awk_assign_operand(struct awk *a, struct str arg)
{
    ptrdiff_t eq = str_chr(arg, '=');
    struct str name = str_sub(arg, 0, eq < 0 ? 0 : (size_t)eq);

    if (eq <= 0 || !awk_is_name(name))
        return false;
    if (awk_is_reserved(a, name)) {
        awk_fatal(a, "cannot use gawk builtin `%.*s' as variable name", STR_ARG(name));
        return true;
    }
    if (awk_function_named(a, name) >= 0) {
        awk_fatal(a, "cannot use function `%.*s' as variable name", STR_ARG(name));
        return true;
    }
    struct buf b;
    buf_init(&b, a->heap);
    awk_unescape(a, str_from(arg, (size_t)eq + 1), &b, true);
    int index = awk_global(a, name);
    if (index >= 0 && a->globals.p[index].kind == AWK_ARRAY)
        awk_fatal(a, "cannot use array `%.*s' as variable name", STR_ARG(name));
    else if (index >= 0)
        awk_store(a, AWK_LV_GLOBAL, index, awk_input_val(a, buf_get(&b)));
    buf_fini(&b);
    return true;
}

static void awk_set_filename(struct awk *a, struct str name)
{
    struct awk_val *v = awk_special(a, AWK_V_FILENAME);

    awk_drop(a, v);
    *v = awk_input_val(a, name);
    v = awk_special(a, AWK_V_ARGIND);
    awk_drop(a, v);
    *v = awk_number(a->any_file ? a->arg - 1 : 0);
}

/* Opens a file for the rules. Without BEGINFILE one that cannot be opened ends the run. 1: it is
 * open; 0: it was skipped. */
static int awk_open_main(struct awk *a, struct str name)
{
    bool standard = str_eqz(name, "-") || str_eqz(name, "/dev/stdin");
    struct stat_info st;
    int e = in_open_quiet(&a->main.in, a->p, standard ? STR("-") : name);

    if (e == 0 && a->main.in.file && file_stat(a->main.in.file, &st) == 0 && MODE_IS_DIR(st.mode)) {
        in_fini(&a->main.in);
        e = HOB_EISDIR;
    }
    awk_set_filename(a, name);
    a->fnr = 0;
    if (e == HOB_EKILLED || e == HOB_ENOMEM) {
        a->err = e;
        return 0;
    }
    if (e == 0)
        awk_input_init(a, &a->main);
    awk_set_errno(a, e);
    if (a->rules[AWK_BEGINFILE]) {
        awk_record_lend(a, "", 0);
        enum awk_end end = awk_run_code(a, a->entry[AWK_BEGINFILE]);
        if (end == AWK_NEXT_FILE || end == AWK_EXITED || a->err) {
            if (e == 0) {
                awk_input_fini(&a->main);
            }
            a->exiting |= end == AWK_EXITED;
            return 0;
        }
    }
    if (e == HOB_EISDIR) {
        out_flush(&a->out);
        proc_printf_err(a->p,
                        "%.*s: warning: command line argument `%.*s' is a directory: skipped\n",
                        STR_ARG(a->p->name), STR_ARG(name));
        return 0;
    }
    if (e < 0) {
        awk_fatal(a, "cannot open file `%.*s' for reading: %s", STR_ARG(name), error_text(e));
        return 0;
    }
    return 1;
}

/* The next operand that is a file. 0: there is none left. */
static int awk_open_next(struct awk *a)
{
    char tmp[AWK_TMP];

    while (!a->err && !a->exiting) {
        struct awk_val *argv = awk_special(a, AWK_V_ARGV);
        int argc = (int)awk_to_num(a, awk_special(a, AWK_V_ARGC));
        if (a->arg >= argc || argv->kind != AWK_ARRAY)
            break;
        struct awk_val index = awk_number(a->arg++);
        struct awk_val *v = awk_array_find(a, argv->u.a, &index);
        struct str arg = v && v->kind != AWK_ARRAY ? awk_text(a, v, tmp) : STR("");
        struct awk_val held = v && v->kind != AWK_ARRAY ? awk_copy(a, v) : (struct awk_val){0};
        int opened = 0;
        if (arg.n && !awk_assign_operand(a, arg)) {
            a->any_file = true;
            opened = awk_open_main(a, arg);
        }
        awk_drop(a, &held);
        if (opened)
            return 1;
    }
    if (a->any_file || a->err || a->exiting)
        return 0;
    a->any_file = true;
    return awk_open_main(a, STR("-"));
}

static void awk_close_main(struct awk *a)
{
    if (!a->rec_s && a->rec_n)
        awk_record_own(a);
    awk_input_fini(&a->main);
    if (a->rules[AWK_ENDFILE] && !a->err && !a->exiting) {
        if (awk_run_code(a, a->entry[AWK_ENDFILE]) == AWK_EXITED)
            a->exiting = true;
    }
}

void awk_next_file(struct awk *a)
{
    if (a->main.open)
        awk_close_main(a);
}

/* Reads from the open file. 1, 0 at its end. */
static int awk_read_main(struct awk *a, struct awk_val *var)
{
    struct str rec, rt;
    struct in *in = &a->main.in;

    if (UNLIKELY(a->stale)) /* there may be no further record to take its place */
        awk_record(a);
    /* What $0 borrows from the window must be saved before the window goes. */
    if (var || (in->p == in->end && a->rec_n))
        awk_record_own(a);
    else if (a->sp != a->stack)
        awk_settle(a);
    int r = awk_read(a, &a->main, &rec, &rt);
    if (r <= 0) {
        if (!a->rec_s)
            awk_record_lend(a, "", 0);
        if (r == HOB_EKILLED || r == HOB_ENOMEM)
            a->err = r;
        else if (r < 0 && !a->err) {
            char tmp[AWK_TMP];
            struct str name = awk_text(a, awk_special(a, AWK_V_FILENAME), tmp);
            awk_fatal(a, "error reading input file `%.*s': %s", STR_ARG(name), error_text(r));
        }
        return 0;
    }
    a->nr++;
    a->fnr++;
    if (UNLIKELY(var != NULL))
        *var = awk_input_val(a, rec);
    else if (LIKELY(a->rs == AWK_RS_CHAR && !a->main.gathered))
        awk_record_lend(a, rec.p, rec.n);
    else
        awk_record_set(a, awk_str_new(a, rec.p, rec.n));
    awk_set_rt(a, rt);
    return 1;
}

int awk_next_main(struct awk *a, struct awk_val *var)
{
    for (;;) {
        if (a->input_done || a->err || a->exiting)
            return 0;
        if (!a->main.open && !awk_open_next(a)) {
            a->input_done = true;
            return 0;
        }
        if (awk_read_main(a, var))
            return 1;
        if (a->err)
            return 0;
        awk_close_main(a);
    }
}
