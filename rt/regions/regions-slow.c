/* SPDX-License-Identifier: MIT */
/* The slow paths of the program's calls. regions-hot.h has the fast ones.

   Begins: finds or creates the path of a region that is not in the cache of its outer
   path. Owns the list of threads.

   Ends that are not in the reverse order of the begins: the program ends an outer
   region first, or a region that it has not begun; a thread ends; or a longjmp leaves
   regions. Each setjmp is recorded in the thread, indexed by the address of its
   buffer. A longjmp to this buffer leaves all calls that began after the setjmp. If
   the record is missing or overwritten, the stack decides: the longjmp leaves the
   calls whose callers' frames it removes. Owns the records of setjmp of threads that
   have begun no region.

   Called by the program, in any thread, also in signal handlers. */

#define _GNU_SOURCE
#include <signal.h>
#include <string.h>

#include "rt/os/lock.h"
#include "rt/os/memory.h"
#include "rt/os/text.h"
#include "rt/regions/regions-hot.h"
#include "rt/regions/regions-inside.h"
#include "rt/regions/regions.h"

static struct regions_node **find_index(struct regions_thread *thread,
                                        const struct regions_node *parent, uint64_t key)
{
    uint64_t hash = ((uintptr_t)parent >> 4) * 0x9e3779b97f4a7c15u ^
                    (key ^ key >> 48) * 0xff51afd7ed558ccdu;
    return &thread->index[hash >> 54];
}

_Static_assert(REGIONS_INDEX == 1 << (64 - 54), "the index takes 10 bits of the hash");

/* Returns the data of a thread that has ended, or new memory. */
static struct regions_thread *find_thread_memory(void)
{
    struct regions_thread *thread;

    for (thread = ccprof_regions.threads; thread; thread = thread->next)
        if (!thread->used)
            return thread;
    thread = ccprof_pages_map(ccprof_regions_thread_size());
    if (!thread)
        return NULL;
    ccprof_regions_thread_clear(thread);
    thread->next = ccprof_regions.threads;
    ccprof_regions.threads = thread;
    return thread;
}

/* Gives the calling thread its data, since it begins its first region. The caller
   must hold the lock. */
static void find_thread(void)
{
    struct regions_thread *thread;

    if (!ccprof_regions_initialize())
        return;
    thread = find_thread_memory();
    if (!thread)
        return;
    thread->number = ccprof_regions_events_thread();
    thread->used = true;
    ccprof_regions_self = thread;
    ccprof_regions.thread_begins();
    atomic_fetch_add(&ccprof_regions.thread_count, 1);
}

struct regions_node *
ccprof_regions_innermost_measured(const struct regions_thread *thread,
                                  const struct regions_frame *top)
{
    struct regions_node *node = top == thread->top ? thread->current : top->before;

    while (node == &thread->lost)
        node = (--top)->before;
    return node;
}

/* Creates a path of the thread for calls of KEY inside PARENT. The caller must hold
   the lock. */
static struct regions_node *find_create(struct regions_thread *thread,
                                        struct regions_node *parent, uint64_t key)
{
    struct regions_node *path =
        ccprof_regions_path(parent->path, key & ~REGIONS_KEY_HANDLER);
    struct regions_node *node =
        path ? ccprof_regions_node_new(parent == &thread->root) : NULL;
    struct regions_node **index = find_index(thread, parent, key);

    if (!node)
        return NULL;
    node->key = key;
    node->parent = parent;
    regions_recent_clear(node, node);
    node->last = ccprof_regions.clock->ticks() + ((uint64_t)1 << 63);
    node->path = path;
    node->next = path->path;
    path->path = node;
    node->chain = *index;
    atomic_thread_fence(memory_order_release);
    *index = node;
    return node;
}

static bool find_matches(const struct regions_node *node, uint64_t key)
{
    return ((node->key ^ key) & ~REGIONS_KEY_HANDLER) == 0;
}

/* Finds the path of KEY inside *PARENT. Returns null if there is none. If the region
   is already open, its existing path is used and no deeper one.

   There is one exception: in a signal handler, the innermost path that the handler
   itself has not begun may be the path whose figures the thread is changing. In this
   case the calls of the handler have a separate path, and *PARENT is changed
   accordingly. */
