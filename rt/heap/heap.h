/* SPDX-License-Identifier: MIT */
/* Measures the heap: counts blocks of memory that the program allocates and frees, each
   one or those that are sampled (sampling.h), by the stacks that have allocated them, and
   writes what was allocated, freed, in use at the end and in use at the peak.  The
   functions that take the place of malloc and its kin (calls.h) report each call here.

   A call is counted between enter and leave; the thread is inside meanwhile.  A thread
   that is inside counts nothing else.  If a signal's handler allocates then, or an
   allocator calls another one, the call is let through and reported as `unkept'.  All
   threads share a lock, which is held for a few dozen instructions.  While the program
   forks and while a file is written, all threads wait at a gate (slots.h).  A thread that
   waits in vain for the lock or at the gate gives up, and its call is unkept: a handler
   may have left the thread that holds the lock for good.  */

#ifndef CCPROF_HEAP_H
#define CCPROF_HEAP_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rt/heap/sampling.h"
#include "rt/os/text.h"
#include "rt/samples/modules.h"

/* Maps the memory and begins to count: one block in SIZE allocated bytes on average, or
   each block if SIZE is 0.  LOADED is called when a thread that has loaded modules
   allocates the next time, and again at later times if it returns false.  IN_USE returns
   how many bytes of the allocator are in use, at least all that the program has; null if
   this is not known.  Returns false if there is no memory.  Constructor.  */
bool ccprof_heap_start(bool (*loaded)(void), uint64_t size, uint64_t (*in_use)(void));

/* Notes that the calling thread ends the program by exit.  From now on the runtime may
   ask the allocator and read the loader's lists.  REGISTERS are those that
   ccprof_cpu_caller gives.  REACHABLE: the file is to say which blocks can still be
   reached at the end.  */
void ccprof_heap_exit(const uint64_t *registers, bool reachable);

/* Notes that the calling thread is going to load a module.  */
void ccprof_heap_load(void);

/* Stops counting for the calling thread, which may make no system calls any more.  */
void ccprof_heap_leave_out(void);

/* Returns whether the heap is measured.  Async-signal-safe.  */
bool ccprof_heap_is_on(void);

/* Stops counting in all threads, once the last file is written.  */
void ccprof_heap_end(void);

/* To be called again and again by a thread that waits until another thread has written a
   file: the writer may itself be waiting for this thread to leave.  Async-signal-safe. */
void ccprof_heap_hurry(void);

/* Notes that a module may have been unloaded.  Any thread.  */
void ccprof_heap_unloaded(void);

/* The slice of a run that a file holds.  */
struct ccprof_heap_slice {
    uint64_t number;        /* from 0 upwards */
    uint64_t process, time; /* the process, and when it began */
    bool next; /* the next slice begins here.  ccprof_heap_slice_written must follow when
                  the file is complete; otherwise the next slice includes this one */
};

/* Writes the part of mlmon.out(5) about the heap, from a copy.  If there is no memory for
   the copy, says so and writes nothing.  ENDED: the program ends.  SLICE is null if the
   run is not written in slices.  All signals must be blocked; one thread at a time,
   handlers of fatal signals included.  */
void ccprof_heap_write(struct ccprof_text *text, const struct ccprof_modules *modules,
                       bool ended, const struct ccprof_heap_slice *slice);

/* For a handler.  Returns whether it has interrupted its thread inside.  Then the heap
   cannot be held before the thread leaves, and LATER is called once when it does.
   Async-signal-safe.  */
bool ccprof_heap_postpone(void (*later)(void));

/* Frees the copy of the last slice: its file is complete, or in the child of a fork, the
   slice belongs to the parent.  */
void ccprof_heap_slice_written(void);

/* For pthread_atfork, which process/fork.c calls.  A handler that forks may have
   interrupted its own thread inside.  Prepare holds the heap, so that the child inherits
   it at rest.  In the child, what is in use stays and everything else begins anew.  */
void ccprof_heap_fork_prepare(void);
void ccprof_heap_fork_parent(void);
void ccprof_heap_fork_child(void);

/* The following is for calls.c.  */

struct ccprof_heap_block;

/* Returns whether a block of SIZE bytes that ccprof_heap_sampling_pass has not passed
   over is to be counted.  Any thread, signal handlers included.  */
bool ccprof_heap_hits(uint64_t size);

/* Whether the heap is measured, and whether the thread is inside or has loaded modules.
   Only heap.c and held.c set these, and the functions below.  */
extern _Atomic bool ccprof_heap_on;
extern __thread bool ccprof_heap_inside, ccprof_heap_loads;

/* Enter for a thread that is inside or has loaded modules.  */
bool ccprof_heap_enter_slowly(void);

/* Returns whether the call is to be counted.  If so, leave must follow.  */
static inline bool ccprof_heap_enter(void)
{
    if (!atomic_load_explicit(&ccprof_heap_on, memory_order_acquire))
        return false;
    if (__builtin_expect(ccprof_heap_inside | ccprof_heap_loads, false))
        return ccprof_heap_enter_slowly();
    ccprof_heap_inside = true;
    atomic_signal_fence(memory_order_seq_cst);
    return true;
}

/* The function that a handler has postponed until the thread leaves, or null.  */
extern __thread void (*ccprof_heap_later)(void);

/* Calls it.  */
void ccprof_heap_call_later(void);

static inline void ccprof_heap_leave(void)
{
    atomic_signal_fence(memory_order_seq_cst);
    ccprof_heap_inside = false;
    atomic_signal_fence(memory_order_seq_cst);
    if (__builtin_expect(ccprof_heap_later != NULL, false))
        ccprof_heap_call_later();
}

/* Counts a new block of SIZE bytes.  ccprof_cpu_caller gave PC and REGISTERS in the
   function that the program has called.  OLD is the block that realloc has replaced by
   this one, or null if there is none or it was not counted; AGAIN: there was one.  Keeps
   errno.  */
void ccprof_heap_made(const void *at, uint64_t size, const struct ccprof_heap_block *old,
                      bool again, uint64_t pc, const uint64_t *registers);

/* Counts a block as freed.  To be called before the allocator frees the block: another
   thread may get the address at once.  */
void ccprof_heap_freed(const void *at);

/* Takes a block out of the table before it is reallocated.  Returns false if the block is
   not known.  Afterwards it must be counted as freed, by ccprof_heap_made or count_freed,
   or be put back.  */
bool ccprof_heap_take(const void *at, struct ccprof_heap_block *block);
void ccprof_heap_count_freed(const struct ccprof_heap_block *block);
void ccprof_heap_put_back(const struct ccprof_heap_block *block);

/* Counts SIZE bytes at AT as made by the stack of BLOCK: a part of the block is still in
   use, and the whole block was counted as freed.  */
void ccprof_heap_made_part(const struct ccprof_heap_block *block, const void *at,
                           uint64_t size);

#endif
