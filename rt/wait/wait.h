/* SPDX-License-Identifier: MIT */
/* The room rt/wait: measures for what threads wait, and for how long (setting wait).

     wait.h          the begin and the end of a wait; owners and wakers
     wait-inside.h   threads, and how their waits are added up
     files.c         reasons and names of waits for descriptors
     held.h          the locks that a thread holds
     points.h        the tree of stacks, objects, and sums of waits
     parallelism.c   how many threads run when a sample is taken
     write.c         the lines of the data file
     slice.c         the part of a slice

   The replacements of libc's functions (rt/entry/wait-calls.h) call begin and end around
   each call that may wait, in any thread, also in signal handlers. The constructor, fork
   and the code for the end of the run call the others.

   A thread that begins to wait stores its registers. The stack is walked when the wait
   has ended, and only if it was long; or before the wait, if the thread holds something
   afterwards that others wait for. If a wait has not ended when the file is written, the
   writer walks the stack of the waiting thread, which does not change meanwhile.

   No function locks anything that the program knows, follows a pointer of the program's
   objects, or changes errno. Only in libccprof.so.1. */

#ifndef CCPROF_WAIT_H
#define CCPROF_WAIT_H

#include <stdbool.h>
#include <stdint.h>

#include "rt/format.h"
#include "rt/os/text.h"
#include "rt/samples/modules.h"
#include "rt/unwind/cpu.h"
#include "rt/unwind/stack.h"

/* Waits shorter than this number of nanoseconds are not recorded. */
#define CCPROF_WAIT_LEAST 10000

/* What a thread knows of a wait that has not ended, for samples of other threads, and for
   the case that its frame is gone: the thread was cancelled. */
struct ccprof_wait_open {
    const struct ccprof_wait
        *self; /* null: there is no wait, and the rest is undefined */
    _Atomic uint64_t start;
    uint64_t object;
    _Atomic uint32_t reason;
    uint32_t stack; /* 0: not walked yet */
};

/* A wait of the calling thread. Belongs to the replacement, on its stack. */
struct ccprof_wait {
    /* 0: the wait is not measured, and the other members are undefined. */
    uint64_t start;                /* CLOCK_MONOTONIC in nanoseconds */
    uint64_t ended;                /* the same; 0: not known yet */
    struct ccprof_wait_open outer; /* the wait that this one is in */
    const void *self;              /* its own address */
    enum ccprof_wait_reason reason;
    uint64_t
        object; /* address of a lock or condition, or a descriptor or file; 0: none */
    uint32_t number; /* of the object; 0: unknown */
    uint32_t stack;  /* number of its stack; 0: not walked yet */
    uint32_t owner;  /* number of the thread that holds the lock; 0: unknown */
    uint64_t taken;  /* address after the call that took the lock; 0: unknown */
    uint64_t pc;
    uint64_t registers[CCPROF_CPU_REGISTERS];
};

/* Starts to measure. KEPT: number of waits that are kept one by one. EXPECT_END: makes
   ccprof_wait_thread_end be called at the end of the calling thread, which libc may not
   have created. Returns false if there is no memory. Called by the constructor. */
bool ccprof_wait_start(uint32_t kept, void (*expect_end)(void));

/* Returns whether waits are measured. */
bool ccprof_wait_is_on(void);

/* Record that the calling thread starts, or ends. IS_OF_POOL: it is one of OpenMP's
   library. */
void ccprof_wait_thread_begin(bool is_of_pool);
void ccprof_wait_thread_end(void);

/* Begins a wait. Must be inlined into the replacement, whose caller is the innermost
   frame of the stack. OBJECT: the address of what other threads release or signal, or a
   descriptor plus 1; 0 if there is none. */
#define CCPROF_WAIT_BEGIN(wait, why, what)                                               \
    ((wait)->pc = ccprof_cpu_caller((wait)->registers),                                  \
     ccprof_wait_begin(wait, why, what))
void ccprof_wait_begin(struct ccprof_wait *wait, enum ccprof_wait_reason reason,
                       uint64_t object);

/* Walks the stack of the wait now. Called between begin and the call if the thread will
   hold a lock after it. */
void ccprof_wait_walk(struct ccprof_wait *wait);

/* Notes who holds the lock for which the wait is: TID is the kernel's number of the
   thread. Called between begin and the call. */
void ccprof_wait_set_owner(struct ccprof_wait *wait, uint32_t tid);

/* Ends a wait. TIMED_OUT: the call has returned because of its time limit. */
void ccprof_wait_end(struct ccprof_wait *wait, bool timed_out);

/* Ends a wait that was none: the thread only worked, or waited for a processor. */
void ccprof_wait_drop(struct ccprof_wait *wait);

/* Ends the waits that the calling thread leaves by a longjmp to a frame whose stack
   pointer is TO. */
void ccprof_wait_jump(uintptr_t to);

/* Sets the object of a wait for a descriptor, and its reason, if that depends on whether
   it is a file, pipe, socket or device: called before end, and only has an effect if the
   wait was long. SENDS: it writes. */
void ccprof_wait_set_kind(struct ccprof_wait *wait, int fd, bool sends);

/* A call that may end waits of other threads: releases a lock, posts, signals or wakes.
 */
struct ccprof_wait_wake {
    uint64_t start; /* 0: nobody waits */
    uint64_t taken; /* address after the call that took the lock, or 0 */
    uint64_t object;
    uint64_t pc;
    uint64_t registers[CCPROF_CPU_REGISTERS];
};

/* Called before the call. Returns whether a thread waits for OBJECT, so that
   ccprof_wait_woke must be called after it. */
bool ccprof_wait_has_waiters(uint64_t object);

/* Begins and ends such a call, if somebody waits. */
#define CCPROF_WAIT_WAKE(wake, what)                                                     \
    ((wake)->pc = ccprof_cpu_caller((wake)->registers), ccprof_wait_wake(wake, what))
void ccprof_wait_wake(struct ccprof_wait_wake *wake, uint64_t object);
void ccprof_wait_woke(struct ccprof_wait_wake *wake);

/* Adds the number of threads that run, or wait for a processor, to the outer end of the
   stack of a sample of the calling thread, which must have room. RATE: samples per
   second. The address contains CCPROF_TAGS_PARALLELISM, and the least and the most that
   the number may be (mlmon.out(5), version 15). Async-signal-safe. */
void ccprof_wait_put_parallelism(struct ccprof_stack *stack, uint32_t rate);

/* Empties everything in the child of a fork. */
void ccprof_wait_fork_child(void);

/* Writes the lines of the data file (mlmon.out(5), version 15), with the waits that are
   in no earlier slice. Called with all signals blocked, in one thread at a time. */
void ccprof_wait_write(struct ccprof_text *text, const struct ccprof_modules *modules,
                       bool is_slice);

/* Called after ccprof_wait_write if the file is a slice that has been written. */
void ccprof_wait_slice_done(void);

#endif
