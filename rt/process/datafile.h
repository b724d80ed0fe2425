/* SPDX-License-Identifier: MIT */
/* Opens a data file under a temporary name, and gives it its name when it is complete.

   The folder may belong to another user, who may put anything there at any time: so
   nothing that exists is written to except a pipe, and no symbolic link is followed.

   A profile of an earlier run of the same program is replaced.  A profile of another
   program, or of another process of the same program that ran at the same time, is
   renamed: the name of its program is appended.  A profile belongs to the executable that
   it names (module 0 of mlmon.out(5)).

   All functions but start are async-signal-safe; one thread at a time.  */

#ifndef CCPROF_DATAFILE_H
#define CCPROF_DATAFILE_H

#include <stdbool.h>
#include <stddef.h>

#include "rt/os/file.h"
#include "rt/samples/modules.h"

/* The error for a device, a socket, a pipe of another user except root, and a symbolic
   link to one of these or into /proc.  */
#define CCPROF_DATAFILE_REFUSED EMEDIUMTYPE

/* Opens PATH if it is a pipe, without waiting for a reader; otherwise opens a new
   temporary file beside PATH.  *TEMPORARY becomes its name, which is valid until the next
   call, or null for a pipe.  The caller closes *FILE.  Returns false, with errno
   set and the file that has the error in *WRONG.  */
bool ccprof_datafile_open(struct ccprof_file *file, const char *path,
                          const char **temporary, const char **wrong);

/* Bytes read from the head of a data file, up to its first module; and bytes for the name
   of a module.  */
#define CCPROF_DATAFILE_HEAD 6000

/* Bytes that ccprof_datafile_place needs: the heads of two files and the name of the
   executable.  */
#define CCPROF_DATAFILE_BUFFER (3 * CCPROF_DATAFILE_HEAD)

/* Renames the file TEMPORARY to PATH, the name of the run's own file.  If another profile
   is renamed, a message says so, once for each process.  SELF is the executable.  BUFFER
   has CCPROF_DATAFILE_BUFFER bytes, which are used during the call.  Returns 0 or an
   errno value.  */
int ccprof_datafile_place(const char *temporary, const char *path,
                          const struct ccprof_module *self, char *buffer);

/* Remembers which profiles exist when the process, or the child of a fork, starts: PATH
   is the name that its profile will get.  Constructor, and the child of a fork.  */
void ccprof_datafile_start(const char *path);

/* Remembers the file PATH, which this process has just written, if OWN is the same file.
 */
void ccprof_datafile_wrote(const char *path, const char *own);

/* The rest is for the unit test, which decides on files one by one.  */

/* A program, as mlmon.out(5) writes its build-id and path.  */
struct ccprof_datafile_program {
    const char *id, *path;
};

enum ccprof_datafile_owner {
    CCPROF_DATAFILE_NONE,    /* nothing is there */
    CCPROF_DATAFILE_UNKNOWN, /* it is no profile, or cannot be read */
    /* Written by this process, or by this program in an earlier run.  */
    CCPROF_DATAFILE_OURS,
    CCPROF_DATAFILE_TWIN, /* written by this program while this process was running */
    CCPROF_DATAFILE_OTHER /* another program's */
};

/* Remembers which files have the names PATH and ASIDE.  Any other file that has one of
   these names later was written while this process was running, whatever the clock says.
   The times of files decide about other names.  */
void ccprof_datafile_remember(const char *path, const char *aside);

/* Fills in PROGRAM for the executable MODULE; the texts are in BUFFER.  Returns false if
   there is no room.  */
bool ccprof_datafile_program_of(const struct ccprof_module *module, char *buffer,
                                size_t size, struct ccprof_datafile_program *program);

/* Returns whose profile the file PATH is; NAME is the name that it had before it was
   renamed, or PATH.  Its program is the same as SELF if the build-id or the path is the
   same.  If the program is known, fills in FOUND, with texts in BUFFER: for TWIN, OTHER,
   and an older file of OURS.  */
enum ccprof_datafile_owner
ccprof_datafile_owner(const char *path, const char *name,
                      const struct ccprof_datafile_program *self, char *buffer,
                      size_t size, struct ccprof_datafile_program *found);

#endif
