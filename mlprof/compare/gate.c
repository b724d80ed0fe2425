/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/compare/gate.h"
#include "mlprof/base/buf.h"
#include "mlprof/names/readable.h"
#include "mlprof/base/text.h"
#include "mlprof/compare/match.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

static bool exceeds(double threshold, uint64_t before, uint64_t now)
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

/* Compares two lists of counts of a function; one of them may be NULL.  Lists of the
   same length are compared point by point, other lists by their sums.  Returns whether
   a difference exceeds THRESHOLD.  */
static bool compare_lists(struct gate *gate, size_t row,
                          const struct linecounts_list *before,
                          const struct linecounts_list *now, double threshold)
{
    struct gate_difference difference = {.row = row, .points = {before, now}};
    const struct linecounts_list *any = before ? before : now;
    bool each = before && now && before->count == now->count, differs = false;
    for (size_t i = 0; i < (each ? any->count : 1); i++) {
        difference.nth = each ? i : GATE_ALL;
        difference.baseline = each     ? before->points[i].count
                              : before ? linecounts_sum(before)
                                       : 0;
        difference.now = each ? now->points[i].count : now ? linecounts_sum(now) : 0;
        if (!exceeds(threshold, difference.baseline, difference.now))
            continue;
        differs = true;
        add_difference(gate, &difference);
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
   difference exceeds THRESHOLD.  */
static bool compare_points(struct gate *gate, size_t row, double threshold)
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
        differs |= compare_lists(gate, row, lists[0], lists[1], threshold);
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

static void compare_function(struct gate *gate, size_t row, double threshold)
{
    const struct runset_run *run = &gate->sides[0]->runs[0];
    bool any = false, differs = false;
    for (size_t i = 0; i < run->column_count; i++) {
        struct runset_measure measure = run->columns[i].measure;
        uint64_t baseline = value_of(gate, 0, row, measure),
                 now = value_of(gate, 1, row, measure);
        any |= baseline || now;
        if (!exceeds(threshold, baseline, now))
            continue;
        differs = true;
        add_difference(
            gate, &(struct gate_difference){
                      .row = row, .measure = measure, .baseline = baseline, .now = now});
    }
    if (has_points(gate, row))
        differs |= compare_points(gate, row, threshold);
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

/* Adds the modules with counts only on SIDE, and marks the differences of their
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

/* Returns the points of a difference, preferably from the current run.  Returns NULL if
   the difference is in the function's own count.  */
static const struct linecounts_list *gate_points(const struct gate_difference *of)
{
    return of->points[1] ? of->points[1] : of->points[0];
}

/* Sorts differences by their share of the total, which is taken from the side with the
   greater total.  */
static void sort(struct gate *gate)
{
    double points = 0;
    for (size_t s = 0; s < 2; s++) {
        double sum = 0;
        for (size_t i = 0; i < gate->sides[s]->points.count; i++)
            sum += (double)linecounts_sum(&gate->sides[s]->points.lists[i]);
        points = fmax(points, sum);
    }
    for (size_t i = 0; i < gate->difference_count; i++) {
        struct gate_difference *of = &gate->differences[i];
        double total =
            gate_points(of)
                ? points
                : fmax((double)runset_total(&gate->sides[0]->runs[0], of->measure),
                       (double)runset_total(&gate->sides[1]->runs[0], of->measure));
        of->size = fabs((double)of->now - (double)of->baseline) / total;
    }
    BUF_SORT(gate->differences, gate->difference_count, by_size);
}

void gate_find(struct gate *gate, const struct runset *baseline, const struct runset *now,
               double threshold)
{
    *gate = (struct gate){.sides = {baseline, now}};
    match_find(&gate->match, gate->sides, 2);
    for (size_t row = 0; row < gate->match.count; row++)
        compare_function(gate, row, threshold);
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

/* The context of the columns.  The rows are struct gate_difference.  */
struct context {
    const struct gate *gate;
    bool show_line;
    bool *alike; /* by row of the match: the name is ambiguous */
};

static const struct runset_function *function_of(const struct gate *gate,
                                                 const struct gate_difference *difference)
{
    return match_function(&gate->match, gate->sides, difference->row);
}

/* Returns whether only the baseline has the function of a difference.  A function from
   a baseline has no line, and its name is its symbol.  */
static bool is_of_baseline(const struct gate *gate,
                           const struct gate_difference *difference)
{
    return !gate_points(difference) &&
           gate->match.functions[difference->row * 2 + 1] == MATCH_NONE;
}

/* Returns the demangled name of a function that only the baseline has, which the
   caller frees; NULL for other functions.  */
static char *baseline_name(const struct gate *gate,
                           const struct gate_difference *difference)
{
    return is_of_baseline(gate, difference) ? demangle(function_of(gate, difference)->key)
                                            : NULL;
}

/* Returns the point of a difference; NULL if the difference is not in a single point,
   or if the position of the point is unknown.  */
static const struct linecounts_point *
placed_point(const struct gate_difference *difference)
{
    const struct linecounts_list *points = gate_points(difference);
    const struct linecounts_point *point =
        !points || difference->nth == GATE_ALL ? NULL : &points->points[difference->nth];
    return point && point->line ? point : NULL;
}

static const char *point_file(const struct gate *gate,
                              const struct linecounts_point *point)
{
    return intern_text(&gate->sides[1]->points.files, point->file);
}

static struct table_value name_of(const struct gate *gate,
                                  const struct gate_difference *difference)
{
    char *name = baseline_name(gate, difference);
    return name ? table_text_freed(name)
                : table_text(function_of(gate, difference)->shown);
}

static struct table_value file_of(const struct gate *gate,
                                  const struct gate_difference *difference)
{
    const struct linecounts_point *point = placed_point(difference);
    return table_text(point ? point_file(gate, point)
                            : function_of(gate, difference)->file);
}

static struct table_value line_of(const struct gate *gate,
                                  const struct gate_difference *difference)
{
    const struct linecounts_point *point = placed_point(difference);
    const struct runset_function *function = function_of(gate, difference);
    if (gate_points(difference))
        return table_integer_if(point, point ? point->line : 0);
    return table_integer_if(function->line && !is_of_baseline(gate, difference),
                            function->line);
}

static const char *points_measure(const struct linecounts_list *points)
{
    return points->outcome ? "branches" : "executions";
}

static const char *measure_of(const struct gate_difference *difference)
{
    const struct linecounts_list *points = gate_points(difference);
    return points ? points_measure(points) : runset_measure_name(difference->measure);
}

static char *change_text(uint64_t before, uint64_t now)
{
    return buf_format("%c%" PRIu64, before < now ? '+' : '-',
                      before < now ? now - before : before - now);
}

static char *percent_text(uint64_t before, uint64_t now)
{
    if (!before || !now)
        return buf_copy(before ? "gone" : "new");
    double growth = 100 * ((double)now / (double)before - 1);
    /* Show the sign of a change even if it rounds to 0.00.  Do not round to -100.00%,
       because the count is not 0.  */
    if (growth > -0.005 && growth < 0.005)
        return buf_copy(growth < 0 ? "-0.00%" : "+0.00%");
    return buf_format("%+.2f%%", growth > -99.99 ? growth : -99.99);
}

/* Returns the unit of a difference, with the numbers of points if sums are compared.  */
static char *unit_text(const struct gate *gate, const struct gate_difference *difference)
{
    const struct linecounts_list *points = gate_points(difference);
    if (!points)
        return runset_unit(gate->sides[0], difference->measure);
    const char *unit = points_measure(points);
    if (difference->nth != GATE_ALL)
        return buf_copy(unit);
    return buf_format("%s (%s: %zu, now %zu)", unit,
                      points->outcome ? "outcomes" : "lines",
                      difference->points[0] ? difference->points[0]->count : 0,
                      difference->points[1] ? difference->points[1]->count : 0);
}

/* Declares the variables that the expressions below use.  */
#define OF_DIFFERENCE                                                                    \
    const struct gate *gate = ((const struct context *)of)->gate;                        \
    const struct gate_difference *row = at;                                              \
    const struct linecounts_list *points = gate_points(row);                             \
    (void)gate, (void)points

#define VALUE(name, expression) TABLE_VALUE(name, OF_DIFFERENCE, expression)

#define CELL(name, expression) TABLE_CELL(name, OF_DIFFERENCE, expression)

VALUE(name, name_of(gate, row))
VALUE(symbol, table_text(function_of(gate, row)->key))
VALUE(file, file_of(gate, row))
VALUE(line, line_of(gate, row))
VALUE(measure, table_text(measure_of(row)))
CELL(measure, unit_text(gate, row))
VALUE(baseline, table_integer(row->baseline))
CELL(baseline, buf_format("%" PRIu64, row->baseline))
VALUE(now, table_integer(row->now))
CELL(now, buf_format("%" PRIu64, row->now))
CELL(change, change_text(row->baseline, row->now))
CELL(percent, percent_text(row->baseline, row->now))
VALUE(outcome, table_text(points ? points->outcome : NULL))

static const struct table_column columns[] = {
    TABLE_DATA("function", "the name, as the table has it", name),
    TABLE_DATA("symbol", "for the assembler", symbol),
    TABLE_DATA("file", "where the function is", file),
    TABLE_DATA("line",
               "where the function starts; of executions and branches where these are, "
               "null: a sum",
               line),
    {"measure", "what was counted", measure, "of", 50, .cell = measure_cell,
     .side = SHEET_TEXT},
    {"baseline", "the count in the baseline", baseline, "baseline", 10,
     .cell = baseline_cell},
    {"now", "the count of this run", now, "now", 20, .cell = now_cell},
    TABLE_DATA("outcome", "of branches: true, say", outcome),
    /* The columns below are shown only on the terminal.  */
    TABLE_SHOWN("change", NULL, "now less baseline", 30, NULL, change_cell),
    TABLE_SHOWN("in %", NULL, "the change in percent of the baseline", 40, NULL,
                percent_cell),
    {0}};

/* Puts the name of points: f, or f.<case true> for outcomes of the function f.  The
   line is added if it is known, which is the case for points that were counted now.  */
static void put_points(const struct gate *gate, struct sheet *sheet,
                       const struct gate_difference *difference)
{
    const char *function = function_of(gate, difference)->shown;
    const char *outcome = gate_points(difference)->outcome;
    const struct linecounts_point *point = placed_point(difference);
    BUF_OWN char *name = outcome ? buf_format("%s.<case %s>", function, outcome) : NULL;
    BUF_OWN char *file = point ? text_clean(point_file(gate, point)) : NULL;
    sheet_put_name(sheet, text_clean(name ? name : function),
                   file ? buf_format("%s: %" PRIu32, file, point->line) : NULL);
}

static void put_name(const void *of, struct sheet *sheet, const void *at)
{
    const struct context *about = of;
    const struct gate *gate = about->gate;
    const struct gate_difference *difference = at;
    size_t row = difference->row;
    if (gate_points(difference)) {
        put_points(gate, sheet, difference);
        return;
    }
    BUF_OWN char *plain = baseline_name(gate, difference);
    if (plain)
        sheet_put_name(sheet, text_clean(plain), NULL);
    else
        match_names_put(sheet, &gate->match, gate->sides, row,
                        !is_of_baseline(gate, difference) &&
                            (about->show_line || about->alike[row]),
                        NULL);
}

const struct table_view gate_table = {
    .name = "differences", .columns = columns, .names = {table_head_function, put_name}};

static void release(void *own)
{
    free(((struct context *)own)->alike);
    free(own);
}

struct table gate_table_make(const struct gate *gate, bool show_line)
{
    struct context *of = buf_alloc(sizeof *of);
    *of = (struct context){gate, show_line, match_names_alike(&gate->match, gate->sides)};
    struct table table = {.view = &gate_table, .of = of, .own = of, .release = release};
    for (size_t i = 0; i < gate->difference_count; i++)
        table_add(&table, &gate->differences[i]);
    return table;
}

void gate_table_print(FILE *out, const struct gate *gate, bool show_line, size_t top)
{
    struct table table = gate_table_make(gate, show_line);
    size_t kept = 0;
    for (size_t i = 0; i < table.count; i++)
        if (!((const struct gate_difference *)table.rows[i])->of_module)
            table.rows[kept++] = table.rows[i];
    table.count = kept;
    table_cut(&table, top);
    table.counts = true;
    if (table.count)
        table_print(out, &table, false);
    table_free(&table);
}
