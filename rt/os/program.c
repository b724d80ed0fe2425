/* SPDX-License-Identifier: MIT */
/* Asks the kernel for the executable's path, and owns the path.  The constructor makes
   the first call.  */

#define _GNU_SOURCE
#include <limits.h>
#include <stdbool.h>

#include "rt/os/program.h"
#include "rt/os/sys.h"

static char path[PATH_MAX];
static bool asked;

const char *ccprof_program(void)
{
    if (!asked) {
        ssize_t length = ccprof_sys_readlink("/proc/self/exe", path, sizeof path - 1);

        path[length > 0 ? length : 0] = '\0';
        asked = true;
    }
    return path;
}
