/* SPDX-License-Identifier: MIT */
/* Gives a profile its name where a file of that name exists.  The profile of a former run
   of the same program is replaced.  That of another program, or of another process of
   this one that was running at the same time, is renamed: the name of its program is put
   behind its own.  */

#ifndef CCPROF_CLAIM_H
#define CCPROF_CLAIM_H

#include "rt/table/modules.h"

/* Of what a data file says in front of its modules, and of one of these.  */
#define CCPROF_CLAIM_HEAD 6000

/* What ccprof_claim() needs: the heads of two files and the name of the executable.  */
#define CCPROF_CLAIM_BUFFER (3 * CCPROF_CLAIM_HEAD)

/* Renames the file TEMPORARY to PATH.  What is put aside is said, once for each process.
   SELF is the executable.  Returns 0 or an errno value.  Async-signal-safe; one thread at
   a time; BUFFER, of CCPROF_CLAIM_BUFFER bytes, is for the time of the call.  */
int ccprof_claim(const char *temporary, const char *path,
                 const struct ccprof_module *self, char *buffer);

/* In the child of a fork.  */
void ccprof_claim_forget(void);

#endif
