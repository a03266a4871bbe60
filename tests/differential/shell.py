"""A grammar of bash scripts: script(seed, number) is always the same text for the same arguments.

Scripts end, touch nothing outside of their folder, and print nothing that changes from run to run
(times, process numbers, random numbers). Each function named as a part of the grammar returns text.
"""
import random

FILES = {"a.txt": "alpha\nbeta\ngamma\n", "b.txt": "one two\n  three\\four  \nlast", "c.md": "x:y:z\n1:2:3\n",
         "d e.txt": "", ".hidden": "h\n", "sub/x1": "1\n", "sub/y.txt": "2\n", "sub/deep/z.txt": "3\n",
         "lib.sh": "echo lib $# \"$@\"\nlibvar=set\nreturn 3\n", "fn.sh": "libf() { echo libf:$1; }\n"}

SCALARS = ["x", "y", "z"]
VALUES = ["", "a", "a b", " lead", "trail ", "a:b:c", "::a:", "*.txt", "foo/bar/baz.tar.gz", "héllo wörld", "tab\there",
          "l1\nl2", "back\\slash", "it's", 'say "q"', "[a-c]", "~", "-n", "0", "10", "-5", "077", "0x1F", "ABC def",
          "abcabc", "?", "{a,b}", "$x", "a,b;c", "x=y", "  two  spaces  ", "é", "日本", "aXbXc", "y", "x", "a&b", "!", "#c",
          "one  two\tthree", "/opt/lib/", "..", "%d", "\\n", "A_b-C.d", "1 2 3", "zz top", "+(a)", "a]b"]
PATTERNS = ["*", "?", "a*", "*a", "[a-c]", "[!a]*", "*.txt", "b", "?b*", "*/", "/*", "[[:alpha:]]", "[[:upper:]]", "*[0-9]*", "a?",
            "\\*", "'*'", '"$y"', "$y", "l", "[[:space:]]", "o*", "*o", "ab", "é", "", "[^b]", "x|y", "*:*", "[]a]", "[a-"]
EXTGLOBS = ["@(a|b)", "+([a-z])", "*(ab)", "?(a)b*", "!(a*)", "!(*.txt)", "+(a|b)*", "@(*.txt|*.md)"]
FUNCS = ["f", "g", "h1"]


