/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads a data file, mlmon.out(5), into a profile.  */

#ifndef MLPROF_MLMON_H
#define MLPROF_MLMON_H

#include "mlprof/profile/profile.h"

#include <stddef.h>

/* Fills PROFILE, which must be empty, with what the file at PATH says, which the user has
   named: it may be a pipe.  If it cannot be read or is not a whole data file, returns
   false and FAULT, and PROFILE is empty.  */
bool mlmon_read(struct profile *profile, const char *path, struct fault *fault);

/* The same of a regular file, for what was found in a folder.  */
bool mlmon_read_found(struct profile *profile, const char *path, struct fault *fault);

/* Only the program that the regular file at PATH was measured with: module 0.  */
bool mlmon_read_program(struct profile *profile, const char *path, struct fault *fault);

/* mlmon_read for SIZE bytes that were read from PATH.  */
bool mlmon_parse(struct profile *profile, const char *path, const char *text, size_t size,
                 struct fault *fault);

#endif
