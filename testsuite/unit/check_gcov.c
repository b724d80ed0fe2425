/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: mlprof.a -lelf -lz -lm */
/* The counts of lines, as gcov has them, of flow graphs made by hand and at random.  */

#define _GNU_SOURCE
#include "mlprof/flow/gcov-cycles.h"
#include "mlprof/flow/gcov.h"
#include "runner.h"
#include "testsuite/unit/made_flow.h"
#include "testsuite/unit/random.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

/* Of graphs made at random: their circuits are many.  */
#define BLOCKS 8

static const struct gcov_line *find_line(const struct gcov *gcov, uint32_t line)
{
    for (size_t i = 0; i < gcov->line_count; i++)
        if (gcov->lines[i].line == line)
            return &gcov->lines[i];
    return NULL;
}

static int64_t count_of(const struct gcov *gcov, uint32_t line)
{
    const struct gcov_line *found = find_line(gcov, line);
    ck_assert_ptr_nonnull(found);
    return found->count;
}

#define EVALUATE(gcov, made, arcs, lines)                                                \
    do {                                                                                 \
        made_flow(&(made), arcs, sizeof(arcs) / sizeof *(arcs), lines,                   \
                  sizeof(lines) / sizeof *(lines));                                      \
        const struct flowcounts_flow *flows[] = {&(made).counts};                        \
        gcov_evaluate(&(gcov), flows, 1, GCOV_OF_FILES);                                 \
    } while (0)

/* 2 before, 3 condition, 4 body, 5 behind; twice called, 10 times round.  */
START_TEST(loop)
{
    static const struct made_flow_arc arcs[] = {{0, 2, 2, 0},  {2, 3, 2, 0},
                                                {3, 4, 10, 0}, {3, 5, 2, 0},
                                                {4, 3, 10, 0}, {5, 1, 2, 0}};
    static const uint32_t one[] = {0, 0, 7, 7, 7, 8}, three[] = {0, 0, 6, 7, 8, 9};
    struct made_flow made;
    struct gcov gcov;
    EVALUATE(gcov, made, arcs, one);
    ck_assert_uint_eq(gcov.line_count, 2);
    ck_assert_int_eq(count_of(&gcov, 7), 12);
    ck_assert_int_eq(count_of(&gcov, 8), 2);
    ck_assert_uint_eq(find_line(&gcov, 7)->branch_count, 2);
    ck_assert_int_eq(gcov.branches[0].count, 10);
    ck_assert_int_eq(gcov.branches[1].count, 2);
    /* The last one is taken for the exit.  */
    ck_assert_uint_eq(gcov.functions[0].blocks_executed, 4);
    gcov_free(&gcov);
    EVALUATE(gcov, made, arcs, three);
    ck_assert_int_eq(count_of(&gcov, 6), 2);
    ck_assert_int_eq(count_of(&gcov, 7), 12);
    ck_assert_int_eq(count_of(&gcov, 8), 10);
    ck_assert(!find_line(&gcov, 8)->unexecuted_block);
    gcov_free(&gcov);
}
END_TEST

/* An if on one line that is never true.  */
START_TEST(condition)
{
    static const struct made_flow_arc arcs[] = {{0, 2, 5, 0}, {2, 3, 0, 0}, {2, 4, 5, 0},
                                                {3, 4, 0, 0}, {4, 5, 5, 0}, {5, 1, 5, 0}};
    static const uint32_t lines[] = {0, 0, 3, 3, 4, 0};
    struct made_flow made;
    struct gcov gcov;
    EVALUATE(gcov, made, arcs, lines);
    ck_assert_int_eq(count_of(&gcov, 3), 5);
    ck_assert(find_line(&gcov, 3)->unexecuted_block);
    ck_assert_int_eq(count_of(&gcov, 4), 5);
    ck_assert(!find_line(&gcov, 4)->unexecuted_block);
    gcov_free(&gcov);
}
END_TEST

/* 2 calls what may throw: 3 behind it, 4 a handler that never ran, 5 the end.  */
START_TEST(exception)
{
    static const struct made_flow_arc arcs[] = {{0, 2, 5, 0},
                                                {2, 3, 5, CCPROF_EDGE_FALLTHROUGH},
                                                {2, 4, 0, CCPROF_EDGE_EXCEPTION},
                                                {2, 1, 0, CCPROF_EDGE_FAKE},
                                                {3, 5, 5, 0},
                                                {4, 5, 0, 0},
                                                {5, 1, 5, 0}};
    static const uint32_t lines[] = {0, 0, 3, 4, 5, 6};
    struct made_flow made;
    struct gcov gcov;
    EVALUATE(gcov, made, arcs, lines);
    ck_assert_int_eq(count_of(&gcov, 5), 0);
    ck_assert(!find_line(&gcov, 5)->unexecuted_block);
    const struct gcov_line *line = find_line(&gcov, 3);
    ck_assert_uint_eq(line->branch_count, 2);
    ck_assert(gcov.branches[line->first_branch].is_fallthrough);
    ck_assert(!gcov.branches[line->first_branch].is_throw);
    ck_assert(gcov.branches[line->first_branch + 1].is_throw);
    gcov_free(&gcov);
}
END_TEST

