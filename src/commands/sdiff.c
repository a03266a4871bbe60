/* sdiff.c -- two files side by side: diff -y under another name */
#include "base/error.h"
#include "commands/lib/launch.h"
#include "shell/command.h"

struct sdiff {
    struct strs pass; /* options for diff */
    bool minimal, fast;
    struct str program;
};

/* Goes to diff as it is, by the long name of its own. */
static int sdiff_opt_pass(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct sdiff *s = args;
    const char *name = o->letter == 'l'   ? "left-column"
                       : o->letter == 's' ? "suppress-common-lines"
                       : o->letter == 'W' ? "ignore-all-space"
                                          : o->name;
    struct str word = arg.p ? arena_printf(p->arena, "--%s=%.*s", name, STR_ARG(arg))
                            : arena_printf(p->arena, "--%s", name);
    return word.p && proc_push(p, &s->pass, word) ? 0 : 3;
}

#define SDIFF_PASS(l, n, a, h) OPT_CALL(l, n, sdiff_opt_pass, a, h)
static const struct opt sdiff_opts[] = {
    SDIFF_PASS('i', "ignore-case", NULL, "ignore case"),
    SDIFF_PASS('E', "ignore-tab-expansion", NULL, "ignore changes by tabs"),
    SDIFF_PASS('Z', "ignore-trailing-space", NULL, "ignore blanks at the ends of lines"),
    SDIFF_PASS('b', "ignore-space-change", NULL, "ignore changes in the amount of blanks"),
    SDIFF_PASS('W', "ignore-all-space", NULL, "ignore all blanks"),
    SDIFF_PASS('B', "ignore-blank-lines", NULL, "ignore empty lines"),
    SDIFF_PASS('I', "ignore-matching-lines", "RE", "ignore lines that match RE"),
    SDIFF_PASS(0, "strip-trailing-cr", NULL, "without carriage returns at the ends of lines"),
    SDIFF_PASS('a', "text", NULL, "take all files for text"),
    SDIFF_PASS('w', "width", "NUM", "at most NUM columns"),
    SDIFF_PASS('l', "left-column", NULL, "the left column alone where lines are equal"),
    SDIFF_PASS('s', "suppress-common-lines", NULL, "no lines that are equal"),
    SDIFF_PASS('t', "expand-tabs", NULL, "blanks, no tabs"),
    SDIFF_PASS(0, "tabsize", "NUM", "tab stops every NUM columns"),
    OPT_FLAG('d', "minimal", struct sdiff, minimal, "(accepted)"),
    OPT_FLAG('H', "speed-large-files", struct sdiff, fast, "(accepted)"),
    OPT_STRING(0, "diff-program", struct sdiff, program, "PROGRAM", "(accepted)"),
    OPT_END,
};
#undef SDIFF_PASS

static int sdiff_run(struct proc *p, void *args)
{
    struct sdiff *s = args;
    struct strs words = {0};
    if (p->argc < 2) {
        proc_warn(p, "missing operand after '%.*s'", STR_ARG(p->argc ? p->argv[0] : p->name));
        return proc_usage(p);
    }
    if (p->argc > 2) {
        proc_warn(p, "extra operand '%.*s'", STR_ARG(p->argv[2]));
        return proc_usage(p);
    }
    bool ok = proc_push(p, &words, STR("diff")) && proc_push(p, &words, STR("-y"));
    for (size_t i = 0; i < s->pass.n; i++)
        ok = ok && proc_push(p, &words, s->pass.p[i]);
    ok = ok && proc_push(p, &words, STR("--")) && proc_push(p, &words, p->argv[0]) &&
         proc_push(p, &words, p->argv[1]);
    if (!ok)
        return HOB_ENOMEM;
    int e = launch_run(p, words.p, (int)words.n, NULL);
    if (e == HOB_ENOENT || e == HOB_EACCES) {
        proc_warn(p, "subsidiary program 'diff' not found");
        return 2;
    }
    return e;
}

const struct command cmd_sdiff = {
    .name = "sdiff",
    .usage = "[OPTION]... FILE1 FILE2",
    .summary = "Show two files side by side, with what differs between them.",
    .notes = "Merging by hand (-o) needs a person at a terminal: use diff3 -m or patch.",
    .opts = sdiff_opts,
    .args_size = sizeof(struct sdiff),
    .flags = CMD_USAGE_NAME,
    .usage_status = 2,
    .run = sdiff_run,
};
