/* SPDX-License-Identifier: GPL-3.0-or-later */
/* options: holds the values of the plugin's arguments for all modules. arguments.cc
   sets them. */

#ifndef CCPROF_OPTIONS_H
#define CCPROF_OPTIONS_H

#include "rt/format.h"

enum options_profile {
    OPTIONS_PROFILE_NO,      /* as if the plugin were not loaded */
    OPTIONS_PROFILE_DROP,    /* carries markers, but writes nothing */
    OPTIONS_PROFILE_MEASURE, /* measures the kinds in options.kinds */
};

/* The meaning of the rows of a profile. */
enum options_mark {
    OPTIONS_MARK_SOURCE,   /* source functions */
    OPTIONS_MARK_FUNCTION, /* compiled functions, clones separately; no inlining */
    OPTIONS_MARK_BLOCK,    /* basic blocks of compiled functions */
};

/* Which calls at the end of a function may become jumps. */
enum options_tail_calls {
    OPTIONS_TAIL_CALLS_ALWAYS,    /* all calls that GCC can turn into jumps */
    OPTIONS_TAIL_CALLS_SELF_ONLY, /* only recursive calls */
    OPTIONS_TAIL_CALLS_NEVER,
};

struct options {
    enum options_profile profile;
    unsigned kinds; /* bits of enum ccprof_kind; 0 if nothing is measured */
    enum ccprof_position position;
    enum options_mark mark;
    bool blocks;        /* with count: count edges; counts of blocks follow from them */
    bool branch;        /* branches have rows of their own; with count: count edges */
    bool mispredicted;  /* with count: count mispredictions of each branch */
    bool stack;         /* inclusive counts, too */
    bool trace;         /* the program can report each call's start and end */
    bool train;         /* count the arcs of GCC's own profile */
    bool train_order;   /* and the order in which functions are first executed */
    bool train_values;  /* and frequent divisors and sizes */
    bool targets;       /* with count: callees of indirect calls */
    bool verbose;       /* report the number of counters of each function */
    bool remarks;       /* write what GCC did with each loop */
    bool dormant;       /* the program measures nothing until a request comes */
    bool check;         /* check between passes that markers nest */
    bool ignore_scopes; /* for tests: infer uses only the markers */
    /* For tests; otherwise NULL. FUNCTION: the pass mark makes a mistake in FUNCTION.
       FUNCTION@PASS: the checker pretends that PASS has made a mistake in FUNCTION. */
    const char *fault;
    enum options_tail_calls tail_calls;
};

/* Read by every pass. Only arguments.cc writes them. */
extern struct options options;

/* Returns true if at least one of the kinds in KIND, bits of enum ccprof_kind, is
   measured. */
static inline bool options_measures(unsigned kind)
{
    return options.kinds & kind;
}

/* Returns true if the program adds up inclusive instructions while it runs
   (plugin/machine). */
static inline bool options_adds_inclusive_instructions(void)
{
    return options.stack && options_measures(CCPROF_KIND_INSTRUCTIONS);
}

/* Returns true if the program adds up other inclusive counts while it runs
   (plugin/inclusive). With a sampled kind this is not necessary: inclusive counts follow
   from the stacks of the samples. */
static inline bool options_adds_inclusive(void)
{
    return options.stack &&
           !options_measures(CCPROF_KINDS_SAMPLED | CCPROF_KIND_INSTRUCTIONS);
}

/* Returns true if calls are first marked, and the marks are replaced by counters after
   the last inlining (plugin/count/condense.h). */
static inline bool options_marks_counts(void)
{
    return options_measures(CCPROF_KIND_COUNT) && options.mark == OPTIONS_MARK_SOURCE &&
           !options_adds_inclusive();
}

/* Returns the kind with the name NAME of SIZE characters, 0 if there is none. */
unsigned options_kind(const char *name, size_t size);

#endif
