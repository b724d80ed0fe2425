/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts the executions of a subgraph as gcov does: enumerates its circuits and
   subtracts their counts one after the other. */

#include "mlprof/flow/gcov.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/groups.h"
#include "mlprof/flow/flowcounts.h"
#include "mlprof/base/statistics.h"

#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

/* State of a block in the current subgraph. */
struct node {
    uint32_t subgraph; /* number of the last subgraph that contained it */
    /* Number of the last search that reached the block. The following fields belong
       to this search. */
    uint64_t search;
    /* The block is on the path, or the start cannot be reached from it while the
       blocks that it waits for are blocked. */
    bool blocked;
    uint32_t waits; /* the first block in the list of blocks that wait for this block, or
                       NONE */
};

struct wait {
    uint32_t block, next;
};

/* A block on the path. */
struct step {
    uint32_t block;
    uint32_t edge; /* edge by which the block was reached; NONE: start */
    size_t next;   /* index of the next edge to try */
    bool found;    /* a circuit through the block was found */
};

struct gcov_cycles {
    const struct flowgraph *graph;
    const int64_t *counts;
    struct gcov_cycles_edge *edges; /* by source block, then in gcov's order */
    struct groups into;             /* edges grouped by target block */
    int64_t *remaining;             /* by edge: the remaining count */
    struct node *nodes;
    uint32_t subgraph;
    uint64_t search;
    BUF_VECTOR(struct wait) waits;
    struct step *path;
    size_t length;
    uint32_t *todo; /* blocks to unblock */
};

BUF_COMPARE(by_target, struct gcov_cycles_edge,
            BUF_ORDER(a->to, b->to) ?: BUF_ORDER(a->edge, b->edge))

struct gcov_cycles *gcov_cycles_new(const struct flowcounts_flow *flow)
{
    struct gcov_cycles *cycles = buf_alloc(sizeof *cycles);
    const struct flowgraph *graph = cycles->graph = &flow->flow->graph;
    cycles->counts = flow->edges;
    cycles->edges = buf_alloc((graph->edges.count + 1) * sizeof *cycles->edges);
    GROUPS_BY(&cycles->into, graph->blocks.count, graph->edges.list, to,
              graph->edges.count);
    cycles->remaining = buf_alloc((graph->edges.count + 1) * sizeof *cycles->remaining);
    cycles->nodes = buf_alloc(graph->blocks.count * sizeof *cycles->nodes);
    cycles->path = buf_alloc(graph->blocks.count * sizeof *cycles->path);
    cycles->todo = buf_alloc(graph->blocks.count * sizeof *cycles->todo);
    for (uint32_t i = 0; i < graph->edges.count; i++)
        cycles->edges[i] =
            (struct gcov_cycles_edge){.to = graph->edges.list[i].to, .edge = i};
    for (size_t i = 0; i < graph->blocks.count; i++) {
        const struct flowgraph_span *span = &graph->blocks.list[i].edges;
        BUF_SORT(cycles->edges + span->first, span->count, by_target);
    }
    return cycles;
}

void gcov_cycles_free(struct gcov_cycles *cycles)
{
    if (!cycles)
        return;
    free(cycles->edges);
    groups_free(&cycles->into);
    free(cycles->remaining);
    free(cycles->nodes);
    free(cycles->waits.list);
    free(cycles->path);
    free(cycles->todo);
    free(cycles);
}

const struct gcov_cycles_edge *gcov_cycles_edges(const struct gcov_cycles *cycles,
                                                 uint32_t block, size_t *count)
{
    const struct flowgraph_span *span = &cycles->graph->blocks.list[block].edges;
    *count = span->count;
    return cycles->edges + span->first;
}

/* Returns whether the edge may be on a circuit from START. START has the lowest
   number in the circuit. */
static bool is_open(const struct gcov_cycles *cycles, uint32_t start,
                    const struct gcov_cycles_edge *edge)
{
    return edge->to >= start && cycles->nodes[edge->to].subgraph == cycles->subgraph &&
           cycles->remaining[edge->edge] > 0;
}

/* Returns the state of a block in the current search. */
static struct node *node_of(struct gcov_cycles *cycles, uint32_t block)
{
    struct node *node = &cycles->nodes[block];
    if (node->search != cycles->search) {
        node->search = cycles->search;
        node->blocked = false;
        node->waits = NONE;
    }
    return node;
}

static void step_to(struct gcov_cycles *cycles, uint32_t block, uint32_t edge)
{
    cycles->path[cycles->length++] = (struct step){.block = block, .edge = edge};
    node_of(cycles, block)->blocked = true;
}

