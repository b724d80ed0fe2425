/* SPDX-License-Identifier: MIT */
/* Owns the time of the next checkpoint.  The constructor calls start; the child of a fork
   calls child.  Checkpoints are written in the handler of SIGPROF, in any thread.  */

#include <stdatomic.h>
#include <stdint.h>
#include <time.h>

#include "rt/process/checkpoint.h"
#include "rt/os/sys.h"
#include "rt/process/handler.h"
#include "rt/process/run.h"
#include "rt/process/write.h"

#define SECOND 1000000000u

/* The most nanoseconds between two checkpoints; 0: no checkpoints.  */
static uint64_t checkpoint_most;
static uint64_t checkpoint_first;    /* nanoseconds before the first checkpoint */
static bool checkpoint_even;         /* checkpoints are slices: empty ones are left out */
static uint64_t checkpoint_interval; /* nanoseconds before the next checkpoint */
static _Atomic uint64_t checkpoint_due; /* on CLOCK_MONOTONIC; 0: one is being written */

static void checkpoint_put_off(uint64_t interval)
{
    checkpoint_interval = interval < checkpoint_most ? interval : checkpoint_most;
    atomic_store(&checkpoint_due,
                 ccprof_sys_clock(CLOCK_MONOTONIC) + checkpoint_interval);
}

/* Writes a checkpoint if one is due.  A slice without samples has nothing to tell, unless
   it has counts alone.  A child that shares its parent's memory (vfork)
   writes none.  */
static void checkpoint_pass(void)
{
    uint64_t due = atomic_load(&checkpoint_due);
    if (due == 0 || ccprof_sys_clock(CLOCK_MONOTONIC) < due ||
        atomic_load(&ccprof_run.owner) != ccprof_sys_getpid() ||
        !atomic_compare_exchange_strong(&checkpoint_due, &due, 0))
        return;
    if (!checkpoint_even || !ccprof_run.samples ||
        atomic_load(&ccprof_run.memory->table.samples) != 0)
        ccprof_write_soon();
    checkpoint_put_off(2 * checkpoint_interval);
}

void ccprof_checkpoint_start(unsigned seconds, bool even)
{
    checkpoint_most = (uint64_t)seconds * SECOND;
    checkpoint_even = even;
    checkpoint_first = even ? checkpoint_most : SECOND;
    if (!seconds)
        return;
    checkpoint_put_off(checkpoint_first);
    ccprof_handler_set_after(checkpoint_pass);
}

/* Another thread of the parent may have been writing a checkpoint.  */
void ccprof_checkpoint_child(void)
{
    if (checkpoint_most)
        checkpoint_put_off(checkpoint_first);
}
