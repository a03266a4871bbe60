"""flags -- scripts of commands with invented options, from the option tables of hob itself.

`hob commands --json` tells the options of each command and the names of their arguments; KINDS makes values for
those names, SHAPES says which commands take part, what their operands look like, and which options are left out
because two machines cannot agree on them (the time now, inode numbers, chance, blocks on a disk).
"""
import functools
import json
import os
import random
import subprocess

HOB = os.environ.get("HOB") or os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))), "build/hob")
PER_SCRIPT = 10

FILES = {
    "words": "apple\nbanana\ncherry\nDate\nelderberry\nfig\nGrape\n",
    "fruit": "apple 3 red\nbanana 12 yellow\ncherry 7 red\ndate 1 brown\nfig 30 purple\n",
    "price": "apple 1.50\nbanana 0.25\ncherry 10\nfig 2e1\ngrape -4\n",
    "csv": "id,name,amount\n1,ann,10\n2,bob,-3\n3,cy,\n4,ann,1000\n,,\n",
    "tabs": "a\tb\tc\n\tindented\tby tab\n  two spaces\tthen tab\nlong line with several words and a\ttab in it\n",
    "utf8": "naïve café\nçedille Ünïcode\n日本語 テキスト\nemoji 😀 here\nplain\n",
    "numbers": "10\n9\n2\n1\n-5\n3.14\n1e3\n0x10\n 7\n\n1K\n2M\n",
    "dups": "a\na\nb\nB\nb\n\n\nc c\nc  c\na\n",
    "blank": "\n\none\n\n\n\ntwo\n \n\t\nthree\n\n",
    "noeol": "first\nlast line without newline",
    "crlf": "dos one\r\ndos two\r\n",
    "empty": "",
    "para": "This is the first paragraph of a text. It has some sentences that are long enough to be\nwrapped. And short\nlines.\n\n"
            "   Indented second paragraph,\n   also with two lines.\n\n * a list item that goes on for quite a while and then some more\n * another\n",
    "old": "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\n",
    "new": "one\ntwo and a half\nthree\nfour\nfive\nSIX\nseven\nnine\nten\n",
    "mine": "zero\none\ntwo\nthree\nfour\nfive\nsix  \nseven\neight\n",
    "prog.c": "int main(void)\n{\n\treturn 0;\n}\n\nstatic int f(int x)\n{\n\treturn x + 1;\n}\n",
    "prog2.c": "int main(void)\n{\n\tint y = 1;\n\treturn y;\n}\n\nstatic int f(int x)\n{\n    return x + 1;\n}\n",
    "vars": "HOME is $HOME, ${USER} and $NOPE\n",
    "pairs": "a b\nb c\na c\nc d\n",
    "dir/sub/three.c": "int x;\n",  # one entry in each: what order a folder has is the machine's business
    "many/one": "1\n",
    "many/two.txt": "2\n2\n",
    "many/Sub/four": "",
}
TEXTS = ["words", "fruit", "price", "csv", "tabs", "utf8", "numbers", "dups", "blank", "noeol", "crlf", "empty", "para", "old", "new", "pairs"]
PATTERNS = ["a", "an", "^b", "e$", "[0-9]", "[[:upper:]]", "o.e", "x*", "t\\+", "one", "é", ".", "^$", "\\w\\w*", "a b", "(a)", "a|b", "\\(.\\)\\1", "[^a-z]", "\\bt", "e\\>"]


# ---- values of arguments -------------------------------------------------------------------------

def quoted(text):
    return "'" + text.replace("'", "'\\''") + "'"


def pick(*values):
    return lambda r: r.choice(values)


def small(r):
    return str(r.choice([0, 1, 1, 2, 2, 3, 4, 5, 7, 8, 10, 12, 16, 20, 40, 72, 100]))


def positive(r):
    return str(r.choice([1, 1, 2, 2, 3, 4, 5, 7, 8, 10, 16, 20, 40]))


def size(r):
    return r.choice(["", "", "", "+", "-"]) + small(r) + r.choice(["", "", "", "", "b", "K", "kB", "k"])


def spans(r):
    parts = []
    for _ in range(r.choice([1, 1, 1, 2, 3])):
        a, b = r.randint(1, 9), r.randint(1, 12)
        parts.append(r.choice([f"{a}", f"{a}-", f"-{b}", f"{min(a, b)}-{max(a, b)}"]))
    return ",".join(parts)


def stops(r):
    return r.choice(["4", "8", "1", "3,6,9", "2 5 20", "/5", "4,/3", "4,+3", "10,20"])


def key(r):
    flags = "".join(r.sample("bdfginMhrV", r.choice([0, 0, 1, 1, 2])))
    start = f"{r.randint(1, 4)}" + (f".{r.randint(1, 3)}" if r.random() < .3 else "") + flags
    return start + (f",{r.randint(1, 4)}" + (f".{r.randint(0, 3)}" if r.random() < .2 else "") if r.random() < .6 else "")


