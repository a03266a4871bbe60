/* report.c -- what an agent does, as it happens: for a person, for a log, or as NDJSON
 *
 * Everything goes to stderr, so that stdout has the result alone. Texts are streamed; a tool
 * call is one line with the begin of its output below, the rest folded. On a terminal a last
 * line says what is being waited for.
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/utf8.h"
#include "cli/agentcli.h"
#include "text/json.h"
#include "text/number.h"

enum {
    REPORT_LINES = 6,     /* of a tool's output */
    REPORT_COLUMNS = 110, /* of each of them */
    REPORT_TICK = 200000000
};

static int64_t report_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

void report_init(struct report *r, bool json)
{
    const char *plain = getenv("NO_COLOR");
    *r = (struct report){.json = json, .tty = !json && isatty(2)};
    r->colour = r->tty && !(plain && *plain);
    cli_heap(&r->heap);
    buf_init(&r->text, &r->heap);
    buf_init(&r->line, &r->heap);
    buf_init(&r->busy, &r->heap);
    r->since = report_now();
}

void report_fini(struct report *r)
{
    buf_fini(&r->text);
    buf_fini(&r->line);
    buf_fini(&r->busy);
}

/* ---- bytes that are safe to show
 * -------------------------------------------------------------- */

/* TM-INP-5: texts of a model and of tools may come from anywhere. */
void report_clean(struct buf *out, struct str s)
{
    for (size_t i = 0; i < s.n;) {
        int len;
        uint32_t c = utf8_decode(s.p + i, s.n - i, &len);
        if (c == UTF8_BAD || (c < 32 && c != '\n' && c != '\t') || (c >= 127 && c < 160))
            for (int k = 0; k < len; k++)
                buf_printf(out, "\\x%02x", (unsigned char)s.p[i + (size_t)k]);
        else
            buf_add(out, s.p + i, (size_t)len);
        i += (size_t)len;
    }
}

static int report_write(int fd, struct str s)
{
    while (s.n > 0) {
        ssize_t n = write(fd, s.p, s.n);
        if (n < 0)
            return -1;
        s = str_from(s, (size_t)n);
    }
    return 0;
}

int report_print(struct str s)
{
    struct heap h;
    struct buf b;
    cli_heap(&h);
    buf_init(&b, &h);
    if (isatty(1))
        report_clean(&b, s);
    else
        buf_str(&b, s);
    if (b.n == 0 || b.p[b.n - 1] != '\n')
        buf_putc(&b, '\n');
    fflush(stdout);
    int r = report_write(1, buf_get(&b));
    buf_fini(&b);
    return r < 0 ? cli_error("stdout: cannot write") : 0;
}

/* ---- lines ----------------------------------------------------------------------------------- */

void report_clear(struct report *r)
{
    if (r->progress)
        fputs("\r\033[K", stderr);
    r->progress = false;
    if (r->in_text)
        fputc('\n', r->echo ? stdout : stderr);
    r->in_text = false;
    fflush(stdout);
    fflush(stderr);
}

/* One line, dim on a terminal, cut to fit. */
static void report_line(struct report *r, const char *lead, struct str s, const char *colour)
{
    struct buf b;
    buf_init(&b, &r->heap);
    ptrdiff_t end = str_chr(s, '\n');
    struct str first = end < 0 ? s : str_sub(s, 0, (size_t)end);
    size_t cut = utf8_offset(first, REPORT_COLUMNS);
    report_clean(&b, str_sub(first, 0, cut));
    bool more = cut < first.n || (end >= 0 && str_trim(str_from(s, (size_t)end)).n > 0);
    fprintf(stderr, "%s%s%s%s%s\n", r->colour ? colour : "", lead, buf_get(&b).p,
            more ? " ..." : "", r->colour ? "\033[0m" : "");
    buf_fini(&b);
}

/* Whose words follow, when there are several sessions. */
static void report_session(struct report *r, const hob_event *e)
{
    const char *name = e->session ? e->session : "";
    if (strncmp(name, r->session, sizeof r->session - 1) == 0)
        return;
    bool first = r->session[0] == '\0';
    snprintf(r->session, sizeof r->session, "%s", name);
    if (first && strcmp(name, "default") == 0)
        return;
    report_clear(r);
    report_line(r, "-- session ", str_z(name), "\033[2m");
}

