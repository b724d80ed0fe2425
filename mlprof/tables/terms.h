/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads which counters count for which sources or edges, in contributions of version 3
   (doc/tables.md), for the modules of tables/.  First come the addresses of the counters,
   then the terms, one counter and one source or edge each.  */

#ifndef MLPROF_TERMS_H
#define MLPROF_TERMS_H

#include "mlprof/base/reader.h"

struct terms {
    uint64_t address;        /* of counter 0, if there are no DISTANCES */
    struct reader distances; /* at the distance of counter 0 */
    uint32_t distance_count;
    uint64_t counter; /* number of the counter in the last term */
    uint64_t of;
};

struct terms_term {
    uint64_t address; /* of the counter's storage, as in the file */
    uint32_t of;      /* number of the source or edge */
    bool negative;    /* the counter is subtracted */
};

/* Reads what stands before the terms.  */
void terms_start(struct terms *terms, struct reader *reader);

/* Begins the terms of the next flow graph.  */
void terms_start_flow(struct terms *terms);

/* Reads the next term.  Returns false if something is wrong.  */
bool terms_next(struct terms *terms, struct reader *reader, struct terms_term *term);

#endif
