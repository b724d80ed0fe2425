/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/base/buf.h"
#include "mlprof/profile/mlmon-inside.h"

#include <stdlib.h>

/* The least bytes of a line: `0 - 0x0 0'.  */
#define SHORTEST_POINT 10

/* The path from the root to the point that was read last.  */
struct branch {
    const struct mlmon_told *told;
    uint32_t *nodes;
    size_t depth, capacity;
};

/* Stands for the module of a point of time, which does not become a point of the
   profile.  */
#define TIME (PROFILE_MODULES - 1)

/* Reads the word in place of a point's module number into *MODULE; false if it is none of
   these words.  */
static bool read_point_word(const struct mlmon_told *told, struct fields *fields,
                            uint32_t *module)
{
    if (fields_skip(fields, "label")) {
        *module = PROFILE_LABEL;
        return true;
    }
    if (told->threads && fields_skip(fields, "thread")) {
        *module = PROFILE_THREAD;
        return true;
    }
    if (told->times && fields_skip(fields, "time")) {
        *module = TIME;
        return true;
    }
    return false;
}

bool mlmon_points_module(const struct profile *profile, struct fields *fields,
                         uint32_t *module)
{
    uint64_t number;
    *module = PROFILE_NO_MODULE;
    if (fields_skip(fields, "-"))
        return true;
    if (!fields_decimal(fields, &number) || number >= profile->module_count)
        return false;
    *module = (uint32_t)number;
    return true;
}

bool mlmon_points_times(struct profile *profile, struct fields *fields)
{
    struct times *times = &profile->times;
    uint64_t width, span;
    if (!fields_skip(fields, "times ") || !fields_decimal(fields, &width) ||
        !mlmon_number(fields, &span) || !fields_end_of_line(fields))
        return fields_wrong(fields, "it should be `times' and two numbers");
    if (width == 0 || span / width >= TIMES_BUCKETS)
        return fields_wrong(fields, "no buckets of time, or too many");
    times->width = width;
    times->span = span;
    return fields_next_line(fields);
}

/* Adds a point of time below PARENT, whose line has been read.  BUCKET is the point's
   address.  */
