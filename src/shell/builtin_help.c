/* builtin_help.c -- help: what builtins and reserved words are for */
#include "shell/builtin_impl.h"
#include "text/glob.h"

/* Words of the language, which are no builtins. The name is how they are listed. */
static const struct builtin help_words[] = {
    {.name = "%",
     .usage = "job_spec [&]",
     .summary =
         "Bring a job to the foreground.\n\nThe same as `fg JOB_SPEC'; with `&' behind it as "
         "`bg JOB_SPEC'.\n\nExit Status:\nThat of the job."},
    {.name = "(( ... ))",
     .usage = "(( expression ))",
     .summary = "Evaluate arithmetic.\n\nThe same as `let \"EXPRESSION\"'.\n\nExit Status:\n"
                "One if EXPRESSION is 0, else zero."},
    {.name = "[[ ... ]]",
     .usage = "[[ expression ]]",
     .summary = "Evaluate a condition.\n\nAs `test', but words are not split and not matched "
                "against files,\nand there are besides:\n  A && B, A || B, ! A, ( A )\n"
                "  S == P, S != P\tP is a pattern\n  S =~ R\tR is a regular expression; "
                "BASH_REMATCH holds what matched\n\nExit Status:\nZero if the condition holds, one "
                "if not, two if it cannot be understood."},
    {.name = "case",
     .usage = "case WORD in [PATTERN [| PATTERN]...) COMMANDS ;;]... esac",
     .summary = "Run the commands behind the first pattern that fits.\n\n`;&' instead of `;;' goes "
                "on with the next commands, `;;&' with the next pattern.\n\nExit Status:\nThat of "
                "the last command, zero if no pattern fits."},
    {.name = "coproc",
     .usage = "coproc [NAME] command [redirections]",
     .summary = "Run a command beside the shell, with pipes to it.\n\nNAME[0] is a descriptor to "
                "read its output from, NAME[1] one for its\ninput. NAME is COPROC if not given.\n\n"
                "Exit Status:\nZero."},
    {.name = "for",
     .usage = "for NAME [in WORDS ... ] ; do COMMANDS; done",
     .summary = "Run commands for each word.\n\nNAME is each of WORDS in turn, or each positional "
                "parameter without `in'.\n\nExit Status:\nThat of the last command."},
    {.name = "for ((",
     .usage = "for (( exp1; exp2; exp3 )); do COMMANDS; done",
     .summary = "Run commands while an expression is not 0.\n\nEXP1 is evaluated first, EXP2 "
                "before and EXP3 after each turn.\n\nExit Status:\nThat of the last command."},
    {.name = "function",
     .usage = "function name { COMMANDS ; } or name () { COMMANDS ; }",
     .summary = "Define a function.\n\nIt is called by its name; its arguments are $1, $2 ... and "
                "FUNCNAME is\nits name.\n\nExit Status:\nZero unless NAME is readonly."},
    {.name = "if",
     .usage = "if COMMANDS; then COMMANDS; [ elif COMMANDS; then COMMANDS; ]... [ else COMMANDS; ] "
              "fi",
     .summary = "Run commands on a condition.\n\nThe commands behind the first condition with "
                "status zero run, or those\nbehind `else'.\n\nExit Status:\nThat of the last "
                "command, zero if no condition held."},
    {.name = "select",
     .usage = "select NAME [in WORDS ... ;] do COMMANDS; done",
     .summary = "Let the user choose, and run commands for the choice.\n\nThe WORDS are printed "
                "with numbers and PS3 asks for one. NAME is the word\nof that number, REPLY what "
                "was typed.\n\nExit Status:\nThat of the last command."},
    {.name = "time",
     .usage = "time [-p] pipeline",
     .summary = "Tell how long a pipeline takes.\n\nTIMEFORMAT says how; -p takes the format of "
                "POSIX.\n\nExit Status:\nThat of the pipeline."},
    {.name = "until",
     .usage = "until COMMANDS; do COMMANDS-2; done",
     .summary = "Run COMMANDS-2 as long as COMMANDS fail.\n\nExit Status:\nThat of the last "
                "command."},
    {.name = "variables",
     .usage = "variables - Names and meanings of some shell variables",
     .summary = "Names of variables that the shell knows.\n\n"
                "BASH_VERSION\tthe version of bash that is followed\n"
                "CDPATH\twhere `cd' looks for folders\n"
                "GLOBIGNORE\tpatterns of names that pathname expansion leaves out\n"
                "HISTFILE, HISTFILESIZE, HISTSIZE\tthe history and its file\n"
                "HOME\tyour home folder\n"
                "HOSTNAME, HOSTTYPE, MACHTYPE, OSTYPE\tthe machine\n"
                "IFS\twhat separates fields\n"
                "OPTARG, OPTIND, OPTERR\tof `getopts'\n"
                "PATH\twhere commands are looked for\n"
                "PROMPT_COMMAND\truns before each prompt\n"
                "PS1, PS2, PS3, PS4\tprompts\n"
                "PWD, OLDPWD\tthe working folder, and the one before\n"
                "RANDOM, SECONDS, LINENO\tchange by themselves\n"
                "SHELLOPTS, BASHOPTS\toptions that are on\n"
                "TERM\tthe kind of terminal\n"
                "TIMEFORMAT\tof `time'\n"
                "TMOUT\tseconds after which `read' gives up"},
    {.name = "while",
     .usage = "while COMMANDS; do COMMANDS-2; done",
     .summary = "Run COMMANDS-2 as long as COMMANDS succeed.\n\nExit Status:\nThat of the last "
                "command."},
    {.name = "{ ... }",
     .usage = "{ COMMANDS ; }",
     .summary = "Run commands as one.\n\nRedirections behind the brace count for all of them.\n\n"
                "Exit Status:\nThat of the last command."},
};

