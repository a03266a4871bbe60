/* redir.c -- redirections: opened on the shell's own descriptors, undone after the command
 *
 * A command runs on the shell's table, so what a redirection replaces is remembered and put back,
 * newest first. Nothing is kept in the table itself: a script sees no descriptor it did not open.
 */
#include "base/error.h"
#include "base/fmt.h"
#include "base/utf8.h"
#include "shell/expand_impl.h"
#include "shell/inner.h"
#include "shell/var_impl.h"

enum {
    REDIR_VAR_FD = 10 /* {var}> starts to look for a free descriptor here */
};

struct redir_save {
    struct redir_save *next;
    int fd;
    struct file *old; /* NULL: it was closed; the reference is ours */
    bool cloexec;
};

static int redir_remember(struct shell *sh, int fd, struct redir_save **save)
{
    struct redir_save *s = arena_alloc(&sh->arena, sizeof *s);
    struct fdtab *t = sh->proc->fds;
    if (!s)
        return HOB_ENOMEM;
    s->fd = fd;
    s->old = fdtab_get(t, fd);
    s->cloexec = s->old && t->p[fd].cloexec;
    if (s->old)
        file_ref(s->old);
    s->next = *save;
    *save = s;
    return 0;
}

void redir_restore(struct shell *sh, struct redir_save *save)
{
    struct fdtab *t = sh->proc->fds;
    for (; save; save = save->next) {
        if (save->old)
            fdtab_set(t, save->fd, save->old, save->cloexec);
        else if (fdtab_get(t, save->fd))
            fdtab_close(t, save->fd);
    }
}

void redir_keep(struct shell *sh, struct redir_save *save)
{
    (void)sh;
    for (; save; save = save->next)
        file_unref(save->old);
}

int redir_replace(struct shell *sh, int fd, struct file *f, struct redir_save **save)
{
    int r = redir_remember(sh, fd, save);
    if (r < 0) {
        file_unref(f);
        return r;
    }
    return fdtab_set(sh->proc->fds, fd, f, false);
}

/* ---- messages -------------------------------------------------------------------------------- */

/* "word: text" with the word as it was written. */
static int redir_complain_word(struct shell *sh, const struct redir *r, const char *text)
{
    struct buf b;
    buf_init(&b, sh->heap);
    if (r->word)
        print_word(&b, r->word);
    shell_error(sh, "%s: %s", buf_get(&b).p, text);
    buf_fini(&b);
    return HOB_EINVAL;
}

static int redir_complain(struct shell *sh, struct str what, int err)
{
    if (err == HOB_EKILLED)
        sh->ctl = CTL_KILLED;
    else if (err == HOB_EMFILE)
        shell_error(sh, "redirection error: cannot duplicate fd: %s", error_text(err));
    else
        shell_error(sh, "%.*s: %s", STR_ARG(what), error_text(err));
    return err;
}

/* ---- opening --------------------------------------------------------------------------------- */

static int redir_expand(struct shell *sh, const struct redir *r, struct str *out)
{
    struct strs words = {0};
    struct word *w = r->word;
    if (w->flags & WORD_STATIC && !(w->flags & (WORD_GLOB | WORD_BRACE))) {
        *out = w->lit;
        return 0;
    }
    int e = expand_words(sh, &w, 1, &words);
    if (e < 0)
        return e;
    if (words.n != 1)
        return redir_complain_word(sh, r, "ambiguous redirect");
    *out = words.p[0];
    return 0;
}

static unsigned redir_flags(int op)
{
    switch (op) {
    case REDIR_IN: return FILE_READ;
    case REDIR_RDWR: return FILE_READ | FILE_WRITE | FILE_CREATE;
    case REDIR_APPEND:
    case REDIR_BOTHAPP: return FILE_WRITE | FILE_CREATE | FILE_APPEND;
    default: return FILE_WRITE | FILE_CREATE | FILE_TRUNC;
    }
}

/* /dev/fd/N and its relatives are the shell's own descriptors: a duplicate, as bash has it where
 * the system has no such files. */
static bool redir_dev_fd(struct str path, int *fd)
{
    uint64_t n;
    if (!str_starts(path, STR("/dev/")))
        return false;
    struct str name = str_from(path, 5);
    if (str_eq(name, STR("stdin")))
        *fd = 0;
    else if (str_eq(name, STR("stdout")))
        *fd = 1;
    else if (str_eq(name, STR("stderr")))
        *fd = 2;
    else if (str_starts(name, STR("fd/")) && str_uint(str_from(name, 3), &n) == 0 && n < INT_MAX)
        *fd = (int)n;
    else
        return false;
    return true;
}