def text_file(r):
    return r.choice(TEXTS)


KINDS = {
    "NUM": small, "N": small, "NUMBER": positive, "[-]NUM": lambda r: r.choice(["", "", "-"]) + small(r), "[+]NUM": lambda r: r.choice(["", "", "+"]) + small(r),
    "WIDTH": lambda r: r.choice(["5", "10", "20", "40", "72", "80"]), "COLS": lambda r: r.choice(["0", "5", "20", "40", "76", "80"]),
    "BYTES": lambda r: r.choice(["0", "1", "3", "5", "8", "10", "0x4", "010", "16", "100"]), "SIZE": size, "LIST": spans, "FIELDS": spans, "FILE": text_file, "RFILE": text_file,
    "STRING": pick(":", "--", "", "X", ", ", "\t", "é", "a b"), "STR": pick(":", "--", "XX", ""), "DELIM": pick(",", " ", ":", "\t", "a", ";"),
    "SEP": pick(",", " ", ":", "\t", "a"), "CHAR": pick(",", " ", ":", "\t"), "CHARS": pick(",", " ", ":;", "\t", "a"), "CC": pick("\\:", "x", "ab"), "KEYDEF": key,
    "FIELD": pick("1", "2", "3"), "FILENUM": pick("1", "2"), "STYLE": pick("a", "t", "n", "pan", "p^b"), "WHEN": pick("always", "never", "auto"), "PATTERN": pick("*.c", "*.txt", "o*", "t*", "sub", "[a-m]*"),
    "GLOB": pick("*.c", "*.txt", "o*", "sub"), "PAT": pick("*.c", "*.txt", "o*", "sub"), "RE": pick("^[a-z]", "x", "o", "^}", "^$"), "REGEX": pick("o", "a"), "MODE": pick("755", "u=rw", "go-rwx", "a+x", "700", "+t", "0640"),
    "SUFFIX": pick(".bak", ".x", "~", "o", "txt"), "CONTROL": pick("none", "numbered", "existing", "simple", "t", "nil"), "LABEL": pick("label", "two words", ""),
    "FIELDNUM": pick("1", "2"), "X": pick(",", " ", ":", "\t"), "LIMIT": small, "LENGTH": small, "OFFSET": small, "NAME": pick("x", "HOME", "USER", "NOPE"), "RADIX": pick("d", "o", "x", "n"),
    "NAMES": pick("a,b,c", "x,y"), "COLUMNS": pick("1", "2", "1,2", "-1", "3"), "DIR": pick("dir", ".", "dir/sub", "missing"), "DIRECTORY": pick("dir", "dir/sub", "."), "MAX-LINES": positive, "MAX-ARGS": positive, "MAX-PROCS": pick("1"),
}

