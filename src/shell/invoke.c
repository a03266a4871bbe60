/* invoke.c -- bash and sh as commands: their options, where the script comes from */
#include "base/error.h"
#include "shell/inner.h"
#include "shell/invoke.h"
#include "shell/var_impl.h"

#define INVOKE_VERSION "5.2.15(1)-release"

struct invoke {
    struct proc *p;
    struct shell *sh;
    bool posix, command, from_stdin, interactive, login, norc, noprofile, dump, dump_po, restricted,
        pretty;
    struct str rcfile;
    int at; /* first operand */
};

/* ---- what it says about itself --------------------------------------------------------------- */

static int invoke_version(struct proc *p)
{
    return proc_puts(p, 1,
                     STR("GNU bash, version " INVOKE_VERSION " (x86_64-pc-linux-gnu)\n"
                         "This is the shell of Hob, which follows GNU bash 5.2.\n")) < 0;
}

static void invoke_usage(struct proc *p, int fd)
{
    struct buf b;
    buf_init(&b, &p->kernel->heap);
    buf_printf(&b,
               "Usage:\t%.*s [GNU long option] [option] ...\n"
               "\t%.*s [GNU long option] [option] script-file ...\n"
               "GNU long options:\n",
               STR_ARG(p->name), STR_ARG(p->name));
    static const char *const names[] = {
        "debug",  "debugger",   "dump-po-strings", "dump-strings", "help",  "init-file",
        "login",  "noediting",  "noprofile",       "norc",         "posix", "pretty-print",
        "rcfile", "restricted", "verbose",         "version"};
    for (size_t i = 0; i < COUNT(names); i++)
        buf_printf(&b, "\t--%s\n", names[i]);
    buf_addz(&b, "Shell options:\n"
                 "\t-ilrsD or -c command or -O shopt_option\t\t(invocation only)\n"
                 "\t-abefhkmnptuvxBCEHPT or -o option\n");
    proc_puts(p, fd, buf_get(&b));
    buf_fini(&b);
}

static int invoke_bad(struct invoke *v, const char *fmt, struct str what)
{
    struct buf b;
    buf_init(&b, &v->p->kernel->heap);
    buf_printf(&b, "%.*s: %.*s: %s\n", STR_ARG(v->p->name), STR_ARG(what), fmt);
    proc_puts(v->p, 2, buf_get(&b));
    buf_fini(&b);
    return 2;
}

/* ---- options --------------------------------------------------------------------------------- */

/* One long option: 0, or an exit status + 1. */
static int invoke_long(struct invoke *v, struct str w)
{
    struct str name = str_from(w, w.n > 1 && w.p[1] == '-' ? 2 : 1);
    struct proc *p = v->p;
    if (str_eq(name, STR("version")))
        return 1 + invoke_version(p);
    if (str_eq(name, STR("help"))) {
        invoke_usage(p, 1);
        return 1;
    }
    if (str_eq(name, STR("posix")))
        v->posix = true;
    else if (str_eq(name, STR("login")))
        v->login = true;
    else if (str_eq(name, STR("dump-strings")))
        v->dump = true;
    else if (str_eq(name, STR("dump-po-strings")))
        v->dump = v->dump_po = true;
    else if (str_eq(name, STR("pretty-print")))
        v->pretty = true;
    else if (str_eq(name, STR("debugger")))
        v->sh->shopts |= UINT64_C(1) << SHOPT_EXTDEBUG;
    else if (str_eq(name, STR("restricted")))
        v->restricted = true;
    else if (str_eq(name, STR("norc")))
        v->norc = true;
    else if (str_eq(name, STR("noprofile")))
        v->noprofile = true;
    else if (str_eq(name, STR("verbose")))
        shell_set_opt(v->sh, OPT_VERBOSE, true);
    else if (str_eq(name, STR("rcfile")) || str_eq(name, STR("init-file"))) {
        if (v->at >= p->argc)
            return 1 + invoke_bad(v, "option requires an argument", name);
        v->rcfile = p->argv[v->at++];
    } else if (!str_eq(name, STR("noediting")) && !str_eq(name, STR("debug"))) {
        invoke_bad(v, "invalid option", w);
        invoke_usage(p, 2);
        return 3;
    }
    return 0;
}

