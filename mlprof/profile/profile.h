/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Holds what one or more runs measured: a monoid, that is an empty profile and a merge.
   Its counts stay a tree of program points; no function here knows what an address means.
   profile-merge.c adds them up.  */

#ifndef MLPROF_PROFILE_H
#define MLPROF_PROFILE_H

#include "mlprof/base/fault.h"
#include "mlprof/base/index.h"
#include "mlprof/base/intern.h"
#include "mlprof/profile/origins.h"
#include "mlprof/profile/regions.h"
#include "mlprof/profile/times.h"
#include "rt/format.h"

/* The engines that caused the samples, mlmon.out(5): bits, since files of several engines
   may be merged.  */
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

/* Modules are numbered below this; what is in none may still be in code.  */
#define PROFILE_MODULES PROFILE_THREAD

struct profile_module {
    char *path;
    char *build_id; /* hexadecimal digits; NULL: none */
    bool program;   /* another build of the executable */
};

/* A piece of ccprof's own code.  */
struct profile_own {
    uint32_t module;
    uint64_t start, end; /* as in the module's file */
};

/* A program point, reached by way of the points above it.  */
struct profile_node {
    uint32_t parent;  /* PROFILE_NO_NODE: none */
    uint32_t module;  /* PROFILE_NO_MODULE: the address lies in none; PROFILE_LABEL
                         or PROFILE_THREAD: it is the number of a label or thread */
    uint64_t address; /* as in the module's file */
    uint64_t count;   /* those of the points below it not included */
};

/* A counter and what it has counted.  */
struct profile_counter {
    uint32_t module;
    uint64_t address; /* of its storage, as in the module's file; what it counts the
                         tables there say */
    uint64_t count;
};

/* How often an indirect call called a function.  Modules and addresses as those of
 * points.  */
struct profile_target {
    uint32_t site_module, module;
    uint64_t site, address;
    uint64_t count;
};

/* The empty profile is all zero.  */
struct profile {
    unsigned kind;    /* of enum ccprof_kind; 0 as long as nothing was measured */
    unsigned engines; /* of enum profile_engine */
    enum profile_clock clock;
    uint64_t rate;      /* samples in a second of the clock */
    bool stack;         /* every sample is a whole stack */
    uint64_t cpu, wall; /* nanoseconds */
    uint64_t threads;
    uint64_t files;       /* data files that it was read from */
    uint64_t uncounted;   /* of them, what they have counted is not all there */
    uint64_t waits;       /* voluntary context switches */
    uint64_t interrupted; /* system calls that returned EINTR for a sample's signal */
    unsigned refused;     /* system calls without which samples are missing: bits as those
                             of CCPROF_REFUSED_NAMES */
    uint64_t samples;     /* the lost ones included, those of ccprof's code not */
    uint64_t own;         /* taken in ccprof's own code; in no point */
    uint64_t lost;
    int64_t moved;      /* samples of these runs that are in other files; negative: others
                           are here */
    bool merges_builds; /* other builds of the executable become modules of their own, and
                           are not refused; to be set as long as it is empty */
    struct profile_module *modules; /* 0: the executable */
    size_t module_count, module_capacity;
    struct profile_own *owns; /* of one run; what is merged has left them out */
    size_t own_count, own_capacity;
    char **labels; /* names of phases */
    size_t label_count, label_capacity;
    struct intern commands;     /* that started the runs, as a shell reads them */
    struct intern thread_names; /* that samples are told apart by: `NUMBER NAME' */
    struct profile_node *nodes; /* a parent stands before its children */
    size_t node_count, node_capacity;
    struct times times;      /* of their counts, sorted; of one run, or there are none */
    struct slots node_slots; /* by parent, module, address; */
    size_t indexed;          /* of all nodes, or of none that were appended (0) */
    struct profile_counter *counters;
    size_t counter_count, counter_capacity;
    struct index counter_index; /* module, address: number of the counter */
    uint64_t counter_total;     /* what the counters and targets add up to */
    struct profile_target *targets;
    size_t target_count, target_capacity;
    struct index site_index;   /* module, site: number of the site */
    struct index target_index; /* number of the site, module, address: of the target */
    struct regions regions;
    struct origins origins; /* where its files were written */
};

/* The measures that counts of points can be of.  */
enum profile_measure { PROFILE_SAMPLES, PROFILE_BYTES, PROFILE_CALLS };

enum profile_measure profile_measure(const struct profile *profile);

/* The time of so many samples.  */
uint64_t profile_nanoseconds(const struct profile *profile, uint64_t samples);

/* What started the first run, as a shell reads it; NULL: it is not known.  */
const char *profile_command(const struct profile *profile);

/* Builds of the executable.  */
size_t profile_builds(const struct profile *profile);

void profile_free(struct profile *profile);

void profile_clear_modules(struct profile *profile);

/* Copies its arguments; BUILD_ID may be NULL.  */
void profile_add_module(struct profile *profile, const char *path, const char *build_id);

/* Copies its argument.  */
void profile_add_label(struct profile *profile, const char *name);

/* Returns which of PROFILE's thread names it is.  */
uint32_t profile_add_thread(struct profile *profile, uint64_t number, const char *name);

/* Whether a point is no code, but what stands around all code that was sampled.  */
static inline bool profile_is_around(const struct profile_node *node)
{
    return node->module == PROFILE_LABEL || node->module == PROFILE_THREAD;
}

/* Adds a point as a new one, without looking for an equal one: for a file, of which all
   are added elsewhere.  Returns its number.  */
uint32_t profile_append(struct profile *profile, uint32_t parent, uint32_t module,
                        uint64_t address, uint64_t count);

/* Adds COUNT to a point, and the point if it is new.  Returns its number.  Equal points
   that were appended become one.  */
uint32_t profile_add(struct profile *profile, uint32_t parent, uint32_t module,
                     uint64_t address, uint64_t count);

/* Makes one of equal points, which have new numbers then.  */
void profile_join(struct profile *profile);

/* Takes the samples that were taken in ccprof's own code out of the points, where they
   are nobody's of the program's, to be told as OWN.  For a file whose times are sorted.
 */
void profile_leave_own(struct profile *profile);

/* Adds COUNT to a counter.  */
void profile_add_counter(struct profile *profile, uint32_t module, uint64_t address,
                         uint64_t count);

/* Adds COUNT calls of a target; TARGET's own count is not looked at.  */
void profile_add_target(struct profile *profile, const struct profile_target *target,
                        uint64_t count);

/* Keeps which samples are of which origin, for PROFILE, which has one, and all that both
   it and what it is merged with have.  */
void profile_keep_origins(struct profile *profile);

/* Adds FROM, which was read from FILE, to INTO; its times are not told any more.  If they
   do not belong together, returns false and a FAULT that names FILE, and INTO is as
   before.  The executable is module 0 in both, but another build of it may be another
   module of INTO; other modules are the same if their paths and build-ids are.  */
bool profile_merge(struct profile *into, const struct profile *from, const char *file,
                   struct fault *fault);

/* The same, and FROM is empty afterwards; costs nothing if INTO is empty.  */
bool profile_fold(struct profile *into, struct profile *from, const char *file,
                  struct fault *fault);

#endif
