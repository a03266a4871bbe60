/* driver.c -- Hob as a peer of the benchmark kit: one JSON request a line, one JSON answer a line
 *
 * The requests are new, exec, loop, mem and files; the kit's README describes them. Files of the
 * host are read into memory before the clock starts, as the other in-process peers do.
 */
#include <ftw.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "hob.h"

#define DRIVER_ROOT "/work"

/* ---- requests -------------------------------------------------------------------------------- */

struct request {
    char *op, *what, *script, *out, *path;
    char **stage;
    size_t nstage;
    long n, size;
    bool exec;
};

static const char *driver_error; /* why the request at hand failed, NULL: it did not */

static void *driver_check(void *p)
{
    if (!p) {
        fputs("driver: out of memory\n", stderr);
        exit(1);
    }
    return p;
}

static char *driver_space(char *p) { return p + strspn(p, " \t\r\n,:"); }

static unsigned driver_hex(const char *p)
{
    unsigned v = 0;
    sscanf(p, "%4x", &v);
    return v;
}

/* Puts a code point below 0x10000 at dst as UTF-8: the kit sends ASCII, so pairs need no care. */
static char *driver_utf8(char *dst, unsigned c)
{
    if (c < 0x80) {
        *dst++ = (char)c;
    } else if (c < 0x800) {
        *dst++ = (char)(0xc0 | c >> 6);
        *dst++ = (char)(0x80 | (c & 63));
    } else {
        *dst++ = (char)(0xe0 | c >> 12);
        *dst++ = (char)(0x80 | (c >> 6 & 63));
        *dst++ = (char)(0x80 | (c & 63));
    }
    return dst;
}

/* Decodes the string at *p in place and moves *p behind it. */
static char *driver_string(char **p)
{
    char *text = *p + 1, *dst = text, *src = text;
    while (*src && *src != '"') {
        if (*src != '\\') {
            *dst++ = *src++;
            continue;
        }
        const char *at = strchr("n\nt\tr\rb\bf\f", src[1]);
        if (src[1] == 'u') {
            dst = driver_utf8(dst, driver_hex(src + 2));
            src += 6;
        } else {
            *dst++ = at && src[1] ? at[1] : src[1];
            src += 2;
        }
    }
    *p = src + (*src != 0);
    *dst = 0;
    return text;
}

static void driver_stage_list(struct request *q, char **p)
{
    *p = driver_space(*p + 1);
    while (**p == '"') {
        q->stage = driver_check(realloc(q->stage, (q->nstage + 1) * sizeof *q->stage));
        q->stage[q->nstage++] = driver_string(p);
        *p = driver_space(*p);
    }
    *p += **p == ']';
}

/* Parses a flat object: strings, numbers, true and false, and one list of strings. */
static struct request driver_parse(char *line)
{
    struct request q = {0};
    char *p = driver_space(line + strspn(line, " {"));
    while (*p == '"') {
        char *key = driver_string(&p);
        p = driver_space(p);
        if (*p == '"') {
            char *value = driver_string(&p);
            char **slot = !strcmp(key, "op")       ? &q.op
                          : !strcmp(key, "what")   ? &q.what
                          : !strcmp(key, "script") ? &q.script
                          : !strcmp(key, "out")    ? &q.out
                                                   : &q.path;
            *slot = value;
        } else if (*p == '[') {
            driver_stage_list(&q, &p);
        } else {
            long value = strtol(p, NULL, 10);
            if (!strcmp(key, "n"))
                q.n = value;
            else if (!strcmp(key, "size"))
                q.size = value;
            else if (!strcmp(key, "exec"))
                q.exec = *p == 't';
            p += strcspn(p, ",}");
        }
        p = driver_space(p);
    }
    return q;
}

/* ---- measuring ------------------------------------------------------------------------------- */

static int64_t driver_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

