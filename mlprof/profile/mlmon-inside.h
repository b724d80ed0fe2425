/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by the files mlmon*.c, which read the parts of a data file (mlmon.out(5)).
   Errors are handled as in base/fields.h: a function that returns false has set the
   fault. */

#ifndef MLPROF_MLMON_INSIDE_H
#define MLPROF_MLMON_INSIDE_H

#include "mlprof/base/fields.h"
#include "mlprof/profile/profile.h"

/* The file's version, and the content of its head. */
struct mlmon_header {
    uint64_t version;
    bool times; /* samples have times */
    struct index
        numbers; /* of the file's threads, in the order of the profile's threads */
    struct mlmon_origin {
        char *host; /* freed by free */
        bool ranked;
        uint64_t rank, size;
    } origin;
    /* Only in version 14. The two parts of a file must have the same values. */
    struct mlmon_answer {
        bool is_there;
        uint64_t process; /* 0: unknown */
        uint64_t epoch, files;
    } answer;
};

/* In mlmon-head.c: reads the lines before the modules. */
bool mlmon_head_read(struct profile *profile, struct fields *fields,
                     struct mlmon_header *header);

/* In mlmon-points.c: reads the line after `times '. */
bool mlmon_times_line(struct profile *profile, struct fields *fields);

/* Reads the line after `counts ', and the points, which are most of the file. PROFILE
   already has the modules, labels and threads. */
bool mlmon_points_read(struct profile *profile, struct fields *fields,
                       const struct mlmon_header *header);

/* Reads the number of a module, or `-' for PROFILE_NO_MODULE. If there is no module
   with the number, returns false without setting the fault. */
bool mlmon_points_module(const struct profile *profile, struct fields *fields,
                         uint32_t *module);

/* In mlmon-points.c: reads the optional lines `uncounted' and `switched'. */
bool mlmon_counted_uncounted(struct profile *profile, struct fields *fields);

/* Reads the counters and, if there are any, the targets. The line `counters' has been
   started. If RESTS, `rest' may be given instead of the number of calls of a site's
   first target. */
bool mlmon_counted_read(struct profile *profile, struct fields *fields, bool rests);

/* In mlmon-regions.c: reads the optional lines of regions. */
bool mlmon_regions_read(struct profile *profile, struct fields *fields);

/* In mlmon-heap.c: reads the optional lines of the heap. */
bool mlmon_heap_read(struct profile *profile, struct fields *fields,
                     struct mlmon_header *header);

/* In mlmon-waits.c: reads the optional lines of waiting. */
bool mlmon_waits_read(struct profile *profile, struct fields *fields,
                      struct mlmon_header *header);

#endif
