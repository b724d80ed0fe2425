/* SPDX-License-Identifier: MIT */
/* Implements what held.h does not do in the replacements themselves. Owns each thread's
   list. Called in any thread. */

#include <stddef.h>

#include "rt/os/memory.h"
#include "rt/wait/held.h"

__thread struct ccprof_held ccprof_held;

uint64_t ccprof_held_remove(uint64_t object)
{
    struct ccprof_held *held = &ccprof_held;
    uint32_t count = atomic_load(&held->count), i;
    uint64_t taken;

    if (count > CCPROF_HELD_MOST)
        count = CCPROF_HELD_MOST;
    for (i = count; i > 0 && atomic_load(&held->lock[i - 1].object) != object; i--) {
    }
    if (i > 0 || atomic_load(&held->count) > CCPROF_HELD_MOST)
        atomic_fetch_sub(&held->count, 1);
    if (i == 0)
        return 0;
    taken = atomic_load(&held->lock[i - 1].taken);
    for (; i < count; i++) {
        atomic_store(&held->lock[i - 1].object, 0);
        atomic_store(&held->lock[i - 1].taken, atomic_load(&held->lock[i].taken));
        atomic_store(&held->lock[i - 1].object, atomic_load(&held->lock[i].object));
    }
    atomic_store(&held->lock[count - 1].object, 0);
    return taken;
}

/* The thread may end meanwhile, and its memory may go. */
uint64_t ccprof_held_find(const struct ccprof_held *held, uint64_t object)
{
    struct ccprof_safe_read readable = {0};
    uint64_t there, taken;

    for (unsigned i = CCPROF_HELD_MOST; i-- > 0;)
        if (ccprof_safe_read(&readable, (uintptr_t)&held->lock[i].object, &there) &&
            there == object &&
            ccprof_safe_read(&readable, (uintptr_t)&held->lock[i].taken, &taken) &&
            ccprof_safe_read(&readable, (uintptr_t)&held->lock[i].object, &there) &&
            there == object)
            return taken;
    return 0;
}
