/* SPDX-License-Identifier: MIT */
/* What the files of counts.h, inclusive.c and trace.c share: the modules that have
   counters, the threads that count in them, the lock of both lists, and for each thread
   its table of words and the last values of its counters.  */

#ifndef CCPROF_COUNTS_LISTS_H
#define CCPROF_COUNTS_LISTS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "rt/format.h"
#include "rt/samples/modules.h"

struct ccprof_counts_form;
struct ccprof_counts_marks;

/* A shared object may be two entries: its counters, and its pairs.  */
#define CCPROF_COUNTS_MODULES_MAX (2 * CCPROF_MODULES_MAX)

struct ccprof_counts_module {
    /* Number in struct ccprof_modules.  Less than 0: not known yet, since the module was
       loaded while a file was being written.  */
    int number;
    uint64_t *storage; /* the module's own counters, or its records of counters */
    size_t count;
    const struct ccprof_counts_form *form;
    /* Distance from a thread's pointer to the thread's word, or block, of this module;
       without HAS_WORD the module has none.  */
    uintptr_t distance;
    bool has_word;
    struct ccprof_place *place; /* by which the module's other code finds its word; null:
                                   there is no such code */
    /* For pairs: what the word of a thread without a copy points to.  */
    struct ccprof_stack_thread *none;
    uint64_t *totals; /* sums of the threads that have ended */
    bool unloaded;    /* STORAGE is only an address now, and all counts are in TOTALS */
    /* The arrays below are null until they are needed.  */
    uint64_t *base;      /* what counts-accounting.c subtracts from the sums */
    uint64_t *moved;     /* counts that other files have */
    uint64_t *writing;   /* counts of the data set that is being written */
    uint64_t **datasets; /* the counts of each data set, by slot (scope.h) */
};

/* A thread that counts.  The struct is in the thread-local storage of the thread
   itself.  */
struct ccprof_counts_thread {
    struct ccprof_counts_thread *next, **at; /* AT null: not in the list */
    uintptr_t pointer;
    pid_t tid;
    bool ended; /* the thread was in the list */
    /* It has ended for the runtime alone: its functions go on, with their storage.  */
    bool goes_on;
    /* The runtime has not registered the thread, and some of its counts are in the
       totals.  */
    bool unregistered;
    uint64_t dataset; /* the current data set; 0: the first one */
    /* The last known values of its counters; null: all were 0.  */
    struct ccprof_counts_marks *marks;
    /* The pairs that the thread has entered; null while no module has pairs.  */
    struct ccprof_stack_thread stack;
    struct ccprof_pair **entries;
    uint64_t serial; /* of ENTRIES, among those of all threads */
    /* The entered pairs that trace.c has printed; null if there is no trace.  */
    struct ccprof_pair **printed;
    size_t printed_count, printed_size;
};

/* How a module's counters are stored.  The functions are called under the lock, for
   modules that are loaded.  */
struct ccprof_counts_form {
    size_t words; /* 64-bit words of each counter */
    /* Each thread, registered or not, has its own counters in its block.  */
    bool is_private;

    /* Gives the thread storage to count in.  Without memory the thread goes on without
       storage.  Null: threads need no storage.  */
    void (*give)(const struct ccprof_counts_module *module,
                 struct ccprof_counts_thread *thread);

    /* Adds the thread's counts to the module's totals, and frees its storage.  */
    void (*take)(const struct ccprof_counts_module *module,
                 const struct ccprof_counts_thread *thread);

    /* Returns what the thread has counted in its own storage.  */
    uint64_t (*own)(const struct ccprof_counts_module *module,
                    const struct ccprof_counts_thread *thread, size_t i);

    /* Returns what the threads without storage have counted in the module's own storage.
       Null: they count nothing.  */
    uint64_t (*shared)(const struct ccprof_counts_module *module, size_t i);

    /* Lets all threads count in the totals from now on, since the module is being
       unloaded and its destructors are still to come.  Null: no thread counts any
       more.  */
    void (*share)(const struct ccprof_counts_module *module);

    /* Clears the counters of the calling thread and of the module.  */
    void (*zero)(const struct ccprof_counts_module *module,
                 struct ccprof_counts_thread *thread);
};

/* Storage: in shared objects, the module's own counters and copies of them for threads
   (counts-storage.c).  Records: in executables, words in each thread's block, whose
   offsets are in records (counts-storage.c).  inclusive.h has a third form.  */
extern const struct ccprof_counts_form ccprof_counts_storage, ccprof_counts_records;

/* Modules are added and never removed.  A module that is loaded again at the same place
   keeps its entry.  There is room for CCPROF_COUNTS_MODULES_MAX; null until there is a
   module.  */
