/* SPDX-License-Identifier: MIT */
/* Owns the CPU time of forked children that had no sample.  Such a child writes no file
   but gives its CPU time to its parent, whose file contains it.  A shell would otherwise
   write a file for each command, and writing it would take longer than most children
   run.

   A process shares a page with its children, which is mapped before its first fork.  A
   child whose parent has ended, or has already written its file, writes a file itself.
   All functions are async-signal-safe.  */

#ifndef CCPROF_CHILDREN_H
#define CCPROF_CHILDREN_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Maps the page.  Without memory, all children write files.  Called before a fork, in
   one thread at a time.  */
void ccprof_children_prepare(void);

/* Starts anew in the child of a fork of the process PARENT.  */
void ccprof_children_drop(pid_t parent);

/* Stops children from giving their time to this process: it writes its last file now,
   or starts another program.  */
void ccprof_children_close(void);

/* Returns the nanoseconds of CPU time for the file of a process that used CPU
   nanoseconds: with those of its children, and without those that it has given.  */
uint64_t ccprof_children_cpu(uint64_t cpu);

/* Gives CPU, a result of ccprof_children_cpu, to the parent.  Returns false if the
   process must write a file.  */
bool ccprof_children_give(uint64_t cpu);

#endif
