/* SPDX-License-Identifier: MIT */
/* Gives each child of fork its own run and its own file, for the constructor.  Children
   of vfork and posix_spawn are not profiled.  */

#ifndef CCPROF_FORK_H
#define CCPROF_FORK_H

/* Constructor, once.  */
void ccprof_fork_install(void);

/* Lets the heap, too, know of forks (rt/heap/heap.h).  Constructor, once.  */
void ccprof_fork_install_heap(void);

#endif
