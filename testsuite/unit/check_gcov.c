/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: mlprof.a -lelf -lz -lm */
/* The line counts of gcov in cases that real programs do not have
   (count/gcov-lines.test). For random flow graphs, compares the counts with a simple
   search. */

#define _GNU_SOURCE
#include "mlprof/flow/gcov.h"
#include "testsuite/unit/tests.h"
#include "testsuite/unit/made_flow.h"
#include "testsuite/unit/random.h"

/* The number of blocks of random graphs, which have many circuits. */
#define BLOCKS 8

/* gcov never lets the last block of a function end on a line. A line whose executed
   blocks all are such blocks must count as executed. */
TEST(a_line_that_is_gone_through)
{
    static struct made_flow made[2];
    static const int64_t want[][2] = {{1, 3}, {2, 3}, {9, 0}};
    const struct flowcounts_flow *flows[] = {&made[0].counts, &made[1].counts};
    struct gcov gcov;
    made_flow_read(&made[0], "0>2=3 2>3=3 3>1=3", "0 0 1 2");
    made_flow_read(&made[1], "0>2=0 2>3=0 3>1=0", "0 0 2 9");
    made[0].flow.graph.start.line = 1;
    made[1].flow.graph.start.line = 50;
    gcov_evaluate(&gcov, flows, 2, GCOV_OF_FILES);
    ck_assert_uint_eq(gcov.lines.count, LENGTH(want));
    for (size_t i = 0; i < LENGTH(want); i++) {
        ck_assert_int_eq(gcov.lines.list[i].line, want[i][0]);
        ck_assert_int_eq(gcov.lines.list[i].count, want[i][1]);
    }
    gcov_free(&gcov);
}

/* Finds all simple circuits one after the other, without optimisations. */
struct search {
    const struct made_flow *made;
    const struct gcov_cycles *cycles;
    int64_t left[MADE_FLOW_EDGES];
    uint32_t path[BLOCKS + 1], start;
    bool on_path[BLOCKS];
    int64_t sum;
};

static bool is_used_up(const struct search *search, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (search->left[search->path[i]] <= 0)
            return true;
    return false;
}

static void circuits(struct search *search, uint32_t block, size_t length)
{
    size_t count;
    const struct gcov_cycles_edge *edges =
        gcov_cycles_edges(search->cycles, block, &count);
    search->on_path[block] = true;
    for (size_t i = 0; i < count; i++) {
        uint32_t to = edges[i].to;
        search->path[length] = edges[i].edge;
        if (to < search->start || to < 2 || is_used_up(search, length + 1))
            continue;
        if (to == search->start) {
            int64_t least = INT64_MAX;
            for (size_t k = 0; k <= length; k++)
                if (search->left[search->path[k]] < least)
                    least = search->left[search->path[k]];
            for (size_t k = 0; k <= length; k++)
                search->left[search->path[k]] -= least;
            search->sum += least;
        } else if (!search->on_path[to]) {
            circuits(search, to, length + 1);
        }
    }
    search->on_path[block] = false;
}

static void try_random_circuits(uint64_t seed)
{
    struct made_flow_arc arcs[MADE_FLOW_EDGES];
    size_t count = 0;
    static const uint32_t lines[BLOCKS] = {0};
    struct made_flow made;
    random_state = seed + 1;
    arcs[count++] = (struct made_flow_arc){.to = 2, .count = 3};
    for (uint32_t from = 2; from < BLOCKS; from++)
        for (uint64_t n = 1 + random_below(4); n > 0; n--)
            arcs[count++] =
                (struct made_flow_arc){.from = from,
                                       .to = (uint32_t)(1 + random_below(BLOCKS - 1)),
                                       .count = (int64_t)random_below(9)};
    made_flow(&made, arcs, count, lines, BLOCKS);
    struct gcov_cycles *cycles = gcov_cycles_new(&made.counts);
    struct search search = {.made = &made, .cycles = cycles, .sum = 3};
    uint32_t blocks[BLOCKS - 2];
    memcpy(search.left, made.edge_counts, sizeof search.left);
    for (uint32_t i = 2; i < BLOCKS; i++) {
        blocks[i - 2] = search.start = i;
        circuits(&search, i, 0);
    }
    ck_assert_int_eq(gcov_cycles_count(cycles, blocks, BLOCKS - 2), search.sum);
    ck_assert_int_eq(gcov_cycles_count(cycles, blocks, BLOCKS - 2), search.sum);
    gcov_cycles_free(cycles);
}

TEST(random_circuits)
{
    for (uint64_t seed = 0; seed < 200; seed++)
        try_random_circuits(seed);
}
