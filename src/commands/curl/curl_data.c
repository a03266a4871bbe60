/* curl_data.c -- what curl sends: -d and its kin, and forms */
#include "commands/curl/curl.h"

#include "base/utf8.h"

static bool curl_plain(unsigned char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '.' || c == '_' || c == '~';
}

void curl_escape(struct buf *b, struct str s)
{
    for (size_t i = 0; i < s.n; i++) {
        if (curl_plain((unsigned char)s.p[i]))
            buf_putc(b, s.p[i]);
        else
            buf_printf(b, "%%%02X", (unsigned char)s.p[i]);
    }
}

/* In a form a blank is a plus. */
static void curl_data_escape(struct buf *b, struct str s)
{
    for (ptrdiff_t at; (at = str_chr(s, ' ')) >= 0; s = str_from(s, (size_t)at + 1)) {
        curl_escape(b, str_sub(s, 0, (size_t)at));
        buf_putc(b, '+');
    }
    curl_escape(b, s);
}

/* NAME=DATA, =DATA, DATA, NAME@FILE, @FILE. */
static int curl_data_encoded(struct curl *c, struct str arg, struct buf *out)
{
    size_t at = 0;
    while (at < arg.n && arg.p[at] != '=' && arg.p[at] != '@')
        at++;
    if (at == arg.n) {
        curl_data_escape(out, arg);
        return 0;
    }
    if (at > 0) {
        buf_str(out, str_sub(arg, 0, at));
        buf_putc(out, '=');
    }
    struct str rest = str_from(arg, at + 1);
    if (arg.p[at] == '=') {
        curl_data_escape(out, rest);
        return 0;
    }
    struct buf b;
    buf_init(&b, &c->p->kernel->heap);
    if (curl_slurp(c, rest, &b) < 0)
        curl_warn(c, "Couldn't read data from file \"%.*s\", this makes an empty POST.",
                  STR_ARG(rest));
    curl_data_escape(out, buf_get(&b));
    buf_fini(&b);
    return 0;
}

int curl_data_add(struct curl *c, char kind, struct str arg)
{
    struct buf *out = &c->data;
    if (c->has_data && kind != 'j' && out->n)
        buf_putc(out, '&');
    c->has_data = true;
    c->json |= kind == 'j';
    if (kind == 'u') {
        curl_data_encoded(c, arg, out);
    } else if (kind != 'r' && arg.n && arg.p[0] == '@') {
        struct buf b;
        buf_init(&b, &c->p->kernel->heap);
        if (curl_slurp(c, str_from(arg, 1), &b) < 0)
            curl_warn(c, "Couldn't read data from file \"%.*s\", this makes an empty POST.",
                      STR_ARG(str_from(arg, 1)));
        for (size_t i = 0; i < b.n; i++) /* -d joins the lines of a file */
            if (kind != 'd' || (b.p[i] != '\n' && b.p[i] != '\r' && b.p[i]))
                buf_putc(out, b.p[i]);
        buf_fini(&b);
    } else {
        buf_str(out, arg);
    }
    return c->p->kernel->heap.oom ? CURL_OUT_OF_MEMORY : 0;
}

/* ---- forms ----------------------------------------------------------------------------------- */

/* A value up to a semicolon, or between quotes; moves s behind it. */
static struct str curl_part_word(struct curl *c, struct str *s)
{
    struct buf b;
    size_t i = 0;
    buf_init(&b, &c->p->kernel->heap);
    if (s->n && s->p[0] == '"') {
        for (i = 1; i < s->n && s->p[i] != '"'; i++) {
            if (s->p[i] == '\\' && i + 1 < s->n && (s->p[i + 1] == '"' || s->p[i + 1] == '\\'))
                i++;
            buf_putc(&b, s->p[i]);
        }
        while (i < s->n && s->p[i] != ';')
            i++;
    } else {
        while (i < s->n && s->p[i] != ';')
            i++;
        buf_str(&b, str_trim(str_sub(*s, 0, i)));
    }
    *s = str_from(*s, i);
    struct str out = arena_str(c->p->arena, buf_get(&b));
    buf_fini(&b);
    return out;
}

/* ;type=... ;filename=... ;headers=... Parameters of a type (charset) stay with it. */
static void curl_part_rest(struct curl *c, struct curl_part *part, struct str s)
{
    while (s.n && s.p[0] == ';') {
        s = str_from(s, 1);
        while (s.n && s.p[0] == ' ')
            s = str_from(s, 1);
        struct str *field = NULL;
        if (str_starts(s, STR("type=")))
            field = &part->type, s = str_from(s, 5);
        else if (str_starts(s, STR("filename=")))
            field = &part->filename, s = str_from(s, 9);
        else if (str_starts(s, STR("headers=")))
            field = &part->headers, s = str_from(s, 8);
        struct str v = curl_part_word(c, &s);
        if (field)
            *field = v;
        else if (part->type.p)
            part->type = curl_join(c, curl_join(c, part->type, STR(";")), v);
    }
}

