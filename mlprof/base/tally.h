/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts how often keys come, where those that are alike are told apart by their
   order.  */

#ifndef MLPROF_TALLY_H
#define MLPROF_TALLY_H

#include "mlprof/base/index.h"

/* Starts as all zero.  */
struct tally {
    struct index keys;
    uint32_t *counts; /* by number of the key */
    size_t capacity;
};

/* How often the key has come before; it comes once more.  */
uint32_t tally_add(struct tally *tally, uint64_t a, uint64_t b, uint64_t c);

void tally_free(struct tally *tally);

#endif
