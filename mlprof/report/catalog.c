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
    BUF_NEXT(rows->rows, rows->count, catalog->capacity) =
        (struct rows_row){.source = *source};
    return (uint32_t)rows->count - 1;
}

static bool is_split(const struct catalog *catalog, const struct identity_source *source)
{
    for (size_t i = 0; catalog->split && i < catalog->split->count; i++)
        if (names_match(&catalog->split->list[i], source, NULL, catalog->style))
            return true;
    return false;
}

/* Returns the row of source NUMBER of a unit, which is not 0, or STACKS_NONE if it has
   none or each copy has one. The source is added if needed; it then gets a row if ADD. */
static uint32_t row_of(struct catalog *catalog, const struct unit *unit, uint32_t number,
                       bool add)
{
    const struct identity_source source = identity_of(unit, unit_source(unit, number));
    bool fresh;
    uint32_t key = identity_put(&catalog->sources, &source, &fresh);
    uint32_t *row = &BUF_AT(catalog->row_of, key, catalog->row_of_capacity);
    if (fresh)
        *row =
            add && !is_split(catalog, &source) ? put_row(catalog, &source) : STACKS_NONE;
    return *row;
}

/* Returns the row of a copy of source NUMBER of a unit. NUMBER must not be 0. */
static uint32_t row_of_copy(struct catalog *catalog, const struct unit *unit,
                            uint32_t number)
{
    const struct identity_source source = identity_of(unit, unit_source(unit, number));
    uint32_t row = row_of(catalog, unit, number, true);
    return row == STACKS_NONE ? put_row(catalog, &source) : row;
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
    BUF_PUSH(rows->copies) = (struct rows_copy){row, outer};
    return (uint32_t)rows->copies.count - 1;
}

static void put_function(struct catalog *catalog, const struct function *function)
{
    const struct unit *unit = function->unit;
    BUF_OWN uint32_t *copies = buf_alloc((function->copies.count + 1) * sizeof *copies);
    for (size_t i = 0; i < function->copies.count; i++) {
        const struct function_copy *copy = &function->copies.list[i];
        if (i ? !unit_shown(unit, copy->source) : !unit_shown_itself(unit, copy->source))
            continue;
        uint32_t row = row_of_copy(catalog, unit, copy->source);
        uint32_t outer = i ? function->copies.list[copy->parent].shown : FUNCTION_NO_COPY;
        bool called = outer != FUNCTION_NO_COPY;
        copies[i] = put_copy(catalog, row, called ? copies[outer] : STACKS_NONE);
        if (called)
            put_call(catalog, catalog->rows->copies.list[copies[outer]].row, row);
    }
}

/* Returns the row of the function of a flow graph, which is added if the tables have
   no code. Returns STACKS_NONE if the function has no row, or one row per copy. */
static uint32_t row_of_flow(struct catalog *catalog, const struct flowtables_flow *flow)
{
    return row_of(catalog, flow->unit, flow->source, !catalog->has_code);
}

/* Adds the direct calls of functions with a flow graph. */
static void put_flows(struct catalog *catalog, const struct flowtables *flows)
{
    struct flowsymbols symbols = {0};
    for (size_t i = 0; i < flows->flows.count; i++)
        flowsymbols_put(&symbols, &flows->flows.list[i], 0,
                        row_of_flow(catalog, &flows->flows.list[i]));
    for (size_t i = 0; i < flows->flows.count; i++) {
        const struct flowtables_flow *flow = &flows->flows.list[i];
        uint32_t caller = row_of_flow(catalog, flow);
        for (size_t k = 0; caller != STACKS_NONE && k < flow->graph.calls.count; k++) {
            const char *symbol = flow->graph.calls.list[k].callee;
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

/* Sorts the rows by name: they have no amounts. */
static void sort(struct rows *rows)
{
    BUF_OWN uint32_t *before = buf_alloc((rows->count + 1) * sizeof *before);
    BUF_OWN uint32_t *numbers = buf_alloc((rows->count + 1) * sizeof *numbers);
    for (uint32_t i = 0; i < rows->count; i++)
        before[i] = i;
    rows_sort(rows, before);
    for (uint32_t i = 0; i < rows->count; i++)
        numbers[before[i]] = i;
    for (size_t i = 0; rows->edges && i < rows->edges->count; i++) {
        struct rows_edge *edge = &rows->edges->list[i];
        edge->caller = numbers[edge->caller];
        edge->callee = numbers[edge->callee];
    }
    for (size_t i = 0; i < rows->copies.count; i++)
        rows->copies.list[i].row = numbers[rows->copies.list[i].row];
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
