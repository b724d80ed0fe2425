/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Holds how the samples of each owner, a point of a profile or a frame, are divided among
   bins: buckets of time (times.h) or origins (origins.h).  */

#ifndef MLPROF_SHARES_H
#define MLPROF_SHARES_H

#include <stddef.h>
#include <stdint.h>

struct shares_entry {
    uint32_t owner, bin;
    uint64_t count;
};

/* All zero is empty.  */
struct shares {
    struct shares_entry *entries;
    size_t count, capacity;
};

/* The samples of one owner, by ascending bin, some of which may be taken already.  */
struct shares_own {
    const struct shares_entry *entries;
    size_t count;
    uint64_t taken, total; /* of their samples */
};

void shares_free(struct shares *shares);

/* Adds an entry; COUNT may be 0.  */
void shares_add(struct shares *shares, uint32_t owner, uint32_t bin, uint64_t count);

/* Puts the entries in the order of owners and bins, with one for each pair that has
   samples.  */
void shares_sort(struct shares *shares);

/* The samples of OWNER, at or behind *AT in the sorted entries, which becomes what is
   behind them; to be asked for ascending owners.  */
struct shares_own shares_of(const struct shares *shares, uint32_t owner, size_t *at);

/* Takes COUNT samples of an owner, from all its bins alike, and has ADD add them to TO as
   OWNER's; rounded so that all that is taken adds up to what there was.  What an owner
   has may be taken in two; if fewer are left, these.  */
void shares_divide(struct shares_own *own, uint64_t count,
                   void (*add)(void *to, uint32_t owner, uint32_t bin, uint64_t count),
                   void *to, uint32_t owner);

/* The same, to TO.  */
void shares_take(struct shares *to, uint32_t owner, struct shares_own *own,
                 uint64_t count);

#endif
