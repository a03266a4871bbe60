/* host.c -- the machine: clocks, entropy, and a pool of guarded stacks
 *
 * Stacks are address space first and memory only where they were touched. A few are kept for the
 * next call, since mapping one costs more than running `echo`. The pool is the one thing that all
 * sandboxes of a process share, so it has a lock; nothing in it says who used a stack before:
 * pages beyond the first few are given back to the system.
 */
#include "host/host.h"
#include "host/alloc.h"
#include "host/sqlmem.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

enum {
    HOST_POOL = 64,        /* stacks kept */
    HOST_GUARD = 64 << 10, /* unmapped below each stack. TM-STK-3 */
    HOST_WARM = 256 << 10  /* touched pages that a pooled stack may keep */
};

static struct {
    pthread_mutex_t lock;
    int n;
    struct {
        void *low;
        size_t usable;
    } stacks[HOST_POOL];
} host_pool = {.lock = PTHREAD_MUTEX_INITIALIZER};

static int64_t host_clock(clockid_t id)
{
    struct timespec t;
    clock_gettime(id, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static int64_t host_now(void *ud)
{
    (void)ud;
    return host_clock(CLOCK_REALTIME);
}

static int64_t host_monotonic(void *ud)
{
    (void)ud;
    return host_clock(CLOCK_MONOTONIC);
}

static int64_t host_cpu(void *ud)
{
    (void)ud;
    return host_clock(CLOCK_THREAD_CPUTIME_ID);
}

static int host_entropy(void *ud, void *dst, size_t n)
{
    (void)ud;
    for (char *at = dst; n > 0;) {
        ssize_t got = getrandom(at, n, 0);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return HOB_EIO;
        at += got;
        n -= (size_t)got;
    }
    return 0;
}

static void *host_stack_get(void *ud, size_t size, size_t *usable)
{
    (void)ud;
    void *low = NULL;
    pthread_mutex_lock(&host_pool.lock);
    for (int i = host_pool.n; i-- > 0;)
        if (host_pool.stacks[i].usable == size) {
            low = host_pool.stacks[i].low;
            host_pool.stacks[i] = host_pool.stacks[--host_pool.n];
            break;
        }
    pthread_mutex_unlock(&host_pool.lock);
    *usable = size;
    if (low)
        return low;
    char *p = mmap(NULL, size + HOST_GUARD, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (p == MAP_FAILED)
        return NULL;
    if (mprotect(p, HOST_GUARD, PROT_NONE) != 0) {
        munmap(p, size + HOST_GUARD);
        return NULL;
    }
    return p + HOST_GUARD;
}

static void host_stack_put(void *ud, void *low, size_t usable, size_t touched)
{
    (void)ud;
    if (touched > HOST_WARM)
        madvise(low, usable - HOST_WARM, MADV_DONTNEED);
    pthread_mutex_lock(&host_pool.lock);
    bool kept = host_pool.n < HOST_POOL;
    if (kept) {
        host_pool.stacks[host_pool.n].low = low;
        host_pool.stacks[host_pool.n++].usable = usable;
    }
    pthread_mutex_unlock(&host_pool.lock);
    if (!kept)
        munmap((char *)low - HOST_GUARD, usable + HOST_GUARD);
}

static void host_release(void *ud, void *p)
{
    (void)ud;
    free(p);
}

void host_init(struct host *h, hob_alloc_fn alloc, void *alloc_ud)
{
    *h = (struct host){
        .alloc = alloc ? alloc : alloc_default,
        .alloc_ud = alloc_ud,
        .now = host_now,
        .monotonic = host_monotonic,
        .cpu = host_cpu,
        .entropy = host_entropy,
        .stack_get = host_stack_get,
        .stack_put = host_stack_put,
        .release = host_release,
    };
#ifdef HAVE_SQLITE3
    sqlmem_init();
    h->sql_memory = sqlmem_use;
#endif
}

void host_sleep(int64_t ns)
{
    if (ns <= 0)
        return;
    struct timespec t = {ns / 1000000000, ns % 1000000000};
    nanosleep(&t, NULL);
}

bool host_wait(int fd, int64_t ns)
{
    struct pollfd p = {.fd = fd, .events = POLLIN};
    int64_t ms = (ns + 999999) / 1000000;
    return poll(&p, 1, (int)MIN(MAX(ms, 0), 1000000)) > 0;
}
