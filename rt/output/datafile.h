/* SPDX-License-Identifier: MIT */
/* Opens a data file under a temporary name, and gives the file its final name when it
   is complete.

   The folder may belong to another user, who may create or replace files there at any
   time. Therefore the runtime writes to no existing file except a pipe, and follows
   no symbolic link.

   A profile of an earlier run of the same program is replaced. A profile of another
   program, or of another process of the same program that ran at the same time, is
   renamed: the name of its program is appended. A profile belongs to the executable
   that it names (module 0 of mlmon.out(5)).

   All functions except start are async-signal-safe. Only one thread may call them at
   a time. */

#ifndef CCPROF_DATAFILE_H
#define CCPROF_DATAFILE_H

#include <stdbool.h>
#include <stddef.h>

#include "rt/os/file.h"
#include "rt/samples/modules.h"

/* The error if the file is a device, a socket, a pipe of another user except root, a
   symbolic link to one of these, or a symbolic link into /proc. */
#define CCPROF_DATAFILE_REFUSED EMEDIUMTYPE

/* Opens PATH if it is a pipe, without waiting for a reader. Otherwise opens a new
   temporary file in the same folder. Sets *TEMPORARY to the name of this file, which
   is valid until the next call, or to null for a pipe. The caller closes *FILE. On
   errors returns false, sets errno, and sets *WRONG to the name of the file that has
   the error. */
bool ccprof_datafile_open(struct ccprof_file *file, const char *path,
                          const char **temporary, const char **wrong);

/* Number of bytes read from the head of a data file, so that its first module is
   included. Also the number of bytes for the name of a module. */
#define CCPROF_DATAFILE_HEAD 6000

/* Number of bytes that ccprof_datafile_place needs: the heads of two files, and the
   name of the executable. */
#define CCPROF_DATAFILE_BUFFER (3 * CCPROF_DATAFILE_HEAD)

/* Renames the file TEMPORARY to PATH, the name of the run's own file. If this renames
   another program's profile, prints a message, once per process. SELF is the
   executable. BUFFER has CCPROF_DATAFILE_BUFFER bytes, which are used during the
   call. Returns 0 or an errno value. */
int ccprof_datafile_place(const char *temporary, const char *path,
                          const struct ccprof_module *self, char *buffer);

/* Records the files that exist when the process, or the child of a fork, starts. PATH
   is the future name of its profile. Called in the constructor and in the child of a
   fork. */
void ccprof_datafile_start(const char *path);

/* Records the file PATH as the file written last, if OWN_PATH is the same file. This
   process has just written it. */
void ccprof_datafile_wrote(const char *path, const char *own_path);

/* Only the unit test uses the declarations below, to check the decisions on single
   files. */

/* A program: build ID and path, in the form of mlmon.out(5). */
struct ccprof_datafile_program {
    const char *id, *path;
};

enum ccprof_datafile_owner {
    CCPROF_DATAFILE_NONE,    /* no such file */
    CCPROF_DATAFILE_UNKNOWN, /* not a profile, or not readable */
    /* Written by this process, or by an earlier run of this program. */
    CCPROF_DATAFILE_OURS,
    CCPROF_DATAFILE_TWIN, /* written by another process of this program that ran at the
                             same time */
    CCPROF_DATAFILE_OTHER /* written by another program */
};

/* Records the files that now have the names PATH and ASIDE. If one of these names
   later belongs to another file, that file was written while this process was running,
   even if its time says otherwise. For other names, the time of the file decides. */
void ccprof_datafile_remember(const char *path, const char *aside);

/* Fills in PROGRAM for the executable MODULE, with texts in BUFFER. Returns false if
   BUFFER is too small. */
bool ccprof_datafile_program_of(const struct ccprof_module *module, char *buffer,
                                size_t size, struct ccprof_datafile_program *program);

/* Returns the kind of program that wrote the profile PATH. NAME is the file's name
   before it was renamed, or PATH. A profile belongs to SELF if the build ID or the
   path is the same. Fills in FOUND, with texts in BUFFER, for TWIN, OTHER, and a file
   of an earlier run. */
enum ccprof_datafile_owner
ccprof_datafile_owner(const char *path, const char *name,
                      const struct ccprof_datafile_program *self, char *buffer,
                      size_t size, struct ccprof_datafile_program *found);

#endif
