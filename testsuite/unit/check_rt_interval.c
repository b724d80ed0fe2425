/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: rt/sampler/engine.c rt/os/timer.c */
/* The times of samples: one sample in each interval, at a random time in it. */

#include "rt_tests.h"
#include "rt/sampler/engine.h"

#define PERIOD 10000000u

/* Checks a number whose DISTANCE is six standard deviations. */
static void assert_near(uint64_t number, uint64_t mean, uint64_t distance)
{
    ck_assert_uint_gt(number, mean - distance);
    ck_assert_uint_lt(number, mean + distance);
}

/* Checks the number of samples for a time: one per period, and perhaps one in the period
   that has begun. */
static void assert_samples(uint64_t samples, uint64_t time)
{
    MUST(samples >= time / PERIOD && samples <= time / PERIOD + 1);
}

/* One sample in each interval, at uniformly distributed times: 100,000 samples in ten
   classes of 10,000 with a standard deviation of 95. */
TEST_TIMES(test_uniform, 5)
{
    struct ccprof_interval interval;
    const uint64_t start = 123456789;
    unsigned class[10] = {0};

    ccprof_interval_start(&interval, PERIOD, start, (uint64_t)_i);
    for (uint64_t n = 0; n < 100000; n++) {
        uint64_t offset = interval.next - 1 - start;
        MUST(offset / PERIOD == n);
        class[offset % PERIOD / (PERIOD / 10)]++;
        MUST(ccprof_interval_take(&interval, interval.next) == 1);
    }
    for (int i = 0; i < 10; i++)
        assert_near(class[i], 10000, 570);
}

/* Even if signals are late, there is one sample for each past interval, at most one for
   the present interval, and the next sample is in the future. A signal that is far too
   early takes no sample and changes nothing. */
TEST(test_late)
{
    struct ccprof_interval interval;
    uint64_t now = 1000, samples = 0;

    ccprof_interval_start(&interval, PERIOD, now, 7);
    for (uint64_t n = 1; n < 10000; n++) {
        now = interval.next + n * n * 7919 % (5 * PERIOD);
        samples += ccprof_interval_take(&interval, now);
        ck_assert_uint_gt(interval.next, now);
        assert_samples(samples, now - 1000);
        ck_assert_uint_eq(ccprof_interval_take(&interval, interval.next - PERIOD / 4), 0);
        ck_assert_uint_gt(interval.next, now);
    }
}

/* Several clocks run one after the other, each for a random part of two periods. Each
   leaves its remainder to the next clock. The number of samples differs from their total
   time by at most one. All times of a clock are equally likely: of 10,000 clocks, 1,000
   samples are in the first tenth of a period, with a standard deviation of 30. */
TEST(test_carryover)
{
    struct ccprof_thread thread;
    struct ccprof_interval *interval = &thread.interval;
    uint64_t all = 0, samples = 0, early = 0, seed = 9;

    ccprof_remainder_drop();
    for (uint64_t i = 0; i < 10000; i++) {
        uint64_t now = 1000 * i % 77777, start = now;
        uint64_t end =
            now + PERIOD / 10 + (seed = seed * 6364136223846793005u + 1) % PERIOD;
        ccprof_remainder_resume(&thread, PERIOD, now);
        ck_assert_uint_eq(thread.kernel, i == 0 ? 0 : i - 1);
        ck_assert_uint_eq(now - thread.kernel_since, i == 0 ? 0 : 3 * (i - 1));
        while (now + ccprof_interval_wait(interval, now) <= end) {
            now += ccprof_interval_wait(interval, now);
            ck_assert_uint_eq(ccprof_interval_late(interval, now), 0);
            ck_assert_uint_eq(ccprof_interval_take(interval, now), 1);
            samples++;
            early += now - start < PERIOD / 10;
        }
        all += end - start;
        thread.kernel = i;
        thread.kernel_since = end - 3 * i;
        ccprof_remainder_keep(&thread, end);
        assert_samples(samples, all);
    }
    assert_near(early, 1000, 180);
    ck_assert_uint_eq(ccprof_remainder_take(1), 0);
}

/* A sample that is not taken for 80 ms is missed, and so are all due samples. At the end
   of the run all due samples are missed. */
TEST(test_missed)
{
    struct ccprof_thread thread = {0};

    ccprof_remainder_drop();
    ccprof_interval_start(&thread.interval, PERIOD, 0, 1);
    for (int i = 0; i < 16; i++) {
        ccprof_remainder_keep(&thread, PERIOD / 2);
        ck_assert_uint_eq(ccprof_remainder_missed(false), 0);
        ccprof_remainder_resume(&thread, PERIOD, 0);
    }
    ccprof_interval_continue(&thread.interval, PERIOD, 0);
    ccprof_remainder_keep(&thread, PERIOD / 2);
    ck_assert_uint_ge(ccprof_remainder_missed(false), 9);
    ck_assert_uint_eq(ccprof_remainder_missed(true), 0);

    for (int i = 0; i < 4; i++) {
        ccprof_remainder_resume(&thread, PERIOD, 0);
        ccprof_remainder_keep(&thread, PERIOD / 2);
    }
    ck_assert_uint_eq(ccprof_remainder_missed(false), 0);
    ck_assert_uint_ge(ccprof_remainder_missed(true), 1);
    ck_assert_uint_eq(ccprof_remainder_missed(true), 0);

    /* This thread had a tick but no signal. */
    ccprof_remainder_resume(&thread, PERIOD, 0);
    ccprof_remainder_keep(&thread, 99 * PERIOD);
    ck_assert_uint_eq(ccprof_remainder_missed(true), 0);

    ccprof_interval_start(&thread.interval, PERIOD, 0, 1);
    ccprof_interval_continue(&thread.interval, 99 * PERIOD, 0);
    ccprof_remainder_keep(&thread, 0);
    ccprof_remainder_drop();
    ck_assert_uint_eq(ccprof_remainder_missed(true), 0);
}

/* If the table of remainders is full, due samples are owed, and any thread can claim
   them. The samples of other threads remain due. */
TEST(test_carryover_full)
{
    struct ccprof_thread thread;
    uint64_t samples = 0, claimed;
    int n = 0;

    ccprof_remainder_drop();
    for (int i = 0; i < 1000; i++) {
        ccprof_interval_start(&thread.interval, PERIOD, 0, (uint64_t)i);
        thread.kernel = 2;
        thread.kernel_since = 0;
        ccprof_remainder_keep(&thread, 3 * PERIOD);
    }
    for (;; n++) {
        ccprof_remainder_resume(&thread, PERIOD, 17);
        if (ccprof_interval_wait(&thread.interval, 17) != 0)
            break;
        samples += ccprof_interval_take(&thread.interval, 17) + thread.kernel;
    }
    ck_assert_uint_eq(thread.kernel, 0);
    ck_assert_int_gt(n, 10);
    ck_assert_int_lt(n, 1000);
    do {
        claimed = ccprof_remainder_take(100);
        ck_assert_uint_le(claimed, 100);
        samples += claimed;
    } while (claimed == 100);
    ck_assert_uint_eq(ccprof_remainder_take(100), 0);
    ck_assert_uint_ge(samples, 5 * 1000);
    ck_assert_uint_le(samples, 6 * 1000);

    ccprof_remainder_keep(&thread, 5 * PERIOD);
    ccprof_remainder_drop();
    ccprof_remainder_resume(&thread, PERIOD, 17);
    ck_assert_uint_gt(ccprof_interval_wait(&thread.interval, 17), 0);
}
