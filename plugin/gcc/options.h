/* SPDX-License-Identifier: GPL-3.0-or-later */
/* options: holds the plugin's arguments, as arguments.h has parsed them, for all modules,
   and answers questions about them.  */

#ifndef CCPROF_OPTIONS_H
#define CCPROF_OPTIONS_H

#include "rt/format.h"

enum options_profile {
    OPTIONS_PROFILE_NO,      /* as if the plugin were not there */
    OPTIONS_PROFILE_DROP,    /* markers through the compiler, nothing in the output */
    OPTIONS_PROFILE_MEASURE, /* the kinds */
};

/* What the sources are.  */
enum options_mark {
    OPTIONS_MARK_SOURCE,   /* source functions */
    OPTIONS_MARK_FUNCTION, /* compiled functions, clones apart, nothing inlined shown */
    OPTIONS_MARK_BLOCK,    /* basic blocks of compiled functions */
};

/* Which calls that are the last thing a function does may become jumps.  */
enum options_tail_calls {
    OPTIONS_TAIL_CALLS_ALWAYS,    /* those that GCC makes jumps */
    OPTIONS_TAIL_CALLS_SELF_ONLY, /* those of the function itself */
    OPTIONS_TAIL_CALLS_NEVER,
};

struct options {
    enum options_profile profile;
    unsigned kinds; /* enum ccprof_kind; 0 unless something is measured */
    enum ccprof_position position;
    enum options_mark mark;
    bool blocks;        /* with counts: edges, from which those of blocks follow */
    bool branch;        /* branches are rows of their own; with counts edges, too */
    bool mispredicted;  /* with counts: how often each branch is mispredicted */
    bool stack;         /* inclusive counts */
    bool trace;         /* the program can report each call when it enters and leaves */
    bool train;         /* the arcs that GCC's own profile has are counted */
    bool train_order;   /* and the order in which functions are first executed */
    bool train_values;  /* and which divisors and sizes are frequent */
    bool targets;       /* with counts: the callees of indirect calls */
    bool verbose;       /* reports how many counters each function has */
    bool check;         /* the nesting checker, between passes */
    bool ignore_scopes; /* for testing: infer uses the markers alone */
    const char *fault;  /* for testing: the function that mark gets wrong, or, with @ and
                           the name of a pass behind it, that pass; or NULL */
    enum options_tail_calls tail_calls;
};

/* Read by every pass, written by arguments_parse alone.  */
extern struct options options;

/* Whether the kind, or one of the kinds, of enum ccprof_kind, is measured.  */
static inline bool options_measures(unsigned kind)
{
    return options.kinds & kind;
}

/* Whether the program adds up inclusive counts while it runs.  If samples are whole
   stacks, inclusive counts follow from the samples.  */
static inline bool options_adds_inclusive(void)
{
    return options.stack && !options_measures(CCPROF_KINDS_SAMPLED);
}

/* Whether marks are put in first, and replaced by counters when all inlining is over
   (plugin/count/condense.h).  */
static inline bool options_marks_counts(void)
{
    return options_measures(CCPROF_KIND_COUNT) && options.mark == OPTIONS_MARK_SOURCE &&
           !options_adds_inclusive();
}

/* The kind with the name NAME, which has SIZE characters; 0 if there is none.  */
unsigned options_kind(const char *name, size_t size);

#endif
