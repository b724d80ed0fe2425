/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: mlprof.a -lelf -lz -lm */
/* The number of entries into expressions of several blocks, in flow graphs made by
   hand. */

#include "mlprof/flow/executions.h"
#include "testsuite/unit/tests.h"
#include "testsuite/unit/made_flow.h"

#define ARMS  "0>2=100 2>3=40 2>4=60 3>5=40 4>6=60 5>1=100 6>7=60 7>5=60"
#define LOOP  "0>2=3 2>3=3 3>4=12 3>6=1 4>5=10 4>6=2 5>3=10 6>1=3"
#define INNER "0>2=1 2>3=7 2>6=4 3>4=7 4>5=90 4>6=7 5>4=90 6>2=10 6>7=1 7>1=1"
#define WAYS  "0>2=10 2>3=4 2>4=6 3>5=4 4>5=6 5>6=5 5>7=5 6>1=5 7>1=5"
#define ODD   "0>2=0 2>1=0 4>4=0 5>6=0 6>5=0"

/* Checks how often the expression on these blocks was entered. */
static const struct {
    const char *edges, *blocks;
    uint64_t times;
} rows[] = {
    /* 2 ? 3 : 4, 5, where calls split 4 into 4, 6 and 7: fib's line. */
    {ARMS, "2375", 100},
    {ARMS, "47", 60},
    {ARMS, "34", 100},
    {ARMS, "375", 100},
    /* while (3 && 4) 5, with ten iterations. Also as a loop of one block without a
       body. */
    {LOOP, "34", 13},
    {"0>2=3 2>3=3 3>4=12 3>6=1 4>3=10 4>6=2 6>1=3", "34", 13},
    /* A statement before the loop, in its condition and in its increment, as in a Fortran
       loop. */
    {LOOP, "235", 13},
    /* 2 and 6, with a loop of 4 and 5 among the operands. An outer loop executes
       everything ten times. */
    {INNER, "26", 11},
    {INNER, "24", 101},
    /* The same code is reached on two paths, like code at the end of a scope. The next
       block after 5 is unknown. */
    {WAYS, "34", 10},
    {WAYS, "367", 10},
    {WAYS, "36", 7},
    /* An endless loop that is never reached, and an expression that was never
       executed. */
    {ODD, "24", 0},
    {ODD, "562", 0},
};

TEST_ROWS(how_often, rows)
{
    struct made_flow made;
    uint32_t blocks[MADE_FLOW_BLOCKS], turned[MADE_FLOW_BLOCKS];
    size_t count = strlen(rows[_i].blocks);
    made_flow_read(&made, rows[_i].edges, "0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0");
    for (size_t i = 0; i < count; i++)
        blocks[i] = turned[count - 1 - i] = (uint32_t)(rows[_i].blocks[i] - '0');
    struct expression_entries *entries = expression_entries_new(&made.counts);
    ck_assert_uint_eq(expression_entries_count(entries, blocks, count), rows[_i].times);
    /* The order of the blocks does not matter, and counting does not change any state. */
    ck_assert_uint_eq(expression_entries_count(entries, turned, count), rows[_i].times);
    expression_entries_free(entries);
}
