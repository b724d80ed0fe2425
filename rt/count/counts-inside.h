/* SPDX-License-Identifier: MIT */
/* What the files of counts.h share; nobody else includes it.  */

#ifndef CCPROF_COUNTS_INSIDE_H
#define CCPROF_COUNTS_INSIDE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "rt/format.h"
#include "rt/table/modules.h"

struct ccprof_counts_module {
    int number;      /* of struct ccprof_modules */
    uint64_t *cells; /* the module's own, or the records of its counters */
    size_t count;
    bool is_record, is_pair; /* CELLS are struct ccprof_pair, two words each */
    /* Distance from a thread's pointer to its word, or to its block.  */
    uintptr_t distance;
    struct ccprof_stack_thread *none; /* of pairs */
    uint64_t *totals;                 /* of the threads that have ended */
    bool unloaded; /* CELLS is an address only; all that was counted is in TOTALS */
    /* Null until they are needed.  */
    uint64_t *base;   /* what is to be taken from the sums: see counts-stretch.c */
    uint64_t *moved;  /* what is in files of its own */
    uint64_t *part;   /* of a unit that is being written */
    uint64_t **units; /* by place: what was counted in it */
};

/* In the thread-local storage of the thread that it is about.  */
struct ccprof_counts_thread {
    struct ccprof_counts_thread *next, **at; /* AT null: not in the list */
    uintptr_t pointer;
    pid_t tid;
    bool ended; /* it was in the list */
    bool stray; /* it was not told of, and some of what it has counted is in the totals */
    uint64_t unit; /* that is current; 0: the first one */
    /* By module: what it had counted when its unit's stretch began; null: nothing.  */
    uint64_t **marks;
    /* If a module has pairs: what it has entered; null, as long as none has.  */
    struct ccprof_stack_thread stack;
    struct ccprof_pair **entries;
    /* And what trace.c has told of it; null unless that is asked for.  */
    struct ccprof_pair **told;
    size_t told_count, told_size;
};

/* counts-modules.c; modules are added, and never taken away.  */
extern struct ccprof_counts_module ccprof_counts_modules[CCPROF_MODULES_MAX];
extern _Atomic unsigned ccprof_counts_module_count;

/* counts.c: those that have begun and not ended.  */
extern struct ccprof_counts_thread *ccprof_counts_list;

/* All that follows but lock: under the lock, with all signals blocked.  Lock returns
   false if it is not to be had.  */
bool ccprof_counts_lock(void);
void ccprof_counts_unlock(void);

/* SIZE bytes, all 0; null if there is no memory.  */
void *ccprof_counts_pages(size_t size);

/* The thread gets cells of the module, if it needs any.  */
void ccprof_counts_give(const struct ccprof_counts_module *module,
                        struct ccprof_counts_thread *thread);

/* From now on all threads count in the totals: the module's destructors are still to
   come.  */
void ccprof_counts_share(const struct ccprof_counts_module *module);

/* The totals, and what threads in the list and those without cells count beside.  */
uint64_t ccprof_counts_sum(const struct ccprof_counts_module *module, size_t i);

/* What the thread by itself has counted; what it counts in cells that it shares with
   others is nobody's.  */
uint64_t ccprof_counts_own(const struct ccprof_counts_module *module,
                           const struct ccprof_counts_thread *thread, size_t i);

/* The address of the counter, as it is told in the file.  */
uintptr_t ccprof_counts_place(const struct ccprof_counts_module *module, size_t i);

/* What is counted in the module's own cells, by all who have none.  */
uint64_t ccprof_counts_shared(const struct ccprof_counts_module *module, size_t i);

/* The thread's unit is another one.  */
void ccprof_counts_stretch_unit(struct ccprof_counts_thread *thread, uint64_t unit);

/* What the thread has counted belongs to its unit; it ends.  */
void ccprof_counts_stretch_end(struct ccprof_counts_thread *thread);

/* What the thread, which is not in the list, has counted since the last time is added to
   the totals; or, as it comes into the list, what was added is taken away.  */
void ccprof_counts_stretch_stray(struct ccprof_counts_thread *thread);
void ccprof_counts_stretch_tame(struct ccprof_counts_thread *thread);

/* All that the threads have counted in the module belongs to their units; it goes.  */
void ccprof_counts_stretch_detach(unsigned module);

/* Nothing was counted yet; THREAD is the only one.  */
void ccprof_counts_stretch_drop(struct ccprof_counts_thread *thread);

/* What of SUM counts.  */
uint64_t ccprof_counts_stretch_of(const struct ccprof_counts_module *module, size_t i,
                                  uint64_t sum);

#endif
