/* prompt.c -- PS1 and its kin: backslash escapes, then expansions */
#include "base/utf8.h"
#include "shell/expand_impl.h"
#include "shell/inner.h"
#include "shell/zone.h"

static void prompt_time(struct shell *sh, struct buf *b, struct str format)
{
    struct date_zone zone = date_utc;
    struct date d;
    struct str tz;
    int64_t now = sched_now(&sh->kernel->sched) / 1000000000;
    struct buf bytes;
    buf_init(&bytes, sh->heap);
    zone_find(sh->proc, var_str(sh, sym_of(SYM_TZ), &tz) ? tz : STR_NONE, &bytes, &zone);
    if (date_from_epoch(now, 0, &zone, &d) >= 0)
        date_format(b, format, &d, now, false);
    buf_fini(&bytes);
}

/* Text from outside that must not be expanded once more: $ ` and \ are protected. */
static void prompt_quoted(struct buf *b, struct str s)
{
    for (size_t i = 0; i < s.n; i++) {
        if (s.p[i] == '$' || s.p[i] == '`' || s.p[i] == '\\' || s.p[i] == '"')
            buf_putc(b, '\\');
        buf_putc(b, s.p[i]);
    }
}

/* Keeps the last n components, with ... in front. */
static struct str prompt_trim(struct shell *sh, struct str dir, int64_t n)
{
    size_t at = dir.n, home = dir.n && dir.p[0] == '~';
    while (at > home) {
        at--;
        if (dir.p[at] == '/' && --n == 0)
            break;
    }
    if (at <= home)
        return dir;
    return arena_printf(&sh->arena, "%s...%.*s", home ? "~/" : "", STR_ARG(str_from(dir, at)));
}

/* \w and \W. */
static void prompt_dir(struct shell *sh, struct buf *b, bool base)
{
    struct str pwd = STR_NONE, home, trim;
    int64_t n;
    if (!var_str(sh, sym_of(SYM_PWD), &pwd) || !pwd.n)
        pwd = sh->cwd_logical.p ? sh->cwd_logical : sh->proc->cwd;
    bool has = var_str(sh, sym_of(SYM_HOME), &home) && home.n > 1;
    bool in_home = has && str_starts(pwd, home) && (pwd.n == home.n || pwd.p[home.n] == '/');
    if (base) {
        if (in_home && pwd.n == home.n) {
            buf_putc(b, '~');
            return;
        }
        ptrdiff_t slash = str_rchr(pwd, '/');
        prompt_quoted(b, pwd.n > 1 && slash >= 0 ? str_from(pwd, (size_t)slash + 1) : pwd);
        return;
    }
    if (in_home)
        pwd = arena_printf(&sh->arena, "~%.*s", STR_ARG(str_from(pwd, home.n)));
    if (var_str(sh, sym_of(SYM_PROMPT_DIRTRIM), &trim) && str_int(trim, &n) == 0 && n > 0 && pwd.p)
        pwd = prompt_trim(sh, pwd, n);
    prompt_quoted(b, pwd);
}

static int prompt_jobs(struct shell *sh)
{
    int n = 0;
    for (struct job *j = sh->jobs; j; j = j->next)
        n += !j->hidden;
    return n;
}

/* \nnn, an octal number: the digits taken. */
static size_t prompt_octal(struct buf *b, struct str s, size_t i)
{
    int v = 0;
    size_t n = 0;
    for (; n < 3 && i + n < s.n && s.p[i + n] >= '0' && s.p[i + n] <= '7'; n++)
        v = v * 8 + (s.p[i + n] - '0');
    char c = (char)v;
    prompt_quoted(b, str_of(&c, 1));
    return n;
}

