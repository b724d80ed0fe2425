/* SPDX-License-Identifier: MIT */
/* The threads that wait, and how their waits are added up: a thread collects waits, and
   settles them together, with the kernel's times since it has settled last. Owns the
   memory of the room. Called by the program's threads (wait.c) and by write.c. */

#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>

#include "rt/os/memory.h"
#include "rt/os/proc.h"
#include "rt/os/sys.h"
#include "rt/samples/tags.h"
#include "rt/wait/wait-inside.h"

/* How long a thread waits for a lock, in nanoseconds: the writer copies everything with
   the lock held. */
#define WAIT_PATIENCE 100000000u

/* Nanoseconds between two times at which a thread reads how long it was ready: it opens a
   file. LEAST if that matters, and up to MOST if it was ready for less than a part of
   WAIT_READY_PART. */
#define WAIT_READY_LEAST 4000000u
#define WAIT_READY_MOST  64000000u
#define WAIT_READY_PART  64

struct wait_memory *wait_memory;
uint64_t wait_begun, wait_least;
_Atomic uint64_t wait_lost;
__thread struct wait_thread *wait_mine;
__thread volatile uintptr_t wait_inside;
__thread enum wait_absence wait_absence;

static void (*expect_end)(void);

uint64_t wait_clock(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static bool wait_lock(ccprof_lock *lock)
{
    return ccprof_lock_try(lock) || ccprof_lock_wait(lock, WAIT_PATIENCE);
}

void wait_threads_start(struct wait_memory *memory, void (*expect)(void))
{
    if (expect)
        expect_end = expect;
    wait_memory = memory;
    ccprof_wait_thread_begin(false);
    wait_begun = wait_mine ? wait_mine->begun : wait_clock();
}

/* Takes a free place for the calling thread. Returns null if there is none. */
static struct wait_thread *wait_take_place(uint32_t tid)
{
    struct wait_memory *memory = wait_memory;

    for (uint32_t i = 0; i < WAIT_THREADS; i++) {
        uint32_t is_free = 0;
        if (atomic_load_explicit(&memory->tid[i], memory_order_relaxed) != 0 ||
            !atomic_compare_exchange_strong(&memory->tid[i], &is_free, tid))
            continue;
        uint32_t used = atomic_load(&memory->used);
        while (used <= i && !atomic_compare_exchange_weak(&memory->used, &used, i + 1)) {
        }
        return &memory->thread[i];
    }
    return NULL;
}

static void wait_begin_thread(bool is_of_pool)
{
    const uint32_t tid = (uint32_t)ccprof_sys_gettid();
    struct wait_thread *thread = wait_mine ? wait_mine : wait_take_place(tid);

    if (!thread || !ccprof_spin_wait(&thread->busy, WAIT_PATIENCE)) {
        wait_absence = WAIT_NO_PLACE;
        return;
    }
    memset((char *)thread + offsetof(struct wait_thread, number), 0,
           offsetof(struct wait_thread, pending) - offsetof(struct wait_thread, number));
    ccprof_tags.thread = ccprof_threadnames_number(ccprof_tags.thread);
    thread->number = ccprof_threadnames_note(ccprof_tags.thread);
    if (thread->number > CCPROF_THREADNAMES_MAX)
        thread->number = CCPROF_THREADNAMES_OTHERS;
    thread->held.tid = tid;
    thread->is_of_pool = is_of_pool;
    thread->is_ready_known = ccprof_thread_ready(0, &thread->ready);
    thread->begun_ready = thread->ready;
    thread->begun_cpu = thread->cpu = ccprof_sys_clock(CLOCK_THREAD_CPUTIME_ID);
    thread->begun = thread->settled = thread->ready_read = wait_clock();
    ccprof_spin_release(&thread->busy);
    wait_mine = thread;
    ccprof_held = &thread->held;
}

struct wait_thread *wait_own(void)
{
    struct ccprof_blocked blocked;

    if (wait_mine || wait_absence)
        return wait_mine;
    int saved = errno;
    ccprof_blocked_begin(&blocked);
    wait_begin_thread(false);
    if (wait_mine)
        expect_end();
    ccprof_blocked_end(&blocked);
    errno = saved;
    return wait_mine;
}

void ccprof_wait_thread_begin(bool is_of_pool)
{
    int saved = errno;

    if (!wait_enter())
        return;
    wait_begin_thread(is_of_pool);
    wait_inside = 0;
    errno = saved;
}

uint32_t wait_put(const uint64_t *address, uint32_t count)
{
    struct wait_memory *memory = wait_memory;
    uint32_t number = ccprof_points_find(memory->points, address, count);
    struct ccprof_blocked blocked;

    if (number)
        return number;
    ccprof_blocked_begin(&blocked);
    if (wait_lock(&memory->lock)) {
        number = ccprof_points_put(memory->points, address, count);
        ccprof_lock_release(&memory->lock);
    }
    ccprof_blocked_end(&blocked);
    return number;
}

/* Finds the gift that has ended the wait: the last one before its end. If the thread that
   held the lock is known, only one of this thread and call. Returns whether there is one.
 */
static bool wait_find_gift(const struct ccprof_points *points,
                           const struct wait_pending *pending,
                           struct ccprof_wait_gift *found)
{
    const uint64_t until = pending->start + pending->length;
    struct ccprof_wait_object *object = ccprof_objects_at(pending->kind.object);

    found->time = 0;
    for (unsigned i = 0; i < CCPROF_WAIT_GIFTS; i++) {
        struct ccprof_wait_gift *gift = &object->gift[i];
        const uint64_t time = gift->time, taken = gift->taken;
        const uint32_t cause = gift->cause;
        if (gift->time == time && time >= pending->start && time <= until &&
            time > found->time && cause < points->known &&
            (!pending->owner || (points->point[cause].thread == pending->owner &&
                                 (!pending->kind.taken || taken == pending->kind.taken))))
            *found = (struct ccprof_wait_gift){time, taken, cause};
    }
    return found->time != 0;
}

bool wait_knows_owner(unsigned reason)
{
    return reason == CCPROF_WAIT_MUTEX || reason == CCPROF_WAIT_RWLOCK ||
           reason == CCPROF_WAIT_SPIN;
}

void wait_resolve(struct ccprof_points *points, struct wait_pending *pending)
{
    struct ccprof_wait_gift gift;

    if (pending->resolved)
        return;
    pending->resolved = true;
    if (ccprof_points_is_process(pending->kind.taken))
        return;
    if (pending->kind.object && wait_find_gift(points, pending, &gift)) {
        pending->kind.cause = gift.cause;
        if (!pending->kind.taken)
            pending->kind.taken = gift.taken;
        if (pending->kind.end == CCPROF_WAIT_BY_OUTSIDE)
            pending->kind.end = CCPROF_WAIT_BY_THREAD;
    } else if (pending->owner) {
        const uint64_t thread = CCPROF_TAGS_THREAD | pending->owner;
        pending->kind.cause = ccprof_points_put(points, &thread, 1);
    }
}

/* Returns the part of TIME that is left if NEEDED must fit into THERE. */
static uint64_t wait_part(uint64_t time, uint64_t there, uint64_t needed)
{
    return needed > there ? (uint64_t)((unsigned __int128)time * there / needed) : time;
}

void wait_settle_all(struct ccprof_points *points, const struct wait_pending *pending,
                     uint32_t count, uint64_t passed, uint64_t cpu, uint64_t ready)
{
    const uint64_t blocked = passed > cpu + ready ? passed - cpu - ready : 0;
    uint64_t sum = 0, around = 0;

    for (uint32_t i = 0; i < count; i++)
        if (wait_is_around_others(pending[i].kind.reason))
            around += pending[i].length;
        else if (pending[i].kind.reason != CCPROF_WAIT_SPIN)
            sum += pending[i].length;
    const uint64_t rest = blocked > sum ? blocked - sum : 0;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t start = pending[i].start - wait_begun, time = pending[i].length,
                 length = time;
        if (wait_is_around_others(pending[i].kind.reason)) {
            time = wait_part(time, rest, around);
            if (time < wait_least)
                continue;
            /* The thread works first. */
            start += length - time;
            length = time;
        } else if (pending[i].kind.reason != CCPROF_WAIT_SPIN) {
            time = wait_part(time, blocked, sum);
        }
        ccprof_points_add(points, &pending[i].kind, start, length, time);
    }
}

