/* SPDX-License-Identifier: MIT */
/* Children of fork: each starts afresh and writes a file of its own.  Those of
   vfork and posix_spawn are none of ours.  */

#ifndef CCPROF_FORK_H
#define CCPROF_FORK_H

/* Constructor, once.  */
void ccprof_fork_install(void);

#endif
