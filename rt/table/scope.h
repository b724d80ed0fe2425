/* SPDX-License-Identifier: MIT */
/* Puts each sample into a data set, under its thread if threads are told apart, and into
   the phases that are open in the thread.  A data set, a thread and a label are kept as
   addresses at which no code can be.  They are put at the outer end of the stack, in this
   order, outermost first, so that the table and the overflow log treat them like any
   address.  */

#ifndef CCPROF_SCOPE_H
#define CCPROF_SCOPE_H

#include <stdbool.h>
#include <stdint.h>

#include "rt/unwind/stack.h"

/* Addresses at which no processor has code, since the upper bits of a real address are
   all equal.  The lower 48 bits are the number of the data set, label or thread.  */
#define CCPROF_SCOPE_DATASET 0xcc01000000000000u
#define CCPROF_SCOPE_LABEL   0xcc02000000000000u
#define CCPROF_SCOPE_THREAD  0xcc03000000000000u
#define CCPROF_SCOPE_TIME    0xcc04000000000000u /* a bucket of time (times.h) */
#define CCPROF_SCOPE_KERNEL  0xcc05000000000000u /* time in the kernel */
#define CCPROF_SCOPE_KIND    0xffff000000000000u

/* The most phases that are kept for a sample, outermost first.  The regions (regions.h)
   inside all phases get the room that phases leave.  */
#define CCPROF_SCOPE_LABELS (CCPROF_STACK_AROUND - 4)

/* The scope of a thread.  All zeros is the first data set and no phase.  Only the thread
   changes its scope; its handler reads the scope, and may number the thread.  */
struct ccprof_scope {
    volatile uint64_t dataset; /* number of the data set; 0: the first one */
    uint64_t inherited;        /* the data set that the thread has used from its start */
    volatile uint32_t depth; /* open phases, which may be more than LABEL has room for */
    /* Numbers of labels plus 1, outermost first; 0: the phase has no label.  */
    volatile uint8_t label[CCPROF_SCOPE_LABELS];
    volatile uint32_t thread; /* number of the thread (threadnames.h); 0: none yet */
};

extern _Thread_local struct ccprof_scope ccprof_scope;

/* Begins a phase of the calling thread (push), with a label or without one (-1); ends the
   last phase (pop), or returns false if no phase is open.  */
void ccprof_scope_push(int label);
bool ccprof_scope_pop(void);

/* Fills *CHILD for a thread that the calling thread creates, and gives the new thread a
   number.  If it INHERITS, it starts in the data set and the phases of its creator, and
   uses the data set (datasets.h); otherwise it starts in the first data set, with no
   phase.  */
void ccprof_scope_create(struct ccprof_scope *child, bool inherits);

/* Gives the calling thread, which begins, the scope that was filled for it.  */
void ccprof_scope_begin(const struct ccprof_scope *created);

/* Puts the calling thread's scope around the stack, which must have room.
   Async-signal-safe.  */
void ccprof_scope_put(struct ccprof_stack *stack);

/* Puts the kernel to the inner end of the stack, which must have room and nothing around
   it yet.  WHY is one of CCPROF_KERNEL_*.  Async-signal-safe.  */
void ccprof_scope_put_kernel(struct ccprof_stack *stack, uint64_t why);

/* Fills AROUND with the phases of the calling thread and the thread, innermost first, and
   keeps the thread's name.  Returns how many there are.  Async-signal-safe.  */
#define CCPROF_SCOPE_AROUND (CCPROF_SCOPE_LABELS + 1)
uint32_t ccprof_scope_around(uint64_t around[CCPROF_SCOPE_AROUND]);

/* What decides what is around: scopes with equal keys have the same.  All zeros is that
   of a thread that is not told apart, in no phase.  */
struct ccprof_scope_key {
    uint32_t depth, thread;
    uint8_t label[CCPROF_SCOPE_LABELS];
};

/* Fills KEY for the calling thread; and tells whether that would be the same, if it is
   known whether names of threads are kept.  */
void ccprof_scope_get_key(struct ccprof_scope_key *key);
bool ccprof_scope_has_key_else(const struct ccprof_scope_key *key);

static inline bool ccprof_scope_has_key(const struct ccprof_scope_key *key)
{
    return (key->depth | ccprof_scope.depth | key->thread) == 0 ||
           ccprof_scope_has_key_else(key);
}

/* Returns the number of the data set that a stack's outermost address ROOT stands for; 0
   if it stands for none.  */
static inline uint64_t ccprof_scope_dataset(uint64_t root)
{
    return (root & CCPROF_SCOPE_KIND) == CCPROF_SCOPE_DATASET ? root & ~CCPROF_SCOPE_KIND
                                                              : 0;
}

static inline bool ccprof_scope_is_thread(uint64_t address)
{
    return (address & CCPROF_SCOPE_KIND) == CCPROF_SCOPE_THREAD;
}

static inline bool ccprof_scope_is_kernel(uint64_t address)
{
    return (address & CCPROF_SCOPE_KIND) == CCPROF_SCOPE_KERNEL;
}

static inline bool ccprof_scope_is_label(uint64_t address)
{
    return (address & CCPROF_SCOPE_KIND) == CCPROF_SCOPE_LABEL;
}

#endif
