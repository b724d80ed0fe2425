/* SPDX-License-Identifier: MIT */
/* Gives each registered thread a table of words, an entry for each module whose code
   finds its words by a place (struct ccprof_place).  So a shared object takes nothing of
   the loader's room for thread-local storage, which is small.  For the files of counts.h.
   The lock of counts-lists.h is held.  */

#ifndef CCPROF_COUNTS_WORDS_H
#define CCPROF_COUNTS_WORDS_H

#include "rt/count/counts-lists.h"

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

#endif
