/* tool_files.c -- the tools `read`, `write` and `edit`
 *
 * A file is changed by writing a new one beside it and putting that in its place, so a reader
 * never sees half of it and a full disk leaves the old one whole. Writes and edits of one path
 * wait for each other, in the order the model called them.
 */
#include "agent/tool.h"

#include "base/fmt.h"
#include "text/base64.h"
#include "vfs/vfs.h"

enum {
    TOOL_FILE_MOST = 64 << 20,    /* bytes of a file that is read at all */
    TOOL_FILE_IMAGE = 3700 << 10, /* of an image: what providers take, before base64 */
    TOOL_FILE_TYPE = 0170000,
    TOOL_FILE_REGULAR = 0100000,
    TOOL_FILE_FOLDER = 0040000,
    TOOL_FILE_LINK = 0120000
};

static void tool_file_path_detail(struct call *c, struct str path)
{
    buf_addz(&c->details, "\"path\":");
    json_quote(&c->details, path);
}

/* ---- read
 * -------------------------------------------------------------------------------------- */

static int tool_file_list(struct call *c, struct str path, struct hob_error *err)
{
    hob_dirent *all;
    size_t n;
    int r = loop_readdir(c->harness->loop, c->turn->box, path.p, &c->cancel, &all, &n);

    if (r < 0)
        return tool_failed(err, r, "list", path);
    for (size_t i = 0; i < n; i++)
        buf_printf(&c->out, "%s%s%s", i ? "\n" : "", all[i].name,
                   (all[i].mode & TOOL_FILE_TYPE) == TOOL_FILE_FOLDER ? "/" : "");
    if (n == 0)
        buf_addz(&c->out, "(an empty folder)");
    hob_free(all);
    tool_file_path_detail(c, path);
    buf_printf(&c->details, ",\"entries\":%zu", n);
    return 0;
}

/* What kind of image the bytes are, NULL for none that models take. */
static const char *tool_file_image(struct str s)
{
    if (str_starts(s, STR("\x89PNG\r\n\x1a\n")))
        return "image/png";
    if (str_starts(s, STR("\xFF\xD8\xFF")))
        return "image/jpeg";
    if (str_starts(s, STR("GIF87a")) || str_starts(s, STR("GIF89a")))
        return "image/gif";
    if (str_starts(s, STR("RIFF")) && str_starts(str_from(s, 8), STR("WEBP")))
        return "image/webp";
    return NULL;
}

/* A file that is no text. */
static int tool_file_binary(struct call *c, struct str path, struct str data, struct hob_error *err)
{
    const char *mime = tool_file_image(data);
    bool sees = c->turn->model && c->turn->model->images;

    tool_file_path_detail(c, path);
    if (mime && sees && data.n <= TOOL_FILE_IMAGE) {
        c->image_mime = mime;
        base64_encode(&c->image, data, false);
        buf_printf(&c->out, "%.*s: %s, %zu bytes", STR_ARG(path), mime, data.n);
        return 0;
    }
    return error_set(err, HOB_EINVAL, "%.*s is no text: %s of %zu bytes%s",
                     STR_ARG(str_sub(path, 0, 120)), mime ? mime : "a binary file", data.n,
                     mime ? (sees ? ", too large to be shown" : ", and this model sees no images")
                          : "; tools such as od, strings or file can look at it");
}

/* How many lines there are; a newline at the end begins no further one. */
static size_t tool_file_lines(struct str s)
{
    size_t n = s.n > 0 && s.p[s.n - 1] != '\n';
    for (const char *p = s.p, *end = s.p + s.n; s.n && p < end; n++) {
        p = memchr(p, '\n', (size_t)(end - p));
        if (!p)
            break;
        p++;
    }
    return n;
}

/* The line at `at`, its end included. */
static size_t tool_file_line(struct str s, size_t at)
{
    const char *p = memchr(s.p + at, '\n', s.n - at);
    return p ? (size_t)(p - s.p) + 1 - at : s.n - at;
}

/* A first line that is too long by itself: its begin, and how the rest can be seen. */
static void tool_file_long_line(struct call *c, struct str line, size_t number, size_t total)
{
    size_t n = TOOL_BYTES;
    while (n > 0 && ((unsigned char)line.p[n] & 0xC0) == 0x80)
        n--;
    buf_add(&c->out, line.p, n);
    buf_printf(
        &c->out,
        "\n\n[The first %zu of %zu bytes of line %zu; no offset leads to the rest of it, bash "
        "with cut or tail does.",
        n, line.n, number);
    if (number < total)
        buf_printf(&c->out, " Line %zu of %zu follows with offset=%zu.", number + 1, total,
                   number + 1);
    buf_addz(&c->out, "]");
}

