/* SPDX-License-Identifier: MIT */
/* Opens the file or pipe to which a profile is written, for mlmon.c.  The folder may
   belong to another user, who may put anything there at any time: so nothing that exists
   is written to except a pipe, and no symbolic link is followed.  */

#ifndef CCPROF_DESTINATION_H
#define CCPROF_DESTINATION_H

#include <stdbool.h>

#include "rt/os/file.h"

/* The error for a device, a socket, a pipe of another user except root, and a symbolic
   link to one of these or into /proc.  */
#define CCPROF_DESTINATION_REFUSED EMEDIUMTYPE

/* Opens PATH if it is a pipe, without waiting for a reader; otherwise opens a new
   temporary file beside PATH.  *TEMPORARY becomes its name, which is valid until the next
   call, or null for a pipe.  The caller closes *FILE.  Returns false, with errno
   set and the file that has the error in *WRONG.  Async-signal-safe; one thread at a
   time.  */
bool ccprof_destination_open(struct ccprof_file *file, const char *path,
                             const char **temporary, const char **wrong);

#endif
