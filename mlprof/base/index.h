/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers keys in the order in which they are first put, from 0, with a hash table.  A
   key is three numbers.  Callers keep their data in arrays, by the number of the key.
   Keys cannot be removed.  */

#ifndef MLPROF_INDEX_H
#define MLPROF_INDEX_H

#include "mlprof/base/slots.h"

struct index_key {
    uint64_t words[3];
};

/* Starts as all zero.  */
struct index {
    struct index_key *keys; /* by number */
    size_t count, capacity;
    struct slots slots;
};

/* Makes room for COUNT keys, so that the table need not grow up to there.  */
void index_reserve(struct index *index, size_t count);

/* The number of the key, which is added if it is missing; *FRESH tells whether it
   was.  */
uint32_t index_put(struct index *index, uint64_t a, uint64_t b, uint64_t c, bool *fresh);

/* The number of the key; false if it is not in the table.  */
bool index_get(const struct index *index, uint64_t a, uint64_t b, uint64_t c,
               uint32_t *number);

void index_free(struct index *index);

/* index_mix mixes VALUE into HASH, which starts as index_seed().  The seed differs from
   run to run, so that no input file can be made of keys that collide.  */
uint64_t index_seed(void);
uint64_t index_mix(uint64_t hash, uint64_t value);

#endif
