/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compares the times of regions and prints the table and the histograms. comparison.c
   calls it if regions are compared. */

#include "mlprof/base/buf.h"
#include "mlprof/base/terminal.h"
#include "mlprof/commands/commands.h"
#include "mlprof/commands/comparison-inside.h"
#include "mlprof/compare/compare-output.h"
#include "mlprof/view/views.h"

#include <stdlib.h>

bool comparison_has_regions(const struct comparison *comparison)
{
    for (size_t s = 0; s < 2; s++) {
        const struct regionside *side = &comparison->groups[s].regions;
        if (side->measured < side->runs.count)
            return false;
    }
    return true;
}

void comparison_find_regions(const struct comparison *comparison,
                             struct regionchanges *changes)
{
    const struct group *groups = comparison->groups;
    const struct regionside *const sides[] = {&groups[0].regions, &groups[1].regions};
    regionchanges_find(changes, sides);
    for (size_t s = 0; s < 2; s++)
        changes->programs[s] = groups[s].program;
    regionchanges_sort(changes, comparison->options->sort);
}

/* Prints histograms before and after the change for the regions whose names match. */
static bool print_histograms(const struct comparison *comparison,
                             const struct regionchanges *changes, struct fault *fault)
{
    const struct options *options = comparison->options;
    struct report reports[2];
    struct group *groups = comparison->groups;
    if (!comparison_evaluate_regions(&reports[0], &groups[0], fault))
        return false;
    if (!comparison_evaluate_regions(&reports[1], &groups[1], fault)) {
        report_close(&reports[0]);
        return false;
    }
    const struct regionrows_row **rows[2];
    for (size_t s = 0; s < 2; s++)
        rows[s] = regionside_rows(&groups[s].regions,
                                  report_regions(&reports[s], groups[s].regions.key));
    size_t shown = 0;
    for (size_t i = 0; i < changes->count; i++) {
        const struct regionchange *change = &changes->changes[i];
        struct histogram_side sides[2] = {{.head = "before"}, {.head = "after"}};
        if (!pattern_is_in(&options_request(options, &histogram_entry)->pattern,
                           change->name) ||
            (options->top > 0 && shown == (size_t)options->top))
            continue;
        for (size_t s = 0; s < 2; s++) {
            sides[s].rows = report_regions(&reports[s], groups[s].regions.key);
            if (change->regions[s] != MATCH_NONE)
                sides[s].row = rows[s][change->regions[s]];
        }
        if (shown++)
            putchar('\n');
        histogram_print_sides(stdout, change->name, sides);
    }
    for (size_t s = 0; s < 2; s++) {
        free(rows[s]);
        report_close(&reports[s]);
    }
    return true;
}

static bool check_histogram(const struct options *options,
                            const struct regionchanges *changes, struct fault *fault)
{
    const struct pattern *pattern = &options_request(options, &histogram_entry)->pattern;
    if (!pattern->text)
        return true;
    for (size_t i = 0; i < changes->count; i++)
        if (pattern_is_in(pattern, changes->changes[i].name))
            return true;
    BUF_OWN char *what = buf_format("-histogram %s", pattern->text);
    return fault_set(fault, FAULT_MISMATCH, what, "no region that was measured matches");
}

bool comparison_regions(const struct comparison *comparison,
                        const struct comparison_found *found, struct fault *fault)
{
    const struct options *options = comparison->options;
    const char *histogram = options_request(options, &histogram_entry)->pattern.text;
    bool requested = views_is_requested(options_request(options, &regionsview_entry));
    struct regionchanges changes;
    if (!comparison_has_regions(comparison))
        return fault_set(fault, FAULT_MISMATCH, histogram ? "-histogram" : "-regions",
                         "not all the runs have measured regions");
    comparison_find_regions(comparison, &changes);
    bool good = check_histogram(options, &changes, fault) &&
                compare_data_regions(&options->exports, "ccprof " CCPROF_VERSION,
                                     &changes, fault) &&
                comparison_page_changes(comparison, found, &changes, fault);
    progress_print();
    bool printed = good && !viewfiles_alone(options);
    if (printed && (requested || !histogram))
        regionchanges_print(stdout, &changes, options_top(options));
    if (printed && requested && histogram)
        putchar('\n');
    if (printed && histogram)
        good = print_histograms(comparison, &changes, fault);
    regionchanges_free(&changes);
    return good;
}
