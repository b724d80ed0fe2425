/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads a whole text file into memory, for the readers of data files and source files.
 */

#ifndef MLPROF_CONTENT_H
#define MLPROF_CONTENT_H

#include "mlprof/base/fault.h"
#include "mlprof/base/regular.h"

#include <stddef.h>

/* The content of the file at PATH, which the user has named, with a NUL behind it; to be
   freed.  NULL and FAULT if it cannot be read.  If START is not NULL and the file does
   not begin with START, or if it has a NUL, only a part is read: it is not what the
   caller looks for, and may be endless.  */
char *content_read(const char *path, const char *start, size_t *size,
                   struct fault *fault);

/* Like content_read, for a file that the user has not named: at most the first MOST
   bytes, and only of a regular file.  FAULT_FORMAT if it is no regular file.  */
char *content_read_found(const char *path, const char *start, size_t most, size_t *size,
                         struct fault *fault);

/* Like content_read, for a regular FILE that is open, of which as much as its size is
   read.  FILE is closed.  */
char *content_read_regular(const struct regular *file, const char *path,
                           const char *start, size_t *size, struct fault *fault);

#endif
