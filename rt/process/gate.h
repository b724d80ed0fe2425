/* SPDX-License-Identifier: MIT */
/* The gate that samples pass: the program, a setting and a signal close and open it.
   While it is closed the engines go on, and what they take is thrown away.  Knows how
   much time it was open.  All but start are async-signal-safe, in any thread.  */

#ifndef CCPROF_GATE_H
#define CCPROF_GATE_H

#include <stdbool.h>
#include <stdint.h>

#include "rt/os/settings.h"

/* The gate is as the settings say, and no time has passed.  Constructor.  */
void ccprof_gate_start(const struct ccprof_settings *settings);

/* In the child of a fork: it is as it was, and no time has passed.  */
void ccprof_gate_restart(void);

bool ccprof_gate_is_open(void);

/* These do nothing if it is so already.  */
void ccprof_gate_open(void);
void ccprof_gate_close(void);

/* Of WEIGHT samples those that pass: none while it is closed, and no more than can have
   become due since it was opened.  A thread that has blocked SIGPROF meanwhile, or was in
   the kernel, has the time before in what its signal stands for.  */
uint64_t ccprof_gate_pass(uint64_t weight);

/* How long it was open until now: CPU time and time on the clock, in nanoseconds; and how
   often threads waited meanwhile.  */
void ccprof_gate_measured(uint64_t *cpu, uint64_t *wall, uint64_t *waits);

#endif
