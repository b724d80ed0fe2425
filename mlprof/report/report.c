/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calls the modules that evaluate a profile, in their order. */

#include "mlprof/report/report.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/terminal.h"
#include "mlprof/elf/elffile.h"
#include "mlprof/report/keep.h"
#include "mlprof/names/identity.h"
#include "mlprof/names/names.h"
#include "mlprof/profile/heappoints.h"
#include "mlprof/program/machine-code.h"
#include "mlprof/program/skid.h"
#include "mlprof/rows/rows.h"

#include <stdlib.h>
#include <string.h>

/* Merges the functions of several builds of the executable. */
static void join_builds(const struct report *report)
{
    const struct profile *profile = report->profile;
    BUF_OWN struct tables **builds =
        buf_alloc((profile->module_count + 1) * sizeof *builds);
    size_t count = 0;
    builds[count++] = report->program.tables[0];
    for (size_t i = 1; i < profile->module_count; i++)
        if (profile->modules[i].program)
            builds[count++] = report->program.tables[i];
    if (count > 1)
        pairing_merge_builds(builds, count);
}

/* With several builds, a piece of code may have a different position in each build. */
static bool check_builds(const struct report *report,
                         const struct report_choice *choice, struct fault *fault)
{
    bool places = choice->rows_key == ROWS_LINES ||
                  choice->rows_key == ROWS_EXPRESSIONS ||
                  choice->rows_key == ROWS_LOOPS;
    return !places || profile_builds(report->profile) < 2 ||
           fault_set(fault, FAULT_MISMATCH, "-by",
                     "lines are those of one build, and there are data of %zu",
                     profile_builds(report->profile));
}

/* Removes functions from the tables, before any other module reads them. */
static bool prepare_tables(struct report *report,
                           const struct report_choice *choice, struct fault *fault)
{
    const struct program *program = &report->program;
    struct tables *executable = program->tables[0];
    bool regions = report->profile->regions.clock != REGIONS_NONE;
    if (tables_is_bare(executable) && !program_is_profiled(program) && !regions) {
        /* Open the tables again to get the error message. */
        tables_close(tables_open(tables_path(executable), fault));
        return false;
    }
    if (!check_builds(report, choice, fault))
        return false;
    join_builds(report);
    if (!choice->artificial)
        unprofile_artificial(program->tables, program->count);
    return unprofile(program->tables, program->count, choice->unprofile, &choice->names,
                     fault) &&
           unprofile_has_callers(program, report->profile, choice->unprofile, fault);
}

/* Returns whether samples can be charged to other instructions. With the kind
   time-field, samples have no addresses of instructions. */
static bool has_skid(const struct profile *profile)
{
    return profile->kind & CCPROF_KIND_TIME;
}

/* Returns whether counts were measured. Without counts, the tables would suggest that
   each flow graph was never executed. */
static bool has_counts(const struct profile *profile)
{
    return profile->kind & CCPROF_KIND_COUNT;
}

/* Returns whether flow graphs should be shown: if they have counts, or if nothing was
   measured. For branches whose time was measured, there are flow graphs without
   counts. */
static bool has_blocks(const struct report *report)
{
    unsigned kind = report->profile->kind | report->left_out;
    return !kind || kind & CCPROF_KIND_COUNT;
}

/* Finds callers and callees from the counts of blocks and the targets of indirect
   calls. */
static void evaluate_calls(struct report *report)
{
    const struct profile *profile = report->profile;
    size_t count;
    if (!has_counts(profile) || (report->flows.count == 0 && profile->target_count == 0))
        return;
    rows_find_flows(&report->flows, &report->rows);
    report->targets = arcs_targets_find(&report->rows, profile, &report->program, &count);
    arcs_find(&report->arcs, &report->rows, &report->flows, report->targets, count);
    report->rows.has_arcs = report->rows.stacks.node_count == 0;
}

