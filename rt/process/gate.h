/* SPDX-License-Identifier: MIT */
/* Switches sampling and counting off and on, for the program, a setting and a signal, and
   measures how long they were on.  While the gate is closed the engines go on, and their
   samples are thrown away.  All functions but start are async-signal-safe, in any
   thread.  */

#ifndef CCPROF_GATE_H
#define CCPROF_GATE_H

#include <stdbool.h>
#include <stdint.h>

#include "rt/os/settings.h"

/* Opens or closes the gate as the settings say, and starts to measure.  Constructor.  */
void ccprof_gate_start(const struct ccprof_settings *settings);

/* In the child of a fork: leaves the gate as it was, and starts to measure anew.  */
void ccprof_gate_restart(void);

bool ccprof_gate_is_open(void);

/* Do nothing if the gate is open, or closed, already.  */
void ccprof_gate_open(void);
void ccprof_gate_close(void);

/* How many of WEIGHT samples pass: none while the gate is closed, and no more than can
   have become due since it was opened.  The signal of a thread that has blocked SIGPROF,
   or was in the kernel, stands for the time before the opening too.  */
uint64_t ccprof_gate_pass(uint64_t weight);

/* How long the gate was open until now: CPU time and time on the clock, in nanoseconds;
   and how often threads waited meanwhile.  */
void ccprof_gate_measured(uint64_t *cpu, uint64_t *wall, uint64_t *waits);

#endif
