/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the data files that the command line names and adds them up (datafiles.c), and
   goes through folders of data files (datafolder.c).  */

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

/* A folder is one that the setting output=FOLDER/ of ccprof(1) has made.  Calls USE for
   each data file in the folder PATH, in the order of names, until USE returns false; HEAD
   has what stands before the modules, and module 0.  A line on stderr says which files
   are no data files; subfolders are left out.  False and FAULT if the folder or a file
   cannot be read; with TOLERANT, a file that cannot be read only gets a line on stderr.
   Returns false, too, if USE has.  */
bool datafolder_each(const char *path, bool tolerant,
                     bool (*use)(void *data, const char *file,
                                 const struct profile *head),
                     void *data, struct fault *fault);

/* Whether the name is that of a file that is still being written, or was when its process
   was killed.  */
bool datafolder_is_unfinished(const char *name);

/* Whether a file has disappeared since it was listed.  This is no error: the bound of the
   folder (keep= of ccprof(1)) may have removed it.  */
bool datafolder_is_gone(const char *file);

#endif
