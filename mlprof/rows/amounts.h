/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds up data for rows: heap amounts by row, counters by source, and samples that may
   belong to another source. Used by rows.c and groups/.

   Heap amounts are added up over stacks that were built from heap points
   (profile/heappoints.h), by row or by other groups of nodes. The results are columns
   (measured.h). The shown measure is added up like any other measure in rows.c and
   groups/, and its columns are kept. */

#ifndef MLPROF_AMOUNTS_H
#define MLPROF_AMOUNTS_H

#include "mlprof/profile/heapdata.h"
#include "mlprof/program/program.h"
#include "mlprof/stacks/stacks.h"
#include "mlprof/rows/branch.h"
#include "mlprof/rows/measured.h"

/* Adds columns to MEASURED for all measures of the heap that STACKS have; columns that
   exist are kept, and get their errors. OF_NODE has, for each node of STACKS, the number
   of its row or STACKS_NONE. If a row is on a stack several times, only the amounts below
   its outermost frame are counted. */
void amounts_find(struct measured *measured, const struct stacks *stacks,
                  const struct heapdata *heap, const uint32_t *of_node);

/* Kinds of counters: the calls of each source, or (COUNTERS_INCLUSIVE) everything
   counted while the source was on the stack. */

enum counters_kind { COUNTERS_CALLS, COUNTERS_INCLUSIVE };

/* The sum of the counters of one source. */
struct counters_sum {
    bool counted; /* the source has a counter */
    uint64_t count;
};

/* The sums by source. COUNT is the number of sources at the time when the counters
   were added up. */
struct counters {
    struct counters_sum *sums;
    size_t count;
    bool any;          /* at least one source has a counter */
    uint64_t left_out; /* counts of functions that were removed (names.h) */
};

/* Fills COUNTERS. The caller frees its sums. If a source with counters is missing in
   STACKS, adds the source to STACKS. Calls whose counter is in no table are charged
   to <unprofiled>. */
void counters_find(struct counters *counters, enum counters_kind kind,
                   struct stacks *stacks, const struct profile *profile,
                   const struct program *program);

/* Adds up, for each source, the samples whose charge is uncertain. A charge is
   uncertain if the processor has retired two instructions at once (skid.h) and the
   instructions belong to different sources. Branches are sources, too. STACKS must
   have been built from PROGRAM. This function and amounts_find_coded add missing
   sources to STACKS. */
void amounts_find_uncertainty(struct stacks *stacks, const struct program *program,
                              struct branches *branches);

struct skid_charge;

/* Adds the samples of CHARGE, which belong to ONE or to OTHER. */
void amounts_add_uncertainty(struct stacks_uncertainty *one,
                             struct stacks_uncertainty *other,
                             const struct skid_charge *charge);

/* Sets, for each source, whether it has machine code. A source without machine code
   cannot have samples. */
void amounts_find_coded(struct stacks *stacks, const struct program *program);

#endif