void wait_add_rest(struct ccprof_points *points, struct wait_thread *thread, uint64_t now)
{
    const uint64_t stack = CCPROF_TAGS_THREAD | thread->number;

    if (!thread->is_of_pool)
        return;
    thread->pending[thread->count++] =
        (struct wait_pending){.kind = {.stack = ccprof_points_put(points, &stack, 1),
                                       .reason = CCPROF_WAIT_OPENMP,
                                       .end = CCPROF_WAIT_BY_OUTSIDE},
                              .start = thread->settled,
                              .length = now - thread->settled};
}

/* Reads how long the thread was ready, if it is time for that. Time that is read later is
   taken from later waits. */
static uint64_t wait_read_ready(struct wait_thread *thread, uint64_t now)
{
    const uint64_t passed = now - thread->ready_read;
    uint64_t ready = thread->ready;

    if (passed < thread->ready_period)
        return ready;
    thread->is_ready_known = ccprof_thread_ready(0, &ready);
    thread->ready_read = now;
    thread->ready_period = thread->ready_period >= WAIT_READY_LEAST &&
                                   (ready - thread->ready) * WAIT_READY_PART < passed
                               ? 2 * thread->ready_period
                               : WAIT_READY_LEAST;
    if (thread->ready_period > WAIT_READY_MOST)
        thread->ready_period = WAIT_READY_MOST;
    return ready;
}

