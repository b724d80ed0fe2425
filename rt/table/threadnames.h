/* SPDX-License-Identifier: MIT */
/* Numbers threads and keeps their names, so that samples can be told apart by thread.
   The names are in a table of fixed size, which is mapped only with the setting
   threads.  */

#ifndef CCPROF_THREADNAMES_H
#define CCPROF_THREADNAMES_H

#include <stdbool.h>
#include <stdint.h>

/* The most threads that have names.  The samples of all further threads are reported
   together, as "others".  */
#define CCPROF_THREADNAMES_MAX 1024

/* Bytes of a name with its NUL: TASK_COMM_LEN in the kernel's include/linux/sched.h.  */
#define CCPROF_THREADNAMES_NAME 16

/* The number of the first thread, and the number that stands for all threads without a
   place.  */
#define CCPROF_THREADNAMES_FIRST  1
#define CCPROF_THREADNAMES_OTHERS 0

/* Maps the table of names; returns false if there is no memory.  Constructor.  */
bool ccprof_threadnames_start(void);

/* Returns whether names are kept.  This function and all that follow are
   async-signal-safe, in any thread.  */
bool ccprof_threadnames_are_kept(void);

/* Returns the number of a thread that is about to be made; 0 if names are not kept.  */
uint32_t ccprof_threadnames_new(void);

/* Returns the number of the calling thread: NUMBER, or a new number if NUMBER is 0.  */
uint32_t ccprof_threadnames_number(uint32_t number);

/* Keeps the current name of the calling thread, whose number is NUMBER, since it is
   sampled.  Returns NUMBER, or CCPROF_THREADNAMES_OTHERS if there is no room.  */
uint32_t ccprof_threadnames_note(uint32_t number);

/* Keeps the last name of the calling thread, which ends, if it was sampled.  */
void ccprof_threadnames_end(uint32_t number);

/* Forgets all threads, in the child of a fork.  */
void ccprof_threadnames_drop(void);

/* Finds the sampled thread with the lowest number from NUMBER on: fills in NAME and
   returns the number, or UINT64_MAX if there is none.  */
uint64_t ccprof_threadnames_next(uint64_t number, char name[CCPROF_THREADNAMES_NAME]);

#endif
