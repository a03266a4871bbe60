/* regex_parse.c -- from pattern to tree, in the flavours of the GNU tools
 *
 * The flavours differ in a set of syntax bits; what they mean, and which mistake gets which
 * message, follows GNU regcomp. Nesting is bounded by REGEX_MAX_DEPTH, so recursion is too.
 */
#include "text/regex_impl.h"

enum {
    RS_BK_PLUS_QM = 1 << 0,    /* \+ and \? are the operators, + and ? are not */
    RS_CLASSES = 1 << 1,       /* [[:alpha:]] */
    RS_ANCHORS = 1 << 2,       /* ^ and $ are anchors everywhere */
    RS_INDEP_OPS = 1 << 3,     /* a repetition of nothing is skipped ... */
    RS_INVALID_OPS = 1 << 4,   /* ... or an error */
    RS_DOT_NEWLINE = 1 << 5,   /* . matches a newline */
    RS_INTERVALS = 1 << 6,     /* {m,n} */
    RS_LIMITED = 1 << 7,       /* no +, ? and | in any form */
    RS_NEWLINE_ALT = 1 << 8,   /* a newline is | */
    RS_NO_BK_BRACES = 1 << 9,  /* { is the operator, not \{ */
    RS_NO_BK_PARENS = 1 << 10, /* ( and not \( */
    RS_NO_BK_REFS = 1 << 11,   /* \1 is 1 */
    RS_NO_BK_VBAR = 1 << 12,   /* | and not \| */
    RS_EMPTY_RANGES = 1 << 13, /* [z-a] is empty, not an error */
    RS_PAREN_ORD = 1 << 14,    /* a lone ) is a character */
    RS_NO_GNU = 1 << 15,       /* no \w, \< and so on */
    RS_INTERVAL_ORD = 1 << 16, /* a bad {m,n} is made of characters */
    RS_INVALID_DUP = 1 << 17,  /* a** or a leading \{ is an error */
    RS_BK_LISTS = 1 << 18,     /* a backslash quotes within [ ] */
    RS_WIDE_RANGES = 1 << 19,  /* ends of ranges may be above ASCII */
    RS_AWK = 1 << 20,          /* \n, \t, \101 and \y mean what they mean in gawk */
    RS_CARET_HERE = 1 << 30,   /* what comes now may be an anchoring ^ */

    RS_COMMON = RS_CLASSES | RS_DOT_NEWLINE | RS_INTERVALS,
    RS_BASIC = RS_COMMON | RS_BK_PLUS_QM | RS_INVALID_DUP,
    RS_EXTENDED = RS_COMMON | RS_ANCHORS | RS_INDEP_OPS | RS_NO_BK_BRACES | RS_NO_BK_PARENS |
                  RS_NO_BK_VBAR | RS_INVALID_OPS | RS_PAREN_ORD,
};

static const unsigned regex_flavours[16] = {
    [REGEX_BRE] = RS_BASIC,
    [REGEX_EXPR] = (RS_BASIC | RS_EMPTY_RANGES | RS_WIDE_RANGES) & ~RS_INVALID_DUP,
    [REGEX_ERE] = RS_EXTENDED,
    [REGEX_GREP] = (RS_BASIC | RS_NEWLINE_ALT) & ~RS_INVALID_DUP,
    [REGEX_EGREP] = (RS_EXTENDED | RS_INTERVAL_ORD | RS_NEWLINE_ALT) & ~RS_INVALID_OPS,
    [REGEX_SED] = RS_BASIC,
    [REGEX_SED_ERE] = RS_EXTENDED & ~RS_PAREN_ORD,
    [REGEX_AWK] =
        (RS_EXTENDED | RS_BK_LISTS | RS_INTERVAL_ORD | RS_WIDE_RANGES | RS_AWK | RS_NO_BK_REFS) &
        ~(RS_INDEP_OPS | RS_INVALID_OPS),
    [REGEX_AWK_GNU] =
        (RS_EXTENDED | RS_BK_LISTS | RS_INTERVAL_ORD) & ~(RS_INDEP_OPS | RS_INVALID_OPS),
    [REGEX_AWK_POSIX] = RS_EXTENDED | RS_BK_LISTS | RS_NO_GNU | RS_INTERVAL_ORD,
    [REGEX_AWK_OLD] = RS_BK_LISTS | RS_NO_BK_PARENS | RS_NO_BK_REFS | RS_NO_BK_VBAR |
                      RS_DOT_NEWLINE | RS_ANCHORS | RS_CLASSES | RS_PAREN_ORD | RS_NO_GNU,
    [REGEX_EMACS] = RS_EMPTY_RANGES,
    [REGEX_BRE_MINIMAL] = RS_COMMON | RS_LIMITED,
};

