/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Holds how long the threads of one or more runs waited, for what, and which thread ended
   each wait, as in mlmon.out(5), version 15. Adds the waits of one profile to those of
   another. A struct profile has one. Filled by mlmon-waits.c; read by waitpoints.h and by
   waiting/. All times are in nanoseconds. */

#ifndef MLPROF_WAITDATA_H
#define MLPROF_WAITDATA_H

#include "mlprof/base/buf.h"
#include "mlprof/base/index.h"
#include "rt/format.h"

#include <stdbool.h>

/* The message if waiting was not measured. */
#define WAITDATA_NOT_MEASURED                                                            \
    "the program did not record waiting: run it with CCPROF=wait=yes"

/* A missing object, cause or name. */
#define WAITDATA_NONE UINT32_MAX

/* The times of a thread. */
struct waitdata_state {
    uint32_t thread; /* number of its name in the profile */
    uint64_t start;  /* since the start of measuring; of several runs, the earliest */
    uint64_t wall, cpu, ready;
    bool no_ready; /* READY, the time in which it waited for a processor, is unknown */
};

/* What threads waited for: a lock, a condition, a file. */
struct waitdata_object {
    uint32_t module; /* PROFILE_NO_MODULE: ADDRESS is one in memory */
    uint64_t address;
    uint32_t name; /* number in NAMES, or WAITDATA_NONE */
};

/* A point of a stack, as in struct profile_node. */
struct waitdata_node {
    uint32_t parent, module;
    uint64_t address;
};

/* Equal waits. */
struct waitdata_wait {
    uint32_t stack;  /* node of the call that waits */
    uint32_t object; /* or WAITDATA_NONE */
    uint32_t held;   /* object: a lock that the thread held; or WAITDATA_NONE */
    uint32_t cause;  /* node of the call that released or woke, or of its thread;
                        WAITDATA_NONE: unknown */
    enum ccprof_wait_reason reason;
    enum ccprof_wait_end end;
    /* The call that took the lock. Module PROFILE_NO_MODULE and address 0: unknown.
       PROFILE_PROCESS: a thread of another process took it, whose PID is TAKEN. */
    uint32_t taken_module;
    uint64_t taken;
    uint64_t count, time, longest;
};

/* One of the longest waits. */
struct waitdata_single {
    uint32_t wait; /* number in WAITS */
    /* START is since the start of measuring. TIME is the part of LENGTH in which the
       thread neither ran nor waited for a processor. */
    uint64_t start, length, time;
};

struct waitdata_sums {
    uint64_t wall, cpu, ready;
    uint64_t count, time;
};

/* All zero: waiting was not measured. */
struct waitdata {
    bool measured;
    uint64_t least;            /* shorter waits were not recorded */
    uint64_t unrecorded;       /* number of waits for which there was no room */
    struct waitdata_sums sums; /* of all threads, and of all waits */
    BUF_VECTOR(struct waitdata_state) states;
    BUF_VECTOR(struct waitdata_object) objects;
    BUF_VECTOR(struct waitdata_node) nodes; /* parents come before their children */
    BUF_VECTOR(struct waitdata_wait) waits;
    BUF_VECTOR(struct waitdata_single) longest; /* of a single run */
    struct intern names;                        /* of objects */
    struct index state_index;                   /* key: thread */
    struct index object_index;                  /* key: module, address, name */
    struct index node_index;                    /* key: parent, module, address */
    struct index taken_index;                   /* key: module, address */
    struct index wait_index; /* key: all but the amounts; see waitdata_put_wait */
};

/* Return the number of the object or node, which is added if it is missing. */
uint32_t waitdata_put_object(struct waitdata *waits,
                             const struct waitdata_object *object);
uint32_t waitdata_put_node(struct waitdata *waits, const struct waitdata_node *node);

/* Adds the times of a thread, and sets *FRESH to whether it is new. Returns false if a
   sum over all threads does not fit into 64 bits. */
bool waitdata_add_state(struct waitdata *waits, const struct waitdata_state *state,
                        bool *fresh);

/* Adds amounts to the equal waits, and sets *NUMBER to their number. Returns false if a
   sum over all waits does not fit into 64 bits. */
bool waitdata_add_wait(struct waitdata *waits, const struct waitdata_wait *wait,
                       uint32_t *number);

/* Returns the number of the name of the thread whose stack contains NODE. */
uint32_t waitdata_thread(const struct waitdata *waits, uint32_t node);

struct heapmerge_numbers;

/* Returns whether FROM can be added to INTO without overflow. */
bool waitdata_fit(const struct waitdata *into, const struct waitdata *from);

/* Adds FROM to INTO. waitdata_fit must have returned true. NEW_NUMBERS has numbers of
   INTO's profile. The longest waits are lost if INTO has waits already. */
void waitdata_merge(struct waitdata *into, const struct waitdata *from,
                    const struct heapmerge_numbers *new_numbers);

void waitdata_free(struct waitdata *waits);

#endif
