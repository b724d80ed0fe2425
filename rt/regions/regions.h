/* SPDX-License-Identifier: MIT */
/* Measures the real time of regions: blocks that the program has named (CCPROF_REGION in
   ccprof.h), and functions compiled with a stopwatch.  Regions that are open inside each
   other form a path.  Each thread counts the calls of each path on its own, without a
   lock; when the thread ends, its figures are added to those of the process.

   All memory but that for single calls is mapped when the first region begins: room for a
   fixed number of paths, and a stack of frames for each thread.  A call without room is
   lost, and lost calls are counted.  The program's calls may come in any thread and in
   signal handlers.  */

#ifndef CCPROF_REGIONS_H
#define CCPROF_REGIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "rt/ccprof.h"
#include "rt/os/settings.h"
#include "rt/os/text.h"
#include "rt/samples/modules.h"
#include "rt/unwind/stack.h"

/* Puts the functions into the table, which the program has not seen yet; with regions=no
   does nothing.  THREAD_BEGINS is called in each thread that begins its first region,
   with all signals blocked; it must see to it that ccprof_regions_thread_end is called
   when the thread ends.  Constructor.  */
void ccprof_regions_start(struct ccprof_api *table,
                          const struct ccprof_settings *settings,
                          void (*thread_begins)(void));

/* Measures the regions that begin from now on (open), or does not (close).  Open calls
   stay open.  Async-signal-safe.  */
void ccprof_regions_open(void);
void ccprof_regions_close(void);

/* Ends the calling thread: leaves its open regions and adds its figures to the process's.
   All signals must be blocked.  */
void ccprof_regions_thread_end(void);

/* From now on calls of threads that may make no system calls (rt/os/sys.h) do nothing.
   Such a thread must have been ended before.  */
void ccprof_regions_guard(void);

/* Called when the program calls setjmp (mark) or longjmp (jump) with this buffer.  STACK
   is the stack pointer with which the program goes on after the jump.
   Async-signal-safe.  */
void ccprof_regions_mark(const void *buffer, uintptr_t stack);
void ccprof_regions_jump(const void *buffer, uintptr_t stack);

/* Forgets all that was measured, in the child of a fork; open calls begin now.  */
void ccprof_regions_drop(void);

/* Returns whether a region has begun.  Async-signal-safe, as are all functions below.  */
bool ccprof_regions_any(void);

/* Returns whether the call of a region has ended.  */
bool ccprof_regions_ended(void);

/* Puts the names of the open regions of the calling thread around the stack: of the
   outermost regions, as many as the phases leave room for.  The names are labels
   (scope.h), whose numbers follow the numbers of phases.  */
void ccprof_regions_put(struct ccprof_stack *stack);

/* Returns the name of a label, whose number counts from the first region's on.  The name
   stays valid.  */
#define CCPROF_REGIONS_NAMES 4096
const char *ccprof_regions_label(unsigned number);

/* Writes the part of mlmon.out(5) about regions, without what is in earlier slices.
   SLICE: without open calls; the caller must call ccprof_regions_slice_done once the
   slice is complete.  All signals must be blocked; one thread at a time.  */
void ccprof_regions_write(struct ccprof_text *text, const struct ccprof_modules *modules,
                          bool slice);
void ccprof_regions_slice_done(void);

/* Returns how many threads have begun a region, but at least 1.  */
uint64_t ccprof_regions_threads(void);

/* Returns how many calls could not be measured.  */
uint64_t ccprof_regions_lost(void);

#endif
