/* globset.c -- bracket expressions of shell patterns: [a-z], [!x], [[:alpha:]], [[.hyphen.]] */
#include "text/globset.h"

#include "base/utf8.h"
#include "text/glob.h"

/* A range of characters; lo == GLOBSET_CLASS stands for class number hi. */
struct globset_range {
    uint32_t lo, hi;
};

struct globset {
    bool negate, fold;
    uint32_t ascii[4]; /* the answers for ASCII, worked out beforehand */
    uint32_t n;
    struct globset_range range[];
};

#define GLOBSET_CLASS 0xFFFFFFFFu
#define GLOBSET_NONE 0xFFFFFFFEu /* a name that means nothing: matches nothing */

uint32_t globset_char(struct str s, size_t p, int dir, int flags, size_t *next)
{
    int len;

    if (flags & GLOB_BYTES) {
        *next = dir > 0 ? p + 1 : p - 1;
        unsigned char b = (unsigned char)s.p[dir > 0 ? p : p - 1];
        return b < 0x80 ? b : GLOBSET_BYTE + b;
    }
    if (dir > 0) {
        uint32_t c = utf8_decode(s.p + p, s.n - p, &len);
        *next = p + (size_t)len;
        return c == UTF8_BAD ? GLOBSET_BYTE + (unsigned char)s.p[p] : c;
    }
    *next = p - 1;
    if ((unsigned char)s.p[p - 1] < 0x80)
        return (unsigned char)s.p[p - 1];
    /* Back over at most three continuation bytes, if what is there ends right here. */
    for (size_t back = 2; back <= 4 && back <= p; back++) {
        if (((unsigned char)s.p[p - back] & 0xC0) == 0x80)
            continue;
        uint32_t c = utf8_decode(s.p + p - back, back, &len);
        if (c != UTF8_BAD && (size_t)len == back) {
            *next = p - back;
            return c;
        }
        break;
    }
    return GLOBSET_BYTE + (unsigned char)s.p[p - 1];
}

static const char *const globset_classes[] = {"alnum", "alpha", "ascii", "blank", "cntrl",
                                              "digit", "graph", "lower", "print", "punct",
                                              "space", "upper", "word",  "xdigit"};

static bool globset_in_class(uint32_t class, uint32_t c)
{
    if (c >= GLOBSET_BYTE)
        return false;
    switch (class) {
    case 0: return utf8_is_alpha(c) || utf8_is_digit(c);
    case 1: return utf8_is_alpha(c);
    case 2: return c < 0x80;
    case 3: return c == '\t' || (utf8_is_space(c) && !utf8_is_cntrl(c));
    case 4: return utf8_is_cntrl(c);
    case 5: return utf8_is_digit(c);
    case 6: return utf8_is_print(c) && !utf8_is_space(c);
    case 7: return utf8_is_lower(c);
    case 8: return utf8_is_print(c);
    case 9: return utf8_is_punct(c);
    case 10: return utf8_is_space(c);
    case 11: return utf8_is_upper(c);
    case 12: return utf8_is_alpha(c) || utf8_is_digit(c) || c == '_';
    case 13: return utf8_is_digit(c) || (c < 0x80 && ((c | 32) - 'a') < 6);
    default: return false;
    }
}

/* The names POSIX gives to the characters of ASCII that are no letters, by their code. */
static const char *const globset_low[] = {"NUL",
                                          "SOH",
                                          "STX",
                                          "ETX",
                                          "EOT",
                                          "ENQ",
                                          "ACK",
                                          "alert",
                                          "backspace",
                                          "tab",
                                          "newline",
                                          "vertical-tab",
                                          "form-feed",
                                          "carriage-return",
                                          "SO",
                                          "SI",
                                          "DLE",
                                          "DC1",
                                          "DC2",
                                          "DC3",
                                          "DC4",
                                          "NAK",
                                          "SYN",
                                          "ETB",
                                          "CAN",
                                          "EM",
                                          "SUB",
                                          "ESC",
                                          "IS4",
                                          "IS3",
                                          "IS2",
                                          "IS1",
                                          "space",
                                          "exclamation-mark",
                                          "quotation-mark",
                                          "number-sign",
                                          "dollar-sign",
                                          "percent-sign",
                                          "ampersand",
                                          "apostrophe",
                                          "left-parenthesis",
                                          "right-parenthesis",
                                          "asterisk",
                                          "plus-sign",
                                          "comma",
                                          "hyphen",
                                          "period",
                                          "slash",
                                          "zero",
                                          "one",
                                          "two",
                                          "three",
                                          "four",
                                          "five",
                                          "six",
                                          "seven",
                                          "eight",
                                          "nine",
                                          "colon",
                                          "semicolon",
                                          "less-than-sign",
                                          "equals-sign",
                                          "greater-than-sign",
                                          "question-mark",
                                          "commercial-at"};

static const struct {
    const char *name;
    char c;
} globset_names[] = {
    {"left-square-bracket", '['},
    {"backslash", '\\'},
    {"reverse-solidus", '\\'},
    {"right-square-bracket", ']'},
    {"circumflex", '^'},
    {"circumflex-accent", '^'},
    {"underscore", '_'},
    {"low-line", '_'},
    {"grave-accent", '`'},
    {"left-brace", '{'},
    {"left-curly-bracket", '{'},
    {"vertical-line", '|'},
    {"right-brace", '}'},
    {"right-curly-bracket", '}'},
    {"tilde", '~'},
    {"DEL", 127},
    {"hyphen-minus", '-'},
    {"minus", '-'},
    {"dash", '-'},
    {"full-stop", '.'},
    {"solidus", '/'},
};

