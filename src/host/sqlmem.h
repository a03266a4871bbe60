/* sqlmem.h -- the memory of SQLite, which knows one allocator for the whole program */
#ifndef HOB_HOST_SQLMEM_H
#define HOB_HOST_SQLMEM_H

struct heap;
struct date_zone;

#ifdef HAVE_SQLITE3
/* Before SQLite is first used: hands it an allocator that looks at sqlmem_use(). Without effect
 * when the program that links Hob was quicker. */
void sqlmem_init(void);
/* What SQLite asks for on this thread from now on comes out of h, and local time is that
 * of z; NULL: of the system. */
void sqlmem_use(void *ud, struct heap *h, const struct date_zone *z);
#endif

#endif
