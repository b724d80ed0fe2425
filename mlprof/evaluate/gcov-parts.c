/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/evaluate/gcov-parts.h"
#include "mlprof/base/buf.h"

#include <stdlib.h>

#define NONE UINT32_MAX

/* A block, as it is seen from the part that is looked at.  */
struct node {
    uint32_t part;   /* the last one that it was in */
    uint64_t search; /* the last one that came here; what follows is of that one */
    bool blocked;    /* no way leads from here back to the start as long as those that
                        are waited for stay blocked, or it is on the path */
    uint32_t waits;  /* first of the blocks that wait for this one, NONE: none */
};

struct wait {
    uint32_t block, next;
};

/* A block on the path.  */
struct step {
    uint32_t block;
    uint32_t edge; /* by which it was reached, NONE: the start */
    size_t next;   /* of its edges */
    bool found;    /* a circuit leads through it */
};

struct gcov_parts {
    const struct flowgraph *graph;
    const int64_t *counts;
    struct gcov_parts_edge *edges; /* by the block that they leave, then as told */
    uint32_t *into;     /* the numbers of the edges, by the block that they reach */
    size_t *first_into; /* of each block's, in INTO; and behind the last */
    int64_t *left;      /* of the counts, by edge */
    struct node *nodes;
    uint32_t part;
    uint64_t search;
    struct wait *waits;
    size_t wait_count, wait_capacity;
    struct step *path;
    size_t length;
    uint32_t *todo; /* to be unblocked */
};

static int by_target(const void *one, const void *other)
{
    const struct gcov_parts_edge *a = one, *b = other;
    if (a->to != b->to)
        return a->to < b->to ? -1 : 1;
    return (a->edge > b->edge) - (a->edge < b->edge);
}

static void sort_into(struct gcov_parts *parts)
{
    const struct flowgraph *graph = parts->graph;
    size_t *first = parts->first_into;
    for (size_t i = 0; i < graph->edge_count; i++)
        first[graph->edges[i].to]++;
    for (size_t i = 0; i < graph->block_count; i++)
        first[i + 1] += first[i];
    first[graph->block_count] = graph->edge_count;
    /* So far the end of each block's; backwards it becomes the start.  */
    for (size_t i = graph->edge_count; i > 0; i--)
        parts->into[--first[graph->edges[i - 1].to]] = (uint32_t)(i - 1);
}

struct gcov_parts *gcov_parts_new(const struct flowcounts_flow *flow)
{
    struct gcov_parts *parts = buf_alloc(sizeof *parts);
    const struct flowgraph *graph = parts->graph = &flow->flow->graph;
    parts->counts = flow->edges;
    parts->edges = buf_alloc((graph->edge_count + 1) * sizeof *parts->edges);
    parts->into = buf_alloc((graph->edge_count + 1) * sizeof *parts->into);
    parts->first_into = buf_alloc((graph->block_count + 2) * sizeof *parts->first_into);
    parts->left = buf_alloc((graph->edge_count + 1) * sizeof *parts->left);
    parts->nodes = buf_alloc(graph->block_count * sizeof *parts->nodes);
    parts->path = buf_alloc(graph->block_count * sizeof *parts->path);
    parts->todo = buf_alloc(graph->block_count * sizeof *parts->todo);
    for (uint32_t i = 0; i < graph->edge_count; i++)
        parts->edges[i] = (struct gcov_parts_edge){.to = graph->edges[i].to, .edge = i};
    for (size_t i = 0; i < graph->block_count; i++) {
        const struct flowgraph_span *span = &graph->blocks[i].edges;
        if (span->count)
            qsort(parts->edges + span->first, span->count, sizeof *parts->edges,
                  by_target);
    }
    sort_into(parts);
    return parts;
}

void gcov_parts_free(struct gcov_parts *parts)
{
    if (!parts)
        return;
    free(parts->edges);
    free(parts->into);
    free(parts->first_into);
    free(parts->left);
    free(parts->nodes);
    free(parts->waits);
    free(parts->path);
    free(parts->todo);
    free(parts);
}

const struct gcov_parts_edge *gcov_parts_edges(const struct gcov_parts *parts,
                                               uint32_t block, size_t *count)
{
    const struct flowgraph_span *span = &parts->graph->blocks[block].edges;
    *count = span->count;
    return parts->edges + span->first;
}

/* The edge may be a part of a circuit from START, which has the least number in it.  */
static bool is_open(const struct gcov_parts *parts, uint32_t start,
                    const struct gcov_parts_edge *edge)
{
    return edge->to >= start && parts->nodes[edge->to].part == parts->part &&
           parts->left[edge->edge] > 0;
}

/* The block as the present search knows it.  */
static struct node *node_of(struct gcov_parts *parts, uint32_t block)
{
    struct node *node = &parts->nodes[block];
    if (node->search != parts->search) {
        node->search = parts->search;
        node->blocked = false;
        node->waits = NONE;
    }
    return node;
}

