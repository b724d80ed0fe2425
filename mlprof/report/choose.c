/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Selects the data of a profile to show: either the heap or other measures, one of
   several measures, and only measures with stacks if stacks are filtered. Then filters
   the stacks, and splits functions into their copies. */

#include "mlprof/report/report.h"
#include "mlprof/base/buf.h"
#include "mlprof/profile/heappoints.h"
#include "mlprof/profile/latencypoints.h"
#include "mlprof/profile/waitpoints.h"
#include "mlprof/stacks/stacks-filter.h"

#include <stdlib.h>

/* Makes the heap the measure of the profile if it is requested, or if only the heap
   was measured. */
static void choose_heap(struct report *report, const struct measure *measure)
{
    const struct profile *profile = report->profile;
    bool requested = measure_is_of_heap(measure);
    if (!profile->heap.measured || (!requested && !heappoints_alone(profile)))
        return;
    heappoints_make(&report->chosen, profile,
                    requested ? heapdata_known(&profile->heap, measure->heap.number)
                              : HEAPDATA_LIVE,
                    report->choice.heap_whole);
}

/* Makes waiting the measure of the profile if it is requested, or if only waiting was
   measured. */
static void choose_waits(struct report *report, const struct measure *measure)
{
    const struct profile *profile = report->profile;
    bool requested = measure && measure->kinds == MEASURE_KIND_WAIT;
    if (profile->waits.measured && (requested || (!measure && waitpoints_alone(profile))))
        waitpoints_make(&report->chosen, profile, report->choice.wait_variance);
}

/* Makes latency the measure of the profile if it is requested and known. */
static void choose_latency(struct report *report, const struct measure *measure)
{
    if (measure && measure->kinds == MEASURE_KIND_LATENCY &&
        latencypoints_known(report->profile))
        latencypoints_make(&report->chosen, report->profile);
}

/* Removes the measures that would be shown instead of the requested one. */
static bool choose_measure(struct report *report, const struct measure *requested,
                           struct fault *fault)
{
    struct profile *chosen = &report->chosen;
    unsigned kind = chosen->kind;
    if (!requested || measure_is_of_heap(requested))
        return true;
    if (!(kind & requested->kinds)) {
        char *option =
            report->choice.measure
                ? buf_format("-measure %s%s%s", requested->word,
                             requested->blocks ? " or " : "",
                             requested->blocks ? requested->blocks : "")
                : buf_format("-by %s", rows_keys[report->choice.rows_key].word);
        fault_set(fault, FAULT_MISMATCH, option,
                  !requested->profile ? WAITDATA_NOT_MEASURED
                  : profile_is_of_heap(chosen)
                      ? "the heap has bytes and blocks"
                      : "not measured: compile with -fplugin-arg-ccprof-profile=%s",
                  requested->profile);
        free(option);
        return false;
    }
    if (requested->weigh) {
        chosen->kind &= requested->kinds | CCPROF_KIND_COUNT;
        chosen->measure = requested;
        return true;
    }
    while (measure_of_kinds(kind) != requested && kind & measure_of_kinds(kind)->kinds)
        kind &= ~measure_of_kinds(kind)->kinds;
    if (kind == chosen->kind)
        return true;
    chosen->kind = kind;
    chosen->nodes.count = chosen->indexed = 0;
    chosen->sampling.samples = chosen->sampling.ccprof_samples = chosen->sampling.lost =
        0;
    chosen->sampling.stack = false;
    chosen->times = (struct times){0};
    return true;
}

/* Removes counts that were measured in addition to samples or bytes from the profile,
   because they have no stacks to filter. */
static bool choose_filtered(struct report *report, struct fault *fault)
{
    const struct stacks_filter *filter = report->choice.filter;
    struct profile *chosen = &report->chosen;
    unsigned measured = chosen->kind;
    if (!stacks_filter_is_set(filter))
        return true;
    if (!profile_measure(chosen)->stacks) {
        BUF_OWN char *text = stacks_filter_text(filter);
        fault_set(fault, FAULT_MISMATCH, text,
                  "calls were counted, which have no stacks");
        return false;
    }
    if (!profile_is_of_heap(chosen))
        chosen->kind &= profile_measure(chosen)->kinds;
    chosen->counts.targets.count = 0;
    report->left_out = measured & ~chosen->kind;
    return true;
}

/* Returns the requested measure, or the measure that rows of memory have by default. */
static const struct measure *find_requested(const struct profile *profile,
                                            const struct report_choice *choice)
{
    if (!choice->measure &&
        (rows_keys[choice->rows_key].waits || (choice->waits && profile->waits.measured)))
        return measure_of_kinds(MEASURE_KIND_WAIT);
    if (choice->measure || !rows_keys[choice->rows_key].memory)
        return choice->measure;
    return profile->kind & CCPROF_KIND_ALLOC ? measure_of_kinds(CCPROF_KIND_ALLOC)
           : profile->heap.measured          ? measure_of_heap(HEAPDATA_LIVE)
                                             : NULL;
}

bool choose_shown(struct report *report, struct fault *fault)
{
    const struct measure *requested = find_requested(report->profile, &report->choice);
    report->chosen = *report->profile;
    choose_heap(report, requested);
    choose_waits(report, requested);
    choose_latency(report, requested);
    report->profile = &report->chosen;
    return choose_measure(report, requested, fault) && choose_filtered(report, fault);
}

/* Returns the kinds of frames around code by which the rows are not requested. Their
   stacks are merged. */
static unsigned merged_kinds(const struct report_choice *choice)
{
    bool threads = choice->rows_key == ROWS_THREADS || choice->over == SPREAD_THREADS;
    return (threads ? 0 : 1U << STACKS_THREAD) |
           (choice->rows_key == ROWS_PROCESSES ? 0 : 1U << STACKS_PROCESS) |
           (choice->rows_key == ROWS_PARALLELISM ? 0 : 1U << STACKS_PARALLELISM);
}

/* Filters the stacks, merges threads and processes, and removes wrappers of allocators
   from stacks of the heap. */
static bool filter_stacks(struct report *report, struct stacks *stacks,
                          struct fault *fault)
{
    const struct report_choice *choice = &report->choice;
    struct wrappers wrappers = {0};
    if (profile_is_of_heap(report->profile))
        wrappers_find(&wrappers, stacks, &report->program, &choice->frames.wrappers,
                      &choice->names);
    bool moves = wrappers.names != NULL;
    unsigned merged = merged_kinds(choice) & ~choice->frames.kept_around;
    bool needed = stacks_filter_is_set(choice->filter) || moves ||
                  stacks_filter_merges(stacks, merged);
    bool good = !needed || stacks_filter_apply(stacks, choice->filter,
                                               moves ? &wrappers.moves : NULL, merged,
                                               &choice->names, fault);
    stacks->merged = merged_kinds(choice) & choice->frames.kept_around;
    free(report->wrappers);
    report->wrappers = wrappers.names;
    wrappers.names = NULL;
    wrappers_free(&wrappers);
    return good;
}

bool choose_stacks(struct report *report, struct stacks *stacks,
                   const struct patterns *split, struct fault *fault)
{
    const struct profile *profile = report->profile;
    bool measured = profile->kind != 0, splits = split && split->count;
    if (measured && !filter_stacks(report, stacks, fault))
        return false;
    if (measured && splits && !profile_measure(profile)->stacks)
        return fault_set(fault, FAULT_MISMATCH, "-split",
                         "calls were counted, each function's, not those of its copies");
    return !stacks->nodes.count || !splits ||
           stacks_split(stacks, split, &report->choice.names, fault);
}
