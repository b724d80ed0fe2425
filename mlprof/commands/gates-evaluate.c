/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Evaluates exact counts for a gate (gates-inside.h). */

#include "mlprof/base/buf.h"
#include "mlprof/base/terminal.h"
#include "mlprof/commands/gates-inside.h"
#include "mlprof/profile/heappoints.h"
#include "mlprof/view/heapwords.h"

bool gates_evaluate(struct runset *side, const struct gates_input *input,
                    const struct views_request *heap, const struct measure *measure,
                    unsigned beside, struct fault *fault)
{
    const struct options *options = input->options;
    const struct profile *profile = input->profile;
    bool of_heap = views_is_requested(heap) || heappoints_alone(profile);
    /* Tables and reports show the position, so names need not contain it. */
    struct names_style names = options->names;
    names.show_line = true;
    const struct report_choice choice = {
        .executable = options->operands[0],
        .unprofile = &options->unprofile,
        .filter = &options->filter,
        .names = names,
        .branches = BRANCH_COMPILED,
        .artificial = options->artificial,
        .tolerant = options->tolerant,
        .measure = views_is_requested(heap) ? measure_compared(&measure_all[heap->choice])
                   : of_heap                ? NULL
                                            : measure,
        .beside = beside,
    };
    struct report report;
    if (of_heap && profile->heap.sample)
        return fault_set(
            fault, FAULT_MISMATCH, input->option,
            "blocks were sampled, so that no two runs have the same: run the "
            "program with CCPROF=heap=exact");
    if (of_heap ? profile->heap.unkept : profile->uncounted) {
        progress_clear();
        fputs(of_heap ? "mlprof: not all calls of the allocator are counted in the data\n"
                      : "mlprof: not all that threads have counted is in the data\n",
              stderr);
    }
    if (!report_open(&report, profile, input->executable, &choice, fault))
        return false;
    struct view view = show_view(options, &report);
    view.request = heap;
    bool good = !views_is_requested(heap) || views_check(&heapview_entry, &view, fault);
    if (good) {
        runset_add(side, &report);
        runset_add_modules(side, &report);
        runset_add_points(side, &report);
    }
    report_close(&report);
    return good;
}

bool gates_lack(const char *path, const char *word, struct runset_measure measure,
                struct fault *fault)
{
    const char *profile = measure.base->profile;
    return fault_set(fault, FAULT_MISMATCH, path, "has %s, which the data have not%s%s%s",
                     word, profile ? ": compile with -fplugin-arg-ccprof-profile=" : "",
                     profile ? profile : "",
                     measure.part == RUNSET_STACK   ? " and -fplugin-arg-ccprof-stack"
                     : measure.part == RUNSET_LINES ? " and -fplugin-arg-ccprof-blocks"
                                                    : "");
}