static int redir_open(struct shell *sh, int op, struct str path, struct file **out)
{
    unsigned flags = redir_flags(op);
    struct stat_info st;
    int fd;
    if (sh->restricted && op != REDIR_IN) {
        shell_error(sh, "%.*s: restricted: cannot redirect output", STR_ARG(path));
        return HOB_EPERM;
    }
    if (redir_dev_fd(path, &fd)) {
        struct file *f = proc_file(sh->proc, fd);
        if (!f)
            return redir_complain(sh, path, HOB_ENOENT);
        *out = file_ref(f);
        return 0;
    }
    if (str_starts(path, STR("/dev/tcp/")) || str_starts(path, STR("/dev/udp/"))) {
        struct str what = sh->name0.n ? sh->name0 : STR("bash");
        struct buf b;
        buf_init(&b, sh->heap);
        buf_printf(&b, "%.*s: connect: %s\n", STR_ARG(what), error_text(HOB_ECONNREFUSED));
        proc_puts(sh->proc, 2, buf_get(&b));
        buf_fini(&b);
        return redir_complain(sh, path, HOB_ECONNREFUSED);
    }
    if (SH_OPT(sh, OPT_NOCLOBBER) && (op == REDIR_OUT || op == REDIR_BOTH)) {
        if (vfs_stat(sh->proc, path, 0, &st) < 0) {
            flags |= FILE_EXCL;
        } else if (MODE_IS_FILE(st.mode)) {
            shell_error(sh, "%.*s: cannot overwrite existing file", STR_ARG(path));
            return HOB_EEXIST;
        }
    }
    int r;
    do {
        r = vfs_open(sh->proc, path, flags, 0666 & ~sh->proc->umask, out);
        if (r == HOB_EINTR)
            trap_collect(sh);
    } while (r == HOB_EINTR);
    return r < 0 ? redir_complain(sh, path, r) : 0;
}

/* ---- one redirection ------------------------------------------------------------------------- */

/* {name}> and {name[index]}>: the variable that holds the number. */
static int redir_var_set(struct shell *sh, struct str ref, int fd)
{
    struct str name, index;
    char digits[24];
    struct sym *s = var_split_ref(ref, &name, &index) ? sym_intern(sh, name) : NULL;
    if (!s)
        return HOB_EINVAL;
    if (!index.p)
        return var_set_int(sh, s, fd);
    return var_set_elem(sh, s, index, str_of(digits, fmt_int(digits, fd)), 0);
}

static bool redir_var_get(struct shell *sh, struct str ref, struct str *out)
{
    struct str name, index;
    struct sym *s = var_split_ref(ref, &name, &index) ? sym_find(sh, name) : NULL;
    return s && (index.p ? var_elem(sh, s, index, out) : var_str(sh, s, out));
}

/* Puts f where the redirection wants it: on its descriptor, or on a free one whose number goes to
 * the variable. The reference goes over. */
static int redir_place(struct shell *sh, const struct redir *r, int fd, struct file *f,
                       struct redir_save **save)
{
    if (r->var.p) {
        int got = fdtab_add(sh->proc->fds, f, REDIR_VAR_FD, false, proc_max_fds(sh->proc));
        if (got < 0)
            return redir_complain(sh, r->var, got);
        if (redir_var_set(sh, r->var, got) < 0) {
            fdtab_close(sh->proc->fds, got);
            shell_error(sh, "%.*s: cannot assign fd to variable", STR_ARG(r->var));
            return HOB_EINVAL;
        }
        if (SH_SHOPT(sh, SHOPT_VARREDIR_CLOSE) && !redir_remember(sh, got, save)) {
            file_unref((*save)->old);
            (*save)->old = NULL;
        }
        return 0;
    }
    return redir_replace(sh, fd, f, save);
}

static int redir_close(struct shell *sh, const struct redir *r, int fd, struct redir_save **save)
{
    if (r->var.p) {
        struct str v = STR_NONE;
        int64_t n = 0;
        bool got = redir_var_get(sh, r->var, &v) && v.n;
        if (got && str_int(v, &n) < 0)
            n = 0; /* as bash has it */
        if (!got || n < 0 || n > INT_MAX) {
            shell_error(sh, "%.*s: ambiguous redirect", STR_ARG(r->var));
            return HOB_EBADF;
        }
        fd = (int)n;
        if (!fdtab_get(sh->proc->fds, fd))
            return 0;
    }
    int e = redir_remember(sh, fd, save);
    if (e >= 0 && fdtab_get(sh->proc->fds, fd))
        fdtab_close(sh->proc->fds, fd);
    return e;
}

