/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Holds the blocks of memory that one or more runs allocated and freed, by call stack,
   as in mlmon.out(5), and adds the heap of one profile to the heap of another. A
   struct profile has one. */

#ifndef MLPROF_HEAPDATA_H
#define MLPROF_HEAPDATA_H

#include "mlprof/base/buf.h"
#include "mlprof/base/index.h"
#include "mlprof/base/statistics.h"
#include "mlprof/measure/measure.h"
#include "rt/format.h"

#include <stdbool.h>

/* The measures before this one are in each point's line of a data file, and in the
   sums of its head. */
#define HEAPDATA_POINT HEAPDATA_TEMPORARY

struct heapdata_amount {
    uint64_t blocks, bytes;
};

#define HEAPDATA_NONE UINT32_MAX

/* Sampled blocks of one point and one size: the number of blocks for each measure. */
struct heapdata_sized {
    uint32_t node;
    uint32_t process; /* process whose slices contain these blocks, or HEAPDATA_NONE */
    uint32_t next;    /* next element of the process, or HEAPDATA_NONE */
    uint64_t size;
    uint64_t blocks[HEAPDATA_MEASURES];
};

/* Upper limit for all sums. */
#define HEAPDATA_MOST (UINT64_C(1) << 56)

/* Upper limit for the number of bytes per sample. */
#define HEAPDATA_SAMPLE_MOST (UINT64_C(1) << 50)

/* A program point, called from the points above it, and the memory allocated there,
   without the memory of the points below it. */
struct heapdata_node {
    uint32_t parent; /* the point above it, or PROFILE_NO_NODE */
    uint32_t module; /* or PROFILE_NO_MODULE */
    uint64_t address;
    struct heapdata_amount amounts[HEAPDATA_MEASURES];
};

/* The value used as the bucket of freeing for blocks that were never freed. */
#define HEAPTIMES_ALIVE UINT8_MAX

/* Amounts in bytes. If blocks were sampled, they are estimates. */
struct heaptimes_bucket {
    uint64_t most;     /* maximum in use at one time */
    uint64_t alive;    /* in use at its end */
    uint64_t resident; /* memory of the process at its start; 0: unknown */
};

/* Blocks of a node that were allocated in one bucket and freed in another, or never.
   No block is in two cells. The cells of a node are adjacent; with samples, so are the
   cells of a node and size. */
struct heaptimes_cell {
    uint32_t node;
    uint8_t born, freed;
    uint64_t size; /* block size; 0: every block was counted */
    uint64_t blocks, bytes;
};

/* A range of time, in milliseconds from the start. Its ends are ends of buckets. */
struct heaptimes_range {
    uint64_t from, to; /* both 0: no range */
    bool at_end;       /* memory in use is that at the end of the run, not at TO */
};

/* The heap of one run over time: the memory in use by bucket, and, by program point,
   when blocks were allocated and freed. All zero: unknown. */
struct heaptimes {
    uint64_t width; /* of a bucket, in milliseconds */
    uint32_t count; /* of buckets */
    bool cells_known;
    struct heaptimes_bucket buckets[CCPROF_SPANS];
    BUF_VECTOR(struct heaptimes_cell) cells;
    struct heaptimes_range
        range; /* range to which all amounts of the heap are restricted */
};

/* A process that has written slices. Its last slice has the memory in use at the end.
   The slice with the highest peak has the memory in use at the peak (heapmerge). */
struct heapdata_process {
    uint64_t pid, time;  /* identify the process */
    uint64_t last, most; /* numbers of the last slice and of the slice with the peak */
    uint64_t peak;       /* bytes in use at the peak */
    uint64_t peak_time;  /* nanoseconds until the peak; 0: unknown */
    bool ended;          /* the last slice was written at the end of the process */
    uint32_t parts, samples; /* heads of two lists, or HEAPDATA_NONE */
};

/* The memory of one point that belongs to one process: in use at the end, and in use
   at the peak. */
struct heapdata_part {
    uint32_t node;
    uint32_t next; /* next element of the process */
    struct heapdata_amount in_use[2];
};

/* The sampled blocks, by size. */
struct heapdata_sampled {
    BUF_VECTOR(struct heapdata_sized) blocks;
    struct index index; /* key: node, size, process */
    /* The different sizes, ascending. Set only in a profile whose points were made from
       the heap (heappoints.h). */
    uint64_t *sizes;
    size_t size_count;
};

/* The memory of processes that have written slices. */
struct heapdata_slices {
    BUF_VECTOR(struct heapdata_process) processes;
    BUF_VECTOR(struct heapdata_part) parts;
    struct index part_index; /* key: process, node */
};

/* The heap. All zero: no heap was measured. If blocks were sampled, all amounts are
   estimates in whole blocks. Rounding errors do not accumulate: each amount is wrong
   by at most one block. Allocated blocks minus freed blocks are exactly the blocks in
   use. */
