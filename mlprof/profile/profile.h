/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Holds what one or more runs measured.  Profiles are a monoid: there is an empty
   profile, and profile-merge.c adds one to another.  The counts stay a tree of program
   points; no function here knows what an address means.  */

#ifndef MLPROF_PROFILE_H
#define MLPROF_PROFILE_H

#include "mlprof/base/fault.h"
#include "mlprof/base/index.h"
#include "mlprof/profile/heapdata.h"
#include "mlprof/profile/shares.h"
#include "mlprof/profile/regions.h"
#include "rt/format.h"

/* The engines that caused the samples (mlmon.out(5)).  They are bits, since files of
   several engines may be merged.  */
enum profile_engine {
    PROFILE_TASK_CLOCK = 1,
    PROFILE_THREAD_TIMER = 2,
    PROFILE_WALL_TIMER = 4
};

/* The clock whose time the rate divides.  */
enum profile_clock { PROFILE_CPU = 1, PROFILE_WALL = 2 };

#define PROFILE_NO_MODULE UINT32_MAX
#define PROFILE_LABEL     (UINT32_MAX - 1)
#define PROFILE_THREAD    (UINT32_MAX - 2)
#define PROFILE_NO_NODE   UINT32_MAX

/* Modules have numbers below this.  A point in no module may still be code.  */
#define PROFILE_MODULES PROFILE_THREAD

struct profile_module {
    char *path;
    char *build_id; /* hexadecimal digits; NULL: none */
    bool program;   /* another build of the executable */
    /* In how many runs the module was, and what was executed most in each, added up: as
       flow/arccounts.h notes them, otherwise 0.  */
    uint64_t runs, peaks;
};

/* A piece of ccprof's own code.  */
struct profile_own {
    uint32_t module;
    uint64_t start, end; /* as in the module's file */
};

/* A program point, reached by way of the points above it.  */
struct profile_node {
    uint32_t parent; /* the point above it, or PROFILE_NO_NODE */
    /* PROFILE_NO_MODULE: the address lies in no module.  PROFILE_LABEL or PROFILE_THREAD:
       the address is the number of a label or thread.  */
    uint32_t module;
    uint64_t address; /* as in the module's file */
    uint64_t count;   /* without the counts of the points below it */
};

/* A counter and its count.  */
struct profile_counter {
    uint32_t module;
    /* The address of its storage, as in the module's file.  The tables of the module say
       what the counter counts.  */
    uint64_t address;
    uint64_t count;
    bool most; /* of several runs the largest count is kept, not the sum */
};

/* How often an indirect call called a function.  Modules and addresses are as in
   points.  */
struct profile_target {
    uint32_t site_module, module;
    uint64_t site, address;
    uint64_t count;
};

/* The empty profile is all zero.  */
struct profile {
    unsigned kind;    /* bits of enum ccprof_kind; 0 if nothing was measured */
    unsigned engines; /* bits of enum profile_engine */
    enum profile_clock clock;
    uint64_t rate;      /* samples in a second of the clock */
    bool stack;         /* every sample is a whole call stack */
    uint64_t cpu, wall; /* nanoseconds */
    uint64_t threads;
    uint64_t most_threads; /* the largest number of threads in one data file */
    uint64_t files;        /* number of data files that were added up */
    uint64_t uncounted;    /* number of threads whose counts are not all there */
    bool switched;         /* there are no inclusive counts: stacks were changed unseen */
    uint64_t waits;        /* voluntary context switches */
    /* System calls that returned EINTR because of the signal of a sample.  */
    uint64_t interrupted;
    /* System calls that were refused, so that samples are missing: bits as in
       CCPROF_REFUSED_NAMES.  */
    unsigned refused;
    uint64_t samples; /* with the lost samples, without those in ccprof's own code */
    uint64_t own;     /* samples in ccprof's own code, which are in no point */
    uint64_t lost;
    /* Samples of these runs that are in other files.  Negative: samples of other runs are
       here.  */
    int64_t moved;
    /* Other builds of the executable become modules of their own and are not refused.  To
       be set while the profile is empty.  */
    bool merges_builds;
    /* Counts were multiplied: sums that are too large are the largest number.  */
    bool weighted;
    struct profile_module *modules; /* 0: the executable */
    size_t module_count, module_capacity;
    /* Only of one run: a merged profile has no points there.  */
    struct profile_own *owns;
    size_t own_count, own_capacity;
    char **labels; /* names of phases */
    size_t label_count, label_capacity;
    /* The commands that started the runs, as a shell reads them.  */
    struct intern commands;
    /* `NUMBER NAME' of the threads, if samples are kept apart by thread.  */
    struct intern thread_names;
    struct profile_node *nodes; /* a parent stands before its children */
    size_t node_count, node_capacity;
    struct times times;       /* when samples were taken, sorted; of one run, or empty */
    struct children children; /* of the nodes */
    /* How many nodes are in CHILDREN: all, or 0 if nodes were appended.  */
    size_t indexed;
    struct profile_counter *counters;
    size_t counter_count, counter_capacity;
    struct index counter_index; /* key: module, address; the number of the counter */
    /* The sum of the targets and of the counters, without those of which the largest is
       kept.  */
    uint64_t counter_total;
    struct profile_target *targets;
    size_t target_count, target_capacity;
    /* Only of one run: the first target of each site, without a count.  Its calls are the
       site's executions less the calls of the site's other targets.  Code that knows the
       executions adds it to the targets (arcruns_note).  */
    struct profile_target *rests;
    size_t rest_count, rest_capacity;
    struct index site_index; /* key: module, site; the number of the site */
    /* Key: number of the site, module, address; the number of the target.  */
    struct index target_index;
    struct regions regions;
    struct heapdata heap;
    /* The heap whose memory the points of this profile have (heappoints.h); NULL: they
       have samples.  */
    const struct measure *shown;
    struct origins origins; /* where the files were written */
};

