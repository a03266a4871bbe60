/* host.c -- the machine behind host.h: stacks with a guard, clocks, entropy */
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host/host.h"
#include "unit.h"

/* Whether a child that writes to the address dies of it. */
static int host_dies(volatile char *at)
{
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) {
        if (!freopen("/dev/null", "w", stderr))
            _exit(3);
        signal(SIGSEGV, SIG_DFL);
        *at = 1;
        _exit(0);
    }
    int status = 0;
    return pid > 0 && waitpid(pid, &status, 0) == pid && status != 0;
}

static void test_guard(void) /* TM-STK-3 */
{
    struct host h;
    host_init(&h, NULL, NULL);
    size_t usable = 0;
    char *low = h.stack_get(h.ud, 1 << 20, &usable);
    REQUIRE(low && usable >= 1 << 20);
    memset(low, 1, usable);
    CHECK(!host_dies(low));
    CHECK(host_dies(low - 1));
    CHECK(host_dies(low - 4096));
    h.stack_put(h.ud, low, usable, usable);
}

static void test_services(void)
{
    struct host h;
    host_init(&h, NULL, NULL);
    int64_t now = h.now(h.ud), mono = h.monotonic(h.ud);
    CHECK(now > INT64_C(1700000000000000000));
    CHECK(h.monotonic(h.ud) >= mono);
    CHECK(h.cpu(h.ud) >= 0);
    unsigned char a[16] = {0}, b[16] = {0};
    CHECK_EQ(h.entropy(h.ud, a, sizeof a), 0);
    CHECK_EQ(h.entropy(h.ud, b, sizeof b), 0);
    CHECK(memcmp(a, b, sizeof a) != 0);
    void *p = h.alloc(h.alloc_ud, NULL, 0, 100);
    REQUIRE(p);
    p = h.alloc(h.alloc_ud, p, 100, 5000);
    REQUIRE(p);
    CHECK(h.alloc(h.alloc_ud, p, 5000, 0) == NULL);
}

UNIT_MAIN(UNIT(test_guard), UNIT(test_services))
