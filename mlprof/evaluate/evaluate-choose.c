/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chooses the part of a profile that is shown, for evaluate.c: the heap or what else was
   measured, one measure of several, and only measures with stacks if these are
   filtered.  */

#include "mlprof/base/buf.h"
#include "mlprof/evaluate/evaluate-inside.h"
#include "mlprof/profile/heappoints.h"

#include <stdlib.h>

/* Puts the heap in the place of what else was measured, if that is wanted.  */
static void choose_heap(struct evaluate_result *result,
                        const struct evaluate_wishes *wishes)
{
    const struct profile *profile = result->profile;
    bool asked = measure_is_of_heap(wishes->measure);
    if (!profile->heap.measured || (!asked && !heappoints_alone(profile)))
        return;
    heappoints_make(&result->chosen, profile, wishes->heap_whole);
    result->chosen.shown = measure_of_heap(
        asked ? heapdata_known(&profile->heap, wishes->measure->heap) : HEAPDATA_LIVE);
}

/* Leaves out of the profile what is shown before the measure that is wanted.  */
static bool choose_measure(struct evaluate_result *result,
                           const struct evaluate_wishes *wishes, struct fault *fault)
{
    const struct measure *wanted = wishes->measure;
    struct profile *chosen = &result->chosen;
    unsigned kind = chosen->kind;
    if (!wanted || measure_is_of_heap(wanted))
        return true;
    if (!(kind & wanted->kinds)) {
        char *option =
            buf_format("-measure %s%s%s", wanted->word, wanted->blocks ? " or " : "",
                       wanted->blocks ? wanted->blocks : "");
        fault_set(fault, FAULT_MISMATCH, option,
                  chosen->shown
                      ? "the heap has bytes and blocks"
                      : "not measured: compile with -fplugin-arg-ccprof-profile=%s",
                  wanted->profile);
        free(option);
        return false;
    }
    while (measure_of_kinds(kind) != wanted && kind & measure_of_kinds(kind)->kinds)
        kind &= ~measure_of_kinds(kind)->kinds;
    if (kind == chosen->kind)
        return true;
    chosen->kind = kind;
    chosen->node_count = chosen->indexed = 0;
    chosen->samples = chosen->own = chosen->lost = 0;
    chosen->stack = false;
    chosen->times = (struct times){0};
    return true;
}

/* Leaves out of the profile what was counted beside samples or bytes, since it has no
   stacks to be filtered.  */
static bool choose_filtered(struct evaluate_result *result,
                            const struct evaluate_wishes *wishes, struct fault *fault)
{
    struct profile *chosen = &result->chosen;
    unsigned measured = chosen->kind;
    if (!stacks_filter_is_set(wishes->filter))
        return true;
    if (!profile_measure(chosen)->stacks) {
        BUF_OWN char *text = stacks_filter_text(wishes->filter);
        fault_set(fault, FAULT_MISMATCH, text,
                  "calls were counted, which have no stacks");
        return false;
    }
    chosen->kind &=
        measured & CCPROF_KINDS_SAMPLED ? CCPROF_KINDS_SAMPLED : CCPROF_KIND_ALLOC;
    chosen->target_count = 0;
    result->left_out = measured & ~chosen->kind;
    return true;
}

bool evaluate_choose(struct evaluate_result *result, const struct evaluate_wishes *wishes,
                   struct fault *fault)
{
    result->chosen = *result->profile;
    choose_heap(result, wishes);
    result->profile = &result->chosen;
    return choose_measure(result, wishes, fault) &&
           choose_filtered(result, wishes, fault);
}
