/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compresses a file as gzip does, for the writer of gcov's JSON.  */

#ifndef MLPROF_GZIP_H
#define MLPROF_GZIP_H

#include <stdbool.h>
#include <stddef.h>

/* Whether a file is to be compressed: PATH ends in .gz.  */
bool gzip_is_wanted(const char *path);

/* SIZE bytes of TEXT, compressed; to be freed.  *LENGTH is set to their number.  */
char *gzip_compress(const char *text, size_t size, size_t *length);

#endif
