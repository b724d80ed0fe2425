/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tells by their first bytes the files that mlprof reads, for those who look through the
   words of the command line.  */

#ifndef MLPROF_INPUTS_H
#define MLPROF_INPUTS_H

#include <stdbool.h>

/* The regular file at PATH begins as an executable or another object; as a data file.
   False, too, if it cannot be read.  */
bool inputs_is_executable(const char *path);
bool inputs_is_data(const char *path);

#endif
