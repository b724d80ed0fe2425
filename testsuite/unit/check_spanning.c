/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: plugin/tables/spanning.c plugin/tables/memory.c mlprof/base/kirchhoff.c */
/* links: mlprof/base/buf.c */
/* The choice of edges: from the counters alone follow the counts of a walk through the
   graph that was counted edge by edge, and no tree would leave less to be counted.  */

#include "mlprof/base/kirchhoff.h"
#include "plugin/tables/spanning.h"
#include "testsuite/unit/random.h"
#include "testsuite/unit/tests.h"

#define MOST_NODES 40
#define MOST_EDGES 140
#define GRAPHS     2000
#define WALKS      20

struct world {
    struct spanning_edge edges[MOST_EDGES];
    int64_t counts[MOST_EDGES], visits[MOST_NODES]; /* by the walks */
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
static void make_world(struct world *world, unsigned most_nodes)
{
    *world = (struct world){.nodes = 3 + next_random(most_nodes - 2)};
    add(world, 0, 2, SPANNING_COUNTED);
    for (unsigned i = 2; i < world->nodes; i++) {
        add(world, i, i + 1 < world->nodes ? i + 1 : 1, SPANNING_ANY);
        if (i + 1 < world->nodes && next_random(3) == 0)
            add(world, i, 1, SPANNING_UNCOUNTABLE);
    }
    for (unsigned more = next_random(most_nodes); more > 0; more--)
        add(world, 2 + next_random(world->nodes - 2), 2 + next_random(world->nodes - 2),
            SPANNING_ANY);
}

static void walk(struct world *world)
{
    unsigned node = 0;
    size_t ways[MOST_EDGES];

    world->visits[0]++;
    while (node != 1) {
        size_t way_count = 0;
        for (size_t i = 0; i < world->count; i++)
            if (world->edges[i].from == node)
                ways[way_count++] = i;
        size_t taken = ways[next_random((unsigned)way_count)];
        world->counts[taken]++;
        node = world->edges[taken].to;
        world->visits[node]++;
    }
}

/* The edges, with the counts of those whose role is counter.  */
static void give_counters(const struct world *world, struct kirchhoff_edge *edges)
{
    for (size_t i = 0; i < world->count; i++) {
        bool known = world->edges[i].role == SPANNING_COUNTER;
        edges[i] = (struct kirchhoff_edge){world->edges[i].from, world->edges[i].to,
                                           known, known ? world->counts[i] : -1};
    }
}

static void assert_solved(const struct world *world)
{
    struct kirchhoff_edge edges[MOST_EDGES];
    int64_t blocks[MOST_NODES];
    size_t counter = 0, wrong = next_random((unsigned)world->count);

    give_counters(world, edges);
    ck_assert_int_eq(kirchhoff_solve(edges, world->count, blocks, world->nodes),
                     KIRCHHOFF_SOLVED);
    for (size_t i = 0; i < world->count; i++)
        ck_assert_int_eq(edges[i].count, world->counts[i]);
    for (size_t i = 0; i < world->nodes; i++)
        ck_assert_int_eq(blocks[i], world->visits[i]);

    /* Now all are known: one that is wrong is seen, but where it goes in a circle.  */
    edges[wrong].count++;
    ck_assert_int_eq(kirchhoff_solve(edges, world->count, blocks, world->nodes),
                     edges[wrong].from == edges[wrong].to ? KIRCHHOFF_SOLVED
                                                          : KIRCHHOFF_INCONSISTENT);

    /* One counter less than needed.  */
    give_counters(world, edges);
    while (!edges[counter].known)
        counter++;
    edges[counter].known = false;
    ck_assert_int_eq(kirchhoff_solve(edges, world->count, blocks, world->nodes),
                     KIRCHHOFF_OPEN);
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
        make_world(&world, i % 2 ? 12 : MOST_NODES);
        spanning_choose(world.edges, world.count, world.nodes);
        for (unsigned walks = next_random(WALKS + 1); walks > 0; walks--)
            walk(&world);
        assert_solved(&world);
    }
}

/* An edge that is counted closes a cycle in which each edge weighs at least as much.  */
TEST(the_tree_is_the_heaviest)
{
    struct world world;

    for (int i = 0; i < GRAPHS; i++) {
        make_world(&world, 12);
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
