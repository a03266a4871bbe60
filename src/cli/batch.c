/* batch.c -- hob batch: a JSON line in, a JSON line out, a fresh sandbox for each
 *
 * {"id", "script", "files", "cwd", "env", "stdin"} -> {"id", "stdout", "stderr", "exit"} or
 * {"id", "error"}. Without "stdin" it is /dev/null, else a pipe with that text. No line, however
 * bad, ends the program. TM-INP-3
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "text/base64.h"
#include "text/json.h"

enum {
    BATCH_DEPTH = 64,
    BATCH_LINE_MAX = 1 << 30
};

struct batch {
    struct heap heap;
    struct arena arena; /* of one request */
    struct buf out;
    int64_t timeout_ns;
    uint64_t memory;
};

struct batch_request {
    struct json *id;
    struct str script, cwd, input;
    hob_file *files;
    size_t nfiles;
    const char **env;
    bool has_input;
};

static int batch_reject(struct hob_error *err, const char *what)
{
    return error_set(err, HOB_EINVAL, "%s", what);
}

static bool batch_has_nul(struct str s) { return s.n && memchr(s.p, 0, s.n); }

/* A file is a text, or {"text"|"base64", "mode"}; a path with / behind is a folder. */
static int batch_file(struct batch *b, struct json *v, hob_file *f, struct hob_error *err)
{
    struct str s;
    if (batch_has_nul(v->key) || !v->key.n)
        return batch_reject(err, "files: a path that is empty or holds a NUL");
    *f = (hob_file){.path = v->key.p, .data = ""};
    if (v->key.p[v->key.n - 1] == '/')
        f->kind = HOB_DIR;
    if (v->kind == JSON_OBJECT) {
        struct json *mode = json_get(v, "mode");
        int64_t n = 0;
        if (mode && mode->kind == JSON_STRING)
            n = (int64_t)strtol(mode->text.p, NULL, 8);
        else if (mode && (!json_int(mode, &n)))
            return batch_reject(err, "files: mode is octal digits in a string, or a number");
        f->mode = (uint32_t)n & 07777;
        struct json *text = json_get(v, "text");
        if (!text && json_string(json_get(v, "base64"), &s)) {
            struct base64_decoder d = {0};
            struct buf raw;
            buf_init(&raw, &b->heap);
            int r = base64_decode(&d, s, &raw);
            r = r < 0 ? r : base64_finish(&d, &raw);
            struct str copy = arena_str(&b->arena, buf_get(&raw));
            buf_fini(&raw);
            if (r < 0)
                return batch_reject(err, "files: wrong base64");
            f->data = copy.p;
            f->len = copy.n;
            return 0;
        }
        v = text;
    }
    if (!json_string(v, &s))
        return batch_reject(err, "files: a value must be a text or an object with one");
    f->data = s.p;
    f->len = s.n;
    return 0;
}

static int batch_files(struct batch *b, struct json *v, struct batch_request *q,
                       struct hob_error *err)
{
    if (!v)
        return 0;
    if (v->kind != JSON_OBJECT)
        return batch_reject(err, "files: an object is wanted");
    q->files = arena_array(&b->arena, hob_file, v->n + 1);
    for (struct json *m = v->first; m; m = m->next) {
        int r = batch_file(b, m, &q->files[q->nfiles++], err);
        if (r < 0)
            return r;
    }
    return 0;
}

static int batch_env(struct batch *b, struct json *v, struct batch_request *q,
                     struct hob_error *err)
{
    size_t n = v && v->kind == JSON_OBJECT ? v->n : 0;
    if (v && v->kind != JSON_OBJECT)
        return batch_reject(err, "env: an object is wanted");
    q->env = (const char **)arena_zalloc(&b->arena, (n + 1) * sizeof *q->env);
    n = 0;
    for (struct json *m = v ? v->first : NULL; m; m = m->next) {
        struct str s;
        if (!json_string(m, &s) || batch_has_nul(s) || batch_has_nul(m->key) ||
            memchr(m->key.p, '=', m->key.n))
            return batch_reject(err, "env: names and values must be texts without NUL");
        q->env[n++] = arena_printf(&b->arena, "%s=%s", m->key.p, s.p).p;
    }
    return 0;
}

static int batch_parse(struct batch *b, struct json *v, struct batch_request *q,
                       struct hob_error *err)
{
    q->id = json_get(v, "id");
    if (!json_string(json_get(v, "script"), &q->script))
        return batch_reject(err, "script: a text is wanted");
    struct json *cwd = json_get(v, "cwd"), *input = json_get(v, "stdin");
    q->cwd = STR("/home/user");
    if (cwd && (!json_string(cwd, &q->cwd) || batch_has_nul(q->cwd)))
        return batch_reject(err, "cwd: a path is wanted");
    q->has_input = input != NULL;
    if (input && !json_string(input, &q->input))
        return batch_reject(err, "stdin: a text is wanted");
    int r = batch_files(b, json_get(v, "files"), q, err);
    return r < 0 ? r : batch_env(b, json_get(v, "env"), q, err);
}

