"""Regular expressions and texts for them: script(seed, number) is always the same text for the same arguments.

A script has PATTERNS patterns and TEXTS texts; each pattern meets each text in grep, sed, awk and [[ =~ ]], so it tries
PATTERNS * TEXTS pairs. A pattern is made as a tree and written in the flavour of each tool. Most texts are made from the
patterns, so that they match or nearly do; some patterns have characters added or taken away, so that they are malformed.
"""
import random

FILES = {"d/" + name: "" for name in ("a", "ab", "abc", "aab", "ba", "b.c", "a-b", "a b", "xyz", "aaa", "A1", "é", "x_1", "c+", "(a)", "a|b", "{1}", "^a$")}
PATTERNS, TEXTS = 5, 20

LETTERS = "aaaaabbbbcccxyABk"
SIGNS = "-_ ./:=,;\t"
WIDE = ["é", "É", "ß", "日", "σ", "ς", "Σ", "K", "İ", "Å", "ｗ", "😀", "\u0301", "\u00a0", "\u2028", "٣", "ǅ"]  # none whose upper case is shorter in bytes
BROKEN = ["\udcff", "\udcc3", "\udc80", "\udce2\udc82", "\udcc0\udcaf", "\udcf7"]  # no bytes beyond Unicode: the C library takes them for characters
META = "*+?{}()[]|^$.\\"
CLASSES = ["alpha", "digit", "alnum", "upper", "lower", "space", "blank", "punct", "print", "graph", "cntrl", "xdigit"]
TYPES = ["emacs", "findutils-default", "posix-basic", "posix-extended", "egrep", "ed", "sed", "grep", "awk", "posix-awk", "gnu-awk", "posix-egrep",
         "posix-minimal-basic"]


