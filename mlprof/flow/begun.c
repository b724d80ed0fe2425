/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/flow/begun.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/groups.h"
#include "mlprof/flow/loops.h"

#include <math.h>
#include <stdlib.h>

struct begun {
    const struct flowcounts_flow *flow;
    struct loops loops;
    struct groups into; /* edges grouped by the block that they lead to */
    uint32_t
        /* The blocks; each is before the blocks that it leads to, except by back
           edges.  */
        *order;
    uint32_t *place; /* by block: its index in ORDER */
    uint32_t *round; /* by back edge: the innermost loop around both ends */
    /* The number of the present count.  */
    uint32_t stamp;
    /* By block, by loop: equal to STAMP if the expression has it.  */
    uint32_t *stands, *goes_round;
    /* By place: the share of executions leaving the block that have begun the
       expression.  */
    double *share;
};

/* Puts the blocks that START leads to, and that are not in the order yet, into it from
   FREE_PLACE backwards; returns the new FREE_PLACE.  */
static uint32_t put_from(struct begun *begun, uint32_t start, uint32_t free_place,
                         uint32_t *path, uint32_t *next, bool *seen)
{
    const struct flowgraph *graph = &begun->flow->flow->graph;
    size_t depth = 0;
    path[depth++] = start;
    seen[start] = true;
    while (depth) {
        uint32_t block = path[depth - 1];
        const struct flowgraph_span *edges = &graph->blocks[block].edges;
        if (next[block] < edges->count) {
            uint32_t to = graph->edges[edges->first + next[block]++].to;
            if (!seen[to]) {
                seen[to] = true;
                path[depth++] = to;
            }
            continue;
        }
        depth--;
        begun->order[--free_place] = block;
        begun->place[block] = free_place;
    }
    return free_place;
}

static void find_order(struct begun *begun)
{
    size_t count = begun->flow->flow->graph.block_count;
    uint32_t *path = buf_alloc(count * sizeof *path);
    uint32_t *next = buf_alloc(count * sizeof *next);
    bool *seen = buf_alloc(count * sizeof *seen);
    uint32_t free_place = (uint32_t)count;
    /* Blocks that cannot be reached are in front.  */
    for (uint32_t i = 0; i < count; i++)
        if (!seen[i])
            free_place = put_from(begun, i, free_place, path, next, seen);
    free(path);
    free(next);
    free(seen);
}

static bool leads_back(const struct begun *begun, uint32_t edge)
{
    const struct flowgraph_edge *at = &begun->flow->flow->graph.edges[edge];
    return begun->place[at->to] <= begun->place[at->from];
}

static void find_rounds(struct begun *begun)
{
    const struct flowgraph *graph = &begun->flow->flow->graph;
    for (uint32_t i = 0; i < graph->edge_count; i++) {
        const struct flowgraph_edge *edge = &graph->edges[i];
        uint32_t loop =
            leads_back(begun, i) ? begun->loops.of_block[edge->to] : LOOPS_NONE;
        while (loop != LOOPS_NONE && !loops_is_in(&begun->loops, edge->from, loop))
            loop = begun->loops.loops[loop].around;
        begun->round[i] = loop;
    }
}

struct begun *begun_new(const struct flowcounts_flow *flow)
{
    const struct flowgraph *graph = &flow->flow->graph;
    struct begun *begun = buf_alloc(sizeof *begun);
    uint32_t *to = buf_alloc((graph->edge_count + 1) * sizeof *to);
    begun->flow = flow;
    loops_find(&begun->loops, flow);
    for (size_t i = 0; i < graph->edge_count; i++)
        to[i] = graph->edges[i].to;
    groups_make(&begun->into, graph->block_count, to, graph->edge_count);
    free(to);
    begun->order = buf_alloc(graph->block_count * sizeof *begun->order);
    begun->place = buf_alloc(graph->block_count * sizeof *begun->place);
    begun->stands = buf_alloc(graph->block_count * sizeof *begun->stands);
    begun->share = buf_alloc(graph->block_count * sizeof *begun->share);
    begun->round = buf_alloc((graph->edge_count + 1) * sizeof *begun->round);
    begun->goes_round = buf_alloc((begun->loops.count + 1) * sizeof *begun->goes_round);
    find_order(begun);
    find_rounds(begun);
    return begun;
}

void begun_free(struct begun *begun)
{
    if (!begun)
        return;
    loops_free(&begun->loops);
    groups_free(&begun->into);
    free(begun->order);
    free(begun->place);
    free(begun->stands);
    free(begun->share);
    free(begun->round);
    free(begun->goes_round);
    free(begun);
}

/* Sets how many executions come to a block, and how many of them have begun the
   expression.  A loop that has no block of the expression leaves this as it is, so its
   back edges are ignored.  */
static void add_up(const struct begun *begun, uint32_t block, uint32_t first, double *all,
                   double *have)
{
    *all = *have = 0;
    for (size_t i = begun->into.first[block]; i < begun->into.first[block + 1]; i++) {
        uint32_t edge = (uint32_t)begun->into.members[i];
        uint32_t from = begun->place[begun->flow->flow->graph.edges[edge].from];
        double count = (double)flowcounts_shown(begun->flow->edges[edge]);
        bool back = leads_back(begun, edge);
        uint32_t round = begun->round[edge];
        if (back && round != LOOPS_NONE && begun->goes_round[round] != begun->stamp)
            continue;
        *all += count;
        if (!back && from >= first)
            *have += count * begun->share[from];
    }
}

uint64_t begun_count(struct begun *begun, const uint32_t *blocks, size_t count)
{
    uint32_t first = UINT32_MAX, last = 0;
    double sum = 0;
    begun->stamp++;
    for (size_t i = 0; i < count; i++) {
        uint32_t place = begun->place[blocks[i]];
        first = place < first ? place : first;
        last = place > last ? place : last;
        begun->stands[blocks[i]] = begun->stamp;
        for (uint32_t loop = begun->loops.of_block[blocks[i]]; loop != LOOPS_NONE;
             loop = begun->loops.loops[loop].around)
            begun->goes_round[loop] = begun->stamp;
    }
    for (uint32_t place = first; place <= last; place++) {
        uint32_t block = begun->order[place];
        double all, have;
        add_up(begun, block, first, &all, &have);
        begun->share[place] = all > 0 ? have / all : 0;
        if (begun->stands[block] != begun->stamp)
            continue;
        sum += fmax(0, (double)flowcounts_shown(begun->flow->blocks[block]) - have);
        begun->share[place] = 1;
    }
    return (uint64_t)llround(sum);
}
