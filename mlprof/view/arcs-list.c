/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists the call sites of functions with the callees of each call site, for -arcs. */

#include "mlprof/arcs/arcs-neighbours.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/sourcefile.h"
#include "mlprof/base/text.h"
#include "mlprof/view/views.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A call site and one of its callees. */
struct call {
    const struct arcs_site *site;
    const struct rows_row *callee; /* NULL: the callee has no row or is not known */
    char *other; /* if CALLEE is NULL: the name for the terminal; print_row frees it */
    struct arcs_calls calls;
};

/* Returns VALUE, or null if VALUE is 0, which means unknown. */
static struct table_value known(uint64_t value)
{
    return table_integer_if(value != 0, value);
}

static char *line_text(uint32_t line)
{
    return line ? buf_format("%" PRIu32, line) : buf_copy("?");
}

#define OF_ROW                                                                           \
    const struct view *view = of;                                                        \
    const struct call *row = at;                                                         \
    const struct arcs_site *site = row->site;                                            \
    (void)view, (void)site

VIEW_VALUE(caller, table_text_freed(view_name(view, &view->rows->rows[site->row])))
VIEW_VALUE(file, table_text(sourcefile_name(site->position.file)))
VIEW_VALUE(line, known(site->position.line))
VIEW_CELL(line, line_text(site->position.line))
VIEW_VALUE(column, known(site->position.column))
VIEW_VALUE(indirect, table_bool(!site->symbol))
VIEW_VALUE(callee, table_text_freed(row->callee ? view_name(view, row->callee) : NULL))
VIEW_VALUE(symbol, table_text(site->symbol))
VIEW_VALUE(calls, table_integer(row->calls.count))
VIEW_CELL(calls, view_calls_cell(row->calls))
VIEW_CELL(least, text_commas((double)row->calls.least, 0))
VIEW_CELL(most, text_commas((double)row->calls.most, 0))
VIEW_CELL(sure, view_certainty_cell(row->calls))

/* Compares the names of callees. Callees without a row come last. */
BUF_COMPARE(by_name, struct call,
            a->other && b->other ? strcmp(a->other, b->other)
            : a->other           ? 1
            : b->other           ? -1
                                 : view_by_name(a->callee, b->callee))

/* The order of columns with an ID is part of the data formats. */
static const struct table_column columns[] = {
    TABLE_DATA("caller", "that the call is in", caller),
    TABLE_DATA("file", "where the call is", file),
    {"calls", "how often", calls, "calls", .cell = calls_cell, .sort = VIEW_CALLS},
    TABLE_SHOWN("least", NULL, "no fewer calls than this", NULL, least_cell),
    TABLE_SHOWN("most", NULL, "no more calls than this", NULL, most_cell),
    TABLE_SHOWN("sure", NULL, "how much of most is certain", NULL, sure_cell),
    {"line", "where the call is", line, "line", .cell = line_cell, .mlton = -2},
    TABLE_DATA("column", "where the call is", column),
    TABLE_DATA("indirect", "through a pointer", indirect),
    {"callee", "null: outside, or not known", callee, .sort = VIEW_NAME,
     .order = by_name},
    TABLE_DATA("symbol", "of a direct call", symbol),
    {0}};

static void put_site_name(const void *of, struct sheet *sheet, const void *at)
{
    const struct call *row = at;
    if (row->other)
        sheet_put(sheet, buf_copy(row->other));
    else
        view_put_name(of, sheet, row->callee);
}

static const struct table_view sites_table = {.name = "call_sites",
                                              .columns = columns,
                                              .names = {"function", put_site_name},
                                              .names_mlton = -1};

static struct call called(const struct view *view, const struct arcs_site *site,
                          uint32_t callee, uint64_t calls)
{
    return (struct call){
        .site = site, .callee = view_row(view, callee), .calls = {calls, calls, calls}};
}

/* Adds the rows of each call site. An indirect call has a row for each target that
   was counted, and one row for the remaining calls. */
static void fill_sites(struct table *table, const struct view *view,
                       const struct pattern *pattern)
{
    const struct arcs *arcs = &view->report->arcs;
    struct call *list = NULL;
    size_t count = 0, capacity = 0;
    for (size_t i = 0; i < arcs->count; i++) {
        const struct arcs_site *site = &arcs->sites[i];
        uint64_t left = site->count;
        if (!view_matches_any(view, pattern, view_row(view, site->row)))
            continue;
        list = buf_grow(list, &capacity, count + site->target_count + 1, sizeof *list);
        for (size_t k = 0; k < site->target_count; k++) {
            const struct arcs_target *target =
                &arcs->targets_counted[site->first_target + k];
            list[count++] = called(view, site, target->callee, target->count);
            left -= target->count < left ? target->count : left;
        }
        if (left || !site->target_count)
            list[count++] = called(view, site, site->callee, left);
    }
    for (size_t i = 0; i < count; i++)
        table_add(table, &list[i]);
    table->own = list;
    table->release = free;
}

struct list {
    const struct view *view;
    const struct arcs *arcs;
    struct call *calls; /* of one function, in the order of its sites */
    size_t count, capacity;
    uint64_t total;              /* number of calls in the profile */
    bool estimated;              /* a printed count is an estimate */
    struct arcs_callees callees; /* callees of the current site */
};