class Maker:
    def __init__(self, rng, broken):
        self.rng = rng
        self.broken = broken
        self.groups = self.asserts = 0
        self.mangled = False
        self.odd = rng.random() < 0.05  # assertions may be repeated, which means different things
        self.done = []  # groups that may be referred to
        self.wide = rng.random() < 0.3
        self.refs = rng.random() < 0.12
        self.letters = rng.choice([LETTERS, LETTERS, "ab", "aab", "abc", "aB1_ "])

    def pick(self, *options):
        return self.rng.choice(options)

    def chance(self, p):
        return self.rng.random() < p

    def weighted(self, **weights):
        return self.rng.choices(list(weights), list(weights.values()))[0]

    # ---- trees -----------------------------------------------------------------------------------
    # A tree is a tuple: its kind, then what it has. Kinds: char, set, dot, escape, anchor, cat, alt, rep, group, ref, empty.

    def char(self):
        if self.wide and self.chance(0.25):
            return self.pick(*WIDE)
        if self.chance(0.06):
            return self.pick(*SIGNS)
        if self.chance(0.05):
            return self.pick(*META)
        return self.pick(*self.letters)

    def tree(self, depth=0):
        """A whole expression: alternatives of sequences."""
        kinds = [self.sequence(depth) for _ in range(1 if self.chance(0.7) else self.rng.randint(2, 4))]
        return kinds[0] if len(kinds) == 1 else ("alt", kinds)

    def sequence(self, depth):
        n = self.rng.choice([0, 1, 1, 2, 2, 2, 3, 3, 4]) if depth else self.rng.choice([1, 1, 2, 2, 3, 3, 4, 5])
        return ("cat", [self.piece(depth) for _ in range(n)])

    def piece(self, depth):
        """An atom, perhaps repeated. Assertions in a group that is copied for its repetition are left out: see regex.md."""
        before = self.asserts
        atom = self.atom(depth)
        if self.asserts > before and atom[0] == "group":
            return ("rep", atom, "?", 0, 1) if self.chance(0.3) else atom
        if depth == 0 and atom[0] == "group" and atom[1] <= 9 and self.chance(0.5):
            self.done.append(atom[1])
            return atom
        if atom[0] == "anchor":
            return ("rep", atom, "*", 0, -1) if self.odd and self.chance(0.3) else atom
        if self.chance(0.42 if atom[0] == "group" else 0.3):
            atom = ("rep", atom) + self.repeat()
            if self.chance(0.04):
                atom = ("rep", atom) + self.repeat()
        return atom

    def repeat(self):
        kind = self.weighted(star=5, plus=3, opt=3, exact=1, least=1, most=1, between=1)
        n = self.rng.choice([0, 1, 1, 2, 2, 3])
        return {"star": ("*", 0, -1), "plus": ("+", 1, -1), "opt": ("?", 0, 1), "exact": ("{", n, n), "least": ("{", n, -1), "most": ("{,", 0, n),
                "between": ("{", n, n + self.rng.choice([0, 1, 2, 3]))}[kind]

    def atom(self, depth):
        kind = self.weighted(char=50, dot=7, set=9, escape=5, anchor=6, group=18 if depth < 4 else 0, ref=8 if self.refs and self.done else 0)
        if kind == "group":
            self.groups += 1
            return ("group", self.groups, self.tree(depth + 1))
        if kind == "set":
            return ("set", *self.bracket())
        if kind == "escape":
            return ("escape", self.pick("w", "W", "s", "S", "w", "s"))
        if kind == "anchor":
            self.asserts += 1
            return ("anchor", self.pick("^", "$", "^", "$", "\\b", "\\B", "\\<", "\\>", "\\`", "\\'"))
        if kind == "ref":
            self.asserts += 1
            return ("ref", self.pick(*self.done))
        return ("char", self.char()) if kind == "char" else ("dot",)

    def bracket(self):
        """The text of a bracket expression, and a character that is likely in it."""
        parts, like = [], "a"
        for _ in range(self.rng.choice([1, 1, 2, 2, 3])):
            kind = self.weighted(char=10, range=5, name=4, equiv=1, coll=1)
            if kind == "char":
                like = self.char()
                parts.append(like)
            elif kind == "range":
                low, high = sorted([self.pick(*"abcxyzABZ0159é"), self.pick(*"abcxyzABZ0159ßσ")])
                like = low
                parts.append(f"{low}-{high}" if not self.chance(0.03) else f"{high}-{low}")
            elif kind == "name":
                name = self.pick(*CLASSES)
                like = {"digit": "1", "xdigit": "1", "upper": "B", "space": " ", "blank": " ", "punct": "-", "cntrl": "\t"}.get(name, "b")
                parts.append(f"[:{name}:]")
            else:
                mark, like = self.pick("=", "."), self.char().replace("=", "-").replace(".", "-")
                parts.append(f"[{mark}{like}{mark}]")
        text = "".join(parts)
        if self.chance(0.06):
            text = "]" + text
        if self.chance(0.06):
            text += "-"
        return ("^" if self.chance(0.2) else "") + text, like

    # ---- writing a tree ------------------------------------------------------------------------------
    def write(self, tree, flavour):
        """The tree in a flavour: B (basic) or E (extended, awk)."""
        kind, basic = tree[0], flavour == "B"
        back = "\\" if basic else ""
        if kind == "char":
            c = tree[1]
            if c in "*.[\\" or (c in "+?{}()|^$" and not basic) or (c in "^$" and basic):
                return "\\" + c
            return c
        if kind == "dot":
            return "."
        if kind == "set":
            return f"[{tree[1]}]"
        if kind == "escape":
            return "\\" + tree[1]
        if kind == "anchor":
            return tree[1]
        if kind == "cat":
            return "".join(self.write(t, flavour) for t in tree[1])
        if kind == "alt":
            return f"{back}|".join(self.write(t, flavour) for t in tree[1])
        if kind == "group":
            return f"{back}({self.write(tree[2], flavour)}{back})"
        if kind == "ref":
            return f"\\{tree[1]}"
        _, atom, op, low, high = tree
        if op[0] != "{":
            return self.write(atom, flavour) + (back if op != "*" else "") + op
        count = f",{high}" if op == "{," else f"{low}" if low == high else f"{low},{high if high >= 0 else ''}"
        return f"{self.write(atom, flavour)}{back}{{{count}{back}}}"

    def mangle(self, text):
        """Characters taken away, doubled or put in. Regardless of case GNU's matcher finds no \\a, so such patterns are used as they are."""
        for _ in range(self.rng.randint(1, 2)):
            at = self.rng.randint(0, len(text))
            text = self.pick(text[:at] + text[at + 1:], text[:at] + self.pick(*META, *"[]{}()\\*|,1-^$") + text[at:], text[:at] + text[at:at + 2] + text[at:])
        return text

    def plain(self, text):
        """A mangled pattern without its brackets: how sed finds the end of a broken one is its own business."""
        return text.replace("[", "").replace("]", "") if self.mangled else text

    # ---- texts -------------------------------------------------------------------------------------------
    def sample(self, tree, groups):
        """A text that the tree is likely to match."""
        kind = tree[0]
        if kind == "char":
            return tree[1]
        if kind == "dot":
            return self.char()
        if kind == "set":
            return tree[2] if not tree[1].startswith("^") else self.char()
        if kind == "escape":
            return {"w": self.pick(*"ab1_"), "s": self.pick(" ", "\t"), "W": self.pick(*"-. "), "S": self.char()}[tree[1]]
        if kind == "cat":
            return "".join(self.sample(t, groups) for t in tree[1])
        if kind == "alt":
            return self.sample(self.rng.choice(tree[1]), groups)
        if kind == "group":
            groups[tree[1]] = self.sample(tree[2], groups)
            return groups[tree[1]]
        if kind == "ref":
            return groups.get(tree[1], "")
        if kind == "rep":
            _, atom, _, low, high = tree
            return "".join(self.sample(atom, groups) for _ in range(self.rng.randint(low, low + 2 if high < 0 else max(low, min(high, low + 2)))))
        return self.pick("", "", " ", "")

    def text(self, trees):
        if trees and self.chance(0.7):
            text = "".join(self.sample(self.rng.choice(trees), {}) + self.pick("", "", " ", self.char()) for _ in range(self.rng.choice([1, 1, 1, 2, 3])))
            if self.chance(0.3):
                at = self.rng.randint(0, len(text))
                text = self.pick(text[:at] + text[at + 1:], text[:at] + self.char() + text[at:], text.upper(), text.swapcase(), text + text)
        else:
            text = "".join(self.char() for _ in range(self.rng.choice([0, 1, 2, 3, 4, 5, 6, 8, 12])))
        if self.broken and self.chance(0.3):
            at = self.rng.randint(0, len(text))
            text = text[:at] + self.pick(*BROKEN) + text[at:]
        return text.replace("\n", "")[:60]


