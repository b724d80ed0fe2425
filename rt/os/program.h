/* SPDX-License-Identifier: MIT */
/* Tells the executable's path, for which the kernel is asked once.  */

#ifndef CCPROF_PROGRAM_H
#define CCPROF_PROGRAM_H

/* As it was when the process was first asked about; empty if the kernel does
   not say. First in the constructor.  */
const char *ccprof_program(void);

#endif
