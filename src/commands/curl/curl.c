/* curl.c -- transfers URLs, as curl 7.88 does, through the network policy of the sandbox */
#include "commands/curl/curl.h"

#include "base/error.h"
#include "base/utf8.h"

void curl_say(struct curl *c, const char *fmt, ...)
{
    struct buf b;
    va_list ap;
    if (c->silent && !c->show_error)
        return;
    buf_init(&b, &c->p->kernel->heap);
    buf_addz(&b, "curl: ");
    va_start(ap, fmt);
    buf_vprintf(&b, fmt, ap);
    va_end(ap);
    buf_putc(&b, '\n');
    proc_puts(c->p, 2, buf_get(&b));
    buf_fini(&b);
}

void curl_warn(struct curl *c, const char *fmt, ...)
{
    struct buf b;
    va_list ap;
    if (c->silent)
        return;
    buf_init(&b, &c->p->kernel->heap);
    buf_addz(&b, "Warning: ");
    va_start(ap, fmt);
    buf_vprintf(&b, fmt, ap);
    va_end(ap);
    buf_putc(&b, '\n');
    proc_puts(c->p, 2, buf_get(&b));
    buf_fini(&b);
}

int curl_slurp(struct curl *c, struct str path, struct buf *out)
{
    struct in in;
    path = arena_str(c->p->arena, path);
    if (!path.p)
        return HOB_ENOMEM;
    int r = in_open_quiet(&in, c->p, path);
    if (r < 0)
        return r;
    while (in_fill(&in)) {
        buf_add(out, in.p, (size_t)(in.end - in.p));
        in.p = in.end;
    }
    r = in.err;
    in_fini(&in);
    return r;
}

bool curl_same(struct str a, struct str b)
{
    for (size_t i = 0; i < a.n && a.n == b.n; i++)
        if (ascii_to_lower((unsigned char)a.p[i]) != ascii_to_lower((unsigned char)b.p[i]))
            return false;
    return a.n == b.n;
}

struct str curl_join(struct curl *c, struct str a, struct str b)
{
    struct buf t;
    buf_init(&t, &c->p->kernel->heap);
    buf_str(&t, a);
    buf_str(&t, b);
    struct str s = arena_str(c->p->arena, buf_get(&t));
    buf_fini(&t);
    return s;
}

/* One URL of a node. Its exit status, or a negative error. */
static int curl_each(struct curl *c, struct curl_node *n, struct curl_glob *g, struct str url,
                     int number)
{
    struct curl_transfer t = {.c = c, .node = n, .url = url, .number = number};
    if (n->output.p && !str_eqz(n->output, "-"))
        t.filename = c->no_glob ? n->output : curl_glob_name(c, g, n->output);
    int r = curl_transfer_run(&t);
    if (r < 0)
        return r;
    if (r)
        curl_say(c, "(%d) %s", r, t.error.msg);
    if (r == 0 && c->verbose)
        proc_printf_err(c->p, "* Connection #%d to host %.*s left intact\n", t.redirects,
                        STR_ARG(str_z(t.info.remote_ip)));
    curl_write_out(&t);
    return r;
}

static int curl_all(struct curl *c)
{
    int last = 0, number = 0;
    for (size_t i = 0; i < c->nodes.n; i++) {
        struct curl_node *n = &c->nodes.p[i];
        struct curl_glob g;
        struct str url;
        int r = curl_glob_open(c, n->url, &g);
        if (r) {
            last = r;
            break;
        }
        while (curl_glob_next(c, &g, &url)) {
            last = curl_each(c, n, &g, url, number++);
            if (last < 0 || (last && c->fail_early))
                break;
            curl_glob_move(&g);
        }
        curl_glob_close(c, &g);
        if (last < 0 || (last && c->fail_early))
            break;
    }
    return last;
}

/* What stands between two --next, with options of its own. */
static int curl_part(struct curl *c)
{
    int r = curl_jar_load(c);
    r = r ? r : curl_time_condition(c);
    r = r ? r : curl_etag_load(c);
    r = r ? r : curl_all(c);
    if (r >= 0)
        curl_jar_save(c);
    return r;
}

static void curl_part_init(struct curl *c, struct proc *p)
{
    c->p = c->jar.p = p;
    c->max_redirs = 50;
    buf_init(&c->data, &p->kernel->heap);
    out_init(&c->out, p, 1);
}

static int curl_part_fini(struct curl *c)
{
    struct heap *h = &c->p->kernel->heap;
    curl_jar_fini(c);
    buf_fini(&c->data);
    vec_fini(h, &c->parts);
    vec_fini(h, &c->nodes);
    return out_fini(&c->out);
}

/* All parts are read before the first one runs; some options are for all of them. */
static int curl_run(struct proc *p, void *args)
{
    VEC(struct curl *) parts = {0};
    struct curl *c = args;
    int r = 0, at = 0;
    bool next = false;

    do {
        int used = 0;
        c = at ? arena_new(p->arena, struct curl) : args;
        if (!c || !vec_push(&p->kernel->heap, &parts, c)) {
            r = HOB_ENOMEM;
            break;
        }
        curl_part_init(c, p);
        r = curl_args_read(c, p->argv + at, p->argc - at, &used);
        at += used;
        next = used && (str_eqz(p->argv[at - 1], "--next") || str_eqz(p->argv[at - 1], "-:"));
    } while (r == 0 && next && at < p->argc);
    for (size_t i = 0; i < parts.n && r == 0; i++)
        for (size_t k = 0; k < parts.n; k++) {
            parts.p[i]->verbose |= parts.p[k]->verbose;
            parts.p[i]->show_error |= parts.p[k]->show_error;
            parts.p[i]->fail_early |= parts.p[k]->fail_early;
            parts.p[i]->silent |= parts.p[k]->silent;
        }
    bool read = r == 0;
    for (size_t i = 0; i < parts.n; i++) {
        c = parts.p[i];
        if (read && r >= 0 && !(r && c->fail_early))
            r = curl_part(c);
        int e = curl_part_fini(c);
        if (r >= 0)
            r = e == HOB_EKILLED ? e : e < 0 && r == 0 ? CURL_WRITE_ERROR : r;
    }
    vec_fini(&p->kernel->heap, &parts);
    if (r < 0 || !read || !next || at < p->argc)
        return r;
    proc_printf_err(p, "curl: no URL specified!\ncurl: try 'curl --help' or 'curl --manual' for "
                       "more information\n");
    return CURL_FAILED_INIT;
}

const struct command cmd_curl = {
    .name = "curl",
    .usage = "[OPTION]... URL...",
    .summary = "Transfer URLs, as far as the network policy of the sandbox allows it.",
    .notes =
        "http, https, and file for files of the sandbox. Certificates, redirects and addresses\n"
        "are checked outside of it; keys that belong to a host are added there.",
    .opts = curl_opts,
    .args_size = sizeof(struct curl),
    .flags = CMD_NO_OPTIONS,
    .usage_status = 2,
    .run = curl_run,
};
