/* file_text.c -- text: its encoding, its lines, and what it is written in */
#include "base/utf8.h"
#include "commands/file/file.h"
#include "text/regex.h"

enum {
    FILE_TEXT_LONG = 300, /* a line longer than that is worth a word */
    FILE_TEXT_SOURCE = 8192,
    FILE_TEXT_CODED = 65536, /* bytes that the encoding is taken from */
    FILE_TEXT_DEPTH = 500
};

/* ---- encodings ------------------------------------------------------------------------------- */

enum file_byte {
    FILE_CONTROL, /* is in no text */
    FILE_TEXT,
    FILE_LATIN,
    FILE_HIGH /* 80..9f: in code pages alone */
};

static enum file_byte file_text_byte(unsigned char c)
{
    if (c >= 0xa0)
        return FILE_LATIN;
    if (c >= 0x80)
        return c == 0x85 ? FILE_TEXT : FILE_HIGH;
    return c >= 32 ? c != 127 : (c >= 7 && c <= 13) || c == 27;
}

static bool file_text_wide(struct str s, bool big)
{
    for (size_t i = 2; i + 1 < s.n; i += 2) {
        unsigned c = big ? (unsigned)(unsigned char)s.p[i] << 8 | (unsigned char)s.p[i + 1]
                         : (unsigned)(unsigned char)s.p[i + 1] << 8 | (unsigned char)s.p[i];
        if (c == 0xfffe || (c < 128 && file_text_byte((unsigned char)c) != FILE_TEXT))
            return false;
    }
    return true;
}

/* True for UTF-8 with at least one long character; one that is cut at the end counts. */
static bool file_text_utf8(struct str s)
{
    bool any = false;
    for (size_t i = 0; i < s.n;) {
        int len;
        unsigned char c = (unsigned char)s.p[i];
        if (c < 128) {
            if (file_text_byte(c) != FILE_TEXT)
                return false;
            i++;
            continue;
        }
        if (utf8_decode(s.p + i, s.n - i, &len) == UTF8_BAD) {
            size_t want = c >= 0xf0 ? 4 : c >= 0xe0 ? 3 : 2;
            return any && c >= 0xc2 && s.n - i < want;
        }
        any = true;
        i += (size_t)len;
    }
    return any;
}

const char *file_text_encoding(struct file_guess *g)
{
    struct str s = str_sub(g->data, 0, FILE_TEXT_CODED);
    bool seen[4] = {false, false, false, false};
    for (size_t i = 0; i < s.n; i++)
        seen[file_text_byte((unsigned char)s.p[i])] = true;
    bool nel = s.n && memchr(s.p, 0x85, s.n) != NULL;
    g->charset = "binary";
    if (!seen[FILE_CONTROL] && !seen[FILE_LATIN] && !seen[FILE_HIGH] && !nel) {
        g->charset = "us-ascii";
        return "ASCII";
    }
    if (s.n > 3 && memcmp(s.p, "\xef\xbb\xbf", 3) == 0 &&
        (file_text_utf8(s) || !seen[FILE_CONTROL])) {
        g->charset = "utf-8";
        return "Unicode text, UTF-8 (with BOM)";
    }
    if (file_text_utf8(s)) {
        g->charset = "utf-8";
        return "Unicode text, UTF-8";
    }
    if (s.n > 2 && (unsigned char)s.p[0] == 0xff && (unsigned char)s.p[1] == 0xfe &&
        file_text_wide(s, false)) {
        g->charset = "utf-16le";
        return "Unicode text, UTF-16, little-endian";
    }
    if (s.n > 2 && (unsigned char)s.p[0] == 0xfe && (unsigned char)s.p[1] == 0xff &&
        file_text_wide(s, true)) {
        g->charset = "utf-16be";
        return "Unicode text, UTF-16, big-endian";
    }
    if (seen[FILE_CONTROL])
        return NULL;
    g->charset = seen[FILE_HIGH] ? "unknown-8bit" : "iso-8859-1";
    return seen[FILE_HIGH] ? "Non-ISO extended-ASCII" : "ISO-8859";
}