static void report_text(struct report *r, const hob_event *e)
{
    struct str s = str_of(e->text, e->text_len);
    struct buf b;

    report_session(r, e);
    if (!r->in_text)
        report_clear(r);
    buf_str(&r->text, s);
    buf_init(&b, &r->heap);
    report_clean(&b, s);
    if (r->tty || r->echo) {
        fwrite(buf_get(&b).p, 1, b.n, r->echo ? stdout : stderr);
        fflush(r->echo ? stdout : stderr);
        r->in_text = b.n && b.p[b.n - 1] != '\n';
    } else { /* whole lines for a log */
        buf_str(&r->line, buf_get(&b));
        ptrdiff_t end = str_rchr(buf_get(&r->line), '\n');
        if (end >= 0) {
            fwrite(r->line.p, 1, (size_t)end + 1, stderr);
            buf_del(&r->line, 0, (size_t)end + 1);
        }
    }
    buf_fini(&b);
}

/* The end of a message. */
static void report_text_end(struct report *r)
{
    if (r->line.n)
        fprintf(stderr, "%s\n", r->line.p);
    buf_clear(&r->line);
    buf_clear(&r->text);
    report_clear(r);
}

/* ---- tools ----------------------------------------------------------------------------------- */

/* What a call is about: its most telling argument. */
static struct str report_about(const struct json *args)
{
    static const char *const names[] = {"command", "pattern", "path",  "agent",
                                        "name",    "prompt",  "reason"};
    struct str s = STR("");
    for (size_t i = 0; i < COUNT(names); i++) {
        if (json_string(json_get(args, names[i]), &s))
            return s;
    }
    return s;
}

static void report_tool_start(struct report *r, const struct json *v)
{
    struct str name = STR(""), id = STR("");
    json_string(json_get(v, "toolName"), &name);
    json_string(json_get(v, "toolCallId"), &id);
    struct str about = report_about(json_get(v, "args"));
    report_text_end(r);
    snprintf(r->call, sizeof r->call, "%.*s", STR_ARG(id));
    struct buf b;
    buf_init(&b, &r->heap);
    buf_str(&b, name);
    buf_putc(&b, ' ');
    for (size_t i = 0; i < about.n && about.p[i] != '\n'; i++)
        buf_putc(&b, about.p[i]);
    report_line(r, "> ", buf_get(&b), "\033[36m");
    buf_str(&r->busy, name);
    buf_putc(&r->busy, '\n');
    buf_fini(&b);
    r->since = report_now();
}

/* Forgets one that ran. */
static void report_not_busy(struct report *r, struct str name)
{
    for (size_t at = 0; at < r->busy.n;) {
        size_t n = strcspn(r->busy.p + at, "\n");
        if (str_eq(str_of(r->busy.p + at, n), name)) {
            buf_del(&r->busy, at, n + 1);
            return;
        }
        at += n + 1;
    }
}

static void report_tool_call(struct report *r, const struct json *v)
{
    struct str name = STR(""), result = STR(""), id = STR("");
    size_t shown = 0, total = 0;
    bool failed = json_bool(json_get(v, "isError"), false);

    json_string(json_get(v, "toolName"), &name);
    json_string(json_get(v, "result"), &result);
    json_string(json_get(v, "toolCallId"), &id);
    report_not_busy(r, name);
    report_text_end(r);
    if (!str_eqz(str_sub(id, 0, sizeof r->call - 1), r->call)) /* others came between */
        report_line(r, "< ", name, "\033[36m");
    r->call[0] = '\0';
    for (struct str rest = str_trim(result); rest.n > 0; total++) {
        ptrdiff_t end = str_chr(rest, '\n');
        if (total < REPORT_LINES) {
            report_line(r, failed ? "  ! " : "  | ", end < 0 ? rest : str_sub(rest, 0, (size_t)end),
                        failed ? "\033[31m" : "\033[2m");
            shown++;
        }
        rest = end < 0 ? STR_NONE : str_from(rest, (size_t)end + 1);
    }
    if (total > shown) {
        char more[60];
        snprintf(more, sizeof more, "(%zu more lines)", total - shown);
        report_line(r, "  | ", str_z(more), "\033[2m");
    }
    r->since = report_now();
}