void help_each(void (*fn)(void *ud, const struct builtin *b), void *ud)
{
    size_t i = 0;
    const struct builtin *const *t = builtin_table;
    while (i < COUNT(help_words) || *t) {
        if (!*t || (i < COUNT(help_words) && strcmp(help_words[i].name, (*t)->name) < 0))
            fn(ud, &help_words[i++]);
        else
            fn(ud, *t++);
    }
}

enum help_form {
    HELP_FULL,
    HELP_LINE,
    HELP_SHORT,
    HELP_MAN
};

/* The text with four blanks in front of each line. */
static void help_indent(struct buf *b, const char *text)
{
    struct str s = str_z(text);
    while (s.n) {
        ptrdiff_t end = str_chr(s, '\n');
        struct str line = end < 0 ? s : str_sub(s, 0, (size_t)end);
        buf_addz(b, "    ");
        buf_str(b, line);
        buf_putc(b, '\n');
        s = str_from(s, line.n + 1);
    }
}

static void help_print(struct buf *b, const struct builtin *t, enum help_form form)
{
    const char *end = strchr(t->summary, '\n');
    int first = end ? (int)(end - t->summary) : (int)strlen(t->summary);
    switch (form) {
    case HELP_LINE: buf_printf(b, "%s - %.*s\n", t->name, first, t->summary); break;
    case HELP_SHORT: buf_printf(b, "%s: %s\n", t->name, t->usage); break;
    case HELP_FULL:
        buf_printf(b, "%s: %s\n", t->name, t->usage);
        help_indent(b, t->summary);
        break;
    case HELP_MAN:
        buf_printf(b, "NAME\n    %s - %.*s\n\nSYNOPSIS\n    %s\n\nDESCRIPTION\n", t->name, first,
                   t->summary, t->usage);
        help_indent(b, t->summary);
        buf_addz(b, "\nSEE ALSO\n    bash(1)\n\n");
        break;
    }
}

bool builtin_help_asked(struct shell *sh, struct str *argv, int argc, int at)
{
    struct buf b;
    if (at >= argc || !str_eqz(argv[at], "--help"))
        return false;
    buf_init(&b, sh->heap);
    help_print(&b, sh->builtin, HELP_FULL);
    builtin_print(sh, &b, 0);
    return true;
}

/* ---- topics by pattern ----------------------------------------------------------------------- */

struct help_search {
    struct buf *b;
    enum help_form form;
    struct str word;
    struct glob_prog *glob;
    bool prefix; /* second go: what begins with the word */
    int found;
};

static void help_match(void *ud, const struct builtin *t)
{
    struct help_search *h = ud;
    struct str name = str_z(t->name);
    bool fits = h->prefix ? str_starts(name, h->word)
                          : str_eq(name, h->word) || (h->glob && glob_match(h->glob, name));
    if (fits) {
        h->found++;
        help_print(h->b, t, h->form);
    }
}

