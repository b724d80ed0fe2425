/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/profile/mlmon-inside.h"

#include <ctype.h>

bool mlmon_counted_uncounted(struct profile *profile, struct fields *fields)
{
    if (fields_skip(fields, "uncounted ")) {
        if (!fields_decimal(fields, &profile->uncounted) || !fields_end_of_line(fields) ||
            profile->uncounted == 0)
            return fields_wrong(fields, "it should be `uncounted' and a number above 0");
        if (!fields_next_line(fields))
            return false;
    }
    if (!fields_skip(fields, "switched"))
        return true;
    profile->switched = true;
    return fields_end_of_line(fields) ? fields_next_line(fields)
                                      : fields_wrong(fields, "it should be `switched'");
}

/* Counters and targets have a common sum.  */
static bool read_count(const struct profile *profile, struct fields *fields,
                       uint64_t *count, const char *right)
{
    uint64_t sum;
    if (!mlmon_number(fields, count) || !fields_end_of_line(fields))
        return fields_wrong(fields, right);
    if (__builtin_add_overflow(profile->counter_total, *count, &sum))
        return fields_wrong(fields, "the counts add up to more than 64 bits");
    return true;
}

static bool read_counter(struct profile *profile, struct fields *fields, bool rests)
{
    (void)rests;
    const char *right = "it should be a module, a counter, a count";
    uint64_t module, address, count;
    if (!fields_decimal(fields, &module) || module >= profile->module_count)
        return fields_wrong(fields, "no module has this number");
    if (!fields_skip(fields, " ") || !fields_hexadecimal(fields, &address))
        return fields_wrong(fields, right);
    if (!read_count(profile, fields, &count, right))
        return false;
    profile_add_counter(profile, (uint32_t)module, address, count);
    return true;
}

static bool read_target(struct profile *profile, struct fields *fields, bool rests)
{
    const char *right =
        rests ? "it should be a module, a site, a module, a target, a count or `rest'"
              : "it should be a module, a site, a module, a target, a count";
    struct profile_target target = {0};
    if (!mlmon_points_module(profile, fields, &target.site_module))
        return fields_wrong(fields, "no module has this number");
    if (!fields_skip(fields, " ") || !fields_hexadecimal(fields, &target.site) ||
        !fields_skip(fields, " "))
        return fields_wrong(fields, right);
    if (!mlmon_points_module(profile, fields, &target.module))
        return fields_wrong(fields, "no module has this number");
    if (!fields_skip(fields, " ") || !fields_hexadecimal(fields, &target.address))
        return fields_wrong(fields, right);
    if (rests && fields_skip(fields, " rest")) {
        if (!fields_end_of_line(fields))
            return fields_wrong(fields, right);
        profile_add_rest(profile, &target);
        return true;
    }
    if (!read_count(profile, fields, &target.count, right))
        return false;
    profile_add_target(profile, &target, target.count);
    return true;
}

/* Calls READ for each line up to one that starts with a letter.  */
static bool read_lines(struct profile *profile, struct fields *fields, bool rests,
                       bool (*read)(struct profile *, struct fields *, bool rests))
{
    while (fields_next_line(fields)) {
        if (fields->at == fields->stop || isalpha((unsigned char)*fields->at)) {
            fields_unread(fields);
            return true;
        }
        if (!read(profile, fields, rests))
            return false;
    }
    return false;
}

bool mlmon_counted_read(struct profile *profile, struct fields *fields, bool rests)
{
    if (!fields_end_of_line(fields))
        return fields_wrong(fields, "it should be `counters'");
    if (!read_lines(profile, fields, rests, read_counter) || !fields_next_line(fields))
        return false;
    if (fields_skip(fields, "targets") && fields_end_of_line(fields))
        return read_lines(profile, fields, rests, read_target);
    fields_unread(fields);
    return true;
}
