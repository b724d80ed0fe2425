/* SPDX-License-Identifier: MIT */
/* Holds the heap while the program forks, so that the child has one that is at rest, and
   begins anew in the child.  process/start.c gives these functions to pthread_atfork;
   nobody calls them in a signal's handler.  */

#ifndef CCPROF_HEAP_FORK_H
#define CCPROF_HEAP_FORK_H

/* Enclose fork: no other thread changes anything meanwhile.  In the child what is alive
   stays, and all else begins anew.  */
void ccprof_heap_fork_prepare(void);
void ccprof_heap_fork_parent(void);
void ccprof_heap_fork_child(void);

#endif
