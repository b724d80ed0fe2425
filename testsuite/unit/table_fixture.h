/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A table of samples with its overflow log, and a plain list of all that was added, for
   the tests of both (check_rt_table*.c).  */

#ifndef CCPROF_TESTSUITE_TABLE_FIXTURE_H
#define CCPROF_TESTSUITE_TABLE_FIXTURE_H

#include <stdbool.h>
#include <stdint.h>

#include "rt/table/table.h"
#include "stacks.h"

extern struct ccprof_table *table;
extern struct ccprof_overflow *overflow_;
extern struct ccprof_overflow_shard *shard; /* the first one of it */
extern struct stacks want, got;

/* Before and after each test.  */
void table_setup(void);
void table_teardown(void);

/* Adds samples of the stack to the table and to the list.  */
void add_stack(const struct ccprof_stack *stack, uint64_t weight);

/* The same for a bare sample of a program counter.  */
void add(uint64_t pc, uint64_t weight);

/* Reads everything in table and overflow log, and compares the sums.  */
void all(void);

/* The same where nothing may be lost: all that was added is there.  */
void all_there(void);

/* The same where at least so many samples are lost.  */
void balance(uint64_t least_lost);

/* Visits all points of the table that are in use; returns how many there are.  */
uint32_t each_point(void (*look)(const struct ccprof_point *point));

/* Random stacks of a shape: depth, kinds of addresses, samples, and whether they overflow
   the table; from DEEP on they are bare.  */
#define DEEP   4
#define SHAPES 7
struct shape {
    uint32_t depth;
    uint64_t kinds;
    int samples;
    bool overflow;
};
extern const struct shape shapes[SHAPES];

/* Low addresses are much more frequent.  */
void random_stack(struct ccprof_stack *stack, unsigned *seed, uint32_t most,
                  uint64_t kinds);

#endif
