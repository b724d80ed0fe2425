/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/base/buf.h"
#include "mlprof/base/files.h"
#include "mlprof/base/terminal.h"
#include "mlprof/base/text.h"
#include "mlprof/commands/gates-inside.h"
#include "mlprof/profile/heappoints.h"

#include <stdlib.h>

/* Keeps only the columns to write or to compare: the counted columns, or the column of
   -measure.  Total columns are written only on request.  Returns whether at least one
   column was kept.  */
static bool choose_columns(struct runset_run *run, const struct options *options)
{
    size_t kept = 0;
    for (size_t i = 0; i < run->column_count; i++) {
        struct runset_column *column = &run->columns[i];
        enum runset_part part = column->measure.part;
        bool selected = options_has_measure(options)
                            ? options_requests_measure(options, column->measure)
                            : part != RUNSET_STACK || !options->gate_write;
        if (selected && !column->measure.of->sampled) {
            run->columns[kept++] = *column;
            continue;
        }
        free(column->values);
        free(column->intervals);
    }
    run->column_count = kept;
    return kept;
}

/* Evaluates the counts for a baseline, and keeps the columns to write or compare.  */
static bool evaluate_counts(struct runset *side, const struct gates_input *input,
                            struct fault *fault)
{
    const struct options *options = input->options;
    const struct views_request *heap = options_request(options, &heapview_entry);
    bool of_heap = views_is_requested(heap) || heappoints_alone(input->profile);
    bool total = options->measure.column == VIEW_STACK;
    const struct measure *measure =
        options->measure.measure ? options->measure.measure
        : total ? measure_of_kinds(input->profile->kind & CCPROF_KINDS_COUNTED)
                : NULL;
    if (!of_heap && options->measure.measure && options->measure.measure->sampled)
        return fault_set(fault, FAULT_MISMATCH, input->option,
                         "time is sampled, so two runs never have the same: leave out "
                         "-measure, or choose a counted measure");
    if (!gates_evaluate(side, input, heap, measure, fault))
        return false;
    /* -measure does not select executions.  */
    if (options_has_measure(options))
        linecounts_free(&side->points);
    return choose_columns(&side->runs[0], options) ||
           fault_set(fault, FAULT_MISMATCH, total ? "-measure total" : "-measure",
                     total ? "not counted: compile with "
                             "-fplugin-arg-ccprof-profile=count, or alloc, and "
                             "-fplugin-arg-ccprof-stack"
                           : "the heap has bytes and blocks");
}

/* Checks that every measure of the baseline was counted now.  If -measure is
   REQUESTED, the baseline has only this measure.  */
static bool check_measures(const struct runset *baseline, const struct runset *now,
                           const char *path, bool requested, struct fault *fault)
{
    const struct runset_run *of = &baseline->runs[0], *run = &now->runs[0];
    const struct measure *heap = of->columns[0].measure.of;
    bool of_heap = measure_is_of_heap(run->main);
    if (measure_is_of_heap(heap) && heap != run->main)
        return fault_set(fault, FAULT_MISMATCH, path, "is of -heap %s", heap->word);
    if (of_heap && !measure_is_of_heap(heap))
        return fault_set(fault, FAULT_MISMATCH, path, "is not of the heap");
    for (size_t i = 0; i < of->column_count; i++) {
        struct runset_measure measure = of->columns[i].measure;
        if (runset_has(now, measure))
            continue;
        BUF_OWN char *unit = runset_unit(baseline, measure);
        bool blocks = measure.of->blocks && measure.part != RUNSET_STACK;
        BUF_OWN char *word =
            blocks ? buf_format("%s and blocks", measure.of->word) : buf_copy(unit);
        return gates_lack(path, word, measure, fault);
    }
    if (baseline->points.measured && !now->points.measured && !requested)
        return fault_set(
            fault, FAULT_MISMATCH, path,
            "has executions of lines, which the data have not: compile with "
            "-fplugin-arg-ccprof-profile=count and -fplugin-arg-ccprof-blocks");
    return true;
}

static void print_points(FILE *out, const struct gate *gate)
{
    char *lines = text_number(gate->lines, "line");
    char *outcomes = text_number(gate->outcomes, "outcome");
    fprintf(out, ", executions of %s, %s of branches", lines, outcomes);
    free(lines);
    free(outcomes);
    if (!gate->sums)
        return;
    BUF_OWN char *sums = text_number(gate->sums, "sum");
    fprintf(out, ", %s over a different number of these", sums);
}

/* If BOTH, prints the measures of SIDE that OTHER has, too.  Otherwise prints the
   measures of SIDE that OTHER does not have.  Prints *BETWEEN before each measure.  */
