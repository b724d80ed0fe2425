/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the counted calls, for page.c: the call sites, and the calls from each site to
   each callee. Calls that cannot be assigned to one site are written as a
   remainder. */

#include "mlprof/arcs/arcs-neighbours.h"
#include "mlprof/base/buf.h"
#include "mlprof/arcs/arcs-neighbours.h"
#include "mlprof/page/page-inside.h"

#include <stdlib.h>

/* The callee of calls of several functions that cannot be separated. */
#define OTHERS (-2)

static int64_t site_file(struct page_data *data, const struct arcs_site *site)
{
    return page_files_put(&data->files, site->position.file);
}

/* If the callee of a site is outside of the profile and its name is known, returns the
   number of the name. Otherwise returns DATACOLUMNS_NONE. */
static int64_t site_outside(struct page_data *data, const struct arcs_site *site)
{
    return site->symbol && site->callee == STACKS_NONE
               ? datacolumns_text_of(&data->columns,
                                     view_outside_name(data->view, site->symbol))
               : DATACOLUMNS_NONE;
}

PAGE_VALUE(site_function, arcs_site, row->row)
PAGE_VALUE(site_file_number, arcs_site, site_file(data, row))
PAGE_VALUE(site_line, arcs_site, row->position.line)
PAGE_VALUE(site_column, arcs_site, row->position.column)
PAGE_VALUE(site_calls, arcs_site, row->count)
PAGE_VALUE(site_outside_name, arcs_site, site_outside(data, row))
PAGE_VALUE(site_open, arcs_site, arcs_callees_are_open(row))

static const struct datacolumns_column site_columns[] = {
    {"function", site_function}, {"file", site_file_number},
    {"line", site_line},         {"column", site_column},
    {"calls", site_calls},       {"outside", site_outside_name},
    {"open", site_open},         {0}};

/* Calls from a call site, or from outside of the profile (SITE is DATACOLUMNS_NONE),
   to a callee. */
struct arc {
    int64_t site, callee;
    struct arcs_calls calls;
};

struct list {
    struct arc *arcs;
    size_t count, capacity;
};

PAGE_VALUE(arc_site, arc, row->site)
PAGE_VALUE(arc_callee, arc, row->callee)
PAGE_VALUE(arc_calls, arc, row->calls.count)
PAGE_VALUE(arc_least, arc, row->calls.least)
PAGE_VALUE(arc_most, arc, row->calls.most)

static const struct datacolumns_column arc_columns[] = {
    {"site", arc_site},   {"callee", arc_callee}, {"calls", arc_calls},
    {"least", arc_least}, {"most", arc_most},     {0}};

static void add(struct list *list, struct arc arc)
{
    list->arcs =
        buf_grow(list->arcs, &list->capacity, list->count + 1, sizeof *list->arcs);
    list->arcs[list->count++] = arc;
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
            add(list, (struct arc){(int64_t)i, callee, callees.list[k].calls});
        }
    }
    arcs_callees_free(&callees);
    for (uint32_t i = 0; i < arcs->function_count; i++) {
        struct arcs_calls calls = arcs_from_outside(arcs, i);
        if (calls.most)
            add(list, (struct arc){DATACOLUMNS_NONE, i, calls});
    }
}

/* Returns the number of calls of a function that cannot be attributed to a known call
   site. They are divided among the open call sites. */
static int64_t target_left(const struct page_data *data, uint32_t row)
{
    return (int64_t)data->view->report->arcs.functions[row].left;
}

struct target {
    uint32_t row;
};

PAGE_VALUE(target_function, target, row->row)
PAGE_VALUE(target_calls, target, target_left(data, row->row))

static const struct datacolumns_column target_columns[] = {
    {"function", target_function}, {"calls", target_calls}, {0}};

void page_arcs_print(struct page_data *data)
{
    const struct arcs *arcs = &data->view->report->arcs;
    struct list list = {0};
    find_arcs(&list, arcs);
    datacolumns_print(&data->columns, "call_sites", data, arcs->sites, arcs->count,
                      site_columns);
    datacolumns_print(&data->columns, "arcs", data, list.arcs, list.count, arc_columns);
    datacolumns_print(&data->columns, "targets", data, arcs->candidates,
                      arcs->candidate_count, target_columns);
    free(list.arcs);
}

/* The counted calls of one function by another. */
struct call {
    uint32_t caller, callee;
    struct arcs_calls calls;
};

/* Returns the number of a function. Returns DATACOLUMNS_NONE if the function is
   outside of the profile or cannot be separated from others. */
static int64_t function_or_none(uint32_t row)
{
    return row >= ARCS_OTHERS ? DATACOLUMNS_NONE : (int64_t)row;
}

PAGE_VALUE(call_caller, call, function_or_none(row->caller))
PAGE_VALUE(call_callee, call, function_or_none(row->callee))
PAGE_VALUE(call_calls, call, row->calls.count)
PAGE_VALUE(call_least, call, row->calls.least)
PAGE_VALUE(call_most, call, row->calls.most)

static const struct datacolumns_column call_columns[] = {
    {"caller", call_caller}, {"callee", call_callee}, {"calls", call_calls},
    {"least", call_least},   {"most", call_most},     {0}};

void page_calls_print(struct page_data *data)
{
    const struct arcs *arcs = &data->view->report->arcs;
    BUF_OWN struct call *list = NULL;
    size_t count = 0, capacity = 0;
    if (arcs->function_count) {
        struct arcs_neighbours neighbours;
        arcs_neighbours_begin(&neighbours, arcs);
        for (uint32_t i = 0; i < arcs->function_count; i++) {
            arcs_neighbours_find(&neighbours, arcs, i, ARCS_CALLERS);
            for (size_t k = 0; k < neighbours.count; k++) {
                list = buf_grow(list, &capacity, count + 1, sizeof *list);
                list[count++] =
                    (struct call){neighbours.list[k].row, i, neighbours.list[k].calls};
            }
        }
        arcs_neighbours_free(&neighbours);
    }
    datacolumns_print(&data->columns, "calls", data, list, count, call_columns);
}
