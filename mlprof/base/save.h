/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes a file whose content is ready, for viewfiles.c.  */

#ifndef MLPROF_SAVE_H
#define MLPROF_SAVE_H

#include "mlprof/base/fault.h"

#include <stddef.h>

/* Whether PATH is `-', which means standard output.  */
bool save_is_output(const char *path);

/* Writes SIZE bytes of TEXT to the file at PATH.  False and FAULT if that is not
   possible.  */
bool save_file(const char *path, const char *text, size_t size, struct fault *fault);

#endif
