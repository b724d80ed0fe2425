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
    {{.sampling.engines = THREAD, .sampling.samples = 1600, .runs.waits = 80}, 0},
    {{.sampling.engines = THREAD, .sampling.samples = 1600, .runs.waits = 88}, 0.055},
    {{.sampling.engines = TASK, .sampling.samples = 1600, .runs.waits = 88}, 0},
    {{.sampling.engines = TASK | WALL, .sampling.samples = 1600, .runs.waits = 8000}, 0},
    {{.sampling.engines = TASK | THREAD, .sampling.samples = 1600, .runs.waits = 8000},
     1},
    {{.sampling.engines = TASK | THREAD, .sampling.samples = 16, .runs.waits = 4}, 0},
    {{.sampling.engines = TASK | THREAD, .sampling.samples = 16, .runs.waits = 5},
     0.3125},
    {{.sampling.engines = TASK | THREAD,
      .sampling.samples = 10,
      .sampling.moved = 1590,
      .runs.waits = 88},
     0.055},
    {{.sampling.engines = TASK | THREAD, .runs.waits = 88}, 0},
};

TEST_ROWS(in_step, steps)
{
    ck_assert(balance_in_step(&steps[_i].profile) == steps[_i].in_step);
}

#define TIME           .kind = CCPROF_KIND_TIME, .sampling.rate = 100
#define ON_CPU(engine) .sampling.engines = engine, .sampling.clock = PROFILE_CPU
/* A run of 4.01 s of CPU time. */
#define RUN TIME, .runs.cpu = 4010000000, .runs.wall = 5000000000, .sampling.lost = 2
#define CLOCKS                                                                           \
    RUN, .sampling.engines = TASK | WALL, .sampling.clock = PROFILE_WALL,                \
         .sampling.samples = 402, .runs.waits = 804

#define ON_THE_CLOCK                                                                     \
    "sampled 4.02 s on the clock, all threads together, in 5.00 s with 4.01 s CPU "      \
    "time, engine task-clock and wall-timer at 100 Hz, "

