/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/commands/gates.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/files.h"
#include "mlprof/base/path.h"
#include "mlprof/base/progress.h"
#include "mlprof/base/terminal.h"
#include "mlprof/base/text.h"
#include "mlprof/commands/advice.h"
#include "mlprof/commands/show.h"
#include "mlprof/commands/viewfiles.h"
#include "mlprof/compare/baseline.h"
#include "mlprof/compare/compare-data.h"
#include "mlprof/compare/gate.h"
#include "mlprof/input/datafiles.h"
#include "mlprof/profile/heappoints.h"
#include "mlprof/view/heapwords.h"

#include <stdlib.h>
#include <string.h>

/* Adds the counts of PROFILE to SIDE.  Options that are about time have no effect.  */
static bool evaluate_counts(struct side *side, const struct profile *profile,
                            const struct options *options, struct tables *executable,
                            struct fault *fault)
{
    const struct views_asked *asked = options_asked(options, &heapview_entry);
    const char *option = options->gate ? "-gate" : "-gate-write";
    bool heap = views_is_asked(asked) || heappoints_alone(profile);
    const struct evaluate_wishes wishes = {
        .executable = options->operands[0],
        .unprofile = &options->unprofile,
        .filter = &options->filter,
        .names = options->names,
        .branches = BRANCH_COMPILED,
        .artificial = options->artificial,
        .tolerant = options->tolerant,
        .measure = measure_compared(options_heap(options)),
    };
    struct evaluate_result result;
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
    if (!evaluate(&result, profile, executable, &wishes, fault))
        return false;
    struct view view = show_view(options, &result);
    view.asked = asked;
    bool good = !views_is_asked(asked) || heapview_entry.check(&view, fault);
    if (good) {
        side_add(side, &result);
        side_add_modules(side, &result);
        side_add_points(side, &result);
    }
    evaluate_free(&result);
    return good;
}

static bool read_baseline(struct side *side, const char *path, struct fault *fault)
{
    size_t size;
    const char *file = strcmp(path, "-") == 0 ? "/dev/stdin" : path;
    char *text = content_read(file, "ccprof", &size, fault);
    bool good = text && baseline_parse(side, path, text, size, fault);
    free(text);
    return good;
}

/* Checks that all that the baseline has was counted now.  */
static bool check_measures(const struct side *baseline, const struct side *now,
                           const char *path, struct fault *fault)
{
    const struct side_run *of = &baseline->runs[0], *run = &now->runs[0];
    if (of->heap && (!run->heap || of->heap_measure != run->heap_measure))
        return fault_set(fault, FAULT_MISMATCH, path, "is of -heap %s",
                         measure_of_heap(of->heap_measure)->word);
    if (run->heap && !of->heap)
        return fault_set(fault, FAULT_MISMATCH, path, "is not of the heap");
    if (side_has(baseline, SIDE_CALLS) && !side_has(now, SIDE_CALLS))
        return fault_set(fault, FAULT_MISMATCH, path,
                         "has calls, which the data have not: compile with "
                         "-fplugin-arg-ccprof-profile=count");
    if (side_has(baseline, SIDE_BYTES) && !side_has(now, SIDE_BYTES))
        return fault_set(fault, FAULT_MISMATCH, path,
                         "has bytes and blocks, which the data have not: compile with "
                         "-fplugin-arg-ccprof-profile=alloc");
    if (baseline->points.measured && !now->points.measured)
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
    char *sums = text_number(gate->sums, "sum");
    fprintf(out, ", %s of what has more or fewer of these now", sums);
    free(sums);
}

