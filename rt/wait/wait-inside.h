/* SPDX-License-Identifier: MIT */
/* Shared by wait.c, which records waits, threads.c, which adds them up, and write.c,
   which writes them. */

#ifndef CCPROF_WAIT_INSIDE_H
#define CCPROF_WAIT_INSIDE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "rt/os/lock.h"
#include "rt/unwind/stack.h"
#include "rt/wait/held.h"
#include "rt/wait/points.h"
#include "rt/wait/wait.h"

/* Maximum numbers of threads at a time, and of waits that a thread collects until it
   settles them. */
#define WAIT_THREADS 4096
#define WAIT_PENDING 32

/* A wait that has ended. RESOLVED: its cause was looked for. */
struct wait_pending {
    struct ccprof_wait_kind kind;
    uint64_t start, length; /* nanoseconds */
    uint32_t owner;         /* number of the thread that held the lock; 0: unknown */
    bool resolved;
};

/* A thread. Only the thread itself changes it; the writer copies it with BUSY taken. The
   thread takes BUSY to remove waits: added ones are there before COUNT has them. A wait
   contains time in which the thread ran or waited for a processor. How much, only the
   kernel's numbers for all the time since the thread settled say. */
struct wait_thread {
    ccprof_spin busy;
    uint32_t number; /* in the data file */
    struct ccprof_held held;
    struct ccprof_wait *_Atomic current; /* the innermost wait, or null */
    struct ccprof_wait_open open;        /* the same wait */
    _Atomic uint64_t sampled; /* CLOCK_MONOTONIC of the thread's last sample, or 0 */
    uint64_t begun, begun_cpu, begun_ready; /* CLOCK_MONOTONIC, and times then */
    bool is_ready_known;
    bool is_of_pool; /* where nothing else is known, it waits in OpenMP's library */
    uint64_t settled, cpu, ready;      /* the same when it settled last */
    uint64_t ready_read, ready_period; /* when READY was read; nanoseconds to the next */
    uint32_t settles;
    _Atomic uint32_t count;
    struct wait_pending pending[WAIT_PENDING + 1]; /* the last one is for the settling */
};

/* LOCK is only taken with all signals blocked: a handler may leave its thread's code by a
   jump, and the writer may run in a handler. */
struct wait_memory {
    ccprof_lock lock; /* guards POINTS */
    struct ccprof_points *points;
    struct ccprof_stacks stacks;        /* memory for walks */
    _Atomic uint32_t ended;             /* number of threads whose state is in POINTS */
    _Atomic uint32_t used;              /* threads from this index on were never there */
    _Atomic uint32_t tid[WAIT_THREADS]; /* the kernel's number; 0: free */
    struct wait_thread thread[WAIT_THREADS];
};

/* Null: waits are not measured. */
extern struct wait_memory *wait_memory;

/* When measuring started (CLOCK_MONOTONIC). */
extern uint64_t wait_begun;

/* Waits shorter than this number of nanoseconds are not recorded. */
extern uint64_t wait_least;

/* Waits that were not recorded, besides those that POINTS counts. */
extern _Atomic uint64_t wait_lost;

/* The calling thread; null: none yet, or it is absent. */
extern __thread struct wait_thread *wait_mine;
extern __thread enum wait_absence {
    WAIT_PRESENT,
    WAIT_NO_PLACE,
    WAIT_ENDED
} wait_absence;

/* The calling thread is inside the runtime's code for waits, with this frame; or 0. A
   handler that interrupts it there records nothing. */
extern __thread volatile uintptr_t wait_inside;

/* Returns whether the caller can record something. It sets wait_inside to 0 at its end.
 */
static inline __attribute__((always_inline)) bool wait_enter(void)
{
    if (!wait_memory || wait_inside || wait_absence == WAIT_ENDED || ccprof_strict)
        return false;
    wait_inside = (uintptr_t)__builtin_frame_address(0);
    return true;
}

/* The vDSO's clock, without a system call. */
uint64_t wait_clock(void);

/* Starts with MEMORY, and with the calling thread. EXPECT: makes the runtime see the end
   of the calling thread; null: as before. */
void wait_threads_start(struct wait_memory *memory, void (*expect)(void));

/* Returns the calling thread, which may begin here; null if it has no place or has ended.
 */
struct wait_thread *wait_own(void);

/* Returns the number of the stack in the shared points; 0 if there is no room. */
uint32_t wait_put(const uint64_t *address, uint32_t count);

/* Returns the number of the stack at the call, in the thread NUMBER; 0 if there is no
   room. COPY: points of the caller; null: the shared ones, for the calling thread. */
uint32_t wait_capture(struct ccprof_points *copy, uint64_t pc, const uint64_t *registers,
                      uint32_t number);

/* Adds to the object what may have ended waits for it. */
void wait_give(uint32_t object, uint64_t time, uint64_t taken, uint32_t cause);

/* Returns whether such a wait is a call in which the thread also does other things, which
   waits inside a library where nothing sees it. It gets what other waits leave. */
static inline bool wait_is_around_others(unsigned reason)
{
    return reason == CCPROF_WAIT_OPENMP || reason == CCPROF_WAIT_LOOKUP;
}

/* Returns whether such a wait is for a lock whose owner the runtime knows, so that only a
   thread of the process can end the wait. Locks of files have no known owner. */
bool wait_knows_owner(unsigned reason);

/* Ends the wait that the calling thread, which ends, was cancelled in. */
void wait_end_left(struct wait_thread *thread);

/* Adds the thread's collected waits. Only the thread itself calls this. IS_LAST: at its
   end. */
void wait_settle(struct wait_thread *thread, bool is_last);

/* Returns the number of the innermost lock of HELD, except OBJECT, for which threads
   wait; 0: there is none. */
uint32_t wait_find_held(const struct ccprof_held *held, uint64_t object);

/* Looks for the cause of the wait. */
void wait_resolve(struct ccprof_points *points, struct wait_pending *pending);

/* Adds to the waits of a thread of a pool one that gets the time until NOW that nothing
   else explains. */
void wait_add_rest(struct ccprof_points *points, struct wait_thread *thread,
                   uint64_t now);

/* Adds the waits, COUNT of them, that lie in the last PASSED nanoseconds, of which the
   thread ran CPU and waited for a processor READY. */
void wait_settle_all(struct ccprof_points *points, const struct wait_pending *pending,
                     uint32_t count, uint64_t passed, uint64_t cpu, uint64_t ready);

/* In slice.c: takes ownership of POINTS, which may be null, and returns what of them no
   earlier slice has. Returns null if there is no memory. */
struct ccprof_points *wait_slice_of(struct ccprof_points *points, bool is_slice);

/* Adds the state of a thread until NOW, when it had used CPU and READY nanoseconds. */
void wait_add_state(struct ccprof_points *points, const struct wait_thread *thread,
                    uint64_t now, uint64_t cpu, uint64_t ready);

#endif
