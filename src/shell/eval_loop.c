/* eval_loop.c -- for, while, until, case, select */
#include "base/fmt.h"
#include "shell/inner.h"
#include "base/utf8.h"

/* After the body: true when the loop must end. break and continue that were meant for it are
 * used up. */
static bool loop_stop(struct shell *sh)
{
    if (LIKELY(sh->ctl == CTL_NONE))
        return false;
    if (sh->ctl == CTL_BREAK && --sh->ctl_n == 0) {
        sh->ctl = CTL_NONE;
        return true;
    }
    if (sh->ctl == CTL_CONTINUE && --sh->ctl_n == 0) {
        sh->ctl = CTL_NONE;
        return false;
    }
    return true;
}

/* The words of for and select: those behind `in`, or the positional parameters. */
static int loop_words(struct shell *sh, struct node *n, struct strs *out)
{
    if (n->flag)
        return expand_words(sh, n->u.loop.words, n->u.loop.nwords, out);
    size_t count = sh->params ? sh->params->n - sh->from : 0;
    out->p = count ? arena_alloc(&sh->arena, count * sizeof *out->p) : NULL;
    if (count && !out->p)
        return HOB_ENOMEM;
    /* The texts must outlive a `shift` or `set --` in the body. */
    for (size_t i = 0; i < count; i++)
        out->p[i] = arena_str(&sh->arena, sh->params->p[sh->from + i]);
    out->n = count;
    return 0;
}

static struct sym *loop_sym(struct shell *sh, struct node *n)
{
    if (!n->u.loop.sym) {
        n->u.loop.sym = sym_intern(sh, n->u.loop.name);
        if (!parse_is_name(n->u.loop.name)) {
            n->u.loop.sym = NULL;
            shell_error(sh, "`%.*s': not a valid identifier", STR_ARG(n->u.loop.name));
        }
    }
    return n->u.loop.sym;
}

/* The variable of a loop; one that is a nameref is pointed elsewhere. */
static int loop_assign(struct shell *sh, struct sym *s, struct str value)
{
    struct var *v = var_raw(sh, s);
    return var_set(sh, s, value, v && v->flags & VAR_NAMEREF ? VAR_NOREF : 0);
}

/* A loop ends. One that an error leaves stays counted, as in bash: a `break` ends the text. */
static void loop_leave(struct shell *sh) { sh->loops -= LIKELY(sh->ctl != CTL_ABORT); }

int eval_for(struct shell *sh, struct node *n)
{
    struct arena_mark m = arena_mark(&sh->arena);
    struct procsub *ps = sh->procsubs;
    struct strs words = {0};
    int status = 0;
    struct sym *s = loop_sym(sh, n);
    sh->line = n->line + sh->line_base;
    sh->loops++; /* the words count as inside of it */
    if (!s || loop_words(sh, n, &words) < 0) {
        loop_leave(sh);
        arena_release(&sh->arena, m);
        return sh->ctl == CTL_NONE ? eval_set_status(sh, 1) : sh->status;
    }
    for (size_t i = 0; i < words.n; i++) {
        sh->line = n->line + sh->line_base;
        if (UNLIKELY(SH_OPT(sh, OPT_XTRACE)))
            trace_node(sh, n);
        if (UNLIKELY(sh->trap_special & TRAP_BIT_DEBUG) && eval_debug(sh, n)) {
            if (sh->ctl != CTL_NONE)
                break;
            continue;
        }
        if (UNLIKELY(proc_tick(sh->proc, 1) < 0)) {
            status = eval_killed(sh);
            break;
        }
        if (UNLIKELY(loop_assign(sh, s, words.p[i]) < 0)) {
            status = 1;
            if (sh->ctl == CTL_NONE && SH_OPT(sh, OPT_POSIX))
                shell_fatal(sh, 1);
            break;
        }
        status = n->u.loop.body ? eval_node(sh, n->u.loop.body, 0) : 0;
        if (loop_stop(sh))
            break;
    }
    loop_leave(sh);
    if (sh->procsubs != ps)
        eval_close_procsubs(sh, ps);
    arena_release(&sh->arena, m);
    return sh->status = sh->ctl == CTL_NONE ? status : sh->status;
}

/* The three expressions as commands of their own. */
static struct node *loop_shown(struct shell *sh, struct node *n)
{
    const struct arith_text *t[] = {&n->u.forarith->init, &n->u.forarith->cond,
                                    &n->u.forarith->step};
    struct node *p = arena_array(&sh->program->arena, struct node, 3);
    for (int i = 0; p && i < 3; i++)
        p[i] = (struct node){.kind = NODE_ARITH, .line = n->line, .u.arith.expr = t[i]->expr};
    return n->u.forarith->shown = p;
}

