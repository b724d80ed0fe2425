/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads a data file, mlmon.out(5), into a profile. Used by input/ and, to find the
   program of a data file, by commands/. */

#ifndef MLPROF_MLMON_H
#define MLPROF_MLMON_H

#include "mlprof/profile/profile.h"

#include <stddef.h>

/* Fills PROFILE, which must be empty, from the file at PATH, which the user has named
   and which may be a pipe. If the file cannot be read or is not a complete data file,
   returns false and sets FAULT, and PROFILE is empty. */
bool mlmon_read(struct profile *profile, const char *path, struct fault *fault);

/* Like mlmon_read, for a regular file that was found in a folder. */
bool mlmon_read_found(struct profile *profile, const char *path, struct fault *fault);

/* Reads only the program that was measured, module 0, from the regular file at PATH. */
bool mlmon_read_program(struct profile *profile, const char *path, struct fault *fault);

/* Returns the time in the name of the file at PATH, PROGRAM.PID.TIME.mlmon: when the time
   of a slice began, in nanoseconds since 1970. Returns 0 if it has another name. */
uint64_t mlmon_time_of_name(const char *path);

/* Like mlmon_read, for SIZE bytes that were read from PATH. */
bool mlmon_parse(struct profile *profile, const char *path, const char *text, size_t size,
                 struct fault *fault);

#endif
