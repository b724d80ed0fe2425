/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/rows/jumps.h"
#include "mlprof/base/buf.h"

#include <stdlib.h>
#include <string.h>

#define OUTCOME (CCPROF_EDGE_TRUE | CCPROF_EDGE_FALSE | CCPROF_EDGE_CASES)
#define ODD     (CCPROF_EDGE_FAKE | CCPROF_EDGE_EXCEPTION | CCPROF_EDGE_ABNORMAL)

struct finder {
    struct jumps *jumps;
    struct index index;
    const struct flowcounts_flow *flow;
    const struct flowgraph *graph;
    const char *file; /* the file of the function */
};

static uint32_t own_line(const struct finder *finder,
                         const struct flowgraph_position *position)
{
    bool own = position->file && strcmp(position->file, finder->file) == 0;
    return own ? position->line : 0;
}

/* The line on which a block begins; for a block without code the line of the block behind
   it. 0: the line is unknown or in another file.  */
static uint32_t first_line(const struct finder *finder, uint32_t number)
{
    const struct flowgraph *graph = finder->graph;
    for (size_t steps = 0; steps < graph->block_count; steps++) {
        const struct flowgraph_block *block = &graph->blocks[number];
        if (block->positions.count)
            return own_line(finder, &graph->positions[block->positions.first]);
        if (block->branch != CCPROF_BRANCH_NONE)
            return own_line(finder, &block->branch_position);
        if (block->edges.count != 1)
            return 0;
        number = graph->edges[block->edges.first].to;
    }
    return 0;
}

static uint32_t last_line(const struct finder *finder,
                          const struct flowgraph_block *block)
{
    const struct flowgraph_span *span = &block->positions;
    if (block->branch != CCPROF_BRANCH_NONE)
        return own_line(finder, &block->branch_position);
    return span->count
               ? own_line(finder,
                          &finder->graph->positions[span->first + span->count - 1])
               : 0;
}

static void add(struct finder *finder, const struct jumps_jump *jump)
{
    struct jumps *jumps = finder->jumps;
    bool fresh;
    uint32_t number =
        index_put(&finder->index, (uint64_t)jump->row << 1 | jump->conditional,
                  jump->line, jump->target, &fresh);
    if (fresh) {
        jumps->jumps = buf_grow(jumps->jumps, &jumps->capacity, jumps->count + 1,
                                sizeof *jumps->jumps);
        jumps->jumps[jumps->count++] = *jump;
        return;
    }
    jumps->jumps[number].followed += jump->followed;
    jumps->jumps[number].executed += jump->executed;
}

static void add_edge(struct finder *finder, uint32_t number)
{
    const struct flowgraph_edge *edge = &finder->graph->edges[number];
    const struct flowgraph_block *block = &finder->graph->blocks[edge->from];
    struct jumps_jump jump = {.row = finder->flow->row,
                              .line = last_line(finder, block),
                              .target = first_line(finder, edge->to),
                              .conditional = edge->flags & OUTCOME,
                              .followed = flowcounts_shown(finder->flow->edges[number])};
    if (jump.conditional)
        jump.executed = flowcounts_shown(finder->flow->blocks[edge->from]);
    bool executed = jump.conditional ? jump.executed : jump.followed;
    bool elsewhere =
        jump.conditional ? jump.target != jump.line : jump.target < jump.line;
    if (executed && elsewhere && jump.line && jump.target && !(edge->flags & ODD))
        add(finder, &jump);
}

BUF_COMPARE(by_place, struct jumps_jump, BUF_ORDER(a->row, b->row) ?:
            BUF_ORDER(a->line, b->line) ?: BUF_ORDER(a->target, b->target) ?:
            a->conditional - b->conditional)

void jumps_find(struct jumps *jumps, const struct rows *rows,
                const struct flowcounts *counts)
{
    memset(jumps, 0, sizeof *jumps);
    struct finder finder = {.jumps = jumps};
    for (size_t i = 0; i < counts->count; i++) {
        finder.flow = &counts->flows[i];
        if (finder.flow->row == FLOWCOUNTS_NO_ROW)
            continue;
        finder.graph = &finder.flow->flow->graph;
        finder.file = rows->rows[finder.flow->row].source.file;
        for (uint32_t k = 0; finder.file && k < finder.graph->edge_count; k++)
            add_edge(&finder, k);
    }
    index_free(&finder.index);
    BUF_SORT(jumps->jumps, jumps->count, by_place);
}

void jumps_free(struct jumps *jumps)
{
    free(jumps->jumps);
    memset(jumps, 0, sizeof *jumps);
}
