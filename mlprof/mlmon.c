/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/mlmon.h"
#include "mlprof/buf.h"
#include "mlprof/content.h"

#include <stdlib.h>
#include <string.h>

#define RATE_MOST 1000000

/* A text that is taken apart line by line.  */
struct lines {
    const char *path;
    const char *next, *end; /* the text that is left */
    const char *at, *stop;  /* the line that is left */
    unsigned long number;
    struct fault *fault;
};

static bool wrong(struct lines *lines, const char *why)
{
    return fault_set(lines->fault, FAULT_GARBLED, lines->path, "line %lu: %s",
                     lines->number, why);
}

static bool next_line(struct lines *lines)
{
    lines->number++;
    const char *newline = memchr(lines->next, '\n', (size_t)(lines->end - lines->next));
    if (!newline)
        return wrong(lines, "the file is cut off here");
    lines->at = lines->next;
    lines->stop = newline;
    lines->next = newline + 1;
    return true;
}

static bool end_of_line(const struct lines *lines)
{
    return lines->at == lines->stop;
}

/* Skips TEXT if the line goes on with it.  */
static bool skip(struct lines *lines, const char *text)
{
    size_t length = strlen(text);
    if ((size_t)(lines->stop - lines->at) < length ||
        memcmp(lines->at, text, length) != 0)
        return false;
    lines->at += length;
    return true;
}

static unsigned digit_value(char c)
{
    if (c >= '0' && c <= '9')
        return (unsigned)(c - '0');
    if (c >= 'a' && c <= 'f')
        return (unsigned)(c - 'a' + 10);
    return 16;
}

/* Reads a number without a sign; at least one digit.  */
static bool digits(struct lines *lines, unsigned base, uint64_t *value)
{
    const char *start = lines->at;
    *value = 0;
    for (; lines->at < lines->stop && digit_value(*lines->at) < base; lines->at++)
        if (__builtin_mul_overflow(*value, base, value) ||
            __builtin_add_overflow(*value, digit_value(*lines->at), value))
            return false;
    return lines->at > start;
}

static bool decimal(struct lines *lines, uint64_t *value)
{
    return digits(lines, 10, value);
}

static bool hexadecimal(struct lines *lines, uint64_t *value)
{
    return skip(lines, "0x") && digits(lines, 16, value);
}

/* The next line is `NAME N`.  */
static bool number_line(struct lines *lines, const char *name, uint64_t *value)
{
    if (!next_line(lines))
        return false;
    if (skip(lines, name) && skip(lines, " ") && decimal(lines, value) &&
        end_of_line(lines))
        return true;
    return fault_set(lines->fault, FAULT_GARBLED, lines->path,
                     "line %lu: it should be `%s' and a number", lines->number, name);
}

static bool read_magic(struct lines *lines)
{
    uint64_t version;
    if (lines->next == lines->end)
        return fault_set(lines->fault, FAULT_GARBLED, lines->path,
                         "line 1: the file is empty");
    if (!next_line(lines) || !skip(lines, CCPROF_MLMON_MAGIC " ") ||
        !decimal(lines, &version) || !end_of_line(lines))
        return fault_set(lines->fault, FAULT_FORMAT, lines->path,
                         "line 1: not a data file of ccprof");
    if (version != CCPROF_MLMON_VERSION)
        return fault_set(
            lines->fault, FAULT_VERSION, lines->path,
            "line 1: a data file of version %llu; this mlprof reads version %d",
            (unsigned long long)version, CCPROF_MLMON_VERSION);
    return true;
}

static bool read_kind(struct profile *profile, struct lines *lines)
{
    if (!next_line(lines))
        return false;
    if (!skip(lines, "kind "))
        return wrong(lines, "it should be `kind' and a kind");
    if (!skip(lines, "time") || !end_of_line(lines))
        return wrong(lines, "a kind of profile that this mlprof does not know");
    profile->kind = CCPROF_KIND_TIME;
    return true;
}

struct word {
    const char *text;
    unsigned value;
};

/* The next line is `NAME WORD' with one of COUNT words.  */
static bool word_line(struct lines *lines, const char *name, const struct word *words,
                      size_t count, unsigned *value)
{
    if (!next_line(lines))
        return false;
    if (!skip(lines, name) || !skip(lines, " ") || end_of_line(lines) ||
        memchr(lines->at, ' ', (size_t)(lines->stop - lines->at)))
        return fault_set(lines->fault, FAULT_GARBLED, lines->path,
                         "line %lu: it should be `%s' and one word", lines->number, name);
    for (size_t i = 0; i < count; i++)
        if (strlen(words[i].text) == (size_t)(lines->stop - lines->at) &&
            skip(lines, words[i].text)) {
            *value = words[i].value;
            return true;
        }
    return fault_set(lines->fault, FAULT_GARBLED, lines->path,
                     "line %lu: `%s' and a word that this mlprof does not know",
                     lines->number, name);
}

