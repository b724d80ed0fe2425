/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mlprof: reads tables and data, and hands them to a view.  */

#include "mlprof/base/content.h"
#include "mlprof/base/progress.h"
#include "mlprof/elf/debugfile.h"
#include "mlprof/profile/mlmon.h"
#include "mlprof/evaluate/arcs.h"
#include "mlprof/evaluate/branch.h"
#include "mlprof/evaluate/flowrows.h"
#include "mlprof/evaluate/names.h"
#include "mlprof/evaluate/skid.h"
#include "mlprof/evaluate/unprofile.h"
#include "mlprof/view/where.h"
#include "mlprof/options.h"
#include "mlprof/show.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What the data files are added up to.  */
struct sum {
    const struct options *options;
    const struct tables *executable;
    struct profile profile;
    size_t files;     /* begun */
    bool told_stacks; /* that only some have stacks */
};

/* Files with stacks and files without: what all have is shown.  */
static void warn_of_mixed_stacks(struct sum *sum, const struct profile *profile,
                                 const char *path)
{
    struct fault warning = {0};
    bool before = sum->profile.stack, here = profile->stack;
    if (sum->told_stacks || before == here || !sum->profile.samples || !profile->samples)
        return;
    sum->told_stacks = true;
    fault_set(
        &warning, FAULT_MISMATCH, path,
        "measured %s stacks, the data before it %s stacks: what only stacks tell, the "
        "column stack for example, is left out",
        here ? "with" : "without", before ? "with" : "without");
    progress_clear();
    fault_print(&warning);
    fault_clear(&warning);
}

static bool add_file(struct sum *sum, const char *path, struct fault *fault)
{
    struct profile profile = {0};
    progress_tell("mlprof: reading %s, file %zu", path, ++sum->files);
    bool good = mlmon_read(&profile, path, fault) &&
                program_check(sum->executable, &profile, path, fault);
    if (good) {
        warn_of_mixed_stacks(sum, &profile, path);
        good = profile_fold(&sum->profile, &profile, path, fault);
    }
    profile_free(&profile);
    return good;
}

/* Adds a file, or with -tolerant says why not.  */
static bool try_file(struct sum *sum, const char *path, struct fault *fault)
{
    if (add_file(sum, path, fault))
        return true;
    if (!sum->options->tolerant)
        return false;
    progress_clear();
    fault_print(fault);
    fault_clear(fault);
    return true;
}

/* Adds the files that the one at PATH lists, blanks or newlines between them.  */
static bool add_list(struct sum *sum, const char *path, struct fault *fault)
{
    static const char blanks[] = " \t\r\n\v\f";
    size_t size;
    char *rest, *text = content_read(path, NULL, &size, fault);
    if (!text)
        return false;
    bool good = true;
    for (char *word = strtok_r(text, blanks, &rest); good && word;
         word = strtok_r(NULL, blanks, &rest))
        good = try_file(sum, word, fault);
    free(text);
    return good;
}

static bool add_all(struct sum *sum, struct fault *fault)
{
    const struct options *options = sum->options;
    for (size_t i = 1; i < options->operand_count; i++)
        if (!try_file(sum, options->operands[i], fault))
            return false;
    for (size_t i = 0; i < options->list_count; i++)
        if (!add_list(sum, options->lists[i], fault))
            return false;
    return true;
}

/* Shows the views with what follows from the counts of blocks and from targets.  */
static bool show_counts(const struct options *options, struct view *view,
                        struct rows *rows, struct flowcounts *flows, struct fault *fault)
{
    const struct profile *profile = view->profile;
    struct arcs arcs = {0};
    struct arcs_target *targets = NULL;
    size_t count = 0;
    view->flows = flows;
    view->arcs = &arcs;
    if (profile->kind & CCPROF_KIND_COUNT && (flows->count || profile->target_count)) {
        branch_add_rows(rows, flows, profile, options->branch);
        flowrows_find(flows, rows);
        targets = arcs_targets_find(rows, profile, view->program, &count);
        arcs_find(&arcs, rows, flows, targets, count);
        rows->has_arcs = rows->stacks.node_count == 0;
    }
    /* A listing shows them with their lines.  */
    struct names_style names = options->names;
    names.show_line |= options->list.text != NULL;
    names_settle(rows, &names);
    bool good = show_views(options, view, fault);
    arcs_free(&arcs);
    free(targets);
    return good;
}

