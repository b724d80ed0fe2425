/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The words of the command line that are files: what kind of file each names, whether
   data are of a program, and how often each data file counts (-weight).  */

#ifndef MLPROF_INPUTS_H
#define MLPROF_INPUTS_H

#include "mlprof/base/fault.h"
#include "mlprof/profile/profile.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* inputs_is_executable: whether the regular file at PATH begins as an ELF file;
   inputs_is_data: as a data file.  False, too, if it cannot be read.  */
bool inputs_is_executable(const char *path);
bool inputs_is_data(const char *path);

/* Whether PATH is a folder.  */
bool inputs_is_folder(const char *path);

/* Whether MEASURED, the module 0 of a data file, is PROGRAM: both have the build-id
   BUILD_ID, which may be NULL, or, if both have none, the same path.  */
bool inputs_is_measured(const char *program, const char *build_id,
                        const struct profile_module *measured);

/* The path of a program as the kernel had it, without the suffix of a file that was
   replaced while the program ran (readlink of /proc/PID/exe, proc(5)); to be freed.  */
char *inputs_measured_path(const char *path);

/* The path of the program of the data file DATA, to be freed: where it was measured or,
   if it has moved, in the current folder or beside the data file.  NULL if that build is
   in none of these places.  */
char *inputs_find_program(const char *data, const struct profile_module *measured);

/* Data files whose name is PATTERN's count WEIGHT times.  */
struct weights_weight {
    char *pattern;
    uint64_t weight;
};

/* Starts as all zero.  */
struct weights {
    struct weights_weight *weights; /* in the order of the command line */
    size_t count, capacity;
};

/* Adds the word `PATTERN=N'.  Returns an error message, to be freed, or NULL.  */
char *weights_put(struct weights *weights, const char *word);

/* How often the data file at PATH counts, as it was named or found in a folder: the last
   pattern decides that is, as a shell's, the path or a folder around the file.  1 if none
   is.  Sets USED, by pattern, of all that are.  */
uint64_t weights_of(const struct weights *weights, const char *path, bool *used);

/* False and FAULT if a pattern was not USED.  */
bool weights_check(const struct weights *weights, const bool *used, struct fault *fault);

void weights_free(struct weights *weights);

#endif