static void make_names_unique(struct report *report,
                              const struct report_choice *choice)
{
    struct names_style style = choice->names;
    style.show_line |= choice->listing;
    rows_make_names_unique(&report->rows, &style);
    rows_make_names_unique(&report->catalog, &choice->names);
}

/* Returns the kinds of frames around code by which the rows are not requested. Their
   stacks are merged. */
static unsigned merged_kinds(const struct report_choice *choice)
{
    bool threads = choice->rows_key == ROWS_THREADS || choice->over == SPREAD_THREADS;
    return (threads ? 0 : 1U << STACKS_THREAD) |
           (choice->rows_key == ROWS_PROCESSES ? 0 : 1U << STACKS_PROCESS);
}

/* Filters the stacks, merges threads and processes, and removes wrappers of allocators
   from stacks of the heap. */
static bool filter_stacks(struct report *report, struct stacks *stacks,
                          const struct report_choice *choice, struct fault *fault)
{
    bool filtered = stacks_filter_is_set(choice->filter);
    struct wrappers wrappers = {0};
    struct stacks_filter_part part;
    if (report->profile->shown)
        wrappers_find(&wrappers, stacks, &report->program, &choice->wrappers,
                      &choice->names);
    bool moves = wrappers.names != NULL;
    unsigned merged = merged_kinds(choice) & ~choice->kept_around;
    bool good = (!filtered && !moves && !stacks_filter_merges(stacks, merged)) ||
                stacks_filter_apply(
                    stacks, choice->filter, moves ? &wrappers.moves : NULL, merged,
                    &choice->names, filtered ? &report->part : &part, fault);
    stacks->merged = merged_kinds(choice) & choice->kept_around;
    free(report->wrappers);
    report->wrappers = wrappers.names;
    wrappers.names = NULL;
    wrappers_free(&wrappers);
    return good;
}

/* Filters and splits the stacks as requested. */
static bool select_stacks(struct report *report, struct stacks *stacks,
                          const struct report_choice *choice, struct fault *fault)
{
    const struct profile *profile = report->profile;
    bool measured = profile->kind != 0, split = choice->split && choice->split->count;
    if (measured && !filter_stacks(report, stacks, choice, fault))
        return false;
    if (measured && split && !profile_measure(profile)->stacks)
        return fault_set(fault, FAULT_MISMATCH, "-split",
                         "calls were counted, each function's, not those of its copies");
    return !stacks->node_count || !split ||
           stacks_split(stacks, choice->split, &choice->names, fault);
}

/* Computes the distribution of the load. If rows by all keys are requested, the load
   is distributed over ranks if there are ranks, otherwise over threads. */
static void spread(struct report *report, const struct report_choice *choice)
{
    const struct profile *profile = report->profile;
    const struct origins *origins = &profile->origins;
    enum spread_over over = choice->over;
    if (!profile_measure(profile)->sampled)
        return;
    if (!over && choice->groups)
        over = origins->kept && origins_ranks(origins) > 1 ? SPREAD_RANKS
               : profile->thread_names.count > 1           ? SPREAD_THREADS
                                                           : SPREAD_NOTHING;
    if (over)
        spread_find(&report->spread, over, &report->rows, profile);
}

static void find_kept(struct report *report,
                      const struct report_choice *choice)
{
    if (!choice->keep || choice->keep->count == 0)
        return;
    report->kept =
        keep_rows(choice->keep, &report->rows, &report->arcs, &choice->names);
    report->kept_catalog =
        keep_rows(choice->keep, &report->catalog, &report->arcs, &choice->names);
}

/* Selects the measure that stacks of the heap show. If stacks were filtered, `part'
   is computed again in this measure. */
static void weigh_heap(struct report *report, struct stacks *stacks)
{
    const struct measure *shown = report->profile->shown;
    if (!shown)
        return;
    uint64_t all = report->profile->heap.sums[shown->heap].bytes;
    uint64_t kept = stacks_weigh_heap(stacks, shown->heap, all);
    if (report->part.all)
        report->part = (struct stacks_filter_part){.kept = kept, .all = all};
}

