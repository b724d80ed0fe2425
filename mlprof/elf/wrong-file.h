/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recognizes a file that was named by mistake, for the readers of programs and of data
   files: tells what it is and what to name instead.  */

#ifndef MLPROF_WRONG_FILE_H
#define MLPROF_WRONG_FILE_H

#include <stddef.h>

/* Tells what the file at PATH, which DESCRIPTOR can read, is instead of an ELF file, and
   what to name instead; to be freed.  */
char *wrong_file_instead_of_program(const char *path, int descriptor);

/* The same of a text of SIZE bytes that should be a data file.  */
const char *wrong_file_instead_of_data(const char *text, size_t size);

#endif
