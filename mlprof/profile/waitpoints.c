/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Copies the points of stacks on which a thread waited, and adds a point for each reason
   and object. */

#include "mlprof/profile/waitpoints.h"

#include <stdlib.h>
#include <string.h>

bool waitpoints_alone(const struct profile *profile)
{
    return profile->kind == CCPROF_KIND_REGION && profile->waits.measured &&
           !profile->heap.measured && profile->regions.clock == REGIONS_NONE;
}

/* Makes POINTS a profile without points and without other measurements. */
static void start(struct profile *points, const struct profile *profile)
{
    *points = *profile;
    points->kind = MEASURE_KIND_WAIT;
    points->measure = measure_of_kinds(MEASURE_KIND_WAIT);
    /* A count is a nanosecond. */
    points->sampling = (struct profile_sampling){
        .clock = PROFILE_WALL, .rate = UINT64_C(1000000000), .stack = true};
    points->runs.uncounted = 0;
    points->counts = (struct profile_counts){0};
    points->origins = (struct origins){0};
    points->children = (struct children){0};
    points->indexed = 0;
    points->times = (struct times){0};
    points->values = (struct shares){0};
    points->nodes.list = NULL;
    points->nodes.count = points->nodes.capacity = 0;
}

void waitpoints_make(struct profile *points, const struct profile *profile)
{
    const struct waitdata *waits = &profile->waits;
    BUF_OWN bool *needed = buf_alloc((waits->nodes.count + 1) * sizeof *needed);
    BUF_OWN uint32_t *numbers = buf_alloc((waits->nodes.count + 1) * sizeof *numbers);
    start(points, profile);
    for (size_t i = 0; i < waits->waits.count; i++)
        needed[waits->waits.list[i].stack] = true;
    for (size_t i = waits->nodes.count; i-- > 0;)
        if (needed[i] && waits->nodes.list[i].parent != PROFILE_NO_NODE)
            needed[waits->nodes.list[i].parent] = true;
    for (size_t i = 0; i < waits->nodes.count; i++) {
        const struct waitdata_node *node = &waits->nodes.list[i];
        if (needed[i])
            numbers[i] = profile_append(
                points,
                node->parent == PROFILE_NO_NODE ? PROFILE_NO_NODE : numbers[node->parent],
                node->module, node->address, 0);
    }
    points->sampling.samples = waits->sums.time;
    for (size_t i = 0; i < waits->waits.count; i++) {
        const struct waitdata_wait *wait = &waits->waits.list[i];
        profile_append(points, numbers[wait->stack], PROFILE_WAIT,
                       index_pair(wait->reason, wait->object), wait->time);
    }
}

void waitpoints_free(struct profile *points)
{
    free(points->nodes.list);
    memset(points, 0, sizeof *points);
}
