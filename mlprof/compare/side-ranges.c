/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/compare/side-ranges.h"
#include "mlprof/base/buf.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct side_range range_of(const struct amounts *amounts, size_t number,
                                  enum heapdata_measure measure)
{
    struct side_range range = {
        .stack = amounts_interval(amounts, number, measure, true, true),
        .bytes = amounts_interval(amounts, number, measure, false, true),
        .blocks = amounts_interval(amounts, number, measure, false, false)};
    if (amounts->rows[number].own[measure].blocks == 0)
        range.blocks.most = INFINITY;
    return range;
}

void side_ranges_find(struct side_ranges *ranges, size_t count,
                      enum heapdata_measure measure, const struct side_estimates *parts)
{
    /* Behind the functions all together, and one that has nothing.  */
    struct amounts sums = amounts_like(parts->amounts, count + 2);
    for (size_t i = 0; i < parts->amounts->count; i++) {
        uint32_t number = parts->numbers[i];
        amounts_add(&sums, count, parts->amounts, i);
        if (number < count)
            amounts_add(&sums, number, parts->amounts, i);
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
    amounts_free(&sums);
}

void side_ranges_free(struct side_ranges *ranges)
{
    free(ranges->by_function);
    memset(ranges, 0, sizeof *ranges);
}
