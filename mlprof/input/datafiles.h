/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the data files named on the command line and adds them up (datafiles.c), and
   lists the data files of folders (datafolder.c). Used by main.c and the files of
   mlprof/commands. */

#ifndef MLPROF_DATAFILES_H
#define MLPROF_DATAFILES_H

#include "mlprof/options/options.h"
#include "mlprof/profile/profile.h"
#include "mlprof/tables/tables.h"

/* Adds all data files to PROFILE, which is empty at first. The caller frees it with
   profile_free, also after a fault. From a folder, only files measured with
   EXECUTABLE are added; a line on stderr counts the others. If a file cannot be read,
   is damaged, or was not measured with EXECUTABLE, returns false and sets FAULT. With
   -tolerant, prints a line on stderr instead and skips the file. */
bool datafiles_read(struct profile *profile, const struct options *options,
                    const struct tables *executable, struct fault *fault);

/* Like datafiles_read, for one run of a comparison, the file or folder at PATH. If
   the file or folder cannot be used, returns false and sets FAULT. With -tolerant,
   damaged files in a folder are skipped. After all runs, call
   datafiles_warn_of_others, which prints the line about files of other programs. */
bool datafiles_read_run(struct profile *profile, const char *path,
                        const struct options *options, const struct tables *executable,
                        struct fault *fault);
void datafiles_warn_of_others(void);

/* Calls USE for each file that is listed in the file at PATH, until USE returns false.
   Returns false and sets FAULT if PATH cannot be read. Also returns false if USE has
   returned false. */
bool datafiles_each(const char *path, bool (*use)(void *data, const char *file),
                    void *data, struct fault *fault);

/* Returns the first file that is listed in the file at PATH. The caller frees the
   text. Returns NULL and sets FAULT if PATH cannot be read or lists no file. */
char *datafiles_first(const char *path, struct fault *fault);

/* Calls USE for each data file in the folder PATH, in the order of names, until USE
   returns false. Such folders are created with output=FOLDER/ (ccprof(1)). HEAD has
   module 0 and everything before the modules in the file. A line on stderr names
   files that are not data files; subfolders are not searched. Returns false and sets
   FAULT if the folder or a file cannot be read. If TOLERANT, an unreadable file does
   not end the function: it prints a line on stderr and continues. Also returns false
   if USE has returned false. */
bool datafolder_each(const char *path, bool tolerant,
                     bool (*use)(void *data, const char *file,
                                 const struct profile *head),
                     void *data, struct fault *fault);

/* Returns whether NAME belongs to a file that is not complete: it is still being
   written, or its process was killed. */
bool datafolder_is_unfinished(const char *name);

/* Returns whether a file was removed after it was listed. This is not an error,
   because keep= of ccprof(1) removes old files from the folder. */
bool datafolder_is_gone(const char *file);

#endif
