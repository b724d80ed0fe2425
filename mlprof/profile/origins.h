/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Holds where the files of a profile were written, each origin a host and, if a launcher
   has numbered the process, its rank; and what was measured there.  */

#ifndef MLPROF_ORIGINS_H
#define MLPROF_ORIGINS_H

#include "mlprof/base/index.h"
#include "mlprof/base/intern.h"
#include "mlprof/profile/packed.h"

#include <stdbool.h>

#define ORIGINS_UNKNOWN UINT32_MAX

struct origins_origin {
    uint32_t host; /* number in the hosts; ORIGINS_UNKNOWN: the file does not tell */
    bool ranked;
    uint64_t rank;
    uint64_t size, least_size; /* of the jobs: the largest and the smallest that is known,
                                  0 if none is */
    uint64_t files, cpu, wall, samples, lost; /* sums; nanoseconds of CPU and wall */
};

/* All zero has none.  */
struct origins {
    struct intern hosts;
    struct origins_origin *origins;
    size_t count, capacity;
    struct index index;
    bool kept;            /* it is told which samples are of which origin: */
    struct packed shares; /* of the profile's points; bins are origins */
    size_t joined;        /* of them, when they were joined last */
    size_t again;         /* added since then, of origins that were there already */
};

void origins_free(struct origins *origins);

/* Adds what LIKE has measured to the origin of that rank and HOST, NULL if it is not
   known.  Returns its number.  */
uint32_t origins_add(struct origins *origins, const char *host,
                     const struct origins_origin *like);

/* The name of the host of an origin, NULL if it is not known.  */
const char *origins_host(const struct origins *origins, uint32_t number);

/* Adds all of FROM to INTO, but for shares.  TO, of FROM's count, becomes their numbers
   in INTO.  */
void origins_merge(struct origins *into, const struct origins *from, uint32_t *to);

/* Says that there are none, to whoever asks for ranks.  */
#define ORIGINS_NO_RANKS                                                                 \
    "the data do not tell ranks, the processes of a job that a launcher of MPI starts"

/* How many numbers launchers have given.  */
size_t origins_ranks(const struct origins *origins);

/* How many processes the largest of their jobs has, 0 if that is not known; *LEAST: the
   smallest.  */
uint64_t origins_size(const struct origins *origins, uint64_t *least);

#endif
