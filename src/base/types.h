/* types.h -- the few names every file uses */
#ifndef HOB_BASE_TYPES_H
#define HOB_BASE_TYPES_H

#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define LIKELY(x) __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)
#define PRINTF_LIKE(f, a) __attribute__((format(printf, f, a)))
#define NORETURN __attribute__((noreturn))
#define UNUSED __attribute__((unused))
#define FALLTHROUGH __attribute__((fallthrough))

/* The struct that holds member m at address p. */
#define CONTAINER(p, type, m) ((type *)(void *)((char *)(p)-offsetof(type, m)))

/*
 * A programming mistake: trap where it happens in debug builds; in release builds the caller's
 * `then` statement (usually `return HOB_EBUG`) runs.
 */
#ifdef HOB_DEBUG
#define BUG_IF(x, then)                                                                            \
    do {                                                                                           \
        if (UNLIKELY(x))                                                                           \
            __builtin_trap();                                                                      \
    } while (0)
#else
#define BUG_IF(x, then)                                                                            \
    do {                                                                                           \
        if (UNLIKELY(x)) {                                                                         \
            then;                                                                                  \
        }                                                                                          \
    } while (0)
#endif

#endif
