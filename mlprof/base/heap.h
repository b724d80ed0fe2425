/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Asks for memory in large pages, for main.  A large profile takes tens of megabytes at
   once, goes through them in leaps, and is done after some tens of milliseconds; a fifth
   of this time went into pages of 4 KiB, which the kernel clears and enters one by
   one.  */

#ifndef MLPROF_HEAP_H
#define MLPROF_HEAP_H

/* Sets up what malloc returns from now on.  Does nothing where there are no large
   pages.  */
void heap_begin(void);

#endif