static void evaluate_regions(struct report *report,
                             const struct report_choice *choice)
{
    struct regionrows_request requested = {.subtract = choice->region_costs,
                                           .profile = report->profile,
                                           .program = &report->program,
                                           .rows = &report->rows,
                                           .names = &choice->names};
    if (report->profile->regions.clock == REGIONS_NONE)
        return;
    for (requested.key = REGIONROWS_NAMES; requested.key < REGIONROWS_KEYS;
         requested.key++)
        if (requested.key != REGIONROWS_COPIES || choice->region_copies)
            regionrows_fill(&report->regions[requested.key], &requested);
}

/* Finds the OpenMP constructs. If there are none, this is an error only if the
   constructs were requested explicitly. */
static bool evaluate_constructs(struct report *report,
                                const struct report_choice *choice,
                                struct fault *fault)
{
    struct fault none = {0};
    if (!choice->constructs && !choice->groups)
        return true;
    bool good = constructs_fill(&report->constructs, report->profile, &report->program,
                                &choice->names, choice->constructs ? fault : &none);
    fault_clear(&none);
    return good || !choice->constructs;
}

/* Fills the rows of TRAINED. Builds separate stacks, because these stacks contain
   functions outside of profiled code and no split copies. */
static bool fill_trained(struct report *report, struct trained *trained,
                         const struct report_choice *choice, struct fault *fault)
{
    const struct profile *profile = report->profile;
    struct program program = report->program;
    struct report_choice whole = *choice;
    struct stacks stacks;
    whole.split = NULL;
    if (choice->skid)
        program.skid = skid_new(profile, &program);
    struct outside *outside = outside_new(profile, choice->executable, DEBUGFILE_ROOT);
    stacks_build(&stacks, profile, &program, outside, true);
    bool good = select_stacks(report, &stacks, &whole, fault);
    if (good)
        trainedrows_fill(&report->trained, &stacks, profile, &program, trained);
    else
        stacks_free(&stacks);
    outside_free(outside);
    skid_free(program.skid);
    return good;
}

/* If there are functions with counts for GCC, computes how much time is spent in them. */
static bool evaluate_trained(struct report *report,
                             const struct report_choice *choice, struct fault *fault)
{
    const struct profile *profile = report->profile;
    struct arccounts counts;
    struct trained trained = {0};
    if (!choice->trained || !(profile->kind & CCPROF_KIND_TIME))
        return true;
    progress_set("mlprof: working out which functions have a profile for GCC");
    bool good = arccounts_solve(&counts, profile, &report->program, NULL, fault);
    if (good && counts.count) {
        trained_find(&trained, &counts, &report->program);
        good = fill_trained(report, &trained, choice, fault);
    }
    if (good)
        rows_make_names_unique(&report->trained.rows, &choice->names);
    trained_free(&trained);
    arccounts_free(&counts);
    return good;
}

/* Solves the flow graphs. Counts that are only a profile for GCC are refused, unless
   this is what was requested. */
static bool evaluate_flows(struct report *report,
                           const struct report_choice *choice, struct fault *fault)
{
    const struct profile *profile = report->profile;
    const struct program *program = &report->program;
    progress_set("mlprof: working out how often each block was executed");
    if (!flowcounts_solve(&report->flows, profile, program, choice->tolerant, fault))
        return false;
    return choice->trained_alone || profile->kind != CCPROF_KIND_COUNT ||
           report->flows.count || !program_is_trained_alone(program) ||
           fault_set(fault, FAULT_UNPROFILED, choice->executable,
                     "the counts are only a profile for gcc (train): write it with "
                     "-gcda FOLDER or -afdo FILE; for tables, also compile with "
                     "-fplugin-arg-ccprof-profile=time");
}

