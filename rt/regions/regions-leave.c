/* SPDX-License-Identifier: MIT */
/* Ends calls that were left, and says so where nothing was begun.  The program's calls,
   where a region ends that was not begun last; the end of a thread.  */

#include "rt/os/say.h"
#include "rt/regions/regions-hot.h"
#include "rt/regions/regions-caller.h"
#include "rt/regions/regions.h"

uint64_t ccprof_regions_lost(void)
{
    return atomic_load(&ccprof_regions.lost);
}

void ccprof_regions_cut_to(struct regions_thread *thread, struct regions_frame *frame,
                           uint64_t now, bool is_left)
{
    bool has_cpu = ccprof_regions.has_cpu, has_events = ccprof_regions.has_events;

    thread->over = 0;
    while (thread->top - 1 > frame || (is_left && thread->top - 1 == frame)) {
        thread->current->figures.left++;
        regions_leave(thread, thread->top - 1, now, has_cpu, has_events);
    }
    if (!is_left)
        regions_leave(thread, frame, now, has_cpu, has_events);
}

/* It may have been left already.  */
void ccprof_regions_cut_slowly(unsigned long opened, uint64_t now)
{
    struct regions_thread *thread = ccprof_regions_self;
    struct regions_frame *frame = (void *)((char *)thread->frame + opened);

    if (frame < thread->top)
        ccprof_regions_cut_to(thread, frame, now, false);
}

/* Where the program ends regions in another order than it begins them the frame may be
   another region's by now.  */
void ccprof_regions_left(struct ccprof_region *function, unsigned long entered)
{
    uint64_t now = ccprof_regions.clock->ticks();
    struct regions_thread *thread = ccprof_regions_self;
    unsigned long opened = entered & ~REGIONS_ENTERED;
    struct regions_frame *frame = (void *)((char *)thread->frame + opened);

    if (opened == 0) {
        if (thread->over != 0)
            thread->over--;
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

    if (thread->over != 0) {
        thread->over--;
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
        ccprof_say("ccprof_region_end: ", region->name, " was not begun", NULL);
        regions_caller_restore(&caller);
    }
}
