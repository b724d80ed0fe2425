/* SPDX-License-Identifier: GPL-3.0-or-later */
/* memory: allocates the plugin's own memory, outside GCC's garbage collector, and has the
   two containers that all tables are made of: arrays that grow (memory_reserve), and
   `struct distinct', which numbers distinct keys.  If memory runs out, the compilation
   ends with one line.  All rooms of the plugin use this module in place of malloc and
   free, which GCC's headers forbid.  It needs nothing of GCC.  */

#ifndef CCPROF_MEMORY_H
#define CCPROF_MEMORY_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Returns the array OLD, moved if necessary, with room for NEEDED elements of SIZE bytes.
   *ROOM is the number of elements that it has room for.  The room doubles, so that
   appending elements one by one takes linear time.  */
void *memory_reserve(void *old, size_t *room, size_t needed, size_t size);

void *memory_zeroed(size_t count, size_t size);
void memory_free(void *memory);

struct distinct_key {
    size_t offset; /* in distinct.bytes */
    size_t size;
    unsigned hash;
};

/* Keys without duplicates: the first key has number 1, each new key the next number.  A
   zeroed table is empty.  */
struct distinct {
    char *bytes; /* the keys, one behind the other */
    size_t used, room;
    struct distinct_key *keys; /* keys[number - 1] */
    unsigned count, keys_room;
    unsigned *slots; /* open addressing; 0: free */
    unsigned slots_size;
};

/* Returns the number of the key of SIZE bytes at KEY.  A new key is copied.  If the key
   is a structure, its padding must be zero.  */
unsigned distinct_add(struct distinct *table, const void *key, size_t size);

/* Returns the key with the number, aligned for any type.  The pointer is valid until the
   next distinct_add.  */
const void *distinct_get(const struct distinct *table, unsigned number);

/* Adds a string, its final NUL included.  */
unsigned distinct_string(struct distinct *table, const char *string);

/* Removes all keys and keeps the memory.  */
void distinct_clear(struct distinct *table);

void distinct_free(struct distinct *table);

#ifdef __cplusplus
}
#endif

#endif
