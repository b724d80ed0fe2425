/* SPDX-License-Identifier: MIT */
/* What the files regions*.c share: paths, threads and their frames, and clocks.  */

#ifndef CCPROF_REGIONS_INSIDE_H
#define CCPROF_REGIONS_INSIDE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rt/ccprof.h"
#include "rt/format.h"
#include "rt/os/lock.h"
#include "rt/os/text.h"
#include "rt/regions/regions.h"

/* Which region it is: the number of its name, which is what the program holds
   (ccprof_region.number), and for a function the address.  A third kind, which only paths
   have, tells calls apart that a signal handler makes while its thread is in
   ccprof_regions_leave.  */
#define REGIONS_KEY_NAME    0x7fff000000000000u
#define REGIONS_KEY_SHIFT   48
#define REGIONS_KEY_HANDLER 0x8000000000000000u
#define REGIONS_KEY_NONE    UINT64_MAX

#define REGIONS_NAMES    CCPROF_REGIONS_NAMES
#define REGIONS_TEXT     (512 << 10) /* bytes of names */
#define REGIONS_ALL      8192        /* names, and functions by their address */
#define REGIONS_INDEX    1024        /* of a thread's paths, and of the process's */
#define REGIONS_FRAMES   16384       /* of a thread */
#define REGIONS_PATHS    12288       /* of the process and of all threads */
#define REGIONS_ALONE    2048        /* of these, kept for paths of one region */
#define REGIONS_ABSENT   UINT32_MAX
#define REGIONS_PATIENCE 10000000000u /* nanoseconds, for a lock */

/* The number of a key's name, from 0 upwards (ccprof_regions_label).  */
static inline unsigned regions_name_number(uint64_t key)
{
    return (unsigned)((key & REGIONS_KEY_NAME) >> REGIONS_KEY_SHIFT) - 1;
}

/* The bucket of mlmon.out(5).  */
static inline unsigned regions_bucket(uint64_t ticks)
{
    unsigned bit, index;

    if (ticks < CCPROF_BUCKET_EXACT)
        return (unsigned)ticks;
    bit = 63 - (unsigned)__builtin_clzll(ticks);
    index = CCPROF_BUCKET_EXACT + ((bit - CCPROF_BUCKET_BITS - 1) << CCPROF_BUCKET_BITS) +
            ((ticks >> (bit - CCPROF_BUCKET_BITS)) & ((1u << CCPROF_BUCKET_BITS) - 1));
    return index < CCPROF_BUCKETS ? index : CCPROF_BUCKETS - 1;
}

/* Two numbers that are added at once.  */
typedef uint64_t regions_two __attribute__((vector_size(16)));

/* What the calls of a path were, in ticks; see mlmon.out(5).  */
struct regions_figures {
    uint64_t count, total, nested, self;
    regions_two inner; /* direct, inside */
    uint64_t squares, squares_high;
    uint64_t min, max; /* min: UINT64_MAX if there is none */
    uint64_t cpu;      /* nanoseconds */
    uint64_t left;
    uint64_t cold, cold_total, cold_min, cold_max;
    uint64_t first, first_start;
    uint64_t bucket[CCPROF_BUCKETS];
};

/* How many of those that are begun in a path are found at once.  */
#define REGIONS_RECENT_BITS 4
#define REGIONS_RECENT      (1 << REGIONS_RECENT_BITS)

static inline unsigned regions_recent_of(uint64_t key)
{
    return (unsigned)(key * 0x9e3779b97f4a7c15u >> (64 - REGIONS_RECENT_BITS));
}

/* A path, of a thread or of the process.  All of one thread are as long as it.  */
struct regions_node {
    uint64_t key; /* REGIONS_KEY_NONE: of no region */
    struct regions_node
        *recent[REGIONS_RECENT]; /* what was begun in it last, by the hash
                                    of the key, itself perhaps; never null */
    struct regions_node *parent; /* null: it is the root */
    struct regions_node *chain;  /* in the index; or of those that are free */
    struct regions_node *next;   /* of the process: in the order of their making; of a
                                    thread: the next thread's of the same path */
    struct regions_node *path;   /* of a thread: the process's; of the process: the first
                                    thread's */
    uint64_t open;               /* calls; of the process: as they are written */
    union {
        uint64_t last;  /* of a thread: when a call ended; before that 2^63 ago */
        uint64_t spent; /* of the process: of those calls */
    };
    uint32_t region; /* of the process: the number */
    uint32_t made;   /* of the process: how many there were before */
    uint32_t number; /* of the process: in the file; REGIONS_ABSENT: not there */
    /* Of the process, null until they are needed: what is in slices; what comes into the
       one that is written, if it is OPEN.  */
    struct regions_node *told, *telling;
    struct regions_figures figures;
};

