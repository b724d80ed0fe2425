/* SPDX-License-Identifier: MIT */
/* Finds out whose profile a file is, by its executable (module 0 of mlmon.out(5)), for
   claim.c.  */

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

/* Remembers the time: what is written later was written while this process was running.
   Constructor, and the child of a fork.  */
void ccprof_owner_start(void);

/* Remembers the file PATH, which this process has just written, if it is the file OWN.
   Async-signal-safe, as are the others; one thread at a time.  */
void ccprof_owner_wrote(const char *path, const char *own);

/* Fills in PROGRAM for the executable MODULE, with texts in the buffer.  Returns false if
   there is no room.  */
bool ccprof_owner_module(const struct ccprof_module *module, char *buffer, size_t size,
                         struct ccprof_owner_program *program);

/* Whose profile the file PATH is.  A program is the same as SELF, this one, if its
   build-id or its path is.  FOUND is filled in, with texts in the buffer, if the program
   is known: for TWIN, OTHER, and an older file of OURS.  */
enum ccprof_owner ccprof_owner(const char *path, const struct ccprof_owner_program *self,
                               char *buffer, size_t size,
                               struct ccprof_owner_program *found);

#endif
