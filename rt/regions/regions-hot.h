/* SPDX-License-Identifier: MIT */
/* Defines the calls of the program for one clock. The file of a clock defines
   REGIONS_TICKS(), includes this header, and uses REGIONS_CLOCK_CALLS in its struct
   regions_clock. regions-slow.c includes this header only for regions_leave. This is
   the code that runs in each call: a few loads and stores, which the processor
   executes while it waits for the counter.

   A signal handler may run the same code between any two of these instructions.
   Therefore a frame is reserved before it is filled. The exception is the frame's
   path, which handlers follow from frame to frame and which is stored first. A
   handler ends all regions that it has begun. */

#include "rt/regions/regions-inside.h"

#define REGIONS_RARE(condition) __builtin_expect(condition, 0)
#define REGIONS_ORDER           atomic_signal_fence(memory_order_seq_cst)

static inline void regions_square(struct regions_figures *figures, uint64_t ticks)
{
    unsigned __int128 square = (unsigned __int128)ticks * ticks;
    bool carry =
        __builtin_add_overflow(figures->squares, (uint64_t)square, &figures->squares);
    if (REGIONS_RARE(carry || (uint64_t)(square >> 64) != 0))
        figures->squares_high += (uint64_t)(square >> 64) + carry;
}

/* Records the call as the first one if it began before all calls recorded so far. A
   call inside it ends earlier, so it may have been recorded before. */
static void __attribute__((noinline, cold))
regions_first(struct regions_figures *figures, uint64_t start, uint64_t elapsed)
{
    if (figures->first_start != 0 && figures->first_start < start)
        return;
    figures->first = elapsed;
    figures->first_start = start;
}

static void __attribute__((noinline, cold))
regions_cold(struct regions_figures *figures, uint64_t start, uint64_t elapsed)
{
    if (figures->cold++ == 0 || elapsed < figures->cold_min)
        figures->cold_min = elapsed;
    if (elapsed > figures->cold_max)
        figures->cold_max = elapsed;
    figures->cold_total += elapsed;
    regions_first(figures, start, elapsed);
}

static void __attribute__((noinline, cold))
regions_nested(struct regions_figures *figures, uint64_t start, uint64_t elapsed)
{
    figures->nested += elapsed;
    regions_first(figures, start, elapsed);
}

/* Keeps an ended call as an event. LIMIT is null in a signal handler that has
   interrupted this code in the same thread. */
static inline __attribute__((always_inline)) void
regions_keep(struct regions_thread *thread, const struct regions_node *node,
             uint64_t start, uint64_t elapsed, const struct regions_frame *limit)
{
    struct regions_event *event = thread->event;

    if (REGIONS_RARE(event == thread->event_end || !limit)) {
        ccprof_regions_events_keep(thread, node, start, elapsed, !limit);
        return;
    }
    event->node = node;
    event->start = start;
    event->length = elapsed;
    atomic_thread_fence(memory_order_release);
    thread->event = event + 1;
}

/* Ends the call of the topmost frame. */
static inline __attribute__((always_inline)) void
regions_leave(struct regions_thread *thread, struct regions_frame *frame, uint64_t now,
              bool has_cpu, bool has_events)
{
    struct regions_frame *limit = thread->limit;
    struct regions_node *node = thread->current;
    struct regions_figures *figures = &node->figures;
    uint64_t start = frame->start + (thread->skipped - frame->skipped);
    uint64_t elapsed = now > start ? now - start : 0;
    uint64_t self = elapsed > frame->inner ? elapsed - frame->inner : 0;
    regions_two inside = frame->inside;

    thread->limit = NULL;
    atomic_thread_fence(memory_order_release);
    /* The fence also keeps the processor from executing later reads before the fence. */
    REGIONS_ORDER;
    figures->count++;
    figures->total += elapsed;
    figures->self += self;
    regions_square(figures, elapsed);
    if (elapsed < figures->min)
        figures->min = elapsed;
    if (elapsed > figures->max)
        figures->max = elapsed;
    figures->inner += inside;
    figures->bucket[regions_bucket(elapsed)]++;
    if (has_cpu)
        figures->cpu += ccprof_regions_cpu() - frame->cpu;
    if (REGIONS_RARE(--node->open != 0)) {
        regions_nested(figures, frame->start, elapsed);
    } else {
        if (REGIONS_RARE(frame->start - node->last > ccprof_regions.pause))
            regions_cold(figures, frame->start, elapsed);
        node->last = now;
    }
    if (has_events && elapsed >= __atomic_load_n(&ccprof_regions.least, __ATOMIC_RELAXED))
        regions_keep(thread, node, frame->start, elapsed, limit);
    frame[-1].inner += elapsed;
    inside[0] = 0;
    frame[-1].inside += inside + (regions_two){1, 1};
    thread->current = frame->before;
    REGIONS_ORDER;
    thread->top = frame;
    atomic_thread_fence(memory_order_release);
    thread->limit = limit;
}