/* Lines from `offset` (from 1) on, at most `limit` of them (0: as many as fit). */
static int tool_file_show(struct call *c, struct str s, size_t offset, size_t limit,
                          struct hob_error *err)
{
    size_t total = tool_file_lines(s), at = 0, number = offset, bytes = 0;
    size_t most = limit ? MIN(limit, (size_t)TOOL_LINES) : (size_t)TOOL_LINES;

    if (total == 0 && offset == 1) {
        buf_addz(&c->out, "(an empty file)");
        return 0;
    }
    if (offset > total)
        return error_set(err, HOB_EINVAL, "offset %zu is behind the end: the file has %zu line%s",
                         offset, total, total == 1 ? "" : "s");
    for (size_t i = 1; i < offset; i++)
        at += tool_file_line(s, at);
    size_t start = at;
    while (number <= total && number - offset < most) {
        size_t n = tool_file_line(s, at);
        if (bytes + n > TOOL_BYTES)
            break;
        bytes += n;
        at += n;
        number++;
    }
    if (number == offset) {
        tool_file_long_line(c, str_sub(s, at, tool_file_line(s, at)), number, total);
        return 1;
    }
    buf_add(&c->out, s.p + start, bytes);
    size_t shown = number - offset;
    if (number <= total && !(limit && shown == limit)) {
        while (c->out.n && c->out.p[c->out.n - 1] == '\n')
            buf_cut(&c->out, c->out.n - 1);
        buf_printf(&c->out, "\n\n[Lines %zu-%zu of %zu. Go on with offset=%zu.]", offset,
                   number - 1, total, number);
    }
    return (int)shown;
}

/* A file's contents for read and edit; *data is freed by the caller. */
static int tool_file_load(struct call *c, struct str path, hob_bytes *data, bool *folder,
                          struct hob_error *err)
{
    hob_stat_t st;
    int r = loop_stat(c->harness->loop, c->turn->box, path.p, &c->cancel, &st);

    *data = (hob_bytes){0};
    *folder = r == 0 && (st.mode & TOOL_FILE_TYPE) == TOOL_FILE_FOLDER;
    if (r < 0)
        return r == HOB_ECANCELED ? r : tool_failed(err, r, "read", path);
    if (*folder)
        return 0;
    if ((st.mode & TOOL_FILE_TYPE) != TOOL_FILE_REGULAR)
        return error_set(err, HOB_EINVAL, "%.*s is no regular file",
                         STR_ARG(str_sub(path, 0, 150)));
    if (st.bytes > TOOL_FILE_MOST)
        return error_set(
            err, HOB_EFBIG,
            "%.*s has %llu bytes; look at parts of it with bash (head, tail, grep, sed)",
            STR_ARG(str_sub(path, 0, 120)), (unsigned long long)st.bytes);
    r = loop_read(c->harness->loop, c->turn->box, path.p, &c->cancel, data);
    return r < 0 && r != HOB_ECANCELED ? tool_failed(err, r, "read", path) : r;
}

static int tool_file_read_run(struct call *c, struct hob_error *err)
{
    struct str path;
    hob_bytes data;
    bool folder;
    double offset = tool_number(c, "offset", 1), limit = tool_number(c, "limit", 0);
    int r = tool_path(c, tool_text(c, "path"), &path, err);

    r = r < 0 ? r : tool_file_load(c, path, &data, &folder, err);
    if (r < 0)
        return r;
    if (folder)
        return tool_file_list(c, path, err);
    struct str s = str_of(data.data, data.len);
    if (s.n && memchr(s.p, 0, MIN(s.n, (size_t)8192))) {
        r = tool_file_binary(c, path, s, err);
    } else {
        r = tool_file_show(c, s, offset < 1 ? 1 : (size_t)MIN(offset, 1e15),
                           limit < 1 ? 0 : (size_t)MIN(limit, 1e15), err);
        tool_file_path_detail(c, path);
        if (r >= 0)
            buf_printf(&c->details, ",\"lines\":%d", r);
    }
    hob_free(data.data);
    return r < 0 ? r : 0;
}

const struct tool tool_read = {
    .name = STR_INIT("read"),
    .description = STR_INIT(
        "Read a text file, or list a folder. At most 2000 lines or 50 KB come at once; a note says "
        "with which offset to go on. Images are shown if the model can see them."),
    .schema = STR_INIT(
        "{\"type\":\"object\",\"properties\":{"
        "\"path\":{\"type\":\"string\",\"description\":\"Relative paths start at the working "
        "directory\"},"
        "\"offset\":{\"type\":\"number\",\"description\":\"The first line to show, from 1\"},"
        "\"limit\":{\"type\":\"number\",\"description\":\"How many lines to show\"}},"
        "\"required\":[\"path\"],\"additionalProperties\":false}"),
    .run = tool_file_read_run,
};

