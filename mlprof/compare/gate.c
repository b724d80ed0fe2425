/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/compare/gate.h"
#include "mlprof/base/buf.h"

#include <math.h>
#include <stdlib.h>

static bool is_beyond(double threshold, uint64_t before, uint64_t now)
{
    uint64_t difference = before < now ? now - before : before - now;
    if (!before || !now)
        return difference > 0;
    return difference > 0 && (double)difference > (double)before * threshold / 100;
}

static void add_difference(struct gate *gate, const struct gate_difference *difference)
{
    gate->differences = buf_grow(gate->differences, &gate->difference_capacity,
                                 gate->difference_count + 1, sizeof *gate->differences);
    gate->differences[gate->difference_count] = *difference;
    gate->differences[gate->difference_count].number = gate->difference_count;
    gate->difference_count++;
}

/* Compares two lists of a function, either of which may be NULL: point by point if both
   have the same length, otherwise by their sums.  Returns whether they differ.  */
static bool compare_lists(struct gate *gate, size_t row, const struct points_list *before,
                          const struct points_list *now, double threshold)
{
    struct gate_difference difference = {.row = row, .points = {before, now}};
    const struct points_list *any = before ? before : now;
    bool each = before && now && before->count == now->count, beyond = false;
    for (size_t i = 0; i < (each ? any->count : 1); i++) {
        difference.nth = each ? i : GATE_ALL;
        difference.baseline = each     ? before->points[i].count
                              : before ? points_sum(before)
                                       : 0;
        difference.now = each ? now->points[i].count : now ? points_sum(now) : 0;
        if (!is_beyond(threshold, difference.baseline, difference.now))
            continue;
        beyond = true;
        add_difference(gate, &difference);
    }
    if (!each)
        gate->sums++;
    else if (any->outcome)
        gate->outcomes += any->count;
    else
        gate->lines += any->count;
    return beyond;
}

/* Compares the lists of both sides, which are in the same order.  Returns whether any
   differ.  */
static bool compare_points(struct gate *gate, size_t row, double threshold)
{
    const uint32_t *functions = &gate->match.functions[row * 2];
    struct points_span spans[2];
    size_t at[2] = {0, 0};
    bool beyond = false;
    for (size_t s = 0; s < 2; s++)
        spans[s] = points_of(&gate->sides[s]->points, functions[s]);
    while (at[0] < spans[0].count || at[1] < spans[1].count) {
        const struct points_list *lists[2];
        for (size_t s = 0; s < 2; s++)
            lists[s] = at[s] < spans[s].count ? &spans[s].lists[at[s]] : NULL;
        int order = !lists[0]   ? 1
                    : !lists[1] ? -1
                                : points_by_outcome(lists[0]->outcome, lists[1]->outcome);
        if (order > 0)
            lists[0] = NULL;
        if (order < 0)
            lists[1] = NULL;
        for (size_t s = 0; s < 2; s++)
            at[s] += lists[s] != NULL;
        beyond |= compare_lists(gate, row, lists[0], lists[1], threshold);
    }
    return beyond;
}

/* Whether the function has points on both sides that can be compared.  */
static bool has_points(const struct gate *gate, size_t row)
{
    const struct side_measure calls = {measure_of_kinds(CCPROF_KIND_COUNT), SIDE_OWN};
    for (size_t s = 0; s < 2; s++) {
        const struct side *side = gate->sides[s];
        uint32_t function = gate->match.functions[row * 2 + s];
        if (!side->points.measured || function == MATCH_NONE ||
            (side_has(side, calls) && side_value(&side->runs[0], function, calls) == 0))
            return false;
    }
    return true;
}

static uint64_t value_of(const struct gate *gate, size_t side, size_t row,
                         struct side_measure measure)
{
    return side_value(&gate->sides[side]->runs[0], gate->match.functions[row * 2 + side],
                      measure);
}