/* Adds a call of the row CALLEE. If CALLEE is NULL, adds a call of a function with
   the name OTHER, and takes ownership of OTHER. */
static void add_line(struct list *list, const struct arcs_site *site,
                     const struct rows_row *callee, char *other, struct arcs_calls calls)
{
    BUF_NEXT(list->calls, list->count, list->capacity) =
        (struct call){site, callee, other, calls};
}

/* Returns a name for a callee that is outside of the profile. The caller frees it. */
static char *called_outside(const struct list *list, const struct arcs_site *site)
{
    return site->symbol ? view_outside_name(list->view, site->symbol)
                        : buf_copy("<outside>");
}

/* Adds the callees of a call site that reach the threshold. For an indirect call,
   functions outside of the profile are always added. */
static void add_site(struct list *list, const struct arcs_site *site)
{
    struct arcs_callees *callees = &list->callees;
    const struct view *view = list->view;
    arcs_callees_find(callees, list->arcs, site);
    for (size_t i = 0; i < callees->count; i++) {
        const struct arcs_neighbour *callee = &callees->list[i];
        bool outside = callee->row == STACKS_NONE;
        if (!(outside && !site->symbol) &&
            rows_percent(callee->calls.count, list->total) < view->style.thresh)
            continue;
        if (outside)
            add_line(list, site, NULL, called_outside(list, site), callee->calls);
        else if (callee->row == ARCS_OTHERS)
            add_line(list, site, NULL, buf_copy(ARCS_OTHERS_NAME), callee->calls);
        else
            add_line(list, site, &view->rows->rows[callee->row], NULL, callee->calls);
    }
}

/* Prints the calls of one function. Its call sites are FIRST to END - 1. */
static void print_row(FILE *out, struct list *list, size_t first, size_t end)
{
    const struct view *view = list->view;
    const struct rows_row *row = &view->rows->rows[list->arcs->sites[first].row];
    struct table table = {.view = &sites_table, .of = view};
    bool mlton = view->style.mlton;
    putc('\n', out);
    if (mlton) {
        BUF_OWN char *label = view_label(view, row);
        fprintf(out, "calls in %s:\n", label);
    } else {
        view_title(out, view, "calls in", row, false);
    }
    for (size_t i = first; i < end; i++)
        add_site(list, &list->arcs->sites[i]);
    for (size_t i = 0; i < list->count; i++)
        table_add(&table, &list->calls[i]);
    table_sort(&table, view->style.order);
    table_cut(&table, view->style.top);
    for (size_t i = 0; i < table.count; i++) {
        const struct call *shown = table.rows[i];
        list->estimated |= shown->calls.least != shown->calls.most;
    }
    table_print(out, &table, mlton);
    table_free(&table);
    for (size_t i = 0; i < list->count; i++)
        free(list->calls[i].other);
    list->count = 0;
}

/* A pattern selects only functions that have call sites. */
static bool is_selected(const struct view *view, const struct pattern *pattern,
                        const struct rows_row *row)
{
    const struct arcs *arcs = &view->report->arcs;
    uint32_t number = (uint32_t)(row - view->rows->rows);
    size_t first;
    BUF_SEARCH(first, arcs->count, i, arcs->sites[i].row < number);
    return first < arcs->count && arcs->sites[first].row == number &&
           view_matches(view, pattern, row);
}

static uint64_t all_calls(const struct arcs *arcs)
{
    uint64_t calls = 0;
    for (size_t i = 0; i < arcs->function_count; i++)
        calls += arcs->functions[i].calls;
    return calls;
}

/* Prints the first line. If time was sampled, the line shows the number of calls
   instead of the time. */
static void print_head(FILE *out, const struct view *view)
{
    if (!profile_measure(view->profile)->sampled) {
        view_header(out, view);
        return;
    }
    BUF_OWN char *number = text_number(all_calls(&view->report->arcs), "call");
    fprintf(out, "%s\n", number);
}

/* Prints a table for each selected function. */
static void print_sites(FILE *out, const struct view *view)
{
    const struct arcs *arcs = &view->report->arcs;
    struct list list = {.view = view, .arcs = arcs, .total = all_calls(arcs)};
    for (size_t first = 0, next; first < arcs->count; first = next) {
        uint32_t row = arcs->sites[first].row;
        for (next = first; next < arcs->count && arcs->sites[next].row == row;)
            next++;
        if (view->selected[row])
            print_row(out, &list, first, next);
    }
    view_print_estimated(out, view, list.estimated);
    arcs_callees_free(&list.callees);
    free(list.calls);
}

const struct views_entry arcs_list_entry = {
    .name = "arcs",
    .topic = TOPIC_CALLS,
    .use = 3,
    .help = "list the targets of calls in matching functions",
    .details = "Prints each call site in matching functions, with its line, the called\n"
               "functions, and how often each was called. Needs a program compiled with\n"
               "profile=count and blocks or targets.\n" //
    VIEWS_PATTERN_DETAILS,
    .takes = VIEWS_PATTERN,
    .kind = OUTPUTS_SITES,
    .facts = VIEWS_BLOCKS | VIEWS_CALL_SITES,
    .data = {{&sites_table, fill_sites}},
    .selects = is_selected,
    .head = print_head,
    .print = print_sites,
};
