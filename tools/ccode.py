"""ccode -- what the checks share: the line of layers, the list of files, C text without its comments."""
import glob
import os
import re

LAYERS = ("base text task net vfs shell commands host sandbox connectors agent server cli").split()
PURE = LAYERS[:LAYERS.index("host")]

TOKEN = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)


def find(*patterns):
    """The files that match, sorted, each once. `**` goes down any number of folders."""
    return sorted({path for p in patterns for path in glob.glob(p, recursive=True)})


def read(path):
    with open(path, encoding="utf-8", errors="surrogateescape") as f:
        return f.read()


def layer_of(path):
    """The layer of src/LAYER/..., or None."""
    parts = path.split("/")
    return parts[1] if len(parts) > 2 and parts[0] == "src" else None


def blank(text, strings=True):
    """The text with comments (and strings) turned to spaces; lines and columns stay."""
    def hide(found):
        token = found[0]
        if token[0] == "/" or strings:
            return re.sub(r"[^\n]", " ", token)
        return token
    return TOKEN.sub(hide, text)


def to_top():
    """Go to the top folder of the repository, where all paths begin."""
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
