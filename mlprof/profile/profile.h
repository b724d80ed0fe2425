/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Holds the data that one or more runs measured. A profile can be empty, and
   profile-merge.c adds one profile to another. The counts form a tree of program
   points; no function in this room knows the meaning of an address. Used by all later
   rooms. */

#ifndef MLPROF_PROFILE_H
#define MLPROF_PROFILE_H

#include "mlprof/base/buf.h"
#include "mlprof/base/fault.h"
#include "mlprof/base/index.h"
#include "mlprof/base/statistics.h"
#include "mlprof/profile/called.h"
#include "mlprof/profile/heapdata.h"
#include "mlprof/profile/shares.h"
#include "mlprof/profile/regions.h"
#include "mlprof/profile/waitdata.h"
#include "rt/format.h"

/* The engines that caused the samples (mlmon.out(5)), as bits: files of several
   engines may be merged. */
enum profile_engine {
    PROFILE_TASK_CLOCK = 1,
    PROFILE_THREAD_TIMER = 2,
    PROFILE_WALL_TIMER = 4
};

/* The clock that determines when samples are taken. */
enum profile_clock { PROFILE_CPU = 1, PROFILE_WALL = 2 };

#define PROFILE_NO_MODULE   UINT32_MAX
#define PROFILE_LABEL       (UINT32_MAX - 1)
#define PROFILE_THREAD      (UINT32_MAX - 2)
#define PROFILE_PROCESS     (UINT32_MAX - 3)
#define PROFILE_WAIT        (UINT32_MAX - 4) /* see waitpoints.h */
#define PROFILE_PARALLELISM (UINT32_MAX - 5)
#define PROFILE_NO_NODE     UINT32_MAX

/* Upper bound for numbers of modules. A point without a module may still be code. */
#define PROFILE_MODULES PROFILE_PARALLELISM

struct profile_module {
    char *path;
    char *build_id; /* hexadecimal digits; NULL: none */
    bool program;   /* another build of the executable */
    uint64_t bias;  /* in the process of the data file; unused after a merge */
    /* RUNS: number of runs that had the module. PEAKS: sum over these runs of the
       highest execution count. Set by arcruns_note (flow/arccounts.h), otherwise 0. */
    uint64_t runs, peaks;
};

/* A range of ccprof's own code. */
struct profile_own {
    uint32_t module;
    uint64_t start, end; /* addresses in the module's file */
};

/* A program point, called from the points above it. */
struct profile_node {
    uint32_t parent; /* the point above it, or PROFILE_NO_NODE */
    /* PROFILE_NO_MODULE: the address is in no module. PROFILE_LABEL, PROFILE_THREAD or
       PROFILE_PROCESS: ADDRESS is the number of a label, thread or process.
       PROFILE_PARALLELISM: it is the number of threads that ran (latencypoints.h). */
    uint32_t module;
    uint64_t address; /* address in the module's file */
    uint64_t count;   /* without the counts of the points below it */
};

/* A counter and its count. */
struct profile_counter {
    uint32_t module;
    /* The address of its storage in the module's file. The tables of the module
       describe what the counter counts. */
    uint64_t address;
    uint64_t count;
    bool most; /* merging keeps the largest count instead of the sum */
};

/* How often an indirect call called a function. Modules and addresses are as in
   points. */
struct profile_target {
    uint32_t site_module, module;
    uint64_t site, address;
    uint64_t count;
};

/* How samples were taken, and their numbers. */
struct profile_sampling {
    unsigned engines; /* bits of enum profile_engine */
    enum profile_clock clock;
    uint64_t rate;                     /* samples per second of the clock */
    bool stack;                        /* each sample has a whole call stack */
    struct statistics_weights weights; /* of signals that count for several samples */
    /* System calls that the kernel refused, so that samples are missing: bits as in
       CCPROF_REFUSED_NAMES. */
    unsigned refused;
    uint64_t samples;        /* includes lost samples, excludes CCPROF_SAMPLES */
    uint64_t ccprof_samples; /* samples in ccprof's own code, which are in no point */
    uint64_t lost;
    uint64_t late; /* number of samples that were taken late: SIGPROF was blocked */
    /* Number of system calls that returned EINTR because of a sample's signal. */
    uint64_t interrupted;
    /* Number of samples of these runs that are in other files. It is negative if
       samples of other runs are in this profile. */
    int64_t moved;
};

/* Facts about the runs that were measured. */
struct profile_runs {
    uint64_t cpu, wall; /* nanoseconds */
    /* When the span of time began that was measured, in nanoseconds since 1970; of
       several files, the earliest. 0: unknown. */
    uint64_t start;
    uint64_t threads;
    uint64_t most_threads;  /* largest number of threads in one data file */
    uint64_t files;         /* number of merged data files */
    uint64_t uncounted;     /* number of threads with incomplete counts */
    bool switched;          /* no inclusive counts, since threads changed their stacks */
    uint64_t waits;         /* voluntary context switches */
    struct intern commands; /* the commands that started the runs, in shell syntax */
    struct intern messages; /* messages of the runtime about data that are missing */
};

