/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compares profiles, for main.c: reads the data files of each side run by run, and prints
   the changes, the results of a formula, or how functions grow with the input.  */

#ifndef MLPROF_COMPARISON_H
#define MLPROF_COMPARISON_H

#include "mlprof/options/options.h"
#include "mlprof/tables/tables.h"

/* Whether the command line asks for a comparison.  */
bool comparison_is_wanted(const struct options *options);

/* Reads, compares and prints.  EXECUTABLE are the tables of the first operand; functions
   are taken out of them.  False and FAULT if a file cannot be read or is not of its
   program, or if the sides have no measure in common.  */
bool comparison_show(const struct options *options, struct tables *executable,
                     struct fault *fault);

#endif
