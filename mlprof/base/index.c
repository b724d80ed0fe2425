/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Hash tables with open addressing. Hashes are seeded at random, so that a malicious
   input cannot choose keys that collide. */

#include "mlprof/base/index.h"
#include "mlprof/base/buf.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

#define LEAST 64

static void set_size(struct slots *slots, size_t size)
{
    const struct slots old = *slots;
    slots->list = buf_alloc(size * sizeof *slots->list);
    slots->size = size;
    for (size_t i = 0; i < old.size; i++) {
        if (!old.list[i])
            continue;
        size_t slot = (old.list[i] >> 32) & (size - 1);
        while (slots->list[slot])
            slot = (slot + 1) & (size - 1);
        slots->list[slot] = old.list[i];
    }
    free(old.list);
}

void slots_grow(struct slots *slots, size_t count)
{
    size_t size = slots->size ? slots->size : LEAST;
    if (count >= UINT32_MAX)
        buf_no_memory();
    while (size / 2 < count)
        size *= 2;
    set_size(slots, size);
}

void slots_free(struct slots *slots)
{
    free(slots->list);
    memset(slots, 0, sizeof *slots);
}

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

/* Finds KEY and sets *NUMBER. If KEY is not in the table, returns false and sets
   SEARCH to the slot where KEY belongs. */
static bool find_key(const struct index *index, const struct index_key *key,
                     struct slots_search *search, uint32_t *number)
{
    *search = slots_begin(&index->slots, hash_of(key));
    while (slots_next(&index->slots, search, number)) {
        if (memcmp(&index->keys[*number], key, sizeof *key) == 0)
            return true;
        slots_skip(&index->slots, search);
    }
    return false;
}

uint32_t index_put(struct index *index, uint64_t a, uint64_t b, uint64_t c, bool *fresh)
{
    const struct index_key key = {{a, b, c}};
    struct slots_search search;
    uint32_t number;
    slots_reserve(&index->slots, index->count + 1);
    *fresh = !find_key(index, &key, &search, &number);
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
    return index->count && find_key(index, &key, &search, number);
}

void index_free(struct index *index)
{
    free(index->keys);
    slots_free(&index->slots);
    memset(index, 0, sizeof *index);
}

uint32_t tally_add(struct tally *tally, uint64_t a, uint64_t b, uint64_t c)
{
    bool fresh;
    uint32_t number = index_put(&tally->keys, a, b, c, &fresh);
    uint32_t *count = &BUF_AT(tally->counts, number, tally->capacity);
    if (fresh)
        *count = 0;
    return (*count)++;
}

void tally_free(struct tally *tally)
{
    index_free(&tally->keys);
    free(tally->counts);
    memset(tally, 0, sizeof *tally);
}

static size_t sources_range(const struct predecessors *predecessors, uint64_t value)
{
    return (size_t)((value - predecessors->list[0]) >> predecessors->shift);
}

void predecessors_make(struct predecessors *predecessors, uint64_t *list, size_t count)
{
    *predecessors = (struct predecessors){.list = list, .count = count};
    if (count == 0)
        return;
    while ((list[count - 1] - list[0]) >> predecessors->shift >= 2 * count)
        predecessors->shift++;
    size_t ranges = sources_range(predecessors, list[count - 1]) + 1, range = 0;
    predecessors->begins = buf_alloc((ranges + 1) * sizeof *predecessors->begins);
    for (size_t i = 0; i < count; i++)
        for (; range <= sources_range(predecessors, list[i]); range++)
            predecessors->begins[range] = (uint32_t)i;
    predecessors->begins[ranges] = (uint32_t)count;
}

bool predecessors_find(const struct predecessors *predecessors, uint64_t value,
                       size_t *place)
{
    if (predecessors->count == 0 || value < predecessors->list[0])
        return false;
    size_t low = predecessors->count, high = predecessors->count;
    if (value < predecessors->list[predecessors->count - 1]) {
        size_t range = sources_range(predecessors, value);
        low = predecessors->begins[range];
        high = predecessors->begins[range + 1];
    }
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (predecessors->list[middle] <= value)
            low = middle + 1;
        else
            high = middle;
    }
    *place = low - 1;
    return true;
}

