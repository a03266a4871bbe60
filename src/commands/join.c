/* join.c -- join lines of two sorted files on a common field */
#include "shell/command.h"

#include "base/error.h"
#include "base/utf8.h"

enum {
    JOIN_ASK,
    JOIN_CHECK,
    JOIN_TRUST
};

struct join_field {
    int file; /* 1, 2, or 0: the join field */
    size_t n; /* counted from 0 */
};

struct join {
    bool unpaired[2], only, icase, header, zero;
    struct str empty;
    int64_t key[2]; /* counted from 0; -1: not given */
    char tab;
    bool tab_set, whole;
    int order;
    bool auto_format;
    struct join_field *out_fields;
    size_t nout;
    size_t auto_n[2];
    char end;
    struct proc *p;
    struct out out;
};

/* A line and its fields. */
struct join_line {
    struct buf text;
    struct str *field; /* on the heap */
    size_t n, cap;
};

/* Lines of one file that have the same key. */
struct join_group {
    struct join_line **p;
    size_t n, cap, live;
};

struct join_side {
    struct in in;
    struct join_group g;
    struct join_line last; /* read before, for the order */
    bool any, warned, eof;
    uint64_t number;
};

static int join_field_number(struct proc *p, struct str s, size_t *out)
{
    uint64_t v;
    if (size_parse(s, "", &v) < 0 || v == 0) {
        proc_warn(p, "invalid field number: %s", proc_quote(p, s));
        return 2;
    }
    *out = (size_t)v - 1;
    return 0;
}

static int join_set_key(struct proc *p, struct join *j, int file, struct str arg)
{
    size_t n;
    int r = join_field_number(p, arg, &n);
    if (r)
        return r;
    if (j->key[file] >= 0 && j->key[file] != (int64_t)n) {
        proc_warn(p, "incompatible join fields %lld, %zu", (long long)j->key[file] + 1, n + 1);
        return 2;
    }
    j->key[file] = (int64_t)n;
    return 0;
}

static int join_key(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct join *j = args;
    int r = 0;
    if (o->letter != '2')
        r = join_set_key(p, j, 0, arg);
    if (r == 0 && o->letter != '1')
        r = join_set_key(p, j, 1, arg);
    return r;
}

static int join_unpaired(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct join *j = args;
    if (!str_eqz(arg, "1") && !str_eqz(arg, "2")) {
        proc_warn(p, "invalid field number: %s", proc_quote(p, arg));
        return 2;
    }
    j->unpaired[arg.p[0] - '1'] = true;
    j->only |= o->letter == 'v';
    return 0;
}

static int join_empty(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct join *j = args;
    (void)o;
    if (j->empty.p && !str_eq(j->empty, arg)) {
        proc_warn(p, "conflicting empty-field replacement strings");
        return 2;
    }
    j->empty = arg;
    return 0;
}

static int join_format(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct join *j = args;
    (void)o;
    if (str_eqz(arg, "auto")) {
        j->auto_format = true;
        return 0;
    }
    while (arg.n) {
        size_t n = 0;
        while (n < arg.n && arg.p[n] != ',' && arg.p[n] != ' ' && arg.p[n] != '\t')
            n++;
        struct str spec = str_sub(arg, 0, n);
        struct join_field f = {0, 0};
        arg = str_from(arg, n + 1);
        if (spec.n == 0)
            continue;
        if (!str_eqz(spec, "0")) {
            if (spec.n < 2 || (spec.p[0] != '1' && spec.p[0] != '2') || spec.p[1] != '.') {
                if (spec.p[0] == '0')
                    proc_warn(p, "invalid field specifier: %s", proc_quote(p, spec));
                else
                    proc_warn(p, "invalid file number in field spec: %s", proc_quote(p, spec));
                return 2;
            }
            f.file = spec.p[0] - '0';
            int r = join_field_number(p, str_from(spec, 2), &f.n);
            if (r)
                return r;
        }
        struct join_field *more =
            arena_grow(p->arena, j->out_fields, j->nout * sizeof f, (j->nout + 1) * sizeof f);
        if (!more)
            return 2;
        j->out_fields = more;
        more[j->nout++] = f;
    }
    return 0;
}

static int join_tab(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct join *j = args;
    (void)o;
    char tab = arg.n ? arg.p[0] : '\0';
    bool whole = arg.n == 0;
    if (str_eqz(arg, "\\0")) {
        tab = '\0';
    } else if (arg.n > 1) {
        proc_warn(p, "multi-character tab %s", proc_quote(p, arg));
        return 2;
    }
    if (j->tab_set && j->tab != tab) {
        proc_warn(p, "incompatible tabs");
        return 2;
    }
    j->tab_set = true;
    j->tab = whole ? '\n' : tab;
    j->whole = whole;
    return 0;
}

