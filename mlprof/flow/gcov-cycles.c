/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/flow/gcov-cycles.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/saturate.h"

#include <stdlib.h>

#define NONE UINT32_MAX

/* The state of a block in the present subgraph.  */
struct node {
    uint32_t subgraph; /* the number of the last subgraph that it was in */
    /* The number of the last search that came here; the following fields belong to
       it.  */
    uint64_t search;
    /* The block is on the path, or no way leads back to the start from it while the
       blocks it waits for are blocked.  */
    bool blocked;
    uint32_t waits; /* the first block that waits for this one, or NONE */
};

struct wait {
    uint32_t block, next;
};

/* A block on the path.  */
struct step {
    uint32_t block;
    uint32_t edge; /* the edge by which it was reached; NONE: it is the start */
    size_t next;   /* index of the next edge to try */
    bool found;    /* a circuit leads through the block */
};

struct gcov_cycles {
    const struct flowgraph *graph;
    const int64_t *counts;
    struct gcov_cycles_edge *edges; /* by source block, then in gcov's order */
    uint32_t *into;                 /* numbers of the edges, by target block */
    size_t *first_into; /* by block: its first edge in INTO; one more for the end */
    int64_t *left;      /* by edge: what is left of its count */
    struct node *nodes;
    uint32_t subgraph;
    uint64_t search;
    struct wait *waits;
    size_t wait_count, wait_capacity;
    struct step *path;
    size_t length;
    uint32_t *todo; /* blocks that are to be unblocked */
};

static int by_target(const void *one, const void *other)
{
    const struct gcov_cycles_edge *a = one, *b = other;
    if (a->to != b->to)
        return a->to < b->to ? -1 : 1;
    return (a->edge > b->edge) - (a->edge < b->edge);
}

static void sort_into(struct gcov_cycles *cycles)
{
    const struct flowgraph *graph = cycles->graph;
    size_t *first = cycles->first_into;
    for (size_t i = 0; i < graph->edge_count; i++)
        first[graph->edges[i].to]++;
    for (size_t i = 0; i < graph->block_count; i++)
        first[i + 1] += first[i];
    first[graph->block_count] = graph->edge_count;
    /* Here FIRST has the end of each block's edges; counting backwards makes it the
       start.  */
    for (size_t i = graph->edge_count; i > 0; i--)
        cycles->into[--first[graph->edges[i - 1].to]] = (uint32_t)(i - 1);
}

struct gcov_cycles *gcov_cycles_new(const struct flowcounts_flow *flow)
{
    struct gcov_cycles *cycles = buf_alloc(sizeof *cycles);
    const struct flowgraph *graph = cycles->graph = &flow->flow->graph;
    cycles->counts = flow->edges;
    cycles->edges = buf_alloc((graph->edge_count + 1) * sizeof *cycles->edges);
    cycles->into = buf_alloc((graph->edge_count + 1) * sizeof *cycles->into);
    cycles->first_into = buf_alloc((graph->block_count + 2) * sizeof *cycles->first_into);
    cycles->left = buf_alloc((graph->edge_count + 1) * sizeof *cycles->left);
    cycles->nodes = buf_alloc(graph->block_count * sizeof *cycles->nodes);
    cycles->path = buf_alloc(graph->block_count * sizeof *cycles->path);
    cycles->todo = buf_alloc(graph->block_count * sizeof *cycles->todo);
    for (uint32_t i = 0; i < graph->edge_count; i++)
        cycles->edges[i] = (struct gcov_cycles_edge){.to = graph->edges[i].to, .edge = i};
    for (size_t i = 0; i < graph->block_count; i++) {
        const struct flowgraph_span *span = &graph->blocks[i].edges;
        BUF_SORT(cycles->edges + span->first, span->count, by_target);
    }
    sort_into(cycles);
    return cycles;
}