static struct regions_node *find_existing(struct regions_thread *thread,
                                          struct regions_node **parent, uint64_t key)
{
    bool is_innermost = true;
    struct regions_node *node;

    for (node = *parent; node->parent; node = node->parent) {
        bool is_handlers = node->key & REGIONS_KEY_HANDLER;
        if (find_matches(node, key)) {
            if (is_handlers || !is_innermost || !(key & REGIONS_KEY_HANDLER))
                return node;
            *parent = node->parent;
            break;
        }
        is_innermost = is_innermost && is_handlers;
    }
    for (node = *find_index(thread, *parent, key); node; node = node->chain)
        if (node->parent == *parent && node->key == key)
            return node;
    return NULL;
}

static bool find_lock(struct ccprof_blocked *blocked)
{
    ccprof_blocked_begin(blocked);
    if (ccprof_lock_wait(&ccprof_regions.lock, REGIONS_PATIENCE))
        return true;
    ccprof_blocked_end(blocked);
    return false;
}

static void find_unlock(const struct ccprof_blocked *blocked)
{
    ccprof_lock_release(&ccprof_regions.lock);
    ccprof_blocked_end(blocked);
}

/* The time at which the runtime began work that must not be included in the time of
   any call. */
struct find_moment {
    uint64_t ticks, cpu;
};

static struct find_moment find_now(void)
{
    return (struct find_moment){.ticks = ccprof_regions.clock->ticks(),
                                .cpu = ccprof_regions.has_cpu ? ccprof_regions_cpu() : 0};
}

/* Subtracts the time since FROM from all open calls, since creating a path takes
   microseconds. This is not done if events are kept: an event has a start and an end,
   and events would no longer be nested correctly. */
static void find_skip(const struct find_moment *from)
{
    struct regions_thread *thread = ccprof_regions_self;

    if (ccprof_regions.has_events || thread == &ccprof_regions_none)
        return;
    struct find_moment to = find_now();
    thread->skipped += to.ticks - from->ticks;
    for (struct regions_frame *frame = thread->frame + 1;
         ccprof_regions.has_cpu && frame < thread->top; frame++)
        frame->cpu += to.cpu - from->cpu;
}

static bool find_is_registered(const struct ccprof_region *region)
{
    return ccprof_regions_self != &ccprof_regions_none && region->number != 0;
}

static bool find_register(struct ccprof_region *region)
{
    struct ccprof_blocked blocked;

    if (!find_lock(&blocked))
        return false;
    if (ccprof_regions_self == &ccprof_regions_none)
        find_thread();
    if (ccprof_regions_self != &ccprof_regions_none && region->number == 0)
        __atomic_store_n(&region->number, ccprof_regions_name(region->name),
                         __ATOMIC_RELAXED);
    find_unlock(&blocked);
    return find_is_registered(region);
}

bool ccprof_regions_register(struct ccprof_region *region)
{
    struct regions_caller caller;

    if (find_is_registered(region))
        return true;
    regions_caller_save(&caller);
    struct find_moment from = find_now();
    bool known = find_register(region);
    find_skip(&from);
    regions_caller_restore(&caller);
    return known;
}

static struct regions_node *find_new(struct regions_node *parent, uint64_t key)
{
    struct ccprof_blocked blocked;
    struct regions_caller caller;
    struct regions_node *node = NULL;

    regions_caller_save(&caller);
    struct find_moment from = find_now();
    if (find_lock(&blocked)) {
        node = find_create(ccprof_regions_self, parent, key);
        find_unlock(&blocked);
    }
    find_skip(&from);
    regions_caller_restore(&caller);
    return node;
}

/* The maximum number of open calls that are searched for the same region. */
#define FIND_OPEN 256

/* Returns a substitute if there is no room for another path: the path of an open call
   of the region, or a path with only this region. */
static struct regions_node *find_substitute(struct regions_thread *thread, uint64_t key)
{
    const struct regions_frame *frame = thread->top;
    struct regions_node *parent = &thread->root, *node;

