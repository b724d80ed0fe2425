/* SPDX-License-Identifier: MIT */
/* Declares what the files regions*.c share: paths, threads and their frames, and clocks.
   No other file may include this.  */

#ifndef CCPROF_REGIONS_INSIDE_H
#define CCPROF_REGIONS_INSIDE_H

#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#ifdef __x86_64__
#include <cpuid.h>
#endif

#include "rt/ccprof.h"
#include "rt/format.h"
#include "rt/os/lock.h"
#include "rt/os/text.h"
#include "rt/regions/regions.h"

/* The key of a region.  Its upper bits are the number of the region's name, which the
   program holds, too (ccprof_region.number); its lower bits are the address, if the
   region is a function.  The bit HANDLER is only in keys of paths: it marks calls that a
   signal handler makes while its thread runs regions_leave.  */
#define REGIONS_KEY_NAME    0x7fff000000000000u
#define REGIONS_KEY_SHIFT   48
#define REGIONS_KEY_HANDLER 0x8000000000000000u
#define REGIONS_KEY_NONE    UINT64_MAX

#define REGIONS_NAMES CCPROF_REGIONS_NAMES
#define REGIONS_TEXT  (512 << 10) /* bytes of all names */
#define REGIONS_ALL   8192        /* regions: names, and functions by their address */
/* Size of the index of a thread's paths, and of the process's.  */
#define REGIONS_INDEX  1024
#define REGIONS_FRAMES 16384 /* most open calls of a thread */
/* Most paths of the process and of all threads together.  */
#define REGIONS_PATHS    12288
#define REGIONS_ALONE    2048 /* of these, how many are kept for paths of one region */
#define REGIONS_ABSENT   UINT32_MAX
#define REGIONS_PATIENCE 10000000000u /* nanoseconds, for a lock */

/* Returns the number of the name in a key, from 0 on (ccprof_regions_label).  */
static inline unsigned regions_name_number(uint64_t key)
{
    return (unsigned)((key & REGIONS_KEY_NAME) >> REGIONS_KEY_SHIFT) - 1;
}

/* Returns the bucket of a time, as mlmon.out(5) defines it.  */
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

/* Two numbers that are added by one instruction.  */
typedef uint64_t regions_two __attribute__((vector_size(16)));

/* Figures of the calls of a path, in ticks; mlmon.out(5) defines them.  */
struct regions_figures {
    uint64_t count, total, nested, self;
    regions_two inner; /* calls inside: direct ones, and all */
    uint64_t squares, squares_high;
    uint64_t min, max; /* min is UINT64_MAX if there was no call */
    uint64_t cpu;      /* nanoseconds */
    uint64_t left;
    uint64_t cold, cold_total, cold_min, cold_max;
    uint64_t first, first_start;
    uint64_t bucket[CCPROF_BUCKETS];
};

/* How many regions are found at once among those that begin in a path.  */
#define REGIONS_RECENT_BITS 4
#define REGIONS_RECENT      (1 << REGIONS_RECENT_BITS)

static inline unsigned regions_recent_of(uint64_t key)
{
    return (unsigned)(key * 0x9e3779b97f4a7c15u >> (64 - REGIONS_RECENT_BITS));
}

/* A path, of a thread or of the process.  */
struct regions_node {
    uint64_t key; /* REGIONS_KEY_NONE: the path of no region */
    /* Paths that began last inside this one, by the hash of their key; never null,
       but may be this path itself.  */
    struct regions_node *recent[REGIONS_RECENT];
    struct regions_node *parent; /* null in the root */
    struct regions_node *chain;  /* next path in the index, or next free path */
    /* Of the process: the next path in the order of making.  Of a thread: the same path
       of the next thread.  */
    struct regions_node *next;
    /* Of a thread: the path of the process.  Of the process: the path of the first
       thread.  */
    struct regions_node *path;
    uint64_t open; /* open calls; of the process: only while a file is written */
    union {
        /* Of a thread: when a call ended last; 2^63 ticks ago before that.  */
        uint64_t last;
        uint64_t spent; /* of the process: time that the open calls have taken */
    };
    uint32_t region; /* of the process: number of the region */
    uint32_t made;   /* of the process: number of paths made before this one */
    uint32_t number; /* of the process: number in the file, or REGIONS_ABSENT */
    /* Of the process; null until slices need them.  EARLIER has the figures of the slices
       so far.  PENDING has, if its OPEN is 1, the figures that they will have with the
       slice that is being written.  */
    struct regions_node *earlier, *pending;
    struct regions_figures figures;
};

