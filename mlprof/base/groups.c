/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts the elements of each group and then places them, so that grouping takes linear
   time. Dominators are computed by repeated intersection in reverse postorder. */

#include "mlprof/base/groups.h"
#include "mlprof/base/buf.h"

#include <stdlib.h>
#include <string.h>

static uint32_t number_at(const void *array, size_t place)
{
    return *(const uint32_t *)(const void *)((const char *)array + place);
}

void groups_by(struct groups *groups, size_t group_count, const void *array,
               size_t offset, size_t stride, size_t count)
{
    groups->first = buf_alloc((group_count + 2) * sizeof *groups->first);
    groups->members = buf_alloc((count + 1) * sizeof *groups->members);
    /* A counting sort. First, the size of group G is counted in FIRST[G + 2]. After
       summing, FIRST[G + 1] is the beginning of group G. Each added member increments
       FIRST[G + 1], so that it is the beginning of group G + 1 at the end. */
    for (size_t i = 0; i < count; i++) {
        uint32_t group = number_at(array, offset + i * stride);
        if (group < group_count)
            groups->first[group + 2]++;
    }
    for (size_t g = 2; g < group_count + 2; g++)
        groups->first[g] += groups->first[g - 1];
    for (size_t i = 0; i < count; i++) {
        uint32_t group = number_at(array, offset + i * stride);
        if (group < group_count)
            groups->members[groups->first[group + 1]++] = i;
    }
}

void groups_make(struct groups *groups, size_t group_count, const uint32_t *group_of,
                 size_t count)
{
    groups_by(groups, group_count, group_of, 0, sizeof *group_of, count);
}

void groups_free(struct groups *groups)
{
    free(groups->first);
    free(groups->members);
    memset(groups, 0, sizeof *groups);
}

#define NONE DOMINATORS_NONE

/* Orders the blocks in reverse postorder of a depth-first walk from the root. */
static void order_blocks(struct dominators *dominators, size_t block_count,
                         const struct dominators_edge *edges, const struct groups *out,
                         uint32_t root)
{
    BUF_OWN uint32_t *path = buf_alloc((block_count + 1) * sizeof *path);
    BUF_OWN size_t *next = buf_alloc((block_count + 1) * sizeof *next);
    BUF_OWN bool *visited = buf_alloc(block_count + 1);
    size_t left = block_count, depth = 0;
    path[depth++] = root;
    visited[root] = true;
    next[root] = out->first[root];
    while (depth) {
        uint32_t block = path[depth - 1];
        if (next[block] == out->first[block + 1]) {
            dominators->order[--left] = block;
            depth--;
            continue;
        }
        uint32_t to = edges[out->members[next[block]++]].to;
        if (visited[to])
            continue;
        visited[to] = true;
        next[to] = out->first[to];
        path[depth++] = to;
    }
    dominators->count = block_count - left;
    memmove(dominators->order, dominators->order + left,
            dominators->count * sizeof *dominators->order);
    for (size_t i = 0; i < dominators->count; i++)
        dominators->place[dominators->order[i]] = (uint32_t)i;
}

/* Returns the nearest common dominator of two blocks. */
static uint32_t common_dominator(const struct dominators *dominators, uint32_t one,
                                 uint32_t other)
{
    const uint32_t *place = dominators->place;
    while (one != other)
        if (place[one] > place[other])
            one = dominators->above[one];
        else
            other = dominators->above[other];
    return one;
}

void dominators_find(struct dominators *dominators, size_t block_count,
                     const struct dominators_edge *edges, size_t edge_count,
                     uint32_t root)
{
    struct groups out, into;
    GROUPS_BY(&out, block_count, edges, from, edge_count);
    GROUPS_BY(&into, block_count, edges, to, edge_count);
    *dominators = (struct dominators){
        .above = buf_alloc((block_count + 1) * sizeof *dominators->above),
        .order = buf_alloc((block_count + 1) * sizeof *dominators->order),
        .place = buf_alloc((block_count + 1) * sizeof *dominators->place)};
    for (size_t i = 0; i < block_count; i++)
        dominators->above[i] = dominators->place[i] = NONE;
    order_blocks(dominators, block_count, edges, &out, root);
    /* The algorithm: Cooper, Harvey, Kennedy, A Simple, Fast Dominance Algorithm,
       2001. */
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 1; i < dominators->count; i++) {
            uint32_t block = dominators->order[i], above = NONE;
            for (size_t k = into.first[block]; k < into.first[block + 1]; k++) {
                uint32_t from = edges[into.members[k]].from;
                if (from == root || dominators->above[from] != NONE)
                    above =
                        above == NONE ? from : common_dominator(dominators, above, from);
            }
            changed |= dominators->above[block] != above;
            dominators->above[block] = above;
        }
    }
    groups_free(&out);
    groups_free(&into);
}

bool dominators_holds(const struct dominators *dominators, uint32_t block, uint32_t other)
{
    if (!dominators_reaches(dominators, block))
        return false;
    while (dominators->place[other] > dominators->place[block])
        other = dominators->above[other];
    return other == block;
}

void dominators_free(struct dominators *dominators)
{
    free(dominators->above);
    free(dominators->order);
    free(dominators->place);
    memset(dominators, 0, sizeof *dominators);
}
