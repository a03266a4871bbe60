/* context.h -- switching stacks, the only part of Hob that is not portable C */
#ifndef HOB_TASK_CONTEXT_H
#define HOB_TASK_CONTEXT_H

#include "base/types.h"

struct context {
    void *sp;         /* the saved stack pointer; the registers are on that stack */
    void *fake_stack; /* AddressSanitizer's */
    const void *stack_bottom;
    size_t stack_size;
    void *fiber; /* ThreadSanitizer's */
};

/* Prepares c to run fn(arg) on the stack [low, low + size) when it is first switched to. fn must
 * never return: it ends with context_leave(). */
void context_init(struct context *c, void *low, size_t size, void (*fn)(void *), void *arg);
/* Saves the running context in `from` and goes on with `to`. */
void context_switch(struct context *from, struct context *to);
/* As context_switch, but `from` will never run again. */
void context_leave(struct context *from, struct context *to);
void context_fini(struct context *c); /* of a context that has left */

#endif
