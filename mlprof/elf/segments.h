/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Says where the code of an executable or shared object is loaded, for the formats that
   tell of mappings.  */

#ifndef MLPROF_SEGMENTS_H
#define MLPROF_SEGMENTS_H

#include <stdbool.h>
#include <stdint.h>

struct segments_code {
    uint64_t start, end; /* addresses as in the file, END excluded */
    uint64_t offset;     /* of START in the file */
    uint64_t image;      /* where the first segment of all is */
};

/* From the first executable segment to the last one of the file at PATH; false if there
   are none, or it cannot be read.  */
bool segments_find_code(const char *path, struct segments_code *code);

#endif
