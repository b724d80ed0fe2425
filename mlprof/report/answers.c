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

const struct constructs *report_constructs(struct report *report, struct fault *fault)
{
    struct report_answers *answers = &report->answers;
    struct fault *why = &answers->no_constructs;
    if (answers_is_first(answers, REPORT_CONSTRUCTS))
        constructs_fill(&answers->constructs, report->profile, &report->program,
                        &report->choice.names, why);
    if (why->kind == FAULT_NONE)
        return &answers->constructs;
    if (fault)
        *fault = (struct fault){.kind = why->kind, .text = buf_copy(why->text)};
    return NULL;
}

const struct spread *report_spread(struct report *report)
{
    struct report_answers *answers = &report->answers;
    const struct profile *profile = report->profile;
    const struct origins *origins = &profile->origins;
    enum spread_over over = report->choice.over;
    if (!over)
        over = origins->kept && origins_ranks(origins) > 1 ? SPREAD_RANKS
               : profile->thread_names.count > 1           ? SPREAD_THREADS
                                                           : SPREAD_NOTHING;
    if (answers_is_first(answers, REPORT_SPREAD) && over &&
        profile_measure(profile)->sampled)
        spread_find(&answers->spread, over, &report->rows, profile);
    return &answers->spread;
}

/* Fills the rows of TRAINED. Builds separate stacks, because these stacks contain
   functions outside of profiled code and no split copies. */
static bool fill_trained(struct report *report, struct trained *trained,
                         struct fault *fault)
{
    const struct profile *profile = report->profile;
    struct program program = report->program;
    struct stacks_filter_part part;
    struct stacks stacks;
    if (report->choice.skid)
        program.skid = skid_new(profile, &program);
    struct outside *outside = outside_new(profile, report->choice.executable);
    stacks_build(&stacks, profile, &program, outside, true);
    bool good = report_select(report, &stacks, NULL, &part, fault);
    if (good)
        trainedrows_fill(&report->answers.trained, &stacks, profile, &program, trained);
    else
        stacks_free(&stacks);
    outside_free(outside);
    skid_free(program.skid);
    return good;
}

static bool find_trained(struct report *report, struct fault *fault)
{
    const struct profile *profile = report->profile;
    struct arccounts counts;
    struct trained trained = {0};
    progress_set("mlprof: working out which functions have a profile for GCC");
    bool good = arccounts_solve(&counts, profile, &report->program, NULL, fault);
    if (good && counts.count) {
        trained_find(&trained, &counts, &report->program);
        good = fill_trained(report, &trained, fault);
    }
    if (good)
        rows_make_names_unique(&report->answers.trained.rows, &report->choice.names);
    trained_free(&trained);
    arccounts_free(&counts);
    return good;
}

const struct trainedrows *report_trained(struct report *report, struct fault *fault)
{
    struct report_answers *answers = &report->answers;
    if (report->profile->kind & CCPROF_KIND_TIME &&
        answers_is_first(answers, REPORT_TRAINED) && !find_trained(report, fault)) {
        answers->known[REPORT_TRAINED] = false;
        return NULL;
    }
    return &answers->trained;
}

const struct verdicts *report_verdicts(struct report *report)
{
    struct report_answers *answers = &report->answers;
    if (answers_is_first(answers, REPORT_VERDICTS))
        verdicts_fill(&answers->verdicts, &report->rows, &report->program);
    return &answers->verdicts;
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
    verdicts_free(&answers->verdicts);
}
