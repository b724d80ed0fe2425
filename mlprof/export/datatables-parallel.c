/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/export/datatables.h"

/* Where it was worked out whose time it is, it may be a part of a sample.  */
static void put_time(struct datatable *table, const struct view *view, bool known,
                     double samples)
{
    if (known)
        datatable_number(table, samples * 1e9 / (double)view->profile->rate);
    else
        datatable_null(table);
}

static void put_row(struct datatable *table, const struct view *view,
                    const struct constructs_row *row)
{
    static const char *const whats[] = {
        [CONSTRUCTS_PARALLEL] = "parallel", [CONSTRUCTS_TASK] = "task",
        [CONSTRUCTS_OUTSIDE] = "outside",   [CONSTRUCTS_UNKNOWN] = "unknown",
        [CONSTRUCTS_ENDS] = "end",          [CONSTRUCTS_IDLE] = "idle"};
    bool construct = constructs_is_known(row);
    bool runs = construct || row->what == CONSTRUCTS_UNKNOWN;
    datatable_text(table, row->name);
    datatable_text(table, row->position);
    datatable_text(table, whats[row->what]);
    put_time(table, view, true, constructs_time(row));
    put_time(table, view, runs || row->work > 0, row->work);
    put_time(table, view, runs, row->inside);
    put_time(table, view, runs, row->end);
    datatable_integer_if(table, construct, row->threads);
    put_time(table, view, row->lasted, row->mean);
    put_time(table, view, row->lasted, row->least);
    put_time(table, view, row->lasted, row->most);
    put_time(table, view, constructs_is_uneven(row), constructs_lost(row));
}

void datatables_parallel(struct datatable *table, const struct view *view,
                         const struct export_asked *asked)
{
    static const char *const heads[] = {
        "construct",    "position", "what",    "time_ns",      "work_ns",
        "inside_ns",    "end_ns",   "threads", "mean_work_ns", "least_work_ns",
        "most_work_ns", "lost_ns",  NULL};
    (void)asked;
    table->heads = heads;
    for (size_t i = 0; view->constructs && i < view->constructs->count; i++)
        put_row(table, view, &view->constructs->rows[i]);
}
