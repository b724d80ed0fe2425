/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Replaces the measured values of a budget, and adds lines, also for a baseline
   (budget.h). */

#include "mlprof/base/buf.h"
#include "mlprof/base/fields.h"
#include "mlprof/base/index.h"
#include "mlprof/base/text.h"
#include "mlprof/compare/budget.h"

#include <stdlib.h>
#include <string.h>

static void update_compiler(struct budget *budget, const char *compiler)
{
    size_t i = 0;
    while (i < budget->count && budget->lines[i].kind != BUDGET_COMPILER)
        i++;
    if (i == budget->count) {
        budget_add_text(budget, NULL);
        memmove(&budget->lines[1], &budget->lines[0],
                (budget->count - 1) * sizeof *budget->lines);
        i = 0;
    }
    struct budget_line *line = &budget->lines[i];
    if (line->kind == BUDGET_COMPILER)
        free(line->text);
    *line = (struct budget_line){.kind = BUDGET_COMPILER,
                                 .text = buf_format("compiler %s", compiler)};
    free(budget->compiler);
    budget->compiler = buf_copy(compiler);
}

/* Returns whether LINE is about functions of the same measure as EACH above it. */
static bool is_below(const struct budget_line *line, const struct budget_line *each)
{
    return line->kind == BUDGET_LIMIT && line->subject == BUDGET_NAME &&
           runset_is_same(line->measure, each->measure);
}

void budget_find_owned(struct budget *budget)
{
    for (size_t i = 0; i < budget->count; i++) {
        const struct budget_line *each = &budget->lines[i];
        if (each->subject != BUDGET_EACH || each->form == BUDGET_MOST || !each->counts)
            continue;
        for (; i + 1 < budget->count && is_below(&budget->lines[i + 1], each); i++)
            budget->lines[i + 1].owned =
                !budget->lines[i + 1].comment &&
                strcmp(budget->lines[i + 1].limit, each->limit) == 0;
    }
}

static bool has_same_list(const struct linecounts_list *one,
                          const struct linecounts_list *other)
{
    if (one->count != other->count ||
        linecounts_by_outcome(one->outcome, other->outcome) != 0)
        return false;
    for (size_t i = 0; i < one->count; i++)
        if (one->points[i].count != other->points[i].count)
            return false;
    return true;
}

/* Returns whether both lines have the same value and the same points. */
static bool has_same_value(const struct budget_line *one, const struct budget_line *other)
{
    const struct linecounts none = {0}, *a = one->points ? one->points : &none,
                            *b = other->points ? other->points : &none;
    bool same = one->measured == other->measured && a->count == b->count &&
                (!one->measured || one->value == other->value);
    for (size_t i = 0; same && i < a->count; i++)
        same = has_same_list(&a->lists[i], &b->lists[i]);
    return same;
}

/* Returns a copy of the points of a function; NULL if there are none. */
static struct linecounts *copy_points(const struct linecounts *points, uint32_t function)
{
    struct linecounts_span span = linecounts_of(points, function);
    struct linecounts *copy = span.count ? buf_alloc(sizeof *copy) : NULL;
    for (size_t i = 0; i < span.count; i++) {
        const char *outcome = span.lists[i].outcome;
        struct linecounts_list *list =
            linecounts_add_list(copy, 0, outcome ? buf_copy(outcome) : NULL);
        for (size_t k = 0; k < span.lists[i].count; k++)
            linecounts_add_point(list, &span.lists[i].points[k]);
    }
    return copy;
}

/* Sets the value of LINE, which is about FUNCTION if that is not NULL. */
static void set_value(struct budget_line *line, uint64_t value,
                      const struct budget_counts *counts, const uint32_t *function)
{
    line->measured = true;
    line->value = value;
    line->points =
        function && line->measure.part == RUNSET_LINES && line->form != BUDGET_MOST
            ? copy_points(&counts->side.points, *function)
            : NULL;
}

/* The update of a budget. */
struct updater {
    const struct budget *before;
    const struct budget_found *found;
    struct budget_counts *counts;
    struct budget after;
    struct budget_changes changes;
    /* Finds owned lines by their measure and place. */
    struct intern texts;
    struct index owned;
    BUF_VECTOR(size_t) owned_lines; /* by number: index of the line in BEFORE */
};

