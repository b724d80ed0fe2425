/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by the files mlmon*.c, which read a data file (mlmon.out(5)): mlmon-head.c the
   lines up to the modules, mlmon-points.c the points, which are most of it,
   mlmon-counted.c the counters, mlmon-regions.c the regions, mlmon-heap.c and
   mlmon-spans.c the heap and the heap over time.  */

#ifndef MLPROF_MLMON_INSIDE_H
#define MLPROF_MLMON_INSIDE_H

#include "mlprof/base/fields.h"
#include "mlprof/profile/profile.h"

/* What later versions of the format have beside the first, the threads of the file, and
   where it was written.  */
struct mlmon_told {
    bool threads, times, regions, origins, rests, heap, lives, spans, reach;
    struct index numbers; /* of the file's threads, in the order of the profile's */
    char *host;           /* to be freed; NULL: not told */
    struct origins_origin origin;
};

/* Begins the next line if it begins with WORD.  If not, *GOOD tells whether there is a
   line.  */
static inline bool mlmon_optional(struct fields *fields, const char *word, bool *good)
{
    *good = fields_next_line(fields);
    if (*good && fields_skip(fields, word))
        return true;
    if (*good)
        fields_unread(fields);
    return false;
}

static inline bool mlmon_number(struct fields *fields, uint64_t *value)
{
    return fields_skip(fields, " ") && fields_decimal(fields, value);
}

/* Reads the lines before the modules.  */
bool mlmon_head_read(struct profile *profile, struct fields *fields,
                     struct mlmon_told *told);

/* Reads the number of a module, or `-' for none, which is PROFILE_NO_MODULE.  Returns
   false, and says nothing, if no module has that number.  */
bool mlmon_points_module(const struct profile *profile, struct fields *fields,
                         uint32_t *module);

/* Reads the line `times', which has been begun, and begins the line behind it.  */
bool mlmon_points_times(struct profile *profile, struct fields *fields);

/* Reads into PROFILE, which has the modules, labels and threads, what stands behind
   `counts ' on the line, and then the points.  */
bool mlmon_points_read(struct profile *profile, struct fields *fields,
                       const struct mlmon_told *told);

/* Reads the lines `uncounted' and `switched', which may be missing, and begins the line
   behind them.  */
bool mlmon_counted_uncounted(struct profile *profile, struct fields *fields);

/* Reads the counters, and the targets if there are any.  The line `counters' has been
   begun.  RESTS: calls of the first target may be told as the rest.  */
bool mlmon_counted_read(struct profile *profile, struct fields *fields, bool rests);

/* Read the lines of regions, if the next line is `regions', and those of the heap, if it
   is `heap'.  The next line is then the first behind them.  */
bool mlmon_regions_read(struct profile *profile, struct fields *fields);
bool mlmon_heap_read(struct profile *profile, struct fields *fields,
                     struct mlmon_told *told);

/* Reads the line `times' and those of the buckets, if the next line is the first.  */
bool mlmon_spans_head(struct heaptimes *times, struct fields *fields);

/* Reads the lines `born' behind that of a point which has AMOUNTS, whose blocks have SIZE
   if they were SAMPLED, and adds their cells, of no node yet, and what is young to
   AMOUNTS.  */
bool mlmon_spans_point(struct heaptimes *times, struct fields *fields, bool sampled,
                       uint64_t size, struct heapdata_amount *amounts);

#endif
