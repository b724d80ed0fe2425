/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: mlprof.a -lelf -lz -lm */
/* Counts of blocks and edges from those of a few edges.  */

#include <string.h>

#include "mlprof/base/kirchhoff.h"
#include "testsuite/unit/made_flow.h"
#include "testsuite/unit/tests.h"

/* Edges, of which some have counts; the counts of all edges and blocks that follow.  */
static const struct {
    const char *name, *edges;
    enum kirchhoff_verdict verdict;
    const char *counts, *blocks;
} graphs[] = {
    {"a straight function that was called 5 times", "0>2=5 2>1", KIRCHHOFF_SOLVED, "5 5",
     "5 5 5"},
    /* 2 if, 3 then, 4 else, 5 behind.  */
    {"a diamond", "0>2 2>3=30 2>4 3>5 4>5 5>1=100", KIRCHHOFF_SOLVED,
     "100 30 70 30 70 100", "100 100 100 30 70 100"},
    /* 2 before, 3 head, 4 body.  */
    {"a loop", "0>2 2>3 3>4 4>3=70 3>1=7", KIRCHHOFF_SOLVED, "7 7 70 70 7",
     "7 7 7 77 70"},
    {"a block that is its own loop", "0>2=3 2>2=12 2>1", KIRCHHOFF_SOLVED, "3 12 3",
     "3 3 15"},
    {"two edges between the same blocks", "0>2=9 2>3=4 2>3 3>1", KIRCHHOFF_SOLVED,
     "9 4 5 9", "9 9 9 9"},
    {"never called", "0>2=0 2>1", KIRCHHOFF_SOLVED, "0 0", "0 0 0"},
    {"a number of more than 32 bits", "0>2=9223372036854775807 2>1", KIRCHHOFF_SOLVED,
     "9223372036854775807 9223372036854775807",
     "9223372036854775807 9223372036854775807 9223372036854775807"},
    {"all known and right", "0>2=4 2>1=4", KIRCHHOFF_SOLVED, "4 4", "4 4 4"},
    {"all known and unequal", "0>2=4 2>3=4 3>1=3", KIRCHHOFF_INCONSISTENT, "4 4 3",
     "4 3 4 4"},
    /* Killed in block 3: the then branch was taken, its end never reached.  */
    {"cut off", "0>2 2>3 2>4=1 3>1=0 3>4 4>1=0", KIRCHHOFF_INCONSISTENT, "0 -1 1 0 -1 0",
     "0 0 0 -1 0"},
    {"a loop without a counter", "0>2=7 2>3 3>2 2>1", KIRCHHOFF_OPEN, "7 0 0 7",
     "7 7 7 0"},
    {"its own loop without a counter", "0>2=7 2>2 2>1", KIRCHHOFF_OPEN, "7 0 7", "7 7 7"},
};

TEST_ROWS(flow_by_hand, graphs)
{
    struct made_flow_arc arcs[MADE_FLOW_EDGES];
    struct kirchhoff_edge edges[MADE_FLOW_EDGES];
    int64_t blocks[MADE_FLOW_BLOCKS];
    char counts[200] = "", sums[200] = "";
    size_t count = made_flow_arcs(arcs, graphs[_i].edges), block_count = 0;
    for (const char *at = graphs[_i].blocks; *at; block_count++)
        at += strcspn(at, " "), at += strspn(at, " ");
    for (size_t i = 0; i < count; i++)
        edges[i] = (struct kirchhoff_edge){arcs[i].from, arcs[i].to, arcs[i].counted,
                                           arcs[i].counted ? arcs[i].count : 99};
    ck_assert_int_eq(kirchhoff_solve(edges, count, blocks, block_count),
                     graphs[_i].verdict);
    for (size_t i = 0; i < count; i++)
        sprintf(counts + strlen(counts), i ? " %lld" : "%lld", (long long)edges[i].count);
    for (size_t i = 0; i < block_count; i++)
        sprintf(sums + strlen(sums), i ? " %lld" : "%lld", (long long)blocks[i]);
    ck_assert_str_eq(counts, graphs[_i].counts);
    ck_assert_str_eq(sums, graphs[_i].blocks);
}

/* A graph with a true count on each edge.  */
#define RANDOM_BLOCKS 60
#define RANDOM_EDGES  (4 * RANDOM_BLOCKS)

struct truth {
    struct kirchhoff_edge edges[RANDOM_EDGES];
    size_t edge_count, block_count;
    int64_t blocks[RANDOM_BLOCKS];
    uint64_t state;
};

static uint32_t draw(struct truth *truth, size_t below)
{
    truth->state = truth->state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((truth->state >> 33) % below);
}

