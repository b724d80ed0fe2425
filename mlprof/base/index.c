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

static uint64_t hash_of(const struct index_key *key)
{
    uint64_t hash = index_seed();
    for (int i = 0; i < 3; i++)
        hash = index_mix(hash, key->words[i]);
    return hash;
}

static bool is_key(const struct index_key *one, const struct index_key *other)
{
    return one->words[0] == other->words[0] && one->words[1] == other->words[1] &&
           one->words[2] == other->words[2];
}

/* Sets *NUMBER to the number of KEY.  False if KEY is not in the table; SEARCH then says
   where KEY belongs.  */
static bool find(const struct index *index, const struct index_key *key,
                 struct slots_search *search, uint32_t *number)
{
    *search = slots_begin(&index->slots, hash_of(key));
    while (slots_next(&index->slots, search, number)) {
        if (is_key(&index->keys[*number], key))
            return true;
        slots_skip(&index->slots, search);
    }
    return false;
}

void index_reserve(struct index *index, size_t count)
{
    slots_reserve(&index->slots, count + 1);
}

uint32_t index_put(struct index *index, uint64_t a, uint64_t b, uint64_t c, bool *fresh)
{
    const struct index_key key = {{a, b, c}};
    struct slots_search search;
    uint32_t number;
    slots_reserve(&index->slots, index->count + 1);
    *fresh = !find(index, &key, &search, &number);
    if (*fresh) {
        number = (uint32_t)index->count;
        BUF_NEXT(index->keys, index->count, index->capacity) = key;
        slots_put(&index->slots, &search, number);
    }
    return number;
}

bool index_get(const struct index *index, uint64_t a, uint64_t b, uint64_t c,
               uint32_t *number)
{
    const struct index_key key = {{a, b, c}};
    struct slots_search search;
    return index->count && find(index, &key, &search, number);
}

void index_free(struct index *index)
{
    free(index->keys);
    slots_free(&index->slots);
    memset(index, 0, sizeof *index);
}
