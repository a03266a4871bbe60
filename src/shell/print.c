/* print.c -- from syntax trees back to text, byte for byte as `declare -f` of bash 5.2 shows it
 *
 * The layout follows from a few pieces of state: how deep we are indented, whether the next command
 * stands behind something on its line (`skip`), whether we are inside a function, where commands
 * get a line each, and which here-documents wait for the end of the line.
 */
#include "shell/ast.h"
#include "shell/parse.h"

struct print {
    struct buf *b;
    int indent, skip, function, connection;
    int step; /* how far a body is indented; 0: a function for the environment */
    bool posix;
    bool comsub;  /* inside $( ) */
    bool was_doc; /* here-documents were just printed: they end their line themselves */
    const struct redir *docs[16]; /* headers printed, bodies not */
    int ndocs;
    const char *floor; /* of the stack: what nests deeper is left out */
    bool *cut;         /* whether something was, or NULL */
};

enum {
    PRINT_STACK = 48 << 10
}; /* what may be used of it; a task has more than that in spare */

static bool print_too_deep(struct print *o)
{
    const char *here = __builtin_frame_address(0);
    if (here >= o->floor)
        return false;
    buf_addz(o->b, "...");
    if (o->cut)
        *o->cut = true;
    return true;
}

static struct print print_begin(struct buf *b)
{
    const char *here = __builtin_frame_address(0);
    return (struct print){.b = b, .step = 4, .floor = here - PRINT_STACK};
}

static void print_command(struct print *o, const struct node *n);
static void print_words_text(struct print *o, const struct word *w);

static void print_z(struct print *o, const char *z) { buf_addz(o->b, z); }
static void print_str(struct print *o, struct str s) { buf_str(o->b, s); }

static void print_newline(struct print *o, const char *text)
{
    buf_putc(o->b, '\n');
    buf_fill(o->b, ' ', (size_t)o->indent);
    print_z(o, text);
}

static void print_semicolon(struct print *o)
{
    char last = o->b->n ? o->b->p[o->b->n - 1] : '\0';
    if (last != '&' && last != '\n')
        buf_putc(o->b, ';');
}

/* ---- here-documents ------------------------------------------------------------------------- */

static void print_docs(struct print *o, int from)
{
    buf_putc(o->b, '\n');
    for (int i = from; i < o->ndocs; i++) {
        print_str(o, o->docs[i]->word->src);
        print_str(o, o->docs[i]->delim);
        buf_putc(o->b, '\n');
    }
    o->ndocs = from;
    o->was_doc = true;
}

/* A separator, and behind it the bodies of the documents whose headers stand on the line. */
static void print_deferred(struct print *o, const char *text)
{
    bool some = *text && !(text[0] == ';' && !text[1]);
    if (some)
        print_z(o, text);
    if (o->ndocs) {
        print_docs(o, 0);
        if (some)
            buf_putc(o->b, ' ');
    }
}

static void print_deferred_end(struct print *o)
{
    if (o->ndocs)
        print_deferred(o, "");
}

/* ---- words ---------------------------------------------------------------------------------- */

/* The first byte of a command, as far as it matters: "(" must not follow "$(". */
static char print_first(const struct node *n)
{
    for (;;) {
        switch (n->kind) {
        case NODE_LIST: n = n->u.list.items[0].node; break;
        case NODE_PIPE: n = n->u.pipe.cmds[0]; break;
        case NODE_AND:
        case NODE_OR: n = n->u.bin.left; break;
        case NODE_SUBSHELL:
        case NODE_ARITH: return '(';
        default: return '\0';
        }
    }
}

static void print_inside(struct print *o, const struct node *n)
{
    struct print in = {.b = o->b, .step = 4, .comsub = true};
    in.floor = o->floor;
    in.cut = o->cut;
    print_command(&in, n);
    if (in.ndocs)
        print_docs(&in, 0);
}

static void print_sub(struct print *o, const struct word_sub *s)
{
    buf_putc(o->b, s->kind);
    buf_putc(o->b, '(');
    if (s->body) {
        if (s->kind == '$' && print_first(s->body) == '(')
            buf_putc(o->b, ' ');
        print_inside(o, s->body);
    }
    buf_putc(o->b, ')');
}

