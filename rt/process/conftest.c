/* SPDX-License-Identifier: MIT */
/* Compares the executable's name.  Owns nothing.  Called by the constructor.  */

#define _GNU_SOURCE
#include <string.h>

#include "rt/process/conftest.h"
#include "rt/os/proc.h"

bool ccprof_conftest_is(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;

    return strcmp(name, "conftest") == 0 ||
           (strncmp(name, "cmTC_", 5) == 0 && strstr(path, "/CMakeFiles/")) ||
           strstr(path, "/meson-private/");
}

bool ccprof_conftest_runs(void)
{
    return ccprof_conftest_is(ccprof_program());
}
