/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the points with samples, and the counters and indirect calls. The most frequent
   form of a line has a fast path (read_short_line). */

#include "mlprof/base/buf.h"
#include "mlprof/profile/latencypoints.h"
#include "mlprof/profile/mlmon-inside.h"

#include <ctype.h>
#include <stdlib.h>

/* Length of the shortest line of a point: `0 - 0x0 0'. */
#define SHORTEST_POINT 10

/* The path from the root to the last point. */
struct branch {
    const struct mlmon_header *header;
    uint32_t *nodes;
    size_t depth, capacity;
};

/* Used as the module of a point of time, which does not become a point of the profile. */
#define TIME (PROFILE_MODULES - 1)

/* Reads a word that is used instead of a module's number, and sets *MODULE. Returns
   false if there is no such word. */
static bool read_point_word(const struct mlmon_header *header, struct fields *fields,
                            uint32_t *module)
{
    bool threads = header->version >= CCPROF_MLMON_THREADS;
    *module =
        fields_skip(fields, "label")               ? PROFILE_LABEL
        : threads && fields_skip(fields, "thread") ? PROFILE_THREAD
        : header->version >= CCPROF_MLMON_WAITS && fields_skip(fields, "parallelism")
            ? PROFILE_PARALLELISM
        : header->times && fields_skip(fields, "time") ? TIME
                                                       : PROFILE_NO_MODULE;
    return *module != PROFILE_NO_MODULE;
}

bool mlmon_points_module(const struct profile *profile, struct fields *fields,
                         uint32_t *module)
{
    uint64_t number;
    *module = PROFILE_NO_MODULE;
    if (fields_skip(fields, "-"))
        return true;
    if (!fields_decimal(fields, &number) || number >= profile->modules.count)
        return false;
    *module = (uint32_t)number;
    return true;
}

/* Returns whether a label may be here: it is outside all points of code and has no
   samples of its own. */
static bool label_fits(const struct profile *profile, uint32_t parent, uint64_t label,
                       uint64_t count)
{
    return label < profile->names.labels.count && count == 0 &&
           (parent == PROFILE_NO_NODE || profile_is_around(&profile->nodes.list[parent]));
}

/* Returns whether a thread may be here: it is outside all other points and has no
   samples of its own. Sets *NUMBER to the thread's number in the profile. */
static bool thread_fits(const struct mlmon_header *header, uint32_t parent,
                        uint64_t *number, uint64_t count)
{
    uint32_t thread;
    if (!index_get(&header->numbers, *number, 0, 0, &thread) || count != 0 ||
        parent != PROFILE_NO_NODE)
        return false;
    *number = thread;
    return true;
}

/* Returns whether a parallelism may be here: it is outside all points of code and has no
   samples of its own. */
static bool parallelism_fits(const struct profile *profile, uint32_t parent,
                             uint64_t address, uint64_t count)
{
    return address <= UINT32_MAX && latencypoints_least(address) > 0 &&
           latencypoints_most(address) >= latencypoints_least(address) && count == 0 &&
           (parent == PROFILE_NO_NODE || profile_is_around(&profile->nodes.list[parent]));
}

/* The content of a point's line. */
struct point {
    uint64_t depth, address, count;
    uint32_t module;
};

/* Numbers with so many digits fit into 64 bits. */
#define DECIMALS     18
#define HEXADECIMALS 15

/* Reads digits up to the byte STOP. Returns NULL if there are none or too many. */
static const char *read_decimal(const char *cursor, char stop, uint64_t *value)
{
    const char *start = cursor;
    uint64_t sum = 0;
    for (; *cursor >= '0' && *cursor <= '9'; cursor++)
        sum = 10 * sum + (uint64_t)(*cursor - '0');
    *value = sum;
    return cursor > start && cursor - start <= DECIMALS && *cursor == stop ? cursor + 1
                                                                           : NULL;
}

static const char *read_hexadecimal(const char *cursor, char stop, uint64_t *value)
{
    uint64_t sum = 0;
    if (cursor[0] != '0' || cursor[1] != 'x')
        return NULL;
    const char *start = cursor += 2;
    for (unsigned digit; (digit = fields_digit(*cursor)) < 16; cursor++)
        sum = sum << 4 | digit;
    *value = sum;
    return cursor > start && cursor - start <= HEXADECIMALS && *cursor == stop
               ? cursor + 1
               : NULL;
}