static void print_measures(FILE *out, const struct runset *side,
                           const struct runset *other, bool both, const char **between)
{
    for (size_t i = 0; i < side->runs[0].column_count; i++) {
        struct runset_measure measure = side->runs[0].columns[i].measure;
        if (runset_has(other, measure) != both || (!both && measure.part == RUNSET_STACK))
            continue;
        BUF_OWN char *unit = runset_unit(side, measure);
        fprintf(out, "%s%s", *between, unit);
        *between = ", ";
    }
}

/* Prints the measures that were compared, and the measures that were counted but are
   not in the baseline.  */
static void print_compared(FILE *out, const struct gate *gate)
{
    const struct runset *baseline = gate->sides[0], *now = gate->sides[1];
    const struct measure *main = now->runs[0].main;
    const char *between = ": ";
    print_measures(out, baseline, now, true, &between);
    if (measure_is_of_heap(main))
        fprintf(out, " %s", main->what);
    if (baseline->points.measured)
        print_points(out, gate);
    between = "; counted now, but not in the baseline: ";
    print_measures(out, now, baseline, false, &between);
    if (!baseline->points.measured && now->points.measured)
        fprintf(out, "%sexecutions of lines, outcomes of branches", between);
    putc('\n', out);
}

static char *equal_text(const struct gate *gate)
{
    char *text = NULL;
    size_t size;
    FILE *out = buf_open(&text, &size);
    BUF_OWN char *functions = text_number(gate->functions, "function");
    if (gate->threshold > 0)
        fprintf(out, "%s within %g %% of %s", functions, gate->threshold, gate->path);
    else
        fprintf(out, "%s as in %s", functions, gate->path);
    print_compared(out, gate);
    buf_close(out);
    return text;
}

static bool compare(const struct runset *now, struct runset *baseline,
                    const char *compiler, const struct gates_input *input,
                    struct fault *fault)
{
    const struct options *options = input->options;
    bool good =
        (choose_columns(&baseline->runs[0], options) ||
         fault_set(fault, FAULT_MISMATCH, options->gate,
                   "does not have the measure of -measure; its measures are in "
                   "the line that begins with `measures'")) &&
        check_measures(baseline, now, options->gate, options_has_measure(options), fault);
    /* -measure does not select executions.  */
    baseline->points.measured &= now->points.measured || !options_has_measure(options);
    if (!good)
        return false;
    struct gate gate = {.path = options->gate,
                        .threshold = options->gate_threshold,
                        .compilers = {compiler, input->compiler}};
    gate_find(&gate, baseline, now);
    BUF_OWN char *equal = gate.failed ? NULL : equal_text(&gate);
    good = gates_report(&gate, input, equal, fault);
    gate_free(&gate);
    return good;
}

/* Keeps only the counts of SIDE that the baseline has.  */
static void keep_common(struct runset *side, const struct runset *baseline)
{
    struct runset_run *run = &side->runs[0];
    size_t kept = 0;
    for (size_t i = 0; i < run->column_count; i++)
        if (runset_has(baseline, run->columns[i].measure)) {
            run->columns[kept++] = run->columns[i];
        } else {
            free(run->columns[i].values);
            free(run->columns[i].intervals);
        }
    run->column_count = kept;
    if (!baseline->points.measured)
        linecounts_free(&side->points);
}

/* Writes NOW as a baseline.  If a baseline is updated, BEFORE is its content, and the
   file is replaced at once.  */
static bool write_baseline(struct runset *now, const struct runset *before,
                           const struct gates_input *input, const char *path,
                           struct fault *fault)
{
    if (before && !check_measures(before, now, path, false, fault))
        return false;
    if (before)
        keep_common(now, before);
    BUF_OWN char *text = NULL;
    size_t size;
    FILE *out = buf_open(&text, &size);
    baseline_write(out, now, input->compiler);
    buf_close(out);
    progress_end();
    return save_file(path, text, size, fault);
}

bool gates_baseline(const struct gates_input *input, const char *path, const char *text,
                    size_t size, struct fault *fault)
{
    struct runset now = {0}, baseline = {0};
    BUF_OWN char *compiler = NULL;
    bool good =
        (!text || baseline_parse(&baseline, &compiler, path, text, size, fault)) &&
        evaluate_counts(&now, input, fault);
    if (good)
        good = input->options->gate
                   ? compare(&now, &baseline, compiler, input, fault)
                   : write_baseline(&now, text ? &baseline : NULL, input, path, fault);
    runset_free(&now);
    runset_free(&baseline);
    return good;
}