    if (!(key & REGIONS_KEY_HANDLER)) {
        for (int i = 0; i < FIND_OPEN && --frame > thread->frame; i++) {
            node = regions_node_of(thread, frame);
            if (node->key == key)
                return node;
        }
    }
    thread->unplaced++;
    node = find_existing(thread, &parent, key);
    return node || ccprof_regions_is_full(true) ? node : find_new(parent, key);
}

struct regions_node *ccprof_regions_find_unmeasured(struct ccprof_region *region)
{
    struct regions_thread *thread = ccprof_regions_self;

    if (!find_is_registered(region))
        return NULL;
    if (thread->top < thread->end)
        return &thread->lost;
    thread->open_without_frame++;
    return NULL;
}

static struct regions_node *find_unmeasured(struct ccprof_region *region)
{
    atomic_fetch_add_explicit(&ccprof_regions.lost, 1, memory_order_relaxed);
    return ccprof_regions_find_unmeasured(region);
}

struct regions_node *ccprof_regions_find(struct ccprof_region *region, uint64_t address)
{
    struct regions_thread *thread;
    struct regions_node *node, *parent;
    uint64_t key;

    if (!ccprof_regions_register(region))
        return find_unmeasured(region);
    thread = ccprof_regions_self;
    if (thread->top >= thread->end)
        return find_unmeasured(region);
    key = region->number + address;
    if (!ccprof_regions_has_number(key))
        return find_unmeasured(region);
    parent = ccprof_regions_innermost_measured(thread, thread->top);
    key += thread->limit ? 0 : REGIONS_KEY_HANDLER;
    node = find_existing(thread, &parent, key);
    if (!node && !ccprof_regions_is_full(parent == &thread->root))
        node = find_new(parent, key);
    if (!node && parent != &thread->root) {
        node = find_substitute(thread, key);
        parent = NULL;
    }
    if (!node)
        return find_unmeasured(region);
    if (thread->limit && thread->current == parent)
        parent->recent[regions_recent_of(region->number + address)] = node;
    return node;
}

uint64_t ccprof_regions_lost(void)
{
    return atomic_load(&ccprof_regions.lost);
}

void ccprof_regions_cut_to(struct regions_thread *thread, struct regions_frame *frame,
                           uint64_t now, bool is_left)
{
    bool has_cpu = ccprof_regions.has_cpu, has_events = ccprof_regions.has_events;

    thread->open_without_frame = 0;
    while (thread->top - 1 > frame || (is_left && thread->top - 1 == frame)) {
        thread->current->figures.left++;
        regions_leave(thread, thread->top - 1, now, has_cpu, has_events);
    }
    if (!is_left)
        regions_leave(thread, frame, now, has_cpu, has_events);
}

/* Does nothing if a longjmp has already left the call. */
void ccprof_regions_cut_slowly(unsigned long opened, uint64_t now)
{
    struct regions_thread *thread = ccprof_regions_self;
    struct regions_frame *frame = (void *)((char *)thread->frame + opened);

    if (frame < thread->top)
        ccprof_regions_cut_to(thread, frame, now, false);
}

/* Checks that the frame still belongs to this function: if the program ends regions in
   another order than it begins them, the frame may have been reused. */
void ccprof_regions_left(struct ccprof_region *function, unsigned long entered)
{
    if (ccprof_strict)
        return;
    uint64_t now = ccprof_regions.clock->ticks();
    struct regions_thread *thread = ccprof_regions_self;
    unsigned long opened = entered & ~REGIONS_ENTERED;
    struct regions_frame *frame = (void *)((char *)thread->frame + opened);

    if (opened == 0) {
        if (thread->open_without_frame != 0)
            thread->open_without_frame--;
    } else if (frame < thread->top &&
               !((regions_key_of(thread, frame) ^ function->number) & REGIONS_KEY_NAME)) {
        ccprof_regions_cut_to(thread, frame, now, false);
    }
}

void ccprof_regions_end_slowly(struct ccprof_region *region, uint64_t now)
{
    static _Atomic bool said;
    struct regions_thread *thread = ccprof_regions_self;
    struct regions_frame *frame = thread->top - 1;

    if (thread->open_without_frame != 0) {
        thread->open_without_frame--;
        return;
    }
    while (frame > thread->frame &&
           ((regions_key_of(thread, frame) ^ region->number) & REGIONS_KEY_NAME))
        frame--;
    if (frame > thread->frame)
        ccprof_regions_cut_to(thread, frame, now, false);
    else if (ccprof_regions_lost() == 0 && !atomic_exchange(&said, true)) {
        struct regions_caller caller;
        regions_caller_save(&caller);
        ccprof_say_missing("ccprof_region_end: ", region->name, " was not begun", NULL);
        regions_caller_restore(&caller);
    }
}