/* ---- replacing a file
 * -------------------------------------------------------------------------- */

/* The name of the new file: beside the old one, hidden, and different for every call. */
static struct str tool_file_beside(struct call *c, struct str path)
{
    struct str dir = path_dir(path), base = str_sub(path_base(path), 0, 200);
    c->harness->ids.low++;
    return arena_printf(&c->arena, "%.*s%s.%.*s.%llx.tmp", STR_ARG(dir),
                        dir.n && dir.p[dir.n - 1] == '/' ? "" : "/", STR_ARG(base),
                        (unsigned long long)(c->harness->ids.low & 0xFFFFFF));
}

/* Writes beside and renames. 0, an error, or 1: it cannot be done so here. */
static int tool_file_swap(struct call *c, struct str path, struct str data)
{
    struct hob_loop *l = c->harness->loop;
    hob_sandbox *box = c->turn->box;
    hob_stat_t old, link;
    int was = hob_lstat(box, path.p, &link);

    if (was == 0) {
        was = loop_stat(l, box, path.p, &c->cancel, &old);
        /* A link, a device, and a file with two names are written through. */
        if (was < 0 || (link.mode & TOOL_FILE_TYPE) != TOOL_FILE_REGULAR || old.nlink > 1)
            return 1;
    } else if (was != HOB_ENOENT) {
        return 1;
    }
    struct str beside = tool_file_beside(c, path);
    if (!beside.p)
        return HOB_ENOMEM;
    int r = loop_write(l, box, beside.p, data, &c->cancel);
    if (r == 0 && was == 0)
        r = hob_chmod(box, beside.p, old.mode & 07777);
    if (r == 0)
        r = loop_rename(l, box, beside.p, path.p, &c->cancel);
    if (r < 0)
        hob_rm(box, beside.p, HOB_FORCE);
    /* A folder that takes no new files, a rename that is not to be had: try it the plain way. No
     * room stays no room, and then the old file must not be cut short. */
    if (r < 0 && r != HOB_ENOSPC && r != HOB_ENOMEM && r != HOB_ELIMIT && r != HOB_EFBIG &&
        r != HOB_ECANCELED && r != HOB_EDIED)
        return 1;
    return r;
}

static int tool_file_replace(struct call *c, struct str path, struct str data,
                             struct hob_error *err)
{
    int r = tool_file_swap(c, path, data);
    if (r == 1)
        r = loop_write(c->harness->loop, c->turn->box, path.p, data, &c->cancel);
    return r < 0 && r != HOB_ECANCELED ? tool_failed(err, r, "write", path) : r;
}

/* ---- write
 * ------------------------------------------------------------------------------------- */

static int tool_file_write_run(struct call *c, struct hob_error *err)
{
    struct str path, content = tool_text(c, "content");
    int r = tool_path(c, tool_text(c, "path"), &path, err);

    r = r < 0 ? r : pathlock_take(c, path);
    if (r < 0)
        return r;
    r = tool_file_replace(c, path, content, err);
    pathlock_drop(c, path);
    if (r < 0)
        return r;
    buf_printf(&c->out, "Wrote %zu bytes to %.*s", content.n, STR_ARG(path));
    tool_file_path_detail(c, path);
    buf_printf(&c->details, ",\"size\":%zu", content.n);
    return 0;
}

const struct tool tool_write = {
    .name = STR_INIT("write"),
    .description = STR_INIT("Write a file, replacing what it held. Missing folders are made."),
    .schema = STR_INIT("{\"type\":\"object\",\"properties\":{"
                       "\"path\":{\"type\":\"string\"},"
                       "\"content\":{\"type\":\"string\",\"description\":\"The whole file\"}},"
                       "\"required\":[\"path\",\"content\"],\"additionalProperties\":false}"),
    .run = tool_file_write_run,
};

/* ---- edit
 * -------------------------------------------------------------------------------------- */

/* How often the text occurs, without overlaps. */
static size_t tool_file_edit_count(struct str s, struct str what)
{
    size_t n = 0;
    for (ptrdiff_t at; (at = str_find(s, what)) >= 0; n++)
        s = str_from(s, (size_t)at + what.n);
    return n;
}

/* Why nothing was found, as far as it can be told. */
static int tool_file_edit_missing(struct call *c, struct str path, struct str text, struct str what,
                                  struct hob_error *err)
{
    struct buf b;
    bool crlf = false;