static int redir_both(struct shell *sh, const struct redir *r, struct str path,
                      struct redir_save **save)
{
    struct file *f;
    int e = redir_open(sh, r->op == REDIR_BOTHAPP ? REDIR_BOTHAPP : REDIR_BOTH, path, &f);
    if (e < 0)
        return e;
    e = redir_replace(sh, 1, file_ref(f), save);
    if (e < 0) {
        file_unref(f);
        return e;
    }
    return redir_replace(sh, 2, f, save);
}

/* N, N- and - behind <& and >&; anything else is a file for >&, and an error elsewhere. */
static int redir_dup(struct shell *sh, const struct redir *r, int fd, struct redir_save **save)
{
    struct str w = STR_NONE, digits;
    uint64_t from;
    int e = redir_expand(sh, r, &w);
    if (e < 0)
        return e;
    if (str_eq(w, STR("-")))
        return redir_close(sh, r, fd, save);
    bool move = w.n > 1 && w.p[w.n - 1] == '-';
    digits = str_sub(w, 0, w.n - move);
    bool number = digits.n > 0;
    for (size_t i = 0; i < digits.n; i++)
        number = number && ascii_digit((unsigned char)digits.p[i]);
    if (!number) {
        if (r->op == REDIR_DUPOUT && (r->fd < 0 || r->fd == 1) && !r->var.p && w.n)
            return redir_both(sh, r, w, save);
        if (r->var.p) {
            shell_error(sh, "%.*s: ambiguous redirect", STR_ARG(r->var));
            return HOB_EBADF;
        }
        if (w.n == 0 && r->word && (r->word->flags & WORD_QUOTED))
            return redir_complain_word(sh, r, error_text(HOB_EBADF));
        shell_error(sh, "%.*s: ambiguous redirect", STR_ARG(w));
        return HOB_EINVAL;
    }
    struct file *f =
        str_uint(digits, &from) == 0 && from < INT_MAX ? proc_file(sh->proc, (int)from) : NULL;
    if (!f)
        return redir_complain_word(sh, r, error_text(HOB_EBADF));
    if (!r->var.p && (int)from == fd)
        return 0;
    e = redir_place(sh, r, fd, file_ref(f), save);
    /* As in bash, the descriptor that was moved stays closed after the command. */
    if (e >= 0 && move)
        fdtab_close(sh->proc->fds, (int)from);
    return e;
}

static int redir_here(struct shell *sh, const struct redir *r, int fd, struct redir_save **save)
{
    struct str text = STR("");
    if (r->word && r->word->flags & WORD_STATIC) {
        text = r->word->lit;
    } else if (r->word) {
        int e = expand_word(sh, r->word, r->op == REDIR_HEREDOC ? EXPAND_DOC : 0, &text);
        if (e < 0)
            return e;
    }
    if (r->op == REDIR_HERESTR) {
        char *p = arena_alloc(&sh->arena, text.n + 1);
        if (!p)
            return HOB_ENOMEM;
        if (text.n)
            memcpy(p, text.p, text.n);
        p[text.n] = '\n';
        text = str_of(p, text.n + 1);
    }
    struct file *f = memfile_reader(sh->kernel, text);
    return f ? redir_place(sh, r, fd, f, save) : HOB_ENOMEM;
}

static int redir_one(struct shell *sh, const struct redir *r, struct redir_save **save)
{
    struct str path = STR_NONE;
    struct file *f;
    bool input = r->op == REDIR_IN || r->op == REDIR_RDWR || r->op == REDIR_DUPIN ||
                 r->op == REDIR_HEREDOC || r->op == REDIR_HERESTR;
    int fd = r->fd >= 0 ? r->fd : !input, e;
    if (fd >= proc_max_fds(sh->proc)) {
        shell_error(sh, "%d: %s", fd, error_text(HOB_EBADF));
        return HOB_EBADF;
    }
    switch (r->op) {
    case REDIR_DUPIN:
    case REDIR_DUPOUT: return redir_dup(sh, r, fd, save);
    case REDIR_HEREDOC:
    case REDIR_HERESTR: return redir_here(sh, r, fd, save);
    default: break;
    }
    e = redir_expand(sh, r, &path);
    if (e < 0)
        return e;
    if (r->op == REDIR_BOTH || r->op == REDIR_BOTHAPP)
        return redir_both(sh, r, path, save);
    e = redir_open(sh, r->op, path, &f);
    return e < 0 ? e : redir_place(sh, r, fd, f, save);
}

int redir_apply(struct shell *sh, struct redir *r, int n, struct redir_save **save)
{
    int e = 0;
    *save = NULL;
    for (int i = 0; i < n && e >= 0; i++)
        e = redir_one(sh, &r[i], save);
    return e;
}
