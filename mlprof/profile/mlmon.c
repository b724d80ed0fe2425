/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/profile/mlmon.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/files.h"
#include "mlprof/base/fields.h"
#include "mlprof/elf/elffile.h"
#include "mlprof/profile/mlmon-counted.h"
#include "mlprof/profile/mlmon-heap.h"
#include "mlprof/profile/mlmon-origin.h"
#include "mlprof/profile/mlmon-points.h"
#include "mlprof/profile/mlmon-regions.h"
#include "mlprof/profile/mlmon-times.h"

#include <stdlib.h>
#include <string.h>

#define RATE_MOST 1000000

/* The lines up to the executable's end within so many bytes.  Only its path can be long:
   PATH_MAX bytes, each written as at most two.  */
#define PROGRAM_WITHIN 16384

/* What later versions of the format have beside the first, and the threads of the
   file.  */
struct told {
    bool threads, times, regions, origins, rests, heap, lives, spans, reach;
    struct index numbers; /* of the file's threads, in the order of the profile's */
    struct mlmon_origin origin;
};

static bool read_magic(struct fields *fields, struct told *told)
{
    const char *start = fields->next;
    size_t size = (size_t)(fields->end - start);
    uint64_t version;
    if (size == 0)
        return fault_set(fields->fault, FAULT_GARBLED, fields->path,
                         "line 1: the file is empty");
    if (!fields_next_line(fields) || !fields_skip(fields, CCPROF_MLMON_MAGIC " ") ||
        !fields_decimal(fields, &version) || !fields_end_of_line(fields))
        return fault_set(fields->fault, FAULT_FORMAT, fields->path, "%s",
                         elffile_instead_of_data(start, size));
    if (version < CCPROF_MLMON_VERSION || version > CCPROF_MLMON_REACH)
        return fault_set(
            fields->fault, FAULT_VERSION, fields->path,
            "line 1: a data file of version %llu; this mlprof reads versions %d to %d",
            (unsigned long long)version, CCPROF_MLMON_VERSION, CCPROF_MLMON_REACH);
    told->threads = version >= CCPROF_MLMON_THREADS;
    told->times = version >= CCPROF_MLMON_TIMES;
    told->regions = version >= CCPROF_MLMON_REGIONS;
    told->origins = version >= CCPROF_MLMON_ORIGIN;
    told->rests = version >= CCPROF_MLMON_RESTS;
    told->heap = version >= CCPROF_MLMON_HEAP;
    told->lives = version >= CCPROF_MLMON_LIVES;
    told->spans = version >= CCPROF_MLMON_SPANS;
    told->reach = version >= CCPROF_MLMON_REACH;
    return true;
}

