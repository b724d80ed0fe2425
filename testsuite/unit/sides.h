/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The two sides of a comparison, before and after, which a test fills and compares. */

#ifndef TESTSUITE_SIDES_H
#define TESTSUITE_SIDES_H

#include "mlprof/base/buf.h"
#include "mlprof/compare/change.h"
#include "testsuite/unit/tests.h"

#include <inttypes.h>
#include <string.h>

/* Both sides have no functions and no runs when a test begins. */
static struct runset sides_of[2];
static struct runset *const before = &sides_of[0], *const after = &sides_of[1];
static const struct runset *const sides[] = {&sides_of[0], &sides_of[1]};
static struct match match;
static struct changes changes;

static void forget(void)
{
    changes_free(&changes);
    match_free(&match);
    runset_free(before);
    runset_free(after);
}

static void begin(void)
{
    memset(sides_of, 0, sizeof sides_of);
    memset(&match, 0, sizeof match);
    memset(&changes, 0, sizeof changes);
}
TEST_AROUND(begin, forget)

static inline struct runset_function *add_function(struct runset *side, const char *key,
                                                   const char *file, uint32_t line)
{
    side->functions.list =
        buf_grow(side->functions.list, &side->functions.capacity,
                 side->functions.count + 1, sizeof *side->functions.list);
    struct runset_function *function = &side->functions.list[side->functions.count++];
    *function = (struct runset_function){.key = buf_copy(key),
                                         .file = file ? buf_copy(file) : NULL,
                                         .shown = buf_copy(key),
                                         .line = line};
    return function;
}

/* Adds functions, which are separated by spaces. NAME is a function without a file; the
   other form is NAME@FILE:LINE. For call sites of allocations, the form is
   NAME@LINE@WITHIN, where WITHIN is FILE:DISTANCE, the distance from the function's first
   line. */
static inline void add_functions(struct runset *side, const char *text)
{
    char *words = buf_copy(text);
    for (char *word = strtok(words, " "); word; word = strtok(NULL, " ")) {
        char name[32], file[32], within[32];
        uint32_t line = 0;
        if (sscanf(word, "%31[^@]@%" SCNu32 "@%31s", name, &line, within) == 3) {
            add_function(side, name, within, line);
        } else if (sscanf(word, "%31[^@]@%31[^:]:%" SCNu32, name, file, &line) == 3) {
            add_function(side, name, file, line);
        } else {
            add_function(side, word, NULL, 0);
        }
    }
    free(words);
}

/* Returns the functions' own values in the measure of a kind. */
static inline struct runset_measure own_of(unsigned kind)
{
    return (struct runset_measure){measure_of_kinds(kind), RUNSET_OWN};
}

/* Adds a run with a count for each of COUNT functions. The kind is time with SAMPLES at
   100 Hz, or count if SAMPLES is 0. */
static inline struct runset_run *add_run(struct runset *side, uint64_t samples,
                                         const uint64_t *counts, size_t count)
{
    struct runset_run run = {.kind = samples ? CCPROF_KIND_TIME : CCPROF_KIND_COUNT,
                             .rate = samples ? 100 : 0,
                             .samples = samples,
                             .seconds = (double)samples / 100,
                             .count = count};
    struct runset_column *column = runset_add_column(&run, own_of(run.kind));
    for (size_t i = 0; i < count; i++)
        column->total += column->values[i] = counts[i];
    if (samples)
        column->total = samples;
    side->runs.list = buf_grow(side->runs.list, &side->runs.capacity,
                               side->runs.count + 1, sizeof *side->runs.list);
    side->runs.list[side->runs.count++] = run;
    return &side->runs.list[side->runs.count - 1];
}

#define ADD_RUN(side, samples, ...)                                                      \
    add_run(side, samples, (const uint64_t[]){__VA_ARGS__},                              \
            LENGTH(((const uint64_t[]){__VA_ARGS__})))

/* Compares the sides again. */
static inline void compare(struct runset_measure measure, bool normalized)
{
    changes_free(&changes);
    match_free(&match);
    match_find(&match, sides, 2);
    changes_find(&changes, &match, sides, measure, normalized);
}

/* Returns the change of the function with this NUMBER on one side, or NULL. */
static inline const struct change *change_of(size_t side, uint32_t number)
{
    for (size_t i = 0; i < changes.count; i++)
        if (match.functions[changes.changes[i].row * 2 + side] == number)
            return &changes.changes[i];
    return NULL;
}

#endif
