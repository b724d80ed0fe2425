/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Groups the elements of an array by a number, so that a caller finds the elements of
   a group without a search, for example the edges at each block of a graph. Also
   computes the dominators of a graph. */

#ifndef MLPROF_GROUPS_H
#define MLPROF_GROUPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The members of group G are MEMBERS[FIRST[G]] to MEMBERS[FIRST[G + 1] - 1], in the
   order of the array. */
struct groups {
    size_t *first;
    size_t *members; /* indices into the array */
};

/* Fills GROUPS; freed by groups_free. GROUP_OF has, for each element, the number of
   its group from 0 to GROUP_COUNT - 1. An element with a larger number is in no group. */
void groups_make(struct groups *groups, size_t group_count, const uint32_t *group_of,
                 size_t count);

/* Like groups_make, but the group's number is the field MEMBER, a uint32_t, of each
   element of ARRAY. */
#define GROUPS_BY(groups, group_count, array, member, count)                             \
    groups_by((groups), (group_count), (array), offsetof(__typeof__(*(array)), member),  \
              sizeof *(array), (count))
void groups_by(struct groups *groups, size_t group_count, const void *array,
               size_t offset, size_t stride, size_t count);

void groups_free(struct groups *groups);

#define DOMINATORS_NONE UINT32_MAX

struct dominators_edge {
    uint32_t from, to;
};

/* The dominators of each block of a graph: the blocks on all paths from the root to
   the block. */
struct dominators {
    /* The immediate dominator of each block, or DOMINATORS_NONE for the root and for
       unreachable blocks. */
    uint32_t *above;
    uint32_t *order; /* the reachable blocks, each after its dominator */
    uint32_t *place; /* index in ORDER of each block, or DOMINATORS_NONE */
    size_t count;
};

/* Fills DOMINATORS; freed by dominators_free. */
void dominators_find(struct dominators *dominators, size_t block_count,
                     const struct dominators_edge *edges, size_t edge_count,
                     uint32_t root);

static inline bool dominators_reaches(const struct dominators *dominators, uint32_t block)
{
    return dominators->place[block] != DOMINATORS_NONE;
}

/* Returns whether BLOCK dominates OTHER, which must be reachable. A block dominates
   itself. */
bool dominators_holds(const struct dominators *dominators, uint32_t block,
                      uint32_t other);

void dominators_free(struct dominators *dominators);

#endif
