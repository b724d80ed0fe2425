/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/comparison.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/progress.h"
#include "mlprof/compare/change-order.h"
#include "mlprof/compare/compare-data.h"
#include "mlprof/compare/compareview.h"
#include "mlprof/compare/growth.h"
#include "mlprof/datafiles.h"
#include "mlprof/evaluate/catalog.h"
#include "mlprof/inputs.h"
#include "mlprof/profile/mlmon.h"
#include "mlprof/program/program.h"
#include "mlprof/rows/row-names.h"
#include "mlprof/viewfiles.h"

#include <stdio.h>
#include <stdlib.h>

/* Data files of one program and one size of input, as the command line has them: its
   words, and lists of others.  */
struct group {
    const struct options *options;
    struct fault *fault;
    const char *program;
    struct tables *tables;
    bool own_tables; /* to be closed */
    char **files;
    size_t count;
    size_t part, parts; /* lists from which part of the command line on, and to which */
    double size;        /* 0: not told */
    bool after;         /* behind -compare */
    struct side side;
};

struct comparison {
    const struct options *options;
    struct group *groups;
    size_t count, capacity;
};

bool comparison_is_wanted(const struct options *options)
{
    return options->growth || options->divisions.count;
}

static struct group *add_group(struct comparison *comparison, struct group group)
{
    comparison->groups = buf_grow(comparison->groups, &comparison->capacity,
                                  comparison->count + 1, sizeof *comparison->groups);
    comparison->groups[comparison->count] = group;
    return &comparison->groups[comparison->count++];
}

/* Whether a list stands behind so many of the words that divide the operands.  */
static bool has_list(const struct options *options, size_t part)
{
    for (size_t i = 0; i < options->lists.count; i++)
        if (options->lists.part[i] == part)
            return true;
    return false;
}

/* Shares out the operands and lists: -compare and -size stand before those that they are
   about. The first word behind -compare may be another executable.  */
static void make_groups(struct comparison *comparison, struct tables *executable,
                        struct fault *fault)
{
    const struct options *options = comparison->options;
    struct group *group =
        add_group(comparison, (struct group){.options = options,
                                             .fault = fault,
                                             .program = options->operands[0],
                                             .tables = executable});
    size_t at = 1;
    for (size_t i = 0; i <= options->divisions.count; i++) {
        const struct options_division *division =
            i < options->divisions.count ? &options->divisions.division[i] : NULL;
        size_t end = division ? division->operand : options->operand_count;
        group->files = options->operands + at;
        group->count = end > at ? end - at : 0;
        group->parts = i + 1;
        at = end > at ? end : at;
        if (!division)
            break;
        /* Nothing between two of them: both are about the same files.  */
        if (group->count || has_list(options, i)) {
            struct group next = {.part = i + 1,
                                 .options = options,
                                 .fault = group->fault,
                                 .program = group->program,
                                 .tables = group->tables,
                                 .after = group->after};
            group = add_group(comparison, next);
        }
        group->after |= division->compare;
        if (!division->compare)
            group->size = division->size;
        if (division->compare && at < options->operand_count &&
            inputs_is_executable(options->operands[at])) {
            group->program = options->operands[at++];
            group->tables = NULL;
        }
    }
}

static bool open_programs(struct comparison *comparison, struct fault *fault)
{
    for (size_t i = 0; i < comparison->count; i++) {
        struct group *group = &comparison->groups[i];
        const struct group *before = i ? group - 1 : NULL;
        if (group->tables)
            continue;
        if (before && before->after && before->program == group->program) {
            group->tables = before->tables;
            continue;
        }
        progress_tell("mlprof: reading the tables of %s", group->program);
        group->tables = tables_open(group->program, fault);
        if (!group->tables && fault->kind == FAULT_UNPROFILED) {
            fault_clear(fault);
            group->tables = tables_open_bare(group->program, fault);
        }
        if (!group->tables)
            return false;
        group->own_tables = true;
    }
    return true;
}

static bool evaluate_run(struct group *group, const struct profile *profile,
                         const struct options *options, struct fault *fault)
{
    const struct evaluate_wishes wishes = {
        .executable = group->program,
        .unprofile = &options->unprofile,
        .filter = &options->filter,
        .names = options->names,
        .branches = BRANCH_COMPILED,
        .artificial = options->artificial,
        .skid = options->skid,
        .outside = options->show_extern,
    };
    struct evaluate_result result;
    if (!evaluate(&result, profile, group->tables, &wishes, fault))
        return false;
    side_add(&group->side, &result);
    evaluate_free(&result);
    return true;
}

/* Runs of a side are looked at together: all have measured the same in the same way.  */
static bool check_alike(const struct group *group, const struct profile *profile,
                        const char *path, struct fault *fault)
{
    const struct side_run *first = group->side.runs;
    if (group->side.run_count == 0)
        return true;
    if (first->kind != profile->kind)
        return fault_set(fault, FAULT_MISMATCH, path,
                         "has not measured the same as the runs before it");
    if (first->rate != profile->rate)
        return fault_set(fault, FAULT_MISMATCH, path,
                         "was sampled at another rate than the runs before it");
    return true;
}

