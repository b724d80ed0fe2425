/* SPDX-License-Identifier: MIT */
/* Measures the heap: counts blocks that the program allocates and frees, by the stacks
   that allocated them, and writes the amounts allocated, freed, in use at the end and
   in use at the peak. All blocks are counted, or a sample of them (sampling.h). The
   replacements of malloc and the other functions (allocator.h) report each call here. The
   constructor, fork, and the code that writes mlmon.out call the other functions.

   Five places decide whether a block is counted:

     1. Does the call arrive? rt/entry/hooks-module.c decides which functions of which
        allocator are replaced, and hooks-got.c changes the slots of modules. A call that
        uses no changed slot is not seen.
     2. Is the block sampled? sampling.c decides. If the setting asks for exact counts,
        every block is counted.
     3. Is the thread already inside the runtime? ccprof_heap_enter decides. The thread
        is inside between enter and leave. If a signal handler allocates meanwhile, or an
        allocator calls another one, that call goes to the allocator and is counted only
        as "unkept".
     4. Are a slot (slots.h), the lock, and room in the tables available? heap.c decides.
        If one of them is missing, the call is unkept.
     5. For mappings, allocator.c also checks their kind and size, and whether the list of
        mappings has room. Mappings that fail here are not reported at all.

   All threads share a lock, which is held for a few dozen instructions. While the
   program forks and while a file is written, all threads wait at a gate (slots.h). A
   thread that has waited too long for the lock or at the gate gives up, and its call
   is unkept: a signal may have stopped the thread that holds the lock for good. */

#ifndef CCPROF_HEAP_H
#define CCPROF_HEAP_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rt/heap/sampling.h"
#include "rt/os/text.h"
#include "rt/samples/modules.h"

/* Maps the memory. Nothing is counted before ccprof_heap_record; then one block in SIZE
   allocated bytes is counted on average, or every block if SIZE is 0.

   IN_USE returns a lower bound of the bytes in use in the allocator, which includes all
   blocks of the program; null if this is not known.

   Returns false if there is no memory. Called by the constructor. */
bool ccprof_heap_start(uint64_t size, uint64_t (*in_use)(void));

/* Starts counting, unless blocks are counted already. Blocks from before are never
   counted, and freeing them has no effect. LATER: the program runs already, so the data
   file gets a message about these blocks. Returns false if ccprof_heap_start was not
   called or failed, or after ccprof_heap_end. Only one thread at a time may call this.
   Async-signal-safe. */
bool ccprof_heap_record(bool later);

/* Records that the calling thread ends the program by exit. From now on the runtime
   may call the allocator and read the loader's lists. REGISTERS are from
   ccprof_cpu_caller. REACHABLE: the file must say which blocks are still reachable at
   the end. */
void ccprof_heap_exit(const uint64_t *registers, bool reachable);

/* Stops counting in the calling thread, which can make no more system calls. */
void ccprof_heap_leave_out(void);

/* Returns whether blocks are counted. Async-signal-safe. */
bool ccprof_heap_is_on(void);

/* Returns whether blocks are counted or ccprof_heap_record can start counting, so that
   the replacements must be in place. Async-signal-safe. */
bool ccprof_heap_is_prepared(void);

/* Stops counting in all threads for good, after the last file is written. */
void ccprof_heap_end(void);

/* Must be called repeatedly by a thread that waits until another thread has written a
   file, since the writer may be waiting until this thread leaves. Async-signal-safe. */
void ccprof_heap_hurry(void);

/* Records that modules are about to be loaded, or have been unloaded. Any thread. */
void ccprof_heap_forget_modules(void);

/* The slice of a run that is in a file. */
struct ccprof_heap_slice {
    uint64_t number;        /* counts from 0 */
    uint64_t process, time; /* process, and the time of its start */
    /* The next slice begins here. ccprof_heap_slice_written must be called when the
       file is complete; otherwise the next slice includes this one. */
    bool next;
};

/* Writes the part of mlmon.out(5) about the heap, from a copy. If there is no memory
   for the copy, prints a message and writes nothing. ENDED: the program ends. SLICE
   is null if the run is not written in slices. All signals must be blocked. Only one
   thread at a time may call this, also in handlers of fatal signals. */
