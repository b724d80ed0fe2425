/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/view/arcs-list.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/sheet.h"
#include "mlprof/base/text.h"

#include <inttypes.h>
#include <stdlib.h>

/* One who may have been called.  */
struct callee {
    uint32_t row;
    struct arcs_calls calls;
};

/* Puts a call; the name follows.  */
static void add(struct sheet *sheet, const struct flowgraph_position *position,
                struct arcs_calls calls)
{
    char *cells[ARCS_COLUMNS];
    arcs_cells(calls, cells);
    for (size_t i = 0; i < ARCS_COLUMNS; i++)
        sheet_put(sheet, cells[i]);
    sheet_put(sheet,
              position->line ? buf_format("%" PRIu32, position->line) : buf_copy("?"));
}

/* Puts a call of a row.  */
static void add_row(struct sheet *sheet, const struct view *view,
                    const struct flowgraph_position *position, uint32_t row,
                    struct arcs_calls calls)
{
    add(sheet, position, calls);
    view_put_name(view, sheet, &view->rows->rows[row]);
}

/* Puts a call of NAME, which is no row's.  */
static void add_other(struct sheet *sheet, const struct flowgraph_position *position,
                      char *name, struct arcs_calls calls)
{
    add(sheet, position, calls);
    sheet_put(sheet, name);
}

/* The threshold is one of calls only where these are what the table tells.  */
static bool reaches(const struct view *view, uint64_t calls)
{
    return !view->rows->has_arcs || view_reaches(view, calls);
}

static int by_count(const void *one, const void *other)
{
    const struct callee *a = one, *b = other;
    if (a->calls.count != b->calls.count)
        return a->calls.count > b->calls.count ? -1 : 1;
    if (a->calls.most != b->calls.most)
        return a->calls.most > b->calls.most ? -1 : 1;
    return (a->row > b->row) - (a->row < b->row);
}

/* Whom an indirect call may have called: those with most calls left, the others added up,
   and how much is left for what is outside.  */
static void add_indirect(struct sheet *sheet, const struct view *view,
                         const struct arcs *arcs, const struct arcs_site *site)
{
    struct callee callees[ARCS_TOLD];
    uint64_t rest = arcs->targets;
    size_t count = 0;
    for (size_t i = 0; i < arcs->candidate_count && i < ARCS_TOLD; i++) {
        uint32_t row = arcs->candidates[i];
        uint64_t left = arcs->functions[row].left;
        struct arcs_calls calls = arcs_share(arcs, site->count, row);
        rest -= left < rest ? left : rest;
        if (calls.most && reaches(view, calls.count))
            callees[count++] = (struct callee){row, calls};
    }
    if (count)
        qsort(callees, count, sizeof *callees, by_count);
    for (size_t i = 0; i < count; i++)
        add_row(sheet, view, &site->position, callees[i].row, callees[i].calls);
    struct arcs_calls others = {0};
    if (arcs->candidate_count > ARCS_TOLD)
        others = arcs_share_of(arcs, site->count, rest);
    if (others.most && reaches(view, others.count))
        add_other(sheet, &site->position, buf_copy(ARCS_OTHERS_NAME), others);
    struct arcs_calls outside = arcs_to_outside(arcs, site->count);
    if (outside.most || count == 0)
        add_other(sheet, &site->position, buf_copy("<outside>"), outside);
}

/* Those whom an indirect call has called; what is missing is not known.  */
static void add_targets(struct sheet *sheet, const struct view *view,
                        const struct arcs *arcs, const struct arcs_site *site)
{
    const struct arcs_target *targets = &arcs->targets_counted[site->first_target];
    struct callee *callees = buf_alloc((site->target_count + 1) * sizeof *callees);
    uint64_t rest = site->count;
    size_t count = 0;
    for (size_t i = 0; i < site->target_count; i++) {
        uint64_t calls = targets[i].count;
        if (targets[i].callee == STACKS_NONE)
            continue;
        rest -= calls < rest ? calls : rest;
        if (reaches(view, calls))
            callees[count++] = (struct callee){targets[i].callee, {calls, calls, calls}};
    }
    if (count)
        qsort(callees, count, sizeof *callees, by_count);
    for (size_t i = 0; i < count; i++)
        add_row(sheet, view, &site->position, callees[i].row, callees[i].calls);
    if (rest)
        add_other(sheet, &site->position, buf_copy("<outside>"),
                  (struct arcs_calls){rest, rest, rest});
    free(callees);
}

static void add_site(struct sheet *sheet, const struct view *view,
                     const struct arcs *arcs, const struct arcs_site *site)
{
    struct arcs_calls calls = {site->count, site->count, site->count};
    if (!site->symbol && site->target_count) {
        add_targets(sheet, view, arcs, site);
        return;
    }
    if (!site->symbol && site->callee == STACKS_NONE) {
        add_indirect(sheet, view, arcs, site);
        return;
    }
    if (!reaches(view, site->count))
        return;
    if (site->callee != STACKS_NONE) {
        add_row(sheet, view, &site->position, site->callee, calls);
        return;
    }
    char *symbol = buf_format("<%s>", site->symbol);
    add_other(sheet, &site->position, text_clean(symbol), calls);
    free(symbol);
}

static void print_row(FILE *out, const struct view *view, const struct arcs *arcs,
                      uint32_t row, size_t first, size_t end)
{
    static const char *const heads[] = {ARCS_HEADS};
    bool mlton = view->style.mlton;
    struct sheet sheet = {0};
    for (size_t i = 0; i < ARCS_COLUMNS; i++)
        sheet_column(&sheet, heads[i], SHEET_NUMBER, 2);
    sheet_column(&sheet, "line", SHEET_NUMBER, 0);
    sheet_column(&sheet, "function", SHEET_TEXT, 1);
    putc('\n', out);
    if (mlton) {
        char *label = view_label(view, &view->rows->rows[row]);
        fprintf(out, "calls in %s:\n", label);
        free(label);
    } else {
        view_title(out, view, "calls in", &view->rows->rows[row], false);
    }
    for (size_t i = first; i < end; i++)
        add_site(&sheet, view, arcs, &arcs->sites[i]);
    sheet_cut(&sheet, view->style.top);
    sheet_print(out, &sheet, mlton);
}

size_t arcs_list_print(FILE *out, const struct view *view, const struct arcs *arcs,
                       const struct pattern *pattern)
{
    size_t matched = 0;
    for (size_t first = 0, next; first < arcs->count; first = next) {
        uint32_t row = arcs->sites[first].row;
        for (next = first; next < arcs->count && arcs->sites[next].row == row;)
            next++;
        if (!view_matches(view, pattern, &view->rows->rows[row]))
            continue;
        print_row(out, view, arcs, row, first, next);
        matched++;
    }
    return matched;
}
