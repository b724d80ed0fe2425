// SPDX-License-Identifier: GPL-3.0-or-later

#include "plugin/gcc/compat.h"
#include "plugin/count/condense-inside.h"
#include "plugin/tables/distinct.h"
#include "plugin/tables/memory.h"
#include "plugin/count/storage.h"

// What the tables tell of each counter of the unit, as numbers; and the counters.
static struct distinct tellings;
static tree *counters; // kept by GCC's list of variables
static size_t counter_room;

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
    unsigned known = tellings.count;

    for (const condense_telling &telling : told)
        key.safe_push(number_of(&telling));
    key.qsort(by_number);
    unsigned number =
        distinct_add(&tellings, key.address(), key.length() * sizeof(unsigned));
    if (number > known) {
        counters =
            (tree *)memory_reserve(counters, &counter_room, number, sizeof *counters);
        counters[number - 1] = make(told);
    }
    return counters[number - 1];
}
