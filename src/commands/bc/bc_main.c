/* bc_main.c -- bc: a calculator with numbers of any precision, and a small language */
#include "commands/bc/bc.h"

#include "base/error.h"

static const struct opt bc_opts[] = {
    OPT_FLAG('i', "interactive", struct bc, interactive, "read line by line (that is always so)"),
    OPT_FLAG('l', "mathlib", struct bc, mathlib,
             "with the functions s c a l e j, and 20 digits behind the point"),
    OPT_FLAG('q', "quiet", struct bc, quiet, "no words at the start (there are none)"),
    OPT_FLAG('s', "standard", struct bc, standard, "refuse what POSIX does not have"),
    OPT_FLAG('w', "warn", struct bc, warn, "warn about what POSIX does not have"),
    OPT_END,
};

/* The words of BC_ENV_ARGS stand before those of the command line. */
static void bc_defaults(struct proc *p, void *args)
{
    struct bc *b = args;
    struct str v;

    b->standard = proc_getenv(p, STR("POSIXLY_CORRECT"), &v);
    if (!proc_getenv(p, STR("BC_ENV_ARGS"), &v))
        return;
    struct str *argv = arena_array(p->arena, struct str, (size_t)p->argc + v.n + 1);
    int n = 0;
    if (!argv)
        return;
    argv[n++] = p->argv[0];
    while (v.n) {
        ptrdiff_t end = str_chr(v, ' ');
        struct str word = end < 0 ? v : str_sub(v, 0, (size_t)end);
        v = str_from(v, word.n + 1);
        word = word.n ? arena_str(p->arena, word) : STR_NONE;
        if (word.p)
            argv[n++] = word;
    }
    for (int i = 1; i < p->argc; i++)
        argv[n++] = p->argv[i];
    p->argv = argv;
    p->argc = n;
}

static int bc_tick(void *ud, int64_t n) { return proc_tick(ud, n); }

static bool bc_setup(struct bc *b, struct proc *p)
{
    struct heap *h = &p->kernel->heap;
    struct str v;
    uint64_t n;

    b->p = p;
    b->calc = (struct bignum_calc){.heap = h, .tick = bc_tick, .ud = p};
    out_init(&b->out, p, 1);
    buf_init(&b->text, h);
    for (size_t i = 0; i < COUNT(b->names); i++)
        map_init(&b->names[i], h);
    b->ibase = b->obase = 10;
    b->ahead = -2;
    b->line = 1;
    b->file = STR("(standard_in)");
    b->line_size = 70;
    if (proc_getenv(p, STR("BC_LINE_LENGTH"), &v) && str_uint(v, &n) == 0 && (n == 0 || n > 2))
        b->line_size = n;
    b->zero = decimal_int(&b->calc, 0);
    b->one = decimal_int(&b->calc, 1);
    b->last = decimal_int(&b->calc, 0);
    struct bc_func *main = heap_new(h, struct bc_func);
    if (main)
        buf_init(&main->code, h);
    if (main && !vec_push(h, &b->funcs, main)) {
        heap_drop(h, main);
        main = NULL;
    }
    for (int i = 0; i < BC_SPECIAL; i++)
        if (!vec_push(h, &b->vars, (struct bc_var){0}) || !vec_push(h, &b->var_names, STR_NONE))
            return false;
    return main && b->zero && b->one && b->last;
}

/* Reads and runs until there is no more. */
static void bc_lines(struct bc *b)
{
    while (!b->err && !b->halted && !b->out.err && !b->p->kernel->heap.oom) {
        if (bc_compile(b))
            bc_execute(b);
        else if (b->token.kind == BC_T_EOF)
            break;
    }
    b->ahead = -2;
}

static int bc_run(struct proc *p, void *args)
{
    struct bc *b = args;
    struct in in;

    in_init(&in, p, -1);
    b->in = &in;
    if (bc_setup(b, p)) {
        if (b->mathlib) {
            b->source = bc_library;
            bc_lines(b);
            b->source = NULL;
            b->eof = false;
            b->line = 1;
        }
        bc_lines(b);
    } else {
        b->err = HOB_ENOMEM;
    }
    in_fini(&in);
    bc_free(b);
    return command_close(p, &b->out, b->err);
}

const struct command cmd_bc = {
    .name = "bc",
    .usage = "[OPTION]... [FILE]...",
    .summary = "Calculate what stands in the FILEs, then what standard input says.",
    .notes = "Numbers have any precision; `scale` digits behind the point are kept by / and sqrt.\n"
             "ibase and obase are the bases of input and output. There are variables, arrays,\n"
             "functions (define f(x) { auto a; return (x*2) }), if else, while, for, print,\n"
             "length(), scale(), sqrt() and read(). Long numbers are broken at BC_LINE_LENGTH\n"
             "columns (70; 0 is never).",
    .opts = bc_opts,
    .args_size = sizeof(struct bc),
    .flags = CMD_USAGE_LINE,
    .usage_status = 1,
    .run = bc_run,
    .defaults = bc_defaults,
};
