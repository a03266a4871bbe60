/* parse.c -- tests of the shell's parser and of the printer of its trees */
#include "testheap.h"

#include "shell/parse.h"

/* ---- trees as text -------------------------------------------------------------------------- */

static void dump_parts(struct buf *b, const struct part *t, int n);

static void dump_word(struct buf *b, const struct word *w)
{
    if (w)
        dump_parts(b, w->parts, w->n);
}

static void dump_param(struct buf *b, const struct param *v)
{
    static const char *const ops[] = {"",  "len", "-", "=", "?", "+",     "#",    "%",  "/",
                                      ":", "^",   ",", "~", "@", "names", "keys", "bad"};
    buf_addz(b, "${");
    if (v->indirect)
        buf_putc(b, '!');
    if (v->what == PARAM_POS)
        buf_printf(b, "%d", (int)v->pos);
    else if (v->what == PARAM_SPECIAL)
        buf_putc(b, v->special);
    else
        buf_str(b, v->name);
    if (v->index_all)
        buf_printf(b, "[%c]", v->index_all);
    if (v->index) {
        buf_putc(b, '[');
        dump_word(b, v->index);
        buf_putc(b, ']');
    }
    if (v->op != PARAM_PLAIN)
        buf_printf(b, " %s%s%s", v->colon ? ":" : "", v->twice ? "2" : "", ops[v->op]);
    if (v->anchor)
        buf_putc(b, v->anchor);
    if (v->at)
        buf_putc(b, v->at);
    if (v->word) {
        buf_putc(b, ' ');
        dump_word(b, v->word);
    }
    if (v->has_rep)
        buf_addz(b, " /");
    if (v->word2) {
        buf_putc(b, ' ');
        dump_word(b, v->word2);
    }
    buf_putc(b, '}');
}

static void dump_brace(struct buf *b, const struct part *t)
{
    buf_putc(b, '{');
    for (int i = 0; i < t->u.brace->n; i++) {
        if (i)
            buf_putc(b, ',');
        dump_word(b, t->u.brace->alts[i]);
    }
    if (!t->u.brace->n)
        buf_printf(b, "%s%lld..%lld..%lld w%d", t->u.brace->chars ? "char " : "",
                   (long long)t->u.brace->from, (long long)t->u.brace->to,
                   (long long)t->u.brace->step, t->u.brace->width);
    buf_putc(b, '}');
}

static void dump_parts(struct buf *b, const struct part *t, int n)
{
    for (int i = 0; i < n; i++) {
        switch (t[i].kind) {
        case PART_LIT: buf_str(b, t[i].text); break;
        case PART_QUOTED:
            buf_putc(b, '\'');
            buf_str(b, t[i].text);
            buf_putc(b, '\'');
            break;
        case PART_DQUOTE:
            buf_putc(b, '"');
            dump_parts(b, t[i].u.sub.p, t[i].u.sub.n);
            buf_putc(b, '"');
            break;
        case PART_PARAM: dump_param(b, t[i].u.param); break;
        case PART_CMDSUB:
        case PART_PROCSUB:
            buf_addz(b, t[i].kind == PART_CMDSUB ? "$(" : t[i].out ? ">(" : "<(");
            if (t[i].read_file)
                buf_addz(b, "file: ");
            if (t[i].u.cmd.body)
                print_node(b, t[i].u.cmd.body);
            if (t[i].text.p) {
                buf_printf(b, "!%d:", t[i].u.cmd.error_line);
                buf_str(b, t[i].text);
            }
            buf_putc(b, ')');
            break;
        case PART_ARITH:
            buf_addz(b, "$((");
            dump_word(b, t[i].u.arith.expr);
            buf_addz(b, "))");
            break;
        case PART_TILDE:
            buf_addz(b, "~<");
            buf_str(b, t[i].text);
            buf_putc(b, '>');
            break;
        default: dump_brace(b, &t[i]); break;
        }
    }
}

