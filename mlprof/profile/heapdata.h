/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Holds which blocks of memory one or more runs allocated and freed, by call stack, as
   mlmon.out(5) has it, and adds the heap of one profile to that of another.  A struct
   profile holds one.  */

#ifndef MLPROF_HEAPDATA_H
#define MLPROF_HEAPDATA_H

#include "mlprof/base/index.h"
#include "mlprof/base/statistics.h"
#include "mlprof/measure/measure.h"
#include "rt/format.h"

#include <stdbool.h>

/* The measures before this one are in the line of a point, and in the sums.  */
#define HEAPDATA_POINT HEAPDATA_TEMPORARY

struct heapdata_amount {
    uint64_t blocks, bytes;
};

#define HEAPDATA_NONE UINT32_MAX

/* Blocks of one size that were sampled, of one point, by measure.  */
struct heapdata_sized {
    uint32_t node;
    uint32_t process; /* number of the process whose slices have them, or NONE */
    uint32_t next;    /* the next ones of the same process, or NONE */
    uint64_t size;
    uint64_t blocks[HEAPDATA_MEASURES];
};

/* No sum is larger than this.  */
#define HEAPDATA_MOST (UINT64_C(1) << 56)

/* No more bytes than these are there for a sample.  */
#define HEAPDATA_SAMPLE_MOST (UINT64_C(1) << 50)

/* A program point, reached by way of the points above it, and what was allocated in it,
   without what was in points below it.  */
struct heapdata_node {
    uint32_t parent; /* the point above it, or PROFILE_NO_NODE */
    uint32_t module; /* or PROFILE_NO_MODULE */
    uint64_t address;
    struct heapdata_amount of[HEAPDATA_MEASURES];
};

/* In place of the bucket in which blocks were freed: they were not freed.  */
#define HEAPTIMES_ALIVE UINT8_MAX

/* Amounts in bytes.  Those of blocks are estimates if blocks were sampled.  */
struct heaptimes_bucket {
    uint64_t most;     /* the most that was in use at one time */
    uint64_t alive;    /* in use at its end */
    uint64_t resident; /* memory of the process at its start; 0: not known */
};

/* Blocks of a node that were made in one bucket and freed in another or never.  No block
   is in two cells; those of a node, and with samples of a size, stand side by side.  */
struct heaptimes_cell {
    uint32_t node;
    uint8_t born, freed;
    uint64_t size; /* 0: each block was counted */
    uint64_t blocks, bytes;
};

/* A range of time, in milliseconds from the start, whose bounds are those of buckets.  */
struct heaptimes_range {
    uint64_t from, to; /* both 0: none */
    bool at_end;       /* memory in use is that at the end of the run, not at TO */
};

/* The heap of one run over time: by bucket how much was in use, and by program point when
   blocks were allocated and freed.  All zero: nothing is known.  */
struct heaptimes {
    uint64_t width; /* of a bucket, in milliseconds */
    uint32_t count; /* of buckets */
    bool cells_known;
    struct heaptimes_bucket buckets[CCPROF_SPANS];
    struct heaptimes_cell *cells;
    size_t cell_count, cell_capacity;
    struct heaptimes_range range; /* all amounts of the heap are of this range */
};

/* A process that has written slices.  Its last slice has the memory in use, and the slice
   with the greatest peak has the memory in use at the peak (heapmerge).  */
struct heapdata_process {
    uint64_t pid, time;      /* which process it is */
    uint64_t last, most;     /* numbers of the two slices */
    uint64_t peak;           /* bytes in use at the peak */
    uint64_t peak_time;      /* nanoseconds up to then; 0: not known */
    bool ended;              /* the last one was written when the process ended */
    uint32_t parts, samples; /* the first ones in two lists, or NONE */
};

/* The memory of a point that is in use, or was at the peak, from one process.  */
struct heapdata_part {
    uint32_t node;
    uint32_t next; /* in the list of the process */
    struct heapdata_amount live, peak;
};

/* The heap.  All zero: no heap was measured.  If blocks were sampled, all amounts are
   estimates in whole blocks.  Roundings do not add up: each amount is off by at most one
   block, and allocated blocks less freed blocks are the blocks in use.  */
