/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: mlprof.a -lelf -lz -lm */
/* Counts of blocks and edges from those of a few edges, by hand; check_counters.c tries
   random graphs.  */

#include "mlprof/base/kirchhoff.h"
#include "testsuite/unit/made_flow.h"
#include "testsuite/unit/tests.h"

/* Edges, of which some have counts; the counts of all edges and blocks that follow.  */
static const struct {
    const char *name, *edges;
    enum kirchhoff_verdict verdict;
    const char *counts, *blocks;
} graphs[] = {
    /* 2 if, 3 then, 4 else, 5 behind.  */
    {"a diamond", "0>2 2>3=30 2>4 3>5 4>5 5>1=100", KIRCHHOFF_SOLVED,
     "100 30 70 30 70 100", "100 100 100 30 70 100"},
    {"a number of more than 32 bits", "0>2=9223372036854775807 2>1", KIRCHHOFF_SOLVED,
     "9223372036854775807 9223372036854775807",
     "9223372036854775807 9223372036854775807 9223372036854775807"},
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
