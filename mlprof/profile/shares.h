/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Holds how the samples of each owner are divided among bins.  An owner is a point of a
   profile or a frame; a bin is a bucket of time or an origin (origins.h).  */

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

/* The samples of one owner, by ascending bin.  Some of them may be taken already.  */
struct shares_own {
    const struct shares_entry *entries;
    size_t count;
    uint64_t taken, total; /* samples that were taken, and all */
};

void shares_free(struct shares *shares);

/* Adds an entry, whose COUNT may be 0.  */
void shares_add(struct shares *shares, uint32_t owner, uint32_t bin, uint64_t count);

/* Sorts the entries by owner and bin, and joins those of one owner and bin.  */
void shares_sort(struct shares *shares);

/* The samples of OWNER in sorted entries, from entry *AT on; *AT becomes the entry behind
   them.  To be called for ascending owners.  */
struct shares_own shares_of(const struct shares *shares, uint32_t owner, size_t *at);

/* Takes COUNT samples of OWN, or all if fewer are left, from all bins in proportion, and
   calls ADD to add them to TO as OWNER's.  May be called several times: the roundings add
   up to all samples.  */
void shares_divide(struct shares_own *own, uint64_t count,
                   void (*add)(void *to, uint32_t owner, uint32_t bin, uint64_t count),
                   void *to, uint32_t owner);

/* Takes COUNT samples of OWN likewise and adds them to TO.  */
void shares_take(struct shares *to, uint32_t owner, struct shares_own *own,
                 uint64_t count);

/* Buckets are numbered below this.  */
#define TIMES_BUCKETS 65536

/* When samples were taken; all zero: there are no times.  */
struct times {
    /* In nanoseconds: a bucket's width, and the time of all buckets up to the end.  Width
       0: there are no times.  */
    uint64_t width, span;
    struct shares shares; /* bins are buckets */
};

#endif