/* -o name, -O name and their + forms; without a name they list. */
static int invoke_named(struct invoke *v, bool shopt, bool on)
{
    struct proc *p = v->p;
    struct str words[4];
    int n = 0;
    if (shopt) {
        words[n++] = STR("shopt");
        if (v->at < p->argc)
            words[n++] = on ? STR("-s") : STR("-u");
        else if (!on)
            words[n++] = STR("-p");
    } else {
        words[n++] = STR("set");
        words[n++] = on ? STR("-o") : STR("+o");
    }
    if (v->at < p->argc)
        words[n++] = p->argv[v->at++];
    const struct builtin *b = builtin_find(words[0]);
    struct builtin self = {.name = "bash"};
    if (n == 2 && !shopt) /* bash lists it as if there were a line editor */
        v->sh->opts |= UINT64_C(1) << OPT_EMACS;
    v->sh->builtin = shopt ? NULL : &self;
    v->sh->starting = true;
    int r = b->run(v->sh, words, n);
    v->sh->builtin = NULL;
    v->sh->starting = false;
    if (n == 2 && !shopt)
        v->sh->opts &= ~(UINT64_C(1) << OPT_EMACS);
    return r ? 1 + (r == 1 ? 2 : r) : 0;
}

static int invoke_letters(struct invoke *v, struct str w)
{
    bool on = w.p[0] == '-';
    for (size_t i = 1; i < w.n; i++) {
        int r = 0;
        switch (w.p[i]) {
        case 'c': v->command = true; break;
        case 's': v->from_stdin = true; break;
        case 'i': v->interactive = true; break;
        case 'l': v->login = true; break;
        case 'r': v->restricted = on || v->restricted; break;
        case 'D': v->dump = true; break;
        case 'o': r = invoke_named(v, false, on); break;
        case 'O': r = invoke_named(v, true, on); break;
        default: {
            int opt = -1;
            for (int k = 0; k < OPT_COUNT; k++)
                if (shell_opt_letters[k] == w.p[i])
                    opt = k;
            if (opt < 0) {
                char bad[3] = {w.p[0], w.p[i], 0};
                invoke_bad(v, "invalid option", str_of(bad, 2));
                invoke_usage(v->p, 2);
                return 3;
            }
            shell_set_opt(v->sh, opt, on);
        }
        }
        if (r)
            return r;
    }
    return 0;
}

static int invoke_options(struct invoke *v)
{
    struct proc *p = v->p;
    while (v->at < p->argc) {
        struct str w = p->argv[v->at];
        if (w.n < 2 || (w.p[0] != '-' && w.p[0] != '+'))
            break;
        v->at++;
        if (str_eq(w, STR("--")))
            return 0;
        bool is_long = w.p[0] == '-' && (w.p[1] == '-' || str_eq(w, STR("-posix")) ||
                                         str_eq(w, STR("-norc")) || str_eq(w, STR("-noprofile")) ||
                                         str_eq(w, STR("-login")) || str_eq(w, STR("-version")));
        int r = is_long ? invoke_long(v, w) : invoke_letters(v, w);
        if (r)
            return r;
    }
    if (v->at < p->argc && str_eq(p->argv[v->at], STR("-")))
        v->at++;
    return 0;
}

/* ---- start-up files -------------------------------------------------------------------------- */

static void invoke_source(struct shell *sh, struct str path)
{
    struct buf text;
    struct stat_info st;
    if (!path.n || vfs_stat(sh->proc, path, 0, &st) < 0 || MODE_IS_DIR(st.mode))
        return;
    buf_init(&text, sh->heap);
    if (text_read_file(sh, path, &text) >= 0) {
        struct frame frame = {.up = sh->frame, .name = STR("source"), .file = path, .source = true};
        sh->frame = &frame;
        sh->sourcing++;
        shell_run_text(sh, buf_get(&text), TEXT_SOURCE, 1);
        if (sh->ctl == CTL_RETURN)
            sh->ctl = CTL_NONE;
        sh->sourcing--;
        sh->frame = frame.up;
    }
    buf_fini(&text);
}