static bool read_engine(struct profile *profile, struct lines *lines)
{
    static const struct word engines[] = {{"task-clock", PROFILE_TASK_CLOCK},
                                          {"thread-timer", PROFILE_THREAD_TIMER},
                                          {"process-timer", PROFILE_PROCESS_TIMER},
                                          {"wall-timer", PROFILE_WALL_TIMER}};
    return word_line(lines, "engine", engines, sizeof engines / sizeof *engines,
                     &profile->engines);
}

static bool read_clock(struct profile *profile, struct lines *lines)
{
    static const struct word clocks[] = {{"cpu", PROFILE_CPU}, {"wall", PROFILE_WALL}};
    static const char before[] = "rate ";
    unsigned clock;
    /* The format had no such line before it had a release.  */
    if ((size_t)(lines->end - lines->next) >= strlen(before) &&
        memcmp(lines->next, before, strlen(before)) == 0) {
        lines->number++;
        return wrong(lines, "a data file of an older ccprof, without `clock': run the "
                            "program again");
    }
    if (!word_line(lines, "clock", clocks, sizeof clocks / sizeof *clocks, &clock))
        return false;
    profile->clock = clock;
    return true;
}

static bool read_stack(struct profile *profile, struct lines *lines)
{
    static const struct word words[] = {{"no", false}, {"yes", true}};
    unsigned stack;
    if (!word_line(lines, "stack", words, sizeof words / sizeof *words, &stack))
        return false;
    profile->stack = stack;
    return true;
}

static bool read_elsewhere(struct profile *profile, struct lines *lines)
{
    uint64_t count;
    if (!next_line(lines))
        return false;
    bool good = skip(lines, "elsewhere "), part = skip(lines, "-");
    if (!good || !decimal(lines, &count) || !end_of_line(lines) || count > INT64_MAX ||
        (part && count == 0))
        return wrong(lines, "it should be `elsewhere' and a number");
    if (part && count != profile->samples)
        return wrong(lines, "a part of a run, but not of so many samples");
    profile->elsewhere = part ? -(int64_t)count : (int64_t)count;
    return true;
}

static bool read_head(struct profile *profile, struct lines *lines)
{
    if (!read_magic(lines) || !read_kind(profile, lines) ||
        !read_engine(profile, lines) || !read_clock(profile, lines) ||
        !number_line(lines, "rate", &profile->rate))
        return false;
    if (profile->rate == 0 || profile->rate > RATE_MOST)
        return wrong(lines, "a rate out of range");
    if (!read_stack(profile, lines) || !number_line(lines, "cpu", &profile->cpu) ||
        !number_line(lines, "wall", &profile->wall) ||
        !number_line(lines, "threads", &profile->threads) ||
        !number_line(lines, "waits", &profile->waits) ||
        !number_line(lines, "samples", &profile->samples) ||
        !number_line(lines, "lost", &profile->lost))
        return false;
    if (profile->lost > profile->samples)
        return wrong(lines, "more samples were lost than taken");
    return read_elsewhere(profile, lines);
}

/* The build-id at the line's place, to be freed; *GOOD tells whether it or `-' is there.
 */
static char *read_build_id(struct lines *lines, bool *good)
{
    *good = true;
    if (skip(lines, "-"))
        return NULL;
    const char *start = lines->at;
    while (lines->at < lines->stop && digit_value(*lines->at) < 16)
        lines->at++;
    size_t length = (size_t)(lines->at - start);
    *good = length > 0 && length % 2 == 0;
    return *good ? buf_copy_part(start, length) : NULL;
}

/* The rest of the line as a path, to be freed; NULL if it is not one.  */
static char *read_path(struct lines *lines)
{
    size_t length = (size_t)(lines->stop - lines->at);
    char *path = buf_copy_part(lines->at, length), *to = path;
    bool good = length > 0 && !memchr(path, '\0', length);
    for (const char *from = path; good && *from; from++) {
        if (*from != '\\') {
            *to++ = *from;
            continue;
        }
        from++;
        good = *from == '\\' || *from == 'n';
        *to++ = *from == 'n' ? '\n' : '\\';
    }
    if (good) {
        *to = '\0';
        return path;
    }
    free(path);
    return NULL;
}

/* What follows `module ' on a line.  */
static bool read_module(struct profile *profile, struct lines *lines)
{
    uint64_t number, bias;
    bool good = decimal(lines, &number) && skip(lines, " ");
    if (good && number != profile->module_count)
        return wrong(lines, "the modules are not numbered in order");
    char *build_id = good ? read_build_id(lines, &good) : NULL;
    char *path = NULL;
    if (good && skip(lines, " ") && hexadecimal(lines, &bias) && skip(lines, " "))
        path = read_path(lines);
    if (path)
        profile_add_module(profile, path, build_id);
    free(path);
    free(build_id);
    if (!path)
        return wrong(lines,
                     "it should be `module' and a number, a build-id, a bias, a path");
    return true;
}

/* What follows `label ' on a line.  */
static bool read_label(struct profile *profile, struct lines *lines)
{
    uint64_t number;
    bool good = decimal(lines, &number) && skip(lines, " ");
    if (good && number != profile->label_count)
        return wrong(lines, "the labels are not numbered in order");
    char *name = good ? read_path(lines) : NULL;
    if (!name)
        return wrong(lines, "it should be `label' and a number, a name");
    profile_add_label(profile, name);
    free(name);
    return true;
}