/* GNU's messages, as regerror() has them. */
#define RE_EBRACK "Unmatched [, [^, [:, [., or [="
#define RE_BADPAT "Invalid regular expression"
#define RE_EPAREN "Unmatched ( or \\("
#define RE_ERPAREN "Unmatched ) or \\)"
#define RE_EBRACE "Unmatched \\{"
#define RE_BADBR "Invalid content of \\{\\}"
#define RE_ERANGE "Invalid range end"
#define RE_BADRPT "Invalid preceding regular expression"
#define RE_ESUBREG "Invalid back reference"
#define RE_EESCAPE "Trailing backslash"
#define RE_ECTYPE "Invalid character class name"
#define RE_ECOLL "Invalid collation character"
#define RE_ESIZE "Regular expression too big"

enum regex_tok {
    RT_END,
    RT_CHAR,
    RT_ALT,
    RT_STAR,
    RT_PLUS,
    RT_QUEST,
    RT_OPEN,
    RT_CLOSE,
    RT_OPEN_DUP,
    RT_CLOSE_DUP,
    RT_BRACKET,
    RT_DOT,
    RT_BACKREF,
    RT_ASSERT,
    RT_WORD,
    RT_NOT_WORD,
    RT_SPACE,
    RT_NOT_SPACE,
    RT_BACKSLASH,
    RT_BOUND,
    RT_NOT_BOUND, /* \b and \B, each two assertions */
    /* within brackets */
    RT_RANGE,
    RT_NOT,
    RT_CLOSE_BRACKET,
    RT_COLL,
    RT_EQUIV,
    RT_CLASS
};

struct regex_token {
    enum regex_tok type;
    uint32_t c; /* the character as written, or the assertion, or the number of a group */
};

struct regex_parser {
    struct regex_syntax *s;
    struct str in;
    size_t at;
    unsigned syn;
    struct regex_token tok;
    uint32_t base;      /* groups of the patterns before this one */
    unsigned completed; /* bit set: groups a back-reference may name */
    int nest;
};

void regex_fail(struct regex_syntax *s, const char *message)
{
    if (s->error)
        return;
    s->error = !message ? HOB_ENOMEM : strcmp(message, RE_ESIZE) == 0 ? HOB_ELIMIT : HOB_ESYNTAX;
    s->message = message ? message : "Memory exhausted";
}

struct regex_ast *regex_ast_new(struct regex_syntax *s, enum regex_op op)
{
    struct regex_ast *t = arena_new(s->arena, struct regex_ast);
    if (!t) {
        regex_fail(s, NULL);
        return NULL;
    }
    t->op = op;
    t->depth = 1;
    return t;
}

bool regex_ast_push(struct regex_syntax *s, struct regex_ast *t, struct regex_ast *kid)
{
    if (t->nkids == t->cap) {
        uint32_t cap = t->cap ? t->cap * 2 : 2;
        struct regex_ast **kids =
            arena_grow(s->arena, t->kids, t->cap * sizeof *kids, cap * sizeof *kids);
        if (!kids) {
            regex_fail(s, NULL);
            return false;
        }
        t->kids = kids;
        t->cap = cap;
    }
    t->kids[t->nkids++] = kid;
    if (kid && kid->depth + 1 > t->depth)
        t->depth = kid->depth + 1;
    if (t->depth > REGEX_MAX_DEPTH)
        regex_fail(s, RE_ESIZE);
    return !s->error;
}

/* The leaf that matches a set, after folding case and taking line ends out. `more` are classes,
 * which hold both cases already. */
static struct regex_ast *regex_leaf(struct regex_syntax *s, struct regex_set set,
                                    const struct regex_set *more, bool negate, bool no_newline)
{
    struct regex_ast *t = regex_ast_new(s, REGEX_SET);
    if (!t)
        return NULL;
    regex_set_tidy(&set);
    bool ok = true;
    if (s->flags & REGEX_ICASE)
        ok = regex_set_fold(s->arena, &set, s->flags);
    if (more && set.n == 0) {
        set = *more;
    } else if (more) {
        for (size_t i = 0; i < more->n && ok; i++)
            ok = regex_set_add(s->arena, &set, more->p[i].lo, more->p[i].hi);
    }
    regex_set_tidy(&set);
    if (negate)
        ok = ok && regex_set_negate(s->arena, &set, s->flags);
    if (no_newline)
        ok = ok && regex_set_remove(s->arena, &set, '\n');
    if (s->flags & REGEX_LINES)
        ok = ok && regex_set_remove(s->arena, &set, s->flags & REGEX_NUL ? 0 : '\n');
    if (!ok)
        regex_fail(s, NULL);
    t->set = set;
    return t;
}

