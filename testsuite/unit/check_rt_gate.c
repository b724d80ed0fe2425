/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: rt/process/gate.c rt/os/lock.c testsuite/unit/standins.c rt/os/text.c
   rt/os/file.c */
/* The samples that pass the gate, and the time for which it was open, with several
   openers and closers. */

#include "rt_tests.h"
#include <errno.h>
#include "rt/count/counts.h"
#include "rt/process/gate.h"
#include "rt/sampler/sampler.h"
#include "rt/os/libc.h"
#include "rt/os/sys.h"
#include "standins.h"

#define MILLISECOND 1000000u
#define THREADS     4

static _Atomic uint64_t waits;

/* Samples count as long as the gate is open. */
static bool counting;

DOES(ccprof_counts_open, (void), counting = true)
DOES(ccprof_counts_close, (void), counting = false)
RETURNS(uint64_t, ccprof_sampler_waits, (void), waits)
RETURNS(bool, ccprof_signals_take, (int number, ccprof_signals_handler *handler), true)

/* Number of times that the gate was about to be opened. */
static int openings, pauses;

static void before(void)
{
    openings++;
}

static void reclaimed(void)
{
    pauses++;
}

/* Returns whether the gate was reclaimed. */
static bool reclaim(void)
{
    int before_it = pauses;
    ccprof_gate_reclaim();
    return pauses != before_it;
}

static struct ccprof_settings settings = {
    .start = true, .rate = 1000, .clock = CCPROF_SETTINGS_CPU};

static uint64_t used(void)
{
    return ccprof_sys_clock(CLOCK_PROCESS_CPUTIME_ID);
}

/* Uses this much CPU time. */
static void spend(uint64_t milliseconds)
{
    uint64_t end = used() + milliseconds * MILLISECOND;
    while (used() < end)
        ;
}

/* Offers a million samples. No more may pass than one plus the number of periods since
   BEFORE, the time before the gate was opened. */
static uint64_t pass_many(uint64_t before)
{
    uint64_t passed = ccprof_gate_pass(1000000);
    ck_assert_uint_le(passed, (used() - before) / MILLISECOND + 1);
    return passed;
}

TEST(test_pass)
{
    uint64_t start;

    ccprof_gate_start(&settings, before, reclaimed);
    ck_assert(ccprof_gate_is_open() && counting);
    ck_assert_uint_eq(ccprof_gate_pass(1000), 1000);
    ccprof_gate_close();
    ck_assert(!ccprof_gate_is_open() && !counting);
    ck_assert_uint_eq(ccprof_gate_pass(1), 0);
    spend(20);
    start = used();
    ccprof_gate_open();
    ck_assert(ccprof_gate_is_open() && counting);
    ck_assert_uint_eq(ccprof_gate_pass(2), 2);
    pass_many(start);
    spend(50);
    ck_assert_uint_ge(pass_many(start), 50);
    /* Opening an open gate has no effect. */
    ccprof_gate_open();
    ck_assert_uint_ge(pass_many(start), 50);
}

/* Waits count while the gate is open. (CPU time and wall-clock time: api-start.) */
TEST(test_waits)
{
    uint64_t cpu, wall, waited;

    settings.start = false;
    waits = 7;
    ccprof_gate_start(&settings, before, reclaimed);
    ck_assert(!counting);
    for (int i = 0; i < 2; i++) {
        ccprof_gate_open();
        waits += 2;
        ccprof_gate_close();
        waits += 100;
    }
    ccprof_gate_measured(&cpu, &wall, &waited);
    ck_assert_uint_eq(waited, 4);
    ccprof_gate_open();
    waits++;
    ccprof_gate_measured(&cpu, &wall, &waited);
    ck_assert_uint_eq(waited, 5);
    ccprof_gate_restart();
    ck_assert(ccprof_gate_is_open());
}

/* What a request has opened is closed, unless the program has opened or closed it. */
TEST(test_lend)
{
    settings.start = false;
    openings = 0;
    ccprof_gate_start(&settings, before, reclaimed);
    ck_assert(!reclaim());
    ccprof_gate_lend();
    ccprof_gate_lend();
    ck_assert(ccprof_gate_is_open() && counting && openings == 1);
    ck_assert(reclaim() && !ccprof_gate_is_open() && !counting);
    ccprof_gate_lend();
    ccprof_gate_open();
    ck_assert(!reclaim() && ccprof_gate_is_open());
    ccprof_gate_lend();
    ck_assert(!reclaim() && ccprof_gate_is_open());
    ccprof_gate_close();
    ccprof_gate_lend();
    ccprof_gate_close();
    ck_assert(!reclaim());
    ccprof_gate_lend();
    ccprof_gate_restart();
    ck_assert(!ccprof_gate_is_open() && !reclaim());
    ck_assert_int_eq(openings, 4);
}

static unsigned chosen;

static int choose(unsigned value)
{
    chosen = value;
    return value == 3 ? ENOMEM : 0;
}

/* Settings change until the gate opens for the first time, whoever opens it. */
TEST(test_before_first)
{
    settings.start = false;
    ccprof_gate_start(&settings, before, reclaimed);
    ck_assert_int_eq(ccprof_gate_before_first(choose, 3), ENOMEM);
    ck_assert_int_eq(ccprof_gate_before_first(choose, 4), 0);
    ck_assert_uint_eq(chosen, 4);
    ccprof_gate_lend();
    ck_assert_int_eq(ccprof_gate_before_first(choose, 5), EBUSY);
    ck_assert(reclaim());
    ck_assert_int_eq(ccprof_gate_before_first(choose, 5), EBUSY);
    /* In a child that has not measured yet. */
    ccprof_gate_restart();
    ck_assert_int_eq(ccprof_gate_before_first(choose, 6), 0);
    /* Open from the start. */
    settings.start = true;
    ccprof_gate_start(&settings, before, reclaimed);
    ccprof_gate_close();
    ck_assert_int_eq(ccprof_gate_before_first(choose, 7), EBUSY);
    ck_assert_uint_eq(chosen, 6);
}

static void *toggles(void *unused)
{
    for (int i = 0; i < 3000; i++) {
        ccprof_gate_open();
        ccprof_gate_close();
    }
    return NULL;
}

/* In any order of the calls, no time is counted twice or subtracted. */
TEST(test_threads)
{
    uint64_t start = ccprof_sys_clock(CLOCK_MONOTONIC), cpu, wall, waited;

    ccprof_gate_start(&settings, before, reclaimed);
    threads_run(THREADS, toggles, NULL, 0);
    ccprof_gate_close();
    ccprof_gate_measured(&cpu, &wall, &waited);
    ck_assert_uint_gt(wall, 0);
    ck_assert_uint_le(wall, ccprof_sys_clock(CLOCK_MONOTONIC) - start);
    ck_assert_uint_le(cpu, ccprof_sys_clock(CLOCK_PROCESS_CPUTIME_ID));
}
