/* sqlmem.c -- the memory of SQLite, which knows one allocator for the whole program
 *
 * The sqlite3 command must live within the cap of its sandbox, and the library has no allocator
 * per connection. So each block has a head that says where it came from, and a sandbox that calls
 * the library says so for its thread. Everybody else in the program gets what SQLite would have
 * taken by itself. Local time has one source for the whole program, too, and the same answer.
 */
#include "host/sqlmem.h"

#ifdef HAVE_SQLITE3

#include <pthread.h>
#include <sqlite3.h>
#include <time.h>

#include "base/heap.h"
#include "text/date.h"

struct sqlmem_head {
    struct heap *heap; /* NULL: the system's */
    size_t n;          /* with the head */
};

static _Thread_local struct heap *sqlmem_heap;
static _Thread_local const struct date_zone *sqlmem_zone;
static sqlite3_mem_methods sqlmem_system;
static pthread_once_t sqlmem_once = PTHREAD_ONCE_INIT;

static struct sqlmem_head *sqlmem_head(void *p) { return (struct sqlmem_head *)p - 1; }

static void *sqlmem_malloc(int n)
{
    if (n <= 0 || n > INT_MAX - (int)sizeof(struct sqlmem_head))
        return NULL;
    struct heap *heap = sqlmem_heap;
    int size = n + (int)sizeof(struct sqlmem_head);
    struct sqlmem_head *h = heap ? heap_alloc(heap, (size_t)size) : sqlmem_system.xMalloc(size);
    if (!h)
        return NULL;
    *h = (struct sqlmem_head){heap, (size_t)size};
    return h + 1;
}

static void sqlmem_free(void *p)
{
    if (!p)
        return;
    struct sqlmem_head *h = sqlmem_head(p);
    if (h->heap)
        heap_free(h->heap, h, h->n);
    else
        sqlmem_system.xFree(h);
}

static void *sqlmem_realloc(void *p, int n)
{
    struct sqlmem_head *h = sqlmem_head(p);
    if (n <= 0 || n > INT_MAX - (int)sizeof *h)
        return NULL;
    int size = n + (int)sizeof *h;
    h = h->heap ? heap_realloc(h->heap, h, h->n, (size_t)size) : sqlmem_system.xRealloc(h, size);
    if (!h)
        return NULL;
    h->n = (size_t)size;
    return h + 1;
}

static int sqlmem_size(void *p)
{
    return p ? (int)(sqlmem_head(p)->n - sizeof(struct sqlmem_head)) : 0;
}
static int sqlmem_roundup(int n) { return (n + 7) & ~7; }
static int sqlmem_start(void *ud) { return sqlmem_system.xInit(ud); }
static void sqlmem_stop(void *ud) { sqlmem_system.xShutdown(ud); }

/* The library's way to local time: that of the sandbox, for the thread that runs one. */
static int sqlmem_localtime(const void *at, void *to)
{
    const time_t *t = at;
    struct tm *tm = to;
    struct date d;

    if (!sqlmem_zone)
        return localtime_r(t, tm) ? 0 : 1;
    if (date_from_epoch(*t, 0, sqlmem_zone, &d) < 0)
        return 1;
    *tm = (struct tm){.tm_year = (int)(d.year - 1900),
                      .tm_mon = d.month - 1,
                      .tm_mday = d.day,
                      .tm_hour = d.hour,
                      .tm_min = d.minute,
                      .tm_sec = d.second,
                      .tm_wday = d.weekday,
                      .tm_yday = d.yearday,
                      .tm_isdst = d.summer};
    return 0;
}

static void sqlmem_install(void)
{
    sqlite3_test_control(SQLITE_TESTCTRL_LOCALTIME_FAULT, 2, sqlmem_localtime);
    if (sqlite3_config(SQLITE_CONFIG_GETMALLOC, &sqlmem_system) != SQLITE_OK)
        return;
    sqlite3_mem_methods own = {sqlmem_malloc, sqlmem_free,           sqlmem_realloc,
                               sqlmem_size,   sqlmem_roundup,        sqlmem_start,
                               sqlmem_stop,   sqlmem_system.pAppData};
    sqlite3_config(SQLITE_CONFIG_MALLOC, &own);
}

void sqlmem_init(void) { pthread_once(&sqlmem_once, sqlmem_install); }

void sqlmem_use(void *ud, struct heap *h, const struct date_zone *z)
{
    (void)ud;
    sqlmem_heap = h;
    sqlmem_zone = z;
}

#endif
