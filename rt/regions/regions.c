/* SPDX-License-Identifier: MIT */
/* Starts and stops the measurement of regions. Owns the choice of the clock and of
   the functions in the program's table. The constructor calls start, the gate calls
   open and close, the child of a fork calls drop, an ending thread calls thread_end,
   and the SIGPROF handler calls put. The other functions are called by the program,
   and when files are written. */

#define _GNU_SOURCE
#include <string.h>

#include "rt/regions/regions.h"
#include "rt/os/lock.h"
#include "rt/os/sys.h"
#include "rt/regions/regions-inside.h"
#include "rt/regions/regions-hot.h"
#include "rt/samples/tags.h"
#include "rt/os/text.h"

#define MILLISECOND 1000000u

/* Stores each member atomically, since the program may be reading the table. */
static void regions_set(const struct regions_calls *calls)
{
    struct ccprof_api *table = ccprof_regions.table;

    __atomic_store_n(&table->region_begin, calls->begin, __ATOMIC_RELAXED);
    __atomic_store_n(&table->region_enter, calls->enter, __ATOMIC_RELAXED);
}

/* Begins a region while the gate is closed. The region gets a frame, which its end
   finds. */
static unsigned long closed_begin(struct ccprof_region *region)
{
    struct regions_thread *thread;
    struct regions_frame *frame;
    struct regions_node *lost =
        ccprof_regions_register(region) ? ccprof_regions_find_unmeasured(region) : NULL;

    if (!lost)
        return 0;
    thread = ccprof_regions_self;
    frame = thread->top;
    frame->before = thread->current;
    REGIONS_ORDER;
    thread->top = frame + 1;
    REGIONS_ORDER;
    frame->inner = 0;
    frame->inside = (regions_two){0, 0};
    frame->cpu = 0;
    frame->key = region->number;
    frame->stack = (uintptr_t)__builtin_dwarf_cfa();
    frame->skipped = thread->skipped;
    lost->open++;
    thread->current = lost;
    REGIONS_ORDER;
    frame->start = ccprof_regions.clock->ticks();
    return (unsigned long)((char *)frame - (char *)thread->frame);
}

static unsigned long closed_enter(struct ccprof_region *function, const void *address)
{
    (void)address;
    return closed_begin(function) | REGIONS_ENTERED;
}

static const struct regions_calls closed = {.begin = closed_begin, .enter = closed_enter};

/* Maps room for EVENTS events. Returns whether events are kept. */
static bool regions_make_events(unsigned events)
{
    if (events == 0)
        return false;
    if (ccprof_regions_events_make(events))
        return true;
    ccprof_say("no memory: calls of regions are not kept one by one", NULL);
    return false;
}

static const struct regions_calls *regions_choose(const struct regions *regions)
{
    const struct regions_clock *clock = regions->clock;

    if (regions->has_events)
        return regions->has_cpu ? &clock->cpu_events : &clock->wall_events;
    return regions->has_cpu ? &clock->cpu : &clock->wall;
}

/* has_clock: the first region has chosen the clock. The choice is not made earlier,
   since it takes longer than some programs run. */
static _Atomic bool is_open, has_clock;

/* Some thread is in strict mode. */
static _Atomic bool is_guarded;

static const struct regions_calls *regions_now(void)
{
    return is_open ? ccprof_regions.calls : &closed;
}

static void regions_use_clock(const struct regions_clock *clock)
{
    struct regions *regions = &ccprof_regions;

    regions->clock = clock;
    regions->calls = regions_choose(regions);
    if (is_guarded)
        return;
    __atomic_store_n(&regions->table->region_cut, regions->calls->cut, __ATOMIC_RELAXED);
    __atomic_store_n(&regions->table->region_end, regions->calls->end, __ATOMIC_RELAXED);
}

/* If several threads run this at the same time, they choose the same clock. */
static void regions_choose_clock(void)
{
    struct regions_caller caller;

    regions_caller_save(&caller);
    regions_use_clock(ccprof_regions_counter.is_usable() ? &ccprof_regions_counter
                                                         : &ccprof_regions_monotonic);
    regions_caller_restore(&caller);
    has_clock = true;
    if (!is_guarded)
        regions_set(regions_now());
}

/* Begins the first region. Stores the stack pointer of the program's function in the
   frame, instead of this function's. */
