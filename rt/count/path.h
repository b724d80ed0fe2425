/* SPDX-License-Identifier: MIT */
/* Sees to it that all modules of kind alloc mean the same word of a thread by its path
   (plugin/alloc/alloc-path.cc), and that it does not lead to counters that are gone.  */

#ifndef CCPROF_PATH_H
#define CCPROF_PATH_H

#include <stddef.h>
#include <stdint.h>

/* The module that holds ADDRESS is of kind alloc.  Constructor, one thread at a time.  */
void ccprof_path_attach(const void *address);

/* SIZE bytes of counters at FROM are given back, in which the thread whose pointer is
   THREAD counts no more: if its path leads there it has none from now on.  */
void ccprof_path_forget(uintptr_t thread, const void *from, size_t size);

#endif
