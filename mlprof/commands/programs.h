/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists the programs that the data files in folders were measured with, for main.c; only
   the files' heads are read.  A program is a build-id, or a path where there is none.  */

#ifndef MLPROF_PROGRAMS_H
#define MLPROF_PROGRAMS_H

#include "mlprof/options/options.h"

/* Prints the list for the operands, all of them folders.  False and FAULT if there is no
   data file, or one cannot be read.  */
bool programs_show(const struct options *options, struct fault *fault);

/* A data file of the only program in these folders, to be freed; with -merge-builds of
   the first of several builds.  NULL and FAULT if there are several programs, or none. */
char *programs_only(const struct options *options, struct fault *fault);

#endif
