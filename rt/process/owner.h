/* SPDX-License-Identifier: MIT */
/* Whose profile a file is, by its executable (module 0 of mlmon.out(5)).  */

#ifndef CCPROF_OWNER_H
#define CCPROF_OWNER_H

#include <stdbool.h>
#include <stddef.h>

#include "rt/table/modules.h"

/* A program, as mlmon.out(5) writes its build-id and path.  */
struct ccprof_owner_program {
    const char *id, *path;
};

enum ccprof_owner {
    CCPROF_OWNER_NOBODY,  /* nothing is there */
    CCPROF_OWNER_UNKNOWN, /* it is no profile, or cannot be read */
    CCPROF_OWNER_OURS, /* this process has written it, or this program in a former run */
    CCPROF_OWNER_TWIN, /* this program's, written while this process was running */
    CCPROF_OWNER_OTHER /* another program's */
};

/* What is written from now on was written while this process was running.  Constructor,
   and the child of a fork.  */
void ccprof_owner_start(void);

/* This process has just written the file PATH; that is remembered if it is the file OWN.
   Async-signal-safe, as are the others; one thread at a time.  */
void ccprof_owner_wrote(const char *path, const char *own);

/* The executable's names, in the buffer.  Returns false if there is no room.  */
bool ccprof_owner_module(const struct ccprof_module *module, char *buffer, size_t size,
                         struct ccprof_owner_program *program);

/* A program is the same if its build-id or its path is.  SELF is taken for this one;
   FOUND is whose it is, in the buffer, if that is known: TWIN, OTHER, or an older one of
   OURS.  */
enum ccprof_owner ccprof_owner(const char *path, const struct ccprof_owner_program *self,
                               char *buffer, size_t size,
                               struct ccprof_owner_program *found);

#endif
