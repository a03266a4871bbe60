/* files.c -- files in, files out: the script sees what the program wrote, and vice versa */
#include <hob.h>
#include <stdio.h>

static int show(void *ud, const char *path, const hob_stat_t *st)
{
    (void)ud;
    printf("%06o %s\n", (unsigned)st->mode, path);
    return 0;
}

int main(void)
{
    const hob_file start[] = {
        {.path = "notes/a.txt", .data = "pear\nfig\n", .len = HOB_Z},
        {.path = "run.sh",
         .data = "#!/bin/bash\nsort notes/*.txt > sorted\n",
         .len = HOB_Z,
         .mode = 0755},
    };
    hob_options opt = {.size = sizeof opt, .files = start, .nfiles = 2};
    hob_sandbox *box;
    hob_error err;
    hob_bytes sorted;
    if (hob_sandbox_new(&opt, &box, &err) < 0)
        return fprintf(stderr, "%s\n", err.msg), 1;
    hob_write(box, "notes/b.txt", "apple\n", HOB_Z);
    hob_append(box, "notes/b.txt", "cherry\n", HOB_Z);
    hob_exec(box, "./run.sh", NULL, NULL);
    if (hob_read(box, "sorted", &sorted) == 0) {
        fputs(sorted.data, stdout);
        hob_free(sorted.data);
    }
    hob_mkdir(box, "old/deep", HOB_RECURSIVE);
    hob_rename(box, "notes/a.txt", "old/deep/a.txt");
    hob_symlink(box, "deep/a.txt", "old/link");
    hob_chmod(box, "sorted", 0600);
    hob_rm(box, "notes", HOB_RECURSIVE);
    hob_walk(box, ".", show, NULL);
    hob_sandbox_free(box);
    return 0;
}