static uint32_t owned_number(struct updater *updater, const struct budget_line *line,
                             bool *fresh)
{
    BUF_OWN char *place = budget_place_text(&line->place);
    return index_put(&updater->owned, intern_put(&updater->texts, place),
                     (uint64_t)(line->measure.base - measure_all), line->measure.part,
                     fresh);
}

static void list_owned(struct updater *updater)
{
    bool fresh;
    for (size_t i = 0; i < updater->before->count; i++) {
        const struct budget_line *line = &updater->before->lines[i];
        updater->changes.limits += line->counts > 0;
        if (!line->owned)
            continue;
        owned_number(updater, line, &fresh);
        BUF_PUSH(updater->owned_lines) = i;
    }
    updater->changes.removed = updater->owned_lines.count;
}

/* Adds a line for a function that the line `each' with the index of EACH is about, if a
   line can name the function. */
static void add_each(struct updater *updater, const struct budget_each *each)
{
    const struct budget_line *above = &updater->before->lines[each->line];
    struct budget_counts *counts = &updater->counts[above->counts - 1];
    budget_find_places(counts);
    const struct budget_place *place = &counts->places[each->function];
    if (above->form == BUDGET_MOST || !place->name)
        return;
    struct budget_line *line = budget_add_limit(&updater->after, above->limit,
                                                above->measure, budget_copy_place(place));
    line->counts = above->counts;
    set_value(line, each->now, counts, &each->function);
    bool fresh;
    uint32_t number = owned_number(updater, line, &fresh);
    updater->changes.added += fresh;
    if (fresh || number >= updater->owned_lines.count)
        return;
    const struct budget_line *old =
        &updater->before->lines[updater->owned_lines.list[number]];
    updater->changes.removed--;
    updater->changes.values += !has_same_value(old, line);
}

/* Moves a line of BEFORE to AFTER, with its value of now. */
static void move_line(struct updater *updater, size_t index)
{
    struct budget_line *line =
        &BUF_NEXT(updater->after.lines, updater->after.count, updater->after.capacity);
    const struct budget_sum *sum = &updater->found->sums[index];
    *line = updater->before->lines[index];
    if (!line->counts)
        return;
    struct budget_line old = *line;
    line->measured = false;
    line->points = NULL;
    if (line->subject == BUDGET_TOTAL || (sum->functions && line->subject != BUDGET_EACH))
        set_value(line, sum->now, &updater->counts[line->counts - 1],
                  sum->functions == 1 && line->subject == BUDGET_NAME ? &sum->function
                                                                      : NULL);
    updater->changes.values += !has_same_value(&old, line);
    if (old.points)
        linecounts_free(old.points);
    free(old.points);
}

/* Moves the line `each' with index EACH_LINE and the lines below it, and adds lines for
   its functions, the first of which has index *EACH, in the order of their names. Returns
   the index of the last line. */
static size_t move_each(struct updater *updater, size_t each_line, size_t *each)
{
    const struct budget *before = updater->before;
    const struct budget_found *found = updater->found;
    size_t next = each_line + 1, last = each_line;
    move_line(updater, each_line);
    for (; next < before->count &&
           is_below(&before->lines[next], &before->lines[each_line]);
         next++)
        last = next;
    for (next = each_line + 1; next <= last; next++) {
        const struct budget_line *line = &before->lines[next];
        if (line->owned)
            continue;
        for (; *each < found->each.count && found->each.list[*each].line == each_line &&
               strcmp(found->each.list[*each].name, line->place.name) < 0;
             ++*each)
            add_each(updater, &found->each.list[*each]);
        move_line(updater, next);
    }
    for (; *each < found->each.count && found->each.list[*each].line == each_line;
         ++*each)
        add_each(updater, &found->each.list[*each]);
    return last;
}

