/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tells which functions of other modules an executable or shared object uses.  */

#ifndef MLPROF_IMPORTS_H
#define MLPROF_IMPORTS_H

#include <stdbool.h>

/* Whether the file at PATH uses a member of std::string that may allocate and whose code
   is in libstdc++.so: the headers declare `extern template class basic_string<char>', so
   the program has no such code of its own.  False if the file cannot be read.  */
bool imports_strings(const char *path);

#endif