static bool read_run(struct group *group, const char *path, const struct options *options,
                     struct fault *fault)
{
    struct profile profile = {0};
    progress_tell("mlprof: reading %s", path);
    bool good = mlmon_read(&profile, path, fault) &&
                program_check(group->tables, &profile, path, fault) &&
                check_alike(group, &profile, path, fault) &&
                evaluate_run(group, &profile, options, fault);
    profile_free(&profile);
    return good;
}

/* Adds a run to DATA, a group, or with -tolerant says why not.  */
static bool try_run(void *data, const char *path)
{
    struct group *group = data;
    if (read_run(group, path, group->options, group->fault))
        return true;
    if (!group->options->tolerant)
        return false;
    progress_clear();
    fault_print(group->fault);
    fault_clear(group->fault);
    return true;
}

static bool read_files(struct group *group)
{
    const struct options_words *lists = &group->options->lists;
    for (size_t i = 0; i < group->count; i++)
        if (!try_run(group, group->files[i]))
            return false;
    for (size_t i = 0; i < lists->count; i++)
        if (lists->part[i] >= group->part && lists->part[i] < group->parts &&
            !datafiles_each(lists->word[i], try_run, group, group->fault))
            return false;
    return true;
}

static bool read_group(struct group *group, const struct options *options,
                       struct fault *fault)
{
    if (!read_files(group))
        return false;
    if (group->side.run_count == 0)
        return fault_set(fault, FAULT_MISMATCH, options->growth ? "-growth" : "-compare",
                         "no data files %s it are named",
                         options->growth ? "behind a -size of"
                         : group->after  ? "behind"
                                         : "before");
    struct rows catalog = {0};
    catalog_fill(&catalog, group->tables, NULL, &options->names);
    row_names_settle(&catalog, &options->names);
    side_add_functions(&group->side, &catalog);
    rows_free(&catalog);
    return true;
}

static bool has_everywhere(const struct comparison *comparison, enum side_measure measure)
{
    bool sampled = side_is_sampled(&comparison->groups[0].side, measure);
    for (size_t i = 0; i < comparison->count; i++)
        if (!side_has(&comparison->groups[i].side, measure) ||
            side_is_sampled(&comparison->groups[i].side, measure) != sampled)
            return false;
    return true;
}

/* The measure that is asked for; otherwise the first that all runs have.  */
static bool choose_measure(const struct comparison *comparison,
                           enum side_measure *measure, struct fault *fault)
{
    static const enum side_measure usual[] = {SIDE_TIME, SIDE_BYTES, SIDE_CALLS};
    static const char *const words[] = {"time", "stack", "calls", "bytes", "blocks"};
    enum options_measure asked = comparison->options->measure;
    if (asked) {
        *measure = (enum side_measure)(asked - OPTIONS_MEASURE_FIRST);
        if (has_everywhere(comparison, *measure))
            return true;
        char *what = buf_format("-measure %s", words[*measure]);
        fault_set(fault, FAULT_MISMATCH, what, "not all the runs have measured it");
        free(what);
        return false;
    }
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
        if (has_everywhere(comparison, usual[i])) {
            *measure = usual[i];
            return true;
        }
    return fault_set(fault, FAULT_MISMATCH,
                     comparison->options->growth ? "-growth" : "-compare",
                     "there is no measure that all the runs have");
}

/* A count of a thread that was still running is not all there.  */
static void warn_of_uncounted(const struct comparison *comparison,
                              enum side_measure measure)
{
    uint64_t uncounted = 0;
    for (size_t i = 0; i < comparison->count; i++)
        for (size_t j = 0; j < comparison->groups[i].side.run_count; j++)
            uncounted += comparison->groups[i].side.runs[j].uncounted;
    if (!uncounted || side_is_sampled(&comparison->groups[0].side, measure))
        return;
    progress_clear();
    fputs("mlprof: not all that threads have counted is in the data\n", stderr);
}

/* A second of CPU time is not one on the clock.  */
static bool check_clocks(const struct comparison *comparison, enum side_measure measure,
                         struct fault *fault)
{
    const struct side_run *first = comparison->groups[0].side.runs;
    if (!side_is_sampled(&comparison->groups[0].side, measure))
        return true;
    for (size_t i = 0; i < comparison->count; i++)
        for (size_t j = 0; j < comparison->groups[i].side.run_count; j++)
            if (comparison->groups[i].side.runs[j].clock != first->clock)
                return fault_set(fault, FAULT_MISMATCH,
                                 comparison->options->growth ? "-growth" : "-compare",
                                 "some runs are measured by CPU time, others by time on "
                                 "the clock");
    return true;
}

static bool check_formula(const struct comparison *comparison, struct fault *fault)
{
    const struct options *options = comparison->options;
    bool sizes = comparison->groups[0].size > 0 && comparison->groups[1].size > 0;
    if (!formula_has_sizes(&options->formula) || sizes)
        return true;
    return fault_set(fault, FAULT_MISMATCH, "-formula",
                     "n(a) and n(b) are not known: name them with -size before the data "
                     "files of each side");
}

