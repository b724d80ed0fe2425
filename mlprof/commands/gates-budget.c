/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks a budget (-gate) and writes one (-gate-update): evaluates each measure that
   the budget names, and passes the counts to compare/budget-*.c.  */

#include "mlprof/base/buf.h"
#include "mlprof/base/files.h"
#include "mlprof/base/terminal.h"
#include "mlprof/base/text.h"
#include "mlprof/commands/gates-inside.h"
#include "mlprof/compare/budget.h"
#include "mlprof/profile/heappoints.h"

#include <stdlib.h>
#include <string.h>

/* The counts of the measures of a budget.  */
struct counts {
    struct budget_counts *list;
    size_t count, capacity;
};

static void free_counts(struct counts *counts)
{
    for (size_t i = 0; i < counts->count; i++)
        runset_free(&counts->list[i].side);
    free(counts->list);
}

/* Returns the counts of a measure, which are evaluated if necessary; NULL if the data
   do not have them.  PATH and WORD are for messages.  */
static const struct budget_counts *counts_of(struct counts *counts,
                                             struct runset_measure measure,
                                             const struct gates_input *input,
                                             const char *path, const char *word,
                                             struct fault *fault)
{
    const struct measure *of = measure.of;
    const struct budget_counts *found = NULL;
    for (size_t i = 0; i < counts->count; i++)
        if (counts->list[i].measure == of)
            found = &counts->list[i];
    if (!found) {
        struct views_request heap = {0};
        if (measure_is_of_heap(of))
            heap.choice = (unsigned)(of - measure_all);
        else if (!(of->kinds & input->profile->kind)) {
            gates_lack(path, word, measure, fault);
            return NULL;
        }
        struct budget_counts *next =
            &BUF_NEXT(counts->list, counts->count, counts->capacity);
        *next = (struct budget_counts){.measure = of};
        if (!gates_evaluate(&next->side, input, &heap, of, fault))
            return NULL;
        found = next;
    }
    if (!runset_has(&found->side, measure)) {
        gates_lack(path, word, measure, fault);
        return NULL;
    }
    return found;
}

/* Returns whether the command line selects MEASURE.  */
static bool is_selected(const struct options *options, struct runset_measure measure)
{
    const struct measure *heap = options_heap(options);
    return (!heap || measure_compared(heap) == measure.of) &&
           (!options_has_measure(options) || options_requests_measure(options, measure));
}

/* Parses the budget, and evaluates the measures of the selected lines.  */
static bool read_budget(struct budget *budget, struct counts *counts,
                        const struct gates_input *input, const char *path,
                        const char *text, size_t size, struct fault *fault)
{
    bool any = false, limits = false;
    if (!budget_parse(budget, path, text, size, fault))
        return false;
    for (size_t i = 0; i < budget->count; i++) {
        struct budget_line *line = &budget->lines[i];
        limits |= line->kind == BUDGET_LIMIT;
        line->selected =
            line->kind == BUDGET_LIMIT && is_selected(input->options, line->measure);
        any |= line->selected;
        if (line->selected &&
            !counts_of(counts, line->measure, input, path, line->word, fault))
            return false;
    }
    return any || fault_set(fault, FAULT_MISMATCH, path, "%s",
                            limits ? "has no limit of the measure of -measure"
                                   : "has no limits");
}

bool gates_budget_check(const struct gates_input *input, const char *path,
                        const char *text, size_t size, struct fault *fault)
{
    struct budget budget = {0};
    struct budget_found found = {0};
    struct counts counts = {0};
    bool good =
        (input->options->gate_threshold == 0 ||
         fault_set(fault, FAULT_MISMATCH, "-gate-threshold",
                   "is for baselines; %s is a budget, which has its own limits", path)) &&
        read_budget(&budget, &counts, input, path, text, size, fault);
    if (good) {
        struct gate gate = {.path = path,
                            .compilers = {budget.compiler, input->compiler}};
        budget_find(&found, &budget, counts.list, counts.count);
        budget_check(&gate, &budget, &found);
        BUF_OWN char *limits = text_number(gate.functions, "limit");
        BUF_OWN char *name = text_clean(path);
        BUF_OWN char *equal = buf_format("%s of %s %s\n", limits, name,
                                         gate.functions == 1 ? "holds" : "hold");
        good = gates_report(&gate, input, equal, fault);
        gate_free(&gate);
    }
    budget_found_free(&found);
    free_counts(&counts);
    budget_free(&budget);
    return good;
}

