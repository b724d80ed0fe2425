/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/view/broken.h"
#include "mlprof/base/buf.h"

#include <stdlib.h>
#include <string.h>

/* How many functions are named at most.  */
#define NAMED 5

/* The row that stands for missing frames; NULL: there is none.  */
static const struct rows_row *broken_row(const struct rows *rows)
{
    if (rows->key != ROWS_FUNCTIONS)
        return NULL;
    for (size_t i = 0; i < rows->count; i++)
        if (strcmp(rows->rows[i].source.name, STACKS_BROKEN) == 0)
            return &rows->rows[i];
    return NULL;
}

uint64_t broken_samples(const struct rows *rows)
{
    const struct rows_row *row = broken_row(rows);
    return row ? row->stack : 0;
}

/* For qsort: the edge with more samples first, of equals the one with the earlier
   callee.  */
static int by_weight(const void *one, const void *other)
{
    const struct rows_edge *a = one, *b = other;
    if (a->weight != b->weight)
        return a->weight > b->weight ? -1 : 1;
    return (a->callee > b->callee) - (a->callee < b->callee);
}

/* Prints the functions whose callers are missing: the edges have ROW as their caller.  */
static void print_functions(FILE *out, const struct view *view, uint32_t row)
{
    const struct rows *rows = view->rows;
    size_t all, count = 0;
    const struct rows_edge *list = rows_edges(rows, &all);
    BUF_OWN struct rows_edge *edges = buf_alloc((all + 1) * sizeof *edges);
    for (size_t i = 0; i < all; i++)
        if (list[i].caller == row)
            edges[count++] = list[i];
    qsort(edges, count, sizeof *edges, by_weight);
    for (size_t i = 0; i < count && i < NAMED; i++) {
        BUF_OWN char *name = view_name(view, &rows->rows[edges[i].callee]);
        fprintf(out, "%s %s", i ? "," : "", name);
    }
    if (count > NAMED)
        fprintf(out, " and %zu others", count - NAMED);
}

void broken_print(FILE *out, const struct view *view)
{
    const struct rows *rows = view->rows;
    const struct rows_row *row = broken_row(rows);
    if (!row || row->stack == 0)
        return;
    BUF_OWN char *amount = view_amount(view, row->stack);
    fprintf(out,
            "warning: of %s (%.1f %%) not all callers are known, <broken>: there is "
            "no way (.eh_frame) to those of",
            amount, rows_percent(row->stack, rows->total));
    print_functions(out, view, (uint32_t)(row - rows->rows));
    putc('\n', out);
}
