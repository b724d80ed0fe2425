/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random budgets and baselines (targets.h). */

#include "mlprof/base/buf.h"
#include "mlprof/compare/budget.h"
#include "testsuite/fuzz/targets.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Fills COUNTS with what was counted now. Two functions differ only in their lines. */
static void count_functions(struct budget_counts *counts)
{
    static const struct {
        const char *key, *shown, *file, *module;
        uint32_t line;
        uint64_t values[3];
    } functions[] = {{"_ZN1a1fEv", "a::f()", "a.cc", NULL, 1, {3, 0, 0}},
                     {"f", "f", "x/a.c", "lib.so", 1, {5, 64, 510}},
                     {"f", "f", "x/a.c", NULL, 9, {7, 32, 0}},
                     {"f", "f", "b.c", NULL, 1, {1, 0, 0}},
                     {"main", "main", NULL, NULL, 0, {UINT64_MAX - 16, 1, 0}}};
    enum { COUNT = sizeof functions / sizeof *functions };
    const struct measure *calls = measure_of_kinds(CCPROF_KIND_COUNT);
    const struct runset_measure measures[] = {
        {calls, RUNSET_OWN},
        {measure_of_kinds(CCPROF_KIND_ALLOC), RUNSET_OWN},
        {calls, RUNSET_LINES}};
    struct runset *side = &counts->side;
    side->functions.list = buf_alloc(COUNT * sizeof *side->functions.list);
    side->runs.list = buf_alloc(sizeof *side->runs.list);
    side->runs.count = 1;
    side->runs.list[0].count = side->functions.count = COUNT;
    for (size_t m = 0; m < 3; m++)
        runset_add_column(&side->runs.list[0], measures[m]);
    for (size_t i = 0; i < COUNT; i++) {
        const char *file = functions[i].file, *module = functions[i].module;
        side->functions.list[i] =
            (struct runset_function){.key = buf_copy(functions[i].key),
                                     .shown = buf_copy(functions[i].shown),
                                     .file = file ? buf_copy(file) : NULL,
                                     .module = module ? buf_copy(module) : NULL,
                                     .line = functions[i].line};
        for (size_t m = 0; m < 3; m++) {
            side->runs.list[0].columns[m].values[i] = functions[i].values[m];
            side->runs.list[0].columns[m].total += functions[i].values[m];
        }
    }
    static const struct {
        const char *outcome;
        uint64_t counts[3];
    } lists[] = {{NULL, {5, 500, 5}}, {"false", {5}}, {"true", {495}}};
    side->points.measured = true;
    intern_put(&side->points.files, "x/a.c");
    for (size_t i = 0; i < 3; i++) {
        struct linecounts_list *list = linecounts_add_list(
            &side->points, 1, lists[i].outcome ? buf_copy(lists[i].outcome) : NULL);
        for (size_t k = 0; k < 3 && lists[i].counts[k]; k++)
            linecounts_add_point(
                list, &(struct linecounts_point){lists[i].counts[k], 0, (uint32_t)k + 1});
    }
}

/* Checks BUDGET against COUNTS, and reports it. Returns the number of limits that do not
   hold. */
static size_t check_limits(const struct budget *budget, const struct budget_found *found,
                           const struct budget_counts *counts, double threshold)
{
    struct gate gate = {.path = "b", .threshold = threshold};
    budget_check(&gate, budget, found, counts, 1);
    char *report = NULL;
    size_t size;
    FILE *out = buf_open(&report, &size);
    gate_table_print(out, &gate, 10);
    gate_write_junit(out, &gate, "/");
    gate_print_github(out, &gate, "/", 0);
    buf_close(out);
    free(report);
    size_t beyond = gate.beyond;
    assert(beyond <= gate.limits && beyond <= gate.failed);
    gate_free(&gate);
    return beyond;
}

/* Parses a budget, or converts a baseline, checks it against COUNTS, updates it and
   prints it. Returns the text, to be freed, or NULL if it is neither. */
static char *use_budget(const char *text, size_t size, struct budget_counts *counts)
{
    struct fault fault = {0};
    struct budget budget = {0};
    /* In memory of its own size, so that a sanitizer sees a byte too many. */
    char *copy = malloc(size ? size : 1), *printed = NULL;
    memcpy(copy, text, size);
    size_t length = strlen(BUDGET_BASELINE);
    bool converts = size >= length && memcmp(text, BUDGET_BASELINE, length) == 0;
    bool good = converts ? budget_convert(&budget, "=", "b", copy, size, &fault)
                         : budget_parse(&budget, "b", copy, size, &fault);
    free(copy);
    assert(good == (fault.kind == FAULT_NONE));
    assert(good || strncmp(fault.text, "b: ", 3) == 0);
    fault_clear(&fault);
    if (good) {
        struct budget_found found = {0};
        for (size_t i = 0; i < budget.count; i++)
            budget.lines[i].counts = budget.lines[i].kind == BUDGET_LIMIT &&
                                     runset_has(&counts->side, budget.lines[i].measure);
        budget_find(&found, &budget, counts, 1);
        size_t all = check_limits(&budget, &found, counts, 0),
               some = check_limits(&budget, &found, counts, 5);
        assert(some <= all);
        budget_found_free(&found);
        budget_find_owned(&budget);
        budget_find(&found, &budget, counts, 1);
        budget_update(&budget, &found, counts, "GCC");
        budget_found_free(&found);
        FILE *out = buf_open(&printed, &size);
        budget_print(out, &budget);
        buf_close(out);
    }
    budget_free(&budget);
    return printed;
}

/* A budget that was updated and printed is the same when this is done again. */
bool targets_gate(const unsigned char *bytes, size_t size)
{
    struct budget_counts counts = {0};
    count_functions(&counts);
    char *once = use_budget((const char *)bytes, size, &counts);
    if (once) {
        char *twice = use_budget(once, strlen(once), &counts);
        assert(twice && strcmp(once, twice) == 0);
        free(twice);
    }
    budget_counts_free(&counts);
    free(once);
    return once;
}
