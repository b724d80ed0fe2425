/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/evaluate/catalog.h"
#include "mlprof/base/buf.h"

#include <stdlib.h>
#include <string.h>

struct catalog {
    struct rows *rows;
    size_t capacity;
    struct identity sources;
    struct index calls;
};

/* The row of a unit's source NUMBER, which is not 0.  */
static uint32_t put_source(struct catalog *catalog, const struct unit *unit,
                           uint32_t number)
{
    struct rows *rows = catalog->rows;
    const struct identity_source source = identity_of(unit, unit_source(unit, number));
    bool fresh;
    uint32_t row = identity_put(&catalog->sources, &source, &fresh);
    if (fresh) {
        rows->rows =
            buf_grow(rows->rows, &catalog->capacity, rows->count + 1, sizeof *rows->rows);
        rows->rows[rows->count++] = (struct rows_row){.source = source};
    }
    return row;
}

static void put_call(struct catalog *catalog, uint32_t caller, uint32_t callee)
{
    struct rows *rows = catalog->rows;
    bool fresh;
    index_put(&catalog->calls, caller, callee, 0, &fresh);
    if (!fresh)
        return;
    rows->edges = buf_grow(rows->edges, &rows->edge_capacity, rows->edge_count + 1,
                           sizeof *rows->edges);
    rows->edges[rows->edge_count++] =
        (struct rows_edge){.caller = caller, .callee = callee};
}

static void put_function(struct catalog *catalog, const struct function *function)
{
    const struct unit *unit = function->unit;
    for (size_t i = 0; i < function->copy_count; i++) {
        const struct function_copy *copy = &function->copies[i];
        if (!(i ? unit_shown : unit_shown_itself)(unit, copy->source))
            continue;
        uint32_t row = put_source(catalog, unit, copy->source);
        uint32_t around = i ? function->copies[copy->parent].shown : FUNCTION_NO_COPY;
        if (around != FUNCTION_NO_COPY)
            put_call(catalog, put_source(catalog, unit, function->copies[around].source),
                     row);
    }
}

/* A row as it is sorted, with its number before.  */
struct numbered_row {
    struct rows_row row;
    uint32_t number;
};

static int by_name(const void *one, const void *other)
{
    const struct numbered_row *a = one, *b = other;
    return rows_by_name(&a->row, &b->row);
}

static void sort(struct rows *rows)
{
    struct numbered_row *sorted = buf_alloc((rows->count + 1) * sizeof *sorted);
    uint32_t *numbers = buf_alloc((rows->count + 1) * sizeof *numbers);
    for (uint32_t i = 0; i < rows->count; i++)
        sorted[i] = (struct numbered_row){rows->rows[i], i};
    qsort(sorted, rows->count, sizeof *sorted, by_name);
    for (uint32_t i = 0; i < rows->count; i++) {
        rows->rows[i] = sorted[i].row;
        numbers[sorted[i].number] = i;
    }
    for (size_t i = 0; i < rows->edge_count; i++) {
        rows->edges[i].caller = numbers[rows->edges[i].caller];
        rows->edges[i].callee = numbers[rows->edges[i].callee];
    }
    free(numbers);
    free(sorted);
}

void catalog_fill(struct rows *rows, struct tables *tables)
{
    struct catalog catalog = {.rows = rows};
    memset(rows, 0, sizeof *rows);
    for (uint32_t i = 0; i < tables_function_count(tables); i++)
        put_function(&catalog, tables_function(tables, i));
    sort(rows);
    identity_free(&catalog.sources);
    index_free(&catalog.calls);
}
