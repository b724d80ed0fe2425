/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Copies the points of stacks on which a thread waited, and adds a point for each reason
   and object. */

#include "mlprof/profile/waitpoints.h"

#include <math.h>
#include <stdlib.h>

bool waitpoints_alone(const struct profile *profile)
{
    return profile->kind == CCPROF_KIND_REGION && profile->waits.measured &&
           !profile->heap.measured && profile->regions.clock == REGIONS_NONE;
}

/* Returns the sum of the squares of the times of each wait's equal waits. Those that were
   not kept one by one are at most as long as the shortest one that was kept. */
static double *sum_squares(const struct waitdata *waits)
{
    double *squares = buf_alloc((waits->waits.count + 1) * sizeof *squares);
    BUF_OWN double *kept = buf_alloc((waits->waits.count + 1) * sizeof *kept);
    double least = INFINITY;
    for (size_t i = 0; i < waits->longest.count; i++) {
        const struct waitdata_single *single = &waits->longest.list[i];
        double time = (double)single->time;
        squares[single->wait] += time * time;
        kept[single->wait] += time;
        least = fmin(least, time);
    }
    for (size_t i = 0; i < waits->waits.count; i++) {
        const struct waitdata_wait *wait = &waits->waits.list[i];
        double rest = fmax((double)wait->time - kept[i], 0);
        squares[i] += rest * fmin((double)wait->longest, least);
    }
    return squares;
}

/* Returns the variance of the time of each wait's equal waits. The waits of a thread are
   independent, so that their number is a Poisson variable. The waits of several threads
   for the same thing may happen together: the sum of N deviations is at most the root of
   N times the sum of their squares. */
static double *find_variances(const struct waitdata *waits)
{
    double *variances = sum_squares(waits);
    struct index things = {0}, threads = {0};
    BUF_OWN uint32_t *of_wait = buf_alloc((waits->waits.count + 1) * sizeof *of_wait);
    BUF_OWN uint32_t *counts = buf_alloc((waits->waits.count + 1) * sizeof *counts);
    for (size_t i = 0; i < waits->waits.count; i++) {
        const struct waitdata_wait *wait = &waits->waits.list[i];
        bool fresh;
        of_wait[i] = index_put(&things, wait->reason, wait->object, 0, &fresh);
        index_put(&threads, of_wait[i], waitdata_thread(waits, wait->stack), 0, &fresh);
        counts[of_wait[i]] += fresh;
    }
    for (size_t i = 0; i < waits->waits.count; i++)
        variances[i] *= counts[of_wait[i]];
    index_free(&things);
    index_free(&threads);
    return variances;
}

void waitpoints_make(struct profile *points, const struct profile *profile, bool variance)
{
    const struct waitdata *waits = &profile->waits;
    BUF_OWN bool *needed = buf_alloc((waits->nodes.count + 1) * sizeof *needed);
    BUF_OWN uint32_t *numbers = buf_alloc((waits->nodes.count + 1) * sizeof *numbers);
    profile_derive(points, profile, MEASURE_KIND_WAIT);
    points->measure = measure_of_kinds(MEASURE_KIND_WAIT);
    /* A count is a nanosecond. */
    points->sampling = (struct profile_sampling){
        .clock = PROFILE_WALL, .rate = UINT64_C(1000000000), .stack = true};
    points->runs.uncounted = 0;
    points->times = (struct times){0};
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
    BUF_OWN double *variances = variance ? find_variances(waits) : NULL;
    /* So that their sum has 64 bits. */
    const double most = 0x1p63 / ((double)waits->waits.count + 1);
    for (size_t i = 0; i < waits->waits.count; i++) {
        const struct waitdata_wait *wait = &waits->waits.list[i];
        const uint64_t amount =
            variance ? (uint64_t)fmin(
                           ceil(variances[i] / WAITPOINTS_TICK / WAITPOINTS_TICK), most)
                     : wait->time;
        points->sampling.samples += amount;
        /* A thread that is joined is no lock. */
        const uint32_t object =
            wait->reason == CCPROF_WAIT_JOIN ? WAITDATA_NONE : wait->object;
        profile_append(points, numbers[wait->stack], PROFILE_WAIT,
                       index_pair(wait->reason, object), amount);
    }
}