static void dump_assign(struct buf *b, const struct assign *a)
{
    buf_str(b, a->name);
    if (a->index) {
        buf_putc(b, '[');
        dump_word(b, a->index);
        buf_putc(b, ']');
    }
    buf_addz(b, a->append ? "+=" : "=");
    dump_word(b, a->value);
    for (int i = 0; i < a->nelems; i++) {
        buf_addz(b, i ? "," : "(");
        if (a->elems[i].index) {
            buf_putc(b, '[');
            dump_word(b, a->elems[i].index);
            buf_addz(b, a->elems[i].append ? "]+=" : "]=");
        }
        dump_word(b, a->elems[i].value);
    }
    if (a->array)
        buf_addz(b, a->nelems ? ")" : "()");
}

/* A simple command as "assign; word|word|word < redirections". */
static void dump_simple(struct buf *b, const struct node *n)
{
    for (int i = 0; i < n->u.simple.nassigns; i++) {
        dump_assign(b, &n->u.simple.assigns[i]);
        buf_addz(b, "; ");
    }
    for (int i = 0; i < n->u.simple.nwords; i++) {
        const struct word *w = n->u.simple.words[i];
        if (i)
            buf_putc(b, '|');
        if (w->flags & WORD_STATIC)
            buf_putc(b, '=');
        if (w->flags & WORD_GLOB)
            buf_putc(b, '*');
        if (w->assign) {
            buf_putc(b, '@');
            dump_assign(b, w->assign);
        } else {
            dump_word(b, w);
        }
    }
    for (int i = 0; i < n->nredirs; i++) {
        const struct redir *r = &n->redirs[i];
        buf_printf(b, " <%d:%d:%.*s:", r->op, r->fd, STR_ARG(r->var));
        dump_word(b, r->word);
        buf_putc(b, '>');
    }
}

struct fixture {
    struct testheap t;
    struct parse_options o;
    struct parse_error err;
    struct buf out;
};

static void fixture_init(struct fixture *f)
{
    testheap_init(&f->t, SIZE_MAX);
    memset(&f->o, 0, sizeof f->o);
    parse_error_init(&f->err, &f->t.heap);
    buf_init(&f->out, &f->t.heap);
}

static void fixture_fini(struct fixture *f)
{
    parse_error_fini(&f->err);
    buf_fini(&f->out);
    CHECK_EMPTY(&f->t);
}

/* Parses a text and leaves what `mode` asks for in out: 'w' words, 'p' print, 'f' functions. */
static int fixture_run(struct fixture *f, struct str text, char mode)
{
    struct parser *p = parser_new(&f->t.heap, text, 1);
    struct program *prog;
    int r;
    buf_clear(&f->out);
    if (!p)
        return HOB_ENOMEM;
    parser_set_options(p, &f->o);
    while ((r = parser_next(p, &prog, &f->err)) == 1) {
        if (f->out.n)
            buf_putc(&f->out, '\n');
        if (mode == 'w' && prog->root->kind == NODE_SIMPLE)
            dump_simple(&f->out, prog->root);
        else if (mode == 'f' && prog->root->kind == NODE_FUNC)
            print_function(&f->out, prog->root->u.func.name, prog->root->u.func.body);
        else
            print_node(&f->out, prog->root);
        program_unref(prog);
        buf_str(&f->out, parser_warnings(p));
    }
    parser_free(p);
    return r;
}

static void expect(struct fixture *f, char mode, const char *text, const char *want)
{
    int r = fixture_run(f, str_z(text), mode);
    if (!CHECK_EQ(r, 0))
        printf("# %s: %s\n", text, buf_get(&f->err.msg).p);
    if (!CHECK_STR(buf_get(&f->out).p, want))
        printf("# in: %s\n", text);
}

static void expect_error(struct fixture *f, const char *text, int line, const char *want)
{
    int r = fixture_run(f, str_z(text), 'p');
    if (!CHECK_EQ(r, HOB_ESYNTAX) || !CHECK_EQ(f->err.line, line) ||
        !CHECK_STR(buf_get(&f->err.msg).p, want))
        printf("# in: %s\n", text);
}

/* ---- words ---------------------------------------------------------------------------------- */

