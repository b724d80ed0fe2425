/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/view/arcs-list.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/layout.h"
#include "mlprof/base/text.h"

#include <inttypes.h>
#include <stdlib.h>

#define COLUMNS (2 + ARCS_COLUMNS)

struct table {
    char **cells;
    size_t count, capacity;
};

/* One who may have been called.  */
struct callee {
    uint32_t row;
    struct arcs_calls calls;
};

static void add(struct table *table, const struct flowgraph_position *position,
                char *callee, struct arcs_calls calls)
{
    table->cells = buf_grow(table->cells, &table->capacity, table->count + COLUMNS,
                            sizeof *table->cells);
    char **cell = &table->cells[table->count];
    cell[0] = position->line ? buf_format("%" PRIu32, position->line) : buf_copy("?");
    cell[1] = callee;
    arcs_cells(calls, cell + 2);
    table->count += COLUMNS;
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
static void add_indirect(struct table *table, const struct view *view,
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
        add(table, &site->position, view_label(view, &view->rows->rows[callees[i].row]),
            callees[i].calls);
    struct arcs_calls others = {0};
    if (arcs->candidate_count > ARCS_TOLD)
        others = arcs_share_of(arcs, site->count, rest);
    if (others.most && reaches(view, others.count))
        add(table, &site->position, buf_copy(ARCS_OTHERS_NAME), others);
    struct arcs_calls outside = arcs_to_outside(arcs, site->count);
    if (outside.most || count == 0)
        add(table, &site->position, buf_copy("<outside>"), outside);
}

/* Those whom an indirect call has called; what is missing is not known.  */
static void add_targets(struct table *table, const struct view *view,
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
        add(table, &site->position, view_label(view, &view->rows->rows[callees[i].row]),
            callees[i].calls);
    if (rest)
        add(table, &site->position, buf_copy("<outside>"),
            (struct arcs_calls){rest, rest, rest});
    free(callees);
}

static void add_site(struct table *table, const struct view *view,
                     const struct arcs *arcs, const struct arcs_site *site)
{
    struct arcs_calls calls = {site->count, site->count, site->count};
    if (!site->symbol && site->target_count) {
        add_targets(table, view, arcs, site);
        return;
    }
    if (!site->symbol && site->callee == STACKS_NONE) {
        add_indirect(table, view, arcs, site);
        return;
    }
    if (!reaches(view, site->count))
        return;
    char *name;
    if (site->callee != STACKS_NONE) {
        name = view_label(view, &view->rows->rows[site->callee]);
    } else {
        char *symbol = buf_format("<%s>", site->symbol);
        name = text_clean(symbol);
        free(symbol);
    }
    add(table, &site->position, name, calls);
}

static void print_row(FILE *out, const struct view *view, const struct arcs *arcs,
                      uint32_t row, size_t first, size_t end)
{
    static const char *const heads[] = {"line", "function", ARCS_HEADS};
    struct table table = {0};
    char *label = view_label(view, &view->rows->rows[row]);
    fprintf(out, "\ncalls in %s:\n", label);
    free(label);
    for (size_t i = first; i < end; i++)
        add_site(&table, view, arcs, &arcs->sites[i]);
    layout_print(out, heads, COLUMNS, table.cells, table.count / COLUMNS);
    for (size_t i = 0; i < table.count; i++)
        free(table.cells[i]);
    free(table.cells);
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
