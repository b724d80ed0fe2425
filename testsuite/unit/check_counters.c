/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: plugin/tables/placement.c plugin/tables/memory.c mlprof.a -lelf -lz -lm */
/* The choice of the edges of a flow graph that have counters. A test walks random graphs
   and counts each edge. The same counts must follow from the counters alone, by
   Kirchhoff's law or by recipes (placement.h), and no other choice of edges may cost
   less. */

#include "mlprof/flow/flowcounts.h"
#include "plugin/tables/memory.h"
#include "plugin/tables/placement.h"
#include "testsuite/unit/random.h"
#include "testsuite/unit/tests.h"

#define MOST_NODES 40
#define MOST_EDGES 140
#define GRAPHS     2000
#define WALKS      20

/* An edge of a graph. FAKE: no code can be placed on the edge. */
struct edge {
    unsigned from, to;
    bool fake;
    int64_t count; /* counted by the walks */
};

struct graph {
    struct edge edges[MOST_EDGES];
    int64_t visits[MOST_NODES];
    size_t count;
    unsigned nodes;
};

static void add(struct graph *graph, uint64_t from, uint64_t to, bool fake)
{
    graph->edges[graph->count++] =
        (struct edge){.from = (unsigned)from, .to = (unsigned)to, .fake = fake};
}

/* A chain from 0 through all nodes to 1, with edges in both directions. Fake edges lead
   from a few nodes to 1, as after calls. */
static void make_graph(struct graph *graph, unsigned most_nodes)
{
    *graph = (struct graph){.nodes = 3 + (unsigned)random_below(most_nodes - 2)};
    add(graph, 0, 2, false);
    for (unsigned i = 2; i < graph->nodes; i++) {
        add(graph, i, i + 1 < graph->nodes ? i + 1 : 1, false);
        if (i + 1 < graph->nodes && random_below(3) == 0)
            add(graph, i, 1, true);
    }
    for (uint64_t more = random_below(most_nodes); more > 0; more--)
        add(graph, 2 + random_below(graph->nodes - 2), 2 + random_below(graph->nodes - 2),
            false);
}

static void walk(struct graph *graph)
{
    unsigned node = 0;
    struct edge *ways[MOST_EDGES];

    graph->visits[0]++;
    while (node != 1) {
        size_t way_count = 0;
        for (size_t i = 0; i < graph->count; i++)
            if (graph->edges[i].from == node)
                ways[way_count++] = &graph->edges[i];
        struct edge *taken = ways[random_below(way_count)];
        taken->count++;
        node = taken->to;
        graph->visits[node]++;
    }
}

/* Returns the edges, with counts only on edges that have counters. */
static void give_counters(const struct graph *graph, const struct spanning_edge *chosen,
                          struct kirchhoff_edge *edges)
{
    for (size_t i = 0; i < graph->count; i++) {
        bool known = chosen[i].role == SPANNING_COUNTER;
        edges[i] = (struct kirchhoff_edge){chosen[i].from, chosen[i].to, known,
                                           known ? graph->edges[i].count : -1};
    }
}

static void assert_solved(const struct graph *graph, const struct spanning_edge *chosen)
{
    struct kirchhoff_edge edges[MOST_EDGES];
    int64_t blocks[MOST_NODES];
    give_counters(graph, chosen, edges);
    kirchhoff_solve(edges, graph->count, blocks, graph->nodes);
    for (size_t i = 0; i < graph->count; i++)
        ck_assert_int_eq(edges[i].count, graph->edges[i].count);
    for (size_t i = 0; i < graph->nodes; i++)
        ck_assert_int_eq(blocks[i], graph->visits[i]);
}

/* A killed run: block 2 was left more often than entered. */
TEST(a_count_below_zero)
{
    struct kirchhoff_edge edges[] = {{0, 2, true, 1}, {2, 1, true, 2}, {2, 1, false, 0}};
    int64_t blocks[3];
    kirchhoff_solve(edges, LENGTH(edges), blocks, LENGTH(blocks));
    ck_assert_int_eq(edges[2].count, -1);
}

/* Returns whether the edges of the tree connect the nodes. Unneeded edges count only if
   their weight is at least LEAST. The edge from the exit to the entry is part of the
   tree. */
static bool joined(const struct spanning_edge *edges, size_t count, unsigned one,
                   unsigned other, double least)
{
    static const struct spanning_edge back = {1, 0, SPANNING_UNCOUNTABLE, 0,
                                              SPANNING_TREE};
    bool reached[MOST_NODES] = {false}, more = true;

    reached[one] = true;
    while (more) {
        more = false;
        for (size_t i = 0; i <= count; i++) {
            const struct spanning_edge *edge = i < count ? &edges[i] : &back;
            if (edge->role != SPANNING_TREE ||
                (edge->wish == SPANNING_ANY && edge->weight < least) ||
                reached[edge->from] == reached[edge->to])
                continue;
            reached[edge->from] = reached[edge->to] = more = true;
        }
    }
    return reached[other];
}

/* Each counted edge closes a cycle in which no edge weighs less. So the tree is the
   heaviest. */
