/* SPDX-License-Identifier: MIT */
/* Records the program's modules before one of them is unloaded (modules.h).  */

#ifndef CCPROF_UNLOAD_H
#define CCPROF_UNLOAD_H

/* Replaces dlclose.  */
int ccprof_unload_dlclose(void *object);

#endif
