/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: plugin/tables/recipe.c plugin/tables/spanning.c plugin/tables/memory.c */
/* Recipes: on random graphs the counts of walks are what the recipes say of the counters,
   and the counters never cost more than one for each wanted edge would.  */

#include "plugin/tables/recipe.h"
#include "plugin/tables/memory.h"
#include "testsuite/unit/random.h"
#include "testsuite/unit/tests.h"

#include <stdint.h>

#define MOST_NODES 40
#define MOST_EDGES 200
#define GRAPHS     3000
#define WALKS      20

struct world {
    struct recipe_edge edges[MOST_EDGES];
    uint64_t counts[MOST_EDGES]; /* by the walks */
    size_t count;
    unsigned nodes;
    struct recipe recipe;
};

static unsigned next_random(unsigned below)
{
    return (unsigned)random_below(below);
}

static void add(struct world *world, unsigned from, unsigned to, bool countable)
{
    world->edges[world->count++] = (struct recipe_edge){
        .from = from,
        .to = to,
        .countable = countable,
        .wanted = countable && next_random(3) == 0,
        .weight = next_random(100),
    };
}

/* A chain from 0 through all nodes to 1, and edges to and fro; fake ones lead to 1 from a
   few nodes, as behind calls, and from 0 into some.  */
static void make_world(struct world *world)
{
    memset(world, 0, sizeof *world);
    world->nodes = 3 + next_random(MOST_NODES - 2);
    add(world, 0, 2, true);
    for (unsigned i = 2; i < world->nodes; i++) {
        add(world, i, i + 1 < world->nodes ? i + 1 : 1, true);
        if (i + 1 < world->nodes && next_random(4) == 0)
            add(world, i, 1, false);
        if (next_random(20) == 0)
            add(world, 0, i, false);
    }
    for (unsigned more = next_random(2 * world->nodes); more > 0; more--)
        add(world, 2 + next_random(world->nodes - 2), 2 + next_random(world->nodes - 2),
            true);
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

static uint64_t sum(const struct world *world, const struct recipe_edge *edge)
{
    uint64_t sum = 0;

    ck_assert_uint_le(edge->terms, RECIPE_TERMS);
    ck_assert_uint_le(edge->first + edge->terms, world->recipe.count);
    for (size_t i = edge->first; i < edge->first + edge->terms; i++) {
        const struct recipe_term *term = &world->recipe.terms[i];
        ck_assert(world->edges[term->edge].counter);
        ck_assert(world->edges[term->edge].countable);
        sum += term->negative ? -world->counts[term->edge] : world->counts[term->edge];
    }
    return sum;
}

TEST(counts_follow)
{
    for (int i = 0; i < GRAPHS; i++) {
        struct world world;
        make_world(&world);
        recipe_find(world.edges, world.count, world.nodes, &world.recipe);
        for (int w = 0; w < WALKS; w++)
            walk(&world);
        double cost = 0, plain = 0;
        for (size_t e = 0; e < world.count; e++) {
            if (world.edges[e].wanted)
                ck_assert_uint_eq(sum(&world, &world.edges[e]), world.counts[e]);
            plain += world.edges[e].wanted ? world.edges[e].weight : 0;
            cost += world.edges[e].counter ? world.edges[e].weight : 0;
        }
        ck_assert(cost <= plain);
        memory_free(world.recipe.terms);
    }
}

/* A loop, 2 to 3, in which 4 is left out now and then.  What is executed as often as
   something else needs no counter, nor does what is the sum of others.  */
TEST(what_follows_is_not_counted)
{
    struct recipe recipe = {0};
    struct recipe_edge edges[] = {
        {.from = 0, .to = 2, .countable = true, .weight = 1},
        {.from = 2, .to = 3, .countable = true, .wanted = true, .weight = 100},
        {.from = 3, .to = 4, .countable = true, .weight = 99},
        {.from = 4, .to = 5, .countable = true, .wanted = true, .weight = 99},
        {.from = 5, .to = 6, .countable = true, .wanted = true, .weight = 99},
        {.from = 3, .to = 6, .countable = true, .weight = 1},
        {.from = 6, .to = 2, .countable = true, .weight = 99},
        {.from = 6, .to = 1, .countable = true, .weight = 1},
    };
    recipe_find(edges, LENGTH(edges), 7, &recipe);
    ck_assert_uint_eq(edges[1].terms, 2);
    ck_assert_uint_eq(edges[3].terms, 1);
    ck_assert_uint_eq(edges[4].terms, 1);
    ck_assert_uint_eq(recipe.terms[edges[3].first].edge,
                      recipe.terms[edges[4].first].edge);
    ck_assert(edges[5].counter && !edges[1].counter);
    memory_free(recipe.terms);
}
