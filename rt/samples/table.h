/* SPDX-License-Identifier: MIT */
/* Counts samples by their stacks, for the SIGPROF handler.  The stacks form a tree of
   program points, each with the samples taken there, in a hash table of fixed size with
   buckets of four.  The design is pprof's (Russ Cox, "How To Build a User-Level CPU
   Profiler", 2013), whose entries are whole stacks.  Here the key of a point is its
   address and the point that called it, so that equal stacks, and equal outer parts of
   stacks, are kept once.

   A point is kept while it has samples, points below it, or a handler at work on it.  In
   a full bucket the point with the fewest samples and nothing below it is moved to the
   overflow log.  If every point has something below it, the new sample goes to the
   overflow log.

   At any time: samples = counts in the table + counts in the overflow log + lost.  */

#ifndef CCPROF_TABLE_H
#define CCPROF_TABLE_H

#include "rt/os/sys.h"
#include "rt/samples/overflow.h"
#include "rt/unwind/stack.h"

#define CCPROF_TABLE_BUCKETS (1 << 14)
#define CCPROF_TABLE_WAYS    4

/* Buckets in a group.  A group that was never used is skipped, so that its pages stay
   untouched.  */
#define CCPROF_TABLE_GROUP  64
#define CCPROF_TABLE_GROUPS (CCPROF_TABLE_BUCKETS / CCPROF_TABLE_GROUP)

/* Numbers of points: NONE is no point, ROOT is the caller of the outermost points, and
   from BASE on come the points of the table, bucket by bucket.  */
#define CCPROF_POINT_NONE 0
#define CCPROF_POINT_ROOT 1
#define CCPROF_POINT_BASE 2

struct ccprof_point {
    uint64_t address;
    uint64_t count;
    uint32_t caller;       /* number of the calling point; none: this place is free */
    _Atomic uint32_t uses; /* points below this one, and handlers at work on it */
    /* Links of the tree: the first point below, and the next point beside.  */
    uint32_t below, beside;
};

struct ccprof_bucket {
    struct ccprof_point point[CCPROF_TABLE_WAYS];
};

/* All zeros is an empty table.  */
struct ccprof_table {
    _Atomic uint64_t samples; /* samples added, with the lost ones */
    _Atomic uint64_t lost;
    _Atomic uint32_t hand; /* the bucket where the next search for room begins */
    uint32_t roots;        /* for the tree: the first of the outermost points */
    _Atomic bool closed;   /* groups that are not in use stay unused */
    _Atomic bool used[CCPROF_TABLE_GROUPS];
    uint64_t frozen[CCPROF_TABLE_GROUPS]; /* a bit for each bucket */
    ccprof_spin busy[CCPROF_TABLE_BUCKETS];
    struct ccprof_bucket bucket[CCPROF_TABLE_BUCKETS];
};

static inline bool ccprof_table_is_frozen(const struct ccprof_table *table,
                                          unsigned bucket)
{
    return table->frozen[bucket / CCPROF_TABLE_GROUP] >> bucket % CCPROF_TABLE_GROUP & 1;
}

/* Returns the first bucket, from BUCKET on, in a group that is in use, or
   CCPROF_TABLE_BUCKETS.  */
static inline unsigned ccprof_table_used(const struct ccprof_table *table,
                                         unsigned bucket)
{
    while (bucket < CCPROF_TABLE_BUCKETS && !table->used[bucket / CCPROF_TABLE_GROUP])
        bucket = (bucket / CCPROF_TABLE_GROUP + 1) * CCPROF_TABLE_GROUP;
    return bucket;
}

/* Returns the point with this number, which is CCPROF_POINT_BASE or more.  */
static inline struct ccprof_point *ccprof_table_point(struct ccprof_table *table,
                                                      uint32_t number)
{
    uint32_t index = number - CCPROF_POINT_BASE;
    ccprof_assert(index < CCPROF_TABLE_BUCKETS * CCPROF_TABLE_WAYS);
    return &table->bucket[index / CCPROF_TABLE_WAYS].point[index % CCPROF_TABLE_WAYS];
}

/* Adds WEIGHT samples, at least 1, with this stack.  Async-signal-safe, any thread.  */
void ccprof_table_add(struct ccprof_table *table, struct ccprof_overflow *overflow,
                      const struct ccprof_stack *stack, uint64_t weight);

/* Adds WEIGHT samples without a stack, as lost ones.  Async-signal-safe.  */
void ccprof_table_lose(struct ccprof_table *table, uint64_t weight);

/* Keeps the counts in the table unchanged: from now on samples go to the overflow log or
   are lost.  */
void ccprof_table_freeze(struct ccprof_table *table);

/* Ends a freeze, and frees the points without samples and uses.  No add may run
   meanwhile.  */
void ccprof_table_thaw(struct ccprof_table *table);

/* A frozen table as a tree, from the callers down, for the writer of mlmon.out.  One
   thread at a time.  */

/* Links the points that have samples, and all points above them.  Call this once before
   forget.  */
void ccprof_tree_build(struct ccprof_table *table);

/* Takes the samples of a data set (scope.h), or of all data sets, out of the tree;
   returns how many samples they were.  */
uint64_t ccprof_tree_take(struct ccprof_table *table, uint64_t dataset);

/* Unlinks all points, so that the tree can be built again.  */
void ccprof_tree_forget(struct ccprof_table *table);

/* Visits the points of the tree in preorder until VISIT returns nonzero; returns what
   VISIT returned last.  */
int ccprof_tree_each(struct ccprof_table *table, ccprof_visit *visit, void *context);

#endif
