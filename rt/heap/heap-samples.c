/* SPDX-License-Identifier: MIT */
/* Which blocks are counted.  */

#define _GNU_SOURCE
#include <time.h>
#include <unistd.h>

#include "rt/heap/heap-draw.h"
#include "rt/heap/heap-samples.h"
#include "rt/os/sys.h"

/* 0: each block is counted.  */
static uint64_t mean;

__thread uint64_t ccprof_heap_samples_left, ccprof_heap_samples_frees;

/* The state of the thread's generator, 0 before the first draw; and what the thread has
   left while it looks at each block.  */
static __thread uint64_t random_state, left_aside;

void ccprof_heap_samples_start(uint64_t size)
{
    mean = size;
}

/* Draws where the thread's next sample is.  What two threads start from differs by where
   their memory and the clock are.  */
static uint64_t samples_draw(void)
{
    if (random_state == 0)
        random_state = (uintptr_t)&random_state ^ ccprof_sys_clock(CLOCK_MONOTONIC) ^
                       (uint64_t)getpid() << 40;
    return ccprof_heap_draw(&random_state, mean);
}

/* A thread's first draw comes with its first block, and another one for it, in the child
   of a fork, changes nothing: what is left has the distribution of the whole.  */
bool ccprof_heap_samples_hit(uint64_t size, bool aside)
{
    uint64_t *left = aside ? &left_aside : &ccprof_heap_samples_left;

    if (mean == 0)
        return true;
    if (random_state == 0)
        *left = samples_draw();
    bool hit = size >= *left;
    *left = hit ? samples_draw() : *left - size - 1;
    return hit;
}

void ccprof_heap_samples_look(void)
{
    left_aside = ccprof_heap_samples_left;
    ccprof_heap_samples_left = 0;
}

void ccprof_heap_samples_look_no_more(void)
{
    ccprof_heap_samples_left = left_aside;
}

void ccprof_heap_samples_fork_child(void)
{
    random_state = 0;
}

/* The first draw reads a clock.  */
void ccprof_heap_samples_stop(void)
{
    random_state = 1;
    if (mean != 0)
        ccprof_heap_samples_left = UINT64_MAX;
}
