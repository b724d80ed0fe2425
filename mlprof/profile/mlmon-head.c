/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/elf/elffile.h"
#include "mlprof/profile/mlmon-inside.h"

#include <stdlib.h>
#include <string.h>

#define RATE_MOST 1000000

static bool read_magic(struct fields *fields, struct mlmon_told *told)
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

/* Reads the kinds, each at most once and in the order of their bits.  Regions are
   alone.  */
static bool read_kind(struct profile *profile, struct fields *fields,
                      const struct mlmon_told *told)
{
    static const struct fields_word kinds[] = {{"time", CCPROF_KIND_TIME},
                                               {"count", CCPROF_KIND_COUNT},
                                               {"alloc", CCPROF_KIND_ALLOC},
                                               {"region", CCPROF_KIND_REGION}};
    if (!fields_next_line(fields))
        return false;
    if (!fields_skip(fields, "kind "))
        return fields_wrong(fields, "it should be `kind' and a kind");
    do {
        unsigned kind = 0;
        for (size_t i = 0; i < sizeof kinds / sizeof *kinds && !kind; i++)
            kind = fields_skip(fields, kinds[i].text) ? kinds[i].value : 0;
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
    bool good;
    if (!mlmon_optional(fields, "command ", &good))
        return good;
    char *command = fields_path(fields);
    if (!command)
        return fields_wrong(fields, "it should be `command' and what was typed");
    intern_put(&profile->commands, command);
    free(command);
    return true;
}

/* Reads the lines `host' and `rank', either of which may be missing.  */
static bool read_origin(struct mlmon_told *told, struct fields *fields)
{
    struct origins_origin *origin = &told->origin;
    bool good;
    if (mlmon_optional(fields, "host ", &good) && !(told->host = fields_path(fields)))
        return fields_wrong(fields, "it should be `host' and a name");
    if (!good || !mlmon_optional(fields, "rank ", &good))
        return good;
    origin->ranked = true;
    good = fields_decimal(fields, &origin->rank) && fields_skip(fields, " ") &&
           (fields_skip(fields, "-") ||
            (fields_decimal(fields, &origin->size) && origin->rank < origin->size));
    return (good && fields_end_of_line(fields)) ||
           fields_wrong(fields, "it should be `rank', a number and a greater one or `-'");
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
    static const struct fields_word engines[] = {{"task-clock", PROFILE_TASK_CLOCK},
                                                 {"thread-timer", PROFILE_THREAD_TIMER},
                                                 {"wall-timer", PROFILE_WALL_TIMER}};
    static const struct fields_word words[] = {{"no", false}, {"yes", true}};
    unsigned stack = false;
    if (!fields_word_line(fields, "engine", engines, 3, &profile->engines) ||
        !read_clock(profile, fields) ||
        !fields_number_line(fields, "rate", &profile->rate))
        return false;
    if (profile->rate == 0 || profile->rate > RATE_MOST)
        return fields_wrong(fields, "a rate out of range");
    bool good = fields_word_line(fields, "stack", words, 2, &stack);
    profile->stack = stack;
    return good;
}

/* Reads the number of interrupted calls, whose line is there only if there were any.  */
static bool read_interrupted(struct profile *profile, struct fields *fields)
{
    bool good;
    if (!mlmon_optional(fields, "interrupted ", &good))
        return good;
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
    bool good;
    if (!mlmon_optional(fields, "refused", &good))
        return good;
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

bool mlmon_head_read(struct profile *profile, struct fields *fields,
                     struct mlmon_told *told)
{
    if (!read_magic(fields, told) || !read_kind(profile, fields, told) ||
        !read_command(profile, fields) || (told->origins && !read_origin(told, fields)))
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
