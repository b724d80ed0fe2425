/* SPDX-License-Identifier: MIT */
/* Manages inclusive counts: the counts while a source function was on the stack
   (format.h). Pairs are one more form of counters, used by counts-modules.c and
   counts.c. Each registered thread has a copy of the module's pairs. A pair that is
   still open in a thread is read as if it were closed, even while the thread changes
   it. Callers must hold the lock of counts-lists.h. */

#ifndef CCPROF_INCLUSIVE_H
#define CCPROF_INCLUSIVE_H

#include <signal.h>

#include "rt/count/counts-lists.h"

/* The form of counters whose storage consists of struct ccprof_pair. If there is no
   memory for a thread's copy, the thread has no inclusive counts in the module. */
extern const struct ccprof_counts_form ccprof_inclusive_form;

/* Returns the distance from a pair of the module to the thread's copy of it; 0 if the
   thread has no copy. */
uintptr_t ccprof_inclusive_delta(const struct ccprof_counts_module *module,
                                 const struct ccprof_counts_thread *thread);

/* Frees the thread's stack of pairs, after its counts in all modules have been taken. */
void ccprof_inclusive_end(struct ccprof_counts_thread *thread);

/* A pair that is entered, in the kind instructions with its depth, a stack pointer. */
struct ccprof_inclusive_entry {
    struct ccprof_pair *pair;
    uint64_t pointer; /* 0: the pair is on the thread's stack of pairs */
    bool function;    /* the pair is of a function, not of a call */
};

/* The entries of a machine stack that is suspended. Up to CCPROF_INCLUSIVE_FEW
   entries are in FEW; more entries are in MORE, which is mapped. */
#define CCPROF_INCLUSIVE_FEW 24
struct ccprof_inclusive_parked {
    uint64_t serial; /* serial of the thread's stack of pairs; 0: none */
    size_t count;
    uint64_t low, high; /* bounds of the machine stack */
    struct ccprof_inclusive_entry *more;
    struct ccprof_inclusive_entry few[CCPROF_INCLUSIVE_FEW];
};

/* park leaves all pairs of the calling thread, THREAD, before it switches to the machine
   stack ONTO, or, if its size is 0, to one that is not known. resume enters them again
   when the thread is back, after leaving the pairs of the other machine stack. If a
   different thread resumes, inclusive counts become wrong. These two functions take no
   lock. Async-signal-safe. */
void ccprof_inclusive_park(struct ccprof_counts_thread *thread,
                           struct ccprof_inclusive_parked *parked, const stack_t *onto);
void ccprof_inclusive_resume(struct ccprof_counts_thread *thread,
                             struct ccprof_inclusive_parked *parked);

/* Returns whether inclusive counts are wrong because a thread has switched its machine
   stack without park. */
bool ccprof_inclusive_are_wrong(void);

/* If not null, called when a thread gets its stack of pairs. ENTRIES is the capacity. */
extern void (*ccprof_inclusive_stack_made)(struct ccprof_counts_thread *thread,
                                           size_t entries);

#endif
