/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/view/lines-table.h"
#include "mlprof/base/buf.h"
#include "mlprof/rows/flowlines.h"
#include "mlprof/rows/lines.h"
#include "mlprof/view/measured.h"

#include <stdlib.h>

/* Defines the function of a column.  */
#define VALUE(name, expression)                                                          \
    TABLE_VALUE(name, const struct view *view = of; const struct lines_line *row = at;   \
                (void)view, expression)

VALUE(function, measured_name(view, view_row(view, row->row)))
VALUE(file, measured_file(view_row(view, row->row)))
VALUE(line, table_integer_if(row->line, row->line))
VALUE(samples, measured_samples(view, true, row->cur))
VALUE(time, measured_time(view, true, row->cur))
VALUE(stack_samples, measured_samples(view, true, row->stack))
VALUE(stack_time, measured_time(view, true, row->stack))
VALUE(bytes, measured_bytes(view, true, row->cur))
VALUE(stack_bytes, measured_bytes(view, true, row->stack))
VALUE(executions, table_integer_if(row->counted, row->count))

static const struct table_column columns[] = {
    TABLE_DATA("function", "that the line is of", function),
    TABLE_DATA("file", "where the function is", file),
    TABLE_DATA("line", "null: code of other files", line),
    TABLE_DATA("samples", "in the line itself", samples),
    TABLE_DATA("time_ns", "of these samples", time),
    TABLE_DATA("stack_samples", "in it and in what it called", stack_samples),
    TABLE_DATA("stack_time_ns", "of these samples", stack_time),
    TABLE_DATA("bytes", "allocated by the line itself", bytes),
    TABLE_DATA("stack_bytes", "allocated by it and by what it called", stack_bytes),
    TABLE_DATA("executions", "how often it was executed", executions),
    {0}};

const struct table_view lines_table = {.name = "lines", .columns = columns};

static void release_lines(void *own)
{
    lines_free(own);
    free(own);
}

void lines_table_fill(struct table *table, const struct view *view,
                      const struct pattern *asked)
{
    const struct rows *rows = view->rows;
    struct lines *lines = buf_alloc(sizeof *lines);
    BUF_OWN bool *wanted = view_asked_rows(view, asked);
    lines_count(lines, rows, wanted);
    if (view->flows)
        flowlines_add(lines, view->flows, rows, wanted);
    for (size_t i = 0; i < lines->count; i++)
        table_add(table, &lines->lines[i]);
    table->own = lines;
    table->release = release_lines;
}
