/* shuf.c -- lines in a random order
 *
 * With --random-source the bytes of a file decide, in the way GNU's shuf uses them, so that the
 * same file gives the same order there and here.
 */
#include "shell/command.h"

#include "base/error.h"
#include "commands/lib/each.h"

struct shuf {
    bool echo, zero, repeat, has_range, has_count;
    struct str output, source;
    uint64_t low, high, count;
    struct proc *p;
    char end;
    struct in random; /* of --random-source */
    bool failed;
    uint64_t num, max; /* what is left of the last random bytes: a number from 0 to max */
};

static int shuf_count(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct shuf *s = args;
    uint64_t n;
    (void)o;
    int r = size_parse(arg, "", &n);
    if (r == HOB_EINVAL) {
        proc_warn(p, "invalid line count: %s", proc_quote(p, arg));
        return 2;
    }
    s->count = s->has_count ? MIN(s->count, n) : n;
    s->has_count = true;
    return 0;
}

static int shuf_range(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct shuf *s = args;
    ptrdiff_t dash = str_chr(arg, '-');
    (void)o;
    if (s->has_range) {
        proc_warn(p, "multiple -i options specified");
        return 2;
    }
    s->has_range = true;
    if (dash < 0 || str_uint(str_sub(arg, 0, (size_t)dash), &s->low) != 0 ||
        str_uint(str_from(arg, (size_t)dash + 1), &s->high) != 0 ||
        (s->low > s->high && s->low - s->high != 1)) {
        proc_warn(p, "invalid input range: %s", proc_quote(p, arg));
        return 2;
    }
    return 0;
}

static int shuf_output(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct shuf *s = args;
    (void)o;
    if (s->output.p && !str_eq(s->output, arg)) {
        proc_warn(p, "multiple output files specified");
        return 2;
    }
    s->output = arg;
    return 0;
}

static const struct opt shuf_opts[] = {
    OPT_FLAG('e', "echo", struct shuf, echo, "each operand is a line"),
    OPT_CALL('i', "input-range", shuf_range, "LO-HI", "the lines are the numbers from LO to HI"),
    OPT_CALL('n', "head-count", shuf_count, "COUNT", "write COUNT lines at the most"),
    OPT_CALL('o', "output", shuf_output, "FILE", "write to FILE, not to standard output"),
    OPT_STRING(0, "random-source", struct shuf, source, "FILE", "take random bytes from FILE"),
    OPT_FLAG('r', "repeat", struct shuf, repeat, "lines may come more than once"),
    OPT_FLAG('z', "zero-terminated", struct shuf, zero, "lines end with NUL, not newline"),
    OPT_END,
};

static unsigned shuf_byte(struct shuf *s)
{
    if (!s->source.p)
        return (unsigned)(random_next(&s->p->kernel->random) >> 56);
    int c = s->failed ? -1 : in_getc(&s->random);
    if (c >= 0)
        return (unsigned)c;
    if (!s->failed) {
        if (s->random.err)
            proc_warn_file(s->p, s->source, s->random.err);
        else
            proc_warn(s->p, "%s: end of file", proc_quote(s->p, s->source));
    }
    s->failed = true;
    return 0;
}

/* A number below n. What a number is more than needed for is kept for the next one. */
static uint64_t shuf_choose(struct shuf *s, uint64_t n)
{
    uint64_t top = n - 1, num = s->num, max = s->max;
    while (!s->failed) {
        while (max < top) {
            num = (num << 8) + shuf_byte(s);
            max = (max << 8) + 255;
        }
        if (max == top) {
            s->num = s->max = 0;
            return num;
        }
        uint64_t more = max - top, bad = more % n, last = max - bad;
        if (num <= last) {
            s->num = num / n;
            s->max = more / n;
            return num % n;
        }
        num -= last + 1;
        max = bad - 1;
    }
    return 0;
}

/* ---- input ----------------------------------------------------------------------------------- */

static int shuf_read(struct shuf *s, struct strs *lines)
{
    struct in in;
    struct str line;
    bool had;
    int r = in_open(&in, s->p, s->p->argc ? s->p->argv[0] : STR("-"));
    if (r < 0)
        return 1;
    /* Of a stream only as many lines as are wanted are kept: a random choice of those so far. */
    struct stat_info st;
    bool choose = s->has_count && !s->repeat &&
                  (!in.file || file_stat(in.file, &st) < 0 || !MODE_IS_FILE(st.mode) ||
                   st.size > 8192 * 1024);
    for (uint64_t n = 0;; n++) {
        uint64_t at = choose && n >= s->count ? shuf_choose(s, n + 1) : n;
        if (!in_line(&in, s->end, &line, &had))
            break;
        if (choose && n >= s->count) {
            if (at < s->count)
                lines->p[at] = arena_str(s->p->arena, line);
        } else if (!proc_push(s->p, lines, arena_str(s->p->arena, line))) {
            r = HOB_ENOMEM;
            break;
        }
        if (s->failed || (r = proc_tick(s->p, 1)) < 0)
            break;
    }
    if (in.err < 0 && r == 0) {
        proc_warn(s->p, "read error: %s", error_text(in.err));
        r = in.err == HOB_EKILLED ? in.err : 1;
    }
    in_fini(&in);
    return s->failed ? 1 : r;
}

/* ---- output ---------------------------------------------------------------------------------- */

