/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Completes the command line, for main.c: finds the program of a data file, or the data
   files of a program, in the folder in which mlprof is called.  */

#ifndef MLPROF_OPERANDS_H
#define MLPROF_OPERANDS_H

#include "mlprof/options/options.h"

/* What has been found.  Starts as all zero.  */
struct operands {
    char **words; /* the executable, then the data files; NULL: nothing was missing */
    size_t count, capacity;
};

/* Completes the operands of OPTIONS: the executable first, then its data files.  FOUND
   owns the words if any were missing; operands_free frees them.  If no data file is
   found, no_data of OPTIONS says why.  False and FAULT if there is no executable.  */
bool operands_complete(struct operands *found, struct options *options,
                       struct fault *fault);

void operands_free(struct operands *found);

#endif
