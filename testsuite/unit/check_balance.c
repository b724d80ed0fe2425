/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: mlprof.a -lelf -lz -lm */
/* The lines that tell what was sampled and what was not, and why there are no samples. */

#define _GNU_SOURCE
#include "mlprof/view/balance.h"
#include "mlprof/view/nosamples.h"
#include "testsuite/unit/tests.h"

/* Numbers by hand: 0.05 of 1600 samples, of which chance makes 1/40.  */
TEST(in_step)
{
    struct profile profile = {
        .engines = PROFILE_THREAD_TIMER, .samples = 1600, .waits = 80};
    ck_assert(balance_in_step(&profile) == 0);
    profile.waits = 88;
    ck_assert(balance_in_step(&profile) == 0.055);
    profile.engines = PROFILE_TASK_CLOCK;
    ck_assert(balance_in_step(&profile) == 0);
    profile.waits = 8000;
    profile.engines = PROFILE_TASK_CLOCK | PROFILE_WALL_TIMER;
    ck_assert(balance_in_step(&profile) == 0);
    profile.engines = PROFILE_TASK_CLOCK | PROFILE_THREAD_TIMER;
    ck_assert(balance_in_step(&profile) == 1);
    /* A quarter of 16 samples is what chance makes.  */
    profile.samples = 16;
    profile.waits = 4;
    ck_assert(balance_in_step(&profile) == 0);
    profile.waits = 5;
    ck_assert(balance_in_step(&profile) == 0.3125);
    /* The waits of 1600 samples, of which most were moved.  */
    profile.samples = 10;
    profile.moved = 1590;
    profile.waits = 88;
    ck_assert(balance_in_step(&profile) == 0.055);
    profile.moved = -10;
    ck_assert(balance_in_step(&profile) == 0);
    profile.samples = 0;
    profile.moved = 0;
    ck_assert(balance_in_step(&profile) == 0);
}

static void assert_balance(const struct profile *profile, const char *expected)
{
    FILE *out = print_begin();
    balance_print(out, profile, NULL);
    print_end(out, expected);
}

