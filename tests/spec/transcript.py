"""transcript -- reading and writing the Markdown transcripts of tests/spec (see README.md there)."""
import re

INDENT = "    "
STATUS = re.compile(r"\[(\d+)\]$")
TITLE = re.compile(r"# +(\S.*)$")
DIFFERS = re.compile(r"differs:\s*(.*)$")
LOOKALIKE = re.compile(r"^(\$|>|2>)( |$)|^\[\d+\]$| \((esc|no-eol|re)\)$")


class SpecError(Exception):
    """A transcript that breaks the grammar: "file:line: what"."""


class Command:
    """One typed command, what is expected of it, and the lines where that stands."""

    def __init__(self, text):
        self.text, self.out, self.err, self.status = text, [], [], 0
        self.first = self.last = 0  # expected text: lines[first:last]


class Case:
    """One `# title`: commands for one sandbox."""

    def __init__(self, path, line, title):
        self.path, self.line, self.title, self.differs, self.commands = path, line, title, None, []

    @property
    def name(self):
        return f"{self.path}:{self.line}: {self.title}"


def parse(path, lines):
    """The cases of one transcript."""
    cases, command, typing = [], None, False
    for number, line in enumerate(lines):
        where = f"{path}:{number + 1}"
        title, differs = TITLE.match(line), DIFFERS.match(line)
        if line.startswith(INDENT) and line.strip():
            if not cases:
                raise SpecError(f"{where}: a command before the first title")
            text = line[len(INDENT):]
            if text == "$" or text.startswith("$ "):
                command, typing = Command(text[2:]), True
                command.first = command.last = number + 1
                cases[-1].commands.append(command)
            elif not command:
                raise SpecError(f"{where}: output without a command")
            elif typing and (text == ">" or text.startswith("> ")):
                command.text += "\n" + text[2:]
                command.first = command.last = number + 1
            else:
                typing = False
                expect(command, text, number - command.last, where)
                command.last = number + 1
        elif line.strip():
            command, typing = None, False
            if title:
                cases.append(Case(path, number + 1, title[1]))
            elif differs:
                if not cases or not differs[1]:
                    raise SpecError(f"{where}: `differs:` stands in a case and gives a reason")
                cases[-1].differs = differs[1]
            elif line.startswith(" ") or line.startswith("\t"):
                raise SpecError(f"{where}: indented, but not by four spaces")
    return [case for case in cases if case.commands]


def expect(command, text, blanks, where):
    """Adds one expected line, after so many blank ones (which are empty lines of stdout)."""
    status = STATUS.match(text)
    if status:
        command.status = int(status[1])
    elif text == "2>" or text.startswith("2> "):
        command.err.append((text[3:], where))
    else:
        command.out += [("", where)] * blanks + [(text, where)]


def decode(lines):
    """Expected lines as [(kind, bytes)], kind "text" or "re"; bytes with their newline."""
    items = []
    for text, where in lines:
        kind, end = "text", b"\n"
        escaped = text.endswith(" (esc)")
        text = text[:-6] if escaped else text
        if text.endswith(" (no-eol)"):
            text, end = text[:-9], b""
        if text.endswith(" (re)"):
            kind, text = "re", text[:-5]
        data = text.encode("utf-8", "surrogateescape")
        if escaped:
            try:
                data = re.sub(rb"\\(x..|.)", unescape, data)
            except ValueError:
                raise SpecError(f"{where}: a bad escape") from None
        items.append((kind, data + end))
    return items


def unescape(found):
    code = found[1]
    if code[:1] == b"x":
        return bytes([int(code[1:], 16)])
    return {b"t": b"\t", b"r": b"\r", b"n": b"\n", b"\\": b"\\", b"0": b"\0"}[code] if code in (
        b"t", b"r", b"n", b"\\", b"0") else found[0]


def same(items, data):
    """Whether the output is the expected one."""
    if all(kind == "text" for kind, _ in items):
        return b"".join(text for _, text in items) == data
    pattern = b"".join(b"(?:%s)%s" % (text.rstrip(b"\n"), text[len(text.rstrip(b"\n")):]) if kind == "re"
                       else re.escape(text) for kind, text in items)
    return re.fullmatch(pattern, data) is not None


def encode(data):
    """Output bytes as the lines of a transcript, unprintable ones escaped."""
    lines = data.split(b"\n")
    ended = lines[-1] == b""
    if ended:
        lines.pop()
    for i, line in enumerate(lines):
        try:
            text = line.decode()
            plain = text.isprintable() or text.replace("\t", "").isprintable()
        except UnicodeDecodeError:
            text, plain = "", False
        edge = text == "" and i in (0, len(lines) - 1)
        tail = "" if ended or i < len(lines) - 1 else " (no-eol)"
        if plain and not LOOKALIKE.search(text) and text == text.rstrip() and not edge:
            yield text + tail
            continue
        if not plain:
            hidden = re.compile(rb"[^\x20-\x7e\t]|\\")
        else:
            hidden = re.compile(rb"\\")
        line = hidden.sub(lambda m: b"\\\\" if m[0] == b"\\" else b"\\x%02x" % m[0][0], line)
        if re.match(rb"\$|>|2>|\[", line):
            line = b"\\x%02x" % line[0] + line[1:]
        if line.endswith(b" ") or line.endswith(b")"):
            line = line[:-1] + b"\\x%02x" % line[-1]
        yield line.decode() + tail + " (esc)"


def render(out, err, status):
    """The lines that stand under a command with this outcome."""
    lines = [INDENT + text if text else "" for text in encode(out)]
    lines += [INDENT + ("2> " + text if text else "2>") for text in encode_err(err)]
    return lines + ([f"{INDENT}[{status}]"] if status else [])


def encode_err(err):
    """As encode, but an empty line needs no mark: `2>` shows it."""
    return ["" if text == " (esc)" else text for text in encode(err)]
