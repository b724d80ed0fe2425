/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the counted calls, for page.c: the call sites, and the calls from each site to
   each callee. Calls that cannot be assigned to one site are written as a
   remainder. */

#include "mlprof/arcs/arcs-neighbours.h"
#include "mlprof/base/buf.h"
#include "mlprof/page/page-inside.h"

#include <stdlib.h>

/* The callee of calls of several functions that cannot be separated. */
#define OTHERS (-2)

/* If the callee of a site is outside of the profile and its name is known, returns the
   number of the name. Otherwise returns DATACOLUMNS_NONE. */
static int64_t site_outside(struct page_data *data, const struct arcs_site *site)
{
    return site->symbol && site->callee == STACKS_NONE
               ? datacolumns_text_of(&data->columns,
                                     view_outside_name(data->view, site->symbol))
               : DATACOLUMNS_NONE;
}

PAGE_VALUE(site_file, arcs_site, page_file(data, row->position.file))
PAGE_VALUE(site_outside_name, arcs_site, site_outside(data, row))
PAGE_VALUE(site_open, arcs_site, arcs_callees_are_open(row))

static const struct datacolumns_column site_columns[] = {
    DATACOLUMNS_NAMED("function", arcs_site, row),
    {"file", .value = site_file},
    DATACOLUMNS_NAMED("line", arcs_site, position.line),
    DATACOLUMNS_NAMED("column", arcs_site, position.column),
    DATACOLUMNS_NAMED("calls", arcs_site, count),
    {"outside", .value = site_outside_name},
    {"open", .value = site_open},
    {0}};

/* Calls of CALLEE, from a call site or from a caller; DATACOLUMNS_NONE: from outside of
   the profile. */
struct arc {
    int64_t from, callee;
    struct arcs_calls calls;
};

struct list {
    struct arc *arcs;
    size_t count, capacity;
};

/* Prints the field NAME. The column of what the calls are from is called FROM. */
static void print_arcs(struct page_data *data, const char *name, const char *from,
                       const struct list *list)
{
    const struct datacolumns_column columns[] = {
        DATACOLUMNS_NAMED(from, arc, from),
        DATACOLUMNS_MEMBER(arc, callee),
        DATACOLUMNS_NAMED("calls", arc, calls.count),
        DATACOLUMNS_NAMED("least", arc, calls.least),
        DATACOLUMNS_NAMED("most", arc, calls.most),
        {0}};
    datacolumns_print(&data->columns, name, data, list->arcs, list->count, columns);
}

static void find_arcs(struct list *list, const struct arcs *arcs)
{
    struct arcs_callees callees = {0};
    for (size_t i = 0; i < arcs->count; i++) {
        arcs_callees_find(&callees, arcs, &arcs->sites[i]);
        for (size_t k = 0; k < callees.count; k++) {
            uint32_t row = callees.list[k].row;
            int64_t callee = row == STACKS_NONE   ? DATACOLUMNS_NONE
                             : row == ARCS_OTHERS ? OTHERS
                                                  : (int64_t)row;
            BUF_NEXT(list->arcs, list->count, list->capacity) =
                (struct arc){(int64_t)i, callee, callees.list[k].calls};
        }
    }
    arcs_callees_free(&callees);
    for (uint32_t i = 0; i < arcs->function_count; i++) {
        struct arcs_calls calls = arcs_from_outside(arcs, i);
        if (calls.most)
            BUF_NEXT(list->arcs, list->count, list->capacity) =
                (struct arc){DATACOLUMNS_NONE, i, calls};
    }
}

struct target {
    uint32_t function;
};

/* The calls of a function that cannot be attributed to a known call site. They are
   divided among the open call sites. */
PAGE_VALUE(target_left, target, data->view->report->arcs.functions[row->function].left)

static const struct datacolumns_column target_columns[] = {
    DATACOLUMNS_MEMBER(target, function), {"calls", .value = target_left}, {0}};

void page_arcs_print(struct page_data *data)
{
    const struct arcs *arcs = &data->view->report->arcs;
    struct list list = {0};
    find_arcs(&list, arcs);
    datacolumns_print(&data->columns, "call_sites", data, arcs->sites, arcs->count,
                      site_columns);
    print_arcs(data, "arcs", "site", &list);
    datacolumns_print(&data->columns, "targets", data, arcs->candidates,
                      arcs->candidate_count, target_columns);
    free(list.arcs);
}

/* Returns the number of a function. Returns DATACOLUMNS_NONE if the function is
   outside of the profile or cannot be separated from others. */
static int64_t function_or_none(uint32_t row)
{
    return row >= ARCS_OTHERS ? DATACOLUMNS_NONE : (int64_t)row;
}

void page_calls_print(struct page_data *data)
{
    const struct arcs *arcs = &data->view->report->arcs;
    struct list list = {0};
    if (arcs->function_count) {
        struct arcs_neighbours neighbours;
        arcs_neighbours_begin(&neighbours, arcs);
        for (uint32_t i = 0; i < arcs->function_count; i++) {
            arcs_neighbours_find(&neighbours, arcs, i, ARCS_CALLERS);
            for (size_t k = 0; k < neighbours.count; k++)
                BUF_NEXT(list.arcs, list.count, list.capacity) =
                    (struct arc){function_or_none(neighbours.list[k].row), i,
                                 neighbours.list[k].calls};
        }
        arcs_neighbours_free(&neighbours);
    }
    print_arcs(data, "calls", "caller", &list);
    free(list.arcs);
}
