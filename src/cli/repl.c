/* repl.c -- hob shell: a prompt in a sandbox
 *
 * The line is edited by libedit where it is built in. While a command runs, Ctrl-C goes to the
 * command; the shell stays.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "sandbox/local.h"
#ifdef HAVE_LIBEDIT
#include <histedit.h>
#endif

struct repl {
    hob_sandbox *box;
    hob_shell *shell;
    bool tty;
    char *text; /* lines of a command that is not complete yet */
    size_t n, cap;
    int status;
    char prompt[1024];
#ifdef HAVE_LIBEDIT
    EditLine *edit;
    History *history;
#endif
};

static volatile sig_atomic_t repl_interrupted;

static void repl_on_signal(int sig)
{
    (void)sig;
    repl_interrupted = 1;
}

static int repl_output(void *ud, int stream, const void *data, size_t len)
{
    (void)ud;
    const char *p = data;
    while (len > 0) {
        ssize_t n = write(stream, p, len);
        if (n < 0 && (errno == EINTR || errno == EAGAIN))
            continue;
        if (n < 0)
            return HOB_EIO;
        p += n;
        len -= (size_t)n;
    }
    return 0;
}

static ptrdiff_t repl_input(void *ud, void *dst, size_t cap)
{
    (void)ud;
    struct pollfd p = {.fd = 0, .events = POLLIN};
    if (poll(&p, 1, 0) <= 0)
        return HOB_EAGAIN;
    ssize_t n = read(0, dst, cap);
    return n < 0 ? (errno == EINTR || errno == EAGAIN ? HOB_EAGAIN : HOB_EIO) : n;
}

/* Runs one complete command. Ctrl-C ends what runs and comes back to the prompt. */
static void repl_run(struct repl *r)
{
    hob_exec_options o = {.size = sizeof o,
                          .output = repl_output,
                          .read = repl_input,
                          .tty = r->tty,
                          .script_len = r->n};
    hob_job *job;
    hob_error err;
    hob_result res = {0};
    if (hob_shell_exec_start(r->shell, r->text, &o, &job, &err) < 0) {
        cli_error("%s", err.msg);
        return;
    }
    while (!hob_job_done(job)) {
        if (repl_interrupted) {
            repl_interrupted = 0;
            hob_interrupt(r->box);
        }
        int step = hob_step(r->box, 0);
        if (step < 0)
            break;
        if (step == HOB_STEP_MORE || hob_job_done(job))
            continue;
        hob_pending w = {.size = sizeof w};
        hob_wait_for(r->box, &w);
        int ms = w.until_ns < 0 ? 100 : (int)(w.until_ns / 1000000) + 1;
        struct pollfd p[2] = {{.fd = w.input ? 0 : -1, .events = POLLIN},
                              {.fd = w.fd, .events = POLLIN}};
        poll(p, 2, ms < 100 ? ms : 100);
    }
    if (hob_job_finish(job, &res) == 0) {
        r->status = res.status;
        if (res.limit == HOB_LIMIT_INTERRUPT && r->tty)
            fputc('\n', stderr);
        else if (res.limit)
            cli_error("%s", res.message);
        hob_result_free(&res);
    }
}

/* ---- lines ----------------------------------------------------------------------------------- */

static bool repl_add(struct repl *r, const char *line, size_t n)
{
    if (r->n + n + 1 > r->cap) {
        size_t cap = (r->n + n + 1) * 2;
        char *p = realloc(r->text, cap);
        if (!p)
            return false;
        r->text = p;
        r->cap = cap;
    }
    memcpy(r->text + r->n, line, n);
    r->n += n;
    r->text[r->n] = '\0';
    return true;
}

static void repl_prompt(struct repl *r)
{
    hob_bytes b;
    r->prompt[0] = '\0';
    if (hob_shell_prompt(r->shell, r->n > 0, &b) == 0) {
        snprintf(r->prompt, sizeof r->prompt, "%s", b.data);
        hob_free(b.data);
    }
}

