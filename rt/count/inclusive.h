/* SPDX-License-Identifier: MIT */
/* Keeps inclusive counts: what was counted while a source was on the stack (format.h).
   Pairs are one more form of counters, for counts-modules.c and counts.c.  Each
   registered thread has a copy of the module's pairs.  A source that is still open in a
   thread is read as if it were closed, even while the thread changes the pair.  The
   caller holds the lock of counts-lists.h.  */

#ifndef CCPROF_INCLUSIVE_H
#define CCPROF_INCLUSIVE_H

#include "rt/count/counts-lists.h"

/* The storage of this form holds struct ccprof_pair.  A thread without memory for a copy
   counts no inclusive counts in the module.  */
extern const struct ccprof_counts_form ccprof_inclusive_form;

/* Returns the distance from a pair of the module to the thread's copy; 0 if it has none.
 */
uintptr_t ccprof_inclusive_delta(const struct ccprof_counts_module *module,
                                 const struct ccprof_counts_thread *thread);

/* Frees the thread's stack, after all modules have taken its counts.  */
void ccprof_inclusive_end(struct ccprof_counts_thread *thread);

/* The entries of a machine stack that is not in use.  Few are in FEW; MORE is mapped for
   more.  */
#define CCPROF_INCLUSIVE_FEW 24
struct ccprof_inclusive_parked {
    uint64_t serial; /* of the thread's stack of entries; 0: it had none */
    size_t count;
    struct ccprof_pair **more;
    struct ccprof_pair *few[CCPROF_INCLUSIVE_FEW];
};

/* Leaves all entries of the calling thread, THREAD, before it goes on on another machine
   stack; enters them again when it is back, in place of what the other has left.  If
   another thread is back, its inclusive counts are not right.  Take no lock.
   Async-signal-safe.  */
void ccprof_inclusive_park(struct ccprof_counts_thread *thread,
                           struct ccprof_inclusive_parked *parked);
void ccprof_inclusive_resume(struct ccprof_counts_thread *thread,
                             struct ccprof_inclusive_parked *parked);

/* Returns whether inclusive counts are wrong, since a thread has changed its machine
   stack past park.  */
bool ccprof_inclusive_are_wrong(void);

/* If not null, called where a thread gets its stack, which has room for ENTRIES.  */
extern void (*ccprof_inclusive_stack_made)(struct ccprof_counts_thread *thread,
                                           size_t entries);

#endif
