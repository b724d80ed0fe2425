/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: rt/heap/times.c rt/heap/changes.c rt/heap/sampling.c rt/heap/stacks.c
   rt/os/file.c rt/os/memory.c rt/os/proc.c rt/os/text.c rt/os/lock.c */
/* The number of changes that a thread keeps is limited, and each change counts once. (The
   counts: check_rt_heap_times, heap-sampled, heap-lives.) */

#include "heap_state.h"

static struct ccprof_heap_change change = {.size = 1, .stack = 2, .in_table = true};

TEST(changes_are_bounded)
{
    struct ccprof_heap_state *state = new_state();
    struct ccprof_heap_changes changes = {.limit = 0};

    ck_assert(ccprof_heap_changes_keep(&changes, &change));
    ccprof_heap_changes_count(state, &changes, 5);
    ck_assert_uint_eq(state->stacks.live.blocks, 1);
    ck_assert_uint_eq(state->peak_time, 5);
    changes.limit = 1000;
    for (unsigned i = 1; i <= CCPROF_HEAP_CHANGES; i++)
        ck_assert_int_eq(ccprof_heap_changes_keep(&changes, &change),
                         i == CCPROF_HEAP_CHANGES);
    ck_assert_uint_eq(state->stacks.live.blocks, 1);
    ccprof_heap_changes_count(state, &changes, 1);
    ck_assert_uint_eq(state->stacks.live.blocks, 1 + CCPROF_HEAP_CHANGES);
    for (unsigned i = 0; i < 3; i++) {
        change.size = i < 2 ? 500 : 1;
        ck_assert_int_eq(ccprof_heap_changes_keep(&changes, &change), i == 2);
    }
    ccprof_heap_changes_count(state, &changes, 1);
    ck_assert_uint_eq(state->stacks.live.bytes, 1 + CCPROF_HEAP_CHANGES + 1001);
    free(state);
}

/* A handler counts changes while its thread is adding one: each change counts once. */
TEST(changes_that_stay)
{
    struct ccprof_heap_state *state = new_state();
    struct ccprof_heap_changes changes = {.limit = 1000};

    for (unsigned i = 1; i <= 3; i++) {
        ck_assert(!ccprof_heap_changes_keep(&changes, &change));
        ccprof_heap_changes_count_now(state, &changes, 1);
        ccprof_heap_changes_count_now(state, &changes, 1);
        ck_assert_uint_eq(state->stacks.live.blocks, i);
        ck_assert_uint_eq(changes.count, i);
    }
    ck_assert(!ccprof_heap_changes_keep(&changes, &change));
    for (unsigned i = 5; i <= 6; i++) {
        ccprof_heap_changes_count(state, &changes, 1);
        ck_assert_uint_eq(state->stacks.live.blocks, i - 1);
        ck_assert_uint_eq(changes.count, 0);
        ck_assert(!ccprof_heap_changes_keep(&changes, &change));
    }
    free(state);
}
