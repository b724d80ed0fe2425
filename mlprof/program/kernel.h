/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Knows the module that stands for the kernel (mlmon.out(5)).  */

#ifndef MLPROF_KERNEL_H
#define MLPROF_KERNEL_H

#include "mlprof/program/program.h"

/* The number of the module; if there is none, a number that no point has.  */
uint32_t kernel_module(const struct profile *profile);

/* The name of the system call, or of what else was done, at ADDRESS of the module, to be
   freed.  */
char *kernel_name(const struct program *program, uint64_t address);

#endif
