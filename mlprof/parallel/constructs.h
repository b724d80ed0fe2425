/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds up what the threads of a program with OpenMP did, for evaluate.c: the work in each
   construct, the waiting in it and at its end, and the work of each thread.  GCC makes of
   a construct a function that libgomp runs (names.h of the plugin calls it f.omp).  */

#ifndef MLPROF_CONSTRUCTS_H
#define MLPROF_CONSTRUCTS_H

#include "mlprof/names/names.h"
#include "mlprof/program/program.h"

enum constructs_what {
    CONSTRUCTS_PARALLEL, /* run by several threads, and waited for */
    CONSTRUCTS_TASK,     /* run by one thread, whichever has time */
    CONSTRUCTS_OUTSIDE,  /* code outside of all constructs */
    CONSTRUCTS_UNKNOWN,  /* code in a construct that is not on the stack */
    CONSTRUCTS_ENDS,     /* waiting at the end of a construct, not known which */
    CONSTRUCTS_IDLE      /* threads of libgomp without a construct */
};

/* Times are in samples; they may be fractions where samples were divided among
   constructs.  */
struct constructs_row {
    enum constructs_what what;
    char *name;     /* of the function; <outside> and the like for the other kinds */
    char *position; /* `FILE: LINE' of the construct; NULL: unknown */
    double work;    /* in the function and what it calls */
    double inside;  /* waiting in libgomp at barriers and for locks */
    double end;     /* waiting at the end for the other threads */
    size_t threads; /* the number of threads that took part */
    /* Most of the threads were in the construct whenever it ran, and none has work in
       UNKNOWN that may belong to it.  LEAST, MEAN and MOST are known then.  */
    bool lasted;
    bool came;                /* threads came and went while the construct ran */
    double least, mean, most; /* the work of a thread */
};

/* All zero: there are no rows.  */
struct constructs {
    struct constructs_row *rows; /* by decreasing time */
    size_t count;
    size_t threads; /* number of threads with samples */
    bool told;      /* waiting at ends can be told from threads without a construct */
};

/* Whether the row is a known construct's.  */
bool constructs_is_known(const struct constructs_row *row);

/* The sum of a row's times.  */
double constructs_time(const struct constructs_row *row);

/* How much more work the busiest thread has than the mean.  */
double constructs_lost(const struct constructs_row *row);

/* Whether the load is certainly uneven: chance alone gives some thread so many samples in
   less than STATISTICS_LEVEL of all runs.  If not, views do not show what is lost.  */
bool constructs_is_uneven(const struct constructs_row *row);

/* Fills CONSTRUCTS, which constructs_free frees.  False and FAULT, with nothing to be
   freed, if samples are not told apart by thread, have no stacks, or none was in a
   construct.  PROGRAM must have its machine code.  */
bool constructs_fill(struct constructs *constructs, const struct profile *profile,
                     const struct program *program, const struct names_style *names,
                     struct fault *fault);

void constructs_free(struct constructs *constructs);

#endif
