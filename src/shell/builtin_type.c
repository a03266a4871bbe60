/* builtin_type.c -- command, builtin, type, hash: what a name means */
#include "shell/builtin_control.h"
#include "shell/inner.h"

/* ---- describing ------------------------------------------------------------------------------ */

static void describe_file(struct shell *sh, struct buf *b, struct str name, struct str path,
                          int how, bool hashed)
{
    (void)sh;
    if (how & DESCRIBE_TYPE)
        buf_addz(b, "file\n");
    else if (how & (DESCRIBE_PATH | DESCRIBE_REUSE | DESCRIBE_FORCE))
        buf_printf(b, "%.*s\n", STR_ARG(path));
    else if (hashed)
        buf_printf(b, "%.*s is hashed (%.*s)\n", STR_ARG(name), STR_ARG(path));
    else
        buf_printf(b, "%.*s is %.*s\n", STR_ARG(name), STR_ARG(path));
}

/* Aliases, keywords, functions and builtins. True when something was said. */
static bool describe_inner(struct shell *sh, struct buf *b, struct str name, int how)
{
    bool quiet = how & DESCRIBE_PATH, all = how & DESCRIBE_ALL, found = false;
    struct str value = SH_SHOPT(sh, SHOPT_EXPAND_ALIASES) ? alias_get(sh, name) : STR_NONE;
    if (value.p) {
        if (how & DESCRIBE_TYPE)
            buf_addz(b, "alias\n");
        else if (how & DESCRIBE_REUSE)
            alias_print(b, name, value);
        else if (!quiet)
            buf_printf(b, "%.*s is aliased to `%.*s'\n", STR_ARG(name), STR_ARG(value));
        found = true;
        if (!all)
            return true;
    }
    if (parse_is_reserved(name)) {
        if (how & DESCRIBE_TYPE)
            buf_addz(b, "keyword\n");
        else if (how & DESCRIBE_REUSE)
            buf_printf(b, "%.*s\n", STR_ARG(name));
        else if (!quiet)
            buf_printf(b, "%.*s is a shell keyword\n", STR_ARG(name));
        found = true;
        if (!all)
            return true;
    }
    struct function *f = how & DESCRIBE_NO_FUNC ? NULL : function_find(sh, name);
    if (f) {
        if (how & DESCRIBE_TYPE) {
            buf_addz(b, "function\n");
        } else if (how & DESCRIBE_REUSE) {
            buf_printf(b, "%.*s\n", STR_ARG(name));
        } else if (!quiet) {
            buf_printf(b, "%.*s is a function\n", STR_ARG(name));
            print_function(b, f->name, f->body);
            buf_putc(b, '\n');
        }
        found = true;
        if (!all)
            return true;
    }
    const struct builtin *bi = builtin_active(sh, name);
    if (bi) {
        if (how & DESCRIBE_TYPE)
            buf_addz(b, "builtin\n");
        else if (how & DESCRIBE_REUSE)
            buf_printf(b, "%.*s\n", STR_ARG(name));
        else if (!quiet)
            buf_printf(b, "%.*s is a %sshell builtin\n", STR_ARG(name),
                       SH_OPT(sh, OPT_POSIX) && bi->flags & BUILTIN_SPECIAL ? "special " : "");
        found = true;
    }
    return found;
}

static bool describe_outer(struct shell *sh, struct buf *b, struct str name, int how)
{
    struct str path, list = STR_NONE;
    struct stat_info st;
    size_t at = 0;
    int err;
    bool found = false, all = how & DESCRIBE_ALL;
    if (memchr(name.p, '/', name.n)) {
        if (vfs_stat(sh->proc, name, 0, &st) < 0 || MODE_IS_DIR(st.mode) ||
            vfs_access(sh->proc, name, 1) < 0)
            return false;
        describe_file(sh, b, name, name, how, false);
        return true;
    }
    if (!all && !(how & (DESCRIBE_FORCE | DESCRIBE_DEFAULT_PATH)) &&
        find_remembered(sh, name, &path, NULL)) {
        describe_file(sh, b, name, path, how, true);
        return true;
    }
    if (how & DESCRIBE_DEFAULT_PATH)
        list = STR("/usr/bin:/bin:/usr/sbin:/sbin");
    else if (!var_strz(sh, "PATH", &list))
        return false;
    while (name.n && list.n && (all || !found) && find_next(sh, list, &at, name, &path, &err)) {
        if (err < 0)
            continue;
        found = true;
        describe_file(sh, b, name, path, how, false);
    }
    return found;
}

bool describe_command(struct shell *sh, struct buf *b, struct str name, int how)
{
    bool found = !(how & DESCRIBE_FORCE) && describe_inner(sh, b, name, how);
    if (found && !(how & DESCRIBE_ALL))
        return true;
    return describe_outer(sh, b, name, how) || found;
}

