/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sets up the table, adds to it and compares: see table_fixture.h.  */

#include <check.h>
#include <stdlib.h>

#include "rt/table/tree.h"
#include "table_fixture.h"

struct ccprof_table *table;
struct ccprof_overflow *overflow_;
struct ccprof_overflow_shard *shard;
struct stacks want, got;

void table_setup(void)
{
    table = calloc(1, sizeof *table);
    overflow_ = calloc(1, sizeof *overflow_);
    ck_assert_ptr_nonnull(table);
    ck_assert_ptr_nonnull(overflow_);
    shard = &overflow_->shard[0];
    ccprof_overflow_file_place(".");
}

void table_teardown(void)
{
    ccprof_overflow_close(overflow_);
    free(overflow_);
    free(table);
    stacks_free(&want);
    stacks_free(&got);
}

void add_stack(const struct ccprof_stack *stack, uint64_t weight)
{
    ccprof_table_add(table, overflow_, stack, weight);
    stacks_add(&want, stack->address, stack->depth, weight);
}

void add(uint64_t pc, uint64_t weight)
{
    struct ccprof_stack stack;
    stack.depth = 1;
    stack.address[0] = pc;
    add_stack(&stack, weight);
}

void all(void)
{
    stacks_freeze(table, overflow_);
    stacks_read(&got, table, overflow_);
    ck_assert_uint_eq(got.sum + table->lost, table->samples);
}

void all_there(void)
{
    all();
    ck_assert_uint_eq(table->samples, want.sum);
    ck_assert_uint_eq(table->lost, 0);
    stacks_compare(&got, &want);
}

void balance(uint64_t least_lost)
{
    all();
    ck_assert_uint_eq(table->samples, want.sum);
    ck_assert_uint_ge(table->lost, least_lost);
    stacks_part_of(&got, &want);
}

/* A random address below SIZE, low ones much more frequent.  */
static uint64_t pick(unsigned *seed, uint64_t size)
{
    double r = rand_r(seed) / (RAND_MAX + 1.0);
    return (uint64_t)(r * r * r * (double)size);
}

const struct shape shapes[SHAPES] = {
    {5, 3, 100000, false},
    {30, 1, 20000, false},
    {CCPROF_STACK_DEPTH, 5, 1500, true},
    {12, 1000000, 100000, true},
    /* Bare samples, among ever more addresses: from all in the table to nearly all
       evicted.  */
    {1, 5000, 400000, false},
    {1, 100000, 400000, true},
    {1, 3000000, 400000, true},
};

uint32_t each_point(void (*look)(const struct ccprof_point *point))
{
    uint32_t used = 0;
    for (uint32_t i = 0; i < CCPROF_TABLE_BUCKETS * CCPROF_TABLE_WAYS; i++) {
        const struct ccprof_point *point =
            ccprof_table_point(table, CCPROF_POINT_BASE + i);
        if (point->caller == CCPROF_POINT_NONE)
            continue;
        used++;
        if (look)
            look(point);
    }
    return used;
}

void random_stack(struct ccprof_stack *stack, unsigned *seed, uint32_t most,
                  uint64_t kinds)
{
    stack->depth = 1 + (uint32_t)rand_r(seed) % most;
    for (uint32_t i = 0; i < stack->depth; i++)
        stack->address[i] = pick(seed, kinds);
}
