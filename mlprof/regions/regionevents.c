/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Assigns recorded calls to lanes and rows, so that inner calls are below outer ones. */

#include "mlprof/regions/regionevents.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define NANOSECONDS 1000000000

/* A call, for sorting. */
struct entry {
    const struct regions_event *event;
    uint32_t depth; /* depth of its path */
};

/* Converts ticks to nanoseconds. Limits the result to 63 bits, so that it can be
   written as a signed number. */
static uint64_t nanoseconds(const struct regions *regions, uint64_t ticks)
{
    regions_wide wide =
        ((regions_wide)ticks * NANOSECONDS + regions->hz / 2) / regions->hz;
    return wide < INT64_MAX ? (uint64_t)wide : INT64_MAX;
}

/* Returns, by path, the number of regions around it. The caller frees the result. */
static uint32_t *find_depths(const struct regions *regions)
{
    uint32_t *depths = buf_alloc((regions->paths.count + 1) * sizeof *depths);
    for (size_t i = 0; i < regions->paths.count; i++)
        if (regions->paths.list[i].parent != REGIONS_NO_PATH)
            depths[i] = depths[regions->paths.list[i].parent] + 1;
    return depths;
}

static int by_time(const void *one, const void *other)
{
    const struct entry *a = one, *b = other;
    /* The unsigned subtraction sorts thread number 0 last. */
    return BUF_ORDER(a->event->thread - 1, b->event->thread - 1) ?:
           BUF_ORDER(a->event->start, b->event->start) ?:
           BUF_ORDER(b->event->length, a->event->length) ?:
           BUF_ORDER(a->depth, b->depth) ?: BUF_ORDER(a->event, b->event);
}

/* Returns the name of a thread. The caller frees it. */
static char *name_of(const struct profile *profile, uint64_t number)
{
    if (number == 0)
        return buf_copy("other threads");
    BUF_OWN char *digits = buf_format("%" PRIu64 " ", number);
    for (uint32_t i = 0; i < profile->names.threads.count; i++) {
        const char *text = intern_text(&profile->names.threads, i);
        if (text_begins(text, digits))
            return buf_format("thread %s", text);
    }
    return buf_format("thread %" PRIu64, number);
}

/* The calls that are open when the next call begins, the innermost call last. */
struct open {
    size_t *calls;
    size_t count, capacity;
};

/* For each row of a lane: the time from which the row is free. */
struct rows {
    uint64_t *ends;
    size_t count, capacity;
};

static const struct regionevents_call *innermost(const struct regionevents *events,
                                                 const struct open *open)
{
    return open->count ? &events->calls[open->calls[open->count - 1]] : NULL;
}

/* Returns the first free row at DEPTH or below. In the lane of threads that are not
   distinguished, calls may overlap without being nested, so row DEPTH may be in use. */
static uint32_t free_row(struct rows *rows, uint32_t depth, uint64_t start, uint64_t end)
{
    size_t row = depth;
    while (row < rows->count && rows->ends[row] > start)
        row++;
    rows->ends = buf_grow(rows->ends, &rows->capacity, row + 1, sizeof *rows->ends);
    while (rows->count <= row)
        rows->ends[rows->count++] = 0;
    rows->ends[row] = end;
    return (uint32_t)row;
}

static void add_call(struct regionevents *events, const struct regions *regions,
                     const struct entry *entry, struct open *open, struct rows *rows)
{
    const struct regions_event *event = entry->event;
    const struct regionevents_call *outer;
    uint64_t start = nanoseconds(regions, event->start);
    uint64_t end = nanoseconds(regions, event->start + event->length);
    while ((outer = innermost(events, open)) && outer->end <= start)
        open->count--;
    uint32_t row = outer && outer->row >= entry->depth ? outer->row + 1 : entry->depth;
    if (event->thread == 0)
        row = free_row(rows, entry->depth, start, end);
    struct regionevents_call *call = &events->calls[events->count];
    *call = (struct regionevents_call){.path = event->path,
                                       .lane = (uint32_t)events->lanes.count - 1,
                                       .row = row,
                                       .start = start,
                                       .end = end,
                                       .ticks = event->length};
    BUF_NEXT(open->calls, open->count, open->capacity) = events->count++;
    if (events->end < call->end)
        events->end = call->end;
}

void regionevents_fill(struct regionevents *events, const struct profile *profile)
{
    const struct regions *regions = &profile->regions;
    size_t count = regions->events.count;
    *events = (struct regionevents){0};
    if (!regions->has_events)
        return;
    BUF_OWN struct entry *entries = buf_alloc((count + 1) * sizeof *entries);
    struct open open = {0};
    struct rows rows = {0};
    BUF_OWN uint32_t *depths = find_depths(regions);
    for (size_t i = 0; i < count; i++)
        entries[i] = (struct entry){&regions->events.list[i],
                                    depths[regions->events.list[i].path]};
    BUF_SORT(entries, count, by_time);
    events->least = nanoseconds(regions, regions->event_least);
    events->calls = buf_alloc((count + 1) * sizeof *events->calls);
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || entries[i].event->thread != entries[i - 1].event->thread) {
            BUF_PUSH(events->lanes) = name_of(profile, entries[i].event->thread);
            open.count = 0;
        }
        add_call(events, regions, &entries[i], &open, &rows);
    }
    free(open.calls);
    free(rows.ends);
}

void regionevents_free(struct regionevents *events)
{
    for (size_t i = 0; i < events->lanes.count; i++)
        free(events->lanes.list[i]);
    free(events->lanes.list);
    free(events->calls);
    memset(events, 0, sizeof *events);
}