static void print_assign(struct print *o, const struct assign *a)
{
    print_str(o, a->name);
    if (a->index) {
        buf_putc(o->b, '[');
        print_words_text(o, a->index);
        buf_putc(o->b, ']');
    }
    print_z(o, a->append ? "+=" : "=");
    if (!a->array) {
        print_words_text(o, a->value);
        return;
    }
    buf_putc(o->b, '(');
    for (int i = 0; i < a->nelems; i++) {
        const struct element *e = &a->elems[i];
        if (i)
            buf_putc(o->b, ' ');
        if (e->index) {
            buf_putc(o->b, '[');
            print_words_text(o, e->index);
            print_z(o, e->append ? "]+=" : "]=");
        }
        print_words_text(o, e->value);
    }
    buf_putc(o->b, ')');
}

static void print_words_text(struct print *o, const struct word *w)
{
    size_t at = 0;
    if (!w)
        return;
    if (w->assign) {
        print_assign(o, w->assign);
        return;
    }
    for (int i = 0; i < w->nsubs; i++) {
        buf_add(o->b, w->src.p + at, w->subs[i].at - at);
        at = w->subs[i].at;
        print_sub(o, &w->subs[i]);
    }
    buf_add(o->b, w->src.p + at, w->src.n - at);
}

static void print_words(struct print *o, struct word *const *w, int n, const char *between)
{
    for (int i = 0; i < n; i++) {
        if (i)
            print_z(o, between);
        print_words_text(o, w[i]);
    }
}

/* ---- redirections --------------------------------------------------------------------------- */

/* <& and >& to a number, a number with -, or - alone, are printed with the descriptor in front. */
static void print_dup(struct print *o, const struct redir *r)
{
    struct str to = r->word->lit;
    bool out = r->op == REDIR_DUPOUT, close = str_eq(to, STR("-"));
    bool number = to.n && ((to.p[0] >= '0' && to.p[0] <= '9') || close);
    if (!r->var.p && (number || (r->fd >= 0 && r->fd != out)))
        buf_printf(o->b, "%d", r->fd >= 0 ? r->fd : out);
    print_z(o, out || close ? ">&" : "<&");
    print_words_text(o, r->word);
}

static void print_doc_header(struct print *o, const struct redir *r)
{
    if (!r->raw) {
        print_str(o, r->delim);
        return;
    }
    buf_putc(o->b, '\'');
    for (size_t i = 0; i < r->delim.n; i++) {
        if (r->delim.p[i] == '\'')
            print_z(o, "'\\'");
        buf_putc(o->b, r->delim.p[i]);
    }
    buf_putc(o->b, '\'');
}

static void print_redir(struct print *o, const struct redir *r)
{
    static const char *const ops[] = {
        [REDIR_IN] = "< ",        [REDIR_OUT] = "> ",      [REDIR_APPEND] = ">> ",
        [REDIR_CLOBBER] = ">| ",  [REDIR_RDWR] = "<> ",    [REDIR_BOTH] = "&> ",
        [REDIR_BOTHAPP] = "&>> ", [REDIR_HERESTR] = "<<< "};
    if (r->var.p) {
        buf_putc(o->b, '{');
        print_str(o, r->var);
        buf_putc(o->b, '}');
    }
    if (r->op == REDIR_DUPIN || r->op == REDIR_DUPOUT) {
        print_dup(o, r);
        return;
    }
    bool in = r->op == REDIR_IN || r->op == REDIR_HEREDOC || r->op == REDIR_HERESTR;
    int fd = r->fd < 0 && r->op == REDIR_RDWR && !r->var.p ? 0 : r->fd;
    if (fd >= 0 && (fd != !in || r->op == REDIR_RDWR) && r->op != REDIR_BOTH &&
        r->op != REDIR_BOTHAPP)
        buf_printf(o->b, "%d", fd);
    if (r->amp_behind) {
        print_z(o, ">&");
        print_words_text(o, r->word);
        return;
    }
    if (r->op == REDIR_HEREDOC) {
        print_z(o, r->strip ? "<<-" : "<<");
        print_doc_header(o, r);
        return;
    }
    print_z(o, ops[r->op]);
    print_words_text(o, r->word);
}

static void print_redirs(struct print *o, const struct node *n)
{
    int from = o->ndocs;
    for (int i = 0; i < n->nredirs; i++) {
        if (i)
            buf_putc(o->b, ' ');
        print_redir(o, &n->redirs[i]);
        if (n->redirs[i].op == REDIR_HEREDOC) {
            if (o->ndocs == (int)COUNT(o->docs))
                print_docs(o, from = 0);
            o->docs[o->ndocs++] = &n->redirs[i];
        }
    }
    if (o->ndocs > from && !o->connection)
        print_docs(o, from);
}

/* ---- lists ---------------------------------------------------------------------------------- */

