/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What differs between processors: one file threadword-NAME.cc for each, NAME as in the
   first word of `gcc -dumpmachine'; for threadword.cc.  */

#ifndef CCPROF_THREADWORD_INSIDE_H
#define CCPROF_THREADWORD_INSIDE_H

/* Prints the instructions of the function WORD_offset behind its label: it gives the
   distance of WORD from the thread pointer, which the loader knows (initial-exec).  The
   runtime looks at them, too (rt/unwind/store.h).  */
void threadword_print_offset(const char *word);

#endif
