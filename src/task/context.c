/* context.c -- switching stacks on x86-64 and aarch64, and a portable fallback
 *
 * A switch pushes the registers that a call must preserve, exchanges stack pointers and pops the
 * other side's. The sanitizers are told about every switch. Elsewhere ucontext does the same, more
 * slowly; a build for WASM brings its own version of this file.
 */
#include "task/context.h"

#if defined(__SANITIZE_ADDRESS__)
#define CONTEXT_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define CONTEXT_ASAN 1
#endif
#endif
#if defined(__SANITIZE_THREAD__)
#define CONTEXT_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define CONTEXT_TSAN 1
#endif
#endif

#ifdef CONTEXT_ASAN
void __sanitizer_start_switch_fiber(void **save, const void *bottom, size_t size);
void __sanitizer_finish_switch_fiber(void *save, const void **old_bottom, size_t *old_size);
#endif
#ifdef CONTEXT_TSAN
void *__tsan_get_current_fiber(void);
void *__tsan_create_fiber(unsigned flags);
void __tsan_destroy_fiber(void *fiber);
void __tsan_switch_to_fiber(void *fiber, unsigned flags);
#endif

/* ThreadSanitizer follows calls and returns per stack: the functions that change stacks must not be
 * counted on either side. */
#if defined(__has_attribute)
#if __has_attribute(disable_sanitizer_instrumentation)
#define CONTEXT_RAW __attribute__((disable_sanitizer_instrumentation))
#endif
#endif
#ifndef CONTEXT_RAW
#define CONTEXT_RAW __attribute__((no_sanitize_thread))
#endif

/* What lies on top of a new stack: where it starts. */
struct context_start {
    void (*fn)(void *);
    void *arg;
    struct context *self;
    struct context *from; /* who switched here first */
};

static inline __attribute__((always_inline)) void context_arrived(struct context *self,
                                                                  struct context *from)
{
#ifdef CONTEXT_ASAN
    __sanitizer_finish_switch_fiber(self->fake_stack, &from->stack_bottom, &from->stack_size);
#else
    (void)self;
    (void)from;
#endif
}

static inline __attribute__((always_inline)) void context_departs(struct context *from,
                                                                  struct context *to, bool for_ever)
{
#ifdef CONTEXT_ASAN
    __sanitizer_start_switch_fiber(for_ever ? NULL : &from->fake_stack, to->stack_bottom,
                                   to->stack_size);
#else
    (void)for_ever;
#endif
#ifdef CONTEXT_TSAN
    if (!from->fiber)
        from->fiber = __tsan_get_current_fiber();
    __tsan_switch_to_fiber(to->fiber, 0);
#else
    (void)from;
    (void)to;
#endif
}

void context_entry(struct context_start *s);
void context_entry(struct context_start *s)
{
    context_arrived(s->self, s->from);
    s->fn(s->arg);
    __builtin_trap(); /* fn must leave through context_leave */
}

#if defined(__x86_64__) && !defined(HOB_PORTABLE_CONTEXT)

/* Saves the callee-saved registers and both floating point control words. */
void context_swap(void **save, void *load);
__asm__(".text\n"
        ".align 16\n"
        ".hidden context_swap\n"
        ".globl context_swap\n"
        ".type context_swap,@function\n"
        "context_swap:\n"
        "    pushq %rbp\n"
        "    pushq %rbx\n"
        "    pushq %r12\n"
        "    pushq %r13\n"
        "    pushq %r14\n"
        "    pushq %r15\n"
        "    subq $8, %rsp\n"
        "    stmxcsr (%rsp)\n"
        "    fnstcw 4(%rsp)\n"
        "    movq %rsp, (%rdi)\n"
        "    movq %rsi, %rsp\n"
        "    ldmxcsr (%rsp)\n"
        "    fldcw 4(%rsp)\n"
        "    addq $8, %rsp\n"
        "    popq %r15\n"
        "    popq %r14\n"
        "    popq %r13\n"
        "    popq %r12\n"
        "    popq %rbx\n"
        "    popq %rbp\n"
        "    ret\n"
        ".size context_swap,.-context_swap\n"
        ".align 16\n"
        ".hidden context_first\n"
        ".globl context_first\n"
        ".type context_first,@function\n"
        "context_first:\n"
        "    movq %r12, %rdi\n"
        "    xorl %ebp, %ebp\n"
        "    callq context_entry\n"
        "    ud2\n"
        ".size context_first,.-context_first\n"
        ".section .note.GNU-stack,\"\",@progbits\n"
        ".text\n");
void context_first(void);

static void *context_prepare(struct context_start *s)
{
    /* The frame that context_swap pops, the return address on its top, aligned so that the call in
     * context_first finds the stack as the ABI wants it. */
    uint64_t *top = (uint64_t *)((uintptr_t)s & ~(uintptr_t)15);
    *--top = 0;
    *--top = 0;
    *--top = (uint64_t)(uintptr_t)context_first;
    *--top = 0;                            /* rbp */
    *--top = 0;                            /* rbx */
    *--top = (uint64_t)(uintptr_t)s;       /* r12 */
    *--top = 0;                            /* r13 */
    *--top = 0;                            /* r14 */
    *--top = 0;                            /* r15 */
    *--top = UINT64_C(0x0000037f00001f80); /* the control words at process start */
    return top;
}