static bool fill_report(struct report *report,
                            const struct report_choice *choice, struct fault *fault)
{
    struct program *program = &report->program;
    struct stacks stacks;
    if (!prepare_tables(report, choice, fault))
        return false;
    if (!choose_shown(report, choice, fault))
        return false;
    const struct profile *profile = report->profile;
    if (profile_measure(profile)->weigh &&
        !instructions_make(&report->chosen, &report->instructions, program,
                           profile_measure(profile), choice->beside, choice->tolerant,
                           fault))
        return false;
    if (!evaluate_flows(report, choice, fault))
        return false;
    program->code = machine_code_new(program);
    progress_set("mlprof: looking for the instructions that samples belong to");
    if (choice->skid && has_skid(profile))
        program->skid = skid_new(profile, program);
    progress_set("mlprof: reading the symbols of code compiled without ccprof");
    if (measure_is_of_heap(profile_measure(profile)) ? choice->outside_of_heap
                                                     : choice->outside)
        report->outside = outside_new(profile, choice->executable, DEBUGFILE_ROOT);
    progress_set("mlprof: adding up %zu places", profile->node_count);
    stacks_build(&stacks, profile, program, report->outside, choice->addresses);
    if (!select_stacks(report, &stacks, choice, fault)) {
        stacks_free(&stacks);
        return false;
    }
    weigh_heap(report, &stacks);
    rows_evaluate(&report->rows, &stacks, profile, program,
                  profile->kind ? &report->flows : NULL, choice->branches);
    if (choice->catalog && report->rows.total == 0)
        catalog_fill(&report->catalog, program->tables[0], choice->split,
                     &choice->names, report->flows.tables);
    /* Loops have their own samples. */
    if (!has_blocks(report) && choice->rows_key != ROWS_LOOPS)
        flowcounts_free(&report->flows);
    rows_find_amounts(&report->rows, &report->rows.stacks, profile);
    progress_set("mlprof: finding callers and callees");
    evaluate_calls(report);
    make_names_unique(report, choice);
    spread(report, choice);
    find_kept(report, choice);
    evaluate_regions(report, choice);
    if (!evaluate_constructs(report, choice, fault) ||
        !evaluate_trained(report, choice, fault))
        return false;
    verdicts_fill(&report->verdicts, &report->rows, program);
    progress_set("mlprof: grouping %zu functions", report->rows.count);
    bool good = grouped_fill(report, choice, fault);
    if (stacks_filter_is_set(choice->filter))
        flowcounts_free(&report->flows);
    return good;
}

bool report_open(struct report *report, const struct profile *profile,
              struct tables *executable, const struct report_choice *choice,
              struct fault *fault)
{
    *report = (struct report){.profile = profile};
    if (!program_open(&report->program, profile, executable, choice->tolerant, fault))
        return false;
    if (fill_report(report, choice, fault))
        return true;
    report_close(report);
    return false;
}

void report_close(struct report *report)
{
    /* First, because it uses the profile, which may be the profile of the heap. */
    outside_free(report->outside);
    free(report->wrappers);
    free(report->kept);
    free(report->kept_catalog);
    arcs_free(&report->arcs);
    free(report->targets);
    flowcounts_free(&report->flows);
    verdicts_free(&report->verdicts);
    spread_free(&report->spread);
    trainedrows_free(&report->trained);
    rows_free(&report->catalog);
    rows_free(&report->grouped);
    for (size_t i = 0; i < ROWS_KEYS; i++)
        rows_free(&report->groups[i]);
    for (size_t i = 0; i < REGIONROWS_KEYS; i++)
        regionrows_free(&report->regions[i]);
    rows_free(&report->rows);
    if (report->chosen.shown)
        heappoints_free(&report->chosen);
    if (report->instructions.measured)
        instructions_free(&report->chosen);
    constructs_free(&report->constructs);
    skid_free(report->program.skid);
    machine_code_free(report->program.code);
    program_close(&report->program);
    memset(report, 0, sizeof *report);
}
