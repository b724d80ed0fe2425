/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Asks for memory in large pages, for main: a large profile takes tens of megabytes at
   once, goes through them in leaps, and is done after some tens of milliseconds.  A fifth
   of these went into pages of 4 KiB, which the kernel finds, clears and enters one by
   one.  */

#ifndef MLPROF_HEAP_H
#define MLPROF_HEAP_H

/* Sets up what malloc gives out from now on.  Where there is no such memory, or no large
   pages, all stays as it was.  */
void heap_begin(void);

#endif