static int64_t driver_cpu(void)
{
    struct rusage u;
    getrusage(RUSAGE_SELF, &u);
    return (u.ru_utime.tv_sec + u.ru_stime.tv_sec) * INT64_C(1000000000) +
           (u.ru_utime.tv_usec + u.ru_stime.tv_usec) * INT64_C(1000);
}

static long driver_rss(void)
{
    long pages = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    if (f) {
        if (fscanf(f, "%*d %ld", &pages) != 1)
            pages = 0;
        fclose(f);
    }
    return pages * 4096;
}

static void driver_say_times(const double *ns, long n)
{
    printf("{\"ns\":[");
    for (long i = 0; i < n; i++)
        printf("%s%.1f", i ? "," : "", ns[i]);
    printf("]}\n");
}

/* ---- staging --------------------------------------------------------------------------------- */

static hob_file *stage_files;
static size_t stage_count;
static size_t stage_cut; /* length of the host path in front of the base name */

static int stage_add(const char *path, const struct stat *st, int type, struct FTW *w)
{
    (void)w;
    if (type != FTW_F)
        return 0;
    FILE *f = fopen(path, "rb");
    char *data = driver_check(malloc((size_t)st->st_size + 1));
    size_t n = f ? fread(data, 1, (size_t)st->st_size, f) : 0;
    if (f)
        fclose(f);
    stage_files = driver_check(realloc(stage_files, (stage_count + 1) * sizeof *stage_files));
    size_t room = sizeof DRIVER_ROOT + 1 + strlen(path);
    char *name = driver_check(malloc(room));
    snprintf(name, room, "%s/%s", DRIVER_ROOT, path + stage_cut);
    stage_files[stage_count++] =
        (hob_file){.path = name, .data = data, .len = n, .kind = HOB_FILE_STATIC};
    return 0;
}

static void stage_load(const struct request *q)
{
    for (size_t i = 0; i < q->nstage; i++) {
        const char *slash = strrchr(q->stage[i], '/');
        stage_cut = slash ? (size_t)(slash + 1 - q->stage[i]) : 0;
        nftw(q->stage[i], stage_add, 32, FTW_PHYS);
    }
}

/* The files are borrowed by sandboxes, so this comes after the last of them is freed. */
static void stage_free(void)
{
    for (size_t i = 0; i < stage_count; i++) {
        free((void *)stage_files[i].path);
        free((void *)stage_files[i].data);
    }
    free(stage_files);
    stage_files = NULL;
    stage_count = 0;
}

/* ---- the operations -------------------------------------------------------------------------- */

static hob_sandbox *driver_current;

static hob_sandbox *driver_make(void)
{
    static const hob_file root = {.path = DRIVER_ROOT, .kind = HOB_DIR};
    hob_options opt = {.size = sizeof opt};
    hob_sandbox *box = NULL;
    hob_error err = {0};
    opt.files = stage_count ? stage_files : &root;
    opt.nfiles = stage_count ? stage_count : 1;
    opt.cwd = DRIVER_ROOT;
    if (hob_sandbox_new(&opt, &box, &err) < 0) {
        static char text[sizeof err.msg];
        memcpy(text, err.msg, sizeof text);
        driver_error = text;
    }
    return box;
}

static void driver_echo(hob_sandbox *box)
{
    hob_result res = {0};
    if (!box || hob_exec(box, "echo hi", NULL, &res) < 0) {
        driver_error = "echo could not be run";
        return;
    }
    if (res.out_len != 3 || memcmp(res.out, "hi\n", 3) != 0)
        driver_error = "echo printed something else";
    hob_result_free(&res);
}

/* The current sandbox and its files give way to those of the request. */
static void driver_reset(const struct request *q)
{
    hob_sandbox_free(driver_current);
    driver_current = NULL;
    stage_free();
    stage_load(q);
}

static void driver_new(const struct request *q)
{
    driver_reset(q);
    int64_t t = driver_now();
    driver_current = driver_make();
    t = driver_now() - t;
    if (!driver_error)
        printf("{\"ns\":%lld}\n", (long long)t);
}