# ---- scripts -----------------------------------------------------------------------------------------------

def broken(m, pattern, folded):
    """The pattern, sometimes with a byte that is no character; only for tools that do not go on behind an empty match. Regardless of
    case GNU's matcher does not find such a byte."""
    if not m.broken or m.mangled or m.chance(0.8):
        return pattern
    at = m.rng.randint(0, len(pattern))
    made = pattern[:at] + m.pick(*BROKEN)[:1] + pattern[at:]
    return pattern if folded else made


def quote(text):
    """A word of the shell. Bytes that are no UTF-8 and control characters are written as escapes."""
    if all(c.isprintable() or c == " " for c in text):
        return "'" + text.replace("'", "'\\''") + "'"
    out = []
    for c in text:
        if c in "\\'":
            out.append("\\" + c)
        elif c.isprintable():
            out.append(c)
        else:
            out += [f"\\{b:03o}" for b in c.encode("utf-8", "surrogateescape")]
    return "$'" + "".join(out) + "'"


def plain(tree):
    """Whether all that the tree matches is as long, and hangs on nothing around it."""
    kind = tree[0]
    return kind in ("char", "dot", "set", "escape") or kind == "group" and plain(tree[2]) or kind == "cat" and all(plain(t) for t in tree[1])


def whole(m, pattern, flavour):
    """The pattern for a tool that goes on behind an empty match. Without a bracket of more than ASCII, GNU's matcher then finds the
    empty string within characters, and the tools cut them up; such a bracket, which matches no text here, prevents that."""
    return pattern + ("\\|" if flavour == "B" else "|") + "[ﷲ]"


def grep(m, tree, basic, extended):
    kind = m.weighted(G=4, E=5, F=1)
    options = "".join(o for o, p in (("i", 0 if m.mangled else 0.25), ("w", 0.15), ("x", 0.12), ("v", 0.05)) if m.chance(p))
    how = m.pick("o", "o", "n", "c", "ob", "no")
    if m.mangled or kind == "F" or not plain(tree):
        options = options.replace("w", "")  # GNU's does not try each shorter match where the longest is no word
    if "w" in options and "x" in options:
        how = m.pick("n", "c")  # with -o, GNU's prints an empty line behind each match
    pattern = basic if kind == "G" else extended
    if m.mangled:
        options = options.replace("x", "")  # GNU's puts parentheses around the pattern, whatever it has
    more = "" if "w" in options else f" -e {quote(m.pick(basic, extended, 'a', 'ab', '^b', 'c$', ''))}" if m.chance(0.08) else ""
    return f"grep -a{kind}{options}{how} -e {quote(broken(m, pattern, 'i' in options))}{more} t"


def sed(m, basic, extended, groups):
    flags = m.pick("g", "g", "g", "", "2", "2g") + ("I" if m.chance(0.2) and not m.mangled else "") + ("M" if m.chance(0.1) else "")
    option, pattern = ("E", extended) if m.chance(0.55) else ("", basic)
    pattern = whole(m, pattern, "E" if option else "B")
    shown = "|".join(["&"] + [f"\\{k}" for k in range(1, min(groups, 9) + 1)])
    join = m.pick("", "", "", "", "N;", "$!N;")
    if join and "M" not in flags and ("^" in pattern or "$" in pattern):
        flags += "M"  # beside a newline within a match GNU's matcher finds both even without
    return f"sed -n{option} {quote(f'{join}s~{pattern}~[{shown}]~{flags}p')} t"