static const struct {
    struct profile profile;
    const char *balance;
} balances[] = {
    {{RUN, ON_CPU(TASK), .sampling.samples = 399, .runs.threads = 1, .runs.waits = 4000,
      .sampling.interrupted = 1, .sampling.late = 3},
     "sampled 3.99 s of 4.01 s CPU time (99.5 %), engine task-clock at 100 Hz, 1 "
     "thread\nunsampled 0.02 s (0.5 %), <lost> 0.02 s, skid not corrected\n"
     "warning: 1 system call returned EINTR for a sample\n"
     "warning: 3 samples came more than a tick late, since the program blocked signals: "
     "they count\nwhere it unblocked them\n"},
    {{RUN, ON_CPU(THREAD), .sampling.samples = 402, .runs.threads = 3, .runs.waits = 101},
     "sampled 4.02 s of 4.01 s CPU time (100.2 %), engine thread-timer at "
     "100 Hz, 3 threads\nunsampled 0.00 s (0.0 %), <lost> 0.02 s, skid not corrected\n"
     "warning: the program waited 0.25 times a sample: if it runs in step "
     "with the kernel's tick, by which the engine samples, shares are wrong by up to "
     "25 points\n"},
    {{CLOCKS, .runs.threads = 3, .runs.files = 3, .sampling.interrupted = 7},
     ON_THE_CLOCK
     "3 data files\n<lost> 0.02 s, skid not corrected\n"
     "warning: 7 system calls returned EINTR for a sample: if the program does not "
     "wait again, what it does then has too few\n"},
    /* Three slices of one run whose threads started in the first slice. */
    {{CLOCKS, .runs.threads = 3, .runs.files = 3, .runs.most_threads = 3},
     ON_THE_CLOCK "3 threads, 3 data files\n<lost> 0.02 s, skid not corrected\n"},
    /* 0.50 + 3.30 + 0.01 + 0.20 are 4.01. */
    {{TIME, .runs.cpu = 4010000000, ON_CPU(TASK), .sampling.samples = 70,
      .sampling.lost = 20, .sampling.moved = 330, .runs.threads = 3},
     "sampled 0.70 s of 4.01 s CPU time (17.5 %), engine task-clock at 100 Hz, 3 "
     "threads\nunsampled 0.01 s (0.2 %), in other files 3.30 s, <lost> 0.20 s, skid not "
     "corrected\n"},
    {{TIME, ON_CPU(TASK), .sampling.samples = 330, .sampling.moved = -330},
     "sampled 3.30 s, a part of what the program used, engine task-clock at "
     "100 Hz\nunsampled 0.00 s, <lost> 0.00 s, skid not corrected\n"},
    /* A percentage is printed only from a tenth of a second on, and if the time is worth
       ten samples. */
    {{TIME, ON_CPU(THREAD), .runs.cpu = 99999999, .sampling.samples = 9},
     "sampled 0.09 s of 0.10 s CPU time, engine thread-timer at 100 "
     "Hz\nunsampled 0.01 s, <lost> 0.00 s, skid not corrected\n"},
    {{TIME, ON_CPU(THREAD), .runs.cpu = 100000000, .sampling.samples = 9},
     "sampled 0.09 s of 0.10 s CPU time (90.0 %), engine thread-timer at 100 "
     "Hz\nunsampled 0.01 s (10.0 %), <lost> 0.00 s, skid not corrected\n"},
    {{.kind = CCPROF_KIND_TIME,
      .sampling.rate = 10,
      ON_CPU(THREAD),
      .runs.cpu = 100000000},
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
#define NANOSECONDS(used) .kind = CCPROF_KIND_TIME | CCPROF_KIND_COUNT, .runs.cpu = used

/* Why there are no samples. */
static const struct {
    struct profile profile;
    const char *why;
} reasons[] = {
    {{.kind = CCPROF_KIND_COUNT, .sampling.rate = 100, .runs.cpu = 3100000}, NULL},
    {{NANOSECONDS(3100000), .sampling.rate = 100, .sampling.clock = PROFILE_CPU},
     "no samples: the program used 0.0031 s of CPU time, and one is taken every 0.01 s; "
     "let it run longer, or sample more often: CCPROF=rate=10000"},
    /* Five expected samples may be missing by chance, six may not. */
    {{NANOSECONDS(500000), .sampling.rate = 10000, .sampling.clock = PROFILE_CPU},
     "no samples: the program used 0.0005 s of CPU time, and one is taken every 0.0001 "
     "s; let it run longer"},
    {{NANOSECONDS(600000), .sampling.rate = 10000, .sampling.clock = PROFILE_CPU},
     "no samples in 0.0006 s of CPU time: " TAKEN},
    {{NANOSECONDS(600000), .sampling.rate = 10000, ON_CPU(THREAD)},
     "no samples in 0.0006 s of CPU time: the program never ran at the kernel's tick, by "
     "which engine thread-timer samples, as one that works briefly and waits; or " TAKEN},
    {{NANOSECONDS(600000), .sampling.rate = 10000, .sampling.clock = PROFILE_WALL,
      .runs.wall = 2000000000},
     "no samples in 2 s of time: " TAKEN},
    {{NANOSECONDS(600000), .sampling.rate = 10000, .sampling.clock = PROFILE_WALL,
      .runs.wall = 2000000000, .sampling.moved = 7},
     "no samples: all of them are in the other files that the program has written; name "
     "these, too"},
    {{NANOSECONDS(600000), .sampling.rate = 10000, .sampling.clock = PROFILE_WALL,
      .runs.wall = 2000000000, .sampling.moved = 7, .sampling.samples = 1},
     NULL},
};

TEST_ROWS(why_there_are_no_samples, reasons)
{
    assert_text(balance_why_none(&reasons[_i].profile), reasons[_i].why);
}
