/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For check_rt_samples and check_rt_races: a table of samples with its overflow log, and
   a plain list of all added samples. */

#ifndef CCPROF_TESTSUITE_TABLE_FIXTURE_H
#define CCPROF_TESTSUITE_TABLE_FIXTURE_H

#include "rt_tests.h"
#include "rt/samples/samples.h"
#include "stacks.h"

static struct ccprof_samples *table;
static struct ccprof_overflow *overflow_;
static struct ccprof_overflow_shard *shard; /* the first one of it */
static struct stacks want, got;

/* Before and after each test. */
static void table_setup(void)
{
    table = calloc(1, sizeof *table);
    overflow_ = calloc(1, sizeof *overflow_);
    shard = &overflow_->shard[0];
    ccprof_overflow_file_place(".");
}

static void table_teardown(void)
{
    ccprof_overflow_close(overflow_);
    free(overflow_);
    free(table);
    stacks_free(&want);
    stacks_free(&got);
}

/* Reads everything in the table and the overflow log, and compares the sums with the
   list. */
static void all(void)
{
    stacks_freeze(table, overflow_);
    stacks_read(&got, table, overflow_);
    ck_assert_uint_eq(got.sum + table->lost, table->samples);
}

/* Low addresses are much more frequent. */
static void random_stack(struct ccprof_stack *stack, unsigned *seed, uint32_t most,
                         uint64_t kinds)
{
    stack->depth = 1 + (uint32_t)rand_r(seed) % most;
    for (uint32_t i = 0; i < stack->depth; i++) {
        double r = rand_r(seed) / (RAND_MAX + 1.0);
        stack->address[i] = (uint64_t)(r * r * r * (double)kinds);
    }
}

#endif
