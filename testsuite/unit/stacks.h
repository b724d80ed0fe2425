/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A simple model of the runtime's table and overflow log: the number of samples of each
   stack. A hash of its addresses identifies a stack. */

#ifndef STACKS_H
#define STACKS_H

#include "rt/samples/overflow.h"
#include "rt/samples/samples.h"

#include <stddef.h>
#include <stdint.h>

struct stacks {
    struct stacks_item {
        uint64_t hash, count; /* hash 0: none */
    } * item;
    size_t items, room; /* capacity: a power of two, or 0 */
    uint64_t sum;
    /* The tree that is being read: the current stack at each depth. */
    uint64_t path[2000];
    unsigned depth;
    size_t points;
};

/* Adds samples of a stack of DEPTH addresses, innermost first. */
void stacks_add(struct stacks *stacks, const uint64_t *address, uint32_t depth,
                uint64_t count);

/* Moves all samples of FROM into the other model. */
void stacks_move(struct stacks *to, struct stacks *from);

/* A ccprof_visit whose context is a struct stacks. Fails if the nodes do not form a
   tree. */
int stacks_visit(void *stacks, unsigned depth, uint64_t address, uint64_t count);

/* Freezes the table and the overflow log, and builds the table's tree; and the
   reverse. */
void stacks_freeze(struct ccprof_samples *table, struct ccprof_overflow *overflow);
void stacks_thaw(struct ccprof_samples *table, struct ccprof_overflow *overflow);

/* Reads the frozen data. Fails if they are incomplete. */
void stacks_read(struct stacks *stacks, struct ccprof_samples *table,
                 struct ccprof_overflow *overflow);

/* Takes the samples of a data set (tags.h) out of the table and log, which are not
   frozen. Returns their number. */
uint64_t stacks_take(struct ccprof_samples *table, struct ccprof_overflow *overflow,
                     uint64_t dataset);

/* Fails unless both have the same samples with the same stacks. */
void stacks_compare(const struct stacks *got, const struct stacks *want);

/* Fails if any stack has more samples in GOT than in WANT. */
void stacks_part_of(const struct stacks *got, const struct stacks *want);

void stacks_free(struct stacks *stacks);

#endif
