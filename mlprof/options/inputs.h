/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tells what the words of the command line are, by what is there, for those who look
   through them, and whether data are of a program.  */

#ifndef MLPROF_INPUTS_H
#define MLPROF_INPUTS_H

#include "mlprof/profile/profile.h"

#include <stdbool.h>

/* The regular file at PATH begins as an executable or another object; as a data file.
   False, too, if it cannot be read.  */
bool inputs_is_executable(const char *path);
bool inputs_is_data(const char *path);

/* There is a folder at PATH.  */
bool inputs_is_folder(const char *path);

/* MEASURED, the module 0 of a data file, is PROGRAM, as far as its BUILD_ID tells; where
   both have none their paths do.  BUILD_ID may be NULL.  */
bool inputs_is_measured(const char *program, const char *build_id,
                        const struct profile_module *measured);

/* The path at which the kernel knew a program, or that without what it says of a file
   that was replaced while the program ran (readlink of /proc/PID/exe, proc(5)); to be
   freed.  */
char *inputs_measured_path(const char *path);

/* Where the program of the data file DATA is: at its path, or if it has moved here or
   beside the data file; to be freed.  NULL: that build is in none of these places.  */
char *inputs_find_program(const char *data, const struct profile_module *measured);

#endif
