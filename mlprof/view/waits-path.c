/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shows the critical path of a run, as a part of -waits: what the end of the program
   waited for (waiting/criticalpath.h). */

#include "mlprof/view/waitwords.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/text.h"

#include <stdlib.h>

#define OF_ROW                                                                           \
    const struct waiting *waiting = report_waiting(((const struct view *)of)->report);   \
    const struct waiting_step *step = at;                                                \
    (void)waiting

VIEW_VALUE(thread, table_text(step->thread))
VIEW_VALUE(state, table_text(step->runs ? "running" : waiting_reasons[step->reason]))
VIEW_VALUE(object, table_text(step->object))
WAITWORDS_CALL(step->call)
WAITWORDS_TIME(time, step->time)
VIEW_VALUE(share, table_number_if(waiting->path_time,
                                  (double)step->time / (double)waiting->path_time))
VIEW_CELL(share, view_percent_of(step->time, waiting->path_time))
VIEW_VALUE(steps, table_integer(step->count))
VIEW_CELL(steps, text_count(step->count))

static const struct table_column columns[] = {
    TABLE_DATA("thread", "its number and name", thread),
    TABLE_DATA("state", "running, or the reason of waiting", state),
    TABLE_DATA("object", "the variable of a lock, the path of a file", object),
    TABLE_DATA("function", "that waited", function),
    WAITWORDS_PLACE("waited"),
    {"time_ns", "of the critical path", time, "time", .cell = time_cell},
    {"share", "of the critical path", share, "share", .cell = share_cell},
    {"steps", "their number", steps, "steps", .cell = steps_cell},
    {0}};

static void put_step(const void *of, struct sheet *sheet, const void *at)
{
    const struct waiting_step *step = at;
    (void)of;
    BUF_OWN char *thread = waitwords_thread("", step->thread);
    BUF_OWN char *runs = buf_format("%s: runs or is ready", thread);
    BUF_OWN char *call = places_text(&step->call);
    waitwords_put(sheet,
                  step->runs ? text_clean(runs)
                             : waitwords_wait(step->thread, step->reason, step->object),
                  call ? buf_format("in %s", call) : NULL);
}

const struct table_view waits_path_table = {.name = "critical_path",
                                            .columns = columns,
                                            .names = {"the end waited for", put_step}};

size_t waits_add_path(struct table *table, const struct waiting *waiting, size_t most,
                      bool data)
{
    (void)data;
    for (size_t i = 0; i < waiting->path.count && (!most || i < most); i++)
        table_add(table, &waiting->path.list[i]);
    return waiting->path.count;
}
