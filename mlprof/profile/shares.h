/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Holds how the samples of each owner are distributed over bins. An owner is a point
   of a profile or a frame. A bin is a bucket of time, an origin, or a column: an amount
   of another measure (heappoints.h, flow/instructions.h). An origin is the
   host where a data file was written, with a rank if a launcher has numbered the
   processes. */

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

/* All zero is empty. */
struct shares {
    struct shares_entry *entries;
    size_t count, capacity;
};

/* The samples of one owner, by ascending bin. Some of the samples may already have
   been taken out. */
struct shares_own {
    const struct shares_entry *entries;
    size_t count;
    uint64_t taken, total; /* number of samples taken so far, and number of all samples */
};

void shares_free(struct shares *shares);

/* Adds an entry. COUNT may be 0. */
void shares_add(struct shares *shares, uint32_t owner, uint32_t bin, uint64_t count);

/* Sorts the entries by owner and bin, and joins entries with the same owner and bin. */
void shares_sort(struct shares *shares);

/* Returns the samples of OWNER in sorted entries, starting with *NEXT, and moves *NEXT
   after them. Call it for ascending owners. */
struct shares_own shares_of(const struct shares *shares, uint32_t owner, size_t *next);

/* Takes COUNT samples of OWNED, from each bin in proportion, and adds them to OWNER in
   TO. */
void shares_take(struct shares *to, uint32_t owner, struct shares_own *owned,
                 uint64_t count);

/* Upper bound for numbers of buckets. */
#define TIMES_BUCKETS 65536

/* When samples were taken: the number of samples of each owner in each bucket of time.
   All zero: no times. */
struct times {
    /* In nanoseconds: the width of a bucket, and the time from the start of the first
       bucket to the end. Width 0: no times. */
    uint64_t width, span;
    struct shares shares; /* bins are buckets */
};

/* A compact list of shares. A share takes only one or a few bytes, because there are
   very many shares if there are thousands of ranks. Entries are added in any order,
   then sorted, then read owner by owner. All zero: empty. */
struct packed {
    unsigned char *bytes;
    size_t size, capacity;
    size_t count; /* number of entries; equal entries are counted separately */
    struct shares_entry last; /* the entry added last */
    /* Start of each owner's bytes, and the end of all bytes; NULL: not sorted. */
    size_t *starts;
    size_t owners; /* number of the last owner plus 1 */
};

void packed_free(struct packed *packed);

/* Adds an entry. COUNT may be 0. PACKED is then not sorted. */
void packed_add(struct packed *packed, uint32_t owner, uint32_t bin, uint64_t count);

/* An iterator over the entries, in the order of their addition or, if sorted, by
   owner. Starts as all zero. packed_next returns false after the last entry. */
struct packed_at {
    size_t offset;
    struct shares_entry entry;
};

bool packed_next(const struct packed *packed, struct packed_at *cursor);

void packed_sort(struct packed *packed);

/* Joins the entries with the same owner and bin. PACKED is then not sorted. */
void packed_join(struct packed *packed);

/* Returns the samples of OWNER; PACKED must be sorted. The entries are in SCRATCH,
   which may be reused and is freed by the caller. */
struct shares_own packed_of(const struct packed *packed, uint32_t owner,
                            struct shares *scratch);

/* Like shares_take, but adds to packed shares. */
void packed_take(struct packed *to, uint32_t owner, struct shares_own *owned,
                 uint64_t count);

/* The origins of a profile's data files, and the sums of the data measured at each
   origin. */

#define ORIGINS_UNKNOWN UINT32_MAX

struct origins_origin {
    uint32_t host; /* number in HOSTS, or ORIGINS_UNKNOWN */
    bool ranked;
    uint64_t rank;
    /* Number of processes in the largest job and in the smallest job at this origin,
       among jobs of known size; 0: no size is known. */
    uint64_t size, least_size;
    uint64_t files, cpu, wall, samples, lost; /* sums; CPU and WALL in nanoseconds */
};

/* All zero is empty. */
struct origins {
    struct intern hosts;
    struct origins_origin *origins;
    size_t count, capacity;
    struct index index;
    bool kept;            /* SHARES records which samples belong to which origin */
    struct packed shares; /* owner: point of the profile; bin: origin */
    size_t joined;        /* number of entries when they were last joined */
    /* Number of entries added since then for origins that already existed. */
    size_t again;
};

void origins_free(struct origins *origins);

/* Adds the sums of ADDED to the origin with HOST and the rank of ADDED. HOST may be NULL
   for unknown. Returns the number of the origin. */
uint32_t origins_add(struct origins *origins, const char *host,
                     const struct origins_origin *added);

/* Returns the host of an origin; NULL if unknown. */
const char *origins_host(const struct origins *origins, uint32_t number);

/* Adds FROM, except its shares, to INTO. Sets TO[origin of FROM] to the number in
   INTO. */
void origins_merge(struct origins *into, const struct origins *from, uint32_t *to);

/* The error message for a user who requests ranks if the data have none. */
#define ORIGINS_NO_RANKS "the data have no ranks (processes that an MPI launcher started)"

/* Returns the number of different ranks. */
size_t origins_ranks(const struct origins *origins);

/* Returns the number of processes of the largest job, or 0 if it is unknown. Sets
 *LEAST to the number of processes of the smallest job. */
uint64_t origins_size(const struct origins *origins, uint64_t *least);

#endif
