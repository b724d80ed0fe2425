/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes exact counts as a baseline, or compares them with one (-gate-write, -gate), for
   main.c.  */

#ifndef MLPROF_GATES_H
#define MLPROF_GATES_H

#include "mlprof/options/options.h"
#include "mlprof/tables/tables.h"

/* Adds up the data files, and writes or compares.  False and FAULT if a file cannot be
   used, and with the kind FAULT_BEYOND if counts differ from the baseline.  */
bool gates_show(const struct options *options, struct tables *executable,
                struct fault *fault);

#endif
