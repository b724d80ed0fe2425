/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers the amounts of a point as columns: by measure, and by size if blocks were
   sampled. */

#include "mlprof/profile/heappoints.h"
#include "mlprof/base/buf.h"

#include <math.h>
#include <stdlib.h>

bool heappoints_alone(const struct profile *profile)
{
    return profile->kind == CCPROF_KIND_REGION && profile->heap.measured &&
           profile->regions.clock == REGIONS_NONE;
}

/* Returns the column of the blocks of a cell. The next one is that of its bytes. */
static uint32_t column_of_cell(const struct heaptimes_cell *cell)
{
    uint32_t freed = cell->freed == HEAPTIMES_ALIVE ? CCPROF_SPANS : cell->freed;
    return HEAPPOINTS_CELLS + 2 * (cell->born * (CCPROF_SPANS + 1) + freed);
}

struct heappoints_cell heappoints_cell_of(uint32_t column)
{
    uint32_t number = (column - HEAPPOINTS_CELLS) / 2,
             freed = number % (CCPROF_SPANS + 1);
    return (struct heappoints_cell){number / (CCPROF_SPANS + 1),
                                    freed == CCPROF_SPANS ? HEAPTIMES_ALIVE : freed,
                                    (column - HEAPPOINTS_CELLS) % 2};
}

enum heapdata_measure heappoints_measure_of_sample(uint32_t column)
{
    return column < HEAPPOINTS_SAMPLES
               ? HEAPDATA_MEASURES
               : (column - HEAPPOINTS_SAMPLES) % HEAPDATA_MEASURES;
}

uint64_t heappoints_size_of_sample(const struct heapdata *heap, uint32_t column)
{
    return heap->sampled.sizes[(column - HEAPPOINTS_SAMPLES) / HEAPDATA_MEASURES];
}

static int by_size(const void *one, const void *other)
{
    return BUF_ORDER(*(const uint64_t *)one, *(const uint64_t *)other);
}

/* Sets the sizes of HEAP: the different sizes of its samples, ascending. */
static void find_sizes(struct heapdata *heap)
{
    uint64_t *sizes = heap->sampled.sizes =
        buf_alloc((heap->sampled.blocks.count + 1) * sizeof *sizes);
    for (size_t i = 0; i < heap->sampled.blocks.count; i++)
        sizes[i] = heap->sampled.blocks.list[i].size;
    BUF_SORT(sizes, heap->sampled.blocks.count, by_size);
    heap->sampled.size_count = 0;
    for (size_t i = 0; i < heap->sampled.blocks.count; i++)
        if (i == 0 || sizes[i] != sizes[i - 1])
            sizes[heap->sampled.size_count++] = sizes[i];
}

static void add_samples(struct profile *points)
{
    struct heapdata *heap = &points->heap;
    find_sizes(heap);
    for (size_t i = 0; i < heap->sampled.blocks.count; i++) {
        const struct heapdata_sized *sized = &heap->sampled.blocks.list[i];
        const uint64_t *size = bsearch(&sized->size, heap->sampled.sizes,
                                       heap->sampled.size_count, sizeof *size, by_size);
        uint32_t column = HEAPPOINTS_SAMPLES +
                          (uint32_t)(size - heap->sampled.sizes) * HEAPDATA_MEASURES;
        for (uint32_t m = 0; m < HEAPDATA_MEASURES; m++) {
            if (sized->blocks[m] == 0)
                continue;
            shares_add(&points->values, sized->node, column + m, sized->blocks[m]);
        }
    }
}

static void add_cells(struct profile *points, const struct heapdata *heap)
{
    for (size_t i = 0; i < heap->times.cells.count; i++) {
        const struct heaptimes_cell *cell = &heap->times.cells.list[i];
        double weight = heapdata_weight(heap, cell->size);
        uint64_t amounts[] = {(uint64_t)round((double)cell->blocks * weight),
                              (uint64_t)round((double)cell->bytes * weight)};
        for (uint32_t k = 0; k < 2; k++) {
            if (amounts[k])
                shares_add(&points->values, cell->node, column_of_cell(cell) + k,
                           amounts[k]);
        }
    }
}

void heappoints_make(struct profile *points, const struct profile *profile,
                     enum heapdata_measure measure, bool with_cells)
{
    const struct heapdata *heap = &profile->heap;
    profile_derive(points, profile, CCPROF_KIND_ALLOC);
    points->sampling.rate = 1;
    points->sampling.stack = true;
    points->owns.count = points->runs.uncounted = 0;
    points->times = (struct times){0};
    points->measure = measure_of_heap(measure);
    points->nodes.list = buf_alloc((heap->nodes.count + 1) * sizeof *points->nodes.list);
    points->nodes.count = heap->nodes.count;
    for (uint32_t i = 0; i < heap->nodes.count; i++) {
        const struct heapdata_node *from = &heap->nodes.list[i];
        points->nodes.list[i] =
            (struct profile_node){.parent = from->parent,
                                  .module = from->module,
                                  .address = from->address,
                                  .count = from->amounts[measure].bytes};
        for (uint32_t m = 0; m < HEAPDATA_MEASURES; m++) {
            const struct heapdata_amount *amount = &from->amounts[m];
            if (amount->blocks)
                shares_add(&points->values, i, HEAPPOINTS_BLOCKS(m), amount->blocks);
            if (amount->bytes)
                shares_add(&points->values, i, HEAPPOINTS_BYTES(m), amount->bytes);
        }
    }
    if (with_cells)
        add_cells(points, heap);
    add_samples(points);
    shares_sort(&points->values);
}

void heappoints_free(struct profile *points)
{
    free(points->heap.sampled.sizes);
    profile_free_derived(points);
}
