/* SPDX-License-Identifier: MIT */
/* Owns what the slices so far have told.  The writer of files calls totals, done and
   is_news; the child of a fork calls child.  */

#include <stddef.h>
#include <stdint.h>

#include "rt/process/slice.h"

/* Sums over all slices written so far.  */
static struct {
    uint64_t cpu, wall, waits, threads, interrupted, uncounted;
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