# Values for one option of one command.
VALUES = {
    "sort --sort": pick("general-numeric", "human-numeric", "month", "numeric", "version"), "sort --check": pick("quiet", "silent", "diagnose-first"), "sort --batch-size": pick("2", "3", "10"),
    "sort --parallel": pick("1", "2", "4"), "sort --buffer-size": pick("1M", "10%", "100K"), "sort --field-separator": pick(",", " ", ":", "\\0", "a"),
    "uniq --all-repeated": pick("none", "prepend", "separate"), "uniq --group": pick("separate", "prepend", "append", "both"),
    "paste --delimiters": pick(",", ":;", "\\t", "\\n", "ab", "\\0", ""), "join -o": pick("0", "auto", "1.1,2.2", "0,1.2,2.1", "2.1 1.1"), "join -a": pick("1", "2"), "join -v": pick("1", "2"), "join -e": pick("EMPTY", "-", ""),
    "fold --width": pick("1", "5", "10", "20", "80"), "fmt --width": pick("10", "20", "40", "72", "75"), "fmt --goal": pick("5", "15", "30", "60"), "fmt --prefix": pick(" *", ">", "   ", "T"),
    "nl --body-numbering": pick("a", "t", "n", "p^b", "pan"), "nl --number-format": pick("ln", "rn", "rz"), "nl --line-increment": pick("1", "2", "10", "-1"), "nl --starting-line-number": pick("0", "1", "10", "-3", "99"),
    "nl --number-width": pick("1", "2", "3", "6", "10"), "nl --join-blank-lines": pick("1", "2", "3"), "tac --separator": pick("a", "an", "\n\n", " ", "e"), "expand --tabs": stops, "unexpand --tabs": stops,
    "strings --bytes": pick("1", "2", "3", "4", "8"), "strings --radix": pick("o", "x", "d"), "strings --encoding": pick("s", "S", "b", "l"),
    "iconv --from-code": pick("UTF-8", "utf8", "ISO-8859-1", "ASCII", "UTF-16LE", "CP1252", "UTF-16BE", "UTF-32LE", "ISO-8859-15"), "iconv --to-code": pick("UTF-8", "ISO-8859-1", "ASCII//TRANSLIT", "UTF-16LE", "UTF-16BE", "ASCII//IGNORE", "UTF-32BE", "CP1252", "ISO-8859-15"),
    "od --format": pick("x1", "o2", "d4", "u1", "c", "a", "f4", "x1z", "d8", "x2o1", "fD", "dC", "u8", "fF", "x4z"), "od --endian": pick("big", "little"), "od --width": pick("4", "8", "16", "32", "1", "24"), "od -S": pick("1", "3", "5"),
    "xxd --cols": pick("1", "4", "8", "16", "30"), "xxd --groupsize": pick("0", "1", "2", "4", "8"), "xxd --seek": pick("0", "3", "10"), "xxd --offset": pick("1", "16", "0x100"), "xxd --name": pick("data", "a-b", "9x"),
    "hexdump --format": pick('4/1 "%02x " "\\n"', '"%08_ax " 8/1 "%3d " "\\n"', '16/1 "%_p" "\\n"', '2/2 "%u " "\\n"', '/1 "%_c"', '/4 "%x\\n"', '"%_Ad\\n" 8/1 "%_u "'), "hexdump --color": pick("never", "auto"),
    "cmp --ignore-initial": pick("0", "1", "4", "2:3", "1:0"), "cmp --bytes": pick("0", "1", "5", "20"),
    "diff --width": pick("20", "40", "60", "80", "130"), "diff --ifdef": pick("NAME", "X"), "diff --line-format": pick("%l\n", "%L", "[%l]\n", "%dn:%L"), "diff --tabsize": pick("2", "4", "8"), "diff --horizon-lines": small,
    "diff --old-line-format": pick("-%L", "", "o %l\n"), "diff --new-line-format": pick("+%L", "", "n %dn %L"), "diff --unchanged-line-format": pick(" %L", "", "= %L"),
    "diff --old-group-format": pick("old %df,%dl\n%<", "%<"), "diff --new-group-format": pick("new %dF,%dL\n%>", "%>"), "diff --unchanged-group-format": pick("same %dN\n", "%="), "diff --changed-group-format": pick("change\n%<to\n%>", "%>"), "diff --label": pick("L1", "a b"),
    "diff --show-function-line": pick("^[a-z]", "int"), "diff -C": pick("0", "1", "3", "10"), "diff -U": pick("0", "1", "3", "10"), "diff --context": pick("0", "2", "5"), "diff --unified": pick("0", "2", "5"), "diff --starting-file": pick("two.txt", "sub"),
    "diff --from-file": text_file, "diff --to-file": text_file, "diff --exclude-from": pick("words"), "sdiff --width": pick("20", "40", "60", "80", "130"), "sdiff --tabsize": pick("2", "4", "8"),
    "numfmt --from": pick("none", "auto", "si", "iec", "iec-i"), "numfmt --to": pick("none", "si", "iec", "iec-i"), "numfmt --round": pick("up", "down", "from-zero", "towards-zero", "nearest"), "numfmt --invalid": pick("abort", "fail", "warn", "ignore"),
    "numfmt --padding": pick("8", "-8", "1", "20"), "numfmt --format": pick("%f", "%10f", "%-10f", "%.2f", "%'f", "%010f", "<%.1f>"), "numfmt --from-unit": pick("1", "512", "1000"), "numfmt --to-unit": pick("1", "10", "1024", "1000"), "numfmt --suffix": pick("B", "x"), "numfmt --header": pick("1", "2"),
    "numfmt --delimiter": pick(",", " ", ":"), "numfmt --field": pick("1", "2", "3", "2-", "1,3", "-"), "seq --format": pick("%g", "%05.1f", "%e", "<%f>", "%.3g", "%5g", "%-8g|", "%+g"), "seq --separator": pick(",", " ", "", "\t", "--"),
    "shuf --head-count": small, "look --terminate": pick("a", "e", " "), "grep --binary-files": pick("binary", "text", "without-match"), "grep --directories": pick("read", "skip", "recurse"), "grep --devices": pick("read", "skip"), "grep --max-count": pick("0", "1", "2", "5"), "grep --file": pick("words", "empty", "numbers"),
    "grep --regexp": lambda r: r.choice(PATTERNS), "grep --label": pick("in", "(x)"), "grep --group-separator": pick("==", "", "##"), "grep --exclude-from": pick("words"),
    "sed --expression": lambda r: r.choice(SED), "sed --in-place": pick(".bak", "", "x*"), "sed --line-length": pick("1", "2", "10", "20", "70"), "sed --file": pick("words"),
    "awk --field-separator": pick(",", " ", ":", "\\t", "[ab]", "|"), "awk --assign": pick("x=1", "OFS=-", "RS=", "y=a\\tb", "FS=,"),
    "ls --block-size": pick("1", "K", "512", "1000", "KB", "human-readable"), "ls --format": pick("across", "commas", "horizontal", "long", "single-column", "verbose", "vertical"), "ls --indicator-style": pick("none", "slash", "file-type", "classify"), "ls --sort": pick("none", "name", "size", "time", "version", "extension", "width"),
    "ls --time": pick("mtime", "modification"), "ls --time-style": pick("full-iso", "long-iso", "iso", "locale", "+%Y-%m-%d", "+%s"), "ls --quoting-style": pick("literal", "locale", "shell", "shell-always", "shell-escape", "shell-escape-always", "c", "escape"), "ls --tabsize": pick("0", "4", "8"), "ls --width": pick("0", "20", "40", "80", "200"), "ls --classify": pick("always", "never", "auto"),
    "ls --hyperlink": pick("never", "auto"), "ls --color": pick("always", "never", "auto"),
    "cp --preserve": pick("mode", "timestamps", "links", "all", "mode,timestamps", "ownership"), "cp --no-preserve": pick("mode", "timestamps", "links"), "cp --reflink": pick("auto", "never"), "cp --sparse": pick("auto", "always", "never"), "cp --suffix": pick(".old", "~"), "mv --suffix": pick(".old", "~"), "ln --suffix": pick(".old", "~"),
    "rm --interactive": pick("never"), "touch --date": pick("2020-02-03", "@86400", "2001-01-01 12:34:56", "1999-12-31 UTC"), "touch -t": pick("202001020304", "9912312359.59", "01020304"), "touch --time": pick("atime", "mtime", "access", "modify", "use"),
    "stat --format": pick("%n %s", "%F %a %A", "%U %G %u %g", "%h %N", "%Y %y", "%X", "%f", "%o %s", "%t %T", "%10s|%-10n|", "%05s", "%%"), "stat --printf": pick("%n\\n", "%s\\t%F\\n", "%a %A\\n", "%y\\n", "[%10s]\\n"), "stat --cached": pick("always", "never", "default"),
    "realpath --relative-to": pick("dir", ".", "/", "dir/sub", "missing"), "realpath --relative-base": pick("dir", ".", "/"), "truncate --size": pick("0", "5", "+3", "-4", "<6", ">10", "/4", "%8", "1K", "x"),
    "split --number": pick("2", "3", "l/2", "l/3", "r/3", "2/3", "l/2/3", "r/1/2"), "split --bytes": pick("5", "10", "1K", "3"), "split --line-bytes": pick("10", "20", "7"), "split --lines": pick("1", "2", "5"), "split --separator": pick(" ", "a", ",", "\\0"), "split --suffix-length": pick("1", "2", "3"),
    "split --additional-suffix": pick(".txt", ".x"), "split --numeric-suffixes": pick("0", "5", "10"), "split --hex-suffixes": pick("0", "9", "10"), "split --filter": pick("cat", "wc -c", "head -1"), "csplit --suffix-format": pick("%d", "%03d", "%x.txt"), "csplit --prefix": pick("p", "part-"), "csplit --digits": pick("1", "2", "3"),
    "du --block-size": pick("1", "10", "1K", "K", "MB"), "du --threshold": pick("1", "-100", "5", "1K"), "du --max-depth": pick("0", "1", "2"), "du --time-style": pick("full-iso", "iso", "+%F"), "du --exclude-from": pick("words"),
    "tree -L": pick("1", "2", "3"), "tree --filelimit": pick("1", "2", "10"), "tree --sort": pick("name", "version", "size", "mtime"), "tree --charset": pick("ascii", "UTF-8"), "tree --timefmt": pick("%F", "%Y"),
    "file --separator": pick(":", " ->", ""), "env --unset": pick("HOME", "USER", "NOPE", "A"), "env --split-string": pick("printf %s\\n a", "A=1 printenv A", "-i printenv", "'echo' 'a  b'"), "env --chdir": pick("dir", "/", "missing"),
    "date --date": pick("@0", "@86400", "2020-02-29", "2021-12-31 23:59:59", "2000-01-01 12:00 +1 day", "1999-12-31 UTC -1 month", "@1e3", "Thu, 01 Jan 1970 00:00:00 +0000", "20200101T1530", "2020-W01"), "date --iso-8601": pick("date", "hours", "minutes", "seconds", "ns"),
    "date --rfc-3339": pick("date", "seconds", "ns"), "getopt --options": pick("ab:c", "ab::c", "+ab", "-ab:", ""), "getopt --longoptions": pick("alpha,beta:", "alpha,beta::", "long"), "getopt --shell": pick("bash", "sh", "csh", "tcsh"), "getopt --name": pick("prog"),
    "xargs --delimiter": pick(",", " ", "\\n", "a", "\\t"), "xargs -I": pick("{}", "X"), "xargs --replace": pick("{}", "R"), "xargs --max-chars": pick("40", "100", "1000"), "xargs -E": pick("fig", "EOF"), "xargs --eof": pick("fig", "EOF"), "xargs --max-lines": pick("1", "2", "3"),
    "cksum --algorithm": pick("crc", "sysv", "bsd", "md5", "sha1", "sha224", "sha256", "sha384", "sha512", "blake2b", "sm3"), "b2sum --length": pick("8", "128", "256", "512"), "wc --files0-from": pick("missing"), "column --output-width": pick("20", "40", "80", "0"), "column --table-columns-limit": pick("1", "2", "3"),
    "column --table-columns": pick("A,B,C", "ONE", "X,Y"), "column --separator": pick(",", ":", " ", ", "), "column --output-separator": pick("|", " ", "--", ""), "pr --pages": pick("1", "1:2", "2"), "pr --columns": pick("1", "2", "3"), "pr --date-format": pick("%Y", "X"), "pr --header": pick("Title", ""), "pr --length": pick("5", "11", "20", "66"),
    "pr --width": pick("20", "40", "72"), "pr --page-width": pick("20", "40", "72"), "pr --indent": pick("0", "2", "5"), "pr --expand-tabs": pick("4", "8", ":4"), "pr --output-tabs": pick("4", ":4"), "pr --number-lines": pick("3", ":3", "2"), "pr --first-line-number": pick("1", "10"), "pr --separator": pick(":", "|"), "pr --sep-string": pick("::", "|"),
    "tee --output-error": pick("warn", "warn-nopipe", "exit", "exit-nopipe"), "diff3 --label": pick("A", "B", "C"), "basename --suffix": pick("e", ".txt", "one"), "install --mode": pick("755", "600", "u=rw"), "fmt --tagged": pick("1"), "base32 --wrap": pick("0", "5", "20", "76"), "base64 --wrap": pick("0", "5", "20", "76"), "basenc --wrap": pick("0", "5", "20", "76"),
}
SED = ["s/a/X/", "s/o/0/g", "2d", "$!N;s/\\n/ /", "/b/p", "1,3p", "y/abc/xyz/", "$=", "s/\\(.\\)\\(.\\)/\\2\\1/", "/^$/d", "n;d", "1!G;h;$!d", "s/[0-9]\\+/<&>/2", "a\\tail", "1i\\top", "/e/c\\changed", "l", "2q", "s/x*/-/g", "/a/,/c/s/^/> /"]
AWK = ["{ print $1 }", "{ print NF, $NF }", "NR % 2", "{ s += $2 } END { print s }", "BEGIN { print 1/3 }", "/a/ { print toupper($0) }", "{ print length($0) }", "{ $2 = \"\"; print }", "{ printf \"%5s|%-5s|\\n\", $1, $2 }", "!seen[$1]++"]


