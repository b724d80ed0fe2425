// SPDX-License-Identifier: GPL-3.0-or-later

#include "plugin/gcc/compat.h"
#include "plugin/count/condense-inside.h"
#include "plugin/tables/memory.h"
#include "plugin/count/storage.h"

// The counters of the unit, by what the tables tell of each, as numbers.
static struct {
    struct distinct tellings;
    tree *counters; // kept by GCC's list of variables
    size_t counter_room;
} kept;

static unsigned number_of(const struct condense_telling *telling)
{
    return 2 * DECL_UID(telling->marked) + telling->negative;
}

static int by_number(const void *one, const void *other)
{
    unsigned a = *(const unsigned *)one, b = *(const unsigned *)other;

    return a < b ? -1 : a > b;
}

static tree make(const vec<condense_telling> &told)
{
    tree counter = storage_make_counter();

    for (const condense_telling &telling : told)
        storage_tell(counter, telling.marked, telling.negative);
    return counter;
}

tree condense_counter(const vec<condense_telling> &told)
{
    auto_vec<unsigned> key;
    unsigned known = kept.tellings.count;

    for (const condense_telling &telling : told)
        key.safe_push(number_of(&telling));
    key.qsort(by_number);
    unsigned number =
        distinct_add(&kept.tellings, key.address(), key.length() * sizeof(unsigned));
    if (number > known) {
        kept.counters = (tree *)memory_reserve(kept.counters, &kept.counter_room, number,
                                               sizeof *kept.counters);
        kept.counters[number - 1] = make(told);
    }
    return kept.counters[number - 1];
}