/* The first bytes of stderr as a JSON string without anything that needs care. */
static void driver_print_text(const char *p, size_t n)
{
    for (size_t i = 0; i < n && i < 300; i++)
        putchar(p[i] < 32 || p[i] == '"' || p[i] == '\\' || p[i] == 127 ? ' ' : p[i]);
}

static void driver_exec(const struct request *q)
{
    hob_result res = {0};
    int64_t cpu = driver_cpu(), t = driver_now();
    int status = driver_current ? hob_exec(driver_current, q->script, NULL, &res) : HOB_EMISUSE;
    t = driver_now() - t;
    cpu = driver_cpu() - cpu;
    if (status < 0) {
        driver_error = hob_error_text(status);
        return;
    }
    FILE *f = q->out ? fopen(q->out, "wb") : NULL;
    if (f) {
        fwrite(res.out, 1, res.out_len, f);
        fclose(f);
    }
    printf("{\"ns\":%lld,\"cpu\":%lld,\"rc\":%d,\"err\":\"", (long long)t, (long long)cpu,
           res.status);
    driver_print_text(res.err, res.err_len);
    printf("\"}\n");
    hob_result_free(&res);
}

/* One turn of a loop; the time that counts. */
static double driver_turn(const char *what, hob_sandbox *live)
{
    hob_sandbox *box = !strcmp(what, "destroy") ? driver_make() : NULL;
    int64_t t = driver_now(), end;
    if (!strcmp(what, "churn")) {
        for (int k = 0; k < 50; k++) {
            box = driver_make();
            driver_echo(box);
            hob_sandbox_free(box);
        }
        return (double)(driver_now() - t) / 50;
    }
    if (!strcmp(what, "destroy")) {
        hob_sandbox_free(box);
        return (double)(driver_now() - t);
    }
    if (!strcmp(what, "exec_echo")) {
        driver_echo(live);
    } else if (!strcmp(what, "fork")) {
        if (hob_sandbox_fork(live, &box) < 0)
            driver_error = "fork failed";
    } else {
        box = driver_make();
        if (!strcmp(what, "create_echo"))
            driver_echo(box);
    }
    end = driver_now();
    hob_sandbox_free(box);
    return (double)(end - t);
}

static void driver_loop(const struct request *q)
{
    driver_reset(q);
    hob_sandbox *live =
        !strcmp(q->what, "exec_echo") || !strcmp(q->what, "fork") ? driver_make() : NULL;
    double *ns = driver_check(calloc((size_t)q->n + 1, sizeof *ns));
    for (long i = 0; i < q->n && !driver_error; i++)
        ns[i] = driver_turn(q->what, live);
    if (!driver_error)
        driver_say_times(ns, q->n);
    free(ns);
    hob_sandbox_free(live);
}

static void driver_mem(const struct request *q)
{
    driver_reset(q);
    hob_sandbox **keep = driver_check(calloc((size_t)q->n + 1, sizeof *keep));
    keep[q->n] = driver_make();
    driver_echo(keep[q->n]);
    long before = driver_rss();
    for (long i = 0; i < q->n && !driver_error; i++) {
        keep[i] = driver_make();
        if (q->exec)
            driver_echo(keep[i]);
    }
    if (!driver_error)
        printf("{\"rss0\":%ld,\"rss1\":%ld,\"n\":%ld}\n", before, driver_rss(), q->n);
    for (long i = 0; i <= q->n; i++)
        hob_sandbox_free(keep[i]);
    free(keep);
}

static void driver_name(char *path, size_t size, long i)
{
    snprintf(path, size, "%s/d%ld/f%ld.txt", DRIVER_ROOT, i % 100, i);
}

static size_t driver_read(hob_sandbox *box, const char *path)
{
    hob_bytes data = {0};
    if (hob_read(box, path, &data) < 0)
        driver_error = "a file cannot be read";
    hob_free(data.data);
    return data.len;
}

