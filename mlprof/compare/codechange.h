/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the differences between the code of two builds, for -pgo with -compare: calls
   that are inlined in one build only, functions with a cold part, and the number of
   pages that the functions with most of the time occupy. Uses the tables and symbols
   of both executables. */

#ifndef MLPROF_CODECHANGE_H
#define MLPROF_CODECHANGE_H

#include "mlprof/compare/match.h"

/* The code of one executable. Initialize with zeros. Functions have the numbers of
   the side (runset.h). */
struct codechange_side {
    struct index inlined; /* set of pairs (caller, callee) with an inlined call */
    bool *coded, *cold;   /* by function: it has code; it has a cold part */
    size_t count;         /* length of CODED and COLD */
    bool symbols;         /* the executable has symbols; without them COLD is unknown */
    uint64_t *samples;    /* by function of the tables; NULL: no run */
    uint64_t pages;       /* number of pages of the hottest functions; 0: unknown */
};

/* PAGES counts the pages of the functions that together have this share of the
   samples, and the size of a page in bytes. */
#define CODECHANGE_MOST 0.9
#define CODECHANGE_PAGE 4096

enum codechange_cold {
    CODECHANGE_UNKNOWN,
    CODECHANGE_WHOLE, /* no cold part in both builds */
    CODECHANGE_NEW,
    CODECHANGE_GONE,
    CODECHANGE_BOTH
};

struct codechange_row {
    bool coded;       /* one of the executables has code for the function */
    uint64_t inlined; /* number of callees that are inlined only in the build after the
                         change */
    uint64_t no_longer_inlined; /* number of callees that were inlined only before */
    enum codechange_cold cold;
};

struct codechange {
    struct codechange_row *rows;         /* by row of the match */
    uint64_t inlined, no_longer_inlined; /* the sums over all rows */
    uint64_t cold[2]; /* before, after: number of functions with a cold part */
    bool symbols;     /* both executables have symbols */
    uint64_t pages[2];
};

/* Adds the samples of a run by function. */
void codechange_add_run(struct codechange_side *code, const struct report *report);

/* Adds the code of the executable at PROGRAM. CATALOG has the functions of its
   TABLES; they have already been added to SIDE. */
void codechange_add_code(struct codechange_side *code, struct runset *side,
                         const char *program, struct tables *tables,
                         const struct rows *catalog);

void codechange_free_side(struct codechange_side *code);

/* Fills CHANGE for the functions of MATCH, a match of two sides. Free CHANGE with
   codechange_free. */
void codechange_find(struct codechange *change, const struct match *match,
                     const struct codechange_side *const sides[2]);

void codechange_free(struct codechange *change);

#endif
