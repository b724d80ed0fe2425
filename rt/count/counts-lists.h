/* SPDX-License-Identifier: MIT */
/* Data that the files counts*.c, inclusive.c and trace.c share: the modules that have
   counters, the threads that count in them, and the lock of both lists. For each
   thread, also its table of words and the last values of its counters. */

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

/* A shared object may have two entries: its counters and its pairs. */
#define CCPROF_COUNTS_MODULES_MAX (2 * CCPROF_MODULES_MAX)

struct ccprof_counts_module {
    /* Number in struct ccprof_modules. Negative if it is not known yet, since the
       module was loaded while a file was being written. */
    int number;
    uint64_t *storage; /* the module's own counters, or its records */
    size_t count;
    const struct ccprof_counts_form *form;
    /* Distance from a thread's thread pointer to the thread's word, or block, for this
       module. Unused if HAS_WORD is false. */
    uintptr_t distance;
    bool has_word;
    bool has_stacks;            /* CCPROF_NOTE_PAIRS_OWN */
    struct ccprof_place *place; /* used by code that finds its word through a table of
                                   words; null: no such code */
    /* For pairs: the target of the word in threads without a copy. */
    struct ccprof_stack_thread *none;
    uint64_t *totals; /* sums over threads that have ended */
    bool unloaded; /* the module is unloaded: STORAGE is only an address, and TOTALS has
                      all counts */
    /* The arrays below are null until they are needed. */
    uint64_t *base;      /* subtracted from the sums by counts-accounting.c */
    uint64_t *moved;     /* counts in other files */
    uint64_t *writing;   /* counts of the data set being written */
    uint64_t **datasets; /* counts of each data set, indexed by slot (tags.h) */
};

/* A thread that counts. The struct is in the thread's own thread-local storage. */
struct ccprof_counts_thread {
    struct ccprof_counts_thread *next, **link; /* LINK null: not in the list */
    uintptr_t pointer;
    pid_t tid;
    bool ended; /* the thread has been in the list */
    /* The runtime treats the thread as ended, but the thread continues to run and uses
       its storage. */
    bool goes_on;
    /* The thread is not registered, but the totals include some of its counts. */
    bool unregistered;
    uint64_t dataset; /* current data set; 0: the first one */
    /* The last known values of the thread's counters; null if all were 0. */
    struct ccprof_counts_marks *marks;
    /* The stack of pairs that the thread has entered. ENTRIES is null while no module
       has pairs. */
    struct ccprof_stack_thread *stack;
    struct ccprof_stack_thread usual_stack; /* unless a module has one for each thread */
    struct ccprof_pair **entries;
    uint64_t serial; /* identifies ENTRIES among all threads' stacks of pairs */
    /* The entered pairs that trace.c has printed; null if there is no trace. */
    struct ccprof_pair **printed;
    size_t printed_count, printed_size;
};

/* The form in which a module's counters are stored. The functions are called under
   the lock, for loaded modules. */
struct ccprof_counts_form {
    size_t words; /* 64-bit words per counter */
    /* Each thread, registered or not, has its own counters in its block of
       thread-local storage. */
    bool is_private;

    /* Gives the thread its own storage. If there is no memory, the thread continues
       without storage. Null if threads need no storage. */
    void (*give)(const struct ccprof_counts_module *module,
                 struct ccprof_counts_thread *thread);

    /* Adds the thread's counts to the module's totals, and frees its storage. */
    void (*take)(const struct ccprof_counts_module *module,
                 const struct ccprof_counts_thread *thread);

    /* Returns the thread's count in its own storage. */
    uint64_t (*private_count)(const struct ccprof_counts_module *module,
                              const struct ccprof_counts_thread *thread, size_t i);

    /* Returns the count of threads without storage, in the module's own storage. Null
       if such threads count nothing. */
    uint64_t (*shared)(const struct ccprof_counts_module *module, size_t i);

    /* Makes all threads count in the totals from now on: the module is being unloaded,
       and its destructors have not run yet. The pointer is null if no thread counts
       any more. */
    void (*share)(const struct ccprof_counts_module *module);

    /* Sets the counters of the calling thread and of the module to 0. */
    void (*zero)(const struct ccprof_counts_module *module,
                 struct ccprof_counts_thread *thread);
};

/* ccprof_counts_storage is for shared objects: the module's own counters, and copies
   of them for threads. ccprof_counts_records is for executables: words in each
   thread's block, at offsets given by records. Both are in counts-storage.c.
   inclusive.h has a third form. */
extern const struct ccprof_counts_form ccprof_counts_storage, ccprof_counts_records;

/* The list of modules. Modules are added and never removed. A module that is loaded
   again at the same address keeps its entry. The list has room for
   CCPROF_COUNTS_MODULES_MAX modules and is null until there is one. */
