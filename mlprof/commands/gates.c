/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/base/buf.h"
#include "mlprof/base/files.h"
#include "mlprof/base/path.h"
#include "mlprof/base/terminal.h"
#include "mlprof/base/text.h"
#include "mlprof/commands/commands.h"
#include "mlprof/compare/compare-output.h"
#include "mlprof/compare/gate.h"
#include "mlprof/input/datafiles.h"
#include "mlprof/profile/heappoints.h"
#include "mlprof/view/heapwords.h"

#include <stdlib.h>
#include <string.h>

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
                            : part != RUNSET_STACK || options->gate;
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

/* Adds the counts of PROFILE to SIDE.  Options about time have no effect.  */
static bool evaluate_counts(struct runset *side, const struct profile *profile,
                            const struct options *options, struct tables *executable,
                            struct fault *fault)
{
    const struct views_request *requested = options_request(options, &heapview_entry);
    const char *option = options->gate ? "-gate" : "-gate-write";
    bool heap = views_is_requested(requested) || heappoints_alone(profile);
    const struct evaluate_request request = {
        .executable = options->operands[0],
        .unprofile = &options->unprofile,
        .filter = &options->filter,
        .names = options->names,
        .branches = BRANCH_COMPILED,
        .artificial = options->artificial,
        .tolerant = options->tolerant,
        .measure = heap                       ? measure_compared(options_heap(options))
                   : options->measure.measure ? options->measure.measure
                   : options->measure.column == VIEW_STACK
                       ? measure_of_kinds(profile->kind & CCPROF_KINDS_COUNTED)
                       : NULL,
    };
    struct evaluate_result result;
    if (!heap && options->measure.measure && options->measure.measure->sampled)
        return fault_set(fault, FAULT_MISMATCH, option,
                         "time is sampled, so two runs never have the same: leave out "
                         "-measure, or choose a counted measure");
    if (!heap && !(profile->kind & CCPROF_KINDS_COUNTED))
        return fault_set(fault, FAULT_MISMATCH, option,
                         "nothing was counted: compile with "
                         "-fplugin-arg-ccprof-profile=count, or alloc%s",
                         profile->heap.measured ? "; or name what of the heap: -heap peak"
                                                : "");
    if (heap && profile->heap.sample)
        return fault_set(
            fault, FAULT_MISMATCH, option,
            "blocks were sampled, so that no two runs have the same: run the "
            "program with CCPROF=heap=exact");
    if (heap ? profile->heap.unkept : profile->uncounted) {
        progress_clear();
        fputs(heap ? "mlprof: not all calls of the allocator are counted in the data\n"
                   : "mlprof: not all that threads have counted is in the data\n",
              stderr);
    }
    if (!evaluate(&result, profile, executable, &request, fault))
        return false;
    struct view view = show_view(options, &result);
    view.request = requested;
    bool good = !views_is_requested(requested) || heapview_entry.check(&view, fault);
    if (good) {
        runset_add(side, &result);
        good = choose_columns(&side->runs[0], options) ||
               fault_set(fault, FAULT_MISMATCH,
                         options->measure.column == VIEW_STACK ? "-measure total"
                                                               : "-measure",
                         options->measure.column == VIEW_STACK
                             ? "not counted: compile with "
                               "-fplugin-arg-ccprof-profile=count, or alloc, and "
                               "-fplugin-arg-ccprof-stack"
                             : "the heap has bytes and blocks");
        runset_add_modules(side, &result);
        if (!options_has_measure(options))
            runset_add_points(side, &result);
    }
    evaluate_free(&result);
    return good;
}

