/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stubs for rt/regions, rt/heap and rt/wait, for tests of modules that call them: there
   are no regions, and neither the heap nor waits are measured. */

#include "rt/heap/heap.h"
#include "rt/regions/regions.h"
#include "rt/wait/wait.h"
#include "standins.h"

DOES_NOTHING(ccprof_regions_open, (void))
DOES_NOTHING(ccprof_regions_close, (void))
DOES_NOTHING(ccprof_regions_drop, (void))
DOES_NOTHING(ccprof_regions_slice_done, (void))
DOES_NOTHING(ccprof_regions_write, (struct ccprof_text * text,
                                    const struct ccprof_modules *modules, bool slice))
RETURNS(bool, ccprof_regions_any, (void), false)
RETURNS(bool, ccprof_regions_ended, (void), false)
RETURNS(uint64_t, ccprof_regions_threads, (void), 1)
RETURNS(uint64_t, ccprof_regions_lost, (void), 0)
RETURNS(const char *, ccprof_regions_label, (unsigned number),
        number == 7                          ? "seven"
        : number == CCPROF_REGIONS_NAMES - 1 ? "last"
                                             : "?")

DOES_NOTHING(ccprof_heap_hurry, (void))
DOES_NOTHING(ccprof_heap_end, (void))
DOES_NOTHING(ccprof_heap_slice_written, (void))
DOES_NOTHING(ccprof_heap_write,
             (struct ccprof_text * text, const struct ccprof_modules *modules, bool ended,
              const struct ccprof_heap_slice *slice))
RETURNS(bool, ccprof_heap_is_on, (void), false)
RETURNS(bool, ccprof_heap_record, (bool later), false)
RETURNS(bool, ccprof_heap_postpone, (void (*later)(void)), false)

DOES_NOTHING(ccprof_wait_write, (struct ccprof_text * text,
                                 const struct ccprof_modules *modules, bool is_slice))
DOES_NOTHING(ccprof_wait_slice_done, (void))
RETURNS(bool, ccprof_wait_is_on, (void), false)