# ---- operands ------------------------------------------------------------------------------------

def files(low, high, names=TEXTS):
    return lambda r: " ".join(r.choice(names) for _ in range(r.randint(low, high)))


def one(r):
    return r.choice(TEXTS)


def maybe_stdin(r):
    return r.choice(TEXTS) if r.random() < .7 else "< " + r.choice(TEXTS) if r.random() < .8 else "- < " + r.choice(TEXTS)


def sets(r):
    classes = ["a-z", "A-Z", "0-9", "[:upper:]", "[:lower:]", "[:space:]", "[:digit:]", "abc", "\\n", " ", "[:alpha:]", "x", "[=a=]", "[x*3]", "\\t", "a-c", "é", "[:punct:]", "[:alnum:]"]
    count = r.choice([1, 2, 2])
    return " ".join(quoted("".join(r.choice(classes) for _ in range(r.choice([1, 1, 2])))) for _ in range(count)) + " < " + one(r)


def data_operand(r):
    return r.choice(["< " + one(r), one(r), "<(printf 'a\\0b\\377\\001\\n\\n')", "<(printf '%s' {1..40})", "<(printf 'x%.0s' {1..70})"])


def numbers(r):
    return " ".join(r.choice(["1", "1000", "1500", "-7", "1K", "2.5M", "0", "999", "1024", "1.5", "abc", "1Ki", "123456789", "0.1"]) for _ in range(r.randint(1, 3)))