/* What stands between two commands of a list. */
static void print_separator(struct print *o, const struct list_item *i, bool more)
{
    if (i->sep == '&') {
        print_deferred(o, " &");
        if (more) {
            buf_putc(o->b, ' ');
            o->skip++;
        }
        return;
    }
    bool docs = o->ndocs || o->was_doc, line = o->comsub && i->newline;
    if (o->ndocs)
        print_deferred(o, o->function ? "" : ";");
    else if (!o->was_doc)
        buf_putc(o->b, line ? '\n' : ';');
    else
        o->was_doc = false;
    if (o->function) {
        buf_putc(o->b, '\n');
    } else if (line) {
        if (docs)
            buf_putc(o->b, '\n');
        o->skip++;
    } else {
        buf_putc(o->b, ' ');
        o->skip++;
    }
}

static void print_list(struct print *o, const struct node *n)
{
    const struct list_item *items = n->u.list.items;
    int last = n->u.list.n - 1;
    bool amp = items[last].sep == '&';
    o->connection += last + amp;
    print_command(o, items[0].node);
    for (int i = 1; i <= last; i++) {
        print_separator(o, &items[i - 1], true);
        print_command(o, items[i].node);
        print_deferred_end(o);
        o->connection--;
    }
    if (amp) {
        print_separator(o, &items[last], false);
        print_deferred_end(o);
        o->connection--;
    }
}

static void print_pipe(struct print *o, const struct node *n)
{
    int last = n->u.pipe.n - 1;
    o->connection += last;
    for (int i = 0; i <= last; i++) {
        print_command(o, n->u.pipe.cmds[i]);
        if (i == last)
            break;
        print_deferred(o, " |");
        buf_putc(o->b, ' ');
        o->skip++;
    }
    print_deferred_end(o);
    o->connection -= last;
}

/* && and || group to the left, so a long chain is a deep tree: it is walked from its end. */
static void print_and_or(struct print *o, const struct node *n)
{
    size_t count = 0, i = 0;
    const struct node *at;
    for (at = n; at->kind == NODE_AND || at->kind == NODE_OR; at = at->u.bin.left)
        count++;
    const struct node **spine = heap_alloc(o->b->heap, count * sizeof *spine);
    if (!spine)
        return;
    for (const struct node *k = n; i < count; k = k->u.bin.left)
        spine[i++] = k;
    o->connection += (int)count;
    print_command(o, at);
    while (i-- > 0) {
        print_deferred(o, spine[i]->kind == NODE_AND ? " && " : " || ");
        o->skip++;
        print_command(o, spine[i]->u.bin.right);
        print_deferred_end(o);
        o->connection--;
    }
    heap_free(o->b->heap, spine, count * sizeof *spine);
}

/* ---- compound commands ---------------------------------------------------------------------- */

static void print_body(struct print *o, const struct node *body)
{
    o->indent += o->step;
    print_command(o, body);
    print_deferred_end(o);
    o->indent -= o->step;
}

static void print_done(struct print *o, const struct node *body)
{
    print_body(o, body);
    print_semicolon(o);
    print_newline(o, "done");
}

static void print_for(struct print *o, const struct node *n)
{
    print_z(o, n->kind == NODE_FOR ? "for " : "select ");
    print_str(o, n->u.loop.name);
    print_z(o, " in ");
    if (n->flag)
        print_words(o, n->u.loop.words, n->u.loop.nwords, " ");
    else
        print_z(o, "\"$@\"");
    buf_putc(o->b, ';');
    print_newline(o, "do\n");
    print_done(o, n->u.loop.body);
}

static void print_for_arith(struct print *o, const struct node *n)
{
    const struct word *parts[3] = {n->u.forarith->init.expr, n->u.forarith->cond.expr,
                                   n->u.forarith->step.expr};
    print_z(o, "for ((");
    for (int i = 0; i < 3; i++) {
        if (i)
            print_z(o, "; ");
        if (parts[i])
            print_words_text(o, parts[i]);
        else
            buf_putc(o->b, '1');
    }
    print_z(o, "))");
    print_newline(o, "do\n");
    print_done(o, n->u.forarith->body);
}

static void print_while(struct print *o, const struct node *n)
{
    print_z(o, n->flag ? "until " : "while ");
    o->skip++;
    print_command(o, n->u.loop_while.cond);
    print_deferred_end(o);
    print_semicolon(o);
    print_z(o, " do\n");
    print_done(o, n->u.loop_while.body);
}