static inline void regions_recent_clear(struct regions_node *node,
                                        struct regions_node *recent)
{
    for (unsigned i = 0; i < REGIONS_RECENT; i++)
        node->recent[i] = recent;
}

/* An open call.  */
struct regions_frame {
    uint64_t start;
    uint64_t inner;     /* ticks of the calls inside */
    regions_two inside; /* calls inside that have ended: direct ones, and all */
    uint64_t cpu;       /* CPU time when the call began */
    uint64_t key;       /* the region's key; set only if the call is not measured */
    struct regions_node *before; /* the path around the call */
    uintptr_t stack;             /* the stack pointer of the caller */
    uint64_t skipped;            /* `skipped' of the thread when the call began */
};

/* A call that has ended.  The thread keeps it until its room is full or the thread
   ends.  */
struct regions_event {
    const struct regions_node *node;
    uint64_t start, length;
};

#define REGIONS_EVENTS      256 /* most events of a thread */
#define REGIONS_EVENTS_SIZE (REGIONS_EVENTS * sizeof(struct regions_event))

/* A call of setjmp.  */
struct regions_jump {
    const void *buffer; /* null: this place is free */
    uintptr_t stack;    /* the stack pointer at the call */
    uint64_t depth;     /* open calls, plus 1 */
    uint64_t time;
};

#define REGIONS_JUMPS_BITS 6

/* A thread.  Its events, if events are kept, stand behind all frames.  Frame 0 is below
   all others and belongs to no region.  While the thread changes figures, `limit' is
   null, so that a signal handler takes the slow way.  */
