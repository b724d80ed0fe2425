/* SPDX-License-Identifier: GPL-3.0-or-later */
/* GCC's own profile (the argument train), computed from the counters of a profile: how
   often its arcs were executed, the targets of calls by a pointer, and the order in which
   functions were first executed.  For export/gcda.c, autoprofile.c and rows/trained.c. */

#ifndef MLPROF_ARCCOUNTS_H
#define MLPROF_ARCCOUNTS_H

#include "mlprof/base/path.h"
#include "mlprof/profile/profile.h"
#include "mlprof/program/program.h"
#include "mlprof/tables/arctables.h"
#include "mlprof/base/index.h"
#include "mlprof/tables/tables.h"

/* One of several values, and how often it occurred: the ident of the function that a call
   by a pointer called, or the operand of a list.  */
struct arccounts_value {
    uint32_t of; /* the calls from 0, the lists behind them */
    uint32_t value;
    uint64_t count;
};

/* A function in the .gcda file of one object, in all modules that have it.  */
struct arccounts_function {
    const struct arctables_function *of;
    size_t object;                  /* number */
    const struct arctables *tables; /* those that OF is of */
    int64_t *counts;                /* by arc; they agree with the graph */
    uint64_t *times;                /* by block; NULL if there is no graph */
    uint64_t entered;               /* how often the function was executed */
    bool executed;                  /* an arc was, at least once */
    bool elsewhere;                 /* another build has it, too */
    /* Which one of its module it was, from 1, when it was executed for the first time, in
       the run in which it came earliest, as GCC merges runs; 0: in none.  */
    uint64_t first;
    /* By what they are of, then the most frequent first; of equally frequent ones by the
       value.  */
    struct arccounts_value *values;
    size_t value_count, value_capacity;
};

/* A function that other builds of the program do not have as the first one has it.  Where
   the graph is the same and only the place another it is the same function.  */
struct arccounts_change {
    enum arccounts_what {
        ARCCOUNTS_CHANGED, /* what other builds counted is left out */
        ARCCOUNTS_NEW,     /* no other build has it */
        ARCCOUNTS_GONE     /* the first one does not have it; left out */
    } what;
    const char *object;                  /* where it is now */
    const struct arctables_function *of; /* of one of the builds that have it */
};

/* The runs of one object: their number, and the count of the most executed arc of the
   module, added up over the runs (struct arcruns).  */
struct arccounts_runs {
    uint64_t count, peaks;
};

struct arccounts {
    struct arctables *tables; /* by module */
    size_t table_count;
    struct arccounts_function *functions;
    size_t count, capacity;
    struct intern objects;       /* the paths of .gcda files, without their suffix */
    struct arccounts_runs *runs; /* by object */
    /* Functions of which something had to be changed, so that counts agree: a run was cut
       off, or left a function by longjmp.  */
    size_t mended;
    struct arccounts_change *changes; /* each function once; in no order */
    size_t change_count, change_capacity;
    struct index change_index; /* key: what, number of the object, ident */
    const struct source_paths *moved;
    /* Functions that two modules of a build tell of in different ways; the later ones are
       left out.  */
    size_t contradicted;
};

/* Fills COUNTS, which arccounts_free frees in any case, and which lives as long as
   PROGRAM.  Objects are where MOVED, unless NULL, says that they are now.  False and
   FAULT if a table is damaged.  */
bool arccounts_solve(struct arccounts *counts, const struct profile *profile,
                     const struct program *program, const struct source_paths *moved,
                     struct fault *fault);

/* Whether PROGRAM has such arcs at all; false and FAULT if not.  */
bool arccounts_any(const struct arccounts *counts, const char *program,
                   struct fault *fault);

void arccounts_free(struct arccounts *counts);

/* Facts of single runs that a .gcda file has, but a sum of runs does not: the count of
   the most executed arc, when functions were first executed, and how often calls by a
   pointer called their first target.  input/datafiles.c notes this of each run before it
   adds the run to others (arccounts-runs.c).

   Holds the tables of all modules of the runs so far.  Starts as all zero.  */
struct arcruns {
    struct intern keys; /* paths and build-ids */
    struct arcruns_module *modules;
    size_t count, capacity;
};

/* Notes what RUN, one data file, has in each of its modules, makes the counters of
   first executions such of which the largest is kept, and makes targets of its rests.
   EXECUTABLE is module 0; NULL: that is another build, to be opened.  Modules without
   tables, or whose tables are wrong, have no peak: whoever reads them later says so.  */
void arcruns_note(struct arcruns *runs, struct profile *run,
                  const struct tables *executable);

void arcruns_free(struct arcruns *runs);

#endif