def sequence(r):
    return " ".join(str(r.choice([1, 2, 3, 5, 10, -2, 0, 0.5, 1.25, 7, 12])) for _ in range(r.randint(1, 3)))


def pattern_files(r):
    return quoted(r.choice(PATTERNS)) + " " + r.choice([one(r), one(r) + " " + one(r), "- < " + one(r), "dir/sub/three.c missing", "-r dir"])


def sed_script(r):
    return quoted(r.choice(SED)) + " " + r.choice([one(r), one(r) + " " + one(r), "< " + one(r)])


def two_dirs_or_files(r):
    return r.choice(["old new", "old new", "prog.c prog2.c", "tabs blank", "old mine", "dups words", "crlf old", "noeol old", "empty old", "dir dir", "old old", "old missing"])


def names(r):
    return " ".join(r.choice(["words", "dir", "dir/sub/three.c", "missing", "link", "dir/sub", "dangling", "hard"]) for _ in range(r.randint(1, 2)))


def plain_names(r):
    return " ".join(r.choice(["words", "missing", "link", "dangling", "hard", "many/one", "empty", "dir/sub/three.c"]) for _ in range(r.randint(1, 3)))


def folders(r):
    return r.choice(["many", "dir many", "many dir/sub words", ".", "dir"])


def copies(r):
    return r.choice(["words copy", "words fruit dir", "dir copy", "link copy", "words words", "many/one dir/sub", "words missing/x", "dangling copy", "dir words", "hard words copy", "words many/one", "dir/sub copy"])