static struct regex_ast *regex_leaf_char(struct regex_syntax *s, uint32_t c)
{
    struct regex_set set = {0};
    if (s->flags & REGEX_ICASE)
        c = regex_upper(c, s->flags);
    if (!regex_set_add(s->arena, &set, c, c))
        regex_fail(s, NULL);
    return regex_leaf(s, set, NULL, false, false);
}

/* ---- tokens ---------------------------------------------------------------------------------- */

/* The character at `at`, and its length. Bytes that are not UTF-8 have numbers of their own. */
static uint32_t regex_char_at(const struct regex_parser *p, size_t at, int *len)
{
    unsigned char b = (unsigned char)p->in.p[at];
    *len = 1;
    if (b < 128)
        return b;
    if (p->s->flags & REGEX_BYTES)
        return REGEX_RAW + b;
    uint32_t c = utf8_decode(p->in.p + at, p->in.n - at, len);
    return c == UTF8_BAD ? (uint32_t)REGEX_RAW + b : c;
}

/* gawk's escapes that stand for a character, with `at` behind the backslash: its length, or 0. */
static size_t regex_awk_escape(const struct regex_parser *p, size_t at, uint32_t *c)
{
    static const char names[] = "abfnrtv", values[] = "\a\b\f\n\r\t\v";
    const char *in = p->in.p;
    size_t n = 0;
    uint32_t v = 0;
    const char *name = in[at] ? strchr(names, in[at]) : NULL;
    if (name) {
        *c = (uint32_t)values[name - names];
        return 1;
    }
    while (n < 3 && at + n < p->in.n && in[at + n] >= '0' && in[at + n] <= '7')
        v = v * 8 + (uint32_t)(in[at + n++] - '0');
    if (n == 0 && in[at] == 'x') {
        for (n = 1; n < 3 && at + n < p->in.n; n++) {
            int d = ascii_to_lower(in[at + n]);
            if (!ascii_digit(d) && (d < 'a' || d > 'f'))
                break;
            v = v * 16 + (uint32_t)(ascii_digit(d) ? d - '0' : d - 'a' + 10);
        }
        n = n == 1 ? 0 : n;
    }
    v &= 0xFF;
    if (n > 0)
        *c = v < 128 ? v : REGEX_RAW + v;
    return n;
}

/* What \c means. */
static enum regex_tok regex_escape(const struct regex_parser *p, struct regex_token *t)
{
    unsigned syn = p->syn;
    uint32_t c = t->c;
    static const struct {
        char c;
        enum regex_tok type;
        uint32_t arg;
    } gnu[] = {{'<', RT_ASSERT, REGEX_WORD_FIRST},
               {'>', RT_ASSERT, REGEX_WORD_LAST},
               {'b', RT_BOUND, 0},
               {'B', RT_NOT_BOUND, 0},
               {'w', RT_WORD, 0},
               {'W', RT_NOT_WORD, 0},
               {'s', RT_SPACE, 0},
               {'S', RT_NOT_SPACE, 0},
               {'`', RT_ASSERT, REGEX_BOT},
               {'\'', RT_ASSERT, REGEX_EOT}};

    if (c == '|' && !(syn & (RS_LIMITED | RS_NO_BK_VBAR)))
        return RT_ALT;
    if (c >= '1' && c <= '9' && !(syn & RS_NO_BK_REFS)) {
        t->c = c - '0';
        return RT_BACKREF;
    }
    if (c == '(' && !(syn & RS_NO_BK_PARENS))
        return RT_OPEN;
    if (c == ')' && !(syn & RS_NO_BK_PARENS))
        return RT_CLOSE;
    if (c == '+' && (syn & RS_BK_PLUS_QM) && !(syn & RS_LIMITED))
        return RT_PLUS;
    if (c == '?' && (syn & RS_BK_PLUS_QM) && !(syn & RS_LIMITED))
        return RT_QUEST;
    if (c == '{' && (syn & RS_INTERVALS) && !(syn & RS_NO_BK_BRACES))
        return RT_OPEN_DUP;
    if (c == '}' && (syn & RS_INTERVALS) && !(syn & RS_NO_BK_BRACES))
        return RT_CLOSE_DUP;
    if (c == 'y' && (syn & RS_AWK))
        return RT_BOUND;
    for (size_t i = 0; !(syn & RS_NO_GNU) && i < COUNT(gnu); i++)
        if ((uint32_t)gnu[i].c == c) {
            if (gnu[i].type == RT_ASSERT)
                t->c = gnu[i].arg;
            return gnu[i].type;
        }
    return RT_CHAR;
}

static size_t regex_peek(const struct regex_parser *p, size_t at, unsigned syn,
                         struct regex_token *t);

