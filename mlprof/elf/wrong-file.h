/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recognizes a file that was named by mistake, for the readers of programs and of data
   files: says what the file is and what to name instead.  */

#ifndef MLPROF_WRONG_FILE_H
#define MLPROF_WRONG_FILE_H

#include <stddef.h>

/* Says what the file at PATH is, which was expected to be an ELF file, and what to name
   instead; to be freed.  DESCRIPTOR reads the file.  */
char *wrong_file_instead_of_program(const char *path, int descriptor);

/* The same for a text of SIZE bytes that was expected to be a data file.  */
const char *wrong_file_instead_of_data(const char *text, size_t size);

#endif