/* One of the three expressions: 0 with its value, or -1. */
static int loop_arith(struct shell *sh, struct node *n, struct arith_text *t, int64_t *value)
{
    struct node *shown = n->u.forarith->shown ? n->u.forarith->shown : loop_shown(sh, n);
    int which = t == &n->u.forarith->init ? 0 : t == &n->u.forarith->cond ? 1 : 2;
    if (!shown)
        return -1;
    int line = sh->line;
    sh->line = n->line + sh->line_base;
    if (UNLIKELY(sh->trap_special & TRAP_BIT_DEBUG)) {
        eval_debug(sh, shown + which);
        if (sh->ctl != CTL_NONE)
            return -1;
    }
    if (LIKELY(!sh->in_trap))
        sh->command = shown + which;
    struct arena_mark m = arena_mark(&sh->arena);
    if (UNLIKELY(SH_OPT(sh, OPT_XTRACE)))
        trace_arith(sh, t->expr);
    int r = arith_command(sh, t, value);
    arena_release(&sh->arena, m);
    sh->this_name = "((";
    if (r < 0 && sh->ctl == CTL_ABORT)
        sh->ctl = CTL_NONE;
    if (sh->ctl == CTL_NONE)
        sh->line = line;
    return r < 0 ? -1 : 0;
}

int eval_forarith(struct shell *sh, struct node *n)
{
    int64_t v;
    int status = 0;
    if (loop_arith(sh, n, &n->u.forarith->init, &v) < 0)
        return sh->ctl == CTL_NONE ? eval_set_status(sh, 1) : sh->status;
    sh->loops++;
    for (;;) {
        if (UNLIKELY(proc_tick(sh->proc, 1) < 0)) {
            status = eval_killed(sh);
            break;
        }
        if (UNLIKELY(loop_arith(sh, n, &n->u.forarith->cond, &v) < 0)) {
            status = 1;
            break;
        }
        if (!v)
            break;
        status = n->u.forarith->body ? eval_node(sh, n->u.forarith->body, 0) : 0;
        if (loop_stop(sh))
            break;
        if (UNLIKELY(loop_arith(sh, n, &n->u.forarith->step, &v) < 0)) {
            status = 1;
            break;
        }
    }
    loop_leave(sh);
    return sh->status = sh->ctl == CTL_NONE ? status : sh->status;
}

int eval_while(struct shell *sh, struct node *n)
{
    int status = 0;
    bool until = n->flag;
    sh->loops++;
    for (;;) {
        if (UNLIKELY(proc_tick(sh->proc, 1) < 0)) {
            status = eval_killed(sh);
            break;
        }
        sh->noerr++;
        int cond = eval_node(sh, n->u.loop_while.cond, EVAL_NOERR);
        sh->noerr--;
        if (UNLIKELY(sh->ctl != CTL_NONE)) {
            if (loop_stop(sh))
                break;
            continue;
        }
        if ((cond != 0) != until)
            break;
        status = eval_node(sh, n->u.loop_while.body, 0);
        if (loop_stop(sh))
            break;
    }
    loop_leave(sh);
    return sh->status = sh->ctl == CTL_NONE ? status : sh->status;
}

/* ---- case ------------------------------------------------------------------------------------ */

static int loop_case_match(struct shell *sh, struct case_item *it, struct str text, bool *match)
{
    bool nocase = SH_SHOPT(sh, SHOPT_NOCASEMATCH);
    *match = false;
    for (int i = 0; i < it->npatterns && !*match; i++) {
        struct word *w = it->patterns[i];
        int r = expand_glob_match(sh, w, &w->cache, text, nocase, match);
        if (r < 0)
            return r;
    }
    return 0;
}

int eval_case(struct shell *sh, struct node *n)
{
    struct arena_mark m = arena_mark(&sh->arena);
    struct str text = STR_NONE;
    int status = 0;
    sh->line = n->line + sh->line_base;
    if (UNLIKELY(proc_tick(sh->proc, 1) < 0))
        return eval_killed(sh);
    if (UNLIKELY(SH_OPT(sh, OPT_XTRACE)))
        trace_node(sh, n);
    if (UNLIKELY(sh->trap_special & TRAP_BIT_DEBUG) && eval_debug(sh, n))
        return sh->status;
    if (LIKELY(!sh->in_trap))
        sh->command = n;
    if (expand_word(sh, n->u.match.word, 0, &text) < 0) {
        arena_release(&sh->arena, m);
        return sh->ctl == CTL_NONE ? eval_set_status(sh, 1) : sh->status;
    }
    bool fall = false;
    for (int i = 0; i < n->u.match.n; i++) {
        struct case_item *it = &n->u.match.items[i];
        bool match = fall;
        if (!fall && loop_case_match(sh, it, text, &match) < 0) {
            status = 1;
            break;
        }
        if (!match)
            continue;
        status = it->body ? eval_node(sh, it->body, 0) : 0;
        if (sh->ctl != CTL_NONE || it->term == ';')
            break;
        fall = it->term == '&';
    }
    arena_release(&sh->arena, m);
    return sh->status = sh->ctl == CTL_NONE ? status : sh->status;
}

/* ---- select ---------------------------------------------------------------------------------- */

static int loop_select_digits(size_t n)
{
    int d = 1;
    while (n > 9) {
        n /= 10;
        d++;
    }
    return d;
}

