/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds up the time of regions, for the views: by name, by copy of a function that was
   compiled with a stopwatch, or by path.  For evaluate.c.  */

#ifndef MLPROF_REGIONROWS_H
#define MLPROF_REGIONROWS_H

#include "mlprof/groups/copies.h"
#include "mlprof/regions/regiontimes.h"

enum regionrows_by {
    REGIONROWS_NAMES, /* one that the program has named, or a function with its copies */
    REGIONROWS_COPIES,
    REGIONROWS_PATHS
};

/* Between the regions of a path.  */
#define REGIONROWS_INSIDE " > "

#define REGIONROWS_KEYS (REGIONROWS_PATHS + 1)

struct regionrows_row {
    char *name;     /* of a path `A > B', the outermost region first */
    char *position; /* `FILE: LINE' of a function, the innermost one of a path; NULL: it
                       is none */
    char *place;    /* what a copy is, with parts (text.h); NULL: it is none */
    uint32_t
        region; /* the innermost one's number in the profile; of several, the first */
    uint32_t parent; /* of a path: the row around it; REGIONROWS_NONE: none, or no path */
    struct regions_sums sums;
    struct regiontimes times;
    double total; /* nanoseconds, each once: without calls that were in another one */
};

#define REGIONROWS_NONE UINT32_MAX

/* Starts as all zero, which has no rows.  */
struct regionrows {
    struct regionrows_row *rows; /* by decreasing total; paths, too */
    size_t count, capacity;
    struct regiontimes_cost cost;     /* what was subtracted */
    struct regiontimes_cost measured; /* and what it is */
    double all;                       /* what all regions' self add up to */
    double measuring; /* what it took to measure all calls, subtracted or not */
    bool subtracted;
    bool has_cpu;      /* known of all rows */
    bool has_inside;   /* some region was inside another one */
    uint32_t *of_path; /* by path of the profile: its row */
};

struct regionrows_asked {
    enum regionrows_by by;
    bool subtract; /* what it cost to measure */
    const struct profile *profile;
    const struct program *program;
    struct rows *rows; /* by function, with their names settled */
    const struct names_style *names;
};

/* Fills ROWS, which regionrows_free frees.  */
void regionrows_fill(struct regionrows *rows, const struct regionrows_asked *asked);

/* What a call of a path of the profile took without what it cost to measure, as far as
   the row says, in nanoseconds.  */
double regionrows_length(const struct regionrows *rows, uint32_t path, uint64_t ticks);

void regionrows_free(struct regionrows *rows);

#endif
