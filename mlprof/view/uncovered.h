/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints how much time was in code without tables: libraries that were not compiled with
   ccprof, assembly of the program itself; in the kernel; and of which time callers are
   missing, since a function has no tables for unwinding.  */

#ifndef MLPROF_UNCOVERED_H
#define MLPROF_UNCOVERED_H

#include "mlprof/program/program.h"
#include "mlprof/view/view.h"

#include <stdio.h>

/* The percentage of the samples that was in such code.  */
double uncovered_percent(const struct profile *profile, const struct program *program);

/* What there is to tell, none if there was no such time: how much, in which modules,
   those with most of it first, and if it is much, what to do about it.  EXECUTABLE is the
   name of module 0.  SHOWN tells that the functions outside are shown already.  */
void uncovered_print(FILE *out, const struct profile *profile,
                     const struct program *program, const char *executable, bool shown);

/* A line with the time of the program, that of the kernel, and the system calls with most
   of it; nothing if no sample is known to be of the kernel.  */
void uncovered_print_kernel(FILE *out, const struct profile *profile,
                            const struct program *program);

/* Samples whose outermost callers are not known.  */
uint64_t uncovered_broken_samples(const struct rows *rows);

/* Prints how much that is, and of which functions; nothing if there are none.  */
void uncovered_print_broken(FILE *out, const struct view *view);

#endif
