/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where blocks were sampled the points get one more bin (heappoints.h) for each size of
   the samples and each measure: how many there are.  */

#include "mlprof/rows/heaprows.h"
#include "mlprof/base/buf.h"
#include "mlprof/profile/heappoints.h"

#include <stdlib.h>
#include <string.h>

static int by_size(const void *one, const void *other)
{
    uint64_t a = *(const uint64_t *)one, b = *(const uint64_t *)other;
    return (a > b) - (a < b);
}

static void find_sizes(struct heaprows_sizes *sizes, const struct heapdata *heap)
{
    sizes->sizes = buf_alloc((heap->sized_count + 1) * sizeof *sizes->sizes);
    for (size_t i = 0; i < heap->sized_count; i++)
        sizes->sizes[i] = heap->sized[i].size;
    if (heap->sized_count)
        qsort(sizes->sizes, heap->sized_count, sizeof *sizes->sizes, by_size);
    for (size_t i = 0; i < heap->sized_count; i++)
        if (i == 0 || sizes->sizes[i] != sizes->sizes[i - 1])
            sizes->sizes[sizes->count++] = sizes->sizes[i];
}

static uint32_t bin_of_size(const struct heaprows_sizes *sizes, uint64_t size,
                            size_t measure)
{
    const uint64_t *at =
        bsearch(&size, sizes->sizes, sizes->count, sizeof *sizes->sizes, by_size);
    return (uint32_t)(HEAPPOINTS_BINS + (size_t)(at - sizes->sizes) * HEAPDATA_MEASURES +
                      measure);
}

/* Adds the bins of samples to POINTS.  */
static void add_samples(struct profile *points, const struct heapdata *heap,
                        const struct heaprows_sizes *sizes)
{
    for (size_t i = 0; i < heap->sized_count; i++) {
        const struct heapdata_sized *sized = &heap->sized[i];
        for (size_t measure = 0; measure < HEAPDATA_MEASURES; measure++) {
            if (sized->blocks[measure] == 0)
                continue;
            shares_add(&points->times.shares, sized->node,
                       bin_of_size(sizes, sized->size, measure), sized->blocks[measure]);
            points->nodes[sized->node].count += sized->blocks[measure];
        }
    }
    shares_sort(&points->times.shares);
}

/* Adds what a bin of the stacks has.  */
static void add_bin(struct heaprows_amounts *amounts, const struct heaprows *heap,
                    const struct shares_entry *entry)
{
    if (entry->bin < HEAPPOINTS_BINS) {
        *heappoints_of_bin(amounts->own, entry->bin) += entry->count;
        return;
    }
    size_t number = entry->bin - HEAPPOINTS_BINS;
    heapdata_doubt(amounts->own_doubt[number % HEAPDATA_MEASURES].of, heap->sample,
                   heap->sizes.sizes[number / HEAPDATA_MEASURES], entry->count);
}

static void add_doubts(struct heaprows_doubt *sums, const struct heaprows_doubt *doubts)
{
    for (size_t i = 0; i < HEAPDATA_MEASURES; i++)
        for (size_t of = 0; of < 2; of++) {
            sums[i].of[of].unseen += doubts[i].of[of].unseen;
            sums[i].of[of].squares += doubts[i].of[of].squares;
            sums[i].of[of].variance += doubts[i].of[of].variance;
        }
}

struct statistics_interval heaprows_interval(const struct heapdata_amount *amounts,
                                             const struct heaprows_doubt *doubts,
                                             uint64_t sample,
                                             enum heapdata_measure measure, bool bytes)
{
    return heapdata_interval(amounts, &doubts[measure].of[bytes], sample, measure, bytes);
}

void heaprows_add(struct heaprows_amounts *sums, const struct heaprows_amounts *amounts)
{
    heapdata_add(sums->own, amounts->own);
    heapdata_add(sums->stack, amounts->stack);
    add_doubts(sums->own_doubt, amounts->own_doubt);
    add_doubts(sums->stack_doubt, amounts->stack_doubt);
}

void heaprows_stand_alone(struct heaprows_amounts *amounts)
{
    memcpy(amounts->stack, amounts->own, sizeof amounts->stack);
    memcpy(amounts->stack_doubt, amounts->own_doubt, sizeof amounts->stack_doubt);
}

