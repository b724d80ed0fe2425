/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds through which blocks all ways of a graph lead, for arms.c.  */

#ifndef MLPROF_DOMINATORS_H
#define MLPROF_DOMINATORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DOMINATORS_NONE UINT32_MAX

struct dominators_edge {
    uint32_t from, to;
};

struct dominators {
    uint32_t *above; /* by block: the last one, but itself, that all ways from the root to
                        it pass; DOMINATORS_NONE: it is the root, or no way leads there */
    uint32_t *order; /* the blocks that can be reached, each behind what is above it; the
                        root is the first */
    uint32_t *place; /* by block: its place there; DOMINATORS_NONE: none */
    size_t count;
};

/* Fills DOMINATORS, which dominators_free frees.  */
void dominators_find(struct dominators *dominators, size_t block_count,
                     const struct dominators_edge *edges, size_t edge_count,
                     uint32_t root);

static inline bool dominators_reaches(const struct dominators *dominators, uint32_t block)
{
    return dominators->place[block] != DOMINATORS_NONE;
}

/* Whether all ways to OTHER, to which there is one, pass BLOCK, or are in it already.  */
bool dominators_holds(const struct dominators *dominators, uint32_t block,
                      uint32_t other);

void dominators_free(struct dominators *dominators);

#endif
