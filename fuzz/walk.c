/* walk.c -- fuzz target: the path walk over a tree and mounts never leaves what it was given
 *
 * TM-FS-1, TM-FS-2, TM-FS-4, TM-FS-5. The input is a list of lines: a letter for the call, then one
 * or two paths. Folders of the host are mounted read-only and as an overlay; beside them stands a
 * file that no path may reach. After each input the host must be as it was.
 */
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fuzz.h"

static char walk_top[64];       /* a folder of the host: `secret`, and `in`, which is mounted */
static hob_sandbox *walk_first; /* forked for each input */

static void walk_host_path(char *dst, size_t cap, const char *name)
{
    snprintf(dst, cap, "%s/%s", walk_top, name);
}

static void walk_host_file(const char *name, const char *text)
{
    char path[200];
    walk_host_path(path, sizeof path, name);
    FILE *f = fopen(path, "w");
    fuzz_demand(f && fputs(text, f) >= 0 && fclose(f) == 0);
}

static void walk_host_link(const char *target, const char *name)
{
    char path[200];
    walk_host_path(path, sizeof path, name);
    fuzz_demand(symlink(target, path) == 0);
}

static void walk_end(void)
{
    static const char *const names[] = {"in/d/g", "in/d/up", "in/d", "in/f",   "in/out",
                                        "in/far", "in/loop", "in",   "secret", ""};
    hob_sandbox_free(walk_first);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[200];
        walk_host_path(path, sizeof path, names[i]);
        remove(path);
    }
}

static void walk_begin(void)
{
    char path[200], far[200];
    strcpy(walk_top, "/tmp/hob-walk-XXXXXX");
    fuzz_demand(mkdtemp(walk_top) != NULL);
    walk_host_path(path, sizeof path, "in");
    fuzz_demand(mkdir(path, 0755) == 0);
    walk_host_path(path, sizeof path, "in/d");
    fuzz_demand(mkdir(path, 0755) == 0);
    walk_host_file("secret", "of the host");
    walk_host_file("in/f", "inside");
    walk_host_file("in/d/g", "inside");
    walk_host_link("../secret", "in/out");
    walk_host_link("../../secret", "in/d/up");
    walk_host_link("loop", "in/loop");
    walk_host_path(far, sizeof far, "secret");
    walk_host_link(far, "in/far");
    hob_options o = {.size = sizeof o, .clock = HOB_CLOCK_VIRTUAL, .seed = 1, .cwd = "/w"};
    fuzz_demand(hob_sandbox_new(&o, &walk_first, NULL) == 0);
    walk_host_path(path, sizeof path, "in");
    hob_mount_options m = {.size = sizeof m, .kind = HOB_MOUNT_RO, .host_dir = path};
    fuzz_demand(hob_mount(walk_first, "/w/ro", &m, NULL) == 0);
    m.kind = HOB_MOUNT_OVERLAY;
    fuzz_demand(hob_mount(walk_first, "/w/o", &m, NULL) == 0);
    m.kind = HOB_MOUNT_MEMORY;
    fuzz_demand(hob_mount(walk_first, "/w/m", &m, NULL) == 0);
    atexit(walk_end);
}

static void walk_read(hob_sandbox *box, const char *path)
{
    hob_bytes b;
    hob_stat_t st;
    int known = hob_stat(box, path, &st);
    if (hob_read(box, path, &b) < 0)
        return;
    fuzz_demand(known == 0 && !strstr(b.data, "of the host"));
    fuzz_demand((st.mode & 0170000) != 0100000 || st.bytes == 0 || st.bytes == b.len);
    hob_free(b.data);
}

static void walk_list(hob_sandbox *box, const char *path)
{
    hob_dirent *list;
    size_t n;
    if (hob_readdir(box, path, &list, &n) < 0)
        return;
    for (size_t i = 0; i < n; i++) {
        fuzz_demand(list[i].name[0] && !strchr(list[i].name, '/') &&
                    strcmp(list[i].name, "..") != 0);
        fuzz_demand(i == 0 || strcmp(list[i - 1].name, list[i].name) < 0);
        fuzz_demand(strcmp(list[i].name, "secret") != 0 || strncmp(path, "ro", 2) != 0);
    }
    hob_free(list);
}

/* What was done must show, and only where it was asked for. */
static void walk_call(hob_sandbox *box, char what, const char *a, const char *b)
{
    hob_stat_t st;
    hob_bytes text;
    switch (what) {
    case 'w':
        if (hob_write(box, a, "w", 1) == 0)
            fuzz_demand(hob_exists(box, a));
        break;
    case 'a': hob_append(box, a, "a", 1); break;
    case 'm':
        if (hob_mkdir(box, a, HOB_RECURSIVE) == 0)
            fuzz_demand(hob_stat(box, a, &st) == 0 && (st.mode & 0170000) == 040000);
        break;
    case 'x':
        if (hob_rm(box, a, HOB_RECURSIVE) == 0)
            fuzz_demand(hob_lstat(box, a, &st) < 0);
        break;
    case 'v': hob_rename(box, a, b); break;
    case 's':
        if (hob_symlink(box, b, a) == 0 && hob_readlink(box, a, &text) == 0) {
            fuzz_demand(strcmp(text.data, b) == 0);
            hob_free(text.data);
        }
        break;
    case 'c': hob_chmod(box, a, 0700); break;
    case 'l': walk_list(box, a); break;
    default: walk_read(box, a);
    }
}

static void walk_host_same(const char *name, const char *want)
{
    char path[200], text[40] = "";
    walk_host_path(path, sizeof path, name);
    FILE *f = fopen(path, "r");
    fuzz_demand(f != NULL);
    size_t n = fread(text, 1, sizeof text - 1, f);
    fclose(f);
    fuzz_demand(n == strlen(want) && strcmp(text, want) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    hob_sandbox *box;
    if (!walk_first)
        walk_begin();
    if (size > 4096)
        return 0;
    fuzz_demand(hob_sandbox_fork(walk_first, &box) == 0);
    const char *at = (const char *)data, *end = at + size;
    for (int calls = 0; at < end && calls < 60; calls++) {
        const char *nl = memchr(at, '\n', (size_t)(end - at));
        size_t n = nl ? (size_t)(nl - at) : (size_t)(end - at);
        char *line = strndup(at, n), *second = strchr(line, ' ');
        if (second)
            *second++ = '\0';
        if (line[0])
            walk_call(box, line[0], line + 1, second ? second : "");
        free(line);
        at += n + 1;
    }
    static const char *const targets[] = {"/w/ro/out", "/w/ro/far", "/w/ro/d/up", "/w/o/far"};
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++)
        walk_read(box, targets[i]);
    hob_sandbox_free(box);
    walk_host_same("secret", "of the host");
    walk_host_same("in/f", "inside");
    walk_host_same("in/d/g", "inside");
    return 0;
}