static unsigned long first_begin(struct ccprof_region *region)
{
    uintptr_t stack = (uintptr_t)__builtin_dwarf_cfa();
    unsigned long opened;

    regions_choose_clock();
    opened = regions_now()->begin(region);
    if (opened)
        ((struct regions_frame *)((char *)ccprof_regions_self->frame + opened))->stack =
            stack;
    return opened;
}

static unsigned long first_enter(struct ccprof_region *function, const void *address)
{
    unsigned long entered;
    uintptr_t stack = (uintptr_t)__builtin_dwarf_cfa();
    const struct regions_frame *top = ccprof_regions_self->top;

    regions_choose_clock();
    entered = regions_now()->enter(function, address);
    if (ccprof_regions_self->top != top)
        ccprof_regions_self->top[-1].stack = stack;
    return entered;
}

static const struct regions_calls first = {.begin = first_begin, .enter = first_enter};

/* Used as soon as some thread is in strict mode: each call first checks its own
   thread. A thread in strict mode must not read any clock. On x86-64 the kernel
   forbids such a thread even to read the processor's counter. */
static unsigned long guarded_begin(struct ccprof_region *region)
{
    uintptr_t stack = (uintptr_t)__builtin_dwarf_cfa();
    const struct regions_calls *calls = has_clock ? regions_now() : &first;
    unsigned long opened = ccprof_strict ? 0 : calls->begin(region);

    if (opened)
        ((struct regions_frame *)((char *)ccprof_regions_self->frame + opened))->stack =
            stack;
    return opened;
}

static unsigned long guarded_enter(struct ccprof_region *function, const void *address)
{
    uintptr_t stack = (uintptr_t)__builtin_dwarf_cfa();
    const struct regions_calls *calls = has_clock ? regions_now() : &first;
    const struct regions_frame *top = ccprof_regions_self->top;
    unsigned long entered =
        ccprof_strict ? REGIONS_ENTERED : calls->enter(function, address);

    if (ccprof_regions_self->top != top)
        ccprof_regions_self->top[-1].stack = stack;
    return entered;
}

static void guarded_cut(unsigned long opened)
{
    if (!ccprof_strict)
        ccprof_regions.calls->cut(opened);
}

static void guarded_end(struct ccprof_region *region)
{
    if (!ccprof_strict)
        ccprof_regions.calls->end(region);
}

static const struct regions_calls guarded = {guarded_begin, guarded_cut, guarded_end,
                                             guarded_enter};

void ccprof_regions_guard(void)
{
    if (!ccprof_regions.table || atomic_exchange(&is_guarded, true))
        return;
    regions_set(&guarded);
    __atomic_store_n(&ccprof_regions.table->region_cut, guarded.cut, __ATOMIC_RELAXED);
    __atomic_store_n(&ccprof_regions.table->region_end, guarded.end, __ATOMIC_RELAXED);
}

static void regions_switch(bool open)
{
    is_open = open;
    if (ccprof_regions.table && !is_guarded)
        regions_set(has_clock ? regions_now() : &first);
}

static void regions_make_none(struct regions_thread *none)
{
    none->root.key = REGIONS_KEY_NONE;
    regions_recent_clear(&none->root, &none->root);
    none->current = &none->root;
    none->top = none->frame + 1;
}

void ccprof_regions_start(struct ccprof_api *table,
                          const struct ccprof_settings *settings,
                          void (*thread_begins)(void))
{
    struct regions *regions = &ccprof_regions;

    if (settings->regions == CCPROF_SETTINGS_NO_REGIONS)
        return;
    regions->has_cpu = settings->regions == CCPROF_SETTINGS_REGIONS_CPU;
    regions->pause_ns = (uint64_t)settings->pause * MILLISECOND;
    regions->thread_begins = thread_begins;
    regions->table = table;
    regions_make_none(&ccprof_regions_none);
    table->region_left = ccprof_regions_left;
    regions_use_clock(&ccprof_regions_monotonic);
    if (settings->events != 0) {
        regions_choose_clock();
        regions->has_events = regions_make_events(settings->events);
        regions_use_clock(regions->clock);
    }
    regions_switch(false);
    __atomic_store_n(&table->size, sizeof *table, __ATOMIC_RELEASE);
}

void ccprof_regions_open(void)
{
    regions_switch(true);
}

void ccprof_regions_close(void)
{
    regions_switch(false);
}

uint64_t ccprof_regions_threads(void)
{
    uint64_t count = atomic_load(&ccprof_regions.thread_count);
    return count ? count : 1;
}

