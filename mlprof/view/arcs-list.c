/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists the call sites of a function, and whom each has called, for -arcs.  */

#include "mlprof/arcs/arcs-neighbours.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/text.h"
#include "mlprof/view/measured.h"
#include "mlprof/view/sites-table.h"
#include "mlprof/view/views.h"

#include <stdlib.h>

struct list {
    const struct view *view;
    const struct arcs *arcs;
    struct sites_table_row *calls; /* of one function, in the order of the sites */
    size_t count, capacity;
    uint64_t total;              /* of all calls */
    bool guessed;                /* a call that was shown is an estimate */
    struct arcs_callees callees; /* of one site */
};

/* Adds a call of a row or, if CALLEE is NULL, of a function with the name OTHER, which
   the list frees.  */
static void add(struct list *list, const struct arcs_site *site,
                const struct rows_row *callee, char *other, struct arcs_calls calls)
{
    list->calls =
        buf_grow(list->calls, &list->capacity, list->count + 1, sizeof *list->calls);
    list->calls[list->count++] = (struct sites_table_row){site, callee, other, calls};
}

static bool reaches(const struct list *list, uint64_t calls)
{
    return rows_percent(calls, list->total) >= list->view->style.thresh;
}

/* The name of what a site calls outside of the profile; to be freed.  */
static char *called_outside(const struct list *list, const struct arcs_site *site)
{
    return site->symbol ? view_outside_name(list->view, site->symbol)
                        : buf_copy("<outside>");
}

/* Adds the callees of a call site that reach the threshold.  The calls of an indirect
   call to functions outside are added in any case.  */
static void add_site(struct list *list, const struct arcs_site *site)
{
    struct arcs_callees *callees = &list->callees;
    arcs_callees_find(callees, list->arcs, site);
    for (size_t i = 0; i < callees->count; i++) {
        const struct arcs_neighbour *callee = &callees->list[i];
        bool outside = callee->row == STACKS_NONE;
        if (!(outside && !site->symbol) && !reaches(list, callee->calls.count))
            continue;
        if (outside)
            add(list, site, NULL, called_outside(list, site), callee->calls);
        else if (callee->row == ARCS_OTHERS)
            add(list, site, NULL, buf_copy(ARCS_OTHERS_NAME), callee->calls);
        else
            add(list, site, &list->view->rows->rows[callee->row], NULL, callee->calls);
    }
}

/* Prints the calls of a function, whose call sites are FIRST to END - 1.  */
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
        const struct sites_table_row *shown = table.rows[i];
        list->guessed |= shown->calls.least != shown->calls.most;
    }
    table_print(out, &table, mlton);
    table_free(&table);
    for (size_t i = 0; i < list->count; i++)
        free(list->calls[i].other);
    list->count = 0;
}

/* A pattern means only functions with call sites.  */
static bool *find(const struct view *view, const struct pattern *pattern)
{
    const struct arcs *arcs = view->arcs;
    bool *wanted = buf_alloc((view->rows->count + 1) * sizeof *wanted), found = false;
    for (size_t i = 0; i < arcs->count; i++) {
        uint32_t row = arcs->sites[i].row;
        if (i && arcs->sites[i - 1].row == row)
            continue;
        wanted[row] = view_matches(view, pattern, &view->rows->rows[row]);
        found |= wanted[row];
    }
    return view_found(found, wanted);
}

static uint64_t all_calls(const struct arcs *arcs)
{
    uint64_t calls = 0;
    for (size_t i = 0; i < arcs->function_count; i++)
        calls += arcs->functions[i].calls;
    return calls;
}

/* Prints the first line, with the number of calls if time was sampled.  */
static void print_head(FILE *out, const struct view *view)
{
    if (!profile_measure(view->profile)->sampled) {
        view_header(out, view);
        return;
    }
    BUF_OWN char *number = text_number(all_calls(view->arcs), "call");
    fprintf(out, "%s\n", number);
}

/* Prints a table for each wanted function.  */
static void print(FILE *out, const struct view *view, const struct views_asked *asked,
                  const bool *wanted)
{
    (void)asked;
    const struct arcs *arcs = view->arcs;
    struct list list = {.view = view, .arcs = arcs, .total = all_calls(arcs)};
    for (size_t first = 0, next; first < arcs->count; first = next) {
        uint32_t row = arcs->sites[first].row;
        for (next = first; next < arcs->count && arcs->sites[next].row == row;)
            next++;
        if (wanted[row])
            print_row(out, &list, first, next);
    }
    measured_guessed(out, view, list.guessed);
    arcs_callees_free(&list.callees);
    free(list.calls);
}

const struct views_entry arcs_list_entry = {
    .name = "arcs",
    .topic = TOPIC_CALLS,
    .use = 3,
    .help = "list whom each call in matching functions called",
    .details = "Each call site with its line, and how often it called whom; needs a\n"
               "program compiled with profile=count and blocks or targets.\n" //
    VIEWS_PATTERN_DETAILS,
    .takes = VIEWS_PATTERN,
    .goes_by = VIEWS_BY_FUNCTIONS VIEWS_BY_ROWS "show-extern show-line",
    .facts = VIEWS_BLOCKS | VIEWS_CALL_SITES,
    .columns = &sites_table,
    .data = {{&sites_table, sites_table_fill, 5}},
    .find = find,
    .finds = "function",
    .head = print_head,
    .print = print,
};