static const struct opt join_opts[] = {
    OPT_CALL('a', NULL, join_unpaired, "FILENUM",
             "also print lines of file FILENUM that have no partner"),
    OPT_CALL('e', NULL, join_empty, "STRING", "STRING for fields that are missing"),
    OPT_FLAG('i', "ignore-case", struct join, icase, "case does not matter"),
    OPT_CALL('j', NULL, join_key, "FIELD", "same as -1 FIELD -2 FIELD"),
    OPT_CALL('o', NULL, join_format, "FORMAT",
             "print the fields of FORMAT: FILENUM.FIELD or 0, parted by commas; or auto"),
    OPT_CALL('t', NULL, join_tab, "CHAR", "fields are parted by CHAR"),
    OPT_CALL('v', NULL, join_unpaired, "FILENUM", "like -a, without the joined lines"),
    OPT_CALL('1', NULL, join_key, "FIELD", "join on this FIELD of file 1"),
    OPT_CALL('2', NULL, join_key, "FIELD", "join on this FIELD of file 2"),
    OPT_SET(0, "check-order", struct join, order, JOIN_CHECK,
            "look whether the input is sorted, even if all lines pair"),
    OPT_SET(0, "nocheck-order", struct join, order, JOIN_TRUST,
            "do not look whether the input is sorted"),
    OPT_FLAG(0, "header", struct join, header, "the first line of each file is a header"),
    OPT_FLAG('z', "zero-terminated", struct join, zero, "lines end with NUL, not newline"),
    OPT_END,
};

static void join_defaults(struct proc *p, void *args)
{
    struct join *j = args;
    (void)p;
    j->key[0] = j->key[1] = -1;
}

/* ---- lines ---------------------------------------------------------------------------------- */

static void join_line_free(struct join *j, struct join_line *l)
{
    struct heap *h = &j->p->kernel->heap;
    buf_fini(&l->text);
    heap_free(h, l->field, l->cap * sizeof *l->field);
    l->field = NULL;
    l->n = l->cap = 0;
}

static bool join_blank(char c) { return c == ' ' || c == '\t' || c == '\n'; }

static bool join_add_field(struct join *j, struct join_line *l, struct str s)
{
    VEC(struct str) v = {l->field, l->n, l->cap};
    bool ok = vec_push(&j->p->kernel->heap, &v, s);
    l->field = v.p;
    l->n = v.n;
    l->cap = v.cap;
    return ok;
}

static bool join_split(struct join *j, struct join_line *l)
{
    struct str s = buf_get(&l->text);
    l->n = 0;
    if (j->tab_set) {
        for (;;) {
            ptrdiff_t at = j->whole ? -1 : str_chr(s, j->tab);
            if (!join_add_field(j, l, str_sub(s, 0, at < 0 ? s.n : (size_t)at)))
                return false;
            if (at < 0)
                return true;
            s = str_from(s, (size_t)at + 1);
        }
    }
    size_t i = 0;
    for (;;) {
        bool blanks = i > 0;
        while (i < s.n && join_blank(s.p[i]))
            i++;
        if (i == s.n) /* blanks at the end of a line make one more field, an empty one */
            return !blanks || !join_blank(s.p[i - 1]) || join_add_field(j, l, STR(""));
        size_t start = i;
        while (i < s.n && !join_blank(s.p[i]))
            i++;
        if (!join_add_field(j, l, str_sub(s, start, i - start)))
            return false;
    }
}

static struct str join_key_of(const struct join *j, const struct join_line *l, int file)
{
    size_t k = (size_t)j->key[file];
    return k < l->n ? l->field[k] : STR("");
}

static int join_compare_keys(const struct join *j, struct str a, struct str b)
{
    if (!j->icase)
        return str_cmp(a, b);
    for (size_t i = 0; i < a.n && i < b.n; i++) {
        int x = ascii_to_lower((unsigned char)a.p[i]), y = ascii_to_lower((unsigned char)b.p[i]);
        if (x != y)
            return x - y;
    }
    return a.n == b.n ? 0 : a.n < b.n ? -1 : 1;
}