/* ---- lines ----------------------------------------------------------------------------------- */

struct file_lines {
    size_t crlf, cr, lf, longest, at, start;
    bool after_cr, escapes, backspaces;
};

static void file_text_char(struct file_lines *l, uint32_t c)
{
    if (c == '\n') {
        if (l->after_cr)
            l->crlf++;
        else
            l->lf++;
        l->start = l->at + 1;
    } else if (l->after_cr) {
        l->cr++;
        l->start = l->at;
    }
    l->after_cr = c == '\r';
    l->escapes |= c == 27;
    l->backspaces |= c == 8;
    l->at++;
    if (l->at > l->start && l->at - l->start > FILE_TEXT_LONG)
        l->longest = MAX(l->longest, l->at - l->start);
}

void file_text_manner(struct file_guess *g, struct buf *out)
{
    struct str s = str_sub(g->data, 0, FILE_TEXT_CODED);
    struct file_lines l = {0};
    bool wide = str_starts(str_z(g->charset), STR("utf-16"));
    bool utf8 = str_eqz(str_z(g->charset), "utf-8");
    for (size_t i = wide ? 2 : 0; i < s.n;) {
        int len = 1;
        uint32_t c = (unsigned char)s.p[i];
        if (wide && i + 1 < s.n) {
            bool big = g->charset[6 + 1] == 'e' && g->charset[6] == 'b';
            c = (unsigned char)s.p[big ? i + 1 : i] | (uint32_t)(unsigned char)s.p[big ? i : i + 1]
                                                          << 8;
            len = 2;
        } else if (utf8) {
            c = utf8_decode(s.p + i, s.n - i, &len);
        }
        file_text_char(&l, c);
        i += (size_t)len;
    }
    if (l.after_cr)
        l.cr++;
    if (l.longest)
        buf_printf(out, ", with very long lines (%zu)", l.longest);
    if (!l.crlf && !l.cr && !l.lf) {
        buf_addz(out, ", with no line terminators");
    } else if (l.crlf || l.cr) {
        buf_printf(out, ", with%s%s%s%s%s line terminators", l.crlf ? " CRLF" : "",
                   l.crlf && (l.cr || l.lf) ? "," : "", l.cr ? " CR" : "", l.cr && l.lf ? "," : "",
                   l.lf ? " LF" : "");
    }
    if (l.escapes)
        buf_addz(out, ", with escape sequences");
    if (l.backspaces)
        buf_addz(out, ", with overstriking");
}

/* ---- JSON and CSV ---------------------------------------------------------------------------- */

struct file_json {
    const char *p, *end;
    bool container;
};

static void file_json_space(struct file_json *j)
{
    while (j->p < j->end && (*j->p == ' ' || *j->p == '\t' || *j->p == '\n' || *j->p == '\r'))
        j->p++;
}

static bool file_json_string(struct file_json *j)
{
    for (j->p++; j->p < j->end; j->p++) {
        if (*j->p == '\\') {
            j->p++;
            if (j->p == j->end || !strchr("\"\\/bfnrtu", *j->p) || !*j->p)
                return false;
        } else if (*j->p == '"') {
            j->p++;
            return true;
        }
    }
    return false;
}

static bool file_json_number(struct file_json *j)
{
    bool digits = false;
    if (j->p < j->end && *j->p == '-')
        j->p++;
    for (; j->p < j->end && strchr("0123456789.eE+-", *j->p) && *j->p; j->p++)
        digits |= ascii_digit((unsigned char)*j->p);
    return digits;
}

static bool file_json_value(struct file_json *j, int depth);

/* What stands between brackets; a comma before the closing one is let pass. */
static bool file_json_inside(struct file_json *j, char close, int depth)
{
    j->container = true;
    for (j->p++;;) {
        file_json_space(j);
        if (j->p == j->end)
            return false;
        if (*j->p == close) {
            j->p++;
            return true;
        }
        if (close == '}') {
            if (*j->p != '"' || !file_json_string(j))
                return false;
            file_json_space(j);
            if (j->p == j->end || *j->p++ != ':')
                return false;
        }
        if (!file_json_value(j, depth + 1))
            return false;
        file_json_space(j);
        if (j->p == j->end || (*j->p != ',' && *j->p != close))
            return false;
        if (*j->p == ',')
            j->p++;
    }
}