static int help_topics(struct shell *sh, struct str *words, int n, enum help_form form)
{
    struct buf b;
    int found = 0;
    buf_init(&b, sh->heap);
    if (glob_magic(words[0], 0)) {
        buf_printf(&b, "Shell commands matching keyword%s `", n > 1 ? "s" : "");
        for (int i = 0; i < n; i++)
            buf_printf(&b, "%s%.*s", i ? ", " : "", STR_ARG(words[i]));
        buf_addz(&b, "'\n\n");
    }
    for (int i = 0; i < n; i++) {
        struct help_search h = {.b = &b, .form = form, .word = words[i]};
        h.glob = glob_compile(&sh->arena, words[i], GLOB_EXT);
        help_each(help_match, &h);
        if (!h.found) {
            h.prefix = true;
            help_each(help_match, &h);
        }
        found += h.found;
    }
    int status = builtin_print(sh, &b, 0);
    if (found)
        return status;
    struct str w = words[n - 1];
    shell_builtin_error(sh,
                        "no help topics match `%.*s'.  Try `help help' or `man -k %.*s' or `info "
                        "%.*s'.",
                        STR_ARG(w), STR_ARG(w), STR_ARG(w));
    return 1;
}

/* ---- the list -------------------------------------------------------------------------------- */

enum {
    HELP_TOPICS_MAX = 128
};

struct help_list {
    const struct builtin *t[HELP_TOPICS_MAX];
    size_t n;
};

static void help_collect(void *ud, const struct builtin *t)
{
    struct help_list *l = ud;
    if (l->n < HELP_TOPICS_MAX)
        l->t[l->n++] = t;
}

static void help_cell(struct shell *sh, struct buf *b, const struct builtin *t, size_t width,
                      bool fill)
{
    struct str s = str_z(t->usage);
    size_t room = width - (fill ? 2 : 3);
    buf_putc(b, t->run && !builtin_active(sh, str_z(t->name)) ? '*' : ' ');
    if (s.n > room) {
        buf_add(b, s.p, room - 1);
        buf_putc(b, '>');
        s.n = room;
    } else {
        buf_str(b, s);
    }
    if (fill)
        buf_fill(b, ' ', width - 1 - s.n);
}

static int help_all(struct shell *sh)
{
    struct help_list l = {.n = 0};
    struct buf b;
    struct str v;
    int64_t columns = 80;
    help_each(help_collect, &l);
    if (!var_str(sh, sym_of(SYM_COLUMNS), &v) || str_int(v, &columns) < 0 || columns <= 0)
        columns = 80;
    size_t width = (size_t)MIN(MAX(columns, 10), 160) / 2, rows = (l.n + 1) / 2;
    buf_init(&b, sh->heap);
    buf_addz(&b, "These commands are part of the shell. `help NAME' tells more about one of them.\n"
                 "A star (*) in front of a name means that it is switched off.\n\n");
    for (size_t i = 0; i < rows; i++) {
        bool two = i + rows < l.n;
        help_cell(sh, &b, l.t[i], width, two);
        if (two)
            help_cell(sh, &b, l.t[i + rows], width, false);
        buf_putc(&b, '\n');
    }
    return builtin_print(sh, &b, 0);
}

static int help_run(struct shell *sh, struct str *argv, int argc)
{
    struct getopt_state g = {.at = 1};
    enum help_form form = HELP_FULL;
    int c;
    while ((c = builtin_getopt(sh, &g, argv, argc, "dms")) != -1) {
        switch (c) {
        case 'd': form = HELP_LINE; break;
        case 'm': form = HELP_MAN; break;
        case 's': form = HELP_SHORT; break;
        default: return builtin_usage(sh);
        }
    }
    return g.at < argc ? help_topics(sh, argv + g.at, argc - g.at, form) : help_all(sh);
}

const struct builtin builtin_help = {
    .name = "help",
    .run = help_run,
    .usage = "help [-dms] [pattern ...]",
    .summary = "Tell about builtin commands.\n"
               "\n"
               "Without a PATTERN all of them are listed.\n"
               "\n"
               "Options:\n"
               "  -d\tone line for each\n"
               "  -m\tin the form of a manual page\n"
               "  -s\tthe usage line alone\n"
               "\n"
               "Exit Status:\n"
               "Zero unless an option is wrong or nothing fits PATTERN.",
};