static int batch_run(struct batch *b, struct batch_request *q, hob_result *res,
                     struct hob_error *err)
{
    hob_options o = {.size = sizeof o,
                     .files = q->files,
                     .nfiles = q->nfiles,
                     .cwd = q->cwd.p,
                     .limits = {.memory = b->memory}};
    hob_exec_options eo = {.size = sizeof eo,
                           .env = q->env,
                           .replace_env = 1,
                           .input = q->has_input && !q->input.n ? "" : q->input.p,
                           .input_len = q->input.n,
                           .timeout_ns = b->timeout_ns,
                           .script_len = q->script.n};
    hob_sandbox *box;
    int r = hob_sandbox_new(&o, &box, err);
    if (r < 0)
        return r;
    r = hob_exec(box, q->script.n ? q->script.p : "", &eo, res);
    if (r < 0)
        error_set(err, r, "%s", hob_error_text(r));
    hob_sandbox_free(box);
    return r;
}

static void batch_reply(struct batch *b, const struct batch_request *q, const hob_result *res,
                        const struct hob_error *err)
{
    buf_addz(&b->out, "{\"id\":");
    if (q->id)
        json_write(&b->out, q->id);
    else
        buf_addz(&b->out, "null");
    if (err->code) {
        buf_addz(&b->out, ",\"error\":");
        json_quote(&b->out, str_z(err->msg));
    } else {
        buf_addz(&b->out, ",\"stdout\":");
        cli_json_string(&b->out, res->out, res->out_len);
        buf_addz(&b->out, ",\"stderr\":");
        struct str note = str_z(res->message);
        if (note.n) {
            struct buf e;
            buf_init(&e, &b->heap);
            buf_add(&e, res->err, res->err_len);
            buf_printf(&e, "hob: %s\n", res->message);
            cli_json_string(&b->out, e.p, e.n);
            buf_fini(&e);
        } else {
            cli_json_string(&b->out, res->err, res->err_len);
        }
        buf_printf(&b->out, ",\"exit\":%d", res->status);
    }
    buf_addz(&b->out, "}\n");
}

static void batch_line(struct batch *b, struct str line)
{
    struct batch_request q = {0};
    struct hob_error err = {0};
    struct json *v = NULL;
    hob_result res = {0};
    int r = json_parse(&b->arena, line, BATCH_DEPTH, &v, &err);
    if (r == 0 && v->kind != JSON_OBJECT)
        r = batch_reject(&err, "a line must be an object");
    if (r == 0)
        r = batch_parse(b, v, &q, &err);
    if (r == 0)
        r = batch_run(b, &q, &res, &err);
    if (r < 0 && !err.code)
        error_set(&err, r, "%s", hob_error_text(r));
    batch_reply(b, &q, &res, &err);
    if (res.out)
        hob_result_free(&res);
    arena_fini(&b->arena);
}

static bool batch_flush(struct batch *b)
{
    bool ok = fwrite(b->out.p ? b->out.p : "", 1, b->out.n, stdout) == b->out.n;
    buf_clear(&b->out);
    return fflush(stdout) == 0 && ok;
}

static int batch_loop(struct batch *b)
{
    char *line = NULL;
    size_t cap = 0;
    ssize_t n;
    int status = 0;
    while ((n = getline(&line, &cap, stdin)) >= 0) {
        while (n > 0 && (line[n - 1] == '\n' || line[n - 1] == '\r'))
            n--;
        if (n > BATCH_LINE_MAX)
            n = 0;
        batch_line(b, str_of(line, (size_t)n));
        if (!batch_flush(b)) {
            status = cli_error("stdout: cannot write");
            break;
        }
    }
    free(line);
    return status;
}

static int batch_main(int argc, char **argv)
{
    struct cli_options o;
    int r = cli_parse(&o, &cli_batch, argc, argv);
    if (r == 0 && (o.script || o.file || o.argv))
        r = cli_usage("batch", "requests come from stdin");
    if (r == 0 && o.help)
        cli_print_help(&cli_batch);
    else if (r == 0) {
        struct batch b = {.timeout_ns = o.timeout_ns, .memory = o.memory};
        cli_heap(&b.heap);
        arena_init(&b.arena, &b.heap);
        buf_init(&b.out, &b.heap);
        r = batch_loop(&b);
        buf_fini(&b.out);
    }
    cli_options_fini(&o);
    return r;
}

const struct cli_command cli_batch = {
    .name = "batch",
    .usage = "batch [--timeout SECONDS] [--memory SIZE]",
    .summary = "Answer requests from stdin, one JSON object a line, each in a fresh sandbox.",
    .help = "Request: {\"id\", \"script\", \"files\", \"cwd\", \"env\", \"stdin\"}\n"
            "Reply:   {\"id\", \"stdout\", \"stderr\", \"exit\"} or {\"id\", \"error\"}\n",
    .run = batch_main,
};