/* Whether the $ at `at` stands where it is an anchor in the flavours that ask for that. */
static bool regex_dollar(const struct regex_parser *p, size_t at, unsigned syn)
{
    if ((syn & RS_ANCHORS) || at + 1 == p->in.n)
        return true;
    /* Only an operator can follow, so a $ behind it need not be looked at, nor recursed into. */
    struct regex_token next = {RT_CHAR, 0};
    if (p->in.p[at + 1] != '$')
        regex_peek(p, at + 1, syn, &next);
    return next.type == RT_ALT || next.type == RT_CLOSE;
}

static bool regex_caret(const struct regex_parser *p, size_t at, unsigned syn)
{
    if ((syn & (RS_ANCHORS | RS_CARET_HERE)) || at == 0)
        return true;
    return (syn & RS_NEWLINE_ALT) && p->in.p[at - 1] == '\n';
}

/* The token at `at` to *t; returns its length. */
static size_t regex_peek(const struct regex_parser *p, size_t at, unsigned syn,
                         struct regex_token *t)
{
    int len;
    t->type = RT_END;
    t->c = 0;
    if (at >= p->in.n)
        return 0;
    uint32_t c = t->c = regex_char_at(p, at, &len);
    t->type = RT_CHAR;
    if (c == '\\') {
        if (at + 1 >= p->in.n) {
            t->type = RT_BACKSLASH;
            return 1;
        }
        size_t n = syn & RS_AWK ? regex_awk_escape(p, at + 1, &t->c) : 0;
        if (n > 0)
            return n + 1;
        t->c = regex_char_at(p, at + 1, &len);
        t->type = regex_escape(p, t);
        return (size_t)len + 1;
    }
    switch (c) {
    case '\n': t->type = syn & RS_NEWLINE_ALT ? RT_ALT : RT_CHAR; break;
    case '|': t->type = (syn & RS_NO_BK_VBAR) && !(syn & RS_LIMITED) ? RT_ALT : RT_CHAR; break;
    case '*': t->type = RT_STAR; break;
    case '+': t->type = syn & (RS_LIMITED | RS_BK_PLUS_QM) ? RT_CHAR : RT_PLUS; break;
    case '?': t->type = syn & (RS_LIMITED | RS_BK_PLUS_QM) ? RT_CHAR : RT_QUEST; break;
    case '{':
    case '}':
        if ((syn & RS_INTERVALS) && (syn & RS_NO_BK_BRACES))
            t->type = c == '{' ? RT_OPEN_DUP : RT_CLOSE_DUP;
        break;
    case '(': t->type = syn & RS_NO_BK_PARENS ? RT_OPEN : RT_CHAR; break;
    case ')': t->type = syn & RS_NO_BK_PARENS ? RT_CLOSE : RT_CHAR; break;
    case '[': t->type = RT_BRACKET; break;
    case '.': t->type = RT_DOT; break;
    case '^':
        if (regex_caret(p, at, syn))
            *t = (struct regex_token){RT_ASSERT, REGEX_BOL};
        break;
    case '$':
        if (regex_dollar(p, at, syn))
            *t = (struct regex_token){RT_ASSERT, REGEX_EOL};
        break;
    }
    return (size_t)len;
}

static void regex_next(struct regex_parser *p, unsigned more)
{
    p->at += regex_peek(p, p->at, p->syn | more, &p->tok);
}

/* ---- brackets -------------------------------------------------------------------------------- */

/* The next token within brackets, and its length. */
static size_t regex_bracket_peek(const struct regex_parser *p, struct regex_token *t)
{
    int len;
    t->type = RT_END;
    if (p->at >= p->in.n)
        return 0;
    const char *in = p->in.p + p->at;
    size_t left = p->in.n - p->at;
    t->c = regex_char_at(p, p->at, &len);
    t->type = RT_CHAR;
    if (t->c == '\\' && (p->syn & RS_BK_LISTS) && left > 1) {
        size_t n = p->syn & RS_AWK ? regex_awk_escape(p, p->at + 1, &t->c) : 0;
        if (n > 0)
            return n + 1;
        t->c = regex_char_at(p, p->at + 1, &len);
        if (t->c == 'y' && (p->syn & RS_AWK))
            t->c = 'b'; /* gawk makes \b of it before it looks where it stands */
        return (size_t)len + 1;
    }
    switch (t->c) {
    case '[':
        if (left > 1 && (in[1] == '.' || in[1] == '=' || (in[1] == ':' && (p->syn & RS_CLASSES)))) {
            t->type = in[1] == '.' ? RT_COLL : in[1] == '=' ? RT_EQUIV : RT_CLASS;
            return 2;
        }
        break;
    case '-':
        /* Three in a row stand for one, as in old grep and awk. */
        if (left > 2 && in[1] == '-' && in[2] == '-')
            return 3;
        t->type = RT_RANGE;
        break;
    case ']': t->type = RT_CLOSE_BRACKET; break;
    case '^': t->type = RT_NOT; break;
    }
    return (size_t)len;
}

