/* SPDX-License-Identifier: MIT */
/* The table of samples: counts samples by their stacks, for the SIGPROF handler. The
   stacks form a tree of program points. Each point has the number of samples taken at
   the point itself. The points are in a hash table of fixed size with buckets of
   four. The design is the same as in pprof (Russ Cox, "How To Build a User-Level CPU
   Profiler", 2013), except that pprof's entries are whole stacks. Here the key of a
   point is its address and its calling point, so that equal stacks, and equal outer
   parts of stacks, are stored once.

   A point stays in the table while it has samples, points below it, or a handler that
   uses it. If a bucket is full, its point with the fewest samples and nothing below
   it is moved to the overflow log. If every point in the bucket has something below
   it, the new sample goes to the overflow log.

   At any time: samples = counts in the table + counts in the overflow log + lost. */

#ifndef CCPROF_SAMPLES_H
#define CCPROF_SAMPLES_H

#include "rt/os/sys.h"
#include "rt/samples/overflow.h"
#include "rt/unwind/stack.h"

#define CCPROF_TABLE_BUCKETS (1 << 14)
#define CCPROF_TABLE_WAYS    4

/* Number of buckets in a group. A group that was never used is skipped, so that its
   pages are never accessed. */
#define CCPROF_TABLE_GROUP  64
#define CCPROF_TABLE_GROUPS (CCPROF_TABLE_BUCKETS / CCPROF_TABLE_GROUP)

/* Numbers of points. NONE: no point. ROOT: the caller of the outermost points. The
   points of the table have the numbers from BASE on, bucket by bucket. */
#define CCPROF_POINT_NONE 0
#define CCPROF_POINT_ROOT 1
#define CCPROF_POINT_BASE 2

struct ccprof_point {
    uint64_t address;
    uint64_t count;
    uint32_t caller;       /* number of the calling point; NONE: this slot is free */
    _Atomic uint32_t uses; /* points below, and handlers that use this point */
    /* Links of the tree: the first point below this one, and the next point with the
       same caller. */
    uint32_t first_child, next_sibling;
};

struct ccprof_bucket {
    struct ccprof_point point[CCPROF_TABLE_WAYS];
};

/* A structure of zeros is an empty table. */
struct ccprof_samples {
    _Atomic uint64_t samples; /* samples added, including the lost ones */
    _Atomic uint64_t lost;
    /* Of adds with a weight above 1, which increase the error of sampling: the largest
       weight, and the sum of WEIGHT * (WEIGHT - 1). */
    _Atomic uint64_t heaviest, excess;
    _Atomic uint32_t hand; /* bucket where the next search for room begins */
    uint32_t roots;        /* tree: number of the first outermost point */
    _Atomic bool closed;   /* unused groups must stay unused */
    _Atomic bool used[CCPROF_TABLE_GROUPS];
    uint64_t frozen[CCPROF_TABLE_GROUPS]; /* one bit for each bucket */
    ccprof_spin busy[CCPROF_TABLE_BUCKETS];
    struct ccprof_bucket bucket[CCPROF_TABLE_BUCKETS];
};

static inline bool ccprof_samples_is_frozen(const struct ccprof_samples *table,
                                            unsigned bucket)
{
    return table->frozen[bucket / CCPROF_TABLE_GROUP] >> bucket % CCPROF_TABLE_GROUP & 1;
}

/* Returns the first bucket, from BUCKET on, that is in a group in use, or
   CCPROF_TABLE_BUCKETS. */
static inline unsigned ccprof_samples_used(const struct ccprof_samples *table,
                                           unsigned bucket)
{
    while (bucket < CCPROF_TABLE_BUCKETS && !table->used[bucket / CCPROF_TABLE_GROUP])
        bucket = (bucket / CCPROF_TABLE_GROUP + 1) * CCPROF_TABLE_GROUP;
    return bucket;
}

/* Returns the point with this number, which must be at least CCPROF_POINT_BASE. */
static inline struct ccprof_point *ccprof_samples_point(struct ccprof_samples *table,
                                                        uint32_t number)
{
    uint32_t index = number - CCPROF_POINT_BASE;
    ccprof_assert(index < CCPROF_TABLE_BUCKETS * CCPROF_TABLE_WAYS);
    return &table->bucket[index / CCPROF_TABLE_WAYS].point[index % CCPROF_TABLE_WAYS];
}

/* Adds WEIGHT samples with this stack. WEIGHT is at least 1. Async-signal-safe, any
   thread. */
void ccprof_samples_add(struct ccprof_samples *table, struct ccprof_overflow *overflow,
                        const struct ccprof_stack *stack, uint64_t weight);

/* Counts WEIGHT samples as lost, for samples without a stack. Async-signal-safe. */
void ccprof_samples_lose(struct ccprof_samples *table, uint64_t weight);

/* Prevents changes of the counts in the table. From now on samples go to the overflow
   log or are lost. */
void ccprof_samples_freeze(struct ccprof_samples *table);

/* Ends a freeze, and frees the points without samples and uses. No add may run at the
   same time. */
void ccprof_samples_thaw(struct ccprof_samples *table);

/* A frozen table as a tree, from the callers down, for writing mlmon.out. Only one
   thread at a time may use these functions. */

/* Links the points that have samples, and all points above them. Must be followed by
   ccprof_tree_forget before the next call. */
void ccprof_tree_build(struct ccprof_samples *table);

/* Removes the samples of a data set (tags.h), or of all data sets, from the tree.
   Returns the number of removed samples. */
uint64_t ccprof_tree_take(struct ccprof_samples *table, uint64_t dataset);

/* Removes all links between points, so that the tree can be built again. */
void ccprof_tree_forget(struct ccprof_samples *table);

/* Calls VISIT for the points of the tree in preorder until VISIT returns nonzero.
   Returns the last value from VISIT. */
int ccprof_tree_each(struct ccprof_samples *table, ccprof_visit *visit, void *context);

#endif
