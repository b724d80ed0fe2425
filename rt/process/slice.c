/* SPDX-License-Identifier: MIT */
/* Owns what the slices so far have told, and their number.  The constructor and the child
   of a fork call start, the writer of files the other functions.  */

#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "rt/process/slice.h"
#include "rt/os/sys.h"

/* Sums over all slices written so far.  */
static struct {
    uint64_t cpu, wall, waits, threads, interrupted, uncounted;
    struct ccprof_heap_slice heap;
    int error; /* errno value of the last slice; 0: it was written */
} slice;

/* The clocks of two processors may differ a little, so a later reading may be less.  */
static uint64_t slice_rest(uint64_t all, uint64_t told)
{
    return all > told ? all - told : 0;
}

void ccprof_slice_totals(struct ccprof_mlmon *mlmon)
{
    mlmon->cpu = slice_rest(mlmon->cpu, slice.cpu);
    mlmon->wall = slice_rest(mlmon->wall, slice.wall);
    mlmon->waits = slice_rest(mlmon->waits, slice.waits);
    mlmon->threads = slice_rest(mlmon->threads, slice.threads);
    mlmon->interrupted = slice_rest(mlmon->interrupted, slice.interrupted);
    mlmon->uncounted = slice_rest(mlmon->uncounted, slice.uncounted);
}

void ccprof_slice_done(const struct ccprof_mlmon *mlmon)
{
    slice.cpu += mlmon->cpu;
    slice.wall += mlmon->wall;
    slice.waits += mlmon->waits;
    slice.threads += mlmon->threads;
    slice.interrupted += mlmon->interrupted;
    slice.uncounted += mlmon->uncounted;
    slice.heap.number++;
    slice.error = 0;
    ccprof_heap_slice_written();
}

bool ccprof_slice_is_news(int error)
{
    bool is_news = slice.error != error;

    slice.error = error;
    return is_news;
}

void ccprof_slice_start(void)
{
    slice.cpu = slice.wall = slice.waits = slice.threads = 0;
    slice.interrupted = slice.uncounted = 0;
    slice.error = 0;
    slice.heap = (struct ccprof_heap_slice){.process = (uint64_t)ccprof_sys_getpid(),
                                            .time = ccprof_sys_clock(CLOCK_REALTIME)};
    ccprof_heap_slice_written();
}

const struct ccprof_heap_slice *ccprof_slice_heap(bool next)
{
    slice.heap.next = next;
    return &slice.heap;
}
