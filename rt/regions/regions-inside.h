/* SPDX-License-Identifier: MIT */
/* Declares the parts that the files regions*.c share: paths, threads and their frames,
   and clocks. No other file may include this header. */

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

/* The key of a region. The upper bits are the number of the region's name, which the
   program also stores (ccprof_region.number). The lower bits are the function's
   address, or 0 if the region is not a function. Only keys of paths have the bit
   HANDLER: it marks calls by a signal handler that has interrupted regions_leave in
   its thread. */
#define REGIONS_KEY_NAME    0x7fff000000000000u
#define REGIONS_KEY_SHIFT   48
#define REGIONS_KEY_HANDLER 0x8000000000000000u
#define REGIONS_KEY_NONE    UINT64_MAX

#define REGIONS_NAMES CCPROF_REGIONS_NAMES
#define REGIONS_TEXT  (512 << 10) /* total bytes of all names */
#define REGIONS_ALL   8192        /* regions: names, and functions with their address */
/* Size of the hash tables of paths, for each thread and for the process. */
#define REGIONS_INDEX  1024
#define REGIONS_FRAMES 16384 /* maximum number of open calls of a thread */
/* Maximum number of paths of the process and of all threads together. */
#define REGIONS_PATHS    12288
#define REGIONS_SINGLE   2048 /* reserved for paths with one region */
#define REGIONS_ABSENT   UINT32_MAX
#define REGIONS_PATIENCE 10000000000u /* how long to wait for a lock, in nanoseconds */

/* Returns the name's number in KEY, starting with 0, as for ccprof_regions_label. */
static inline unsigned regions_name_number(uint64_t key)
{
    return (unsigned)((key & REGIONS_KEY_NAME) >> REGIONS_KEY_SHIFT) - 1;
}

/* Returns the bucket of a time, as mlmon.out(5) defines it. */
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

/* A vector of two numbers, so that one instruction adds both. */
typedef uint64_t regions_two __attribute__((vector_size(16)));

/* Measurements of the calls of a path, in ticks. mlmon.out(5) defines them. */
struct regions_figures {
    uint64_t count, total, nested, self;
    regions_two inner; /* calls inside: direct calls, and all calls */
    uint64_t squares, squares_high;
    uint64_t min, max; /* min is UINT64_MAX before the first call */
    uint64_t cpu;      /* nanoseconds */
    uint64_t left;
    uint64_t cold, cold_total, cold_min, cold_max;
    uint64_t first, first_start;
    uint64_t bucket[CCPROF_BUCKETS];
};

/* Size of a path's cache of the regions that recently began inside it. */
#define REGIONS_RECENT_BITS 4
#define REGIONS_RECENT      (1 << REGIONS_RECENT_BITS)

static inline unsigned regions_recent_of(uint64_t key)
{
    return (unsigned)(key * 0x9e3779b97f4a7c15u >> (64 - REGIONS_RECENT_BITS));
}

/* A path: the regions that are open inside each other. Each thread has its own paths;
   the process has a path for all threads' paths with the same regions. */
struct regions_node {
    uint64_t key; /* key of the innermost region; REGIONS_KEY_NONE: no region */
    /* The paths that recently began inside this path, indexed by the hash of their
       key. Never null; an unused entry is this path itself. */
    struct regions_node *recent[REGIONS_RECENT];
    struct regions_node *parent; /* null in the root */
    struct regions_node *chain; /* next path in the same hash bucket, or next free path */
    /* For a path of the process: the next path in the order of creation. For a path
       of a thread: the same path in the next thread. */
    struct regions_node *next;
    /* Thread: the corresponding path of the process. Process: the first thread's
       path. */
    struct regions_node *path;
    uint64_t open; /* number of open calls; process: valid while a file is written */
    union {
        /* Thread: the time when a call last ended. Before the first call: 2^63 ticks
           in the past. */
        uint64_t last;
        uint64_t spent; /* process: time of the open calls so far */
    };
    uint32_t region; /* process: number of the region */
    uint32_t made;   /* process: number of paths created before this one */
    uint32_t number; /* process: number in the file, or REGIONS_ABSENT */
    /* Only for paths of the process; null until slices are written. EARLIER has the
       sums over all earlier slices. If the member OPEN of PENDING is 1, PENDING has
       the sums that include the slice being written. */
    struct regions_node *earlier, *pending;
    struct regions_figures figures;
};

static inline void regions_recent_clear(struct regions_node *node,
                                        struct regions_node *recent)
{
    for (unsigned i = 0; i < REGIONS_RECENT; i++)
        node->recent[i] = recent;
}

/* An open call. */
struct regions_frame {
    uint64_t start;
    uint64_t inner;     /* ticks of calls inside */
    regions_two inside; /* ended calls inside: direct calls, and all calls */
    uint64_t cpu;       /* CPU time at the start */
    uint64_t key;       /* key of the region; only set for calls that are not measured */
    struct regions_node *before; /* path in which the call began */
    uintptr_t stack;             /* stack pointer of the caller */
    uint64_t skipped; /* value of the thread's `skipped' at the start of the call */
};

