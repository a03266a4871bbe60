/* check_names.c -- hob check: what the operands of a simple command name
 *
 * A table tells which options of a well-known command take a value and what its operands are. For
 * other commands operands stay unknown words: they are searched for URLs alone.
 */
#include <string.h>

#include "base/utf8.h"
#include "cli/check.h"
#include "shell/shell.h"

enum check_operands {
    CHECK_READS,      /* files that are read */
    CHECK_WRITES,     /* files that are written, made or removed */
    CHECK_COPIES,     /* files that are read, the last is written */
    CHECK_SKIPS_READ, /* a pattern or program first, then files that are read */
    CHECK_SKIPS_WRITE,
    CHECK_RUNS,       /* a command with its operands */
    CHECK_SKIPS_RUNS, /* one value, then a command */
    CHECK_SOURCES,
    CHECK_EVALS,
    CHECK_SHELL, /* bash -c TEXT, or a script */
    CHECK_TRAPS,
    CHECK_FINDS,
    CHECK_URLS, /* hosts or URLs */
    CHECK_ONE_HOST,
    CHECK_ALIASES,
    CHECK_SHOPT
};

static const struct check_known {
    const char *name;
    int operands;
    const char *valued;  /* letters of the options that take a value */
    const char *instead; /* letters of those that stand for the skipped operand */
    char out;            /* the letter of the option whose value is a file to write */
} check_table[] = {
    {"cat", CHECK_READS, "", "", 0},
    {"tac", CHECK_READS, "s", "", 0},
    {"rev", CHECK_READS, "", "", 0},
    {"ls", CHECK_READS, "IwT", "", 0},
    {"head", CHECK_READS, "nc", "", 0},
    {"tail", CHECK_READS, "ncs", "", 0},
    {"sort", CHECK_READS, "kTotS", "", 'o'},
    {"uniq", CHECK_READS, "fsw", "", 0},
    {"wc", CHECK_READS, "", "", 0},
    {"cut", CHECK_READS, "dfbc", "", 0},
    {"paste", CHECK_READS, "d", "", 0},
    {"comm", CHECK_READS, "", "", 0},
    {"diff", CHECK_READS, "UCIx", "", 0},
    {"cmp", CHECK_READS, "n", "", 0},
    {"nl", CHECK_READS, "bdfhilnsvw", "", 0},
    {"od", CHECK_READS, "AjNtw", "", 0},
    {"stat", CHECK_READS, "c", "", 0},
    {"file", CHECK_READS, "", "", 0},
    {"readlink", CHECK_READS, "", "", 0},
    {"realpath", CHECK_READS, "", "", 0},
    {"md5sum", CHECK_READS, "", "", 0},
    {"sha1sum", CHECK_READS, "", "", 0},
    {"sha256sum", CHECK_READS, "", "", 0},
    {"sha512sum", CHECK_READS, "", "", 0},
    {"cd", CHECK_READS, "", "", 0},
    {"pushd", CHECK_READS, "", "", 0},
    {"du", CHECK_READS, "dB", "", 0},
    {"less", CHECK_READS, "", "", 0},
    {"rm", CHECK_WRITES, "", "", 0},
    {"rmdir", CHECK_WRITES, "", "", 0},
    {"mkdir", CHECK_WRITES, "m", "", 0},
    {"touch", CHECK_WRITES, "drt", "", 0},
    {"tee", CHECK_WRITES, "", "", 0},
    {"mv", CHECK_WRITES, "tS", "", 0},
    {"unlink", CHECK_WRITES, "", "", 0},
    {"truncate", CHECK_WRITES, "sr", "", 0},
    {"shred", CHECK_WRITES, "ns", "", 0},
    {"mkfifo", CHECK_WRITES, "m", "", 0},
    {"cp", CHECK_COPIES, "tS", "", 0},
    {"ln", CHECK_COPIES, "tS", "", 0},
    {"install", CHECK_COPIES, "gmotS", "", 0},
    {"grep", CHECK_SKIPS_READ, "efABCmd", "ef", 0},
    {"egrep", CHECK_SKIPS_READ, "efABCmd", "ef", 0},
    {"fgrep", CHECK_SKIPS_READ, "efABCmd", "ef", 0},
    {"sed", CHECK_SKIPS_READ, "efl", "ef", 0},
    {"awk", CHECK_SKIPS_READ, "Ffv", "f", 0},
    {"jq", CHECK_SKIPS_READ, "fL", "f", 0},
    {"chmod", CHECK_SKIPS_WRITE, "", "", 0},
    {"chown", CHECK_SKIPS_WRITE, "", "", 0},
    {"chgrp", CHECK_SKIPS_WRITE, "", "", 0},
    {"command", CHECK_RUNS, "", "", 0},
    {"builtin", CHECK_RUNS, "", "", 0},
    {"exec", CHECK_RUNS, "a", "", 0},
    {"nohup", CHECK_RUNS, "", "", 0},
    {"env", CHECK_RUNS, "uCS", "", 0},
    {"sudo", CHECK_RUNS, "ugp", "", 0},
    {"nice", CHECK_RUNS, "n", "", 0},
    {"xargs", CHECK_RUNS, "adEILnPs", "", 0},
    {"setsid", CHECK_RUNS, "", "", 0},
    {"stdbuf", CHECK_RUNS, "ioe", "", 0},
    {"timeout", CHECK_SKIPS_RUNS, "ks", "", 0},
    {"source", CHECK_SOURCES, "", "", 0},
    {".", CHECK_SOURCES, "", "", 0},
    {"eval", CHECK_EVALS, "", "", 0},
    {"bash", CHECK_SHELL, "oO", "", 0},
    {"sh", CHECK_SHELL, "o", "", 0},
    {"trap", CHECK_TRAPS, "", "", 0},
    {"find", CHECK_FINDS, "", "", 0},
    {"curl", CHECK_URLS, "AbcdeFHKmoTuwXxz", "", 'o'},
    {"wget", CHECK_URLS, "aAeiOoPQtTUwY", "", 'O'},
    {"ssh", CHECK_ONE_HOST, "bcDEeFIiJLlmOopQRSWw", "", 0},
    {"ping", CHECK_ONE_HOST, "cisWwtI", "", 0},
    {"nc", CHECK_ONE_HOST, "IiOPpqsTVwXx", "", 0},
    {"alias", CHECK_ALIASES, "", "", 0},
    {"shopt", CHECK_SHOPT, "", "", 0},
};

