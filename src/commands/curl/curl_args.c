/* curl_args.c -- the command line of curl, and its config files
 *
 * curl parses in its own way: letters in clusters, long names that may be cut short, --no-NAME
 * for what is on or off, and messages of its own. The rows are those of every command.
 */
#include "commands/curl/curl.h"
#include "text/base64.h"

enum {
    CURL_ARGS_DEPTH = 8 /* config files in config files */
};

/* ---- setters --------------------------------------------------------------------------------- */

/* The first node that lacks something, or a new one. */
static struct curl_node *curl_node_for(struct curl *c, char what)
{
    for (size_t i = 0; i < c->nodes.n; i++) {
        struct curl_node *n = &c->nodes.p[i];
        if (what == 'u' ? !n->url.p : what == 'o' ? !n->has_output : !n->upload.p)
            return n;
    }
    return vec_push(&c->p->kernel->heap, &c->nodes, (struct curl_node){0})
               ? &c->nodes.p[c->nodes.n - 1]
               : NULL;
}

static int curl_set_url(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct curl_node *n = curl_node_for(args, 'u');
    (void)p, (void)o;
    if (!n)
        return CURL_OUT_OF_MEMORY + 1;
    n->url = arg;
    if (((struct curl *)args)->remote_all && !n->has_output)
        n->remote = n->has_output = true;
    return 0;
}
static int curl_set_output(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct curl_node *n = curl_node_for(args, 'o');
    (void)p, (void)o;
    if (!n)
        return CURL_OUT_OF_MEMORY + 1;
    n->output = arg;
    n->has_output = true;
    return 0;
}
static int curl_set_remote(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct curl_node *n = curl_node_for(args, 'o');
    (void)p, (void)o, (void)arg;
    if (!n)
        return CURL_OUT_OF_MEMORY + 1;
    n->remote = n->has_output = true;
    return 0;
}
static int curl_set_upload(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct curl_node *n = curl_node_for(args, 't');
    (void)p, (void)o;
    if (!n)
        return CURL_OUT_OF_MEMORY + 1;
    n->upload = arg;
    return 0;
}

static int curl_set_data(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    static const struct {
        const char *name;
        char kind;
    } kinds[] = {{"data-raw", 'r'}, {"data-binary", 'b'}, {"data-urlencode", 'u'}, {"json", 'j'}};
    char kind = 'd';
    (void)p;
    for (size_t i = 0; i < COUNT(kinds); i++)
        if (strcmp(o->name, kinds[i].name) == 0)
            kind = kinds[i].kind;
    int r = curl_data_add(args, kind, arg);
    return r ? r + 1 : 0;
}
static int curl_set_form(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    (void)p;
    int r = curl_part_add(args, arg, o->name && strcmp(o->name, "form-string") == 0);
    return r ? r + 1 : 0;
}

/* -H, or -H @file with one header per line. */
static int curl_set_header(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct curl *c = args;
    (void)o;
    if (!arg.n || arg.p[0] != '@')
        return proc_push(p, &c->headers, arg) ? 0 : CURL_OUT_OF_MEMORY + 1;
    struct buf b;
    buf_init(&b, &p->kernel->heap);
    if (curl_slurp(c, str_from(arg, 1), &b) < 0)
        curl_warn(c, "Failed to open %.*s!", STR_ARG(str_from(arg, 1)));
    struct str rest = arena_str(p->arena, buf_get(&b));
    buf_fini(&b);
    while (rest.n) {
        ptrdiff_t end = str_chr(rest, '\n');
        struct str line = end < 0 ? rest : str_sub(rest, 0, (size_t)end);
        rest = end < 0 ? STR("") : str_from(rest, (size_t)end + 1);
        line = arena_str(p->arena, str_trim(line));
        if (line.n && !proc_push(p, &c->headers, line))
            return CURL_OUT_OF_MEMORY + 1;
    }
    return 0;
}
static int curl_set_cookie(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct curl *c = args;
    (void)o;
    return proc_push(p, &c->cookie_args, arg) ? 0 : CURL_OUT_OF_MEMORY + 1;
}
static int curl_set_version(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    static const struct {
        const char *name;
        int version;
    } versions[] = {{"http1.0", 10}, {"http1.1", 11}, {"http2", 20}, {"http2-prior-knowledge", 20}};
    (void)p, (void)arg;
    for (size_t i = 0; i < COUNT(versions); i++)
        if (strcmp(o->name, versions[i].name) == 0)
            ((struct curl *)args)->version = versions[i].version;
    return 0;
}

