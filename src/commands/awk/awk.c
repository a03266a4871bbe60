/* awk.c -- awk as a command: its options, the variables it starts with, the end */
#include "commands/awk/awk.h"

#include "base/error.h"
#include "commands/lib/locale.h"

/* ---- options --------------------------------------------------------------------------------- */

static int awk_add_source(struct proc *p, struct awk *a, struct str text, struct str name)
{
    struct awk_source *s = arena_new(p->arena, struct awk_source);
    if (!s)
        return AWK_FATAL + 1;
    s->text = text;
    s->name = name;
    if (!a->sources_last)
        a->sources_last = &a->sources;
    *a->sources_last = s;
    a->sources_last = &s->next;
    return 0;
}

static int awk_option(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct awk *a = args;

    switch (o->letter) {
    case 'F': a->fs_option = arg; return 0;
    case 'v': return proc_push(p, &a->assigns, arg) ? 0 : AWK_FATAL + 1;
    case 'e': a->have_program = true; return awk_add_source(p, a, arg, STR_NONE);
    case 'f':
    case 'E': a->have_program = true; FALLTHROUGH;
    case 'i': return awk_add_source(p, a, STR_NONE, arg);
    default: return 0;
    }
}

static int awk_option_ignored(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    (void)p;
    (void)args;
    (void)o;
    (void)arg;
    return 0;
}

static int awk_option_refused(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    (void)args;
    (void)arg;
    proc_printf_err(p, "%.*s: fatal: option --%s is not supported\n", STR_ARG(p->name), o->name);
    return AWK_FATAL + 1;
}

static int awk_option_version(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    (void)args;
    (void)o;
    (void)arg;
    proc_puts(p, 1, STR("GNU Awk 5.2.1 (the awk of Hob, which follows it)\n"));
    return 1;
}

static const struct opt awk_opts[] = {
    OPT_CALL('F', "field-separator", awk_option, "FS", "part fields at FS"),
    OPT_CALL('v', "assign", awk_option, "VAR=VALUE", "set a variable before the program begins"),
    OPT_CALL('f', "file", awk_option, "FILE", "read program text from FILE"),
    OPT_CALL('e', "source", awk_option, "TEXT", "add TEXT to the program"),
    {OPT_KIND_CALL, OPT_LAST, 'E', "exec", 0, 0, "FILE", "as -f, and the options end here",
     awk_option},
    OPT_CALL('i', "include", awk_option, "FILE", "include a library of functions"),
    OPT_FLAG('b', "characters-as-bytes", struct awk, characters_as_bytes,
             "every byte is a character"),
    OPT_FLAG('c', "traditional", struct awk, traditional, "without the extensions of gawk"),
    OPT_FLAG('P', "posix", struct awk, posix, "without what POSIX does not have"),
    OPT_FLAG('S', "sandbox", struct awk, sandbox, "no system(), no redirections"),
    OPT_FLAG('n', "non-decimal-data", struct awk, decimal, "accepted"),
    OPT_FLAG('r', "re-interval", struct awk, re_interval, "accepted: it is so anyway"),
    OPT_FLAG('O', "optimize", struct awk, optimize, "accepted"),
    OPT_FLAG('s', "no-optimize", struct awk, optimize, "accepted"),
    OPT_FLAG('t', "lint-old", struct awk, lint_old, "accepted"),
    OPT_FLAG('N', "use-lc-numeric", struct awk, optimize, "accepted"),
    OPT_CALL_OPTIONAL('L', "lint", awk_option_ignored, "WHAT", "accepted"),
    OPT_CALL_OPTIONAL('d', "dump-variables", awk_option_refused, "FILE", "not supported"),
    OPT_CALL_OPTIONAL('D', "debug", awk_option_refused, "FILE", "not supported"),
    OPT_CALL_OPTIONAL('o', "pretty-print", awk_option_refused, "FILE", "not supported"),
    OPT_CALL_OPTIONAL('p', "profile", awk_option_refused, "FILE", "not supported"),
    OPT_CALL('l', "load", awk_option_refused, "LIBRARY", "not supported"),
    OPT_CALL('M', "bignum", awk_option_refused, NULL, "not supported"),
    OPT_CALL('V', NULL, awk_option_version, NULL, "output version information and exit"),
    OPT_END,
};

/* ---- variables ------------------------------------------------------------------------------- */