static void words_quoting(void)
{
    struct fixture f;
    fixture_init(&f);
    expect(&f, 'w', "echo hi there", "=echo|=hi|=there");
    expect(&f, 'w', "a 'b c' \"d e\" f\\ g \"\" ''", "=a|='b c'|='d e'|=f' 'g|=''|=''");
    expect(&f, 'w', "a \"x$y z\\$\\q\"", "=a|\"'x'${y}' z$\\q'\"");
    expect(&f, 'w', "a $'\\n\\x41\\u00e9\\101\\'\\cA' $\"q\"",
           "=a|='\nA\xc3\xa9"
           "A'\x01'|='q'");
    expect(&f, 'w', "a b\\\nc \\\n d # e\n", "=a|=bc|=d");
    expect(&f, 'w', "a b#c #d", "=a|=b#c");
    expect(&f, 'w', "a * [ [x] 'x*' x\\*", "=a|**|=[|*[x]|='x*'|=x'*'");
    expect(&f, 'w', "a $ $% \"$\" $", "=a|=$|=$%|='$'|=$");
    fixture_fini(&f);
}

static void words_params(void)
{
    struct fixture f;
    fixture_init(&f);
    expect(&f, 'w', "a $x ${x} $1 $10 ${10} $@ $# $?x",
           "=a|${x}|${x}|${1}|${1}0|${10}|${@}|${#}|"
           "${?}x");
    expect(&f, 'w', "a ${x:-y z} ${x-} ${x:=$y} ${x?m} ${x:+'q r'}",
           "=a|${x :- y z}|${x -}|${x := ${y}}|${x ? m}|${x :+ 'q r'}");
    expect(&f, 'w', "a ${#x} ${#} ${##} ${#-} ${#@} ${#x[@]} ${#-x} ${##x}",
           "=a|${x len}|${#}|${# len}|${- len}|${@ len}|${x[@] len}|${# - x}|${# # x}");
    expect(&f, 'w', "a ${x#p} ${x##p} ${x%p*} ${x%%p}",
           "=a|${x # p}|${x 2# p}|${x % p*}|${x 2% p}");
    expect(&f, 'w', "a ${x/p/r} ${x//p} ${x/#p/} ${x/%p/r/s} ${x/\\//-}",
           "=a|${x / p / r}|${x 2/ p}|${x /# p /}|${x /% p / r/s}|${x / '/' / -}");
    expect(&f, 'w', "a ${x:1} ${x:1:2} ${x: -1} ${x:y?1:2:3} ${@:2} ${x::2}",
           "=a|${x : '1'}|${x : '1' / '2'}|${x : ' -1'}|${x : 'y?1:2' / '3'}|${@ : '2'}|"
           "${x : / '2'}");
    expect(&f, 'w', "a ${x^} ${x^^p} ${x,} ${x,,} ${x~~} ${x@Q} ${x[@]@A}",
           "=a|${x ^}|${x 2^ p}|${x ,}|${x 2,}|${x 2~}|${x @Q}|${x[@] @A}");
    expect(&f, 'w', "a ${!x} ${!p*} ${!p@} ${!a[@]} ${!x:-y} ${!#} ${!}",
           "=a|${!x}|${p names*}|${p names@}|${a[@] keys@}|${!x :- y}|${!#}|${!}");
    expect(&f, 'w', "a ${a[1]} ${a[$i+1]} ${a[\"k y\"]} ${a[b[2]]} ${a[*]}",
           "=a|${a[1]}|${a[${i}+1]}|${a['k y']}|${a[b[2]]}|${a[*]}");
    expect(&f, 'w', "a ${x!y} ${} ${x:} \"b${!}c${x@Z}\"",
           "=a|${x bad!}|${ bad}|${x bad:}|\"'b'${!}'c'${x bad@}\"");
    expect(&f, 'w', "a \"${x:-'q' \"r s\" \\} $y}\" \"${x#'q'*}\" \"${x:-'}'}\"",
           "=a|\"${x :- ''q' r s } '${y}}\"|\"${x # 'q'*}\"|\"${x :- ''}''}\"");
    expect(&f, 'w', "a ${x:-${y:-${z}}} \"${x:-\"$(b \"c\")\"}\"",
           "=a|${x :- ${y :- ${z}}}|\"${x :- $(b \"c\")}\"");
    fixture_fini(&f);
}

