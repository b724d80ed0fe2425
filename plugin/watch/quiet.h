/* SPDX-License-Identifier: GPL-3.0-or-later */
/* quiet: puts the watch of a quiet function (stopwatch.h) into its final code, for
   stopwatch: at the first instruction, before each return and before each jump to
   another function, where the function's own code is not yet or no longer running, a
   call that leaves all registers as they are.  There is one file for each processor;
   on a processor without one no function is taken for quiet.  */

#ifndef CCPROF_QUIET_H
#define CCPROF_QUIET_H

/* Whether this processor, in this compilation, can.  */
bool quiet_is_possible(void);

/* The instructions that enter, or leave, the region of that number (watched.h): the text
   of an asm; with the directives of call frame information if CFI.  The caller frees it.
   */
char *quiet_text(unsigned region, bool enters, bool cfi);

/* At the end of the compilation: what these call, if there were any.  */
void quiet_emit(void);

#endif
