/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes what threads did over time in Chrome's trace format (Google: "Trace Event
   Format"), which Perfetto reads: for each thread a track of its waits, and of the time
   between them, with arrows from the threads that ended waits, and a track of its calls
   of regions. Times are in microseconds since the start of measuring. */

#include "mlprof/base/buf.h"
#include "mlprof/base/encoding.h"
#include "mlprof/export/export.h"
#include "mlprof/regions/regionevents.h"
#include "mlprof/report/report.h"
#include "mlprof/view/waitwords.h"

#include <stdlib.h>
#include <string.h>

/* There is one process. A thread's tracks have its number, and this number more. */
#define PROCESS 1
#define REGIONS UINT64_C(1000000)

#define MICROSECOND 1e3

struct trace {
    struct json json;
    uint64_t arrows; /* number of arrows so far */
};

/* Opens an event of the phase PHASE. The caller closes it. */
static void open_event(struct trace *trace, const char *phase, uint64_t track,
                       const char *name)
{
    json_open(&trace->json);
    json_text_field(&trace->json, "ph", phase);
    json_unsigned_field(&trace->json, "pid", PROCESS);
    json_unsigned_field(&trace->json, "tid", track);
    json_text_field(&trace->json, "name", name);
}

static void put_times(struct trace *trace, uint64_t start, uint64_t length)
{
    json_number_field(&trace->json, "ts", (double)start / MICROSECOND);
    json_number_field(&trace->json, "dur", (double)length / MICROSECOND);
}

static void name_track(struct trace *trace, const char *what, uint64_t track,
                       const char *name)
{
    open_event(trace, "M", track, what);
    json_open_field(&trace->json, "args");
    json_text_field(&trace->json, "name", name);
    json_close(&trace->json);
    json_close(&trace->json);
}

/* Returns the number in `NUMBER NAME'. */
static uint64_t thread_number(const char *thread)
{
    return strtoull(thread, NULL, 10);
}

static const char *thread_name(const char *thread)
{
    const char *space = strchr(thread, ' ');
    return space ? space + 1 : thread;
}

/* Writes an arrow from the thread that ended the wait to the end of the wait. */
static void put_arrow(struct trace *trace, const struct waiting_single *wait)
{
    const uint64_t end = wait->single->start + wait->single->time;
    const uint64_t tracks[] = {thread_number(wait->waker), thread_number(wait->thread)};
    trace->arrows++;
    for (int i = 0; i < 2; i++) {
        open_event(trace, i ? "f" : "s", tracks[i], "ends the wait");
        json_text_field(&trace->json, "cat", "wake");
        json_unsigned_field(&trace->json, "id", trace->arrows);
        json_number_field(&trace->json, "ts", (double)end / MICROSECOND);
        if (i)
            json_text_field(&trace->json, "bp", "e");
        json_close(&trace->json);
    }
}

static void put_text(struct trace *trace, const char *name, const char *text)
{
    if (text)
        json_text_field(&trace->json, name, text);
}

static void put_wait(struct trace *trace, const struct waiting_single *wait)
{
    const char *more;
    BUF_OWN char *name = waitwords_name(wait->wait->reason, wait->object, &more);
    BUF_OWN char *taken = places_text(&wait->taken);
    open_event(trace, "X", thread_number(wait->thread), name);
    json_text_field(&trace->json, "cat", "wait");
    put_times(trace, wait->single->start, wait->single->time);
    json_open_field(&trace->json, "args");
    put_text(trace, "in", wait->stack);
    put_text(trace, "ended by", waiting_ends[wait->wait->end]);
    put_text(trace, "other thread", wait->waker);
    put_text(trace, "taken in", taken);
    put_text(trace, "other stack", wait->cause);
    json_close(&trace->json);
    json_close(&trace->json);
    if (wait->waker && wait->wait->end == CCPROF_WAIT_BY_THREAD)
        put_arrow(trace, wait);
}

static void put_running(struct trace *trace, uint64_t track, uint64_t from, uint64_t to)
{
    if (from >= to)
        return;
    open_event(trace, "X", track, "not waiting");
    json_text_field(&trace->json, "cat", "run");
    put_times(trace, from, to - from);
    json_close(&trace->json);
}