static void words_substitutions(void)
{
    struct fixture f;
    fixture_init(&f);
    expect(&f, 'w', "a $(b | c) \"$(d)\" $() $(<e) $( (f) )",
           "=a|$(b | c)|\"$(d)\"|$()|$(file: < e)|$(( f ))");
    expect(&f, 'w', "a `b \\`c\\` \\$x` \"`d \\\"e\\\"`\"", "=a|$(b `c` $x)|\"$(d \"e\")\"");
    expect(&f, 'w', "a $((1+2)) $(( (x) * $y )) $[3] $(((1)))",
           "=a|$(('1+2'))|$((' (x) * '${y}' '))|$(('3'))|$(('(1)'))");
    expect(&f, 'w', "a $((b); c) <(d) x>(e)", "=a|$(( b ); c)|<(d)|x>(e)");
    expect(&f, 'w', "a $(case x in x) y;; esac) $(b # )\n)",
           "=a|$(case x in \n    x)\n        y\n    ;;\nesac)|$(b)");
    expect(&f, 'w', "a `if` `b\nfor`",
           "=a|$(!2:syntax error: unexpected end of file)|"
           "$(b!2:syntax error near unexpected token `newline'\n`for')");
    fixture_fini(&f);
}

static void words_braces(void)
{
    struct fixture f;
    fixture_init(&f);
    expect(&f, 'w', "a {b,c}d {e} {} {f,} {g,{h,i}} {j,k {{l,m}}",
           "=a|{b,c}d|={e}|={}|{f,}|{g,{h,i}}|={j,k|{{l,m}}");
    expect(&f, 'w', "a {1..3} {03..1} {a..e..2} {1..x} {z..a..-5} {1..2..0}",
           "=a|{1..3..1 w0}|{3..1..-1 w2}|{char 97..101..2 w0}|={1..x}|{char 122..97..-5 w0}|"
           "{1..2..1 w0}");
    expect(&f, 'w', "a {'b,c',\"$d\",$e} {f\\,g} \\{h,i} x={j,k}",
           "=a|{'b,c',\"${d}\",${e}}|={f','g}|='{'h,i}|x={j,k}");
    expect(&f, 'w', "a $x{1,_y}z ~{b,c/d} {~,e}", "=a|{${x1},${x_y}}z|{~<b>,~<c>/d}|{~,e}");
    expect(&f, 'w', "x={a,b} declare y={a,b}", "x={a,b}; =declare|y={a,b}");
    fixture_fini(&f);
}

static void words_tilde(void)
{
    struct fixture f;
    fixture_init(&f);
    expect(&f, 'w', "a ~ ~/b ~c/d ~+ ~\"e\" f~ ~g:~ \\~",
           "=a|~<>|~<>/b|~<c>/d|~<+>|=~'e'|=f~|"
           "~<g>:~|='~'");
    expect(&f, 'w', "x=~:~y/z:q~ a b=~ b=c:~ --b=~", "x=~<>:~<y>/z:q~; =a|b=~<>|b=c:~<>|=--b=~");
    expect(&f, 'w', "a ${x:-~/y}", "=a|${x :- ~<>/y}");
    fixture_fini(&f);
}

/* ---- commands ------------------------------------------------------------------------------- */

static void commands_assign(void)
{
    struct fixture f;
    fixture_init(&f);
    expect(&f, 'w', "x=1 y= z+=\"$a\" b", "x=1; y=; z+=\"${a}\"; =b");
    expect(&f, 'w', "a[1]=x a[$i]+=y a[b c]=z", "a[1]=x; a[${i}]+=y; a[b c]=z; ");
    expect(&f, 'w', "a=(1 'b c' [3]=d [k]+=e $f\n # x\n g)", "a=(1,'b c',[3]=d,[k]+=e,${f},g); ");
    expect(&f, 'w', "a=() x=*", "a=(); x=*; ");
    expect(&f, 'w', "declare -a a=(1 2) b=$c d[1]=e f",
           "=declare|=-a|=@a=(1,2)|@b=${c}|=@d[1]=e|=f");
    expect(&f, 'w', "echo a=b", "=echo|=a=b");
    fixture_fini(&f);
}

