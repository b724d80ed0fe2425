/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: mlprof.a -lelf -lz -lm */
/* Estimates of the number of blocks from sampled blocks, and their uncertainty. */

#include "mlprof/profile/heapdata.h"
#include "testsuite/unit/tests.h"

/* Three sampled blocks of 9 bytes. Each represents 100.5 blocks. */
TEST(doubts_of_samples)
{
    struct statistics_error errors[2] = {0};
    heapdata_add_error(errors, 1000, 9, 3);
    ck_assert_double_eq_tol(errors[0].unseen, 3 * 99.50083, 0.001);
    ck_assert_double_eq_tol(errors[0].variance, 3 * 99.50083 * 100.50083, 0.1);
    ck_assert_double_eq_tol(errors[1].unseen, 9 * 3 * 99.50083, 0.01);
    ck_assert_double_eq_tol(errors[1].variance, 81 * 3 * 99.50083 * 100.50083, 10);
}