/* Names of the parts into which samples are divided. */
struct profile_names {
    BUF_VECTOR(char *) labels; /* names of phases */
    struct intern threads;     /* `NUMBER NAME', if samples are recorded by thread */
    struct intern processes;   /* `PID NAME', if the data files have them */
};

/* Counters, and targets of indirect calls. */
struct profile_counts {
    BUF_VECTOR(struct profile_counter) counters;
    struct index counter_index; /* key: module, address; number: index in COUNTERS */
    /* The sum of the counts of targets and of counters, except counters that keep the
       largest count. */
    uint64_t total;
    BUF_VECTOR(struct profile_target) targets;
    /* Only in the profile of a single run: the first target of each site, without a
       count. The number of its calls is the number of executions of the site minus the
       calls of the site's other targets. arcruns_note, which knows the executions,
       adds it to the targets. */
    BUF_VECTOR(struct profile_target) rests;
    struct index site_index; /* key: module, site; number: the site's */
    /* Key: number of the site, module, address; number: index in TARGETS. */
    struct index target_index;
};

/* A profile. All zero: the empty profile. */
struct profile {
    unsigned kind; /* bits of enum ccprof_kind; 0: nothing was measured */
    struct profile_sampling sampling;
    struct profile_runs runs;
    /* Whether other builds of the executable are accepted as modules of their own. If
       false, they are refused. Set this while the profile is empty. */
    bool merges_builds;
    /* Whether counts were multiplied by a weight. If a sum of such counts overflows,
       it gets the maximum value; otherwise an overflow is an error. */
    bool weighted;
    BUF_VECTOR(struct profile_module) modules; /* 0: the executable */
    /* No point in these ranges has samples; points in them may be callers of others. */
    BUF_VECTOR(struct profile_own) owns;
    struct profile_names names;
    BUF_VECTOR(struct profile_node) nodes; /* parents come before their children */
    struct times times; /* when samples were taken, sorted; empty if merged */
    /* Amounts of points, sorted. The bins are the columns of heappoints.h, of all
       measures, or of flow/instructions.h, of those in BESIDE. */
    struct shares values;
    struct children children; /* of the nodes */
    /* Number of nodes in CHILDREN: all, or 0 after nodes were appended. */
    size_t indexed;
    struct profile_counts counts;
    struct regions regions;
    struct heapdata heap;
    struct waitdata waits;
    /* The measure of the counts of points that were made from the heap (heappoints.h),
       from waits (waitpoints.h) or from counters of instructions (flow/instructions.h).
       NULL: KIND says it. */
    const struct measure *measure;
    unsigned beside;              /* other measures of instructions in VALUES, as bits */
    struct profile_called called; /* if the measure is the number of instructions */
    struct origins origins;       /* where the files were written */
};

/* Returns the main measure of PROFILE, which the counts of its points have. */
const struct measure *profile_measure(const struct profile *profile);

/* Returns whether the points of PROFILE were made from the heap. */
static inline bool profile_is_of_heap(const struct profile *profile)
{
    return measure_is_of_heap(profile->measure);
}

/* Returns whether the points of PROFILE were made from waits. */
static inline bool profile_is_of_waits(const struct profile *profile)
{
    return profile->kind == MEASURE_KIND_WAIT;
}

/* Returns whether the points of PROFILE have latency (latencypoints.h). */
static inline bool profile_is_of_latency(const struct profile *profile)
{
    return profile->kind == MEASURE_KIND_LATENCY;
}

/* Returns whether counts of points that are time are whole samples. */
static inline bool profile_counts_samples(const struct profile *profile)
{
    return !(profile->kind & MEASURE_KINDS_MADE);
}

/* Returns the measure of memory whose blocks are known, too, or NULL. */
const struct measure *profile_memory(const struct profile *profile);

/* Returns whether PROFILE has MEASURE, as its main measure or in addition. Of
   the measures of instructions, the points have only one. */
bool profile_has(const struct profile *profile, const struct measure *measure);

/* Returns the time of SAMPLES samples in nanoseconds. */
uint64_t profile_nanoseconds(const struct profile *profile, uint64_t samples);

/* Returns the command that started the first run, in shell syntax; NULL if unknown. */
const char *profile_command(const struct profile *profile);

/* Returns the number of builds of the executable. */
size_t profile_builds(const struct profile *profile);

void profile_free(struct profile *profile);

/* Makes POINTS a profile of KIND without points, counts and origins. Everything else
   still belongs to PROFILE, which must live as long. profile_free_derived frees what is
   added. */