def paths(r):
    return " ".join(r.choice(["a/b/c", "/", "x", "dir/sub", "a//b/", "..", "./x.txt", "''", "/usr/", "one.txt"]) for _ in range(r.randint(1, 2)))


def find_tests(r):
    tests = ["-name '*.c'", "-type f", "-type d", "-maxdepth 1", "-mindepth 1", "-empty", "-type f -size -2", "-path '*sub*'", "-not -name one", "-newer words", "-perm 644", "-iname 'T*'", "-o -name one", "-print", "-printf '%p %y %d\\n'", "-prune", "-links 2", "-type l", "-regex '.*t.*'", "-printf '%f|%h|%P\\n'", "-xtype f", "-samefile words", "-user user", "-perm -u+w", "-newermt 2000-01-01", "-depth", "-exec echo {} +", "-quit"]
    return " ".join(["dir"] + [r.choice(tests) for _ in range(r.randint(1, 3))]) + " | sort"


def dd_words(r):
    words = ["bs=4", "bs=1", "ibs=3", "obs=5", "count=2", "skip=1", "seek=2", "conv=ucase", "conv=lcase", "conv=swab", "conv=notrunc", "conv=sync", "cbs=8 conv=block", "cbs=5 conv=unblock", "count=7B", "iflag=skip_bytes", "iflag=count_bytes", "status=noxfer"]
    return " ".join(r.sample(words, r.randint(1, 4))) + f" if={one(r)} status=none"


def bc_input(r):
    return "<<< " + quoted("; ".join(r.choice(["1+2", "scale=5; 1/3", "2^100", "sqrt(2)", "x=5; x*x", "10%3", "ibase=16; FF", "obase=2; 10", "for(i=0;i<3;i++) i", "if(1<2) 7", "-5/2", "scale=3; 22/7", "length(12345)", "1.50+2", "e(1)", "s(1)", "a", ".5", "last"]) for _ in range(r.randint(1, 3))))


def dc_input(r):
    return "<<< " + quoted(" ".join(r.choice(["1 2+p", "5k1 3/p", "2 100^p", "2vp", "[foo]p", "10 3%p", "16iFFp", "2o10p", "1 2 3f", "c", "d", "r", "1p", "3 sa la p", "z p", "10 3~f", "[1p]x", "5 1[p]sa<a"]) for _ in range(r.randint(1, 3))))