static void look_at(struct gate *gate, size_t row, double threshold)
{
    const struct side_run *run = &gate->sides[0]->runs[0];
    bool any = false, beyond = false;
    for (size_t i = 0; i < run->column_count; i++) {
        struct side_measure measure = run->columns[i].measure;
        uint64_t baseline = value_of(gate, 0, row, measure),
                 now = value_of(gate, 1, row, measure);
        any |= baseline || now;
        if (!is_beyond(threshold, baseline, now))
            continue;
        beyond = true;
        add_difference(
            gate, &(struct gate_difference){
                      .row = row, .measure = measure, .baseline = baseline, .now = now});
    }
    if (has_points(gate, row))
        beyond |= compare_points(gate, row, threshold);
    gate->functions += any;
    gate->beyond += beyond;
}

/* Whether a function has counted anything that is compared.  */
static bool has_counted(const struct gate *gate, size_t side, size_t row)
{
    const struct side_run *run = &gate->sides[0]->runs[0];
    for (size_t i = 0; i < run->column_count; i++)
        if (value_of(gate, side, row, run->columns[i].measure))
            return true;
    return false;
}

/* The module of a function that has counted on SIDE; NULL: it has not, or has none.  */
static const char *module_of(const struct gate *gate, size_t side, size_t row)
{
    return has_counted(gate, side, row)
               ? gate->sides[side]
                     ->functions[gate->match.functions[row * 2 + side]]
                     .module
               : NULL;
}

/* Adds the modules that have counted on SIDE alone, and marks their differences.  */
static void find_modules(struct gate *gate, size_t side)
{
    struct intern names = {0};
    size_t rows = gate->match.count, *counts = buf_alloc((rows + 1) * sizeof *counts);
    bool *kept = buf_alloc(rows + 1);
    for (size_t row = 0; row < rows; row++) {
        const char *name = module_of(gate, side, row);
        if (!name)
            continue;
        uint32_t number = intern_put(&names, name);
        counts[number]++;
        kept[number] |= has_counted(gate, !side, row);
    }
    for (size_t i = 0; i < gate->difference_count; i++) {
        const char *name = module_of(gate, side, gate->differences[i].row);
        gate->differences[i].of_module |= name && !kept[intern_put(&names, name)];
    }
    for (uint32_t i = 0; i < names.count; i++) {
        if (kept[i])
            continue;
        gate->modules = buf_grow(gate->modules, &gate->module_capacity,
                                 gate->module_count + 1, sizeof *gate->modules);
        gate->modules[gate->module_count++] =
            (struct gate_module){buf_copy(intern_text(&names, i)), side, counts[i]};
    }
    free(kept);
    free(counts);
    intern_free(&names);
}

static int by_size(const void *one, const void *other)
{
    const struct gate_difference *a = one, *b = other;
    if (a->size < b->size || b->size < a->size)
        return a->size < b->size ? 1 : -1;
    return BUF_ORDER(a->number, b->number);
}

/* Sorts differences by their shares of the totals of the side that has more.  */
static void sort(struct gate *gate)
{
    double points = 0;
    for (size_t s = 0; s < 2; s++) {
        double sum = 0;
        for (size_t i = 0; i < gate->sides[s]->points.count; i++)
            sum += (double)points_sum(&gate->sides[s]->points.lists[i]);
        points = fmax(points, sum);
    }
    for (size_t i = 0; i < gate->difference_count; i++) {
        struct gate_difference *of = &gate->differences[i];
        double total =
            gate_points(of)
                ? points
                : fmax((double)side_total(&gate->sides[0]->runs[0], of->measure),
                       (double)side_total(&gate->sides[1]->runs[0], of->measure));
        of->size = fabs((double)of->now - (double)of->baseline) / total;
    }
    BUF_SORT(gate->differences, gate->difference_count, by_size);
}

void gate_find(struct gate *gate, const struct side *baseline, const struct side *now,
               double threshold)
{
    *gate = (struct gate){.sides = {baseline, now}};
    match_find(&gate->match, gate->sides, 2);
    for (size_t row = 0; row < gate->match.count; row++)
        look_at(gate, row, threshold);
    for (size_t side = 0; side < 2; side++)
        find_modules(gate, side);
    sort(gate);
}

void gate_free(struct gate *gate)
{
    match_free(&gate->match);
    for (size_t i = 0; i < gate->module_count; i++)
        free(gate->modules[i].name);
    free(gate->modules);
    free(gate->differences);
}

const struct points_list *gate_points(const struct gate_difference *of)
{
    return of->points[1] ? of->points[1] : of->points[0];
}
