/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads a whole text file into memory, for the readers of data files and source files.
 */

#ifndef MLPROF_CONTENT_H
#define MLPROF_CONTENT_H

#include "mlprof/base/fault.h"
#include "mlprof/base/regular.h"

#include <stddef.h>

/* The content of the file at PATH, which the user has named, with a NUL behind it, to be
   freed; NULL and FAULT if it cannot be read.  What does not begin with START, if that is
   not NULL, or has a NUL, is read only so far: it is not what the caller looks for, and
   may be endless.  */
char *content_read(const char *path, const char *start, size_t *size,
                   struct fault *fault);

/* The same of a file that something else has named: of a regular one, its first MOST
   bytes or what there is.  FAULT_FORMAT if it is none.  */
char *content_read_found(const char *path, const char *start, size_t most, size_t *size,
                         struct fault *fault);

/* The same of one that is open, which is closed: as much as its size.  */
char *content_read_regular(const struct regular *file, const char *path,
                           const char *start, size_t *size, struct fault *fault);

#endif
