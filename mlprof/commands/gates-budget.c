/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Evaluates exact counts, and checks, updates, creates and converts budgets
   (gates-inside.h). */

#include "mlprof/base/buf.h"
#include "mlprof/base/files.h"
#include "mlprof/base/terminal.h"
#include "mlprof/base/text.h"
#include "mlprof/commands/gates-inside.h"
#include "mlprof/compare/budget.h"
#include "mlprof/profile/heappoints.h"
#include "mlprof/view/heapwords.h"

#include <stdlib.h>
#include <string.h>

/* Adds the counts of the profile to SIDE. HEAP requests a measure of the heap, or has
   no choice. MEASURE is the measure whose amounts include called functions; NULL: the
   main measure. BESIDE are the measures of instructions to count, too, as bits. Options
   about time have no effect. If the counts are missing or not exact, returns false and
   sets FAULT. */
static bool evaluate(struct runset *side, const struct gates_input *input,
                     const struct views_request *heap, const struct measure *measure,
                     unsigned beside, struct fault *fault)
{
    const struct options *options = input->options;
    const struct profile *profile = input->profile;
    bool of_heap = views_is_requested(heap) || heappoints_alone(profile);
    bool waits = measure && measure->kinds == MEASURE_KIND_WAIT;
    /* Tables and reports show the position, so names need not contain it. */
    struct names_style names = options->names;
    names.show_line = true;
    const struct report_choice choice = {
        .executable = options->operands[0],
        .unprofile = &options->unprofile,
        .filter = &options->filter,
        .names = names,
        .branches = BRANCH_COMPILED,
        .frames.artificial = options->artificial,
        .tolerant = options->tolerant,
        .measure = views_is_requested(heap) ? measure_compared(&measure_all[heap->choice])
                   : of_heap                ? NULL
                                            : measure,
        .beside = beside,
        .rows_key = waits ? ROWS_LOCKS : ROWS_FUNCTIONS,
    };
    struct report report;
    if (of_heap && profile->heap.sample)
        return fault_set(
            fault, FAULT_MISMATCH, input->option,
            "blocks were sampled, so that no two runs have the same: run the "
            "program with CCPROF=heap=exact");
    if (of_heap ? profile->heap.unkept : profile->runs.uncounted) {
        progress_clear();
        fputs(of_heap ? "mlprof: not all calls of the allocator are counted in the data\n"
                      : "mlprof: not all that threads have counted is in the data\n",
              stderr);
    }
    if (!report_open(&report, profile, input->executable, &choice, fault))
        return false;
    struct view view = show_view(options, &report);
    view.request = heap;
    bool good = !views_is_requested(heap) || views_check(&heapview_entry, &view, fault);
    if (good) {
        if (waits)
            runset_add_with_locks(side, &report);
        else
            runset_add(side, &report);
        runset_add_modules(side, &report);
        runset_add_points(side, &report);
    }
    report_close(&report);
    return good;
}

/* Sets FAULT: the file at PATH has MEASURE, called WORD, which the data do not have.
   Returns false. */
static bool lack(const char *path, const char *word, struct runset_measure measure,
                 struct fault *fault)
{
    const char *profile = measure.base->profile;
    if (measure.base->kinds == MEASURE_KIND_WAIT)
        return fault_set(fault, FAULT_MISMATCH, path, "has %s: " WAITDATA_NOT_MEASURED,
                         word);
    return fault_set(fault, FAULT_MISMATCH, path, "has %s, which the data have not%s%s%s",
                     word, profile ? ": compile with -fplugin-arg-ccprof-profile=" : "",
                     profile ? profile : "",
                     measure.part == RUNSET_STACK   ? " and -fplugin-arg-ccprof-stack"
                     : measure.part == RUNSET_LINES ? " and -fplugin-arg-ccprof-blocks"
                                                    : "");
}

/* The counts of the measures of a budget. */
struct counts {
    struct budget_counts *list;
    size_t count, capacity;
    unsigned beside; /* measures of instructions that one evaluation finds, as bits */
};

static void free_counts(struct counts *counts)
{
    for (size_t i = 0; i < counts->count; i++)
        budget_counts_free(&counts->list[i]);
    free(counts->list);
}

/* Adds the counts of MAIN, and all others that the same evaluation has. HEAP requests a
   measure of the heap, or has no choice. */
static bool add_counts(struct counts *counts, const struct gates_input *input,
                       const struct views_request *heap, const struct measure *main,
                       struct fault *fault)
{
    struct budget_counts *next = &BUF_NEXT(counts->list, counts->count, counts->capacity);
    *next = (struct budget_counts){.main = main};
    return evaluate(&next->side, input, heap, main, counts->beside, fault);
}

/* Sets *NUMBER to the number of the counts of a measure, which are evaluated if
   necessary. If the data do not have them, returns false. PATH and WORD are for
   messages. */
