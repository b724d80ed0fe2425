/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads a whole text file into memory, for the readers of data files and source files.
 */

#ifndef MLPROF_CONTENT_H
#define MLPROF_CONTENT_H

#include "mlprof/base/fault.h"

#include <stddef.h>

/* The content of the file at PATH with a NUL behind it, to be freed; NULL and FAULT if
   it cannot be read.  One that does not begin with START, if that is not NULL, is read
   only at its start: it is not what the caller looks for, and may be endless.  */
char *content_read(const char *path, const char *start, size_t *size,
                   struct fault *fault);

/* The first MOST bytes of the file, or fewer if it is shorter.  */
char *content_read_start(const char *path, size_t most, size_t *size,
                         struct fault *fault);

#endif
