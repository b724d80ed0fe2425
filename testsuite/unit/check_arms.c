/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: mlprof.a -lelf -lz -lm */
/* Which code belongs to which outcome of a condition or switch, in graphs by hand.  Block
   0 is the entry, block 1 the exit.  */

#include "mlprof/base/buf.h"
#include "mlprof/flow/arms.h"
#include "runner.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#define NONE  ARMS_NONE
#define T     CCPROF_EDGE_TRUE
#define F     CCPROF_EDGE_FALSE
#define CASE  CCPROF_EDGE_CASES
#define FAKE  CCPROF_EDGE_FAKE
#define THROW CCPROF_EDGE_EXCEPTION

#define MOST 16

/* OF_BLOCK and AROUND hold the numbers of edges plus 1; 0: none.  AROUND is by edge.  */
static const struct graph {
    const char *name;
    size_t blocks, edges;
    struct {
        uint32_t from, to;
        unsigned flags;
    } edge[MOST];
    uint32_t of_block[MOST], around[MOST];
} graphs[] = {
    {"if (2) 3 else 4; 5",
     6,
     6,
     {{0, 2, 0}, {2, 3, T}, {2, 4, F}, {3, 5, 0}, {4, 5, 0}, {5, 1, 0}},
     {0, 0, 0, 2, 3, 0},
     {0}},
    {"if (2) 3; 4",
     5,
     5,
     {{0, 2, 0}, {2, 3, T}, {2, 4, F}, {3, 4, 0}, {4, 1, 0}},
     {0, 0, 0, 2, 0},
     {0}},
    {"if (2) { if (3) 4; 5 } 6",
     7,
     8,
     {{0, 2, 0},
      {2, 3, T},
      {2, 6, F},
      {3, 4, T},
      {3, 5, F},
      {4, 5, 0},
      {5, 6, 0},
      {6, 1, 0}},
     {0, 0, 0, 2, 4, 2, 0},
     {[3] = 2}},
    {"while (2) 3; if (4) 5; 6",
     7,
     8,
     {{0, 2, 0},
      {2, 3, T},
      {2, 4, F},
      {3, 2, 0},
      {4, 5, T},
      {4, 6, F},
      {5, 6, 0},
      {6, 1, 0}},
     {0, 0, 0, 2, 0, 5, 0},
     {0}},
    {"do 2 while (2); 3",
     4,
     4,
     {{0, 2, 0}, {2, 2, T}, {2, 3, F}, {3, 1, 0}},
     {0, 0, 0, 0},
     {0}},
    {"while (2) { if (3) break; 4 } 5",
     6,
     7,
     {{0, 2, 0}, {2, 3, T}, {2, 5, F}, {3, 5, T}, {3, 4, F}, {4, 2, 0}, {5, 1, 0}},
     {0, 0, 0, 2, 5, 0},
     {[4] = 2}},
    {"if (2 && 3) 4 else 5; 6",
     7,
     8,
     {{0, 2, 0},
      {2, 3, T},
      {2, 5, F},
      {3, 4, T},
      {3, 5, F},
      {4, 6, 0},
      {5, 6, 0},
      {6, 1, 0}},
     {0, 0, 0, 2, 4, 5, 0},
     {[3] = 2}},
    {"if (2 || 3) 4; 5",
     6,
     7,
     {{0, 2, 0}, {2, 4, T}, {2, 3, F}, {3, 4, T}, {3, 5, F}, {4, 5, 0}, {5, 1, 0}},
     {0, 0, 0, 3, 4, 0},
     {0}},
    {"switch (2) { case: 3; break; case: 4; case: 5; break; default: 6 } 7",
     8,
     10,
     {{0, 2, 0},
      {2, 3, CASE},
      {2, 4, CASE},
      {2, 5, CASE},
      {2, 6, CASE},
      {3, 7, 0},
      {4, 5, 0},
      {5, 7, 0},
      {6, 7, 0},
      {7, 1, 0}},
     {0, 0, 0, 2, 3, 4, 5, 0},
     {0}},
    {"switch (2) { case: 3 } 4",
     5,
     5,
     {{0, 2, 0}, {2, 3, CASE}, {2, 4, CASE}, {3, 4, 0}, {4, 1, 0}},
     {0, 0, 0, 2, 0},
     {0}},
    {"if (2) return; 3",
     5,
     5,
     {{0, 2, 0}, {2, 4, T}, {2, 3, F}, {3, 4, 0}, {4, 1, 0}},
     {0, 0, 0, 3, 0},
     {0}},
    {"if (2) abort in 3; 4",
     5,
     5,
     {{0, 2, 0}, {2, 3, T}, {2, 4, F}, {3, 1, FAKE}, {4, 1, 0}},
     {0, 0, 0, 2, 0},
     {0}},
    {"if (2) 3, which may end the program; 4",
     5,
     6,
     {{0, 2, 0}, {2, 3, T}, {2, 4, F}, {3, 4, 0}, {3, 1, FAKE}, {4, 1, 0}},
     {0, 0, 0, 2, 0},
     {0}},
    {"try { if (2) 3; 4 } catch 5; 6",
     7,
     8,
     {{0, 2, 0},
      {2, 3, T},
      {2, 4, F},
      {3, 4, 0},
      {3, 5, THROW},
      {4, 6, 0},
      {5, 6, 0},
      {6, 1, 0}},
     {0, 0, 0, 2, 0, 2, 0},
     {0}},
    {"for (;;) { while (2) 3; 4; if (5) 6; 7 }",
     8,
     9,
     {{0, 2, 0},
      {2, 3, T},
      {2, 4, F},
      {3, 2, 0},
      {4, 5, 0},
      {5, 6, T},
      {5, 7, F},
      {6, 7, 0},
      {7, 2, 0}},
     {0, 0, 0, 2, 0, 0, 6, 0},
     {0}},
    {"if (2) goto 4; 3; 4, and from 3 into 5 or 4",
     6,
     7,
     {{0, 2, 0}, {2, 4, T}, {2, 3, F}, {3, 5, T}, {3, 4, F}, {4, 5, 0}, {5, 1, 0}},
     {0, 0, 0, 3, 5, 0},
     {0}},
    {"2 comes back a second time into 3: if (3) 4; 5, nobody reaches 6",
     7,
     8,
     {{0, 2, 0},
      {0, 3, FAKE},
      {2, 3, 0},
      {3, 4, T},
      {3, 5, F},
      {4, 5, 0},
      {5, 1, 0},
      {6, 5, 0}},
     {0, 0, 0, 0, 4, 0, 0},
     {0}},
};

