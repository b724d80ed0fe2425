/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Filters the stacks of a report, and splits functions into their copies. */

#include "mlprof/report/report.h"
#include "mlprof/stacks/stacks-filter.h"

#include <stdlib.h>

/* Returns the kinds of frames around code by which the rows are not requested. Their
   stacks are merged. */
static unsigned merged_kinds(const struct report_choice *choice)
{
    bool threads = choice->rows_key == ROWS_THREADS || choice->over == SPREAD_THREADS;
    return (threads ? 0 : 1U << STACKS_THREAD) |
           (choice->rows_key == ROWS_PROCESSES ? 0 : 1U << STACKS_PROCESS);
}

/* Filters the stacks, merges threads and processes, and removes wrappers of allocators
   from stacks of the heap. */
static bool filter_stacks(struct report *report, struct stacks *stacks,
                          struct stacks_filter_part *part, struct fault *fault)
{
    const struct report_choice *choice = &report->choice;
    bool filtered = stacks_filter_is_set(choice->filter);
    struct wrappers wrappers = {0};
    struct stacks_filter_part unfiltered;
    if (profile_is_of_heap(report->profile))
        wrappers_find(&wrappers, stacks, &report->program, &choice->wrappers,
                      &choice->names);
    bool moves = wrappers.names != NULL;
    unsigned merged = merged_kinds(choice) & ~choice->kept_around;
    bool good =
        (!filtered && !moves && !stacks_filter_merges(stacks, merged)) ||
        stacks_filter_apply(stacks, choice->filter, moves ? &wrappers.moves : NULL,
                            merged, &choice->names, filtered ? part : &unfiltered, fault);
    stacks->merged = merged_kinds(choice) & choice->kept_around;
    free(report->wrappers);
    report->wrappers = wrappers.names;
    wrappers.names = NULL;
    wrappers_free(&wrappers);
    return good;
}

bool report_select(struct report *report, struct stacks *stacks,
                   const struct patterns *split, struct stacks_filter_part *part,
                   struct fault *fault)
{
    const struct profile *profile = report->profile;
    bool measured = profile->kind != 0, splits = split && split->count;
    if (measured && !filter_stacks(report, stacks, part, fault))
        return false;
    if (measured && splits && !profile_measure(profile)->stacks)
        return fault_set(fault, FAULT_MISMATCH, "-split",
                         "calls were counted, each function's, not those of its copies");
    return !stacks->node_count || !splits ||
           stacks_split(stacks, split, &report->choice.names, fault);
}