#ifdef HAVE_LIBEDIT
static char *repl_edit_prompt(EditLine *e)
{
    struct repl *r;
    el_get(e, EL_CLIENTDATA, &r);
    return r->prompt;
}

/* The longest text that all candidates begin with. */
static size_t repl_common(const char *list, size_t *count)
{
    const char *first = list;
    size_t n = strcspn(list, "\n");
    *count = 0;
    for (const char *at = list; *at; at += strcspn(at, "\n"), at += *at == '\n') {
        size_t i = 0, m = strcspn(at, "\n");
        while (i < n && i < m && at[i] == first[i])
            i++;
        n = i;
        ++*count;
    }
    return n;
}

static unsigned char repl_complete(EditLine *e, int ch)
{
    (void)ch;
    struct repl *r;
    el_get(e, EL_CLIENTDATA, &r);
    const LineInfo *l = el_line(e);
    size_t at = (size_t)(l->cursor - l->buffer), word = at;
    while (word > 0 && !strchr(" \t;|&<>(", l->buffer[word - 1]))
        word--;
    char *line = strndup(l->buffer, (size_t)(l->lastchar - l->buffer));
    hob_bytes b = {0};
    unsigned char result = CC_ERROR;
    if (line && hob_shell_completions(r->shell, line, at, &b) == 0 && b.len) {
        size_t count, n = repl_common(b.data, &count), have = at - word;
        if (n > have) {
            char *tail = strndup(b.data + have, n - have);
            if (tail)
                el_insertstr(e, tail);
            free(tail);
            if (count == 1 && b.data[n - 1] != '/')
                el_insertstr(e, " ");
            result = CC_REFRESH;
        } else if (count > 1) {
            printf("\n%s", b.data);
            fflush(stdout);
            result = CC_REDISPLAY;
        }
    }
    hob_free(b.data);
    free(line);
    return result;
}

static void repl_edit_open(struct repl *r)
{
    HistEvent ev;
    r->history = history_init();
    if (r->history) {
        history(r->history, &ev, H_SETSIZE, 1000);
        history(r->history, &ev, H_SETUNIQUE, 1);
    }
    r->edit = el_init("hob", stdin, stdout, stderr);
    if (!r->edit)
        return;
    el_set(r->edit, EL_CLIENTDATA, r);
    el_set(r->edit, EL_PROMPT, repl_edit_prompt);
    el_set(r->edit, EL_EDITOR, "emacs");
    el_set(r->edit, EL_SIGNAL, 0);
    el_set(r->edit, EL_HIST, history, r->history);
    el_set(r->edit, EL_ADDFN, "complete", "complete the word", repl_complete);
    el_set(r->edit, EL_BIND, "^I", "complete", NULL);
    el_set(r->edit, EL_BIND, "^R", "em-inc-search-prev", NULL);
}

static void repl_edit_close(struct repl *r)
{
    if (r->edit)
        el_end(r->edit);
    if (r->history)
        history_end(r->history);
}

static void repl_remember(struct repl *r)
{
    HistEvent ev;
    if (r->history && r->n > 1)
        history(r->history, &ev, H_ENTER, r->text);
}

/* The next line, its newline included; -1 at the end, 0 after Ctrl-C. */
static ssize_t repl_line(struct repl *r, char **line, size_t *cap)
{
    int n = 0;
    if (!r->edit)
        return getline(line, cap, stdin);
    errno = 0;
    const char *s = el_gets(r->edit, &n);
    if (!s || n <= 0)
        return repl_interrupted || errno == EINTR ? 0 : -1;
    char *p = realloc(*line, (size_t)n + 1);
    if (!p)
        return -1;
    *line = p;
    *cap = (size_t)n + 1;
    memcpy(p, s, (size_t)n);
    p[n] = '\0';
    return n;
}
#else
static void repl_edit_open(struct repl *r) { (void)r; }

static void repl_edit_close(struct repl *r) { (void)r; }

static void repl_remember(struct repl *r) { (void)r; }