#elif defined(__aarch64__) && !defined(HOB_PORTABLE_CONTEXT)

void context_swap(void **save, void *load);
__asm__(".text\n"
        ".align 4\n"
        ".hidden context_swap\n"
        ".globl context_swap\n"
        ".type context_swap,%function\n"
        "context_swap:\n"
        "    sub sp, sp, #160\n"
        "    stp x19, x20, [sp, #0]\n"
        "    stp x21, x22, [sp, #16]\n"
        "    stp x23, x24, [sp, #32]\n"
        "    stp x25, x26, [sp, #48]\n"
        "    stp x27, x28, [sp, #64]\n"
        "    stp x29, x30, [sp, #80]\n"
        "    stp d8, d9, [sp, #96]\n"
        "    stp d10, d11, [sp, #112]\n"
        "    stp d12, d13, [sp, #128]\n"
        "    stp d14, d15, [sp, #144]\n"
        "    mov x2, sp\n"
        "    str x2, [x0]\n"
        "    mov sp, x1\n"
        "    ldp x19, x20, [sp, #0]\n"
        "    ldp x21, x22, [sp, #16]\n"
        "    ldp x23, x24, [sp, #32]\n"
        "    ldp x25, x26, [sp, #48]\n"
        "    ldp x27, x28, [sp, #64]\n"
        "    ldp x29, x30, [sp, #80]\n"
        "    ldp d8, d9, [sp, #96]\n"
        "    ldp d10, d11, [sp, #112]\n"
        "    ldp d12, d13, [sp, #128]\n"
        "    ldp d14, d15, [sp, #144]\n"
        "    add sp, sp, #160\n"
        "    ret\n"
        ".size context_swap,.-context_swap\n"
        ".align 4\n"
        ".hidden context_first\n"
        ".globl context_first\n"
        ".type context_first,%function\n"
        "context_first:\n"
        "    mov x0, x19\n"
        "    mov x29, #0\n"
        "    mov x30, #0\n"
        "    bl context_entry\n"
        "    brk #1\n"
        ".size context_first,.-context_first\n"
        ".section .note.GNU-stack,\"\",%progbits\n"
        ".text\n");
void context_first(void);

static void *context_prepare(struct context_start *s)
{
    uint64_t *top = (uint64_t *)((uintptr_t)s & ~(uintptr_t)15) - 20;
    memset(top, 0, 160);
    top[0] = (uint64_t)(uintptr_t)s;              /* x19 */
    top[11] = (uint64_t)(uintptr_t)context_first; /* x30 */
    return top;
}

#else
#include <ucontext.h>

/* The portable way: a ucontext at the top of each stack, and one on the stack of whoever left. */
struct context_portable {
    ucontext_t uc;
    struct context_start *start;
};

static void context_swap(void **save, void *load)
{
    struct context_portable here, *there = load;
    *save = &here;
    swapcontext(&here.uc, &there->uc);
}

static void context_portable_entry(unsigned hi, unsigned lo)
{
    context_entry((struct context_start *)(((uintptr_t)hi << 16 << 16) | lo));
}

static void *context_prepare(struct context_start *s)
{
    struct context_portable *p =
        (struct context_portable *)(((uintptr_t)s - sizeof *p) & ~(uintptr_t)63);
    getcontext(&p->uc);
    p->uc.uc_stack.ss_sp = (void *)s->self->stack_bottom;
    p->uc.uc_stack.ss_size = (size_t)((char *)p - (char *)s->self->stack_bottom);
    p->uc.uc_link = NULL;
    makecontext(&p->uc, (void (*)(void))context_portable_entry, 2,
                (unsigned)((uintptr_t)s >> 16 >> 16), (unsigned)(uintptr_t)s);
    return p;
}
#endif

void context_init(struct context *c, void *low, size_t size, void (*fn)(void *), void *arg)
{
    struct context_start *s =
        (struct context_start *)(((uintptr_t)low + size - sizeof *s) & ~(uintptr_t)15);
    *c = (struct context){.stack_bottom = low, .stack_size = size};
    *s = (struct context_start){.fn = fn, .arg = arg, .self = c};
    c->sp = context_prepare(s);
#ifdef CONTEXT_TSAN
    c->fiber = __tsan_create_fiber(0);
#endif
}

/* The start record of a stack that was never switched to must learn who came. It stands where
 * context_init put it. */
static void context_note_from(struct context *to, struct context *from)
{
    if (to->stack_bottom && to->stack_size) {
        uintptr_t high = (uintptr_t)to->stack_bottom + to->stack_size;
        struct context_start *s = (struct context_start *)((high - sizeof *s) & ~(uintptr_t)15);
        if (s->self == to)
            s->from = from;
    }
}

CONTEXT_RAW void context_switch(struct context *from, struct context *to)
{
    context_note_from(to, from);
    context_departs(from, to, false);
    context_swap(&from->sp, to->sp);
    context_arrived(from, to);
}

CONTEXT_RAW void context_leave(struct context *from, struct context *to)
{
    context_departs(from, to, true);
    context_swap(&from->sp, to->sp);
    __builtin_trap();
}

void context_fini(struct context *c)
{
#ifdef CONTEXT_TSAN
    if (c->fiber)
        __tsan_destroy_fiber(c->fiber);
#endif
    c->fiber = NULL;
}
