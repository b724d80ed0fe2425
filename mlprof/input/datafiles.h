/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the data files that the command line names and adds them up, for main.c.  */

#ifndef MLPROF_DATAFILES_H
#define MLPROF_DATAFILES_H

#include "mlprof/options/options.h"
#include "mlprof/profile/profile.h"
#include "mlprof/tables/tables.h"

/* Adds all files to PROFILE, which starts empty and which profile_free frees in any case.
   From a folder, the files measured with EXECUTABLE are added, and a line on stderr says
   which were not.  False and FAULT if a file cannot be read, is damaged, or was not
   measured with EXECUTABLE; with -tolerant there is a line on stderr instead, and the
   file is left out.  */
bool datafiles_read(struct profile *profile, const struct options *options,
                    const struct tables *executable, struct fault *fault);

/* Like datafiles_read, for one run of a comparison: the file or folder at PATH.  False
   and FAULT if it cannot be used.  For a folder with -tolerant only if the folder has no
   data of EXECUTABLE.  */
bool datafiles_read_run(struct profile *profile, const char *path,
                        const struct options *options, const struct tables *executable,
                        struct fault *fault);

/* Calls USE for each file listed in the file at PATH, until USE returns false.  Returns
   false and FAULT if PATH cannot be read, and false if USE has returned it.  */
bool datafiles_each(const char *path, bool (*use)(void *data, const char *file),
                    void *data, struct fault *fault);

/* The first file listed in the file at PATH, to be freed.  NULL and FAULT if PATH cannot
   be read or lists none.  */
char *datafiles_first(const char *path, struct fault *fault);

#endif