/* ---- words ----------------------------------------------------------------------------------- */

/* The text of parts, a NUL for each expansion. */
static void check_flatten(struct buf *b, const struct part *p, int n)
{
    for (int i = 0; i < n; i++, p++) {
        if (p->kind == PART_LIT || p->kind == PART_QUOTED)
            buf_str(b, p->text);
        else if (p->kind == PART_DQUOTE)
            check_flatten(b, p->u.sub.p, p->u.sub.n);
        else
            buf_putc(b, '\0');
    }
}

void check_unknown(struct check *c, const char *what, const struct word *w, int line)
{
    struct buf b;
    buf_init(&b, c->heap);
    buf_printf(&b, "%s: ", what);
    print_word(&b, w);
    check_note(c, CHECK_DYNAMIC, buf_get(&b), line);
    buf_fini(&b);
}

/* ~ and globs are names too: they are shown as written. */
void check_path(struct check *c, const struct word *w, int kind, int line)
{
    bool known = true;
    for (int i = 0; i < w->n; i++)
        known = known && (w->parts[i].kind == PART_LIT || w->parts[i].kind == PART_QUOTED ||
                          w->parts[i].kind == PART_TILDE ||
                          (w->parts[i].kind == PART_DQUOTE && (w->flags & WORD_STATIC)));
    if (!known) {
        check_unknown(c, kind == CHECK_READ ? "file to read" : "file to write", w, line);
        return;
    }
    struct str net = w->lit;
    if (str_starts(net, STR("/dev/tcp/")) || str_starts(net, STR("/dev/udp/"))) {
        struct str host = str_from(net, 9);
        ptrdiff_t end = str_chr(host, '/');
        check_note(c, CHECK_HOST, str_sub(host, 0, end < 0 ? host.n : (size_t)end), line);
        return;
    }
    struct buf b;
    buf_init(&b, c->heap);
    if (w->flags & WORD_STATIC)
        buf_str(&b, w->lit);
    else
        print_word(&b, w);
    if (b.n && !str_eqz(buf_get(&b), "-"))
        check_note(c, kind, buf_get(&b), line);
    buf_fini(&b);
}

