/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: mlprof.a -lelf -lz -lm */
/* The last number of a sorted list that is not above a given number. */

#include "mlprof/base/index.h"
#include "testsuite/unit/tests.h"

/* The answer found by checking all numbers. */
static void assert_found(const struct predecessors *predecessors, uint64_t value)
{
    size_t wanted = 0, place = 0;
    while (wanted < predecessors->count && predecessors->list[wanted] <= value)
        wanted++;
    ck_assert_int_eq(predecessors_find(predecessors, value, &place), wanted > 0);
    if (wanted)
        ck_assert_uint_eq(place, wanted - 1);
}

static void assert_works(const uint64_t *list, size_t count)
{
    struct predecessors predecessors;
    uint64_t *copy = malloc((count + 1) * sizeof *copy);
    ck_assert_ptr_nonnull(copy);
    if (count)
        memcpy(copy, list, count * sizeof *copy);
    predecessors_make(&predecessors, copy, count);
    for (size_t i = 0; i < count; i++) {
        assert_found(&predecessors, list[i]);
        assert_found(&predecessors, list[i] + 1);
        assert_found(&predecessors, list[i] - 1);
    }
    assert_found(&predecessors, 0);
    assert_found(&predecessors, UINT64_MAX);
    assert_found(&predecessors, UINT64_MAX / 2);
    predecessors_free(&predecessors);
}

TEST(few)
{
    assert_works(NULL, 0);
    assert_works((const uint64_t[]){UINT64_MAX}, 1);
    assert_works((const uint64_t[]){0, UINT64_MAX}, 2);
    assert_works((const uint64_t[]){7, 7, 7}, 3);
}

/* Distances from 0 to 2 ^ I: some ranges are empty, others have many numbers. */
TEST_TIMES(many, 31)
{
    uint64_t list[500], last = 1000;
    srand48(_i);
    for (size_t i = 0; i < 500; i++)
        list[i] = last += (uint64_t)lrand48() % ((uint64_t)1 << (lrand48() % (_i + 1)));
    assert_works(list, 500);
}
