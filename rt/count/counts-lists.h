/* SPDX-License-Identifier: MIT */
/* Lists the modules that have counters and the threads that count in them, for the files
   of counts.h and for trace.c; owns their lock, and reads any counter, whatever its
   form.  */

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
struct ccprof_counts_marks;

struct ccprof_counts_module {
    int number; /* of struct ccprof_modules; less than 0: not known yet, the module was
                   loaded while a file was written */
    uint64_t *storage; /* the module's own, or the records of its counters */
    size_t count;
    const struct ccprof_counts_form *form;
    /* Distance from a thread's pointer to its word, or to its block.  */
    uintptr_t distance;
    struct ccprof_stack_thread *none; /* of pairs */
    uint64_t *totals;                 /* of the threads that have ended */
    bool unloaded; /* STORAGE is only an address; all counts are in TOTALS */
    /* Null until they are needed.  */
    uint64_t *base;      /* to be subtracted from the sums: see counts-accounting.c */
    uint64_t *moved;     /* counts that are in files of their own */
    uint64_t *writing;   /* counts of the data set that is being written */
    uint64_t **datasets; /* by slot (datasets.h): the counts of each */
};

/* In the thread-local storage of the thread that it is about.  */
struct ccprof_counts_thread {
    struct ccprof_counts_thread *next, **at; /* AT null: not in the list */
    uintptr_t pointer;
    pid_t tid;
    bool ended;        /* it was in the list */
    bool unregistered; /* the runtime was not told of it, and some of its counts are in
                          the totals */
    uint64_t dataset;  /* that is current; 0: the first one */
    struct ccprof_counts_marks *marks; /* null: all its counters were 0 */
    /* The pairs that it has entered; null, as long as no module has pairs.  */
    struct ccprof_stack_thread stack;
    struct ccprof_pair **entries;
    /* Those of them that trace.c has printed; null unless there is a trace.  */
    struct ccprof_pair **told;
    size_t told_count, told_size;
};

/* How a module's counters are stored.  The functions are called under the lock, for
   modules that are not unloaded.  */
struct ccprof_counts_form {
    size_t words; /* of 64 bits, for each counter */
    /* Each thread has its own in its block, whether it is registered or not.  */
    bool is_private;

    /* Gives the thread storage to count in; without memory it goes on without.  Null: it
       needs none.  */
    void (*give)(const struct ccprof_counts_module *module,
                 struct ccprof_counts_thread *thread);

    /* Adds the thread's counts to the module's totals, and frees its storage.  */
    void (*take)(const struct ccprof_counts_module *module,
                 const struct ccprof_counts_thread *thread);

    /* What the thread has counted in its own storage.  */
    uint64_t (*own)(const struct ccprof_counts_module *module,
                    const struct ccprof_counts_thread *thread, size_t i);

    /* What is counted in the module's own storage, by all threads that have none of their
       own.  Null: nothing.  */
    uint64_t (*shared)(const struct ccprof_counts_module *module, size_t i);

    /* The module is unloaded: from now on all threads count in the totals, since its
       destructors are still to come.  Null: no thread counts any more.  */
    void (*share)(const struct ccprof_counts_module *module);

    /* Clears the counters of the calling thread and of the module.  */
    void (*zero)(const struct ccprof_counts_module *module,
                 struct ccprof_counts_thread *thread);
};

/* In shared objects: storage of the module, and copies of it (counts-storage.c).  In
   executables: words in each thread's block, whose offsets are in records
   (counts-records.c).  Inclusive counts: inclusive.h.  */
extern const struct ccprof_counts_form ccprof_counts_storage, ccprof_counts_records;

/* Modules are added, and never taken away; one that is loaded again, where it was, is the
   same.  */
extern struct ccprof_counts_module ccprof_counts_modules[CCPROF_MODULES_MAX];
extern _Atomic unsigned ccprof_counts_module_count;

/* Who knows their numbers; null until there is a module.  */
extern struct ccprof_modules *ccprof_counts_loaded;

/* Those that have begun and not ended.  */
extern struct ccprof_counts_thread *ccprof_counts_list;

/* Waits a while, for a holder that a fatal signal has cut off perhaps; returns false if
   the lock is not to be had.  Nobody holds it for long: no file is written meanwhile. Try
   does not wait, take waits as long as it lasts.  Unlock also in the child of a fork,
   whoever held it.  All signals are blocked.  */
bool ccprof_counts_lock(void);
bool ccprof_counts_lock_try(void);
void ccprof_counts_lock_take(void);
void ccprof_counts_unlock(void);

/* All that follows: under the lock.  */

/* As in the form, but of any module.  */
void ccprof_counts_give(const struct ccprof_counts_module *module,
                        struct ccprof_counts_thread *thread);
uint64_t ccprof_counts_own(const struct ccprof_counts_module *module,
                           const struct ccprof_counts_thread *thread, size_t i);
uint64_t ccprof_counts_shared(const struct ccprof_counts_module *module, size_t i);

/* Whether the module's number is known, or can be found out now.  */
bool ccprof_counts_number(struct ccprof_counts_module *module);

/* The totals, and the present counts of all threads.  */
uint64_t ccprof_counts_sum(const struct ccprof_counts_module *module, size_t i);

/* The address of the counter, as it is told in the file.  */
uintptr_t ccprof_counts_address(const struct ccprof_counts_module *module, size_t i);

#endif
