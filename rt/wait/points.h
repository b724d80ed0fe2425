/* SPDX-License-Identifier: MIT */
/* What was recorded of waits: the tree of stacks, the objects, the sums of equal waits,
   the longest waits, and the states of threads that have ended. A struct ccprof_points is
   in one mapping, which is as large as it can become; the kernel gives it pages when they
   are used. wait.c and write.c use it, under wait.c's lock, except objects: threads add
   them without a lock. */

#ifndef CCPROF_WAIT_POINTS_H
#define CCPROF_WAIT_POINTS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "rt/format.h"
#include "rt/os/lock.h"
#include "rt/samples/tags.h"

/* Maximum numbers of points, of sums and of objects: powers of two. Hash tables have
   twice as many entries. */
#define CCPROF_POINTS_MOST  (1u << 17)
#define CCPROF_SUMS_MOST    (1u << 16)
#define CCPROF_OBJECTS_MOST (1u << 14)

/* The caller of the outermost points, which is no stack. */
#define CCPROF_POINTS_ROOT 0

struct ccprof_wait_point {
    uint64_t address;        /* as in struct ccprof_stack, or a tag (tags.h) */
    uint32_t caller, thread; /* number of the calling point, and of the stack's thread */
};

/* What equal waits have in common. A structure of zeros, except for REASON and END, knows
   nothing. */
struct ccprof_wait_kind {
    /* Address in the call that took the lock, or the process that held it; 0: unknown. */
    uint64_t taken;
    uint32_t stack, cause, object; /* numbers; CAUSE and OBJECT: 0 if unknown */
    /* The innermost lock that the thread held during the wait and that others waited for
       when it ended; 0: none. */
    uint32_t held;
    uint16_t reason, end;
};

struct ccprof_wait_sum {
    struct ccprof_wait_kind kind;
    uint64_t count, time, longest;
};

/* One wait: the number of its sum, and nanoseconds. */
struct ccprof_wait_single {
    uint64_t start, length, time;
    uint32_t sum;
};

/* Somebody released the object, or ended waits for it, at TIME. */
struct ccprof_wait_gift {
    _Atomic uint64_t time, taken; /* TIME 0: it is being changed */
    _Atomic uint32_t cause;
};
#define CCPROF_WAIT_GIFTS 16

#define CCPROF_WAIT_OBJECT_NAME 104

struct ccprof_wait_object {
    _Atomic uint32_t waiters;
    _Atomic uint32_t next; /* modulo CCPROF_WAIT_GIFTS the oldest element of GIFT */
    struct ccprof_wait_gift gift[CCPROF_WAIT_GIFTS];
    ccprof_spin is_named; /* a thread sets NAME, or has set it: only of files */
    char name[CCPROF_WAIT_OBJECT_NAME];
};

/* An address that stands for a file: the hash of its device and number. */
#define CCPROF_OBJECTS_FILE 0xcc06000000000000u

/* In place of the call that took a lock: another process held it. The lower bits are its
   PID. */
#define CCPROF_POINTS_PROCESS 0xcc07000000000000u

static inline bool ccprof_points_is_process(uint64_t taken)
{
    return (taken & CCPROF_TAGS_KIND) == CCPROF_POINTS_PROCESS;
}

/* The state of a thread that has ended, or the sum of threads without a number of their
   own. */
struct ccprof_wait_state {
    uint64_t start, wall, cpu, ready; /* nanoseconds */
    bool any, is_ready_known;
};

struct ccprof_points {
    uint64_t unrecorded;
    uint32_t points, sums, singles; /* numbers in use */
    uint32_t kept;                  /* maximum of SINGLES */
    /* In a copy: points from this number on are not those of the original. */
    uint32_t known;
    bool dropped; /* some single waits were not kept */
    struct ccprof_wait_state state[CCPROF_THREADNAMES_MAX + 1];
    _Atomic uint32_t point_hash[2 * CCPROF_POINTS_MOST];
    uint32_t sum_hash[2 * CCPROF_SUMS_MOST];
    struct ccprof_wait_point point[CCPROF_POINTS_MOST];
    struct ccprof_wait_sum sum[CCPROF_SUMS_MOST];
    struct ccprof_wait_single single[]; /* KEPT elements: a heap, the shortest first */
};

/* Maps empty points that keep KEPT single waits. Returns null if there is no memory. */
struct ccprof_points *ccprof_points_make(uint32_t kept);
void ccprof_points_free(struct ccprof_points *points);

/* Makes the points empty. Returns false if there is no memory. */
bool ccprof_points_clear(struct ccprof_points *points);

/* Maps a copy. Returns null if there is no memory. */
struct ccprof_points *ccprof_points_copy(const struct ccprof_points *points);

/* Does the same as ccprof_points_put for a stack that was put before, without the lock.
   Returns 0 if it is not there. */
uint32_t ccprof_points_find(const struct ccprof_points *points, const uint64_t *address,
                            uint32_t count);

/* Returns the number of the stack, whose COUNT addresses are innermost first and whose
   outermost one is the tag of a thread. Returns 0 if there is no room. */
uint32_t ccprof_points_put(struct ccprof_points *points, const uint64_t *address,
                           uint32_t count);

/* Returns the sum of these waits, or null. */
struct ccprof_wait_sum *ccprof_points_sum(struct ccprof_points *points,
                                          const struct ccprof_wait_kind *kind);

/* Adds a wait. If there is no room, counts it as unrecorded. */
void ccprof_points_add(struct ccprof_points *points, const struct ccprof_wait_kind *kind,
                       uint64_t start, uint64_t length, uint64_t time);

/* The objects, which are in a mapping of their own. A number of an object is its index
   plus 1. find returns 0 if the object is not there, and put also if there is no room:
   files get at most half of it. Any thread, async-signal-safe. */
bool ccprof_objects_start(void);
bool ccprof_objects_clear(void);
uint32_t ccprof_objects_find(uint64_t address);
uint32_t ccprof_objects_put(uint64_t address);
struct ccprof_wait_object *ccprof_objects_at(uint32_t number);
uint64_t ccprof_objects_address(uint32_t number);

#endif
