/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/export/datatables.h"

/* Where it was worked out whose time it is, it may be a part of a sample.  */
static struct table_value time_if(const void *of, bool known, double samples)
{
    const struct view *view = of;
    return table_number_if(known, samples * 1e9 / (double)view->profile->rate);
}

static bool runs(const struct constructs_row *row)
{
    return constructs_is_known(row) || row->what == CONSTRUCTS_UNKNOWN;
}

static const char *what_of(const struct constructs_row *row)
{
    static const char *const whats[] = {
        [CONSTRUCTS_PARALLEL] = "parallel", [CONSTRUCTS_TASK] = "task",
        [CONSTRUCTS_OUTSIDE] = "outside",   [CONSTRUCTS_UNKNOWN] = "unknown",
        [CONSTRUCTS_ENDS] = "end",          [CONSTRUCTS_IDLE] = "idle"};
    return whats[row->what];
}

#define VALUE(name, expression)                                                          \
    static struct table_value name(const void *of, const void *at)                       \
    {                                                                                    \
        const struct constructs_row *row = at;                                           \
        (void)of;                                                                        \
        return expression;                                                               \
    }

VALUE(construct, table_text(row->name))
VALUE(position, table_text(row->position))
VALUE(what, table_text(what_of(row)))
VALUE(time, time_if(of, true, constructs_time(row)))
VALUE(work, time_if(of, runs(row) || row->work > 0, row->work))
VALUE(inside, time_if(of, runs(row), row->inside))
VALUE(end, time_if(of, runs(row), row->end))
VALUE(threads, table_integer_if(constructs_is_known(row), row->threads))
VALUE(mean, time_if(of, row->lasted, row->mean))
VALUE(least, time_if(of, row->lasted, row->least))
VALUE(most, time_if(of, row->lasted, row->most))
VALUE(lost, time_if(of, constructs_is_uneven(row), constructs_lost(row)))

static const struct table_column columns[] = {TABLE_DATA("construct", NULL, construct),
                                              TABLE_DATA("position", NULL, position),
                                              TABLE_DATA("what", NULL, what),
                                              TABLE_DATA("time_ns", NULL, time),
                                              TABLE_DATA("work_ns", NULL, work),
                                              TABLE_DATA("inside_ns", NULL, inside),
                                              TABLE_DATA("end_ns", NULL, end),
                                              TABLE_DATA("threads", NULL, threads),
                                              TABLE_DATA("mean_work_ns", NULL, mean),
                                              TABLE_DATA("least_work_ns", NULL, least),
                                              TABLE_DATA("most_work_ns", NULL, most),
                                              TABLE_DATA("lost_ns", NULL, lost),
                                              {0}};

const struct table_view datatables_parallel_view = {.name = "parallel",
                                                    .columns = columns};

void datatables_parallel(struct table *table, const struct view *view,
                         const struct export_asked *asked)
{
    (void)asked;
    for (size_t i = 0; view->constructs && i < view->constructs->count; i++)
        table_add(table, &view->constructs->rows[i]);
}