static void step_to(struct gcov_parts *parts, uint32_t block, uint32_t edge)
{
    parts->path[parts->length++] = (struct step){.block = block, .edge = edge};
    node_of(parts, block)->blocked = true;
}

static void add_wait(struct gcov_parts *parts, uint32_t block, uint32_t on)
{
    struct node *node = node_of(parts, on);
    for (uint32_t i = node->waits; i != NONE; i = parts->waits[i].next)
        if (parts->waits[i].block == block)
            return;
    parts->waits = buf_grow(parts->waits, &parts->wait_capacity, parts->wait_count + 1,
                            sizeof *parts->waits);
    parts->waits[parts->wait_count] = (struct wait){.block = block, .next = node->waits};
    node->waits = (uint32_t)parts->wait_count++;
}

/* Unblocks BLOCK, and those that waited for it.  */
static void unblock(struct gcov_parts *parts, uint32_t block)
{
    size_t count = 0;
    node_of(parts, block)->blocked = false;
    parts->todo[count++] = block;
    while (count) {
        struct node *node = node_of(parts, parts->todo[--count]);
        uint32_t wait = node->waits;
        node->waits = NONE;
        for (; wait != NONE; wait = parts->waits[wait].next) {
            struct node *waiting = node_of(parts, parts->waits[wait].block);
            if (waiting->blocked)
                parts->todo[count++] = parts->waits[wait].block;
            waiting->blocked = false;
        }
    }
}

static void step_back(struct gcov_parts *parts, uint32_t start)
{
    const struct step *step = &parts->path[--parts->length];
    if (step->found) {
        if (parts->length)
            parts->path[parts->length - 1].found = true;
        unblock(parts, step->block);
        return;
    }
    size_t count;
    const struct gcov_parts_edge *edges = gcov_parts_edges(parts, step->block, &count);
    for (size_t i = 0; i < count; i++)
        if (is_open(parts, start, &edges[i]))
            add_wait(parts, step->block, edges[i].to);
}

/* Takes the circuit that the path and the edge LAST make out of what is left; goes back
   to where nothing of the path is used up.  Returns its count.  */
static int64_t take_circuit(struct gcov_parts *parts, uint32_t start, uint32_t last)
{
    int64_t *left = parts->left, least = left[last];
    for (size_t i = 1; i < parts->length; i++)
        if (left[parts->path[i].edge] < least)
            least = left[parts->path[i].edge];
    left[last] -= least;
    size_t used = parts->length;
    for (size_t i = parts->length - 1; i > 0; i--) {
        left[parts->path[i].edge] -= least;
        if (left[parts->path[i].edge] == 0)
            used = i;
    }
    parts->path[parts->length - 1].found = true;
    while (parts->length > used)
        step_back(parts, start);
    return least;
}

/* All circuits from START that are left.  */
static uint64_t count_from(struct gcov_parts *parts, uint32_t start)
{
    uint64_t sum = 0;
    parts->search++;
    parts->wait_count = 0;
    step_to(parts, start, NONE);
    while (parts->length) {
        struct step *step = &parts->path[parts->length - 1];
        size_t count;
        const struct gcov_parts_edge *edges =
            gcov_parts_edges(parts, step->block, &count);
        if (step->next == count) {
            step_back(parts, start);
            continue;
        }
        const struct gcov_parts_edge *edge = &edges[step->next++];
        if (!is_open(parts, start, edge))
            continue;
        if (edge->to == start)
            sum += (uint64_t)take_circuit(parts, start, edge->edge);
        else if (!node_of(parts, edge->to)->blocked)
            step_to(parts, edge->to, edge->edge);
    }
    return sum;
}

/* How often control came into BLOCK from outside of the part.  */
static uint64_t count_into(const struct gcov_parts *parts, uint32_t block)
{
    uint64_t sum = 0;
    for (size_t i = parts->first_into[block]; i < parts->first_into[block + 1]; i++) {
        uint32_t edge = parts->into[i];
        if (parts->nodes[parts->graph->edges[edge].from].part != parts->part)
            sum += (uint64_t)parts->counts[edge];
    }
    return sum;
}

int64_t gcov_parts_count(struct gcov_parts *parts, const uint32_t *blocks, size_t count)
{
    uint64_t sum = 0;
    parts->part++;
    for (size_t i = 0; i < count; i++) {
        const struct flowgraph_span *span = &parts->graph->blocks[blocks[i]].edges;
        parts->nodes[blocks[i]].part = parts->part;
        for (uint32_t k = span->first; k < span->first + span->count; k++)
            parts->left[k] = parts->counts[k];
    }
    for (size_t i = 0; i < count; i++)
        sum += count_into(parts, blocks[i]) + count_from(parts, blocks[i]);
    return (int64_t)sum;
}