struct heapdata {
    bool measured;
    bool ended;      /* all its runs had ended */
    bool running;    /* one that was not written in slices had not */
    bool undivided;  /* there is one that was not written in slices */
    bool lives;      /* it is known what became of blocks */
    bool reach;      /* it is known how blocks in use can be reached */
    uint64_t sample; /* bytes for a sample; 0: each block was counted */
    /* For a profile whose points are the heap's (heappoints.h): the sizes of the samples,
       ascending, each once.  */
    uint64_t *sizes;
    size_t size_count;
    struct heapdata_amount sums[HEAPDATA_MEASURES]; /* of all points */
    uint64_t peak_time; /* nanoseconds up to the peak; 0: not known, or several runs */
    uint64_t unknown;   /* blocks that were freed and not seen allocated */
    uint64_t unkept;    /* calls of the allocator that are not all counted */
    /* Blocks whose free was not seen.  BLOCKS: their addresses were allocated again, so
       they count as freed.  BYTES: they count as in use, but the allocator has them free.
     */
    struct heapdata_amount unseen;
    uint64_t memory; /* bytes that the runtime had for this, in the run with most */
    struct heapdata_node *nodes; /* a parent stands before its children */
    size_t node_count, node_capacity;
    struct index index; /* of the nodes; key: parent, module, address */
    /* The sampled blocks.  */
    struct heapdata_sized *sized;
    size_t sized_count, sized_capacity;
    struct heaptimes times;   /* of one run */
    struct index sized_index; /* key: node, size, process */
    struct heapdata_process *processes;
    size_t process_count, process_capacity;
    struct heapdata_part *parts;
    size_t part_count, part_capacity;
    struct index part_index; /* key: process, node */
};

/* MEASURE, or memory in use in place of leaked memory if leaks are not known.  */
static inline enum heapdata_measure heapdata_known(const struct heapdata *heap,
                                                   enum heapdata_measure measure)
{
    return measure == HEAPDATA_LEAKED && !heap->reach ? HEAPDATA_LIVE : measure;
}

/* The number of the point, which is added if it is missing.  */
uint32_t heapdata_put(struct heapdata *heap, uint32_t parent, uint32_t module,
                      uint64_t address);

/* Adds AMOUNTS, one for each measure, to SUMS.  Returns false, with SUMS partly added to,
   if one becomes too large.  */
bool heapdata_add(struct heapdata_amount *sums, const struct heapdata_amount *amounts);

/* Adds blocks that were sampled, whose node is known, and their estimates to the node's
   amounts and the sums.  CARRY, of blocks and of bytes, is what roundings have left over,
   0 at first.  Returns false if the estimates are too large.  */
bool heapdata_put_sized(struct heapdata *heap, const struct heapdata_sized *sized,
                        double carry[2]);

/* How many blocks one of SIZE bytes that was counted stands for.  */
double heapdata_weight(const struct heapdata *heap, uint64_t size);

/* Adds to ERRORS, of blocks and of bytes, those of COUNT blocks of SIZE bytes that were
   sampled, where a sample has SAMPLE bytes.  */
void heapdata_add_error(struct statistics_error errors[2], uint64_t sample, uint64_t size,
                        uint64_t count);

/* The confidence interval of MEASURE in AMOUNTS, which has all measures: of its BYTES or
   of its blocks, whose sampling error is ERROR.  A sample stands for SAMPLE bytes.  The
   interval of a peak considers that the peak is the greatest of many estimates.  The
   interval of no blocks has no upper end.  */
struct statistics_interval heapdata_interval(const struct heapdata_amount *amounts,
                                             const struct statistics_error *error,
                                             uint64_t sample,
                                             enum heapdata_measure measure, bool bytes);

/* The first bucket of the last tenth of the run.  Blocks allocated from then on are
   young. HEAPTIMES_ALIVE if there are too few buckets, or no cells.  */
uint32_t heaptimes_young(const struct heaptimes *times);

/* How the heap was measured, in words; to be freed.  */
char *heapdata_manner(const struct heapdata *heap);

void heapdata_free(struct heapdata *heap);

/* Adding heaps, for profile-merge.c.  Allocated and freed memory is added.  Memory in
   use, at the end and at the peak, is added over processes, but not over the slices of
   one process: one slice has the memory at its end, one the memory at its peak.  So a
   heap remembers the part that each process with slices has of these sums, and replaces
   this part when a later slice supersedes it.  */

/* Begins to read slice NUMBER of the process PID that began at TIME into HEAP, which has
   no points yet, and ends that.  */
void heapmerge_begin_slice(struct heapdata *heap, uint64_t number, uint64_t pid,
                           uint64_t time);
void heapmerge_end_slice(struct heapdata *heap);

/* Whether the sums of both are not too large.  */
bool heapmerge_fit(const struct heapdata *into, const struct heapdata *from);

/* The numbers in a profile of another one's modules, labels and threads.  */
struct heapmerge_numbers {
    const uint32_t *modules, *labels, *threads;
};

/* Where a point of the other profile is.  */
struct heapmerge_place {
    uint32_t module;
    uint64_t address;
};

struct heapmerge_place heapmerge_place(const struct heapmerge_numbers *of,
                                       uint32_t module, uint64_t address);

/* Adds FROM to INTO, in whose profile the numbers are; the two fit.  */
void heapmerge(struct heapdata *into, const struct heapdata *from,
               const struct heapmerge_numbers *of);

#endif
