/* SPDX-License-Identifier: MIT */
/* Replaces dlclose.  Owns nothing.  Called wherever the program calls dlclose.  */

#include <dlfcn.h>

#include "rt/heap/heap.h"
#include "rt/process/unload.h"
#include "rt/process/run.h"

int ccprof_unload_dlclose(void *object)
{
    int result;

    ccprof_run_attach();
    result = dlclose(object);
    ccprof_heap_unloaded();
    ccprof_run_attach();
    return result;
}