void gcov_cycles_free(struct gcov_cycles *cycles)
{
    if (!cycles)
        return;
    free(cycles->edges);
    free(cycles->into);
    free(cycles->first_into);
    free(cycles->left);
    free(cycles->nodes);
    free(cycles->waits);
    free(cycles->path);
    free(cycles->todo);
    free(cycles);
}

const struct gcov_cycles_edge *gcov_cycles_edges(const struct gcov_cycles *cycles,
                                                 uint32_t block, size_t *count)
{
    const struct flowgraph_span *span = &cycles->graph->blocks[block].edges;
    *count = span->count;
    return cycles->edges + span->first;
}

/* Whether the edge may be on a circuit from START, whose number is the least in the
   circuit.  */
static bool is_open(const struct gcov_cycles *cycles, uint32_t start,
                    const struct gcov_cycles_edge *edge)
{
    return edge->to >= start && cycles->nodes[edge->to].subgraph == cycles->subgraph &&
           cycles->left[edge->edge] > 0;
}

/* The state of a block in the present search.  */
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
    for (uint32_t i = node->waits; i != NONE; i = cycles->waits[i].next)
        if (cycles->waits[i].block == block)
            return;
    cycles->waits = buf_grow(cycles->waits, &cycles->wait_capacity,
                             cycles->wait_count + 1, sizeof *cycles->waits);
    cycles->waits[cycles->wait_count] =
        (struct wait){.block = block, .next = node->waits};
    node->waits = (uint32_t)cycles->wait_count++;
}

/* Unblocks BLOCK, and those that waited for it.  */
static void unblock(struct gcov_cycles *cycles, uint32_t block)
{
    size_t count = 0;
    node_of(cycles, block)->blocked = false;
    cycles->todo[count++] = block;
    while (count) {
        struct node *node = node_of(cycles, cycles->todo[--count]);
        uint32_t wait = node->waits;
        node->waits = NONE;
        for (; wait != NONE; wait = cycles->waits[wait].next) {
            struct node *waiting = node_of(cycles, cycles->waits[wait].block);
            if (waiting->blocked)
                cycles->todo[count++] = cycles->waits[wait].block;
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

/* Takes away the circuit of the path and the edge LAST, and goes back to the first block
   whose edge is used up.  Returns the count of the circuit.  */
static int64_t take_circuit(struct gcov_cycles *cycles, uint32_t start, uint32_t last)
{
    int64_t *left = cycles->left, least = left[last];
    for (size_t i = 1; i < cycles->length; i++)
        if (left[cycles->path[i].edge] < least)
            least = left[cycles->path[i].edge];
    left[last] -= least;
    size_t used = cycles->length;
    for (size_t i = cycles->length - 1; i > 0; i--) {
        left[cycles->path[i].edge] -= least;
        if (left[cycles->path[i].edge] == 0)
            used = i;
    }
    cycles->path[cycles->length - 1].found = true;
    while (cycles->length > used)
        step_back(cycles, start);
    return least;
}

/* The sum of all circuits from START that are left.  */
static __int128 count_from(struct gcov_cycles *cycles, uint32_t start)
{
    __int128 sum = 0;
    cycles->search++;
    cycles->wait_count = 0;
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

/* How often control came into BLOCK from outside of the subgraph.  */
static __int128 count_into(const struct gcov_cycles *cycles, uint32_t block)
{
    __int128 sum = 0;
    for (size_t i = cycles->first_into[block]; i < cycles->first_into[block + 1]; i++) {
        uint32_t edge = cycles->into[i];
        if (cycles->nodes[cycles->graph->edges[edge].from].subgraph != cycles->subgraph)
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
        const struct flowgraph_span *span = &cycles->graph->blocks[blocks[i]].edges;
        cycles->nodes[blocks[i]].subgraph = cycles->subgraph;
        for (uint32_t k = span->first; k < span->first + span->count; k++)
            cycles->left[k] = cycles->counts[k];
    }
    for (size_t i = 0; i < count; i++)
        sum += count_into(cycles, blocks[i]) + count_from(cycles, blocks[i]);
    return saturate_signed(sum);
}
