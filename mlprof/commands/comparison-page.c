/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the page of a comparison or of -growth. The page shows the side after the
   change, or the side with the greatest input. comparison.c calls it. */

#include "mlprof/base/buf.h"
#include "mlprof/base/path.h"
#include "mlprof/base/terminal.h"
#include "mlprof/base/text.h"
#include "mlprof/commands/commands.h"
#include "mlprof/commands/comparison-inside.h"
#include "mlprof/compare/compare-output.h"
#include "mlprof/export/export.h"

#include <stdlib.h>
#include <string.h>

/* Returns whether the stacks of the page have the measure that is compared. */
static bool is_main(const struct group *group, struct runset_measure measure)
{
    return measure.part == RUNSET_STACK ||
           (measure.part == RUNSET_OWN && measure.base == group->side.runs.list[0].main);
}

static bool evaluate_page(struct report *report, const struct group *group,
                          struct fault *fault)
{
    struct report_choice choice = comparison_choice(group);
    choice.frames.addresses = true;
    return report_open(report, &group->merged, group->tables, &choice, fault);
}

/* Writes a page of REPORT. PRINT_MORE prints additional fields from DATA. Frees
   TITLE. */
static bool write_page(const struct comparison *comparison, const struct group *group,
                       struct report *report, char *title,
                       void (*print_more)(struct datacolumns *columns, const void *data),
                       const void *data, struct fault *fault)
{
    const struct options *options = comparison->options;
    const struct view view = show_view(options, report);
    const struct export_input input = {
        .view = &view,
        .program = group->program,
        .maker = "ccprof " CCPROF_VERSION,
        .title = options->callgraph_title ? options->callgraph_title : title};
    char *text = NULL;
    size_t size;
    progress_set("mlprof: writing %s", comparison->page);
    FILE *out = buf_open(&text, &size);
    html_write_more(out, &input, print_more, data);
    buf_close(out);
    free(title);
    return export_save(comparison->page, text, size, fault);
}

static char *title_of_changes(const struct group *old, const struct group *new)
{
    BUF_OWN char *before = text_number(old->side.runs.count, "run");
    BUF_OWN char *after = text_number(new->side.runs.count, "run");
    const char *program = path_last(new->program), *other = path_last(old->program);
    /* If both programs have the same file name, the title shows their folders. */
    bool alike = strcmp(program, other) == 0;
    return old->program == new->program
               ? buf_format("%s: %s compared with %s before", program, after, before)
               : buf_format("%s, %s, compared with %s, %s",
                            alike ? new->program : program, after,
                            alike ? old->program : other, before);
}

static bool write_changes(const struct comparison *comparison,
                          const struct comparison_found *found,
                          const struct compare_page_regions *regions,
                          struct report *after, struct fault *fault)
{
    struct group *old = &comparison->groups[0], *new = &comparison->groups[1];
    const struct formula *formula = &comparison->options->formula;
    const struct compare_page_changes about = {
        .regions = regions,
        .view = found ? &found->view : NULL,
        .changes = found ? &found->changes : NULL,
        .formula = formula->count ? formula : NULL,
        .breakdowns = {&old->breakdown, &new->breakdown},
        .same_program = old->tables == new->tables,
        .main = found &&is_main(old, found->changes.measure) &&
                is_main(new, found->changes.measure),
        .after = &new->side,
        .after_breakdown = &new->breakdown,
        .page = after};
    return write_page(comparison, new, after, title_of_changes(old, new),
                      compare_page_changes, &about, fault);
}

bool comparison_page_changes(const struct comparison *comparison,
                             const struct comparison_found *found,
                             const struct regionchanges *regions, struct fault *fault)
{
    struct group *old = &comparison->groups[0], *new = &comparison->groups[1];
    struct report before, after;
    if (!comparison->page)
        return true;
    if (!evaluate_page(&after, new, fault))
        return false;
    bool good = !regions || comparison_evaluate_regions(&before, old, fault);
    const struct compare_page_regions about = {.changes = regions,
                                               .sides = {&old->regions, &new->regions},
                                               .all = {&before, &after}};
    if (good) {
        good = write_changes(comparison, found, regions ? &about : NULL, &after, fault);
        if (regions)
            report_close(&before);
    }
    report_close(&after);
    return good;
}

bool comparison_page_growth(const struct comparison *comparison,
                            const struct growth_input *input, struct fault *fault)
{
    struct report report;
    struct group *greatest = &comparison->groups[comparison->count - 1];
    if (!comparison->page)
        return true;
    if (!evaluate_page(&report, greatest, fault))
        return false;
    BUF_OWN const struct breakdown **breakdowns =
        buf_alloc(comparison->count * sizeof *breakdowns);
    for (size_t i = 0; i < comparison->count; i++)
        breakdowns[i] = &comparison->groups[i].breakdown;
    const struct compare_page_growth about = {.input = input,
                                              .breakdowns = breakdowns,
                                              .side = &greatest->side,
                                              .breakdown = &greatest->breakdown,
                                              .program = greatest->program,
                                              .page = &report};
    char *title = buf_format("%s: growth over %zu sizes", path_last(greatest->program),
                             comparison->count);
    bool good = write_page(comparison, greatest, &report, title, compare_page_growth,
                           &about, fault);
    report_close(&report);
    return good;
}