static bool read_baseline(struct runset *side, const char *path, struct fault *fault)
{
    size_t size;
    const char *file = strcmp(path, "-") == 0 ? "/dev/stdin" : path;
    BUF_OWN char *text = content_read(file, "ccprof", &size, fault);
    return text && baseline_parse(side, path, text, size, fault);
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
        const char *profile = measure.of->profile;
        fault_set(fault, FAULT_MISMATCH, path, "has %s%s, which the data have not%s%s%s",
                  blocks ? measure.of->word : unit, blocks ? " and blocks" : "",
                  profile ? ": compile with -fplugin-arg-ccprof-profile=" : "",
                  profile ? profile : "",
                  measure.part == RUNSET_STACK ? " and -fplugin-arg-ccprof-stack" : "");
        return false;
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

static void print_equal(const struct gate *gate, const struct options *options,
                        const char *functions)
{
    BUF_OWN char *text = NULL;
    size_t size;
    FILE *out = buf_open(&text, &size);
    if (options->gate_threshold > 0)
        fprintf(out, "%s within %g %% of %s", functions, options->gate_threshold,
                options->gate);
    else
        fprintf(out, "%s as in %s", functions, options->gate);
    print_compared(out, gate);
    buf_close(out);
    terminal_print(stdout, text);
}

static bool judge(const struct gate *gate, const struct options *options,
                  struct fault *fault)
{
    BUF_OWN char *functions = text_number(gate->functions, "function");
    bool good = true;
    if (gate->beyond)
        good = fault_set(fault, FAULT_BEYOND, options->gate,
                         "%zu of %s differ by more than %g %%", gate->beyond, functions,
                         options->gate_threshold);
    else if (!viewfiles_take_output(options))
        print_equal(gate, options, functions);
    return good;
}

/* Prints a line for each module that has counts only on one side.  */
static void print_modules(const struct gate *gate, const struct profile *profile)
{
    for (size_t i = 0; i < gate->module_count; i++) {
        const struct gate_module *module = &gate->modules[i];
        const char *path = NULL;
        for (size_t m = 1; m < profile->module_count; m++)
            if (strcmp(path_last(profile->modules[m].path), module->name) == 0)
                path = profile->modules[m].path;
        BUF_OWN char *functions = text_number(module->functions, "function");
        BUF_OWN char *text =
            module->side ? buf_format("%s: not in the baseline", module->name)
            : path       ? buf_format("%s: the one loaded now, %s, has counted nothing",
                                      module->name, path)
                         : buf_format("%s: not in the data", module->name);
        BUF_OWN char *line = buf_format("%s; %s %s\n", text, functions,
                                        module->side && module->functions == 1 ? "is new"
                                        : module->side                         ? "are new"
                                        : module->functions == 1               ? "is gone"
                                                                 : "are gone");
        terminal_print(stdout, line);
    }
}

static bool compare(const struct runset *now, const struct profile *profile,
                    const struct options *options, struct fault *fault)
{
    struct runset baseline = {0};
    bool good = read_baseline(&baseline, options->gate, fault) &&
                (choose_columns(&baseline.runs[0], options) ||
                 fault_set(fault, FAULT_MISMATCH, options->gate,
                           "does not have the measure of -measure; its second line names "
                           "its measures")) &&
                check_measures(&baseline, now, options->gate,
                               options_has_measure(options), fault);
    /* -measure does not select executions.  */
    baseline.points.measured &= now->points.measured || !options_has_measure(options);
    progress_end();
    if (good) {
        struct gate gate;
        gate_find(&gate, &baseline, now, options->gate_threshold);
        good = compare_data_gate(
            &(struct compare_data_files){&options->exports, "ccprof " CCPROF_VERSION},
            &gate, options->gate, options->gate_threshold, fault);
        if (good && !viewfiles_take_output(options)) {
            gate_table_print(stdout, &gate, options->names.show_line,
                             options->top < 0 ? GATE_TABLE_TOP : (size_t)options->top);
            print_modules(&gate, profile);
        }
        good = good && judge(&gate, options, fault);
        gate_free(&gate);
    }
    runset_free(&baseline);
    return good;
}

static bool write(const struct runset *now, const char *path, struct fault *fault)
{
    BUF_OWN char *text = NULL;
    size_t size;
    FILE *out = buf_open(&text, &size);
    baseline_write(out, now);
    buf_close(out);
    progress_end();
    return save_file(path, text, size, fault);
}

bool gates_show(const struct options *options, struct tables *executable,
                struct fault *fault)
{
    struct profile profile = {0};
    struct runset now = {0};
    advice_link(executable, options->operands[0]);
    bool good = viewfiles_check(options, fault) &&
                datafiles_read(&profile, options, executable, fault) &&
                evaluate_counts(&now, &profile, options, executable, fault);
    if (good)
        good = options->gate ? compare(&now, &profile, options, fault)
                             : write(&now, options->gate_write, fault);
    runset_free(&now);
    profile_free(&profile);
    return good;
}
