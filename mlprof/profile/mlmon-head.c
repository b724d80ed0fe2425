/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the head of a data file: version, kinds, clock, command, process, rank and the
   numbers of samples. mlmon.c calls it first. */

#include "mlprof/base/buf.h"
#include "mlprof/elf/elffile.h"
#include "mlprof/profile/mlmon-inside.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define RATE_MOST 1000000

/* Reads the line after `rank '. */
static bool read_rank(struct mlmon_origin *origin, struct fields *fields)
{
    origin->ranked = true;
    if (!fields_decimal(fields, &origin->rank) || !fields_skip(fields, " "))
        return false;
    if (fields_skip(fields, "-"))
        return fields_end_of_line(fields);
    return fields_decimal(fields, &origin->size) && fields_end_of_line(fields) &&
           origin->rank < origin->size;
}

static bool read_origin(struct mlmon_origin *origin, struct fields *fields)
{
    if (fields_optional(fields, "host ") && !(origin->host = fields_path(fields)))
        return fields_wrong(fields, "it should be `host' and a name");
    return !fields_optional(fields, "rank ") || read_rank(origin, fields) ||
           fields_wrong(fields, "it should be `rank', a number and a greater one or `-'");
}

static bool read_magic(struct fields *fields, struct mlmon_header *header)
{
    const char *start = fields->next;
    size_t size = (size_t)(fields->end - start);
    uint64_t *version = &header->version;
    if (size == 0)
        return fault_set(fields->fault, FAULT_GARBLED, fields->path,
                         "line 1: the file is empty");
    if (!fields_next_line(fields) || !fields_skip(fields, CCPROF_MLMON_MAGIC " ") ||
        !fields_decimal(fields, version) || !fields_end_of_line(fields))
        return fault_set(fields->fault, FAULT_FORMAT, fields->path, "%s",
                         elffile_instead_of_data(start, size));
    if (*version < CCPROF_MLMON_VERSION || *version > CCPROF_MLMON_LATEST)
        return fault_set(
            fields->fault, FAULT_VERSION, fields->path,
            "line 1: a data file of version %llu; this mlprof reads versions %d to %d",
            (unsigned long long)*version, CCPROF_MLMON_VERSION, CCPROF_MLMON_LATEST);
    return true;
}

