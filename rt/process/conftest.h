/* SPDX-License-Identifier: MIT */
/* Recognizes test programs of configure scripts, which are made and run to find out what
   the compiler and the system can do: they are not profiled.  */

#ifndef CCPROF_CONFTEST_H
#define CCPROF_CONFTEST_H

#include <stdbool.h>

/* Whether PATH, of an executable, is the name that Autoconf (conftest), CMake (cmTC_ and
   a hash, in a folder CMakeFiles) or Meson (in a folder meson-private) give to theirs. */
bool ccprof_conftest_is(const char *path);

/* Whether the process runs one.  */
bool ccprof_conftest_runs(void);

#endif
