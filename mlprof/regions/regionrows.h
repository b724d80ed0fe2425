/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds up the time of regions by name, by copy of a function with a stopwatch, or by
   path, for evaluate.c and the views.  */

#ifndef MLPROF_REGIONROWS_H
#define MLPROF_REGIONROWS_H

#include "mlprof/groups/copies.h"
#include "mlprof/regions/regiontimes.h"

enum regionrows_by {
    /* A region that the program has named, or a function with all its copies.  */
    REGIONROWS_NAMES,
    REGIONROWS_COPIES,
    REGIONROWS_PATHS
};

/* Stands between the regions of a path.  */
#define REGIONROWS_INSIDE " > "

#define REGIONROWS_KEYS (REGIONROWS_PATHS + 1)

struct regionrows_row {
    char *name; /* for a path `A > B', the outermost region first */
    /* `FILE: LINE' of a function, or of the innermost function of a path; NULL: no
       function.  */
    char *position;
    char *place; /* the description of a copy, with parts (text.h); NULL: no copy */
    uint32_t
        /* The number of the innermost region in the profile, the first of several.  */
        region;
    uint32_t parent; /* for a path: the row of the path around it, or REGIONROWS_NONE */
    struct regions_sums sums;
    struct regiontimes times;
    /* In nanoseconds, without calls that were inside another call of the row.  */
    double total;
};

#define REGIONROWS_NONE UINT32_MAX

/* All zero: there are no rows.  */
struct regionrows {
    struct regionrows_row *rows; /* by decreasing TOTAL, paths too */
    size_t count, capacity;
    struct regiontimes_cost cost;     /* the cost of measuring that was subtracted */
    struct regiontimes_cost measured; /* the cost of measuring, subtracted or not */
    double all;                       /* the sum of SELF of all regions */
    double measuring; /* the cost of measuring all calls, subtracted or not */
    bool subtracted;
    bool has_cpu;      /* the CPU time of all rows is known */
    bool has_inside;   /* at least one region was inside another */
    uint32_t *of_path; /* by path of the profile: its row */
};

struct regionrows_asked {
    enum regionrows_by by;
    bool subtract; /* whether the cost of measuring is subtracted */
    const struct profile *profile;
    const struct program *program;
    struct rows *rows; /* the rows of functions, which have their names */
    const struct names_style *names;
};

/* Fills ROWS, which regionrows_free frees.  */
void regionrows_fill(struct regionrows *rows, const struct regionrows_asked *asked);

/* The duration of a call of a path of the profile in nanoseconds, less the cost of
   measuring as far as it is known for the row.  */
double regionrows_length(const struct regionrows *rows, uint32_t path, uint64_t ticks);

void regionrows_free(struct regionrows *rows);

#endif
