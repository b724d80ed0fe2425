/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/tables/flowsymbols.h"
#include "mlprof/base/buf.h"

#include <stdlib.h>
#include <string.h>

/* The key of a local symbol's compilation.  */
static uint64_t compilation(struct flowsymbols *symbols,
                            const struct flowtables_flow *flow)
{
    uint64_t input = intern_put(&symbols->texts, flow->graph.input);
    uint64_t directory = intern_put(&symbols->texts, flow->unit->directory);
    return (input << 32 | directory) + 1;
}

/* LOCAL is the key of the compilation, or 0.  */
static void put(struct flowsymbols *symbols, const char *symbol, uint64_t local,
                uint32_t module, uint32_t function)
{
    bool fresh;
    uint32_t text = intern_put(&symbols->texts, symbol);
    uint32_t number =
        index_put(&symbols->symbols, text, local, local ? module : 0, &fresh);
    if (!fresh)
        return;
    symbols->functions = buf_grow(symbols->functions, &symbols->capacity, number + 1,
                                  sizeof *symbols->functions);
    symbols->functions[number] = function;
}

void flowsymbols_put(struct flowsymbols *symbols, const struct flowtables_flow *flow,
                     uint32_t module, uint32_t function)
{
    const struct flowgraph *graph = &flow->graph;
    bool is_local = graph->flags & CCPROF_FLOW_LOCAL;
    put(symbols, graph->symbol, is_local ? compilation(symbols, flow) : 0, module,
        function);
    for (size_t i = 0; i < graph->alias_count; i++)
        put(symbols, graph->aliases[i], 0, module, function);
}

bool flowsymbols_get(struct flowsymbols *symbols, const struct flowtables_flow *flow,
                     uint32_t module, const char *symbol, uint32_t *function)
{
    uint32_t text = intern_put(&symbols->texts, symbol), number;
    if (!index_get(&symbols->symbols, text, compilation(symbols, flow), module,
                   &number) &&
        !index_get(&symbols->symbols, text, 0, 0, &number))
        return false;
    *function = symbols->functions[number];
    return true;
}

void flowsymbols_free(struct flowsymbols *symbols)
{
    intern_free(&symbols->texts);
    index_free(&symbols->symbols);
    free(symbols->functions);
    memset(symbols, 0, sizeof *symbols);
}
