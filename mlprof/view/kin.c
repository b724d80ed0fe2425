/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/view/kin.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/groups.h"
#include "mlprof/base/layout.h"
#include "mlprof/evaluate/arcs-kin.h"

#include <stdlib.h>

/* Another function, and the samples of the calls from or to it.  */
struct relative {
    uint32_t row; /* STACKS_NONE: outside; ARCS_OTHERS */
    uint64_t weight;
    struct arcs_calls calls; /* if calls are what was counted */
};

/* The others that were added up come last.  */
static int by_weight(const void *one, const void *other)
{
    const struct relative *a = one, *b = other;
    if ((a->row == ARCS_OTHERS) != (b->row == ARCS_OTHERS))
        return a->row == ARCS_OTHERS ? 1 : -1;
    if (a->weight != b->weight)
        return a->weight > b->weight ? -1 : 1;
    return (a->row > b->row) - (a->row < b->row);
}

/* The relatives of a function, one after the other.  */
struct family {
    enum kin kin;
    struct relative *relatives; /* room for all rows, outside and others */
    size_t count;
    struct groups edges;  /* the rows' edges by the row asked for */
    struct arcs_kin arcs; /* in place of these if calls are what was counted */
};

static void add(struct family *family, const struct view *view, uint32_t row,
                struct arcs_calls calls)
{
    if (view_reaches(view, calls.count))
        family->relatives[family->count++] = (struct relative){row, calls.count, calls};
}

static void find_calls(struct family *family, const struct view *view, uint32_t row)
{
    struct arcs_kin *arcs = &family->arcs;
    arcs_kin_find(arcs, view->arcs, row,
                  family->kin == KIN_CALLERS ? ARCS_CALLERS : ARCS_CALLEES);
    for (size_t i = 0; i < arcs->count; i++)
        add(family, view, arcs->relatives[i].row, arcs->relatives[i].calls);
}

static void group_edges(struct family *family, const struct rows *rows)
{
    uint32_t *keys = buf_alloc((rows->edge_count + 1) * sizeof *keys);
    for (size_t i = 0; i < rows->edge_count; i++)
        keys[i] =
            family->kin == KIN_CALLERS ? rows->edges[i].callee : rows->edges[i].caller;
    groups_make(&family->edges, rows->count, keys, rows->edge_count);
    free(keys);
}

static void find_edges(struct family *family, const struct view *view, uint32_t row)
{
    const struct groups *edges = &family->edges;
    for (size_t i = edges->first[row]; i < edges->first[row + 1]; i++) {
        const struct rows_edge *edge = &view->rows->edges[edges->members[i]];
        add(family, view, family->kin == KIN_CALLERS ? edge->caller : edge->callee,
            (struct arcs_calls){.count = edge->weight});
    }
}

static void find_relatives(struct family *family, const struct view *view, uint32_t row)
{
    family->count = 0;
    (view->rows->has_arcs ? find_calls : find_edges)(family, view, row);
    qsort(family->relatives, family->count, sizeof *family->relatives, by_weight);
}

static char *name_of(const struct view *view, uint32_t row)
{
    if (row == STACKS_NONE)
        return buf_copy(KIN_OUTSIDE);
    if (row == ARCS_OTHERS)
        return buf_copy(ARCS_OTHERS_NAME);
    return view_label(view, &view->rows->rows[row]);
}

static void print_table(FILE *out, const struct view *view,
                        const struct relative *relatives, size_t count)
{
    static const char *const heads[] = {"function", "stack", "raw"};
    size_t columns = view->style.raw ? 3 : 2;
    char **cells = buf_alloc((count * columns + 1) * sizeof *cells), **cell = cells;
    for (size_t i = 0; i < count; i++) {
        uint32_t row = relatives[i].row;
        *cell++ = name_of(view, row);
        *cell++ = view_percent(view, relatives[i].weight);
        if (view->style.raw)
            *cell++ = view_raw(view, relatives[i].weight);
    }
    layout_print(out, heads, columns, cells, count);
    while (cell > cells)
        free(*--cell);
    free(cells);
}

static bool has_estimate(const struct relative *relatives, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (relatives[i].calls.least != relatives[i].calls.most)
            return true;
    return false;
}

/* Of calls that were counted.  Their bounds are told if they are not the same.  */
static void print_calls(FILE *out, const struct view *view,
                        const struct relative *relatives, size_t count)
{
    static const char *const heads[] = {"function", ARCS_HEADS};
    size_t columns = has_estimate(relatives, count) ? 1 + ARCS_COLUMNS : 2;
    char **cells = buf_alloc((count * (1 + ARCS_COLUMNS) + 1) * sizeof *cells),
         **cell = cells;
    for (size_t i = 0; i < count; i++) {
        uint32_t row = relatives[i].row;
        *cell++ = name_of(view, row);
        char *numbers[ARCS_COLUMNS];
        arcs_cells(relatives[i].calls, numbers);
        for (size_t k = 0; k < ARCS_COLUMNS; k++)
            if (k + 1 < columns)
                *cell++ = numbers[k];
            else
                free(numbers[k]);
    }
    layout_print(out, heads, columns, cells, count);
    while (cell > cells)
        free(*--cell);
    free(cells);
}

/* Whose relatives follow, and what it has itself.  */
static void print_head(FILE *out, const struct view *view, const struct rows_row *row,
                       enum kin kin)
{
    char *label = view_label(view, row), *cur = view_percent(view, row->cur);
    char *stack = view_percent(view, row->stack);
    fprintf(out, "\n%s of %s: cur %s", kin == KIN_CALLERS ? "callers" : "callees", label,
            cur);
    if (view->profile->stack)
        fprintf(out, ", stack %s", stack);
    putc('\n', out);
    free(label);
    free(cur);
    free(stack);
}

size_t kin_print(FILE *out, const struct view *view, const struct pattern *pattern,
                 enum kin kin)
{
    const struct rows *rows = view->rows;
    struct family family = {.kin = kin};
    size_t matched = 0;
    family.relatives = buf_alloc((rows->count + 2) * sizeof *family.relatives);
    if (rows->has_arcs)
        arcs_kin_begin(&family.arcs, view->arcs);
    else
        group_edges(&family, rows);
    for (uint32_t i = 0; i < rows->count; i++) {
        if (!view_matches(view, pattern, &rows->rows[i]))
            continue;
        find_relatives(&family, view, i);
        print_head(out, view, &rows->rows[i], kin);
        (rows->has_arcs ? print_calls : print_table)(out, view, family.relatives,
                                                     family.count);
        matched++;
    }
    arcs_kin_free(&family.arcs);
    groups_free(&family.edges);
    free(family.relatives);
    return matched;
}
