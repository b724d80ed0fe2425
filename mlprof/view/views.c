/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The list of views. A new view is added here and in views.h. */

#include "mlprof/view/views.h"
#include "mlprof/base/buf.h"

const struct views_entry *const views_all[] = {
    &functions_entry,    &groups_entry,   &prof_entry,      &imbalance_entry,
    &callers_entry,      &callees_entry,  &peek_entry,      &hotpath_entry,
    &arcs_list_entry,    &branches_entry, &listing_entry,   &pgo_entry,
    &parallelview_entry, &waits_entry,    &locks_entry,     &regionsview_entry,
    &histogram_entry,    &heapview_entry, &heaptimes_entry, &treeview_entry,
};

const size_t views_count = sizeof views_all / sizeof *views_all;
_Static_assert(sizeof views_all / sizeof *views_all <= VIEWS_MOST,
               "VIEWS_MOST is less than the number of views");

bool views_is_requested(const struct views_request *request)
{
    return request->given || request->pattern.text || request->choice;
}

bool views_check(const struct views_entry *entry, const struct view *view,
                 struct fault *fault)
{
    BUF_OWN char *option = buf_format("-%s", entry->name);
    return !entry->check || entry->check(view, option, fault);
}

bool *views_find(const struct views_entry *entry, const struct view *view,
                 const struct pattern *pattern)
{
    const struct rows *rows = view->rows;
    if (entry->find)
        return entry->find(view, pattern);
    views_selects *selects = entry->selects ? entry->selects : view_matches;
    bool *selected = buf_alloc((rows->count + 1) * sizeof *selected), found = false;
    for (size_t i = 0; i < rows->count; i++)
        found |= selected[i] = selects(view, pattern, &rows->rows[i]);
    return view_found(found, selected);
}
