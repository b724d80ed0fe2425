/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opens a report: makes its stacks and its rows of functions. */

#include "mlprof/report/report.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/terminal.h"
#include "mlprof/elf/elffile.h"
#include "mlprof/names/identity.h"
#include "mlprof/profile/heappoints.h"
#include "mlprof/program/machine-code.h"
#include "mlprof/program/skid.h"

#include <stdlib.h>
#include <string.h>

/* Merges the functions of several builds of the executable. */
static void join_builds(const struct report *report)
{
    const struct profile *profile = report->profile;
    BUF_OWN struct tables **builds =
        buf_alloc((profile->modules.count + 1) * sizeof *builds);
    size_t count = 0;
    builds[count++] = report->program.tables[0];
    for (size_t i = 1; i < profile->modules.count; i++)
        if (profile->modules.list[i].program)
            builds[count++] = report->program.tables[i];
    if (count > 1)
        pairing_merge_builds(builds, count);
}

/* With several builds, a piece of code may have a different position in each build. */
static bool check_builds(const struct report *report, struct fault *fault)
{
    const struct report_choice *choice = &report->choice;
    bool places = choice->rows_key == ROWS_LINES ||
                  choice->rows_key == ROWS_EXPRESSIONS || choice->rows_key == ROWS_LOOPS;
    return !places || profile_builds(report->profile) < 2 ||
           fault_set(fault, FAULT_MISMATCH, "-by",
                     "lines are those of one build, and there are data of %zu",
                     profile_builds(report->profile));
}

/* Removes functions from the tables, before any other module reads them. */
static bool prepare_tables(struct report *report, struct fault *fault)
{
    const struct report_choice *choice = &report->choice;
    const struct program *program = &report->program;
    struct tables *executable = program->tables[0];
    bool regions = report->profile->regions.clock != REGIONS_NONE;
    if (tables_is_bare(executable) && !program_is_profiled(program) && !regions) {
        /* Open the tables again to get the error message. */
        tables_close(tables_open(tables_path(executable), fault));
        return false;
    }
    if (!check_builds(report, fault))
        return false;
    join_builds(report);
    if (!choice->frames.artificial)
        unprofile_artificial(program->tables, program->count);
    return unprofile(program->tables, program->count, choice->unprofile, &choice->names,
                     fault) &&
           unprofile_has_callers(program, report->profile, choice->unprofile, fault);
}

/* Finds callers and callees from the counts of blocks and the targets of indirect
   calls. Without counts, the tables would suggest that each flow graph was never
   executed. */
static void find_calls(struct report *report)
{
    const struct profile *profile = report->profile;
    size_t count;
    if (!(profile->kind & CCPROF_KIND_COUNT) ||
        (report->flows.count == 0 && profile->counts.targets.count == 0))
        return;
    rows_find_flows(&report->flows, &report->rows);
    report->targets = arcs_targets_find(&report->rows, profile, &report->program, &count);
    arcs_find(&report->arcs, &report->rows, &report->flows, report->targets, count);
    report->rows.has_arcs = report->rows.stacks.nodes.count == 0;
}

static void make_names_unique(struct report *report)
{
    struct names_style style = report->choice.names;
    style.show_line |= report->choice.listing;
    rows_make_names_unique(&report->rows, &style);
}

static void find_kept(struct report *report)
{
    const struct report_choice *choice = &report->choice;
    if (choice->keep && choice->keep->count)
        report->kept =
            keep_rows(choice->keep, &report->rows, &report->arcs, &choice->names);
}

/* Solves the flow graphs. Counts that are only a profile for GCC are refused, unless
   this is what was requested. */
