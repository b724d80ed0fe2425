/* SPDX-License-Identifier: MIT */
/* What the program unloads is seen before it goes (modules.h).  */

#ifndef CCPROF_UNLOAD_H
#define CCPROF_UNLOAD_H

/* In the place of dlclose.  */
int ccprof_unload_dlclose(void *object);

#endif
