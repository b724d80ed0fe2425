/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Holds how the samples of each owner are divided among bins.  An owner is a point of a
   profile or a frame.  A bin is a bucket of time or an origin: the host where a data file
   was written, with a rank if a launcher has numbered the process.  */

#ifndef MLPROF_SHARES_H
#define MLPROF_SHARES_H

#include "mlprof/base/index.h"

#include <stdbool.h>
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

/* Takes COUNT samples of OWN likewise and adds them to TO.  */
void shares_take(struct shares *to, uint32_t owner, struct shares_own *own,
                 uint64_t count);

/* Buckets are numbered below this.  */
#define TIMES_BUCKETS 65536

/* When samples were taken: how many samples of each owner are in each bucket of time. All
   zero: there are no times.  */
struct times {
    /* In nanoseconds: a bucket's width, and the time of all buckets up to the end.  Width
       0: there are no times.  */
    uint64_t width, span;
    struct shares shares; /* bins are buckets */
};

/* Shares in one or a few bytes each, since with thousands of ranks there are very many.
   Entries are added in any order, then sorted, and then read owner by owner.  All zero is
   empty.  */
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

/* The origins of a profile's data files, and the sums of what was measured at each.  */

#define ORIGINS_UNKNOWN UINT32_MAX

struct origins_origin {
    uint32_t host; /* number in the hosts; ORIGINS_UNKNOWN: the file does not say */
    bool ranked;
    uint64_t rank;
    /* Numbers of processes in the largest and smallest job of the origin whose size is
       known; 0: no size is known.  */
    uint64_t size, least_size;
    uint64_t files, cpu, wall, samples, lost; /* sums; CPU and WALL in nanoseconds */
};

/* All zero is empty.  */
struct origins {
    struct intern hosts;
    struct origins_origin *origins;
    size_t count, capacity;
    struct index index;
    bool kept;            /* SHARES says which samples belong to which origin */
    struct packed shares; /* owner: point of the profile, bin: origin */
    size_t joined;        /* number of entries when they were last joined */
    /* Entries added since then for origins that were known before.  */
    size_t again;
};

void origins_free(struct origins *origins);

/* Adds the sums of LIKE to the origin with LIKE's rank and HOST, which may be NULL for
   unknown.  Returns the number of the origin.  */
uint32_t origins_add(struct origins *origins, const char *host,
                     const struct origins_origin *like);

/* The host of an origin; NULL: unknown.  */
const char *origins_host(const struct origins *origins, uint32_t number);

/* Adds all of FROM but its shares to INTO.  Sets TO, by origin of FROM, to the number in
   INTO.  */
void origins_merge(struct origins *into, const struct origins *from, uint32_t *to);

/* The error message for a user who asks for ranks where there are none.  */
#define ORIGINS_NO_RANKS "the data have no ranks (processes that an MPI launcher started)"

/* How many different ranks there are.  */
size_t origins_ranks(const struct origins *origins);

/* The number of processes of the largest job, or 0 if it is unknown; *LEAST is set to
   that of the smallest.  */
uint64_t origins_size(const struct origins *origins, uint64_t *least);

#endif
