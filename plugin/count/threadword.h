/* SPDX-License-Identifier: GPL-3.0-or-later */
/* threadword: words of which each thread has its own and each executable or shared object
   one, whatever number of objects emits it; and how the runtime finds them.  */

#ifndef CCPROF_THREADWORD_H
#define CCPROF_THREADWORD_H

/* The variable of that name and type, as code of this compilation refers to it.  */
tree threadword_declare(const char *word, tree type);

/* Writes WORD, of SIZE bytes, and the function WORD_offset that gives its distance from
   the thread pointer, both hidden, in a COMDAT group.  It starts as the operands VALUES
   of .8byte, or as zero if that is NULL.  */
void threadword_emit(const char *word, unsigned size, const char *values);

#endif
