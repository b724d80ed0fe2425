/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/compare/side-ranges.h"
#include "mlprof/base/buf.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct side_range range_of(const struct values *values, size_t number,
                                  enum heapdata_measure measure)
{
    struct side_range range = {
        .stack = values_interval(values, number, measure, true, true),
        .bytes = values_interval(values, number, measure, false, true),
        .blocks = values_interval(values, number, measure, false, false)};
    if (values->amounts[number].own[measure].blocks == 0)
        range.blocks.most = INFINITY;
    return range;
}

void side_ranges_find(struct side_ranges *ranges, size_t count,
                      enum heapdata_measure measure, const struct side_estimates *parts)
{
    /* Behind the functions all together, and one that has nothing.  */
    struct values sums = values_like(parts->values, count + 2);
    for (size_t i = 0; i < parts->values->count; i++) {
        uint32_t number = parts->numbers[i];
        values_add(&sums, count, parts->values, i);
        if (number < count)
            values_add(&sums, number, parts->values, i);
    }
    *ranges = (struct side_ranges){
        .by_function = buf_alloc((count + 1) * sizeof *ranges->by_function),
        .count = count,
        .none = range_of(&sums, count + 1, measure),
        .all = range_of(&sums, count, measure)};
    /* Each sample is on many stacks, and in all of them once.  */
    ranges->all.stack = ranges->all.bytes;
    for (size_t i = 0; i < count; i++)
        ranges->by_function[i] = range_of(&sums, i, measure);
    values_free(&sums);
}

void side_ranges_free(struct side_ranges *ranges)
{
    free(ranges->by_function);
    memset(ranges, 0, sizeof *ranges);
}
