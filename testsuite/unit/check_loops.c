/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: mlprof.a -lelf -lz -lm */
/* The loops of flow graphs that are made by hand, and how often they went round; at
   random against what blocks reach each other.  */

#include "mlprof/flow/loops.h"
#include "runner.h"
#include "testsuite/unit/made_flow.h"
#include "testsuite/unit/random.h"

#include <check.h>
#include <stdlib.h>

#define FIND(loops, arcs, lines)                                                         \
    do {                                                                                 \
        made_flow(&made, arcs, sizeof(arcs) / sizeof *(arcs), lines,                     \
                  sizeof(lines) / sizeof *(lines));                                      \
        loops_find(&(loops), &made.counts);                                              \
    } while (0)

static struct made_flow made;

static void is_loop(const struct loops *loops, size_t number, uint32_t around,
                    uint64_t entered, uint64_t iterations)
{
    ck_assert_uint_lt(number, loops->count);
    ck_assert_uint_eq(loops->loops[number].around, around);
    ck_assert_uint_eq(loops->loops[number].depth,
                      around == LOOPS_NONE ? 0 : loops->loops[around].depth + 1);
    ck_assert_uint_eq(loops->loops[number].entered, entered);
    ck_assert_uint_eq(loops->loops[number].iterations, iterations);
}

static void is_range(const struct loops *loops, size_t number, uint32_t first,
                     uint32_t last)
{
    ck_assert_str_eq(loops->loops[number].file, "a.c");
    ck_assert_uint_eq(loops->loops[number].first_line, first);
    ck_assert_uint_eq(loops->loops[number].last_line, last);
}

/* for (...; 3; ...) 4; twice come to, ten times round, on two lines and on one.  */
START_TEST(tested_first)
{
    static const struct made_flow_arc arcs[] = {{0, 2, 2, 0},  {2, 3, 2, 0},
                                                {3, 4, 10, 0}, {3, 5, 2, 0},
                                                {4, 3, 10, 0}, {5, 1, 2, 0}};
    static const uint32_t lines[] = {0, 0, 6, 7, 8, 9}, one[] = {0, 0, 7, 7, 7, 7};
    static const uint32_t none[6];
    struct loops loops;
    FIND(loops, arcs, lines);
    ck_assert_uint_eq(loops.count, 1);
    is_loop(&loops, 0, LOOPS_NONE, 2, 10);
    is_range(&loops, 0, 7, 8);
    ck_assert_uint_eq(loops.of_block[2], LOOPS_NONE);
    ck_assert_uint_eq(loops.of_block[3], 0);
    ck_assert_uint_eq(loops.of_block[4], 0);
    ck_assert_uint_eq(loops.of_block[5], LOOPS_NONE);
    loops_free(&loops);
    FIND(loops, arcs, one);
    is_loop(&loops, 0, LOOPS_NONE, 2, 10);
    loops_free(&loops);
    FIND(loops, arcs, none);
    ck_assert_ptr_null(loops.loops[0].file);
    loops_free(&loops);
}
END_TEST

/* do 3; while (...), in one block and in two.  */
START_TEST(tested_last)
{
    static const struct made_flow_arc one[] = {
        {0, 2, 2, 0}, {2, 3, 2, 0}, {3, 3, 8, 0}, {3, 4, 2, 0}, {4, 1, 2, 0}};
    static const struct made_flow_arc two[] = {{0, 2, 2, 0}, {2, 3, 2, 0}, {3, 4, 10, 0},
                                               {4, 3, 8, 0}, {4, 5, 2, 0}, {5, 1, 2, 0}};
    static const uint32_t lines[] = {0, 0, 1, 2, 3}, twos[] = {0, 0, 1, 2, 2, 4};
    struct loops loops;
    FIND(loops, one, lines);
    ck_assert_uint_eq(loops.count, 1);
    is_loop(&loops, 0, LOOPS_NONE, 2, 10);
    loops_free(&loops);
    FIND(loops, two, twos);
    is_loop(&loops, 0, LOOPS_NONE, 2, 10);
    loops_free(&loops);
}
END_TEST

/* while (3 && 4) 5; and while (3 || 4) 5; and the first with the second test on another
   line, where it may as well be an if in the body.  */
