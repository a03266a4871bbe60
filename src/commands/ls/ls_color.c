/* ls_color.c -- colours of a listing, from LS_COLORS */
#include "commands/ls/ls.h"

static const struct {
    char name[3];
    const char *code;
} ls_color_defaults[LS_C_COUNT] = {
    [LS_C_NORMAL] = {"no", NULL},    [LS_C_FILE] = {"fi", NULL},
    [LS_C_DIR] = {"di", "01;34"},    [LS_C_LINK] = {"ln", "01;36"},
    [LS_C_FIFO] = {"pi", "33"},      [LS_C_SOCK] = {"so", "01;35"},
    [LS_C_BLK] = {"bd", "01;33"},    [LS_C_CHR] = {"cd", "01;33"},
    [LS_C_MISSING] = {"mi", NULL},   [LS_C_ORPHAN] = {"or", NULL},
    [LS_C_EXEC] = {"ex", "01;32"},   [LS_C_SETUID] = {"su", "37;41"},
    [LS_C_SETGID] = {"sg", "30;43"}, [LS_C_STICKY] = {"st", "37;44"},
    [LS_C_OTHER] = {"ow", "34;42"},  [LS_C_OTHER_STICKY] = {"tw", "30;42"},
    [LS_C_MULTI] = {"mh", NULL},
};

static int ls_color_entry(struct ls *l, struct str key, struct str code)
{
    if (key.n && key.p[0] == '*') {
        if (l->next == l->capext) {
            size_t cap = l->capext ? l->capext * 2 : 64;
            struct ls_color *more =
                arena_grow(l->p->arena, l->ext, l->capext * sizeof *more, cap * sizeof *more);
            if (!more)
                return HOB_ENOMEM;
            l->ext = more;
            l->capext = cap;
        }
        l->ext[l->next++] = (struct ls_color){str_from(key, 1), code};
        return 0;
    }
    for (int i = 0; i < LS_C_COUNT; i++) {
        if (str_eqz(key, ls_color_defaults[i].name))
            l->colors[i] = code;
    }
    return 0;
}

/* Whether $TERM is one of those that show colours. */
static bool ls_color_terminal(struct str term)
{
    static const char *const names[] = {"Eterm",  "ansi",       "cons25",  "console", "cygwin",
                                        "dtterm", "gnome",      "hurd",    "jfbterm", "konsole",
                                        "kterm",  "linux",      "linux-c", "mlterm",  "putty",
                                        "st",     "terminator", "vt100",   "vt220",   "vt320"};
    static const char *const starts[] = {"con", "rxvt", "screen", "tmux", "xterm", "vt48"};
    for (size_t i = 0; i < COUNT(names); i++) {
        if (str_eqz(term, names[i]))
            return true;
    }
    for (size_t i = 0; i < COUNT(starts); i++) {
        if (str_starts(term, str_z(starts[i])))
            return true;
    }
    return str_find(term, STR("color")) >= 0 || str_find(term, STR("direct")) >= 0;
}

int ls_colors_init(struct ls *l)
{
    struct str env, term;

    if (!proc_getenv(l->p, STR("LS_COLORS"), &env) || env.n == 0) {
        bool known = (proc_getenv(l->p, STR("COLORTERM"), &term) && term.n) ||
                     (proc_getenv(l->p, STR("TERM"), &term) && ls_color_terminal(term));
        if (!known)
            l->color = false;
    }
    for (int i = 0; i < LS_C_COUNT; i++)
        l->colors[i] = str_z(ls_color_defaults[i].code);
    if (!proc_getenv(l->p, STR("LS_COLORS"), &env))
        return 0;
    while (env.n) {
        ptrdiff_t colon = str_chr(env, ':');
        struct str item = str_sub(env, 0, colon < 0 ? env.n : (size_t)colon);
        ptrdiff_t eq = str_chr(item, '=');
        env = str_from(env, item.n + 1);
        if (eq > 0 &&
            ls_color_entry(l, str_sub(item, 0, (size_t)eq), str_from(item, (size_t)eq + 1)) < 0)
            return HOB_ENOMEM;
    }
    return 0;
}

static bool ls_color_set(const struct ls *l, int kind)
{
    struct str c = l->colors[kind];
    return c.n && !str_eqz(c, "0") && !str_eqz(c, "00");
}

static int ls_color_kind(const struct ls *l, uint32_t mode, uint32_t nlink)
{
    switch (mode & MODE_TYPE) {
    case MODE_FILE:
        if ((mode & MODE_SUID) && ls_color_set(l, LS_C_SETUID))
            return LS_C_SETUID;
        if ((mode & MODE_SGID) && ls_color_set(l, LS_C_SETGID))
            return LS_C_SETGID;
        if ((mode & 0111) && ls_color_set(l, LS_C_EXEC))
            return LS_C_EXEC;
        if (nlink > 1 && ls_color_set(l, LS_C_MULTI))
            return LS_C_MULTI;
        return LS_C_FILE;
    case MODE_DIR:
        if ((mode & MODE_STICKY) && (mode & 0002) && ls_color_set(l, LS_C_OTHER_STICKY))
            return LS_C_OTHER_STICKY;
        if ((mode & 0002) && ls_color_set(l, LS_C_OTHER))
            return LS_C_OTHER;
        if ((mode & MODE_STICKY) && ls_color_set(l, LS_C_STICKY))
            return LS_C_STICKY;
        return LS_C_DIR;
    case MODE_LINK: return LS_C_LINK;
    case MODE_FIFO: return LS_C_FIFO;
    case MODE_SOCK: return LS_C_SOCK;
    case MODE_BLK: return LS_C_BLK;
    case MODE_CHR: return LS_C_CHR;
    default: return LS_C_ORPHAN;
    }
}

struct str ls_color_of(struct ls *l, const struct ls_file *f, struct str name, bool target)
{
    uint32_t mode = target ? f->target_mode : f->st.mode;
    int kind;

    if (!l->color)
        return STR_NONE;
    if (target && !f->link_ok) {
        kind = LS_C_MISSING;
        return ls_color_set(l, kind)          ? l->colors[kind]
               : ls_color_set(l, LS_C_ORPHAN) ? l->colors[LS_C_ORPHAN]
                                              : STR_NONE;
    }
    kind = ls_color_kind(l, mode, target ? 1 : f->st.nlink);
    if (kind == LS_C_LINK && !f->link_ok && ls_color_set(l, LS_C_ORPHAN))
        kind = LS_C_ORPHAN;
    if (kind == LS_C_LINK && str_eqz(l->colors[LS_C_LINK], "target") && f->target_mode)
        kind = ls_color_kind(l, f->target_mode, 1);
    if (kind == LS_C_FILE) {
        /* The last entry that fits counts. */
        for (size_t i = l->next; i > 0; i--) {
            if (str_ends(name, l->ext[i - 1].suffix))
                return l->ext[i - 1].code;
        }
    }
    return ls_color_set(l, kind) ? l->colors[kind] : STR_NONE;
}
