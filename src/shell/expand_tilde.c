/* expand_tilde.c -- ~ ~+ ~- ~user, and ~N of the stack of folders */
#include "shell/expand_impl.h"
#include "base/utf8.h"
#include "shell/inner.h"

/* The home of a user, from /etc/passwd. */
static bool expand_tilde_passwd(struct shell *sh, struct str user, struct str *out)
{
    struct buf b;
    bool found = false;
    buf_init(&b, sh->heap);
    if (text_read_file(sh, STR("/etc/passwd"), &b) >= 0) {
        struct str all = buf_get(&b);
        while (all.n && !found) {
            ptrdiff_t end = str_chr(all, '\n');
            struct str line = str_sub(all, 0, end < 0 ? all.n : (size_t)end);
            all = str_from(all, line.n + 1);
            struct str field[7];
            int n = 0;
            for (ptrdiff_t at; n < 6 && (at = str_chr(line, ':')) >= 0; n++) {
                field[n] = str_sub(line, 0, (size_t)at);
                line = str_from(line, (size_t)at + 1);
            }
            if (n == 6 && str_eq(field[0], user)) {
                *out = arena_str(&sh->arena, field[5]);
                found = out->p != NULL;
            }
        }
    }
    buf_fini(&b);
    return found;
}

struct expand_tilde_dir {
    struct shell *sh;
    int64_t want, last;
    struct str found;
};

static int expand_tilde_count(void *ud, struct str dir)
{
    struct expand_tilde_dir *d = ud;
    if (d->want == ++d->last)
        d->found = arena_str(&d->sh->arena, dir);
    return 0;
}

/* ~2, ~+2: counted from the left, ~-2 from the right. */
static bool expand_tilde_stack(struct shell *sh, struct str s, struct str *out)
{
    bool back = s.p[0] == '-';
    int64_t n;
    if (back || s.p[0] == '+')
        s = str_from(s, 1);
    if (!s.n || !ascii_digit(s.p[0]) || str_int(s, &n) < 0)
        return false;
    struct expand_tilde_dir d = {.sh = sh, .want = back ? -2 : n, .last = -1};
    dirs_each(sh, expand_tilde_count, &d);
    if (back) {
        d.want = d.last - n;
        d.last = -1;
        if (d.want >= 0)
            dirs_each(sh, expand_tilde_count, &d);
    }
    *out = d.found;
    return out->p != NULL;
}

bool expand_tilde(struct shell *sh, struct str user, struct str *out)
{
    if (user.n == 0) {
        if (var_str(sh, sym_of(SYM_HOME), out))
            return true;
        return expand_tilde_passwd(sh, sh->kernel->user, out);
    }
    if (user.n == 1 && user.p[0] == '+')
        return var_str(sh, sym_of(SYM_PWD), out);
    if (user.n == 1 && user.p[0] == '-')
        return var_str(sh, sym_of(SYM_OLDPWD), out);
    if (user.p[0] == '+' || user.p[0] == '-' || ascii_digit(user.p[0]))
        return expand_tilde_stack(sh, user, out);
    return expand_tilde_passwd(sh, user, out);
}
