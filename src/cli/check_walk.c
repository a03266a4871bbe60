/* check_walk.c -- hob check: every command and every word of a syntax tree */
#include <string.h>

#include "cli/check.h"

static void check_word(struct check *c, const struct word *w, int line);

static void check_param(struct check *c, const struct param *p, int line)
{
    check_word(c, p->index, line);
    check_word(c, p->word, line);
    check_word(c, p->word2, line);
}

static void check_parts(struct check *c, const struct part *p, int n, int line)
{
    for (int i = 0; i < n; i++, p++) {
        switch (p->kind) {
        case PART_DQUOTE: check_parts(c, p->u.sub.p, p->u.sub.n, line); break;
        case PART_PARAM: check_param(c, p->u.param, line); break;
        case PART_CMDSUB:
        case PART_PROCSUB: check_node(c, p->u.cmd.body); break;
        case PART_ARITH: check_word(c, p->u.arith.expr, line); break;
        case PART_BRACE:
            for (int k = 0; k < p->u.brace->n; k++)
                check_word(c, p->u.brace->alts[k], line);
            break;
        default: break;
        }
    }
}

static void check_word(struct check *c, const struct word *w, int line)
{
    if (!w || check_deep(c, line))
        return;
    check_hosts(c, w, line);
    check_parts(c, w->parts, w->n, line);
}

static void check_words(struct check *c, struct word *const *w, int n, int line)
{
    for (int i = 0; i < n; i++)
        check_word(c, w[i], line);
}

static void check_assign(struct check *c, const struct assign *a, int line)
{
    check_word(c, a->index, line);
    check_word(c, a->value, line);
    for (int i = 0; i < a->nelems; i++) {
        check_word(c, a->elems[i].index, line);
        check_word(c, a->elems[i].value, line);
    }
}

/* A redirection names a file, unless it copies a descriptor or brings its own text. */
static void check_redir(struct check *c, const struct redir *r)
{
    const struct word *w = r->word;
    check_word(c, w, r->line);
    if (!w || r->op == REDIR_HEREDOC || r->op == REDIR_HERESTR)
        return;
    bool digits = (w->flags & WORD_STATIC) && w->lit.n;
    for (size_t i = 0; digits && i < w->lit.n; i++)
        digits = strchr("0123456789-", w->lit.p[i]) != NULL;
    if ((r->op == REDIR_DUPIN || r->op == REDIR_DUPOUT) && (digits || !(w->flags & WORD_STATIC)))
        return;
    check_path(c, w, r->op == REDIR_IN ? CHECK_READ : CHECK_WRITE, r->line);
}

static void check_simple(struct check *c, const struct node *n)
{
    for (int i = 0; i < n->u.simple.nassigns; i++)
        check_assign(c, &n->u.simple.assigns[i], n->line);
    for (int i = 0; i < n->u.simple.nwords; i++) {
        const struct word *w = n->u.simple.words[i];
        if (w->flags & WORD_ARRAY && w->assign)
            check_assign(c, w->assign, n->line);
        else
            check_word(c, w, n->line);
    }
    check_command(c, n->u.simple.words, n->u.simple.nwords, n->line);
}

static void check_cond(struct check *c, const struct cond *k, int line)
{
    if (!k || check_deep(c, line))
        return;
    check_cond(c, k->left, line);
    check_cond(c, k->right, line);
    check_word(c, k->a, line);
    check_word(c, k->b, line);
    if (k->op == COND_UNARY && k->name.n == 2 && strchr("abcdefghkprsuwxGLNOS", k->name.p[1]))
        check_path(c, k->a, CHECK_READ, line);
}

static void check_case(struct check *c, const struct node *n)
{
    check_word(c, n->u.match.word, n->line);
    for (int i = 0; i < n->u.match.n; i++) {
        const struct case_item *item = &n->u.match.items[i];
        check_words(c, item->patterns, item->npatterns, n->line);
        check_node(c, item->body);
    }
}

static void check_loop(struct check *c, const struct node *n)
{
    switch (n->kind) {
    case NODE_FOR:
    case NODE_SELECT:
        check_words(c, n->u.loop.words, n->u.loop.nwords, n->line);
        check_node(c, n->u.loop.body);
        break;
    case NODE_FORARITH:
        check_word(c, n->u.forarith->init.expr, n->line);
        check_word(c, n->u.forarith->cond.expr, n->line);
        check_word(c, n->u.forarith->step.expr, n->line);
        check_node(c, n->u.forarith->body);
        break;
    default:
        check_node(c, n->u.loop_while.cond);
        check_node(c, n->u.loop_while.body);
        break;
    }
}

static void check_if(struct check *c, const struct node *n)
{
    for (int i = 0; i < n->u.cond_if.n; i++) {
        check_node(c, n->u.cond_if.conds[i]);
        check_node(c, n->u.cond_if.bodies[i]);
    }
    check_node(c, n->u.cond_if.other);
}

void check_node(struct check *c, const struct node *n)
{
    if (!n || check_deep(c, n->line))
        return;
    switch (n->kind) {
    case NODE_SIMPLE: check_simple(c, n); break;
    case NODE_PIPE:
        for (int i = 0; i < n->u.pipe.n; i++)
            check_node(c, n->u.pipe.cmds[i]);
        break;
    case NODE_AND:
    case NODE_OR:
        check_node(c, n->u.bin.left);
        check_node(c, n->u.bin.right);
        break;
    case NODE_LIST:
        for (int i = 0; i < n->u.list.n; i++)
            check_node(c, n->u.list.items[i].node);
        break;
    case NODE_NOT:
    case NODE_TIME:
    case NODE_GROUP:
    case NODE_SUBSHELL: check_node(c, n->u.body.body); break;
    case NODE_IF: check_if(c, n); break;
    case NODE_FOR:
    case NODE_SELECT:
    case NODE_FORARITH:
    case NODE_WHILE: check_loop(c, n); break;
    case NODE_CASE: check_case(c, n); break;
    case NODE_FUNC:
        check_note(c, CHECK_FUNCTION, n->u.func.name, n->line);
        check_node(c, n->u.func.body);
        break;
    case NODE_COND: check_cond(c, n->u.cond, n->line); break;
    case NODE_ARITH: check_word(c, n->u.arith.expr, n->line); break;
    case NODE_COPROC: check_node(c, n->u.coproc.body); break;
    default: break;
    }
    for (int i = 0; i < n->nredirs; i++)
        check_redir(c, &n->redirs[i]);
}
