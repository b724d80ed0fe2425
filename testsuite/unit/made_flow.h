/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes flow graphs with counts from lists of edges such as
       0>2=5 2>3=4T 2>4=1F
   This list has an edge from block 0, the entry, to block 2, which was taken 5 times, and
   so on. The letters after the counts are flags of edges. Block 1 is the exit. */

#ifndef TESTSUITE_MADE_FLOW_H
#define TESTSUITE_MADE_FLOW_H

#include "mlprof/flow/flowcounts.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#define MADE_FLOW_BLOCKS 16
#define MADE_FLOW_EDGES  64

/* A function with a count on each edge. */
struct made_flow {
    struct flowgraph_block blocks[MADE_FLOW_BLOCKS];
    struct flowgraph_edge edges[MADE_FLOW_EDGES];
    struct flowgraph_position positions[MADE_FLOW_BLOCKS];
    int64_t edge_counts[MADE_FLOW_EDGES], block_counts[MADE_FLOW_BLOCKS];
    struct flowtables_flow flow;
    struct flowcounts_flow counts;
};

struct made_flow_arc {
    uint32_t from, to;
    int64_t count;
    unsigned flags;
};

/* Reads the edges; returns their number. */
__attribute__((unused)) static size_t made_flow_arcs(struct made_flow_arc *arcs,
                                                     const char *text)
{
    static const char letters[] = "TFCKXA";
    static const unsigned flags[] = {CCPROF_EDGE_TRUE,      CCPROF_EDGE_FALSE,
                                     CCPROF_EDGE_CASES,     CCPROF_EDGE_FAKE,
                                     CCPROF_EDGE_EXCEPTION, CCPROF_EDGE_ABNORMAL};
    size_t count = 0;
    for (char *cursor = (char *)text; *cursor; cursor += strspn(cursor, " ")) {
        struct made_flow_arc *arc = &arcs[count++];
        *arc = (struct made_flow_arc){.from = (uint32_t)strtoul(cursor, &cursor, 10)};
        ck_assert_int_eq(*cursor, '>');
        arc->to = (uint32_t)strtoul(cursor + 1, &cursor, 10);
        if (*cursor == '=')
            arc->count = strtoll(cursor + 1, &cursor, 10);
        for (; *cursor && *cursor != ' '; cursor++) {
            const char *letter = strchr(letters, *cursor);
            ck_assert_msg(letter != NULL, "%s", cursor);
            arc->flags |= flags[letter - letters];
        }
    }
    return count;
}

/* Arcs are sorted by the blocks that they leave. LINES has the line of each block, or 0
   for none. */
static void made_flow(struct made_flow *made, const struct made_flow_arc *arcs,
                      size_t arc_count, const uint32_t *lines, size_t block_count)
{
    memset(made, 0, sizeof *made);
    struct flowgraph *graph = &made->flow.graph;
    *graph = (struct flowgraph){.symbol = "f",
                                .input = "a.c",
                                .start = {"a.c", 1, 1},
                                .end_line = 99,
                                .blocks.list = made->blocks,
                                .blocks.count = block_count,
                                .edges.list = made->edges,
                                .edges.count = arc_count,
                                .positions.list = made->positions};
    for (uint32_t i = 0; i < block_count; i++) {
        made->blocks[i].positions.first = (uint32_t)graph->positions.count;
        if (lines[i]) {
            made->positions[graph->positions.count++] =
                (struct flowgraph_position){"a.c", lines[i], 1};
            made->blocks[i].positions.count = 1;
        }
        made->blocks[i].edges.first = UINT32_MAX;
    }
    for (uint32_t i = 0; i < arc_count; i++) {
        struct flowgraph_span *span = &made->blocks[arcs[i].from].edges;
        if (span->count++ == 0)
            span->first = i;
        made->edges[i] = (struct flowgraph_edge){
            .from = arcs[i].from, .to = arcs[i].to, .flags = arcs[i].flags};
        made->edge_counts[i] = arcs[i].count;
        made->block_counts[arcs[i].to] += arcs[i].count;
        if (arcs[i].from == FLOWGRAPH_ENTRY)
            made->block_counts[FLOWGRAPH_ENTRY] += arcs[i].count;
    }
    made->counts = (struct flowcounts_flow){
        .flow = &made->flow, .edges = made->edge_counts, .blocks = made->block_counts};
}

/* The same from text: LINES has a number for each block. */
__attribute__((unused)) static void made_flow_read(struct made_flow *made,
                                                   const char *arcs, const char *lines)
{
    struct made_flow_arc list[MADE_FLOW_EDGES];
    uint32_t of_block[MADE_FLOW_BLOCKS];
    size_t count = made_flow_arcs(list, arcs), blocks = 0;
    for (char *cursor = (char *)lines; *cursor; blocks++)
        of_block[blocks] = (uint32_t)strtoul(cursor, &cursor, 10);
    made_flow(made, list, count, of_block, blocks);
}

#endif
