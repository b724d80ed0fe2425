/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints how much time was in code without tables: libraries that were not compiled with
   ccprof, assembly of the program itself.  */

#ifndef MLPROF_UNCOVERED_H
#define MLPROF_UNCOVERED_H

#include "mlprof/program/program.h"

#include <stdio.h>

/* The percentage of the samples that was in such code.  */
double uncovered_percent(const struct profile *profile, const struct program *program);

/* What there is to tell, none if there was no such time: how much, in which modules,
   those with most of it first, and if it is much, what to do about it.  EXECUTABLE is the
   name of module 0.  SHOWN tells that the functions outside are shown already.  */
void uncovered_print(FILE *out, const struct profile *profile,
                     const struct program *program, const char *executable, bool shown);

#endif