static void prompt_names(struct shell *sh, struct buf *b, char c)
{
    struct str s;
    switch (c) {
    case 'h':
    case 'H':
        s = sh->kernel->hostname;
        if (c == 'h' && s.p && str_chr(s, '.') >= 0)
            s = str_sub(s, 0, (size_t)str_chr(s, '.'));
        prompt_quoted(b, s);
        break;
    case 'u': prompt_quoted(b, sh->kernel->user); break;
    case 's': {
        ptrdiff_t slash = str_rchr(sh->name0, '/');
        prompt_quoted(b, str_from(sh->name0, (size_t)(slash + 1)));
        break;
    }
    case 'l': buf_addz(b, "tty"); break;
    case 'v': buf_addz(b, "5.2"); break;
    default: buf_addz(b, "5.2.15"); break;
    }
}

static void prompt_numbers(struct shell *sh, struct buf *b, char c)
{
    switch (c) {
    case '!':
    case '#': buf_printf(b, "%lld", (long long)history_number(sh)); break;
    case 'j': buf_printf(b, "%d", prompt_jobs(sh)); break;
    default: buf_addz(b, sh->proc->uid == 0 ? "#" : "\\$"); break;
    }
}

/* One escape at s[i], behind the backslash; the bytes taken. */
static size_t prompt_escape(struct shell *sh, struct buf *b, struct str s, size_t i)
{
    static const char *const times[] = {"t%H:%M:%S", "T%I:%M:%S", "@%I:%M %p", "A%H:%M",
                                        "d%a %b %d"};
    char c = s.p[i];
    for (size_t k = 0; k < COUNT(times); k++)
        if (c == times[k][0]) {
            prompt_time(sh, b, str_z(times[k] + 1));
            return 1;
        }
    switch (c) {
    case 'a': buf_putc(b, '\a'); return 1;
    case 'e': buf_putc(b, '\033'); return 1;
    case 'n': buf_putc(b, '\n'); return 1;
    case 'r': buf_putc(b, '\r'); return 1;
    case '[': buf_putc(b, '\001'); return 1;
    case ']': buf_putc(b, '\002'); return 1;
    case '\\': buf_addz(b, "\\\\"); return 1;
    case 'w':
    case 'W': prompt_dir(sh, b, c == 'W'); return 1;
    case 'h':
    case 'H':
    case 'u':
    case 's':
    case 'l':
    case 'v':
    case 'V': prompt_names(sh, b, c); return 1;
    case '!':
    case '#':
    case 'j':
    case '$': prompt_numbers(sh, b, c); return 1;
    case '0':
    case '1':
    case '2':
    case '3':
    case '4':
    case '5':
    case '6':
    case '7': return prompt_octal(b, s, i);
    case 'D':
        if (i + 1 < s.n && s.p[i + 1] == '{') {
            struct str rest = str_from(s, i + 2);
            ptrdiff_t end = str_chr(rest, '}');
            size_t n = end < 0 ? rest.n : (size_t)end;
            prompt_time(sh, b, n ? str_sub(rest, 0, n) : STR("%X"));
            return MIN(n + 3, s.n - i);
        }
        break;
    default: break;
    }
    buf_putc(b, '\\');
    buf_putc(b, c);
    return 1;
}

int expand_prompt(struct shell *sh, struct str ps, struct str *out)
{
    struct buf b;
    bool vars = SH_SHOPT(sh, SHOPT_PROMPTVARS);
    buf_init(&b, sh->heap);
    for (size_t i = 0; i < ps.n;) {
        if (ps.p[i] == '\\' && i + 1 < ps.n)
            i += 1 + prompt_escape(sh, &b, ps, i + 1);
        else
            buf_putc(&b, ps.p[i++]);
    }
    struct str text = buf_get(&b);
    int r = 0;
    if (vars) {
        r = expand_text(sh, text, out);
    } else {
        *out = arena_str(&sh->arena, text);
        r = out->p ? 0 : HOB_ENOMEM;
    }
    buf_fini(&b);
    /* The marks around what takes no room on the screen are for line editors alone. */
    if (r >= 0) {
        char *p = (char *)out->p;
        size_t n = 0;
        for (size_t i = 0; i < out->n; i++)
            if (p[i] != '\001' && p[i] != '\002')
                p[n++] = p[i];
        p[n] = '\0';
        out->n = n;
    }
    return r;
}
