/* SPDX-License-Identifier: MIT */
/* Implements what fork does to the heap.  Owns what the forking thread holds.  */

#include <stdatomic.h>
#include <stddef.h>

#include "rt/heap/heap-fork.h"
#include "rt/heap/heap-inside.h"
#include "rt/heap/heap-maps.h"
#include "rt/heap/heap.h"

/* Whether the thread that forks holds the heap, and the mappings.  It counts nothing
   then: other handlers of pthread_atfork may allocate.  */
static __thread bool fork_holds, fork_holds_maps;

void ccprof_heap_fork_prepare(void)
{
    if (!ccprof_heap_is_on())
        return;
    fork_holds_maps = ccprof_heap_maps_hold();
    if (ccprof_heap_inside)
        return;
    /* From here on signals are postponed.  */
    ccprof_heap_inside = true;
    atomic_signal_fence(memory_order_seq_cst);
    fork_holds = ccprof_heap_rest(false);
    if (!fork_holds)
        ccprof_heap_leave();
}

void ccprof_heap_fork_parent(void)
{
    if (fork_holds_maps)
        ccprof_heap_maps_release();
    fork_holds_maps = false;
    if (!fork_holds)
        return;
    fork_holds = false;
    ccprof_heap_release();
    ccprof_heap_leave();
}

void ccprof_heap_fork_child(void)
{
    if (!ccprof_heap_is_on())
        return;
    ccprof_heap_samples_fork_child();
    ccprof_heap_later = NULL;
    ccprof_heap_begin_anew(fork_holds);
    ccprof_heap_fork_parent();
}