static bool read_time(struct profile *profile, struct fields *fields, uint32_t parent,
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

/* The content of a point's line.  */
struct point {
    uint64_t depth, address, count;
    uint32_t module;
};

/* Any number of so many decimal digits fits into 64 bits.  */
#define DECIMALS     18
#define HEXADECIMALS 15

/* Reads digits up to the byte BEHIND; NULL if there are none or too many.  */
static const char *read_decimal(const char *at, char behind, uint64_t *value)
{
    const char *start = at;
    uint64_t sum = 0;
    for (; *at >= '0' && *at <= '9'; at++)
        sum = 10 * sum + (uint64_t)(*at - '0');
    *value = sum;
    return at > start && at - start <= DECIMALS && *at == behind ? at + 1 : NULL;
}

static const char *read_hexadecimal(const char *at, char behind, uint64_t *value)
{
    uint64_t sum = 0;
    if (at[0] != '0' || at[1] != 'x')
        return NULL;
    const char *start = at += 2;
    for (unsigned digit; (digit = fields_digit(*at)) < 16; at++)
        sum = sum << 4 | digit;
    *value = sum;
    return at > start && at - start <= HEXADECIMALS && *at == behind ? at + 1 : NULL;
}

/* Reads the next line if it has the most frequent form, a point in a module with short
   numbers: this takes a third of the time of read_line.  Otherwise returns false and
   reads nothing.  */
static bool read_short_line(const struct profile *profile, struct fields *fields,
                            struct point *point)
{
    uint64_t module;
    const char *at = fields->next;
    /* Digits end before the end of the text, which is a newline.  */
    if (at == fields->end || fields->end[-1] != '\n')
        return false;
    if (!(at = read_decimal(at, ' ', &point->depth)) ||
        !(at = read_decimal(at, ' ', &module)) || module >= profile->module_count ||
        !(at = read_hexadecimal(at, ' ', &point->address)) ||
        !(at = read_decimal(at, '\n', &point->count)))
        return false;
    point->module = (uint32_t)module;
    fields->number++;
    fields->next = at;
    fields->at = fields->stop = at - 1;
    return true;
}

/* Reads any line of a point.  */
static bool read_line(const struct profile *profile, struct fields *fields,
                      const struct mlmon_told *told, struct point *point)
{
    if (!fields_next_line(fields))
        return false;
    if (!fields_decimal(fields, &point->depth) || !fields_skip(fields, " "))
        return fields_wrong(fields,
                            "it should be a depth, a module, an address, a count");
    if (!read_point_word(told, fields, &point->module) &&
        !mlmon_points_module(profile, fields, &point->module))
        return fields_wrong(fields, "no module has this number");
    if (!fields_skip(fields, " ") || !fields_hexadecimal(fields, &point->address) ||
        !fields_skip(fields, " ") || !fields_decimal(fields, &point->count) ||
        !fields_end_of_line(fields))
        return fields_wrong(fields,
                            "it should be a depth, a module, an address, a count");
    return true;
}

static bool read_point(struct profile *profile, struct fields *fields,
                       struct branch *branch, uint64_t *sum)
{
    struct point point;
    if (!read_short_line(profile, fields, &point) &&
        !read_line(profile, fields, branch->told, &point))
        return false;
    uint64_t depth = point.depth, address = point.address, count = point.count;
    uint32_t module = point.module;
    if (depth > branch->depth)
        return fields_wrong(fields, "deeper than the point before it by more than one");
    if (__builtin_add_overflow(*sum, count, sum))
        return fields_wrong(fields, "the counts add up to more than 64 bits");

    uint32_t parent = depth ? branch->nodes[depth - 1] : PROFILE_NO_NODE;
    branch->depth = depth;
    if (module == TIME)
        return read_time(profile, fields, parent, address, count);
    if (branch->told->times && count != 0)
        return fields_wrong(fields, "samples without a time");
    /* Threads are outside of all other points, labels of all but threads and labels.
       Neither has samples of its own.  */
    bool outside = parent == PROFILE_NO_NODE;
    if (module == PROFILE_LABEL &&
        (address >= profile->label_count || count != 0 ||
         !(outside || profile_is_around(&profile->nodes[parent]))))
        return fields_wrong(fields, "no label has this number, or it cannot stand here");
    if (module == PROFILE_THREAD) {
        uint32_t thread;
        if (!index_get(&branch->told->numbers, address, 0, 0, &thread) || count != 0 ||
            !outside)
            return fields_wrong(fields,
                                "no thread has this number, or it cannot stand here");
        address = thread;
    }
    BUF_AT(branch->nodes, depth, branch->capacity) =
        profile_append(profile, parent, module, address, count);
    branch->depth = depth + 1;
    return true;
}

bool mlmon_points_read(struct profile *profile, struct fields *fields,
                       const struct mlmon_told *told)
{
    struct branch branch = {.told = told};
    uint64_t sum = 0, count;
    if (!fields_decimal(fields, &count) || !fields_end_of_line(fields))
        return fields_wrong(fields,
                            "it should be `module', `label' or `counts' and a number");
    size_t most = (size_t)(fields->end - fields->next) / SHORTEST_POINT;
    profile->nodes =
        buf_grow(profile->nodes, &profile->node_capacity,
                 count < most ? (size_t)count : most, sizeof *profile->nodes);
    bool good = true;
    for (uint64_t i = 0; good && i < count; i++)
        good = read_point(profile, fields, &branch, &sum);
    free(branch.nodes);
    shares_sort(&profile->times.shares);
    if (good && sum != profile->samples - profile->lost)
        return fields_wrong(fields, "the counts do not add up to the samples");
    return good;
}