/* The name up to `delim` and a bracket; p stands behind both then. False: it does not end. */
static bool regex_bracket_name(struct regex_parser *p, char delim, struct str *name)
{
    size_t from = p->at;
    for (size_t i = from; i + 1 < p->in.n && i - from < 32; i++)
        if (p->in.p[i] == delim && p->in.p[i + 1] == ']') {
            *name = str_of(p->in.p + from, i - from);
            p->at = i + 2;
            return true;
        }
    regex_fail(p->s, RE_EBRACK);
    return false;
}

/* One element: a character to *c, or a class to *classes with *c = UTF8_BAD. An equivalence class
 * is the character, but not an end of a range. */
static void regex_bracket_element(struct regex_parser *p, struct regex_token t, size_t len,
                                  bool hyphen, struct regex_set *classes, uint32_t *c)
{
    struct str name;
    p->at += len;
    *c = t.c;
    if (t.type == RT_COLL || t.type == RT_EQUIV) {
        if (!regex_bracket_name(p, t.type == RT_COLL ? '.' : '=', &name))
            return;
        int n = 1;
        uint32_t letter = name.n > 0 ? regex_char_at(p, (size_t)(name.p - p->in.p), &n) : 0;
        if (p->s->flags & REGEX_ICASE)
            letter = regex_upper(letter, p->s->flags);
        /* In C.UTF-8 there is no name but the character itself, and only of one byte. */
        if (name.n != (size_t)n || (letter >= 128 && letter < REGEX_RAW))
            regex_fail(p->s, RE_ECOLL);
        *c = letter;
    } else if (t.type == RT_CLASS) {
        *c = UTF8_BAD;
        if (!regex_bracket_name(p, ':', &name))
            return;
        int found = regex_set_class(p->s->arena, classes, name, p->s->flags);
        if (found != 1)
            regex_fail(p->s, found < 0 ? NULL : RE_ECTYPE);
    } else if (t.type == RT_RANGE && !hyphen) {
        /* A hyphen in the middle that makes no range is a mistake. */
        struct regex_token next;
        regex_bracket_peek(p, &next);
        if (next.type != RT_CLOSE_BRACKET)
            regex_fail(p->s, RE_ERANGE);
    }
}

static void regex_bracket_range(struct regex_parser *p, struct regex_set *set, uint32_t lo,
                                uint32_t hi)
{
    struct regex_syntax *s = p->s;
    if (lo == UTF8_BAD || hi == UTF8_BAD) {
        regex_fail(s, RE_ERANGE);
        return;
    }
    if (s->flags & REGEX_ICASE) {
        lo = regex_upper(lo, s->flags);
        hi = regex_upper(hi, s->flags);
    }
    bool bytes = s->flags & REGEX_BYTES;
    if (!(p->syn & RS_WIDE_RANGES) && !bytes &&
        ((lo >= 128 && lo < REGEX_RAW) || (hi >= 128 && hi < REGEX_RAW))) {
        regex_fail(s, RE_ECOLL);
        return;
    }
    if (lo > hi) {
        if (!(p->syn & RS_EMPTY_RANGES))
            regex_fail(s, RE_ERANGE);
        return;
    }
    /* Bytes go on behind ASCII; characters jump over what is none. */
    bool ok = true;
    if (lo < 128 && hi >= REGEX_RAW)
        ok = regex_set_add(s->arena, set, lo, 127) &&
             (!bytes || regex_set_add(s->arena, set, REGEX_RAW + 128, hi));
    else if (lo < 0xD800 && hi >= 0xD800)
        ok = regex_set_add(s->arena, set, lo, 0xD7FF) && regex_set_add(s->arena, set, 0xE000, hi);
    else
        ok = regex_set_add(s->arena, set, lo, hi);
    if (!ok)
        regex_fail(s, NULL);
}

/* A single character. A byte that is none matches nothing here, not even itself. */
static void regex_bracket_char(struct regex_parser *p, struct regex_set *set, uint32_t c)
{
    unsigned flags = p->s->flags;
    if (c >= REGEX_RAW && !(flags & REGEX_BYTES))
        return;
    if (flags & REGEX_ICASE)
        c = regex_upper(c, flags);
    if (!regex_set_add(p->s->arena, set, c, c))
        regex_fail(p->s, NULL);
}

