/* SPDX-License-Identifier: MIT */
/* Records waits. Owns the memory of the room. Called by the program's threads, through
   the replacements of libc's functions. */

#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>

#include "rt/os/memory.h"
#include "rt/os/proc.h"
#include "rt/os/sys.h"
#include "rt/samples/tags.h"
#include "rt/wait/wait-inside.h"

/* Nanoseconds between two times at which a thread settles its waits. It takes about 10
 * us. */
#define WAIT_PERIOD 4000000u

/* How long a thread waits for the lock, in nanoseconds: the writer copies everything with
   the lock held. */
#define WAIT_PATIENCE 100000000u

struct wait_memory *wait_memory;
uint64_t wait_begun;
_Atomic uint64_t wait_lost;
__thread volatile bool wait_is_inside;

/* The calling thread; null: none yet, or HAS_ENDED. */
static __thread struct wait_thread *mine;
static __thread bool has_ended;

static uint32_t singles_kept;

/* The vDSO's clock, without a system call. */
static uint64_t wait_clock(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static struct wait_memory *wait_make(void)
{
    struct wait_memory *memory = ccprof_pages_map(sizeof *memory);

    if (!memory)
        return NULL;
    memory->points = ccprof_points_make(singles_kept);
    if (memory->points)
        return memory;
    munmap(memory, sizeof *memory);
    return NULL;
}

bool ccprof_wait_start(uint32_t kept)
{
    singles_kept = kept;
    struct wait_memory *memory = wait_make();
    if (!memory || !ccprof_objects_start())
        return false;
    wait_memory = memory;
    ccprof_wait_thread_begin(false);
    wait_begun = mine ? mine->begun : wait_clock();
    return true;
}

struct wait_thread *wait_self(void)
{
    return mine;
}

bool ccprof_wait_is_on(void)
{
    return wait_memory != NULL;
}

static bool wait_lock(ccprof_lock *lock)
{
    return ccprof_lock_try(lock) || ccprof_lock_wait(lock, WAIT_PATIENCE);
}

static bool wait_enter(void)
{
    if (!wait_memory || wait_is_inside || has_ended || ccprof_strict)
        return false;
    wait_is_inside = true;
    return true;
}

/* Takes a free place for the calling thread. Returns null if there is none. */
static struct wait_thread *wait_take_place(void)
{
    struct wait_memory *memory = wait_memory;
    const uint32_t tid = (uint32_t)ccprof_sys_gettid();

    for (uint32_t i = 0; i < WAIT_THREADS; i++) {
        uint32_t is_free = 0;
        if (!atomic_compare_exchange_strong(&memory->tid[i], &is_free, tid))
            continue;
        uint32_t used = atomic_load(&memory->used);
        while (used <= i && !atomic_compare_exchange_weak(&memory->used, &used, i + 1)) {
        }
        return &memory->thread[i];
    }
    return NULL;
}

/* Waits until the writer has copied the thread. */
static void wait_hold(struct wait_thread *thread)
{
    uint32_t turn = 0;

    while (!ccprof_spin_try_once(&thread->busy))
        ccprof_spin_pause(&turn);
}

static struct wait_thread *wait_begin_thread(void)
{
    int saved = errno;
    struct wait_thread *thread = mine ? mine : wait_take_place();

    if (!thread)
        return NULL;
    wait_hold(thread);
    memset((char *)thread + offsetof(struct wait_thread, number), 0,
           sizeof *thread - offsetof(struct wait_thread, number));
    ccprof_tags.thread = ccprof_threadnames_number(ccprof_tags.thread);
    thread->number = ccprof_threadnames_note(ccprof_tags.thread);
    thread->held = &ccprof_held;
    thread->is_ready_known = ccprof_thread_ready(0, &thread->ready);
    thread->begun_ready = thread->ready;
    thread->begun_cpu = thread->cpu = ccprof_sys_clock(CLOCK_THREAD_CPUTIME_ID);
    thread->begun = thread->settled = wait_clock();
    ccprof_spin_release(&thread->busy);
    errno = saved;
    return mine = thread;
}

void ccprof_wait_thread_begin(bool is_of_pool)
{
    if (!wait_enter())
        return;
    struct wait_thread *thread = wait_begin_thread();
    if (thread)
        thread->is_of_pool = is_of_pool;
    wait_is_inside = false;
}

uint32_t wait_capture(struct ccprof_points *points, ccprof_lock *lock, uint64_t pc,
                      const uint64_t *registers, uint32_t number)
{
    struct wait_memory *memory = wait_memory;
    struct ccprof_stack_work *work = ccprof_stack_take(&memory->stacks);
    uint32_t stack = 0;

    if (!work)
        return 0;
    ccprof_stack_capture_call(work, pc, registers);
    work->stack.address[work->stack.depth++] = CCPROF_TAGS_THREAD | number;
    stack = ccprof_points_find(points, work->stack.address, work->stack.depth);
    if (stack == 0 && (!lock || wait_lock(lock))) {
        stack = ccprof_points_put(points, work->stack.address, work->stack.depth);
        if (lock)
            ccprof_lock_release(lock);
    }
    ccprof_stack_give_back(&memory->stacks, work);
    return stack;
}

static uint32_t wait_capture_own(uint64_t pc, const uint64_t *registers)
{
    struct wait_memory *memory = wait_memory;

    return wait_capture(memory->points, &memory->lock, pc, registers, mine->number);
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
    if (!ccprof_spin_try(&object->busy))
        return false;
    for (unsigned i = 0; i < CCPROF_WAIT_GIFTS; i++) {
        const struct ccprof_wait_gift *gift = &object->gift[i];
        if (gift->time >= pending->start && gift->time <= until &&
            gift->time > found->time && gift->cause < points->known &&
            (!pending->owner ||
             (points->point[gift->cause].thread == pending->owner &&
              (!pending->kind.taken || gift->taken == pending->kind.taken))))
            *found = *gift;
    }
    ccprof_spin_release(&object->busy);
    return found->time != 0;
}

static bool wait_is_for_lock(unsigned reason)
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
        uint64_t time = pending[i].length;
        if (wait_is_around_others(pending[i].kind.reason)) {
            time = wait_part(time, rest, around);
            if (time < CCPROF_WAIT_LEAST)
                continue;
        } else if (pending[i].kind.reason != CCPROF_WAIT_SPIN) {
            time = wait_part(time, blocked, sum);
        }
        ccprof_points_add(points, &pending[i].kind, pending[i].start - wait_begun,
                          pending[i].length, time);
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

/* Adds the thread's collected waits. Only the thread itself calls this. */
static void wait_settle(struct wait_thread *thread)
{
    struct wait_memory *memory = wait_memory;
    const uint64_t cpu = ccprof_sys_clock(CLOCK_THREAD_CPUTIME_ID);
    uint64_t ready = thread->ready;

    if (thread->is_ready_known)
        ccprof_thread_ready(0, &ready);
    const uint64_t now = wait_clock();
    /* A handler may have forked, and this be the child. A child of vfork has its own
       times. */
    if (thread != mine || cpu < thread->cpu || ready < thread->ready) {
        atomic_fetch_add(&wait_lost, thread->count);
        thread->count = 0;
        return;
    }
    /* Threads get their names soon after they start. */
    thread->settles++;
    if ((thread->settles & (thread->settles - 1)) == 0)
        ccprof_threadnames_note(ccprof_tags.thread);
    wait_hold(thread);
    if (wait_lock(&memory->lock)) {
        for (uint32_t i = 0; i < thread->count; i++)
            wait_resolve(memory->points, &thread->pending[i]);
        wait_add_rest(memory->points, thread, now);
        wait_settle_all(memory->points, thread->pending, thread->count,
                        now - thread->settled, cpu - thread->cpu, ready - thread->ready);
        ccprof_lock_release(&memory->lock);
    } else {
        atomic_fetch_add(&wait_lost, thread->count);
    }
    thread->settled = now;
    thread->cpu = cpu;
    thread->ready = ready;
    thread->count = 0;
    ccprof_spin_release(&thread->busy);
}

void wait_add_state(struct ccprof_points *points, const struct wait_thread *thread,
                    uint64_t now, uint64_t cpu, uint64_t ready)
{
    uint32_t number = thread->number;

    if (number > CCPROF_THREADNAMES_MAX)
        number = CCPROF_THREADNAMES_OTHERS;
    struct ccprof_wait_state *state = &points->state[number];
    if (!state->any)
        *state = (struct ccprof_wait_state){.start = thread->begun - wait_begun,
                                            .any = true,
                                            .is_ready_known = thread->is_ready_known};
    state->wall += now - thread->begun;
    state->cpu += cpu - thread->begun_cpu;
    state->ready += ready - thread->begun_ready;
    state->is_ready_known &= thread->is_ready_known;
}

static void wait_give(uint32_t object, const struct ccprof_wait_gift *gift)
{
    struct ccprof_wait_object *to = ccprof_objects_at(object);

    if (!ccprof_spin_try(&to->busy))
        return;
    to->gift[to->next++ % CCPROF_WAIT_GIFTS] = *gift;
    ccprof_spin_release(&to->busy);
}

/* The end of a thread ends the wait of one that joins it. */
static void wait_give_end(uint64_t now)
{
    const uint32_t object = ccprof_objects_find((uint64_t)pthread_self());
    const uint64_t thread = CCPROF_TAGS_THREAD | mine->number;
    struct ccprof_wait_gift gift = {.time = now};

    if (!object || !wait_lock(&wait_memory->lock))
        return;
    gift.cause = ccprof_points_put(wait_memory->points, &thread, 1);
    ccprof_lock_release(&wait_memory->lock);
    wait_give(object, &gift);
}

void ccprof_wait_thread_end(void)
{
    int saved = errno;
    struct wait_thread *thread = mine;

    if (!thread || !wait_enter())
        return;
    atomic_store(&thread->current, NULL);
    wait_settle(thread);
    wait_give_end(thread->settled);
    if (wait_lock(&wait_memory->lock)) {
        wait_add_state(wait_memory->points, thread, thread->settled, thread->cpu,
                       thread->ready);
        thread->begun = 0;
        atomic_store(&wait_memory->tid[thread - wait_memory->thread], 0);
        atomic_fetch_add(&wait_memory->ended, 1);
        ccprof_lock_release(&wait_memory->lock);
    }
    mine = NULL;
    has_ended = true;
    wait_is_inside = false;
    errno = saved;
}

/* Returns whether threads of the process end such waits, so that the object counts its
   waiters. */
static bool wait_is_ended_by_threads(enum ccprof_wait_reason reason)
{
    return wait_is_for_lock(reason) ||
           (reason >= CCPROF_WAIT_CONDITION && reason <= CCPROF_WAIT_JOIN);
}

void ccprof_wait_begin(struct ccprof_wait *wait, enum ccprof_wait_reason reason,
                       uint64_t object)
{
    wait->start = 0;
    if (!wait_enter())
        return;
    struct wait_thread *thread = mine ? mine : wait_begin_thread();
    if (thread) {
        struct ccprof_wait *outer =
            atomic_load_explicit(&thread->current, memory_order_relaxed);
        if (object && wait_is_ended_by_threads(reason)) {
            const uint32_t number = ccprof_objects_put(object);
            if (number)
                atomic_fetch_add(&ccprof_objects_at(number)->waiters, 1);
        }
        wait->self = wait;
        wait->reason = reason;
        wait->object = object;
        wait->stack = 0;
        wait->owner = 0;
        wait->taken = 0;
        /* A wait that a thread has left by a jump or a cancellation is further in. */
        wait->outer = (uintptr_t)outer > (uintptr_t)wait ? outer : NULL;
        wait->ended = 0;
        wait->start = wait_clock();
        atomic_store_explicit(&thread->reason, reason, memory_order_relaxed);
        atomic_store_explicit(&thread->entered, wait->start, memory_order_relaxed);
        atomic_store_explicit(&thread->current, wait, memory_order_release);
    }
    wait_is_inside = false;
}

void ccprof_wait_walk(struct ccprof_wait *wait)
{
    int saved = errno;

    if (wait->start == 0 || !wait_enter())
        return;
    if (wait->stack == 0)
        wait->stack = wait_capture_own(wait->pc, wait->registers);
    wait_is_inside = false;
    errno = saved;
}

void ccprof_wait_set_owner(struct ccprof_wait *wait, uint32_t tid)
{
    struct wait_memory *memory = wait_memory;
    int saved = errno;

    if (wait->start == 0 || tid == 0)
        return;
    const uint32_t used = atomic_load_explicit(&memory->used, memory_order_relaxed);
    for (uint32_t i = 0; i < used; i++)
        if (atomic_load_explicit(&memory->tid[i], memory_order_relaxed) == tid) {
            wait->owner = memory->thread[i].number;
            wait->taken = ccprof_held_find(memory->thread[i].held, wait->object);
            break;
        }
    errno = saved;
}

/* Gives the file's object its name when it is new. */
static void wait_name_file(struct ccprof_wait_object *object, int fd)
{
    char path[40];
    struct ccprof_text text;

    if (!ccprof_spin_try(&object->busy))
        return;
    if (!*object->name) {
        ccprof_text_open(&text, path, sizeof path, NULL);
        ccprof_text_string(&text, "/proc/self/fd/");
        ccprof_text_decimal(&text, (uint64_t)fd);
        ccprof_text_end(&text);
        ssize_t got = ccprof_sys_readlink(path, object->name, sizeof object->name - 1);
        object->name[got > 0 ? got : 0] = '\0';
    }
    ccprof_spin_release(&object->busy);
}

void ccprof_wait_set_kind(struct ccprof_wait *wait, int fd, bool sends)
{
    struct stat status;

    wait->object = 0;
    if (wait->start == 0)
        return;
    wait->ended = wait_clock();
    if (wait->ended - wait->start < CCPROF_WAIT_LEAST || !wait_enter())
        return;
    int saved = errno;
    if (ccprof_sys_fstat(fd, &status) == 0) {
        if (wait->reason >= CCPROF_WAIT_RECEIVE && wait->reason <= CCPROF_WAIT_FILE)
            wait->reason = S_ISREG(status.st_mode) || S_ISBLK(status.st_mode) ||
                                   S_ISDIR(status.st_mode)
                               ? CCPROF_WAIT_FILE
                           : S_ISSOCK(status.st_mode)
                               ? sends ? CCPROF_WAIT_SEND : CCPROF_WAIT_RECEIVE
                           : S_ISFIFO(status.st_mode) ? CCPROF_WAIT_PIPE
                                                      : CCPROF_WAIT_DEVICE;
        const uint64_t hash = ((uint64_t)status.st_ino +
                               (uint64_t)status.st_dev * UINT64_C(0x9e3779b97f4a7c15)) &
                              ~CCPROF_TAGS_KIND;
        wait->object = CCPROF_OBJECTS_FILE | hash;
        const uint32_t number = ccprof_objects_put(wait->object);
        if (number)
            wait_name_file(ccprof_objects_at(number), fd);
    }
    wait_is_inside = false;
    errno = saved;
}

/* Adds the wait to those that the thread collects. */
static void wait_collect(struct wait_thread *thread, struct ccprof_wait *wait,
                         uint64_t now, bool timed_out)
{
    if (wait->stack == 0)
        wait->stack = wait_capture_own(wait->pc, wait->registers);
    if (thread != mine)
        return; /* a handler has forked, and this is the child */
    if (wait->stack == 0 || !ccprof_spin_try(&thread->busy)) {
        atomic_fetch_add(&wait_lost, 1);
        return;
    }
    thread->pending[thread->count++] = (struct wait_pending){
        .kind = {.taken = wait->taken,
                 .stack = wait->stack,
                 .object = wait->object ? ccprof_objects_find(wait->object) : 0,
                 .reason = (uint16_t)wait->reason,
                 .end = timed_out                        ? CCPROF_WAIT_BY_TIMEOUT
                        : wait_is_for_lock(wait->reason) ? CCPROF_WAIT_BY_THREAD
                                                         : CCPROF_WAIT_BY_OUTSIDE},
        .start = wait->start,
        .length = now - wait->start,
        .owner = wait->owner};
    ccprof_spin_release(&thread->busy);
    if (thread->count == WAIT_PENDING || now - thread->settled >= WAIT_PERIOD)
        wait_settle(thread);
}

/* The thread is no longer in the wait. */
static void wait_leave(struct ccprof_wait *wait)
{
    atomic_store_explicit(&mine->current, wait->outer, memory_order_relaxed);
    if (wait->object && wait_is_ended_by_threads(wait->reason)) {
        const uint32_t number = ccprof_objects_find(wait->object);
        if (number)
            atomic_fetch_sub(&ccprof_objects_at(number)->waiters, 1);
    }
}

/* Returns whether the wait can be ended. One that began before a fork, in a handler, is
   the parent's. */
static bool wait_enter_end(const struct ccprof_wait *wait)
{
    return wait->start != 0 && mine && wait->start >= mine->begun && wait_enter();
}

void ccprof_wait_drop(struct ccprof_wait *wait)
{
    if (!wait_enter_end(wait))
        return;
    wait_leave(wait);
    wait_is_inside = false;
}

void ccprof_wait_end(struct ccprof_wait *wait, bool timed_out)
{
    if (!wait_enter_end(wait))
        return;
    const uint64_t now = wait->ended ? wait->ended : wait_clock();
    wait_leave(wait);
    if (now - wait->start >= CCPROF_WAIT_LEAST) {
        int saved = errno;
        wait_collect(mine, wait, now, timed_out);
        errno = saved;
    }
    wait_is_inside = false;
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
    struct wait_thread *thread = mine ? mine : wait_begin_thread();
    const uint32_t object = ccprof_objects_find(wake->object);
    if (thread && object) {
        struct ccprof_wait_gift gift = {.time = wake->start, .taken = wake->taken};
        gift.cause = wait_capture_own(wake->pc, wake->registers);
        if (gift.cause && thread == mine)
            wait_give(object, &gift);
    }
    wait_is_inside = false;
    errno = saved;
}

/* The lists of the parent's threads are gone; so are the objects' waiters. The parent's
   memory stays: the fork may have been in a handler that has interrupted the recording.
 */
void ccprof_wait_fork_child(void)
{
    if (!wait_memory)
        return;
    wait_memory = NULL;
    mine = NULL;
    wait_is_inside = has_ended = false;
    atomic_store(&wait_lost, 0);
    ccprof_wait_start(singles_kept);
}
