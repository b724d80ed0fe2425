/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Says where the code of an executable or shared object is loaded, for the formats that
   have mappings, and whether an executable is linked statically.  */

#ifndef MLPROF_SEGMENTS_H
#define MLPROF_SEGMENTS_H

#include <stdbool.h>
#include <stdint.h>

struct segments_code {
    uint64_t start, end; /* as in the file; END is excluded */
    uint64_t offset;     /* of START in the file */
    uint64_t image;      /* the address of the first of all segments */
};

/* Sets CODE to the range from the first executable segment of the file at PATH to the
   last.  False if there is none, or if the file cannot be read.  */
bool segments_find_code(const char *path, struct segments_code *code);

/* Whether the executable at PATH asks for no loader of shared objects.  False if the file
   cannot be read.  */
bool segments_is_static(const char *path);

#endif