/* Blanks and tabs from one column to another, as bash's indent() does. */
static void loop_select_indent(struct buf *b, size_t from, size_t to)
{
    while (from < to) {
        if (to / 8 > from / 8) {
            buf_putc(b, '\t');
            from += 8 - from % 8;
        } else {
            buf_putc(b, ' ');
            from++;
        }
    }
}

/* As wide as it looks, or as many bytes as it has when it holds control characters. */
static size_t loop_select_width(struct str s)
{
    for (size_t i = 0; i < s.n; i++)
        if ((uint8_t)s.p[i] < ' ' || s.p[i] == 127)
            return s.n;
    return utf8_columns(s);
}

static void loop_select_menu(struct shell *sh, struct strs *w)
{
    struct buf b;
    struct str v = STR_NONE;
    int64_t columns = 80;
    size_t longest = 0;
    if (var_strz(sh, "COLUMNS", &v) && (str_int(v, &columns) < 0 || columns <= 0))
        columns = 80;
    for (size_t i = 0; i < w->n; i++)
        longest = MAX(longest, loop_select_width(w->p[i]));
    size_t digits = (size_t)loop_select_digits(w->n), width = longest + digits + 2 + 2;
    size_t cols = MAX((size_t)columns / width, (size_t)1);
    size_t rows = w->n / cols + (w->n % cols != 0);
    cols = w->n / rows + (w->n % rows != 0);
    if (rows == 1) {
        rows = cols;
        cols = 1;
    }
    size_t first = (size_t)loop_select_digits(rows);
    buf_init(&b, sh->heap);
    for (size_t row = 0; row < rows; row++) {
        size_t pos = 0;
        for (size_t i = row; i < w->n; i += rows) {
            size_t d = pos == 0 ? first : digits;
            buf_printf(&b, "%*zu) %.*s", (int)d, i + 1, STR_ARG(w->p[i]));
            size_t end = pos + d + 2 + loop_select_width(w->p[i]);
            if (i + rows < w->n)
                loop_select_indent(&b, end, pos + width);
            pos += width;
        }
        buf_putc(&b, '\n');
    }
    proc_puts(sh->proc, 2, buf_get(&b));
    buf_fini(&b);
}

/* Shows PS3 and reads REPLY: its number, 0 for no valid one, -1 at the end of the input. */
static int64_t loop_select_read(struct shell *sh, struct strs *w, bool menu)
{
    struct str ps3 = STR("#? "), reply = STR_NONE;
    struct str read[] = {STR("read")};
    int64_t n = 0;
    const struct builtin *b = builtin_find(read[0]);
    for (;; menu = true) {
        if (menu)
            loop_select_menu(sh, w);
        var_strz(sh, "PS3", &ps3);
        proc_puts(sh->proc, 2, ps3);
        if (!b || b->run(sh, read, 1) != 0) {
            proc_puts(sh->proc, 1, STR("\n"));
            return -1;
        }
        if (sh->ctl != CTL_NONE)
            return -1;
        if (!var_strz(sh, "REPLY", &reply) || !reply.n)
            continue;
        if (str_int(str_trim(reply), &n) < 0 || n < 1 || (uint64_t)n > w->n)
            return 0;
        return n;
    }
}

/* The menu comes again when the body has emptied REPLY. */
static bool loop_reply(struct shell *sh)
{
    struct str v = STR_NONE;
    return var_strz(sh, "REPLY", &v) && v.n;
}

int eval_select(struct shell *sh, struct node *n)
{
    struct arena_mark m = arena_mark(&sh->arena);
    struct strs words = {0};
    int status = 0;
    struct sym *s = loop_sym(sh, n);
    sh->line = n->line + sh->line_base;
    if (UNLIKELY(SH_OPT(sh, OPT_XTRACE)))
        trace_node(sh, n);
    if (UNLIKELY(sh->trap_special & TRAP_BIT_DEBUG) && eval_debug(sh, n))
        return sh->status;
    sh->loops++; /* the words count as inside of it */
    if (!s || loop_words(sh, n, &words) < 0) {
        loop_leave(sh);
        arena_release(&sh->arena, m);
        return sh->ctl == CTL_NONE ? eval_set_status(sh, 1) : sh->status;
    }
    if (words.n == 0) { /* as in bash, the level stays counted */
        arena_release(&sh->arena, m);
        return sh->status = 0;
    }
    for (bool menu = true;; menu = false) {
        if (UNLIKELY(proc_tick(sh->proc, 1) < 0)) {
            status = eval_killed(sh);
            break;
        }
        int64_t pick = loop_select_read(sh, &words, menu || !loop_reply(sh));
        if (pick < 0) {
            status = 1;
            break;
        }
        if (loop_assign(sh, s, pick ? words.p[pick - 1] : STR("")) < 0) {
            status = 1;
            break;
        }
        status = n->u.loop.body ? eval_node(sh, n->u.loop.body, 0) : 0;
        if (loop_stop(sh))
            break;
    }
    loop_leave(sh);
    arena_release(&sh->arena, m);
    return sh->status = sh->ctl == CTL_NONE ? status : sh->status;
}
