/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/base/index.h"
#include "mlprof/base/buf.h"

#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

uint64_t index_seed(void)
{
    static uint64_t seed;
    if (!seed) {
        const void *random = (const void *)getauxval(AT_RANDOM);
        if (random)
            memcpy(&seed, random, sizeof seed);
        seed |= 1;
    }
    return seed;
}

uint64_t index_mix(uint64_t hash, uint64_t value)
{
    __uint128_t product = (__uint128_t)(hash ^ value) * 0x9e3779b97f4a7c15u;
    uint64_t folded = (uint64_t)product ^ (uint64_t)(product >> 64);
    return folded + index_seed();
}

static size_t first_slot(const struct index *index, const struct index_key *key)
{
    uint64_t hash = index_seed();
    for (int i = 0; i < 3; i++)
        hash = index_mix(hash, key->words[i]);
    return hash & (index->slot_count - 1);
}

static bool is_key(const struct index_key *one, const struct index_key *other)
{
    return one->words[0] == other->words[0] && one->words[1] == other->words[1] &&
           one->words[2] == other->words[2];
}

/* The slot of KEY, or the free one where it belongs.  */
static uint32_t *find_slot(const struct index *index, const struct index_key *key)
{
    size_t at = first_slot(index, key);
    while (index->slots[at] && !is_key(&index->keys[index->slots[at] - 1], key))
        at = (at + 1) & (index->slot_count - 1);
    return &index->slots[at];
}

static void set_slots(struct index *index, size_t count)
{
    index->slot_count = count;
    free(index->slots);
    index->slots = buf_alloc(index->slot_count * sizeof *index->slots);
    for (size_t i = 0; i < index->count; i++)
        *find_slot(index, &index->keys[i]) = (uint32_t)(i + 1);
}

void index_reserve(struct index *index, size_t count)
{
    size_t slots = 64;
    while (slots / 2 < count)
        slots *= 2;
    if (slots > index->slot_count)
        set_slots(index, slots);
}

uint32_t index_put(struct index *index, uint64_t a, uint64_t b, uint64_t c, bool *fresh)
{
    if (2 * (index->count + 1) > index->slot_count)
        set_slots(index, index->slot_count ? 2 * index->slot_count : 64);
    struct index_key key = {{a, b, c}};
    uint32_t *slot = find_slot(index, &key);
    *fresh = *slot == 0;
    if (*fresh) {
        if (index->count >= UINT32_MAX - 1)
            buf_no_memory();
        index->keys = buf_grow(index->keys, &index->capacity, index->count + 1,
                               sizeof *index->keys);
        index->keys[index->count++] = key;
        *slot = (uint32_t)index->count;
    }
    return *slot - 1;
}

bool index_get(const struct index *index, uint64_t a, uint64_t b, uint64_t c,
               uint32_t *number)
{
    if (index->count == 0)
        return false;
    struct index_key key = {{a, b, c}};
    uint32_t slot = *find_slot(index, &key);
    *number = slot - 1;
    return slot != 0;
}

void index_free(struct index *index)
{
    free(index->keys);
    free(index->slots);
    memset(index, 0, sizeof *index);
}
