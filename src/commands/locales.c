/* locales.c -- locale: what the environment asks for, and what there is: C and C.UTF-8 */
#include "shell/command.h"

struct locales {
    bool all, charmaps, category, keyword;
};

static const struct opt locales_opts[] = {
    OPT_FLAG('a', "all-locales", struct locales, all, "the names of those that there are"),
    OPT_FLAG('m', "charmaps", struct locales, charmaps, "the names of the character maps"),
    OPT_FLAG('c', "category-name", struct locales, category, "with the names of the categories"),
    OPT_FLAG('k', "keyword-name", struct locales, keyword, "with the names of the keywords"),
    OPT_END,
};

static const char *const locales_categories[] = {
    "LC_CTYPE", "LC_NUMERIC", "LC_TIME",    "LC_COLLATE",   "LC_MONETARY",    "LC_MESSAGES",
    "LC_PAPER", "LC_NAME",    "LC_ADDRESS", "LC_TELEPHONE", "LC_MEASUREMENT", "LC_IDENTIFICATION"};

/* number: printed without quotes. */
static const struct {
    const char *category, *name, *value;
    bool number;
} locales_keywords[] = {
    {"LC_CTYPE", "charmap", "UTF-8", false},
    {"LC_NUMERIC", "decimal_point", ".", false},
    {"LC_NUMERIC", "thousands_sep", "", false},
    {"LC_NUMERIC", "grouping", "-1", true},
    {"LC_NUMERIC", "numeric-decimal-point-wc", "46", true},
    {"LC_NUMERIC", "numeric-thousands-sep-wc", "0", true},
    {"LC_NUMERIC", "numeric-codeset", "UTF-8", false},
    {"LC_TIME", "abday", "Sun;Mon;Tue;Wed;Thu;Fri;Sat", false},
    {"LC_TIME", "day", "Sunday;Monday;Tuesday;Wednesday;Thursday;Friday;Saturday", false},
    {"LC_TIME", "abmon", "Jan;Feb;Mar;Apr;May;Jun;Jul;Aug;Sep;Oct;Nov;Dec", false},
    {"LC_TIME", "mon",
     "January;February;March;April;May;June;July;August;September;October;November;December",
     false},
    {"LC_TIME", "am_pm", "AM;PM", false},
    {"LC_TIME", "d_t_fmt", "%a %b %e %H:%M:%S %Y", false},
    {"LC_TIME", "d_fmt", "%m/%d/%y", false},
    {"LC_TIME", "t_fmt", "%H:%M:%S", false},
    {"LC_TIME", "t_fmt_ampm", "%I:%M:%S %p", false},
    {"LC_MESSAGES", "yesexpr", "^[yY]", false},
    {"LC_MESSAGES", "noexpr", "^[nN]", false},
    {"LC_MESSAGES", "yesstr", "", false},
    {"LC_MESSAGES", "nostr", "", false},
    {"LC_MESSAGES", "messages-codeset", "UTF-8", false},
    {"LC_MONETARY", "int_curr_symbol", "", false},
    {"LC_MONETARY", "currency_symbol", "", false},
};

/* What holds for a category: LC_ALL, the variable of its own, LANG. *own: it is set itself. */
static struct str locales_value(struct proc *p, const char *category, bool *own)
{
    struct str v;
    *own = false;
    if (proc_getenv(p, STR("LC_ALL"), &v) && v.n)
        return v;
    if (proc_getenv(p, str_z(category), &v) && v.n) {
        *own = true;
        return v;
    }
    return proc_getenv(p, STR("LANG"), &v) && v.n ? v : STR("POSIX");
}

static void locales_show(struct proc *p, struct out *o)
{
    struct str v;
    bool own;
    out_printf(o, "LANG=%.*s\n", STR_ARG(proc_getenv(p, STR("LANG"), &v) ? v : STR("")));
    out_printf(o, "LANGUAGE=%.*s\n", STR_ARG(proc_getenv(p, STR("LANGUAGE"), &v) ? v : STR("")));
    for (size_t i = 0; i < COUNT(locales_categories); i++) {
        v = locales_value(p, locales_categories[i], &own);
        out_printf(o, own ? "%s=%.*s\n" : "%s=\"%.*s\"\n", locales_categories[i], STR_ARG(v));
    }
    out_printf(o, "LC_ALL=%.*s\n", STR_ARG(proc_getenv(p, STR("LC_ALL"), &v) ? v : STR("")));
}

static void locales_keyword(struct proc *p, struct out *o, const struct locales *l, size_t i)
{
    const char *value = locales_keywords[i].value;
    bool own;
    struct str set = locales_value(p, "LC_CTYPE", &own);
    if (strcmp(value, "UTF-8") == 0 && (str_eqz(set, "C") || str_eqz(set, "POSIX")))
        value = "ANSI_X3.4-1968";
    if (l->keyword)
        out_printf(o, locales_keywords[i].number ? "%s=%s\n" : "%s=\"%s\"\n",
                   locales_keywords[i].name, value);
    else
        out_printf(o, "%s\n", value);
}

static int locales_names(struct proc *p, struct out *o, const struct locales *l)
{
    int status = 0;
    for (int k = 0; k < p->argc; k++) {
        bool found = false;
        for (size_t i = 0; i < COUNT(locales_keywords); i++) {
            bool whole = str_eqz(p->argv[k], locales_keywords[i].category);
            if (!whole && !str_eqz(p->argv[k], locales_keywords[i].name))
                continue;
            if (l->category && !(found && whole))
                out_printf(o, "%s\n", locales_keywords[i].category);
            locales_keyword(p, o, l, i);
            found = true;
        }
        if (!found) {
            out_flush(o);
            proc_warn(p, "unknown name \"%.*s\"", STR_ARG(p->argv[k]));
            status = 1;
        }
    }
    return status;
}

static int locales_run(struct proc *p, void *args)
{
    struct locales *l = args;
    struct out o;
    int status = 0;
    out_init(&o, p, 1);
    if (l->all)
        out_puts(&o, "C\nC.utf8\nPOSIX\n");
    else if (l->charmaps)
        out_puts(&o, "ANSI_X3.4-1968\nUTF-8\n");
    else if (p->argc)
        status = locales_names(p, &o, l);
    else
        locales_show(p, &o);
    return command_close(p, &o, status);
}

const struct command cmd_locale = {
    .name = "locale",
    .usage = "[-a|-m]\nlocale [-ck] NAME...",
    .summary = "Print what the environment says of the locale, or what belongs to it.",
    .opts = locales_opts,
    .args_size = sizeof(struct locales),
    .usage_status = 1,
    .run = locales_run,
};
