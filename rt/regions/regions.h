/* SPDX-License-Identifier: MIT */
/* Measures the real time of regions: what the program has named (CCPROF_REGION in
   ccprof.h), and functions compiled with a stopwatch.  Regions that are open inside each
   other are a path; each thread counts the calls of each path for itself, without a lock,
   and what it has counted is added to that of the process when it ends.

   All memory is mapped when the first region is begun: room for a fixed number of paths,
   and a stack of frames for each thread.  Without room a call is lost, which is counted.

   The program's calls may be made in any thread and in signal handlers.  */

#ifndef CCPROF_REGIONS_H
#define CCPROF_REGIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "rt/ccprof.h"
#include "rt/os/settings.h"
#include "rt/os/text.h"
#include "rt/table/modules.h"
#include "rt/unwind/stack.h"

/* Chooses the clock and puts the functions into the table, which the program has not seen
   yet; with regions=no those that do nothing.  THREAD_BEGINS is called in each thread
   that begins its first region, with all signals blocked, so that
   ccprof_regions_thread_end is called at its end.  Constructor.  */
void ccprof_regions_start(struct ccprof_api *table,
                          const struct ccprof_settings *settings,
                          void (*thread_begins)(void));

/* From now on what begins is measured, or is not.  What is open stays so.
   Async-signal-safe.  */
void ccprof_regions_open(void);
void ccprof_regions_close(void);

/* The calling thread ends: its regions are left, and what it has counted is the
   process's. All signals are blocked.  */
void ccprof_regions_thread_end(void);

/* The program calls setjmp, or longjmp, with this buffer; STACK is the stack pointer
   where it goes on then.  Async-signal-safe.  */
void ccprof_regions_mark(const void *buffer, uintptr_t stack);
void ccprof_regions_jump(const void *buffer, uintptr_t stack);

/* In the child of a fork: nothing has been measured, and what is open began now.  */
void ccprof_regions_drop(void);

/* Whether a region was begun.  Async-signal-safe, as are all that follow.  */
bool ccprof_regions_any(void);

/* Whether a call of one has ended.  */
bool ccprof_regions_ended(void);

/* Puts the names of the outermost regions that are open in the calling thread around the
   stack, as many as its phases leave room for: as labels (scope.h) whose numbers begin
   behind those of phases (labels.h).  */
void ccprof_regions_put(struct ccprof_stack *stack);

/* The name of such a label, whose number is counted from the first one; it stays.  */
#define CCPROF_REGIONS_NAMES 4096
const char *ccprof_regions_label(unsigned number);

/* Writes what is behind the counters in mlmon.out(5), if there is anything to write, but
   for what was told before.  SLICE: without what is open, and what is written is told
   when told is called.  All signals are blocked; one thread at a time.  */
void ccprof_regions_write(struct ccprof_text *text, const struct ccprof_modules *modules,
                          bool slice);
void ccprof_regions_told(void);

/* How many threads there were that have begun one; at least 1.  */
uint64_t ccprof_regions_threads(void);

/* Calls that could not be kept.  */
uint64_t ccprof_regions_lost(void);

#endif
