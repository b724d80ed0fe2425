/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes the rows by the key of the choice, and by each other key that is asked for. */

#include "mlprof/report/report.h"
#include "mlprof/base/buf.h"

#include <stdlib.h>

/* Loops have their own samples, so rows of loops need no counts. */
static struct grouping grouping_of(struct report *report, enum rows_key key)
{
    static const struct flowcounts none;
    const struct report_choice *choice = &report->choice;
    bool loops = key == ROWS_LOOPS && choice->rows_key == ROWS_LOOPS;
    bool counted = loops || report_has_blocks(report);
    if (counted && answers_is_first(&report->answers, REPORT_FLOW_ROWS))
        rows_find_flows(&report->flows, &report->rows);
    return (struct grouping){.key = key,
                             .profile = report->profile,
                             .program = &report->program,
                             .rows = &report->rows,
                             .flows = counted ? &report->flows : &none,
                             .verdicts = report_verdicts(report),
                             .names = &choice->names,
                             .libraries = choice->libraries,
                             .hide = &choice->filter->hide};
}

/* Creates rows with their amounts of all heap measures. */
static bool make_grouped_rows(struct rows *rows, const struct grouping *grouping,
                              struct fault *fault)
{
    if (!grouping_evaluate(rows, grouping, fault))
        return false;
    rows_find_amounts(rows, &grouping->rows->stacks, grouping->profile);
    return true;
}

/* Returns whether rows of the heap can be grouped by KEY. The addresses of calls are
   known for blocks, so keys that need more than these addresses cannot be used. */
static bool check_heap_key(enum rows_key key, struct fault *fault)
{
    BUF_OWN char *words = rows_key_list(false);
    return rows_keys[key].heap ||
           fault_set(fault, FAULT_MISMATCH, "-heap",
                     "blocks of memory are grouped by their calls: use -by %s", words);
}

/* Creates rows of the heap by type. Here, frames are not hidden, because hidden
   frames and wrappers do not change the type of a block. Therefore the stacks may
   differ from the stacks of the other rows. */
static bool group_by_type(struct report *report, struct grouping *grouping,
                          struct fault *fault)
{
    const struct profile *profile = report->profile;
    const struct report_choice *choice = &report->choice;
    struct stacks_filter filter = *choice->filter;
    struct fault none = {0};
    struct stacks stacks;
    struct rows rows;
    if (!choice->filter->hide.count && !report->wrappers)
        return make_grouped_rows(&report->grouped, grouping, fault);
    filter.hide = (struct patterns){0};
    stacks_build(&stacks, profile, &report->program, report->outside, false);
    if (stacks_filter_is_set(&filter))
        stacks_filter_apply(&stacks, &filter, NULL, 0, &choice->names, &none);
    fault_clear(&none);
    rows_evaluate(&rows, &stacks, profile, &report->program, NULL, BRANCH_COMPILED);
    grouping->rows = &rows;
    bool good = make_grouped_rows(&report->grouped, grouping, fault);
    rows_free(&rows);
    /* These nodes belong to stacks that differ from the stacks of the other rows. */
    free(report->grouped.of_node);
    report->grouped.of_node = NULL;
    return good;
}

/* Creates the rows by the key of the choice. */
static bool group_by_chosen(struct report *report, struct fault *fault)
{
    const struct profile *profile = report->profile;
    enum rows_key key = report->choice.rows_key;
    bool heap = profile_is_of_heap(profile);
    if (key == ROWS_FUNCTIONS)
        return true;
    if (rows_keys[key].memory && profile->kind & CCPROF_KIND_ALLOC &&
        !profile_measure(profile)->memory)
        return fault_set(fault, FAULT_MISMATCH, "-by",
                         "types, sites and paths have bytes and blocks: -measure bytes");
    if (heap && !check_heap_key(key, fault))
        return false;
    struct grouping grouping = grouping_of(report, key);
    return heap && key == ROWS_TYPES
               ? group_by_type(report, &grouping, fault)
               : make_grouped_rows(&report->grouped, &grouping, fault);
}

/* Removes the rows of the heap without a value of the shown measure. */
static void hide_others(const struct report *report, struct rows *rows)
{
    if (profile_is_of_heap(report->profile) && !report->choice.heap_whole)
        rows_hide_others(rows);
}

bool grouped_fill(struct report *report, struct fault *fault)
{
    bool good = group_by_chosen(report, fault);
    hide_others(report, &report->rows);
    hide_others(report, &report->grouped);
    return good;
}

/* Bytes allocated by hidden frames are charged to their callers, so their types would be
   wrong. */
const struct rows *report_rows(struct report *report, enum rows_key key)
{
    struct rows *rows = &report->answers.groups[key];
    const struct report_choice *choice = &report->choice;
    struct fault none = {0};
    bool first = answers_is_first(&report->answers, REPORT_GROUPS + key);
    if (!first || (key == ROWS_TYPES && choice->filter->hide.count))
        return rows;
    struct grouping grouping = grouping_of(report, key);
    bool good = choice->values ? make_grouped_rows(rows, &grouping, &none)
                               : grouping_evaluate(rows, &grouping, &none);
    if (good)
        hide_others(report, rows);
    fault_clear(&none);
    return rows;
}
