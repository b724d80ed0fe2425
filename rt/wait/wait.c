/* SPDX-License-Identifier: MIT */
/* The begin and the end of a wait, and what ends it. Called by the program's threads,
   through the replacements of libc's functions. Owns each thread's memory for a walk. */

#define _GNU_SOURCE
#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "rt/os/memory.h"
#include "rt/os/sys.h"
#include "rt/samples/tags.h"
#include "rt/wait/wait-inside.h"

/* Nanoseconds between two times at which a thread settles its waits. It takes about 10
 * us. */
#define WAIT_PERIOD 4000000u

/* What the calling thread has taken for a walk, or null. */
static __thread struct ccprof_stack_work *walking;

bool ccprof_wait_start(uint32_t kept, void (*expect_end)(void))
{
    struct wait_memory *memory = ccprof_pages_map(sizeof *memory);

    if (!memory)
        return false;
    memory->points = ccprof_points_make(kept);
    if (memory->points && ccprof_objects_start()) {
        wait_threads_start(memory, expect_end);
        return true;
    }
    munmap(memory, sizeof *memory);
    return false;
}

bool ccprof_wait_is_on(void)
{
    return wait_memory != NULL;
}

uint32_t wait_capture(struct ccprof_points *copy, uint64_t pc, const uint64_t *registers,
                      uint32_t number)
{
    struct ccprof_stacks *stacks = &wait_memory->stacks;
    struct ccprof_stack_work *work = ccprof_stack_take(stacks);
    uint32_t stack;

    if (!work)
        return 0;
    walking = work;
    ccprof_stack_capture_call(work, pc, registers, copy != NULL);
    work->stack.address[work->stack.depth++] = CCPROF_TAGS_THREAD | number;
    stack = copy ? ccprof_points_put(copy, work->stack.address, work->stack.depth)
                 : wait_put(work->stack.address, work->stack.depth);
    walking = NULL;
    ccprof_stack_give_back(stacks, work);
    return stack;
}

void wait_give(uint32_t object, uint64_t time, uint64_t taken, uint32_t cause)
{
    struct ccprof_wait_object *to = ccprof_objects_at(object);
    struct ccprof_wait_gift *gift =
        &to->gift[atomic_fetch_add(&to->next, 1) % CCPROF_WAIT_GIFTS];

    gift->time = 0;
    gift->taken = taken;
    gift->cause = cause;
    gift->time = time;
}

/* Returns whether threads of the process end such waits, so that the object counts its
   waiters. */
static bool wait_is_ended_by_threads(enum ccprof_wait_reason reason)
{
    return wait_is_for_lock(reason) ||
           (reason >= CCPROF_WAIT_CONDITION && reason <= CCPROF_WAIT_JOIN);
}

static void wait_count_waiters(const struct ccprof_wait *wait, uint32_t more)
{
    if (wait->number && wait_is_ended_by_threads(wait->reason))
        atomic_fetch_add(&ccprof_objects_at(wait->number)->waiters, more);
}

/* Settles the waits that the thread has collected, if there are enough of them. It does
   that before the next wait, since it may have got a lock with the last one. Returns the
   time afterwards. */
static uint64_t wait_settle_some(struct wait_thread *thread)
{
    const uint64_t now = wait_clock();

    if (thread->count != WAIT_PENDING &&
        (!thread->count || now - thread->settled < WAIT_PERIOD))
        return now;
    int saved = errno;
    wait_settle(thread, false);
    errno = saved;
    return wait_clock();
}

void ccprof_wait_begin(struct ccprof_wait *wait, enum ccprof_wait_reason reason,
                       uint64_t object)
{
    wait->start = 0;
    if (!wait_enter())
        return;
    struct wait_thread *thread = wait_own();
    if (thread) {
        const uint64_t now = wait_settle_some(thread);
        struct ccprof_wait *outer =
            atomic_load_explicit(&thread->current, memory_order_relaxed);
        wait->self = wait;
        wait->reason = reason;
        wait->object = object;
        wait->number =
            object && wait_is_ended_by_threads(reason) ? ccprof_objects_put(object) : 0;
        wait_count_waiters(wait, 1);
        wait->stack = 0;
        wait->owner = 0;
        wait->taken = 0;
        /* A wait that a thread has left unnoticed is further in. */
        wait->outer = (uintptr_t)outer > (uintptr_t)wait
                          ? thread->open
                          : (struct ccprof_wait_open){.self = NULL};
        wait->ended = 0;
        wait->start = now;
        thread->open = (struct ccprof_wait_open){wait, wait->start, object, reason, 0};
        atomic_store_explicit(&thread->current, wait, memory_order_release);
    } else {
        wait->start = wait_clock();
    }
    wait_inside = 0;
}

