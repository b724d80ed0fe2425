/* SPDX-License-Identifier: MIT */
/* Remembers the command that started the process, as a person would type it; the line
   `command' of mlmon.out(5).  */

#ifndef CCPROF_COMMAND_H
#define CCPROF_COMMAND_H

#include <stdbool.h>
#include <stddef.h>

/* Bytes of the text as it stands in the file, where backslashes are doubled; arguments
   behind these become ` ...'.  */
#define CCPROF_COMMAND_MOST 1000

/* With the dots and NUL.  */
#define CCPROF_COMMAND_SIZE (CCPROF_COMMAND_MOST + sizeof " ...")

/* Asks libc, or the kernel.  Constructor: later the program may have written over its
   arguments, or have another root.  Without WHOLE it is the program's name, and ` ...'
   for the arguments.  */
void ccprof_command_start(bool whole);

/* Empty if it is not known.  Async-signal-safe.  */
const char *ccprof_command(void);

/* Writes to TEXT, which has room for CCPROF_COMMAND_SIZE, SIZE bytes of ARGUMENTS, each
   of which ends with NUL unless it was cut off, as a shell reads them: no control
   characters, and UTF-8.  */
void ccprof_command_show(char *text, const char *arguments, size_t size);

#endif