def awk(m, extended, groups):
    folded = "BEGIN { IGNORECASE = 1 } " if m.chance(0.15) and not m.mangled else ""
    before, way = "", m.weighted(match=5, gsub=3, split=0 if m.mangled else 2, gensub=2, test=0 if m.odd or m.mangled else 1)
    if way in ("gsub", "gensub") and "\\B" in extended:
        way = "match"  # behind an empty match gawk does not always find the next
    if way in ("gsub", "gensub"):
        extended = whole(m, extended, "E")
    elif way == "split":
        extended = f"{m.pick(*'abc')}({extended})"  # where a separator may be empty gawk loses text
    regex = f"/{extended}/"
    if any(odd in extended for odd in ("/", "[.", "[=", "\\]")) or m.mangled or m.chance(0.5):  # gawk's lexer loses count of these
        before, regex = f"re={quote(extended)} ", 'ENVIRON["re"]'
    program = {
        "match": f'{{ delete m; print match($0, {regex}, m), RSTART, RLENGTH; for (k = 0; k <= {groups}; k++) if (k in m) printf "%d<%s>%d,%d ", k, m[k], '
                 'm[k, "start"], m[k, "length"]; print "" }',
        "gsub": f'{{ n = gsub({regex}, "<&>"); print n, $0 }}',
        "split": f'{{ n = split($0, p, {regex}, q); for (k = 1; k <= n; k++) printf "<%s>%s", p[k], q[k]; print n }}',
        "gensub": f'{{ print gensub({regex}, "<\\\\0|\\\\1|\\\\2>", "{m.pick("g", "1", "2")}") }}',
        "test": f'$0 ~ {regex}',
    }[way]
    return f"{before}awk {quote(folded + program)} t{' 2> /dev/null' if m.broken else ''}"  # gawk warns of bytes that are no characters


def match(m, extended):
    shopt = "shopt -s nocasematch; " if m.chance(0.15) and not m.mangled else ""
    return (f"{shopt}re={quote(broken(m, extended, shopt))}; mapfile -t v < t; for x in \"${{v[@]}}\"; do if [[ $x =~ $re ]]; then printf '<%s>' \"${{BASH_REMATCH[@]}}\"; else printf %s $?; fi; "
            f"echo; done{'; shopt -u nocasematch' if shopt else ''}")


def other(m, basic, extended):
    """find and expr meet fewer texts."""
    way = m.weighted(find=3, expr=3, perl=0 if m.broken or m.mangled or "\\S" in extended or "\\W" in extended else 1, rest=10)
    if way == "find":
        kind = m.pick(*TYPES)
        return f"find d {'-regextype ' + kind + ' ' if m.chance(0.8) else ''}-{m.pick('regex', 'regex' if m.mangled else 'iregex')} {quote(m.pick('.*/', 'd/', '') + m.pick(basic, extended))} | sort"
    if way == "expr":
        return f"mapfile -t -n 5 v < t; for x in \"${{v[@]}}\"; do expr \"$x\" : {quote(basic)}; done"
    if way == "perl":
        return f"grep -aP{m.pick('o', 'n', 'io', 'w', 'x')} -e {quote(extended)} t"
    return ""


def script(seed, number):
    rng = random.Random(f"regex {seed} {number}")
    trees, jobs = [], []
    broken = rng.random() < 0.1
    makers = [Maker(rng, broken) for _ in range(PATTERNS)]
    for m in makers:
        tree = m.tree()
        trees.append(tree)
        basic, extended = m.write(tree, "B"), m.write(tree, "E")
        if m.chance(0.12):
            basic, extended, m.mangled = m.mangle(basic), m.mangle(extended), True
        jobs += [grep(m, tree, basic, extended), awk(m, extended, m.groups), match(m, extended), other(m, basic, extended)]
        jobs.append(sed(m, m.plain(basic), m.plain(extended), m.groups))
    texts = []
    for k in range(TEXTS):
        m = makers[k % PATTERNS]
        texts.append(m.text(trees[k % PATTERNS:] + trees[:k % PATTERNS] if m.chance(0.3) else [trees[k % PATTERNS]]))
    lines = ["printf '%s\\n' " + " ".join(quote(t) for t in texts) + " > t"]
    return "\n".join(lines + [j for j in jobs if j]) + "\n"


if __name__ == "__main__":
    import sys
    print(script(sys.argv[1], int(sys.argv[2])))
