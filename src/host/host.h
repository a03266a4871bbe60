/* host.h -- Linux behind task/host.h: memory, clocks, entropy, stacks */
#ifndef HOB_HOST_HOST_H
#define HOB_HOST_HOST_H

#include "task/host.h"

/* Fills h with the machine's services; alloc NULL means malloc. */
void host_init(struct host *h, hob_alloc_fn alloc, void *alloc_ud);
/* Sleeps for at most ns nanoseconds. */
void host_sleep(int64_t ns);
/* Waits at most ns nanoseconds until fd is readable: whether it is. */
bool host_wait(int fd, int64_t ns);

#endif
