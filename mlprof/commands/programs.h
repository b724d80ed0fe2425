/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists the programs of the data files in folders, for main.c.  Only the beginnings of
   the files are read.  A program is a build-id or, if it has none, a path.  */

#ifndef MLPROF_PROGRAMS_H
#define MLPROF_PROGRAMS_H

#include "mlprof/options/options.h"

/* Prints the list for the operands, which are folders.  False and FAULT if there is no
   data file, or if one cannot be read.  */
bool programs_show(const struct options *options, struct fault *fault);

/* A data file of the only program in the folders, to be freed; with -merge-builds, of the
   first build.  NULL and FAULT if there are several programs, or none.  */
char *programs_only(const struct options *options, struct fault *fault);

#endif
