/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Divides samples by the parallelism. */

#include "mlprof/profile/latencypoints.h"

#include <stdlib.h>

/* A sample counts for so many parts, divided by the parallelism: the least common
   multiple of 1 to 10. */
#define PARTS 5040

char *latencypoints_text(uint64_t address)
{
    const uint32_t least = latencypoints_least(address),
                   most = latencypoints_most(address);
    return least == most ? buf_format("%u thread%s", least, least == 1 ? "" : "s")
                         : buf_format("%u to %u threads", least, most);
}

bool latencypoints_known(const struct profile *profile)
{
    for (size_t i = 0; i < profile->nodes.count; i++)
        if (profile->nodes.list[i].module == PROFILE_PARALLELISM)
            return true;
    return false;
}

/* Returns the parallelism at each point, as an address; 1 to 1 where it is unknown. Freed
   by free. */
static uint64_t *find_parallelism(const struct profile *profile)
{
    uint64_t *found = buf_alloc((profile->nodes.count + 1) * sizeof *found);
    for (size_t i = 0; i < profile->nodes.count; i++) {
        const struct profile_node *node = &profile->nodes.list[i];
        found[i] = node->module == PROFILE_PARALLELISM ? node->address
                   : node->parent == PROFILE_NO_NODE   ? UINT64_C(0x10001)
                                                       : found[node->parent];
    }
    return found;
}

/* Returns the parts that a sample counts for. */
static uint64_t parts_of(uint64_t address)
{
    return (PARTS / latencypoints_least(address) + PARTS / latencypoints_most(address)) /
           2;
}

void latencypoints_make(struct profile *points, const struct profile *profile)
{
    BUF_OWN uint64_t *parallelism = find_parallelism(profile);
    struct profile_sampling *sampling = &points->sampling;
    profile_derive(points, profile, MEASURE_KIND_LATENCY);
    points->measure = measure_of_kinds(MEASURE_KIND_LATENCY);
    sampling->rate = profile->sampling.rate * PARTS;
    /* Signals that count for several samples do so for as many parts, too. */
    const struct statistics_weights late = sampling->weights;
    sampling->weights = (struct statistics_weights){
        .heaviest = PARTS * (late.heaviest ? late.heaviest : 1),
        .excess = late.excess < UINT64_MAX / 2 / (PARTS * PARTS)
                      ? late.excess * PARTS * PARTS
                      : UINT64_MAX / 2};
    for (size_t i = 0; i < profile->nodes.count; i++) {
        const struct profile_node *node = &profile->nodes.list[i];
        const uint64_t parts = parts_of(parallelism[i]);
        profile_append(points, node->parent, node->module, node->address,
                       node->count * parts);
        sampling->samples += node->count * parts;
        sampling->weights.excess += node->count * parts * (parts - 1);
    }
    for (size_t i = 0; i < profile->times.shares.count; i++) {
        const struct shares_entry *entry = &profile->times.shares.entries[i];
        shares_add(&points->times.shares, entry->owner, entry->bin,
                   entry->count * parts_of(parallelism[entry->owner]));
    }
}

struct statistics_interval latencypoints_bounds(const struct profile *profile)
{
    BUF_OWN uint64_t *parallelism = find_parallelism(profile);
    struct statistics_interval bounds = {0, 0};
    for (size_t i = 0; i < profile->nodes.count; i++) {
        const double samples = (double)profile->nodes.list[i].count;
        bounds.least += samples / latencypoints_most(parallelism[i]);
        bounds.most += samples / latencypoints_least(parallelism[i]);
    }
    bounds.least /= (double)profile->sampling.rate;
    bounds.most /= (double)profile->sampling.rate;
    return bounds;
}
