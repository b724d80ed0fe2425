/* SPDX-License-Identifier: MIT */
/* The modules that have counters and the threads that count in them, for the files of
   counts.h and for trace.c: the lists, their lock, and what any counter says, whatever
   form it has.  */

#ifndef CCPROF_COUNTS_LISTS_H
#define CCPROF_COUNTS_LISTS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "rt/format.h"
#include "rt/table/modules.h"

struct ccprof_counts_form;

struct ccprof_counts_module {
    int number;        /* of struct ccprof_modules */
    uint64_t *storage; /* the module's own, or the records of its counters */
    size_t count;
    const struct ccprof_counts_form *form;
    /* Distance from a thread's pointer to its word, or to its block.  */
    uintptr_t distance;
    struct ccprof_stack_thread *none; /* of pairs */
    uint64_t *totals;                 /* of the threads that have ended */
    bool unloaded; /* CELLS is an address only; all that was counted is in TOTALS */
    /* Null until they are needed.  */
    uint64_t *base;      /* what is to be taken from the sums: see counts-accounting.c */
    uint64_t *moved;     /* what is in files of its own */
    uint64_t *writing;   /* of a data set that is being written */
    uint64_t **datasets; /* by place: what was counted in it */
};

/* In the thread-local storage of the thread that it is about.  */
struct ccprof_counts_thread {
    struct ccprof_counts_thread *next, **at; /* AT null: not in the list */
    uintptr_t pointer;
    pid_t tid;
    bool ended;        /* it was in the list */
    bool unregistered; /* it was not told of, and some of what it has counted is in the
                          totals */
    uint64_t dataset;  /* that is current; 0: the first one */
    /* By module: what it had counted when its data set's stretch began; null: nothing. */
    uint64_t **marks;
    /* If a module has pairs: what it has entered; null, as long as none has.  */
    struct ccprof_stack_thread stack;
    struct ccprof_pair **entries;
    /* And what trace.c has told of it; null unless that is asked for.  */
    struct ccprof_pair **told;
    size_t told_count, told_size;
};

/* A form in which a module's counters stand.  The functions are called under the lock, of
   modules that are not unloaded.  */
struct ccprof_counts_form {
    size_t words; /* of 64 bits, for each counter */
    bool
        is_private; /* each thread has its own in its block, whether it is known or not */

    /* The thread is given what it counts in, if it needs anything; or goes on without.
       Null: nothing.  */
    void (*give)(const struct ccprof_counts_module *module,
                 struct ccprof_counts_thread *thread);

    /* Adds what the thread has counted to the module's totals, and takes away what it was
       given.  */
    void (*take)(const struct ccprof_counts_module *module,
                 const struct ccprof_counts_thread *thread);

    /* What the thread by itself has counted.  */
    uint64_t (*own)(const struct ccprof_counts_module *module,
                    const struct ccprof_counts_thread *thread, size_t i);

    /* What is counted in the module's own cells, by all who have none.  Null: nothing. */
    uint64_t (*shared)(const struct ccprof_counts_module *module, size_t i);

    /* The module goes: from now on all threads count in the totals, since its destructors
       are still to come.  Null: they do not look any more.  */
    void (*share)(const struct ccprof_counts_module *module);

    /* Nothing was counted yet, by the calling thread and in the module.  */
    void (*zero)(const struct ccprof_counts_module *module,
                 struct ccprof_counts_thread *thread);
};

/* Of shared objects: cells of the module, and copies of them (counts-storage.c).  Of
   executables: words in each thread's block that records tell of (counts-records.c).
   Inclusive counts: inclusive.h.  */
extern const struct ccprof_counts_form ccprof_counts_storage, ccprof_counts_records;

/* Modules are added, and never taken away.  */
extern struct ccprof_counts_module ccprof_counts_modules[CCPROF_MODULES_MAX];
extern _Atomic unsigned ccprof_counts_module_count;

/* Those that have begun and not ended.  */
extern struct ccprof_counts_thread *ccprof_counts_list;

/* Waits a while, for a holder that a fatal signal has cut off perhaps; returns false if
   the lock is not to be had.  Try does not wait, take waits as long as it lasts.  Unlock
   also in the child of a fork, whoever held it.  All signals are blocked.  */
bool ccprof_counts_lock(void);
bool ccprof_counts_lock_try(void);
void ccprof_counts_lock_take(void);
void ccprof_counts_unlock(void);

/* All that follows: under the lock.  */

/* SIZE bytes, all 0; null if there is no memory.  */
void *ccprof_counts_pages(size_t size);

/* As in the form, but of any module.  */
void ccprof_counts_give(const struct ccprof_counts_module *module,
                        struct ccprof_counts_thread *thread);
uint64_t ccprof_counts_own(const struct ccprof_counts_module *module,
                           const struct ccprof_counts_thread *thread, size_t i);
uint64_t ccprof_counts_shared(const struct ccprof_counts_module *module, size_t i);

/* The totals, and what threads in the list and those without cells count beside.  */
uint64_t ccprof_counts_sum(const struct ccprof_counts_module *module, size_t i);

/* The address of the counter, as it is told in the file.  */
uintptr_t ccprof_counts_address(const struct ccprof_counts_module *module, size_t i);

#endif