/* The measure that is shown of PROFILE, and that the counts of its points have.  */
const struct measure *profile_measure(const struct profile *profile);

/* Whether PROFILE has MEASURE, as its main measure or in addition.  */
bool profile_has(const struct profile *profile, const struct measure *measure);

/* The time of SAMPLES samples.  */
uint64_t profile_nanoseconds(const struct profile *profile, uint64_t samples);

/* The command that started the first run, as a shell reads it; NULL: not known.  */
const char *profile_command(const struct profile *profile);

/* The number of builds of the executable.  */
size_t profile_builds(const struct profile *profile);

void profile_free(struct profile *profile);

void profile_clear_modules(struct profile *profile);

/* Copies its arguments.  BUILD_ID may be NULL.  */
void profile_add_module(struct profile *profile, const char *path, const char *build_id);

/* Copies its argument.  */
void profile_add_label(struct profile *profile, const char *name);

/* Copies NAME.  Returns the number of the thread's name in PROFILE.  */
uint32_t profile_add_thread(struct profile *profile, uint64_t number, const char *name);

/* Whether what a point has in place of a module's number says that it is a phase or a
   thread, which stand around all code.  The same of a point.  */
static inline bool profile_stands_around(uint32_t module)
{
    return module == PROFILE_LABEL || module == PROFILE_THREAD;
}

static inline bool profile_is_around(const struct profile_node *node)
{
    return profile_stands_around(node->module);
}

/* Adds a point without looking for an equal one, and returns its number: for reading a
   file, in which most points stand once.  */
uint32_t profile_append(struct profile *profile, uint32_t parent, uint32_t module,
                        uint64_t address, uint64_t count);

/* Adds COUNT to a point, which is added if it is missing.  Returns its number.  Equal
   points that were appended are joined first.  */
uint32_t profile_add(struct profile *profile, uint32_t parent, uint32_t module,
                     uint64_t address, uint64_t count);

/* Joins equal points.  Points get new numbers.  */
void profile_join(struct profile *profile);

/* Takes the samples in ccprof's own code out of the points, so that no function of the
   program is charged with them, and adds them to OWN.  For the profile of one file, whose
   times are sorted.  */
void profile_leave_own(struct profile *profile);

/* Adds COUNT to a counter.  */
void profile_add_counter(struct profile *profile, uint32_t module, uint64_t address,
                         uint64_t count);

/* Makes the counter keep its largest count: COUNT, or a count that was kept before.  A
   sum in the counter is lost.  */
void profile_keep_most(struct profile *profile, uint32_t module, uint64_t address,
                       uint64_t count);

/* Multiplies what was counted, the runs of the modules and their peaks, of a profile
   without samples that anybody looks at: those stay.  */
void profile_multiply(struct profile *profile, uint64_t weight);

/* The count of the counter at ADDRESS of a module.  */
uint64_t profile_count_of(const struct profile *profile, uint32_t module,
                          uint64_t address);

/* Adds COUNT calls of a target.  The count in TARGET is ignored.  */
void profile_add_target(struct profile *profile, const struct profile_target *target,
                        uint64_t count);

/* Adds the first target of a site that has none.  */
void profile_add_rest(struct profile *profile, const struct profile_target *rest);

/* Keeps which samples belong to which origin, in PROFILE and what it is merged with, if
   both keep it.  PROFILE has one origin.  */
void profile_keep_origins(struct profile *profile);

/* Adds FROM, which was read from FILE, to INTO.  The result has no times.  If the two do
   not belong together, returns false and a FAULT that names FILE, and INTO is unchanged.
   The executable is module 0 in both, but another build of it may become another module
   of INTO.  Other modules are the same if their paths and build-ids are.  */
bool profile_merge(struct profile *into, const struct profile *from, const char *file,
                   struct fault *fault);

/* Like profile_merge, and FROM is empty afterwards.  It costs nothing if INTO is
   empty; equal points stay apart then.  */
bool profile_fold(struct profile *into, struct profile *from, const char *file,
                  struct fault *fault);

#endif