static void commands_redirect(void)
{
    struct fixture f;
    fixture_init(&f);
    expect(&f, 'w', "a <b >c 2>>d 3<>e >|f", "=a <0:-1::b> <1:-1::c> <2:2::d> <4:3::e> <3:-1::f>");
    expect(&f, 'w', "a 2>&1 >&- <&3- >&f &>g &>>h {v}>i <<<j",
           "=a <6:2::1> <6:-1::-> <5:-1::3-> <7:-1::f> <7:-1::g> <8:-1::h> <1:-1:v:i> <10:-1::j>");
    expect(&f, 'w', "cat <<E 3<<'F' <<-G\nb $x \\$ \\\ny\nE\n$z\nF\n\t\tg\n\tG\n",
           "=cat <9:-1::'b '${x}' $ y\n'> <9:3::'$z\n'> <9:-1::'g\n'>");
    expect(&f, 'w', "cat <<E\nx",
           "=cat <9:-1::'x\n'>2:here-document at line 1 delimited by "
           "end-of-file (wanted `E')\n");
    expect(&f, 'w', "a $(cat <<E\nin\nE\n) <<F\nout\nF\nb",
           "=a|$(cat <<E\nin\nE\n) <9:-1::'out\n'>"
           "\n=b");
    expect(&f, 'w', "cat <<E\n$(if)\nE\n", "=cat <9:-1::${ bad\x02}>");
    fixture_fini(&f);
}

static struct str aliases(void *ud, struct str name)
{
    (void)ud;
    if (str_eqz(name, "ll"))
        return STR("ls -l");
    if (str_eqz(name, "ls"))
        return STR("ls --color");
    if (str_eqz(name, "sudo"))
        return STR("sudo ");
    if (str_eqz(name, "say"))
        return STR("echo 'a");
    if (str_eqz(name, "when"))
        return STR("if");
    if (str_eqz(name, "two"))
        return STR("one\ntwo; x");
    return STR_NONE;
}

static void commands_alias(void)
{
    struct fixture f;
    fixture_init(&f);
    f.o.aliases = true;
    f.o.alias = aliases;
    expect(&f, 'p', "ll a", "ls --color -l a");
    expect(&f, 'p', "sudo ll ll", "sudo ls --color -l ll");
    expect(&f, 'p', "x=1 ll; \\ll; 'll'; echo ll", "x=1 ls --color -l; \\ll; 'll'; echo ll");
    expect(&f, 'p', "say b' c", "echo 'a b' c");
    expect(&f, 'p', "when a; then b; fi", "if a; then\n    b;\nfi");
    expect(&f, 'p', "two y", "one\ntwo; x y");
    fixture_fini(&f);
}