/* Number of buffers recorded in a thread that has begun no region. */
#define JUMP_EARLY 4

static _Thread_local struct {
    const void *buffer[JUMP_EARLY];
    uintptr_t stack[JUMP_EARLY];
    unsigned next;
} jump_early;

static struct regions_jump *jump_entry(struct regions_thread *thread, const void *buffer)
{
    uint64_t hash = ((uintptr_t)buffer >> 3) * 0x9e3779b97f4a7c15u;
    return &thread->jump[hash >> (64 - REGIONS_JUMPS_BITS)];
}

void ccprof_regions_mark(const void *buffer, uintptr_t stack)
{
    struct regions_thread *thread = ccprof_regions_self;

    if (thread != &ccprof_regions_none) {
        struct regions_jump *jump = jump_entry(thread, buffer);
        jump->buffer = NULL;
        atomic_signal_fence(memory_order_seq_cst);
        jump->stack = stack;
        jump->depth = (uint64_t)(thread->top - thread->frame);
        jump->time = ccprof_regions.clock->ticks();
        atomic_signal_fence(memory_order_seq_cst);
        jump->buffer = buffer;
    } else if (ccprof_regions.table) {
        unsigned next = jump_early.next++ % JUMP_EARLY;
        jump_early.buffer[next] = buffer;
        jump_early.stack[next] = stack;
    }
}

/* Returns whether the program filled the buffer before the thread began its first
   region. */
static bool jump_is_early(const void *buffer, uintptr_t stack)
{
    for (unsigned i = 0; i < JUMP_EARLY; i++)
        if (jump_early.buffer[i] == buffer && jump_early.stack[i] == stack)
            return true;
    return false;
}

/* The alternate signal stack, if the thread is running on it. */
struct jump_stack {
    uintptr_t from, size; /* size 0: the thread is not on the alternate stack */
};

static struct jump_stack jump_signals(void)
{
    stack_t now;
    if (sigaltstack(NULL, &now) != 0 || !(now.ss_flags & SS_ONSTACK))
        return (struct jump_stack){0, 0};
    return (struct jump_stack){(uintptr_t)now.ss_sp, now.ss_size};
}

static bool jump_is_gone(const struct regions_frame *frame,
                         const struct jump_stack *signals, uintptr_t here,
                         uintptr_t stack)
{
    bool on = frame->stack - signals->from < signals->size;
    if (signals->size != 0 && stack - signals->from >= signals->size)
        return on || frame->stack < stack;
    return frame->stack >= here && frame->stack < stack;
}

static bool jump_is_after(const struct regions_thread *thread,
                          const struct regions_frame *frame,
                          const struct regions_jump *jump)
{
    return (uint64_t)(frame - thread->frame) >= jump->depth || frame->start > jump->time;
}

void ccprof_regions_jump(const void *buffer, uintptr_t stack)
{
    struct regions_thread *thread = ccprof_regions_self;
    struct regions_frame *frame = thread->frame + 1;

    if (thread->top <= frame)
        return;
    const struct regions_jump *jump = jump_entry(thread, buffer);
    if (jump->buffer == buffer && jump->stack == stack) {
        while (frame < thread->top && !jump_is_after(thread, frame, jump))
            frame++;
    } else if (!jump_is_early(buffer, stack)) {
        const struct jump_stack signals = jump_signals();
        uintptr_t here = (uintptr_t)__builtin_frame_address(0);
        while (frame < thread->top && !jump_is_gone(frame, &signals, here, stack))
            frame++;
    }
    /* The jump may leave a signal handler that interrupted a change of figures, during
       which `limit' is null. */
    thread->limit = thread->end;
    if (frame < thread->top)
        ccprof_regions_cut_to(thread, frame, ccprof_regions.clock->ticks(), true);
}
