/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stands in for the engines, the clocks and the list of threads that rt/sample/sampler.c
   asks, for check_rt_sampler: the test says what they do.  */

#ifndef CCPROF_TESTSUITE_SAMPLER_STANDINS_H
#define CCPROF_TESTSUITE_SAMPLER_STANDINS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct fake {
    _Atomic bool refuses[3], forgets, old, at_call; /* by engine; of all; of threads */
    _Atomic uint64_t missed;
    _Atomic int armed, walks;
    _Atomic pid_t listed;
    int process_error, process_starts, process_stops;
};
extern struct fake fake;

/* Its address is the value of the process's timer.  */
extern int fake_process;

#endif