void ccprof_heap_write(struct ccprof_text *text, const struct ccprof_modules *modules,
                       bool ended, const struct ccprof_heap_slice *slice);

/* For signal handlers. Returns whether the handler has interrupted its thread inside.
   If so, the heap cannot be held before the thread leaves, and LATER is called once
   when it leaves. Async-signal-safe. */
bool ccprof_heap_postpone(void (*later)(void));

/* Frees the copy of the last slice. Called when the slice's file is complete, and in
   the child of a fork, since the slice belongs to the parent. */
void ccprof_heap_slice_written(void);

/* Handlers for pthread_atfork, which entry/start.c registers. A signal handler that
   forks may have interrupted its own thread inside. Prepare holds the heap, so that
   the child inherits a consistent heap. In the child, blocks in use stay and all
   other counts start again. */
void ccprof_heap_fork_prepare(void);
void ccprof_heap_fork_parent(void);
void ccprof_heap_fork_child(void);

/* Only allocator.c uses the functions below. */

struct ccprof_heap_block;

/* Whether blocks are counted, and whether the thread is inside. Only heap.c, held.c
   and the functions below change these variables. */
extern _Atomic bool ccprof_heap_on;
extern __thread bool ccprof_heap_inside;

/* Returns true if a block of SIZE bytes is certainly not counted: it is not sampled, or
   nothing is counted now. Otherwise ccprof_heap_sampling_hit decides. Called once for
   each block, in any thread, also in signal handlers. */
static inline bool ccprof_heap_pass(uint64_t size)
{
    return ccprof_heap_sampling_pass(size) ||
           !atomic_load_explicit(&ccprof_heap_on, memory_order_acquire);
}

/* Counts a call as unkept, and returns false. */
bool ccprof_heap_refuse(void);

/* Returns whether the call must be counted. If so, ccprof_heap_leave must follow. */
static inline bool ccprof_heap_enter(void)
{
    if (!atomic_load_explicit(&ccprof_heap_on, memory_order_acquire))
        return false;
    if (__builtin_expect(ccprof_heap_inside, false))
        return ccprof_heap_refuse();
    ccprof_heap_inside = true;
    atomic_signal_fence(memory_order_seq_cst);
    return true;
}

/* The function that a signal handler has postponed until the thread leaves, or null. */
extern __thread void (*ccprof_heap_later)(void);

/* Calls and clears ccprof_heap_later. */
void ccprof_heap_call_later(void);

static inline void ccprof_heap_leave(void)
{
    atomic_signal_fence(memory_order_seq_cst);
    ccprof_heap_inside = false;
    atomic_signal_fence(memory_order_seq_cst);
    if (__builtin_expect(ccprof_heap_later != NULL, false))
        ccprof_heap_call_later();
}

/* Counts a new block of SIZE bytes. PC and REGISTERS are from ccprof_cpu_caller, in
   the function that the program has called. OLD is the block that realloc has replaced;
   null: there is none, or it was not counted. Preserves errno. */
void ccprof_heap_add(const void *address, uint64_t size,
                     const struct ccprof_heap_block *old, uint64_t pc,
                     const uint64_t *registers);

/* Counts a block as freed. Must be called before the allocator frees the block, since
   another thread may get the address immediately. */
void ccprof_heap_remove(const void *address);

/* Removes a block from the table before it is reallocated. Returns false if the block
   is not in the table. Afterwards the block must be counted as freed, by
   ccprof_heap_add or ccprof_heap_count_freed, or be put back. */
bool ccprof_heap_take(const void *address, struct ccprof_heap_block *block);
void ccprof_heap_count_freed(const struct ccprof_heap_block *block);
void ccprof_heap_put_back(const struct ccprof_heap_block *block);

/* Counts SIZE bytes at ADDRESS as allocated by the stack of BLOCK. For a part of the
   block that is still in use after the whole block was counted as freed. */
void ccprof_heap_add_part(const struct ccprof_heap_block *block, const void *address,
                          uint64_t size);

#endif
