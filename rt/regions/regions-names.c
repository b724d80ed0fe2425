/* SPDX-License-Identifier: MIT */
/* Owns the names of regions and the numbers of regions in the file.  Names are copied,
   since the object that has a name may be unloaded.  A name or number never changes.  The
   caller holds the lock except where a comment says otherwise.  */

#include <string.h>

#include "rt/os/memory.h"
#include "rt/regions/regions-inside.h"

struct names {
    _Atomic unsigned count; /* of names; the number of the first name is 1 */
    _Atomic unsigned regions;
    uint32_t used; /* bytes of TEXT */
    uint32_t at[REGIONS_NAMES];
    uint64_t key[REGIONS_ALL];
    _Atomic uint16_t index[REGIONS_ALL * 2]; /* hash table of keys: numbers plus 1 */
    char text[REGIONS_TEXT];
};

static struct names *names;

bool ccprof_regions_names_make(void)
{
    if (!names)
        names = ccprof_pages_map(sizeof *names);
    return names;
}

uint64_t ccprof_regions_name(const char *name)
{
    unsigned count = atomic_load_explicit(&names->count, memory_order_relaxed);
    size_t size = strlen(name) + 1;

    for (unsigned i = 0; i < count; i++)
        if (strcmp(names->text + names->at[i], name) == 0)
            return (uint64_t)(i + 1) << REGIONS_KEY_SHIFT;
    if (count == REGIONS_NAMES || size > REGIONS_TEXT - names->used)
        return 0;
    memcpy(names->text + names->used, name, size);
    names->at[count] = names->used;
    names->used += (uint32_t)size;
    atomic_store_explicit(&names->count, count + 1, memory_order_release);
    return (uint64_t)(count + 1) << REGIONS_KEY_SHIFT;
}

/* Needs no lock.  */
const char *ccprof_regions_label(unsigned number)
{
    return names->text + names->at[number];
}

/* Needs no lock.  */
const char *ccprof_regions_name_of(uint64_t key)
{
    return ccprof_regions_label(regions_name_number(key));
}

/* Returns the place of the key in the index, or the free place where the key would be
   put.  At least half of the index is free.  */
static _Atomic uint16_t *names_find(uint64_t key)
{
    unsigned at =
        (unsigned)((key ^ key >> REGIONS_KEY_SHIFT) * 0x9e3779b97f4a7c15u >> 32);

    for (;; at++) {
        _Atomic uint16_t *place = &names->index[at % (REGIONS_ALL * 2)];
        unsigned number = atomic_load_explicit(place, memory_order_acquire);
        if (number == 0 || names->key[number - 1] == key)
            return place;
    }
}

bool ccprof_regions_has_number(uint64_t key)
{
    return ccprof_regions_numbers() < REGIONS_ALL || *names_find(key) != 0;
}

int ccprof_regions_number(uint64_t key)
{
    unsigned count = atomic_load_explicit(&names->regions, memory_order_relaxed);
    _Atomic uint16_t *place = names_find(key);

    if (*place)
        return *place - 1;
    if (count == REGIONS_ALL)
        return -1;
    names->key[count] = key;
    atomic_store_explicit(place, (uint16_t)(count + 1), memory_order_release);
    atomic_store_explicit(&names->regions, count + 1, memory_order_release);
    return (int)count;
}

unsigned ccprof_regions_numbers(void)
{
    return names ? atomic_load_explicit(&names->regions, memory_order_acquire) : 0;
}

uint64_t ccprof_regions_key_of(unsigned number)
{
    return names->key[number];
}
