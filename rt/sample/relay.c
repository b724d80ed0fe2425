/* SPDX-License-Identifier: MIT */
/* Owns what is left.  Called by the engine, wherever threads begin and end.  */

#include "rt/sample/relay.h"

#define RELAY_MAX 64

static struct {
    struct ccprof_pace pace;
    uint64_t then;
    struct ccprof_relay_kernel kernel;
} left[RELAY_MAX];
static unsigned count;

void ccprof_relay_give(const struct ccprof_pace *pace, uint64_t now,
                       struct ccprof_relay_kernel kernel)
{
    if (count == RELAY_MAX)
        return;
    left[count].pace = *pace;
    left[count].then = now;
    left[count].kernel = kernel;
    count++;
}

bool ccprof_relay_take(struct ccprof_pace *pace, uint64_t now,
                       struct ccprof_relay_kernel *kernel)
{
    if (count == 0)
        return false;
    count--;
    *pace = left[count].pace;
    ccprof_pace_go_on(pace, left[count].then, now);
    *kernel = left[count].kernel;
    return true;
}

void ccprof_relay_drop(void)
{
    count = 0;
}
