/* SPDX-License-Identifier: MIT */
/* Counts blocks of memory that the program allocates and frees, each one or those that
   are sampled (heap-draw.h), by the stacks that have allocated them, and writes what was
   allocated, freed, alive at the end and alive when most was.  Each call of an allocator
   comes here by heap-calls.c, which encloses it in enter and leave unless it has nothing
   to count.

   A thread that is inside counts nothing else: a signal's handler that allocates then, or
   an allocator that calls another one, is let through, and the call is told as unkept.  A
   lock that all threads share is held for a few dozen instructions; where the program
   forks, and where a file is written, all threads stand still at a gate (heap-seats.h).
   Who waits for one of these in vain gives up and is unkept: a handler may have left the
   thread that holds it for good.  */

#ifndef CCPROF_HEAP_H
#define CCPROF_HEAP_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rt/heap/heap-samples.h"
#include "rt/os/text.h"
#include "rt/table/modules.h"

/* The most bytes of memory that the table of blocks maps; a block without room is
   unkept.  */
#define CCPROF_HEAP_MEMORY (UINT64_C(4) << 30)

/* Maps the memory and begins to count: a sample of one block in SIZE bytes that are
   allocated, or each block if SIZE is 0.  LOADED is called in a thread that has loaded
   modules, when it allocates next; if it returns false it is called again.  IN_USE
   returns how many bytes of the allocator are in use, at least all that the program has;
   it is null where that is not known.  Returns false if there is no memory.  Constructor.
 */
bool ccprof_heap_start(bool (*loaded)(void), uint64_t size, uint64_t (*in_use)(void));

/* Tells that the calling thread ends the program by exit, so that the allocator may be
   asked and the loader's lists be read, and where its stack and its registers are:
   REGISTERS as ccprof_cpu_caller gives them.  REACHABLE asks which blocks can still be
   reached then.  */
void ccprof_heap_exit(const uint64_t *registers, bool reachable);

/* Tells that the calling thread is going to load a module.  */
void ccprof_heap_load(void);

/* Counts nothing any more of what the calling thread does: it may make no system
   calls.  */
void ccprof_heap_leave_out(void);

/* Returns whether the heap is measured.  Async-signal-safe.  */
bool ccprof_heap_is_on(void);

/* Counts nothing any more, once the last file is written.  */
void ccprof_heap_end(void);

/* To be called again and again by a thread that waits for another one to have written a
   file, who may in turn be waiting for this thread to be no more inside.
   Async-signal-safe.  */
void ccprof_heap_hurry(void);

/* Tells that a module may have been unloaded.  Any thread.  */
void ccprof_heap_unloaded(void);

/* Which slice of a run a file is.  */
struct ccprof_heap_slice {
    uint64_t number;        /* from 0 upwards */
    uint64_t process, time; /* of which process, and when that has begun */
    bool next; /* the next one begins with it; then ccprof_heap_slice_told must follow
                  once the file is complete, and otherwise the next one has it all */
};

/* Writes the part of mlmon.out(5) about the heap, from a copy; without memory for that it
   says so and writes nothing.  ENDED tells that the program ends.  SLICE is null if the
   run is not written in slices.  All signals must be blocked; one thread at a time,
   handlers of fatal signals included.  */
void ccprof_heap_write(struct ccprof_text *text, const struct ccprof_modules *modules,
                       bool ended, const struct ccprof_heap_slice *slice);

/* Returns whether the calling thread is inside, which a handler has interrupted there:
   the heap cannot be held before it leaves, and then LATER is called, once.
   Async-signal-safe.  */
bool ccprof_heap_postpone(void (*later)(void));

/* Tells that the slice is in its file, or, in the child of a fork, is none of its own. */
void ccprof_heap_slice_told(void);

/* The following is for heap-calls.c.  */

struct ccprof_heap_block;

/* Returns whether a block of SIZE bytes that ccprof_heap_samples_pass has not passed over
   is to be counted.  Any thread, signal handlers included.  */
bool ccprof_heap_hits(uint64_t size);

/* Whether the heap is measured, and whether the thread is inside or has loaded modules:
   heap.c alone sets these.  */
extern _Atomic bool ccprof_heap_on;
extern __thread bool ccprof_heap_inside, ccprof_heap_loads;

/* Returns whether the call of a thread that is inside or has loaded modules is to be
   counted.  */
bool ccprof_heap_enter_else(void);

/* Returns whether the call is to be counted; then leave must follow.  */
static inline bool ccprof_heap_enter(void)
{
    if (!atomic_load_explicit(&ccprof_heap_on, memory_order_acquire))
        return false;
    if (__builtin_expect(ccprof_heap_inside | ccprof_heap_loads, false))
        return ccprof_heap_enter_else();
    ccprof_heap_inside = true;
    atomic_signal_fence(memory_order_seq_cst);
    return true;
}

/* What a handler has postponed until the thread leaves, or null.  */
extern __thread void (*ccprof_heap_later)(void);

void ccprof_heap_leave_else(void);

static inline void ccprof_heap_leave(void)
{
    atomic_signal_fence(memory_order_seq_cst);
    ccprof_heap_inside = false;
    atomic_signal_fence(memory_order_seq_cst);
    if (__builtin_expect(ccprof_heap_later != NULL, false))
        ccprof_heap_leave_else();
}

/* Counts a new block of SIZE bytes.  PC and REGISTERS are what ccprof_cpu_caller gave in
   the function that the program has called.  OLD is a block that it takes the place of,
   or null; AGAIN tells that there was one, counted or not.  Keeps errno.  */
void ccprof_heap_made(const void *at, uint64_t size, const struct ccprof_heap_block *old,
                      bool again, uint64_t pc, const uint64_t *registers);

/* Counts a block as freed, which must come before the allocator frees it: another thread
   may get its address at once.  */
void ccprof_heap_freed(const void *at);

/* Takes a block out before it is reallocated.  Returns false if it is not known.
   Afterwards it is counted as freed, by ccprof_heap_made or the first function below, or
   put back by the second one.  */
bool ccprof_heap_take(const void *at, struct ccprof_heap_block *block);
void ccprof_heap_count_freed(const struct ccprof_heap_block *block);
void ccprof_heap_put_back(const struct ccprof_heap_block *block);

/* Counts SIZE bytes at AT, a part of a block that was counted as freed, as made again by
   the same stack.  */
void ccprof_heap_made_part(const struct ccprof_heap_block *block, const void *at,
                           uint64_t size);

#endif
