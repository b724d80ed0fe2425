/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/flow/gcov-exceptional.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/kirchhoff.h"

#include <stdlib.h>
#include <string.h>

bool gcov_is_fake(const struct flowgraph_edge *edge)
{
    return edge->flags & CCPROF_EDGE_FAKE;
}

bool gcov_may_not_return(const struct flowgraph *graph, uint32_t block)
{
    const struct flowgraph_span *span = &graph->blocks[block].edges;
    for (uint32_t i = span->first; block && i < span->first + span->count; i++)
        if (gcov_is_fake(&graph->edges[i]))
            return true;
    return false;
}

bool gcov_is_throw(const struct flowgraph_edge *edge, bool may_not_return)
{
    if (edge->flags & (CCPROF_EDGE_FAKE | CCPROF_EDGE_FALLTHROUGH))
        return false;
    return may_not_return || edge->flags & CCPROF_EDGE_EXCEPTION;
}

static bool has_throw(const struct flowgraph *graph)
{
    for (uint32_t i = 0; i < graph->block_count; i++) {
        const struct flowgraph_span *span = &graph->blocks[i].edges;
        bool may_not = gcov_may_not_return(graph, i);
        for (uint32_t k = 0; k < span->count; k++)
            if (gcov_is_throw(&graph->edges[span->first + k], may_not))
                return true;
    }
    return false;
}

static void make_room(struct gcov_exceptional *exceptional, size_t blocks)
{
    if (blocks <= exceptional->room)
        return;
    gcov_exceptional_free(exceptional);
    exceptional->room = blocks;
    exceptional->blocks = buf_alloc(blocks * sizeof *exceptional->blocks);
    exceptional->queue = buf_alloc(blocks * sizeof *exceptional->queue);
}

void gcov_exceptional_find(struct gcov_exceptional *exceptional,
                           const struct flowgraph *graph)
{
    size_t waiting = 0;
    bool throws = has_throw(graph);
    make_room(exceptional, graph->block_count);
    for (size_t i = 0; i < graph->block_count; i++)
        exceptional->blocks[i] = throws && i != KIRCHHOFF_ENTRY;
    if (throws)
        exceptional->queue[waiting++] = KIRCHHOFF_ENTRY;
    while (waiting) {
        uint32_t number = exceptional->queue[--waiting];
        const struct flowgraph_block *block = &graph->blocks[number];
        bool may_not = gcov_may_not_return(graph, number);
        for (uint32_t i = 0; i < block->edges.count; i++) {
            const struct flowgraph_edge *edge = &graph->edges[block->edges.first + i];
            if (gcov_is_fake(edge) || gcov_is_throw(edge, may_not) ||
                !exceptional->blocks[edge->to])
                continue;
            exceptional->blocks[edge->to] = false;
            exceptional->queue[waiting++] = edge->to;
        }
    }
}

void gcov_exceptional_free(struct gcov_exceptional *exceptional)
{
    free(exceptional->blocks);
    free(exceptional->queue);
    memset(exceptional, 0, sizeof *exceptional);
}