/* Reads all lines that begin with WORD, and starts with the one after them.  */
static bool read_each(struct profile *profile, struct lines *lines, const char *word,
                      bool (*read)(struct profile *, struct lines *))
{
    for (;;) {
        if (!next_line(lines))
            return false;
        if (!skip(lines, word))
            return true;
        if (!read(profile, lines))
            return false;
    }
}

/* Gives the line back that was started last.  */
static void unread(struct lines *lines)
{
    lines->next = lines->at;
    lines->number--;
}

/* Reads the lines of modules and labels and the line after them, which says how many
   points follow.  */
static bool read_modules(struct profile *profile, struct lines *lines, uint64_t *count)
{
    if (!read_each(profile, lines, "module ", read_module))
        return false;
    unread(lines);
    if (!read_each(profile, lines, "label ", read_label))
        return false;
    if (!skip(lines, "counts ") || !decimal(lines, count) || !end_of_line(lines))
        return wrong(lines, "it should be `module', `label' or `counts' and a number");
    if (profile->module_count == 0)
        return wrong(lines, "the executable's `module' line is missing");
    return true;
}

/* The points from the root to the one read last.  */
struct branch {
    uint32_t *nodes;
    size_t depth, capacity;
};

static bool read_point_module(const struct profile *profile, struct lines *lines,
                              uint32_t *module)
{
    uint64_t number;
    *module = PROFILE_NO_MODULE;
    if (skip(lines, "-"))
        return true;
    if (skip(lines, "label")) {
        *module = PROFILE_LABEL;
        return true;
    }
    if (!decimal(lines, &number) || number >= profile->module_count)
        return false;
    *module = (uint32_t)number;
    return true;
}

/* A label is outside of all places, and nothing was sampled in it alone.  */
static bool label_fits(const struct profile *profile, uint32_t parent, uint64_t label,
                       uint64_t count)
{
    return label < profile->label_count && count == 0 &&
           (parent == PROFILE_NO_NODE || profile->nodes[parent].module == PROFILE_LABEL);
}

static bool read_point(struct profile *profile, struct lines *lines,
                       struct branch *branch, uint64_t *sum)
{
    uint64_t depth, address, count;
    uint32_t module;
    if (!next_line(lines))
        return false;
    if (!decimal(lines, &depth) || !skip(lines, " "))
        return wrong(lines, "it should be a depth, a module, an address, a count");
    if (!read_point_module(profile, lines, &module))
        return wrong(lines, "no module has this number");
    if (!skip(lines, " ") || !hexadecimal(lines, &address) || !skip(lines, " ") ||
        !decimal(lines, &count) || !end_of_line(lines))
        return wrong(lines, "it should be a depth, a module, an address, a count");
    if (depth > branch->depth)
        return wrong(lines, "deeper than the point before it by more than one");
    if (__builtin_add_overflow(*sum, count, sum))
        return wrong(lines, "the counts add up to more than 64 bits");

    uint32_t parent = depth ? branch->nodes[depth - 1] : PROFILE_NO_NODE;
    if (module == PROFILE_LABEL && !label_fits(profile, parent, address, count))
        return wrong(lines, "no label has this number, or it cannot stand here");
    branch->nodes =
        buf_grow(branch->nodes, &branch->capacity, depth + 1, sizeof *branch->nodes);
    branch->nodes[depth] = profile_add(profile, parent, module, address, count);
    branch->depth = depth + 1;
    return true;
}

static bool read_points(struct profile *profile, struct lines *lines, uint64_t count)
{
    struct branch branch = {0};
    uint64_t sum = 0;
    bool good = true;
    for (uint64_t i = 0; good && i < count; i++)
        good = read_point(profile, lines, &branch, &sum);
    free(branch.nodes);
    if (good && sum != profile->samples - profile->lost)
        return wrong(lines, "the counts do not add up to the samples");
    return good;
}

static bool read_end(struct lines *lines)
{
    if (!next_line(lines))
        return false;
    if (!skip(lines, "end") || !end_of_line(lines))
        return wrong(lines, "it should be `end'");
    if (lines->next == lines->end)
        return true;
    lines->number++;
    return wrong(lines, "there is something behind `end'");
}

bool mlmon_parse(struct profile *profile, const char *path, const char *text, size_t size,
                 struct fault *fault)
{
    struct lines lines = {.path = path, .next = text, .end = text + size, .fault = fault};
    uint64_t count;
    if (read_head(profile, &lines) && read_modules(profile, &lines, &count) &&
        read_points(profile, &lines, count) && read_end(&lines))
        return true;
    profile_free(profile);
    return false;
}

bool mlmon_read(struct profile *profile, const char *path, struct fault *fault)
{
    size_t size;
    char *text = content_read(path, CCPROF_MLMON_MAGIC, &size, fault);
    if (!text)
        return false;
    bool good = mlmon_parse(profile, path, text, size, fault);
    free(text);
    return good;
}
