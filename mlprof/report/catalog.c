/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes a row for each function in the tables, without measurements. answers.c uses
   the rows for the call graph of a program without data, and comparisons use the
   names. */

#include "mlprof/base/buf.h"
#include "mlprof/report/report.h"
#include "mlprof/names/names.h"
#include "mlprof/tables/flowtables.h"

#include <stdlib.h>
#include <string.h>

struct catalog {
    struct rows *rows;
    size_t capacity;
    struct identity sources;
    uint32_t *row_of; /* by source; STACKS_NONE: each copy has a row */
    size_t row_of_capacity;
    struct index calls;
    bool has_code; /* the tables describe code */
    const struct patterns *split;
    const struct names_style *style;
};

static uint32_t put_row(struct catalog *catalog, const struct identity_source *source)
{
    struct rows *rows = catalog->rows;
    rows->rows =
        buf_grow(rows->rows, &catalog->capacity, rows->count + 1, sizeof *rows->rows);
    rows->rows[rows->count] = (struct rows_row){.source = *source};
    return (uint32_t)rows->count++;
}

static bool is_split(const struct catalog *catalog, const struct identity_source *source)
{
    for (size_t i = 0; catalog->split && i < catalog->split->count; i++)
        if (names_match(&catalog->split->list[i], source, NULL, catalog->style))
            return true;
    return false;
}

/* Returns the row of a copy of source NUMBER of a unit. NUMBER must not be 0. */
static uint32_t put_source(struct catalog *catalog, const struct unit *unit,
                           uint32_t number)
{
    const struct identity_source source = identity_of(unit, unit_source(unit, number));
    bool fresh;
    uint32_t key = identity_put(&catalog->sources, &source, &fresh);
    if (fresh) {
        catalog->row_of = buf_grow(catalog->row_of, &catalog->row_of_capacity, key + 1,
                                   sizeof *catalog->row_of);
        catalog->row_of[key] =
            is_split(catalog, &source) ? STACKS_NONE : put_row(catalog, &source);
    }
    return catalog->row_of[key] == STACKS_NONE ? put_row(catalog, &source)
                                               : catalog->row_of[key];
}

static void put_call(struct catalog *catalog, uint32_t caller, uint32_t callee)
{
    struct rows *rows = catalog->rows;
    bool fresh;
    index_put(&catalog->calls, caller, callee, 0, &fresh);
    if (!fresh)
        return;
    if (!rows->edges)
        rows->edges = buf_alloc(sizeof *rows->edges);
    rows->edges->found = true;
    rows_add_edge(rows->edges, caller, callee);
}

static uint32_t put_copy(struct catalog *catalog, uint32_t row, uint32_t outer)
{
    struct rows *rows = catalog->rows;
    rows->copies = buf_grow(rows->copies, &rows->copy_capacity, rows->copy_count + 1,
                            sizeof *rows->copies);
    rows->copies[rows->copy_count] = (struct rows_copy){row, outer};
    return (uint32_t)rows->copy_count++;
}

static void put_function(struct catalog *catalog, const struct function *function)
{
    const struct unit *unit = function->unit;
    uint32_t *copies = buf_alloc((function->copy_count + 1) * sizeof *copies);
    for (size_t i = 0; i < function->copy_count; i++) {
        const struct function_copy *copy = &function->copies[i];
        if (i ? !unit_shown(unit, copy->source) : !unit_shown_itself(unit, copy->source))
            continue;
        uint32_t row = put_source(catalog, unit, copy->source);
        uint32_t outer = i ? function->copies[copy->parent].shown : FUNCTION_NO_COPY;
        bool called = outer != FUNCTION_NO_COPY;
        copies[i] = put_copy(catalog, row, called ? copies[outer] : STACKS_NONE);
        if (called)
            put_call(catalog, catalog->rows->copies[copies[outer]].row, row);
    }
    free(copies);
}

/* Returns the row of the function of a flow graph, which is added if the tables have
   no code. Returns STACKS_NONE if the function has no row, or one row per copy. */
static uint32_t row_of_flow(struct catalog *catalog, const struct flowtables_flow *flow)
{
    const struct identity_source source =
        identity_of(flow->unit, unit_source(flow->unit, flow->source));
    bool fresh;
    uint32_t key = identity_put(&catalog->sources, &source, &fresh);
    if (fresh) {
        catalog->row_of = buf_grow(catalog->row_of, &catalog->row_of_capacity, key + 1,
                                   sizeof *catalog->row_of);
        catalog->row_of[key] = catalog->has_code || is_split(catalog, &source)
                                   ? STACKS_NONE
                                   : put_row(catalog, &source);
    }
    return catalog->row_of[key];
}

/* Adds the direct calls of functions with a flow graph. */
static void put_flows(struct catalog *catalog, const struct flowtables *flows)
{
    struct flowsymbols symbols = {0};
    for (size_t i = 0; i < flows->flow_count; i++)
        flowsymbols_put(&symbols, &flows->flows[i], 0,
                        row_of_flow(catalog, &flows->flows[i]));
    for (size_t i = 0; i < flows->flow_count; i++) {
        const struct flowtables_flow *flow = &flows->flows[i];
        uint32_t caller = row_of_flow(catalog, flow);
        for (size_t k = 0; caller != STACKS_NONE && k < flow->graph.call_count; k++) {
            const char *symbol = flow->graph.calls[k].callee;
            uint32_t callee = STACKS_NONE;
            /* A deleting destructor calls the complete destructor. Both belong to the
               same source function. */
            if (symbol && flowsymbols_get(&symbols, flow, 0, symbol, &callee) &&
                callee != STACKS_NONE &&
                !(callee == caller && flow->graph.flags & CCPROF_FLOW_ENTRY))
                put_call(catalog, caller, callee);
        }
    }
    flowsymbols_free(&symbols);
}

/* A row and its number before sorting. */
struct numbered_row {
    struct rows_row row;
    uint32_t number;
};

BUF_COMPARE(by_name, struct numbered_row, rows_by_name(&a->row, &b->row))

static void sort(struct rows *rows)
{
    BUF_OWN struct numbered_row *sorted = buf_alloc((rows->count + 1) * sizeof *sorted);
    BUF_OWN uint32_t *numbers = buf_alloc((rows->count + 1) * sizeof *numbers);
    for (uint32_t i = 0; i < rows->count; i++)
        sorted[i] = (struct numbered_row){rows->rows[i], i};
    BUF_SORT(sorted, rows->count, by_name);
    for (uint32_t i = 0; i < rows->count; i++) {
        rows->rows[i] = sorted[i].row;
        numbers[sorted[i].number] = i;
    }
    for (size_t i = 0; rows->edges && i < rows->edges->count; i++) {
        struct rows_edge *edge = &rows->edges->list[i];
        edge->caller = numbers[edge->caller];
        edge->callee = numbers[edge->callee];
    }
    for (size_t i = 0; i < rows->copy_count; i++)
        rows->copies[i].row = numbers[rows->copies[i].row];
}

void catalog_fill(struct rows *rows, struct tables *tables, const struct patterns *split,
                  const struct names_style *style, const struct flowtables *flows)
{
    struct catalog catalog = {.rows = rows,
                              .has_code = tables_function_count(tables) > 0,
                              .split = split,
                              .style = style};
    memset(rows, 0, sizeof *rows);
    for (uint32_t i = 0; i < tables_function_count(tables); i++)
        put_function(&catalog, tables_function(tables, i));
    if (flows)
        put_flows(&catalog, flows);
    sort(rows);
    identity_free(&catalog.sources);
    index_free(&catalog.calls);
    free(catalog.row_of);
}