/* A decimal number of seconds. */
static bool curl_seconds(struct str s, double *out)
{
    double v = 0, unit = 1;
    bool point = false, any = false;
    for (size_t i = 0; i < s.n; i++) {
        if (s.p[i] == '.' && !point) {
            point = true;
        } else if (s.p[i] >= '0' && s.p[i] <= '9') {
            any = true;
            unit = point ? unit / 10 : 1;
            v = point ? v + (s.p[i] - '0') * unit : v * 10 + (s.p[i] - '0');
        } else {
            return false;
        }
    }
    *out = v;
    return any;
}

static int curl_set_seconds(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct curl *c = args;
    double *field = strcmp(o->name, "max-time") == 0          ? &c->max_time
                    : strcmp(o->name, "connect-timeout") == 0 ? &c->connect_time
                    : strcmp(o->name, "retry-delay") == 0     ? &c->retry_delay
                                                              : &c->retry_max;
    (void)p;
    return curl_seconds(arg, field) ? 0 : -1;
}
static int curl_set_number(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    struct curl *c = args;
    int64_t *field = strcmp(o->name, "retry") == 0 ? &c->retries : &c->max_redirs;
    (void)p;
    return str_int(arg, field) < 0 || *field < -1 ? -1 : 0;
}

static int curl_read_config(struct curl *c, struct str path);
static int curl_set_config(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    (void)p, (void)o;
    int r = curl_read_config(args, arg);
    return r ? r + 1 : 0;
}

/* Options that mean nothing here. */
static int curl_set_nothing(struct proc *p, void *args, const struct opt *o, struct str arg)
{
    (void)p, (void)args, (void)o, (void)arg;
    return 0;
}

