/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: plugin/tables/spanning.c plugin/tables/memory.c */
/* The choice of edges: from the counters alone follow the counts of a walk through the
   graph that was counted edge by edge, and no tree would leave less to be counted.  */

#include "plugin/tables/spanning.h"
#include "testsuite/unit/random.h"
#include "testsuite/unit/tests.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define MOST_NODES 12
#define MOST_EDGES 40
#define GRAPHS     2000
#define WALKS      20

struct world {
    struct spanning_edge edges[MOST_EDGES];
    int64_t counts[MOST_EDGES]; /* by the walks */
    int64_t solved[MOST_EDGES];
    bool known[MOST_EDGES];
    size_t count;
    unsigned nodes;
};

static unsigned next_random(unsigned below)
{
    return (unsigned)random_below(below);
}

static void add(struct world *world, unsigned from, unsigned to, enum spanning_wish wish)
{
    world->edges[world->count++] =
        (struct spanning_edge){from, to, wish, next_random(5), SPANNING_TREE};
}

/* A chain from 0 through all nodes to 1, and edges to and fro; fake ones lead to 1 from a
   few nodes, as behind calls.  */
static void make_world(struct world *world)
{
    *world = (struct world){.nodes = 3 + next_random(MOST_NODES - 2)};
    add(world, 0, 2, SPANNING_COUNTED);
    for (unsigned i = 2; i < world->nodes; i++) {
        add(world, i, i + 1 < world->nodes ? i + 1 : 1, SPANNING_ANY);
        if (i + 1 < world->nodes && next_random(3) == 0)
            add(world, i, 1, SPANNING_UNCOUNTABLE);
    }
    for (unsigned more = next_random(10); more > 0; more--)
        add(world, 2 + next_random(world->nodes - 2), 2 + next_random(world->nodes - 2),
            SPANNING_ANY);
}

static void walk(struct world *world)
{
    unsigned node = 0;
    size_t ways[MOST_EDGES];

    while (node != 1) {
        size_t way_count = 0;
        for (size_t i = 0; i < world->count; i++)
            if (world->edges[i].from == node)
                ways[way_count++] = i;
        size_t taken = ways[next_random((unsigned)way_count)];
        world->counts[taken]++;
        node = world->edges[taken].to;
    }
}

/* The one edge of the node whose count is not known; nothing if there are more or none.
 */
static bool solve_node(struct world *world, unsigned node)
{
    int64_t sum = 0;
    size_t unknown = 0, ends = 0;

    for (size_t i = 0; i < world->count; i++) {
        const struct spanning_edge *edge = &world->edges[i];
        if (edge->from == edge->to || (edge->from != node && edge->to != node))
            continue;
        if (world->known[i]) {
            sum += edge->to == node ? world->solved[i] : -world->solved[i];
        } else {
            unknown = i;
            ends++;
        }
    }
    if (ends != 1)
        return false;
    world->solved[unknown] = world->edges[unknown].to == node ? -sum : sum;
    return world->known[unknown] = true;
}

static void assert_solvable(struct world *world)
{
    bool more = true;

    for (size_t i = 0; i < world->count; i++) {
        world->known[i] = world->edges[i].role == SPANNING_COUNTER;
        world->solved[i] = world->known[i] ? world->counts[i] : 0;
    }
    while (more) {
        more = false;
        for (unsigned node = 2; node < world->nodes; node++)
            more |= solve_node(world, node);
    }
    for (size_t i = 0; i < world->count; i++)
        ck_assert_msg(world->known[i] && world->solved[i] == world->counts[i],
                      "edge %zu: %ld, not %ld", i, (long)world->solved[i],
                      (long)world->counts[i]);
}

/* Whether edges of the tree join the nodes, those of ANY wish only if they weigh at least
   LEAST; the edge from the exit to the entry is one of it.  */
static bool joined(const struct world *world, unsigned one, unsigned other, double least)
{
    bool reached[MOST_NODES] = {false}, more = true;

    reached[one] = true;
    while (more) {
        more = false;
        for (size_t i = 0; i <= world->count; i++) {
            static const struct spanning_edge back = {1, 0, SPANNING_UNCOUNTABLE, 0,
                                                      SPANNING_TREE};
            const struct spanning_edge *edge =
                i < world->count ? &world->edges[i] : &back;
            if (edge->role != SPANNING_TREE ||
                (edge->wish == SPANNING_ANY && edge->weight < least) ||
                reached[edge->from] == reached[edge->to])
                continue;
            reached[edge->from] = reached[edge->to] = more = true;
        }
    }
    return reached[other];
}

TEST(counts_follow)
{
    struct world world;

    for (int i = 0; i < GRAPHS; i++) {
        make_world(&world);
        spanning_choose(world.edges, world.count, world.nodes);
        for (int w = 0; w < WALKS; w++)
            walk(&world);
        assert_solvable(&world);
    }
}

/* An edge that is counted closes a cycle in which each edge weighs at least as much.  */
TEST(the_tree_is_the_heaviest)
{
    struct world world;

    for (int i = 0; i < GRAPHS; i++) {
        make_world(&world);
        spanning_choose(world.edges, world.count, world.nodes);
        for (size_t e = 0; e < world.count; e++) {
            const struct spanning_edge *edge = &world.edges[e];
            if (edge->wish == SPANNING_COUNTED)
                ck_assert_int_eq(edge->role, SPANNING_COUNTER);
            if (edge->wish == SPANNING_UNCOUNTABLE)
                ck_assert_int_eq(edge->role, SPANNING_TREE);
            if (edge->wish == SPANNING_ANY && edge->role == SPANNING_COUNTER)
                ck_assert(joined(&world, edge->from, edge->to, edge->weight));
        }
    }
}

/* A block that is left and entered by fake edges: of those that can have no counter the
   heavier one is in the tree.  */
TEST(what_does_not_fit)
{
    struct spanning_edge edges[] = {
        {0, 2, SPANNING_COUNTED, 0, SPANNING_TREE},
        {0, 3, SPANNING_UNCOUNTABLE, 0, SPANNING_TREE},
        {2, 3, SPANNING_ANY, 0, SPANNING_TREE},
        {3, 1, SPANNING_UNCOUNTABLE, 1, SPANNING_TREE},
        {3, 1, SPANNING_ANY, 7, SPANNING_TREE},
        {3, 3, SPANNING_ANY, 9, SPANNING_TREE},
    };
    spanning_choose(edges, LENGTH(edges), 4);
    ck_assert_int_eq(edges[0].role, SPANNING_COUNTER);
    ck_assert_int_eq(edges[1].role, SPANNING_NEITHER);
    ck_assert_int_eq(edges[2].role, SPANNING_TREE);
    ck_assert_int_eq(edges[3].role, SPANNING_TREE);
    ck_assert_int_eq(edges[4].role, SPANNING_COUNTER);
    ck_assert_int_eq(edges[5].role, SPANNING_COUNTER);
}
