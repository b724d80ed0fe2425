/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: mlprof.a -lelf -lz -lm */
/* Compares the bounds and estimates of indirect calls with all possible solutions. */

#define _GNU_SOURCE
#include "mlprof/arcs/arcs.h"
#include "testsuite/unit/tests.h"
#include "testsuite/unit/random.h"

#define SIDE 3
#define MOST 5

/* Calls from each site, and calls of each function. The last site and the last function
   are outside of the profiled code. */
struct problem {
    uint64_t from[SIDE + 1], to[SIDE + 1];
    uint64_t matrix[SIDE + 1][SIDE + 1];
    uint64_t least[SIDE + 1][SIDE + 1], most[SIDE + 1][SIDE + 1];
};

static void note(struct problem *problem)
{
    for (int i = 0; i <= SIDE; i++)
        for (int k = 0; k <= SIDE; k++) {
            if (problem->matrix[i][k] < problem->least[i][k])
                problem->least[i][k] = problem->matrix[i][k];
            if (problem->matrix[i][k] > problem->most[i][k])
                problem->most[i][k] = problem->matrix[i][k];
        }
}

/* Tries all values of this cell and of the cells after it. */
static void fill(struct problem *problem, int cell)
{
    int i = cell / (SIDE + 1), k = cell % (SIDE + 1);
    if (i > SIDE) {
        for (int j = 0; j <= SIDE; j++)
            if (problem->to[j])
                return;
        note(problem);
        return;
    }
    uint64_t room = problem->from[i] < problem->to[k] ? problem->from[i] : problem->to[k];
    for (uint64_t n = 0; n <= room; n++) {
        problem->matrix[i][k] = n;
        problem->from[i] -= n;
        problem->to[k] -= n;
        if (k < SIDE || problem->from[i] == 0)
            fill(problem, cell + 1);
        problem->from[i] += n;
        problem->to[k] += n;
    }
}

static struct problem solved(const uint64_t *from, const uint64_t *to)
{
    struct problem problem = {0};
    uint64_t calls = 0, targets = 0;
    for (int i = 0; i < SIDE; i++) {
        calls += problem.from[i] = from[i];
        targets += problem.to[i] = to[i];
    }
    problem.from[SIDE] = targets > calls ? targets - calls : 0;
    problem.to[SIDE] = calls > targets ? calls - targets : 0;
    memset(problem.least, 0xff, sizeof problem.least);
    fill(&problem, 0);
    return problem;
}

static void assert_calls(struct arcs_calls calls, uint64_t least, uint64_t most)
{
    ck_assert_uint_eq(calls.least, least);
    ck_assert_uint_eq(calls.most, most);
    ck_assert_uint_ge(calls.count, least);
    ck_assert_uint_le(calls.count, most);
}

static void try_bounds(uint64_t seed)
{
    struct arcs_function functions[SIDE + 1] = {0};
    struct arcs arcs = {.functions = functions, .function_count = SIDE + 1};
    uint64_t from[SIDE], to[SIDE];
    random_state = seed + 1;
    for (int i = 0; i < SIDE; i++) {
        from[i] = random_below(MOST);
        to[i] = random_below(MOST);
        functions[i] = (struct arcs_function){
            .calls = to[i] + 7, .left = to[i], .may_be_target = true};
        arcs.indirect += from[i];
        arcs.targets += to[i];
    }
    /* A function that is only called directly gets none of the indirect calls. */
    functions[SIDE] = (struct arcs_function){.calls = 9, .left = 4};
    struct problem problem = solved(from, to);
    for (int i = 0; i < SIDE; i++) {
        for (uint32_t k = 0; k < SIDE; k++)
            assert_calls(arcs_share(&arcs, from[i], k), problem.least[i][k],
                         problem.most[i][k]);
        assert_calls(arcs_share(&arcs, from[i], SIDE), 0, 0);
        assert_calls(arcs_to_outside(&arcs, from[i]), problem.least[i][SIDE],
                     problem.most[i][SIDE]);
    }
}

TEST(bounds)
{
    for (uint64_t seed = 0; seed < 60; seed++)
        try_bounds(seed);
}

TEST(in_proportion)
{
    struct arcs_function functions[] = {{.left = 30, .may_be_target = true},
                                        {.left = 10, .may_be_target = true}};
    struct arcs arcs = {
        .functions = functions, .function_count = 2, .indirect = 40, .targets = 40};
    /* A quarter of the calls: the bounds are 0 and 10 of 30 calls, the proportional
       estimate is 7.5. */
    struct arcs_calls calls = arcs_share(&arcs, 10, 0);
    assert_calls(calls, 0, 10);
    ck_assert_uint_eq(calls.count, 8);
}
