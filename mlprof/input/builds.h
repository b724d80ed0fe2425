/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Knows where other builds of the program are, for datafiles.c, which adds data of them
   up with -merge-builds.  */

#ifndef MLPROF_BUILDS_H
#define MLPROF_BUILDS_H

#include "mlprof/elf/elffile.h"
#include "mlprof/profile/profile.h"

/* Those that the command line names.  Starts as all zero.  */
struct builds {
    struct elffile **files;
    size_t count, capacity;
};

/* Opens the executable at PATH.  */
bool builds_add(struct builds *builds, const char *path, struct fault *fault);

/* Whether MEASURED, the module 0 of a data file, is one of them; or a build of what is
   called like the executable at PATH.  */
bool builds_has(const struct builds *builds, const char *path,
                const struct profile_module *measured);

/* Has module 0 of DATA, which was read from FILE and is another build of the executable
   at PATH, tell where it is now.  False and FAULT if it is nowhere.  */
bool builds_find(const struct builds *builds, const char *path, struct profile *data,
                 const char *file, struct fault *fault);

void builds_free(struct builds *builds);

#endif
