/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the dominators of a graph, the blocks that all ways from the root lead through.
 */

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
    /* By block: its immediate dominator, or DOMINATORS_NONE for the root and blocks that
       cannot be reached.  */
    uint32_t *above;
    uint32_t *order; /* the reachable blocks, each behind its dominator, the root first */
    uint32_t *place; /* by block: its index in ORDER, or DOMINATORS_NONE */
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

/* Whether BLOCK dominates OTHER, which can be reached.  A block dominates itself.  */
bool dominators_holds(const struct dominators *dominators, uint32_t block,
                      uint32_t other);

void dominators_free(struct dominators *dominators);

#endif