# name: (operands, options that are left out, what follows the command)
COPY_END = "; find . -name 'copy*' -o -path './dir/*' -o -path './many/*' | sort"
SHAPES = {
    "cat": (files(1, 2), "", ""), "cut": (one, "", ""), "head": (files(1, 3), "", ""), "tail": (files(1, 3), "-f -F --pid -s --retry", ""), "sort": (files(1, 2), "-R --random-source --compress-program --files0-from -T", ""),
    "uniq": (one, "", ""), "paste": (files(1, 3), "", ""), "join": (pick("fruit price", "fruit price", "pairs pairs", "csv csv", "words fruit"), "", ""), "comm": (pick("words fruit", "old new", "dups words", "old old"), "", ""),
    "tr": (sets, "", ""), "fold": (maybe_stdin, "", ""), "fmt": (pick("para", "para", "blank", "utf8", "tabs", "prog.c"), "", ""), "pr": (files(1, 2), "-m -0 -1 -2 -3 -4 -5 -6 -7 -8 -9", ""), "nl": (maybe_stdin, "", ""), "tac": (files(1, 2), "", ""), "rev": (one, "", ""),
    "wc": (files(1, 3), "--files0-from", ""), "expand": (one, "", ""), "unexpand": (one, "", ""), "column": (pick("fruit", "csv", "words", "tabs", "numbers", "utf8"), "-e -r -i -p -O -W -T -E -L", ""), "strings": (one, "-f", ""),
    "iconv": (pick("words", "utf8", "tabs", "csv"), "-l -o --verbose", " | od -c"), "od": (data_operand, "", ""), "xxd": (data_operand, "-r -E -p --plain --postscript -e", ""), "hexdump": (data_operand, "-f -V -h", ""), "base32": (maybe_stdin, "", ""), "base64": (maybe_stdin, "", ""), "basenc": (maybe_stdin, "", " | od -c"),
    "md5sum": (files(1, 2), "", ""), "sha1sum": (files(1, 2), "", ""), "sha224sum": (files(1, 2), "", ""), "sha256sum": (files(1, 2), "", ""), "sha384sum": (files(1, 2), "", ""), "sha512sum": (files(1, 2), "", ""), "b2sum": (files(1, 2), "", ""), "cksum": (files(1, 2), "--debug", ""), "sum": (files(0, 2), "", " < words"),
    "cmp": (two_dirs_or_files, "", ""), "diff": (two_dirs_or_files, "-l --paginate", ""), "diff3": (pick("old new mine", "mine old new", "new old mine", "old old new"), "--diff-program", ""), "sdiff": (two_dirs_or_files, "--diff-program", ""), "tsort": (pick("pairs", "words", "fruit"), "", ""),
    "numfmt": (numbers, "--debug", ""), "factor": (lambda r: " ".join(str(r.choice([0, 1, 12, 97, 1001, 2 ** 40, 65537, 360])) for _ in range(r.randint(1, 3))), "", ""), "seq": (sequence, "", " | head -40"), "bc": (bc_input, "-i", ""), "dc": (dc_input, "-V -h -f", ""), "look": (lambda r: r.choice(["a", "b", "ch", "D", "fi", "ap"]) + " " + r.choice(["words", "fruit"]), "-V -h", ""),
    "grep": (pattern_files, "-P -V --perl-regexp -X --color --colour -D", ""), "egrep": (pattern_files, "-P -V -G -F -X --color --colour -D", " 2>/dev/null"), "sed": (sed_script, "--debug --follow-symlinks -f -i", ""), "awk": (lambda r: quoted(r.choice(AWK)) + " " + one(r), "-f -e -E -i -t -L -d -D -o -p -l -M -V -n", ""),
    "ls": (plain_names, "-i -s -c -u -f -U -D -h --si --author -k --block-size -Z --hyperlink", ""), "ls:folders": (folders, "-i -s -c -u -f -U -D -h --si --author -k --block-size -Z --hyperlink -l -g -n -o --full-time --format --sort -S", ""), "cp": (copies, "-i -x -Z --context -a -l --copy-contents --reflink -s", COPY_END), "mv": (copies, "-i -Z --context", COPY_END), "rm": (names, "-i -I --interactive --one-file-system --preserve-root --no-preserve-root", "; ls"), "mkdir": (pick("copy", "copy/a/b", "dir", "dir/new", "words/x"), "-Z --context", COPY_END),
    "rmdir": (pick("dir", "dir/sub", "missing", "words", "dir/sub/"), "", COPY_END), "ln": (copies, "-d -F -i", COPY_END), "touch": (lambda r: "-d " + quoted(VALUES["touch --date"](r)) + " " + names(r), "-f -r", "; stat -c '%n %Y' words dir/sub/three.c"), "chmod": (lambda r: r.choice(["755", "u=rw", "go-rwx", "a+x", "+t", "-w", "u+s", "o=u", "g=u-w", "1777"]) + " " + names(r), "-r -w -x -X -s -t -u -g -o -a --reference", "; stat -c '%n %a' words dir dir/sub many many/Sub"),
    "stat": (lambda r: "-c " + quoted(VALUES["stat --format"](r)) + " " + plain_names(r), "-f -t", ""), "readlink": (names, "", ""), "realpath": (names, "", ""), "truncate": (pick("copy", "words", "empty fruit", "dir"), "-o", "; od -c words | tail -3"), "split": (one, "-u", "; for f in x*; do echo \"$f:\"; cat \"$f\"; done"), "csplit": (lambda r: r.choice([t for t in TEXTS if t != "empty"]) + " " + r.choice(["3", "/a/", "2 '{1}'", "/e/ '{*}'", "%b%", "/o/+1", "2 5"]), "", "; for f in xx* p*; do echo \"$f:\"; cat \"$f\"; done 2>/dev/null"),
    "dd": (dd_words, "", ""), "install": (copies, "-o -g -s -Z --context -C --strip-program -d", COPY_END), "du": (lambda r: "-b " + r.choice(["words", "fruit csv", "hard", "empty"]), "-h --si -k -m -x -a -c -d --inodes -s -L -D -H", ""), "tree": (pick("dir", "many", "many", "missing", "words"), "-s -h --si --du -c -U --inodes --device -D -x -C -o -X --filelimit", ""),
    "find": (find_tests, "", ""), "basename": (paths, "", ""), "dirname": (paths, "", ""), "pathchk": (paths, "", ""), "file": (pick("words", "utf8", "empty", "dir", "prog.c", "csv", "noeol", "link"), "-f -p -s -k -z -e -m -C -P -v", " | od -c"), "tee": (lambda r: "copy words < " + r.choice([t for t in TEXTS if t != "words"]), "-i -p", "; cat copy words"),
    "env": (pick("A=1 printenv A", "printenv HOME", "pwd", "A=1 B=2 sh -c 'echo $A$B'", "nope"), "--block-signal --default-signal --ignore-signal -v -S", ""), "printenv": (pick("HOME", "NOPE", "HOME USER", "TZ"), "", ""), "date": (lambda r: "-d " + quoted(VALUES["date --date"](r)) + " " + r.choice(["", "+%F", "'+%a %d %b %Y %T %Z'", "+%s", "'+%j %U %V %G'", "'+%-d/%_m/%^a %N'", "'+%10Y|%:z|%::z|%p'", "'+%c'", "'+%x %X'", "'+%e %k %l %I %P'"]), "-s --debug -f -r", ""),
    "getopt": (lambda r: "-o ab:c -- " + r.choice(["-a -b x y", "-abx", "--alpha z", "--beta=1 -c", "x -a", "-z", "-- -a", "'a b' -a"]), "", ""), "envsubst": (lambda r: "< vars", "", ""), "xargs": (lambda r: r.choice(["echo", "printf '<%s>\\n'", "", "echo {}", "echo X"]) + " < " + r.choice(["words", "fruit", "pairs", "csv", "empty"]), "-o -p -P -a --process-slot-var --show-limits", ""),
}
APART = {"xxd", "tree"}  # they read options in a way of their own: arguments stand apart
CHANGES = {"cp", "mv", "rm", "mkdir", "rmdir", "ln", "touch", "chmod", "truncate", "split", "csplit", "install", "tee", "sed"}  # each in a folder of its own
SETUP = "touch -d '2021-03-04 05:06:07' * dir/sub/* many/* many/Sub/*; ln -s words link; ln -s nowhere dangling; ln fruit hard; touch -hd '2021-03-04 05:06:07' link dangling; touch -d '2021-03-04 05:06:07' dir dir/sub"