/* ---- type ------------------------------------------------------------------------------------ */

static int type_builtin(struct shell *sh, struct str *argv, int argc)
{
    struct getopt_state g = {0};
    int how = 0, status = 0;
    struct buf b;
    for (int c; (c = builtin_getopt(sh, &g, argv, argc, "afptP")) != -1;) {
        switch (c) {
        case 'a': how |= DESCRIBE_ALL; break;
        case 'f': how |= DESCRIBE_NO_FUNC; break;
        case 'p': how = (how & ~DESCRIBE_TYPE) | DESCRIBE_PATH; break;
        case 't': how = (how & ~DESCRIBE_PATH) | DESCRIBE_TYPE; break;
        case 'P': how |= DESCRIBE_PATH | DESCRIBE_FORCE; break;
        default: return builtin_usage(sh);
        }
    }
    buf_init(&b, sh->heap);
    for (int i = g.at; i < argc; i++) {
        if (describe_command(sh, &b, argv[i], how))
            continue;
        status = 1;
        if (how & (DESCRIBE_TYPE | DESCRIBE_PATH))
            continue;
        builtin_out(sh, &b);
        buf_clear(&b);
        shell_builtin_error(sh, "%.*s: not found", STR_ARG(argv[i]));
    }
    builtin_out(sh, &b);
    buf_fini(&b);
    return status;
}

/* ---- command and builtin --------------------------------------------------------------------- */

static int describe_cmd_describe(struct shell *sh, struct str *argv, int argc, int how)
{
    struct buf b;
    bool any = false;
    buf_init(&b, sh->heap);
    for (int i = 0; i < argc; i++) {
        if (describe_command(sh, &b, argv[i], how)) {
            any = true;
        } else if (how & DESCRIBE_LONG) {
            builtin_out(sh, &b);
            buf_clear(&b);
            shell_builtin_error(sh, "%.*s: not found", STR_ARG(argv[i]));
        }
    }
    builtin_out(sh, &b);
    buf_fini(&b);
    return !any;
}

static int describe_cmd_builtin(struct shell *sh, struct str *argv, int argc)
{
    struct getopt_state g = {0};
    int how = 0, flags = RUN_NO_FUNC;
    for (int c; (c = builtin_getopt(sh, &g, argv, argc, "pvV")) != -1;) {
        switch (c) {
        case 'p':
            if (sh->restricted) {
                shell_builtin_error(sh, "-p: restricted");
                return 1;
            }
            flags |= RUN_DEFAULT_PATH;
            how |= DESCRIBE_DEFAULT_PATH;
            break;
        case 'v': how = (how & ~DESCRIBE_LONG) | DESCRIBE_REUSE; break;
        case 'V': how = (how & ~DESCRIBE_REUSE) | DESCRIBE_LONG; break;
        default: return builtin_usage(sh);
        }
    }
    if (g.at >= argc)
        return 0;
    if (how & (DESCRIBE_REUSE | DESCRIBE_LONG))
        return describe_cmd_describe(sh, argv + g.at, argc - g.at, how);
    return eval_words(sh, argv + g.at, argc - g.at, flags);
}

static int builtin_builtin_run(struct shell *sh, struct str *argv, int argc)
{
    int at;
    if (!builtin_no_options(sh, argv, argc, &at))
        return 2;
    if (at >= argc)
        return 0;
    if (!builtin_active(sh, argv[at])) {
        shell_builtin_error(sh, "%.*s: not a shell builtin", STR_ARG(argv[at]));
        return 1;
    }
    return eval_words(sh, argv + at, argc - at, RUN_NO_FUNC);
}

/* ---- hash ------------------------------------------------------------------------------------ */

static int describe_hash_line(void *ud, struct str name, struct str path, int hits)
{
    (void)name;
    buf_printf(ud, "%4d\t%.*s\n", hits, STR_ARG(path));
    return 0;
}

static int describe_hash_reuse(void *ud, struct str name, struct str path, int hits)
{
    (void)hits;
    buf_printf(ud, "builtin hash -p %.*s %.*s\n", STR_ARG(path), STR_ARG(name));
    return 0;
}

static int describe_hash_all(struct shell *sh, bool reuse)
{
    struct buf b;
    buf_init(&b, sh->heap);
    find_each(sh, reuse ? describe_hash_reuse : describe_hash_line, &b);
    if (!b.n) {
        if (!reuse || SH_COMPAT(sh, 50))
            proc_puts(sh->proc, 1, STR("hash: hash table empty\n"));
    } else {
        if (!reuse)
            proc_puts(sh->proc, 1, STR("hits\tcommand\n"));
        builtin_out(sh, &b);
    }
    buf_fini(&b);
    return 0;
}

