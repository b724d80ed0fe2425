/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads a data file, mlmon.out(5), into a profile.  */

#ifndef MLPROF_MLMON_H
#define MLPROF_MLMON_H

#include "mlprof/profile/profile.h"

#include <stddef.h>

/* Fills PROFILE, which must be empty, from the file at PATH, which may be a pipe: the
   user has named it.  If the file cannot be read or is no whole data file, returns false
   and FAULT, and PROFILE is empty.  */
bool mlmon_read(struct profile *profile, const char *path, struct fault *fault);

/* Like mlmon_read, for a regular file that was found in a folder.  */
bool mlmon_read_found(struct profile *profile, const char *path, struct fault *fault);

/* Reads only the program, module 0, that the regular file at PATH was measured with.  */
bool mlmon_read_program(struct profile *profile, const char *path, struct fault *fault);

/* Like mlmon_read, for SIZE bytes that were read from PATH.  */
bool mlmon_parse(struct profile *profile, const char *path, const char *text, size_t size,
                 struct fault *fault);

#endif
