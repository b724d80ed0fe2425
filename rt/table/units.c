/* SPDX-License-Identifier: MIT */
/* Owns the units: each is one word, so that no lock is needed.

   A number is that of its place, from 1, and above it how often the place was used
   before: so a unit that was freed is known as such.  */

#include <stdatomic.h>
#include <stddef.h>

#include "rt/table/units.h"

/* The word of a place: bit 0 tells whether there is a unit, the other lower bits how many
   threads use it, the upper half how many units were there before.  */
#define UNITS_THERE  1u
#define UNITS_USE    2u
#define UNITS_BEFORE 32

#define UNITS_PLACE 0xffffu

static _Atomic uint64_t places[CCPROF_UNITS_MAX];

static uint64_t units_before(uint64_t unit)
{
    return unit >> 16 << UNITS_BEFORE;
}

static uint64_t units_number(unsigned place, uint64_t word)
{
    return word >> UNITS_BEFORE << 16 | (place + 1);
}

/* Null if there can be no such unit.  */
static _Atomic uint64_t *units_find(uint64_t unit)
{
    uint64_t place = unit & UNITS_PLACE;
    return place != 0 && place <= CCPROF_UNITS_MAX ? &places[place - 1] : NULL;
}

static bool units_holds(uint64_t word, uint64_t unit)
{
    return (word & UNITS_THERE) &&
           word >> UNITS_BEFORE << UNITS_BEFORE == units_before(unit);
}

uint64_t ccprof_units_new(void)
{
    for (unsigned i = 0; i < CCPROF_UNITS_MAX; i++) {
        uint64_t word = atomic_load(&places[i]);
        if (!(word & UNITS_THERE) &&
            atomic_compare_exchange_strong(&places[i], &word, word | UNITS_THERE))
            return units_number(i, word);
    }
    return 0;
}

bool ccprof_units_free(uint64_t unit)
{
    _Atomic uint64_t *place = units_find(unit);
    uint64_t word = units_before(unit) | UNITS_THERE;
    return place && atomic_compare_exchange_strong(
                        place, &word, units_before(unit) + ((uint64_t)1 << UNITS_BEFORE));
}

bool ccprof_units_is_there(uint64_t unit)
{
    _Atomic uint64_t *place = units_find(unit);
    return unit == 0 || (place && units_holds(atomic_load(place), unit));
}

bool ccprof_units_use(uint64_t unit)
{
    _Atomic uint64_t *place = units_find(unit);
    uint64_t word;

    if (unit == 0)
        return true;
    if (!place)
        return false;
    word = atomic_load(place);
    do
        if (!units_holds(word, unit))
            return false;
    while (!atomic_compare_exchange_weak(place, &word, word + UNITS_USE));
    return true;
}

void ccprof_units_leave(uint64_t unit)
{
    if (unit != 0)
        atomic_fetch_sub(units_find(unit), UNITS_USE);
}
