/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes files whose content is ready.  */

#ifndef MLPROF_SAVE_H
#define MLPROF_SAVE_H

#include "mlprof/base/fault.h"

#include <stddef.h>

/* Whether PATH is `-', which means standard output.  */
bool save_is_output(const char *path);

/* Writes SIZE bytes of TEXT to the file at PATH, which the user has named: a symbolic
   link is followed, and a pipe or a device is written to.  False and FAULT if that is not
   possible.  */
bool save_file(const char *path, const char *text, size_t size, struct fault *fault);

/* Writes SIZE bytes of TEXT to the file at PATH, whose last component mlprof has made up.
   Somebody else may have put a symbolic link there, so the text goes to a new file in the
   same folder, which is renamed to PATH.  A regular file at PATH is replaced; its owner
   and its permissions are kept.  False and FAULT if anything else is there, or if the
   file cannot be written; nothing has changed then.  */
bool save_made_up(const char *path, const char *text, size_t size, struct fault *fault);

#endif