int curl_part_add(struct curl *c, struct str arg, bool literal)
{
    struct curl_part part = {0};
    ptrdiff_t eq = str_chr(arg, '=');
    if (eq < 0) {
        curl_warn(c, "Illegally formatted input field!");
        proc_printf_err(c->p, "curl: option -F: is badly used here\n"
                              "curl: try 'curl --help' or 'curl --manual' for more information\n");
        return CURL_FAILED_INIT;
    }
    part.name = arena_str(c->p->arena, str_sub(arg, 0, (size_t)eq));
    struct str rest = str_from(arg, (size_t)eq + 1);
    if (literal) {
        part.value = rest;
    } else {
        part.file = rest.n && rest.p[0] == '@';
        part.content = rest.n && rest.p[0] == '<';
        rest = str_from(rest, part.file || part.content);
        /* A plain value ends at ;type= and the like alone. */
        if (!part.file && !part.content && !(rest.n && rest.p[0] == '"')) {
            size_t end = rest.n;
            static const char *const marks[] = {";type=", ";filename=", ";headers="};
            for (size_t i = 0; i < COUNT(marks); i++) {
                ptrdiff_t at = str_find(rest, str_z(marks[i]));
                if (at >= 0)
                    end = MIN(end, (size_t)at);
            }
            part.value = arena_str(c->p->arena, str_sub(rest, 0, end));
            rest = str_from(rest, end);
        } else {
            part.value = curl_part_word(c, &rest);
        }
        curl_part_rest(c, &part, rest);
    }
    return part.name.p && vec_push(&c->p->kernel->heap, &c->parts, part) ? 0 : CURL_OUT_OF_MEMORY;
}

/* The type that the end of a name stands for. */
static struct str curl_part_type(struct str name)
{
    static const char *const types[][2] = {
        {".gif", "image/gif"},      {".jpg", "image/jpeg"},    {".jpeg", "image/jpeg"},
        {".png", "image/png"},      {".svg", "image/svg+xml"}, {".txt", "text/plain"},
        {".htm", "text/html"},      {".html", "text/html"},    {".pdf", "application/pdf"},
        {".xml", "application/xml"}};
    for (size_t i = 0; i < COUNT(types); i++) {
        struct str end = str_z(types[i][0]);
        if (name.n >= end.n && curl_same(str_from(name, name.n - end.n), end))
            return str_z(types[i][1]);
    }
    return STR("application/octet-stream");
}

static void curl_part_quoted(const struct curl *c, struct buf *b, struct str s)
{
    for (size_t i = 0; i < s.n; i++) {
        if (c->form_escape && (s.p[i] == '"' || s.p[i] == '\\'))
            buf_putc(b, '\\'), buf_putc(b, s.p[i]);
        else if (!c->form_escape && s.p[i] == '"')
            buf_addz(b, "%22");
        else if (s.p[i] == '\r' || s.p[i] == '\n')
            buf_addz(b, s.p[i] == '\r' ? "%0D" : "%0A");
        else
            buf_putc(b, s.p[i]);
    }
}

static int curl_part_write(struct curl *c, struct buf *b, const struct curl_part *part)
{
    struct str filename = part->filename, type = part->type;
    if (part->file && !filename.p)
        filename = str_eqz(part->value, "-") ? STR("-") : path_base(part->value);
    if (!type.p && (part->file || (filename.p && !part->content)))
        type = curl_part_type(part->file ? part->value : filename);
    buf_addz(b, "Content-Disposition: form-data; name=\"");
    curl_part_quoted(c, b, part->name);
    buf_putc(b, '"');
    if (filename.p) {
        buf_addz(b, "; filename=\"");
        curl_part_quoted(c, b, filename);
        buf_putc(b, '"');
    }
    buf_addz(b, "\r\n");
    if (type.n)
        buf_printf(b, "Content-Type: %.*s\r\n", STR_ARG(type));
    if (part->headers.n)
        buf_printf(b, "%.*s\r\n", STR_ARG(part->headers));
    buf_addz(b, "\r\n");
    if (!part->file && !part->content)
        buf_str(b, part->value);
    else if (curl_slurp(c, part->value, b) < 0)
        return CURL_READ_ERROR;
    buf_addz(b, "\r\n");
    return 0;
}

int curl_form(struct curl *c, struct buf *body, struct str *type)
{
    char mark[17];
    for (size_t i = 0; i < 16; i++)
        mark[i] = "0123456789abcdef"[random_next(&c->p->kernel->random) & 15];
    mark[16] = '\0';
    for (size_t i = 0; i < c->parts.n; i++) {
        buf_printf(body, "--------------------------%s\r\n", mark);
        int r = curl_part_write(c, body, &c->parts.p[i]);
        if (r)
            return r;
    }
    buf_printf(body, "--------------------------%s--\r\n", mark);
    *type =
        arena_printf(c->p->arena, "multipart/form-data; boundary=------------------------%s", mark);
    return type->p ? 0 : CURL_OUT_OF_MEMORY;
}