void profile_derive(struct profile *points, const struct profile *profile, unsigned kind);
void profile_free_derived(struct profile *points);

void profile_clear_modules(struct profile *profile);

/* Adds a module with copies of PATH and BUILD_ID. BUILD_ID may be NULL. */
void profile_add_module(struct profile *profile, const char *path, const char *build_id);

/* Adds a phase with a copy of NAME. */
void profile_add_label(struct profile *profile, const char *name);

/* Adds a thread with a copy of NAME. Returns the number of its name in PROFILE. */
uint32_t profile_add_thread(struct profile *profile, uint64_t number, const char *name);

/* Return whether MODULE, or the module of a node, indicates a phase, a thread, a process
   or parallelism, which are outside all points of code. */
static inline bool profile_stands_around(uint32_t module)
{
    return module == PROFILE_LABEL || module == PROFILE_THREAD ||
           module == PROFILE_PROCESS || module == PROFILE_PARALLELISM;
}

static inline bool profile_is_around(const struct profile_node *node)
{
    return profile_stands_around(node->module);
}

/* Appends a point without searching for an equal point, and returns its number. This
   is fast when reading a file, because most points occur once in a file. */
uint32_t profile_append(struct profile *profile, uint32_t parent, uint32_t module,
                        uint64_t address, uint64_t count);

/* Adds COUNT to a point; adds the point if it is missing. Returns its number. Equal
   points that were appended are joined first. */
uint32_t profile_add(struct profile *profile, uint32_t parent, uint32_t module,
                     uint64_t address, uint64_t count);

/* Sets *NUMBER to the number of a point. Returns false if there is no such point. Equal
   points that were appended are joined first. */
bool profile_find(struct profile *profile, uint32_t parent, uint32_t module,
                  uint64_t address, uint32_t *number);

/* Joins equal points. Points get new numbers. */
void profile_join(struct profile *profile);

/* Returns whether a point is in ccprof's own code. */
bool profile_is_own(const struct profile *profile, const struct profile_node *node);

/* Moves the samples in ccprof's own code from the points to CCPROF_SAMPLES, so that
   they are not charged to functions of the program. The profile must be from one file, so
   that its times are sorted. */
void profile_leave_own(struct profile *profile);

/* Adds COUNT to a counter. */
void profile_add_counter(struct profile *profile, uint32_t module, uint64_t address,
                         uint64_t count);

/* Sets the counter to the maximum of COUNT and its largest count so far, and marks it
   as a counter that keeps its largest count. If the counter had a sum before, the sum
   is lost. */
void profile_keep_most(struct profile *profile, uint32_t module, uint64_t address,
                       uint64_t count);

/* Multiplies counters, targets, and the modules' runs and peaks by WEIGHT. Samples are
   not multiplied: they must not be used afterwards. */
void profile_multiply(struct profile *profile, uint64_t weight);

/* Returns the count of the counter at ADDRESS of a module. */
uint64_t profile_count_of(const struct profile *profile, uint32_t module,
                          uint64_t address);

/* Adds COUNT calls of a target. The count in TARGET is ignored. */
void profile_add_target(struct profile *profile, const struct profile_target *target,
                        uint64_t count);

/* Adds the first target of a site that has none. */
void profile_add_rest(struct profile *profile, const struct profile_target *rest);

/* From now on, records the origin of the samples in PROFILE and in profiles merged
   with it, if both record origins. PROFILE has one origin. */
void profile_keep_origins(struct profile *profile);

/* Puts a point for the process around all other points of a profile, which is from one
   file. Does nothing if the file does not have the process. */
void profile_put_process(struct profile *profile);

/* Adds FROM, which was read from FILE, to INTO. The result has no times. If the two
   cannot be merged, returns false, sets FAULT, which names FILE, and does not change
   INTO. The executable is module 0 in both, but another build of it may become another
   module of INTO. All other modules are matched by path and build ID. */
bool profile_merge(struct profile *into, const struct profile *from, const char *file,
                   struct fault *fault);

/* Subtracts EARLIER from LATER: LATER then has what the process measured between the two
   parts of FILE (mlmon.out(5), version 14). Each profile was read from one part, and
   profile_leave_own was not called for it. Points, paths and counters without a
   difference are removed from LATER. If the parts are not of one run, or if a
   difference would be negative, returns false and sets FAULT, which names FILE. LATER
   can then only be freed. */
bool profile_subtract(struct profile *later, const struct profile *earlier,
                      const char *file, struct fault *fault);

/* Like profile_merge, but FROM is empty afterwards. If INTO is empty, FROM is moved at
   no cost; equal points are then not joined. */
bool profile_fold(struct profile *into, struct profile *from, const char *file,
                  struct fault *fault);

#endif
