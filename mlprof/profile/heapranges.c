/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds up the cells of the heap over time: all of them, or those of the buckets that a
   range names. */

#include "mlprof/profile/heapranges.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Amounts that need not be integers. */
struct weighed {
    double blocks, bytes;
};

static struct heapdata_amount rounded(const struct weighed *weighed)
{
    return (struct heapdata_amount){(uint64_t)round(weighed->blocks),
                                    (uint64_t)round(weighed->bytes)};
}

void heapranges_add_up(struct heapranges_sum *sums, const struct heapdata *heap)
{
    const struct heaptimes *times = &heap->times;
    struct weighed made[CCPROF_SPANS] = {{0, 0}}, left[CCPROF_SPANS] = {{0, 0}};
    for (size_t i = 0; i < times->cells.count; i++) {
        const struct heaptimes_cell *cell = &times->cells.list[i];
        double weight = heapdata_weight(heap, cell->size);
        struct weighed *to[] = {&made[cell->born], &left[cell->born]};
        for (size_t k = 0; k < (cell->freed == HEAPTIMES_ALIVE ? 2 : 1); k++) {
            to[k]->blocks += (double)cell->blocks * weight;
            to[k]->bytes += (double)cell->bytes * weight;
        }
    }
    for (size_t i = 0; i < CCPROF_SPANS; i++)
        sums[i] = (struct heapranges_sum){rounded(&made[i]), rounded(&left[i])};
}

/* Reads seconds up to the character STOP and moves *CURSOR after it. */
static bool read_seconds(const char **cursor, char stop, double *seconds)
{
    char *end;
    if (**cursor < '0' || **cursor > '9')
        return false;
    *seconds = strtod(*cursor, &end);
    bool good = *end == stop && isfinite(*seconds);
    *cursor = end + 1;
    return good;
}

char *heapranges_read(struct heapranges_request *request, const char *word)
{
    const char *cursor = word;
    request->given = true;
    request->to = INFINITY;
    if (!read_seconds(&cursor, '-', &request->from) ||
        (*cursor && !read_seconds(&cursor, '\0', &request->to)))
        return buf_copy("it should be two times in seconds, 0.5-2 say, or one, 0.5-");
    return request->from < request->to ? NULL : buf_copy("it ends before it begins");
}

/* Adds up the cells of one node and size, starting at the cell *NEXT, for the buckets
   from FIRST to LAST. Moves *NEXT to the next cell. */
static void add_cells(struct heapdata_amount amounts[HEAPDATA_MEASURES],
                      const struct heaptimes *times, size_t *next, uint32_t first,
                      uint32_t last, bool at_end)
{
    const struct heaptimes_cell *first_cell = &times->cells.list[*next];
    const uint32_t young = heaptimes_young(times);
    memset(amounts, 0, HEAPDATA_MEASURES * sizeof *amounts);
    for (; *next < times->cells.count; (*next)++) {
        const struct heaptimes_cell *cell = &times->cells.list[*next];
        if (cell->node != first_cell->node || cell->size != first_cell->size)
            break;
        if (cell->born < first || cell->born > last)
            continue;
        bool ended = cell->freed == HEAPTIMES_ALIVE;
        bool alive = at_end ? ended : cell->freed > last;
        enum heapdata_measure measures[] = {
            HEAPDATA_TOTAL, alive ? HEAPDATA_LIVE : HEAPDATA_FREED, HEAPDATA_YOUNG};
        for (size_t i = 0; i < (ended && alive && cell->born >= young ? 3 : 2); i++) {
            amounts[measures[i]].blocks += cell->blocks;
            amounts[measures[i]].bytes += cell->bytes;
        }
    }
}

/* Replaces all amounts of the points by the amounts of the cells in the range. */
static void put_cells(struct heapdata *heap, uint32_t first, uint32_t last, bool at_end)
{
    double carry[2] = {0, 0};
    memset(heap->sums, 0, sizeof heap->sums);
    for (size_t i = 0; i < heap->nodes.count; i++)
        memset(heap->nodes.list[i].amounts, 0, sizeof heap->nodes.list[i].amounts);
    heap->sampled.blocks.count = 0;
    index_free(&heap->sampled.index);
    for (size_t i = 0; i < heap->times.cells.count;) {
        struct heapdata_amount amounts[HEAPDATA_MEASURES];
        struct heapdata_sized sized = {.node = heap->times.cells.list[i].node,
                                       .process = HEAPDATA_NONE,
                                       .size = heap->times.cells.list[i].size};
        add_cells(amounts, &heap->times, &i, first, last, at_end);
        for (size_t k = 0; k < HEAPDATA_MEASURES; k++)
            sized.blocks[k] = amounts[k].blocks;
        if (heap->sample) {
            heapdata_put_sized(heap, &sized, carry);
        } else {
            heapdata_add(heap->nodes.list[sized.node].amounts, amounts);
            heapdata_add(heap->sums, amounts);
        }
    }
}

bool heapranges_select(struct heapdata *heap, const struct heapranges_request *request,
                       bool at_end, const char *option, struct fault *fault)
{
    struct heaptimes *times = &heap->times;
    const double width = (double)times->width / 1000;
    if (request->from >= width * times->count) {
        BUF_OWN char *end = text_commas(width * times->count, 2);
        fault_set(fault, FAULT_MISMATCH, option, "the run ended after %s seconds", end);
        return false;
    }
    uint32_t first = (uint32_t)floor(request->from / width), last = times->count - 1;
    if (request->to < width * times->count)
        last = (uint32_t)ceil(request->to / width) - 1;
    put_cells(heap, first, last, at_end);
    heap->peak_time = 0;
    heap->reach = false;
    times->range = (struct heaptimes_range){
        .from = first * times->width, .to = (last + 1) * times->width, .at_end = at_end};
    return true;
}