/* A call that has ended. The thread keeps it until the thread's room is full or the
   thread ends. */
struct regions_event {
    const struct regions_node *node;
    uint64_t start, length;
};

#define REGIONS_EVENTS      256 /* maximum number of events of a thread */
#define REGIONS_EVENTS_SIZE (REGIONS_EVENTS * sizeof(struct regions_event))

/* A call of setjmp. */
struct regions_jump {
    const void *buffer; /* null: unused entry */
    uintptr_t stack;    /* stack pointer at the call */
    uint64_t depth;     /* number of open calls, plus 1 */
    uint64_t time;
};

#define REGIONS_JUMPS_BITS 6

/* The data of a thread. If events are kept, the thread's events follow its frames in
   memory. Frame 0 is below all others and belongs to no region. While the thread
   changes figures, `limit' is null, so that a signal handler uses the slow functions. */
struct regions_thread {
    struct regions_frame *top;   /* next free frame */
    struct regions_frame *limit; /* END, or null */
    struct regions_node *current;
    struct regions_frame *end;
    uint64_t open_without_frame; /* number of open calls without a frame */
    /* Number of calls that were counted in a path of only their own region, since
       there was no room for their path. */
    uint64_t unplaced;
    uint64_t skipped; /* ticks that are subtracted from all open calls: time for creating
                         paths */
    struct regions_thread *next; /* next in the list of all threads */
    struct regions_event *event; /* next free event, if events are kept */
    struct regions_event *event_end;
    const struct regions_event *event_seen; /* end of the events that are being written */
    _Atomic bool used;                      /* belongs to a running thread */
    uint32_t number;                        /* thread number in the file */
    struct regions_node lost;               /* path of all calls that are not measured */
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

/* A bit that is set in the result of enter, in addition to the result of begin. */
#define REGIONS_ENTERED 1ul

/* A clock for regions. */
struct regions_clock {
    const char *name;
    bool (*is_usable)(void);
    uint64_t (*ticks)(void);
    /* Returns the ticks per second; null if the speed must be measured. */
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
    uint64_t pause_ns, pause; /* setting pause, in nanoseconds and in ticks */
    uint64_t least;           /* minimum ticks of events that are kept; atomic */
    uint64_t start_ns, start; /* first reading of both clocks */
    /* Ticks at the start of the process or of the child of a fork. Only set while
       events are written. */
    uint64_t origin;
    uint64_t earlier_unplaced; /* `unplaced' calls in earlier slices */
    /* The members from here on change often. They have a cache line of their own. */
    _Alignas(64) _Atomic uint64_t lost;
    _Atomic uint64_t thread_count;
    /* Protects all data of the process. Taken with all signals blocked. */
    ccprof_lock lock;
    struct regions_thread *_Atomic threads;
};

extern struct regions ccprof_regions;

/* The data of threads that have begun no region. This structure has no room for
   frames, and only ccprof_regions_start writes to it. */
extern struct regions_thread ccprof_regions_none;
extern _Thread_local struct regions_thread *ccprof_regions_self;

/* Returns the calling thread's CPU time in nanoseconds. */
uint64_t ccprof_regions_cpu(void);

/* Initializes the data of the process, if that is not done. Returns false if there is
   no memory. The caller must hold the lock, also for the functions of names and of
   the pool below. */
bool ccprof_regions_initialize(void);

/* Returns the path for a region that the calling thread is about to begin. A frame is
   then free. Returns null if the call cannot be measured. */
struct regions_node *ccprof_regions_find(struct ccprof_region *region, uint64_t address);

/* Returns the path of calls that are not measured. A frame is then free. Returns
   null if no frame is free. */
struct regions_node *ccprof_regions_find_unmeasured(struct ccprof_region *region);

/* Maps room for MOST events. Returns false if there is no memory. Called by the
   constructor. */
bool ccprof_regions_events_make(unsigned most);

/* Keeps a call of the calling thread that has ended, if the thread's room is full or
   IS_NESTED is true. IS_NESTED: the calling thread is in a signal handler that has
   interrupted a change of this room. */
void ccprof_regions_events_keep(struct regions_thread *thread,
                                const struct regions_node *node, uint64_t start,
                                uint64_t length, bool is_nested);

/* Returns the calling thread's number in the file. */
uint32_t ccprof_regions_events_thread(void);

/* events_move moves the thread's events to the process, events_drop forgets all
   events, and events_write writes all events. The caller must hold the lock. */
void ccprof_regions_events_move(struct regions_thread *thread);
void ccprof_regions_events_drop(void);
void ccprof_regions_events_write(struct ccprof_text *text, uint64_t rate);

/* Returns the size of a thread's data in bytes. */
size_t ccprof_regions_thread_size(void);

/* Registers the calling thread and the region, if that is not done. Returns false if
   there is no room. */
bool ccprof_regions_register(struct ccprof_region *region);

/* Return the path of the frame's call, and the key of the call's region. */
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

/* Returns the innermost measured path that is open below the frame TOP. */
struct regions_node *
ccprof_regions_innermost_measured(const struct regions_thread *thread,
                                  const struct regions_frame *top);

/* Ends all calls from the topmost down to FRAME. Calls above FRAME are counted as
   left by a jump. IS_LEFT: the call of FRAME is counted as left, too. */
void ccprof_regions_cut_to(struct regions_thread *thread, struct regions_frame *frame,
                           uint64_t now, bool is_left);

/* End a call of a region, even if calls that began later have not ended yet. */
void ccprof_regions_cut_slowly(unsigned long opened, uint64_t now);
void ccprof_regions_end_slowly(struct ccprof_region *region, uint64_t now);

/* ENTERED is the result of enter for a call. Ends this call, unless a longjmp has
   already left it. */
void ccprof_regions_left(struct ccprof_region *function, unsigned long entered);

/* Returns the number of a name, shifted to the upper bits of a key; 0 if there is no
   room. */
uint64_t ccprof_regions_name(const char *name);

/* Returns the region's number in the file. A new region gets the next number.
   Returns -1 if there is no room. */
int ccprof_regions_number(uint64_t key);
unsigned ccprof_regions_numbers(void);

/* Returns whether the region already has a number or can still get one. Needs no
   lock. */
bool ccprof_regions_has_number(uint64_t key);
uint64_t ccprof_regions_key_of(unsigned number);
const char *ccprof_regions_name_of(uint64_t key);

bool ccprof_regions_names_make(void);

/* Returns an empty path; null if there is no room. IS_SINGLE: a path with only one
   region; some room is reserved for such paths. */
struct regions_node *ccprof_regions_node_new(bool is_single);

/* Returns whether the pool is full. IS_SINGLE: for paths with only one region;
   otherwise for paths with several regions. Needs no lock. */
bool ccprof_regions_is_full(bool is_single);
void ccprof_regions_node_free(struct regions_node *node);
bool ccprof_regions_pool_make(void);

/* Convert between a path and its index in the memory of all paths. */
uint32_t ccprof_regions_node_place(const struct regions_node *node);
const struct regions_node *ccprof_regions_node_at(uint32_t place);

/* Returns the process's path for KEY inside PARENT, and creates it if necessary.
   PARENT is null for a path with only one region. Returns null if there is no room. */
struct regions_node *ccprof_regions_path(struct regions_node *parent, uint64_t key);
struct regions_node *ccprof_regions_paths(void); /* the first path */

/* Subtracts the figures of earlier slices from ALL, the figures of PATH. Returns
   false if no call remains after the subtraction. SLICE: records ALL for the
   following slices, and also returns false if there is no memory for this. */
bool ccprof_regions_slice(struct regions_node *path, struct regions_figures *all,
                          bool slice);

/* Starts a slice: discards the recorded figures of a slice that was not completed. */
void ccprof_regions_slice_begin(void);

/* Forgets the figures of earlier slices, in the child of a fork. */
void ccprof_regions_slices_forget(struct regions_node *path);

/* Adds the figures FROM to TO. */
void ccprof_regions_add(struct regions_figures *to, const struct regions_figures *from);

/* Measures the cost of an empty region, in thousandths of a tick. INNER is the time
   between its two readings of the clock, OUTER the total time. */
void ccprof_regions_cost(uint64_t *inner, uint64_t *outer);

/* Returns the ticks per second. */
uint64_t ccprof_regions_rate(void);

/* Converts the time NS of the monotonic clock to ticks. RATE is the number of ticks
   per second. */
uint64_t ccprof_regions_ticks_at(uint64_t ns, uint64_t rate);

/* Initializes the data of a thread that has begun no region. */
void ccprof_regions_thread_clear(struct regions_thread *thread);

/* Saves and restores errno and the registers for floating-point numbers and vectors.
   Code that begins or ends a region expects them to be unchanged: a function with a
   stopwatch may be called by code that knows that the function does not use these
   registers (ccprof.h, region_enter). The compiler avoids these registers in the
   files of this room (rt.mk). So they are saved here only around calls of other code,
   for example of libc, which are rare. */
#ifdef __x86_64__
/* The size of all registers up to AVX-512. Compilers use later registers only on
   request. */
#define REGIONS_CALLER_SIZE 2752
#define REGIONS_CALLER_ALL  0xe7u

struct regions_caller {
    _Alignas(64) unsigned char area[REGIONS_CALLER_SIZE];
    int has_xsave;
    int error;
};

/* Executes CPUID only once, since under a hypervisor it takes microseconds. */
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
        /* Clears the header of the area. `volatile' keeps the compiler from calling
           libc's memset. */
        for (volatile unsigned char *byte = caller->area + 512; byte < caller->area + 576;
             byte++)
            *byte = 0;
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
