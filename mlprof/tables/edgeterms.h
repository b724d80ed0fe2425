/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the counters of edges of one executable or shared object from .ccprof.edge
   (doc/tables.md, "Flow graphs"), for flowtables.c and arctables.c.  */

#ifndef MLPROF_EDGETERMS_H
#define MLPROF_EDGETERMS_H

#include "mlprof/base/index.h"
#include "mlprof/base/reader.h"
#include "mlprof/elf/elffile.h"

/* A counter of an edge.  */
struct edgeterms_counter {
    uint64_t address; /* of the counter's storage, as in the file */
    uint32_t flow;    /* the number of the graph */
    uint32_t edge;    /* the number in the graph */
    bool negative;    /* the counter is subtracted */
};

/* Takes a counter.  If it cannot be right, READER is told why.  */
typedef void edgeterms_take(void *data, struct reader *reader,
                            const struct edgeterms_counter *counter);

/* Calls TAKE for each counter of a graph whose id is the first word of a key in IDS; the
   key's number is the graph's.  False and FAULT if the section is damaged.  */
bool edgeterms_read(const struct elffile *file, const struct index *ids,
                    edgeterms_take *take, void *data, struct fault *fault);

#endif