static bool evaluate(const struct options *options, const struct profile *profile,
                     const struct program *program, struct fault *fault)
{
    struct rows rows;
    struct flowcounts flows;
    struct outside *outside = NULL;
    struct view view = {.profile = profile,
                        .program = program,
                        .rows = &rows,
                        .style = {.raw = options->raw,
                                  .show_line = options->names.show_line,
                                  .long_name = options->names.long_name,
                                  .full_name = options->names.full_name,
                                  .by_stack = options->by_stack,
                                  .thresh = options->thresh}};
    if (options->show_extern)
        outside = outside_new(profile, options->operands[0], DEBUGFILE_ROOT);
    progress_tell("mlprof: adding up %zu places", profile->node_count);
    rows_evaluate(&rows, profile, program, outside);
    bool good = flowcounts_solve(&flows, profile, program, fault) &&
                show_counts(options, &view, &rows, &flows, fault);
    flowcounts_free(&flows);
    rows_free(&rows);
    outside_free(outside);
    return good;
}

static bool print_report(const struct options *options, struct tables *executable,
                         const struct profile *profile, struct fault *fault)
{
    struct program program;
    if (!program_open(&program, profile, executable, fault))
        return false;
    if (tables_is_bare(executable) && !program_is_profiled(&program)) {
        program_close(&program);
        /* Says why it has none.  */
        tables_close(tables_open(tables_path(executable), fault));
        return false;
    }
    if (!options->artificial)
        unprofile_artificial(program.tables, program.count);
    if (options->skid && profile->kind & CCPROF_KIND_TIME &&
        !(profile->kind & CCPROF_KIND_FIELD))
        program.skid = skid_new(profile, &program);
    bool good = unprofile(program.tables, program.count, &options->unprofile,
                          options->names.long_name, fault) &&
                evaluate(options, profile, &program, fault);
    skid_free(program.skid);
    program_close(&program);
    return good;
}

static bool report(const struct options *options, struct tables *executable,
                   struct fault *fault)
{
    struct sum sum = {.options = options, .executable = executable};
    bool good =
        add_all(&sum, fault) && print_report(options, executable, &sum.profile, fault);
    profile_free(&sum.profile);
    return good;
}

static bool where(const struct options *options, struct tables *executable,
                  struct fault *fault)
{
    progress_end();
    if (!options->artificial)
        unprofile_artificial(&executable, 1);
    if (!unprofile(&executable, 1, &options->unprofile, options->names.long_name, fault))
        return false;
    if (options->operand_count == 1)
        return where_stream(stdout, executable, STDIN_FILENO, options->names.long_name,
                            fault);
    for (size_t i = 1; i < options->operand_count; i++) {
        uint64_t address;
        if (!where_address(options->operands[i], &address))
            return fault_set(fault, FAULT_GARBLED, options->operands[i],
                             "not a hexadecimal address");
        where_print(stdout, executable, address, options->names.long_name);
    }
    return true;
}

static bool close_output(struct fault *fault)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return true;
    return fault_set(fault, FAULT_FILE, "standard output", "%s", strerror(errno));
}

/* A program may have a profile though only its shared objects have tables.  */
static struct tables *open_executable(const struct options *options, struct fault *fault)
{
    const char *path = options->operands[0];
    bool has_data = options->operand_count > 1 || options->list_count;
    progress_tell("mlprof: reading the tables of %s", path);
    struct tables *tables = tables_open(path, fault);

    if (tables || options->where || !has_data || fault->kind != FAULT_UNPROFILED)
        return tables;
    fault_clear(fault);
    return tables_open_bare(path, fault);
}

int main(int argc, char **argv)
{
    struct options options;
    struct fault fault = {0};
    options_parse(&options, argc, argv);
    progress_begin();
    struct tables *executable = open_executable(&options, &fault);
    bool good =
        executable && (options.where ? where : report)(&options, executable, &fault);
    progress_end();
    if (!good)
        fflush(stdout);
    else
        good = close_output(&fault);
    if (!good)
        fault_print(&fault);
    fault_clear(&fault);
    tables_close(executable);
    options_free(&options);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