/* If the next line has the most frequent form, a point in a module with short numbers,
   reads it. This takes a third of the time of read_line. Otherwise returns false and
   reads nothing. */
static bool read_short_line(const struct profile *profile, struct fields *fields,
                            struct point *point)
{
    uint64_t module;
    const char *cursor = fields->next;
    /* Loops over digits stop at the newline with which the text ends. */
    if (cursor == fields->end || fields->end[-1] != '\n')
        return false;
    if (!(cursor = read_decimal(cursor, ' ', &point->depth)) ||
        !(cursor = read_decimal(cursor, ' ', &module)) ||
        module >= profile->modules.count ||
        !(cursor = read_hexadecimal(cursor, ' ', &point->address)) ||
        !(cursor = read_decimal(cursor, '\n', &point->count)))
        return false;
    point->module = (uint32_t)module;
    fields->number++;
    fields->next = cursor;
    fields->cursor = fields->stop = cursor - 1;
    return true;
}

/* Reads any line of a point. */
static bool read_line(const struct profile *profile, struct fields *fields,
                      const struct mlmon_header *header, struct point *point)
{
    if (!fields_next_line(fields))
        return false;
    if (!fields_decimal(fields, &point->depth) || !fields_skip(fields, " "))
        return fields_wrong(fields,
                            "it should be a depth, a module, an address, a count");
    if (!read_point_word(header, fields, &point->module) &&
        !mlmon_points_module(profile, fields, &point->module))
        return fields_wrong(fields, "no module has this number");
    if (!fields_skip(fields, " ") || !fields_hexadecimal(fields, &point->address) ||
        !fields_skip(fields, " ") || !fields_decimal(fields, &point->count) ||
        !fields_end_of_line(fields))
        return fields_wrong(fields,
                            "it should be a depth, a module, an address, a count");
    return true;
}

bool mlmon_times_line(struct profile *profile, struct fields *fields)
{
    struct times *times = &profile->times;
    uint64_t width, span;
    if (!fields_decimal(fields, &width) || !fields_number(fields, &span) ||
        !fields_end_of_line(fields))
        return fields_wrong(fields, "it should be `times' and two numbers");
    if (width == 0 || span / width >= TIMES_BUCKETS)
        return fields_wrong(fields, "no buckets of time, or too many");
    times->width = width;
    times->span = span;
    return true;
}

/* Adds a point of time to PARENT. BUCKET is the point's address and COUNT its count. */
static bool put_time(struct profile *profile, struct fields *fields, uint32_t parent,
                     uint64_t bucket, uint64_t count)
{
    struct times *times = &profile->times;
    if (parent == PROFILE_NO_NODE || profile_is_around(&profile->nodes.list[parent]) ||
        bucket > times->span / times->width)
        return fields_wrong(fields,
                            "a time that is not in the run, or cannot stand here");
    profile->nodes.list[parent].count += count;
    shares_add(&times->shares, parent, (uint32_t)bucket, count);
    return true;
}

static bool read_point(struct profile *profile, struct fields *fields,
                       struct branch *branch, uint64_t *sum)
{
    struct point point;
    if (!read_short_line(profile, fields, &point) &&
        !read_line(profile, fields, branch->header, &point))
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
        return put_time(profile, fields, parent, address, count);
    if (branch->header->times && count != 0)
        return fields_wrong(fields, "samples without a time");
    if (module == PROFILE_LABEL && !label_fits(profile, parent, address, count))
        return fields_wrong(fields, "no label has this number, or it cannot stand here");
    if (module == PROFILE_THREAD && !thread_fits(branch->header, parent, &address, count))
        return fields_wrong(fields, "no thread has this number, or it cannot stand here");
    if (module == PROFILE_PARALLELISM &&
        !parallelism_fits(profile, parent, address, count))
        return fields_wrong(fields, "no parallelism, or it cannot stand here");
    BUF_AT(branch->nodes, depth, branch->capacity) =
        profile_append(profile, parent, module, address, count);
    branch->depth = depth + 1;
    return true;
}

