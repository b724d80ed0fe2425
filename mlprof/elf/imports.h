/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tells which functions of other modules an executable or shared object uses.  */

#ifndef MLPROF_IMPORTS_H
#define MLPROF_IMPORTS_H

#include <stdbool.h>

/* The file at PATH uses a member of std::string that may allocate and that libstdc++.so
   has: its headers declare `extern template class basic_string<char>', so that the code
   is not the program's.  False if the file cannot be read.  */
bool imports_strings(const char *path);

#endif