static bool file_json_value(struct file_json *j, int depth)
{
    static const char *const words[] = {"true", "false", "null"};
    file_json_space(j);
    if (j->p == j->end || depth > FILE_TEXT_DEPTH)
        return false;
    struct str rest = str_of(j->p, (size_t)(j->end - j->p));
    switch (*j->p) {
    case '"': return file_json_string(j);
    case '[': return file_json_inside(j, ']', depth);
    case '{': return file_json_inside(j, '}', depth);
    default: break;
    }
    for (size_t i = 0; i < COUNT(words); i++)
        if (str_starts(rest, str_z(words[i]))) {
            j->p += strlen(words[i]);
            return true;
        }
    return file_json_number(j);
}

bool file_text_json(struct file_guess *g)
{
    struct file_json j = {g->data.p, g->data.p + g->data.n, false};
    file_json_space(&j);
    if (j.p == j.end || (*j.p != '{' && *j.p != '['))
        return false;
    char first = *j.p;
    if (task_stack_low(g->p->task) || !file_json_value(&j, 0))
        return false;
    file_json_space(&j);
    if (j.p == j.end) {
        buf_addz(&g->text, "JSON text data");
        g->mime = "application/json";
        return true;
    }
    if (*j.p != first || !file_json_value(&j, 0))
        return false;
    buf_addz(&g->text, "New Line Delimited JSON text data");
    g->mime = "application/x-ndjson";
    return true;
}

bool file_text_csv(struct file_guess *g)
{
    size_t fields = 0, first = 0, lines = 0;
    bool enough = false;
    const char *p = g->data.p, *end = p + g->data.n;
    while (p < end && !enough) {
        char c = *p++;
        if (c == '"') {
            while (p < end && !(*p == '"' && (p + 1 == end || p[1] != '"')))
                p += *p == '"' ? 2 : 1;
            p += p < end;
        } else if (c == ',') {
            fields++;
        } else if (c == '\n') {
            lines++;
            if ((first && first != fields) || fields == 0)
                return false;
            first = fields;
            fields = 0;
            enough = lines == 10;
        }
    }
    if (!first || lines < 3)
        return false;
    buf_addz(&g->text, "CSV text");
    g->mime = "text/csv";
    return true;
}

/* ---- scripts --------------------------------------------------------------------------------- */

static const struct {
    const char *name, *text, *mime;
    bool by_env; /* also behind /usr/bin/env */
} file_text_shells[] = {
    {"bash", "Bourne-Again shell script", "text/x-shellscript", true},
    {"sh", "POSIX shell script", "text/x-shellscript", false},
    {"zsh", "Paul Falstad's zsh script", "text/x-shellscript", true},
    {"ksh", "Korn shell script", "text/x-shellscript", false},
    {"fish", "fish shell script", "text/x-shellscript", true},
    {"csh", "C shell script", "text/x-shellscript", false},
    {"tcsh", "Tenex C shell script", "text/x-shellscript", true},
    {"python", "Python script", "text/x-script.python", true},
    {"python2", "Python script", "text/x-script.python", true},
    {"python3", "Python script", "text/x-script.python", true},
    {"ruby", "Ruby script", "text/x-ruby", true},
    {"php", "PHP script", "text/x-php", false},
    {"awk", "awk script", "text/x-awk", false},
    {"gawk", "GNU awk script", "text/x-gawk", false},
    {"nawk", "new awk script", "text/x-nawk", false},
    {"lua", "Lua script", "text/x-lua", true},
    {"tclsh", "Tcl/Tk script", "text/x-tcl", true},
};

