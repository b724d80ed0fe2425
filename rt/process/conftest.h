/* SPDX-License-Identifier: MIT */
/* Programs that nobody wants the profile of: a configure script makes and runs them to
   find out what the compiler and the system can do.  */

#ifndef CCPROF_CONFTEST_H
#define CCPROF_CONFTEST_H

#include <stdbool.h>

/* Whether PATH, of an executable, is the name that Autoconf (conftest), CMake (cmTC_ and
   a hash, in a folder CMakeFiles) or Meson (in a folder meson-private) give to theirs. */
bool ccprof_conftest_is(const char *path);

/* Whether the process runs one.  */
bool ccprof_conftest_runs(void);

#endif
