"""A grammar of awk programs, with the shell around them: script(seed, number) is always the same text for the same arguments.

Programs end, and print nothing that changes from run to run. Each method named as a part of the grammar
returns text. Strings that a loop makes longer are cut, so that nothing grows without bound.
"""
import random

FILES = {"words.txt": "the quick brown fox\njumps over  the lazy\tdog\n\n  lead and trail  \nthe end\n",
         "nums.txt": "1 2 3\n10 -5 0.5\n1e3 0x1F 077\n+7 .5 5.\n-0 1e-5 100000000000\n3.0 3 nan\n",
         "data.csv": "id,name,qty,price\n1,ann,10,2.50\n2,bob,,3\n3,\"c, d\",7,0.125\n4,ann,5,1e2\n",
         "para.txt": "a b\nc d\n\n\n\ne f\n\ng\nh\ni\n",
         "utf.txt": "héllo wörld\n日本 語\nnaïve ÉCOLE\nß ſ K\n",
         "path.txt": "/usr/bin:/bin::/opt\nk=v;k2=v2;;\na:b:c:d\n:x:\n",
         "empty": "", "noeol": "one two\nlast line"}

NUMBERS = ["0", "1", "2", "3", "7", "10", "0.5", "1.5", "-1", "-3", "100", "3.14159265358979", "1e3", "1e-3", "2.5", "1e6", "123456789", "0.1", "1e300", "1000000",
           "2147483647", "2147483648", "-2147483649", "4294967296", "9007199254740993", "1e18", "12345678901234567890", "011", "0x11", "65", "233", "128512", "1e16", "99999.5", "0.000001", "123456.789", "0.1e-6"]
STRINGS = ["", "a", "abc", "the", "fox", "10", " 10 ", "3x", "0x1A", "010", "1e2", ".5", "+5", "-", "a b c", "héllo", "日本", "A", "abcabc", "x=y", "%d", "a,b,c", "  pad  ", "0", "0.0", "-0",
           "1e", "nan", "inf", "+inf", "-nan", "tab\\there", "nl\\nhere", "q\\\"q", "back\\\\slash", "\\/", "\\x41", "\\101", "&", "\\\\&", "[x]", ".", "*", "ÉCOLE", "aXbXc", "1 2 3", "end"]
REGEXES = ["a", "the", "[aeiou]", "[0-9]+", "^the", "dog$", ".", "^$", "o+", "(ab)+", "b*", "x*", "[[:space:]]+", "[[:upper:]]", "^[^ ]+", "[^,]*", "\\.", "a|b", "(a|b)c?", "\\<t", "e\\>", "\\y", "\\w+", "[a-c]{2}",
           "é", "日|語", "\\/", "[/]", "^.", ".$", "l{2}", "(o)(v)?", "[]x]", "[^]]", "\\B", "\\s", "\\S+", "^ +| +$", "a.c", "\\$", "[+-]?[0-9]+", ",", ":", " "]
REPLACEMENTS = ["X", "", "&", "[&]", "\\\\&", "<\\\\\\\\&>", "&&", "-", "\\\\1", "é", "\\\\0", "a\\\\/b", "\\n", "\\\\\\\\\\\\&"]
GENSUBS = ["X", "[\\\\0]", "<\\\\1>", "\\\\2\\\\1", "&", "\\\\&", "-", "\\\\9", "\\\\\\\\1", ""]
FORMATS = ["d", "i", "s", "c", "x", "X", "o", "u", "f", "F", "e", "E", "g", "G", "a", "5d", "-5d|", "05d", "+d", " d", "5s", "-5s|", ".2s", "5.1s", ".2f", "8.3f", "-8.3f|", "08.2f", "+.1e", "#o", "#x", "#X", ".0f", ".10g", ".17g", "#g", ".3d", "8.3d", "+5d", "x", "5c", "-3c|",
           "'d", "%", "5%", "*d", ".*f", "-*d|", "ld", "hd", "lld", "z", "1$s", "2$d", "e", ".0e", "#.0f", ".3g", "G", "#.3x", "+s", "020.5f", " 5d", "+ d", "0-5d", ".0d", "#.0e", "A", ".2a"]
VARS = ["x", "y", "z", "s", "t"]
ARRAYS = ["a", "b", "c"]
FILENAMES = ["words.txt", "nums.txt", "data.csv", "para.txt", "utf.txt", "path.txt", "empty", "noeol"]


