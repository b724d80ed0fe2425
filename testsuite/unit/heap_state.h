/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The state of a heap, for the tests of its changes. */

#ifndef CCPROF_TESTSUITE_HEAP_STATE_H
#define CCPROF_TESTSUITE_HEAP_STATE_H

#include "rt_tests.h"
#include "rt/heap/changes.h"

/* The number of stacks; they are numbered from 2. */
#define STACKS 5

static inline struct ccprof_heap_state *new_state(void)
{
    struct ccprof_heap_state *state = calloc(1, sizeof *state);

    ck_assert(ccprof_heap_stacks_start(&state->stacks));
    for (uint32_t i = 0; i < STACKS; i++)
        ck_assert_uint_eq(
            ccprof_heap_stacks_put(&state->stacks, CCPROF_HEAP_STACKS_ROOT, 0x401000 + i),
            2 + i);
    return state;
}

#endif
