/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/base/buf.h"
#include "mlprof/commands/advice.h"
#include "mlprof/commands/comparison-inside.h"
#include "mlprof/commands/show.h"

#include <stdlib.h>

const struct views_entry *const comparison_calls[CALLS_VIEWS] = {
    [CALLS_CALLERS] = &callers_entry,
    [CALLS_CALLEES] = &callees_entry,
    [CALLS_PEEK] = &peek_entry,
    [CALLS_PATH] = &hotpath_entry};

bool comparison_is_of_calls(const struct options *options)
{
    for (enum calls_view i = 0; i < CALLS_VIEWS; i++)
        if (views_is_asked(options_asked(options, comparison_calls[i])))
            return true;
    return false;
}

/* Adds what RESULT has by callers and callees.  */
static bool add_calls(struct group *group, const struct evaluate_result *result,
                      struct fault *fault)
{
    struct view view = show_view(group->options, result);
    bool *asked[CALLS_VIEWS] = {0}, good = true;
    if (!advice_calls(group->options, &view, group->program,
                      !group->after && !group->calls.stacks.run_count, fault))
        return false;
    for (enum calls_view i = 0; good && i < CALLS_VIEWS; i++) {
        const struct views_entry *entry = comparison_calls[i];
        const struct views_asked *words = view.asked =
            options_asked(group->options, entry);
        if (!views_is_asked(words))
            continue;
        good = !entry->check || entry->check(&view, fault);
        asked[i] = entry->find ? entry->find(&view, &words->pattern) : NULL;
        if (!asked[i])
            asked[i] = buf_alloc(result->rows.count + 1);
    }
    if (good)
        calls_add(&group->calls, &group->side, result, asked);
    for (enum calls_view i = 0; i < CALLS_VIEWS; i++)
        free(asked[i]);
    return good;
}

bool comparison_evaluate_calls(struct group *group, const struct profile *profile,
                               const struct evaluate_result *result,
                               struct evaluate_wishes wishes, struct fault *fault)
{
    const struct options_measure *asked = &group->options->measure;
    const struct measure *main = profile_measure(result->profile);
    const struct measure *of =
        asked->measure && !result->profile->shown ? asked->measure : main;
    if (!comparison_is_of_calls(group->options))
        return true;
    if (asked->column == VIEW_BLOCKS)
        return fault_set(fault, FAULT_MISMATCH, "-measure blocks",
                         "calls have bytes: leave it out");
    group->calls_measure = of;
    if (of == main)
        return add_calls(group, result, fault);
    struct evaluate_result again;
    wishes.groups = false;
    wishes.measure = of;
    if (!evaluate(&again, profile, group->tables, &wishes, fault))
        return false;
    bool good = add_calls(group, &again, fault);
    evaluate_free(&again);
    return good;
}

bool comparison_find_calls(struct calls *calls, const struct comparison *comparison,
                           const struct comparison_found *found, struct fault *fault)
{
    const struct options *options = comparison->options;
    const struct group *groups = comparison->groups;
    const struct breakdown *const sides[] = {&groups[0].calls, &groups[1].calls};
    struct side_measure measure = found->changes.measure;
    for (size_t s = 0; s < 2; s++)
        if (groups[s].calls_measure != measure.of)
            return fault_set(fault, FAULT_MISMATCH, "-compare",
                             "not all the runs have measured the same: choose by "
                             "-measure what calls are of");
    calls_find(calls, sides, &found->match, measure, options->of_share);
    for (enum calls_view view = 0; view < CALLS_PATH; view++) {
        const struct views_entry *entry = comparison_calls[view];
        const struct pattern *pattern = &options_asked(options, entry)->pattern;
        bool any = !pattern->text;
        for (size_t i = 0; i < calls->match.count; i++)
            any |= calls->rows[i].view == view;
        if (any)
            continue;
        BUF_OWN char *what = buf_format("-%s %s", entry->name, pattern->text);
        fault_set(fault, FAULT_MISMATCH, what, "no function that was measured matches");
        calls_free(calls);
        return false;
    }
    return true;
}