static void invoke_source_home(struct shell *sh, const char *name)
{
    struct str home = STR_NONE;
    if (!var_strz(sh, "HOME", &home))
        return;
    struct str path = arena_printf(&sh->arena, "%.*s/%s", STR_ARG(home), name);
    if (path.p)
        invoke_source(sh, path);
}

static bool invoke_exists_home(struct shell *sh, const char *name)
{
    struct str home = STR_NONE;
    if (!var_strz(sh, "HOME", &home))
        return false;
    struct str path = arena_printf(&sh->arena, "%.*s/%s", STR_ARG(home), name);
    return path.p && vfs_access(sh->proc, path, 4) >= 0;
}

static void invoke_startup(struct invoke *v)
{
    struct shell *sh = v->sh;
    struct str env = STR_NONE, path = STR_NONE;
    bool posix = SH_OPT(sh, OPT_POSIX);
    if (v->login && !v->noprofile) {
        static const char *const names[] = {".bash_profile", ".bash_login", ".profile"};
        invoke_source(sh, STR("/etc/profile"));
        for (size_t i = posix ? 2 : 0; i < COUNT(names); i++)
            if (invoke_exists_home(sh, names[i])) {
                invoke_source_home(sh, names[i]);
                break;
            }
        return;
    }
    if (v->interactive && !posix) {
        if (v->rcfile.p && !v->norc)
            invoke_source(sh, v->rcfile);
        else if (!v->norc)
            invoke_source_home(sh, ".bashrc");
        return;
    }
    const char *name = posix ? (v->interactive ? "ENV" : NULL) : "BASH_ENV";
    if (name && var_strz(sh, name, &env) && env.n && expand_text(sh, env, &path) >= 0)
        invoke_source(sh, path);
}

/* ---- strings for translators ----------------------------------------------------------------- */

/* One $".." whose text begins at `at`; the place behind its closing quote. */
static size_t invoke_dump_one(struct invoke *v, struct buf *out, struct str s, size_t at,
                              struct str name, int line)
{
    size_t end = at;
    while (end < s.n && s.p[end] != '"')
        end += s.p[end] == '\\' && end + 1 < s.n ? 2 : 1;
    end = MIN(end, s.n);
    if (v->dump_po)
        buf_printf(out, "#: %.*s:%d\nmsgid ", STR_ARG(name), line);
    buf_printf(out, "\"%.*s\"\n", STR_ARG(str_sub(s, at, end - at)));
    if (v->dump_po)
        buf_addz(out, "msgstr \"\"\n");
    return end + 1;
}

/* -D: nothing runs, the strings marked by $".." are printed. */
static int invoke_dump(struct invoke *v, struct str s, struct str name)
{
    struct buf out;
    int line = 1;
    bool dquote = false;
    buf_init(&out, &v->p->kernel->heap);
    for (size_t i = 0; i < s.n; i++) {
        char c = s.p[i];
        line += c == '\n';
        if (c == '\\') {
            i++;
        } else if (c == '"') {
            dquote = !dquote;
        } else if (c == '\'' && !dquote) {
            const char *e = memchr(s.p + i + 1, '\'', s.n - i - 1);
            i = e ? (size_t)(e - s.p) : s.n;
        } else if (c == '#' && !dquote && (i == 0 || strchr(" \t\n;&|(", s.p[i - 1]))) {
            while (i + 1 < s.n && s.p[i + 1] != '\n')
                i++;
        } else if (c == '$' && !dquote && i + 1 < s.n && s.p[i + 1] == '"') {
            i = invoke_dump_one(v, &out, s, i + 2, name, line) - 1;
        }
    }
    int r = proc_puts(v->p, 1, buf_get(&out));
    buf_fini(&out);
    return r < 0;
}

