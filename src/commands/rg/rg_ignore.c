/* rg_ignore.c -- which files are passed over: .gitignore, .ignore, .rgignore and -g */
#include "commands/rg/rg.h"

#include "commands/lib/files.h"
#include "text/glob.h"

/* ---- one rule -------------------------------------------------------------------------------- */

/* The first brace group of the pattern, nesting counted. */
static bool rg_braces(struct str s, size_t *open, size_t *close)
{
    size_t depth = 0;
    for (size_t i = 0; i < s.n; i++) {
        if (s.p[i] == '\\') {
            i++;
        } else if (s.p[i] == '{') {
            if (depth++ == 0)
                *open = i;
        } else if (s.p[i] == '}' && depth && --depth == 0) {
            *close = i;
            return true;
        }
    }
    return false;
}

static struct glob_prog *rg_rule_part(struct proc *p, struct str part, bool nocase)
{
    return glob_compile(p->arena, part, nocase ? GLOB_NOCASE : 0);
}

/* A pattern without braces. */
static struct rg_rule *rg_rule_plain(struct proc *p, struct rg_rule *before, struct str s,
                                     bool negated, bool nocase)
{
    struct rg_rule *r = arena_zalloc(p->arena, sizeof *r);
    size_t slashes = 0;

    if (!r)
        return before;
    r->negated = negated;
    r->next = before;
    if (s.n > 1 && s.p[s.n - 1] == '/') {
        r->dirs_only = true;
        s.n--;
    }
    bool anchored = s.n && memchr(s.p, '/', s.n) != NULL;
    if (s.n && s.p[0] == '/')
        s = str_from(s, 1);
    for (size_t i = 0; i < s.n; i++)
        slashes += s.p[i] == '/';
    r->parts = arena_alloc(p->arena, (slashes + 2) * sizeof *r->parts);
    if (!r->parts)
        return before;
    if (!anchored)
        r->parts[r->nparts++] = NULL;
    for (;;) {
        ptrdiff_t slash = str_chr(s, '/');
        struct str part = slash < 0 ? s : str_sub(s, 0, (size_t)slash);
        struct glob_prog *g = str_eqz(part, "**") ? NULL : rg_rule_part(p, part, nocase);
        if (!g && !str_eqz(part, "**"))
            return before;
        r->parts[r->nparts++] = g;
        if (slash < 0)
            return r;
        s = str_from(s, (size_t)slash + 1);
    }
}

static struct rg_rule *rg_rule_expand(struct proc *p, struct rg_rule *before, struct str s,
                                      bool negated, bool nocase, int depth)
{
    size_t open = 0, close = 0, depth_in = 0;
    struct buf b;

    if (depth > 8 || !rg_braces(s, &open, &close))
        return rg_rule_plain(p, before, s, negated, nocase);
    for (size_t i = open + 1, from = i; i <= close; i++) {
        char c = s.p[i];
        if (c == '\\') {
            i++;
            continue;
        }
        if ((c == ',' && depth_in == 0) || i == close) {
            buf_init(&b, &p->kernel->heap);
            buf_add(&b, s.p, open);
            buf_add(&b, s.p + from, i - from);
            buf_add(&b, s.p + close + 1, s.n - close - 1);
            struct str one = arena_str(p->arena, buf_get(&b));
            buf_fini(&b);
            if (one.p)
                before = rg_rule_expand(p, before, one, negated, nocase, depth + 1);
            from = i + 1;
        } else if (c == '{') {
            depth_in++;
        } else if (c == '}') {
            depth_in--;
        }
    }
    return before;
}

/* Adds one line of an ignore file; comments and empty lines add nothing. */
struct rg_rule *rg_rule_add(struct proc *p, struct rg_rule *before, struct str s, bool nocase)
{
    bool negated = false;

    if (s.n && s.p[s.n - 1] == '\r')
        s.n--;
    while (s.n && s.p[s.n - 1] == ' ' && !(s.n > 1 && s.p[s.n - 2] == '\\'))
        s.n--;
    if (!s.n || s.p[0] == '#')
        return before;
    if (s.p[0] == '!') {
        negated = true;
        s = str_from(s, 1);
    }
    return s.n ? rg_rule_expand(p, before, s, negated, nocase, 0) : before;
}

/* Whether the parts match the components of the path, all of them. The table of where ** may end is
 * one bit per component, so time is bounded by parts times components. */
static bool rg_rule_matches(const struct rg_rule *r, struct str path)
{
    struct str comp[64];
    bool at[65] = {true};
    size_t n = 0;

    for (;;) {
        ptrdiff_t slash = str_chr(path, '/');
        if (n == COUNT(comp))
            return false;
        comp[n++] = slash < 0 ? path : str_sub(path, 0, (size_t)slash);
        if (slash < 0)
            break;
        path = str_from(path, (size_t)slash + 1);
    }
    for (size_t k = 0; k < r->nparts; k++) {
        bool next[65] = {false};
        bool last = k + 1 == r->nparts;
        for (size_t i = 0, any = 0; i <= n; i++) {
            if (!r->parts[k]) {
                /* ** at the end stands for something, elsewhere also for nothing */
                next[i] = any || (at[i] && !(last && r->nparts > 1));
                any |= at[i];
            } else if (at[i] && i < n) {
                next[i + 1] = glob_match(r->parts[k], comp[i]);
            }
        }
        memcpy(at, next, sizeof at);
    }
    return at[n];
}