static bool solve_flows(struct report *report, struct fault *fault)
{
    const struct profile *profile = report->profile;
    const struct program *program = &report->program;
    const struct report_choice *choice = &report->choice;
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

/* Chooses what is shown, and reads the code of the program. */
static bool read_code(struct report *report, struct fault *fault)
{
    const struct report_choice *choice = &report->choice;
    struct program *program = &report->program;
    if (!prepare_tables(report, fault) || !choose_shown(report, fault))
        return false;
    if (profile_measure(report->profile)->weigh &&
        !instructions_make(&report->chosen, &report->instructions, program,
                           profile_measure(report->profile), choice->beside,
                           choice->tolerant, fault))
        return false;
    program->code = machine_code_new(program);
    return solve_flows(report, fault);
}

/* Makes the stacks and the rows. */
static bool fill_report(struct report *report, struct fault *fault)
{
    const struct report_choice *choice = &report->choice;
    const struct profile *profile = report->profile;
    struct program *program = &report->program;
    struct stacks stacks;
    progress_set("mlprof: looking for the instructions that samples belong to");
    /* With the kind time-field, samples have no addresses of instructions. */
    if (choice->skid && profile->kind & CCPROF_KIND_TIME)
        program->skid = skid_new(profile, program);
    progress_set("mlprof: reading the symbols of code compiled without ccprof");
    if (profile_is_of_heap(profile) ? choice->frames.outside_of_heap
                                    : choice->frames.outside)
        report->outside = outside_new(profile, choice->executable);
    progress_set("mlprof: adding up %zu places", profile->nodes.count);
    stacks_build(&stacks, profile, program, report->outside, choice->frames.addresses);
    if (!choose_stacks(report, &stacks, choice->split, fault)) {
        stacks_free(&stacks);
        return false;
    }
    rows_evaluate(&report->rows, &stacks, profile, program,
                  profile->kind ? &report->flows : NULL, choice->branches);
    rows_find_amounts(&report->rows, &report->rows.stacks, profile);
    progress_set("mlprof: finding callers and callees");
    find_calls(report);
    make_names_unique(report);
    find_kept(report);
    progress_set("mlprof: grouping %zu functions", report->rows.count);
    return grouped_fill(report, fault);
}

bool report_open(struct report *report, const struct profile *profile,
                 struct tables *executable, const struct report_choice *choice,
                 struct fault *fault)
{
    *report = (struct report){.choice = *choice, .measured = profile, .profile = profile};
    if (!program_open(&report->program, profile, executable, choice->tolerant, fault))
        return false;
    if (read_code(report, fault) && fill_report(report, fault))
        return true;
    report_close(report);
    return false;
}

void report_close(struct report *report)
{
    for (enum report_beside what = 0; what < REPORT_BESIDES; what++) {
        if (report->answers.beside[what])
            report_close(report->answers.beside[what]);
        free(report->answers.beside[what]);
    }
    answers_free(&report->answers);
    /* Before the profile, which it uses, and which may be that of the heap. */
    outside_free(report->outside);
    free(report->wrappers);
    free(report->kept);
    arcs_free(&report->arcs);
    free(report->targets);
    rows_free(&report->grouped);
    rows_free(&report->rows);
    if (profile_is_of_heap(&report->chosen))
        heappoints_free(&report->chosen);
    if (profile_is_of_waits(&report->chosen) || profile_is_of_latency(&report->chosen))
        profile_free_derived(&report->chosen);
    if (report->instructions.measured)
        instructions_free(&report->chosen);
    skid_free(report->program.skid);
    if (!report->borrows) {
        flowcounts_free(&report->flows);
        machine_code_free(report->program.code);
        program_close(&report->program);
    }
    memset(report, 0, sizeof *report);
}

struct report *report_beside(struct report *report, enum report_beside what)
{
    struct report_answers *answers = &report->answers;
    struct fault none = {0};
    if (profile_is_of_heap(report->profile) || profile_is_of_waits(report->profile) ||
        !(what == REPORT_OF_HEAP ? report->measured->heap.measured
                                 : report->measured->waits.measured) ||
        !answers_is_first(answers, REPORT_BESIDE + what))
        return answers->beside[what];
    struct report *beside = buf_alloc(sizeof *beside);
    *beside = (struct report){.choice = report->choice,
                              .measured = report->measured,
                              .profile = report->measured,
                              .program = report->program,
                              .flows = report->flows,
                              .borrows = true};
    beside->program.skid = NULL;
    beside->choice.measure = what == REPORT_OF_HEAP ? measure_of_heap(HEAPDATA_LIVE)
                                                    : measure_of_kinds(MEASURE_KIND_WAIT);
    beside->choice.rows_key = ROWS_FUNCTIONS;
    beside->choice.keep = NULL;
    beside->choice.over = SPREAD_NOTHING;
    if (choose_shown(beside, &none) && fill_report(beside, &none)) {
        answers->beside[what] = beside;
    } else {
        report_close(beside);
        free(beside);
    }
    fault_clear(&none);
    return answers->beside[what];
}
