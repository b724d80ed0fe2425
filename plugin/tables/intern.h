/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gives equal keys equal numbers, from 1 upwards in order of first sight.  Knows nothing
   of GCC.  */

#ifndef CCPROF_INTERN_H
#define CCPROF_INTERN_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct intern_key {
    size_t offset; /* in intern.bytes */
    size_t size;
    unsigned hash;
};

struct intern {
    char *bytes; /* the keys, one behind the other */
    size_t used, room;
    struct intern_key *keys; /* keys[number - 1] */
    unsigned count, keys_room;
    unsigned *slots; /* open addressing; 0: free */
    unsigned slots_size;
};

/* Gives the number of the key of SIZE bytes at KEY, which is copied.  A key made
   from a structure must have its padding cleared.  A zeroed intern is empty.  */
unsigned intern_add(struct intern *table, const void *key, size_t size);

/* The key with that number, aligned for any type; valid until the next
   intern_add.  */
const void *intern_get(const struct intern *table, unsigned number);

/* Interns a string, its final NUL included.  */
unsigned intern_string(struct intern *table, const char *string);

/* Forgets all keys and keeps the memory.  */
void intern_clear(struct intern *table);

/* Gives the memory back.  */
void intern_free(struct intern *table);

#ifdef __cplusplus
}
#endif

#endif
