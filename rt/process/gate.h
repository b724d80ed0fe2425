/* SPDX-License-Identifier: MIT */
/* Switches sampling and counting off and on, for the program, a setting and a signal, and
   measures how long they were on.  While the gate is closed, the engines go on, and their
   samples are dropped.  All functions are async-signal-safe, in any thread, except start
   and install_signal.  */

#ifndef CCPROF_GATE_H
#define CCPROF_GATE_H

#include <stdbool.h>
#include <stdint.h>

#include "rt/os/settings.h"

/* Opens or closes the gate as the settings say, and starts to measure.  Constructor.  */
void ccprof_gate_start(const struct ccprof_settings *settings);

/* Starts to measure again, in the child of a fork; the gate stays as it was.  */
void ccprof_gate_restart(void);

bool ccprof_gate_is_open(void);

/* Open or close the gate; nothing happens if it is so already.  */
void ccprof_gate_open(void);
void ccprof_gate_close(void);

/* Returns how many of WEIGHT samples pass: none while the gate is closed, and no more
   than can have become due since it was opened.  If a thread had blocked SIGPROF or was
   in the kernel, its signal stands for time before the opening, too.  */
uint64_t ccprof_gate_pass(uint64_t weight);

/* Gives the CPU time and the wall-clock time, in nanoseconds, for which the gate was open
   until now, and how often threads waited in that time.  */
void ccprof_gate_measured(uint64_t *cpu, uint64_t *wall, uint64_t *waits);

/* Lets the signal of the setting toggle close and open the gate.  If the program uses the
   signal already, says so.  Constructor, once.  */
void ccprof_gate_install_signal(int number);

#endif