static ssize_t repl_line(struct repl *r, char **line, size_t *cap)
{
    if (r->tty) {
        fputs(r->prompt, stderr);
        fflush(stderr);
    }
    errno = 0;
    ssize_t n = getline(line, cap, stdin);
    if (n < 0 && errno == EINTR) {
        clearerr(stdin);
        return 0;
    }
    return n;
}
#endif

static void repl_loop(struct repl *r)
{
    char *line = NULL;
    size_t cap = 0;
    while (!hob_shell_exited(r->shell)) {
        if (r->tty)
            repl_prompt(r);
        ssize_t n = repl_line(r, &line, &cap);
        if (n == 0) { /* Ctrl-C at the prompt: a fresh line */
            repl_interrupted = 0;
            r->n = 0;
            fputc('\n', stderr);
            continue;
        }
        if (n < 0 && r->n == 0)
            break;
        if (n > 0 && !repl_add(r, line, (size_t)n))
            break;
        if (n > 0 && hob_shell_complete_text(r->shell, r->text, r->n) == 0)
            continue; /* an open quote or a loop: more lines */
        repl_remember(r);
        repl_run(r);
        r->n = 0;
    }
    if (r->tty && !hob_shell_exited(r->shell))
        fputs("exit\n", stderr);
    free(line);
}

/* The host's own shell on our own terminal: it takes the place of the program. */
static int repl_local(const struct cli_options *o)
{
    hob_sandbox_options so = cli_sandbox_options(o);
    hob_error err;
    if (strcmp(o->sandbox, "local") != 0)
        return cli_usage("shell", "--sandbox %s: a prompt has only virtual and local", o->sandbox);
    local_become_shell(&so, &err);
    return cli_error("%s", err.msg);
}

static int repl_start(const struct cli_options *o)
{
    if (o->sandbox)
        return repl_local(o);
    struct repl r = {.tty = isatty(0) && isatty(2)};
    int status = cli_sandbox(o, &r.box);
    if (status)
        return status;
    hob_error err;
    hob_exec_options eo = {.size = sizeof eo, .cwd = o->cwd, .tty = r.tty};
    if (hob_shell_open(r.box, &eo, &r.shell, &err) < 0) {
        status = cli_error("%s", err.msg);
    } else {
        struct sigaction sa = {.sa_handler = repl_on_signal};
        sigaction(SIGINT, &sa, NULL);
        signal(SIGPIPE, SIG_IGN);
        if (r.tty)
            repl_edit_open(&r);
        repl_loop(&r);
        repl_edit_close(&r);
        status = r.status;
        hob_shell_close(r.shell);
    }
    free(r.text);
    hob_sandbox_free(r.box);
    return status;
}

static int repl_main(int argc, char **argv)
{
    struct cli_options o;
    int r = cli_parse(&o, &cli_shell, argc, argv);
    if (r == 0 && (o.script || o.file || o.argv || o.diff || o.apply || o.json))
        r = cli_usage("shell", "only --sandbox, -C, --mount, --env and --memory count here");
    if (r == 0 && o.help)
        cli_print_help(&cli_shell);
    else if (r == 0)
        r = repl_start(&o);
    cli_options_fini(&o);
    return r;
}

const struct cli_command cli_shell = {
    .name = "shell",
    .usage = "shell [--sandbox KIND] [-C DIR] [--mount HOST:GUEST[:KIND]] [--env NAME=VALUE] "
             "[--memory SIZE] [--allow-net] [--allow-url PREFIX[,METHOD]...]...",
    .summary = "Open a prompt in a fresh sandbox.",
    .help =
        "Lines are edited, completed with Tab and remembered. Ctrl-C ends the running command,\n"
        "Ctrl-D the shell. The sandbox is gone when the shell ends. With --sandbox local it is "
        "the\n"
        "host's own shell, with the folder and the environment of a local sandbox. The network is\n"
        "closed unless options open it; `hob exec --help` tells about all of them.\n",
    .run = repl_main,
};