static uint32_t number_of(uint32_t edge)
{
    return edge == NONE ? 0 : edge + 1;
}

static struct flowgraph graph_of(const struct graph *graph)
{
    struct flowgraph made = {.blocks = buf_alloc(graph->blocks * sizeof *made.blocks),
                             .block_count = graph->blocks,
                             .edges = buf_alloc(graph->edges * sizeof *made.edges),
                             .edge_count = graph->edges};
    for (size_t i = 0; i < graph->edges; i++)
        made.edges[i] = (struct flowgraph_edge){.from = graph->edge[i].from,
                                                .to = graph->edge[i].to,
                                                .flags = graph->edge[i].flags};
    return made;
}

START_TEST(arms_by_hand)
{
    const struct graph *graph = &graphs[_i];
    struct flowgraph made = graph_of(graph);
    struct arms arms;
    arms_find(&arms, &made);
    for (uint32_t i = 0; i < graph->blocks; i++)
        ck_assert_msg(number_of(arms.of_block[i]) == graph->of_block[i],
                      "%s: block %u is in the arm %u, not %u", graph->name, i,
                      number_of(arms.of_block[i]), graph->of_block[i]);
    for (uint32_t i = 0; i < graph->edges; i++)
        ck_assert_msg(number_of(arms.around[i]) == graph->around[i],
                      "%s: arm %u is in %u, not %u", graph->name, i + 1,
                      number_of(arms.around[i]), graph->around[i]);
    arms_free(&arms);
    flowgraph_free(&made);
}
END_TEST

START_TEST(common_is_around_both)
{
    uint32_t around[] = {NONE, 0, 1, 0, NONE}, depth[] = {0, 1, 2, 1, 0};
    struct arms arms = {.around = around, .depth = depth};
    ck_assert_uint_eq(arms_common(&arms, 2, 3), 0);
    ck_assert_uint_eq(arms_common(&arms, 2, 1), 1);
    ck_assert_uint_eq(arms_common(&arms, 3, 3), 3);
    ck_assert_uint_eq(arms_common(&arms, 2, 4), NONE);
    ck_assert_uint_eq(arms_common(&arms, NONE, 2), NONE);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("arms");
    TCase *tests = tcase_create("arms");
    tcase_add_loop_test(tests, arms_by_hand, 0, sizeof graphs / sizeof *graphs);
    tcase_add_test(tests, common_is_around_both);
    suite_add_tcase(suite, tests);
    return runner_run(suite);
}