/* The character that [.name.] means. */
static uint32_t globset_symbol(struct str name, int flags)
{
    size_t next;

    if (name.n == 0)
        return GLOBSET_NONE;
    uint32_t c = globset_char(name, 0, 1, flags, &next);
    if (next == name.n)
        return c;
    for (uint32_t i = 0; i < COUNT(globset_low); i++) {
        if (str_eqz(name, globset_low[i]))
            return i;
    }
    for (size_t i = 0; i < COUNT(globset_names); i++) {
        if (str_eqz(name, globset_names[i].name))
            return (uint32_t)globset_names[i].c;
    }
    return GLOBSET_NONE;
}

/* [:name:] and its like: the name that starts at p and ends before `mark` and `]`. */
static bool globset_named(struct str pat, size_t p, char mark, struct str *name)
{
    /* No name is longer than this, and a bound keeps hostile patterns linear. */
    for (size_t i = p; i + 1 < pat.n && i < p + 40; i++) {
        if (pat.p[i] == mark && pat.p[i + 1] == ']' && (i > p || mark == ':')) {
            *name = str_of(pat.p + p, i - p);
            return true;
        }
    }
    return false;
}

/* One member at *p: a character, or with lo == GLOBSET_CLASS a class. */
static struct globset_range globset_member(struct str pat, size_t *p, int flags)
{
    struct str name;
    size_t i = *p;

    if (pat.p[i] == '[' && i + 1 < pat.n && strchr(":=.", pat.p[i + 1]) && pat.p[i + 1] &&
        globset_named(pat, i + 2, pat.p[i + 1], &name)) {
        *p = i + 2 + name.n + 2;
        if (pat.p[i + 1] == ':') {
            for (uint32_t k = 0; k < COUNT(globset_classes); k++) {
                if (str_eqz(name, globset_classes[k]))
                    return (struct globset_range){GLOBSET_CLASS, k};
            }
            return (struct globset_range){GLOBSET_CLASS, COUNT(globset_classes)};
        }
        uint32_t c = globset_symbol(name, flags);
        return (struct globset_range){c, c};
    }
    if (pat.p[i] == '\\' && i + 1 < pat.n)
        i++;
    uint32_t c = globset_char(pat, i, 1, flags, p);
    return (struct globset_range){c, c};
}

static bool globset_search(const struct globset *set, uint32_t c)
{
    uint32_t folded = set->fold ? utf8_lower(c) : c;
    for (uint32_t i = 0; i < set->n; i++) {
        const struct globset_range *r = &set->range[i];
        if (r->lo == GLOBSET_CLASS ? globset_in_class(r->hi, c)
                                   : folded >= r->lo && folded <= r->hi)
            return true;
    }
    return false;
}

bool globset_has(const struct globset *set, uint32_t c)
{
    if (c < 0x80)
        return set->ascii[c / 32] >> c % 32 & 1;
    return globset_search(set, c) != set->negate;
}

void globset_bytes(const struct globset *set, uint32_t bits[8])
{
    for (int i = 0; i < 4; i++) {
        bits[i] |= set->ascii[i];
        bits[i + 4] = 0xFFFFFFFF;
    }
}

/* Walks over the members from p to the `]`. With a set they are added to it. */
static size_t globset_walk(struct str pat, size_t p, int flags, struct globset *set)
{
    for (bool first = true; p < pat.n; first = false) {
        if (pat.p[p] == ']' && !first)
            return p + 1;
        if (pat.p[p] == '/' && (flags & GLOB_PATH))
            return 0;
        struct globset_range r = globset_member(pat, &p, flags);
        if (r.lo != GLOBSET_CLASS && p + 1 < pat.n && pat.p[p] == '-' && pat.p[p + 1] != ']') {
            p++;
            struct globset_range to = globset_member(pat, &p, flags);
            if (to.lo == GLOBSET_CLASS || to.lo == GLOBSET_NONE)
                r.lo = GLOBSET_NONE;
            r.hi = to.hi;
        }
        if (set && r.lo != GLOBSET_NONE) {
            if (set->fold && r.lo != GLOBSET_CLASS)
                r = (struct globset_range){utf8_lower(r.lo), utf8_lower(r.hi)};
            set->range[set->n++] = r;
        }
    }
    return 0;
}

size_t globset_parse(struct str pat, size_t p, int flags, struct arena *a, struct globset **out)
{
    bool negate = ++p < pat.n && (pat.p[p] == '!' || pat.p[p] == '^');

    p += negate;
    size_t end = globset_walk(pat, p, flags, NULL);
    if (end == 0 || !out)
        return end;
    struct globset *set = arena_zalloc(a, sizeof *set + (end - p) * sizeof set->range[0]);
    *out = set;
    if (!set)
        return end;
    set->fold = flags & GLOB_NOCASE;
    set->negate = negate;
    globset_walk(pat, p, flags, set);
    for (uint32_t c = 0; c < 0x80; c++) {
        if (globset_search(set, c) != negate)
            set->ascii[c / 32] |= 1u << c % 32;
    }
    return end;
}

#undef GLOBSET_CLASS
#undef GLOBSET_NONE