/* ---- events ---------------------------------------------------------------------------------- */

static double report_number(const struct json *v, const char *name)
{
    size_t used;
    const struct json *n = json_get(v, name);
    return n && n->kind == JSON_NUMBER ? (double)number_parse(n->text, &used) : 0;
}

static void report_turn(struct report *r, const struct json *v)
{
    const struct json *u = json_get(v, "usage");
    r->turns++;
    r->tokens_in +=
        report_number(u, "input") + report_number(u, "cacheRead") + report_number(u, "cacheWrite");
    r->tokens_out += report_number(u, "output");
    r->cost += report_number(u, "cost");
    report_text_end(r);
    r->since = report_now();
}

static void report_log(struct report *r, const struct json *v)
{
    struct str level = STR("info"), message = STR("");
    json_string(json_get(v, "level"), &level);
    json_string(json_get(v, "message"), &message);
    report_text_end(r);
    if (str_eqz(level, "info"))
        report_line(r, "", message, "\033[2m");
    else
        report_line(r, str_eqz(level, "warn") ? "warning: " : "error: ", message, "\033[33m");
}

static void report_parsed(struct report *r, const hob_event *e, const struct json *v)
{
    struct str s = STR("");
    if (strcmp(e->type, "tool_start") == 0)
        report_session(r, e), report_tool_start(r, v);
    else if (strcmp(e->type, "tool_call") == 0)
        report_tool_call(r, v);
    else if (strcmp(e->type, "turn") == 0)
        report_turn(r, v);
    else if (strcmp(e->type, "log") == 0)
        report_log(r, v);
    else if (strcmp(e->type, "compaction_start") == 0) {
        json_string(json_get(v, "reason"), &s);
        report_text_end(r);
        report_line(r, "compacting the conversation: ", s, "\033[2m");
    } else if (strcmp(e->type, "retry") == 0) {
        json_string(json_get(v, "reason"), &s);
        report_text_end(r);
        report_line(r, "broken off, asking again: ", s, "\033[33m");
    }
}

void report_event(void *ud, const hob_event *e)
{
    struct report *r = ud;
    static const char *const parsed[] = {"tool_start", "tool_call",        "turn",
                                         "log",        "compaction_start", "retry"};
    if (r->json) {
        fwrite(e->json, 1, e->json_len, stderr);
        fputc('\n', stderr);
        fflush(stderr);
        return;
    }
    if (strcmp(e->type, "text_delta") == 0) {
        report_text(r, e);
        return;
    }
    for (size_t i = 0; i < COUNT(parsed); i++) {
        struct arena a;
        struct json *v;
        if (strcmp(e->type, parsed[i]) != 0)
            continue;
        arena_init(&a, &r->heap);
        if (json_parse(&a, str_of(e->json, e->json_len), 200, &v, NULL) == 0)
            report_parsed(r, e, v);
        arena_fini(&a);
    }
}

void report_tick(struct report *r)
{
    int64_t now = report_now();
    if (!r->tty || r->in_text || now - r->since < REPORT_TICK || now - r->ticked < REPORT_TICK)
        return;
    r->ticked = now;
    static const char turning[] = "-\\|/";
    struct str busy = str_of(buf_get(&r->busy).p, strcspn(buf_get(&r->busy).p, "\n"));
    fprintf(stderr, "\r\033[K%s%c %.*s %.0f s%s", r->colour ? "\033[2m" : "",
            turning[now / REPORT_TICK % 4], STR_ARG(busy.n ? busy : STR("waiting for the model")),
            (double)(now - r->since) / 1e9, r->colour ? "\033[0m" : "");
    fflush(stderr);
    r->progress = true;
}

void report_end(struct report *r)
{
    char text[160];
    int n;
    if (r->json)
        return;
    report_text_end(r);
    if (r->turns == 0)
        return;
    n = snprintf(text, sizeof text, "%d turn%s, %.0f tokens in, %.0f out", r->turns,
                 r->turns == 1 ? "" : "s", r->tokens_in, r->tokens_out);
    if (r->cost > 0 && n > 0 && (size_t)n < sizeof text)
        snprintf(text + n, sizeof text - (size_t)n, ", $%.4f", r->cost);
    report_line(r, "-- ", str_z(text), "\033[2m");
}