int rg_rule_match(const struct rg_rule *r, struct str path, bool dir)
{
    for (; r; r = r->next)
        if ((dir || !r->dirs_only) && rg_rule_matches(r, path))
            return r->negated ? -1 : 1;
    return 0;
}

/* ---- the rules of folders -------------------------------------------------------------------- */

static struct rg_rule *rg_ignore_file(struct rg_run *r, struct str dir, const char *name,
                                      struct rg_rule *before)
{
    struct proc *p = r->p;
    struct in in;
    struct str line;
    bool had;
    struct str path = files_join(p, dir, str_z(name));

    if (!path.p || in_open_quiet(&in, p, path) < 0)
        return before;
    while (in_line(&in, '\n', &line, &had)) {
        struct str copy = arena_str(p->arena, line);
        if (copy.p)
            before = rg_rule_add(p, before, copy, false);
    }
    in_fini(&in);
    return before;
}

static bool rg_ignore_has(struct rg_run *r, struct str dir, const char *name)
{
    struct stat_info st;
    struct str path = files_join(r->p, dir, str_z(name));
    return path.p && vfs_stat(r->p, path, 0, &st) == 0;
}

struct rg_ignore *rg_ignore_enter(struct rg_run *r, struct rg_ignore *up, struct str dir)
{
    const struct rg *o = r->o;
    struct rg_ignore *ig = arena_zalloc(r->p->arena, sizeof *ig);

    if (!ig) {
        r->err = HOB_ENOMEM;
        return up;
    }
    ig->up = up;
    ig->dir = dir;
    if (o->no_ignore)
        return ig;
    if (!o->no_ignore_dot) {
        ig->custom = rg_ignore_file(r, dir, ".rgignore", NULL);
        ig->dot = rg_ignore_file(r, dir, ".ignore", NULL);
    }
    if (!o->no_ignore_vcs) {
        ig->repository = rg_ignore_has(r, dir, ".git");
        ig->git = rg_ignore_file(r, dir, ".gitignore", NULL);
        if (ig->repository && !o->no_ignore_exclude)
            ig->exclude = rg_ignore_file(r, dir, ".git/info/exclude", NULL);
    }
    return ig;
}

/* The folders above `path` count, too. */
struct rg_ignore *rg_ignore_parents(struct rg_run *r, struct str path)
{
    struct rg_ignore *ig = NULL;
    struct buf b;

    if (r->o->no_ignore || r->o->no_ignore_parent)
        return NULL;
    buf_init(&b, &r->p->kernel->heap);
    path_normalise(&b, r->p->cwd, path);
    struct str full = arena_str(r->p->arena, buf_get(&b));
    buf_fini(&b);
    for (size_t i = 0; i + 1 < full.n; i++)
        if (full.p[i] == '/') {
            struct str dir = arena_str(r->p->arena, str_sub(full, 0, MAX(i, 1)));
            if (dir.p)
                ig = rg_ignore_enter(r, ig, dir);
        }
    return ig;
}

/* The path as it is seen from a folder of rules. Both may be relative to the working folder. */
static struct str rg_ignore_relative(struct rg_run *r, struct str dir, struct str path)
{
    struct buf b, d;
    buf_init(&b, &r->p->kernel->heap);
    buf_init(&d, &r->p->kernel->heap);
    path_normalise(&b, r->p->cwd, path);
    path_normalise(&d, r->p->cwd, dir);
    struct str full = arena_str(r->p->arena, buf_get(&b));
    size_t skip = d.n > 1 ? d.n + 1 : 1;
    bool below = d.n <= 1 || str_starts(full, buf_get(&d));
    buf_fini(&b);
    buf_fini(&d);
    return below && full.p ? str_from(full, skip) : path;
}

/* The deepest folder that has something to say decides; in one folder .rgignore before .ignore
 * before .gitignore. Rules for git count inside of a repository alone. */
bool rg_ignored(struct rg_run *r, const struct rg_ignore *ig, struct str path, bool dir)
{
    struct arena_mark mark = arena_mark(r->p->arena);
    int custom = 0, dot = 0, git = 0;
    bool inside = r->o->no_require_git, outside = false;

    for (const struct rg_ignore *i = ig; i; i = i->up)
        inside |= i->repository;
    for (; ig && !(custom && dot && git); ig = ig->up) {
        if (!ig->custom && !ig->dot && !ig->git && !ig->exclude && !ig->repository)
            continue;
        struct str rel = rg_ignore_relative(r, ig->dir, path);
        custom = custom ? custom : rg_rule_match(ig->custom, rel, dir);
        dot = dot ? dot : rg_rule_match(ig->dot, rel, dir);
        if (inside && !outside) {
            git = git ? git : rg_rule_match(ig->git, rel, dir);
            git = git ? git : rg_rule_match(ig->exclude, rel, dir);
        }
        outside |= ig->repository;
    }
    arena_release(r->p->arena, mark);
    int verdict = custom ? custom : dot ? dot : git;
    if (!verdict)
        verdict = rg_rule_match(r->o->extra, path, dir);
    return verdict > 0;
}
