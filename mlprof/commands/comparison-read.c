/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Divides the operands into sides, and reads and evaluates each run of each side into a
   runset. comparison.c calls it and then compares the runsets. */

#include "mlprof/base/buf.h"
#include "mlprof/base/terminal.h"
#include "mlprof/commands/commands.h"
#include "mlprof/commands/comparison-inside.h"
#include "mlprof/report/report.h"
#include "mlprof/input/datafiles.h"
#include "mlprof/options/inputs.h"
#include "mlprof/rows/rows.h"
#include "mlprof/view/allocnotes.h"

#include <stdlib.h>

static struct group *add_group(struct comparison *comparison, struct group group)
{
    struct group *added =
        &BUF_NEXT(comparison->groups, comparison->count, comparison->capacity);
    *added = group;
    return added;
}

/* Returns whether a list of data files follows PART divisions (-compare, -size) of the
   command line. */
static bool has_list(const struct options *options, size_t part)
{
    for (size_t i = 0; i < options->lists.count; i++)
        if (options->lists.part[i] == part)
            return true;
    return false;
}

static enum regionrows_by regions_by(const struct options *options)
{
    return options->paths ? REGIONROWS_PATHS : REGIONROWS_NAMES;
}

/* Divides the operands and lists into groups. -compare and -size precede their files.
   The first word after -compare may be another executable. */
