/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers the amounts of a point as columns: by measure, and by size if blocks were
   sampled. */

#include "mlprof/profile/heappoints.h"
#include "mlprof/base/buf.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
    return heap->sizes[(column - HEAPPOINTS_SAMPLES) / HEAPDATA_MEASURES];
}

static int by_size(const void *one, const void *other)
{
    return BUF_ORDER(*(const uint64_t *)one, *(const uint64_t *)other);
}

/* Sets the sizes of HEAP: the different sizes of its samples, ascending. */
static void find_sizes(struct heapdata *heap)
{
    uint64_t *sizes = heap->sizes = buf_alloc((heap->sized_count + 1) * sizeof *sizes);
    for (size_t i = 0; i < heap->sized_count; i++)
        sizes[i] = heap->sized[i].size;
    BUF_SORT(sizes, heap->sized_count, by_size);
    heap->size_count = 0;
    for (size_t i = 0; i < heap->sized_count; i++)
        if (i == 0 || sizes[i] != sizes[i - 1])
            sizes[heap->size_count++] = sizes[i];
}

static void add_samples(struct profile *points)
{
    struct heapdata *heap = &points->heap;
    find_sizes(heap);
    for (size_t i = 0; i < heap->sized_count; i++) {
        const struct heapdata_sized *sized = &heap->sized[i];
        const uint64_t *size =
            bsearch(&sized->size, heap->sizes, heap->size_count, sizeof *size, by_size);
        uint32_t column =
            HEAPPOINTS_SAMPLES + (uint32_t)(size - heap->sizes) * HEAPDATA_MEASURES;
        for (uint32_t m = 0; m < HEAPDATA_MEASURES; m++) {
            if (sized->blocks[m] == 0)
                continue;
            shares_add(&points->values, sized->node, column + m, sized->blocks[m]);
        }
    }
}

static void add_cells(struct profile *points, const struct heapdata *heap)
{
    for (size_t i = 0; i < heap->times.cell_count; i++) {
        const struct heaptimes_cell *cell = &heap->times.cells[i];
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
    *points = *profile;
    points->kind = CCPROF_KIND_ALLOC;
    points->rate = 1;
    points->stack = true;
    points->samples = points->ccprof_samples = points->lost = points->uncounted = 0;
    points->own_count = points->counter_count = points->target_count = 0;
    points->rest_count = points->indexed = 0;
    memset(&points->counter_index, 0, sizeof points->counter_index);
    memset(&points->site_index, 0, sizeof points->site_index);
    memset(&points->target_index, 0, sizeof points->target_index);
    memset(&points->origins, 0, sizeof points->origins);
    memset(&points->children, 0, sizeof points->children);
    points->times = (struct times){0};
    points->values = (struct shares){0};
    points->measure = measure_of_heap(measure);
    points->nodes = buf_alloc((heap->node_count + 1) * sizeof *points->nodes);
    points->node_count = heap->node_count;
    for (uint32_t i = 0; i < heap->node_count; i++) {
        const struct heapdata_node *from = &heap->nodes[i];
        points->nodes[i] = (struct profile_node){.parent = from->parent,
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
    free(points->nodes);
    shares_free(&points->values);
    free(points->heap.sizes);
    memset(points, 0, sizeof *points);
}
