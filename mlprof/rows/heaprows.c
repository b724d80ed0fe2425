/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The heap's points become points of a profile of samples, which are divided among bins
   as samples are among buckets of time: two bins for each measure, of blocks and of
   bytes.  So stacks are built once, as those of samples are.  */

#include "mlprof/rows/heaprows.h"
#include "mlprof/base/buf.h"

#include <stdlib.h>
#include <string.h>

#define BINS (2 * HEAPDATA_MEASURES)

/* The amount that a bin is of.  */
static uint64_t *bin_of(struct heapdata_amount *amounts, size_t bin)
{
    struct heapdata_amount *amount = &amounts[bin / 2];
    return bin % 2 ? &amount->bytes : &amount->blocks;
}

/* Fills POINTS, whose nodes and times are to be freed.  */
static void make_points(struct profile *points, const struct profile *profile)
{
    const struct heapdata *heap = &profile->heap;
    *points = (struct profile){.kind = CCPROF_KIND_TIME,
                               .rate = 1,
                               .stack = true,
                               .modules = profile->modules,
                               .module_count = profile->module_count};
    points->nodes = buf_alloc((heap->node_count + 1) * sizeof *points->nodes);
    points->node_count = heap->node_count;
    for (uint32_t i = 0; i < heap->node_count; i++) {
        const struct heapdata_node *from = &heap->nodes[i];
        struct heapdata_node copy = *from;
        struct profile_node *node = &points->nodes[i];
        *node = (struct profile_node){
            .parent = from->parent, .module = from->module, .address = from->address};
        for (uint32_t bin = 0; bin < BINS; bin++) {
            uint64_t amount = *bin_of(copy.of, bin);
            node->count += amount;
            if (amount)
                shares_add(&points->times.shares, i, bin, amount);
        }
        points->samples += node->count;
    }
    shares_sort(&points->times.shares);
}

/* By node of the stacks: what it has, the nodes below it not counted; to be freed.  */
static struct heaprows_amounts *find_amounts(const struct stacks *stacks)
{
    struct heaprows_amounts *amounts =
        buf_alloc((stacks->node_count + 1) * sizeof *amounts);
    const struct shares *shares = &stacks->times.shares;
    for (size_t i = 0; i < shares->count; i++) {
        const struct shares_entry *entry = &shares->entries[i];
        *bin_of(amounts[entry->owner].own, entry->bin) += entry->count;
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

/* The amounts of ROWS, which may be other things than functions, by row; to be freed.  A
   row that is on a stack several times has what is below its outermost frame.  */
static struct heaprows_amounts *add_up(const struct rows *rows,
                                       const struct stacks *stacks)
{
    struct heaprows_amounts *amounts = buf_alloc((rows->count + 1) * sizeof *amounts);
    struct heaprows_amounts *by_node = find_amounts(stacks);
    uint32_t *active = buf_alloc((rows->count + 1) * sizeof *active);
    struct stacks_walk walk = {0};
    while (stacks_walk_next(stacks, &walk)) {
        uint32_t row =
            rows->of_node ? rows->of_node[walk.node] : rows_of_node(rows, walk.node);
        if (row == STACKS_NONE)
            continue;
        if (walk.leave) {
            active[row]--;
            continue;
        }
        heapdata_add(amounts[row].own, by_node[walk.node].own);
        if (active[row]++ == 0)
            heapdata_add(amounts[row].stack, by_node[walk.node].stack);
    }
    free(active);
    free(by_node);
    return amounts;
}

void heaprows_fill(struct heaprows *rows, const struct profile *profile,
                   const struct program *program)
{
    struct profile *points = &rows->points;
    struct program bare = *program;
    struct stacks stacks;
    memset(rows, 0, sizeof *rows);
    if (!profile->heap.measured)
        return;
    bare.skid = NULL;
    make_points(points, profile);
    stacks_build(&stacks, points, &bare, NULL);
    rows_evaluate(&rows->rows, &stacks, points, &bare, NULL, BRANCH_COMPILED);
    rows->amounts = add_up(&rows->rows, &rows->rows.stacks);
}

void heaprows_group(struct heaprows *rows)
{
    rows->group_amounts = add_up(&rows->grouped, &rows->rows.stacks);
}

void heaprows_free(struct heaprows *rows)
{
    rows_free(&rows->grouped);
    rows_free(&rows->rows);
    free(rows->amounts);
    free(rows->group_amounts);
    free(rows->points.nodes);
    shares_free(&rows->points.times.shares);
    memset(rows, 0, sizeof *rows);
}
