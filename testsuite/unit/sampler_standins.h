/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stands in for the engines, the clocks and the list of threads that rt/sample/sampler.c
   asks, for check_rt_sampler: the test says what they do.  */

#ifndef CCPROF_TESTSUITE_SAMPLER_STANDINS_H
#define CCPROF_TESTSUITE_SAMPLER_STANDINS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct fake {
    _Atomic bool refuses[3], old, interrupts; /* by engine; of all; of threads */
    _Atomic uint64_t owed, late, put_off;     /* late: periods before the first signal */
    _Atomic int armed, walks;
    _Atomic pid_t listed;
    int lookout_starts, lookout_stops;
};
extern struct fake fake;

/* What an engine that refuses returns; errno stays what it is.  */
extern const int fake_error[3];

/* Its address is the value of the lookout's timer.  */
extern int fake_lookout;

#endif
