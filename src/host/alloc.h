/* alloc.h -- the default allocator */
#ifndef HOB_HOST_ALLOC_H
#define HOB_HOST_ALLOC_H

#include "hob.h"

/* A hob_alloc_fn over malloc, with a small cache per thread for small blocks. */
void *alloc_default(void *ud, void *p, size_t osize, size_t n);

#endif
