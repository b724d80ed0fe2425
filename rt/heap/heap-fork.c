/* SPDX-License-Identifier: MIT */
/* Implements what fork does to the heap.  Owns what the forking thread holds.  */

#include <stdatomic.h>
#include <stddef.h>

#include "rt/heap/heap-fork.h"
#include "rt/heap/heap-inside.h"
#include "rt/heap/heap-lock.h"
#include "rt/heap/heap-maps.h"
#include "rt/heap/heap.h"
#include "rt/os/text.h"

/* Whether the thread that forks holds the heap, and the mappings, and whether it is
   inside for that alone.  It counts nothing then: other handlers of pthread_atfork may
   allocate.  */
static __thread bool fork_holds, fork_holds_maps, fork_enters;

/* A handler may have interrupted its own thread, which has the lock of the mappings.  */
#define FORK_INSIDE UINT64_C(20000000)

void ccprof_heap_fork_prepare(void)
{
    const bool inside = ccprof_heap_inside;

    if (!ccprof_heap_is_on())
        return;
    fork_holds_maps = ccprof_heap_maps_hold(inside ? FORK_INSIDE : CCPROF_HEAP_PATIENCE);
    fork_enters = !inside;
    /* From here on signals are postponed.  */
    ccprof_heap_inside = true;
    atomic_signal_fence(memory_order_seq_cst);
    fork_holds = fork_holds_maps && ccprof_heap_rest(inside);
}

static void fork_release(void)
{
    if (fork_holds)
        ccprof_heap_release();
    if (fork_holds_maps)
        ccprof_heap_maps_release();
    fork_holds = fork_holds_maps = false;
    if (fork_enters)
        ccprof_heap_leave();
    fork_enters = false;
}

void ccprof_heap_fork_parent(void)
{
    fork_release();
}

/* Where the heap was not at rest the child cannot go on from where its parent was: the
   tables may be in the middle of a change that nobody ends.  */
void ccprof_heap_fork_child(void)
{
    if (!ccprof_heap_is_on())
        return;
    ccprof_heap_samples_fork_child();
    ccprof_heap_later = NULL;
    ccprof_heap_begin_anew(fork_holds);
    if (!fork_holds) {
        ccprof_heap_end();
        ccprof_say(
            "a thread that counts a block has stopped: the heap of a child of fork "
            "is not measured",
            NULL);
    }
    fork_release();
}
