/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds what the holders of locks waited for while other threads waited for the locks: A
   waits for a lock of B, which waits for a lock of C, which waits for a disk. Compares
   the single waits for a lock with those of threads that held it
   (struct waitdata_wait). Used by waiting.c. */

#ifndef MLPROF_CHAINS_H
#define MLPROF_CHAINS_H

#include "mlprof/profile/waitdata.h"

/* In TIME nanoseconds of the waits for a lock, its holder waited. */
struct chains_link {
    uint32_t lock;  /* number of the group of waits for the lock */
    uint32_t wait;  /* number of the group of what the holder waited for */
    uint32_t depth; /* 0: the holder of LOCK; otherwise the holder of the lock for which
                       the last link before, with a depth less by 1, waits */
    uint64_t time;
};

struct chains {
    BUF_VECTOR(struct chains_link) links; /* by lock, and each tree in preorder; the
                                             siblings by decreasing time */
};

/* The groups of each wait of a profile, by its number: LOCK, or WAITDATA_NONE, of waits
   for the same thing; WAIT, of waits for the same thing at the same call. */
struct chains_groups {
    uint32_t lock, wait;
};

/* Fills CHAINS, which is all zeros. The caller frees its list. It stays empty if the
   single waits are not known, as after a merge. */
void chains_find(struct chains *chains, const struct waitdata *waits,
                 const struct chains_groups *groups);

#endif
