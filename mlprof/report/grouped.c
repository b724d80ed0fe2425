/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes the rows by the requested key, and by all keys that the data distinguish. */

#include "mlprof/report/report.h"

#include <stdlib.h>

/* Creates rows with their amounts of all heap measures. */
static bool make_grouped_rows(struct rows *rows, const struct grouping *grouping,
                              struct fault *fault)
{
    if (!grouping_evaluate(rows, grouping, fault))
        return false;
    rows_find_amounts(rows, &grouping->rows->stacks, grouping->profile);
    return true;
}

/* Creates rows for every key that the data distinguish. Bytes allocated by hidden
   frames are charged to their callers, so their types would be wrong. */
static void group_by_all(struct report *report, const struct grouping *grouping,
                         const struct report_choice *choice)
{
    for (enum rows_key key = ROWS_FUNCTIONS + 1; key < ROWS_KEYS; key++) {
        if (key == ROWS_TYPES && choice->filter && choice->filter->hide.count)
            continue;
        struct grouping by_key = *grouping;
        struct fault fault = {0};
        by_key.key = key;
        struct rows *rows = &report->groups[key];
        bool good = choice->values ? make_grouped_rows(rows, &by_key, &fault)
                                    : grouping_evaluate(rows, &by_key, &fault);
        if (!good)
            fault_clear(&fault);
    }
}

/* Returns whether rows of the heap can be grouped by KEY. The addresses of calls are
   known for blocks, so keys that need more than these addresses cannot be used. */
static bool check_heap_key(enum rows_key key, struct fault *fault)
{
    return (key != ROWS_LOOPS && key != ROWS_PROCESSES && key != ROWS_RANKS &&
            key != ROWS_MPI) ||
           fault_set(fault, FAULT_MISMATCH, "-heap",
                     "blocks of memory are grouped by their calls: use -by copy, "
                     "line, expression, file, module, phase, thread, type, site or path");
}

/* Creates rows of the heap by type. Here, frames are not hidden, because hidden
   frames and wrappers do not change the type of a block. Therefore the stacks may
   differ from the stacks of the other rows. */
static bool group_by_type(struct report *report, const struct grouping *grouping,
                          const struct report_choice *choice, struct fault *fault)
{
    const struct profile *profile = report->profile;
    struct stacks_filter filter = *choice->filter;
    struct stacks_filter_part part;
    struct grouping by_type = *grouping;
    struct fault none = {0};
    struct stacks stacks;
    struct rows rows;
    if (!choice->filter->hide.count && !report->wrappers)
        return make_grouped_rows(&report->grouped, grouping, fault);
    filter.hide = (struct patterns){0};
    stacks_build(&stacks, profile, &report->program, report->outside, false);
    if (stacks_filter_is_set(&filter))
        stacks_filter_apply(&stacks, &filter, NULL, 0, &choice->names, &part, &none);
    fault_clear(&none);
    stacks_weigh_heap(&stacks, profile->shown->heap,
                      profile->heap.sums[profile->shown->heap].bytes);
    rows_evaluate(&rows, &stacks, profile, &report->program, NULL, BRANCH_COMPILED);
    by_type.rows = &rows;
    bool good = make_grouped_rows(&report->grouped, &by_type, fault);
    rows_free(&rows);
    /* These nodes belong to stacks that differ from the stacks of the other rows. */
    free(report->grouped.of_node);
    report->grouped.of_node = NULL;
    return good;
}

/* Creates the rows by the requested key. */
static bool group_by_requested(struct report *report,
                               const struct grouping *grouping,
                               const struct report_choice *choice,
                               struct fault *fault)
{
    bool heap = report->profile->shown != NULL;
    if (choice->rows_key == ROWS_FUNCTIONS)
        return true;
    if (rows_key_is_of_memory(choice->rows_key) &&
        report->profile->kind & CCPROF_KIND_ALLOC &&
        !profile_measure(report->profile)->memory)
        return fault_set(fault, FAULT_MISMATCH, "-by",
                         "types, sites and paths have bytes and blocks: -measure bytes");
    if (heap && choice->rows_key == ROWS_TYPES)
        return group_by_type(report, grouping, choice, fault);
    return (!heap || check_heap_key(choice->rows_key, fault)) &&
           make_grouped_rows(&report->grouped, grouping, fault);
}

/* Removes the rows of the heap without a value of the shown measure. */
static void hide_others(struct report *report)
{
    if (!report->profile->shown)
        return;
    rows_hide_others(&report->rows);
    rows_hide_others(&report->grouped);
    for (size_t i = 0; i < ROWS_KEYS; i++)
        rows_hide_others(&report->groups[i]);
}

bool grouped_fill(struct report *report, const struct report_choice *choice,
                  struct fault *fault)
{
    const struct grouping grouping = {.key = choice->rows_key,
                                      .profile = report->profile,
                                      .program = &report->program,
                                      .rows = &report->rows,
                                      .flows = &report->flows,
                                      .verdicts = &report->verdicts,
                                      .names = &choice->names,
                                      .libraries = choice->libraries};
    if (choice->rows_key == ROWS_LOOPS || choice->groups)
        rows_find_flows(&report->flows, &report->rows);
    bool good = group_by_requested(report, &grouping, choice, fault);
    if (good && choice->groups)
        group_by_all(report, &grouping, choice);
    if (good && !choice->heap_whole)
        hide_others(report);
    return good;
}