static void file_text_script(struct file_guess *g)
{
    struct str line = str_from(g->data, 2);
    ptrdiff_t end = str_chr(line, '\n');
    line = str_trim(end < 0 ? line : str_sub(line, 0, (size_t)end));
    struct str prog = line;
    bool env = str_starts(line, STR("/usr/bin/env "));
    if (env)
        prog = line = str_trim(str_from(line, 13));
    ptrdiff_t blank = str_chr(prog, ' ');
    prog = blank < 0 ? prog : str_sub(prog, 0, (size_t)blank);
    bool path = str_chr(prog, '/') >= 0;
    struct str name = path_base(prog);
    g->text_follows = true;
    if ((env || path) && str_eqz(name, "node")) {
        buf_addz(&g->text, "Node.js script executable");
        g->mime = "application/javascript";
        return;
    }
    if ((env || path) && str_eqz(name, "perl")) {
        buf_addz(&g->text, "Perl script text executable");
        g->mime = "text/x-perl";
        g->text_follows = false;
        return;
    }
    g->executable = true;
    for (size_t i = 0; i < COUNT(file_text_shells); i++)
        if (str_eqz(name, file_text_shells[i].name) && (env ? file_text_shells[i].by_env : path)) {
            buf_addz(&g->text, file_text_shells[i].text);
            g->mime = file_text_shells[i].mime;
            return;
        }
    buf_printf(&g->text, "a %.*s script", (int)MIN(line.n, 80), line.p);
}

/* ---- languages ------------------------------------------------------------------------------- */

enum file_manner {
    FILE_PLAIN, /* "X, ASCII text" */
    FILE_RUN,   /* "X, ASCII text executable" */
    FILE_ALONE, /* "X" */
};