static struct regions_node **regions_link(struct regions_node *node)
{
    struct regions_node **link = &node->path->path;
    while (*link != node)
        link = &(*link)->next;
    return link;
}

/* Frees the paths and the data of a thread. The caller must hold the lock. */
static void regions_free_thread(struct regions_thread *thread)
{
    for (unsigned i = 0; i < REGIONS_INDEX; i++) {
        while (thread->index[i]) {
            struct regions_node *node = thread->index[i];
            thread->index[i] = node->chain;
            *regions_link(node) = node->next;
            ccprof_regions_node_free(node);
        }
    }
    ccprof_regions_thread_clear(thread);
    atomic_store(&thread->used, false);
}

static void regions_merge(const struct regions_thread *thread)
{
    for (unsigned i = 0; i < REGIONS_INDEX; i++)
        for (struct regions_node *node = thread->index[i]; node; node = node->chain)
            ccprof_regions_add(&node->path->figures, &node->figures);
}

void ccprof_regions_thread_end(void)
{
    struct regions_thread *thread = ccprof_regions_self;

    if (thread == &ccprof_regions_none)
        return;
    if (thread->top > thread->frame + 1)
        ccprof_regions_cut_to(thread, thread->frame + 1, ccprof_regions.clock->ticks(),
                              true);
    if (!ccprof_lock_wait(&ccprof_regions.lock, REGIONS_PATIENCE))
        return;
    regions_merge(thread);
    if (ccprof_regions.has_events)
        ccprof_regions_events_move(thread);
    ccprof_regions_self = &ccprof_regions_none;
    regions_free_thread(thread);
    ccprof_lock_release(&ccprof_regions.lock);
}

static void regions_clear_figures(struct regions_node *node)
{
    memset(&node->figures, 0, sizeof node->figures);
    node->figures.min = UINT64_MAX;
}

/* Resets the calling thread's figures. Its open calls stay open. */
static void regions_reset_thread(struct regions_thread *thread)
{
    uint64_t now = ccprof_regions.clock->ticks();

    thread->number = ccprof_regions_events_thread();
    for (unsigned i = 0; i < REGIONS_INDEX; i++) {
        for (struct regions_node *node = thread->index[i]; node; node = node->chain) {
            regions_clear_figures(node);
            node->last = now + ((uint64_t)1 << 63);
        }
    }
    for (struct regions_frame *frame = thread->frame + 1; frame < thread->top; frame++) {
        frame->start = now;
        frame->inner = 0;
        frame->inside = (regions_two){0, 0};
        frame->skipped = thread->skipped;
        frame->cpu = ccprof_regions.has_cpu ? ccprof_regions_cpu() : 0;
    }
}

/* The process has only one thread. In the parent, a different thread may have held
   the lock. */
void ccprof_regions_drop(void)
{
    struct regions_thread *thread;

    ccprof_lock_release(&ccprof_regions.lock);
    if (ccprof_regions.has_events)
        ccprof_regions_events_drop();
    if (!ccprof_regions.threads)
        return;
    atomic_store(&ccprof_regions.lost, 0);
    atomic_store(&ccprof_regions.thread_count, 0);
    ccprof_regions.earlier_unplaced = 0;
    for (thread = ccprof_regions.threads; thread; thread = thread->next) {
        thread->unplaced = 0;
        if (thread->used && thread != ccprof_regions_self)
            regions_free_thread(thread);
    }
    for (struct regions_node *path = ccprof_regions_paths(); path; path = path->next) {
        regions_clear_figures(path);
        ccprof_regions_slices_forget(path);
    }
    if (ccprof_regions_self != &ccprof_regions_none)
        regions_reset_thread(ccprof_regions_self);
}

/* If there is not enough room for all open regions, the outermost ones are used. */
void ccprof_regions_put(struct ccprof_stack *stack)
{
    const struct regions_thread *thread = ccprof_regions_self;
    const struct regions_node *node;
    unsigned phases = ccprof_tags.depth, depth = 0;
    unsigned room = phases < CCPROF_TAGS_LABELS ? CCPROF_TAGS_LABELS - phases : 0;

    if (thread == &ccprof_regions_none)
        return;
    const struct regions_node *from =
        ccprof_regions_innermost_measured(thread, thread->top);
    for (node = from; node->parent; node = node->parent)
        depth++;
    for (node = from; node->parent; node = node->parent)
        if (depth-- <= room)
            stack->address[stack->depth++] =
                CCPROF_TAGS_LABEL | (CCPROF_LABELS_MAX + regions_name_number(node->key));
}
