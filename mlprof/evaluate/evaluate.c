/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calls the modules that evaluate a profile, in their order. */

#include "mlprof/evaluate/evaluate.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/terminal.h"
#include "mlprof/elf/elffile.h"
#include "mlprof/evaluate/keep.h"
#include "mlprof/names/identity.h"
#include "mlprof/names/names.h"
#include "mlprof/profile/heappoints.h"
#include "mlprof/program/machine-code.h"
#include "mlprof/program/skid.h"
#include "mlprof/rows/rows.h"

#include <stdlib.h>
#include <string.h>

/* Merges the functions of several builds of the executable. */
static void join_builds(const struct evaluate_result *result)
{
    const struct profile *profile = result->profile;
    BUF_OWN struct tables **builds =
        buf_alloc((profile->module_count + 1) * sizeof *builds);
    size_t count = 0;
    builds[count++] = result->program.tables[0];
    for (size_t i = 1; i < profile->module_count; i++)
        if (profile->modules[i].program)
            builds[count++] = result->program.tables[i];
    if (count > 1)
        pairing_merge_builds(builds, count);
}

/* With several builds, a piece of code may have a different position in each build. */
static bool check_builds(const struct evaluate_result *result,
                         const struct evaluate_request *request, struct fault *fault)
{
    bool places = request->rows_key == ROWS_LINES ||
                  request->rows_key == ROWS_EXPRESSIONS ||
                  request->rows_key == ROWS_LOOPS;
    return !places || profile_builds(result->profile) < 2 ||
           fault_set(fault, FAULT_MISMATCH, "-by",
                     "lines are those of one build, and there are data of %zu",
                     profile_builds(result->profile));
}