/* In this order: the first that is found counts. `start` patterns are bound to the first byte. */
static const struct {
    const char *pattern, *text, *mime;
    enum file_manner manner;
    bool start, icase;
    const char *need; /* without it in the text the pattern need not be tried */
} file_text_rules[] = {
    {"<\\?xml[ \t]+version=[\"'][0-9.]+[\"'][^>]*\\?>[[:space:]]*(<!--[^>]*-->[[:space:]]*)*<svg",
     "SVG Scalable Vector Graphics image", "image/svg+xml", FILE_ALONE, true, false, "<svg"},
    {"[[:space:]]*<svg", "SVG Scalable Vector Graphics image", "image/svg+xml", FILE_ALONE, true,
     false, "<svg"},
    {"<\\?xml version=[\"']1\\.1", "XML 1.1 document", "text/xml", FILE_PLAIN, true, false,
     "<?xml"},
    {"<\\?xml version=[\"']", "XML 1.0 document", "text/xml", FILE_PLAIN, true, false, "<?xml"},
    {"<\\?xml", "XML document", "text/xml", FILE_PLAIN, true, false, "<?xml"},
    {"<\\?(php|[[:space:]])", "PHP script", "text/x-php", FILE_PLAIN, true, false, "<?"},
    {"%!PS-Adobe-[0-9.]+", "PostScript document text conforming DSC level ",
     "application/postscript", FILE_ALONE, true, false, "%!PS-"},
    {"%!", "PostScript document text", "application/postscript", FILE_ALONE, true, false, "%!"},
    {"\\{\\\\rtf1", "Rich Text Format data, version 1", "text/rtf", FILE_ALONE, true, false,
     "{\\rtf"},
    {"BEGIN:VCARD", "vCard visiting card", "text/vcard", FILE_ALONE, true, true, ":"},
    {"BEGIN:VCALENDAR", "vCalendar calendar file", "text/calendar", FILE_ALONE, true, true, ":"},
    {"ssh-rsa ", "OpenSSH RSA public key", "text/plain", FILE_ALONE, true, false, "ssh-"},
    {"ssh-dss ", "OpenSSH DSA public key", "text/plain", FILE_ALONE, true, false, "ssh-"},
    {"ssh-ed25519 ", "OpenSSH ED25519 public key", "text/plain", FILE_ALONE, true, false, "ssh-"},
    {"-----BEGIN CERTIFICATE-----", "PEM certificate", "text/plain", FILE_ALONE, true, false,
     "-----BEGIN"},
    {"-----BEGIN CERTIFICATE REQ", "PEM certificate request", "text/plain", FILE_ALONE, true, false,
     "-----BEGIN"},
    {"-----BEGIN RSA PRIVATE", "PEM RSA private key", "text/plain", FILE_ALONE, true, false,
     "-----BEGIN"},
    {"-----BEGIN EC PRIVATE", "PEM EC private key", "text/plain", FILE_ALONE, true, false,
     "-----BEGIN"},
    {"-----BEGIN OPENSSH PRIVATE KEY", "OpenSSH private key", "text/plain", FILE_ALONE, true, false,
     "-----BEGIN"},
    {"(.|\n)*\n?--- [^\n]*\n\\+\\+\\+ [^\n]*\n@@", "unified diff output", "text/x-diff", FILE_PLAIN,
     true, false, "\n+++ "},
    {"\\*\\*\\* [^\n]*\n--- ", "context diff output", "text/x-diff", FILE_PLAIN, true, false,
     "*** "},
    {"(diff |Only in )", "diff output", "text/x-diff", FILE_PLAIN, true, false, " "},
    {"Index:", "RCS/CVS diff output", "text/x-diff", FILE_PLAIN, true, false, "Index:"},
    {"[[:space:]]*(<!--([^-]|-[^-])*-->[[:space:]]*)?<(!doctype html|html|head|title|script)",
     "HTML document", "text/html", FILE_PLAIN, true, true, "<"},
    {"@echo off", "DOS batch file", "text/x-msdos-batch", FILE_PLAIN, true, true, "@"},
    {"#EXTM3U", "M3U playlist", "text/plain", FILE_PLAIN, true, false, "#EXTM3U"},
    {"Received:", "RFC 822 mail", "message/rfc822", FILE_PLAIN, true, false, "Received:"},
    {"Return-Path:", "SMTP mail", "message/rfc822", FILE_PLAIN, true, false, "Return-Path:"},
    {"From:", "news or mail", "message/rfc822", FILE_PLAIN, true, false, "From:"},
    {"MIME-Version:", "MIME entity", "text/plain", FILE_PLAIN, true, false, "MIME-Version:"},
    {"\\.[A-Z][A-Z] ", "troff or preprocessor input", "text/troff", FILE_PLAIN, true, false, "."},
    {"^\\\\documentclass", "LaTeX 2e document", "text/x-tex", FILE_PLAIN, false, false,
     "\\documentclass"},
    {"^\\\\documentstyle", "LaTeX document", "text/x-tex", FILE_PLAIN, false, false,
     "\\documentstyle"},
    {"^import.*;$", "Java source", "text/x-java", FILE_PLAIN, false, false, "import"},
    {"^(import|export) .* from [\"']", "JavaScript source", "application/javascript", FILE_PLAIN,
     false, false, " from "},
    {"[\"']use strict[\"']", "JavaScript source", "application/javascript", FILE_PLAIN, true, false,
     "use strict"},
    {"^package .*;\n(.*\n)*public class", "Java source", "text/x-java", FILE_PLAIN, false, false,
     "package"},
    {"^public (abstract |final )?class ", "Java source", "text/x-java", FILE_PLAIN, false, false,
     "public"},
    {"^using namespace |^namespace[[:space:]]+[_[:alpha:]]+[[:space:]]*\\{", "C++ source",
     "text/x-c++", FILE_PLAIN, false, false, "namespace"},
    {"^[[:space:]]*class[[:space:]]+[[:alnum:]:_]+[[:space:]]*\\{", "C++ source", "text/x-c++",
     FILE_PLAIN, false, false, "class"},
    {"^(public|private|protected):", "C++ source", "text/x-c++", FILE_PLAIN, false, false, ":"},
    {"^#[[:space:]]*(include|pragma|endif)", "C source", "text/x-c", FILE_PLAIN, false, false, "#"},
    {"main\\([^\n]*\\)[[:space:]]*\\{", "C source", "text/x-c", FILE_PLAIN, false, false, "main("},
    {"^(struct|union|extern)[[:space:]]", "C source", "text/x-c", FILE_PLAIN, false, false, " "},
    {"^[[:space:]]*char( \\*|\\*).+;[[:space:]]*$", "C source", "text/x-c", FILE_PLAIN, false,
     false, "char"},
    {"(\"\"\"|''')", "Python script", "text/plain", FILE_RUN, true, false, NULL},
    {"^from[[:space:]]+[[:alnum:]_.]+[[:space:]]+import", "Python script", "text/x-script.python",
     FILE_RUN, false, false, "import"},
    {"^[[:space:]]*(def|class)[[:space:]]+[[:alpha:]_][[:alnum:]_]*(\\(.*\\))?[[:space:]]*(->.*)?:",
     "Python script", "text/x-script.python", FILE_RUN, false, false, ":"},
    {"^[[:space:]]*try:\n(.*\n)*[[:space:]]*(except.*|finally):", "Python script",
     "text/x-script.python", FILE_RUN, false, false, "try:"},
    {"^package[ \t]+[[:alnum:]_:]+[ \t]*;", "Perl5 module source", "text/plain", FILE_PLAIN, false,
     false, "package"},
    {"^[[:space:]]*(require|module|class)[[:space:]].*\n(.*\n)*[[:space:]]*(def |end)",
     "Ruby script", "text/x-ruby", FILE_PLAIN, false, false, "\n"},
    {"^BEGIN[[:space:]]*\\{", "awk or perl script", "text/plain", FILE_PLAIN, false, false,
     "BEGIN"},
    {"^\\((defun|defvar|setq|define|if|lambda)[ \t]", "Lisp/Scheme program", "text/x-lisp",
     FILE_PLAIN, false, false, "("},
    {"^(\\.PHONY:|CFLAGS|CC[[:space:]]*=|all:|SRCS|LDFLAGS|VPATH)", "makefile script",
     "text/x-makefile", FILE_PLAIN, false, false, NULL},
};