struct heapdata {
    bool measured;
    bool ended;      /* all runs had ended */
    bool running;    /* a run that was not written in slices had not ended */
    bool undivided;  /* at least one run was not written in slices */
    bool lives;      /* lifetimes of blocks are known */
    bool reach;      /* the data says how the program can reach blocks in use */
    uint64_t sample; /* bytes per sample; 0: every block was counted */
    struct heapdata_amount sums[HEAPDATA_MEASURES]; /* sums of all points */
    uint64_t peak_time; /* nanoseconds until the peak; 0: unknown, or several runs */
    uint64_t unknown;   /* freed blocks whose allocation was not recorded */
    uint64_t unkept;    /* calls of the allocator that were not fully counted */
    /* Blocks whose free was not seen. BLOCKS: their addresses were allocated again, so
       they count as freed. BYTES: they count as in use, but are free in the allocator. */
    struct heapdata_amount unseen;
    uint64_t memory; /* memory used by the runtime for this, maximum of the runs */
    BUF_VECTOR(struct heapdata_node) nodes; /* parents come before their children */
    struct index index; /* of the nodes; key: parent, module, address */
    struct heapdata_sampled sampled;
    struct heaptimes times; /* of a single run */
    struct heapdata_slices slices;
};

/* Returns MEASURE. If MEASURE is leaked memory and leaks are unknown, returns memory
   in use. */
static inline enum heapdata_measure heapdata_known(const struct heapdata *heap,
                                                   enum heapdata_measure measure)
{
    return measure == HEAPDATA_LEAKED && !heap->reach ? HEAPDATA_LIVE : measure;
}

/* Returns the number of the point; adds the point if it is missing. */
uint32_t heapdata_put(struct heapdata *heap, uint32_t parent, uint32_t module,
                      uint64_t address);

/* Adds AMOUNTS, one per measure, to SUMS. If a sum becomes too large, returns false
   with SUMS partly added. */
bool heapdata_add(struct heapdata_amount *sums, const struct heapdata_amount *amounts);

/* Adds sampled blocks of an existing node, and adds their estimates to the node's
   amounts and to the sums. CARRY has the remainders of rounding, for blocks and for
   bytes, and starts as 0. Returns false if the estimates are too large. */
bool heapdata_put_sized(struct heapdata *heap, const struct heapdata_sized *sized,
                        double carry[2]);

/* Returns how many blocks a counted block of SIZE bytes represents. */
double heapdata_weight(const struct heapdata *heap, uint64_t size);

/* Adds the sampling errors of COUNT sampled blocks of SIZE bytes to ERRORS, for blocks
   and for bytes. SAMPLE is the number of bytes per sample. */
void heapdata_add_error(struct statistics_error errors[2], uint64_t sample, uint64_t size,
                        uint64_t count);

/* Returns the 95 % confidence interval of AMOUNT of MEASURE, of its bytes or, with
   BLOCKS, of its number of blocks. ALLOCATED are the bytes allocated in total. ERROR is
   the sampling error, and SAMPLE the number of bytes per sample. The interval of the peak
   is wider, because the peak is the highest of many estimates. */
struct statistics_interval heapdata_interval(const struct heapdata_amount *amount,
                                             uint64_t allocated,
                                             const struct statistics_error *error,
                                             uint64_t sample,
                                             enum heapdata_measure measure, bool blocks);

/* Returns the first bucket of the last tenth of the run. Blocks allocated in it or
   later are young. Returns HEAPTIMES_ALIVE if there are too few buckets, or no cells. */
uint32_t heaptimes_young(const struct heaptimes *times);

/* Describes in words how the heap was measured; freed by free. */
char *heapdata_manner(const struct heapdata *heap);

void heapdata_free(struct heapdata *heap);

/* heapmerge: adding heaps, for profile-merge.c. Allocated and freed memory is added.
   Memory in use, at the end and at the peak, is added over processes, but not over the
   slices of one process: one slice has the memory at the end of the process, and one
   slice has the memory at its peak. Therefore a heap also stores the memory in use for
   each process with slices. If a later slice of the process is added, the process's
   memory in the sums is replaced. */

/* Begin and end reading slice NUMBER into HEAP, which has no points yet. The process
   is identified by PID and its start TIME. */
void heapmerge_begin_slice(struct heapdata *heap, uint64_t number, uint64_t pid,
                           uint64_t time);
void heapmerge_end_slice(struct heapdata *heap);

/* Returns whether FROM can be added to INTO without overflow. */
bool heapmerge_fit(const struct heapdata *into, const struct heapdata *from);

/* The numbers in one profile of another profile's modules, labels, threads and
   processes. */
struct heapmerge_numbers {
    const uint32_t *modules, *labels, *threads, *processes;
};

/* The place in INTO's profile of a point in FROM's profile. */
struct heapmerge_place {
    uint32_t module;
    uint64_t address;
};

struct heapmerge_place heapmerge_place(const struct heapmerge_numbers *new_numbers,
                                       uint32_t module, uint64_t address);

/* Adds FROM to INTO. NEW_NUMBERS has numbers of INTO's profile. heapmerge_fit must have
   returned true. */
void heapmerge(struct heapdata *into, const struct heapdata *from,
               const struct heapmerge_numbers *new_numbers);

#endif
