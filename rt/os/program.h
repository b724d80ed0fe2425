/* SPDX-License-Identifier: MIT */
/* Gives the executable's path to the modules that name the program.  */

#ifndef CCPROF_PROGRAM_H
#define CCPROF_PROGRAM_H

/* Returns the path, as the kernel gave it at the first call, which must be in the
   constructor; an empty string if the kernel gave none.  */
const char *ccprof_program(void);

#endif
