/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Holds when samples were taken: how many of each owner, a point of a profile or a frame,
   in each bucket of the time on the clock.  */

#ifndef MLPROF_TIMES_H
#define MLPROF_TIMES_H

#include <stddef.h>
#include <stdint.h>

/* Buckets are numbered below this.  */
#define TIMES_BUCKETS 65536

struct times_entry {
    uint32_t owner, bucket;
    uint64_t count;
};

/* All zero has no times.  */
struct times {
    uint64_t width, span; /* nanoseconds of a bucket, and of all of them up to the end;
                             width 0: there are no times */
    struct times_entry *entries;
    size_t count, capacity;
};

/* The samples of one owner, by ascending bucket, some of which may be taken already.  */
struct times_part {
    const struct times_entry *entries;
    size_t count;
    uint64_t taken, total; /* of their samples */
};

void times_free(struct times *times);

/* Adds an entry; COUNT may be 0.  */
void times_add(struct times *times, uint32_t owner, uint32_t bucket, uint64_t count);

/* Puts the entries in the order of owners and buckets, with one for each pair that has
   samples.  */
void times_sort(struct times *times);

/* The samples of OWNER, at or behind *AT in the sorted entries, which becomes what is
   behind them; to be asked for ascending owners.  */
struct times_part times_of(const struct times *times, uint32_t owner, size_t *at);

/* Takes COUNT samples of the part, from all its buckets alike, and adds them to TO as
   OWNER's; rounded so that all that is taken adds up to what there was.  A part may be
   taken in two; if fewer are left, these.  */
void times_take(struct times *to, uint32_t owner, struct times_part *part,
                uint64_t count);

#endif
