/* queue.h -- the last slices of a stream: what head -n -5 and tail hold back */
#ifndef HOB_COMMANDS_LIB_QUEUE_H
#define HOB_COMMANDS_LIB_QUEUE_H

#include "shell/command.h"

struct queue_item {
    struct slice s;
    uint64_t lines; /* delimiters in it */
};

struct queue {
    struct heap *heap;
    struct queue_item *p;
    size_t first, n, cap;
    uint64_t bytes, lines;
};

void queue_init(struct queue *q, struct heap *h);
void queue_fini(struct queue *q);
/* Adds what the window of `in` holds and consumes it. The memory counts against the heap. */
int queue_take(struct queue *q, struct in *in, char delim);
struct queue_item *queue_front(struct queue *q);
/* Takes the oldest slice out; the caller drops it. */
struct slice queue_pop(struct queue *q);
uint64_t count_byte(const char *p, size_t n, char c); /* how often c is in there */

#endif