    if (str_find(text, STR("\r\n")) >= 0 && str_chr(what, '\n') >= 0) {
        buf_init(&b, c->arena.heap);
        for (size_t i = 0; i < what.n; i++) {
            if (what.p[i] == '\n' && (i == 0 || what.p[i - 1] != '\r'))
                buf_putc(&b, '\r');
            buf_putc(&b, what.p[i]);
        }
        crlf = tool_file_edit_count(text, buf_get(&b)) > 0;
        buf_fini(&b);
    }
    return error_set(err, HOB_ENOENT, "oldText does not occur in %.*s. %s",
                     STR_ARG(str_sub(path, 0, 100)),
                     crlf ? "The lines of this file end with \\r\\n, those of oldText with \\n."
                          : "It must be the same to the letter: check blanks, tabs and line ends.");
}

/* Puts `with` in the place of the first `n` occurrences. */
static void tool_file_edit_apply(struct buf *b, struct str s, struct str what, struct str with,
                                 size_t n)
{
    for (ptrdiff_t at; n > 0 && (at = str_find(s, what)) >= 0; n--) {
        buf_str(b, str_sub(s, 0, (size_t)at));
        buf_str(b, with);
        s = str_from(s, (size_t)at + what.n);
    }
    buf_str(b, s);
}

/* The text of the file after the edit, to b. How often it was changed, or an error. */
static int tool_file_edit_text(struct call *c, struct str path, struct str text, struct buf *b,
                               struct hob_error *err)
{
    struct str what = tool_text(c, "oldText"), with = tool_text(c, "newText");
    bool all = tool_flag(c, "replaceAll");
    size_t n = tool_file_edit_count(text, what);

    if (n == 0)
        return tool_file_edit_missing(c, path, text, what, err);
    if (str_eq(what, with))
        return error_set(err, HOB_EINVAL, "oldText and newText are the same: nothing would change");
    if (n > 1 && !all)
        return error_set(
            err, HOB_EINVAL,
            "oldText occurs %zu times in %.*s. Give more of the text around it, or set "
            "replaceAll.",
            n, STR_ARG(str_sub(path, 0, 90)));
    tool_file_edit_apply(b, text, what, with, n);
    return b->heap->oom ? HOB_ENOMEM : (int)MIN(n, (size_t)INT_MAX);
}

static int tool_file_edit_locked(struct call *c, struct str path, struct hob_error *err)
{
    hob_bytes data;
    bool folder;
    struct buf b;
    int r = tool_file_load(c, path, &data, &folder, err);

    if (r == 0 && folder)
        r = tool_failed(err, HOB_EISDIR, "edit", path);
    if (r < 0)
        return r;
    buf_init(&b, c->arena.heap);
    int n = tool_file_edit_text(c, path, str_of(data.data, data.len), &b, err);
    r = n < 0 ? n : tool_file_replace(c, path, buf_get(&b), err);
    buf_fini(&b);
    hob_free(data.data);
    if (r < 0)
        return r;
    buf_printf(&c->out, "Replaced %d occurrence%s in %.*s", n, n == 1 ? "" : "s", STR_ARG(path));
    tool_file_path_detail(c, path);
    buf_printf(&c->details, ",\"replacements\":%d", n);
    return 0;
}

static int tool_file_edit_run(struct call *c, struct hob_error *err)
{
    struct str path;

    if (tool_text(c, "oldText").n == 0)
        return error_set(err, HOB_EINVAL, "oldText is empty; `write` makes a whole file");
    int r = tool_path(c, tool_text(c, "path"), &path, err);
    r = r < 0 ? r : pathlock_take(c, path);
    if (r < 0)
        return r;
    r = tool_file_edit_locked(c, path, err);
    pathlock_drop(c, path);
    return r;
}

const struct tool tool_edit = {
    .name = STR_INIT("edit"),
    .description = STR_INIT(
        "Replace a piece of a file by another. oldText must occur exactly once, to the letter, or "
        "replaceAll be set. Both texts are literal."),
    .schema =
        STR_INIT("{\"type\":\"object\",\"properties\":{"
                 "\"path\":{\"type\":\"string\"},"
                 "\"oldText\":{\"type\":\"string\",\"description\":\"What stands there now\"},"
                 "\"newText\":{\"type\":\"string\",\"description\":\"What shall stand there\"},"
                 "\"replaceAll\":{\"type\":\"boolean\",\"description\":\"Every occurrence\"}},"
                 "\"required\":[\"path\",\"oldText\",\"newText\"],\"additionalProperties\":false}"),
    .run = tool_file_edit_run,
};
