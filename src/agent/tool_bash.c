/* tool_bash.c -- the tool `bash`, and how the output of a command is shown to a model
 *
 * What matters most stands at the end of an output, so the end is kept. What was cut is said,
 * and how the command ended.
 */
#include "agent/tool.h"

#include "base/utf8.h"

/* A cut must not leave half a character. */
static struct str tool_bash_last(struct str s, size_t bytes)
{
    if (s.n <= bytes)
        return s;
    size_t at = s.n - bytes;
    while (at < s.n && ((unsigned char)s.p[at] & 0xC0) == 0x80)
        at++;
    return str_from(s, at);
}

static size_t tool_bash_count_lines(struct str s)
{
    size_t n = s.n > 0;
    for (size_t i = 0; i < s.n; i++)
        n += s.p[i] == '\n';
    return n;
}

/* The last `lines` lines. */
static struct str tool_bash_last_lines(struct str s, size_t lines)
{
    for (size_t i = s.n; i > 0; i--) {
        if (s.p[i - 1] == '\n' && lines-- == 1)
            return str_from(s, i);
    }
    return s;
}

/* Both streams, trimmed and cut, appended; nothing when there was no output. */
static void tool_bash_put_output(struct buf *out, struct str stdout_text, struct str stderr_text)
{
    struct buf all;

    buf_init(&all, out->heap);
    buf_str(&all, stdout_text);
    if (stderr_text.n) {
        if (all.n && all.p[all.n - 1] != '\n')
            buf_putc(&all, '\n');
        buf_str(&all, stderr_text);
    }
    struct str s = str_trim(buf_get(&all)), shown = s;
    shown = tool_bash_last_lines(shown, TOOL_LINES);
    shown = tool_bash_last(shown, TOOL_BYTES);
    if (shown.n < s.n) {
        size_t total = tool_bash_count_lines(s), kept = tool_bash_count_lines(shown);
        if (kept < total)
            buf_printf(out, "[The last %zu of %zu lines; the output was cut here.]\n", kept, total);
        else
            buf_printf(out, "[The last %zu of %zu bytes; the output was cut here.]\n", shown.n,
                       s.n);
    }
    buf_str(out, shown);
    buf_fini(&all);
}

static void tool_bash_put_status(struct buf *out, size_t start, int status)
{
    if (out->n == start)
        buf_addz(out, "(no output)");
    if (status != 0)
        buf_printf(out, "\n\nExit code: %d", status);
}

void tool_bash_text(struct buf *out, struct str stdout_text, struct str stderr_text, int status)
{
    size_t start = out->n;
    tool_bash_put_output(out, stdout_text, stderr_text);
    tool_bash_put_status(out, start, status);
}

void tool_result_text(struct buf *out, const hob_result *res, int64_t timeout_ns)
{
    size_t start = out->n;

    tool_bash_put_output(out, str_of(res->out, res->out_len), str_of(res->err, res->err_len));
    if (res->limit == HOB_LIMIT_TIME || (res->status == 124 && timeout_ns > 0))
        buf_printf(out, "%s[Timed out after %g s and was ended.]", out->n > start ? "\n\n" : "",
                   (double)timeout_ns / 1e9);
    else if (res->limit || res->truncated)
        buf_printf(out, "%s[%s]", out->n > start ? "\n\n" : "",
                   res->message[0] ? res->message : "the output limit was reached");
    tool_bash_put_status(out, start, res->status);
}

static int tool_bash_run(struct call *c, struct hob_error *err)
{
    struct str command = tool_text(c, "command");
    double seconds = tool_number(c, "timeout", 0);
    hob_exec_options o = HOB_EXEC_OPTIONS_INIT;
    hob_result res;

    if (command.n == 0)
        return error_set(err, HOB_EINVAL, "the command is empty");
    o.script_len = command.n;
    o.timeout_ns = seconds > 0 ? (int64_t)(MIN(seconds, 9e9) * 1e9) : 0;
    int r = loop_exec(c->harness->loop, c->turn->box, command.p, &o, &c->cancel, &res, err);
    if (res.out)
        tool_result_text(&c->out, &res, o.timeout_ns);
    buf_addz(&c->details, "\"command\":");
    json_quote(&c->details, command);
    buf_printf(&c->details, ",\"exitCode\":%d", r < 0 ? -1 : res.status);
    hob_result_free(&res);
    return r;
}

const struct tool tool_bash = {
    .name = STR_INIT("bash"),
    .description = STR_INIT(
        "Run a bash command and get what it prints and its exit code if that is not 0. Each call "
        "is a fresh shell in the working directory: files stay, variables and cd do not. Only the "
        "last 2000 lines or 50 KB of output are shown."),
    .schema = STR_INIT(
        "{\"type\":\"object\",\"properties\":{"
        "\"command\":{\"type\":\"string\",\"description\":\"The command, any bash script\"},"
        "\"timeout\":{\"type\":\"number\",\"description\":\"Seconds after which it is ended; "
        "without it there is no limit\"}},"
        "\"required\":[\"command\"],\"additionalProperties\":false}"),
    .run = tool_bash_run,
};
