/* SPDX-License-Identifier: MIT */
/* Gives a profile its name where a file of that name exists, for mlmon.c.  A profile of
   an earlier run of the same program is replaced.  A profile of another program, or of
   another process of the same program that ran at the same time, is renamed: the name of
   its program is appended.  */

#ifndef CCPROF_CLAIM_H
#define CCPROF_CLAIM_H

#include "rt/samples/modules.h"

/* Bytes read from the head of a data file, up to its first module; and bytes for the name
   of a module.  */
#define CCPROF_CLAIM_HEAD 6000

/* Bytes that ccprof_claim needs: the heads of two files and the name of the
   executable.  */
#define CCPROF_CLAIM_BUFFER (3 * CCPROF_CLAIM_HEAD)

/* Renames the file TEMPORARY to PATH.  A message tells, once for each process, what
   profile was renamed.  SELF is the executable.  BUFFER has CCPROF_CLAIM_BUFFER bytes,
   which are used during the call.  Returns 0 or an errno value.  Async-signal-safe; one
   thread at a time.  */
int ccprof_claim(const char *temporary, const char *path,
                 const struct ccprof_module *self, char *buffer);

/* Remembers which profiles exist when the process, or the child of a fork, starts: PATH
   is the name that its profile will get.  Constructor, and the child of a fork.  */
void ccprof_claim_start(const char *path);

#endif
