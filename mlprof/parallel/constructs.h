/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds up the activities of the threads of an OpenMP program, for report.c: the work
   in each construct, the waiting in it and at its end, and the work of each thread.
   GCC creates a function for each construct, which libgomp runs (the plugin calls it
   f.omp, see its names.h). */

#ifndef MLPROF_CONSTRUCTS_H
#define MLPROF_CONSTRUCTS_H

#include "mlprof/names/names.h"
#include "mlprof/program/program.h"

enum constructs_what {
    CONSTRUCTS_PARALLEL, /* run by several threads; the beginning thread waits for all */
    CONSTRUCTS_TASK,     /* a task, which is run by any thread that is free */
    CONSTRUCTS_OUTSIDE,  /* code outside of all constructs */
    CONSTRUCTS_UNKNOWN,  /* code in a construct that is not on the stack */
    CONSTRUCTS_ENDS,     /* waiting at the end of an unknown construct */
    CONSTRUCTS_IDLE      /* threads of libgomp without a construct */
};

/* Times are in samples. A time may be a fraction if samples were divided among
   constructs. */
struct constructs_row {
    enum constructs_what what;
    char *name;     /* name of the function, or for other kinds <outside> and similar */
    char *position; /* `FILE: LINE' of the construct; NULL: unknown */
    double work;    /* in the function and its callees */
    double inside;  /* waiting in libgomp at barriers and for locks */
    double end;     /* waiting at the end for the other threads */
    size_t threads; /* number of participating threads */
    /* LEAST, MEAN and MOST are known. They are known if most of the threads were in
       the construct whenever it ran, and if no work in UNKNOWN may belong to the
       construct. */
    bool lasted;
    bool came;                /* threads came and went while the construct ran */
    double least, mean, most; /* the work of a thread */
};

/* All zero: there are no rows. */
struct constructs {
    struct constructs_row *rows; /* by descending time */
    size_t count;
    size_t threads; /* number of threads with samples */
    bool told;      /* waiting at ends can be distinguished from idle threads */
};

/* Returns whether the row is a construct, not one of the other kinds. */
bool constructs_is_known(const struct constructs_row *row);

/* Returns the sum of a row's times. */
double constructs_time(const struct constructs_row *row);

/* Returns the work of the busiest thread minus the mean work. */
double constructs_lost(const struct constructs_row *row);

/* Returns whether the load is significantly uneven. If the load were even, the
   probability of this result would be less than STATISTICS_LEVEL. If the result is
   false, views do not show the lost time. */
bool constructs_is_uneven(const struct constructs_row *row);

/* Fills CONSTRUCTS. The caller frees it with constructs_free. PROGRAM must have its
   machine code. Returns false and sets FAULT if samples have no threads or no stacks,
   or if none was in a construct; then nothing needs to be freed. */
bool constructs_fill(struct constructs *constructs, const struct profile *profile,
                     const struct program *program, const struct names_style *names,
                     struct fault *fault);

void constructs_free(struct constructs *constructs);

#endif
