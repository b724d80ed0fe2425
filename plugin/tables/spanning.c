/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "plugin/tables/spanning.h"
#include "plugin/tables/memory.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>

/* The tree that the node is in: each node has one above it, the root itself.  */
static unsigned root_of(unsigned *above, unsigned node)
{
    while (above[node] != node) {
        above[node] = above[above[node]];
        node = above[node];
    }
    return node;
}

/* Whether they were two trees before.  */
static bool join(unsigned *above, unsigned one, unsigned other)
{
    unsigned a = root_of(above, one), b = root_of(above, other);

    above[a] = b;
    return a != b;
}

static int by_rank(const void *one, const void *other)
{
    const struct spanning_edge *a = *(struct spanning_edge *const *)one;
    const struct spanning_edge *b = *(struct spanning_edge *const *)other;

    if (a->wish != b->wish)
        return a->wish > b->wish ? -1 : 1;
    if (a->weight > b->weight || a->weight < b->weight)
        return a->weight > b->weight ? -1 : 1;
    return a < b ? -1 : a > b;
}

static void choose(struct spanning_edge *edge, unsigned *above)
{
    if (edge->wish != SPANNING_COUNTED && join(above, edge->from, edge->to))
        edge->role = SPANNING_TREE;
    else
        edge->role =
            edge->wish == SPANNING_UNCOUNTABLE ? SPANNING_NEITHER : SPANNING_COUNTER;
}

void spanning_choose(struct spanning_edge *edges, size_t count, unsigned nodes)
{
    unsigned *above = memory_zeroed(nodes, sizeof *above);
    struct spanning_edge **ranked =
        memory_zeroed(count + 1, sizeof(struct spanning_edge *));

    for (unsigned i = 0; i < nodes; i++)
        above[i] = i;
    for (size_t i = 0; i < count; i++) {
        assert(edges[i].from < nodes && edges[i].to < nodes);
        ranked[i] = &edges[i];
    }
    qsort(ranked, count, sizeof(struct spanning_edge *), by_rank);
    join(above, 1, 0);
    for (size_t i = 0; i < count; i++)
        choose(ranked[i], above);
    memory_free(ranked);
    memory_free(above);
}
