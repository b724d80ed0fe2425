/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by the files mlmon*.c, which read a data file (mlmon.out(5)) part by part.
   Errors are handled as base/fields.h says.  */

#ifndef MLPROF_MLMON_INSIDE_H
#define MLPROF_MLMON_INSIDE_H

#include "mlprof/base/fields.h"
#include "mlprof/profile/profile.h"

/* The features of the file's version, and the content of its head.  */
struct mlmon_header {
    bool threads, times, regions, origins, rests, heap, lives, spans, reach;
    struct index numbers; /* of the file's threads, in the order of the profile's */
    struct mlmon_origin {
        char *host; /* to be freed */
        bool ranked;
        uint64_t rank, size;
    } origin;
};

/* In mlmon-head.c: the lines up to the modules.  */
bool mlmon_head_read(struct profile *profile, struct fields *fields,
                     struct mlmon_header *header);

/* In mlmon-points.c: the rest of the line, behind `times '.  */
bool mlmon_times_line(struct profile *profile, struct fields *fields);

/* The rest of the line, behind `counts ', and then the points, which are most of the
   file. PROFILE has the modules, labels and threads.  */
bool mlmon_points_read(struct profile *profile, struct fields *fields,
                       const struct mlmon_header *header);

/* The number of a module, or `-' for none, which is PROFILE_NO_MODULE.  Returns false,
   and says nothing, if no module has that number.  */
bool mlmon_points_module(const struct profile *profile, struct fields *fields,
                         uint32_t *module);

/* In mlmon-points.c: the lines `uncounted' and `switched', which may be missing.  */
bool mlmon_counted_uncounted(struct profile *profile, struct fields *fields);

/* The counters, and the targets if there are any.  The line `counters' was started.  If
   RESTS, the calls of the first target may be given as the rest of all calls.  */
bool mlmon_counted_read(struct profile *profile, struct fields *fields, bool rests);

/* In mlmon-regions.c: the lines of regions, if there are any.  */
bool mlmon_regions_read(struct profile *profile, struct fields *fields);

/* In mlmon-heap.c: the lines of the heap, if there are any.  */
bool mlmon_heap_read(struct profile *profile, struct fields *fields,
                     struct mlmon_header *header);

/* In mlmon-heap.c: the line `times' of the heap and those of the buckets, if there are
   any.  */
bool mlmon_spans_head(struct heaptimes *times, struct fields *fields);

/* Reads the lines `born' behind the line of a point.  AMOUNTS are the point's; its blocks
   have SIZE if they were SAMPLED.  Adds cells to TIMES, without a node yet, and young
   blocks to AMOUNTS.  */
bool mlmon_spans_point(struct heaptimes *times, struct fields *fields, bool sampled,
                       uint64_t size, struct heapdata_amount *amounts);

#endif