enum {
    HASH_DELETE = 1,
    HASH_TELL = 2,
    HASH_LIST = 4,
    HASH_RESET = 8
};

static int describe_hash_one(struct shell *sh, struct str name, struct str path, int how,
                             bool several)
{
    struct str old;
    struct found f;
    if (how & (HASH_DELETE | HASH_TELL)) {
        if (!find_remembered(sh, name, &old, NULL)) {
            shell_builtin_error(sh, "%.*s: not found", STR_ARG(name));
            return 1;
        }
        if (how & HASH_DELETE) {
            find_forget(sh, name);
            return 0;
        }
        struct buf b;
        buf_init(&b, sh->heap);
        if (how & HASH_LIST)
            describe_hash_reuse(&b, name, old, 0);
        else if (several)
            buf_printf(&b, "%.*s\t%.*s\n", STR_ARG(name), STR_ARG(old));
        else
            buf_printf(&b, "%.*s\n", STR_ARG(old));
        builtin_out(sh, &b);
        buf_fini(&b);
        return 0;
    }
    if (memchr(name.p, '/', name.n))
        return 0;
    if (path.p)
        return find_remember(sh, name, path) < 0;
    if (builtin_active(sh, name) || function_find(sh, name))
        return 0;
    find_forget(sh, name);
    find_command(sh, name, RUN_NO_FUNC | RUN_NO_BUILTIN, &f);
    if (f.err < 0) {
        shell_builtin_error(sh, "%.*s: not found", STR_ARG(name));
        return 1;
    }
    int *hits;
    if (find_remembered(sh, name, &old, &hits))
        *hits = 0;
    return 0;
}

static int describe_hash_builtin(struct shell *sh, struct str *argv, int argc)
{
    struct getopt_state g = {0};
    struct str path = STR_NONE;
    int how = 0, status = 0;
    for (int c; (c = builtin_getopt(sh, &g, argv, argc, "dlp:rt")) != -1;) {
        switch (c) {
        case 'd': how |= HASH_DELETE; break;
        case 'l': how |= HASH_LIST; break;
        case 'p': path = g.arg; break;
        case 'r': how |= HASH_RESET; break;
        case 't': how |= HASH_TELL; break;
        default: return builtin_usage(sh);
        }
    }
    if (!SH_OPT(sh, OPT_HASHALL)) {
        shell_builtin_error(sh, "hashing disabled");
        return 1;
    }
    if (path.p && sh->restricted && str_chr(path, '/') >= 0) {
        shell_builtin_error(sh, "%.*s: restricted", STR_ARG(path));
        return 1;
    }
    if (g.at >= argc && how & (HASH_TELL | HASH_DELETE)) {
        shell_builtin_error(sh, "-%c: option requires an argument", how & HASH_TELL ? 't' : 'd');
        return 1;
    }
    if (how & HASH_RESET) {
        find_forget(sh, STR_NONE);
        return 0;
    }
    if (g.at >= argc)
        return describe_hash_all(sh, how & HASH_LIST);
    for (int i = g.at; i < argc; i++)
        if (describe_hash_one(sh, argv[i], path, how, argc - g.at > 1))
            status = 1;
    return status;
}

/* ---- entries --------------------------------------------------------------------------------- */

const struct builtin builtin_type = {"type", type_builtin, 0, "type [-afptP] name [name ...]",
                                     "Tells what each name would run.\n"
                                     "  -a  every meaning, not only the first\n"
                                     "  -f  without functions\n"
                                     "  -P  the file on PATH, whatever else the name is\n"
                                     "  -p  the file, if that is what would run\n"
                                     "  -t  one word: alias, keyword, function, builtin or file"};
const struct builtin builtin_command = {
    "command", describe_cmd_builtin, 0, "command [-pVv] command [arg ...]",
    "Runs a command, leaving functions aside, or tells about it.\n"
    "  -p  with a PATH that finds the standard commands\n"
    "  -v  prints what would run\n"
    "  -V  the same in a sentence"};
const struct builtin builtin_builtin = {"builtin", builtin_builtin_run, 0,
                                        "builtin [shell-builtin [arg ...]]",
                                        "Runs a builtin, even if a function has its name."};
const struct builtin builtin_hash = {
    "hash", describe_hash_builtin, 0, "hash [-lr] [-p pathname] [-dt] [name ...]",
    "Remembers where commands are, or shows what is remembered.\n"
    "  -d  forgets the names       -r  forgets everything\n"
    "  -l  as commands that can be read back\n"
    "  -p  remembers this path     -t  prints the paths of the names"};
