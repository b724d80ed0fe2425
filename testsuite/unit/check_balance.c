/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: mlprof.a -lelf -lz -lm */
/* The lines about sampled and unsampled time, and about the reason for having no
   samples. */

#define _GNU_SOURCE
#include "mlprof/view/balance.h"
#include "testsuite/unit/tests.h"

#define TASK   PROFILE_TASK_CLOCK
#define THREAD PROFILE_THREAD_TIMER
#define WALL   PROFILE_WALL_TIMER

/* Numbers computed by hand. 0.05 of 1600 samples: a fortieth of the samples is chance. 16
   samples: a quarter is chance. Moved samples count as if they were taken during the
   waits. */
static const struct {
    struct profile profile;
    double in_step;
} steps[] = {
    {{.engines = THREAD, .samples = 1600, .waits = 80}, 0},
    {{.engines = THREAD, .samples = 1600, .waits = 88}, 0.055},
    {{.engines = TASK, .samples = 1600, .waits = 88}, 0},
    {{.engines = TASK | WALL, .samples = 1600, .waits = 8000}, 0},
    {{.engines = TASK | THREAD, .samples = 1600, .waits = 8000}, 1},
    {{.engines = TASK | THREAD, .samples = 16, .waits = 4}, 0},
    {{.engines = TASK | THREAD, .samples = 16, .waits = 5}, 0.3125},
    {{.engines = TASK | THREAD, .samples = 10, .moved = 1590, .waits = 88}, 0.055},
    {{.engines = TASK | THREAD, .waits = 88}, 0},
};

TEST_ROWS(in_step, steps)
{
    ck_assert(balance_in_step(&steps[_i].profile) == steps[_i].in_step);
}

#define TIME           .kind = CCPROF_KIND_TIME, .rate = 100
#define ON_CPU(engine) .engines = engine, .clock = PROFILE_CPU
/* A run of 4.01 s of CPU time. */
#define RUN TIME, .cpu = 4010000000, .wall = 5000000000, .lost = 2
#define CLOCKS                                                                           \
    RUN, .engines = TASK | WALL, .clock = PROFILE_WALL, .samples = 402, .waits = 804

#define ON_THE_CLOCK                                                                     \
    "sampled 4.02 s on the clock, all threads together, in 5.00 s with 4.01 s CPU "      \
    "time, engine task-clock and wall-timer at 100 Hz, "

static const struct {
    struct profile profile;
    const char *balance;
} balances[] = {
    {{RUN, ON_CPU(TASK), .samples = 399, .threads = 1, .waits = 4000, .interrupted = 1,
      .late = 3},
     "sampled 3.99 s of 4.01 s CPU time (99.5 %), engine task-clock at 100 Hz, 1 "
     "thread\nunsampled 0.02 s, <lost> 0.02 s, skid not corrected\n"
     "warning: 1 system call returned EINTR for a sample\n"
     "warning: 3 samples came more than a tick late, since the program blocked signals: "
     "they count\nwhere it unblocked them\n"},
    {{RUN, ON_CPU(THREAD), .samples = 402, .threads = 3, .waits = 101},
     "sampled 4.02 s of 4.01 s CPU time (100.2 %), engine thread-timer at "
     "100 Hz, 3 threads\nunsampled 0.00 s, <lost> 0.02 s, skid not corrected\n"
     "warning: the program waited 0.25 times a sample: if it runs in step "
     "with the kernel's tick, by which the engine samples, shares are wrong by up to "
     "25 points\n"},
    {{CLOCKS, .threads = 3, .files = 3, .interrupted = 7},
     ON_THE_CLOCK
     "3 data files\n<lost> 0.02 s, skid not corrected\n"
     "warning: 7 system calls returned EINTR for a sample: if the program does not "
     "wait again, what it does then has too few\n"},
    /* Three slices of one run whose threads started in the first slice. */
    {{CLOCKS, .threads = 3, .files = 3, .most_threads = 3},
     ON_THE_CLOCK "3 threads, 3 data files\n<lost> 0.02 s, skid not corrected\n"},
    /* 0.50 + 3.30 + 0.01 + 0.20 are 4.01. */
    {{TIME, .cpu = 4010000000, ON_CPU(TASK), .samples = 70, .lost = 20, .moved = 330,
      .threads = 3},
     "sampled 0.70 s of 4.01 s CPU time (17.5 %), engine task-clock at 100 Hz, 3 "
     "threads\nunsampled 0.01 s, in other files 3.30 s, <lost> 0.20 s, skid not "
     "corrected\n"},
    {{TIME, ON_CPU(TASK), .samples = 330, .moved = -330},
     "sampled 3.30 s, a part of what the program used, engine task-clock at "
     "100 Hz\nunsampled 0.00 s, <lost> 0.00 s, skid not corrected\n"},
    /* A percentage is printed only from a tenth of a second on, and if the time is worth
       ten samples. */
    {{TIME, ON_CPU(THREAD), .cpu = 99999999, .samples = 9},
     "sampled 0.09 s of 0.10 s CPU time, engine thread-timer at 100 "
     "Hz\nunsampled 0.01 s, <lost> 0.00 s, skid not corrected\n"},
    {{TIME, ON_CPU(THREAD), .cpu = 100000000, .samples = 9},
     "sampled 0.09 s of 0.10 s CPU time (90.0 %), engine thread-timer at 100 "
     "Hz\nunsampled 0.01 s, <lost> 0.00 s, skid not corrected\n"},
    {{.kind = CCPROF_KIND_TIME, .rate = 10, ON_CPU(THREAD), .cpu = 100000000},
     "sampled 0.00 s of 0.10 s CPU time, engine thread-timer at 10 Hz\n"
     "unsampled 0.10 s, <lost> 0.00 s\n"},
};

