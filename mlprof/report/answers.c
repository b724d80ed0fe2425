/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Answers questions to a report, and keeps the answers. Rows by key are made in
   grouped.c, and the report of the heap in report.c. */

#include "mlprof/base/buf.h"
#include "mlprof/base/terminal.h"
#include "mlprof/elf/elffile.h"
#include "mlprof/program/skid.h"
#include "mlprof/report/report.h"

#include <stdlib.h>
#include <string.h>

bool answers_is_first(struct report_answers *answers, enum report_question question)
{
    bool first = !answers->known[question];
    answers->known[question] = true;
    return first;
}

bool report_has_blocks(const struct report *report)
{
    unsigned kind = report->profile->kind | report->left_out;
    return !kind || kind & CCPROF_KIND_COUNT;
}

const struct flowcounts *report_flows(const struct report *report)
{
    static const struct flowcounts none;
    return report_has_blocks(report) && !stacks_filter_is_set(report->choice.filter)
               ? &report->flows
               : &none;
}

const struct rows *report_catalog(struct report *report, const bool **kept)
{
    struct report_answers *answers = &report->answers;
    const struct report_choice *choice = &report->choice;
    if (answers_is_first(answers, REPORT_CATALOG)) {
        catalog_fill(&answers->catalog, report->program.tables[0], choice->split,
                     &choice->names, report->flows.tables);
        rows_make_names_unique(&answers->catalog, &choice->names);
        if (choice->keep && choice->keep->count)
            answers->catalog_kept =
                keep_rows(choice->keep, &answers->catalog, &report->arcs, &choice->names);
    }
    *kept = answers->catalog_kept;
    return &answers->catalog;
}

const struct regionrows *report_regions(struct report *report, enum regionrows_by key)
{
    struct regionrows *rows = &report->answers.regions[key];
    const struct regionrows_request request = {.key = key,
                                               .subtract = report->choice.region_costs,
                                               .profile = report->profile,
                                               .program = &report->program,
                                               .rows = &report->rows,
                                               .names = &report->choice.names};
    if (report->profile->regions.clock == REGIONS_NONE)
        return NULL;
    if (answers_is_first(&report->answers, REPORT_REGIONS + key))
        regionrows_fill(rows, &request);
    return rows;
}

/* Returns whether there is an answer. If not, sets FAULT, which may be NULL, to WHY. */
static bool is_answered(const struct fault *why, struct fault *fault)
{
    if (why->kind != FAULT_NONE && fault)
        *fault = (struct fault){.kind = why->kind, .text = buf_copy(why->text)};
    return why->kind == FAULT_NONE;
}

const struct constructs *report_constructs(struct report *report, struct fault *fault)
{
    struct report_answers *answers = &report->answers;
    if (answers_is_first(answers, REPORT_CONSTRUCTS))
        constructs_fill(&answers->constructs, report->profile, &report->program,
                        &report->choice.names, &answers->no_constructs);
    return is_answered(&answers->no_constructs, fault) ? &answers->constructs : NULL;
}

const struct spread *report_spread(struct report *report)
{
    struct report_answers *answers = &report->answers;
    const struct profile *profile = report->profile;
    const struct origins *origins = &profile->origins;
    enum spread_over over = report->choice.over;
    if (!over)
        over = origins->kept && origins_ranks(origins) > 1 ? SPREAD_RANKS
               : profile->names.threads.count > 1          ? SPREAD_THREADS
                                                           : SPREAD_NOTHING;
    if (answers_is_first(answers, REPORT_SPREAD) && over &&
        profile_measure(profile)->sampled)
        spread_find(&answers->spread, over, &report->rows, profile);
    return &answers->spread;
}

/* Fills the rows of the functions in COUNTS. Builds separate stacks, because these stacks
   contain functions outside of profiled code and no split copies. */
static bool fill_trained(struct report *report, const struct arccounts *counts,
                         struct fault *fault)
{
    const struct profile *profile = report->profile;
    struct program program = report->program;
    struct stacks stacks;
    if (report->choice.skid)
        program.skid = skid_new(profile, &program);
    struct outside *outside = outside_new(profile, report->choice.executable);
    stacks_build(&stacks, profile, &program, outside, true);
    bool good = choose_stacks(report, &stacks, NULL, fault);
    if (good)
        trainedrows_fill(&report->answers.trained, &stacks, profile, &program, counts);
    else
        stacks_free(&stacks);
    outside_free(outside);
    skid_free(program.skid);
    return good;
}

static void find_trained(struct report *report, struct fault *fault)
{
    struct arccounts counts;
    progress_set("mlprof: working out which functions have a profile for GCC");
    if (arccounts_solve(&counts, report->profile, &report->program, NULL, fault) &&
        (!counts.count || fill_trained(report, &counts, fault)))
        rows_make_names_unique(&report->answers.trained.rows, &report->choice.names);
    arccounts_free(&counts);
}

const struct trainedrows *report_trained(struct report *report, struct fault *fault)
{
    struct report_answers *answers = &report->answers;
    if (report->profile->kind & CCPROF_KIND_TIME &&
        answers_is_first(answers, REPORT_TRAINED))
        find_trained(report, &answers->no_trained);
    return is_answered(&answers->no_trained, fault) ? &answers->trained : NULL;
}

const struct verdicts *report_verdicts(struct report *report)
{
    struct report_answers *answers = &report->answers;
    if (answers_is_first(answers, REPORT_VERDICTS))
        verdicts_fill(&answers->verdicts, &report->rows, &report->program);
    return &answers->verdicts;
}

const struct waiting *report_waiting(struct report *report)
{
    struct report_answers *answers = &report->answers;
    if (!report->measured->waits.measured)
        return NULL;
    if (answers_is_first(answers, REPORT_WAITING))
        waiting_fill(&answers->waiting, report->measured, report->choice.idle,
                     &report->program, &report->choice.names, report->choice.libraries,
                     &report->choice.filter->hide);
    return &answers->waiting;
}

void answers_free(struct report_answers *answers)
{
    for (size_t i = 0; i < ROWS_KEYS; i++)
        rows_free(&answers->groups[i]);
    for (size_t i = 0; i < REGIONROWS_KEYS; i++)
        regionrows_free(&answers->regions[i]);
    rows_free(&answers->catalog);
    free(answers->catalog_kept);
    constructs_free(&answers->constructs);
    fault_clear(&answers->no_constructs);
    spread_free(&answers->spread);
    trainedrows_free(&answers->trained);
    fault_clear(&answers->no_trained);
    verdicts_free(&answers->verdicts);
    if (answers->known[REPORT_WAITING])
        waiting_free(&answers->waiting);
}