void ccprof_wait_walk(struct ccprof_wait *wait)
{
    int saved = errno;

    if (wait->start == 0 || !wait_mine || !wait_enter())
        return;
    if (wait->stack == 0)
        wait->stack = wait_capture(NULL, wait->pc, wait->registers, wait_mine->number);
    wait_mine->open.stack = wait->stack;
    wait_inside = 0;
    errno = saved;
}

void ccprof_wait_set_owner(struct ccprof_wait *wait, uint32_t tid)
{
    struct wait_memory *memory = wait_memory;

    if (wait->start == 0 || tid == 0)
        return;
    const uint32_t used = atomic_load_explicit(&memory->used, memory_order_relaxed);
    for (uint32_t i = 0; i < used; i++)
        if (atomic_load_explicit(&memory->tid[i], memory_order_relaxed) == tid) {
            wait->owner = memory->thread[i].number;
            wait->taken = ccprof_held_find(&memory->thread[i].held, wait->object);
            break;
        }
}

/* Adds the wait to those that the thread collects. */
static void wait_collect(struct wait_thread *thread, struct ccprof_wait *wait,
                         uint64_t now, bool timed_out)
{
    if (wait->stack == 0)
        wait->stack = wait_capture(NULL, wait->pc, wait->registers, thread->number);
    if (thread != wait_mine)
        return; /* a handler has forked, and this is the child */
    if (wait->stack == 0 || thread->count == WAIT_PENDING) {
        atomic_fetch_add(&wait_lost, 1);
        return;
    }
    const uint32_t count = atomic_load_explicit(&thread->count, memory_order_relaxed);
    struct wait_pending *pending = &thread->pending[count];
    pending->kind.taken = wait->taken;
    pending->kind.stack = wait->stack;
    pending->kind.cause = 0;
    pending->kind.object = wait->number;
    pending->kind.reason = (uint16_t)wait->reason;
    pending->kind.end = timed_out                        ? CCPROF_WAIT_BY_TIMEOUT
                        : wait_is_for_lock(wait->reason) ? CCPROF_WAIT_BY_THREAD
                                                         : CCPROF_WAIT_BY_OUTSIDE;
    pending->start = wait->start;
    pending->length = now - wait->start;
    pending->owner = wait->owner;
    pending->resolved = false;
    atomic_store_explicit(&thread->count, count + 1, memory_order_release);
}

/* The thread is no longer in the wait. */
static void wait_leave(struct ccprof_wait *wait)
{
    atomic_store_explicit(&wait_mine->current, (struct ccprof_wait *)wait->outer.self,
                          memory_order_relaxed);
    wait_mine->open = wait->outer;
    wait_count_waiters(wait, UINT32_MAX);
}

/* Returns whether the wait can be ended. One that began before a fork, in a handler, is
   the parent's. */
static bool wait_enter_end(const struct ccprof_wait *wait)
{
    return wait->start != 0 && wait_mine && wait->start >= wait_mine->begun &&
           wait_enter();
}

void ccprof_wait_drop(struct ccprof_wait *wait)
{
    if (!wait_enter_end(wait))
        return;
    wait_leave(wait);
    wait_inside = 0;
}

void ccprof_wait_end(struct ccprof_wait *wait, bool timed_out)
{
    if (wait_absence == WAIT_NO_PLACE && wait->start != 0 &&
        wait_clock() - wait->start >= CCPROF_WAIT_LEAST)
        atomic_fetch_add(&wait_lost, 1);
    if (!wait_enter_end(wait))
        return;
    const uint64_t now = wait->ended ? wait->ended : wait_clock();
    wait_leave(wait);
    if (now - wait->start >= CCPROF_WAIT_LEAST) {
        int saved = errno;
        wait_collect(wait_mine, wait, now, timed_out);
        errno = saved;
    }
    wait_inside = 0;
}

/* The thread is no longer in the code of the room that a handler has interrupted. */
static void wait_leave_inside(void)
{
    if (walking)
        ccprof_stack_give_back(&wait_memory->stacks, walking);
    walking = NULL;
    wait_inside = 0;
}

