/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Allocates memory, and keeps distinct keys in a hash table. */

#include <stdio.h>
#include <stdlib.h>
#include <assert.h>
#include <string.h>

#include "plugin/tables/memory.h"

static void *check_memory(void *memory)
{
    if (!memory) {
        fputs("ccprof: out of memory\n", stderr);
        exit(1);
    }
    return memory;
}

void *memory_reserve(void *old, size_t *room, size_t needed, size_t size)
{
    if (needed <= *room)
        return old;
    size_t larger = *room ? 2 * *room : 16;
    if (larger < needed)
        larger = needed;
    *room = larger;
    return check_memory(realloc(old, larger * size));
}

void *memory_zeroed(size_t count, size_t size)
{
    return check_memory(calloc(count, size));
}

void memory_free(void *memory)
{
    free(memory);
}

#define FIRST_SLOTS         64
#define SLOTS_WORTH_KEEPING 16
#define KEY_ALIGN           16

/* FNV-1a. */
static unsigned hash_bytes(const void *key, size_t size)
{
    const unsigned char *p = key;
    unsigned hash = 2166136261u;

    for (size_t i = 0; i < size; i++)
        hash = (hash ^ p[i]) * 16777619u;
    return hash;
}

static unsigned *find_slot(const struct distinct *table, const void *key, size_t size,
                           unsigned hash)
{
    unsigned mask = table->slots_size - 1;

    for (unsigned i = hash & mask;; i = (i + 1) & mask) {
        unsigned *slot = &table->slots[i];
        if (!*slot)
            return slot;
        const struct distinct_key *known = &table->keys[*slot - 1];
        if (known->hash == hash && known->size == size &&
            (size == 0 || !memcmp(table->bytes + known->offset, key, size)))
            return slot;
    }
}

static void insert_all(struct distinct *table)
{
    unsigned mask = table->slots_size - 1;

    for (unsigned k = 0; k < table->count; k++) {
        unsigned i = table->keys[k].hash & mask;
        while (table->slots[i])
            i = (i + 1) & mask;
        table->slots[i] = k + 1;
    }
}

static void grow_slots(struct distinct *table)
{
    table->slots_size = table->slots_size ? 2 * table->slots_size : FIRST_SLOTS;
    memory_free(table->slots);
    table->slots = memory_zeroed(table->slots_size, sizeof *table->slots);
    insert_all(table);
}

static void append_key(struct distinct *table, const void *key, size_t size,
                       unsigned hash)
{
    size_t offset = (table->used + KEY_ALIGN - 1) & ~(size_t)(KEY_ALIGN - 1);

    table->bytes =
        memory_reserve(table->bytes, &table->room, offset + size, sizeof(char));
    if (size)
        memcpy(table->bytes + offset, key, size);
    table->used = offset + size;

    size_t room = table->keys_room;
    table->keys =
        memory_reserve(table->keys, &room, table->count + 1, sizeof *table->keys);
    table->keys_room = (unsigned)room;
    table->keys[table->count++] = (struct distinct_key){offset, size, hash};
}

unsigned distinct_add(struct distinct *table, const void *key, size_t size)
{
    if (2 * (table->count + 1) > table->slots_size)
        grow_slots(table);

    unsigned hash = hash_bytes(key, size);
    unsigned *slot = find_slot(table, key, size, hash);
    if (!*slot) {
        append_key(table, key, size, hash);
        *slot = table->count;
    }
    return *slot;
}

const void *distinct_get(const struct distinct *table, unsigned number)
{
    assert(number >= 1 && number <= table->count);
    return table->bytes + table->keys[number - 1].offset;
}

unsigned distinct_string(struct distinct *table, const char *string)
{
    return distinct_add(table, string, strlen(string) + 1);
}

/* Most tables are small. If a table was large once, its slots are freed, so that
   clearing it later does not take long. */
void distinct_clear(struct distinct *table)
{
    if (table->slots_size > SLOTS_WORTH_KEEPING * (table->count + 1)) {
        memory_free(table->slots);
        table->slots = NULL;
        table->slots_size = 0;
    }
    table->used = 0;
    table->count = 0;
    if (table->slots)
        memset(table->slots, 0, table->slots_size * sizeof *table->slots);
}

void distinct_free(struct distinct *table)
{
    memory_free(table->bytes);
    memory_free(table->keys);
    memory_free(table->slots);
    memset(table, 0, sizeof *table);
}
