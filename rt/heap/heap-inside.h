/* SPDX-License-Identifier: MIT */
/* Shared by heap.c, which counts, and who finds it at rest: heap-copy.c, which copies the
   heap, and heap-fork.c.  */

#ifndef CCPROF_HEAP_INSIDE_H
#define CCPROF_HEAP_INSIDE_H

#include <stdbool.h>
#include <stdint.h>

#include "rt/heap/heap-nodes.h"
#include "rt/heap/heap-stacks.h"
#include "rt/heap/heap-times.h"
#include "rt/os/memory.h"

struct ccprof_heap_state {
    struct ccprof_heap_stacks stacks;
    struct ccprof_heap_times times;
    uint64_t size;  /* bytes for a sample; 0: each block is counted */
    uint64_t start; /* when the process or the child of a fork began, in nanoseconds */
    uint64_t peak_time; /* when most was alive, on the same clock; 0: nothing was */
    uint64_t unknown;   /* blocks that were freed and that nobody has seen allocated */
    uint64_t unkept;    /* calls of which not all is counted */
    uint64_t unseen;    /* blocks at whose addresses others were made: nobody saw them
                           freed */
    uint64_t excess;    /* bytes that are alive and that the allocator has not in use */
    uint64_t memory;    /* bytes that are mapped for all this */
};

/* For fork: waits until no thread counts anything, and counts what threads have kept to
   themselves; then nothing changes before release.  INSIDE: a handler forks that has
   interrupted its own thread inside.  Returns false if a thread does not leave within a
   second, or the interrupted one is in the middle of a change.  */
bool ccprof_heap_rest(bool inside);

/* In the child of a fork: what is alive stays, all else begins anew.  HELD: the thread
   that forked had the heap at rest; otherwise what there is may be between two states,
   and nobody has it from now on.  */
void ccprof_heap_begin_anew(bool held);

/* Hold and release the heap around the copy of the state.  Hold returns false if a thread
   does not leave within a second or waits for this one; then what is copied may be
   between two states.  ENDED tells that the program ends, which a handler may do that has
   interrupted its own thread inside.  */
bool ccprof_heap_hold(bool ended);
void ccprof_heap_release(void);

/* Copies the state.  Its points stay where they are.  What threads have still kept to
   themselves is unkept.  */
void ccprof_heap_get(struct ccprof_heap_state *state);

/* For who holds the heap where the program ends.  How many bytes of the allocator are in
   use, at least; UINT64_MAX if that is not known, or if a lock that is left behind might
   be in the way.  */
uint64_t ccprof_heap_in_use(void);

/* Whether it is asked which blocks can be reached, and may be found out now.  */
bool ccprof_heap_asks_reach(void);

/* For who holds the heap.  Calls BLOCK with OF for each block that is alive.  */
void ccprof_heap_each(void (*block)(void *of, uint64_t address,
                                    const struct ccprof_heap_record *record),
                      void *of);

/* Where the registers of threads are that were walking their stacks.  */
struct ccprof_pages ccprof_heap_own(void);

/* For who holds the heap.  The state itself, but for UNKNOWN, UNKEPT and MEMORY.  */
struct ccprof_heap_state *ccprof_heap_held(void);

/* Forgets what was allocated and freed; what is alive is the first peak.  */
void ccprof_heap_restart(void);

/* Adds to the numbers of which the state has copies; what is negative is taken away.  */
void ccprof_heap_count_else(uint64_t unkept, uint64_t unknown);

#endif