extern struct ccprof_counts_module *ccprof_counts_modules;
extern _Atomic unsigned ccprof_counts_module_count;

/* Knows the numbers of modules; null until there is a module.  */
extern struct ccprof_modules *ccprof_counts_loaded;

/* The registered threads, which have started and not ended.  */
extern struct ccprof_counts_thread *ccprof_counts_list;

/* Takes the lock.  `lock' waits for a while and returns false if a fatal signal has cut
   off the holder; nobody holds the lock for long, and no file is written meanwhile.
   `try' does not wait; `take' waits without a bound.  `unlock' may also be called in the
   child of a fork, whoever holds the lock.  All signals must be blocked.  */
bool ccprof_counts_lock(void);
bool ccprof_counts_lock_try(void);
void ccprof_counts_lock_take(void);
void ccprof_counts_unlock(void);

/* The caller of all functions below holds the lock.  */

/* Call the function of the form, for any module.  */
void ccprof_counts_give(const struct ccprof_counts_module *module,
                        struct ccprof_counts_thread *thread);
uint64_t ccprof_counts_own(const struct ccprof_counts_module *module,
                           const struct ccprof_counts_thread *thread, size_t i);
uint64_t ccprof_counts_shared(const struct ccprof_counts_module *module, size_t i);

/* Returns whether the module's number is known, or can be found now.  */
bool ccprof_counts_number(struct ccprof_counts_module *module);

/* Returns the value of counter I: the totals plus the counts of all threads.  */
uint64_t ccprof_counts_sum(const struct ccprof_counts_module *module, size_t i);

/* Returns the address of counter I, as the data file shows it.  */
uintptr_t ccprof_counts_address(const struct ccprof_counts_module *module, size_t i);

/* Tables of words (counts-storage.c).  Each registered thread has one, with an entry for
   each module whose code finds its words by a place (struct ccprof_place).  So a shared
   object takes nothing of the loader's room for thread-local storage, which is small.  */

/* Prepares the entry of the module, which is in the list or is about to be, for all
   threads.  Nothing is left of a module that had the entry before.  ENDED is the distance
   to what threads count in that have ended.  */
void ccprof_counts_words_clear(const struct ccprof_counts_module *module,
                               uintptr_t ended);

/* Lets the module's code find its words from now on.  INDEX counts from the start of an
   entry.  */
void ccprof_counts_words_place(const struct ccprof_counts_module *module, size_t index);

/* Makes sure that the thread has a table of its own.  Returns whether it has.  */
bool ccprof_counts_words_make(const struct ccprof_counts_thread *thread);

/* Returns the thread's entry for the module, which may be that of all unregistered
   threads.  */
struct ccprof_stack_word *
ccprof_counts_words_of(const struct ccprof_counts_module *module,
                       const struct ccprof_counts_thread *thread);

/* Takes the table from the calling thread, which ends: what it still counts goes to the
   totals.  */
void ccprof_counts_words_end(const struct ccprof_counts_thread *thread);

/* Forgets tables that no thread has, in the child of a fork, which may have come in the
   middle of a change.  */
void ccprof_counts_words_drop(void);

/* Accounting (counts-accounting.c): each count belongs to a data set, and to the time
   while the gate was open or while it was closed.  */

/* Lets the thread count in the data set from now on.  */
void ccprof_counts_accounting_switch(struct ccprof_counts_thread *thread,
                                     uint64_t dataset);

/* Accounts what the thread has counted to its data set, since the thread ends.  */
void ccprof_counts_accounting_end(struct ccprof_counts_thread *thread);

/* Unregistered adds what the thread, which is not in the list, has counted since the last
   call to the totals; registered subtracts this again when the thread comes into the
   list.  */
void ccprof_counts_accounting_unregistered(struct ccprof_counts_thread *thread);
void ccprof_counts_accounting_registered(struct ccprof_counts_thread *thread);

/* Accounts what the threads have counted in the module to their data sets, since the
   module is unloaded.  */
void ccprof_counts_accounting_detach(unsigned module);

/* Forgets all counts, in the child of a fork, where THREAD is the only thread.  */
void ccprof_counts_accounting_drop(struct ccprof_counts_thread *thread);

/* Returns how much of SUM, the value of counter I, belongs to the run's own file.  */
uint64_t ccprof_counts_accounting_of(const struct ccprof_counts_module *module, size_t i,
                                     uint64_t sum);

/* Clears the last known values of all threads' counters in the module, which is loaded
   again.  */
void ccprof_counts_accounting_reload(unsigned module);

#endif
