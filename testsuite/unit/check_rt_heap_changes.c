/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: rt/heap/heap-cells.c rt/heap/heap-changes.c rt/heap/heap-draw.c */
/* links: rt/heap/heap-stacks.c rt/heap/heap-times.c rt/os/file.c rt/os/pages.c */
/* links: rt/os/resident.c */
/* Changes of the heap are counted in any order, and are kept within bounds.  */

#include "heap_state.h"

#define BLOCKS 1000

/* Each block is made, every second one freed.  */
static struct ccprof_heap_change change_of(unsigned number, bool freed)
{
    struct ccprof_heap_change change = {.size = 10 + number % 91,
                                        .stack = 2 + number % STACKS,
                                        .kept = true,
                                        .what = number % 3 ? CCPROF_HEAP_MADE
                                                           : CCPROF_HEAP_MADE_AGAIN};

    if (freed) {
        change.kept = false;
        change.what = number % 5 ? CCPROF_HEAP_FREED : CCPROF_HEAP_FREED_AT_ONCE;
        change.lived = number;
        change.foreign = number % 7 == 0;
    }
    return change;
}

static void count(struct ccprof_heap_state *state, unsigned number, bool freed)
{
    const struct ccprof_heap_change change = change_of(number, freed);

    if (!freed || number % 2 == 0)
        ccprof_heap_change_count(state, &change, 1000 + number);
}

#define assert_same(one, other)                                                          \
    do {                                                                                 \
        ck_assert_uint_eq((one).blocks, (other).blocks);                                 \
        ck_assert_uint_eq((one).bytes, (other).bytes);                                   \
    } while (0)

/* Blocks are freed before they are made in one tree, and behind that in the other one. */
TEST(the_order_changes_no_sum)
{
    struct ccprof_heap_state *one = new_state(), *other = new_state();
    struct ccprof_heap_amount sum = {0, 0};

    for (unsigned i = 0; i < 2 * BLOCKS; i++) {
        count(one, i % BLOCKS, i >= BLOCKS);
        count(other, BLOCKS - 1 - i % BLOCKS, i < BLOCKS);
    }
    assert_same(one->stacks.allocated, other->stacks.allocated);
    assert_same(one->stacks.freed, other->stacks.freed);
    assert_same(one->stacks.alive, other->stacks.alive);
    ck_assert_uint_eq(one->stacks.alive.blocks, BLOCKS / 2);
    for (uint32_t i = 2; i < 2 + STACKS; i++) {
        struct ccprof_heap_point *a = ccprof_heap_stacks_point(&one->stacks, i);
        struct ccprof_heap_point *b = ccprof_heap_stacks_point(&other->stacks, i);
        assert_same(a->allocated, b->allocated);
        assert_same(a->freed, b->freed);
        assert_same(a->alive, b->alive);
        ck_assert_mem_eq(a->life, b->life, sizeof *a->life);
        sum.blocks += a->alive.blocks;
        sum.bytes += a->alive.bytes;
    }
    assert_same(sum, one->stacks.alive);
    /* All were made before any was freed; and where less than nothing was alive there is
       no peak until more is.  */
    assert_same(one->stacks.most, one->stacks.allocated);
    assert_same(other->stacks.most, other->stacks.alive);
    ck_assert_uint_eq(other->peak_time, 1000);
    free(one);
    free(other);
}

TEST(changes_are_bounded)
{
    struct ccprof_heap_state *state = new_state();
    struct ccprof_heap_changes changes = {.limit = 0};
    struct ccprof_heap_change change = {.size = 1, .stack = 2, .kept = true};

    ck_assert(ccprof_heap_changes_keep(&changes, &change));
    ccprof_heap_changes_count(state, &changes, 1);
    ck_assert_uint_eq(state->stacks.alive.blocks, 1);
    changes.limit = 1000;
    for (unsigned i = 1; i <= CCPROF_HEAP_CHANGES; i++)
        ck_assert_int_eq(ccprof_heap_changes_keep(&changes, &change),
                         i == CCPROF_HEAP_CHANGES);
    ck_assert_uint_eq(state->stacks.alive.blocks, 1);
    ccprof_heap_changes_count(state, &changes, 1);
    ck_assert_uint_eq(state->stacks.alive.blocks, 1 + CCPROF_HEAP_CHANGES);
    ck_assert_uint_eq(changes.count, 0);
    for (unsigned i = 0; i < 3; i++) {
        change.size = i < 2 ? 500 : 1;
        ck_assert_int_eq(ccprof_heap_changes_keep(&changes, &change), i == 2);
    }
    ccprof_heap_changes_count(state, &changes, 1);
    ck_assert_uint_eq(state->stacks.alive.bytes, 1 + CCPROF_HEAP_CHANGES + 1001);
    free(state);
}

/* A handler counts what its thread was about to add to: each change counts once.  */
TEST(changes_that_stay)
{
    struct ccprof_heap_state *state = new_state();
    struct ccprof_heap_changes changes = {.limit = 1000};
    struct ccprof_heap_change change = {.size = 1, .stack = 2, .kept = true};

    for (unsigned i = 1; i <= 3; i++) {
        ck_assert(!ccprof_heap_changes_keep(&changes, &change));
        ccprof_heap_changes_count_now(state, &changes, 1);
        ccprof_heap_changes_count_now(state, &changes, 1);
        ck_assert_uint_eq(state->stacks.alive.blocks, i);
        ck_assert_uint_eq(changes.count, i);
    }
    ck_assert(!ccprof_heap_changes_keep(&changes, &change));
    for (unsigned i = 5; i <= 6; i++) {
        ccprof_heap_changes_count(state, &changes, 1);
        ck_assert_uint_eq(state->stacks.alive.blocks, i - 1);
        ck_assert_uint_eq(changes.count, 0);
        ck_assert(!ccprof_heap_changes_keep(&changes, &change));
    }
    free(state);
}
