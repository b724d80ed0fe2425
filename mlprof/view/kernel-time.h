/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints how much time was in the kernel.  */

#ifndef MLPROF_KERNEL_TIME_H
#define MLPROF_KERNEL_TIME_H

#include "mlprof/program/program.h"

#include <stdio.h>

/* A line with the time of the program, that of the kernel, and the system calls with most
   of it; nothing if no sample is known to be of the kernel.  */
void kernel_time_print(FILE *out, const struct profile *profile,
                       const struct program *program);

#endif
