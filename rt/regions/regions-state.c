/* SPDX-License-Identifier: MIT */
/* Owns the state that all files regions*.c share, and the calling thread's pointer to its
   memory.  Runs in the program's calls, and where files are written.  */

#define _GNU_SOURCE
#include <string.h>
#include <time.h>

#include "rt/regions/regions-inside.h"

#define SECOND 1000000000u

struct regions ccprof_regions;

const struct regions_thread ccprof_regions_none = {
    .top = (struct regions_frame *)ccprof_regions_none.frame + 1,
    .current = (struct regions_node *)&ccprof_regions_none.root,
    .root = {.key = REGIONS_KEY_NONE,
             .recent = {[0 ... REGIONS_RECENT - 1] =
                            (struct regions_node *)&ccprof_regions_none.root}},
    .frame = {{.start = 0}}};

_Thread_local struct regions_thread *ccprof_regions_self =
    (struct regions_thread *)&ccprof_regions_none;

void ccprof_regions_thread_clear(struct regions_thread *thread)
{
    thread->root.key = REGIONS_KEY_NONE;
    regions_recent_clear(&thread->root, &thread->root);
    thread->lost.key = REGIONS_KEY_NONE;
    regions_recent_clear(&thread->lost, &thread->root);
    memset(thread->jump, 0, sizeof thread->jump);
    thread->event = NULL;
    if (ccprof_regions.has_events)
        thread->event = (void *)((char *)thread + REGIONS_THREAD_SIZE);
    thread->event_end = thread->event + (thread->event ? REGIONS_EVENTS : 0);
    thread->event_seen = thread->event;
    thread->current = &thread->root;
    thread->top = thread->frame + 1;
    thread->end = thread->frame + REGIONS_FRAMES + 1;
    thread->limit = thread->end;
}

size_t ccprof_regions_thread_size(void)
{
    return REGIONS_THREAD_SIZE + (ccprof_regions.has_events ? REGIONS_EVENTS_SIZE : 0);
}

uint64_t ccprof_regions_cpu(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (uint64_t)now.tv_sec * SECOND + (uint64_t)now.tv_nsec;
}