void comparison_begin(struct comparison *comparison, struct tables *executable,
                      struct fault *fault)
{
    const struct options *options = comparison->options;
    comparison->page = export_path(&options->exports, "html");
    comparison->files.where = &options->sources;
    comparison->texts = comparison_is_of_lines(options) ? &comparison->files : NULL;
    comparison->fault = fault;
    comparison->wants_merged =
        comparison->page ||
        views_is_requested(options_request(options, &histogram_entry));
    struct group *group =
        add_group(comparison, (struct group){.comparison = comparison,
                                             .regions = {.key = regions_by(options)},
                                             .program = options->operands[0],
                                             .tables = executable});
    size_t first = 1;
    for (size_t i = 0; i <= options->divisions.count; i++) {
        const struct options_division *division =
            i < options->divisions.count ? &options->divisions.division[i] : NULL;
        size_t end = division ? division->operand : options->operand_count;
        group->files = options->operands + first;
        group->count = end > first ? end - first : 0;
        group->parts = i + 1;
        first = end > first ? end : first;
        if (!division)
            break;
        /* Divisions without files between them apply to the same files. */
        if (group->count || has_list(options, i)) {
            struct group next = {.part = i + 1,
                                 .comparison = comparison,
                                 .regions = {.key = regions_by(options)},
                                 .program = group->program,
                                 .tables = group->tables,
                                 .after = group->after};
            group = add_group(comparison, next);
        }
        group->after |= division->compare;
        if (!division->compare)
            group->size = division->size;
        if (division->compare && first < options->operand_count &&
            inputs_is_executable(options->operands[first])) {
            group->program = options->operands[first++];
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
        progress_set("mlprof: reading the tables of %s", group->program);
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

struct report_choice comparison_choice(const struct group *group)
{
    const struct options *options = group->comparison->options;
    const struct measure *base = options->measure.measure;
    return (struct report_choice){
        .executable = group->program,
        .unprofile = &options->unprofile,
        .filter = &options->filter,
        .names = options->names,
        .libraries = &options->libraries,
        .branches = BRANCH_COMPILED,
        .frames.artificial = options->artificial,
        .idle = options->idle,
        .skid = options->skid,
        .frames.outside = options->show_extern != OPTIONS_NO_EXTERN,
        .frames.outside_of_heap = options->show_extern == OPTIONS_EXTERN,
        .frames.kept_around = group->comparison->page ? 1U << STACKS_THREAD : 0,
        .region_costs = options->subtract,
        .tolerant = options->tolerant,
        .measure = base && base->kinds == MEASURE_KIND_WAIT
                       ? base
                       : measure_compared(options_heap(options)),
        .beside = ~0U,
        .heap_whole = group->comparison->page != NULL,
        .frames.wrappers = {.shown = options->show_wrappers ? NULL : &options->named,
                            .runs = group->comparison->wrappers},
    };
}

bool comparison_evaluate_regions(struct report *report, const struct group *group,
                                 struct fault *fault)
{
    struct report_choice choice = comparison_choice(group);
    return report_open(report, &group->merged, group->tables, &choice, fault);
}

/* If -heap is given, checks that the run has the requested measure. */
static bool check_heap(const struct group *group, struct report *report,
                       struct fault *fault)
{
    const struct views_request *requested =
        options_request(group->comparison->options, &heapview_entry);
    struct view view = show_view(group->comparison->options, report);
    view.request = requested;
    return !views_is_requested(requested) || views_check(&heapview_entry, &view, fault);
}

/* Adds the confidence intervals of waits to the last run. */
static bool add_wait_ranges(struct group *group, const struct profile *profile,
                            struct report_choice choice, struct fault *fault)
{
    struct report report;
    choice.wait_variance = true;
    if (!report_open(&report, profile, group->tables, &choice, fault))
        return false;
    runset_add_wait_ranges(&group->side, &report.rows, false);
    if (choice.rows_key)
        runset_add_wait_ranges(&group->places, &report.grouped, true);
    report_close(&report);
    return true;
}

static bool evaluate_run(struct group *group, const struct profile *profile,
                         struct fault *fault)
{
    struct report_choice choice = comparison_choice(group);
    struct report report;
    choice.rows_key = group->comparison->options->rows_key;
    choice.values = group->comparison->page != NULL;
    if (!report_open(&report, profile, group->tables, &choice, fault))
        return false;
    if (!check_heap(group, &report, fault)) {
        report_close(&report);
        return false;
    }
    runset_add(&group->side, &report);
    if (choice.rows_key)
        runset_add_places(&group->places, &report, &report.grouped);
    allocnotes_add_lacks(&group->comparison->lacks, &report.program);
    if (group->comparison->texts)
        source_files_add(group->comparison->texts, &report.program);
    regionside_add(&group->regions, &report);
    if (group->comparison->page)
        breakdown_add(&group->breakdown, &group->side, &report);
    free(group->comparison->skipped);
    group->comparison->skipped = report.wrappers ? buf_copy(report.wrappers) : NULL;
    bool waits = profile_is_of_waits(report.profile);
    report_close(&report);
    return !waits || add_wait_ranges(group, profile, choice, fault);
}

/* Checks that a run has the same kinds and the same sampling rate as the group's first
   run. */
static bool check_alike(struct group *group, const struct profile *profile,
                        const char *path, struct fault *fault)
{
    if (group->side.runs.count == 0) {
        group->kind = profile->kind;
        group->rate = profile->sampling.rate;
        return true;
    }
    if (group->kind != profile->kind)
        return fault_set(fault, FAULT_MISMATCH, path,
                         "has not measured the same as the runs before it");
    if (group->rate != profile->sampling.rate)
        return fault_set(fault, FAULT_MISMATCH, path,
                         "was sampled at another rate than the runs before it");
    return true;
}

/* Reads the run into PROFILE. If it belongs to another program and no program follows
   -compare, the fault says that a program can be given after -compare. */
static bool read_profile(struct profile *profile, const struct group *group,
                         const char *path, struct fault *fault)
{
    if (datafiles_read_run(profile, path, group->comparison->options, group->tables,
                           fault))
        return true;
    if (group->after && fault->kind == FAULT_MISMATCH &&
        group->program == group->comparison->options->operands[0])
        fault_add(fault, "if the program differs, name it between -compare and its data");
    return false;
}

static bool read_run(struct group *group, const char *path, struct fault *fault)
{
    struct profile profile = {0};
    progress_set("mlprof: reading %s", path);
    bool good = read_profile(&profile, group, path, fault) &&
                check_alike(group, &profile, path, fault) &&
                evaluate_run(group, &profile, fault) &&
                (!group->comparison->wants_merged ||
                 profile_fold(&group->merged, &profile, path, fault));
    profile_free(&profile);
    return good;
}

/* Adds a run to DATA, a group. With -tolerant, faults are printed and the run is
   skipped. */
static bool try_run(void *data, const char *path)
{
    struct group *group = data;
    if (read_run(group, path, group->comparison->fault))
        return true;
    if (!group->comparison->options->tolerant)
        return false;
    fault_warn(group->comparison->fault);
    return true;
}

static bool read_files(struct group *group)
{
    const struct options_words *lists = &group->comparison->options->lists;
    for (size_t i = 0; i < group->count; i++)
        if (!try_run(group, group->files[i]))
            return false;
    for (size_t i = 0; i < lists->count; i++)
        if (lists->part[i] >= group->part && lists->part[i] < group->parts &&
            !datafiles_each(lists->word[i], try_run, group, group->comparison->fault))
            return false;
    return true;
}

static bool read_group(struct group *group, const struct options *options,
                       struct fault *fault)
{
    if (!read_files(group))
        return false;
    packed_sort(&group->merged.origins.shares);
    if (group->side.runs.count == 0)
        return fault_set(fault, FAULT_MISMATCH, options->growth ? "-growth" : "-compare",
                         "no data files %s are named",
                         options->growth ? "after one -size"
                         : group->after  ? "after it"
                                         : "before it");
    struct rows catalog = {0};
    catalog_fill(&catalog, group->tables, NULL, &options->names, NULL);
    rows_make_names_unique(&catalog, &options->names);
    runset_add_functions(&group->side, &catalog);
    rows_free(&catalog);
    return true;
}

static bool check_groups(const struct comparison *comparison, struct fault *fault)
{
    const struct options *options = comparison->options;
    if (!options->growth) {
        if (comparison->count == 2)
            return true;
        return fault_set(
            fault, FAULT_MISMATCH, "-compare",
            comparison->count < 2
                ? "no data files before it are named"
                : "takes one group of data files before it and one after it");
    }
    for (size_t i = 0; i < comparison->count; i++)
        if (!(comparison->groups[i].size > 0))
            return fault_set(
                fault, FAULT_MISMATCH, "-growth",
                "give the size of the input by -size before the data files of each size");
    for (size_t i = 0; i < comparison->count; i++)
        for (size_t k = 0; k < i; k++)
            if (comparison->groups[i].size == comparison->groups[k].size)
                return fault_set(fault, FAULT_MISMATCH, "-growth",
                                 "a size is given twice: name all data files of a size "
                                 "after one -size");
    return comparison->count > 1 ||
           fault_set(fault, FAULT_MISMATCH, "-growth", "needs two sizes or more");
}

BUF_COMPARE(by_size, struct group, BUF_ORDER(a->size, b->size))

bool comparison_read(struct comparison *comparison, struct fault *fault)
{
    bool good = check_groups(comparison, fault) && open_programs(comparison, fault);
    for (size_t i = 0; good && i < comparison->count; i++) {
        struct group *group = &comparison->groups[i];
        if (i == 0 || group->own_tables)
            advice_link(group->tables, group->program);
        good = read_group(group, comparison->options, fault);
    }
    if (comparison->options->growth)
        BUF_SORT(comparison->groups, comparison->count, by_size);
    if (good)
        datafiles_warn_of_others();
    return good;
}

void comparison_free(struct comparison *comparison)
{
    for (size_t i = 0; i < comparison->count; i++) {
        struct group *group = &comparison->groups[i];
        runset_free(&group->side);
        runset_free(&group->places);
        regionside_free(&group->regions);
        breakdown_free(&group->breakdown);
        profile_free(&group->merged);
        if (group->own_tables)
            tables_close(group->tables);
    }
    source_files_free(&comparison->files);
    allocnotes_free_lacks(&comparison->lacks);
    free(comparison->groups);
    free(comparison->skipped);
}