/* clang-format off */
#define FLAG(l, n, f, h) OPT_FLAG(l, n, struct curl, f, h)
#define TEXT(l, n, f, a, h) OPT_STRING(l, n, struct curl, f, a, h)
const struct opt curl_opts[] = {
    OPT_GROUP("What is asked for:"),
    OPT_CALL('X', "request", curl_set_nothing, "METHOD", "use this method"),
    TEXT('A', "user-agent", agent, "NAME", "send this as User-Agent"),
    TEXT('e', "referer", referer, "URL", "send this as Referer; ;auto: where a redirect came from"),
    OPT_CALL('H', "header", curl_set_header, "LINE",
         "send this header; NAME: alone leaves it out; @FILE: one per line"),
    TEXT('u', "user", user, "USER:PASSWORD", "basic authentication"),
    TEXT(0, "oauth2-bearer", bearer, "TOKEN", "authentication by a token"),
    FLAG(0, "basic", ignored, "basic authentication (the default)"),
    FLAG(0, "digest", digest, "authentication by a digest, when the server asks for it"),
    FLAG(0, "anyauth", any_auth, "ask the server which authentication it wants"),
    TEXT(0, "etag-compare", etag_compare, "FILE", "only what has another tag than that in FILE"),
    TEXT(0, "etag-save", etag_save, "FILE", "keep the tag of the answer in FILE"),
    OPT_CALL('b', "cookie", curl_set_cookie, "DATA|FILE",
         "send cookies: NAME=VALUE, or from a file"),
    FLAG('j', "junk-session-cookies", junk_session, "leave out those that end with the session"),
    TEXT('r', "range", range, "FROM-TO", "ask for these bytes alone"),
    TEXT('C', "continue-at", resume, "OFFSET", "go on at this byte; -: at the end of the file"),
    TEXT('z', "time-cond", time_cond, "DATE", "only what is newer; with - in front: older"),
    FLAG('I', "head", head, "ask for the head alone"),
    FLAG('G', "get", get, "put the data behind the URL, and GET it"),
    OPT_CALL(0, "url", curl_set_url, "URL", "the URL"),
    OPT_CALL(':', "next", curl_set_nothing, NULL, "what follows has options of its own"),
    FLAG('Z', "parallel", parallel, "several at a time (here they go one after the other)"),
    OPT_CALL(0, "parallel-max", curl_set_nothing, "N", "so many at a time (here one)"),
    OPT_CALL(0, "parallel-immediate", curl_set_nothing, NULL, "begin with all of them at once"),
    FLAG('g', "globoff", no_glob, "take {} and [] in URLs as they are"),
    OPT_CALL('0', "http1.0", curl_set_version, NULL, "use HTTP 1.0"),
    OPT_CALL(0, "http1.1", curl_set_version, NULL, "use HTTP 1.1"),
    OPT_CALL(0, "http2", curl_set_version, NULL, "use HTTP 2"),
    OPT_CALL(0, "http2-prior-knowledge", curl_set_version, NULL, "use HTTP 2"),
    FLAG(0, "compressed", compressed, "ask for a compressed answer, and unpack it"),
    OPT_GROUP("What is sent:"),
    OPT_CALL('d', "data", curl_set_data, "DATA|@FILE", "POST this; several are joined by &"),
    OPT_CALL(0, "data-ascii", curl_set_data, "DATA|@FILE", "the same"),
    OPT_CALL(0, "data-raw", curl_set_data, "DATA", "the same, @ means nothing"),
    OPT_CALL(0, "data-binary", curl_set_data, "DATA|@FILE", "the same, line ends are kept"),
    OPT_CALL(0, "data-urlencode", curl_set_data, "[NAME]=DATA",
         "the same, escaped; NAME@FILE reads a file"),
    OPT_CALL(0, "json", curl_set_data, "DATA|@FILE", "POST this as application/json"),
    OPT_CALL('F', "form", curl_set_form, "NAME=VALUE",
         "POST a form; =@FILE sends a file, =<FILE its text; ;type= ;filename="),
    OPT_CALL(0, "form-string", curl_set_form, "NAME=VALUE", "the same, @ and < mean nothing"),
    FLAG(0, "form-escape", form_escape, "write quotes in names of a form with backslashes"),
    OPT_CALL('T', "upload-file", curl_set_upload, "FILE", "PUT this file; -: stdin"),
    OPT_GROUP("What becomes of the answer:"),
    OPT_CALL('o', "output", curl_set_output, "FILE",
         "write it here; #1 is what the first {} or [] stands at"),
    OPT_CALL('O', "remote-name", curl_set_remote, NULL, "write it to a file named as the URL ends"),
    FLAG(0, "remote-name-all", remote_all, "the same for all URLs"),
    FLAG('J', "remote-header-name", disposition, "with -O: the name that the server gives"),
    TEXT(0, "output-dir", output_dir, "DIR", "files go here"),
    FLAG(0, "create-dirs", create_dirs, "make folders of -o that are not there"),
    FLAG(0, "no-clobber", no_clobber, "never write over a file: add a number to its name"),
    FLAG(0, "remove-on-error", remove_on_error, "remove the file when something went wrong"),
    FLAG('i', "include", include, "print the head of the answer, too"),
    TEXT('D', "dump-header", dump_header, "FILE", "write the head here"),
    TEXT('c', "cookie-jar", jar_file, "FILE", "write cookies here at the end"),
    TEXT('w', "write-out", write_out, "FORMAT", "print this afterwards: %{http_code} ..."),
    FLAG('f', "fail", fail, "status 22 and no output for 400 and above"),
    FLAG(0, "fail-with-body", fail_body, "status 22 for 400 and above, with the output"),
    FLAG(0, "fail-early", fail_early, "stop at the first transfer that fails"),
    FLAG('L', "location", location, "follow redirects"),
    FLAG(0, "location-trusted", trusted, "the same, and send keys to other hosts as well"),
    OPT_CALL(0, "max-redirs", curl_set_number, "N", "at most so many (50)"),
    FLAG(0, "post301", post301, "go on with POST after 301"),
    FLAG(0, "post302", post302, "go on with POST after 302"),
    FLAG(0, "post303", post303, "go on with POST after 303"),
    OPT_GROUP("Time and trouble:"),
    OPT_CALL('m', "max-time", curl_set_seconds, "SECONDS", "time for one transfer"),
    OPT_CALL(0, "connect-timeout", curl_set_seconds, "SECONDS", "time to connect"),
    OPT_CALL(0, "retry", curl_set_number, "N", "try again so often when it may help"),
    OPT_CALL(0, "retry-delay", curl_set_seconds, "SECONDS", "wait so long before"),
    OPT_CALL(0, "retry-max-time", curl_set_seconds, "SECONDS", "no new try after so long"),
    FLAG(0, "retry-all-errors", retry_all, "try again after every error"),
    FLAG(0, "retry-connrefused", retry_refused, "try again when nobody listens"),
    FLAG('k', "insecure", insecure, "do not check certificates"),
    FLAG('s', "silent", silent, "no messages"),
    FLAG('S', "show-error", show_error, "with -s: error messages all the same"),
    FLAG('v', "verbose", verbose, "show what is sent and what comes back"),
    OPT_CALL('K', "config", curl_set_config, "FILE", "read options from a file"),
    OPT_CALL('q', "disable", curl_set_nothing, NULL, "no config file (there is none)"),
    TEXT('x', "proxy", proxy, "URL", "refused: a sandbox has its own way out"),
    OPT_CALL(0, "noproxy", curl_set_nothing, "HOSTS", "ignored"),
    OPT_CALL('#', "progress-bar", curl_set_nothing, NULL, "ignored: progress is never shown"),
    OPT_CALL(0, "no-progress-meter", curl_set_nothing, NULL, "ignored: progress is never shown"),
    OPT_CALL('N', "no-buffer", curl_set_nothing, NULL, "ignored: output is handed on as it comes"),
    OPT_CALL('4', "ipv4", curl_set_nothing, NULL, "ignored"),
    OPT_CALL('6', "ipv6", curl_set_nothing, NULL, "ignored"),
    OPT_CALL(0, "tcp-nodelay", curl_set_nothing, NULL, "ignored"),
    OPT_CALL(0, "keepalive-time", curl_set_nothing, "SECONDS", "ignored"),
    OPT_CALL(0, "path-as-is", curl_set_nothing, NULL,
         "ignored: . and .. in paths are always taken out"),
    OPT_CALL(0, "tlsv1.2", curl_set_nothing, NULL, "ignored"),
    OPT_CALL(0, "tlsv1.3", curl_set_nothing, NULL, "ignored"),
    OPT_END,
};
#undef FLAG
#undef TEXT
/* clang-format on */

