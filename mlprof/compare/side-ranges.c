/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/compare/side-ranges.h"
#include "mlprof/base/buf.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct side_range range_of(const struct heaprows_amounts *amounts, uint64_t sample,
                                  enum heapdata_measure measure)
{
    const struct heaprows_doubt *own = amounts->own_doubt;
    struct side_range range = {
        .stack = heaprows_interval(amounts->stack, amounts->stack_doubt, sample, measure,
                                   true),
        .bytes = heaprows_interval(amounts->own, own, sample, measure, true),
        .blocks = heaprows_interval(amounts->own, own, sample, measure, false)};
    if (amounts->own[measure].blocks == 0)
        range.blocks.most = INFINITY;
    return range;
}

void side_ranges_find(struct side_ranges *ranges, size_t count,
                      const struct heaprows *heap, enum heapdata_measure measure,
                      const struct side_estimates *parts)
{
    static const struct heaprows_amounts nothing;
    struct heaprows_amounts *sums = buf_alloc((count + 1) * sizeof *sums);
    struct heaprows_amounts *all = &sums[count];
    for (size_t i = 0; i < parts->count; i++) {
        uint32_t number = parts->numbers[i];
        heaprows_add(all, &parts->amounts[i]);
        if (number < count)
            heaprows_add(&sums[number], &parts->amounts[i]);
    }
    *ranges = (struct side_ranges){
        .by_function = buf_alloc((count + 1) * sizeof *ranges->by_function),
        .count = count,
        .none = range_of(&nothing, heap->sample, measure),
        .all = range_of(all, heap->sample, measure)};
    /* Each sample is on many stacks, and in all of them once.  */
    ranges->all.stack = ranges->all.bytes;
    for (size_t i = 0; i < count; i++)
        ranges->by_function[i] = range_of(&sums[i], heap->sample, measure);
    free(sums);
}

void side_ranges_free(struct side_ranges *ranges)
{
    free(ranges->by_function);
    memset(ranges, 0, sizeof *ranges);
}