struct heaprows_amounts *heaprows_by_node(const struct heaprows *heap)
{
    const struct stacks *stacks = &heap->rows.stacks;
    struct heaprows_amounts *amounts =
        buf_alloc((stacks->node_count + 1) * sizeof *amounts);
    const struct shares *shares = &stacks->times.shares;
    for (size_t i = 0; i < shares->count; i++)
        add_bin(&amounts[shares->entries[i].owner], heap, &shares->entries[i]);
    for (uint32_t i = 0; i < stacks->node_count; i++)
        heaprows_stand_alone(&amounts[i]);
    for (uint32_t i = (uint32_t)stacks->node_count; i-- > 0;) {
        uint32_t parent = stacks->nodes[i].parent;
        if (parent == STACKS_NONE)
            continue;
        heapdata_add(amounts[parent].stack, amounts[i].stack);
        add_doubts(amounts[parent].stack_doubt, amounts[i].stack_doubt);
    }
    return amounts;
}

/* The amounts of ROWS, which may be other things than functions, by row; to be freed.  A
   row that is on a stack several times has what is below its outermost frame; types call
   nothing.  */
static struct heaprows_amounts *add_up(const struct heaprows *heap,
                                       const struct rows *rows)
{
    const struct stacks *stacks = &heap->rows.stacks;
    struct heaprows_amounts *amounts = buf_alloc((rows->count + 1) * sizeof *amounts);
    struct heaprows_amounts *by_node = heaprows_by_node(heap);
    uint32_t *active = buf_alloc((rows->count + 1) * sizeof *active);
    const bool types = rows->key == ROWS_TYPES;
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
        add_doubts(amounts[row].own_doubt, by_node[walk.node].own_doubt);
        if (active[row]++ != 0 || types)
            continue;
        heapdata_add(amounts[row].stack, by_node[walk.node].stack);
        add_doubts(amounts[row].stack_doubt, by_node[walk.node].stack_doubt);
    }
    for (size_t i = 0; types && i < rows->count; i++)
        heaprows_stand_alone(&amounts[i]);
    free(active);
    free(by_node);
    return amounts;
}

void heaprows_fill(struct heaprows *rows, const struct profile *profile,
                   const struct program *program, struct outside *outside,
                   const struct stacks_filter *filter,
                   const struct wrappers_wishes *wrappers,
                   const struct names_style *names)
{
    struct profile *points = &rows->points;
    struct program bare = *program;
    struct stacks stacks;
    memset(rows, 0, sizeof *rows);
    if (!profile->heap.measured)
        return;
    bare.skid = NULL;
    rows->sample = profile->heap.sample;
    find_sizes(&rows->sizes, &profile->heap);
    heappoints_make(points, profile, false);
    add_samples(points, &profile->heap, &rows->sizes);
    stacks_build(&stacks, points, &bare, outside);
    struct wrappers found;
    wrappers_find(&found, &stacks, &bare, wrappers, names);
    if (stacks_filter_is_set(filter) || found.names) {
        struct stacks_filter_part part;
        struct fault none = {0};
        stacks_filter_apply(&stacks, filter, found.names ? &found.moves : NULL, names,
                            &part, &none);
        fault_clear(&none);
    }
    wrappers_free(&found);
    rows_evaluate(&rows->rows, &stacks, points, &bare, NULL, BRANCH_COMPILED);
    rows->amounts = add_up(rows, &rows->rows);
}

void heaprows_group(struct heaprows_group *group, const struct heaprows *heap)
{
    group->amounts = add_up(heap, &group->rows);
}

void heaprows_group_show(struct heaprows_group *group, enum heapdata_measure measure,
                         uint64_t total)
{
    struct rows *rows = &group->rows;
    struct heaprows_amounts *amounts = group->amounts;
    uint32_t *from = buf_alloc((rows->count + 1) * sizeof *from);
    for (uint32_t i = 0; i < rows->count; i++) {
        const struct heapdata_amount *own = &amounts[i].own[measure];
        struct rows_row *row = &rows->rows[i];
        row->cur = row->stack = row->bytes = own->bytes;
        row->blocks = own->blocks;
        from[i] = i;
    }
    rows->total = total;
    rows_sort(rows, from);
    group->amounts = buf_alloc((rows->count + 1) * sizeof *group->amounts);
    for (size_t i = 0; i < rows->count; i++)
        group->amounts[i] = amounts[from[i]];
    free(rows->of_node);
    rows->of_node = NULL;
    free(amounts);
    free(from);
}

void heaprows_group_free(struct heaprows_group *group)
{
    rows_free(&group->rows);
    free(group->amounts);
    memset(group, 0, sizeof *group);
}

void heaprows_free(struct heaprows *rows)
{
    heaprows_group_free(&rows->group);
    rows_free(&rows->rows);
    free(rows->amounts);
    free(rows->sizes.sizes);
    heappoints_free(&rows->points);
    memset(rows, 0, sizeof *rows);
}