class Grammar:
    def __init__(self, rng):
        self.rng = rng
        self.depth = 0
        self.extglob = False
        self.heredocs = []

    # ---- choosing ------------------------------------------------------------------------------
    def pick(self, *options):
        return self.rng.choice(options)

    def chance(self, p):
        return self.rng.random() < p

    def number(self, low, high):
        return self.rng.randint(low, high)

    def some(self, make, low, high, joint=" "):
        return joint.join(make() for _ in range(self.number(low, high)))

    # ---- words -----------------------------------------------------------------------------------
    def single(self, text):
        return "'" + text.replace("'", "'\\''") + "'"

    def dollar(self, text):
        for a, b in (("\\", "\\\\"), ("'", "\\'"), ("\n", "\\n"), ("\t", "\\t")):
            text = text.replace(a, b)
        return "$'" + text + "'"

    def quoted(self):
        """A value in one of the quoting forms."""
        value = self.pick(*VALUES)
        return self.pick(self.single, self.dollar, self.double_of)(value)

    def double_of(self, text):
        for c in '\\"$`':
            text = text.replace(c, "\\" + c)
        return '"' + text + '"'

    def bare(self):
        return self.pick("a", "foo", "b1", "x.y", "-e", "a\\ b", "\\$", "1", "42", "foo/bar", "é", "a=b", "%s", "@", "+", "a,b", "a:b",
                         "\\\\", "=", "x-", "[", "]", "{", "}", "{}", "{a", "!", "\\*", "a#b", ":", "^", "0")

    def escapes(self):
        return "$'" + "".join(self.pick("\\a", "\\b", "\\e", "\\f", "\\n", "\\r", "\\t", "\\v", "\\\\", "\\'", '\\"', "\\?", "\\101", "\\7",
                                        "\\x41", "\\xe9", "\\u00e9", "\\U1F600", "\\cA", "\\z", "a", " ", "$x", "\\x", "\\u", "\\0")
                              for _ in range(self.number(1, 4))) + "'"

    def name(self):
        return self.pick(*SCALARS, "x", "y", "u", "n")

    def parameter(self):
        """What may stand before an operator in braces."""
        return self.rng.choices([self.name(), "@", "*", self.number(1, 4), "arr[@]", "arr[*]", f"arr[{self.index()}]", "map[@]",
                                 f"map[{self.key()}]", "#", "?", "arr", "-", "u", "brr[@]", "ref"],
                                [30, 6, 6, 6, 8, 6, 6, 4, 5, 1, 1, 4, 1, 4, 4, 2])[0]

    def index(self):
        return self.pick("0", "1", "2", "-1", "i", "i+1", "5", "$i", "n", "-2", "9")

    def key(self):
        return self.pick("k", "a b", "$x", "'q'", '"$y"', "k2", "1", "@", "*") if self.chance(.3) else self.pick("k", "k1", "k2")

    def operand(self):
        """The word of an operator such as :- ."""
        return self.rng.choices([self.bare(), self.simple_expansion(), self.quoted(), '"$x"', "", "a b", '"a b"', "'c d'", self.expansion()],
                                [5, 3, 2, 2, 1, 3, 2, 2, 2])[0].replace("}", "\\}" if self.chance(.5) else "")

    def pattern(self):
        if self.extglob and self.chance(.3):
            return self.pick(*EXTGLOBS)
        return self.pick(*PATTERNS)

    def simple_expansion(self):
        return self.pick("$x", "$y", "$z", "$n", '"$x"', '"$y"', "${x}", "$1", "$2", "$@", '"$@"', "$*", '"$*"', "$#", "$?", "${arr[@]}",
                         '"${arr[@]}"', '"${arr[*]}"', "${arr[1]}", "$arr", "${map[k]}", '"${map[k1]}"', "$u", "${#x}", "${#arr[@]}", "${#@}")

    def expansion(self):
        """${...} with any operator, without its quotes."""
        p = self.parameter()
        op = self.number(0, 19)
        if op <= 3:
            return "${%s%s%s}" % (p, self.pick(":-", "-", ":+", "+", ":=", "=", ":-", "+") if not self.chance(.04)
                                  else self.pick(":?", "?"), self.operand())
        if op <= 6:
            return "${%s%s%s}" % (p, self.pick("#", "##", "%", "%%"), self.pattern())
        if op <= 9:
            return "${%s%s%s%s}" % (p, self.pick("/", "//", "/#", "/%", "/"), self.pattern().replace("/", "\\/"),
                                    self.pick("", "/", "/X", "/<&>", "/\\&", "/$y", "/'&'", "/\"$y\"", "/a b", "/${y}z"))
        if op <= 12:
            length = self.pick("", "", ":1", ":2", ":-1", ": -2", ":0", ":n", ":i+1", ":10")
            return "${%s:%s%s}" % (p, self.pick("0", "1", " -1", " -2", "2", "i", "n", "(-1)", "10", "1+1", "$i", " -10"), length)
        if op <= 14:
            return "${%s%s%s}" % (p, self.pick("^", "^^", ",", ",,"), self.pick("", "", "[a-m]", "?", "b", "é"))
        if op <= 16:
            return "${%s@%s}" % (p, self.pick("Q", "E", "A", "a", "u", "U", "L", "K", "k", "P"))
        if op == 17:
            return self.pick("${!ptr}", "${!arr[@]}", "${!map[@]}", "${!x*}", "${!ar@}", "${!ptr:-d}", "${!ptr#a}", "${!u}", "${!ref}",
                             "${!1}", "${!#}", "${!brr[*]}")
        if op == 18:
            return "${#%s}" % p
        return "${%s}" % p

    def substitution(self):
        if self.depth > 2:
            return "$(echo s)"
        self.depth += 1
        inside = self.pick(self.output, self.output, self.output, self.command)()
        self.depth -= 1
        if "\n" in inside or "`" in inside or "\\" in inside or self.chance(.8):
            return self.pick("$(%s)", "$( %s )", "$(%s; )" if not inside.endswith("&") else "$( %s )") % inside if "<<" not in inside else \
                "$(%s\n)" % inside
        return "`%s`" % inside

    def output(self):
        """A command that prints a little and ends well."""
        return self.pick(f"echo {self.word()}", f"printf '%s\\n' {self.words()}", f"printf '%s ' {self.word()}", "cat a.txt",
                         "echo a b; echo c", "printf 'x\\n\\n\\n'", "< c.md", "echo \"$x\"", "echo $y", "p \"$@\"", "printf '%s' \"${arr[@]}\"")

    def brace(self):
        return self.pick("{a,b}", "{1..3}", "{a..e..2}", "x{1,2}y", "{3..1}", "{01..03}", "{a,b}{1,2}", "{a,{b,c}d}", "{,x}", "{a}", "{a,b", "a,b}",
                         "{1..2}{x,y}", "{-1..1}", "{c..a}", "$x{1,2}", "{$x,b}", "\"{a,b}\"", "{a,'b c'}", "{1..10..3}", "{x..}", "pre{,}post", "\\{a,b}",
                         "{a\\,b,c}", "{Z..a}", "{1..a}", "{10..1..-4}", "${x}{a,b}", "{a,b}$y", "{0001..3}", "{'a b',c}")

    def tilde(self):
        return self.pick("~", "~/x", "~+", "~nosuchuser", "a~", "\\~", "'~'", "~/*", "x:~", "a=~", "~root", "~-")

    def glob(self):
        if self.extglob and self.chance(.4):
            return self.pick(*EXTGLOBS)
        return self.pick("*", "*.txt", "?.txt", "[ab].txt", "*.nomatch", "sub/*", "*/*", ".*", "[!a]*.txt", "*.[mt]*", "'*'.txt", "*\\.md", "sub/*/*",
                         "*/", "**", "**/*.txt", "d*", "[[:lower:]].md", "./*.txt", "~/*.md", "no*such", "[b-c].*", "su?/x*", "*[", "[[]*", "\\*")

    def arithmetic_word(self):
        return self.pick("$((%s))", "$((%s))", "$(( %s ))", "$[%s]") % self.expression(2)

    def word(self):
        kind = self.number(0, 27)
        if kind <= 3:
            return self.bare()
        if kind <= 6:
            return self.quoted()
        if kind <= 9:
            return self.simple_expansion()
        if kind <= 13:
            return '"%s"' % self.expansion()
        if kind <= 16:
            return self.expansion()
        if kind == 17:
            return self.brace()
        if kind == 18:
            return self.glob()
        if kind == 19:
            return self.tilde() if self.chance(.5) else self.glob()
        if kind <= 21:
            return self.arithmetic_word()
        if kind == 22:
            return self.substitution() if self.depth < 3 else self.bare()
        if kind == 23:
            return '"%s"' % self.substitution() if self.depth < 3 else self.bare()
        if kind == 24:
            return self.escapes()
        if kind == 25:
            return '"%s%s%s"' % (self.pick("a", "", " ", "\\\\", "\\$"), self.expansion(), self.pick("b", "", " ", "$x", "\\\""))
        return self.part() + self.part() + (self.part() if self.chance(.3) else "")

    def part(self):
        return self.pick(self.bare, self.quoted, self.simple_expansion, self.expansion, self.simple_expansion)()

    def words(self, low=1, high=3):
        return self.some(self.word, low, high)

    # ---- arithmetic ------------------------------------------------------------------------------
    def atom(self):
        return self.pick("1", "2", "3", "0", "7", "10", "n", "i", "x", "$n", "${i}", "010", "0xff", "2#101", "36#z", "64#_", "arr[0]", "arr[1]",
                         "arr[i]", "u", "map[k]", "-1", "1", "i", "n", "$#", "${#x}", "9223372036854775807", "'1'" if self.chance(.1) else "5")

    def expression(self, depth):
        if depth <= 0 or self.chance(.2):
            return self.atom()
        kind = self.number(0, 15)
        e = lambda: self.expression(depth - 1)  # noqa: E731
        if kind <= 6:
            op = self.pick("+", "-", "*", "/", "%", "<<", ">>", "&", "|", "^", "==", "!=", "<", ">", "<=", ">=", "&&", "||", "+", "-", "*", "**")
            right = self.pick("2", "3", "1") if op in ("<<", ">>", "**") else e() if op not in "/%" or self.chance(.1) else self.pick("2", "3", "-1", "7")
            space = self.pick("", " ")
            return f"{e()}{space}{op}{space}{right}"
        if kind == 7:
            return f"({e()})"
        if kind == 8:
            return f"{self.pick('-', '!', '~', '+', '- ')}{e()}"
        if kind == 9:
            return f"{e()} ? {e()} : {e()}"
        if kind == 10:
            return f"{self.pick('n', 'i', 'm', 'arr[1]', 'arr[n]')} {self.pick('=', '+=', '-=', '*=', '|=', '&=', '^=', '<<=', '>>=')} {self.pick('1', '2', 'i')}"
        if kind == 11:
            return f"({self.pick('n', 'i')}={e()}) "
        if kind == 12:
            return self.pick("n++", "++n", "i--", "--i", "n++ + ++n", "i++ - 1", "arr[0]++", "n--")
        if kind == 13:
            return f"{e()}, {e()}"
        if kind == 14:
            return self.pick("n=i=3", "m=n", "!n", "1+", "* 2", "(1", "08", "1 2", "n=", "x y", "3=4", "1//2", "2#3", "n**-1", "a.b", "1.5", "0x", "++5") \
                if self.chance(.25) else "n+1"
        return e()

    # ---- conditions ---------------------------------------------------------------------------------
    def condition(self, depth=2):
        if depth and self.chance(.25):
            return self.pick("%s && %s", "%s || %s", "( %s ) && %s", "%s || ! %s") % (self.condition(depth - 1), self.condition(depth - 1))
        w = self.pick(self.simple_expansion, self.quoted, self.part, self.bare)
        avoid = ("(", ")", "[", "]", "!", "{", "}")
        operand = lambda: next(v for v in iter(lambda: self.pick(w)(), None) if v not in avoid and not v.startswith(("<", ">")))  # noqa: E731
        return self.pick(f"{operand()} {self.pick('==', '!=', '=')} {self.pattern() or 'a'}", f"{self.pick('-n', '-z')} {operand()}",
                         f"{self.pick('-e', '-f', '-d', '-s', '-r', '-L')} {self.pick('a.txt', 'sub', 'nope', '$x', 'd?e.txt')}",
                         f"{self.pick('$n', 'n', '3', 'i+1', '$u', 'x')} {self.pick('-eq', '-ne', '-lt', '-le', '-gt', '-ge')} {self.pick('2', 'n', '$i', '0x10')}",
                         f"{operand()} {self.pick('<', '>')} {operand()}",
                         f"{operand()} =~ {self.regex()}", f"-v {self.pick('x', 'u', 'arr', 'arr[1]', 'map[k]', 'map[no]', 'arr[9]', '1')}",
                         f"-o {self.pick('errexit', 'noglob', 'nosuch')}", f"{operand()}", f"! {operand()} == {self.pattern() or 'b'}", "-R ref")

    def regex(self):
        return self.pick("^a", "b$", "(a)(b)?", "^[a-z]+$", "[0-9]+", "(.)(.)", "a|b", "'.'", "\"$x\"", "$y", "^(.*):(.*)$", "\\.", "[[:alpha:]]+", "a{2}", "(^a|b$)",
                         "^$", ".*", "x*", "(x|(y))", "\\$", "[.]txt", "(b|c)+")

    def test(self):
        w = self.pick('"$x"', "$x", '"$y"', "a", "''", "$u", '"$u"', "5", "$n", '"${arr[@]}"', "!", "-n", "(", ")")
        v = self.pick('"$y"', "b", "3", "$n", "''", "a", "x")
        return self.pick(f"{w} = {v}", f"{w} != {v}", f"-n {w}", f"-z {w}", f"{w} -eq {v}", f"{w} -lt {v}", f"-e {v}", f"-f a.txt -a {w} = {v}",
                         f"{w} = {v} -o -d sub", f"! {w} = {v}", f"{w}", f"! -e {v}", "", f"\\( {w} = {v} \\)", f"{w} \\< {v}", f"{w} {v}", f"-v {v}",
                         "a.txt -nt nope", "a.txt -ef a.txt", f"-t {v}", f"{w} = {v} = {v}", f"{w} -foo {v}", f"-o {v}")

    # ---- commands -----------------------------------------------------------------------------------
    def assignment(self):
        return self.pick(
            lambda: f"{self.name()}={self.word()}", lambda: f"{self.name()}+={self.word()}", lambda: f"arr=({self.words(0, 4)})",
            lambda: f"arr[{self.index()}]={self.word()}", lambda: f"arr+=({self.words(0, 2)})", lambda: f"arr[{self.index()}]+={self.word()}",
            lambda: f"map[{self.key()}]={self.word()}", lambda: f"map+=([{self.pick('k', 'k3')}]={self.word()})",
            lambda: f"arr=([{self.number(0, 4)}]={self.word()} {self.word()})", lambda: f"ref={self.word()}",
            lambda: f"n={self.expression(1)}".split(" ")[0].replace("(", "").replace(")", "").replace("&", "").replace("|", "").replace("<", "").replace(">", ""),
            lambda: f"x={self.word()} y={self.word()}", lambda: f"brr=(\"${{{self.parameter()}}}\")", lambda: f"i={self.number(0, 3)}",
            lambda: f"map=([k]={self.word()} [" + self.pick("z", '"q r"') + "]=1)")()

    def declaration(self):
        flags = self.pick("", " -i", " -a", " -A", " -r", " -x", " -l", " -u", " -n", " -g", " -ai", " -p", " -f", " +x", " +i", " -lu", " -F", " -t", " -ar", " -q")
        name = self.pick("x", "y", "dv", "dw", "arr", "da", "map", "ref", "1bad", "dm")
        value = self.pick("", f"={self.word()}", f"={self.pick('1+2', 'AbC', '5', 'x')}", f"+={self.word()}", f"=({self.words(0, 3)})", "=([k]=v [j]=w)", "=(1+1 2)")
        if "-n" in flags:
            name, value = self.pick("nr", "ref"), self.pick("=x", "=arr", "=y", "=arr[1]", "", "=1bad", "=u")
        return f"{self.pick('declare', 'declare', 'typeset', 'local', 'export', 'readonly', 'declare')}{flags} {name}{value}"

    def printf(self):
        form = self.pick(
            "'%s\\n'", "'%d\\n'", "'%5s|%-5s|\\n'", "'%05d %x %o\\n'", "'%q\\n'", "'%b\\n'", "'%c%c\\n'", "'%%|%s\\n'", "'%.2f\\n'", "'%s %s %s\\n'",
            "'%*d|\\n'", "'%.3s|\\n'", "'%i %u\\n'", "'%e\\n'", "'%X %#x\\n'", "'\\x41\\t\\101\\n'", "'%z\\n'", "'%'", "'%s'", "'%+d % d\\n'", "'%-*s|\\n'", "'%g\\n'",
            "'\\u00e9\\n'", "'a\\cb\\n'", "'%.*s|\\n'", "'%Q\\n'", "\"$x\\n\"", "'%(%Y)T\\n' 0", "'%5c|\\n'", "'%#o %5.3d|\\n'")
        huge = "7" if "*" in form else "99999999999999999999"  # a width of 2 GB is nothing to compare
        return "printf " + self.pick("-v x ", "", "", "", "", "-- ") + form + " " + self.some(
            lambda: self.pick(self.quoted(), "1", "-7", "3.14159", "0x1f", "010", "\"'A\"", "abc", "''", "'a\\tb\\n'", huge, "$x", '"$y"', "5x", "2"), 0, 3)

    def read(self):
        options = self.pick("", "-r ", "-r ", "-a arr ", "-ra arr ", "-n 3 ", "-d : ", "-N 4 ", "-d '' ", "-r -d , ", "-e ", "-rn2 ", "-u 0 ", "-q ", "-n x ", "-t 0 ", "-s ", "-p hi ")
        names = self.pick("x", "x y", "x y z", "", "arr", "x y z n", "1bad") if "-a" not in options and "-ra" not in options else ""
        ifs = self.pick("", "", "IFS=: ", "IFS= ", "IFS=', ' ", "IFS=x ", "IFS=$'\\n' ", "IFS=' :' ", "IFS=é ")
        text = self.pick(f"<<< {self.word()}", f"<<< {self.quoted()}", "< b.txt", "< c.md", "< /dev/null", f"<<< {self.quoted()}")
        show = "\"$x|$y|$z|$REPLY\"" if "arr" not in options + names else '"${arr[@]}"'
        return f"{ifs}read {options}{names} {text}; echo \"r=$?\"; p {show}"

    def builtin(self):
        w = self.word
        return self.pick(
            lambda: f"echo {self.pick('', '-n ', '-e ', '-E ', '-ne ', '-en ', '-x ', '-- ')}{self.pick(w(), self.escaped())}", self.printf, self.printf, self.read, self.read,
            lambda: f"unset {self.pick('', '-v ', '-f ', '-n ')}{self.pick('x', 'y', 'arr[1]', 'arr', 'map[k]', 'f', 'ref', 'u', '1bad', 'arr[-1]', 'map', chr(39) + 'arr[0]' + chr(39))}",
            lambda: f"set -- {self.words(0, 4)}", lambda: f"shift {self.pick('', '1', '2', '9', '-1', 'x', '0')}", lambda: f"eval {self.pick(w(), chr(39) + self.inline() + chr(39))}" if self.depth < 3 else "eval",
            lambda: "declare -p " + self.pick("x", "y", "arr", "map", "u", "x arr", "ref", "n", "brr"), lambda: f"type {self.pick('-t ', '', '-a ', '-p ')}{self.pick('f', 'echo', 'if', 'nosuch', 'p', 'cd')}",
            lambda: f"mapfile {self.pick('', '-t ', '-n 2 ', '-s 1 ', '-O 2 ', '-d : ', '-t -c 1 -C p ')}arr < {self.pick('a.txt', 'b.txt', 'c.md')}", lambda: f". ./{self.pick('lib.sh', 'fn.sh', 'nope.sh')} {self.words(0, 2)}",
            lambda: f"cd {self.pick('sub', '..', '-', 'nope', '', '~', 'sub/deep', '.', '-P sub', 'a.txt', '$x')}; pwd", lambda: f"pushd {self.pick('sub', '', '+1', '-0', 'nope', '-n sub')}",
            lambda: self.pick("popd", "dirs", "dirs -v", "dirs -p", "popd +0", "dirs -c"), lambda: f"alias {self.pick('ll=ls', '', 'nosuch', 'e=echo q=r', '-p')}", lambda: f"let {self.single(self.expression(2))}",
            lambda: f"let {self.pick('n=1 i=2', 'n+=3', '0', 'n=1+')}", lambda: f"test {self.test()}", lambda: f"[ {self.test()} ]", lambda: f"[[ {self.condition()} ]]", lambda: f"(( {self.expression(2)} ))",
            lambda: f"command {self.pick('', '-v ', '-V ', '-p ')}{self.pick('echo hi', 'f', 'nosuch', 'if', 'p', 'cd sub')}", lambda: f"builtin {self.pick('echo b', 'f', 'nosuch', 'printf x')}",
            lambda: f"kill -l {self.pick('1', '15', 'TERM', '137', 'SIGINT', 'nosuch', '0')}", lambda: f"umask {self.pick('', '022', '-S', 'u=rwx,g=,o=', '999', '-p')}", lambda: "compgen " + self.pick("-v arr", "-A function", "-W 'ab ac b' a", "-b ech", "-k"),
            lambda: f"export {self.pick('x', 'x=1', '-n x', '-f f', '-p', '1bad')} | grep -v -e PWD -e SHLVL", lambda: f"trap {self.pick('', '-p', 'EXIT', '- ERR', '-p EXIT', 'x NOSIG')}", lambda: f"set {self.pick('+e', '+u', '+x', '-o nosuch', '+o pipefail', '-q', '-f', '+f', '-B', '+B')}",
            lambda: f"shopt {self.pick('-s extglob', '-s nullglob', '-u nullglob', '-q extglob', 'nosuch', '-s dotglob', '-s globstar', '-s failglob', '-s nocasematch', 'extglob', '-p nullglob', '-o errexit', '-s nocaseglob')}",
            lambda: f"wait {self.pick('', '999999', '%1')}", lambda: self.pick("true", "false", ":", "! true", "! false"), lambda: f"readonly {self.pick('ro=1', 'x', '-p ro', '-a ra=(1 2)')}", lambda: f"hash {self.pick('-r', 'nosuch', '-t nosuch')}",
            lambda: f"{self.pick('break', 'continue', 'return')} {self.pick('', '0', '2', 'x')}", lambda: f"getopts {self.pick('ab:', ':ab:', 'a')} opt {self.words(0, 3)}; p $opt $OPTIND \"$OPTARG\"", lambda: f"caller {self.pick('', '0')}",
            lambda: "local lv=1", lambda: self.pick("enable -n nosuch", "help nosuch", "ulimit -x", "exec -q", "logout", "fg", "bg %1", "jobs -q", "disown %1", "suspend -q", "history -q", "declare -F", "declare -f"))()

    def escaped(self):
        return self.single("".join(self.pick("a", "\\n", "\\t", "\\\\", "\\x41", "\\0101", "\\e", "\\c", "\\u00e9", "\\q", " ", "\\", "\\033[0m") for _ in range(self.number(1, 5))))

    def inline(self):
        """A statement for a text in single quotes."""
        text = self.statement()
        return text.replace("'", "") if "\n" not in text else "echo inline"

    def redirection(self):
        return self.pick("> out", ">> out", "2>&1", "2> err", "< a.txt", "&> out", ">&2", "> /dev/null", "2>/dev/null", "< nope", ">| out", "<> out", "3>&1", "1>&3", "> out 2>&1", "2>&1 > out",
                         "> sub", "< $u", "> \"$x\"out", "> *.txt", "&>> out", ">&-", "2>&-", "3< a.txt <&3", "{fd}> out", "<<< $x", "<<< \"$x$y\"", "> nodir/out", ">& out", "9>&8", "4>out >&4", "0<&-")

    def heredoc(self):
        quote = self.pick("EOF", "EOF", "'EOF'", '"EOF"', "\\EOF", "E\\OF")
        dash = self.pick("", "", "-")
        tab = "\t" if dash else ""
        lines = [tab + self.pick("plain", self.simple_expansion(), self.expansion() if self.chance(.7) else "x", "$(echo sub)", "`echo old`", "\\$x \\\\ \\q", "\"quoted\" 'single'", "$((n+1))", "  indented", "", "line \\", "é *", "${x:-a b}", "${u-'q'}")
                 for _ in range(self.number(0, 3))]
        command = self.pick("cat", "cat", "read -r x y", "while read -r l; do p \"$l\"; done", "p a", "cat -", "mapfile -t arr", "{ read x; cat; }")
        return f"{command} <<{dash}{quote}\n" + "".join(line + "\n" for line in lines) + tab + "EOF"

    def command(self):
        """A simple command."""
        kind = self.number(0, 11)
        if kind <= 3:
            return f"p {self.words()}"
        if kind == 4:
            return f"echo {self.words()}"
        if kind <= 6:
            return self.builtin()
        if kind == 7:
            return self.assignment()
        if kind == 8:
            return f"{self.pick('x', 'y', 'IFS', 'n')}={self.word()} {self.pick('p', 'eval', 'f', 'echo')} {self.pick(chr(39) + 'p $x' + chr(39), '$x', self.word())}"
        if kind == 9:
            return f"{self.pick(*FUNCS)} {self.words(0, 3)}"
        if kind == 10:
            return f"p {self.words()} {self.redirection()}"
        return self.pick("false", "true", "nosuchcmd", "(exit 3)", "cat out", "cat a.txt", "cat nope", "./a.txt", "sub", "cat < a.txt", "$u", '""', "head -n 1 a.txt", "sort -r a.txt", "tr a-c A-C < a.txt", "wc -l < a.txt", "exit 4" if self.chance(.2) else ":",
                         "ls", "sed s/a/b/ a.txt", "seq 3", "bash -c 'echo $0 $1' zero one", "sh -c 'exit 5'", "bash -c 'x y z('", "\"$x\"", "./lib.sh")

    def body(self):
        self.depth += 1
        lines = [self.statement() for _ in range(self.number(1, 2))]
        self.depth -= 1
        return "\n".join(lines)

    def braced(self, text):
        return "{\n%s\n}" % text if "\n" in text or "<<" in text else "{ %s; }" % text if not text.endswith("&") else "{ %s }" % text

    def pipeline(self):
        left = self.pick(self.output, self.output, self.command)()
        if "<<" in left or "\n" in left:
            left = "echo a b"
        right = self.pick("cat", "read x", "while read -r a b; do p \"$a\" \"$b\"; done", "{ read x; p \"$x\"; }", "tr a-z A-Z", "wc -l", "sort", "(cat)", "{ cat; false; }", "cat | cat", "head -n 1", "mapfile -t arr", "cat -", "tail -n 1", "{ cat; exit 3; }", "(cat; exit 4)")
        return f"{self.pick('', '', '! ')}{left} {self.pick('|', '|', '|&')} {right}" + self.pick("", "", '; p "${PIPESTATUS[@]}"', "; echo s=$?")

    def compound(self):
        if self.depth > 2:
            return self.command()
        kind = self.number(0, 17)
        body = self.body
        if kind == 0:
            return f"if {self.guard()}; then\n{body()}\nfi"
        if kind == 1:
            return f"if {self.guard()}; then\n{body()}\nelif {self.guard()}; then\n{body()}\nelse\n{body()}\nfi"
        if kind == 2:
            return f"for v in {self.words(0, 3)}; do\np \"$v\"\n{body()}\ndone"
        if kind == 3:
            return "for v" + self.pick("", " in", ' in "$@"', " in") + "; do " + self.pick("p $v", "echo $v; break", "continue; p no") + "; done"
        if kind == 4:
            return f"for ((k=0; k<{self.number(1, 3)}; k++)); do\np $k\n{body()}\ndone"
        if kind == 5:
            c = f"c{self.depth}"
            return f"{c}=0\nwhile (( {c}++ < {self.number(1, 3)} )); do\n{body()}\ndone"
        if kind == 6:
            c = f"c{self.depth}"
            return f"{c}=3\nuntil (( {c}-- <= {self.number(1, 2)} )); do\n{body()}\n{self.pick('', 'break', 'continue', '[[ $x ]] && break')}\ndone"
        if kind <= 8:
            arms = "".join(f"{self.pick('', '(')}{self.case_pattern()})\n{body()}\n{self.pick(';;', ';;', ';&', ';;&')}\n" for _ in range(self.number(1, 3)))
            return f"case {self.word()} in\n{arms}esac"
        if kind == 9:
            return self.braced(body()) + self.pick("", " > out", " 2>&1", " < a.txt", " 2>/dev/null")
        if kind <= 11:
            inside = body()
            return (f"(\n{inside}\n)" if "\n" in inside or "<<" in inside else f"({inside})" if not inside.startswith("(") else f"( {inside} )") + self.pick("", "", " > out", "; echo s=$?")
        if kind == 12:
            return f"while {self.pick('IFS=: ', '', 'IFS= ')}read {self.pick('-r ', '')}{self.pick('l', 'l m')}; do\np \"$l\" \"$m\"\ndone < {self.pick('a.txt', 'b.txt', 'c.md', '<(echo q; echo r)')}"
        if kind == 13:
            return f"{self.statement_of(self.guard)} {self.pick('&&', '||')} {self.statement_of(self.command)} {self.pick('&&', '||')} {self.statement_of(self.command)}"
        if kind == 14:
            return self.pick(f"cat <(echo {self.word()}) a.txt", f"p {self.word()} > >(cat); wait", "cat < <(printf 'a\\nb\\n')", "comm -3 <(echo a) <(echo b); echo $?", "read x < <(echo one two); p \"$x\"")
        if kind == 15:
            return self.options()
        if kind == 16:
            return f"select s in {self.pick('a b', self.words(0, 2))}; do p \"$s\" \"$REPLY\"; {self.pick('break', '[[ $s ]] && break', ':')}; done <<< {self.pick('1', '2', 'x', chr(34) + chr(34), '$n')}"
        return f"{{ {self.pick('sleep 0', 'true', 'echo bg', '(exit 3)')} & wait{self.pick('', ' $!', ' %1')}; echo w=$?; }}"

    def statement_of(self, make):
        text = make()
        return text if "\n" not in text and ";" not in text else "true"

    def case_pattern(self):
        return self.pick(lambda: self.pattern() or "''", lambda: self.pattern() or "a", lambda: "$x", lambda: '"$x"', lambda: "a|b", lambda: "*", lambda: "a* | *b", lambda: "[[:digit:]]*", lambda: "~", lambda: "?(a)b" if self.extglob else "ab")().replace(" (", "").replace("'*'", "\\*")

    def guard(self):
        return self.pick(f"[[ {self.condition()} ]]", f"[ {self.test()} ]", f"(( {self.expression(2)} ))", "true", "false", self.pick(*FUNCS) + " " + self.word(), "! true", f"test {self.test()}", "p guard", "x=$(false)")

    def options(self):
        option = self.pick("-e", "-u", "-o pipefail", "-x", "-f", "-C", "-a", "-eu", "-o posix", "-T", "-E", "-v", "-n" if self.chance(.05) else "-e", "-h", "-o errexit", "-k", "-P", "-b", "-m" if self.chance(.05) else "-e", "-p", "-o noclobber")
        off = option.replace("-", "+", 1)
        return self.pick(f"set {option}\n{self.body()}\nset {off}", f"(set {option}\n{self.body()}\n)\necho s=$?", f"set {option}", f"set {option}; p $-; set {off}; p $-",
                         f"bash {option} -c {self.single(self.body())} zero one; echo s=$?")

    def function(self):
        name = self.pick(*FUNCS)
        self.depth += 1
        body = self.pick(self.body, self.body, lambda: f"local x={self.word()}\n{self.statement()}\np \"$x\"", lambda: f"local -{self.pick('a', 'A', 'i', 'n', 'r', 'u', 'x')} lv{self.pick('', '=x', '=(a b)')}\nlv={self.word()}\ndeclare -p lv",
                         lambda: f"echo \"$FUNCNAME $# $*\"\n{self.pick('return 2', 'return', 'shift', 'set -- q', 'return $1', 'unset x')}\necho after", lambda: "local OPTIND=1 o\nwhile getopts ':ab:c' o; do p $o \"$OPTARG\"; done\nshift $((OPTIND-1))\np \"$@\"",
                         lambda: "(( ${d:-0} > 2 )) && return\nlocal d=$(( ${d:-0} + 1 ))\np d $d\n" + name + " \"$@\"", lambda: "local -\nset -f\np *", lambda: "p ${FUNCNAME[@]} $LINENO ${BASH_LINENO[0]}")()
        self.depth -= 1
        body = body.replace(f"\n{name} ", "\np ") if "d=$((" not in body else body
        for other in FUNCS:  # calls between functions would not end
            if "d=$((" not in body:
                body = body.replace(other + " ", "p ") if body.startswith(other + " ") else body
        head = self.pick("%s() {", "%s () {", "function %s {", "function %s() {", "%s() (") % name
        tail = ")" if head.endswith("(") else "}"
        extra = self.pick("", "", "", " 2>&1", " > out") if self.chance(.3) else ""
        text = f"{head}\n{body}\n{tail}{extra}"
        call = f"{name} {self.words(0, 3)}"
        return text + "\n" + self.pick(call, call, call + "\necho s=$?", f"declare -f {name}", f"type {name}", f"x=$({name} a)", f"{name} a b | cat", f"{name} || echo failed", f"if {name} 1; then echo y; else echo n; fi", f"{call}\n{name}",
                                       f"export -f {name}; bash -c '{name} 1 2'", f"unset -f {name}; {name}")

    def trap(self):
        action = self.pick("echo bye $?", "echo err $? $LINENO", "p $x", "exit 7", "echo \"$BASH_COMMAND\"", "", "echo 1; false", ": $((n++))")
        return self.pick(f"trap '{action}' EXIT", f"trap '{action}' ERR", f"trap 'echo \"D:$BASH_COMMAND\"' DEBUG", f"trap 'echo ret' RETURN", f"trap '{action}' USR1; kill -USR1 $$", "trap - EXIT", f"trap '{action}' ERR\nset -E", "trap - DEBUG ERR",
                         f"(trap '{action}' EXIT; {self.pick('true', 'false', 'exit 5')}); echo s=$?", "trap", "trap -- '' INT; trap", f"trap '{action}' {self.pick('0', 'SIGTERM', 'HUP INT', 'BOGUS')}; trap -p")

    def error(self):
        return self.pick("echo ${x!}", "echo ${}", "echo $((1/0))", "readonly ro=1; ro=2; echo after", "echo ${u?}", "echo ${u:?gone}", "set -u; echo $nope; echo after", "x=(1 2", "if true; then", "fi", "done", "echo )", "for 1x in a; do :; done", "case x in", "echo 'open",
                         "echo \"open", "echo $(", "f( ) { }", "{ echo a", "((1+", "[[ a b ]]", "[[ -n ]]", "[[ a == ]]", "echo a >", "echo a | | b", "&& a", "; ;", "arr[]=1", "arr[-9]=1", "declare -A map2; map2[]=1", "local x", "return 3", "break", "shift 99; echo $?", "cd a b",
                         "unset -f -v x", "export 1a=2", "read 1x <<< a", "printf", "printf %d x", "eval 'if'", "eval 'echo ('; echo $?", ". ", "exec nosuch", "exit x", "exit 1 2", "echo ${x:1:2:3}", "echo ${#x:1}", "echo ${!x@Z}", "x=~[; echo ${x", "while false; do done", "function { :; }",
                         "select x in; do :; done", "coproc", "declare -n r1=r1; r1=2", "let", "[ a", "[ 1 -eq a ]", "test a b c d e", "echo `echo", "cat << EOF\nno end", "a() b", "a=1 b=2 nosuchx", "${x+nosuchy} a", "1=2", "x+ =1", "\\if", "echo {1..3", "(( x = ))", "for ((;;", "((", "))", "; true", "&", "| cat", "!", "! !", "{ }", "()", "( )", "$()", "``", "echo a &&", "case a in a) echo x;; esac)", "declare -i q=1+; echo $q", "((n = 1 / 0)); echo $?", "[[ 1 -eq 1/0 ]]; echo $?", "arr=([x y]=1)", "unset ro2; readonly ro2; unset ro2", "echo ${arr[}", "echo ${arr[@", "f() { return 300; }; f; echo $?", "exit 300")

    def extra(self):
        """Parts of the language that need some lines around them."""
        w = self.word
        return self.pick(
            lambda: f"coproc {{ read -r l; echo \"got $l\"; }}\necho {self.quoted()} >&\"${{COPROC[1]}}\"\nread -r r <&\"${{COPROC[0]}}\"\np \"$r\"\nwait",
            lambda: "coproc NM (cat)\necho one >&${NM[1]}; exec {NM[1]}>&-\ncat <&${NM[0]}\nwait",
            lambda: f"shopt -s expand_aliases\nalias al={self.pick('echo', chr(39) + 'echo a ' + chr(39), chr(39) + 'if true; then' + chr(39), 'p', 'nosuch')}\nal {w()}{self.pick('', '; fi')}\nunalias al",
            lambda: f"exec {self.pick('3', '4', '{fd}')}> out\necho {w()} >&{self.pick('3', '4', '$fd')}\n{self.pick('exec 3>&-', 'exec {fd}>&-', ':')}\ncat out",
            lambda: f"cat {self.pick('3', '0', '5')}<<EOF <&{self.pick('3', '0', '5')}\n{self.simple_expansion()}\nEOF",
            lambda: "cat <<A; cat <<-B\n$x\nA\n\t$y\n\tB",
            lambda: f"{self.pick(*FUNCS)}() {self.pick('for v in a b; do p $v; done', '(( n > 3 ))', '[[ $1 == a ]]', 'if [[ $1 ]]; then p $1; fi', 'case $1 in a) p A;; *) p other;; esac', 'while false; do :; done', 'select s in a; do break; done')}{self.pick('', ' < a.txt', ' 2>&1')}\nf a; g a; h1 b\ndeclare -f {self.pick(*FUNCS)}",
            lambda: f"echo a \\\n  {w()} # comment {self.pick(chr(39), '$(', chr(34), '')}\n# whole line",
            lambda: f"swap() {{ local -n a1=$1 a2=$2; local t=$a1; a1=$a2; a2=$t; }}\nswap {self.pick('x', 'y', 'arr', 'arr[0]')} {self.pick('y', 'z', 'u')}\np \"$x\" \"$y\"",
            lambda: f"[[ {self.pick('$x', '$y', 'abcabc', 'foo=bar')} =~ {self.regex()} ]] && p \"${{BASH_REMATCH[@]}}\" || p no ${{#BASH_REMATCH[@]}}",
            lambda: f"shopt -s {self.pick('globstar', 'dotglob', 'nocasematch', 'extglob', 'xpg_echo', 'localvar_inherit', 'nullglob', 'failglob', 'lastpipe', 'inherit_errexit', 'shift_verbose', 'execfail')}\n{self.command()}\np {self.glob()}",
            lambda: f"GLOBIGNORE={self.pick(chr(39) + '*.txt' + chr(39), 'a.txt:c.md', chr(39) + '?.md' + chr(39))}\np {self.glob()} {self.glob()}\nunset GLOBIGNORE",
            lambda: f"p {w()} {w()}; p \"$_\"",
            lambda: f"x={self.quoted()}; p \"${{x@P}}\" \"${{x@{self.pick('Q', 'E', 'A', 'a', 'u', 'U', 'L')}}}\"",
            lambda: f"source /dev/stdin {self.words(0, 2)} <<'EOF'\n{self.pick('p $# $1', 'x=src', 'return 3', 'local q=1', 'f() { p src; }')}\nEOF\np $? \"$x\"",
            lambda: f". <(echo 'p sourced $1') {w()}",
            lambda: f"f() {{ {self.pick('local x=1', 'local -a arr=(l)', 'declare -g gv=$1', 'unset x', 'local x; unset x', 'local -x ex=2')}; g; p \"$x\" \"${{arr[@]}}\"; }}\ng() {{ p g \"$x\" $gv; x=changed; }}\nf {w()}\np \"$x\" $gv",
            lambda: f"trap 'echo T{self.number(1, 3)} $?' {self.pick('ERR', 'DEBUG', 'RETURN', 'EXIT')}\n{self.function()}\ntrap - {self.pick('ERR', 'DEBUG', 'RETURN', 'EXIT')}",
            lambda: f"set -- {self.pick('-a', '-ab', '-b val x', '-c', '-a -- -b', '-bval', 'x -a')}\nOPTIND=1\nwhile getopts {self.pick('ab:c', ':ab:', 'b:')} o; do p \"$o\" \"$OPTARG\" $OPTIND; done; p $?",
            lambda: f"mapfile -t {self.pick('', '-d :', '-n 1', '-s 1')} arr <<< {self.quoted()}\np \"${{arr[@]}}\" ${{#arr[@]}}",
            lambda: f"{{ {self.command()}; }} {self.redirection()} {self.redirection()}",
            lambda: f"(\n{self.statement()}\n) {self.pick('||', '&&')} {{ p grp $?; }}",
            lambda: f"while read -r {self.pick('a', 'a b', '-a arr')}; do\n[[ $a ]] || {self.pick('continue', 'break')}\np \"$a\" \"$b\"\ndone <<EOF\n{self.simple_expansion()}\n$y\nlast\nEOF",
            lambda: f"for f in {self.glob()} {self.brace()}; do [[ -e $f ]] && p \"$f\"; done",
            lambda: f"declare -i {self.pick('iv=5', 'iv=n+1', 'iv')}; iv+={self.pick('2', 'n', 'iv*2', '1+')}; p $iv",
            lambda: f"declare -{self.pick('l', 'u', 'c')} cv={self.quoted()}; cv+={self.quoted()}; p \"$cv\"",
            lambda: f"wait {self.pick('-n', '-f', '')}; p $?", lambda: "(exit 7) & wait $!; p $?; { exit 3; } & wait -n; p $?",
            lambda: f"printf -v {self.pick('x', 'arr[2]', 'map[k]', 'ref')} '%s-%s' {w()} {w()}; p \"$x\" \"${{arr[2]}}\" \"${{map[k]}}\"",
            lambda: f"local_test() {{ local {self.pick('x', 'x=', 'x y', '-a x', '-A x', '-i x=2+3', '-r x=1', '-n x=y')}; p \"${{x-unset}}\"; x=in; p \"$x\"; declare -p x; }}; local_test; p \"$x\"",
            lambda: f"readonly rv={self.number(1, 9)}; {self.pick('rv=2', 'unset rv', 'declare rv=3', 'read rv <<< q', 'local rv', 'for rv in a; do :; done', '(( rv = 2 ))', 'printf -v rv x', 'export rv=4', 'rv+=1', ': ${rv:=2}', 'rv=5 p a', 'f() { local rv=1; p $rv; }; f')}; p $? $rv")()

    def statement(self):
        kind = self.number(0, 43)
        if self.depth > 3:
            return self.command()
        if kind <= 11:
            return self.command()
        if kind <= 15:
            return self.assignment()
        if kind <= 17:
            return self.declaration()
        if kind <= 20:
            return self.builtin()
        if kind <= 27:
            return self.compound()
        if kind <= 30:
            return self.pipeline()
        if kind <= 32:
            return self.heredoc() if self.depth < 2 else self.command()
        if kind <= 35:
            return self.function() if self.depth < 2 else self.command()
        if kind == 36:
            return self.trap()
        if kind == 37:
            return self.error() if self.chance(.25) else "echo s=$?"
        if kind >= 40:
            return self.extra() if self.depth < 2 else self.command()
        if kind == 38:
            return self.pick("IFS=:", "IFS=", "IFS=' '", "IFS=$' \\t\\n'", "unset IFS", "IFS=x,", "IFS=': '", "IFS=0", "IFS=$'\\n'", "IFS=é")
        return f"p {self.words(2, 4)}"

    # ---- scripts -----------------------------------------------------------------------------------
    def prelude(self):
        lines = ["p() { local IFS=' '; printf '%d' $#; printf ' <%s>' \"$@\"; echo; }"]
        if self.chance(.3):
            self.extglob = True
            lines.append("shopt -s extglob")
        for name in SCALARS:
            if self.chance(.8):
                lines.append(f"{name}={self.single(self.pick(*VALUES))}")
        lines.append(f"n={self.number(-2, 12)} i={self.number(0, 2)} ptr={self.pick('x', 'y', 'arr', 'arr[1]', 'u', '1')}")
        lines.append("arr=(" + self.some(self.quoted, 0, 4) + ")")
        if self.chance(.7):
            lines.append("declare -A map=([k]=" + self.quoted() + (" [k1]=" + self.quoted() if self.chance(.5) else "") + ")")
        if self.chance(.2):
            lines.append("declare -n ref=" + self.pick("x", "arr", "arr[1]", "y", "map"))
        if self.chance(.2):
            lines.append("brr=([2]=two [5]='fi ve')")
        if self.chance(.7):
            lines.append("set -- " + self.some(self.quoted, 0, 4))
        if self.chance(.08):
            lines.append("shopt -s " + self.pick("nullglob", "dotglob", "globstar", "failglob", "nocaseglob", "nocasematch", "lastpipe", "inherit_errexit", "expand_aliases"))
        return lines

    def mutate(self, text):
        """Break the script: take a character or a token away, or put one in."""
        tokens = ["(", ")", "{", "}", ";", ";;", "|", "&&", "'", '"', "$(", "`", "<", ">", "fi", "done", "then", "do", "esac", "in", "${", "<<E", "\\", "\n", "!", "[[", "]]", "((", "))", "&", "#", "case", "if"]
        at = self.number(0, len(text))
        if self.chance(.5):
            return text[:at] + text[at + self.number(1, 3):]
        return text[:at] + self.pick("", " ") + self.pick(*tokens) + self.pick("", " ") + text[at:]

    def script(self):
        lines = self.prelude()
        for _ in range(self.number(2, 6)):
            lines.append(self.statement())
            if self.chance(.2):
                lines.append("echo s=$?")
        if self.chance(.3):
            lines.append("declare -p x y arr map")
        text = "\n".join(lines) + self.pick("", "\n")
        return self.mutate(text) if self.chance(.05) else text


def script(seed, number):
    return Grammar(random.Random(f"{seed}/{number}")).script()


if __name__ == "__main__":
    import sys
    print(script(sys.argv[1], int(sys.argv[2])))
