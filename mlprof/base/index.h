/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers keys, with a hash table: the first key put in is 0, the next new one 1.  What
   belongs to a key stands in an array of the caller's, under its number.  A key is three
   numbers.  Nothing is taken out again.  */

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

/* The number of the key, a new one if it was not in the table; *FRESH tells.  */
uint32_t index_put(struct index *index, uint64_t a, uint64_t b, uint64_t c, bool *fresh);

/* The number of the key; false if it is not in the table.  */
bool index_get(const struct index *index, uint64_t a, uint64_t b, uint64_t c,
               uint32_t *number);

void index_free(struct index *index);

/* Mixes VALUE into HASH.  The seed differs from run to run, so that no input
   file can be made of keys that collide.  */
uint64_t index_seed(void);
uint64_t index_mix(uint64_t hash, uint64_t value);

#endif
