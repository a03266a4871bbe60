/* line.c -- a line of input: edited on a terminal, plain from a pipe */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/agentcli.h"
#ifdef HAVE_LIBEDIT
#include <histedit.h>
#endif

struct line {
    bool tty;
    const char *prompt;
    char *buffer;
    size_t cap;
#ifdef HAVE_LIBEDIT
    EditLine *edit;
    History *history;
#endif
};

#ifdef HAVE_LIBEDIT
static char *line_prompt(EditLine *e)
{
    struct line *l;
    el_get(e, EL_CLIENTDATA, &l);
    return (char *)(uintptr_t)l->prompt;
}

static void line_edit_open(struct line *l)
{
    HistEvent ev;
    l->history = history_init();
    if (l->history) {
        history(l->history, &ev, H_SETSIZE, 1000);
        history(l->history, &ev, H_SETUNIQUE, 1);
    }
    l->edit = el_init("hob", stdin, stdout, stderr);
    if (!l->edit)
        return;
    el_set(l->edit, EL_CLIENTDATA, l);
    el_set(l->edit, EL_PROMPT, line_prompt);
    el_set(l->edit, EL_EDITOR, "emacs");
    el_set(l->edit, EL_SIGNAL, 0);
    el_set(l->edit, EL_HIST, history, l->history);
    el_set(l->edit, EL_BIND, "^R", "em-inc-search-prev", NULL);
}

static void line_edit_close(struct line *l)
{
    if (l->edit)
        el_end(l->edit);
    if (l->history)
        history_end(l->history);
}

/* Bytes read with their newline, 0 after Ctrl-C, -1 at the end. */
static ssize_t line_get(struct line *l)
{
    HistEvent ev;
    int n = 0;
    if (!l->edit)
        return getline(&l->buffer, &l->cap, stdin);
    errno = 0;
    const char *s = el_gets(l->edit, &n);
    if (!s || n <= 0)
        return project_interrupted() || errno == EINTR ? 0 : -1;
    char *p = realloc(l->buffer, (size_t)n + 1);
    if (!p)
        return -1;
    l->buffer = p;
    l->cap = (size_t)n + 1;
    memcpy(p, s, (size_t)n);
    p[n] = '\0';
    if (l->history && n > 1)
        history(l->history, &ev, H_ENTER, p);
    return n;
}
#else
static void line_edit_open(struct line *l) { (void)l; }

static void line_edit_close(struct line *l) { (void)l; }

static ssize_t line_get(struct line *l)
{
    if (l->tty)
        fputs(l->prompt, stdout), fflush(stdout);
    errno = 0;
    ssize_t n = getline(&l->buffer, &l->cap, stdin);
    if (n < 0 && errno == EINTR) {
        clearerr(stdin);
        return 0;
    }
    return n;
}
#endif

struct line *line_open(void)
{
    struct line *l = calloc(1, sizeof *l);
    if (l && (l->tty = isatty(0) && isatty(1)))
        line_edit_open(l);
    return l;
}

char *line_read(struct line *l, const char *prompt, bool *interrupted)
{
    l->prompt = prompt;
    ssize_t n = line_get(l);
    *interrupted = n == 0;
    if (n < 0)
        return NULL;
    while (n > 0 && (l->buffer[n - 1] == '\n' || l->buffer[n - 1] == '\r'))
        n--;
    return n ? strndup(l->buffer, (size_t)n) : strdup("");
}

void line_close(struct line *l)
{
    if (!l)
        return;
    line_edit_close(l);
    free(l->buffer);
    free(l);
}