/* Reads one of the names of kinds; 0 if there is none.  */
static unsigned read_one_kind(struct fields *fields)
{
    static const struct fields_word kinds[] = {{"time", CCPROF_KIND_TIME},
                                               {"count", CCPROF_KIND_COUNT},
                                               {"alloc", CCPROF_KIND_ALLOC},
                                               {"region", CCPROF_KIND_REGION}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (fields_skip(fields, kinds[i].text))
            return kinds[i].value;
    return 0;
}

/* Reads the kinds, each at most once and in the order of their bits.  Regions are
   alone.  */
static bool read_kind(struct profile *profile, struct fields *fields,
                      const struct told *told)
{
    if (!fields_next_line(fields))
        return false;
    if (!fields_skip(fields, "kind "))
        return fields_wrong(fields, "it should be `kind' and a kind");
    unsigned kind;
    do {
        kind = read_one_kind(fields);
        if (kind <= profile->kind)
            return fields_wrong(fields,
                                "a kind of profile that this mlprof does not know");
        profile->kind |= kind;
    } while (fields_skip(fields, ","));
    bool regions = profile->kind & CCPROF_KIND_REGION;
    if (!fields_end_of_line(fields) ||
        (regions && (!told->regions || profile->kind != CCPROF_KIND_REGION)))
        return fields_wrong(fields, "a kind of profile that this mlprof does not know");
    return true;
}

/* Reads the command, whose line may be missing.  */
static bool read_command(struct profile *profile, struct fields *fields)
{
    if (!fields_next_line(fields))
        return false;
    if (!fields_skip(fields, "command ")) {
        fields_unread(fields);
        return true;
    }
    char *command = fields_path(fields);
    if (!command)
        return fields_wrong(fields, "it should be `command' and what was typed");
    intern_put(&profile->commands, command);
    free(command);
    return true;
}

static bool read_engine(struct profile *profile, struct fields *fields)
{
    static const struct fields_word engines[] = {{"task-clock", PROFILE_TASK_CLOCK},
                                                 {"thread-timer", PROFILE_THREAD_TIMER},
                                                 {"wall-timer", PROFILE_WALL_TIMER}};
    return fields_word_line(fields, "engine", engines, sizeof engines / sizeof *engines,
                            &profile->engines);
}

static bool read_clock(struct profile *profile, struct fields *fields)
{
    static const struct fields_word clocks[] = {{"cpu", PROFILE_CPU},
                                                {"wall", PROFILE_WALL}};
    static const char before[] = "rate ";
    unsigned clock;
    /* Before its first release the format had no such line.  */
    if ((size_t)(fields->end - fields->next) >= strlen(before) &&
        memcmp(fields->next, before, strlen(before)) == 0) {
        fields->number++;
        return fields_wrong(fields,
                            "a data file of an older ccprof, without `clock': run the "
                            "program again");
    }
    if (!fields_word_line(fields, "clock", clocks, sizeof clocks / sizeof *clocks,
                          &clock))
        return false;
    profile->clock = clock;
    return true;
}

static bool read_stack(struct profile *profile, struct fields *fields)
{
    static const struct fields_word words[] = {{"no", false}, {"yes", true}};
    unsigned stack;
    if (!fields_word_line(fields, "stack", words, sizeof words / sizeof *words, &stack))
        return false;
    profile->stack = stack;
    return true;
}

static bool read_moved(struct profile *profile, struct fields *fields)
{
    uint64_t count;
    if (!fields_next_line(fields))
        return false;
    bool good = fields_skip(fields, "elsewhere "), negative = fields_skip(fields, "-");
    if (!good || !fields_decimal(fields, &count) || !fields_end_of_line(fields) ||
        count > INT64_MAX || (negative && count == 0))
        return fields_wrong(fields, "it should be `elsewhere' and a number");
    if (negative && count != profile->samples)
        return fields_wrong(fields, "a part of a run, but not of so many samples");
    profile->moved = negative ? -(int64_t)count : (int64_t)count;
    return true;
}

/* Reads how samples were taken.  */
static bool read_manner(struct profile *profile, struct fields *fields)
{
    if (!read_engine(profile, fields) || !read_clock(profile, fields) ||
        !fields_number_line(fields, "rate", &profile->rate))
        return false;
    if (profile->rate == 0 || profile->rate > RATE_MOST)
        return fields_wrong(fields, "a rate out of range");
    return read_stack(profile, fields);
}

/* Reads the number of interrupted calls, whose line is there only if there were any.  */
static bool read_interrupted(struct profile *profile, struct fields *fields)
{
    if (!fields_next_line(fields))
        return false;
    if (!fields_skip(fields, "interrupted ")) {
        fields_unread(fields);
        return true;
    }
    if (!fields_decimal(fields, &profile->interrupted) || !fields_end_of_line(fields) ||
        profile->interrupted == 0)
        return fields_wrong(fields, "it should be `interrupted' and a number above 0");
    return true;
}

/* Reads one word, which has begun.  No word is there twice, and words are in the order of
   their bits.  */
static bool read_refused_word(struct profile *profile, struct fields *fields)
{
    static const char *const names[] = CCPROF_REFUSED_NAMES;
    for (unsigned i = 0; i < CCPROF_REFUSED_COUNT; i++)
        if (profile->refused >> i == 0 && fields_skip(fields, names[i])) {
            profile->refused |= 1u << i;
            return true;
        }
    return false;
}

/* Reads which system calls were refused; the line is there only if any was.  */
static bool read_refused(struct profile *profile, struct fields *fields)
{
    if (!fields_next_line(fields))
        return false;
    if (!fields_skip(fields, "refused")) {
        fields_unread(fields);
        return true;
    }
    while (fields_skip(fields, " "))
        if (!read_refused_word(profile, fields))
            break;
    if (!fields_end_of_line(fields) || profile->refused == 0)
        return fields_wrong(fields, "it should be `refused' and system calls");
    return true;
}

static bool read_samples(struct profile *profile, struct fields *fields)
{
    if (!fields_number_line(fields, "samples", &profile->samples) ||
        !fields_number_line(fields, "lost", &profile->lost))
        return false;
    if (profile->lost > profile->samples)
        return fields_wrong(fields, "more samples were lost than taken");
    return read_moved(profile, fields) && read_interrupted(profile, fields) &&
           read_refused(profile, fields);
}

static bool read_head(struct profile *profile, struct fields *fields, struct told *told)
{
    if (!read_magic(fields, told) || !read_kind(profile, fields, told) ||
        !read_command(profile, fields) ||
        (told->origins && !mlmon_origin_read(&told->origin, fields)))
        return false;
    bool time = profile->kind & CCPROF_KIND_TIME;
    if ((time && !read_manner(profile, fields)) ||
        !fields_number_line(fields, "cpu", &profile->cpu) ||
        !fields_number_line(fields, "wall", &profile->wall) ||
        !fields_number_line(fields, "threads", &profile->threads))
        return false;
    profile->most_threads = profile->threads;
    return fields_number_line(fields, "waits", &profile->waits) &&
           (!time || read_samples(profile, fields));
}

/* The build-id, to be freed, or NULL for `-'.  *GOOD tells whether either was there.  */
static char *read_build_id(struct fields *fields, bool *good)
{
    *good = true;
    if (fields_skip(fields, "-"))
        return NULL;
    const char *start = fields->at;
    while (fields->at < fields->stop && fields_digit(*fields->at) < 16)
        fields->at++;
    size_t length = (size_t)(fields->at - start);
    *good = length > 0 && length % 2 == 0;
    return *good ? buf_copy_prefix(start, length) : NULL;
}

/* Reads what stands behind `module ' on the line.  */
static bool read_module(struct profile *profile, struct fields *fields)
{
    uint64_t number, bias;
    bool good = fields_decimal(fields, &number) && fields_skip(fields, " ");
    if (good && number != profile->module_count)
        return fields_wrong(fields, "the modules are not numbered in order");
    char *build_id = good ? read_build_id(fields, &good) : NULL;
    char *path = NULL;
    if (good && fields_skip(fields, " ") && fields_hexadecimal(fields, &bias) &&
        fields_skip(fields, " "))
        path = fields_path(fields);
    if (path)
        profile_add_module(profile, path, build_id);
    free(path);
    free(build_id);
    if (!path)
        return fields_wrong(
            fields, "it should be `module' and a number, a build-id, a bias, a path");
    return true;
}

/* Reads what stands behind `own ' on the line.  */
static bool read_own(struct profile *profile, struct fields *fields)
{
    uint64_t number, start, end;
    if (!fields_decimal(fields, &number) || number >= profile->module_count ||
        !fields_skip(fields, " ") || !fields_hexadecimal(fields, &start) ||
        !fields_skip(fields, " ") || !fields_hexadecimal(fields, &end) ||
        !fields_end_of_line(fields) || start >= end)
        return fields_wrong(fields,
                            "it should be `own' and a module, where ccprof's code "
                            "starts, where it ends");
    BUF_NEXT(profile->owns, profile->own_count, profile->own_capacity) =
        (struct profile_own){.module = (uint32_t)number, .start = start, .end = end};
    return true;
}

/* Reads what stands behind `label ' on the line.  */
static bool read_label(struct profile *profile, struct fields *fields)
{
    uint64_t number;
    bool good = fields_decimal(fields, &number) && fields_skip(fields, " ");
    if (good && number != profile->label_count)
        return fields_wrong(fields, "the labels are not numbered in order");
    char *name = good ? fields_name(fields) : NULL;
    if (!name)
        return fields_wrong(fields, "it should be `label' and a number, a name");
    profile_add_label(profile, name);
    free(name);
    return true;
}

/* Calls READ for each line that begins with WORD, and begins the line behind them.  */
static bool read_each(struct profile *profile, struct fields *fields, const char *word,
                      bool (*read)(struct profile *, struct fields *))
{
    for (;;) {
        if (!fields_next_line(fields))
            return false;
        if (!fields_skip(fields, word))
            return true;
        if (!read(profile, fields))
            return false;
    }
}

/* Reads the lines of threads, the first line behind the labels having been begun, and
   begins the line behind them.  */
static bool read_threads(struct profile *profile, struct fields *fields,
                         struct told *told)
{
    uint64_t number, least = 0;
    while (told->threads && fields_skip(fields, "thread ")) {
        bool fresh, good = fields_decimal(fields, &number) && fields_skip(fields, " ");
        if (good && (number < least || number == UINT64_MAX))
            return fields_wrong(fields, "the numbers of threads do not ascend");
        char *name = good ? fields_path(fields) : NULL;
        if (!name)
            return fields_wrong(fields, "it should be `thread' and a number, a name");
        index_put(&told->numbers, number, 0, 0, &fresh);
        profile_add_thread(profile, number, name);
        free(name);
        least = number + 1;
        if (!fields_next_line(fields))
            return false;
    }
    return true;
}

/* Whether the line goes on with WORD, which is not skipped.  */
static bool goes_on(const struct fields *fields, const char *word)
{
    struct fields copy = *fields;
    return fields_skip(&copy, word);
}

/* Reads the line of times, which has been begun.  It may be missing from version 4
   on.  */
static bool read_times(struct profile *profile, struct fields *fields, struct told *told)
{
    if (told->regions && !goes_on(fields, "times "))
        told->times = false;
    return !told->times || mlmon_times_line(profile, fields);
}

/* Reads the lines of modules, labels, threads and times, and begins the line behind them;
   gives that line back if it is of regions.  */
static bool read_modules(struct profile *profile, struct fields *fields,
                         struct told *told)
{
    if (!read_each(profile, fields, "module ", read_module))
        return false;
    fields_unread(fields);
    if (profile->kind & CCPROF_KIND_TIME) {
        if (!read_each(profile, fields, "own ", read_own))
            return false;
        fields_unread(fields);
    }
    if (!read_each(profile, fields, "label ", read_label))
        return false;
    if (!read_threads(profile, fields, told))
        return false;
    bool time = profile->kind & CCPROF_KIND_TIME;
    if (!read_times(profile, fields, told))
        return false;
    bool regions = profile->kind == CCPROF_KIND_REGION;
    if (!regions && !time && !mlmon_counted_uncounted(profile, fields))
        return false;
    if (!regions && !fields_skip(fields, time ? "counts " : "counters"))
        return fields_wrong(
            fields, time ? "it should be `module', `label' or `counts' and a number"
                         : "it should be `module', `label' or `counters'");
    if (profile->module_count == 0)
        return fields_wrong(fields, "the executable's `module' line is missing");
    if (regions)
        fields_unread(fields);
    return true;
}

/* Reads all that stands behind the modules.  Its first line has been begun.  */
static bool read_measured(struct profile *profile, struct fields *fields,
                          const struct told *told)
{
    bool time = profile->kind & CCPROF_KIND_TIME;
    const struct mlmon_points points = {.threads = told->threads ? &told->numbers : NULL,
                                        .times = told->times};
    if (time && !mlmon_points_read(profile, fields, &points))
        return false;
    if (!(profile->kind & CCPROF_KINDS_COUNTED))
        return true;
    if (time && (!fields_next_line(fields) || !mlmon_counted_uncounted(profile, fields)))
        return false;
    if (time && !fields_skip(fields, "counters"))
        return fields_wrong(fields, "it should be `counters'");
    return mlmon_counted_read(profile, fields, told->rests);
}

static bool read_end(struct fields *fields)
{
    if (!fields_next_line(fields))
        return false;
    if (!fields_skip(fields, "end") || !fields_end_of_line(fields))
        return fields_wrong(fields, "it should be `end'");
    if (fields->next == fields->end)
        return true;
    fields->number++;
    return fields_wrong(fields, "there is something behind `end'");
}

bool mlmon_parse(struct profile *profile, const char *path, const char *text, size_t size,
                 struct fault *fault)
{
    struct fields fields = {
        .path = path, .next = text, .end = text + size, .fault = fault};
    struct told told = {0};
    bool good = read_head(profile, &fields, &told) &&
                read_modules(profile, &fields, &told) &&
                read_measured(profile, &fields, &told) &&
                (!told.regions || mlmon_regions_read(profile, &fields)) &&
                (!told.heap || mlmon_heap_read(profile, &fields, told.lives, told.spans,
                                               told.reach, &told.numbers)) &&
                read_end(&fields);
    if (good)
        profile_leave_own(profile);
    if (good)
        mlmon_origin_put(profile, &told.origin);
    else
        profile_free(profile);
    index_free(&told.numbers);
    free(told.origin.host);
    return good;
}

/* Parses TEXT, and frees it.  TEXT is NULL if PATH could not be read.  */
static bool parse_whole(struct profile *profile, const char *path, char *text,
                        size_t size, struct fault *fault)
{
    if (!text)
        return false;
    bool good = mlmon_parse(profile, path, text, size, fault);
    profile->files = 1;
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

/* If it fails PROFILE is not empty.  */
static bool parse_program(struct profile *profile, struct fields *fields)
{
    struct told told = {0};
    bool good = read_head(profile, fields, &told) && fields_next_line(fields);
    free(told.origin.host);
    if (!good)
        return false;
    if (!fields_skip(fields, "module "))
        return fields_wrong(fields, "the executable's `module' line is missing");
    return read_module(profile, fields);
}

bool mlmon_read_program(struct profile *profile, const char *path, struct fault *fault)
{
    size_t size;
    char *text = content_read_found(path, NULL, PROGRAM_WITHIN, &size, fault);
    if (!text)
        return false;
    struct fields fields = {
        .path = path, .next = text, .end = text + size, .fault = fault};
    bool good = parse_program(profile, &fields);
    if (!good)
        profile_free(profile);
    free(text);
    return good;
}