#ifdef REGIONS_TICKS

static inline __attribute__((always_inline)) unsigned long
regions_begin(struct ccprof_region *region, uint64_t address, uintptr_t stack,
              bool has_cpu)
{
    uint64_t key = __atomic_load_n(&region->number, __ATOMIC_RELAXED) + address;
    struct regions_thread *thread = ccprof_regions_self;
    struct regions_node *node = thread->current->recent[regions_recent_of(key)];
    struct regions_frame *frame = thread->top;

    if (REGIONS_RARE(node->key != key || frame >= thread->limit)) {
        node = ccprof_regions_find(region, address);
        if (!node)
            return 0;
        key = region->number + address;
        thread = ccprof_regions_self;
        frame = thread->top;
        frame->before = thread->current;
        REGIONS_ORDER;
        thread->top = frame + 1;
        REGIONS_ORDER;
        frame->key = key;
    }
    frame->before = thread->current;
    REGIONS_ORDER;
    thread->top = frame + 1;
    REGIONS_ORDER;
    frame->inner = 0;
    frame->inside = (regions_two){0, 0};
    frame->stack = stack;
    frame->skipped = thread->skipped;
    node->open++;
    if (has_cpu)
        frame->cpu = ccprof_regions_cpu();
    thread->current = node;
    REGIONS_ORDER;
    frame->start = REGIONS_TICKS();
    return (unsigned long)((char *)frame - (char *)thread->frame);
}

static inline __attribute__((always_inline)) void
regions_cut(unsigned long opened, bool has_cpu, bool has_events)
{
    uint64_t now = REGIONS_TICKS();
    struct regions_thread *thread = ccprof_regions_self;
    struct regions_frame *frame = (void *)((char *)thread->frame + opened);

    if (REGIONS_RARE(frame + 1 != thread->top))
        ccprof_regions_cut_slowly(opened, now);
    else
        regions_leave(thread, frame, now, has_cpu, has_events);
}

static inline __attribute__((always_inline)) void
regions_end(struct ccprof_region *region, bool has_cpu, bool has_events)
{
    uint64_t now = REGIONS_TICKS();
    struct regions_thread *thread = ccprof_regions_self;
    struct regions_frame *frame = thread->top - 1;

    if (REGIONS_RARE(((thread->current->key ^ region->number) & REGIONS_KEY_NAME) != 0))
        ccprof_regions_end_slowly(region, now);
    else
        regions_leave(thread, frame, now, has_cpu, has_events);
}

/* The stack pointer of the caller. */
#define REGIONS_STACK ((uintptr_t)__builtin_dwarf_cfa())

#define REGIONS_CALLS(kind, has_cpu, has_events)                                         \
    static unsigned long kind##_begin(struct ccprof_region *region)                      \
    {                                                                                    \
        return regions_begin(region, 0, REGIONS_STACK, has_cpu);                         \
    }                                                                                    \
    static unsigned long kind##_enter(struct ccprof_region *function,                    \
                                      const void *address)                               \
    {                                                                                    \
        return regions_begin(function, (uint64_t)(uintptr_t)address, REGIONS_STACK,      \
                             has_cpu) |                                                  \
               REGIONS_ENTERED;                                                          \
    }                                                                                    \
    static void kind##_cut(unsigned long opened)                                         \
    {                                                                                    \
        regions_cut(opened, has_cpu, has_events);                                        \
    }                                                                                    \
    static void kind##_end(struct ccprof_region *region)                                 \
    {                                                                                    \
        regions_end(region, has_cpu, has_events);                                        \
    }

REGIONS_CALLS(wall, false, false)
REGIONS_CALLS(cpu, true, false)
REGIONS_CALLS(wall_events, false, true)
REGIONS_CALLS(cpu_events, true, true)

static uint64_t regions_ticks(void)
{
    return REGIONS_TICKS();
}

#define REGIONS_CLOCK_CALLS                                                              \
    .ticks = regions_ticks, .wall = {wall_begin, wall_cut, wall_end, wall_enter},        \
    .cpu = {cpu_begin, cpu_cut, cpu_end, cpu_enter},                                     \
    .wall_events = {wall_events_begin, wall_events_cut, wall_events_end,                 \
                    wall_events_enter},                                                  \
    .cpu_events = {cpu_events_begin, cpu_events_cut, cpu_events_end, cpu_events_enter}

#endif
