/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the regions of a data file: paths, sums of times, histograms and recorded
   calls. Checks that the buckets add up. */

#include "mlprof/base/buf.h"
#include "mlprof/profile/mlmon-inside.h"

#include <stdlib.h>

/* Maximum number of ticks per second. */
#define HZ_MOST 1000000000000

static bool read_clock(struct fields *fields, enum regions_clock *clock)
{
    static const struct fields_word clocks[] = {{"tsc", REGIONS_TSC},
                                                {"cntvct", REGIONS_CNTVCT},
                                                {"rdtime", REGIONS_RDTIME},
                                                {"monotonic", REGIONS_MONOTONIC}};
    for (size_t i = 0; i < sizeof clocks / sizeof *clocks; i++)
        if (fields_skip(fields, clocks[i].text)) {
            *clock = clocks[i].value;
            return true;
        }
    return false;
}

/* Reads the line after `regions '. */
static bool read_heading(struct regions *regions, struct fields *fields)
{
    if (!read_clock(fields, &regions->clock) || !fields_number(fields, &regions->hz) ||
        !fields_number(fields, &regions->inner) ||
        !fields_number(fields, &regions->outer) || !fields_end_of_line(fields))
        return fields_wrong(fields,
                            "it should be `regions' and a clock, its speed, two costs");
    if (regions->hz == 0 || regions->hz > HZ_MOST)
        return fields_wrong(fields, "a speed of the clock out of range");
    return true;
}

/* Reads the line after `unplaced ', which follows the heading. */
static bool read_unplaced(struct regions *regions, struct fields *fields)
{
    if (regions->regions.count == 0 && regions->unplaced == 0 &&
        fields_decimal(fields, &regions->unplaced) && fields_end_of_line(fields) &&
        regions->unplaced != 0)
        return true;
    return fields_wrong(fields, "it should be `unplaced' and a number above 0, once");
}

/* Reads a module's number and an address. If there is no module, `-', the address is
   0. */
static bool read_place(const struct profile *profile, struct fields *fields,
                       uint32_t *module, uint64_t *address)
{
    return mlmon_points_module(profile, fields, module) && fields_skip(fields, " ") &&
           fields_hexadecimal(fields, address) &&
           (*module != REGIONS_NAMED || *address == 0);
}

/* Reads the line after `region '. */
static bool read_region(struct profile *profile, struct fields *fields)
{
    uint64_t number, address;
    uint32_t module;
    bool fresh, good = fields_decimal(fields, &number) && fields_skip(fields, " ");
    if (good && number != profile->regions.regions.count)
        return fields_wrong(fields, "the regions are not numbered in order");
    BUF_OWN char *name =
        good && read_place(profile, fields, &module, &address) && fields_skip(fields, " ")
            ? fields_name(fields)
            : NULL;
    if (!name)
        return fields_wrong(
            fields, "it should be `region' and a number, a module, an address, a name");
    regions_put(&profile->regions, name, module, address, &fresh);
    return fresh || fields_wrong(fields, "the same region again");
}

/* Reads a sum of squares, which has up to 128 bits. */
static bool read_wide(struct fields *fields, regions_wide *value)
{
    const char *start = fields->cursor;
    regions_wide sum = 0;
    for (; fields->cursor < fields->stop && fields_digit(*fields->cursor) < 10;
         fields->cursor++)
        if (__builtin_mul_overflow(sum, (regions_wide)10, &sum) ||
            __builtin_add_overflow(sum, (regions_wide)fields_digit(*fields->cursor),
                                   &sum))
            return false;
    *value = sum;
    return fields->cursor > start;
}

static bool read_cpu(struct fields *fields, struct regions_sums *sums)
{
    if (!fields_skip(fields, " "))
        return false;
    sums->has_cpu = !fields_skip(fields, "-");
    return !sums->has_cpu || fields_decimal(fields, &sums->cpu);
}

/* Reads the line of a path after PARENT and REGION. */
static bool read_sums(struct fields *fields, struct regions_sums *sums)
{
    return fields_number(fields, &sums->count) && fields_number(fields, &sums->total) &&
           fields_number(fields, &sums->nested) && fields_number(fields, &sums->self) &&
           fields_skip(fields, " ") && read_wide(fields, &sums->squares) &&
           fields_number(fields, &sums->direct) && fields_number(fields, &sums->inside) &&
           fields_number(fields, &sums->first) && fields_number(fields, &sums->min) &&
           fields_number(fields, &sums->max) && read_cpu(fields, sums) &&
           fields_number(fields, &sums->left) && fields_number(fields, &sums->open) &&
           fields_number(fields, &sums->spent) && fields_number(fields, &sums->cold) &&
           fields_number(fields, &sums->cold_total) &&
           fields_number(fields, &sums->cold_min) &&
           fields_number(fields, &sums->cold_max) && fields_end_of_line(fields);
}

/* Returns whether the numbers are consistent: no partial sum exceeds its total, and
   times are 0 if there are no calls. */
static bool sums_agree(const struct regions_sums *sums)
{
    bool within = sums->nested <= sums->total && sums->self <= sums->total &&
                  sums->left <= sums->count && sums->cold <= sums->count &&
                  sums->cold_total <= sums->total && sums->direct <= sums->inside;
    bool ordered = sums->min <= sums->max && sums->cold_min <= sums->cold_max &&
                   sums->min <= sums->first && sums->first <= sums->max;
    bool none = sums->count == 0 && (sums->total || sums->squares || sums->max);
    bool none_cold = sums->cold == 0 && (sums->cold_total || sums->cold_max);
    bool none_open = sums->open == 0 && sums->spent;
    return within && ordered && !none && !none_cold && !none_open;
}

