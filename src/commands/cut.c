/* cut.c -- parts of lines: bytes, characters or fields */
#include "shell/command.h"

#include "commands/lib/each.h"
#include "commands/lib/ranges.h"

struct cut {
    struct str selected, delim, output_delim;
    bool by_fields, only_delimited, complement, zero, no_split;
    char sep, end;
    struct ranges list;
    struct out out;
};

static int cut_list(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct cut *c = args;
    if (c->selected.p) {
        proc_warn(p, "only one list may be specified");
        return proc_usage(p) + 1;
    }
    c->selected = arg;
    c->by_fields = o->letter == 'f';
    return 0;
}

static const struct opt cut_opts[] = {
    OPT_CALL('b', "bytes", cut_list, "LIST", "only these bytes"),
    OPT_CALL('c', "characters", cut_list, "LIST", "only these characters (bytes, as GNU has it)"),
    OPT_STRING('d', "delimiter", struct cut, delim, "DELIM",
               "fields are parted by DELIM, not by tabs"),
    OPT_CALL('f', "fields", cut_list, "LIST",
             "only these fields; also lines without a delimiter, unless -s is given"),
    OPT_FLAG('n', NULL, struct cut, no_split, "(ignored)"),
    OPT_FLAG(0, "complement", struct cut, complement, "all but what was selected"),
    OPT_FLAG('s', "only-delimited", struct cut, only_delimited, "no lines without a delimiter"),
    OPT_STRING(0, "output-delimiter", struct cut, output_delim, "STRING",
               "put STRING between the parts, not the delimiter"),
    OPT_FLAG('z', "zero-terminated", struct cut, zero, "lines end with NUL, not newline"),
    OPT_END,
};

static int cut_bytes(struct in *in, void *ud)
{
    struct cut *c = ud;
    struct str line;
    bool had;

    while (in_line(in, c->end, &line, &had) && !c->out.err) {
        bool any = false;
        for (size_t i = 0; i < c->list.n; i++) {
            struct range r = c->list.p[i];
            if (r.from > line.n)
                break;
            if (any && c->output_delim.p)
                out_str(&c->out, c->output_delim);
            out_write(&c->out, line.p + r.from - 1,
                      (size_t)(MIN(r.to, (uint64_t)line.n) - r.from + 1));
            any = true;
        }
        out_write(&c->out, &c->end, 1);
    }
    return c->out.err ? 1 : 0;
}

/* The fields of one line that are in the list, between `from` and `to` of the line. */
static void cut_line(struct cut *c, struct str line, const char *first)
{
    const char *p = line.p, *end = line.p + line.n, *sep = first;
    uint64_t field = 1;
    size_t r = 0;
    bool any = false;

    while (r < c->list.n) {
        const char *stop = sep ? sep : end;
        if (field >= c->list.p[r].from) {
            /* A range of fields that stand together goes out in one piece. */
            const char *start = p;
            if (!c->output_delim.p) {
                while (sep && field < c->list.p[r].to) {
                    p = sep + 1;
                    sep = p < end ? memchr(p, c->sep, (size_t)(end - p)) : NULL;
                    stop = sep ? sep : end;
                    field++;
                    if (c->list.p[r].to == UINT64_MAX) {
                        stop = end;
                        sep = NULL;
                    }
                }
                if (any)
                    out_write(&c->out, &c->sep, 1);
            } else if (any) {
                out_str(&c->out, c->output_delim);
            }
            out_write(&c->out, start, (size_t)(stop - start));
            any = true;
            if (field >= c->list.p[r].to)
                r++;
        }
        if (!sep)
            break;
        p = sep + 1;
        sep = p < end ? memchr(p, c->sep, (size_t)(end - p)) : NULL;
        field++;
    }
    out_write(&c->out, &c->end, 1);
}

static int cut_fields(struct in *in, void *ud)
{
    struct cut *c = ud;
    struct str line;
    bool had;

    while (in_line(in, c->end, &line, &had) && !c->out.err) {
        const char *first = line.n ? memchr(line.p, c->sep, line.n) : NULL;
        if (first) {
            cut_line(c, line, first);
        } else if (!c->only_delimited) {
            out_str(&c->out, line);
            out_write(&c->out, &c->end, 1);
        }
    }
    return c->out.err ? 1 : 0;
}

/* -d '\n': the lines of the input are the fields. */
static int cut_whole(struct in *in, void *ud)
{
    struct cut *c = ud;
    struct str text, line;
    uint64_t field = 1;
    size_t r = 0;
    bool any = false;
    struct str sep = c->output_delim.p ? c->output_delim : STR("\n");

    if (in_all(in, &text) < 0 || text.n == 0)
        return 0;
    if (text.p[text.n - 1] == c->sep)
        text.n--;
    for (bool more = true; more && r < c->list.n; field++) {
        ptrdiff_t at = str_chr(text, c->sep);
        more = at >= 0;
        line = str_sub(text, 0, more ? (size_t)at : text.n);
        text = str_from(text, line.n + 1);
        if (field < c->list.p[r].from)
            continue;
        if (any)
            out_str(&c->out, sep);
        out_str(&c->out, line);
        any = true;
        if (field >= c->list.p[r].to)
            r++;
    }
    out_write(&c->out, &c->end, 1);
    return 0;
}

static int cut_fail(struct proc *p, const char *text)
{
    proc_warn(p, "%s", text);
    return proc_usage(p);
}

static int cut_run(struct proc *p, void *args)
{
    struct cut *c = args;
    bool fields = c->by_fields;

    if (c->delim.p && c->delim.n > 1)
        return cut_fail(p, "the delimiter must be a single character");
    if (!c->selected.p)
        return cut_fail(p, "you must specify a list of bytes, characters, or fields");
    if (!fields && c->delim.p)
        return cut_fail(p, "an input delimiter may be specified only when operating on fields");
    if (!fields && c->only_delimited)
        return cut_fail(p, "suppressing non-delimited lines makes sense\n"
                           "\tonly when operating on fields");
    int flags = (fields ? 0 : RANGES_BYTES) | (c->complement ? RANGES_COMPLEMENT : 0);
    int r = ranges_parse(p, c->selected, flags, &c->list);
    if (r)
        return r;
    c->end = c->zero ? '\0' : '\n';
    c->sep = !c->delim.p ? '\t' : c->delim.n ? c->delim.p[0] : '\0';
    out_init(&c->out, p, 1);
    r = each_file(p, !fields ? cut_bytes : c->sep == c->end ? cut_whole : cut_fields, c);
    return command_close(p, &c->out, r);
}

const struct command cmd_cut = {
    .name = "cut",
    .usage = "OPTION... [FILE]...",
    .summary = "Write selected parts of each line of the FILEs to standard output.",
    .notes = "Use one of -b, -c and -f. LIST is made of ranges parted by commas: N, N-, N-M, -M, "
             "counted\n"
             "from 1. Without FILE, or when FILE is -, standard input is read.",
    .opts = cut_opts,
    .args_size = sizeof(struct cut),
    .usage_status = 1,
    .run = cut_run,
};
