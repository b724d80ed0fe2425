/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Goes through a folder of data files, as the setting output=FOLDER/ of ccprof(1) makes
   them, for those who read them and those who list their programs.  */

#ifndef MLPROF_DATAFOLDER_H
#define MLPROF_DATAFOLDER_H

#include "mlprof/profile/profile.h"

/* Calls USE for each data file in the folder PATH, by name, with its path and what stands
   before its modules, and module 0; until USE returns false.  A line on stderr says which
   files are no data files; folders in it are not gone into.  False and FAULT if the
   folder or a file cannot be read, with TOLERANT for the folder alone: of files a line
   says so. False, too, if USE has returned it.  */
bool datafolder_each(const char *path, bool tolerant,
                     bool (*use)(void *data, const char *file,
                                 const struct profile *head),
                     void *data, struct fault *fault);

/* Whether it is called as one that is still being written, or was when its process was
   killed.  */
bool datafolder_is_unfinished(const char *name);

/* Whether a file that was there is no more: what keeps a folder within its bound (keep=
   of ccprof(1)) may have removed it meanwhile, which is no error.  */
bool datafolder_is_gone(const char *file);

#endif