/* A wait, to be sorted by thread and start. */
struct item {
    uint32_t thread;
    const struct waiting_single *wait;
};

static int compare_items(const void *left, const void *right)
{
    const struct item *a = left, *b = right;
    const uint64_t start = a->wait->single->start, other = b->wait->single->start;
    if (a->thread != b->thread)
        return a->thread < b->thread ? -1 : 1;
    return (start > other) - (start < other);
}

/* Writes the waits, and what is between them. Waits of one thread overlap only if a
   signal handler waited. */
static void put_waits(struct trace *trace, const struct profile *profile,
                      const struct waiting *waiting)
{
    const struct waitdata *data = &profile->waits;
    const size_t count = waiting->longest.count;
    BUF_OWN struct item *items = buf_alloc((count + 1) * sizeof *items);
    size_t at = 0;
    for (size_t i = 0; i < count; i++) {
        const struct waiting_single *wait = &waiting->longest.list[i];
        items[i] = (struct item){waitdata_thread(data, wait->wait->stack), wait};
    }
    qsort(items, count, sizeof *items, compare_items);
    for (uint32_t thread = 0; thread < profile->names.threads.count; thread++) {
        const char *name = intern_text(&profile->names.threads, thread);
        uint32_t number;
        if (!index_get(&data->state_index, thread, 0, 0, &number)) {
            while (at < count && items[at].thread == thread)
                put_wait(trace, items[at++].wait);
            continue;
        }
        const struct waitdata_state *state = &data->states.list[number];
        uint64_t until = state->start;
        name_track(trace, "thread_name", thread_number(name), thread_name(name));
        for (; at < count && items[at].thread == thread; at++) {
            const struct waitdata_single *single = items[at].wait->single;
            put_running(trace, thread_number(name), until, single->start);
            put_wait(trace, items[at].wait);
            until = single->start + single->time;
        }
        put_running(trace, thread_number(name), until, state->start + state->wall);
    }
}

static void put_regions(struct trace *trace, const struct profile *profile,
                        const struct regionevents *events)
{
    for (size_t i = 0; i < events->lanes.count; i++)
        name_track(trace, "thread_name", REGIONS + i, events->lanes.list[i]);
    for (size_t i = 0; i < events->count; i++) {
        const struct regionevents_call *call = &events->calls[i];
        const uint32_t region = profile->regions.paths.list[call->path].region;
        open_event(trace, "X", REGIONS + call->lane,
                   intern_text(&profile->regions.names,
                               profile->regions.regions.list[region].name));
        json_text_field(&trace->json, "cat", "region");
        put_times(trace, call->start, call->end - call->start);
        json_close(&trace->json);
    }
}

static void perfetto_write(FILE *out, const struct export_input *input)
{
    struct report *report = input->view->report;
    const struct waiting *waiting = report_waiting(report);
    struct trace trace = {.json.out = out};
    struct regionevents events = {0};
    regionevents_fill(&events, report->measured);
    if (events.count == 0 && (!waiting || waiting->longest.count == 0)) {
        fault_set(
            input->fault, FAULT_MISMATCH, "-perfetto",
            "no waits or calls of regions were recorded one by one: run the program "
            "with CCPROF=wait=yes or events=N, and give one data file");
        return;
    }
    json_open(&trace.json);
    json_text_field(&trace.json, "displayTimeUnit", "ns");
    json_open_list_field(&trace.json, "traceEvents");
    name_track(&trace, "process_name", 0, input->title ? input->title : input->program);
    if (waiting)
        put_waits(&trace, report->measured, waiting);
    put_regions(&trace, report->measured, &events);
    json_close_list(&trace.json);
    json_close(&trace.json);
    putc('\n', out);
    regionevents_free(&events);
}

const struct export_format perfetto_format = {
    .name = "perfetto",
    .help = "write waits and regions over time for Perfetto",
    .details = "For one data file with CCPROF=wait=yes or events=N.",
    .kind = OUTPUTS_TRACE,
    .write = perfetto_write,
};
