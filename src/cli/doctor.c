/* doctor.c -- hob doctor: what this machine offers */
#include <fcntl.h>
#include <linux/openat2.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "cli/cli.h"

struct doctor_row {
    const char *name;
    bool ok;
    char text[160];
};

static bool doctor_openat2(void)
{
    struct open_how how = {.flags = O_PATH | O_DIRECTORY, .resolve = RESOLVE_BENEATH};
    int fd = (int)syscall(SYS_openat2, AT_FDCWD, ".", &how, sizeof how);
    if (fd >= 0)
        close(fd);
    return fd >= 0;
}

static void doctor_sandbox(struct doctor_row *r)
{
    hob_sandbox *box;
    hob_result res;
    hob_error err;
    r->name = "virtual sandbox";
    if (hob_sandbox_new(NULL, &box, &err) < 0) {
        snprintf(r->text, sizeof r->text, "%.150s", err.msg);
        return;
    }
    int e = hob_exec(box, "echo hi | cat", NULL, &res);
    r->ok = e == 0 && res.out_len == 3 && memcmp(res.out, "hi\n", 3) == 0;
    snprintf(r->text, sizeof r->text, r->ok ? "runs scripts" : "does not run: %s",
             hob_error_text(e));
    if (e == 0)
        hob_result_free(&res);
    hob_sandbox_free(box);
}

static size_t doctor_rows(struct doctor_row *r)
{
    struct utsname u;
    struct rlimit as = {0};
    size_t n = 0;
    uname(&u);
    getrlimit(RLIMIT_AS, &as);
    r[n] = (struct doctor_row){.name = "system", .ok = true};
    snprintf(r[n].text, sizeof r[n].text, "%.30s %.60s %.30s", u.sysname, u.release, u.machine);
    doctor_sandbox(&r[++n]);
    r[++n] = (struct doctor_row){.name = "host mounts", .ok = true};
    snprintf(r[n].text, sizeof r[n].text, "%s",
             doctor_openat2() ? "confined by openat2" : "confined component by component");
    r[++n] = (struct doctor_row){.name = "address space", .ok = as.rlim_cur == RLIM_INFINITY};
    snprintf(r[n].text, sizeof r[n].text, "%s",
             r[n].ok ? "unlimited" : "limited: stacks of virtual processes may not fit");
    r[++n] = (struct doctor_row){.name = "line editing", .ok = true};
#ifdef HAVE_LIBEDIT
    snprintf(r[n].text, sizeof r[n].text, "libedit");
#else
    snprintf(r[n].text, sizeof r[n].text, "plain (built without libedit)");
#endif
    return n + 1;
}

static int doctor_main(int argc, char **argv)
{
    bool json = argc > 1 && strcmp(argv[1], "--json") == 0, all = true;
    if (argc > 1 && strcmp(argv[1], "--help") == 0) {
        cli_print_help(&cli_doctor);
        return 0;
    }
    if (argc > 1 && !json)
        return cli_usage("doctor", "%s: unknown option", argv[1]);
    struct doctor_row rows[8];
    size_t n = doctor_rows(rows);
    if (json)
        printf("{");
    for (size_t i = 0; i < n; i++) {
        if (json)
            printf("%s\"%s\":{\"ok\":%s,\"text\":\"%s\"}", i ? "," : "", rows[i].name,
                   rows[i].ok ? "true" : "false", rows[i].text);
        else
            printf("%-4s %-16s %s\n", rows[i].ok ? "ok" : "no", rows[i].name, rows[i].text);
        all = all && (rows[i].ok || i > 1);
    }
    if (json)
        printf("}\n");
    return all ? 0 : 1;
}

const struct cli_command cli_doctor = {
    .name = "doctor",
    .usage = "doctor [--json]",
    .summary = "Say what this machine offers.",
    .run = doctor_main,
};
