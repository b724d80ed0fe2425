/* SPDX-License-Identifier: MIT */
/* Gives each child of fork a run and a file of its own.  Children of vfork and
   posix_spawn are not profiled.  */

#ifndef CCPROF_FORK_H
#define CCPROF_FORK_H

/* Constructor, once.  */
void ccprof_fork_install(void);

#endif