static void add_wait(struct gcov_cycles *cycles, uint32_t block, uint32_t on)
{
    struct node *node = node_of(cycles, on);
    for (uint32_t i = node->waits; i != NONE; i = cycles->waits.list[i].next)
        if (cycles->waits.list[i].block == block)
            return;
    BUF_PUSH(cycles->waits) = (struct wait){.block = block, .next = node->waits};
    node->waits = (uint32_t)cycles->waits.count - 1;
}

/* Unblocks BLOCK and all blocks that wait for it. */
static void unblock(struct gcov_cycles *cycles, uint32_t block)
{
    size_t count = 0;
    node_of(cycles, block)->blocked = false;
    cycles->todo[count++] = block;
    while (count) {
        struct node *node = node_of(cycles, cycles->todo[--count]);
        uint32_t wait = node->waits;
        node->waits = NONE;
        for (; wait != NONE; wait = cycles->waits.list[wait].next) {
            struct node *waiting = node_of(cycles, cycles->waits.list[wait].block);
            if (waiting->blocked)
                cycles->todo[count++] = cycles->waits.list[wait].block;
            waiting->blocked = false;
        }
    }
}

static void step_back(struct gcov_cycles *cycles, uint32_t start)
{
    const struct step *step = &cycles->path[--cycles->length];
    if (step->found) {
        if (cycles->length)
            cycles->path[cycles->length - 1].found = true;
        unblock(cycles, step->block);
        return;
    }
    size_t count;
    const struct gcov_cycles_edge *edges = gcov_cycles_edges(cycles, step->block, &count);
    for (size_t i = 0; i < count; i++)
        if (is_open(cycles, start, &edges[i]))
            add_wait(cycles, step->block, edges[i].to);
}

/* Subtracts the count of a circuit from its edges: the edges of the path, and the edge
   LAST. Shortens the path to its first block whose edge has no remaining count.
   Returns the count of the circuit. */
static int64_t take_circuit(struct gcov_cycles *cycles, uint32_t start, uint32_t last)
{
    int64_t *remaining = cycles->remaining, least = remaining[last];
    for (size_t i = 1; i < cycles->length; i++)
        if (remaining[cycles->path[i].edge] < least)
            least = remaining[cycles->path[i].edge];
    remaining[last] -= least;
    size_t used = cycles->length;
    for (size_t i = cycles->length - 1; i > 0; i--) {
        remaining[cycles->path[i].edge] -= least;
        if (remaining[cycles->path[i].edge] == 0)
            used = i;
    }
    cycles->path[cycles->length - 1].found = true;
    while (cycles->length > used)
        step_back(cycles, start);
    return least;
}

/* Subtracts all remaining circuits from START. Returns the sum of their counts. */
static __int128 count_from(struct gcov_cycles *cycles, uint32_t start)
{
    __int128 sum = 0;
    cycles->search++;
    cycles->waits.count = 0;
    step_to(cycles, start, NONE);
    while (cycles->length) {
        struct step *step = &cycles->path[cycles->length - 1];
        size_t count;
        const struct gcov_cycles_edge *edges =
            gcov_cycles_edges(cycles, step->block, &count);
        if (step->next == count) {
            step_back(cycles, start);
            continue;
        }
        const struct gcov_cycles_edge *edge = &edges[step->next++];
        if (!is_open(cycles, start, edge))
            continue;
        if (edge->to == start)
            sum += take_circuit(cycles, start, edge->edge);
        else if (!node_of(cycles, edge->to)->blocked)
            step_to(cycles, edge->to, edge->edge);
    }
    return sum;
}

/* Returns how often control entered BLOCK from outside of the subgraph. */
static __int128 count_into(const struct gcov_cycles *cycles, uint32_t block)
{
    __int128 sum = 0;
    const struct groups *into = &cycles->into;
    for (size_t i = into->first[block]; i < into->first[block + 1]; i++) {
        size_t edge = into->members[i];
        if (cycles->nodes[cycles->graph->edges.list[edge].from].subgraph !=
            cycles->subgraph)
            sum += cycles->counts[edge];
    }
    return sum;
}

int64_t gcov_cycles_count(struct gcov_cycles *cycles, const uint32_t *blocks,
                          size_t count)
{
    __int128 sum = 0;
    cycles->subgraph++;
    for (size_t i = 0; i < count; i++) {
        const struct flowgraph_span *span = &cycles->graph->blocks.list[blocks[i]].edges;
        cycles->nodes[blocks[i]].subgraph = cycles->subgraph;
        for (uint32_t k = span->first; k < span->first + span->count; k++)
            cycles->remaining[k] = cycles->counts[k];
    }
    for (size_t i = 0; i < count; i++)
        sum += count_into(cycles, blocks[i]) + count_from(cycles, blocks[i]);
    return saturate_signed(sum);
}
