/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Holds shares (shares.h) of which there may be very many, as those of thousands of
   ranks, in a byte or a few for each.  They are added in any order, then sorted, and from
   then on read owner by owner.  */

#ifndef MLPROF_PACKED_H
#define MLPROF_PACKED_H

#include "mlprof/profile/shares.h"

#include <stdbool.h>

/* All zero is empty.  */
struct packed {
    unsigned char *bytes;
    size_t size, capacity;
    size_t count;             /* entries, equal ones included */
    struct shares_entry last; /* added */
    size_t *starts; /* by owner, and one more: where its bytes begin; NULL: not sorted */
    size_t owners;  /* one more than the last owner; when it is sorted */
};

void packed_free(struct packed *packed);

/* Adds an entry; COUNT may be 0.  It is not sorted afterwards.  */
void packed_add(struct packed *packed, uint32_t owner, uint32_t bin, uint64_t count);

/* Goes through the entries, in the order in which they were added unless they are sorted;
   AT starts as all zero.  False behind the last one.  */
struct packed_at {
    size_t offset;
    struct shares_entry entry;
};

bool packed_next(const struct packed *packed, struct packed_at *at);

void packed_sort(struct packed *packed);

/* Makes one entry of those of the same owner and bin.  It is not sorted afterwards.  */
void packed_join(struct packed *packed);

/* The samples of OWNER, once it is sorted; SCRATCH has them, and is the caller's to free
   in the end.  */
struct shares_own packed_of(const struct packed *packed, uint32_t owner,
                            struct shares *scratch);

/* As shares_take.  */
void packed_take(struct packed *to, uint32_t owner, struct shares_own *own,
                 uint64_t count);

#endif
