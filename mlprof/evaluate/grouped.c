/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes the rows by the requested key, and by all keys that the data distinguish. */

#include "mlprof/evaluate/evaluate.h"

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
static void group_by_all(struct evaluate_result *result, const struct grouping *grouping,
                         const struct evaluate_request *request)
{
    for (enum rows_key key = ROWS_FUNCTIONS + 1; key < ROWS_KEYS; key++) {
        if (key == ROWS_TYPES && request->filter && request->filter->hide.count)
            continue;
        struct grouping by_key = *grouping;
        struct fault fault = {0};
        by_key.key = key;
        struct rows *rows = &result->groups[key];
        bool good = request->values ? make_grouped_rows(rows, &by_key, &fault)
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
static bool group_by_type(struct evaluate_result *result, const struct grouping *grouping,
                          const struct evaluate_request *request, struct fault *fault)
{
    const struct profile *profile = result->profile;
    struct stacks_filter filter = *request->filter;
    struct stacks_filter_part part;
    struct grouping by_type = *grouping;
    struct fault none = {0};
    struct stacks stacks;
    struct rows rows;
    if (!request->filter->hide.count && !result->wrappers)
        return make_grouped_rows(&result->grouped, grouping, fault);
    filter.hide = (struct patterns){0};
    stacks_build(&stacks, profile, &result->program, result->outside, false);
    if (stacks_filter_is_set(&filter))
        stacks_filter_apply(&stacks, &filter, NULL, 0, &request->names, &part, &none);
    fault_clear(&none);
    stacks_weigh_heap(&stacks, profile->shown->heap,
                      profile->heap.sums[profile->shown->heap].bytes);
    rows_evaluate(&rows, &stacks, profile, &result->program, NULL, BRANCH_COMPILED);
    by_type.rows = &rows;
    bool good = make_grouped_rows(&result->grouped, &by_type, fault);
    rows_free(&rows);
    /* These nodes belong to stacks that differ from the stacks of the other rows. */
    free(result->grouped.of_node);
    result->grouped.of_node = NULL;
    return good;
}

/* Creates the rows by the requested key. */
static bool group_by_requested(struct evaluate_result *result,
                               const struct grouping *grouping,
                               const struct evaluate_request *request,
                               struct fault *fault)
{
    bool heap = result->profile->shown != NULL;
    if (request->rows_key == ROWS_FUNCTIONS)
        return true;
    if (rows_key_is_of_memory(request->rows_key) &&
        result->profile->kind & CCPROF_KIND_ALLOC &&
        !profile_measure(result->profile)->memory)
        return fault_set(fault, FAULT_MISMATCH, "-by",
                         "types, sites and paths have bytes and blocks: -measure bytes");
    if (heap && request->rows_key == ROWS_TYPES)
        return group_by_type(result, grouping, request, fault);
    return (!heap || check_heap_key(request->rows_key, fault)) &&
           make_grouped_rows(&result->grouped, grouping, fault);
}

/* Removes the rows of the heap without a value of the shown measure. */
static void hide_others(struct evaluate_result *result)
{
    if (!result->profile->shown)
        return;
    rows_hide_others(&result->rows);
    rows_hide_others(&result->grouped);
    for (size_t i = 0; i < ROWS_KEYS; i++)
        rows_hide_others(&result->groups[i]);
}

bool grouped_fill(struct evaluate_result *result, const struct evaluate_request *request,
                  struct fault *fault)
{
    const struct grouping grouping = {.key = request->rows_key,
                                      .profile = result->profile,
                                      .program = &result->program,
                                      .rows = &result->rows,
                                      .flows = &result->flows,
                                      .verdicts = &result->verdicts,
                                      .names = &request->names,
                                      .libraries = request->libraries};
    if (request->rows_key == ROWS_LOOPS || request->groups)
        rows_find_flows(&result->flows, &result->rows);
    bool good = group_by_requested(result, &grouping, request, fault);
    if (good && request->groups)
        group_by_all(result, &grouping, request);
    if (good && !request->heap_whole)
        hide_others(result);
    return good;
}
