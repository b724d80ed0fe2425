/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads a data file in the order of its lines, and calls mlmon-*.c for the measured
   data. mlmon_read_program stops after the first module. */

#include "mlprof/profile/mlmon.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/files.h"
#include "mlprof/base/fields.h"
#include "mlprof/base/text.h"
#include "mlprof/profile/mlmon-inside.h"

#include <stdlib.h>
#include <string.h>

/* The lines up to the executable's module end within this number of bytes. Only its
   path can be long: PATH_MAX bytes, each written as at most two bytes. */
#define PROGRAM_WITHIN 16384

/* The number of digits of a time in nanoseconds since 1970, from 2001 to 2286. */
#define TIME_DIGITS 19

/* Reads a build ID or `-'. Returns the build ID, freed by free, or NULL for `-'. Sets
 *GOOD to whether the field was valid. */
static char *read_build_id(struct fields *fields, bool *good)
{
    *good = true;
    if (fields_skip(fields, "-"))
        return NULL;
    const char *start = fields->cursor;
    while (fields->cursor < fields->stop && fields_digit(*fields->cursor) < 16)
        fields->cursor++;
    size_t length = (size_t)(fields->cursor - start);
    *good = length > 0 && length % 2 == 0;
    return *good ? buf_copy_prefix(start, length) : NULL;
}

/* Reads the line after `module '. */
static bool read_module(struct profile *profile, struct fields *fields)
{
    uint64_t number, bias;
    bool good = fields_decimal(fields, &number) && fields_skip(fields, " ");
    if (good && number != profile->modules.count)
        return fields_wrong(fields, "the modules are not numbered in order");
    BUF_OWN char *build_id = good ? read_build_id(fields, &good) : NULL;
    char *path = NULL;
    if (good && fields_skip(fields, " ") && fields_hexadecimal(fields, &bias) &&
        fields_skip(fields, " "))
        path = fields_path(fields);
    if (path) {
        profile_add_module(profile, path, build_id);
        profile->modules.list[number].bias = bias;
    }
    free(path);
    if (!path)
        return fields_wrong(
            fields, "it should be `module' and a number, a build-id, a bias, a path");
    return true;
}

/* Reads the line after `own '. */
static bool read_own(struct profile *profile, struct fields *fields)
{
    uint64_t number, start, end;
    if (!fields_decimal(fields, &number) || number >= profile->modules.count ||
        !fields_skip(fields, " ") || !fields_hexadecimal(fields, &start) ||
        !fields_skip(fields, " ") || !fields_hexadecimal(fields, &end) ||
        !fields_end_of_line(fields) || start >= end)
        return fields_wrong(fields,
                            "it should be `own' and a module, where ccprof's code "
                            "starts, where it ends");
    BUF_PUSH(profile->owns) =
        (struct profile_own){.module = (uint32_t)number, .start = start, .end = end};
    return true;
}

/* Reads the line after `label '. */
static bool read_label(struct profile *profile, struct fields *fields)
{
    uint64_t number;
    bool good = fields_decimal(fields, &number) && fields_skip(fields, " ");
    if (good && number != profile->names.labels.count)
        return fields_wrong(fields, "the labels are not numbered in order");
    BUF_OWN char *name = good ? fields_name(fields) : NULL;
    if (!name)
        return fields_wrong(fields, "it should be `label' and a number, a name");
    profile_add_label(profile, name);
    return true;
}

/* Calls READ for each line that begins with WORD. */
static bool read_each(struct profile *profile, struct fields *fields, const char *word,
                      bool (*read)(struct profile *, struct fields *))
{
    while (fields_optional(fields, word))
        if (!read(profile, fields))
            return false;
    return true;
}

static bool read_threads(struct profile *profile, struct fields *fields,
                         struct mlmon_header *header)
{
    uint64_t number, least = 0;
    while (header->version >= CCPROF_MLMON_THREADS &&
           fields_optional(fields, "thread ")) {
        bool fresh, good = fields_decimal(fields, &number) && fields_skip(fields, " ");
        if (good && (number < least || number == UINT64_MAX))
            return fields_wrong(fields, "the numbers of threads do not ascend");
        char *name = good ? fields_path(fields) : NULL;
        if (!name)
            return fields_wrong(fields, "it should be `thread' and a number, a name");
        index_put(&header->numbers, number, 0, 0, &fresh);
        profile_add_thread(profile, number, name);
        free(name);
        least = number + 1;
    }
    return true;
}

