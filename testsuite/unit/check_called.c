/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: mlprof.a -lelf -lz -lm */
/* How the amounts of calls are divided in cycles, and what came from outside: by hand,
   and for random graphs that the parts add up. The components of random graphs against
   what can be reached. */

#include "mlprof/base/components.h"
#include "mlprof/profile/called.h"
#include "testsuite/unit/random.h"
#include "testsuite/unit/tests.h"

#define VERTICES 12

TEST_TIMES(components_reach_each_other, 300)
{
    struct components_edge edges[2 * VERTICES];
    bool reached[VERTICES][VERTICES] = {0};
    random_state += (uint64_t)_i << 20;
    size_t count = random_below(2 * VERTICES + 1), vertices = 1 + random_below(VERTICES);
    for (size_t i = 0; i < count; i++) {
        edges[i] = (struct components_edge){(uint32_t)random_below(vertices),
                                            (uint32_t)random_below(vertices)};
        reached[edges[i].from][edges[i].to] = true;
    }
    for (size_t k = 0; k < vertices; k++)
        for (size_t i = 0; i < vertices; i++)
            for (size_t j = 0; j < vertices; j++)
                reached[i][j] |= reached[i][k] && reached[k][j];
    uint32_t *component = components_find(vertices, edges, count);
    for (size_t i = 0; i < vertices; i++)
        for (size_t j = 0; j < vertices; j++)
            ck_assert_int_eq(component[i] == component[j],
                             i == j || (reached[i][j] && reached[j][i]));
    free(component);
}

static struct profile_called called;

/* Function N starts at 16 * (N + 1). */
static void add_function(uint64_t self, uint64_t all)
{
    uint64_t start = 16 * (called.functions.count + 1);
    BUF_PUSH(called.functions) =
        (struct profile_called_function){.start = start, .self = self, .all = all};
}

static void add_call(size_t caller, int callee, uint64_t amount, bool tail,
                     uint64_t count)
{
    BUF_PUSH(called.calls) = (struct profile_called_call){
        .target = callee < 0 ? 0 : 16 * ((uint64_t)callee + 1),
        .caller = caller,
        .tail = tail,
        .count = count,
        .amount = amount};
}

static void setup(void)
{
    called = (struct profile_called){.any = true};
}

static void teardown(void)
{
    free(called.calls.list);
    free(called.functions.list);
}

/* Compares the parts of the calls and what came from outside. */
static void assert_divided(const uint64_t *parts, const uint64_t *outside)
{
    profile_called_divide(&called);
    for (size_t i = 0; i < called.calls.count; i++)
        ck_assert_uint_eq(called.calls.list[i].part, parts[i]);
    for (size_t i = 0; i < called.functions.count; i++)
        ck_assert_uint_eq(called.functions.list[i].outside, outside[i]);
}

enum { NONE = -1 };

/* main calls f and g, g calls f; a thread starts g. */
TEST(without_cycles_the_parts_are_the_amounts)
{
    add_function(10, 100);
    add_function(40, 40);
    add_function(20, 80);
    add_call(0, 1, 10, false, 1);
    add_call(0, 2, 50, false, 1);
    add_call(2, 1, 30, false, 1);
    add_call(2, NONE, 30, false, 1);
    assert_divided((uint64_t[]){10, 50, 30, 30}, (uint64_t[]){100, 0, 30});
}

/* fib calls itself from two places, which contain each other. */
TEST(recursion_executes_nothing_more)
{
    add_function(5, 105);
    add_function(100, 100);
    add_call(0, 1, 100, false, 1);
    add_call(1, 1, 95, false, 9);
    add_call(1, 1, 90, false, 9);
    assert_divided((uint64_t[]){100, 0, 0}, (uint64_t[]){105, 0});
}

/* even and odd call each other, and leaf: 30 of 60 are even's own, 20 odd's, 10 leaf's.
   main calls even. */
TEST(a_cycle_is_divided)
{
    add_function(1, 61);
    add_function(30, 60);
    add_function(20, 55);
    add_function(10, 10);
    add_call(0, 1, 60, false, 1);
    add_call(1, 2, 55, false, 5);
    add_call(1, 3, 4, false, 5);
    add_call(2, 1, 50, false, 4);
    add_call(2, 3, 6, false, 4);
    assert_divided((uint64_t[]){60, 26, 4, 29, 6}, (uint64_t[]){61, 0, 0, 0});
}

/* A cycle of two functions is entered through a pointer alone, at the second one. */
TEST(a_cycle_from_outside)
{
    add_function(30, 40);
    add_function(20, 50);
    add_call(0, 1, 40, false, 5);
    add_call(1, 0, 40, false, 4);
    assert_divided((uint64_t[]){10, 30}, (uint64_t[]){0, 50});
}

/* f and g jump to h, three times and once; main calls f and g, and h itself. */
TEST(jumps_get_what_calls_leave)
{
    add_function(10, 110);
    add_function(5, 5);
    add_function(5, 5);
    add_function(90, 90);
    add_call(0, 1, 50, false, 3);
    add_call(0, 2, 20, false, 1);
    add_call(0, 3, 30, false, 1);
    add_call(1, 3, 0, true, 3);
    add_call(2, 3, 0, true, 1);
    assert_divided((uint64_t[]){50, 20, 30, 45, 15}, (uint64_t[]){110, 0, 0, 0});
}

/* Also for numbers that no program has: nothing overflows, and a function's parts are not
   more than it executed. */
TEST_TIMES(random_numbers, 300)
{
    uint64_t sums[VERTICES] = {0};
    random_state += (uint64_t)_i << 20;
    size_t functions = 1 + random_below(VERTICES), calls = random_below(4 * VERTICES);
    for (size_t i = 0; i < functions; i++) {
        uint64_t self = (uint64_t)random_below(1000) << random_below(50);
        add_function(self, self + ((uint64_t)random_below(1000) << random_below(50)));
    }
    for (size_t i = 0; i < calls; i++)
        add_call(random_below(functions), (int)random_below(functions + 1) - 1,
                 (uint64_t)random_below(1000) << random_below(54), random_below(5) == 0,
                 random_below(9));
    profile_called_divide(&called);
    for (size_t i = 0; i < calls; i++)
        if (!called.calls.list[i].tail)
            sums[called.calls.list[i].caller] += called.calls.list[i].part;
    for (size_t i = 0; i < functions; i++)
        ck_assert_uint_le(sums[i],
                          called.functions.list[i].all - called.functions.list[i].self);
}

TEST_AROUND(setup, teardown)