void predecessors_free(struct predecessors *predecessors)
{
    free(predecessors->list);
    free(predecessors->begins);
    memset(predecessors, 0, sizeof *predecessors);
}

void children_reserve(struct children *children, size_t count)
{
    size_t old_capacity = children->capacity;
    if (count < old_capacity)
        return;
    if (!old_capacity) {
        /* Use calloc for the first allocation: new memory from the kernel is already
           zero. */
        children->links = buf_alloc((count + 1) * sizeof *children->links);
        children->capacity = count + 1;
        return;
    }
    children->links = buf_grow(children->links, &children->capacity, count + 1,
                               sizeof *children->links);
    memset(children->links + old_capacity, 0,
           (children->capacity - old_capacity) * sizeof *children->links);
}

void children_free(struct children *children)
{
    free(children->links);
    slots_free(&children->more);
    memset(children, 0, sizeof *children);
}

bool children_next_unlisted(const struct children *children,
                            struct children_search *search, uint32_t *number)
{
    if (!children->more_count)
        return false;
    if (search->more)
        slots_skip(&children->more, &search->slot);
    else
        search->slot = slots_begin(&children->more, search->hash);
    search->more = true;
    return slots_next(&children->more, &search->slot, number);
}

void children_put(struct children *children, const struct children_search *search,
                  uint32_t number)
{
    struct slots *more = &children->more;
    uint32_t other;
    if (search->listed < CHILDREN_LISTED) {
        struct children_links *parent = &children->links[search->parent];
        children->links[number + 1].before = parent->newest;
        parent->newest = number + 1;
        return;
    }
    slots_reserve(more, ++children->more_count);
    struct slots_search free_slot = slots_begin(more, search->hash);
    while (slots_next(more, &free_slot, &other))
        slots_skip(more, &free_slot);
    slots_put(more, &free_slot, number);
}

static uint64_t hash_text(const char *text, size_t left)
{
    uint64_t hash = index_mix(index_seed(), left);
    while (left) {
        uint64_t word = 0;
        size_t length = left < sizeof word ? left : sizeof word;
        memcpy(&word, text, length);
        hash = index_mix(hash, word);
        text += length;
        left -= length;
    }
    return hash;
}

uint32_t intern_put_bytes(struct intern *intern, const void *bytes, size_t size)
{
    slots_reserve(&intern->slots, intern->count + 1);
    uint32_t number;
    struct slots_search search = slots_begin(&intern->slots, hash_text(bytes, size));
    while (slots_next(&intern->slots, &search, &number)) {
        const struct intern_item *item = &intern->items[number];
        if (item->size == size && (size == 0 || memcmp(item->text, bytes, size) == 0))
            return number;
        slots_skip(&intern->slots, &search);
    }
    number = (uint32_t)intern->count;
    char *text = pool_alloc(&intern->pool, size + 1);
    if (size)
        memcpy(text, bytes, size);
    text[size] = '\0';
    BUF_NEXT(intern->items, intern->count, intern->capacity) =
        (struct intern_item){text, size};
    slots_put(&intern->slots, &search, number);
    return number;
}

uint32_t intern_put(struct intern *intern, const char *text)
{
    return intern_put_bytes(intern, text, strlen(text));
}

const char *intern_text(const struct intern *intern, uint32_t number)
{
    assert(number < intern->count);
    return intern->items[number].text;
}

const char *intern_keep(struct intern *intern, char *text)
{
    uint32_t number = intern_put(intern, text);
    free(text);
    return intern_text(intern, number);
}

void intern_free(struct intern *intern)
{
    pool_free(&intern->pool);
    free(intern->items);
    slots_free(&intern->slots);
    memset(intern, 0, sizeof *intern);
}