/* ---- parsing --------------------------------------------------------------------------------- */

static int curl_usage(struct curl *c, struct str word, const char *text)
{
    if (word.p)
        proc_printf_err(c->p, "curl: option %.*s: %s\n", STR_ARG(word), text);
    proc_printf_err(c->p, "curl: try 'curl --help' or 'curl --manual' for more information\n");
    return CURL_FAILED_INIT;
}

static bool curl_takes(const struct opt *o) { return o->arg != NULL; }

/* A row with its argument: 0 or an exit status. word is what was typed. */
static int curl_store(struct curl *c, const struct opt *o, struct str word, struct str arg, bool on)
{
    char *field = (char *)c + o->offset;
    if (o->kind == OPT_KIND_FLAG) {
        *(bool *)(void *)field = on;
        return c->fail && c->fail_body ? curl_usage(c, word, "is badly used here") : 0;
    }
    if (o->kind == OPT_KIND_STR) {
        *(struct str *)(void *)field = arg;
        return 0;
    }
    if (o->letter == 'X') {
        c->method = arg;
        return 0;
    }
    int r = o->fn(c->p, c, o, arg);
    if (r < 0)
        return curl_usage(c, word, "expected a proper numerical parameter");
    if (r == CURL_READ_ERROR + 1 && o->letter == 'K') {
        if (!c->silent)
            proc_printf_err(c->p, "curl: cannot read config from '%.*s'\n", STR_ARG(arg));
        curl_usage(c, word, "error encountered when reading a file");
        return CURL_READ_ERROR;
    }
    return r ? r - 1 : 0;
}

/* The row of a long name; *n counts those that it could be. */
static const struct opt *curl_long(struct str name, int *n)
{
    const struct opt *found = NULL;
    *n = 0;
    for (const struct opt *o = curl_opts; o->kind != OPT_KIND_END; o++) {
        if (!o->name || !str_starts(str_z(o->name), name))
            continue;
        if (strlen(o->name) == name.n) {
            *n = 1;
            return o;
        }
        found = o;
        ++*n;
    }
    return found;
}

static const struct opt *curl_short(char letter)
{
    for (const struct opt *o = curl_opts; o->kind != OPT_KIND_END; o++)
        if (o->kind != OPT_KIND_GROUP && o->letter == letter)
            return o;
    return NULL;
}

/* One option; *next is the word behind it, .p == NULL if there is none. *used: it was taken. */
static int curl_option(struct curl *c, struct str word, struct str next, bool *used)
{
    *used = false;
    if (word.p[1] == '-') {
        struct str name = str_from(word, 2);
        int n;
        bool on = true;
        const struct opt *o = curl_long(name, &n);
        if (!n && str_starts(name, STR("no-"))) {
            on = false;
            o = curl_long(str_from(name, 3), &n);
            if (n && o->kind != OPT_KIND_FLAG && !(o->kind == OPT_KIND_CALL && !o->arg))
                n = 0;
        }
        if (n != 1)
            return curl_usage(c, word, n ? "is ambiguous" : "is unknown");
        if (curl_takes(o) && !next.p)
            return curl_usage(c, word, "requires parameter");
        *used = curl_takes(o);
        return curl_store(c, o, word, next, on);
    }
    for (size_t i = 1; i < word.n; i++) {
        const struct opt *o = curl_short(word.p[i]);
        if (!o)
            return curl_usage(c, word, "is unknown");
        struct str arg = next;
        if (curl_takes(o)) {
            bool here = i + 1 < word.n;
            if (here)
                arg = str_from(word, i + 1);
            else
                *used = true;
            if (!arg.p)
                return curl_usage(c, word, "requires parameter");
        }
        int r = curl_store(c, o, word, arg, true);
        if (r || curl_takes(o))
            return r;
    }
    return 0;
}

