/* mount.c -- a folder of the host below, changes above: the host is never written */
#include <hob.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void)
{
    char dir[] = "/tmp/hob-example-XXXXXX", path[64], line[64] = "";
    if (!mkdtemp(dir))
        return 1;
    snprintf(path, sizeof path, "%s/list", dir);
    FILE *f = fopen(path, "w");
    if (!f)
        return 1;
    fputs("milk\n", f);
    fclose(f);

    hob_sandbox *box;
    hob_error err;
    hob_result res;
    hob_mount_options m = {.size = sizeof m, .kind = HOB_MOUNT_OVERLAY, .host_dir = dir};
    if (hob_sandbox_new(NULL, &box, NULL) < 0)
        return 1;
    if (hob_mount(box, "/work", &m, &err) < 0)
        return fprintf(stderr, "%s\n", err.msg), 1;
    if (hob_exec(box, "cd /work; echo eggs >> list; cat list", NULL, &res) == 0) {
        printf("inside:\n%s", res.out);
        hob_result_free(&res);
    }
    hob_unmount(box, "/work");
    printf("unmounted: %d\n", hob_exists(box, "/work/list"));
    hob_sandbox_free(box);
    f = fopen(path, "r");
    printf("outside:\n%s", f && fgets(line, sizeof line, f) ? line : "?");
    if (f)
        fclose(f);
    unlink(path);
    rmdir(dir);
    return 0;
}