static void shuf_put(struct shuf *s, struct out *o, const struct strs *lines, uint64_t i)
{
    if (s->has_range)
        out_printf(o, "%llu", (unsigned long long)(s->low + i));
    else
        out_str(o, lines->p[i]);
    out_putc(o, s->end);
}

/* The first of a random order of n. Of many only the places that were changed are kept. */
static int shuf_order(struct shuf *s, struct out *o, const struct strs *lines, uint64_t n,
                      uint64_t count)
{
    uint64_t *v = heap_alloc(&s->p->kernel->heap, (size_t)MIN(n, SIZE_MAX / 16) * sizeof *v);
    if (!v)
        return n ? HOB_ENOMEM : 0;
    for (uint64_t i = 0; i < n; i++)
        v[i] = i;
    for (uint64_t i = 0; i < count && !s->failed; i++) {
        uint64_t j = i + shuf_choose(s, n - i), t = v[i];
        v[i] = v[j];
        v[j] = t;
    }
    int r = 0;
    for (uint64_t i = 0; i < count && !s->failed && !o->err && r == 0; i++) {
        shuf_put(s, o, lines, v[i]);
        r = proc_tick(s->p, i % 16 == 0);
    }
    heap_free(&s->p->kernel->heap, v, (size_t)n * sizeof *v);
    return r;
}

/* A few out of a huge range: a number that came before is what the one it was swapped with is. */
static int shuf_sparse(struct shuf *s, struct out *o, uint64_t n, uint64_t count)
{
    struct proc *p = s->p;
    uint64_t(*swaps)[2] = arena_alloc(p->arena, (size_t)count * sizeof *swaps + 1);
    if (!swaps)
        return HOB_ENOMEM;
    uint64_t nswaps = 0;
    for (uint64_t i = 0; i < count && !s->failed && !o->err; i++) {
        uint64_t j = i + shuf_choose(s, n - i), at_i = i, at_j = j;
        for (uint64_t k = 0; k < nswaps; k++) {
            at_i = swaps[k][0] == i ? swaps[k][1] : at_i;
            at_j = swaps[k][0] == j ? swaps[k][1] : at_j;
        }
        swaps[nswaps][0] = j;
        swaps[nswaps++][1] = at_i;
        shuf_put(s, o, NULL, at_j);
        if (proc_tick(p, 1 + (int64_t)nswaps / 64) < 0)
            return HOB_EKILLED;
    }
    return 0;
}

static int shuf_repeat(struct shuf *s, struct out *o, const struct strs *lines, uint64_t n,
                       uint64_t count)
{
    for (uint64_t i = 0; (!s->has_count || i < count) && !o->err && !s->failed; i++) {
        uint64_t at = shuf_choose(s, n);
        if (!s->failed)
            shuf_put(s, o, lines, at);
        if (proc_tick(s->p, 1) < 0)
            return HOB_EKILLED;
    }
    return 0;
}

static int shuf_write(struct shuf *s, const struct strs *lines, uint64_t n)
{
    struct out o;
    struct file *own = NULL;
    int r = 0;
    uint64_t count = s->has_count ? s->count : UINT64_MAX;

    if (s->output.p) {
        r = vfs_open(s->p, s->output, FILE_WRITE | FILE_CREATE | FILE_TRUNC, 0666, &own);
        if (r < 0) {
            proc_warn_file(s->p, s->output, r);
            return 1;
        }
        out_init_file(&o, s->p, own);
    } else {
        out_init(&o, s->p, 1);
    }
    if (s->repeat && count) {
        if (n == 0) {
            proc_warn(s->p, "no lines to repeat");
            r = 1;
        } else {
            r = shuf_repeat(s, &o, lines, n, count);
        }
    } else if (s->has_range && n > 65536 && n / 32 > MIN(count, n)) {
        r = shuf_sparse(s, &o, n, MIN(count, n));
    } else {
        r = shuf_order(s, &o, lines, n, MIN(count, n));
    }
    r = command_close(s->p, &o, s->failed && r == 0 ? 1 : r);
    file_unref(own);
    return r;
}

static int shuf_run(struct proc *p, void *args)
{
    struct shuf *s = args;
    struct strs lines = {0};
    int r = 0;

    s->p = p;
    s->end = s->zero ? '\0' : '\n';
    if (s->echo && s->has_range) {
        proc_warn(p, "cannot combine -e and -i options");
        return proc_usage(p);
    }
    if (!s->echo && p->argc > (s->has_range ? 0 : 1))
        return proc_extra_operand(p, p->argv[s->has_range ? 0 : 1]);
    if (s->source.p && in_open(&s->random, p, s->source) < 0)
        return 1;
    uint64_t n = s->high - s->low + 1;
    if (s->echo) {
        lines.p = p->argv;
        n = (uint64_t)p->argc;
    } else if (!s->has_range) {
        r = s->has_count && s->count == 0 ? 0 : shuf_read(s, &lines);
        n = lines.n;
    }
    if (r == 0)
        r = shuf_write(s, &lines, n);
    if (s->source.p)
        in_fini(&s->random);
    return r;
}

const struct command cmd_shuf = {
    .name = "shuf",
    .usage = "[OPTION]... [FILE]\n-e [OPTION]... [ARG]...\n-i LO-HI [OPTION]...",
    .summary = "Write the lines of FILE in a random order.",
    .notes = "Without FILE, or when FILE is -, standard input is read.",
    .opts = shuf_opts,
    .args_size = sizeof(struct shuf),
    .usage_status = 1,
    .run = shuf_run,
};
