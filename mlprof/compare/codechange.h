/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds what changed in the code of two builds, for -pgo with -compare, as far as the
   tables and symbols of both executables tell: which calls are inlined, which functions
   have a cold part, and how many pages the functions with most of the time are on.  */

#ifndef MLPROF_CODECHANGE_H
#define MLPROF_CODECHANGE_H

#include "mlprof/compare/match.h"

/* The code of one executable.  Starts as all zero.  Functions have the numbers of the
   side (runset.h).  */
struct codechange_side {
    struct index inlined; /* key: caller, callee; some call is inlined */
    bool *coded, *cold;   /* by function: it has code there; and a cold part */
    size_t count;         /* of the functions in these lists */
    bool symbols;      /* the executable has symbols, without which COLD is not known */
    uint64_t *samples; /* by function of the tables; NULL: no run was added */
    uint64_t pages; /* that the functions with most of the samples are on; 0: unknown */
};

/* The share of the samples in the executable's functions that is most, and the bytes of a
   page.  */
#define CODECHANGE_MOST 0.9
#define CODECHANGE_PAGE 4096

enum codechange_cold {
    CODECHANGE_UNKNOWN,
    CODECHANGE_WHOLE, /* neither build has a cold part */
    CODECHANGE_NEW,
    CODECHANGE_GONE,
    CODECHANGE_BOTH
};

struct codechange_row {
    bool coded;               /* one of the executables has code of the function */
    uint64_t inlined, called; /* callees inlined now and not before; and before only */
    enum codechange_cold cold;
};

struct codechange {
    struct codechange_row *rows; /* by row of the match */
    uint64_t inlined, called;    /* the sums */
    uint64_t cold[2];            /* before, after: how many functions have a cold part */
    bool symbols;                /* both executables have symbols */
    uint64_t pages[2];
};

/* Adds where the samples of a run are.  */
void codechange_add_run(struct codechange_side *code,
                        const struct evaluate_result *result);

/* Adds what the executable at PROGRAM has; CATALOG are the functions of its TABLES, which
   SIDE has already.  */
void codechange_add_code(struct codechange_side *code, struct runset *side,
                         const char *program, struct tables *tables,
                         const struct rows *catalog);

void codechange_free_side(struct codechange_side *code);

/* Fills CHANGE, which codechange_free frees, for the functions of MATCH, of two sides. */
void codechange_find(struct codechange *change, const struct match *match,
                     const struct codechange_side *const sides[2]);

void codechange_free(struct codechange *change);

#endif