/* What stands between [ and ], with p behind the first. */
static struct regex_ast *regex_bracket(struct regex_parser *p)
{
    struct regex_syntax *s = p->s;
    struct regex_set set = {0}, classes = {0};
    struct regex_token t, t2;
    bool negate = false, first = true;
    size_t len = regex_bracket_peek(p, &t);
    if (t.type == RT_NOT) {
        negate = true;
        p->at += len;
        len = regex_bracket_peek(p, &t);
    }
    if (t.type == RT_END)
        regex_fail(s, RE_BADPAT);
    if (t.type == RT_CLOSE_BRACKET)
        t.type = RT_CHAR;
    do {
        if (t.type == RT_END) {
            regex_fail(s, RE_EBRACK);
            return NULL;
        }
        uint32_t lo, hi;
        bool range = false;
        regex_bracket_element(p, t, len, first, &classes, &lo);
        first = false;
        if (s->error)
            return NULL;
        bool class = t.type == RT_CLASS || t.type == RT_EQUIV;
        len = regex_bracket_peek(p, &t);
        if (!class && t.type == RT_RANGE) {
            size_t back = p->at;
            p->at += len;
            size_t len2 = regex_bracket_peek(p, &t2);
            range = t2.type != RT_CLOSE_BRACKET;
            if (t2.type == RT_END) {
                regex_fail(s, RE_EBRACK);
            } else if (range) {
                regex_bracket_element(p, t2, len2, true, &classes, &hi);
                hi = t2.type == RT_EQUIV ? UTF8_BAD : hi;
                if (!s->error)
                    regex_bracket_range(p, &set, lo, hi);
                len = regex_bracket_peek(p, &t);
            } else {
                p->at = back;
                t.type = RT_CHAR;
            }
        }
        if (!range && lo != UTF8_BAD)
            regex_bracket_char(p, &set, lo);
        if (s->error)
            return NULL;
    } while (t.type != RT_CLOSE_BRACKET);
    p->at += len;
    return regex_leaf(s, set, &classes, negate, negate && (s->flags & REGEX_NEWLINE));
}

/* ---- expressions ----------------------------------------------------------------------------- */

static struct regex_ast *regex_alternatives(struct regex_parser *p);

/* \w, \s and their opposites. */
static struct regex_ast *regex_shorthand(struct regex_parser *p)
{
    struct regex_set none = {0}, set = {0};
    bool word = p->tok.type == RT_WORD || p->tok.type == RT_NOT_WORD;
    bool negate = p->tok.type == RT_NOT_WORD || p->tok.type == RT_NOT_SPACE;
    int r = regex_set_class(p->s->arena, &set, word ? STR("alnum") : STR("space"), p->s->flags);
    if (r < 0 || (word && !regex_set_add(p->s->arena, &set, '_', '_')))
        regex_fail(p->s, NULL);
    return regex_leaf(p->s, none, &set, negate, false);
}

static struct regex_ast *regex_assertion(struct regex_syntax *s, enum regex_assertion kind)
{
    struct regex_ast *t = regex_ast_new(s, REGEX_ASSERT);
    if (t)
        t->arg = kind;
    return t;
}

static struct regex_ast *regex_boundary(struct regex_parser *p)
{
    bool not = p->tok.type == RT_NOT_BOUND;
    struct regex_ast *t = regex_ast_new(p->s, REGEX_ALT);
    if (!t ||
        !regex_ast_push(p->s, t, regex_assertion(p->s, not ? REGEX_IN_WORD : REGEX_WORD_FIRST)))
        return NULL;
    regex_ast_push(p->s, t, regex_assertion(p->s, not ? REGEX_OUT_WORD : REGEX_WORD_LAST));
    return t;
}

static struct regex_ast *regex_dot(struct regex_parser *p)
{
    struct regex_set none = {0};
    struct regex_syntax *s = p->s;
    return regex_leaf(s, none, NULL, true,
                      !(p->syn & RS_DOT_NEWLINE) || (s->flags & REGEX_NEWLINE));
}

/* A group; p->tok is its open parenthesis. */
static struct regex_ast *regex_group(struct regex_parser *p)
{
    struct regex_syntax *s = p->s;
    struct regex_ast *t = regex_ast_new(s, REGEX_GROUP), *body = NULL;
    if (!t)
        return NULL;
    if (++p->nest > REGEX_MAX_DEPTH) {
        regex_fail(s, RE_ESIZE);
        return NULL;
    }
    t->arg = ++s->groups;
    regex_next(p, RS_CARET_HERE);
    if (p->tok.type != RT_CLOSE)
        body = regex_alternatives(p);
    if (!s->error && p->tok.type != RT_CLOSE)
        regex_fail(s, RE_EPAREN);
    if (s->error)
        return NULL;
    p->nest--;
    if (t->arg - p->base <= 9)
        p->completed |= 1u << (t->arg - p->base);
    regex_ast_push(s, t, body);
    return t;
}

