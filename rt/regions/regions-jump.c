/* SPDX-License-Identifier: MIT */
/* Leaves the regions that a longjmp leaves.  Where the program calls setjmp the moment is
   noted, in the thread, by the address of the buffer; where it calls longjmp all that
   began later is left.  Where nothing was noted, or it was overwritten, the stack
   decides: what was begun by functions whose frames are gone then.

   The program's calls, signal handlers included.  */

#define _GNU_SOURCE
#include <signal.h>

#include "rt/regions/regions.h"
#include "rt/regions/regions-inside.h"

/* Buffers of a thread that has begun no region.  */
#define JUMP_EARLY 4

static _Thread_local struct {
    const void *buffer[JUMP_EARLY];
    uintptr_t stack[JUMP_EARLY];
    unsigned next;
} jump_early;

static struct regions_jump *jump_place(struct regions_thread *thread, const void *buffer)
{
    uint64_t hash = ((uintptr_t)buffer >> 3) * 0x9e3779b97f4a7c15u;
    return &thread->jump[hash >> (64 - REGIONS_JUMPS_BITS)];
}

void ccprof_regions_mark(const void *buffer, uintptr_t stack)
{
    struct regions_thread *thread = ccprof_regions_self;

    if (thread != &ccprof_regions_none) {
        struct regions_jump *jump = jump_place(thread, buffer);
        jump->buffer = NULL;
        atomic_signal_fence(memory_order_seq_cst);
        jump->stack = stack;
        jump->depth = (uint64_t)(thread->top - thread->frame);
        jump->time = ccprof_regions.clock->ticks();
        atomic_signal_fence(memory_order_seq_cst);
        jump->buffer = buffer;
    } else if (ccprof_regions.table) {
        unsigned next = jump_early.next++ % JUMP_EARLY;
        jump_early.buffer[next] = buffer;
        jump_early.stack[next] = stack;
    }
}

/* Whether all regions of the thread began after the buffer was filled.  */
static bool jump_is_early(const void *buffer, uintptr_t stack)
{
    for (unsigned i = 0; i < JUMP_EARLY; i++)
        if (jump_early.buffer[i] == buffer && jump_early.stack[i] == stack)
            return true;
    return false;
}

/* The stack for signals that the thread is on.  */
struct jump_stack {
    uintptr_t from, size; /* 0: it is on none */
};

static struct jump_stack jump_signals(void)
{
    stack_t now;
    if (sigaltstack(NULL, &now) != 0 || !(now.ss_flags & SS_ONSTACK))
        return (struct jump_stack){0, 0};
    return (struct jump_stack){(uintptr_t)now.ss_sp, now.ss_size};
}

static bool jump_is_gone(const struct regions_frame *frame,
                         const struct jump_stack *signals, uintptr_t here,
                         uintptr_t stack)
{
    bool on = frame->stack - signals->from < signals->size;
    if (signals->size != 0 && stack - signals->from >= signals->size)
        return on || frame->stack < stack;
    return frame->stack >= here && frame->stack < stack;
}

static bool jump_is_after(const struct regions_thread *thread,
                          const struct regions_frame *frame,
                          const struct regions_jump *jump)
{
    return (uint64_t)(frame - thread->frame) >= jump->depth || frame->start > jump->time;
}

void ccprof_regions_jump(const void *buffer, uintptr_t stack)
{
    struct regions_thread *thread = ccprof_regions_self;
    struct regions_frame *frame = thread->frame + 1;

    if (thread->top <= frame)
        return;
    const struct regions_jump *jump = jump_place(thread, buffer);
    if (jump->buffer == buffer && jump->stack == stack) {
        while (frame < thread->top && !jump_is_after(thread, frame, jump))
            frame++;
    } else if (!jump_is_early(buffer, stack)) {
        const struct jump_stack signals = jump_signals();
        uintptr_t here = (uintptr_t)__builtin_frame_address(0);
        while (frame < thread->top && !jump_is_gone(frame, &signals, here, stack))
            frame++;
    }
    /* Out of a handler that came in the middle of a call's end, perhaps.  */
    thread->limit = thread->end;
    if (frame < thread->top)
        ccprof_regions_cut_to(thread, frame, ccprof_regions.clock->ticks(), true);
}
