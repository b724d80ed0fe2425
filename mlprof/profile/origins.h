/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Holds where the files of a profile were written, and the sums of what was measured
   there.  An origin is a host, with a rank if a launcher has numbered the process.  */

#ifndef MLPROF_ORIGINS_H
#define MLPROF_ORIGINS_H

#include "mlprof/base/index.h"
#include "mlprof/base/intern.h"
#include "mlprof/profile/shares.h"

#include <stdbool.h>

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
#define ORIGINS_NO_RANKS                                                                 \
    "the data do not tell ranks, the processes of a job that a launcher of MPI starts"

/* How many different ranks there are.  */
size_t origins_ranks(const struct origins *origins);

/* The number of processes of the largest job, or 0 if it is unknown; *LEAST is set to
   that of the smallest.  */
uint64_t origins_size(const struct origins *origins, uint64_t *least);

#endif
