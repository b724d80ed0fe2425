/* SPDX-License-Identifier: MIT */
/* Chooses the moments at which samples are taken, for the engines.  The time on a clock
   is divided into intervals of one period, and each interval gets one sample, at a moment
   drawn uniformly from it (stratified random sampling; Cochran, "Sampling Techniques",
   chapter 5).  So there are as many samples as intervals, and no program can run in step
   with the moments.  A clock that runs for less than a period is sampled with the right
   probability.  All functions are async-signal-safe.  */

#ifndef CCPROF_INTERVAL_H
#define CCPROF_INTERVAL_H

#include <stdint.h>

/* All times are in nanoseconds.  START and NEXT are times of the clock plus AHEAD.  */
struct ccprof_interval {
    uint64_t period;
    uint64_t ahead;
    uint64_t start; /* start of the interval of the next sample */
    uint64_t next;  /* time of the next sample */
    uint64_t random;
};

/* Starts the first interval at the time NOW.  SEED may be any number.  */
void ccprof_interval_start(struct ccprof_interval *interval, uint64_t period,
                           uint64_t now, uint64_t seed);

/* Continues, on a clock that is at NOW, the interval of another clock that has ended at
   THEN.  So many clocks that each run for less than a period get as many samples as one
   clock that runs as long as all of them.  */
void ccprof_interval_go_on(struct ccprof_interval *interval, uint64_t then, uint64_t now);

/* Returns how many samples are due at NOW: 0 if it is too early, more than 1 if whole
   intervals have passed.  Afterwards the next sample is due later than NOW.  */
uint64_t ccprof_interval_take(struct ccprof_interval *interval, uint64_t now);

/* Returns a random number below LIMIT, drawn uniformly.  LIMIT must not be 0.  */
uint64_t ccprof_interval_pick(struct ccprof_interval *interval, uint64_t limit);

/* Wait returns the time until the next sample is due, 0 if it is due; late returns how
   long the sample has been due.  */
uint64_t ccprof_interval_wait(const struct ccprof_interval *interval, uint64_t now);
uint64_t ccprof_interval_late(const struct ccprof_interval *interval, uint64_t now);

#endif
