/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads what counters count for in pieces of the denser form (doc/tables.md, version 3),
   for the modules of tables/: where the counters stand, then term by term.  */

#ifndef MLPROF_TERMS_H
#define MLPROF_TERMS_H

#include "mlprof/base/reader.h"

struct terms {
    uint64_t address;        /* of counter 0, if no distances follow */
    struct reader distances; /* from the first on */
    uint32_t distance_count;
    uint64_t counter; /* of the latest term */
    uint64_t of;
};

struct terms_term {
    uint64_t address; /* of the counter's storage, in the file */
    uint32_t of;      /* number of the source or edge */
    bool negative;    /* to be subtracted */
};

/* Reads what stands before the terms.  */
void terms_start(struct terms *terms, struct reader *reader);

/* A flow graph's terms begin.  */
void terms_start_flow(struct terms *terms);

/* Reads the next term.  False if something is wrong.  */
bool terms_next(struct terms *terms, struct reader *reader, struct terms_term *term);

#endif