@functools.lru_cache(None)
def tables():
    """{name: [option]} of the commands that take part; each option with its key in VALUES."""
    found, shapes = {}, {}
    for shape in SHAPES:
        shapes.setdefault(shape.split(":")[0], []).append(shape)
    done = subprocess.run([HOB, "commands", "--json"], capture_output=True, check=True, text=True)
    for line in done.stdout.splitlines():
        row = json.loads(line)
        for shape in shapes.get(row["name"], []):
            left_out = set(SHAPES[shape][1].split())
            found[shape] = [o for o in row["options"] if "-" + o.get("short", "-") not in left_out and "--" + o.get("long", "") not in left_out]
    return found


def value(r, name, o):
    for key_name in ("--" + o.get("long", ""), "-" + o.get("short", "")):
        if f"{name} {key_name}" in VALUES:
            return VALUES[f"{name} {key_name}"](r)
    return KINDS.get(o["argument"], small)(r)


def option(r, name, o):
    """One option as it is typed: by letter or by name, its argument joined or apart, names cut short at times."""
    long = "long" in o and (r.random() < .4 or "short" not in o)
    if name in APART and "argument" in o:
        return f"-{o['short']} {quoted(value(r, name, o))}" if "short" in o else f"--{o['long']} {quoted(value(r, name, o))}"
    if "argument" not in o:
        return "--" + o["long"] if long else "-" + o["short"]
    if o.get("longOnly") and not long:
        return "-" + o["short"]
    given = value(r, name, o)
    if o.get("optional") and (r.random() < .4 or (not long and given == "")):
        return "--" + o["long"] if long else "-" + o["short"]
    if long:
        return f"--{o['long']}={quoted(given)}" if o.get("optional") or r.random() < .7 else f"--{o['long']} {quoted(given)}"
    return f"-{o['short']}{quoted(given)}" if given and (o.get("optional") or r.random() < .5) else f"-{o['short']} {quoted(given)}"


def invocation(r, shape):
    options, name = tables()[shape], shape.split(":")[0]
    count = r.choice([0, 1, 1, 1, 2, 2, 3, 4]) if options else 0
    chosen = [option(r, name, r.choice(options)) for _ in range(count)]
    flags = [c for c in chosen if len(c) == 2 and c[1].isalpha()]
    if len(flags) > 1 and r.random() < .5 and name not in APART:  # -a -b as -ab
        chosen = [c for c in chosen if c not in flags] + ["-" + "".join(f[1] for f in flags)]
    operands, _, after = SHAPES[shape]
    words = " ".join([name, *chosen, operands(r)])
    if name in CHANGES:
        return f"(cp -a . /tmp/w; cd /tmp/w; {words}; echo \"[$?]\"{after}); chmod -R u+rwx /tmp/w; rm -rf /tmp/w"
    return f"{words}{after}; echo \"[$?]\""


def script(seed, number):
    lines = [SETUP]
    for k in range(PER_SCRIPT):
        r = random.Random(f"{seed}/{number}/{k}")  # a new option of one command leaves the others as they are
        lines.append(invocation(r, r.choice(sorted(SHAPES))))
    return "\n".join(lines) + "\n"
