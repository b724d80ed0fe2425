/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compares counts with a baseline (gate.h).  */

#include "mlprof/compare/gate.h"
#include "mlprof/base/buf.h"

#include <math.h>
#include <stdlib.h>

static bool exceeds(const struct gate *gate, uint64_t before, uint64_t now)
{
    uint64_t difference = before < now ? now - before : before - now;
    if (!before || !now)
        return difference > 0;
    return difference > 0 && (double)difference > (double)before * gate->threshold / 100;
}

/* Compares two counts of the function in ROW, and adds CHECK with them.  Returns
   whether it fails.  Points are added only if they fail, because there are many.  */
static bool add_check(struct gate *gate, size_t row, struct gate_check check,
                      uint64_t before, uint64_t now)
{
    check.row = row;
    check.function = match_function(&gate->match, gate->sides, row);
    check.gone = !gate_points(&check) && gate->match.functions[row * 2 + 1] == MATCH_NONE;
    check.measured = true;
    check.before = before;
    check.now = now;
    check.failed = exceeds(gate, before, now);
    if (check.failed || !gate_points(&check))
        gate_add(gate, &check);
    return check.failed;
}

/* Compares two lists of counts of a function; one of them may be NULL.  Lists of the
   same length are compared point by point, other lists by their sums.  Returns whether
   a difference exceeds the threshold.  */
static bool compare_lists(struct gate *gate, size_t row,
                          const struct linecounts_list *before,
                          const struct linecounts_list *now)
{
    struct gate_check check = {.points = {before, now}};
    const struct linecounts_list *any = before ? before : now;
    bool each = before && now && before->count == now->count, differs = false;
    for (size_t i = 0; i < (each ? any->count : 1); i++) {
        check.nth = each ? i : GATE_ALL;
        differs |= add_check(gate, row, check,
                             each     ? before->points[i].count
                             : before ? linecounts_sum(before)
                                      : 0,
                             each  ? now->points[i].count
                             : now ? linecounts_sum(now)
                                   : 0);
    }
    if (!each)
        gate->sums++;
    else if (any->outcome)
        gate->outcomes += any->count;
    else
        gate->lines += any->count;
    return differs;
}

/* Compares the lists of both sides, which are in the same order.  Returns whether a
   difference exceeds the threshold.  */
static bool compare_points(struct gate *gate, size_t row)
{
    const uint32_t *functions = &gate->match.functions[row * 2];
    struct linecounts_span spans[2];
    size_t at[2] = {0, 0};
    bool differs = false;
    for (size_t s = 0; s < 2; s++)
        spans[s] = linecounts_of(&gate->sides[s]->points, functions[s]);
    while (at[0] < spans[0].count || at[1] < spans[1].count) {
        const struct linecounts_list *lists[2];
        for (size_t s = 0; s < 2; s++)
            lists[s] = at[s] < spans[s].count ? &spans[s].lists[at[s]] : NULL;
        int order = !lists[0] ? 1
                    : !lists[1]
                        ? -1
                        : linecounts_by_outcome(lists[0]->outcome, lists[1]->outcome);
        if (order > 0)
            lists[0] = NULL;
        if (order < 0)
            lists[1] = NULL;
        for (size_t s = 0; s < 2; s++)
            at[s] += lists[s] != NULL;
        differs |= compare_lists(gate, row, lists[0], lists[1]);
    }
    return differs;
}

/* Returns whether the function has comparable points on both sides.  */
static bool has_points(const struct gate *gate, size_t row)
{
    const struct runset_measure calls = {measure_of_kinds(CCPROF_KIND_COUNT), RUNSET_OWN};
    for (size_t s = 0; s < 2; s++) {
        const struct runset *side = gate->sides[s];
        uint32_t function = gate->match.functions[row * 2 + s];
        if (!side->points.measured || function == MATCH_NONE ||
            (runset_has(side, calls) &&
             runset_value(&side->runs[0], function, calls) == 0))
            return false;
    }
    return true;
}

static uint64_t value_of(const struct gate *gate, size_t side, size_t row,
                         struct runset_measure measure)
{
    return runset_value(&gate->sides[side]->runs[0],
                        gate->match.functions[row * 2 + side], measure);
}

static void compare_function(struct gate *gate, size_t row)
{
    const struct runset_run *run = &gate->sides[0]->runs[0];
    bool any = false, differs = false;
    for (size_t i = 0; i < run->column_count; i++) {
        struct runset_measure measure = run->columns[i].measure;
        uint64_t before = value_of(gate, 0, row, measure),
                 now = value_of(gate, 1, row, measure);
        if (!before && !now)
            continue;
        any = true;
        differs |=
            add_check(gate, row, (struct gate_check){.measure = measure}, before, now);
    }
    if (has_points(gate, row))
        differs |= compare_points(gate, row);
    gate->functions += any;
    gate->beyond += differs;
}

/* Returns whether a function has a count of a compared measure.  */
static bool has_counted(const struct gate *gate, size_t side, size_t row)
{
    const struct runset_run *run = &gate->sides[0]->runs[0];
    for (size_t i = 0; i < run->column_count; i++)
        if (value_of(gate, side, row, run->columns[i].measure))
            return true;
    return false;
}

/* Returns the module of a function with a count on SIDE; NULL if it has no count or no
   module.  */
static const char *module_of(const struct gate *gate, size_t side, size_t row)
{
    return has_counted(gate, side, row)
               ? gate->sides[side]
                     ->functions[gate->match.functions[row * 2 + side]]
                     .module
               : NULL;
}

/* Adds the modules with counts only on SIDE, and marks the checks of their
   functions.  */
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
    for (size_t i = 0; i < gate->check_count; i++) {
        const char *name = module_of(gate, side, gate->checks[i].row);
        gate->checks[i].of_module |= name && !kept[intern_put(&names, name)];
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

/* Sets the size of each change: its share of the total, which is taken from the side
   with the greater total.  */
static void set_sizes(struct gate *gate)
{
    double points = 0;
    for (size_t s = 0; s < 2; s++) {
        double sum = 0;
        for (size_t i = 0; i < gate->sides[s]->points.count; i++)
            sum += (double)linecounts_sum(&gate->sides[s]->points.lists[i]);
        points = fmax(points, sum);
    }
    for (size_t i = 0; i < gate->check_count; i++) {
        struct gate_check *of = &gate->checks[i];
        double total =
            gate_points(of)
                ? points
                : fmax((double)runset_total(&gate->sides[0]->runs[0], of->measure),
                       (double)runset_total(&gate->sides[1]->runs[0], of->measure));
        of->size = fabs((double)of->now - (double)of->before) / total;
    }
}

void gate_find(struct gate *gate, const struct runset *baseline, const struct runset *now)
{
    gate->sides[0] = baseline;
    gate->sides[1] = now;
    match_find(&gate->match, gate->sides, 2);
    for (size_t row = 0; row < gate->match.count; row++)
        compare_function(gate, row);
    for (size_t side = 0; side < 2; side++)
        find_modules(gate, side);
    set_sizes(gate);
    gate_sort(gate);
}
