/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opens files whose names the user has not given, but that stand in tables, data files
   and folders.  For all modules that read such files.  */

#ifndef MLPROF_REGULAR_H
#define MLPROF_REGULAR_H

#include <stdint.h>

enum regular_state {
    REGULAR_IS,     /* a regular file, which is open */
    REGULAR_CANNOT, /* the file cannot be opened; errno says why */
    REGULAR_FOLDER,
    REGULAR_OTHER, /* a pipe, a device, a socket: opening it may have effects */
    /* A file without bytes.  The kernel's own files have no size, and some of them never
       end, or lose what is read.  */
    REGULAR_EMPTY,
};

struct regular {
    int descriptor; /* the caller closes it */
    uint64_t size;
};

/* Opens the file at PATH for reading, without waiting for anything.  FILE is set if it is
   a regular file with a size; otherwise nothing is open.  */
enum regular_state regular_open(const char *path, struct regular *file);

/* The description of STATE, which is not REGULAR_IS; valid until the next text of
   errno.  */
const char *regular_tell(enum regular_state state);

#endif
