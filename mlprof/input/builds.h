/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Knows where the other builds of the program are, for datafiles.c, which adds up data of
   several builds with -merge-builds.  */

#ifndef MLPROF_BUILDS_H
#define MLPROF_BUILDS_H

#include "mlprof/elf/elffile.h"
#include "mlprof/profile/profile.h"

/* The builds that the command line names.  Starts as all zero.  */
struct builds {
    struct elffile **files;
    size_t count, capacity;
};

/* Opens the executable at PATH.  */
bool builds_add(struct builds *builds, const char *path, struct fault *fault);

/* Whether MEASURED, the module 0 of a data file, is one of BUILDS or has the same file
   name as the executable at PATH.  */
bool builds_has(const struct builds *builds, const char *path,
                const struct profile_module *measured);

/* Sets the path of module 0 of DATA to where that build is now.  DATA was read from FILE
   and is of another build than the executable at PATH.  False and FAULT if the build is
   not found.  */
bool builds_find(const struct builds *builds, const char *path, struct profile *data,
                 const char *file, struct fault *fault);

void builds_free(struct builds *builds);

#endif