/* Prints what was compared, and what was counted but is not in the baseline.  */
static void print_compared(FILE *out, const struct gate *gate)
{
    const struct side_run *run = &gate->sides[1]->runs[0];
    static const struct {
        enum side_measure measure;
        const char *name;
    } measures[] = {{SIDE_CALLS, "calls"}, {SIDE_BYTES, "bytes, blocks"}};
    const struct side *baseline = gate->sides[0], *now = gate->sides[1];
    const char *between = ": ";
    for (size_t i = 0; i < sizeof measures / sizeof *measures; i++)
        if (side_has(baseline, measures[i].measure)) {
            fprintf(out, "%s%s", between, measures[i].name);
            between = ", ";
        }
    if (run->heap)
        fprintf(out, " %s", measure_of_heap(run->heap_measure)->what);
    if (baseline->points.measured)
        print_points(out, gate);
    between = "; counted now, but not in the baseline: ";
    for (size_t i = 0; i < sizeof measures / sizeof *measures; i++)
        if (!side_has(baseline, measures[i].measure) &&
            side_has(now, measures[i].measure)) {
            fprintf(out, "%s%s", between, measures[i].name);
            between = ", ";
        }
    if (!baseline->points.measured && now->points.measured)
        fprintf(out, "%sexecutions of lines, outcomes of branches", between);
    putc('\n', out);
}

static void print_equal(const struct gate *gate, const struct options *options,
                        const char *functions)
{
    char *text = NULL;
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
    free(text);
}

static bool judge(const struct gate *gate, const struct options *options,
                  struct fault *fault)
{
    char *functions = text_number(gate->functions, "function");
    bool good = true;
    if (gate->beyond)
        good = fault_set(fault, FAULT_BEYOND, options->gate,
                         "%zu of %s differ by more than %g %%", gate->beyond, functions,
                         options->gate_threshold);
    else if (!viewfiles_take_output(options))
        print_equal(gate, options, functions);
    free(functions);
    return good;
}

/* Prints a line for each module that counted on one side alone.  */
static void print_modules(const struct gate *gate, const struct profile *profile)
{
    for (size_t i = 0; i < gate->module_count; i++) {
        const struct gate_module *module = &gate->modules[i];
        const char *path = NULL;
        for (size_t m = 1; m < profile->module_count; m++)
            if (strcmp(path_last(profile->modules[m].path), module->name) == 0)
                path = profile->modules[m].path;
        char *functions = text_number(module->functions, "function");
        char *text = module->side ? buf_format("%s: not in the baseline", module->name)
                     : path
                         ? buf_format("%s: the one loaded now, %s, has counted nothing",
                                      module->name, path)
                         : buf_format("%s: not in the data", module->name);
        char *line = buf_format("%s; %s %s\n", text, functions,
                                module->side && module->functions == 1 ? "is new"
                                : module->side                         ? "are new"
                                : module->functions == 1               ? "is gone"
                                                                       : "are gone");
        terminal_print(stdout, line);
        free(line);
        free(text);
        free(functions);
    }
}

static bool compare(const struct side *now, const struct profile *profile,
                    const struct options *options, struct fault *fault)
{
    struct side baseline = {0};
    bool good = read_baseline(&baseline, options->gate, fault) &&
                check_measures(&baseline, now, options->gate, fault);
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
    side_free(&baseline);
    return good;
}

static bool write(const struct side *now, const char *path, struct fault *fault)
{
    char *text = NULL;
    size_t size;
    FILE *out = buf_open(&text, &size);
    baseline_write(out, now);
    buf_close(out);
    progress_end();
    bool good = save_file(path, text, size, fault);
    free(text);
    return good;
}

bool gates_show(const struct options *options, struct tables *executable,
                struct fault *fault)
{
    struct profile profile = {0};
    struct side now = {0};
    advice_link(executable, options->operands[0]);
    bool good = viewfiles_check(options, fault) &&
                datafiles_read(&profile, options, executable, fault) &&
                evaluate_counts(&now, &profile, options, executable, fault);
    if (good)
        good = options->gate ? compare(&now, &profile, options, fault)
                             : write(&now, options->gate_write, fault);
    side_free(&now);
    profile_free(&profile);
    return good;
}
