/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Goes through a folder of data files, as the setting output=FOLDER/ of ccprof(1) makes
   it, for the modules that read these files or list their programs.  */

#ifndef MLPROF_DATAFOLDER_H
#define MLPROF_DATAFOLDER_H

#include "mlprof/profile/profile.h"

/* Calls USE for each data file in the folder PATH, in the order of names, until USE
   returns false; HEAD has what stands before the modules, and module 0.  A line on stderr
   says which files are no data files; subfolders are left out.  False and FAULT if the
   folder or a file cannot be read; with TOLERANT, a file that cannot be read only gets a
   line on stderr.  Returns false, too, if USE has.  */
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
