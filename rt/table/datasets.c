/* SPDX-License-Identifier: MIT */
/* Owns the data sets.  Each is one word, so that no lock is needed.

   The number of a data set holds the number of its slot, from 1 on, in the lower 16 bits,
   and above them how many data sets the slot had before: so the number of a freed data
   set is known to be stale.  */

#include <stdatomic.h>
#include <stddef.h>

#include "rt/table/datasets.h"
#include "rt/os/sys.h"

/* The word of a slot: bit 0 tells whether the slot holds a data set, the other lower bits
   count the threads that use the data set, and the upper half counts the data sets that
   the slot had before.  */
#define DATASETS_THERE  1u
#define DATASETS_USE    2u
#define DATASETS_BEFORE 32

#define DATASETS_SLOT 0xffffu

static _Atomic uint64_t slots[CCPROF_DATASETS_MAX];

static uint64_t datasets_before(uint64_t dataset)
{
    return dataset >> 16 << DATASETS_BEFORE;
}

static uint64_t datasets_number(unsigned slot, uint64_t word)
{
    return word >> DATASETS_BEFORE << 16 | (slot + 1);
}

/* Returns null if no data set can have this number.  */
static _Atomic uint64_t *datasets_find(uint64_t dataset)
{
    uint64_t slot = dataset & DATASETS_SLOT;
    return slot != 0 && slot <= CCPROF_DATASETS_MAX ? &slots[slot - 1] : NULL;
}

static bool datasets_holds(uint64_t word, uint64_t dataset)
{
    return (word & DATASETS_THERE) &&
           word >> DATASETS_BEFORE << DATASETS_BEFORE == datasets_before(dataset);
}

uint64_t ccprof_datasets_new(void)
{
    for (unsigned i = 0; i < CCPROF_DATASETS_MAX; i++) {
        uint64_t word = atomic_load(&slots[i]);
        if (!(word & DATASETS_THERE) &&
            atomic_compare_exchange_strong(&slots[i], &word, word | DATASETS_THERE))
            return datasets_number(i, word);
    }
    return 0;
}

bool ccprof_datasets_free(uint64_t dataset)
{
    _Atomic uint64_t *slot = datasets_find(dataset);
    uint64_t word = datasets_before(dataset) | DATASETS_THERE;
    return slot &&
           atomic_compare_exchange_strong(
               slot, &word, datasets_before(dataset) + ((uint64_t)1 << DATASETS_BEFORE));
}

bool ccprof_datasets_is_there(uint64_t dataset)
{
    _Atomic uint64_t *slot = datasets_find(dataset);
    return dataset == 0 || (slot && datasets_holds(atomic_load(slot), dataset));
}

bool ccprof_datasets_use(uint64_t dataset)
{
    _Atomic uint64_t *slot = datasets_find(dataset);
    uint64_t word;

    if (dataset == 0)
        return true;
    if (!slot)
        return false;
    word = atomic_load(slot);
    do
        if (!datasets_holds(word, dataset))
            return false;
    while (!atomic_compare_exchange_weak(slot, &word, word + DATASETS_USE));
    return true;
}

void ccprof_datasets_leave(uint64_t dataset)
{
    ccprof_assert(dataset == 0 || datasets_find(dataset));
    if (dataset != 0)
        atomic_fetch_sub(datasets_find(dataset), DATASETS_USE);
}
