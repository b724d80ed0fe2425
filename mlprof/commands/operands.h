/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Completes what the command line names: the program of a data file, and the data files
   of a program, from the folder in which mlprof is called.  For main.c.  */

#ifndef MLPROF_OPERANDS_H
#define MLPROF_OPERANDS_H

#include "mlprof/options/options.h"

/* What has been found.  Starts as all zero.  */
struct operands {
    char **words; /* the executable, then the data files */
    size_t count, capacity;
};

/* Has OPTIONS name the executable first, then its data files.  FOUND owns the words if
   any were missing; operands_free frees them.  Where no data file is found OPTIONS says
   why. False and FAULT if there is no executable.  */
bool operands_complete(struct operands *found, struct options *options,
                       struct fault *fault);

void operands_free(struct operands *found);

#endif
