/* SPDX-License-Identifier: MIT */
/* Keeps the longest region calls individually, as events. Owns the events of the
   process. Each thread owns its latest events. If there is no room left, the
   shortest events are dropped: a call shorter than `least', which never decreases, is
   not kept.

   The constructor calls make, and keep runs in the program's calls. regions-inside.h
   describes the callers of the other functions. */

#define _GNU_SOURCE
#include "rt/os/lock.h"
#include "rt/os/memory.h"
#include "rt/os/text.h"
#include "rt/regions/regions-inside.h"
#include "rt/samples/tags.h"
#include "rt/samples/times.h"

/* Number of buckets per doubling of time. */
#define EVENTS_EIGHTS     (1u << CCPROF_BUCKET_BITS)
#define EVENTS_PARTS_BITS 8

_Static_assert(1 << EVENTS_PARTS_BITS <= CCPROF_BUCKETS, "there is room for the parts");

/* An event of the process. */
struct event {
    uint64_t start, length;
    uint32_t path, thread;
};

_Static_assert(sizeof(struct event) == 24, "as the manual says");

static struct {
    struct event *event;
    /* Maximum number of events to write; capacity; number of events. */
    uint64_t most, room, count;
    uint64_t *tally; /* scratch space: number of events per bucket of lengths */
} events;

static uint64_t events_least(void)
{
    return __atomic_load_n(&ccprof_regions.least, __ATOMIC_RELAXED);
}

