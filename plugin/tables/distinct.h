/* SPDX-License-Identifier: GPL-3.0-or-later */
/* distinct: gives equal keys equal numbers, from 1 upwards in order of first sight,
   for all tables that hold each thing once.  Knows nothing of GCC.  */

#ifndef CCPROF_DISTINCT_H
#define CCPROF_DISTINCT_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct distinct_key {
    size_t offset; /* in distinct.bytes */
    size_t size;
    unsigned hash;
};

struct distinct {
    char *bytes; /* the keys, one behind the other */
    size_t used, room;
    struct distinct_key *keys; /* keys[number - 1] */
    unsigned count, keys_room;
    unsigned *slots; /* open addressing; 0: free */
    unsigned slots_size;
};

/* Gives the number of the key of SIZE bytes at KEY, which is copied.  A key made
   from a structure must have its padding cleared.  A zeroed one is empty.  */
unsigned distinct_add(struct distinct *table, const void *key, size_t size);

/* The key with that number, aligned for any type; valid until the next
   distinct_add.  */
const void *distinct_get(const struct distinct *table, unsigned number);

/* Interns a string, its final NUL included.  */
unsigned distinct_string(struct distinct *table, const char *string);

/* Forgets all keys and keeps the memory.  */
void distinct_clear(struct distinct *table);

/* Gives the memory back.  */
void distinct_free(struct distinct *table);

#ifdef __cplusplus
}
#endif

#endif
