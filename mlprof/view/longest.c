/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/view/longest.h"
#include "mlprof/base/buf.h"

#include <string.h>

/* How many calls are printed at most.  */
#define CALLS 5

#define SECOND 1e9

/* The longest calls so far, by decreasing length; of equal ones, the earlier is
   first.  */
struct longest {
    const struct regionevents_call *calls[CALLS];
    size_t count;
};

static void put(struct longest *longest, const struct regionevents_call *call)
{
    size_t at = longest->count;
    while (at > 0 && longest->calls[at - 1]->ticks < call->ticks)
        at--;
    if (at == CALLS)
        return;
    size_t moved = (longest->count < CALLS ? longest->count++ : CALLS - 1) - at;
    memmove(&longest->calls[at + 1], &longest->calls[at], moved * sizeof *longest->calls);
    longest->calls[at] = call;
}

void longest_print(FILE *out, const struct view *view, const struct regionevents *events,
                   size_t row)
{
    const struct regionrows *rows = &view->regions[view->style.regions];
    const struct regionrows *paths = &view->regions[REGIONROWS_PATHS];
    struct longest longest = {0};
    struct sheet sheet = {0};
    for (size_t i = 0; i < events->count; i++)
        if (rows->of_path[events->calls[i].path] == row)
            put(&longest, &events->calls[i]);
    if (!longest.count)
        return;
    sheet_column(&sheet, "longest", SHEET_NUMBER, 1);
    sheet_column(&sheet, "from", SHEET_NUMBER, 1);
    sheet_column(&sheet, "thread", SHEET_TEXT, 1);
    sheet_column(&sheet, "path", SHEET_TEXT, 0);
    for (size_t i = 0; i < longest.count; i++) {
        const struct regionevents_call *call = longest.calls[i];
        double length = regionrows_length(rows, call->path, call->ticks);
        sheet_put(&sheet, regiontimes_text(length, rows->cost.tick));
        sheet_put(&sheet, buf_format("%.6fs", (double)call->start / SECOND));
        sheet_put(&sheet, buf_copy(events->lanes[call->lane].name));
        sheet_put_name(&sheet, buf_copy(paths->rows[paths->of_path[call->path]].name),
                       NULL);
    }
    sheet_print(out, &sheet, view->style.mlton);
}