int curl_args_read(struct curl *c, struct str *argv, int argc, int *taken)
{
    bool options = true;
    *taken = argc;
    for (int i = 0; i < argc; i++) {
        if (options && (str_eqz(argv[i], "--next") || str_eqz(argv[i], "-:"))) {
            *taken = i + 1;
            break;
        }
        bool used = false;
        int r;
        if (options && str_eqz(argv[i], "--")) {
            options = false;
            continue;
        }
        if (options && argv[i].n > 1 && argv[i].p[0] == '-')
            r = curl_option(c, argv[i], i + 1 < argc ? argv[i + 1] : STR_NONE, &used);
        else
            r = curl_set_url(c->p, c, NULL, argv[i]) ? CURL_OUT_OF_MEMORY : 0;
        if (r)
            return r;
        i += used;
    }
    if (c->nodes.n == 0)
        return curl_usage(c, STR_NONE, "");
    for (size_t i = 0; i < c->nodes.n; i++)
        if (!c->nodes.p[i].url.p)
            return curl_usage(c, STR_NONE, "");
    return 0;
}

/* ---- config files ---------------------------------------------------------------------------- */

/* A value between quotes, with its escapes, or up to the next blank. */
static struct str curl_config_value(struct curl *c, struct str s)
{
    struct buf b;
    buf_init(&b, &c->p->kernel->heap);
    if (s.n && s.p[0] == '"') {
        for (size_t i = 1; i < s.n && s.p[i] != '"'; i++) {
            char ch = s.p[i];
            if (ch == '\\' && i + 1 < s.n) {
                ch = s.p[++i];
                ch = (char)(ch == 't'   ? '\t'
                            : ch == 'n' ? '\n'
                            : ch == 'r' ? '\r'
                            : ch == 'v' ? '\v'
                                        : ch);
            }
            buf_putc(&b, ch);
        }
    } else {
        size_t n = 0;
        while (n < s.n && s.p[n] != ' ' && s.p[n] != '\t')
            n++;
        buf_str(&b, str_sub(s, 0, n));
    }
    struct str v = arena_str(c->p->arena, buf_get(&b));
    buf_fini(&b);
    return v;
}

static int curl_config_line(struct curl *c, struct str line)
{
    bool dashed = line.p[0] == '-', used;
    size_t n = 0;
    while (n < line.n && line.p[n] != ' ' && line.p[n] != '\t' &&
           (dashed || (line.p[n] != '=' && line.p[n] != ':')))
        n++;
    struct str name = str_sub(line, 0, n), rest = str_trim(str_from(line, n));
    if (!dashed && rest.n && (rest.p[0] == '=' || rest.p[0] == ':'))
        rest = str_trim(str_from(rest, 1));
    else if (rest.n > 1 && rest.p[0] == '=' && (rest.p[1] == ' ' || rest.p[1] == '"'))
        rest = str_trim(str_from(rest, 1));
    name = dashed ? arena_str(c->p->arena, name) : curl_join(c, STR("--"), name);
    struct str value = rest.n ? curl_config_value(c, rest) : STR_NONE;
    if (!name.p || (rest.n && !value.p))
        return CURL_OUT_OF_MEMORY;
    return curl_option(c, name, value, &used);
}

static int curl_read_config(struct curl *c, struct str path)
{
    struct buf b;
    int r = 0;
    if (c->depth >= CURL_ARGS_DEPTH)
        return CURL_READ_ERROR;
    c->depth++;
    buf_init(&b, &c->p->kernel->heap);
    if (curl_slurp(c, path, &b) < 0)
        r = CURL_READ_ERROR;
    struct str rest = r ? STR("") : arena_str(c->p->arena, buf_get(&b));
    buf_fini(&b);
    while (rest.n && !r) {
        ptrdiff_t end = str_chr(rest, '\n');
        struct str line = str_trim(end < 0 ? rest : str_sub(rest, 0, (size_t)end));
        rest = end < 0 ? STR("") : str_from(rest, (size_t)end + 1);
        if (line.n && line.p[0] != '#')
            r = curl_config_line(c, line);
    }
    c->depth--;
    return r;
}