static bool find_counts(struct counts *counts, struct runset_measure measure,
                        const struct gates_input *input, const char *path,
                        const char *word, size_t *number, struct fault *fault)
{
    const struct measure *base = measure.base;
    bool evaluated = false;
    for (*number = 1; *number <= counts->count; ++*number) {
        if (runset_has(&counts->list[*number - 1].side, measure))
            return true;
        evaluated |= counts->list[*number - 1].main == base;
    }
    struct views_request heap = {0};
    if (measure_is_of_heap(base))
        heap.choice = (unsigned)(base - measure_all);
    else if (base->kinds == MEASURE_KIND_WAIT ? !input->profile->waits.measured
                                              : !(base->kinds & input->profile->kind))
        evaluated = true;
    if (!evaluated && !add_counts(counts, input, &heap, base, fault))
        return false;
    return (!evaluated && runset_has(&counts->list[*number - 1].side, measure)) ||
           lack(path, word, measure, fault);
}

/* Returns whether the command line selects MEASURE. */
static bool is_selected(const struct options *options, struct runset_measure measure)
{
    const struct measure *heap = options_heap(options);
    return (!heap || measure_compared(heap) == measure.base) &&
           (!options_has_measure(options) || options_requests_measure(options, measure));
}

/* Evaluates the measures of the selected lines. */
static bool find_all_counts(struct budget *budget, struct counts *counts,
                            const struct gates_input *input, const char *path,
                            struct fault *fault)
{
    bool any = false, limits = false;
    for (size_t i = 0; i < budget->count; i++) {
        const struct budget_line *line = &budget->lines[i];
        if (line->kind == BUDGET_LIMIT && line->measure.base->weigh &&
            is_selected(input->options, line->measure))
            counts->beside |= 1U << (line->measure.base - measure_of_event(0));
    }
    for (size_t i = 0; i < budget->count; i++) {
        struct budget_line *line = &budget->lines[i];
        limits |= line->kind == BUDGET_LIMIT;
        if (line->kind != BUDGET_LIMIT || !is_selected(input->options, line->measure))
            continue;
        any = true;
        if (!find_counts(counts, line->measure, input, path, line->word, &line->counts,
                         fault))
            return false;
    }
    return any || fault_set(fault, FAULT_MISMATCH, path, "%s",
                            limits ? "has no limit of the measure of -measure"
                                   : "has no limits");
}

bool gates_check(const struct gates_input *input, const char *path, const char *text,
                 size_t size, struct fault *fault)
{
    const double threshold = input->options->gate_threshold;
    struct budget budget = {0};
    struct budget_found found = {0};
    struct counts counts = {0};
    bool good = budget_parse(&budget, path, text, size, fault) &&
                find_all_counts(&budget, &counts, input, path, fault);
    if (good) {
        struct gate gate = {.path = path,
                            .threshold = threshold,
                            .compilers = {budget.compiler, input->compiler}};
        budget_find(&found, &budget, counts.list, counts.count);
        budget_check(&gate, &budget, &found, counts.list, counts.count);
        BUF_OWN char *limits = text_number(gate.limits, "limit");
        BUF_OWN char *name = text_clean(path);
        BUF_OWN char *equal = buf_format("%s of %s %s\n", limits, name,
                                         gate.limits == 1 ? "holds" : "hold");
        good = gates_report(&gate, input, equal, fault);
        gate_free(&gate);
    }
    budget_found_free(&found);
    free_counts(&counts);
    budget_free(&budget);
    return good;
}

/* Returns the measure of the heap that the command line requests, or that is the only one
   measured; NULL: none. */
static const struct measure *requested_heap(const struct gates_input *input)
{
    const struct measure *heap = measure_compared(options_heap(input->options));
    return heap || !heappoints_alone(input->profile) ? heap
                                                     : measure_of_heap(HEAPDATA_LIVE);
}

/* Returns the measure of the command line, by default the main measure that was
   counted. */
static struct runset_measure requested_measure(const struct gates_input *input)
{
    const struct options *options = input->options;
    const struct measure *heap = requested_heap(input);
    return (struct runset_measure){
        heap ? heap
        : options->measure.measure
            ? options->measure.measure
            : measure_of_kinds(input->profile->kind & CCPROF_KINDS_COUNTED),
        options->measure.column == VIEW_STACK    ? RUNSET_STACK
        : options->measure.column == VIEW_BLOCKS ? RUNSET_BLOCKS
                                                 : RUNSET_OWN};
}

/* Adds lines for each function and each measure that was counted, or that the command
   line requests. */
