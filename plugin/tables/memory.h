/* SPDX-License-Identifier: GPL-3.0-or-later */
/* memory: allocates memory of the plugin's own (never GCC's collector), for all rooms:
   out of memory ends the compilation with one line.  Knows nothing of GCC, whose
   headers forbid the plain names.  */

#ifndef CCPROF_MEMORY_H
#define CCPROF_MEMORY_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Makes room for NEEDED elements of SIZE bytes in the array OLD, which has *ROOM;
   doubles, so that appending one by one is linear.  */
void *memory_reserve(void *old, size_t *room, size_t needed, size_t size);

void *memory_zeroed(size_t count, size_t size);
void memory_free(void *memory);

#ifdef __cplusplus
}
#endif

#endif