/* --pretty-print: nothing runs, the commands are written as `declare -f` would. Empty lines and
 * comments in a row are one empty line, and so is the end. */
static int invoke_pretty(struct invoke *v, struct str text)
{
    struct parser *p = parser_new(v->sh->heap, text, 1);
    struct parse_options o = text_options(v->sh);
    struct parse_error err;
    struct program *prog;
    struct buf out;
    int r;
    if (!p)
        return HOB_ENOMEM;
    parse_error_init(&err, v->sh->heap);
    buf_init(&out, v->sh->heap);
    parser_set_options(p, &o);
    while ((r = parser_next(p, &prog, &err)) == 1) {
        struct str source = parser_source(p);
        while (source.n && (source.p[0] == ' ' || source.p[0] == '\t'))
            source = str_from(source, 1);
        if (source.n && (source.p[0] == '\n' || source.p[0] == '#'))
            buf_putc(&out, '\n');
        print_posix(&out, prog->root);
        buf_putc(&out, '\n');
        program_unref(prog);
    }
    if (r == 0)
        buf_putc(&out, '\n');
    bool bad = r == HOB_ESYNTAX;
    r = bad ? 1 : r;
    if (proc_puts(v->p, 1, buf_get(&out)) < 0)
        r = 1;
    if (bad)
        shell_syntax_error(v->sh, STR(""), err.line, buf_get(&err.msg));
    buf_fini(&out);
    parse_error_fini(&err);
    parser_free(p);
    return r;
}

/* ---- the script ------------------------------------------------------------------------------ */

static void invoke_prompt(struct shell *sh, bool more)
{
    struct str ps = STR_NONE, out = STR_NONE, cmd = STR_NONE;
    if (!sh->interactive)
        return;
    if (!more && var_strz(sh, "PROMPT_COMMAND", &cmd) && cmd.n) {
        int status = sh->status;
        struct str name = sh->text_name;
        sh->text_name = STR("PROMPT_COMMAND");
        shell_run_text(sh, arena_str(&sh->arena, cmd), TEXT_TRAP, 1);
        sh->text_name = name;
        sh->status = status;
    }
    if (var_strz(sh, more ? "PS2" : "PS1", &ps) && expand_prompt(sh, ps, &out) >= 0)
        proc_puts(sh->proc, 2, out);
}

/* Without a terminal the line editor shows what it reads. */
static void invoke_echo(struct shell *sh, struct str line)
{
    if (!sh->interactive)
        return;
    proc_puts(sh->proc, 2, line);
    proc_puts(sh->proc, 2, STR("\n"));
}

/* Runs all complete commands of `text`. True when the last one wants more lines. */
static bool invoke_lines(struct shell *sh, struct buf *text, int line, bool eof)
{
    struct parser *p = parser_new(sh->heap, buf_get(text), line);
    struct parse_error err;
    bool incomplete = false;
    if (!p)
        return false;
    struct parse_options o = text_options(sh);
    parser_set_options(p, &o);
    parse_error_init(&err, sh->heap);
    struct program *prog;
    int r;
    while ((r = parser_next(p, &prog, &err)) == 1)
        program_unref(prog);
    incomplete = (r == HOB_ESYNTAX && err.incomplete) || parser_warnings(p).n;
    parse_error_fini(&err);
    parser_free(p);
    if (incomplete && !eof)
        return true;
    shell_run_text(sh, buf_get(text), TEXT_STDIN, line);
    return false;
}

