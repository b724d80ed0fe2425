/* SPDX-License-Identifier: GPL-3.0-or-later */
/* threadword: makes thread-local words for modules whose code reads them and for the
   runtime, which finds them: each thread has its own word in each executable or shared
   object, whatever number of its objects write one.  */

#ifndef CCPROF_THREADWORD_H
#define CCPROF_THREADWORD_H

/* The variable of that name and type, as code of this compilation refers to it.  */
tree threadword_declare(const char *word, tree type);

/* Writes WORD, of SIZE bytes, and the function WORD_offset that gives its distance from
   the thread pointer, both hidden, in a COMDAT group.  It starts as the operands VALUES
   of .8byte, or as zero if that is NULL.  */
void threadword_emit(const char *word, unsigned size, const char *values);

#endif