static const char *const awk_special_names[AWK_V_SPECIALS] = {
    [AWK_V_NF] = "NF",
    [AWK_V_NR] = "NR",
    [AWK_V_FNR] = "FNR",
    [AWK_V_FS] = "FS",
    [AWK_V_RS] = "RS",
    [AWK_V_OFS] = "OFS",
    [AWK_V_ORS] = "ORS",
    [AWK_V_OFMT] = "OFMT",
    [AWK_V_CONVFMT] = "CONVFMT",
    [AWK_V_SUBSEP] = "SUBSEP",
    [AWK_V_IGNORECASE] = "IGNORECASE",
    [AWK_V_FIELDWIDTHS] = "FIELDWIDTHS",
    [AWK_V_FPAT] = "FPAT",
    [AWK_V_RSTART] = "RSTART",
    [AWK_V_RLENGTH] = "RLENGTH",
    [AWK_V_RT] = "RT",
    [AWK_V_FILENAME] = "FILENAME",
    [AWK_V_ERRNO] = "ERRNO",
    [AWK_V_ARGC] = "ARGC",
    [AWK_V_ARGIND] = "ARGIND",
    [AWK_V_ARGV] = "ARGV",
    [AWK_V_ENVIRON] = "ENVIRON",
    [AWK_V_PROCINFO] = "PROCINFO",
    [AWK_V_SYMTAB] = "SYMTAB",
    [AWK_V_FUNCTAB] = "FUNCTAB",
    [AWK_V_BINMODE] = "BINMODE",
    [AWK_V_LINT] = "LINT",
    [AWK_V_TEXTDOMAIN] = "TEXTDOMAIN",
    [AWK_V_PREC] = "PREC",
    [AWK_V_ROUNDMODE] = "ROUNDMODE",
};

int awk_global(struct awk *a, struct str name)
{
    void **place = map_get(&a->names, name);

    if (place)
        return (int)(uintptr_t)*place - 1;
    struct str copy = arena_str(a->p->arena, name);
    struct awk_val none = {0};
    place = copy.p && vec_reserve(a->heap, &a->globals, 1) &&
                    vec_reserve(a->heap, &a->global_names, 1) && a->globals.n < INT32_MAX - 1
                ? map_put(&a->names, copy)
                : NULL;
    if (!place) {
        awk_nomem(a);
        return -1;
    }
    a->globals.p[a->globals.n++] = none;
    a->global_names.p[a->global_names.n++] = copy;
    *place = (void *)(uintptr_t)a->globals.n;
    return (int)a->globals.n - 1;
}

static void awk_set_text(struct awk *a, int which, const char *text)
{
    awk_special(a, which)[0] = awk_text_val(awk_str_new(a, text, strlen(text)));
}

static int awk_environ(void *ud, struct str name, struct str value)
{
    struct awk *a = ud;
    awk_array_put(a, awk_special(a, AWK_V_ENVIRON)->u.a, name, awk_input_val(a, value));
    return a->err;
}

static void awk_procinfo(struct awk *a)
{
    struct awk_array *t = awk_special(a, AWK_V_PROCINFO)->u.a;
    struct proc *p = a->p;
    struct awk_array *argv = awk_array_new(a), *ids = awk_array_new(a);
    struct awk_val words = {.u.a = argv, .kind = AWK_ARRAY},
                   known = {.u.a = ids, .kind = AWK_ARRAY};

    if (!argv || !ids) {
        if (argv)
            awk_array_unref(a, argv);
        if (ids)
            awk_array_unref(a, ids);
        return;
    }
    awk_array_put(a, argv, STR("0"), awk_input_val(a, p->name));
    awk_array_put(a, t, STR("version"), awk_text_val(awk_str_new(a, "5.2.1", 5)));
    awk_array_put(a, t, STR("strftime"),
                  awk_text_val(awk_str_new(a, "%a %b %e %H:%M:%S %Z %Y", 23)));
    awk_array_put(a, t, STR("platform"), awk_text_val(awk_str_new(a, "posix", 5)));
    awk_array_put(a, t, STR("api_major"), awk_number(3));
    awk_array_put(a, t, STR("api_minor"), awk_number(2));
    awk_array_put(a, t, STR("argv"), words);
    awk_array_put(a, t, STR("identifiers"), known);
    awk_array_put(a, t, STR("pid"), awk_number(p->pid));
    awk_array_put(a, t, STR("ppid"), awk_number(p->parent ? p->parent->pid : 1));
    awk_array_put(a, t, STR("pgrpid"), awk_number(p->pgid));
    awk_array_put(a, t, STR("uid"), awk_number(p->uid));
    awk_array_put(a, t, STR("euid"), awk_number(p->uid));
    awk_array_put(a, t, STR("gid"), awk_number(p->gid));
    awk_array_put(a, t, STR("egid"), awk_number(p->gid));
    awk_array_put(a, t, STR("FS"), awk_text_val(awk_str_new(a, "FS", 2)));
}

static bool awk_make_array(struct awk *a, int which)
{
    struct awk_array *t = awk_array_new(a);
    if (t)
        *awk_special(a, which) = (struct awk_val){.u.a = t, .kind = AWK_ARRAY};
    return t != NULL;
}