/* One line with its newline, and not a byte more is taken from stdin. False at the end. */
static bool invoke_read_line(struct shell *sh, struct buf *text)
{
    struct file *f = proc_file(sh->proc, 0);
    size_t from = text->n;
    for (;;) {
        struct str s = STR_NONE;
        char chunk[1024];
        ptrdiff_t n = f ? 0 : HOB_EBADF;
        bool peek = f && f->ops->peek;
        if (peek) {
            n = f->ops->peek(f, sh->proc, &s);
        } else if (f) {
            n = file_read(f, sh->proc, chunk, f->flags & FILE_SEEKABLE ? sizeof chunk : 1);
            s = str_of(chunk, n > 0 ? (size_t)n : 0);
        }
        if (n == HOB_EINTR) {
            traps_run_pending(sh);
            continue;
        }
        if (n < 0 || !s.n)
            return text->n > from;
        ptrdiff_t eol = str_chr(s, '\n');
        size_t used = eol < 0 ? s.n : (size_t)eol + 1;
        buf_add(text, s.p, used);
        if (peek)
            f->ops->skip(f, used);
        else if (used < s.n)
            file_seek(f, sh->proc, -(int64_t)(s.n - used), 1);
        if (eol >= 0 || sh->heap->oom)
            return true;
    }
}

/* Commands read from stdin share it with the shell, so nothing is read beyond the line that ends a
 * command. */
static void invoke_stdin(struct shell *sh)
{
    struct buf text;
    int line = 1, lines = 0;
    bool eof = false;
    buf_init(&text, sh->heap);
    invoke_prompt(sh, false);
    while (!eof && sh->ctl == CTL_NONE) {
        size_t from = text.n;
        eof = !invoke_read_line(sh, &text);
        bool had = text.n && text.p[text.n - 1] == '\n';
        if (!eof)
            invoke_echo(sh, str_sub(buf_get(&text), from, text.n - from - had));
        lines += had;
        if (text.n > sh->kernel->limits.script)
            break;
        if (eof && !text.n)
            break;
        if (invoke_lines(sh, &text, line, eof || !had)) {
            invoke_prompt(sh, true);
            continue;
        }
        buf_clear(&text);
        line += lines;
        lines = 0;
        if (sh->ctl == CTL_NONE && !eof)
            invoke_prompt(sh, false);
    }
    if (sh->interactive && sh->ctl == CTL_NONE)
        proc_puts(sh->proc, 2, STR("exit\n"));
    if (sh->interactive)
        history_save(sh);
    buf_fini(&text);
}

static int invoke_no_script(struct shell *sh, struct str path, int err)
{
    struct buf b;
    buf_init(&b, sh->heap);
    buf_printf(&b, "%.*s: %.*s: %s\n", STR_ARG(err == HOB_EISDIR ? path : sh->name0), STR_ARG(path),
               err == HOB_ENOEXEC ? "cannot execute binary file" : error_text(err));
    proc_puts(sh->proc, 2, buf_get(&b));
    buf_fini(&b);
    return SH_OPT(sh, OPT_ERREXIT) ? 1 : err == HOB_ENOENT ? 127 : 126;
}

static int invoke_script(struct invoke *v, struct str path)
{
    struct shell *sh = v->sh;
    struct buf text;
    struct stat_info st;
    struct str list = STR_NONE, found;
    size_t at = 0;
    int err, r = vfs_stat(sh->proc, path, 0, &st);
    if (r == HOB_ENOENT && !memchr(path.p, '/', path.n) && var_strz(sh, "PATH", &list) && list.n &&
        find_next(sh, list, &at, path, &found, &err)) {
        path = found;
        r = vfs_stat(sh->proc, path, 0, &st);
    }
    if (r >= 0 && MODE_IS_DIR(st.mode))
        r = HOB_EISDIR;
    buf_init(&text, sh->heap);
    if (r >= 0)
        r = text_read_file(sh, path, &text);
    size_t head = MIN(text.n, (size_t)80);
    const char *eol = head ? memchr(text.p, '\n', head) : NULL;
    if (r >= 0 && head && memchr(text.p, '\0', eol ? (size_t)(eol - text.p) : head))
        r = HOB_ENOEXEC;
    if (r < 0) {
        buf_fini(&text);
        return invoke_no_script(sh, path, r);
    }
    if (v->dump || v->pretty) {
        shell_set_name0(sh, path);
        int dumped =
            v->dump ? invoke_dump(v, buf_get(&text), path) : invoke_pretty(v, buf_get(&text));
        buf_fini(&text);
        return dumped;
    }
    struct frame frame = {.name = STR("main"), .file = path};
    shell_set_name0(sh, path);
    sh->frame = &frame;
    shell_run_text(sh, buf_get(&text), TEXT_FILE, 1);
    int status = shell_exit(sh);
    sh->frame = NULL;
    buf_fini(&text);
    return status;
}