static bool add_exact(struct budget *budget, struct counts *counts,
                      const struct gates_input *input, const char *limit,
                      struct fault *fault)
{
    const struct measure *base = requested_measure(input).base;
    const struct views_request heap = {
        .choice = measure_is_of_heap(base) ? (unsigned)(base - measure_all) : 0};
    if (options_has_measure(input->options)) {
        budget_add_each(budget, limit, requested_measure(input));
        return true;
    }
    BUF_OWN char *word = budget_word(requested_measure(input));
    size_t number;
    /* Beside time, counts that are only a profile for GCC are refused like in -gate. */
    if (input->profile->kind & CCPROF_KINDS_SAMPLED && !measure_is_of_heap(base) &&
        !find_counts(counts, requested_measure(input), input, input->option, word,
                     &number, fault))
        return false;
    if (!add_counts(counts, input, &heap, NULL, fault))
        return false;
    const struct runset_run *run = &counts->list[counts->count - 1].side.runs.list[0];
    for (size_t i = 0; i < run->column_count; i++) {
        struct runset_measure measure = run->columns[i].measure;
        if (measure.part != RUNSET_STACK && !measure.base->sampled)
            budget_add_each(budget, limit, measure);
    }
    return true;
}

/* Adds limits for the program and the functions that counted most. */
static bool add_greatest(struct budget *budget, struct counts *counts,
                         const struct gates_input *input, const char *limit,
                         struct fault *fault)
{
    const struct options *options = input->options;
    struct runset_measure measure = requested_measure(input);
    BUF_OWN char *word = budget_word(measure);
    size_t number;
    if (!find_counts(counts, measure, input, input->option, word, &number, fault))
        return false;
    budget_add_greatest(budget, limit, &counts->list[number - 1], measure,
                        options->top < 0 ? GATE_TABLE_TOP : (size_t)options->top);
    return true;
}

/* Fills an empty budget. TEXT is a baseline to convert, or NULL. */
static bool create(struct budget *budget, struct counts *counts,
                   const struct gates_input *input, const char *path, const char *text,
                   size_t size, struct fault *fault)
{
    const double threshold = input->options->gate_threshold;
    bool exact = input->options->gate_exact || text;
    BUF_OWN char *percent = buf_format(exact ? "+-%g%%" : "+%g%%", threshold);
    const char *limit = exact && threshold == 0 ? "=" : percent;
    if (!text && requested_measure(input).base->sampled)
        return fault_set(fault, FAULT_MISMATCH, input->option,
                         "time is sampled, so a limit would fail by chance: choose a "
                         "counted measure, such as -measure calls");
    if (!text && requested_measure(input).base->kinds == MEASURE_KIND_WAIT &&
        !(threshold > 0))
        return fault_set(fault, FAULT_MISMATCH, input->option,
                         "waits differ from run to run: give the limits a margin with "
                         "-gate-threshold");
    if (threshold >= BUDGET_PERCENT_MOST)
        return fault_set(fault, FAULT_MISMATCH, "-gate-threshold",
                         "a limit in a budget is less than %d %%", BUDGET_PERCENT_MOST);
    budget_begin(budget);
    return text    ? budget_convert(budget, limit, path, text, size, fault)
           : exact ? add_exact(budget, counts, input, limit, fault)
                   : add_greatest(budget, counts, input, limit, fault);
}

/* Prints a line for each limit without a function. */
static void warn_missing(const struct budget *budget, const struct budget_found *found,
                         const char *path)
{
    for (size_t i = 0; i < budget->count; i++) {
        const struct budget_line *line = &budget->lines[i];
        if (line->counts && !line->owned && line->subject != BUDGET_TOTAL &&
            !found->sums[i].functions)
            fault_message("%s: line %lu: no function matches %s", path, line->number,
                          line->place.name);
    }
}

/* Prints what the update has changed. */
static void print_changes(const struct budget_changes *changes, const char *path,
                          bool created)
{
    size_t limits = changes->limits + (created ? changes->added : 0);
    BUF_OWN char *name = text_clean(path), *number = text_number(limits, "limit");
    BUF_OWN char *added = text_number(changes->added, "new line");
    BUF_OWN char *removed = text_number(changes->removed, "removed line");
    BUF_OWN char *values = text_count(changes->values);
    BUF_OWN char *text =
        created
            ? buf_format("%s: created with %s\n", name, number)
            : buf_format("%s: %s of %s changed%s%s%s%s\n", name, values, number,
                         changes->added ? ", " : "", changes->added ? added : "",
                         changes->removed ? ", " : "", changes->removed ? removed : "");
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

bool gates_update(const struct gates_input *input, const char *path, const char *text,
                  size_t size, struct fault *fault)
{
    struct budget budget = {0};
    struct budget_found found = {0};
    struct counts counts = {0};
    bool created = !text || text_begins(text, BUDGET_BASELINE);
    bool good = (created ? create(&budget, &counts, input, path, text, size, fault)
                         : budget_parse(&budget, path, text, size, fault)) &&
                find_all_counts(&budget, &counts, input, path, fault);
    if (good) {
        budget_find_owned(&budget);
        budget_find(&found, &budget, counts.list, counts.count);
        warn_missing(&budget, &found, path);
        struct budget_changes changes =
            budget_update(&budget, &found, counts.list, input->compiler);
        good = save(&budget, path, fault);
        if (good && !save_is_output(path))
            print_changes(&changes, path, created);
    }
    budget_found_free(&found);
    free_counts(&counts);
    budget_free(&budget);
    return good;
}