/* elif is printed as an if inside else. */
static void print_if(struct print *o, const struct node *n)
{
    int last = n->u.cond_if.n - 1;
    for (int i = 0; i <= last; i++) {
        print_z(o, "if ");
        o->skip++;
        print_command(o, n->u.cond_if.conds[i]);
        print_deferred_end(o);
        print_semicolon(o);
        print_z(o, " then\n");
        print_body(o, n->u.cond_if.bodies[i]);
        if (i == last && !n->u.cond_if.other)
            break;
        print_semicolon(o);
        print_newline(o, "else\n");
        o->indent += o->step;
        if (i < last)
            buf_fill(o->b, ' ', (size_t)o->indent);
        else
            print_command(o, n->u.cond_if.other);
    }
    if (n->u.cond_if.other) {
        print_deferred_end(o);
        o->indent -= o->step;
    }
    print_semicolon(o);
    print_newline(o, "fi");
    for (int i = 0; i < last; i++) {
        o->indent -= o->step;
        print_semicolon(o);
        print_newline(o, "fi");
    }
}

static void print_case(struct print *o, const struct node *n)
{
    print_z(o, "case ");
    print_words_text(o, n->u.match.word);
    print_z(o, " in ");
    o->indent += o->step;
    for (int i = 0; i < n->u.match.n; i++) {
        const struct case_item *c = &n->u.match.items[i];
        print_newline(o, "");
        print_words(o, c->patterns, c->npatterns, " | ");
        print_z(o, ")\n");
        o->indent += o->step;
        if (c->body)
            print_command(o, c->body);
        o->indent -= o->step;
        print_deferred_end(o);
        print_newline(o, c->term == '&' ? ";&" : c->term == '+' ? ";;&" : ";;");
    }
    o->indent -= o->step;
    print_newline(o, "esac");
}

static void print_group(struct print *o, const struct node *n)
{
    print_z(o, "{ ");
    if (o->function) {
        buf_putc(o->b, '\n');
        o->indent += o->step;
    } else {
        o->skip++;
    }
    print_command(o, n->u.body.body);
    print_deferred_end(o);
    if (o->function) {
        o->indent -= o->step;
        print_newline(o, "");
    } else {
        print_semicolon(o);
        buf_putc(o->b, ' ');
    }
    buf_putc(o->b, '}');
}

static void print_subshell(struct print *o, const struct node *n)
{
    print_z(o, "( ");
    o->skip++;
    print_command(o, n->u.body.body);
    print_deferred_end(o);
    print_z(o, " )");
}

/* The braces of a function and what is in them; redirections of a { } body go behind it. */
static void print_function_body(struct print *o, const struct node *body)
{
    bool group = body->kind == NODE_GROUP;
    /* In the environment the outermost body begins on the line of its brace, all lines of it
     * behind one blank. */
    bool outermost = !o->step && !o->function;
    int step = outermost ? 1 : o->step;
    print_z(o, outermost ? "{ " : "{ \n");
    o->function++;
    o->indent += step;
    print_command(o, group ? body->u.body.body : body);
    print_deferred_end(o);
    o->indent -= step;
    o->function--;
    o->was_doc = false;
    if (group && body->nredirs) {
        print_newline(o, "} ");
        print_redirs(o, body);
    } else {
        print_newline(o, "}");
    }
}

static void print_cond(struct print *o, const struct cond *c)
{
    if (print_too_deep(o))
        return;
    switch (c->op) {
    case COND_AND:
    case COND_OR:
        print_cond(o, c->left);
        print_z(o, c->op == COND_AND ? " && " : " || ");
        print_cond(o, c->right);
        break;
    case COND_NOT: {
        bool odd = true;
        for (c = c->left; c->op == COND_NOT; c = c->left)
            odd = !odd;
        print_z(o, odd ? "! " : "");
        print_cond(o, c);
        break;
    }
    case COND_PAREN:
        print_z(o, "( ");
        print_cond(o, c->left);
        print_z(o, " )");
        break;
    case COND_BINARY:
        print_words_text(o, c->a);
        buf_putc(o->b, ' ');
        print_str(o, c->name);
        buf_putc(o->b, ' ');
        print_words_text(o, c->b);
        break;
    default:
        print_str(o, c->op == COND_WORD ? STR("-n") : c->name);
        buf_putc(o->b, ' ');
        print_words_text(o, c->a);
        break;
    }
}

/* Redirections are printed behind the words. A first word that only counts as one because a
 * redirection stood before it must keep it there. */
static bool print_redirs_first(const struct node *n)
{
    if (n->kind != NODE_SIMPLE || !n->nredirs || n->u.simple.nassigns || !n->u.simple.nwords)
        return false;
    struct str s = n->u.simple.words[0]->src;
    return parse_is_reserved(s);
}