static inline void regions_recent_clear(struct regions_node *node,
                                        struct regions_node *recent)
{
    for (unsigned i = 0; i < REGIONS_RECENT; i++)
        node->recent[i] = recent;
}

/* A call that has begun.  */
struct regions_frame {
    uint64_t start;
    uint64_t inner;              /* ticks in regions inside */
    regions_two inside;          /* calls that have ended in it: directly, and all */
    uint64_t cpu;                /* when it began */
    uint64_t key;                /* only of one that is not kept */
    struct regions_node *before; /* the path that it is in */
    uintptr_t stack;             /* the stack pointer of who began it */
    uint64_t skipped;            /* the thread's when it began */
};

/* A call that has ended, as its thread has it until there is no more room, or it ends. */
struct regions_event {
    const struct regions_node *node;
    uint64_t start, length;
};

#define REGIONS_EVENTS      256 /* of a thread */
#define REGIONS_EVENTS_SIZE (REGIONS_EVENTS * sizeof(struct regions_event))

/* Where the program has called setjmp.  */
struct regions_jump {
    const void *buffer; /* null: there is none */
    uintptr_t stack;    /* the stack pointer there */
    uint64_t depth;     /* how many frames there were */
    uint64_t time;
};

#define REGIONS_JUMPS_BITS 6

/* Events, if they are kept, stand behind all frames.

   Frame 0 stands below all others, of no region.  While a figure is being changed the
   limit is 0, so that a handler does not take the fast way.  */
struct regions_thread {
    struct regions_frame *top;   /* where the next one goes */
    struct regions_frame *limit; /* or END */
    struct regions_node *current;
    struct regions_frame *end;
    uint64_t over;     /* calls for which there was no frame */
    uint64_t unplaced; /* calls in paths of their region alone, for want of room */
    uint64_t skipped;  /* ticks that are in no call: the runtime has made paths */
    struct regions_thread *next; /* of all that there are */
    struct regions_event *event; /* where the next one goes, if events are kept */
    struct regions_event *event_end;
    const struct regions_event *event_seen; /* up to there they are written */
    _Atomic bool used;                      /* by a thread */
    uint32_t number;                        /* of the thread in the file */
    struct regions_node lost;               /* the path of all calls that are not kept */
    struct regions_node root;
    struct regions_node *index[REGIONS_INDEX];
    struct regions_jump jump[1 << REGIONS_JUMPS_BITS];
    struct regions_frame frame[];
};

#define REGIONS_THREAD_SIZE                                                              \
    (sizeof(struct regions_thread) + (REGIONS_FRAMES + 1) * sizeof(struct regions_frame))

struct regions_calls {
    unsigned long (*begin)(struct ccprof_region *region);
    void (*cut)(unsigned long opened);
    void (*end)(struct ccprof_region *region);
    unsigned long (*enter)(struct ccprof_region *function, const void *address);
};

/* What enter returns: what begin does, and this.  */
#define REGIONS_ENTERED 1ul

/* What time is read from.  */
struct regions_clock {
    const char *name;
    bool (*is_usable)(void);
    uint64_t (*ticks)(void);
    uint64_t (*rate)(void); /* ticks in a second; null: to be measured */
    struct regions_calls wall, cpu, wall_events, cpu_events;
};

extern const struct regions_clock ccprof_regions_counter, ccprof_regions_monotonic;

struct regions {
    const struct regions_clock *clock;
    const struct regions_calls *calls;
    struct ccprof_api *table;
    void (*thread_begins)(void);
    bool has_cpu, has_events;
    uint64_t pause_ns, pause; /* the same in ticks */
    uint64_t least;           /* events that took fewer ticks are not kept; atomic */
    uint64_t start_ns, start; /* where the ticks were read first */
    uint64_t
        origin; /* where the process, or child, began, as long as events are written */
    uint64_t told_unplaced; /* in slices */
    /* What changes often, and what is behind it.  */
    _Alignas(64) _Atomic uint64_t lost;
    _Atomic uint64_t thread_count;
    ccprof_lock lock; /* for all that is the process's; with all signals blocked */
    struct regions_thread *_Atomic threads;
};

extern struct regions ccprof_regions;

/* Of a thread that has begun none: no frame and no room for one, and nobody
   writes there.  */
extern const struct regions_thread ccprof_regions_none;
extern _Thread_local struct regions_thread *ccprof_regions_self;

/* CPU time of the calling thread, in nanoseconds.  */
uint64_t ccprof_regions_cpu(void);

/* Makes what there is but once.  Returns false if there is no memory.  The lock is
   held, as in the functions of names and pool below.  */
bool ccprof_regions_made(void);

/* The path of a region that the calling thread is about to begin, for which there is a
   frame then; null: there is none.  */
struct regions_node *ccprof_regions_find(struct ccprof_region *region, uint64_t address);

