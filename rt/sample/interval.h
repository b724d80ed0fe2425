/* SPDX-License-Identifier: MIT */
/* Chooses the moments at which samples are taken, for the engines: the time on a clock is
   divided into intervals of one period, and one sample is taken in each, at a moment
   drawn uniformly from it (stratified random sampling; Cochran, Sampling Techniques,
   chapter 5). So the number of samples is that of the intervals, and no program can be in
   step with the moments.  A clock that runs for less than a period is sampled with the
   probability that is its due.  */

#ifndef CCPROF_INTERVAL_H
#define CCPROF_INTERVAL_H

#include <stdint.h>

/* All in nanoseconds, on the clock put forward by AHEAD.  */
struct ccprof_interval {
    uint64_t period;
    uint64_t ahead;
    uint64_t start; /* where the interval of the next sample starts */
    uint64_t next;  /* when the next sample is due */
    uint64_t random;
};

/* The first interval starts NOW.  SEED: any number.  Async-signal-safe, as are the
   others.  */
void ccprof_interval_start(struct ccprof_interval *interval, uint64_t period,
                           uint64_t now, uint64_t seed);

/* Goes on where another clock has ended at THEN: the interval that began there ends on
   this clock, which is at NOW.  So many clocks that run for less
   than a period have as many samples as one that runs as long as all of them.  */
void ccprof_interval_go_on(struct ccprof_interval *interval, uint64_t then, uint64_t now);

/* How many samples are due NOW: 0 if it is too early, more than 1 if intervals went by
   without one.  Afterwards the next one is due later than NOW.  */
uint64_t ccprof_interval_take(struct ccprof_interval *interval, uint64_t now);

/* At random, uniformly, a number below LIMIT, which is not 0.  */
uint64_t ccprof_interval_pick(struct ccprof_interval *interval, uint64_t limit);

/* How long it is until the next sample is due (0: it is), and how long it has been
   due.  */
uint64_t ccprof_interval_wait(const struct ccprof_interval *interval, uint64_t now);
uint64_t ccprof_interval_late(const struct ccprof_interval *interval, uint64_t now);

#endif