/* Returns whether PATH contains REGION. */
static bool contains_region(const struct regions *regions, uint32_t path, uint32_t region)
{
    for (; path != REGIONS_NO_PATH; path = regions->paths.list[path].parent)
        if (regions->paths.list[path].region == region)
            return true;
    return false;
}

static bool read_parent(const struct regions *regions, struct fields *fields,
                        uint32_t *parent)
{
    uint64_t number;
    *parent = REGIONS_NO_PATH;
    if (fields_skip(fields, "-"))
        return true;
    if (!fields_decimal(fields, &number) || number >= regions->paths.count)
        return false;
    *parent = (uint32_t)number;
    return true;
}

/* Reads the line after `path '. */
static bool read_path(struct profile *profile, struct fields *fields)
{
    struct regions *regions = &profile->regions;
    struct regions_sums sums = {0};
    uint64_t region;
    uint32_t parent;
    bool fresh;
    if (!read_parent(regions, fields, &parent))
        return fields_wrong(fields, "no path has this number");
    if (!fields_number(fields, &region) || region >= regions->regions.count)
        return fields_wrong(fields, "no region has this number");
    if (!read_sums(fields, &sums))
        return fields_wrong(fields, "it should be `path' and 19 numbers");
    if (!sums_agree(&sums))
        return fields_wrong(fields, "the numbers of a path contradict each other");
    if (contains_region(regions, parent, (uint32_t)region))
        return fields_wrong(fields, "a path with a region twice");
    uint32_t path = regions_put_path(regions, parent, (uint32_t)region, &fresh);
    if (!fresh)
        return fields_wrong(fields, "the same path again");
    regions->paths.list[path].sums = sums;
    return true;
}

/* The state of reading the buckets of the last path. */
struct filled {
    uint64_t next; /* smallest number that the next bucket may have */
    uint64_t count;
};

/* Reads the line after `bucket '. */
static bool read_bucket(struct regions *regions, struct fields *fields,
                        struct filled *filled)
{
    uint64_t bucket, count;
    if (!fields_decimal(fields, &bucket) || !fields_number(fields, &count) ||
        !fields_end_of_line(fields) || count == 0)
        return fields_wrong(fields, "it should be `bucket' and two numbers");
    if (regions->paths.count == 0)
        return fields_wrong(fields, "a bucket of no path");
    if (bucket < filled->next || bucket >= CCPROF_BUCKETS)
        return fields_wrong(fields, "the buckets do not ascend, or there is no such");
    filled->next = bucket + 1;
    struct regions_sums *sums = &regions->paths.list[regions->paths.count - 1].sums;
    sums->buckets[bucket] = count;
    if (__builtin_add_overflow(filled->count, count, &filled->count))
        return fields_wrong(fields, "the counts add up to more than 64 bits");
    return true;
}

/* Checks that the buckets of the last path add up to its calls, and resets FILLED. */
static bool buckets_complete(const struct regions *regions, struct fields *fields,
                             struct filled *filled)
{
    if (regions->paths.count &&
        filled->count != regions->paths.list[regions->paths.count - 1].sums.count)
        return fields_wrong(fields, "the buckets before it do not add up to the calls");
    *filled = (struct filled){0};
    return true;
}

/* Reads the line after `events ', and the calls. */
static bool read_events(struct regions *regions, struct fields *fields)
{
    struct regions_event event;
    uint64_t path;
    if (!fields_decimal(fields, &regions->event_least) || !fields_end_of_line(fields))
        return fields_wrong(fields, "it should be `events' and a number");
    regions->has_events = true;
    while (fields_next_line(fields)) {
        if (!fields_skip(fields, "event "))
            return true;
        if (!fields_decimal(fields, &event.thread) || !fields_number(fields, &path) ||
            !fields_number(fields, &event.start) ||
            !fields_number(fields, &event.length) || !fields_end_of_line(fields))
            return fields_wrong(fields, "it should be `event' and four numbers");
        if (path >= regions->paths.count)
            return fields_wrong(fields, "no path has this number");
        if (event.length > UINT64_MAX - event.start)
            return fields_wrong(fields, "a call that ends beyond 64 bits");
        event.path = (uint32_t)path;
        BUF_PUSH(regions->events) = event;
    }
    return false;
}

/* Reads a line of regions. If it is another line, sets *OTHER. */
static bool read_line(struct profile *profile, struct fields *fields,
                      struct filled *filled, bool *other)
{
    struct regions *regions = &profile->regions;
    if (fields_skip(fields, "bucket "))
        return read_bucket(regions, fields, filled);
    if (!buckets_complete(regions, fields, filled))
        return false;
    if (fields_skip(fields, "unplaced "))
        return read_unplaced(regions, fields);
    if (fields_skip(fields, "region "))
        return regions->paths.count == 0
                   ? read_region(profile, fields)
                   : fields_wrong(fields, "a region after the paths");
    if (fields_skip(fields, "path "))
        return read_path(profile, fields);
    *other = true;
    return !fields_skip(fields, "events ") || read_events(regions, fields);
}

bool mlmon_regions_read(struct profile *profile, struct fields *fields)
{
    struct filled filled = {0};
    const struct regions none = {0};
    bool other = false;
    if (!fields_optional(fields, "regions "))
        return true;
    if (!read_heading(&profile->regions, fields))
        return false;
    while (!other)
        if (!fields_next_line(fields) || !read_line(profile, fields, &filled, &other))
            return false;
    if (!regions_fit(&none, &profile->regions))
        return fields_wrong(fields, "the paths before it add up to too much");
    fields_unread(fields);
    return true;
}