static void commands_print(void)
{
    struct fixture f;
    fixture_init(&f);
    expect(&f, 'f', "f() { a; }", "f () \n{ \n    a\n}");
    expect(&f, 'f', "function f { a | b & c; } > d", "f () \n{ \n    a | b & c\n} > d");
    expect(&f, 'f', "f() if a; then b; elif c; then d; else e; fi",
           "f () \n{ \n    if a; then\n        b;\n    else\n        if c; then\n            d;\n"
           "        else\n            e;\n        fi;\n    fi\n}");
    expect(&f, 'f', "f() { for i in a b; do c; done; while d; do e; done; until f; do g; done; }",
           "f () \n{ \n    for i in a b;\n    do\n        c;\n    done;\n    while d; do\n"
           "        e;\n    done;\n    until f; do\n        g;\n    done\n}");
    expect(&f, 'f', "f() { case $x in a|b) c;; (d) ;& *) e;;& esac; }",
           "f () \n{ \n    case $x in \n        a | b)\n            c\n        ;;\n        d)\n"
           "\n        ;&\n        *)\n            e\n        ;;&\n    esac\n}");
    expect(&f, 'f', "f() { (a; b); { c; }; ((x++)); [[ -f a && ! b == c* || ( d =~ ^e$ ) ]]; }",
           "f () \n{ \n    ( a;\n    b );\n    { \n        c\n    };\n    ((x++));\n"
           "    [[ -f a && ! b == c* || ( d =~ ^e$ ) ]]\n}");
    expect(&f, 'f', "f() { cat <<E\nx\nE\necho $(a\nb); for ((i=0;i<3;i++)) { c; }; g() { d; }; }",
           "f () \n{ \n    cat <<E\nx\nE\n\n    echo $(a\nb)\n    for ((i=0; i<3; i++))\n    do\n"
           "        c;\n    done;\n    function g () \n    { \n        d\n    }\n}");
    expect(&f, 'p', "a |& b && ! c || time -p d; coproc X { e; }",
           "a 2>&1 | b && ! c || time -p d; coproc X { e; }");
    expect(&f, 'p', "select x; do a; done", "select x in \"$@\";\ndo\n    a;\ndone");
    fixture_fini(&f);
}

static void commands_errors(void)
{
    struct fixture f;
    fixture_init(&f);
    expect_error(&f, "echo )", 1, "syntax error near unexpected token `)'\n`echo )'");
    expect_error(&f, "a\nif b; then fi", 2,
                 "syntax error near unexpected token `fi'\n`if b; then fi'");
    CHECK_EQ(f.err.status, 2);
    CHECK(!f.err.incomplete);
    expect_error(&f, "if a", 2, "syntax error: unexpected end of file");
    CHECK(f.err.incomplete);
    expect_error(&f, "echo 'a\nb", 1, "unexpected EOF while looking for matching `''");
    CHECK(f.err.incomplete);
    expect_error(&f, "echo $(a", 2, "unexpected EOF while looking for matching `)'");
    expect_error(&f, "echo <", 1, "syntax error near unexpected token `newline'\n`echo <'");
    expect_error(&f, "a=(1 & 2)", 1, "syntax error near unexpected token `&'\n`a=(1 & 2)'");
    CHECK_EQ(f.err.status, 1);
    expect_error(&f, "[[ a b ]]", 1, "conditional binary operator expected");
    CHECK_EQ(f.err.status, 0);
    expect_error(&f, "for ((a;b)) do c; done", 1,
                 "syntax error: arithmetic expression required\nsyntax error: `((a;b))'");
    expect_error(&f, "case x in a", 1,
                 "syntax error near unexpected token `newline'\n`case x in a'");
    fixture_fini(&f);
}

/* The parser goes on behind an error, counts lines, and tells what it read. */
static void parser_lines(void)
{
    struct fixture f;
    struct program *prog;
    fixture_init(&f);
    struct parser *p = parser_new(&f.t.heap, STR("a\n\nb \\\n c; d\n)\ne <<X\nx\nX\n"), 10);
    REQUIRE(p != NULL);
    CHECK_EQ(parser_next(p, &prog, &f.err), 1);
    CHECK_EQ(prog->root->line, 10);
    CHECK(str_eq(parser_source(p), STR("a\n")));
    program_unref(prog);
    CHECK_EQ(parser_next(p, &prog, &f.err), 1);
    CHECK_EQ(prog->root->kind, NODE_LIST);
    CHECK_EQ(prog->root->u.list.items[1].node->line, 13);
    program_unref(prog);
    CHECK_EQ(parser_next(p, &prog, &f.err), HOB_ESYNTAX);
    CHECK_EQ(f.err.line, 14);
    CHECK_EQ(parser_next(p, &prog, &f.err), 1);
    CHECK_EQ(prog->root->line, 15);
    CHECK(str_eq(parser_source(p), STR("e <<X\nx\nX\n")));
    program_unref(prog);
    CHECK_EQ(parser_next(p, &prog, &f.err), 0);
    CHECK_EQ(parser_line(p), 18);
    CHECK_EQ(parser_offset(p), 25);
    parser_free(p);
    fixture_fini(&f);
}

