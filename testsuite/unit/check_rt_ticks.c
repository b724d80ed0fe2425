/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: rt/sampler/engine.c rt/os/timer.c */
/* Random ticks of a thread. The number of signals classified as kernel time must be
   right. Each signal must be right if the classification is certain. */

#include "rt_tests.h"

#include "rt/sampler/engine.h"
#include "random.h"

#define TICK    UINT64_C(4000000)
#define SIGNALS 20000

static const struct {
    unsigned calls, faults; /* of 100 ticks: at system calls, at page faults */
    unsigned ticks;         /* largest number for each signal */
    unsigned off;           /* how many of 100 signals may be classified wrongly */
} threads[] = {{0, 0, 1, 0},  {100, 0, 1, 0}, {30, 0, 1, 0},  {30, 40, 1, 0},
               {0, 0, 3, 0},  {100, 0, 3, 0}, {0, 100, 3, 0}, {90, 0, 3, 6},
               {50, 0, 3, 6}, {10, 0, 3, 6},  {0, 50, 3, 25}, {20, 60, 3, 25}};

TEST_ROWS(test_threads, threads)
{
    struct ccprof_ticks ticks = {0};
    uint64_t user = 1, all = 1, kernel = 0, passed = 0;
    double due = 0, found = 0, wrong = 0;

    ck_assert(ccprof_ticks_judge(&ticks, user, all, true));
    for (int i = 0; i < SIGNALS; i++) {
        unsigned count = 1 + (unsigned)random_below(threads[_i].ticks), inside = 0;
        bool call = false, is = false;
        for (unsigned tick = 0; tick < count; tick++) {
            unsigned where = (unsigned)random_below(100);
            call = where < threads[_i].calls;
            is = where < threads[_i].calls + threads[_i].faults;
            inside += is;
        }
        all += count * TICK;
        user += (count - inside) * TICK;
        kernel += inside;
        passed += count;
        bool judged = ccprof_ticks_judge(&ticks, user, all, call);
        due += (double)inside / count;
        found += judged;
        wrong += judged != is;
    }
    ck_assert_double_le(found > due ? found - due : due - found, SIGNALS / 100.0);
    ck_assert_double_le(wrong, threads[_i].off * SIGNALS / 100.0);
    ck_assert_int_eq(ticks.unseen, (int64_t)((passed - kernel) * TICK));
}

/* If the clocks give no information or impossible values, only a system call is
   classified as kernel time. */
TEST(test_unknown)
{
    struct ccprof_ticks ticks = {0};

    for (int i = 0; i < 4; i++)
        ck_assert_int_eq(ccprof_ticks_judge(&ticks, 0, 0, i % 2), i % 2);
    ck_assert(!ccprof_ticks_judge(&ticks, 5, 10, false));
    ck_assert(!ccprof_ticks_judge(&ticks, 5, 10, false));
    ck_assert(ccprof_ticks_judge(&ticks, 20, 12, true));
    ck_assert_int_eq(ticks.unseen, 0);
}
