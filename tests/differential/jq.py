"""A grammar of jq programs over JSON: script(seed, number) is always the same text for the same arguments.

Programs end, and print nothing that changes from run to run. The jq of the machine may be older than
the one that Hob follows (1.7.1): the grammar keeps to what both have, and jq.md lists the rest.
"""
import json
import random

KEYS = ["a", "b", "c", "name", "id", "x y", "é"]
STRINGS = ["", "a", "abc", "foo bar", "10", "3.5", "a,b,c", "héllo", "日本", "A-b_C", "  pad ", "x=1&y=2", "q\"q", "back\\slash", "tab\there", "<b>&'</b>", "2015-03-05T23:51:47Z", "aXbXc", "null", "test123test", "😀"]
NUMBERS = ["0", "1", "2", "-1", "3", "10", "0.5", "1.5", "-2.25", "100", "123456789", "0.1"]
PATTERNS = ["a", "b+", "[a-z]+", "[0-9]+", "^f", "o", "(a)(b)?", ".", "x", "\\\\d+", "\\\\s", "(?<n>[a-z])", "[A-Z]", "t$", ","]


class Grammar:
    def __init__(self, rng):
        self.rng = rng
        self.vars = []
        self.deep = 0

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

    # ---- JSON ------------------------------------------------------------------------------------
    def value(self, depth=0):
        kind = self.weighted(("number", 4), ("string", 4), ("const", 2), ("array", 3 if depth < 3 else 0), ("object", 3 if depth < 3 else 0))
        if kind == "number":
            return json.loads(self.pick(*NUMBERS))
        if kind == "string":
            return self.pick(*STRINGS)
        if kind == "const":
            return self.pick(None, True, False)
        if kind == "array":
            return [self.value(depth + 1) for _ in range(self.number(0, 4))]
        return {self.pick(*KEYS): self.value(depth + 1) for _ in range(self.number(0, 3))}

    def rows(self):
        return [{"id": self.number(0, 9), "name": self.pick(*STRINGS), "a": self.pick(1, 2, None, "x", 2.5), "b": [self.number(0, 5) for _ in range(self.number(0, 3))]} for _ in range(self.number(0, 4))]

    def text(self, value):
        return json.dumps(value, ensure_ascii=self.chance(.2))

    # ---- programs --------------------------------------------------------------------------------
    def string(self):
        text = json.dumps(self.pick(*STRINGS), ensure_ascii=False)
        if self.chance(.15):
            return text[:-1] + "\\(" + self.expr() + ")\""
        return self.pick("", "", "", "@base64 ", "@json ", "@html ")[:0] + text

    def literal(self):
        return self.weighted((lambda: self.pick(*NUMBERS), 4), (self.string, 3), (lambda: self.pick("null", "true", "false"), 1), (lambda: "[" + self.some(self.expr, 0, 3) + "]", 1), (self.object, 1), (lambda: "[]", .3), (lambda: "{}", .3))()

    def object(self):
        return "{" + self.some(lambda: self.weighted((lambda: f"{self.pick('a', 'b', 'c')}: {self.term()}", 3), (lambda: f"({self.string()}): {self.term()}", 1), (lambda: self.pick("a", "b", "id"), 1), (lambda: f"{self.string_plain()}: {self.term()}", .5),
                                                            (lambda: "$" + self.pick(*self.vars) if self.vars else "a", .5))(), 0, 3) + "}"

    def string_plain(self):
        return json.dumps(self.pick(*STRINGS), ensure_ascii=False)

    def path(self):
        steps = [self.weighted((lambda: f".{self.pick('a', 'b', 'c', 'id', 'name')}", 5), (lambda: ".[]", 3), (lambda: f".[{self.number(-2, 3)}]", 2), (lambda: f".[{self.pick('', '-1', '0', '1')}:{self.pick('2', '-1', '1')}]", 1),
                               (lambda: f".[{self.string_plain()}]", 1), (lambda: f".{self.string_plain()}", .5), (lambda: "..", .3))() for _ in range(self.number(1, 3))]
        text = "".join((s[1:] if k and s.startswith(".[") else s) + self.pick("", "", "?") for k, s in enumerate(steps) if s != ".." or k == 0)
        return text.replace("..?", "..").replace("..[", "..|.[").replace("...", "..|.") if text.startswith("..") else text

    def term(self):
        return self.weighted((lambda: ".", 4), (self.path, 5), (self.literal, 4), (lambda: "$" + self.pick(*self.vars) if self.vars else ".", 2), (lambda: "(" + self.expr() + ")", 3), (self.builtin, 5), (lambda: "[" + self.expr() + "]", 2))()

    def expr(self):
        if self.deep > 3:
            return self.weighted((lambda: ".", 3), (self.path, 3), (lambda: self.pick(*NUMBERS), 2), (self.string_plain, 2))()
        self.deep += 1
        text = self.weighted((self.term, 10), (self.pipe, 5), (self.arith, 4), (self.compare, 3), (self.comma, 2), (self.logic, 1), (self.cond, 1.5), (self.try_, 1.5), (self.reduce, 1), (self.foreach, .7), (self.bind, 1.5), (self.update, 2),
                             (self.alternative, 1), (self.def_, .7), (self.label, .4), (self.format, .7))()
        self.deep -= 1
        return text

    def pipe(self):
        return f"{self.expr()} | {self.expr()}"

    def comma(self):
        return f"({self.expr()}, {self.expr()})"

    def arith(self):
        return f"({self.term()} {self.pick('+', '+', '-', '*', '/', '%')} {self.term()})"

    def compare(self):
        return f"({self.term()} {self.pick('==', '!=', '<', '<=', '>', '>=')} {self.term()})"

    def logic(self):
        return self.pick(f"({self.term()} and {self.term()})", f"({self.term()} or {self.term()})", f"({self.term()} | not)")

    def cond(self):
        more = f" elif {self.expr()} then {self.expr()}" if self.chance(.2) else ""
        return f"if {self.expr()} then {self.expr()}{more} else {self.expr()} end"

    def try_(self):
        return self.pick(f"try ({self.expr()}) catch {self.pick('.', self.string_plain(), '(. | length)')}", f"(try ({self.expr()}))", f"({self.expr()})?", f"try error({self.term()}) catch .")

    def within(self, name, make):
        self.vars.append(name)
        text = make()
        self.vars.pop()
        return text

    def reduce(self):
        return f"reduce {self.pick('.[]?', '(1,2,3)', 'range(3)')} as $v ({self.pick('0', '[]', '.', 'null', '{}')}; {self.within('v', self.term)})"

    def foreach(self):
        return f"[foreach {self.pick('.[]?', '(1,2,3)', 'range(3)')} as $v ({self.pick('0', '[]', 'null')}; {self.within('v', self.term)}{self.pick('', '; [., $v]')})]"

    def bind(self):
        kind = self.pick("$v", "$v", "[$v, $w]", "{a: $v}", "{$a}")
        name = "a" if kind == "{$a}" else "v"
        return f"({self.term()} as {kind} | {self.within(name, self.expr)})"

    def update(self):
        return f"({self.path()} {self.pick('|=', '=', '+=', '-=', '*=', '//=')} {self.term()})"

    def alternative(self):
        return f"({self.term()} // {self.term()})"

    def def_(self):
        return self.pick(f"def f: {self.expr()}; [f]", f"def f(g): [g, g]; f({self.expr()})", f"def f($v): $v; f({self.term()})", "def fac: if . <= 1 then 1 else . * (. - 1 | fac) end; [range(5) | fac]")

    def label(self):
        return f"[label $out | {self.pick('.[]?', 'range(5)')} | if {self.compare()} then break $out else . end]"

    def format(self):
        return self.pick("@base64", "@json", "@text", "@html", "@uri", "@sh", "@csv", "@tsv", f"@base64 \"x\\({self.term()})\"", f"@sh \"echo \\({self.term()})\"", f"@uri \"?q=\\({self.term()})\"")

    def builtin(self):
        e, t = self.expr, self.term
        f = lambda: self.pick(".a", ".id", ".", ".name", "length", "-.")
        s = self.string_plain
        return self.weighted(
            (lambda: self.pick("length", "keys", "keys_unsorted", "type", "add", "sort", "unique", "reverse", "min", "max", "flatten", "to_entries", "from_entries", "tostring", "tonumber", "tojson", "any", "all", "not", "floor", "sqrt", "ascii_downcase", "ascii_upcase",
                               "explode", "values", "nulls", "numbers", "strings", "arrays", "objects", "scalars", "iterables", "booleans", "empty", "first", "last", "transpose", "utf8bytelength", "leaf_paths", "paths", "tostream", "recurse", "ceil", "round", "fabs", "isnormal", "infinite", "nan|isnan",
                               "todate", "fromdate", "gmtime", "mktime", "combinations", "error", "input_line_number", "env|type", "$ENV|type", "builtins|length > 100", "ascii", "@json", "halt_error", "now|type", "fromjson", "getpath([\"a\",\"b\"])", "tojson|fromjson"), 10),
            (lambda: f"{self.pick('map', 'map_values', 'select', 'sort_by', 'group_by', 'unique_by', 'min_by', 'max_by', 'any', 'all', 'first', 'last', 'with_entries', 'paths', 'recurse', 'del', 'to_entries | map', 'path', 'isempty', 'error', 'walk', 'recurse_down | select')}({self.pick(e, f, f, t)()})", 6),
            (lambda: f"{self.pick('has', 'index', 'rindex', 'indices', 'contains', 'inside', 'startswith', 'endswith', 'ltrimstr', 'rtrimstr', 'split', 'join', 'flatten', 'nth', 'range', 'tojson | test', 'splits', 'ascii_downcase | contains', 'combinations', 'getpath', 'delpaths', 'strftime', 'in')}({self.pick(s, lambda: self.pick(*NUMBERS), t)()})", 5),
            (lambda: f"{self.pick('test', 'match', 'capture', 'splits')}(\"{self.pick(*PATTERNS)}\"{self.pick('', '', '; ' + chr(34) + 'g' + chr(34), '; ' + chr(34) + 'i' + chr(34), '; null')})", 2),
            (lambda: f"{self.pick('sub', 'gsub')}(\"{self.pick(*PATTERNS)}\"; {self.pick(s(), chr(34) + '<' + chr(92) + '(.n)>' + chr(34))})", 1),
            (lambda: f"limit({self.number(1, 3)}; {e()})", 1), (lambda: f"first({e()})", .7), (lambda: f"[range({self.number(-1, 3)}; {self.number(0, 6)})]", .7), (lambda: f"[range(0; {self.number(0, 9)}; {self.pick('2', '3', '-1')})]", .4), (lambda: f"setpath([{s()}]; {t()})", .7), (lambda: f"getpath([{s()}, {self.pick('0', s())}])", .5),
            (lambda: f"[limit(5; repeat({self.pick('.', '1', '.[0]?')}))]", .3), (lambda: f"[.[]? | until(. > 100 or type != \"number\"; . * 2 + 1)]", .2), (lambda: f"[while(type == \"number\" and . < 50; . * 2 + 1)]", .2), (lambda: "fromstream(tostream)", .3), (lambda: f"[truncate_stream(1; tostream)]", .2),
            (lambda: f"pow({self.pick(*NUMBERS)}; {self.number(-1, 3)})", .3), (lambda: f"to_entries", .3), (lambda: f"nth({self.number(0, 2)}; {e()})", .3), (lambda: "input", .2), (lambda: "[inputs]", .2), (lambda: "implode", .1), (lambda: f"splits({s()})", .2), (lambda: "$__loc__", .2), (lambda: f"[.[]? | strings | ascii_downcase]", .2),
            (lambda: f"todate", .1), (lambda: f"(1425599621 | {self.pick('todate', 'gmtime', 'strftime(' + chr(34) + '%Y-%m-%dT%H:%M:%SZ %A %j' + chr(34) + ')', 'gmtime|mktime', 'gmtime|todate')})", .5), (lambda: f"(\"2015-03-05T23:51:47Z\" | {self.pick('fromdate', 'strptime(' + chr(34) + '%Y-%m-%dT%H:%M:%SZ' + chr(34) + ')', 'fromdateiso8601')})", .4))()

    def mutate(self, text):
        tokens = ["(", ")", "{", "}", ";", ",", "|", "\"", "[", "]", "$", "as", "def", "if", "end", "?", "//", ".", ":", "@", "%", "and"]
        at = self.number(0, len(text))
        if self.chance(.5):
            return text[:at] + text[at + self.number(1, 2):]
        return text[:at] + self.pick("", " ") + self.pick(*tokens) + self.pick("", " ") + text[at:]

    def options(self):
        parts = [self.weighted(("-c", 6), ("", 2), ("-r", 1), ("-cr", 1), ("-S", .5), ("-cS", .5), ("-e", .5), ("-j", .3), ("-a", .3), ("--tab", .3), ("--indent 1", .3), ("-ce", .5))]
        if self.chance(.1):
            parts.append(self.pick("--arg v x", "--argjson v '[1,{\"a\":2}]'", "--arg v ''"))
            self.vars.append("v")
        if self.chance(.08):
            parts.append("-s")
        if self.chance(.08):
            parts.append("-n")
        if self.chance(.04):
            parts.append("-R")
        if self.chance(.03):
            parts.append("--stream")
        return " ".join(parts)

    def script(self):
        values = [self.text(self.rows() if self.chance(.3) else self.value()) for _ in range(self.weighted((1, 6), (2, 2), (3, 1)))]
        joint = self.pick("\n", " ", "\n")
        text = joint.join(values)
        options = self.options()
        program = self.expr()
        if self.chance(.03):
            program = self.mutate(program)
        quoted = "'" + program.replace("'", "'\\''") + "'"
        return f"cat > in.json <<'EOF'\n{text}\nEOF\njq {options} {quoted} {self.pick('in.json', '< in.json', 'in.json')}"


FILES = {"empty": ""}


def script(seed, number):
    return Grammar(random.Random(f"{seed}/{number}")).script()


if __name__ == "__main__":
    import sys
    print(script(sys.argv[1], int(sys.argv[2])))
