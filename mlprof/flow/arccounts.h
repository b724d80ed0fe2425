/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Computes GCC's own profile (the argument train) from the counters of a profile: how
   often each arc was executed, the targets of indirect calls, and the order in which
   functions were first executed. Used by export/gcda.c, export/afdo.c (through
   autoprofile.c), rows/trained.c and input/datafiles.c. */

#ifndef MLPROF_ARCCOUNTS_H
#define MLPROF_ARCCOUNTS_H

#include "mlprof/base/buf.h"
#include "mlprof/base/path.h"
#include "mlprof/profile/profile.h"
#include "mlprof/program/program.h"
#include "mlprof/tables/arctables.h"
#include "mlprof/base/index.h"
#include "mlprof/tables/tables.h"

/* A value and how often it occurred. The value is the ident of the function called by
   an indirect call, or an operand in a list. */
struct arccounts_value {
    /* Number of an indirect call. For a list: the number of the list plus the number
       of indirect calls. */
    uint32_t counter;
    uint32_t value;
    uint64_t count;
};

/* A function in the .gcda file of one object, summed over all modules that contain the
   object. */
struct arccounts_function {
    const struct arctables_function *description;
    size_t object;                  /* number */
    const struct arctables *tables; /* the tables that DESCRIPTION belongs to */
    int64_t *counts;                /* by arc; consistent with the graph */
    uint64_t *times;                /* by block; NULL: there is no graph */
    uint64_t entered;               /* number of executions of the function */
    bool executed;                  /* at least one arc was executed */
    bool in_other_build;            /* another build has the function, too */
    /* Position of the function in the order of first executions in its module, from 1.
       Over several runs, the smallest position is used, as when GCC merges runs. 0:
       the function was never executed. */
    uint64_t first;
    /* Sorted by COUNTER, then by descending count, then by value. */
    BUF_VECTOR(struct arccounts_value) values;
};

/* A function that differs between the first build and another build of the program.
   If only the position in the source differs, and the flow graph is the same, the
   function is not listed. */
struct arccounts_change {
    enum arccounts_what {
        ARCCOUNTS_CHANGED, /* the counts of other builds are left out */
        ARCCOUNTS_NEW,     /* no other build has the function */
        ARCCOUNTS_GONE /* the first build lacks the function; its counts are left out */
    } what;
    const char *object; /* its current path */
    /* The function in one of the builds that have it. */
    const struct arctables_function *function;
};

/* The runs of one object: the number of runs, and the sum of their peaks. The peak of
   a run is the count of the most executed arc of the module (see struct arcruns). */
struct arccounts_runs {
    uint64_t count, peaks;
};

struct arccounts {
    struct arctables *tables; /* by module */
    size_t table_count;
    struct arccounts_function *functions;
    size_t count, capacity;
    struct intern objects;       /* paths of .gcda files, without the suffix */
    struct arccounts_runs *runs; /* by object */
    /* Number of functions whose counts were changed to make them consistent. Counts
       are inconsistent if a run was aborted, or if longjmp left the function. */
    size_t mended;
    BUF_VECTOR(struct arccounts_change) changes; /* each function once; unsorted */
    struct index change_index; /* key: WHAT, number of the object, ident */
    const struct source_paths *moved;
    /* Number of functions that two modules of a build describe differently. Only the
       first description is used. */
    size_t contradicted;
};

/* Fills COUNTS. The caller frees COUNTS with arccounts_free, even after a failure.
   COUNTS is valid as long as PROGRAM. MOVED, if not NULL, gives the current paths of
   objects. Returns false and sets FAULT if a table is damaged. */
bool arccounts_solve(struct arccounts *counts, const struct profile *profile,
                     const struct program *program, const struct source_paths *moved,
                     struct fault *fault);

/* Returns whether PROGRAM has arcs of GCC's profile. If not, sets FAULT. */
bool arccounts_any(const struct arccounts *counts, const char *program,
                   struct fault *fault);

void arccounts_free(struct arccounts *counts);

/* Data of single runs that a .gcda file needs, but that is lost when runs are added
   up: the count of the most executed arc, the time of first execution of each
   function, and the calls of the first target of each indirect call. input/datafiles.c
   calls arcruns_note for each run before it adds the run to others (arccounts-runs.c).

   Holds the tables of all modules of all runs so far. All members start as zero. */
struct arcruns {
    struct intern keys; /* paths and build IDs */
    struct arcruns_module *modules;
    size_t count, capacity;
};

/* Adds the data of RUN, which is one data file, to RUNS, for each module. Also
   changes RUN: marks the counters of first executions, so that merging keeps the
   largest value, and turns the first targets of sites into normal targets. EXECUTABLE
   has the tables of module 0. If it is NULL, module 0 is another build, which this
   function opens. A module with missing or wrong tables gets no peak; later readers
   of the tables report the problem. */
void arcruns_note(struct arcruns *runs, struct profile *run,
                  const struct tables *executable);

void arcruns_free(struct arcruns *runs);

#endif