static void add_edge(struct truth *truth, uint32_t from, uint32_t to)
{
    truth->edges[truth->edge_count++] =
        (struct kirchhoff_edge){.from = from, .to = to, .known = true};
}

/* Each block is reached from one before it and has a way to the exit.  */
static void draw_graph(struct truth *truth)
{
    size_t inner = 1 + draw(truth, RANDOM_BLOCKS - 2);
    truth->block_count = inner + 2;
    add_edge(truth, KIRCHHOFF_ENTRY, 2);
    for (uint32_t i = 3; i < truth->block_count; i++)
        add_edge(truth, 2 + draw(truth, i - 2), i);
    for (uint32_t i = 2; i < truth->block_count; i++)
        add_edge(truth, i, i + 1 < truth->block_count ? i + 1 : KIRCHHOFF_EXIT);
    for (size_t i = draw(truth, 2 * inner); i > 0; i--)
        add_edge(truth, 2 + draw(truth, inner), 2 + draw(truth, inner));
}

static void walk(struct truth *truth)
{
    uint32_t at = KIRCHHOFF_ENTRY;
    truth->blocks[at]++;
    for (size_t steps = 0; at != KIRCHHOFF_EXIT; steps++) {
        size_t ways = 0, way = 0;
        for (size_t i = 0; i < truth->edge_count; i++)
            if (truth->edges[i].from == at && draw(truth, ++ways) == 0)
                way = i;
        /* Not for ever.  */
        if (steps > 1000)
            for (way = 0; truth->edges[way].from != at ||
                          (truth->edges[way].to != at + 1 && truth->edges[way].to != 1);)
                way++;
        truth->edges[way].count++;
        at = truth->edges[way].to;
        truth->blocks[at]++;
    }
}

static uint32_t root(uint32_t *above, uint32_t block)
{
    while (above[block] != block)
        block = above[block];
    return block;
}

/* Forgets the edges of a spanning tree, whichever comes first.  */
static void forget_tree(struct truth *truth, struct kirchhoff_edge *edges)
{
    uint32_t above[RANDOM_BLOCKS];
    for (uint32_t i = 0; i < truth->block_count; i++)
        above[i] = i;
    above[KIRCHHOFF_EXIT] = KIRCHHOFF_ENTRY;
    size_t start = draw(truth, truth->edge_count);
    for (size_t i = 0; i < truth->edge_count; i++) {
        struct kirchhoff_edge *edge = &edges[(start + i) % truth->edge_count];
        uint32_t one = root(above, edge->from), other = root(above, edge->to);
        if (one == other)
            continue;
        above[one] = other;
        edge->known = false;
        edge->count = -1;
    }
}

static void try_flow_random(uint64_t seed)
{
    struct truth truth = {.state = seed};
    draw_graph(&truth);
    for (size_t i = draw(&truth, 20); i > 0; i--)
        walk(&truth);
    struct kirchhoff_edge edges[RANDOM_EDGES];
    int64_t blocks[RANDOM_BLOCKS];
    memcpy(edges, truth.edges, sizeof edges);
    forget_tree(&truth, edges);
    size_t chord = 0;
    while (chord < truth.edge_count && !edges[chord].known)
        chord++;

    ck_assert_int_eq(kirchhoff_solve(edges, truth.edge_count, blocks, truth.block_count),
                     KIRCHHOFF_SOLVED);
    for (size_t i = 0; i < truth.edge_count; i++)
        ck_assert_int_eq(edges[i].count, truth.edges[i].count);
    for (size_t i = 0; i < truth.block_count; i++)
        ck_assert_int_eq(blocks[i], truth.blocks[i]);

    /* Now all are known: one that is wrong is seen, but where it goes in a circle.  */
    size_t wrong = draw(&truth, truth.edge_count);
    edges[wrong].count++;
    ck_assert_int_eq(kirchhoff_solve(edges, truth.edge_count, blocks, truth.block_count),
                     edges[wrong].from == edges[wrong].to ? KIRCHHOFF_SOLVED
                                                          : KIRCHHOFF_INCONSISTENT);

    /* One counter less than needed.  */
    ck_assert_uint_lt(chord, truth.edge_count);
    memcpy(edges, truth.edges, sizeof edges);
    truth.state = seed;
    forget_tree(&truth, edges);
    for (chord = 0; !edges[chord].known;)
        chord++;
    edges[chord].known = false;
    ck_assert_int_eq(kirchhoff_solve(edges, truth.edge_count, blocks, truth.block_count),
                     KIRCHHOFF_OPEN);
}

TEST(flow_random)
{
    for (uint64_t seed = 0; seed < 200; seed++)
        try_flow_random(seed);
}
