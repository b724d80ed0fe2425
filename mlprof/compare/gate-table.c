/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/compare/gate.h"
#include "mlprof/base/buf.h"
#include "mlprof/names/readable.h"
#include "mlprof/base/text.h"
#include "mlprof/compare/match.h"

#include <inttypes.h>
#include <stdlib.h>

/* The context of the columns, whose rows are struct gate_difference.  */
struct of {
    const struct gate *gate;
    bool show_line;
    bool *alike; /* by row of the match */
};

static const struct side_function *function_of(const struct gate *gate,
                                               const struct gate_difference *difference)
{
    return match_function(&gate->match, gate->sides, difference->row);
}

/* Whether only the baseline has the function of a difference.  A baseline has no lines,
   and symbols for names.  */
static bool is_of_baseline(const struct gate *gate,
                           const struct gate_difference *difference)
{
    return !gate_points(difference) &&
           gate->match.functions[difference->row * 2 + 1] == MATCH_NONE;
}

/* The name of a function that only the baseline has, to be freed; NULL: the function is
   shown as others are.  */
static char *baseline_name(const struct gate *gate,
                           const struct gate_difference *difference)
{
    return is_of_baseline(gate, difference) ? demangle(function_of(gate, difference)->key)
                                            : NULL;
}

/* The point of a difference; NULL: the difference is of no single point, or its position
   is unknown.  */
static const struct points_point *placed_point(const struct gate_difference *difference)
{
    const struct points_list *points = gate_points(difference);
    const struct points_point *point =
        !points || difference->nth == GATE_ALL ? NULL : &points->points[difference->nth];
    return point && point->line ? point : NULL;
}

static const char *point_file(const struct gate *gate, const struct points_point *point)
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
    const struct points_point *point = placed_point(difference);
    return table_text(point ? point_file(gate, point)
                            : function_of(gate, difference)->file);
}

static struct table_value line_of(const struct gate *gate,
                                  const struct gate_difference *difference)
{
    const struct points_point *point = placed_point(difference);
    const struct side_function *function = function_of(gate, difference);
    if (gate_points(difference))
        return table_integer_if(point, point ? point->line : 0);
    return table_integer_if(function->line && !is_of_baseline(gate, difference),
                            function->line);
}

static const char *points_measure(const struct points_list *points)
{
    return points->outcome ? "branches" : "executions";
}

static const char *measure_of(const struct gate_difference *difference)
{
    const struct points_list *points = gate_points(difference);
    return points ? points_measure(points) : side_measure_name(difference->measure);
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
    /* A change that is shown as 0.00 still has its sign; -100.00% would be all of it.  */
    if (growth > -0.005 && growth < 0.005)
        return buf_copy(growth < 0 ? "-0.00%" : "+0.00%");
    return buf_format("%+.2f%%", growth > -99.99 ? growth : -99.99);
}

/* The text for what the figures are of, with the numbers of points if these are
   summed.  */
static char *unit_text(const struct gate *gate, const struct gate_difference *difference)
{
    const struct points_list *points = gate_points(difference);
    if (!points)
        return side_unit(gate->sides[0], difference->measure);
    const char *unit = points_measure(points);
    if (difference->nth != GATE_ALL)
        return buf_copy(unit);
    return buf_format("%s (%s: %zu, now %zu)", unit,
                      points->outcome ? "outcomes" : "lines",
                      difference->points[0] ? difference->points[0]->count : 0,
                      difference->points[1] ? difference->points[1]->count : 0);
}

/* Declares the variables of the expressions below.  */
#define OF_DIFFERENCE                                                                    \
    const struct gate *gate = ((const struct of *)of)->gate;                             \
    const struct gate_difference *row = at;                                              \
    const struct points_list *points = gate_points(row);                                 \
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
    /* The following columns are only on the terminal.  */
    TABLE_SHOWN("change", NULL, "now less baseline", 30, NULL, change_cell),
    TABLE_SHOWN("in %", NULL, "the change in percent of the baseline", 40, NULL,
                percent_cell),
    {0}};

/* Puts the name of points, f.<case true> for outcomes of the function f, with their line,
   which is known if they were counted now.  */
static void put_points(const struct gate *gate, struct sheet *sheet,
                       const struct gate_difference *difference)
{
    const char *function = function_of(gate, difference)->shown;
    const char *outcome = gate_points(difference)->outcome;
    const struct points_point *point = placed_point(difference);
    BUF_OWN char *name = outcome ? buf_format("%s.<case %s>", function, outcome) : NULL;
    BUF_OWN char *file = point ? text_clean(point_file(gate, point)) : NULL;
    sheet_put_name(sheet, text_clean(name ? name : function),
                   file ? buf_format("%s: %" PRIu32, file, point->line) : NULL);
}

static void put_name(const void *of, struct sheet *sheet, const void *at)
{
    const struct of *about = of;
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
    free(((struct of *)own)->alike);
    free(own);
}

struct table gate_table_make(const struct gate *gate, bool show_line)
{
    struct of *of = buf_alloc(sizeof *of);
    *of = (struct of){gate, show_line, match_names_alike(&gate->match, gate->sides)};
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