class Grammar:
    def __init__(self, rng):
        self.rng = rng
        self.loops = 0
        self.deep = 0
        self.comparing = 0
        self.funcs = []  # (name, kinds of the parameters)
        self.params = []
        self.in_func = self.in_main = False
        self.main = False
        self.local_arrays = []

    # ---- choosing ------------------------------------------------------------------------------
    def pick(self, *options):
        return self.rng.choice(options)

    def chance(self, p):
        return self.rng.random() < p

    def number(self, low, high):
        return self.rng.randint(low, high)

    def some(self, make, low, high, joint=", "):
        return joint.join(make() for _ in range(self.number(low, high)))

    def weighted(self, *pairs):
        return self.rng.choices([p[0] for p in pairs], [p[1] for p in pairs])[0]

    # ---- leaves ----------------------------------------------------------------------------------
    def literal(self):
        return self.pick(*NUMBERS)

    def string(self):
        return '"' + self.pick(*STRINGS) + '"'

    def regex(self):
        return "/" + self.pick(*REGEXES) + "/"

    def pattern(self):
        """What stands where a regular expression is wanted."""
        return self.weighted((self.regex, 8), (self.dynamic, 2), (self.string, 1))()

    def dynamic(self):
        return '"' + self.pick(*REGEXES).replace("\\", "\\\\").replace("\\\\/", "/") + '"'

    def var(self):
        return self.pick(*VARS, *self.params)

    def array(self):
        return self.pick(*ARRAYS, *self.local_arrays)

    def field(self):
        return self.weighted(("$0", 2), ("$1", 4), ("$2", 3), ("$3", 2), ("$NF", 2), ("$(NF-1)", 1), ("$(1)", .3), ("$5", .5))

    def subscript(self):
        return self.weighted((lambda: self.literal(), 3), (self.string, 3), (self.var, 2), (self.field, 2), (lambda: self.expr() + ", " + self.expr(), 1), (lambda: "i%d" % self.number(1, 2), 1), (self.expr, .5))()

    def element(self):
        return f"{self.array()}[{self.subscript()}]"

    def settled(self):
        """An element as a text or a number: gawk 5.2 takes one that was read before, but never set, for a text."""
        return f"({self.element()} {self.pick('+ 0', chr(34) * 2)})"

    def lvalue(self):
        return self.weighted((self.var, 6), (self.element, 3), (self.field, 2), (lambda: "NF", .2))()

    def special(self):
        return self.pick("NR", "NF", "FNR", "FILENAME", "RSTART", "RLENGTH", "NF", "NR", "SUBSEP", "RT", "OFS", "FS", "ARGC", "ERRNO")

    # ---- expressions -----------------------------------------------------------------------------
    def expr(self):
        if self.deep > 2:
            return self.weighted((self.literal, 3), (self.string, 2), (self.var, 4), (self.field, 2))()
        self.deep += 1
        text = self.weighted((self.literal, 4), (self.string, 4), (self.var, 6), (self.field, 4), (self.settled if self.comparing else self.element, 2), (self.special, 1.5), (self.arith, 4), (self.concat, 2),
                             (self.compare, 3), (self.logic, 1.5), (self.match, 2), (self.builtin, 7), (self.ternary, 1), (self.unary, 1), (self.step, 1), (self.isin, 1),
                             (self.group, 1), (self.call, 1.5), (self.assigned, .5))()
        self.deep -= 1
        return text

    def arith(self):
        return f"{self.expr()} {self.pick('+', '-', '*', '/', '%', '^', '+', '-', '*', '**')} {self.expr()}"

    def concat(self):
        return f"({self.expr()} {self.pick('', '', self.string() + ' ')}{self.group()})"

    def compare(self):
        self.comparing += 1
        text = f"({self.expr()} {self.pick('<', '<=', '==', '!=', '>', '>=')} {self.expr()})"
        self.comparing -= 1
        return text

    def logic(self):
        return f"({self.expr()} {self.pick('&&', '||')} {self.expr()})"

    def match(self):
        return f"({self.expr()} {self.pick('~', '!~')} {self.pattern()})"

    def ternary(self):
        return f"({self.expr()} ? {self.expr()} : {self.expr()})"

    def unary(self):
        return self.pick("-", "!", "+", "- ", "!!") + self.pick(self.var, self.group, self.field, self.literal)()

    def step(self):
        return self.pick("++{}", "{}++", "--{}", "{}--").format(self.pick(self.var, self.element)())

    def isin(self):
        if self.chance(.3):
            return f"(({self.expr()}, {self.expr()}) in {self.array()})"
        return f"({self.expr()} in {self.array()})"

    def group(self):
        return "(" + self.expr() + ")"

    def assigned(self):
        return f"({self.var()} {self.pick('=', '+=', '-=')} {self.expr()})"

    def call(self):
        if not self.funcs:
            return self.builtin()
        name, kinds = self.pick(*self.funcs)
        given = [self.array() if k == "a" else self.expr() for k in kinds]
        if given and self.chance(.1) and kinds[-1] != "a":
            given.pop()
        return f"{name}({', '.join(given)})"

    def builtin(self):
        e = self.expr
        return self.weighted(
            (lambda: f"length({e()})", 2), (lambda: f"length({self.array()})", 1), (lambda: "length()", .5), (lambda: "length", .3),
            (lambda: f"substr({e()}, {e()}" + (f", {e()})" if self.chance(.7) else ")"), 3), (lambda: f"index({e()}, {e()})", 1),
            (lambda: f"int({e()})", 1), (lambda: f"sqrt({self.literal()})", .3), (lambda: f"exp({self.pick('0', '1', '-1', '710', e())})", .3), (lambda: f"log({self.pick('1', '2', '0', '-1', '10')})", .3),
            (lambda: f"sin({self.literal()})", .2), (lambda: f"cos({self.pick('0', '1', '2.5')})", .2), (lambda: f"atan2({self.pick('0', '-0', '1', e())}, {self.pick('-1', '1', e())})", .2),
            (lambda: f"toupper({e()})", 1), (lambda: f"tolower({e()})", 1), (lambda: f"sprintf({self.format()})", 3), (lambda: f"match({e()}, {self.pattern()}" + self.pick(")", ")", f", {self.array()})"), 1.5),
            (lambda: f"split({e()}, {self.array()}" + self.pick(")", f", {self.pattern()})", f", {self.pick(*[chr(34) + c + chr(34) for c in (',', ' ', '', ':', 'ab', '|', '.')])})", f", {self.pattern()}, c)"), 1.5),
            (lambda: f"gensub({self.pattern()}, \"{self.pick(*GENSUBS)}\", {self.pick(chr(34) + 'g' + chr(34), '1', '2', '3', chr(34) + 'G' + chr(34), chr(34) + 'x' + chr(34), '0')}, ({e()} \"\"))", 1.5),
            (lambda: f"strtonum({e()})", .7), (lambda: f"{self.pick('and', 'or', 'xor')}({self.number(0, 300)}, {self.number(0, 300)})", .4),
            (lambda: f"{self.pick('lshift', 'rshift')}({self.number(0, 300)}, {self.number(0, 8)})", .3), (lambda: f"typeof({self.pick(self.var, self.element, self.expr, self.array)()})", 1), (lambda: f"isarray({self.pick(self.var, self.array)()})", .3),
            (lambda: f"strftime(\"{self.pick('%Y-%m-%d', '%H:%M:%S', '%a %b %e', '%j %U %u', '%s', '%F %T %Z', '%%')}\", {self.pick('0', '86399', '1e9', '1700000000')}, 1)", .4),
            (lambda: f"mktime(\"{self.pick('2024 02 30 12 00 00', '1970 01 01 00 00 00', '2000 13 01 00 00 00', 'bad', '2024 1 1 1 1 1 0')}\")", .3),
            (lambda: f"{self.pick('asort', 'asorti')}({self.array()}, {self.array()}" + self.pick(")", ', "@val_num_desc")', ', "@ind_str_asc")'), .4), (lambda: f"patsplit({e()}, {self.array()}, {self.pattern()})", .4),
            (self.substitute, 1.5))()

    def substitute(self):
        what = self.pick("sub", "gsub")
        target = self.pick("", ", " + self.lvalue(), ", " + self.var())
        return f"{what}({self.pattern()}, \"{self.pick(*REPLACEMENTS)}\"{target})"

    def format(self):
        """The arguments of printf."""
        text, args = "", []
        for _ in range(self.number(1, 3)):
            form = self.pick(*FORMATS)
            text += self.pick("", " ", "x=", "[", "é") + "%" + form
            args += [self.pick("3", "5", "0", "-4", "12")] * form.count("*") + ([self.expr()] if not form.endswith("%") else [])
        if self.chance(.05) and args:
            args.pop()
        return ", ".join(['"' + text.replace("|", "|") + '"'] + args)

    # ---- statements ------------------------------------------------------------------------------
    def short(self, text):
        """An expression whose text stays short."""
        return f"substr({text}, 1, 40)" if any(w in text for w in ("gensub", "sprintf", "(")) or " " in text else text

    def statement(self, depth=0):
        more = depth < 2
        return self.weighted((self.print, 10), (self.assign, 6), (self.printf, 3), (self.subst_statement, 2), (lambda: self.delete(), .7), (lambda: self.step(), 1.5),
                             (lambda: self.if_(depth), 2 * more), (lambda: self.for_(depth), 1.5 * more), (lambda: self.for_in(depth), 1.5 * more), (lambda: self.while_(depth), .7 * more), (lambda: self.switch(depth), .5 * more),
                             (self.getline, .7), (self.jump, .6), (self.set_special, .8), (self.pipe, .4), (self.call, 1), (lambda: self.element(), .2), (self.nested, .5), (self.fill, 1.5))()

    def print(self):
        items = self.weighted((lambda: "", 1), (lambda: " " + self.some(self.expr, 1, 3), 6), (lambda: f"({self.some(self.expr, 2, 3)})", 1), (lambda: " " + self.concat(), 1))()
        if ">" in items and not items.endswith(")"):
            items = " (" + items.strip() + ")"
        return "print" + items

    def printf(self):
        return self.pick("printf({}); print \"\"", "printf {}; print \"\"").format(self.format())

    def assign(self):
        to = self.lvalue()
        op = self.weighted(("=", 8), ("+=", 1.5), ("-=", .7), ("*=", .5), ("/=", .3), ("%=", .3), ("^=", .1))
        value = self.expr()
        if op == "=":
            value = self.short(value) if self.chance(.97) or self.loops else value
        elif op in ("*=", "^="):
            value = self.pick("1", "2", "0.5")
        if to == "NF":
            op, value = "=", str(self.number(0, 6))
        return f"{to} {op} {value}"

    def subst_statement(self):
        target = self.pick("x", "s", "$0", "$1", "$2", "a[1]")
        return f"{self.pick('sub', 'gsub')}({self.pattern()}, \"{self.pick(*REPLACEMENTS)}\", {target}); {target} = substr({target}, 1, 60)"

    def delete(self):
        return "delete " + self.pick(self.array, self.element, self.element)()

    def fill(self):
        return self.pick(f"split({self.string()}, {self.array()}, {self.pattern()})", f"{self.array()}[{self.subscript()}] = {self.short(self.expr())}", f"{self.array()}[{self.field()}]++", f"{self.array()}[NR] = $1", f"{self.array()}[$1] = {self.array()}[$1] + 1")

    def nested(self):
        n = self.pick("m", "n")
        return self.pick(f"{n}[{self.literal()}][{self.string()}] = {self.short(self.expr())}", f"{n}[$1][NR] = {self.short(self.expr())}", f"print length({n}), isarray({n}[1])", f"if (isarray({n}[1])) print length({n}[1])",
                         f"for (k1 in {n}) if (isarray({n}[k1])) for (k2 in {n}[k1]) print k1, k2, {n}[k1][k2]", f"delete {n}[{self.literal()}]", f"print (1, 2) in {n}")

    def block(self, depth):
        if self.chance(.4):
            return self.statement(depth + 1)
        return "{ " + self.some(lambda: self.statement(depth + 1), 1, 3, "; ") + " }"

    def if_(self, depth):
        text = f"if ({self.expr()}) {self.block(depth)}"
        if self.chance(.4):
            text += f"; else {self.block(depth)}" if not text.endswith("}") else f" else {self.block(depth)}"
        return text

    def for_(self, depth):
        self.loops += 1
        i = f"i{self.loops}"
        text = f"for ({i} = {self.pick('0', '1')}; {i} <{self.pick('', '=')} {self.number(1, 3)}; {i}++) {self.block(depth)}"
        self.loops -= 1
        return text

    def for_in(self, depth):
        self.loops += 1
        text = f"for (k{self.loops} in {self.array()}) {self.pick('print k%d' % self.loops, 'n%d++' % self.loops, self.block(depth))}"
        self.loops -= 1
        return text

    def while_(self, depth):
        self.loops += 1
        i = f"i{self.loops}"
        text = self.pick(f"{i} = 3; while ({i}-- > 0) {self.block(depth)}", f"{i} = 0; do {{ {self.block(depth)} }} while (++{i} < 3)")
        self.loops -= 1
        return text

    def switch(self, depth):
        labels = [self.pick(self.literal, self.string, self.regex)() for _ in range(self.number(1, 3))]
        cases = " ".join(f"case {l}: {self.block(depth)}; {self.pick('break;', '', 'break;')}" for l in dict.fromkeys(labels))
        default = f" default: {self.block(depth)}" if self.chance(.5) else ""
        return f"switch ({self.expr()}) {{ {cases}{default} }}"

    def getline(self):
        name = self.pick(*FILENAMES, "missing")
        return self.weighted((lambda: f"(getline line < \"{name}\"); print line", 2), (lambda: f"(getline < \"{name}\") > 0", 1), (lambda: f"while ((getline l < \"{name}\") > 0) n++; print n; close(\"{name}\")", 1),
                             (lambda: "getline" if self.in_main else "print", 1), (lambda: "getline x" if self.in_main else "print x", 1), (lambda: "\"echo a b; echo c\" | getline", 1), (lambda: "\"echo q\" | getline y; close(\"echo q\")", 1),
                             (lambda: f"while ((\"cat {name} 2>/dev/null\" | getline l) > 0) print \"<\" l \">\"; close(\"cat {name} 2>/dev/null\")", .7), (lambda: f"print (getline a[1] < \"{name}\"), a[1]", .5), (lambda: f"print getline < \"{name}\"", .3))()

    def jump(self):
        options = ["exit", "exit 3", "exit(x)"]
        if self.in_main:
            options += ["next", "next", "nextfile"]
        if self.in_func:
            options = ["return", f"return {self.expr()}", f"return {self.expr()}"]
        if self.loops:
            options += ["break", "continue"]
        return self.pick("if ({}) {}", "{1}").format(self.expr(), self.pick(*options)) if not self.loops or self.chance(.5) else self.pick(*options)

    def set_special(self):
        q = lambda *s: '"' + self.pick(*s) + '"'
        return self.weighted((lambda: "FS = " + q(",", ":", " ", "\\t", "", "[,:]", "o", "  ", "|", "\\\\|", "^.", "a+"), 2), (lambda: "OFS = " + q("-", ",", "", "<>"), 2), (lambda: "ORS = " + q("\\n", ";\\n", "|"), .7),
                             (lambda: "RS = " + q("\\n", "", "o", ";", "[0-9]", "the", "\\n\\n+", " "), 1), (lambda: "OFMT = " + q("%.2f", "%.6g", "%d", "%.10g"), .7), (lambda: "CONVFMT = " + q("%.2f", "%.6g", "%d", "%.3e"), .7), (lambda: "SUBSEP = " + q(":", ",", ""), .5),
                             (lambda: "IGNORECASE = " + self.pick("1", "0", q("x")), .7), (lambda: "FIELDWIDTHS = " + q("1 2 3", "2 *", "1:2 3", "5"), .3), (lambda: "FPAT = " + q("[^,]+", "[a-z]+", "([^,]*)|(\\\"[^\\\"]+\\\")", "."), .4), (lambda: "$0 = " + self.short(self.expr()), 1.5), (lambda: f"NF = {self.number(0, 5)}", .5),
                             (lambda: "NR = 10", .2), (lambda: "PROCINFO[\"sorted_in\"] = " + q("@ind_str_asc", "@ind_num_asc", "@ind_num_desc", "@val_num_asc", "@val_str_desc", "@val_type_asc", "@unsorted"), 1))()

    def pipe(self):
        return self.pick(f"print {self.concat()} | \"cat\"; close(\"cat\")", "print $1 | \"sort\"", "print x, y > \"out\"; close(\"out\"); while ((getline l < \"out\") > 0) print \"o:\" l; close(\"out\")", "print $1 >> \"out2\"", "r = system(\"exit 3\"); print r", "system(\"echo sys\")", "print \"e\" > \"/dev/stderr\"", "printf \"%s\\n\", x > \"/dev/stdout\"", "print close(\"nothing\")", "fflush()")

    # ---- the program -----------------------------------------------------------------------------
    def body(self, low, high):
        return "{ " + self.some(self.statement, low, high, self.pick("; ", "; ", "\n")) + " }"

    def function(self, name):
        kinds = [self.weighted(("v", 3), ("a", 1)) for _ in range(self.number(0, 3))]
        names = [f"{k}p{i}" for i, k in enumerate(kinds)]
        self.in_func, outer = True, (self.params, self.local_arrays)
        self.params = [n for n in names if n[0] == "v"] + (["loc"] if self.chance(.5) else [])
        self.local_arrays = [n for n in names if n[0] == "a"] * 3
        body = self.body(1, 3)
        head = f"{self.pick('function', 'function', 'func')} {name}({', '.join(names + [p for p in self.params if p == 'loc'])})"
        self.in_func, (self.params, self.local_arrays) = False, outer
        self.funcs.append((name, kinds))
        return f"{head} {body}"

    def rule(self):
        kind = self.weighted(("BEGIN", 3), ("END", 2.5), ("main", 5), ("range", .7), ("BEGINFILE", .2), ("ENDFILE", .2))
        if kind in ("BEGIN", "END", "BEGINFILE", "ENDFILE"):
            return f"{kind} {self.body(1, 4)}"
        self.in_main = self.main = True
        head = f"{self.pattern_of_rule()}, {self.pattern_of_rule()} " if kind == "range" else self.pick("", self.pattern_of_rule() + " ")
        text = head + self.body(1, 3) if not head or self.chance(.85) else head.strip()
        self.in_main = False
        return text

    def pattern_of_rule(self):
        return self.weighted((self.regex, 3), (lambda: f"NR == {self.number(1, 4)}", 2), (self.compare, 1), (self.match, 1), (lambda: f"${self.number(1, 3)} {self.pick('==', '>', '~')} {self.pick(self.literal, self.string)()}", 1), (self.expr, 1), (lambda: "!seen[$1]++", .5), (lambda: "NF", .5))()

    def program(self):
        parts = []
        if self.chance(.3):
            parts = [self.function(n) for n in ("f", "g")[:self.number(1, 2)]]
        parts += [self.rule() for _ in range(self.number(1, 3))]
        if self.chance(.5):
            parts.append("END { print x, y; for (k in a) print k, a[k] }")
        return self.pick("\n", " ", "\n").join(parts) if self.chance(.7) else "\n".join(parts)

    def mutate(self, text):
        tokens = ["(", ")", "{", "}", ";", ",", "+", "==", "~", "/", "\"", "in", "getline", "print", "[", "]", "$", "!", "&&", "\n", "function", "if", "else", ">", "|", "|&", "@", "++"]
        at = self.number(0, len(text))
        if self.chance(.5):
            return text[:at] + text[at + self.number(1, 2):]
        return text[:at] + self.pick("", " ") + self.pick(*tokens) + self.pick("", " ") + text[at:]

    def options(self):
        parts = []
        if self.chance(.25):
            parts.append("-F" + self.pick(",", ":", "'\\t'", "' '", "t", "'[,:]'", "'|'", "o", "'\\|'", " ''"))
        if self.chance(.3):
            parts.append(f"-v {self.pick('x', 'y', 'OFS', 's')}=" + "'" + self.pick(*STRINGS, *NUMBERS) + "'")
        if self.chance(.04):
            parts.append(self.pick("-P", "-c", "-b", "-r", "--posix", "-n", "--lint=no-ext"[:0] or "-O", "--traditional", "-S"))
        return " ".join(parts)

    def operands(self):
        names = [self.pick(*FILENAMES) for _ in range(self.number(1, 2))]
        if self.chance(.1):
            names.insert(self.number(0, len(names)), self.pick("x=7", "OFS=:", "y='a b'", "FS=,", "missing", "-", "NR=5", "RS="))
        return " ".join(names)

    def script(self):
        program = self.program()
        if self.chance(.02):
            program = self.mutate(program)
        program = program.replace("'", "'\\''")
        options = self.options() + (" --" if program.startswith("-") else "")
        tail = self.operands()
        if self.chance(.08):
            return f"cat > prog.awk <<'EOF'\n{program.replace(chr(39) + chr(92) + chr(39) * 2, chr(39))}\nEOF\nawk {options} -f prog.awk {tail}"
        if self.chance(.15):
            return f"cat {tail.split()[0] if '=' not in tail.split()[0] else 'words.txt'} | awk {options} '{program}'"
        return f"awk {options} '{program}' {tail}"


def script(seed, number):
    return Grammar(random.Random(f"{seed}/{number}")).script()


if __name__ == "__main__":
    import sys
    print(script(sys.argv[1], int(sys.argv[2])))