/* Reads the line of times, which is optional from version 4 on. */
static bool read_times(struct profile *profile, struct fields *fields,
                       struct mlmon_header *header)
{
    if (header->version < CCPROF_MLMON_TIMES)
        return true;
    header->times = fields_optional(fields, "times ");
    if (header->times)
        return mlmon_times_line(profile, fields);
    return header->version >= CCPROF_MLMON_REGIONS ||
           (fields_next_line(fields) &&
            fields_wrong(fields, "it should be `times' and two numbers"));
}

/* Reads the lines of modules, labels, threads and times, and starts the next line,
   except in a profile of regions. */
static bool read_modules(struct profile *profile, struct fields *fields,
                         struct mlmon_header *header)
{
    bool time = profile->kind & CCPROF_KIND_TIME,
         regions = profile->kind == CCPROF_KIND_REGION;
    if (!read_each(profile, fields, "module ", read_module) ||
        (time && !read_each(profile, fields, "own ", read_own)) ||
        !read_each(profile, fields, "label ", read_label) ||
        !read_threads(profile, fields, header) || !read_times(profile, fields, header) ||
        (!regions && !time && !mlmon_counted_uncounted(profile, fields)) ||
        !fields_next_line(fields))
        return false;
    if (!regions && !fields_skip(fields, time ? "counts " : "counters"))
        return fields_wrong(
            fields, time ? "it should be `module', `label' or `counts' and a number"
                         : "it should be `module', `label' or `counters'");
    if (profile->modules.count == 0)
        return fields_wrong(fields, "the executable's `module' line is missing");
    if (regions)
        fields_unread(fields);
    return true;
}

/* Reads the measured data, which follow the modules. The first line has been started. */
static bool read_measured(struct profile *profile, struct fields *fields,
                          const struct mlmon_header *header)
{
    bool time = profile->kind & CCPROF_KIND_TIME;
    if (time && !mlmon_points_read(profile, fields, header))
        return false;
    if (!(profile->kind & CCPROF_KINDS_COUNTED))
        return true;
    if (time && (!mlmon_counted_uncounted(profile, fields) || !fields_next_line(fields)))
        return false;
    if (time && !fields_skip(fields, "counters"))
        return fields_wrong(fields, "it should be `counters'");
    return mlmon_counted_read(profile, fields, header->version >= CCPROF_MLMON_RESTS);
}

static bool read_end(struct fields *fields)
{
    if (!fields_next_line(fields))
        return false;
    if (!fields_skip(fields, "end") || !fields_end_of_line(fields))
        return fields_wrong(fields, "it should be `end'");
    return true;
}

/* Reads the lines up to `end'. On failure PROFILE is not empty. */
static bool read_part(struct profile *profile, struct fields *fields,
                      struct mlmon_header *header)
{
    bool good =
        mlmon_head_read(profile, fields, header) &&
        read_modules(profile, fields, header) && read_measured(profile, fields, header) &&
        (header->version < CCPROF_MLMON_REGIONS || mlmon_regions_read(profile, fields)) &&
        (header->version < CCPROF_MLMON_HEAP ||
         mlmon_heap_read(profile, fields, header)) &&
        (header->version < CCPROF_MLMON_WAITS ||
         mlmon_waits_read(profile, fields, header)) &&
        read_end(fields);
    index_free(&header->numbers);
    return good;
}

/* Checks that both parts are answers of one run, between which no other file took
   measurements out of the run. */
static bool check_answers(const struct mlmon_answer *later,
                          const struct mlmon_answer *earlier, const struct fields *fields)
{
    if (later->process != earlier->process || later->epoch != earlier->epoch)
        return fault_set(fields->fault, FAULT_MISMATCH, fields->path,
                         "the two parts are of different runs");
    if (later->files != earlier->files)
        return fault_set(fields->fault, FAULT_MISMATCH, fields->path,
                         "the program wrote a slice or a data set between the two parts, "
                         "so their difference is unknown");
    return true;
}

/* Reads the second part of a file, an earlier answer of the process, and subtracts it
   from LATER. */
static bool subtract_part(struct profile *later, struct fields *fields,
                          const struct mlmon_header *header)
{
    struct profile earlier = {0};
    struct mlmon_header second = {0};
    bool good = read_part(&earlier, fields, &second);
    if (good && fields->next != fields->end) {
        fields->number++;
        good = fields_wrong(fields, "there is something after the second `end'");
    }
    good = good && check_answers(&header->answer, &second.answer, fields) &&
           profile_subtract(later, &earlier, fields->path, fields->fault);
    free(second.origin.host);
    profile_free(&earlier);
    return good;
}

