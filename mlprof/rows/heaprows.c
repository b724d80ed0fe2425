/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/rows/heaprows.h"
#include "mlprof/base/buf.h"
#include "mlprof/profile/heappoints.h"

#include <stdlib.h>
#include <string.h>

/* By node of the stacks: what it has, the nodes below it not counted; to be freed.  */
static struct heaprows_amounts *find_amounts(const struct stacks *stacks)
{
    struct heaprows_amounts *amounts =
        buf_alloc((stacks->node_count + 1) * sizeof *amounts);
    const struct shares *shares = &stacks->times.shares;
    for (size_t i = 0; i < shares->count; i++) {
        const struct shares_entry *entry = &shares->entries[i];
        *heappoints_of_bin(amounts[entry->owner].own, entry->bin) += entry->count;
    }
    for (uint32_t i = 0; i < stacks->node_count; i++)
        memcpy(amounts[i].stack, amounts[i].own, sizeof amounts[i].stack);
    for (uint32_t i = (uint32_t)stacks->node_count; i-- > 0;) {
        uint32_t parent = stacks->nodes[i].parent;
        if (parent != STACKS_NONE)
            heapdata_add(amounts[parent].stack, amounts[i].stack);
    }
    return amounts;
}

/* A function that is on a stack several times has what is below its outermost frame.  */
static void add_up(struct heaprows *heap, const struct heaprows_amounts *by_node)
{
    const struct stacks *stacks = &heap->rows.stacks;
    uint32_t *active = buf_alloc((heap->rows.count + 1) * sizeof *active);
    struct stacks_walk walk = {0};
    while (stacks_walk_next(stacks, &walk)) {
        uint32_t row = rows_of_node(&heap->rows, walk.node);
        if (row == STACKS_NONE)
            continue;
        if (walk.leave) {
            active[row]--;
            continue;
        }
        heapdata_add(heap->amounts[row].own, by_node[walk.node].own);
        if (active[row]++ == 0)
            heapdata_add(heap->amounts[row].stack, by_node[walk.node].stack);
    }
    free(active);
}

void heaprows_fill(struct heaprows *rows, const struct profile *profile,
                   const struct program *program, const struct stacks_filter *filter,
                   const struct names_style *names)
{
    struct profile points;
    struct program bare = *program;
    struct stacks stacks;
    memset(rows, 0, sizeof *rows);
    if (!profile->heap.measured)
        return;
    bare.skid = NULL;
    heappoints_make(&points, profile);
    stacks_build(&stacks, &points, &bare, NULL);
    if (filter) {
        struct stacks_filter_part part;
        struct fault none = {0};
        stacks_filter_apply(&stacks, filter, names, &part, &none);
        fault_clear(&none);
    }
    rows_evaluate(&rows->rows, &stacks, &points, &bare, NULL, BRANCH_COMPILED);
    rows->amounts = buf_alloc((rows->rows.count + 1) * sizeof *rows->amounts);
    struct heaprows_amounts *by_node = find_amounts(&rows->rows.stacks);
    add_up(rows, by_node);
    free(by_node);
    heappoints_free(&points);
}

void heaprows_free(struct heaprows *rows)
{
    rows_free(&rows->rows);
    free(rows->amounts);
    memset(rows, 0, sizeof *rows);
}