static void parser_deep(void)
{
    static const char *const units[] = {"( ", "$(",    "\"$(", "${x:-", "$((",
                                        "{ ", "[[ ( ", "! ",   "<("};
    struct fixture f;
    fixture_init(&f);
    for (size_t i = 0; i < COUNT(units); i++) {
        struct buf b;
        buf_init(&b, &f.t.heap);
        buf_addz(&b, units[i][0] == '$' || units[i][0] == '"' || units[i][0] == '<' ? "a " : "");
        for (int k = 0; k < 100000; k++)
            buf_addz(&b, i == 6 && k ? "( " : units[i]);
        if (!CHECK_EQ(fixture_run(&f, buf_get(&b), 'p'), HOB_ELIMIT))
            printf("# %s: %s\n", units[i], buf_get(&f.err.msg).p);
        buf_fini(&b);
    }
    fixture_fini(&f);
}

static void parser_dquoted(void)
{
    struct fixture f;
    struct word *w;
    fixture_init(&f);
    struct program *prog = program_new(&f.t.heap);
    REQUIRE(prog != NULL);
    CHECK_EQ(parse_dquoted(prog, STR("a \"$x\" \\$y `z`"), false, NULL, &w, &f.err), 0);
    dump_word(&f.out, w);
    CHECK_STR(buf_get(&f.out).p, "'a \"'${x}'\" $y '$(z)");
    CHECK_EQ(parse_dquoted(prog, STR("${x"), false, NULL, &w, &f.err), HOB_ESYNTAX);
    program_unref(prog);
    CHECK(parse_is_name(STR("_a1")));
    CHECK(!parse_is_name(STR("1a")) && !parse_is_name(STR("")) && !parse_is_name(STR("a-b")));
    CHECK(parse_is_reserved(STR("[[")) && !parse_is_reserved(STR("echo")));
    fixture_fini(&f);
}

/* Every allocation fails once: no crash, no leak, an honest answer. */
static int torture_once(struct heap *h)
{
    static const char text[] =
        "f() { local a=(1 [2]=\"$x\" {b,c}) d=~/e; if [[ $a =~ (b|c) && -f d ]]; then\n"
        "cat <<E <<-'F' | g `h $((1 + ${i:-2}))` > \"j $(k\nl) m\" 2>&1\nn $o\nE\n\tp\n\tF\n"
        "fi; for ((q=0;q<3;q++)); do case $r in s|t) ${u/v/w};; esac; done; }; $x{1,2} ~{a,b}\n"
        "ll $'\\n' <(x) {1..9..2} $((a); b); a[1]+=b; select y in z; do ((z)); done\n`if`\n[[ a b";
    struct parse_options o = {.aliases = true, .alias = aliases};
    struct parse_error err;
    struct program *prog;
    struct buf b;
    int r = HOB_ENOMEM;
    struct parser *p = parser_new(h, str_of(text, sizeof text - 1), 1);
    parse_error_init(&err, h);
    buf_init(&b, h);
    if (p) {
        parser_set_options(p, &o);
        while ((r = parser_next(p, &prog, &err)) == 1) {
            print_node(&b, prog->root);
            program_unref(prog);
        }
        parser_free(p);
    }
    buf_fini(&b);
    parse_error_fini(&err);
    return h->oom ? HOB_ENOMEM : r == HOB_ESYNTAX ? 0 : r;
}

static void parser_torture(void) { testheap_torture(torture_once); }

UNIT_MAIN(UNIT(words_quoting), UNIT(words_params), UNIT(words_substitutions), UNIT(words_braces),
          UNIT(words_tilde), UNIT(commands_assign), UNIT(commands_redirect), UNIT(commands_alias),
          UNIT(commands_print), UNIT(commands_errors), UNIT(parser_lines), UNIT(parser_deep),
          UNIT(parser_dquoted), UNIT(parser_torture))
