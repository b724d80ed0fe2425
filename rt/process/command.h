/* SPDX-License-Identifier: MIT */
/* Remembers the command that started the process, as a person would type it, for the line
   `command' of mlmon.out(5).  */

#ifndef CCPROF_COMMAND_H
#define CCPROF_COMMAND_H

#include <stdbool.h>
#include <stddef.h>

/* The most bytes of the text in the file, where backslashes are doubled.  Arguments that
   do not fit become ` ...'.  */
#define CCPROF_COMMAND_MOST 1000

/* Bytes of the text with the dots and NUL.  */
#define CCPROF_COMMAND_SIZE (CCPROF_COMMAND_MOST + sizeof " ...")

/* Asks libc, or the kernel, for the command.  Constructor: later the program may have
   overwritten its arguments, or have another root.  Without WHOLE the text is the
   program's name, with ` ...' for arguments.  */
void ccprof_command_start(bool whole);

/* Returns the text; empty if the command is not known.  Async-signal-safe.  */
const char *ccprof_command(void);

/* Writes SIZE bytes of ARGUMENTS to TEXT, which has room for CCPROF_COMMAND_SIZE bytes,
   so that a shell would read the same arguments: without control characters, and in
   UTF-8.  Each argument ends with NUL unless it was cut off.  */
void ccprof_command_show(char *text, const char *arguments, size_t size);

#endif
