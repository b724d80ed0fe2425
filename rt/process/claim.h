/* SPDX-License-Identifier: MIT */
/* Gives a profile its name where a file of that name exists.  The profile of a former run
   of the same program is replaced.  That of another program, or of another process of
   this one that was running at the same time, is renamed: the name of its program is put
   behind its own.  */

#ifndef CCPROF_CLAIM_H
#define CCPROF_CLAIM_H

#include <stddef.h>

#include "rt/table/modules.h"

/* Renames the file TEMPORARY to PATH.  What is put aside is said, once for each process.
   SELF is the executable.  Returns 0 or an errno value.  Async-signal-safe; one thread at
   a time; BUFFER is for the time of the call.  */
int ccprof_claim(const char *temporary, const char *path,
                 const struct ccprof_module *self, char *buffer, size_t size);

/* In the child of a fork.  */
void ccprof_claim_forget(void);

#endif