/* What must be there before the program is read. */
static bool awk_init(struct awk *a)
{
    struct proc *p = a->p;
    struct awk_val none = {0};

    a->heap = &p->kernel->heap;
    a->bytes = (a->characters_as_bytes && !a->posix) || locale_bytes(p);
    if (a->posix && a->traditional)
        proc_warn(p, "warning: `--posix' overrides `--traditional'");
    if (a->posix && a->characters_as_bytes)
        proc_warn(p, "warning: `--posix' overrides `--characters-as-bytes'");
    a->traditional |= a->posix;
    map_init(&a->names, a->heap);
    buf_init(&a->scratch, a->heap);
    buf_init(&a->scratch2, a->heap);
    out_init(&a->out, p, 1);
    out_init(&a->errors, p, 2);
    a->rec = "";
    a->seed = 0;
    a->arg = 1;
    a->rs_char = '\n';
    a->empty = awk_str_room(a, 0);
    a->absent = awk_str_room(a, 0);
    a->field_cap = 64;
    a->field = heap_alloc(a->heap, a->field_cap * sizeof *a->field);
    if (!a->empty || !a->absent || !a->field || !vec_push(a->heap, &a->consts, none) ||
        !awk_push_room(a, 64)) {
        awk_nomem(a);
        return false;
    }
    a->field[0] = (struct awk_field){.p = a->rec};
    a->split_done = true;
    a->rec_kind = a->field[0].own.kind = AWK_REF; /* $0 is unset */
    a->ofs = awk_str_new(a, " ", 1);
    a->ors = awk_str_new(a, "\n", 1);
    a->ofmt = awk_str_new(a, "%.6g", 4);
    a->convfmt = awk_str_new(a, "%.6g", 4);
    a->subsep = awk_str_new(a, "\034", 1);
    a->ofmt_plain = a->convfmt_plain = true;
    for (int i = 0; i < AWK_V_SPECIALS && !a->err; i++)
        awk_global(a, str_z(awk_special_names[i]));
    return !a->err;
}

static void awk_variables(struct awk *a)
{
    static const struct {
        int which;
        const char *text;
    } texts[] = {{AWK_V_FS, " "},
                 {AWK_V_RS, "\n"},
                 {AWK_V_OFS, " "},
                 {AWK_V_ORS, "\n"},
                 {AWK_V_OFMT, "%.6g"},
                 {AWK_V_CONVFMT, "%.6g"},
                 {AWK_V_SUBSEP, "\034"},
                 {AWK_V_RT, ""},
                 {AWK_V_FILENAME, ""},
                 {AWK_V_ERRNO, ""},
                 {AWK_V_FIELDWIDTHS, ""},
                 {AWK_V_FPAT, "[^[:space:]]+"},
                 {AWK_V_TEXTDOMAIN, "messages"},
                 {AWK_V_ROUNDMODE, "N"}};
    static const int numbers[] = {AWK_V_NF,         AWK_V_NR,     AWK_V_FNR,
                                  AWK_V_IGNORECASE, AWK_V_RSTART, AWK_V_RLENGTH,
                                  AWK_V_ARGIND,     AWK_V_LINT,   AWK_V_BINMODE};

    for (size_t i = 0; i < COUNT(texts); i++)
        awk_set_text(a, texts[i].which, texts[i].text);
    for (size_t i = 0; i < COUNT(numbers); i++)
        *awk_special(a, numbers[i]) = awk_number(0);
    *awk_special(a, AWK_V_PREC) = awk_number(53);
    if (!awk_make_array(a, AWK_V_ENVIRON) || !awk_make_array(a, AWK_V_ARGV) ||
        !awk_make_array(a, AWK_V_PROCINFO))
        return;
    struct proc *p = a->p;
    struct awk_array *argv = awk_special(a, AWK_V_ARGV)->u.a;
    struct awk_val *e = awk_array_at_int(a, argv, 0);
    if (e)
        *e = awk_input_val(a, p->name);
    for (int i = 0; i < p->argc && !a->err; i++) {
        e = awk_array_at_int(a, argv, i + 1);
        if (e)
            *e = awk_input_val(a, p->argv[i]);
    }
    *awk_special(a, AWK_V_ARGC) = awk_number(p->argc + 1);
    if (p->env)
        p->env->each(p->env_ctx, awk_environ, a);
    awk_procinfo(a);
}