extern struct ccprof_counts_module *ccprof_counts_modules;
extern _Atomic unsigned ccprof_counts_module_count;

/* The list that gives the modules their numbers; null until there is a module. */
extern struct ccprof_modules *ccprof_counts_loaded;

/* The registered threads, which have started and not ended. */
extern struct ccprof_counts_thread *ccprof_counts_list;

/* The lock of the lists. `lock' waits for a limited time, and returns false if a
   fatal signal has interrupted the holder, which then never releases the lock. (No
   thread holds the lock for long or while it writes a file.) `lock_try' does not
   wait. `lock_take' waits without a time limit. The child of a fork may call
   `unlock' even if another thread of the parent held the lock. All signals must be
   blocked. */
bool ccprof_counts_lock(void);
bool ccprof_counts_lock_try(void);
void ccprof_counts_lock_take(void);
void ccprof_counts_unlock(void);

/* The callers of all functions below must hold the lock. */

/* Call the function of the module's form, if the module is loaded and the form has the
   function. */
void ccprof_counts_give(const struct ccprof_counts_module *module,
                        struct ccprof_counts_thread *thread);
uint64_t ccprof_counts_own(const struct ccprof_counts_module *module,
                           const struct ccprof_counts_thread *thread, size_t i);
uint64_t ccprof_counts_shared(const struct ccprof_counts_module *module, size_t i);

/* Looks up the module's number if it is not known yet. Returns whether it is known
   now. */
bool ccprof_counts_number(struct ccprof_counts_module *module);

/* Returns the value of counter I: the totals plus the counts of all threads. */
uint64_t ccprof_counts_sum(const struct ccprof_counts_module *module, size_t i);

/* Returns the address of counter I that the data file contains. */
uintptr_t ccprof_counts_address(const struct ccprof_counts_module *module, size_t i);

/* Tables of words (counts-storage.c). Each registered thread has a table. It has an
   entry for each module whose code finds its words through a place (struct
   ccprof_place). So a shared object needs no room in the loader's thread-local
   storage, which is small. */

/* Initializes the module's entry in all threads' tables. The entry may have belonged
   to another module before. The module is in the list or about to be added. ENDED is
   the distance from the module's counters to the counters used by threads that have
   ended. */
void ccprof_counts_words_clear(const struct ccprof_counts_module *module,
                               uintptr_t ended);

/* Lets the module's code find its words from now on. INDEX is the offset of its word
   in an entry, in bytes. */
void ccprof_counts_words_place(const struct ccprof_counts_module *module, size_t index);

/* Gives the thread its own table if it has no table. Returns whether the thread has a
   table now. */
bool ccprof_counts_words_make(const struct ccprof_counts_thread *thread);

/* Returns the thread's entry for the module. This may be the entry that all
   unregistered threads share. */
struct ccprof_stack_word *
ccprof_counts_words_of(const struct ccprof_counts_module *module,
                       const struct ccprof_counts_thread *thread);

/* Frees the table of the calling thread, which ends. If it still counts, it counts in
   the totals. */
void ccprof_counts_words_end(const struct ccprof_counts_thread *thread);

/* Forgets unused tables, in the child of a fork: the fork may have happened in the
   middle of a change. */
void ccprof_counts_words_drop(void);

/* Accounting (counts-accounting.c): assigns each count to a data set, and to the time
   while the gate was open or closed. */

/* From now on, the thread counts in the data set. */
void ccprof_counts_accounting_switch(struct ccprof_counts_thread *thread,
                                     uint64_t dataset);

/* Adds the thread's last counts to its data set, since the thread ends. */
void ccprof_counts_accounting_end(struct ccprof_counts_thread *thread);

/* accounting_unregistered adds the counts of an unregistered thread since the last
   call to the totals. accounting_registered subtracts all these counts again when the
   thread is registered. */
void ccprof_counts_accounting_unregistered(struct ccprof_counts_thread *thread);
void ccprof_counts_accounting_registered(struct ccprof_counts_thread *thread);

/* Adds the threads' last counts in the module to their data sets, since the module is
   unloaded. */
void ccprof_counts_accounting_detach(unsigned module);

/* Forgets all counts, in the child of a fork. THREAD is the only thread. */
void ccprof_counts_accounting_drop(struct ccprof_counts_thread *thread);

/* Returns the part of SUM, the value of counter I, that belongs to the run's own file. */
uint64_t ccprof_counts_accounting_of(const struct ccprof_counts_module *module, size_t i,
                                     uint64_t sum);

/* Sets the last known values of all threads' counters in the module to 0, since it is
   loaded again. */
void ccprof_counts_accounting_reload(unsigned module);

#endif
