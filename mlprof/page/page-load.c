/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/base/buf.h"
#include "mlprof/page/page-inside.h"

#include <inttypes.h>

PAGE_VALUE(load_row, shares_entry, at->owner)
PAGE_VALUE(load_worker, shares_entry, at->bin)
PAGE_VALUE(load_count, shares_entry, at->count)

static const struct datacolumns_column load_columns[] = {
    {"row", load_row}, {"worker", load_worker}, {"count", load_count}, {0}};

PAGE_VALUE(row_total, spread_load, at->total)
PAGE_VALUE(row_least, spread_load, at->least)
PAGE_VALUE(row_most, spread_load, at->most)
PAGE_VALUE(row_at, spread_load, at->at)
PAGE_VALUE(row_certain, spread_load, at->certain)

static const struct datacolumns_column row_columns[] = {
    {"total", row_total}, {"least", row_least},     {"most", row_most},
    {"at", row_at},       {"certain", row_certain}, {0}};

/* The name of a worker, `rank 3, host' or `thread 3'; to be freed.  */
static char *worker_name(const struct view *view, uint32_t worker)
{
    bool ranks = view->spread->over == SPREAD_RANKS;
    const struct spread_worker *of = &view->spread->workers[worker];
    const char *host =
        ranks && !of->moved ? origins_host(&view->profile->origins, of->origin) : NULL;
    return buf_format("%s %" PRIu64 "%s%s", ranks ? "rank" : "thread", of->number,
                      host ? ", " : "", host ? host : "");
}

static void print_loads(struct page_data *data)
{
    const struct packed *loads = &data->view->spread->loads;
    struct shares all = {0}, scratch = {0};
    for (uint32_t row = 0; row < loads->owners; row++) {
        struct shares_own own = packed_of(loads, row, &scratch);
        for (size_t i = 0; i < own.count; i++)
            shares_add(&all, row, own.entries[i].bin, own.entries[i].count);
    }
    datacolumns_print(&data->columns, "loads", data, all.entries, all.count,
                      load_columns);
    shares_free(&all);
    shares_free(&scratch);
}

void page_load_print(struct page_data *data)
{
    const struct view *view = data->view;
    const struct spread *spread = view->spread;
    struct json *json = &data->columns.json;
    if (!spread || !spread->over)
        return;
    json_open_field(json, "load");
    json_text_field(json, "over", spread->over == SPREAD_RANKS ? "ranks" : "threads");
    json_open_list_field(json, "workers");
    for (uint32_t i = 0; i < spread->count; i++) {
        BUF_OWN char *name = worker_name(view, i);
        json_text(json, name);
    }
    json_close_list(json);
    datacolumns_print(&data->columns, "rows", data, spread->own, view->rows->count,
                      row_columns);
    print_loads(data);
    json_close(json);
}
