/* SPDX-License-Identifier: MIT */
/* Implements what held.h does not do in the replacements themselves. Called in any
   thread. */

#include <stddef.h>

#include "rt/wait/held.h"

__thread struct ccprof_held *ccprof_held;

uint64_t ccprof_held_remove(uint64_t object)
{
    struct ccprof_held *held = ccprof_held;
    const uint32_t count = held ? atomic_load(&held->count) : 0;
    uint32_t i = count;

    while (i > 0 && atomic_load(&held->lock[i - 1].object) != object)
        i--;
    if (i == 0)
        return 0;
    const uint64_t taken = atomic_load(&held->lock[i - 1].taken);
    atomic_store(&held->count, count - 1);
    for (; i < count; i++) {
        atomic_store(&held->lock[i - 1].object, 0);
        atomic_store(&held->lock[i - 1].taken, atomic_load(&held->lock[i].taken));
        atomic_store(&held->lock[i - 1].object, atomic_load(&held->lock[i].object));
    }
    atomic_store(&held->lock[count - 1].object, 0);
    return taken;
}

uint64_t ccprof_held_find(const struct ccprof_held *held, uint64_t object)
{
    for (unsigned i = CCPROF_HELD_MOST; i-- > 0;) {
        if (atomic_load(&held->lock[i].object) != object)
            continue;
        const uint64_t taken = atomic_load(&held->lock[i].taken);
        if (atomic_load(&held->lock[i].object) == object)
            return taken;
    }
    return 0;
}
