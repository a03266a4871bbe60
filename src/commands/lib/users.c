/* users.c -- names of users and groups, from /etc/passwd and /etc/group of the sandbox */
#include "commands/lib/users.h"

void users_init(struct users *u, struct proc *p) { *u = (struct users){.p = p}; }

static struct str users_text(struct users *u, int which)
{
    static const char *const paths[] = {"/etc/passwd", "/etc/group"};
    struct in in;

    if (!u->loaded[which]) {
        u->loaded[which] = true;
        if (in_open_quiet(&in, u->p, str_z(paths[which])) == 0) {
            if (in_all(&in, &u->text[which]) < 0)
                u->text[which] = STR_NONE;
            in_fini(&in);
        }
    }
    return u->text[which];
}

static bool users_line(struct str *text, struct str *line)
{
    if (text->n == 0)
        return false;
    ptrdiff_t nl = str_chr(*text, '\n');
    *line = str_sub(*text, 0, nl < 0 ? text->n : (size_t)nl);
    *text = str_from(*text, line->n + 1);
    return true;
}

static struct str users_part(struct str line, int n)
{
    while (n-- > 0) {
        ptrdiff_t colon = str_chr(line, ':');
        if (colon < 0)
            return STR_NONE;
        line = str_from(line, (size_t)colon + 1);
    }
    ptrdiff_t colon = str_chr(line, ':');
    return str_sub(line, 0, colon < 0 ? line.n : (size_t)colon);
}

static bool users_is(struct str field, uint32_t id)
{
    int64_t v;
    return str_int(field, &v) == 0 && v == (int64_t)id;
}

static struct str users_by_id(struct users *u, int which, uint32_t id)
{
    struct str text, line;
    struct kernel *k = u->p->kernel;

    if (u->last[which].p && u->last_id[which] == id)
        return u->last[which];
    struct str found = STR_NONE;
    for (text = users_text(u, which); !found.p && users_line(&text, &line);) {
        if (users_is(users_part(line, 2), id))
            found = users_part(line, 0);
    }
    if (!found.p && id == (which ? k->gid : k->uid) && k->user.n)
        found = k->user;
    if (!found.p && id == 0)
        found = STR("root");
    u->last_id[which] = id;
    u->last[which] = found;
    return found;
}

struct str users_name(struct users *u, uint32_t uid) { return users_by_id(u, 0, uid); }
struct str users_group(struct users *u, uint32_t gid) { return users_by_id(u, 1, gid); }

static bool users_by_name(struct users *u, int which, struct str name, uint32_t *id, uint32_t *gid)
{
    struct str text, line;
    struct kernel *k = u->p->kernel;
    int64_t v, g;

    for (text = users_text(u, which); users_line(&text, &line);) {
        if (!str_eq(users_part(line, 0), name) || str_int(users_part(line, 2), &v) < 0)
            continue;
        *id = (uint32_t)v;
        if (gid)
            *gid = str_int(users_part(line, 3), &g) == 0 ? (uint32_t)g : *id;
        return true;
    }
    if (str_eq(name, k->user) || str_eqz(name, "root")) {
        *id = str_eqz(name, "root") ? 0 : which ? k->gid : k->uid;
        if (gid)
            *gid = str_eqz(name, "root") ? 0 : k->gid;
        return true;
    }
    return false;
}

bool users_find(struct users *u, struct str name, uint32_t *uid, uint32_t *gid)
{
    return users_by_name(u, 0, name, uid, gid);
}

bool users_find_group(struct users *u, struct str name, uint32_t *gid)
{
    return users_by_name(u, 1, name, gid, NULL);
}

struct str users_field(struct users *u, uint32_t uid, int n)
{
    struct str text, line;
    for (text = users_text(u, 0); users_line(&text, &line);) {
        if (users_is(users_part(line, 2), uid))
            return users_part(line, n);
    }
    return STR_NONE;
}