START_TEST(several_tests)
{
    static const struct made_flow_arc both[] = {
        {0, 2, 3, 0},  {2, 3, 3, 0}, {3, 4, 12, 0}, {3, 6, 1, 0},
        {4, 5, 10, 0}, {4, 6, 2, 0}, {5, 3, 10, 0}, {6, 1, 3, 0}};
    static const struct made_flow_arc either[] = {
        {0, 2, 3, 0}, {2, 3, 3, 0}, {3, 5, 4, 0},  {3, 4, 9, 0},
        {4, 5, 6, 0}, {4, 6, 3, 0}, {5, 3, 10, 0}, {6, 1, 3, 0}};
    static const uint32_t lines[] = {0, 0, 1, 2, 2, 3, 4},
                          apart[] = {0, 0, 1, 2, 3, 4, 5};
    struct loops loops;
    FIND(loops, both, lines);
    is_loop(&loops, 0, LOOPS_NONE, 3, 10);
    loops_free(&loops);
    FIND(loops, either, lines);
    is_loop(&loops, 0, LOOPS_NONE, 3, 10);
    loops_free(&loops);
    FIND(loops, both, apart);
    is_loop(&loops, 0, LOOPS_NONE, 3, 12);
    loops_free(&loops);
}
END_TEST

/* while ((c = 3()) != 4) 5: the call ends a block, and may throw.  */
START_TEST(test_calls)
{
    static const struct made_flow_arc arcs[] = {{0, 2, 1, 0},
                                                {2, 3, 1, 0},
                                                {3, 4, 10, 0},
                                                {3, 7, 1, CCPROF_EDGE_EXCEPTION},
                                                {3, 1, 0, CCPROF_EDGE_FAKE},
                                                {4, 5, 10, 0},
                                                {4, 6, 0, 0},
                                                {5, 3, 10, 0},
                                                {6, 1, 0, 0},
                                                {7, 1, 1, 0}};
    static const uint32_t lines[] = {0, 0, 1, 2, 2, 3, 4, 5};
    struct loops loops;
    FIND(loops, arcs, lines);
    ck_assert_uint_eq(loops.count, 1);
    is_loop(&loops, 0, LOOPS_NONE, 1, 10);
    loops_free(&loops);
}
END_TEST

/* for (;;) { 3; if (4) break; 5; }: the one that breaks has begun.  */
START_TEST(left_in_the_middle)
{
    static const struct made_flow_arc arcs[] = {
        {0, 2, 1, 0}, {2, 3, 1, 0},  {3, 4, 11, 0}, {4, 5, 10, 0},
        {4, 6, 1, 0}, {5, 3, 10, 0}, {6, 1, 1, 0}};
    static const uint32_t lines[] = {0, 0, 1, 2, 3, 4, 5};
    struct loops loops;
    FIND(loops, arcs, lines);
    is_loop(&loops, 0, LOOPS_NONE, 1, 11);
    is_range(&loops, 0, 2, 4);
    loops_free(&loops);
}
END_TEST

/* for (2; 3;) { for (4; 5;) 6; 7: if (..) continue; 8; }, and behind it 9: while (9) 10;
 */
START_TEST(nested)
{
    static const struct made_flow_arc arcs[] = {
        {0, 2, 1, 0},  {2, 3, 1, 0},  {3, 4, 5, 0},  {3, 9, 1, 0},  {4, 5, 5, 0},
        {5, 6, 30, 0}, {5, 7, 5, 0},  {6, 5, 30, 0}, {7, 3, 2, 0},  {7, 8, 3, 0},
        {8, 3, 3, 0},  {9, 10, 4, 0}, {9, 11, 1, 0}, {10, 9, 4, 0}, {11, 1, 1, 0}};
    static const uint32_t lines[] = {0, 0, 1, 2, 3, 3, 4, 5, 6, 8, 9, 10};
    struct loops loops;
    FIND(loops, arcs, lines);
    ck_assert_uint_eq(loops.count, 3);
    uint32_t outer = loops.of_block[3], inner = loops.of_block[5],
             behind = loops.of_block[9];
    is_loop(&loops, outer, LOOPS_NONE, 1, 5);
    is_loop(&loops, inner, outer, 5, 30);
    is_loop(&loops, behind, LOOPS_NONE, 1, 4);
    is_range(&loops, outer, 2, 6);
    is_range(&loops, inner, 3, 4);
    ck_assert_uint_eq(loops.of_block[4], outer);
    ck_assert_uint_eq(loops.of_block[8], outer);
    loops_free(&loops);
}
END_TEST

