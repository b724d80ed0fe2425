/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the data files that the command line names and adds them up, for main.c.  */

#ifndef MLPROF_DATAFILES_H
#define MLPROF_DATAFILES_H

#include "mlprof/options/options.h"
#include "mlprof/profile/profile.h"
#include "mlprof/tables/tables.h"

/* Adds all files to PROFILE, which starts empty; profile_free frees it in any case.  Of a
   folder those are added that were measured with EXECUTABLE, and a line on stderr says
   what was not.
   False and FAULT if one cannot be read, is damaged, or was not measured with EXECUTABLE;
   with -tolerant that is a line on stderr instead, and the file is left out.  */
bool datafiles_read(struct profile *profile, const struct options *options,
                    const struct tables *executable, struct fault *fault);

/* The same for what is one run of a comparison: the file, or the folder, at PATH.  False
   and FAULT, in a folder with -tolerant only if it has no data of EXECUTABLE.  */
bool datafiles_read_run(struct profile *profile, const char *path,
                        const struct options *options, const struct tables *executable,
                        struct fault *fault);

/* Calls USE with each file that the one at PATH lists, until one returns false.  False
   and FAULT if PATH cannot be read; false, too, if USE has returned it.  */
bool datafiles_each(const char *path, bool (*use)(void *data, const char *file),
                    void *data, struct fault *fault);

/* The first file that the one at PATH lists, to be freed.  NULL and FAULT if PATH cannot
   be read or lists none.  */
char *datafiles_first(const char *path, struct fault *fault);

#endif
