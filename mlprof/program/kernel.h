/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Knows the module that stands for the kernel (mlmon.out(5)).  */

#ifndef MLPROF_KERNEL_H
#define MLPROF_KERNEL_H

#include "mlprof/program/program.h"

/* Whether the point is time in the kernel.  */
bool kernel_has(const struct profile *profile, const struct profile_node *node);

/* The name of the system call, or of what else was done, at ADDRESS of the module, to be
   freed.  */
char *kernel_name(const struct program *program, uint64_t address);

#endif