static struct regex_ast *regex_backref(struct regex_parser *p)
{
    struct regex_ast *t = regex_ast_new(p->s, REGEX_BACKREF);
    if (!(p->completed & 1u << p->tok.c)) {
        regex_fail(p->s, RE_ESUBREG);
        return NULL;
    }
    p->s->backrefs = true;
    if (t)
        t->arg = p->base + p->tok.c;
    return t;
}

/* A number of an interval: -1 if there is none, -2 if it is bad. */
static int32_t regex_number(struct regex_parser *p)
{
    int32_t num = -1;
    for (;;) {
        regex_next(p, 0);
        uint32_t c = p->tok.c;
        if (p->tok.type == RT_END)
            return -2;
        if (p->tok.type == RT_CLOSE_DUP || c == ',')
            return num;
        if (p->tok.type != RT_CHAR || c < '0' || c > '9' || num == -2)
            num = -2;
        else
            num = MIN(REGEX_MAX_REPEAT + 1, (num < 0 ? 0 : num) * 10 + (int32_t)(c - '0'));
    }
}

/* The bounds of {m,n}. False: they are bad; then it was an error or *chars is set. */
static bool regex_interval(struct regex_parser *p, int32_t *min, int32_t *max, bool *chars)
{
    struct regex_token open = p->tok;
    size_t from = p->at;
    *max = 0;
    *min = regex_number(p);
    bool comma = p->tok.type == RT_CHAR && p->tok.c == ',';
    if (*min == -1 && !comma && (p->s->flags & REGEX_LOOSE))
        *min = -2;
    if (*min == -1) {
        if (!comma) {
            regex_fail(p->s, RE_BADBR);
            return false;
        }
        *min = 0;
    }
    if (*min != -2)
        *max = p->tok.type == RT_CLOSE_DUP ? *min : comma ? regex_number(p) : -2;
    if (*min == -2 || *max == -2) {
        if (!(p->syn & RS_INTERVAL_ORD)) {
            regex_fail(p->s, p->tok.type == RT_END ? RE_EBRACE : RE_BADBR);
            return false;
        }
        p->at = from;
        p->tok = (struct regex_token){RT_CHAR, open.type == RT_OPEN_DUP ? '{' : open.c};
        *chars = true;
        return false;
    }
    if ((*max != -1 && *min > *max) || p->tok.type != RT_CLOSE_DUP)
        regex_fail(p->s, RE_BADBR);
    else if ((*max == -1 ? *min : *max) > REGEX_MAX_REPEAT)
        regex_fail(p->s, RE_ESIZE);
    return !p->s->error;
}

/* t repeated as the operator in p->tok says. */
static struct regex_ast *regex_repeat(struct regex_parser *p, struct regex_ast *t)
{
    int32_t min = p->tok.type == RT_PLUS, max = p->tok.type == RT_QUEST ? 1 : -1;
    bool chars = false;
    if (p->tok.type == RT_OPEN_DUP && !regex_interval(p, &min, &max, &chars))
        return chars ? t : NULL;
    regex_next(p, 0);
    if (!t || (min == 0 && max == 0))
        return NULL;
    struct regex_ast *r = regex_ast_new(p->s, REGEX_REP);
    if (!r)
        return NULL;
    r->min = min;
    r->max = max;
    regex_ast_push(p->s, r, t);
    return r;
}

static bool regex_is_repeat(enum regex_tok t)
{
    return t == RT_STAR || t == RT_PLUS || t == RT_QUEST || t == RT_OPEN_DUP;
}

/* What a token that begins an expression stands for, before any repetition. Assertions take none;
 * *done tells that the expression ended. */
static struct regex_ast *regex_atom(struct regex_parser *p, bool *done)
{
    struct regex_syntax *s = p->s;
    struct regex_ast *t = NULL;
    switch (p->tok.type) {
    case RT_CHAR:
    case RT_CLOSE_DUP: return regex_leaf_char(s, p->tok.c);
    case RT_OPEN: return regex_group(p);
    case RT_BRACKET: return regex_bracket(p);
    case RT_BACKREF: return regex_backref(p);
    case RT_DOT: return regex_dot(p);
    case RT_WORD:
    case RT_NOT_WORD:
    case RT_SPACE:
    case RT_NOT_SPACE: return regex_shorthand(p);
    case RT_ASSERT:
    case RT_BOUND:
    case RT_NOT_BOUND:
        t = p->tok.type == RT_ASSERT ? regex_assertion(s, (enum regex_assertion)p->tok.c)
                                     : regex_boundary(p);
        if ((s->flags & REGEX_LOOSE) && p->tok.type == RT_ASSERT && p->tok.c <= REGEX_EOT)
            return t;
        *done = true;
        regex_next(p, 0);
        return t;
    case RT_CLOSE:
        if (p->syn & RS_PAREN_ORD)
            return regex_leaf_char(s, ')');
        regex_fail(s, RE_ERPAREN);
        return NULL;
    case RT_BACKSLASH: regex_fail(s, RE_EESCAPE); return NULL;
    default: *done = true; return NULL;
    }
}

