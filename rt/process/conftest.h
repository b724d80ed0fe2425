/* SPDX-License-Identifier: MIT */
/* Recognizes the test programs of configure scripts, which find out what the compiler and
   the system can do, for the constructor: these programs are not profiled.  */

#ifndef CCPROF_CONFTEST_H
#define CCPROF_CONFTEST_H

#include <stdbool.h>

/* Returns whether PATH names a test program of Autoconf (conftest), CMake (cmTC_ and a
   hash, in a folder CMakeFiles) or Meson (in a folder meson-private).  */
bool ccprof_conftest_is(const char *path);

/* Returns whether this process runs a test program.  */
bool ccprof_conftest_runs(void);

#endif
