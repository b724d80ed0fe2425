/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shows the failed checks of a gate as a table (gate.h). */

#include "mlprof/compare/gate.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/sourcefile.h"
#include "mlprof/base/text.h"

#include <inttypes.h>
#include <stdlib.h>

static struct table_value file_of(const struct gate_check *row)
{
    const char *file;
    gate_position(row, &file);
    return table_text(sourcefile_name(file));
}

static struct table_value line_of(const struct gate_check *row)
{
    const char *file;
    uint32_t line = gate_position(row, &file);
    return table_integer_if(line, line);
}

static char *number_text(bool known, uint64_t value)
{
    return known ? text_count(value) : buf_copy("-");
}

/* Declares the variables that the expressions below use. */
#define OF_CHECK                                                                         \
    const struct gate_check *row = at;                                                   \
    const struct linecounts_list *points = gate_points(row);                             \
    (void)of, (void)points

#define VALUE(name, expression) TABLE_VALUE(name, OF_CHECK, expression)

#define CELL(name, expression) TABLE_CELL(name, OF_CHECK, expression)

VALUE(name, table_text(row->name ? row->name : row->function->shown))
VALUE(symbol, table_text(row->function ? row->function->key : NULL))
VALUE(file, file_of(row))
VALUE(line, line_of(row))
VALUE(measure, table_text(points && points->outcome ? "outcomes" : row->word))
CELL(measure, gate_unit(row))
VALUE(before, table_integer_if(row->measured, row->before))
CELL(before, number_text(row->measured, row->before))
VALUE(now, table_integer(row->now))
CELL(now, number_text(row->reason != GATE_NO_FUNCTION, row->now))
VALUE(limit, table_integer_if(row->limited, row->limit))
CELL(limit, number_text(row->limited, row->limit))
CELL(over, gate_excess(row))
CELL(percent, gate_change(row))
VALUE(outcome, table_text(points ? points->outcome : NULL))

static const struct table_column columns[] = {
    TABLE_DATA("function", "the name, as the table has it", name),
    TABLE_DATA("symbol", "for the assembler", symbol),
    TABLE_DATA("file", "where the function is", file),
    TABLE_DATA("line",
               "where the function starts; of executions and outcomes where these are, "
               "null: a sum",
               line),
    {.id = "before",
     .means = "the count in the budget",
     .value = before,
     .head = "before",
     .cell = before_cell,
     .drop_rank = 1},
    {"now", "the count of this run", now, "now", .cell = now_cell},
    TABLE_DATA("outcome", "of a branch: true, say", outcome),
    {.id = "limit",
     .means = "the limit that the budget has",
     .value = limit,
     .head = "limit",
     .cell = limit_cell},
    TABLE_SHOWN("over", NULL, "the excess in percent of the limit", NULL, over_cell),
    {.head = "in %",
     .means = "the change in percent of before",
     .cell = percent_cell,
     .drop_rank = 2},
    {"measure", "what was counted", measure, "of", .cell = measure_cell,
     .side = SHEET_TEXT},
    {0}};

/* Puts the name of a check, and the position if it is known. */
static void put_check(const void *of, struct sheet *sheet, const void *at)
{
    const struct gate_check *row = at;
    const char *file;
    uint32_t line = gate_position(row, &file);
    BUF_OWN char *name = gate_name(row);
    BUF_OWN char *clean = line ? text_clean(sourcefile_name(file)) : NULL;
    (void)of;
    sheet_put_name(sheet, text_clean(name),
                   clean ? buf_format("%s: %" PRIu32, clean, line) : NULL);
}

const struct table_view gate_table = {
    .name = "differences", .columns = columns, .names = {"function", put_check}};

struct table gate_table_make(const struct gate *gate)
{
    struct table table = {.view = &gate_table, .of = gate};
    for (size_t i = 0; i < gate->failed; i++)
        table_add(&table, &gate->checks[i]);
    return table;
}

void gate_table_print(FILE *out, const struct gate *gate, size_t top)
{
    struct table table = gate_table_make(gate);
    size_t kept = 0;
    for (size_t i = 0; i < table.count; i++)
        if (!((const struct gate_check *)table.rows[i])->of_object)
            table.rows[kept++] = table.rows[i];
    table.count = kept;
    table_cut(&table, top);
    table.counts = true;
    if (table.count)
        table_print(out, &table, false);
    table_free(&table);
}