TEST(the_balance)
{
    struct profile profile = {0};
    assert_balance(&profile, "");
    profile = (struct profile){.kind = CCPROF_KIND_TIME,
                               .engines = PROFILE_TASK_CLOCK,
                               .clock = PROFILE_CPU,
                               .rate = 100,
                               .cpu = 4010000000,
                               .wall = 5000000000,
                               .samples = 399,
                               .lost = 2,
                               .threads = 1,
                               .waits = 4000};
    assert_balance(&profile,
                   "sampled 3.99 s of 4.01 s CPU time (99.5 %), engine task-clock at 100 "
                   "Hz, 1 thread\nunsampled 0.02 s, <lost> 0.02 s, skid not "
                   "corrected\n");
    profile.interrupted = 1;
    assert_balance(&profile,
                   "sampled 3.99 s of 4.01 s CPU time (99.5 %), engine task-clock at 100 "
                   "Hz, 1 thread\nunsampled 0.02 s, <lost> 0.02 s, skid not "
                   "corrected\nwarning: 1 system call returned EINTR for a sample\n");
    profile.interrupted = 0;
    profile.engines = PROFILE_THREAD_TIMER;
    profile.samples = 402;
    profile.threads = 3;
    profile.waits = 101;
    assert_balance(
        &profile,
        "sampled 4.02 s of 4.01 s CPU time (100.2 %), engine thread-timer at "
        "100 Hz, 3 threads\nunsampled 0.00 s, <lost> 0.02 s, skid not corrected\n"
        "warning: the program waited 0.25 times a sample: if it runs in step "
        "with the kernel's tick, by which the engine samples, shares are wrong by up to "
        "25 points\n");
    profile.engines = PROFILE_TASK_CLOCK | PROFILE_WALL_TIMER;
    profile.clock = PROFILE_WALL;
    profile.waits = 804;
    assert_balance(
        &profile,
        "sampled 4.02 s on the clock, all threads together, in 5.00 s with 4.01 s "
        "CPU time, engine task-clock and wall-timer at 100 Hz, 3 threads\n"
        "<lost> 0.02 s, skid not corrected\n");
    profile.interrupted = 7;
    profile.files = 3;
    assert_balance(
        &profile,
        "sampled 4.02 s on the clock, all threads together, in 5.00 s with 4.01 s "
        "CPU time, engine task-clock and wall-timer at 100 Hz, 3 data files\n"
        "<lost> 0.02 s, skid not corrected\n"
        "warning: 7 system calls returned EINTR for a sample: if the program does not "
        "wait again, what it does then has too few\n");
    profile.interrupted = 0;
    /* Three slices of one run, whose threads began in the first.  */
    profile.most_threads = 3;
    assert_balance(
        &profile,
        "sampled 4.02 s on the clock, all threads together, in 5.00 s with 4.01 s "
        "CPU time, engine task-clock and wall-timer at 100 Hz, 3 threads, 3 data files\n"
        "<lost> 0.02 s, skid not corrected\n");
    profile.files = 0;
    /* 0.50 + 3.30 + 0.01 + 0.20 are 4.01.  */
    profile.engines = PROFILE_TASK_CLOCK;
    profile.clock = PROFILE_CPU;
    profile.samples = 70;
    profile.lost = 20;
    profile.moved = 330;
    assert_balance(&profile,
                   "sampled 0.70 s of 4.01 s CPU time (17.5 %), engine task-clock at 100 "
                   "Hz, 3 threads\nunsampled 0.01 s, in other files 3.30 s, <lost> 0.20 "
                   "s, skid not corrected\n");
    profile = (struct profile){.kind = CCPROF_KIND_TIME,
                               .engines = PROFILE_TASK_CLOCK,
                               .clock = PROFILE_CPU,
                               .rate = 100,
                               .samples = 330,
                               .moved = -330};
    assert_balance(
        &profile, "sampled 3.30 s, a part of what the program used, engine task-clock at "
                  "100 Hz\nunsampled 0.00 s, <lost> 0.00 s, skid not corrected\n");
    profile = (struct profile){.kind = CCPROF_KIND_TIME,
                               .engines = PROFILE_THREAD_TIMER,
                               .clock = PROFILE_CPU,
                               .rate = 100};
    assert_balance(&profile,
                   "sampled 0.00 s of 0.00 s CPU time, engine thread-timer at 100 "
                   "Hz\nunsampled 0.00 s, <lost> 0.00 s\n");
    /* A percentage needs a tenth of a second, and time for ten samples.  */
    profile.cpu = 99999999;
    profile.samples = 9;
    assert_balance(&profile,
                   "sampled 0.09 s of 0.10 s CPU time, engine thread-timer at 100 "
                   "Hz\nunsampled 0.01 s, <lost> 0.00 s, skid not corrected\n");
    profile.cpu = 100000000;
    assert_balance(
        &profile,
        "sampled 0.09 s of 0.10 s CPU time (90.0 %), engine thread-timer at 100 "
        "Hz\nunsampled 0.01 s, <lost> 0.00 s, skid not corrected\n");
    profile.rate = 10;
    profile.samples = 0;
    assert_balance(&profile, "sampled 0.00 s of 0.10 s CPU time, engine thread-timer at "
                             "10 Hz\nunsampled 0.10 s, <lost> 0.00 s\n");
    profile.cpu = 1000000000;
    assert_balance(&profile,
                   "sampled 0.00 s of 1.00 s CPU time (0.0 %), engine thread-timer at 10 "
                   "Hz\nunsampled 1.00 s, <lost> 0.00 s\n");
}

static void assert_why(const struct profile *profile, const char *expected)
{
    char *text = nosamples_text(profile);
    if (expected)
        ck_assert_str_eq(text, expected);
    else
        ck_assert(text == NULL);
    free(text);
}

TEST(why_there_are_no_samples)
{
    struct profile profile = {.kind = CCPROF_KIND_COUNT, .rate = 100, .cpu = 3100000};
    assert_why(&(struct profile){0}, NULL);
    assert_why(&profile, NULL);
    profile.kind = CCPROF_KIND_TIME | CCPROF_KIND_COUNT;
    profile.clock = PROFILE_CPU;
    assert_why(&profile, "no samples: the program used 0.0031 s of CPU time, and one is "
                         "taken every 0.01 s; let it run longer, or sample more often: "
                         "CCPROF=rate=10000");
    /* Five were to be expected: chance; six: not.  */
    profile.rate = 10000;
    profile.cpu = 500000;
    assert_why(&profile, "no samples: the program used 0.0005 s of CPU time, and one is "
                         "taken every 0.0001 s; let it run longer");
    profile.cpu = 600000;
    assert_why(
        &profile,
        "no samples in 0.0006 s of CPU time: the signal SIGPROF was taken or "
        "blocked, by another profiler for example (gcc -pg), or sampling was never "
        "started (CCPROF=start=no)");
    profile.clock = PROFILE_WALL;
    profile.wall = 2000000000;
    assert_why(
        &profile,
        "no samples in 2 s of time: the signal SIGPROF was taken or "
        "blocked, by another profiler for example (gcc -pg), or sampling was never "
        "started (CCPROF=start=no)");
    profile.moved = 7;
    assert_why(&profile,
               "no samples: all of them are in the other files that the program "
               "has written; name these, too");
    profile.samples = 1;
    assert_why(&profile, NULL);
}
