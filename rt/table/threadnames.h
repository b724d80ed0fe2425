/* SPDX-License-Identifier: MIT */
/* Numbers threads and keeps their names, so that samples can be told apart by thread, in
   a table of fixed size that is mapped only where that is asked for (the setting
   threads).  */

#ifndef CCPROF_THREADNAMES_H
#define CCPROF_THREADNAMES_H

#include <stdbool.h>
#include <stdint.h>

/* Threads that can have names; the samples of all others are told together.  */
#define CCPROF_THREADNAMES_MAX 1024

/* Bytes of a name, the NUL included: TASK_COMM_LEN in the kernel's
   include/linux/sched.h.  */
#define CCPROF_THREADNAMES_NAME 16

/* The number of the first thread, and that under which those are that have no name.  */
#define CCPROF_THREADNAMES_FIRST  1
#define CCPROF_THREADNAMES_OTHERS 0

/* From now on names are kept; returns false if there is no memory.  Constructor.  */
bool ccprof_threadnames_start(void);

/* Whether they are.  All that follows is async-signal-safe, in any thread.  */
bool ccprof_threadnames_are_kept(void);

/* The number of a thread that is about to be made; 0 if names are not kept.  */
uint32_t ccprof_threadnames_new(void);

/* The number of the calling thread: NUMBER unless that is 0, otherwise a new one.  */
uint32_t ccprof_threadnames_number(uint32_t number);

/* The calling thread, of that number, is sampled: keeps the name that it has now.
   Returns the number, or that of the others if there is no room.  */
uint32_t ccprof_threadnames_note(uint32_t number);

/* The calling thread ends: keeps the name that it has now, if it was sampled.  */
void ccprof_threadnames_end(uint32_t number);

/* In the child of a fork: forgets all threads.  */
void ccprof_threadnames_drop(void);

/* The sampled thread with the lowest number from NUMBER on: fills in NAME and returns its
   number, or UINT64_MAX if there is none.  */
uint64_t ccprof_threadnames_next(uint64_t number, char name[CCPROF_THREADNAMES_NAME]);

#endif