static bool compare(const struct comparison *comparison, enum side_measure measure,
                    struct fault *fault)
{
    const struct options *options = comparison->options;
    const struct group *groups = comparison->groups;
    const struct side *const sides[] = {&groups[0].side, &groups[1].side};
    if (options->of_share && !side_is_sampled(sides[0], measure))
        return fault_set(fault, FAULT_MISMATCH, "-change share",
                         "is for time; what was counted is compared as it is");
    if (!check_formula(comparison, fault))
        return false;
    struct match match;
    struct changes changes;
    match_find(&match, sides, 2);
    changes_find(&changes, &match, sides, measure, options->of_share);
    change_order_sort(&changes, &match, sides, options->sort);
    const struct compareview view = {.match = &match,
                                     .sides = {sides[0], sides[1]},
                                     .programs = {groups[0].program, groups[1].program},
                                     .sizes = {groups[0].size, groups[1].size},
                                     .show_line = options->names.show_line,
                                     .top = (size_t)options->top,
                                     .thresh = options->thresh};
    const struct formula *formula = options->formula.count ? &options->formula : NULL;
    bool good = compare_data_changes(
        &(struct compare_data_files){&options->exports, "ccprof " CCPROF_VERSION}, &view,
        &changes, formula, fault);
    progress_print();
    bool printed = good && !viewfiles_take_output(options);
    if (printed && formula)
        compareview_print_formula(stdout, &view, &changes, formula);
    else if (printed)
        compareview_print(stdout, &view, &changes);
    changes_free(&changes);
    match_free(&match);
    return good;
}

static bool check_groups(const struct comparison *comparison, struct fault *fault)
{
    const struct options *options = comparison->options;
    if (!options->growth) {
        if (comparison->count == 2)
            return true;
        return fault_set(fault, FAULT_MISMATCH, "-compare",
                         comparison->count < 2
                             ? "no data files before it are named"
                             : "takes one group of data files before it and one behind");
    }
    for (size_t i = 0; i < comparison->count; i++)
        if (!(comparison->groups[i].size > 0))
            return fault_set(fault, FAULT_MISMATCH, "-growth",
                             "the size of the input is told by -size before the data "
                             "files of each size");
    for (size_t i = 0; i < comparison->count; i++)
        for (size_t k = 0; k < i; k++)
            if (comparison->groups[i].size == comparison->groups[k].size)
                return fault_set(fault, FAULT_MISMATCH, "-growth",
                                 "a size is given twice: name all data files of a size "
                                 "behind one -size");
    return comparison->count > 1 ||
           fault_set(fault, FAULT_MISMATCH, "-growth", "needs two sizes or more");
}

static bool grow(const struct comparison *comparison, enum side_measure measure,
                 struct fault *fault)
{
    const struct options *options = comparison->options;
    const struct side **sides = buf_alloc(comparison->count * sizeof *sides);
    double *sizes = buf_alloc(comparison->count * sizeof *sizes);
    for (size_t i = 0; i < comparison->count; i++) {
        sides[i] = &comparison->groups[i].side;
        sizes[i] = comparison->groups[i].size;
    }
    const struct growth_input input = {.sides = sides,
                                       .sizes = sizes,
                                       .count = comparison->count,
                                       .measure = measure,
                                       .show_line = options->names.show_line,
                                       .top = (size_t)options->top,
                                       .thresh = options->thresh};
    bool good = compare_data_growth(
        &(struct compare_data_files){&options->exports, "ccprof " CCPROF_VERSION}, &input,
        fault);
    progress_print();
    if (good && !viewfiles_take_output(options))
        growth_print(stdout, &input);
    free(sizes);
    free(sides);
    return good;
}

static bool read_all(struct comparison *comparison, struct fault *fault)
{
    bool good = check_groups(comparison, fault) && open_programs(comparison, fault);
    for (size_t i = 0; good && i < comparison->count; i++)
        good = read_group(&comparison->groups[i], comparison->options, fault);
    return good;
}

bool comparison_show(const struct options *options, struct tables *executable,
                     struct fault *fault)
{
    struct comparison comparison = {.options = options};
    enum side_measure measure = SIDE_TIME;
    make_groups(&comparison, executable, fault);
    bool good = viewfiles_check(options, fault) && read_all(&comparison, fault) &&
                choose_measure(&comparison, &measure, fault) &&
                check_clocks(&comparison, measure, fault);
    if (good) {
        warn_of_uncounted(&comparison, measure);
        good = options->growth ? grow(&comparison, measure, fault)
                               : compare(&comparison, measure, fault);
    }
    for (size_t i = 0; i < comparison.count; i++) {
        side_free(&comparison.groups[i].side);
        if (comparison.groups[i].own_tables)
            tables_close(comparison.groups[i].tables);
    }
    free(comparison.groups);
    return good;
}