/* Reads one more line to the end of the group. 1 read, 0 end, -1 stop. */
static int join_read(struct join *j, struct join_side *s, int file, bool seen_unpaired)
{
    struct heap *h = &j->p->kernel->heap;
    struct str line;
    bool had;

    if (s->eof || !in_line(&s->in, j->end, &line, &had)) {
        s->eof = true;
        return 0;
    }
    s->number++;
    if (s->g.live == s->g.n) {
        struct join_line *l = heap_new(h, struct join_line);
        VEC(struct join_line *) v = {s->g.p, s->g.n, s->g.cap};
        bool ok = l && vec_push(h, &v, l);
        s->g.p = v.p;
        s->g.n = v.n;
        s->g.cap = v.cap;
        if (!ok) {
            heap_drop(h, l);
            return -1;
        }
        buf_init(&l->text, h);
    }
    struct join_line *l = s->g.p[s->g.live];
    buf_clear(&l->text);
    buf_str(&l->text, line);
    if (!join_split(j, l) || h->oom)
        return -1;
    s->g.live++;
    bool check = j->order == JOIN_CHECK || (j->order == JOIN_ASK && seen_unpaired);
    if (s->any && check && !s->warned &&
        join_compare_keys(j, join_key_of(j, &s->last, file), join_key_of(j, l, file)) > 0) {
        struct str shown = buf_get(&l->text);
        proc_warn(j->p, "%.*s:%llu: is not sorted: %.*s", STR_ARG(j->p->argv[file]),
                  (unsigned long long)s->number, STR_ARG(shown));
        s->warned = true;
        if (j->order == JOIN_CHECK)
            return -1;
    }
    /* The key of this line is what the next one is compared with. */
    buf_clear(&s->last.text);
    buf_str(&s->last.text, line);
    if (!join_split(j, &s->last))
        return -1;
    s->any = true;
    return 1;
}

/* ---- output --------------------------------------------------------------------------------- */

static void join_put_field(struct join *j, struct str s, bool *first)
{
    char sep = j->tab_set ? j->tab : ' ';
    if (!*first)
        out_write(&j->out, &sep, 1);
    *first = false;
    out_str(&j->out, s.n ? s : j->empty);
}

static void join_put_rest(struct join *j, const struct join_line *l, int file, bool *first)
{
    size_t key = (size_t)j->key[file], n = j->auto_format ? j->auto_n[file] : l->n;
    for (size_t i = 0; i < n; i++) {
        if (i != key)
            join_put_field(j, i < l->n ? l->field[i] : STR(""), first);
    }
}

/* A joined line; one of the two may be missing. */
static void join_put(struct join *j, const struct join_line *a, const struct join_line *b)
{
    static const struct join_line none = {0};
    bool first = true;
    struct str key = a ? join_key_of(j, a, 0) : join_key_of(j, b, 1);

    if (j->nout) {
        for (size_t i = 0; i < j->nout; i++) {
            const struct join_field *f = &j->out_fields[i];
            const struct join_line *l = f->file == 1 ? a : b;
            join_put_field(j,
                           f->file == 0       ? key
                           : l && f->n < l->n ? l->field[f->n]
                                              : STR(""),
                           &first);
        }
    } else {
        join_put_field(j, key, &first);
        if (a || j->auto_format)
            join_put_rest(j, a ? a : &none, 0, &first);
        if (b || j->auto_format)
            join_put_rest(j, b ? b : &none, 1, &first);
    }
    out_write(&j->out, &j->end, 1);
}

/* ---- the merge ------------------------------------------------------------------------------ */

/* Keeps the last line of the group, drops the others. */
static void join_advance(struct join_side *s, size_t used)
{
    size_t left = s->g.live - used;
    for (size_t i = 0; i < left; i++) {
        struct join_line *t = s->g.p[i];
        s->g.p[i] = s->g.p[used + i];
        s->g.p[used + i] = t;
    }
    s->g.live = left;
}

/* Reads on while the key stays the same: the number of lines with the key of the first. */
static int join_group_lines(struct join *j, struct join_side *s, int file, bool unpaired, size_t *n)
{
    for (;;) {
        int r = join_read(j, s, file, unpaired);
        if (r < 0)
            return -1;
        if (r == 0) {
            *n = s->g.live;
            return 0;
        }
        if (join_compare_keys(j, join_key_of(j, s->g.p[0], file),
                              join_key_of(j, s->g.p[s->g.live - 1], file)) != 0) {
            *n = s->g.live - 1;
            return 0;
        }
    }
}