/* Reads the bytes after the first `end', if there are any. Only an answer can have a
   second part, which begins with the same line as the first part, START. */
static bool read_rest(struct profile *profile, struct fields *fields,
                      const struct mlmon_header *header, const char *start)
{
    size_t length = (size_t)(strchr(start, '\n') + 1 - start);
    size_t left = (size_t)(fields->end - fields->next);
    if (left == 0)
        return true;
    if (header->answer.is_there && left >= length &&
        memcmp(start, fields->next, length) == 0)
        return subtract_part(profile, fields, header);
    fields->number++;
    return fields_wrong(fields, "there is something after `end'");
}

/* Sets the origin of everything in PROFILE, which has been read from one whole file. */
static void put_origin(struct profile *profile, const struct mlmon_origin *origin)
{
    const struct origins_origin sums = {.ranked = origin->ranked,
                                        .rank = origin->rank,
                                        .size = origin->size,
                                        .files = 1,
                                        .cpu = profile->runs.cpu,
                                        .wall = profile->runs.wall,
                                        .samples = profile->sampling.samples,
                                        .lost = profile->sampling.lost};
    origins_add(&profile->origins, origin->host, &sums);
}

bool mlmon_parse(struct profile *profile, const char *path, const char *text, size_t size,
                 struct fault *fault)
{
    struct fields fields = {
        .path = path, .next = text, .end = text + size, .fault = fault};
    struct mlmon_header header = {0};
    bool good = read_part(profile, &fields, &header);
    /* Measuring may have been off for a while: the start of a difference is not known. */
    if (good && fields.next == fields.end)
        profile->runs.start = header.answer.epoch;
    good = good && read_rest(profile, &fields, &header, text);
    if (good)
        profile_leave_own(profile);
    if (good)
        put_origin(profile, &header.origin);
    else
        profile_free(profile);
    free(header.origin.host);
    return good;
}

uint64_t mlmon_time_of_name(const char *path)
{
    static const char suffix[] = ".mlmon";
    const char *end = path + strlen(path), *start;
    uint64_t time = 0;
    if (!text_ends(path, suffix))
        return 0;
    end -= strlen(suffix);
    for (start = end; start > path && start[-1] >= '0' && start[-1] <= '9';)
        start--;
    bool good = end - start == TIME_DIGITS && start > path && start[-1] == '.';
    for (; good && start < end; start++)
        time = 10 * time + (uint64_t)(*start - '0');
    return time;
}

/* Parses TEXT and frees it. TEXT is NULL if the file at PATH could not be read. */
static bool parse_whole(struct profile *profile, const char *path, char *text,
                        size_t size, struct fault *fault)
{
    if (!text)
        return false;
    bool good = mlmon_parse(profile, path, text, size, fault);
    profile->runs.files = 1;
    if (good && !profile->runs.start)
        profile->runs.start = mlmon_time_of_name(path);
    free(text);
    return good;
}

bool mlmon_read(struct profile *profile, const char *path, struct fault *fault)
{
    size_t size;
    char *text = content_read(path, CCPROF_MLMON_MAGIC, &size, fault);
    return parse_whole(profile, path, text, size, fault);
}

bool mlmon_read_found(struct profile *profile, const char *path, struct fault *fault)
{
    size_t size;
    char *text = content_read_found(path, CCPROF_MLMON_MAGIC, SIZE_MAX, &size, fault);
    return parse_whole(profile, path, text, size, fault);
}

/* Reads the head and the first module. On failure PROFILE is not empty. */
static bool parse_program(struct profile *profile, struct fields *fields)
{
    struct mlmon_header header = {0};
    bool good = mlmon_head_read(profile, fields, &header) && fields_next_line(fields);
    free(header.origin.host);
    if (!good)
        return false;
    if (!fields_skip(fields, "module "))
        return fields_wrong(fields, "the executable's `module' line is missing");
    return read_module(profile, fields);
}

bool mlmon_read_program(struct profile *profile, const char *path, struct fault *fault)
{
    size_t size;
    BUF_OWN char *text = content_read_found(path, NULL, PROGRAM_WITHIN, &size, fault);
    if (!text)
        return false;
    struct fields fields = {
        .path = path, .next = text, .end = text + size, .fault = fault};
    bool good = parse_program(profile, &fields);
    if (!good)
        profile_free(profile);
    return good;
}
