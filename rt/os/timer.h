/* SPDX-License-Identifier: MIT */
/* Makes POSIX timers: for the engines, and for answers to requests. Uses system calls,
   since libc's timer_delete is not async-signal-safe. All functions here are
   async-signal-safe. Functions that return int return 0 or an errno value. Times are
   in nanoseconds. */

#ifndef CCPROF_TIMER_H
#define CCPROF_TIMER_H

#include <stdbool.h>
#include <stdint.h>

#include "rt/os/sys.h"

/* Returns a random number. */
uint64_t ccprof_timer_seed(void);

/* Returns a random time from 1 to PERIOD. */
uint64_t ccprof_timer_phase(uint64_t period);

/* Returns the interval of the kernel's ticks, at which it checks CPU timers. The first
   call makes a system call that a seccomp filter may refuse later. */
uint64_t ccprof_timer_tick(void);

/* Returns the CPU clock of a thread of this process. */
clockid_t ccprof_timer_clock(pid_t tid);

/* Makes a timer that sends SIGNAL with VALUE to the thread TID, or to the process if
   TID is 0. Stores the kernel's number of the timer in *TIMER. */
int ccprof_timer_make(int *timer, clockid_t clock, int signal, pid_t tid, void *value);

/* Starts the timer: it expires after FIRST, then every INTERVAL. If this fails,
   deletes the timer. */
int ccprof_timer_start(int timer, uint64_t first, uint64_t interval);

/* Changes a running timer: it expires FIRST from now, then every INTERVAL. */
void ccprof_timer_in(int timer, uint64_t first, uint64_t interval);

bool ccprof_timer_is_running(int timer);

void ccprof_timer_delete(int timer);

#endif
