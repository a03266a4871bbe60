/* files.c -- every script again, with the N-th call of the file system failing (TM-MEM-2)
 *
 * A shim over the tree at / gives an error, once, in place of a call: of a lookup, an open, a read,
 * a write, a listing. The demand is that of alloc.c.
 */
#include "torture.h"

#include "sandbox/sandbox.h"

enum {
    FILES_DENSE = 40
};

static char files_why[300];

/* Puts the shim between the mount table and the tree. */
static struct fs *files_shim(hob_sandbox *box)
{
    struct mount *root = &box->v->vfs.mounts[box->v->vfs.n - 1];
    struct fs *tree = root->fs, *shim = shim_fault(tree);
    if (!shim)
        return NULL;
    shim->dev = tree->dev;
    shim->at = tree->at;
    root->fs = shim;
    return shim;
}

static const char *files_once(const char *script, uint64_t at, int error, int *failed)
{
    struct meter m = {0};
    hob_options opt = torture_options(&m);
    hob_sandbox *box;
    hob_result res;
    const char *why = NULL;
    if (hob_sandbox_new(&opt, &box, NULL) < 0)
        return "a sandbox cannot be made";
    struct fs *shim = files_shim(box);
    if (!shim)
        return "there is no shim";
    shim_fault_set(shim, at, error);
    uint64_t before = shim_fault_calls(shim);
    int ran = hob_exec(box, script, NULL, &res);
    *failed = shim_fault_calls(shim) - before >= at;
    shim_fault_set(shim, 0, 0);
    if (ran >= 0)
        hob_result_free(&res);
    else if (ran != error)
        why = hob_error_text(ran);
    if (!why && *failed)
        why = torture_alive(box);
    hob_sandbox_free(box);
    if (!why && m.live != 0)
        why = "memory is left behind";
    return why;
}

static const char *files_script(const char *script, int number)
{
    static const int errors[] = {HOB_EIO, HOB_ENOSPC, HOB_ENOMEM, HOB_EACCES};
    int failed = 1;
    for (uint64_t at = 1; failed; at = torture_next(at, FILES_DENSE, number)) {
        int error = errors[(at + (uint64_t)number) % 4];
        const char *why = files_once(script, at, error, &failed);
        if (why) {
            snprintf(files_why, sizeof files_why, "call %llu gives %s: %s", (unsigned long long)at,
                     hob_error_name(error), why);
            return files_why;
        }
        torture_failures += (uint64_t)failed;
    }
    return NULL;
}

int main(int argc, char **argv) { return torture_main(argc, argv, files_script); }
