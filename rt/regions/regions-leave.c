/* SPDX-License-Identifier: MIT */
/* Ends the calls of regions that do not end in the reverse order of their begins: where
   the program ends an outer region first, or a region that it has not begun, where a
   thread ends, and where a longjmp leaves regions.  The usual case, the call that began
   last, is in the files of the clocks.  Owns the early marks of setjmp.

   Each setjmp is noted in the thread, under the address of its buffer; a longjmp to this
   buffer leaves all calls that began later.  If the note is missing or overwritten, the
   stack decides: the longjmp leaves the calls whose callers' frames it removes.

   Called by the program, in any thread, signal handlers included.  */

#define _GNU_SOURCE
#include <signal.h>

#include "rt/os/text.h"
#include "rt/os/strict.h"
#include "rt/os/sys.h"
#include "rt/regions/regions-hot.h"
#include "rt/regions/regions-caller.h"
#include "rt/regions/regions.h"

uint64_t ccprof_regions_lost(void)
{
    return atomic_load(&ccprof_regions.lost);
}

void ccprof_regions_cut_to(struct regions_thread *thread, struct regions_frame *frame,
                           uint64_t now, bool is_left)
{
    bool has_cpu = ccprof_regions.has_cpu, has_events = ccprof_regions.has_events;

    thread->over = 0;
    while (thread->top - 1 > frame || (is_left && thread->top - 1 == frame)) {
        thread->current->figures.left++;
        regions_leave(thread, thread->top - 1, now, has_cpu, has_events);
    }
    if (!is_left)
        regions_leave(thread, frame, now, has_cpu, has_events);
}

/* A longjmp may have left the call already.  */
void ccprof_regions_cut_slowly(unsigned long opened, uint64_t now)
{
    struct regions_thread *thread = ccprof_regions_self;
    struct regions_frame *frame = (void *)((char *)thread->frame + opened);

    if (frame < thread->top)
        ccprof_regions_cut_to(thread, frame, now, false);
}

/* If the program ends regions in another order than it begins them, the frame may belong
   to another region by now.  */
void ccprof_regions_left(struct ccprof_region *function, unsigned long entered)
{
    if (ccprof_strict)
        return;
    uint64_t now = ccprof_regions.clock->ticks();
    struct regions_thread *thread = ccprof_regions_self;
    unsigned long opened = entered & ~REGIONS_ENTERED;
    struct regions_frame *frame = (void *)((char *)thread->frame + opened);

    if (opened == 0) {
        if (thread->over != 0)
            thread->over--;
    } else if (frame < thread->top &&
               !((regions_key_of(thread, frame) ^ function->number) & REGIONS_KEY_NAME)) {
        ccprof_regions_cut_to(thread, frame, now, false);
    }
}

void ccprof_regions_end_slowly(struct ccprof_region *region, uint64_t now)
{
    static _Atomic bool said;
    struct regions_thread *thread = ccprof_regions_self;
    struct regions_frame *frame = thread->top - 1;

    if (thread->over != 0) {
        thread->over--;
        return;
    }
    while (frame > thread->frame &&
           ((regions_key_of(thread, frame) ^ region->number) & REGIONS_KEY_NAME))
        frame--;
    if (frame > thread->frame)
        ccprof_regions_cut_to(thread, frame, now, false);
    else if (ccprof_regions_lost() == 0 && !atomic_exchange(&said, true)) {
        struct regions_caller caller;
        regions_caller_save(&caller);
        ccprof_say("ccprof_region_end: ", region->name, " was not begun", NULL);
        regions_caller_restore(&caller);
    }
}

/* How many buffers are noted in a thread that has begun no region.  */
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

/* Returns whether the buffer was filled before the thread began its first region.  */
static bool jump_is_early(const void *buffer, uintptr_t stack)
{
    for (unsigned i = 0; i < JUMP_EARLY; i++)
        if (jump_early.buffer[i] == buffer && jump_early.stack[i] == stack)
            return true;
    return false;
}

/* The alternate signal stack, if the thread is on it.  */
struct jump_stack {
    uintptr_t from, size; /* size 0: the thread is not on the alternate signal stack */
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
    /* The jump may leave a signal handler that interrupted a change of figures.  */
    thread->limit = thread->end;
    if (frame < thread->top)
        ccprof_regions_cut_to(thread, frame, ccprof_regions.clock->ticks(), true);
}