static void assert_cheap(const struct spanning_edge *chosen, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct spanning_edge *edge = &chosen[i];
        if (edge->wish == SPANNING_COUNTED)
            ck_assert_int_eq(edge->role, SPANNING_COUNTER);
        if (edge->wish == SPANNING_UNCOUNTABLE)
            ck_assert_int_eq(edge->role, SPANNING_TREE);
        if (edge->wish == SPANNING_ANY && edge->role == SPANNING_COUNTER)
            ck_assert(joined(chosen, count, edge->from, edge->to, edge->weight));
    }
}

TEST(counts_follow_by_kirchhoff)
{
    for (int i = 0; i < GRAPHS; i++) {
        struct graph graph;
        struct spanning_edge chosen[MOST_EDGES];
        make_graph(&graph, i % 2 ? 12 : MOST_NODES);
        for (size_t e = 0; e < graph.count; e++)
            chosen[e] =
                (struct spanning_edge){graph.edges[e].from, graph.edges[e].to,
                                       e == 0                ? SPANNING_COUNTED
                                       : graph.edges[e].fake ? SPANNING_UNCOUNTABLE
                                                             : SPANNING_ANY,
                                       (double)random_below(5), SPANNING_TREE};
        spanning_choose(chosen, graph.count, graph.nodes);
        assert_cheap(chosen, graph.count);
        for (uint64_t walks = random_below(WALKS + 1); walks > 0; walks--)
            walk(&graph);
        assert_solved(&graph, chosen);
    }
}

/* A block that is entered and left by fake edges: the tree contains the heavier of the
   edges that cannot have a counter. */
TEST(what_does_not_fit)
{
    struct spanning_edge edges[] = {
        {0, 2, SPANNING_COUNTED, 0, SPANNING_TREE},
        {0, 3, SPANNING_UNCOUNTABLE, 0, SPANNING_TREE},
        {2, 3, SPANNING_ANY, 0, SPANNING_TREE},
        {3, 1, SPANNING_UNCOUNTABLE, 1, SPANNING_TREE},
    };
    spanning_choose(edges, LENGTH(edges), 4);
    ck_assert_int_eq(edges[1].role, SPANNING_NEITHER);
    ck_assert_int_eq(edges[2].role, SPANNING_TREE);
    ck_assert_int_eq(edges[3].role, SPANNING_TREE);
}

/* Returns the count of the edge according to its recipe. */
static int64_t sum(const struct graph *graph, const struct recipe *recipe,
                   const struct recipe_edge *edges, const struct recipe_edge *edge)
{
    int64_t sum = 0;

    ck_assert_uint_le(edge->terms, RECIPE_TERMS);
    ck_assert_uint_le(edge->first + edge->terms, recipe->count);
    for (size_t i = edge->first; i < edge->first + edge->terms; i++) {
        const struct recipe_term *term = &recipe->terms[i];
        ck_assert(edges[term->edge].counter && edges[term->edge].countable);
        sum += term->negative ? -graph->edges[term->edge].count
                              : graph->edges[term->edge].count;
    }
    return sum;
}

/* Some edges are needed, and their recipes cost no more than counters on these edges. */
TEST(counts_follow_by_recipes)
{
    for (int i = 0; i < GRAPHS; i++) {
        struct graph graph;
        struct recipe recipe = {0};
        struct recipe_edge edges[MOST_EDGES];
        make_graph(&graph, MOST_NODES);
        /* An edge leads from the entry to a block whose label has its address taken. */
        if (random_below(2))
            add(&graph, 0, 2 + random_below(graph.nodes - 2), true);
        for (size_t e = 0; e < graph.count; e++)
            edges[e] = (struct recipe_edge){
                .from = graph.edges[e].from,
                .to = graph.edges[e].to,
                .countable = !graph.edges[e].fake,
                .needed = !graph.edges[e].fake && random_below(3) == 0,
                .weight = (double)random_below(100),
            };
        recipe_find(edges, graph.count, graph.nodes, &recipe);
        for (int w = 0; w < WALKS; w++)
            walk(&graph);
        double cost = 0, plain = 0;
        for (size_t e = 0; e < graph.count; e++) {
            if (edges[e].needed)
                ck_assert_int_eq(sum(&graph, &recipe, edges, &edges[e]),
                                 graph.edges[e].count);
            plain += edges[e].needed ? edges[e].weight : 0;
            cost += edges[e].counter ? edges[e].weight : 0;
        }
        ck_assert(cost <= plain);
        memory_free(recipe.terms);
    }
}

/* A loop from 2 to 3 that sometimes skips 4. A part that is executed as often as
   another part, or whose count is the sum of others, needs no counter. */
TEST(what_follows_is_not_counted)
{
    struct recipe recipe = {0};
    struct recipe_edge edges[] = {
        {.from = 0, .to = 2, .countable = true, .weight = 1},
        {.from = 2, .to = 3, .countable = true, .needed = true, .weight = 100},
        {.from = 3, .to = 4, .countable = true, .weight = 99},
        {.from = 4, .to = 5, .countable = true, .needed = true, .weight = 99},
        {.from = 5, .to = 6, .countable = true, .needed = true, .weight = 99},
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
