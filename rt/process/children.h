/* SPDX-License-Identifier: MIT */
/* Owns the CPU time of forked children that had no sample. Such a child writes no file
   but adds its CPU time to a page that the process shares with its children. The next
   child that does write a file takes the time into it, and the process takes the rest
   into its last file. A shell would otherwise write a file for each command, and
   writing it would take longer than most children run.

   All functions are async-signal-safe. */

#ifndef CCPROF_CHILDREN_H
#define CCPROF_CHILDREN_H

#include <stdbool.h>
#include <stdint.h>

/* Maps the page. Without memory, all children write files. Called before a fork, in
   one thread at a time. */
void ccprof_children_prepare(void);

/* Starts anew in the child of a fork. */
void ccprof_children_drop(void);

/* Takes the time of children before the process writes its last file or starts another
   program. From now on, children write files. Returns whether there is time of
   children. */
bool ccprof_children_close(void);

/* Undoes ccprof_children_close: the process continues. */
void ccprof_children_open(void);

/* Returns the nanoseconds of CPU time for the file of a process that used CPU
   nanoseconds. Takes what children of the same parent have given. */
uint64_t ccprof_children_cpu(uint64_t cpu);

/* Gives CPU and the time of the process's own children to the parent. Called after
   close. Returns false if the process must write a file. */
bool ccprof_children_give(uint64_t cpu);

#endif