/* Where setjmp comes back.  */
START_TEST(abnormal)
{
    static const struct made_flow_arc jump[] = {{0, 2, 1, 0},
                                                {2, 3, 1, 0},
                                                {3, 2, 4, CCPROF_EDGE_ABNORMAL},
                                                {3, 4, 1, 0},
                                                {4, 1, 1, 0}};
    static const uint32_t lines[] = {0, 0, 1, 2, 3};
    struct loops loops;
    FIND(loops, jump, lines);
    ck_assert_uint_eq(loops.count, 0);
    loops_free(&loops);
}
END_TEST

/* 3 and 4 lead to each other, and control comes to both.  */
START_TEST(two_heads)
{
    static const struct made_flow_arc arcs[] = {{0, 2, 3, 0}, {2, 3, 1, 0}, {2, 4, 2, 0},
                                                {3, 4, 8, 0}, {4, 3, 7, 0}, {4, 1, 3, 0}};
    static const uint32_t lines[] = {0, 0, 1, 2, 3};
    struct loops loops;
    FIND(loops, arcs, lines);
    ck_assert_uint_eq(loops.count, 1);
    is_loop(&loops, 0, LOOPS_NONE, 3, 10);
    loops_free(&loops);
}
END_TEST

#define BLOCKS 10

static void reach(bool reached[BLOCKS][BLOCKS], const struct made_flow_arc *arcs,
                  size_t count)
{
    memset(reached, 0, BLOCKS * sizeof *reached);
    for (size_t i = 0; i < count; i++)
        reached[arcs[i].from][arcs[i].to] = true;
    for (size_t k = 0; k < BLOCKS; k++)
        for (size_t i = 0; i < BLOCKS; i++)
            for (size_t j = 0; j < BLOCKS; j++)
                reached[i][j] |= reached[i][k] && reached[k][j];
}

static uint32_t outermost(const struct loops *loops, uint32_t block)
{
    uint32_t at = loops->of_block[block];
    while (at != LOOPS_NONE && loops->loops[at].around != LOOPS_NONE)
        at = loops->loops[at].around;
    return at;
}

static void try_random(uint64_t seed)
{
    struct made_flow_arc arcs[MADE_FLOW_EDGES];
    bool reached[BLOCKS][BLOCKS];
    static const uint32_t lines[BLOCKS];
    size_t count = 0;
    struct loops loops;
    random_state = seed + 1;
    arcs[count++] = (struct made_flow_arc){0, 2, 3, 0};
    for (uint32_t from = 2; from < BLOCKS; from++)
        for (uint64_t n = 1 + random_below(3); n > 0; n--)
            arcs[count++] =
                (struct made_flow_arc){from, (uint32_t)(1 + random_below(BLOCKS - 1)),
                                       (int64_t)random_below(9), 0};
    made_flow(&made, arcs, count, lines, BLOCKS);
    loops_find(&loops, &made.counts);
    reach(reached, arcs, count);
    for (uint32_t i = 0; i < BLOCKS; i++) {
        uint32_t loop = outermost(&loops, i);
        ck_assert_int_eq(loop != LOOPS_NONE, reached[i][i]);
        for (uint32_t j = 0; j < i; j++)
            if (loop != LOOPS_NONE)
                ck_assert_int_eq(outermost(&loops, j) == loop,
                                 reached[i][j] && reached[j][i]);
    }
    for (uint32_t i = 0; i < loops.count; i++) {
        ck_assert(loops.loops[i].around == LOOPS_NONE || loops.loops[i].around < i);
        ck_assert_uint_eq(loops.loops[i].depth,
                          loops.loops[i].around == LOOPS_NONE
                              ? 0
                              : loops.loops[loops.loops[i].around].depth + 1);
    }
    loops_free(&loops);
}

START_TEST(at_random)
{
    for (uint64_t seed = 0; seed < 500; seed++)
        try_random(seed);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("loops");
    TCase *tests = tcase_create("loops");
    tcase_add_test(tests, tested_first);
    tcase_add_test(tests, tested_last);
    tcase_add_test(tests, several_tests);
    tcase_add_test(tests, test_calls);
    tcase_add_test(tests, left_in_the_middle);
    tcase_add_test(tests, nested);
    tcase_add_test(tests, abnormal);
    tcase_add_test(tests, two_heads);
    tcase_add_test(tests, at_random);
    suite_add_tcase(suite, tests);
    return runner_run(suite);
}