/* n times: read a file, replace a word in it, write it. */
static void driver_edit(hob_sandbox *box, const char *path, long n)
{
    for (long i = 0; i < n && !driver_error; i++) {
        hob_bytes data = {0};
        if (hob_read(box, path, &data) < 0) {
            driver_error = "a file cannot be read";
            return;
        }
        char *at = strstr(data.data, i % 2 ? "NEW" : "OLD");
        if (at)
            memcpy(at, i % 2 ? "OLD" : "NEW", 3);
        if (!at || hob_write(box, path, data.data, data.len) < 0)
            driver_error = "a file cannot be edited";
        hob_free(data.data);
    }
}

/* write, read: n files of a size; the time of the half that was asked for. */
static double driver_many(hob_sandbox *box, const struct request *q, const char *body)
{
    char path[100];
    size_t total = 0;
    int64_t t0 = driver_now();
    for (long i = 0; i < q->n; i++) {
        driver_name(path, sizeof path, i);
        if (hob_write(box, path, body, (size_t)q->size) < 0)
            driver_error = "a file cannot be written";
    }
    int64_t t1 = driver_now();
    for (long i = 0; i < q->n && !driver_error; i++) {
        driver_name(path, sizeof path, i);
        total += driver_read(box, path);
    }
    int64_t t2 = driver_now();
    if (!driver_error && total != (size_t)q->n * (size_t)q->size)
        driver_error = "short read";
    return (double)(!strcmp(q->what, "write") ? t1 - t0 : t2 - t1);
}

static void driver_files(const struct request *q)
{
    driver_reset(q);
    hob_sandbox *box = driver_make();
    char path[4096];
    char *body = driver_check(calloc(1, 2 * (size_t)q->size + 4));
    memset(body, 'x', 2 * (size_t)q->size + 3);
    for (int i = 0; box && i < 100; i++) {
        snprintf(path, sizeof path, "%s/d%d", DRIVER_ROOT, i);
        hob_mkdir(box, path, HOB_RECURSIVE);
    }
    long turns = !strcmp(q->what, "readbig") ? q->n : 1;
    double *ns = driver_check(calloc((size_t)turns + 1, sizeof *ns));
    for (long i = 0; i < turns && !driver_error; i++) {
        int64_t t = driver_now();
        if (!strcmp(q->what, "readbig")) {
            snprintf(path, sizeof path, "%s/%s", DRIVER_ROOT, q->path ? q->path : "");
            driver_read(box, path);
            ns[i] = (double)(driver_now() - t);
        } else if (!strcmp(q->what, "edit")) {
            driver_name(path, sizeof path, 0);
            memcpy(body + q->size, "OLD", 3);
            hob_write(box, path, body, 2 * (size_t)q->size + 3);
            t = driver_now();
            driver_edit(box, path, q->n);
            ns[i] = (double)(driver_now() - t);
        } else {
            ns[i] = driver_many(box, q, body);
        }
    }
    if (!driver_error)
        driver_say_times(ns, turns);
    free(ns);
    free(body);
    hob_sandbox_free(box);
}

int main(void)
{
    char *line = NULL;
    size_t cap = 0;
    puts("{\"ready\":true}");
    fflush(stdout);
    while (getline(&line, &cap, stdin) > 0) {
        struct request q = driver_parse(line);
        driver_error = NULL;
        const char *op = q.op ? q.op : "";
        if (!strcmp(op, "new"))
            driver_new(&q);
        else if (!strcmp(op, "exec") && q.script)
            driver_exec(&q);
        else if (!strcmp(op, "loop") && q.what)
            driver_loop(&q);
        else if (!strcmp(op, "mem"))
            driver_mem(&q);
        else if (!strcmp(op, "files") && q.what)
            driver_files(&q);
        else
            driver_error = "no such operation";
        if (driver_error)
            printf("{\"error\":\"%s\"}\n", driver_error);
        fflush(stdout);
        free(q.stage);
    }
    driver_reset(&(struct request){0});
    free(line);
    return 0;
}
