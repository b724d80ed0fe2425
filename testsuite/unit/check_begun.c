/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: mlprof.a -lelf -lz -lm */
/* How often what stands on several blocks was begun, in flow graphs that are made by
 * hand.  */

#include "mlprof/flow/begun.h"
#include "runner.h"
#include "testsuite/unit/made_flow.h"

#include <check.h>

static const uint32_t no_lines[MADE_FLOW_BLOCKS];

/* BEGUN (ARCS, BLOCKS, ...): what stands on the blocks given.  */
#define BEGUN(arcs, ...)                                                                 \
    begun_in(arcs, sizeof(arcs) / sizeof *(arcs), (const uint32_t[]){__VA_ARGS__},       \
             sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

static uint64_t begun_in(const struct made_flow_arc *arcs, size_t arc_count,
                         const uint32_t *blocks, size_t count)
{
    struct made_flow made;
    made_flow(&made, arcs, arc_count, no_lines, MADE_FLOW_BLOCKS);
    struct begun *begun = begun_new(&made.counts);
    uint64_t times = begun_count(begun, blocks, count);
    /* The blocks' order says nothing, and counting leaves nothing behind.  */
    uint32_t turned[MADE_FLOW_BLOCKS];
    for (size_t i = 0; i < count; i++)
        turned[i] = blocks[count - 1 - i];
    ck_assert_uint_eq(begun_count(begun, turned, count), times);
    begun_free(begun);
    return times;
}

/* 2 ? 3 : 4, 5, where calls split 4 into 4, 6 and 7: fib's line.  */
START_TEST(arms)
{
    static const struct made_flow_arc arcs[] = {
        {0, 2, 100, 0}, {2, 3, 40, 0},  {2, 4, 60, 0}, {3, 5, 40, 0},
        {4, 6, 60, 0},  {5, 1, 100, 0}, {6, 7, 60, 0}, {7, 5, 60, 0}};
    ck_assert_uint_eq(BEGUN(arcs, 2, 3, 7, 5), 100);
    ck_assert_uint_eq(BEGUN(arcs, 2, 7), 100);
    ck_assert_uint_eq(BEGUN(arcs, 4, 7), 60);
    ck_assert_uint_eq(BEGUN(arcs, 3, 4), 100);
    ck_assert_uint_eq(BEGUN(arcs, 3, 7, 5), 100);
    ck_assert_uint_eq(BEGUN(arcs, 3, 5), 100);
}
END_TEST

/* while (3 && 4) 5; ten times round, and as a loop without a body, of one block, too.  */
START_TEST(loops_begin_anew)
{
    static const struct made_flow_arc body[] = {
        {0, 2, 3, 0},  {2, 3, 3, 0}, {3, 4, 12, 0}, {3, 6, 1, 0},
        {4, 5, 10, 0}, {4, 6, 2, 0}, {5, 3, 10, 0}, {6, 1, 3, 0}};
    static const struct made_flow_arc none[] = {
        {0, 2, 3, 0},  {2, 3, 3, 0}, {3, 4, 12, 0}, {3, 6, 1, 0},
        {4, 3, 10, 0}, {4, 6, 2, 0}, {6, 1, 3, 0}};
    ck_assert_uint_eq(BEGUN(body, 3, 4), 13);
    ck_assert_uint_eq(BEGUN(none, 3, 4), 13);
    /* A statement that is before the loop, in its test and in its step, as Fortran's do.
     */
    ck_assert_uint_eq(BEGUN(body, 2, 3, 5), 13);
}
END_TEST

/* 2 with a loop of 4, 5 among its operands, and 6; the whole ten times in a loop.  */
START_TEST(loops_inside_do_not)
{
    static const struct made_flow_arc arcs[] = {
        {0, 2, 1, 0}, {2, 3, 7, 0},  {2, 6, 4, 0},  {3, 4, 7, 0}, {4, 5, 90, 0},
        {4, 6, 7, 0}, {5, 4, 90, 0}, {6, 2, 10, 0}, {6, 7, 1, 0}, {7, 1, 1, 0}};
    ck_assert_uint_eq(BEGUN(arcs, 2, 6), 11);
    ck_assert_uint_eq(BEGUN(arcs, 3, 6), 11);
    ck_assert_uint_eq(BEGUN(arcs, 2, 4), 101);
}
END_TEST

/* Twice the same on different ways, as what is executed at the end of a scope; nobody
   knows who goes on where from 5.  */
START_TEST(other_ways)
{
    static const struct made_flow_arc arcs[] = {
        {0, 2, 10, 0}, {2, 3, 4, 0}, {2, 4, 6, 0}, {3, 5, 4, 0}, {4, 5, 6, 0},
        {5, 6, 5, 0},  {5, 7, 5, 0}, {6, 1, 5, 0}, {7, 1, 5, 0}};
    ck_assert_uint_eq(BEGUN(arcs, 3, 4), 10);
    ck_assert_uint_eq(BEGUN(arcs, 6, 7), 10);
    ck_assert_uint_eq(BEGUN(arcs, 3, 6, 7), 10);
    ck_assert_uint_eq(BEGUN(arcs, 3, 6), 7);
}
END_TEST

/* An endless loop that nothing reaches, and what was never executed.  */
START_TEST(odd_graphs)
{
    static const struct made_flow_arc arcs[] = {
        {0, 2, 0, 0}, {2, 1, 0, 0}, {4, 4, 0, 0}, {5, 6, 0, 0}, {6, 5, 0, 0}};
    ck_assert_uint_eq(BEGUN(arcs, 2, 4), 0);
    ck_assert_uint_eq(BEGUN(arcs, 4), 0);
    ck_assert_uint_eq(BEGUN(arcs, 5, 6, 2), 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("begun");
    TCase *tests = tcase_create("begun");
    tcase_add_test(tests, arms);
    tcase_add_test(tests, loops_begin_anew);
    tcase_add_test(tests, loops_inside_do_not);
    tcase_add_test(tests, other_ways);
    tcase_add_test(tests, odd_graphs);
    suite_add_tcase(suite, tests);
    return runner_run(suite);
}
