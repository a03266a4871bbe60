/* memory.c -- every allocation of a sandbox with a driver fails once; nothing is lost (TM-MEM-2) */
#include "contract.h"

static size_t memory_live;
static uint64_t memory_count, memory_fail_at;

static void *memory_alloc(void *ud, void *p, size_t osize, size_t n)
{
    (void)ud;
    if (n == 0) {
        if (p)
            memory_live -= osize;
        free(p);
        return NULL;
    }
    if (++memory_count == memory_fail_at)
        return NULL;
    void *q = realloc(p, n);
    if (q)
        memory_live += n - (p ? osize : 0);
    return q;
}

/* 0, or the first error; every one must be that of memory. */
static int memory_use(hob_sandbox *box, const char *base)
{
    hob_bytes b = {0};
    hob_dirent *list = NULL;
    hob_result res = {0};
    hob_sandbox *view = NULL;
    size_t n;
    static const char *const env[] = {"A=1", NULL}, *const args[] = {"x", NULL};
    hob_exec_options o = EXEC(.env = env, .args = args, .input = "in", .input_len = 2);
    int r = hob_sandbox_view(box, base, &view);
    if (r == 0)
        r = hob_write(view, "m/f", "data", 4);
    if (r == 0)
        r = hob_read(view, "m/f", &b);
    hob_free(b.data);
    if (r == 0)
        r = hob_readdir(view, "m", &list, &n);
    hob_free(list);
    if (r == 0)
        r = hob_exec(view, "cat; echo $A $1", &o, &res);
    if (r == 0)
        CHECK_STR(res.out, "in1 x\n");
    hob_result_free(&res);
    hob_sandbox_free(view);
    return r;
}

static void memory_of(const char *kind, const char *base)
{
    hob_sandbox_options o = {.size = sizeof o};
    o.cwd = "/tmp";
    o.host_env = (const char *const *)environ;
    o.alloc = memory_alloc;
    for (uint64_t at = 1;; at++) {
        hob_sandbox *box = NULL;
        memory_count = 0;
        memory_fail_at = at;
        int r = hob_sandbox_open(kind, &o, &box, NULL);
        if (r == 0)
            r = memory_use(box, base);
        int failed = memory_count >= at;
        memory_fail_at = 0;
        CHECK(r == 0 || r == HOB_ENOMEM);
        if (box)
            CHECK_EQ(memory_use(box, base), 0); /* it goes on */
        hob_sandbox_free(box);
        if (!CHECK_EQ(memory_live, 0) || !failed)
            break;
    }
}

static void memory_in_folder(const char *kind)
{
    char dir[] = "/tmp/hob-memory-XXXXXX", line[60];
    REQUIRE(mkdtemp(dir) != NULL);
    memory_of(kind, dir);
    snprintf(line, sizeof line, "rm -r %s", dir);
    CHECK_EQ(system(line), 0);
}

static void test_local(void) { memory_in_folder("local"); }

static void test_exec(void) { memory_in_folder("exec"); }

UNIT_MAIN(UNIT(test_local), UNIT(test_exec))
