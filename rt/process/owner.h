/* SPDX-License-Identifier: MIT */
/* Finds out whose profile a file is, by the executable that it names (module 0 of
   mlmon.out(5)), for claim.c.  */

#ifndef CCPROF_OWNER_H
#define CCPROF_OWNER_H

#include <stdbool.h>
#include <stddef.h>

#include "rt/samples/modules.h"

/* A program, as mlmon.out(5) writes its build-id and path.  */
struct ccprof_owner_program {
    const char *id, *path;
};

enum ccprof_owner {
    CCPROF_OWNER_NOBODY,  /* nothing is there */
    CCPROF_OWNER_UNKNOWN, /* it is no profile, or cannot be read */
    /* Written by this process, or by this program in an earlier run.  */
    CCPROF_OWNER_OURS,
    CCPROF_OWNER_TWIN, /* written by this program while this process was running */
    CCPROF_OWNER_OTHER /* another program's */
};

/* Remembers which files have the names PATH and ASIDE: any other file that has one of
   these names later was written while this process was running, whatever the clock says.
   Of other names the times of files decide.  Constructor, and the child of a fork.  */
void ccprof_owner_start(const char *path, const char *aside);

/* Remembers the file PATH, which this process has just written, if OWN is the same file.
   Async-signal-safe, as are the functions below; one thread at a time.  */
void ccprof_owner_wrote(const char *path, const char *own);

/* Fills in PROGRAM for the executable MODULE; the texts are in BUFFER.  Returns false if
   there is no room.  */
bool ccprof_owner_module(const struct ccprof_module *module, char *buffer, size_t size,
                         struct ccprof_owner_program *program);

/* Tells whose profile the file PATH is; NAME is the name that it had before it was
   renamed, or PATH.  Its program is the same as SELF if the build-id or the path is the
   same.  If the program is known, FOUND is filled in, with texts in BUFFER: for TWIN,
   OTHER, and an older file of OURS.  */
enum ccprof_owner ccprof_owner(const char *path, const char *name,
                               const struct ccprof_owner_program *self, char *buffer,
                               size_t size, struct ccprof_owner_program *found);

#endif