/* Removes functions from the tables, before any other module reads them. */
static bool prepare_tables(struct evaluate_result *result,
                           const struct evaluate_request *request, struct fault *fault)
{
    const struct program *program = &result->program;
    struct tables *executable = program->tables[0];
    bool regions = result->profile->regions.clock != REGIONS_NONE;
    if (tables_is_bare(executable) && !program_is_profiled(program) && !regions) {
        /* Open the tables again to get the error message. */
        tables_close(tables_open(tables_path(executable), fault));
        return false;
    }
    if (!check_builds(result, request, fault))
        return false;
    join_builds(result);
    if (!request->artificial)
        unprofile_artificial(program->tables, program->count);
    return unprofile(program->tables, program->count, request->unprofile, &request->names,
                     fault) &&
           unprofile_has_callers(program, result->profile, request->unprofile, fault);
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
static bool has_blocks(const struct evaluate_result *result)
{
    unsigned kind = result->profile->kind | result->left_out;
    return !kind || kind & CCPROF_KIND_COUNT;
}

/* Finds callers and callees from the counts of blocks and the targets of indirect
   calls. */
static void evaluate_calls(struct evaluate_result *result)
{
    const struct profile *profile = result->profile;
    size_t count;
    if (!has_counts(profile) || (result->flows.count == 0 && profile->target_count == 0))
        return;
    rows_find_flows(&result->flows, &result->rows);
    result->targets = arcs_targets_find(&result->rows, profile, &result->program, &count);
    arcs_find(&result->arcs, &result->rows, &result->flows, result->targets, count);
    result->rows.has_arcs = result->rows.stacks.node_count == 0;
}

static void make_names_unique(struct evaluate_result *result,
                              const struct evaluate_request *request)
{
    struct names_style style = request->names;
    style.show_line |= request->listing;
    rows_make_names_unique(&result->rows, &style);
    rows_make_names_unique(&result->catalog, &request->names);
}

/* Returns the kinds of frames around code by which the rows are not requested. Their
   stacks are merged. */
static unsigned merged_kinds(const struct evaluate_request *request)
{
    bool threads = request->rows_key == ROWS_THREADS || request->over == SPREAD_THREADS;
    return (threads ? 0 : 1U << STACKS_THREAD) |
           (request->rows_key == ROWS_PROCESSES ? 0 : 1U << STACKS_PROCESS);
}

/* Filters the stacks, merges threads and processes, and removes wrappers of allocators
   from stacks of the heap. */
static bool filter_stacks(struct evaluate_result *result, struct stacks *stacks,
                          const struct evaluate_request *request, struct fault *fault)
{
    bool filtered = stacks_filter_is_set(request->filter);
    struct wrappers wrappers = {0};
    struct stacks_filter_part part;
    if (result->profile->shown)
        wrappers_find(&wrappers, stacks, &result->program, &request->wrappers,
                      &request->names);
    bool moves = wrappers.names != NULL;
    unsigned merged = merged_kinds(request) & ~request->kept_around;
    bool good = (!filtered && !moves && !stacks_filter_merges(stacks, merged)) ||
                stacks_filter_apply(
                    stacks, request->filter, moves ? &wrappers.moves : NULL, merged,
                    &request->names, filtered ? &result->part : &part, fault);
    stacks->merged = merged_kinds(request) & request->kept_around;
    free(result->wrappers);
    result->wrappers = wrappers.names;
    wrappers.names = NULL;
    wrappers_free(&wrappers);
    return good;
}

/* Filters and splits the stacks as requested. */
static bool select_stacks(struct evaluate_result *result, struct stacks *stacks,
                          const struct evaluate_request *request, struct fault *fault)
{
    const struct profile *profile = result->profile;
    bool measured = profile->kind != 0, split = request->split && request->split->count;
    if (measured && !filter_stacks(result, stacks, request, fault))
        return false;
    if (measured && split && !profile_measure(profile)->stacks)
        return fault_set(fault, FAULT_MISMATCH, "-split",
                         "calls were counted, each function's, not those of its copies");
    return !stacks->node_count || !split ||
           stacks_split(stacks, request->split, &request->names, fault);
}

/* Computes the distribution of the load. If rows by all keys are requested, the load
   is distributed over ranks if there are ranks, otherwise over threads. */
static void spread(struct evaluate_result *result, const struct evaluate_request *request)
{
    const struct profile *profile = result->profile;
    const struct origins *origins = &profile->origins;
    enum spread_over over = request->over;
    if (!profile_measure(profile)->sampled)
        return;
    if (!over && request->groups)
        over = origins->kept && origins_ranks(origins) > 1 ? SPREAD_RANKS
               : profile->thread_names.count > 1           ? SPREAD_THREADS
                                                           : SPREAD_NOTHING;
    if (over)
        spread_find(&result->spread, over, &result->rows, profile);
}

static void find_kept(struct evaluate_result *result,
                      const struct evaluate_request *request)
{
    if (!request->keep || request->keep->count == 0)
        return;
    result->kept =
        keep_rows(request->keep, &result->rows, &result->arcs, &request->names);
    result->kept_catalog =
        keep_rows(request->keep, &result->catalog, &result->arcs, &request->names);
}

/* Selects the measure that stacks of the heap show. If stacks were filtered, `part'
   is computed again in this measure. */
static void weigh_heap(struct evaluate_result *result, struct stacks *stacks)
{
    const struct measure *shown = result->profile->shown;
    if (!shown)
        return;
    uint64_t all = result->profile->heap.sums[shown->heap].bytes;
    uint64_t kept = stacks_weigh_heap(stacks, shown->heap, all);
    if (result->part.all)
        result->part = (struct stacks_filter_part){.kept = kept, .all = all};
}

static void evaluate_regions(struct evaluate_result *result,
                             const struct evaluate_request *request)
{
    struct regionrows_request requested = {.subtract = request->region_costs,
                                           .profile = result->profile,
                                           .program = &result->program,
                                           .rows = &result->rows,
                                           .names = &request->names};
    if (result->profile->regions.clock == REGIONS_NONE)
        return;
    for (requested.key = REGIONROWS_NAMES; requested.key < REGIONROWS_KEYS;
         requested.key++)
        if (requested.key != REGIONROWS_COPIES || request->region_copies)
            regionrows_fill(&result->regions[requested.key], &requested);
}

/* Finds the OpenMP constructs. If there are none, this is an error only if the
   constructs were requested explicitly. */
static bool evaluate_constructs(struct evaluate_result *result,
                                const struct evaluate_request *request,
                                struct fault *fault)
{
    struct fault none = {0};
    if (!request->constructs && !request->groups)
        return true;
    bool good = constructs_fill(&result->constructs, result->profile, &result->program,
                                &request->names, request->constructs ? fault : &none);
    fault_clear(&none);
    return good || !request->constructs;
}

/* Fills the rows of TRAINED. Builds separate stacks, because these stacks contain
   functions outside of profiled code and no split copies. */
static bool fill_trained(struct evaluate_result *result, struct trained *trained,
                         const struct evaluate_request *request, struct fault *fault)
{
    const struct profile *profile = result->profile;
    struct program program = result->program;
    struct evaluate_request whole = *request;
    struct stacks stacks;
    whole.split = NULL;
    if (request->skid)
        program.skid = skid_new(profile, &program);
    struct outside *outside = outside_new(profile, request->executable, DEBUGFILE_ROOT);
    stacks_build(&stacks, profile, &program, outside, true);
    bool good = select_stacks(result, &stacks, &whole, fault);
    if (good)
        trainedrows_fill(&result->trained, &stacks, profile, &program, trained);
    else
        stacks_free(&stacks);
    outside_free(outside);
    skid_free(program.skid);
    return good;
}

/* If there are functions with counts for GCC, computes how much time is spent in them. */
static bool evaluate_trained(struct evaluate_result *result,
                             const struct evaluate_request *request, struct fault *fault)
{
    const struct profile *profile = result->profile;
    struct arccounts counts;
    struct trained trained = {0};
    if (!request->trained || !(profile->kind & CCPROF_KIND_TIME))
        return true;
    progress_set("mlprof: working out which functions have a profile for GCC");
    bool good = arccounts_solve(&counts, profile, &result->program, NULL, fault);
    if (good && counts.count) {
        trained_find(&trained, &counts, &result->program);
        good = fill_trained(result, &trained, request, fault);
    }
    if (good)
        rows_make_names_unique(&result->trained.rows, &request->names);
    trained_free(&trained);
    arccounts_free(&counts);
    return good;
}

/* Solves the flow graphs. Counts that are only a profile for GCC are refused, unless
   this is what was requested. */
static bool evaluate_flows(struct evaluate_result *result,
                           const struct evaluate_request *request, struct fault *fault)
{
    const struct profile *profile = result->profile;
    const struct program *program = &result->program;
    progress_set("mlprof: working out how often each block was executed");
    if (!flowcounts_solve(&result->flows, profile, program, request->tolerant, fault))
        return false;
    return request->trained_alone || profile->kind != CCPROF_KIND_COUNT ||
           result->flows.count || !program_is_trained_alone(program) ||
           fault_set(fault, FAULT_UNPROFILED, request->executable,
                     "the counts are only a profile for gcc (train): write it with "
                     "-gcda FOLDER or -afdo FILE; for tables, also compile with "
                     "-fplugin-arg-ccprof-profile=time");
}

static bool evaluate_opened(struct evaluate_result *result,
                            const struct evaluate_request *request, struct fault *fault)
{
    struct program *program = &result->program;
    struct stacks stacks;
    if (!prepare_tables(result, request, fault))
        return false;
    if (!choose_shown(result, request, fault))
        return false;
    const struct profile *profile = result->profile;
    if (profile_measure(profile)->weigh &&
        !instructions_make(&result->chosen, &result->instructions, program,
                           profile_measure(profile), request->beside, request->tolerant,
                           fault))
        return false;
    if (!evaluate_flows(result, request, fault))
        return false;
    program->code = machine_code_new(program);
    progress_set("mlprof: looking for the instructions that samples belong to");
    if (request->skid && has_skid(profile))
        program->skid = skid_new(profile, program);
    progress_set("mlprof: reading the symbols of code compiled without ccprof");
    if (measure_is_of_heap(profile_measure(profile)) ? request->outside_of_heap
                                                     : request->outside)
        result->outside = outside_new(profile, request->executable, DEBUGFILE_ROOT);
    progress_set("mlprof: adding up %zu places", profile->node_count);
    stacks_build(&stacks, profile, program, result->outside, request->addresses);
    if (!select_stacks(result, &stacks, request, fault)) {
        stacks_free(&stacks);
        return false;
    }
    weigh_heap(result, &stacks);
    rows_evaluate(&result->rows, &stacks, profile, program,
                  profile->kind ? &result->flows : NULL, request->branches);
    if (request->catalog && result->rows.total == 0)
        catalog_fill(&result->catalog, program->tables[0], request->split,
                     &request->names, result->flows.tables);
    /* Loops have their own samples. */
    if (!has_blocks(result) && request->rows_key != ROWS_LOOPS)
        flowcounts_free(&result->flows);
    rows_find_amounts(&result->rows, &result->rows.stacks, profile);
    progress_set("mlprof: finding callers and callees");
    evaluate_calls(result);
    make_names_unique(result, request);
    spread(result, request);
    find_kept(result, request);
    evaluate_regions(result, request);
    if (!evaluate_constructs(result, request, fault) ||
        !evaluate_trained(result, request, fault))
        return false;
    verdicts_fill(&result->verdicts, &result->rows, program);
    progress_set("mlprof: grouping %zu functions", result->rows.count);
    bool good = grouped_fill(result, request, fault);
    if (stacks_filter_is_set(request->filter))
        flowcounts_free(&result->flows);
    return good;
}

bool evaluate(struct evaluate_result *result, const struct profile *profile,
              struct tables *executable, const struct evaluate_request *request,
              struct fault *fault)
{
    *result = (struct evaluate_result){.profile = profile};
    if (!program_open(&result->program, profile, executable, request->tolerant, fault))
        return false;
    if (evaluate_opened(result, request, fault))
        return true;
    evaluate_free(result);
    return false;
}

void evaluate_free(struct evaluate_result *result)
{
    /* First, because it uses the profile, which may be the profile of the heap. */
    outside_free(result->outside);
    free(result->wrappers);
    free(result->kept);
    free(result->kept_catalog);
    arcs_free(&result->arcs);
    free(result->targets);
    flowcounts_free(&result->flows);
    verdicts_free(&result->verdicts);
    spread_free(&result->spread);
    trainedrows_free(&result->trained);
    rows_free(&result->catalog);
    rows_free(&result->grouped);
    for (size_t i = 0; i < ROWS_KEYS; i++)
        rows_free(&result->groups[i]);
    for (size_t i = 0; i < REGIONROWS_KEYS; i++)
        regionrows_free(&result->regions[i]);
    rows_free(&result->rows);
    if (result->chosen.shown)
        heappoints_free(&result->chosen);
    if (result->instructions.measured)
        instructions_free(&result->chosen);
    constructs_free(&result->constructs);
    skid_free(result->program.skid);
    machine_code_free(result->program.code);
    program_close(&result->program);
    memset(result, 0, sizeof *result);
}