TEST_ROWS(the_balance, balances)
{
    FILE *out = print_begin();
    balance_print(out, &balances[_i].profile, NULL);
    print_end(out, balances[_i].balance);
}

#define TAKEN                                                                            \
    "the signal SIGPROF was taken or blocked, by another profiler for example (gcc "     \
    "-pg), or sampling was never started (CCPROF=start=no)"
#define NANOSECONDS(used) .kind = CCPROF_KIND_TIME | CCPROF_KIND_COUNT, .cpu = used

/* Why there are no samples. */
static const struct {
    struct profile profile;
    const char *why;
} reasons[] = {
    {{.kind = CCPROF_KIND_COUNT, .rate = 100, .cpu = 3100000}, NULL},
    {{NANOSECONDS(3100000), .rate = 100, .clock = PROFILE_CPU},
     "no samples: the program used 0.0031 s of CPU time, and one is taken every 0.01 s; "
     "let it run longer, or sample more often: CCPROF=rate=10000"},
    /* Five expected samples may be missing by chance, six may not. */
    {{NANOSECONDS(500000), .rate = 10000, .clock = PROFILE_CPU},
     "no samples: the program used 0.0005 s of CPU time, and one is taken every 0.0001 "
     "s; let it run longer"},
    {{NANOSECONDS(600000), .rate = 10000, .clock = PROFILE_CPU},
     "no samples in 0.0006 s of CPU time: " TAKEN},
    {{NANOSECONDS(600000), .rate = 10000, ON_CPU(THREAD)},
     "no samples in 0.0006 s of CPU time: the program never ran at the kernel's tick, by "
     "which engine thread-timer samples, as one that works briefly and waits; or " TAKEN},
    {{NANOSECONDS(600000), .rate = 10000, .clock = PROFILE_WALL, .wall = 2000000000},
     "no samples in 2 s of time: " TAKEN},
    {{NANOSECONDS(600000), .rate = 10000, .clock = PROFILE_WALL, .wall = 2000000000,
      .moved = 7},
     "no samples: all of them are in the other files that the program has written; name "
     "these, too"},
    {{NANOSECONDS(600000), .rate = 10000, .clock = PROFILE_WALL, .wall = 2000000000,
      .moved = 7, .samples = 1},
     NULL},
};

TEST_ROWS(why_there_are_no_samples, reasons)
{
    assert_text(balance_why_none(&reasons[_i].profile), reasons[_i].why);
}
