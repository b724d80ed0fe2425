/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes what GCC did with loops, for page.c: in the table of loops, and beside the line
   of the loop's head. */

#include "mlprof/base/text.h"
#include "mlprof/page/page-inside.h"
#include "mlprof/rows/verdicts.h"

/* The context of the columns is the page's data. */
static const struct verdicts_loop *loop_of(const struct page_data *data,
                                           const struct verdicts_verdict *verdict)
{
    return &report_verdicts(data->view->report)->loops[verdict->loop];
}

static int64_t file_of(struct page_data *data, const struct verdicts_verdict *verdict)
{
    const struct verdicts_loop *loop = loop_of(data, verdict);
    return page_files_put(&data->files, loop->file);
}

static int64_t into_of(const struct verdicts_verdict *verdict)
{
    return verdict->into == STACKS_NONE ? DATACOLUMNS_NONE : (int64_t)verdict->into;
}

PAGE_VALUE(verdict_file, verdicts_verdict, file_of(data, row))
PAGE_VALUE(verdict_line, verdicts_verdict, loop_of(data, row)->line)
PAGE_VALUE(verdict_column, verdicts_verdict, loop_of(data, row)->column)
PAGE_VALUE(verdict_text, verdicts_verdict, datacolumns_text(&data->columns, row->text))
PAGE_VALUE(verdict_messages, verdicts_verdict,
           datacolumns_text(&data->columns, row->messages))
PAGE_VALUE(verdict_into, verdicts_verdict, into_of(row))
PAGE_VALUE(verdict_copies, verdicts_verdict, row->copies)
PAGE_VALUE(verdict_cur, verdicts_verdict, row->cur)

static const struct datacolumns_column verdict_columns[] = {
    {"file", verdict_file},
    {"line", verdict_line},
    {"column", verdict_column},
    {"text", verdict_text},
    {"messages", verdict_messages},
    {"into", verdict_into},
    {"copies", verdict_copies},
    {"cur", verdict_cur},
    {0}};

void page_verdicts_print(struct page_data *data)
{
    const struct verdicts *verdicts = report_verdicts(data->view->report);
    datacolumns_print(&data->columns, "verdicts", data, verdicts->list,
                      verdicts->verdict_count, verdict_columns);
}