/* Fills an empty budget with limits for the measure of the command line, by default the
   main measure that was counted.  */
static bool create(struct budget *budget, struct counts *counts,
                   const struct gates_input *input, struct fault *fault)
{
    const struct options *options = input->options;
    const struct measure *heap = measure_compared(options_heap(options));
    if (!heap && heappoints_alone(input->profile))
        heap = measure_of_heap(HEAPDATA_LIVE);
    struct runset_measure measure = {
        heap ? heap
        : options->measure.measure
            ? options->measure.measure
            : measure_of_kinds(input->profile->kind & CCPROF_KINDS_COUNTED),
        options->measure.column == VIEW_STACK    ? RUNSET_STACK
        : options->measure.column == VIEW_BLOCKS ? RUNSET_BLOCKS
                                                 : RUNSET_OWN};
    if (measure.of->sampled)
        return fault_set(fault, FAULT_MISMATCH, input->option,
                         "time is sampled, so a limit would fail by chance: choose a "
                         "counted measure, such as -measure calls");
    BUF_OWN char *word = budget_word(measure);
    const struct budget_counts *of =
        counts_of(counts, measure, input, input->option, word, fault);
    if (!of)
        return false;
    if (options->gate_threshold >= BUDGET_PERCENT_MOST)
        return fault_set(fault, FAULT_MISMATCH, "-gate-threshold",
                         "a limit in a budget is less than %d %%", BUDGET_PERCENT_MOST);
    budget_create(budget, &of->side, measure,
                  options->top < 0 ? GATE_TABLE_TOP : (size_t)options->top,
                  options->gate_threshold);
    return true;
}

/* Prints a line for each limit without a function.  */
static void warn_missing(const struct budget *budget, const struct budget_found *found,
                         const char *path)
{
    for (size_t i = 0; i < budget->count; i++) {
        const struct budget_line *line = &budget->lines[i];
        if (line->selected && line->subject != BUDGET_TOTAL && !found->sums[i].functions)
            fault_message("%s: line %lu: no function matches %s", path, line->number,
                          line->shown);
    }
}

/* Prints what the update has changed.  */
static void print_changes(const struct budget_changes *changes,
                          const struct budget *budget, const char *path, bool created)
{
    size_t limits = 0;
    for (size_t i = 0; i < budget->count; i++)
        limits += budget->lines[i].selected;
    limits -= changes->added;
    BUF_OWN char *name = text_clean(path), *number = text_number(limits, "limit");
    BUF_OWN char *added = text_number(changes->added, "new line");
    BUF_OWN char *text =
        created ? buf_format("%s: created with %s\n", name, number)
                : buf_format("%s: %zu of %s changed%s%s\n", name, changes->values, number,
                             changes->added ? ", " : "", changes->added ? added : "");
    terminal_print(stdout, text);
}

static bool save(const struct budget *budget, const char *path, struct fault *fault)
{
    BUF_OWN char *text = NULL;
    size_t size;
    FILE *out = buf_open(&text, &size);
    budget_print(out, budget);
    buf_close(out);
    progress_end();
    return save_file(path, text, size, fault);
}

bool gates_budget_update(const struct gates_input *input, const char *path,
                         const char *text, size_t size, struct fault *fault)
{
    struct budget budget = {0};
    struct budget_found found = {0};
    struct counts counts = {0};
    bool good = text ? read_budget(&budget, &counts, input, path, text, size, fault)
                     : create(&budget, &counts, input, fault);
    if (good) {
        budget_find(&found, &budget, counts.list, counts.count);
        warn_missing(&budget, &found, path);
        struct budget_changes changes =
            budget_update(&budget, &found, counts.list, counts.count, input->compiler);
        good = save(&budget, path, fault);
        if (good && !save_is_output(path))
            print_changes(&changes, &budget, path, !text);
    }
    budget_found_free(&found);
    free_counts(&counts);
    budget_free(&budget);
    return good;
}