/* user@host:port/path -> host; a NUL in it is an expansion. */
static void check_host(struct check *c, struct str s, const struct word *w, int line)
{
    size_t n = 0;
    while (n < s.n && !memchr("/?#\"'<>()|;,\\` \t\n", s.p[n], 17))
        n++;
    s = str_sub(s, 0, n);
    for (ptrdiff_t at; (at = str_chr(s, '@')) >= 0;)
        s = str_from(s, (size_t)at + 1);
    bool six = s.n && s.p[0] == '[';
    ptrdiff_t end = str_chr(s, six ? ']' : ':');
    if (end >= 0)
        s = str_sub(s, 0, (size_t)end + six);
    if (s.n && memchr(s.p, 0, s.n))
        check_unknown(c, "host", w, line);
    else if (s.n)
        check_note(c, CHECK_HOST, s, line);
}

void check_hosts(struct check *c, const struct word *w, int line)
{
    struct buf b;
    buf_init(&b, c->heap);
    check_flatten(&b, w->parts, w->n);
    struct str s = buf_get(&b);
    for (size_t i = 1; i + 3 < s.n; i++)
        if (memcmp(s.p + i, "://", 3) == 0 && ascii_alpha(s.p[i - 1]) &&
            !(i >= 4 && memcmp(s.p + i - 4, "file", 4) == 0))
            check_host(c, str_from(s, i + 3), w, line);
    buf_fini(&b);
}

/* ---- operands -------------------------------------------------------------------------------- */

/* The words of a command behind its options. */
struct check_args {
    struct word *const *w;
    int n, line;
    bool instead; /* an option took the place of the first operand */
};

static bool check_is(const struct word *w, const char *text)
{
    return (w->flags & WORD_STATIC) && str_eqz(w->lit, text);
}

/* Whether a word is an option; *more when its value is the next word. */
static bool check_option(const struct word *w, const struct check_known *k, bool *more,
                         bool *instead)
{
    struct str s = w->lit;
    *more = false;
    if (!(w->flags & WORD_STATIC) || s.n < 2 || s.p[0] != '-')
        return false;
    for (size_t i = 1; i < s.n && s.p[1] != '-'; i++) {
        if (*k->instead && strchr(k->instead, s.p[i]))
            *instead = true;
        if (*k->valued && s.p[i] && strchr(k->valued, s.p[i])) {
            *more = i + 1 == s.n;
            break;
        }
    }
    return true;
}

/* -o FILE, as a word of its own or the end of a cluster. */
static void check_out(struct check *c, const struct check_known *k, struct check_args a)
{
    bool more, instead;
    for (int i = 0; k->out && i + 1 < a.n; i++)
        if (check_option(a.w[i], k, &more, &instead) && more) {
            struct str s = a.w[i++]->lit;
            if (s.p[s.n - 1] == k->out)
                check_path(c, a.w[i], CHECK_WRITE, a.line);
        }
}

static void check_paths(struct check *c, const struct check_known *k, struct check_args a, int kind)
{
    bool more, ended = false;
    check_out(c, k, a);
    for (int i = 0; i < a.n; i++) {
        bool last = i + 1 == a.n;
        if (!ended && check_is(a.w[i], "--"))
            ended = true;
        else if (!ended && check_option(a.w[i], k, &more, &a.instead))
            i += more;
        else
            check_path(c, a.w[i], k->operands == CHECK_COPIES && last ? CHECK_WRITE : kind, a.line);
    }
}

static void check_urls(struct check *c, const struct check_known *k, struct check_args a)
{
    bool more, instead;
    check_out(c, k, a);
    for (int i = 0; i < a.n; i++) {
        struct buf b;
        if (check_option(a.w[i], k, &more, &instead)) {
            i += more;
            continue;
        }
        buf_init(&b, c->heap);
        check_flatten(&b, a.w[i]->parts, a.w[i]->n);
        if (buf_get(&b).n && !strstr(b.p, "://"))
            check_host(c, buf_get(&b), a.w[i], a.line);
        buf_fini(&b);
        if (k->operands == CHECK_ONE_HOST)
            return;
    }
}

static void check_find(struct check *c, struct check_args a)
{
    int i = 0;
    for (; i < a.n &&
           !((a.w[i]->flags & WORD_STATIC) && a.w[i]->lit.n && strchr("-(!", a.w[i]->lit.p[0]));
         i++)
        check_path(c, a.w[i], CHECK_READ, a.line);
    for (; i + 1 < a.n; i++)
        if (check_is(a.w[i], "-exec") || check_is(a.w[i], "-execdir") || check_is(a.w[i], "-ok"))
            check_command(c, a.w + i + 1, 1, a.line);
}

