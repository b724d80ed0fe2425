/* SPDX-License-Identifier: MIT */
/* Owns what was told.  totals, done, is_news: where files are written; child: child of a
   fork.  */

#include <stddef.h>
#include <stdint.h>

#include "rt/process/slice.h"

/* Up to and with the last slice.  */
static struct {
    uint64_t cpu, wall, waits, threads, interrupted, uncounted;
    int error; /* of the last slice that could not be written; 0: it was */
} slice;

/* Of clocks that were read by other processors.  */
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
    slice.error = 0;
}

bool ccprof_slice_is_news(int error)
{
    bool is_news = slice.error != error;

    slice.error = error;
    return is_news;
}

void ccprof_slice_child(void)
{
    slice.cpu = slice.wall = slice.waits = slice.threads = 0;
    slice.interrupted = slice.uncounted = 0;
    slice.error = 0;
}