struct budget_changes budget_update(struct budget *budget,
                                    const struct budget_found *found,
                                    struct budget_counts *counts, const char *compiler)
{
    struct updater updater = {.before = budget, .found = found, .counts = counts};
    size_t each = 0, most = budget->count + found->each.count + 1;
    updater.after.lines =
        buf_grow(NULL, &updater.after.capacity, most, sizeof *budget->lines);
    list_owned(&updater);
    for (size_t i = 0; i < budget->count; i++) {
        if (budget->lines[i].counts && budget->lines[i].subject == BUDGET_EACH)
            i = move_each(&updater, i, &each);
        else
            move_line(&updater, i);
    }
    for (size_t i = 0; i < updater.owned_lines.count; i++)
        budget_free_line(&budget->lines[updater.owned_lines.list[i]]);
    free(budget->lines);
    updater.after.compiler = budget->compiler;
    *budget = updater.after;
    intern_free(&updater.texts);
    index_free(&updater.owned);
    free(updater.owned_lines.list);
    if (compiler)
        update_compiler(budget, compiler);
    return updater.changes;
}

void budget_begin(struct budget *budget)
{
    static const char *const head[] = {
        "",
        "# mlprof -gate checks these limits, mlprof -gate-update replaces the measured",
        "# values. The manual page mlprof-compare(7) describes them.", "",
        "# limit           measured  measure       function"};
    for (size_t i = 0; i < sizeof head / sizeof *head; i++)
        budget_add_text(budget, buf_copy(head[i]));
}

/* A function and its count. */
struct counted {
    uint32_t number;
    uint64_t value;
};

BUF_COMPARE(by_value, struct counted,
            BUF_ORDER(b->value, a->value) ?: BUF_ORDER(a->number, b->number))

void budget_add_greatest(struct budget *budget, const char *limit,
                         struct budget_counts *counts, struct runset_measure measure,
                         size_t most)
{
    const struct runset *side = &counts->side;
    BUF_OWN struct counted *order =
        buf_alloc((side->functions.count + 1) * sizeof *order);
    size_t added = 0;
    for (uint32_t i = 0; i < side->functions.count; i++)
        order[i] = (struct counted){i, runset_value(&side->runs.list[0], i, measure)};
    BUF_SORT(order, side->functions.count, by_value);
    budget_find_places(counts);
    budget_add_limit(budget, limit, measure,
                     (struct budget_place){.name = buf_copy("total")});
    for (size_t i = 0; i < side->functions.count && order[i].value; i++) {
        struct budget_place *place = &counts->places[order[i].number];
        if (!place->name)
            continue;
        if (most && added++ == most)
            break;
        budget_add_limit(budget, limit, measure, budget_copy_place(place));
    }
}

/* Stores the measure that WORD of a baseline means in MEASURE: a measure of HEAP or, if
   HEAP is NULL, of the other counts. */
static bool find_baseline_measure(const struct measure *heap, const char *word,
                                  struct runset_measure *measure)
{
    bool total = text_begins(word, "total-");
    const char *name = total ? word + strlen("total-") : word;
    enum runset_part part = total                             ? RUNSET_STACK
                            : strcmp(word, "blocks") == 0     ? RUNSET_BLOCKS
                            : strcmp(word, "executions") == 0 ? RUNSET_LINES
                                                              : RUNSET_OWN;
    const struct measure *base =
        heap                    ? heap
        : part == RUNSET_BLOCKS ? measure_of_kinds(CCPROF_KIND_ALLOC)
        : part == RUNSET_LINES  ? measure_of_kinds(CCPROF_KIND_COUNT)
                                : measure_of_word(name, false);
    *measure = (struct runset_measure){base, part};
    return base && !base->sampled;
}

bool budget_convert(struct budget *budget, const char *limit, const char *path,
                    const char *text, size_t size, struct fault *fault)
{
    struct fields fields = {
        .path = path, .next = text, .end = text + size, .fault = fault};
    const struct measure *heap = NULL;
    do {
        if (!fields_next_line(&fields))
            return false;
    } while (!fields_skip(&fields, "measures "));
    BUF_OWN char *line =
        buf_copy_prefix(fields.cursor, (size_t)(fields.stop - fields.cursor));
    char *rest = line;
    for (char *word; (word = strtok_r(rest, " ", &rest));) {
        bool is_heap = strcmp(word, "heap") == 0;
        struct runset_measure measure;
        if (is_heap && (word = strtok_r(NULL, " ", &rest)))
            heap = measure_of_word(word, true);
        if (is_heap ? !heap
                    : !find_baseline_measure(measure_compared(heap), word, &measure))
            return fields_wrong(&fields, "a measure that this mlprof does not know");
        if (!is_heap)
            budget_add_each(budget, limit, measure);
    }
    return true;
}
