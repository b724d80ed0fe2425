/* SPDX-License-Identifier: MIT */
/* The gate switches sampling and counting off and on, and measures for how long they
   were on. The program, the setting start, a signal and requests control it. While the
   gate is closed, timers of the engines that were started still run, and their samples
   are dropped. All functions except start and install_signal are async-signal-safe and
   may be called in any thread. */

#ifndef CCPROF_GATE_H
#define CCPROF_GATE_H

#include <stdbool.h>
#include <stdint.h>

#include "rt/os/settings.h"

/* Opens or closes the gate according to the settings, and starts to measure. SETTINGS
   must stay valid: its clock and rate are read later. From then on,
   BEFORE is called whenever the gate is about to be opened, and RECLAIMED after a lent
   gate was closed by reclaim: with all signals blocked, one of them at a time. Both must
   be async-signal-safe. Called by the constructor. */
void ccprof_gate_start(const struct ccprof_settings *settings, void (*before)(void),
                       void (*reclaimed)(void));

/* Restarts the measurement in the child of a fork. The gate stays open or closed; if
   it was lent, it is closed. */
void ccprof_gate_restart(void);

bool ccprof_gate_is_open(void);

/* Open or close the gate. Do nothing if it is already open or closed. */
void ccprof_gate_open(void);
void ccprof_gate_close(void);

/* lend opens the gate for a request, and reclaim closes it, unless the program or its
   user has opened or closed it itself. */
void ccprof_gate_lend(void);
void ccprof_gate_reclaim(void);

/* Calls SET with VALUE and returns its result, unless the gate is or was open in this
   process, and then returns EBUSY. Meanwhile the gate cannot be opened. Returns EAGAIN if
   another thread is opening it. */
int ccprof_gate_before_first(int (*set)(unsigned value), unsigned value);

/* Returns the number of samples, at most WEIGHT, that are counted. The result is 0
   while the gate is closed. After an opening, it is at most the number of samples due
   since then: if a thread had blocked SIGPROF or was in the kernel, its signal also
   represents time before the opening. */
uint64_t ccprof_gate_pass(uint64_t weight);

/* Returns how long the gate has been open in total, as CPU time and as wall clock time
   in nanoseconds, and how often threads waited during this time. */
void ccprof_gate_measured(uint64_t *cpu, uint64_t *wall, uint64_t *waits);

/* Installs a handler for the signal of the setting `toggle', which opens and closes the
   gate. Prints a message if the program already uses this signal. Called once, by the
   constructor. */
void ccprof_gate_install_signal(int number);

#endif
