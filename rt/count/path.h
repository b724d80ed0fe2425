/* SPDX-License-Identifier: MIT */
/* Makes all modules of kind alloc use the same word of a thread as its path
   (plugin/alloc/alloc-path.cc), and clears the path when it leads to counters that are
   gone.  For the constructor and counts-storage.c.  */

#ifndef CCPROF_PATH_H
#define CCPROF_PATH_H

#include <stddef.h>
#include <stdint.h>

/* Makes the module that holds ADDRESS, which is of kind alloc, use the word.
   Constructor, one thread at a time.  */
void ccprof_path_attach(const void *address);

/* Tells that SIZE bytes of counters at FROM are freed, in which the thread with the
   pointer THREAD has counted.  If its path leads there, the path is cleared.  */
void ccprof_path_forget(uintptr_t thread, const void *from, size_t size);

#endif
