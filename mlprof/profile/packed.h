/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Holds shares (shares.h) of which there may be very many, as with thousands of ranks, in
   one or a few bytes each.  Entries are added in any order, then sorted, and from then on
   read owner by owner.  */

#ifndef MLPROF_PACKED_H
#define MLPROF_PACKED_H

#include "mlprof/profile/shares.h"

#include <stdbool.h>

/* All zero is empty.  */
struct packed {
    unsigned char *bytes;
    size_t size, capacity;
    size_t count;             /* number of entries; equal ones count apart */
    struct shares_entry last; /* the entry added last */
    /* By owner, and one more for the end: where its bytes begin; NULL: not sorted.  */
    size_t *starts;
    size_t owners; /* if sorted: one more than the last owner */
};

void packed_free(struct packed *packed);

/* Adds an entry, whose COUNT may be 0.  PACKED is not sorted any more.  */
void packed_add(struct packed *packed, uint32_t owner, uint32_t bin, uint64_t count);

/* An iterator over the entries, in the order in which they were added, or sorted by
   owner.  Starts as all zero. packed_next returns false behind the last entry.  */
struct packed_at {
    size_t offset;
    struct shares_entry entry;
};

bool packed_next(const struct packed *packed, struct packed_at *at);

void packed_sort(struct packed *packed);

/* Joins the entries of the same owner and bin.  PACKED is not sorted any more.  */
void packed_join(struct packed *packed);

/* The samples of OWNER, once PACKED is sorted.  The entries are in SCRATCH, which may be
   reused and is to be freed by the caller.  */
struct shares_own packed_of(const struct packed *packed, uint32_t owner,
                            struct shares *scratch);

/* Like shares_take, to TO.  */
void packed_take(struct packed *to, uint32_t owner, struct shares_own *own,
                 uint64_t count);

#endif
