/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a file may be instead of the one that is wanted: the mistakes that are easily made
   are told with their remedy.  */

#ifndef MLPROF_WRONG_FILE_H
#define MLPROF_WRONG_FILE_H

#include <stddef.h>

/* What the file at PATH, which DESCRIPTOR can read, is instead of an ELF file, and what
   to name instead; to be freed.  */
char *wrong_file_instead_of_program(const char *path, int descriptor);

/* The same of a text of SIZE bytes that should be a data file.  */
const char *wrong_file_instead_of_data(const char *text, size_t size);

#endif