/* Reads the name of a kind. Returns 0 if there is no such name. */
static unsigned read_one_kind(struct fields *fields)
{
    static const struct fields_word kinds[] = {
        {"time", CCPROF_KIND_TIME},
        {"count", CCPROF_KIND_COUNT},
        {"alloc", CCPROF_KIND_ALLOC},
        {"region", CCPROF_KIND_REGION},
        {"instructions", CCPROF_KIND_INSTRUCTIONS}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (fields_skip(fields, kinds[i].text))
            return kinds[i].value;
    return 0;
}

/* Reads the kinds. They must be in the order of their bits, and each may occur once.
   The kind region cannot be combined with other kinds. */
static bool read_kind(struct profile *profile, struct fields *fields,
                      const struct mlmon_header *header)
{
    if (!fields_next_line(fields))
        return false;
    if (!fields_skip(fields, "kind "))
        return fields_wrong(fields, "it should be `kind' and a kind");
    unsigned kind;
    do {
        kind = read_one_kind(fields);
        bool newer = kind == CCPROF_KIND_INSTRUCTIONS &&
                     header->version < CCPROF_MLMON_INSTRUCTIONS;
        if (kind <= profile->kind || newer)
            return fields_wrong(fields,
                                "a kind of profile that this mlprof does not know");
        profile->kind |= kind;
    } while (fields_skip(fields, ","));
    bool regions = profile->kind & CCPROF_KIND_REGION;
    if (!fields_end_of_line(fields) ||
        (regions &&
         (header->version < CCPROF_MLMON_REGIONS || profile->kind != CCPROF_KIND_REGION)))
        return fields_wrong(fields, "a kind of profile that this mlprof does not know");
    return true;
}

/* Reads the rest of a line as a text, and adds it to TEXTS. */
static bool read_text(struct intern *texts, struct fields *fields, const char *right)
{
    BUF_OWN char *text = fields_path(fields);
    if (!text)
        return fields_wrong(fields, right);
    intern_put(texts, text);
    return true;
}

/* Reads the command. Its line is optional. */
static bool read_command(struct profile *profile, struct fields *fields)
{
    return !fields_optional(fields, "command ") ||
           read_text(&profile->runs.commands, fields,
                     "it should be `command' and what was typed");
}

/* Reads the process and its title, which is its name if there is one. The lines are
   optional. */
static bool read_process(struct profile *profile, struct fields *fields,
                         struct mlmon_answer *answer)
{
    uint64_t number;
    if (!fields_optional(fields, "process "))
        return true;
    bool good = fields_decimal(fields, &number) && fields_skip(fields, " ");
    BUF_OWN char *name = good ? fields_path(fields) : NULL;
    if (!name)
        return fields_wrong(fields, "it should be `process', a number and a name");
    bool titled = fields_optional(fields, "title ");
    BUF_OWN char *title = titled ? fields_path(fields) : NULL;
    if (titled && !title)
        return fields_wrong(fields, "it should be `title' and a text");
    BUF_OWN char *text = buf_format("%" PRIu64 " %s", number, title ? title : name);
    intern_put(&profile->names.processes, text);
    answer->process = number;
    return true;
}

/* Reads the line `answer', which every file of version 14 has, and some of version 15. */
static bool read_answer(struct fields *fields, uint64_t version,
                        struct mlmon_answer *answer)
{
    const bool is_optional = version > CCPROF_MLMON_ANSWER;
    if (is_optional && !fields_optional(fields, "answer "))
        return true;
    if (!is_optional && !fields_next_line(fields))
        return false;
    answer->is_there = true;
    if ((!is_optional && !fields_skip(fields, "answer ")) ||
        !fields_decimal(fields, &answer->epoch) ||
        !fields_number(fields, &answer->files) ||
        !(fields_skip(fields, " open") || fields_skip(fields, " closed")) ||
        !fields_end_of_line(fields))
        return fields_wrong(fields,
                            "it should be `answer', two numbers, and `open' or `closed'");
    return true;
}

static bool read_engine(struct profile *profile, struct fields *fields)
{
    static const struct fields_word engines[] = {{"task-clock", PROFILE_TASK_CLOCK},
                                                 {"thread-timer", PROFILE_THREAD_TIMER},
                                                 {"wall-timer", PROFILE_WALL_TIMER}};
    return fields_word_line(fields, "engine", engines, sizeof engines / sizeof *engines,
                            &profile->sampling.engines);
}

static bool read_clock(struct profile *profile, struct fields *fields)
{
    static const struct fields_word clocks[] = {{"cpu", PROFILE_CPU},
                                                {"wall", PROFILE_WALL}};
    static const char before[] = "rate ";
    unsigned clock;
    /* Before its first release the format did not have this line. */
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
    profile->sampling.clock = clock;
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
    if (negative && count != profile->sampling.samples)
        return fields_wrong(fields, "a part of a run, but not of so many samples");
    profile->sampling.moved = negative ? -(int64_t)count : (int64_t)count;
    return true;
}

/* Reads how samples were taken. */
static bool read_sampling(struct profile *profile, struct fields *fields)
{
    if (!read_engine(profile, fields) || !read_clock(profile, fields) ||
        !fields_number_line(fields, "rate", &profile->sampling.rate))
        return false;
    if (profile->sampling.rate == 0 || profile->sampling.rate > RATE_MOST)
        return fields_wrong(fields, "a rate out of range");
    static const struct fields_word words[] = {{"no", false}, {"yes", true}};
    unsigned stack;
    if (!fields_word_line(fields, "stack", words, sizeof words / sizeof *words, &stack))
        return false;
    profile->sampling.stack = stack;
    return true;
}

/* Reads a line with a word and a number. The line is missing if the number is 0. */
static bool read_above_zero(struct fields *fields, const char *word, uint64_t *number)
{
    BUF_OWN char *start = buf_format("%s ", word);
    if (!fields_optional(fields, start))
        return true;
    if (!fields_decimal(fields, number) || !fields_end_of_line(fields) || *number == 0) {
        BUF_OWN char *right = buf_format("it should be `%s' and a number above 0", word);
        return fields_wrong(fields, right);
    }
    return true;
}

/* Reads the line `weights', which is missing if each signal counts for one sample. */
static bool read_weights(struct statistics_weights *weights, struct fields *fields)
{
    if (!fields_optional(fields, "weights "))
        return true;
    if (!fields_decimal(fields, &weights->heaviest) || !fields_skip(fields, " ") ||
        !fields_decimal(fields, &weights->excess) || !fields_end_of_line(fields) ||
        weights->heaviest < 2 || weights->excess < 2)
        return fields_wrong(fields, "it should be `weights' and two numbers above 1");
    return true;
}

/* Reads one word. The words must be in the order of their bits, and each may occur
   once. */
static bool read_refused_word(struct profile *profile, struct fields *fields)
{
    static const char *const names[] = CCPROF_REFUSED_NAMES;
    for (unsigned i = 0; i < CCPROF_REFUSED_COUNT; i++)
        if (profile->sampling.refused >> i == 0 && fields_skip(fields, names[i])) {
            profile->sampling.refused |= 1u << i;
            return true;
        }
    return false;
}

/* Reads the names of refused system calls. The line is missing if there were none. */
static bool read_refused(struct profile *profile, struct fields *fields)
{
    if (!fields_optional(fields, "refused"))
        return true;
    while (fields_skip(fields, " "))
        if (!read_refused_word(profile, fields))
            break;
    if (!fields_end_of_line(fields) || profile->sampling.refused == 0)
        return fields_wrong(fields, "it should be `refused' and system calls");
    return true;
}

static bool read_samples(struct profile *profile, struct fields *fields)
{
    if (!fields_number_line(fields, "samples", &profile->sampling.samples) ||
        !fields_number_line(fields, "lost", &profile->sampling.lost))
        return false;
    if (profile->sampling.lost > profile->sampling.samples)
        return fields_wrong(fields, "more samples were lost than taken");
    return read_moved(profile, fields) &&
           read_above_zero(fields, "interrupted", &profile->sampling.interrupted) &&
           read_above_zero(fields, "late", &profile->sampling.late) &&
           read_weights(&profile->sampling.weights, fields) &&
           read_refused(profile, fields);
}

static bool read_messages(struct profile *profile, struct fields *fields)
{
    while (fields_optional(fields, "message "))
        if (!read_text(&profile->runs.messages, fields,
                       "it should be `message' and a text"))
            return false;
    return true;
}

bool mlmon_head_read(struct profile *profile, struct fields *fields,
                     struct mlmon_header *header)
{
    if (!read_magic(fields, header) || !read_kind(profile, fields, header) ||
        !read_command(profile, fields) ||
        (header->version >= CCPROF_MLMON_ORIGIN &&
         !read_origin(&header->origin, fields)) ||
        (header->version >= CCPROF_MLMON_PROCESS &&
         !read_process(profile, fields, &header->answer)) ||
        (header->version >= CCPROF_MLMON_ANSWER &&
         !read_answer(fields, header->version, &header->answer)))
        return false;
    bool time = profile->kind & CCPROF_KIND_TIME;
    if ((time && !read_sampling(profile, fields)) ||
        !fields_number_line(fields, "cpu", &profile->runs.cpu) ||
        !fields_number_line(fields, "wall", &profile->runs.wall) ||
        !fields_number_line(fields, "threads", &profile->runs.threads))
        return false;
    profile->runs.most_threads = profile->runs.threads;
    return fields_number_line(fields, "waits", &profile->runs.waits) &&
           (!time || read_samples(profile, fields)) &&
           (header->version < CCPROF_MLMON_PROCESS || read_messages(profile, fields));
}
