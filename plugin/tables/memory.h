/* SPDX-License-Identifier: GPL-3.0-or-later */
/* memory: allocates the plugin's own memory, outside of GCC's garbage collector, and
   provides the two containers for all tables: arrays that grow (memory_reserve), and
   `struct distinct', which numbers distinct keys. If memory runs out, the compilation
   ends with a message. All rooms of the plugin use this module instead of malloc and
   free, which GCC's headers forbid. This module does not use GCC. */

#ifndef CCPROF_MEMORY_H
#define CCPROF_MEMORY_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Returns the array OLD, moved if necessary, with room for NEEDED elements of SIZE
   bytes. *ROOM is the number of elements for which the array has room. The room
   doubles, so that appending elements one by one takes linear time. */
void *memory_reserve(void *old, size_t *room, size_t needed, size_t size);

void *memory_zeroed(size_t count, size_t size);
void memory_free(void *memory);

struct distinct_key {
    size_t offset; /* offset in distinct.bytes */
    size_t size;
    unsigned hash;
};

/* A set of keys without duplicates. The first key has number 1, and each new key gets
   the next number. A table that is all zeros is empty. */
struct distinct {
    char *bytes; /* the keys, one after the other */
    size_t used, room;
    struct distinct_key *keys; /* indexed by number - 1 */
    unsigned count, keys_room;
    unsigned *slots; /* hash table with open addressing; 0: free slot */
    unsigned slots_size;
};

/* Returns the number of the key with SIZE bytes at KEY. A new key is added, and
   copied. If the key is a structure, its padding must be zero. */
unsigned distinct_add(struct distinct *table, const void *key, size_t size);

/* Returns the key with this number, aligned for any type. The pointer is valid until
   the next distinct_add. */
const void *distinct_get(const struct distinct *table, unsigned number);

/* Adds a string, including its final NUL, and returns its number. */
unsigned distinct_string(struct distinct *table, const char *string);

/* Removes all keys, but keeps the memory. */
void distinct_clear(struct distinct *table);

void distinct_free(struct distinct *table);

#ifdef __cplusplus
}
#endif

#endif
