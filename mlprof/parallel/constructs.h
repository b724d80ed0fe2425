/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds up what the threads of a program with OpenMP did, for evaluate.c: of each
   construct its work, the time that its threads waited in it and at its end, and the work
   of each thread.  A construct is a directive with its block, of which GCC has made a
   function that libgomp runs (names.h of the plugin calls it f.omp).  */

#ifndef MLPROF_CONSTRUCTS_H
#define MLPROF_CONSTRUCTS_H

#include "mlprof/names/names.h"
#include "mlprof/program/program.h"

enum constructs_what {
    CONSTRUCTS_PARALLEL, /* run by several threads, and waited for */
    CONSTRUCTS_TASK,     /* run by one of them, whichever has time */
    CONSTRUCTS_OUTSIDE,  /* what was in no construct */
    CONSTRUCTS_UNKNOWN,  /* in one of which nothing is on the stack */
    CONSTRUCTS_ENDS,     /* waiting at the end of one, which is not known */
    CONSTRUCTS_IDLE      /* threads of libgomp for which there was no construct */
};

/* Times are in samples, which may be parts of one where it was worked out whose they
   are.  */
struct constructs_row {
    enum constructs_what what;
    char *name;     /* of the function, or <outside> and the like */
    char *position; /* `FILE: LINE' of the construct; NULL: not known */
    double work;    /* in the function and what it calls */
    double inside;  /* in libgomp in between: waiting at barriers and for locks */
    double end;     /* waiting for the others at the end */
    size_t threads; /* that had a part in it */
    bool lasted;    /* most of these threads were in it whenever it ran, none has work in
                       UNKNOWN that may be of it, and the following is known */
    bool came;      /* they were not, but came and went */
    double least, mean, most; /* work of a thread */
};

/* Starts as all zero, which has no rows.  */
struct constructs {
    struct constructs_row *rows; /* by decreasing time */
    size_t count;
    size_t threads; /* in which samples were taken */
    bool told;      /* waiting at ends is told from threads without a construct */
};

/* The row is of a construct, not of what is in none or in one that is not known.  */
bool constructs_is_known(const struct constructs_row *row);

/* What a row has altogether.  */
double constructs_time(const struct constructs_row *row);

/* How much longer the thread that had most work took than it would if all had the mean.
 */
double constructs_lost(const struct constructs_row *row);

/* Chance alone would give some thread so many samples in less than STATISTICS_LEVEL of
   all runs; otherwise nothing is said of what is lost.  */
bool constructs_is_uneven(const struct constructs_row *row);

/* Fills CONSTRUCTS, which constructs_free frees.  False and FAULT, and nothing to be
   freed, if samples are not told apart by thread, have no stacks, or none was in a
   construct.  PROGRAM has its machine code.  */
bool constructs_fill(struct constructs *constructs, const struct profile *profile,
                     const struct program *program, const struct names_style *names,
                     struct fault *fault);

void constructs_free(struct constructs *constructs);

#endif
