/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds up the waits of a profile for the views -waits and -locks: by what threads did, by
   thread, by what they waited for, and by lock. All times are in nanoseconds. Used by
   report/ and view/. */

#ifndef MLPROF_WAITING_H
#define MLPROF_WAITING_H

#include "mlprof/waiting/places.h"

/* What threads did. WAITING_SPINNING is a part of WAITING_RUNNING; all others are
   apart. */
enum waiting_what {
    WAITING_RUNNING,
    WAITING_SPINNING,
    WAITING_READY, /* for a processor */
    WAITING_LOCK,
    WAITING_CONDITION,
    WAITING_THREAD, /* the end of another thread, or other threads of OpenMP */
    WAITING_CHILD,
    WAITING_DISK,
    WAITING_NETWORK,
    WAITING_PIPE,
    WAITING_POLL,
    WAITING_SLEEP,
    WAITING_SIGNAL,
    WAITING_UNKNOWN,
    WAITING_WHATS
};

struct waiting_sum {
    uint64_t time;
    /* The part of TIME in which nothing was to do: waits for a message, a request or
       work that did not end because a thread of the program ended them. */
    uint64_t idle;
    uint64_t count, longest;
};

/* What one thread did. The times add up to WALL, except for errors of measurement. */
struct waiting_thread {
    const char *name; /* `NUMBER NAME' */
    uint64_t wall, running, ready, blocked, idle, unknown;
    bool no_ready; /* READY is unknown, and part of UNKNOWN */
};

/* Who held the lock, or ended the wait. */
struct waiting_owner {
    const char *thread;          /* `NUMBER NAME' or `process PID'; NULL: unknown */
    struct places_place taken;   /* the call that took the lock */
    struct places_place release; /* the call that released the lock, or woke */
    enum ccprof_wait_end end;
    struct waiting_sum sum;
};

/* What the holder of a lock waited for while others waited for the lock (chains.h). */
struct waiting_link {
    uint32_t depth;
    enum ccprof_wait_reason reason;
    const char *object; /* NULL: none */
    struct places_place call;
    uint64_t time;
};

/* Waits for the same reason and object and, in the list `waits', at the same call. */
struct waiting_wait {
    enum ccprof_wait_reason reason;
    const char *object; /* NULL: none */
    struct places_place call;
    struct waiting_sum sum;
    /* By decreasing time. The owners of the list `locks' have no thread and no
       release. */
    BUF_VECTOR(struct waiting_owner) owners;
    BUF_VECTOR(struct waiting_link) chain; /* only in the list `locks' */
};

/* One wait. */
struct waiting_single {
    const struct waitdata_single *single;
    const struct waitdata_wait *wait;
    bool is_idle;
    const char *object;         /* NULL: none */
    const char *thread, *waker; /* WAKER as in struct waiting_owner; NULL: unknown */
    struct places_place taken;
    char *stack, *cause; /* callers first, joined by ` > '; NULL: unknown */
};

/* A part of the critical path (criticalpath.h). */
struct waiting_step {
    const char *thread; /* `NUMBER NAME' */
    bool runs;          /* the thread ran, or waited for a processor */
    /* If it waited: */
    enum ccprof_wait_reason reason;
    const char *object; /* NULL: none */
    struct places_place call;
    uint64_t time, count;
};

struct waiting {
    const struct waitdata *data;
    bool idle; /* idle waits are apart from blocked ones */
    struct places *places;
    uint64_t wall; /* of all threads */
    struct waiting_sum whats[WAITING_WHATS];
    /* All lists by decreasing time. */
    BUF_VECTOR(struct waiting_thread) threads;
    BUF_VECTOR(struct waiting_wait) waits, locks;
    BUF_VECTOR(struct waiting_single) longest;
    BUF_VECTOR(struct waiting_step) path; /* empty: unknown */
    uint64_t path_time;
};

/* The words for the terminal, and for data formats. */
extern const char *const waiting_words[WAITING_WHATS], *const waiting_ids[WAITING_WHATS];

/* The names of reasons and ends in data formats. */
extern const char *const waiting_reasons[CCPROF_WAITS],
    *const waiting_ends[CCPROF_WAIT_ENDS];

/* Returns what a thread does in waits for REASON. */
enum waiting_what waiting_what(enum ccprof_wait_reason reason);

/* Returns whether nothing was to do in a wait, if idle waits are apart. */
bool waiting_is_idle(const struct waiting *waiting, const struct waitdata_wait *wait);

/* Returns whether threads take what they wait for, so that another one holds it. */
static inline bool waiting_is_for_lock(enum ccprof_wait_reason reason)
{
    return reason <= CCPROF_WAIT_FILELOCK;
}

/* Fills WAITING with the waits of PROFILE. The arguments must live as long as WAITING.
   IDLE: idle waits are apart. The caller frees it with waiting_free. */
void waiting_fill(struct waiting *waiting, const struct profile *profile, bool idle,
                  const struct program *program, const struct names_style *style,
                  const struct patterns *libraries, const struct patterns *hide);

void waiting_free(struct waiting *waiting);

#endif
