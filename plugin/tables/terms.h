/* SPDX-License-Identifier: GPL-3.0-or-later */
/* terms: writes what counters count for in the denser form of the tables
   (doc/tables.md, version 3), for storage-table: the order of the terms, and the bytes
   of each.  Knows nothing of GCC.  */

#ifndef CCPROF_TERMS_H
#define CCPROF_TERMS_H

#include "plugin/tables/leb.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The counter of this number counts for a source; or for an edge of a flow graph.  */
struct terms_term {
    uint64_t flow;    /* the flow graph's id; of sources 0 */
    uint32_t of;      /* number of the source or edge */
    uint32_t counter; /* number in the piece */
    bool negative;    /* what it has counted is subtracted */
};

/* Puts them into the order in which they are to be written.  */
void terms_sort(struct terms_term *terms, size_t count);

/* Writes the bytes of a term.  BEFORE is the one that stands before it in the piece, NULL
   for the first.  */
void terms_put(leb_sink *sink, void *data, const struct terms_term *term,
               const struct terms_term *before);

#ifdef __cplusplus
}
#endif

#endif