static bool regex_ends_branch(const struct regex_parser *p)
{
    return p->tok.type == RT_ALT || p->tok.type == RT_END ||
           (p->nest > 0 && p->tok.type == RT_CLOSE);
}

static struct regex_ast *regex_expression(struct regex_parser *p)
{
    struct regex_syntax *s = p->s;
    bool done = false;
    while (regex_is_repeat(p->tok.type)) {
        if ((p->tok.type == RT_OPEN_DUP && (p->syn & RS_INVALID_DUP)) ||
            (p->syn & RS_INVALID_OPS)) {
            regex_fail(s, RE_BADRPT);
            return NULL;
        }
        if (!(p->syn & RS_INDEP_OPS)) {
            p->tok.type = RT_CHAR;
            break;
        }
        if (p->tok.type == RT_OPEN_DUP && (s->flags & REGEX_LOOSE)) {
            int32_t min, max;
            bool chars = false;
            if (!regex_interval(p, &min, &max, &chars) && (chars || s->error))
                break;
        }
        regex_next(p, 0);
    }
    if ((s->flags & REGEX_LOOSE) && regex_ends_branch(p))
        return NULL;
    struct regex_ast *t = regex_atom(p, &done);
    if (done || s->error)
        return t;
    regex_next(p, 0);
    while (!s->error && regex_is_repeat(p->tok.type)) {
        t = regex_repeat(p, t);
        if (!s->error && (p->syn & RS_INVALID_DUP) &&
            (p->tok.type == RT_STAR || p->tok.type == RT_OPEN_DUP))
            regex_fail(s, RE_BADRPT);
    }
    return t;
}

static struct regex_ast *regex_branch(struct regex_parser *p)
{
    struct regex_ast *cat = NULL, *one = regex_expression(p);
    while (!p->s->error && !regex_ends_branch(p)) {
        struct regex_ast *t = regex_expression(p);
        if (!t)
            continue;
        if (!one) {
            one = t;
            continue;
        }
        if (!cat) {
            cat = regex_ast_new(p->s, REGEX_CAT);
            if (!cat || !regex_ast_push(p->s, cat, one))
                return NULL;
            one = cat;
        }
        if (!regex_ast_push(p->s, cat, t))
            return NULL;
    }
    return one;
}

static struct regex_ast *regex_alternatives(struct regex_parser *p)
{
    unsigned initial = p->completed;
    struct regex_ast *alt = NULL, *one = regex_branch(p);
    while (!p->s->error && p->tok.type == RT_ALT) {
        struct regex_ast *branch = NULL;
        regex_next(p, RS_CARET_HERE);
        if (!regex_ends_branch(p)) {
            /* A branch may not refer to groups of the branches before it. */
            unsigned sofar = p->completed;
            p->completed = initial;
            branch = regex_branch(p);
            p->completed |= sofar;
        }
        if (!alt) {
            alt = regex_ast_new(p->s, REGEX_ALT);
            if (!alt || !regex_ast_push(p->s, alt, one))
                return NULL;
            one = alt;
        }
        if (!p->s->error && !regex_ast_push(p->s, alt, branch))
            return NULL;
    }
    return one;
}

struct regex_ast *regex_parse(struct regex_syntax *s, struct str pattern)
{
    struct regex_parser p = {.s = s, .in = pattern, .base = s->groups};
    p.syn = regex_flavours[s->flags & REGEX_FLAVOUR];
    regex_next(&p, RS_CARET_HERE);
    struct regex_ast *t = regex_alternatives(&p);
    return s->error ? NULL : t;
}

struct regex_ast *regex_parse_fixed(struct regex_syntax *s, struct str pattern)
{
    struct regex_parser p = {.s = s, .in = pattern};
    struct regex_ast *cat = NULL;
    int len;
    for (size_t i = 0; i < pattern.n && !s->error; i += (size_t)len) {
        uint32_t c = regex_char_at(&p, i, &len);
        if (!cat)
            cat = regex_ast_new(s, REGEX_CAT);
        if (!cat || !regex_ast_push(s, cat, regex_leaf_char(s, c)))
            return NULL;
    }
    return cat;
}

#undef RE_EBRACK
#undef RE_BADPAT
#undef RE_EPAREN
#undef RE_ERPAREN
#undef RE_EBRACE
#undef RE_BADBR
#undef RE_ERANGE
#undef RE_BADRPT
#undef RE_ESUBREG
#undef RE_EESCAPE
#undef RE_ECTYPE
#undef RE_ECOLL
#undef RE_ESIZE
