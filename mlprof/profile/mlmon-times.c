/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/profile/mlmon-times.h"

bool mlmon_times_line(struct profile *profile, struct fields *fields)
{
    struct times *times = &profile->times;
    uint64_t width, span;
    if (!fields_skip(fields, "times ") || !fields_decimal(fields, &width) ||
        !fields_skip(fields, " ") || !fields_decimal(fields, &span) ||
        !fields_end_of_line(fields))
        return fields_wrong(fields, "it should be `times' and two numbers");
    if (width == 0 || span / width >= TIMES_BUCKETS)
        return fields_wrong(fields, "no buckets of time, or too many");
    times->width = width;
    times->span = span;
    return fields_next_line(fields);
}

bool mlmon_times_point(struct profile *profile, struct fields *fields, uint32_t parent,
                       uint64_t bucket, uint64_t count)
{
    struct times *times = &profile->times;
    if (parent == PROFILE_NO_NODE || profile_is_around(&profile->nodes[parent]) ||
        bucket > times->span / times->width)
        return fields_wrong(fields,
                            "a time that is not in the run, or cannot stand here");
    profile->nodes[parent].count += count;
    shares_add(&times->shares, parent, (uint32_t)bucket, count);
    return true;
}