static void print_simple(struct print *o, const struct node *n)
{
    for (int i = 0; i < n->u.simple.nassigns; i++) {
        if (i)
            buf_putc(o->b, ' ');
        print_assign(o, &n->u.simple.assigns[i]);
    }
    if (n->u.simple.nassigns && n->u.simple.nwords)
        buf_putc(o->b, ' ');
    print_words(o, n->u.simple.words, n->u.simple.nwords, " ");
}

/* ---- any command ---------------------------------------------------------------------------- */

static void print_kind(struct print *o, const struct node *n)
{
    switch (n->kind) {
    case NODE_SIMPLE: print_simple(o, n); break;
    case NODE_PIPE: print_pipe(o, n); break;
    case NODE_AND:
    case NODE_OR: print_and_or(o, n); break;
    case NODE_LIST: print_list(o, n); break;
    case NODE_IF: print_if(o, n); break;
    case NODE_FOR:
    case NODE_SELECT: print_for(o, n); break;
    case NODE_FORARITH: print_for_arith(o, n); break;
    case NODE_WHILE: print_while(o, n); break;
    case NODE_CASE: print_case(o, n); break;
    case NODE_GROUP: print_group(o, n); break;
    case NODE_SUBSHELL: print_subshell(o, n); break;
    case NODE_COND:
        print_z(o, "[[ ");
        print_cond(o, n->u.cond);
        print_z(o, " ]]");
        break;
    case NODE_ARITH:
        print_z(o, "((");
        print_words_text(o, n->u.arith.expr);
        print_z(o, "))");
        break;
    case NODE_FUNC:
        print_z(o, o->posix ? "" : "function ");
        print_str(o, n->u.func.name);
        print_z(o, " () \n");
        buf_fill(o->b, ' ', (size_t)o->indent);
        print_function_body(o, n->u.func.body);
        break;
    case NODE_COPROC:
        print_z(o, "coproc ");
        print_str(o, n->u.coproc.name);
        buf_putc(o->b, ' ');
        o->skip++;
        print_command(o, n->u.coproc.body);
        break;
    default: break;
    }
}

static void print_command(struct print *o, const struct node *n)
{
    if (print_too_deep(o)) {
        o->skip -= o->skip > 0;
        return;
    }
    if (o->skip)
        o->skip--;
    else
        buf_fill(o->b, ' ', (size_t)o->indent);
    bool not = false, timed = false, posix = false, alone = n->kind == NODE_NOT;
    for (; n && (n->kind == NODE_NOT || n->kind == NODE_TIME); n = n->u.body.body) {
        not ^= n->kind == NODE_NOT;
        timed = timed || n->kind == NODE_TIME;
        posix = posix || (n->kind == NODE_TIME && n->flag);
    }
    print_z(o, posix ? "time -p " : timed ? "time " : "");
    print_z(o, not || (!n && alone) ? "! " : "");
    if (!n)
        return;
    if (n->kind == NODE_PIPE || n->kind == NODE_LIST || n->kind == NODE_AND || n->kind == NODE_OR)
        o->skip++; /* the first command of it stands right here */
    bool first = print_redirs_first(n);
    if (first) {
        print_redirs(o, n);
        buf_putc(o->b, ' ');
    }
    print_kind(o, n);
    if (n->nredirs && !first) {
        if (n->kind != NODE_SIMPLE || n->u.simple.nwords || n->u.simple.nassigns)
            buf_putc(o->b, ' ');
        print_redirs(o, n);
    }
}

void print_node(struct buf *b, const struct node *n)
{
    struct print o = print_begin(b);
    print_command(&o, n);
    print_deferred_end(&o);
}

bool print_comsub(struct buf *b, const struct node *n)
{
    struct print o = print_begin(b);
    bool cut = false;
    o.cut = &cut;
    print_inside(&o, n);
    return !cut;
}

void print_posix(struct buf *b, const struct node *n)
{
    struct print o = print_begin(b);
    o.posix = true;
    print_command(&o, n);
    print_deferred_end(&o);
}

void print_word(struct buf *b, const struct word *w)
{
    struct print o = print_begin(b);
    print_words_text(&o, w);
}

void print_function(struct buf *b, struct str name, const struct node *body)
{
    struct print o = print_begin(b);
    if (parse_is_reserved(name))
        print_z(&o, "function ");
    print_str(&o, name);
    print_z(&o, " () \n");
    print_function_body(&o, body);
}

void print_exported(struct buf *b, const struct node *body)
{
    struct print o = print_begin(b);
    o.step = 0;
    print_z(&o, "() ");
    print_function_body(&o, body);
}
