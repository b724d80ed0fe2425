/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/view/arcs-list.h"
#include "mlprof/arcs/arcs-callees.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/sheet.h"
#include "mlprof/base/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A call as it is shown.  */
struct call {
    const struct flowgraph_position *position;
    struct arcs_calls calls;
    uint32_t row;  /* whom; STACKS_NONE: what OTHER says */
    char *other;   /* to be freed; NULL: a row's name */
    size_t number; /* in the order of the sites */
    const struct view *view;
};

struct list {
    const struct view *view;
    const struct arcs *arcs;
    struct call *calls; /* of one function */
    size_t count, capacity;
    uint64_t total;              /* of all calls */
    struct arcs_callees callees; /* of one site */
};

/* Adds a call of a row, or of OTHER, which is no row's and which the list frees.  */
static void add(struct list *list, const struct flowgraph_position *position,
                uint32_t row, char *other, struct arcs_calls calls)
{
    list->calls =
        buf_grow(list->calls, &list->capacity, list->count + 1, sizeof *list->calls);
    list->calls[list->count] = (struct call){.position = position,
                                             .calls = calls,
                                             .row = row,
                                             .other = other,
                                             .number = list->count,
                                             .view = list->view};
    list->count++;
}

static void add_row(struct list *list, const struct flowgraph_position *position,
                    uint32_t row, struct arcs_calls calls)
{
    add(list, position, row, NULL, calls);
}

static void add_other(struct list *list, const struct flowgraph_position *position,
                      char *name, struct arcs_calls calls)
{
    add(list, position, STACKS_NONE, name, calls);
}

static int by_sites(const void *one, const void *other)
{
    const struct call *a = one, *b = other;
    return (a->number > b->number) - (a->number < b->number);
}

static int by_calls(const void *one, const void *other)
{
    const struct call *a = one, *b = other;
    if (a->calls.count != b->calls.count)
        return a->calls.count > b->calls.count ? -1 : 1;
    return by_sites(one, other);
}

/* What is no row's comes last.  */
static int by_name(const void *one, const void *other)
{
    const struct call *a = one, *b = other;
    const struct rows_row *rows = a->view->rows->rows;
    int order = a->other && b->other ? strcmp(a->other, b->other)
                : a->other           ? 1
                : b->other           ? -1
                                     : view_by_name(&rows[a->row], &rows[b->row]);
    return order ? order : by_sites(one, other);
}

/* Puts the calls into a sheet, in the style's order; as if there had been none then.  */
static void put_calls(struct list *list, struct sheet *sheet)
{
    enum view_order order = list->view->style.order;
    if (list->count)
        qsort(list->calls, list->count, sizeof *list->calls,
              order == VIEW_CALLS  ? by_calls
              : order == VIEW_NAME ? by_name
                                   : by_sites);
    for (size_t i = 0; i < list->count; i++) {
        const struct call *call = &list->calls[i];
        uint32_t line = call->position->line;
        char *cells[ARCS_COLUMNS];
        arcs_cells(call->calls, cells);
        for (size_t c = 0; c < ARCS_COLUMNS; c++)
            sheet_put(sheet, cells[c]);
        sheet_put(sheet, line ? buf_format("%" PRIu32, line) : buf_copy("?"));
        if (call->other)
            sheet_put(sheet, call->other);
        else
            view_put_name(list->view, sheet, &list->view->rows->rows[call->row]);
    }
    list->count = 0;
}

static bool reaches(const struct list *list, uint64_t calls)
{
    return rows_percent(calls, list->total) >= list->view->style.thresh;
}

/* Calls of one site to what is outside of the profile.  */
static void add_outside(struct list *list, const struct arcs_site *site,
                        struct arcs_calls calls)
{
    if (!site->symbol) {
        add_other(list, &site->position, buf_copy("<outside>"), calls);
        return;
    }
    add_other(list, &site->position, view_outside_name(list->view, site->symbol), calls);
}

/* What an indirect call has for the outside is told however little it is.  */
static void add_site(struct list *list, const struct arcs_site *site)
{
    struct arcs_callees *callees = &list->callees;
    arcs_callees_find(callees, list->arcs, site);
    for (size_t i = 0; i < callees->count; i++) {
        const struct arcs_callee *callee = &callees->list[i];
        bool outside = callee->row == STACKS_NONE;
        if (!(outside && !site->symbol) && !reaches(list, callee->calls.count))
            continue;
        if (outside)
            add_outside(list, site, callee->calls);
        else if (callee->row == ARCS_OTHERS)
            add_other(list, &site->position, buf_copy(ARCS_OTHERS_NAME), callee->calls);
        else
            add_row(list, &site->position, callee->row, callee->calls);
    }
}

/* Prints the calls from site FIRST to the one before END, which are all a function's.  */
static void print_row(FILE *out, struct list *list, size_t first, size_t end)
{
    static const char *const heads[] = {ARCS_HEADS};
    const struct view *view = list->view;
    const struct rows_row *row = &view->rows->rows[list->arcs->sites[first].row];
    struct sheet sheet = {0};
    bool mlton = view->style.mlton;
    for (size_t i = 0; i < ARCS_COLUMNS; i++)
        sheet_column(&sheet, heads[i], SHEET_NUMBER, 2);
    sheet_column(&sheet, "line", SHEET_NUMBER, 0);
    sheet_column(&sheet, "function", SHEET_TEXT, 1);
    putc('\n', out);
    if (mlton) {
        char *label = view_label(view, row);
        fprintf(out, "calls in %s:\n", label);
        free(label);
    } else {
        view_title(out, view, "calls in", row, false);
    }
    for (size_t i = first; i < end; i++)
        add_site(list, &list->arcs->sites[i]);
    put_calls(list, &sheet);
    sheet_cut(&sheet, view->style.top);
    sheet_print(out, &sheet, mlton);
}

size_t arcs_list_find(const struct view *view, const struct pattern *pattern,
                      bool *wanted)
{
    const struct arcs *arcs = view->arcs;
    size_t found = 0;
    for (size_t i = 0; i < arcs->count; i++) {
        uint32_t row = arcs->sites[i].row;
        if (i && arcs->sites[i - 1].row == row)
            continue;
        wanted[row] = view_matches(view, pattern, &view->rows->rows[row]);
        found += wanted[row];
    }
    return found;
}

static uint64_t all_calls(const struct arcs *arcs)
{
    uint64_t calls = 0;
    for (size_t i = 0; i < arcs->function_count; i++)
        calls += arcs->functions[i].calls;
    return calls;
}

void arcs_list_print_header(FILE *out, const struct view *view)
{
    char *number = text_number(all_calls(view->arcs), "call");
    fprintf(out, "%s\n", number);
    free(number);
}

void arcs_list_print(FILE *out, const struct view *view, const bool *wanted)
{
    const struct arcs *arcs = view->arcs;
    struct list list = {.view = view, .arcs = arcs, .total = all_calls(arcs)};
    for (size_t first = 0, next; first < arcs->count; first = next) {
        uint32_t row = arcs->sites[first].row;
        for (next = first; next < arcs->count && arcs->sites[next].row == row;)
            next++;
        if (wanted[row])
            print_row(out, &list, first, next);
    }
    arcs_callees_free(&list.callees);
    free(list.calls);
}
