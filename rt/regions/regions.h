/* SPDX-License-Identifier: MIT */
/* Measures the wall clock time of regions: blocks that the program has named
   (CCPROF_REGION in ccprof.h), and functions compiled with a stopwatch. Regions that
   are open inside each other form a path. Each thread counts the calls of each path
   separately, without a lock. When the thread ends, its figures are added to the
   process's figures.

   Nearly all memory is mapped when the first region begins: room for a fixed number of
   paths, and a stack of frames for each thread. (Room for events is mapped by the
   constructor.) If there is no room for a call, the call is lost, and the number of
   lost calls is reported. The program may begin and end regions in any thread and in
   signal handlers. */

#ifndef CCPROF_REGIONS_H
#define CCPROF_REGIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "rt/ccprof.h"
#include "rt/os/settings.h"
#include "rt/os/text.h"
#include "rt/samples/modules.h"
#include "rt/unwind/stack.h"

/* Stores the functions for regions in the table, before the program gets the table.
   Does nothing for regions=no. THREAD_BEGINS is called in each thread that begins its
   first region, with all signals blocked. THREAD_BEGINS must arrange that
   ccprof_regions_thread_end is called when the thread ends. Called by the
   constructor. */
void ccprof_regions_start(struct ccprof_api *table,
                          const struct ccprof_settings *settings,
                          void (*thread_begins)(void));

/* From now on, measure regions that begin (open), or do not measure them (close).
   Open calls stay open. Async-signal-safe. */
void ccprof_regions_open(void);
void ccprof_regions_close(void);

/* Called when the calling thread ends: leaves its open regions and adds its figures to
   the process's figures. All signals must be blocked. */
void ccprof_regions_thread_end(void);

/* From now on, threads in strict mode (ccprof_strict in rt/os/lock.h) measure no
   regions. Before a thread enters strict mode, ccprof_regions_thread_end must have
   been called in it. */
void ccprof_regions_guard(void);

/* Called when the program calls setjmp (mark) or longjmp (jump) with this buffer.
   STACK is the stack pointer with which the program continues after the jump.
   Async-signal-safe. */
void ccprof_regions_mark(const void *buffer, uintptr_t stack);
void ccprof_regions_jump(const void *buffer, uintptr_t stack);

/* Forgets all measurements, in the child of a fork. Open calls of the calling thread
   start again now. */
void ccprof_regions_drop(void);

/* Returns whether a region has begun. Async-signal-safe, like all functions below. */
bool ccprof_regions_any(void);

/* Returns whether any call of a region has ended. */
bool ccprof_regions_ended(void);

/* Adds the names of the calling thread's open regions to the stack, as the outermost
   entries. If the phases leave too little room, only the outermost regions are added.
   The names are labels (tags.h), numbered after the labels of phases. */
void ccprof_regions_put(struct ccprof_stack *stack);

/* Returns the name of the label with this number, counted from the first label of a
   region. The name stays valid. */
#define CCPROF_REGIONS_NAMES 4096
const char *ccprof_regions_label(unsigned number);

/* Writes the part of mlmon.out(5) about regions, without data in earlier slices.
   SLICE: writes no open calls, and the caller must call ccprof_regions_slice_done when
   the slice is complete. All signals must be blocked. Only one thread may call this
   at a time. */
void ccprof_regions_write(struct ccprof_text *text, const struct ccprof_modules *modules,
                          bool slice);
void ccprof_regions_slice_done(void);

/* Returns the number of threads that have begun a region, but at least 1. */
uint64_t ccprof_regions_threads(void);

/* Returns the number of calls that could not be measured. */
uint64_t ccprof_regions_lost(void);

#endif
