/* driver.c -- runs one script in a sandbox with a network, for tests/net/run
 *
 *     driver [OPTION]... SCRIPT
 *
 *     --open --private --ca FILE --rule PREFIX METHODS --secret HOST HEADER VALUE PLAIN
 *     --dir DIR       a folder of the host, mounted where the script works
 *     --log FILE      the decisions, one per line
 *     --timeout MS    of the run
 *     --interrupt MS  hob_interrupt() after so long, from another thread
 *     --steps         by hob_step() and poll(), instead of hob_exec()
 *     --virtual       the virtual clock
 *     --fork          in a fork of the sandbox
 *     --env NAME=VALUE
 */
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "hob.h"

enum {
    DRIVER_MAX = 16
};

struct driver {
    hob_options box;
    hob_net_rule rules[DRIVER_MAX];
    hob_net_secret secrets[DRIVER_MAX];
    const char *env[DRIVER_MAX + 1];
    size_t nenv;
    const char *dir, *script;
    FILE *log;
    long timeout, interrupt;
    int steps, fork;
};

static hob_sandbox *driver_box;

static void driver_decision(void *ud, const hob_net_decision *d)
{
    struct driver *r = ud;
    fprintf(r->log, "%s %s %s (%s) %zu\n", d->allowed ? "yes" : "no", d->method, d->url, d->reason,
            d->secrets);
}

/* How many words the option took; 0: it is none. */
static int driver_option(struct driver *r, char **argv)
{
    hob_network *n = &r->box.network;
    const char *word = argv[0];
    if (strcmp(word, "--open") == 0)
        return n->mode = HOB_NET_OPEN, 1;
    if (strcmp(word, "--private") == 0)
        return n->allow_private = 1, 1;
    if (strcmp(word, "--steps") == 0)
        return r->steps = 1, 1;
    if (strcmp(word, "--fork") == 0)
        return r->fork = 1, 1;
    if (strcmp(word, "--virtual") == 0)
        return r->box.clock = HOB_CLOCK_VIRTUAL, 1;
    if (strcmp(word, "--ca") == 0)
        return n->ca_file = argv[1], 2;
    if (strcmp(word, "--dir") == 0)
        return r->dir = argv[1], 2;
    if (strcmp(word, "--env") == 0)
        return r->env[r->nenv++] = argv[1], 2;
    if (strcmp(word, "--log") == 0)
        return r->log = fopen(argv[1], "w"), n->decision = driver_decision, n->decision_ud = r, 2;
    if (strcmp(word, "--timeout") == 0)
        return r->timeout = atol(argv[1]), 2;
    if (strcmp(word, "--interrupt") == 0)
        return r->interrupt = atol(argv[1]), 2;
    if (strcmp(word, "--rule") == 0) {
        r->rules[n->nrules++] = (hob_net_rule){argv[1], *argv[2] ? argv[2] : NULL};
        n->mode = HOB_NET_LIST;
        return 3;
    }
    if (strcmp(word, "--secret") == 0) {
        r->secrets[n->nsecrets++] = (hob_net_secret){argv[1], argv[2], argv[3], atoi(argv[4])};
        return 5;
    }
    return 0;
}

static void *driver_interrupt(void *ud)
{
    struct driver *r = ud;
    struct timespec t = {r->interrupt / 1000, r->interrupt % 1000 * 1000000};
    nanosleep(&t, NULL);
    hob_interrupt(driver_box);
    return NULL;
}

/* As an event loop does it. */
static int driver_steps(hob_sandbox *box, const char *script, const hob_exec_options *o,
                        hob_result *res)
{
    hob_job *job;
    int fds = 0, r = hob_exec_start(box, script, o, &job, NULL);
    while (r == 0 && !hob_job_done(job)) {
        int step = hob_step(box, 0);
        if (step != HOB_STEP_WAIT)
            continue;
        hob_pending w = {.size = sizeof w};
        hob_wait_for(box, &w);
        fds += w.fd >= 0;
        struct pollfd p = {.fd = w.fd, .events = POLLIN};
        poll(&p, 1, w.until_ns < 0 ? 1000 : (int)(w.until_ns / 1000000) + 1);
    }
    if (r == 0)
        r = hob_job_finish(job, res);
    fprintf(stderr, "%s", r == 0 && fds == 0 ? "driver: no descriptor was waited for\n" : "");
    return r;
}

int main(int argc, char **argv)
{
    struct driver r = {.box = HOB_OPTIONS_INIT};
    hob_exec_options o = HOB_EXEC_OPTIONS_INIT;
    hob_sandbox *box, *forked = NULL;
    hob_error err;
    hob_result res;
    pthread_t thread;
    int i = 1, n;
    r.box.network.rules = r.rules;
    r.box.network.secrets = r.secrets;
    r.box.env = r.env;
    while (i < argc - 1 && (n = driver_option(&r, argv + i)) > 0)
        i += n;
    if (i != argc - 1) {
        fprintf(stderr, "driver: wrong options\n");
        return 99;
    }
    if (hob_sandbox_new(&r.box, &box, &err) < 0) {
        fprintf(stderr, "driver: %s\n", err.msg);
        return 98;
    }
    driver_box = box;
    hob_mount_options m = {.size = sizeof m, .kind = HOB_MOUNT_RW, .host_dir = r.dir};
    if (r.dir && hob_mount(box, "/home/user/w", &m, &err) < 0) {
        fprintf(stderr, "driver: %s\n", err.msg);
        return 97;
    }
    if (r.fork && hob_sandbox_fork(box, &forked) == 0)
        driver_box = forked;
    o.cwd = r.dir ? "/home/user/w" : NULL;
    o.timeout_ns = (int64_t)r.timeout * 1000000;
    if (r.interrupt)
        pthread_create(&thread, NULL, driver_interrupt, &r);
    n = r.steps ? driver_steps(driver_box, argv[i], &o, &res)
                : hob_exec(driver_box, argv[i], &o, &res);
    if (r.interrupt)
        pthread_join(thread, NULL);
    if (n < 0) {
        fprintf(stderr, "driver: %s\n", hob_error_text(n));
        return 96;
    }
    fwrite(res.out, 1, res.out_len, stdout);
    fwrite(res.err, 1, res.err_len, stderr);
    n = res.status;
    hob_result_free(&res);
    hob_sandbox_free(forked);
    hob_sandbox_free(box);
    if (r.log)
        fclose(r.log);
    return n;
}