static void wait_add_collected(struct wait_thread *thread, uint64_t now, uint64_t cpu,
                               uint64_t ready)
{
    struct ccprof_points *points = wait_memory->points;

    for (uint32_t i = 0; i < thread->count; i++)
        wait_resolve(points, &thread->pending[i]);
    wait_add_rest(points, thread, now);
    wait_settle_all(points, thread->pending, thread->count, now - thread->settled,
                    cpu - thread->cpu, ready - thread->ready);
}

void wait_settle(struct wait_thread *thread, bool is_last)
{
    struct wait_memory *memory = wait_memory;
    struct ccprof_blocked blocked;

    /* Without signals, so that no handler leaves the locks taken by a jump. */
    ccprof_blocked_begin(&blocked);
    if (is_last)
        thread->ready_period = 0;
    const uint64_t cpu = ccprof_sys_clock(CLOCK_THREAD_CPUTIME_ID);
    const uint64_t now = wait_clock();
    const uint64_t ready = wait_read_ready(thread, now);
    /* Threads get their names soon after they start. */
    thread->settles++;
    if ((thread->settles & (thread->settles - 1)) == 0)
        ccprof_threadnames_note(ccprof_tags.thread);
    /* A handler may have forked, and this be the child. A child of vfork has its own
       times. */
    if (thread == wait_mine && cpu >= thread->cpu && ready >= thread->ready &&
        ccprof_spin_wait(&thread->busy, WAIT_PATIENCE)) {
        if (wait_lock(&memory->lock)) {
            wait_add_collected(thread, now, cpu, ready);
            ccprof_lock_release(&memory->lock);
        } else {
            atomic_fetch_add(&wait_lost, thread->count);
        }
        thread->settled = now;
        thread->cpu = cpu;
        thread->ready = ready;
        thread->count = 0;
        ccprof_spin_release(&thread->busy);
    } else {
        atomic_fetch_add(&wait_lost, thread->count);
        thread->count = 0;
    }
    ccprof_blocked_end(&blocked);
}

void wait_add_state(struct ccprof_points *points, const struct wait_thread *thread,
                    uint64_t now, uint64_t cpu, uint64_t ready)
{
    struct ccprof_wait_state *state = &points->state[thread->number];

    if (!state->any)
        *state = (struct ccprof_wait_state){.start = thread->begun - wait_begun,
                                            .any = true,
                                            .is_ready_known = thread->is_ready_known};
    state->wall += now - thread->begun;
    state->cpu += cpu - thread->begun_cpu;
    state->ready += ready - thread->begun_ready;
    state->is_ready_known &= thread->is_ready_known;
}

/* The end of a thread ends the wait of one that joins it. */
static void wait_give_end(struct wait_thread *thread)
{
    const uint32_t object = ccprof_objects_find((uint64_t)pthread_self());
    const uint64_t stack = CCPROF_TAGS_THREAD | thread->number;

    if (object)
        wait_give(object, thread->settled, 0, wait_put(&stack, 1));
}

void ccprof_wait_thread_end(void)
{
    int saved = errno;
    struct wait_thread *thread = wait_mine;

    if (!thread || ccprof_strict)
        return;
    wait_end_left(thread);
    wait_settle(thread, true);
    wait_give_end(thread);
    if (wait_lock(&wait_memory->lock)) {
        wait_add_state(wait_memory->points, thread, thread->settled, thread->cpu,
                       thread->ready);
        thread->begun = 0;
        atomic_store(&wait_memory->tid[thread - wait_memory->thread], 0);
        atomic_fetch_add(&wait_memory->ended, 1);
        ccprof_lock_release(&wait_memory->lock);
    }
    wait_mine = NULL;
    ccprof_held = NULL;
    wait_absence = WAIT_ENDED;
    errno = saved;
}
