/* SPDX-License-Identifier: MIT */
/* Implements what held.h does not do in the replacements themselves. Called in any
   thread. */

#include <stddef.h>

#include "rt/wait/held.h"

__thread struct ccprof_held *ccprof_held;

/* The thread itself is the only writer: release is enough for the readers' second look,
   and cheaper than the default. */
static void held_store(_Atomic uint64_t *to, uint64_t value)
{
    atomic_store_explicit(to, value, memory_order_release);
}

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
    atomic_store_explicit(&held->count, count - 1, memory_order_release);
    for (; i < count; i++) {
        held_store(&held->lock[i - 1].object, 0);
        held_store(&held->lock[i - 1].taken, atomic_load(&held->lock[i].taken));
        held_store(&held->lock[i - 1].object, atomic_load(&held->lock[i].object));
    }
    held_store(&held->lock[count - 1].object, 0);
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