/* Ends a wait whose call does not return. */
static void wait_end_unfinished(struct ccprof_wait *wait)
{
    if (wait->object && !wait_is_ended_by_threads(wait->reason))
        ccprof_wait_set_kind(wait, (int)wait->object - 1, false);
    ccprof_wait_end(wait, false);
}

/* Ends the innermost wait, whose frame is gone, so that its stack is only known if it was
   walked before. */
static void wait_end_gone(struct wait_thread *thread)
{
    const struct ccprof_wait_open *open = &thread->open;
    const uint64_t stack = CCPROF_TAGS_THREAD | thread->number;
    struct ccprof_wait wait = {.start = open->start,
                               .reason = open->reason,
                               .object = open->object,
                               .number = ccprof_objects_find(open->object),
                               .stack = open->stack ? open->stack : wait_put(&stack, 1)};
    wait_settle_some(thread);
    wait_end_unfinished(&wait);
}

void wait_end_left(struct wait_thread *thread)
{
    wait_leave_inside();
    if (thread->open.self && atomic_load(&thread->current) == thread->open.self)
        wait_end_gone(thread);
}

/* A jump goes outwards on its stack, or from a handler's stack to that of the thread. */
static bool wait_is_left(uintptr_t frame, uintptr_t from, uintptr_t to)
{
    return frame != 0 && frame < to && (frame > from || from > to);
}

void ccprof_wait_jump(uintptr_t to)
{
    const uintptr_t from = (uintptr_t)__builtin_frame_address(0);
    struct ccprof_wait *wait;

    if (!wait_mine)
        return;
    if (wait_is_left(wait_inside, from, to))
        wait_leave_inside();
    while ((wait = atomic_load(&wait_mine->current)) != NULL &&
           wait_is_left((uintptr_t)wait, from, to)) {
        const struct ccprof_wait_open *open = &wait_mine->open;
        /* If the thread was cancelled before, something else is there. */
        const bool is_there = open->self == wait && wait->self == wait &&
                              wait->start == open->start &&
                              wait->object == open->object &&
                              wait->reason == open->reason && wait->stack == open->stack;
        const struct ccprof_wait_open outer =
            is_there ? wait->outer : (struct ccprof_wait_open){.self = NULL};
        if (is_there)
            wait_end_unfinished(wait);
        else if (open->self == wait)
            wait_end_gone(wait_mine);
        wait_mine->open = outer;
        atomic_store(&wait_mine->current, (struct ccprof_wait *)outer.self);
    }
}

bool ccprof_wait_has_waiters(uint64_t object)
{
    const uint32_t number = wait_memory ? ccprof_objects_find(object) : 0;

    return number && atomic_load_explicit(&ccprof_objects_at(number)->waiters,
                                          memory_order_relaxed) != 0;
}

void ccprof_wait_wake(struct ccprof_wait_wake *wake, uint64_t object)
{
    wake->start = wait_memory ? wait_clock() : 0;
    wake->object = object;
    wake->taken = 0;
}

void ccprof_wait_woke(struct ccprof_wait_wake *wake)
{
    int saved = errno;

    if (wake->start == 0 || !wait_enter())
        return;
    struct wait_thread *thread = wait_own();
    const uint32_t object = ccprof_objects_find(wake->object);
    if (thread && object) {
        const uint32_t cause =
            wait_capture(NULL, wake->pc, wake->registers, thread->number);
        if (cause && thread == wait_mine)
            wait_give(object, wake->start, wake->taken, cause);
    }
    wait_inside = 0;
    errno = saved;
}

/* The lists of the parent's threads are gone; so are the objects' waiters. All addresses
   stay mapped: the fork may have been in a handler that has interrupted the recording. */
void ccprof_wait_fork_child(void)
{
    struct wait_memory *memory = wait_memory;

    if (!memory)
        return;
    struct ccprof_points *points = memory->points;
    wait_memory = NULL;
    wait_mine = NULL;
    ccprof_held = NULL;
    walking = NULL;
    wait_inside = 0;
    wait_absence = WAIT_PRESENT;
    atomic_store(&wait_lost, 0);
    if (!ccprof_pages_clear(memory, sizeof *memory) || !ccprof_points_clear(points) ||
        !ccprof_objects_clear())
        return;
    memory->points = points;
    wait_threads_start(memory, NULL);
}
