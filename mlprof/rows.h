/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A profile evaluated with the tables.  Counts are kept for each program point, that
   is for each copy; they are merged into one row a source at the end.  */

#ifndef MLPROF_ROWS_H
#define MLPROF_ROWS_H

#include "mlprof/intern.h"
#include "mlprof/program.h"

#define ROWS_UNPROFILED "<unprofiled>"
#define ROWS_LOST       "<lost>"

/* A program point with what was measured in it.  */
struct rows_spot {
    uint32_t module;
    struct tables_point point;
    uint64_t cur; /* while this point was the innermost */
};

/* A source function, all its copies together.  */
struct rows_row {
    const char *name; /* owned by the rows */
    const char *file; /* NULL: unknown, as for <unprofiled> */
    uint32_t line;    /* 0: unknown */
    uint64_t cur;
};

struct rows {
    struct rows_spot *spots;
    size_t spot_count, spot_capacity;
    struct rows_row *rows;
    size_t count, capacity;
    uint64_t total; /* what the rows add up to */
    struct intern names;
};

/* Fills ROWS; sorted by decreasing cur, then by name, file, line.  Rows without
   anything measured are left out.  */
void rows_evaluate(struct rows *rows, const struct profile *profile,
                   const struct program *program);

void rows_free(struct rows *rows);

/* 100 * PART / TOTAL; 0 if there is no total.  */
double rows_percent(uint64_t part, uint64_t total);

#endif
