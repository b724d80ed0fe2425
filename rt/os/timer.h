/* SPDX-License-Identifier: MIT */
/* Makes POSIX timers that send SIGPROF, for the engines, with system calls: libc's
   timer_delete is not async-signal-safe.  All functions return 0 or an errno value; times
   are in nanoseconds.  */

#ifndef CCPROF_TIMER_H
#define CCPROF_TIMER_H

#include <stdbool.h>
#include <stdint.h>

#include "rt/os/sys.h"

/* A random seed.  */
uint64_t ccprof_timer_seed(void);

/* At random in 1 to PERIOD.  */
uint64_t ccprof_timer_phase(uint64_t period);

/* The CPU clock of a thread of this process.  */
clockid_t ccprof_timer_clock(pid_t tid);

/* Makes a timer that sends SIGPROF with VALUE to the thread TID, or to the process
   if that is 0.  Puts the kernel's number of it into *TIMER.  */
int ccprof_timer_make(int *timer, clockid_t clock, pid_t tid, void *value);

/* First after FIRST, then each INTERVAL; if it fails, the timer is deleted.  */
int ccprof_timer_start(int timer, uint64_t first, uint64_t interval);

/* First after FIRST from now on, then each INTERVAL, whenever it was to come.  */
void ccprof_timer_in(int timer, uint64_t first, uint64_t interval);

/* First AT this time of its clock, then each INTERVAL.  */
void ccprof_timer_at(int timer, uint64_t at, uint64_t interval);

bool ccprof_timer_is_running(int timer);

void ccprof_timer_delete(int timer);

#endif
