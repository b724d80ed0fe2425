/* SPDX-License-Identifier: MIT */
/* Puts each sample into a data set, under its thread if threads are told apart, and into
   the phases that are open there.  Data sets, threads and labels are kept as addresses
   that no code has, outermost on the stack, in this order, so that the table and the
   overflow log need not know of them.  */

#ifndef CCPROF_SCOPE_H
#define CCPROF_SCOPE_H

#include <stdbool.h>
#include <stdint.h>

#include "rt/unwind/stack.h"

/* No processor so far has code there: the upper bits would have to be all alike.  The
   lower 48 bits are the number of the data set, of the label, or of the thread.  */
#define CCPROF_SCOPE_DATASET 0xcc01000000000000u
#define CCPROF_SCOPE_LABEL   0xcc02000000000000u
#define CCPROF_SCOPE_THREAD  0xcc03000000000000u
#define CCPROF_SCOPE_TIME    0xcc04000000000000u /* a bucket of time: times.h */
#define CCPROF_SCOPE_KIND    0xffff000000000000u

/* Phases around a phase that are kept, itself included; regions (regions.h), which stand
   inside of all phases, have the room that these leave.  */
#define CCPROF_SCOPE_LABELS (CCPROF_STACK_AROUND - 3)

/* Of a thread; all zeros is the first data set and no phase.  Changed by the thread
   alone, and read by its handler, which may number the thread.  */
struct ccprof_scope {
    volatile uint64_t dataset; /* its number; 0: the first one */
    uint64_t inherited;        /* data set that the thread has used from its start */
    volatile uint32_t depth;   /* phases, more than there is room for perhaps */
    volatile uint8_t label[CCPROF_SCOPE_LABELS]; /* outermost first: numbers plus 1; 0: no
                                                    label */
    volatile uint32_t thread; /* its number (threadnames.h); 0: none yet */
};

extern _Thread_local struct ccprof_scope ccprof_scope;

/* A phase of the calling thread begins, with a label or with none (-1); the last one
   ends: pop returns false if there is none.  */
void ccprof_scope_push(int label);
bool ccprof_scope_pop(void);

/* Fills *CHILD for a thread that the calling one creates, with a number of its own.  If
   it INHERITS, it starts in the same data set and phases, and uses the data set itself
   (datasets.h); otherwise in the first data set and no phase.  */
void ccprof_scope_create(struct ccprof_scope *child, bool inherits);

/* The calling thread begins, with what was filled for it.  */
void ccprof_scope_begin(const struct ccprof_scope *created);

/* Puts the calling thread's scope around the stack, which has room for it.
   Async-signal-safe.  */
void ccprof_scope_put(struct ccprof_stack *stack);

/* The number of the data set that a stack's outermost address names; 0 if it names none.
 */
static inline uint64_t ccprof_scope_dataset(uint64_t root)
{
    return (root & CCPROF_SCOPE_KIND) == CCPROF_SCOPE_DATASET ? root & ~CCPROF_SCOPE_KIND
                                                              : 0;
}

static inline bool ccprof_scope_is_thread(uint64_t address)
{
    return (address & CCPROF_SCOPE_KIND) == CCPROF_SCOPE_THREAD;
}

static inline bool ccprof_scope_is_label(uint64_t address)
{
    return (address & CCPROF_SCOPE_KIND) == CCPROF_SCOPE_LABEL;
}

#endif