/* -i without a terminal: as bash, with its two complaints. */
static void invoke_interactive(struct shell *sh)
{
    struct str v = STR_NONE;
    struct buf b;
    if (!var_strz(sh, "PS1", &v))
        var_setz(sh, "PS1", STR("\\s-\\v\\$ "));
    shell_interactive(sh);
    buf_init(&b, sh->heap);
    buf_printf(&b,
               "%.*s: cannot set terminal process group (1): Inappropriate ioctl for device\n"
               "%.*s: no job control in this shell\n",
               STR_ARG(sh->name0), STR_ARG(sh->name0));
    proc_puts(sh->proc, 2, buf_get(&b));
    buf_fini(&b);
    shell_set_opt(sh, OPT_HISTORY, true);
    shell_set_opt(sh, OPT_HISTEXPAND, true);
}

/* After the start-up files: what a restricted shell may not do begins here. */
static void invoke_restrict(struct shell *sh)
{
    static const char *const names[] = {"PATH", "SHELL", "ENV", "BASH_ENV", "HISTFILE"};
    for (size_t i = 0; i < COUNT(names); i++) {
        struct sym *s = sym_intern(sh, str_z(names[i]));
        struct var *v = s ? var_own(sh, s) : NULL;
        if (v)
            v->flags |= VAR_READONLY;
    }
    sh->restricted = true;
    sh->shopts |= UINT64_C(1) << SHOPT_RESTRICTED_SHELL;
}

/* BASH_ARGV begins with the arguments. There is no debugger that extdebug could start. */
static void invoke_args(struct shell *sh)
{
    params_unref(sh, sh->args);
    sh->args = NULL;
    if (!SH_SHOPT(sh, SHOPT_EXTDEBUG))
        return;
    shell_keep_args(sh);
    struct buf b;
    buf_init(&b, sh->heap);
    buf_printf(&b,
               "%.*s: /usr/share/bashdb/bashdb-main.inc: No such file or directory\n"
               "%.*s: warning: cannot start debugger; debugging mode disabled\n",
               STR_ARG(sh->name0), STR_ARG(sh->name0));
    proc_puts(sh->proc, 2, buf_get(&b));
    buf_fini(&b);
    sh->shopts &= ~(UINT64_C(1) << SHOPT_EXTDEBUG);
    shell_set_opt(sh, OPT_ERRTRACE, false);
    shell_set_opt(sh, OPT_FUNCTRACE, false);
}

static int invoke_start(struct invoke *v)
{
    struct proc *p = v->p;
    struct shell *sh = v->sh;
    int r = invoke_options(v);
    if (r)
        return r - 1;
    if (v->posix)
        shell_set_opt(sh, OPT_POSIX, true);
    sh->login = v->login;
    if (v->login)
        sh->shopts |= UINT64_C(1) << SHOPT_LOGIN_SHELL;
    if (v->interactive)
        invoke_interactive(sh);
    struct str *operands = p->argv + v->at;
    int n = p->argc - v->at;
    if (v->command) {
        if (!n)
            return invoke_bad(v, "option requires an argument", STR("-c"));
        struct str text = operands[0];
        sh->from_c = true;
        sh->exec_string = text;
        if (shell_set_name0(sh, n > 1 ? operands[1] : p->name) < 0 ||
            params_set(sh, operands + MIN(n, 2), (size_t)MAX(n - 2, 0)) < 0)
            return 1;
        invoke_args(sh);
        invoke_startup(v);
        if (v->restricted)
            invoke_restrict(sh);
        if (v->dump)
            return invoke_dump(v, text, STR("-c"));
        if (sh->ctl == CTL_NONE)
            shell_run_text(sh, text, TEXT_C, 1);
        return shell_exit(sh);
    }
    bool script = n && !v->from_stdin;
    if (params_set(sh, operands + script, (size_t)(n - script)) < 0)
        return 1;
    sh->from_stdin = !script;
    if (script && SH_SHOPT(sh, SHOPT_EXTDEBUG))
        shell_set_name0(sh, operands[0]);
    invoke_args(sh);
    invoke_startup(v);
    if (v->restricted)
        invoke_restrict(sh);
    if (sh->ctl != CTL_NONE)
        return shell_exit(sh);
    if (script)
        return invoke_script(v, operands[0]);
    invoke_stdin(sh);
    return shell_exit(sh);
}