static int join_merge(struct join *j, struct join_side *s)
{
    bool unpaired = false;
    size_t na, nb;

    for (int i = 0; i < 2; i++) {
        if (join_read(j, &s[i], i, false) < 0)
            return 1;
        j->auto_n[i] = s[i].g.live ? s[i].g.p[0]->n : 0;
    }
    if (j->header && (s[0].g.live || s[1].g.live)) {
        join_put(j, s[0].g.live ? s[0].g.p[0] : NULL, s[1].g.live ? s[1].g.p[0] : NULL);
        for (int i = 0; i < 2; i++) {
            s[i].any = false;
            if (s[i].g.live)
                join_advance(&s[i], 1);
            if (join_read(j, &s[i], i, false) < 0)
                return 1;
        }
    }
    while (s[0].g.live && s[1].g.live && !j->out.err) {
        int d =
            join_compare_keys(j, join_key_of(j, s[0].g.p[0], 0), join_key_of(j, s[1].g.p[0], 1));
        if (d) {
            int side = d > 0;
            if (j->unpaired[side])
                join_put(j, side ? NULL : s[0].g.p[0], side ? s[1].g.p[0] : NULL);
            join_advance(&s[side], 1);
            if (s[side].g.live == 0 && join_read(j, &s[side], side, unpaired) < 0)
                return 1;
            unpaired = true; /* only from the next line on the order matters */
            continue;
        }
        if (join_group_lines(j, &s[0], 0, unpaired, &na) < 0 ||
            join_group_lines(j, &s[1], 1, unpaired, &nb) < 0)
            return 1;
        for (size_t a = 0; a < na && !j->only; a++) {
            for (size_t b = 0; b < nb && !j->out.err; b++)
                join_put(j, s[0].g.p[a], s[1].g.p[b]);
            if (proc_tick(j->p, (int64_t)nb / 16 + 1) < 0)
                return HOB_EKILLED;
        }
        join_advance(&s[0], na);
        join_advance(&s[1], nb);
    }
    for (int i = 0; i < 2; i++) {
        bool more = s[i].g.live > 0;
        if (more)
            unpaired = true;
        while (s[i].g.live && !j->out.err) {
            if (j->unpaired[i])
                join_put(j, i ? NULL : s[0].g.p[0], i ? s[1].g.p[0] : NULL);
            join_advance(&s[i], 1);
            if (s[i].g.live == 0 && (j->unpaired[i] || j->order != JOIN_TRUST) &&
                join_read(j, &s[i], i, unpaired) < 0)
                return 1;
        }
    }
    if (j->order == JOIN_ASK && (s[0].warned || s[1].warned)) {
        out_flush(&j->out);
        proc_warn(j->p, "input is not in sorted order");
        return 1;
    }
    return 0;
}

static void join_free(struct join *j, struct join_side *s)
{
    struct heap *h = &j->p->kernel->heap;
    for (size_t i = 0; i < s->g.n; i++) {
        join_line_free(j, s->g.p[i]);
        heap_drop(h, s->g.p[i]);
    }
    heap_free(h, s->g.p, s->g.cap * sizeof *s->g.p);
    join_line_free(j, &s->last);
    in_fini(&s->in);
}

static int join_run(struct proc *p, void *args)
{
    struct join *j = args;
    struct join_side s[2];
    int opened = 0, r = 0;

    if (p->argc < 2) {
        if (p->argc == 0)
            return proc_missing_operand(p);
        proc_warn(p, "missing operand after %s", proc_quote(p, p->argv[0]));
        return proc_usage(p);
    }
    if (p->argc > 2)
        return proc_warn(p, "extra operand %s", proc_quoteaf(p, p->argv[2])), proc_usage(p);
    if (str_eqz(p->argv[0], "-") && str_eqz(p->argv[1], "-")) {
        proc_warn(p, "both files cannot be standard input: No such file or directory");
        return 1;
    }
    j->p = p;
    j->end = j->zero ? '\0' : '\n';
    for (int i = 0; i < 2; i++)
        j->key[i] = MAX(j->key[i], 0);
    out_init(&j->out, p, 1);
    memset(s, 0, sizeof s);
    for (; opened < 2 && r == 0; opened += r == 0) {
        buf_init(&s[opened].last.text, &p->kernel->heap);
        r = in_open(&s[opened].in, p, p->argv[opened]) < 0;
    }
    if (r == 0)
        r = join_merge(j, s);
    for (int i = 0; i < opened; i++) {
        if (s[i].in.err < 0 && r >= 0) {
            proc_warn(p, "read error: %s", error_text(s[i].in.err));
            r = 1;
        }
        join_free(j, &s[i]);
    }
    return command_close(p, &j->out, r);
}

const struct command cmd_join = {
    .name = "join",
    .usage = "[OPTION]... FILE1 FILE2",
    .summary =
        "Print a line for each pair of lines of FILE1 and FILE2 that have equal join fields.",
    .notes = "The join field is the first one, fields are parted by blanks. Both files must be "
             "sorted on\n"
             "the join field. One FILE may be -, standard input.",
    .opts = join_opts,
    .args_size = sizeof(struct join),
    .usage_status = 1,
    .run = join_run,
    .defaults = join_defaults,
};