_Static_assert(COUNT(file_text_rules) <= 64, "file_rules has room for all patterns");

void file_text_rules_free(struct file_rules *r)
{
    for (size_t i = 0; i < COUNT(file_text_rules); i++)
        regex_free(r->re[i]);
}

/* 1 when rule i is met, with *end where it ends; 0; negative. */
static int file_text_rule(struct file_guess *g, size_t i, struct str s, size_t *end)
{
    struct regex_match m;
    struct regex **re = &g->rules->re[i];
    unsigned flags = REGEX_ERE | REGEX_BYTES | REGEX_NEWLINE;
    if (file_text_rules[i].need && str_find(s, str_z(file_text_rules[i].need)) < 0)
        return 0;
    if (file_text_rules[i].icase)
        flags |= REGEX_ICASE;
    int e = *re ? 0
                : regex_compile(&g->p->kernel->heap, str_z(file_text_rules[i].pattern), flags, re,
                                NULL);
    if (e < 0)
        return e;
    e = regex_exec(*re, s, 0, file_text_rules[i].start ? REGEX_HERE : 0, &m, 1);
    if (e > 0)
        *end = (size_t)m.end;
    return e;
}

int file_text_kind(struct file_guess *g)
{
    struct str s = str_sub(g->data, 0, FILE_TEXT_SOURCE);
    size_t end;
    if (str_starts(s, STR("#!"))) {
        file_text_script(g);
        return 0;
    }
    for (size_t i = 0; i < COUNT(file_text_rules); i++) {
        int e = file_text_rule(g, i, s, &end);
        if (e < 0)
            return e;
        if (e > 0) {
            buf_addz(&g->text, file_text_rules[i].text);
            if (str_ends(buf_get(&g->text), STR("level ")))
                buf_str(&g->text, str_sub(s, 11, end - 11));
            g->mime = file_text_rules[i].mime;
            g->text_follows = file_text_rules[i].manner != FILE_ALONE;
            g->executable = file_text_rules[i].manner == FILE_RUN;
            return 0;
        }
        e = proc_tick(g->p, (int64_t)(s.n >> 10) + 1);
        if (e < 0)
            return e;
    }
    g->text_follows = true;
    return 0;
}