/* Words that together are a text of commands. */
static void check_eval(struct check *c, struct check_args a)
{
    struct buf b;
    buf_init(&b, c->heap);
    bool known = true;
    for (int i = 0; i < a.n; i++) {
        known = known && (a.w[i]->flags & WORD_STATIC);
        if (i)
            buf_putc(&b, ' ');
        buf_str(&b, a.w[i]->lit);
    }
    if (!known)
        check_unknown(c, "commands of eval", a.w[0], a.line);
    else if (!check_deep(c, a.line))
        check_text(c, arena_str(&c->arena, buf_get(&b)), a.line);
    buf_fini(&b);
}

static void check_shell(struct check *c, const struct check_known *k, struct check_args a)
{
    bool more, instead, text = false;
    for (int i = 0; i < a.n; i++) {
        if (check_option(a.w[i], k, &more, &instead)) {
            text = text || (a.w[i]->lit.p[1] != '-' && memchr(a.w[i]->lit.p, 'c', a.w[i]->lit.n));
            i += more;
        } else if (text) {
            check_eval(c, (struct check_args){a.w + i, 1, a.line, false});
            return;
        } else {
            check_path(c, a.w[i], CHECK_READ, a.line);
            check_unknown(c, "commands of a script", a.w[i], a.line);
            return;
        }
    }
    check_note(c, CHECK_DYNAMIC, STR("commands of a shell from its input"), a.line);
}

static void check_shopt(struct check *c, struct check_args a)
{
    for (int i = 1; i < a.n; i++)
        if (check_is(a.w[i], "extglob"))
            c->extglob = check_is(a.w[0], "-s");
}

/* A=b before the command of env. */
static bool check_assigns(const struct word *w)
{
    return w->n && w->parts[0].kind == PART_LIT && str_chr(w->parts[0].text, '=') > 0;
}

static void check_operands(struct check *c, const struct check_known *k, struct check_args a)
{
    bool skips = k->operands == CHECK_SKIPS_READ || k->operands == CHECK_SKIPS_WRITE ||
                 k->operands == CHECK_SKIPS_RUNS || k->operands == CHECK_RUNS;
    bool more;
    struct check_args all = a;
    while (skips && a.n && check_option(a.w[0], k, &more, &a.instead)) {
        int take = 1 + (more && a.n > 1);
        a.w += take;
        a.n -= take;
    }
    if (skips && k->operands != CHECK_RUNS && !a.instead && a.n) {
        a.w++;
        a.n--;
    }
    switch (k->operands) {
    case CHECK_READS:
    case CHECK_COPIES:
    case CHECK_SKIPS_READ: check_paths(c, k, a, CHECK_READ); break;
    case CHECK_WRITES:
    case CHECK_SKIPS_WRITE: check_paths(c, k, a, CHECK_WRITE); break;
    case CHECK_RUNS:
        while (str_eqz(str_z(k->name), "env") && a.n && check_assigns(a.w[0])) {
            a.w++;
            a.n--;
        }
        check_command(c, a.w, a.n, a.line);
        break;
    case CHECK_SKIPS_RUNS: check_command(c, a.w, a.n, a.line); break;
    case CHECK_SOURCES:
        if (a.n) {
            check_path(c, a.w[0], CHECK_READ, a.line);
            check_unknown(c, "commands of a file", a.w[0], a.line);
        }
        break;
    case CHECK_EVALS:
        if (a.n)
            check_eval(c, a);
        break;
    case CHECK_TRAPS:
        if (a.n > 1 && !check_is(a.w[0], "-") && !check_is(a.w[0], "-p"))
            check_eval(c, (struct check_args){a.w + check_is(a.w[0], "--"), 1, a.line, false});
        break;
    case CHECK_SHELL: check_shell(c, k, all); break;
    case CHECK_FINDS: check_find(c, a); break;
    case CHECK_ALIASES:
        if (a.n)
            check_unknown(c, "commands by alias", a.w[0], a.line);
        break;
    case CHECK_SHOPT: check_shopt(c, a); break;
    default: check_urls(c, k, a); break;
    }
}

void check_command(struct check *c, struct word *const *words, int n, int line)
{
    if (n == 0 || check_deep(c, line))
        return;
    if (!(words[0]->flags & WORD_STATIC)) {
        check_unknown(c, "command", words[0], line);
        return;
    }
    struct str name = words[0]->lit;
    check_note(c, builtin_find(name) ? CHECK_BUILTIN : CHECK_COMMAND, name, line);
    for (size_t i = 0; i < COUNT(check_table); i++)
        if (str_eqz(name, check_table[i].name))
            check_operands(c, &check_table[i], (struct check_args){words + 1, n - 1, line, false});
}
