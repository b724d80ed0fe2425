/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/base/kirchhoff.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/saturate.h"

#include <assert.h>

/* The equation of a block.  */
struct node {
    __int128 surplus; /* what flows in less what flows out, over known edges */
    size_t unknown;   /* the number of ends of unknown edges at the block */
    size_t edges;     /* the edges' numbers, by exclusive or; of one edge, its number */
};

/* Entry and exit are one node: what leaves by the exit comes in again by the entry.  */
static size_t node_of(uint32_t block)
{
    return block == KIRCHHOFF_EXIT ? KIRCHHOFF_ENTRY : block;
}

static void add_known(struct node *nodes, const struct kirchhoff_edge *edge)
{
    nodes[node_of(edge->from)].surplus -= edge->count;
    nodes[node_of(edge->to)].surplus += edge->count;
}

static void add_unknown(struct node *node, size_t edge)
{
    node->unknown++;
    node->edges ^= edge;
}

static void drop_unknown(struct node *node, size_t edge)
{
    node->unknown--;
    node->edges ^= edge;
}

/* Sets the count of the only unknown edge of NODE to what the others leave.  Returns the
   node at the other end of the edge.  */
static size_t settle(struct node *nodes, size_t node, struct kirchhoff_edge *edges)
{
    size_t number = nodes[node].edges;
    struct kirchhoff_edge *edge = &edges[number];
    bool leaves = node_of(edge->from) == node;
    __int128 surplus = nodes[node].surplus;
    edge->count = saturate_signed(leaves ? surplus : -surplus);
    edge->known = true;
    add_known(nodes, edge);
    drop_unknown(&nodes[node_of(edge->from)], number);
    drop_unknown(&nodes[node_of(edge->to)], number);
    return node_of(leaves ? edge->to : edge->from);
}

static void add_up_blocks(const struct kirchhoff_edge *edges, size_t edge_count,
                          int64_t *blocks, size_t block_count)
{
    for (size_t i = 0; i < block_count; i++)
        blocks[i] = 0;
    for (size_t i = 0; i < edge_count; i++) {
        __int128 count = edges[i].count;
        int64_t *entry = &blocks[KIRCHHOFF_ENTRY], *to = &blocks[edges[i].to];
        if (edges[i].from == KIRCHHOFF_ENTRY)
            *entry = saturate_signed(*entry + count);
        *to = saturate_signed(*to + count);
    }
}

static enum kirchhoff_verdict judge(const struct node *nodes, size_t node_count,
                                    const struct kirchhoff_edge *edges, size_t edge_count)
{
    bool consistent = true;
    for (size_t i = 0; i < edge_count; i++) {
        if (!edges[i].known)
            return KIRCHHOFF_OPEN;
        consistent = consistent && edges[i].count >= 0;
    }
    for (size_t i = 0; i < node_count; i++)
        consistent = consistent && nodes[i].surplus == 0;
    return consistent ? KIRCHHOFF_SOLVED : KIRCHHOFF_INCONSISTENT;
}

enum kirchhoff_verdict kirchhoff_solve(struct kirchhoff_edge *edges, size_t edge_count,
                                       int64_t *blocks, size_t block_count)
{
    assert(block_count > KIRCHHOFF_EXIT);
    BUF_OWN struct node *nodes = buf_alloc((block_count + 1) * sizeof *nodes);
    for (size_t i = 0; i < edge_count; i++) {
        if (edges[i].known) {
            add_known(nodes, &edges[i]);
        } else {
            edges[i].count = 0;
            add_unknown(&nodes[node_of(edges[i].from)], i);
            add_unknown(&nodes[node_of(edges[i].to)], i);
        }
    }
    /* Removes the unknown edges leaf by leaf; they are a forest if they can be solved.  A
       node becomes a leaf once, so that following each leaf inwards takes linear time. */
    for (size_t i = 0; i < block_count; i++)
        for (size_t at = i; nodes[at].unknown == 1;)
            at = settle(nodes, at, edges);
    add_up_blocks(edges, edge_count, blocks, block_count);
    enum kirchhoff_verdict verdict = judge(nodes, block_count, edges, edge_count);
    return verdict;
}