bool mlmon_points_read(struct profile *profile, struct fields *fields,
                       const struct mlmon_header *header)
{
    struct branch branch = {.header = header};
    uint64_t sum = 0, count;
    if (!fields_decimal(fields, &count) || !fields_end_of_line(fields))
        return fields_wrong(fields,
                            "it should be `module', `label' or `counts' and a number");
    size_t most = (size_t)(fields->end - fields->next) / SHORTEST_POINT;
    profile->nodes.list =
        buf_grow(profile->nodes.list, &profile->nodes.capacity,
                 count < most ? (size_t)count : most, sizeof *profile->nodes.list);
    bool good = true;
    for (uint64_t i = 0; good && i < count; i++)
        good = read_point(profile, fields, &branch, &sum);
    free(branch.nodes);
    shares_sort(&profile->times.shares);
    if (good && sum != profile->sampling.samples - profile->sampling.lost)
        return fields_wrong(fields, "the counts do not add up to the samples");
    return good;
}

bool mlmon_counted_uncounted(struct profile *profile, struct fields *fields)
{
    if (fields_optional(fields, "uncounted ") &&
        (!fields_decimal(fields, &profile->runs.uncounted) ||
         !fields_end_of_line(fields) || profile->runs.uncounted == 0))
        return fields_wrong(fields, "it should be `uncounted' and a number above 0");
    profile->runs.switched = fields_optional(fields, "switched");
    return !profile->runs.switched || fields_end_of_line(fields) ||
           fields_wrong(fields, "it should be `switched'");
}

/* Reads a count. The sum of all counters and targets must fit into 64 bits. RIGHT is
   the error message. */
static bool read_count(const struct profile *profile, struct fields *fields,
                       uint64_t *count, const char *right)
{
    uint64_t sum;
    if (!fields_skip(fields, " ") || !fields_decimal(fields, count) ||
        !fields_end_of_line(fields))
        return fields_wrong(fields, right);
    if (__builtin_add_overflow(profile->counts.total, *count, &sum))
        return fields_wrong(fields, "the counts add up to more than 64 bits");
    return true;
}

static bool read_counter(struct profile *profile, struct fields *fields, bool rests)
{
    (void)rests;
    const char *right = "it should be a module, a counter, a count";
    uint64_t module, address, count;
    if (!fields_decimal(fields, &module) || module >= profile->modules.count)
        return fields_wrong(fields, "no module has this number");
    if (!fields_skip(fields, " ") || !fields_hexadecimal(fields, &address))
        return fields_wrong(fields, right);
    if (!read_count(profile, fields, &count, right))
        return false;
    profile_add_counter(profile, (uint32_t)module, address, count);
    return true;
}

static bool read_module_number(const struct profile *profile, struct fields *fields,
                               uint32_t *module)
{
    return mlmon_points_module(profile, fields, module) ||
           fields_wrong(fields, "no module has this number");
}

/* Reads the line of a target up to its number of calls. */
static bool read_target_place(const struct profile *profile, struct fields *fields,
                              struct profile_target *target, const char *right)
{
    if (!read_module_number(profile, fields, &target->site_module))
        return false;
    if (!fields_skip(fields, " ") || !fields_hexadecimal(fields, &target->site) ||
        !fields_skip(fields, " "))
        return fields_wrong(fields, right);
    if (!read_module_number(profile, fields, &target->module))
        return false;
    return (fields_skip(fields, " ") && fields_hexadecimal(fields, &target->address)) ||
           fields_wrong(fields, right);
}

/* Reads the line of a target. If RESTS, `rest' may be given instead of the number of
   calls. */
static bool read_target(struct profile *profile, struct fields *fields, bool rests)
{
    const char *right =
        rests ? "it should be a module, a site, a module, a target, a count or `rest'"
              : "it should be a module, a site, a module, a target, a count";
    struct profile_target target = {0};
    if (!read_target_place(profile, fields, &target, right))
        return false;
    if (rests && fields_skip(fields, " rest")) {
        profile_add_rest(profile, &target);
        return fields_end_of_line(fields) || fields_wrong(fields, right);
    }
    if (!read_count(profile, fields, &target.count, right))
        return false;
    profile_add_target(profile, &target, target.count);
    return true;
}

/* Calls READ for each line, up to a line that starts with a letter. */
static bool read_lines(struct profile *profile, struct fields *fields,
                       bool (*read)(struct profile *, struct fields *, bool rests),
                       bool rests)
{
    while (fields_next_line(fields)) {
        if (fields->cursor == fields->stop || isalpha((unsigned char)*fields->cursor)) {
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
    if (!read_lines(profile, fields, read_counter, false))
        return false;
    if (!fields_optional(fields, "targets"))
        return true;
    return fields_end_of_line(fields) ? read_lines(profile, fields, read_target, rests)
                                      : fields_wrong(fields, "it should be `targets'");
}