/* Options that the environment carries over: SHELLOPTS and BASHOPTS. */
static void invoke_inherit(struct shell *sh, struct str list, bool shopt)
{
    while (list.n) {
        ptrdiff_t end = str_chr(list, ':');
        struct str one = end < 0 ? list : str_sub(list, 0, (size_t)end);
        for (int i = 0; i < OPT_COUNT && !shopt; i++)
            if (str_eqz(one, shell_opt_names[i]))
                shell_set_opt(sh, i, true);
        for (int i = 0; i < SHOPT_COUNT && shopt; i++)
            if (str_eqz(one, shell_shopt_names[i]))
                sh->shopts |= UINT64_C(1) << i;
        list = str_from(list, one.n + 1);
    }
}

static int invoke_run(struct proc *p, bool posix)
{
    struct fdtab fds, *outer = p->fds;
    struct shell *was = p->shell;
    const struct env_ops *env = p->env;
    void *env_ctx = p->env_ctx;
    struct str opts = STR_NONE, shopts = STR_NONE;
    struct str base = str_from(p->name, (size_t)(str_rchr(p->name, '/') + 1));
    struct invoke v = {.p = p, .posix = posix, .restricted = str_eqz(base, "rbash")};
    int status = HOB_ENOMEM;
    if (task_stack_low(p->task))
        return HOB_ELIMIT;
    proc_getenv(p, STR("SHELLOPTS"), &opts);
    proc_getenv(p, STR("BASHOPTS"), &shopts);
    fdtab_init(&fds, &p->kernel->heap);
    if (fdtab_copy(&fds, p->fds) >= 0) {
        p->fds = &fds;
        v.sh = shell_new(p, p->name, NULL, 0);
        if (v.sh) {
            invoke_inherit(v.sh, opts, false);
            invoke_inherit(v.sh, shopts, true);
            status = invoke_start(&v);
            shell_free(v.sh);
        }
        p->fds = outer;
    }
    fdtab_fini(&fds);
    p->shell = was;
    p->env = env;
    p->env_ctx = env_ctx;
    return status;
}

static int invoke_bash(struct proc *p, void *args)
{
    (void)args;
    return invoke_run(p, false);
}

static int invoke_sh(struct proc *p, void *args)
{
    (void)args;
    return invoke_run(p, true);
}

const struct command cmd_bash = {
    .name = "bash",
    .usage = "[OPTION]... [SCRIPT [ARGUMENT]...]",
    .summary = "Run commands from a string, a file or standard input.",
    .flags = CMD_NO_OPTIONS | CMD_NO_HELP,
    .usage_status = 2,
    .run = invoke_bash,
};

const struct command cmd_sh = {
    .name = "sh",
    .usage = "[OPTION]... [SCRIPT [ARGUMENT]...]",
    .summary = "Run commands from a string, a file or standard input, in posix mode.",
    .flags = CMD_NO_OPTIONS | CMD_NO_HELP,
    .usage_status = 2,
    .run = invoke_sh,
};

#undef INVOKE_VERSION