static void events_raise_to(uint64_t least)
{
    uint64_t now = events_least();

    while (now < least &&
           !__atomic_compare_exchange_n(&ccprof_regions.least, &now, least, false,
                                        __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
}

bool ccprof_regions_events_make(unsigned most)
{
    events.most = most;
    events.room = events.most + events.most / 4 + REGIONS_EVENTS;
    events.tally = ccprof_pages_map(CCPROF_BUCKETS * sizeof *events.tally);
    events.event = ccprof_pages_map(events.room * sizeof *events.event);
    return events.tally && events.event;
}

static struct regions_event *events_of(const struct regions_thread *thread)
{
    return thread->event_end - REGIONS_EVENTS;
}

/* Atomic, since the thread may be adding an event at this moment. */
static struct regions_event *events_end_of(const struct regions_thread *thread)
{
    return __atomic_load_n(&thread->event, __ATOMIC_ACQUIRE);
}

/* Returns whether the event is kept. An event without a path of the process belongs
   to a region that is not measured. */
static bool events_is_wanted(const struct regions_event *event)
{
    return event->node->path && event->length >= events_least();
}

/* Returns the shift that divides the bucket's range of lengths into at most
   2^EVENTS_PARTS_BITS parts. */
static unsigned events_shift(unsigned bucket)
{
    unsigned width = (bucket - CCPROF_BUCKET_EXACT) / EVENTS_EIGHTS + 1;
    return width > EVENTS_PARTS_BITS ? width - EVENTS_PARTS_BITS : 0;
}

/* Returns the shortest length in the bucket (mlmon.out(5)). */
static uint64_t events_bucket_start(unsigned bucket)
{
    unsigned above = bucket - CCPROF_BUCKET_EXACT;

    if (bucket < CCPROF_BUCKET_EXACT)
        return bucket;
    return (uint64_t)(EVENTS_EIGHTS + above % EVENTS_EIGHTS)
           << (above / EVENTS_EIGHTS + 1);
}

static void events_drop_short(void)
{
    uint64_t kept = 0, least = events_least();

    for (uint64_t i = 0; i < events.count; i++)
        if (events.event[i].length >= least)
            events.event[kept++] = events.event[i];
    events.count = kept;
}

/* Counts the length in its bucket. If WITHIN is a bucket (not negative), counts only
   lengths in this bucket, separately for each part of the bucket. */
static void events_tally_one(uint64_t length, int within)
{
    unsigned bucket = regions_bucket(length);

    if (within < 0)
        events.tally[bucket]++;
    else if (bucket == (unsigned)within)
        events.tally[(length - events_bucket_start(bucket)) >> events_shift(bucket)]++;
}

/* Counts the events of the process and the events of threads up to `event_seen'. */
static void events_tally(int within)
{
    const struct regions_thread *thread;

    for (unsigned i = 0; i < CCPROF_BUCKETS; i++)
        events.tally[i] = 0;
    for (uint64_t i = 0; i < events.count; i++)
        events_tally_one(events.event[i].length, within);
    for (thread = ccprof_regions.threads; thread; thread = thread->next) {
        const struct regions_event *event = events_of(thread);
        for (; event < thread->event_seen; event++)
            if (events_is_wanted(event))
                events_tally_one(event->length, within);
    }
}

/* Returns the smallest length such that at most MOST events have this length or more. */
static uint64_t events_find_least(uint64_t most)
{
    unsigned bucket = CCPROF_BUCKETS - 1, part;
    uint64_t sum = 0, least;

    events_tally(-1);
    while (sum + events.tally[bucket] <= most) {
        sum += events.tally[bucket];
        if (bucket-- == 0)
            return 0;
    }
    if (bucket == CCPROF_BUCKETS - 1)
        return UINT64_MAX;
    least = events_bucket_start(bucket + 1);
    if (bucket < CCPROF_BUCKET_EXACT)
        return least;
    events_tally((int)bucket);
    part = (unsigned)((least - events_bucket_start(bucket)) >> events_shift(bucket));
    while (part > 0 && sum + events.tally[--part] <= most) {
        sum += events.tally[part];
        least -= (uint64_t)1 << events_shift(bucket);
    }
    return least;
}

/* Raises `least' until at most MOST of the counted events are left. */
static void events_drop_shortest(uint64_t most)
{
    events_raise_to(events_find_least(most));
    events_drop_short();
}

static void events_add(const struct regions_thread *thread,
                       const struct regions_event *event)
{
    if (events.count == events.room)
        events_drop_shortest(events.most);
    if (!events_is_wanted(event))
        return;
    events.event[events.count++] =
        (struct event){event->start, event->length,
                       ccprof_regions_node_place(event->node->path), thread->number};
}

void ccprof_regions_events_move(struct regions_thread *thread)
{
    for (const struct regions_event *event = events_of(thread); event < thread->event;
         event++)
        if (events_is_wanted(event))
            events_add(thread, event);
    __atomic_store_n(&thread->event, events_of(thread), __ATOMIC_RELEASE);
}

static void events_keep(struct regions_thread *thread, const struct regions_event *event,
                        bool is_nested)
{
    struct ccprof_blocked blocked;

    ccprof_blocked_begin(&blocked);
    if (ccprof_lock_wait(&ccprof_regions.lock, REGIONS_PATIENCE)) {
        if (!is_nested)
            ccprof_regions_events_move(thread);
        if (events_is_wanted(event))
            events_add(thread, event);
        ccprof_lock_release(&ccprof_regions.lock);
    } else if (event->length < UINT64_MAX) {
        events_raise_to(event->length + 1);
    }
    ccprof_blocked_end(&blocked);
}

void ccprof_regions_events_keep(struct regions_thread *thread,
                                const struct regions_node *node, uint64_t start,
                                uint64_t length, bool is_nested)
{
    const struct regions_event event = {node, start, length};
    struct regions_caller caller;

    regions_caller_save(&caller);
    events_keep(thread, &event, is_nested);
    regions_caller_restore(&caller);
}

/* Called while the process has only one thread. */
void ccprof_regions_events_drop(void)
{
    struct regions_thread *thread;

    events.count = 0;
    ccprof_regions.least = 0;
    for (thread = ccprof_regions.threads; thread; thread = thread->next)
        thread->event_seen = thread->event = events_of(thread);
}

uint32_t ccprof_regions_events_thread(void)
{
    if (!ccprof_regions.has_events || !ccprof_threadnames_are_kept())
        return CCPROF_THREADNAMES_OTHERS;
    ccprof_tags.thread = ccprof_threadnames_number(ccprof_tags.thread);
    return ccprof_threadnames_note(ccprof_tags.thread);
}

/* Sets `event_seen' of each thread to the end of its present events, or, if ALL is
   false, to their start. */
static void events_mark_seen(bool all)
{
    struct regions_thread *thread;

    for (thread = ccprof_regions.threads; thread; thread = thread->next)
        thread->event_seen =
            all && thread->used ? events_end_of(thread) : events_of(thread);
}

static void events_line(struct ccprof_text *text, const struct event *event)
{
    uint32_t path = ccprof_regions_node_at(event->path)->number;
    uint64_t origin = ccprof_regions.origin;

    if (path == REGIONS_ABSENT)
        return;
    const uint64_t number[] = {event->thread, path,
                               event->start > origin ? event->start - origin : 0,
                               event->length};
    ccprof_text_string(text, "event");
    for (unsigned i = 0; i < sizeof number / sizeof *number; i++) {
        ccprof_text_field(text, number[i]);
    }
    ccprof_text_char(text, '\n');
}

static void events_lines(struct ccprof_text *text, const struct regions_thread *thread)
{
    const struct regions_event *event = events_of(thread);

    for (; event < thread->event_seen; event++) {
        if (!events_is_wanted(event))
            continue;
        const struct event line = {event->start, event->length,
                                   ccprof_regions_node_place(event->node->path),
                                   thread->number};
        events_line(text, &line);
    }
}

void ccprof_regions_events_write(struct ccprof_text *text, uint64_t rate)
{
    const struct regions_thread *thread;

    ccprof_regions.origin = ccprof_regions_ticks_at(ccprof_times_began(), rate);
    events_mark_seen(true);
    events_drop_shortest(events.most);
    ccprof_text_string(text, "events ");
    ccprof_text_decimal(text, events_least());
    ccprof_text_char(text, '\n');
    for (uint64_t i = 0; i < events.count; i++)
        events_line(text, &events.event[i]);
    for (thread = ccprof_regions.threads; thread; thread = thread->next)
        events_lines(text, thread);
    events_mark_seen(false);
}