/* Two functions that start on one line, as templates do, have lines of their own.  */
START_TEST(functions_of_one_line)
{
    static const struct made_flow_arc once[] = {{0, 2, 1, 0}, {2, 3, 1, 0}, {3, 1, 1, 0}};
    static const struct made_flow_arc twice[] = {
        {0, 2, 2, 0}, {2, 3, 2, 0}, {3, 1, 2, 0}};
    static const uint32_t lines[] = {0, 0, 1, 2};
    static struct made_flow made[3];
    struct gcov gcov;
    made_flow(&made[0], once, 3, lines, 4);
    made_flow(&made[1], twice, 3, lines, 4);
    made_flow(&made[2], once, 3, lines, 4);
    made[2].flow.graph.flags = CCPROF_FLOW_ARTIFICIAL;
    const struct flowcounts_flow *flows[] = {&made[0].counts, &made[1].counts,
                                             &made[2].counts};
    gcov_evaluate(&gcov, flows, 3, GCOV_OF_FILES);
    ck_assert_uint_eq(gcov.function_count, 2);
    ck_assert_uint_eq(gcov.line_count, 4);
    for (size_t i = 0; i < 4; i++) {
        ck_assert_uint_eq(gcov.lines[i].function, i / 2);
        ck_assert_uint_eq(gcov.lines[i].line, 1 + i % 2);
        ck_assert_int_eq(gcov.lines[i].count, 1 + (int64_t)(i / 2));
    }
    gcov_free(&gcov);
    /* On lines of their own they share the second.  */
    made[1].flow.graph.start.line = 50;
    gcov_evaluate(&gcov, flows, 2, GCOV_OF_FILES);
    ck_assert_uint_eq(gcov.line_count, 2);
    ck_assert_uint_eq(gcov.lines[0].function, GCOV_NONE);
    ck_assert_int_eq(gcov.lines[0].count, 3);
    gcov_free(&gcov);
    gcov_evaluate(&gcov, flows, 2, GCOV_OF_FUNCTIONS);
    ck_assert_uint_eq(gcov.line_count, 4);
    gcov_free(&gcov);
}
END_TEST

/* A line is executed that a function goes through, although no block that ends there is:
   the last block is none that ends there.  */
START_TEST(executed_by_another)
{
    static const struct made_flow_arc thrice[] = {
        {0, 2, 3, 0}, {2, 3, 3, 0}, {3, 1, 3, 0}};
    static const struct made_flow_arc never[] = {
        {0, 2, 0, 0}, {2, 3, 0, 0}, {3, 1, 0, 0}};
    static const uint32_t through[] = {0, 0, 1, 2}, ends[] = {0, 0, 2, 9};
    static struct made_flow made[2];
    struct gcov gcov;
    made_flow(&made[0], thrice, 3, through, 4);
    made_flow(&made[1], never, 3, ends, 4);
    made[1].flow.graph.start.line = 50;
    const struct flowcounts_flow *flows[] = {&made[0].counts, &made[1].counts};
    gcov_evaluate(&gcov, flows, 2, GCOV_OF_FILES);
    ck_assert_int_eq(count_of(&gcov, 2), 3);
    ck_assert(find_line(&gcov, 2)->unexecuted_block);
    gcov_free(&gcov);
}
END_TEST

/* All simple circuits, one after the other, without any haste.  */
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
    arcs[count++] = (struct made_flow_arc){KIRCHHOFF_ENTRY, 2, 3, 0};
    for (uint32_t from = 2; from < BLOCKS; from++)
        for (uint64_t n = 1 + random_below(4); n > 0; n--)
            arcs[count++] =
                (struct made_flow_arc){from, (uint32_t)(1 + random_below(BLOCKS - 1)),
                                       (int64_t)random_below(9), 0};
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

START_TEST(random_circuits)
{
    for (uint64_t seed = 0; seed < 200; seed++)
        try_random_circuits(seed);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("gcov");
    TCase *tests = tcase_create("gcov");
    tcase_add_test(tests, loop);
    tcase_add_test(tests, condition);
    tcase_add_test(tests, exception);
    tcase_add_test(tests, functions_of_one_line);
    tcase_add_test(tests, executed_by_another);
    tcase_add_test(tests, random_circuits);
    suite_add_tcase(suite, tests);
    return runner_run(suite);
}
