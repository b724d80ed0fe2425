/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opens files whose names the user has not given: tables, data files and folders have
   them.  For all who read such files.  */

#ifndef MLPROF_REGULAR_H
#define MLPROF_REGULAR_H

#include <stdint.h>

enum regular_state {
    REGULAR_IS,     /* a regular file, which is open */
    REGULAR_CANNOT, /* be opened; errno says why */
    REGULAR_FOLDER,
    REGULAR_OTHER, /* a pipe, a device, a socket: opening one may have effects */
    REGULAR_EMPTY, /* or without a size, as the kernel's own files are, some of which
                      never end, or are gone when they are read */
};

struct regular {
    int descriptor; /* the caller closes it */
    uint64_t size;
};

/* Opens the file at PATH for reading, without waiting for anything.  FILE is filled if it
   is a regular file with a size, and nothing is open otherwise.  */
enum regular_state regular_open(const char *path, struct regular *file);

/* What STATE, which is not REGULAR_IS, is called; valid until errno's next text is.  */
const char *regular_tell(enum regular_state state);

#endif