/* The same for one that is not to be measured.  */
struct regions_node *ccprof_regions_find_lost(struct ccprof_region *region);

/* Maps room for so many events; returns false if there is no memory.  Constructor.  */
bool ccprof_regions_events_make(unsigned most);

/* A call of the calling thread has ended: the thread's room is full, or IS_NESTED, and it
   is in a signal handler that came while the room was in use.  */
void ccprof_regions_events_keep(struct regions_thread *thread,
                                const struct regions_node *node, uint64_t start,
                                uint64_t length, bool is_nested);

/* The number of the calling thread in the file.  */
uint32_t ccprof_regions_events_thread(void);

/* Moves the thread's events to those of the process; forgets all, of all threads; writes
   them.  The lock is held.  */
void ccprof_regions_events_move(struct regions_thread *thread);
void ccprof_regions_events_drop(void);
void ccprof_regions_events_write(struct ccprof_text *text, uint64_t rate);

/* Bytes of a thread.  */
size_t ccprof_regions_thread_size(void);

/* Sees to it that the calling thread and the region are known; returns whether they are.
 */
bool ccprof_regions_know(struct ccprof_region *region);

/* The path of the frame's call, and the region's key.  */
static inline struct regions_node *regions_node_of(const struct regions_thread *thread,
                                                   const struct regions_frame *frame)
{
    return frame + 1 < thread->top ? frame[1].before : thread->current;
}

static inline uint64_t regions_key_of(const struct regions_thread *thread,
                                      const struct regions_frame *frame)
{
    const struct regions_node *node = regions_node_of(thread, frame);
    return node == &thread->lost ? frame->key : node->key;
}

/* The path without its innermost regions that are not kept.  */
struct regions_node *ccprof_regions_kept(const struct regions_thread *thread,
                                         const struct regions_frame *top);

/* Ends all calls from the frame on, those above it as left; IS_LEFT: this one, too.  */
void ccprof_regions_cut_to(struct regions_thread *thread, struct regions_frame *frame,
                           uint64_t now, bool is_left);

/* What the program asks for and is not the call that was begun last.  */
void ccprof_regions_cut_slowly(unsigned long opened, uint64_t now);
void ccprof_regions_end_slowly(struct ccprof_region *region, uint64_t now);

/* Ends the call of which enter has returned ENTERED, unless a jump has left it.  */
void ccprof_regions_left(struct ccprof_region *function, unsigned long entered);

/* The number of a name in the upper bits; 0: there is no room.  */
uint64_t ccprof_regions_name(const char *name);

/* The number of a region in the file, which is added if it is new; -1: no room.  */
int ccprof_regions_number(uint64_t key);
unsigned ccprof_regions_numbers(void);

/* Whether it has one, or there is room.  Without the lock.  */
bool ccprof_regions_has_number(uint64_t key);
uint64_t ccprof_regions_key_of(unsigned number);
const char *ccprof_regions_name_of(uint64_t key);

bool ccprof_regions_names_make(void);

/* A path of zeros; null: there is no room.  ALONE: it is of one region, for which room is
   kept.  */
struct regions_node *ccprof_regions_node_new(bool alone);

/* Whether there was no room for another path, of several regions or of one.  Without the
   lock.  */
bool ccprof_regions_is_full(bool alone);
void ccprof_regions_node_free(struct regions_node *node);
bool ccprof_regions_pool_make(void);

/* A node's place in the memory of all.  */
uint32_t ccprof_regions_node_place(const struct regions_node *node);
const struct regions_node *ccprof_regions_node_at(uint32_t place);

/* The process's path; null: there is no room.  PARENT null: no region is around it.  */
struct regions_node *ccprof_regions_path(struct regions_node *parent, uint64_t key);
struct regions_node *ccprof_regions_paths(void); /* the first one */

/* What of the path's figures, ALL, was not told before: takes the rest away.  SLICE: and
   remembers ALL as what is told now; false if it cannot, and then nothing is left.  */
bool ccprof_regions_tell(struct regions_node *path, struct regions_figures *all,
                         bool slice);

/* Nothing of what is told now was remembered so far.  */
void ccprof_regions_tell_begin(void);

/* In the child of a fork: nothing was told.  */
void ccprof_regions_untold(struct regions_node *path);

/* Adds.  */
void ccprof_regions_add(struct regions_figures *to, const struct regions_figures *from);

/* What a region that does nothing costs, in thousandths of a tick.  */
void ccprof_regions_cost(uint64_t *inner, uint64_t *outer);

/* Ticks in a second.  */
uint64_t ccprof_regions_rate(void);

/* What the ticks were at a time of the monotonic clock, RATE of them in a second.  */
uint64_t ccprof_regions_ticks_at(uint64_t ns, uint64_t rate);

/* A thread that has begun nothing.  */
void ccprof_regions_thread_clear(struct regions_thread *thread);

#endif