struct regions_thread {
    struct regions_frame *top;   /* next free frame */
    struct regions_frame *limit; /* END, or null */
    struct regions_node *current;
    struct regions_frame *end;
    uint64_t over; /* open calls for which there was no frame */
    /* Calls that for lack of room were counted in a path of their region alone.  */
    uint64_t unplaced;
    uint64_t skipped; /* ticks that belong to no call: the runtime was making paths */
    struct regions_thread *next; /* the next of all threads */
    struct regions_event *event; /* next free event, if events are kept */
    struct regions_event *event_end;
    const struct regions_event *event_seen; /* end of the events that are written */
    _Atomic bool used;                      /* a running thread has this */
    uint32_t number;                        /* number of the thread in the file */
    struct regions_node lost; /* the path of all calls that are not measured */
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

/* A bit that enter adds to the result of begin.  */
#define REGIONS_ENTERED 1ul

/* A clock for regions.  */
struct regions_clock {
    const char *name;
    bool (*is_usable)(void);
    uint64_t (*ticks)(void);
    /* Returns the ticks in a second; null: the speed is measured.  */
    uint64_t (*rate)(void);
    struct regions_calls wall, cpu, wall_events, cpu_events;
};

extern const struct regions_clock ccprof_regions_counter, ccprof_regions_monotonic;

struct regions {
    const struct regions_clock *clock;
    const struct regions_calls *calls;
    struct ccprof_api *table;
    void (*thread_begins)(void);
    bool has_cpu, has_events;
    uint64_t pause_ns, pause; /* the setting pause, in nanoseconds and in ticks */
    uint64_t least;           /* events of fewer ticks are not kept; atomic */
    uint64_t start_ns, start; /* the first reading of both clocks */
    /* Ticks at the start of the process or the child; set while events are
       written.  */
    uint64_t origin;
    uint64_t earlier_unplaced; /* calls without room in the slices so far */
    /* From here on: members that change often, in a cache line of their own.  */
    _Alignas(64) _Atomic uint64_t lost;
    _Atomic uint64_t thread_count;
    /* Guards all that belongs to the process; taken with all signals blocked.  */
    ccprof_lock lock;
    struct regions_thread *_Atomic threads;
};

extern struct regions ccprof_regions;

/* Stands for a thread that has begun no region.  It has no room for frames and is never
   written to.  */
extern const struct regions_thread ccprof_regions_none;
extern _Thread_local struct regions_thread *ccprof_regions_self;

/* Returns the CPU time of the calling thread in nanoseconds.  */
uint64_t ccprof_regions_cpu(void);

/* Makes what the process needs once.  Returns false if there is no memory.  The caller
   holds the lock, as for all functions of names and of the pool below.  */
bool ccprof_regions_made(void);

/* Returns the path of a region that the calling thread is about to begin, with a free
   frame; null if the call cannot be measured.  */
struct regions_node *ccprof_regions_find(struct ccprof_region *region, uint64_t address);

/* Returns the path of calls that are not measured, with a free frame; null if there is no
   frame.  */
struct regions_node *ccprof_regions_find_lost(struct ccprof_region *region);

/* Maps room for MOST events; returns false if there is no memory.  Constructor.  */
bool ccprof_regions_events_make(unsigned most);

/* Keeps a call of the calling thread that has ended, where the thread's room is full, or
   IS_NESTED: the thread is in a signal handler that interrupted a use of this room.  */
void ccprof_regions_events_keep(struct regions_thread *thread,
                                const struct regions_node *node, uint64_t start,
                                uint64_t length, bool is_nested);

/* Returns the number of the calling thread in the file.  */
uint32_t ccprof_regions_events_thread(void);

/* Moves the thread's events to the process (move); forgets all events (drop); writes all
   events (write).  The caller holds the lock.  */
void ccprof_regions_events_move(struct regions_thread *thread);
void ccprof_regions_events_drop(void);
void ccprof_regions_events_write(struct ccprof_text *text, uint64_t rate);

/* Returns the bytes that a thread needs.  */
size_t ccprof_regions_thread_size(void);

/* Makes the calling thread and the region known, if they are not yet; returns false if
   there is no room.  */
bool ccprof_regions_know(struct ccprof_region *region);

/* Return the path of the frame's call, and the key of its region.  */
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

/* Returns the innermost path, at the frame TOP, whose calls are measured.  */
struct regions_node *ccprof_regions_kept(const struct regions_thread *thread,
                                         const struct regions_frame *top);

/* Ends all calls from the topmost down to FRAME.  Those above FRAME count as left;
   IS_LEFT: the call of FRAME does, too.  */
void ccprof_regions_cut_to(struct regions_thread *thread, struct regions_frame *frame,
                           uint64_t now, bool is_left);

/* End a call that is not the one that began last.  */
void ccprof_regions_cut_slowly(unsigned long opened, uint64_t now);
void ccprof_regions_end_slowly(struct ccprof_region *region, uint64_t now);

/* Ends the call for which enter has returned ENTERED, unless a longjmp has left it.  */
void ccprof_regions_left(struct ccprof_region *function, unsigned long entered);

/* Returns the number of a name, in the upper bits of a key; 0 if there is no room.  */
uint64_t ccprof_regions_name(const char *name);

/* Returns the number of a region in the file, which is given if the region is new; -1 if
   there is no room.  */
int ccprof_regions_number(uint64_t key);
unsigned ccprof_regions_numbers(void);

/* Returns whether the region has a number or there is room for one.  Needs no lock.  */
bool ccprof_regions_has_number(uint64_t key);
uint64_t ccprof_regions_key_of(unsigned number);
const char *ccprof_regions_name_of(uint64_t key);

bool ccprof_regions_names_make(void);

/* Returns a path of zeros; null if there is no room.  ALONE: the path is of one region,
   for which some room is kept.  */
struct regions_node *ccprof_regions_node_new(bool alone);

/* Returns whether there was no room for another path, of one region if ALONE, otherwise
   of several.  Needs no lock.  */
bool ccprof_regions_is_full(bool alone);
void ccprof_regions_node_free(struct regions_node *node);
bool ccprof_regions_pool_make(void);

/* Returns the place of a path in the memory of all paths.  */
uint32_t ccprof_regions_node_place(const struct regions_node *node);
const struct regions_node *ccprof_regions_node_at(uint32_t place);

/* Returns the path of the process; null if there is no room.  PARENT is null if no region
   is around it.  */
struct regions_node *ccprof_regions_path(struct regions_node *parent, uint64_t key);
struct regions_node *ccprof_regions_paths(void); /* the first one */

/* Subtracts from ALL, the figures of a path, those of earlier slices.  Returns false if
   nothing is left.  SLICE: remembers ALL, and returns false, too, if there is no memory
   for that.  */
bool ccprof_regions_slice(struct regions_node *path, struct regions_figures *all,
                          bool slice);

/* Starts a slice: forgets the figures of an unfinished slice.  */
void ccprof_regions_slice_begin(void);

/* Forgets the figures of slices, in the child of a fork.  */
void ccprof_regions_slices_forget(struct regions_node *path);

/* Adds the figures FROM to TO.  */
void ccprof_regions_add(struct regions_figures *to, const struct regions_figures *from);

/* Measures what a region that does nothing costs, in thousandths of a tick: the time
   between its two readings, and the whole time.  */
void ccprof_regions_cost(uint64_t *inner, uint64_t *outer);

/* Returns the ticks in a second.  */
uint64_t ccprof_regions_rate(void);

/* Returns the ticks at a time of the monotonic clock, with RATE ticks in a second.  */
uint64_t ccprof_regions_ticks_at(uint64_t ns, uint64_t rate);

/* Makes THREAD one that has begun no region.  */
void ccprof_regions_thread_clear(struct regions_thread *thread);

/* Saves and restores what the code that begins or ends a region expects to keep: errno,
   and the registers for floating-point numbers and vectors.  A function with a stopwatch
   may be called by code that knows that the function leaves these registers alone
   (ccprof.h, region_enter).  The compiler avoids these registers in the files of this
   room (rt.mk).  So they are saved here only around calls of other code, libc's for
   example, which are rare.  */
#ifdef __x86_64__
/* All registers up to those of AVX-512, the last that compilers use on their own.  */
#define REGIONS_CALLER_SIZE 2752
#define REGIONS_CALLER_ALL  0xe7u

struct regions_caller {
    _Alignas(64) unsigned char area[REGIONS_CALLER_SIZE];
    int has_xsave;
    int error;
};

/* The processor is asked once, since under a hypervisor the question takes
   microseconds.  */
static inline int regions_caller_has_xsave(void)
{
    enum { UNKNOWN, NO, YES };
    static int known;
    int has = __atomic_load_n(&known, __ATOMIC_RELAXED);

    if (has == UNKNOWN) {
        unsigned a, b, c, d;
        has = __get_cpuid(1, &a, &b, &c, &d) && c & bit_OSXSAVE ? YES : NO;
        __atomic_store_n(&known, has, __ATOMIC_RELAXED);
    }
    return has == YES;
}

static inline void regions_caller_save(struct regions_caller *caller)
{
    caller->error = errno;
    caller->has_xsave = regions_caller_has_xsave();
    if (caller->has_xsave) {
        /* Clears the header of the area; `volatile' keeps the compiler from calling
           libc's memset.  */
        for (volatile unsigned char *at = caller->area + 512; at < caller->area + 576;
             at++)
            *at = 0;
        __asm__ volatile("xsave64 (%0)"
                         :
                         : "r"(caller->area), "a"(REGIONS_CALLER_ALL), "d"(0)
                         : "memory");
    } else {
        __asm__ volatile("fxsave64 (%0)" : : "r"(caller->area) : "memory");
    }
}

static inline void regions_caller_restore(const struct regions_caller *caller)
{
    if (caller->has_xsave)
        __asm__ volatile("xrstor64 (%0)"
                         :
                         : "r"(caller->area), "a"(REGIONS_CALLER_ALL), "d"(0)
                         : "memory");
    else
        __asm__ volatile("fxrstor64 (%0)" : : "r"(caller->area) : "memory");
    errno = caller->error;
}

#else

struct regions_caller {
    int error;
};

static inline void regions_caller_save(struct regions_caller *caller)
{
    caller->error = errno;
}

static inline void regions_caller_restore(const struct regions_caller *caller)
{
    errno = caller->error;
}

#endif

#endif