/* -F and -v. */
static void awk_assignments(struct awk *a)
{
    if (a->fs_option.p) {
        struct buf b;
        buf_init(&b, a->heap);
        awk_unescape(a, a->fs_option, &b, true);
        awk_store(a, AWK_LV_GLOBAL, AWK_V_FS, awk_input_val(a, buf_get(&b)));
        buf_fini(&b);
    }
    for (size_t i = 0; i < a->assigns.n && !a->err; i++) {
        struct str s = a->assigns.p[i];
        ptrdiff_t eq = str_chr(s, '=');
        if (eq < 0) {
            proc_printf_err(a->p, "%.*s: `%.*s' argument to `-v' not in `var=value' form\n\n",
                            STR_ARG(a->p->name), STR_ARG(s));
            a->err = proc_usage(a->p) + 1;
        } else if (!awk_is_name(str_sub(s, 0, (size_t)eq))) {
            awk_fatal(a, "`%.*s' is not a legal variable name", (int)eq, s.p);
        } else {
            awk_assign_operand(a, s);
        }
    }
}

/* ---- the end --------------------------------------------------------------------------------- */

static void awk_free(struct awk *a)
{
    struct awk_str *const strs[] = {a->ofs, a->ors, a->ofmt, a->convfmt, a->subsep};

    while (a->sp > a->stack)
        awk_drop(a, --a->sp);
    for (size_t i = 0; i < a->loops.n; i++) {
        struct awk_loop *l = &a->loops.p[i];
        for (size_t k = l->at; k < l->n; k++)
            awk_drop(a, &l->keys[k]);
        heap_free(a->heap, l->keys, (l->n + 1) * sizeof *l->keys);
    }
    awk_input_fini(&a->main);
    if (a->field)
        awk_fields_free(a);
    for (size_t i = 0; i < a->globals.n; i++)
        awk_drop(a, &a->globals.p[i]);
    for (size_t i = 0; i < a->consts.n; i++)
        awk_drop(a, &a->consts.p[i]);
    awk_re_free_all(a);
    for (size_t i = 0; i < COUNT(strs); i++) {
        if (strs[i])
            awk_str_unref(a, strs[i]);
    }
    if (a->absent)
        awk_str_unref(a, a->absent);
    if (a->empty)
        awk_str_unref(a, a->empty);
    heap_free(a->heap, a->stack, (size_t)(a->stack_end - a->stack) * sizeof *a->stack);
    map_fini(&a->names);
    vec_fini(a->heap, &a->funcs);
    vec_fini(a->heap, &a->globals);
    vec_fini(a->heap, &a->global_names);
    vec_fini(a->heap, &a->consts);
    vec_fini(a->heap, &a->code);
    vec_fini(a->heap, &a->pos);
    vec_fini(a->heap, &a->ranges);
    vec_fini(a->heap, &a->frames);
    vec_fini(a->heap, &a->loops);
    buf_fini(&a->scratch);
    buf_fini(&a->scratch2);
    out_fini(&a->errors);
}

static int awk_run(struct proc *p, void *args)
{
    struct awk *a = args;

    a->p = p;
    if (!a->have_program) {
        if (p->argc == 0)
            return proc_usage(p);
        if (awk_add_source(p, a, p->argv[0], STR_NONE))
            return HOB_ENOMEM;
        p->argv++;
        p->argc--;
    }
    if (awk_init(a))
        awk_variables(a);
    if (!a->err)
        awk_assignments(a);
    if (!a->err)
        awk_parse(a);
    a->static_res = a->res;
    if (!a->err)
        awk_tables(a);
    if (!a->err)
        awk_compile(a);
    if (!a->err)
        awk_execute(a);
    int status = a->err > 0 ? a->err - 1 : a->status;
    if (a->err >= 0 && !a->heap->oom)
        a->err = 0; /* so that what is open is written out */
    awk_close_all(a);
    int err = a->err;
    awk_free(a);
    if (err < 0) {
        out_fini(&a->out);
        return err;
    }
    return command_close(p, &a->out, status);
}

const struct command cmd_awk = {
    .name = "awk",
    .usage = "[OPTION]... PROGRAM [FILE]...\n-f FILE [OPTION]... [FILE]...",
    .summary = "Run a program of patterns and actions over the records of files.",
    .notes = "The language is that of gawk, without two-way pipes, sockets and dynamic libraries.",
    .opts = awk_opts,
    .args_size = sizeof(struct awk),
    .flags = CMD_POSIXLY | CMD_USAGE_HELP,
    .usage_status = 1,
    .run = awk_run,
};

const struct command cmd_gawk = {
    .name = "gawk",
    .usage = "[OPTION]... PROGRAM [FILE]...\n-f FILE [OPTION]... [FILE]...",
    .summary = "Run a program of patterns and actions over the records of files.",
    .notes = "The language is that of gawk, without two-way pipes, sockets and dynamic libraries.",
    .opts = awk_opts,
    .args_size = sizeof(struct awk),
    .flags = CMD_POSIXLY | CMD_USAGE_HELP,
    .usage_status = 1,
    .run = awk_run,
};
